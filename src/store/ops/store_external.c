/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Work for others: see store_external.h. */


#include "store/ops/store_external_parts.h"


static void judge_work_bind_filter(judge_run_t *run,
    const judge_work_filter_t *filter);
static judge_step_e judge_work_held(judge_run_t *run);


/* What may be claimed of one class, the oldest first, and found in that order.
 * ?1 is the organization, ?2 the time, ?3 how many, ?4 to ?7 the filter. */

#define JUDGE_WORK_CLASS(priority)                                            \
    "SELECT * FROM (SELECT e.id, e.attempts, e.priority, e.created_at"        \
    " FROM evaluations e INDEXED BY evaluations_work CROSS JOIN contents c"   \
    " ON c.org = e.org AND c.id = e.content_id"                               \
    " WHERE e.org = ?1 AND e.priority = " priority                            \
    " AND e.queue_at = e.deadline AND e.model IS NULL"                        \
    " AND e.owner IS NULL AND e.deadline > ?2"                                \
    " AND coalesce(e.work_until, 0) <= ?2 AND c.file_type IN (?4, ?5, ?6)"    \
    " AND ((?7 & 1 AND c.file_path IS NOT NULL)"                              \
    " OR (?7 & 2 AND c.file_path IS NULL))"                                   \
    " ORDER BY e.created_at LIMIT ?3)"

#define JUDGE_WORK_CLASSES                                                    \
    JUDGE_WORK_CLASS("0") " UNION ALL " JUDGE_WORK_CLASS("1")                 \
    " UNION ALL " JUDGE_WORK_CLASS("2")


static void
judge_work_bind_filter(judge_run_t *run, const judge_work_filter_t *filter)
{
    int  i;

    for (i = 0; i < JUDGE_WORK_KINDS; i++) {
        judge_bind_str(run, 4 + i, filter->kinds[i]);
    }

    judge_bind_int(run, 7, filter->sources);
}


static judge_step_e
judge_work_peek_step(judge_run_t *run)
{
    judge_work_peek_t  *o = (judge_work_peek_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_int(run, 2, o->now);
    judge_bind_int(run, 3, 1);
    judge_work_bind_filter(run, &o->filter);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_work_peek_read(judge_run_t *run)
{
    ((judge_work_peek_t *) run->op)->pending = true;

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_work_peek = {
    .name = "work_peek",
    .place = JUDGE_OP_BULK,
    .statements = {
        { JUDGE_WORK_CLASSES " LIMIT 1",
          .in = NULL }
    },
    .step = judge_work_peek_step,
    .read = judge_work_peek_read
};


/* Statement 0 chooses, 1 ends what has been tried too often, 2 takes, and 3
 * reads what is needed to work on it. */

static judge_step_e
judge_work_claim_step(judge_run_t *run)
{
    size_t               i = run->turn;
    judge_work_claim_t  *o = (judge_work_claim_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    if (run->step == 0) {
        judge_bind_str(run, 1, o->op.org);
        judge_bind_int(run, 2, o->now);
        judge_bind_int(run, 3, o->limit);
        judge_work_bind_filter(run, &o->filter);
        judge_bind_int(run, 8, o->aging);
        return JUDGE_STEP_RUN;
    }

    if (i == (run->step == 3 ? o->count : o->nfound)) {
        return JUDGE_STEP_SKIP;
    }

    judge_bind_str(run, 1, o->op.org);

    switch (run->step) {
    case 1:
        judge_bind_str(run, 2, o->found[i]);
        judge_bind_int(run, 3, o->now);
        judge_bind_int(run, 4, o->attempts);
        break;

    case 2:
        judge_bind_str(run, 2, o->found[i]);
        judge_bind_int(run, 3, o->lease_until);
        judge_bind_str(run, 4, o->lease);
        judge_bind_int(run, 5, o->now);
        break;

    default:
        judge_bind_str(run, 2, o->items[i].content_id);
        judge_bind_str(run, 3, o->items[i].judge_id);
        judge_bind_int(run, 4, o->items[i].judge_version);
        break;
    }

    return JUDGE_STEP_REPEAT;
}


static void
judge_work_read_evaluation(judge_run_t *run, judge_work_item_t *item)
{
    item->id = judge_column_str(run, 0);
    item->content_id = judge_column_str(run, 1);
    item->judge_id = judge_column_str(run, 2);
    item->judge_version = judge_column_int(run, 3);
    item->batch_id = judge_column_str(run, 4);
    item->priority = judge_column_int(run, 5);
    item->attempts = judge_column_int(run, 6);
    item->created_at = judge_column_int(run, 7);
    item->deadline = judge_column_int(run, 8);
}


static void
judge_work_read_rest(judge_run_t *run, int i, judge_work_item_t *item)
{
    judge_content_row_t  *content = &item->content;

    content->id = item->content_id;
    content->file_type = judge_column_str(run, i);
    content->size = judge_column_int(run, i + 1);
    content->name = judge_column_str(run, i + 2);
    content->file_path = judge_column_str(run, i + 3);
    content->file_url = judge_column_str(run, i + 4);
    content->metadata = judge_column_str(run, i + 5);
    item->judge_name = judge_column_str(run, i + 6);
    item->judge_description = judge_column_str(run, i + 7);
    item->criteria = judge_column_str(run, i + 8);
}


void
judge_work_item_read(judge_run_t *run, judge_work_item_t *item)
{
    judge_work_read_evaluation(run, item);
    judge_work_read_rest(run, JUDGE_WORK_COLUMN_CONTENT, item);
}


static judge_rc_e
judge_work_claim_read(judge_run_t *run)
{
    judge_work_claim_t  *o = (judge_work_claim_t *) run->op;

    if (run->step == 0) {
        if (o->nfound == JUDGE_WORK_CLAIMS) {
            return JUDGE_ERROR;
        }
        o->found[o->nfound++] = judge_column_str(run, 0);
        return JUDGE_OK;
    }

    if (run->step == 2) {
        judge_work_read_evaluation(run, &o->items[o->count++]);
        return JUDGE_OK;
    }

    judge_work_read_rest(run, 0, &o->items[run->turn]);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_work_claim = {
    .name = "work_claim",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "SELECT id FROM (" JUDGE_WORK_CLASSES ") AS ready ORDER BY"
          " CASE WHEN (?2 - created_at) / ?8 >= priority THEN 0"
          " ELSE priority - (?2 - created_at) / ?8 END, created_at"
          " LIMIT ?3",
          .in = NULL },
        { "UPDATE evaluations SET deadline = ?3, queue_at = ?3"
          " WHERE org = ?1 AND id = ?2 AND attempts >= ?4",
          .in = NULL },
        { "UPDATE evaluations SET work_until = ?3, work_lease = ?4,"
          " work_progress = NULL, attempts = attempts + 1"
          " WHERE org = ?1 AND id = ?2 AND deadline > ?5"
          " RETURNING id, content_id, judge_id, judge_version, batch_id,"
          " priority, attempts, created_at, deadline",
          .in = NULL },
        { "SELECT " JUDGE_WORK_COLUMNS_REST
          " FROM contents c, judge_versions v WHERE c.org = ?1"
          " AND c.id = ?2 AND v.org = ?1 AND v.judge_id = ?3"
          " AND v.version = ?4",
          .in = NULL }
    },
    .step = judge_work_claim_step,
    .read = judge_work_claim_read
};


/* Behind an update that changed nothing: whether it is there at all. */

static judge_step_e
judge_work_held(judge_run_t *run)
{
    return run->step == 1 && run->changes > 0 ? JUDGE_STEP_END
                                              : judge_run_next(run);
}

#define JUDGE_WORK_THERE                                                      \
    "SELECT 1 FROM evaluations WHERE org = ?1 AND id = ?2"

#define JUDGE_WORK_MINE                                                       \
    " org = ?1 AND id = ?2 AND work_lease = ?3 AND status = 'processing'"


#undef JUDGE_OF
#define JUDGE_OF  judge_work_prolong_t

static const judge_value_t  judge_work_prolong_in[] = {
    JUDGE_V(op.org), JUDGE_V(id), JUDGE_V(lease), JUDGE_V_NULL(lease_until),
    JUDGE_V_NULL(progress), JUDGE_END
};


const judge_op_spec_t  judge_op_work_prolong = {
    .name = "work_prolong",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "UPDATE evaluations SET work_until = coalesce(?4, work_until),"
          " work_progress = coalesce(?5, work_progress) WHERE org = ?1"
          " AND id = ?2 AND (?3 IS NULL OR work_lease = ?3)"
          " AND status = 'processing'",
          .in = judge_work_prolong_in },
        { JUDGE_WORK_THERE,
          .in = judge_by_id_in, .unless_rows = JUDGE_NOT_FOUND,
          .if_rows = JUDGE_CONFLICT }
    },
    .step = judge_work_held
};


#undef JUDGE_OF
#define JUDGE_OF  judge_work_release_t

static const judge_value_t  judge_work_release_in[] = {
    JUDGE_V(op.org), JUDGE_V(id), JUDGE_V(lease), JUDGE_V(again_at), JUDGE_END
};


const judge_op_spec_t  judge_op_work_release = {
    .name = "work_release",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "UPDATE evaluations SET work_until = ?4, work_lease = NULL,"
          " work_progress = NULL,"
          " attempts = CASE WHEN attempts > 0 THEN attempts - 1 ELSE 0"
          " END WHERE" JUDGE_WORK_MINE,
          .in = judge_work_release_in },
        { JUDGE_WORK_THERE,
          .in = judge_by_id_in, .unless_rows = JUDGE_NOT_FOUND,
          .if_rows = JUDGE_CONFLICT }
    },
    .step = judge_work_held
};


/* --- Frames -------------------------------------------------------------- */

#undef JUDGE_OF
#define JUDGE_OF  judge_keyframe_put_t

static const judge_value_t  judge_frame_put_in[] = {
    JUDGE_V(op.org), JUDGE_V(id), JUDGE_V(lease), JUDGE_V(position),
    JUDGE_V(at), JUDGE_V_BLOB(jpeg), JUDGE_END
};


const judge_op_spec_t  judge_op_frame_put = {
    .name = "frame_put",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "INSERT INTO evaluation_frames (org, evaluation_id, position,"
          " at_ms, jpeg) SELECT org, id, ?4, ?5, ?6 FROM evaluations"
          " WHERE" JUDGE_WORK_MINE " ON CONFLICT (org, evaluation_id,"
          " position) DO UPDATE SET at_ms = ?5, jpeg = ?6",
          .in = judge_frame_put_in },
        { JUDGE_WORK_THERE,
          .in = judge_by_id_in, .unless_rows = JUDGE_NOT_FOUND,
          .if_rows = JUDGE_CONFLICT }
    },
    .step = judge_work_held
};


static judge_rc_e
judge_keyframe_list_read(judge_run_t *run)
{
    judge_keyframe_row_t   *row;
    judge_keyframe_list_t  *o = (judge_keyframe_list_t *) run->op;

    if (run->step == 0) {
        return JUDGE_OK;
    }

    if (o->count == JUDGE_KEYFRAMES_MAX) {
        return JUDGE_ERROR;
    }

    row = &o->rows[o->count++];
    row->position = judge_column_int(run, 0);
    row->at = judge_column_int(run, 1);
    row->size = judge_column_int(run, 2);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_frame_list = {
    .name = "frame_list",
    .place = JUDGE_OP_INLINE,
    .statements = {
        { JUDGE_WORK_THERE,
          .in = judge_by_id_in, .unless_rows = JUDGE_NOT_FOUND },
        { "SELECT position, at_ms, length(jpeg) FROM evaluation_frames"
          " WHERE org = ?1 AND evaluation_id = ?2 ORDER BY position",
          .in = judge_by_id_in }
    },
    .read = judge_keyframe_list_read
};


#undef JUDGE_OF
#define JUDGE_OF  judge_keyframe_find_t

const judge_op_spec_t  judge_op_frame_find = {
    .name = "frame_find",
    .place = JUDGE_OP_BULK,
    .statements = {
        { "SELECT jpeg FROM evaluation_frames WHERE org = ?1"
          " AND evaluation_id = ?2 AND position = ?3",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(id),
              JUDGE_V(position)),
          .out = JUDGE_VALUES(JUDGE_V(jpeg)), .unless_rows = JUDGE_NOT_FOUND }
    }
};
