/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>

#include "base/core/hash.h"
#include "work/calibration/scores.h"
#include "api/batches/batch_map.h"
#include "api/judges/criteria.h"
#include "extensions/compare/scored.h"


#define JUDGE_SCORED_PAGE  200


static void judge_scored_take(judge_req_t *r);
static void judge_scored_taken(judge_req_t *r);


static judge_scored_t *
judge_scored_of(const judge_req_t *r)
{
    return *(judge_scored_t **) r->ctx;
}


uint64_t
judge_scored_hash(uint64_t start, judge_str_t s)
{
    return s.len ? judge_mix(judge_fnv(JUDGE_FNV_START ^ start, s.data, s.len))
                 : 0;
}


static void
judge_scored_page(judge_req_t *r)
{
    judge_scored_t  *scored = judge_scored_of(r);

    scored->page = (judge_batch_scores_t) {
        .op.kind = JUDGE_OP_BATCH_SCORES, .id = scored->batch,
        .judge_id = scored->judge, .after = judge_id_str(&scored->last),
        .max_text = JUDGE_COMPARED_TEXT, .page.limit = JUDGE_SCORED_PAGE
    };
    scored->page.op.arena = judge_req_page(r);

    if (judge_check(r, scored->page.op.arena ? JUDGE_OK : JUDGE_NOMEM, NULL)) {
        judge_await_compute(r, &scored->page.op, judge_scored_take,
                            judge_scored_taken);
    }
}


void
judge_scored_read(judge_req_t *r, judge_scored_t *scored, judge_step_pt next)
{
    *(judge_scored_t **) r->ctx = scored;
    scored->next = next;
    judge_buf_init(&scored->row_bytes, r->arena);
    judge_buf_init(&scored->score_bytes, r->arena);
    judge_scored_page(r);
}


static void
judge_scored_taken(judge_req_t *r)
{
    judge_scored_t  *scored = judge_scored_of(r);

    if (scored->page.page.more && !scored->cut) {
        judge_scored_page(r);
        return;
    }

    scored->rows = (judge_scored_row_t *) (void *) scored->row_bytes.data;
    scored->scores = (float *) (void *) scored->score_bytes.data;
    scored->next(r);
}


/* --- In a thread: a page ------------------------------------------------- */

static int8_t
judge_scored_preferred(const judge_scored_t *scored, judge_str_t name)
{
    size_t  i = judge_str_index(scored->systems, scored->nsystems, name);

    return i < scored->nsystems ? (int8_t) i
           : judge_str_eq_c(name, JUDGE_BATCH_TIE) ? -1 : JUDGE_SCORED_NOBODY;
}


static judge_rc_e
judge_scored_metadata(const judge_scored_t *scored, judge_arena_t *scratch,
    judge_str_t metadata, judge_scored_row_t *row)
{
    uint64_t            *hash;
    judge_str_t          text;
    judge_json_t        *root = NULL;
    const judge_json_t  *v;

    if (metadata.data
        && judge_json_parse(scratch, metadata, &root, NULL) == JUDGE_NOMEM)
    {
        return JUDGE_NOMEM;
    }

    for (v = root && root->type == JUDGE_JSON_OBJECT ? root->first : NULL; v;
         v = v->next)
    {
        hash = judge_str_eq_c(v->key, "source") ? &row->source
               : judge_str_eq_c(v->key, "id") ? &row->id
               : judge_str_eq_c(v->key, "system") ? &row->system : NULL;

        if (hash && v->type != JUDGE_JSON_NULL) {
            text = judge_json_value_text(scratch, v);
            *hash = judge_scored_hash(0, text);
            if (text.data == NULL) {
                return JUDGE_NOMEM;
            }

        } else if (v->type == JUDGE_JSON_STRING
                   && judge_str_eq_c(v->key, "preferred"))
        {
            row->preferred = judge_scored_preferred(scored, v->string);
        }
    }

    return JUDGE_OK;
}


void
judge_scored_comparable(float *const *scores, size_t n, size_t ntargets)
{
    bool    judged;
    size_t  t, i;

    for (t = 1; t < ntargets; t++) {
        for (i = 0, judged = false; i < n; i++) {
            judged = judged || !isnan(scores[i][t]);
        }

        for (i = 0; i < n; i++) {
            scores[i][0] = judged && isnan(scores[i][t]) ? NAN : scores[i][0];
        }
    }
}


static judge_rc_e
judge_scored_scores(judge_scored_t *scored, judge_arena_t *scratch,
    judge_str_t body, judge_scored_row_t *row)
{
    float                         score;
    size_t                        t;
    judge_rc_e                    rc;
    judge_scores_t                read = { .n = 0 };
    const judge_score_t          *given;
    const judge_criterion_row_t  *rows = scored->criteria.items;

    rc = body.data ? judge_scores_read(scratch, body, &read) : JUDGE_OK;
    row->engine = read.n ? judge_scored_hash(0, read.engine) : 0;

    for (t = 0; t <= scored->criteria.count && rc == JUDGE_OK; t++) {
        given = judge_scores_of(&read, t ? rows[t - 1].id : JUDGE_STR(""));
        score = given ? (float) given->score : NAN;
        judge_buf_append(&scored->score_bytes, &score, sizeof(score));
    }

    return scored->score_bytes.failed ? JUDGE_NOMEM : rc;
}


static judge_rc_e
judge_scored_add(judge_scored_t *scored, judge_arena_t *scratch,
    const judge_batch_scores_row_t *read)
{
    judge_rc_e          rc;
    judge_scored_row_t  row = {
        .text = judge_scored_hash(0, read->content_id),
        .size = (uint32_t) (read->size < UINT32_MAX ? read->size : UINT32_MAX),
        .preferred = JUDGE_SCORED_NOBODY
    };

    judge_id_set(&row.evaluation, read->id);
    judge_id_set(&row.content, read->content_id);

    if (read->text.len) {
        row.text = judge_scored_hash((uint64_t) read->size, read->text);
        row.name = judge_scored_hash(row.text, read->name);
    }

    rc = judge_scored_metadata(scored, scratch, read->metadata, &row);
    if (rc == JUDGE_OK) {
        rc = judge_scored_scores(scored, scratch, read->body, &row);
    }

    judge_buf_append(&scored->row_bytes, &row, sizeof(row));
    scored->n++;

    return scored->row_bytes.failed ? JUDGE_NOMEM : rc;
}


static void
judge_scored_take(judge_req_t *r)
{
    size_t           i;
    judge_arena_t   *arena;
    judge_scored_t  *scored = judge_scored_of(r);

    arena = judge_arena_create(64 * 1024);
    r->rc = arena ? JUDGE_OK : JUDGE_NOMEM;

    for (i = 0; i < scored->page.count && r->rc == JUDGE_OK
                && !scored->cut; i++)
    {
        judge_arena_reset(arena);
        scored->cut = scored->n == scored->most;
        r->rc = scored->cut ? JUDGE_OK
                     : judge_scored_add(scored, arena, &scored->page.rows[i]);
        judge_id_set(&scored->last, scored->page.rows[i].id);
    }

    judge_arena_destroy(arena);
}
