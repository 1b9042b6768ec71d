/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The extension that compares, and GET /batches/{batch_id}/difference: reads
 * the scores of one batch page by page, then those of the other one, finds
 * which items are the same, and compares these in a thread. */


#include <math.h>
#include <stdlib.h>

#include "base/core/hash.h"
#include "work/calibration/scores.h"
#include "api/batches/batches.h"
#include "api/judges/criteria.h"
#include "extensions/compare/compare.h"
#include "extensions/compare/difference.h"
#include "extensions/compare/pair_run.h"


#define JUDGE_DIFFERENCE_ITEMS  20000  /* of each batch, at most */
#define JUDGE_DIFFERENCE_PAGE   200
#define JUDGE_DIFFERENCE_TEXT   16384  /* bytes of a text that are compared,
                                          besides its length */
#define JUDGE_DIFFERENCE_SHOWN  50     /* items, by default */

/* By what items of two batches are the same. */
typedef enum {
    JUDGE_SAME_CONTENT,
    JUDGE_SAME_IDENTIFIER,             /* metadata.id, where it is unique */
    JUDGE_SAME_TEXT,                   /* and name */
    JUDGE_SAME_COUNT
} judge_same_e;

static const char *const  judge_same_names[JUDGE_SAME_COUNT] = {
    "content", "identifier", "name_and_text"
};

static const char *const  judge_difference_sides[2] = { "batch", "against" };

typedef struct {
    judge_id_t  evaluation;
    judge_id_t  content;
    size_t      row;                   /* in the scores */
    uint64_t    key;                   /* what items are sorted by */
    uint64_t    keys[JUDGE_SAME_COUNT];          /* hashes; 0: none */
    uint64_t    source;                /* likewise, of metadata.source */
    uint64_t    text;                  /* of the text, or else the content */
    uint64_t    engine;
} judge_difference_item_t;

/* Of one batch, and one of its judges. */
typedef struct {
    judge_batch_find_t  find;
    judge_str_t         named;         /* query parameter: the judge */
    int64_t             njudges;
    judge_str_t        *ids;           /* of those that are compared; [0] is
                                          the overall score */
    judge_buf_t         items;         /* of judge_difference_item_t */
    judge_buf_t         scores;        /* floats, by item and target */
    size_t              n;             /* items */
    bool                cut;           /* there are more */
} judge_difference_side_t;

typedef struct {
    judge_integer_t           limit;   /* query parameter */
    judge_difference_side_t   sides[2];
    judge_str_t               judges[2];
    int64_t                   versions[2];
    judge_str_t               texts[2];          /* criteria, JSON */
    judge_batch_criteria_t    criteria;
    judge_str_t              *names;   /* by target */
    size_t                    ntargets;
    size_t                    side;    /* which is being read */
    judge_id_t                last;    /* of the page before */
    judge_batch_scores_t      page;
    judge_difference_pair_t  *pairs;
    size_t                    npairs;
    judge_same_e              by;
    bool                      engines_differ;
    judge_difference_t       *figures;
    judge_rc_e                rc;
} judge_differing_t;


static bool judge_difference_prepare(judge_req_t *r);
static void judge_difference_found(judge_req_t *r);
static void judge_difference_other(judge_req_t *r);
static void judge_difference_criteria(judge_req_t *r);
static void judge_difference_read(judge_req_t *r);
static void judge_difference_take(judge_req_t *r);
static void judge_difference_taken(judge_req_t *r);
static void judge_difference_answer(judge_req_t *r);


static const judge_field_t  judge_difference_query[] = {
    judge_field_as("against", judge_differing_t, sides[1].find.id, STRING, 0,
                   1, 40),
    judge_field_as("judge_id", judge_differing_t, sides[0].named, STRING, 0, 1,
                   40),
    judge_field_as("against_judge_id", judge_differing_t, sides[1].named,
                   STRING, 0, 1, 40),
    judge_field(judge_differing_t, limit, INTEGER, 0, 0, 1000),
    { .name = NULL }
};

static const judge_route_t  judge_difference_routes[] = {
    { judge_route(GET, "/batches/{batch_id}/difference",
                  JUDGE_MAY_READ_EVALUATIONS, 0, judge_differing_t),
      .query = judge_difference_query, .resource = &judge_batches_resource,
      .op = { judge_route_op(JUDGE_OP_BATCH_FIND, judge_differing_t,
                             sides[0].find.),
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
    .background = {
        .create = judge_pair_runs_create,
        .destroy = judge_pair_runs_destroy,
        .tick = judge_pair_runs_tick,
        .stop = judge_pair_runs_stop,
        .busy = judge_pair_runs_busy
    }
};


static bool
judge_difference_prepare(judge_req_t *r)
{
    judge_differing_t  *c = r->ctx;

    if (c->sides[1].find.id.data == NULL) {
        judge_fail(r, 400, "against: required, the other batch");
        return false;
    }

    c->sides[0].find.brief = c->sides[1].find.brief = true;
    c->sides[1].find.op.kind = JUDGE_OP_BATCH_FIND;

    return true;
}


static void
judge_difference_found(judge_req_t *r)
{
    judge_differing_t  *c = r->ctx;

    judge_await(r, &c->sides[1].find.op, judge_difference_other);
}


/* Whether the batch can be compared; else the request has been answered. */

static bool
judge_difference_check(judge_req_t *r, size_t i)
{
    judge_differing_t        *c = r->ctx;
    const judge_batch_row_t  *row = &c->sides[i].find.row;

    if (!judge_batch_judge(r, row, i ? "against_judge_id" : "judge_id",
                           c->sides[i].named, &c->judges[i], &c->versions[i],
                           &c->sides[i].njudges))
    {
        return false;
    }

    if (judge_str_eq_c(row->status, "created")
        || judge_str_eq_c(row->status, "evaluating"))
    {
        judge_fail(r, 409, "the batch %.*s has not ended: it is %.*s",
                   (int) row->id.len, row->id.data, (int) row->status.len,
                   row->status.data);
        return false;
    }

    return true;
}


static void
judge_difference_other(judge_req_t *r)
{
    judge_differing_t  *c = r->ctx;

    if (c->sides[1].find.op.rc == JUDGE_NOT_FOUND) {
        judge_fail(r, 404, "against: there is no such batch");
        return;
    }

    if (!judge_check(r, c->sides[1].find.op.rc, NULL)
        || !judge_difference_check(r, 0) || !judge_difference_check(r, 1))
    {
        return;
    }

    if (judge_str_eq(c->sides[0].find.id, c->sides[1].find.id)
        && judge_str_eq(c->judges[0], c->judges[1]))
    {
        judge_fail(r, 400, "against: expected another batch, or judge_id and"
                           " against_judge_id of two judges of this one");
        return;
    }

    c->criteria = (judge_batch_criteria_t) {
        .op.kind = JUDGE_OP_BATCH_CRITERIA, .judge_ids = c->judges,
        .versions = c->versions, .criteria = c->texts, .count = 2
    };
    judge_await(r, &c->criteria.op, judge_difference_criteria);
}


/* Finds the criteria of both with the same identifier, as two versions of a
 * judge have them, or with the same name. */

static judge_rc_e
judge_difference_targets(judge_req_t *r)
{
    size_t                        i, k, n;
    judge_rc_e                    rc;
    judge_list_t                  lists[2];
    judge_differing_t            *c = r->ctx;
    const judge_criterion_row_t  *here, *there;

    for (i = 0, n = 0; i < 2; i++) {
        rc = judge_criteria_read(r->arena, c->texts[i], &lists[i]);
        if (rc != JUDGE_OK) {
            return rc;
        }

        n = lists[0].count + 1;
        c->sides[i].ids = judge_array_alloc(r->arena, n, sizeof(judge_str_t));
        judge_buf_init(&c->sides[i].items, r->arena);
        judge_buf_init(&c->sides[i].scores, r->arena);
    }

    c->names = judge_array_alloc(r->arena, n, sizeof(judge_str_t));
    c->figures = judge_array_alloc(r->arena, n, sizeof(judge_difference_t));
    if (c->sides[0].ids == NULL || c->sides[1].ids == NULL || c->names == NULL
        || c->figures == NULL)
    {
        return JUDGE_NOMEM;
    }

    here = lists[0].items;
    there = lists[1].items;

    for (i = 0, c->ntargets = 1; i < lists[0].count; i++) {
        for (k = 0; k < lists[1].count; k++) {
            if (judge_str_eq(here[i].id, there[k].id)
                || judge_str_eq(here[i].name, there[k].name))
            {
                c->sides[0].ids[c->ntargets] = here[i].id;
                c->sides[1].ids[c->ntargets] = there[k].id;
                c->names[c->ntargets++] = here[i].name;
                break;
            }
        }
    }

    return JUDGE_OK;
}


static void
judge_difference_page(judge_req_t *r)
{
    judge_differing_t  *c = r->ctx;

    c->page = (judge_batch_scores_t) {
        .op.kind = JUDGE_OP_BATCH_SCORES, .id = c->sides[c->side].find.id,
        .judge_id = c->judges[c->side], .after = judge_id_str(&c->last),
        .max_text = JUDGE_DIFFERENCE_TEXT, .page.limit = JUDGE_DIFFERENCE_PAGE
    };
    judge_await_page(r, &c->page.op, judge_difference_read);
}


static void
judge_difference_criteria(judge_req_t *r)
{
    judge_differing_t  *c = r->ctx;

    if (judge_check(r, c->criteria.op.rc, NULL)
        && judge_check(r, judge_difference_targets(r), NULL))
    {
        judge_difference_page(r);
    }
}


static void
judge_difference_read(judge_req_t *r)
{
    judge_differing_t  *c = r->ctx;

    if (judge_check(r, c->page.op.rc, NULL)) {
        judge_compute(r, judge_difference_take, judge_difference_taken);
    }
}


static void
judge_difference_taken(judge_req_t *r)
{
    judge_differing_t  *c = r->ctx;

    if (!judge_check(r, c->rc, NULL)) {
        return;
    }

    if (c->side < 2) {
        judge_difference_page(r);
    } else {
        judge_difference_answer(r);
    }
}


/* --- In a thread: items -------------------------------------------------- */

static uint64_t
judge_difference_hash(uint64_t start, judge_str_t s)
{
    return s.len ? judge_mix(judge_fnv(JUDGE_FNV_START ^ start, s.data, s.len))
                 : 0;
}


static judge_rc_e
judge_difference_metadata(judge_arena_t *scratch, judge_str_t metadata,
    judge_difference_item_t *item)
{
    uint64_t            *hash, system = 0;
    judge_str_t          text;
    judge_json_t        *root;
    const judge_json_t  *v;

    root = NULL;
    if (metadata.data
        && judge_json_parse(scratch, metadata, &root, NULL) == JUDGE_NOMEM)
    {
        return JUDGE_NOMEM;
    }

    for (v = root && root->type == JUDGE_JSON_OBJECT ? root->first : NULL; v;
         v = v->next)
    {
        hash = judge_str_eq_c(v->key, "source") ? &item->source
               : judge_str_eq_c(v->key, "id")
               ? &item->keys[JUDGE_SAME_IDENTIFIER]
               : judge_str_eq_c(v->key, "system") ? &system : NULL;
        if (hash && v->type != JUDGE_JSON_NULL) {
            text = judge_json_value_text(scratch, v);
            *hash = judge_difference_hash(0, text);
            if (text.data == NULL) {
                return JUDGE_NOMEM;
            }
        }
    }

    /* a row with texts of several systems has one identifier */
    if (item->keys[JUDGE_SAME_IDENTIFIER]) {
        item->keys[JUDGE_SAME_IDENTIFIER] += system;
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_difference_scores(judge_differing_t *c, judge_arena_t *scratch,
    judge_str_t body, judge_difference_item_t *item)
{
    float                     score;
    size_t                    t, i;
    judge_rc_e                rc;
    judge_scores_t            read = { .n = 0 };
    judge_difference_side_t  *side = &c->sides[c->side];

    rc = body.data ? judge_scores_read(scratch, body, &read) : JUDGE_OK;
    item->engine = read.n ? judge_difference_hash(0, read.engine) : 0;

    for (t = 0; t < c->ntargets && rc == JUDGE_OK; t++) {
        for (i = t > 0; i < read.n && t > 0
                        && !judge_str_eq(read.scores[i].criterion_id,
                                         side->ids[t]); i++)
        {
            /* void */
        }

        score = i < read.n ? (float) read.scores[i].score : NAN;
        judge_buf_append(&side->scores, &score, sizeof(score));
    }

    return side->scores.failed ? JUDGE_NOMEM : rc;
}


static judge_rc_e
judge_difference_add(judge_differing_t *c, judge_arena_t *scratch,
    const judge_batch_scores_row_t *row)
{
    judge_rc_e                rc;
    judge_difference_side_t  *side = &c->sides[c->side];
    judge_difference_item_t   item = { .row = side->n++ };

    judge_id_set(&item.evaluation, row->id);
    judge_id_set(&item.content, row->content_id);
    item.keys[JUDGE_SAME_CONTENT] = judge_difference_hash(0, row->content_id);
    item.text = item.keys[JUDGE_SAME_CONTENT];

    if (row->text.len) {
        item.text = judge_difference_hash((uint64_t) row->size, row->text);
        item.keys[JUDGE_SAME_TEXT] = judge_difference_hash(item.text,
                                                           row->name);
    }

    rc = judge_difference_metadata(scratch, row->metadata, &item);
    if (rc == JUDGE_OK) {
        rc = judge_difference_scores(c, scratch, row->body, &item);
    }

    judge_buf_append(&side->items, &item, sizeof(item));

    return side->items.failed ? JUDGE_NOMEM : rc;
}


static judge_difference_item_t *
judge_difference_item(const judge_differing_t *c, size_t side, size_t i)
{
    return (judge_difference_item_t *) (void *) c->sides[side].items.data + i;
}


static double
judge_difference_overall(const judge_differing_t *c, size_t side, size_t at)
{
    return (double) ((const float *) (void *) c->sides[side].scores.data)
                    [at * c->ntargets];
}


static int
judge_difference_by_key(const void *a, const void *b)
{
    const judge_difference_item_t  *x = a, *y = b;

    return x->key != y->key ? (x->key < y->key ? -1 : 1)
           : x->row < y->row ? -1 : x->row > y->row;
}


/* By JUDGE_SAME_COUNT they are in the order of the scores again. */

static void
judge_difference_sort(judge_differing_t *c, judge_same_e by)
{
    size_t                    side, i;
    judge_difference_item_t  *items;

    for (side = 0; side < 2; side++) {
        items = judge_difference_item(c, side, 0);
        for (i = 0; i < c->sides[side].n; i++) {
            items[i].key = by < JUDGE_SAME_COUNT ? items[i].keys[by]
                                                 : items[i].row;
        }
        qsort(items, c->sides[side].n, sizeof(judge_difference_item_t),
              judge_difference_by_key);
    }
}


/* What several items have is no identifier. */

static bool
judge_difference_unique(const judge_differing_t *c, size_t side, size_t i)
{
    const judge_difference_item_t  *item = judge_difference_item(c, side, i);

    return !(i > 0 && item[-1].key == item->key)
           && !(i + 1 < c->sides[side].n && item[1].key == item->key);
}


/* Finds the pairs of items with the same key; of several with one text, the
 * first ones are a pair, then the next.  Returns how many there are. */

static size_t
judge_difference_match(judge_differing_t *c, judge_same_e by)
{
    size_t                    i, k, n;
    judge_difference_item_t  *here, *there;

    judge_difference_sort(c, by);

    for (i = k = n = 0; i < c->sides[0].n && k < c->sides[1].n; /* void */) {
        here = judge_difference_item(c, 0, i);
        there = judge_difference_item(c, 1, k);

        if (here->key && here->key == there->key
            && (by != JUDGE_SAME_IDENTIFIER
                || (judge_difference_unique(c, 0, i)
                    && judge_difference_unique(c, 1, k))))
        {
            c->pairs[n++] = (judge_difference_pair_t) {
                .at = { here->row, there->row }
            };
        }

        i += here->key <= there->key;
        k += there->key <= here->key;
    }

    return n;
}


/* --- In a thread: the difference ----------------------------------------- */

static int
judge_difference_by_cluster(const void *a, const void *b)
{
    const judge_difference_pair_t  *x = a, *y = b;

    return x->cluster != y->cluster ? (x->cluster < y->cluster ? -1 : 1)
           : x->at[0] < y->at[0] ? -1 : x->at[0] > y->at[0];
}


static int
judge_difference_farthest(const void *a, const void *b)
{
    const judge_difference_pair_t  *x = a, *y = b;

    return x->distance != y->distance ? (x->distance > y->distance ? -1 : 1)
           : x->at[0] < y->at[0] ? -1 : x->at[0] > y->at[0];
}


/* Items of the same source, or of the same texts, are a cluster. */

static void
judge_difference_describe(judge_differing_t *c, judge_difference_pair_t *pair)
{
    double                          d;
    const judge_difference_item_t  *here, *there;

    here = judge_difference_item(c, 0, pair->at[0]);
    there = judge_difference_item(c, 1, pair->at[1]);
    pair->cluster = judge_mix(here->source || there->source
                              ? here->source + there->source
                              : here->text + there->text);

    d = judge_difference_overall(c, 0, pair->at[0])
        - judge_difference_overall(c, 1, pair->at[1]);
    pair->distance = isnan(d) ? -1 : fabs(d);
    c->engines_differ |= here->engine && there->engine
                         && here->engine != there->engine;
}


/* Takes what says of most items that they are the same. */

static judge_rc_e
judge_difference_compute(judge_req_t *r, judge_arena_t *arena)
{
    size_t                   i, n;
    judge_same_e             by;
    judge_differing_t       *c = r->ctx;
    judge_difference_set_t   set;

    c->pairs = judge_array_alloc(r->arena, c->sides[0].n + 1,
                                 sizeof(judge_difference_pair_t));
    if (c->pairs == NULL) {
        return JUDGE_NOMEM;
    }

    for (by = 0; by < JUDGE_SAME_COUNT; by++) {
        n = judge_difference_match(c, by);
        if (n > c->npairs) {
            c->npairs = n;
            c->by = by;
        }
    }

    (void) judge_difference_match(c, c->by);
    judge_difference_sort(c, JUDGE_SAME_COUNT);

    for (i = 0; i < c->npairs; i++) {
        judge_difference_describe(c, &c->pairs[i]);
    }

    qsort(c->pairs, c->npairs, sizeof(judge_difference_pair_t),
          judge_difference_by_cluster);

    set = (judge_difference_set_t) {
        .ntargets = c->ntargets, .pairs = c->pairs, .npairs = c->npairs,
        .seed = judge_difference_hash(0, c->sides[0].find.id)
                + judge_difference_hash(0, c->sides[1].find.id),
        .scores = { (const float *) (void *) c->sides[0].scores.data,
                    (const float *) (void *) c->sides[1].scores.data }
    };

    if (judge_difference(arena, &set, c->figures) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    qsort(c->pairs, c->npairs, sizeof(judge_difference_pair_t),
          judge_difference_farthest);

    return JUDGE_OK;
}


/* Takes a page; after the last one of the other batch, compares both. */

static void
judge_difference_take(judge_req_t *r)
{
    size_t                    i;
    judge_arena_t            *arena;
    judge_differing_t        *c = r->ctx;
    judge_difference_side_t  *side = &c->sides[c->side];

    arena = judge_arena_create(64 * 1024);
    c->rc = arena ? JUDGE_OK : JUDGE_NOMEM;

    for (i = 0; i < c->page.count && c->rc == JUDGE_OK && !side->cut; i++) {
        side->cut = side->n == JUDGE_DIFFERENCE_ITEMS;
        judge_arena_reset(arena);
        c->rc = side->cut ? JUDGE_OK
                : judge_difference_add(c, arena, &c->page.rows[i]);
        judge_id_set(&c->last, c->page.rows[i].id);
    }

    if (c->rc == JUDGE_OK && (!c->page.page.more || side->cut)) {
        judge_id_set(&c->last, JUDGE_STR(""));
        c->side++;
        if (c->side == 2) {
            judge_arena_reset(arena);
            c->rc = judge_difference_compute(r, arena);
        }
    }

    judge_arena_destroy(arena);
}


/* --- The answer ---------------------------------------------------------- */

static void
judge_difference_target(judge_json_writer_t *w, const judge_difference_t *d)
{
    size_t  i;

    judge_json_put_int(w, "items", (int64_t) d->n);
    judge_json_put_int(w, "clusters", (int64_t) d->clusters);

    judge_json_key_object(w, "not_judged");
    for (i = 0; i < 2; i++) {
        judge_json_put_int(w, judge_difference_sides[i],
                           (int64_t) d->missing[i]);
    }
    judge_json_object_end(w);

    judge_compared_number(w, "mean", d->mean[0]);
    judge_compared_number(w, "against_mean", d->mean[1]);
    judge_compared_number(w, "difference", d->difference);
    judge_compared_number(w, "low", d->low);
    judge_compared_number(w, "high", d->high);
    judge_compared_number(w, "better", d->better);
    judge_compared_number(w, "worse", d->worse);
    judge_compared_number(w, "p", d->p);
    judge_compared_number(w, "p_adjusted", d->adjusted);
    judge_json_put_c(w, "verdict", judge_difference_verdict(d));
}


static void
judge_difference_put_item(judge_json_writer_t *w, const judge_differing_t *c,
    const judge_difference_pair_t *pair)
{
    size_t                          k;
    double                          scores[2];
    const judge_difference_item_t  *item;

    for (k = 0; k < 2; k++) {
        item = judge_difference_item(c, k, pair->at[k]);
        scores[k] = judge_difference_overall(c, k, pair->at[k]);
        judge_json_key_object(w, judge_difference_sides[k]);
        judge_json_put_str(w, "evaluation_id",
                           judge_id_str(&item->evaluation));
        judge_json_put_str(w, "content_id", judge_id_str(&item->content));
        judge_compared_number(w, "score", scores[k]);
        judge_json_object_end(w);
    }

    judge_compared_number(w, "difference", scores[0] - scores[1]);
}


static void
judge_difference_answer(judge_req_t *r)
{
    size_t                i, n;
    judge_json_writer_t  *w;
    judge_differing_t    *c = r->ctx;

    w = judge_reply_begin(r, 200);

    for (i = 0; i < 2; i++) {
        judge_json_key_object(w, judge_difference_sides[i]);
        judge_json_put_str(w, "batch_id", c->sides[i].find.id);
        judge_json_put_str(w, "name", c->sides[i].find.row.name);
        judge_json_put_str(w, "judge_id", c->judges[i]);
        judge_json_put_int(w, "version_number", c->versions[i]);
        judge_json_put_int(w, "items", (int64_t) c->sides[i].n);
        judge_json_object_end(w);
    }

    judge_json_put_bool(w, "complete", !c->sides[0].cut && !c->sides[1].cut);
    judge_json_put_bool(w, "engines_differ", c->engines_differ);
    judge_json_put_int(w, "matched", (int64_t) c->npairs);
    if (c->npairs) {
        judge_json_put_c(w, "matched_by", judge_same_names[c->by]);
    }
    judge_json_put_number(w, "coverage", JUDGE_DIFFERENCE_COVERAGE);

    judge_json_key_object(w, "overall");
    judge_difference_target(w, &c->figures[0]);
    judge_json_object_end(w);
    judge_json_key_array(w, "criteria");

    for (i = 1; i < c->ntargets; i++) {
        judge_json_object(w);
        judge_json_put_str(w, "criterion_id", c->sides[0].ids[i]);
        judge_json_put_str(w, "name", c->names[i]);
        judge_difference_target(w, &c->figures[i]);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
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
