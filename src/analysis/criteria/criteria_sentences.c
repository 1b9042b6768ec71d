/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Sentences: what kind each one is ("look for ...", "avoid ...", "the text
 * should ...", "does it ...?"), and where in it the criteria are.
 */


#include "analysis/criteria/criteria_context.h"


#define JUDGE_SENTENCES_LEAD     9     /* words before "look for", */
#define JUDGE_SENTENCES_CLAUSE   14    /* of "when you read it,", */
#define JUDGE_SENTENCES_MODAL    16    /* before "should", */
#define JUDGE_SENTENCES_VERB     8     /* before any other verb */
#define JUDGE_SENTENCES_TRIES    24    /* of "on", "for", "by" */


static judge_parse_span_t
judge_sentences_first(judge_parse_span_t s, size_t n)
{
    s.to = (s.to - s.from > n) ? s.from + n : s.to;

    return s;
}


judge_parse_lead_e
judge_parse_lead(const judge_parse_ctx_t *p, judge_parse_span_t s,
    size_t *rest)
{
    size_t  i, n, more;
    double  kind, next;

    for (i = s.from; i < s.to && i < s.from + JUDGE_SENTENCES_LEAD; i++) {
        n = judge_parse_value(p, i, s.to, JUDGE_W_LEAD, &kind);

        if (n > 0) {
            more = judge_parse_value(p, i + n, s.to, JUDGE_W_LEAD, &next);

            /* "judges look for" */

            if (kind == JUDGE_S_JUDGE && more > 0 && next != JUDGE_S_JUDGE
                && next != JUDGE_S_CLAUSE)
            {
                kind = next;
                n += more;
            }

            *rest = i + n;
            return (judge_parse_lead_e) kind;
        }

        if (!judge_parse_mark(&p->tokens[i], ',')
            && !judge_parse_is(&p->tokens[i], JUDGE_W_BEFORE))
        {
            break;
        }
    }

    return JUDGE_S_NONE;
}


/* --- A subject, and what it has to be or to do ------------------------- */


/* "It", after a sentence about one criterion, is that criterion. */

static bool
judge_sentences_about_last(const judge_parse_ctx_t *p, judge_parse_span_t s)
{
    return s.to - s.from == 1 && p->last > 0
           && p->found[p->last - 1].subject
           && (judge_parse_is(&p->tokens[s.from], JUDGE_W_ONE)
               || judge_parse_is(&p->tokens[s.from], JUDGE_W_PERSON));
}


static size_t
judge_sentences_clause(judge_parse_ctx_t *p, judge_parse_span_t subject,
    judge_parse_span_t verb, judge_parse_span_t whole)
{
    char    negative;
    size_t  at;

    if (judge_sentences_about_last(p, subject)) {
        at = p->last - 1;

    } else if (judge_parse_generic(p, subject)
               || (!judge_parse_has_quality(p, subject.from, subject.to)
                   && judge_parse_has_quality(p, verb.from, verb.to)))
    {
        /* "Each chapter should be practical": the chapter is not judged by */

        return judge_parse_requirement(p, judge_parse_span(subject.from,
                                                           verb.from), verb);
    } else {
        negative = p->negative;
        p->negative = 0;
        at = judge_parse_add(p, subject, JUDGE_P_ENUMERATED);
        p->negative = negative;

        if (at == JUDGE_PARSE_NONE) {
            return 0;
        }

        p->found[at].subject = true;
    }

    judge_parse_describe(p, at, JUDGE_STR(""), whole);
    judge_parse_details(p, at, whole);

    return 1;
}


/* "Accuracy should count twice as much as tone" is about weight only. */

static bool
judge_sentences_weighs(judge_parse_ctx_t *p, judge_parse_span_t verb)
{
    size_t             i;
    judge_parse_cue_t  cue;

    if (!judge_parse_cue(p, verb, &cue) || cue.scale) {
        return false;
    }

    for (i = verb.from; i < cue.at.from; i++) {
        if (!judge_parse_is(&p->tokens[i], JUDGE_W_GLUE)) {
            return false;
        }
    }

    return cue.share >= 0 || cue.points >= 0 || cue.times >= 0 || cue.more
           || cue.less || cue.equal
           || !judge_parse_has_quality(p, cue.at.to, verb.to);
}


static size_t
judge_sentences_should(judge_parse_ctx_t *p, judge_parse_span_t s)
{
    size_t              i, n, made, before;
    double              forbids;
    judge_parse_cue_t   cue;
    judge_parse_span_t  subject, verb, near;

    near = judge_sentences_first(s, JUDGE_SENTENCES_MODAL);
    i = judge_parse_seek(p, near, JUDGE_W_MODAL);
    n = judge_parse_value(p, i, s.to, JUDGE_W_MODAL, &forbids);
    subject = judge_parse_span(s.from, i);
    verb = judge_parse_span(i + n, s.to);

    if (i == near.to || verb.from >= verb.to) {
        return 0;
    }

    if (!forbids && judge_sentences_weighs(p, verb)) {
        return judge_parse_enumeration(p, s, JUDGE_P_WEIGHED);
    }

    /* "must not exceed 500 words" is a length, not a fault */

    p->negative = (forbids && !judge_parse_word(&p->tokens[verb.from],
                                                "exceed")) ? 'V' : 0;
    p->strict = judge_parse_is(&p->tokens[i], JUDGE_W_STRICT);
    before = p->nfound;

    /* "Above all it should be" */

    if (judge_parse_cue(p, subject, &cue) && cue.at.from == s.from) {
        subject.from = cue.at.to;
    }

    made = judge_sentences_clause(p, subject, verb, s);

    for (n = before; subject.from > s.from && n < p->nfound; n++) {
        judge_parse_apply(p, n, &cue);
    }

    p->negative = 0;
    p->strict = false;

    return made;
}


/* The first verb near the beginning of the span; span.to: there is none. */

static size_t
judge_sentences_verb(const judge_parse_ctx_t *p, judge_parse_span_t s)
{
    size_t                      i;
    const judge_parse_token_t  *t;

    for (i = s.from; i < s.to && i < s.from + JUDGE_SENTENCES_VERB; i++) {
        t = &p->tokens[i];

        if (i > s.from && judge_parse_is(t, JUDGE_W_VERB)
            && !judge_parse_is(t, JUDGE_W_GENERIC))
        {
            return i;
        }

        if (t->kind != JUDGE_P_WORD) {
            break;
        }
    }

    return s.to;
}


/* "It is clear and cites sources", "A good essay has a thesis". */

static size_t
judge_sentences_is(judge_parse_ctx_t *p, judge_parse_span_t s)
{
    size_t              i, head;
    judge_parse_span_t  subject, verb;

    i = judge_sentences_verb(p, s);
    subject = judge_parse_span(s.from, i);
    verb = judge_parse_span(i, s.to);
    head = judge_parse_head(p, subject);

    if (i == s.to || head == i) {
        return 0;
    }

    if (judge_sentences_about_last(p, subject)) {
        return judge_sentences_clause(p, subject, verb, s);
    }

    return (judge_parse_is(&p->tokens[head], JUDGE_W_GENERIC)
            && !judge_parse_is(&p->tokens[head], JUDGE_W_PERSON)
            && !(i + 1 < s.to && judge_parse_is(&p->tokens[i + 1],
                                                JUDGE_W_PREPOSITION))
            && judge_parse_has_quality(p, i, s.to))
           ? judge_parse_requirement(p, subject, verb) : 0;
}


/* "Does the essay cite its sources?", "How well is it structured?" */

size_t
judge_parse_question(judge_parse_ctx_t *p, judge_parse_span_t s)
{
    size_t                      i, n, from;
    const judge_parse_token_t  *t;

    from = s.from;

    while ((n = judge_parse_match(p, from, s.to, JUDGE_W_ASK)) > 0) {
        from += n;
    }

    if (from == s.from || from == s.to) {
        return 0;
    }

    /* behind what is judged, if the question begins with that */

    for (i = from, n = from; i + 1 < s.to && i < from + 6; i++) {
        t = &p->tokens[i];

        if (judge_parse_is(t, JUDGE_W_GENERIC)) {
            n = i + 1;
            break;
        }

        if (!judge_parse_is(t, JUDGE_W_FILLER)) {
            break;
        }
    }

    return judge_parse_requirement(p, judge_parse_span(s.from, n),
                                   judge_parse_span(n, s.to));
}


/* --- Sentences with a lead --------------------------------------------- */


/*
 * "Judge blog posts for our company on clarity and tone": of the words that
 * may begin the criteria, the one that a quality follows; else the first.
 */

static judge_parse_span_t
judge_sentences_object(const judge_parse_ctx_t *p, judge_parse_span_t s)
{
    bool                        how;
    size_t                      i, n, end, next, first, tries;
    judge_parse_span_t          rest;
    const judge_parse_token_t  *t;

    i = judge_parse_seek_mark(p, judge_sentences_first(s, 12), ":");

    if (i + 1 < s.to && judge_parse_mark(&p->tokens[i], ':')) {
        return judge_parse_span(i + 1, s.to);
    }

    first = s.to;

    for (i = s.from, tries = 0; i < s.to && tries < JUDGE_SENTENCES_TRIES;
         i++)
    {
        n = judge_parse_match(p, i, s.to, JUDGE_W_ON);
        t = &p->tokens[i];
        how = judge_parse_word(t, "how") || judge_parse_word(t, "whether");

        if (n == 0) {
            continue;
        }

        if (how && i == s.from) {
            return s;
        }

        /* "how" belongs to what it begins */

        tries++;
        rest = judge_parse_span(i + n - how, s.to);
        first = (first == s.to) ? rest.from : first;
        end = judge_parse_piece_end(p, rest, &next);
        end = judge_parse_seek(p, judge_parse_span(rest.from + 1, end),
                               JUDGE_W_ON);

        if (judge_parse_has_quality(p, rest.from, end)) {
            if (!judge_parse_has_quality(p, s.from, i)
                || judge_parse_word(t, "on") || judge_parse_word(t, "by"))
            {
                return rest;
            }

            break;
        }
    }

    if (first < s.to && !judge_parse_has_quality(p, s.from, first)) {
        s.from = first;
    }

    return s;
}


/* "texts that are clear", "the answer to be short". */

static size_t
judge_sentences_wanted(judge_parse_ctx_t *p, judge_parse_span_t rest)
{
    size_t                      i;
    const judge_parse_token_t  *t;

    for (i = rest.from; i + 2 < rest.to && i < rest.from + 6; i++) {
        t = &p->tokens[i];

        if ((judge_parse_is(t, JUDGE_W_GENERIC)
             && (judge_parse_word(t + 1, "that")
                 || judge_parse_word(t + 1, "which")))
            || (judge_parse_word(t + 1, "to")
                && judge_parse_is(t + 2, JUDGE_W_VERB)))
        {
            return judge_parse_requirement(p,
                       (judge_parse_span_t) { rest.from, i + 2 },
                       (judge_parse_span_t) { i + 2, rest.to });
        }

        if (t->quality >= 0 || judge_parse_mark(t, ',')) {
            break;
        }
    }

    return judge_parse_enumeration(p, rest, JUDGE_P_ENUMERATED);
}


/* What counts little: the criteria from `first` on. */

static size_t
judge_sentences_bonus(judge_parse_ctx_t *p, judge_parse_span_t what)
{
    size_t  i, n;

    p->lenient = true;
    i = p->nfound;
    n = judge_parse_enumeration(p, what, JUDGE_P_ENUMERATED);

    for ( ; i < p->nfound; i++) {
        p->found[i].factor = 0.5;
        p->weighed = true;
    }

    return n;
}


static size_t
judge_sentences_led(judge_parse_ctx_t *p, judge_parse_span_t s,
    judge_parse_lead_e kind, size_t rest)
{
    size_t              i, n;
    judge_parse_span_t  what;

    what = judge_parse_trim(p, judge_parse_span(rest, s.to));

    if (what.from >= what.to) {
        return 0;
    }

    switch (kind) {
    case JUDGE_S_CLAUSE:
        n = judge_sentences_should(p, what);
        n = (n > 0) ? n : judge_sentences_is(p, what);
        return (n > 0) ? n : judge_parse_enumeration(p, what,
                                                     JUDGE_P_REQUIRED);

    case JUDGE_S_FAULT:
        i = judge_sentences_verb(p, what);
        p->negative = 'V';
        return (i == what.to) ? 0
               : judge_parse_requirement(p, judge_parse_span(what.from, i),
                                         judge_parse_span(i, what.to));

    case JUDGE_S_BONUS:
        return judge_sentences_bonus(p, what);

    case JUDGE_S_LIST:
        return judge_sentences_wanted(p, what);

    case JUDGE_S_AVOID:
        p->negative = 'N';
        return judge_parse_enumeration(p, what, JUDGE_P_ENUMERATED);

    case JUDGE_S_DONT:
        p->negative = 'V';
        p->strict = judge_parse_is(&p->tokens[rest - 1], JUDGE_W_STRICT)
                    || judge_parse_is(&p->tokens[rest - 2], JUDGE_W_STRICT);
        n = judge_parse_enumeration(p, what, JUDGE_P_ENUMERATED);

        if (n == 1 && !p->found[p->last - 1].described) {
            judge_parse_describe(p, p->last - 1, JUDGE_STR(""), s);
        }

        return n;

    default:
        what = judge_parse_trim(p, judge_sentences_object(p, what));

        /* "rate the text from 1 to 10", "judge our transcripts": only what
         * is judged */

        return (!judge_parse_has_quality(p, what.from, what.to)
                && (judge_parse_generic(p, what)
                    || (what.from == rest
                        && judge_parse_piece_end(p, what, &n) == what.to)))
               ? 0 : judge_parse_enumeration(p, what, JUDGE_P_ENUMERATED);
    }
}


/* --- Any sentence ------------------------------------------------------ */


/* "Clarity, accuracy, tone.": no verb, and mostly qualities. */

static size_t
judge_sentences_bare(judge_parse_ctx_t *p, judge_parse_span_t s)
{
    size_t              end, next, pieces, known;
    judge_parse_span_t  at;

    pieces = 0;
    known = 0;

    for (at = s; at.from < at.to; at.from = next) {
        end = judge_parse_piece_end(p, at, &next);
        pieces++;
        known += judge_parse_has_quality(p, at.from, end);

        if (end - at.from > 6) {
            return 0;
        }
    }

    return (known * 2 < pieces) ? 0
           : judge_parse_enumeration(p, s, JUDGE_P_ENUMERATED);
}


static size_t
judge_sentences_criteria(judge_parse_ctx_t *p, judge_parse_span_t s,
    bool question)
{
    double              low, high;
    size_t              rest, n;
    judge_parse_cue_t   cue;
    judge_parse_lead_e  kind;

    if (question) {
        return judge_parse_question(p, s);
    }

    kind = judge_parse_lead(p, s, &rest);
    n = (kind == JUDGE_S_NONE) ? 0 : judge_sentences_led(p, s, kind, rest);

    if (n > 0) {
        return n;
    }

    p->negative = 0;
    n = judge_sentences_should(p, s);

    if (n == 0 && judge_parse_cue(p, s, &cue) && !cue.scale
        && (judge_parse_has_quality(p, s.from, s.to)
            || cue.equal || cue.ranked || p->nfound > 0))
    {
        n = judge_parse_enumeration(p, s, JUDGE_P_WEIGHED);
        n += cue.equal || cue.ranked;
    }

    n = (n > 0) ? n : judge_sentences_is(p, s);

    /* "Cite at least two sources", "Keep it short" */

    if (n == 0 && judge_parse_is(&p->tokens[s.from], JUDGE_W_VERB)
        && s.to - s.from > 1)
    {
        n = judge_parse_requirement(p, judge_parse_span(s.from, s.from), s);
    }

    n = (n > 0) ? n : judge_sentences_bare(p, s);

    /* "Maximum 200 words." */

    if (n == 0 && s.to - s.from <= 8
        && judge_parse_quantity(p, s, &low, &high, &rest) > 0)
    {
        n = judge_parse_piece(p, s, JUDGE_P_REQUIRED) != JUDGE_PARSE_NONE;
    }

    return n;
}


/* Without "also", "please", "when you read a text," at the beginning. */

static judge_parse_span_t
judge_sentences_open(judge_parse_ctx_t *p, judge_parse_span_t s)
{
    size_t              n;
    judge_parse_span_t  near;

    s = judge_parse_trim(p, s);
    near = judge_sentences_first(s, JUDGE_SENTENCES_CLAUSE);
    n = judge_parse_seek_mark(p, near, ",");

    if (n < near.to && judge_parse_is(&p->tokens[s.from], JUDGE_W_WHEN)) {
        s.from = n + 1;
    }

    for ( ; s.from < s.to; s.from += n) {
        n = judge_parse_match(p, s.from, s.to, JUDGE_W_OPENING);

        if (n == 0 && judge_parse_is(&p->tokens[s.from], JUDGE_W_LENIENT)
            && !judge_parse_word(&p->tokens[s.from], "bonus"))
        {
            p->lenient = true;
            n = 1;
        }

        n += (n == 0) && judge_parse_mark(&p->tokens[s.from], ',');

        if (n == 0) {
            break;
        }
    }

    return s;
}


static void
judge_sentences_one(judge_parse_ctx_t *p, judge_parse_span_t s)
{
    bool                question;
    judge_parse_span_t  rest;

    question = judge_parse_mark(&p->tokens[s.to - 1], '?');
    p->negative = 0;
    p->lenient = false;
    p->strict = false;
    s = judge_sentences_open(p, s);

    if (s.from >= s.to) {
        return;
    }

    p->sentences++;
    rest = judge_parse_examples(p, JUDGE_PARSE_NONE, s);

    if (rest.from >= rest.to) {
        /* an example of the last criterion */
        (void) judge_parse_examples(p, (p->last > 0) ? p->last - 1
                                                     : JUDGE_PARSE_NONE, s);

    } else if (!judge_parse_levels(p, s, p->levels)) {
        p->unused += judge_sentences_criteria(p, s, question) == 0;
    }

    p->negative = 0;
    p->lenient = false;
}


void
judge_parse_sentences(judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t  end;

    for ( ; span.from < span.to; span.from = end) {
        end = judge_parse_sentence_end(p, span);
        judge_sentences_one(p, judge_parse_span(span.from, end));
    }
}


/* Nothing was found: every quality that occurs may be meant. */

void
judge_parse_guess(judge_parse_ctx_t *p)
{
    size_t                      i;
    const judge_parse_token_t  *t;

    for (i = 0; i < p->ntokens; i += t->span) {
        t = &p->tokens[i];

        if (t->kind == JUDGE_P_WORD && t->quality >= 0
            && (t->span > 1 || !judge_parse_is(t, JUDGE_W_GENERIC)))
        {
            (void) judge_parse_add_quality(p, t->quality, JUDGE_P_GUESSED);
        }
    }
}
