/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The lines of the description become blocks: paragraphs, items of lists,
 * headings, rows of tables.
 */


#include <string.h>

#include "analysis/criteria/criteria_context.h"


#define JUDGE_LINES_LABEL  7           /* words before a colon */
#define JUDGE_LINES_SHORT  6           /* words of a line that is an item */

typedef struct {
    size_t               begin;
    size_t               end;
    judge_parse_block_e  kind;
    unsigned             indent;       /* columns; of a heading its level */
    unsigned             number;       /* of a numbered item; else 0 */
    bool                 gap;          /* an empty line before it */
} judge_lines_line_t;


/* Bytes of "- ", "* ", "3. ", "b) ", "(iv) " and the like; 0: no item. */

static size_t
judge_lines_marker(const char *text, size_t len, unsigned *number)
{
    size_t  i, n;

    *number = 0;

    if (len >= 4 && (memcmp(text, "\xe2\x80\xa2", 3) == 0
                     || memcmp(text, "\xe2\x80\x93 ", 4) == 0))
    {
        return 3;
    }

    if (len >= 2 && memchr("-*+", text[0], 3) != NULL
        && (text[1] == ' ' || text[1] == '\t'))
    {
        return (len >= 6 && text[2] == '[' && text[4] == ']') ? 6 : 2;
    }

    i = (text[0] == '(');

    for (n = 0; i + n < len && n < 3 && text[i + n] >= '0'
                && text[i + n] <= '9'; n++)
    {
        *number = *number * 10 + (unsigned) (text[i + n] - '0');
    }

    if (n == 0) {
        while (i + n < len && n < 4
               && memchr("ivxIVX", text[i + n], 6) != NULL)
        {
            n++;
        }

        n += (n == 0 && i < len && ((text[i] | 0x20) >= 'a'
                                    && (text[i] | 0x20) <= 'z'));
    }

    i += n;

    if (n == 0 || len - i < 2 || (text[i] != '.' && text[i] != ')')
        || (text[i + 1] != ' ' && text[i + 1] != '\t'))
    {
        *number = 0;
        return 0;
    }

    return i + 2;
}


static void
judge_lines_kind(const char *text, judge_lines_line_t *line)
{
    size_t  n;

    while (line->end > line->begin
           && (unsigned char) text[line->end - 1] <= ' ')
    {
        line->end--;
    }

    while (line->begin < line->end
           && (text[line->begin] == ' ' || text[line->begin] == '\t'))
    {
        line->indent += (text[line->begin++] == '\t') ? 4 : 1;
    }

    if (line->begin == line->end) {
        return;
    }

    text += line->begin;
    n = 0;

    while (line->begin + n < line->end && text[n] == '#') {
        n++;
    }

    if (n > 0 && line->begin + n < line->end && text[n] == ' ') {
        line->kind = JUDGE_P_HEADING;
        line->indent = (unsigned) n;
        line->begin += n;
        return;
    }

    if (text[0] == '|' && line->end - line->begin > 2) {
        line->kind = JUDGE_P_ROW;
        return;
    }

    n = judge_lines_marker(text, line->end - line->begin, &line->number);

    if (n > 0 && line->begin + n < line->end) {
        line->kind = JUDGE_P_ITEM;
        line->begin += n;
    }
}


size_t
judge_parse_separator(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t                      i, words, depth;
    const judge_parse_token_t  *t;

    for (i = span.from, words = 0, depth = 0; i < span.to; i++) {
        t = &p->tokens[i];
        words += (t->kind == JUDGE_P_WORD);
        depth += judge_parse_mark(t, '(');

        if (depth > 0) {
            depth -= judge_parse_mark(t, ')');
            continue;
        }

        if (judge_parse_mark(t, JUDGE_P_DASH)
            || (judge_parse_mark(t, ':')
                && (i + 1 == span.to || t[1].space || t->begin == t->end)))
        {
            return i;
        }

        if (words > JUDGE_LINES_LABEL || judge_parse_marks(t, ".!?;")) {
            break;
        }
    }

    return span.to;
}


size_t
judge_parse_short(const judge_parse_ctx_t *p, judge_parse_span_t span,
    const char *marks)
{
    size_t  words;

    words = judge_parse_count(p, span);

    return (words <= JUDGE_LINES_SHORT
            && judge_parse_seek_mark(p, span, marks) == span.to) ? words : 0;
}


/* "Tone: warm, not salesy" begins a block of its own; the comma may only
 * stand behind the label. */

static bool
judge_lines_labelled(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t  at;

    at = judge_parse_separator(p, span);

    return at > span.from && at < span.to
           && judge_parse_seek_mark(p, span, ",") > at;
}


/* Whether the line continues the block before it. */

static bool
judge_lines_joins(const judge_parse_ctx_t *p, const judge_lines_line_t *line,
    judge_parse_span_t span)
{
    const judge_parse_block_t  *last;

    if (line->kind != JUDGE_P_PARAGRAPH || p->nblocks == 0 || line->gap) {
        return false;
    }

    last = &p->blocks[p->nblocks - 1];

    if (last->kind == JUDGE_P_ITEM) {
        return line->indent > 0 || !judge_lines_labelled(p, span);
    }

    return last->kind == JUDGE_P_PARAGRAPH
           && !judge_lines_labelled(p, span)
           && !judge_parse_mark(&p->tokens[last->span.to - 1], ':')
           && !(judge_parse_short(p, last->span, ".!?;:,") > 0
                && judge_parse_short(p, span, ".!?;:,") > 0);
}


static void
judge_lines_add(judge_parse_ctx_t *p, const judge_lines_line_t *line)
{
    judge_parse_span_t    span;
    judge_parse_block_t  *b;

    span.from = p->ntokens;
    judge_parse_tokens(p, line->begin, line->end);
    span.to = p->ntokens;

    if (span.from == span.to) {
        return;
    }

    if (judge_lines_joins(p, line, span)) {
        p->blocks[p->nblocks - 1].span.to = span.to;
        return;
    }

    b = &p->blocks[p->nblocks++];
    *b = (judge_parse_block_t) { line->kind, span, line->indent, false,
                                 line->gap };

    if (b->kind == JUDGE_P_ITEM && p->nblocks > 1
        && b[-1].kind == JUDGE_P_ITEM)
    {
        b->child = b->indent >= b[-1].indent + 2
                   || (b[-1].child && b->indent >= b[-1].indent);
    }
}


/* Where "2) " or the like stands in the line, or its end. */

static size_t
judge_lines_inline(const char *text, size_t at, size_t end, unsigned number)
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
judge_lines_cut(judge_parse_ctx_t *p, judge_lines_line_t line)
{
    size_t       at, end;
    unsigned     next;
    const char  *text;

    text = p->text.data;
    end = line.end;
    next = (line.kind == JUDGE_P_ITEM && line.number == 1) ? 2 : 1;
    at = judge_lines_inline(text, line.begin + 1, end, next);

    if (line.kind == JUDGE_P_HEADING
        || (next == 1
            && judge_lines_inline(text, at + 2, end, 2) == end))
    {
        at = end;
    }

    line.end = at;
    judge_lines_add(p, &line);

    while (at < end && next <= 9) {
        line.kind = JUDGE_P_ITEM;
        line.gap = false;
        line.begin = at + 3;
        line.end = at = judge_lines_inline(text, at + 2, end, ++next);
        judge_lines_add(p, &line);
    }
}


/* A line of dashes or equals signs makes the line above it a heading. */

static bool
judge_lines_rule(judge_parse_ctx_t *p, const judge_lines_line_t *line)
{
    char                  c;
    size_t                i;
    judge_parse_block_t  *last;

    c = p->text.data[line->begin];

    for (i = line->begin; i < line->end && p->text.data[i] == c; i++) {
        /* void */
    }

    if (i < line->end || i - line->begin < 3 || !strchr("-=*_~", c)) {
        return false;
    }

    last = (p->nblocks > 0) ? &p->blocks[p->nblocks - 1] : NULL;

    if ((c == '-' || c == '=') && last != NULL
        && last->kind == JUDGE_P_PARAGRAPH
        && judge_parse_short(p, last->span, ".!?;:,") > 0)
    {
        last->kind = JUDGE_P_HEADING;
        last->indent = 1;
    }

    return true;
}


judge_rc_e
judge_parse_lines(judge_parse_ctx_t *p)
{
    size_t              i, n, end;
    const char         *text;
    judge_lines_line_t  line;

    /* a token has a byte at least, or is the colon of two bold marks; a
     * block is a line or begins with a number and its mark */

    text = p->text.data;
    n = p->text.len;
    p->tokens = judge_array_alloc(p->arena, n + 4,
                                  sizeof(judge_parse_token_t));
    p->blocks = judge_array_alloc(p->arena, n + 4,
                                  sizeof(judge_parse_block_t));
    if (p->tokens == NULL || p->blocks == NULL) {
        return JUDGE_NOMEM;
    }

    p->tokens[0] = (judge_parse_token_t) { .kind = JUDGE_P_MARK, .span = 1,
                                           .quality = -1 };
    p->ntokens = 1;
    line.gap = true;

    for (i = 0; i < n; i = end + 1) {
        for (end = i; end < n && text[end] != '\n' && text[end] != '\r';
             end++)
        {
            /* void */
        }

        line = (judge_lines_line_t) { .begin = i, .end = end,
                                      .gap = line.gap };
        judge_lines_kind(text, &line);

        if (line.begin == line.end) {
            /* a line feed behind a carriage return is no empty line */
            line.gap |= i == 0 || text[i - 1] != '\r' || text[end] == '\r';

        } else if (judge_lines_rule(p, &line)) {
            line.gap = true;

        } else {
            judge_lines_cut(p, line);
            line.gap = false;
        }
    }

    for (i = 0; i < p->nblocks; i++) {
        judge_parse_words_mark(p, p->blocks[i].span);
    }

    return p->failed ? JUDGE_NOMEM : JUDGE_OK;
}
