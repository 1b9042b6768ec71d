/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Tells what of a description asks for nothing: reasons, permissions, remarks
 * about something else, and sentences that only explain a name; and what asks
 * for something of a part of the text, which the name tells. */


#include <string.h>

#include "base/text/ascii.h"
#include "analysis/checks/require_table.h"


bool
judge_require_requires(const judge_require_reader_t *r, size_t from, size_t to)
{
    bool                          names;
    size_t                        i;
    uint64_t                      kinds;
    const judge_require_token_t  *t;

    i = judge_require_skip(r, from, JR_JOINTS | JR_DASH);

    kinds = JR_TARGETS | JR_NUMBER | JR_LANGUAGE | JR_KEY | JR_ONLY | JR_MUST;
    if (!(i < to && r->tokens[i].kind == JR_SPEAKER)) {
        kinds |= JR_LIMITS | JR_EDGES | JR_REQUIRED | JR_ALLOWED | JR_EXACT
                 | JR_EACH | JR_EXCEPT;
    }

    if (i < to && (r->tokens[i].kind & (JR_HAS | JR_NOT | JR_REQUIRED))) {
        return true;
    }

    for (i = from; i < to; i++) {
        t = &r->tokens[i];
        names = judge_require_named(t);           /* "we asked Anna" */

        if ((t->kind & kinds) && !names) {
            return true;
        }
    }

    return false;
}


/* Whether a reason begins at token i: by a word like "because", or by a
 * subject other than the text ("No links, we print it"). */

bool
judge_require_reason(const judge_require_reader_t *r, size_t i)
{
    const judge_require_token_t  *t = &r->tokens[i];

    return (t->kind == JR_REASON
            && !((i == 0 || strcmp(t->name, "hence") == 0)
                 && judge_require_requires(r, i + 1, r->n)))
           || (t->kind == JR_SPEAKER
               && (i == 0 || t[-1].kind == JR_MARK
                   || (t[-1].kind == JR_DASH      /* "a link to our shop" */
                       && !judge_ascii_letter(t[-1].text.data[0])))
               && !judge_require_requires(r, i, r->n));
}


/* "The link": a definite article stands before `at`. */

static bool
judge_require_definite(judge_str_t s, const char *at, size_t language)
{
    const char   *p;
    judge_str_t   word;

    static const char *const  articles[][8] = {
        { "the", "this", "that", "these", "its", "their", "our", NULL },
        { "der", "die", "das", "den", "dem", "des", NULL },
        { "el", "la", "los", "las", "su", NULL },
        { "le", "la", "les", "l", "sa", "son", NULL },
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


/* Whether token i asks for the same as one of the subject's tokens; not so in
 * another sentence "the link", of which something else is said. */

static bool
judge_require_repeats(const judge_require_reader_t *r, judge_str_t s, size_t i,
    size_t from, const judge_require_token_t *subject, size_t n)
{
    size_t                        k;
    const judge_require_token_t  *t = &r->tokens[i];

    if (from == 0 && (t->kind & JR_TARGETS) && strcmp(t->name, "title") != 0
        && judge_require_definite(s, t->text.data, r->language))
    {
        return false;
    }

    for (k = 0; k < n; k++) {
        if (t->kind == subject[k].kind
            && ((t->kind & JR_EDGES)
                || (t->n == subject[k].n
                    && strcmp(t->name, subject[k].name) == 0
                    && (t->kind != JR_LITERAL
                        || judge_str_caseeq(t->text, subject[k].text)))))
        {
            return true;
        }
    }

    return false;
}


/* The kinds of n tokens. */

static uint64_t
judge_require_kinds(const judge_require_token_t *tokens, size_t n)
{
    uint64_t  kinds = 0;

    while (n) {
        kinds |= tokens[--n].kind;
    }

    return kinds;
}


/* Whether token i may be what is asked for: no name, nothing that nobody put
 * in quotes, no "twenty years". */

static bool
judge_require_wanted(const judge_require_reader_t *r, size_t i)
{
    const judge_require_token_t  *t = &r->tokens[i];

    return (t->kind & (JR_ASKED | JR_NUMBER | JR_EDGES | JR_FIRST | JR_EXACT))
           && !judge_require_named(t) && strcmp(t->name, "them") != 0
           && !(i > 0 && t->kind == JR_LITERAL
                && !(t->n && t[-1].kind == JR_NOT)     /* "12 %, not 12%" */
                && strchr(" (", t->text.data[-1]))
           && !(t->kind == JR_NUMBER && judge_require_at(r, i + 1, JR_UNKNOWN)
                && t[1].name[0] == '\0');
}


/* Whether token i is a number that the subject does not allow. */

static bool
judge_require_beyond(const judge_require_reader_t *r, size_t i,
    const judge_require_token_t *subject, size_t n)
{
    int64_t                       least = INT64_MAX, most = 0;
    uint64_t                      kinds = judge_require_kinds(subject, n);
    const judge_require_token_t  *t = &r->tokens[i];

    while (n) {
        if (subject[--n].kind == JR_NUMBER) {
            least = subject[n].n < least ? subject[n].n : least;
            most = subject[n].n > most ? subject[n].n : most;
        }
    }

    return t->kind == JR_NUMBER && most
           && ((t->n > most && !(kinds & (JR_LEAST | JR_MORE)))
               || (t->n < least && !(kinds & (JR_MOST | JR_LESS))));
}


/* Whether number i counts nothing of its own, and bounds nothing: "two is too
 * many", but not "at most five", "give or take 10". */

static bool
judge_require_bare(const judge_require_reader_t *r, size_t i)
{
    const judge_require_token_t  *t = &r->tokens[i];

    return !judge_require_at(r, i + 1, JR_ASKED)
           && !(i > 0 && ((t[-1].kind & JR_LIMITS)
                          || (t[-1].kind == JR_UNKNOWN && t[-1].name[0])));
}


/* Where the text of the tokens from `from` on begins. */

static size_t
judge_require_from(const judge_require_reader_t *r, judge_str_t s, size_t from)
{
    const judge_require_token_t  *t = &r->tokens[from];

    return from ? (size_t) (t[-1].text.data + t[-1].text.len - s.data) : 0;
}


static bool
judge_require_asks(judge_require_reader_t *r, judge_str_t s, size_t from)
{
    size_t  begin = judge_require_from(r, s, from);

    return judge_require_finds(r, r->judgement, s, begin)
           || judge_require_finds(r, r->asks, s, begin);
}


static bool
judge_require_begins(judge_require_reader_t *r, judge_str_t s, size_t from)
{
    return r->tokens[from].name[0] != 'c'
           && !(r->tokens[from].kind & (JR_BUT | JR_NEGATIONS))
           && !judge_require_finds(r, r->which, s,
                                   judge_require_from(r, s, from));
}


/* Whether token i adds something to what the remark from `from` on says: "and
 * a link", ", and says why". */

static bool
judge_require_adds(const judge_require_reader_t *r, size_t i, size_t from)
{
    return r->tokens[i].kind == JR_AND
           && (judge_require_at(r, i + 1, JR_ARTICLE)
               || (i > from && judge_require_mark(&r->tokens[i - 1], ',')));
}


/* Whether token i shows that what begins with token `from` is no remark. */

static bool
judge_require_bars(const judge_require_reader_t *r, size_t i, size_t from,
    bool open)
{
    const judge_require_token_t  *t = &r->tokens[i];

    return (t->kind & (JR_EACH | JR_KEY | JR_MUST | JR_REQUIRED))
           || (t->kind == JR_PART && !open)
           || (t->kind == (i == from ? JR_TEXT : JR_EXCEPT))
           || judge_require_adds(r, i, from);
}


/* Whether what only negates, from token `from` on, repeats what the subject
 * says: "At most four. Not five.", "No links. None."  "Over 200 words:
 * rejected" turns it round. */

static bool
judge_require_says_again(const judge_require_reader_t *r, size_t from,
    const judge_require_token_t *subject, size_t n)
{
    return (judge_require_kinds(subject, n) & JR_NEGATIONS)
           || (judge_require_kinds(&r->tokens[from], r->n - from)
               & JR_NUMBER);
}


bool
judge_require_remark(judge_require_reader_t *r, judge_str_t s, size_t from,
    const judge_require_token_t *subject, size_t n)
{
    bool                          negates, open, idle, same, given;
    bool                          bars = false, found = false, beyond, bare;
    size_t                        i, to, words = 0;
    uint64_t                      told;
    const judge_require_token_t  *t = &r->tokens[from];

    to = judge_require_skip(r, from + 1, ~(uint64_t) JR_REASON);
    s.len = to < r->n ? (size_t) (r->tokens[to].text.data - s.data) : s.len;

    if (from >= r->n || judge_require_asks(r, s, from)) {
        return false;
    }

    negates = judge_require_kinds(t, r->n - from) & JR_NEGATIONS;
    open = judge_require_kinds(t, r->n - from) & JR_ALLOWED;
    told = JR_THING | JR_LITERAL | JR_LANGUAGE
           | (judge_require_kinds(subject, n) & (JR_NUMBER | JR_ONLY)
              ? JR_NUMBER : JR_UNIT);

    if (open && (judge_require_kinds(subject, n) & JR_NEGATIONS)) {
        return false;                  /* "No digits. Years are fine." */
    }

    if (judge_require_skip(r, from, JR_JOINTS | JR_NEGATIONS
                           | (told & JR_NUMBER)) >= to && negates)
    {
        return judge_require_says_again(r, from, subject, n);
    }

    open = open && !negates;
    idle = open || t->kind == JR_SPEAKER;

    for (i = from; i < to; i++, t++) {
        same = judge_require_repeats(r, s, i, from, subject, n);
        given = t->kind & (JR_EXAMPLE | JR_FORM);
        open = open || (given && !negates);
        idle = idle || given || t->kind == JR_SPEAKER;
        bars = bars || judge_require_bars(r, i, from, open);
        beyond = judge_require_beyond(r, i, subject, n);
        bare = beyond && judge_require_bare(r, i);
        idle = idle || bare;

        if ((beyond && open)           /* "though up to 120 are tolerated" */
            || (!bare && !same && !open && judge_require_wanted(r, i))
            || (t->kind == JR_ONCE     /* but "once": "at most once" */
                && judge_require_at(r, i + 1, JR_LIMITS)
                && !(judge_require_kinds(subject, n) & JR_LIMITS)))
        {
            return false;
        }

        words += (t->kind & (JR_NOUN | JR_UNKNOWN)) && t->name[0] == '\0';

        found = found || (from == 0 && same && (t->kind & told));
    }

    return found || (!bars
                     && (idle || (words > (from ? 1 : 2)
                                  && judge_require_begins(r, s, from))));
}


/* Whether a clause after a thing says which one is meant: "a heading
 * that names the product". */

bool
judge_require_restricted(judge_require_reader_t *r, judge_str_t s)
{
    size_t                        i;
    const judge_require_token_t  *t = r->tokens;

    for (i = 0; i < r->n; i++) {
        if (t[i].kind == JR_THING && !judge_require_at(r, i + 1, JR_EDGES)
            && judge_require_finds(r, r->restricting, s,
                   (size_t) (t[i].text.data + t[i].text.len - s.data)))
        {
            return true;
        }
    }

    return false;
}


/* --- What a name is about ------------------------------------------------ */

/* Whether the description, which is in r, says itself where it is to hold: it
 * names what the name's token does, or a line or a sentence, or it has the
 * words that the part begins with ("Subject:"). */

static bool
judge_require_mentions(const judge_require_reader_t *r,
    const judge_require_token_t *t)
{
    size_t  i;

    for (i = 0; i < r->n; i++) {
        if ((r->tokens[i].kind == t->kind
             && strcmp(r->tokens[i].name, t->name) == 0)
            || ((r->tokens[i].kind & JR_EDGES) && r->tokens[i].name[0])
            || (r->tokens[i].kind == JR_LITERAL
                && judge_str_casestarts(r->tokens[i].text, t->text)))
        {
            return true;
        }
    }

    return false;
}


/* Whether a check of the description decides something else than the name's
 * token says: its words are counted in the whole text, or it looks there for
 * what belongs into a part. */

static bool
judge_require_astray(const judge_require_reader_t *r, judge_str_t type,
    const judge_require_token_t *t, uint64_t name)
{
    judge_str_t  unit = judge_str_from(type, strlen("max_"));
    bool         counts = type.data[0] == 'm' && !judge_str_find(unit,
                                                     JUDGE_STR("_"));

    if (t->kind & (JR_EDGES | JR_FIRST)) {
        return counts || !(judge_require_kinds(r->tokens, r->n) & JR_EDGES);
    }

    if (judge_require_mentions(r, t)) {
        return false;
    }

    if (t->kind == JR_PART) {
        return t->name[0] == '\0' || (t->name[0] == 'l' && counts);
    }

    /* "No links", "Two paragraphs" ask for something themselves. */
    return !(name & (JR_HAS | JR_NEGATIONS | JR_NUMBER | JR_ONLY))
           && ((t->kind == JR_THING && (strcmp(t->name, "title") == 0
                                        || strcmp(t->name, "heading") == 0))
               || ((t->kind & (JR_ITEM | JR_THING | JR_UNIT)) && counts
                   && !judge_str_eq_c(unit, t->name)));
}


judge_rc_e
judge_require_about(judge_require_t *q, judge_str_t name,
    judge_str_t description)
{
    size_t                  i, n;
    uint64_t                kinds;
    judge_require_token_t  *t = q->subject;

    for (q->r.language = 0; q->r.language < JUDGE_REQUIRE_LANGUAGES && q->n;
         q->r.language++)
    {
        if (q->unknown[q->r.language] > q->unknown[q->spoken]) {
            continue;                  /* it is in another language */
        }

        if (judge_require_read(&q->r, name) == JUDGE_NOMEM) {
            return JUDGE_NOMEM;
        }

        n = q->r.n;
        memcpy(t, q->r.tokens, n * sizeof(judge_require_token_t));
        kinds = judge_require_kinds(t, n);

        if (judge_require_read(&q->r, description) == JUDGE_NOMEM) {
            return JUDGE_NOMEM;
        }

        for (i = 0; i < n * q->n; i++) {
            if (judge_require_astray(&q->r, q->checks[i % q->n].type,
                                     &t[i / q->n], kinds))
            {
                return JUDGE_NOT_FOUND;
            }
        }
    }

    return JUDGE_OK;
}
