/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Batches: made, started, tried again, deleted. */


#include "store/ops/store_batch_parts.h"
#include "store/ops/store_event_parts.h"


/* Statement 0 looks for one judge after another, 1 for the contents. */

#undef JUDGE_OF
#define JUDGE_OF  judge_batch_check_t

#undef JUDGE_ROW
#define JUDGE_ROW  judge_batch_judge_t

static const judge_value_t  judge_batch_check_in0[] = {
    JUDGE_V(op.org), JUDGE_R(id), JUDGE_END
};

static const judge_value_t  judge_batch_check_out0[] = {
    JUDGE_R(found), JUDGE_R(version), JUDGE_R(content_type), JUDGE_END
};

#undef JUDGE_ROW
#define JUDGE_ROW  judge_batch_content_t

static const judge_value_t  judge_batch_check_in1[] = {
    JUDGE_V(op.org), JUDGE_R(id), JUDGE_END
};

static const judge_value_t  judge_batch_check_out1[] = {
    JUDGE_R(found), JUDGE_R(file_type), JUDGE_R(status), JUDGE_END
};


const judge_op_spec_t  judge_op_batch_check = {
    .name = "batch_check",
    .place = JUDGE_OP_BULK,
    .statements = {
        { "SELECT 1, version, content_type FROM judges"
          " WHERE org = ?1 AND id = ?2 AND deleted_at IS NULL",
          .in = judge_batch_check_in0, .out = judge_batch_check_out0,
          .each = JUDGE_ROWS(judge_batch_check_t, judges, njudges) },
        { "SELECT 1, file_type, status FROM contents"
          " WHERE org = ?1 AND id = ?2",
          .in = judge_batch_check_in1, .out = judge_batch_check_out1,
          .each = JUDGE_ROWS(judge_batch_check_t, contents, ncontents) }
    }
};


/* A row that was not inserted has no judge or no content any more. */

static judge_step_e
judge_batch_create_evaluation(judge_run_t *run)
{
    judge_batch_judge_t   *judge;
    judge_batch_create_t  *o = (judge_batch_create_t *) run->op;

    if (run->turn && run->changes == 0) {
        o->op.rc = JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    if (run->turn == o->njudges * o->ncontents) {
        return JUDGE_STEP_SKIP;
    }

    judge = &o->judges[run->turn % o->njudges];
    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, judge_id_str(&o->ids[run->turn]));
    judge_bind_when(run, 3, judge->wanted.queue_at);
    judge_bind_int(run, 4, o->row.priority);
    judge_bind_str(run, 5, o->content_ids[run->turn / o->njudges]);
    judge_bind_str(run, 6, judge->id);
    judge_bind_int(run, 7, judge->version);
    judge_bind_str(run, 8, o->row.id);
    judge_bind_int(run, 9, o->row.created_at);
    judge_bind_int(run, 10, judge->wanted.deadline);
    judge_bind_str(run, 11, judge->wanted.model);
    judge_bind_when(run, 12, judge->wanted.samples);
    judge_bind_when(run, 13, judge->wanted.fresh);

    return JUDGE_STEP_REPEAT;
}


#undef JUDGE_OF
#define JUDGE_OF  judge_batch_create_t
#undef JUDGE_ROW
#define JUDGE_ROW  judge_content_row_t

static judge_step_e
judge_batch_create_step(judge_run_t *run)
{
    judge_batch_create_t  *o = (judge_batch_create_t *) run->op;

    if (run->step == 3) {
        return judge_batch_create_evaluation(run);
    }

    if (run->st == NULL && o->row.started_at
        && judge_event_add(&o->op, JUDGE_EVENT_BATCH_STARTED, o->op.org,
                           o->row.id)
           == NULL)
    {
        o->op.rc = JUDGE_NOMEM;
    }

    return judge_run_next(run);
}


const judge_op_spec_t  judge_op_batch_create = {
    .name = "batch_create",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "INSERT INTO batches (org, id, status, content_type, priority,"
          " created_at, started_at, total, judge_ids, judge_versions,"
          " name) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(row.id),
              JUDGE_V(row.status), JUDGE_V(row.content_type),
              JUDGE_V(row.priority), JUDGE_V(row.created_at),
              JUDGE_V_NULL(row.started_at), JUDGE_V(row.total),
              JUDGE_V(row.judge_ids), JUDGE_V(row.judge_versions),
              JUDGE_V(row.name)) },
        { "INSERT INTO batch_texts (org, batch_id, description,"
          " content_ids) VALUES (?1, ?2, ?3, ?4)",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(row.id),
              JUDGE_V(row.description), JUDGE_V(row.content_ids)) },
        { "INSERT INTO contents (org, id, file_type, status, size,"
          " created_at, name, description, metadata, text_content)"
          " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_R(id),
              JUDGE_R(file_type), JUDGE_R(status), JUDGE_R(size),
              JUDGE_R(created_at), JUDGE_R(name), JUDGE_R(description),
              JUDGE_R(metadata), JUDGE_R(text_content)),
          .each = JUDGE_ROWS(judge_batch_create_t, inlined, ninlined) },
        { "INSERT INTO evaluations (org, id, status, queue_at, priority,"
          " content_id, judge_id, judge_version, batch_id, created_at,"
          " deadline, model, samples, fresh)"
          " SELECT ?1, ?2, 'processing', ?3, ?4, ?5, ?6, ?7,"
          " ?8, ?9, ?10, ?11, ?12, ?13 WHERE EXISTS (SELECT 1 FROM contents"
          " WHERE org = ?1 AND id = ?5) AND EXISTS (SELECT 1 FROM judges"
          " WHERE org = ?1 AND id = ?6 AND deleted_at IS NULL)",
          .in = NULL }
    },
    .step = judge_batch_create_step
};


/*
 * What is not text, nor for a language model, waits for a worker: its turn in
 * the queue comes with its deadline only, which ends it.
 */

#define JUDGE_BATCH_EITHER(inside, outside)                                   \
    "(SELECT CASE WHEN content_type = 'text' OR model IS NOT NULL"            \
    " THEN " inside " ELSE " outside " END"                                   \
    " FROM batches WHERE org = ?1 AND id = ?2)"

#define JUDGE_BATCH_QUEUE_AT  JUDGE_BATCH_EITHER("?3", "?5")
#define JUDGE_BATCH_DEADLINE  JUDGE_BATCH_EITHER("?4", "?5")


#undef JUDGE_OF
#define JUDGE_OF  judge_batch_start_t

/* Statement 1 tells one that is not there from one that was started. */

static judge_step_e
judge_batch_start_step(judge_run_t *run)
{
    judge_batch_start_t  *o = (judge_batch_start_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    if (run->step == 1 && run->changes) {
        return JUDGE_STEP_SKIP;
    }

    if (run->step == 2 && run->changes == 0) {
        o->op.rc = run->rows ? JUDGE_CONFLICT : JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_batch_start_read(judge_run_t *run)
{
    judge_batch_start_t  *o = (judge_batch_start_t *) run->op;

    if (run->step != 0) {
        return JUDGE_OK;
    }

    if (judge_event_add(&o->op, JUDGE_EVENT_BATCH_STARTED, o->op.org, o->id)
        == NULL
        || (judge_str_eq_c(judge_column_str(run, 0), "completed")
            && judge_event_add(&o->op, JUDGE_EVENT_BATCH_COMPLETED,
                               o->op.org, o->id)
               == NULL))
    {
        return JUDGE_NOMEM;
    }

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_batch_start = {
    .name = "batch_start",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "UPDATE batches SET started_at = ?3, status ="
          " CASE WHEN total = 0 THEN 'completed' ELSE 'evaluating' END,"
          " completed_at = CASE WHEN total = 0 THEN ?3 END"
          " WHERE org = ?1 AND id = ?2 AND status = 'created'"
          " RETURNING status",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(id), JUDGE_V(now)) },
        { "SELECT 1 FROM batches WHERE org = ?1 AND id = ?2",
          .in = JUDGE_BY_ID(judge_batch_start_t) },
        { "UPDATE evaluations SET created_at = ?3,"
          " deadline = " JUDGE_BATCH_DEADLINE ","
          " queue_at = " JUDGE_BATCH_QUEUE_AT
          " WHERE org = ?1 AND batch_id = ?2",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(id), JUDGE_V(now),
              JUDGE_V(deadline), JUDGE_V(callback_deadline)) }
    },
    .step = judge_batch_start_step,
    .read = judge_batch_start_read
};


#undef JUDGE_OF
#define JUDGE_OF  judge_batch_retry_t

/* Statement 1 takes those that statement 0 put back off the counts. */

static judge_step_e
judge_batch_retry_step(judge_run_t *run)
{
    judge_batch_delta_t   delta;
    judge_batch_deltas_t  deltas;
    judge_batch_retry_t  *o = (judge_batch_retry_t *) run->op;

    if (run->st == NULL) {
        o->op.rc = o->requeued ? JUDGE_OK
                   : run->rows ? JUDGE_CONFLICT : JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    if (run->step == 1) {
        o->requeued = run->changes;
        if (o->requeued == 0) {
            return JUDGE_STEP_SKIP;
        }

        delta = (judge_batch_delta_t) { .org = o->op.org, .id = o->id,
                                        .failed = -o->requeued };
        deltas = (judge_batch_deltas_t) { .first = &delta };
        (void) judge_batch_count_bind(run, &deltas);
        return JUDGE_STEP_RUN;
    }

    return JUDGE_STEP_RUN;
}


const judge_op_spec_t  judge_op_batch_retry = {
    .name = "batch_retry",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "UPDATE evaluations SET status = 'processing',"
          " deadline = " JUDGE_BATCH_DEADLINE ","
          " attempts = 0, owner = NULL, last_error = NULL,"
          " evaluated_at = NULL, overall_score = NULL,"
          " error_code = NULL, batch_seq = NULL,"
          " queue_at = " JUDGE_BATCH_QUEUE_AT
          " WHERE org = ?1 AND batch_id = ?2 AND status = 'failed'",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(id), JUDGE_V(now),
              JUDGE_V(deadline), JUDGE_V(callback_deadline)) },
        { JUDGE_BATCH_COUNT,
          .in = NULL },
        { "SELECT 1 FROM batches WHERE org = ?1 AND id = ?2",
          .in = JUDGE_BY_ID(judge_batch_retry_t) }
    },
    .step = judge_batch_retry_step
};


const judge_op_spec_t  judge_op_batch_delete = {
    .name = "batch_delete",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "DELETE FROM batches WHERE org = ?1 AND id = ?2",
          .in = JUDGE_BY_ID(judge_batch_delete_t),
          .unless_changed = JUDGE_NOT_FOUND },
        { "DELETE FROM batch_texts WHERE org = ?1 AND batch_id = ?2",
          .in = JUDGE_BY_ID(judge_batch_delete_t) },
        { "DELETE FROM feedback_sessions"
          " WHERE org = ?1 AND batch_id = ?2",
          .in = JUDGE_BY_ID(judge_batch_delete_t) },
        { "DELETE FROM feedback WHERE org = ?1 AND evaluation_id IN"
          " (SELECT id FROM evaluations WHERE org = ?1 AND batch_id = ?2)",
          .in = JUDGE_BY_ID(judge_batch_delete_t) },
        { "DELETE FROM examples WHERE org = ?1 AND evaluation_id IN"
          " (SELECT id FROM evaluations WHERE org = ?1 AND batch_id = ?2)",
          .in = JUDGE_BY_ID(judge_batch_delete_t) },
        { "DELETE FROM evaluations WHERE org = ?1 AND batch_id = ?2",
          .in = JUDGE_BY_ID(judge_batch_delete_t) }
    }
};
