/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Which column holds which field.  A column's name and its values each give
 * a score from 0 to 1 for every field; the best pair is taken first.
 */


#include <math.h>
#include <string.h>

#include "base/text/utf8.h"
#include "analysis/columns/columns_table.h"


#define JUDGE_MAP_NAME     0.65        /* the weight of the name */
#define JUDGE_MAP_LONGEST  0.5         /* the longest text for a content */
#define JUDGE_MAP_SAMPLES  5
#define JUDGE_MAP_SAMPLE   200         /* bytes */

/* What the steps share.  A score is that of a column for a field, 0 below the
 * threshold; a field is negative until the column has one. */

typedef struct {
    const judge_table_t            *table;
    const judge_columns_request_t  *request;
    judge_notes_t                  *issues;
    double                        (*scores)[JUDGE_COLUMN_FIELDS];
    int                            *fields;
    double                         *confidence;
} judge_map_t;


/* --- By the values ----------------------------------------------------- */


/* Each value once, none missing, no spaces. */

static double
judge_map_as_id(const judge_column_stat_t *c)
{
    double  tokens, distinct, score;

    if (c->type != JUDGE_TYPE_INTEGER && c->type != JUDGE_TYPE_TEXT
        && c->type != JUDGE_TYPE_URL && c->type != JUDGE_TYPE_EMAIL
        && c->type != JUDGE_TYPE_CATEGORY && c->type != JUDGE_TYPE_JSON)
    {
        return 0;
    }

    tokens = judge_column_share(c, c->tokens);
    distinct = judge_column_share(c, c->distinct);

    if (c->type == JUDGE_TYPE_INTEGER) {
        score = 0.95;

    } else if (c->type == JUDGE_TYPE_TEXT && tokens >= 0.95) {
        score = (judge_column_share(c, c->digits) >= 0.8) ? 1 : 0.4;

    } else {
        score = (c->type == JUDGE_TYPE_URL) ? 0.3 : 0.1;
    }

    if (distinct < 0.999) {
        score *= (distinct >= 0.9) ? 0.6 : 0.15;
    }

    return score * (1 - 0.5 * (double) c->empty
                        / (double) (c->filled + c->empty));
}


static double
judge_map_as_category(const judge_column_stat_t *c)
{
    double  words;

    words = judge_column_share(c, c->words);

    switch (c->type) {
    case JUDGE_TYPE_CATEGORY:
        return 1;
    case JUDGE_TYPE_BOOLEAN: case JUDGE_TYPE_INTEGER:
        return (c->distinct * 3 <= c->filled * 2) ? 0.4 : 0.05;
    case JUDGE_TYPE_TEXT:
        return (judge_column_share(c, c->lists) >= 0.5) ? 0.7
               : (words <= 2.5) ? 0.6 : (words <= 4) ? 0.35 : 0.1;
    default:
        return 0;
    }
}


static double
judge_map_as_title(const judge_column_stat_t *c)
{
    double  words;

    words = judge_column_share(c, c->words);

    switch (c->type) {
    case JUDGE_TYPE_TEXT:
        return ((words >= 2) ? 0.9 : 0.5)
               * (0.4 + 0.6 * judge_column_share(c, c->distinct));
    case JUDGE_TYPE_CATEGORY:
        return 0.35;
    case JUDGE_TYPE_LONG_TEXT:
        return (words <= 18 && c->longest <= 200) ? 0.6 : 0.15;
    default:
        return 0.02;
    }
}


static double
judge_map_value_score(const judge_column_stat_t *c,
    judge_column_field_e field)
{
    double  words;

    words = judge_column_share(c, c->words);

    switch (field) {

    case JUDGE_COLUMN_CONTENT:
        return (c->type == JUDGE_TYPE_LONG_TEXT) ? 1
               : (c->type == JUDGE_TYPE_TEXT)
                 ? ((words >= 6) ? 0.8 : (words >= 3) ? 0.5 : 0.25)
               : (c->type == JUDGE_TYPE_JSON) ? 0.25
               : (c->type == JUDGE_TYPE_CATEGORY) ? 0.15
               : (c->type == JUDGE_TYPE_URL) ? 0.1 : 0;

    case JUDGE_COLUMN_TITLE:
        return judge_map_as_title(c);

    case JUDGE_COLUMN_DESCRIPTION:
        return (c->type == JUDGE_TYPE_TEXT) ? ((words >= 4) ? 0.85 : 0.4)
               : (c->type == JUDGE_TYPE_LONG_TEXT)
                 ? ((words <= 60) ? 0.85 : 0.65)
               : (c->type == JUDGE_TYPE_CATEGORY) ? 0.25 : 0;

    case JUDGE_COLUMN_CATEGORY:
        return judge_map_as_category(c);

    case JUDGE_COLUMN_ID:
        return judge_map_as_id(c);

    default:
        return (c->type == JUDGE_TYPE_JSON) ? 1 : 0.3;
    }
}


/* --- Both -------------------------------------------------------------- */


static bool
judge_map_longest(const judge_table_t *t, size_t i)
{
    size_t  k;

    for (k = 0; k < t->ncolumns; k++) {
        if (judge_column_share(&t->columns[k], t->columns[k].bytes)
            > judge_column_share(&t->columns[i], t->columns[i].bytes))
        {
            return false;
        }
    }

    return true;
}


static double
judge_map_score(const judge_table_t *t, size_t i, judge_column_field_e field)
{
    double                      name, value, score;
    const judge_column_stat_t  *column;

    column = &t->columns[i];
    name = 0;

    if (column->named) {
        name = judge_column_named(column->name, field);
    }

    if (t->nrows == 0) {
        return 0.8 * name;             /* the name is all there is */
    }

    if (column->type == JUDGE_TYPE_EMPTY) {
        return 0.3 * name;
    }

    value = judge_map_value_score(column, field);

    if (name > 0) {
        score = JUDGE_MAP_NAME * name + (1 - JUDGE_MAP_NAME) * value;
        score *= (value < 0.1) ? 0.35 : 1;

    } else if (column->named) {
        /* another name is evidence against the field */
        score = (judge_column_about(column->name) ? 0.3 : 0.55) * value;

        if (field == JUDGE_COLUMN_CONTENT && judge_map_longest(t, i)) {
            score += 0.1;
        }

        /* numbers that happen to differ are seldom identifiers */

        if (field == JUDGE_COLUMN_ID && i > 0) {
            score *= 0.6;
        }

    } else {
        score = 0.7 * value;

        if ((field == JUDGE_COLUMN_CONTENT && judge_map_longest(t, i))
            || (field == JUDGE_COLUMN_ID && i == 0))
        {
            score += 0.1;
        }
    }

    /* a few rows prove little */

    return score * ((t->nrows < 3) ? 0.92 : 1);
}


static double
judge_map_metadata(const judge_table_t *t, size_t i)
{
    double                      score;
    const judge_column_stat_t  *column;

    column = &t->columns[i];
    score = judge_map_score(t, i, JUDGE_COLUMN_METADATA);

    if (column->type == JUDGE_TYPE_EMPTY && t->nrows > 0) {
        return score;
    }

    if (!column->named) {
        return (score > 0.35) ? score : 0.35;
    }

    if (judge_column_about(column->name)) {
        return (score > 0.75) ? score : 0.75;
    }

    return (score > 0.55) ? score
           : (column->type == JUDGE_TYPE_LONG_TEXT) ? 0.4 : 0.55;
}


/* The best pair that is left; ncolumns: there is none. */

static size_t
judge_map_best(const judge_map_t *m, unsigned left, int *best_field)
{
    int     field;
    size_t  i, best;
    double  top;

    top = 0;
    best = m->table->ncolumns;
    *best_field = 0;

    for (field = 0; field < JUDGE_COLUMN_FIELDS; field++) {
        for (i = 0; (left & (1u << field)) != 0 && i < m->table->ncolumns;
             i++)
        {
            if (m->fields[i] < 0 && m->scores[i][field] > top + 1e-9) {
                top = m->scores[i][field];
                best = i;
                *best_field = field;
            }
        }
    }

    return best;
}


/* Another column that is about as good for the field. */

static size_t
judge_map_second(const judge_map_t *m, size_t best, int field)
{
    size_t  i;
    double  score;

    for (i = 0; i < m->table->ncolumns; i++) {
        score = m->scores[i][field];

        if (i != best && m->fields[i] < 0 && score >= 0.6
            && score >= 0.93 * m->scores[best][field])
        {
            break;
        }
    }

    return i;
}


static const char *
judge_map_quoted(const judge_map_t *m, size_t i)
{
    return judge_notes_quote(m->table->arena, m->table->columns[i].name).data;
}


/*
 * The best pairs first; each field but metadata once.  A second column that
 * is as good makes the choice doubtful, and an issue says so.
 */

static void
judge_map_assign(judge_map_t *m)
{
    int       field;
    size_t    best, second;
    unsigned  left;

    left = m->request->expected & ~(1u << JUDGE_COLUMN_METADATA);

    while (left != 0) {
        best = judge_map_best(m, left, &field);

        if (best == m->table->ncolumns) {
            return;
        }

        second = judge_map_second(m, best, field);
        m->fields[best] = field;
        m->confidence[best] = m->scores[best][field];
        left &= ~(1u << field);

        if (second < m->table->ncolumns) {
            m->confidence[best] = fmax(m->confidence[best] * 0.85,
                                       m->request->confidence_threshold);
            judge_notes_add(m->issues, "Columns \"%s\" and \"%s\" could both "
                            "be the %s; the first was taken.",
                            judge_map_quoted(m, best),
                            judge_map_quoted(m, second),
                            judge_column_fields[field].name);
        }
    }
}


/*
 * Without a content there is nothing to judge.  A long description is then
 * taken for it: it is what people mean in tables that have no other text.
 * Else the longest text is, as in the answers of a questionnaire.
 */

static void
judge_map_need_content(judge_map_t *m)
{
    size_t                i, at;
    const judge_table_t  *t;

    t = m->table;
    at = t->ncolumns;

    for (i = 0; i < t->ncolumns; i++) {
        if (m->fields[i] == JUDGE_COLUMN_CONTENT) {
            return;
        }

        at = (m->fields[i] == JUDGE_COLUMN_DESCRIPTION) ? i : at;
    }

    if ((m->request->expected & (1u << JUDGE_COLUMN_CONTENT)) == 0) {
        return;
    }

    if (at < t->ncolumns) {
        if (m->scores[at][JUDGE_COLUMN_CONTENT] > 0) {
            m->fields[at] = JUDGE_COLUMN_CONTENT;
            m->confidence[at] = m->scores[at][JUDGE_COLUMN_CONTENT];
        }

        return;
    }

    for (i = 0; i < t->ncolumns; i++) {
        if (m->fields[i] < 0
            && judge_map_value_score(&t->columns[i], JUDGE_COLUMN_CONTENT)
               >= 0.8
            && judge_map_longest(t, i)
            && m->request->confidence_threshold <= JUDGE_MAP_LONGEST)
        {
            m->fields[i] = JUDGE_COLUMN_CONTENT;
            m->confidence[i] = JUDGE_MAP_LONGEST;
            judge_notes_add(m->issues, "No column is named as a content; the "
                            "longest text, \"%s\", was taken.",
                            judge_map_quoted(m, i));
            return;
        }
    }
}


static judge_rc_e
judge_map_samples(const judge_table_t *t, size_t index, judge_column_t *out)
{
    size_t       r, k;
    judge_str_t  cell;

    out->samples = judge_array_alloc(t->arena, JUDGE_MAP_SAMPLES,
                                     sizeof(judge_str_t));
    if (out->samples == NULL) {
        return JUDGE_NOMEM;
    }

    for (r = 0; r < t->nrows && out->nsamples < JUDGE_MAP_SAMPLES; r++) {
        cell = judge_value_type_trim(t->rows[r].cells[index]);

        if (cell.len == 0) {
            continue;
        }

        cell = judge_utf8_prefix(cell, JUDGE_MAP_SAMPLE);

        for (k = 0; k < out->nsamples; k++) {
            if (judge_str_eq(cell, out->samples[k])) {
                break;
            }
        }

        if (k == out->nsamples) {
            out->samples[out->nsamples++] = cell;
        }
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_map_collect(const judge_map_t *m, judge_columns_t *out)
{
    size_t                i;
    judge_rc_e            rc;
    judge_column_t       *column;
    const judge_table_t  *t;

    t = m->table;
    out->detected = judge_array_alloc(t->arena, t->ncolumns,
                                      sizeof(judge_column_t));
    out->unmapped = judge_array_alloc(t->arena, t->ncolumns,
                                      sizeof(judge_str_t));
    if (out->detected == NULL || out->unmapped == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < t->ncolumns; i++) {
        m->confidence[i] = round(fmin(m->confidence[i], 0.99) * 100) / 100;

        if (m->fields[i] < 0
            || m->confidence[i] < m->request->confidence_threshold)
        {
            out->unmapped[out->nunmapped++] = t->columns[i].name;
            continue;
        }

        column = &out->detected[out->ndetected++];
        column->name = t->columns[i].name;
        column->index = i;
        column->field = (judge_column_field_e) m->fields[i];
        column->confidence = m->confidence[i];
        column->data_type = judge_column_type_name(t->columns[i].type);

        rc = judge_map_samples(t, i, column);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    return JUDGE_OK;
}


judge_rc_e
judge_columns_map(const judge_table_t *t,
    const judge_columns_request_t *request, judge_columns_t *out,
    judge_notes_t *issues)
{
    size_t       i, field;
    double       score;
    judge_map_t  m = { .table = t, .request = request, .issues = issues };

    m.scores = judge_array_alloc(t->arena, t->ncolumns, sizeof(*m.scores));
    m.fields = judge_array_alloc(t->arena, t->ncolumns, sizeof(int));
    m.confidence = judge_array_alloc(t->arena, t->ncolumns, sizeof(double));

    if (m.scores == NULL || m.fields == NULL || m.confidence == NULL) {
        return JUDGE_NOMEM;
    }

    if (request->nhints == t->ncolumns) {
        for (i = 0; i < t->ncolumns; i++) {
            m.fields[i] = request->hints[i].field;
            m.confidence[i] = request->hints[i].confidence;
        }

        return judge_map_collect(&m, out);
    }

    for (i = 0; i < t->ncolumns; i++) {
        m.fields[i] = -1;

        for (field = 0; field < JUDGE_COLUMN_FIELDS; field++) {
            score = judge_map_score(t, i, (judge_column_field_e) field);
            m.scores[i][field] = (score < request->confidence_threshold)
                                 ? 0 : score;
        }
    }

    judge_map_assign(&m);
    judge_map_need_content(&m);

    for (i = 0; i < t->ncolumns; i++) {
        if (m.fields[i] < 0
            && (request->expected & (1u << JUDGE_COLUMN_METADATA)) != 0)
        {
            m.fields[i] = JUDGE_COLUMN_METADATA;
            m.confidence[i] = judge_map_metadata(t, i);
        }
    }

    return judge_map_collect(&m, out);
}
