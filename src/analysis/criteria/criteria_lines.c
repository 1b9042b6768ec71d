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

#include "base/text/ascii.h"
#include "analysis/criteria/criteria_grammar.h"


#define JUDGE_LINES_QUOTE   400        /* bytes between quotation marks */
#define JUDGE_LINES_DASH    '\x10'     /* as [print] of grammar.txt has them */
#define JUDGE_LINES_BULLET  '\x11'

typedef struct {
    judge_prose_t  *p;
    size_t          at;                /* in the folded text */
    size_t          end;               /* of the line */
    bool            space;
} judge_lines_scan_t;

typedef struct {
    size_t                  begin;     /* in the folded text */
    size_t                  end;
    judge_criteria_block_e  kind;
    unsigned                indent;    /* columns */
    bool                    gap;       /* an empty line before it */
} judge_lines_line_t;


/* What a mark of print is read as; 0: it is none. */

static char
judge_lines_print(judge_str_t mark)
{
    size_t  k;

    for (k = judge_phrase_head(mark); k > 0; k = judge_phrases[k].next) {
        if (judge_phrases[k].class == JUDGE_W_PRINT
            && judge_str_eq_c(mark, judge_phrases[k].words))
        {
            return (char) judge_phrases[k].value;
        }
    }

    return 0;
}


/* Small letters also of Western Europe, 00C0 to 00DE. */

static judge_rc_e
judge_lines_fold(judge_prose_t *p)
{
    char         c, print;
    size_t       i, k, n;
    const char  *text;

    text = p->text.data;
    p->folded = judge_alloc(p->arena, p->text.len + 1);
    p->origin = judge_array_alloc(p->arena, p->text.len + 2, sizeof(uint32_t));
    if (p->folded == NULL || p->origin == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < p->text.len; i += n) {
        for (n = 1; i + n < p->text.len && (text[i + n] & 0xc0) == 0x80; n++) {
            /* void */
        }

        print = (n > 1) ? judge_lines_print((judge_str_t) { n, text + i }) : 0;

        for (k = 0; k < ((print != 0) ? 1 : n); k++) {
            c = judge_ascii_lower(text[i + k]);
            c = (c == '[') ? '(' : (c == ']') ? ')' : c;
            c |= (k > 0 && text[i] == '\xc3' && c <= '\x9e') ? 0x20 : 0;
            p->origin[p->nfolded] = (uint32_t) (i + k);
            p->folded[p->nfolded++] = (print != 0) ? print : c;
        }
    }

    p->folded[p->nfolded] = '\0';
    p->origin[p->nfolded] = (uint32_t) p->text.len;
    p->origin[p->nfolded + 1] = (uint32_t) p->text.len;

    return JUDGE_OK;
}


/* --- Tokens ------------------------------------------------------------ */


/* A character of the line: letters as 'a', digits as '0'. */

static char
judge_lines_char(const judge_lines_scan_t *s, size_t at)
{
    char  c;

    c = (at < s->end) ? s->p->folded[at] : ' ';

    return ((c >= 'a' && c <= 'z') || (unsigned char) c >= 0x80) ? 'a'
           : judge_ascii_digit(c) ? '0'
           : (c == JUDGE_LINES_DASH) ? c : (c <= ' ' || c == 0x7f) ? ' ' : c;
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


static void
judge_lines_push_mark(judge_lines_scan_t *s, size_t n, judge_str_t low)
{
    judge_lines_push(s, JUDGE_TERM_MARK, s->at, s->at + n)->low = low;
    s->at += n;
}


/* An apostrophe or a hyphen joins letters to one word; so does the point
 * between single letters ("e.g.").  "x3" is "times three"; "l'accroche" and
 * "qu'il" are two words. */

static void
judge_lines_word(judge_lines_scan_t *s)
{
    char         c, first;
    size_t       begin, n, elided;
    const char  *text;

    begin = s->at;
    text = s->p->folded + begin;
    elided = (text[1] == '\'' && strchr("cdjlmnst", *text) != NULL) ? 2
             : (strncmp(text, "qu'", 3) == 0) ? 3 : 0;
    elided = (judge_lines_char(s, begin + elided) == 'a') ? elided : 0;

    for (n = 1, c = ' '; elided == 0; n++) {
        c = judge_lines_char(s, begin + n);

        if ((c == '0') ? n == 1 && *text == 'x'
            : c != 'a' && (strchr("'-.", c) == NULL
                           || judge_lines_char(s, begin + n + 1) != 'a'
                           || (c == '.' && n > 1)))
        {
            break;
        }
    }

    n += c == '.' && n == 3 && text[1] == '.';
    s->at += (elided > 0) ? elided : n;
    first = s->p->text.data[s->p->origin[begin]];
    judge_lines_push(s, JUDGE_TERM_WORD, begin, s->at)->capital
        = first >= 'A' && first <= 'Z';
}


/* "1,000" is a thousand, "0,3" three tenths; "2) " in a line divides it. */

static void
judge_lines_number(judge_lines_scan_t *s)
{
    char           c, digits[32];
    size_t         n, at;
    const char    *text;
    judge_term_t  *t;

    text = s->p->folded;

    for (n = 0, at = s->at; ; at++) {
        c = text[at];

        if (!judge_ascii_digit(c)) {
            if ((c != '.' && c != ',')
                || judge_lines_char(s, at + 1) != '0')
            {
                break;
            }

            c = (c == '.' || strspn(text + at + 1, "0123456789") != 3) ? '.'
                                                                       : '\0';
        }

        if (c != '\0' && n < sizeof(digits) - 1) {
            digits[n++] = c;
        }
    }

    if (text[at] == ')' && text[at + 1] == ' ' && s->space
        && s->p->open == 0)
    {
        judge_lines_push_mark(s, at + 1 - s->at, JUDGE_STR(";"));
        return;
    }

    digits[n] = '\0';
    t = judge_lines_push(s, JUDGE_TERM_NUMBER, s->at, at);
    t->number = strtod(digits, NULL);
    t->low.len = 0;
    s->at = at;
}


/* A quotation on this line is one token: it can only be an example.  An
 * apostrophe inside of a word closes nothing. */

static bool
judge_lines_quote(judge_lines_scan_t *s, char mark)
{
    size_t  i;

    for (i = s->at + 2; i < s->end && i < s->at + JUDGE_LINES_QUOTE; i++) {
        if (s->p->folded[i] == mark
            && (mark == '"' || judge_lines_char(s, i + 1) != 'a'))
        {
            judge_lines_push(s, JUDGE_TERM_QUOTE, s->at + 1, i)->low.len = 0;
            s->at = i + 1;
            return true;
        }
    }

    return false;
}


/* "300-500" has a hyphen, "Tone - friendly" a dash. */

static void
judge_lines_mark(judge_lines_scan_t *s, char c)
{
    bool         twice, dash;
    const char  *text;

    text = s->p->folded + s->at;
    twice = text[1] == c;

    if (strchr("*`_", c) != NULL) {
        s->at++;
        return;
    }

    if (c == '(') {
        s->p->open = s->p->ntokens;

    } else if (c == ')' && s->p->open > 0) {
        s->p->tokens[s->p->open].close = s->p->ntokens;
        s->p->open = 0;
    }

    dash = (c == JUDGE_LINES_DASH
            && (s->space || judge_lines_char(s, s->at - 1) != '0'))
           || (c == '-' && (twice || (s->space && text[1] == ' ')));
    judge_lines_push_mark(s, (c == '-' && twice) ? 2 : 1,
                          dash ? JUDGE_STR("--")
                          : (c == JUDGE_LINES_DASH) ? JUDGE_STR("-")
                          : (judge_str_t) { 1, text });
}


static void
judge_lines_scan(judge_prose_t *p, size_t begin, size_t end)
{
    char                c;
    judge_lines_scan_t  s = { p, begin, end, true };

    while (s.at < s.end) {
        c = judge_lines_char(&s, s.at);

        if (c == ' ') {
            s.space = true;
            s.at++;

        } else if (c == '0') {
            judge_lines_number(&s);

        } else if (c == 'a') {
            judge_lines_word(&s);

        } else if ((c != '"'
                    && (c != '\''
                        || (!s.space && p->tokens[p->ntokens - 1].kind
                            != JUDGE_TERM_MARK)))
                   || !judge_lines_quote(&s, c))
        {
            judge_lines_mark(&s, c);
        }
    }
}


/* --- Blocks ------------------------------------------------------------ */


static bool
judge_lines_blank(char c)
{
    return c == ' ' || c == '\t';
}


/* Bytes of "- ", "* ", "3. ", "b) ", "(iv) " and the like; 0: no item. */

static size_t
judge_lines_marker(const char *text)
{
    size_t  i, n;

    if (*text == JUDGE_LINES_BULLET) {
        return 1;
    }

    if (strspn(text, "-*+\x10") > 0 && judge_lines_blank(text[1])) {
        return (strncmp(text + 2, "( )", 3) == 0
                || strncmp(text + 2, "(x)", 3) == 0) ? 5 : 2;
    }

    i = (*text == '(');
    n = strspn(text + i, "0123456789");
    n = (n > 0) ? n : strspn(text + i, "ivx");
    n = (n == 0 && text[i] >= 'a' && text[i] <= 'z') ? 1 : n;
    i += n;

    return (n > 0 && n <= 4 && (text[i] == '.' || text[i] == ')')
            && judge_lines_blank(text[i + 1])) ? i + 2 : 0;
}


static void
judge_lines_kind(const char *text, judge_lines_line_t *line)
{
    size_t  n;

    while (line->end > line->begin && judge_lines_blank(text[line->end - 1])) {
        line->end--;
    }

    for ( ; line->begin < line->end && judge_lines_blank(text[line->begin]);
         line->begin++)
    {
        line->indent += (text[line->begin] == '\t') ? 4 : 1;
    }

    text += line->begin;
    n = strspn(text, "#");

    if (n > 0 && text[n] == ' ') {
        line->kind = JUDGE_BLOCK_HEADING;

    } else if (*text == '|') {
        line->kind = JUDGE_BLOCK_ROW;
        n = 1;

    } else {
        n = judge_lines_marker(text);
        line->kind = (n > 0) ? JUDGE_BLOCK_ITEM : JUDGE_BLOCK_PARAGRAPH;
    }

    if (line->begin + n < line->end) {
        line->begin += n;

    } else {
        line->kind = JUDGE_BLOCK_PARAGRAPH;
    }
}


/* "**Name** what it means" gets a colon instead of the bold type. */

static void
judge_lines_bold(char *text, const judge_lines_line_t *line)
{
    size_t  i;
    char   *end;

    text += line->begin;
    end = (strncmp(text, "**", 2) == 0 || strncmp(text, "__", 2) == 0)
          ? strstr(text + 2, (text[0] == '*') ? "**" : "__") : NULL;

    if (end == NULL || end + 2 >= text + line->end - line->begin) {
        return;
    }

    i = 2 + strspn(end + 2, " ");
    end[0] = (strchr(":-(\x10", end[i]) == NULL && end[-1] != ':') ? ':'
                                                                   : ' ';
    end[1] = ' ';
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


/* A line of dashes divides the text, also that of a table; a short line above
 * it is a heading. */

static bool
judge_lines_rule(judge_prose_t *p, const judge_lines_line_t *line)
{
    size_t          n;
    const char      mark[] = { p->folded[line->begin], '\0' };
    const char     *marks;
    judge_block_t  *last;

    n = line->end - line->begin;
    last = &p->blocks[p->nblocks - (p->nblocks > 0)];

    marks = (line->kind == JUDGE_BLOCK_ROW) ? "|-: " : mark;

    if (n < 3 || strchr("-=*_~:", *mark) == NULL
        || strspn(p->folded + line->begin, marks) < n)
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
    size_t              i, end;
    const char         *text;
    judge_lines_line_t  line;

    if (judge_lines_fold(p) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    /* a token has a byte at least, or is the colon of two bold marks */

    text = p->folded;
    p->tokens = judge_array_alloc(p->arena, p->nfolded + 4,
                                  sizeof(judge_term_t));
    p->blocks = judge_array_alloc(p->arena, p->nfolded + 4,
                                  sizeof(judge_block_t));
    if (p->tokens == NULL || p->blocks == NULL) {
        return JUDGE_NOMEM;
    }

    judge_buf_init(&p->hits, p->arena);
    p->tokens[0] = (judge_term_t) { .kind = JUDGE_TERM_MARK, .span = 1,
                                    .quality = -1 };
    p->ntokens = 1;
    line.gap = true;

    for (i = 0; i < p->nfolded; i = end + 1) {
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
            judge_lines_bold(p->folded, &line);
            judge_lines_add(p, &line);
            line.gap = false;
        }
    }

    judge_span_language(p);

    return p->hits.failed ? JUDGE_NOMEM : JUDGE_OK;
}
