/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Reading a batch whose contents are compared: its systems, its judge and its
 * criteria; and what answers about it have in common. */


#include "base/core/id.h"
#include "api/judges/criteria.h"
#include "extensions/compare/compare.h"


/* Each identifier in the list of contents has quotes and a comma. */
#define JUDGE_COMPARED_ID  (JUDGE_ID_LEN + 3)

const judge_resource_t  judge_comparisons_resource = {
    "bat", "comparison", "comparisons"
};


judge_rc_e
judge_compared_names(judge_arena_t *arena, judge_compared_batch_t *batch)
{
    judge_json_t        *names;
    const judge_json_t  *v;

    if (judge_json_parse(arena, batch->find.systems, &names, NULL) != JUDGE_OK
        || names->type != JUDGE_JSON_ARRAY)
    {
        return JUDGE_ERROR;
    }

    for (v = names->first, batch->n = 0; v && batch->n < JUDGE_COMPARED_MAX;
         v = v->next)
    {
        if (v->type == JUDGE_JSON_STRING) {
            batch->names[batch->n++] = v->string;
        }
    }

    if (batch->n < JUDGE_COMPARED_MIN) {
        return JUDGE_ERROR;
    }

    batch->items = batch->find.row.content_ids.len / JUDGE_COMPARED_ID
                   / batch->n;

    return JUDGE_OK;
}


/* All identifiers are as long, so that the list need not be parsed. */

judge_str_t
judge_compared_content(const judge_compared_batch_t *batch, size_t i)
{
    return (judge_str_t) {
        JUDGE_ID_LEN, batch->find.row.content_ids.data + 2
                      + i * JUDGE_COMPARED_ID
    };
}


bool
judge_compared_load(judge_arena_t *arena, const judge_compared_batch_t *batch,
    size_t first, size_t n, judge_comparison_load_t *load)
{
    size_t  i;

    *load = (judge_comparison_load_t) {
        .op.kind = JUDGE_OP_COMPARISON_LOAD, .op.arena = arena,
        .id = batch->find.id, .judge_id = batch->judge,
        .max_text = JUDGE_COMPARED_TEXT, .count = n * batch->n,
        .first = (int64_t) first, .last = (int64_t) (first + n) - 1,
        .max_answers = JUDGE_COMPARED_PAIRS * (int64_t) n
    };
    load->rows = judge_array_alloc(arena, load->count,
                                   sizeof(judge_batch_scores_row_t));

    for (i = 0; load->rows && i < load->count; i++) {
        load->rows[i].content_id = judge_compared_content(batch,
                                       first * batch->n + i);
    }

    return load->rows != NULL;
}


bool
judge_compared_judge(judge_req_t *r, judge_compared_batch_t *batch,
    const char *field)
{
    int64_t                         njudges;
    const judge_comparison_find_t  *find = &batch->find;

    return judge_batch_judge(r, &find->row, field, find->judge_id,
                             &batch->judge, &batch->version, &njudges)
           && judge_check(r, judge_criteria_read(r->arena,
                                                 find->judge.criteria,
                                                 &batch->criteria), NULL);
}


bool
judge_compared_found(judge_req_t *r, judge_compared_batch_t *batch)
{
    return judge_check(r, judge_compared_names(r->arena, batch), NULL)
           && judge_compared_judge(r, batch, "judge_id");
}


bool
judge_compared_ended(judge_req_t *r, const judge_compared_batch_t *batch)
{
    const judge_batch_row_t  *row = &batch->find.row;

    return judge_batch_ended(row->status)
           || judge_fail(r, 409, "the batch %.*s has not ended: it is %.*s",
                         judge_str_args(row->id), judge_str_args(row->status));
}


bool
judge_compared_has(judge_req_t *r, const judge_compared_batch_t *batch,
    int64_t item)
{
    return (size_t) item < batch->items
           || judge_fail(r, 404, "item: expected 0 to %zu, the last one",
                         batch->items - (batch->items > 0));
}


void
judge_compared_targets(judge_json_writer_t *w, const judge_list_t *criteria,
    void (*put)(judge_json_writer_t *w, const void *report, size_t target),
    const void *report)
{
    judge_json_key_object(w, "overall");
    put(w, report, 0);
    judge_json_object_end(w);
    judge_report_each(w, criteria, 1, put, report);
}


void
judge_compared_pairs(judge_json_writer_t *w,
    const judge_compared_batch_t *batch, int64_t calls, int64_t tokens)
{
    judge_json_key_object(w, "pairs");
    judge_json_put_c(w, "status", batch->find.pairs_at ? "processing"
                                                       : "completed");
    judge_json_put_int(w, "max_calls", batch->find.pairs);
    judge_json_put_int(w, "calls", calls);
    judge_json_put_int(w, "tokens", tokens);
}
