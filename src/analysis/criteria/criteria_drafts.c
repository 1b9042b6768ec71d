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

#include "base/text/utf8.h"
#include "analysis/criteria/criteria_grammar.h"


#define JUDGE_NAMES_WORDS        6     /* of a phrase that is its own name */
#define JUDGE_NAMES_CUT          5     /* of one that is cut */
#define JUDGE_NAMES_BYTES        160
#define JUDGE_NAMES_DESCRIPTION  4000  /* bytes */

#define judge_name_quality(p, q)                                             \
    (((q) < 0) ? "" : judge_qualities[q].in[(p)->language].name)

#define JUDGE_CUES_MAX     4           /* of one piece of text */
#define JUDGE_CUES_TIMES   20          /* that something may count */
#define JUDGE_CUES_MORE    1.5         /* times: "more important than" */

typedef struct {
    judge_term_t  *token;              /* of the quality, or NULL */
    size_t         words;
    size_t         others;             /* that belong to no quality */
} judge_name_scan_t;


const judge_str_t  judge_parse_types[] = {
    judge_str("text"), judge_str("video"), judge_str("audio"),
    judge_str("image") };


judge_str_t
judge_draft_say(judge_prose_t *p, const char *saying, judge_str_t s,
    judge_str_t t)
{
    const char   *mark;
    judge_buf_t   out;

    judge_buf_init(&out, p->arena);

    for ( ; (mark = strchr(saying, '%')) != NULL; saying = mark + 2) {
        judge_buf_append(&out, saying, (size_t) (mark - saying));
        judge_buf_str(&out, (mark[1] == 's') ? s : t);
    }

    judge_buf_append(&out, saying, strlen(saying) + 1);
    p->failed |= out.failed;

    return out.failed ? JUDGE_STR("-")
           : (judge_str_t) { out.len - 1, out.data };
}


void
judge_draft_note(judge_prose_t *p, judge_say_e note, judge_str_t s, double n)
{
    judge_str_t  line, t;

    t = (n < 0) ? judge_parse_types[p->request->content_type]
                : judge_str_printf(p->arena, "%g", n);
    p->failed |= t.data == NULL;
    line = judge_draft_say(p, judge_draft_saying(p, note), s, t);

    if (p->nnotes < JUDGE_CRITERIA_NOTES
        && judge_str_index(p->notes, p->nnotes, line) == p->nnotes)
    {
        p->notes[p->nnotes++] = line;
    }
}


/* Of two qualities the noun: "clear structure" is about structure. */

static judge_name_scan_t
judge_name_scan(judge_span_t s)
{
    judge_term_t       *t, *next;
    judge_name_scan_t   scan = { NULL, 0, 0 };

    for (t = next = s.from; t < s.to; t++) {
        scan.words += t->kind < JUDGE_TERM_QUOTE;

        if (t < next || t->quality < 0) {
            scan.others += t >= next
                           && (t->kind == JUDGE_TERM_QUOTE
                               || (t->kind == JUDGE_TERM_WORD
                                   && !judge_term_is(t, IDLE)));
            continue;
        }

        next = t + t->span;

        if ((judge_qualities[t->quality].flags & JUDGE_Q_VAGUE) == 0
            && (scan.token == NULL || (!scan.token->noun
                    && (t->noun || scan.token + scan.token->span == t))))
        {
            scan.token = t;
        }
    }

    return scan;
}


/* Without the words at its ends that are not part of any name: "help articles"
 * are a thing, "clear texts" is about clarity. */

static judge_span_t
judge_name_core(judge_span_t s)
{
    bool           noun;
    judge_term_t  *t;

    while (s.from < s.to && s.from->span == 1
           && (judge_term_is(s.from, FILLER)
               || (judge_term_is(s.from, GENERIC) && s.from->quality < 0
                   && !judge_term_is(s.from, VERB)
                   && (s.from[1].hits != NULL || s.from + 1 == s.to
                       || s.from[1].kind != JUDGE_TERM_WORD))))
    {
        s.from++;
    }

    for (t = s.from, noun = false; t < s.to; t++) {
        s.to = (noun && judge_term_is(t, BE)) ? t : s.to;
        noun |= t->quality >= 0 && t->noun;
    }

    for (t = s.to - 1; s.to > s.from && t->quality < 0
         && (t->kind == JUDGE_TERM_MARK || judge_term_is(t, CLOSING)
             || (judge_term_is(t, GENERIC)
                 && (t == s.from || t[-1].quality >= 0
                     || judge_term_is(t - 1, LINKING)))); t--)
    {
        s.to--;
    }

    return s;
}


/* The first words, up to a preposition or mark. */

static judge_span_t
judge_name_cut(judge_span_t s)
{
    size_t         n;
    judge_term_t  *t;

    for (t = s.from, n = 0; t < s.to && n < JUDGE_NAMES_CUT
         && !judge_term_is(t, CUT) && (n < 2 || !judge_term_is(t, WHICH))
         && (n < 3 || !judge_term_is(t, PREPOSITION) || judge_term_is(t, OF));
         t++)
    {
        n += t->kind == JUDGE_TERM_WORD;
    }

    return judge_span_strip(judge_span(s.from, t), NONE, LINKING);
}


/* "No jargon", "Not boring", "Do not repeat yourself". */

static judge_span_t
judge_name_negative(const judge_prose_t *p, judge_span_t s, unsigned mood,
    judge_say_e *negation)
{
    bool           be, does;
    judge_term_t  *t, *last;

    /* "don't hallucinate", "does not repeat" */
    does = judge_term_is(s.from - 1, DO)
           || (s.from[-1].kind == JUDGE_TERM_WORD
               && judge_term_is(s.from - 2, DO));

    for (t = s.from, be = false; t < s.to
         && (t->kind == JUDGE_TERM_MARK || judge_term_is(t, BE)
             || (judge_term_is(t, LIGHT) && t->span == 1)); t++)
    {
        be |= judge_term_is(t, BE);
    }

    last = judge_span_strip(judge_span(t + 1, s.to), NONE, FINAL).to - 1;
    does = does && t == s.from;
    s = judge_span(t, (t < s.to) ? last + 1 : t);

    *negation = (s.from == s.to) ? JUDGE_SAY_NO
                : does ? JUDGE_SAY_DONT
                : (be || (t == last
                          && (judge_term_is(t - 1, IS)
                              || judge_term_small(p, t)
                              || (judge_term_is(t - 1, EVER) && !t->hits)))
                   || (last->quality >= 0 && !last->noun)) ? JUDGE_SAY_NOT
                : ((mood & judge_mood(NEVER)) != 0
                   && ((t < last && t->quality < 0) || judge_term_is(t, VERB))
                   && !judge_term_is(t - 1, LIGHT))
                ? (judge_term_is(t, VERB) && t->low.data[t->low.len - 1] == 's'
                   ? JUDGE_SAY_NEVER : JUDGE_SAY_DONT) : JUDGE_SAY_NO;

    return s;
}


/* Whether a quality's name says it, and not the words: "clear texts", "how
 * easy it is to follow"; not "a clear ask", "el título del puesto". */

static bool
judge_name_plain(const judge_prose_t *p, judge_span_t core, judge_term_t *end,
    judge_form_e form, judge_name_scan_t scan)
{
    judge_term_t  *near, *t = scan.token;

    if (t == NULL || form != JUDGE_FORM_REQUIRED) {
        core.to = end;
        return t != NULL
               && (scan.words > JUDGE_NAMES_WORDS
                   || (!t->noun
                       && (scan.others == 0 || t->span > 2
                           || judge_span_has(core, BE))));
    }

    near = (p->language > 2 || t->noun) ? t - 1 : t + t->span;

    if (near >= core.from && near < core.to && near->hits == NULL
        && (t->noun || (near->kind == JUDGE_TERM_WORD
                        && !judge_span_has(core, BE))))
    {
        return false;
    }

    near = t + t->span;

    return !t->noun || near >= core.to || !judge_term_is(near, OF)
           || judge_span_generic(judge_span(near + 1, core.to));
}


/* A quality's name, or the words, become out->bare; false: there are none. */

static bool
judge_name_of(const judge_prose_t *p, judge_span_t s, judge_form_e form,
    unsigned mood, judge_draft_t *out)
{
    judge_span_t        core;
    judge_term_t       *t;
    judge_name_scan_t   scan;

    s = judge_span_trim(s);
    *out = (judge_draft_t) { .quality = -1, .form = form,
                             .levels = { -1, -1, -1, -1 } };
    mood &= JUDGE_MOOD_NEGATIVE;
    core = (mood != 0) ? judge_name_negative(p, s, mood, &out->negation)
           : judge_name_core(s);
    t = judge_name_scan((form == JUDGE_FORM_REQUIRED && mood == 0)
                        ? judge_span(core.from, judge_span_seek(core, WHEN))
                        : (core.from < core.to) ? core : s).token;
    out->quality = (t == NULL) ? -1 : t->quality;

    if (form == JUDGE_FORM_LABELLED) {
        out->partial = judge_name_scan(s).others > 0;
        out->bare = judge_span_text(judge_span_strip(s, THE, NONE));
        out->negation = JUDGE_SAY_NONE;
        return out->bare.len > 0;
    }

    /* "how quickly he answers" makes no sense without "how" */
    if (t == NULL && s.from < core.from && judge_term_is(s.from, WHY)
        && !judge_term_is(s.from + 1, WELL))
    {
        core.from = s.from;
    }

    scan = judge_name_scan(core);
    scan.token = t;
    out->partial = scan.others > 0;

    /* only "good" or "nice" */
    for ( ; out->quality < 0 && scan.others == 0 && s.from < s.to; s.from++) {
        out->quality = s.from->quality;
        out->negation = JUDGE_SAY_NONE;
        scan.words = 0;
    }

    if (scan.words == 0
        || (mood == 0 && judge_name_plain(p, core, s.to, form, scan)))
    {
        out->partial = false;
        out->bare = judge_str_c(judge_name_quality(p, out->quality));

    } else {
        out->bare = judge_span_text((scan.words <= JUDGE_NAMES_WORDS
                         && (mood != 0 || form != JUDGE_FORM_REQUIRED))
                        ? core : judge_name_cut(core));
    }

    return out->bare.len > 0;
}


/* The text with a wrapped line as one, and a capital at its beginning; none
 * behind "No", but "No SEO", and German nouns keep theirs. */

static void
judge_draft_write(judge_prose_t *p, judge_buf_t *b, judge_str_t text,
    bool capital)
{
    char    *c;
    size_t   i, begin;

    for (i = 0, begin = b->len; i < text.len; i++) {
        if ((unsigned char) text.data[i] > ' ') {
            judge_buf_append(b, text.data + i, 1);

        } else if (i > 0 && (unsigned char) text.data[i - 1] > ' ') {
            judge_buf_append(b, " ", 1);
        }
    }

    p->failed |= b->failed;

    if (b->failed || b->len < begin + 2) {
        return;
    }

    c = b->data + begin;

    if (!capital && *c >= 'A' && *c <= 'Z' && c[1] >= 'a'
        && judge_draft_saying(p, JUDGE_SAY_CAPITALS) == NULL)
    {
        *c |= 0x20;

    } else if (capital && *c >= 'a' && *c <= 'z') {
        *c &= ~0x20;

    } else if (capital && *c == '\xc3' && c[1] >= '\xa0') {
        c[1] &= ~0x20;
    }
}


/* What is named, or the one like it: "accuracy" and "factual accuracy" are the
 * same, "technical accuracy" and "factual accuracy" are not. */

judge_draft_t *
judge_draft_add(judge_prose_t *p, judge_span_t s, judge_form_e form,
    int quality)
{
    judge_buf_t     bare;
    judge_draft_t  *g, *f = &p->found[p->nfound];

    if (quality < 0) {
        if (!judge_name_of(p, s, form, p->mood, f)) {
            return NULL;
        }

    } else {
        *f = (judge_draft_t) { .quality = quality, .form = form,
            .bare = judge_str_c(judge_name_quality(p, quality)),
            .levels = { -1, -1, -1, -1 } };
    }

    judge_buf_init(&bare, p->arena);
    judge_draft_write(p, &bare, judge_utf8_prefix(f->bare, JUDGE_NAMES_BYTES),
                      f->negation == JUDGE_SAY_NONE);
    f->bare = bare.failed ? JUDGE_STR("-") : judge_buf_view(&bare);
    f->name = judge_draft_say(p, (f->negation == JUDGE_SAY_NONE) ? "%s"
                                 : judge_draft_saying(p, f->negation),
                              f->bare, f->bare);
    f->named = judge_str_eq_c(f->name, judge_name_quality(p, f->quality));
    f->mood = p->mood;
    f->factor = (p->mood & judge_mood(BONUS)) ? 0.5 : 1;
    judge_buf_init(&f->description, p->arena);

    for (g = p->found; g < f; g++) {
        if (((g->mood ^ f->mood) & JUDGE_MOOD_NEGATIVE) == 0
            && (judge_str_caseeq(f->name, g->name)
                || (f->quality >= 0 && f->quality == g->quality
                    && (f->named || g->named))))
        {
            break;
        }
    }

    if (g == &p->found[JUDGE_CRITERIA_FOUND]) {
        p->lost++;
        return NULL;
    }

    p->nfound += g == f;
    p->weighed |= (p->mood & judge_mood(BONUS)) != 0;
    p->last = g;

    return g;
}


static judge_draft_t *
judge_draft_ordinal(judge_prose_t *p, judge_span_t s)
{
    size_t  n, at;
    double  value;

    s = judge_span_trim(s);
    n = judge_term_phrase(s.from, s.to, JUDGE_CLASS_ORDINAL, &value);
    at = (n == 0 || value < 0) ? p->nfound - 1 : (size_t) value;

    return (n > 0 && s.from + n == s.to && at < p->nfound) ? &p->found[at]
                                                           : NULL;
}


judge_draft_t *
judge_draft_find(judge_prose_t *p, judge_span_t s)
{
    judge_str_t     rest;
    judge_draft_t   name, *f;

    f = judge_draft_ordinal(p, s);

    if (f != NULL || !judge_name_of(p, s, JUDGE_FORM_ENUMERATED, 0, &name)) {
        return f;
    }

    for (f = p->found; f < p->found + p->nfound; f++) {
        if (name.quality >= 0 && f->quality == name.quality) {
            return f;
        }

        for (rest = f->name; rest.len > 0; rest = judge_str_from(rest, 1)) {
            if ((rest.len == f->name.len || rest.data[-1] == ' ')
                && judge_str_casestarts(rest, name.bare)
                && (rest.len == name.bare.len
                    || rest.data[name.bare.len] == ' '))
            {
                return f;
            }
        }
    }

    return NULL;
}


void
judge_draft_describe(judge_prose_t *p, judge_draft_t *f, judge_frame_t frame,
    judge_span_t s)
{
    judge_str_t   text;
    judge_buf_t  *d;

    d = &f->description;
    s = judge_span_trim(s);

    if (s.from == s.to) {
        return;
    }

    text = judge_draft_say(p, (frame.before.len > 0) ? "%s %t" : "%t",
                           frame.before, judge_span_text(s));
    text = judge_draft_say(p, (frame.after.len > 0) ? "%s %t" : "%s",
                           text, frame.after);

    if (strchr(".!?", text.data[text.len - 1]) == NULL) {
        text = judge_draft_say(p, judge_term_is(s.to, QUESTION) ? "%s?"
                                                                : "%s.",
                               text, text);
    }

    if (d->len + text.len <= JUDGE_NAMES_DESCRIPTION) {
        judge_buf_c(d, (d->len > 0) ? " " : "");
        judge_draft_write(p, d, text, true);
    }
}


/* "I don't care about grammar". */

size_t
judge_draft_unwanted(judge_prose_t *p, judge_match_t *m)
{
    judge_draft_t  name;

    if (judge_name_of(p, m->object, JUDGE_FORM_ENUMERATED, 0, &name)) {
        judge_draft_note(p, JUDGE_SAY_NOT_JUDGED,
                         judge_utf8_prefix(name.bare, JUDGE_NAMES_BYTES), -1);
    }

    return 1;
}


/* A share, or points; bare only at an end of the piece, or in brackets. */

static bool
judge_cue_number(judge_span_t s, const judge_match_t *m, judge_cue_t *cue)
{
    bool           bare, first;
    double         value;
    judge_term_t  *t;

    t = m->span.from;
    first = t == s.from;
    value = m->value;
    bare = m->mood == JUDGE_HOW_BARE && t[-1].close != m->end;

    if (value <= 0 || (m->action == JUDGE_CUE_SHARE && value > 100)
        || (m->mood == JUDGE_HOW_AHEAD && !first)
        || (bare && (t->kind != JUDGE_TERM_NUMBER
                     || judge_span_trim(s).to != m->end))
        || (bare && !first && t[-1].quality < 0 && value >= 1
            && fmod(value, 5) != 0)

        /* "weighted 2:1:1" is a ratio */
        || (judge_term_is(m->end, COLON) && m->end + 1 < s.to
            && m->end[1].kind == JUDGE_TERM_NUMBER))
    {
        return false;
    }

    if (m->action == JUDGE_CUE_SHARE || value < 1) {
        cue->share = (m->action == JUDGE_CUE_SHARE) ? value : value * 100;

    } else {
        cue->points = value;
    }

    return true;
}


/* Whether the match of a row says something; "more than 500 words" compares no
 * criteria, and "critical thinking" is not critical. */

static bool
judge_cue_act(judge_span_t s, judge_match_t *m, judge_cue_t *cue)
{
    double         times;
    judge_span_t   other;
    judge_term_t  *t;

    t = m->span.from;
    other = judge_span_trim(judge_span(m->end, s.to));
    times = (m->action == JUDGE_CUE_COMPARE && m->mood != JUDGE_HOW_TIMES)
            ? JUDGE_CUES_MORE : m->value;

    if (m->action == JUDGE_CUE_PASS) {
        return true;
    }

    if (m->action != JUDGE_CUE_COMPARE && m->action != JUDGE_CUE_FACTOR) {
        return judge_cue_number(s, m, cue);
    }

    if (times <= 0 || times > JUDGE_CUES_TIMES
        || (m->mood == JUDGE_HOW_PREDICATE
            && ((m->end < s.to && m->end->kind == JUDGE_TERM_WORD)
                || (t > s.from && t[-1].kind == JUDGE_TERM_WORD
                    && !judge_term_is(t - 1, GLUE))))
        || (m->action == JUDGE_CUE_COMPARE
            && (m->end >= s.to || m->end->kind == JUDGE_TERM_NUMBER))
        || (m->mood == JUDGE_HOW_OVER
            && !(judge_span_has(judge_span(s.from, t), TOPIC)
                 && judge_span_has(other, TOPIC))))
    {
        return false;
    }

    if (m->action == JUDGE_CUE_FACTOR) {
        cue->factor = times;
        return true;
    }

    m->end = s.to;

    if (judge_span_match(other.from, s.to, OTHERS) > 0) {
        cue->factor = (m->mood == JUDGE_HOW_LESS) ? 1 / times : times;

    } else {
        cue->times = times;
        cue->other = other;
    }

    return true;
}


/* A ratio ("2:1:1", "60/40"), or what a row finds. */

bool
judge_cue_next(judge_span_t s, judge_cue_t *cue)
{
    size_t               n;
    double               sum;
    judge_term_t        *t, *end;
    judge_match_t        m;
    const judge_rule_t  *rule;

    for (t = s.from; t < s.to; t = (end != NULL) ? end : t + 1) {
        for (n = 0, sum = 0; n < JUDGE_CRITERIA_RATIO && t + 2 * n < s.to
             && t[2 * n].kind == JUDGE_TERM_NUMBER
             && (n == 0 || judge_term_is(&t[2 * n - 1], RATIO)); n++)
        {
            cue->ratio[n] = t[2 * n].number;
            sum += t[2 * n].number;
        }

        n = (sum == 100 || judge_term_is(t + 1, COLON)) ? n : 0;
        end = (n > 1) ? t + 2 * n - 1 : NULL;
        cue->nratio = (n > 1) ? n : cue->nratio;
        m = (judge_match_t) { .action = JUDGE_CUE_NONE };

        for (rule = judge_criteria_cues; end == NULL
             && (rule = judge_span_rule(judge_span(t, s.to), rule, &m))
                != NULL; rule++)
        {
            end = judge_cue_act(s, &m, cue) ? m.end : NULL;
        }

        if (end != NULL && (m.action != JUDGE_CUE_PASS || m.mood != 0)) {
            cue->at = judge_span(t, end);
            cue->how |= 1u << m.mood;
            return true;
        }
    }

    return false;
}


/* Without "is", "counts for"; behind "rated equally:" the name follows. */

judge_span_t
judge_cue_take(judge_span_t s, judge_cue_t *cue)
{
    int           round;
    judge_span_t  left;

    *cue = (judge_cue_t) { .how = 0 };

    for (round = 0; round < JUDGE_CUES_MAX && judge_cue_next(s, cue); round++)
    {
        left = judge_span_strip(judge_span(s.from, cue->at.from), GLUE, GLUE);
        s = (left.from < left.to && !judge_term_is(left.to - 1, JUDGE)
             && !(judge_cue_is(cue, RANKED)
                  && judge_term_is(cue->at.to, COLON)))
            ? left : judge_span_strip(judge_span(cue->at.to, s.to), GLUE,
                                      GLUE);
    }

    return s;
}


void
judge_draft_apply(judge_prose_t *p, judge_draft_t *f, const judge_cue_t *cue)
{
    bool            less;
    judge_draft_t  *other, *last;

    if (cue->how == 0 || f == NULL) {
        return;
    }

    p->weighed |= !judge_cue_is(cue, SCALE);

    if (cue->share > 0 && f->share > 0 && cue->share != f->share) {
        p->conflict = true;
        judge_draft_note(p, JUDGE_SAY_TWO_SHARES, f->name, f->share);
    }

    f->share = (f->share == 0) ? cue->share : f->share;
    f->points = (f->points == 0) ? cue->points : f->points;

    if (cue->factor > 0) {
        f->factor = cue->factor;
        f->most = judge_cue_is(cue, MOST);
    }

    if (cue->times <= 0) {
        return;
    }

    /* "twice as important as tone" is about tone, too */
    less = judge_cue_is(cue, LESS);
    last = p->last;
    other = judge_draft_find(p, cue->other);
    other = (other != NULL) ? other
            : judge_draft_add(p, cue->other, JUDGE_FORM_WEIGHED, -1);
    p->last = last;

    if (other != f && other != NULL
        && p->nrelations < JUDGE_CRITERIA_RELATIONS)
    {
        p->relations[p->nrelations++] = (judge_relation_t) {
            less ? other : f, less ? f : other, cue->times,
            !judge_cue_is(cue, TIMES) };
    }
}
