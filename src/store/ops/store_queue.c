/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Steps of operations that create, claim, end and retry evaluations. */


#include "store/ops/store_ops.h"


#define JUDGE_QUEUE_LOADED  (8 * 1024 * 1024)    /* after so many bytes no
                                                    further text is read */
#define JUDGE_QUEUE_MORE    1024       /* more rows to examine if others have
                                          locked the first ones */
#define JUDGE_WORK_LOOKED   1024       /* operations examined, to find claims
                                          that can share a search */
#define JUDGE_WORK_TOGETHER 256        /* evaluations that a search chooses */


/* --- Creating ------------------------------------------------------------ */

/* All evaluations of a job have the same judge, so the first one's is used. */

judge_step_e
judge_job_create_step(judge_run_t *run)
{
    run->row = ((judge_job_create_t *) run->op)->evaluations;

    return JUDGE_STEP_RUN;
}


/* --- Claiming ------------------------------------------------------------ */

/* Selects a second time if no row of the first selection could be claimed:
 * with more rows, and without those that were claimed before. */

judge_step_e
judge_queue_claim_choose(judge_run_t *run)
{
    size_t                i, n;
    judge_queue_claim_t  *o = (judge_queue_claim_t *) run->op;

    if (run->turn > 1 || (run->turn == 1
                          && (o->count > o->passed
                              || (o->passed == 0 && o->range.first.data))))
    {
        return JUDGE_STEP_SKIP;
    }

    o->fresh = o->passed > 0;
    o->more = run->turn ? JUDGE_QUEUE_MORE : 0;

    for (i = n = 0; i < o->count; i++) {
        if (o->jobs[i]->retry) {
            o->jobs[n++] = o->jobs[i];
        }
    }

    o->count = n;
    o->before = 0;

    return JUDGE_STEP_REPEAT;
}


/* Claims the chosen evaluations one after another; then decides whether the
 * range is claimed, too, and as a whole. */

judge_step_e
judge_queue_claim_alone(judge_run_t *run)
{
    bool                  range;
    judge_queue_claim_t  *o = (judge_queue_claim_t *) run->op;

    if (run->turn < o->count) {
        run->row = o->jobs[run->turn];
        return JUDGE_STEP_REPEAT;
    }

    range = o->ranges && o->range.first.data && o->before < o->limit;
    o->whole = range && o->range.attempts == 0;
    o->broken = range && !o->whole;
    o->alone = o->count;

    return JUDGE_STEP_SKIP;
}


/* A range whose evaluations were all deleted is split up. */

judge_step_e
judge_queue_claim_lease(judge_run_t *run)
{
    judge_queue_claim_t  *o = (judge_queue_claim_t *) run->op;

    o->whole = o->count > o->alone;
    o->broken = !o->whole;

    return o->whole ? JUDGE_STEP_RUN : JUDGE_STEP_SKIP;
}


judge_rc_e
judge_queue_claim_chosen(judge_run_t *run)
{
    bool                  retry;
    judge_job_t          *job;
    judge_queue_claim_t  *o = (judge_queue_claim_t *) run->op;

    retry = judge_column_int(run, 2);
    if ((retry && !o->may_retry)
        || o->count == (size_t) (o->limit + o->models))
    {
        o->passed += (size_t) retry;
        return JUDGE_OK;
    }

    job = judge_calloc(o->op.arena, sizeof(judge_job_t));
    if (job == NULL) {
        return JUDGE_NOMEM;
    }

    o->may_retry = o->may_retry && !retry;
    o->before += judge_column_int(run, 3);

    job->retry = retry;
    job->org = judge_column_str(run, 0);
    job->id = judge_column_str(run, 1);
    o->jobs[o->count++] = job;

    return JUDGE_OK;
}


judge_rc_e
judge_queue_claim_whole(judge_run_t *run)
{
    judge_job_t          *job;
    judge_queue_claim_t  *o = (judge_queue_claim_t *) run->op;

    job = judge_calloc(o->op.arena, sizeof(judge_job_t));
    if (job == NULL) {
        return JUDGE_NOMEM;
    }

    job->org = o->range.org;
    job->id = judge_column_str(run, 0);
    job->created_at = judge_column_int(run, 1);
    job->deadline = judge_column_int(run, 2);
    job->content_id = judge_column_str(run, 3);
    job->judge_id = judge_column_str(run, 4);
    job->judge_version = judge_column_int(run, 5);
    job->batch_id = o->range.batch_id;
    job->attempts = 1;
    o->jobs[o->count++] = job;

    return JUDGE_OK;
}


void
judge_queue_load_end(judge_run_t *run)
{
    size_t               i;
    judge_job_t         *job, *from;
    judge_queue_load_t  *o = (judge_queue_load_t *) run->op;

    for (i = 0; i < o->count; i++) {
        job = o->jobs[i];

        from = o->jobs[job->same_content];
        job->found = from->found;
        job->text_content = from->text_content;
        job->metadata = from->metadata;
        job->file_type = from->file_type;
        job->file_path = from->file_path;

        from = o->jobs[job->same_judge];
        job->judge_name = from->judge_name;
        job->judge_description = from->judge_description;
        job->feedback_language = from->feedback_language;
        job->review = from->review;
        job->escalate = from->escalate;
        job->scope = from->scope;
        job->panel = from->panel;
        job->criteria = from->criteria;
        job->references = from->references;
        job->nreferences = from->nreferences;
        job->learning = from->learning;
        job->others = from->others;
        job->nothers = from->nothers;
        job->found = job->found && job->criteria.data;
    }
}


static bool
judge_queue_load_media(const judge_job_t *job)
{
    return job->file_type.data && !judge_str_eq_c(job->file_type, "text");
}


static bool
judge_queue_load_wants(judge_queue_load_t *o, size_t i, size_t step)
{
    size_t        k;
    judge_job_t  *job, *before;

    job = o->jobs[i];

    if (step == 0) {
        before = i > 0 ? o->jobs[i - 1] : NULL;
        job->same_content = before
                            && judge_str_eq(before->content_id,
                                            job->content_id)
                            && judge_str_eq(before->org, job->org)
                            ? before->same_content : i;
        return job->same_content == i;
    }

    if (step == 1) {
        for (k = i, job->same_judge = i; k > 0 && job->same_judge == i; k--) {
            before = o->jobs[k - 1];
            if (before->judge_version == job->judge_version
                && judge_str_eq(before->judge_id, job->judge_id)
                && judge_str_eq(before->org, job->org))
            {
                job->same_judge = before->same_judge;
            }
        }
    }

    if (step < 3) {
        return job->same_judge == i;
    }

    return job->by_model
           || judge_queue_load_media(o->jobs[job->same_content]);
}


/* Statement 0 reads texts, 1 judges, 2 their references, 3 settings of models
 * and the errors of external workers. */

judge_step_e
judge_queue_load_step(judge_run_t *run)
{
    judge_queue_load_t  *o = (judge_queue_load_t *) run->op;

    for (o->job = run->turn ? o->job + 1 : 0; o->job < o->count; o->job++) {
        if (run->step == 0 && o->op.bytes > JUDGE_QUEUE_LOADED) {
            o->count = o->job;
            break;
        }

        if (judge_queue_load_wants(o, o->job, run->step)) {
            run->row = o->jobs[o->job];
            return JUDGE_STEP_REPEAT;
        }
    }

    return JUDGE_STEP_SKIP;
}


judge_rc_e
judge_queue_load_reference(judge_run_t *run)
{
    judge_str_t             text;
    judge_job_t            *job = run->row;
    judge_reference_row_t  *other;

    text = judge_column_str(run, 0);
    job->references = judge_row_room(run, job->references,
                                     JUDGE_REFERENCES_MAX,
                                     sizeof(judge_str_t));
    job->others = judge_row_room(run, job->others, JUDGE_REFERENCES_MAX,
                                 sizeof(judge_reference_row_t));
    if (job->references == NULL || job->others == NULL) {
        return JUDGE_NOMEM;
    }

    if (text.data) {
        job->references[job->nreferences++] = text;
        return JUDGE_OK;
    }

    other = &job->others[job->nothers++];
    other->id = judge_column_str(run, 1);
    other->extension = judge_column_str(run, 2);
    other->status = judge_column_str(run, 3);
    other->reason = judge_column_str(run, 4);
    job->learning = job->learning || judge_str_eq_c(other->status, "waiting");

    return JUDGE_OK;
}


/* --- Claims of external workers ------------------------------------------ */

static bool
judge_work_claim_like(const judge_work_claim_t *a, const judge_work_claim_t *b)
{
    size_t  i;

    for (i = 0; i < JUDGE_WORK_KINDS; i++) {
        if (!judge_str_eq(a->filter.kinds[i], b->filter.kinds[i])) {
            return false;
        }
    }

    return a->filter.sources == b->filter.sources && a->aging == b->aging
           && a->attempts == b->attempts && judge_str_eq(a->op.org, b->op.org);
}


/* Gives the operation the first evaluations found, up to its limit. */

static void
judge_work_claim_keep(judge_work_claim_t *o, judge_work_found_t *found,
    size_t n)
{
    size_t  i;

    o->found = found;
    o->nfound = n < (size_t) o->limit ? n : (size_t) o->limit;
    o->tried = o->unread = false;

    for (i = 0; i < o->nfound; i++) {
        o->tried = o->tried || found[i].tried;
        o->unread = o->unread || found[i].unread;
    }
}


/* One search serves all claims of a transaction with the same filter.  Before
 * the search this function adds up how many evaluations they want; after it
 * (found is true) it gives each claim its part.  If the search is rolled back,
 * another node may take the rows: the updates check this again. */

static void
judge_work_claim_share(judge_work_claim_t *o, bool found)
{
    size_t               looked, given, n = o->nfound;
    judge_op_t          *op;
    judge_work_claim_t  *other;

    given = 0;
    o->wanted = o->limit;
    if (found) {
        judge_work_claim_keep(o, o->found, n);
        given = o->nfound;
    }

    for (op = o->op.next, looked = 0; op && looked < JUDGE_WORK_LOOKED;
         op = op->next, looked++)
    {
        other = (judge_work_claim_t *) op;
        if (op->kind != JUDGE_OP_WORK_CLAIM
            || !judge_work_claim_like(o, other))
        {
            continue;
        }
        if (o->wanted + other->limit > JUDGE_WORK_TOGETHER) {
            break;
        }

        o->wanted += other->limit;
        if (found) {
            judge_work_claim_keep(other, n > given ? o->found + given : NULL,
                                  n - given);
            other->shared = true;
            given += other->nfound;
        }
    }
}


judge_step_e
judge_work_claim_step(judge_run_t *run)
{
    judge_work_claim_share((judge_work_claim_t *) run->op, false);

    return JUDGE_STEP_RUN;
}


/* Evaluations that were claimed too often, once all claims have their part. */

judge_step_e
judge_work_claim_tried(judge_run_t *run)
{
    judge_work_claim_t  *o = (judge_work_claim_t *) run->op;

    if (run->turn == 0 && !o->shared) {
        judge_work_claim_share(o, true);
    }

    return o->tried ? judge_run_next(run) : JUDGE_STEP_SKIP;
}


/* --- Results of external workers ----------------------------------------- */

judge_rc_e
judge_callback_finish_read(judge_run_t *run)
{
    judge_callback_finish_t  *o = (judge_callback_finish_t *) run->op;

    return judge_batch_evaluation_ended(run, &o->batches, o->op.org,
                                        judge_column_str(run, 0), &o->result);
}


/* --- Lists --------------------------------------------------------------- */

/* The number of the statement whose index fits the filters best. */

static size_t
judge_evaluation_list_by(const judge_evaluation_list_t *o)
{
    bool  judge = o->judge_id.data != NULL;

    if (o->content_id.data) {
        return 2;
    }

    if (judge_str_eq_c(o->status, "failed")) {
        return judge ? 3 : 4;
    }

    if (judge_str_eq_c(o->status, "processing")) {
        return judge ? 5 : 6;
    }

    if (o->needs_review.value) {
        return judge ? 7 : 8;
    }

    if (o->needs_review.set || o->status.data) {
        return judge ? 9 : 11;
    }

    return judge ? 10 : o->batch_id.data ? 1 : 12;
}


/* Statement 0 reads the smallest and the largest id of the batch. */

judge_step_e
judge_evaluation_list_step(judge_run_t *run)
{
    judge_evaluation_list_t  *o = (judge_evaluation_list_t *) run->op;

    if (run->step == 0) {
        /* Only completed evaluations have a value of needs_review. */
        if (o->needs_review.set && o->status.data
            && !judge_str_eq_c(o->status, "completed"))
        {
            return JUDGE_STEP_END;
        }

        if (o->batch_id.data) {
            o->from = o->before = (judge_str_t) { 0, NULL };
            return judge_run_next(run);
        }

        o->from = JUDGE_STR("");
        o->before = o->page.before.data ? o->page.before : JUDGE_STR("~");

        return JUDGE_STEP_SKIP;
    }

    if (o->from.data == NULL || o->before.data == NULL) {
        return JUDGE_STEP_END;         /* no evaluation before the cursor */
    }

    return run->step == judge_evaluation_list_by(o) ? JUDGE_STEP_RUN
                                                    : JUDGE_STEP_SKIP;
}


/* --- Retrying ------------------------------------------------------------ */

void
judge_evaluation_retry_end(judge_run_t *run)
{
    if (!((judge_evaluation_retry_t *) run->op)->requeued) {
        run->op->rc = JUDGE_CONFLICT;
    }
}


/* The counts of the batch lose the failure. */

judge_rc_e
judge_evaluation_retry_read(judge_run_t *run)
{
    judge_batch_delta_t       *delta;
    judge_evaluation_retry_t  *o = (judge_evaluation_retry_t *) run->op;

    o->requeued = true;
    delta = judge_batch_delta(run, &o->batches, o->op.org,
                              judge_column_str(run, 0));
    if (delta) {
        judge_batch_delta_add(delta, -1, JUDGE_STR("failed"), 0, false);
    }

    return run->op->rc;
}
