/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Lists, headings and tables: here people mark themselves what is one
 * criterion.
 */


#include <string.h>

#include "analysis/criteria/criteria_parts.h"


#define JUDGE_LIST_LABEL  7            /* words before the colon */
#define JUDGE_LIST_LINES  40           /* of a list without marks, at a time */

typedef enum {
    JUDGE_L_NONE,
    JUDGE_L_CRITERIA,                  /* "Criteria": what follows is */
    JUDGE_L_AVOID,
    JUDGE_L_BONUS,
    JUDGE_L_STRICT,                    /* "Must have" */
    JUDGE_L_WEIGHTS,
    JUDGE_L_SCALE,
    JUDGE_L_EXAMPLE,
    JUDGE_L_IGNORE                     /* "Background" */
} judge_list_label_e;

typedef struct {
    const char          *words;
    judge_list_label_e   kind;
} judge_list_title_t;


static const judge_list_title_t  judge_list_titles[] = {
    { "must_not do_not don't don'ts don't_do things_to_avoid avoid "
      "what_to_avoid no-gos no-go never red_flags penalties bad",
      JUDGE_L_AVOID },
    { "nice_to_have nice-to-have nice_to_haves bonus bonus_points optional "
      "should_have extra_credit could_have", JUDGE_L_BONUS },
    { "must_have must-have must-haves must_haves required requirements "
      "mandatory must", JUDGE_L_STRICT },
    { "weights weighting weightings weight importance priorities priority "
      "weighing", JUDGE_L_WEIGHTS },
    { "scale scoring_scale rating_scale scoring score_levels levels "
      "scoring_guide grading_scale grades thresholds scores rating "
      "score_bands", JUDGE_L_SCALE },
    { "example examples for_example sample e.g. ", JUDGE_L_EXAMPLE },
    { "context background about about_us introduction overview notes note "
      "goal goals purpose task role instructions instruction output "
      "output_format format_of_the_answer important audience input "
      "disclaimer title name content_type", JUDGE_L_IGNORE },
    { "criteria evaluation_criteria judging_criteria the_criteria rubric "
      "what_we_look_for what_to_look_for look_for what_matters do dos "
      "grading_criteria scoring_criteria our_criteria quality_criteria "
      "guidelines points_to_check checklist please_check", JUDGE_L_CRITERIA }
};


static judge_list_label_e
judge_list_title(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t       k, n;
    const char  *words;

    span = judge_parse_trim(p, span);

    for (k = 0; k < sizeof(judge_list_titles) / sizeof(judge_list_title_t);
         k++)
    {
        for (words = judge_list_titles[k].words; *words != '\0'; /* void */) {
            n = judge_parse_phrase(p->tokens, span.from, span.to, words);

            if (n > 0 && n == span.to - span.from) {
                return judge_list_titles[k].kind;
            }

            words += strcspn(words, " ");
            words += (*words == ' ');
        }
    }

    return JUDGE_L_NONE;
}


/* The colon or dash behind a label, or span.to. */

static size_t
judge_list_separator(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t                      i, words, depth;
    const judge_parse_token_t  *t;

    words = 0;
    depth = 0;

    for (i = span.from; i < span.to; i++) {
        t = &p->tokens[i];

        if (judge_parse_mark(t, '(')) {
            depth++;

        } else if (judge_parse_mark(t, ')')) {
            depth -= (depth > 0);

        } else if (depth > 0) {
            continue;

        } else if (judge_parse_mark(t, JUDGE_P_DASH)
                   || (judge_parse_mark(t, ':')
                       && (i + 1 == span.to || t[1].space
                           || t->begin == t->end)))
        {
            return i;

        } else if (t->kind == JUDGE_P_MARK
                   && memchr(".!?;", t->mark, 4) != NULL)
        {
            break;
        }

        words += (t->kind == JUDGE_P_WORD);

        if (words > JUDGE_LIST_LABEL) {
            break;
        }
    }

    return span.to;
}


/* --- Items ------------------------------------------------------------- */


/* What a description says of weight, sentence by sentence: such a sentence
 * is no part of the description. */

void
judge_parse_statements(judge_parse_ctx_t *p, size_t at,
    judge_parse_span_t span)
{
    size_t              end;
    size_t              other;
    judge_str_t         none;
    judge_parse_cue_t   cue;
    judge_parse_span_t  s, left, whole;

    none = (judge_str_t) { 0, NULL };
    whole = span;
    judge_parse_brackets(p, at, span);

    while (span.from < span.to) {
        end = judge_parse_sentence_end(p, span);
        s = (judge_parse_span_t) { span.from, end };
        span.from = end;

        if (judge_parse_levels(p, s, p->found[at].levels)) {
            continue;
        }

        left = judge_parse_trim(p, judge_parse_take(p, s, &cue));

        other = judge_parse_ordinal(p, left);

        if (cue.any && other != JUDGE_PARSE_FOUND) {
            judge_parse_apply(p, other, &cue);
            continue;
        }

        if (cue.any && (left.from >= left.to
                        || judge_parse_generic(p, left)))
        {
            judge_parse_apply(p, at, &cue);
            continue;
        }

        if (cue.share >= 0 || cue.points >= 0 || cue.times >= 0) {
            judge_parse_apply(p, at, &cue);

            if (cue.at.from <= s.from + 1
                && judge_parse_trim(p, (judge_parse_span_t) {
                                           cue.at.to, s.to }).from < s.to)
            {
                s.from = cue.at.to;    /* "30% - the facts are right" */
            }
        }

        judge_parse_describe(p, at, none, s);
    }

    judge_parse_details(p, at, whole);
}


static size_t
judge_list_labelled(judge_parse_ctx_t *p, judge_parse_span_t label,
    judge_parse_span_t text)
{
    size_t              i, at;
    judge_parse_cue_t   cue, again;
    judge_parse_span_t  name;

    name = label;
    memset(&cue, 0, sizeof(judge_parse_cue_t));

    for (i = label.from; i < label.to; i++) {
        if (judge_parse_mark(&p->tokens[i], '(')) {
            name.to = i;
            (void) judge_parse_take(p, (judge_parse_span_t) { i, label.to },
                                    &cue);
            break;
        }
    }

    if (!cue.any) {
        name = judge_parse_take(p, name, &again);
        cue = again;
    }

    at = judge_parse_add(p, name, JUDGE_P_LABELLED);

    if (at == JUDGE_PARSE_FOUND) {
        return 0;
    }

    judge_parse_apply(p, at, &cue);
    judge_parse_statements(p, at, text);

    return 1;
}


/* Without "check whether the text", "it should", "does it": what is left
 * names the criterion. */

static judge_parse_span_t
judge_list_open(judge_parse_ctx_t *p, judge_parse_span_t s)
{
    bool              no;
    size_t            i, n, rest;
    judge_sentence_e  kind;

    kind = judge_parse_lead(p, s, &rest);

    if (kind == JUDGE_S_AVOID || kind == JUDGE_S_DONT) {
        p->negative = (kind == JUDGE_S_AVOID) ? 'N' : 'V';
        s.from = rest;

    } else if ((kind == JUDGE_S_CLAUSE || kind == JUDGE_S_LIST)
               && rest < s.to)
    {
        s.from = rest;
    }

    for (i = s.from; i < s.to && i < s.from + 5; i++) {
        no = judge_parse_modal(p, i, s.to, &n);

        if (n == 0 && i > s.from && judge_parse_is(&p->tokens[i],
                                                   JUDGE_PW_NOT)
            && judge_parse_generic(p, (judge_parse_span_t) { s.from, i }))
        {
            s.from = i;                /* "it doesn't promise" */
            break;
        }

        if (n > 0 && i + n < s.to
            && judge_parse_generic(p, (judge_parse_span_t) { s.from, i }))
        {
            p->negative = no ? 'V' : p->negative;
            p->strict = judge_parse_is(&p->tokens[i], JUDGE_PW_STRICT);
            s.from = i + n;
            break;
        }
    }

    return s;
}


static size_t
judge_list_plain(judge_parse_ctx_t *p, judge_parse_span_t span)
{
    char                negative;
    size_t              at, end, i;
    judge_parse_cue_t   cue;
    judge_parse_span_t  first, name;

    negative = p->negative;
    end = judge_parse_sentence_end(p, span);
    first = (judge_parse_span_t) { span.from, end };

    /* brackets are looked into by the piece */

    for (i = first.from; i < first.to; i++) {
        if (judge_parse_mark(&p->tokens[i], '(')) {
            break;
        }
    }

    name = judge_parse_take(p, (judge_parse_span_t) { first.from, i }, &cue);

    if (!cue.any || name.from >= name.to) {
        name = first;

    } else if (i < first.to && name.to <= i) {
        name.to = first.to;
    }

    if (name.to > name.from && judge_parse_mark(&p->tokens[name.to - 1],
                                                '?'))
    {
        /* a question is read as in prose */
        i = p->nfound;
        (void) judge_parse_question(p, name);
        at = (p->nfound > i) ? i : JUDGE_PARSE_FOUND;

    } else {
        name = judge_list_open(p, name);
        at = judge_parse_piece(p, name, JUDGE_P_LISTED);
    }

    p->negative = negative;
    p->strict = false;

    if (at == JUDGE_PARSE_FOUND) {
        return 0;
    }

    judge_parse_apply(p, at, &cue);

    if (end < span.to) {
        judge_parse_statements(p, at, (judge_parse_span_t) { end, span.to });
    }

    return 1;
}


static size_t
judge_list_special(judge_parse_ctx_t *p, judge_list_label_e kind,
    judge_parse_span_t text)
{
    size_t  made;
    bool    lenient;

    made = 1;
    lenient = p->lenient;

    switch (kind) {
    case JUDGE_L_AVOID:
        p->negative = 'N';
        made = judge_parse_enumeration(p, text, JUDGE_P_ENUMERATED);
        p->negative = 0;
        break;

    case JUDGE_L_BONUS:
    case JUDGE_L_STRICT:
    case JUDGE_L_CRITERIA:
    case JUDGE_L_WEIGHTS:
        p->lenient = (kind == JUDGE_L_BONUS);
        made = judge_parse_enumeration(p, text, JUDGE_P_ENUMERATED);
        p->lenient = lenient;
        break;

    case JUDGE_L_SCALE:
        (void) judge_parse_levels(p, text, p->levels);
        break;

    case JUDGE_L_EXAMPLE:
        if (p->last > 0) {
            (void) judge_parse_examples(p, p->last - 1,
                                        (judge_parse_span_t) {
                                            text.from - 2, text.to });
        }

        break;

    default:
        break;
    }

    return made;
}


static size_t
judge_list_item(judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t              at;
    judge_list_label_e  kind;
    judge_parse_span_t  label, text;

    span = judge_parse_trim(p, span);

    /* "the tone, and" goes on with the next item */

    while (span.to > span.from
           && (judge_parse_word(&p->tokens[span.to - 1], "and")
               || judge_parse_word(&p->tokens[span.to - 1], "or")))
    {
        span.to--;
        span = judge_parse_trim(p, span);
    }

    if (span.from >= span.to) {
        return 0;
    }

    p->sentences++;
    at = judge_list_separator(p, span);
    label = judge_parse_trim(p, (judge_parse_span_t) { span.from, at });
    text = (judge_parse_span_t) { (at < span.to) ? at + 1 : at, span.to };

    if (at == span.to || label.from >= label.to
        || judge_parse_trim(p, text).from >= text.to)
    {
        return judge_list_plain(p, (judge_parse_span_t) { span.from, at });
    }

    kind = judge_list_title(p, label);

    if (kind != JUDGE_L_NONE) {
        return judge_list_special(p, kind, text);
    }

    /* "30%: clarity" */

    if (p->tokens[label.from].kind == JUDGE_P_NUMBER
        && label.to - label.from <= 2)
    {
        return judge_list_plain(p, span);
    }

    return judge_list_labelled(p, label, text);
}


/* --- Blocks ------------------------------------------------------------ */


/* The end of the list whose first item is at b. */

static size_t
judge_list_end(const judge_parse_ctx_t *p, size_t b,
    judge_parse_block_e kind)
{
    while (b < p->nblocks && p->blocks[b].kind == kind) {
        b++;
    }

    return b;
}


static bool
judge_list_colon(const judge_parse_ctx_t *p, size_t b)
{
    judge_parse_span_t  span;

    span = p->blocks[b].span;

    return judge_parse_mark(&p->tokens[span.to - 1], ':');
}


static size_t
judge_list_short(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t  i, words;

    for (i = span.from, words = 0; i < span.to; i++) {
        words += p->tokens[i].kind == JUDGE_P_WORD;

        if (p->tokens[i].kind == JUDGE_P_MARK
            && memchr(".!?;:", p->tokens[i].mark, 5) != NULL)
        {
            return 0;
        }
    }

    return (words <= 6) ? words : 0;
}


/* Lines of a few words each, one below the other: a list without marks. */

static size_t
judge_list_lines(const judge_parse_ctx_t *p, size_t b)
{
    size_t  n, known;

    known = 0;

    for (n = 0; b + n < p->nblocks && n < JUDGE_LIST_LINES
                && p->blocks[b + n].kind == JUDGE_P_PARAGRAPH
                && (n == 0 || !p->blocks[b + n].gap)
                && judge_list_short(p, p->blocks[b + n].span) > 0; n++)
    {
        known += judge_parse_has_quality(p, p->blocks[b + n].span.from,
                                         p->blocks[b + n].span.to);
    }

    return (n >= 2 && known * 2 >= n) ? n : 0;
}


/* A share that stands above a list is divided among its items. */

static void
judge_list_divide(judge_parse_ctx_t *p, size_t first,
    const judge_parse_cue_t *cue)
{
    bool    own;
    size_t  i, n;

    own = false;
    n = p->nfound - first;

    for (i = first; i < p->nfound; i++) {
        own |= p->found[i].share >= 0 || p->found[i].points >= 0;
    }

    if (n == 0 || own) {
        return;
    }

    for (i = first; i < p->nfound; i++) {
        p->found[i].share = (cue->share >= 0) ? cue->share / (double) n : -1;
        p->found[i].points = (cue->points >= 0) ? cue->points / (double) n
                                                : -1;
        p->found[i].factor = (cue->factor > 0) ? cue->factor : 1;
    }

    p->weighed = true;
}


static void
judge_list_items(judge_parse_ctx_t *p, size_t b, size_t end,
    judge_list_label_e section)
{
    size_t      rank, made, scale;
    judge_str_t none;

    none = (judge_str_t) { 0, NULL };
    rank = 0;

    while (b < end) {
        scale = judge_parse_scale(p, b);

        if (scale > 0) {
            b += scale;
            continue;
        }

        p->negative = (section == JUDGE_L_AVOID) ? 'N' : 0;
        p->lenient = (section == JUDGE_L_BONUS);
        p->strict = (section == JUDGE_L_STRICT);

        if (p->blocks[b].child && p->last > 0) {
            judge_parse_describe(p, p->last - 1, none, p->blocks[b].span);
            judge_parse_details(p, p->last - 1, p->blocks[b].span);
            b++;
            continue;
        }

        made = judge_list_item(p, p->blocks[b].span);
        p->unused += (made == 0);

        if (made > 0 && section == JUDGE_L_BONUS && p->last > 0) {
            p->found[p->last - 1].factor = 0.5;
            p->weighed = true;
        }

        if (made > 0 && p->ranked && p->last > 0) {
            p->found[p->last - 1].rank = (double) ++rank;
            p->weighed = true;
        }

        b++;
    }

    p->negative = 0;
    p->lenient = false;
    p->strict = false;
    p->ranked = false;
}


/* "We look at the following, in order of importance:" */

static judge_list_label_e
judge_list_intro(judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_cue_t *cue)
{
    size_t              rest;
    judge_list_label_e  kind;

    kind = judge_list_title(p, span);
    (void) judge_parse_take(p, span, cue);

    if (cue->ranked) {
        p->ranked = true;
    }

    if (cue->equal) {
        p->equal = true;
        p->weighed = true;
    }

    if (kind != JUDGE_L_NONE) {
        return kind;
    }

    switch (judge_parse_lead(p, span, &rest)) {
    case JUDGE_S_AVOID:
    case JUDGE_S_DONT:
    case JUDGE_S_FAULT:
        return JUDGE_L_AVOID;
    case JUDGE_S_BONUS:
        return JUDGE_L_BONUS;
    default:
        return JUDGE_L_NONE;
    }
}


/* A heading with something below it: a section, or a criterion. */

static size_t
judge_list_section(judge_parse_ctx_t *p, size_t b)
{
    bool                items, named;
    size_t              end, first;
    judge_parse_cue_t   cue;
    judge_list_label_e  kind;
    judge_parse_span_t  span, name;

    span = p->blocks[b].span;
    kind = judge_list_intro(p, span, &cue);
    name = judge_parse_trim(p, span);

    for (end = b + 1; end < p->nblocks
                      && p->blocks[end].kind != JUDGE_P_HEADING
                      && !(p->blocks[b].kind != JUDGE_P_HEADING
                           && p->blocks[end].kind != JUDGE_P_ITEM); end++)
    {
        /* void */
    }

    if (kind == JUDGE_L_IGNORE) {
        return end;
    }

    items = b + 1 < end && p->blocks[b + 1].kind == JUDGE_P_ITEM;
    named = kind == JUDGE_L_NONE && judge_list_short(p, name) > 0
            && b + 1 < end
            && (judge_parse_has_quality(p, name.from, name.to)
                || p->blocks[b].kind == JUDGE_P_HEADING);

    if (named && !items && p->blocks[b + 1].kind == JUDGE_P_PARAGRAPH) {
        (void) judge_list_labelled(p, name, p->blocks[b + 1].span);

        for (first = b + 2; first < end && p->last > 0; first++) {
            judge_parse_statements(p, p->last - 1, p->blocks[first].span);
        }

        return end;
    }

    if (!items) {
        return b + 1;
    }

    first = p->nfound;
    end = judge_list_end(p, b + 1, JUDGE_P_ITEM);
    judge_list_items(p, b + 1, end, kind);

    if (cue.share >= 0 || cue.points >= 0 || cue.factor > 0) {
        judge_list_divide(p, first, &cue);
    }

    return end;
}


/* "Tone: warm." on a line, if lines before and behind it have labels, too,
 * or the label is a quality. */

static bool
judge_list_is_labelled(const judge_parse_ctx_t *p, size_t b)
{
    size_t              at;
    judge_parse_span_t  span;

    if (b >= p->nblocks || p->blocks[b].kind != JUDGE_P_PARAGRAPH) {
        return false;
    }

    span = p->blocks[b].span;
    at = judge_list_separator(p, span);

    return at < span.to && at + 1 < span.to && at > span.from
           && (judge_parse_mark(&p->tokens[at], ':')
               || p->tokens[span.from].quality >= 0);
}


static size_t
judge_list_paragraph(judge_parse_ctx_t *p, size_t b)
{
    size_t              n, at, rest;
    judge_parse_span_t  span;

    span = p->blocks[b].span;
    n = judge_parse_scale(p, b);

    if (n > 0) {
        return b + n;
    }

    n = judge_list_lines(p, b);

    if (n > 0) {
        judge_list_items(p, b, b + n, JUDGE_L_NONE);
        return b + n;
    }

    if (b + 1 < p->nblocks && p->blocks[b + 1].kind == JUDGE_P_ITEM
        && (judge_list_colon(p, b) || judge_list_short(p, span) > 0))
    {
        return judge_list_section(p, b);
    }

    if (judge_list_is_labelled(p, b)) {
        at = judge_list_separator(p, span);

        if (judge_list_title(p, (judge_parse_span_t) { span.from, at })
            != JUDGE_L_NONE
            || ((judge_parse_has_quality(p, span.from, at)
                 || judge_list_is_labelled(p, b + 1)
                 || (b > 0 && judge_list_is_labelled(p, b - 1)))
                && judge_parse_lead(p, (judge_parse_span_t) { span.from, at },
                                    &rest) == JUDGE_S_NONE))
        {
            p->unused += judge_list_item(p, span) == 0;
            return b + 1;
        }
    }

    judge_parse_sentences(p, span);

    return b + 1;
}


void
judge_parse_blocks(judge_parse_ctx_t *p)
{
    size_t  b, end;

    for (b = 0; b < p->nblocks; b = end) {
        switch (p->blocks[b].kind) {
        case JUDGE_P_HEADING:
            end = judge_list_section(p, b);
            break;

        case JUDGE_P_ITEM:
            end = judge_list_end(p, b, JUDGE_P_ITEM);
            judge_list_items(p, b, end, JUDGE_L_NONE);
            break;

        case JUDGE_P_ROW:
            p->sentences++;
            (void) judge_parse_row(p, p->blocks[b].span,
                                  b == 0
                                  || p->blocks[b - 1].kind != JUDGE_P_ROW);
            end = b + 1;
            break;

        default:
            end = judge_list_paragraph(p, b);
        }

        /* a section that begins with its own heading again */
        end = (end > b) ? end : b + 1;
    }
}
