/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>

#include "base/core/hash.h"
#include "work/calibration/scores.h"
#include "api/batches/batch_map.h"
#include "api/judges/criteria.h"
#include "extensions/compare/compare.h"


#define JUDGE_SCORED_PAGE  200

/* The quantile of the normal distribution for JUDGE_PREDICTOR_COVERAGE, the
 * level of intervals.  Intervals of judges that nobody has corrected have no
 * level of their own; this one is assumed for them, too. */
#define JUDGE_SCORED_QUANTILE  1.6448536


uint64_t
judge_scored_hash(uint64_t start, judge_str_t s)
{
    return s.len ? judge_mix(judge_fnv(JUDGE_FNV_START ^ start, s.data, s.len))
                 : 0;
}


static int8_t
judge_scored_preferred(const judge_scored_t *scored, judge_str_t name)
{
    size_t  i, n = scored->batch->n;

    i = judge_str_index(scored->batch->names, n, name);

    return i < n ? (int8_t) i
           : judge_str_eq_c(name, JUDGE_BATCH_TIE) ? -1 : JUDGE_SCORED_NOBODY;
}


static judge_rc_e
judge_scored_member(judge_arena_t *scratch, const judge_json_t *root,
    const char *key, uint64_t *hash)
{
    judge_str_t          text;
    const judge_json_t  *v = judge_json_get(root, key);

    if (v == NULL || v->type == JUDGE_JSON_NULL) {
        return JUDGE_OK;
    }

    text = judge_json_value_text(scratch, v);
    *hash = judge_scored_hash(0, text);

    return text.data ? JUDGE_OK : JUDGE_NOMEM;
}


static judge_rc_e
judge_scored_metadata(const judge_scored_t *scored, judge_arena_t *scratch,
    judge_str_t metadata, judge_scored_row_t *row)
{
    uint64_t      *id = &row->keys[JUDGE_SAME_ID], system = 0;
    judge_rc_e     rc;
    judge_json_t  *root = NULL;

    if (metadata.data
        && judge_json_parse(scratch, metadata, &root, NULL) == JUDGE_NOMEM)
    {
        return JUDGE_NOMEM;
    }

    rc = judge_scored_member(scratch, root, "source", &row->source);
    rc = rc ? rc : judge_scored_member(scratch, root, "id", id);
    rc = rc ? rc : judge_scored_member(scratch, root, "system", &system);
    row->keys[JUDGE_SAME_ID_AND_SYSTEM] = *id ? *id + system : 0;
    row->preferred = judge_scored_preferred(scored,
                                       judge_json_string(root, "preferred"));

    return rc;
}


/* Sets the scores of the row at its end, and notes which a model gave.  The
 * overall score is certain (spread 0) if the score of every criterion is. */

static void
judge_scored_scores(judge_scored_t *scored, const judge_scores_t *read)
{
    size_t                        t, at, ntargets;
    double                        widest;
    const judge_score_t          *given;
    const judge_criterion_row_t  *criteria = scored->criteria.items;

    ntargets = scored->criteria.count + 1;
    at = scored->n * ntargets;

    for (t = 1, widest = 0; t < read->n; t++) {
        widest = fmax(widest, read->scores[t].width);
    }

    for (t = 0; t < ntargets; t++) {
        given = judge_scores_of(read, t ? criteria[t - 1].id : JUDGE_STR(""));
        scored->scores[at + t] = given ? (float) given->score : NAN;
        if (given && (t || read->n == 1 || widest > 0)) {
            scored->deviations[at + t] = (float) (given->width
                                                  / JUDGE_SCORED_QUANTILE);
        }

        if (given && t && judge_str_eq_c(judge_json_string(given->json,
                                                           "judged_by"),
                                         "model"))
        {
            scored->by_model[0] = scored->by_model[t] = true;
        }
    }
}


static judge_rc_e
judge_scored_add(judge_scored_t *scored, judge_arena_t *scratch,
    const judge_batch_scores_row_t *read)
{
    judge_rc_e          rc;
    judge_str_t         text = read->text;
    judge_scores_t      scores = { .n = 0 };
    judge_scored_row_t  row = {
        .text = judge_scored_hash(0, read->content_id),
        .size = (uint32_t) (read->size < UINT32_MAX ? read->size : UINT32_MAX),
        .preferred = JUDGE_SCORED_NOBODY
    };

    judge_id_set(&row.evaluation, read->id);
    judge_id_set(&row.content, read->content_id);
    row.keys[JUDGE_SAME_CONTENT] = row.text;

    if (text.len) {
        text.len = text.len < JUDGE_COMPARED_TEXT ? text.len
                                                  : JUDGE_COMPARED_TEXT;
        row.text = judge_scored_hash((uint64_t) read->size, text);
        row.keys[JUDGE_SAME_TEXT] = judge_scored_hash(row.text, read->name);
    }

    rc = judge_scored_metadata(scored, scratch, read->metadata, &row);
    if (rc == JUDGE_OK && read->body.data) {
        rc = judge_scores_read(scratch, read->body, &scores);
    }
    judge_scored_scores(scored, &scores);

    row.engine = scores.n ? judge_scored_hash(0, scores.engine) : 0;
    row.status = read->id.data == NULL ? "deleted"
                 : read->body.data == NULL ? "processing"
                 : scores.failed ? "failed" : "completed";
    scored->rows[scored->n++] = row;

    return rc;
}


/* Makes room for `most` rows, which are those of deleted evaluations at
 * first. */

static judge_rc_e
judge_scored_begin(judge_arena_t *arena, judge_scored_t *scored)
{
    size_t  i, ntargets = scored->criteria.count + 1;
    size_t  nscores = scored->most * ntargets;

    scored->rows = judge_array_alloc(arena, scored->most + 1,
                                     sizeof(judge_scored_row_t));
    scored->scores = judge_array_alloc(arena, nscores + 1, sizeof(float));
    scored->deviations = judge_array_alloc(arena, nscores + 1, sizeof(float));
    scored->by_model = judge_array_alloc(arena, ntargets, sizeof(bool));
    if (scored->rows == NULL || scored->scores == NULL
        || scored->deviations == NULL || scored->by_model == NULL)
    {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < scored->most; i++) {
        scored->rows[i].status = "deleted";
        scored->rows[i].preferred = JUDGE_SCORED_NOBODY;
    }

    for (i = 0; i < nscores; i++) {
        scored->scores[i] = NAN;
    }

    return JUDGE_OK;
}


/* --- Some items ---------------------------------------------------------- */

judge_rc_e
judge_scored_load(judge_arena_t *arena, const judge_compared_batch_t *batch,
    const judge_comparison_load_t *load, judge_scored_t *scored)
{
    size_t      i;
    judge_rc_e  rc;

    *scored = (judge_scored_t) { .batch = batch, .most = load->count,
                                 .criteria = batch->criteria };
    rc = judge_scored_begin(arena, scored);

    for (i = 0; i < load->count && rc == JUDGE_OK; i++) {
        rc = judge_scored_add(scored, arena, &load->rows[i]);
    }

    return rc;
}


void
judge_scored_item(const judge_scored_t *scored, size_t item,
    judge_candidate_t *out)
{
    size_t                     i, k, t, at, n = scored->batch->n;
    size_t                     ntargets = scored->criteria.count + 1;
    const judge_scored_row_t  *rows = scored->rows + item * n;

    for (i = 0; i < n; i++) {
        for (k = 0; k < i && (rows[k].text == 0
                              || rows[k].text != rows[i].text); k++)
        {
            /* void */
        }

        for (t = 0; t < ntargets; t++) {
            at = (item * n + i) * ntargets + t;
            out[t * n + i] = (judge_candidate_t) {
                .score = (double) scored->scores[at],
                .spread = (double) scored->deviations[at], .same = k
            };
        }
    }

    for (t = 1; t < ntargets; t++) {
        for (k = 0; k < n && isnan(out[t * n + k].score); k++) { /* void */ }

        for (i = 0; i < n && k < n; i++) {
            if (isnan(out[t * n + i].score)) {
                out[i].score = NAN;
            }
        }
    }
}


/* --- All, page by page --------------------------------------------------- */

static judge_scored_t *
judge_scored_of(const judge_req_t *r)
{
    return *(judge_scored_t **) r->ctx;
}


/* Goes on to the row of the content.  The batch has its contents in the order
 * of its evaluations, also those whose evaluation was deleted. */

static void
judge_scored_seek(judge_scored_t *scored, judge_str_t content)
{
    while (scored->n < scored->most
           && !judge_str_eq(judge_compared_content(scored->batch, scored->n),
                            content))
    {
        scored->n++;
    }
}


static void
judge_scored_take(judge_req_t *r)
{
    size_t                           i;
    judge_arena_t                   *arena;
    judge_scored_t                  *scored = judge_scored_of(r);
    const judge_batch_scores_row_t  *row;

    arena = judge_arena_create(64 * 1024);
    r->rc = arena ? JUDGE_OK : JUDGE_NOMEM;

    for (i = 0; i < scored->page.count && r->rc == JUDGE_OK
                && !scored->cut; i++)
    {
        row = &scored->page.rows[i];
        judge_arena_reset(arena);
        if (scored->batch->n) {
            judge_scored_seek(scored, row->content_id);
        }

        scored->cut = scored->n == scored->most;
        r->rc = scored->cut ? JUDGE_OK : judge_scored_add(scored, arena, row);
        judge_id_set(&scored->last, row->id);
    }

    judge_arena_destroy(arena);
}


/* Reads the next page, or goes on after the last one. */

static void
judge_scored_page(judge_req_t *r)
{
    judge_scored_t  *scored = judge_scored_of(r);

    if (!scored->page.page.more || scored->cut) {
        scored->next(r);
        return;
    }

    scored->page = (judge_batch_scores_t) {
        .op.kind = JUDGE_OP_BATCH_SCORES, .id = scored->batch->find.id,
        .judge_id = scored->batch->judge, .after = judge_id_str(&scored->last),
        .max_text = JUDGE_COMPARED_TEXT, .page.limit = JUDGE_SCORED_PAGE
    };
    scored->page.op.arena = judge_req_page(r);

    if (judge_check(r, scored->page.op.arena ? JUDGE_OK : JUDGE_NOMEM, NULL)) {
        judge_await_compute(r, &scored->page.op, judge_scored_take,
                            judge_scored_page);
    }
}


void
judge_scored_read(judge_req_t *r, judge_scored_t *scored, judge_step_pt next)
{
    *(judge_scored_t **) r->ctx = scored;
    scored->next = next;
    scored->page.page.more = true;

    if (judge_check(r, judge_scored_begin(r->arena, scored), NULL)) {
        judge_scored_page(r);
    }
}
