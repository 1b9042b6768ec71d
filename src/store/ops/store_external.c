/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Work for others: see store_external.h. */


#include "store/ops/store_external_parts.h"


static judge_step_e judge_work_held(judge_run_t *run);


/* What may be claimed of one class, the oldest first, and found in that order.
 * ?1 is the organization, ?2 the time, ?3 to ?6 the filter. */

#define JUDGE_WORK_CLASS(priority, limit)                                     \
    "SELECT * FROM (SELECT e.id, e.attempts, e.priority, e.created_at"        \
    " FROM evaluations e INDEXED BY evaluations_work CROSS JOIN contents c"   \
    " ON c.org = e.org AND c.id = e.content_id"                               \
    " WHERE e.org = ?1 AND e.priority = " priority                            \
    " AND e.queue_at = e.deadline AND e.model IS NULL"                        \
    " AND e.owner IS NULL AND e.deadline > ?2"                                \
    " AND coalesce(e.work_until, 0) <= ?2 AND c.file_type IN (?3, ?4, ?5)"    \
    " AND ((?6 & 1 AND c.file_path IS NOT NULL)"                              \
    " OR (?6 & 2 AND c.file_path IS NULL))"                                   \
    " ORDER BY e.created_at LIMIT " limit ")"

#define JUDGE_WORK_CLASSES(limit)                                             \
    JUDGE_WORK_CLASS("0", limit) " UNION ALL " JUDGE_WORK_CLASS("1", limit)   \
    " UNION ALL " JUDGE_WORK_CLASS("2", limit)


#undef JUDGE_OF
#define JUDGE_OF  judge_work_peek_t


const judge_op_spec_t  judge_op_work_peek = {
    .name = "work_peek",
    .place = JUDGE_OP_BULK,
    .statements = {
        { .engines[JUDGE_ENGINE_SQLITE] =
          "SELECT EXISTS (" JUDGE_WORK_CLASSES("1") ")",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(now),
              JUDGE_V(filter.kinds[0]), JUDGE_V(filter.kinds[1]),
              JUDGE_V(filter.kinds[2]), JUDGE_V(filter.sources)),
          .out = JUDGE_VALUES(JUDGE_V(pending)) }
    }
};


/* Statement 0 chooses, 1 ends what has been tried too often, 2 takes, and 3
 * reads what is needed to work on it. */

#undef JUDGE_OF
#define JUDGE_OF   judge_work_claim_t
#undef JUDGE_ROW
#define JUDGE_ROW  judge_work_item_t

const judge_value_t  judge_work_item_out[] = {
    JUDGE_WORK_VALUES, JUDGE_WORK_VALUES_REST, JUDGE_END
};


static judge_step_e
judge_work_claim_step(judge_run_t *run)
{
    judge_work_claim_t  *o = (judge_work_claim_t *) run->op;

    if (run->st == NULL || run->step == 0) {
        return judge_run_next(run);
    }

    if (run->turn == (run->step == 3 ? o->count : o->nfound)) {
        return JUDGE_STEP_SKIP;
    }

    if (run->step == 3) {
        run->row = &o->items[run->turn];
    } else {
        run->row = &o->found[run->turn];
    }

    return JUDGE_STEP_REPEAT;
}


static judge_rc_e
judge_work_claim_read(judge_run_t *run)
{
    judge_work_item_t    *item;
    judge_work_claim_t   *o = (judge_work_claim_t *) run->op;
    const judge_value_t   values[] = { JUDGE_WORK_VALUES, JUDGE_END };

    if (run->step == 0) {
        if (o->nfound == JUDGE_WORK_CLAIMS) {
            return JUDGE_ERROR;
        }
        o->found[o->nfound++] = judge_column_str(run, 0);

    } else if (run->step == 2) {
        item = &o->items[o->count++];
        judge_read_values(run, 0, values, item);
        item->content.id = item->content_id;
    }

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_work_claim = {
    .name = "work_claim",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { .engines[JUDGE_ENGINE_SQLITE] =
          "SELECT id FROM (" JUDGE_WORK_CLASSES("?8") ") AS ready ORDER BY"
          " CASE WHEN (?2 - created_at) / ?7 >= priority THEN 0"
          " ELSE priority - (?2 - created_at) / ?7 END, created_at LIMIT ?8",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(now),
              JUDGE_V(filter.kinds[0]), JUDGE_V(filter.kinds[1]),
              JUDGE_V(filter.kinds[2]), JUDGE_V(filter.sources),
              JUDGE_V(aging), JUDGE_V(limit)) },
        { "UPDATE evaluations SET deadline = ?3, queue_at = ?3"
          " WHERE org = ?1 AND id = ?2 AND attempts >= ?4",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_R_STR, JUDGE_V(now),
              JUDGE_V(attempts)) },
        { "UPDATE evaluations SET work_until = ?3, work_lease = ?4,"
          " work_progress = NULL, attempts = attempts + 1"
          " WHERE org = ?1 AND id = ?2 AND deadline > ?5"
          " RETURNING id, content_id, judge_id, judge_version, batch_id,"
          " priority, attempts, created_at, deadline",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_R_STR,
              JUDGE_V(lease_until), JUDGE_V(lease), JUDGE_V(now)) },
        { "SELECT " JUDGE_WORK_COLUMNS_REST
          " FROM contents c, judge_versions v WHERE c.org = ?1"
          " AND c.id = ?2 AND v.org = ?1 AND v.judge_id = ?3"
          " AND v.version = ?4",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_R(content_id),
              JUDGE_R(judge_id), JUDGE_R(judge_version)),
          .out = JUDGE_VALUES(JUDGE_WORK_VALUES_REST) }
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
          .in = JUDGE_BY_ID(judge_work_prolong_t),
          .unless_rows = JUDGE_NOT_FOUND,
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
          .in = JUDGE_BY_ID(judge_work_release_t),
          .unless_rows = JUDGE_NOT_FOUND,
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
          .in = JUDGE_BY_ID(judge_keyframe_put_t),
          .unless_rows = JUDGE_NOT_FOUND,
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
          .in = JUDGE_BY_ID(judge_keyframe_list_t),
          .unless_rows = JUDGE_NOT_FOUND },
        { "SELECT position, at_ms, length(jpeg) FROM evaluation_frames"
          " WHERE org = ?1 AND evaluation_id = ?2 ORDER BY position",
          .in = JUDGE_BY_ID(judge_keyframe_list_t) }
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
