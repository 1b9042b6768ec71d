/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "store/store_batch.h"
#include "work/evaluation/batch_pages.h"
#include "work/render/event_json.h"


#define JUDGE_BATCH_PAGES  128         /* at most; searched linearly */

typedef struct {
    int64_t  seq;                      /* the item's number */
    size_t   start;                    /* offset in the page's events */
} judge_batch_mark_t;

typedef struct judge_batch_page  judge_batch_page_t;

struct judge_batch_page {
    judge_batch_page_t  *older;
    judge_arena_t       *arena;        /* holds the page itself, too */
    judge_id_t           org;
    judge_id_t           id;
    int64_t              after;
    int64_t              upto;
    int64_t              undone;       /* if it differs, the page is stale */
    judge_batch_mark_t  *marks;
    size_t               nmarks;
    judge_str_t          events;
};

/* A page that is being read, and the requests that wait for it. */
typedef struct judge_batch_reading  judge_batch_reading_t;

struct judge_batch_reading {
    judge_batch_items_t     items;
    judge_service_t        *service;
    judge_id_t              id;
    int64_t                 last;
    int64_t                 undone;
    judge_batch_want_t     *wants;
    judge_batch_reading_t  *next;
};

struct judge_batch_pages {
    size_t                  count;
    size_t                  bytes;
    judge_batch_page_t     *newest;
    judge_batch_reading_t  *readings;
};


static void
judge_batch_pages_destroy(judge_service_t *service)
{
    judge_batch_page_t  *page;

    while ((page = service->events->newest)) {
        service->events->newest = page->older;
        judge_arena_destroy(page->arena);
    }
}


const judge_background_t  judge_batch_pages_background = {
    .size = sizeof(judge_batch_pages_t),
    .at = offsetof(judge_service_t, events),
    .destroy = judge_batch_pages_destroy
};


size_t
judge_batch_pages_count(const judge_service_t *service, size_t *bytes)
{
    *bytes = service->events->bytes;

    return service->events->count;
}


bool
judge_batch_pages_find(const judge_service_t *service,
    const judge_batch_want_t *want, judge_str_t *events, int64_t *upto)
{
    size_t                     low, high, middle;
    const judge_batch_page_t  *page = service->events->newest;

    while (page && !(page->after <= want->after && want->after < page->upto
                     && page->undone == want->undone
                     && judge_str_eq(judge_id_str(&page->id), want->id)
                     && judge_str_eq(judge_id_str(&page->org), want->org)))
    {
        page = page->older;
    }

    if (page == NULL) {
        return false;
    }

    low = 0;
    high = page->nmarks;

    while (low < high) {
        middle = (low + high) / 2;
        if (page->marks[middle].seq > want->after) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }

    *events = page->events;
    if (low < page->nmarks) {
        events->data += page->marks[low].start;
        events->len -= page->marks[low].start;
    } else {
        events->len = 0;
    }
    *upto = page->upto;

    return true;
}


/* Finds a read under way whose page may contain the wanted items.  If the page
 * turns out not to have them, the request starts a read of its own. */

static judge_batch_reading_t *
judge_batch_pages_under_way(const judge_batch_pages_t *pages,
    const judge_batch_want_t *want)
{
    judge_batch_reading_t  *reading = pages->readings;

    while (reading
           && !(reading->items.after <= want->after
                && want->after - reading->items.after < JUDGE_BATCH_PAGE
                && want->after < reading->last
                && reading->undone == want->undone
                && judge_str_eq(reading->items.id, want->id)
                && judge_str_eq(reading->items.op.org, want->org)))
    {
        reading = reading->next;
    }

    return reading;
}


static void
judge_batch_pages_event(judge_buf_t *buf, judge_str_t batch_id,
    const judge_batch_item_row_t *item)
{
    judge_json_writer_t  w;

    judge_event_open(&w, buf, "item", item->seq);
    judge_json_put_str(&w, "evaluation_id", item->id);
    judge_json_put_str(&w, "batch_id", batch_id);
    judge_json_put_str(&w, "content_id", item->content_id);
    judge_json_put_str(&w, "judge_id", item->judge_id);
    judge_json_put_str(&w, "status", item->status);
    if (item->scored) {
        judge_json_put_number2(&w, "overall_score", item->overall_score);
    }
    judge_json_put_str(&w, "error_code", item->error_code);
    judge_event_close(&w);
}


/* If the read found no further items, those up to reading->last were deleted
 * or are retried: the page then counts as covering their numbers, too. */

static judge_batch_page_t *
judge_batch_pages_page(const judge_batch_reading_t *reading)
{
    size_t                      i;
    judge_buf_t                 buf;
    judge_arena_t              *arena;
    judge_batch_page_t         *page;
    const judge_batch_items_t  *items = &reading->items;

    arena = judge_arena_create(1024);
    page = arena ? judge_calloc(arena, sizeof(judge_batch_page_t)) : NULL;
    if (page) {
        page->marks = judge_array_alloc(arena, items->count + 1,
                                        sizeof(judge_batch_mark_t));
    }

    if (page == NULL || page->marks == NULL) {
        judge_arena_destroy(arena);
        return NULL;
    }

    judge_buf_init(&buf, items->op.arena);

    for (i = 0; i < items->count; i++) {
        page->marks[i].seq = items->rows[i].seq;
        page->marks[i].start = buf.len;
        judge_batch_pages_event(&buf, items->id, &items->rows[i]);
    }

    page->arena = arena;
    page->nmarks = i;
    page->undone = reading->undone;
    page->after = items->after;
    page->upto = i ? items->rows[i - 1].seq : items->after;
    if (!items->page.more && page->upto < reading->last) {
        page->upto = reading->last;
    }

    judge_id_set(&page->org, items->op.org);
    judge_id_set(&page->id, items->id);
    page->events = judge_str_dup(arena, buf.len ? judge_buf_view(&buf)
                                                : JUDGE_STR(""));

    if (buf.failed || page->events.data == NULL) {
        judge_arena_destroy(arena);
        return NULL;
    }

    return page;
}


/* Evicts the oldest pages until the others fit; never the newest one. */

static void
judge_batch_pages_trim(judge_batch_pages_t *pages, size_t max)
{
    size_t               n, bytes, size;
    judge_batch_page_t  *page, **link;

    if (pages->count <= JUDGE_BATCH_PAGES && pages->bytes <= max) {
        return;
    }

    for (n = 0, bytes = 0, link = &pages->newest; (page = *link); ) {
        size = judge_arena_size(page->arena);
        bytes += size;

        if (n++ == 0 || (n <= JUDGE_BATCH_PAGES && bytes <= max)) {
            link = &page->older;
            continue;
        }

        *link = page->older;
        pages->count--;
        pages->bytes -= size;
        judge_arena_destroy(page->arena);
    }
}


static judge_rc_e
judge_batch_pages_keep(judge_batch_reading_t *reading)
{
    judge_batch_page_t   *page;
    judge_batch_pages_t  *pages = reading->service->events;

    page = judge_batch_pages_page(reading);
    if (page == NULL) {
        return JUDGE_NOMEM;
    }

    page->older = pages->newest;
    pages->newest = page;
    pages->count++;
    pages->bytes += judge_arena_size(page->arena);
    judge_batch_pages_trim(pages, reading->service->settings.max_live);

    return JUDGE_OK;
}


static void
judge_batch_pages_done(judge_op_t *op)
{
    judge_rc_e               rc;
    judge_batch_want_t      *want, *next;
    judge_batch_reading_t   *reading = (judge_batch_reading_t *) op, **link;

    link = &reading->service->events->readings;
    while (*link != reading) {
        link = &(*link)->next;
    }

    *link = reading->next;
    rc = op->rc == JUDGE_OK ? judge_batch_pages_keep(reading) : op->rc;

    for (want = reading->wants; want; want = next) {
        next = want->next;             /* ready() may free `want` */
        want->rc = rc;
        want->ready(want);
    }

    judge_service_op_free(op);
}


void
judge_batch_pages_read(judge_service_t *service, judge_batch_want_t *want)
{
    judge_batch_pages_t    *pages = service->events;
    judge_batch_items_t    *items;
    judge_batch_reading_t  *reading;

    reading = judge_batch_pages_under_way(pages, want);
    if (reading) {
        want->next = reading->wants;
        reading->wants = want;
        return;
    }

    reading = judge_service_op(sizeof(judge_batch_reading_t),
                               JUDGE_OP_BATCH_ITEMS, judge_batch_pages_done,
                               NULL);
    if (reading == NULL) {
        want->rc = JUDGE_NOMEM;
        want->ready(want);
        return;
    }

    items = &reading->items;
    items->op.org = judge_str_dup(items->op.arena, want->org);
    judge_id_set(&reading->id, want->id);
    items->id = judge_id_str(&reading->id);
    items->after = want->after;
    items->page.limit = JUDGE_BATCH_PAGE;
    reading->service = service;
    reading->last = want->last;
    reading->undone = want->undone;
    reading->wants = want;
    want->next = NULL;
    reading->next = pages->readings;
    pages->readings = reading;
    judge_submit(service, &items->op);
}
