/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "work/calibration/calibrator_cache.h"
#include "work/calibration/residual_intervals.h"


#define JUDGE_CALIBRATOR_ENTRIES  128

/* The residuals of corrections are read again after so many ms. */
#define JUDGE_CALIBRATOR_RESIDUALS_EVERY  5000

/* Time between two reads of the state of a refit: while its job runs, and if
 * there is no job. */
#define JUDGE_CALIBRATOR_REFIT  200    /* ms */
#define JUDGE_CALIBRATOR_REFIT_NONE  5000

typedef struct judge_calibrator_wait  judge_calibrator_wait_t;

/* A caller of judge_calibrator_hold() that waits for the entry. */
struct judge_calibrator_wait {
    judge_calibrator_done_pt   done;
    void                      *data;
    judge_calibrator_wait_t   *next;
};

struct judge_calibrator_entry {
    judge_calibrator_find_t    find;   /* first: see judge_service_op() */
    judge_calibrator_t         calibrator;
    judge_rc_e                 rc;     /* outcome of parsing the bytes */
    bool                       made;
    judge_residual_list_t     *residuals;  /* owned; NULL: not read yet */
    pthread_mutex_t            mutex;  /* protects the four members above */
    judge_ms_t                 residuals_at;       /* time of that read */
    size_t                     holders;
    size_t                     bytes;  /* counted in cache->bytes */
    bool                       refits; /* an evaluation needs a refit */
    judge_refit_t              refit;  /* this and the rest: loop only */
    judge_ms_t                 refit_at;         /* time of its last read */
    judge_service_t           *service;
    bool                       asking; /* an operation is under way */
    judge_calibrator_wait_t   *waiting;
    judge_calibrator_wait_t  **last;
    judge_calibrator_entry_t  *next;
};

struct judge_calibrator_cache {
    judge_calibrator_entry_t  *first;  /* most recently used */
    size_t                     count;
    size_t                     bytes;
};


static void judge_calibrator_refitted(void *data, const judge_refit_t *refit);


static void
judge_calibrator_free(judge_calibrator_entry_t *entry)
{
    if (entry->residuals) {
        judge_service_op_free(&entry->residuals->op);
    }

    (void) pthread_mutex_destroy(&entry->mutex);
    judge_service_op_free(&entry->find.op);
}


void
judge_calibrator_cache_empty(judge_service_t *service)
{
    judge_calibrator_entry_t  *entry;
    judge_calibrator_cache_t  *cache = service->calibrators;

    while ((entry = cache->first)) {
        cache->first = entry->next;
        if (!entry->asking) {
            judge_calibrator_free(entry);
        }
    }

    cache->count = 0;
    cache->bytes = 0;
}


const judge_background_t  judge_calibrator_cache_background = {
    .size = sizeof(judge_calibrator_cache_t),
    .at = offsetof(judge_service_t, calibrators),
    .destroy = judge_calibrator_cache_empty
};


static judge_calibrator_entry_t *
judge_calibrator_find(judge_calibrator_cache_t *cache, judge_str_t org,
    judge_str_t judge_id, int64_t version)
{
    judge_calibrator_entry_t  *entry, **at;

    for (at = &cache->first; (entry = *at); at = &entry->next) {
        if (entry->find.version == version
            && judge_str_eq(entry->find.judge_id, judge_id)
            && judge_str_eq(entry->find.op.org, org))
        {
            *at = entry->next;
            entry->next = cache->first;
            cache->first = entry;
            return entry;
        }
    }

    return NULL;
}


/* Answers all callers that wait.  The last of them may release the entry,
 * which must not be touched afterwards. */

static void
judge_calibrator_answer(judge_calibrator_entry_t *entry,
    judge_calibrator_entry_t *answer)
{
    judge_calibrator_wait_t  *wait, *next;

    next = entry->waiting;
    entry->waiting = NULL;
    entry->last = &entry->waiting;
    entry->asking = false;

    while ((wait = next)) {
        next = wait->next;
        wait->done(wait->data, answer);
        free(wait);
    }
}


/* If a thread is using the old residuals, the new ones are dropped: the event
 * loop must not wait for the mutex. */

static void
judge_calibrator_refreshed(judge_op_t *op)
{
    judge_residual_list_t     *old = (judge_residual_list_t *) op;
    judge_calibrator_entry_t  *entry = op->data;

    if (op->rc == JUDGE_OK) {
        entry->residuals_at = judge_now(entry->service);

        if (pthread_mutex_trylock(&entry->mutex) == 0) {
            old = entry->residuals;
            entry->residuals = (judge_residual_list_t *) op;
            (void) pthread_mutex_unlock(&entry->mutex);
        }
    }

    if (old) {
        judge_service_op_free(&old->op);
    }

    judge_calibrator_answer(entry, entry);
}


/* Reads the state of the refit and the residuals again, if it is time, and
 * answers.  If a read fails, the entry is used as it is. */

static void
judge_calibrator_refresh(judge_calibrator_entry_t *entry)
{
    judge_ms_t                now;
    judge_residual_list_t    *list;
    judge_calibrator_find_t  *find = &entry->find;

    now = judge_now(entry->service);
    entry->asking = true;

    if (entry->refits && find->model.data
        && !judge_calibrator_known(find->inputs)
        && now - entry->refit_at >= (entry->refit.until
                                     ? JUDGE_CALIBRATOR_REFIT
                                     : JUDGE_CALIBRATOR_REFIT_NONE))
    {
        entry->refit_at = now;
        judge_refit(entry->service, find->op.org, find->judge_id,
                    find->version, judge_calibrator_refitted, entry);
        return;
    }

    list = entry->residuals_at
           && now - entry->residuals_at < JUDGE_CALIBRATOR_RESIDUALS_EVERY
           ? NULL
           : judge_service_op(sizeof(judge_residual_list_t),
                              JUDGE_OP_RESIDUAL_LIST,
                              judge_calibrator_refreshed, entry);
    if (list == NULL) {
        judge_calibrator_answer(entry, entry);
        return;
    }

    list->op.org = find->op.org;
    list->judge_id = find->judge_id;
    list->version = find->version;
    judge_submit(entry->service, &list->op);
}


/* Counts the bytes of the entry's arena.  No thread may be parsing into it. */

static void
judge_calibrator_count(judge_calibrator_entry_t *entry)
{
    judge_calibrator_cache_t  *cache = entry->service->calibrators;

    cache->bytes -= entry->bytes;
    entry->bytes = judge_arena_size(entry->find.op.arena);
    cache->bytes += entry->bytes;
}


static void
judge_calibrator_warn(judge_calibrator_entry_t *entry)
{
    judge_str_t               line;
    judge_calibrator_find_t  *find = &entry->find;

    if (find->model.data == NULL || judge_calibrator_known(find->inputs)) {
        return;
    }

    line = judge_str_printf(find->op.arena, "%.*s, version %lld: "
                            JUDGE_CALIBRATOR_CHANGED_MESSAGE,
                            judge_str_args(find->judge_id),
                            (long long) find->version);
    if (line.data) {
        entry->service->warn(entry->service->data, line);
    }
}


/* Evicts the least recently used entries that nobody holds. */

static void
judge_calibrator_trim(judge_service_t *service)
{
    judge_calibrator_cache_t  *cache = service->calibrators;
    judge_calibrator_entry_t  *entry, **at, **last;

    while (cache->count > JUDGE_CALIBRATOR_ENTRIES
           || cache->bytes > service->settings.max_learned)
    {
        last = NULL;

        for (at = &cache->first; (entry = *at); at = &entry->next) {
            if (entry->holders == 0) {
                last = at;
            }
        }

        if (last == NULL) {
            return;
        }

        entry = *last;
        *last = entry->next;
        cache->count--;
        cache->bytes -= entry->bytes;
        judge_calibrator_free(entry);
    }
}


static void
judge_calibrator_found(judge_op_t *op)
{
    judge_calibrator_entry_t  *entry = (judge_calibrator_entry_t *) op, **at;
    judge_calibrator_cache_t  *cache = entry->service->calibrators;

    if (op->rc != JUDGE_OK && op->rc != JUDGE_NOT_FOUND) {
        for (at = &cache->first; *at != entry; at = &(*at)->next) {
            /* void */
        }

        *at = entry->next;
        cache->count--;
        judge_calibrator_answer(entry, NULL);
        judge_calibrator_free(entry);
        return;
    }

    judge_calibrator_count(entry);
    judge_calibrator_warn(entry);
    judge_calibrator_trim(entry->service);
    judge_calibrator_refresh(entry);
}


/* Makes an entry that has not been read yet; NULL: out of memory. */

static judge_calibrator_entry_t *
judge_calibrator_add(judge_service_t *service, judge_str_t org,
    judge_str_t judge_id, int64_t version)
{
    judge_calibrator_find_t   *find;
    judge_calibrator_cache_t  *cache = service->calibrators;
    judge_calibrator_entry_t  *entry;

    entry = judge_service_op(sizeof(judge_calibrator_entry_t),
                             JUDGE_OP_CALIBRATOR_FIND, judge_calibrator_found,
                             NULL);
    if (entry == NULL) {
        return NULL;
    }

    find = &entry->find;
    find->op.org = judge_str_dup(find->op.arena, org);
    find->judge_id = judge_str_dup(find->op.arena, judge_id);
    find->version = version;

    if (find->op.org.data == NULL || find->judge_id.data == NULL
        || pthread_mutex_init(&entry->mutex, NULL) != 0)
    {
        judge_service_op_free(&find->op);
        return NULL;
    }

    entry->service = service;
    entry->last = &entry->waiting;
    entry->next = cache->first;
    cache->first = entry;
    cache->count++;

    return entry;
}


void
judge_calibrator_hold(judge_service_t *service, judge_str_t org,
    judge_str_t judge_id, int64_t version, bool refits,
    judge_calibrator_done_pt done, void *data)
{
    bool                       known;
    judge_calibrator_wait_t   *wait;
    judge_calibrator_entry_t  *entry;

    wait = malloc(sizeof(judge_calibrator_wait_t));
    entry = judge_calibrator_find(service->calibrators, org, judge_id,
                                  version);
    known = entry != NULL;
    if (wait && !known) {
        entry = judge_calibrator_add(service, org, judge_id, version);
    }

    if (wait == NULL || entry == NULL) {
        free(wait);
        done(data, NULL);
        return;
    }

    *wait = (judge_calibrator_wait_t) { done, data, NULL };
    *entry->last = wait;
    entry->last = &wait->next;
    entry->holders++;
    entry->refits = entry->refits || refits;

    if (!known) {
        entry->asking = true;
        judge_submit(service, &entry->find.op);
    } else if (!entry->asking) {
        judge_calibrator_refresh(entry);
    }
}


static void
judge_calibrator_refitted(void *data, const judge_refit_t *refit)
{
    judge_calibrator_entry_t  *entry = data;

    if (refit) {
        entry->refit = *refit;
    }

    judge_calibrator_refresh(entry);
}


void
judge_calibrator_release(judge_calibrator_entry_t *entry)
{
    if (entry) {
        if (--entry->holders == 0) {
            judge_calibrator_count(entry);
        }
        judge_calibrator_trim(entry->service);
    }
}


/* Parses the bytes once.  The identity of the inputs stands both in the bytes
 * and in a column; if the two differ, the calibrator is not applied. */

static judge_rc_e
judge_calibrator_make(judge_calibrator_entry_t *entry)
{
    judge_rc_e  rc;

    (void) pthread_mutex_lock(&entry->mutex);

    if (!entry->made) {
        entry->rc = judge_calibrator_read(entry->find.op.arena,
                                          entry->find.model,
                                          &entry->calibrator);
        entry->made = entry->rc != JUDGE_NOMEM;
        entry->calibrator.current = entry->calibrator.current
                                 && entry->calibrator.inputs
                                    == entry->find.inputs;
    }

    rc = entry->rc;
    (void) pthread_mutex_unlock(&entry->mutex);

    return rc;
}


const judge_calibrator_t *
judge_calibrator_get(judge_calibrator_entry_t *entry)
{
    return entry->find.model.data && judge_calibrator_make(entry) == JUDGE_OK
           ? &entry->calibrator : NULL;
}


judge_rc_e
judge_calibrator_calibrate(judge_calibrator_entry_t *entry,
    judge_arena_t *arena, const judge_rubric_t *rubric,
    const judge_item_t *item, judge_verdict_t *verdict, judge_origin_t *origin)
{
    judge_rc_e                 rc;
    const judge_calibrator_t  *calibrator;

    if (entry == NULL) {
        return JUDGE_OK;
    }

    rc = JUDGE_OK;
    calibrator = NULL;

    if (entry->find.model.data) {
        origin->calibrator = entry->find.job_id;
        calibrator = &entry->calibrator;
        rc = judge_calibrator_make(entry);
        rc = rc == JUDGE_INVALID
             ? judge_calibrator_unused(arena, verdict, origin)
             : rc == JUDGE_OK
             ? judge_calibrator_apply(calibrator, arena, origin->engine,
                                      rubric, item, verdict, origin)
             : rc;
    }

    if (rc != JUDGE_OK) {
        return rc;
    }

    /* A report that an external worker repeats must give the same record,
     * so that it gets no residuals, which may have changed meanwhile. */
    (void) pthread_mutex_lock(&entry->mutex);
    origin->widths = judge_residual_intervals(strcmp(origin->engine,
                                                 JUDGE_ENGINE_WORKER) == 0
                                          ? NULL : entry->residuals, arena,
                                          origin->raw ? calibrator : NULL,
                                          rubric, verdict,
                                          verdict->empty
                                          || origin->reasons
                                             & JUDGE_REVIEW_STRANGE);
    (void) pthread_mutex_unlock(&entry->mutex);

    return origin->widths ? JUDGE_OK : JUDGE_NOMEM;
}


size_t
judge_calibrator_cached(const judge_service_t *service, size_t *bytes)
{
    *bytes = service->calibrators->bytes;

    return service->calibrators->count;
}


judge_refit_t
judge_calibrator_refit(const judge_calibrator_entry_t *entry)
{
    return entry ? entry->refit : (judge_refit_t) { 0, 0 };
}


bool
judge_calibrator_has_fewshot(judge_calibrator_entry_t *entry)
{
    bool  shows;

    if (entry->find.model.data == NULL) {
        return false;
    }

    if (pthread_mutex_trylock(&entry->mutex) != 0) {
        return true;
    }

    shows = !entry->made || entry->calibrator.examples;
    (void) pthread_mutex_unlock(&entry->mutex);

    return shows;
}


judge_ms_t
judge_calibrator_until(const judge_calibrator_entry_t *entry)
{
    return entry->find.model.data ? entry->find.trained_until : 0;
}
