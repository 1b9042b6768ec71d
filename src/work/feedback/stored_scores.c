/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A record is parsed beside the arena, where only its scores are kept. */


#include "work/feedback/stored_scores.h"


static bool judge_stored_scores_scores(judge_arena_t *arena,
    const judge_json_t *record, judge_stored_scores_t *stored);
static bool judge_stored_scores_number(const judge_json_t *object,
    const char *key,
    double *v);


judge_stored_scores_t *
judge_stored_scores_read(judge_arena_t *arena, judge_str_t record)
{
    bool                    kept;
    judge_rc_e              rc;
    judge_json_t           *root;
    judge_arena_t          *scratch;
    judge_stored_scores_t  *stored;

    stored = judge_calloc(arena, sizeof(judge_stored_scores_t));
    scratch = stored ? judge_arena_create(16 * 1024) : NULL;
    if (scratch == NULL) {
        return NULL;
    }

    rc = judge_json_parse(scratch, record, &root, NULL);
    kept = rc == JUDGE_OK ? judge_stored_scores_scores(arena, root, stored)
                          : rc != JUDGE_NOMEM;
    judge_arena_destroy(scratch);

    return kept ? stored : NULL;
}


static bool
judge_stored_scores_scores(judge_arena_t *arena, const judge_json_t *record,
    judge_stored_scores_t *stored)
{
    double                        v;
    judge_json_t                 *list, *item, *id;
    judge_stored_scores_score_t  *score;

    if (record->type != JUDGE_JSON_OBJECT) {
        return true;
    }

    stored->has_overall = judge_stored_scores_number(record, "overall_score",
                                                     &stored->overall);

    list = judge_json_get(record, "criteria_scores");
    if (list == NULL || list->type != JUDGE_JSON_ARRAY || list->count == 0) {
        return true;
    }

    stored->scores = judge_array_alloc(arena, list->count,
                                       sizeof(judge_stored_scores_score_t));
    if (stored->scores == NULL) {
        return false;
    }

    for (item = list->first; item; item = item->next) {
        id = item->type == JUDGE_JSON_OBJECT
             ? judge_json_get(item, "criterion_id") : NULL;

        if (id == NULL || id->type != JUDGE_JSON_STRING
            || !judge_stored_scores_number(item, "score", &v))
        {
            continue;
        }

        score = &stored->scores[stored->count++];
        score->score = v;
        score->criterion_id = judge_str_dup(arena, id->string);
        if (score->criterion_id.data == NULL) {
            return false;
        }
    }

    return true;
}


static bool
judge_stored_scores_number(const judge_json_t *object, const char *key,
    double *v)
{
    judge_json_t  *field;

    field = judge_json_get(object, key);
    if (field == NULL || (field->type != JUDGE_JSON_INTEGER
                          && field->type != JUDGE_JSON_NUMBER))
    {
        return false;
    }

    *v = judge_json_double(field);

    return true;
}


const judge_stored_scores_score_t *
judge_stored_scores_find(const judge_stored_scores_t *stored,
    judge_str_t criterion_id)
{
    size_t  i;

    for (i = 0; i < stored->count; i++) {
        if (judge_str_eq(stored->scores[i].criterion_id, criterion_id)) {
            return &stored->scores[i];
        }
    }

    return NULL;
}


judge_str_t
judge_stored_scores_write(judge_arena_t *arena,
    const judge_stored_scores_t *stored)
{
    size_t               i;
    judge_buf_t          buf;
    judge_json_writer_t  w;

    judge_json_begin_object(&w, &buf, arena);

    for (i = 0; i < stored->count; i++) {
        judge_json_key_str(&w, stored->scores[i].criterion_id);
        judge_json_number2(&w, stored->scores[i].score);
    }

    if (stored->has_overall) {
        judge_json_put_number2(&w, "", stored->overall);
    }

    return judge_json_text(&w);
}
