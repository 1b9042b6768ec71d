/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A hash table without chains: the row that was read last has the slot.  Each
 * slot has a count that is odd while the slot is written (a seqlock: Lameter
 * 2005), so that readers need no lock; writers hold a robust mutex.  If a
 * writer dies, the table is cleared. */


#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "base/core/hash.h"
#include "base/core/shared_mutex.h"
#include "work/service/metrics.h"
#include "work/service/progress.h"


typedef struct {
    uint64_t                turn;
    judge_progress_state_t  state;
} judge_progress_slot_t;

struct judge_progress {
    pthread_mutex_t        mutex;
    size_t                 count;
    size_t                 n;
    judge_progress_slot_t  slots[];
};


size_t
judge_progress_size(size_t entries)
{
    return sizeof(judge_progress_t) + entries * sizeof(judge_progress_slot_t);
}


bool
judge_progress_init(judge_progress_t *progress, size_t entries)
{
    progress->n = entries;

    return judge_shared_mutex_init(&progress->mutex);
}


size_t
judge_progress_count(const judge_progress_t *progress)
{
    return __atomic_load_n(&progress->count, __ATOMIC_RELAXED);
}


static void
judge_progress_write(judge_progress_slot_t *slot,
    const judge_progress_state_t *state)
{
    __atomic_store_n(&slot->turn, slot->turn | 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);

    if (state) {
        memcpy(&slot->state, state, sizeof(judge_progress_state_t));
    } else {
        memset(&slot->state, 0, sizeof(judge_progress_state_t));
    }

    __atomic_store_n(&slot->turn, (slot->turn | 1) + 1, __ATOMIC_RELEASE);
}


static void
judge_progress_clear(judge_progress_t *progress)
{
    size_t  i;

    for (i = 0; i < progress->n; i++) {
        judge_progress_write(&progress->slots[i], NULL);
    }

    progress->count = 0;
}


/* Whether the mutex is locked; `err` is the result of locking it. */

static bool
judge_progress_locked(judge_progress_t *progress, int err)
{
    if (err == EOWNERDEAD) {
        err = pthread_mutex_consistent(&progress->mutex);
        judge_progress_clear(progress);
    }

    return err == 0;
}


static bool
judge_progress_is(const judge_progress_state_t *state, judge_str_t org,
    judge_str_t id)
{
    return judge_str_eq(judge_id_str(&state->id), id)
           && judge_str_eq(judge_id_str(&state->org), org);
}


/* A caller without the mutex must compare the slot's count before and after it
 * copies the slot. */

static judge_progress_slot_t *
judge_progress_slot(judge_progress_t *progress, judge_str_t id)
{
    return &progress->slots[judge_mix(judge_fnv(JUDGE_FNV_START, id.data,
                                                id.len)) % progress->n];
}


bool
judge_progress_find(judge_progress_t *progress, judge_str_t org,
    judge_str_t id, judge_ms_t now, judge_progress_state_t *state)
{
    uint64_t                turn;
    judge_progress_slot_t  *slot;

    slot = judge_progress_slot(progress, id);
    turn = __atomic_load_n(&slot->turn, __ATOMIC_ACQUIRE);
    memcpy(state, &slot->state, sizeof(judge_progress_state_t));
    __atomic_thread_fence(__ATOMIC_ACQUIRE);

    return turn % 2 == 0
           && __atomic_load_n(&slot->turn, __ATOMIC_RELAXED) == turn
           && judge_progress_is(state, org, id)
           && now - state->read_at < JUDGE_PROGRESS_FRESH
           && state->read_at - now < JUDGE_PROGRESS_FRESH;
}


void
judge_progress_state(judge_progress_state_t *state, judge_str_t org,
    const judge_batch_row_t *row, judge_ms_t now)
{
    size_t              n;
    judge_str_t         none = { 0, NULL };
    judge_batch_row_t  *numbers = &state->row;

    memset(state, 0, sizeof(judge_progress_state_t));
    judge_id_set(&state->org, org);
    judge_id_set(&state->id, row->id);
    n = row->status.len;
    memcpy(state->status, row->status.data,
           n < sizeof(state->status) ? n : sizeof(state->status) - 1);
    state->read_at = now;

    *numbers = *row;
    numbers->id = numbers->status = numbers->content_type = none;
    numbers->judge_ids = numbers->judge_versions = numbers->name = none;
    numbers->description = numbers->content_ids = none;
}


void
judge_progress_keep(judge_service_t *service,
    const judge_progress_state_t *state, uint64_t commits)
{
    judge_progress_t       *progress = service->progress;
    judge_progress_slot_t  *slot;

    if (!judge_progress_locked(progress,
                               pthread_mutex_trylock(&progress->mutex)))
    {
        return;
    }

    if (judge_metrics_get(service->metrics, JUDGE_METRIC_COMMITS) != commits) {
        (void) pthread_mutex_unlock(&progress->mutex);
        return;
    }

    slot = judge_progress_slot(progress, judge_id_str(&state->id));

    if (slot->state.id.text[0] == '\0') {
        progress->count++;

    } else if (!judge_progress_is(&slot->state, judge_id_str(&state->org),
                                  judge_id_str(&state->id)))
    {
        judge_metrics_add(service->metrics, JUDGE_METRIC_PROGRESS_EVICTED, 1);
    }

    judge_progress_write(slot, state);
    (void) pthread_mutex_unlock(&progress->mutex);
}


void
judge_progress_forget(judge_service_t *service)
{
    judge_progress_t  *progress = service->progress;

    if (judge_progress_locked(progress, pthread_mutex_lock(&progress->mutex)))
    {
        judge_progress_clear(progress);
        (void) pthread_mutex_unlock(&progress->mutex);
    }
}


/* Reads a row again after a commit.  If that fails the slot is emptied, so
 * that the next request reads it. */

static void
judge_progress_read(judge_service_t *service, judge_runner_t *db,
    judge_progress_slot_t *slot)
{
    judge_id_t              org, id;
    judge_batch_find_t      read;
    judge_progress_state_t  state;

    org = slot->state.org;
    id = slot->state.id;
    read = (judge_batch_find_t) {
        .op = { .kind = JUDGE_OP_BATCH_FIND, .org = judge_id_str(&org),
                .arena = judge_arena_create(4096), .rc = JUDGE_NOMEM },
        .id = judge_id_str(&id)
    };

    if (read.op.arena) {
        (void) judge_runner_reads(db, &read.op);
    }

    if (read.op.rc == JUDGE_OK) {
        judge_progress_state(&state, read.op.org, &read.row,
                             judge_now(service));
        judge_progress_write(slot, &state);

    } else {
        judge_progress_write(slot, NULL);
        service->progress->count--;
    }

    judge_arena_destroy(read.op.arena);
}


bool
judge_progress_committed(judge_service_t *service, judge_runner_t *db)
{
    bool                    locked;
    size_t                  i;
    judge_progress_t       *progress = service->progress;
    judge_subject_t        *subject;
    judge_subjects_t       *changed = judge_runner_subjects(db);
    judge_progress_slot_t  *slot;

    if (changed->count == 0 && !changed->more) {
        return false;
    }

    locked = judge_progress_locked(progress,
                                   pthread_mutex_lock(&progress->mutex));

    if (locked && changed->more) {
        judge_progress_clear(progress);
    }

    for (i = 0; i < changed->count; i++) {
        subject = &changed->list[i];
        slot = judge_progress_slot(progress, judge_id_str(&subject->id));

        /* In a fleet the changed counter makes readers read the row again, so
         * that it is not read here. */
        if (locked && !service->settings.fleet
            && judge_progress_is(&slot->state, judge_id_str(&subject->org),
                                 judge_id_str(&subject->id)))
        {
            judge_progress_read(service, db, slot);
        }

        judge_metrics_changed(service->metrics, judge_id_str(&subject->id));
    }

    if (locked) {
        (void) pthread_mutex_unlock(&progress->mutex);
    }

    if (changed->more) {
        judge_metrics_changed_all(service->metrics);
    }

    changed->count = 0;
    changed->more = false;

    return true;
}
