/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Evaluations whose features were measured in another way than this build
 * does: their texts are measured again, as an evaluation does it, with the
 * references.  What was judged by the built-in engine gets its scores, too.
 * The steps stand in the order they run.
 */


#include <math.h>
#include <string.h>

#include "work/training/training_state.h"


#define JUDGE_REMEASURE_PAGE  32       /* texts in memory at once */

struct judge_training_remeasure {
    judge_training_state_t  *run;
    judge_training_done_pt   done;
    judge_arena_t           *page;
    judge_arena_t           *scratch;
    judge_job_t              job;      /* to load the references */
    judge_job_t             *jobs[1];
    judge_queue_load_t       load;
    judge_rubric_t           rubric;
    judge_scorer_t          *scorer;
    judge_measured_list_t    list;
    judge_measured_t         rows[JUDGE_REMEASURE_PAGE];
    size_t                   items[JUDGE_REMEASURE_PAGE];
    size_t                   next;     /* item to look at */
    size_t                   measured;
    judge_task_t             task;
};


static void judge_training_remeasure_loaded(judge_op_t *op);
static void judge_training_remeasure_next(judge_training_remeasure_t *x);
static void judge_training_remeasure_listed(judge_op_t *op);
static void judge_training_remeasure_page(judge_task_t *task);
static judge_rc_e judge_training_remeasure_item(judge_training_remeasure_t *x,
    size_t i, const judge_measured_t *row);
static void judge_training_remeasure_scores(judge_training_remeasure_t *x,
    size_t i, const judge_verdict_t *verdict);
static void judge_training_remeasure_paged(judge_task_t *task);
static void judge_training_remeasure_over(judge_training_remeasure_t *x,
    judge_rc_e rc);


void
judge_training_remeasure(judge_training_state_t *run,
    judge_training_done_pt done)
{
    size_t                       i;
    judge_training_remeasure_t  *x;

    for (i = 0; i < run->data.n && !run->data.items[i].stale; i++) {
        /* void */
    }

    if (i == run->data.n) {
        run->rc = JUDGE_OK;
        done(run);
        return;
    }

    x = judge_calloc(run->arena, sizeof(judge_training_remeasure_t));
    if (x == NULL) {
        run->rc = JUDGE_NOMEM;
        done(run);
        return;
    }

    run->remeasure = x;
    x->run = run;
    x->done = done;
    x->next = i;
    x->page = judge_arena_create(256 * 1024);
    x->scratch = judge_arena_create(256 * 1024);
    if (x->page == NULL || x->scratch == NULL) {
        judge_training_remeasure_over(x, JUDGE_NOMEM);
        return;
    }

    /* There is no such content: only the references are looked for. */
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


static void
judge_training_remeasure_loaded(judge_op_t *op)
{
    judge_training_state_t      *run = op->data;
    judge_training_remeasure_t  *x = run->remeasure;

    if (op->rc != JUDGE_OK) {
        judge_training_remeasure_over(x, op->rc);
        return;
    }

    x->rubric = run->rubric;
    x->rubric.references = x->job.references;
    x->rubric.nreferences = x->job.nreferences;
    judge_training_remeasure_next(x);
}


static void
judge_training_remeasure_next(judge_training_remeasure_t *x)
{
    size_t                  n;
    judge_training_data_t  *l = &x->run->data;

    if (x->run->stopping || x->run->lost) {
        judge_training_remeasure_over(x, JUDGE_STALE);
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
        judge_training_remeasure_over(x, JUDGE_OK);
        return;
    }

    x->list.rows = x->rows;
    x->list.count = n;
    x->list.max_text = INT32_MAX;
    x->list.op.kind = JUDGE_OP_MEASURED_LIST;
    x->list.op.org = x->run->row.org;
    x->list.op.arena = x->page;
    x->list.op.done = judge_training_remeasure_listed;
    x->list.op.data = x;
    judge_submit(x->run->service, &x->list.op);
}


static void
judge_training_remeasure_listed(judge_op_t *op)
{
    judge_training_remeasure_t  *x = op->data;

    if (op->rc != JUDGE_OK) {
        judge_training_remeasure_over(x, op->rc);
        return;
    }

    judge_service_compute(x->run->service, &x->task,
                          judge_training_remeasure_page,
                          judge_training_remeasure_paged, x);
}


/* In a thread. */

static void
judge_training_remeasure_page(judge_task_t *task)
{
    size_t                       i;
    judge_rc_e                   rc;
    judge_training_remeasure_t  *x = task->data;

    if (x->scorer == NULL) {
        x->scorer = judge_scorer_create(x->run->arena, &x->rubric);
    }

    rc = x->scorer ? JUDGE_OK : JUDGE_NOMEM;

    for (i = 0; rc == JUDGE_OK && i < x->list.count; i++) {
        if (x->rows[i].text.data) {
            rc = judge_training_remeasure_item(x, x->items[i], &x->rows[i]);
        }
    }

    x->run->rc = rc;
}


static judge_rc_e
judge_training_remeasure_item(judge_training_remeasure_t *x, size_t i,
    const judge_measured_t *row)
{
    judge_rc_e              rc;
    judge_item_t            item;
    judge_verdict_t         verdict;
    judge_training_data_t  *l = &x->run->data;
    judge_training_item_t  *example = &l->items[i];

    judge_arena_reset(x->scratch);
    memset(&verdict, 0, sizeof(judge_verdict_t));
    item.text = row->text;
    item.source = row->metadata.data
                  ? judge_rubric_source(x->scratch, row->metadata)
                  : (judge_str_t) { 0, NULL };

    rc = judge_score(x->scorer, &item, x->scratch, &verdict);
    if (rc != JUDGE_OK) {
        return rc;
    }

    example->features = judge_str_dup(l->measures, (judge_str_t) {
                           verdict.nfeatures * sizeof(float),
                           (const char *) verdict.features });
    if (example->features.data == NULL) {
        return JUDGE_NOMEM;
    }

    if (strcmp(l->engines[example->engine], JUDGE_ENGINE_NAME) == 0) {
        judge_training_remeasure_scores(x, i, &verdict);
    }

    example->stale = false;
    x->measured++;

    return JUDGE_OK;
}


static void
judge_training_remeasure_scores(judge_training_remeasure_t *x, size_t i,
    const judge_verdict_t *verdict)
{
    size_t                   c, t;
    float                   *raw;
    double                   score;
    judge_training_state_t  *run = x->run;

    raw = &run->data.raw[i * run->data.ntargets];
    raw[run->data.ncriteria] = (float) verdict->overall;

    for (c = 0; c < run->rubric.ncriteria; c++) {
        score = verdict->scores[c].score;

        for (t = 0; t < run->rubric.ncriteria; t++) {
            if (judge_str_eq(run->ids[t], run->rubric.criteria[c].id)) {
                raw[t] = (float) (isnan(score) ? verdict->overall : score);
            }
        }
    }
}


static void
judge_training_remeasure_paged(judge_task_t *task)
{
    judge_training_remeasure_t  *x = task->data;

    if (x->run->rc != JUDGE_OK) {
        judge_training_remeasure_over(x, x->run->rc);
        return;
    }

    judge_training_remeasure_next(x);
}


static void
judge_training_remeasure_over(judge_training_remeasure_t *x, judge_rc_e rc)
{
    judge_training_state_t  *run = x->run;
    judge_training_done_pt   done = x->done;

    if (x->measured) {
        judge_training_log(run, "info", "%zu evaluation%s measured in another"
                           " way: measured again", x->measured,
                           x->measured == 1 ? "" : "s");
    }

    judge_training_remeasure_free(run);
    run->rc = rc;
    done(run);
}


/* Also when the process ends in the middle. */

void
judge_training_remeasure_free(judge_training_state_t *run)
{
    if (run->remeasure) {
        judge_arena_destroy(run->remeasure->page);
        judge_arena_destroy(run->remeasure->scratch);
        run->remeasure = NULL;
    }
}
