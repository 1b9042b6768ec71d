/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What is computed before and after the models are asked: in threads, except
 * for the short digest of the answer's key. */


#include <math.h>
#include <string.h>

#include "analysis/aspects/method.h"
#include "analysis/builtin/conversation.h"
#include "analysis/builtin/engine_version.h"
#include "analysis/checks/checks.h"
#include "analysis/builtin/engine.h"
#include "work/calibration/residual_intervals.h"
#include "work/llm/llm_run.h"


/* The coverage of the interval around the mean score of the samples, and the
 * width at which a person should review the result. */
#define JUDGE_LLM_COVERAGE    0.9
#define JUDGE_LLM_WIDE        20.0

/* The arena's first block: enough to measure a usual text. */
#define JUDGE_LLM_SCRATCH     (256 * 1024)

/* Student's t for a two-sided 90 %, by degrees of freedom from 1. */
static const double  judge_llm_t90[JUDGE_LLM_SAMPLES] = {
    0, 6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833
};


/* Whether all attempts are used up.  Those that gave the evaluation back do
 * not count: the rest ended with their process. */

static bool
judge_llm_exhausted(const judge_llm_run_t *run)
{
    return run->job.attempts - run->job.given_back
           > run->service->settings.attempts;
}


/* Refuses with TIMED_OUT and the last error, which delayed the evaluation. */

static void
judge_llm_overdue(judge_llm_run_t *run)
{
    judge_str_t    message;
    judge_json_t  *last;

    message = JUDGE_STR("the evaluation was not done by its deadline");

    if (run->job.last_error.data
        && judge_json_parse(run->arena, run->job.last_error, &last, NULL)
           == JUDGE_OK)
    {
        last = judge_json_get(last, "message");

        if (last && last->type == JUDGE_JSON_STRING) {
            message = judge_str_printf(run->arena, "%.*s; until then: %.*s",
                          judge_str_args(message),
                          judge_str_args(last->string));
        }
    }

    judge_llm_refuse(run, "TIMED_OUT", message);
}


static judge_rc_e
judge_llm_methods(judge_llm_run_t *run)
{
    size_t  i;

    if (judge_llm_text(run)) {
        return judge_method_rubric(run->arena, &run->rubric, true);
    }

    for (i = 0; i < run->rubric.ncriteria; i++) {
        /* The model also judges criteria whose judge_by can't be met. */
        (void) judge_method_media(&run->rubric.criteria[i], true);
        run->rubric.criteria[i].judged_by = JUDGE_BY_MODEL;
    }

    return JUDGE_OK;
}


/* Chooses the criteria that models judge: all, if the evaluation was escalated
 * or its content is not text (the engine measures texts only). */

static judge_rc_e
judge_llm_choose(judge_llm_run_t *run)
{
    judge_rc_e  rc;

    rc = judge_llm_methods(run);

    return rc == JUDGE_OK
           ? judge_method_asked(run->arena, &run->rubric,
                                run->job.escalated || !judge_llm_text(run),
                                &run->asked, &run->asked_index)
           : rc;
}


/* The digest of the references is part of the answer's key, because those of
 * a version change while their files are being read. */

static judge_rc_e
judge_llm_digest_references(judge_llm_run_t *run)
{
    size_t           i;
    judge_rc_e       rc;
    judge_digest_t  *digest;

    digest = judge_digest_sha256();
    if (digest == NULL) {
        return JUDGE_NOMEM;
    }

    rc = JUDGE_OK;

    for (i = 0; rc == JUDGE_OK && i < run->rubric.nreferences; i++) {
        rc = judge_digest_update(digest, (judge_str_t) {
                                     sizeof(size_t),
                                     (char *) &run->rubric.references[i].len
                                 });
        rc = rc ? rc : judge_digest_update(digest, run->rubric.references[i]);
    }

    rc = rc ? rc : judge_digest_final(digest, run->references);
    judge_digest_free(digest);

    return rc;
}


/* Reads the checks, and decides them if there is an allowance.  Their compiled
 * patterns may take megabytes, so that a run has none while it waits for its
 * models, and compiles them again after that. */

static judge_rc_e
judge_llm_checks(judge_llm_run_t *run, judge_allowance_t *allowance)
{
    judge_rc_e      rc;
    judge_arena_t  *values;

    values = judge_arena_create(JUDGE_LLM_SCRATCH);
    if (values == NULL) {
        return JUDGE_NOMEM;
    }

    rc = judge_checks_rubric(run->arena, values, &run->rubric);
    if (rc == JUDGE_OK && allowance) {
        rc = judge_checks_apply(run->arena, &run->rubric, &run->item,
                                &run->verdict, allowance);
    }

    judge_arena_destroy(values);

    return rc;
}


void
judge_llm_run_prepare(judge_llm_run_t *run)
{
    bool          overdue, exhausted;
    judge_job_t  *job = &run->job;

    if (run->rc != JUDGE_OK) {
        return;
    }

    overdue = judge_now(run->service) > job->deadline;
    exhausted = judge_llm_exhausted(run);
    run->builtin_only = job->escalated && (overdue || exhausted);

    if (overdue && !run->builtin_only) {
        judge_llm_overdue(run);
    }

    if (exhausted && !run->builtin_only) {
        judge_llm_refuse(run, "ATTEMPTS_EXHAUSTED",
            JUDGE_STR("every attempt ended before a result; the last one with"
                      " the process that made it"));
        return;
    }

    if (!job->found && run->failure.code == NULL) {
        judge_llm_refuse(run, "CONTENT_MISSING",
            JUDGE_STR("the content is not there any more"));
    }

    if (!job->found) {
        return;
    }

    run->rc = judge_rubric_read(run->arena, job->judge_name,
                                job->judge_description, job->criteria,
                                &run->rubric);
    run->rc = run->rc ? run->rc : judge_llm_checks(run, NULL);
    if (run->rc == JUDGE_INVALID) {
        run->rc = JUDGE_OK;
        judge_llm_refuse(run, "JUDGE_UNREADABLE",
            JUDGE_STR("the criteria of the judge can't be read"));
        return;
    }

    run->rubric.feedback_language = job->feedback_language;
    judge_review_settings(run->arena, job->review, &run->rubric);
    run->rubric.references = job->references;
    run->rubric.nreferences = job->nreferences;

    run->rc = run->rc ? run->rc : judge_llm_choose(run);
    run->rc = run->rc ? run->rc : judge_llm_digest_references(run);
    run->rc = run->rc ? run->rc : judge_llm_item_load(run);
}


bool
judge_llm_text(const judge_llm_run_t *run)
{
    return judge_str_eq_c(run->job.file_type, "text");
}


/* Reuses the scorer for evaluations by the same judge, so that its references
 * are measured once. */

static judge_scorer_t *
judge_llm_scorer(judge_llm_run_t *run, judge_llm_measure_t *measure)
{
    judge_job_t  *job = &run->job;

    if (measure->scorer && measure->version == job->judge_version
        && judge_str_eq(measure->judge_id, job->judge_id))
    {
        return measure->scorer;
    }

    if (measure->scratch == NULL) {
        measure->scratch = judge_arena_create(JUDGE_LLM_SCRATCH);
    }

    judge_arena_destroy(measure->arena);
    measure->scorer = NULL;
    measure->arena = judge_arena_create(JUDGE_LLM_SCRATCH);

    if (measure->arena && measure->scratch) {
        measure->scorer = judge_scorer_create(measure->arena, &run->rubric);
        measure->judge_id = job->judge_id;
        measure->version = job->judge_version;
    }

    return measure->scorer;
}


/* Measures the same features as the built-in engine, so that training can
 * learn from the evaluations of all engines. */

void
judge_llm_run_measure(judge_llm_run_t *run, judge_llm_measure_t *measure)
{
    judge_scorer_t   *scorer;
    judge_verdict_t   verdict = { 0 };

    if (run->rc != JUDGE_OK || run->failure.code
        || !judge_llm_text(run))
    {
        return;
    }

    scorer = judge_llm_scorer(run, measure);
    if (scorer == NULL) {
        run->rc = JUDGE_NOMEM;
        return;
    }

    judge_arena_reset(measure->scratch);
    run->rc = judge_score(scorer, &run->item, measure->scratch, &verdict);
    if (run->rc != JUDGE_OK) {
        return;
    }

    run->nfeatures = verdict.nfeatures;
    run->features = judge_array_alloc(run->arena, verdict.nfeatures,
                                      sizeof(float));
    if (run->features == NULL) {
        run->rc = JUDGE_NOMEM;
        return;
    }

    memcpy(run->features, verdict.features, verdict.nfeatures * sizeof(float));
}


/* The names of the model that is asked first, or of all members of a panel. */

static judge_str_t
judge_llm_key_models(judge_llm_run_t *run)
{
    size_t              i, n;
    judge_buf_t         names;
    const judge_llm_t  *model;

    judge_buf_init(&names, run->arena);
    n = run->panel.n ? run->order.count : 1;

    for (i = 0; i < n; i++) {
        model = &run->service->settings.models[run->order.models[i]];
        judge_buf_printf(&names, "%s%.*s %.*s", i ? " " : "",
                         judge_str_args(model->name),
                         judge_str_args(model->served));
    }

    return judge_buf_view(&names);
}


/* Contents and versions of judges never change, so that their identifiers are
 * enough for the key. */

judge_str_t
judge_llm_answer_key(judge_llm_run_t *run)
{
    uint8_t      digest[JUDGE_SHA256_LEN];
    judge_str_t  all, models, references, none = { 0, NULL };

    if (run->order.models[0] >= run->service->settings.nmodels) {
        return none;
    }

    models = judge_llm_key_models(run);
    references = judge_hex(run->arena, run->references,
                           sizeof(run->references));

    all = judge_str_printf(run->arena, "%.*s %.*s %lld %s %s %lld %.17g %lld"
                           " %.*s%s", judge_str_args(run->job.content_id),
                           judge_str_args(run->job.judge_id),
                           (long long) run->job.judge_version,
                           JUDGE_PROMPT_VERSION, references.data,
                           (long long) run->llm.max_tokens.value,
                           run->llm.temperature.set
                           ? run->llm.temperature.value : -1.0,
                           (long long) (run->job.samples > 1
                                        ? run->job.samples : 1),
                           (int) models.len, models.data ? models.data : "",
                           run->job.escalated
                           ? judge_escalate_name(run->job.escalated) : "");

    if (references.data == NULL || models.data == NULL || all.data == NULL
        || judge_sha256(all, digest) != JUDGE_OK)
    {
        return none;
    }

    return judge_hex(run->arena, digest, sizeof(digest));
}


/* Returns the index of the answer whose overall score is nearest the mean. */

static size_t
judge_llm_nearest(judge_llm_run_question_t *const *answered, size_t n)
{
    size_t  i, nearest;
    double  mean;

    for (i = 0, mean = 0; i < n; i++) {
        mean += answered[i]->ask.answer.verdict.overall / (double) n;
    }

    for (i = 1, nearest = 0; i < n; i++) {
        if (fabs(answered[i]->ask.answer.verdict.overall - mean)
            < fabs(answered[nearest]->ask.answer.verdict.overall - mean))
        {
            nearest = i;
        }
    }

    return nearest;
}


static judge_rc_e
judge_llm_score_builtin(judge_llm_run_t *run)
{
    judge_rc_e       rc;
    judge_scorer_t  *scorer;

    scorer = judge_scorer_create(run->arena, &run->rubric);
    if (scorer == NULL) {
        return JUDGE_NOMEM;
    }

    rc = judge_score(scorer, &run->item, run->arena, &run->verdict);
    if (rc == JUDGE_OK) {
        run->features = run->verdict.features;
        run->nfeatures = run->verdict.nfeatures;
    }

    return rc;
}


static double
judge_llm_mean(judge_llm_run_question_t *const *answered, size_t n, size_t c)
{
    size_t  i;
    double  sum;

    for (i = 0, sum = 0; i < n; i++) {
        sum += answered[i]->ask.answer.verdict.scores[c].score;
    }

    return n == 1 ? sum : round(sum / (double) n * 100) / 100;
}


/* The name of the model whose turn it is: the one asked for, or a fallback. */

static judge_str_t
judge_llm_turn(const judge_llm_run_t *run)
{
    return run->turn == 0 ? run->job.model
           : run->service->settings.models[run->order.models[run->turn]].name;
}


/* Puts the answers' mean scores into the engine's verdict, or into one of
 * their own if models judge all criteria.  The feedback is that of the answer
 * whose overall score is nearest to the mean. */

static judge_rc_e
judge_llm_merge(judge_llm_run_t *run,
    judge_llm_run_question_t *const *answered, size_t n)
{
    size_t                          c;
    judge_rc_e                      rc;
    const judge_verdict_t          *nearest;
    judge_criterion_score_t        *to;
    const judge_criterion_score_t  *from;

    nearest = &answered[judge_llm_nearest(answered, n)]->ask.answer.verdict;

    if (run->asked.ncriteria < run->rubric.ncriteria && judge_llm_text(run)) {
        rc = judge_llm_score_builtin(run);
        if (rc != JUDGE_OK) {
            return rc;
        }

    } else {
        run->verdict = *nearest;
        run->verdict.features = run->features;
        run->verdict.nfeatures = run->nfeatures;
        run->verdict.scores = judge_array_alloc(run->arena,
                                  run->rubric.ncriteria,
                                  sizeof(judge_criterion_score_t));
        if (run->verdict.scores == NULL) {
            return JUDGE_NOMEM;
        }

        for (c = 0; c < run->rubric.ncriteria; c++) {
            run->verdict.scores[c].score = NAN;
        }
    }

    run->verdict.summary = nearest->summary;
    run->verdict.strengths = nearest->strengths;
    run->verdict.nstrengths = nearest->nstrengths;
    run->verdict.weaknesses = nearest->weaknesses;
    run->verdict.nweaknesses = nearest->nweaknesses;
    run->verdict.suggestions = nearest->suggestions;
    run->verdict.nsuggestions = nearest->nsuggestions;

    for (c = 0; c < run->asked.ncriteria; c++) {
        to = &run->verdict.scores[run->asked_index[c]];
        from = &nearest->scores[c];
        *to = *from;
        to->score = judge_llm_mean(answered, n, c);
        to->judged_by = JUDGE_BY_MODEL;
        if (judge_llm_panel_score(run, c, to) != JUDGE_OK) {
            return JUDGE_NOMEM;
        }
        to->nstages = 0;
        judge_score_stage(to, JUDGE_STAGE_CHOSEN, (double) NAN,
                          run->asked.criteria[c].reason);
        judge_score_stage(to, JUDGE_STAGE_MODEL, (double) NAN,
                          judge_llm_turn(run));
    }

    judge_verdict_total(&run->rubric, &run->verdict);

    return JUDGE_OK;
}


/* Gives those asked criteria that the built-in engine could not score either
 * the reason why no model judged them. */

static void
judge_llm_unjudged(judge_llm_run_t *run)
{
    size_t                    i;
    judge_str_t               why, cause;
    judge_criterion_score_t  *s;

    if (run->failure.code == NULL) {
        judge_llm_refuse(run, "TIMED_OUT",
            JUDGE_STR("the evaluation's deadline is over"));
    }

    cause = run->failure.message;
    cause.len -= cause.len && cause.data[cause.len - 1] == '.';

    why = judge_str_printf(run->arena, "The language model %.*s judges this"
              " and gave %s (%s): %.*s.", (int) run->job.model.len,
              run->job.model.data, run->panel.n ? "too few answers"
                                                : "no answer",
              run->failure.code, judge_str_args(cause));

    for (i = 0; i < run->asked.ncriteria; i++) {
        s = &run->verdict.scores[run->asked_index[i]];

        if (isnan(s->score) && why.data) {
            s->reason = why;
        }
    }
}


static judge_rc_e
judge_llm_builtin(judge_llm_run_t *run)
{
    judge_rc_e  rc;

    rc = judge_llm_score_builtin(run);
    if (rc != JUDGE_OK) {
        return rc;
    }

    run->origin.engine = JUDGE_ENGINE_NAME;
    run->origin.version = JUDGE_ENGINE_VERSION;
    run->origin.model = run->job.model;
    run->origin.tokens = run->used;

    if (run->asked.ncriteria == 0) {
        run->origin.model = JUDGE_STR(JUDGE_ENGINE_NAME "/"
                                      JUDGE_ENGINE_VERSION);
        return JUDGE_OK;
    }

    if (run->job.escalated
        || (run->turn < run->order.count
            && run->order.models[run->turn] == JUDGE_LLM_BUILTIN))
    {
        run->origin.fallback = JUDGE_STR(JUDGE_ENGINE_NAME);
    }

    judge_llm_unjudged(run);

    return JUDGE_OK;
}


static void
judge_llm_origin(judge_llm_run_t *run,
    judge_llm_run_question_t *const *answered, size_t n)
{
    size_t           i;
    judge_origin_t  *origin = &run->origin;

    origin->engine = JUDGE_LLM_ENGINE;
    origin->version = JUDGE_PROMPT_VERSION;
    origin->model = run->job.model;
    if (run->turn) {
        origin->fallback = judge_llm_turn(run);
    }
    origin->served = run->panel.n ? (judge_str_t) { 0, NULL }
                                  : answered[0]->ask.answer.model;
    origin->prompt_hash = answered[0]->ask.request.hash;
    origin->tokens = run->used;
    origin->samples = run->nquestions;
    origin->answered = n;
    origin->altered = answered[0]->ask.request.altered;
    origin->examples = answered[0]->ask.prompt.nexamples;
    origin->checked = true;

    for (i = 0; i < n; i++) {
        origin->missing += answered[i]->ask.answer.missing;
        origin->tolerated |= answered[i]->ask.answer.tolerated;
    }

    origin->reasons |= (origin->altered ? JUDGE_REVIEW_ALTERED : 0u)
                      | (origin->missing ? JUDGE_REVIEW_QUOTES : 0u);
}


/* Sets the interval of the samples' mean, by Student's t.  Criteria that
 * models do not judge count as exact. */

static void
judge_llm_interval(judge_llm_run_t *run,
    judge_llm_run_question_t *const *answered, size_t n)
{
    size_t           i;
    double           mean, d, squares, half, asked, judged;
    judge_origin_t  *origin = &run->origin;

    if (n < 2 || run->panel.n) {
        return;                        /* a panel's answers are no samples */
    }

    for (i = 0, mean = 0; i < n; i++) {
        mean += answered[i]->ask.answer.verdict.overall;
    }
    mean /= (double) n;

    for (i = 0, squares = 0; i < n; i++) {
        d = answered[i]->ask.answer.verdict.overall - mean;
        squares += d * d;
    }

    for (i = 0, judged = 0; i < run->rubric.ncriteria; i++) {
        judged += isnan(run->verdict.scores[i].score)
                  ? 0 : run->rubric.criteria[i].weight;
    }

    for (i = 0, asked = 0; i < run->asked.ncriteria; i++) {
        asked += run->asked.criteria[i].weight;
    }

    half = judge_llm_t90[n - 1] * asked / judged
           * sqrt(squares / (double) (n - 1) / (double) n);

    origin->has_interval = true;
    origin->coverage = JUDGE_LLM_COVERAGE;
    origin->low = fmax(run->verdict.overall - half, 0);
    origin->high = fmin(run->verdict.overall + half, 100);

    if (origin->high - origin->low > JUDGE_LLM_WIDE) {
        origin->reasons |= JUDGE_REVIEW_APART;
    }
}


judge_rc_e
judge_llm_verdict(judge_llm_run_t *run)
{
    size_t             i, n;
    judge_rc_e         rc;
    judge_llm_run_question_t  *answered[JUDGE_LLM_SAMPLES];
    judge_allowance_t  allowance;

    for (i = 0, n = 0; i < run->nquestions && n < JUDGE_LLM_SAMPLES; i++) {
        if (run->questions[i].ask.outcome == JUDGE_LLM_CALL_ANSWERED) {
            answered[n++] = &run->questions[i];
        }
    }

    rc = run->nquestions ? judge_llm_merge(run, answered, n)
                         : judge_llm_builtin(run);
    if (rc != JUDGE_OK) {
        return rc;
    }

    if (run->nquestions) {
        judge_llm_origin(run, answered, n);
        judge_llm_interval(run, answered, n);
        if (judge_llm_related(run) != JUDGE_OK) {
            return JUDGE_NOMEM;
        }
    }

    if (run->job.escalated) {
        run->origin.why = run->nquestions
                          ? judge_escalate_name(run->job.escalated)
                          : "model_failed";
        run->origin.has_first = run->nquestions > 0
                                && run->job.first_score >= 0;
        run->origin.first = run->job.first_score;
    }

    rc = judge_calibrator_calibrate(run->entry, run->arena, &run->rubric,
                                    &run->item, &run->verdict, &run->origin);

    if (rc == JUDGE_OK) {
        judge_verdict_cap(&run->rubric, &run->verdict);
        allowance = judge_checks_allowance(run->item.text.len);
        allowance.cancelled = judge_service_leaving;
        allowance.data = run->service;
        rc = judge_llm_text(run) ? judge_llm_checks(run, &allowance)
                                 : JUDGE_OK;
    }
    if (rc != JUDGE_OK) {
        return rc;
    }

    judge_review_decide(&run->rubric, &run->verdict, &run->origin);
    rc = judge_explain(&run->verdict);
    judge_verdict_shift(&run->rubric, &run->verdict, run->item.offset);

    return rc;
}


judge_str_t
judge_llm_features(const judge_llm_run_t *run)
{
    const char  *engine;

    engine = run->origin.engine ? run->origin.engine : JUDGE_LLM_ENGINE;

    return judge_calibrator_vector(run->arena,
                                   judge_calibrator_inputs_hash(engine, true),
                                   run->features, run->nfeatures);
}
