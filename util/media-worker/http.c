/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "http.h"


#define JUDGE_HTTP_CONNECT  10L  /* s */
#define JUDGE_HTTP_IDLE  60L  /* s without a byte */


/* An answer on its way. */
typedef struct {
    const judge_http_request_t  *request;
    judge_http_answer_t          *answer;
    CURL                    *easy;
} judge_http_run_t;


static bool judge_http_set(judge_http_t *client,
    judge_http_run_t *run, struct curl_slist **headers);
static bool judge_http_headers(const judge_http_request_t *request,
    struct curl_slist **headers);
static size_t judge_http_write(char *data, size_t size, size_t n,
    void *context);
static size_t judge_http_store(judge_http_run_t *run,
    const char *data,
    size_t len);
static CURLcode judge_http_run(judge_http_t *client,
    judge_http_answer_t *answer);
static void judge_http_read(judge_http_t *client,
    CURLcode code,
    judge_http_answer_t *answer);


bool
judge_http_init(judge_http_t *client)
{
    memset(client, 0, sizeof(judge_http_t));
    client->easy = curl_easy_init();
    client->multi = curl_multi_init();

    return client->easy && client->multi;
}


void
judge_http_free(judge_http_t *client)
{
    curl_easy_cleanup(client->easy);
    curl_multi_cleanup(client->multi);
    memset(client, 0, sizeof(judge_http_t));
}


judge_rc_e
judge_http_send(judge_http_t *client,
    const judge_http_request_t *request,
    judge_http_answer_t *answer)
{
    CURLcode                     code;
    judge_http_run_t   run = { request, answer, client->easy };
    struct curl_slist           *headers;

    memset(answer, 0, sizeof(judge_http_answer_t));
    judge_buf_init(&answer->body, NULL);
    headers = NULL;

    if (!judge_http_set(client, &run, &headers)) {
        answer->why = "out of memory";

    } else {
        code = judge_http_run(client, answer);
        judge_http_read(client, code, answer);
    }

    curl_easy_reset(client->easy);
    curl_slist_free_all(headers);

    return answer->why || answer->stopped ? JUDGE_ERROR : JUDGE_OK;
}


void
judge_http_answer_free(judge_http_answer_t *answer)
{
    judge_buf_free(&answer->body);
}


static bool
judge_http_set(judge_http_t *client,
    judge_http_run_t *run,
    struct curl_slist **headers)
{
    CURL                    *e = client->easy;
    const judge_http_request_t  *request = run->request;

    if (!judge_http_headers(request, headers)
        || curl_easy_setopt(e, CURLOPT_URL, request->url)
        || curl_easy_setopt(e, CURLOPT_CUSTOMREQUEST, request->method)
        || curl_easy_setopt(e, CURLOPT_HTTPHEADER, *headers)
        || curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, "http,https")
        || curl_easy_setopt(e, CURLOPT_FOLLOWLOCATION, 0L)
        || curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L)
        || curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT,
                            JUDGE_HTTP_CONNECT)
        || curl_easy_setopt(e, CURLOPT_TIMEOUT, (long) request->seconds)
        || curl_easy_setopt(e, CURLOPT_WRITEFUNCTION,
                            judge_http_write)
        || curl_easy_setopt(e, CURLOPT_WRITEDATA, run))
    {
        return false;
    }

    if (request->seconds == 0
        && (curl_easy_setopt(e, CURLOPT_LOW_SPEED_LIMIT, 1L)
            || curl_easy_setopt(e, CURLOPT_LOW_SPEED_TIME,
                                JUDGE_HTTP_IDLE)))
    {
        return false;
    }

    if (request->type == NULL) {
        return true;
    }

    return curl_easy_setopt(e, CURLOPT_POSTFIELDSIZE_LARGE,
                            (curl_off_t) request->body.len) == CURLE_OK
           && curl_easy_setopt(e, CURLOPT_POSTFIELDS, request->body.data)
              == CURLE_OK;
}


/* "Expect: 100-continue" would cost a second where the server ignores it. */

static bool
judge_http_headers(const judge_http_request_t *request,
    struct curl_slist **headers)
{
    char                type[100];
    size_t              i;
    struct curl_slist  *longer;
    const char         *lines[6] = { "User-Agent: judge-media-worker/"
                                     JUDGE_WORKER_VERSION, "Expect:" };

    snprintf(type, sizeof(type), "Content-Type: %s",
             request->type ? request->type : "");
    if (request->type) {
        lines[2] = type;
    }

    for (i = 0; i < 3 && request->headers[i]; i++) {
        lines[2 + (request->type != NULL) + i] = request->headers[i];
    }

    for (i = 0; i < 6 && lines[i]; i++) {
        longer = curl_slist_append(*headers, lines[i]);
        if (longer == NULL) {
            return false;
        }
        *headers = longer;
    }

    return true;
}


/* Fewer bytes than came: libcurl gives up. */

static size_t
judge_http_write(char *data, size_t size, size_t n, void *context)
{
    long                         status;
    size_t                       len;
    judge_http_run_t  *run = context;

    len = size * n;
    status = 0;
    curl_easy_getinfo(run->easy, CURLINFO_RESPONSE_CODE, &status);

    if (run->request->file >= 0 && status == 200) {
        return judge_http_store(run, data, len);
    }

    if (len > JUDGE_HTTP_ANSWER - run->answer->body.len) {
        return 0;
    }

    judge_buf_append(&run->answer->body, data, len);

    return run->answer->body.failed ? 0 : len;
}


static size_t
judge_http_store(judge_http_run_t *run, const char *data,
    size_t len)
{
    size_t   done;
    ssize_t  n;

    if (run->answer->bytes > run->request->most - (int64_t) len) {
        run->answer->too_large = true;
        return 0;
    }

    for (done = 0; done < len; done += (size_t) n) {
        n = write(run->request->file, data + done, len - done);

        if (n < 0 && errno == EINTR) {
            n = 0;
        }

        if (n < 0) {
            run->answer->disk = true;
            return 0;
        }
    }

    run->answer->bytes += (int64_t) len;

    return len;
}


static CURLcode
judge_http_run(judge_http_t *client,
    judge_http_answer_t *answer)
{
    int         running, left;
    CURLMsg    *message;
    CURLcode    code;

    if (curl_multi_add_handle(client->multi, client->easy) != CURLM_OK) {
        return CURLE_OUT_OF_MEMORY;
    }

    code = CURLE_ABORTED_BY_CALLBACK;

    for ( ;; ) {
        if (curl_multi_perform(client->multi, &running) != CURLM_OK) {
            code = CURLE_RECV_ERROR;
            break;
        }

        if (running == 0) {
            message = curl_multi_info_read(client->multi, &left);
            code = message && message->msg == CURLMSG_DONE
                   ? message->data.result : CURLE_RECV_ERROR;
            break;
        }

        if (client->tick && !client->tick(client->data)) {
            answer->stopped = true;
            break;
        }

        curl_multi_poll(client->multi, NULL, 0, JUDGE_HTTP_TICK,
                        NULL);
    }

    curl_multi_remove_handle(client->multi, client->easy);

    return code;
}


static void
judge_http_read(judge_http_t *client, CURLcode code,
    judge_http_answer_t *answer)
{
    long        status;
    curl_off_t  wait;

    status = 0;
    wait = 0;
    curl_easy_getinfo(client->easy, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(client->easy, CURLINFO_RETRY_AFTER, &wait);

    answer->attempt.has_retry_after = wait > 0;
    answer->attempt.retry_after = (judge_ms_t) (wait > 0 && wait < 86400
                                                ? wait : 0) * 1000;

    if (code == CURLE_OK) {
        answer->attempt.status = (int) status;
        return;
    }

    answer->attempt.timed_out = code == CURLE_OPERATION_TIMEDOUT;
    answer->why = curl_easy_strerror(code);
}


bool
judge_http_pause(judge_http_t *client, judge_ms_t wait)
{
    judge_ms_t       until, left;
    struct timespec  nap = { 0, 0 };

    until = judge_time_now() + wait;

    for ( ;; ) {
        if (client->tick && !client->tick(client->data)) {
            return false;
        }

        left = until - judge_time_now();
        if (left <= 0) {
            return true;
        }

        left = left < JUDGE_HTTP_TICK
                 ? left : JUDGE_HTTP_TICK;
        nap.tv_nsec = (long) left * 1000000;
        nanosleep(&nap, NULL);
    }
}
