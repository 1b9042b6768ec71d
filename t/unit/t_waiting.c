/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What a worker evaluates next: turns of organizations and of ranges. */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "work/evaluation/claimed_evaluation.h"


static void
add(judge_waiting_t *waiting, const char *org, const char *content,
    const char *range, bool again)
{
    judge_claimed_t  claimed;

    memset(&claimed, 0, sizeof(judge_claimed_t));
    judge_id_set(&claimed.org, judge_str_c(org));
    judge_id_set(&claimed.content_id, judge_str_c(content));
    judge_id_set(&claimed.id, judge_str_c(content));
    judge_id_set(&claimed.first, judge_str_c(range));
    claimed.retry = again;
    claimed.until = 100;

    t_ok(judge_waiting_add(waiting, &claimed), "%s of %s is added", content,
         org);
}


/* The identifiers of the next group, and frees it. */

static judge_str_t
take(judge_waiting_t *waiting, judge_ms_t now, bool ranges)
{
    size_t            n, i;
    judge_claimed_t  *claimed, *t;
    static char       ids[1024];

    n = 0;
    ids[0] = '\0';
    claimed = judge_waiting_take(waiting, now, ranges, &n);

    for (i = 0; (t = claimed); i++) {
        claimed = t->next;
        (void) strcat(ids, t->id.text);
        free(t);
    }

    t_is_int((int64_t) i, claimed || i ? (int64_t) n : 0,
             "as many are taken as it says");

    return judge_str_c(ids);
}


static void
test_organizations(void)
{
    judge_waiting_t  waiting;

    judge_waiting_init(&waiting);

    add(&waiting, "big", "a", "", false);
    add(&waiting, "big", "b", "", false);
    add(&waiting, "big", "c", "", false);
    add(&waiting, "big", "c", "", false);
    add(&waiting, "small", "x", "", false);
    add(&waiting, "small", "y", "", false);
    add(&waiting, "third", "z", "", false);

    t_is_int((int64_t) judge_waiting_of(&waiting, JUDGE_STR("big")), 4,
             "the evaluations of an organization are counted");
    t_is_int((int64_t) judge_waiting_of(&waiting, JUDGE_STR("none")), 0,
             "an organization without any has none");
    t_is_str(take(&waiting, 1, true), "axzbycc",
             "organizations take turns, one content's stay together");
    t_is_str(take(&waiting, 1, true), "", "no evaluation is left");

    add(&waiting, "big", "a", "", false);
    add(&waiting, "big", "b", "", true);
    t_is_str(take(&waiting, 1, true), "b",
             "one that was tried before comes first and alone");
    t_is_str(take(&waiting, 1, true), "a",
             "the others come behind one that was tried before");

    judge_waiting_free(&waiting);
}


static void
test_ranges(void)
{
    judge_waiting_t  waiting;

    judge_waiting_init(&waiting);

    add(&waiting, "big", "a", "1", false);
    add(&waiting, "big", "b", "1", false);
    add(&waiting, "big", "c", "2", false);
    add(&waiting, "small", "x", "", false);

    t_is_str(take(&waiting, 1, true), "x", "single ones come before a range");
    add(&waiting, "small", "y", "", false);
    t_is_str(take(&waiting, 1, true), "ab",
             "a range comes as a whole when single ones had their turn");
    t_is_str(take(&waiting, 1, true), "y",
             "single ones come again behind a range");
    t_is_str(take(&waiting, 1, false), "",
             "a range waits where no range may begin");
    t_is_str(take(&waiting, 1, true), "c",
             "a range that waited goes on later");

    add(&waiting, "big", "a", "1", false);
    add(&waiting, "small", "x", "", false);
    t_is_str(take(&waiting, 100, true), "",
             "a range whose lease has run out is another worker's");

    add(&waiting, "big", "a", "1", false);
    add(&waiting, "small", "x", "", false);
    judge_waiting_free(&waiting);
    t_is_int((int64_t) (waiting.single.count + waiting.ranges.count), 0,
             "what still waits is freed");
}


int
main(void)
{
    test_organizations();
    test_ranges();

    return t_done();
}
