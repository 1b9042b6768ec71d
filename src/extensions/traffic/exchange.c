/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The steps in their order: run(), begin(), paired() and evaluate(); text()
 * and verdict() in a thread; scored(), evaluated() and end() on the event
 * loop. */


#include <math.h>
#include <unistd.h>

#include "base/core/allowance.h"
#include "api/contents/contents.h"
#include "extensions/traffic/blocked.h"
#include "extensions/traffic/exchange.h"
#include "work/evaluation/waiters.h"
#include "work/service/usage.h"


#define JUDGE_EXCHANGES_AT_ONCE  2         /* that are not urgent */
#define JUDGE_EXCHANGES_WAITING  256
#define JUDGE_EXCHANGES_URGENT   256
#define JUDGE_EXCHANGE_TAKEN_OUT  "[redacted]"

/* The most steps of a redaction.  Common expressions need up to 30 steps per
 * byte of common text; 100 steps for each byte of 256 KB take 20 ms. */
#define JUDGE_EXCHANGE_WORK       10000000
#define JUDGE_EXCHANGE_BYTE_WORK  100

#define JUDGE_EXCHANGE_PAUSE      500      /* ms, at most */

/* After an exchange that has waited for a processor, the others wait this many
 * times as long.  Measured with a saturated location: with 12 it serves 82% of
 * the requests per second that it serves without judging, with 30 more than
 * 90%. */
#define JUDGE_EXCHANGE_YIELDS    30


judge_exchanges_t *
judge_exchanges(judge_service_t *service)
{
    return judge_extensions_data(service, &judge_extension_traffic);
}


judge_exchange_t *
judge_exchange_create(judge_service_t *service)
{
    judge_arena_t     *arena;
    judge_exchange_t  *x;

    arena = judge_arena_create(8192);
    x = arena ? judge_calloc(arena, sizeof(judge_exchange_t)) : NULL;

    if (x == NULL) {
        judge_arena_destroy(arena);
        return NULL;
    }

    x->arena = arena;
    x->service = service;
    x->file = -1;
    x->pending = 1;

    return x;
}


void
judge_exchange_free(judge_exchange_t *x)
{
    judge_extract_free(&x->body);
    judge_extract_free(&x->source);
    judge_buf_free(&x->anew);
    if (x->file >= 0) {
        (void) close(x->file);
    }
    judge_arena_destroy(x->arena);
}


/* --- Pace ---------------------------------------------------------------- */

/* The exchange has waited if more time than twice the CPU time of its thread
 * has passed until the event loop noticed its end.  Half of that allows for
 * rendering the result, which is not in `spent` and takes less. */

void
judge_exchange_returned(judge_exchange_t *x)
{
    int64_t             waited;
    judge_ms_t          pause, until;
    judge_exchanges_t  *all = judge_exchanges(x->service);

    waited = judge_time_clock(CLOCK_MONOTONIC) - x->entered - 2 * x->spent;
    pause = waited > 0 ? waited * JUDGE_EXCHANGE_YIELDS / 1000 : 0;
    pause = pause < JUDGE_EXCHANGE_PAUSE ? pause : JUDGE_EXCHANGE_PAUSE;
    until = judge_now(x->service) + pause;
    all->resumes = all->resumes > until ? all->resumes : until;
}


/* Called when judging has ended. */

static void
judge_exchange_leave(judge_exchange_t *x)
{
    judge_exchanges_t  *all = judge_exchanges(x->service);

    all->nurgent -= x->counted && x->urgent;
    all->nbackground -= x->counted && !x->urgent;
    x->counted = false;
}


/* --- The text ------------------------------------------------------------ */

/* If a search exceeds its budget, the text is neither stored nor judged, since
 * it may contain what had to be redacted. */

static judge_rc_e
judge_exchange_redact(judge_exchange_t *x, judge_regex_t *reader,
    const judge_regex_t *pattern, judge_str_t *text)
{
    size_t       from, begin, end, copied;
    judge_rc_e   rc;
    judge_buf_t  out;

    judge_buf_init(&out, x->arena);
    judge_regex_take(reader, pattern);
    copied = 0;
    from = 0;

    while (from <= text->len) {
        rc = judge_regex_find(reader, *text, from, &begin, &end);
        if (rc == JUDGE_NOT_FOUND) {
            break;
        }
        if (rc != JUDGE_OK) {
            return rc;
        }

        if (end > begin) {
            judge_buf_append(&out, text->data + copied, begin - copied);
            judge_buf_c(&out, JUDGE_EXCHANGE_TAKEN_OUT);
            copied = end;
        }
        from = judge_regex_after(*text, begin, end);
    }

    if (copied) {
        judge_buf_append(&out, text->data + copied, text->len - copied);
        *text = judge_buf_view(&out);
    }

    return out.failed ? JUDGE_NOMEM : JUDGE_OK;
}


static judge_str_t
judge_exchange_take(judge_exchange_t *x, judge_extract_t *from)
{
    size_t             i;
    judge_rc_e         rc;
    judge_str_t        text;
    judge_regex_t     *reader;
    judge_allowance_t  allowance = { .steps = 0 };

    text = judge_str_dup(x->arena, judge_buf_view(&from->text));
    judge_extract_free(from);
    reader = x->nredact ? judge_regex_reader(x->arena) : NULL;
    if (reader) {
        allowance.steps = JUDGE_EXCHANGE_WORK
                          + JUDGE_EXCHANGE_BYTE_WORK * x->nredact * text.len;
        judge_regex_charge(reader, &allowance);
    }

    for (i = 0; i < x->nredact && text.data; i++) {
        rc = reader ? judge_exchange_redact(x, reader, x->redact[i], &text)
                    : JUDGE_NOMEM;
        if (rc != JUDGE_OK) {
            x->skip = rc == JUDGE_BUSY ? JUDGE_SKIP_REDACT : JUDGE_SKIP_FAILED;
            return (judge_str_t) { 0, NULL };
        }
    }

    return text;
}


/* Writes the metadata of the content; absent values are left out. */

static judge_str_t
judge_exchange_metadata(judge_exchange_t *x, judge_str_t source)
{
    judge_buf_t          buf;
    judge_json_writer_t  w;

    judge_json_begin_object(&w, &buf, x->arena);
    judge_json_put_str(&w, "source", source);
    judge_json_put_str(&w, "conversation_id", x->conversation_id);
    judge_json_put_raw(&w, "traffic", x->about);
    if (x->body.id_len) {
        judge_json_put_str(&w, "response_id",
                           (judge_str_t) { x->body.id_len, x->body.id });
    }

    return judge_json_text(&w);
}


/* --- Conversations ------------------------------------------------------- */

/* Returns the answer as a message: the one that was sent, which has tool
 * calls, too, or one made of its text. */

static judge_json_t *
judge_exchange_message(judge_exchange_t *x, judge_json_t *answer,
    judge_str_t text)
{
    judge_buf_t          buf;
    judge_json_t        *v;
    judge_json_writer_t  w;

    v = judge_json_member(answer, "choices", JUDGE_JSON_ARRAY);
    v = v ? judge_json_get(v->first, "message") : answer;
    if (judge_json_get(v, "role") && judge_json_get(v, "content")) {
        return v;
    }

    judge_json_begin_object(&w, &buf, x->arena);
    judge_json_put_c(&w, "role", "assistant");
    judge_json_put_str(&w, "content", text);

    return judge_json_parse(x->arena, judge_json_text(&w), &v, NULL)
           == JUDGE_OK ? v : NULL;
}


/* Sets the text of the job to the conversation, unless the request has no
 * messages, or they can't be read or are too long. */

static judge_rc_e
judge_exchange_converse(judge_exchange_t *x, judge_job_t *job,
    judge_json_t *request, judge_json_t *answer)
{
    judge_rc_e           rc;
    judge_str_t          about, error;
    judge_json_t        *messages, *message, *metadata;
    judge_content_row_t  row = { .text_content = { 0, NULL } };

    messages = judge_json_member(request, "messages", JUDGE_JSON_ARRAY);
    if (messages == NULL || messages->last == NULL) {
        return JUDGE_OK;
    }

    about = judge_exchange_metadata(x, (judge_str_t) { 0, NULL });
    message = judge_exchange_message(x, answer, job->text_content);
    if (message == NULL || about.data == NULL
        || judge_json_parse(x->arena, about, &metadata, NULL) != JUDGE_OK)
    {
        return JUDGE_NOMEM;
    }

    message->next = NULL;
    messages->last->next = message;
    messages->last = message;
    messages->count++;

    rc = judge_content_messages(x->arena, messages, JUDGE_STR("messages"),
                                metadata, &row, &error);
    if (rc == JUDGE_OK
        && row.text_content.len <= x->service->settings.max_text)
    {
        job->text_content = row.text_content;
        job->metadata = row.metadata;
    }

    return rc == JUDGE_NOMEM ? rc : JUDGE_OK;
}


static void
judge_exchange_conversation(judge_exchange_t *x, const judge_json_t *request)
{
    judge_buf_t  buf;

    judge_buf_init(&buf, x->arena);
    if (request && x->conversation_path) {
        (void) judge_extract_at(x->conversation_path, 0, request, &buf);
    }
    if (buf.len) {
        x->conversation_id = judge_buf_view(&buf);
    } else if (x->conversation_id.len == 0) {
        x->conversation_id.data = NULL;
    }
}


/* --- Judging ------------------------------------------------------------- */

static bool
judge_exchange_text(judge_evaluate_t *batch)
{
    judge_str_t           source;
    judge_arena_t        *arena;
    judge_job_t          *job = batch->jobs[0];
    judge_exchange_t     *x = batch->data;
    judge_content_row_t  *row = &x->create.content;

    x->entered = judge_time_clock(CLOCK_MONOTONIC);
    x->spent = judge_time_clock(CLOCK_THREAD_CPUTIME_ID);

    if (x->file >= 0) {
        judge_extract_file(&x->body, batch->scratch, x->file);
    }

    /* The trees of a conversation are still read when it is put together. */
    arena = x->conversation ? x->arena : batch->scratch;
    judge_extract_finish(&x->body, arena);
    if (x->body.skip != JUDGE_SKIP_NONE) {
        x->skip = x->body.skip;
        return false;
    }

    x->anew = x->body.anew;
    judge_buf_init(&x->body.anew, NULL);
    source = (judge_str_t) { 0, NULL };

    if (x->sourced) {
        judge_extract_finish(&x->source, arena);
        if (x->source.skip == JUDGE_SKIP_NONE) {
            source = judge_exchange_take(x, &x->source);
            if (source.data == NULL) {
                return false;
            }
        }
    }

    if (x->conversation) {
        judge_exchange_conversation(x, x->source.root);
    }

    job->found = true;
    job->text_content = judge_exchange_take(x, &x->body);
    job->metadata = judge_exchange_metadata(x, source);
    if (job->text_content.data == NULL || job->metadata.data == NULL
        || (x->conversation
            && judge_exchange_converse(x, job, x->source.root, x->body.root)
               != JUDGE_OK))
    {
        return false;
    }

    row->size = (int64_t) job->text_content.len;
    row->metadata = job->metadata;
    if (x->scores) {
        row->metadata = judge_exchange_metadata(x, (judge_str_t) { 0, NULL });
    } else {
        row->text_content = job->text_content;
    }

    return row->metadata.data != NULL;
}


/* Renders the scores for done().  If only scores are stored, all words of the
 * verdict are removed, because they may quote the text. */

static bool
judge_exchange_verdict(judge_evaluate_t *batch, const judge_rubric_t *rubric,
    judge_verdict_t *verdict)
{
    size_t                    i, n;
    judge_buf_t               buf;
    judge_str_t               unjudged = JUDGE_STR("");
    judge_exchange_t         *x = batch->data;
    judge_json_writer_t       w;
    judge_criterion_score_t  *score;

    x->spent = judge_time_clock(CLOCK_THREAD_CPUTIME_ID) - x->spent;
    judge_json_begin_array(&w, &buf, x->arena);

    for (i = 0; i < rubric->ncriteria; i++) {
        score = &verdict->scores[i];
        judge_json_object(&w);
        judge_json_put_str(&w, "criterion_id", rubric->criteria[i].id);
        judge_json_put_str(&w, "name", rubric->criteria[i].name);
        judge_json_put_number2(&w, "score", score->score);
        if (isnan(score->score) && unjudged.len == 0 && score->reason.data) {
            unjudged = score->reason;
        }
        judge_json_object_end(&w);

        for (n = 0; x->scores && n < score->nchecks; n++) {
            score->checks[n].npassages = 0;
        }
        if (x->scores) {
            score->feedback = JUDGE_STR("");
            score->npassages = 0;
        }
    }

    if (x->scores) {
        verdict->summary = JUDGE_STR("Only scores and measures are kept of"
                                     " this text.");
        verdict->nstrengths = 0;
        verdict->nweaknesses = 0;
        verdict->nsuggestions = 0;
    }

    x->overall = verdict->overall;
    x->scored = judge_json_text(&w);
    x->reason = judge_str_dup(x->arena, unjudged);
    if (x->scored.data && x->reason.data) {
        x->skip = verdict->overall >= 0 ? JUDGE_SKIP_NONE    /* not NAN */
                                        : JUDGE_SKIP_NOT_JUDGED;
    }

    return x->skip != JUDGE_SKIP_FAILED;
}


/* Frees the exchange after both writes have ended: its arena contains them,
 * and the second may be refused while the first one still waits. */

static void
judge_exchange_release(judge_exchange_t *x)
{
    if (--x->pending == 0) {
        judge_exchanges(x->service)->nstoring -= x->storing;
        judge_exchange_free(x);
    }
}


/* An error needs no handling: the result's write then finds no evaluation. */

static void
judge_exchange_created(judge_op_t *op)
{
    judge_exchange_release(op->data);
}


static void
judge_exchange_tell(judge_exchange_t *x)
{
    if (x->done) {
        x->latency = judge_now(x->service) - x->began_at;
        x->done(x);
        x->done = NULL;
    }
}


/* Submits the write that creates the evaluation; that of the result follows,
 * in the same commit or a later one. */

static void
judge_exchange_store(judge_exchange_t *x, const judge_job_t *job)
{
    judge_exchange_leave(x);
    x->storing = true;
    x->pending++;
    judge_exchanges(x->service)->nstoring++;

    x->create.op.kind = JUDGE_OP_EVALUATION_CREATE;
    x->create.op.org = x->org;
    x->create.op.arena = x->arena;
    x->create.op.done = judge_exchange_created;
    x->create.op.data = x;
    x->create.content.id = job->content_id;
    x->create.content.file_type = JUDGE_STR("text");
    x->create.content.status = JUDGE_STR("ready");
    x->create.content.created_at = job->created_at;
    x->create.content.name = x->name;
    x->create.row = (judge_evaluation_row_t) {
        .org = x->org,
        .id = job->id,
        .queue_at = job->created_at + x->service->settings.lease,
        .priority = JUDGE_PRIORITY_LOW,
        .owner = judge_service_owner(x->service),
        .attempts = 1,
        .content_id = job->content_id,
        .judge_id = x->judge_id,
        .judge_version = job->judge_version,
        .created_at = job->created_at,
        .deadline = job->deadline,
        .trace = x->trace
    };

    judge_submit(x->service, &x->create.op);
    judge_exchanges_tick(x->service);
}


/* Ends the judging, and returns whether the result is to be stored.  The text
 * of a stream that has not ended is stored only if its score is below `min`,
 * because that ends the stream. */

static bool
judge_exchange_scored(judge_evaluate_t *batch)
{
    judge_exchange_t  *x = batch->data;

    if (x->skip == JUDGE_SKIP_FAILED) {
        return false;
    }

    judge_exchange_returned(x);
    judge_exchange_tell(x);

    if (x->unfinished && !(x->overall < x->min)) {       /* or NAN */
        return false;
    }

    judge_exchange_store(x, batch->jobs[0]);

    return true;
}


static void
judge_exchange_end(judge_exchange_t *x, judge_skip_e skip)
{
    judge_service_t  *service = x->service;

    x->skip = skip;
    if (skip != JUDGE_SKIP_NONE && !x->unfinished) {
        judge_extensions_add(service, &judge_extension_traffic,
                             JUDGE_TRAFFIC_SKIPPED, skip, 1);
    }

    judge_exchange_tell(x);
    judge_exchange_leave(x);
    judge_exchange_release(x);
    judge_exchanges_tick(service);
}


static void
judge_exchange_evaluated(void *data, judge_evaluate_t *batch)
{
    judge_exchange_t  *x = data;
    judge_result_t    *result;

    result = batch->count ? &batch->results[0] : NULL;

    if (result && result->stored) {
        judge_waiters_ended(x->service, result);
        judge_throughput_add(x->service->throughput, 1, judge_now(x->service));
        judge_extensions_add(x->service, &judge_extension_traffic,
                            JUDGE_TRAFFIC_JUDGED, 0,
                            x->skip == JUDGE_SKIP_NONE);
        judge_exchange_end(x, x->skip);
        return;
    }

    judge_exchange_end(x, x->storing ? JUDGE_SKIP_FAILED : x->skip);
}


static judge_skip_e
judge_exchange_evaluate(judge_exchange_t *x)
{
    judge_ms_t         now;
    judge_job_t       *job;
    judge_evaluate_t  *batch;

    now = judge_now(x->service);
    batch = judge_evaluate_create(x->service, 1);

    if (batch == NULL || judge_id_make(&x->id, "evl", now) != JUDGE_OK
        || judge_id_make(&x->content_id, "cnt", now) != JUDGE_OK)
    {
        if (batch) {
            judge_arena_destroy(batch->arena);
        }
        return JUDGE_SKIP_FAILED;
    }

    job = batch->jobs[0];
    job->org = x->org;
    job->id = judge_id_str(&x->id);
    job->content_id = judge_id_str(&x->content_id);
    job->judge_id = x->judge_id;
    job->route = x->route;
    job->judge_version = x->pair.active.version;
    job->attempts = 1;
    job->created_at = now;
    job->deadline = now + x->service->settings.deadline;

    batch->text = judge_exchange_text;
    batch->verdict = judge_exchange_verdict;
    batch->scored = judge_exchange_scored;
    batch->done = judge_exchange_evaluated;
    batch->data = x;
    x->skip = JUDGE_SKIP_FAILED;       /* until there is a verdict */
    judge_evaluate_start(batch);

    return JUDGE_SKIP_NONE;
}


static void
judge_exchange_paired(judge_op_t *op)
{
    judge_skip_e       skip;
    judge_exchange_t  *x = op->data;

    skip = op->rc != JUDGE_OK ? JUDGE_SKIP_FAILED
           : x->pair.active.version
             && judge_str_eq_c(x->pair.active.content_type, "text")
           ? judge_exchange_evaluate(x) : JUDGE_SKIP_NO_JUDGE;

    if (skip != JUDGE_SKIP_NONE) {
        judge_exchange_end(x, skip);
    }
}


/* Reads the judge's active version. */

static void
judge_exchange_begin(judge_exchange_t *x)
{
    if (x->body.skip != JUDGE_SKIP_NONE) {
        judge_exchange_end(x, x->body.skip);
        return;
    }

    x->pair.op.done = judge_exchange_paired;
    x->pair.op.data = x;
    x->pair.op.kind = JUDGE_OP_PAIR_FIND;
    x->pair.op.arena = x->arena;
    x->pair.op.org = x->org;
    x->pair.active.judge_id = x->judge_id;

    judge_submit(x->service, &x->pair.op);
}


/* The pause ends early if the clock was set back. */

void
judge_exchanges_tick(judge_service_t *service)
{
    judge_ms_t          left;
    judge_exchange_t   *x;
    judge_exchanges_t  *all = judge_exchanges(service);

    while (all->nbackground < JUDGE_EXCHANGES_AT_ONCE && (x = all->first)) {
        left = all->resumes - judge_now(service);
        if (left > 0 && left <= JUDGE_EXCHANGE_PAUSE) {
            return;
        }

        all->first = x->next;
        all->waiting--;
        all->nbackground++;
        x->counted = true;
        judge_exchange_begin(x);
    }
}


void
judge_exchange_run(judge_exchange_t *x)
{
    judge_exchanges_t  *all = judge_exchanges(x->service);

    x->began_at = judge_now(x->service);

    if (x->urgent && all->nurgent < JUDGE_EXCHANGES_URGENT) {
        all->nurgent++;
        x->counted = true;
        judge_exchange_begin(x);

    } else if (!x->urgent && all->waiting < JUDGE_EXCHANGES_WAITING) {
        all->waiting++;
        if (all->first) {
            all->last->next = x;
        } else {
            all->first = x;
        }
        all->last = x;
        judge_exchanges_tick(x->service);

    } else {
        judge_exchange_end(x, JUDGE_SKIP_DROPPED);
    }
}


bool
judge_exchanges_busy(judge_service_t *service)
{
    judge_exchanges_t  *all = judge_exchanges(service);

    return all->waiting || all->nbackground || all->nurgent || all->nstoring;
}


bool
judge_exchanges_full(judge_service_t *service)
{
    judge_exchanges_tick(service);

    return judge_exchanges(service)->waiting == JUDGE_EXCHANGES_WAITING;
}


void
judge_exchanges_destroy(judge_service_t *service)
{
    judge_exchange_t   *x;
    judge_exchanges_t  *all = judge_exchanges(service);

    if (all == NULL) {
        return;
    }

    while ((x = all->first)) {
        all->first = x->next;
        judge_exchange_free(x);
    }
}
