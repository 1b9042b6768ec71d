/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Sentences with a subject and what it has to be or to do: "the tone should
 * be warm", "a good essay cites its sources", "is the argument sound?"
 */


#include <string.h>

#include "analysis/criteria/criteria_parts.h"


#define JUDGE_SENTENCE_MODAL   16      /* words before "should" */


size_t
judge_parse_any(const judge_parse_ctx_t *p, size_t i, size_t to,
    const char *const *phrases)
{
    size_t  n;

    for ( ; *phrases != NULL; phrases++) {
        n = judge_parse_phrase(p->tokens, i, to, *phrases);

        if (n > 0) {
            return n;
        }
    }

    return 0;
}


bool
judge_parse_has_quality(const judge_parse_ctx_t *p, size_t from,
    size_t to)
{
    size_t  i;

    for (i = from; i < to; i++) {
        if (p->tokens[i].quality >= 0
            && !(judge_parse_is(&p->tokens[i], JUDGE_PW_GENERIC)
                 && p->tokens[i].span == 1)
            && (judge_quality(p->tokens[i].quality)->flags & JUDGE_Q_VAGUE)
               == 0)
        {
            return true;
        }
    }

    return false;
}


bool
judge_parse_modal(const judge_parse_ctx_t *p, size_t i, size_t to,
    size_t *n)
{
    size_t  k;
    static const char *const  modals[] = {
        "should_always", "must_always", "should_also", "must_also", "should",
        "must", "shall", "ought_to", "needs_to", "need_to", "has_to",
        "have_to", "is_expected_to", "are_expected_to", "is_supposed_to",
        "is_required_to", NULL
    };
    static const char *const  nots[] = {
        "shouldn't", "mustn't", "can't", "cannot", "may_not", "should_not",
        "must_not", "should_never", "must_never", "can_not", "shall_not",
        "may_never", "needn't", NULL
    };

    for (k = 0; nots[k] != NULL; k++) {
        *n = judge_parse_phrase(p->tokens, i, to, nots[k]);

        if (*n > 0) {
            return true;
        }
    }

    for (k = 0; modals[k] != NULL; k++) {
        *n = judge_parse_phrase(p->tokens, i, to, modals[k]);

        if (*n > 0) {
            return false;
        }
    }

    return false;
}


/* Where the head of the subject is: "the tone of the text" is about tone. */

static size_t
judge_sentence_head(const judge_parse_ctx_t *p, judge_parse_span_t s)
{
    size_t  i, head;

    head = s.to;

    for (i = s.from; i < s.to; i++) {
        if (judge_parse_is(&p->tokens[i], JUDGE_PW_PREPOSITION)
            && head < s.to)
        {
            break;
        }

        if (p->tokens[i].kind == JUDGE_P_WORD) {
            head = i;
        }
    }

    return head;
}


bool
judge_parse_generic(const judge_parse_ctx_t *p, judge_parse_span_t s)
{
    size_t  head;

    s = judge_parse_trim(p, s);
    head = judge_sentence_head(p, s);

    return head == s.to || judge_parse_is(&p->tokens[head],
                                          JUDGE_PW_GENERIC);
}


/* "It", after a sentence about one criterion, is that criterion. */

static bool
judge_sentence_about_last(const judge_parse_ctx_t *p, judge_parse_span_t s)
{
    s = judge_parse_trim(p, s);

    return s.to - s.from == 1 && p->last > 0
           && p->found[p->last - 1].subject
           && (judge_parse_word(&p->tokens[s.from], "it")
               || judge_parse_word(&p->tokens[s.from], "this")
               || judge_parse_word(&p->tokens[s.from], "they")
               || judge_parse_word(&p->tokens[s.from], "these"));
}


static size_t
judge_sentence_subject(judge_parse_ctx_t *p, judge_parse_span_t subject,
    judge_parse_span_t whole)
{
    char    negative;
    size_t  at;

    negative = p->negative;
    p->negative = 0;
    at = judge_parse_add(p, subject, JUDGE_P_ENUMERATED);
    p->negative = negative;

    if (at == JUDGE_PARSE_FOUND) {
        return 0;
    }

    p->found[at].subject = true;
    judge_parse_describe(p, at, (judge_str_t) { 0, NULL }, whole);
    judge_parse_details(p, at, whole);

    return 1;
}


/* A subject, and what it has to be or to do. */

static size_t
judge_sentence_clause(judge_parse_ctx_t *p, judge_parse_span_t subject,
    judge_parse_span_t verb, judge_parse_span_t whole)
{
    if (judge_sentence_about_last(p, subject)) {
        judge_parse_describe(p, p->last - 1, (judge_str_t) { 0, NULL },
                             whole);
        judge_parse_details(p, p->last - 1, whole);
        return 1;
    }

    /* "Each chapter should be practical": not the chapter is judged */

    if (judge_parse_generic(p, subject)
        || (!judge_parse_has_quality(p, subject.from, subject.to)
            && judge_parse_has_quality(p, verb.from, verb.to)))
    {
        return judge_parse_requirement(p, (judge_parse_span_t) {
                                              subject.from, verb.from },
                                       verb);
    }

    return judge_sentence_subject(p, subject, whole);
}


/* "Accuracy should count twice as much as tone" is about weight only. */

static bool
judge_sentence_weighs(judge_parse_ctx_t *p, judge_parse_span_t verb)
{
    size_t             i;
    judge_parse_cue_t  cue;

    if (!judge_parse_cues(p, verb, &cue) || cue.scale) {
        return false;
    }

    for (i = verb.from; i < cue.at.from; i++) {
        if (!judge_parse_is(&p->tokens[i], JUDGE_PW_GLUE)) {
            return false;
        }
    }

    return cue.at.to >= verb.to || cue.share >= 0 || cue.points >= 0
           || cue.times >= 0 || cue.more || cue.less || cue.equal
           || !judge_parse_has_quality(p, cue.at.to, verb.to);
}


size_t
judge_parse_should(judge_parse_ctx_t *p, judge_parse_span_t s)
{
    bool                no;
    size_t              i, n, made, before;
    judge_parse_cue_t   cue;
    judge_parse_span_t  subject, verb;

    for (i = s.from; i < s.to && i < s.from + JUDGE_SENTENCE_MODAL; i++) {
        no = judge_parse_modal(p, i, s.to, &n);

        if (n == 0) {
            continue;
        }

        subject = (judge_parse_span_t) { s.from, i };
        verb = (judge_parse_span_t) { i + n, s.to };

        if (verb.from >= verb.to) {
            return 0;
        }

        if (!no && judge_sentence_weighs(p, verb)) {
            return judge_parse_enumeration(p, s, JUDGE_P_WEIGHED);
        }

        /* "must not exceed 500 words" is a length, not a fault */

        p->negative = (no && !judge_parse_word(&p->tokens[verb.from],
                                               "exceed")) ? 'V' : 0;
        p->strict = judge_parse_is(&p->tokens[i], JUDGE_PW_STRICT);
        before = p->nfound;

        /* "Above all it should be" */

        if (judge_parse_cues(p, subject, &cue) && cue.at.from == s.from) {
            subject.from = cue.at.to;
        }

        made = judge_sentence_clause(p, subject, verb, s);

        for (n = before; subject.from > s.from && n < p->nfound; n++) {
            judge_parse_apply(p, n, &cue);
        }

        p->negative = 0;
        p->strict = false;

        return made;
    }

    return 0;
}


/* "It is clear and cites sources", "A good essay has a thesis". */

size_t
judge_parse_is_so(judge_parse_ctx_t *p, judge_parse_span_t s)
{
    size_t                      i, head;
    judge_parse_span_t          subject;
    const judge_parse_token_t  *t;

    for (i = s.from; i < s.to && i < s.from + 8; i++) {
        t = &p->tokens[i];

        if (i > s.from && judge_parse_is(t, JUDGE_PW_VERB)
            && !judge_parse_is(t, JUDGE_PW_GENERIC))
        {
            break;
        }

        if (t->kind != JUDGE_P_WORD) {
            return 0;
        }
    }

    if (i == s.to || i == s.from + 8) {
        return 0;
    }

    subject = (judge_parse_span_t) { s.from, i };
    head = judge_sentence_head(p, subject);

    if (judge_sentence_about_last(p, subject)) {
        return judge_sentence_clause(p, subject,
                                     (judge_parse_span_t) { i, s.to }, s);
    }

    if (head == subject.to
        || !judge_parse_is(&p->tokens[head], JUDGE_PW_GENERIC)
        || judge_parse_word(&p->tokens[head], "we")
        || judge_parse_word(&p->tokens[head], "you")
        || judge_parse_word(&p->tokens[head], "they")
        || judge_parse_word(&p->tokens[head], "these")
        || judge_parse_word(&p->tokens[head], "this")
        || judge_parse_is(&p->tokens[i + 1 < s.to ? i + 1 : i],
                          JUDGE_PW_PREPOSITION)
        || !judge_parse_has_quality(p, i, s.to))
    {
        return 0;
    }

    return judge_parse_requirement(p, subject,
                                   (judge_parse_span_t) { i, s.to });
}


/* --- Questions --------------------------------------------------------- */


/* "Does the essay cite its sources?", "Is the tone friendly?", "How well is
 * it structured?" */

size_t
judge_parse_question(judge_parse_ctx_t *p, judge_parse_span_t s)
{
    size_t  i, from;
    static const char *const  asks[] = {
        "does", "do", "is", "are", "has", "have", "can", "will", "did",
        "was", "were", "to_what_extent", "how_well", "how_much", "how_often",
        "how", "what_about", "could", "would", "should", NULL
    };

    from = s.from;

    while (from < s.to) {
        i = judge_parse_any(p, from, s.to, asks);

        if (i == 0) {
            break;
        }

        from += i;
    }

    if (from == s.from || from == s.to) {
        return 0;
    }

    for (i = from; i < s.to && i < from + 6; i++) {
        if (judge_parse_is(&p->tokens[i], JUDGE_PW_GENERIC)) {
            break;
        }

        if (!judge_parse_is(&p->tokens[i], JUDGE_PW_FILLER)) {
            i = s.to;
            break;
        }
    }

    if (i + 1 < s.to && i < from + 6) {
        return judge_parse_requirement(p, (judge_parse_span_t) { s.from,
                                                                 i + 1 },
                                       (judge_parse_span_t) { i + 1, s.to });
    }

    return judge_parse_requirement(p, (judge_parse_span_t) { s.from, from },
                                   (judge_parse_span_t) { from, s.to });
}
