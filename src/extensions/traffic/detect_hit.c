/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Which detectors a rule has, and the list of matches. */


#include <string.h>

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
    size_t               room;
    judge_detect_hit_t  *hits;

    if (found->n == found->room && !found->failed) {
        room = found->room ? found->room * 2 : 16;
        hits = judge_array_alloc(found->arena, room, sizeof(*hits));
        if (hits == NULL) {
            found->failed = true;
            return;
        }
        if (found->n) {
            memcpy(hits, found->hits, found->n * sizeof(*hits));
        }
        found->hits = hits;
        found->room = room;
    }

    if (!found->failed) {
        found->hits[found->n++] = (judge_detect_hit_t) {
            begin, end, found->rule, detector, label
        };
    }
}
