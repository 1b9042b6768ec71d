/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The extension that compares, and GET /batches/{batch_id}/difference: reads
 * the scores of one batch, then those of the other one, finds which items are
 * the same, and compares these in a thread. */


#include <math.h>
#include <stdlib.h>

#include "base/core/hash.h"
#include "analysis/learning/difference.h"
#include "work/service/extension.h"
#include "api/batches/batches.h"
#include "api/judges/criteria.h"
#include "extensions/compare/compare.h"


#define JUDGE_DIFFERENCE_SHOWN  50     /* items, by default */

static const char *const  judge_same_names[JUDGE_SAME_COUNT] = {
    "content", "identifier", "identifier", "name_and_text"
};

static const char *const  judge_difference_sides[2] = { "batch", "against" };

/* An item of either batch, as it is sorted to be found in the other one. */
typedef struct {
    uint64_t  key;                     /* 0: none */
    size_t    side;
    size_t    row;                     /* index in scored.rows */
} judge_difference_item_t;

/* Of one batch, and one of its judges. */
typedef struct {
    judge_compared_batch_t  batch;
    judge_scored_t          scored;
} judge_difference_side_t;

typedef struct {
    judge_scored_t           *reading; /* first: see judge_scored_read() */
    judge_integer_t           limit;   /* query parameter */
    judge_difference_side_t   sides[2];
    size_t                    nread;   /* sides that have been read */
    size_t                    ntargets;
    judge_difference_item_t  *items;   /* of both */
    judge_difference_pair_t  *pairs;
    size_t                    npairs;
    size_t                    rewritten;         /* pairs with two texts */
    judge_same_e              matched_by;
    bool                      engines_differ;
    judge_difference_t       *figures;
} judge_differing_t;


static bool judge_difference_prepare(judge_req_t *r);
static void judge_difference_found(judge_req_t *r);
static void judge_difference_other(judge_req_t *r);
static void judge_difference_compute(judge_req_t *r);
static void judge_difference_answer(judge_req_t *r);


static const judge_field_t  judge_difference_query[] = {
    judge_field_as("against", judge_differing_t, sides[1].batch.find.id,
                   STRING, 0, 1, 40),
    judge_compared_judge_field(judge_differing_t, sides[0].batch),
    judge_field_as("against_judge_id", judge_differing_t,
                   sides[1].batch.find.judge_id, STRING, 0, 1, 40),
    judge_field(judge_differing_t, limit, INTEGER, 0, 0, 1000),
    { .name = NULL }
};

static const judge_route_t  judge_difference_routes[] = {
    { judge_route(GET, "/batches/{batch_id}/difference",
                  JUDGE_MAY_READ_EVALUATIONS, 0, judge_differing_t),
      .query = judge_difference_query, .resource = &judge_batches_resource,
      .op = { judge_route_op(JUDGE_OP_COMPARISON_FIND, judge_differing_t,
                             sides[0].batch.find.),
              .prepare = judge_difference_prepare,
              .next = judge_difference_found } },
    { .pattern = NULL }
};

static const judge_route_t *const  judge_compare_routes[] = {
    judge_difference_routes,
    judge_comparison_routes,
    judge_ranking_routes,
    NULL
};

const judge_extension_t  judge_extension_compare = {
    .name = "compare",
    .routes = judge_compare_routes,
    .leased = &judge_pair_runs
};


static bool
judge_difference_prepare(judge_req_t *r)
{
    judge_differing_t  *c = r->ctx;

    if (c->sides[1].batch.find.id.data == NULL) {
        return judge_fail(r, 400, "against: required, the other batch");
    }

    c->sides[0].batch.find.any = c->sides[1].batch.find.any = true;
    c->sides[1].batch.find.op.kind = JUDGE_OP_COMPARISON_FIND;

    return true;
}


static void
judge_difference_found(judge_req_t *r)
{
    judge_differing_t  *c = r->ctx;

    judge_await_found(r, &c->sides[1].batch.find.op,
                      "against: there is no such batch",
                      judge_difference_other);
}


/* Finds the criteria that both judges have: those with the same identifier, as
 * in two versions of a judge, or with the same name. */

static judge_rc_e
judge_difference_targets(judge_req_t *r)
{
    size_t                  i, k, n;
    judge_list_t            lists[2];
    judge_differing_t      *c = r->ctx;
    judge_criterion_row_t  *a, *b, *common[2];

    lists[0] = c->sides[0].batch.criteria;
    lists[1] = c->sides[1].batch.criteria;
    n = lists[0].count + 1;
    common[0] = judge_array_alloc(r->arena, n, sizeof(judge_criterion_row_t));
    common[1] = judge_array_alloc(r->arena, n, sizeof(judge_criterion_row_t));
    c->figures = judge_array_alloc(r->arena, n, sizeof(judge_difference_t));
    if (common[0] == NULL || common[1] == NULL || c->figures == NULL) {
        return JUDGE_NOMEM;
    }

    a = lists[0].items;
    b = lists[1].items;

    for (i = 0, n = 0; i < lists[0].count; i++) {
        for (k = 0; k < lists[1].count; k++) {
            if (judge_str_eq(a[i].id, b[k].id)
                || judge_str_eq(a[i].name, b[k].name))
            {
                common[0][n] = a[i];
                common[1][n++] = b[k];
                break;
            }
        }
    }

    c->ntargets = n + 1;
    c->sides[0].scored.criteria = (judge_list_t) { common[0], n, true };
    c->sides[1].scored.criteria = (judge_list_t) { common[1], n, true };

    return JUDGE_OK;
}


/* Reads the scores of one batch after the other. */

static void
judge_difference_read(judge_req_t *r)
{
    size_t                    total;
    judge_differing_t        *c = r->ctx;
    judge_difference_side_t  *side;

    if (c->nread == 2) {
        judge_compute(r, judge_difference_compute, judge_difference_answer);
        return;
    }

    side = &c->sides[c->nread++];
    total = (size_t) side->batch.find.row.total;
    side->scored.batch = &side->batch;
    side->scored.most = total < JUDGE_COMPARED_ITEMS ? total
                                                     : JUDGE_COMPARED_ITEMS;
    judge_scored_read(r, &side->scored, judge_difference_read);
}


static void
judge_difference_other(judge_req_t *r)
{
    judge_differing_t       *c = r->ctx;
    judge_compared_batch_t  *here = &c->sides[0].batch;
    judge_compared_batch_t  *there = &c->sides[1].batch;

    if (!judge_compared_judge(r, here, "judge_id")
        || !judge_compared_ended(r, here)
        || !judge_compared_judge(r, there, "against_judge_id")
        || !judge_compared_ended(r, there))
    {
        return;
    }

    if (judge_str_eq(here->find.id, there->find.id)
        && judge_str_eq(here->judge, there->judge))
    {
        judge_fail(r, 400, "against: expected another batch, or judge_id and"
                           " against_judge_id of two judges of this one");

    } else if (judge_check(r, judge_difference_targets(r), NULL)) {
        judge_difference_read(r);
    }
}


/* --- In a thread: items -------------------------------------------------- */

static int
judge_difference_by_key(const void *a, const void *b)
{
    const judge_difference_item_t  *x = a, *y = b;

    return x->key != y->key ? (x->key < y->key ? -1 : 1)
           : x->side != y->side ? (x->side < y->side ? -1 : 1)
           : x->row < y->row ? -1 : x->row > y->row;
}


/* Finds the pairs of items with the same key.  If several items have the same
 * one, they are paired in their order; but an identifier that several have
 * identifies none of them.  Returns the number of pairs. */

static size_t
judge_difference_match(judge_differing_t *c, judge_same_e by)
{
    bool                      unique;
    size_t                    i, k, n, side, both, run[2];
    judge_scored_t           *scored;
    judge_difference_item_t  *item = c->items, *end;

    unique = by == JUDGE_SAME_ID_AND_SYSTEM || by == JUDGE_SAME_ID;

    for (side = 0; side < 2; side++) {
        scored = &c->sides[side].scored;
        for (i = 0; i < scored->n; i++) {
            *item++ = (judge_difference_item_t) { scored->rows[i].keys[by],
                                                  side, i };
        }
    }

    end = item;
    qsort(c->items, (size_t) (end - c->items),
          sizeof(judge_difference_item_t), judge_difference_by_key);

    for (item = c->items, n = 0; item < end; item += run[0] + run[1]) {
        run[0] = run[1] = 0;
        for (k = 0; item + k < end && item[k].key == item->key; k++) {
            run[item[k].side]++;
        }

        both = run[0] < run[1] ? run[0] : run[1];
        both = item->key == 0 || (unique && k > 2) ? 0 : both;

        for (i = 0; i < both; i++) {
            c->pairs[n++] = (judge_difference_pair_t) {
                .places = { item[i].row, item[run[0] + i].row }
            };
        }
    }

    return n;
}


/* --- In a thread: the difference ----------------------------------------- */

/* Makes the scores of a pair comparable, and sets its distance and its
 * cluster: by source, or else by text. */

static void
judge_difference_describe(judge_differing_t *c, judge_difference_pair_t *pair)
{
    float                     *scores[2];
    double                     d;
    size_t                     k, t;
    const judge_scored_row_t  *a, *b;

    for (k = 0; k < 2; k++) {
        scores[k] = &c->sides[k].scored.scores[pair->places[k] * c->ntargets];
    }

    for (t = 1; t < c->ntargets; t++) {
        if (isnan(scores[0][t]) != isnan(scores[1][t])) {
            scores[isnan(scores[0][t]) ? 0 : 1][0] = NAN;
        }
    }

    a = &c->sides[0].scored.rows[pair->places[0]];
    b = &c->sides[1].scored.rows[pair->places[1]];
    pair->cluster = judge_mix(a->source || b->source
                              ? a->source + b->source
                              : a->text + b->text);

    d = (double) scores[0][0] - (double) scores[1][0];
    pair->distance = isnan(d) ? -1 : fabs(d);
    c->rewritten += a->text != b->text;
    c->engines_differ |= a->engine && b->engine
                         && a->engine != b->engine;
}


/* Matches items by what gives the most pairs, and compares their scores. */

static void
judge_difference_compute(judge_req_t *r)
{
    size_t                   i, n;
    judge_same_e             by;
    judge_differing_t       *c = r->ctx;
    judge_difference_set_t   set;

    c->items = judge_array_alloc(r->arena, c->sides[0].scored.n
                                           + c->sides[1].scored.n + 1,
                                 sizeof(judge_difference_item_t));
    c->pairs = judge_array_alloc(r->arena, c->sides[0].scored.n + 1,
                                 sizeof(judge_difference_pair_t));
    if (c->items == NULL || c->pairs == NULL) {
        r->rc = JUDGE_NOMEM;
        return;
    }

    for (by = 0; by < JUDGE_SAME_COUNT; by++) {
        n = judge_difference_match(c, by);
        if (n > c->npairs) {
            c->npairs = n;
            c->matched_by = by;
        }
    }

    (void) judge_difference_match(c, c->matched_by);

    for (i = 0; i < c->npairs; i++) {
        judge_difference_describe(c, &c->pairs[i]);
    }

    set = (judge_difference_set_t) {
        .ntargets = c->ntargets, .pairs = c->pairs, .npairs = c->npairs,
        .seed = judge_scored_hash(0, c->sides[0].batch.find.id)
                + judge_scored_hash(0, c->sides[1].batch.find.id),
        .scores = { c->sides[0].scored.scores, c->sides[1].scored.scores }
    };

    r->rc = judge_difference(r->arena, &set, c->figures);
    judge_difference_farthest(c->pairs, c->npairs);
}


/* --- The answer ---------------------------------------------------------- */

static void
judge_difference_target(judge_json_writer_t *w, const void *report, size_t t)
{
    size_t                     i;
    const judge_difference_t  *d = &((const judge_differing_t *)
                                     report)->figures[t];

    judge_json_put_int(w, "items", (int64_t) d->n);
    judge_json_put_int(w, "clusters", (int64_t) d->clusters);

    judge_json_key_object(w, "not_judged");
    for (i = 0; i < 2; i++) {
        judge_json_put_int(w, judge_difference_sides[i],
                           (int64_t) d->missing[i]);
    }
    judge_json_object_end(w);

    judge_json_put_number4(w, "mean", d->mean[0]);
    judge_json_put_number4(w, "against_mean", d->mean[1]);
    judge_json_put_number4(w, "difference", d->difference);
    judge_json_put_number4(w, "low", d->low);
    judge_json_put_number4(w, "high", d->high);
    judge_json_put_number4(w, "better", d->better);
    judge_json_put_number4(w, "worse", d->worse);
    judge_json_put_number4(w, "p", d->p);
    judge_json_put_number4(w, "p_adjusted", d->adjusted);
    judge_json_put_c(w, "verdict", judge_difference_verdict(d));
}


static void
judge_difference_put_item(judge_json_writer_t *w, const judge_differing_t *c,
    const judge_difference_pair_t *pair)
{
    size_t                     k;
    double                     scores[2];
    const judge_scored_row_t  *rows[2];

    for (k = 0; k < 2; k++) {
        rows[k] = &c->sides[k].scored.rows[pair->places[k]];
        scores[k] = (double) c->sides[k].scored.scores[pair->places[k]
                                                       * c->ntargets];
        judge_json_key_object(w, judge_difference_sides[k]);
        judge_json_put_str(w, "evaluation_id",
                           judge_id_str(&rows[k]->evaluation));
        judge_json_put_str(w, "content_id", judge_id_str(&rows[k]->content));
        judge_json_put_number4(w, "score", scores[k]);
        judge_json_object_end(w);
    }

    judge_json_put_number4(w, "difference", scores[0] - scores[1]);
    judge_json_put_bool(w, "rewritten", rows[0]->text != rows[1]->text);
}


static void
judge_difference_answer(judge_req_t *r)
{
    size_t                         i, n;
    judge_differing_t             *c = r->ctx;
    judge_json_writer_t           *w;
    const judge_compared_batch_t  *batch;

    w = judge_reply_begin(r, 200);

    for (i = 0; i < 2; i++) {
        batch = &c->sides[i].batch;
        judge_json_key_object(w, judge_difference_sides[i]);
        judge_json_put_str(w, "batch_id", batch->find.id);
        judge_json_put_str(w, "name", batch->find.row.name);
        judge_json_put_str(w, "judge_id", batch->judge);
        judge_json_put_int(w, "version_number", batch->version);
        judge_json_put_int(w, "items", (int64_t) c->sides[i].scored.n);
        judge_json_object_end(w);
    }

    judge_json_put_bool(w, "complete", !c->sides[0].scored.cut
                                       && !c->sides[1].scored.cut);
    judge_json_put_bool(w, "engines_differ", c->engines_differ);
    judge_json_put_int(w, "matched", (int64_t) c->npairs);
    if (c->npairs) {
        judge_json_put_c(w, "matched_by", judge_same_names[c->matched_by]);
    }
    judge_json_put_int(w, "rewritten", (int64_t) c->rewritten);
    judge_json_put_number(w, "coverage", JUDGE_DIFFERENCE_COVERAGE);

    judge_compared_targets(w, &c->sides[0].scored.criteria,
                           judge_difference_target, c);
    judge_json_key_array(w, "items");
    n = c->limit.set ? (size_t) c->limit.value : JUDGE_DIFFERENCE_SHOWN;

    for (i = 0; i < n && i < c->npairs; i++) {
        judge_json_object(w);
        judge_difference_put_item(w, c, &c->pairs[i]);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
    judge_reply_end(r);
}
