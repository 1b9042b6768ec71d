/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The text of a description as tokens and blocks: paragraphs, items of lists,
 * headings, rows of tables; and the criteria that these mark.
 */


#include <stdlib.h>
#include <string.h>

#include "base/text/ascii.h"
#include "base/text/regex.h"
#include "analysis/text/char.h"
#include "analysis/criteria/criteria_grammar.h"


#define JUDGE_BLOCKS_NUMBER  16        /* bytes of one that are read */
#define JUDGE_BLOCKS_LINES   40        /* of a list without marks */

/* Tokens, each a group.  An apostrophe or a hyphen joins letters to one word,
 * and so does the point of "e.g."; "l'accroche" and "qu'il" are two words, and
 * "x3" is "times three".  A quotation can only be an example; no apostrophe
 * inside of a word closes it.  "300-500" has a hyphen, "Tone - friendly" a
 * dash.  Behind bold type at the beginning of a line there is a colon.  What
 * begins a line tells its block; a line of dashes divides the text. */

static const char  judge_blocks_token[] =
    "(?xm) \\G (?:"
    "( (?i: [cdjlmnst] | qu ) ['’] (?= \\pL ) | [xX] (?= [0-9] ) | ×"
    "    | \\pL \\. \\pL \\."
    "    | \\pL (?: \\. (?= \\pL ) )?"
    "      (?: [\\pL\\pM0-9]++ | ['’‐‑-] (?= \\pL ) )*+ )"
    "| ( [0-9]++ (?: [.,] [0-9]++ )*+ )"
    "| (?| [\"«»“”„] ( [^\\n]{1,399}? ) [\"«»“”„]"
    "    | (?<! [\\w\"”] ) ['‘’] ( [^\\n]{1,399}? ) ['‘’] (?! \\pL ) )"
    "| ( -- | (?<! [0-9] ) [–—] | (?<= \\s ) - (?= \\  ) )"
    "| ( (?<= [^\\s:] ) (?: \\*\\* | __ ) (?= \\ * [^-–—\\s:(] ) )"
    "| ( (?: (?! \\n ) [\\s*`_[\\]¡¿] )++ )"
    "| \\n [\\ \\t]* (?: ( [-=*_~:] ) (?: \\ *+ \\g{-1} ){2,}+ [\\h\\r]* $"
    "    | \\| \\ * ( [-:] [-|:\\ ]{2,} $ )"
    "    | ( • | [-*+–—] [\\ \\t]"
    "      | \\(? (?: [0-9]{1,4} | [ivx]{1,4} | [a-z] ) [.)] [\\ \\t] )"
    "    | ( [#]+ \\  ) | ( \\| ) )? ( \\*\\* | __ )?"
    "| . )";

enum {                                 /* behind words, numbers, quotations */
    JUDGE_BLOCKS_DASH = JUDGE_TERM_MARK,
    JUDGE_BLOCKS_BOLD,
    JUDGE_BLOCKS_BLANK,
    JUDGE_BLOCKS_RULE,                 /* these begin a line */
    JUDGE_BLOCKS_COLUMNS,
    JUDGE_BLOCKS_ITEM,                 /* these a block, in that order */
    JUDGE_BLOCKS_HEADING,
    JUDGE_BLOCKS_ROW,
    JUDGE_BLOCKS_REST                  /* marks; of a line, bold type */
};


/* "1,000" is a thousand, "0,3" three tenths. */

static double
judge_block_number(judge_str_t s)
{
    char    digits[JUDGE_BLOCKS_NUMBER + 1];
    size_t  i, n;

    for (i = n = 0; i < s.len && n < JUDGE_BLOCKS_NUMBER; i++) {
        if (s.data[i] != ',' || strspn(s.data + i + 1, "0123456789") != 3) {
            digits[n++] = (s.data[i] == ',') ? '.' : s.data[i];
        }
    }

    digits[n] = '\0';

    return strtod(digits, NULL);
}


/* What stands in that group. */

static void
judge_block_token(judge_prose_t *p, unsigned kind, judge_str_t s,
    judge_str_t group, bool space)
{
    judge_term_t  *t;

    t = p->tokens.to++;
    *t = (judge_term_t) {
        .kind = (kind < JUDGE_TERM_MARK) ? (uint8_t) kind : JUDGE_TERM_MARK,
        .quality = -1, .span = 1, .space = space, .text = s,
        .low = (kind == JUDGE_BLOCKS_DASH) ? JUDGE_STR("--")
               : (kind == JUDGE_BLOCKS_BOLD) ? JUDGE_STR(":")
               : (kind == JUDGE_TERM_WORD || kind == JUDGE_BLOCKS_REST)
               ? judge_char_small(p->arena, s) : group,
        .number = judge_block_number(s) };
    p->failed |= t->low.data == NULL;

    if (*s.data == '(') {
        p->open = t;

    } else if (*s.data == ')' && p->open != NULL) {
        p->open->close = t;
        p->open = NULL;
    }
}


/* Adds the line, or continues the block before it.  "Tone: warm, not salesy"
 * begins one of its own; the comma may only stand behind the label. */

static void
judge_block_add(judge_prose_t *p, judge_block_t line)
{
    bool            labelled;
    judge_term_t   *label;
    judge_block_t  *last;

    last = &p->blocks[p->nblocks] - 1;
    line.span = judge_span(last->end, p->tokens.to);
    line.end = p->tokens.to;
    judge_span_mark(p, line.span);
    label = judge_span_label(line.span);
    labelled = label > line.span.from && label < line.span.to
               && judge_span_seek(line.span, COMMA) > label;

    if (line.kind == JUDGE_BLOCK_PARAGRAPH && !line.gap
        && ((last->kind == JUDGE_BLOCK_ITEM && (line.indent > 0 || !labelled))
            || (last->kind == JUDGE_BLOCK_PARAGRAPH && !labelled
                && !judge_term_is(last->span.to - 1, COLON)
                && !(judge_span_short(last->span, MARKS) > 0
                     && judge_span_short(line.span, MARKS) > 0))))
    {
        last->span.to = last->end = p->tokens.to;
        return;
    }

    line.child = line.kind == JUDGE_BLOCK_ITEM
                 && last->kind == JUDGE_BLOCK_ITEM
                 && line.indent >= last->indent + (last->child ? 0 : 2);
    p->blocks[p->nblocks++] = line;
}


/* What begins with a new line, after the one before it.  A short line above
 * one that divides the text is a heading, and a row of a table above one names
 * its columns. */

static judge_block_t
judge_block_begin(judge_prose_t *p, const judge_block_t *before, unsigned kind,
    judge_str_t s)
{
    size_t          i;
    judge_block_t   line = { .kind = JUDGE_BLOCK_PARAGRAPH };
    judge_block_t  *last;

    last = &p->blocks[p->nblocks] - 1;
    line.gap = last->end == p->tokens.to;

    if (!line.gap) {
        judge_block_add(p, *before);
        last = &p->blocks[p->nblocks] - 1;
    }

    if (kind == JUDGE_BLOCKS_RULE && last->kind == JUDGE_BLOCK_PARAGRAPH
        && judge_span_short(last->span, MARKS) > 0)
    {
        last->kind = JUDGE_BLOCK_HEADING;
    }

    if (kind == JUDGE_BLOCKS_COLUMNS) {
        last->span.to = last->span.from;
    }

    if (kind >= JUDGE_BLOCKS_ITEM && kind <= JUDGE_BLOCKS_ROW) {
        line.kind = kind - JUDGE_BLOCKS_ITEM + JUDGE_BLOCK_ITEM;
    }

    for (i = 1; i < s.len && (s.data[i] == ' ' || s.data[i] == '\t'); i++) {
        line.indent += (s.data[i] == '\t') ? 4 : 1;
    }

    return line;
}


judge_rc_e
judge_block_read(judge_prose_t *p, judge_str_t text)
{
    bool            space, bold;
    size_t          begin, end;
    unsigned        kind;
    judge_rc_e      rc;
    judge_str_t     s, group;
    judge_block_t   line = { .kind = JUDGE_BLOCK_PARAGRAPH };
    judge_regex_t  *token;

    rc = judge_regex_compile(p->arena, judge_str_c(judge_blocks_token),
                             JUDGE_REGEX_OWN, &token, NULL);

    for (end = 0, space = bold = true; rc == JUDGE_OK && end < text.len
         && (rc = judge_regex_find(token, text, end, &begin, &end))
            == JUDGE_OK; )
    {
        s = (judge_str_t) { end - begin, text.data + begin };
        kind = JUDGE_TERM_WORD;
        group = judge_regex_group(token, text, kind);

        while (group.len == 0 && kind < JUDGE_BLOCKS_REST) {
            group = judge_regex_group(token, text, ++kind);
        }

        if (*s.data == '\n') {
            line = judge_block_begin(p, &line, kind, s);
            space = true;
            bold = judge_regex_group(token, text, JUDGE_BLOCKS_REST).len > 0;

        } else if (kind == JUDGE_BLOCKS_BLANK
                   || (kind == JUDGE_BLOCKS_BOLD && !bold))
        {
            space |= strspn(s.data, "*`_") < s.len;

        } else {
            judge_block_token(p, kind, s, group, space);
            space = false;
            bold &= kind != JUDGE_BLOCKS_BOLD;
        }
    }

    judge_span_language(p);

    return rc;
}


/* "1) clear 2) short": each begins a line, as far as the numbers go on; "tone
 * (1) and style (2)" are weights. */

void
judge_block_divide(char *s, size_t len)
{
    long   n, next;
    char  *p, *at, *end, *first, mark;

    for (p = first = s + 1, next = 1, mark = 0; p + 3 < s + len; p++) {
        at = p + (*p == '(');
        end = at + (*at >= 'a' && *at <= 'z');
        n = (end > at) ? *at - 'a' + 1
            : judge_ascii_digit(*at) ? strtol(at, &end, 10) : 0;

        if ((p[-1] != ' ' && p[-1] != '\n') || n == 0 || end[1] != ' '
            || (*end != ')' && (*end != '.' || *at > '9')))
        {
            next = (*p == '\n') ? 1 : next;

        } else if (n == 1 && (*p != '(' || p[-1] == '\n'
                              || strchr(":.?!", p[-2])))
        {
            first = p;
            next = 2;
            mark = *end;

        } else if (n == next && n > 1 && *end == mark) {
            first[-1] = p[-1] = '\n';
            next++;
        }
    }
}


/* The section that a title begins, or an introduction. */

static judge_title_e
judge_block_title(judge_span_t s)
{
    judge_match_t  m;

    return (judge_span_rule(s, judge_criteria_sections, &m) == NULL)
           ? JUDGE_TITLE_NONE
           : (judge_title_e) ((m.value >= 0) ? m.value : m.action);
}


/* "Tone: warm."; not a title, nor "We look for: ". */

static bool
judge_block_label(judge_span_t s, judge_span_t *label)
{
    *label = judge_span(s.from, judge_span_label(s));

    return label->from < label->to && label->to + 1 < s.to
           && judge_block_title(*label) == JUDGE_TITLE_NONE;
}


/* A label names a criterion; the text describes it, up to a sentence with a
 * label of its own: "Accuracy: no wrong facts. Tone: warm". */

static size_t
judge_block_labelled(judge_prose_t *p, judge_span_t label, judge_span_t rest)
{
    size_t          n;
    judge_cue_t     cue;
    judge_span_t    name, text;
    judge_draft_t  *f;

    for (n = 0; label.from < label.to; n += f != NULL) {
        name = judge_cue_take(label, &cue);
        text = rest;

        do {
            rest.from = text.to = judge_span_sentence(rest);
        } while (rest.from < rest.to
                 && !(judge_block_label(rest, &label)
                      && judge_term_is(label.to, COLON)
                      && judge_span_short(label, MARKS) > 0));

        label.to = (rest.from < rest.to) ? label.to : label.from;
        rest.from = label.to + 1;
        name.to = judge_span_seek(name, OPENED);
        f = judge_draft_add(p, name, JUDGE_FORM_LABELLED, -1);

        if (f != NULL) {
            judge_draft_apply(p, f, &cue);
            judge_clause_statements(p, f, text);
        }
    }

    return n;
}


/* Without a label the first sentence names a criterion, and the others
 * describe it; so it is in "Avoid: jargon" and "30%: clarity". */

static size_t
judge_block_item(judge_prose_t *p, judge_span_t s)
{
    judge_span_t   label;
    judge_term_t  *next;

    if (judge_block_label(s, &label)
        && (s.from->kind != JUDGE_TERM_NUMBER || label.to - s.from > 2))
    {
        return judge_block_labelled(p, label, judge_span(label.to + 1, s.to));
    }

    next = judge_span_sentence(s);

    if (judge_clause_read(p, judge_criteria_items, judge_span(s.from, next))
        == 0 || p->last == NULL)
    {
        return 0;
    }

    judge_clause_statements(p, p->last, judge_span(next, s.to));

    return 1;
}


/* Items that are in order of importance count one less each; a weight above
 * them is divided among those that have none. */

static void
judge_block_items(judge_prose_t *p, judge_block_t *b, judge_block_t *end,
    judge_title_e title, const judge_cue_t *cue)
{
    bool            ranked;
    size_t          first;
    double          n;
    judge_span_t    s;
    judge_draft_t  *f;

    first = p->nfound;
    ranked = p->ranked;

    for ( ; b < end; b++) {
        s = judge_span_trim(b->span);
        p->mood = 1u << title;

        if (s.from >= s.to || (b->kind == JUDGE_BLOCK_ROW
                               && judge_term_is(s.from, COLUMN)))
        {
            continue;
        }

        if (b->child && p->last != NULL) {
            judge_clause_statements(p, p->last, s);

        } else {
            p->sentences++;
            p->unused += judge_block_item(p, s) == 0;
        }
    }

    n = (double) (p->nfound - first);
    p->weighed |= n > 0 && (ranked || cue->how != 0);

    for (f = &p->found[first]; f < p->found + p->nfound; f++) {
        f->factor = ranked ? (double) (p->found + p->nfound - f) : f->factor;

        if (f->share + f->points == 0) {
            f->share = cue->share / n;
            f->points = cue->points / n;
            f->factor = (cue->factor > 0) ? cue->factor : f->factor;
        }
    }

    p->mood = 0;
    p->ranked = false;
}


/* A title with something below it: a section, or a criterion.  The first block
 * behind what was read. */

static judge_block_t *
judge_block_titled(judge_prose_t *p, judge_block_t *b)
{
    judge_cue_t     cue;
    judge_span_t    name;
    judge_title_e   title;
    judge_block_t  *end, *items;

    name = judge_span_trim(b->span);
    title = judge_block_title(name);

    /* "We look at the following, in order of importance:" */
    (void) judge_cue_take(b->span, &cue);
    p->ranked |= judge_cue_is(&cue, RANKED);
    p->weighed |= judge_cue_is(&cue, EQUAL);

    for (items = b + 1; items->kind == JUDGE_BLOCK_ITEM; items++) {
        /* void */
    }

    end = items;

    while (b->kind == JUDGE_BLOCK_HEADING && end->kind != JUDGE_BLOCK_END
           && end->kind != JUDGE_BLOCK_HEADING)
    {
        end++;
    }

    if (title == JUDGE_TITLE_IGNORE || end == b + 1) {
        return end;
    }

    if (title == JUDGE_TITLE_NONE && b[1].kind == JUDGE_BLOCK_PARAGRAPH
        && judge_span_short(name, END) > 0)
    {
        (void) judge_block_labelled(p, name, b[1].span);

        for (b += 2; b < end && p->last != NULL; b++) {
            judge_clause_statements(p, p->last, b->span);
        }

        return end;
    }

    judge_block_items(p, b + 1, items, title, &cue);

    return items;
}


/* A paragraph with a label, which a dash ends only behind a quality. */

static bool
judge_block_paragraph(const judge_block_t *b, judge_span_t *label)
{
    return b->kind == JUDGE_BLOCK_PARAGRAPH
           && judge_block_label(b->span, label)
           && (judge_term_is(label->to, COLON) || label->from->quality >= 0);
}


/* What becomes items: "5 - excellent", "4 - good", ..., which are classes of
 * scores and leave empty ones; paragraphs of a few words each, one below the
 * other: a list without marks; a paragraph with a label that is a quality, or
 * with others above or below. */

static void
judge_block_classify(judge_prose_t *p)
{
    bool            scale;
    size_t          n, known;
    judge_span_t    label;
    judge_block_t  *b;

    for (b = p->blocks; b->kind != JUDGE_BLOCK_END; b++) {
        double  got[4] = { -1, -1, -1, -1 };

        for (n = 0; b[n].kind < JUDGE_BLOCK_HEADING && n < JUDGE_BLOCKS_LINES
             && judge_span_level(b[n].span, got); n++)
        {
            /* void */
        }

        scale = n >= 3;

        if (scale) {
            judge_span_scale(got, p->levels);
        }

        for (n = scale ? n : 0, known = 0; !scale && n < JUDGE_BLOCKS_LINES
             && b[n].kind == JUDGE_BLOCK_PARAGRAPH && (n == 0 || !b[n].gap)
             && judge_span_short(b[n].span, END) > 0; n++)
        {
            known += judge_span_has(b[n].span, TOPIC);
        }

        if (!scale && (n < 2 || known * 2 < n)) {
            n = judge_block_paragraph(b, &label)
                && (judge_span_has(label, TOPIC)
                    || judge_block_paragraph(b + 1, &label)
                    || b[-1].kind == JUDGE_BLOCK_ITEM);
        }

        while (n > 0) {
            n--;
            b[n].kind = JUDGE_BLOCK_ITEM;
            b[n].span.to = scale ? b[n].span.from : b[n].span.to;
        }
    }
}


/* What introduces items ends with a colon or is short.  If nothing is found,
 * every quality that occurs may be meant. */

void
judge_criteria_blocks(judge_prose_t *p)
{
    judge_cue_t     cue = { .how = 0 };
    judge_term_t   *t;
    judge_block_t  *b, *end;

    judge_block_classify(p);

    for (b = p->blocks; b->kind != JUDGE_BLOCK_END; b = end) {
        end = b + 1;

        if (b->kind == JUDGE_BLOCK_HEADING
            || (b->kind == JUDGE_BLOCK_PARAGRAPH
                && end->kind == JUDGE_BLOCK_ITEM
                && (judge_term_is(b->span.to - 1, COLON)
                    || judge_span_short(b->span, END) > 0)))
        {
            end = judge_block_titled(p, b);

        } else if (b->kind == JUDGE_BLOCK_PARAGRAPH) {
            judge_clause_sentences(p, b->span);

        } else {
            while (end->kind == b->kind) {
                end++;
            }

            judge_block_items(p, b, end, JUDGE_TITLE_NONE, &cue);
        }
    }

    t = (p->nfound == 0) ? p->tokens.from : p->tokens.to;

    for ( ; t < p->tokens.to; t += t->span) {
        if (judge_term_quality(t) >= 0) {
            (void) judge_draft_add(p, judge_span(t, t + 1), JUDGE_FORM_GUESSED,
                                   t->quality);
        }
    }
}
