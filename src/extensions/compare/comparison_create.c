/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* POST /comparisons: makes a batch of the candidates, and may wait until it
 * has ended. */


#include <string.h>

#include "api/batches/batch_map.h"
#include "api/contents/contents.h"
#include "api/http/request.h"
#include "extensions/compare/comparison_request.h"


/* What is wrong with a candidate as its client sent it; NULL: nothing. */

static const char *
judge_comparison_wrong(const judge_comparing_t *c, size_t i)
{
    size_t                        k;
    const judge_compared_sent_t  *sent = c->candidates.items, *s = &sent[i];

    if (!s->content_id.data + !s->text_content.data + !s->messages != 2) {
        return "expected one of text_content, content_id and messages";
    }

    if (s->content_id.data && (s->metadata || c->source.data)) {
        return "expected metadata and source only with texts; a content has"
               " its own";
    }

    for (k = 0; k < i; k++) {
        if (judge_str_eq(sent[k].id, s->id)) {
            return "expected an id that no other candidate has";
        }
        if (s->content_id.data
            && judge_str_eq(sent[k].content_id, s->content_id))
        {
            return "expected a content_id that no other candidate has";
        }
    }

    return judge_str_eq_c(s->id, JUDGE_BATCH_TIE)
           ? "expected another id than \"tie\"" : NULL;
}


/* The metadata of a candidate with messages has these already. */

static judge_rc_e
judge_comparison_metadata(judge_arena_t *arena, judge_str_t source,
    judge_str_t id, const judge_json_t *metadata, judge_str_t *out)
{
    judge_buf_t          buf;
    judge_json_writer_t  w;

    static const char *const  ours[] = { "system", "source", NULL };
    static const char *const  system[] = { "system", NULL };

    judge_json_begin_object(&w, &buf, arena);
    judge_json_put_str(&w, "system", id);
    judge_json_put_str(&w, "source", source);
    judge_json_members(&w, metadata, source.data ? ours : system);
    *out = judge_json_text(&w);

    return out->data ? JUDGE_OK : JUDGE_NOMEM;
}


static judge_rc_e
judge_comparison_item(judge_req_t *r, size_t i, judge_str_t *error)
{
    judge_rc_e              rc;
    judge_str_t             path, metadata;
    const char             *wrong;
    judge_json_t           *merged;
    judge_comparing_t      *c = r->ctx;
    judge_batch_item_t      item;
    judge_content_row_t     row;
    judge_compared_sent_t  *s = (judge_compared_sent_t *) c->candidates.items
                                + i;

    path = judge_str_printf(r->arena, "candidates[%zu]", i);
    wrong = judge_comparison_wrong(c, i);
    if (path.data == NULL || wrong) {
        *error = judge_str_printf(r->arena, "candidates[%zu]: %s", i, wrong);
        return path.data && error->data ? JUDGE_INVALID : JUDGE_NOMEM;
    }

    row = (judge_content_row_t) { .text_content = s->text_content };
    rc = judge_comparison_metadata(r->arena, c->source, s->id, s->metadata,
                                   &metadata);
    row.metadata = metadata;

    if (rc == JUDGE_OK && s->messages) {
        rc = judge_json_parse(r->arena, metadata, &merged, NULL);
        if (rc == JUDGE_OK) {
            rc = judge_content_messages(r->arena, s->messages, path, merged,
                                        &row, error);
        }
    }
    if (rc != JUDGE_OK) {
        return rc;
    }

    if (row.text_content.len > r->service->settings.max_text) {
        return judge_invalid(error, judge_str_printf(r->arena,
                   "candidates[%zu]: expected a text of at most %zu bytes", i,
                   r->service->settings.max_text));
    }

    item = (judge_batch_item_t) {
        .content_id = s->content_id, .name = s->id,
        .text_content = row.text_content, .metadata = row.metadata
    };

    return judge_batch_item_add(r, &item) ? JUDGE_OK : JUDGE_NOMEM;
}


static judge_rc_e
judge_comparison_items(judge_req_t *r, judge_str_t *error)
{
    size_t                  i;
    judge_rc_e              rc = JUDGE_OK;
    judge_comparing_t      *c = r->ctx;
    judge_compared_sent_t  *sent = c->candidates.items;

    c->batch.n = c->candidates.count;

    for (i = 0; i < c->batch.n && rc == JUDGE_OK; i++) {
        c->batch.names[i] = sent[i].id;
        rc = judge_comparison_item(r, i, error);
    }

    if (rc == JUDGE_OK) {
        c->make.create.systems = judge_json_strings_text(r->arena,
                                              c->batch.names, c->batch.n);
        rc = c->make.create.systems.data ? JUDGE_OK : JUDGE_NOMEM;
    }

    return rc;
}


void
judge_comparison_create(judge_req_t *r)
{
    judge_str_t         error = { 0, NULL };
    judge_comparing_t  *c = r->ctx;

    if (!judge_check(r, judge_comparison_items(r, &error), &error)) {
        return;
    }

    if (c->make.create.row.name.data == NULL) {
        c->make.create.row.name = JUDGE_STR("Comparison");
    }

    c->make.called = "candidates";
    c->make.judge_ids = (judge_list_t) { &c->judge_id, 1, true };
    judge_batch_create(r);
}


void
judge_comparison_created(judge_req_t *r, judge_json_writer_t *w)
{
    judge_comparing_t  *c = r->ctx;

    judge_json_put_id(w, "batch_id", c->make.create.row.id);
    judge_json_put_str(w, "name", c->make.create.row.name);
    judge_json_put_str(w, "judge_id", c->judge_id);
    judge_json_put_c(w, "status", "processing");
    judge_json_put_time(w, "created_at", c->make.create.row.created_at);
    judge_comparison_candidates(w, c);
}


/* --- Waiting for the end ------------------------------------------------- */

static void
judge_comparison_reread(judge_req_t *r)
{
    judge_comparing_t  *c = r->ctx;

    memset(&c->batch.find, 0, sizeof(judge_comparison_find_t));
    c->batch.find.op.kind = JUDGE_OP_COMPARISON_FIND;
    c->batch.find.id = c->make.create.row.id;
    judge_await_end_note(r, &c->waiting, c->batch.find.id);
    judge_await(r, &c->batch.find.op, judge_comparison_waited);
}


void
judge_comparison_stored(judge_req_t *r)
{
    judge_comparing_t  *c = r->ctx;

    c->make.create.row.id = judge_reply_id(r);
    if (judge_await_end_begin(r, &c->waiting)) {
        judge_comparison_reread(r);
    }
}


void
judge_comparison_waited(judge_req_t *r)
{
    judge_comparing_t  *c = r->ctx;

    if (c->batch.find.op.rc != JUDGE_OK) {
        judge_fail(r, 404, "the comparison has been deleted");

    } else if ((!judge_batch_ended(c->batch.find.row.status)
                || c->batch.find.pairs_at)
               && !judge_await_end_over(r, &c->waiting))
    {
        judge_await_end_rest(r, &c->waiting, judge_comparison_reread);

    } else {
        judge_comparison_read(r);
    }
}
