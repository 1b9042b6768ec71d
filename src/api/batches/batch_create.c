/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Creating a batch: texts are separated from content ids, in a thread if there
 * are many, the judges and contents are looked up, and one operation stores
 * all.
 */


#include "base/core/hash.h"
#include "work/service/usage.h"
#include "api/batches/batches.h"
#include "api/http/request.h"


/* More items are sorted in a thread. */
#define JUDGE_BATCH_SORT_INLINE  256

/* A hash set that numbers identifiers in the order of their first use. */
typedef struct {
    size_t  *slots;                    /* number + 1; 0: empty */
    size_t   mask;
} judge_batch_set_t;


static void judge_batch_creation_sorted(judge_req_t *r);
static void judge_batch_creation_checked(judge_req_t *r);
static void judge_batch_creation_stored(judge_req_t *r);


bool
judge_batch_item_add(judge_req_t *r, const judge_batch_item_t *item)
{
    judge_batch_creation_t  *make = r->ctx;

    if (make->items.arena == NULL) {
        judge_buf_init(&make->items, r->arena);
    }

    judge_buf_append(&make->items, item, sizeof(judge_batch_item_t));
    make->nitems++;

    return !make->items.failed;
}


/* Probing ends, because there are at least twice as many slots as
 * identifiers. */

static judge_rc_e
judge_batch_creation_item(judge_batch_creation_t *m, size_t i,
    judge_batch_set_t *set)
{
    size_t                     n;
    uint64_t                   hash;
    judge_rc_e                 rc;
    judge_batch_check_t       *check = &m->check;
    judge_batch_create_t      *create = &m->create;
    const judge_batch_item_t  *item;

    item = &((judge_batch_item_t *) (void *) m->items.data)[i];

    if (item->content_id.data == NULL) {
        n = create->ninlined++;
        rc = judge_id_make(&m->inlined_ids[n], "cnt", m->now);
        create->inlined[n] = (judge_content_row_t) {
            .id = judge_id_str(&m->inlined_ids[n]),
            .file_type = JUDGE_STR("text"),
            .status = JUDGE_STR("ready"),
            .size = (int64_t) item->text_content.len,
            .created_at = m->now,
            .name = item->name,
            .description = item->description,
            .metadata = item->metadata,
            .text_content = item->text_content
        };
        create->content_ids[create->ncontents++] = create->inlined[n].id;
        return rc;
    }

    hash = judge_fnv(JUDGE_FNV_START, item->content_id.data,
                     item->content_id.len);

    for (n = (hash ^ hash >> 32) & set->mask; set->slots[n];
         n = (n + 1) & set->mask)
    {
        if (judge_str_eq(check->contents[set->slots[n] - 1].id,
                         item->content_id))
        {
            return JUDGE_OK;
        }
    }

    check->contents[check->ncontents].id = item->content_id;
    m->found_at[check->ncontents] = i;
    set->slots[n] = ++check->ncontents;
    create->content_ids[create->ncontents++] = item->content_id;

    return JUDGE_OK;
}


/* Sets r->rc.  Runs in any thread. */

static void
judge_batch_creation_sort(judge_req_t *r)
{
    size_t                   i, slots;
    judge_arena_t           *a = r->arena;
    judge_batch_set_t        set;
    judge_batch_creation_t  *m = r->ctx;
    judge_batch_create_t    *create = &m->create;

    for (slots = 16; slots < 2 * m->nitems; slots *= 2) { /* void */ }

    m->check.contents = judge_array_alloc(a, m->nitems,
                                          sizeof(judge_batch_content_t));
    m->found_at = judge_array_alloc(a, m->nitems, sizeof(size_t));
    m->inlined_ids = judge_array_alloc(a, m->nitems, sizeof(judge_id_t));
    create->inlined = judge_array_alloc(a, m->nitems,
                                        sizeof(judge_content_row_t));
    create->content_ids = judge_array_alloc(a, m->nitems, sizeof(judge_str_t));
    set.slots = judge_array_alloc(a, slots, sizeof(size_t));
    set.mask = slots - 1;

    r->rc = JUDGE_NOMEM;
    if (m->check.contents == NULL || m->found_at == NULL
        || m->inlined_ids == NULL || create->inlined == NULL
        || create->content_ids == NULL || set.slots == NULL)
    {
        return;
    }

    for (i = 0; i < m->nitems; i++) {
        r->rc = judge_batch_creation_item(m, i, &set);
        if (r->rc != JUDGE_OK) {
            return;
        }
    }

    create->row.content_ids = judge_json_strings_text(a, create->content_ids,
                                                      create->ncontents);
    if (create->row.content_ids.data == NULL) {
        r->rc = JUDGE_NOMEM;
    }
}


/* r->ctx begins with a judge_batch_creation_t. */

void
judge_batch_create(judge_req_t *r)
{
    size_t                   i, k, max;
    judge_str_t             *ids;
    judge_batch_creation_t  *m = r->ctx;

    if (m->nitems == 0 || (m->sent && m->sent->type != JUDGE_JSON_ARRAY)) {
        judge_fail(r, 400, "content_items: %sexpected an array of 1 to %lld"
                           " items", m->sent ? "" : "required, ",
                   (long long) r->service->settings.max_items);
        return;
    }

    max = (size_t) r->service->settings.max_judges;

    if (m->judge_ids.count > max) {
        judge_fail(r, 400, m->table ? "judge_ids: expected 1 to %zu judges"
                           : "judge_ids: expected an array of 1 to %zu items",
                   max);
        return;
    }

    m->now = judge_now(r->service);
    m->check.judges = judge_array_alloc(r->arena, m->judge_ids.count,
                                        sizeof(judge_batch_judge_t));
    m->judges_at = judge_array_alloc(r->arena, m->judge_ids.count,
                                     sizeof(size_t));
    if (m->check.judges == NULL || m->judges_at == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    ids = m->judge_ids.items;

    for (i = 0; i < m->judge_ids.count; i++) {
        k = judge_str_index(ids, i, ids[i]);
        if (k == i) {
            m->judges_at[m->check.njudges] = i;
            m->check.judges[m->check.njudges++].active.judge_id = ids[i];
        }
    }

    if (m->nitems > JUDGE_BATCH_SORT_INLINE) {
        judge_compute(r, judge_batch_creation_sort,
                      judge_batch_creation_sorted);
    } else {
        judge_batch_creation_sort(r);
        judge_batch_creation_sorted(r);
    }
}


static void
judge_batch_creation_sorted(judge_req_t *r)
{
    judge_batch_creation_t  *m = r->ctx;

    if (r->rc != JUDGE_OK) {
        judge_fail_rc(r, r->rc);
        return;
    }

    m->check.op.kind = JUDGE_OP_BATCH_CHECK;
    judge_await(r, &m->check.op, judge_batch_creation_checked);
}


static const char *
judge_batch_items_name(const judge_batch_creation_t *m)
{
    return m->called ? m->called : "content_items";
}


/* Lists the judges in the batch's row, with their versions. */

static bool
judge_batch_creation_fit_judges(judge_req_t *r)
{
    size_t                   i;
    judge_str_t              type, first;
    judge_buf_t              ids, versions;
    judge_json_writer_t      of_ids, of_versions;
    judge_batch_creation_t  *m = r->ctx;
    judge_batch_row_t       *row = &m->create.row;

    judge_json_begin_array(&of_ids, &ids, r->arena);
    judge_json_begin_array(&of_versions, &versions, r->arena);
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
            return judge_fail(r, 400, "judge_ids[%zu]: expected a judge of"
                              " %.*s, as the first one is; this one is of"
                              " %.*s", m->judges_at[i], judge_str_args(first),
                              judge_str_args(type));
        }

        judge_json_str(&of_ids, m->check.judges[i].active.judge_id);
        judge_json_int(&of_versions, m->check.judges[i].active.version);
    }

    row->judge_ids = judge_json_text(&of_ids);
    row->judge_versions = judge_json_text(&of_versions);

    return judge_check(r, row->judge_ids.data && row->judge_versions.data
                          ? JUDGE_OK : JUDGE_NOMEM, NULL);
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
            return judge_fail(r, 404, "%s[%zu].content_id: there is no such"
                              " content", judge_batch_items_name(m),
                              m->found_at[i]);
        }

        if (!judge_str_eq(content->file_type, type)) {
            return judge_fail(r, 400, "%s[%zu].content_id: expected content of"
                              " the judges' type, %.*s; this is %.*s",
                              judge_batch_items_name(m), m->found_at[i],
                              judge_str_args(type),
                              judge_str_args(content->file_type));
        }

        if (!judge_str_eq_c(content->status, "ready")) {
            return judge_fail(r, 409, "%s[%zu].content_id: this content can't"
                              " be evaluated: its status is %.*s",
                              judge_batch_items_name(m), m->found_at[i],
                              judge_str_args(content->status));
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
    if (judge_str_eq_c(type, "text")) {
        return true;
    }

    if (m->table) {
        return judge_fail(r, 400, "judge_ids: expected judges of text, which"
                          " the table holds; these are of %.*s",
                          judge_str_args(type));
    }

    items = (judge_batch_item_t *) (void *) m->items.data;
    for (i = 0; items[i].content_id.data; i++) { /* void */ }

    return judge_fail(r, 400, "%s[%zu].text_content: expected content of the"
                      " judges' type, %.*s; this is text",
                      judge_batch_items_name(m), i, judge_str_args(type));
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


/* Fills in the batch's row and what the evaluations by each judge have in
 * common.  Those that are neither of text nor by a model wait for an external
 * worker, and fail at their deadline.  false: the request was answered. */

static bool
judge_batch_creation_row(judge_req_t *r, judge_ms_t now)
{
    bool                     start, text, inside;
    size_t                   i, asks = 0;
    judge_batch_judge_t     *judge;
    judge_batch_creation_t  *m = r->ctx;
    judge_batch_create_t    *create = &m->create;
    const judge_settings_t  *settings = &r->service->settings;

    start = !m->auto_start.set || m->auto_start.value;

    create->row.status = start ? JUDGE_STR("evaluating")
                               : JUDGE_STR("created");
    create->row.content_type = create->judges[0].active.content_type;
    create->row.priority = m->priority.set ? m->priority.value
                                           : JUDGE_PRIORITY_NORMAL;
    create->row.created_at = now;
    create->row.started_at = start ? now : 0;
    create->row.total = (int64_t) (create->njudges * create->ncontents);
    text = judge_str_eq_c(create->row.content_type, "text");

    for (i = 0; i < create->njudges; i++) {
        judge = &create->judges[i];

        if ((m->choice.model.data || judge->active.model.data
             || m->check.default_model.data)
            && !judge_model_choice_apply(r, &m->choice, &judge->active,
                                         m->check.default_model,
                                         create->row.content_type,
                                         &judge->wanted))
        {
            return false;
        }

        inside = text || judge->wanted.model.data;
        judge->wanted.deadline = now + (inside ? settings->deadline
                                               : settings->callback_deadline);
        judge->wanted.queue_at = start && inside ? now : 0;
        create->waits = create->waits || (start && !inside);
        asks += judge->wanted.model.data != NULL;
    }

    if (create->systems.data && asks && text) {
        create->pairs = m->max_calls.set ? m->max_calls.value
                        : (int64_t) (JUDGE_BATCH_CALLS * asks
                                     * create->ncontents);
        create->pairs_at = create->pairs ? now : 0;
    }

    return true;
}


static void
judge_batch_creation_checked(judge_req_t *r)
{
    size_t                   i, n;
    judge_ms_t               now;
    judge_rc_e               rc;
    judge_batch_creation_t  *m = r->ctx;
    judge_batch_create_t    *create = &m->create;

    if (!judge_batch_creation_fit_judges(r)
        || !judge_batch_creation_fit_contents(r)
        || (create->ninlined && !judge_batch_creation_fit_inlined(r)))
    {
        return;
    }

    now = judge_now(r->service);
    create->judges = m->check.judges;
    create->njudges = m->check.njudges;

    if (create->ncontents > JUDGE_ID_RANGE / create->njudges) {
        judge_fail(r, 400, "%s: expected at most %zu for %zu judges",
                   m->table ? "body" : judge_batch_items_name(m),
                   JUDGE_ID_RANGE / create->njudges, create->njudges);
        return;
    }

    n = create->njudges * create->ncontents;
    create->large = n > JUDGE_SLICE_ROWS;
    create->ids = judge_array_alloc(r->arena, create->large ? 1 : n,
                                    sizeof(judge_id_t));

    rc = create->ids ? judge_id_make(&m->id, "bat", now) : JUDGE_NOMEM;
    rc = rc ? rc : judge_id_make_range(&m->first, "evl", now);
    if (!judge_check(r, rc, NULL)) {
        return;
    }

    for (i = 0; !create->large && i < n; i++) {
        judge_id_nth(&create->ids[i], &m->first, i);
    }

    create->row.id = judge_id_str(&m->id);
    create->first = judge_id_str(&m->first);
    create->contents = (int64_t) create->ncontents;
    create->waits_until = now + r->service->settings.callback_deadline;
    create->until = now + JUDGE_SLICE_LEASE;
    create->trace = r->headers[JUDGE_HEADER_TRACEPARENT];

    if (!judge_batch_creation_row(r, now)) {
        return;
    }

    if (create->ninlined) {
        judge_batch_creation_texts(r);
    } else {
        judge_resource_run(r);
    }
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
judge_batch_creation_committed(judge_req_t *r, judge_op_t *op)
{
    const judge_batch_row_t  *row;

    row = &((judge_batch_create_t *) op)->row;

    judge_usage_add(r->service->usage, r->org, r->key_id, 0, row->total,
                    row->created_at);
}
