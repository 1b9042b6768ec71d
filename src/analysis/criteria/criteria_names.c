/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Names: what a criterion is called, and which phrases call the same one.
 */


#include <string.h>

#include "analysis/criteria/criteria_parts.h"
#include "base/text/utf8.h"


#define JUDGE_NAME_WORDS     6         /* of a phrase that is its own name */
#define JUDGE_NAME_CUT       5         /* of one that is cut */
#define JUDGE_NAME_BYTES     160
#define JUDGE_DESCRIPTION    4000      /* bytes */

/* What a span was found to be called. */

typedef struct {
    judge_str_t  name;                 /* not yet with a capital */
    bool         partial;
    const char  *prefix;               /* "No ", "Avoid " */
    int          quality;
} judge_name_t;


static const char *const  judge_name_light[] = {
    "use", "uses", "using", "make", "makes", "making", "include",
    "includes", "including", "have", "has", "having", "contain", "contains",
    "containing", "show", "shows", "get", "any", "too", "the", "a", "an",
    "those", "that", "which", "who", "ones", NULL
};


static bool
judge_name_is_light(const judge_parse_token_t *t)
{
    size_t  i;

    for (i = 0; judge_name_light[i] != NULL; i++) {
        if (judge_parse_word(t, judge_name_light[i])) {
            return true;
        }
    }

    return false;
}


/* "texts" in "clear texts", but not "articles" in "help articles". */

static bool
judge_name_needless(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    const judge_parse_token_t  *before;

    if (!judge_parse_is(&p->tokens[span.to - 1], JUDGE_PW_GENERIC)) {
        return false;
    }

    before = (span.to - span.from > 1) ? &p->tokens[span.to - 2] : NULL;

    return before == NULL || before->quality >= 0
           || judge_parse_is(before, JUDGE_PW_FILLER)
           || judge_parse_is(before, JUDGE_PW_PREPOSITION);
}


/* Without the words at its ends that are no part of any name. */

static judge_parse_span_t
judge_name_core(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    const judge_parse_token_t  *t;

    for ( ; span.from < span.to; span.from++) {
        t = &p->tokens[span.from];

        if (t->kind != JUDGE_P_MARK && t->span == 1
            && !judge_parse_is(t, JUDGE_PW_FILLER)
            && !(judge_parse_is(t, JUDGE_PW_GENERIC) && t->quality < 0))
        {
            break;
        }

        if (t->span > 1) {
            break;
        }
    }

    for ( ; span.to > span.from; span.to--) {
        t = &p->tokens[span.to - 1];

        if (t->kind != JUDGE_P_MARK
            && (t->quality >= 0
                || (!judge_parse_is(t, JUDGE_PW_FILLER)
                    && !judge_parse_is(t, JUDGE_PW_PREPOSITION)
                    && !judge_name_needless(p, span))))
        {
            break;
        }

        /* the phrase of a quality may end with one of these */

        if (span.to - span.from > 1 && p->tokens[span.from].span
                                       >= span.to - span.from)
        {
            break;
        }
    }

    return span;
}


/* A noun behind an adjective: "clear structure" is about structure. */

static size_t
judge_name_quality(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t                      i, first, noun;
    const judge_parse_token_t  *t;

    first = span.to;
    noun = span.to;

    for (i = span.from; i < span.to; i++) {
        t = &p->tokens[i];

        if (t->quality < 0
            || (judge_quality(t->quality)->flags & JUDGE_Q_VAGUE) != 0)
        {
            continue;
        }

        if (first == span.to) {
            first = i;
        }

        if (t->noun && noun == span.to) {
            noun = i;
        }

        i += t->span - 1u;
    }

    return (noun < span.to) ? noun : first;
}


static size_t
judge_name_words(const judge_parse_ctx_t *p, judge_parse_span_t span,
    size_t *others)
{
    size_t                      i, skip, n;
    const judge_parse_token_t  *t;

    n = 0;
    skip = 0;
    *others = 0;

    for (i = span.from; i < span.to; i++) {
        t = &p->tokens[i];
        n += (t->kind == JUDGE_P_WORD || t->kind == JUDGE_P_NUMBER);

        if (skip > 0) {
            skip--;

        } else if (t->quality >= 0) {
            skip = t->span - 1u;

        } else if (t->kind == JUDGE_P_QUOTE
                   || (t->kind == JUDGE_P_WORD
                       && !judge_parse_is(t, JUDGE_PW_FILLER)
                       && !judge_parse_is(t, JUDGE_PW_GENERIC)))
        {
            (*others)++;
        }
    }

    return n;
}


/* The first words, to where something else begins. */

static judge_parse_span_t
judge_name_cut(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t                      i, n;
    const judge_parse_token_t  *t;

    n = 0;

    for (i = span.from; i < span.to; i++) {
        t = &p->tokens[i];

        if (t->kind == JUDGE_P_MARK
            && memchr(",;:(.!?", t->mark, 7) != NULL)
        {
            break;
        }

        if (n == JUDGE_NAME_CUT
            || (n >= 3 && judge_parse_is(t, JUDGE_PW_PREPOSITION)))
        {
            break;
        }

        n += (t->kind == JUDGE_P_WORD);
    }

    span.to = i;

    while (span.to > span.from + 1
           && (judge_parse_is(&p->tokens[span.to - 1], JUDGE_PW_FILLER)
               || judge_parse_is(&p->tokens[span.to - 1],
                                 JUDGE_PW_PREPOSITION)))
    {
        span.to--;
    }

    return span;
}


/* "No jargon", "Not boring", "Do not repeat yourself", "Avoid shouting". */

static judge_parse_span_t
judge_name_negative(const judge_parse_ctx_t *p, judge_parse_span_t span,
    const char **prefix)
{
    bool                        be;
    judge_str_t                 low;
    const judge_parse_token_t  *t, *last;

    *prefix = "No ";
    be = false;

    while (span.from < span.to) {
        t = &p->tokens[span.from];

        if (judge_parse_word(t, "be") || judge_parse_word(t, "is")
            || judge_parse_word(t, "are") || judge_parse_word(t, "being"))
        {
            be = true;

        } else if (t->kind != JUDGE_P_MARK && !judge_name_is_light(t)) {
            break;
        }

        if (judge_parse_word(t, "too") && be) {
            break;
        }

        span.from++;
    }

    if (span.from == span.to) {
        return span;
    }

    t = &p->tokens[span.from];
    low = t->low;
    last = &p->tokens[span.to - 1];

    if (be || (last->quality >= 0 && !last->noun)) {
        *prefix = "Not ";

    } else if (p->negative == 'V' && span.from + 1 < span.to
               && t->quality < 0 && !judge_name_is_light(t - 1))
    {
        *prefix = "Do not ";

    } else if (t->quality < 0 && low.len > 5
               && memcmp(low.data + low.len - 3, "ing", 3) == 0)
    {
        *prefix = "Avoid ";
    }

    return span;
}


/* "The sound is clean" is about the sound. */

static judge_parse_span_t
judge_name_before_is(const judge_parse_ctx_t *p, judge_parse_span_t core)
{
    size_t  i;
    bool    quality;

    quality = false;

    for (i = core.from; i < core.to; i++) {
        if (quality && (judge_parse_word(&p->tokens[i], "is")
                        || judge_parse_word(&p->tokens[i], "are")
                        || judge_parse_word(&p->tokens[i], "was")
                        || judge_parse_word(&p->tokens[i], "were")))
        {
            core.to = i;
            break;
        }

        quality |= p->tokens[i].quality >= 0 && p->tokens[i].noun;
    }

    return core;
}


/* "the problem was resolved" is a sentence, no name. */

static bool
judge_name_clause(const judge_parse_ctx_t *p, judge_parse_span_t core)
{
    size_t  i;

    for (i = core.from; i < core.to; i++) {
        if (judge_parse_word(&p->tokens[i], "is")
            || judge_parse_word(&p->tokens[i], "are")
            || judge_parse_word(&p->tokens[i], "was")
            || judge_parse_word(&p->tokens[i], "were"))
        {
            return true;
        }
    }

    return false;
}


/* The quality of "good", if the span has such a word; else -1. */

static int
judge_name_vague(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t  i;

    for (i = span.from; i < span.to; i++) {
        if (p->tokens[i].quality >= 0
            && (judge_quality(p->tokens[i].quality)->flags & JUDGE_Q_VAGUE)
               != 0)
        {
            return p->tokens[i].quality;
        }
    }

    return -1;
}


/* A quality, or the words as they are; t is the token of the quality. */

static bool
judge_name_choose(const judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_span_t core, const judge_parse_token_t *t,
    judge_parse_form_e form, judge_name_t *out)
{
    size_t                  n, others;
    const judge_quality_t  *q;

    q = judge_quality(out->quality);
    n = judge_name_words(p, core, &others);
    out->partial = (others > 0);

    if (q == NULL && others == 0) {
        /* "good", "nice": as a whole */
        out->quality = judge_name_vague(p, span);
        q = judge_quality(out->quality);
        n = 0;
    }

    if (n == 0) {
        out->name = (q == NULL) ? JUDGE_STR("") : judge_str_c(q->name);
        out->prefix = "";
        return q != NULL;
    }

    if (p->negative) {
        out->name = judge_parse_text(p, (n > JUDGE_NAME_WORDS)
                                        ? judge_name_cut(p, core) : core);

    } else if (q != NULL && !t->noun
               && (others == 0 || t->span > 2 || judge_name_clause(p, core)))
    {
        out->name = judge_str_c(q->name);

    } else if (n <= JUDGE_NAME_WORDS && form != JUDGE_P_REQUIRED
               && form != JUDGE_P_MENTIONED)
    {
        out->name = judge_parse_text(p, core);

    } else if (q != NULL) {
        out->name = judge_str_c(q->name);
        out->partial = false;

    } else {
        out->name = judge_parse_text(p, judge_name_cut(p, core));
    }

    return out->name.len > 0;
}


static bool
judge_name_of(const judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_form_e form, judge_name_t *out)
{
    size_t                      others, at;
    judge_parse_span_t          core;
    const judge_parse_token_t  *t;

    span = judge_parse_trim(p, span);
    out->prefix = "";
    out->quality = -1;
    out->partial = false;

    if (p->negative) {
        core = judge_name_negative(p, span, &out->prefix);

    } else {
        core = judge_name_core(p, span);
    }

    at = judge_name_quality(p, (core.from < core.to) ? core : span);
    t = (at < span.to) ? &p->tokens[at] : NULL;
    out->quality = (t == NULL) ? -1 : t->quality;

    if (form == JUDGE_P_LABELLED) {
        (void) judge_name_words(p, span, &others);
        out->partial = (others > 0);
        out->name = judge_parse_text(p, span);
        return out->name.len > 0;
    }

    core = judge_name_before_is(p, core);

    /* "how quickly he answers" makes no sense without "how" */

    if (out->quality < 0 && span.from < core.from
        && judge_parse_word(&p->tokens[span.from], "how")
        && !judge_parse_word(&p->tokens[span.from + 1], "well"))
    {
        core.from = span.from;
    }

    return judge_name_choose(p, span, core, t, form, out);
}


static judge_str_t
judge_name_lower(judge_parse_ctx_t *p, judge_str_t s)
{
    char    *low;
    size_t   i, n;

    low = judge_alloc(p->arena, s.len + 1);
    if (low == NULL) {
        p->failed = true;
        return JUDGE_STR("");
    }

    for (i = 0, n = 0; i < s.len; i++) {
        low[n++] = (s.data[i] >= 'A' && s.data[i] <= 'Z')
                   ? (char) (s.data[i] | 0x20) : s.data[i];
    }

    return (judge_str_t) { n, low };
}


static bool
judge_name_within(judge_str_t word, judge_str_t text)
{
    size_t  i;

    if (word.len == 0) {
        return false;
    }

    for (i = 0; text.len >= word.len && i <= text.len - word.len; i++) {
        if (memcmp(text.data + i, word.data, word.len) == 0
            && (i == 0 || text.data[i - 1] == ' ')
            && (i + word.len == text.len || text.data[i + word.len] == ' '))
        {
            return true;
        }
    }

    return false;
}


/* Two names of one thing: "accuracy" and "factual accuracy", but not
 * "technical accuracy" and "factual accuracy". */

static bool
judge_name_same(judge_parse_ctx_t *p, const judge_parse_found_t *f,
    judge_str_t key, int quality)
{
    judge_str_t  name;

    if (judge_str_eq(f->key, key)) {
        return true;
    }

    if (quality < 0 || f->quality != quality) {
        return false;
    }

    name = judge_name_lower(p, judge_str_c(judge_quality(quality)->name));

    return judge_str_eq(key, name) || judge_str_eq(f->key, name)
           || judge_name_within(key, f->key)
           || judge_name_within(f->key, key);
}


static judge_str_t
judge_name_made(judge_parse_ctx_t *p, const judge_name_t *name)
{
    char         *first;
    size_t        i;
    judge_str_t   s;

    s = judge_utf8_prefix(name->name, JUDGE_NAME_BYTES);
    s = judge_str_printf(p->arena, "%s%.*s", name->prefix, (int) s.len,
                         s.data);
    if (s.data == NULL) {
        p->failed = true;
        return JUDGE_STR("-");
    }

    first = (char *) s.data;

    /* "No Clickbait", but "No SEO" */

    i = strlen(name->prefix);

    if (i > 0 && s.len > i + 1 && first[i] >= 'A' && first[i] <= 'Z'
        && first[i + 1] >= 'a' && first[i + 1] <= 'z')
    {
        first[i] = (char) (first[i] | 0x20);
    }

    if (*first >= 'a' && *first <= 'z') {
        *first = (char) (*first & ~0x20);
    }

    for (i = 0; i < s.len; i++) {
        if ((unsigned char) first[i] < ' ') {
            first[i] = ' ';
        }
    }

    return s;
}


static size_t
judge_name_add(judge_parse_ctx_t *p, const judge_name_t *name,
    judge_parse_form_e form)
{
    size_t                i;
    judge_str_t           made, key;
    judge_parse_found_t  *f;

    made = judge_name_made(p, name);
    key = judge_name_lower(p, made);

    for (i = 0; i < p->nfound; i++) {
        f = &p->found[i];

        if (f->negative == (p->negative != 0)
            && judge_name_same(p, f, key, name->quality))
        {
            p->last = i + 1;
            return i;
        }
    }

    if (p->nfound == JUDGE_PARSE_FOUND) {
        p->lost++;
        return JUDGE_PARSE_FOUND;
    }

    f = &p->found[p->nfound];
    memset(f, 0, sizeof(judge_parse_found_t));
    judge_buf_init(&f->description, p->arena);

    f->name = made;
    f->key = key;
    f->quality = name->quality;
    f->partial = name->partial;
    f->form = form;
    f->negative = p->negative != 0;
    f->strict = p->strict;
    f->lenient = p->lenient;
    f->share = -1;
    f->points = -1;
    f->factor = 1;

    for (i = 0; i < 4; i++) {
        f->levels[i] = -1;
    }

    p->last = p->nfound + 1;

    return p->nfound++;
}


size_t
judge_parse_add(judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_form_e form)
{
    judge_name_t  name;

    if (!judge_name_of(p, span, form, &name)) {
        return JUDGE_PARSE_FOUND;
    }

    return judge_name_add(p, &name, form);
}


size_t
judge_parse_add_quality(judge_parse_ctx_t *p, const char *quality,
    judge_parse_form_e form)
{
    judge_name_t  name;

    name.name = judge_str_c(quality);
    name.prefix = "";
    name.partial = false;
    name.quality = judge_quality_find(quality);

    return judge_name_add(p, &name, form);
}


size_t
judge_parse_ordinal(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t                      i;
    const judge_parse_token_t  *t;
    static const char *const  words[] = {
        "first", "second", "third", "fourth", "fifth"
    };

    span = judge_parse_trim(p, span);

    if (span.from < span.to && judge_parse_word(&p->tokens[span.from],
                                                "the"))
    {
        span.from++;
    }

    if (span.from == span.to || span.to - span.from > 2
        || (span.to - span.from == 2
            && !judge_parse_word(&p->tokens[span.to - 1], "one")))
    {
        return JUDGE_PARSE_FOUND;
    }

    t = &p->tokens[span.from];

    if (judge_parse_word(t, "last") && p->nfound > 0) {
        return p->nfound - 1;
    }

    for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (judge_parse_word(t, words[i]) && i < p->nfound) {
            return i;
        }
    }

    return JUDGE_PARSE_FOUND;
}


size_t
judge_parse_find(judge_parse_ctx_t *p, judge_parse_span_t span)
{
    char          negative;
    size_t        i;
    judge_str_t   key;
    judge_name_t  name;

    i = judge_parse_ordinal(p, span);

    if (i != JUDGE_PARSE_FOUND) {
        return i;
    }

    negative = p->negative;
    p->negative = 0;

    if (!judge_name_of(p, span, JUDGE_P_ENUMERATED, &name)) {
        p->negative = negative;
        return JUDGE_PARSE_FOUND;
    }

    p->negative = negative;
    key = judge_name_lower(p, name.name);

    for (i = 0; i < p->nfound; i++) {
        if (judge_name_same(p, &p->found[i], key, name.quality)) {
            return i;
        }
    }

    for (i = 0; i < p->nfound; i++) {
        if (judge_name_within(key, p->found[i].key)
            || (p->found[i].quality >= 0
                && p->found[i].quality == name.quality))
        {
            return i;
        }
    }

    return JUDGE_PARSE_FOUND;
}


void
judge_parse_describe(judge_parse_ctx_t *p, size_t i, judge_str_t prefix,
    judge_parse_span_t span)
{
    char                  c;
    size_t                k, begin;
    judge_str_t           text;
    judge_buf_t          *d;
    judge_parse_found_t  *f;

    f = &p->found[i];
    d = &f->description;
    text = judge_parse_text(p, span);

    if (text.len == 0
        || d->len + prefix.len + text.len > JUDGE_DESCRIPTION)
    {
        return;
    }

    judge_buf_c(d, (d->len > 0) ? " " : "");
    begin = d->len;
    judge_buf_str(d, prefix);
    judge_buf_c(d, (prefix.len > 0) ? " " : "");

    for (k = 0; k < text.len; k++) {
        c = text.data[k];

        if ((unsigned char) c <= ' ') {
            /* a wrapped line goes on as one */
            c = ' ';

            if (d->len > begin && !d->failed && d->data[d->len - 1] == ' ') {
                continue;
            }
        }

        judge_buf_append(d, &c, 1);
    }

    c = (d->len > 0 && !d->failed) ? d->data[d->len - 1] : '.';

    if (memchr(".!?", c, 3) == NULL) {
        span = judge_parse_trim(p, span);
        judge_buf_c(d, (span.to < p->ntokens
                        && judge_parse_mark(&p->tokens[span.to], '?'))
                       ? "?" : ".");
    }

    if (d->failed) {
        p->failed = true;
        return;
    }

    if (d->data[begin] >= 'a' && d->data[begin] <= 'z') {
        d->data[begin] = (char) (d->data[begin] & ~0x20);
    }

    f->described = true;
}
