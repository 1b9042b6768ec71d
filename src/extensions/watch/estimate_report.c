/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Estimates the mean score that people would give to a judge's evaluations of
 * a period or a batch.  Reads the corrections, then the number of evaluations,
 * then the scores of all evaluations or of an evenly spaced sample. */


#include <math.h>
#include <string.h>

#include "extensions/watch/estimate.h"
#include "store/store_watch.h"
#include "work/calibration/scores.h"
#include "work/training/training_data.h"
#include "api/batches/batches.h"
#include "api/http/response_cache.h"
#include "api/judges/judge_version.h"
#include "extensions/watch/watch.h"


#define JUDGE_ESTIMATE_CORRECTED  10000          /* evaluations, at most */
#define JUDGE_ESTIMATE_SCORES     10000          /* size of the sample */
#define JUDGE_ESTIMATE_COUNTED    100000         /* counted by one read */
#define JUDGE_ESTIMATE_PAGE       200

#define JUDGE_ESTIMATE_NOTE                                                   \
    "The interval holds if what people corrected was drawn at random from"    \
    " these evaluations. Where they chose it, or took it from the review"     \
    " queue, the estimate leans towards what they chose."

/* What is reported of a criterion, or overall. */
typedef struct {
    judge_estimate_sum_t  all;         /* scores */
    judge_estimate_sum_t  others;      /* those that were not corrected */
    judge_estimate_t      estimate;
    size_t                corrections;
} judge_estimate_target_t;

typedef struct {
    judge_instant_t          from;
    judge_instant_t          to;
    judge_str_t              judge;    /* query parameter: a batch's judge */
    int64_t                  njudges;  /* of the batch; without one, 1 */
    judge_judge_find_t       find;
    judge_batch_find_t       batch;
    judge_id_t               after;    /* ids that bound the evaluations */
    judge_id_t               until;
    judge_report_criteria_t  criteria;
    size_t                   ntargets; /* criteria + 1 for the overall score */
    judge_training_data_t    data;
    size_t                   nitems;   /* items in data that are corrected */
    judge_score_count_t      counted;
    judge_score_list_t       page;
    judge_id_t               last;
    int64_t                  total;    /* number of evaluations */
    size_t                   next;     /* index in data */
    judge_estimate_target_t *targets;
    size_t                   nread;
    size_t                   nreview;
    size_t                   nreview_corrected;
} judge_estimating_t;


static void judge_estimate_batch_found(judge_req_t *r);
static void judge_estimate_found(judge_req_t *r);
static void judge_estimate_gathered(judge_training_data_t *data);
static void judge_estimate_cleanup(judge_req_t *r);
static void judge_estimate_count(judge_req_t *r);
static void judge_estimate_counted(judge_req_t *r);
static void judge_estimate_compute(judge_req_t *r);
static void judge_estimate_read(judge_req_t *r);
static void judge_estimate_answer(judge_req_t *r);


static const judge_field_t  judge_estimate_query[] = {
    judge_field(judge_estimating_t, from, TIME, 0, 0, 0),
    judge_field(judge_estimating_t, to, TIME, 0, 0, 0),
    { .name = NULL }
};

static const judge_field_t  judge_estimate_batch_query[] = {
    judge_field_as("judge_id", judge_estimating_t, judge, STRING, 0, 1, 40),
    { .name = NULL }
};

const judge_route_t  judge_estimate_routes[] = {
    { judge_route(GET, "/judges/{judge_id}/estimate", JUDGE_MAY_READ_FEEDBACK,
                  0, judge_estimating_t),
      .query = judge_estimate_query,
      .resource = &judge_judges_resource,
      .op = { judge_route_op(JUDGE_OP_JUDGE_FIND, judge_estimating_t, find.),
              .next = judge_estimate_found } },
    { judge_route(GET, "/batches/{batch_id}/estimate",
                  JUDGE_MAY_READ_FEEDBACK, 0, judge_estimating_t),
      .query = judge_estimate_batch_query,
      .resource = &judge_batches_resource,
      .op = { judge_route_op(JUDGE_OP_BATCH_FIND, judge_estimating_t,
                             batch.),
              .flag = offsetof(judge_estimating_t, batch.brief),
              .next = judge_estimate_batch_found } },
    { .pattern = NULL }
};


static void
judge_estimate_batch_found(judge_req_t *r)
{
    int64_t              version;
    judge_estimating_t  *c = r->ctx;

    if (judge_batch_judge(r, &c->batch.row, "judge_id", c->judge, &c->find.id,
                          &version, &c->njudges))
    {
        c->find.op.kind = JUDGE_OP_JUDGE_FIND;
        judge_await_found(r, &c->find.op, "there is no such judge",
                          judge_estimate_found);
    }
}


static judge_rc_e
judge_estimate_targets(judge_req_t *r)
{
    judge_rc_e           rc;
    judge_estimating_t  *c = r->ctx;

    rc = judge_report_criteria(r->arena, c->find.row.criteria, &c->criteria);
    c->ntargets = c->criteria.rows.count + 1;
    c->targets = judge_array_alloc(r->arena, c->ntargets,
                                   sizeof(judge_estimate_target_t));

    return rc ? rc : c->targets ? JUDGE_OK : JUDGE_NOMEM;
}


static void
judge_estimate_found(judge_req_t *r)
{
    judge_estimating_t  *c = r->ctx;

    c->njudges = c->njudges ? c->njudges : 1;

    if (c->from.set && c->to.set && c->from.value >= c->to.value) {
        judge_fail(r, 400, "to: expected a time after that of from");
        return;
    }

    judge_id_bound(&c->after, "evl", c->from.set && c->from.value > 0
                                     ? c->from.value
                                     : c->batch.row.created_at);
    judge_id_set(&c->until, JUDGE_STR("evl_~"));
    if (c->to.set) {
        judge_id_bound(&c->until, "evl", c->to.value > 0 ? c->to.value : 0);
    }

    if (judge_response_of_judge(r, c->find.id, c->find.row.version)
        || !judge_check(r, judge_estimate_targets(r), NULL))
    {
        return;
    }

    c->data = (judge_training_data_t) {
        .service = r->service, .org = r->org, .judge_id = c->find.id,
        .criteria = c->criteria.ids, .ncriteria = c->criteria.rows.count,
        .batch_id = c->batch.id, .after = judge_id_str(&c->after),
        .before = judge_id_str(&c->until), .most = JUDGE_ESTIMATE_CORRECTED,
        .done = judge_estimate_gathered,
        .data = r
    };
    r->cleanup = judge_estimate_cleanup;
    r->binding->hold(r);
    judge_training_data_gather(&c->data);
}


/* --- What people corrected ----------------------------------------------- */

static void
judge_estimate_cleanup(judge_req_t *r)
{
    judge_estimating_t  *c = r->ctx;

    judge_training_data_free(&c->data);
}


/* Tells whether people corrected a score that the judge gave for this target;
 * if the target is the overall score, a correction of any target counts. */

static bool
judge_estimate_is(const judge_training_data_t *l, size_t item, size_t target)
{
    size_t  t, at;

    for (t = 0; t < l->ntargets; t++) {
        at = item * l->ntargets + t;
        if ((t == target || target == l->ncriteria)
            && !isnan(l->corrected[at]) && !isnan(l->shown[at]))
        {
            return true;
        }
    }

    return false;
}


static void
judge_estimate_gathered(judge_training_data_t *data)
{
    size_t               i;
    judge_req_t         *r = data->data;
    judge_estimating_t  *c = r->ctx;

    if (!r->binding->release(r) || !judge_check(r, data->rc, NULL)) {
        return;
    }

    for (i = 0; i < data->n; i++) {
        if (judge_estimate_is(data, i, data->ncriteria)) {
            c->nitems++;
            c->nreview_corrected += data->items[i].review;
        }
    }

    c->last = c->after;
    judge_estimate_count(r);
}


/* --- All scores ---------------------------------------------------------- */

static void
judge_estimate_count(judge_req_t *r)
{
    judge_estimating_t  *c = r->ctx;

    c->counted = (judge_score_count_t) {
        .op.kind = JUDGE_OP_SCORE_COUNT, .judge_id = c->find.id,
        .batch_id = c->batch.id, .after = judge_id_str(&c->last),
        .until = judge_id_str(&c->until), .limit = JUDGE_ESTIMATE_COUNTED
    };
    judge_await_page(r, &c->counted.op, judge_estimate_counted);
}


static void
judge_estimate_page(judge_req_t *r)
{
    int64_t              stride;
    judge_estimating_t  *c = r->ctx;

    /* The rows of a batch alternate between its judges.  A stride that is 1
     * modulo the number of judges therefore reaches the rows of each judge. */
    stride = (c->total - (c->total > 0)) / JUDGE_ESTIMATE_SCORES;
    stride = 1 + (stride + c->njudges - 1) / c->njudges * c->njudges;

    c->page = (judge_score_list_t) {
        .op.kind = JUDGE_OP_SCORE_LIST, .judge_id = c->find.id,
        .batch_id = c->batch.id, .after = judge_id_str(&c->last),
        .until = judge_id_str(&c->until), .limit = JUDGE_ESTIMATE_PAGE,
        .stride = stride
    };
    judge_await_page(r, &c->page.op, judge_estimate_compute);
}


static void
judge_estimate_counted(judge_req_t *r)
{
    judge_estimating_t  *c = r->ctx;

    if (!judge_check(r, c->counted.op.rc, NULL)) {
        return;
    }

    c->total += c->counted.count;

    if (c->counted.count == JUDGE_ESTIMATE_COUNTED) {
        judge_id_set(&c->last, c->counted.last);
        judge_estimate_count(r);
        return;
    }

    c->last = c->after;
    judge_estimate_page(r);
}


static void
judge_estimate_compute(judge_req_t *r)
{
    judge_estimating_t  *c = r->ctx;

    if (judge_check(r, c->page.op.rc, NULL)) {
        judge_compute(r, judge_estimate_read,
                      c->page.count == JUDGE_ESTIMATE_PAGE
                      ? judge_estimate_page : judge_estimate_answer);
    }
}


/* --- In a thread --------------------------------------------------------- */

/* Adds the scores of the evaluation c->last.  Evaluations and corrected items
 * are both sorted by identifier, so that c->next only moves forward. */

static void
judge_estimate_add_row(judge_estimating_t *c, const judge_score_t *scores,
    size_t n)
{
    bool                          corrected;
    size_t                        i, t;
    const judge_training_item_t  *items = c->data.items;

    while (c->next < c->data.n
           && strcmp(items[c->next].evaluation.text, c->last.text) < 0)
    {
        c->next++;
    }

    corrected = c->next < c->data.n
           && strcmp(items[c->next].evaluation.text, c->last.text) == 0;

    for (i = 0; i < n; i++) {
        t = i ? judge_str_index(c->criteria.ids, c->ntargets - 1,
                                scores[i].criterion_id) : c->ntargets - 1;
        if (i && t == c->ntargets - 1) {
            continue;
        }

        judge_estimate_add(&c->targets[t].all, scores[i].score);
        if (!corrected || !judge_estimate_is(&c->data, c->next, t)) {
            judge_estimate_add(&c->targets[t].others, scores[i].score);
        }
    }
}


static judge_rc_e
judge_estimate_end(judge_estimating_t *c, judge_arena_t *arena)
{
    size_t                  i, t, at, n;
    double                 *human, *given;
    judge_training_data_t  *l = &c->data;

    human = judge_array_alloc(arena, l->n + 1, sizeof(double));
    given = judge_array_alloc(arena, l->n + 1, sizeof(double));
    if (human == NULL || given == NULL) {
        return JUDGE_NOMEM;
    }

    for (t = 0; t < c->ntargets; t++) {
        for (i = 0, n = 0; i < l->n; i++) {
            at = i * l->ntargets + t;
            if (!judge_estimate_is(l, i, t)) {
                continue;
            }

            given[n] = (double) l->shown[at];
            human[n] = t < l->ncriteria ? (double) l->corrected[at]
                       : (double) judge_training_data_people(l, i,
                                      &l->corrected[at - t],
                                      c->criteria.weights);
            n += !isnan(human[n]) && !isnan(given[n]);
        }

        c->targets[t].corrections = n;
        c->targets[t].estimate = judge_estimate(human, given, n,
                                                &c->targets[t].others);
    }

    return JUDGE_OK;
}


static void
judge_estimate_read(judge_req_t *r)
{
    size_t                    i;
    judge_arena_t            *arena;
    judge_scores_t            scores;
    judge_estimating_t       *c = r->ctx;
    const judge_score_row_t  *row;

    arena = judge_arena_create(64 * 1024);
    r->rc = arena ? JUDGE_OK : JUDGE_NOMEM;

    for (i = 0; i < c->page.count && r->rc == JUDGE_OK; i++) {
        row = &c->page.rows[i];
        judge_id_set(&c->last, row->id);

        if (row->counts && row->body.data) {
            judge_arena_reset(arena);
            r->rc = judge_scores_read(arena, row->body, &scores);
            if (r->rc == JUDGE_OK && scores.n) {
                c->nread++;
                c->nreview += row->review;
                judge_estimate_add_row(c, scores.scores, scores.n);
            }
        }
    }

    if (r->rc == JUDGE_OK && c->page.count < JUDGE_ESTIMATE_PAGE) {
        judge_arena_reset(arena);
        r->rc = judge_estimate_end(c, arena);
    }

    judge_arena_destroy(arena);
}


/* --- The answer ---------------------------------------------------------- */

static void
judge_estimate_target(judge_json_writer_t *w, const void *report, size_t t)
{
    const judge_estimate_target_t  *target;
    const judge_estimate_t         *e;

    target = &((const judge_estimating_t *) report)->targets[t];
    e = &target->estimate;
    judge_json_put_int(w, "corrections", (int64_t) target->corrections);

    if (target->all.n) {
        judge_json_put_number2(w, "given_mean", target->all.mean);
    }

    if (!isnan(e->mean)) {
        judge_json_put_number2(w, "human_mean", e->mean);
        judge_json_put_number2(w, "lambda", e->lambda);
    }

    judge_json_put_number2(w, "low", e->low);
    judge_json_put_number2(w, "high", e->high);
    if (!isnan(e->low)) {
        judge_json_put_bool(w, "holds",
                            target->corrections >= JUDGE_ESTIMATE_HOLDS);
    }
}


/* The report of a sample is cached, although more evaluations may have ended
 * since. */

static void
judge_estimate_answer(judge_req_t *r)
{
    judge_json_writer_t  *w;
    judge_estimating_t   *c = r->ctx;

    w = judge_reply_begin(r, 200);
    judge_json_put_str(w, "judge_id", c->find.id);
    judge_json_put_str(w, "batch_id", c->batch.id);
    judge_json_put_time_if(w, "from", c->from.value);
    judge_json_put_time_if(w, "to", c->to.value);
    judge_json_put_int(w, "evaluations", (int64_t) c->nread);
    judge_json_put_bool(w, "complete",
                        c->total <= JUDGE_ESTIMATE_SCORES && !c->data.cut);
    judge_json_put_int(w, "corrected", (int64_t) c->nitems);
    judge_json_put_number(w, "coverage", JUDGE_ESTIMATE_COVERAGE);

    judge_json_key_object(w, "needs_review");
    judge_json_put_number2(w, "of_all", (double) c->nreview
                                        / (double) c->nread);
    judge_json_put_number2(w, "of_corrected", (double) c->nreview_corrected
                                              / (double) c->nitems);
    judge_json_object_end(w);
    judge_json_put_c(w, "sampling", "unknown");
    judge_json_put_c(w, "note", JUDGE_ESTIMATE_NOTE);

    judge_json_key_object(w, "overall");
    judge_estimate_target(w, c, c->ntargets - 1);
    judge_json_object_end(w);
    judge_report_each(w, &c->criteria.rows, 0, judge_estimate_target, c);

    if (judge_reply_ready(r)) {
        if (c->total > JUDGE_ESTIMATE_SCORES || c->data.cut) {
            judge_response_keep(r);
        }
        judge_reply_send(r);
    }
}
