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


static void
judge_version_bind(judge_run_t *run, judge_judge_row_t *row)
{
    judge_bind_str(run, 1, run->op->org);
    judge_bind_str(run, 2, row->id);
    judge_bind_int(run, 3, row->version);
    judge_bind_int(run, 4, row->version_created_at);
    judge_bind_int(run, 5, row->criteria_count);
    judge_bind_str(run, 6, row->name);
    judge_bind_str(run, 7, row->changes_summary);
    judge_bind_str(run, 8, row->description);
    judge_bind_str(run, 9, row->criteria);
    judge_bind_str(run, 10, row->reference_uris);
    judge_bind_str(run, 11, row->model);
    judge_bind_when(run, 12, row->samples);
}


static judge_step_e
judge_version_bind_reference(judge_run_t *run, const judge_judge_row_t *row)
{
    if (run->turn == row->nreferences) {
        return JUDGE_STEP_SKIP;
    }

    judge_bind_str(run, 1, run->op->org);
    judge_bind_str(run, 2, row->id);
    judge_bind_int(run, 3, row->version);
    judge_bind_int(run, 4, (int64_t) run->turn);
    judge_bind_str(run, 5, row->reference_ids[run->turn]);

    return JUDGE_STEP_REPEAT;
}


static void
judge_judge_row_read(judge_run_t *run, judge_judge_row_t *row)
{
    row->id = judge_column_str(run, 0);
    row->content_type = judge_column_str(run, 1);
    row->status = judge_column_str(run, 2);
    row->active = judge_column_int(run, 3);
    row->latest = judge_column_int(run, 4);
    row->created_at = judge_column_int(run, 5);
    row->updated_at = judge_column_int(run, 6);
    row->version = judge_column_int(run, 7);
    row->version_created_at = judge_column_int(run, 8);
    row->criteria_count = judge_column_int(run, 9);
    row->name = judge_column_str(run, 10);
    row->changes_summary = judge_column_str(run, 11);
    row->description = judge_column_str(run, 12);
    row->criteria = judge_column_str(run, 13);
    row->reference_uris = judge_column_str(run, 14);
    row->model = judge_column_str(run, 15);
    row->samples = judge_column_int(run, 16);
    row->trained_by = judge_column_str(run, 17);
    row->trained_inputs = (uint64_t) judge_column_int(run, 18);
}


static judge_step_e
judge_version_tell(judge_run_t *run, const judge_judge_row_t *row)
{
    if (judge_event_tell(run->op, JUDGE_EVENT_JUDGE_VERSION_CREATED,
                         run->op->org, row->id)
        == NULL)
    {
        run->op->rc = JUDGE_NOMEM;
    }

    return JUDGE_STEP_END;
}


static judge_step_e
judge_judge_create_bind(judge_run_t *run)
{
    judge_judge_row_t  *row = &((judge_judge_create_t *) run->op)->row;

    switch (run->step) {
    case 0:
        judge_bind_str(run, 1, run->op->org);
        judge_bind_str(run, 2, row->id);
        judge_bind_str(run, 3, row->content_type);
        judge_bind_str(run, 4, row->status);
        judge_bind_int(run, 5, row->created_at);
        return JUDGE_STEP_RUN;

    case 1:
        judge_version_bind(run, row);
        return JUDGE_STEP_RUN;

    case 2:
        return judge_version_bind_reference(run, row);

    default:
        return judge_version_tell(run, row);
    }
}


const judge_op_spec_t  judge_op_judge_create = {
    .name = "judge_create",
    .place = JUDGE_OP_WRITE,
    .sql = { "INSERT INTO judges (org, id, content_type, status, version,"
             " latest, created_at, updated_at)"
             " VALUES (?1, ?2, ?3, ?4, 1, 1, ?5, ?5)",
             JUDGE_VERSION_INSERT,
             JUDGE_REFERENCE_INSERT },
    .bind = judge_judge_create_bind
};


static judge_step_e
judge_judge_find_bind(judge_run_t *run)
{
    judge_judge_find_t  *o = (judge_judge_find_t *) run->op;

    if (run->st == NULL) {
        o->op.rc = run->rows ? JUDGE_OK : JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);
    judge_bind_when(run, 3, o->version);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_judge_find_read(judge_run_t *run)
{
    judge_judge_row_read(run, &((judge_judge_find_t *) run->op)->row);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_judge_find = {
    .name = "judge_find",
    .place = JUDGE_OP_INLINE,
    .sql = { "SELECT " JUDGE_JUDGE_COLUMNS " FROM judges j"
             " JOIN judge_versions v ON v.org = j.org AND v.judge_id = j.id"
             " AND v.version = coalesce(?3, j.version)" JUDGE_JUDGE_MODEL
             " WHERE j.org = ?1 AND j.id = ?2 AND j.deleted_at IS NULL" },
    .bind = judge_judge_find_bind,
    .read = judge_judge_find_read
};


static judge_step_e
judge_judge_list_bind(judge_run_t *run)
{
    judge_judge_list_t  *o = (judge_judge_list_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->page.before);
    judge_bind_str(run, 3, o->content_type);
    judge_bind_str(run, 4, o->status);
    judge_bind_int(run, 5, o->page.limit + 1);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_judge_list_read(judge_run_t *run)
{
    judge_judge_list_t  *o = (judge_judge_list_t *) run->op;

    o->rows = judge_row_room(run, o->rows, (size_t) o->page.limit,
                             sizeof(judge_judge_row_t));
    if (o->rows == NULL) {
        return JUDGE_NOMEM;
    }

    judge_judge_row_read(run, &o->rows[o->count++]);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_judge_list = {
    .name = "judge_list",
    .place = JUDGE_OP_BULK,
    .page = offsetof(judge_judge_list_t, page),
    .sql = { "SELECT " JUDGE_JUDGE_COLUMNS " FROM judges j"
             " JOIN judge_versions v ON v.org = j.org AND v.judge_id = j.id"
             " AND v.version = j.version" JUDGE_JUDGE_MODEL
             " WHERE j.org = ?1 AND j.id < coalesce(?2, '~')"
             " AND j.deleted_at IS NULL"
             " AND (?3 IS NULL OR j.content_type = ?3)"
             " AND (?4 IS NULL OR ?4 = " JUDGE_JUDGE_STATUS ")"
             " ORDER BY j.id DESC LIMIT ?5" },
    .bind = judge_judge_list_bind,
    .read = judge_judge_list_read
};


static judge_step_e
judge_judge_update_bind(judge_run_t *run)
{
    judge_judge_row_t  *row = &((judge_judge_update_t *) run->op)->row;

    switch (run->step) {
    case 0:
        judge_bind_str(run, 1, run->op->org);
        judge_bind_str(run, 2, row->id);
        judge_bind_int(run, 3, row->version);
        judge_bind_int(run, 4, row->latest);
        judge_bind_int(run, 5, row->version_created_at);
        judge_bind_str(run, 6, row->status);
        judge_bind_int(run, 7, row->active);
        return JUDGE_STEP_RUN;

    case 1:
        if (run->changes == 0) {
            run->op->rc = JUDGE_STALE;
            return JUDGE_STEP_END;
        }
        judge_version_bind(run, row);
        return JUDGE_STEP_RUN;

    case 2:
        return judge_version_bind_reference(run, row);

    case 3:
        if (!((judge_judge_update_t *) run->op)->keep_model) {
            return JUDGE_STEP_SKIP;
        }
        judge_bind_str(run, 1, run->op->org);
        judge_bind_str(run, 2, row->id);
        judge_bind_int(run, 3, row->version);
        judge_bind_int(run, 4, row->active);
        return JUDGE_STEP_RUN;

    default:
        return judge_version_tell(run, row);
    }
}


const judge_op_spec_t  judge_op_judge_update = {
    .name = "judge_update",
    .place = JUDGE_OP_WRITE,
    .sql = { "UPDATE judges SET version = ?3, latest = ?3, updated_at = ?5,"
             " status = ?6 WHERE org = ?1 AND id = ?2 AND latest = ?4"
             " AND version = ?7 AND deleted_at IS NULL",
             JUDGE_VERSION_INSERT,
             JUDGE_REFERENCE_INSERT,
             "INSERT INTO judge_calibrators (org, judge_id, version, job_id,"
             " created_at, trained_until, items, inputs, model)"
             " SELECT org, judge_id, ?3, job_id, created_at, trained_until,"
             " items, inputs, model"
             " FROM judge_calibrators"
             " WHERE org = ?1 AND judge_id = ?2 AND version = ?4" },
    .bind = judge_judge_update_bind
};


static judge_step_e
judge_judge_activate_bind(judge_run_t *run)
{
    judge_judge_activate_t  *o = (judge_judge_activate_t *) run->op;

    if (run->st == NULL) {
        o->op.rc = run->changes ? JUDGE_OK : JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);
    judge_bind_int(run, 3, o->version);
    judge_bind_int(run, 4, o->now);

    return JUDGE_STEP_RUN;
}


const judge_op_spec_t  judge_op_judge_activate = {
    .name = "judge_activate",
    .place = JUDGE_OP_WRITE,
    .sql = { "UPDATE judges SET version = ?3, updated_at = ?4"
             " WHERE org = ?1 AND id = ?2 AND deleted_at IS NULL"
             " AND EXISTS (SELECT 1 FROM judge_versions v WHERE v.org = ?1"
             " AND v.judge_id = ?2 AND v.version = ?3)" },
    .bind = judge_judge_activate_bind
};


/* Statement 0 finds the judge, 1 reads its versions. */

static judge_step_e
judge_judge_versions_bind(judge_run_t *run)
{
    judge_judge_versions_t  *o = (judge_judge_versions_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    if (run->step == 1 && o->active == 0) {
        o->op.rc = JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);

    return JUDGE_STEP_RUN;
}


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
    .sql = { "SELECT version, latest FROM judges"
             " WHERE org = ?1 AND id = ?2 AND deleted_at IS NULL",
             "SELECT version, created_at, criteria_count, name,"
             " changes_summary, model, samples FROM judge_versions"
             " WHERE org = ?1 AND judge_id = ?2 ORDER BY version DESC" },
    .bind = judge_judge_versions_bind,
    .read = judge_judge_versions_read
};


/* Its evaluations stay to be read, and what was said about them; but nobody
 * learns from that any more. */

static judge_step_e
judge_judge_delete_bind(judge_run_t *run)
{
    judge_judge_delete_t  *o = (judge_judge_delete_t *) run->op;

    if (run->st == NULL) {
        o->op.rc = run->changes ? JUDGE_OK : JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    if (run->step == 1) {
        if (run->rows) {
            o->op.rc = JUDGE_CONFLICT;
            return JUDGE_STEP_END;
        }
    }

    if (run->step == 2) {
        judge_bind_int(run, 3, o->now);
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);

    return JUDGE_STEP_RUN;
}


const judge_op_spec_t  judge_op_judge_delete = {
    .name = "judge_delete",
    .place = JUDGE_OP_WRITE,
    .sql = { "SELECT 1 FROM evaluations WHERE org = ?1 AND judge_id = ?2"
             " AND status = 'processing' LIMIT 1",
             "DELETE FROM examples WHERE org = ?1 AND judge_id = ?2",
             "UPDATE judges SET deleted_at = ?3 WHERE org = ?1 AND id = ?2"
             " AND deleted_at IS NULL" },
    .bind = judge_judge_delete_bind
};
