/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The text with its typographic marks as ASCII and in lower case; its lines
 * as tokens, and as blocks: paragraphs, items of lists, headings, rows of
 * tables.
 */


#include <string.h>

#include "base/text/ascii.h"
#include "analysis/criteria/criteria_grammar.h"


#define JUDGE_LINES_QUOTE   400        /* bytes between quotation marks */
#define JUDGE_LINES_DASH    '\x10'     /* as [print] of grammar.txt has them */
#define JUDGE_LINES_BULLET  '\x11'
#define JUDGE_LINES_NUMBER  1e12       /* its other digits are not read */

typedef struct {
    judge_prose_t  *p;
    size_t          at;                /* in the folded text */
    size_t          end;               /* of the line */
    bool            space;
} judge_lines_scan_t;


/* Marks of print as ASCII, small letters also of Western Europe (00C0 to
 * 00DE), no brackets of "[ ]" and of links, no carriage returns. */

static void
judge_lines_fold(judge_prose_t *p)
{
    char         c, print;
    size_t       i, k, n;
    const char  *text;
    judge_str_t  mark;

    text = p->text.data;

    for (i = 0; i < p->text.len; i += n) {
        for (n = 1; i + n < p->text.len && (text[i + n] & 0xc0) == 0x80; n++) {
            /* void */
        }

        mark = (judge_str_t) { n, text + i };
        k = (n > 1) ? judge_phrase_head(mark) : 0;

        for (print = 0; k > 0 && print == 0; k = judge_phrases[k].next) {
            if (judge_phrases[k].class == JUDGE_W_PRINT
                && judge_str_eq_c(mark, judge_phrases[k].words))
            {
                print = (char) judge_phrases[k].value;
            }
        }

        for (k = 0; text[i] != '\r' && k < ((print != 0) ? 1 : n); k++) {
            c = judge_ascii_lower(text[i + k]);
            c = (c == '[' || c == ']') ? ' ' : c;
            c |= (k > 0 && text[i] == '\xc3' && c <= '\x9e') ? 0x20 : 0;
            p->origin[p->nfolded] = (uint32_t) (i + k);
            p->folded[p->nfolded++] = (print != 0) ? print : c;
        }
    }

    p->folded[p->nfolded] = '\0';
    p->origin[p->nfolded] = (uint32_t) p->text.len;
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


/* The next n bytes, which are read as `low`. */

static judge_term_t *
judge_lines_push(judge_lines_scan_t *s, judge_criteria_kind_e kind, size_t n,
    judge_str_t low)
{
    judge_term_t  *t;

    t = &s->p->tokens[s->p->ntokens++];
    *t = (judge_term_t) {
        .kind = (uint8_t) kind, .quality = -1, .span = 1, .space = s->space,
        .begin = (uint32_t) s->at, .end = (uint32_t) (s->at + n),
        .low = low };
    s->at += n;
    s->space = false;

    return t;
}


/* An apostrophe or a hyphen joins letters to one word; so does the point
 * between single letters ("e.g.").  "x3" is "times three"; "l'accroche" and
 * "qu'il" are two words. */

static void
judge_lines_word(judge_lines_scan_t *s)
{
    char         c;
    size_t       n;
    const char  *text;

    text = s->p->folded + s->at;
    n = (text[1] == '\'' && strchr("cdjlmnst", *text) != NULL) ? 2
        : (strncmp(text, "qu'", 3) == 0) ? 3 : 0;

    if (n == 0 || judge_lines_char(s, s->at + n) != 'a') {
        for (n = 1; ; n++) {
            c = judge_lines_char(s, s->at + n);

            if ((c == '0') ? n == 1 && *text == 'x'
                : c != 'a' && (strchr("'-.", c) == NULL
                               || judge_lines_char(s, s->at + n + 1) != 'a'
                               || (c == '.' && n > 1)))
            {
                break;
            }
        }

        n += c == '.' && n == 3 && text[1] == '.';
    }

    judge_lines_push(s, JUDGE_TERM_WORD, n, (judge_str_t) { n, text });
}


/* "1,000" is a thousand, "0,3" three tenths; "2) " in a line divides it. */

static void
judge_lines_number(judge_lines_scan_t *s)
{
    bool         decimal;
    double       value, scale;
    size_t       n;
    const char  *text;

    text = s->p->folded + s->at;
    decimal = false;

    for (n = 0, value = 0, scale = 1; ; n++) {
        if (judge_ascii_digit(text[n])) {
            if (value < JUDGE_LINES_NUMBER) {
                value = value * 10 + (text[n] - '0');
                scale *= decimal ? 10 : 1;
            }

        } else if ((text[n] == '.' || text[n] == ',')
                   && judge_lines_char(s, s->at + n + 1) == '0')
        {
            decimal |= text[n] == '.'
                       || strspn(text + n + 1, "0123456789") != 3;

        } else {
            break;
        }
    }

    if (text[n] == ')' && text[n + 1] == ' ' && s->space && s->p->open == 0) {
        judge_lines_push(s, JUDGE_TERM_MARK, n + 1, JUDGE_STR(";"));

    } else {
        judge_lines_push(s, JUDGE_TERM_NUMBER, n, JUDGE_STR(""))->number
            = value / scale;
    }
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
            judge_lines_push(s, JUDGE_TERM_QUOTE, i + 1 - s->at,
                             JUDGE_STR(""));
            return true;
        }
    }

    return false;
}


/* "300-500" has a hyphen, "Tone - friendly" a dash. */

static void
judge_lines_mark(judge_lines_scan_t *s, char c)
{
    bool         dash;
    size_t       n;
    const char  *text;

    text = s->p->folded + s->at;
    n = (c == '-' && text[1] == c) ? 2 : 1;

    if (c == '(') {
        s->p->open = s->p->ntokens;

    } else if (c == ')' && s->p->open > 0) {
        s->p->tokens[s->p->open].close = s->p->ntokens;
        s->p->open = 0;
    }

    dash = (c == JUDGE_LINES_DASH)
           ? s->space || judge_lines_char(s, s->at - 1) != '0'
           : c == '-' && (n == 2 || (s->space && text[1] == ' '));
    judge_lines_push(s, JUDGE_TERM_MARK, n,
                     dash ? JUDGE_STR("--")
                     : (c == JUDGE_LINES_DASH) ? JUDGE_STR("-")
                     : (judge_str_t) { 1, text });
}


static void
judge_lines_scan(judge_prose_t *p, judge_span_t bytes)
{
    char                c;
    judge_lines_scan_t  s = { p, bytes.from, bytes.to, true };

    while (s.at < s.end) {
        c = judge_lines_char(&s, s.at);

        if (strchr(" *`_", c) != NULL) {
            s.space |= c == ' ';
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


/* "**Name** what it means" gets a colon instead of the bold type. */

static void
judge_lines_bold(char *text, size_t len)
{
    size_t  i;
    char   *end;

    end = (strncmp(text, "**", 2) == 0 || strncmp(text, "__", 2) == 0)
          ? strstr(text + 2, (text[0] == '*') ? "**" : "__") : NULL;

    if (end != NULL && end + 2 < text + len) {
        i = 2 + strspn(end + 2, " ");
        end[0] = (strchr(":-(\x10", end[i]) == NULL && end[-1] != ':') ? ':'
                                                                       : ' ';
        end[1] = ' ';
    }
}


/* Adds the line, or continues the block before it.  "Tone: warm, not salesy"
 * begins one of its own; the comma may only stand behind the label. */

static void
judge_lines_add(judge_prose_t *p, judge_block_t line)
{
    bool            labelled;
    size_t          at;
    judge_block_t  *last;

    last = &p->blocks[p->nblocks] - 1;
    judge_lines_scan(p, line.span);
    line.span = judge_span(last->end, p->ntokens);
    line.end = p->ntokens;
    judge_span_mark(p, line.span);

    if (line.span.from == line.span.to) {
        return;
    }

    at = judge_span_label(p, line.span);
    labelled = at > line.span.from && at < line.span.to
               && judge_span_seek(p, line.span, JUDGE_W_COMMA) > at;

    if (line.kind == JUDGE_BLOCK_PARAGRAPH && !line.gap
        && ((last->kind == JUDGE_BLOCK_ITEM && (line.indent > 0 || !labelled))
            || (last->kind == JUDGE_BLOCK_PARAGRAPH && !labelled
                && !judge_span_is(p, last->span.to - 1, JUDGE_W_COLON)
                && !(judge_span_short(p, last->span, JUDGE_W_MARKS) > 0
                     && judge_span_short(p, line.span, JUDGE_W_MARKS) > 0))))
    {
        last->span.to = last->end = p->ntokens;
        return;
    }

    line.child = line.kind == JUDGE_BLOCK_ITEM
                 && last->kind == JUDGE_BLOCK_ITEM
                 && line.indent >= last->indent + (last->child ? 0 : 2);
    p->blocks[p->nblocks++] = line;
}


/* A line of dashes divides the text; a short line above it is a heading, and
 * a row of a table names its columns. */

static bool
judge_lines_rule(judge_prose_t *p, const judge_block_t *line)
{
    size_t          n;
    const char      mark[] = { p->folded[line->span.from], ' ', '\0' };
    const char     *marks;
    judge_block_t  *last;

    n = line->span.to - line->span.from;
    last = &p->blocks[p->nblocks] - 1;
    marks = (line->kind == JUDGE_BLOCK_ROW) ? "|-: " : mark;

    if (n < 3 || strchr("-=*_~:", *mark) == NULL
        || strspn(p->folded + line->span.from, marks) < n)
    {
        return false;
    }

    if (line->kind == JUDGE_BLOCK_ROW) {
        last->span.to = last->span.from;

    } else if (last->kind == JUDGE_BLOCK_PARAGRAPH
               && judge_span_short(p, last->span, JUDGE_W_MARKS) > 0)
    {
        last->kind = JUDGE_BLOCK_HEADING;
    }

    return true;
}


/* What the line from i to `end` is; an empty span: nothing stands there.  An
 * item begins with "- ", "3. ", "b) ", "(iv) " and the like. */

static judge_block_t
judge_lines_kind(const char *text, size_t i, size_t end)
{
    size_t         n, k;
    judge_block_t  line = { .kind = JUDGE_BLOCK_ITEM };

    for ( ; i < end && (text[i] == ' ' || text[i] == '\t'); i++) {
        line.indent += (text[i] == '\t') ? 4 : 1;
    }

    text += i;
    n = strspn(text, "#");
    k = (*text == '(');
    k += strspn(text + k, "0123456789");
    k += (k == (*text == '(')) ? strspn(text + k, "ivx") : 0;
    k += (k == (*text == '(') && text[k] >= 'a' && text[k] <= 'z');

    if (n > 0 && text[n] == ' ') {
        line.kind = JUDGE_BLOCK_HEADING;

    } else if (*text == '|') {
        line.kind = JUDGE_BLOCK_ROW;
        n = 1 + strspn(text + 1, " ");

    } else if (*text == JUDGE_LINES_BULLET) {
        n = 1;

    } else if (strspn(text, "-*+\x10") > 0 && strspn(text + 1, " \t") > 0) {
        n = 2;

    } else if (k > (*text == '(') && k <= 5 && strspn(text + k, ".)") > 0
               && strspn(text + k + 1, " \t") > 0)
    {
        n = k + 2;

    } else {
        line.kind = JUDGE_BLOCK_PARAGRAPH;
        n = 0;
    }

    line.span = judge_span((i + n < end) ? i + n : end, end);

    return line;
}


judge_rc_e
judge_criteria_lines(judge_prose_t *p)
{
    bool           gap;
    size_t         i, end, max;
    judge_block_t  line;

    /* a token has a byte at least, or is the colon of two bold marks */

    max = p->text.len + 4;
    p->folded = judge_alloc(p->arena, max);
    p->origin = judge_array_alloc(p->arena, max, sizeof(uint32_t));
    p->tokens = judge_array_alloc(p->arena, max, sizeof(judge_term_t));
    p->blocks = judge_array_alloc(p->arena, max, sizeof(judge_block_t));

    if (p->folded == NULL || p->origin == NULL || p->tokens == NULL
        || p->blocks == NULL)
    {
        return JUDGE_NOMEM;
    }

    judge_lines_fold(p);
    judge_buf_init(&p->hits, p->arena);

    /* before the first of each is an empty one */

    p->tokens[0] = (judge_term_t) { .kind = JUDGE_TERM_MARK, .span = 1,
                                    .quality = -1 };
    *p->blocks++ = (judge_block_t) { .kind = JUDGE_BLOCK_HEADING, .end = 1 };
    p->ntokens = 1;
    gap = true;

    for (i = 0; i < p->nfolded; i = end + 1) {
        end = i + strcspn(p->folded + i, "\n");
        line = judge_lines_kind(p->folded, i, end);
        line.gap = gap;
        gap = line.span.from == line.span.to || judge_lines_rule(p, &line);

        if (!gap) {
            judge_lines_bold(p->folded + line.span.from,
                             end - line.span.from);
            judge_lines_add(p, line);
        }
    }

    judge_span_language(p);

    return p->hits.failed ? JUDGE_NOMEM : JUDGE_OK;
}
