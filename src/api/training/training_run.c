/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The endpoints that execute and cancel training jobs. */


#include "store/store_settings.h"
#include "store/store_webhook.h"
#include "work/render/resource_json.h"
#include "work/service/expiry.h"
#include "work/training/training.h"
#include "work/training/training_config.h"
#include "api/http/request.h"


#define JUDGE_TRAINING_KB_ITEM   6     /* kB of memory for an evaluation */
#define JUDGE_TRAINING_KB        65536 /* kB for everything else */

typedef struct {
    judge_choice_t            priority;
    judge_str_t               allocation;
    judge_integer_t           minutes;
    judge_boolean_t           cost;
    judge_boolean_t           backup;
    judge_choice_t            notify;
    judge_settings_find_t     settings;
    judge_training_find_t     find;
    judge_training_config_t   config;
    judge_training_options_t  options;
    judge_training_summary_t  summary;
    judge_training_execute_t  execute;
} judge_training_run_execution_t;


static void judge_training_run_execute(judge_req_t *r);
static void judge_training_run_configured(judge_req_t *r);
static void judge_training_run_count(judge_req_t *r);
static void judge_training_run_queue(judge_req_t *r);
static void judge_training_run_queued(judge_req_t *r);
static bool judge_training_run_cancel(judge_req_t *r);
static void judge_training_run_cancelled(judge_req_t *r);

static const judge_field_t  judge_training_run_override_fields[] = {
    judge_field_one_of(judge_training_run_execution_t, priority, CHOICE, 0,
                       judge_priorities),
    judge_field_one_of_as("resource_allocation",
                          judge_training_run_execution_t, allocation, WORD,
                          0, judge_training_allocations),
    judge_field_as("max_duration_minutes", judge_training_run_execution_t,
                   minutes, INTEGER, 0, 1, JUDGE_TRAINING_MINUTES),
    { .name = NULL }
};

static const judge_field_t  judge_training_run_confirm_fields[] = {
    judge_field_as("acknowledge_cost", judge_training_run_execution_t, cost,
                   BOOLEAN, 0, 0, 0),
    judge_field_as("backup_confirmation", judge_training_run_execution_t,
                   backup, BOOLEAN, 0, 0, 0),
    { .name = NULL }
};

static const judge_field_t  judge_training_run_execute_fields[] = {
    { .name = "execution_override", .type = JUDGE_FIELD_OBJECT,
      .fields = judge_training_run_override_fields },
    { .name = "confirmation", .type = JUDGE_FIELD_OBJECT,
      .fields = judge_training_run_confirm_fields },
    judge_field_one_of_as("notification_level", judge_training_run_execution_t,
                          notify, CHOICE, 0, judge_training_notifies),
    { .name = NULL }
};


#define judge_training_run_execute_one(path)                                  \
    { judge_route(POST, path, JUDGE_MAY_WRITE_TRAINING,                       \
                  JUDGE_ROUTE_OPTIONAL_BODY,                                  \
                  judge_training_run_execution_t),                            \
      .body = judge_training_run_execute_fields,                              \
      .resource = &judge_training_jobs_resource,                              \
      .handler = judge_training_run_execute }

#define judge_training_run_cancel_one(path)                                   \
    { judge_route(POST, path, JUDGE_MAY_WRITE_TRAINING, 0,                    \
                  judge_training_cancel_t),                                   \
      .resource = &judge_training_jobs_resource,                              \
      .op = { judge_route_op(JUDGE_OP_TRAINING_CANCEL,                        \
                             judge_training_cancel_t, ),                      \
              .now = offsetof(judge_training_cancel_t, now),                  \
              .prepare = judge_training_run_cancel,                           \
              .next = judge_training_run_cancelled, .refused = true } }

const judge_route_t  judge_training_run_routes[] = {
    judge_training_run_execute_one("/training-jobs/{job_id}/execute"),
    judge_training_run_execute_one("/training/jobs/{job_id}/execute"),
    judge_training_run_cancel_one("/training-jobs/{job_id}/cancel"),
    judge_training_run_cancel_one("/training/jobs/{job_id}/cancel"),
    { .pattern = NULL }
};


/* --- Executing ----------------------------------------------------------- */

static void
judge_training_run_execute(judge_req_t *r)
{
    judge_training_run_execution_t  *c = r->ctx;

    if (c->cost.set && !c->cost.value) {
        judge_fail(r, 428, "confirmation.acknowledge_cost: must be true where"
                           " it is given");
        return;
    }

    c->settings.op.kind = JUDGE_OP_SETTINGS_FIND;
    judge_await(r, &c->settings.op, judge_training_run_configured);
}


static void
judge_training_run_configured(judge_req_t *r)
{
    judge_training_run_execution_t  *c = r->ctx;

    c->find.op.kind = JUDGE_OP_TRAINING_FIND;
    c->find.id = c->execute.id = r->params[0];
    judge_await_found(r, &c->find.op, NULL, judge_training_run_count);
}


/* Options of this request replace those of the job, and are stored in it. */

static void
judge_training_run_count(judge_req_t *r)
{
    judge_rc_e                       rc;
    judge_training_run_execution_t  *c = r->ctx;
    judge_training_execute_t        *x = &c->execute;
    judge_training_options_t        *options = &c->options;

    x->now = judge_now(r->service);
    rc = judge_training_id(r->arena, "exe", x->now, &x->execution_id);
    rc = rc ? rc : judge_training_read(r->arena, c->find.row.options,
                                       judge_training_options_fields, options);
    if (rc == JUDGE_OK) {
        options->notify = c->notify.set ? c->notify : options->notify;
        options->priority = c->priority.set ? c->priority : options->priority;
        options->minutes = c->minutes.set ? c->minutes : options->minutes;
        options->allocation = c->allocation.data ? c->allocation
                                                 : options->allocation;
        x->options = judge_training_options_write(r->arena, options);
        rc = x->options.data
             ? judge_training_read(r->arena, c->find.row.config,
                                   judge_training_config_fields, &c->config)
             : JUDGE_NOMEM;
    }

    if (!judge_check(r, rc, NULL)) {
        return;
    }

    c->summary.op.kind = JUDGE_OP_TRAINING_SUMMARY;
    c->summary.judge_id = c->find.row.judge_id;
    c->summary.until = c->config.cutoff.value;
    c->summary.allocation = options->allocation;
    judge_await(r, &c->summary.op, judge_training_run_queue);
}


static void
judge_training_run_queue(judge_req_t *r)
{
    judge_training_run_execution_t  *c = r->ctx;
    judge_training_execute_t        *x = &c->execute;

    x->summary = judge_training_summary(r->arena, &c->summary);
    if (c->summary.op.rc != JUDGE_OK || x->summary.data == NULL) {
        judge_fail_rc(r, JUDGE_ERROR);
        return;
    }

    x->estimate = judge_training_estimate(&c->summary, &c->config);
    x->op.kind = JUDGE_OP_TRAINING_EXECUTE;
    x->priority = c->priority.set ? c->priority.value : -1;
    x->allocation = c->allocation;
    x->max_duration = c->minutes.value * 60000;
    x->executed_by = r->key_id;
    judge_await(r, &x->op, judge_training_run_queued);
}


static void
judge_training_run_refuse(judge_req_t *r, const char *what,
    const judge_training_row_t *row)
{
    judge_fail(r, 409, "the job can't be %s: it is %.*s", what,
               judge_str_args(row->status));
}


static void
judge_training_run_resources(judge_req_t *r, judge_json_writer_t *w)
{
    int64_t                          kb;
    judge_training_run_execution_t  *c = r->ctx;
    const judge_training_row_t      *row = &c->execute.row;

    kb = JUDGE_TRAINING_KB + c->summary.evaluations * JUDGE_TRAINING_KB_ITEM;

    judge_json_key_object(w, "resource_allocation");
    judge_json_put_str(w, "compute_tier",
                       row->allocation.data ? row->allocation
                                            : JUDGE_STR("standard"));
    judge_json_put_int(w, "gpu_count", 0);
    judge_json_put_number2(w, "memory_gb", (double) kb / (1024 * 1024));
    judge_json_put_number2(w, "estimated_cost", 0);
    judge_json_object_end(w);
}


static void
judge_training_run_timeline(judge_req_t *r, judge_json_writer_t *w)
{
    size_t                           i;
    judge_ms_t                       start, duration;
    judge_training_run_execution_t  *c = r->ctx;
    judge_training_execute_t        *x = &c->execute;
    static const struct {
        const char  *name;
        judge_ms_t   tenths;           /* tenths of the estimated time */
    } milestones[] = {
        { "preparing", 0 }, { "training", 1 }, { "validating", 5 },
        { "completed", 10 }
    };

    start = x->now + x->ahead_ms;
    duration = x->row.estimate;

    judge_json_key_object(w, "execution_timeline");
    judge_json_put_int(w, "queue_position", x->ahead);
    judge_json_put_time(w, "estimated_start_time", start);
    judge_json_put_time(w, "estimated_completion_time", start + duration);
    judge_json_key_array(w, "milestone_schedule");

    for (i = 0; i < sizeof(milestones) / sizeof(milestones[0]); i++) {
        judge_json_object(w);
        judge_json_put_c(w, "milestone", milestones[i].name);
        judge_json_put_time(w, "estimated_time",
                            start + duration * milestones[i].tenths / 10);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
    judge_json_object_end(w);
}


static void
judge_training_run_monitoring(judge_req_t *r, judge_json_writer_t *w)
{
    bool                             called;
    judge_training_run_execution_t  *c = r->ctx;
    judge_webhook_settings_t        *webhooks = &c->settings.webhooks;

    called = c->options.webhook_url.data
             || (webhooks->url.data
                 && (!webhooks->enabled.set || webhooks->enabled.value));

    judge_json_key_object(w, "monitoring_info");
    judge_json_put_str(w, "progress_url",
                       judge_str_printf(r->arena, "%.*s/training/jobs/%.*s",
                                        judge_str_args(r->base_url),
                                        judge_str_args(c->execute.id)));
    judge_json_put_bool(w, "webhook_configured", called);
    judge_json_put_int(w, "log_retention_days",
                       r->service->settings.keep_logs / JUDGE_EXPIRY_DAY);
    judge_json_object_end(w);
}


static void
judge_training_run_queued(judge_req_t *r)
{
    judge_json_writer_t             *w;
    judge_training_run_execution_t  *c = r->ctx;
    judge_training_execute_t        *x = &c->execute;

    if (x->op.rc == JUDGE_CONFLICT) {
        judge_training_run_refuse(r, "executed", &c->find.row);
        return;
    }

    if (x->op.rc != JUDGE_OK) {
        judge_resource_missing(r);
        return;
    }

    w = judge_reply_begin(r, 200);
    judge_json_put_id(w, "job_id", x->id);
    judge_json_put_str(w, "execution_id", x->execution_id);
    judge_json_put_c(w, "status", "queued");
    judge_json_put_int(w, "estimated_duration",
                       judge_training_minutes(x->row.estimate));
    judge_training_run_resources(r, w);
    judge_training_run_timeline(r, w);
    judge_training_run_monitoring(r, w);
    judge_json_put_time(w, "executed_at", x->now);
    judge_json_put_str(w, "executed_by", r->key_id);
    judge_training_json_notices(w, x->row.options, r->service);

    judge_leases_wake(r->service, &judge_training_runs);
    judge_reply_end(r);
}


/* --- Cancelling ---------------------------------------------------------- */

static bool
judge_training_run_cancel(judge_req_t *r)
{
    judge_training_cancel_t  *c = r->ctx;

    c->op.arena = r->arena;

    if (judge_event_add(&c->op, JUDGE_EVENT_TRAINING_CANCELLED, r->org, c->id)
        == NULL)
    {
        return judge_fail_rc(r, JUDGE_NOMEM);
    }

    return true;
}


static void
judge_training_run_cancelled(judge_req_t *r)
{
    judge_json_writer_t      *w;
    judge_training_cancel_t  *c = r->ctx;

    if (c->op.rc == JUDGE_CONFLICT) {
        judge_training_run_refuse(r, "cancelled", &c->row);
        return;
    }

    w = judge_reply_begin(r, 200);
    judge_training_json(w, &c->row, NULL, NULL, c->now, r->service);
    judge_reply_end(r);
}
