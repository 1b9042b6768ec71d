/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The lines of the description become blocks: paragraphs, items of lists,
 * headings, rows of tables.
 */


#include <string.h>

#include "analysis/criteria/criteria_grammar.h"


typedef struct {
    size_t                  begin;     /* in the folded text */
    size_t                  end;
    judge_criteria_block_e  kind;
    unsigned                indent;    /* columns */
    unsigned                number;    /* of a numbered item; else 0 */
    bool                    gap;       /* an empty line before it */
} judge_criteria_line_t;


/* Bytes of "- ", "* ", "3. ", "b) ", "(iv) " and the like; 0: no item. */

static size_t
judge_criteria_lines_marker(const char *text, size_t len, unsigned *number)
{
    size_t  i, n;

    if (len < 2) {
        return 0;
    }

    if (strchr("-*+\x10", text[0]) != NULL
        && (text[1] == ' ' || text[1] == '\t'))
    {
        return (len >= 6 && text[2] == '(' && text[4] == ')') ? 6 : 2;
    }

    i = (text[0] == '(');

    for (n = 0; n < 3 && text[i + n] >= '0' && text[i + n] <= '9'; n++) {
        *number = *number * 10 + (unsigned) (text[i + n] - '0');
    }

    if (n == 0) {
        n = strspn(text + i, "ivx");
        n = (n == 0 && text[i] >= 'a' && text[i] <= 'z') ? 1 : n;
    }

    i += n;

    if (n == 0 || n > 4 || len < i + 2 || (text[i] != '.' && text[i] != ')')
        || (text[i + 1] != ' ' && text[i + 1] != '\t'))
    {
        *number = 0;
        return 0;
    }

    return i + 2;
}


static void
judge_criteria_lines_kind(const char *text, judge_criteria_line_t *line)
{
    size_t  n;

    while (line->end > line->begin
           && (unsigned char) text[line->end - 1] <= ' '
           && text[line->end - 1] != '\x10')
    {
        line->end--;
    }

    while (line->begin < line->end
           && (text[line->begin] == ' ' || text[line->begin] == '\t'))
    {
        line->indent += (text[line->begin++] == '\t') ? 4 : 1;
    }

    text += line->begin;
    n = strspn(text, "#");

    if (n > 0 && text[n] == ' ' && line->begin + n < line->end) {
        line->kind = JUDGE_BLOCK_HEADING;
        line->begin += n;
        return;
    }

    if (line->end - line->begin > 2 && text[0] == '|') {
        line->kind = JUDGE_BLOCK_ROW;
        return;
    }

    n = judge_criteria_lines_marker(text, line->end - line->begin,
                                    &line->number);

    if (n > 0 && line->begin + n < line->end) {
        line->kind = JUDGE_BLOCK_ITEM;
        line->begin += n;
    }
}


/* "Tone: warm, not salesy" begins a block of its own; the comma may only
 * stand behind the label. */

static bool
judge_criteria_lines_labelled(const judge_criteria_t *p, judge_span_t s)
{
    size_t  at;

    at = judge_span_label(p, s);

    return at > s.from && at < s.to
           && judge_span_seek(p, s, JUDGE_W_COMMA) > at;
}


/* Whether the line continues the block before it. */

static bool
judge_criteria_lines_joins(const judge_criteria_t *p,
    const judge_criteria_line_t *line, judge_span_t s)
{
    const judge_block_t  *last;

    if (line->kind != JUDGE_BLOCK_PARAGRAPH || p->nblocks == 0 || line->gap) {
        return false;
    }

    last = &p->blocks[p->nblocks - 1];

    if (last->kind == JUDGE_BLOCK_ITEM) {
        return line->indent > 0 || !judge_criteria_lines_labelled(p, s);
    }

    return last->kind == JUDGE_BLOCK_PARAGRAPH
           && !judge_criteria_lines_labelled(p, s)
           && !judge_term_is(&p->tokens[last->span.to - 1], JUDGE_W_COLON)
           && !(judge_span_short(p, last->span, JUDGE_W_MARKS) > 0
                && judge_span_short(p, s, JUDGE_W_MARKS) > 0);
}


static void
judge_criteria_lines_add(judge_criteria_t *p,
    const judge_criteria_line_t *line)
{
    judge_span_t    s;
    judge_block_t  *b;

    s.from = p->ntokens;
    judge_criteria_tokens(p, line->begin, line->end);
    s.to = p->ntokens;
    judge_span_mark(p, s);

    if (s.from == s.to) {
        return;
    }

    if (judge_criteria_lines_joins(p, line, s)) {
        p->blocks[p->nblocks - 1].span.to = s.to;
        return;
    }

    b = &p->blocks[p->nblocks++];
    *b = (judge_block_t) { line->kind, s, line->indent, false,
                                    line->gap };

    if (b->kind == JUDGE_BLOCK_ITEM && p->nblocks > 1
        && b[-1].kind == JUDGE_BLOCK_ITEM)
    {
        b->child = b->indent >= b[-1].indent + 2
                   || (b[-1].child && b->indent >= b[-1].indent);
    }
}


/* Where "2) " or the like stands in the line, or its end. */

static size_t
judge_criteria_lines_number(const char *text, size_t at, size_t end,
    unsigned number)
{
    for ( ; at + 2 < end; at++) {
        if ((unsigned) (text[at] - '0') == number
            && (text[at + 1] == ')' || text[at + 1] == '.')
            && text[at + 2] == ' '
            && (text[at - 1] == ' ' || text[at - 1] == '('))
        {
            return at;
        }
    }

    return end;
}


/* "We check 1) facts, 2) tone and 3) length": the line is cut before each
 * number, as long as they go on from 1. */

static void
judge_criteria_lines_cut(judge_criteria_t *p, judge_criteria_line_t line)
{
    size_t       at, end;
    unsigned     next;
    const char  *text;

    text = p->folded;
    end = line.end;
    next = (line.kind == JUDGE_BLOCK_ITEM && line.number == 1) ? 2 : 1;
    at = judge_criteria_lines_number(text, line.begin + 1, end, next);

    if (line.kind == JUDGE_BLOCK_HEADING
        || (next == 1
            && judge_criteria_lines_number(text, at + 2, end, 2) == end))
    {
        at = end;
    }

    line.end = at;
    judge_criteria_lines_add(p, &line);

    while (at < end && next <= 9) {
        line.kind = JUDGE_BLOCK_ITEM;
        line.gap = false;
        line.begin = at + 3;
        line.end = at = judge_criteria_lines_number(text, at + 2, end, ++next);
        judge_criteria_lines_add(p, &line);
    }
}


/* A line of dashes or equals signs makes the line above it a heading. */

static bool
judge_criteria_lines_rule(judge_criteria_t *p,
    const judge_criteria_line_t *line)
{
    char                     c;
    size_t                   i;
    judge_block_t  *last;

    c = p->folded[line->begin];

    for (i = line->begin; i < line->end && p->folded[i] == c; i++) {
        /* void */
    }

    if (i < line->end || i - line->begin < 3 || strchr("-=*_~", c) == NULL) {
        return false;
    }

    last = (p->nblocks > 0) ? &p->blocks[p->nblocks - 1] : NULL;

    if ((c == '-' || c == '=') && last != NULL
        && last->kind == JUDGE_BLOCK_PARAGRAPH
        && judge_span_short(p, last->span, JUDGE_W_MARKS) > 0)
    {
        last->kind = JUDGE_BLOCK_HEADING;
    }

    return true;
}


judge_rc_e
judge_criteria_lines(judge_criteria_t *p)
{
    size_t                 i, n, end;
    const char            *text;
    judge_criteria_line_t  line;

    /* a token has a byte at least, or is the colon of two bold marks; a
     * block is a line or begins with a number and its mark */

    text = p->folded;
    n = p->nfolded;
    p->tokens = judge_array_alloc(p->arena, n + 4, sizeof(judge_term_t));
    p->blocks = judge_array_alloc(p->arena, n + 4, sizeof(judge_block_t));
    if (p->tokens == NULL || p->blocks == NULL) {
        return JUDGE_NOMEM;
    }

    p->tokens[0] = (judge_term_t) { .kind = JUDGE_TERM_MARK,
                                              .span = 1, .quality = -1 };
    p->ntokens = 1;
    line.gap = true;

    for (i = 0; i < n; i = end + 1) {
        end = i + strcspn(text + i, "\r\n");
        line = (judge_criteria_line_t) { .begin = i, .end = end,
                                         .gap = line.gap };
        judge_criteria_lines_kind(text, &line);

        if (line.begin == line.end) {
            /* a line feed behind a carriage return is no empty line */
            line.gap |= i == 0 || text[i - 1] != '\r' || text[end] == '\r';

        } else if (judge_criteria_lines_rule(p, &line)) {
            line.gap = true;

        } else {
            judge_criteria_lines_cut(p, line);
            line.gap = false;
        }
    }

    for (i = 0; i < p->nblocks; i++) {
        judge_span_mark(p, p->blocks[i].span);
    }

    return JUDGE_OK;
}
