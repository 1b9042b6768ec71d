/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Reading a batch whose contents are compared: its systems, its judge, its
 * criteria, and scores. */


#include <math.h>
#include <string.h>

#include "analysis/learning/predictor.h"
#include "work/calibration/scores.h"
#include "api/judges/criteria.h"
#include "extensions/compare/compare.h"


/* The quantile of the normal distribution for JUDGE_PREDICTOR_COVERAGE, the
 * level of intervals.  Intervals of judges that nobody has corrected have no
 * level of their own; this one is assumed for them, too. */
#define JUDGE_COMPARED_QUANTILE  1.6448536


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

    return batch->n >= JUDGE_COMPARED_MIN ? JUDGE_OK : JUDGE_ERROR;
}


bool
judge_compared_found(judge_req_t *r, judge_compared_batch_t *batch,
    judge_step_pt next)
{
    int64_t  njudges;

    if (!judge_check(r, judge_compared_names(r->arena, batch), NULL)
        || !judge_batch_judge(r, &batch->find.row, "judge_id", batch->named,
                              &batch->judge, &batch->version, &njudges))
    {
        return false;
    }

    batch->criteria_op = (judge_batch_criteria_t) {
        .op.kind = JUDGE_OP_BATCH_CRITERIA, .judge_ids = &batch->judge,
        .versions = &batch->version, .criteria = &batch->criteria_text,
        .count = 1
    };
    judge_await(r, &batch->criteria_op.op, next);

    return true;
}


bool
judge_compared_criteria(judge_req_t *r, judge_compared_batch_t *batch)
{
    return judge_check(r, batch->criteria_op.op.rc, NULL)
           && judge_check(r, judge_criteria_read(r->arena,
                                                 batch->criteria_text,
                                                 &batch->criteria), NULL);
}


judge_rc_e
judge_compared_contents(judge_arena_t *arena, judge_compared_batch_t *batch)
{
    judge_rc_e  rc;

    rc = judge_json_parse(arena, batch->find.row.content_ids, &batch->contents,
                          NULL);
    if (rc == JUDGE_OK) {
        batch->items = batch->contents->count / batch->n;
    }

    return rc == JUDGE_INVALID ? JUDGE_ERROR : rc;
}


/* Reads the scores of a candidate, and notes which a model gave.  The overall
 * score is certain (spread 0) if the score of every criterion is. */

static judge_rc_e
judge_compared_scores(judge_arena_t *arena,
    const judge_compared_batch_t *batch, judge_str_t body,
    judge_candidate_t *out, bool *by_model, judge_scores_t *read)
{
    size_t                        i, k;
    double                        widest;
    judge_rc_e                    rc;
    const judge_score_t          *given;
    const judge_criterion_row_t  *rows = batch->criteria.items;

    *read = (judge_scores_t) { .n = 0 };
    rc = body.data ? judge_scores_read(arena, body, read) : JUDGE_OK;
    if (rc != JUDGE_OK) {
        return rc;
    }

    for (k = 1, widest = 0; k < read->n; k++) {
        widest = fmax(widest, read->scores[k].width);
    }

    for (i = 0; i <= batch->criteria.count; i++) {
        given = judge_scores_of(read, i ? rows[i - 1].id : JUDGE_STR(""));
        out[i * batch->n].score = NAN;
        if (given) {
            out[i * batch->n].score = given->score;
            out[i * batch->n].spread = (i || read->n == 1 || widest > 0
                                        ? given->width : 0)
                                       / JUDGE_COMPARED_QUANTILE;
        }
        if (given && i && judge_str_eq_c(judge_json_string(given->json,
                                                           "judged_by"),
                                         "model"))
        {
            by_model[0] = by_model[i] = true;
        }
    }

    return JUDGE_OK;
}


judge_rc_e
judge_compared_choose(const judge_compared_batch_t *batch, int64_t item,
    judge_compared_item_t *out)
{
    size_t               i, first;
    const judge_json_t  *v;

    if ((uint64_t) item >= batch->items) {
        return JUDGE_NOT_FOUND;
    }

    first = (size_t) item * batch->n;

    for (v = batch->contents->first, i = 0; v && i < first + batch->n;
         v = v->next, i++)
    {
        if (i >= first && v->type == JUDGE_JSON_STRING) {
            out->rows[i - first].content_id = v->string;
        }
    }

    return JUDGE_OK;
}


static bool
judge_compared_same(const judge_batch_scores_row_t *a,
    const judge_batch_scores_row_t *b)
{
    size_t  n = a->text.len < JUDGE_COMPARED_TEXT ? a->text.len
                                                  : JUDGE_COMPARED_TEXT;

    return n && a->size == b->size && b->text.len >= n
           && memcmp(a->text.data, b->text.data, n) == 0;
}


/* A candidate without an evaluation has been deleted.  Texts with the same
 * length and beginning are taken for the same. */

static judge_rc_e
judge_compared_candidate(judge_arena_t *arena,
    const judge_compared_batch_t *batch, judge_compared_item_t *item,
    size_t i)
{
    size_t                           t, k;
    judge_rc_e                       rc;
    judge_scores_t                   read;
    const judge_batch_scores_row_t  *rows = item->rows, *row = &rows[i];

    rc = judge_compared_scores(arena, batch, row->body, &item->compared[i],
                               item->by_model, &read);
    item->states[i] = row->id.data == NULL ? "deleted"
                      : row->body.data == NULL ? "processing"
                      : read.failed ? "failed" : "completed";

    for (k = 0; k < i && !judge_compared_same(row, &rows[k]); k++) {
        /* void */
    }

    for (t = 0; t <= batch->criteria.count; t++) {
        item->compared[t * batch->n + i].same = k;
    }

    return rc;
}


judge_rc_e
judge_compared_item(judge_arena_t *arena, const judge_compared_batch_t *batch,
    judge_compared_item_t *item)
{
    size_t      i, t, n = batch->n;
    judge_rc_e  rc;

    item->compared = judge_array_alloc(arena,
                                       n * (batch->criteria.count + 1),
                                       sizeof(judge_candidate_t));
    item->by_model = judge_array_alloc(arena, batch->criteria.count + 1,
                                       sizeof(bool));
    rc = item->compared && item->by_model ? JUDGE_OK : JUDGE_NOMEM;

    for (i = 0; i < n && rc == JUDGE_OK; i++) {
        rc = judge_compared_candidate(arena, batch, item, i);
    }

    /* an overall score is a mean of what was judged, and says nothing beside
     * one of other criteria */
    for (t = n; rc == JUDGE_OK && t < n * (batch->criteria.count + 1); t++) {
        for (i = 0; isnan(item->compared[t].score) && i < n; i++) {
            if (!isnan(item->compared[t - t % n + i].score)) {
                item->compared[t % n].score = NAN;
            }
        }
    }

    return rc;
}


int64_t
judge_compared_shown(const judge_req_t *r, int64_t most)
{
    return r->permissions & (JUDGE_MAY_READ_FEEDBACK | JUDGE_MAY_ALL) ? most
                                                                      : 0;
}


void
judge_compared_number(judge_json_writer_t *w, const char *key, double v)
{
    if (!isnan(v)) {
        judge_json_put_number(w, key, round(v * 1e4) / 1e4);
    }
}


void
judge_compared_share(judge_json_writer_t *w, const char *key, size_t part,
    size_t whole)
{
    if (whole) {
        judge_compared_number(w, key, (double) part / (double) whole);
    }
}


void
judge_compared_targets(judge_json_writer_t *w, const judge_list_t *criteria,
    void (*put)(judge_json_writer_t *w, const void *report, size_t target),
    const void *report)
{
    size_t                        t;
    const judge_criterion_row_t  *rows = criteria->items;

    judge_json_key_object(w, "overall");
    put(w, report, 0);
    judge_json_object_end(w);
    judge_json_key_array(w, "criteria");

    for (t = 1; t <= criteria->count; t++) {
        judge_json_object(w);
        judge_json_put_str(w, "criterion_id", rows[t - 1].id);
        judge_json_put_str(w, "name", rows[t - 1].name);
        put(w, report, t);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
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
