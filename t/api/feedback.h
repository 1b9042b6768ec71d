/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What the tests of feedback share.
 */


#ifndef JUDGE_T_FEEDBACK_H
#define JUDGE_T_FEEDBACK_H


#include "harness.h"


#define COMMENT  "{\"type\":\"comment\",\"content\":{\"comment\":\"Why?\"}}"
#define RATING(r)                                                             \
    "{\"type\":\"rating\",\"content\":{\"rating\":" #r "}}"
#define APPROVAL(yes)                                                         \
    "{\"type\":\"approval\",\"content\":{\"approved\":" #yes "}}"

/* A completed evaluation, and what it was made of. */
typedef struct {
    const char  *judge;
    const char  *content;
    const char  *id;
    const char  *grammar;              /* criteria */
    const char  *spelling;
} t_eval_t;


t_eval_t t_feedback_on(t_api_t *api);
t_call_t *t_say(t_api_t *api, const char *id, const char *body);

/* A batch of evaluations that are there already. */
const char *t_batch(t_api_t *api, const char *const *evaluations, size_t n);

const char *t_format(t_api_t *api, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* SQL behind the service's back; the number that a SELECT gives. */
void t_execute(t_api_t *api, const char *sql);
long long t_number(t_api_t *api, const char *sql);


#endif /* JUDGE_T_FEEDBACK_H */
