/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The endpoints that create, read and list training jobs, and stream their
 * progress as events. */


#include "work/render/event_json.h"
#include "work/render/resource_json.h"
#include "work/training/training_config.h"
#include "api/http/request.h"
#include "api/judges/criteria.h"


#define JUDGE_TRAINING_JOBS_METRICS  100  /* epochs in the answer */
#define JUDGE_TRAINING_JOBS_METRICS_MAX  10000

typedef struct {
    judge_str_t               judge_id;
    judge_str_t               type;
    judge_training_config_t   config;
    judge_training_options_t  options;
    judge_judge_find_t        find;
    judge_training_summary_t  summary;
    judge_training_create_t   create;
} judge_training_jobs_make_t;

typedef struct {
    judge_boolean_t          with_metrics;
    judge_boolean_t          with_logs;
    judge_integer_t          limit;
    judge_training_find_t    find;
    judge_training_course_t  course;
} judge_training_jobs_get_t;

typedef struct {
    judge_list_query_t     query;
    judge_training_list_t  list;
} judge_training_jobs_all_t;

typedef struct {
    judge_stream_t         stream;
    judge_training_find_t  find;
} judge_training_events_t;


static void judge_training_jobs_create(judge_req_t *r);
static void judge_training_jobs_judge_found(judge_req_t *r);
static void judge_training_jobs_counted(judge_req_t *r);
static void judge_training_jobs_created(judge_req_t *r);
static void judge_training_jobs_write_row(judge_req_t *r,
    judge_json_writer_t *w, const void *row);
static void judge_training_jobs_found(judge_req_t *r);
static void judge_training_jobs_answer(judge_req_t *r);
static void judge_training_events(judge_req_t *r);
static void judge_training_events_begin(judge_req_t *r);
static void judge_training_events_poll(judge_req_t *r);
static void judge_training_events_found(judge_req_t *r);
static void judge_training_events_sent(judge_req_t *r);


#define judge_training_jobs_at(member)                                        \
    offsetof(judge_training_jobs_make_t, member)

static const judge_field_t  judge_training_jobs_fields[] = {
    judge_field(judge_training_jobs_make_t, judge_id, STRING, JUDGE_REQUIRED,
                1, 200),
    judge_field_one_of_as("training_type", judge_training_jobs_make_t, type,
                          WORD, JUDGE_REQUIRED, judge_training_types),
    { .name = "training_config", .type = JUDGE_FIELD_OBJECT,
      .flags = JUDGE_REQUIRED, .offset = judge_training_jobs_at(config),
      .fields = judge_training_config_fields },
    { .name = "execution_options", .type = JUDGE_FIELD_OBJECT,
      .offset = judge_training_jobs_at(options),
      .fields = judge_training_options_fields },
    { .name = NULL }
};

static const judge_field_t  judge_training_jobs_get_query[] = {
    judge_field_as("include_metrics", judge_training_jobs_get_t, with_metrics,
                   BOOLEAN, 0, 0, 0),
    judge_field_as("include_logs", judge_training_jobs_get_t, with_logs,
                   BOOLEAN, 0, 0, 0),
    judge_field_as("metrics_limit", judge_training_jobs_get_t, limit, INTEGER,
                   0, 1, JUDGE_TRAINING_JOBS_METRICS_MAX),
    { .name = NULL }
};

static const judge_field_t  judge_training_jobs_list_query[] = {
    judge_list_query_fields(judge_training_jobs_all_t, query),
    judge_field_as("judge_id", judge_training_jobs_all_t, list.judge_id,
                   STRING, 0, 1, 200),
    judge_field_one_of_as("status", judge_training_jobs_all_t, list.status,
                          WORD, 0, judge_training_statuses),
    { .name = NULL }
};

const judge_resource_t  judge_training_jobs_resource = {
    "trj", "training job", "jobs"
};


/* Each job has two paths. */

#define judge_training_jobs_get_one(path)                                     \
    { judge_route(GET, path, JUDGE_MAY_READ_TRAINING, 0,                      \
                  judge_training_jobs_get_t),                                 \
      .query = judge_training_jobs_get_query,                                 \
      .resource = &judge_training_jobs_resource,                              \
      .op = { judge_route_op(JUDGE_OP_TRAINING_FIND,                          \
                             judge_training_jobs_get_t, find.),               \
              .next = judge_training_jobs_found } }

const judge_route_t  judge_training_routes[] = {
    { judge_route(POST, "/training/jobs", JUDGE_MAY_WRITE_TRAINING,
                  JUDGE_ROUTE_CREATES, judge_training_jobs_make_t),
      .body = judge_training_jobs_fields,
      .handler = judge_training_jobs_create,
      .location = "/training/jobs/{id}" },
    { judge_route(GET, "/training/jobs", JUDGE_MAY_READ_TRAINING, 0,
                  judge_training_jobs_all_t),
      .query = judge_training_jobs_list_query,
      .resource = &judge_training_jobs_resource,
      .list = { judge_route_list(JUDGE_OP_TRAINING_LIST,
                                 judge_training_jobs_all_t,
                                 judge_training_row_t),
                .record = judge_training_jobs_write_row } },
    judge_training_jobs_get_one("/training/jobs/{job_id}"),
    judge_training_jobs_get_one("/training-jobs/{job_id}"),
    { .pattern = NULL }
};


#define judge_training_events_one(path)                                       \
    { judge_route(GET, path, JUDGE_MAY_READ_TRAINING, 0,                      \
                  judge_training_events_t),                                   \
      .resource = &judge_training_jobs_resource,                              \
      .handler = judge_training_events }

const judge_route_t  judge_training_events_routes[] = {
    judge_training_events_one("/training/jobs/{job_id}/events"),
    judge_training_events_one("/training-jobs/{job_id}/events"),
    { .pattern = NULL }
};


/* --- Creating ------------------------------------------------------------ */

static void
judge_training_jobs_create(judge_req_t *r)
{
    judge_training_jobs_make_t  *c = r->ctx;

    judge_training_config_complete(&c->config, c->type);

    if (!judge_check_url(r, "execution_options.webhook_url",
                         &c->options.webhook_url))
    {
        return;
    }

    if (c->options.email.data && !judge_training_email(c->options.email)) {
        judge_fail(r, 400, "execution_options.notification_email: expected an"
                           " e-mail address such as ann@example.com");
        return;
    }

    c->find.op.kind = JUDGE_OP_JUDGE_FIND;
    c->find.id = c->judge_id;
    judge_await_found(r, &c->find.op, "there is no such judge",
                      judge_training_jobs_judge_found);
}


static void
judge_training_jobs_judge_found(judge_req_t *r)
{
    size_t                       i;
    judge_rc_e                   rc;
    judge_list_t                 criteria;
    judge_training_jobs_make_t  *c = r->ctx;
    const judge_str_t           *targets = c->config.targets.items;

    rc = judge_criteria_read(r->arena, c->find.row.criteria, &criteria);
    if (!judge_check(r, rc, NULL)) {
        return;
    }

    for (i = 0; i < c->config.targets.count; i++) {
        if (!judge_criteria_find(&criteria, targets[i])) {
            judge_fail(r, 400, "training_config.target_criteria[%zu]:"
                               " expected the identifier of a criterion of"
                               " the judge", i);
            return;
        }
    }

    c->summary.op.kind = JUDGE_OP_TRAINING_SUMMARY;
    c->summary.judge_id = c->judge_id;
    c->summary.until = c->config.cutoff.value;
    c->summary.allocation = c->options.allocation;
    judge_await_found(r, &c->summary.op, NULL, judge_training_jobs_counted);
}


static void
judge_training_jobs_counted(judge_req_t *r)
{
    judge_rc_e                   rc;
    judge_json_writer_t         *w;
    judge_training_jobs_make_t  *c = r->ctx;
    judge_training_row_t        *row = &c->create.row;

    row->type = c->type;
    row->status = JUDGE_STR("created");
    row->created_at = judge_now(r->service);
    row->created_by = r->key_id;

    rc = judge_training_row(r->arena, &c->summary, &c->config, &c->options,
                            row);
    if (!judge_check(r, rc, NULL)) {
        return;
    }

    w = judge_reply_begin(r, 201);
    judge_json_put_id(w, "job_id", row->id);
    judge_json_put_str(w, "judge_id", row->judge_id);
    judge_json_put_str(w, "training_type", row->type);
    judge_json_put_str(w, "status", row->status);
    judge_json_put_raw(w, "feedback_data_summary", row->summary);
    judge_json_put_int(w, "estimated_duration",
                       judge_training_minutes(row->estimate));
    judge_json_put_raw(w, "training_config", row->config);
    judge_json_put_raw(w, "execution_options", row->options);
    judge_json_put_time(w, "created_at", row->created_at);
    judge_json_put_str(w, "created_by", row->created_by);
    judge_training_json_notices(w, row->options, r->service);
    if (!judge_reply_ready(r)) {
        return;
    }

    c->create.op.kind = JUDGE_OP_TRAINING_CREATE;
    judge_await_create(r, &c->create.op, NULL, judge_training_jobs_created);
}


static void
judge_training_jobs_created(judge_req_t *r)
{
    judge_training_jobs_make_t  *c = r->ctx;

    judge_reply_created(r, &c->create.op, 404, "there is no such judge");
}


/* The course is read after the job, so that it is complete if the job has
 * ended. */

static void
judge_training_jobs_found(judge_req_t *r)
{
    judge_training_jobs_get_t  *c = r->ctx;

    c->course.op.kind = JUDGE_OP_TRAINING_COURSE;
    c->course.id = r->params[0];
    c->course.with_logs = c->with_logs.value;
    c->course.limit = c->with_metrics.set && !c->with_metrics.value ? 0
                      : c->limit.set ? c->limit.value
                      : JUDGE_TRAINING_JOBS_METRICS;
    judge_await_found(r, &c->course.op, NULL, judge_training_jobs_answer);
}


static void
judge_training_jobs_answer(judge_req_t *r)
{
    judge_json_writer_t        *w;
    judge_training_jobs_get_t  *c = r->ctx;

    w = judge_reply_begin(r, 200);
    judge_training_json(w, &c->find.row, c->course.limit ? &c->course : NULL,
                        c->course.with_logs ? &c->course : NULL,
                        judge_now(r->service), r->service);
    judge_reply_end(r);
}


static void
judge_training_jobs_write_row(judge_req_t *r, judge_json_writer_t *w,
    const void *row)
{
    judge_training_json(w, row, NULL, NULL, judge_now(r->service), r->service);
}


/* --- Events -------------------------------------------------------------- */

/*
 * The progress of a training job as server-sent events: `progress` whenever
 * something has changed, and `done` at the end, each with the job's record.
 * The id of an event is the number of the change, so that a client that
 * reconnects with it gets only what is new; one that reconnects with the id
 * of `done` gets 204, which stops an EventSource.
 */

static void
judge_training_events_read(judge_req_t *r, judge_step_pt next)
{
    judge_training_events_t  *c = r->ctx;

    c->stream.changes = judge_waiters_changes(r->service, r->params[0]);
    c->find = (judge_training_find_t) {
        .op = { .kind = JUDGE_OP_TRAINING_FIND }, .id = r->params[0]
    };
    judge_await_page(r, &c->find.op, next);
}


static void
judge_training_events(judge_req_t *r)
{
    judge_training_events_t  *c = r->ctx;

    if (!judge_last_event(r->headers[JUDGE_HEADER_LAST_EVENT_ID],
                          &c->stream.after, &c->stream.done))
    {
        c->stream.after = -1;
        c->stream.done = false;
    }

    judge_training_events_read(r, judge_training_events_begin);
}


static void
judge_training_events_begin(judge_req_t *r)
{
    judge_training_events_t  *c = r->ctx;

    if (c->find.op.rc != JUDGE_OK) {
        judge_resource_missing(r);

    } else if (c->stream.done && judge_training_ended(c->find.row.status)) {
        judge_reply_empty(r, 204);     /* an EventSource then stops */

    } else {
        c->stream.sent_at = judge_now(r->service);
        judge_stream_events(r, judge_training_events_poll);
    }
}


static void
judge_training_events_event(judge_req_t *r, judge_buf_t *buf, bool ended)
{
    judge_json_writer_t          w;
    judge_training_course_t      none = { .nepochs = 0 };
    judge_training_events_t     *c = r->ctx;
    const judge_training_row_t  *row = &c->find.row;

    judge_event_open(&w, buf, ended ? "done" : "progress", row->seq);
    judge_training_json(&w, row, ended ? &none : NULL, NULL,
                        judge_now(r->service), r->service);
    judge_event_close(&w);
    c->stream.after = row->seq;
}


static void
judge_training_events_poll(judge_req_t *r)
{
    judge_training_events_read(r, judge_training_events_found);
}


static void
judge_training_events_found(judge_req_t *r)
{
    bool                         found, ended;
    judge_buf_t                  buf;
    judge_training_events_t     *c = r->ctx;
    const judge_training_row_t  *row = &c->find.row;

    found = c->find.op.rc == JUDGE_OK;
    ended = !found || judge_training_ended(row->status);
    judge_buf_init(&buf, r->page);

    if (found && (ended || row->seq != c->stream.after)) {
        judge_training_events_event(r, &buf, ended);
    }

    judge_stream_report(r, &c->stream, &buf, ended, judge_training_events_sent,
                        judge_training_events_poll);
}


static void
judge_training_events_sent(judge_req_t *r)
{
    judge_stream_pause(r, JUDGE_STREAM_REST, judge_training_events_poll);
}
