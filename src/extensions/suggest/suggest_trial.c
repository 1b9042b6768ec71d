/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A wording by a language model, and what it is worth.  The steps stand in the
 * order they run.  The model is shown texts of one half of the groups of
 * texts; on the other half the same model judges by both wordings, as it would
 * in evaluations, and the distances to people's scores are compared in pairs.
 */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/aspects/method.h"
#include "analysis/builtin/conversation.h"
#include "analysis/checks/checks.h"
#include "analysis/llm/delimiter.h"
#include "analysis/llm/fewshot.h"
#include "analysis/llm/rubric.h"
#include "work/llm/llm_catalog.h"
#include "work/service/extension.h"
#include "extensions/suggest/suggest.h"


#define JUDGE_SUGGEST_TIME    (15 * 60 * 1000)   /* ms for all questions */
#define JUDGE_SUGGEST_ANSWER  (2 * 60 * 1000)    /* ms for one */
#define JUDGE_SUGGEST_TRIES   8        /* questions without an answer in a row
                                          after which no more is asked */
#define JUDGE_SUGGEST_TOKENS  400      /* of a wording, roughly */


static void judge_suggest_said(judge_suggest_run_t *run);
static judge_rc_e judge_suggest_harmless(judge_suggest_run_t *run);
static void judge_suggest_word(judge_suggest_run_t *run);
static void judge_suggest_worded(judge_llm_call_t *ask);
static void judge_suggest_loaded(judge_suggest_run_t *run);
static judge_rc_e judge_suggest_prepare(judge_suggest_run_t *run);
static void judge_suggest_ask(judge_suggest_run_t *run);
static void judge_suggest_answered(judge_llm_call_t *ask);
static judge_rc_e judge_suggest_measure(judge_suggest_run_t *run);
static void judge_suggest_measured(judge_suggest_run_t *run);


static float
judge_suggest_score(const judge_suggest_run_t *run, const float *scores,
    size_t item)
{
    return scores[item * run->data.ntargets + run->chosen];
}


/* --- What the model is shown --------------------------------------------- */

/* Shows the model the texts on which people and the judge are farthest apart,
 * of those that are not held out. */

static void
judge_suggest_show(judge_suggest_run_t *run, judge_difference_pair_t *seen,
    size_t n)
{
    size_t                  i, k;
    judge_training_data_t  *l = &run->data;

    qsort(seen, n, sizeof(judge_difference_pair_t),
          judge_suggest_by_distance);

    for (k = 0; k < n && k < JUDGE_SUGGEST_SHOWN; k++) {
        i = seen[k].at[0];
        run->shown.texts[k] = (judge_wording_text_t) {
            .given = (double) judge_suggest_score(run, l->shown, i),
            .people = (double) judge_suggest_score(run, l->target, i),
            .text = judge_fewshot_excerpt(run->arena, l->items[i].text,
                                          JUDGE_FEWSHOT_TEXT)
        };
        run->words.rows[run->words.count++].id =
            judge_id_str(&l->items[i].evaluation);
    }

    run->shown.ntexts = k;

    for (k = 0; k < run->nheld; k++) {
        run->words.rows[run->words.count++].id =
            judge_id_str(&l->items[run->held[k]].evaluation);
    }
}


/* Splits the texts; the newest of those that are held out are measured on. */

static bool
judge_suggest_pick(judge_suggest_run_t *run)
{
    float                     d;
    size_t                    i, n;
    judge_training_data_t    *l = &run->data;
    judge_difference_pair_t  *seen;

    seen = judge_array_alloc(run->arena, l->n + 1,
                             sizeof(judge_difference_pair_t));
    run->words.rows = judge_array_alloc(run->arena, JUDGE_SUGGEST_SHOWN
                                        + JUDGE_SUGGEST_HELD,
                                        sizeof(judge_suggestion_text_t));
    run->shown.texts = judge_array_alloc(run->arena, JUDGE_SUGGEST_SHOWN,
                                         sizeof(judge_wording_text_t));
    if (seen == NULL || run->words.rows == NULL || run->shown.texts == NULL) {
        return false;
    }

    for (i = l->n, n = 0; i-- > 0; ) {
        d = judge_suggest_score(run, l->target, i);
        if (isnan(d) || l->items[i].text.len == 0) {
            continue;
        }

        if (!judge_suggest_held(l->items[i].group)) {
            d -= judge_suggest_score(run, l->shown, i);
            seen[n].at[0] = i;
            seen[n++].distance = isnan(d) ? 0 : fabs((double) d);

        } else if (run->nheld < JUDGE_SUGGEST_HELD) {
            run->held[run->nheld++] = i;
        }
    }

    judge_suggest_show(run, seen, n);

    return true;
}


void
judge_suggest_trial(judge_suggest_run_t *run)
{
    const judge_criterion_row_t  *rows = run->criteria.items;

    run->shown.name = rows[run->chosen].name;
    run->shown.description = rows[run->chosen].description;
    run->model = judge_llm_catalog_find(&run->service->settings,
                                        run->claim.row.model);
    run->until = judge_now(run->service) + JUDGE_SUGGEST_TIME;

    if (!judge_suggest_pick(run)) {
        judge_suggest_give_back(run);
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

    judge_suggest_op(run, &run->words.op, JUDGE_OP_SUGGESTION_WORDS,
                     judge_suggest_said);
}


static void
judge_suggest_said(judge_suggest_run_t *run)
{
    judge_suggest_compute(run, judge_suggest_harmless, judge_suggest_word);
}


/* Whatever may be an order to the model is left out, with the text that it
 * stands in or beside. */

static judge_rc_e
judge_suggest_harmless(judge_suggest_run_t *run)
{
    size_t                 i, n, altered;
    judge_buf_t            harmless, said;
    judge_wording_text_t  *t = run->shown.texts;

    for (i = 0, n = 0; i < run->shown.ntexts; i++) {
        judge_buf_init(&said, run->arena);
        judge_suggest_comments(run->arena, &run->words.rows[i],
                               run->ids[run->chosen], &said, NULL);
        t[i].said = judge_buf_view(&said);
        altered = 0;
        judge_buf_init(&harmless, run->arena);
        judge_delimiter_text(&harmless, t[i].text, &altered);
        judge_delimiter_text(&harmless, t[i].said, &altered);
        if (harmless.failed || said.failed || t[i].text.data == NULL) {
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

static judge_llm_call_t
judge_suggest_call(judge_suggest_run_t *run, judge_arena_t *arena,
    int64_t expected)
{
    const judge_llm_settings_t  *llm = &run->load.llm;

    return (judge_llm_call_t) {
        .service = run->service, .arena = arena, .org = run->claim.row.org,
        .model = run->model,
        .limits = { .requests = llm->requests_per_minute.value,
                    .tokens = llm->tokens_per_minute.value },
        .deadline = judge_now(run->service) + JUDGE_SUGGEST_ANSWER,
        .expected = llm->max_tokens.set && llm->max_tokens.value < expected
                    ? llm->max_tokens.value : expected,
        .prompt = {
            .model = run->service->settings.models[run->model].served,
            .has_temperature = true,
            .temperature = llm->temperature.set ? llm->temperature.value : 0,
            .max_tokens = llm->max_tokens.set ? llm->max_tokens.value : 0,
            .has_seed = true
        }
    };
}


static judge_rc_e
judge_suggest_word_build(judge_llm_call_t *ask)
{
    judge_rc_e            rc;
    judge_suggest_run_t  *run = ask->data;

    rc = judge_assist_prompt_wording(ask->arena, &ask->prompt, &run->shown,
                                     &run->asked);
    ask->body = run->asked.body;
    ask->tokens = run->asked.tokens;

    return rc;
}


static judge_rc_e
judge_suggest_word_read(judge_llm_call_t *ask, judge_str_t answer)
{
    judge_rc_e            rc;
    judge_suggest_run_t  *run = ask->data;

    rc = judge_assist_reply_wording(ask->arena, &run->asked, &run->shown,
                                    answer, &run->reply, &run->wording);
    ask->reply = run->reply.outcome;
    ask->reason = run->reply.reason;
    ask->start = run->reply.start;
    ask->total_tokens = run->reply.total_tokens;

    return rc;
}


static void
judge_suggest_word(judge_suggest_run_t *run)
{
    if (run->shown.ntexts == 0) {
        run->why = "each text that could be shown to the language model holds"
                   " what may be an order to it";
        judge_suggest_end(run);
        return;
    }

    run->ask = judge_suggest_call(run, run->arena, JUDGE_SUGGEST_TOKENS);
    run->ask.build = judge_suggest_word_build;
    run->ask.read = judge_suggest_word_read;
    run->ask.done = judge_suggest_worded;
    run->ask.data = run;
    judge_llm_call(&run->ask);
}


/* A question that was not paid or asked is put off: true. */

static bool
judge_suggest_later(judge_suggest_run_t *run, const judge_llm_call_t *ask,
    judge_suggest_step_pt step)
{
    judge_ms_t  now = judge_now(run->service);

    if (ask->outcome != JUDGE_LLM_CALL_UNPAID || now + ask->wait > run->until)
    {
        return false;
    }

    if (run->asleep == NULL || now + ask->wait > run->wakes_at) {
        run->wakes_at = now + ask->wait;
    }
    run->asleep = step;

    return true;
}


static void
judge_suggest_contents(judge_suggest_run_t *run)
{
    size_t                    k;
    judge_job_t              *job;
    judge_suggestion_text_t  *rows;

    rows = &run->words.rows[run->words.count - run->nheld];
    run->contents.jobs = judge_array_alloc(run->arena, run->nheld,
                                           sizeof(judge_job_t *));
    if (run->contents.jobs == NULL) {
        judge_suggest_give_back(run);
        return;
    }

    for (k = 0; k < run->nheld; k++) {
        job = run->contents.jobs[k] = &run->jobs[k];
        job->org = run->claim.row.org;
        job->id = rows[k].id;
        job->content_id = rows[k].content_id;
        job->judge_id = run->claim.row.judge_id;
        job->judge_version = run->claim.row.version;
    }

    run->contents.count = run->nheld;
    judge_suggest_op(run, &run->contents.op, JUDGE_OP_QUEUE_LOAD,
                     judge_suggest_loaded);
}


static void
judge_suggest_worded(judge_llm_call_t *ask)
{
    judge_suggest_run_t  *run = ask->data;

    if (ask->outcome == JUDGE_LLM_CALL_STOPPED
        || ask->outcome == JUDGE_LLM_CALL_FAULT)
    {
        judge_suggest_give_back(run);
        return;
    }

    if (judge_suggest_later(run, ask, judge_suggest_word)) {
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

static void
judge_suggest_loaded(judge_suggest_run_t *run)
{
    judge_suggest_compute(run, judge_suggest_prepare, judge_suggest_ask);
}


/* The rubric of a version with these criteria, and what a model is asked. */

static judge_rc_e
judge_suggest_rubric(judge_suggest_run_t *run, judge_str_t criteria,
    judge_suggest_wording_t *w)
{
    judge_rc_e                rc;
    const judge_judge_row_t  *row = &run->find.row;

    rc = judge_rubric_read(run->arena, row->name, row->description, criteria,
                           &w->rubric);
    rc = rc ? rc : judge_checks_rubric(run->arena, &w->rubric);
    rc = rc ? rc : judge_method_rubric(run->arena, &w->rubric, true);

    w->rubric.feedback_language = row->feedback_language;
    w->rubric.references = run->jobs[0].references;
    w->rubric.nreferences = run->jobs[0].nreferences;

    rc = rc ? rc : judge_method_asked(run->arena, &w->rubric, false, &w->asked,
                                      &w->at);

    for (w->turn = 0; rc == JUDGE_OK && w->turn < w->asked.ncriteria
                      && w->at[w->turn] != run->chosen; w->turn++)
    {
        /* void */
    }

    return rc;
}


/* In a thread: a version with the new wording is made as a request would make
 * it, with the checks that stand in it. */

static judge_rc_e
judge_suggest_prepare(judge_suggest_run_t *run)
{
    size_t                    k;
    judge_rc_e                rc;
    judge_str_t               error, text;
    judge_criterion_row_t    *rows;
    judge_criteria_judges_t   judges = { true, true, true };

    rc = judge_suggest_rubric(run, run->find.row.criteria, &run->wordings[0]);
    rc = rc ? rc : judge_criteria_read(run->arena, run->find.row.criteria,
                                       &run->worded);
    if (rc != JUDGE_OK) {
        return rc;
    }

    rows = run->worded.items;
    rows[run->chosen].description = run->wording;
    rc = judge_criteria_describe(run->arena, &run->worded, &judges,
                                 &error);
    text = rc == JUDGE_OK ? judge_criteria_write(run->arena, &run->worded)
                          : (judge_str_t) { 0, NULL };
    if (text.data == NULL) {
        return rc ? rc : JUDGE_NOMEM;
    }

    for (k = 0; k < run->nheld; k++) {
        run->said[k][0] = run->said[k][1] = NAN;
        run->scores[k][0] = run->scores[k][1] = NAN;
        run->done[k][0] = run->done[k][1] = !run->jobs[k].found;
    }

    return judge_suggest_rubric(run, text, &run->wordings[1]);
}


static judge_rc_e
judge_suggest_build(judge_llm_call_t *ask)
{
    judge_rc_e                 rc;
    judge_suggest_question_t  *q = ask->data;
    const judge_job_t         *job = &q->run->jobs[q->item];

    q->about.text = job->text_content;
    rc = judge_extensions_item(ask->arena, job->metadata,
                               judge_scope_find(job->scope), &q->about);
    rc = rc ? rc : judge_prompt_build(ask->arena, &ask->prompt, &q->request);
    ask->body = q->request.body;
    ask->tokens = q->request.tokens;

    return rc;
}


static judge_rc_e
judge_suggest_read(judge_llm_call_t *ask, judge_str_t answer)
{
    judge_rc_e                 rc;
    judge_reply_wanted_t       wanted;
    judge_suggest_question_t  *q = ask->data;

    wanted = (judge_reply_wanted_t) {
        .format = q->request.format, .key = q->request.key,
        .rubric = &q->run->wordings[q->wording].asked, .item = &q->about
    };
    rc = judge_reply_read(ask->arena, &wanted, answer, &q->reply);
    ask->reply = q->reply.outcome;
    ask->reason = q->reply.reason;
    ask->start = q->reply.start;
    ask->total_tokens = q->reply.total_tokens;

    return rc;
}


/* Prepares a question; false: no memory. */

static bool
judge_suggest_question(judge_suggest_run_t *run, size_t item, size_t wording)
{
    judge_arena_t             *arena;
    judge_suggest_question_t  *q = &run->questions[run->nquestions];
    judge_suggest_wording_t   *w = &run->wordings[wording];

    arena = judge_arena_create(16384);
    if (arena == NULL) {
        return false;
    }

    memset(q, 0, sizeof(judge_suggest_question_t));
    q->run = run;
    q->item = item;
    q->wording = wording;
    q->ask = judge_suggest_call(run, arena,
                                100 + 150 * (int64_t) w->asked.ncriteria);
    q->ask.prompt.rubric = &w->asked;
    q->ask.prompt.item = &q->about;
    q->ask.build = judge_suggest_build;
    q->ask.read = judge_suggest_read;
    q->ask.done = judge_suggest_answered;
    q->ask.data = q;
    run->nquestions++;

    return true;
}


/* All questions of a round have ended. */

static void
judge_suggest_take(judge_suggest_run_t *run)
{
    bool                       stopped;
    size_t                     i;
    judge_suggest_question_t  *q;

    for (i = 0, stopped = run->lost; i < run->nquestions; i++) {
        q = &run->questions[i];
        run->done[q->item][q->wording] =
            !judge_suggest_later(run, &q->ask, judge_suggest_ask);

        if (q->ask.outcome == JUDGE_LLM_CALL_ANSWERED) {
            run->said[q->item][q->wording] = (float)
                q->reply.verdict.scores[run->wordings[q->wording].turn].score;
            run->refused = 0;

        } else if (run->done[q->item][q->wording]) {
            run->refused++;
        }

        stopped = stopped || q->ask.outcome == JUDGE_LLM_CALL_STOPPED
                  || q->ask.outcome == JUDGE_LLM_CALL_FAULT;
        judge_arena_destroy(q->ask.arena);
    }

    run->nquestions = 0;

    if (stopped) {
        run->asleep = NULL;
        judge_suggest_give_back(run);

    } else if (run->asleep == NULL) {
        judge_suggest_ask(run);
    }
}


/* Begins as many questions as are asked at once. */

static void
judge_suggest_ask(judge_suggest_run_t *run)
{
    size_t  i, k;

    for (i = 0; i < 2 * run->nheld && run->refused < JUDGE_SUGGEST_TRIES
                && run->nquestions < JUDGE_SUGGEST_AT_ONCE
                && judge_now(run->service) < run->until; i++)
    {
        k = i % 2;

        if (run->wordings[k].turn < run->wordings[k].asked.ncriteria
            && !run->done[i / 2][k]
            && !judge_suggest_question(run, i / 2, k))
        {
            break;
        }
    }

    if (run->nquestions == 0) {
        judge_suggest_compute(run, judge_suggest_measure,
                              judge_suggest_measured);
        return;
    }

    /* One more than questions: calls may end before all have begun. */
    run->pending = run->nquestions + 1;

    for (i = 0; i < run->nquestions; i++) {
        judge_llm_call(&run->questions[i].ask);
    }

    if (--run->pending == 0) {
        judge_suggest_take(run);
    }
}


static void
judge_suggest_answered(judge_llm_call_t *ask)
{
    judge_suggest_question_t  *q = ask->data;

    if (--q->run->pending == 0) {
        judge_suggest_take(q->run);
    }
}


/* --- What it is worth ---------------------------------------------------- */

/* The score of a text by a wording: what an evaluation would make of what the
 * model said, or measures and checks without it. */

static judge_rc_e
judge_suggest_judge(judge_suggest_run_t *run, judge_arena_t *arena,
    const judge_scorer_t *scorer, size_t k, size_t wording)
{
    judge_rc_e                 rc;
    judge_item_t               item = { .text = run->jobs[k].text_content };
    judge_verdict_t            verdict;
    judge_suggest_wording_t   *w = &run->wordings[wording];
    judge_criterion_score_t   *score;

    if (!run->jobs[k].found || (w->turn < w->asked.ncriteria
                                && isnan(run->said[k][wording])))
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
    if (w->turn < w->asked.ncriteria) {
        score->score = (double) run->said[k][wording];
        score->judged_by = JUDGE_BY_MODEL;
    }

    judge_verdict_total(&w->rubric, &verdict);
    judge_verdict_cap(&w->rubric, &verdict);
    rc = judge_checks_apply(arena, &w->rubric, &item, &verdict, NULL);
    run->scores[k][wording] = (float) verdict.scores[run->chosen].score;

    return rc;
}


/* The people's mean of the texts that are not held out, which is what is known
 * of texts that nobody judges. */

static float
judge_suggest_usual(const judge_suggest_run_t *run)
{
    float                         h;
    double                        sum;
    size_t                        i, n;
    const judge_training_data_t  *l = &run->data;

    for (i = 0, n = 0, sum = 0; i < l->n; i++) {
        h = judge_suggest_score(run, l->target, i);

        if (!isnan(h) && !judge_suggest_held(l->items[i].group)) {
            sum += (double) h;
            n++;
        }
    }

    return (float) (sum / (double) n);
}


/* Compares distances, which are smaller where a wording is better, so that
 * those of the present one come first. */

static judge_rc_e
judge_suggest_test(judge_suggest_run_t *run, judge_arena_t *arena)
{
    float                     h, usual, distances[2][JUDGE_SUGGEST_HELD];
    size_t                    k, i, n;
    double                    given;
    judge_difference_pair_t   pairs[JUDGE_SUGGEST_HELD];
    judge_difference_set_t    set;

    usual = judge_suggest_usual(run);

    for (k = 0, n = 0, run->given = 0; k < run->nheld; k++) {
        i = run->held[k];
        h = judge_suggest_score(run, run->data.target, i);
        given = (double) judge_suggest_score(run, run->data.shown, i);
        given = isnan(given) ? (double) usual : given;

        if (isnan(run->scores[k][0]) && run->wordings[0].rubric
            .criteria[run->chosen].judged_by == JUDGE_BY_NOTHING)
        {
            run->scores[k][0] = usual;
        }

        distances[0][k] = fabsf(run->scores[k][0] - h);
        distances[1][k] = fabsf(run->scores[k][1] - h);
        pairs[k] = (judge_difference_pair_t) {
            .at = { k, k }, .cluster = run->data.items[i].group
        };

        if (!isnan(distances[0][k] - distances[1][k])) {
            run->given += fabs(given - (double) h);
            n++;
        }
    }

    run->given /= (double) n;
    qsort(pairs, run->nheld, sizeof(judge_difference_pair_t),
          judge_suggest_by_group);
    set = (judge_difference_set_t) {
        .ntargets = 1, .scores = { distances[0], distances[1] },
        .pairs = pairs, .npairs = run->nheld, .seed = 1
    };

    return judge_difference(arena, &set, &run->gain);
}


/* In a thread. */

static judge_rc_e
judge_suggest_measure(judge_suggest_run_t *run)
{
    size_t           k, wording;
    judge_rc_e       rc;
    judge_arena_t   *arena;
    judge_scorer_t  *scorer;

    arena = judge_arena_create(256 * 1024);
    rc = arena ? JUDGE_OK : JUDGE_NOMEM;

    for (wording = 0; wording < 2 && rc == JUDGE_OK; wording++) {
        scorer = judge_scorer_create(run->arena,
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
judge_suggest_measured(judge_suggest_run_t *run)
{
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
