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
    if (run->step == 0) {
        run->row = ((judge_job_create_t *) run->op)->evaluations;
    }

    return judge_run_next(run);
}


/* --- Claiming ------------------------------------------------------------ */

enum {
    JUDGE_CLAIM_RANGE,
    JUDGE_CLAIM_CHOOSE,
    JUDGE_CLAIM_ALONE,
    JUDGE_CLAIM_WHOLE,
    JUDGE_CLAIM_LEASE
};


/* Selects a second time if no row of the first selection could be claimed:
 * with more rows, and without those that were claimed before. */

static judge_step_e
judge_queue_claim_choose(judge_run_t *run, judge_queue_claim_t *o)
{
    size_t  i, n;

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


/* Statement 0 chooses a range, 1 evaluations that are as urgent, which 2
 * claims one after another; 3 reads the evaluations of the range, 4 claims it
 * unless all of them were deleted; 5 and 6 split it up. */

judge_step_e
judge_queue_claim_step(judge_run_t *run)
{
    bool                  range;
    judge_queue_claim_t  *o = (judge_queue_claim_t *) run->op;

    if (run->step == JUDGE_CLAIM_LEASE && o->count == o->alone) {
        o->whole = false;
        o->broken = true;
        return JUDGE_STEP_SKIP;
    }

    if (run->step == JUDGE_CLAIM_CHOOSE) {
        return judge_queue_claim_choose(run, o);
    }

    if (run->step != JUDGE_CLAIM_ALONE) {
        return judge_run_next(run);
    }

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


judge_rc_e
judge_queue_claim_read(judge_run_t *run)
{
    judge_job_t          *job;
    judge_queue_claim_t  *o = (judge_queue_claim_t *) run->op;

    if (run->step != JUDGE_CLAIM_CHOOSE && run->step != JUDGE_CLAIM_WHOLE) {
        return JUDGE_OK;
    }

    job = judge_calloc(o->op.arena, sizeof(judge_job_t));
    if (job == NULL) {
        return JUDGE_NOMEM;
    }

    if (run->step == JUDGE_CLAIM_CHOOSE) {
        job->retry = judge_column_int(run, 2);
        if ((job->retry && !o->may_retry)
            || o->count == (size_t) (o->limit + o->models))
        {
            o->passed += (size_t) job->retry;
            return JUDGE_OK;
        }
        o->may_retry = o->may_retry && !job->retry;
        o->before += judge_column_int(run, 3);
        job->org = judge_column_str(run, 0);
        job->id = judge_column_str(run, 1);
        o->jobs[o->count++] = job;

        return JUDGE_OK;
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


static void
judge_queue_load_share(judge_queue_load_t *o)
{
    size_t        i;
    judge_job_t  *job, *from;

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

    if (run->st == NULL) {
        judge_queue_load_share(o);
        return JUDGE_STEP_END;
    }

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


static judge_rc_e
judge_queue_load_reference(judge_run_t *run, judge_job_t *job)
{
    judge_str_t             text;
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


judge_rc_e
judge_queue_load_read(judge_run_t *run)
{
    return run->step == 2 ? judge_queue_load_reference(run, run->row)
                          : JUDGE_OK;
}


judge_step_e
judge_queue_prolong_step(judge_run_t *run)
{
    judge_step_e  next;

    next = judge_run_next(run);
    if (next == JUDGE_STEP_REPEAT) {
        ((judge_held_t *) run->row)->held = false;
    }

    return next;
}


/* --- Claims of external workers ------------------------------------------ */

enum {
    JUDGE_WORK_LATE_ENDED,
    JUDGE_WORK_CHOSEN,
    JUDGE_WORK_MARKED,
    JUDGE_WORK_TRIED,
    JUDGE_WORK_UNREAD
};


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
    judge_work_claim_t  *o = (judge_work_claim_t *) run->op;

    switch (run->step) {

    case JUDGE_WORK_LATE_ENDED:
        judge_work_claim_share(o, false);
        break;

    case JUDGE_WORK_TRIED:
        if (run->turn == 0 && !o->shared) {
            judge_work_claim_share(o, true);
        }
        if (!o->tried) {
            return JUDGE_STEP_SKIP;
        }
        break;

    case JUDGE_WORK_UNREAD:
        if (!o->unread) {
            return JUDGE_STEP_SKIP;
        }
        break;
    }

    return judge_run_next(run);
}


/* --- Results of external workers ----------------------------------------- */

/* Statement 1 stores the result, 2 adds it to the counts of its batch. */

judge_step_e
judge_callback_finish_step(judge_run_t *run)
{
    judge_callback_finish_t  *o = (judge_callback_finish_t *) run->op;

    return run->step == 2 ? judge_batch_count_step(run, &o->batches)
                          : judge_run_next(run);
}


judge_rc_e
judge_callback_finish_read(judge_run_t *run)
{
    judge_callback_finish_t  *o = (judge_callback_finish_t *) run->op;

    return run->step == 2
           ? judge_batch_count_read(run)
           : judge_batch_evaluation_ended(run, &o->batches, o->op.org,
                                          judge_column_str(run, 0),
                                          &o->result);
}


/* --- Lists --------------------------------------------------------------- */

/* The number of the statement whose index fits the filters best. */

static size_t
judge_evaluation_list_by(const judge_evaluation_list_t *o)
{
    bool  judge;

    judge = o->judge_id.data != NULL;

    if (o->content_id.data) {
        return 2;
    }

    if (judge_str_eq_c(o->status, "failed")) {
        return judge ? 3 : 4;
    }

    if (judge_str_eq_c(o->status, "processing")) {
        return judge ? 5 : 6;
    }

    if (judge_str_eq_c(o->needs_review, "true")
        || judge_str_eq_c(o->needs_review, "True")
        || judge_str_eq_c(o->needs_review, "1"))
    {
        return judge ? 7 : 8;
    }

    if (o->needs_review.data || o->status.data) {
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
        if (o->needs_review.data && o->status.data
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

    return run->st && run->step != judge_evaluation_list_by(o)
           ? JUDGE_STEP_SKIP : judge_run_next(run);
}


/* --- Retrying ------------------------------------------------------------ */

/* Statement 0 queues a failed evaluation again, 1 removes it from the counts
 * of its batch, 2 reads its new row. */

judge_step_e
judge_evaluation_retry_step(judge_run_t *run)
{
    judge_evaluation_retry_t  *o = (judge_evaluation_retry_t *) run->op;

    if (run->step == 1) {
        return judge_batch_count_step(run, &o->batches);
    }

    if (run->st == NULL && !o->requeued) {
        o->op.rc = JUDGE_CONFLICT;
    }

    return judge_run_next(run);
}


judge_rc_e
judge_evaluation_retry_read(judge_run_t *run)
{
    judge_batch_delta_t       *delta;
    judge_evaluation_retry_t  *o = (judge_evaluation_retry_t *) run->op;

    if (run->step != 0) {
        return run->step == 1 ? judge_batch_count_read(run) : JUDGE_OK;
    }

    o->requeued = true;

    delta = judge_batch_delta(run, &o->batches, o->op.org,
                              judge_column_str(run, 0));
    if (delta) {
        judge_batch_delta_add(delta, -1, JUDGE_STR("failed"), 0, false);
    }

    return run->op->rc;
}
