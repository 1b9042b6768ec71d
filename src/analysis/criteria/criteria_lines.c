/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The lines of a description as tokens, and as blocks: paragraphs, items of
 * lists, headings, rows of tables.
 */


#include <stdlib.h>
#include <string.h>

#include "base/text/regex.h"
#include "analysis/text/char.h"
#include "analysis/criteria/criteria_grammar.h"


#define JUDGE_LINES_NUMBER  16         /* bytes of one that are read */

/* How a line begins: with that of a block, or all of it divides the text. */

static const char  judge_lines_begin[] =
    "(?x) \\G [\\ \\t]* (?: (?<rule> ([-=*_~:]) (\\ *+ \\g{-2}){2,}+ \\s* $ )"
    "| (?<heading> [#]+ \\  )"
    "| (?<row> \\| \\ * (?<columns> [-:] [-|:\\ ]{2,} $ )? )"
    "| (?<item> • | [-*+–—] [\\ \\t]"
    "    | \\(? (?: [0-9]{1,4} | [ivx]{1,4} | [a-z] ) [.)] [\\ \\t] ) )?";

/* Tokens, each a group.  An apostrophe or a hyphen joins letters to one word,
 * and so does the point of "e.g."; "l'accroche" and "qu'il" are two words, and
 * "x3" is "times three".  A quotation can only be an example; no apostrophe
 * inside of a word closes it.  "300-500" has a hyphen, "Tone - friendly" a
 * dash.  Behind bold type at the beginning of a line there is a colon. */

static const char  judge_lines_token[] =
    "(?xi) \\G (?:"
    "( (?: [cdjlmnst] | qu ) ['’] (?= \\pL ) | x (?= [0-9] ) | ×"
    "    | \\pL \\. \\pL \\."
    "    | \\pL (?: \\. (?= \\pL ) )?"
    "      (?: [\\pL\\pM0-9]++ | ['’‐‑-] (?= \\pL ) )*+ )"
    "| ( [0-9]++ (?: [.,] [0-9]++ )*+ )"
    "| (?| [\"«»“”„] ( [^\\n]{1,399}? ) [\"«»“”„]"
    "    | (?<! [\\w\"”] ) ['‘’] ( [^\\n]{1,399}? ) ['‘’] (?! \\pL ) )"
    "| ( -- | (?<! [0-9] ) [–—] | (?<= \\s ) - (?= \\  ) )"
    "| ( (?<= [^\\s:] ) (?: \\*\\* | __ ) (?= \\ * [^-–—\\s:(] ) )"
    "| ( [\\s*`_[\\]¡¿]++ )"
    "| . )";

enum {                                 /* behind words, numbers, quotations */
    JUDGE_LINES_DASH = JUDGE_TERM_MARK,
    JUDGE_LINES_BOLD,
    JUDGE_LINES_BLANK,
    JUDGE_LINES_MARK
};

typedef struct {
    judge_prose_t  *p;
    judge_regex_t  *begin;
    judge_regex_t  *token;
} judge_lines_scan_t;


/* --- Tokens ------------------------------------------------------------ */


/* "1,000" is a thousand, "0,3" three tenths. */

static double
judge_lines_number(judge_str_t s)
{
    char    digits[JUDGE_LINES_NUMBER + 1];
    size_t  i, n;

    for (i = n = 0; i < s.len && n < JUDGE_LINES_NUMBER; i++) {
        if (s.data[i] != ',' || strspn(s.data + i + 1, "0123456789") != 3) {
            digits[n++] = (s.data[i] == ',') ? '.' : s.data[i];
        }
    }

    digits[n] = '\0';

    return strtod(digits, NULL);
}


/* What stands in that group; "2) " in a line divides it. */

static void
judge_lines_push(judge_prose_t *p, unsigned kind, judge_str_t s,
    judge_str_t group, bool space)
{
    judge_term_t  *t;

    t = &p->tokens[p->ntokens];
    *t = (judge_term_t) {
        .kind = (kind < JUDGE_TERM_MARK) ? (uint8_t) kind : JUDGE_TERM_MARK,
        .quality = -1, .span = 1, .space = space, .text = s,
        .low = (kind == JUDGE_LINES_DASH) ? JUDGE_STR("--")
               : (kind == JUDGE_LINES_BOLD) ? JUDGE_STR(":")
               : (kind == JUDGE_TERM_WORD || kind == JUDGE_LINES_MARK)
               ? judge_char_small(p->arena, s) : group,
        .number = judge_lines_number(s) };

    if (*s.data == '(') {
        p->open = p->ntokens;

    } else if (*s.data == ')' && p->open > 0) {
        p->tokens[p->open].close = p->ntokens;
        p->open = 0;

    } else if (*s.data == ')' && t[-1].kind == JUDGE_TERM_NUMBER
               && t[-1].space && s.data[1] == ' ')
    {
        t--;
        t->kind = JUDGE_TERM_MARK;
        t->low = JUDGE_STR(";");
    }

    p->ntokens = (size_t) (t + 1 - p->tokens);
    p->failed |= t->low.data == NULL;
}


/* The tokens of the line that begins at i. */

static judge_rc_e
judge_lines_scan(judge_lines_scan_t *scan, judge_str_t line, size_t i)
{
    bool         space, bold;
    size_t       begin, end;
    unsigned     kind;
    judge_rc_e   rc;
    judge_str_t  s, group;

    bold = strncmp(line.data + i, "**", 2) == 0
           || strncmp(line.data + i, "__", 2) == 0;

    for (space = true; i < line.len; i = end) {
        rc = judge_regex_find(scan->token, line, i, &begin, &end);
        if (rc != JUDGE_OK) {
            return rc;
        }

        kind = JUDGE_TERM_WORD;
        group = judge_regex_group(scan->token, line, kind);

        while (group.len == 0 && ++kind < JUDGE_LINES_MARK) {
            group = judge_regex_group(scan->token, line, kind);
        }

        s = (judge_str_t) { end - begin, line.data + begin };

        if (kind == JUDGE_LINES_BLANK || (kind == JUDGE_LINES_BOLD && !bold)) {
            space |= strspn(s.data, "*`_") < s.len;

        } else {
            judge_lines_push(scan->p, kind, s, group, space);
            space = false;
            bold &= kind != JUDGE_LINES_BOLD;
        }
    }

    return JUDGE_OK;
}


/* --- Blocks ------------------------------------------------------------ */


/* Adds the line, or continues the block before it.  "Tone: warm, not salesy"
 * begins one of its own; the comma may only stand behind the label. */

static void
judge_lines_add(judge_prose_t *p, judge_block_t line)
{
    bool            labelled;
    size_t          at;
    judge_block_t  *last;

    last = &p->blocks[p->nblocks] - 1;
    line.span = judge_span(last->end, p->ntokens);
    line.end = p->ntokens;
    judge_span_mark(p, line.span);
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


/* The line that begins at i.  A line of dashes divides the text; a short line
 * above it is a heading, and a row of a table names its columns. */

static judge_rc_e
judge_lines_line(judge_lines_scan_t *scan, judge_str_t text, size_t i,
    bool *gap)
{
    size_t          begin, end;
    judge_rc_e      rc;
    judge_block_t   line = { .gap = *gap };
    judge_block_t  *last;
    judge_prose_t  *p;

    static const char *const  names[] = {
        [JUDGE_BLOCK_ITEM] = "item",
        [JUDGE_BLOCK_HEADING] = "heading",
        [JUDGE_BLOCK_ROW] = "row"
    };

    p = scan->p;
    last = &p->blocks[p->nblocks] - 1;
    *gap = true;
    rc = judge_regex_find(scan->begin, text, i, &begin, &end);

    if (rc != JUDGE_OK) {
        return rc;
    }

    if (judge_regex_named(scan->begin, text, "rule").len > 0) {
        if (last->kind == JUDGE_BLOCK_PARAGRAPH
            && judge_span_short(p, last->span, JUDGE_W_MARKS) > 0)
        {
            last->kind = JUDGE_BLOCK_HEADING;
        }

        return JUDGE_OK;
    }

    if (judge_regex_named(scan->begin, text, "columns").len > 0) {
        last->span.to = last->span.from;
        return JUDGE_OK;
    }

    for (line.kind = JUDGE_BLOCK_ROW; line.kind > JUDGE_BLOCK_PARAGRAPH
         && judge_regex_named(scan->begin, text, names[line.kind]).len == 0;
         line.kind--)
    {
        /* void */
    }

    for ( ; text.data[i] == ' ' || text.data[i] == '\t'; i++) {
        line.indent += (text.data[i] == '\t') ? 4 : 1;
    }

    rc = judge_lines_scan(scan, text, end);
    *gap = p->ntokens == last->end;

    if (rc == JUDGE_OK && !*gap) {
        judge_lines_add(p, line);
    }

    return rc;
}


judge_rc_e
judge_criteria_lines(judge_prose_t *p)
{
    bool                gap;
    size_t              i, end, max;
    judge_rc_e          rc;
    judge_lines_scan_t  scan = { .p = p };

    /* a token has a byte at least */

    max = p->text.len + 2;
    p->tokens = judge_array_alloc(p->arena, max, sizeof(judge_term_t));
    p->blocks = judge_array_alloc(p->arena, max, sizeof(judge_block_t));

    if (p->tokens == NULL || p->blocks == NULL
        || judge_regex_compile(p->arena, judge_str_c(judge_lines_begin),
                               JUDGE_REGEX_OWN, &scan.begin, NULL)
           != JUDGE_OK
        || judge_regex_compile(p->arena, judge_str_c(judge_lines_token),
                               JUDGE_REGEX_OWN, &scan.token, NULL)
           != JUDGE_OK)
    {
        return JUDGE_NOMEM;
    }

    judge_buf_init(&p->hits, p->arena);

    /* before the first of each is an empty one */

    p->tokens[0] = (judge_term_t) { .kind = JUDGE_TERM_MARK, .span = 1,
                                    .quality = -1 };
    *p->blocks++ = (judge_block_t) { .kind = JUDGE_BLOCK_HEADING, .end = 1 };
    p->ntokens = 1;
    rc = JUDGE_OK;
    gap = true;

    for (i = 0; rc == JUDGE_OK && i < p->text.len; i = end + 1) {
        end = i + strcspn(p->text.data + i, "\n");
        rc = judge_lines_line(&scan, (judge_str_t) { end, p->text.data }, i,
                              &gap);
    }

    judge_span_language(p);

    return p->hits.failed ? JUDGE_NOMEM : rc;
}
