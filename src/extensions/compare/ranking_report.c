/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* GET /batches/{batch_id}/ranking: reads the scores of a batch, the pairs
 * that a model has compared and what people prefer, and ranks the systems. */


#include <math.h>
#include <string.h>

#include "base/core/hash.h"
#include "api/http/request.h"
#include "api/judges/criteria.h"
#include "extensions/compare/paired.h"
#include "extensions/compare/ranking.h"
#include "extensions/compare/scored.h"


#define JUDGE_RANKING_PREFERENCES  100000        /* are read, at most */
#define JUDGE_RANKING_ANSWERS      200000        /* likewise */

/* How often scores agree with people's preferences.  A preference counts for
 * the pairs of the winner and each other system; a tie, for all pairs. */
typedef struct {
    size_t  preferences;
    size_t  pairs;
    size_t  decided;                   /* by people and by scores */
    size_t  right;                     /* decided alike by both */
    size_t  ties;                      /* ties for both */
    size_t  measured;                  /* decided by people, texts of different
                                          lengths */
    size_t  longer;                    /* of measured: the longer text won */
} judge_ranking_people_t;

typedef struct {
    judge_scored_t           *reading; /* first: see judge_scored_read() */
    judge_scored_t            scored;
    judge_compared_batch_t    batch;
    judge_comparison_load_t   load;
    judge_paired_items_t      paired;  /* what is ranked */
    size_t                    ntargets;
    judge_scored_row_t      **rows;    /* by item and system, or NULL */
    int8_t                   *preferred;         /* by item: a system */
    judge_difference_pair_t  *order;   /* by item, sorted at the end */
    judge_ranking_t          *figures; /* by target */
    judge_ranking_people_t   *people;  /* likewise */
} judge_rank_t;


static void judge_rank_found(judge_req_t *r);
static void judge_rank_criteria(judge_req_t *r);
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
    judge_rank_t             *c = r->ctx;
    const judge_batch_row_t  *row = &c->batch.find.row;

    if (!judge_batch_ended(row->status)) {
        judge_fail(r, 409, "the batch has not ended: it is %.*s",
                   (int) row->status.len, row->status.data);
        return;
    }

    (void) judge_compared_found(r, &c->batch, judge_rank_criteria);
}


static void
judge_rank_criteria(judge_req_t *r)
{
    judge_rank_t  *c = r->ctx;

    if (!judge_compared_criteria(r, &c->batch)) {
        return;
    }

    c->ntargets = c->batch.criteria.count + 1;
    c->scored = (judge_scored_t) {
        .batch = c->batch.find.id, .judge = c->batch.judge,
        .criteria = c->batch.criteria,
        .most = JUDGE_COMPARED_ITEMS * c->batch.n,
        .systems = c->batch.names, .nsystems = c->batch.n
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
        .max_preferences = judge_compared_shown(r, JUDGE_RANKING_PREFERENCES)
    };
    judge_await_compute(r, &c->load.op, judge_rank_compute, judge_rank_answer);
}


/* --- In a thread --------------------------------------------------------- */

static judge_rc_e
judge_rank_prepare(judge_req_t *r)
{
    size_t                 i, cells;
    judge_rank_t          *c = r->ctx;
    judge_paired_items_t  *p = &c->paired;

    p->items = c->batch.items < JUDGE_COMPARED_ITEMS ? c->batch.items
                                                     : JUDGE_COMPARED_ITEMS;
    cells = p->items * c->batch.n;
    p->scores = judge_array_alloc(r->arena, cells * c->ntargets + 1,
                                  sizeof(float));
    p->same = judge_array_alloc(r->arena, cells + 1, sizeof(uint8_t));
    p->asked = judge_array_alloc(r->arena, c->ntargets, sizeof(bool));
    p->bias = judge_array_alloc(r->arena, c->ntargets,
                                sizeof(judge_paired_bias_t));
    c->rows = judge_array_alloc(r->arena, cells + 1,
                                sizeof(judge_scored_row_t *));
    c->preferred = judge_array_alloc(r->arena, p->items + 1, sizeof(int8_t));
    c->order = judge_array_alloc(r->arena, p->items + 1,
                                 sizeof(judge_difference_pair_t));
    c->figures = judge_array_alloc(r->arena, c->ntargets,
                                   sizeof(judge_ranking_t));
    c->people = judge_array_alloc(r->arena, c->ntargets,
                                  sizeof(judge_ranking_people_t));

    if (p->scores == NULL || p->same == NULL || p->asked == NULL
        || p->bias == NULL || c->rows == NULL || c->preferred == NULL
        || c->order == NULL || c->figures == NULL || c->people == NULL)
    {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < cells * c->ntargets; i++) {
        p->scores[i] = NAN;
    }

    for (i = 0; i < p->items; i++) {
        c->preferred[i] = JUDGE_SCORED_NOBODY;
        c->order[i] = (judge_difference_pair_t) {
            .places = { i }, .cluster = judge_mix(i + 1)
        };
    }

    return JUDGE_OK;
}


/* Assigns the rows to items and systems.  They are in the order of the batch's
 * contents; those whose evaluation was deleted are missing. */

static void
judge_rank_place(judge_rank_t *c)
{
    size_t               i, cell, item;
    judge_scored_row_t  *row;
    const judge_json_t  *at = c->batch.contents->first;

    for (i = 0, cell = 0; i < c->scored.n; i++) {
        row = &c->scored.rows[i];

        while (at && !(at->type == JUDGE_JSON_STRING
                       && judge_str_eq(at->string,
                                       judge_id_str(&row->content))))
        {
            at = at->next;
            cell++;
        }

        if (at == NULL || cell >= c->paired.items * c->batch.n) {
            return;
        }

        item = cell / c->batch.n;
        memcpy(c->paired.scores + cell * c->ntargets,
               c->scored.scores + i * c->ntargets,
               c->ntargets * sizeof(float));
        c->rows[cell] = row;
        c->order[item].cluster = row->source ? row->source
                                             : c->order[item].cluster;
        c->preferred[item] = row->preferred != JUDGE_SCORED_NOBODY
                             ? row->preferred : c->preferred[item];
    }
}


/* Takes away overall scores of an item that are of different criteria. */

static void
judge_rank_comparable(judge_rank_t *c)
{
    size_t  item, k;
    float  *scores[JUDGE_COMPARED_MAX];

    for (item = 0; item < c->paired.items; item++) {
        for (k = 0; k < c->batch.n; k++) {
            scores[k] = c->paired.scores
                        + (item * c->batch.n + k) * c->ntargets;
        }
        judge_scored_comparable(scores, c->batch.n, c->ntargets);
    }
}


static void
judge_rank_pair(const judge_rank_t *c, const judge_ranking_set_t *set,
    judge_ranking_people_t *people, size_t item, size_t a, size_t b, bool tie)
{
    int       sign = judge_ranking_sign(set, item, a, b);
    uint32_t  here, there;

    if (sign == 2) {
        return;
    }

    people->pairs++;
    if (tie) {
        people->ties += sign == 0;
        return;
    }

    here = c->rows[item * c->batch.n + a]->size;
    there = c->rows[item * c->batch.n + b]->size;
    people->decided += sign != 0;
    people->right += sign > 0;
    people->measured += here != there;
    people->longer += here > there;
}


static void
judge_rank_people(const judge_rank_t *c, const judge_ranking_set_t *set,
    judge_ranking_people_t *people, size_t item, int64_t winner)
{
    size_t  a, b;

    if (item >= c->paired.items || winner >= (int64_t) c->batch.n) {
        return;
    }

    people->preferences++;

    for (a = 0; a < c->batch.n; a++) {
        if (winner >= 0 && a != (size_t) winner) {
            judge_rank_pair(c, set, people, item, (size_t) winner, a, false);
        }
        for (b = a + 1; b < c->batch.n && winner < 0; b++) {
            judge_rank_pair(c, set, people, item, a, b, true);
        }
    }
}


static void
judge_rank_agreement(const judge_rank_t *c, const judge_ranking_set_t *set,
    size_t t)
{
    size_t                         i;
    const judge_criterion_row_t   *criteria = c->batch.criteria.items;
    const judge_preference_row_t  *row;

    for (i = 0; i < c->paired.items && t == 0; i++) {
        if (c->preferred[i] != JUDGE_SCORED_NOBODY) {
            judge_rank_people(c, set, &c->people[0], i, c->preferred[i]);
        }
    }

    for (i = 0; i < c->load.npreferences; i++) {
        row = &c->load.preferences[i];
        if (judge_str_eq(row->criterion_id, t ? criteria[t - 1].id
                                              : JUDGE_STR("")))
        {
            judge_rank_people(c, set, &c->people[t], (size_t) row->item,
                              row->winner);
        }
    }
}


static void
judge_rank_same(judge_rank_t *c)
{
    size_t  i, k, first;

    for (i = 0; i < c->paired.items * c->batch.n; i++) {
        first = i - i % c->batch.n;
        for (k = first; k < i && !(c->rows[k] && c->rows[i]
                                   && c->rows[k]->text == c->rows[i]->text);
             k++)
        {
            /* void */
        }
        c->paired.same[i] = (uint8_t) (k - first);
    }
}


static void
judge_rank_compute(judge_req_t *r)
{
    size_t                t;
    judge_rank_t         *c = r->ctx;
    judge_arena_t        *arena;
    judge_ranking_set_t   set;

    arena = judge_arena_create(64 * 1024);
    r->rc = arena ? judge_compared_contents(r->arena, &c->batch) : JUDGE_NOMEM;
    if (r->rc == JUDGE_OK) {
        r->rc = judge_rank_prepare(r);
    }
    if (r->rc == JUDGE_OK) {
        judge_rank_place(c);
        judge_rank_comparable(c);
        judge_rank_same(c);
        r->rc = judge_paired_items(r->arena, &c->batch, c->load.answers,
                                   c->load.nanswers, &c->paired);
    }

    if (r->rc == JUDGE_OK) {
        judge_difference_units(c->order, c->paired.items);
    }

    for (t = 0; t < c->ntargets && r->rc == JUDGE_OK; t++) {
        set = (judge_ranking_set_t) {
            .n = c->batch.n, .items = c->paired.items,
            .scores = c->paired.scores + t, .step = c->ntargets,
            .same = c->paired.same, .order = c->order,
            .draws = judge_ranking_draws(c->batch.n, c->ntargets),
            .seed = judge_fnv(JUDGE_FNV_START, c->batch.find.id.data,
                              c->batch.find.id.len) + t
        };
        judge_arena_reset(arena);
        r->rc = judge_ranking(arena, &set, &c->figures[t]);
        judge_rank_agreement(c, &set, t);
    }

    judge_arena_destroy(arena);
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
    judge_compared_share(w, "agreement", p->right, p->decided);
    judge_compared_share(w, "agreement_with_ties", p->right + p->ties,
                         p->pairs);
    judge_compared_share(w, "longer", p->longer, p->measured);
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
    judge_compared_number(w, "strength", figure->strength[i]);
    judge_compared_number(w, "low", figure->low[i]);
    judge_compared_number(w, "high", figure->high[i]);
    judge_compared_number(w, "best", figure->best[i]);
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
    judge_compared_number(w, "expected", 1 / (1 + exp(figure->strength[b]
                                                   - figure->strength[a])));
    judge_json_object_end(w);
}


static const char *
judge_rank_by(const judge_rank_t *c, size_t target)
{
    return c->paired.asked[target] ? "pairs" : "scores";
}


/* Writes the systems by descending strength. */

static void
judge_rank_put_target(judge_json_writer_t *w, const void *report, size_t t)
{
    size_t                  i, k, at, order[JUDGE_COMPARED_MAX];
    const judge_rank_t     *c = report;
    const judge_ranking_t  *figure = &c->figures[t];

    for (i = 0; i < c->batch.n; i++) {
        for (k = i; k > 0 && figure->strength[order[k - 1]]
                             < figure->strength[i]; k--)
        {
            order[k] = order[k - 1];
        }
        order[k] = i;
    }

    judge_json_put_c(w, "compared_by", judge_rank_by(c, t));
    judge_compared_share(w, "position_bias", c->paired.bias[t].differ,
                         c->paired.bias[t].both);
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
    judge_rank_put_people(w, &c->people[t]);
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
    judge_json_put_int(w, "items", (int64_t) c->paired.items);
    judge_json_put_bool(w, "complete", c->paired.items == c->batch.items);
    judge_json_put_c(w, "compared_by", judge_rank_by(c, 0));
    if (c->batch.find.pairs) {
        judge_compared_pairs(w, &c->batch, c->load.calls, c->paired.tokens);
        judge_json_object_end(w);
    }
    judge_json_put_number(w, "coverage", JUDGE_DIFFERENCE_COVERAGE);
    judge_compared_targets(w, &c->batch.criteria, judge_rank_put_target, c);
    judge_reply_end(r);
}
