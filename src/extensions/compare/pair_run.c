/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Comparing pairs of texts by a language model.  One worker claims a batch
 * whose evaluations have ended, and works on some of its items at a time, in
 * rounds: it reads the stored answers, asks about the pair that each item
 * needs next to sort its texts, in both orders at once, and stores each answer
 * when it comes, until no item needs another one.  A question whose answer is
 * stored is not asked again.
 */


#include "store/store_settings.h"
#include "analysis/aspects/method.h"
#include "analysis/builtin/conversation.h"
#include "analysis/checks/checks.h"
#include "analysis/llm/reply.h"
#include "analysis/llm/panel.h"
#include "analysis/builtin/engine.h"
#include "work/llm/llm_call.h"
#include "work/llm/llm_catalog.h"
#include "work/service/extension.h"
#include "api/judges/criteria.h"
#include "extensions/compare/paired.h"


#define JUDGE_PAIR_ITEMS  8            /* items of a run at once */
#define JUDGE_PAIR_TEXTS  32           /* texts of these, at most */
#define JUDGE_PAIR_TRIES  100          /* claims without an answer */

typedef struct judge_pair_run   judge_pair_run_t;
typedef struct judge_pair_item  judge_pair_item_t;

/* A question: one order of a pair. */
typedef struct {
    judge_llm_call_t        call;
    judge_pair_item_t      *item;
    const judge_item_t     *shown[2];
    int8_t                 *signs;     /* by criterion that is asked for */
    judge_pair_create_t     create;
    size_t                  model;     /* index in item->models */
    int64_t                 calls;     /* to models that failed before */
    int64_t                 tokens;    /* of these calls */
} judge_pair_ask_t;

struct judge_pair_item {
    judge_pair_run_t           *run;
    judge_paired_t              pairs;
    judge_paired_order_t        order;
    judge_item_t                items[JUDGE_COMPARED_MAX];
    judge_llm_order_t           models;          /* none: nothing is asked */
    judge_pair_ask_t            asks[2];
};

/* A batch that this worker has claimed. */
struct judge_pair_run {
    judge_leased_t           work;     /* first: see leased.h */
    judge_pairs_claim_t      claim;
    judge_compared_batch_t   batch;
    judge_settings_find_t    settings;
    const judge_json_t      *judges;   /* those that follow this one */
    judge_rubric_t           rubric;
    judge_rubric_t           asked;    /* the criteria that models judge */
    size_t                  *asked_index;        /* of these, in the rubric */
    judge_scope_e            scope;
    judge_panel_t            panel;
    judge_arena_t           *scratch;  /* memory of all up to items */
    judge_comparison_load_t  load;
    judge_scored_t           scored;
    judge_pair_item_t       *items;    /* those under way, ... */
    size_t                   nitems;
    size_t                   first;    /* the number of the first of them */
    size_t                   asking;   /* questions of this round */
    size_t                   pending;  /* of these, and 1 while they begin */
    int64_t                  calls_left;
    judge_ms_t               deadline;
    judge_ms_t               retry_at; /* the earliest time; 0: nothing is to
                                          be retried */
    judge_pairs_lease_t      lease;
    judge_pairs_lease_t      renewal;
    bool                     open;     /* a question of this round has no
                                          answer, and waits for a retry */
    bool                     failed;   /* a call failed that may succeed
                                          later */
    bool                     ending;   /* nothing new is begun */
};


static const judge_retry_t  judge_pair_backoff = {
    .initial = 1000,
    .cap = 120 * 1000
};


static void judge_pair_ask_done(judge_llm_call_t *call);
static void judge_pair_run_answered(judge_pair_run_t *run);
static void judge_pair_run_round(judge_leased_t *work);


/* Schedules a retry of the run; the earliest time wins. */

static void
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
judge_pair_item_models(judge_pair_item_t *item,
    const judge_batch_scores_row_t *rows)
{
    size_t             i;
    judge_str_t        model = { 0, NULL };
    judge_pair_run_t  *run = item->run;

    for (i = 0; i < run->batch.n && model.data == NULL; i++) {
        model = rows[i].model;
    }

    if (model.data) {
        judge_llm_catalog_order(&item->models, run->scratch,
                                &run->work.service->settings, model,
                                &run->panel, run->settings.llm.fallback_models,
                                JUDGE_STR("text"), false);
    }
}


/* Finds the pair to be asked about next.  The overall order comes before those
 * by criterion. */

static void
judge_pair_item_choose(judge_pair_item_t *item)
{
    size_t  t;

    item->order.state = JUDGE_PAIRED_SETTLED;

    for (t = 0; t < item->pairs.ntargets
                && item->order.state == JUDGE_PAIRED_SETTLED; t++)
    {
        if (t == 0 || item->pairs.asked[t]) {
            judge_paired_order(&item->pairs, t, &item->order);
        }
    }
}


/* Reads the n-th item; *at is the index of its first answer. */

static judge_rc_e
judge_pair_item_read(judge_pair_run_t *run, size_t n, size_t *at)
{
    size_t                           i;
    judge_rc_e                       rc;
    judge_pair_item_t               *item = &run->items[n];
    const judge_batch_scores_row_t  *rows = run->load.rows + n * run->batch.n;

    item->run = run;
    judge_pair_item_models(item, rows);
    rc = judge_paired_read(run->scratch, &run->batch, &run->scored, &run->load,
                           n, at, &item->pairs);
    if (rc != JUDGE_OK) {
        return rc;
    }

    for (i = 0; i < run->asked.ncriteria; i++) {
        item->pairs.asked[run->asked_index[i] + 1] = true;
    }

    judge_pair_item_choose(item);

    for (i = 0; i < run->batch.n && rc == JUDGE_OK; i++) {
        if (rows[i].text.len == 0) {
            item->models.count = 0;    /* the text has been deleted */
        }
        item->items[i].text = rows[i].text.data ? rows[i].text : JUDGE_STR("");
        rc = judge_extensions_item(run->scratch, rows[i].metadata, run->scope,
                                   &item->items[i]);
    }

    return rc;
}


static judge_rc_e
judge_pair_items_read(judge_leased_t *work)
{
    size_t             i, at;
    judge_rc_e         rc;
    judge_pair_run_t  *run = (judge_pair_run_t *) work;

    rc = judge_scored_load(run->scratch, &run->batch, &run->load,
                           &run->scored);

    for (i = 0, at = 0; i < run->nitems && rc == JUDGE_OK; i++) {
        rc = judge_pair_item_read(run, i, &at);
    }

    return rc;
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
        judge_pair_run_answered(run);
    }
}


static void
judge_pair_ask_stored(judge_op_t *op)
{
    judge_pair_ask_t   *ask = op->data;
    judge_pair_run_t   *run = ask->item->run;

    run->work.lost |= op->rc == JUDGE_CONFLICT;
    run->work.rc = run->work.rc ? run->work.rc : op->rc;
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
            .item = run->load.first + (int64_t) (item - run->items),
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
    judge_pair_run_t  *run = ask->item->run;
    judge_llm_call_t  *call = &ask->call;

    run->calls_left--;
    judge_llm_call_init(call, run->work.service, run->work.org,
                        &run->settings.llm,
                        ask->item->models.models[ask->model],
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

    if (ask->signs) {
        judge_llm_call(call);
    } else {
        call->outcome = JUDGE_LLM_CALL_FAULT;
        judge_pair_ask_done(call);
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
    run->open = true;
    run->failed |= call->outcome == JUDGE_LLM_CALL_TRANSIENT;
    if (call->outcome != JUDGE_LLM_CALL_LATE) {
        judge_pair_run_retry(run, judge_pair_ask_later(ask));
    }
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


static void
judge_pair_items_ask(judge_leased_t *work)
{
    judge_pair_run_t   *run = (judge_pair_run_t *) work;
    judge_pair_item_t  *item;

    run->open = false;
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
        judge_pair_run_answered(run);
    }
}


/* --- The end of a run ---------------------------------------------------- */

/* Releases the batch: for good, or until the time of a retry. */

static void
judge_pair_run_end(judge_pair_run_t *run)
{
    int64_t  most = run->work.service->settings.model_attempts;

    run->ending = true;

    if (run->failed && run->claim.tries >= (most ? most : JUDGE_PAIR_TRIES)) {
        run->retry_at = 0;
    }

    run->lease = (judge_pairs_lease_t) {
        .id = run->claim.id, .owner = judge_service_owner(run->work.service),
        .due_at = run->retry_at, .release = true, .spare = !run->failed
    };
    judge_leased_last(&run->work, &run->lease.op, JUDGE_OP_PAIRS_LEASE,
                      judge_leased_over);
}


static void
judge_pair_run_stop(judge_leased_t *work)
{
    judge_pair_run_t  *run = (judge_pair_run_t *) work;

    if (!run->ending) {
        run->ending = true;
        judge_pair_run_retry(run, judge_now(work->service));
    }
}


/* After a failure of the service the run is retried when a lease has
 * passed. */

static void
judge_pair_run_failed(judge_leased_t *work)
{
    judge_pair_run_t  *run = (judge_pair_run_t *) work;

    if (work->rc != JUDGE_OK) {
        judge_pair_run_retry(run, judge_now(work->service)
                                  + work->service->settings.lease);
    }

    judge_pair_run_end(run);
}


/* --- Judges and their items ---------------------------------------------- */

/* Goes on with another round, or with the next items if no pair of these was
 * needed or can be asked about in this run. */

static void
judge_pair_run_answered(judge_pair_run_t *run)
{
    if (run->asking == 0 || run->open) {
        run->first += run->nitems;
    }

    judge_leased_go(&run->work, judge_pair_run_round);
}


/* Reads a judge, and finds the criteria that a model judges in evaluations.
 * One that can't be read, or has none of these, is skipped. */

static judge_rc_e
judge_pair_run_read(judge_leased_t *work)
{
    judge_rc_e                       rc;
    judge_arena_t                   *arena = work->arena;
    judge_pair_run_t                *run = (judge_pair_run_t *) work;
    const judge_comparison_judge_t  *judge = &run->batch.find.judge;

    run->calls_left = run->batch.find.pairs - run->batch.find.calls;
    run->asked.ncriteria = 0;
    run->scope = judge_scope_find(judge->scope);
    run->scope = run->scope == JUDGE_SCOPE_EACH ? JUDGE_SCOPE_WHOLE
                                                : run->scope;
    rc = judge_compared_names(arena, &run->batch);
    rc = rc ? rc : judge_criteria_read(arena, judge->criteria,
                                       &run->batch.criteria);
    rc = rc ? rc : judge_panel_read(arena, judge->panel, &run->panel);
    rc = rc ? rc : judge_rubric_read(arena, judge->name, judge->description,
                                     judge->criteria, &run->rubric);
    rc = rc ? rc : judge_checks_rubric(arena, arena, &run->rubric);
    rc = rc ? rc : judge_method_rubric(arena, &run->rubric, true);
    rc = rc ? rc : judge_method_asked(arena, &run->rubric, false, &run->asked,
                                      &run->asked_index);

    run->first = rc == JUDGE_OK && run->asked.ncriteria ? 0 : run->batch.items;

    return rc == JUDGE_NOMEM || rc == JUDGE_ERROR ? rc : JUDGE_OK;
}


/* Goes on with the next judge of the batch. */

static void
judge_pair_run_judge(judge_leased_t *work)
{
    judge_pair_run_t  *run = (judge_pair_run_t *) work;

    if (run->judges == NULL || run->judges->type != JUDGE_JSON_STRING
        || run->ending)
    {
        judge_pair_run_end(run);
        return;
    }

    run->batch.judge = run->judges->string;
    run->batch.find = (judge_comparison_find_t) {
        .id = run->claim.id, .judge_id = run->batch.judge
    };
    run->judges = run->judges->next;
    judge_leased_op_compute(work, &run->batch.find.op,
                            JUDGE_OP_COMPARISON_FIND, judge_pair_run_read,
                            judge_pair_run_round);
}


/* Begins a round, or goes on with the next judge after the last items. */

static void
judge_pair_run_round(judge_leased_t *work)
{
    size_t             n;
    judge_pair_run_t  *run = (judge_pair_run_t *) work;

    n = JUDGE_PAIR_TEXTS / run->batch.n;
    n = n < JUDGE_PAIR_ITEMS ? n : JUDGE_PAIR_ITEMS;
    n = run->batch.items - run->first < n ? run->batch.items - run->first : n;
    if (n == 0 || run->calls_left < 1 || run->ending) {
        judge_pair_run_judge(work);
        return;
    }

    judge_arena_reset(run->scratch);
    run->items = judge_array_alloc(run->scratch, n, sizeof(judge_pair_item_t));
    if (run->items == NULL
        || !judge_compared_load(run->scratch, &run->batch, run->first, n,
                                &run->load))
    {
        work->rc = JUDGE_NOMEM;
        judge_pair_run_failed(work);
        return;
    }

    run->load.max_text = (int64_t) run->work.service->settings.max_text;
    run->nitems = n;
    judge_leased_op_compute(work, &run->load.op, JUDGE_OP_COMPARISON_LOAD,
                            judge_pair_items_read, judge_pair_items_ask);
}


/* --- Claiming batches ---------------------------------------------------- */

static judge_op_t *
judge_pair_run_renew(judge_leased_t *work, judge_ms_t until)
{
    judge_pair_run_t  *run = (judge_pair_run_t *) work;

    run->renewal = (judge_pairs_lease_t) {
        .op.kind = JUDGE_OP_PAIRS_LEASE, .id = run->claim.id,
        .owner = judge_service_owner(work->service), .due_at = until
    };

    return &run->renewal.op;
}


static void
judge_pair_run_begin(judge_leased_t *work)
{
    judge_json_t      *judges;
    judge_pair_run_t  *run = (judge_pair_run_t *) work;

    work->org = run->claim.organization;
    work->rc = judge_json_parse(work->arena, run->claim.judge_ids, &judges,
                                NULL);
    run->scratch = judge_arena_create(16384);
    run->deadline = run->claim.completed_at + work->service->settings.deadline;

    if (work->rc != JUDGE_OK || run->scratch == NULL) {
        work->rc = work->rc ? work->rc : JUDGE_NOMEM;
        judge_pair_run_failed(work);

    } else if (run->deadline < judge_now(work->service)) {
        judge_pair_run_end(run);

    } else {
        run->judges = judges->type == JUDGE_JSON_ARRAY ? judges->first : NULL;
        judge_leased_op(work, &run->settings.op, JUDGE_OP_SETTINGS_FIND,
                        judge_pair_run_judge);
    }
}


static void
judge_pair_run_free(judge_leased_t *work)
{
    judge_arena_destroy(((judge_pair_run_t *) work)->scratch);
}


const judge_leased_kind_t  judge_pair_runs = {
    .size = sizeof(judge_pair_run_t),
    .most = 4,                         /* batches */
    .peek = JUDGE_OP_PAIRS_PEEK,
    .claim = JUDGE_OP_PAIRS_CLAIM,
    .claim_at = offsetof(judge_pair_run_t, claim),
    .evaluates = true,
    .setting = offsetof(judge_settings_t, lease),
    .renew = judge_pair_run_renew,
    .begin = judge_pair_run_begin,
    .free = judge_pair_run_free,
    .failed = judge_pair_run_failed,
    .stop = judge_pair_run_stop
};
