/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The evaluations by language models in one worker: pushed, loaded in groups,
 * with their leases prolonged until they end.
 */


#include <stdlib.h>
#include <string.h>

#include "work/llm/llm_run.h"


#define JUDGE_LLM_LOADS        2       /* under way at once */
#define JUDGE_LLM_TOGETHER     32      /* evaluations in one */
#define JUDGE_LLM_RUN_CHUNK    4096

struct judge_llm_queue {
    judge_service_t   *service;
    judge_llm_ended_pt ended;
    void              *data;           /* of ended() */
    judge_llm_run_t   *first;          /* all that are under way */
    judge_llm_run_t   *fresh;          /* not yet loaded, in their order */
    judge_llm_run_t  **last;
    size_t             count;
    size_t             loads;
    bool               prolonging;
    judge_ms_t         prolonged_at;
};


static size_t judge_llm_queue_capacity(const judge_llm_queue_t *queue);
static judge_llm_run_t *judge_llm_run_create(judge_llm_queue_t *queue,
    const judge_ticket_t *ticket);
static void judge_llm_queue_go(judge_llm_queue_t *queue);
static judge_llm_group_t *judge_llm_group_create(judge_llm_queue_t *queue,
    size_t n);
static void judge_llm_group_loaded(judge_op_t *op);
static void judge_llm_group_prepare(judge_task_t *task);
static void judge_llm_group_prepared(judge_task_t *task);
static void judge_llm_queue_release(judge_llm_run_t *run);
static void judge_llm_queue_drop(judge_llm_queue_t *queue, size_t n);
static void judge_llm_queue_prolong(judge_llm_queue_t *queue);
static void judge_llm_queue_prolonged(judge_op_t *op);
static void judge_llm_queue_lose(judge_llm_queue_t *queue, judge_str_t id);


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
    queue->last = &queue->fresh;
    queue->prolonged_at = judge_now(service);

    return queue;
}


void
judge_llm_queue_destroy(judge_llm_queue_t *queue)
{
    free(queue);
}


bool
judge_llm_queue_room(const judge_llm_queue_t *queue)
{
    return queue->count < judge_llm_queue_capacity(queue);
}


/* Not for one or two: a claim costs a commit. */

size_t
judge_llm_queue_wanted(const judge_llm_queue_t *queue)
{
    size_t  capacity, left;

    capacity = judge_llm_queue_capacity(queue);
    left = capacity > queue->count ? capacity - queue->count : 0;

    return left * 8 >= capacity ? left : 0;
}


/* Some room even without any model, so that such evaluations fail with a
 * message instead of waiting. */

static size_t
judge_llm_queue_capacity(const judge_llm_queue_t *queue)
{
    size_t                   i, n;
    const judge_settings_t  *settings = &queue->service->settings;

    for (i = 0, n = 0; i < settings->nmodels; i++) {
        n += settings->models[i].at_once;
    }

    n += n / 16 + 4;

    return n < JUDGE_LLM_RUNS ? n : JUDGE_LLM_RUNS;
}


void
judge_llm_queue_push(judge_llm_queue_t *queue, const judge_ticket_t *ticket)
{
    judge_llm_run_t  *run;

    run = judge_llm_run_create(queue, ticket);
    if (run == NULL) {
        return;                        /* its lease runs out: claimed again */
    }

    run->next = queue->first;
    run->prev = &queue->first;
    if (queue->first) {
        queue->first->prev = &run->next;
    }
    queue->first = run;
    queue->count++;

    *queue->last = run;
    queue->last = &run->fresh;

    judge_llm_queue_go(queue);
}


static judge_llm_run_t *
judge_llm_run_create(judge_llm_queue_t *queue, const judge_ticket_t *ticket)
{
    judge_arena_t    *arena;
    judge_llm_run_t  *run;

    arena = judge_arena_create(JUDGE_LLM_RUN_CHUNK);
    run = arena ? judge_calloc(arena, sizeof(judge_llm_run_t)) : NULL;
    if (run == NULL) {
        judge_arena_destroy(arena);
        return NULL;
    }

    run->queue = queue;
    run->release = judge_llm_queue_release;
    run->service = queue->service;
    run->arena = arena;
    run->ticket = *ticket;

    judge_ticket_job(&run->ticket, &run->job);

    return run;
}


/* Those that come while others are being loaded are loaded together. */

static void
judge_llm_queue_go(judge_llm_queue_t *queue)
{
    size_t              n;
    judge_llm_run_t    *run;
    judge_llm_group_t  *group;

    while (queue->fresh && queue->loads < JUDGE_LLM_LOADS) {

        n = 0;
        for (run = queue->fresh; run && n < JUDGE_LLM_TOGETHER;
             run = run->fresh)
        {
            n++;
        }

        group = judge_llm_group_create(queue, n);
        if (group == NULL) {
            judge_llm_queue_drop(queue, n);
            continue;
        }

        for (n = 0; n < group->count; n++) {
            run = queue->fresh;
            queue->fresh = run->fresh;
            run->group = group;
            group->runs[n] = run;
            group->load.jobs[n] = &run->job;
        }

        if (queue->fresh == NULL) {
            queue->last = &queue->fresh;
        }

        queue->loads++;
        judge_submit(queue->service, &group->load.op);
    }
}


static judge_llm_group_t *
judge_llm_group_create(judge_llm_queue_t *queue, size_t n)
{
    judge_arena_t      *arena;
    judge_llm_group_t  *group;

    arena = judge_arena_create(8192);
    group = arena ? judge_calloc(arena, sizeof(judge_llm_group_t)) : NULL;

    if (group) {
        group->runs = judge_array_alloc(arena, n, sizeof(judge_llm_run_t *));
        group->load.jobs = judge_array_alloc(arena, n, sizeof(judge_job_t *));
    }

    if (group == NULL || group->runs == NULL || group->load.jobs == NULL) {
        judge_arena_destroy(arena);
        return NULL;
    }

    group->queue = queue;
    group->arena = arena;
    group->count = n;
    group->left = n;

    group->load.op.kind = JUDGE_OP_QUEUE_LOAD;
    group->load.op.arena = arena;
    group->load.op.done = judge_llm_group_loaded;
    group->load.op.data = group;
    group->load.count = n;

    return group;
}


static void
judge_llm_group_loaded(judge_op_t *op)
{
    size_t              i;
    judge_llm_group_t  *group = op->data;

    group->queue->loads--;

    group->task.data = group;

    if (op->rc != JUDGE_OK) {
        judge_llm_group_prepared(&group->task);
        return;
    }

    for (i = 0; i < group->count; i++) {
        judge_llm_run_want(group->runs[i]);
    }

    judge_service_compute(group->queue->service, &group->task,
                          judge_llm_group_prepare, judge_llm_group_prepared,
                          group);
}


static void
judge_llm_group_prepare(judge_task_t *task)
{
    size_t                i;
    judge_llm_group_t    *group = task->data;
    judge_llm_measure_t   measure;

    memset(&measure, 0, sizeof(judge_llm_measure_t));

    for (i = 0; i < group->count; i++) {
        judge_llm_run_prepare(group->runs[i]);
        judge_llm_run_measure(group->runs[i], &measure);
        judge_llm_run_shots(group->runs[i]);
    }

    judge_arena_destroy(measure.arena);
    judge_arena_destroy(measure.scratch);
}


/* A run that could not be loaded is released: its lease runs out. */

static void
judge_llm_group_prepared(judge_task_t *task)
{
    bool                 loaded;
    size_t               i, n;
    judge_llm_queue_t   *queue;
    judge_llm_run_t    **runs;
    judge_llm_group_t   *group = task->data;

    queue = group->queue;
    loaded = group->load.op.rc == JUDGE_OK;
    runs = group->runs;
    n = group->count;

    /* The group goes with the last of its runs: not before the loop is
     * over. */
    group->left++;

    for (i = 0; i < n; i++) {
        if (loaded) {
            judge_llm_run_begin(runs[i]);
        } else {
            judge_llm_queue_release(runs[i]);
        }
    }

    if (--group->left == 0) {
        judge_arena_destroy(group->arena);
    }

    judge_llm_queue_go(queue);
}


/* Without memory to load them. */

static void
judge_llm_queue_drop(judge_llm_queue_t *queue, size_t n)
{
    judge_llm_run_t  *run;

    while (n--) {
        run = queue->fresh;
        queue->fresh = run->fresh;
        judge_llm_queue_release(run);
    }

    if (queue->fresh == NULL) {
        queue->last = &queue->fresh;
    }
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

    if (run->entry) {
        judge_calibrator_release(queue->service->calibrators, run->entry);
    }

    queue->ended(queue->data, &run->result);
    judge_llm_shots_free(run);
    judge_arena_destroy(run->arena);

    if (group && --group->left == 0) {
        judge_arena_destroy(group->arena);
    }
}


/* A third of a lease leaves time for two more tries. */

void
judge_llm_queue_tick(judge_llm_queue_t *queue)
{
    judge_ms_t  now;

    now = judge_now(queue->service);

    if (queue->first && !queue->prolonging
        && now - queue->prolonged_at >= queue->service->settings.lease / 3)
    {
        queue->prolonged_at = now;
        judge_llm_queue_prolong(queue);
    }
}


static void
judge_llm_queue_prolong(judge_llm_queue_t *queue)
{
    judge_id_t             *ids;
    judge_arena_t          *arena;
    judge_lease_t          *lease;
    judge_llm_run_t        *run;
    judge_queue_prolong_t  *op;

    arena = judge_arena_create(queue->count * (2 * sizeof(judge_id_t)
                                               + sizeof(judge_lease_t))
                               + 1024);
    op = arena ? judge_calloc(arena, sizeof(judge_queue_prolong_t)) : NULL;
    ids = arena ? judge_array_alloc(arena, 2 * queue->count,
                                    sizeof(judge_id_t)) : NULL;
    lease = arena ? judge_array_alloc(arena, queue->count,
                                      sizeof(judge_lease_t)) : NULL;
    if (op == NULL || ids == NULL || lease == NULL) {
        judge_arena_destroy(arena);
        return;
    }

    op->op.kind = JUDGE_OP_QUEUE_PROLONG;
    op->op.arena = arena;
    op->op.done = judge_llm_queue_prolonged;
    op->op.data = queue;
    op->owner = judge_service_owner(queue->service);
    op->until = judge_now(queue->service) + queue->service->settings.lease;
    op->leases = lease;

    for (run = queue->first; run; run = run->next, lease++, ids += 2) {
        ids[0] = run->ticket.org;
        ids[1] = run->ticket.id;
        lease->org = judge_id_str(&ids[0]);
        lease->id = judge_id_str(&ids[1]);
        op->count++;
    }

    queue->prolonging = true;
    judge_submit(queue->service, &op->op);
}


static void
judge_llm_queue_prolonged(judge_op_t *op)
{
    size_t                  i;
    judge_llm_queue_t      *queue = op->data;
    judge_queue_prolong_t  *prolong = (judge_queue_prolong_t *) op;

    queue->prolonging = false;

    for (i = 0; op->rc == JUDGE_OK && i < prolong->count; i++) {
        if (!prolong->leases[i].held) {
            judge_llm_queue_lose(queue, prolong->leases[i].id);
        }
    }

    judge_arena_destroy(op->arena);
}


/* Cancelled, taken over, or ended meanwhile: what was asked comes to
 * nothing, and nothing more is asked. */

static void
judge_llm_queue_lose(judge_llm_queue_t *queue, judge_str_t id)
{
    judge_llm_run_t  *run;

    for (run = queue->first; run; run = run->next) {
        if (judge_str_eq(run->job.id, id)) {
            run->lost = true;
        }
    }
}


bool
judge_llm_queue_busy(const judge_llm_queue_t *queue)
{
    return queue->count || queue->prolonging;
}
