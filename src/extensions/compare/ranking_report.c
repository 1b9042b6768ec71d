/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* GET /batches/{batch_id}/ranking: reads the scores of a batch, the pairs
 * that a model has compared and what people prefer, and ranks the systems. */


#include <math.h>

#include "base/core/hash.h"
#include "api/http/request.h"
#include "api/judges/criteria.h"
#include "extensions/compare/paired.h"
#include "extensions/compare/comparison.h"
#include "extensions/compare/compare.h"


#define JUDGE_RANKING_PREFERENCES  100000        /* are read, at most */
#define JUDGE_RANKING_ANSWERS      200000        /* likewise */

/* How often scores agree with people's preferences.  A preference counts for
 * the pairs of the winner and each other system; a tie, for all pairs. */
typedef struct {
    double  preferences;
    double  pairs;
    double  decided;                   /* by people and by scores */
    double  right;                     /* decided alike by both */
    double  ties;                      /* ties for both */
    double  measured;                  /* decided by people, texts of different
                                          lengths */
    double  longer;                    /* of measured: the longer text won */
} judge_ranking_people_t;

/* What is reported of a criterion, or overall. */
typedef struct {
    judge_paired_bias_t     bias;
    judge_ranking_t         figure;
    judge_ranking_people_t  people;
} judge_ranked_t;

typedef struct {
    judge_scored_t           *reading; /* first: see judge_scored_read() */
    judge_scored_t            scored;
    judge_compared_batch_t    batch;
    judge_comparison_load_t   load;
    size_t                    ntargets;
    size_t                    items;   /* that are ranked */
    size_t                   *units;   /* by item */
    size_t                    preference;        /* the next in load */
    bool                     *asked;   /* by target: a model compared pairs */
    judge_ranked_t           *ranked;  /* by target */
    int64_t                   tokens;
} judge_rank_t;


static void judge_rank_found(judge_req_t *r);
static void judge_rank_read(judge_req_t *r);
static void judge_rank_compute(judge_req_t *r);
static void judge_rank_answer(judge_req_t *r);


static const judge_field_t  judge_rank_query[] = {
    judge_compared_judge_field(judge_rank_t, batch),
    { .name = NULL }
};


const judge_route_t  judge_ranking_routes[] = {
    { judge_route(GET, "/batches/{batch_id}/ranking",
                  JUDGE_MAY_READ_EVALUATIONS, 0, judge_rank_t),
      .query = judge_rank_query, .resource = &judge_batches_resource,
      .op = { judge_route_op(JUDGE_OP_COMPARISON_FIND, judge_rank_t,
                             batch.find.),
              .missing = "there is no such batch with the texts of systems",
              .next = judge_rank_found } },
    { .pattern = NULL }
};


static void
judge_rank_found(judge_req_t *r)
{
    judge_rank_t  *c = r->ctx;

    if (!judge_compared_ended(r, &c->batch)
        || !judge_compared_found(r, &c->batch))
    {
        return;
    }

    c->ntargets = c->batch.criteria.count + 1;
    c->items = c->batch.items < JUDGE_COMPARED_ITEMS ? c->batch.items
                                                     : JUDGE_COMPARED_ITEMS;
    c->scored = (judge_scored_t) {
        .batch = &c->batch, .criteria = c->batch.criteria,
        .most = c->items * c->batch.n
    };
    judge_scored_read(r, &c->scored, judge_rank_read);
}


static void
judge_rank_read(judge_req_t *r)
{
    judge_rank_t  *c = r->ctx;

    c->load = (judge_comparison_load_t) {
        .op.kind = JUDGE_OP_COMPARISON_LOAD, .id = c->batch.find.id,
        .judge_id = c->batch.judge, .last = INT64_MAX,
        .max_answers = JUDGE_RANKING_ANSWERS,
        .max_preferences = judge_auth_may(r, JUDGE_MAY_READ_FEEDBACK)
                           ? JUDGE_RANKING_PREFERENCES : 0
    };
    judge_await_compute(r, &c->load.op, judge_rank_compute, judge_rank_answer);
}


/* --- In a thread: units -------------------------------------------------- */

/* Finds the unit of resampling of each item.  Those with the same source are
 * one cluster. */

static judge_rc_e
judge_rank_units(judge_rank_t *c, judge_arena_t *arena)
{
    size_t                    i, k;
    const judge_scored_row_t *row = c->scored.rows;
    judge_difference_pair_t  *order;

    c->units = judge_array_alloc(arena, c->items + 1, sizeof(size_t));
    order = judge_array_alloc(arena, c->items + 1,
                              sizeof(judge_difference_pair_t));
    if (c->units == NULL || order == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < c->items; i++) {
        order[i] = (judge_difference_pair_t) {
            .places = { i }, .cluster = judge_mix(i + 1)
        };
        for (k = 0; k < c->batch.n; k++, row++) {
            order[i].cluster = row->source ? row->source : order[i].cluster;
        }
    }

    judge_difference_units(order, c->items);

    for (i = 0; i < c->items; i++) {
        c->units[order[i].places[0]] = order[i].unit;
    }

    return JUDGE_OK;
}


/* --- In a thread: people ------------------------------------------------- */

static void
judge_rank_pair(judge_ranking_people_t *people, int sign, bool tie,
    const judge_scored_row_t *better, const judge_scored_row_t *worse)
{
    bool  measured = better->size && worse->size
                     && better->size != worse->size;

    if (sign == JUDGE_COMPARED_UNKNOWN) {
        return;
    }

    people->pairs++;
    if (tie) {
        people->ties += sign == 0;
        return;
    }

    people->decided += sign != 0;
    people->right += sign > 0;
    people->measured += measured;
    people->longer += measured && better->size > worse->size;
}


/* Counts a preference: the pairs of the winner, or all if it is a tie. */

static void
judge_rank_people(judge_rank_t *c, size_t t, size_t item,
    const judge_candidate_t *list, int64_t winner)
{
    size_t                     a, b, n = c->batch.n;
    const judge_scored_row_t  *rows = c->scored.rows + item * n;

    if (winner >= (int64_t) n) {
        return;
    }

    c->ranked[t].people.preferences++;

    for (a = 0; a < n; a++) {
        for (b = 0; b < n; b++) {
            if (winner < 0 ? a < b : a == (size_t) winner && b != a) {
                judge_rank_pair(&c->ranked[t].people,
                                judge_comparison_sign(&list[a], &list[b]),
                                winner < 0, &rows[a], &rows[b]);
            }
        }
    }
}


/* Counts what the table says of the item, and what was said later. */

static void
judge_rank_preferences(judge_rank_t *c, size_t item,
    const judge_candidate_t *compared)
{
    size_t                         i, t, n = c->batch.n;
    int8_t                         winner = JUDGE_SCORED_NOBODY;
    const judge_scored_row_t      *rows = c->scored.rows + item * n;
    const judge_criterion_row_t   *criteria = c->batch.criteria.items;
    const judge_preference_row_t  *row;

    for (i = 0; i < n; i++) {
        winner = rows[i].preferred != JUDGE_SCORED_NOBODY ? rows[i].preferred
                                                          : winner;
    }

    if (winner != JUDGE_SCORED_NOBODY) {
        judge_rank_people(c, 0, item, compared, winner);
    }

    for ( /* void */ ; c->preference < c->load.npreferences; c->preference++) {
        row = &c->load.preferences[c->preference];
        if (row->item != (int64_t) item) {
            return;
        }

        for (t = 0; t < c->ntargets; t++) {
            if (judge_str_eq(row->criterion_id, t ? criteria[t - 1].id
                                                  : JUDGE_STR("")))
            {
                judge_rank_people(c, t, item, compared + t * n, row->winner);
            }
        }
    }
}


/* --- In a thread: items -------------------------------------------------- */

/* Finds the criteria that were asked about: one that was for one item is
 * compared so for all. */

static judge_rc_e
judge_rank_asked(judge_rank_t *c, judge_arena_t *arena, judge_arena_t *scratch)
{
    size_t          i;
    judge_rc_e      rc;
    judge_paired_t  all;

    rc = judge_paired_init(arena, &c->batch, &all);

    for (i = 0; i < c->load.nanswers && rc == JUDGE_OK; i++) {
        judge_arena_reset(scratch);
        rc = judge_paired_add(scratch, &all, &c->load.answers[i]);
    }

    c->asked = all.asked;
    c->tokens = all.tokens;

    return rc;
}


/* Where a model has compared the texts, places in the order replace the
 * scores. */

static void
judge_rank_item(judge_rank_t *c, size_t item, judge_paired_t *pairs)
{
    size_t                i, t, n = c->batch.n;
    judge_candidate_t    *list = pairs->compared;
    judge_paired_order_t  order;

    pairs->asked = c->asked;

    for (t = 0; t < c->ntargets; t++, list += n) {
        judge_paired_bias(pairs, t, &c->ranked[t].bias);

        if (c->asked[t]) {
            judge_paired_order(pairs, t, &order);
        }

        for (i = 0; i < n && c->asked[t]; i++) {
            list[i].score = order.place[i] < JUDGE_COMPARED_MAX
                            ? -(double) order.place[i] : NAN;
        }

        judge_ranking_add(&c->ranked[t].figure, c->units[item], list);
    }

    judge_rank_preferences(c, item, pairs->compared);
}


static judge_rc_e
judge_rank_items(judge_rank_t *c, judge_arena_t *scratch)
{
    size_t          item, at;
    judge_rc_e      rc = JUDGE_OK;
    judge_paired_t  pairs;

    for (item = 0, at = 0; item < c->items && rc == JUDGE_OK; item++) {
        judge_arena_reset(scratch);
        rc = judge_paired_read(scratch, &c->batch, &c->scored, &c->load, item,
                               &at, &pairs);
        if (rc == JUDGE_OK) {
            judge_rank_item(c, item, &pairs);
        }
    }

    return rc;
}


static judge_rc_e
judge_rank_begin(judge_rank_t *c, judge_arena_t *arena)
{
    size_t      t;
    judge_rc_e  rc;

    c->ranked = judge_array_alloc(arena, c->ntargets, sizeof(judge_ranked_t));
    rc = c->ranked ? judge_rank_units(c, arena) : JUDGE_NOMEM;

    for (t = 0; t < c->ntargets && rc == JUDGE_OK; t++) {
        rc = judge_ranking_begin(arena, c->batch.n, &c->ranked[t].figure);
    }

    return rc;
}


static void
judge_rank_compute(judge_req_t *r)
{
    size_t          t, draws;
    uint64_t        seed;
    judge_rank_t   *c = r->ctx;
    judge_arena_t  *scratch;

    draws = judge_ranking_draws(c->batch.n, c->ntargets);
    seed = judge_fnv(JUDGE_FNV_START, c->batch.find.id.data,
                     c->batch.find.id.len);
    scratch = judge_arena_create(64 * 1024);
    r->rc = scratch ? judge_rank_begin(c, r->arena) : JUDGE_NOMEM;
    r->rc = r->rc ? r->rc : judge_rank_asked(c, r->arena, scratch);
    r->rc = r->rc ? r->rc : judge_rank_items(c, scratch);

    for (t = 0; t < c->ntargets && r->rc == JUDGE_OK; t++) {
        judge_arena_reset(scratch);
        r->rc = judge_ranking_end(scratch, seed + t, draws,
                                  &c->ranked[t].figure);
    }

    judge_arena_destroy(scratch);
}


/* --- The answer ---------------------------------------------------------- */

static void
judge_rank_put_people(judge_json_writer_t *w, const judge_ranking_people_t *p)
{
    if (p->preferences == 0) {
        return;
    }

    judge_json_key_object(w, "people");
    judge_json_put_int(w, "preferences", (int64_t) p->preferences);
    judge_json_put_int(w, "pairs", (int64_t) p->pairs);
    judge_json_put_int(w, "decided", (int64_t) p->decided);
    judge_json_put_number4(w, "agreement", p->right / p->decided);
    judge_json_put_number4(w, "agreement_with_ties", (p->right + p->ties)
                                                     / p->pairs);
    judge_json_put_number4(w, "longer", p->longer / p->measured);
    judge_json_object_end(w);
}


static void
judge_rank_put_system(judge_json_writer_t *w, const judge_rank_t *c,
    const judge_ranking_t *figure, size_t i)
{
    size_t  j;
    double  wins, ties, losses;

    for (j = 0, wins = 0, ties = 0, losses = 0; j < c->batch.n; j++) {
        wins += figure->wins[i][j];
        ties += figure->ties[i][j];
        losses += figure->wins[j][i];
    }

    judge_json_object(w);
    judge_json_put_str(w, "id", c->batch.names[i]);
    judge_json_put_number4(w, "strength", figure->strength[i]);
    judge_json_put_number4(w, "low", figure->low[i]);
    judge_json_put_number4(w, "high", figure->high[i]);
    judge_json_put_number4(w, "best", figure->best[i]);
    judge_json_put_int(w, "wins", (int64_t) wins);
    judge_json_put_int(w, "ties", (int64_t) ties);
    judge_json_put_int(w, "losses", (int64_t) losses);
    judge_json_object_end(w);
}


static void
judge_rank_put_pair(judge_json_writer_t *w, const judge_rank_t *c,
    const judge_ranking_t *figure, size_t a, size_t b)
{
    judge_json_object(w);
    judge_json_put_str(w, "id", c->batch.names[a]);
    judge_json_put_str(w, "against", c->batch.names[b]);
    judge_json_put_int(w, "wins", (int64_t) figure->wins[a][b]);
    judge_json_put_int(w, "ties", (int64_t) figure->ties[a][b]);
    judge_json_put_int(w, "losses", (int64_t) figure->wins[b][a]);
    judge_json_put_number4(w, "expected", 1 / (1 + exp(figure->strength[b]
                                                    - figure->strength[a])));
    judge_json_object_end(w);
}


static const char *
judge_rank_by(const judge_rank_t *c, size_t target)
{
    return c->asked[target] ? "pairs" : "scores";
}


/* Writes the systems by descending strength. */

static void
judge_rank_put_target(judge_json_writer_t *w, const void *report, size_t t)
{
    size_t                  i, at, order[JUDGE_COMPARED_MAX];
    const judge_rank_t     *c = report;
    const judge_ranking_t  *figure = &c->ranked[t].figure;

    judge_comparison_sort(figure->strength, c->batch.n, order);
    judge_json_put_c(w, "compared_by", judge_rank_by(c, t));
    judge_json_put_number4(w, "position_bias", c->ranked[t].bias.differ
                                               / c->ranked[t].bias.both);
    judge_json_put_int(w, "items", (int64_t) figure->items);
    judge_json_put_int(w, "clusters", (int64_t) figure->clusters);
    judge_json_key_array(w, "systems");

    for (i = 0; i < c->batch.n; i++) {
        judge_rank_put_system(w, c, figure, order[i]);
    }

    judge_json_array_end(w);
    judge_json_key_array(w, "pairs");

    for (i = 0; i < c->batch.n; i++) {
        for (at = i + 1; at < c->batch.n; at++) {
            judge_rank_put_pair(w, c, figure, order[i], order[at]);
        }
    }

    judge_json_array_end(w);
    judge_rank_put_people(w, &c->ranked[t].people);
}


static void
judge_rank_answer(judge_req_t *r)
{
    judge_rank_t         *c = r->ctx;
    judge_json_writer_t  *w;

    w = judge_reply_begin(r, 200);
    judge_json_put_str(w, "batch_id", c->batch.find.id);
    judge_json_put_str(w, "name", c->batch.find.row.name);
    judge_json_put_str(w, "judge_id", c->batch.judge);
    judge_json_put_int(w, "version_number", c->batch.version);
    judge_json_put_int(w, "items", (int64_t) c->items);
    judge_json_put_bool(w, "complete", c->items == c->batch.items);
    judge_json_put_c(w, "compared_by", judge_rank_by(c, 0));
    if (c->batch.find.pairs) {
        judge_compared_pairs(w, &c->batch, c->batch.find.calls, c->tokens);
        judge_json_object_end(w);
    }
    judge_json_put_number(w, "coverage", JUDGE_DIFFERENCE_COVERAGE);
    judge_compared_targets(w, &c->batch.criteria, judge_rank_put_target, c);
    judge_reply_end(r);
}
