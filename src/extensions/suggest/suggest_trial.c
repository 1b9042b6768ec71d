/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A wording by a language model, and its test.  The steps stand in the order
 * they run.  The groups of texts are split into halves: the model is shown
 * texts of one half; on the other one it judges by both wordings, as in
 * evaluations, and the distances to people's scores are compared in pairs.
 */


#include <math.h>

#include "analysis/aspects/method.h"
#include "analysis/checks/checks.h"
#include "analysis/llm/prompt.h"
#include "analysis/llm/fewshot.h"
#include "analysis/builtin/engine.h"
#include "work/llm/llm_catalog.h"
#include "work/service/extension.h"
#include "extensions/suggest/suggest.h"


#define JUDGE_SUGGEST_TIME    (15 * 60 * 1000)   /* ms for all questions */
#define JUDGE_SUGGEST_TOKENS  400      /* estimate for a wording */


static judge_rc_e judge_suggest_filter(judge_leased_t *work);
static void judge_suggest_word(judge_leased_t *work);
static void judge_suggest_worded(judge_llm_call_t *ask);
static judge_rc_e judge_suggest_prepare(judge_leased_t *work);
static void judge_suggest_ask(judge_leased_t *work);
static void judge_suggest_question(judge_llm_question_t *q);
static void judge_suggest_take(judge_llm_question_t *q);
static void judge_suggest_asked(judge_llm_survey_t *survey);
static judge_rc_e judge_suggest_measure(judge_leased_t *work);
static void judge_suggest_measured(judge_leased_t *work);


static float
judge_suggest_score(const judge_suggest_run_t *run, const float *scores,
    size_t item)
{
    return scores[item * run->data.ntargets + run->chosen];
}


/* --- What the model is shown --------------------------------------------- */

/* Shows the model those texts of its half on which people and the judge differ
 * most. */

static void
judge_suggest_show(judge_suggest_run_t *run, judge_difference_pair_t *pool,
    size_t n)
{
    size_t                  i, k;
    judge_training_data_t  *l = &run->data;

    judge_difference_farthest(pool, n);

    for (k = 0; k < n && k < JUDGE_SUGGEST_SHOWN; k++) {
        i = pool[k].places[0];
        run->texts[k] = (judge_wording_text_t) {
            .given = (double) judge_suggest_score(run, l->shown, i),
            .people = (double) judge_suggest_score(run, l->target, i),
            .text = judge_fewshot_excerpt(run->work.arena, l->items[i].text,
                                          JUDGE_FEWSHOT_TEXT)
        };
        run->said[run->words.count++].id =
            judge_id_str(&l->items[i].evaluation);
    }

    run->shown.ntexts = k;

    for (k = 0; k < run->nheld; k++) {
        run->said[run->words.count++].id =
            judge_id_str(&l->items[run->held[k]].evaluation);
    }
}


/* Splits the texts; wordings are tested on the newest of the held-out ones. */

static bool
judge_suggest_pick(judge_suggest_run_t *run)
{
    bool                      held;
    float                     h, d;
    double                    sum;
    size_t                    i, n, all;
    judge_training_data_t    *l = &run->data;
    judge_difference_pair_t  *pool;

    pool = judge_array_alloc(run->work.arena, l->n + 1,
                             sizeof(judge_difference_pair_t));
    if (pool == NULL) {
        return false;
    }

    run->words.rows = run->said;
    run->shown.texts = run->texts;

    for (i = l->n, n = 0, all = 0, sum = 0; i-- > 0; ) {
        h = judge_suggest_score(run, l->target, i);
        held = judge_suggest_held(l->items[i].group);
        if (!isnan(h) && !held) {
            sum += (double) h;
            all++;
        }

        if (isnan(h) || l->items[i].text.len == 0) {
            continue;
        }

        if (!held) {
            d = h - judge_suggest_score(run, l->shown, i);
            pool[n].places[0] = i;
            pool[n++].distance = isnan(d) ? 0 : fabs((double) d);

        } else if (run->nheld < JUDGE_SUGGEST_HELD) {
            run->held[run->nheld++] = i;
        }
    }

    run->usual = (float) (sum / (double) all);
    judge_suggest_show(run, pool, n);

    return true;
}


void
judge_suggest_trial(judge_suggest_run_t *run)
{
    const judge_criterion_row_t  *rows = run->criteria.rows.items;

    run->shown.name = rows[run->chosen].name;
    run->shown.description = rows[run->chosen].description;
    run->model = judge_llm_catalog_find(&run->work.service->settings,
                                        run->claim.row.model);
    run->deadline = judge_now(run->work.service) + JUDGE_SUGGEST_TIME;

    if (!judge_suggest_pick(run)) {
        judge_suggest_give_back(&run->work);
        return;
    }

    if (run->model == JUDGE_LLM_NONE) {
        run->why = "the language model is not configured here any more";

    } else if (run->nheld < JUDGE_SUGGEST_LEAST || run->shown.ntexts == 0) {
        run->why = "too few texts have people's scores to measure a wording on"
                   " some that it was not made from";
    }

    if (run->why) {
        judge_suggest_end(run);
        return;
    }

    judge_leased_op_compute(&run->work, &run->words.op,
                            JUDGE_OP_SUGGESTION_WORDS, judge_suggest_filter,
                            judge_suggest_word);
}


/* Leaves out texts that, or whose comments, may be instructions to the
 * model. */

static judge_rc_e
judge_suggest_filter(judge_leased_t *work)
{
    size_t                 i, n, altered;
    judge_buf_t            harmless, comments;
    judge_suggest_run_t   *run = (judge_suggest_run_t *) work;
    judge_wording_text_t  *t = run->texts;

    for (i = 0, n = 0; i < run->shown.ntexts; i++) {
        judge_buf_init(&comments, run->work.arena);
        judge_suggest_comments(run->work.arena, &run->said[i],
                               run->criteria.ids[run->chosen], &comments,
                               NULL);
        t[i].comments = judge_buf_view(&comments);
        altered = 0;
        judge_buf_init(&harmless, run->work.arena);
        judge_delimiter_text(&harmless, t[i].text, &altered);
        judge_delimiter_text(&harmless, t[i].comments, &altered);
        if (harmless.failed || comments.failed || t[i].text.data == NULL) {
            return JUDGE_NOMEM;
        }

        if (altered == 0) {
            t[n++] = t[i];
        }
    }

    run->shown.ntexts = n;

    return JUDGE_OK;
}


/* --- The wording --------------------------------------------------------- */

static judge_rc_e
judge_suggest_word_build(judge_llm_call_t *ask)
{
    judge_suggest_run_t  *run = ask->data;

    return judge_assist_prompt_wording(ask->arena, &ask->prompt, &run->shown,
                                       &ask->request);
}


static judge_rc_e
judge_suggest_word_read(judge_llm_call_t *ask, judge_str_t body)
{
    judge_suggest_run_t  *run = ask->data;

    return judge_assist_reply_wording(ask->arena, &ask->request, &run->shown,
                                      body, &ask->answer, &run->wording);
}


static void
judge_suggest_word(judge_leased_t *work)
{
    judge_suggest_run_t  *run = (judge_suggest_run_t *) work;

    if (run->shown.ntexts == 0) {
        run->why = "each text that could be shown to the language model holds"
                   " what may be an order to it";
        judge_suggest_end(run);
        return;
    }

    judge_llm_call_init(&run->ask, run->work.service, run->claim.row.org,
                        &run->load.llm, run->model, JUDGE_SUGGEST_TOKENS);
    run->ask.arena = run->work.arena;
    run->ask.deadline = judge_now(run->work.service) + JUDGE_LLM_SURVEY_ANSWER;
    run->ask.build = judge_suggest_word_build;
    run->ask.read = judge_suggest_word_read;
    run->ask.done = judge_suggest_worded;
    run->ask.data = run;
    judge_llm_call(&run->ask);
}


/* Runs a step after the wait for the budget; false: past the deadline. */

static bool
judge_suggest_later(judge_suggest_run_t *run, judge_ms_t wait,
    judge_leased_step_pt step)
{
    judge_ms_t  at = judge_now(run->work.service) + wait;

    if (at > run->deadline) {
        return false;
    }

    judge_leased_wait(&run->work, at, step);

    return true;
}


static void
judge_suggest_contents(judge_suggest_run_t *run)
{
    size_t                    k;
    judge_job_t              *job;
    judge_suggestion_text_t  *rows;

    rows = &run->said[run->words.count - run->nheld];
    run->contents.jobs = run->loaded;
    for (k = 0; k < run->nheld; k++) {
        job = run->contents.jobs[k] = &run->jobs[k];
        job->org = run->claim.row.org;
        job->id = rows[k].id;
        job->content_id = rows[k].content_id;
        job->judge_id = run->claim.row.judge_id;
        job->judge_version = run->claim.row.version;
    }

    run->contents.count = run->nheld;
    judge_leased_op_compute(&run->work, &run->contents.op, JUDGE_OP_QUEUE_LOAD,
                            judge_suggest_prepare, judge_suggest_ask);
}


static void
judge_suggest_worded(judge_llm_call_t *ask)
{
    judge_suggest_run_t  *run = ask->data;

    if (ask->outcome == JUDGE_LLM_CALL_STOPPED
        || ask->outcome == JUDGE_LLM_CALL_FAULT)
    {
        judge_suggest_give_back(&run->work);
        return;
    }

    if (ask->outcome == JUDGE_LLM_CALL_UNPAID
        && judge_suggest_later(run, ask->wait, judge_suggest_word))
    {
        return;
    }

    if (ask->outcome != JUDGE_LLM_CALL_ANSWERED) {
        run->why = "the language model gave no wording that could be used";
        run->failure = ask->message;
        run->wording = (judge_str_t) { 0, NULL };
        judge_suggest_end(run);
        return;
    }

    judge_suggest_contents(run);
}


/* --- Both wordings on the texts that were held out ----------------------- */

/* Makes the rubric of a version with these criteria, and the part that is
 * asked. */

static judge_rc_e
judge_suggest_rubric(judge_suggest_run_t *run, judge_str_t criteria,
    judge_suggest_wording_t *w)
{
    size_t                   *index;
    judge_rc_e                rc;
    const judge_judge_row_t  *row = &run->find.row;

    rc = judge_rubric_read(run->work.arena, row->name, row->description,
                           criteria, &w->rubric);
    rc = rc ? rc : judge_checks_rubric(run->work.arena, run->work.arena,
                                      &w->rubric);
    rc = rc ? rc : judge_method_rubric(run->work.arena, &w->rubric, true);

    w->rubric.feedback_language = row->feedback_language;
    w->rubric.references = run->jobs[0].references;
    w->rubric.nreferences = run->jobs[0].nreferences;

    rc = rc ? rc : judge_method_asked(run->work.arena, &w->rubric, false,
                                      &w->asked, &index);

    for (w->chosen = 0; rc == JUDGE_OK && w->chosen < w->asked.ncriteria
                        && index[w->chosen] != run->chosen;
         w->chosen++)
    {
        /* void */
    }

    return rc;
}


/* Runs in a thread; makes a version with the new wording as a request would,
 * with the checks that are found in the wording.  What a request would refuse
 * ends the run. */

static judge_rc_e
judge_suggest_prepare(judge_leased_t *work)
{
    size_t                    k;
    judge_rc_e                rc;
    judge_str_t               error, text;
    judge_suggest_run_t      *run = (judge_suggest_run_t *) work;
    judge_criterion_row_t    *rows;
    judge_suggest_wording_t  *w;
    judge_criteria_judges_t   judges = { true, true, true, false };

    rc = judge_suggest_rubric(run, run->find.row.criteria, &run->wordings[0]);
    rc = rc ? rc : judge_criteria_read(run->work.arena, run->find.row.criteria,
                                       &run->worded);
    if (rc != JUDGE_OK) {
        return rc;
    }

    rows = run->worded.items;
    rows[run->chosen].description = run->wording;
    rc = judge_criteria_describe(run->work.arena, &run->worded, &judges,
                                 &error);
    if (rc == JUDGE_INVALID) {
        run->why = "with the wording of the language model the criteria can't"
                   " be judged as the judge asks";
        run->failure = error;
        return JUDGE_OK;
    }

    text = rc == JUDGE_OK ? judge_criteria_write(run->work.arena, &run->worded)
                          : (judge_str_t) { 0, NULL };
    if (text.data == NULL) {
        return rc ? rc : JUDGE_NOMEM;
    }

    rc = judge_suggest_rubric(run, text, &run->wordings[1]);

    for (k = 0; k < 2 * run->nheld; k++) {
        w = &run->wordings[k % 2];
        run->replies[k / 2][k % 2] = run->scores[k / 2][k % 2] = NAN;
        run->asked[k] = run->jobs[k / 2].found
                        && w->chosen < w->asked.ncriteria
                        ? JUDGE_LLM_SURVEY_OPEN : JUDGE_LLM_SURVEY_UNANSWERED;
    }

    run->survey = (judge_llm_survey_t) {
        .n = 2 * run->nheld, .states = run->asked,
        .prepare = judge_suggest_question, .take = judge_suggest_take,
        .over = judge_suggest_asked, .data = run
    };

    return rc;
}


static void
judge_suggest_question(judge_llm_question_t *q)
{
    judge_suggest_run_t      *run = q->survey->data;
    judge_suggest_wording_t  *w = &run->wordings[q->index % 2];

    q->job = &run->jobs[q->index / 2];
    judge_llm_call_init(&q->ask, run->work.service, run->claim.row.org,
                        &run->load.llm, run->model,
                        100 + 150 * (int64_t) w->asked.ncriteria);
    q->ask.deadline = judge_now(run->work.service) + JUDGE_LLM_SURVEY_ANSWER;
    q->ask.prompt.rubric = &w->asked;
}


static void
judge_suggest_take(judge_llm_question_t *q)
{
    judge_suggest_run_t  *run = q->survey->data;

    run->replies[q->index / 2][q->index % 2] = (float)
        q->ask.answer.verdict.scores[run->wordings[q->index % 2].chosen].score;
}


static void
judge_suggest_asked(judge_llm_survey_t *survey)
{
    judge_suggest_run_t  *run = survey->data;

    if (survey->stopped || run->work.lost) {
        judge_suggest_give_back(&run->work);

    } else if (survey->wait == 0) {
        judge_suggest_ask(&run->work);

    } else if (!judge_suggest_later(run, survey->wait, judge_suggest_ask)) {
        judge_leased_compute(&run->work, judge_suggest_measure,
                             judge_suggest_measured);
    }
}


static void
judge_suggest_ask(judge_leased_t *work)
{
    judge_suggest_run_t  *run = (judge_suggest_run_t *) work;

    if (run->why) {
        judge_suggest_end(run);

    } else if (judge_now(run->work.service) >= run->deadline
               || run->survey.failures >= JUDGE_LLM_SURVEY_TRIES
               || !judge_llm_survey_ask(&run->survey))
    {
        judge_leased_compute(&run->work, judge_suggest_measure,
                             judge_suggest_measured);
    }
}


/* --- The test ------------------------------------------------------------ */

/* Computes the score that an evaluation by a wording would give: from the
 * model's reply, or from measures and checks. */

static judge_rc_e
judge_suggest_judge(judge_suggest_run_t *run, judge_arena_t *arena,
    const judge_scorer_t *scorer, size_t k, size_t wording)
{
    judge_rc_e                 rc;
    judge_item_t               item = { .text = run->jobs[k].text_content };
    judge_verdict_t            verdict;
    judge_suggest_wording_t   *w = &run->wordings[wording];
    judge_criterion_score_t   *score;

    if (!run->jobs[k].found || (w->chosen < w->asked.ncriteria
                                && isnan(run->replies[k][wording])))
    {
        return JUDGE_OK;
    }

    rc = judge_extensions_item(arena, run->jobs[k].metadata,
                               judge_scope_find(run->jobs[k].scope), &item);
    rc = rc ? rc : judge_score(scorer, &item, arena, &verdict);
    if (rc != JUDGE_OK) {
        return rc;
    }

    score = &verdict.scores[run->chosen];
    if (w->chosen < w->asked.ncriteria) {
        score->score = (double) run->replies[k][wording];
        score->judged_by = JUDGE_BY_MODEL;
    }

    judge_verdict_total(&w->rubric, &verdict);
    judge_verdict_cap(&w->rubric, &verdict);
    rc = judge_checks_apply(arena, &w->rubric, &item, &verdict, NULL);
    run->scores[k][wording] = (float) verdict.scores[run->chosen].score;

    return rc;
}


/* Compares distances.  Smaller ones are better, so those of the old wording
 * come first, and the difference is the gain. */

static judge_rc_e
judge_suggest_test(judge_suggest_run_t *run, judge_arena_t *arena)
{
    float                     h, distances[2][JUDGE_SUGGEST_HELD];
    size_t                    k, i, n;
    double                    given;
    judge_difference_pair_t   pairs[JUDGE_SUGGEST_HELD];
    judge_difference_set_t    set;

    for (k = 0, n = 0, run->given = 0; k < run->nheld; k++) {
        i = run->held[k];
        h = judge_suggest_score(run, run->data.target, i);
        given = (double) judge_suggest_score(run, run->data.shown, i);
        given = isnan(given) ? (double) run->usual : given;

        if (isnan(run->scores[k][0]) && run->wordings[0].rubric
            .criteria[run->chosen].judged_by == JUDGE_BY_NOTHING)
        {
            run->scores[k][0] = run->usual;
        }

        distances[0][k] = fabsf(run->scores[k][0] - h);
        distances[1][k] = fabsf(run->scores[k][1] - h);
        pairs[k] = (judge_difference_pair_t) {
            .places = { k, k }, .cluster = run->data.items[i].group
        };

        if (!isnan(distances[0][k] - distances[1][k])) {
            run->given += fabs(given - (double) h);
            n++;
        }
    }

    run->given /= (double) n;
    set = (judge_difference_set_t) {
        .ntargets = 1, .scores = { distances[0], distances[1] },
        .pairs = pairs, .npairs = run->nheld, .seed = 1
    };

    return judge_difference(arena, &set, &run->gain);
}


static judge_rc_e
judge_suggest_measure(judge_leased_t *work)
{
    size_t                k, wording;
    judge_rc_e            rc;
    judge_arena_t        *arena;
    judge_scorer_t       *scorer;
    judge_suggest_run_t  *run = (judge_suggest_run_t *) work;

    arena = judge_arena_create(256 * 1024);
    rc = arena ? JUDGE_OK : JUDGE_NOMEM;

    for (wording = 0; wording < 2 && rc == JUDGE_OK; wording++) {
        scorer = judge_scorer_create(run->work.arena,
                                     &run->wordings[wording].rubric);
        rc = scorer ? JUDGE_OK : JUDGE_NOMEM;

        for (k = 0; k < run->nheld && rc == JUDGE_OK; k++) {
            judge_arena_reset(arena);
            rc = judge_suggest_judge(run, arena, scorer, k, wording);
        }
    }

    if (rc == JUDGE_OK) {
        judge_arena_reset(arena);
        rc = judge_suggest_test(run, arena);
    }

    judge_arena_destroy(arena);

    return rc;
}


static void
judge_suggest_measured(judge_leased_t *work)
{
    judge_suggest_run_t       *run = (judge_suggest_run_t *) work;
    const judge_difference_t  *g = &run->gain;

    if (g->clusters < JUDGE_SUGGEST_LEAST) {
        run->why = "the language model answered too few questions to measure"
                   " the new wording";

    } else if (!(g->difference > 0 && g->p
                 <= judge_suggest_level(run->load.tries)))
    {
        run->why = "a new wording was tried, and agrees no better with people"
                   " beyond chance";

    } else if (g->mean[1] >= run->given) {
        run->why = "a new wording was tried, and agrees no better with people"
                   " than the scores that the judge had given, what it has"
                   " learned included";
    }

    judge_suggest_end(run);
}
