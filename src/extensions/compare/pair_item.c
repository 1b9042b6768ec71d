/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The questions about the items of a run, until their orders are settled. */


#include "extensions/compare/pair_run.h"


static const judge_retry_t  judge_pair_backoff = {
    .initial = 1000,
    .cap = 120 * 1000
};


static void judge_pair_ask_done(judge_llm_call_t *call);


void
judge_pair_run_retry(judge_pair_run_t *run, judge_ms_t at)
{
    if (run->retry_at == 0 || at < run->retry_at) {
        run->retry_at = at;
    }
}


/* --- In a thread --------------------------------------------------------- */

/* Sets the models in the order in which they are tried.  A panel does not vote
 * here: each of its models is asked only after the one before has failed. */

static void
judge_pair_item_models(judge_pair_item_t *item)
{
    size_t             i;
    judge_str_t        model = { 0, NULL };
    judge_pair_run_t  *run = item->run;

    for (i = 0; i < run->batch.n && model.data == NULL; i++) {
        model = item->rows[i].model;
    }

    if (model.data) {
        judge_llm_catalog_order(&item->models, run->scratch,
                                &run->work.service->settings, model,
                                &run->panel, run->settings.llm.fallback_models,
                                JUDGE_STR("text"), false);
    }
}


/* Reads an item, to which the rows and the answers from `at` on belong. */

static judge_rc_e
judge_pair_item_read(judge_pair_run_t *run, size_t at, judge_pair_item_t *item)
{
    size_t          i, n = run->batch.n;
    judge_rc_e      rc;
    judge_arena_t  *arena = run->scratch;

    judge_pair_item_models(item);
    item->compared = judge_array_alloc(arena,
                                       n * (run->batch.criteria.count + 1),
                                       sizeof(judge_candidate_t));
    rc = item->compared
         ? judge_paired_read(arena, &run->batch, run->load.answers + at,
                             run->load.nanswers - at, item->number,
                             &item->pairs) : JUDGE_NOMEM;
    if (rc != JUDGE_OK) {
        return rc;
    }

    judge_scored_item(&run->scored, (size_t) (item - run->items), n,
                      item->compared);

    for (i = 0; i < run->asked.ncriteria; i++) {
        item->pairs.asked[run->asked_index[i] + 1] = true;
    }

    for (i = 0; i < n && rc == JUDGE_OK; i++) {
        if (item->rows[i].text.len == 0) {
            item->models.count = 0;    /* the text has been deleted */
        }
        item->items[i].text = item->rows[i].text.data ? item->rows[i].text
                                                      : JUDGE_STR("");
        rc = judge_extensions_item(arena, item->rows[i].metadata, run->scope,
                                   &item->items[i]);
    }

    return rc;
}


/* The overall order comes before those by criterion. */

judge_rc_e
judge_pair_items_choose(judge_leased_t *work)
{
    size_t              t;
    judge_pair_run_t   *run = (judge_pair_run_t *) work;
    judge_pair_item_t  *item;

    for (item = run->items; item < run->items + run->nitems; item++) {
        item->order.state = JUDGE_PAIRED_SETTLED;

        for (t = 0; t < item->pairs.ntargets
                    && item->order.state == JUDGE_PAIRED_SETTLED; t++)
        {
            if (t == 0 || item->pairs.asked[t]) {
                judge_paired_order(&item->pairs, item->compared, t,
                                   &item->order);
            }
        }
    }

    return JUDGE_OK;
}


judge_rc_e
judge_pair_items_read(judge_leased_t *work)
{
    size_t              i, at;
    judge_rc_e          rc;
    judge_pair_run_t   *run = (judge_pair_run_t *) work;
    judge_pair_item_t  *item;

    rc = judge_scored_load(run->scratch, &run->batch, &run->load,
                           &run->scored);

    for (i = 0, at = 0; i < run->nitems && rc == JUDGE_OK; i++) {
        item = &run->items[i];
        item->run = run;
        item->number = (size_t) run->load.first + i;
        item->rows = run->load.rows + i * run->batch.n;
        rc = judge_pair_item_read(run, at, item);
        at += item->pairs.answers;
    }

    return rc ? rc : judge_pair_items_choose(work);
}


/* --- Asking -------------------------------------------------------------- */

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


/* Prepares the call of a question; false: out of memory. */

static bool
judge_pair_ask_set(judge_pair_item_t *item, judge_pair_ask_t *ask)
{
    judge_pair_run_t  *run = item->run;
    judge_llm_call_t  *call = &ask->call;

    judge_llm_call_init(call, run->work.service, run->work.org,
                        &run->settings.llm,
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


/* Returns the stored form: a sign for each criterion, or the error. */

static judge_str_t
judge_pair_ask_text(judge_pair_ask_t *ask)
{
    size_t                i;
    judge_buf_t           buf;
    judge_json_writer_t   w;
    const judge_rubric_t *rubric = ask->call.prompt.rubric;

    judge_json_begin_object(&w, &buf, ask->call.arena);

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


/* Ends a question, which has been stored or is to be asked later. */

static void
judge_pair_ask_over(judge_pair_ask_t *ask)
{
    judge_pair_run_t  *run = ask->item->run;

    judge_arena_destroy(ask->call.arena);

    if (--run->pending == 0) {
        run->answered(run);
    }
}


/* The answer itself is taken in here; a failure of another one must stay. */

static void
judge_pair_ask_stored(judge_op_t *op)
{
    judge_pair_ask_t   *ask = op->data;
    judge_pair_run_t   *run = ask->item->run;

    run->work.lost |= op->rc == JUDGE_CONFLICT;

    if (run->work.rc == JUDGE_OK) {
        run->work.rc = op->rc == JUDGE_OK
                       ? judge_paired_add(ask->call.arena, &ask->item->pairs,
                                          &ask->create.row)
                       : op->rc;
    }

    judge_pair_ask_over(ask);
}


static void
judge_pair_ask_store(judge_pair_ask_t *ask)
{
    size_t              i;
    judge_pair_item_t  *item = ask->item;
    judge_pair_run_t   *run = item->run;

    i = (size_t) (ask - item->asks);
    ask->create = (judge_pair_create_t) {
        .op = {
            .kind = JUDGE_OP_PAIR_CREATE, .org = run->work.org,
            .arena = ask->call.arena, .done = judge_pair_ask_stored,
            .data = ask
        },
        .id = run->batch.find.id,
        .owner = judge_service_owner(run->work.service),
        .judge_id = run->batch.judge,
        .row = {
            .item = (int64_t) item->number,
            .first = (int64_t) item->order.ask[i],
            .second = (int64_t) item->order.ask[1 - i],
            .answered_at = judge_now(run->work.service),
            .model = run->work.service->settings.models[ask->call.model].name,
            .calls = ask->calls + judge_pair_ask_calls(ask),
            .tokens = ask->tokens + ask->call.used,
            .answer = judge_pair_ask_text(ask)
        }
    };

    if (ask->create.row.answer.data == NULL) {
        ask->create.op.rc = JUDGE_NOMEM;
        judge_pair_ask_stored(&ask->create.op);
    } else {
        judge_submit(run->work.service, &ask->create.op);
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

    now = judge_now(run->work.service);

    switch (call->outcome) {

    case JUDGE_LLM_CALL_UNPAID:
        return judge_budget_plan(run->work.service->budget, run->work.org,
                                 &call->limits, now, call->wait, call->paid);

    case JUDGE_LLM_CALL_TRANSIENT:
        return now + judge_retry_exponential(&judge_pair_backoff,
                                             (unsigned) run->claim.tries,
                                             &call->attempt,
                                             judge_service_random());

    case JUDGE_LLM_CALL_STOPPED:
        return now;

    default:
        return now + run->work.service->settings.lease;
    }
}


/* Asks the next model. */

static void
judge_pair_ask(judge_pair_ask_t *ask)
{
    ask->item->run->calls_left--;

    if (judge_pair_ask_set(ask->item, ask)) {
        judge_llm_call(&ask->call);
    } else {
        ask->call.outcome = JUDGE_LLM_CALL_FAULT;
        judge_pair_ask_done(&ask->call);
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
        ask->model++;
        judge_arena_destroy(call->arena);
        judge_pair_ask(ask);
        return;
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
        judge_pair_run_retry(run, judge_pair_ask_later(ask));
    }
    item->models.count = 0;
    judge_pair_ask_over(ask);
}


/* Asks for the orders of the item's pair that have no answer, if calls are
 * left for them. */

static void
judge_pair_item_ask(judge_pair_run_t *run, judge_pair_item_t *item)
{
    bool           wanted[2];
    size_t         i;
    const size_t  *pair = item->order.ask;

    for (i = 0; i < 2; i++) {
        wanted[i] = *judge_paired_signs(&item->pairs, pair[i], pair[1 - i])
                    == JUDGE_PAIRED_UNASKED;
    }

    if (wanted[0] + wanted[1] > run->calls_left) {
        return;
    }

    for (i = 0; i < 2; i++) {
        if (wanted[i]) {
            item->asks[i] = (judge_pair_ask_t) {
                .item = item, .shown = { &item->items[pair[i]],
                                         &item->items[pair[1 - i]] }
            };
            run->asking++;
            run->pending++;
            judge_pair_ask(&item->asks[i]);
        }
    }
}


void
judge_pair_items_ask(judge_leased_t *work)
{
    judge_pair_run_t   *run = (judge_pair_run_t *) work;
    judge_pair_item_t  *item;

    run->asking = 0;
    run->pending = 1;                  /* calls may end while others begin */

    for (item = run->items; item < run->items + run->nitems; item++) {
        if (item->order.state == JUDGE_PAIRED_ASK && item->models.count
            && !run->ending)
        {
            judge_pair_item_ask(run, item);
        }
    }

    if (--run->pending == 0) {
        run->answered(run);
    }
}
