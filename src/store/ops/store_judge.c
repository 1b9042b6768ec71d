/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Judges and their versions. */


#include "store/ops/store_event_parts.h"


/* A judge learns while a reference of its active version is to be read; it is
 * in training while a job of it runs. */

#define JUDGE_JUDGE_STATUS                                                    \
    "CASE WHEN EXISTS (SELECT 1 FROM training_jobs a WHERE a.org = j.org"     \
    " AND a.judge_id = j.id AND a.status IN ('preparing', 'training',"        \
    " 'validating')) THEN 'training'"                                         \
    " WHEN EXISTS (SELECT 1 FROM judge_references f"                          \
    " JOIN reference_texts t ON t.org = f.org AND t.id = f.reference_id"      \
    " WHERE f.org = j.org AND f.judge_id = j.id AND f.version = j.version"    \
    " AND t.status = 'waiting') THEN 'learning' ELSE j.status END"

#define JUDGE_JUDGE_COLUMNS                                                   \
    "j.id, j.content_type, " JUDGE_JUDGE_STATUS ", j.version,"                \
    " j.latest, j.created_at, j.updated_at, v.version, v.created_at,"         \
    " v.criteria_count, v.name, v.changes_summary, v.description,"            \
    " v.criteria, v.reference_uris, v.model, v.samples, m.job_id, m.inputs"

#define JUDGE_JUDGE_MODEL                                                     \
   " LEFT JOIN judge_calibrators m ON m.org = v.org"                         \
   " AND m.judge_id = v.judge_id AND m.version = v.version"

#define JUDGE_VERSION_INSERT                                                  \
    "INSERT INTO judge_versions (org, judge_id, version, created_at,"         \
    " criteria_count, name, changes_summary, description, criteria,"          \
    " reference_uris, model, samples)"                                        \
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"

#define JUDGE_REFERENCE_INSERT                                                \
    "INSERT INTO judge_references (org, judge_id, version, position,"         \
    " reference_id) VALUES (?1, ?2, ?3, ?4, ?5)"


/* In both operations the row stands at the same place. */
#undef JUDGE_OF
#define JUDGE_OF  judge_judge_create_t

_Static_assert(offsetof(judge_judge_create_t, row)
               == offsetof(judge_judge_update_t, row), "one place");

static const judge_value_t  judge_version_in[] = {
    JUDGE_V(op.org), JUDGE_V(row.id), JUDGE_V(row.version),
    JUDGE_V(row.version_created_at), JUDGE_V(row.criteria_count),
    JUDGE_V(row.name), JUDGE_V(row.changes_summary), JUDGE_V(row.description),
    JUDGE_V(row.criteria), JUDGE_V(row.reference_uris), JUDGE_V(row.model),
    JUDGE_V_NULL(row.samples), JUDGE_END
};

static const judge_value_t  judge_reference_in[] = {
    JUDGE_V(op.org), JUDGE_V(row.id), JUDGE_V(row.version), JUDGE_TURN,
    JUDGE_R_STR, JUDGE_END
};


#undef JUDGE_ROW
#define JUDGE_ROW  judge_judge_row_t

static const judge_value_t  judge_judge_row_out[] = {
    JUDGE_R(id), JUDGE_R(content_type), JUDGE_R(status), JUDGE_R(active),
    JUDGE_R(latest), JUDGE_R(created_at), JUDGE_R(updated_at),
    JUDGE_R(version), JUDGE_R(version_created_at), JUDGE_R(criteria_count),
    JUDGE_R(name), JUDGE_R(changes_summary), JUDGE_R(description),
    JUDGE_R(criteria), JUDGE_R(reference_uris), JUDGE_R(model),
    JUDGE_R(samples), JUDGE_R(trained_by), JUDGE_R(trained_inputs), JUDGE_END
};


static judge_step_e
judge_version_event(judge_run_t *run, const judge_judge_row_t *row)
{
    if (judge_event_add(run->op, JUDGE_EVENT_JUDGE_VERSION_CREATED,
                        run->op->org, row->id)
        == NULL)
    {
        run->op->rc = JUDGE_NOMEM;
    }

    return JUDGE_STEP_END;
}


#undef JUDGE_OF
#define JUDGE_OF  judge_judge_create_t

static judge_step_e
judge_judge_create_step(judge_run_t *run)
{
    return run->st ? judge_run_next(run) : judge_version_event(run,
               &((judge_judge_create_t *) run->op)->row);
}


const judge_op_spec_t  judge_op_judge_create = {
    .name = "judge_create",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "INSERT INTO judges (org, id, content_type, status, version,"
          " latest, created_at, updated_at)"
          " VALUES (?1, ?2, ?3, ?4, 1, 1, ?5, ?5)",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(row.id),
              JUDGE_V(row.content_type), JUDGE_V(row.status),
              JUDGE_V(row.created_at)) },
        { JUDGE_VERSION_INSERT,
          .in = judge_version_in },
        { JUDGE_REFERENCE_INSERT,
          .in = judge_reference_in,
          .each = JUDGE_ROWS(judge_judge_create_t, row.reference_ids,
                             row.nreferences) }
    },
    .step = judge_judge_create_step
};


#undef JUDGE_OF
#define JUDGE_OF  judge_judge_find_t

const judge_op_spec_t  judge_op_judge_find = {
    .name = "judge_find",
    .place = JUDGE_OP_INLINE,
    .statements = {
        { "SELECT " JUDGE_JUDGE_COLUMNS " FROM judges j"
          " JOIN judge_versions v ON v.org = j.org AND v.judge_id = j.id"
          " AND v.version = coalesce(?3, j.version)" JUDGE_JUDGE_MODEL
          " WHERE j.org = ?1 AND j.id = ?2 AND j.deleted_at IS NULL",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(id),
              JUDGE_V_NULL(version)),
          .out = judge_judge_row_out,
          .row = offsetof(judge_judge_find_t, row),
          .unless_rows = JUDGE_NOT_FOUND }
    }
};


#undef JUDGE_OF
#define JUDGE_OF  judge_judge_list_t

const judge_op_spec_t  judge_op_judge_list = {
    .name = "judge_list",
    .place = JUDGE_OP_BULK,
    .page = offsetof(judge_judge_list_t, page),
    .statements = {
        { "SELECT " JUDGE_JUDGE_COLUMNS " FROM judges j"
          " JOIN judge_versions v ON v.org = j.org AND v.judge_id = j.id"
          " AND v.version = j.version" JUDGE_JUDGE_MODEL
          " WHERE j.org = ?1 AND j.id < coalesce(?2, '~')"
          " AND j.deleted_at IS NULL"
          " AND (?3 IS NULL OR j.content_type = ?3)"
          " AND (?4 IS NULL OR ?4 = " JUDGE_JUDGE_STATUS ")"
          " ORDER BY j.id DESC LIMIT ?5",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(page.before),
              JUDGE_V(content_type), JUDGE_V(status),
              JUDGE_V_MORE(page.limit)),
          .out = judge_judge_row_out,
          .list = JUDGE_ROWS(judge_judge_list_t, rows, count) }
    }
};


#undef JUDGE_OF
#define JUDGE_OF  judge_judge_update_t

static judge_step_e
judge_judge_update_step(judge_run_t *run)
{
    judge_judge_update_t  *o = (judge_judge_update_t *) run->op;

    if (run->st == NULL) {
        return judge_version_event(run, &o->row);
    }

    return run->step == 3 && !o->keep_model ? JUDGE_STEP_SKIP
                                            : judge_run_next(run);
}


const judge_op_spec_t  judge_op_judge_update = {
    .name = "judge_update",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "UPDATE judges SET version = ?3, latest = ?3, updated_at = ?5,"
          " status = ?6 WHERE org = ?1 AND id = ?2 AND latest = ?4"
          " AND version = ?7 AND deleted_at IS NULL",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(row.id),
              JUDGE_V(row.version), JUDGE_V(row.latest),
              JUDGE_V(row.version_created_at), JUDGE_V(row.status),
              JUDGE_V(row.active)),
          .unless_changed = JUDGE_STALE },
        { JUDGE_VERSION_INSERT,
          .in = judge_version_in },
        { JUDGE_REFERENCE_INSERT,
          .in = judge_reference_in,
          .each = JUDGE_ROWS(judge_judge_update_t, row.reference_ids,
                             row.nreferences) },
        { "INSERT INTO judge_calibrators (org, judge_id, version, job_id,"
          " created_at, trained_until, items, inputs, model)"
          " SELECT org, judge_id, ?3, job_id, created_at, trained_until,"
          " items, inputs, model"
          " FROM judge_calibrators"
          " WHERE org = ?1 AND judge_id = ?2 AND version = ?4",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(row.id),
              JUDGE_V(row.version), JUDGE_V(row.active)) }
    },
    .step = judge_judge_update_step
};


#undef JUDGE_OF
#define JUDGE_OF  judge_judge_activate_t

const judge_op_spec_t  judge_op_judge_activate = {
    .name = "judge_activate",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "UPDATE judges SET version = ?3, updated_at = ?4"
          " WHERE org = ?1 AND id = ?2 AND deleted_at IS NULL"
          " AND EXISTS (SELECT 1 FROM judge_versions v WHERE v.org = ?1"
          " AND v.judge_id = ?2 AND v.version = ?3)",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(id), JUDGE_V(version),
              JUDGE_V(now)),
          .unless_changed = JUDGE_NOT_FOUND }
    }
};


static judge_rc_e
judge_judge_versions_read(judge_run_t *run)
{
    judge_judge_row_t       *row;
    judge_judge_versions_t  *o = (judge_judge_versions_t *) run->op;

    if (run->step == 0) {
        o->active = judge_column_int(run, 0);
        o->rows = judge_row_room(run, NULL, (size_t) judge_column_int(run, 1),
                                 sizeof(judge_judge_row_t));
        return o->rows ? JUDGE_OK : JUDGE_NOMEM;
    }

    row = &o->rows[o->count++];
    row->version = judge_column_int(run, 0);
    row->version_created_at = judge_column_int(run, 1);
    row->criteria_count = judge_column_int(run, 2);
    row->name = judge_column_str(run, 3);
    row->changes_summary = judge_column_str(run, 4);
    row->model = judge_column_str(run, 5);
    row->samples = judge_column_int(run, 6);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_judge_versions = {
    .name = "judge_versions",
    .place = JUDGE_OP_BULK,
    .statements = {
        { "SELECT version, latest FROM judges"
          " WHERE org = ?1 AND id = ?2 AND deleted_at IS NULL",
          .in = JUDGE_BY_ID(judge_judge_versions_t),
          .unless_rows = JUDGE_NOT_FOUND },
        { "SELECT version, created_at, criteria_count, name,"
          " changes_summary, model, samples FROM judge_versions"
          " WHERE org = ?1 AND judge_id = ?2 ORDER BY version DESC",
          .in = JUDGE_BY_ID(judge_judge_versions_t) }
    },
    .read = judge_judge_versions_read
};


/* Its evaluations stay to be read, and what was said about them; but nobody
 * learns from that any more. */

#undef JUDGE_OF
#define JUDGE_OF  judge_judge_delete_t

const judge_op_spec_t  judge_op_judge_delete = {
    .name = "judge_delete",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "SELECT 1 FROM evaluations WHERE org = ?1 AND judge_id = ?2"
          " AND status = 'processing' LIMIT 1",
          .in = JUDGE_BY_ID(judge_judge_delete_t), .if_rows = JUDGE_CONFLICT },
        { "DELETE FROM examples WHERE org = ?1 AND judge_id = ?2",
          .in = JUDGE_BY_ID(judge_judge_delete_t) },
        { "UPDATE judges SET deleted_at = ?3 WHERE org = ?1 AND id = ?2"
          " AND deleted_at IS NULL",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(id), JUDGE_V(now)),
          .unless_changed = JUDGE_NOT_FOUND }
    }
};
