/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Results of the service's own workers.  Several of an organization that are
 * stored together share a row, which halves the space. */


#include "store/ops/store_ops.h"
#include "store/packing/packing.h"


/* To read one result, its whole row is unpacked, in about 20 us.  So many with
 * six criteria fill two overflow pages of SQLite and little of the leaf. */
#define JUDGE_RESULTS_TOGETHER  14
#define JUDGE_RESULTS_BYTES     131072 /* of a row with several results */

#define JUDGE_RESULTS_NUMBERS   64     /* evaluations.result of a row */


/* --- Packing ------------------------------------------------------------- */

static judge_rc_e
judge_results_row_pack(judge_results_together_t *row,
    const judge_str_t *bodies, const judge_str_t *features, size_t n,
    judge_arena_t *arena, judge_arena_t *scratch)
{
    row->bodies = judge_str_dup(arena, judge_pack(scratch,
                      judge_pack_together(scratch, bodies, n)));
    row->features = judge_pack_together(arena, features, n);

    return row->bodies.data && row->features.data ? JUDGE_OK : JUDGE_NOMEM;
}


/* Packs results from index i on into a row; returns the next index, or 0. */

static size_t
judge_results_row(judge_queue_finish_t *o, size_t i,
    judge_results_together_t *row, judge_arena_t *scratch)
{
    size_t           n, bytes;
    judge_str_t      bodies[JUDGE_RESULTS_TOGETHER];
    judge_str_t      features[JUDGE_RESULTS_TOGETHER];
    judge_result_t  *r, *first;

    first = &o->results[i];

    for (n = 0, bytes = 0; i < o->count && n < JUDGE_RESULTS_TOGETHER; i++) {
        r = &o->results[i];
        bytes += r->body.len;

        if (r->body.data == NULL
            || (n && (bytes > JUDGE_RESULTS_BYTES
                      || !judge_str_eq(r->org, first->org))))
        {
            break;
        }

        r->place = (row - o->rows) * JUDGE_RESULTS_NUMBERS + (int64_t) n;
        bodies[n] = r->body;
        features[n++] = judge_pack_floats(scratch, r->features);
    }

    row->org = first->org;
    row->kept = (int64_t) n;

    return judge_results_row_pack(row, bodies, features, n, o->op.arena,
                                  scratch) == JUDGE_OK ? i : 0;
}


judge_rc_e
judge_queue_finish_pack(judge_queue_finish_t *o, judge_arena_t *scratch)
{
    size_t  i;

    o->rows = judge_calloc(o->op.arena, o->count
                                        * sizeof(judge_results_together_t));
    if (o->rows == NULL) {
        return JUDGE_NOMEM;
    }

    o->nrows = 0;

    for (i = 0; i < o->count; /* void */ ) {
        if (o->results[i].body.data == NULL) {
            o->results[i++].place = 0;
            continue;
        }

        judge_arena_reset(scratch);
        i = judge_results_row(o, i, &o->rows[o->nrows++], scratch);
        if (i == 0) {
            o->rows = NULL;
            return JUDGE_NOMEM;
        }
    }

    judge_arena_reset(scratch);

    return JUDGE_OK;
}


/* --- Finishing ----------------------------------------------------------- */

/* Marks results in the new rows if their evaluations had ended or are gone. */

judge_step_e
judge_queue_finish_lost(judge_run_t *run)
{
    judge_result_t        *r;
    judge_queue_finish_t  *o = (judge_queue_finish_t *) run->op;

    for (o->i = run->turn ? o->i + 1 : 0; o->i < o->count; o->i++) {
        r = &o->results[o->i];
        if (r->body.data && !r->stored
            && o->rows[r->place / JUDGE_RESULTS_NUMBERS].number)
        {
            run->row = r;
            return JUDGE_STEP_REPEAT;
        }
    }

    return JUDGE_STEP_SKIP;
}


/* Before the number of the newest row is read, the rows are packed. */

judge_step_e
judge_queue_finish_last(judge_run_t *run)
{
    judge_arena_t         *scratch;
    judge_queue_finish_t  *o = (judge_queue_finish_t *) run->op;

    if (o->rows == NULL) {
        scratch = judge_arena_create(JUDGE_RESULTS_BYTES);
        o->op.rc = scratch ? judge_queue_finish_pack(o, scratch)
                           : JUDGE_NOMEM;
        judge_arena_destroy(scratch);
    }

    return o->op.rc == JUDGE_OK ? JUDGE_STEP_RUN : JUDGE_STEP_END;
}


/* Ends one evaluation after another; batch_seq has the order of the results,
 * but may have gaps.  Rows without an accepted result keep the number 0. */

judge_step_e
judge_queue_finish_step(judge_run_t *run)
{
    size_t                 i;
    judge_step_e           next;
    judge_result_t        *result;
    judge_queue_finish_t  *o = (judge_queue_finish_t *) run->op;

    for (i = 0; i < o->nrows && run->turn == 0; i++) {
        o->rows[i].number = 0;
    }

    next = judge_run_next(run);
    if (next == JUDGE_STEP_REPEAT) {
        result = run->row;
        result->stored = false;
        result->result = result->body.data
                         ? (o->last + 1) * JUDGE_RESULTS_NUMBERS
                           + result->place
                         : 0;
    }

    return next;
}


judge_rc_e
judge_queue_finish_read(judge_run_t *run)
{
    judge_result_t        *result;
    judge_batch_delta_t   *delta;
    judge_queue_finish_t  *o = (judge_queue_finish_t *) run->op;

    result = run->row;
    result->stored = true;
    if (result->body.data) {
        o->rows[result->place / JUDGE_RESULTS_NUMBERS].number
            = result->result / JUDGE_RESULTS_NUMBERS;
    }

    if (!judge_str_eq_c(result->status, "processing")) {
        return judge_batch_evaluation_ended(run, &o->batches, result->org,
                                            result->batch_id, result);
    }

    if (result->escalated) {
        delta = judge_batch_delta(run, &o->batches, result->org,
                                  result->batch_id);
        if (delta) {
            delta->escalated++;
        }
    }

    return run->op->rc;
}


/* --- Removing results from their rows ------------------------------------ */

/* Finds one row after another. */

judge_step_e
judge_results_gone_step(judge_run_t *run)
{
    judge_results_gone_t  *o = (judge_results_gone_t *) run->op;

    o->org_id = run->turn ? o->org_id : JUDGE_STR("");

    return run->turn && run->rows == 0 ? JUDGE_STEP_SKIP : JUDGE_STEP_REPEAT;
}


/* Removes results from a row.  A damaged row is stored unchanged until all its
 * results are deleted: an error would block the deletion for ever.  Unpacking
 * fails if memory is out, too, so that it is tried twice. */

static judge_rc_e
judge_results_row_remove(judge_results_together_t *row, uint64_t gone,
    judge_arena_t *arena, judge_arena_t *scratch)
{
    size_t       i, n, turn;
    judge_str_t  bodies[JUDGE_PACKED_MOST];
    judge_str_t  features[JUDGE_PACKED_MOST];

    for (turn = 0, n = 0; n == 0 && turn < 2; turn++) {
        n = judge_unpack_together(scratch, row->bodies, bodies);
        if (judge_unpack_together(scratch, row->features, features) != n) {
            n = 0;
        }
    }

    /* They are damaged, or memory is out: if so much can be had now, they are
     * damaged, and stay as they are. */
    if (n == 0) {
        row->bodies = judge_str_dup(arena, row->bodies);
        row->features = judge_str_dup(arena, row->features);

        return row->bodies.data && row->features.data
               && judge_alloc(scratch, JUDGE_RESULTS_BYTES) ? JUDGE_OK
                                                            : JUDGE_NOMEM;
    }

    for (i = 0; i < n; i++) {
        if (gone >> i & 1) {
            bodies[i].len = 0;
            features[i].len = 0;
        }
    }

    return judge_results_row_pack(row, bodies, features, n, arena, scratch);
}


judge_rc_e
judge_results_gone_read(judge_run_t *run)
{
    int64_t                    gone;
    judge_rc_e                 rc;
    judge_arena_t             *scratch;
    judge_results_gone_t      *o = (judge_results_gone_t *) run->op;
    judge_results_together_t  *row;

    row = judge_calloc(o->op.arena, sizeof(judge_results_together_t));
    if (row == NULL) {
        return JUDGE_NOMEM;
    }

    gone = judge_column_int(run, 4);
    row->number = judge_column_int(run, 0);
    row->org = judge_column_str(run, 5);
    if (row->number >= INT64_MAX / JUDGE_RESULTS_NUMBERS) {
        return JUDGE_ERROR;
    }

    row->kept = judge_column_int(run, 1)
                - __builtin_popcountll((uint64_t) gone);
    row->next = o->rows;
    o->rows = row;
    o->org_id = row->org;
    o->from = (row->number + 1) * JUDGE_RESULTS_NUMBERS;

    if (row->kept <= 0) {
        return JUDGE_OK;
    }

    row->features = judge_column_view(run, 2);
    row->bodies = judge_column_view(run, 3);
    scratch = judge_arena_create(JUDGE_RESULTS_BYTES);
    if (scratch == NULL) {
        return JUDGE_NOMEM;
    }

    rc = judge_results_row_remove(row, (uint64_t) gone, o->op.arena, scratch);
    judge_arena_destroy(scratch);

    return rc;
}
