/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <stdlib.h>
#include <string.h>

#include "base/core/hash.h"
#include "work/service/live.h"
#include "work/service/metrics.h"


#define JUDGE_LIVE_CHAINS  1024

/* An operation that reads a row; its first member is the operation. */
typedef struct {
    union {
        judge_op_t             op;
        judge_batch_find_t     batch;
        judge_training_find_t  job;
    }                    read;
    judge_service_t     *service;
    judge_live_entry_t  *entry;        /* has an arena of its own */
    uint64_t             commits;      /* counter before the read */
    uint64_t             changes;      /* the row's, before the read */
    void               (*done)(void *data);
    void                *data;
} judge_live_load_t;

struct judge_live {
    judge_live_entry_t  *found;        /* for judge_live_take() */
    judge_rc_e           rc;           /* outcome of reading it */
    size_t               count;
    size_t               bytes;
    judge_live_entry_t  *newest;
    judge_live_entry_t  *oldest;
    judge_live_entry_t  *chains[JUDGE_LIVE_CHAINS];
};


static void judge_live_loaded(judge_op_t *op);


bool
judge_live_create(judge_service_t *service)
{
    service->live = calloc(1, sizeof(judge_live_t));

    return service->live != NULL;
}


static void
judge_live_unlink(judge_live_t *live, judge_live_entry_t *entry)
{
    *(entry->newer ? &entry->newer->older : &live->newest) = entry->older;
    *(entry->older ? &entry->older->newer : &live->oldest) = entry->newer;
}


static void
judge_live_drop(judge_live_t *live, judge_live_entry_t **at)
{
    judge_live_entry_t  *entry = *at;

    *at = entry->chain;
    judge_live_unlink(live, entry);
    live->count--;
    live->bytes -= entry->bytes;
    free((char *) entry->body.data);
    judge_arena_destroy(entry->kept);
    judge_arena_destroy(entry->arena);
}


void
judge_live_destroy(judge_service_t *service)
{
    size_t  i;

    for (i = 0; service->live && i < JUDGE_LIVE_CHAINS; i++) {
        while (service->live->chains[i]) {
            judge_live_drop(service->live, &service->live->chains[i]);
        }
    }

    free(service->live);
    service->live = NULL;
}


static bool
judge_live_is(const judge_live_entry_t *entry, judge_str_t org, judge_str_t id)
{
    return judge_str_eq(judge_id_str(&entry->id), id)
           && judge_str_eq(judge_id_str(&entry->org), org);
}


/* Returns where the pointer to the entry is, or the end of its chain. */

static judge_live_entry_t **
judge_live_at(judge_live_t *live, judge_str_t org, judge_str_t id)
{
    judge_live_entry_t  **at;

    at = &live->chains[judge_fnv(JUDGE_FNV_START, id.data, id.len)
                       % JUDGE_LIVE_CHAINS];

    while (*at && !judge_live_is(*at, org, id)) {
        at = &(*at)->chain;
    }

    return at;
}


static bool
judge_live_is_job(judge_str_t id)
{
    return id.len > 3 && memcmp(id.data, "trj", 3) == 0;
}


/* Whether the entry's strings are valid for the state.  A batch's never
 * change; a job's change only when a worker claims it and when it ends. */

static bool
judge_live_current(judge_live_entry_t *entry,
    const judge_progress_state_t *state)
{
    const char  *now = state->status, *then = entry->state.status;

    if (!judge_live_is_job(judge_id_str(&entry->id))) {
        return true;
    }

    return state->version == entry->state.version
           || ((strcmp(now, "training") == 0 || strcmp(now, "validating") == 0)
               && (strcmp(then, "training") == 0
                   || strcmp(then, "validating") == 0));
}


/* Combines the state's numbers with the strings of the row that was read. */

static void
judge_live_overlay(judge_live_entry_t *entry)
{
    judge_batch_row_t             *b = &entry->batch, batch = *b;
    judge_training_row_t          *j = &entry->job, job = *j;
    const judge_progress_state_t  *state = &entry->state;

    if (!judge_live_is_job(judge_id_str(&entry->id))) {
        *b = state->row.batch;
        b->id = batch.id;
        b->status = judge_str_c(state->status);
        b->content_type = batch.content_type;
        b->judge_ids = batch.judge_ids;
        b->judge_versions = batch.judge_versions;
        b->name = batch.name;
        b->description = batch.description;
        b->content_ids = batch.content_ids;
        return;
    }

    *j = state->row.job;
    j->org = job.org;
    j->id = job.id;
    j->judge_id = job.judge_id;
    j->type = job.type;
    j->status = judge_str_c(state->status);
    j->created_by = job.created_by;
    j->execution_id = job.execution_id;
    j->allocation = job.allocation;
    j->phase = judge_str_c(state->phase[0] ? state->phase : NULL);
    j->config = job.config;
    j->options = job.options;
    j->summary = job.summary;
    j->metrics = job.metrics;
    j->results = job.results;
    j->error = job.error;
}


static void
judge_live_link(judge_live_t *live, judge_live_entry_t *entry)
{
    entry->newer = NULL;
    entry->older = live->newest;
    *(live->newest ? &live->newest->newer : &live->oldest) = entry;
    live->newest = entry;
}


bool
judge_live_ready(judge_service_t *service, judge_str_t org, judge_str_t id)
{
    judge_live_t            *live = service->live;
    judge_live_entry_t      *entry;
    judge_progress_state_t   state;

    if (live->found && judge_live_is(live->found, org, id)) {
        return true;                   /* it was read for this call */
    }

    live->found = NULL;
    live->rc = JUDGE_OK;
    entry = *judge_live_at(live, org, id);

    if (!judge_progress_find(service->progress, org, id, judge_now(service),
                             &state)
        || entry == NULL || !judge_live_current(entry, &state)
        || (service->settings.fleet
            && state.changes != judge_metrics_endings(service->metrics, id)))
    {
        return false;
    }

    entry->state = state;
    judge_live_overlay(entry);
    judge_live_unlink(live, entry);
    judge_live_link(live, entry);
    judge_metrics_add(service->metrics, JUDGE_METRIC_PROGRESS, 1);
    live->found = entry;

    return true;
}


judge_rc_e
judge_live_take(judge_service_t *service, judge_live_entry_t **entry)
{
    judge_rc_e     rc;
    judge_live_t  *live = service->live;

    rc = live->found ? live->rc : JUDGE_ERROR;
    *entry = rc == JUDGE_OK ? live->found : NULL;
    live->found = NULL;
    live->rc = JUDGE_OK;

    return rc;
}


/* Reads the row into a new entry, which replaces the old one. */

bool
judge_live_load(judge_service_t *service, judge_str_t org, judge_str_t id,
    void (*done)(void *data), void *data)
{
    judge_arena_t       *arena;
    judge_live_load_t   *load;
    judge_live_entry_t  *entry;

    arena = judge_arena_create(2048);
    entry = arena ? judge_calloc(arena, sizeof(judge_live_entry_t)) : NULL;
    load = entry ? calloc(1, sizeof(judge_live_load_t)) : NULL;
    if (load == NULL) {
        judge_arena_destroy(arena);
        return false;
    }

    entry->arena = arena;
    judge_id_set(&entry->org, org);
    judge_id_set(&entry->id, id);

    load->service = service;
    load->entry = entry;
    load->done = done;
    load->data = data;
    load->read.op.org = judge_id_str(&entry->org);
    load->read.op.arena = arena;
    load->read.op.done = judge_live_loaded;

    if (judge_live_is_job(id)) {
        load->read.op.kind = JUDGE_OP_TRAINING_FIND;
        load->read.job.id = judge_id_str(&entry->id);
    } else {
        load->read.op.kind = JUDGE_OP_BATCH_FIND;
        load->read.batch.id = judge_id_str(&entry->id);
    }

    judge_metrics_add(service->metrics, JUDGE_METRIC_PROGRESS_READ, 1);
    load->commits = judge_metrics_get(service->metrics, JUDGE_METRIC_COMMITS);
    load->changes = judge_metrics_endings(service->metrics, id);
    judge_submit(service, &load->read.op);

    return true;
}


/* Counts the bytes of an entry that has grown, and evicts the oldest ones. */

static void
judge_live_trim(judge_service_t *service, judge_live_entry_t *entry)
{
    size_t               bytes;
    judge_live_t        *live = service->live;
    judge_live_entry_t  *old;

    bytes = judge_arena_size(entry->arena) + entry->body.len
            + (entry->kept ? judge_arena_size(entry->kept) : 0);
    live->bytes += bytes - entry->bytes;
    entry->bytes = bytes;

    while (live->bytes > service->settings.max_live && live->oldest != entry) {
        old = live->oldest;
        judge_live_drop(live, judge_live_at(live, judge_id_str(&old->org),
                                            judge_id_str(&old->id)));
    }
}


static void
judge_live_put(judge_service_t *service, judge_live_entry_t *entry)
{
    judge_str_t           org, id;
    judge_live_t         *live = service->live;
    judge_live_entry_t  **at;

    org = judge_id_str(&entry->org);
    id = judge_id_str(&entry->id);

    at = judge_live_at(live, org, id);
    if (*at) {
        judge_live_drop(live, at);
        at = judge_live_at(live, org, id);
    }

    *at = entry;
    live->count++;
    judge_live_link(live, entry);
    judge_live_trim(service, entry);
}


static judge_rc_e
judge_live_make(judge_live_load_t *load)
{
    judge_rc_e            rc;
    judge_str_t           org, id;
    judge_service_t      *service = load->service;
    judge_live_entry_t   *entry = load->entry, **at;

    rc = load->read.op.rc;
    org = judge_id_str(&entry->org);
    id = judge_id_str(&entry->id);

    if (rc != JUDGE_OK) {
        at = judge_live_at(service->live, org, id);
        if (*at && rc == JUDGE_NOT_FOUND) {
            judge_live_drop(service->live, at);
        }
        return rc;
    }

    if (judge_live_is_job(id)) {
        entry->job = load->read.job.row;
        judge_progress_job(&entry->state, &entry->job, judge_now(service));
    } else {
        entry->batch = load->read.batch.row;
        judge_progress_batch(&entry->state, org, &entry->batch,
                             judge_now(service));
    }

    entry->state.changes = load->changes;
    judge_live_put(service, entry);
    (void) judge_progress_keep(service, &entry->state, load->commits);

    return JUDGE_OK;
}


/* judge_live_take() returns the entry within done(), but not afterwards: a
 * later caller must not get a row that may be out of date. */

static void
judge_live_loaded(judge_op_t *op)
{
    judge_rc_e          rc;
    judge_live_t       *live;
    judge_live_load_t  *load = (judge_live_load_t *) op;

    live = load->service->live;
    rc = judge_live_make(load);
    live->rc = rc;
    live->found = load->entry;

    load->done(load->data);

    if (rc != JUDGE_OK) {
        judge_arena_destroy(load->entry->arena);
    }
    live->rc = JUDGE_OK;
    live->found = NULL;
    free(load);
}


void
judge_live_keep_body(judge_service_t *service, judge_live_entry_t *entry,
    judge_str_t body)
{
    char  *copy;

    free((char *) entry->body.data);
    entry->body = (judge_str_t) { 0, NULL };
    copy = entry->state.version ? malloc(body.len) : NULL;

    if (copy) {
        memcpy(copy, body.data, body.len);
        entry->body = (judge_str_t) { body.len, copy };
        entry->rendered = entry->state.version;
        entry->rendered_at = judge_now(service);
    }

    judge_live_trim(service, entry);
}


judge_str_t
judge_live_body(const judge_service_t *service,
    const judge_live_entry_t *entry)
{
    return entry->body.data && entry->rendered == entry->state.version
           && judge_now(service) - entry->rendered_at < JUDGE_LIVE_BODY
           ? entry->body : (judge_str_t) { 0, NULL };
}


void
judge_live_keep_failures(judge_service_t *service, judge_live_entry_t *entry,
    const judge_batch_failures_t *failures)
{
    size_t                  i;
    judge_arena_t          *arena;
    judge_batch_failure_t  *rows;

    judge_arena_destroy(entry->kept);
    entry->kept = arena = judge_arena_create(1024);
    entry->failed = 0;

    rows = arena ? judge_array_alloc(arena, failures->count, sizeof(*rows))
                 : NULL;

    for (i = 0; rows && i < failures->count; i++) {
        rows[i].count = failures->rows[i].count;
        rows[i].code = judge_str_dup(arena, failures->rows[i].code);
        rows = rows[i].code.data ? rows : NULL;
    }

    if (rows) {
        entry->failures = rows;
        entry->nfailures = failures->count;
        entry->failed = entry->state.failures;
    }

    judge_live_trim(service, entry);
}


size_t
judge_live_count(const judge_service_t *service, size_t *bytes)
{
    *bytes = service->live->bytes;

    return service->live->count;
}
