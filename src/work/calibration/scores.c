/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>

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


static judge_str_t
judge_scores_text(const judge_json_t *object, const char *key)
{
    const judge_json_t  *member;

    member = judge_json_get(object, key);

    return member && member->type == JUDGE_JSON_STRING
           ? member->string : (judge_str_t) { 0, NULL };
}


/* What stands on an end of the scale may have been cut there. */

static void
judge_scores_width(const judge_json_t *object, judge_score_t *s)
{
    double               low, high;
    const judge_json_t  *interval;

    interval = judge_json_get(object, "interval");
    s->width = 0;

    if (interval && interval->type == JUDGE_JSON_OBJECT
        && judge_scores_number(interval, "low", &low)
        && judge_scores_number(interval, "high", &high))
    {
        s->width = low > 0 && high < 100 ? (high - low) / 2
                   : fmax(high - s->score, s->score - low);
    }
}


judge_rc_e
judge_scores_read(judge_arena_t *arena, judge_str_t body, judge_scores_t *out)
{
    judge_rc_e           rc;
    judge_json_t        *root;
    judge_score_t       *s;
    const judge_json_t  *list, *one;

    *out = (judge_scores_t) { .n = 0 };

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

    out->scores = s;
    out->engine = judge_scores_text(root, "engine");
    out->failed = judge_str_eq_c(judge_scores_text(root, "status"), "failed");
    if (judge_time_parse(judge_scores_text(root, "evaluated_at"),
                         &out->evaluated_at) == JUDGE_OK)
    {
        out->judge_id = judge_scores_text(root, "judge_id");
    }

    s->criterion_id = JUDGE_STR("");
    out->n = judge_scores_number(root, "overall_score", &s->score);
    if (out->n) {
        judge_scores_width(root, s);
    }

    for (one = out->n && list && list->type == JUDGE_JSON_ARRAY
               ? list->first : NULL;
         one; one = one->next)
    {
        s[out->n].criterion_id = one->type == JUDGE_JSON_OBJECT
                                 ? judge_scores_text(one, "criterion_id")
                                 : (judge_str_t) { 0, NULL };
        if (s[out->n].criterion_id.data
            && judge_scores_number(one, "score", &s[out->n].score))
        {
            judge_scores_width(one, &s[out->n++]);
        }
    }

    return JUDGE_OK;
}
