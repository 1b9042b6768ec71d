/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "base/json/json.h"
#include "work/calibration/scores.h"


static bool
judge_scores_number(const judge_json_t *object, const char *key, double *v)
{
    const judge_json_t  *member;

    member = judge_json_get(object, key);
    if (member == NULL || (member->type != JUDGE_JSON_INTEGER
                           && member->type != JUDGE_JSON_NUMBER))
    {
        return false;
    }

    *v = judge_json_double(member);

    return *v >= 0 && *v <= 100;
}


judge_rc_e
judge_scores_read(judge_arena_t *arena, judge_str_t body,
    judge_score_t **scores, size_t *n)
{
    judge_rc_e           rc;
    judge_json_t        *root;
    judge_score_t       *s;
    const judge_json_t  *list, *one, *id;

    *n = 0;

    rc = judge_json_parse(arena, body, &root, NULL);
    if (rc != JUDGE_OK || root->type != JUDGE_JSON_OBJECT) {
        return rc == JUDGE_NOMEM ? rc : JUDGE_OK;
    }

    list = judge_json_get(root, "criteria_scores");
    s = judge_array_alloc(arena, 1 + (list ? list->count : 0),
                          sizeof(judge_score_t));
    if (s == NULL) {
        return JUDGE_NOMEM;
    }

    *scores = s;
    s->criterion_id = JUDGE_STR("");
    if (!judge_scores_number(root, "overall_score", &s->score)) {
        return JUDGE_OK;
    }
    *n = 1;

    for (one = list && list->type == JUDGE_JSON_ARRAY ? list->first : NULL;
         one; one = one->next)
    {
        id = one->type == JUDGE_JSON_OBJECT
             ? judge_json_get(one, "criterion_id") : NULL;
        if (id && id->type == JUDGE_JSON_STRING
            && judge_scores_number(one, "score", &s[*n].score))
        {
            s[(*n)++].criterion_id = id->string;
        }
    }

    return JUDGE_OK;
}
