/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The questions about one item, until the order of its texts is settled. */


#include <stdlib.h>

#include "extensions/compare/pair_run.h"


static const judge_retry_t  judge_pair_backoff = {
    .initial = 1000,
    .cap = 120 * 1000
};


static void judge_pair_item_scored(judge_op_t *op);
static void judge_pair_item_listed(judge_op_t *op);
static void judge_pair_item_read(judge_task_t *task);
static void judge_pair_item_next(judge_task_t *task);
static void judge_pair_item_go(judge_task_t *task);
static judge_rc_e judge_pair_ask_build(judge_llm_call_t *call);
static judge_rc_e judge_pair_ask_read(judge_llm_call_t *call,
    judge_str_t body);
static void judge_pair_ask_done(judge_llm_call_t *call);
static void judge_pair_ask_stored(judge_op_t *op);
static void judge_pair_item_asked(judge_pair_item_t *item);


/* Schedules a retry of the run; the earliest time wins. */

static void
judge_pair_item_retry(judge_pair_item_t *item, judge_ms_t at)
{
    judge_pair_run_t  *run = item->run;

    if (run->retry_at == 0 || at < run->retry_at) {
        run->retry_at = at;
    }
}


static void
judge_pair_item_submit(judge_pair_item_t *item, judge_op_t *op,
    judge_op_kind_e kind, void (*done)(judge_op_t *op), void *data)
{
    op->kind = kind;
    op->org = item->run->claim.of;
    op->arena = item->arena;
    op->done = done;
    op->data = data;
    judge_submit(item->run->service, op);
}


void
judge_pair_item_begin(judge_pair_item_t *item)
{
    judge_pair_run_t  *run = item->run;

    if (judge_compared_choose(&run->batch, item->number, &item->texts)
        != JUDGE_OK)
    {
        item->over(item);
        return;
    }

    item->scores.id = run->batch.find.id;
    item->scores.judge_id = run->judges[run->current];
    item->scores.max_text = (int64_t) run->service->settings.max_text;
    item->scores.rows = item->texts.rows;
    item->scores.count = run->batch.n;
    judge_pair_item_submit(item, &item->scores.op, JUDGE_OP_COMPARISON_SCORES,
                           judge_pair_item_scored, item);
}


static void
judge_pair_item_fault(judge_pair_item_t *item)
{
    judge_service_t  *service = item->run->service;

    judge_pair_item_retry(item, judge_now(service)
                                + service->settings.lease);
    item->over(item);
}


static void
judge_pair_item_scored(judge_op_t *op)
{
    judge_pair_item_t  *item = op->data;

    if (op->rc != JUDGE_OK) {
        judge_pair_item_fault(item);
        return;
    }

    item->list.id = item->run->batch.find.id;
    item->list.judge_id = item->scores.judge_id;
    item->list.first = item->list.last = item->number;
    item->list.limit = JUDGE_PAIRED_ANSWERS;
    judge_pair_item_submit(item, &item->list.op, JUDGE_OP_PAIR_LIST,
                           judge_pair_item_listed, item);
}


static void
judge_pair_item_listed(judge_op_t *op)
{
    judge_pair_item_t  *item = op->data;

    if (op->rc != JUDGE_OK) {
        judge_pair_item_fault(item);
        return;
    }

    judge_service_compute(item->run->service, &item->task,
                          judge_pair_item_read, judge_pair_item_go, item);
}


/* --- In a thread --------------------------------------------------------- */

/* Sets the models in the order in which they are tried.  A panel does not vote
 * here: each of its models is asked only after the one before has failed. */

static void
judge_pair_item_models(judge_pair_item_t *item)
{
    size_t                   i;
    judge_str_t              model = { 0, NULL };
    judge_pair_run_t        *run = item->run;
    const judge_settings_t  *settings = &run->service->settings;

    for (i = 0; i < run->batch.n && model.data == NULL; i++) {
        model = item->texts.rows[i].model;
    }

    if (model.data == NULL) {
        return;
    }

    if (judge_str_eq_c(model, JUDGE_PANEL_NAME)) {
        for (i = 0; i < run->panel.n; i++) {
            judge_llm_catalog_add(&item->models, settings,
                                  run->panel.models[i], JUDGE_STR("text"),
                                  false);
        }
    } else {
        judge_llm_catalog_order(&item->models, item->arena, settings, model,
                                run->settings.llm.fallback_models,
                                JUDGE_STR("text"), false);
    }
}


static void
judge_pair_item_read(judge_task_t *task)
{
    size_t                     i;
    judge_pair_item_t         *item = task->data;
    judge_pair_run_t          *run = item->run;
    judge_batch_scores_row_t  *row;

    judge_pair_item_models(item);
    item->rc = judge_compared_item(item->arena, &run->batch, &item->texts);
    if (item->rc == JUDGE_OK) {
        item->rc = judge_paired_init(item->arena, &run->batch, &item->pairs);
    }

    for (i = 0; i < run->asked.ncriteria && item->rc == JUDGE_OK; i++) {
        item->pairs.asked[run->asked_index[i] + 1] = true;
    }

    for (i = 0; i < item->list.count && item->rc == JUDGE_OK; i++) {
        item->rc = judge_paired_add(item->arena, &item->pairs,
                                   &item->list.rows[i]);
    }

    for (i = 0; i < run->batch.n && item->rc == JUDGE_OK; i++) {
        row = &item->texts.rows[i];
        if (row->text.len == 0) {
            item->models.count = 0;    /* the text has been deleted */
        }
        item->items[i].text = row->text.data ? row->text : JUDGE_STR("");
        item->rc = judge_extensions_item(item->arena, row->metadata,
                                         run->scope, &item->items[i]);
    }

    judge_pair_item_next(task);
}


/* Chooses the next pair; the overall order comes before those by criterion. */

static void
judge_pair_item_next(judge_task_t *task)
{
    size_t              t;
    judge_pair_item_t  *item = task->data;

    item->order.state = JUDGE_PAIRED_SETTLED;

    for (t = 0; t < item->pairs.ntargets && item->rc == JUDGE_OK
                && item->order.state == JUDGE_PAIRED_SETTLED; t++)
    {
        if (t == 0 || item->pairs.asked[t]) {
            judge_paired_order(&item->pairs, item->texts.compared, t,
                              &item->order);
        }
    }
}


/* --- Asking -------------------------------------------------------------- */

/* Prepares the call of a question; false: out of memory. */

static bool
judge_pair_ask_set(judge_pair_item_t *item, judge_pair_ask_t *ask)
{
    judge_pair_run_t  *run = item->run;
    judge_llm_call_t  *call = &ask->call;

    judge_llm_call_init(call, run->service, run->claim.of, &run->settings.llm,
                        item->models.models[ask->model],
                        30 + 12 * (int64_t) run->asked.ncriteria);
    call->deadline = run->deadline;
    call->build = judge_pair_ask_build;
    call->read = judge_pair_ask_read;
    call->done = judge_pair_ask_done;
    call->data = ask;
    call->prompt.rubric = &run->asked;
    call->repaired = run->calls_left <= 0;   /* no call is left for a repair */
    call->arena = judge_arena_create(16384);
    ask->signs = call->arena ? judge_array_alloc(call->arena,
                                                 run->asked.ncriteria,
                                                 sizeof(int8_t)) : NULL;

    return ask->signs != NULL;
}


static void
judge_pair_ask_free(judge_pair_ask_t *ask)
{
    judge_arena_destroy(ask->call.arena);
    ask->call.arena = NULL;
}


/* Asks for the orders of the pair without an answer, for both at once. */

static void
judge_pair_item_ask(judge_pair_item_t *item)
{
    bool               made;
    size_t             i;
    judge_pair_ask_t  *ask;
    judge_pair_run_t  *run = item->run;

    item->pending = 1;                 /* the first call may end before the
                                          second begins */

    for (i = 0; i < 2; i++) {
        ask = &item->asks[i];
        if (!ask->wanted) {
            continue;
        }

        run->calls_left--;
        made = judge_pair_ask_set(item, ask);
        item->pending++;

        if (made) {
            judge_llm_call(&ask->call);
        } else {
            ask->call.outcome = JUDGE_LLM_CALL_FAULT;
            judge_pair_ask_done(&ask->call);
        }
    }

    if (--item->pending == 0) {
        judge_pair_item_asked(item);
    }
}


/* Runs on the event loop after the next pair has been chosen. */

static void
judge_pair_item_go(judge_task_t *task)
{
    size_t                      i;
    int64_t                     need;
    judge_pair_ask_t           *ask;
    judge_pair_item_t          *item = task->data;
    judge_pair_run_t           *run = item->run;
    const judge_paired_order_t  *order = &item->order;

    if (item->rc != JUDGE_OK) {
        judge_pair_item_fault(item);
        return;
    }

    if (order->state != JUDGE_PAIRED_ASK || item->models.count == 0
        || run->lost || run->ending)
    {
        item->over(item);
        return;
    }

    for (i = 0, need = 0; i < 2; i++) {
        ask = &item->asks[i];
        *ask = (judge_pair_ask_t) {
            .item = item,
            .shown = { &item->items[order->ask[i]],
                       &item->items[order->ask[1 - i]] }
        };
        ask->wanted = *judge_paired_signs(&item->pairs, order->ask[i],
                                         order->ask[1 - i])
                      == JUDGE_PAIRED_UNASKED;
        need += ask->wanted;
    }

    if (need > run->calls_left) {
        item->over(item);
    } else {
        judge_pair_item_ask(item);
    }
}


static judge_rc_e
judge_pair_ask_build(judge_llm_call_t *call)
{
    judge_pair_ask_t  *ask = call->data;

    return judge_pair_prompt(call->arena, &call->prompt, ask->shown,
                             &call->request);
}


static judge_rc_e
judge_pair_ask_read(judge_llm_call_t *call, judge_str_t body)
{
    judge_pair_ask_t  *ask = call->data;

    return judge_pair_reply(call->arena, &call->request,
                            call->prompt.rubric->ncriteria, body,
                            &call->answer, ask->signs);
}


/* --- Storing answers ----------------------------------------------------- */

/* Returns the stored form: a sign for each criterion, or the error. */

static judge_str_t
judge_pair_ask_text(judge_pair_ask_t *ask)
{
    size_t                i;
    judge_buf_t           buf;
    judge_json_writer_t   w;
    const judge_rubric_t *rubric = ask->call.prompt.rubric;

    judge_json_begin_object(&w, &buf, ask->item->arena);

    if (ask->call.outcome == JUDGE_LLM_CALL_ANSWERED) {
        for (i = 0; i < rubric->ncriteria; i++) {
            judge_json_key_str(&w, rubric->criteria[i].id);
            judge_json_int(&w, ask->signs[i]);
        }
    } else {
        judge_json_put_c(&w, "error", ask->call.code);
        judge_json_put_str(&w, "message", ask->call.message);
    }

    return judge_json_text(&w);
}


/* The number of calls; an answer that could not be used makes it two. */

static int64_t
judge_pair_ask_calls(const judge_pair_ask_t *ask)
{
    return 1 + (ask->call.prompt.refused_reason.data != NULL);
}


static void
judge_pair_ask_store(judge_pair_ask_t *ask)
{
    size_t              i;
    judge_pair_item_t  *item = ask->item;
    judge_pair_run_t   *run = item->run;

    i = (size_t) (ask - item->asks);
    ask->create = (judge_pair_create_t) {
        .id = run->batch.find.id,
        .owner = judge_service_owner(run->service),
        .judge_id = item->scores.judge_id,
        .row = {
            .item = item->number, .first = (int64_t) item->order.ask[i],
            .second = (int64_t) item->order.ask[1 - i],
            .answered_at = judge_now(run->service),
            .model = run->service->settings.models[ask->call.model].name,
            .calls = ask->calls + judge_pair_ask_calls(ask),
            .tokens = ask->tokens + ask->call.used,
            .answer = judge_pair_ask_text(ask)
        }
    };

    if (ask->create.row.answer.data == NULL) {
        ask->create.op.rc = JUDGE_NOMEM;
        ask->create.op.data = ask;
        judge_pair_ask_stored(&ask->create.op);
        return;
    }

    judge_pair_item_submit(item, &ask->create.op, JUDGE_OP_PAIR_CREATE,
                           judge_pair_ask_stored, ask);
}


static void
judge_pair_ask_stored(judge_op_t *op)
{
    judge_pair_ask_t   *ask = op->data;
    judge_pair_item_t  *item = ask->item;
    judge_pair_run_t   *run = item->run;

    run->lost |= op->rc == JUDGE_CONFLICT;

    /* A failure of the other order must stay. */
    if (item->rc == JUDGE_OK) {
        item->rc = op->rc == JUDGE_OK
                   ? judge_paired_add(item->arena, &item->pairs,
                                      &ask->create.row)
                   : op->rc;
    }

    if (--item->pending == 0) {
        judge_pair_item_asked(item);
    }
}


/* Returns when to repeat a question without an answer.  If the other order has
 * been answered, only this one is repeated. */

static judge_ms_t
judge_pair_ask_later(judge_pair_ask_t *ask)
{
    judge_ms_t         now;
    judge_llm_call_t  *call = &ask->call;
    judge_pair_run_t  *run = ask->item->run;

    now = judge_now(run->service);

    switch (call->outcome) {

    case JUDGE_LLM_CALL_UNPAID:
        return judge_budget_plan(run->service->budget, run->claim.of,
                                 &call->limits, now, call->wait, call->paid);

    case JUDGE_LLM_CALL_TRANSIENT:
        return now + judge_retry_exponential(&judge_pair_backoff,
                                             (unsigned) run->claim.tries,
                                             &call->attempt,
                                             judge_service_random());

    case JUDGE_LLM_CALL_STOPPED:
        return now;

    default:
        return now + run->service->settings.lease;
    }
}


static void
judge_pair_ask_done(judge_llm_call_t *call)
{
    judge_pair_ask_t   *ask = call->data;
    judge_pair_item_t  *item = ask->item;
    judge_pair_run_t   *run = item->run;

    run->calls_left -= judge_pair_ask_calls(ask) - 1;

    if ((call->outcome == JUDGE_LLM_CALL_FAILED
         || call->outcome == JUDGE_LLM_CALL_TRANSIENT)
        && ask->model + 1 < item->models.count && run->calls_left > 0)
    {
        ask->calls += judge_pair_ask_calls(ask);
        ask->tokens += call->used;
        judge_pair_ask_free(ask);
        ask->model++;
        run->calls_left--;

        if (judge_pair_ask_set(item, ask)) {
            judge_llm_call(&ask->call);
            return;
        }
        ask->call.outcome = JUDGE_LLM_CALL_FAULT;
    }

    if (call->outcome == JUDGE_LLM_CALL_ANSWERED
        || call->outcome == JUDGE_LLM_CALL_FAILED)
    {
        judge_pair_ask_store(ask);
        return;
    }

    run->calls_left++;
    run->failed |= call->outcome == JUDGE_LLM_CALL_TRANSIENT;
    if (call->outcome != JUDGE_LLM_CALL_LATE) {
        judge_pair_item_retry(item, judge_pair_ask_later(ask));
    }
    item->models.count = 0;            /* ask nothing more in this run */

    if (--item->pending == 0) {
        judge_pair_item_asked(item);
    }
}


/* Goes on with the next pair, after both orders have ended. */

static void
judge_pair_item_asked(judge_pair_item_t *item)
{
    judge_pair_ask_free(&item->asks[0]);
    judge_pair_ask_free(&item->asks[1]);

    judge_service_compute(item->run->service, &item->task,
                          judge_pair_item_next, judge_pair_item_go, item);
}
