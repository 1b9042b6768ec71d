/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Which detectors a rule has, and the list of matches. */


#include "extensions/traffic/detect.h"


bool
judge_detect_wanted(const judge_detect_found_t *found,
    const judge_detect_rule_t *rule, judge_detector_e detector)
{
    return (rule->directions & found->directions)
           && (rule->detectors >> detector & 1);
}


void
judge_detect_hit(judge_detect_found_t *found, judge_detector_e detector,
    const char *label, size_t begin, size_t end)
{
    judge_detect_hit_t  hit = { begin, end, found->rule, detector, label };

    judge_buf_append(&found->bytes, &hit, sizeof(hit));
    found->failed = found->failed || found->bytes.failed;
    found->hits = (judge_detect_hit_t *) (void *) found->bytes.data;
    found->n = found->bytes.len / sizeof(hit);
}
