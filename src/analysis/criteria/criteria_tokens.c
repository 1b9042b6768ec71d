/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The text with its typographic marks as ASCII and in lower case, and its
 * lines as tokens.
 */


#include <stdlib.h>
#include <string.h>

#include "analysis/criteria/criteria_grammar.h"


#define JUDGE_TOKENS_QUOTE  400        /* bytes between quotation marks */
#define JUDGE_TOKENS_DASH   '\x10'     /* a dash in the folded text */

typedef struct {
    judge_criteria_t  *p;
    size_t             at;             /* in the folded text */
    size_t             end;            /* of the line */
    size_t             first;          /* token of the line */
    bool               space;
    bool               bold;
} judge_criteria_tokens_t;

/* No replacement is longer than what it is for. */

static const struct {
    const char  *bytes;
    const char  *text;
} judge_criteria_tokens_chars[] = {
    { "\xc2\xa0", " " }, { "\xc2\xab", "\"" }, { "\xc2\xbb", "\"" },
    { "\xc3\x97", "x" }, { "\xe2\x80\x90", "-" }, { "\xe2\x80\x91", "-" },
    { "\xe2\x80\x93", "\x10" }, { "\xe2\x80\x94", "\x10" },
    { "\xe2\x80\x98", "'" }, { "\xe2\x80\x99", "'" },
    { "\xe2\x80\x9c", "\"" }, { "\xe2\x80\x9d", "\"" },
    { "\xe2\x80\x9e", "\"" }, { "\xe2\x80\xa2", "* " },
    { "\xe2\x80\xa6", "." }, { "[", "(" }, { "]", ")" }
};


judge_rc_e
judge_criteria_tokens_fold(judge_criteria_t *p)
{
    char         c;
    size_t       i, k, n, len;
    const char  *text;

    p->folded = judge_alloc(p->arena, p->text.len + 1);
    p->origin = judge_array_alloc(p->arena, p->text.len + 2, sizeof(uint32_t));
    if (p->folded == NULL || p->origin == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0, len = 0; i < p->text.len; i += n) {
        c = p->text.data[i];
        c |= (c >= 'A' && c <= 'Z') << 5;
        text = NULL;
        n = 1;

        for (k = 0; k < sizeof(judge_criteria_tokens_chars)
                        / sizeof(judge_criteria_tokens_chars[0]); k++)
        {
            if (judge_str_starts((judge_str_t) { p->text.len - i,
                                                 p->text.data + i },
                    judge_str_c(judge_criteria_tokens_chars[k].bytes)))
            {
                text = judge_criteria_tokens_chars[k].text;
                n = strlen(judge_criteria_tokens_chars[k].bytes);
                break;
            }
        }

        do {
            p->origin[len] = (uint32_t) i;
            p->folded[len++] = (text == NULL) ? c : *text++;
        } while (text != NULL && *text != '\0');
    }

    p->folded[len] = '\0';
    p->origin[len] = p->origin[len + 1] = (uint32_t) p->text.len;
    p->nfolded = len;

    return JUDGE_OK;
}


/* A character of the line: letters as 'a', digits as '0'. */

static char
judge_criteria_tokens_char(const judge_criteria_tokens_t *s, size_t at)
{
    char  c;

    c = (at < s->end) ? s->p->folded[at] : ' ';

    return ((c >= 'a' && c <= 'z') || (unsigned char) c >= 0x80) ? 'a'
           : (c >= '0' && c <= '9') ? '0'
           : (c == JUDGE_TOKENS_DASH) ? c : (c <= ' ' || c == 0x7f) ? ' ' : c;
}


static judge_term_t *
judge_criteria_tokens_push(judge_criteria_tokens_t *s,
    judge_criteria_kind_e kind, size_t begin, size_t end)
{
    judge_term_t  *t;

    t = &s->p->tokens[s->p->ntokens++];
    *t = (judge_term_t) {
        .kind = (uint8_t) kind, .quality = -1, .span = 1, .space = s->space,
        .begin = (uint32_t) begin, .end = (uint32_t) end,
        .low = { end - begin, s->p->folded + begin } };
    s->space = false;

    return t;
}


/* An apostrophe or a hyphen joins letters to one word; so does the point
 * between single letters ("e.g."). */

static void
judge_criteria_tokens_word(judge_criteria_tokens_t *s)
{
    char                     c, first;
    size_t                   begin;
    judge_term_t  *t;

    begin = s->at++;

    for ( ;; s->at++) {
        c = judge_criteria_tokens_char(s, s->at);

        /* "x3" is "times three" */

        if ((c == '0' && s->at == begin + 1 && s->p->folded[begin] == 'x')
            || (c != 'a' && c != '0'
                && (strchr("'-.", c) == NULL
                    || judge_criteria_tokens_char(s, s->at + 1) != 'a'
                    || (c == '.'
                        && (s->at != begin + 1
                            || judge_criteria_tokens_char(s, s->at + 2)
                               != '.')))))
        {
            break;
        }
    }

    s->at += (c == '.' && s->at - begin == 3
              && s->p->folded[begin + 1] == '.');

    t = judge_criteria_tokens_push(s, JUDGE_TERM_WORD, begin, s->at);
    first = s->p->text.data[s->p->origin[begin]];
    t->capital = first >= 'A' && first <= 'Z';
}


/* "1,000" is a thousand, "0,3" three tenths. */

static void
judge_criteria_tokens_number(judge_criteria_tokens_t *s)
{
    char                     c, text[32];
    size_t                   begin, n, digits;
    judge_term_t  *t;

    begin = s->at;
    n = 0;

    for ( ;; s->at++) {
        c = (s->at < s->end) ? s->p->folded[s->at] : ' ';

        if (c == '.' || c == ',') {
            for (digits = 0;
                 digits < 4
                 && judge_criteria_tokens_char(s, s->at + 1 + digits) == '0';
                 digits++) {
                /* void */
            }

            if (digits == 0) {
                break;
            }

            if (c == ',' && digits == 3) {
                continue;
            }

            c = '.';

        } else if (c < '0' || c > '9') {
            break;
        }

        if (n < sizeof(text) - 1) {
            text[n++] = c;
        }
    }

    text[n] = '\0';
    t = judge_criteria_tokens_push(s, JUDGE_TERM_NUMBER, begin, s->at);
    t->number = strtod(text, NULL);
    t->classes[JUDGE_W_NUMBER / 64] |= (uint64_t) 1 << JUDGE_W_NUMBER % 64;
    t->low.len = 0;                    /* is no word */
}


/* A quotation on this line is one token: it can only be an example. */

static bool
judge_criteria_tokens_quote(judge_criteria_tokens_t *s, char mark)
{
    size_t  i;

    for (i = s->at + 2; i < s->end && i < s->at + JUDGE_TOKENS_QUOTE; i++) {
        /* an apostrophe inside of a word closes nothing */

        if (s->p->folded[i] == mark
            && (mark == '"' || judge_criteria_tokens_char(s, i + 1) != 'a'))
        {
            judge_criteria_tokens_push(s, JUDGE_TERM_QUOTE, s->at + 1, i)
                ->low.len = 0;
            s->at = i + 1;
            return true;
        }
    }

    return false;
}


/* "**Name** what it means" gets a colon instead of the bold type. */

static void
judge_criteria_tokens_bold(judge_criteria_tokens_t *s)
{
    size_t  i;

    s->at += 2;
    s->bold = !s->bold;

    for (i = s->first; i < s->p->ntokens; i++) {
        if (s->p->tokens[i].kind == JUDGE_TERM_MARK) {
            return;                    /* it is not the beginning */
        }
    }

    for (i = s->at; i < s->end && s->p->folded[i] == ' '; i++) {
        /* void */
    }

    if (!s->bold && s->p->ntokens > s->first && i < s->end
        && strchr(":-(\x10", s->p->folded[i]) == NULL)
    {
        judge_criteria_tokens_push(s, JUDGE_TERM_MARK, s->at, s->at)->low
            = JUDGE_STR(":");
    }
}


/* "300-500" has a hyphen, "Tone - friendly" a dash. */

static void
judge_criteria_tokens_mark(judge_criteria_tokens_t *s, char c)
{
    bool         dash;
    size_t       n;
    const char  *text;

    text = s->p->folded + s->at;

    if ((c == '*' || c == '_') && text[1] == c) {
        judge_criteria_tokens_bold(s);
        return;
    }

    dash = (c == JUDGE_TOKENS_DASH
            && (s->space || judge_criteria_tokens_char(s, s->at - 1) != '0'))
           || (c == '-' && (text[1] == '-' || (s->space && text[1] == ' ')));
    n = (c == '-' && text[1] == '-') ? 2 : 1;

    if (strchr("*`_", c) == NULL) {
        judge_criteria_tokens_push(s, JUDGE_TERM_MARK, s->at, s->at + n)
            ->low = dash ? JUDGE_STR("--")
                    : (c == JUDGE_TOKENS_DASH) ? JUDGE_STR("-")
                    : (judge_str_t) { 1, text };
    }

    s->at += n;
}


void
judge_criteria_tokens(judge_criteria_t *p, size_t begin, size_t end)
{
    char                     c;
    judge_criteria_tokens_t  s;

    s = (judge_criteria_tokens_t) { p, begin, end, p->ntokens, true, false };

    while (s.at < s.end) {
        c = judge_criteria_tokens_char(&s, s.at);

        if (c == ' ') {
            s.space = true;
            s.at++;

        } else if (c == '0') {
            judge_criteria_tokens_number(&s);

        } else if (c == 'a') {
            judge_criteria_tokens_word(&s);

        } else if ((c != '"' && (c != '\''
                                 || !(s.space || p->tokens[p->ntokens - 1].kind
                                                 == JUDGE_TERM_MARK)))
                   || !judge_criteria_tokens_quote(&s, c))
        {
            judge_criteria_tokens_mark(&s, c);
        }
    }
}
