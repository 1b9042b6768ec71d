/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The editor of drafts: what a criterion is called, which phrases call the
 * same one, its description and its weight.
 */


#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/text/utf8.h"
#include "analysis/criteria/criteria_grammar.h"


#define JUDGE_NAMES_WORDS        6     /* of a phrase that is its own name */
#define JUDGE_NAMES_CUT          5     /* of one that is cut */
#define JUDGE_NAMES_BYTES        160
#define JUDGE_NAMES_DESCRIPTION  4000  /* bytes */
#define JUDGE_DRAFTS_MORE        1.5   /* "more important than" */

typedef struct {
    judge_str_t  name;                 /* not yet with a capital */
    bool         partial;
    judge_say_e  negation;
    int          quality;
} judge_name_t;


static judge_str_t
judge_name_word(const judge_prose_t *p, int quality)
{
    return (quality < 0) ? JUDGE_STR("")
           : judge_str_c(judge_qualities[quality].in[p->language].name);
}


const char *
judge_draft_saying(const judge_prose_t *p, judge_say_e what)
{
    return judge_criteria_says[p->language][what];
}


judge_str_t
judge_draft_say(judge_prose_t *p, const char *saying, judge_str_t s,
    judge_str_t t)
{
    size_t       n;
    judge_buf_t  out;

    judge_buf_init(&out, p->arena);

    for ( ; *saying != '\0'; saying += n) {
        n = strcspn(saying + 1, "%") + 1;

        if (*saying != '%') {
            judge_buf_append(&out, saying, n);
            continue;
        }

        judge_buf_str(&out, (saying[1] == 's') ? s : t);
        judge_buf_append(&out, saying + 2, n - 2);
    }

    judge_buf_append(&out, "", 1);
    p->failed |= out.failed;

    return out.failed ? JUDGE_STR("-")
           : (judge_str_t) { out.len - 1, out.data };
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
            || (t->quality < 0 && (judge_term_is(t, JUDGE_W_LINKING)
                                   || judge_term_is(t, JUDGE_W_FINAL))))
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
            || (n >= 3 && judge_term_is(t, JUDGE_W_PREPOSITION)
                && !judge_term_is(t, JUDGE_W_OF)))
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


/* "No jargon", "Not boring", "Do not repeat yourself". */

static judge_span_t
judge_name_negative(const judge_prose_t *p, judge_span_t s,
    judge_say_e *negation)
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

    while (s.to > s.from + 1 && judge_span_is(p, s.to - 1, JUDGE_W_FINAL)) {
        be |= judge_span_is(p, --s.to, JUDGE_W_BE);
    }

    last = &p->tokens[s.to - 1];

    *negation = (s.from == s.to) ? JUDGE_SAY_NO
                : (be || (last->quality >= 0 && !last->noun)) ? JUDGE_SAY_NOT
                : (p->mood.negative == 'V' && s.from + 1 < s.to
                   && (t->quality < 0 || judge_term_is(t, JUDGE_W_VERB))
                   && !judge_term_is(t - 1, JUDGE_W_LIGHT))
                ? JUDGE_SAY_DONT
                : JUDGE_SAY_NO;

    return s;
}


/* "mention the job title", "el título del puesto" are not about titles. */

static bool
judge_name_compound(const judge_prose_t *p, judge_span_t s,
    const judge_term_t *noun)
{
    size_t               i;
    const judge_term_t  *t;

    i = (size_t) (noun - p->tokens);
    t = noun - 1;

    if (i > s.from && t->kind == JUDGE_TERM_WORD && t->quality < 0
        && (t->classes[0] | t->classes[1] | t->classes[2]) == 0)
    {
        return true;
    }

    i += noun->span;

    if (i + 1 >= s.to || !judge_span_is(p, i, JUDGE_W_OF)) {
        return false;
    }

    i = judge_span_skip(p, judge_span(i, s.to), JUDGE_W_FILLER);
    i += i < s.to && judge_span_is(p, i, JUDGE_W_OF);
    i = judge_span_skip(p, judge_span(i, s.to), JUDGE_W_FILLER);

    return i < s.to && p->tokens[i].quality < 0
           && !judge_span_is(p, i, JUDGE_W_GENERIC);
}


/* Whether a quality's name says it, and not the words: "clear texts", "how
 * easy it is to follow". */

static bool
judge_name_plain(const judge_prose_t *p, judge_span_t core, size_t end,
    const judge_term_t *t, judge_form_e form, judge_name_scan_t scan)
{
    if (scan.words == 0) {
        return true;
    }

    if (p->mood.negative != 0 || t == NULL
        || (form == JUDGE_FORM_REQUIRED && t->noun
            && judge_name_compound(p, core, t)))
    {
        return false;
    }

    return scan.words > JUDGE_NAMES_WORDS || form == JUDGE_FORM_REQUIRED
           || (!t->noun && (scan.others == 0 || t->span > 2
                            || judge_span_has(p, judge_span(core.from, end),
                                              JUDGE_W_BE)));
}


/* A quality's name, or the words as they are. */

static bool
judge_name_of(const judge_prose_t *p, judge_span_t s, judge_form_e form,
    judge_name_t *out)
{
    size_t               i;
    judge_span_t         core;
    const judge_term_t  *t;
    judge_name_scan_t    scan;

    s = judge_span_trim(p, s);
    *out = (judge_name_t) { .quality = -1 };
    core = (p->mood.negative != 0)
           ? judge_name_negative(p, s, &out->negation)
           : judge_name_core(p, s);
    t = judge_name_scan(p, (core.from < core.to) ? core : s).token;
    out->quality = (t == NULL) ? -1 : t->quality;

    if (form == JUDGE_FORM_LABELLED) {
        out->partial = judge_name_scan(p, s).others > 0;
        out->name = judge_span_text(p, s);
        out->negation = JUDGE_SAY_NONE;
        return out->name.len > 0;
    }

    /* "how quickly he answers" makes no sense without "how" */

    core.from = (t == NULL && s.from < core.from
                 && judge_span_is(p, s.from, JUDGE_W_WHY)
                 && !judge_span_is(p, s.from + 1, JUDGE_W_WELL))
                ? s.from : core.from;
    scan = judge_name_scan(p, core);
    out->partial = scan.others > 0;

    /* only "good" or "nice" */

    for (i = s.from; out->quality < 0 && scan.others == 0 && i < s.to; i++) {
        out->quality = p->tokens[i].quality;
        scan.words = 0;
    }

    if (judge_name_plain(p, core, s.to, t, form, scan)) {
        out->partial &= t != NULL && !t->noun && form != JUDGE_FORM_REQUIRED;
        out->negation = (scan.words == 0) ? JUDGE_SAY_NONE : out->negation;
        out->name = judge_name_word(p, out->quality);

    } else {
        core = (scan.words <= JUDGE_NAMES_WORDS
                && (p->mood.negative != 0 || form != JUDGE_FORM_REQUIRED))
               ? core : judge_name_cut(p, core);
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
judge_name_same(const judge_prose_t *p, const judge_draft_t *f,
    judge_str_t key, int quality)
{
    judge_str_t  name;

    name = judge_name_word(p, quality);

    return judge_str_caseeq(f->name, key)
           || (quality >= 0 && f->quality == quality
               && (judge_str_caseeq(key, name)
                   || judge_str_caseeq(f->name, name)
                   || judge_name_within(key, f->name)
                   || judge_name_within(f->name, key)));
}


/* A capital at the beginning, also of two bytes; none behind "No", but "No
 * SEO", and German nouns keep theirs. */

static void
judge_name_capital(const judge_prose_t *p, char *text, size_t len,
    bool first)
{
    if (first) {
        if (*text >= 'a' && *text <= 'z') {
            *text &= ~0x20;

        } else if (len > 1 && *text == '\xc3' && text[1] >= '\xa0') {
            text[1] &= ~0x20;
        }

    } else if (*text >= 'A' && *text <= 'Z' && len > 1 && text[1] >= 'a'
               && judge_draft_saying(p, JUDGE_SAY_CAPITALS) == NULL)
    {
        *text |= 0x20;
    }
}


static judge_str_t
judge_name_made(judge_prose_t *p, const judge_name_t *name,
    judge_str_t *bare)
{
    char    *text;
    size_t   i;

    *bare = judge_str_dup(p->arena, judge_utf8_prefix(name->name,
                                                      JUDGE_NAMES_BYTES));
    if (bare->data == NULL) {
        p->failed = true;
        return JUDGE_STR("-");
    }

    text = (char *) bare->data;

    for (i = 0; i < bare->len; i++) {
        text[i] = ((unsigned char) text[i] < ' ') ? ' ' : text[i];
    }

    judge_name_capital(p, text, bare->len, name->negation == JUDGE_SAY_NONE);

    return (name->negation == JUDGE_SAY_NONE) ? *bare
           : judge_draft_say(p, judge_draft_saying(p, name->negation), *bare,
                             JUDGE_STR(""));
}


static size_t
judge_name_make(judge_prose_t *p, const judge_name_t *name, judge_form_e form)
{
    size_t          i;
    judge_str_t     made, bare;
    judge_draft_t  *f;

    made = judge_name_made(p, name, &bare);

    for (i = 0; i < p->nfound; i++) {
        f = &p->found[i];

        if ((f->mood.negative != 0) == (p->mood.negative != 0)
            && judge_name_same(p, f, made, name->quality))
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
        .name = made, .bare = bare, .negation = name->negation,
        .quality = name->quality, .partial = name->partial,
        .named = name->quality >= 0 && judge_str_caseeq(made,
                     judge_name_word(p, name->quality)),
        .form = form, .mood = p->mood, .share = -1, .points = -1,
        .factor = 1, .levels = { -1, -1, -1, -1 } };
    judge_buf_init(&f->description, p->arena);
    p->last = ++p->nfound;

    return p->nfound - 1;
}


size_t
judge_draft_add(judge_prose_t *p, judge_span_t s, judge_form_e form)
{
    judge_name_t  name;

    return judge_name_of(p, s, form, &name)
           ? judge_name_make(p, &name, form) : JUDGE_NONE;
}


size_t
judge_draft_quality(judge_prose_t *p, int quality, judge_form_e form)
{
    judge_name_t  name = {
        judge_name_word(p, quality), false, JUDGE_SAY_NONE, quality };

    return judge_name_make(p, &name, form);
}


size_t
judge_draft_ordinal(const judge_prose_t *p, judge_span_t s)
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
judge_draft_find(judge_prose_t *p, judge_span_t s)
{
    size_t                i, like;
    judge_mood_t          mood;
    judge_name_t          name;
    const judge_draft_t  *f;

    like = judge_draft_ordinal(p, s);
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
judge_draft_describe(judge_prose_t *p, size_t at, const judge_frame_t *frame,
    judge_span_t s)
{
    size_t        i, begin;
    judge_str_t   text;
    judge_buf_t  *d;

    static const judge_frame_t  none = { { 0, "" }, { 0, "" } };

    frame = (frame == NULL) ? &none : frame;
    d = &p->found[at].description;
    text = judge_span_text(p, s);

    if (text.len == 0 || d->len + frame->before.len + text.len
                         + frame->after.len > JUDGE_NAMES_DESCRIPTION)
    {
        return;
    }

    judge_buf_c(d, (d->len > 0) ? " " : "");
    begin = d->len;
    judge_buf_str(d, frame->before);
    judge_buf_c(d, (frame->before.len > 0) ? " " : "");

    /* a wrapped line goes on as one */

    for (i = 0; i < text.len; i++) {
        if ((unsigned char) text.data[i] > ' ') {
            judge_buf_append(d, text.data + i, 1);

        } else if ((unsigned char) text.data[i - 1] > ' ') {
            judge_buf_c(d, " ");
        }
    }

    judge_buf_c(d, (frame->after.len > 0) ? " " : "");
    judge_buf_str(d, frame->after);
    s = judge_span_trim(p, s);

    if (strchr(".!?", text.data[text.len - 1]) == NULL) {
        judge_buf_c(d, judge_span_is(p, s.to, JUDGE_W_QUESTION) ? "?" : ".");
    }

    p->failed |= d->failed;

    if (!d->failed) {
        judge_name_capital(p, d->data + begin, d->len - begin, true);
    }
}


judge_str_t
judge_draft_number(judge_prose_t *p, double n)
{
    judge_str_t  text;

    text = judge_str_printf(p->arena, "%g", n);
    p->failed |= text.data == NULL;

    return text;
}


void
judge_draft_tell(judge_prose_t *p, judge_say_e note, judge_str_t s,
    judge_str_t t)
{
    size_t       i;
    judge_str_t  line;

    line = judge_draft_say(p, judge_draft_saying(p, note), s, t);

    for (i = 0; i < p->nnotes; i++) {
        if (judge_str_eq(p->notes[i], line)) {
            return;
        }
    }

    if (p->nnotes < JUDGE_CRITERIA_NOTES) {
        p->notes[p->nnotes++] = line;
    }
}


void
judge_draft_note(judge_prose_t *p, judge_say_e note, judge_str_t s, double n)
{
    judge_draft_tell(p, note, s, (n < 0) ? JUDGE_STR("")
                                         : judge_draft_number(p, n));
}


/* "I don't care about grammar". */

void
judge_draft_unwanted(judge_prose_t *p, judge_span_t s)
{
    judge_name_t  name;
    judge_mood_t  mood;

    mood = p->mood;
    p->mood.negative = 0;

    if (judge_name_of(p, s, JUDGE_FORM_ENUMERATED, &name)) {
        judge_draft_note(p, JUDGE_SAY_NOT_JUDGED,
                         judge_utf8_prefix(name.name, JUDGE_NAMES_BYTES), -1);
    }

    p->mood = mood;
}


/* --- Weights ------------------------------------------------------------ */


void
judge_draft_apply(judge_prose_t *p, size_t at, const judge_cue_t *cue)
{
    size_t          b, last;
    judge_draft_t  *f;

    if (!cue->any || at >= p->nfound) {
        return;
    }

    f = &p->found[at];
    p->weighed |= !cue->scale || cue->share >= 0 || cue->points > 0;

    if (cue->share >= 0 && f->share >= 0
        && fabs(f->share - cue->share) > 0.5)
    {
        p->conflict = true;
        judge_draft_note(p, JUDGE_SAY_TWO_SHARES, f->name, f->share);

    } else if (cue->share >= 0) {
        f->share = cue->share;
    }

    f->points = (cue->points > 0 && f->points < 0) ? cue->points : f->points;

    if (cue->factor > 0) {
        f->factor = cue->factor;
        f->most = cue->most;
    }

    if (cue->times < 0 && !cue->more && !cue->less) {
        return;
    }

    last = p->last;
    b = judge_draft_find(p, cue->other);

    if (b == JUDGE_NONE) {
        b = judge_draft_add(p, cue->other, JUDGE_FORM_WEIGHED);
    }

    p->last = last;

    if (at == b || b == JUDGE_NONE
        || p->nrelations == JUDGE_CRITERIA_RELATIONS)
    {
        return;
    }

    p->relations[p->nrelations++]
        = (cue->times > 0) ? (judge_relation_t) { at, b, cue->times, false }
          : (judge_relation_t) { cue->more ? at : b, cue->more ? b : at,
                                 JUDGE_DRAFTS_MORE, true };
}
