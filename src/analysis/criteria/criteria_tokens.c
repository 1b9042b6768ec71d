/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The bytes of a line become tokens.
 */


#include <math.h>
#include <string.h>

#include "analysis/criteria/criteria_context.h"


#define JUDGE_TOKENS_QUOTE  400        /* bytes between quotation marks */

typedef struct {
    judge_parse_ctx_t  *p;
    size_t              at;            /* bytes of the description */
    size_t              end;           /* of the line */
    size_t              first;         /* token of the line */
    bool                space;
    bool                bold;
} judge_tokens_t;

/* Characters that stand for one of ASCII; '\0': for none. */

static const struct {
    const char  *bytes;
    char         c;
} judge_tokens_chars[] = {
    { "\xc2\xa0", ' ' }, { "\xc2\xab", '"' }, { "\xc2\xbb", '"' },
    { "\xc3\x97", '#' }, { "\xe2\x80\x93", '-' }, { "\xe2\x80\x94", '-' },
    { "\xe2\x80\x98", '\'' }, { "\xe2\x80\x99", '\'' },
    { "\xe2\x80\x9c", '"' }, { "\xe2\x80\x9d", '"' },
    { "\xe2\x80\x9e", '"' }, { "\xe2\x80\xa6", '.' }, { "\xe2\x80", '\0' }
};


/* The character at a byte, letters as 'a', digits as '0'; *n bytes. */

static char
judge_tokens_char(const judge_tokens_t *s, size_t at, size_t *n)
{
    char         c;
    size_t       i;
    const char  *text;

    text = s->p->text.data + at;
    c = (at < s->end) ? *text : ' ';
    *n = 1;

    if ((unsigned char) c >= 0x80) {
        for (i = 0; i < sizeof(judge_tokens_chars)
                        / sizeof(judge_tokens_chars[0]); i++)
        {
            *n = strlen(judge_tokens_chars[i].bytes);

            if (s->end - at >= *n
                && memcmp(text, judge_tokens_chars[i].bytes, *n) == 0)
            {
                *n = (c == '\xe2') ? 3 : *n;
                return judge_tokens_chars[i].c;
            }
        }

        *n = 1;
        return 'a';
    }

    return ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) ? 'a'
           : (c >= '0' && c <= '9') ? '0'
           : ((unsigned char) c <= ' ' || c == 0x7f) ? ' '
           : (c == '[') ? '(' : (c == ']') ? ')' : c;
}


static judge_parse_token_t *
judge_tokens_push(judge_tokens_t *s, judge_parse_kind_e kind, size_t begin,
    size_t end)
{
    judge_parse_token_t  *t;

    t = &s->p->tokens[s->p->ntokens++];
    *t = (judge_parse_token_t) {
        .kind = (uint8_t) kind, .quality = -1, .span = 1, .space = s->space,
        .begin = (uint32_t) begin, .end = (uint32_t) end,
        .low = { end - begin, s->p->text.data + begin } };
    s->space = false;

    return t;
}


/* An apostrophe or a hyphen joins letters to one word; so does the point
 * between single letters ("e.g."). */

static size_t
judge_tokens_joint(const judge_tokens_t *s, size_t begin)
{
    char    c;
    size_t  n, more;

    c = judge_tokens_char(s, s->at, &n);

    if ((c != '\'' && c != '-' && c != '.') || s->at == begin
        || n + (c == '-') > 3 || judge_tokens_char(s, s->at + n, &more) != 'a')
    {
        return 0;
    }

    return (c == '.'
            && (s->at != begin + 1
                || judge_tokens_char(s, s->at + 2, &more) != '.')) ? 0 : n;
}


static void
judge_tokens_word(judge_tokens_t *s)
{
    char                  c, *low;
    size_t                i, n, len, begin;
    judge_parse_token_t  *t;

    begin = s->at;

    do {
        s->at += ((c = judge_tokens_char(s, s->at, &n)) == 'a' || c == '0')
                 ? n : judge_tokens_joint(s, begin);
        c = judge_tokens_char(s, s->at, &n);
    } while (c == 'a' || c == '0' || judge_tokens_joint(s, begin) > 0);

    /* the last point of "e.g." */

    s->at += (c == '.' && s->at - begin == 3
              && s->p->text.data[begin + 1] == '.');

    t = judge_tokens_push(s, JUDGE_P_WORD, begin, s->at);
    c = s->p->text.data[begin];
    t->capital = c >= 'A' && c <= 'Z';
    low = judge_alloc(s->p->arena, t->low.len);

    if (low == NULL) {
        s->p->failed = true;
        return;
    }

    for (i = begin, len = 0; i < s->at; i += n) {
        c = judge_tokens_char(s, i, &n);
        low[len++] = (n > 1) ? c : s->p->text.data[i];
        low[len - 1] |= (low[len - 1] >= 'A' && low[len - 1] <= 'Z') << 5;
    }

    t->low = (judge_str_t) { len, low };
}


/* "1,000" is a thousand, "0,3" three tenths. */

static void
judge_tokens_number(judge_tokens_t *s)
{
    char                  c;
    size_t                begin, n, digits;
    double                value, unit;
    judge_parse_token_t  *t;

    begin = s->at;
    value = 0;
    unit = 1;

    for ( ;; ) {
        c = s->p->text.data[s->at];

        if (s->at < s->end && c >= '0' && c <= '9') {
            unit *= (unit < 1) ? 0.1 : 1;
            value = (value > 1e12) ? value
                    : (unit < 1) ? value + (c - '0') * unit * 10
                    : value * 10 + (c - '0');
            s->at++;
            continue;
        }

        if (s->at >= s->end || (c != '.' && c != ',')) {
            break;
        }

        for (digits = 0; judge_tokens_char(s, s->at + 1 + digits, &n) == '0';
             digits++)
        {
            /* void */
        }

        if (digits == 0) {
            break;
        }

        unit = (c == '.' || digits != 3) ? fmin(unit, 0.1) : unit;
        s->at++;
    }

    t = judge_tokens_push(s, JUDGE_P_NUMBER, begin, s->at);
    t->number = value;
    t->numeric = true;
}


/* A quotation on this line is one token: it can only be an example. */

static bool
judge_tokens_quote(judge_tokens_t *s, char mark)
{
    size_t  i, n, open, more;

    (void) judge_tokens_char(s, s->at, &n);
    open = s->at + n;

    for (i = open; i < s->end && i < open + JUDGE_TOKENS_QUOTE; i += n) {
        /* an apostrophe inside of a word closes nothing */

        if (judge_tokens_char(s, i, &n) == mark && i > open
            && (mark == '"' || judge_tokens_char(s, i + n, &more) != 'a'))
        {
            judge_tokens_push(s, JUDGE_P_QUOTE, open, i);
            s->at = i + n;
            return true;
        }
    }

    return false;
}


/* "**Name** what it means" gets a colon instead of the bold type. */

static void
judge_tokens_bold(judge_tokens_t *s)
{
    char    c;
    size_t  i, n;

    s->at += 2;
    s->bold = !s->bold;

    for (i = s->first; i < s->p->ntokens; i++) {
        if (s->p->tokens[i].kind == JUDGE_P_MARK) {
            return;                    /* it is not the beginning */
        }
    }

    for (i = s->at; i < s->end && s->p->text.data[i] == ' '; i++) {
        /* void */
    }

    c = judge_tokens_char(s, i, &n);

    if (!s->bold && s->p->ntokens > s->first && i < s->end
        && strchr(":-(", c) == NULL)
    {
        judge_tokens_push(s, JUDGE_P_MARK, s->at, s->at)->mark = ':';
    }
}


static void
judge_tokens_mark(judge_tokens_t *s, char c, size_t n)
{
    bool         digit;
    const char  *text;

    text = s->p->text.data + s->at;

    if (s->end - s->at >= 2 && (c == '*' || c == '_') && text[1] == c) {
        judge_tokens_bold(s);
        return;
    }

    /* "300-500" has a hyphen, "Tone - friendly" a dash */

    if (c == '-') {
        n = (n == 1 && s->end - s->at >= 2 && text[1] == '-') ? 2 : n;
        digit = !s->space && s->at > 0 && text[-1] >= '0' && text[-1] <= '9';
        c = (n == 1) ? (s->space && s->end - s->at >= 2 && text[1] == ' ')
                       ? JUDGE_P_DASH : '-'
            : (n == 3 && digit) ? '-' : JUDGE_P_DASH;
    }

    if (c != '\0' && strchr("*`_", c) == NULL) {
        judge_tokens_push(s, JUDGE_P_MARK, s->at, s->at + n)->mark
            = (n == 2 && c == '#') ? 'x' : c;
    }

    s->at += n;
}


void
judge_parse_tokens(judge_parse_ctx_t *p, size_t begin, size_t end)
{
    char                        c;
    size_t                      n;
    judge_tokens_t              s;
    const judge_parse_token_t  *last;

    s = (judge_tokens_t) { p, begin, end, p->ntokens, true, false };

    while (s.at < s.end) {
        c = judge_tokens_char(&s, s.at, &n);
        last = &p->tokens[p->ntokens - 1];

        if (c == ' ') {
            s.space = true;
            s.at += n;

        } else if (c == '0') {
            judge_tokens_number(&s);

        } else if ((c == '"' || (c == '\''
                                 && (s.space || last->kind == JUDGE_P_MARK)))
                   && judge_tokens_quote(&s, c))
        {
            continue;

        } else if (c == 'a') {
            judge_tokens_word(&s);

            /* "etc." ends a sentence only at the end of the line */

            last = &p->tokens[p->ntokens - 1];
            judge_parse_words_mark(p, judge_parse_span(p->ntokens - 1,
                                                       p->ntokens));
            s.at += judge_parse_is(last, JUDGE_W_ABBREVIATION)
                    && s.end - s.at >= 2 && p->text.data[s.at] == '.';

        } else {
            judge_tokens_mark(&s, c, n);
        }
    }
}
