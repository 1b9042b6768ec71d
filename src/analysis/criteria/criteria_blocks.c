/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The text of a description as tokens and blocks: paragraphs, items of lists,
 * headings, rows of tables; and the criteria that these mark.
 */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/ascii.h"
#include "base/text/regex.h"
#include "analysis/text/char.h"
#include "analysis/criteria/criteria_grammar.h"


#define JUDGE_BLOCKS_LINES   40        /* of a list without marks */
#define JUDGE_BLOCKS_OPEN    5         /* words before "should" */

/* Tokens, each a group.  An apostrophe or a hyphen joins letters to one word,
 * and so does the point of "e.g."; "l'accroche" and "qu'il" are two words, and
 * "x3" is "times three".  A quotation can only be an example.  "300-500" has a
 * hyphen, "Tone - friendly" a dash.  Behind bold type at the beginning of a
 * line there is a colon.  What begins a line tells its block. */

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
    "    | ( • | [-*+–—] [\\ \\t] | \\[ [\\ xX]? \\] [\\ \\t]"
    "      | \\(? (?: [0-9]{1,4} | [ivx]{1,4} | [a-z] ) [.)] [\\ \\t] )"
    "    | ( [#]+ \\  ) | ( \\| ) )? ( \\*\\* | __ )?"
    "| . )";

/* Behind words, numbers and quotations; from the rule on they begin a line,
 * from the item on a block, in that order; the rest: marks, or bold type. */
enum {
    JUDGE_BLOCKS_DASH = JUDGE_TERM_MARK, JUDGE_BLOCKS_BOLD, JUDGE_BLOCKS_BLANK,
    JUDGE_BLOCKS_RULE, JUDGE_BLOCKS_COLUMNS, JUDGE_BLOCKS_ITEM,
    JUDGE_BLOCKS_HEADING, JUDGE_BLOCKS_ROW, JUDGE_BLOCKS_REST
};


/* "1,000" is a thousand, "0,3" three tenths. */

static double
judge_block_number(judge_str_t s)
{
    double  n, part;

    for (n = part = 0; s.len > 0 && n < 1e15; s = judge_str_from(s, 1)) {
        if (*s.data >= '0' && *s.data <= '9') {
            n = n * 10 + *s.data - '0';
            part *= 10;

        } else if (*s.data == '.' || strspn(s.data + 1, "0123456789") != 3) {
            part = 1;
        }
    }

    return n / fmax(part, 1);
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


/* What begins with a new line.  Above a line that divides the text a short one
 * is a heading, and a row of a table names its columns. */

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

    last->span.to = (kind == JUDGE_BLOCKS_COLUMNS) ? last->span.from
                                                   : last->span.to;
    line.kind += (kind >= JUDGE_BLOCKS_ITEM && kind <= JUDGE_BLOCKS_ROW)
                 ? kind - JUDGE_BLOCKS_ITEM + 1 : 0;

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

        } else if (n == 1) {
            first = p;
            next = 2;
            mark = *end;

        } else if (n == next && *end == mark
                   && (*p != '(' || p[-1] == '\n' || strchr(",;:.?!", p[-2])
                       || p[-4] == ' ' || p[-5] == ' '))
        {
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


/* "Facts: right. Tone: warm." in prose: a label behind or before one, or of a
 * quality; not "Judge the following: ...". */

static bool
judge_block_labels(judge_span_t s, bool labelled, judge_span_t *label)
{
    judge_cue_t   cue;
    judge_span_t  next = judge_span(judge_span_sentence(s), s.to);

    return judge_block_label(s, label) && judge_term_is(label->to, COLON)
           && judge_span_short(*label, MARKS) > 0
           && (labelled
               || ((judge_span_has(*label, TOPIC)
                    || (judge_block_label(next, &next)
                        && judge_term_is(next.to, COLON)))
                   && !judge_span_has(*label, LEAD)
                   && !judge_span_has(*label, MODAL)
                   && !judge_span_generic(judge_cue_take(*label, &cue))
                   && judge_span_match(label->from, label->to, ORDINAL) == 0));
}


/* Where a requirement ends that is followed by one with a subject of its own:
 * "the title must be short, and the intro should surprise". */

static judge_term_t *
judge_block_end(const judge_prose_t *p, judge_span_t s, judge_term_t **next)
{
    judge_span_t   left, near;
    judge_term_t  *modal, *end, *begin;

    for (left = s; left.from < s.to; left.from = begin) {
        end = judge_span_member(p, left, &begin);
        near = judge_span_near(judge_span(begin, s.to), JUDGE_BLOCKS_OPEN);
        modal = judge_span_seek(near, MODAL);

        /* "a thesis, which must be clear" */
        if (modal > begin + judge_term_is(begin, WHICH) && modal < near.to
            && !judge_span_has(judge_span(begin, modal), DIVIDER)
            && judge_span_has(judge_span(s.from, end), MODAL))
        {
            *next = begin;
            return end;
        }
    }

    return s.to;
}


static void
judge_block_sentences(judge_prose_t *p, judge_span_t whole)
{
    judge_span_t   s, rest;
    judge_term_t  *next;

    for (s = whole; s.from < whole.to; s = judge_span(next, whole.to)) {
        next = s.to = judge_span_sentence(s);
        p->mood = 0;
        s.to = judge_block_end(p, s, &next);
        s = judge_span_trim(s);

        if (s.from >= s.to) {
            continue;
        }

        p->sentences++;
        rest = judge_span_examples(NULL, s);

        if (rest.from >= rest.to) {
            /* an example of the last criterion */
            (void) judge_span_examples(p->last, s);

        } else if (!judge_span_levels(s, p->levels)) {
            p->unused += judge_clause_read(p, judge_criteria_clauses, s) == 0;
        }
    }

    p->mood = 0;
}


/* A label names what the text up to the next describes; else it is prose. */

static size_t
judge_block_labelled(judge_prose_t *p, judge_span_t label, judge_span_t rest)
{
    bool            labelled;
    size_t          n;
    judge_cue_t     cue;
    judge_span_t    name, text;
    judge_draft_t  *f;

    for (n = 0; rest.from < rest.to || label.from < label.to; ) {
        name = judge_cue_take(label, &cue);
        text = rest;
        labelled = label.from < label.to;

        do {
            rest.from = text.to = judge_span_sentence(rest);
        } while (rest.from < rest.to
                 && !judge_block_labels(rest, labelled, &label));

        label.to = (rest.from < rest.to) ? label.to : label.from;
        rest.from = (rest.from < rest.to) ? label.to + 1 : rest.to;
        name.to = judge_span_seek(name, OPENED);

        if (labelled) {
            f = judge_draft_add(p, name, JUDGE_FORM_LABELLED, -1);
            judge_draft_apply(p, f, &cue);
            judge_clause_statements(p, f, text);
            n += f != NULL;

        } else {
            judge_block_sentences(p, text);
        }
    }

    return n;
}


/* Without a label, as in "Avoid: jargon", the first sentence names it. */

static size_t
judge_block_item(judge_prose_t *p, judge_span_t s)
{
    size_t         n;
    judge_span_t   label;
    judge_term_t  *next;

    if (judge_block_label(s, &label)
        && (s.from->kind != JUDGE_TERM_NUMBER || label.to - s.from > 2))
    {
        return judge_block_labelled(p, label, judge_span(label.to + 1, s.to));
    }

    next = judge_span_sentence(s);

    n = judge_clause_read(p, judge_criteria_items, judge_span(s.from, next));

    next = (n > 0) ? next : s.to;
    judge_clause_statements(p, p->last, judge_span(next, s.to));

    return n;
}


/* Those in order count one less each; those without a weight share `cue`. */

static void
judge_block_items(judge_prose_t *p, judge_block_t *b, judge_block_t *end,
    judge_title_e title, const judge_cue_t *cue)
{
    size_t          first = p->nfound;
    double          n;
    judge_span_t    s;
    judge_draft_t  *f;
    const bool      ranked = p->ranked;

    for ( ; b < end; b++) {
        s = judge_span_strip(judge_span_trim(b->span), NONE, ANDS);
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


/* A title of a section, or a criterion.  The first block not read with it. */

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
    items = b + 1;

    while (items->kind == JUDGE_BLOCK_ITEM) {
        items++;
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

        for (b += 2; b < end; b++) {
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
           && (judge_term_is(label->to, COLON) || label->from->quality >= 0
               || b[-1].kind == JUDGE_BLOCK_ITEM);
}


/* What becomes items: classes of scores, which leave empty ones; paragraphs of
 * a few words; one with a label that is a quality, or beside others. */

static void
judge_block_classify(judge_prose_t *p)
{
    bool            scale;
    size_t          n, known;
    judge_cue_t     cue;
    judge_span_t    label;
    judge_block_t  *b;

    for (b = p->blocks; b->kind != JUDGE_BLOCK_END; b++) {
        double  got[4] = { -1, -1, -1, -1 };

        for (n = 0; b[n].kind < JUDGE_BLOCK_HEADING && n < JUDGE_BLOCKS_LINES
             && judge_span_level(b[n].span, got); n++)
        {
            /* void */
        }

        scale = n >= 3 && judge_span_scale(got, p->levels);

        for (n = scale ? n : 0, known = 0; !scale && n < JUDGE_BLOCKS_LINES
             && b[n].kind == JUDGE_BLOCK_PARAGRAPH && (n == 0 || !b[n].gap)
             && judge_span_short(b[n].span, END) > 0
             && !(n == 0 && judge_span_has(b->span, JUDGE)); n++)
        {
            cue.points = cue.share = 0;
            known += judge_span_has(b[n].span, TOPIC)
                     || (judge_cue_next(b[n].span, &cue)
                         && cue.points + cue.share > 0);
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


/* If nothing is found, every quality that occurs may be meant. */

void
judge_criteria_blocks(judge_prose_t *p)
{
    judge_cue_t     cue = { .how = 0 };
    judge_span_t    none;
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
            none.from = none.to = b->span.from;
            (void) judge_block_labelled(p, none, b->span);

        } else {
            while (end->kind == b->kind) {
                end++;
            }

            judge_block_items(p, b, end, JUDGE_TITLE_NONE, &cue);
        }
    }

    t = (p->nfound == 0) ? p->tokens.from : p->tokens.to;

    for (none.to = none.from = t; t < p->tokens.to; t += t->span) {
        if (judge_term_quality(t) >= 0) {
            (void) judge_draft_add(p, none, JUDGE_FORM_GUESSED, t->quality);
        }
    }
}
