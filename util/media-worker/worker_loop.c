/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * One evaluation after the other: claim, download, measure, score, ask the
 * model, keep key frames, report.  The steps stand in the order they run.
 */


#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/crypto/crypto.h"
#include "client.h"
#include "vision_llm.h"
#include "measure_process.h"
#include "report.h"
#include "worker.h"


#define JUDGE_WORKER_LOOP_ARENA  16384
#define JUDGE_WORKER_LOOP_DOWNLOADS  3  /* attempts */
#define JUDGE_WORKER_LOOP_UPLOADS  3   /* of a key frame */
#define JUDGE_WORKER_LOOP_DELAY  60    /* s until a trouble of this machine
                                          may be over */
#define JUDGE_WORKER_LOOP_EMPTY  500   /* ms; an empty answer that comes
                                          quicker is not from waiting */


/* What follows a step. */
typedef enum {
    JUDGE_STEP_NEXT,
    JUDGE_STEP_FAILED,                 /* the evaluation: code, message */
    JUDGE_STEP_RELEASE,                /* for `delay` s: the failure is this
                                          worker's */
    JUDGE_STEP_ABANDON                 /* until the lease ends, so that the
                                          attempt counts */
} judge_step_e;

typedef struct {
    const judge_worker_conf_t  *conf;
    int                         number;
    volatile const int         *stop;
    judge_client_t              client;
    judge_measure_process_t     measurer;
    judge_vision_llm_t          llm;
    judge_ms_t                  heartbeat_at;
    judge_media_job_t          *job;   /* NULL: none is held */
    bool                        lost;          /* to another worker */
    judge_client_answer_t       answer;        /* the last one */

    /* Of the job. */
    judge_arena_t              *arena;
    int                         fd;
    int64_t                     bytes; /* of the file */
    bool                        measuring;
    int                         percent;       /* done */
    judge_measured_t            measured;
    judge_verdict_t             verdict;
    judge_str_t                 source;        /* absent: measured only */
    judge_ms_t                  began;
    const char                 *code;
    const char                 *message;
    int                         delay;
} judge_worker_loop_t;


static bool judge_worker_loop_tick(void *data);
static bool judge_worker_loop_heartbeat(judge_worker_loop_t *s,
    judge_ms_t now);
static int judge_worker_loop_percent(judge_worker_loop_t *s);
static void judge_worker_loop_claim(judge_worker_loop_t *s,
    unsigned *failures);
static void judge_worker_loop_claim_failed(judge_worker_loop_t *s,
    judge_client_e outcome, unsigned *failures);
static void judge_worker_loop_evaluate(judge_worker_loop_t *s);
static judge_step_e judge_worker_loop_fetch(judge_worker_loop_t *s);
static judge_step_e judge_worker_loop_open(judge_worker_loop_t *s);
static judge_step_e judge_worker_loop_download(judge_worker_loop_t *s);
static judge_step_e judge_worker_loop_downloaded(judge_worker_loop_t *s,
    const judge_http_answer_t *answer, bool *again);
static judge_step_e judge_worker_loop_measure(judge_worker_loop_t *s);
static judge_step_e judge_worker_loop_score(judge_worker_loop_t *s);
static judge_step_e judge_worker_loop_vision(judge_worker_loop_t *s);
static judge_step_e judge_worker_loop_keyframes(judge_worker_loop_t *s);
static void judge_worker_loop_finish(judge_worker_loop_t *s,
    judge_step_e step);
static judge_client_e judge_worker_loop_send_report(judge_worker_loop_t *s,
    judge_str_t report);
static void judge_worker_loop_report_completed(judge_worker_loop_t *s);
static void judge_worker_loop_report_failed(judge_worker_loop_t *s);
static void judge_worker_loop_log_report(judge_worker_loop_t *s,
    judge_client_e outcome, const char *what);
static void judge_worker_loop_release(judge_worker_loop_t *s, int delay,
    const char *why);
static judge_step_e judge_worker_loop_fail(judge_worker_loop_t *s,
    const char *code,
    const char *message);
static judge_ms_t judge_worker_loop_backoff(unsigned failures,
    const judge_attempt_t *attempt);
static double judge_worker_loop_seconds(const judge_worker_loop_t *s);


int
judge_worker_loop_run(const judge_worker_conf_t *conf, int number,
    volatile const int *stop)
{
    unsigned             failures;
    judge_worker_loop_t  s;

    memset(&s, 0, sizeof(judge_worker_loop_t));
    s.conf = conf;
    s.number = number;
    s.stop = stop;
    s.fd = -1;
    failures = 0;

    if (!judge_client_init(&s.client, conf, judge_worker_loop_tick, &s)
        || !judge_vision_llm_init(&s.llm, conf, &s.client.http))
    {
        return 1;
    }

    while (!*stop) {
        judge_worker_loop_claim(&s, &failures);
    }

    judge_measure_process_stop(&s.measurer);
    judge_vision_llm_free(&s.llm);
    judge_client_free(&s.client);

    return 0;
}


/* Called while a step waits: whether to go on. */

static bool
judge_worker_loop_tick(void *data)
{
    judge_ms_t            now;
    judge_worker_loop_t  *s = data;

    if (*s->stop || s->lost) {
        return false;
    }

    if (s->job == NULL) {
        return true;
    }

    now = judge_time_now();

    return now < s->heartbeat_at || judge_worker_loop_heartbeat(s, now);
}


/* The service may be down for as long as the lease lasts. */

static bool
judge_worker_loop_heartbeat(judge_worker_loop_t *s, judge_ms_t now)
{
    judge_ms_t           part;
    judge_client_e         outcome;
    judge_client_answer_t  answer;

    part = 1000 * (judge_ms_t) s->conf->lease / 3;
    outcome = judge_client_prolong(&s->client, s->job,
                                   judge_worker_loop_percent(s), &answer);
    s->lost = outcome == JUDGE_CLIENT_GONE || outcome == JUDGE_CLIENT_REFUSED
              || (outcome != JUDGE_CLIENT_OK && now >= s->job->until);
    s->heartbeat_at = now + (outcome == JUDGE_CLIENT_OK ? part : part / 4);

    return !s->lost;
}


/* How far the file was read, by the offset that the measuring process moves;
 * a tenth is for the download, and a tenth for the steps after it. */

static int
judge_worker_loop_percent(judge_worker_loop_t *s)
{
    off_t  at;

    at = s->measuring ? lseek(s->fd, 0, SEEK_CUR) : 0;

    if (at > 0 && s->bytes > 0) {
        at = at < s->bytes ? at : s->bytes;
        s->percent = 10 + (int) (80 * (double) at / (double) s->bytes);
    }

    return s->percent;
}


/* --- Claiming ------------------------------------------------------------ */

static void
judge_worker_loop_claim(judge_worker_loop_t *s, unsigned *failures)
{
    judge_ms_t         began;
    judge_client_e       outcome;
    judge_media_job_t  job;

    s->arena = judge_arena_create(JUDGE_WORKER_LOOP_ARENA);
    if (s->arena == NULL) {
        judge_http_pause(&s->client.http,
                         JUDGE_WORKER_LOOP_DELAY * 1000);
        return;
    }

    began = judge_time_now();
    outcome = judge_client_claim(&s->client, s->arena, &job, &s->answer);

    if (outcome == JUDGE_CLIENT_OK) {
        s->job = &job;
        s->lost = false;
        s->began = judge_time_now();
        s->heartbeat_at = s->began + 1000 * (judge_ms_t) s->conf->lease / 3;
        judge_worker_loop_evaluate(s);
        s->job = NULL;
        *failures = 0;

    } else if (outcome != JUDGE_CLIENT_NONE
               && outcome != JUDGE_CLIENT_STOPPED)
    {
        judge_worker_loop_claim_failed(s, outcome, failures);

    } else if (judge_time_now() - began < JUDGE_WORKER_LOOP_EMPTY) {
        judge_http_pause(&s->client.http, JUDGE_WORKER_LOOP_EMPTY);
    }

    if (outcome == JUDGE_CLIENT_NONE) {
        *failures = 0;
    }

    judge_arena_destroy(s->arena);
    s->arena = NULL;
    s->lost = false;
}


/* Logged at the first failure, and at every 60th. */

static void
judge_worker_loop_claim_failed(judge_worker_loop_t *s, judge_client_e outcome,
    unsigned *failures)
{
    ++*failures;

    if (*failures == 1 || *failures % 60 == 0) {
        judge_worker_log(s->number, "can't claim work: %s%s", s->answer.why,
                         outcome == JUDGE_CLIENT_DENIED
                         ? "; see JUDGE_URL and JUDGE_API_KEY" : "");
    }

    judge_http_pause(&s->client.http,
                     judge_worker_loop_backoff(*failures,
                                               &s->answer.attempt));
}


/* --- One evaluation ------------------------------------------------------ */

static void
judge_worker_loop_evaluate(judge_worker_loop_t *s)
{
    judge_step_e  step;

    memset(&s->measured, 0, sizeof(judge_measured_t));
    s->message = "";
    s->source = (judge_str_t) { 0, NULL };
    s->percent = 0;
    s->delay = JUDGE_WORKER_LOOP_DELAY;

    step = judge_worker_loop_fetch(s);
    if (step == JUDGE_STEP_NEXT) {
        step = judge_worker_loop_measure(s);
    }

    if (s->fd >= 0) {
        close(s->fd);
        s->fd = -1;
    }

    if (step == JUDGE_STEP_NEXT) {
        step = judge_worker_loop_score(s);
    }

    if (step == JUDGE_STEP_NEXT) {
        step = judge_worker_loop_keyframes(s);
    }

    judge_worker_loop_finish(s, step);
    judge_measured_free(&s->measured);
}


static judge_step_e
judge_worker_loop_fetch(judge_worker_loop_t *s)
{
    judge_step_e        step;
    judge_media_job_t  *e = s->job;

    if (e->kind == 0 || e->download == NULL) {
        return judge_worker_loop_fail(s, "NO_FILE", "there is no file that"
                                      " this worker could look at");
    }

    if (!judge_worker_conf_allows(s->conf, e->download)
        || !judge_worker_conf_allows(s->conf, e->callback))
    {
        s->message = "an address of another origin than JUDGE_URL and"
                     " JUDGE_ORIGINS";
        s->delay = JUDGE_WORKER_LOOP_DELAY;
        return JUDGE_STEP_RELEASE;
    }

    if (e->size > s->conf->bytes) {
        return judge_worker_loop_fail(s, "FILE_TOO_LARGE", "the file has"
                                      " more bytes than the worker takes");
    }

    step = judge_worker_loop_open(s);

    return step == JUDGE_STEP_NEXT ? judge_worker_loop_download(s) : step;
}


/* A file without a name: it goes with its last descriptor. */

static judge_step_e
judge_worker_loop_open(judge_worker_loop_t *s)
{
    char  path[4096];

    s->fd = open(s->conf->temp, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL,
                 0600);

    if (s->fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) {
        snprintf(path, sizeof(path), "%s/media-XXXXXX", s->conf->temp);
        s->fd = mkostemp(path, O_CLOEXEC);
        if (s->fd >= 0) {
            unlink(path);
        }
    }

    if (s->fd < 0) {
        s->message = "can't make a file in JUDGE_TEMP";
        s->delay = JUDGE_WORKER_LOOP_DELAY;
        return JUDGE_STEP_RELEASE;
    }

    return JUDGE_STEP_NEXT;
}


static judge_step_e
judge_worker_loop_download(judge_worker_loop_t *s)
{
    bool                    again;
    unsigned                n;
    judge_step_e            step;
    judge_http_answer_t          answer;
    const judge_http_request_t  request = { .method = "GET",
                                    .url = s->job->download,
                               .file = s->fd, .most = s->conf->bytes };

    for (n = 1; /* void */; n++) {
        judge_http_send(&s->client.http, &request, &answer);
        again = false;
        step = judge_worker_loop_downloaded(s, &answer, &again);
        judge_http_answer_free(&answer);

        if (!again || n == JUDGE_WORKER_LOOP_DOWNLOADS) {
            return step;
        }

        if (!judge_http_pause(&s->client.http,
                              judge_worker_loop_backoff(n, &answer.attempt))
            || ftruncate(s->fd, 0) != 0 || lseek(s->fd, 0, SEEK_SET) != 0)
        {
            return JUDGE_STEP_RELEASE;
        }
    }
}


/* Addresses expire: after a refusal the next claim brings another one. */

static judge_step_e
judge_worker_loop_downloaded(judge_worker_loop_t *s,
    const judge_http_answer_t *answer, bool *again)
{
    int  status = answer->attempt.status;

    if (answer->stopped) {
        return JUDGE_STEP_RELEASE;
    }

    if (answer->too_large) {
        return judge_worker_loop_fail(s, "FILE_TOO_LARGE", "the file has"
                                      " more bytes than the worker takes");
    }

    if (answer->disk) {
        s->message = "there is no room in JUDGE_TEMP";
        s->delay = JUDGE_WORKER_LOOP_DELAY;
        return JUDGE_STEP_RELEASE;
    }

    if (status == 200
        && (s->job->size < 0 || answer->bytes == s->job->size))
    {
        s->bytes = answer->bytes;
        return JUDGE_STEP_NEXT;
    }

    if (status == 404 || status == 410) {
        return judge_worker_loop_fail(s, "FILE_GONE", "the file is no longer"
                                      " there");
    }

    *again = status == 200 || judge_attempt_is_transient(&answer->attempt);
    s->message = answer->why ? answer->why
                 : status == 200 ? "the file comes with another size"
                 : status < 400 ? "the download is redirected"
                 : "the download is refused";

    return JUDGE_STEP_ABANDON;
}


static judge_step_e
judge_worker_loop_measure(judge_worker_loop_t *s)
{
    judge_measure_code_e  code;

    if (lseek(s->fd, 0, SEEK_SET) != 0) {
        s->message = "the file in JUDGE_TEMP can't be read";
        return JUDGE_STEP_RELEASE;
    }

    s->percent = 10;
    s->measuring = true;
    judge_measure_process_measure(&s->measurer, s->fd, s->job->kind,
                                  &s->conf->limits, judge_worker_loop_tick, s,
                                  &s->measured);
    s->measuring = false;
    s->percent = 90;
    code = s->measured.report.code;

    if (code == JUDGE_MEASURE_OK) {
        return JUDGE_STEP_NEXT;
    }

    if (*s->stop || s->lost) {
        return JUDGE_STEP_RELEASE;
    }

    /* Not the file's fault, or the machine is out of memory.  Attempts are
     * counted, so that it ends. */
    if (code == JUDGE_MEASURE_INTERNAL || code == JUDGE_MEASURE_KILLED) {
        s->message = judge_measure_sentence(code);
        return JUDGE_STEP_ABANDON;
    }

    return judge_worker_loop_fail(s, judge_measure_code(code),
                                  judge_measure_sentence(code));
}


static judge_step_e
judge_worker_loop_score(judge_worker_loop_t *s)
{
    judge_step_e  step;

    if (judge_media_score(&s->measured.report.media, &s->job->rubric,
                          s->arena, &s->verdict) != JUDGE_OK)
    {
        s->message = "out of memory";
        return JUDGE_STEP_ABANDON;
    }

    step = JUDGE_STEP_NEXT;
    if (*s->conf->model_url && s->measured.report.nframes) {
        step = judge_worker_loop_vision(s);
    }

    if (step == JUDGE_STEP_NEXT && isnan(s->verdict.overall)) {
        return judge_worker_loop_fail(s, "NOT_MEASURABLE", "none of the"
                                      " judge's criteria is about something"
                                      " that is measured in such a file");
    }

    return step;
}


/* Without the model the result is what was measured, with a note; where
 * nothing was measured, the evaluation is tried again. */

static judge_step_e
judge_worker_loop_vision(judge_worker_loop_t *s)
{
    uint32_t                          i;
    judge_str_t                       jpegs[JUDGE_MEASURE_FRAMES], why;
    judge_vision_llm_e                outcome;
    judge_verdict_t                   seen;
    const judge_measure_report_t     *r = &s->measured.report;
    const judge_vision_llm_frames_t   frames = { jpegs, r->nframes };

    for (i = 0; i < r->nframes; i++) {
        jpegs[i] = (judge_str_t) { r->frame_sizes[i],
                                   (const char *) s->measured.frames[i] };
    }

    outcome = judge_vision_llm_ask(&s->llm, s->arena, &s->job->rubric,
                                   &frames,
                                   &seen, &why);

    if (outcome == JUDGE_VISION_LLM_STOPPED) {
        return JUDGE_STEP_RELEASE;
    }

    if (outcome == JUDGE_VISION_LLM_OK) {
        s->source = judge_str_printf(s->arena, "media-worker "
                                     JUDGE_WORKER_VERSION " + %s",
                                     s->conf->model);
        s->message = "out of memory";
        return judge_vision_llm_combine(s->arena, &s->job->rubric,
                                        s->conf->model_share, &seen,
                                        &s->verdict)
               == JUDGE_OK ? JUDGE_STEP_NEXT : JUDGE_STEP_ABANDON;
    }

    judge_worker_log(s->number, "%.*s: without the model: %.*s",
                     (int) s->job->id.len, s->job->id.data,
                     (int) why.len, why.data ? why.data : "");

    if (isnan(s->verdict.overall) && outcome == JUDGE_VISION_LLM_DOWN) {
        s->message = "the model can't be had";
        return JUDGE_STEP_ABANDON;
    }

    s->verdict.summary = judge_str_printf(s->arena, "%.*s The model could not"
                                          " be asked.",
                                          (int) s->verdict.summary.len,
                                          s->verdict.summary.data);

    return JUDGE_STEP_NEXT;
}


/* Key frames are optional: a failure here does not fail the evaluation. */

static judge_step_e
judge_worker_loop_keyframes(judge_worker_loop_t *s)
{
    unsigned                       i, n;
    judge_str_t                    jpeg;
    judge_client_e                   outcome;
    const judge_measure_report_t  *r = &s->measured.report;

    for (i = 0; i < r->nframes; i++) {
        jpeg = (judge_str_t) { r->frame_sizes[i],
                               (const char *) s->measured.frames[i] };
        n = 0;

        do {
            outcome = judge_client_keyframe(&s->client, s->job, i,
                                            r->frame_times[i], jpeg,
                                            &s->answer);
            n++;
        } while (outcome == JUDGE_CLIENT_DOWN && n < JUDGE_WORKER_LOOP_UPLOADS
                 && judge_http_pause(&s->client.http,
                                     judge_worker_loop_backoff(
                                                   n, &s->answer.attempt)));

        if (outcome == JUDGE_CLIENT_GONE || s->lost) {
            s->lost = true;
            return JUDGE_STEP_RELEASE;
        }

        if (*s->stop) {
            return JUDGE_STEP_RELEASE;
        }

        if (outcome != JUDGE_CLIENT_OK) {
            judge_worker_log(s->number, "%.*s: a key frame is not taken: %s",
                             (int) s->job->id.len, s->job->id.data,
                             s->answer.why);
            break;
        }
    }

    return JUDGE_STEP_NEXT;
}


/* --- The report ---------------------------------------------------------- */

static void
judge_worker_loop_finish(judge_worker_loop_t *s, judge_step_e step)
{
    const judge_str_t  id = s->job->id;

    if (s->lost) {
        judge_worker_log(s->number, "%.*s: it has ended, or another worker"
                         " has it", (int) id.len, id.data);
        return;
    }

    switch (step) {

    case JUDGE_STEP_NEXT:
        judge_worker_loop_report_completed(s);
        return;

    case JUDGE_STEP_FAILED:
        judge_worker_loop_report_failed(s);
        return;

    case JUDGE_STEP_RELEASE:
        if (*s->stop) {
            judge_worker_loop_release(s, 0, "the worker ends");
        } else {
            judge_worker_loop_release(s, s->delay, s->message);
        }
        return;

    case JUDGE_STEP_ABANDON:
        judge_worker_log(s->number, "%.*s: left to its lease: %s",
                         (int) id.len, id.data, s->message);
        return;
    }
}


static void
judge_worker_loop_report_completed(judge_worker_loop_t *s)
{
    char            what[64];
    judge_str_t     body;
    judge_client_e    outcome;
    judge_report_t  report = { .media = &s->measured.report.media,
                               .seconds = judge_worker_loop_seconds(s),
                               .source = s->source };

    body = judge_report_completed(s->arena, s->job, &s->verdict, &report);
    outcome = body.data ? judge_worker_loop_send_report(s, body)
                        : JUDGE_CLIENT_DOWN;

    if (outcome == JUDGE_CLIENT_REFUSED) {
        judge_worker_log(s->number, "%.*s: the report is not taken: %s",
                         (int) s->job->id.len, s->job->id.data,
                         s->answer.why);
        judge_worker_loop_fail(s, "REPORT_REFUSED",
                               "the service does not take the"
                               " worker's report");
        judge_worker_loop_report_failed(s);
        return;
    }

    snprintf(what, sizeof(what), "completed %.4g", s->verdict.overall);
    judge_worker_loop_log_report(s, outcome, what);
}


static void
judge_worker_loop_report_failed(judge_worker_loop_t *s)
{
    char         what[96];
    judge_str_t  body;

    body = judge_report_failed(s->arena, s->job, s->code, s->message);
    snprintf(what, sizeof(what), "failed %s", s->code);
    judge_worker_loop_log_report(s, body.data
                                 ? judge_worker_loop_send_report(s, body)
                                 : JUDGE_CLIENT_DOWN, what);
}


/* Repeated while the service can't be reached and the lease lasts. */

static judge_client_e
judge_worker_loop_send_report(judge_worker_loop_t *s, judge_str_t report)
{
    unsigned      n;
    judge_client_e  outcome;

    for (n = 1; /* void */; n++) {
        outcome = judge_client_report(&s->client, s->job, report,
                                      &s->answer);

        if (outcome != JUDGE_CLIENT_DOWN || n == (unsigned) s->conf->tries) {
            return outcome;
        }

        if (!judge_http_pause(&s->client.http,
                              judge_worker_loop_backoff(
                                            n, &s->answer.attempt)))
        {
            return s->lost ? JUDGE_CLIENT_GONE : JUDGE_CLIENT_STOPPED;
        }
    }
}


static void
judge_worker_loop_log_report(judge_worker_loop_t *s, judge_client_e outcome,
    const char *what)
{
    const judge_media_job_t  *e = s->job;

    switch (outcome) {

    case JUDGE_CLIENT_OK:
        judge_worker_log(s->number, "%.*s: %.*s %s, %.1f s",
                         (int) e->id.len, e->id.data, (int) e->type.len,
                         e->type.data, what, judge_worker_loop_seconds(s));
        return;

    case JUDGE_CLIENT_GONE:
        judge_worker_log(s->number, "%.*s: it has ended otherwise, or another"
                         " worker has it", (int) e->id.len, e->id.data);
        return;

    case JUDGE_CLIENT_STOPPED:
        judge_worker_loop_release(s, 0, "the worker ends");
        return;

    case JUDGE_CLIENT_DENIED:
        judge_worker_loop_release(s, JUDGE_WORKER_LOOP_DELAY,
                                  "the report is refused; see"
                                  " JUDGE_WEBHOOK_SECRET");
        return;

    default:
        judge_worker_log(s->number, "%.*s: the report can't be brought: %s",
                         (int) e->id.len, e->id.data, s->answer.why);
        return;
    }
}


static void
judge_worker_loop_release(judge_worker_loop_t *s, int delay, const char *why)
{
    judge_client_e             outcome;
    const judge_media_job_t *e = s->job;

    outcome = judge_client_release(&s->client, e, delay, why, &s->answer);
    judge_worker_log(s->number, "%.*s: %s: %s", (int) e->id.len, e->id.data,
                     outcome == JUDGE_CLIENT_OK ? "given back"
                                                 : "left to its lease", why);
}


static judge_step_e
judge_worker_loop_fail(judge_worker_loop_t *s, const char *code,
    const char *message)
{
    s->code = code;
    s->message = message;

    return JUDGE_STEP_FAILED;
}


static judge_ms_t
judge_worker_loop_backoff(unsigned failures, const judge_attempt_t *attempt)
{
    uint32_t             random;
    const judge_retry_t  backoff = { 500, 30000 };

    if (judge_random(&random, sizeof(random)) != JUDGE_OK) {
        random = 0;
    }

    return judge_retry_exponential(&backoff, failures, attempt, random);
}


static double
judge_worker_loop_seconds(const judge_worker_loop_t *s)
{
    return (double) (judge_time_now() - s->began) / 1000;
}
