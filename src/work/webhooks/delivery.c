/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "base/crypto/signature.h"
#include "base/net/retry.h"
#include "base/text/utf8.h"
#include "work/render/event_json.h"
#include "work/render/resource_json.h"
#include "work/webhooks/webhook.h"


#define JUDGE_DELIVERY_LEARNING  2000  /* ms until a retry if the judge's
                                          references are not read yet */
#define JUDGE_DELIVERY_PAUSE   1000  /* ms until a retry if memory is out */
#define JUDGE_DELIVERY_ROUTE   "webhooks"
#define JUDGE_DELIVERY_MAIL    "mail"
#define JUDGE_DELIVERY_AGENT   "judge-webhooks/1.0"
#define JUDGE_DELIVERY_LEAVE   600000  /* ms that Retry-After may block an
                                          address, at most */
#define JUDGE_DELIVERY_FILE    86400000  /* ms, validity of files' addresses */


judge_delivery_t *
judge_delivery_create(judge_service_t *service,
    const judge_delivery_row_t *row, const judge_webhook_end_t *from)
{
    judge_arena_t     *arena;
    judge_delivery_t  *d;

    arena = judge_arena_create(4096);
    d = arena ? judge_calloc(arena, sizeof(judge_delivery_t)) : NULL;
    if (d == NULL) {
        judge_arena_destroy(arena);
        return NULL;
    }

    d->service = service;
    d->arena = arena;
    d->row = *row;
    d->row.org = judge_str_dup(arena, row->org);
    d->row.id = judge_str_dup(arena, row->id);
    d->row.event_id = judge_str_dup(arena, row->event_id);
    d->row.type = judge_str_dup(arena, row->type);
    d->target = judge_str_dup(arena, from->target);

    if (d->row.org.data == NULL || d->row.id.data == NULL
        || d->row.event_id.data == NULL || d->row.type.data == NULL
        || (d->target.data == NULL && from->target.data))
    {
        judge_arena_destroy(arena);
        return NULL;
    }

    d->result.org = d->row.org;
    d->result.id = d->row.id;
    d->result.attempts = row->attempts;

    return d;
}


static void
judge_delivery_end(judge_delivery_t *d, judge_str_t error)
{
    d->result.status = JUDGE_STR("failed");
    d->result.attempted_at = judge_now(d->service);
    d->result.last_error = error;
    d->done(d);
}


static bool
judge_delivery_of_work(const judge_delivery_t *d)
{
    return judge_str_eq_c(d->row.type,
               judge_event_names[JUDGE_EVENT_EVALUATION_REQUESTED]);
}


/* Puts the delivery back as if it had not been claimed. */

static void
judge_delivery_back(judge_delivery_t *d)
{
    d->result.status = JUDGE_STR("pending");
    d->result.queue_at = judge_now(d->service);
    d->result.attempts--;
}


/* Makes the body of a work item; each attempt signs the file's address
 * anew. */

static judge_rc_e
judge_delivery_work(judge_delivery_t *d)
{
    judge_buf_t          buf;
    judge_str_t          base;
    judge_json_writer_t  w;

    base = d->service->settings.public_url;
    base = base.data ? base : d->row.base_url;

    judge_json_begin_object(&w, &buf, d->arena);
    judge_external_json(&w, d->service, base, d->row.org, d->row.work,
                        judge_now(d->service) + JUDGE_DELIVERY_FILE);
    d->row.data = judge_json_text(&w);

    return d->row.data.data ? JUDGE_OK : JUDGE_NOMEM;
}


/* Makes the body for the e-mail gateway: a letter about a job, and the
 * event. */

static judge_str_t
judge_delivery_letter(judge_delivery_t *d)
{
    bool                 failed;
    judge_buf_t          buf;
    judge_str_t          event, subject;
    judge_json_t        *job, *id, *part, *why;
    judge_json_writer_t  w;

    event = judge_event_body(d->arena, &d->row);
    if (event.data == NULL
        || judge_json_parse(d->arena, d->row.data, &job, NULL) != JUDGE_OK)
    {
        return (judge_str_t) { 0, NULL };
    }

    failed = judge_str_eq_c(d->row.type,
                            judge_event_names[JUDGE_EVENT_TRAINING_FAILED]);
    id = judge_json_get(job, "job_id");
    part = judge_json_get(job, failed ? "error_info" : "results");
    why = part ? judge_json_get(part, failed ? "error_message"
                                             : "deployment_reason") : NULL;
    subject = judge_str_printf(d->arena, "The training job %.*s has %s",
                               id ? (int) id->string.len : 0,
                               id ? id->string.data : "",
                               failed ? "failed" : "completed");
    if (subject.data == NULL) {
        return subject;
    }

    judge_json_begin_object(&w, &buf, d->arena);
    judge_json_put_str(&w, "to",
                       judge_str_from(d->target,
                                      sizeof(JUDGE_DELIVERY_MAILTO) - 1));
    judge_json_put_str(&w, "subject", subject);
    judge_json_put_str(&w, "text", why ? why->string : subject);
    judge_json_put_raw(&w, "event", event);

    return judge_json_text(&w);
}


/* An answer that is too large has a status, too. */

static bool
judge_delivery_has_status(const judge_call_t *call)
{
    return call->outcome == JUDGE_CALL_OK
           || call->outcome == JUDGE_CALL_TOO_LARGE;
}


/* Copies an answer as UTF-8; invalid bytes become question marks. */

static judge_str_t
judge_delivery_text(judge_arena_t *arena, judge_str_t s)
{
    char    *p;
    size_t   i, end;

    s = judge_str_dup(arena, s);
    p = (char *) s.data;

    for (i = 0; i < s.len; i++) {
        end = i + judge_utf8_check((judge_str_t) { s.len - i, p + i });
        for ( /* void */ ; i < end; i++) {
            p[i] = p[i] ? p[i] : '?';
        }
        if (i < s.len) {
            p[i] = '?';
        }
    }

    return s;
}


/* Decides whether a failed delivery is retried: not if a retry can't help, nor
 * if it is a test, because its sender wants to know the present state. */

static void
judge_delivery_failed(judge_delivery_t *d)
{
    judge_ms_t        now, wait;
    judge_call_t     *call = &d->call;
    judge_attempt_t   attempt = { 0 };

    now = judge_now(d->service);
    attempt.status = judge_delivery_has_status(call) ? call->status : 0;
    attempt.timed_out = call->outcome == JUDGE_CALL_TIMEOUT;
    attempt.has_retry_after = attempt.status && call->retry_after.data
                              && judge_retry_after_parse(call->retry_after,
                                                         now,
                                                         &attempt.retry_after)
                                 == JUDGE_OK;

    if (call->outcome == JUDGE_CALL_INVALID || attempt.status == 410
        || judge_str_eq_c(d->row.type,
                          judge_event_names[JUDGE_EVENT_WEBHOOK_TEST]))
    {
        wait = -1;
    } else {
        wait = judge_retry_delivery((unsigned) d->result.attempts, &attempt,
                                    judge_service_random());
    }

    d->tried = true;
    d->answered = attempt.status >= 300 && attempt.status < 500
                  && attempt.status != 408 && attempt.status != 429
                  ? JUDGE_ANSWERED : JUDGE_ANSWERED_BADLY;
    if (attempt.has_retry_after && attempt.retry_after) {
        d->leave_until = now + (attempt.retry_after < JUDGE_DELIVERY_LEAVE
                                ? attempt.retry_after
                                : JUDGE_DELIVERY_LEAVE);
    }

    d->result.status = wait < 0 ? JUDGE_STR("failed") : JUDGE_STR("pending");
    d->result.queue_at = wait < 0 ? 0 : now + wait;
    d->result.attempted_at = now;
    d->result.last_status = attempt.status;
    d->result.answer = judge_delivery_text(d->arena, call->answer);
    d->result.last_error = attempt.status
        ? judge_str_printf(d->arena, "it answered %d", attempt.status)
        : judge_str_c(judge_call_outcome(call->outcome));

    if (attempt.status == 410 && d->row.url.len == 0) {
        d->result.gone = d->target;
    }
}


static void
judge_delivery_called(judge_call_t *call)
{
    judge_delivery_t  *d = call->data;

    if (call->outcome == JUDGE_CALL_STOPPED) {
        judge_delivery_back(d);

    } else if (judge_delivery_has_status(call) && call->status >= 200
               && call->status < 300)
    {
        d->tried = true;
        d->answered = JUDGE_ANSWERED_WELL;
        d->result.status = JUDGE_STR("delivered");
        d->result.attempted_at = judge_now(d->service);
        d->result.delivered_at = d->result.attempted_at;
        d->result.last_status = call->status;

    } else {
        judge_delivery_failed(d);
    }

    d->done(d);
}


/* Signs with all secrets, but for former ones that can't be decoded. */

static judge_rc_e
judge_delivery_sign(judge_delivery_t *d, const judge_webhook_end_t *from,
    judge_str_t body, judge_signature_t *signature)
{
    size_t       i, n;
    judge_ms_t   seconds;
    judge_rc_e   rc;
    judge_str_t  secrets[1 + JUDGE_FORMER_SECRETS];

    seconds = judge_now(d->service) / 1000;

    for (i = 0, n = 0; i < from->nsecrets; i++) {
        secrets[n] = from->secrets[i];
        rc = judge_signature_make(d->arena, secrets + n, 1, d->row.event_id,
                                  seconds, body, signature);
        if (rc == JUDGE_OK) {
            n++;
        } else if (rc != JUDGE_INVALID || i == 0) {
            return rc;
        }
    }

    return n == 1 && from->nsecrets == 1
           ? JUDGE_OK
           : judge_signature_make(d->arena, secrets, n, d->row.event_id,
                                  seconds, body, signature);
}


static judge_rc_e
judge_delivery_prepare(judge_delivery_t *d, const judge_webhook_end_t *from)
{
    bool               mail;
    judge_rc_e         rc;
    judge_str_t        body, hex;
    judge_signature_t  signature;

    if (judge_delivery_of_work(d) && judge_delivery_work(d) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    mail = judge_str_starts(d->target, JUDGE_STR(JUDGE_DELIVERY_MAILTO));
    body = mail ? judge_delivery_letter(d)
                : judge_event_body(d->arena, &d->row);
    hex = judge_signature_hex(d->arena, from->secrets[0], body);
    if (body.data == NULL || hex.data == NULL) {
        return JUDGE_NOMEM;
    }

    rc = judge_delivery_sign(d, from, body, &signature);
    if (rc != JUDGE_OK) {
        return rc;
    }

    d->row.data = (judge_str_t) { 0, NULL };
    d->row.work = NULL;
    memcpy(d->headers, (judge_call_header_t[JUDGE_DELIVERY_HEADERS]) {
               { "Content-Type", JUDGE_STR("application/json") },
               { "User-Agent", JUDGE_STR(JUDGE_DELIVERY_AGENT) },
               { "X-Webhook-Signature", hex },
               { "webhook-id", signature.id },
               { "webhook-timestamp", signature.timestamp },
               { "webhook-signature", signature.signature }
           }, sizeof(d->headers));

    d->call = (judge_call_t) {
        .route = judge_str_c(mail ? JUDGE_DELIVERY_MAIL
                                  : JUDGE_DELIVERY_ROUTE),
        .url = d->target,
        .headers = d->headers,
        .nheaders = JUDGE_DELIVERY_HEADERS,
        .body = body,
        .max_answer = JUDGE_DELIVERY_ANSWER,
        .timeout = mail ? d->service->settings.mail_timeout
                        : d->service->settings.webhook_timeout,
        .arena = d->arena,
        .done = judge_delivery_called,
        .data = d
    };

    return JUDGE_OK;
}


void
judge_delivery_start(judge_delivery_t *d, const judge_webhook_end_t *from)
{
    if (d->target.data == NULL) {
        judge_delivery_end(d, JUDGE_STR("webhooks are turned off, or have no"
                                        " url"));
        return;
    }

    if (judge_delivery_of_work(d) && d->row.work == NULL) {
        judge_delivery_end(d, JUDGE_STR("the evaluation has ended, or was"
                                        " deleted"));
        return;
    }

    if (judge_delivery_of_work(d) && d->row.work->learning) {
        judge_delivery_back(d);
        d->result.queue_at += JUDGE_DELIVERY_LEARNING;
        d->done(d);
        return;
    }

    switch (judge_delivery_prepare(d, from)) {

    case JUDGE_OK:
        d->service->call(d->service->network, &d->call);
        return;

    case JUDGE_INVALID:
        judge_delivery_end(d, JUDGE_STR("the secret can't be used to sign"));
        return;

    default:
        judge_delivery_back(d);
        d->result.queue_at += JUDGE_DELIVERY_PAUSE;
        d->done(d);
        return;
    }
}
