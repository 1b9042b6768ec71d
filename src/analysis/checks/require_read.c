/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Tokenizes sentences with the phrases of requirements_table.txt. */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "analysis/checks/check_type.h"
#include "analysis/checks/require_table.h"
#include "analysis/text/char.h"
#include "analysis/text/language.h"
#include "analysis/text/lexicon.h"


#define JUDGE_REQUIRE_PHRASE  7        /* words of the longest phrase */

/* A word or a mark of a sentence; spaces are dropped. */
typedef struct {
    judge_require_kind_e  kind;        /* none: a word */
    bool                  digits;
    judge_str_t           raw;
    judge_str_t           small;
} judge_require_part_t;

struct judge_require_parts {
    judge_require_part_t    all[JUDGE_REQUIRE_TOKENS];
    size_t                  n;
    judge_require_reader_t *r;
    bool                    keys;      /* names of keys may follow */
};


static const char *const  judge_require_codes[JUDGE_REQUIRE_LANGUAGES] = {
    "en", "de", "es", "fr", "pt"
};


/* Adds an unknown part for what stands between two parts and is no space.
 * False: there is no room. */

static bool
judge_require_between(judge_require_parts_t *p, judge_str_t between)
{
    size_t  i = 0;

    static const char  known[] = " \t\r\n;*\xc2\xbf\xa1\xa0";

    while (i < between.len && strchr(known, between.data[i])) {
        i++;
    }

    if (i == between.len) {
        return true;
    }

    if (p->n == JUDGE_REQUIRE_TOKENS) {
        return false;
    }

    p->all[p->n++] = (judge_require_part_t) {
        JR_UNKNOWN, false, { 1, between.data + i }, { 0, NULL }
    };

    return true;
}


static judge_rc_e
judge_require_split(judge_require_parts_t *p, judge_str_t s)
{
    size_t                   i, from, begin, end;
    judge_rc_e               rc;
    judge_str_t              between;
    judge_require_part_t    *part;
    judge_require_reader_t  *r = p->r;

    static const judge_require_kind_e  kinds[] = {
        JR_NONE, JR_LITERAL, JR_LITERAL, JR_NUMBER, JR_NONE, JR_MARK
    };

    judge_regex_take(r->reader, r->parts);

    for (from = 0; ; from = end) {
        rc = judge_regex_find(r->reader, s, from, &begin, &end);
        begin = rc == JUDGE_OK ? begin : s.len;
        between = (judge_str_t) { begin - from, s.data + from };

        if (!judge_require_between(p, between)) {
            return JUDGE_NOT_FOUND;
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
                     || judge_str_eq_c(part->raw, "–") ? JR_DASH : part->kind;
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
    size_t                         i, k, n;
    judge_buf_t                    b;
    const judge_require_phrase_t  *found, *longest = NULL;

    judge_buf_init(&b, p->r->arena);
    judge_buf_c(&b, judge_require_codes[p->r->language]);

    for (i = at, n = 0; i < p->n && n < JUDGE_REQUIRE_PHRASE; i++) {
        if (n && (p->all[i].kind & (JR_MARK | JR_DASH))) {
            continue;                  /* "no more, no less", "e-mail" */
        }
        if (p->all[i].kind != JR_NONE && p->all[i].kind != JR_NUMBER
            && !p->all[i].digits)
        {
            break;
        }

        judge_buf_c(&b, " ");
        for (k = 0; k < p->all[i].small.len; k++) {    /* "24-hour" */
            judge_buf_append(&b, p->all[i].small.data[k] == '-' ? " "
                                 : p->all[i].small.data + k, 1);
        }
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


/* The verb of the table that a word is a form of ("terminará"): with an ending
 * of its language in place of its own; NULL: none. */

static const judge_require_phrase_t *
judge_require_verb(const judge_require_parts_t *p, judge_str_t small)
{
    char                           key[64];
    size_t                         stem;
    uint64_t                       kinds;
    const char                    *end, *other;
    const judge_require_phrase_t  *f;

    kinds = JR_HAS | JR_REQUIRED | JR_VERB
            | (p->r->language ? JR_EDGES : JR_NONE);

    static const char *const  endings[JUDGE_REQUIRE_LANGUAGES] = {
        "s es ed d ing e ", "t e en et st te ten ",
        "ar er ir a e an en as es ará erá irá arán erán irán ado ada ados "
        "adas ido ida ando iendo arse erse irse ",
        "e es ent er ez é ée és ées era eront ra ront ant ons ait ir it re ",
        "ar er ir a e am em as es ará erá irá arão erão irão ado ada ados "
        "adas ido ida ando endo indo "
    };

    for (end = endings[p->r->language]; *end; end = strchr(end, ' ') + 1) {
        stem = strcspn(end, " ");
        if (small.len < stem + 4 || small.len + 12 > sizeof(key)
            || memcmp(small.data + small.len - stem, end, stem) != 0)
        {
            continue;
        }
        stem = small.len - stem;

        for (other = endings[p->r->language]; *other;
             other = strchr(other, ' ') + 1)
        {
            (void) snprintf(key, sizeof(key), "%s %.*s%.*s",
                            judge_require_codes[p->r->language], (int) stem,
                            small.data, (int) strcspn(other, " "), other);
            f = bsearch(key, judge_require_phrases, judge_require_phrases_n,
                        sizeof(judge_require_phrase_t), judge_require_compare);
            if (f && (f->kind & kinds)) {
                return f;
            }
        }
    }

    return NULL;
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
judge_require_put(judge_require_reader_t *r, judge_require_kind_e kind,
    const char *name, judge_str_t text, int64_t n)
{
    size_t                  back;
    judge_require_token_t  *t;

    /* "twenty-five", "vinte e cinco" */
    back = r->n && (r->tokens[r->n - 1].kind & (JR_AND | JR_DASH)) ? 2 : 1;
    t = r->n >= back ? &r->tokens[r->n - back] : NULL;

    if (kind == JR_NUMBER && t && t->kind == JR_NUMBER && t->text.len > 1
        && text.len > 1 && !judge_ascii_digit(t->text.data[0])
        && !judge_ascii_digit(text.data[0]))
    {
        if (back == 1 && n == 100 && t->n < 10) {
            t->n *= n;
            return true;
        }

        if ((t->n > 10 && t->n < 100 && t->n % 10 == 0 && n > 0 && n < 10)
            || (t->n >= 100 && t->n % 100 == 0 && n > 0 && n < 100
                && !(r->n > back && t[-1].kind == JR_RANGE)))
        {
            t->n += n;
            r->n -= back - 1;
            return true;
        }
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


/* Whether any words may follow that are meant literally: after "the word", or
 * after another literal of a list. */

static bool
judge_require_literally(const judge_require_parts_t *p, size_t at)
{
    judge_str_t                   before = p->all[at - 1].raw;
    const judge_require_token_t  *t = &p->r->tokens[p->r->n - 1];

    return p->keys
           || ((t->kind & (JR_NAMES | JR_UNIT))
               && t->text.data + t->text.len == before.data + before.len)
           || (p->r->n > 1 && (t->kind & (JR_AND | JR_MARK))
               && t[-1].kind == JR_LITERAL);
}


/* Whether words with capitals are no proper name all the same: what a text
 * shall use is seldom to be found in it ("Use British English"), a title may
 * be cut ("the Product Owner"), and words that the lists of the language have
 * need no capital.  Two capitals in a sentence in Spanish, French or
 * Portuguese are a name. */

static bool
judge_require_common(const judge_require_parts_t *p, size_t at, size_t end,
    size_t capitals)
{
    size_t   i;
    uint8_t  language;

    static const char *const  using[] = {
        "use", "uses", "used", "using", NULL
    };

    if (at == 0 || p->r->n == 0) {
        return false;
    }

    if (judge_str_caseamong(p->all[at - 1].raw, using)
        || (at > 1 && p->all[at - 1].kind == JR_NONE
            && judge_require_capital(p->all[at - 1].raw)))
    {
        return true;
    }

    if (p->r->language == 1 || (p->r->language > 1 && capitals > 1)
        || judge_require_literally(p, at))
    {
        return false;
    }

    language = judge_language_find(
                   judge_str_c(judge_require_codes[p->r->language]));

    for (i = at; i < end; i++) {
        if (p->all[i].kind == JR_NONE && judge_require_capital(p->all[i].raw)
            && !judge_lexicon_common(language, p->all[i].small))
        {
            return false;
        }
    }

    return true;
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

    for (i = 1, plain = false; i < p->n; i++) {
        raw = p->all[i].raw;
        plain = plain || (p->all[i].kind == JR_NONE
                          && !judge_require_capital(raw)
                          && (raw.len > 3 || judge_str_eq_c(raw, "the")));
    }

    for (i = at, n = 0, end = at; i < p->n; i++) {
        raw = p->all[i].raw;

        if (p->all[i].kind == JR_NONE && judge_require_capital(raw)) {
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
           || judge_require_common(p, at, end, n)
           ? 0 : end - at;
}


/* Whether a Spanish or Portuguese verb says what "we" do ("contestamos"). */

static bool
judge_require_ours(const judge_require_parts_t *p, judge_str_t small)
{
    return (p->r->language == 2 || p->r->language == 4) && small.len > 6
           && strchr("aei", small.data[small.len - 4])
           && memcmp(small.data + small.len - 3, "mos", 3) == 0;
}


static bool
judge_require_token(judge_require_parts_t *p, size_t at, size_t *used)
{
    size_t                         next;
    int64_t                        n;
    judge_str_t                    text = { 0, NULL };
    const judge_require_part_t    *part = &p->all[at];
    const judge_require_phrase_t  *f;

    *used = 1;
    f = judge_require_phrase(p, at, used);

    if (part->kind != JR_NONE && f == NULL) {
        return judge_require_put(p->r, part->kind, "", part->raw,
                                 part->kind == JR_NUMBER
                                 ? judge_require_number(part->raw)
                                 : part->digits);
    }

    if (f && !(p->keys && (f->kind & (JR_NAMES | JR_TEXT | JR_UNKNOWN)))) {
        p->keys = p->keys || f->kind == JR_KEY;
        text = p->all[at + *used - 1].raw;
        text = (judge_str_t) { (size_t) (text.data + text.len
                                         - part->raw.data), part->raw.data };
        return f->kind == JR_NEUTRAL
               || judge_require_put(p->r, f->kind, f->name, text, 0);
    }

    n = judge_require_number(part->small);
    if (n >= 0) {
        return judge_require_put(p->r, JR_NUMBER, "", part->raw, n);
    }

    *used = judge_require_name(p, at, &text);
    if (*used == 0 && p->keys) {
        *used = 1;
        text = part->raw;
    }

    f = *used || (p->r->language == 1 && at > 0     /* "Nutze keine Links" */
                  && judge_require_capital(part->raw))
        ? NULL : judge_require_verb(p, part->small);
    if (f) {
        *used = 1;
        return judge_require_put(p->r, f->kind, f->name, part->raw, 0);
    }

    /* "Python code" does not ask for the word "Python". */
    f = *used && !p->keys && at + *used < p->n
        && p->all[at + *used].kind == JR_NONE
        ? judge_require_phrase(p, at + *used, &next) : NULL;

    /* "Links with UTM", as a name, does not either. */
    if (*used == 0 || (p->r->strict && !judge_require_at(p->r, 0, JR_MODALS))
        || (f && (f->kind & (JR_NAMES | JR_KEY | JR_UNIT))))
    {
        *used = 1;
        return judge_require_put(p->r, judge_require_ours(p, part->small)
                                 ? JR_SPEAKER : JR_UNKNOWN, "", part->raw, 0);
    }

    return judge_require_put(p->r, JR_LITERAL, p->keys ? "" : "name",
                             text, 0);
}


judge_rc_e
judge_require_read(judge_require_reader_t *r, judge_str_t s)
{
    size_t                  i, used;
    judge_rc_e              rc;
    judge_require_parts_t  *p = r->split;

    p = p ? p : judge_calloc(r->arena, sizeof(judge_require_parts_t));
    if (p == NULL) {
        return JUDGE_NOMEM;
    }

    r->split = p;
    p->r = r;
    p->n = r->n = 0;
    p->keys = false;
    rc = judge_require_split(p, s);

    for (i = 0; rc == JUDGE_OK && i < p->n; i += used) {
        if (!judge_require_token(p, i, &used)) {
            return JUDGE_NOT_FOUND;
        }
    }

    return rc;
}
