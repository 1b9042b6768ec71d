/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The text with its typographic marks as ASCII and in lower case; its lines
 * as tokens, and as blocks: paragraphs, items of lists, headings, rows of
 * tables.
 */


#include <stdlib.h>
#include <string.h>

#include "analysis/criteria/criteria_grammar.h"


#define JUDGE_TOKENS_QUOTE  400        /* bytes between quotation marks */
#define JUDGE_TOKENS_DASH   '\x10'     /* a dash in the folded text */

typedef struct {
    judge_prose_t  *p;
    size_t          at;                /* in the folded text */
    size_t          end;               /* of the line */
    size_t          first;             /* token of the line */
    unsigned        open;              /* brackets */
    bool            space;
    bool            bold;
} judge_lines_scan_t;

typedef struct {
    size_t                  begin;     /* in the folded text */
    size_t                  end;
    judge_criteria_block_e  kind;
    unsigned                indent;    /* columns */
    bool                    gap;       /* an empty line before it */
} judge_lines_line_t;

/* No replacement is longer than what it is for. */

static const struct {
    const char  *bytes;
    const char  *text;
} judge_lines_chars[] = {
    { "\xc2\xa0", " " }, { "\xc2\xab", "\"" }, { "\xc2\xbb", "\"" },
    { "\xc2\xa1", " " }, { "\xc2\xbf", " " }, { "\xe2\x80\xaf", " " },
    { "\xc3\x97", "x" }, { "\xe2\x80\x90", "-" }, { "\xe2\x80\x91", "-" },
    { "\xe2\x80\x93", "\x10" }, { "\xe2\x80\x94", "\x10" },
    { "\xe2\x80\x98", "'" }, { "\xe2\x80\x99", "'" },
    { "\xe2\x80\x9c", "\"" }, { "\xe2\x80\x9d", "\"" },
    { "\xe2\x80\x9e", "\"" }, { "\xe2\x80\xa2", "* " },
    { "\xe2\x80\xa6", "." }, { "[", "(" }, { "]", ")" }
};

#define JUDGE_LINES_CHARS                                                     \
    (sizeof(judge_lines_chars)                                       \
     / sizeof(judge_lines_chars[0]))


static judge_rc_e
judge_lines_fold(judge_prose_t *p)
{
    signed char   c;
    size_t       i, k, n, len;
    const char  *text;
    judge_str_t  left, bytes;

    p->folded = judge_alloc(p->arena, p->text.len + 1);
    p->origin = judge_array_alloc(p->arena, p->text.len + 2, sizeof(uint32_t));
    if (p->folded == NULL || p->origin == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0, len = 0; i < p->text.len; i += n) {
        c = (signed char) p->text.data[i];
        c |= (c >= 'A' && c <= 'Z') << 5;
        left = (judge_str_t) { p->text.len - i, p->text.data + i };
        text = NULL;
        n = 1;

        for (k = 0; (c < 0 || c == '[' || c == ']')
             && text == NULL && k < JUDGE_LINES_CHARS; k++)
        {
            bytes = judge_str_c(judge_lines_chars[k].bytes);

            if (judge_str_starts(left, bytes)) {
                text = judge_lines_chars[k].text;
                n = bytes.len;
            }
        }

        /* letters of Western Europe: 00C0 to 00DE but for the times sign */

        if (text == NULL && i > 0 && p->text.data[i - 1] == '\xc3'
            && c <= '\x9e')
        {
            c |= 0x20;
        }

        do {
            p->origin[len] = (uint32_t) i;
            p->folded[len++] = (text == NULL) ? (char) c : *text++;
        } while (text != NULL && *text != '\0');
    }

    p->folded[len] = '\0';
    p->origin[len] = p->origin[len + 1] = (uint32_t) p->text.len;
    p->nfolded = len;

    return JUDGE_OK;
}


/* A character of the line: letters as 'a', digits as '0'. */

static char
judge_lines_char(const judge_lines_scan_t *s, size_t at)
{
    char  c;

    c = (at < s->end) ? s->p->folded[at] : ' ';

    return ((c >= 'a' && c <= 'z') || (unsigned char) c >= 0x80) ? 'a'
           : (c >= '0' && c <= '9') ? '0'
           : (c == JUDGE_TOKENS_DASH) ? c : (c <= ' ' || c == 0x7f) ? ' ' : c;
}


static judge_term_t *
judge_lines_push(judge_lines_scan_t *s, judge_criteria_kind_e kind,
    size_t begin, size_t end)
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


/* "l'accroche", "qu'il" are two words. */

static bool
judge_lines_elided(const judge_lines_scan_t *s, size_t begin)
{
    const char  *text;

    text = s->p->folded + begin;

    return s->at > begin + 2
           && ((text[1] == '\'' && strchr("cdjlmnst", text[0]) != NULL)
               || (text[0] == 'q' && text[1] == 'u' && text[2] == '\''));
}


/* An apostrophe or a hyphen joins letters to one word; so does the point
 * between single letters ("e.g."). */

static void
judge_lines_word(judge_lines_scan_t *s)
{
    char           c, first;
    size_t         begin;
    judge_term_t  *t;

    begin = s->at++;

    for ( ;; s->at++) {
        c = judge_lines_char(s, s->at);

        /* "x3" is "times three" */

        if ((c == '0' && s->at == begin + 1 && s->p->folded[begin] == 'x')
            || (c != 'a' && c != '0'
                && (strchr("'-.", c) == NULL
                    || judge_lines_char(s, s->at + 1) != 'a'
                    || (c == '.'
                        && (s->at != begin + 1
                            || judge_lines_char(s, s->at + 2)
                            != '.')))))
        {
            break;
        }
    }

    if (judge_lines_elided(s, begin)) {
        s->at = begin + (s->p->folded[begin + 1] == 'u') + 2;
    }

    s->at += (c == '.' && s->at - begin == 3
              && s->p->folded[begin + 1] == '.');

    t = judge_lines_push(s, JUDGE_TERM_WORD, begin, s->at);
    first = s->p->text.data[s->p->origin[begin]];
    t->capital = first >= 'A' && first <= 'Z';
}


/* "1,000" is a thousand, "0,3" three tenths; "2) " in a line divides it. */

static void
judge_lines_number(judge_lines_scan_t *s)
{
    char           text[32];
    size_t         begin, i, n, digits;
    judge_term_t  *t;

    begin = s->at;
    text[0] = '\0';

    for (n = 0; ; ) {
        digits = strspn(s->p->folded + s->at, "0123456789");

        for (i = 0; i < digits && n < sizeof(text) - 2; i++) {
            text[n++] = s->p->folded[s->at + i];
        }

        s->at += digits;

        if ((s->p->folded[s->at] != '.' && s->p->folded[s->at] != ',')
            || judge_lines_char(s, s->at + 1) != '0')
        {
            break;
        }

        if ((s->p->folded[s->at++] == '.'
             || strspn(s->p->folded + s->at, "0123456789") != 3)
            && n < sizeof(text) - 2)
        {
            text[n++] = '.';
        }
    }

    if (s->p->folded[s->at] == ')' && s->open == 0 && s->space
        && s->p->folded[s->at + 1] == ' ')
    {
        judge_lines_push(s, JUDGE_TERM_MARK, begin, ++s->at)->low
            = JUDGE_STR(";");
        return;
    }

    text[n] = '\0';
    t = judge_lines_push(s, JUDGE_TERM_NUMBER, begin, s->at);
    t->number = strtod(text, NULL);
    t->classes[JUDGE_W_NUMBER / 64] |= (uint64_t) 1 << JUDGE_W_NUMBER % 64;
    t->low.len = 0;                    /* is no word */
}


/* A quotation on this line is one token: it can only be an example. */

static bool
judge_lines_quote(judge_lines_scan_t *s, char mark)
{
    size_t  i;

    for (i = s->at + 2; i < s->end && i < s->at + JUDGE_TOKENS_QUOTE; i++) {
        /* an apostrophe inside of a word closes nothing */

        if (s->p->folded[i] == mark
            && (mark == '"' || judge_lines_char(s, i + 1) != 'a'))
        {
            judge_lines_push(s, JUDGE_TERM_QUOTE, s->at + 1, i) ->low.len = 0;
            s->at = i + 1;
            return true;
        }
    }

    return false;
}


/* "**Name** what it means" gets a colon instead of the bold type. */

static void
judge_lines_bold(judge_lines_scan_t *s)
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
        judge_lines_push(s, JUDGE_TERM_MARK, s->at, s->at)->low
            = JUDGE_STR(":");
    }
}


/* "300-500" has a hyphen, "Tone - friendly" a dash. */

static void
judge_lines_mark(judge_lines_scan_t *s, char c)
{
    bool         dash;
    size_t       n;
    const char  *text;

    text = s->p->folded + s->at;
    s->open += (c == '(');
    s->open -= (c == ')' && s->open > 0);

    if ((c == '*' || c == '_') && text[1] == c) {
        judge_lines_bold(s);
        return;
    }

    dash = (c == JUDGE_TOKENS_DASH
            && (s->space || judge_lines_char(s, s->at - 1) != '0'))
           || (c == '-' && (text[1] == '-' || (s->space && text[1] == ' ')));
    n = (c == '-' && text[1] == '-') ? 2 : 1;

    if (strchr("*`_", c) == NULL) {
        judge_lines_push(s, JUDGE_TERM_MARK, s->at, s->at + n)
            ->low = dash ? JUDGE_STR("--")
                    : (c == JUDGE_TOKENS_DASH) ? JUDGE_STR("-")
                    : (judge_str_t) { 1, text };
    }

    s->at += n;
}


static void
judge_lines_scan(judge_prose_t *p, size_t begin, size_t end)
{
    char                c;
    judge_lines_scan_t  s;

    s = (judge_lines_scan_t) { p, begin, end, p->ntokens, 0, true, false };

    while (s.at < s.end) {
        c = judge_lines_char(&s, s.at);

        if (c == ' ') {
            s.space = true;
            s.at++;

        } else if (c == '0') {
            judge_lines_number(&s);

        } else if (c == 'a') {
            judge_lines_word(&s);

        } else if ((c != '"' && (c != '\''
                                 || !(s.space || p->tokens[p->ntokens - 1].kind
                                      == JUDGE_TERM_MARK)))
                   || !judge_lines_quote(&s, c))
        {
            judge_lines_mark(&s, c);
        }
    }
}


/* --- Blocks ------------------------------------------------------------ */


/* Bytes of "- ", "* ", "3. ", "b) ", "(iv) " and the like; 0: no item. */

static size_t
judge_lines_marker(const char *text, size_t len)
{
    size_t  i, n;

    if (len > 2 && strchr("-*+\x10", text[0]) != NULL
        && (text[1] == ' ' || text[1] == '\t'))
    {
        return (len >= 6 && text[2] == '(' && text[4] == ')') ? 6 : 2;
    }

    i = (text[0] == '(');
    n = strspn(text + i, "0123456789");
    n = (n > 0) ? n : strspn(text + i, "ivx");
    n = (n == 0 && text[i] >= 'a' && text[i] <= 'z') ? 1 : n;
    i += n;

    return (n == 0 || n > 4 || len < i + 2
            || (text[i] != '.' && text[i] != ')')
            || (text[i + 1] != ' ' && text[i + 1] != '\t')) ? 0 : i + 2;
}


static void
judge_lines_kind(const char *text, judge_lines_line_t *line)
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

    n = judge_lines_marker(text, line->end - line->begin);

    if (n > 0 && line->begin + n < line->end) {
        line->kind = JUDGE_BLOCK_ITEM;
        line->begin += n;
    }
}


/* "Tone: warm, not salesy" begins a block of its own; the comma may only
 * stand behind the label. */

static bool
judge_lines_labelled(const judge_prose_t *p, judge_span_t s)
{
    size_t  at;

    at = judge_span_label(p, s);

    return at > s.from && at < s.to
           && judge_span_seek(p, s, JUDGE_W_COMMA) > at;
}


/* Whether the line continues the block before it. */

static bool
judge_lines_joins(const judge_prose_t *p, const judge_lines_line_t *line,
    judge_span_t s)
{
    const judge_block_t  *last;

    if (line->kind != JUDGE_BLOCK_PARAGRAPH || p->nblocks == 0 || line->gap) {
        return false;
    }

    last = &p->blocks[p->nblocks - 1];

    if (last->kind == JUDGE_BLOCK_ITEM) {
        return line->indent > 0 || !judge_lines_labelled(p, s);
    }

    return last->kind == JUDGE_BLOCK_PARAGRAPH
           && !judge_lines_labelled(p, s)
           && !judge_span_is(p, last->span.to - 1, JUDGE_W_COLON)
           && !(judge_span_short(p, last->span, JUDGE_W_MARKS) > 0
                && judge_span_short(p, s, JUDGE_W_MARKS) > 0);
}


static void
judge_lines_add(judge_prose_t *p, const judge_lines_line_t *line)
{
    judge_span_t    s;
    judge_block_t  *b;

    s.from = p->ntokens;
    judge_lines_scan(p, line->begin, line->end);
    s.to = p->ntokens;
    judge_span_mark(p, s);

    if (s.from == s.to) {
        return;
    }

    if (judge_lines_joins(p, line, s)) {
        p->blocks[p->nblocks - 1].span.to = s.to;
        return;
    }

    b = &p->blocks[p->nblocks++];
    *b = (judge_block_t) { line->kind, s, line->indent, false, line->gap };
    b->child = p->nblocks > 1 && b->kind == JUDGE_BLOCK_ITEM
               && b[-1].kind == JUDGE_BLOCK_ITEM
               && b->indent >= b[-1].indent + (b[-1].child ? 0 : 2);
}


/* A line of dashes divides the text; a short line above it is a heading. */

static bool
judge_lines_rule(judge_prose_t *p, const judge_lines_line_t *line)
{
    size_t          n;
    const char      mark[] = { p->folded[line->begin], '\0' };
    judge_block_t  *last;

    n = line->end - line->begin;
    last = &p->blocks[p->nblocks - (p->nblocks > 0)];

    if (n < 3 || strchr("-=*_~", *mark) == NULL
        || strspn(p->folded + line->begin, mark) < n)
    {
        return false;
    }

    if (p->nblocks > 0 && last->kind == JUDGE_BLOCK_PARAGRAPH
        && judge_span_short(p, last->span, JUDGE_W_MARKS) > 0)
    {
        last->kind = JUDGE_BLOCK_HEADING;
    }

    return true;
}


judge_rc_e
judge_criteria_lines(judge_prose_t *p)
{
    size_t              i, n, end;
    const char         *text;
    judge_lines_line_t  line;

    /* a token has a byte at least, or is the colon of two bold marks; a
     * block is a line or begins with a number and its mark */

    if (judge_lines_fold(p) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

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
        line = (judge_lines_line_t) { .begin = i, .end = end,
                                         .gap = line.gap };
        judge_lines_kind(text, &line);

        if (line.begin == line.end) {
            /* a line feed behind a carriage return is no empty line */
            line.gap |= i == 0 || text[i - 1] != '\r' || text[end] == '\r';

        } else if (judge_lines_rule(p, &line)) {
            line.gap = true;

        } else {
            judge_lines_add(p, &line);
            line.gap = false;
        }
    }

    judge_span_language(p);

    return JUDGE_OK;
}
