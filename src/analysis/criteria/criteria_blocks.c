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


/* The section that a title, or an introduction with such a lead, begins. */

static judge_title_e
judge_block_title(const judge_prose_t *p, judge_span_t s, bool lead)
{
    size_t               n;
    double               title;
    judge_match_t        m;
    const judge_rule_t  *rule;

    s = judge_span_trim(p, s);
    n = judge_span_value(p, s.from, s.to, JUDGE_W_TITLE, &title);

    if (n > 0 && n == s.to - s.from) {
        return (judge_title_e) title;
    }

    for (rule = judge_criteria_sections; lead && rule->pattern[0] != 0;
         rule++)
    {
        if (judge_span_pattern(p, s, rule->pattern, 0, &m)) {
            return (judge_title_e) rule->action;
        }
    }

    return JUDGE_TITLE_NONE;
}


/* A label names a criterion, or what the first sentence says; the others
 * describe it. */

static size_t
judge_block_criterion(judge_prose_t *p, judge_span_t name, judge_span_t text,
    bool label)
{
    size_t        at;
    judge_cue_t   cue;
    judge_mood_t  mood;

    if (label) {
        name = judge_cue_take(p, name, &cue);
        name.to = judge_span_seek(p, name, JUDGE_W_OPENED);
        at = judge_draft_add(p, name, JUDGE_FORM_LABELLED);

        if (at == JUDGE_NONE) {
            return 0;
        }

        judge_draft_apply(p, at, &cue);

    } else {
        at = p->nfound;
        mood = p->mood;

        if (judge_clause_read(p, judge_criteria_items, name) == 0
            || p->last == 0)
        {
            return 0;
        }

        at = (at < p->nfound) ? at : p->last - 1;
        p->mood = mood;
        p->mood.strict = false;
    }

    judge_detail_statements(p, at, text);

    return 1;
}


static size_t
judge_block_item(judge_prose_t *p, judge_span_t s)
{
    size_t         at;
    judge_span_t   label, text;
    judge_title_e  title;

    p->sentences++;
    s = judge_span_trim(p, s);

    /* "the tone, and" goes on with the next item */

    if (s.to > s.from && judge_span_is(p, s.to - 1, JUDGE_W_ANDOR)) {
        s = judge_span_trim(p, judge_span(s.from, s.to - 1));
    }

    at = judge_span_label(p, s);
    label = judge_span_trim(p, judge_span(s.from, at));
    text = judge_span_trim(p, judge_span(at + (at < s.to), s.to));
    title = judge_block_title(p, label, false);

    /* no label, "Avoid: jargon", or "30%: clarity" */

    if (title != JUDGE_TITLE_NONE || text.from >= text.to
        || label.from >= label.to
        || (p->tokens[label.from].kind == JUDGE_TERM_NUMBER
            && label.to - label.from <= 2))
    {
        at = judge_span_sentence(p, s);
        return s.from < s.to
               && judge_block_criterion(p, judge_span(s.from, at),
                                        judge_span(at, s.to), false);
    }

    return judge_block_criterion(p, label, judge_span(text.from, s.to), true);
}


/* "5 - excellent", "4 - good", ... are classes of scores, not criteria: how
 * many blocks from b on. */

static size_t
judge_block_scale(judge_prose_t *p, size_t b)
{
    size_t  n;
    double  got[4] = { -1, -1, -1, -1 };

    for (n = 0; b + n < p->nblocks && n < JUDGE_BLOCKS_LINES
         && p->blocks[b + n].kind < JUDGE_BLOCK_HEADING
         && judge_detail_level(p, p->blocks[b + n].span, got); n++)
    {
        /* void */
    }

    if (n < 3) {
        return 0;
    }

    judge_detail_scale(got, p->levels);

    return n;
}


/* Items that are in order of importance count one less each.  Above a table
 * stand the names of its columns, and dashes below them. */

static void
judge_block_items(judge_prose_t *p, size_t b, size_t end, judge_title_e title)
{
    bool                  ranked;
    size_t                i, scale, first;
    judge_span_t          s;
    const judge_block_t  *block;

    first = p->nfound;
    ranked = p->ranked;

    for (i = b; i < end; i += (scale > 0) ? scale : 1) {
        block = &p->blocks[i];
        s = judge_span_trim(p, block->span);
        scale = judge_block_scale(p, i);
        p->mood = judge_clause_mood(title);

        if (scale > 0) {
            continue;
        }

        if (block->child && p->last > 0) {
            judge_draft_describe(p, p->last - 1, NULL, s);
            judge_detail_read(p, p->last - 1, s);

        } else if (block->kind != JUDGE_BLOCK_ROW || i > b
                   || (!judge_span_is(p, s.from, JUDGE_W_COLUMN)
                       && judge_span_quality(p, judge_span(s.from,
                              judge_span_seek(p, s, JUDGE_W_BAR)))))
        {
            p->unused += judge_block_item(p, s) == 0;
        }
    }

    for (i = first; ranked && i < p->nfound; i++) {
        p->found[i].factor = (double) (p->nfound - i);
        p->weighed = true;
    }

    p->mood = (judge_mood_t) { 0 };
    p->ranked = false;
}


/* --- Headings and introductions ---------------------------------------- */


/* A weight above a list is divided among its items. */

static void
judge_block_divide(judge_prose_t *p, size_t first, const judge_cue_t *cue)
{
    size_t          i;
    double          n;
    judge_draft_t  *f;

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
        f->factor = (cue->factor > 0) ? cue->factor : f->factor;
        p->weighed |= cue->share >= 0 || cue->points >= 0 || cue->factor > 0;
    }
}


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

    /* "We look at the following, in order of importance:" */

    (void) judge_cue_take(p, block->span, &cue);
    p->ranked |= cue.ranked;
    p->weighed |= cue.equal;
    end = items = judge_block_behind(p, b + 1, JUDGE_BLOCK_ITEM);
    title = judge_block_title(p, name, items > b + 1);

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
        (void) judge_block_criterion(p, name, block[1].span, true);

        for (first = b + 2; first < end && p->last > 0; first++) {
            judge_detail_statements(p, p->last - 1, p->blocks[first].span);
        }

        return end;
    }

    first = p->nfound;
    judge_block_items(p, b + 1, items, title);
    judge_block_divide(p, first, &cue);

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

        known += judge_span_quality(p, block->span);
    }

    return (n >= 2 && known * 2 >= n) ? n : 0;
}


/* "Tone: warm."; not a title, nor "We look for: ". */

static bool
judge_block_label(const judge_prose_t *p, size_t b)
{
    judge_span_t  s, label;

    if (b >= p->nblocks || p->blocks[b].kind != JUDGE_BLOCK_PARAGRAPH) {
        return false;
    }

    s = p->blocks[b].span;
    label = judge_span(s.from, judge_span_label(p, s));

    return label.from < label.to && label.to + 1 < s.to
           && (judge_span_is(p, label.to, JUDGE_W_COLON)
               || p->tokens[s.from].quality >= 0)
           && judge_block_title(p, label, true) == JUDGE_TITLE_NONE;
}


/* Paragraphs that are a scale, a list without marks or a label become items.
 * A label is a quality, or there are others above or below. */

static void
judge_block_classify(judge_prose_t *p)
{
    size_t        b, n;
    judge_span_t  s;

    for (b = 0; b < p->nblocks; b++) {
        s = p->blocks[b].span;
        n = judge_block_scale(p, b);
        n = (n > 0) ? n : judge_block_lines(p, b);

        if (n == 0 && judge_block_label(p, b)) {
            s.to = judge_span_label(p, s);
            n = judge_span_quality(p, s) || judge_block_label(p, b + 1)
                || (b > 0 && p->blocks[b - 1].kind == JUDGE_BLOCK_ITEM);
        }

        while (n > 0) {
            p->blocks[b + --n].kind = JUDGE_BLOCK_ITEM;
        }
    }
}


/* Nothing was found: every quality that occurs may be meant. */

static void
judge_block_guess(judge_prose_t *p)
{
    size_t               i;
    const judge_term_t  *t;

    for (i = 0; i < p->ntokens; i += t->span) {
        t = &p->tokens[i];

        if (judge_term_quality(t) >= 0) {
            (void) judge_draft_quality(p, t->quality, JUDGE_FORM_GUESSED);
        }
    }
}


/* What introduces items ends with a colon or is short. */

void
judge_criteria_blocks(judge_prose_t *p)
{
    size_t                b, end;
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
            judge_block_items(p, b, end, JUDGE_TITLE_NONE);
        }
    }

    if (p->nfound == 0) {
        judge_block_guess(p);
    }
}
