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
#include "analysis/criteria/criteria_grammar.h"


#define JUDGE_NAMES_WORDS        6     /* of a phrase that is its own name */
#define JUDGE_NAMES_CUT          5     /* of one that is cut */
#define JUDGE_NAMES_BYTES        160
#define JUDGE_NAMES_DESCRIPTION  4000  /* bytes */

typedef struct {
    judge_str_t  name;                 /* not yet with a capital */
    bool         partial;
    const char  *prefix;               /* "No ", "Avoid " */
    int          quality;
} judge_name_t;


static judge_str_t
judge_name_word(int quality)
{
    return (quality < 0) ? JUDGE_STR("")
           : judge_str_c(judge_qualities[quality].name);
}


/* --- The words of a name ----------------------------------------------- */


typedef struct {
    const judge_term_t  *token;       /* of the quality, or NULL */
    size_t               words;
    size_t               others;       /* that belong to no quality */
} judge_name_scan_t;


/* Of two qualities the noun: "clear structure" is about structure. */

static judge_name_scan_t
judge_name_scan(const judge_prose_t *p, judge_span_t s)
{
    size_t               next;
    const judge_term_t  *t;
    judge_name_scan_t    scan = { NULL, 0, 0 };

    for (next = 0; s.from < s.to; s.from++) {
        t = &p->tokens[s.from];
        scan.words += t->kind < JUDGE_TERM_QUOTE;

        if (s.from < next) {
            continue;
        }

        if (t->quality < 0) {
            scan.others += t->kind == JUDGE_TERM_QUOTE
                           || (t->kind == JUDGE_TERM_WORD
                               && !judge_term_is(t, JUDGE_W_FILLER)
                               && !judge_term_is(t, JUDGE_W_GENERIC));
            continue;
        }

        next = s.from + t->span;

        if ((judge_qualities[t->quality].flags & JUDGE_Q_VAGUE) == 0
            && (scan.token == NULL || (t->noun && !scan.token->noun)))
        {
            scan.token = t;
        }
    }

    return scan;
}


/* Without the words at its ends that are not part of any name; the phrase of
 * a quality may end with such a word. */

static judge_span_t
judge_name_core(const judge_prose_t *p, judge_span_t s)
{
    bool                 noun;
    size_t               i;
    const judge_term_t  *t;

    for ( ; s.from < s.to; s.from++) {
        t = &p->tokens[s.from];

        if (t->span > 1
            || (t->kind != JUDGE_TERM_MARK
                && !judge_term_is(t, JUDGE_W_FILLER)
                && (!judge_term_is(t, JUDGE_W_GENERIC) || t->quality >= 0)))
        {
            break;
        }
    }

    /* "the sound is clean" is about the sound */

    for (i = s.from, noun = false; i < s.to; i++) {
        t = &p->tokens[i];
        s.to = (noun && judge_term_is(t, JUDGE_W_BE)) ? i : s.to;
        noun |= t->quality >= 0 && t->noun;
    }

    for ( ; s.to > s.from; s.to--) {
        t = &p->tokens[s.to - 1];

        if (t->kind == JUDGE_TERM_MARK
            || (t->quality < 0 && judge_term_is(t, JUDGE_W_LINKING)))
        {
            continue;
        }

        /* "clear texts" is about clarity, "help articles" are a thing */

        if (t->quality >= 0 || !judge_term_is(t, JUDGE_W_GENERIC)
            || (s.to - s.from > 1 && t[-1].quality < 0
                && !judge_term_is(t - 1, JUDGE_W_LINKING)))
        {
            break;
        }
    }

    return s;
}


/* The first words, up to a preposition or mark. */

static judge_span_t
judge_name_cut(const judge_prose_t *p, judge_span_t s)
{
    size_t               i, n;
    const judge_term_t  *t;

    for (i = s.from, n = 0; i < s.to && n < JUDGE_NAMES_CUT; i++) {
        t = &p->tokens[i];

        if (judge_term_is(t, JUDGE_W_CUT)
            || (n >= 3 && judge_term_is(t, JUDGE_W_PREPOSITION)))
        {
            break;
        }

        n += (t->kind == JUDGE_TERM_WORD);
    }

    while (i > s.from + 1 && judge_span_is(p, i - 1, JUDGE_W_LINKING)) {
        i--;
    }

    return judge_span(s.from, i);
}


/* "No jargon", "Not boring", "Do not repeat yourself", "Avoid shouting". */

static judge_span_t
judge_name_negative(const judge_prose_t *p, judge_span_t s,
    const char **prefix)
{
    bool                 be;
    const judge_term_t  *t, *last;

    be = false;

    for (t = &p->tokens[s.from]; s.from < s.to; t = &p->tokens[++s.from]) {
        if ((t->kind != JUDGE_TERM_MARK && !judge_term_is(t, JUDGE_W_LIGHT)
             && !judge_term_is(t, JUDGE_W_BE))
            || (be && judge_term_is(t, JUDGE_W_TOO)))
        {
            break;
        }

        be |= judge_term_is(t, JUDGE_W_BE);
    }

    last = &p->tokens[s.to - 1];

    *prefix = (s.from == s.to) ? "No "
              : (be || (last->quality >= 0 && !last->noun)) ? "Not "
              : (p->mood.negative == 'V' && s.from + 1 < s.to
                 && t->quality < 0 && !judge_term_is(t - 1, JUDGE_W_LIGHT))
              ? "Do not "
              : (t->quality < 0 && t->low.len > 5
                 && memcmp(t->low.data + t->low.len - 3, "ing", 3) == 0)
              ? "Avoid " : "No ";

    return s;
}


/* A quality's name, or the words as they are. */

static bool
judge_name_of(const judge_prose_t *p, judge_span_t s, judge_form_e form,
    judge_name_t *out)
{
    bool                 negative, whole;
    size_t               i;
    judge_span_t         core;
    const judge_term_t  *t;
    judge_name_scan_t    scan;

    s = judge_span_trim(p, s);
    negative = p->mood.negative != 0;
    *out = (judge_name_t) { .prefix = "", .quality = -1 };
    core = negative ? judge_name_negative(p, s, &out->prefix)
                    : judge_name_core(p, s);
    t = judge_name_scan(p, (core.from < core.to) ? core : s).token;
    out->quality = (t == NULL) ? -1 : t->quality;

    if (form == JUDGE_FORM_LABELLED) {
        out->partial = judge_name_scan(p, s).others > 0;
        out->name = judge_span_text(p, s);
        return out->name.len > 0;
    }

    /* "how quickly he answers" makes no sense without "how" */

    core.from = (t == NULL && s.from < core.from
                 && judge_span_is(p, s.from, JUDGE_W_HOW)
                 && !judge_span_is(p, s.from + 1, JUDGE_W_WELL))
                ? s.from : core.from;
    scan = judge_name_scan(p, core);
    out->partial = scan.others > 0;

    /* only "good" or "nice" */

    for (i = s.from; out->quality < 0 && scan.others == 0 && i < s.to; i++) {
        out->quality = p->tokens[i].quality;
        scan.words = 0;
    }

    whole = scan.words <= JUDGE_NAMES_WORDS
            && (negative || form != JUDGE_FORM_REQUIRED);

    if (scan.words == 0
        || (!negative && out->quality >= 0
            && (!whole
                || (!t->noun
                    && (scan.others == 0 || t->span > 2
                        || judge_span_has(p, core, JUDGE_W_BE))))))
    {
        out->partial &= t != NULL && !t->noun && form != JUDGE_FORM_REQUIRED;
        out->prefix = (scan.words == 0) ? "" : out->prefix;
        out->name = judge_name_word(out->quality);

    } else {
        core = whole ? core : judge_name_cut(p, core);
        out->name = judge_span_text(p, core);
    }

    return out->name.len > 0;
}


/* --- Criteria ---------------------------------------------------------- */


/* Whether the words are among those of the text. */

static bool
judge_name_within(judge_str_t words, judge_str_t text)
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
judge_name_same(const judge_draft_t *f, judge_str_t key, int quality)
{
    judge_str_t  name;

    name = judge_name_word(quality);

    return judge_str_caseeq(f->name, key)
           || (quality >= 0 && f->quality == quality
               && (judge_str_caseeq(key, name)
                   || judge_str_caseeq(f->name, name)
                   || judge_name_within(key, f->name)
                   || judge_name_within(f->name, key)));
}


static judge_str_t
judge_name_made(judge_prose_t *p, const judge_name_t *name)
{
    char        *text;
    size_t       i;
    judge_str_t  s;

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

    if (i > 0 && text[i] >= 'A' && text[i] <= 'Z' && text[i + 1] >= 'a') {
        text[i] |= 0x20;
    }

    *text &= (*text >= 'a' && *text <= 'z') ? ~0x20 : ~0;

    for (i = 0; i < s.len; i++) {
        text[i] = ((unsigned char) text[i] < ' ') ? ' ' : text[i];
    }

    return s;
}


static size_t
judge_name_make(judge_prose_t *p, const judge_name_t *name, judge_form_e form)
{
    size_t          i;
    judge_str_t     made;
    judge_draft_t  *f;

    made = judge_name_made(p, name);

    for (i = 0; i < p->nfound; i++) {
        f = &p->found[i];

        if ((f->mood.negative != 0) == (p->mood.negative != 0)
            && judge_name_same(f, made, name->quality))
        {
            p->last = i + 1;
            return i;
        }
    }

    if (p->nfound == JUDGE_CRITERIA_FOUND) {
        p->lost++;
        return JUDGE_NONE;
    }

    f = &p->found[p->nfound];
    *f = (judge_draft_t) {
        .name = made, .quality = name->quality, .partial = name->partial,
        .form = form, .mood = p->mood, .share = -1, .points = -1,
        .factor = 1, .levels = { -1, -1, -1, -1 } };
    judge_buf_init(&f->description, p->arena);
    p->last = ++p->nfound;

    return p->nfound - 1;
}


size_t
judge_name_add(judge_prose_t *p, judge_span_t s, judge_form_e form)
{
    judge_name_t  name;

    return judge_name_of(p, s, form, &name)
           ? judge_name_make(p, &name, form) : JUDGE_NONE;
}


size_t
judge_name_quality(judge_prose_t *p, int quality, judge_form_e form)
{
    judge_name_t  name = {
        judge_name_word(quality), false, "", quality };

    return judge_name_make(p, &name, form);
}


size_t
judge_name_ordinal(const judge_prose_t *p, judge_span_t s)
{
    size_t  n;
    double  value;

    s = judge_span_trim(p, s);
    n = judge_span_value(p, s.from, s.to, JUDGE_W_ORDINAL, &value);

    if (n == 0 || n < s.to - s.from) {
        return JUDGE_NONE;
    }

    value += (value < 0) ? (double) p->nfound : 0;

    return (value >= 0 && value < (double) p->nfound) ? (size_t) value
                                                      : JUDGE_NONE;
}


size_t
judge_name_find(judge_prose_t *p, judge_span_t s)
{
    size_t                i, like;
    judge_mood_t          mood;
    judge_name_t          name;
    const judge_draft_t  *f;

    like = judge_name_ordinal(p, s);
    mood = p->mood;
    p->mood.negative = 0;

    for (i = (like == JUDGE_NONE && judge_name_of(p, s, JUDGE_FORM_ENUMERATED,
                                                  &name)) ? p->nfound : 0;
         i > 0; i--)
    {
        f = &p->found[i - 1];

        if (judge_name_within(name.name, f->name)
            || judge_str_caseeq(f->name, name.name)
            || (f->quality >= 0 && f->quality == name.quality))
        {
            like = i - 1;
        }
    }

    p->mood = mood;

    return like;
}


void
judge_name_describe(judge_prose_t *p, size_t at, judge_str_t prefix,
    judge_span_t s)
{
    size_t        i, begin;
    judge_str_t   text;
    judge_buf_t  *d;

    d = &p->found[at].description;
    text = judge_span_text(p, s);

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

    for (i = 0; i < text.len; i++) {
        if ((unsigned char) text.data[i] > ' ') {
            judge_buf_append(d, text.data + i, 1);

        } else if ((unsigned char) text.data[i - 1] > ' ') {
            judge_buf_c(d, " ");
        }
    }

    s = judge_span_trim(p, s);

    if (strchr(".!?", text.data[text.len - 1]) == NULL) {
        judge_buf_c(d, judge_span_is(p, s.to, JUDGE_W_QUESTION) ? "?" : ".");
    }

    p->failed |= d->failed;
    p->found[at].described = true;

    if (!d->failed && d->data[begin] >= 'a' && d->data[begin] <= 'z') {
        d->data[begin] &= ~0x20;
    }
}


void
judge_name_note(judge_prose_t *p, const char *fmt, ...)
{
    size_t       i;
    va_list      args;
    judge_buf_t  line;

    judge_buf_init(&line, p->arena);
    va_start(args, fmt);
    judge_buf_vprintf(&line, fmt, args);
    va_end(args);
    p->failed |= line.failed;

    for (i = 0; i < p->nnotes; i++) {
        if (judge_str_eq(p->notes[i], judge_buf_view(&line))) {
            return;
        }
    }

    if (p->nnotes < JUDGE_CRITERIA_NOTES) {
        p->notes[p->nnotes++] = judge_buf_view(&line);
    }
}
