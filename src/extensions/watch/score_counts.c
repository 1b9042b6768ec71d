/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A robust mutex protects the counts, usually for about 100 ns.  If a process
 * dies while it has the mutex, the counts not yet stored are discarded. */


#include <stddef.h>
#include <string.h>

#include "base/core/hash.h"
#include "base/core/shared_mutex.h"
#include "base/text/utf8.h"
#include "extensions/watch/drift.h"
#include "extensions/watch/score_counts.h"
#include "work/calibration/scores.h"


bool
judge_score_counts_init(void *counts)
{
    judge_score_counts_t  *c = counts;

    return judge_shared_mutex_init(&c->mutex);
}


static bool
judge_score_counts_lock(judge_score_counts_t *counts)
{
    bool  died, locked;

    locked = judge_shared_mutex_lock(&counts->mutex, &died);
    if (died) {
        /* the process may have died between adding a slot and indexing it */
        counts->used = 0;
        memset(counts->index, 0, sizeof(counts->index));
    }

    return locked;
}


/* Allocates n rows, and sets the members that all share in the first one. */

static judge_hours_row_t *
judge_score_counts_begin(judge_arena_t *arena, const judge_job_t *job,
    size_t n, judge_result_t *result)
{
    judge_str_t         route;
    judge_hours_row_t  *row;

    route = job->route.data ? job->route : JUDGE_STR("");
    route.len = route.len > JUDGE_ROUTE_LEN ? JUDGE_ROUTE_LEN : route.len;
    route.len = judge_utf8_check(route);

    result->ncounts = 0;
    row = result->counts = judge_array_alloc(arena, n,
                                             sizeof(judge_hours_row_t));
    if (row) {
        *row = (judge_hours_row_t) {
            .org = job->org, .judge_id = job->judge_id, .n = 1,
            .route = route, .hour = result->evaluated_at / JUDGE_HOUR
        };
    }

    return row;
}


static void
judge_score_counts_put(judge_result_t *result, judge_str_t criterion_id,
    int64_t bin)
{
    judge_hours_row_t  *row = &result->counts[result->ncounts++];

    *row = result->counts[0];
    row->criterion_id = criterion_id;
    row->bin = bin - (bin == JUDGE_DRIFT_BINS);
}


static judge_rc_e
judge_score_counts_read(judge_arena_t *arena, const judge_job_t *job,
    judge_result_t *result)
{
    size_t          i;
    judge_rc_e      rc;
    judge_scores_t  scores;

    rc = judge_scores_read(arena, result->body, &scores);
    if (rc != JUDGE_OK
        || judge_score_counts_begin(arena, job, scores.n + 1, result) == NULL)
    {
        return JUDGE_NOMEM;
    }

    if (scores.n == 0) {
        judge_score_counts_put(result, JUDGE_STR(""), -1);
    }

    for (i = 0; i < scores.n; i++) {
        judge_score_counts_put(result, scores.scores[i].criterion_id,
                               (int64_t) (scores.scores[i].score / 5));
    }

    return JUDGE_OK;
}


judge_rc_e
judge_score_counts_of(judge_arena_t *arena, const judge_job_t *job,
    const judge_rubric_t *rubric, const judge_verdict_t *verdict,
    judge_result_t *result)
{
    size_t  i, n;
    double  score;

    if (verdict == NULL && judge_str_eq(result->status,
                                        JUDGE_STR("completed")))
    {
        return judge_score_counts_read(arena, job, result);
    }

    n = verdict ? rubric->ncriteria : 0;
    if (judge_score_counts_begin(arena, job, n + 1, result) == NULL) {
        return JUDGE_NOMEM;
    }

    judge_score_counts_put(result, JUDGE_STR(""),
                           verdict ? (int64_t) (verdict->overall / 5) : -1);

    for (i = 0; i < n; i++) {
        score = verdict->scores[i].score;
        if (score >= 0) {              /* not NAN */
            judge_score_counts_put(result, rubric->criteria[i].id,
                                   (int64_t) (score / 5));
        }
    }

    return JUDGE_OK;
}


/* Finds the slot of the row or takes a free one; NULL: no slot is free. */

static judge_score_slot_t *
judge_score_counts_slot(judge_score_counts_t *counts,
    const judge_hours_row_t *row)
{
    size_t              i;
    uint64_t            hash;
    judge_score_slot_t  slot = { .hour = row->hour }, *s;

    judge_id_set(&slot.org, row->org);
    judge_id_set(&slot.judge_id, row->judge_id);
    judge_id_set(&slot.criterion_id, row->criterion_id);
    memcpy(slot.route, row->route.data, row->route.len);

    hash = judge_mix(judge_fnv(JUDGE_FNV_START, (char *) &slot,
                               offsetof(judge_score_slot_t, n)));

    for (i = hash % JUDGE_SCORE_INDEX; counts->index[i];
         i = (i + 1) % JUDGE_SCORE_INDEX)
    {
        s = &counts->slots[counts->index[i] - 1];
        if (memcmp(s, &slot, offsetof(judge_score_slot_t, n)) == 0) {
            return s;
        }
    }

    if (counts->used == JUDGE_SCORE_SLOTS) {
        return NULL;
    }

    s = &counts->slots[counts->used++];
    *s = slot;
    counts->index[i] = (uint16_t) counts->used;

    return s;
}


size_t
judge_score_counts_add(judge_score_counts_t *counts,
    const judge_hours_row_t *rows, size_t n)
{
    size_t               i;
    judge_score_slot_t  *slot;

    if (!judge_score_counts_lock(counts)) {
        return n;
    }

    for (i = 0; i < n; i++) {
        slot = judge_score_counts_slot(counts, &rows[i]);
        if (slot == NULL) {
            break;
        }

        slot->n[rows[i].bin < 0 ? JUDGE_DRIFT_BINS : rows[i].bin]
            += (uint32_t) rows[i].n;
    }

    (void) pthread_mutex_unlock(&counts->mutex);

    return i;
}


static void
judge_score_counts_rows(const judge_score_slot_t *s, judge_hours_row_t *rows,
    size_t *n)
{
    size_t  i;

    for (i = 0; i <= JUDGE_DRIFT_BINS; i++) {
        if (s->n[i]) {
            rows[(*n)++] = (judge_hours_row_t) {
                .org = judge_id_str(&s->org),
                .judge_id = judge_id_str(&s->judge_id),
                .route = judge_str_c(s->route), .hour = s->hour,
                .criterion_id = judge_id_str(&s->criterion_id),
                .bin = i < JUDGE_DRIFT_BINS ? (int64_t) i : -1, .n = s->n[i]
            };
        }
    }
}


judge_rc_e
judge_score_counts_take(judge_score_counts_t *counts, judge_arena_t *arena,
    judge_hours_row_t **rows, size_t *n)
{
    size_t               i, k, used, all;
    judge_score_slot_t  *slots = NULL;

    *n = 0;
    if (!judge_score_counts_lock(counts)) {
        return JUDGE_ERROR;
    }

    used = counts->used;
    if (used) {
        slots = judge_array_alloc(arena, used, sizeof(judge_score_slot_t));
    }

    for (i = 0, all = 0; slots && i < used; i++) {
        slots[i] = counts->slots[i];
        for (k = 0; k <= JUDGE_DRIFT_BINS; k++) {
            all += slots[i].n[k] != 0;
        }
    }

    *rows = slots ? judge_array_alloc(arena, all, sizeof(judge_hours_row_t))
                  : NULL;
    if (*rows) {
        counts->used = 0;
        memset(counts->index, 0, sizeof(counts->index));
    }

    (void) pthread_mutex_unlock(&counts->mutex);

    for (i = 0; *rows && i < used; i++) {
        judge_score_counts_rows(&slots[i], *rows, n);
    }

    return *rows || used == 0 ? JUDGE_OK : JUDGE_NOMEM;
}
