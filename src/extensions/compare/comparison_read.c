/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Reads the scores of candidates, compares them, and answers. */


#include "api/http/request.h"
#include "api/judges/criteria.h"
#include "extensions/compare/comparison_request.h"


#define JUDGE_COMPARISON_PREFERENCES  100        /* are shown, at most */


static void judge_comparison_compute(judge_req_t *r);
static void judge_comparison_computed(judge_req_t *r);


bool
judge_comparison_has(judge_req_t *r)
{
    judge_comparing_t  *c = r->ctx;

    if ((size_t) c->item.value < c->batch.items) {
        return true;
    }

    judge_fail(r, 404, "item: expected 0 to %zu, the last one",
               c->batch.items - (c->batch.items > 0));

    return false;
}


void
judge_comparison_read(judge_req_t *r)
{
    bool                ready;
    judge_comparing_t  *c = r->ctx;

    if (!judge_compared_found(r, &c->batch) || !judge_comparison_has(r)) {
        return;
    }

    ready = judge_compared_load(r->arena, &c->batch, (size_t) c->item.value, 1,
                                &c->load);
    c->load.max_preferences = judge_compared_shown(r,
                                                JUDGE_COMPARISON_PREFERENCES);

    if (judge_check(r, ready ? JUDGE_OK : JUDGE_NOMEM, NULL)) {
        judge_await_compute(r, &c->load.op, judge_comparison_compute,
                            judge_comparison_computed);
    }
}


/* Reads the scores and the answers on pairs.  What pairs compare are the
 * criteria of the answers; without any answer, those that a model has
 * scored. */

static judge_rc_e
judge_comparison_scores(judge_arena_t *arena, judge_comparing_t *c)
{
    size_t      t, ntargets = c->batch.criteria.count + 1;
    judge_rc_e  rc;

    c->compared = judge_array_alloc(arena, c->batch.n * ntargets,
                                    sizeof(judge_candidate_t));
    c->figures = judge_array_alloc(arena, ntargets,
                                   sizeof(judge_comparison_t));
    rc = c->compared && c->figures
         ? judge_scored_load(arena, &c->batch, &c->load, &c->scored)
         : JUDGE_NOMEM;
    rc = rc ? rc : judge_paired_read(arena, &c->batch, c->load.answers,
                                     c->load.nanswers, (size_t) c->load.first,
                                     &c->pairs);
    if (rc != JUDGE_OK) {
        return rc;
    }

    judge_scored_item(&c->scored, 0, c->batch.n, c->compared);

    for (t = 1; t < ntargets && !c->pairs.asked[t]; t++) { /* void */ }

    c->pairs.asked = t < ntargets ? c->pairs.asked : c->scored.by_model;

    return JUDGE_OK;
}


/* Returns the reason that the response gives for pairs not compared. */

static const char *
judge_comparison_reason(const judge_comparing_t *c)
{
    return c->batch.find.pairs_at ? "processing"
           : c->batch.find.calls + 1 >= c->batch.find.pairs ? "max_calls"
           : "not_judged";
}


static bool
judge_comparison_paired(const judge_comparing_t *c, size_t target)
{
    return c->batch.find.pairs && c->pairs.asked[target];
}


static void
judge_comparison_compute(judge_req_t *r)
{
    size_t              t;
    double              level;
    judge_comparing_t  *c = r->ctx;

    level = c->level.set ? c->level.value : JUDGE_COMPARED_LEVEL;
    r->rc = judge_comparison_scores(r->arena, c);

    for (t = 0; r->rc == JUDGE_OK && t <= c->batch.criteria.count; t++) {
        if (judge_comparison_paired(c, t)) {
            judge_paired_compare(&c->pairs, c->compared, t, level,
                                 judge_comparison_reason(c), &c->figures[t]);
        } else {
            judge_comparison(c->compared + t * c->batch.n, c->batch.n, level,
                             &c->figures[t]);
        }
    }
}


/* --- The answer ---------------------------------------------------------- */

static void
judge_comparison_target(judge_json_writer_t *w, const void *report, size_t t)
{
    size_t                     i;
    const judge_comparing_t   *c = report;
    const judge_candidate_t   *compared = c->compared + t * c->batch.n;
    const judge_comparison_t  *figure = &c->figures[t];

    judge_json_put_c(w, "compared_by", judge_comparison_paired(c, t)
                                     ? "pairs" : "scores");
    judge_json_put_c(w, "verdict", figure->verdict);
    if (figure->reason) {
        judge_json_put_c(w, "reason", figure->reason);
    } else {
        judge_json_put_str(w, "winner", c->batch.names[figure->leader]);
    }

    judge_compared_number(w, "difference", figure->difference);
    judge_compared_number(w, "probability", figure->probability);
    judge_json_key_array(w, "candidates");

    for (i = 0; i < c->batch.n; i++) {
        judge_json_object(w);
        judge_json_put_str(w, "id", c->batch.names[i]);
        judge_compared_number(w, "score", compared[i].score);
        judge_compared_number(w, "probability", figure->best[i]);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


void
judge_comparison_candidates(judge_json_writer_t *w, const judge_comparing_t *c)
{
    size_t                           i;
    const judge_batch_scores_row_t  *rows = c->load.rows;

    judge_json_key_array(w, "candidates");

    for (i = 0; i < c->batch.n; i++) {
        judge_json_object(w);
        judge_json_put_str(w, "id", c->batch.names[i]);
        if (rows) {
            judge_json_put_str(w, "content_id", rows[i].content_id);
            judge_json_put_str(w, "evaluation_id", rows[i].id);
        }
        judge_json_put_c(w, "status", rows ? c->scored.rows[i].status
                                           : "processing");
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


void
judge_comparison_preference(judge_json_writer_t *w, const judge_comparing_t *c,
    const judge_preference_row_t *row)
{
    judge_str_t  none = { 0, NULL };

    judge_json_put_c(w, "feedback_type", "preference");
    judge_json_put_int(w, "item", row->item);
    judge_json_put_str(w, "criterion_id", row->criterion_id.len
                                          ? row->criterion_id : none);
    judge_json_put_nullable(w, "winner", row->winner >= 0
                                         && (size_t) row->winner < c->batch.n
                                         ? c->batch.names[row->winner] : none);
    judge_json_put_str(w, "submitted_by", row->submitted_by);
    judge_json_put_str(w, "person", row->person.len ? row->person : none);
    judge_json_put_str(w, "comment", row->comment);
    judge_json_put_time(w, "submitted_at", row->submitted_at);
}


/* Writes the winner by each criterion: none if the two orders disagree. */

static void
judge_comparison_pair(judge_json_writer_t *w, const judge_comparing_t *c,
    size_t a, size_t b)
{
    int                           sign;
    bool                          differ;
    size_t                        t;
    const judge_criterion_row_t  *criteria = c->batch.criteria.items;

    judge_json_key_array(w, "criteria");

    for (t = 1; t < c->pairs.ntargets; t++) {
        sign = judge_paired_both(&c->pairs, a, b, t, &differ);
        if (sign > 1) {
            continue;
        }

        judge_json_object(w);
        judge_json_put_str(w, "criterion_id", criteria[t - 1].id);
        judge_json_put_nullable(w, "winner", sign
                                ? c->batch.names[sign > 0 ? a : b]
                                : (judge_str_t) { 0, NULL });
        judge_json_put_bool(w, "position_bias", differ);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


/* Writes the pairs that a model has compared, if the batch asks for that. */

static void
judge_comparison_pairs(judge_json_writer_t *w, const judge_comparing_t *c)
{
    size_t               a, b;
    judge_paired_bias_t  bias = { 0, 0 };

    if (c->batch.find.pairs == 0) {
        return;
    }

    judge_paired_bias(&c->pairs, 0, &bias);
    judge_compared_pairs(w, &c->batch, c->batch.find.calls, c->pairs.tokens);
    judge_compared_share(w, "position_bias", bias.differ, bias.both);
    judge_json_key_array(w, "asked");

    for (a = 0; a < c->batch.n; a++) {
        for (b = a + 1; b < c->batch.n; b++) {
            if (judge_paired_signs(&c->pairs, a, b)[0] != JUDGE_PAIRED_UNASKED
                || judge_paired_signs(&c->pairs, b, a)[0]
                   != JUDGE_PAIRED_UNASKED)
            {
                judge_json_object(w);
                judge_json_put_str(w, "id", c->batch.names[a]);
                judge_json_put_str(w, "against", c->batch.names[b]);
                judge_comparison_pair(w, c, a, b);
                judge_json_object_end(w);
            }
        }
    }

    judge_json_array_end(w);
    judge_json_object_end(w);
}


const char *
judge_comparison_status(judge_str_t status)
{
    return !judge_batch_ended(status) ? "processing"
           : judge_str_eq_c(status, "failed") ? "failed" : "completed";
}


static void
judge_comparison_computed(judge_req_t *r)
{
    size_t                    i;
    judge_comparing_t        *c = r->ctx;
    judge_json_writer_t      *w;
    const judge_batch_row_t  *row = &c->batch.find.row;

    w = judge_reply_begin(r, c->waiting.seconds > 0 ? 201 : 200);
    judge_json_put_id(w, "batch_id", c->batch.find.id);
    judge_json_put_str(w, "name", row->name);
    judge_json_put_str(w, "judge_id", c->batch.judge);
    judge_json_put_int(w, "version_number", c->batch.version);
    judge_json_put_c(w, "status", c->batch.find.pairs_at ? "processing"
                                  : judge_comparison_status(row->status));
    judge_json_put_time(w, "created_at", row->created_at);
    judge_json_put_time_if(w, "completed_at", row->completed_at);
    judge_json_put_int(w, "items", (int64_t) c->batch.items);
    judge_json_put_int(w, "item", c->item.value);
    judge_json_put_c(w, "compared_by", judge_comparison_paired(c, 0)
                                     ? "pairs" : "scores");
    judge_json_put_number(w, "level", c->level.set ? c->level.value
                                                   : JUDGE_COMPARED_LEVEL);
    judge_comparison_candidates(w, c);
    judge_compared_targets(w, &c->batch.criteria, judge_comparison_target, c);
    judge_comparison_pairs(w, c);
    judge_json_key_array(w, "preferences");

    for (i = 0; i < c->load.npreferences; i++) {
        judge_json_object(w);
        judge_comparison_preference(w, c, &c->load.preferences[i]);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
    judge_reply_end(r);
}
