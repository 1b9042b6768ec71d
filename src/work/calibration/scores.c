/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>

#include "work/calibration/scores.h"


double
judge_scores_number(const judge_json_t *object, const char *key)
{
    double  v;

    return judge_json_read_number(object, key, &v) && v >= 0 && v <= 100
           ? v : NAN;
}


/* Reads the score `key` with its interval.  An end of the interval at 0 or 100
 * may have been cut there, so that the other end gives the width.  false:
 * there is no score. */

static bool
judge_scores_one(const judge_json_t *object, const char *key, double raw,
    judge_score_t *s)
{
    double               low, high;
    const judge_json_t  *interval;

    s->json = object;
    s->width = 0;
    s->score = judge_scores_number(object, key);
    s->raw = isnan(raw) ? s->score : raw;
    interval = judge_json_get(object, "interval");
    low = judge_scores_number(interval, "low");
    high = judge_scores_number(interval, "high");

    if (!isnan(low) && !isnan(high)) {
        s->width = low > 0 && high < 100 ? (high - low) / 2
                   : fmax(high - s->score, s->score - low);
    }

    return !isnan(s->score);
}


judge_rc_e
judge_scores_read(judge_arena_t *arena, judge_str_t body, judge_scores_t *out)
{
    judge_rc_e           rc;
    judge_json_t        *root;
    judge_score_t       *s;
    const judge_json_t  *list, *one;

    *out = (judge_scores_t) { .builtin = NAN };

    rc = judge_json_parse(arena, body, &root, NULL);
    if (rc != JUDGE_OK || root->type != JUDGE_JSON_OBJECT) {
        return rc == JUDGE_NOMEM ? rc : JUDGE_OK;
    }

    list = judge_json_member(root, "criteria_scores", JUDGE_JSON_ARRAY);
    s = judge_array_alloc(arena, 1 + (list ? list->count : 0),
                          sizeof(judge_score_t));
    if (s == NULL) {
        return JUDGE_NOMEM;
    }

    out->scores = s;
    out->engine = judge_json_string(root, "engine");
    out->language = judge_json_string(root, "language");
    out->failed = judge_str_eq_c(judge_json_string(root, "status"), "failed");
    if (judge_time_parse(judge_json_string(root, "evaluated_at"),
                         &out->evaluated_at) == JUDGE_OK)
    {
        out->judge_id = judge_json_string(root, "judge_id");
    }

    one = judge_json_get(root, "decided_by");
    out->decided = one != NULL;
    out->builtin = judge_scores_number(one, "builtin_score");

    s->criterion_id = JUDGE_STR("");
    out->n = judge_scores_one(root, "overall_score",
                              judge_scores_number(judge_json_get(root,
                                                                 "provenance"),
                                                  "raw_overall_score"), s);

    for (one = out->n && list ? list->first : NULL; one; one = one->next) {
        s[out->n].criterion_id = judge_json_string(one, "criterion_id");
        if (s[out->n].criterion_id.data) {
            out->n += judge_scores_one(one, "score",
                                       judge_scores_number(one, "raw_score"),
                                       &s[out->n]);
        }
    }

    return JUDGE_OK;
}


const judge_score_t *
judge_scores_of(const judge_scores_t *scores, judge_str_t criterion_id)
{
    size_t  i;

    for (i = 0; i < scores->n; i++) {
        if (judge_str_eq(scores->scores[i].criterion_id, criterion_id)) {
            return &scores->scores[i];
        }
    }

    return NULL;
}
