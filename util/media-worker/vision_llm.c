/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/crypto/crypto.h"
#include "analysis/llm/reply.h"
#include "vision_llm.h"
#include "measure.h"


#define JUDGE_VISION_LLM_FAILURES  4   /* of the server, until it is down */
#define JUDGE_VISION_LLM_FEATURES  8   /* that a server may refuse */
#define JUDGE_VISION_LLM_ANSWERS  2    /* that can't be used */
#define JUDGE_VISION_LLM_TOKENS  4096  /* of an answer */


/* One question to the model, with its attempts. */
typedef struct {
    judge_vision_llm_t     *llm;
    judge_arena_t          *arena;
    judge_prompt_t          prompt;
    judge_prompt_request_t  request;
    judge_verdict_t        *verdict;
    judge_str_t            *why;
    unsigned                failures;
    unsigned                features;
    unsigned                answers;
    judge_attempt_t         attempt;   /* the last one */
} judge_vision_llm_run_t;


static bool judge_vision_llm_attempt(judge_vision_llm_run_t *run,
    judge_vision_llm_e *outcome);
static bool judge_vision_llm_answered(judge_vision_llm_run_t *run,
    const judge_http_answer_t *answer, judge_vision_llm_e *outcome);
static bool judge_vision_llm_read(judge_vision_llm_run_t *run,
    const judge_http_answer_t *answer, judge_vision_llm_e *outcome);
static bool judge_vision_llm_refused(judge_vision_llm_run_t *run,
    const judge_http_answer_t *answer, judge_vision_llm_e *outcome);
static judge_rc_e judge_vision_llm_score(judge_arena_t *arena, int share,
    const judge_criterion_score_t *verdict, judge_criterion_score_t *score);
static judge_rc_e judge_vision_llm_lines(judge_arena_t *arena,
    judge_str_t **lines,
    size_t *n, const judge_str_t *more, size_t nmore);


bool
judge_vision_llm_init(judge_vision_llm_t *llm,
    const judge_worker_conf_t *conf,
    judge_http_t *client)
{
    memset(llm, 0, sizeof(judge_vision_llm_t));
    llm->conf = conf;
    llm->client = client;

    if (*conf->model_key
        && asprintf(&llm->auth, "Authorization: Bearer %s", conf->model_key)
           < 0)
    {
        llm->auth = NULL;
        return false;
    }

    return true;
}


void
judge_vision_llm_free(judge_vision_llm_t *llm)
{
    free(llm->auth);
}


judge_vision_llm_e
judge_vision_llm_ask(judge_vision_llm_t *llm, judge_arena_t *arena,
    const judge_rubric_t *rubric, const judge_vision_llm_frames_t *frames,
    judge_verdict_t *verdict, judge_str_t *why)
{
    size_t                  i;
    judge_item_t            item = { .text = JUDGE_STR("") };
    judge_vision_llm_e      outcome;
    judge_vision_llm_run_t  run;
    judge_prompt_image_t    images[JUDGE_MEASURE_FRAMES];

    for (i = 0; i < frames->count; i++) {
        images[i].type = JUDGE_STR("image/jpeg");
        images[i].bytes = frames->jpegs[i];
    }

    memset(&run, 0, sizeof(judge_vision_llm_run_t));
    run.llm = llm;
    run.arena = arena;
    run.verdict = verdict;
    run.why = why;
    run.prompt = (judge_prompt_t) {
        .model = judge_str_c(llm->conf->model),
        .unsupported = llm->unsupported,
        .has_temperature = true, .max_tokens = JUDGE_VISION_LLM_TOKENS,
        .has_seed = true, .rubric = rubric, .item = &item,
        .images = images, .nimages = frames->count };

    *why = JUDGE_STR("out of memory");
    outcome = JUDGE_VISION_LLM_DOWN;

    while (judge_vision_llm_attempt(&run, &outcome)) { /* void */ }

    llm->unsupported = run.prompt.unsupported;

    return outcome;
}


/* true: ask again. */

static bool
judge_vision_llm_attempt(judge_vision_llm_run_t *run,
    judge_vision_llm_e *outcome)
{
    bool            again;
    judge_rc_e      rc;
    judge_http_answer_t  answer;

    rc = judge_prompt_build(run->arena, &run->prompt, &run->request);
    if (rc != JUDGE_OK) {
        if (rc == JUDGE_INVALID) {
            *run->why = JUDGE_STR("the judge has too many criteria for it");
            *outcome = JUDGE_VISION_LLM_FAILED;
        }
        return false;
    }

    const judge_http_request_t  request = {
        .method = "POST", .url = run->llm->conf->model_url,
        .type = "application/json", .body = run->request.body,
        .headers = { run->llm->auth },
        .seconds = run->llm->conf->model_seconds, .file = -1 };

    judge_http_send(run->llm->client, &request, &answer);
    again = judge_vision_llm_answered(run, &answer, outcome);
    judge_http_answer_free(&answer);

    return again;
}


static bool
judge_vision_llm_answered(judge_vision_llm_run_t *run,
    const judge_http_answer_t *answer,
    judge_vision_llm_e *outcome)
{
    bool                 again;
    uint32_t             random;
    const judge_retry_t  backoff = { 1000, 30000 };

    run->attempt = answer->attempt;

    if (answer->stopped) {
        *outcome = JUDGE_VISION_LLM_STOPPED;
        return false;
    }

    if (answer->attempt.status == 200) {
        return judge_vision_llm_read(run, answer, outcome);
    }

    again = judge_vision_llm_refused(run, answer, outcome);
    if (!again || *outcome != JUDGE_VISION_LLM_DOWN) {
        return again;
    }

    if (judge_random(&random, sizeof(random)) != JUDGE_OK) {
        random = 0;
    }

    if (!judge_http_pause(run->llm->client,
                          judge_retry_exponential(&backoff,
                                        run->failures, &run->attempt, random)))
    {
        *outcome = JUDGE_VISION_LLM_STOPPED;
        return false;
    }

    return true;
}


/* An unusable answer is returned to the model once, with what is wrong. */

static bool
judge_vision_llm_read(judge_vision_llm_run_t *run,
    const judge_http_answer_t *answer,
    judge_vision_llm_e *outcome)
{
    judge_str_t    body;
    judge_reply_t  reply;

    /* The verdict points into it. */
    body = judge_str_dup(run->arena, judge_buf_view(&answer->body));

    *outcome = JUDGE_VISION_LLM_DOWN;
    if (body.data == NULL
        || judge_reply_read(run->arena, &run->request, body, &reply)
           == JUDGE_NOMEM)
    {
        return false;
    }

    if (reply.outcome == JUDGE_REPLY_OK) {
        *run->verdict = reply.verdict;
        *outcome = JUDGE_VISION_LLM_OK;
        return false;
    }

    *outcome = JUDGE_VISION_LLM_FAILED;
    *run->why = reply.reason;
    run->prompt.refused_answer = reply.start;
    run->prompt.refused_reason = reply.reason;

    return ++run->answers < JUDGE_VISION_LLM_ANSWERS
           && reply.outcome != JUDGE_REPLY_REFUSED;
}


static bool
judge_vision_llm_refused(judge_vision_llm_run_t *run,
    const judge_http_answer_t *answer,
    judge_vision_llm_e *outcome)
{
    judge_provider_error_t  error;

    *outcome = JUDGE_VISION_LLM_DOWN;

    if (answer->attempt.status == 0) {
        *run->why = judge_str_c(answer->why);
        return ++run->failures < JUDGE_VISION_LLM_FAILURES;
    }

    if (judge_provider_error_read(run->arena, answer->attempt.status,
                                  judge_buf_view(&answer->body),
                                  &run->prompt, &error) != JUDGE_OK)
    {
        return false;
    }

    *run->why = judge_str_printf(run->arena, "%d %.*s",
                                 answer->attempt.status,
                                 (int) error.message.len,
                                 error.message.data);

    if (error.kind == JUDGE_PROVIDER_FEATURE) {
        *outcome = JUDGE_VISION_LLM_FAILED;
        run->prompt.unsupported |= error.unsupported;
        return ++run->features < JUDGE_VISION_LLM_FEATURES;
    }

    if (error.transient) {
        return ++run->failures < JUDGE_VISION_LLM_FAILURES;
    }

    *outcome = JUDGE_VISION_LLM_FAILED;

    return false;
}


/* --- Both combined ------------------------------------------------------- */

judge_rc_e
judge_vision_llm_combine(judge_arena_t *arena, const judge_rubric_t *rubric,
    int share, const judge_verdict_t *verdict, judge_verdict_t *v)
{
    size_t  i;
    double  sum, weights;

    for (sum = 0, weights = 0, i = 0; i < rubric->ncriteria; i++) {
        if (judge_vision_llm_score(arena, share, &verdict->scores[i],
                                   &v->scores[i])
            != JUDGE_OK)
        {
            return JUDGE_NOMEM;
        }

        if (!isnan(v->scores[i].score)) {
            sum += rubric->criteria[i].weight * v->scores[i].score;
            weights += rubric->criteria[i].weight;
        }
    }

    v->overall = weights > 0 ? round(100 * sum / weights) / 100 : NAN;
    v->summary = judge_str_printf(arena, "Overall %.4g of 100, out of"
                                  " measurements and of what a model saw in"
                                  " the key frames.%s%.*s", v->overall,
                                  verdict->summary.len ? " " : "",
                                  (int) verdict->summary.len,
                                  verdict->summary.data ? verdict->summary.data
                                                     : "");

    if (v->summary.data == NULL
        || judge_vision_llm_lines(arena, &v->strengths, &v->nstrengths,
                                  verdict->strengths,
                                  verdict->nstrengths) != JUDGE_OK
        || judge_vision_llm_lines(arena, &v->weaknesses, &v->nweaknesses,
                                  verdict->weaknesses,
                                  verdict->nweaknesses) != JUDGE_OK)
    {
        return JUDGE_NOMEM;
    }

    return judge_vision_llm_lines(arena, &v->suggestions, &v->nsuggestions,
                                  verdict->suggestions, verdict->nsuggestions);
}


static judge_rc_e
judge_vision_llm_score(judge_arena_t *arena, int share,
    const judge_criterion_score_t *verdict, judge_criterion_score_t *score)
{
    if (isnan(score->score)) {
        *score = *verdict;
        return JUDGE_OK;
    }

    if (isnan(verdict->score)) {
        return JUDGE_OK;
    }

    score->score = round(share * verdict->score + (100 - share) * score->score)
                   / 100;
    score->feedback = judge_str_printf(arena, "%.*s%s%.*s",
                                       (int) score->feedback.len,
                                       score->feedback.data,
                                       verdict->feedback.len
                                       ? " Seen in the key frames: " : "",
                                       (int) verdict->feedback.len,
                                       verdict->feedback.len
                                       ? verdict->feedback.data : "");

    return score->feedback.data ? JUDGE_OK : JUDGE_NOMEM;
}


static judge_rc_e
judge_vision_llm_lines(judge_arena_t *arena, judge_str_t **lines, size_t *n,
    const judge_str_t *more, size_t nmore)
{
    judge_str_t  *both;

    if (nmore == 0) {
        return JUDGE_OK;
    }

    both = judge_array_alloc(arena, *n + nmore, sizeof(judge_str_t));
    if (both == NULL) {
        return JUDGE_NOMEM;
    }

    if (*n) {
        memcpy(both, *lines, *n * sizeof(judge_str_t));
    }
    memcpy(both + *n, more, nmore * sizeof(judge_str_t));
    *lines = both;
    *n += nmore;

    return JUDGE_OK;
}
