/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Notes to the author, and questions about spans of tokens.
 */


#include <stdio.h>

#include "base/text/utf8.h"
#include "analysis/criteria/criteria_context.h"


#define JUDGE_CONTEXT_BRACKET  40      /* tokens to the end of a bracket */


void
judge_parse_note(judge_parse_ctx_t *p, const char *fmt, ...)
{
    char         line[1024];
    size_t       i;
    va_list      args;
    judge_str_t  s;

    va_start(args, fmt);
    (void) vsnprintf(line, sizeof(line), fmt, args);
    va_end(args);

    /* a long one may have been cut within a character */

    s = judge_str_c(line);
    s.len = judge_utf8_check(s);

    for (i = 0; i < p->nnotes; i++) {
        if (judge_str_eq(p->notes[i], s)) {
            return;
        }
    }

    if (p->nnotes < JUDGE_PARSE_NOTES) {
        s = judge_str_dup(p->arena, s);
        p->failed |= s.data == NULL;
        p->notes[p->nnotes++] = s;
    }
}


judge_parse_span_t
judge_parse_trim(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    while (span.from < span.to && p->tokens[span.from].kind == JUDGE_P_MARK
           && p->tokens[span.from].mark != '(')
    {
        span.from++;
    }

    while (span.to > span.from && p->tokens[span.to - 1].kind == JUDGE_P_MARK
           && !judge_parse_marks(&p->tokens[span.to - 1], ")%"))
    {
        span.to--;
    }

    return span;
}


/* Quotation marks around the ends belong to the text. */

judge_str_t
judge_parse_text(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t       begin, end;
    const char  *text;

    text = p->text.data;
    span = judge_parse_trim(p, span);

    if (span.from >= span.to) {
        return JUDGE_STR("");
    }

    begin = p->tokens[span.from].begin;
    end = p->tokens[span.to - 1].end;

    if (p->tokens[span.from].kind == JUDGE_P_QUOTE) {
        do {
            begin--;
        } while (begin > 0 && ((unsigned char) text[begin] & 0xc0) == 0x80);
    }

    if (p->tokens[span.to - 1].kind == JUDGE_P_QUOTE) {
        do {
            end++;
        } while (end < p->text.len
                 && ((unsigned char) text[end] & 0xc0) == 0x80);
    }

    return (judge_str_t) { end - begin, text + begin };
}


size_t
judge_parse_count(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t  i, n;

    for (i = span.from, n = 0; i < span.to; i++) {
        n += (p->tokens[i].kind == JUDGE_P_WORD);
    }

    return n;
}


size_t
judge_parse_seek(const judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_class_e class)
{
    while (span.from < span.to
           && judge_parse_match(p, span.from, span.to, class) == 0)
    {
        span.from++;
    }

    return span.from;
}


size_t
judge_parse_seek_mark(const judge_parse_ctx_t *p, judge_parse_span_t span,
    const char *marks)
{
    while (span.from < span.to
           && !judge_parse_marks(&p->tokens[span.from], marks))
    {
        span.from++;
    }

    return span.from;
}


/* A bracket that is closed soon contains no end of a sentence. */

size_t
judge_parse_sentence_end(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t                      i, close, far;
    const judge_parse_token_t  *t;

    for (i = span.from; i < span.to; i++) {
        t = &p->tokens[i];

        if (!judge_parse_marks(t, ".!?")
            || (i + 1 < span.to && !t[1].space && t[1].kind != JUDGE_P_MARK))
        {
            continue;
        }

        far = (span.to - i > JUDGE_CONTEXT_BRACKET)
              ? i + JUDGE_CONTEXT_BRACKET : span.to;
        close = judge_parse_seek_mark(p, judge_parse_span(i + 1, far), "()");

        if (close < far && p->tokens[close].mark == ')' && close > i + 1) {
            continue;
        }

        while (i + 1 < span.to
               && judge_parse_marks(&p->tokens[i + 1], ".!?)"))
        {
            i++;
        }

        return i + 1;
    }

    return span.to;
}


bool
judge_parse_has_quality(const judge_parse_ctx_t *p, size_t from, size_t to)
{
    const judge_parse_token_t  *t;

    for ( ; from < to; from++) {
        t = &p->tokens[from];

        if (t->quality >= 0
            && !(judge_parse_is(t, JUDGE_W_GENERIC) && t->span == 1)
            && (judge_quality(t->quality)->flags & JUDGE_Q_VAGUE) == 0)
        {
            return true;
        }
    }

    return false;
}


/* "The tone of the text" is about tone. */

size_t
judge_parse_head(const judge_parse_ctx_t *p, judge_parse_span_t s)
{
    size_t  i, head;

    head = s.to;

    for (i = s.from; i < s.to; i++) {
        if (head < s.to && judge_parse_is(&p->tokens[i],
                                          JUDGE_W_PREPOSITION))
        {
            break;
        }

        head = (p->tokens[i].kind == JUDGE_P_WORD) ? i : head;
    }

    return head;
}


bool
judge_parse_generic(const judge_parse_ctx_t *p, judge_parse_span_t s)
{
    size_t  head;

    head = judge_parse_head(p, s);

    return head == s.to || judge_parse_is(&p->tokens[head], JUDGE_W_GENERIC);
}
