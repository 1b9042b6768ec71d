/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The lines of the description become blocks: paragraphs, items of lists,
 * headings, rows of tables.
 */


#include <string.h>

#include "analysis/criteria/criteria_parts.h"


#define JUDGE_PARSE_LABEL  6           /* words before a colon */
#define JUDGE_PARSE_SHORT  6           /* words of a line that is an item */
#define JUDGE_PARSE_AHEAD  40          /* tokens to the end of a bracket */

/* A line before its tokens are made. */

typedef struct {
    size_t               begin;
    size_t               end;
    judge_parse_block_e  kind;
    unsigned             indent;
    unsigned             number;       /* of a numbered item; else 0 */
} judge_parse_line_t;


static bool
judge_line_digit(char c)
{
    return c >= '0' && c <= '9';
}


static bool
judge_line_alpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}


/* Bytes of "- ", "* ", "3. ", "b) ", "(iv) " and the like; 0: no item. */

static size_t
judge_line_marker(const char *text, size_t at, size_t end, unsigned *number)
{
    size_t  i, from;

    *number = 0;
    i = at;

    if (end - i >= 4 && memcmp(text + i, "\xe2\x80\xa2", 3) == 0) {
        return 3;
    }

    if (end - i >= 4 && memcmp(text + i, "\xe2\x80\x93 ", 4) == 0) {
        return 4;
    }

    if (end - i >= 2 && memchr("-*+", text[i], 3) != NULL
        && (text[i + 1] == ' ' || text[i + 1] == '\t'))
    {
        return (end - i >= 6 && text[i + 2] == '[' && text[i + 4] == ']')
               ? 6 : 2;
    }

    i += (text[i] == '(');
    from = i;

    while (i < end && i - from < 3 && judge_line_digit(text[i])) {
        *number = *number * 10 + (unsigned) (text[i] - '0');
        i++;
    }

    if (i == from) {
        while (i < end && i - from < 4
               && memchr("ivxIVX", text[i], 6) != NULL)
        {
            i++;
        }

        if (i == from || i == end || (text[i] != ')' && text[i] != '.')) {
            i = from;
            i += (i < end && judge_line_alpha(text[i]));
        }
    }

    if (i == from || i + 1 >= end || (text[i] != '.' && text[i] != ')')
        || (text[i + 1] != ' ' && text[i + 1] != '\t'))
    {
        *number = 0;
        return 0;
    }

    return i + 2 - at;
}


static void
judge_line_kind(const char *text, judge_parse_line_t *line)
{
    size_t  at, n;

    line->kind = JUDGE_P_PARAGRAPH;
    line->indent = 0;

    for (at = line->begin; at < line->end
                           && (text[at] == ' ' || text[at] == '\t'); at++)
    {
        line->indent += (text[at] == '\t') ? 4 : 1;
    }

    while (line->end > at && (unsigned char) text[line->end - 1] <= ' ') {
        line->end--;
    }

    line->begin = at;

    if (at == line->end) {
        return;
    }

    if (text[at] == '#') {
        for (n = 0; at + n < line->end && text[at + n] == '#'; n++) {
            /* void */
        }

        if (at + n < line->end && text[at + n] == ' ') {
            line->kind = JUDGE_P_HEADING;
            line->indent = (unsigned) n;
            line->begin = at + n;
            return;
        }
    }

    if (text[at] == '|' && line->end - at > 2) {
        line->kind = JUDGE_P_ROW;
        return;
    }

    n = judge_line_marker(text, at, line->end, &line->number);

    if (n > 0 && at + n < line->end) {
        line->kind = JUDGE_P_ITEM;
        line->begin = at + n;
    }
}


/* "Tone: warm but not salesy" on a line of its own. */

static bool
judge_line_labelled(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t                      i, words;
    const judge_parse_token_t  *t;

    words = 0;

    for (i = span.from; i < span.to; i++) {
        t = &p->tokens[i];

        if ((judge_parse_mark(t, ':') && (i + 1 == span.to
                                          || p->tokens[i + 1].space
                                          || t->begin == t->end))
            || judge_parse_mark(t, JUDGE_P_DASH))
        {
            return words > 0 && words <= JUDGE_PARSE_LABEL;
        }

        if (t->kind == JUDGE_P_MARK && memchr("()%&/'-", t->mark, 7) == NULL) {
            return false;
        }

        words += (t->kind == JUDGE_P_WORD);
    }

    return false;
}


/* A few words without the marks of a sentence. */

static bool
judge_line_short(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t                      i, words;
    const judge_parse_token_t  *t;

    words = 0;

    for (i = span.from; i < span.to; i++) {
        t = &p->tokens[i];
        words += (t->kind == JUDGE_P_WORD);

        if (t->kind == JUDGE_P_MARK
            && memchr("()%&/-,D", t->mark, 8) == NULL)
        {
            return false;
        }

        if (judge_parse_mark(t, ',') && i + 1 < span.to) {
            return false;
        }
    }

    return words > 0 && words <= JUDGE_PARSE_SHORT;
}


/* Whether the line goes on with what the block before it began. */

static bool
judge_line_joins(const judge_parse_ctx_t *p, const judge_parse_line_t *line,
    judge_parse_span_t span, bool gap, bool was_short)
{
    const judge_parse_block_t  *last;

    if (line->kind != JUDGE_P_PARAGRAPH || p->nblocks == 0 || gap) {
        return false;
    }

    last = &p->blocks[p->nblocks - 1];

    if (last->kind == JUDGE_P_ITEM) {
        return line->indent > 0 || !judge_line_labelled(p, span);
    }

    if (last->kind != JUDGE_P_PARAGRAPH || judge_line_labelled(p, span)) {
        return false;
    }

    if (judge_line_labelled(p, last->span)
        && judge_parse_mark(&p->tokens[last->span.to - 1], ':'))
    {
        return false;                  /* "We look at:" */
    }

    return !(was_short && judge_line_short(p, span));
}


static judge_rc_e
judge_line_add(judge_parse_ctx_t *p, const judge_parse_line_t *line,
    bool gap, bool *was_short)
{
    size_t                first;
    judge_parse_span_t    span;
    judge_parse_block_t  *b;

    first = p->ntokens;
    judge_parse_tokens(p, line->begin, line->end);
    span = (judge_parse_span_t) { first, p->ntokens };

    if (first == p->ntokens) {
        return JUDGE_OK;
    }

    if (judge_line_joins(p, line, span, gap, *was_short)) {
        p->blocks[p->nblocks - 1].span.to = p->ntokens;
        *was_short = false;
        return JUDGE_OK;
    }

    *was_short = judge_line_short(p, span);

    b = &p->blocks[p->nblocks++];
    memset(b, 0, sizeof(judge_parse_block_t));
    b->kind = line->kind;
    b->span = span;
    b->indent = line->indent;
    b->gap = gap;

    if (b->kind == JUDGE_P_ITEM && p->nblocks > 1
        && b[-1].kind == JUDGE_P_ITEM)
    {
        b->child = b->indent >= b[-1].indent + 2
                   || (b[-1].child && b->indent >= b[-1].indent);
    }

    return JUDGE_OK;
}


/*
 * "We check 1) facts, 2) tone and 3) length": the line is cut before each
 * number, as long as they go on from 1.
 */

static size_t
judge_line_inline(const char *text, size_t at, size_t end, unsigned next)
{
    char    c;
    size_t  i;

    for (i = at; i + 2 < end; i++) {
        c = text[i];

        if (judge_line_digit(c) && (unsigned) (c - '0') == next
            && (text[i + 1] == ')' || text[i + 1] == '.')
            && text[i + 2] == ' '
            && (i == at || text[i - 1] == ' ' || text[i - 1] == '('))
        {
            return i;
        }
    }

    return end;
}


static judge_rc_e
judge_line_cut(judge_parse_ctx_t *p, judge_parse_line_t *line, bool gap,
    bool *was_short)
{
    size_t              at, stop;
    unsigned            next;
    judge_rc_e          rc;
    const char         *text;
    judge_parse_line_t  part;

    text = p->text.data;
    next = (line->kind == JUDGE_P_ITEM && line->number == 1) ? 2 : 1;
    at = (line->kind == JUDGE_P_HEADING)
         ? line->end : judge_line_inline(text, line->begin, line->end, next);

    if (at == line->end
        || (next == 1
            && judge_line_inline(text, at + 2, line->end, 2) == line->end))
    {
        return judge_line_add(p, line, gap, was_short);
    }

    part = *line;
    part.end = at;

    if (at > line->begin) {
        rc = judge_line_add(p, &part, gap, was_short);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    part.kind = JUDGE_P_ITEM;

    for ( ; at < line->end && next <= 9; at = stop) {
        stop = judge_line_inline(text, at + 2, line->end, ++next);
        part.begin = at + 3;
        part.end = stop;

        rc = judge_line_add(p, &part, false, was_short);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    return JUDGE_OK;
}


/* A line of dashes or equals signs makes the line above it a heading. */

static bool
judge_line_rule(judge_parse_ctx_t *p, const judge_parse_line_t *line)
{
    size_t  i;
    char    c;

    c = p->text.data[line->begin];

    if (line->end - line->begin < 3 || memchr("-=*_~", c, 5) == NULL) {
        return false;
    }

    for (i = line->begin; i < line->end; i++) {
        if (p->text.data[i] != c) {
            return false;
        }
    }

    if ((c == '-' || c == '=') && p->nblocks > 0
        && p->blocks[p->nblocks - 1].kind == JUDGE_P_PARAGRAPH
        && judge_line_short(p, p->blocks[p->nblocks - 1].span))
    {
        p->blocks[p->nblocks - 1].kind = JUDGE_P_HEADING;
        p->blocks[p->nblocks - 1].indent = 1;
    }

    return true;
}


judge_rc_e
judge_parse_scan(judge_parse_ctx_t *p)
{
    bool                gap, was_short;
    size_t              i, lines, end;
    judge_rc_e          rc;
    judge_parse_line_t  line;

    for (i = 0, lines = 1; i < p->text.len; i++) {
        lines += (p->text.data[i] == '\n' || p->text.data[i] == '\r');
    }

    /* a token has a byte at least, or is the colon of two bold marks */

    p->tokens = judge_array_alloc(p->arena, p->text.len + 1,
                                  sizeof(judge_parse_token_t));
    p->blocks = judge_array_alloc(p->arena, lines + p->text.len / 3 + 1,
                                  sizeof(judge_parse_block_t));
    if (p->tokens == NULL || p->blocks == NULL) {
        return JUDGE_NOMEM;
    }

    gap = true;
    was_short = false;

    for (i = 0; i < p->text.len; i = end + 1) {
        for (end = i; end < p->text.len && p->text.data[end] != '\n'
                      && p->text.data[end] != '\r'; end++)
        {
            /* void */
        }

        line = (judge_parse_line_t) { .begin = i, .end = end };
        judge_line_kind(p->text.data, &line);

        if (line.begin == line.end) {
            /* the line feed behind a carriage return is no empty line */
            gap |= (i == 0 || end == p->text.len || i > end
                    || p->text.data[end] == '\r'
                    || p->text.data[i - 1] != '\r');
            continue;
        }

        if (judge_line_rule(p, &line)) {
            gap = true;
            continue;
        }

        rc = judge_line_cut(p, &line, gap, &was_short);
        if (rc != JUDGE_OK) {
            return rc;
        }

        gap = false;
    }

    for (i = 0; i < p->nblocks; i++) {
        judge_quality_mark(p->tokens + p->blocks[i].span.from,
                           p->blocks[i].span.to - p->blocks[i].span.from,
                           judge_quality_media(p->request->content_type));
    }

    return p->failed ? JUDGE_NOMEM : JUDGE_OK;
}


/* --- Spans ------------------------------------------------------------- */


judge_parse_span_t
judge_parse_trim(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    while (span.from < span.to
           && p->tokens[span.from].kind == JUDGE_P_MARK
           && p->tokens[span.from].mark != '(')
    {
        span.from++;
    }

    while (span.to > span.from
           && p->tokens[span.to - 1].kind == JUDGE_P_MARK
           && memchr(")%", p->tokens[span.to - 1].mark, 2) == NULL)
    {
        span.to--;
    }

    return span;
}


/* The text of the span; quotation marks around its ends belong to it. */

judge_str_t
judge_parse_text(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t  begin, end;

    span = judge_parse_trim(p, span);

    if (span.from >= span.to) {
        return JUDGE_STR("");
    }

    begin = p->tokens[span.from].begin;
    end = p->tokens[span.to - 1].end;

    if (p->tokens[span.from].kind == JUDGE_P_QUOTE) {
        do {
            begin--;
        } while (begin > 0
                 && ((unsigned char) p->text.data[begin] & 0xc0) == 0x80);
    }

    if (p->tokens[span.to - 1].kind == JUDGE_P_QUOTE) {
        do {
            end++;
        } while (end < p->text.len
                 && ((unsigned char) p->text.data[end] & 0xc0) == 0x80);
    }

    return (judge_str_t) { end - begin, p->text.data + begin };
}


/* A bracket that is closed soon: what it holds does not end a sentence. */

static bool
judge_parse_enclosed(const judge_parse_ctx_t *p, size_t at, size_t to)
{
    size_t  i;

    for (i = at; i < to && i < at + JUDGE_PARSE_AHEAD; i++) {
        if (judge_parse_mark(&p->tokens[i], '(')) {
            return false;
        }

        if (judge_parse_mark(&p->tokens[i], ')')) {
            return true;
        }
    }

    return false;
}


size_t
judge_parse_sentence_end(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t                      i;
    const judge_parse_token_t  *t, *next;

    for (i = span.from; i < span.to; i++) {
        t = &p->tokens[i];
        next = (i + 1 < span.to) ? t + 1 : NULL;

        if (t->kind == JUDGE_P_MARK && memchr(".!?", t->mark, 3) != NULL
            && (next == NULL || next->space || next->kind == JUDGE_P_MARK)
            && !judge_parse_enclosed(p, i + 1, span.to))
        {
            while (i + 1 < span.to && p->tokens[i + 1].kind == JUDGE_P_MARK
                   && memchr(".!?)", p->tokens[i + 1].mark, 4) != NULL)
            {
                i++;
            }

            return i + 1;
        }
    }

    return span.to;
}
