/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* GET /metrics: counters and queue lengths in Prometheus' text format. */


#include "store/store_queue.h"
#include "work/service/extension.h"
#include "work/service/fleet.h"
#include "work/service/metrics.h"
#include "work/service/progress.h"
#include "api/evaluations/known_pairs.h"
#include "api/http/request.h"


/* A row is one sample; the format requires a metric's samples in a row. */
typedef struct {
    const char      *name;
    const char      *label;            /* beside the service's; or NULL */
    const char      *value;
    judge_metric_e   metric;
    const char      *help;             /* only in a metric's first row */
} judge_metric_line_t;


static void judge_metrics_page_count(judge_req_t *r);
static void judge_metrics_page_counted(judge_req_t *r);


const judge_route_t  judge_metrics_routes[] = {
    { judge_route(GET, "/metrics", 0, JUDGE_ROUTE_PUBLIC, judge_queue_depth_t),
      .handler = judge_metrics_page_count },
    { .pattern = NULL }
};


static const judge_metric_line_t  judge_metric_lines[] = {
    { "judge_requests_total", "class", "1xx", JUDGE_METRIC_REQUESTS_1XX,
      "Requests by the class of their status; none: the client left." },
    { "judge_requests_total", "class", "2xx", JUDGE_METRIC_REQUESTS_2XX,
      NULL },
    { "judge_requests_total", "class", "3xx", JUDGE_METRIC_REQUESTS_3XX,
      NULL },
    { "judge_requests_total", "class", "4xx", JUDGE_METRIC_REQUESTS_4XX,
      NULL },
    { "judge_requests_total", "class", "5xx", JUDGE_METRIC_REQUESTS_5XX,
      NULL },
    { "judge_requests_total", "class", "none", JUDGE_METRIC_REQUESTS_NONE,
      NULL },
    { "judge_requests_limited_total", NULL, NULL, JUDGE_METRIC_LIMITED,
      "Requests refused because their key was over its rate." },
    { "judge_answers_refused_total", NULL, NULL, JUDGE_METRIC_UNREAD,
      "Large answers refused because too many were not read." },
    { "judge_evaluations_ended_total", "status", "completed",
      JUDGE_METRIC_COMPLETED, "Evaluations that have ended." },
    { "judge_evaluations_ended_total", "status", "failed",
      JUDGE_METRIC_FAILED, NULL },
    { "judge_texts_measured_total", NULL, NULL, JUDGE_METRIC_MEASURED,
      "Texts measured for the built-in engine; once for judges of a batch." },
    { "judge_progress_asked_total", "from", "memory", JUDGE_METRIC_PROGRESS,
      "How batches stand: asked for by streams of events, and where it was"
      " found." },
    { "judge_progress_asked_total", "from", "store",
      JUDGE_METRIC_PROGRESS_READ, NULL },
    { "judge_progress_evicted_total", NULL, NULL,
      JUDGE_METRIC_PROGRESS_EVICTED,
      "Batches that made room in the zone for others." },
    { "judge_escalations_total", "decided", "model", JUDGE_METRIC_ESCALATED,
      "Scores of judges that ask a model when unsure: left to it, or not." },
    { "judge_escalations_total", "decided", "builtin", JUDGE_METRIC_SPARED,
      NULL },
    { "judge_canary_evaluations_total", "status", "completed",
      JUDGE_METRIC_CANARIES,
      "Evaluations that a canary judged beside the active version." },
    { "judge_canary_evaluations_total", "status", "failed",
      JUDGE_METRIC_CANARIES_FAILED, NULL },
    { "judge_uploads_total", NULL, NULL, JUDGE_METRIC_UPLOADS,
      "Files that came to pre-signed addresses." },
    { "judge_uploaded_bytes_total", NULL, NULL, JUDGE_METRIC_UPLOADED,
      "The bytes of these files." },
    { "judge_key_changes_total", NULL, NULL, JUDGE_METRIC_KEY_CHANGES,
      "Changes and deletions of API keys." },
    { "judge_answers_remembered_total", NULL, NULL, JUDGE_METRIC_REMEMBERED,
      "Answers given again because nothing was written since." },
    { "judge_store_commits_total", NULL, NULL, JUDGE_METRIC_COMMITS,
      "Groups of writes committed to the store." },
    { "judge_notifications_total", "way", "sent", JUDGE_METRIC_NOTES_SENT,
      "Notifications of changes between the nodes on a store." },
    { "judge_notifications_total", "way", "received",
      JUDGE_METRIC_NOTES_RECEIVED, NULL },
    { "judge_store_writes_total", NULL, NULL, JUDGE_METRIC_WRITES,
      "Writes in these groups." },
    { "judge_purged_total", "what", "idempotency_keys",
      JUDGE_METRIC_PURGED + JUDGE_PURGE_KEYS,
      "What was deleted because it had expired." },
    { "judge_purged_total", "what", "training_logs",
      JUDGE_METRIC_PURGED + JUDGE_PURGE_LOGS, NULL },
    { "judge_purged_total", "what", "delivery_bodies",
      JUDGE_METRIC_PURGED + JUDGE_PURGE_BODIES, NULL },
    { "judge_purged_total", "what", "deliveries",
      JUDGE_METRIC_PURGED + JUDGE_PURGE_DELIVERIES, NULL },
    { "judge_purged_total", "what", "uploads",
      JUDGE_METRIC_PURGED_UPLOADS, NULL },
    { "judge_purged_total", "what", "files",
      JUDGE_METRIC_PURGED_FILES, NULL },
    { "judge_purged_total", "what", "contents",
      JUDGE_METRIC_PURGED_CONTENTS, NULL },
    { "judge_purged_total", "what", "results",
      JUDGE_METRIC_PURGED_RESULTS, NULL },
    { "judge_purged_total", "what", "feedback",
      JUDGE_METRIC_PURGED_FEEDBACK, NULL },
};

/* The histograms, ordered and described as the samples above are. */
static const struct {
    const char    *name;
    const char    *label;              /* beside the service's; may be "" */
    judge_time_e   what;
    const char    *help;
} judge_metric_times[] = {
    { "judge_request_duration_seconds", ",group=\"judges\"",
      JUDGE_TIME_JUDGES, "Requests, from their head to the last byte of the"
      " answer; waiting: for the queue, or streams of events." },
    { "judge_request_duration_seconds", ",group=\"content\"",
      JUDGE_TIME_CONTENT, NULL },
    { "judge_request_duration_seconds", ",group=\"evaluations\"",
      JUDGE_TIME_EVALUATIONS, NULL },
    { "judge_request_duration_seconds", ",group=\"batches\"",
      JUDGE_TIME_BATCHES, NULL },
    { "judge_request_duration_seconds", ",group=\"feedback\"",
      JUDGE_TIME_FEEDBACK, NULL },
    { "judge_request_duration_seconds", ",group=\"training\"",
      JUDGE_TIME_TRAINING, NULL },
    { "judge_request_duration_seconds", ",group=\"work\"",
      JUDGE_TIME_WORK, NULL },
    { "judge_request_duration_seconds", ",group=\"files\"",
      JUDGE_TIME_FILES, NULL },
    { "judge_request_duration_seconds", ",group=\"assist\"",
      JUDGE_TIME_ASSIST, NULL },
    { "judge_request_duration_seconds", ",group=\"admin\"",
      JUDGE_TIME_ADMIN, NULL },
    { "judge_request_duration_seconds", ",group=\"monitor\"",
      JUDGE_TIME_MONITOR, NULL },
    { "judge_request_duration_seconds", ",group=\"waiting\"",
      JUDGE_TIME_WAITING, NULL },
    { "judge_request_duration_seconds", ",group=\"other\"",
      JUDGE_TIME_OTHER, NULL },
    { "judge_store_duration_seconds", ",kind=\"read\"", JUDGE_TIME_READ,
      "Operations of the store that are not done at once, from when they were"
      " asked for." },
    { "judge_store_duration_seconds", ",kind=\"write\"", JUDGE_TIME_WRITE,
      NULL },
    { "judge_evaluation_duration_seconds", "", JUDGE_TIME_EVALUATION,
      "Evaluations, from their creation to their end." },
};

static const char *const  judge_metric_queues[JUDGE_QUEUES] = {
    "builtin", "model"
};

static const char *const  judge_metric_classes[JUDGE_PRIORITIES] = {
    [JUDGE_PRIORITY_HIGH] = "high",
    [JUDGE_PRIORITY_NORMAL] = "normal",
    [JUDGE_PRIORITY_LOW] = "low",
};


/* The page is served without the store's numbers if the store fails, because
 * its counters are needed most then. */

static void
judge_metrics_page_count(judge_req_t *r)
{
    judge_queue_depth_t  *c = r->ctx;

    c->op.kind = JUDGE_OP_QUEUE_DEPTH;
    c->now = judge_now(r->service);
    judge_await_any(r, &c->op, judge_metrics_page_counted);
}


/* Escapes the value of a label. */

static judge_str_t
judge_metrics_page_escape(judge_arena_t *arena, judge_str_t s)
{
    size_t       i;
    judge_buf_t  out;

    judge_buf_init(&out, arena);
    judge_buf_str(&out, JUDGE_STR(""));

    for (i = 0; i < s.len; i++) {
        if (s.data[i] == '\n') {
            judge_buf_c(&out, "\\n");
            continue;
        }

        if (s.data[i] == '"' || s.data[i] == '\\') {
            judge_buf_c(&out, "\\");
        }
        judge_buf_append(&out, &s.data[i], 1);
    }

    return judge_buf_view(&out);
}


static void
judge_metrics_page_lines(judge_req_t *r, judge_buf_t *out, judge_str_t service)
{
    size_t                      i;
    const judge_metric_line_t  *line;

    for (i = 0; i < sizeof(judge_metric_lines) / sizeof(judge_metric_lines[0]);
         i++)
    {
        line = &judge_metric_lines[i];

        if (line->help) {
            judge_buf_printf(out, "# HELP %s %s\n# TYPE %s counter\n",
                             line->name, line->help, line->name);
        }

        judge_buf_printf(out, "%s{service=\"%.*s\"", line->name,
                         (int) service.len, service.data);
        if (line->label) {
            judge_buf_printf(out, ",%s=\"%s\"", line->label, line->value);
        }

        judge_buf_printf(out, "} %llu\n", (unsigned long long)
                         judge_metrics_get(r->service->metrics,
                                           line->metric));
    }
}


static void
judge_metrics_page_extension(judge_req_t *r, judge_buf_t *out,
    judge_str_t service, const judge_extension_t *extension, size_t m)
{
    size_t                           i;
    const char                      *value;
    const judge_extension_metric_t  *metric = &extension->metrics[m];

    judge_buf_printf(out, "# HELP %s %s\n# TYPE %s counter\n", metric->name,
                     metric->help, metric->name);

    for (i = 0; i < metric->n; i++) {
        value = metric->label ? metric->value(i) : NULL;
        if (metric->label && value == NULL) {
            continue;
        }

        judge_buf_printf(out, "%s{service=\"%.*s\"", metric->name,
                         (int) service.len, service.data);
        if (value) {
            judge_buf_printf(out, ",%s=\"%s\"", metric->label, value);
        }

        judge_buf_printf(out, "} %llu\n", (unsigned long long)
                         judge_extensions_get(r->service, extension, m, i));
    }
}


static void
judge_metrics_page_extensions(judge_req_t *r, judge_buf_t *out,
    judge_str_t service)
{
    size_t                    k, m;
    const judge_extension_t  *extension;

    for (k = 0; (extension = judge_extensions[k]); k++) {
        for (m = 0; m < extension->nmetrics; m++) {
            judge_metrics_page_extension(r, out, service, extension, m);
        }
    }
}


/* "progress" is one table in the zone; the other caches, of which each worker
 * has its own, are summed. */

static void
judge_metrics_page_caches(judge_req_t *r, judge_buf_t *out,
    judge_str_t service)
{
    size_t                    i, max;
    judge_cache_size_t        size;
    const judge_settings_t   *settings = &r->service->settings;

    static const char *const  names[JUDGE_CACHE_COUNT] = {
        [JUDGE_CACHE_LIVE] = "live", [JUDGE_CACHE_LEARNED] = "learned",
        [JUDGE_CACHE_ANSWERS] = "answers", [JUDGE_CACHE_KEYS] = "keys",
        [JUDGE_CACHE_PAIRS] = "pairs", [JUDGE_CACHE_PAGES] = "pages"
    };
    const size_t              bounds[JUDGE_CACHE_COUNT] = {
        [JUDGE_CACHE_LIVE] = settings->max_live,
        [JUDGE_CACHE_LEARNED] = settings->max_learned,
        [JUDGE_CACHE_ANSWERS] = settings->answers,
        [JUDGE_CACHE_KEYS] = judge_auth_size((size_t) settings->keys),
        [JUDGE_CACHE_PAIRS] = judge_known_pairs_size((size_t)
                                                     settings->pairs),
        [JUDGE_CACHE_PAGES] = settings->pages
    };

    judge_buf_c(out, "# HELP judge_cache_entries What caches hold, of all"
                     " workers.\n# TYPE judge_cache_entries gauge\n");
    judge_buf_printf(out, "judge_cache_entries{service=\"%.*s\",cache="
                     "\"progress\"} %zu\n", (int) service.len, service.data,
                     judge_progress_count(r->service->progress, &max));

    for (i = 0; i < JUDGE_CACHE_COUNT; i++) {
        size = judge_metrics_caches(r->service->metrics, i);
        judge_buf_printf(out, "judge_cache_entries{service=\"%.*s\",cache="
                         "\"%s\"} %llu\n", (int) service.len, service.data,
                         names[i], (unsigned long long) size.entries);
    }

    judge_buf_c(out, "# HELP judge_cache_bytes Their memory, of all workers."
                     "\n# TYPE judge_cache_bytes gauge\n");

    for (i = 0; i < JUDGE_CACHE_COUNT; i++) {
        size = judge_metrics_caches(r->service->metrics, i);
        judge_buf_printf(out, "judge_cache_bytes{service=\"%.*s\",cache="
                         "\"%s\"} %llu\n", (int) service.len, service.data,
                         names[i], (unsigned long long) size.bytes);
    }

    judge_buf_c(out, "# HELP judge_cache_max_bytes Their bounds, of each"
                     " worker.\n# TYPE judge_cache_max_bytes gauge\n");

    for (i = 0; i < JUDGE_CACHE_COUNT; i++) {
        judge_buf_printf(out, "judge_cache_max_bytes{service=\"%.*s\",cache="
                         "\"%s\"} %zu\n", (int) service.len, service.data,
                         names[i], bounds[i]);
    }
}


/* A label for each key or organization would make too many time series. */

static void
judge_metrics_page_fleet(judge_req_t *r, judge_buf_t *out, judge_str_t service)
{
    size_t                    i, n[JUDGE_FLEET_KINDS];
    double                    shares[JUDGE_FLEET_KINDS];

    static const char *const  names[JUDGE_FLEET_KINDS] = {
        [JUDGE_FLEET_RATE] = "rate", [JUDGE_FLEET_BUDGET] = "budget",
        [JUDGE_FLEET_CALLS] = "calls"
    };

    judge_buf_c(out, "# HELP judge_fleet_limits Limits of which this node of a"
                     " fleet has a share now.\n"
                     "# TYPE judge_fleet_limits gauge\n");

    for (i = 0; i < JUDGE_FLEET_KINDS; i++) {
        n[i] = judge_fleet_count(r->service, i, &shares[i]);
        judge_buf_printf(out, "judge_fleet_limits{service=\"%.*s\",limit="
                         "\"%s\"} %zu\n", (int) service.len, service.data,
                         names[i], n[i]);
    }

    judge_buf_c(out, "# HELP judge_fleet_share These shares added up: 1 is all"
                     " of a limit.\n# TYPE judge_fleet_share gauge\n");

    for (i = 0; i < JUDGE_FLEET_KINDS; i++) {
        judge_buf_printf(out, "judge_fleet_share{service=\"%.*s\",limit="
                         "\"%s\"} %.4f\n", (int) service.len, service.data,
                         names[i], shares[i]);
    }
}


/* Only models whose concurrent calls are limited are listed. */

static void
judge_metrics_page_calls(judge_req_t *r, judge_buf_t *out, judge_str_t service)
{
    size_t              i;
    int64_t             calls[2];      /* allowed, active */
    judge_str_t         name;
    const judge_llm_t  *model;

    judge_buf_c(out, "# HELP judge_fleet_calls Calls to models that have"
                     " in_all=: what this node may make, and makes.\n"
                     "# TYPE judge_fleet_calls gauge\n");

    for (i = 0; i < r->service->settings.nmodels * 2; i++) {
        model = &r->service->settings.models[i / 2];
        calls[0] = judge_fleet_calls(r->service, model, &calls[1]);
        name = judge_metrics_page_escape(r->arena, model->name);
        if (model->in_all) {
            judge_buf_printf(out, "judge_fleet_calls{service=\"%.*s\",model="
                             "\"%.*s\",state=\"%s\"} %lld\n",
                             (int) service.len, service.data, (int) name.len,
                             name.data, i % 2 ? "active" : "allowed",
                             (long long) calls[i % 2]);
        }
    }
}


/* Buckets are cumulative, as the format requires. */

static void
judge_metrics_page_times(judge_req_t *r, judge_buf_t *out, judge_str_t service)
{
    size_t                    i, n;
    uint64_t                  count;
    const char               *name, *label;
    const judge_histogram_t  *h;

    for (i = 0; i < sizeof(judge_metric_times) / sizeof(judge_metric_times[0]);
         i++)
    {
        name = judge_metric_times[i].name;
        label = judge_metric_times[i].label;
        h = &r->service->metrics->times[judge_metric_times[i].what];

        if (judge_metric_times[i].help) {
            judge_buf_printf(out, "# HELP %s %s\n# TYPE %s histogram\n", name,
                             judge_metric_times[i].help, name);
        }

        for (n = 0, count = 0; n <= JUDGE_TIME_BOUNDS; n++) {
            count += __atomic_load_n(&h->classes[n], __ATOMIC_RELAXED);
            judge_buf_printf(out, "%s_bucket{service=\"%.*s\"%s,le=\"", name,
                             (int) service.len, service.data, label);
            if (n < JUDGE_TIME_BOUNDS) {
                judge_buf_printf(out, "%g", (double) judge_time_bounds[n]
                                            / 1000);
            } else {
                judge_buf_c(out, "+Inf");
            }
            judge_buf_printf(out, "\"} %llu\n", (unsigned long long) count);
        }

        judge_buf_printf(out, "%s_sum{service=\"%.*s\"%s} %.3f\n"
                              "%s_count{service=\"%.*s\"%s} %llu\n",
                         name, (int) service.len, service.data, label,
                         (double) __atomic_load_n(&h->sum, __ATOMIC_RELAXED)
                         / 1000, name, (int) service.len, service.data, label,
                         (unsigned long long) count);
    }
}


static void
judge_metrics_page_depth(judge_req_t *r, judge_buf_t *out, judge_str_t service)
{
    int                   i, queue, class, later;
    judge_queue_depth_t  *c = r->ctx;

    judge_buf_printf(out, "# HELP judge_queue_depth Evaluations that have not"
                     " ended: due ones, and those in work or waiting for a"
                     " time or a result; counted up to %d each.\n"
                     "# TYPE judge_queue_depth gauge\n",
                     JUDGE_QUEUE_DEPTH_MAX);

    for (i = 0; i < JUDGE_QUEUES * JUDGE_PRIORITIES * 2; i++) {
        queue = i / 2 / JUDGE_PRIORITIES;
        class = i / 2 % JUDGE_PRIORITIES;
        later = i % 2;

        judge_buf_printf(out, "judge_queue_depth{service=\"%.*s\",queue="
                         "\"%s\",priority=\"%s\",state=\"%s\"} %lld\n",
                         (int) service.len, service.data,
                         judge_metric_queues[queue],
                         judge_metric_classes[class],
                         later ? "later" : "due",
                         (long long) (later ? c->later[queue][class]
                                            : c->due[queue][class]));
    }
}


static void
judge_metrics_page_counted(judge_req_t *r)
{
    judge_buf_t            out;
    judge_str_t            service;
    judge_queue_depth_t  *c = r->ctx;

    service = judge_metrics_page_escape(r->arena, r->service->settings.name);
    judge_buf_init(&out, r->arena);
    judge_metrics_page_lines(r, &out, service);
    judge_metrics_page_extensions(r, &out, service);
    judge_metrics_page_caches(r, &out, service);
    judge_metrics_page_fleet(r, &out, service);
    judge_metrics_page_calls(r, &out, service);
    judge_metrics_page_times(r, &out, service);

    if (c->op.rc == JUDGE_OK) {
        judge_metrics_page_depth(r, &out, service);
    }

    if (out.failed || service.data == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    r->answer.status = 200;
    r->answer.content_type = "text/plain; version=0.0.4; charset=utf-8";
    r->answer.body = judge_buf_view(&out);
    judge_reply_send(r);
}
