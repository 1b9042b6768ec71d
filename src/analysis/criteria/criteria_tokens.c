/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The bytes of the description become tokens.
 */


#include <string.h>

#include "analysis/criteria/criteria_parts.h"
#include "base/text/number.h"


#define JUDGE_PARSE_QUOTE  400         /* bytes between quotation marks */

typedef struct {
    judge_parse_ctx_t  *p;
    size_t              at;            /* bytes of the description */
    size_t              end;           /* of the line */
    bool                space;
    bool                bold;
} judge_parse_scan_t;


static bool
judge_scan_alpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
           || (unsigned char) c >= 0x80;
}


static bool
judge_scan_digit(char c)
{
    return c >= '0' && c <= '9';
}


static bool
judge_scan_is(const judge_parse_scan_t *s, size_t at, const char *what)
{
    size_t  n;

    n = strlen(what);

    return s->end - at >= n && memcmp(s->p->text.data + at, what, n) == 0;
}


static judge_parse_token_t *
judge_scan_push(judge_parse_scan_t *s, judge_parse_kind_e kind, size_t begin,
    size_t end)
{
    judge_parse_token_t  *t;

    t = &s->p->tokens[s->p->ntokens++];
    memset(t, 0, sizeof(judge_parse_token_t));

    t->kind = (uint8_t) kind;
    t->quality = -1;
    t->span = 1;
    t->space = s->space;
    t->begin = (uint32_t) begin;
    t->end = (uint32_t) end;

    s->space = false;

    return t;
}


static void
judge_scan_mark(judge_parse_scan_t *s, char mark, size_t len)
{
    judge_scan_push(s, JUDGE_P_MARK, s->at, s->at + len)->mark = mark;
    s->at += len;
}


/* --- Words and numbers ------------------------------------------------- */


/* What joins two letters into one word: an apostrophe, a hyphen. */

static size_t
judge_scan_joint(const judge_parse_scan_t *s, size_t at)
{
    const char  *text;
    size_t       n;

    text = s->p->text.data;
    n = judge_scan_is(s, at, "\xe2\x80\x99") ? 3
        : (text[at] == '\'' || text[at] == '-' || text[at] == '.') ? 1 : 0;

    if (n == 0 || at + n >= s->end || !judge_scan_alpha(text[at + n])
        || judge_scan_is(s, at + n, "\xe2\x80"))
    {
        return 0;
    }

    /* "e.g." has a point between single letters; a missing space has not */

    if (text[at] == '.'
        && !(at + 2 < s->end && text[at + 2] == '.' && at > 0
             && !(at > 1 && judge_scan_alpha(text[at - 2]))))
    {
        return 0;
    }

    return n;
}


static void
judge_scan_lower(judge_parse_scan_t *s, judge_parse_token_t *t)
{
    char    c, *low;
    size_t  i, n;

    low = judge_alloc(s->p->arena, t->end - t->begin + 1);
    if (low == NULL) {
        s->p->failed = true;
        t->low = JUDGE_STR("");
        return;
    }

    for (i = t->begin, n = 0; i < t->end; i++) {
        c = s->p->text.data[i];

        if (t->end - i >= 3
            && memcmp(s->p->text.data + i, "\xe2\x80\x99", 3) == 0)
        {
            low[n++] = '\'';
            i += 2;
            continue;
        }

        low[n++] = (c >= 'A' && c <= 'Z') ? (char) (c | 0x20) : c;
    }

    low[n] = '\0';
    t->low = (judge_str_t) { n, low };
}


static void
judge_scan_word(judge_parse_scan_t *s)
{
    size_t                begin, n;
    const char           *text;
    judge_parse_token_t  *t;

    text = s->p->text.data;
    begin = s->at;

    while (s->at < s->end) {
        if ((judge_scan_alpha(text[s->at]) || judge_scan_digit(text[s->at]))
            && !judge_scan_is(s, s->at, "\xe2\x80")
            && !judge_scan_is(s, s->at, "\xc2\xa0")
            && !judge_scan_is(s, s->at, "\xc3\x97"))
        {
            s->at++;
            continue;
        }

        n = judge_scan_joint(s, s->at);

        if (n == 0) {
            break;
        }

        s->at += n;
    }

    /* the last point of "e.g." */

    if (s->at < s->end && text[s->at] == '.' && s->at - begin >= 3
        && text[s->at - 2] == '.')
    {
        s->at++;
    }

    t = judge_scan_push(s, JUDGE_P_WORD, begin, s->at);
    t->capital = text[begin] >= 'A' && text[begin] <= 'Z';
    judge_scan_lower(s, t);

    /* "etc." does not end a sentence unless something else begins */

    if (s->at < s->end && text[s->at] == '.'
        && (judge_str_eq_c(t->low, "etc") || judge_str_eq_c(t->low, "vs")
            || judge_str_eq_c(t->low, "approx")
            || judge_str_eq_c(t->low, "incl"))
        && s->at + 1 < s->end)
    {
        s->at++;
    }
}


static void
judge_scan_number(judge_parse_scan_t *s)
{
    char                 *p, copy[32];
    double                value;
    size_t                begin, i, n;
    const char           *text;
    judge_parse_token_t  *t;

    text = s->p->text.data;
    begin = s->at;

    while (s->at < s->end
           && (judge_scan_digit(text[s->at])
               || ((text[s->at] == '.' || text[s->at] == ',')
                   && s->at + 1 < s->end && judge_scan_digit(text[s->at + 1])
                   && s->at > begin)))
    {
        s->at++;
    }

    t = judge_scan_push(s, JUDGE_P_NUMBER, begin, s->at);
    p = copy;

    for (i = begin; i < s->at && p < copy + sizeof(copy) - 1; i++) {
        /* "1,000" is a thousand, "0,3" three tenths */

        if (text[i] == ',') {
            n = s->at - i - 1;

            if (n != 3) {
                *p++ = '.';
            }

        } else if (!(text[i] == '0' && p == copy && i + 1 < s->at
                     && judge_scan_digit(text[i + 1])))
        {
            *p++ = text[i];
        }
    }

    if (judge_number_parse((judge_str_t) { (size_t) (p - copy), copy },
                           &value) != JUDGE_OK)
    {
        value = 0;
    }

    t->number = value;
    t->low = (judge_str_t) { s->at - begin, text + begin };
}


/* --- Marks ------------------------------------------------------------- */


/* A quotation on this line is one token; what it says is only an example. */

static bool
judge_scan_quote(judge_parse_scan_t *s)
{
    size_t                i, k, open;
    const char           *text;
    judge_parse_token_t  *t;
    static const struct {
        const char  *open;
        const char  *close;
    } quotes[] = {
        { "\"", "\"" }, { "\xe2\x80\x9c", "\xe2\x80\x9d" },
        { "\xe2\x80\x9e", "\xe2\x80\x9c" }, { "\xc2\xab", "\xc2\xbb" },
        { "\xe2\x80\x98", "\xe2\x80\x99" }, { "'", "'" }
    };

    text = s->p->text.data;

    for (k = 0; k < sizeof(quotes) / sizeof(quotes[0]); k++) {
        if (!judge_scan_is(s, s->at, quotes[k].open)) {
            continue;
        }

        open = s->at + strlen(quotes[k].open);

        for (i = open; i < s->end && i < open + JUDGE_PARSE_QUOTE; i++) {
            if (!judge_scan_is(s, i, quotes[k].close)) {
                continue;
            }

            /* an apostrophe inside of a word closes nothing */

            if (quotes[k].close[strlen(quotes[k].close) - 1] != '"'
                && i + strlen(quotes[k].close) < s->end
                && judge_scan_alpha(text[i + strlen(quotes[k].close)]))
            {
                continue;
            }

            if (i == open) {
                break;
            }

            t = judge_scan_push(s, JUDGE_P_QUOTE, open, i);
            t->low = (judge_str_t) { i - open, text + open };
            s->at = i + strlen(quotes[k].close);
            return true;
        }
    }

    return false;
}


/* "**Name** what it means" gets the colon that the bold type stands for. */

static void
judge_scan_bold(judge_parse_scan_t *s, size_t first)
{
    size_t                i;
    judge_parse_token_t  *last;

    s->at += 2;
    s->bold = !s->bold;

    if (s->bold || s->p->ntokens == first) {
        return;
    }

    last = &s->p->tokens[s->p->ntokens - 1];

    for (i = first; i < s->p->ntokens; i++) {
        if (s->p->tokens[i].kind == JUDGE_P_MARK) {
            return;                    /* it is not the beginning */
        }
    }

    for (i = s->at; i < s->end && s->p->text.data[i] == ' '; i++) {
        /* void */
    }

    if (i == s->end || last->kind == JUDGE_P_MARK
        || memchr(":-(", s->p->text.data[i], 3) != NULL
        || (unsigned char) s->p->text.data[i] >= 0x80)
    {
        return;
    }

    judge_scan_push(s, JUDGE_P_MARK, s->at, s->at)->mark = ':';
}


static void
judge_scan_other(judge_parse_scan_t *s, size_t first)
{
    size_t       dash;
    const char  *text;

    text = s->p->text.data;

    if (judge_scan_is(s, s->at, "**") || judge_scan_is(s, s->at, "__")) {
        judge_scan_bold(s, first);
        return;
    }

    if (judge_scan_is(s, s->at, "\xc3\x97")) {
        judge_scan_mark(s, 'x', 2);
        return;
    }

    dash = (judge_scan_is(s, s->at, "\xe2\x80\x93")
            || judge_scan_is(s, s->at, "\xe2\x80\x94")) ? 3 : 0;

    if (dash == 0 && text[s->at] == '-') {
        dash = judge_scan_is(s, s->at, "--") ? 2 : 1;
    }

    if (dash > 0) {
        /* "300-500" has a hyphen, "Tone - friendly" a dash */

        judge_scan_mark(s, (dash == 1 && !(s->space && s->at + 1 < s->end
                                           && text[s->at + 1] == ' '))
                           ? '-'
                           : (dash == 3 && !s->space && s->at > 0
                              && judge_scan_digit(text[s->at - 1]))
                           ? '-' : JUDGE_P_DASH, dash);
        return;
    }

    if (judge_scan_is(s, s->at, "\xe2\x80\xa6")) {
        judge_scan_mark(s, '.', 3);
        return;
    }

    if (judge_scan_is(s, s->at, "\xe2\x80")) {
        s->at += 3;
        return;
    }

    if (text[s->at] == '*' || text[s->at] == '`' || text[s->at] == '_') {
        s->at++;
        return;
    }

    judge_scan_mark(s, (text[s->at] == '[') ? '('
                       : (text[s->at] == ']') ? ')' : text[s->at], 1);
}


void
judge_parse_tokens(judge_parse_ctx_t *p, size_t begin, size_t end)
{
    char                c;
    size_t              first;
    judge_parse_scan_t  s;

    s = (judge_parse_scan_t) { p, begin, end, true, false };
    first = p->ntokens;

    while (s.at < s.end) {
        c = p->text.data[s.at];

        if ((unsigned char) c <= ' ' || c == 0x7f) {
            s.space = true;
            s.at++;

        } else if (judge_scan_is(&s, s.at, "\xc2\xa0")) {
            s.space = true;
            s.at += 2;

        } else if (judge_scan_digit(c)) {
            judge_scan_number(&s);

        } else if ((s.space || c == '"' || s.p->ntokens == first
                    || s.p->tokens[s.p->ntokens - 1].kind == JUDGE_P_MARK)
                   && judge_scan_quote(&s))
        {
            continue;

        } else if (judge_scan_alpha(c)
                   && !judge_scan_is(&s, s.at, "\xe2\x80")
                   && !judge_scan_is(&s, s.at, "\xc3\x97"))
        {
            judge_scan_word(&s);

        } else {
            judge_scan_other(&s, first);
        }
    }
}
