/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Operations on the settings of an organization; part of store.h. */


#ifndef JUDGE_STORE_SETTINGS_H
#define JUDGE_STORE_SETTINGS_H


#include "store/store.h"


/* Members that are not set are absent, or have set == false. */

typedef struct {
    judge_str_t      default_model;
    judge_integer_t  max_tokens;
    judge_number_t   temperature;
    judge_integer_t  requests_per_minute;    /* 0: no limit */
    judge_integer_t  tokens_per_minute;      /* 0: no limit */
    judge_str_t      fallback_models;        /* JSON array */
    judge_str_t      prices;                 /* JSON object of numbers */
    judge_ms_t       updated_at;             /* 0: never */
} judge_llm_settings_t;

typedef struct {
    judge_str_t      url;                    /* in: "" clears it */
    judge_str_t      events;                 /* JSON array; in: "null" resets
                                                it to the default */
    judge_str_t      base_url;               /* in: the service's, with which
                                                links in deliveries begin */
    judge_boolean_t  enabled;
    judge_ms_t       updated_at;             /* 0: never */
    judge_str_t      secret;
} judge_webhook_settings_t;

/* JUDGE_NOT_FOUND: there is no such organization. */
typedef struct {
    judge_op_t                op;
    judge_llm_settings_t      llm;     /* out */
    judge_webhook_settings_t  webhooks;
    judge_judge_model_t      *judges;  /* may be NULL */
    size_t                    njudges;
} judge_settings_find_t;

/* Evaluations that are made due at once, so that the write ends soon.  Those
 * behind them are due within minutes (judge_budget_plan()). */
#define JUDGE_SETTINGS_WAITING  10000

/* Changes the given members; out: all of them.  Evaluations that wait for the
 * budget become due, because it may have room now. */

typedef struct {
    judge_op_t            op;
    judge_llm_settings_t  llm;         /* updated_at: now */
} judge_settings_llm_t;

/* JUDGE_CONFLICT: webhooks would be enabled without an address. */
typedef struct {
    judge_op_t                op;
    judge_webhook_settings_t  webhooks;      /* updated_at: now */
} judge_settings_webhooks_t;

/* Sets a new secret; the current one becomes a former one.  JUDGE_NOT_FOUND:
 * there is no such organization; JUDGE_CONFLICT: JUDGE_FORMER_SECRETS former
 * ones are still valid. */
typedef struct {
    judge_op_t   op;
    judge_str_t  secret;
    judge_ms_t   now;
    judge_ms_t   previous_until;
} judge_settings_rotate_t;


#endif /* JUDGE_STORE_SETTINGS_H */
