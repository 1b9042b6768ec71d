/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A record is parsed beside the arena, where only its scores are kept. */


#include "work/judge_given.h"


static bool judge_given_scores(judge_arena_t *arena,
    const judge_json_t *record, judge_given_t *given);
static bool judge_given_number(const judge_json_t *object, const char *key,
    double *v);


judge_given_t *
judge_given_read(judge_arena_t *arena, judge_str_t record)
{
    bool            kept;
    judge_rc_e      rc;
    judge_json_t   *root;
    judge_arena_t  *scratch;
    judge_given_t  *given;

    given = judge_calloc(arena, sizeof(judge_given_t));
    scratch = given ? judge_arena_create(16 * 1024) : NULL;
    if (scratch == NULL) {
        return NULL;
    }

    rc = judge_json_parse(scratch, record, &root, NULL);
    kept = rc == JUDGE_OK ? judge_given_scores(arena, root, given)
                          : rc != JUDGE_NOMEM;
    judge_arena_destroy(scratch);

    return kept ? given : NULL;
}


static bool
judge_given_scores(judge_arena_t *arena, const judge_json_t *record,
    judge_given_t *given)
{
    double                v;
    judge_json_t         *list, *item, *id;
    judge_given_score_t  *score;

    if (record->type != JUDGE_JSON_OBJECT) {
        return true;
    }

    given->has_overall = judge_given_number(record, "overall_score",
                                            &given->overall);

    list = judge_json_get(record, "criteria_scores");
    if (list == NULL || list->type != JUDGE_JSON_ARRAY || list->count == 0) {
        return true;
    }

    given->scores = judge_array_alloc(arena, list->count,
                                      sizeof(judge_given_score_t));
    if (given->scores == NULL) {
        return false;
    }

    for (item = list->first; item; item = item->next) {
        id = item->type == JUDGE_JSON_OBJECT
             ? judge_json_get(item, "criterion_id") : NULL;

        if (id == NULL || id->type != JUDGE_JSON_STRING
            || !judge_given_number(item, "score", &v))
        {
            continue;
        }

        score = &given->scores[given->count++];
        score->score = v;
        score->criterion_id = judge_str_dup(arena, id->string);
        if (score->criterion_id.data == NULL) {
            return false;
        }
    }

    return true;
}


static bool
judge_given_number(const judge_json_t *object, const char *key, double *v)
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


const judge_given_score_t *
judge_given_find(const judge_given_t *given, judge_str_t criterion_id)
{
    size_t  i;

    for (i = 0; i < given->count; i++) {
        if (judge_str_eq(given->scores[i].criterion_id, criterion_id)) {
            return &given->scores[i];
        }
    }

    return NULL;
}


judge_str_t
judge_given_write(judge_arena_t *arena, const judge_given_t *given)
{
    size_t            i;
    judge_buf_t       buf;
    judge_json_out_t  w;

    judge_buf_init(&buf, arena);
    judge_json_begin(&w, &buf);
    judge_json_object(&w);

    for (i = 0; i < given->count; i++) {
        judge_json_key_str(&w, given->scores[i].criterion_id);
        judge_json_number2(&w, given->scores[i].score);
    }

    if (given->has_overall) {
        judge_json_put_number2(&w, "", given->overall);
    }

    judge_json_object_end(&w);

    if (judge_json_finish(&w) != JUDGE_OK) {
        return (judge_str_t) { 0, NULL };
    }

    return judge_buf_view(&buf);
}
