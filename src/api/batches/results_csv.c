/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Rows out of the stored records of evaluations. */


#include "api/batches/results_csv.h"


static judge_rc_e judge_results_csv_columns_add(judge_buf_t *names,
    judge_str_t name);
static void judge_results_csv_scores(judge_csv_writer_t *w,
    const judge_results_csv_columns_t *columns, const judge_json_t *record);
static void judge_results_csv_member(judge_csv_writer_t *w,
    const judge_json_t *object, const char *key);
static judge_rc_e judge_results_csv_strings(judge_csv_writer_t *w,
    judge_arena_t *arena, const judge_json_t *array);


/* In front of the scores by criterion, and behind them. */

static const char *const  judge_results_csv_front[] = {
    "evaluation_id", "content_id", "content_name", "judge_id", "status",
    "overall_score", NULL
};

static const char *const  judge_results_csv_back[] = {
    "summary", "strengths", "weaknesses", "suggestions", "error_code",
    "error_message", "evaluated_at", NULL
};

static const char *const  judge_results_csv_lists[] = {
    "strengths", "weaknesses", "suggestions", NULL
};


judge_rc_e
judge_results_csv_columns(judge_arena_t *arena, const judge_str_t *criteria,
    size_t n, judge_results_csv_columns_t *columns)
{
    size_t               i;
    judge_rc_e           rc;
    judge_buf_t          names;
    judge_json_t        *root;
    const judge_json_t  *criterion, *name;

    judge_buf_init(&names, arena);

    for (i = 0; i < n; i++) {
        if (criteria[i].data == NULL) {
            continue;
        }

        rc = judge_json_parse(arena, criteria[i], &root, NULL);
        if (rc != JUDGE_OK || root->type != JUDGE_JSON_ARRAY) {
            return rc == JUDGE_NOMEM ? rc : JUDGE_ERROR;
        }

        for (criterion = root->first; criterion; criterion = criterion->next)
        {
            name = criterion->type == JUDGE_JSON_OBJECT
                   ? judge_json_get(criterion, "name") : NULL;
            if (name == NULL || name->type != JUDGE_JSON_STRING) {
                return JUDGE_ERROR;
            }

            rc = judge_results_csv_columns_add(&names, name->string);
            if (rc != JUDGE_OK) {
                return rc;
            }
        }
    }

    columns->names = (judge_str_t *) (void *) names.data;
    columns->count = names.len / sizeof(judge_str_t);

    return JUDGE_OK;
}


static judge_rc_e
judge_results_csv_columns_add(judge_buf_t *names, judge_str_t name)
{
    size_t        i, n;
    judge_str_t  *seen;

    seen = (judge_str_t *) (void *) names->data;
    n = names->len / sizeof(judge_str_t);

    for (i = 0; i < n; i++) {
        if (judge_str_eq(seen[i], name)) {
            return JUDGE_OK;
        }
    }

    judge_buf_append(names, &name, sizeof(judge_str_t));

    return names->failed ? JUDGE_NOMEM : JUDGE_OK;
}


void
judge_results_csv_head(judge_csv_writer_t *w,
    const judge_results_csv_columns_t *columns)
{
    size_t  i;

    for (i = 0; judge_results_csv_front[i]; i++) {
        judge_csv_plain(w, judge_str_c(judge_results_csv_front[i]));
    }

    for (i = 0; i < columns->count; i++) {
        judge_csv_text(w, columns->names[i]);
    }

    for (i = 0; judge_results_csv_back[i]; i++) {
        judge_csv_plain(w, judge_str_c(judge_results_csv_back[i]));
    }

    judge_csv_row_end(w);
}


judge_rc_e
judge_results_csv_row(judge_csv_writer_t *w, judge_arena_t *arena,
    const judge_results_csv_columns_t *columns,
    const judge_batch_result_row_t *row)
{
    size_t                         i;
    judge_rc_e                     rc;
    judge_json_t                  *record;
    const judge_json_t            *error;
    const judge_evaluation_row_t  *e;

    e = &row->evaluation;
    record = NULL;

    if (e->body.data) {
        rc = judge_json_parse(arena, e->body, &record, NULL);
        if (rc != JUDGE_OK || record->type != JUDGE_JSON_OBJECT) {
            return rc == JUDGE_NOMEM ? rc : JUDGE_ERROR;
        }
    }

    judge_csv_plain(w, e->id);
    judge_csv_plain(w, e->content_id);
    judge_csv_text(w, row->content_name);
    judge_csv_plain(w, e->judge_id);
    judge_csv_plain(w, e->status);
    judge_results_csv_member(w, record, "overall_score");
    judge_results_csv_scores(w, columns, record);
    judge_results_csv_member(w, record, "summary");

    for (i = 0; judge_results_csv_lists[i]; i++) {
        rc = judge_results_csv_strings(w, arena, record
                     ? judge_json_get(record, judge_results_csv_lists[i])
                     : NULL);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    error = record ? judge_json_get(record, "error") : NULL;
    judge_results_csv_member(w, error, "code");
    judge_results_csv_member(w, error, "message");
    judge_results_csv_member(w, record, "evaluated_at");
    judge_csv_row_end(w);

    return w->buf->failed ? JUDGE_NOMEM : JUDGE_OK;
}


/* A criterion that the row's judge does not have leaves an empty cell. */

static void
judge_results_csv_scores(judge_csv_writer_t *w,
    const judge_results_csv_columns_t *columns, const judge_json_t *record)
{
    size_t               i;
    const judge_json_t  *scores, *score, *name;

    scores = record ? judge_json_get(record, "criteria_scores") : NULL;
    if (scores && scores->type != JUDGE_JSON_ARRAY) {
        scores = NULL;
    }

    for (i = 0; i < columns->count; i++) {
        for (score = scores ? scores->first : NULL; score;
             score = score->next)
        {
            name = score->type == JUDGE_JSON_OBJECT
                   ? judge_json_get(score, "name") : NULL;
            if (name && name->type == JUDGE_JSON_STRING
                && judge_str_eq(name->string, columns->names[i]))
            {
                break;
            }
        }

        judge_results_csv_member(w, score, "score");
    }
}


static void
judge_results_csv_member(judge_csv_writer_t *w, const judge_json_t *object,
    const char *key)
{
    const judge_json_t  *v;

    v = object && object->type == JUDGE_JSON_OBJECT
        ? judge_json_get(object, key) : NULL;

    if (v && v->type == JUDGE_JSON_STRING) {
        judge_csv_text(w, v->string);

    } else if (v && (v->type == JUDGE_JSON_INTEGER
                     || v->type == JUDGE_JSON_NUMBER))
    {
        judge_csv_number2(w, judge_json_double(v));

    } else {
        judge_csv_plain(w, JUDGE_STR(""));
    }
}


/* One line for each. */

static judge_rc_e
judge_results_csv_strings(judge_csv_writer_t *w, judge_arena_t *arena,
    const judge_json_t *array)
{
    judge_buf_t          cell;
    const judge_json_t  *v;

    judge_buf_init(&cell, arena);

    for (v = array && array->type == JUDGE_JSON_ARRAY ? array->first : NULL;
         v; v = v->next)
    {
        if (v->type != JUDGE_JSON_STRING) {
            continue;
        }
        if (cell.len) {
            judge_buf_append(&cell, "\n", 1);
        }
        judge_buf_str(&cell, v->string);
    }

    if (cell.failed) {
        return JUDGE_NOMEM;
    }

    judge_csv_text(w, (judge_str_t) { cell.len, cell.data });

    return JUDGE_OK;
}
