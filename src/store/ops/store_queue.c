/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The queue: evaluation rows that are pending, seen by who works on them. */


#include "store/ops/store_batch_parts.h"
#include "store/ops/store_event_parts.h"


static bool judge_queue_load_next(judge_queue_load_t *o);
static bool judge_queue_load_next_model(judge_queue_load_t *o);
static judge_step_e judge_queue_finish_result(judge_run_t *run,
    judge_queue_finish_t *o);


#undef JUDGE_OF
#define JUDGE_OF  judge_queue_peek_t

static const judge_value_t  judge_queue_peek_in[] = {
    JUDGE_V(now), JUDGE_END
};

static const judge_value_t  judge_queue_peek_out[] = {
    JUDGE_V(pending), JUDGE_END
};


/* Statement 0 looks at the queue of the built-in engine, 1 at the models'. */

static judge_step_e
judge_queue_peek_step(judge_run_t *run)
{
    judge_queue_peek_t  *o = (judge_queue_peek_t *) run->op;

    return o->pending || (run->step == 1 && !o->models) ? JUDGE_STEP_END
                                                        : judge_run_next(run);
}


const judge_op_spec_t  judge_op_queue_peek = {
    .name = "queue_peek",
    .place = JUDGE_OP_INLINE,
    .statements = {
        { "SELECT 1 FROM evaluations WHERE priority IN (0, 1, 2)"
          " AND queue_at IS NOT NULL AND model IS NULL"
          " AND queue_at <= ?1 LIMIT 1",
          .in = judge_queue_peek_in, .out = judge_queue_peek_out },
        { "SELECT 1 FROM evaluations WHERE priority IN (0, 1, 2)"
          " AND queue_at IS NOT NULL AND model IS NOT NULL"
          " AND queue_at <= ?1 LIMIT 1",
          .in = judge_queue_peek_in, .out = judge_queue_peek_out }
    },
    .step = judge_queue_peek_step
};


/*
 * Statement 0 chooses: the oldest of each class, then among them by class
 * less what their age has earned them.  Statement 1 takes one after another.
 */

#define JUDGE_QUEUE_CLASS(priority, engine)                                   \
    "SELECT * FROM (SELECT org, id, priority, queue_at, created_at"           \
    " FROM evaluations WHERE priority = " priority                            \
    " AND queue_at IS NOT NULL AND model IS " engine                          \
    " AND queue_at <= ?1 ORDER BY queue_at"                                   \
    " LIMIT CASE WHEN ?2 > ?4 THEN ?2 ELSE ?4 END)"

#define JUDGE_QUEUE_CLASSES(engine)                                           \
    JUDGE_QUEUE_CLASS("0", engine)                                            \
    " UNION ALL " JUDGE_QUEUE_CLASS("1", engine)                              \
    " UNION ALL " JUDGE_QUEUE_CLASS("2", engine)


#define JUDGE_QUEUE_ORDER                                                     \
    " ORDER BY CASE WHEN (?1 - created_at) / ?3 >= priority THEN 0"           \
    " ELSE priority - (?1 - created_at) / ?3 END, queue_at"

#undef JUDGE_OF
#define JUDGE_OF   judge_queue_claim_t
#undef JUDGE_ROW
#define JUDGE_ROW  judge_job_t

static judge_step_e
judge_queue_claim_step(judge_run_t *run)
{
    judge_queue_claim_t  *o = (judge_queue_claim_t *) run->op;

    if (run->step != 1) {
        return judge_run_next(run);
    }

    if (run->turn == o->count) {
        return JUDGE_STEP_END;
    }

    run->row = o->jobs[run->turn];

    return JUDGE_STEP_REPEAT;
}


static judge_rc_e
judge_queue_claim_read(judge_run_t *run)
{
    judge_job_t          *job;
    judge_queue_claim_t  *o = (judge_queue_claim_t *) run->op;

    if (run->step == 0) {
        job = judge_calloc(o->op.arena, sizeof(judge_job_t));
        if (job == NULL || o->count == (size_t) (o->limit + o->models)) {
            return JUDGE_NOMEM;
        }
        job->org = judge_column_str(run, 0);
        job->id = judge_column_str(run, 1);
        o->jobs[o->count++] = job;
        return JUDGE_OK;
    }

    job = run->row;
    job->by_model = !judge_column_null(run, 7);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_queue_claim = {
    .name = "queue_claim",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "SELECT org, id FROM (SELECT * FROM (SELECT * FROM ("
          JUDGE_QUEUE_CLASSES("NULL") ") AS ready"
          JUDGE_QUEUE_ORDER " LIMIT ?2)"
          " UNION ALL SELECT * FROM (SELECT * FROM ("
          JUDGE_QUEUE_CLASSES("NOT NULL") ") AS asking"
          JUDGE_QUEUE_ORDER " LIMIT ?4)) AS ready",
          .in = JUDGE_VALUES(JUDGE_V(now), JUDGE_V(limit), JUDGE_V(aging),
              JUDGE_V(models)) },
        { "UPDATE evaluations SET queue_at = ?3, owner = ?4,"
          " attempts = attempts + 1 WHERE org = ?1 AND id = ?2"
          " RETURNING attempts, created_at, deadline, content_id,"
          " judge_id, judge_version, batch_id, model",
          .in = JUDGE_VALUES(JUDGE_R(org), JUDGE_R(id), JUDGE_V(lease_until),
              JUDGE_V(owner)),
          .out = JUDGE_VALUES(JUDGE_R(attempts), JUDGE_R(created_at),
              JUDGE_R(deadline), JUDGE_R(content_id), JUDGE_R(judge_id),
              JUDGE_R(judge_version), JUDGE_R(batch_id)) }
    },
    .step = judge_queue_claim_step,
    .read = judge_queue_claim_read
};


/* Statement 0 reads texts and judges, job by job; statement 1 the references,
 * once for jobs of the same judge that follow each other; statement 2 what is
 * wanted of models. */

static judge_step_e
judge_queue_load_step(judge_run_t *run)
{
    judge_queue_load_t  *o = (judge_queue_load_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    if (run->step == 1 && !judge_queue_load_next(o)) {
        return JUDGE_STEP_SKIP;
    }

    if (run->step == 2 && run->turn == 0) {
        o->at = 0;
    }

    if ((run->step == 0 && run->turn == o->count)
        || (run->step == 2 && !judge_queue_load_next_model(o)))
    {
        return JUDGE_STEP_SKIP;
    }

    run->row = o->jobs[run->step == 0 ? run->turn : o->at - 1];

    return JUDGE_STEP_REPEAT;
}


static bool
judge_queue_load_next(judge_queue_load_t *o)
{
    judge_job_t  *job, *before;

    while (o->at < o->count) {
        job = o->jobs[o->at++];
        before = o->at > 1 ? o->jobs[o->at - 2] : NULL;

        if (before == NULL || before->judge_version != job->judge_version
            || !judge_str_eq(before->judge_id, job->judge_id))
        {
            return true;
        }

        job->references = before->references;
        job->nreferences = before->nreferences;
    }

    return false;
}


static bool
judge_queue_load_next_model(judge_queue_load_t *o)
{
    while (o->at < o->count) {
        if (o->jobs[o->at++]->by_model) {
            return true;
        }
    }

    return false;
}


static judge_rc_e
judge_queue_load_read(judge_run_t *run)
{
    judge_job_t  *job = run->row;

    if (run->step == 0) {
        job->found = true;

    } else if (run->step == 1) {
        job->references = judge_row_room(run, job->references,
                                         JUDGE_REFERENCES_MAX,
                                         sizeof(judge_str_t));
        if (job->references == NULL) {
            return JUDGE_NOMEM;
        }
        job->references[job->nreferences++] = judge_column_str(run, 0);
    }

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_queue_load = {
    .name = "queue_load",
    .place = JUDGE_OP_BULK,
    .statements = {
        { "SELECT c.text_content, c.metadata, v.name, v.description,"
          " v.criteria, c.file_type, c.file_path"
          " FROM contents c, judge_versions v"
          " WHERE c.org = ?1 AND c.id = ?4 AND v.org = ?1"
          " AND v.judge_id = ?2 AND v.version = ?3",
          .in = JUDGE_VALUES(JUDGE_R(org), JUDGE_R(judge_id),
              JUDGE_R(judge_version), JUDGE_R(content_id)),
          .out = JUDGE_VALUES(JUDGE_R(text_content), JUDGE_R(metadata),
              JUDGE_R(judge_name), JUDGE_R(judge_description),
              JUDGE_R(criteria), JUDGE_R(file_type), JUDGE_R(file_path)) },
        { "SELECT t.text_content FROM judge_references f"
          " JOIN reference_texts t ON t.org = f.org"
          " AND t.id = f.reference_id WHERE f.org = ?1"
          " AND f.judge_id = ?2 AND f.version = ?3"
          " AND t.text_content IS NOT NULL ORDER BY f.position"
          " LIMIT " JUDGE_SQL_NUMBER(JUDGE_REFERENCES_MAX),
          .in = JUDGE_VALUES(JUDGE_R(org), JUDGE_R(judge_id),
              JUDGE_R(judge_version)) },
        { "SELECT model, samples, fresh FROM evaluations"
          " WHERE org = ?1 AND id = ?2",
          .in = JUDGE_VALUES(JUDGE_R(org), JUDGE_R(id)),
          .out = JUDGE_VALUES(JUDGE_R(model), JUDGE_R(samples),
              JUDGE_R(fresh)) }
    },
    .step = judge_queue_load_step,
    .read = judge_queue_load_read
};


/*
 * Statement 0 ends one evaluation after another, 1 keeps their results, 2 adds
 * them to the counts of their batches.  The numbers batch_seq follow the order
 * of the results; they need not be without gaps.
 */

#undef JUDGE_OF
#define JUDGE_OF   judge_queue_finish_t
#undef JUDGE_ROW
#define JUDGE_ROW  judge_result_t

static judge_step_e
judge_queue_finish_step(judge_run_t *run)
{
    judge_step_e           next;
    judge_queue_finish_t  *o = (judge_queue_finish_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    if (run->step == 1) {
        return judge_queue_finish_result(run, o);
    }

    if (run->step == 2) {
        return judge_batch_count_bind(run, &o->batches);
    }

    next = judge_run_next(run);
    if (next == JUDGE_STEP_REPEAT) {
        ((judge_result_t *) run->row)->stored = false;
    } else {
        o->at = 0;
    }

    return next;
}


/* Of those that were stored and have one. */

static judge_step_e
judge_queue_finish_result(judge_run_t *run, judge_queue_finish_t *o)
{
    judge_result_t  *result;

    while (o->at < o->count) {
        result = &o->results[o->at++];

        if (result->stored && result->body.data) {
            run->row = result;
            return JUDGE_STEP_REPEAT;
        }
    }

    return JUDGE_STEP_SKIP;
}


static judge_rc_e
judge_queue_finish_read(judge_run_t *run)
{
    judge_str_t            batch;
    judge_result_t        *result;
    judge_batch_delta_t   *delta;
    judge_queue_finish_t  *o = (judge_queue_finish_t *) run->op;

    if (run->step == 2) {
        return judge_batch_count_read(run, &o->batches);
    }

    result = &o->results[run->turn];
    result->stored = true;

    if (judge_str_eq_c(result->status, "processing")) {
        return JUDGE_OK;
    }

    if (judge_event_add_result(&o->op, result->org, result) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    batch = judge_column_str(run, 0);
    if (batch.data == NULL) {
        return run->op->rc;
    }

    delta = judge_batch_delta(o->op.arena, &o->batches, result->org, batch);
    if (delta == NULL) {
        return JUDGE_NOMEM;
    }

    judge_batch_delta_add(delta, 1, result->status, result->overall_score,
                          result->scored);
    delta->seq = (int64_t) run->turn + 1;
    delta->now = result->evaluated_at;

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_queue_finish = {
    .name = "queue_finish",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "UPDATE evaluations SET status = ?4, queue_at = ?5,"
          " evaluated_at = ?6, overall_score = ?7, last_error = ?8,"
          " error_code = ?9, owner = NULL, answer_key = ?11,"
          " attempts = attempts - ?12,"
          " batch_seq = CASE WHEN ?4 <> 'processing' THEN"
          " (SELECT b.last_seq + ?10 + 1 FROM batches b WHERE b.org = ?1"
          " AND b.id = evaluations.batch_id) END"
          " WHERE org = ?1 AND id = ?2 AND owner = ?3"
          " AND status = 'processing' RETURNING batch_id",
          .in = JUDGE_VALUES(JUDGE_R(org), JUDGE_R(id), JUDGE_V(owner),
              JUDGE_R(status), JUDGE_R_NULL(queue_at),
              JUDGE_R_NULL(evaluated_at), JUDGE_R_IF(overall_score, scored),
              JUDGE_R(last_error), JUDGE_R(error_code), JUDGE_TURN,
              JUDGE_R(answer_key), JUDGE_R(uncounted)),
          .each = JUDGE_ROWS(judge_queue_finish_t, results, count) },
        { JUDGE_RESULT_INSERT,
          .in = JUDGE_VALUES(JUDGE_R(org), JUDGE_R(id), JUDGE_R(status),
              JUDGE_R_BLOB(features), JUDGE_R(body)) },
        { JUDGE_BATCH_COUNT,
          .in = NULL }
    },
    .step = judge_queue_finish_step,
    .read = judge_queue_finish_read
};


/* A lease lies in the future: what is older may be claimed anyway.  One
 * statement for each of the two queues, and two for the outbox. */

#undef JUDGE_OF
#define JUDGE_OF  judge_queue_release_t

static const judge_value_t  judge_queue_release_in[] = {
    JUDGE_V(owner), JUDGE_V(now), JUDGE_END
};


#define JUDGE_QUEUE_RELEASE(engine)                                           \
    "UPDATE evaluations SET queue_at = ?2, owner = NULL"                      \
    " WHERE priority IN (0, 1, 2) AND queue_at IS NOT NULL"                   \
    " AND model IS " engine " AND queue_at > ?2 AND owner IS NOT NULL"        \
    " AND (?1 IS NULL OR owner = ?1)"

const judge_op_spec_t  judge_op_queue_release = {
    .name = "queue_release",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { JUDGE_QUEUE_RELEASE("NULL"),
          .in = judge_queue_release_in },
        { JUDGE_QUEUE_RELEASE("NOT NULL"),
          .in = judge_queue_release_in },
        { "UPDATE webhook_endpoints SET queue_at ="
          " CASE WHEN blocked_until > ?2 THEN blocked_until ELSE ?2 END"
          " WHERE (org, url) IN (SELECT org, url FROM deliveries"
          " WHERE owner > '' AND (?1 IS NULL OR owner = ?1))",
          .in = judge_queue_release_in },
        { "UPDATE deliveries SET queue_at = ?2, owner = NULL"
          " WHERE owner > '' AND (?1 IS NULL OR owner = ?1)",
          .in = judge_queue_release_in },
        { "UPDATE training_jobs SET queue_at = ?2, owner = NULL"
          " WHERE queue_at > ?2 AND owner IS NOT NULL"
          " AND (?1 IS NULL OR owner = ?1)",
          .in = judge_queue_release_in }
    }
};


/* Statement by statement the queues; columns: due and later, for one class
 * after the other. */

#define JUDGE_QUEUE_COUNT(priority, model, when)                              \
    "(SELECT COUNT(*) FROM (SELECT 1 FROM evaluations WHERE priority = "      \
    priority " AND queue_at IS NOT NULL AND model " model " AND queue_at "    \
    when " ?1 LIMIT " JUDGE_SQL_NUMBER(JUDGE_QUEUE_DEPTH_MAX) "))"

#define JUDGE_QUEUE_BOTH(priority, model)                                     \
    JUDGE_QUEUE_COUNT(priority, model, "<=") ", "                             \
    JUDGE_QUEUE_COUNT(priority, model, ">")

#define JUDGE_QUEUE_COUNTS(model)                                             \
    "SELECT " JUDGE_QUEUE_BOTH("0", model) ", " JUDGE_QUEUE_BOTH("1", model)  \
    ", " JUDGE_QUEUE_BOTH("2", model)


#undef JUDGE_OF
#define JUDGE_OF  judge_queue_depth_t

static const judge_value_t  judge_queue_depth_in[] = {
    JUDGE_V(now), JUDGE_END
};


static judge_rc_e
judge_queue_depth_read(judge_run_t *run)
{
    int                   i;
    judge_queue_depth_t  *o = (judge_queue_depth_t *) run->op;

    for (i = 0; i < JUDGE_PRIORITIES; i++) {
        o->due[run->step][i] = judge_column_int(run, 2 * i);
        o->later[run->step][i] = judge_column_int(run, 2 * i + 1);
    }

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_queue_depth = {
    .name = "queue_depth",
    .place = JUDGE_OP_BULK,
    .statements = {
        { JUDGE_QUEUE_COUNTS("IS NULL"),
          .in = judge_queue_depth_in },
        { JUDGE_QUEUE_COUNTS("IS NOT NULL"),
          .in = judge_queue_depth_in }
    },
    .read = judge_queue_depth_read
};
