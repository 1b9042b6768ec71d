/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Which column holds which field.  A column's name and its values each give
 * a score from 0 to 1 for every field; the best pair is taken first.
 */


#include <math.h>

#include "base/text/utf8.h"
#include "analysis/columns/columns_table.h"


#define JUDGE_MAP_NAME     0.65        /* the weight of the name */
#define JUDGE_MAP_LONGEST  0.5         /* the longest text for a content */
#define JUDGE_MAP_SAMPLES  5
#define JUDGE_MAP_SAMPLE   200         /* bytes */

/* How much values of a type speak for content, title, description, category,
 * metadata and id. */

static const double  judge_map_values[JUDGE_TYPES][JUDGE_COLUMN_FIELDS] = {
    [JUDGE_TYPE_INTEGER] =   { 0.00, 0.02, 0.00, 0.40, 0.30, 0.95 },
    [JUDGE_TYPE_NUMBER] =    { 0.00, 0.02, 0.00, 0.00, 0.30, 0.00 },
    [JUDGE_TYPE_BOOLEAN] =   { 0.00, 0.02, 0.00, 0.40, 0.30, 0.00 },
    [JUDGE_TYPE_DATE] =      { 0.00, 0.02, 0.00, 0.00, 0.30, 0.00 },
    [JUDGE_TYPE_URL] =       { 0.10, 0.02, 0.00, 0.00, 0.30, 0.30 },
    [JUDGE_TYPE_EMAIL] =     { 0.00, 0.02, 0.00, 0.00, 0.30, 0.10 },
    [JUDGE_TYPE_JSON] =      { 0.25, 0.02, 0.00, 0.00, 1.00, 0.10 },
    [JUDGE_TYPE_CATEGORY] =  { 0.15, 0.35, 0.25, 1.00, 0.30, 0.10 },
    [JUDGE_TYPE_CODE] =      { 0.25, 0.50, 0.40, 0.60, 0.30, 1.00 },
    [JUDGE_TYPE_WORD] =      { 0.25, 0.50, 0.40, 0.60, 0.30, 0.40 },
    [JUDGE_TYPE_PHRASE] =    { 0.50, 0.90, 0.65, 0.35, 0.30, 0.10 },
    [JUDGE_TYPE_SENTENCE] =  { 0.80, 0.90, 0.85, 0.10, 0.30, 0.10 },
    [JUDGE_TYPE_LINE] =      { 1.00, 0.60, 0.85, 0.00, 0.30, 0.00 },
    [JUDGE_TYPE_LONG_TEXT] = { 1.00, 0.15, 0.75, 0.00, 0.30, 0.00 }
};

/* A score is that of the column for a field, 0 below the threshold; field is
 * negative until the column has one. */

typedef struct {
    double  scores[JUDGE_COLUMN_FIELDS];
    int     field;
    double  confidence;
} judge_map_column_t;

typedef struct {
    const judge_table_t            *table;
    const judge_columns_request_t  *request;
    judge_notes_t                  *issues;
    judge_map_column_t             *columns;
} judge_map_t;


static double
judge_map_value_score(const judge_column_stat_t *c,
    judge_column_field_e field)
{
    double  score, distinct, missing;

    score = judge_map_values[c->type][field];
    distinct = judge_column_share(c, c->values.distinct);
    missing = (double) c->kinds[JUDGE_VALUE_MISSING];

    switch (field) {

    case JUDGE_COLUMN_ID:
        score *= (distinct >= 0.999) ? 1 : (distinct >= 0.9) ? 0.6 : 0.15;
        return score * (1 - 0.5 * missing / ((double) c->filled + missing));

    case JUDGE_COLUMN_TITLE:
        return judge_column_is_short(c) ? score * (0.4 + 0.6 * distinct)
                                        : score;

    case JUDGE_COLUMN_CATEGORY:
        if (c->type < JUDGE_TYPE_CATEGORY && distinct > 0.667) {
            return score * 0.125;
        }

        return (judge_column_is_short(c)
                && judge_column_share(c, judge_column_count(c,
                                             JUDGE_CELL_LIST)) >= 0.5)
               ? 0.7 : score;

    default:
        return score;
    }
}


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
    bool                        longest;
    double                      name, value, score;
    const judge_column_stat_t  *column;

    column = &t->columns[i];
    name = column->named ? judge_column_named(column->name, field) : 0;

    if (t->nrows == 0) {
        return 0.8 * name;             /* the name is all there is */
    }

    if (column->type == JUDGE_TYPE_EMPTY) {
        return 0.3 * name;
    }

    value = judge_map_value_score(column, field);
    longest = field == JUDGE_COLUMN_CONTENT && judge_map_longest(t, i);

    if (name > 0) {
        score = JUDGE_MAP_NAME * name + (1 - JUDGE_MAP_NAME) * value;
        score *= (value < 0.1) ? 0.35 : 1;

    } else if (column->named) {
        /* another name is evidence against the field */
        score = (judge_column_about(column->name) ? 0.3 : 0.55) * value
                + (longest ? 0.1 : 0);

        /* numbers that happen to differ are seldom identifiers */
        score *= (field == JUDGE_COLUMN_ID && i > 0) ? 0.6 : 1;

    } else {
        longest |= field == JUDGE_COLUMN_ID && i == 0;
        score = 0.7 * value + (longest ? 0.1 : 0);
    }

    /* a few rows prove little */

    return score * ((t->nrows < 3) ? 0.92 : 1);
}


/* What is left may still be of interest. */

static double
judge_map_metadata(const judge_table_t *t, size_t i)
{
    double                      least;
    const judge_column_stat_t  *column;

    column = &t->columns[i];
    least = !column->named ? 0.35
            : judge_column_about(column->name) ? 0.75
            : (column->type == JUDGE_TYPE_LONG_TEXT) ? 0.4 : 0.55;

    if (column->type == JUDGE_TYPE_EMPTY && t->nrows > 0) {
        least = 0;
    }

    return fmax(judge_map_score(t, i, JUDGE_COLUMN_METADATA), least);
}


/* The best pair of a column that has no field yet and one of the fields;
 * ncolumns: there is none. */

static size_t
judge_map_best(const judge_map_t *m, unsigned fields, size_t but,
    int *best_field)
{
    int     field;
    size_t  i, best;
    double  top;

    top = 0;
    best = m->table->ncolumns;
    *best_field = 0;

    for (field = 0; field < JUDGE_COLUMN_FIELDS; field++) {
        for (i = 0; (fields & (1u << field)) && i < m->table->ncolumns; i++) {
            if (i != but && m->columns[i].field < 0
                && m->columns[i].scores[field] > top + 1e-9)
            {
                top = m->columns[i].scores[field];
                best = i;
                *best_field = field;
            }
        }
    }

    return best;
}


static const char *
judge_map_quoted(const judge_map_t *m, size_t i)
{
    return judge_notes_quote(m->table->arena, m->table->columns[i].name);
}


static void
judge_map_take(judge_map_t *m, size_t i, int field, double confidence)
{
    m->columns[i].field = field;
    m->columns[i].confidence = confidence;
}


/*
 * The best pairs first; each field but metadata once.  A second column that
 * is about as good makes the choice doubtful, and an issue says so.
 */

static void
judge_map_assign(judge_map_t *m)
{
    int       field, same;
    size_t    best, second;
    double    score, rival;
    unsigned  left;

    left = m->request->expected & ~(1u << JUDGE_COLUMN_METADATA);

    while (left != 0) {
        best = judge_map_best(m, left, m->table->ncolumns, &field);

        if (best == m->table->ncolumns) {
            return;
        }

        second = judge_map_best(m, 1u << field, best, &same);
        score = m->columns[best].scores[field];
        rival = (second < m->table->ncolumns)
                ? m->columns[second].scores[field] : 0;

        if (rival >= 0.6 && rival >= 0.93 * score) {
            score = fmax(score * 0.85, m->request->confidence_threshold);
            judge_notes_add(m->issues, "Columns \"%s\" and \"%s\" could both "
                            "be the %s; the first was taken.",
                            judge_map_quoted(m, best),
                            judge_map_quoted(m, second),
                            judge_column_fields[field].name);
        }

        judge_map_take(m, best, field, score);
        left &= ~(1u << field);
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
    size_t                i, text;
    double                score;
    const judge_table_t  *t;

    t = m->table;
    text = t->ncolumns;

    for (i = 0; i < t->ncolumns; i++) {
        if (m->columns[i].field == JUDGE_COLUMN_CONTENT) {
            return;
        }

        if (m->columns[i].field == JUDGE_COLUMN_DESCRIPTION) {
            score = m->columns[i].scores[JUDGE_COLUMN_CONTENT];

            if (score > 0) {
                judge_map_take(m, i, JUDGE_COLUMN_CONTENT, score);
            }

            return;
        }

        if (text == t->ncolumns && m->columns[i].field < 0
            && judge_map_value_score(&t->columns[i], JUDGE_COLUMN_CONTENT)
               >= 0.8
            && judge_map_longest(t, i))
        {
            text = i;
        }
    }

    if (text < t->ncolumns
        && m->request->confidence_threshold <= JUDGE_MAP_LONGEST)
    {
        judge_map_take(m, text, JUDGE_COLUMN_CONTENT, JUDGE_MAP_LONGEST);
        judge_notes_add(m->issues, "No column is named as a content; the "
                        "longest text, \"%s\", was taken.",
                        judge_map_quoted(m, text));
    }
}


static judge_rc_e
judge_map_samples(const judge_table_t *t, size_t index, judge_column_t *out)
{
    judge_str_t         cell;
    judge_table_row_t  *row;

    out->samples = judge_array_alloc(t->arena, JUDGE_MAP_SAMPLES,
                                     sizeof(judge_str_t));
    if (out->samples == NULL) {
        return JUDGE_NOMEM;
    }

    for (row = t->rows; row && out->nsamples < JUDGE_MAP_SAMPLES;
         row = row->next)
    {
        cell = judge_utf8_prefix(judge_value_type_trim(row->cells[index]),
                                 JUDGE_MAP_SAMPLE);

        if (cell.len > 0 && judge_str_index(out->samples, out->nsamples, cell)
                            == out->nsamples)
        {
            out->samples[out->nsamples++] = cell;
        }
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_map_collect(const judge_map_t *m, judge_columns_t *out)
{
    size_t                i;
    double                confidence;
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
        confidence = round(fmin(m->columns[i].confidence, 0.99) * 100) / 100;

        if (m->columns[i].field < 0
            || confidence < m->request->confidence_threshold)
        {
            out->unmapped[out->nunmapped++] = t->columns[i].name;
            continue;
        }

        column = &out->detected[out->ndetected++];
        *column = (judge_column_t) {
            .name = t->columns[i].name, .index = i,
            .field = (judge_column_field_e) m->columns[i].field,
            .confidence = confidence,
            .data_type = judge_column_type_name(t->columns[i].type)
        };

        rc = judge_map_samples(t, i, column);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    return JUDGE_OK;
}


const judge_column_t *
judge_columns_mapped(const judge_columns_t *out, judge_column_field_e field)
{
    size_t  i;

    for (i = 0; i < out->ndetected; i++) {
        if (out->detected[i].field == field) {
            return &out->detected[i];
        }
    }

    return NULL;
}


judge_rc_e
judge_columns_map(const judge_table_t *t,
    const judge_columns_request_t *request, judge_columns_t *out,
    judge_notes_t *issues)
{
    bool         hinted;
    size_t       i, field;
    double       score;
    judge_map_t  m = { .table = t, .request = request, .issues = issues };

    m.columns = judge_array_alloc(t->arena, t->ncolumns,
                                  sizeof(judge_map_column_t));
    if (m.columns == NULL) {
        return JUDGE_NOMEM;
    }

    hinted = request->nhints == t->ncolumns;

    for (i = 0; i < t->ncolumns; i++) {
        if (hinted) {
            judge_map_take(&m, i, request->hints[i].field,
                           request->hints[i].confidence);
            continue;
        }

        m.columns[i].field = -1;

        for (field = 0; field < JUDGE_COLUMN_FIELDS; field++) {
            score = judge_map_score(t, i, (judge_column_field_e) field);
            m.columns[i].scores[field] =
                (score < request->confidence_threshold) ? 0 : score;
        }
    }

    if (hinted) {
        return judge_map_collect(&m, out);
    }

    judge_map_assign(&m);

    if (request->expected & (1u << JUDGE_COLUMN_CONTENT)) {
        judge_map_need_content(&m);
    }

    for (i = 0; i < t->ncolumns; i++) {
        if (m.columns[i].field < 0
            && (request->expected & (1u << JUDGE_COLUMN_METADATA)))
        {
            judge_map_take(&m, i, JUDGE_COLUMN_METADATA,
                           judge_map_metadata(t, i));
        }
    }

    return judge_map_collect(&m, out);
}
