/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* GET /metrics: counters and queue lengths in Prometheus' text format. */


#include <stdio.h>

#include "store/store_queue.h"
#include "work/service/extension.h"
#include "work/service/fleet.h"
#include "work/service/metrics.h"
#include "work/service/progress.h"
#include "api/http/request.h"


#define JUDGE_METRICS_VALUES  14       /* of a label, at most, and NULL */

/* The samples of a counter or histogram: one, or one for each value of the
 * label that they have beside the service's. */
typedef struct {
    const char      *name;
    unsigned         first;            /* judge_metric_e or judge_time_e; those
                                          of the other values follow */
    const char      *label;            /* or NULL */
    const char      *values[JUDGE_METRICS_VALUES];
    const char      *help;
} judge_metric_line_t;

typedef struct {
    judge_req_t  *r;
    judge_buf_t  *out;
    judge_str_t   service;
} judge_metrics_page_t;


static void judge_metrics_page_count(judge_req_t *r);
static void judge_metrics_page_counted(judge_req_t *r);


const judge_route_t  judge_metrics_routes[] = {
    { judge_route(GET, "/metrics", 0, JUDGE_ROUTE_PUBLIC, judge_queue_depth_t),
      .handler = judge_metrics_page_count },
    { .pattern = NULL }
};


static const judge_metric_line_t  judge_metric_lines[] = {
    { "judge_requests_total", JUDGE_METRIC_REQUESTS_NONE,
      "class", { "none", "1xx", "2xx", "3xx", "4xx", "5xx" },
      "Requests by the class of their status; none: the client left." },
    { "judge_requests_limited_total", JUDGE_METRIC_LIMITED, NULL, { NULL },
      "Requests refused because their key was over its rate." },
    { "judge_calls_refused_total", JUDGE_METRIC_REFUSED_CALLS, NULL, { NULL },
      "Calls to models and other servers of a location that answered 429, 503"
      " or 529." },
    { "judge_answers_refused_total", JUDGE_METRIC_UNREAD, NULL, { NULL },
      "Large answers refused because too many were not read." },
    { "judge_evaluations_ended_total", JUDGE_METRIC_COMPLETED,
      "status", { "completed", "failed" },
      "Evaluations that have ended." },
    { "judge_texts_measured_total", JUDGE_METRIC_MEASURED, NULL, { NULL },
      "Texts measured for the built-in engine; once for judges of a batch." },
    { "judge_progress_asked_total", JUDGE_METRIC_PROGRESS,
      "from", { "memory", "store" },
      "How batches stand: asked for by streams of events, and where it was"
      " found." },
    { "judge_progress_evicted_total", JUDGE_METRIC_PROGRESS_EVICTED,
      NULL, { NULL },
      "Batches that made room in the zone for others." },
    { "judge_escalations_total", JUDGE_METRIC_ESCALATED,
      "decided", { "model", "builtin" },
      "Scores of judges that ask a model when unsure: left to it, or not." },
    { "judge_canary_evaluations_total", JUDGE_METRIC_CANARIES,
      "status", { "completed", "failed" },
      "Evaluations that a canary judged beside the active version." },
    { "judge_uploads_total", JUDGE_METRIC_UPLOADS, NULL, { NULL },
      "Files that came to pre-signed addresses." },
    { "judge_uploaded_bytes_total", JUDGE_METRIC_UPLOADED, NULL, { NULL },
      "The bytes of these files." },
    { "judge_key_changes_total", JUDGE_METRIC_KEY_CHANGES, NULL, { NULL },
      "Changes and deletions of API keys." },
    { "judge_answers_remembered_total", JUDGE_METRIC_REMEMBERED,
      NULL, { NULL },
      "Answers given again because nothing was written since." },
    { "judge_store_commits_total", JUDGE_METRIC_COMMITS, NULL, { NULL },
      "Groups of writes committed to the store." },
    { "judge_notifications_total", JUDGE_METRIC_NOTES_SENT,
      "way", { "sent", "received" },
      "Notifications of changes between the nodes on a store." },
    { "judge_store_writes_total", JUDGE_METRIC_WRITES, NULL, { NULL },
      "Writes in these groups." },
    { "judge_purged_total", JUDGE_METRIC_PURGED,
      "what", { "idempotency_keys", "training_logs", "delivery_bodies",
                "deliveries", "audit", "uploads", "files", "contents",
                "results", "feedback" },
      "What was deleted because it had expired." },
    { .name = NULL }
};

static const judge_metric_line_t  judge_metric_times[] = {
    { "judge_request_duration_seconds", JUDGE_TIME_JUDGES,
      "group", { "judges", "content", "evaluations", "batches", "feedback",
                 "training", "work", "files", "assist", "admin", "monitor",
                 "waiting", "other" },
      "Requests, from their head to the last byte of the answer; waiting:"
      " for the queue, or streams of events." },
    { "judge_store_duration_seconds", JUDGE_TIME_READ,
      "kind", { "read", "write" },
      "Operations of the store that are not done at once, from when they"
      " were asked for." },
    { "judge_evaluation_duration_seconds", JUDGE_TIME_EVALUATION,
      NULL, { NULL },
      "Evaluations, from their creation to their end." },
    { .name = NULL }
};

static const char *const  judge_metric_queues[JUDGE_QUEUES] = {
    "builtin", "model"
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


static void
judge_metrics_page_head(judge_metrics_page_t *p, const char *name,
    const char *type, const char *help)
{
    judge_buf_printf(p->out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name,
                     type);
}


/* Writes the name and the labels of a sample; its value follows. */

static void
judge_metrics_page_sample(judge_metrics_page_t *p, const char *name,
    const char *suffix, const char *label, const char *value)
{
    judge_buf_printf(p->out, "%s%s{service=\"%.*s\"", name, suffix,
                     judge_str_args(p->service));
    if (label) {
        judge_buf_printf(p->out, ",%s=\"%s\"", label, value);
    }
}


static void
judge_metrics_page_count_of(judge_metrics_page_t *p, const char *name,
    const char *label, const char *value, uint64_t count)
{
    judge_metrics_page_sample(p, name, "", label, value);
    judge_buf_printf(p->out, "} %llu\n", (unsigned long long) count);
}


static void
judge_metrics_page_lines(judge_metrics_page_t *p)
{
    size_t                      i;
    const judge_metric_line_t  *line;

    for (line = judge_metric_lines; line->name; line++) {
        judge_metrics_page_head(p, line->name, "counter", line->help);

        for (i = 0; i == 0 || line->values[i]; i++) {
            judge_metrics_page_count_of(p, line->name, line->label,
                line->values[i],
                judge_metrics_get(p->r->service->metrics,
                                  (judge_metric_e) (line->first + i)));
        }
    }
}


/* What is counted in microseconds is shown in seconds. */

static void
judge_metrics_page_lock(judge_metrics_page_t *p)
{
    size_t                  i;
    static const char       name[] = "judge_store_lock_seconds_total";
    static const char      *states[] = { "waited", "held" };
    const judge_metrics_t  *metrics = p->r->service->metrics;

    judge_metrics_page_head(p, name, "counter",
        "Time of workers waiting for the commit lock, and holding it.");

    for (i = 0; i < 2; i++) {
        judge_metrics_page_sample(p, name, "", "state", states[i]);
        judge_buf_printf(p->out, "} %.6f\n", 1e-6 * (double)
                         judge_metrics_get(metrics, JUDGE_METRIC_LOCK_WAITED
                                                    + (judge_metric_e) i));
    }
}


static void
judge_metrics_page_own(judge_metrics_page_t *p,
    const judge_extension_metric_t *metric)
{
    size_t       i;
    uint64_t     n;
    judge_buf_t  labels;

    judge_buf_init(&labels, p->r->arena);

    for (i = 0; metric->counted(p->r->service, i, &labels, &n); i++) {
        judge_metrics_page_sample(p, metric->name, "", NULL, NULL);
        judge_buf_printf(p->out, ",%.*s} %llu\n", judge_str_args(labels),
                         (unsigned long long) n);
    }
}


static void
judge_metrics_page_extensions(judge_metrics_page_t *p)
{
    size_t                           i, k, m;
    const char                      *value;
    const judge_extension_t         *extension;
    const judge_extension_metric_t  *metric;

    for (k = 0; (extension = judge_extensions[k]); k++) {
        for (m = 0; m < extension->nmetrics; m++) {
            metric = &extension->metrics[m];
            judge_metrics_page_head(p, metric->name, "counter", metric->help);
            if (metric->counted) {
                judge_metrics_page_own(p, metric);
            }

            for (i = 0; i < metric->n; i++) {
                value = metric->label ? metric->value(i) : NULL;
                if (metric->label == NULL || value) {
                    judge_metrics_page_count_of(p, metric->name, metric->label,
                        value, judge_extensions_get(p->r->service, extension,
                                                    m, i));
                }
            }
        }
    }
}


/* "progress" is one table in the zone; the other caches, of which each worker
 * has its own, are summed. */

static void
judge_metrics_page_caches(judge_metrics_page_t *p)
{
    size_t                    i;
    judge_service_t          *service = p->r->service;
    const judge_settings_t   *settings = &service->settings;

    static const char *const  names[JUDGE_CACHE_COUNT] = {
        [JUDGE_CACHE_LIVE] = "live", [JUDGE_CACHE_LEARNED] = "learned",
        [JUDGE_CACHE_ANSWERS] = "answers", [JUDGE_CACHE_KEYS] = "keys",
        [JUDGE_CACHE_PAGES] = "pages"
    };
    const size_t              bounds[JUDGE_CACHE_COUNT] = {
        [JUDGE_CACHE_LIVE] = settings->max_live,
        [JUDGE_CACHE_LEARNED] = settings->max_learned,
        [JUDGE_CACHE_ANSWERS] = settings->answers,
        [JUDGE_CACHE_KEYS] = judge_auth_size((size_t) settings->keys),
        [JUDGE_CACHE_PAGES] = settings->pages
    };

    judge_metrics_page_head(p, "judge_cache_entries", "gauge",
                            "What caches hold, of all workers.");
    judge_metrics_page_count_of(p, "judge_cache_entries", "cache", "progress",
                                judge_progress_count(service->progress));

    for (i = 0; i < JUDGE_CACHE_COUNT; i++) {
        judge_metrics_page_count_of(p, "judge_cache_entries", "cache",
                                    names[i],
                                    judge_metrics_sum(service->metrics,
                                                  JUDGE_GAUGE_ENTRIES + i));
    }

    judge_metrics_page_head(p, "judge_cache_bytes", "gauge",
                            "Their memory, of all workers.");
    for (i = 0; i < JUDGE_CACHE_COUNT; i++) {
        judge_metrics_page_count_of(p, "judge_cache_bytes", "cache", names[i],
                                    judge_metrics_sum(service->metrics,
                                                    JUDGE_GAUGE_BYTES + i));
    }

    judge_metrics_page_head(p, "judge_cache_max_bytes", "gauge",
                            "Their bounds, of each worker.");
    for (i = 0; i < JUDGE_CACHE_COUNT; i++) {
        judge_metrics_page_count_of(p, "judge_cache_max_bytes", "cache",
                                    names[i], bounds[i]);
    }
}


/* A label for each key or organization would make too many time series. */

static void
judge_metrics_page_fleet(judge_metrics_page_t *p)
{
    size_t                    i, n;
    double                    shares[JUDGE_FLEET_KINDS];

    static const char *const  names[JUDGE_FLEET_KINDS] = {
        [JUDGE_FLEET_RATE] = "rate", [JUDGE_FLEET_BUDGET] = "budget",
        [JUDGE_FLEET_CALLS] = "calls"
    };

    judge_metrics_page_head(p, "judge_fleet_limits", "gauge", "Limits of which"
                            " this node of a fleet has a share now.");
    for (i = 0; i < JUDGE_FLEET_KINDS; i++) {
        n = judge_fleet_count(p->r->service, i, &shares[i]);
        judge_metrics_page_count_of(p, "judge_fleet_limits", "limit", names[i],
                                    n);
    }

    judge_metrics_page_head(p, "judge_fleet_share", "gauge", "These shares"
                            " added up: 1 is all of a limit.");
    for (i = 0; i < JUDGE_FLEET_KINDS; i++) {
        judge_metrics_page_sample(p, "judge_fleet_share", "", "limit",
                                  names[i]);
        judge_buf_printf(p->out, "} %.4f\n", shares[i]);
    }
}


/* Only models whose concurrent calls are limited are listed. */

static void
judge_metrics_page_calls(judge_metrics_page_t *p)
{
    size_t                   i;
    int64_t                  calls[2];           /* allowed, active */
    judge_str_t              name;
    const judge_llm_t       *model;
    const judge_settings_t  *settings = &p->r->service->settings;

    judge_metrics_page_head(p, "judge_fleet_calls", "gauge", "Calls to models"
                            " that have in_all=: what this node may make, and"
                            " makes.");

    for (i = 0; i < settings->nmodels * 2; i++) {
        model = &settings->models[i / 2];
        if (!model->in_all) {
            continue;
        }

        calls[0] = judge_fleet_calls(p->r->service, model, &calls[1]);
        name = judge_metrics_escape(p->r->arena, model->name);
        judge_metrics_page_sample(p, "judge_fleet_calls", "", NULL, NULL);
        judge_buf_printf(p->out, ",model=\"%.*s\",state=\"%s\"} %lld\n",
                         judge_str_args(name), i % 2 ? "active" : "allowed",
                         (long long) calls[i % 2]);
    }
}


/* Lists the first JUDGE_METRICS_MODELS models of nginx.conf. */

static void
judge_metrics_page_models(judge_metrics_page_t *p)
{
    size_t                   i, n, gauge;
    judge_str_t              name;
    const judge_service_t   *service = p->r->service;
    const judge_settings_t  *settings = &service->settings;

    static const char *const  states[JUDGE_METRICS_CALLS] = {
        "allowed", "active", "waiting"
    };

    judge_metrics_page_head(p, "judge_model_calls", "gauge", "Calls to models:"
                            " as many as its server takes at once, those under"
                            " way, and those that wait.");

    for (i = 0; i < settings->nmodels && i < JUDGE_METRICS_MODELS; i++) {
        gauge = JUDGE_GAUGE_CALLS + i * JUDGE_METRICS_CALLS;
        name = judge_metrics_escape(p->r->arena,
                                         settings->models[i].name);

        for (n = 0; n < JUDGE_METRICS_CALLS; n++) {
            judge_metrics_page_sample(p, "judge_model_calls", "", "state",
                                      states[n]);
            judge_buf_printf(p->out, ",model=\"%.*s\"} %llu\n",
                             judge_str_args(name), (unsigned long long)
                             judge_metrics_sum(service->metrics, gauge + n));
        }
    }
}


/* Buckets are cumulative, as the format requires. */

static void
judge_metrics_page_histogram(judge_metrics_page_t *p,
    const judge_metric_line_t *line, size_t i)
{
    size_t                    n;
    uint64_t                  count;
    const char               *value = line->values[i];
    const judge_histogram_t  *h;

    h = &p->r->service->metrics->times[line->first + i];

    for (n = 0, count = 0; n <= JUDGE_TIME_BOUNDS; n++) {
        count += __atomic_load_n(&h->classes[n], __ATOMIC_RELAXED);
        judge_metrics_page_sample(p, line->name, "_bucket", line->label,
                                  value);
        if (n < JUDGE_TIME_BOUNDS) {
            judge_buf_printf(p->out, ",le=\"%g\"",
                             (double) judge_time_bounds[n] / 1000);
        } else {
            judge_buf_c(p->out, ",le=\"+Inf\"");
        }
        judge_buf_printf(p->out, "} %llu\n", (unsigned long long) count);
    }

    judge_metrics_page_sample(p, line->name, "_sum", line->label, value);
    judge_buf_printf(p->out, "} %.3f\n",
                     (double) __atomic_load_n(&h->sum, __ATOMIC_RELAXED)
                     / 1000);
    judge_metrics_page_sample(p, line->name, "_count", line->label, value);
    judge_buf_printf(p->out, "} %llu\n", (unsigned long long) count);
}


static void
judge_metrics_page_times(judge_metrics_page_t *p)
{
    size_t                      i;
    const judge_metric_line_t  *line;

    for (line = judge_metric_times; line->name; line++) {
        judge_metrics_page_head(p, line->name, "histogram", line->help);

        for (i = 0; i == 0 || line->values[i]; i++) {
            judge_metrics_page_histogram(p, line, i);
        }
    }
}


static void
judge_metrics_page_depth(judge_metrics_page_t *p)
{
    int                   i, queue, class, later;
    char                  help[160];
    judge_queue_depth_t  *c = p->r->ctx;

    (void) snprintf(help, sizeof(help), "Evaluations that have not ended: due"
                    " ones, and those in work or waiting for a time or a"
                    " result; counted up to %d each.", JUDGE_QUEUE_DEPTH_MAX);
    judge_metrics_page_head(p, "judge_queue_depth", "gauge", help);

    for (i = 0; i < JUDGE_QUEUES * JUDGE_PRIORITIES * 2; i++) {
        queue = i / 2 / JUDGE_PRIORITIES;
        class = i / 2 % JUDGE_PRIORITIES;
        later = i % 2;

        judge_metrics_page_sample(p, "judge_queue_depth", "", "queue",
                                  judge_metric_queues[queue]);
        judge_buf_printf(p->out, ",priority=\"%s\",state=\"%s\"} %lld\n",
                         judge_priorities[class], later ? "later" : "due",
                         (long long) (later ? c->later[queue][class]
                                            : c->due[queue][class]));
    }
}


static void
judge_metrics_page_counted(judge_req_t *r)
{
    judge_buf_t            out;
    judge_str_t            service;
    judge_metrics_page_t   p;
    judge_queue_depth_t   *c = r->ctx;

    service = judge_metrics_escape(r->arena, r->service->settings.name);
    judge_buf_init(&out, r->arena);
    p = (judge_metrics_page_t) { r, &out, service };
    judge_metrics_page_lines(&p);
    judge_metrics_page_lock(&p);
    judge_metrics_page_extensions(&p);
    judge_metrics_page_caches(&p);
    judge_metrics_page_fleet(&p);
    judge_metrics_page_calls(&p);
    judge_metrics_page_models(&p);
    judge_metrics_page_times(&p);

    if (c->op.rc == JUDGE_OK) {
        judge_metrics_page_depth(&p);
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
