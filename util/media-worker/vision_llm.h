/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A language model that judges the key frames by the criteria, and its scores
 * combined with those that were measured.
 */


#ifndef JUDGE_VISION_LLM_H
#define JUDGE_VISION_LLM_H


#include "http.h"
#include "worker_conf.h"


typedef struct {
    const judge_worker_conf_t  *conf;
    judge_http_t     *client;
    char                       *auth;  /* Authorization: ...; NULL: none */
    unsigned                    unsupported; /* by the server: JUDGE_NO_... */
} judge_vision_llm_t;

typedef enum {
    JUDGE_VISION_LLM_OK,
    JUDGE_VISION_LLM_FAILED,           /* for good; `why` */
    JUDGE_VISION_LLM_DOWN,             /* try again later; `why` */
    JUDGE_VISION_LLM_STOPPED           /* by the tick */
} judge_vision_llm_e;

/* The frames as JPEGs. */
typedef struct {
    const judge_str_t  *jpegs;
    size_t              count;         /* 1 to JUDGE_MEASURE_FRAMES */
} judge_vision_llm_frames_t;


bool judge_vision_llm_init(judge_vision_llm_t *llm,
    const judge_worker_conf_t *conf,
    judge_http_t *client);
void judge_vision_llm_free(judge_vision_llm_t *llm);

/* Everything in *verdict and *why is in `arena`; *why is one sentence without
 * a full stop. */
judge_vision_llm_e judge_vision_llm_ask(judge_vision_llm_t *llm,
    judge_arena_t *arena,
    const judge_rubric_t *rubric, const judge_vision_llm_frames_t *frames,
    judge_verdict_t *verdict, judge_str_t *why);

/*
 * Both into one, in *measured: a criterion that was measured gets `share`
 * percent of the model's score and the rest of its own, any other the
 * model's; then the weighted mean again.  JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_vision_llm_combine(judge_arena_t *arena,
    const judge_rubric_t *rubric, int share, const judge_verdict_t *verdict,
    judge_verdict_t *measured);


#endif /* JUDGE_VISION_LLM_H */
