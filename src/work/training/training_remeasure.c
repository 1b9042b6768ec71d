/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Measures the texts of evaluations again whose features are not those of this
 * build, with the judge's references, as an evaluation does.  Evaluations by
 * the built-in engine get their raw scores, too.
 */


#include <string.h>

#include "store/packing/packing.h"
#include "work/service/extension.h"
#include "work/training/training_state.h"


struct judge_training_remeasure {
    judge_arena_t           *scratch;
    judge_job_t              job;      /* loads the references */
    judge_job_t             *jobs[1];
    judge_queue_load_t       load;
    judge_rubric_t           rubric;
    judge_scorer_t          *scorer;
};


static void
judge_training_remeasure_loaded(judge_leased_t *work)
{
    judge_training_state_t      *run = (judge_training_state_t *) work;
    judge_training_remeasure_t  *x = run->remeasure;

    x->rubric = run->rubric;
    x->rubric.references = x->job.references;
    x->rubric.nreferences = x->job.nreferences;
    run->done(work);
}


void
judge_training_remeasure(judge_training_state_t *run,
    judge_leased_step_pt done)
{
    judge_training_remeasure_t  *x;

    x = judge_calloc(run->work.arena, sizeof(judge_training_remeasure_t));
    run->remeasure = x;
    run->done = done;

    if (x) {
        x->scratch = judge_arena_create(256 * 1024);
    }

    if (x == NULL || x->scratch == NULL) {
        run->work.rc = JUDGE_NOMEM;
        judge_leased_go(&run->work, done);
        return;
    }

    /* The job has no content, because it only loads the references. */
    x->job.org = run->claim.row.org;
    x->job.content_id = JUDGE_STR("");
    x->job.judge_id = run->claim.row.judge_id;
    x->job.judge_version = run->claim.row.base_version;
    x->jobs[0] = &x->job;
    x->load.jobs = x->jobs;
    x->load.count = 1;
    judge_leased_op(&run->work, &x->load.op, JUDGE_OP_QUEUE_LOAD,
                    judge_training_remeasure_loaded);
}


judge_rc_e
judge_training_remeasure_item(judge_training_data_t *l, size_t i,
    const judge_taught_t *row)
{
    size_t                       c;
    float                       *raw, *features;
    judge_rc_e                   rc;
    judge_item_t                 item;
    judge_verdict_t              verdict;
    judge_training_state_t      *run = l->data;
    judge_training_item_t       *example = &l->items[i];
    judge_training_remeasure_t  *x = run->remeasure;

    if (x->scorer == NULL) {
        x->scorer = judge_scorer_create(run->work.arena, &x->rubric);
        if (x->scorer == NULL) {
            return JUDGE_NOMEM;
        }
    }

    judge_arena_reset(x->scratch);
    memset(&verdict, 0, sizeof(judge_verdict_t));
    item.text = row->text;
    rc = judge_extensions_item(x->scratch, row->metadata,
                               judge_scope_find(x->job.scope), &item);
    if (rc != JUDGE_OK) {
        return rc;
    }

    rc = judge_score(x->scorer, &item, x->scratch, &verdict);
    if (rc != JUDGE_OK) {
        return rc;
    }

    features = judge_array_alloc(l->measures, verdict.nfeatures,
                                 sizeof(float));
    if (features == NULL) {
        return JUDGE_NOMEM;
    }

    for (c = 0; c < verdict.nfeatures; c++) {
        features[c] = judge_packed_float(verdict.features[c]);
    }
    example->features = (judge_str_t) { c * sizeof(float),
                                        (const char *) features };

    if (strcmp(example->engine, JUDGE_ENGINE_NAME) == 0) {
        raw = &l->raw[i * l->ntargets];
        raw[l->ncriteria] = (float) verdict.overall;

        for (c = 0; c < run->rubric.ncriteria; c++) {
            raw[run->targets[c]] = (float) verdict.scores[c].score;
        }
    }

    example->stale = false;
    l->remeasured++;

    return JUDGE_OK;
}


void
judge_training_remeasure_free(judge_training_state_t *run)
{
    if (run->remeasure) {
        judge_arena_destroy(run->remeasure->scratch);
    }
}
