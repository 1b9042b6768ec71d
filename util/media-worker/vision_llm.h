/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A language model that is shown the key frames and the criteria, and its
 * scores beside those that were measured.
 */


#ifndef JUDGE_VISION_LLM_H
#define JUDGE_VISION_LLM_H


#include "service_client.h"
#include "worker_conf.h"


typedef struct {
    const judge_worker_conf_t  *conf;
    judge_service_client_t     *client;
    char                       *auth;  /* Authorization: ...; NULL: none */
    unsigned                    lacks; /* what the server was seen to refuse,
                                          JUDGE_LACKS_... */
} judge_vision_llm_t;

typedef enum {
    JUDGE_VISION_LLM_OK,
    JUDGE_VISION_LLM_FAILED,           /* the model won't do it; `why` */
    JUDGE_VISION_LLM_DOWN,             /* it can't be had now; `why` */
    JUDGE_VISION_LLM_STOPPED           /* the client's tick said so */
} judge_vision_llm_e;

/* The frames as JPEGs. */
typedef struct {
    const judge_str_t  *jpegs;
    size_t              count;         /* 1 to JUDGE_MEASURE_FRAMES */
} judge_vision_llm_frames_t;


bool judge_vision_llm_init(judge_vision_llm_t *look,
    const judge_worker_conf_t *conf,
    judge_service_client_t *client);
void judge_vision_llm_free(judge_vision_llm_t *look);

/* Everything in *seen and *why is in `arena`; *why is one sentence without
 * a full stop. */
judge_vision_llm_e judge_vision_llm_ask(judge_vision_llm_t *look,
    judge_arena_t *arena,
    const judge_rubric_t *rubric, const judge_vision_llm_frames_t *frames,
    judge_verdict_t *seen, judge_str_t *why);

/*
 * Both into one, in *measured: a criterion that was measured gets `share`
 * percent of the model's score and the rest of its own, any other the
 * model's; then the weighted mean again.  JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_vision_llm_combine(judge_arena_t *arena,
    const judge_rubric_t *rubric, int share, const judge_verdict_t *seen,
    judge_verdict_t *measured);


#endif /* JUDGE_VISION_LLM_H */
