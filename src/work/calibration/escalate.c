/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "base/core/hash.h"
#include "work/calibration/residual_intervals.h"


static const char *const  judge_escalate_names[] = {
    "near_threshold", "interval_wide", "sample"
};


void
judge_escalate_read(judge_arena_t *arena, judge_str_t json,
    judge_escalate_t *escalate)
{
    const judge_json_t  *root, *when;

    memset(escalate, 0, sizeof(judge_escalate_t));
    root = judge_json_read(arena, json);
    when = judge_json_get(root, "when");
    if (when == NULL) {
        return;
    }

    escalate->model = judge_json_string(root, "model");
    (void) judge_json_read_number(when, "interval_wider_than",
                                  &escalate->wider);
    (void) judge_json_read_number(when, "near_threshold",
                                  &escalate->threshold);
    (void) judge_json_read_number(when, "sample", &escalate->sample);
}


int64_t
judge_escalate_why(const judge_escalate_t *escalate, judge_str_t id,
    const judge_verdict_t *verdict, const judge_width_t *overall)
{
    int64_t  why = 0;

    if (escalate->model.data == NULL) {
        return 0;
    }

    if (overall && escalate->threshold > 0
        && judge_width_holds(overall, verdict->overall, escalate->threshold))
    {
        why |= JUDGE_ESCALATED_NEAR;
    }

    if (overall
        && judge_width_exceeds(overall, verdict->overall, escalate->wider))
    {
        why |= JUDGE_ESCALATED_WIDE;
    }

    if ((double) (judge_fnv(JUDGE_FNV_START, id.data, id.len) % 1000000)
        < escalate->sample * 1000000)
    {
        why |= JUDGE_ESCALATED_SAMPLE;
    }

    return why;
}


const char *
judge_escalate_name(int64_t why)
{
    return judge_escalate_names[(why & JUDGE_ESCALATED_NEAR) ? 0
                                : (why & JUDGE_ESCALATED_WIDE) ? 1 : 2];
}
