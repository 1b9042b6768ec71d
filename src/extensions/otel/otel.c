/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Takes turns, one at a time in each worker: claims evaluations that were
 * noted when they ended, reads them, writes their records in a thread, sends
 * these in one request and deletes the notes.  If the worker dies, another one
 * claims the evaluations after the lease: a record may be sent twice, but none
 * is lost.
 */


#include "base/net/retry.h"
#include "base/text/number.h"
#include "extensions/otel/otel.h"


#define JUDGE_OTEL_EVERY      500      /* ms between turns, to collect several
                                          evaluations; a worker without work
                                          stops looking after 600 ms */
#define JUDGE_OTEL_ROWS       64       /* evaluations of a request, at most */
#define JUDGE_OTEL_LEASE      45000    /* ms, plus the request's timeout */
#define JUDGE_OTEL_WAIT       1000     /* ms until the first retry */
#define JUDGE_OTEL_WAIT_MAX   300000   /* ms until any, also by Retry-After */
#define JUDGE_OTEL_KEEP       86400000 /* ms until an evaluation that could not
                                          be sent is dropped */
#define JUDGE_OTEL_ANSWER     16384    /* bytes of a response */
#define JUDGE_OTEL_SHOWN      200      /* bytes of it in the log */

typedef struct {
    judge_leased_t         work;       /* first: see leased.h */
    judge_export_claim_t   claim;
    judge_export_load_t    load;
    judge_export_finish_t  finish;
    judge_otel_body_t      body;
    judge_call_t           call;
} judge_otel_turn_t;


static void judge_otel_loaded(judge_leased_t *work);
static void judge_otel_computed(judge_leased_t *work);
static void judge_otel_called(judge_call_t *call);
static void judge_otel_finished(judge_op_t *op);

static const judge_call_header_t  judge_otel_headers[] = {
    { "Content-Type", judge_str("application/json") },
    { "Accept", judge_str("application/json") }
};


static void
judge_otel_finish(judge_otel_turn_t *turn)
{
    turn->finish.until = turn->claim.claim.lease.until;
    turn->finish.rows = turn->claim.rows;
    turn->finish.count = turn->claim.count;
    judge_leased_last(&turn->work, &turn->finish.op, JUDGE_OP_EXPORT_FINISH,
                      judge_otel_finished);
}


static void
judge_otel_begin(judge_leased_t *work)
{
    judge_otel_turn_t  *turn = (judge_otel_turn_t *) work;

    work->all->peek_at = work->peek.now + JUDGE_OTEL_EVERY;

    turn->load.rows = turn->claim.rows;
    turn->load.count = turn->claim.count;
    judge_leased_op(work, &turn->load.op, JUDGE_OP_EXPORT_LOAD,
                    judge_otel_loaded);
}


const judge_leased_kind_t  judge_otel_leased = {
    .size = sizeof(judge_otel_turn_t),
    .most = 1,
    .peek = JUDGE_OP_EXPORT_PEEK,
    .claim = JUDGE_OP_EXPORT_CLAIM,
    .claim_at = offsetof(judge_otel_turn_t, claim),
    .rows = JUDGE_OTEL_ROWS,
    .lease = JUDGE_OTEL_LEASE,
    .setting = offsetof(judge_settings_t, export_timeout),
    .begin = judge_otel_begin,
    .failed = judge_leased_end         /* claimed again after the lease */
};


static judge_rc_e
judge_otel_compute(judge_leased_t *work)
{
    return judge_otel_write(work->arena, &((judge_otel_turn_t *) work)->body);
}


static void
judge_otel_loaded(judge_leased_t *work)
{
    judge_otel_turn_t  *turn = (judge_otel_turn_t *) work;

    turn->body.service = work->service->settings.name;
    turn->body.now = judge_now(work->service);
    turn->body.rows = turn->claim.rows;
    turn->body.count = turn->claim.count;
    judge_leased_compute(work, judge_otel_compute, judge_otel_computed);
}


static void
judge_otel_computed(judge_leased_t *work)
{
    judge_otel_turn_t  *turn = (judge_otel_turn_t *) work;

    if (turn->body.records == 0) {
        judge_otel_finish(turn);
        return;
    }

    turn->call = (judge_call_t) {
        .route = JUDGE_STR(JUDGE_OTEL_ROUTE),
        .headers = judge_otel_headers,
        .nheaders = sizeof(judge_otel_headers) / sizeof(judge_otel_headers[0]),
        .body = turn->body.body,
        .max_answer = JUDGE_OTEL_ANSWER,
        .timeout = turn->work.service->settings.export_timeout,
        .arena = turn->work.arena,
        .done = judge_otel_called,
        .data = turn
    };
    turn->work.service->call(turn->work.service->network, &turn->call);
}


/* --- Answers ------------------------------------------------------------- */

static void
judge_otel_count(const judge_otel_turn_t *turn, size_t metric, size_t i,
    uint64_t n)
{
    judge_extensions_add(turn->work.service, &judge_extension_otel, metric, i,
                         n);
}


/* Logs what the collector says, in printable characters. */

static void
judge_otel_warn(const judge_otel_turn_t *turn, const char *what,
    judge_str_t answer)
{
    char         message[JUDGE_OTEL_SHOWN];
    size_t       n;
    judge_str_t  line;

    for (n = 0; n < answer.len && n < JUDGE_OTEL_SHOWN; n++) {
        message[n] = answer.data[n] >= ' ' && answer.data[n] <= '~'
                     ? answer.data[n] : '?';
    }

    line = judge_str_printf(turn->call.arena, "judge_otel: the collector %s,"
                            " with status %d: %.*s", what, turn->call.status,
                            (int) n, message);
    if (line.data) {
        turn->work.service->warn(turn->work.service->data, line);
    }
}


/* Returns how many records the collector rejects although the request has
 * succeeded.  OTLP writes numbers of 64 bits as strings; some collectors write
 * a number. */

static uint64_t
judge_otel_rejected(const judge_otel_turn_t *turn)
{
    int64_t        n;
    judge_str_t    why;
    judge_json_t  *root, *part, *v;

    if (judge_json_parse(turn->call.arena, turn->call.answer, &root, NULL)
        != JUDGE_OK)
    {
        return 0;
    }

    part = judge_json_get(root, "partialSuccess");

    v = judge_json_get(part, "rejectedLogRecords");
    n = v && v->type == JUDGE_JSON_INTEGER ? v->integer : 0;
    if (v && v->type == JUDGE_JSON_STRING) {
        (void) judge_integer_parse(v->string, &n);
    }
    n = n < 0 ? 0 : n < (int64_t) turn->body.records
                    ? n : (int64_t) turn->body.records;

    why = judge_json_string(part, "errorMessage");
    if (n || why.len) {
        judge_otel_warn(turn, n ? "did not take all records"
                             : "took all records and warns", why);
    }

    return (uint64_t) n;
}


/* Makes the evaluations due again after a wait, and drops those that are too
 * old. */

static void
judge_otel_retry(judge_otel_turn_t *turn, const judge_attempt_t *attempt)
{
    size_t                      i;
    judge_ms_t                  now, wait;
    uint64_t                    dropped;
    judge_leases_t              *all = turn->work.all;
    static const judge_retry_t  backoff = { JUDGE_OTEL_WAIT,
                                            JUDGE_OTEL_WAIT_MAX };

    now = judge_now(turn->work.service);
    all->failures++;
    wait = judge_retry_exponential(&backoff, all->failures, attempt,
                                   judge_service_random());
    all->peek_at = now + wait;
    turn->finish.repeat_at = all->peek_at;

    for (i = 0, dropped = 0; i < turn->claim.count; i++) {
        if (now - turn->claim.rows[i].noted_at < JUDGE_OTEL_KEEP) {
            turn->claim.rows[i].repeat = 1;
        } else {
            dropped++;
        }
    }

    judge_otel_count(turn, JUDGE_OTEL_REQUESTS, JUDGE_OTEL_RETRIED, 1);
    judge_otel_count(turn, JUDGE_OTEL_DROPPED, 0, dropped);
}


/* OTLP names the statuses after which a request may be sent again; after any
 * other status it must not be. */

static bool
judge_otel_transient(const judge_attempt_t *attempt)
{
    return attempt->status == 0 || attempt->status == 429
           || (attempt->status >= 502 && attempt->status <= 504);
}


static void
judge_otel_answered(judge_otel_turn_t *turn)
{
    uint64_t  rejected;

    rejected = judge_otel_rejected(turn);
    turn->work.all->failures = 0;
    judge_otel_count(turn, JUDGE_OTEL_REQUESTS, JUDGE_OTEL_ANSWERED, 1);
    judge_otel_count(turn, JUDGE_OTEL_RECORDS, JUDGE_OTEL_ACCEPTED,
                     turn->body.records - rejected);
    judge_otel_count(turn, JUDGE_OTEL_RECORDS, JUDGE_OTEL_REJECTED, rejected);

    if (turn->claim.count == JUDGE_OTEL_ROWS) {
        turn->work.all->peek_at = 0;   /* more may be due */
    }
}


static void
judge_otel_called(judge_call_t *call)
{
    size_t              i;
    judge_ms_t          now;
    judge_attempt_t     attempt = { 0 };
    judge_otel_turn_t  *turn = call->data;

    now = judge_now(turn->work.service);
    turn->finish.repeat_at = now;

    if (call->outcome == JUDGE_CALL_OK
        || call->outcome == JUDGE_CALL_TOO_LARGE)
    {
        attempt.status = call->status;
        attempt.has_retry_after
            = call->retry_after.data
              && judge_retry_after_parse(call->retry_after, now,
                                         &attempt.retry_after)
                 == JUDGE_OK;
        if (attempt.retry_after > JUDGE_OTEL_WAIT_MAX) {
            attempt.retry_after = JUDGE_OTEL_WAIT_MAX;
        }
    }

    if (call->outcome == JUDGE_CALL_STOPPED) {
        for (i = 0; i < turn->claim.count; i++) {
            turn->claim.rows[i].repeat = 1;
        }

    } else if (attempt.status >= 200 && attempt.status < 300) {
        judge_otel_answered(turn);

    } else if (judge_otel_transient(&attempt)) {
        judge_otel_retry(turn, &attempt);

    } else {
        judge_otel_count(turn, JUDGE_OTEL_REQUESTS, JUDGE_OTEL_REFUSED, 1);
        judge_otel_count(turn, JUDGE_OTEL_RECORDS, JUDGE_OTEL_REJECTED,
                         turn->body.records);
        judge_otel_warn(turn, "refused records, which are dropped",
                        call->answer);
    }

    judge_otel_finish(turn);
}


/* If the store has failed, the evaluations are sent again after the lease. */

static void
judge_otel_finished(judge_op_t *op)
{
    judge_leased_end(op->data);
}
