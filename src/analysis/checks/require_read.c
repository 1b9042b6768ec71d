/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Tokenizes sentences with the phrases of requirements_table.txt. */


#include <stdlib.h>
#include <string.h>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "analysis/checks/check_type.h"
#include "analysis/checks/require_table.h"
#include "analysis/text/char.h"


#define JUDGE_REQUIRE_PHRASE  7        /* words of the longest phrase */

/* A word or a mark of a sentence; spaces are dropped. */
typedef struct {
    char         kind;                 /* a: a word; others as in tokens */
    bool         digits;
    judge_str_t  raw;
    judge_str_t  small;
} judge_require_part_t;

typedef struct {
    judge_require_part_t    all[JUDGE_REQUIRE_TOKENS];
    size_t                  n;
    judge_require_reader_t *r;
    bool                    keys;      /* names of keys may follow */
} judge_require_parts_t;


static const char *const  judge_require_codes[JUDGE_REQUIRE_LANGUAGES] = {
    "en", "de", "es", "fr", "pt"
};


static judge_rc_e
judge_require_split(judge_require_parts_t *p, judge_str_t s)
{
    size_t                   i, from, begin, end;
    judge_rc_e               rc;
    judge_str_t              between;
    judge_require_part_t    *part;
    judge_require_reader_t  *r = p->r;

    static const char  kinds[] = " ==#a,";
    static const char  known[] = " \t\r\n;*\xc2\xbf\xa1\xa0";

    judge_regex_take(r->reader, r->parts);

    for (from = 0; ; from = end) {
        rc = judge_regex_find(r->reader, s, from, &begin, &end);
        begin = rc == JUDGE_OK ? begin : s.len;
        between = (judge_str_t) { begin - from, s.data + from };

        for (i = 0; i < between.len; i++) {
            if (strchr(known, between.data[i]) == NULL) {
                if (p->n == JUDGE_REQUIRE_TOKENS) {
                    return JUDGE_NOT_FOUND;
                }
                p->all[p->n++] = (judge_require_part_t) {
                    '?', false, { 1, between.data + i }, { 0, NULL }
                };
                break;
            }
        }

        if (rc != JUDGE_OK) {
            return rc == JUDGE_NOT_FOUND ? JUDGE_OK : rc;
        }
        if (p->n == JUDGE_REQUIRE_TOKENS) {
            return JUDGE_NOT_FOUND;
        }

        part = &p->all[p->n++];

        for (i = 1; i < 5; i++) {
            part->raw = judge_regex_group(r->reader, s, (unsigned) i);
            if (part->raw.len) {
                break;
            }
        }

        part->kind = kinds[i];
        part->digits = i == 2;
        part->raw = i < 5 ? part->raw
                    : (judge_str_t) { end - begin, s.data + begin };
        part->kind = judge_str_eq_c(part->raw, "-")
                     || judge_str_eq_c(part->raw, "–") ? '-' : part->kind;
        part->small = judge_char_small(r->arena, part->raw);
        if (part->small.data == NULL) {
            return JUDGE_NOMEM;
        }
    }
}


static int
judge_require_compare(const void *phrase, const void *row)
{
    return strcmp(phrase, ((const judge_require_phrase_t *) row)->phrase);
}


/* The longest phrase that begins at part `at`; *used: its number of parts. */

static const judge_require_phrase_t *
judge_require_phrase(const judge_require_parts_t *p, size_t at, size_t *used)
{
    size_t                         i, n;
    judge_buf_t                    b;
    const judge_require_phrase_t  *found, *longest = NULL;

    judge_buf_init(&b, p->r->arena);
    judge_buf_c(&b, judge_require_codes[p->r->language]);

    for (i = at, n = 0; i < p->n && n < JUDGE_REQUIRE_PHRASE; i++) {
        if (n && (p->all[i].kind == ',' || p->all[i].kind == '-')) {
            continue;                  /* "no more, no less", "e-mail" */
        }
        if (p->all[i].kind != 'a') {
            break;
        }

        judge_buf_c(&b, " ");
        judge_buf_str(&b, p->all[i].small);
        judge_buf_append(&b, "", 1);
        found = b.failed ? NULL
                : bsearch(b.data, judge_require_phrases,
                          judge_require_phrases_n,
                          sizeof(judge_require_phrase_t),
                          judge_require_compare);
        b.len--;
        n++;

        if (found) {
            longest = found;
            *used = i + 1 - at;
        }
    }

    return longest;
}


/* The value of "three" or "1,000"; -1: not a number. */

static int64_t
judge_require_number(judge_str_t s)
{
    size_t       i, len;
    int64_t      n;
    const char  *p;

    for (i = 0, n = 0; i < s.len && n < 1000000; i++) {
        if (judge_ascii_digit(s.data[i])) {
            n = n * 10 + (s.data[i] - '0');
        }
    }

    if (s.len && judge_ascii_digit(s.data[0])) {
        return n;
    }

    for (i = 0; i < judge_check_digits_n; i++) {
        for (p = judge_check_digits[i].words; *p; p += len + (p[len] == ' ')) {
            len = strcspn(p, " ");

            if (judge_str_caseeq((judge_str_t) { len, p }, s)) {
                return strtoll(judge_check_digits[i].digits, NULL, 10);
            }
        }
    }

    return -1;
}


static bool
judge_require_put(judge_require_reader_t *r, char kind, const char *name,
    judge_str_t text, int64_t n)
{
    size_t                  back;
    judge_require_token_t  *t;

    /* "twenty-five", "vinte e cinco" */
    back = r->n && strchr("&-", r->tokens[r->n - 1].kind) ? 2 : 1;
    t = r->n >= back ? &r->tokens[r->n - back] : NULL;

    if (kind == '#' && t && t->kind == '#' && t->n > 10 && t->n < 100
        && t->n % 10 == 0 && n > 0 && n < 10 && t->text.len > 2
        && text.len > 2)
    {
        t->n += n;
        r->n -= back - 1;
        return true;
    }

    if (r->n == JUDGE_REQUIRE_TOKENS) {
        return false;
    }

    r->tokens[r->n++] = (judge_require_token_t) { kind, name, text, n };

    return true;
}


static bool
judge_require_capital(judge_str_t s)
{
    uint32_t     c;
    const char  *p = s.data;

    c = judge_utf8_next(&p, s.data + s.len);

    return (c >= 'A' && c <= 'Z') || (c >= 0x80 && judge_char_lower(c) != 0);
}


/* How many words from `at` are a proper name.  Capitals tell it only where
 * other words have none; in German all nouns have them. */

static size_t
judge_require_name(const judge_require_parts_t *p, size_t at,
    judge_str_t *name)
{
    bool         german, plain;
    size_t       i, n, end;
    judge_str_t  raw;

    static const char *const  within[] = {
        "de", "del", "la", "las", "los", "el", "of", "du", "des", "da", "do",
        "dos", "das", "d'", "l'", "-", "&", NULL
    };

    german = p->r->language == 1;

    for (i = 1, plain = p->r->language > 1; i < p->n; i++) {
        raw = p->all[i].raw;
        plain = plain || (p->all[i].kind == 'a' && !judge_require_capital(raw)
                          && (raw.len > 3 || judge_str_eq_c(raw, "the")));
    }

    for (i = at, n = 0, end = at; i < p->n; i++) {
        raw = p->all[i].raw;

        if (p->all[i].kind == 'a' && judge_require_capital(raw)) {
            n++;
            end = i + 1;
            *name = (judge_str_t) { (size_t) (raw.data + raw.len
                                              - p->all[at].raw.data),
                                    p->all[at].raw.data };
        } else if (n == 0 || german || !judge_str_caseamong(raw, within)) {
            break;
        }
    }

    return !plain || (n < 2 && (german || at == 0)) || (german && at == 0)
           ? 0 : end - at;
}


/* "The word cancer", "STOP": a word that is mentioned, not used. */

static bool
judge_require_mentioned(const judge_require_parts_t *p, size_t at)
{
    size_t       i;
    judge_str_t  raw = p->all[at].raw;

    static const char *const  words[] = {
        "word", "wort", "palabra", "mot", "palavra", "term", "phrase", NULL
    };

    for (i = 0; i < raw.len && judge_ascii_upper(raw.data[i]); i++) {
        /* void */
    }

    return (i > 2 && i == raw.len)
           || (at && judge_str_caseamong(p->all[at - 1].raw, words));
}


static bool
judge_require_token(judge_require_parts_t *p, size_t at, size_t *used)
{
    size_t                         next;
    int64_t                        n;
    judge_str_t                    text;
    const judge_require_part_t    *part = &p->all[at];
    const judge_require_phrase_t  *f;

    *used = 1;

    if (part->kind != 'a') {
        return judge_require_put(p->r, part->kind, "", part->raw,
                                 part->kind == '#'
                                 ? judge_require_number(part->raw)
                                 : part->digits);
    }

    f = judge_require_phrase(p, at, used);

    if (f && !(p->keys && strchr("%wi", f->kind))) {
        p->keys = p->keys || f->kind == 'K';
        return f->kind == '.'
               || judge_require_put(p->r, f->kind, f->name, part->raw, 0);
    }

    n = judge_require_number(part->small);
    if (n >= 0) {
        return judge_require_put(p->r, '#', "", part->raw, n);
    }

    *used = judge_require_name(p, at, &text);
    if (*used == 0 && (p->keys || judge_require_mentioned(p, at))) {
        *used = 1;
        text = part->raw;
    }

    /* "Python code" does not ask for the word "Python". */
    f = *used && !p->keys && at + *used < p->n
        && p->all[at + *used].kind == 'a'
        ? judge_require_phrase(p, at + *used, &next) : NULL;

    if (*used == 0 || (f && strchr("w@%iK", f->kind))) {
        *used = 1;
        return judge_require_put(p->r, '?', "", part->raw, 0);
    }

    return judge_require_put(p->r, '=', p->keys ? "" : "name", text, 0);
}


judge_rc_e
judge_require_read(judge_require_reader_t *r, judge_str_t s)
{
    size_t                  i, used;
    judge_rc_e              rc;
    judge_require_parts_t  *p;

    p = judge_calloc(r->arena, sizeof(judge_require_parts_t));
    if (p == NULL) {
        return JUDGE_NOMEM;
    }

    p->r = r;
    r->n = 0;
    rc = judge_require_split(p, s);

    for (i = 0; rc == JUDGE_OK && i < p->n; i += used) {
        if (!judge_require_token(p, i, &used)) {
            return JUDGE_NOT_FOUND;
        }
    }

    return rc;
}


/* --- Tokens without a requirement ---------------------------------------- */

static bool
judge_require_mark(const judge_require_token_t *t, char mark)
{
    return t->kind == ',' && t->text.data[0] == mark;
}


static void
judge_require_cut(judge_require_reader_t *r, size_t from, size_t to)
{
    memmove(r->tokens + from, r->tokens + to,
            (r->n - to) * sizeof(judge_require_token_t));
    r->n -= to - from;
}


/* Whether all tokens up to the mark (0: all to the last) are of the kinds, or,
 * with `these` false, none of them is; *end: the token after the mark. */

static bool
judge_require_until(const judge_require_reader_t *r, size_t from, char mark,
    const char *kinds, bool these, size_t *end)
{
    size_t                        i;
    const judge_require_token_t  *t;

    for (i = from; i < r->n; i++) {
        t = &r->tokens[i];

        if (mark && judge_require_mark(t, mark)) {
            *end = i + 1;
            return true;
        }
        if ((strchr(kinds, t->kind) != NULL) != these) {
            return false;
        }
    }

    *end = i;

    return mark == '\0';
}


/* Whether the tokens from `from` to `to` may require something: they have a
 * target, judge, or, where the subject may be the text, have a limit or a
 * condition, or begin with a negation. */

static bool
judge_require_requires(judge_require_reader_t *r, judge_str_t s, size_t from,
    size_t to)
{
    const char                   *kinds;
    bool                          names;
    size_t                        i, end;
    const judge_require_token_t  *t;

    for (i = from; i < to && strchr(",&/b-", r->tokens[i].kind); i++) {
        /* void */
    }

    kinds = i < to && r->tokens[i].kind == 'S' ? "J@%KG#="
            : "MrcXxLlEJ@%KGPAZp#=";

    if (i < to && strchr("Nhr", r->tokens[i].kind)) {
        return true;
    }

    for (i = from; i < to; i++) {
        t = &r->tokens[i];
        names = t->kind == '=' && t->name[0];    /* "we asked Anna" */

        if (strchr(kinds, t->kind) && !names) {
            return true;
        }
    }

    end = to < r->n ? (size_t) (r->tokens[to].text.data - s.data) : s.len;

    return from < to
           && judge_require_judges(r, (judge_str_t) { end, s.data },
                  (size_t) (r->tokens[from].text.data - s.data));
}


/* Whether a reason begins at token i: by a word like "because", or by a
 * subject other than the text ("No links, we print it"). */

static bool
judge_require_reason(judge_require_reader_t *r, judge_str_t s, size_t i)
{
    size_t                        end;
    const judge_require_token_t  *t = &r->tokens[i];

    return t->kind == 'R'
           || (t->kind == 'e'
               && judge_require_until(r, i + 1, '\0', "=,&/#", true, &end))
           || (t->kind == 'S' && (i == 0 || strchr(",-", t[-1].kind))
               && !judge_require_requires(r, s, i, r->n));
}


void
judge_require_trim(judge_require_reader_t *r, judge_str_t s, bool aside)
{
    size_t  i, end;

    for (i = 0; aside && i < r->n; i++) {
        if (judge_require_mark(&r->tokens[i], '(')
            && judge_require_until(r, i + 1, ')', "", false, &end)
            && (!judge_require_requires(r, s, i + 1, end - 1)
                || judge_require_until(r, i + 1, ')', "?pNXxLl", false, &end)))
        {
            judge_require_cut(r, i, end);
        }
    }

    for (i = 0; i < r->n; i++) {       /* "in the form AB-1234" */
        if (r->tokens[i].kind == 'F') {
            if (i + 1 < r->n && r->tokens[i + 1].kind == '='
                && r->tokens[i + 1].n)
            {
                r->tokens[i + 1].kind = '~';
            }
            judge_require_cut(r, i, i + 1);
        }
    }

    if (judge_require_until(r, 0, ':', "?&vwS", true, &end) && end < 8) {
        judge_require_cut(r, 0, end);
    }

    if (r->n && r->tokens[0].kind == 'R'
        && judge_require_until(r, 0, ',', "", false, &end))
    {
        judge_require_cut(r, 0, end);
    }

    for (i = 0; i < r->n; i++) {
        if (judge_require_reason(r, s, i)) {
            r->n = i;                  /* a reason requires nothing */
        }
    }
}


/* --- A name and its description ------------------------------------------ */

/* "The link": a definite article marks a statement about what is required. */

static bool
judge_require_definite(judge_str_t s, const char *at, size_t language)
{
    const char   *p;
    judge_str_t   word;

    static const char *const  articles[][8] = {
        { "the", "this", "that", "these", "its", "their", "our", NULL },
        { "der", "die", "das", "den", "dem", "des", NULL },
        { "el", "la", "los", "las", "su", NULL },
        { "le", "la", "les", "sa", "son", NULL },
        { "o", "a", "os", "as", "ao", "à", NULL }
    };

    while (at > s.data && (at[-1] == ' ' || at[-1] == '*')) {
        at--;
    }

    for (p = at; p > s.data && judge_ascii_letter(p[-1]); p--) {
        /* void */
    }

    word = (judge_str_t) { (size_t) (at - p), p };

    return judge_str_caseamong(word, articles[language]);
}


bool
judge_require_restates(judge_require_t *q, judge_str_t s)
{
    bool                          same, found, title;
    size_t                        i, k;
    const judge_require_token_t  *t, *u;

    q->r.language = q->spoken;

    if (q->nsubject == 0 || judge_require_judges(&q->r, s, 0)
        || judge_require_read(&q->r, s) != JUDGE_OK)
    {
        return false;
    }

    for (i = 0, title = false; i < q->nsubject; i++) {
        title = title || strcmp(q->subject[i].name, "title") == 0;
    }

    for (i = 0, found = false; i < q->r.n; i++) {
        t = &q->r.tokens[i];

        for (k = 0, same = false; k < q->nsubject; k++) {
            u = &q->subject[k];
            same = same || (t->kind == u->kind && (strchr("AZ", t->kind)
                            || (t->n == u->n && strcmp(t->name, u->name) == 0
                                && (t->kind != '='
                                    || judge_str_caseeq(t->text, u->text)))));
        }

        /* "The title is the first line." */
        same = same || (title && t->kind == 'A'
                        && strcmp(t->name, "line") == 0);

        if (t->kind == 'K' || (q->bare && t->kind == 'N')
            || (strchr("AZfP#@%=G", t->kind) && !same)
            || (strchr("@%=", t->kind) && strcmp(t->name, "title") != 0
                && judge_require_definite(s, t->text.data, q->spoken)))
        {
            return false;
        }

        found = found || (same && strchr("@%=G", t->kind));
    }

    return found;
}
