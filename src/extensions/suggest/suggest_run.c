/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The steps up to the tests, in their order: the judge, its versions, the
 * feedback on them, the tests. */


#include <math.h>

#include "extensions/suggest/suggest.h"


#define JUDGE_SUGGEST_LEASE  30000     /* ms */

static void judge_suggest_found(judge_leased_t *work);
static void judge_suggest_loaded(judge_leased_t *work);
static void judge_suggest_gathered(judge_training_data_t *data);
static judge_rc_e judge_suggest_compare(judge_leased_t *work);
static void judge_suggest_compared(judge_leased_t *work);


/* --- Taking one up ------------------------------------------------------- */

static judge_op_t *
judge_suggest_renew(judge_leased_t *work, judge_ms_t until)
{
    judge_suggest_run_t  *run = (judge_suggest_run_t *) work;

    run->renewal = (judge_suggestion_write_t) {
        .op.kind = JUDGE_OP_SUGGESTION_WRITE, .id = run->claim.row.id,
        .owner = judge_service_owner(work->service), .queue_at = until
    };

    return &run->renewal.op;
}


static void
judge_suggest_begin(judge_leased_t *work)
{
    judge_suggest_run_t  *run = (judge_suggest_run_t *) work;

    work->org = run->claim.row.org;
    run->find.id = run->load.judge_id = run->claim.row.judge_id;
    run->find.version = run->load.version = run->claim.row.version;
    judge_leased_op(work, &run->find.op, JUDGE_OP_JUDGE_FIND,
                    judge_suggest_found);
}


/* --- What differs -------------------------------------------------------- */

static void
judge_suggest_found(judge_leased_t *work)
{
    size_t                n;
    judge_suggest_run_t  *run = (judge_suggest_run_t *) work;

    work->rc = judge_report_criteria(work->arena, run->find.row.criteria,
                                     &run->criteria);
    n = run->criteria.rows.count;
    run->first_version = judge_array_alloc(work->arena, n + 1,
                                           sizeof(int64_t));
    run->differences = judge_array_alloc(work->arena, n + 1,
                                         sizeof(judge_suggest_difference_t));
    if (work->rc != JUDGE_OK || run->first_version == NULL
        || run->differences == NULL)
    {
        judge_suggest_give_back(work);
        return;
    }

    judge_leased_op(work, &run->load.op, JUDGE_OP_SUGGESTION_LOAD,
                    judge_suggest_loaded);
}


static void
judge_suggest_loaded(judge_leased_t *work)
{
    judge_suggest_run_t  *run = (judge_suggest_run_t *) work;

    run->data = (judge_training_data_t) {
        .service = run->work.service, .org = run->claim.row.org,
        .judge_id = run->claim.row.judge_id, .criteria = run->criteria.ids,
        .ncriteria = run->criteria.rows.count, .newest = JUDGE_SUGGEST_ITEMS,
        .with_texts = true, .done = judge_suggest_gathered, .data = run
    };
    judge_training_data_gather(&run->data);
}


static void
judge_suggest_gathered(judge_training_data_t *data)
{
    judge_suggest_run_t  *run = data->data;

    judge_training_data_free_features(data);

    if (data->rc != JUDGE_OK) {
        judge_suggest_give_back(&run->work);
        return;
    }

    judge_leased_compute(&run->work, judge_suggest_compare,
                         judge_suggest_compared);
}


/* --- In a thread --------------------------------------------------------- */

/* Whether a version had the criterion with its present wording. */

static bool
judge_suggest_same(const judge_list_t *criteria,
    const judge_criterion_row_t *now)
{
    size_t                        i;
    const judge_criterion_row_t  *rows = criteria->items;

    for (i = 0; i < criteria->count; i++) {
        if (judge_str_eq(rows[i].id, now->id)) {
            return judge_str_eq(rows[i].name, now->name)
                   && judge_str_eq(rows[i].description, now->description);
        }
    }

    return false;
}


/* Finds the first version of each criterion with its present wording.
 * Versions that can't be read count as different. */

static judge_rc_e
judge_suggest_since(judge_suggest_run_t *run, judge_arena_t *arena)
{
    size_t                             i, k;
    judge_rc_e                         rc;
    judge_list_t                       list;
    const judge_criterion_row_t       *now = run->criteria.rows.items;
    const judge_suggestion_version_t  *v = run->load.rows;

    for (i = 0; i < run->criteria.rows.count; i++) {
        run->first_version[i] = run->claim.row.version;
    }

    for (k = 0, rc = JUDGE_OK; k < run->load.count && rc == JUDGE_OK; k++)
    {
        rc = judge_criteria_read(arena, v[k].criteria, &list);

        for (i = 0; i < run->criteria.rows.count && rc == JUDGE_OK; i++) {
            if (run->first_version[i] == v[k].version + 1
                && judge_suggest_same(&list, &now[i]))
            {
                run->first_version[i] = v[k].version;
            }
        }

        judge_arena_reset(arena);
    }

    return rc == JUDGE_NOMEM ? rc : JUDGE_OK;
}


/* Leaves out scores that people gave to other wordings. */

static judge_rc_e
judge_suggest_compare(judge_leased_t *work)
{
    size_t                  i, c;
    judge_rc_e              rc;
    judge_arena_t          *arena;
    judge_suggest_set_t     set;
    judge_suggest_run_t    *run = (judge_suggest_run_t *) work;
    judge_training_data_t  *l = &run->data;

    arena = judge_arena_create(256 * 1024);
    if (arena == NULL) {
        return JUDGE_NOMEM;
    }

    set = (judge_suggest_set_t) {
        .nitems = l->n, .ncriteria = run->criteria.rows.count,
        .width = l->ntargets, .people = l->target, .given = l->shown
    };
    rc = judge_suggest_since(run, arena);

    for (i = 0; i < l->n; i++) {
        for (c = 0; c < run->criteria.rows.count; c++) {
            if (l->items[i].version < run->first_version[c]
                || l->items[i].version > run->claim.row.version)
            {
                l->target[i * l->ntargets + c] = NAN;
            }
        }
    }

    set.group = judge_training_data_groups(arena, l);
    rc = rc ? rc : set.group
         ? judge_suggest_differences(arena, &set, run->differences)
         : JUDGE_NOMEM;
    judge_arena_destroy(arena);

    return rc;
}


/* --- On the loop --------------------------------------------------------- */

/* A criterion that the request names is worded even if it does not differ. */

static void
judge_suggest_compared(judge_leased_t *work)
{
    size_t                c, corrected, n;
    judge_suggest_run_t  *run = (judge_suggest_run_t *) work;
    judge_str_t           wanted = run->claim.row.criterion_id;

    n = run->criteria.rows.count;

    for (c = 0, corrected = 0; c < n; c++) {
        corrected += run->differences[c].n;
    }

    run->chosen = wanted.data
                  ? judge_str_index(run->criteria.ids, n, wanted)
                  : judge_suggest_most(run->differences, n);

    if (run->chosen == n) {
        run->why = corrected ? "people and the judge read no criterion"
                               " differently beyond chance"
                             : "people have corrected no score of this version"
                               " or of an earlier one with these words";

    } else if (!judge_str_eq_c(run->find.row.content_type, "text")) {
        run->why = "only criteria of texts are worded anew";

    } else if (run->claim.row.model.data == NULL) {
        run->why = "no language model is configured that could word it";
    }

    if (run->why) {
        judge_suggest_end(run);
        return;
    }

    judge_suggest_trial(run);
}


static void
judge_suggest_free(judge_leased_t *work)
{
    judge_training_data_free(&((judge_suggest_run_t *) work)->data);
}


const judge_leased_kind_t  judge_suggest_runs = {
    .size = sizeof(judge_suggest_run_t),
    .most = 1,
    .peek = JUDGE_OP_SUGGESTION_PEEK,
    .claim = JUDGE_OP_SUGGESTION_CLAIM,
    .claim_at = offsetof(judge_suggest_run_t, claim),
    .evaluates = true,
    .lease = JUDGE_SUGGEST_LEASE,
    .renew = judge_suggest_renew,
    .begin = judge_suggest_begin,
    .free = judge_suggest_free,
    .failed = judge_suggest_give_back
};
