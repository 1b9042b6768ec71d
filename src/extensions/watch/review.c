/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The review queue: the evaluations of a judge without feedback, sorted by how
 * much a correction would teach the judge. */


#include <string.h>

#include "analysis/features/feature.h"
#include "extensions/watch/watch.h"
#include "store/store_training.h"
#include "work/calibration/calibrator.h"
#include "work/render/evaluation_json.h"
#include "api/judges/judge_version.h"


_Static_assert(JUDGE_REVIEW_ITEMS <= JUDGE_ACTIVE_ITEMS,
               "they can be compared");

typedef struct {
    judge_list_query_t    query;
    judge_judge_find_t    find;
    judge_page_t          page;
    judge_review_list_t   list;
    judge_active_item_t  *items;
    size_t               *order;
    size_t                norder;
} judge_review_t;


static bool judge_review(judge_req_t *r);
static void judge_review_found(judge_req_t *r);
static void judge_review_rank(judge_req_t *r);
static void judge_review_answer(judge_req_t *r);


static const judge_field_t  judge_review_query[] = {
    judge_list_query_fields(judge_review_t, query),
    { .name = NULL }
};

const judge_route_t  judge_review_routes[] = {
    { judge_route(GET, "/judges/{judge_id}/review", JUDGE_MAY_READ_FEEDBACK,
                  0, judge_review_t),
      .query = judge_review_query,
      .resource = &judge_judges_resource,
      .op = { judge_route_op(JUDGE_OP_JUDGE_FIND, judge_review_t, find.),
              .prepare = judge_review, .next = judge_review_found } },
    { .pattern = NULL }
};


static bool
judge_review(judge_req_t *r)
{
    judge_review_t  *c = r->ctx;

    return judge_list_page(r, &c->query, "evl", &c->page);
}


static void
judge_review_found(judge_req_t *r)
{
    judge_review_t  *c = r->ctx;

    c->list.op.kind = JUDGE_OP_REVIEW_LIST;
    c->list.judge_id = c->find.id;
    judge_await_compute(r, &c->list.op, judge_review_rank,
                        judge_review_answer);
}


/* --- In a thread --------------------------------------------------------- */

/* Features that another build or an external worker has measured are left out,
 * because they can't be compared with those of this build. */

static judge_rc_e
judge_review_items(judge_review_t *c, judge_arena_t *arena)
{
    size_t                     i;
    float                     *copy;
    judge_str_t                features;
    const judge_review_row_t  *row;

    for (i = 0; i < c->list.count; i++) {
        row = &c->list.rows[i];
        c->items[i] = (judge_active_item_t) { .known = row->known };

        if (row->features.data
            && judge_calibrator_vector_read(row->features, JUDGE_ENGINE_NAME,
                                            &features))
        {
            copy = judge_array_alloc(arena, features.len, 1);
            if (copy == NULL) {
                return JUDGE_NOMEM;
            }
            memcpy(copy, features.data, features.len);
            c->items[i].features = copy;
        }
    }

    return JUDGE_OK;
}


static void
judge_review_rank(judge_req_t *r)
{
    judge_arena_t   *arena;
    judge_review_t  *c = r->ctx;

    arena = judge_arena_create(256 * 1024);
    c->items = judge_array_alloc(r->arena, c->list.count + 1,
                                 sizeof(judge_active_item_t));
    c->order = judge_array_alloc(r->arena, c->list.count + 1, sizeof(size_t));
    r->rc = arena && c->items && c->order ? judge_review_items(c, arena)
                                          : JUDGE_NOMEM;
    if (r->rc == JUDGE_OK) {
        r->rc = judge_active_order(arena, c->items, c->list.count,
                                   JUDGE_FEATURES, c->order, &c->norder);
    }
    judge_arena_destroy(arena);
}


/* --- The answer ---------------------------------------------------------- */

/* Returns the index after the cursor's item.  If that has been corrected, the
 * order has changed, and the list starts at the beginning again. */

static size_t
judge_review_start(const judge_review_t *c)
{
    size_t  i;

    for (i = 0; i < c->norder && c->page.before.data; i++) {
        if (judge_str_eq(c->list.rows[c->order[i]].id, c->page.before)) {
            return i + 1;
        }
    }

    return 0;
}


static void
judge_review_item(judge_req_t *r, judge_json_writer_t *w,
    const judge_review_row_t *row, double gain)
{
    judge_json_object(w);
    judge_json_put_id(w, "evaluation_id", row->id);
    judge_json_put_str(w, "content_id", row->content_id);
    if (judge_auth_may(r, JUDGE_MAY_READ_CONTENT)) {
        judge_json_put_str(w, "content_name", row->name);
    }
    judge_json_put_int(w, "judge_version", row->judge_version);
    judge_json_put_number2(w, "overall_score", row->overall_score);
    judge_json_put_number2(w, "gain", gain);
    judge_review_json(w, (unsigned) row->review);
    judge_json_put_time(w, "evaluated_at", row->evaluated_at);
    judge_json_object_end(w);
}


static void
judge_review_answer(judge_req_t *r)
{
    size_t                i, end, start;
    judge_review_t       *c = r->ctx;
    judge_json_writer_t  *w;

    start = judge_review_start(c);
    end = start + (size_t) c->page.limit;
    c->page.more = end < c->norder;
    end = c->page.more ? end : c->norder;

    w = judge_reply_begin(r, 200);
    judge_json_put_str(w, "judge_id", c->find.id);
    judge_json_put_int(w, "waiting", (int64_t) c->norder);
    judge_json_key_array(w, "items");

    for (i = start; i < end; i++) {
        judge_review_item(r, w, &c->list.rows[c->order[i]],
                          c->items[c->order[i]].gain);
    }

    judge_json_array_end(w);

    if (c->page.more) {
        judge_reply_cursor(r, w, &c->page, c->list.rows[c->order[end - 1]].id);
    }

    judge_reply_end(r);
}
