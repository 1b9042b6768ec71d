/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Loads the evaluations by language models of one worker in groups, and
 * prolongs their leases until they end. */


#include <stdlib.h>

#include "work/llm/llm_run.h"


#define JUDGE_LLM_LOADS        2       /* groups that load at once */
#define JUDGE_LLM_RUN_CHUNK    4096

struct judge_llm_queue {
    judge_service_t   *service;
    judge_llm_ended_pt ended;
    void              *data;           /* argument of ended() */
    judge_llm_run_t   *first;          /* list of all runs */
    judge_llm_run_t   *unloaded;       /* list of those not loaded yet, */
    judge_llm_run_t  **last;           /* and its end */
    size_t             count;          /* of all runs */
    size_t             loads;          /* groups that are being loaded */
    bool               prolonging;
    judge_ms_t         prolonged_at;
};


static void judge_llm_group_loaded(judge_op_t *op);
static void judge_llm_group_settings_found(judge_llm_run_t *run);
static void judge_llm_group_fetched(judge_call_t *call);


judge_llm_queue_t *
judge_llm_queue_create(judge_service_t *service, judge_llm_ended_pt ended,
    void *data)
{
    judge_llm_queue_t  *queue;

    queue = calloc(1, sizeof(judge_llm_queue_t));
    if (queue == NULL) {
        return NULL;
    }

    queue->service = service;
    queue->ended = ended;
    queue->data = data;
    queue->last = &queue->unloaded;
    queue->prolonged_at = judge_now(service);

    return queue;
}


/* Returns how many runs there may be: a quarter more than models are asked at
 * once, so that the next ones are claimed and loaded meanwhile; at least four
 * more, so that without any model evaluations are claimed, too, and fail
 * instead of waiting. */

static size_t
judge_llm_queue_capacity(const judge_llm_queue_t *queue)
{
    size_t                   i, n;
    const judge_settings_t  *settings = &queue->service->settings;

    for (i = 0, n = 0; i < settings->nmodels; i++) {
        n += settings->models[i].at_once;
    }

    n += n / 4 > 4 ? n / 4 : 4;

    return n < JUDGE_LLM_RUNS ? n : JUDGE_LLM_RUNS;
}


bool
judge_llm_queue_room(const judge_llm_queue_t *queue)
{
    return queue->count < judge_llm_queue_capacity(queue);
}


/* Returns 0 if there is little room, because each claim costs a commit. */

size_t
judge_llm_queue_wanted(const judge_llm_queue_t *queue)
{
    size_t  capacity, left;

    capacity = judge_llm_queue_capacity(queue);
    left = capacity > queue->count ? capacity - queue->count : 0;

    return left * 8 >= capacity ? left : 0;
}


static void
judge_llm_queue_release(judge_llm_run_t *run)
{
    judge_llm_queue_t  *queue = run->queue;
    judge_llm_group_t  *group = run->group;

    *run->prev = run->next;
    if (run->next) {
        run->next->prev = run->prev;
    }
    queue->count--;

    judge_calibrator_release(run->entry);

    queue->ended(queue->data, &run->result);
    judge_llm_questions_free(run);
    judge_arena_destroy(run->arena);

    if (group && --group->left == 0) {
        judge_service_op_free(&group->load.op);
    }
}


/* Loads what is not loaded yet, unless enough groups are being loaded: then it
 * follows as one group.  Without memory the runs are released, and claimed
 * again after their leases. */

static void
judge_llm_queue_load(judge_llm_queue_t *queue)
{
    size_t              n;
    judge_llm_run_t    *run;
    judge_llm_group_t  *group;

    while (queue->unloaded && queue->loads < JUDGE_LLM_LOADS) {

        group = judge_service_op(sizeof(judge_llm_group_t),
                                 JUDGE_OP_QUEUE_LOAD, judge_llm_group_loaded,
                                 NULL);

        for (n = 0; queue->unloaded && n < JUDGE_LLM_TOGETHER; n++) {
            run = queue->unloaded;
            queue->unloaded = run->next_unloaded;

            if (group == NULL) {
                judge_llm_queue_release(run);
                continue;
            }

            run->group = group;
            group->runs[n] = run;
            group->jobs[n] = &run->job;
        }

        if (queue->unloaded == NULL) {
            queue->last = &queue->unloaded;
        }

        if (group) {
            group->queue = queue;
            group->left = n;
            group->load.jobs = group->jobs;
            group->load.count = n;
            queue->loads++;
            judge_submit(queue->service, &group->load.op);
        }
    }
}


void
judge_llm_queue_push(judge_llm_queue_t *queue, const judge_claimed_t *claimed)
{
    judge_arena_t    *arena;
    judge_llm_run_t  *run;

    arena = judge_arena_create(JUDGE_LLM_RUN_CHUNK);
    run = arena ? judge_calloc(arena, sizeof(judge_llm_run_t)) : NULL;
    if (run == NULL) {
        judge_arena_destroy(arena);
        return;                        /* claimed again after its lease */
    }

    run->queue = queue;
    run->release = judge_llm_queue_release;
    run->service = queue->service;
    run->arena = arena;
    run->claimed = *claimed;
    run->task.data = run;

    judge_claimed_job(&run->claimed, &run->job);

    run->next = queue->first;
    run->prev = &queue->first;
    if (queue->first) {
        queue->first->prev = &run->next;
    }
    queue->first = run;
    queue->count++;

    *queue->last = run;
    queue->last = &run->next_unloaded;

    judge_llm_queue_load(queue);
}


/* A run that could not be loaded is released: its lease runs out. */

static void
judge_llm_group_prepared(judge_task_t *task)
{
    size_t              i;
    judge_llm_group_t  *group = task->data;
    judge_llm_queue_t  *queue = group->queue;

    /* The release of the last run frees the group, and a run may be released
     * in this loop: the loop counts as one more run. */
    group->left++;

    for (i = 0; i < group->load.count; i++) {
        if (group->load.op.rc == JUDGE_OK) {
            judge_llm_run_begin(group->runs[i]);
        } else {
            judge_llm_queue_release(group->runs[i]);
        }
    }

    if (--group->left == 0) {
        judge_service_op_free(&group->load.op);
    }

    judge_llm_queue_load(queue);
}


static void
judge_llm_group_prepare(judge_task_t *task)
{
    size_t                i;
    judge_llm_group_t    *group = task->data;
    judge_llm_measure_t   measure = { 0 };

    for (i = 0; i < group->load.count; i++) {
        judge_llm_run_prepare(group->runs[i]);
        judge_llm_run_measure(group->runs[i], &measure);
        judge_llm_run_questions(group->runs[i]);
    }

    judge_arena_destroy(measure.arena);
    judge_arena_destroy(measure.scratch);
}


/* Called for each run whose settings and file have been read, and once when
 * all of these reads have been started. */

static void
judge_llm_group_arrived(judge_llm_group_t *group)
{
    if (--group->fetching == 0) {
        judge_service_compute(group->queue->service, &group->task,
                              judge_llm_group_prepare,
                              judge_llm_group_prepared, group);
    }
}


static void
judge_llm_group_loaded(judge_op_t *op)
{
    size_t              i;
    judge_llm_run_t    *run;
    judge_llm_group_t  *group = (judge_llm_group_t *) op;
    judge_llm_queue_t  *queue = group->queue;

    queue->loads--;
    group->task.data = group;

    /* Runs whose texts exceeded the load's limit are loaded next. */
    for (i = group->load.count; i < group->left; i++) {
        run = group->runs[i];
        run->group = NULL;
        run->next_unloaded = NULL;
        *queue->last = run;
        queue->last = &run->next_unloaded;
    }

    group->left = group->load.count;

    if (op->rc != JUDGE_OK) {
        judge_llm_group_prepared(&group->task);
        return;
    }

    group->fetching = 1;

    for (i = 0; i < group->load.count; i++) {
        group->fetching++;
        judge_llm_run_settings(group->runs[i], judge_llm_group_settings_found);
    }

    judge_llm_group_arrived(group);
}


static void
judge_llm_group_settings_found(judge_llm_run_t *run)
{
    if (!judge_llm_run_fetch(run, judge_llm_group_fetched)) {
        judge_llm_group_arrived(run->group);
    }
}


static void
judge_llm_group_fetched(judge_call_t *call)
{
    judge_llm_run_t  *run = call->data;

    judge_llm_group_arrived(run->group);
}


/* A run whose evaluation was deleted, claimed by another worker or ended is
 * lost: it asks nothing more, and answers to it are ignored. */

static void
judge_llm_queue_prolonged(judge_op_t *op)
{
    size_t                  i;
    judge_llm_run_t        *run;
    judge_llm_queue_t      *queue = op->data;
    judge_queue_prolong_t  *prolong = (judge_queue_prolong_t *) op;

    queue->prolonging = false;

    for (i = 0; op->rc == JUDGE_OK && i < prolong->count; i++) {
        if (prolong->rows[i].held) {
            continue;
        }

        for (run = queue->first; run; run = run->next) {
            if (judge_str_eq(run->job.id, prolong->rows[i].id)) {
                run->lost = true;
            }
        }
    }

    judge_service_op_free(op);
}


/* Prolongs the leases after a third of their time, so that no lease is lost
 * if two attempts fail. */

void
judge_llm_queue_tick(judge_llm_queue_t *queue)
{
    judge_ms_t              now;
    judge_id_t             *ids;
    judge_held_t           *lease;
    judge_llm_run_t        *run;
    judge_queue_prolong_t  *op;

    now = judge_now(queue->service);

    if (queue->first == NULL || queue->prolonging
        || now - queue->prolonged_at < queue->service->settings.lease / 3)
    {
        return;
    }

    queue->prolonged_at = now;

    op = judge_service_op(sizeof(judge_queue_prolong_t),
                          JUDGE_OP_QUEUE_PROLONG, judge_llm_queue_prolonged,
                          queue);
    if (op == NULL) {
        return;
    }

    op->lease.owner = judge_service_owner(queue->service);
    op->lease.until = now + queue->service->settings.lease;
    op->rows = judge_array_alloc(op->op.arena, queue->count,
                                 sizeof(judge_held_t));
    ids = judge_array_alloc(op->op.arena, 2 * queue->count,
                            sizeof(judge_id_t));
    if (op->rows == NULL || ids == NULL) {
        judge_service_op_free(&op->op);
        return;
    }

    for (run = queue->first; run; run = run->next, ids += 2) {
        ids[0] = run->claimed.org;
        ids[1] = run->claimed.id;
        lease = &op->rows[op->count++];
        lease->org = judge_id_str(&ids[0]);
        lease->id = judge_id_str(&ids[1]);
    }

    queue->prolonging = true;
    judge_submit(queue->service, &op->op);
}


bool
judge_llm_queue_busy(const judge_llm_queue_t *queue)
{
    return queue->count || queue->prolonging;
}
