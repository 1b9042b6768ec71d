/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The extension: its routes, and what is done beside requests.  A worker
 * claims the next items of a run under a lease and grades them; one operation
 * stores them and the progress of the run.  The next claim, also after a
 * crash, continues after these items. */


#include <string.h>

#include "extensions/openai/openai.h"
#include "work/service/extension.h"


#define JUDGE_OPENAI_SLICE     64      /* items of a turn, at most; a quarter
                                          after each claim that did not end */
#define JUDGE_OPENAI_GIVEN_UP  6       /* claims, until the item is given up */
#define JUDGE_OPENAI_LEASE     30000   /* ms; a lease ends earlier if its
                                          process is found dead */

/* A slice of a run, which is claimed, loaded, graded and written. */
typedef struct {
    judge_leased_t              work;    /* first: see leased.h */
    judge_openai_claim_t      claim;
    judge_openai_load_t       load;
    judge_openai_slice_t      slice;   /* writes its end */
    judge_openai_slice_t      renewal; /* of the lease */
    judge_openai_sweep_t      sweep;
    judge_json_t             *progress;          /* of the run, as JSON */
    judge_json_t             *counts;  /* of items, in progress */
    judge_openai_plan_t       plan;
    judge_str_t               error;   /* why the run has failed */
    judge_openai_output_t    *outputs[JUDGE_OPENAI_SLICE];
    size_t                    begun;
    size_t                    pending; /* that have not ended, and one while
                                          they are begun */
} judge_openai_turn_t;


static void
judge_openai_turn_free(judge_leased_t *work)
{
    size_t                i;
    judge_openai_turn_t  *t = (judge_openai_turn_t *) work;

    for (i = 0; i < t->begun; i++) {
        judge_arena_destroy(t->outputs[i]->subject.arena);
    }
}


/* --- How far the run has come -------------------------------------------- */

/* Counts the items of the run that have ended: those before this slice. */

static int64_t
judge_openai_turn_done(const judge_openai_turn_t *t)
{
    int64_t              n = 0;
    const judge_json_t  *v;

    for (v = t->counts->first; v; v = v->next) {
        n += judge_str_eq_c(v->key, "total") ? 0 : v->integer;
    }

    return n;
}


static void
judge_openai_turn_count(judge_openai_turn_t *t, judge_openai_output_t *o)
{
    size_t                 i;
    judge_json_t          *v, *use;
    const openai_grade_t  *grade;

    judge_openai_add(t->counts,
                          judge_str_eq_c(o->row->status, "pass") ? "passed"
                          : judge_str_eq_c(o->row->status, "fail") ? "failed"
                          : "errored", 1);

    v = judge_json_get(t->progress, "per_testing_criteria_results")->first;
    use = judge_json_get(t->progress, "per_model_usage");
    judge_openai_use(t->work.arena, use, &o->sample);

    for (i = 0; i < o->turn; i++) {
        grade = &o->grades[i];
        judge_openai_use(t->work.arena, use, &grade->call);

        if (v && !grade->call.grader->part) {
            judge_openai_add(v, "passed", grade->passed);
            judge_openai_add(v, "failed", !grade->passed
                                          && grade->error.data == NULL);
            v = v->next;
        }
    }
}


/* --- The end of a slice -------------------------------------------------- */

/* The progress is that of a new run if it can't be read. */

static void
judge_openai_turn_write(judge_openai_turn_t *t, const char *status,
    judge_ms_t queue_at, int64_t attempts)
{
    judge_buf_t                buf;
    judge_json_writer_t        w;
    static const char *const   but[] = { "error", NULL };

    judge_json_begin_object(&w, &buf, t->work.arena);
    if (t->progress) {
        judge_json_members(&w, t->progress, but);
    } else {
        judge_openai_progress_write(&w, &t->plan, 0);
    }
    judge_openai_fault_write(&w, "invalid_run", t->error);

    t->slice = (judge_openai_slice_t) {
        .id = t->claim.row.id,
        .owner = judge_service_owner(t->work.service),
        .status = judge_str_c(status),
        .progress = judge_json_text(&w),
        .attempts = attempts > 0 ? attempts : 0,
        .queue_at = queue_at,
        .now = judge_now(t->work.service),
        .items = t->load.items,
        .count = t->slice.count
    };

    if (t->slice.progress.data == NULL) {
        judge_leased_end(&t->work);
        return;
    }

    judge_leased_last(&t->work, &t->slice.op, JUDGE_OP_OPENAI_SLICE,
                      judge_leased_over);
}


/* Called when all items begun have ended.  Writes the results up to the
 * first item without one, which happens if the worker exits or memory is
 * exhausted. */

static void
judge_openai_turn_finish(judge_openai_turn_t *t)
{
    size_t      n;
    judge_ms_t  now;

    if (t->work.lost) {
        judge_leased_end(&t->work);
        return;
    }

    for (n = 0; n < t->begun && t->load.items[n].result.data; n++) {
        judge_openai_turn_count(t, t->outputs[n]);
    }

    t->slice.count = n;

    if (n == t->load.count && (int64_t) n < t->load.limit) {
        judge_openai_turn_write(t, "completed", 0, 0);

    } else {
        now = judge_now(t->work.service);
        judge_openai_turn_write(t, "in_progress", n || t->work.all->stopped
                                                  ? now
                                                  : now + JUDGE_OPENAI_LEASE,
                                t->claim.row.attempts - (n ? 2 : 1));
    }
}


/* --- Grading ------------------------------------------------------------- */

static void
judge_openai_turn_ended(judge_openai_turn_t *t)
{
    if (--t->pending == 0) {
        judge_openai_turn_finish(t);
    }
}


static void
judge_openai_turn_output(judge_openai_output_t *o)
{
    judge_openai_turn_ended(o->data);
}


/* Of a run that was canceled no more calls are made. */

static bool
judge_openai_turn_gone(judge_openai_output_t *o)
{
    judge_openai_turn_t  *t = o->data;

    if (t->work.lost) {
        judge_openai_turn_ended(t);
        return true;
    }

    return false;
}


static bool
judge_openai_turn_item(judge_openai_turn_t *t)
{
    judge_arena_t          *arena;
    judge_openai_output_t  *o;

    arena = judge_arena_create(8192);
    o = arena ? judge_calloc(arena, sizeof(judge_openai_output_t)) : NULL;
    if (o == NULL) {
        judge_arena_destroy(arena);
        return false;
    }

    *o = (judge_openai_output_t) {
        .plan = &t->plan, .org = t->claim.row.org,
        .subject.arena = arena, .row = &t->load.items[t->begun],
        .deadline = judge_now(t->work.service) + JUDGE_OPENAI_TIME,
        .repeats = true, .gone = judge_openai_turn_gone,
        .done = judge_openai_turn_output, .data = t
    };
    t->outputs[t->begun++] = o;
    t->pending++;

    if (t->claim.row.attempts > JUDGE_OPENAI_GIVEN_UP) {
        o->error = JUDGE_STR("the service ended while it was graded");
    }

    judge_openai_output_start(o);

    return true;
}


/* --- Taking up a run ----------------------------------------------------- */

static judge_rc_e
judge_openai_turn_read(judge_leased_t *work)
{
    judge_rc_e            rc;
    judge_json_t         *body, *eval;
    judge_openai_turn_t  *t = (judge_openai_turn_t *) work;

    rc = judge_json_parse(work->arena, t->claim.row.body, &body, NULL);
    rc = rc ? rc : judge_json_parse(work->arena, t->load.eval, &eval, NULL);
    rc = rc ? rc : judge_openai_plan_read(&t->plan,
                       judge_json_get(body, "data_source"),
                       judge_json_get(eval, "testing_criteria"));

    return rc ? rc : judge_openai_plan_find(&t->plan);
}


/* A run fails if it can't be done, for instance because a model was removed,
 * or if its progress can't be read, because it would be claimed for ever. */

static void
judge_openai_turn_failed(judge_leased_t *work)
{
    judge_openai_turn_t  *t = (judge_openai_turn_t *) work;

    if (work->rc == JUDGE_INVALID) {
        judge_openai_turn_write(t, "failed", 0, 0);
    } else {
        judge_leased_end(work);
    }
}


static void
judge_openai_turn_ready(judge_leased_t *work)
{
    judge_openai_turn_t  *t = (judge_openai_turn_t *) work;

    t->pending = 1;

    while (!work->all->stopped && t->begun < t->load.count
           && judge_openai_turn_item(t))
    {
        /* void */
    }

    judge_openai_turn_ended(t);
}


static void
judge_openai_turn_planned(judge_leased_t *work)
{
    judge_openai_turn_t  *t = (judge_openai_turn_t *) work;

    judge_leased_op(work, &t->plan.judges.op, JUDGE_OP_SETTINGS_FIND,
                    judge_openai_turn_ready);
}


static void
judge_openai_turn_begin(judge_leased_t *work)
{
    int64_t              attempts;
    judge_openai_turn_t  *t = (judge_openai_turn_t *) work;

    work->org = t->claim.row.org;

    if (judge_str_eq_c(t->claim.row.status, "deleted")) {
        t->sweep.id = t->claim.row.id;
        t->sweep.now = judge_now(t->work.service);
        judge_leased_last(work, &t->sweep.op, JUDGE_OP_OPENAI_SWEEP,
                          judge_leased_over);
        return;
    }

    work->rc = judge_json_parse(work->arena, t->claim.row.progress,
                                &t->progress, NULL);
    if (work->rc != JUDGE_OK) {
        t->error = JUDGE_STR("the progress of the run can't be read");
        judge_openai_turn_failed(work);
        return;
    }

    t->counts = judge_json_get(t->progress, "result_counts");
    judge_openai_plan_begin(&t->plan, work->service, work->arena, &t->error);
    judge_id_set(&t->plan.evaluations,
                 judge_str_from(t->claim.row.id, sizeof("eval") - 1));
    memcpy(t->plan.evaluations.text, "evl", 3);        /* replaces "run" */

    attempts = t->claim.row.attempts;
    t->load.id = t->claim.row.id;
    t->load.parent = t->claim.row.parent;
    t->load.position = judge_openai_turn_done(t);
    t->load.limit = attempts < 4 ? JUDGE_OPENAI_SLICE >> 2 * (attempts - 1)
                                 : 1;
    judge_leased_op_compute(work, &t->load.op, JUDGE_OP_OPENAI_LOAD,
                            judge_openai_turn_read, judge_openai_turn_planned);
}


/* --- Beside requests ----------------------------------------------------- */

/* A slice without items only changes queue_at. */

static judge_op_t *
judge_openai_turn_renew(judge_leased_t *work, judge_ms_t until)
{
    judge_openai_turn_t  *t = (judge_openai_turn_t *) work;

    t->renewal = (judge_openai_slice_t) {
        .op.kind = JUDGE_OP_OPENAI_SLICE,
        .id = t->claim.row.id,
        .owner = judge_service_owner(work->service),
        .status = JUDGE_STR("in_progress"),
        .attempts = t->claim.row.attempts,
        .queue_at = until,
        .now = judge_now(work->service)
    };

    return &t->renewal.op;
}


static const judge_leased_kind_t  judge_openai_leased = {
    .size = sizeof(judge_openai_turn_t),
    .most = 4,
    .peek = JUDGE_OP_OPENAI_PEEK,
    .claim = JUDGE_OP_OPENAI_CLAIM,
    .claim_at = offsetof(judge_openai_turn_t, claim),
    .evaluates = true,
    .lease = JUDGE_OPENAI_LEASE,
    .renew = judge_openai_turn_renew,
    .begin = judge_openai_turn_begin,
    .free = judge_openai_turn_free,
    .failed = judge_openai_turn_failed
};


/* --- The extension ------------------------------------------------------- */

/* Only locations with judge_openai have the routes; workers that evaluate also
 * grade runs. */

const judge_extension_t  judge_extension_openai = {
    .name = "openai",
    .leased = &judge_openai_leased
};


const judge_route_t *
judge_openai_routes(size_t i)
{
    static const judge_route_t *const  tables[] = {
        judge_openai_eval_routes, judge_openai_file_routes,
        judge_openai_object_routes, judge_openai_moderation_routes,
        judge_openai_grader_routes, NULL
    };

    return tables[i];
}
