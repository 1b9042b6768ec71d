/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Checks of lengths, strings and patterns, and what all checks use. */


#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "analysis/builtin/conversation.h"
#include "analysis/checks/check_type.h"
#include "analysis/text/char.h"
#include "analysis/text/language.h"
#include "analysis/text/math.h"
#include "analysis/text/say.h"


#define JUDGE_CHECK_SLACK   0.25       /* of a limit: a miss by this share of
                                          the limit scores 0 */
#define JUDGE_CHECK_MISSED  0.25       /* score of the nearest miss */
#define JUDGE_CHECK_FOUND   100000     /* matches that are counted */
#define JUDGE_CHECK_SAID    80         /* bytes of a string in a sentence */


/* --- What all use -------------------------------------------------------- */

double
judge_check_within(double n, double wanted, bool most)
{
    double  miss = most ? n - wanted : wanted - n;

    return miss <= 0 ? 1 : JUDGE_CHECK_MISSED
                           * fmax(0, 1 - miss / (JUDGE_CHECK_SLACK * wanted));
}


const judge_text_t *
judge_checked_text(judge_checked_t *c)
{
    judge_text_t  *t;

    if (c->parsed == NULL) {
        t = judge_alloc(c->kept, sizeof(judge_text_t));

        if (t && judge_text_parse(t, c->kept, c->text) == JUDGE_OK) {
            c->parsed = t;
        }
    }

    return c->parsed;
}


/* Passages mostly come in the order of the text, so characters are counted on
 * from the last passage. */

void
judge_check_show(judge_checked_t *c, judge_check_result_t *r, size_t begin,
    size_t end)
{
    judge_str_t             s;
    judge_check_passage_t  *p;

    if (r->npassages == JUDGE_CHECK_PASSAGES) {
        return;
    }

    if (c->unlabelled) {
        end = end > begin ? judge_conversation_offset(c->conversation, end - 1)
                            + 1 : begin;
        begin = judge_conversation_offset(c->conversation, begin);
        end = end > begin ? end : begin;
    }

    if (begin < c->known_byte) {
        c->known_byte = 0;
        c->known_char = 0;
    }

    s = (judge_str_t) { begin - c->known_byte, c->shown + c->known_byte };
    c->known_char += judge_utf8_length(s);
    c->known_byte = begin;

    s = (judge_str_t) { end - begin, c->shown + begin };
    p = &r->passages[r->npassages++];
    p->start = c->known_char;
    p->end = p->start + judge_utf8_length(s);
    p->quote = judge_utf8_prefix(s, JUDGE_CHECK_QUOTE);
}


judge_rc_e
judge_check_say(judge_checked_t *c, judge_check_result_t *r, double share,
    const char *english, ...)
{
    va_list      args;
    judge_buf_t  b;

    judge_buf_init(&b, c->arena);
    va_start(args, english);
    judge_buf_vprintf(&b, judge_say(c->feedback, english), args);
    va_end(args);

    if (strstr(english, "%.1f") || strstr(english, "%.2f")) {
        judge_say_numbers(c->feedback, &b, 0);
    }

    r->share = share;
    r->sentence = judge_buf_view(&b);

    return b.failed ? JUDGE_NOMEM : JUDGE_OK;
}


const char *
judge_check_noun(const judge_checked_t *c, double n, const char *one,
    const char *many)
{
    return judge_say(c->feedback, n == 1 ? one : many);
}


judge_rc_e
judge_check_has(judge_checked_t *c, judge_check_result_t *r, size_t n,
    const char *one, const char *many)
{
    const char  *noun = judge_check_noun(c, (double) n, one, many);

    return n == 0 ? judge_check_say(c, r, 0, "It has no %s.", noun)
                  : judge_check_say(c, r, 1, "It has %zu %s.", n, noun);
}


/* Returns a pattern of patterns_table.txt, compiled once for the process. */

static judge_rc_e
judge_check_pattern(const char *name, const judge_regex_t **pattern)
{
    size_t      i;
    judge_rc_e  rc;

    static pthread_mutex_t   mutex = PTHREAD_MUTEX_INITIALIZER;
    static judge_arena_t    *arena;
    static judge_regex_t   **compiled;

    for (i = 0; strcmp(judge_check_patterns[i].name, name) != 0; ) {
        if (++i == judge_check_patterns_n) {
            return JUDGE_INVALID;
        }
    }

    (void) pthread_mutex_lock(&mutex);

    arena = arena ? arena : judge_arena_create(64 * 1024);
    compiled = compiled || arena == NULL ? compiled
               : judge_array_alloc(arena, judge_check_patterns_n,
                                   sizeof(judge_regex_t *));
    rc = compiled == NULL ? JUDGE_NOMEM
         : compiled[i] ? JUDGE_OK
         : judge_regex_compile(arena,
                           judge_str_c(judge_check_patterns[i].expression),
                           JUDGE_REGEX_TABLE, &compiled[i], NULL);
    *pattern = rc == JUDGE_OK ? compiled[i] : NULL;

    (void) pthread_mutex_unlock(&mutex);

    return rc;
}


judge_rc_e
judge_check_next(judge_checked_t *c, const judge_regex_t *pattern,
    size_t from, size_t *begin, size_t *end)
{
    judge_regex_take(c->reader, pattern);

    return judge_regex_find(c->reader, c->text, from, begin, end);
}


/* A string in quotation marks, shortened, for a sentence. */

static judge_str_t
judge_check_quoted(judge_arena_t *arena, judge_str_t text)
{
    judge_str_t  start = judge_utf8_prefix(text, JUDGE_CHECK_SAID);

    return judge_str_printf(arena, "\"%.*s%s\"", judge_str_args(start),
                            start.len < text.len ? "…" : "");
}


/* --- Limits -------------------------------------------------------------- */

/* Counts the lines that are not blank; *longest: the most characters. */

static size_t
judge_check_lines(const judge_checked_t *c, size_t *longest)
{
    size_t       i, n, begin, len;
    judge_str_t  line;

    *longest = 0;

    for (i = c->begin, begin = i, n = 0; i <= c->end; i++) {
        if (i < c->end && c->text.data[i] != '\n') {
            continue;
        }

        line = judge_str_trim((judge_str_t) { i - begin,
                                              c->text.data + begin }, " \t\r");
        len = judge_utf8_length(line);
        n += len > 0;
        *longest = len > *longest ? len : *longest;
        begin = i + 1;
    }

    return n;
}


/* Counts words as people do: whatever is between spaces and has a letter or a
 * digit; in scripts without spaces, each character. */

static size_t
judge_check_words(const judge_text_t *t, size_t first, size_t end)
{
    bool                  within = false;
    size_t                n = 0;
    const judge_token_t  *token;

    for (token = t->tokens + first; token < t->tokens + end; token++) {
        if ((token->flags & JUDGE_T_SPACE)
            || token->mark == JUDGE_MARK_DASH)
        {
            within = false;
        }

        if (token->kind == JUDGE_TOKEN_IDEOGRAPH) {
            n++;
            within = false;

        } else if (token->kind != JUDGE_TOKEN_MARK && !within) {
            n++;
            within = true;
        }
    }

    return n;
}


/* The number of words in the longest sentence. */

static size_t
judge_check_sentence(const judge_text_t *t)
{
    size_t  i, n, longest;

    for (i = 0, longest = 0; i < t->nsentences; i++) {
        n = judge_check_words(t, t->sentences[i].first, t->sentences[i].end);
        longest = n > longest ? n : longest;
    }

    return longest;
}


static double
judge_check_count(judge_checked_t *c, int mode)
{
    size_t               lines, longest;
    const judge_text_t  *t;

    if (mode == JUDGE_LIMIT_CHARACTERS) {
        return (double) judge_utf8_length(judge_checked_within(c));
    }

    if (mode == JUDGE_LIMIT_LINES || mode == JUDGE_LIMIT_LINE) {
        lines = judge_check_lines(c, &longest);
        return (double) (mode == JUDGE_LIMIT_LINE ? longest : lines);
    }

    t = judge_checked_text(c);
    if (t == NULL) {
        return -1;
    }

    switch (mode) {
    case JUDGE_LIMIT_WORDS:
        return (double) judge_check_words(t, 0, t->ntokens);

    case JUDGE_LIMIT_SENTENCE:
        return (double) judge_check_sentence(t);

    case JUDGE_LIMIT_SENTENCES:
        return (double) t->nsentences;

    default:
        return (double) t->nparagraphs;
    }
}


judge_rc_e
judge_check_limited(judge_checked_t *c, judge_check_result_t *r,
    const judge_check_t *check, double n, bool most)
{
    double  wanted = check->number - (check->negated ? 1 : 0);

    return judge_check_say(c, r, judge_check_within(n, wanted, most),
                           most ? "%.0f %s; at most %.0f asked for."
                                : "%.0f %s; at least %.0f asked for.", n,
                           judge_check_noun(c, n, check->type->one,
                                            check->type->many), wanted);
}


judge_rc_e
judge_check_limit(judge_checked_t *c, const judge_check_t *check,
    judge_check_result_t *r)
{
    int     mode = check->type->mode;
    double  n = judge_check_count(c, mode & ~JUDGE_LIMIT_MOST);

    return n < 0 ? JUDGE_NOMEM : judge_check_limited(c, r, check, n,
                                                     mode & JUDGE_LIMIT_MOST);
}


/* --- Strings ------------------------------------------------------------- */

/* A string as a regular expression, since PCRE2 ignores case beyond ASCII.
 * Unless the match is to be exact, it has to begin where a word begins:
 * "refund" matches in "Refunds", "art" does not in "start". */

judge_rc_e
judge_check_literal(judge_arena_t *arena, judge_str_t text, int mode,
    judge_regex_t **pattern)
{
    size_t       i;
    judge_buf_t  b;

    judge_buf_init(&b, arena);
    judge_buf_c(&b, mode & JUDGE_CONTAINS_EXACT
                    ? "" : "(?i)(?:(?<![\\p{L}\\p{N}])|(?![\\p{L}\\p{N}]))");

    for (i = 0; i < text.len; i++) {
        judge_buf_c(&b, (unsigned char) text.data[i] < 0x80
                        && strchr("\\^$.[]|()?*+{}-#&~", text.data[i])
                        && text.data[i] ? "\\" : "");
        judge_buf_append(&b, text.data + i, 1);
    }

    return b.failed ? JUDGE_NOMEM
                    : judge_regex_compile(arena, judge_buf_view(&b),
                                          JUDGE_REGEX_OWN, pattern, NULL);
}


judge_rc_e
judge_check_contains(judge_checked_t *c, const judge_check_t *check,
    judge_check_result_t *r)
{
    size_t          i, n, begin = 0, end = 0;
    judge_rc_e      rc;
    judge_str_t     quoted;
    judge_buf_t     has, lacks;
    judge_regex_t  *p;

    judge_buf_init(&has, c->scratch);
    judge_buf_init(&lacks, c->scratch);

    for (i = 0, n = 0; i < check->ntexts; i++) {
        rc = judge_check_literal(c->scratch, check->texts[i],
                                 check->type->mode, &p);
        if (rc == JUDGE_OK) {
            rc = judge_check_next(c, p, 0, &begin, &end);
        }
        if (rc != JUDGE_OK && rc != JUDGE_NOT_FOUND) {
            return rc;
        }

        quoted = judge_check_quoted(c->scratch, check->texts[i]);

        if (rc == JUDGE_OK) {
            n++;
            judge_check_show(c, r, begin, end);
        }

        judge_buf_c(rc == JUDGE_OK ? &has : &lacks, ", ");
        judge_buf_str(rc == JUDGE_OK ? &has : &lacks, quoted);
    }

    if (has.failed || lacks.failed) {
        return JUDGE_NOMEM;
    }

    r->share = check->type->mode & JUDGE_CONTAINS_ANY
               ? n > 0 : (double) n / (double) check->ntexts;

    /* Once the check is met, the strings that were found are named. */
    if (n == check->ntexts || (check->type->mode & JUDGE_CONTAINS_ANY && n)) {
        return judge_check_say(c, r, r->share, "It contains %.*s.",
                               (int) has.len - 2, has.data + 2);
    }

    return judge_check_say(c, r, r->share, "It does not contain %.*s.",
                           (int) lacks.len - 2, lacks.data + 2);
}


/* Whether the text equals `wanted`, ignoring case and punctuation. */

static judge_rc_e
judge_check_folds(judge_checked_t *c, judge_str_t wanted, bool *is)
{
    size_t               i;
    judge_text_t         w;
    const judge_text_t  *t = judge_checked_text(c);
    const judge_token_t *a, *b, *end;

    *is = false;

    if (t == NULL || judge_text_parse(&w, c->scratch, wanted) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    a = t->tokens;
    end = t->tokens + t->ntokens;

    for (i = 0; i < w.ntokens; i++) {
        b = &w.tokens[i];

        if (b->type == JUDGE_NO_TYPE) {
            continue;
        }

        while (a < end && a->type == JUDGE_NO_TYPE) {
            a++;
        }

        if (a == end || t->types[a->type].hash != w.types[b->type].hash) {
            return JUDGE_OK;
        }

        a++;
    }

    while (a < end && a->type == JUDGE_NO_TYPE) {
        a++;
    }

    *is = a == end;

    return JUDGE_OK;
}


/* Whether the first n bytes end inside a word of letters. */

static bool
judge_check_cuts(judge_str_t text, size_t n)
{
    bool         before = false, letter = false;
    uint32_t     point;
    const char  *p = text.data, *end = p + text.len;

    while (p < end && p <= text.data + n) {
        before = letter;
        point = judge_utf8_next(&p, end);
        letter = judge_char_is_letter(point)
                 || (point < 0x80 && judge_ascii_letter((char) point));
    }

    return text.len > n && before && letter;
}


judge_rc_e
judge_check_ends(judge_checked_t *c, const judge_check_t *check,
    judge_check_result_t *r)
{
    int          mode = check->type->mode;
    bool         is;
    judge_str_t  text = judge_checked_within(c), wanted, shown;

    wanted = judge_str_trim(check->texts[0], " \t\r\n");
    shown = text;

    if (mode == JUDGE_ENDS_SAME) {
        if (judge_check_folds(c, wanted, &is) != JUDGE_OK) {
            return JUDGE_NOMEM;
        }

    } else if (mode == JUDGE_ENDS_BOTH) {
        is = judge_str_eq(text, wanted);

    } else if (mode == JUDGE_ENDS_BEGIN) {
        /* A description means a whole word, not the first letters of one. */
        is = judge_str_starts(text, wanted)
             && !(check->described && judge_check_cuts(text, wanted.len));
        shown.len = wanted.len;

    } else {
        is = text.len >= wanted.len
             && memcmp(text.data + text.len - wanted.len, wanted.data,
                       wanted.len) == 0;
        shown = is ? judge_str_from(text, text.len - wanted.len) : text;
    }

    if (is) {
        judge_check_show(c, r, (size_t) (shown.data - c->text.data),
                         (size_t) (shown.data - c->text.data) + shown.len);
    }

    wanted = judge_check_quoted(c->scratch, wanted);

    if (mode == JUDGE_ENDS_BEGIN) {
        return judge_check_say(c, r, is, is ? "It starts with %.*s."
                                            : "It does not start with %.*s.",
                               judge_str_args(wanted));
    }

    if (mode == JUDGE_ENDS_END) {
        return judge_check_say(c, r, is, is ? "It ends with %.*s."
                                            : "It does not end with %.*s.",
                               judge_str_args(wanted));
    }

    return judge_check_say(c, r, is, is ? "It equals %.*s."
                                        : "It does not equal %.*s.",
                           judge_str_args(wanted));
}


/* --- Patterns ------------------------------------------------------------ */

/* An expression that a description made is said in the words of the criterion,
 * since nobody wrote it. */

judge_rc_e
judge_check_regex(judge_checked_t *c, const judge_check_t *check,
    judge_check_result_t *r)
{
    size_t       begin, end;
    judge_rc_e   rc;
    judge_str_t  quoted;

    rc = judge_check_next(c, check->pattern, 0, &begin, &end);
    if (rc == JUDGE_OK) {
        judge_check_show(c, r, begin, end);
    } else if (rc != JUDGE_NOT_FOUND) {
        return rc;
    }

    quoted = judge_check_quoted(c->scratch, check->described && c->asked.len
                                            ? c->asked : check->texts[0]);

    return judge_check_say(c, r, rc == JUDGE_OK,
                           (rc == JUDGE_OK) != check->negated
                           ? "As asked for: %.*s." : "Not as asked for: %.*s.",
                           judge_str_args(quoted));
}


judge_rc_e
judge_check_look(judge_checked_t *c, const char *pattern,
    bool (*is)(judge_str_t found), judge_check_result_t *r, size_t *n)
{
    size_t                from, begin, end;
    judge_rc_e            rc;
    judge_str_t           found;
    const judge_regex_t  *p;

    rc = judge_check_pattern(pattern, &p);

    for (from = 0; rc == JUDGE_OK && from <= c->text.len
                   && *n < JUDGE_CHECK_FOUND; )
    {
        rc = judge_check_next(c, p, from, &begin, &end);
        if (rc != JUDGE_OK) {
            break;
        }

        found = (judge_str_t) { end - begin, c->text.data + begin };
        if (is == NULL || is(found)) {
            judge_check_show(c, r, begin, end);
            (*n)++;
        }
        from = judge_regex_after(c->text, begin, end);
    }

    return rc == JUDGE_NOT_FOUND ? JUDGE_OK : rc;
}


judge_rc_e
judge_check_find(judge_checked_t *c, const judge_check_t *check,
    judge_check_result_t *r)
{
    size_t               n = 0;
    judge_rc_e           rc;
    const judge_text_t  *t;

    if (strcmp(check->type->pattern, "passive") == 0) {
        t = judge_checked_text(c);

        if (t == NULL) {
            return JUDGE_NOMEM;
        }

        if (t->language > JUDGE_LANGUAGE_ENGLISH
            && t->language != judge_language_find(JUDGE_STR("de")))
        {
            return judge_check_say(c, r, (double) NAN, "In its language, verbs"
                                   " in the passive voice are not found.");
        }
    }

    rc = judge_check_look(c, check->type->pattern, NULL, r, &n);
    if (rc != JUDGE_OK) {
        return rc;
    }

    if (check->number > 1 && check->negated) {
        rc = judge_check_limited(c, r, check, (double) n, true);
        r->share = (double) n >= check->number;
        return rc;
    }

    return check->number > 1
           ? judge_check_limited(c, r, check, (double) n, false)
           : judge_check_has(c, r, n, check->type->one, check->type->many);
}


/* Whether the reader is addressed as a friend: "du", "tú", "tu". */

judge_rc_e
judge_check_address(judge_checked_t *c, const judge_check_t *check,
    judge_check_result_t *r)
{
    char                 name[32];
    size_t               n = 0;
    judge_rc_e           rc;
    const judge_text_t  *t = judge_checked_text(c);

    if (t == NULL) {
        return JUDGE_NOMEM;
    }

    (void) check;
    (void) snprintf(name, sizeof(name), "informal_%s",
                    judge_language_code(t->language));

    rc = judge_check_look(c, name, NULL, r, &n);
    if (rc == JUDGE_INVALID) {
        return judge_check_say(c, r, (double) NAN,
                   t->language == JUDGE_LANGUAGE_UNKNOWN
                   ? "Its language could not be told." : "Its language is not"
                   " known to have two forms of address.");
    }

    return rc != JUDGE_OK ? rc
           : judge_check_say(c, r, n > 0, n > 0
                             ? "It addresses the reader informally."
                             : "It does not address the reader informally.");
}
