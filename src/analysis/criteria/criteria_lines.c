/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The lines of a description: items of lists, headings, rows of tables,
 * paragraphs of sentences, and what frames a letter.  The cells of a row stand
 * between tabs, "|", semicolons or commas.  The heading of a column says what
 * the column has; without a heading its cells show it.
 */


#include <string.h>

#include "base/text/number.h"
#include "base/text/utf8.h"
#include "analysis/criteria/criteria_parts.h"


#define JUDGE_LINE_WRAPPED   50        /* bytes, as long as a line that goes on
                                          in the next one */
#define JUDGE_LINE_WORD      12        /* bytes that may be left in it */
#define JUDGE_LINE_ITEM      8         /* words of an item without a bullet */
#define JUDGE_LINE_GREETING  6
#define JUDGE_LINES_MAX      1000      /* of a description; the budget */

#define JUDGE_TABLE_COLUMNS  12
#define JUDGE_TABLE_HEADING  4         /* words */

enum { JUDGE_COLUMN_UNKNOWN, JUDGE_COLUMN_NAME, JUDGE_COLUMN_WEIGHT,
       JUDGE_COLUMN_TEXT, JUDGE_COLUMN_NUMBER };

typedef struct {
    judge_str_t  cell[JUDGE_TABLE_COLUMNS];
    size_t       n;
} judge_row_t;

/* The lines; an empty one follows the last of them. */
typedef struct {
    judge_prose_t  *p;
    judge_str_t    *line;
    size_t          n, first;
    size_t          width;             /* bytes of the longest one */
} judge_lines_t;

typedef enum {
    JUDGE_LINE_EMPTY, JUDGE_LINE_TEXT, JUDGE_LINE_BULLET, JUDGE_LINE_HEADING
} judge_line_kind_e;


/* --- Tables -------------------------------------------------------------- */

/* The last cell takes what is beyond the last column. */

static void
judge_row_read(judge_str_t s, char mark, size_t columns, judge_row_t *row)
{
    bool         quoted = false;
    const char  *p, *from;

    s = (mark == '|') ? judge_str_trim(s, "| \t\r") : s;   /* at its ends */

    for (row->n = 0, p = from = s.data; p <= judge_end(s); p++) {
        quoted ^= p < judge_end(s) && *p == '"';

        if (p == judge_end(s)
            || (!quoted && *p == mark && row->n + 1 < columns))
        {
            row->cell[row->n++] = judge_str_trim(judge_words_span(from, p),
                                                 " \t\r*_");
            from = p + 1;
        }
    }
}


/* What the columns have; returns how many headings say so.  *heads, *rows:
 * whether there is a weight. */

static size_t
judge_table_columns(judge_prose_t *p, const judge_row_t *head,
    const judge_row_t *first, unsigned *roles, bool *heads, bool *rows)
{
    bool           weight;
    size_t         i, named;
    judge_str_t    word;
    judge_weigh_t  w;

    for (i = named = *heads = *rows = 0; i < head->n; i++) {
        weight = judge_weigh_cell(p, head->cell[i], &w);
        *heads |= weight;
        word = judge_opening(p, head->cell[i], COLUMN);
        roles[i] = JUDGE_COLUMN_UNKNOWN;

        if (word.data != NULL
            && judge_words_count(p, head->cell[i]) <= JUDGE_TABLE_HEADING
            && !weight)
        {
            roles[i] = (unsigned) judge_value(p, word, COLUMN);
            named++;
        }

        if (judge_weigh_cell(p, first->cell[i], &w)) {
            roles[i] = roles[i] ? roles[i] : JUDGE_COLUMN_WEIGHT;
            *rows = true;
        }
    }

    return named;
}


static void
judge_table_row(judge_prose_t *p, const judge_row_t *row,
    const unsigned *roles)
{
    size_t         i, name;
    judge_buf_t    text;
    judge_str_t    s;
    judge_weigh_t  cell, w = { .share = 0 };

    for (i = 0, name = row->n; i < row->n; i++) {
        if ((roles[i] == JUDGE_COLUMN_NAME
             && (name == row->n || roles[name] != JUDGE_COLUMN_NAME))
            || (roles[i] % JUDGE_COLUMN_TEXT == 0 && name == row->n))
        {
            name = i;
        }
    }

    if (name == row->n || judge_begins(p, row->cell[name], TOTAL)
        || judge_words_count(p, row->cell[name]) == 0)
    {
        return;
    }

    judge_buf_init(&text, p->arena);

    for (i = 0; i < row->n; i++) {
        s = judge_str_trim(row->cell[i], "\"");

        if (roles[i] == JUDGE_COLUMN_WEIGHT && judge_weigh_cell(p, s, &cell)) {
            w = cell;

        } else if (roles[i] != JUDGE_COLUMN_NUMBER
                   && judge_words_count(p, s) > 0
                   && (i != name || judge_has(p, s, NOT)))
        {
            judge_buf_c(&text, text.len ? "; " : "");
            judge_buf_str(&text, s);
        }
    }

    s = judge_str_trim(row->cell[name], "\"");

    (void) judge_draft_put(p, s, text.len ? judge_buf_view(&text) : s, &w);
}


/* How many of the lines are a table, whose rows become criteria; 0: there is
 * none. */

static size_t
judge_rows_read(judge_prose_t *p, const judge_str_t *line, size_t n)
{
    bool         head = false, heads, rows;
    size_t       i, next, named;
    unsigned     roles[JUDGE_TABLE_COLUMNS] = { 0 };
    judge_row_t  first, row;
    const char  *mark;

    for (next = 1; next < n && next < 3 && line[next].len > 0
         && judge_words_count(p, line[next]) == 0; next++)
    { /* void: "|---|---|" */ }

    for (mark = "\t|;,"; *mark && next < n; mark++) {
        judge_row_read(line[0], *mark, JUDGE_TABLE_COLUMNS, &first);
        judge_row_read(line[next], *mark, first.n, &row);

        if (first.n < 2 || row.n != first.n) {
            continue;
        }

        named = judge_table_columns(p, &first, &row, roles, &heads, &rows);
        head = next > 1 || named == first.n
               || (!heads && rows)
               || (named > 0 && (*mark == '|' || *mark == '\t'));

        if (head || heads || *mark == '|' || *mark == '\t') {
            break;
        }
    }

    if (next >= n || *mark == '\0') {
        return 0;
    }

    for (i = head ? next : 0; i < n; i++) {
        judge_row_read(line[i], *mark, first.n, &row);

        if (row.n < 2) {
            break;
        }

        judge_table_row(p, &row, roles);
    }

    return i;
}


/* --- Lines --------------------------------------------------------------- */

/* *at, which may be NULL: without its bullet or number. */

static judge_line_kind_e
judge_line_read(const judge_lines_t *lines, size_t i, judge_str_t *at)
{
    judge_str_t  bullet, none, s = judge_str_trim(lines->line[i], " \t\r");

    at = at ? at : &none;

    bullet = judge_match(lines->p, s, BULLET);
    *at = bullet.data ? judge_after(s, bullet) : s;

    return (judge_words_count(lines->p, *at) == 0) ? JUDGE_LINE_EMPTY
           : (bullet.data == NULL) ? JUDGE_LINE_TEXT
           : (*s.data == '#') ? JUDGE_LINE_HEADING : JUDGE_LINE_BULLET;
}


#define judge_line_kind(lines, i)  judge_line_read(lines, i, NULL)


static bool
judge_line_ends(judge_str_t s, const char *marks)
{
    s = judge_str_trim(s, " \t\r*_");

    return s.len > 0 && strchr(marks, s.data[s.len - 1]) != NULL;
}


static bool
judge_line_short(const judge_lines_t *lines, size_t i)
{
    return judge_line_kind(lines, i) == JUDGE_LINE_TEXT
           && judge_words_count(lines->p, lines->line[i]) <= JUDGE_LINE_ITEM
           && !judge_line_ends(lines->line[i], ".!?:");
}


static size_t
judge_line_after(const judge_lines_t *lines, size_t i)
{
    while (++i < lines->n && judge_line_kind(lines, i) == JUDGE_LINE_EMPTY) {
        /* void */
    }

    return i;
}


static void
judge_line_sentences(judge_prose_t *p, judge_str_t s, bool more)
{
    judge_str_t  stop, rest;

    for (/* void */; s.len > 0 && !p->failed; s = rest) {
        stop = judge_match(p, s, STOP);
        rest = stop.data ? judge_after(s, stop) : JUDGE_STR("");

        if (judge_value_at(p, s, TIED) == 8
            && judge_value_at(p, rest, TIED) == 7)
        {                              /* "Otherwise" belongs to the "if" */
            stop = judge_match(p, rest, STOP);
            rest = stop.data ? judge_after(rest, stop) : JUDGE_STR("");
        }

        judge_clause_sentence(p, stop.data
                              ? judge_through(s, stop) : s,
                              more || judge_words_count(p,
                                  judge_utf8_prefix(rest, JUDGE_LINE_WRAPPED))
                              > 0);
    }
}


/* "Dear all," and "Hi Ann! How are you?"; what asks for something is none. */

static void
judge_line_greeting(judge_prose_t *p, judge_str_t *line)
{
    size_t  n;

    if (!judge_begins(p, *line, HELLO)
        && !(judge_line_ends(*line, ",") && line[1].len < 2
             && judge_words_count(p, *line) <= JUDGE_TABLE_HEADING))
    {
        return;
    }

    p->letter = p->opens = p->mail = true;

    if (judge_words_count(p, *line) <= JUDGE_LINE_GREETING
        && !judge_has(p, *line, MODAL) && !judge_has(p, *line, NOT))
    {
        line->len = 0;
        return;
    }

    for (n = 0; n < line->len && strchr(",:!;-\t", line->data[n]) == NULL;
         n++) { /* void */ }

    if (n < line->len && judge_words_count(p, (judge_str_t) { n, line->data })
                         <= JUDGE_LINE_GREETING)
    {
        *line = judge_str_from(*line, n + 1);
    }
}


/* "Kind regards," with the names behind it. */

static bool
judge_line_closing(const judge_lines_t *lines, size_t i)
{
    size_t  k;

    if (i == 0
        || judge_words_count(lines->p, lines->line[i]) > JUDGE_LINE_ITEM
        || !(judge_begins(lines->p, lines->line[i], REGARDS)
             || (judge_line_ends(lines->line[i], ",") && i + 2 == lines->n)))
    {
        return false;
    }

    for (k = i + 1; k < lines->n && k < i + JUDGE_LINE_ITEM
         && judge_line_kind(lines, k) <= JUDGE_LINE_TEXT
         && judge_words_count(lines->p, lines->line[k]) <= JUDGE_LINE_ITEM;
         k++) { /* void */ }

    return k == lines->n;
}


/* What belongs to the line: lines that go on, or that are below an item. */

static size_t
judge_line_extend(const judge_lines_t *lines, size_t i)
{
    size_t         k;
    bool           inner, wraps;
    judge_weigh_t  w;

    for (k = i + 1; k < lines->n; k++) {
        wraps = lines->line[k - 1].len >= JUDGE_LINE_WRAPPED
                && lines->line[k - 1].len + JUDGE_LINE_WORD >= lines->width
                && !judge_line_ends(lines->line[k - 1], ".!?:)")
                && !(memchr(lines->line[k - 1].data, ':',
                            lines->line[k - 1].len)
                     && judge_match(lines->p, judge_through(
                            lines->line[k - 1], lines->line[k]), LABELS).data
                        == judge_end(lines->line[k - 1]))
                && !judge_weigh_read(lines->p, lines->line[k - 1], false, &w);
        inner = lines->line[k].len > 0 && *lines->line[k].data == ' '
                && *lines->line[i].data != ' ';

        if (judge_line_kind(lines, k) != JUDGE_LINE_TEXT
            || !(inner || wraps))
        {
            break;
        }
    }

    return k;
}


/* Whether the line is the title, or the heading of the items below it. */

static bool
judge_line_heads(const judge_lines_t *lines, size_t i)
{
    size_t             k;
    bool               items;
    judge_str_t        s = judge_str_trim(lines->line[i], " \t\r");
    judge_weigh_t      w;
    judge_line_kind_e  kind = judge_line_kind(lines, i);

    if (kind != JUDGE_LINE_TEXT && kind != JUDGE_LINE_HEADING) {
        return false;
    }

    k = judge_line_after(lines, i);
    items = k < lines->n && judge_line_kind(lines, k) == JUDGE_LINE_BULLET;

    if (i == lines->first && !judge_line_ends(s, "!?:;,")
        && (judge_line_ends(s, ".")
            ? items && !judge_has(lines->p, s, IS)
            : items || lines->p->total > 0
              || (k > i + 1 && judge_line_after(lines, k) == k + 1
                  && k + 1 < lines->n))
        && !judge_has(lines->p, s, MODAL) && !judge_has(lines->p, s, NOT)
        && !(lines->p->total > 0 && judge_weigh_read(lines->p, s, true, &w)
             && w.points < lines->p->total))
    {
        return true;
    }

    return judge_line_ends(s, ":")
           ? items || (k < lines->n && judge_words_count(lines->p,
                                           lines->line[k]) <= JUDGE_LINE_ITEM)
           : items && (kind == JUDGE_LINE_HEADING
                       || (k == i + 1 && judge_line_short(lines, i)));
}


/* A paragraph; or a line beside other short ones is an item.  "# Tone" has the
 * paragraph below it. */

static size_t
judge_line_text(const judge_lines_t *lines, size_t i, judge_str_t s)
{
    size_t          k, below = judge_line_after(lines, i);
    judge_weigh_t   w;
    judge_prose_t  *p = lines->p;

    if (judge_line_kind(lines, i) == JUDGE_LINE_HEADING) {
        for (k = below; k < lines->n
             && judge_line_kind(lines, k) <= JUDGE_LINE_TEXT; k++)
        { /* void */ }

        if (judge_has(p, s, JUDGE) || judge_has(p, s, ABOUT)) {
            k = below;

        } else if (k > below) {
            s = judge_words_trim(p, s);
            s = judge_weigh_read(p, s, false, &w) ? judge_before(s, w.at) : s;
            (void) judge_draft_put(p, s, judge_words_trim(p, judge_words_span(
                                             lines->line[below].data,
                                             judge_end(lines->line[k - 1]))),
                                   &w);
        }

        return (k > below) ? k : i + 1;
    }

    k = judge_line_extend(lines, i);
    s = judge_through(s, lines->line[k - 1]);

    below = judge_line_after(lines, k - 1);
    p->letter |= p->nfound > 0 && i > 1    /* the last paragraph */
                 && (p->mail || judge_line_short(lines, i - 2)
                     || judge_line_kind(lines, i - 2) == JUDGE_LINE_BULLET)
                 && (below == lines->n || judge_line_closing(lines, below))
                 && judge_line_kind(lines, i - 1) == JUDGE_LINE_EMPTY
                 && !judge_line_ends(lines->line[i - 2], ":");

    if ((p->total > 0 && judge_weigh_read(p, s, true, &w))
        || (k == i + 1 && judge_line_short(lines, i)
            && judge_words_count(p, s) > 1
            && (judge_line_short(lines, i + 1)
                || (i > 0 && judge_line_short(lines, i - 1)))
            && memchr(s.data, ',', s.len) == NULL
            && memchr(s.data, ':', s.len) == NULL))
    {
        if (below == lines->n && judge_clause_note(p, s, s)) {
            judge_criteria_say(p, true, JUDGE_SAY_PASSED_OVER, s);
        } else {
            judge_list_put(p, JUDGE_STR(""), s, false);
        }

    } else {
        judge_line_sentences(p, s, below < lines->n);
    }

    return k;
}


/* One line with what belongs to it; returns the next one. */

static size_t
judge_line_take(const judge_lines_t *lines, size_t i)
{
    size_t              k;
    judge_str_t         s, before;
    judge_weigh_t       w;
    judge_line_kind_e   kind = judge_line_read(lines, i, &s);

    if (kind == JUDGE_LINE_EMPTY) {
        return i + 1;
    }

    k = judge_rows_read(lines->p, &lines->line[i], lines->n - i);

    if (k > 0) {
        lines->p->group = JUDGE_STR("");
        return i + k;
    }

    if (kind == JUDGE_LINE_BULLET) {
        k = judge_line_extend(lines, i);
        s = judge_through(s, lines->line[k - 1]);
        before = judge_through(lines->line[i], s);

        if (*before.data == '(' && judge_weigh_read(lines->p, before, true, &w)
            && !judge_like(lines->p, lines->p->request->description, FIRST))
        {                              /* "(10) warm"; "(1)" is a number */
            (void) judge_draft_add(lines->p, JUDGE_STR(""), before, &w);
        } else {
            judge_list_put(lines->p, JUDGE_STR(""), s, false);
        }

        return k;
    }

    if (judge_line_heads(lines, i)) {
        before = judge_match(lines->p, s, BEFORE);
        judge_line_sentences(lines->p, before, true);
        s = before.data ? judge_after(s, before) : s;
        s = judge_words_trim(lines->p, s);     /* a no holds for each item */
        lines->p->group = judge_has(lines->p, s, NOT) ? s : JUDGE_STR("");
        return i + 1;
    }

    if (!judge_line_short(lines, i)) { /* else it may be one of the items */
        lines->p->group = JUDGE_STR("");
    }

    return judge_line_text(lines, i, s);
}


/* Numbers that end lines are weights where they add up to a hundred, or to
 * what the first line or that of the sum says; returns this, or 0. */

static double
judge_lines_total(const judge_lines_t *lines)
{
    size_t          i, n = 0;
    double          sum = 0, total = 100;
    judge_str_t     s, number;
    judge_prose_t  *p = lines->p;
    judge_weigh_t   w;

    for (i = lines->first; i < lines->n; i++) {
        s = lines->line[i];

        if (!judge_line_ends(s, "0123456789")
            || !judge_weigh_read(p, s, true, &w) || w.points == 0 || w.first)
        {
            continue;
        }

        if (judge_begins(p, s, TOTAL)) {
            total = w.points;
        } else if (i > lines->first || w.points < total) {
            sum += w.points;           /* the title may end with a year */
            n++;
        }
    }

    for (s = lines->line[lines->first]; sum != total
         && (number = judge_match(p, s, WORD)).data != NULL;
         s = judge_after(s, number))
    {
        (void) judge_number_parse(number, &total);
    }

    return (n > 2 && sum == total) ? total : 0;
}


void
judge_criteria_lines(judge_prose_t *p, judge_str_t text)
{
    bool           items = false;
    size_t         i;
    const char    *end = judge_end(text), *next;
    judge_str_t    line, cut;
    judge_lines_t  lines = { .p = p };

    lines.line = judge_array_alloc(p->arena, JUDGE_LINES_MAX + 2,
                                   sizeof(judge_str_t));

    if (lines.line == NULL) {
        p->failed = true;
        return;
    }

    for (/* void */; text.len > 0 && lines.n < JUDGE_LINES_MAX;
         text = judge_words_span(judge_end(cut), end))
    {
        next = memchr(text.data, '\n', text.len);
        line = judge_words_span(text.data, next ? next : end);
        cut = items ? judge_match(p, line, ITEM) : judge_match(p, line, ITEMS);
        items = cut.data != NULL;      /* "1. warm 2. short" */
        cut = items ? cut : (judge_str_t) { 1, judge_end(line) };
        line = judge_before(line, cut);
        lines.line[lines.n++] = line;
        lines.width = (line.len > lines.width) ? line.len : lines.width;
    }

    i = judge_line_after(&lines, (size_t) -1);

    if (judge_like(p, lines.line[i], SUBJECT)) {
        judge_criteria_say(p, false, JUDGE_SAY_PASSED_OVER, lines.line[i]);
        i = judge_line_after(&lines, i);
    }

    judge_line_greeting(p, &lines.line[i]);
    lines.first = judge_line_after(&lines, i - 1);
    p->total = judge_lines_total(&lines);

    while (i < lines.n && !p->failed && p->nfound < JUDGE_CRITERIA_FOUND
           && !judge_line_closing(&lines, i))
    {
        i = judge_line_take(&lines, i);
    }

    if (p->nfound == JUDGE_CRITERIA_FOUND || text.len > 0) {
        p->lost++;
        judge_criteria_say(p, false, JUDGE_SAY_LEFT_OUT, judge_words_trim(p,
                           (i < lines.n) ? lines.line[i]
                           : judge_utf8_prefix(text, JUDGE_LINE_WRAPPED)));
    }
}
