/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Lists, headings and tables, in which the criteria are marked.
 */


#include "analysis/criteria/criteria_grammar.h"


#define JUDGE_BLOCKS_LINES  40         /* of a list without marks */


/* --- Items ------------------------------------------------------------- */


/* The section that a title begins, or an introduction. */

static judge_title_e
judge_block_title(const judge_prose_t *p, judge_span_t s)
{
    judge_match_t  m;

    return (judge_span_rule(p, s, judge_criteria_sections, &m) == NULL)
           ? JUDGE_TITLE_NONE
           : (judge_title_e) ((m.number[0] >= 0) ? m.number[0] : m.action);
}


/* A label names a criterion; the text describes it. */

static size_t
judge_block_labelled(judge_prose_t *p, judge_span_t name, judge_span_t text)
{
    size_t       at;
    judge_cue_t  cue;

    name = judge_cue_take(p, name, &cue);
    name.to = judge_span_seek(p, name, JUDGE_W_OPENED);
    at = judge_draft_add(p, name, JUDGE_FORM_LABELLED);

    if (at == JUDGE_NONE) {
        return 0;
    }

    judge_draft_apply(p, at, &cue);
    judge_detail_statements(p, at, text);

    return 1;
}


/* "Tone: warm."; not a title, nor "We look for: ". */

static bool
judge_block_label(const judge_prose_t *p, judge_span_t s, judge_span_t *label)
{
    *label = judge_span(s.from, judge_span_label(p, s));

    return label->from < label->to && label->to + 1 < s.to
           && judge_block_title(p, *label) == JUDGE_TITLE_NONE;
}


/* Without a label the first sentence names a criterion, and the others
 * describe it; so it is in "Avoid: jargon" and "30%: clarity". */

static size_t
judge_block_item(judge_prose_t *p, judge_span_t s)
{
    size_t        next;
    judge_span_t  label;

    if (judge_block_label(p, s, &label)
        && (p->tokens[s.from].kind != JUDGE_TERM_NUMBER
            || label.to - s.from > 2))
    {
        return judge_block_labelled(p, label, judge_span(label.to + 1, s.to));
    }

    next = judge_span_sentence(p, s);

    if (judge_clause_read(p, judge_criteria_items, judge_span(s.from, next))
        == 0 || p->last == 0)
    {
        return 0;
    }

    judge_detail_statements(p, p->last - 1, judge_span(next, s.to));

    return 1;
}


/* Items that are in order of importance count one less each; a weight above
 * them is divided among those that have none. */

static void
judge_block_items(judge_prose_t *p, size_t b, size_t end, judge_title_e title,
    const judge_cue_t *cue)
{
    bool                  ranked;
    size_t                i, first;
    double                n;
    judge_span_t          s;
    judge_draft_t        *f;
    const judge_block_t  *block;

    first = p->nfound;
    ranked = p->ranked;

    for (i = b; i < end; i++) {
        block = &p->blocks[i];
        s = judge_span_trim(p, block->span);
        p->mood = 1u << title;

        if (s.from >= s.to || (block->kind == JUDGE_BLOCK_ROW
                               && judge_span_is(p, s.from, JUDGE_W_COLUMN)))
        {
            continue;
        }

        if (block->child && p->last > 0) {
            judge_detail_statements(p, p->last - 1, s);

        } else {
            p->sentences++;
            p->unused += judge_block_item(p, s) == 0;
        }
    }

    n = (double) (p->nfound - first);
    p->weighed |= n > 0 && (ranked || cue->how != 0);

    for (i = first; i < p->nfound; i++) {
        f = &p->found[i];
        f->factor = ranked ? (double) (p->nfound - i) : f->factor;

        if (f->share + f->points == 0) {
            f->share = cue->share / n;
            f->points = cue->points / n;
            f->factor = (cue->factor > 0) ? cue->factor : f->factor;
        }
    }

    p->mood = 0;
    p->ranked = false;
}


/* --- Headings and introductions ---------------------------------------- */


/* The first block from b on that is not of that kind. */

static size_t
judge_block_behind(const judge_prose_t *p, size_t b,
    judge_criteria_block_e kind)
{
    while (b < p->nblocks && p->blocks[b].kind == kind) {
        b++;
    }

    return b;
}


/* A title with something below it: a section, or a criterion.  The index of
 * the first block behind what was read. */

static size_t
judge_block_titled(judge_prose_t *p, size_t b)
{
    size_t                end, first, items;
    judge_cue_t           cue;
    judge_span_t          name;
    judge_title_e         title;
    const judge_block_t  *block;

    block = &p->blocks[b];
    name = judge_span_trim(p, block->span);
    title = judge_block_title(p, name);

    /* "We look at the following, in order of importance:" */

    (void) judge_cue_take(p, block->span, &cue);
    p->ranked |= judge_cue_is(&cue, RANKED);
    p->weighed |= judge_cue_is(&cue, EQUAL);
    end = items = judge_block_behind(p, b + 1, JUDGE_BLOCK_ITEM);

    while (block->kind == JUDGE_BLOCK_HEADING && end < p->nblocks
           && p->blocks[end].kind != JUDGE_BLOCK_HEADING)
    {
        end++;
    }

    if (title == JUDGE_TITLE_IGNORE || end == b + 1) {
        return end;
    }

    if (title == JUDGE_TITLE_NONE
        && block[1].kind == JUDGE_BLOCK_PARAGRAPH
        && judge_span_short(p, name, JUDGE_W_END) > 0)
    {
        (void) judge_block_labelled(p, name, block[1].span);

        for (first = b + 2; first < end && p->last > 0; first++) {
            judge_detail_statements(p, p->last - 1, p->blocks[first].span);
        }

        return end;
    }

    judge_block_items(p, b + 1, items, title, &cue);

    return items;
}


/* --- Paragraphs -------------------------------------------------------- */


/* Lines of a few words each, one below the other: a list without marks. */

static size_t
judge_block_lines(const judge_prose_t *p, size_t b)
{
    size_t                n, known;
    const judge_block_t  *block;

    known = 0;

    for (n = 0; b + n < p->nblocks && n < JUDGE_BLOCKS_LINES; n++) {
        block = &p->blocks[b + n];

        if (block->kind != JUDGE_BLOCK_PARAGRAPH || (n > 0 && block->gap)
            || judge_span_short(p, block->span, JUDGE_W_END) == 0)
        {
            break;
        }

        known += judge_span_has(p, block->span, JUDGE_W_TOPIC);
    }

    return (n >= 2 && known * 2 >= n) ? n : 0;
}


/* A paragraph with a label, which a dash ends only behind a quality. */

static bool
judge_block_paragraph(const judge_prose_t *p, size_t b, judge_span_t *label)
{
    return b < p->nblocks && p->blocks[b].kind == JUDGE_BLOCK_PARAGRAPH
           && judge_block_label(p, p->blocks[b].span, label)
           && (judge_span_is(p, label->to, JUDGE_W_COLON)
               || p->tokens[label->from].quality >= 0);
}


/* Paragraphs that are a list without marks or a label become items; a label
 * is a quality, or there are others above or below.  "5 - excellent",
 * "4 - good", ... are classes of scores, which leave empty items. */

static void
judge_block_classify(judge_prose_t *p)
{
    bool            scale;
    size_t          b, n;
    judge_span_t    label;
    judge_block_t  *block;

    for (b = 0; b < p->nblocks; b++) {
        double  got[4] = { -1, -1, -1, -1 };

        block = &p->blocks[b];

        for (n = 0; b + n < p->nblocks && n < JUDGE_BLOCKS_LINES
             && block[n].kind < JUDGE_BLOCK_HEADING
             && judge_detail_level(p, block[n].span, got); n++)
        {
            /* void */
        }

        scale = n >= 3;

        if (scale) {
            judge_detail_scale(got, p->levels);

        } else {
            n = judge_block_lines(p, b);
        }

        if (n == 0 && judge_block_paragraph(p, b, &label)) {
            n = judge_span_has(p, label, JUDGE_W_TOPIC)
                || judge_block_paragraph(p, b + 1, &label)
                || block[-1].kind == JUDGE_BLOCK_ITEM;
        }

        while (n > 0) {
            n--;
            block[n].kind = JUDGE_BLOCK_ITEM;
            block[n].span.to = scale ? block[n].span.from : block[n].span.to;
        }
    }
}


/* What introduces items ends with a colon or is short.  If nothing is found,
 * every quality that occurs may be meant. */

void
judge_criteria_blocks(judge_prose_t *p)
{
    size_t                b, end;
    judge_cue_t           none = { .how = 0 };
    const judge_term_t   *t;
    const judge_block_t  *block;

    judge_block_classify(p);

    for (b = 0; b < p->nblocks; b = end) {
        block = &p->blocks[b];
        end = b + 1;

        if (block->kind == JUDGE_BLOCK_HEADING
            || (block->kind == JUDGE_BLOCK_PARAGRAPH
                && judge_block_behind(p, end, JUDGE_BLOCK_ITEM) > end
                && (judge_span_is(p, block->span.to - 1, JUDGE_W_COLON)
                    || judge_span_short(p, block->span, JUDGE_W_END) > 0)))
        {
            end = judge_block_titled(p, b);

        } else if (block->kind == JUDGE_BLOCK_PARAGRAPH) {
            judge_clause_sentences(p, block->span);

        } else {
            end = judge_block_behind(p, b, block->kind);
            judge_block_items(p, b, end, JUDGE_TITLE_NONE, &none);
        }
    }

    for (t = p->tokens, end = p->nfound; end == 0
         && t < p->tokens + p->ntokens; t += t->span)
    {
        if (judge_term_quality(t) >= 0) {
            (void) judge_draft_quality(p, t->quality, JUDGE_FORM_GUESSED);
        }
    }
}
