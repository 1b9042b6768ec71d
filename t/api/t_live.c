/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What clients watch is read once for all of them, and again when it has
 * changed. */


#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "feedback.h"
#include "harness.h"
#include "work/calibration/calibrator_cache.h"
#include "work/evaluation/batch_pages.h"
#include "work/evaluation/waiters.h"
#include "work/service/metrics.h"
#include "work/service/progress.h"
#include "api/http/response_cache.h"


#define JUDGES  8


static t_call_t *
job_of(t_api_t *api, const char *id, const char *query)
{
    return t_sendf(api, "GET", NULL, "/training/jobs/%s%s", id, query);
}


static void
test_job(t_api_t *api, const char *judge)
{
    t_call_t    *c;
    const char  *id;
    judge_str_t  body, first;

    body = judge_str_printf(api->arena, "{\"judge_id\":\"%s\","
               "\"training_type\":\"validation\",\"training_config\":{}}",
               judge);
    c = t_send(api, "POST", "/training/jobs", body.data);
    t_is_status(c, 201, "a job is created");
    id = t_text(c, "job_id");

    first = job_of(api, id, "")->body;
    c = job_of(api, id, "");
    t_ok(first.len && judge_str_eq(c->body, first),
         "the second answer is the same as the first");

    c = job_of(api, id, "?include_logs=true");
    t_ok(t_get(c, "logs").data != NULL,
         "a question for logs is answered with them");
    c = job_of(api, id, "?include_metrics=false");
    t_ok(t_get(c, "metrics").data == NULL,
         "a question without metrics is answered without them");
    t_ok(judge_str_eq(job_of(api, id, "")->body, first),
         "an answer with a query is not remembered for others");

    t_execute(api, "UPDATE training_jobs SET epoch = 77");
    t_tick(api, 1000);
    t_is_str(t_get(job_of(api, id, ""), "progress.current_epoch"), "77",
             "the row is the truth after a second");
    t_is_status(t_sendf(api, "POST", "{}", "/training/jobs/%s/execute", id),
                200, "a job that was read can be queued");
    t_ok(!judge_str_eq_c(t_get(job_of(api, id, ""), "status"), "created"),
         "a change of a job is seen at once");
    t_is_status(job_of(api, "trj_x", ""), 404,
                "a job that does not exist is not found");
}


/* --- Events of a batch --------------------------------------------------- */

static size_t  t_pages;                /* that were read */


static void
count_pages(t_api_t *api, judge_op_t *op)
{
    (void) api;
    t_pages += op->kind == JUDGE_OP_BATCH_ITEMS;
}


static t_call_t *
listen_to(t_api_t *api, const char *id, const char *last)
{
    if (last) {
        t_header(api, JUDGE_HEADER_LAST_EVENT_ID, last);
    }

    return t_sendf(api, "GET", NULL, "/batches/%s/events", id);
}


/* Whether exactly these items came, in this order, each once. */

static bool
has_items(const t_call_t *c, long first, long last)
{
    long         n, next;
    const char  *p;

    next = first;
    p = judge_str_dup(c->api->arena, judge_buf_view(&c->pieces)).data;

    for ( /* void */ ; p && (p = strstr(p, "id: ")); p++) {
        if (sscanf(p, "id: %ld\nevent: item", &n) == 1
            && strstr(p, "event: ") == strstr(p, "event: item"))
        {
            if (n != next++) {
                return false;
            }
        }
    }

    return next == last + 1;
}


/* A batch of two texts, under way. */

static const char *
test_short(t_api_t *api, const char *judge)
{
    return t_text(t_send(api, "POST", "/batches/evaluate",
                         judge_str_printf(api->arena, "{\"name\":\"B\","
                             "\"judge_ids\":[\"%s\"],\"content_items\":["
                             "{\"name\":\"T\",\"text_content\":\"One.\"},"
                             "{\"name\":\"U\",\"text_content\":\"Two.\"}]}",
                             judge).data), "batch_id");
}


static void
test_shared(t_api_t *api, const char *judge)
{
    size_t        i, pages, bytes;
    t_call_t     *c[20], *late;
    judge_buf_t   body;
    const char   *id;

    judge_buf_init(&body, api->arena);
    judge_buf_printf(&body, "{\"name\":\"B\",\"judge_ids\":[\"%s\"],"
                     "\"auto_start\":false,\"content_items\":[", judge);
    for (i = 0; i < 150; i++) {
        judge_buf_printf(&body, "%s{\"name\":\"T\",\"text_content\":"
                         "\"Text %zu. It is short.\"}", i ? "," : "", i);
    }
    judge_buf_append(&body, "]}", 3);
    api->service.settings.max_items = 150;
    late = t_send(api, "POST", "/batches/evaluate", body.data);
    t_is_status(late, 201, "a batch is made");
    id = t_text(late, "batch_id");

    for (i = 0; i < 20; i++) {
        c[i] = listen_to(api, id, NULL);
    }

    api->slow = true;
    api->before = count_pages;
    (void) t_sendf(api, "POST", NULL, "/batches/%s/start", id);

    for (i = 0; i < 400 && !c[19]->ended; i++) {
        t_tick(api, 10);
        t_run(api);
    }

    for (i = 0; i < 20 && c[i]->ended && has_items(c[i], 1, 150); i++) {
        /* void */
    }

    t_is_int((int64_t) i, 20, "all get each of 150 items once, in order");
    t_ok(t_pages >= 3 && t_pages <= 10, "%zu pages were read for 20 clients",
         t_pages);

    pages = t_pages;
    late = listen_to(api, id, "70");
    for (i = 0; i < 20; i++) {
        t_run(api);
    }
    t_ok(late->ended && has_items(late, 71, 150),
         "a client that comes back gets the rest of the items");
    t_is_int((int64_t) (t_pages - pages), 0,
             "a client that comes back has nothing read from the store");

    api->slow = false;
    api->before = NULL;

    /* With room for nothing the newest page is kept, and all is sent. */
    api->service.settings.max_live = 1;
    (void) judge_batch_pages_count(&api->service, &bytes);
    t_ok(bytes > 10000, "pages of events are kept: %zu bytes", bytes);
    late = listen_to(api, test_short(api, judge), NULL);
    for (i = 0; i < 20; i++) {
        t_tick(api, 50);
        t_run(api);
    }
    t_ok(late->ended && has_items(late, 1, 2),
         "a client gets each item though there is no room for pages");
    t_is_int((int64_t) judge_batch_pages_count(&api->service, &bytes), 1,
             "no page but the newest is kept beyond max_live");
    api->service.settings.max_live = 1 << 20;
}


/* What judges have learned is kept up to max_learned, and used all the same
 * where there is no room for it. */

static void
test_learned(t_api_t *api, const char *const *judges, const char *content,
    size_t max, size_t *bytes, size_t kept)
{
    size_t     i;
    t_call_t  *c;

    api->service.settings.max_learned = max;
    judge_calibrator_cache_empty(&api->service);

    for (i = 0; i < JUDGES; i++) {
        c = t_sendf(api, "GET", NULL, "/evaluations/%s",
                    t_evaluation(api, judges[i], content));
        if (!judge_str_eq_c(t_get(c, "status"), "completed")) {
            break;
        }
    }

    t_is_int((int64_t) i, JUDGES, "all are judged with max_learned=%zu", max);
    t_is_int((int64_t) judge_calibrator_cached(&api->service, bytes),
             (int64_t) kept, "with max_learned=%zu %zu judges are kept", max,
             kept);
    t_ok(*bytes <= max, "what is kept is within max_learned");
}


static void
test_bounds(t_api_t *api)
{
    size_t       i, bytes, half;
    const char  *content, *judges[JUDGES];

    content = t_content(api, "A text. It is short.");
    for (i = 0; i < JUDGES; i++) {
        judges[i] = t_judge(api, "text");
    }

    test_learned(api, judges, content, 1 << 24, &bytes, JUDGES);
    test_learned(api, judges, content, bytes / 2, &half, JUDGES / 2);
    test_learned(api, judges, content, 0, &half, 0);
    api->service.settings.max_learned = 1 << 24;
}


/* A client leaves, and the store fails, while a page is read. */

static void
test_page_fails(t_api_t *api, const char *judge)
{
    size_t       i;
    t_call_t    *c, *left;
    judge_str_t  body;
    const char  *id;

    body = judge_str_printf(api->arena, "{\"name\":\"B\",\"judge_ids\":"
               "[\"%s\"],\"content_items\":[{\"name\":\"T\","
               "\"text_content\":\"A text.\"}]}", judge);
    c = t_send(api, "POST", "/batches/evaluate", body.data);
    id = t_text(c, "batch_id");
    for (i = 0; i < 20; i++) {
        t_tick(api, 50);
        t_run(api);
    }

    api->slow = true;
    c = listen_to(api, id, NULL);
    left = listen_to(api, id, NULL);
    t_leave(left);
    t_run(api);
    t_run(api);
    t_ok(c->ended && has_items(c, 1, 1),
         "a client gets its items though another one leaves");
    api->slow = false;

    body = judge_str_printf(api->arena, "%s", id);
    t_execute(api, "UPDATE batches SET last_seq = last_seq + 5");
    t_tick(api, 1000);
    api->fails = true;
    api->fail_kind = JUDGE_OP_BATCH_ITEMS;
    api->fail_rc = JUDGE_BUSY;
    c = listen_to(api, body.data, "1");
    t_run(api);
    t_ok(c->cut, "a stream is cut off where the store fails");
    api->fails = false;

    c = listen_to(api, body.data, "1");
    t_run(api);
    t_run(api);
    t_ok(c->ended && has_items(c, 1, 0), "items that are gone are waited for"
         " by nobody");
}


/* A batch of n texts that has ended. */

static const char *
ended_batch(t_api_t *api, const char *judge, size_t n)
{
    size_t       i;
    judge_buf_t  body;
    const char  *id;

    judge_buf_init(&body, api->arena);
    judge_buf_printf(&body, "{\"name\":\"B\",\"judge_ids\":[\"%s\"],"
                     "\"content_items\":[", judge);
    for (i = 0; i < n; i++) {
        judge_buf_printf(&body, "%s{\"name\":\"T\",\"text_content\":"
                         "\"Text %zu. It is short.\"}", i ? "," : "", i);
    }
    judge_buf_append(&body, "]}", 3);
    id = t_text(t_send(api, "POST", "/batches/evaluate", body.data),
                "batch_id");
    for (i = 0; i < 20; i++) {
        t_tick(api, 50);
        t_run(api);
    }

    return id;
}


static t_call_t *
heard(t_api_t *api, const char *id, const char *last)
{
    size_t     i;
    t_call_t  *c;

    c = listen_to(api, id, last);
    for (i = 0; i < 10; i++) {
        t_run(api);
    }

    return c;
}


/* Of those that were read, what was tried again since is sent by nobody. */

static void
test_retried(t_api_t *api, const char *judge)
{
    const char  *id;

    id = ended_batch(api, judge, 3);
    t_execute(api, t_format(api, "UPDATE evaluations SET status = 'failed'"
                  " WHERE batch_id = '%s'; UPDATE batches SET failed = 3,"
                  " completed = 0 WHERE id = '%s'", id, id));
    t_tick(api, 1000);
    t_ok(has_items(heard(api, id, NULL), 1, 3),
         "three evaluations that failed are heard");

    t_is_status(t_sendf(api, "POST", NULL, "/batches/%s/retry", id), 200,
                "all evaluations of the batch are tried again");
    (void) t_tick(api, 1000);
    t_run(api);
    t_ok(has_items(heard(api, id, NULL), 4, 6),
         "evaluations that were tried again are sent as they ended");
}


/* Another one, behind items that are gone, has ended since they were read. */

static void
test_empty_page(t_api_t *api, const char *judge)
{
    t_call_t    *c;
    judge_str_t  sent;
    const char  *id;

    id = ended_batch(api, judge, 65);
    t_execute(api, t_format(api, "UPDATE batches SET last_seq = 70,"
                  " completed = 64, total = 64 WHERE id = '%s'; UPDATE"
                  " evaluations SET batch_seq = NULL WHERE batch_id = '%s'"
                  " AND batch_seq = 65", id, id));
    t_tick(api, 1000);
    t_ok(has_items(heard(api, id, "64"), 1, 0),
         "a page of none is heard as such");

    t_execute(api, t_format(api, "UPDATE batches SET last_seq = 71,"
                  " completed = 65, total = 65 WHERE id = '%s'; UPDATE"
                  " evaluations SET batch_seq = 71 WHERE batch_id = '%s'"
                  " AND batch_seq IS NULL", id, id));
    t_tick(api, 1000);
    c = heard(api, id, NULL);
    sent = judge_str_dup(api->arena, judge_buf_view(&c->pieces));
    t_ok(c->ended && strstr(sent.data, "id: 71\nevent: item"),
         "what follows on an empty page is sent");
}


/* --- A worker dies ------------------------------------------------------- */

static int64_t
from_memory(t_api_t *api, const char *id)
{
    uint64_t  before;

    before = judge_metrics_get(api->service.metrics, JUDGE_METRIC_PROGRESS);
    t_leave(listen_to(api, id, NULL));
    t_leave(listen_to(api, id, NULL));

    return (int64_t) (judge_metrics_get(api->service.metrics,
                                        JUDGE_METRIC_PROGRESS) - before);
}


static bool
is_told(t_api_t *api, const char *id, int64_t total)
{
    t_call_t    *c;
    judge_str_t  sent;

    c = listen_to(api, id, NULL);
    sent = judge_str_dup(api->arena, judge_buf_view(&c->pieces));
    t_leave(c);

    return strstr(sent.data, t_format(api, "\"total_evaluations\":%lld,",
                                      (long long) total)) != NULL;
}


/* What it had committed and not announced is seen before the second is over
 * that a state is good for; what it held is taken from it. */

static void
test_death(t_api_t *api, const char *judge)
{
    int                status;
    pid_t              pid;
    size_t             size;
    const char        *id;
    judge_str_t        body;
    judge_progress_t  *zone, *own = api->service.progress;

    size = judge_progress_size(8);
    zone = mmap(NULL, size, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (zone == MAP_FAILED || !judge_progress_init(zone, 8)) {
        t_bail("no shared memory");
    }

    api->service.progress = zone;
    body = judge_str_printf(api->arena, "{\"name\":\"B\",\"judge_ids\":"
               "[\"%s\"],\"auto_start\":false,\"content_items\":[{\"name\":"
               "\"T\",\"text_content\":\"A text.\"}]}", judge);
    id = t_text(t_send(api, "POST", "/batches/evaluate", body.data),
                "batch_id");
    t_ok(from_memory(api, id) > 0,
         "the state of the batch stands in the zone");

    t_execute(api, "UPDATE batches SET total = 55");
    judge_waiters_all(&api->service);
    t_ok(is_told(api, id, 55), "the row is read anew");

    pid = fork();
    if (pid == 0) {                    /* its mutex comes first */
        _exit(pthread_mutex_lock((pthread_mutex_t *) zone) != 0);
    }
    t_ok(waitpid(pid, &status, 0) == pid && status == 0,
         "a process dies while it holds the zone's lock");
    t_execute(api, "UPDATE batches SET total = 66");
    t_tick(api, 2000);
    (void) from_memory(api, id);
    t_ok(from_memory(api, id) >= 2,
         "the zone goes on when a process has died in it");
    t_ok(is_told(api, id, 66),
         "the zone has what is true when a process has died in it");

    api->service.progress = own;
    (void) munmap(zone, size);
}


int
main(void)
{
    t_api_t     *api;
    const char  *judge;

    api = t_api_create();
    api->service.responses = judge_response_cache_create(1 << 20);
    judge = t_judge(api, "text");
    test_job(api, judge);
    test_shared(api, judge);
    test_bounds(api);
    test_page_fails(api, judge);
    test_retried(api, judge);
    test_empty_page(api, judge);
    test_death(api, judge);
    judge_response_cache_destroy(api->service.responses);
    t_api_destroy(api);

    return t_done();
}
