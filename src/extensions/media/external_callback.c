/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Results of external workers.  A worker signs the body with the secret of the
 * organization.  An unknown evaluation and a wrong signature get the same
 * answer, so that nobody can probe for identifiers. */


#include <string.h>

#include "base/crypto/signature.h"
#include "store/packing/packing.h"
#include "store/store_external.h"
#include "work/evaluation/waiters.h"
#include "extensions/media/extension_media.h"


#define JUDGE_EXTERNAL_VALUES  20000   /* of a report, which has to be parsed
                                          before its signature is checked */


typedef struct {
    judge_buf_t               raw;     /* the bytes of the body, which are
                                          signed */
    judge_json_t             *report;
    judge_rc_e                rc;      /* outcome of the thread */
    judge_str_t               error;
    bool                      verified;
    judge_calibrator_entry_t *learned;  /* holds a reference; or NULL */
    judge_ms_t                now;
    judge_result_t            result;
    judge_callback_find_t     find;
    judge_callback_finish_t   finish;
    bool                      is_progress;       /* not a result */
    judge_work_prolong_t      progress;
} judge_external_callback_t;


static void judge_external_callback_found(judge_req_t *r);


/* A body without a signature is not buffered; the handler refuses it. */

static void
judge_external_callback_piece(judge_req_t *r, const char *data, size_t len)
{
    judge_external_callback_t  *c = r->ctx;

    if (r->headers[JUDGE_HEADER_X_WEBHOOK_SIGNATURE].data == NULL) {
        return;
    }

    if (c->raw.arena == NULL) {
        judge_buf_init(&c->raw, r->arena);
    }

    judge_buf_append(&c->raw, data, len);
}


static void
judge_external_callback_refuse(judge_req_t *r, const char *sentence)
{
    judge_reply_header(r, "WWW-Authenticate",
                       JUDGE_STR("Signature realm=\"judge\""));
    judge_fail(r, 401, "%s", sentence);
}


/* Whether there are too many values: each but the first follows a comma or a
 * bracket outside of strings.  The tree of a body may need 32 times its
 * memory. */

static bool
judge_external_callback_large(judge_str_t body)
{
    bool    string;
    size_t  i, n;

    for (i = 0, n = 0, string = false; i < body.len; i++) {
        switch (body.data[i]) {
        case '"':
            string = !string;
            break;
        case '\\':
            i++;
            break;
        case ',':
        case '[':
        case '{':
            n += !string;
            break;
        default:
            break;
        }
    }

    return n > JUDGE_EXTERNAL_VALUES;
}


/* Runs in a thread. */

static void
judge_external_callback_parse(judge_req_t *r)
{
    judge_external_callback_t  *c = r->ctx;

    if (judge_external_callback_large(judge_buf_view(&c->raw))) {
        r->error = judge_str_printf(r->arena, "body: expected a report, which"
                                    " has at most %d values",
                                    JUDGE_EXTERNAL_VALUES);
        r->rc = r->error.data ? JUDGE_INVALID : JUDGE_NOMEM;
        return;
    }

    r->rc = judge_json_parse(r->arena, judge_buf_view(&c->raw), &c->report,
                             &r->error);
}


/* Runs in a thread.  If there is no such evaluation, the signature is checked
 * with the service's own secret, so that the time taken does not reveal it. */

static void
judge_external_callback_prove(judge_req_t *r)
{
    bool                        found;
    size_t                      i, n;
    judge_str_t                 secrets[1 + JUDGE_FORMER_SECRETS];
    judge_external_callback_t  *c = r->ctx;

    found = c->find.op.rc == JUDGE_OK;
    secrets[0] = found ? c->find.secret : r->service->secret;

    for (i = 0, n = 1; found && i < c->find.nformer; i++) {
        if (c->find.former[i].until > c->now) {
            secrets[n++] = c->find.former[i].secret;
        }
    }

    c->verified = judge_signature_hex_verify(secrets, n,
                     judge_buf_view(&c->raw),
                     r->headers[JUDGE_HEADER_X_WEBHOOK_SIGNATURE])
                 && found;
}


static void
judge_external_callback_release(judge_req_t *r)
{
    judge_external_callback_t  *c = r->ctx;

    if (c->learned) {
        judge_calibrator_release(c->learned);
        c->learned = NULL;
    }
}


/* Runs in a thread. */

static void
judge_external_callback_check(judge_req_t *r)
{
    judge_external_callback_t  *c = r->ctx;

    c->is_progress = judge_callback_is_progress(c->report);

    if (c->is_progress) {
        c->rc = judge_callback_progress(r->arena, c->report, &c->find,
                                        &c->progress.progress, &c->error,
                                        &r->unknown);
        return;
    }

    c->rc = judge_callback_read(r->arena, c->report, &c->find, c->learned,
                                c->now, &c->result, &c->error, &r->unknown);
}


static void
judge_external_callback_answer(judge_req_t *r)
{
    judge_json_writer_t        *w;
    judge_external_callback_t  *c = r->ctx;

    w = judge_reply_begin(r, 200);
    judge_json_put_id(w, "evaluation_id", c->result.id);
    judge_json_put_str(w, "content_id", c->find.row.content_id);
    judge_json_put_str(w, "status", c->result.status);
    judge_reply_end(r);
}


/* If the evaluation ended between the read and the write, read it again, with
 * the lists empty, and compare the report with the stored result. */

static void
judge_external_callback_stored(judge_req_t *r)
{
    judge_external_callback_t  *c = r->ctx;

    if ((c->is_progress ? c->progress.op.rc : c->finish.op.rc) == JUDGE_OK) {
        judge_external_callback_answer(r);
        return;
    }

    c->find.nformer = 0;
    c->find.nreferences = 0;
    judge_await(r, &c->find.op, judge_external_callback_found);
}


/* Stores the worker's progress, without prolonging its lease. */

static void
judge_external_callback_progress(judge_req_t *r)
{
    judge_external_callback_t  *c = r->ctx;

    r->org = c->find.row.org;
    c->result.id = c->find.row.id;
    c->result.status = JUDGE_STR("processing");
    c->progress.op = (judge_op_t) { .kind = JUDGE_OP_WORK_PROLONG };
    c->progress.id = c->find.row.id;
    judge_await(r, &c->progress.op, judge_external_callback_stored);
}


static void
judge_external_callback_committed(judge_req_t *r, judge_op_t *op)
{
    judge_result_t  *result = &((judge_callback_finish_t *) op)->result;

    judge_waiters_ended(r->service, result);
}


static void
judge_external_callback_finish(judge_req_t *r)
{
    judge_external_callback_t  *c = r->ctx;

    r->org = c->find.row.org;
    memset(&c->finish, 0, sizeof(judge_callback_finish_t));
    c->finish.op.kind = JUDGE_OP_CALLBACK_FINISH;
    c->finish.result = c->result;
    c->finish.attempts = judge_worker_result_attempts(&c->find.row);
    judge_await_create(r, &c->finish.op, judge_external_callback_committed,
                       judge_external_callback_stored);
}


static void
judge_external_callback_checked(judge_req_t *r)
{
    bool                        open;
    judge_external_callback_t  *c = r->ctx;

    if (!judge_req_known(r) || !judge_check(r, c->rc, &c->error)) {
        return;
    }

    open = judge_str_eq_c(c->find.row.status, "processing");

    if (open && c->find.row.queue_at == 0) {
        judge_fail(r, 409, "the evaluation has not been started yet");

    } else if (open && c->is_progress) {
        judge_external_callback_progress(r);

    } else if (open) {
        judge_external_callback_finish(r);

    } else if (c->is_progress) {
        judge_fail(r, 409, "the evaluation has ended already");

    } else if (judge_str_eq(judge_unpack(r->arena, c->result.body),
                            judge_evaluation_body(r->arena, &c->find.row))) {
        judge_external_callback_answer(r);

    } else {
        judge_fail(r, 409, "the evaluation has ended already, with another"
                           " result");
    }
}


/* If the binding's release() returns false, the request is over and its
 * cleanup has released `learned`. */

static void
judge_external_callback_held(void *data, judge_calibrator_entry_t *learned)
{
    judge_req_t                *r = data;
    judge_external_callback_t  *c = r->ctx;

    c->learned = learned;

    if (!r->binding->release(r)) {
        return;
    }

    if (c->learned == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    judge_compute(r, judge_external_callback_check,
                  judge_external_callback_checked);
}


static void
judge_external_callback_proved(judge_req_t *r)
{
    judge_external_callback_t     *c = r->ctx;
    const judge_evaluation_row_t  *row = &c->find.row;

    if (!c->verified) {
        judge_external_callback_refuse(r, "there is no such evaluation, or the"
                                          " signature is not its"
                                          " organization's");
        return;
    }

    judge_external_callback_release(r);  /* _stored() may lead here again */
    r->cleanup = judge_external_callback_release;
    r->binding->hold(r);
    judge_calibrator_hold(r->service, row->org,
                          row->judge_id, row->judge_version, true,
                          judge_external_callback_held, r);
}


static void
judge_external_callback_found(judge_req_t *r)
{
    judge_external_callback_t  *c = r->ctx;

    c->now = judge_now(r->service);
    judge_compute(r, judge_external_callback_prove,
                  judge_external_callback_proved);
}


static void
judge_external_callback_parsed(judge_req_t *r)
{
    judge_json_t               *id;
    judge_external_callback_t  *c = r->ctx;

    if (c->report->type != JUDGE_JSON_OBJECT) {
        judge_fail(r, 400, "body: expected a JSON object");
        return;
    }

    id = judge_json_get(c->report, "evaluation_id");
    if (id == NULL || id->type != JUDGE_JSON_STRING) {
        judge_fail(r, 400, "evaluation_id: %sexpected a string",
                   id ? "" : "required, ");
        return;
    }

    c->find.op.kind = JUDGE_OP_CALLBACK_FIND;
    c->find.id = id->string;
    judge_await(r, &c->find.op, judge_external_callback_found);
}


static void
judge_external_callback(judge_req_t *r)
{
    judge_external_callback_t  *c = r->ctx;

    if (r->headers[JUDGE_HEADER_X_WEBHOOK_SIGNATURE].data == NULL) {
        judge_external_callback_refuse(r, "X-Webhook-Signature: it is required"
                                          " here");
        return;
    }

    if (c->raw.failed) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    judge_compute(r, judge_external_callback_parse,
                  judge_external_callback_parsed);
}


static const char *const  judge_external_callback_accepts[] = {
    "application/json", NULL
};

const judge_route_t  judge_callback_routes[] = {
    { judge_route(POST, "/api/video-evaluations/callback", 0,
                  JUDGE_ROUTE_PUBLIC, judge_external_callback_t),
      .handler = judge_external_callback,
      .consume = judge_external_callback_piece,
      .accepts = judge_external_callback_accepts },
    { .pattern = NULL }
};
