/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The tokens of a description, the language it is in, and the classes that its
 * words have in that language.
 */


#include <string.h>

#include "base/core/hash.h"
#include "base/text/ascii.h"
#include "base/text/number.h"
#include "base/text/utf8.h"
#include "analysis/text/char.h"
#include "analysis/text/text.h"
#include "analysis/criteria/criteria_parts.h"


#define JUDGE_WORDS_HEADS    2048
#define JUDGE_WORDS_ENTRIES  4096
#define JUDGE_WORDS_NESTED   64        /* brackets in brackets */

typedef struct judge_entry {
    struct judge_entry  *next;         /* with the same hash */
    judge_str_t          phrase;       /* "_" between its words */
    uint8_t              class, language;
    double               value;
} judge_entry_t;

typedef struct judge_lexis_words {
    judge_entry_t   *heads[JUDGE_WORDS_HEADS];
    judge_entry_t    entries[JUDGE_WORDS_ENTRIES];
    size_t           n;
} judge_lexis_words_t;

static const char *const  judge_words_languages[JUDGE_CRITERIA_LANGUAGES] = {
    "en", "de", "es", "fr", "pt"
};


static size_t
judge_words_head(const char *word, size_t len)
{
    return (size_t) judge_mix(judge_fnv(JUDGE_FNV_START, word, len))
           % JUDGE_WORDS_HEADS;
}


/* "half=50": the phrase, and its value. */

static void
judge_words_load(judge_lexis_words_t *l)
{
    size_t                         n, head;
    const char                    *p;
    judge_entry_t                 *e;
    const judge_criteria_words_t  *row;

    for (row = judge_criteria_words;
         row < judge_criteria_words + judge_criteria_words_n; row++)
    {
        for (p = row->words; *p && l->n < JUDGE_WORDS_ENTRIES;
             p += n + strspn(p + n, " "))
        {
            n = strcspn(p, " ");
            e = &l->entries[l->n++];
            e->phrase = (judge_str_t) { strcspn(p, " ="), p };
            e->class = (uint8_t) row->class;

            if (e->phrase.len < n) {
                (void) judge_number_parse((judge_str_t) {
                    n - e->phrase.len - 1, p + e->phrase.len + 1 }, &e->value);
            }

            while (strcmp(judge_words_languages[e->language], row->language)
                   != 0)
            {
                e->language++;
            }

            head = judge_words_head(p, strcspn(p, " =_"));
            e->next = l->heads[head];
            l->heads[head] = e;
        }
    }
}


/* How many tokens the phrase has if it begins at t, or 0. */

static uint8_t
judge_words_match(judge_str_t phrase, const judge_term_t *t,
    const judge_term_t *to)
{
    size_t       n;
    uint8_t      k;
    const char  *p, *end;

    end = phrase.data + phrase.len;

    for (p = phrase.data, k = 1; t < to; p += n + 1, t++, k++) {
        for (n = 0; p + n < end && p[n] != '_'; n++) { /* void */ }

        if (t->low.len != n || memcmp(t->low.data, p, n) != 0) {
            return 0;
        }

        if (p + n == end) {
            return k;
        }
    }

    return 0;
}


static void
judge_words_seek(const judge_lexis_words_t *l, judge_str_t first,
    judge_term_t *t, const judge_term_t *to, unsigned language,
    size_t *counts)
{
    uint8_t               n;
    unsigned              seen;
    const judge_entry_t  *e;

    e = l->heads[judge_words_head(first.data, first.len)];

    for (seen = 0; e != NULL; e = e->next) {
        n = judge_words_match(e->phrase, t, to);

        if (n > 0 && counts != NULL && !(seen & 1u << e->language)) {
            counts[e->language]++;
            seen |= 1u << e->language;
        }

        if (n > 0 && counts == NULL && e->language == language) {
            t->classes |= UINT64_C(1) << e->class;
            t->value = (e->value > 0 && n >= t->n) ? e->value : t->value;
            t->n = (n > t->n) ? n : t->n;
        }
    }
}


/* Once with counts, to tell the language, then with the language.  "l'homme"
 * is "l'" and "homme", too. */

static void
judge_words_classify(judge_prose_t *p, const judge_lexis_words_t *l,
    size_t *counts)
{
    judge_term_t  *t;
    judge_str_t    whole;
    const char    *mark;

    for (t = p->tokens.from; t < p->tokens.to; t++) {
        if (t->kind != JUDGE_TERM_WORD) {
            continue;
        }

        whole = t->low;
        judge_words_seek(l, whole, t, p->tokens.to, p->language, counts);
        mark = memchr(whole.data, '\'', whole.len);

        if (mark != NULL && mark + 1 < whole.data + whole.len) {
            t->low.len = (size_t) (mark + 1 - whole.data);
            judge_words_seek(l, t->low, t, p->tokens.to, p->language, counts);
            t->low = judge_str_from(whole, t->low.len);
            judge_words_seek(l, t->low, t, p->tokens.to, p->language, counts);
            t->low = whole;
        }
    }
}


/* Brackets and quotations that are closed in their line. */

static void
judge_words_depths(judge_span_t s)
{
    int            depth;
    size_t         n = 0;
    judge_term_t  *t, *open[JUDGE_WORDS_NESTED];

    for (t = s.from; t < s.to; t++) {
        if (t->kind != JUDGE_TERM_MARK) {
            continue;
        }

        if (t->mark == '\n') {
            n = 0;

        } else if (n > 0 && ((t->mark == ')' && open[n - 1]->mark == '(')
                             || (t->mark == '"' && open[n - 1]->mark == '"')))
        {
            open[--n]->depth++;
            t[1].depth--;              /* behind a mark there is another */

        } else if ((t->mark == '(' || t->mark == '"')
                   && n < JUDGE_WORDS_NESTED)
        {
            open[n++] = t;
        }
    }

    for (t = s.from, depth = 0; t < s.to; t++) {
        depth += t->depth;
        t->depth = depth;
    }
}


static bool
judge_words_letter(uint32_t c)
{
    return (c < 128) ? judge_ascii_letter((char) c) : judge_char_is_letter(c);
}


/* The bytes of a space, one that does not break or an end of a line's CR. */

static size_t
judge_words_space(const char *p, const char *end)
{
    return (*p == ' ' || *p == '\r') ? 1
           : (end - p > 1 && memcmp(p, "\xc2\xa0", 2) == 0) ? 2
           : (end - p > 2 && memcmp(p, "\xe2\x80\xaf", 3) == 0) ? 3 : 0;
}


static bool
judge_words_inner(const char *p, const char *end)
{
    return p < end && (judge_ascii_digit(*p)
                       || judge_words_letter(judge_utf8_next(&p, end)));
}


static char
judge_words_mark(uint32_t c, bool spaced)
{
    uint8_t  mark;

    mark = (c < 128) ? (uint8_t) c : judge_char_mark(c);

    switch (mark) {

    case '[': case '{':
        return '(';

    case ']': case '}':
        return ')';

    case JUDGE_MARK_DASH: case '-':
        return spaced ? '-' : '~';     /* "45-55" */

    case JUDGE_MARK_OPEN: case JUDGE_MARK_CLOSE:
        return '"';

    default:
        return (c == 0x2022 || c == 0xb7 || c == 0x25aa) ? '*'
               : (mark < 128) ? (char) mark : 0;
    }
}


/* The token at p, and the place behind it. */

static const char *
judge_words_token(judge_term_t *t, const char *p, const char *end, bool spaced)
{
    bool         word, number;
    uint32_t     c;
    const char  *from = p, *next;

    for (word = number = false; p < end; p = next) {
        next = p;
        c = judge_utf8_next(&next, end);

        if (c < 128 && judge_ascii_digit((char) c)) {
            number = true;

        } else if (judge_words_letter(c)) {
            word = true;

        } else if (!(word || number) || !judge_words_inner(next, end)
                   || !(((c == '.' || c == ',') && !word && next[0] <= '9')
                        || (c == '.' && word && next - from == 2)
                        || c == '\'' || c == 0x2019
                        || ((c == '-' || c == '&') && word)))
        {
            break;
        }
    }

    t->kind = word ? JUDGE_TERM_WORD : number ? JUDGE_TERM_NUMBER
                                              : JUDGE_TERM_MARK;

    if (p == from) {
        c = judge_utf8_next(&p, end);
        t->mark = judge_words_mark(c, spaced
                                      && (p == end || *p == ' '));
    }

    t->text = (judge_str_t) { (size_t) (p - from), from };

    return p;
}


/* "12,5" is a number, too. */

static void
judge_words_low(judge_prose_t *p, judge_term_t *t)
{
    char  *comma, number[32];

    t->low = judge_char_small(p->arena, t->text);
    p->failed |= t->low.data == NULL;

    if (t->kind == JUDGE_TERM_NUMBER && t->text.len < sizeof(number)) {
        memcpy(number, t->text.data, t->text.len);
        number[t->text.len] = '\0';
        comma = strchr(number, ',');

        if (comma != NULL) {
            *comma = '.';
        }

        (void) judge_number_parse((judge_str_t) { t->text.len, number },
                                  &t->value);
    }
}


judge_rc_e
judge_criteria_tokens(judge_prose_t *p, judge_str_t text)
{
    bool                  spaced;
    size_t                i, n, counts[JUDGE_CRITERIA_LANGUAGES] = { 0 };
    const char           *at, *end;
    judge_term_t         *t;
    judge_lexis_words_t  *l;

    l = p->words ? p->words
                 : judge_calloc(p->arena, sizeof(judge_lexis_words_t));
    t = judge_array_alloc(p->arena, text.len + 2, sizeof(judge_term_t));

    if (l == NULL || t == NULL) {
        return JUDGE_NOMEM;
    }

    p->tokens.from = t;
    end = text.data + text.len;

    for (at = text.data, spaced = true; at < end && !p->failed; t++) {
        while (at < end && (n = judge_words_space(at, end)) > 0) {
            at += n;
            spaced = true;
        }

        if (at == end) {
            break;
        }

        t->n = 1;
        at = judge_words_token(t, at, end, spaced);
        judge_words_low(p, t);
        spaced = t->mark == '\n' || t->mark == '\t';
    }

    if (p->failed) {
        return JUDGE_NOMEM;
    }

    p->tokens.to = t;
    *t = (judge_term_t) { .kind = JUDGE_TERM_MARK, .mark = '\n', .n = 1 };
    judge_words_depths(p->tokens);

    if (p->words == NULL) {
        judge_words_load(l);
        p->words = l;
    }

    if (!p->known) {
        judge_words_classify(p, l, counts);
    }

    for (i = 1; i < JUDGE_CRITERIA_LANGUAGES; i++) {
        p->language = (counts[i] > counts[p->language]) ? (unsigned) i
                                                        : p->language;
    }

    p->foreign = judge_span_words(p->tokens) > 12
                 && counts[p->language] * 10 < judge_span_words(p->tokens);
    judge_words_classify(p, l, NULL);

    return p->failed ? JUDGE_NOMEM : JUDGE_OK;
}


judge_term_t *
judge_span_find(judge_span_t s, judge_criteria_class_e class)
{
    for (/* void */; s.from < s.to; s.from++) {
        if (s.from->depth == 0 && (s.from->classes >> class & 1)) {
            break;
        }
    }

    return s.from;
}


size_t
judge_span_words(judge_span_t s)
{
    size_t  n = 0;

    for (/* void */; s.from < s.to; s.from++) {
        n += s.from->kind != JUDGE_TERM_MARK;
    }

    return n;
}


judge_span_t
judge_span_trim(judge_span_t s)
{
    while (s.from < s.to && s.from->kind == JUDGE_TERM_MARK
           && (s.from->mark == 0 || strchr("(\"#@$", s.from->mark) == NULL))
    {
        s.from++;
    }

    while (s.from < s.to && s.to[-1].kind == JUDGE_TERM_MARK
           && s.to[-1].mark != 0
           && strchr(",;:.-~*_|!\t\n", s.to[-1].mark) != NULL)
    {
        s.to--;
    }

    return s;
}


judge_str_t
judge_span_text(judge_span_t s)
{
    if (s.from >= s.to) {
        return (judge_str_t) { 0, "" };
    }

    return (judge_str_t) {
        (size_t) (s.to[-1].text.data + s.to[-1].text.len
                  - s.from->text.data), s.from->text.data };
}


judge_term_t *
judge_span_not(judge_span_t s)
{
    for (/* void */; s.from < s.to; s.from++) {
        if (judge_is(s.from, LIMIT)) {
            s.from += s.from->n - 1;

        } else if (judge_is(s.from, NOT)) {
            return s.from;
        }
    }

    return s.to;
}


bool
judge_span_negated(judge_span_t s)
{
    return judge_span_not(s) < s.to;
}


void
judge_criteria_say(judge_prose_t *p, bool question, judge_criteria_say_e say,
    judge_str_t about)
{
    size_t                      *n;
    const char                  *at;
    judge_str_t                 *lines;
    judge_buf_t                  buf;
    const judge_criteria_say_t  *row, *found;

    for (row = judge_criteria_says, found = NULL;
         row < judge_criteria_says + judge_criteria_says_n; row++)
    {
        if (row->say == say && (found == NULL
            || strcmp(row->language, judge_words_languages[p->language]) == 0))
        {
            found = row;
        }
    }

    judge_buf_init(&buf, p->arena);
    at = strstr(found->format, "%s");

    if (at == NULL) {
        judge_buf_c(&buf, found->format);

    } else {
        judge_buf_append(&buf, found->format, (size_t) (at - found->format));
        judge_buf_str(&buf, about);
        judge_buf_c(&buf, at + 2);
    }

    lines = question ? p->questions : p->notes;
    n = question ? &p->nquestions : &p->nnotes;
    p->failed |= buf.failed;

    if (*n < JUDGE_CRITERIA_NOTES && !p->failed
        && judge_str_index(lines, *n, judge_buf_view(&buf)) == *n)
    {
        lines[(*n)++] = judge_buf_view(&buf);
    }
}
