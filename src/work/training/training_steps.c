/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The steps of a training job, in the order in which they run: read the judge,
 * what it has learned, and the feedback; gather, prepare, resume a checkpoint;
 * learn epoch by epoch, measure, finish.
 *
 * If a step fails (out of memory, the store does not answer), the lease runs
 * out, and the job is claimed again.
 */


#include <string.h>

#include "analysis/text/math.h"
#include "store/store_webhook.h"
#include "work/training/training_state.h"
#include "work/webhooks/webhook.h"


#define JUDGE_TRAINING_WRITE  1000     /* ms between writes of progress, if no
                                          epoch is to be reported */
#define JUDGE_TRAINING_WAIT   60000    /* ms for feedback to be processed, */
#define JUDGE_TRAINING_COUNT  250      /* and between two counts of it */
#define JUDGE_TRAINING_NOTIFY   0.1      /* progress between two events */


static void judge_training_judge_found(judge_op_t *op);
static void judge_training_hold(judge_leased_t *work);
static void judge_training_base_found(void *data,
    judge_calibrator_entry_t *entry);
static void judge_training_compare_base(judge_leased_t *work);
static void judge_training_count(judge_leased_t *work);
static void judge_training_counted(judge_leased_t *work);
static void judge_training_gather_ended(judge_training_data_t *data);
static void judge_training_gathered(judge_leased_t *work);
static void judge_training_prepared(judge_leased_t *work);
static void judge_training_checked(judge_leased_t *work);
static void judge_training_asked(judge_leased_t *work);
static void judge_training_stepped(judge_leased_t *work);
static void judge_training_stored(judge_leased_t *work);
static void judge_training_finished(judge_op_t *op);


void
judge_training_start(judge_leased_t *work)
{
    judge_training_state_t  *run = (judge_training_state_t *) work;

    run->find.id = run->claim.row.judge_id;
    judge_leased_submit(work, &run->find.op, JUDGE_OP_JUDGE_FIND,
                        judge_training_judge_found);
}


static void
judge_training_judge_found(judge_op_t *op)
{
    judge_leased_t          *work = op->data;
    judge_training_state_t  *run = op->data;
    judge_training_row_t    *row = &run->claim.row;
    judge_judge_row_t       *judge = &run->find.row;

    work->rc = op->rc;

    if (op->rc == JUDGE_NOT_FOUND) {
        work->rc = judge_training_fail(run, "JUDGE_CHANGED",
                                       "the judge has been deleted");

    } else if (op->rc == JUDGE_OK && row->base_version
               && row->base_version != judge->version)
    {
        work->rc = judge_training_fail(run, "JUDGE_CHANGED", "version %lld of"
                                       " the judge became active while the job"
                                       " learned for version %lld",
                                       (long long) judge->version,
                                       (long long) row->base_version);
    }

    judge_leased_go(work, judge_training_hold);
}


static void
judge_training_hold(judge_leased_t *work)
{
    judge_training_state_t  *run = (judge_training_state_t *) work;
    judge_training_row_t    *row = &run->claim.row;

    row->base_version = run->find.row.version;

    if (row->refits) {
        judge_training_log(run, "info", "what version %lld had learned was of"
                           " another engine's scores: it is fitted again",
                           (long long) row->base_version);
    }

    judge_calibrator_hold(work->service, row->org, row->judge_id,
                          row->base_version, false, judge_training_base_found,
                          run);
}


/* Lists the targets in the base's order.  Criteria that the configuration
 * names may have been removed from the judge since. */

static judge_rc_e
judge_training_target_list(judge_training_state_t *run)
{
    size_t              i, t, n;
    double              sum;
    judge_rc_e          rc;
    judge_str_t        *targets = run->config.targets.items;
    judge_criterion_t  *criteria;
    judge_judge_row_t  *judge = &run->find.row;

    rc = judge_rubric_read(run->work.arena, judge->name, judge->description,
                           judge->criteria, &run->rubric);
    if (rc != JUDGE_OK) {
        return rc;
    }

    n = run->rubric.ncriteria;
    criteria = run->rubric.criteria;

    if (run->base && run->base->ncriteria != n) {
        run->base = NULL;
    }

    run->ids = judge_array_alloc(run->work.arena, n, sizeof(judge_str_t));
    run->targets = judge_array_alloc(run->work.arena, n, sizeof(size_t));
    if (run->ids == NULL || run->targets == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0, sum = 0; i < n; i++) {
        sum += criteria[i].weight;
    }

    for (i = 0; i < n; i++) {
        t = run->base ? judge_str_index(run->base->ids, n, criteria[i].id) : i;
        if (t == n) {
            return JUDGE_ERROR;
        }

        run->targets[i] = t;
        run->ids[t] = criteria[i].id;
        run->share[t] = criteria[i].weight / sum;
        run->pass[t] = criteria[i].has_thresholds ? criteria[i].fair
                                                  : JUDGE_TRAINING_PASS;
    }

    run->pass[n] = JUDGE_TRAINING_PASS;

    for (i = 0; i < run->config.targets.count; i++) {
        if (judge_str_index(run->ids, n, targets[i]) == n) {
            return judge_training_fail(run, "JUDGE_CHANGED",
                                       "target_criteria[%zu]: the judge does"
                                       " not have this criterion any more", i);
        }
    }

    return JUDGE_OK;
}


static void
judge_training_base_found(void *data, judge_calibrator_entry_t *entry)
{
    judge_training_state_t  *run = data;

    run->work.rc = JUDGE_NOMEM;

    if (entry) {
        run->entry = entry;
        run->base = judge_calibrator_get(entry);
        run->work.rc = judge_training_target_list(run);
    }

    judge_leased_go(&run->work, judge_training_compare_base);
}


static void
judge_training_compare_base(judge_leased_t *work)
{
    judge_training_state_t  *run = (judge_training_state_t *) work;

    /* The targets keep the base's order: its examples have their scores in
     * this order. */
    if (run->base && !run->base->current) {
        run->kept = run->base->examples_bytes;
        run->base = NULL;
        judge_training_log(run, "warning", JUDGE_CALIBRATOR_CHANGED_MESSAGE
                           " Everything is learned anew.");
    }

    run->adds = run->base && (run->type == JUDGE_TRAINING_INCREMENTAL
                              || run->type == JUDGE_TRAINING_FINE_TUNE);

    if (run->claim.row.until == 0) {
        run->claim.row.until = run->config.cutoff.set
                               ? run->config.cutoff.value
                               : judge_now(work->service);
    }

    judge_training_count(work);
}


/* --- The feedback -------------------------------------------------------- */

static void
judge_training_count(judge_leased_t *work)
{
    judge_training_state_t  *run = (judge_training_state_t *) work;

    memset(&run->summary, 0, sizeof(judge_training_summary_t));
    run->summary.judge_id = run->claim.row.judge_id;
    run->summary.since = run->adds ? judge_calibrator_until(run->entry) : 0;
    run->summary.until = run->claim.row.until;
    judge_leased_op(work, &run->summary.op, JUDGE_OP_TRAINING_SUMMARY,
                    judge_training_counted);
}


static bool
judge_training_stopped(const judge_training_data_t *data)
{
    judge_training_state_t  *run = data->data;

    return run->work.all->stopped || run->work.lost;
}


static void
judge_training_gather(judge_leased_t *work)
{
    judge_training_state_t  *run = (judge_training_state_t *) work;

    run->data = (judge_training_data_t) {
        .service = work->service, .org = run->claim.row.org,
        .judge_id = run->claim.row.judge_id, .criteria = run->ids,
        .ncriteria = run->rubric.ncriteria, .until = run->claim.row.until,
        .newest = JUDGE_TRAINING_ITEMS, .with_texts = true,
        .measure = run->remeasure ? judge_training_remeasure_item : NULL,
        .stopped = judge_training_stopped,
        .done = judge_training_gather_ended, .data = run
    };
    run->gathered = true;
    judge_training_data_gather(&run->data);
}


/* Waits a while for feedback that has not been turned into examples yet. */

static void
judge_training_counted(judge_leased_t *work)
{
    judge_ms_t                 now;
    judge_training_state_t    *run = (judge_training_state_t *) work;
    judge_training_summary_t  *summary = &run->summary;

    now = judge_now(work->service);

    if (summary->pending && !work->all->stopped
        && (run->waiting_since == 0
            || now - run->waiting_since < JUDGE_TRAINING_WAIT))
    {
        run->waiting_since = run->waiting_since ? run->waiting_since : now;
        judge_leased_wait(work, now + JUDGE_TRAINING_COUNT,
                          judge_training_count);
        return;
    }

    if (work->all->stopped) {
        judge_training_store(work);
        return;
    }

    if (summary->usable < run->config.minimum.value) {
        (void) judge_training_fail(run, "INSUFFICIENT_FEEDBACK", "%lld entr%s"
                                   " of feedback other than comments%s, %lld"
                                   " are needed", (long long) summary->usable,
                                   summary->usable == 1 ? "y" : "ies",
                                   summary->since
                                   ? " came since the version in use was"
                                     " trained" : "",
                                   (long long) run->config.minimum.value);
        judge_training_complete(work);
        return;
    }

    judge_training_gather(work);
}


static void
judge_training_gather_ended(judge_training_data_t *l)
{
    judge_training_state_t  *run = l->data;

    if (l->rc == JUDGE_STALE) {
        judge_training_store(&run->work);
        return;
    }

    run->work.rc = l->rc;
    judge_leased_go(&run->work, judge_training_gathered);
}


/* If some items turn out to be stale, all items are read again, with whole
 * texts, so that they can be measured again. */

static void
judge_training_gathered(judge_leased_t *work)
{
    judge_training_state_t  *run = (judge_training_state_t *) work;
    judge_training_data_t   *l = &run->data;

    if (l->nstale && run->remeasure == NULL) {
        judge_training_data_free(l);
        judge_training_remeasure(run, judge_training_gather);
        return;
    }

    if (l->remeasured) {
        judge_training_log(run, "info", "%zu evaluation%s measured in another"
                           " way: measured again", l->remeasured,
                           l->remeasured == 1 ? "" : "s");
    }

    if (l->cut) {
        judge_training_log(run, "warning", "there is more feedback than is"
                           " learned from at once: the newest %d evaluations"
                           " are", JUDGE_TRAINING_ITEMS);
    }

    judge_leased_compute(work, judge_training_prepare,
                         judge_training_prepared);
}


static void
judge_training_prepared(judge_leased_t *work)
{
    judge_training_state_t  *run = (judge_training_state_t *) work;

    judge_training_log(run, "info",
                       "%zu evaluations with scores by people, %zu"
                       " of them new to version %lld; %zu features, %zu folds"
                       " held out", run->nitems, run->nfresh,
                       (long long) run->claim.row.base_version, run->nfeatures,
                       run->nfolds);

    run->checkpoint.id = run->claim.row.id;
    judge_leased_op(work, &run->checkpoint.op, JUDGE_OP_TRAINING_CHECKPOINT,
                    judge_training_checked);
}


static void
judge_training_checked(judge_leased_t *work)
{
    judge_training_state_t  *run = (judge_training_state_t *) work;

    work->rc = judge_training_resume(run, run->checkpoint.state);
    judge_leased_go(work, judge_training_store);
}


/* --- Learning ------------------------------------------------------------ */

/* Begins the next step, or ends the job. */

static void
judge_training_next(judge_leased_t *work)
{
    judge_training_state_t  *run = (judge_training_state_t *) work;

    if (run->claim.row.max_duration
        && judge_now(work->service) - run->claim.row.started_at
           > run->claim.row.max_duration)
    {
        (void) judge_training_fail(run, "TIMED_OUT", "the job was not done"
                                   " within %lld minutes", (long long)
                                   (run->claim.row.max_duration / 60000));
        judge_training_complete(work);
        return;
    }

    if (run->saved.stage == run->nstages && !run->trial_over
        && !run->claim.row.refits
        && (run->type == JUDGE_TRAINING_FULL_RETRAIN
            || run->type == JUDGE_TRAINING_INCREMENTAL))
    {
        if (run->trial_at) {
            judge_leased_wait(work, run->trial_at, judge_training_next);
            run->trial_at = 0;

        } else {
            judge_training_fewshot(run, judge_training_asked);
        }
        return;
    }

    if (run->type == JUDGE_TRAINING_VALIDATION
        || run->saved.stage == run->nstages)
    {
        judge_leased_compute(work, judge_training_measure,
                             judge_training_complete);
        return;
    }

    judge_leased_compute(work, judge_training_step, judge_training_stepped);
}


static void
judge_training_asked(judge_leased_t *work)
{
    judge_training_state_t  *run = (judge_training_state_t *) work;

    if (run->trial_over) {
        judge_training_next(work);
    } else {
        judge_training_store(work);
    }
}


static void
judge_training_stepped(judge_leased_t *work)
{
    judge_training_state_t  *run = (judge_training_state_t *) work;

    if (run->has_loss || run->step_ended || work->all->stopped
        || judge_now(work->service) - run->written_at >= JUDGE_TRAINING_WRITE)
    {
        judge_training_store(work);
        return;
    }

    judge_training_next(work);
}


static const char *
judge_training_status(const judge_training_state_t *run)
{
    return run->type == JUDGE_TRAINING_VALIDATION
           || run->saved.stage > 0 ? "validating"
           : run->nitems ? "training" : "preparing";
}


/* The progress of the whole job, 0 to 1. */

static double
judge_training_done(const judge_training_state_t *run)
{
    double                         part;
    const judge_learn_progress_t  *progress = &run->saved.progress;

    part = run->learner && progress->epochs
           ? (double) progress->epoch / (double) progress->epochs
           : judge_training_fewshot_part(run);

    return judge_clamp(((double) run->saved.stage + part)
                       / (double) (run->nstages + 1), 0, 1);
}


static judge_str_t
judge_training_phase(judge_training_state_t *run)
{
    if (run->nitems == 0) {
        return JUDGE_STR("preparing");
    }

    if (run->saved.stage >= run->nstages && run->trial && !run->trial_over) {
        return JUDGE_STR("asking the model with examples");
    }

    if (run->type == JUDGE_TRAINING_VALIDATION
        || run->saved.stage >= run->nstages)
    {
        return JUDGE_STR("measuring");
    }

    if (run->saved.stage == 0) {
        return JUDGE_STR("learning");
    }

    return judge_str_printf(run->work.arena, "held-out fold %zu of %zu",
                            (size_t) run->saved.stage, run->nfolds);
}


/* Adds an event for the organization's webhook and the job's own.  Without
 * memory the job goes on without the event. */

static void
judge_training_notify(judge_training_state_t *run, judge_op_t *op,
    judge_event_type_e type)
{
    judge_event_t  *first;

    op->arena = run->work.arena;
    op->events = NULL;
    first = judge_event_add(op, type, run->claim.row.org, run->claim.row.id);
    if (first == NULL
        || judge_id_make(&first->id, "evt", judge_now(run->work.service))
           != JUDGE_OK)
    {
        op->events = NULL;
        return;
    }

    if (run->options.webhook_url.data
        && (type != JUDGE_EVENT_TRAINING_PROGRESS
            || run->options.notify.value != JUDGE_TRAINING_MILESTONES))
    {
        (void) judge_event_add_at(op, first, run->options.webhook_url);
    }

    if (run->options.email.data && run->work.service->settings.mail_timeout
        && (type == JUDGE_EVENT_TRAINING_COMPLETED
            || type == JUDGE_EVENT_TRAINING_FAILED))
    {
        (void) judge_event_add_at(op, first,
            judge_str_printf(run->work.arena, JUDGE_DELIVERY_MAILTO "%.*s",
                             judge_str_args(run->options.email)));
    }
}


/* Stores logs, progress and the checkpoint; then continues, or releases the
 * job if the worker exits. */

void
judge_training_store(judge_leased_t *work)
{
    size_t                      i;
    judge_ms_t                  now;
    judge_training_state_t     *run = (judge_training_state_t *) work;
    judge_training_progress_t  *w = &run->write;

    now = judge_now(work->service);

    for (i = 0; i < run->nlogs; i++) {
        run->logs[i].at = now;
    }

    memset(w, 0, sizeof(judge_training_progress_t));
    w->id = run->claim.row.id;
    w->lease.owner = judge_service_owner(work->service);
    w->release = work->all->stopped;
    w->lease.until = w->release ? now : now + JUDGE_TRAINING_LEASE;
    w->status = judge_str_c(judge_training_status(run));
    w->phase = judge_training_phase(run);
    w->base_version = run->claim.row.base_version;
    w->until = run->claim.row.until;
    w->items = (int64_t) run->nitems;
    w->epoch = run->has_loss ? run->loss.epoch : -1;
    w->epochs = run->config.epochs.value;
    w->progress = run->nitems ? judge_training_done(run) : -1;
    w->losses = &run->loss;
    w->nlosses = run->has_loss;
    w->logs = run->logs;
    w->nlogs = run->nlogs;
    w->state = run->state_due ? judge_buf_view(&run->state)
                              : (judge_str_t) { 0, NULL };
    run->written_at = now;
    work->leased_at = now;

    if (run->claim.row.attempts == 1 && run->notified == 0 && run->nitems) {
        run->notified = 1e-9;
        judge_training_notify(run, &w->op, JUDGE_EVENT_TRAINING_STARTED);

    } else if (w->progress >= run->notified + JUDGE_TRAINING_NOTIFY
               || run->options.notify.value == JUDGE_TRAINING_DETAILED)
    {
        run->notified = w->progress;
        judge_training_notify(run, &w->op, JUDGE_EVENT_TRAINING_PROGRESS);
    }

    if (w->release) {
        judge_leased_last(work, &w->op, JUDGE_OP_TRAINING_PROGRESS,
                          judge_leased_over);
    } else {
        judge_leased_op(work, &w->op, JUDGE_OP_TRAINING_PROGRESS,
                        judge_training_stored);
    }
}


static void
judge_training_stored(judge_leased_t *work)
{
    judge_training_state_t  *run = (judge_training_state_t *) work;

    run->nlogs = 0;
    run->has_loss = false;
    run->state_due = false;
    judge_training_next(work);
}


/* --- The end ------------------------------------------------------------- */

void
judge_training_complete(judge_leased_t *work)
{
    size_t                    i;
    judge_training_state_t   *run = (judge_training_state_t *) work;
    judge_training_finish_t  *f = &run->finish;

    memset(f, 0, sizeof(judge_training_finish_t));
    f->id = run->claim.row.id;
    f->owner = judge_service_owner(work->service);
    f->now = judge_now(work->service);
    f->judge_id = run->claim.row.judge_id;
    f->base_version = run->claim.row.base_version;
    f->items = (int64_t) run->nitems;
    f->inputs = run->inputs;

    f->metrics = run->metrics;

    if (run->failure.code) {
        f->status = JUDGE_STR("failed");
        f->error = judge_training_error(run);

    } else {
        f->status = JUDGE_STR("completed");
        f->results = run->results;
        f->trained_until = run->newest;
        f->changes_summary = run->changes;
        f->criteria = run->criteria;
        f->deploy = run->ready && run->options.deploy.value;
        f->model = run->calibrator.len ? judge_buf_view(&run->calibrator)
                                       : (judge_str_t) { 0, NULL };
    }

    for (i = 0; i < run->nlogs; i++) {
        run->logs[i].at = f->now;
    }

    f->logs = run->logs;
    f->nlogs = run->nlogs;

    judge_training_notify(run, &f->op, run->failure.code
                          ? JUDGE_EVENT_TRAINING_FAILED
                          : JUDGE_EVENT_TRAINING_COMPLETED);
    judge_leased_last(work, &f->op, JUDGE_OP_TRAINING_FINISH,
                      judge_training_finished);
}


static void
judge_training_finished(judge_op_t *op)
{
    judge_training_state_t  *run = op->data;

    if (op->rc == JUDGE_STALE && run->failure.code == NULL) {
        (void) judge_training_fail(run, "JUDGE_CHANGED", "the judge was"
                                   " changed or deleted while the job learned"
                                   " for version %lld",
                                   (long long) run->claim.row.base_version);
        run->finish.op.events = NULL;
        judge_training_complete(&run->work);
        return;
    }

    judge_leased_end(&run->work);
}
