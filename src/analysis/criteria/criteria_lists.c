/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Lists, headings and tables, in which the criteria are marked.
 */


#include "analysis/criteria/criteria_context.h"


#define JUDGE_LISTS_LINES   40         /* of a list without marks, at a time */
#define JUDGE_LISTS_CELLS   12         /* columns of a table */
#define JUDGE_LISTS_LEVELS  16         /* of a scale */
#define JUDGE_LISTS_OPEN    5          /* words before "should" in an item */


/* --- Items ------------------------------------------------------------- */


/* The section that a title begins. */

static judge_parse_section_e
judge_lists_title(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t  n;
    double  section;

    span = judge_parse_trim(p, span);
    n = judge_parse_value(p, span.from, span.to, JUDGE_W_TITLE, &section);

    return (n > 0 && n == span.to - span.from)
           ? (judge_parse_section_e) section : JUDGE_L_NONE;
}


static size_t
judge_lists_labelled(judge_parse_ctx_t *p, judge_parse_span_t label,
    judge_parse_span_t text)
{
    size_t              at;
    judge_parse_cue_t   cue;
    judge_parse_span_t  name;

    name = (judge_parse_span_t) { label.from,
                                  judge_parse_seek_mark(p, label, "(") };
    (void) judge_parse_take(p, judge_parse_span(name.to, label.to), &cue);

    if (!cue.any) {
        name = judge_parse_take(p, name, &cue);
    }

    at = judge_parse_add(p, name, JUDGE_P_LABELLED);

    if (at == JUDGE_PARSE_NONE) {
        return 0;
    }

    judge_parse_apply(p, at, &cue);
    judge_parse_statements(p, at, text);

    return 1;
}


/* Without "check whether the text", "it should", "does it". */

static judge_parse_span_t
judge_lists_open(judge_parse_ctx_t *p, judge_parse_span_t s)
{
    size_t              i, n, rest;
    double              forbids;
    judge_parse_lead_e  kind;

    kind = judge_parse_lead(p, s, &rest);

    if (kind == JUDGE_S_AVOID || kind == JUDGE_S_DONT) {
        p->negative = (kind == JUDGE_S_AVOID) ? 'N' : 'V';
        s.from = rest;

    } else if ((kind == JUDGE_S_CLAUSE || kind == JUDGE_S_LIST)
               && rest < s.to)
    {
        s.from = rest;
    }

    for (i = s.from; i + 1 < s.to && i < s.from + JUDGE_LISTS_OPEN; i++) {
        n = judge_parse_value(p, i, s.to, JUDGE_W_MODAL, &forbids);

        if ((n == 0 && (i == s.from
                        || !judge_parse_is(&p->tokens[i], JUDGE_W_NOT)))
            || i + n >= s.to
            || !judge_parse_generic(p, (judge_parse_span_t) { s.from, i }))
        {
            continue;
        }

        if (n > 0) {
            p->negative = forbids ? 'V' : p->negative;
            p->strict = judge_parse_is(&p->tokens[i], JUDGE_W_STRICT);
        }

        s.from = i + n;                /* "it doesn't promise" */
        break;
    }

    return s;
}


static size_t
judge_lists_plain(judge_parse_ctx_t *p, judge_parse_span_t span)
{
    char                negative;
    size_t              at, end, open;
    judge_parse_cue_t   cue;
    judge_parse_span_t  first, name;

    negative = p->negative;
    end = judge_parse_sentence_end(p, span);
    first = judge_parse_span(span.from, end);

    /* brackets are read with the piece */

    open = judge_parse_seek_mark(p, first, "(");
    name = judge_parse_take(p, judge_parse_span(first.from, open), &cue);

    if (!cue.any || name.from >= name.to) {
        name = first;

    } else if (open < first.to) {
        name.to = first.to;
    }

    if (judge_parse_mark(&p->tokens[name.to - 1], '?')) {
        at = p->nfound;
        (void) judge_parse_question(p, name);
        at = (p->nfound > at) ? at : JUDGE_PARSE_NONE;

    } else {
        at = judge_parse_piece(p, judge_lists_open(p, name), JUDGE_P_LISTED);
    }

    p->negative = negative;
    p->strict = false;

    if (at == JUDGE_PARSE_NONE) {
        return 0;
    }

    judge_parse_apply(p, at, &cue);

    if (end < span.to) {
        judge_parse_statements(p, at, judge_parse_span(end, span.to));
    }

    return 1;
}


/* "Avoid: jargon, clichés", "Scale: 90 is excellent". */

static size_t
judge_lists_section(judge_parse_ctx_t *p, judge_parse_section_e section,
    judge_parse_span_t text)
{
    bool    lenient;
    size_t  n;

    if (section == JUDGE_L_SCALE || section == JUDGE_L_IGNORE) {
        (void) (section == JUDGE_L_SCALE
                && judge_parse_levels(p, text, p->levels));
        return 1;
    }

    if (section == JUDGE_L_EXAMPLE) {
        text.from -= 2;                /* "example:" */
        (void) judge_parse_examples(p, (p->last > 0) ? p->last - 1
                                                     : JUDGE_PARSE_NONE,
                                    text);
        return 1;
    }

    lenient = p->lenient;
    p->negative = (section == JUDGE_L_AVOID) ? 'N' : 0;
    p->lenient = (section == JUDGE_L_BONUS);
    n = judge_parse_enumeration(p, text, JUDGE_P_ENUMERATED);
    p->negative = 0;
    p->lenient = lenient;

    return n;
}


static size_t
judge_lists_item(judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t                 at;
    judge_parse_span_t     label, text;
    judge_parse_section_e  section;

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
    at = judge_parse_separator(p, span);
    label = judge_parse_trim(p, judge_parse_span(span.from, at));
    text = judge_parse_span(at + (at < span.to), span.to);
    text.from = judge_parse_trim(p, text).from;

    if (label.from >= label.to || text.from >= text.to) {
        span.to = at;
        return judge_lists_plain(p, span);
    }

    section = judge_lists_title(p, label);

    if (section != JUDGE_L_NONE) {
        return judge_lists_section(p, section, text);
    }

    /* "30%: clarity" */

    return (p->tokens[label.from].kind == JUDGE_P_NUMBER
            && label.to - label.from <= 2)
           ? judge_lists_plain(p, span)
           : judge_lists_labelled(p, label, text);
}


/* "5 - excellent", "4 - good", ... are classes of scores, not criteria: how
 * many blocks from b on. */

static size_t
judge_lists_scale(judge_parse_ctx_t *p, size_t b)
{
    size_t              n, i;
    double              top, values[JUDGE_LISTS_LEVELS];
    unsigned            levels[JUDGE_LISTS_LEVELS];
    judge_parse_span_t  s;

    top = 0;

    for (n = 0; b + n < p->nblocks && n < JUDGE_LISTS_LEVELS
                && p->blocks[b + n].kind < JUDGE_P_HEADING; n++)
    {
        s = p->blocks[b + n].span;

        if (!judge_parse_level(p, s, &levels[n], &values[n])
            || (p->tokens[s.from].kind != JUDGE_P_NUMBER
                && s.to - s.from > 8))
        {
            break;
        }

        top = (values[n] > top) ? values[n] : top;
    }

    if (n < 3) {
        return 0;
    }

    for (i = 0; i < n; i++) {
        /* grades of five or ten become hundredths */

        if (p->levels[levels[i]] < 0) {
            p->levels[levels[i]] = (top > 10) ? values[i]
                                   : (values[i] - 0.5) / top * 100;
        }
    }

    return n;
}


static void
judge_lists_items(judge_parse_ctx_t *p, size_t b, size_t end,
    judge_parse_section_e section)
{
    size_t                rank, scale, made;
    judge_parse_found_t  *f;

    for (rank = 0; b < end; b++) {
        scale = judge_lists_scale(p, b);

        if (scale > 0) {
            b += scale - 1;
            continue;
        }

        p->negative = (section == JUDGE_L_AVOID) ? 'N' : 0;
        p->lenient = (section == JUDGE_L_BONUS);
        p->strict = (section == JUDGE_L_STRICT);

        if (p->blocks[b].child && p->last > 0) {
            judge_parse_describe(p, p->last - 1, JUDGE_STR(""),
                                 p->blocks[b].span);
            judge_parse_details(p, p->last - 1, p->blocks[b].span);
            continue;
        }

        made = judge_lists_item(p, p->blocks[b].span);
        p->unused += (made == 0);

        if (made == 0 || p->last == 0) {
            continue;
        }

        f = &p->found[p->last - 1];
        f->factor = (section == JUDGE_L_BONUS) ? 0.5 : f->factor;
        f->rank = p->ranked ? (double) ++rank : f->rank;
        p->weighed |= p->ranked || section == JUDGE_L_BONUS;
    }

    p->negative = 0;
    p->lenient = false;
    p->strict = false;
    p->ranked = false;
}


/* --- Tables ------------------------------------------------------------ */


static size_t
judge_lists_cells(const judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_span_t *cells)
{
    size_t  n;

    span.from++;

    for (n = 0; n < JUDGE_LISTS_CELLS && span.from < span.to; n++) {
        cells[n] = (judge_parse_span_t) { span.from,
                                          judge_parse_seek_mark(p, span,
                                                                "|") };
        span.from = cells[n].to + 1;
        cells[n] = judge_parse_trim(p, cells[n]);
    }

    return n;
}


static void
judge_lists_row(judge_parse_ctx_t *p, judge_parse_span_t span, bool first)
{
    size_t                      i, n, at;
    judge_parse_cue_t           cue;
    judge_parse_span_t          cells[JUDGE_LISTS_CELLS];
    const judge_parse_token_t  *t;

    n = judge_lists_cells(p, span, cells);

    /* the names of the columns, and the line of dashes below them */

    if (n == 0 || cells[0].from >= cells[0].to
        || (first
            && (judge_parse_is(&p->tokens[cells[0].from], JUDGE_W_COLUMN)
                || !judge_parse_has_quality(p, cells[0].from, cells[0].to))))
    {
        return;
    }

    at = judge_parse_add(p, cells[0], JUDGE_P_LABELLED);

    for (i = 1; at != JUDGE_PARSE_NONE && i < n; i++) {
        t = &p->tokens[cells[i].from];

        if (cells[i].from >= cells[i].to) {
            continue;
        }

        (void) judge_parse_take(p, cells[i], &cue);

        if (cells[i].to - cells[i].from > 2
            || (!cue.any && t->kind != JUDGE_P_NUMBER))
        {
            judge_parse_statements(p, at, cells[i]);
            continue;
        }

        if (!cue.any) {
            cue.points = t->number;
            cue.any = cue.points > 0;
        }

        judge_parse_apply(p, at, &cue);
    }
}


/* --- Headings and introductions ---------------------------------------- */


/* A weight above a list is divided among its items. */

static void
judge_lists_divide(judge_parse_ctx_t *p, size_t first,
    const judge_parse_cue_t *cue)
{
    size_t                i;
    double                n;
    judge_parse_found_t  *f;

    n = (double) (p->nfound - first);

    for (i = first; i < p->nfound; i++) {
        if (p->found[i].share >= 0 || p->found[i].points >= 0) {
            return;
        }
    }

    for (i = first; i < p->nfound; i++) {
        f = &p->found[i];
        f->share = (cue->share >= 0) ? cue->share / n : -1;
        f->points = (cue->points >= 0) ? cue->points / n : -1;
        f->factor = (cue->factor > 0) ? cue->factor : 1;
        p->weighed = true;
    }
}


/* "We look at the following, in order of importance:" */

static judge_parse_section_e
judge_lists_intro(judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_cue_t *cue)
{
    size_t                 rest;
    judge_parse_lead_e     lead;
    judge_parse_section_e  section;

    section = judge_lists_title(p, span);
    (void) judge_parse_take(p, span, cue);
    p->ranked |= cue->ranked;
    p->weighed |= cue->equal;

    if (section != JUDGE_L_NONE) {
        return section;
    }

    lead = judge_parse_lead(p, span, &rest);

    return (lead == JUDGE_S_AVOID || lead == JUDGE_S_DONT
            || lead == JUDGE_S_FAULT) ? JUDGE_L_AVOID
           : (lead == JUDGE_S_BONUS) ? JUDGE_L_BONUS : JUDGE_L_NONE;
}


static size_t
judge_lists_end(const judge_parse_ctx_t *p, size_t b)
{
    while (b < p->nblocks && p->blocks[b].kind == JUDGE_P_ITEM) {
        b++;
    }

    return b;
}


/* A title with something below it: a section, or a criterion.  The index of
 * the first block behind what was read. */

static size_t
judge_lists_titled(judge_parse_ctx_t *p, size_t b)
{
    bool                   heading;
    size_t                 end, first;
    judge_parse_cue_t      cue;
    judge_parse_span_t     name;
    judge_parse_section_e  section;

    heading = p->blocks[b].kind == JUDGE_P_HEADING;
    section = judge_lists_intro(p, p->blocks[b].span, &cue);
    name = judge_parse_trim(p, p->blocks[b].span);
    end = b + 1;

    while (end < p->nblocks && (heading
                                ? p->blocks[end].kind != JUDGE_P_HEADING
                                : p->blocks[end].kind == JUDGE_P_ITEM))
    {
        end++;
    }

    if (section == JUDGE_L_IGNORE || end == b + 1) {
        return end;
    }

    if (section == JUDGE_L_NONE
        && p->blocks[b + 1].kind == JUDGE_P_PARAGRAPH
        && judge_parse_short(p, name, ".!?;:") > 0)
    {
        (void) judge_lists_labelled(p, name, p->blocks[b + 1].span);

        for (first = b + 2; first < end && p->last > 0; first++) {
            judge_parse_statements(p, p->last - 1, p->blocks[first].span);
        }

        return end;
    }

    if (p->blocks[b + 1].kind != JUDGE_P_ITEM) {
        return b + 1;
    }

    first = p->nfound;
    end = judge_lists_end(p, b + 1);
    judge_lists_items(p, b + 1, end, section);

    if (cue.share >= 0 || cue.points >= 0 || cue.factor > 0) {
        judge_lists_divide(p, first, &cue);
    }

    return end;
}


/* --- Paragraphs -------------------------------------------------------- */


/* Lines of a few words each, one below the other: a list without marks. */

static size_t
judge_lists_lines(const judge_parse_ctx_t *p, size_t b)
{
    size_t                      n, known;
    const judge_parse_block_t  *block;

    known = 0;

    for (n = 0; b + n < p->nblocks && n < JUDGE_LISTS_LINES; n++) {
        block = &p->blocks[b + n];

        if (block->kind != JUDGE_P_PARAGRAPH || (n > 0 && block->gap)
            || judge_parse_short(p, block->span, ".!?;:") == 0)
        {
            break;
        }

        known += judge_parse_has_quality(p, block->span.from, block->span.to);
    }

    return (n >= 2 && known * 2 >= n) ? n : 0;
}


/* The colon or dash of "Tone: warm."; 0: the block is something else. */

static size_t
judge_lists_label(const judge_parse_ctx_t *p, size_t b)
{
    size_t              at;
    judge_parse_span_t  span;

    if (b >= p->nblocks || p->blocks[b].kind != JUDGE_P_PARAGRAPH) {
        return 0;
    }

    span = p->blocks[b].span;
    at = judge_parse_separator(p, span);

    return (at + 1 < span.to && at > span.from
            && (judge_parse_mark(&p->tokens[at], ':')
                || p->tokens[span.from].quality >= 0)) ? at : 0;
}


static size_t
judge_lists_paragraph(judge_parse_ctx_t *p, size_t b)
{
    size_t              n, rest;
    judge_parse_span_t  span, label;

    span = p->blocks[b].span;
    n = judge_lists_scale(p, b);

    if (n > 0) {
        return b + n;
    }

    n = judge_lists_lines(p, b);

    if (n > 0) {
        judge_lists_items(p, b, b + n, JUDGE_L_NONE);
        return b + n;
    }

    if (b + 1 < p->nblocks && p->blocks[b + 1].kind == JUDGE_P_ITEM
        && (judge_parse_mark(&p->tokens[span.to - 1], ':')
            || judge_parse_short(p, span, ".!?;:") > 0))
    {
        return judge_lists_titled(p, b);
    }

    /* a label is a quality, or there are others above or below */

    label = judge_parse_span(span.from, judge_lists_label(p, b));

    if (label.to > 0
        && (judge_lists_title(p, label) != JUDGE_L_NONE
            || ((judge_parse_has_quality(p, label.from, label.to)
                 || judge_lists_label(p, b + 1) > 0
                 || (b > 0 && judge_lists_label(p, b - 1) > 0))
                && judge_parse_lead(p, label, &rest) == JUDGE_S_NONE)))
    {
        p->unused += judge_lists_item(p, span) == 0;

    } else {
        judge_parse_sentences(p, span);
    }

    return b + 1;
}


void
judge_parse_blocks(judge_parse_ctx_t *p)
{
    size_t  b, end;

    for (b = 0; b < p->nblocks; b = end) {
        switch (p->blocks[b].kind) {
        case JUDGE_P_HEADING:
            end = judge_lists_titled(p, b);
            break;

        case JUDGE_P_ITEM:
            end = judge_lists_end(p, b);
            judge_lists_items(p, b, end, JUDGE_L_NONE);
            break;

        case JUDGE_P_ROW:
            p->sentences++;
            judge_lists_row(p, p->blocks[b].span,
                            b == 0
                            || p->blocks[b - 1].kind != JUDGE_P_ROW);
            end = b + 1;
            break;

        default:
            end = judge_lists_paragraph(p, b);
        }
    }
}
