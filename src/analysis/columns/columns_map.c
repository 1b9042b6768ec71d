/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The fields of an item, and which column holds which.  A column's name and
 * its values each give a score from 0 to 1 for every field; the best pair is
 * taken first.
 */


#include <math.h>
#include <string.h>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "analysis/columns/columns_table.h"


#define JUDGE_NAME_MAX    64           /* bytes of a word */
#define JUDGE_NAME_OTHER  0.4          /* the weight of a word for each that is
                                          behind it */
#define JUDGE_NAME_MANY   0.93         /* of a name of several words */
#define JUDGE_NAME_OWNED  0.45
#define JUDGE_MAP_NAME    0.65         /* the weight of the name */
#define JUDGE_MAP_SAMPLE  200          /* bytes */


const judge_column_field_t  judge_column_fields[JUDGE_COLUMN_FIELDS] = {
    [JUDGE_COLUMN_CONTENT] = { "content", 0, false },
    [JUDGE_COLUMN_TITLE] = { "title", JUDGE_COLUMN_TITLE_MAX, false },
    [JUDGE_COLUMN_DESCRIPTION] = { "description",
                                   JUDGE_COLUMN_DESCRIPTION_MAX, false },
    [JUDGE_COLUMN_CATEGORY] = { "category", 0, true },
    [JUDGE_COLUMN_METADATA] = { "metadata", 0, false },
    [JUDGE_COLUMN_ID] = { "id", 0, true }
};


bool
judge_column_field_find(judge_str_t name, judge_column_field_e *field)
{
    int  i;

    for (i = 0; i < JUDGE_COLUMN_FIELDS; i++) {
        if (judge_str_eq_c(name, judge_column_fields[i].name)) {
            *field = (judge_column_field_e) i;
            return true;
        }
    }

    return false;
}


/* "reviewText", "Review_Text" and "review-text" have the same words. */

static judge_str_t
judge_name_next(judge_str_t *rest, char word[JUDGE_NAME_MAX])
{
    bool    upper, lower = false;
    char    c;
    size_t  i, n;

    for (i = 0, n = 0; i < rest->len && n < JUDGE_NAME_MAX; i++) {
        c = rest->data[i];
        upper = c >= 'A' && c <= 'Z';

        if (judge_ascii_letter(c) || (unsigned char) c >= 0x80 || c == '#') {
            if (upper && lower) {
                break;
            }

            word[n++] = judge_ascii_lower(c);
            lower = !upper;

        } else if (n > 0) {
            break;
        }
    }

    *rest = judge_str_from(*rest, i);

    return (judge_str_t) { n, word };
}


/* Sets how surely a name is that of each field, from 0 to 1; the last word
 * counts most.  Returns whether it is that of a usual property of an item,
 * such as "author" or "date". */

static bool
judge_column_named(judge_str_t name, double scores[JUDGE_COLUMN_FIELDS])
{
    bool         property, owned, first;
    char         room[JUDGE_NAME_MAX];
    size_t       i, field;
    double       score;
    judge_str_t  word;

    memset(scores, 0, JUDGE_COLUMN_FIELDS * sizeof(double));
    property = false;
    first = true;

    while ((word = judge_name_next(&name, room)).len > 0) {
        for (i = 0; i < judge_column_names_n
                    && !judge_str_eq_c(word, judge_column_names[i].name);
             i++) { /* void */ }

        for (field = 0; field < JUDGE_COLUMN_FIELDS; field++) {
            score = (i == judge_column_names_n)
                    ? 0 : judge_column_names[i].scores[field];

            /* "author name" and "user_id" are not of the item itself */

            owned = property && (field == JUDGE_COLUMN_ID
                                 || field == JUDGE_COLUMN_TITLE);
            score *= (first ? 1 : JUDGE_NAME_MANY)
                     * (owned ? JUDGE_NAME_OWNED : 1);
            scores[field] = fmax(scores[field] * JUDGE_NAME_OTHER, score);
        }

        property |= judge_str_caseamong(word, judge_column_properties);
        first = false;
    }

    return property;
}


/* Returns how much the values of a column speak for a field, from 0 to 1. */

static double
judge_map_values(const judge_table_t *t, const judge_column_stat_t *c,
    judge_column_field_e field)
{
    double  score, distinct;

    score = judge_column_types[c->type].scores[field];
    distinct = judge_column_share(c, c->distinct);

    switch (field) {

    case JUDGE_COLUMN_CONTENT:
        if (c->type == JUDGE_TYPE_TEXT) {
            score *= fmin(judge_column_share(c, c->words) / 10, 1);
        }

        return (t->longest == 0) ? 0
               : score * (0.8 + 0.2 * judge_column_share(c, c->bytes)
                                / t->longest);

    case JUDGE_COLUMN_TITLE:
        return score * (0.4 + 0.6 * distinct);

    case JUDGE_COLUMN_CATEGORY:
        return (distinct > 0.667) ? score * 0.25 : score;

    case JUDGE_COLUMN_ID:
        return score * ((distinct >= 0.999) ? 1 : (distinct >= 0.9) ? 0.6
                                                                    : 0.15);

    default:
        return score;
    }
}


static void
judge_map_score(const judge_table_t *t, judge_column_stat_t *c,
    double threshold)
{
    int                   k;
    bool                  property;
    double                name, value, *scores = c->scores;
    judge_column_field_e  field;

    property = judge_column_named(c->named ? c->name : JUDGE_STR(""), scores);

    for (k = 0; k < JUDGE_COLUMN_FIELDS; k++) {
        field = (judge_column_field_e) k;
        name = scores[k];
        value = (t->nrows > 0) ? judge_map_values(t, c, field)
                               : 0.4 * name; /* which is all there is */

        /* another name is evidence against the field; and numbers that happen
         * to differ are seldom identifiers */

        scores[k] = value * (!c->named ? 0.8 : property ? 0.3 : 0.55)
                    * (field == JUDGE_COLUMN_ID && c != t->columns ? 0.6 : 1);

        if (name > 0) {
            scores[k] = fmax(scores[k], (JUDGE_MAP_NAME * name
                                         + (1 - JUDGE_MAP_NAME) * value)
                                        * ((value < 0.1) ? 0.35 : 1));
        }

        if (field == JUDGE_COLUMN_CONTENT && name < 0.25 && value >= 0.4
            && judge_column_share(c, c->bytes) >= t->longest)
        {
            /* the longest text, such as an answer in a questionnaire */
            scores[k] = fmax(scores[k], 0.56);
        }

        if (field == JUDGE_COLUMN_METADATA && c->named
            && (c->type != JUDGE_TYPE_EMPTY || t->nrows == 0))
        {
            /* what is left may still be of interest */
            scores[k] = fmax(scores[k], property ? 0.55 : 0.5);
        }

        if (scores[k] < threshold) {
            scores[k] = 0;
        }
    }
}


/* Finds another column that is about as likely to hold the field, which makes
 * the choice less certain. */

static void
judge_map_rival(const judge_table_t *t, judge_column_stat_t *c)
{
    size_t                      i;
    const judge_column_stat_t  *other;

    for (i = 0; c->rival == NULL && i < t->ncolumns; i++) {
        other = &t->columns[i];

        if (other != c && other->field < 0
            && other->scores[c->field] >= 0.6
            && other->scores[c->field] >= 0.93 * c->confidence)
        {
            c->rival = other;
            c->confidence *= 0.85;
        }
    }
}


/* Gives fields to columns, the best pair first; only metadata is given to
 * several columns. */

static void
judge_map_assign(const judge_table_t *t, unsigned left)
{
    int                   field, best_field;
    size_t                i;
    double                top;
    judge_column_stat_t  *c, *best;

    do {
        best = NULL;
        best_field = 0;

        for (field = 0, top = 0; field < JUDGE_COLUMN_FIELDS; field++) {
            for (i = 0; (left & (1u << field)) && i < t->ncolumns; i++) {
                c = &t->columns[i];

                if (c->field < 0 && c->scores[field] > top + 1e-9) {
                    top = c->scores[field];
                    best = c;
                    best_field = field;
                }
            }
        }

        if (best != NULL) {
            best->field = best_field;
            best->confidence = top;
            if (best_field != JUDGE_COLUMN_METADATA) {
                judge_map_rival(t, best);
            }
            left &= ~(1u << best_field) | (1u << JUDGE_COLUMN_METADATA);
        }

    } while (best != NULL);

    /* Without a content there is nothing to judge; a description is what
     * people mean by it in tables that have no other text. */

    for (i = 0; (left & (1u << JUDGE_COLUMN_CONTENT)) && i < t->ncolumns; i++)
    {
        c = &t->columns[i];

        if (c->field == JUDGE_COLUMN_DESCRIPTION
            && c->scores[JUDGE_COLUMN_CONTENT] > 0)
        {
            c->field = JUDGE_COLUMN_CONTENT;
            c->confidence = c->scores[JUDGE_COLUMN_CONTENT];
        }
    }
}


static void
judge_map_samples(const judge_table_t *t, judge_column_t *out)
{
    judge_str_t         cell;
    judge_table_row_t  *row;

    for (row = t->rows; row && out->nsamples < JUDGE_COLUMN_SAMPLES;
         row = row->next)
    {
        cell = judge_value_type_trim(row->cells[out->index]);
        cell = judge_utf8_prefix(cell, JUDGE_MAP_SAMPLE);

        if (cell.len > 0 && judge_str_index(out->samples, out->nsamples, cell)
                            == out->nsamples)
        {
            out->samples[out->nsamples++] = cell;
        }
    }
}


static judge_rc_e
judge_map_collect(const judge_table_t *t, double threshold,
    judge_columns_t *out)
{
    size_t                      i;
    double                      confidence;
    judge_column_t             *column;
    const judge_column_stat_t  *c;

    out->detected = judge_array_alloc(t->arena, t->ncolumns,
                                      sizeof(judge_column_t));
    out->unmapped = judge_array_alloc(t->arena, t->ncolumns,
                                      sizeof(judge_str_t));
    if (out->detected == NULL || out->unmapped == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < t->ncolumns; i++) {
        c = &t->columns[i];
        confidence = round(fmin(c->confidence, 0.99) * 100) / 100;

        if (c->field < 0 || (c->rival == NULL && confidence < threshold)) {
            out->unmapped[out->nunmapped++] = c->name;
            continue;
        }

        column = &out->detected[out->ndetected++];
        *column = (judge_column_t) {
            .name = c->name, .index = i, .confidence = confidence,
            .field = (judge_column_field_e) c->field,
            .data_type = judge_column_types[c->type].name
        };
        judge_map_samples(t, column);
    }

    return JUDGE_OK;
}


judge_rc_e
judge_columns_map(const judge_table_t *t,
    const judge_columns_request_t *request, judge_columns_t *out)
{
    size_t                i;
    double                threshold = request->confidence_threshold;
    judge_column_stat_t  *c;

    for (i = 0; i < t->ncolumns; i++) {
        c = &t->columns[i];

        if (request->nhints == t->ncolumns) {
            c->field = request->hints[i].field;
            c->confidence = request->hints[i].confidence;

        } else {
            c->field = -1;
            judge_map_score(t, c, threshold);
        }
    }

    if (request->nhints != t->ncolumns) {
        judge_map_assign(t, request->expected);
    }

    return judge_map_collect(t, threshold, out);
}
