/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Creating a batch: a thread separates texts from content ids, the judges and
 * contents are looked up, identifiers are made, and one operation stores all.
 */


#include <string.h>

#include "base/core/hash.h"
#include "work/service/usage.h"
#include "api/batches/batches.h"
#include "api/http/request.h"


/* A hash set that numbers identifiers in the order of their first use. */
typedef struct {
    const judge_batch_content_t  *contents;
    size_t                       *slots;       /* number + 1; 0: empty */
    size_t                        mask;
} judge_batch_set_t;


static void judge_batch_creation_sort(judge_req_t *r);
static void judge_batch_creation_sorted(judge_req_t *r);
static void judge_batch_creation_checked(judge_req_t *r);
static void judge_batch_creation_write(judge_req_t *r);
static void judge_batch_creation_texts(judge_req_t *r);
static void judge_batch_creation_stored(judge_req_t *r);


/* r->ctx begins with a judge_batch_creation_t. */

void
judge_batch_create(judge_req_t *r)
{
    size_t                   max;
    judge_batch_creation_t  *m = r->ctx;

    max = (size_t) r->service->settings.max_judges;

    if (m->judge_ids.count > max) {
        judge_fail(r, 400, m->table ? "judge_ids: expected 1 to %zu judges"
                           : "judge_ids: expected an array of 1 to %zu items",
                   max);
        return;
    }

    judge_compute(r, judge_batch_creation_sort, judge_batch_creation_sorted);
}


size_t
judge_batch_item_count(const judge_batch_creation_t *make)
{
    return make->items.len / sizeof(judge_batch_item_t);
}


bool
judge_batch_item_add(judge_req_t *r, const judge_batch_item_t *item)
{
    judge_batch_creation_t  *make = r->ctx;

    if (make->items.arena == NULL) {
        judge_buf_init(&make->items, r->arena);
    }

    judge_buf_append(&make->items, item, sizeof(judge_batch_item_t));

    return !make->items.failed;
}


static judge_rc_e
judge_batch_creation_room(judge_req_t *r, judge_batch_set_t *set)
{
    size_t                   n, slots;
    judge_arena_t           *a;
    judge_batch_creation_t  *m = r->ctx;

    a = r->arena;
    n = judge_batch_item_count(m);

    for (slots = 16; slots < 2 * n; slots *= 2) { /* void */ }

    m->check.judges = judge_array_alloc(a, m->judge_ids.count,
                                        sizeof(judge_batch_judge_t));
    m->judges_at = judge_array_alloc(a, m->judge_ids.count, sizeof(size_t));
    m->check.contents = judge_array_alloc(a, n,
                                          sizeof(judge_batch_content_t));
    m->create.inlined = judge_array_alloc(a, n, sizeof(judge_content_row_t));
    m->create.content_ids = judge_array_alloc(a, n, sizeof(judge_str_t));
    m->inlined_ids = judge_array_alloc(a, n, sizeof(judge_id_t));
    m->inlined_at = judge_array_alloc(a, n, sizeof(size_t));
    m->found_at = judge_array_alloc(a, n, sizeof(size_t));
    set->slots = judge_array_alloc(a, slots, sizeof(size_t));
    set->mask = slots - 1;
    set->contents = m->check.contents;

    return m->check.judges && m->judges_at && m->check.contents
           && m->create.inlined && m->create.content_ids && m->inlined_ids
           && m->inlined_at && m->found_at && set->slots
           ? JUDGE_OK : JUDGE_NOMEM;
}


/* Returns the number of an identifier; a new one gets the number n.  Probing
 * ends, because there are at least twice as many slots as identifiers. */

static size_t
judge_batch_creation_number(judge_batch_set_t *set, judge_str_t id, size_t n)
{
    size_t    i;
    uint64_t  hash;

    hash = judge_fnv(JUDGE_FNV_START, id.data, id.len);

    for (i = (hash ^ hash >> 32) & set->mask; set->slots[i];
         i = (i + 1) & set->mask)
    {
        if (judge_str_eq(set->contents[set->slots[i] - 1].id, id)) {
            return set->slots[i] - 1;
        }
    }

    set->slots[i] = n + 1;

    return n;
}


static void
judge_batch_creation_item(judge_batch_creation_t *m, size_t i,
    judge_batch_set_t *set)
{
    size_t                     n;
    const judge_batch_item_t  *item;

    item = &((judge_batch_item_t *) (void *) m->items.data)[i];

    if (item->content_id.data) {
        n = m->check.ncontents;
        if (judge_batch_creation_number(set, item->content_id, n) != n) {
            return;
        }
        m->check.contents[n].id = item->content_id;
        m->found_at[n] = i;
        m->check.ncontents++;
        m->create.content_ids[m->create.ncontents++] = item->content_id;
        return;
    }

    n = m->create.ninlined++;
    m->inlined_at[n] = m->create.ncontents++;
    m->create.inlined[n] = (judge_content_row_t) {
        .file_type = JUDGE_STR("text"),
        .status = JUDGE_STR("ready"),
        .size = (int64_t) item->text_content.len,
        .name = item->name,
        .description = item->description,
        .metadata = item->metadata,
        .text_content = item->text_content
    };
}


/* Runs in a thread.  A judge that is named twice counts once. */

static void
judge_batch_creation_sort(judge_req_t *r)
{
    size_t                   i, k, n;
    judge_str_t             *ids;
    judge_batch_set_t        set;
    judge_batch_creation_t  *m = r->ctx;

    m->rc = judge_batch_creation_room(r, &set);
    if (m->rc != JUDGE_OK) {
        return;
    }

    ids = m->judge_ids.items;

    for (i = 0; i < m->judge_ids.count; i++) {
        for (k = 0; k < m->check.njudges; k++) {
            if (judge_str_eq(m->check.judges[k].active.judge_id, ids[i])) {
                break;
            }
        }

        if (k == m->check.njudges) {
            m->judges_at[k] = i;
            m->check.judges[m->check.njudges++].active.judge_id = ids[i];
        }
    }

    n = judge_batch_item_count(m);
    for (i = 0; i < n; i++) {
        judge_batch_creation_item(m, i, &set);
    }
}


static void
judge_batch_creation_sorted(judge_req_t *r)
{
    judge_batch_creation_t  *m = r->ctx;

    if (judge_check(r, m->rc, NULL)) {
        m->check.op.kind = JUDGE_OP_BATCH_CHECK;
        judge_await(r, &m->check.op, judge_batch_creation_checked);
    }
}


static const char *
judge_batch_items_name(const judge_batch_creation_t *m)
{
    return m->called ? m->called : "content_items";
}


static bool
judge_batch_creation_fit_judges(judge_req_t *r)
{
    size_t                   i;
    judge_str_t              type, first;
    judge_batch_creation_t  *m = r->ctx;

    first = m->check.judges[0].active.content_type;

    for (i = 0; i < m->check.njudges; i++) {
        type = m->check.judges[i].active.content_type;

        if (type.data == NULL) {
            if (m->called) {
                judge_fail(r, 404, "judge_id: there is no such judge");
            } else {
                judge_fail(r, 404, "judge_ids[%zu]: there is no such judge",
                           m->judges_at[i]);
            }
            return false;
        }

        if (!judge_str_eq(type, first)) {
            judge_fail(r, 400, "judge_ids[%zu]: expected a judge of %.*s, as"
                               " the first one is; this one is of %.*s",
                       m->judges_at[i], (int) first.len, first.data,
                       (int) type.len, type.data);
            return false;
        }
    }

    return true;
}


static bool
judge_batch_creation_fit_contents(judge_req_t *r)
{
    size_t                        i;
    judge_str_t                   type;
    judge_batch_creation_t       *m = r->ctx;
    const judge_batch_content_t  *content;

    type = m->check.judges[0].active.content_type;

    for (i = 0; i < m->check.ncontents; i++) {
        content = &m->check.contents[i];

        if (!content->found) {
            judge_fail(r, 404, "%s[%zu].content_id: there is no such"
                               " content", judge_batch_items_name(m),
                       m->found_at[i]);
            return false;
        }

        if (!judge_str_eq(content->file_type, type)) {
            judge_fail(r, 400, "%s[%zu].content_id: expected content of the"
                               " judges' type, %.*s; this is %.*s",
                       judge_batch_items_name(m), m->found_at[i],
                       (int) type.len,
                       type.data, (int) content->file_type.len,
                       content->file_type.data);
            return false;
        }

        if (!judge_str_eq_c(content->status, "ready")) {
            judge_fail(r, 409, "%s[%zu].content_id: this content can't be"
                               " evaluated: its status is %.*s",
                       judge_batch_items_name(m), m->found_at[i],
                       (int) content->status.len, content->status.data);
            return false;
        }
    }

    return true;
}


static bool
judge_batch_creation_fit_inlined(judge_req_t *r)
{
    size_t                   i;
    judge_str_t              type;
    judge_batch_creation_t  *m = r->ctx;
    judge_batch_item_t      *items;

    type = m->check.judges[0].active.content_type;
    if (m->create.ninlined == 0 || judge_str_eq_c(type, "text")) {
        return true;
    }

    if (m->table) {
        judge_fail(r, 400, "judge_ids: expected judges of text, which the"
                           " table holds; these are of %.*s", (int) type.len,
                   type.data);
        return false;
    }

    items = (judge_batch_item_t *) (void *) m->items.data;
    for (i = 0; items[i].content_id.data; i++) { /* void */ }

    judge_fail(r, 400, "%s[%zu].text_content: expected content of the judges'"
                       " type, %.*s; this is text", judge_batch_items_name(m),
               i,
               (int) type.len, type.data);

    return false;
}


static judge_rc_e
judge_batch_creation_ids(judge_req_t *r, judge_ms_t now)
{
    size_t                   i, n;
    judge_rc_e               rc;
    judge_batch_creation_t  *m = r->ctx;
    judge_batch_create_t    *create;

    create = &m->create;
    n = m->check.njudges * create->ncontents;

    create->contents = (int64_t) create->ncontents;
    create->large = n > JUDGE_SLICE_ROWS;
    create->ids = judge_array_alloc(r->arena, create->large ? 1 : n,
                                    sizeof(judge_id_t));
    if (create->ids == NULL) {
        return JUDGE_NOMEM;
    }

    rc = judge_id_make(&m->id, "bat", now);
    if (rc == JUDGE_OK) {
        rc = judge_id_make_range(&m->first, "evl", now);
        create->first = judge_id_str(&m->first);
    }

    for (i = 0; rc == JUDGE_OK && i < create->ninlined; i++) {
        rc = judge_id_make(&m->inlined_ids[i], "cnt", now);
        create->inlined[i].id = judge_id_str(&m->inlined_ids[i]);
        create->inlined[i].created_at = now;
        create->content_ids[m->inlined_at[i]] = create->inlined[i].id;
    }

    for (i = 0; !create->large && i < n; i++) {
        judge_id_nth(&create->ids[i], &m->first, i);
    }

    return rc;
}


/* Evaluations that are neither of text nor by a model wait for an external
 * worker, and fail at their deadline. */

static judge_rc_e
judge_batch_creation_row(judge_req_t *r)
{
    bool                     start, inside;
    size_t                   i, asks = 0;
    judge_ms_t               now;
    judge_rc_e               rc;
    judge_batch_judge_t     *judge;
    judge_batch_creation_t  *m = r->ctx;
    judge_batch_create_t    *create = &m->create;
    const judge_settings_t  *settings = &r->service->settings;

    now = judge_now(r->service);
    start = !m->auto_start.set || m->auto_start.value;

    rc = judge_batch_creation_ids(r, now);
    if (rc != JUDGE_OK) {
        return rc;
    }

    create->waits_until = now + settings->callback_deadline;
    create->judges = m->check.judges;
    create->njudges = m->check.njudges;

    create->row.id = judge_id_str(&m->id);
    create->trace = r->headers[JUDGE_HEADER_TRACEPARENT];
    create->row.status = start ? JUDGE_STR("evaluating")
                               : JUDGE_STR("created");
    create->row.content_type = create->judges[0].active.content_type;
    create->row.priority = m->priority.set ? m->priority.value
                                           : JUDGE_PRIORITY_NORMAL;
    create->row.created_at = now;
    create->row.started_at = start ? now : 0;
    create->row.total = (int64_t) (create->njudges * create->ncontents);

    for (i = 0; i < create->njudges; i++) {
        judge = &create->judges[i];
        inside = judge->wanted.model.data
                 || judge_str_eq_c(judge->active.content_type, "text");
        judge->wanted.deadline = now + (inside ? settings->deadline
                                               : settings->callback_deadline);
        judge->wanted.queue_at = start && inside ? now : 0;
        create->waits = create->waits || (start && !inside);
        asks += judge->wanted.model.data != NULL;
    }

    if (create->systems.data && asks
        && judge_str_eq_c(create->row.content_type, "text"))
    {
        create->pairs = m->max_calls.set ? m->max_calls.value
                        : (int64_t) (JUDGE_BATCH_CALLS * asks
                                     * create->ncontents);
        create->pairs_at = create->pairs ? now : 0;
    }

    return JUDGE_OK;
}


static void
judge_batch_creation_checked(judge_req_t *r)
{
    size_t                   i, n;
    judge_batch_judge_t     *judge;
    judge_batch_creation_t  *m = r->ctx;

    if (!judge_batch_creation_fit_judges(r)
        || !judge_batch_creation_fit_contents(r)
        || !judge_batch_creation_fit_inlined(r))
    {
        return;
    }

    n = m->check.njudges;
    if (m->create.ncontents > JUDGE_ID_RANGE / n) {
        judge_fail(r, 400, "%s: expected at most %zu for %zu judges",
                   m->table ? "body" : judge_batch_items_name(m),
                   JUDGE_ID_RANGE / n, n);
        return;
    }

    for (i = 0; i < n; i++) {
        judge = &m->check.judges[i];

        if (!judge_model_choice_apply(r, &m->choice, &judge->active,
                                      m->check.default_model,
                                      judge->active.content_type,
                                      &judge->wanted))
        {
            return;
        }
    }

    if (judge_check(r, judge_batch_creation_row(r), NULL)) {
        judge_compute(r, judge_batch_creation_write,
                      judge_batch_creation_texts);
    }
}


/* Runs in a thread: writes the lists of identifiers as JSON. */

static void
judge_batch_creation_write(judge_req_t *r)
{
    size_t                   i, k;
    judge_buf_t              buf[3];
    judge_json_writer_t      w[3];
    judge_batch_creation_t  *m = r->ctx;

    for (k = 0; k < 3; k++) {
        judge_buf_init(&buf[k], r->arena);
        judge_json_begin(&w[k], &buf[k]);
        judge_json_array(&w[k]);
    }

    for (i = 0; i < m->check.njudges; i++) {
        judge_json_str(&w[0], m->check.judges[i].active.judge_id);
        judge_json_int(&w[1], m->check.judges[i].active.version);
    }

    for (i = 0; i < m->create.ncontents; i++) {
        judge_json_str(&w[2], m->create.content_ids[i]);
    }

    for (k = 0; k < 3; k++) {
        judge_json_array_end(&w[k]);
        if (judge_json_finish(&w[k]) != JUDGE_OK) {
            m->rc = JUDGE_NOMEM;
        }
    }

    m->create.row.judge_ids = judge_buf_view(&buf[0]);
    m->create.row.judge_versions = judge_buf_view(&buf[1]);
    m->create.row.content_ids = judge_buf_view(&buf[2]);
}


/* Many texts are stored before the batch, in slices, so that no transaction
 * becomes long. */

static void
judge_batch_creation_texts(judge_req_t *r)
{
    size_t                   i, bytes;
    judge_batch_creation_t  *m = r->ctx;
    judge_batch_create_t    *create = &m->create;
    judge_batch_texts_t     *slice = &m->slice;

    if (!judge_check(r, m->rc, NULL)) {
        return;
    }

    bytes = 0;
    for (i = m->texts; i < create->ninlined; i++) {
        if (i - m->texts == JUDGE_SLICE_TEXTS || bytes > JUDGE_SLICE_BYTES) {
            break;
        }
        bytes += create->inlined[i].text_content.len
                 + create->inlined[i].metadata.len;
    }

    if (m->texts == 0 && i == create->ninlined) {
        create->until = judge_now(r->service) + JUDGE_SLICE_LEASE;
        judge_resource_run(r);         /* stores them with the batch */
        return;
    }

    slice->op.kind = JUDGE_OP_BATCH_TEXTS;
    slice->id = create->row.id;
    slice->first = create->inlined[0].id;
    slice->last = create->inlined[create->ninlined - 1].id;
    slice->until = judge_now(r->service) + JUDGE_SLICE_LEASE;
    slice->rows = &create->inlined[m->texts];
    slice->count = i - m->texts;
    slice->continued = m->texts > 0;
    judge_await(r, &slice->op, judge_batch_creation_stored);
}


static void
judge_batch_creation_stored(judge_req_t *r)
{
    judge_batch_creation_t  *m = r->ctx;

    if (!judge_check(r, m->slice.op.rc, NULL)) {
        return;
    }

    m->texts += m->slice.count;

    if (m->texts == m->create.ninlined) {
        m->create.stored = true;
        m->create.ninlined = m->texts = 0;
    }

    judge_batch_creation_texts(r);
}


/* Stores the evaluations of a large batch in slices, then answers. */

void
judge_batch_creation_rest(judge_req_t *r)
{
    judge_batch_creation_t  *m = r->ctx;

    if (!m->create.large
        || !judge_batch_slice(r, &m->rest, m->create.row.id,
                              judge_batch_creation_rest))
    {
        judge_reply_send(r);
    }
}


void
judge_batch_creation_answer(judge_req_t *r, judge_json_writer_t *w)
{
    judge_batch_creation_t  *m = r->ctx;
    judge_batch_row_t       *row = &m->create.row;

    judge_json_put_id(w, "batch_id", row->id);
    judge_json_put_str(w, "name", row->name);
    judge_json_put_str(w, "status", row->status);
    judge_json_put_int(w, "total_evaluations", row->total);
    judge_json_put_time_if(w, "estimated_completion_time",
                           judge_batch_estimate(r, row));
    judge_json_put_time(w, "created_at", row->created_at);
}


void
judge_batch_creation_committed(judge_req_t *r, judge_op_t *op)
{
    const judge_batch_row_t  *row;

    row = &((judge_batch_create_t *) op)->row;

    judge_usage_add(r->service->usage, r->org, r->key_id, 0, row->total,
                    row->created_at);
}
