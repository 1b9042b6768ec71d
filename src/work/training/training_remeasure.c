/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Measures the texts of evaluations again whose features are not those of this
 * build, with the judge's references, as an evaluation does.  Evaluations by
 * the built-in engine get their raw scores, too.  The steps stand in the order
 * they run.
 */


#include <math.h>
#include <string.h>

#include "store/packing/packing.h"
#include "work/service/extension.h"
#include "work/training/training_state.h"


#define JUDGE_REMEASURE_PAGE  32       /* texts in memory at once */

struct judge_training_remeasure {
    judge_arena_t           *page;
    judge_arena_t           *scratch;
    judge_job_t              job;      /* loads the references */
    judge_job_t             *jobs[1];
    judge_queue_load_t       load;
    judge_rubric_t           rubric;
    judge_scorer_t          *scorer;
    judge_measured_list_t    list;
    judge_measured_t         rows[JUDGE_REMEASURE_PAGE];
    size_t                   items[JUDGE_REMEASURE_PAGE];
    size_t                   next;     /* index of the next item */
    size_t                   measured;
};


static void judge_training_remeasure_loaded(judge_training_state_t *run);
static void judge_training_remeasure_listed(judge_op_t *op);
static judge_rc_e judge_training_remeasure_page(judge_training_state_t *run);


static void
judge_training_remeasure_over(judge_training_state_t *run, judge_rc_e rc)
{
    size_t  n;

    n = run->remeasure->measured;
    if (n) {
        judge_training_log(run, "info", "%zu evaluation%s measured in another"
                           " way: measured again", n, n == 1 ? "" : "s");
    }

    judge_training_remeasure_free(run);
    run->rc = rc;
    run->done(run);
}


void
judge_training_remeasure(judge_training_state_t *run,
    judge_training_step_pt done)
{
    size_t                       i;
    judge_training_remeasure_t  *x;

    for (i = 0; i < run->data.n && !run->data.items[i].stale; i++) {
        /* void */
    }

    x = i < run->data.n
        ? judge_calloc(run->arena, sizeof(judge_training_remeasure_t)) : NULL;
    if (x == NULL) {
        run->rc = i < run->data.n ? JUDGE_NOMEM : JUDGE_OK;
        done(run);
        return;
    }

    run->remeasure = x;
    run->done = done;
    x->next = i;
    x->page = judge_arena_create(256 * 1024);
    x->scratch = judge_arena_create(256 * 1024);
    if (x->page == NULL || x->scratch == NULL) {
        judge_training_remeasure_over(run, JUDGE_NOMEM);
        return;
    }

    /* The job has no content, because it only loads the references. */
    x->job.org = run->row.org;
    x->job.content_id = JUDGE_STR("");
    x->job.judge_id = run->row.judge_id;
    x->job.judge_version = run->row.base_version;
    x->jobs[0] = &x->job;
    x->load.jobs = x->jobs;
    x->load.count = 1;
    judge_training_op(run, &x->load.op, JUDGE_OP_QUEUE_LOAD,
                      judge_training_remeasure_loaded);
}


/* Reads the next page, unless the previous one failed. */

static void
judge_training_remeasure_next(judge_training_state_t *run)
{
    size_t                       n;
    judge_training_data_t       *l = &run->data;
    judge_training_remeasure_t  *x = run->remeasure;

    if (run->rc != JUDGE_OK || run->stopping || run->lost) {
        judge_training_remeasure_over(run, run->rc != JUDGE_OK ? run->rc
                                                               : JUDGE_STALE);
        return;
    }

    judge_arena_reset(x->page);
    memset(x->rows, 0, sizeof(x->rows));
    memset(&x->list, 0, sizeof(x->list));

    for (n = 0; x->next < l->n && n < JUDGE_REMEASURE_PAGE; x->next++) {
        if (l->items[x->next].stale) {
            x->items[n] = x->next;
            x->rows[n++].id = judge_id_str(&l->items[x->next].evaluation);
        }
    }

    if (n == 0) {
        judge_training_remeasure_over(run, JUDGE_OK);
        return;
    }

    x->list.rows = x->rows;
    x->list.count = n;
    x->list.max_text = INT32_MAX;
    x->list.op.kind = JUDGE_OP_MEASURED_LIST;
    x->list.op.org = run->row.org;
    x->list.op.arena = x->page;
    x->list.op.done = judge_training_remeasure_listed;
    x->list.op.data = run;
    judge_submit(run->service, &x->list.op);
}


static void
judge_training_remeasure_loaded(judge_training_state_t *run)
{
    judge_training_remeasure_t  *x = run->remeasure;

    x->rubric = run->rubric;
    x->rubric.references = x->job.references;
    x->rubric.nreferences = x->job.nreferences;
    judge_training_remeasure_next(run);
}


static void
judge_training_remeasure_listed(judge_op_t *op)
{
    judge_training_state_t  *run = op->data;

    if (op->rc != JUDGE_OK) {
        judge_training_remeasure_over(run, op->rc);
        return;
    }

    judge_training_compute(run, judge_training_remeasure_page,
                           judge_training_remeasure_next);
}


static judge_rc_e
judge_training_remeasure_item(judge_training_state_t *run, size_t i,
    const judge_measured_t *row)
{
    size_t                       c;
    float                       *raw, *features;
    judge_rc_e                   rc;
    judge_item_t                 item;
    judge_verdict_t              verdict;
    judge_training_data_t       *l = &run->data;
    judge_training_item_t       *example = &l->items[i];
    judge_training_remeasure_t  *x = run->remeasure;

    judge_arena_reset(x->scratch);
    memset(&verdict, 0, sizeof(judge_verdict_t));
    item.text = row->text;
    rc = judge_extensions_item(x->scratch, row->metadata,
                               judge_scope_find(x->job.scope), &item);
    if (rc != JUDGE_OK) {
        return rc;
    }

    rc = judge_score(x->scorer, &item, x->scratch, &verdict);
    if (rc != JUDGE_OK) {
        return rc;
    }

    features = judge_array_alloc(l->measures, verdict.nfeatures,
                                 sizeof(float));
    if (features == NULL) {
        return JUDGE_NOMEM;
    }

    for (c = 0; c < verdict.nfeatures; c++) {
        features[c] = judge_packed_float(verdict.features[c]);
    }
    example->features = (judge_str_t) { c * sizeof(float),
                                        (const char *) features };

    if (strcmp(l->engines[example->engine], JUDGE_ENGINE_NAME) == 0) {
        raw = &l->raw[i * l->ntargets];
        raw[l->ncriteria] = (float) verdict.overall;

        for (c = 0; c < run->rubric.ncriteria; c++) {
            raw[run->at[c]] = (float) verdict.scores[c].score;
        }
    }

    example->stale = false;
    x->measured++;

    return JUDGE_OK;
}


/* Runs in a thread. */

static judge_rc_e
judge_training_remeasure_page(judge_training_state_t *run)
{
    size_t                       i;
    judge_rc_e                   rc;
    judge_training_remeasure_t  *x = run->remeasure;

    if (x->scorer == NULL) {
        x->scorer = judge_scorer_create(run->arena, &x->rubric);
    }

    rc = x->scorer ? JUDGE_OK : JUDGE_NOMEM;

    for (i = 0; rc == JUDGE_OK && i < x->list.count; i++) {
        if (x->rows[i].text.data) {
            rc = judge_training_remeasure_item(run, x->items[i], &x->rows[i]);
        }
    }

    return rc;
}


/* Called when the run is freed as well, which may be in the middle. */

void
judge_training_remeasure_free(judge_training_state_t *run)
{
    if (run->remeasure) {
        judge_arena_destroy(run->remeasure->page);
        judge_arena_destroy(run->remeasure->scratch);
        run->remeasure = NULL;
    }
}
