/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What holds the evaluations by language models of a worker: they come in,
 * are loaded together, and keep their leases until they are over.
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


static size_t judge_llm_queue_capacity(const judge_llm_queue_t *models);
static judge_llm_run_t *judge_llm_run_create(judge_llm_queue_t *models,
    const judge_ticket_t *ticket);
static void judge_llm_queue_go(judge_llm_queue_t *models);
static judge_llm_group_t *judge_llm_group_create(judge_llm_queue_t *models,
    size_t n);
static void judge_llm_group_loaded(judge_op_t *op);
static void judge_llm_group_prepare(judge_task_t *task);
static void judge_llm_group_prepared(judge_task_t *task);
static void judge_llm_queue_release(judge_llm_run_t *run);
static void judge_llm_queue_drop(judge_llm_queue_t *models, size_t n);
static void judge_llm_queue_prolong(judge_llm_queue_t *models);
static void judge_llm_queue_prolonged(judge_op_t *op);
static void judge_llm_queue_lose(judge_llm_queue_t *models, judge_str_t id);


judge_llm_queue_t *
judge_llm_queue_create(judge_service_t *service, judge_llm_ended_pt ended,
    void *data)
{
    judge_llm_queue_t  *models;

    models = calloc(1, sizeof(judge_llm_queue_t));
    if (models == NULL) {
        return NULL;
    }

    models->service = service;
    models->ended = ended;
    models->data = data;
    models->last = &models->fresh;
    models->prolonged_at = judge_now(service);

    return models;
}


void
judge_llm_queue_destroy(judge_llm_queue_t *models)
{
    free(models);
}


bool
judge_llm_queue_room(const judge_llm_queue_t *models)
{
    return models->count < judge_llm_queue_capacity(models);
}


/* Not for one or two: a claim costs a commit. */

size_t
judge_llm_queue_wanted(const judge_llm_queue_t *models)
{
    size_t  capacity, left;

    capacity = judge_llm_queue_capacity(models);
    left = capacity > models->count ? capacity - models->count : 0;

    return left * 8 >= capacity ? left : 0;
}


/* Some room even without any model, so that such evaluations fail with a
 * message instead of waiting. */

static size_t
judge_llm_queue_capacity(const judge_llm_queue_t *models)
{
    size_t                   i, n;
    const judge_settings_t  *settings = &models->service->settings;

    for (i = 0, n = 0; i < settings->nmodels; i++) {
        n += settings->models[i].at_once;
    }

    n += n / 16 + 4;

    return n < JUDGE_LLM_RUNS ? n : JUDGE_LLM_RUNS;
}


void
judge_llm_queue_push(judge_llm_queue_t *models, const judge_ticket_t *ticket)
{
    judge_llm_run_t  *run;

    run = judge_llm_run_create(models, ticket);
    if (run == NULL) {
        return;                        /* its lease runs out: claimed again */
    }

    run->next = models->first;
    run->prev = &models->first;
    if (models->first) {
        models->first->prev = &run->next;
    }
    models->first = run;
    models->count++;

    *models->last = run;
    models->last = &run->fresh;

    judge_llm_queue_go(models);
}


static judge_llm_run_t *
judge_llm_run_create(judge_llm_queue_t *models, const judge_ticket_t *ticket)
{
    judge_arena_t    *arena;
    judge_llm_run_t  *run;

    arena = judge_arena_create(JUDGE_LLM_RUN_CHUNK);
    run = arena ? judge_calloc(arena, sizeof(judge_llm_run_t)) : NULL;
    if (run == NULL) {
        judge_arena_destroy(arena);
        return NULL;
    }

    run->models = models;
    run->release = judge_llm_queue_release;
    run->service = models->service;
    run->arena = arena;
    run->ticket = *ticket;

    judge_ticket_job(&run->ticket, &run->job);

    return run;
}


/* Those that come while others are being loaded are loaded together. */

static void
judge_llm_queue_go(judge_llm_queue_t *models)
{
    size_t              n;
    judge_llm_run_t    *run;
    judge_llm_group_t  *group;

    while (models->fresh && models->loads < JUDGE_LLM_LOADS) {

        n = 0;
        for (run = models->fresh; run && n < JUDGE_LLM_TOGETHER;
             run = run->fresh)
        {
            n++;
        }

        group = judge_llm_group_create(models, n);
        if (group == NULL) {
            judge_llm_queue_drop(models, n);
            continue;
        }

        for (n = 0; n < group->count; n++) {
            run = models->fresh;
            models->fresh = run->fresh;
            run->group = group;
            group->runs[n] = run;
            group->load.jobs[n] = &run->job;
        }

        if (models->fresh == NULL) {
            models->last = &models->fresh;
        }

        models->loads++;
        judge_submit(models->service, &group->load.op);
    }
}


static judge_llm_group_t *
judge_llm_group_create(judge_llm_queue_t *models, size_t n)
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

    group->models = models;
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

    group->models->loads--;

    group->task.run = judge_llm_group_prepare;
    group->task.done = judge_llm_group_prepared;
    group->task.data = group;

    if (op->rc != JUDGE_OK) {
        judge_llm_group_prepared(&group->task);
        return;
    }

    for (i = 0; i < group->count; i++) {
        judge_llm_run_want(group->runs[i]);
    }

    group->models->service->compute(group->models->service->data,
                                    &group->task);
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
    judge_llm_queue_t   *models;
    judge_llm_run_t    **runs;
    judge_llm_group_t   *group = task->data;

    models = group->models;
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

    judge_llm_queue_go(models);
}


/* Without memory to load them. */

static void
judge_llm_queue_drop(judge_llm_queue_t *models, size_t n)
{
    judge_llm_run_t  *run;

    while (n--) {
        run = models->fresh;
        models->fresh = run->fresh;
        judge_llm_queue_release(run);
    }

    if (models->fresh == NULL) {
        models->last = &models->fresh;
    }
}


static void
judge_llm_queue_release(judge_llm_run_t *run)
{
    judge_llm_queue_t  *models = run->models;
    judge_llm_group_t  *group = run->group;

    *run->prev = run->next;
    if (run->next) {
        run->next->prev = run->prev;
    }
    models->count--;

    if (run->entry) {
        judge_calibrator_release(models->service->calibrators, run->entry);
    }

    models->ended(models->data, &run->result);
    judge_llm_shots_free(run);
    judge_arena_destroy(run->arena);

    if (group && --group->left == 0) {
        judge_arena_destroy(group->arena);
    }
}


/* A third of a lease leaves time for two more tries. */

void
judge_llm_queue_tick(judge_llm_queue_t *models)
{
    judge_ms_t  now;

    now = judge_now(models->service);

    if (models->first && !models->prolonging
        && now - models->prolonged_at >= models->service->settings.lease / 3)
    {
        models->prolonged_at = now;
        judge_llm_queue_prolong(models);
    }
}


static void
judge_llm_queue_prolong(judge_llm_queue_t *models)
{
    judge_id_t             *ids;
    judge_arena_t          *arena;
    judge_lease_t          *lease;
    judge_llm_run_t        *run;
    judge_queue_prolong_t  *op;

    arena = judge_arena_create(models->count * (2 * sizeof(judge_id_t)
                                                + sizeof(judge_lease_t))
                               + 1024);
    op = arena ? judge_calloc(arena, sizeof(judge_queue_prolong_t)) : NULL;
    ids = arena ? judge_array_alloc(arena, 2 * models->count,
                                    sizeof(judge_id_t)) : NULL;
    lease = arena ? judge_array_alloc(arena, models->count,
                                      sizeof(judge_lease_t)) : NULL;
    if (op == NULL || ids == NULL || lease == NULL) {
        judge_arena_destroy(arena);
        return;
    }

    op->op.kind = JUDGE_OP_QUEUE_PROLONG;
    op->op.arena = arena;
    op->op.done = judge_llm_queue_prolonged;
    op->op.data = models;
    op->owner = judge_service_owner(models->service);
    op->until = judge_now(models->service) + models->service->settings.lease;
    op->leases = lease;

    for (run = models->first; run; run = run->next, lease++, ids += 2) {
        ids[0] = run->ticket.org;
        ids[1] = run->ticket.id;
        lease->org = judge_id_str(&ids[0]);
        lease->id = judge_id_str(&ids[1]);
        op->count++;
    }

    models->prolonging = true;
    judge_submit(models->service, &op->op);
}


static void
judge_llm_queue_prolonged(judge_op_t *op)
{
    size_t                  i;
    judge_llm_queue_t      *models = op->data;
    judge_queue_prolong_t  *prolong = (judge_queue_prolong_t *) op;

    models->prolonging = false;

    for (i = 0; op->rc == JUDGE_OK && i < prolong->count; i++) {
        if (!prolong->leases[i].held) {
            judge_llm_queue_lose(models, prolong->leases[i].id);
        }
    }

    judge_arena_destroy(op->arena);
}


/* Cancelled, taken over, or ended meanwhile: what was asked comes to
 * nothing, and nothing more is asked. */

static void
judge_llm_queue_lose(judge_llm_queue_t *models, judge_str_t id)
{
    judge_llm_run_t  *run;

    for (run = models->first; run; run = run->next) {
        if (judge_str_eq(run->job.id, id)) {
            run->lost = true;
        }
    }
}


bool
judge_llm_queue_busy(const judge_llm_queue_t *models)
{
    return models->count || models->prolonging;
}
