/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Names: what a criterion is called, and which phrases call the same one.
 */


#include <string.h>
#include <strings.h>

#include "base/text/utf8.h"
#include "analysis/criteria/criteria_context.h"


#define JUDGE_NAMES_WORDS        6     /* of a phrase that is its own name */
#define JUDGE_NAMES_CUT          5     /* of one that is cut */
#define JUDGE_NAMES_BYTES        160
#define JUDGE_NAMES_DESCRIPTION  4000  /* bytes */

typedef struct {
    judge_str_t  name;                 /* not yet with a capital */
    bool         partial;
    const char  *prefix;               /* "No ", "Avoid " */
    int          quality;
} judge_names_t;


/* --- The words of a name ----------------------------------------------- */


/* Whether the last word is "texts" in "clear texts", not "articles" in "help
 * articles". */

static bool
judge_names_needless(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    const judge_parse_token_t  *t;

    t = &p->tokens[span.to - 1];

    return judge_parse_is(t, JUDGE_W_GENERIC)
           && (span.to - span.from == 1 || t[-1].quality >= 0
               || judge_parse_is(t - 1, JUDGE_W_FILLER)
               || judge_parse_is(t - 1, JUDGE_W_PREPOSITION));
}


/* Without the words at its ends that are not part of any name. */

static judge_parse_span_t
judge_names_core(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    const judge_parse_token_t  *t;

    for ( ; span.from < span.to; span.from++) {
        t = &p->tokens[span.from];

        if (t->span > 1
            || (t->kind != JUDGE_P_MARK && !judge_parse_is(t, JUDGE_W_FILLER)
                && !(judge_parse_is(t, JUDGE_W_GENERIC) && t->quality < 0)))
        {
            break;
        }
    }

    /* the phrase of a quality may end with such a word */

    for ( ; span.to > span.from; span.to--) {
        t = &p->tokens[span.to - 1];

        if ((t->kind != JUDGE_P_MARK
             && (t->quality >= 0
                 || (!judge_parse_is(t, JUDGE_W_FILLER)
                     && !judge_parse_is(t, JUDGE_W_PREPOSITION)
                     && !judge_names_needless(p, span))))
            || (span.to - span.from > 1
                && p->tokens[span.from].span >= span.to - span.from))
        {
            break;
        }
    }

    return span;
}


/* The token of the quality; a noun behind an adjective: "clear structure" is
 * about structure.  span.to: there is none. */

static size_t
judge_names_quality(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t                      i, first;
    const judge_parse_token_t  *t;

    first = span.to;

    for (i = span.from; i < span.to; i += t->span) {
        t = &p->tokens[i];

        if (t->quality >= 0
            && (judge_quality(t->quality)->flags & JUDGE_Q_VAGUE) == 0)
        {
            if (t->noun) {
                return i;
            }

            first = (first == span.to) ? i : first;
        }
    }

    return first;
}


/* How many words; *others are those that belong to no quality. */

static size_t
judge_names_words(const judge_parse_ctx_t *p, judge_parse_span_t span,
    size_t *others)
{
    size_t                      i, n, skip;
    const judge_parse_token_t  *t;

    *others = 0;

    for (i = span.from, n = 0, skip = 0; i < span.to; i++) {
        t = &p->tokens[i];
        n += (t->kind == JUDGE_P_WORD || t->kind == JUDGE_P_NUMBER);

        if (skip > 0) {
            skip--;

        } else if (t->quality >= 0) {
            skip = t->span - 1u;

        } else {
            *others += t->kind == JUDGE_P_QUOTE
                       || (t->kind == JUDGE_P_WORD
                           && !judge_parse_is(t, JUDGE_W_FILLER)
                           && !judge_parse_is(t, JUDGE_W_GENERIC));
        }
    }

    return n;
}


/* The first words, up to a preposition or mark. */

static judge_parse_span_t
judge_names_cut(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t                      i, n;
    const judge_parse_token_t  *t;

    for (i = span.from, n = 0; i < span.to && n < JUDGE_NAMES_CUT; i++) {
        t = &p->tokens[i];

        if (judge_parse_marks(t, ",;:(.!?")
            || (n >= 3 && judge_parse_is(t, JUDGE_W_PREPOSITION)))
        {
            break;
        }

        n += (t->kind == JUDGE_P_WORD);
    }

    span.to = i;

    while (span.to > span.from + 1
           && (judge_parse_is(&p->tokens[span.to - 1], JUDGE_W_FILLER)
               || judge_parse_is(&p->tokens[span.to - 1],
                                 JUDGE_W_PREPOSITION)))
    {
        span.to--;
    }

    return span;
}


/* "No jargon", "Not boring", "Do not repeat yourself", "Avoid shouting". */

static judge_parse_span_t
judge_names_negative(const judge_parse_ctx_t *p, judge_parse_span_t span,
    const char **prefix)
{
    bool                        be;
    const judge_parse_token_t  *t, *last;

    *prefix = "No ";
    be = false;

    for ( ; span.from < span.to; span.from++) {
        t = &p->tokens[span.from];

        if ((!judge_parse_is(t, JUDGE_W_BE) && t->kind != JUDGE_P_MARK
             && !judge_parse_is(t, JUDGE_W_LIGHT))
            || (be && judge_parse_word(t, "too")))
        {
            break;
        }

        be |= judge_parse_is(t, JUDGE_W_BE);
    }

    if (span.from == span.to) {
        return span;
    }

    t = &p->tokens[span.from];
    last = &p->tokens[span.to - 1];

    if (be || (last->quality >= 0 && !last->noun)) {
        *prefix = "Not ";

    } else if (p->negative == 'V' && span.from + 1 < span.to
               && t->quality < 0 && !judge_parse_is(t - 1, JUDGE_W_LIGHT))
    {
        *prefix = "Do not ";

    } else if (t->quality < 0 && t->low.len > 5
               && memcmp(t->low.data + t->low.len - 3, "ing", 3) == 0)
    {
        *prefix = "Avoid ";
    }

    return span;
}


/* "The sound is clean" is about the sound. */

static judge_parse_span_t
judge_names_before_is(const judge_parse_ctx_t *p, judge_parse_span_t core)
{
    size_t  i;
    bool    noun;

    for (i = core.from, noun = false; i < core.to; i++) {
        if (noun && judge_parse_is(&p->tokens[i], JUDGE_W_BE)) {
            core.to = i;
            break;
        }

        noun |= p->tokens[i].quality >= 0 && p->tokens[i].noun;
    }

    return core;
}


/* A quality's name, or the words as they are; t is its token, if any. */

static bool
judge_names_choose(const judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_span_t core, const judge_parse_token_t *t,
    judge_parse_form_e form, judge_names_t *out)
{
    bool                    whole;
    size_t                  i, n, others;
    const judge_quality_t  *q;

    n = judge_names_words(p, core, &others);
    out->partial = (others > 0);

    /* only "good" or "nice" */

    for (i = span.from; out->quality < 0 && others == 0 && i < span.to; i++) {
        out->quality = p->tokens[i].quality;
        n = 0;
    }

    q = judge_quality(out->quality);
    whole = n > 0 && n <= JUDGE_NAMES_WORDS;

    if (n == 0) {
        out->name = (q == NULL) ? JUDGE_STR("") : judge_str_c(q->name);
        out->prefix = "";

    } else if (!p->negative && q != NULL
               && ((!t->noun
                    && (others == 0 || t->span > 2
                        || judge_parse_seek(p, core, JUDGE_W_BE) < core.to))
                   || form == JUDGE_P_REQUIRED || !whole))
    {
        out->partial &= !t->noun && form != JUDGE_P_REQUIRED;
        out->name = judge_str_c(q->name);

    } else {
        whole &= p->negative || form != JUDGE_P_REQUIRED;
        out->name = judge_parse_text(p, whole ? core
                                              : judge_names_cut(p, core));
    }

    return out->name.len > 0;
}


static bool
judge_names_of(const judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_form_e form, judge_names_t *out)
{
    size_t                      others, at;
    judge_parse_span_t          core;
    const judge_parse_token_t  *t;

    span = judge_parse_trim(p, span);
    out->prefix = "";
    core = p->negative ? judge_names_negative(p, span, &out->prefix)
                       : judge_names_core(p, span);

    at = judge_names_quality(p, (core.from < core.to) ? core : span);
    t = (at < ((core.from < core.to) ? core : span).to) ? &p->tokens[at]
                                                        : NULL;
    out->quality = (t == NULL) ? -1 : t->quality;

    if (form == JUDGE_P_LABELLED) {
        (void) judge_names_words(p, span, &others);
        out->partial = (others > 0);
        out->name = judge_parse_text(p, span);
        return out->name.len > 0;
    }

    core = judge_names_before_is(p, core);

    /* "how quickly he answers" makes no sense without "how" */

    if (out->quality < 0 && span.from < core.from
        && judge_parse_word(&p->tokens[span.from], "how")
        && !judge_parse_word(&p->tokens[span.from + 1], "well"))
    {
        core.from = span.from;
    }

    return judge_names_choose(p, span, core, t, form, out);
}


/* --- Criteria ---------------------------------------------------------- */


/* Whether the words are among those of the text. */

static bool
judge_names_within(judge_str_t words, judge_str_t text)
{
    size_t  i;

    for (i = 0; words.len > 0 && i + words.len <= text.len; i++) {
        if (strncasecmp(text.data + i, words.data, words.len) == 0
            && (i == 0 || text.data[i - 1] == ' ')
            && (i + words.len == text.len
                || text.data[i + words.len] == ' '))
        {
            return true;
        }
    }

    return false;
}


/* "Accuracy" and "factual accuracy" are the same, "technical accuracy" and
 * "factual accuracy" are not. */

static bool
judge_names_same(const judge_parse_found_t *f, judge_str_t key, int quality)
{
    judge_str_t  name;

    if (judge_str_caseeq(f->name, key)) {
        return true;
    }

    if (quality < 0 || f->quality != quality) {
        return false;
    }

    name = judge_str_c(judge_quality(quality)->name);

    return judge_str_caseeq(key, name) || judge_str_caseeq(f->name, name)
           || judge_names_within(key, f->name)
           || judge_names_within(f->name, key);
}


static judge_str_t
judge_names_made(judge_parse_ctx_t *p, const judge_names_t *name)
{
    char         *text;
    size_t        i;
    judge_str_t   s;

    s = judge_utf8_prefix(name->name, JUDGE_NAMES_BYTES);
    s = judge_str_printf(p->arena, "%s%.*s", name->prefix, (int) s.len,
                         s.data);
    if (s.data == NULL) {
        p->failed = true;
        return JUDGE_STR("-");
    }

    text = (char *) s.data;
    i = strlen(name->prefix);

    /* "No clickbait", but "No SEO" */

    if (i > 0 && s.len > i + 1 && text[i] >= 'A' && text[i] <= 'Z'
        && text[i + 1] >= 'a' && text[i + 1] <= 'z')
    {
        text[i] = (char) (text[i] | 0x20);
    }

    if (*text >= 'a' && *text <= 'z') {
        *text = (char) (*text & ~0x20);
    }

    for (i = 0; i < s.len; i++) {
        text[i] = ((unsigned char) text[i] < ' ') ? ' ' : text[i];
    }

    return s;
}


static size_t
judge_names_add(judge_parse_ctx_t *p, const judge_names_t *name,
    judge_parse_form_e form)
{
    size_t                i;
    judge_str_t           made;
    judge_parse_found_t  *f;

    made = judge_names_made(p, name);

    for (i = 0; i < p->nfound; i++) {
        f = &p->found[i];

        if (f->negative == (p->negative != 0)
            && judge_names_same(f, made, name->quality))
        {
            p->last = i + 1;
            return i;
        }
    }

    if (p->nfound == JUDGE_PARSE_FOUND) {
        p->lost++;
        return JUDGE_PARSE_NONE;
    }

    p->last = p->nfound + 1;
    f = &p->found[p->nfound];
    *f = (judge_parse_found_t) {
        .name = made, .quality = name->quality,
        .partial = name->partial, .form = form, .strict = p->strict,
        .negative = p->negative != 0, .lenient = p->lenient,
        .share = -1, .points = -1, .factor = 1,
        .levels = { -1, -1, -1, -1 } };
    judge_buf_init(&f->description, p->arena);

    return p->nfound++;
}


size_t
judge_parse_add(judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_form_e form)
{
    judge_names_t  name;

    return judge_names_of(p, span, form, &name)
           ? judge_names_add(p, &name, form) : JUDGE_PARSE_NONE;
}


size_t
judge_parse_add_quality(judge_parse_ctx_t *p, int quality,
    judge_parse_form_e form)
{
    judge_names_t  name;

    name = (judge_names_t) { judge_str_c(judge_quality(quality)->name), false,
                             "", quality };

    return judge_names_add(p, &name, form);
}


size_t
judge_parse_ordinal(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    double  value;

    span = judge_parse_trim(p, span);
    span.from += span.from < span.to
                 && judge_parse_word(&p->tokens[span.from], "the");
    span.to -= span.to - span.from == 2
               && judge_parse_word(&p->tokens[span.to - 1], "one");

    if (span.to - span.from != 1
        || judge_parse_value(p, span.from, span.to, JUDGE_W_ORDINAL, &value)
           == 0)
    {
        return JUDGE_PARSE_NONE;
    }

    value += (value < 0) ? (double) p->nfound : 0;

    return (value >= 0 && value < (double) p->nfound) ? (size_t) value
                                                      : JUDGE_PARSE_NONE;
}


size_t
judge_parse_find(judge_parse_ctx_t *p, judge_parse_span_t span)
{
    bool                        known;
    char                        negative;
    size_t                      i;
    judge_names_t               name;
    const judge_parse_found_t  *f;

    i = judge_parse_ordinal(p, span);

    if (i != JUDGE_PARSE_NONE) {
        return i;
    }

    negative = p->negative;
    p->negative = 0;
    known = judge_names_of(p, span, JUDGE_P_ENUMERATED, &name);
    p->negative = negative;

    if (!known) {
        return JUDGE_PARSE_NONE;
    }

    for (i = 0; i < p->nfound; i++) {
        if (judge_names_same(&p->found[i], name.name, name.quality)) {
            return i;
        }
    }

    for (i = 0; i < p->nfound; i++) {
        f = &p->found[i];

        if (judge_names_within(name.name, f->name)
            || (f->quality >= 0 && f->quality == name.quality))
        {
            return i;
        }
    }

    return JUDGE_PARSE_NONE;
}


void
judge_parse_describe(judge_parse_ctx_t *p, size_t i, judge_str_t prefix,
    judge_parse_span_t span)
{
    size_t        k, begin;
    judge_str_t   text;
    judge_buf_t  *d;

    d = &p->found[i].description;
    text = judge_parse_text(p, span);

    if (text.len == 0 || d->len + prefix.len + text.len
                         > JUDGE_NAMES_DESCRIPTION)
    {
        return;
    }

    judge_buf_c(d, (d->len > 0) ? " " : "");
    begin = d->len;
    judge_buf_str(d, prefix);
    judge_buf_c(d, (prefix.len > 0) ? " " : "");

    /* a wrapped line goes on as one */

    for (k = 0; k < text.len; k++) {
        if ((unsigned char) text.data[k] > ' ') {
            judge_buf_append(d, text.data + k, 1);

        } else if ((unsigned char) text.data[k - 1] > ' ') {
            judge_buf_c(d, " ");
        }
    }

    span = judge_parse_trim(p, span);

    if (strchr(".!?", text.data[text.len - 1]) == NULL) {
        judge_buf_c(d, (span.to < p->ntokens
                        && judge_parse_mark(&p->tokens[span.to], '?'))
                       ? "?" : ".");
    }

    p->failed |= d->failed;
    p->found[i].described = true;

    if (!d->failed && d->data[begin] >= 'a' && d->data[begin] <= 'z') {
        d->data[begin] = (char) (d->data[begin] & ~0x20);
    }
}
