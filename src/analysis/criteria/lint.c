/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <stdlib.h>
#include <string.h>

#include "base/text/ascii.h"
#include "analysis/criteria/lint.h"


#define JUDGE_LINT_TOKENS  400         /* of a description that are read */
#define JUDGE_LINT_WORD    32          /* bytes; longer ones are unknown */

/* Words of which there are no others, as judge_lint_is() has them. */
#define JUDGE_LINT_BE      "is are was were does do has "
#define JUDGE_LINT_MODALS  "be should must can may will "
#define JUDGE_LINT_THE     "the a an any no its their his her your our each"  \
                           " every this these those "
#define JUDGE_LINT_UNDER   "that if whether how when where why which who "
#define JUDGE_LINT_LINKS   "of to in on at by for from with without as than"  \
                           " about into across within between or and but not" \
                           " only all both so because then while during"      \
                           " before after like " JUDGE_LINT_UNDER

typedef struct {
    judge_str_t  str;                  /* a word or a mark; absent: the end */
    const char  *name;                 /* of words that say the same */
    char         kind;                 /* as in the table; 0: not there */
    char         mark;
} judge_lint_token_t;

typedef struct {
    judge_lint_token_t  tokens[JUDGE_LINT_TOKENS + 1];
    size_t              n;
    size_t              words;
    size_t              questions;
    bool                digits;
} judge_lint_t;


/* --- Words --------------------------------------------------------------- */

static bool
judge_lint_letter(judge_str_t s, size_t i)
{
    char  c = s.data[i];

    return judge_ascii_letter(c) || (unsigned char) c >= 0x80
           || ((c == '\'' || c == '-') && i > 0 && i + 1 < s.len
               && judge_ascii_letter(s.data[i - 1])
               && judge_ascii_letter(s.data[i + 1]));
}


static int
judge_lint_compare(const void *key, const void *row)
{
    return strcmp(key, ((const judge_lint_word_t *) row)->phrase);
}


static void
judge_lint_look_up(judge_lint_token_t *t)
{
    char                      key[JUDGE_LINT_WORD + 4] = "en ";
    size_t                    i;
    const judge_lint_word_t  *row;

    if (t->str.len > JUDGE_LINT_WORD) {
        return;
    }

    for (i = 0; i < t->str.len; i++) {
        key[3 + i] = t->str.data[i] == '-'
                     ? ' ' : judge_ascii_lower(t->str.data[i]);
    }

    row = bsearch(key, judge_lint_words, judge_lint_words_n,
                  sizeof(judge_lint_word_t), judge_lint_compare);
    t->kind = row ? row->kind : 0;
    t->name = row ? row->name : "";

    if (row == NULL && strncmp(key, "en well ", 8) == 0) {
        t->kind = 'A';                 /* well-supported */
        t->name = "well";
    }
}


static void
judge_lint_read(judge_lint_t *l, judge_str_t s)
{
    size_t               i, end;
    judge_lint_token_t  *t;

    memset(l, 0, sizeof(judge_lint_t));

    for (i = 0; i < s.len && l->n < JUDGE_LINT_TOKENS; i = end) {
        t = &l->tokens[l->n];

        for (end = i; end < s.len && judge_lint_letter(s, end); end++) {
            /* void */
        }

        if (end > i) {
            t->str = (judge_str_t) { end - i, s.data + i };
            judge_lint_look_up(t);
            l->words++;
            l->n++;
            continue;
        }

        end = i + 1;
        l->digits = l->digits || judge_ascii_digit(s.data[i]);

        if (s.data[i] > ' ' && !judge_ascii_digit(s.data[i])) {
            l->questions += s.data[i] == '?' && l->n > 0 && t[-1].mark == 0;
            t->mark = s.data[i];
            t->str = (judge_str_t) { 1, s.data + i };
            l->n++;
        }
    }
}


static bool
judge_lint_is(const judge_lint_token_t *t, const char *words)
{
    size_t       len;
    const char  *at;

    for (at = words; *at && t->str.len; at += len + (at[len] != 0)) {
        len = strcspn(at, " ");
        if (judge_str_caseeq(t->str, (judge_str_t) { len, at })) {
            return true;
        }
    }

    return false;
}


/* The next word behind adverbs, which end in "ly"; of those that are qualities
 * only before what is done. */

static const judge_lint_token_t *
judge_lint_past(const judge_lint_token_t *t, bool qualities)
{
    while (t->str.len > 3 && (t->kind == 0 || qualities)
           && (memcmp(t->str.data + t->str.len - 2, "ly", 2) == 0
               || judge_lint_is(t, "also potentially then still")))
    {
        t++;
    }

    return t;
}


/* --- Several questions --------------------------------------------------- */

/* What stands behind "and", "," or both; NULL: none of these does. */

static const judge_lint_token_t *
judge_lint_joined(const judge_lint_token_t *t)
{
    const judge_lint_token_t  *begin = t;

    while (t->mark == ',' || t->mark == '&' || t->mark == '/'
           || judge_lint_is(t, "and yet"))
    {
        t++;
    }

    return t > begin ? judge_lint_past(t, false) : NULL;
}


/* Two qualities: "clear, and politely written" has one, "clear and polite"
 * two, "accurate and correct" one. */

static const judge_lint_token_t *
judge_lint_quality(const judge_lint_token_t *t)
{
    const judge_lint_token_t  *next = t + 1, *other;

    if (t->kind != 'A' && t->kind != 'N') {
        return NULL;
    }

    if (next->mark == '(') {
        while (next->str.len && next->mark != ')') {
            next++;
        }
        next += next->mark == ')';
    }

    other = judge_lint_joined(next);

    return other && other->kind == t->kind && strcmp(other->name, t->name) != 0
           ? other : NULL;
}


/* Whether a clause has its verb here: "is", "should", or "refuses" at the
 * beginning. */

static bool
judge_lint_acts(const judge_lint_t *l, size_t i)
{
    judge_str_t  s = l->tokens[i].str;

    return l->tokens[i].kind == 'V'
           || judge_lint_is(&l->tokens[i], JUDGE_LINT_BE JUDGE_LINT_MODALS)
           || (i == 0 && s.len > 4 && s.data[s.len - 1] == 's'
               && s.data[s.len - 2] != 's' && l->tokens[i].kind == 0);
}


/* "and ideas are linked", "and the tone is calm": a clause of its own. */

static const judge_lint_token_t *
judge_lint_clause(const judge_lint_token_t *t)
{
    size_t                     i;
    const judge_lint_token_t  *begin = t;

    t += judge_lint_is(t, JUDGE_LINT_THE);

    for (i = 0; i < 3 && t->str.len && t->mark == 0
                && !judge_lint_is(t, JUDGE_LINT_LINKS); i++, t++)
    {
        if (i && judge_lint_is(t, JUDGE_LINT_BE)) {
            return begin;
        }
    }

    return NULL;
}


/* What is done to something: "follows the rules"; of words that are nouns as
 * well, only where it has an object. */

static bool
judge_lint_does(const judge_lint_token_t *t, bool after)
{
    const judge_lint_token_t  *next = t + 1;

    if (t->kind == 'V') {
        return after || (next->str.len && next->mark == 0
                         && !judge_lint_is(next, JUDGE_LINT_LINKS
                                           JUDGE_LINT_BE));
    }

    return t->kind == 0 && t->mark == 0 && t->str.len > 3
           && memcmp(t->str.data + t->str.len - 3, "ing", 3) != 0
           && !judge_lint_is(t, JUDGE_LINT_LINKS)
           && judge_lint_is(next, JUDGE_LINT_THE);
}


/* A second thing that is done: "explains why and offers help", "… while
 * keeping the tone", "…, and is it short".  `acts`: there was a verb before,
 * `after`: one of the table. */

static const judge_lint_token_t *
judge_lint_deed(const judge_lint_token_t *t, bool acts, bool after)
{
    const judge_lint_token_t  *other;

    if (!judge_lint_is(t, "and while")) {
        return NULL;
    }

    other = judge_lint_past(t + 1, true);

    if (judge_lint_is(t, "while")) {
        return other->str.len > 4
               && memcmp(other->str.data + other->str.len - 3, "ing", 3) == 0
               && !judge_lint_is(other, "considering being using")
               ? other : NULL;
    }

    /* "refuses, and does not comply" says it again */
    if ((judge_lint_is(other, JUDGE_LINT_BE)
         && !judge_lint_is(other + 1, "not"))
        || (acts && judge_lint_does(other, after)))
    {
        return other;
    }

    return acts ? judge_lint_clause(t + 1) : NULL;
}


bool
judge_lint_several(judge_str_t description, judge_str_t *one,
    judge_str_t *other)
{
    bool                       found = false, acts = false;
    size_t                     i;
    judge_lint_t               l;
    const judge_lint_token_t  *deed = NULL, *second = NULL;

    judge_lint_read(&l, description);
    *one = *other = (judge_str_t) { 0, NULL };

    for (i = 0; i < l.n && !found; i++) {
        second = judge_lint_quality(&l.tokens[i]);
        *one = l.tokens[i].str;

        if (second == NULL && i > 0) {
            second = judge_lint_deed(&l.tokens[i], acts || deed, deed != NULL);
            *one = (deed ? deed : l.tokens)->str;
        }

        deed = l.tokens[i].kind == 'V' ? &l.tokens[i] : deed;
        acts = (acts && !judge_lint_is(&l.tokens[i], JUDGE_LINT_UNDER))
               || judge_lint_acts(&l, i);
        found = second && second->str.len;

        if (found) {
            *other = second->str;
        }
    }

    if (!found || l.questions > 1 || (second->kind == 'V' && deed == NULL)
        || (second->kind != 'A' && second->kind != 'N' && second->kind != 'V'))
    {
        one->len = 0;
    }

    return found || l.questions > 1;
}


/* --- Nothing to see ------------------------------------------------------ */

bool
judge_lint_vague(judge_str_t description)
{
    bool                       seen;
    size_t                     i;
    judge_lint_t               l;
    const judge_lint_token_t  *t;

    judge_lint_read(&l, description);

    for (i = 0; i < l.n; i++) {
        t = &l.tokens[i];
        if (i > 1 && judge_lint_is(&t[-1], "to")
            && judge_lint_is(&t[-2], "easy"))
        {
            continue;                  /* to follow, to read */
        }

        /* two readers agree on slips, and on which text is shorter */
        seen = t->kind && (strcmp(t->name, "short") == 0
                           || strcmp(t->name, "letters") == 0);

        if (t->mark == 0 && (seen
                             || (l.words > 1 && t->kind != 'A'
                                 && t->kind != 'N' && t->kind != 'G'
                                 && !judge_lint_is(t, "provide provides"))))
        {
            return false;
        }
    }

    return l.words && !l.digits && l.n < JUDGE_LINT_TOKENS;
}
