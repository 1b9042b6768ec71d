/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Sentences: what kind of thing each one says about judging ("look for ...",
 * "avoid ...", "the text should ...", "does it ...?"), and where in it the
 * criteria stand.
 */


#include <string.h>

#include "analysis/criteria/criteria_parts.h"


#define JUDGE_SENTENCE_LEAD    9       /* words before "look for" */
#define JUDGE_SENTENCE_COLON   12      /* words before "clarity, tone" */
#define JUDGE_SENTENCE_TRIES   24      /* words that may begin the criteria */

typedef struct {
    const char        *words;          /* phrases, spaces between */
    judge_sentence_e   kind;
} judge_sentence_lead_t;


static const judge_sentence_lead_t  judge_sentence_leads[] = {
    { "make_sure_that make_sure ensure_that ensure check_that check_whether "
      "check_if see_if see_whether verify_that verify_whether verify_if "
      "determine_whether determine_if whether want_it_to expect_it_to "
      "it_is_important_that it's_important_that it_matters_that "
      "it_is_essential_that look_at_whether look_at_how", JUDGE_S_CLAUSE },
    { "deduct_points_if take_off_points_if subtract_points_if penalize_if "
      "penalise_if lower_the_score_if mark_down_if take_points_off_if "
      "deduct_points_when reject_if", JUDGE_S_FAULT },
    { "deduct_points_for take_off_points_for subtract_points_for "
      "points_off_for take_points_off_for mark_down_for penalize penalise "
      "penalties_for avoid stay_away_from watch_out_for refrain_from dislike "
      "hate without there_should_be_no there_must_be_no no minimize "
      "minimise steer_clear_of deduct_for lower_the_score_for",
      JUDGE_S_AVOID },
    { "do_not don't never must_not mustn't should_not shouldn't",
      JUDGE_S_DONT },
    { "bonus_points_for bonus_for extra_points_for extra_credit_for "
      "a_bonus_for a_small_bonus_for nice_to_have nice_to_have_are "
      "bonus_points_go_to", JUDGE_S_BONUS },
    { "look_for looking_for looks_for look_at looking_at check_for focus_on "
      "focusing_on pay_attention_to pays_attention_to keep_an_eye_on "
      "care_about cares_about cares_most_about care_most_about "
      "care_mostly_about care_mainly_about care_a_lot_about "
      "give_points_for award_points_for "
      "points_for credit_for reward rewards value values appreciate "
      "prioritize prioritise the_criteria_are criteria_are "
      "our_criteria_are what_matters_is what_matters_to_us_is what_counts_is "
      "what_matters_most_is what_counts_most_is the_main_criteria_are "
      "we_want we_need we_like we_love we_prefer we_expect i_want i_need "
      "i_like i_love i_prefer i_expect things_like aspects_like want need "
      "expect love prefer emphasize emphasise emphasis_on depends_on "
      "criteria_include include_criteria_for criteria_like",
      JUDGE_S_LIST },
    { "judge evaluate assess score rate grade rank critique review measure "
      "evaluating judging assessing scoring rating grading judged evaluated "
      "assessed scored rated graded mark weigh compare check consider "
      "analyze analyse examine", JUDGE_S_JUDGE }
};

/* Words that may stand before a lead. */

static const char *const  judge_sentence_before[] = {
    "i", "we", "you", "please", "they", "would", "like", "to", "want", "the",
    "judge", "judges", "also", "really", "mainly", "mostly", "primarily",
    "let's", "must", "need", "needs", "can", "could", "be", "are", "is",
    "going", "our", "team", "reviewers", "editors", "jury", "should", "will",
    "it", "each", "every", "all", "this", "finally", "then", "next", "first",
    "second", "third", "lastly", "additionally", "furthermore", "moreover",
    "and", "but", "so", "in", "addition", "when", "especially", "always",
    "i'd", "we'd", "i'm", "we're", "text", "texts", "essay", "essays",
    "article", "articles", "video", "videos", "content", "answer", "answers",
    "post", "posts", "response", "responses", "help", "me", "us", "that",
    "ideally", "just", "simply", "particularly", "what", NULL
};

static const char *const  judge_sentence_strong[] = {
    "on", "based_on", "by", "according_to", "in_terms_of", "with_respect_to",
    "regarding", "against", "along", "with_regard_to", "using",
    "in_regard_to", "for", "across", "how", "whether", "considering", NULL
};


/* --- Leads ------------------------------------------------------------- */


static judge_sentence_e
judge_sentence_lead_at(const judge_parse_ctx_t *p, size_t i, size_t to,
    size_t *n)
{
    size_t       k, best, length;
    const char  *words;

    best = 0;
    *n = 0;

    for (k = 0; k < sizeof(judge_sentence_leads)
                    / sizeof(judge_sentence_lead_t); k++)
    {
        for (words = judge_sentence_leads[k].words; *words != '\0'; ) {
            length = judge_parse_phrase(p->tokens, i, to, words);

            if (length > *n) {
                *n = length;
                best = k;
            }

            words += strcspn(words, " ");
            words += (*words == ' ');
        }
    }

    return (*n == 0) ? JUDGE_S_NONE : judge_sentence_leads[best].kind;
}


/* The lead of the sentence, and where what it leads to begins. */

judge_sentence_e
judge_parse_lead(const judge_parse_ctx_t *p, judge_parse_span_t s,
    size_t *rest)
{
    size_t            i, n, more;
    judge_sentence_e  kind, next;

    for (i = s.from; i < s.to && i < s.from + JUDGE_SENTENCE_LEAD; i++) {
        kind = judge_sentence_lead_at(p, i, s.to, &n);

        /* "judges look for": the longer lead behind wins */

        if (kind == JUDGE_S_JUDGE && i + n < s.to) {
            next = judge_sentence_lead_at(p, i + n, s.to, &more);

            if (next != JUDGE_S_NONE && next != JUDGE_S_JUDGE
                && next != JUDGE_S_CLAUSE)
            {
                kind = next;
                n += more;
            }
        }

        if (kind != JUDGE_S_NONE) {
            *rest = i + n;
            return kind;
        }

        if (!judge_parse_mark(&p->tokens[i], ',')
            && judge_parse_any(p, i, s.to, judge_sentence_before) == 0)
        {
            break;
        }
    }

    return JUDGE_S_NONE;
}


/* The next word that may begin the criteria instead. */

static size_t
judge_sentence_stop(const judge_parse_ctx_t *p, size_t i, size_t to)
{
    while (i < to
           && judge_parse_any(p, i, to, judge_sentence_strong) == 0)
    {
        i++;
    }

    return (i < to) ? i : to;
}


/*
 * "Judge blog posts for our company on clarity and tone": of the words that
 * may begin the criteria, the one that a quality follows; else the first.
 */

static judge_parse_span_t
judge_sentence_object(const judge_parse_ctx_t *p, judge_parse_span_t s)
{
    size_t              i, n, end, next, first, tries;
    judge_parse_span_t  rest;

    first = s.to;

    for (i = s.from; i < s.to && i < s.from + JUDGE_SENTENCE_COLON; i++) {
        if (judge_parse_mark(&p->tokens[i], ':') && i + 1 < s.to) {
            return (judge_parse_span_t) { i + 1, s.to };
        }
    }

    if (judge_parse_word(&p->tokens[s.from], "how")
        || judge_parse_word(&p->tokens[s.from], "whether"))
    {
        return s;
    }

    for (i = s.from, tries = 0;
         i < s.to && tries < JUDGE_SENTENCE_TRIES; i++)
    {
        n = judge_parse_any(p, i, s.to, judge_sentence_strong);

        if (n == 0) {
            continue;
        }

        tries++;

        /* "how" belongs to what it begins */

        rest = (judge_parse_span_t) { i + n, s.to };
        rest.from -= judge_parse_word(&p->tokens[i], "how")
                     || judge_parse_word(&p->tokens[i], "whether");

        if (first == s.to) {
            first = rest.from;
        }

        end = judge_sentence_stop(p, rest.from + 1,
                                  judge_parse_piece_end(p, rest, &next));

        if (judge_parse_has_quality(p, rest.from, end)) {
            if (!judge_parse_has_quality(p, s.from, i)
                || judge_parse_word(&p->tokens[i], "on")
                || judge_parse_word(&p->tokens[i], "by"))
            {
                return rest;
            }

            break;
        }
    }

    if (judge_parse_has_quality(p, s.from, (first < s.to) ? first : s.to)
        || first == s.to)
    {
        return s;
    }

    return (judge_parse_span_t) { first, s.to };
}


/* --- Any sentence ------------------------------------------------------ */


/* Verbs at the beginning: "Cite at least two sources", "Keep it short". */

static size_t
judge_sentence_command(judge_parse_ctx_t *p, judge_parse_span_t s)
{
    if (!judge_parse_is(&p->tokens[s.from], JUDGE_PW_VERB)
        || s.to - s.from < 2)
    {
        return 0;
    }

    return judge_parse_requirement(p, (judge_parse_span_t) { s.from,
                                                             s.from }, s);
}


/* "Clarity, accuracy, tone.": no verb, and mostly qualities. */

static size_t
judge_sentence_bare(judge_parse_ctx_t *p, judge_parse_span_t s)
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

    if (known * 2 < pieces || pieces == 0) {
        return 0;
    }

    return judge_parse_enumeration(p, s, JUDGE_P_ENUMERATED);
}


/* "texts that are clear", "the answer to be short": what must hold of what
 * is judged. */

static size_t
judge_sentence_wanted(judge_parse_ctx_t *p, judge_parse_span_t rest,
    judge_parse_form_e form)
{
    size_t  i;

    for (i = rest.from; i + 1 < rest.to && i < rest.from + 6; i++) {
        if (i + 2 < rest.to
            && ((judge_parse_is(&p->tokens[i], JUDGE_PW_GENERIC)
                 && (judge_parse_word(&p->tokens[i + 1], "that")
                     || judge_parse_word(&p->tokens[i + 1], "which")))
                || (judge_parse_word(&p->tokens[i + 1], "to")
                    && judge_parse_is(&p->tokens[i + 2], JUDGE_PW_VERB))))
        {
            return judge_parse_requirement(p,
                       (judge_parse_span_t) { rest.from, i + 2 },
                       (judge_parse_span_t) { i + 2, rest.to });
        }

        if (p->tokens[i].quality >= 0
            || judge_parse_mark(&p->tokens[i], ','))
        {
            break;
        }
    }

    return judge_parse_enumeration(p, rest, form);
}


static size_t
judge_sentence_fault(judge_parse_ctx_t *p, judge_parse_span_t rest)
{
    size_t  i;

    for (i = rest.from; i < rest.to && i < rest.from + 6; i++) {
        if (judge_parse_is(&p->tokens[i], JUDGE_PW_VERB)
            && !judge_parse_is(&p->tokens[i], JUDGE_PW_GENERIC))
        {
            break;
        }
    }

    if (i == rest.to || i == rest.from + 6) {
        return 0;
    }

    p->negative = 'V';

    return judge_parse_requirement(p, (judge_parse_span_t) { rest.from, i },
                                   (judge_parse_span_t) { i, rest.to });
}


/* The last criteria count half. */

static void
judge_sentence_bonus(judge_parse_ctx_t *p, size_t made)
{
    size_t  i;

    for (i = p->nfound; i > 0 && i + made > p->nfound; i--) {
        p->found[i - 1].factor = 0.5;
        p->weighed = true;
    }
}


/* "Never blame the customer": `rest` is behind the word that forbids. */

static size_t
judge_sentence_dont(judge_parse_ctx_t *p, judge_parse_span_t s,
    judge_parse_span_t what, size_t rest)
{
    size_t  made;

    p->strict = judge_parse_is(&p->tokens[rest - 1], JUDGE_PW_STRICT)
                || (rest > 1 && judge_parse_is(&p->tokens[rest - 2],
                                               JUDGE_PW_STRICT));
    made = judge_parse_enumeration(p, what, JUDGE_P_ENUMERATED);

    if (made == 1 && p->last > 0 && !p->found[p->last - 1].described) {
        judge_parse_describe(p, p->last - 1, (judge_str_t) { 0, NULL }, s);
    }

    return made;
}


static size_t
judge_sentence_led(judge_parse_ctx_t *p, judge_parse_span_t s,
    judge_sentence_e kind, size_t rest)
{
    size_t              made;
    judge_parse_span_t  what;

    what = judge_parse_trim(p, (judge_parse_span_t) { rest, s.to });

    if (what.from >= what.to) {
        return 0;
    }

    switch (kind) {
    case JUDGE_S_CLAUSE:
        made = judge_parse_should(p, what);
        made = (made > 0) ? made : judge_parse_is_so(p, what);
        return (made > 0) ? made
               : judge_parse_enumeration(p, what, JUDGE_P_REQUIRED);

    case JUDGE_S_FAULT:
        return judge_sentence_fault(p, what);

    case JUDGE_S_AVOID:
        p->negative = 'N';
        return judge_parse_enumeration(p, what, JUDGE_P_ENUMERATED);

    case JUDGE_S_DONT:
        p->negative = 'V';
        return judge_sentence_dont(p, s, what, rest);

    case JUDGE_S_BONUS:
        p->lenient = true;
        made = judge_parse_enumeration(p, what, JUDGE_P_ENUMERATED);

        judge_sentence_bonus(p, made);
        return made;

    case JUDGE_S_LIST:
        return judge_sentence_wanted(p, what, JUDGE_P_ENUMERATED);

    default:
        what = judge_parse_trim(p, judge_sentence_object(p, what));

        /* "rate the text from 1 to 10", "judge our transcripts": what is
         * judged, not by what */

        if (!judge_parse_has_quality(p, what.from, what.to)
            && (judge_parse_generic(p, what)
                || (what.from == rest
                    && judge_parse_piece_end(p, what, &made) == what.to)))
        {
            return 0;
        }

        return judge_parse_enumeration(p, what, JUDGE_P_ENUMERATED);
    }
}


static size_t
judge_sentence_kind(judge_parse_ctx_t *p, judge_parse_span_t s,
    bool question)
{
    double             low, high;
    size_t             rest, made;
    judge_sentence_e   kind;
    judge_parse_cue_t  cue;

    if (question) {
        return judge_parse_question(p, s);
    }

    kind = judge_parse_lead(p, s, &rest);

    if (kind != JUDGE_S_NONE) {
        made = judge_sentence_led(p, s, kind, rest);

        if (made > 0) {
            return made;
        }

        p->negative = 0;
    }

    made = judge_parse_should(p, s);

    if (made == 0 && judge_parse_cues(p, s, &cue) && !cue.scale
        && (judge_parse_has_quality(p, s.from, s.to)
            || cue.equal || cue.ranked || p->nfound > 0))
    {
        made = judge_parse_enumeration(p, s, JUDGE_P_WEIGHED);
        made += cue.equal || cue.ranked;
    }

    made = (made > 0) ? made : judge_parse_is_so(p, s);
    made = (made > 0) ? made : judge_sentence_command(p, s);

    made = (made > 0) ? made : judge_sentence_bare(p, s);

    /* "Maximum 200 words." */

    if (made == 0 && s.to - s.from <= 8
        && judge_parse_quantity(p, s, &low, &high, &rest) > 0)
    {
        made = judge_parse_piece(p, s, JUDGE_P_REQUIRED)
               != JUDGE_PARSE_FOUND;
    }

    return made;
}


/* "When you read a text, look for ...": what stands behind the comma. */

static judge_parse_span_t
judge_sentence_behind(const judge_parse_ctx_t *p, judge_parse_span_t s)
{
    size_t  i;

    if (s.from >= s.to || (!judge_parse_word(&p->tokens[s.from], "when")
                           && !judge_parse_word(&p->tokens[s.from], "while")
                           && !judge_parse_word(&p->tokens[s.from], "as")))
    {
        return s;
    }

    for (i = s.from; i + 1 < s.to && i < s.from + 14; i++) {
        if (judge_parse_mark(&p->tokens[i], ',')) {
            s.from = i + 1;
            break;
        }
    }

    return s;
}


/* Without "also", "first of all", "please" at its beginning. */

static judge_parse_span_t
judge_sentence_open(judge_parse_ctx_t *p, judge_parse_span_t s)
{
    size_t  n;
    static const char *const  opening[] = {
        "also", "additionally", "furthermore", "finally", "first_of_all",
        "firstly", "secondly", "thirdly", "lastly", "moreover", "however",
        "in_addition", "please", "and", "but", "besides", "of_course",
        "i_think", "in_general", "generally", "overall", "in_short", "first",
        "second", "third", "next", "then", "again", "so", NULL
    };

    s = judge_sentence_behind(p, judge_parse_trim(p, s));

    while (s.from < s.to) {
        if (judge_parse_is(&p->tokens[s.from], JUDGE_PW_LENIENT)
            && !judge_parse_word(&p->tokens[s.from], "bonus"))
        {
            p->lenient = true;
            n = 1;

        } else {
            n = judge_parse_any(p, s.from, s.to, opening);
        }

        n += (n == 0 && judge_parse_mark(&p->tokens[s.from], ','));

        if (n == 0) {
            break;
        }

        s.from += n;
    }

    return s;
}


static void
judge_sentence(judge_parse_ctx_t *p, judge_parse_span_t s)
{
    bool                question;
    judge_parse_span_t  rest;

    question = s.to > s.from && judge_parse_mark(&p->tokens[s.to - 1], '?');
    p->negative = 0;
    p->lenient = false;
    p->strict = false;

    s = judge_sentence_open(p, s);

    if (s.from >= s.to) {
        return;
    }

    p->sentences++;

    /* an example of what was said last */

    rest = judge_parse_examples(p, JUDGE_PARSE_FOUND, s);

    if (rest.from >= rest.to) {
        (void) judge_parse_examples(p, (p->last > 0) ? p->last - 1
                                                     : JUDGE_PARSE_FOUND, s);
        return;
    }

    if (judge_parse_levels(p, s, p->levels)) {
        return;
    }

    p->unused += judge_sentence_kind(p, s, question) == 0;
    p->negative = 0;
    p->lenient = false;
}


void
judge_parse_sentences(judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t  end;

    while (span.from < span.to) {
        end = judge_parse_sentence_end(p, span);
        judge_sentence(p, (judge_parse_span_t) { span.from, end });
        span.from = end;
    }
}


/* Nothing was found: every quality that is spoken of may be meant. */

void
judge_parse_guess(judge_parse_ctx_t *p)
{
    size_t                      i;
    const judge_parse_token_t  *t;

    p->negative = 0;

    for (i = 0; i < p->ntokens; i++) {
        t = &p->tokens[i];

        if (t->quality < 0 || t->kind != JUDGE_P_WORD
            || (t->span == 1 && judge_parse_is(t, JUDGE_PW_GENERIC)))
        {
            continue;
        }

        (void) judge_parse_add_quality(p, judge_quality(t->quality)->name,
                                       JUDGE_P_GUESSED);
        i += t->span - 1u;
    }
}
