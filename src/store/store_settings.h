/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Operations on what an organization has set; part of store.h.
 */


#ifndef JUDGE_STORE_SETTINGS_H
#define JUDGE_STORE_SETTINGS_H


#include "base/json/fields.h"
#include "store/store.h"


/* What is not set is absent, or has set == false. */

typedef struct {
    judge_str_t      default_model;
    judge_integer_t  max_tokens;
    judge_number_t   temperature;
    judge_integer_t  requests_per_minute;    /* 0: no limit */
    judge_integer_t  tokens_per_minute;      /* 0: no limit */
    judge_str_t      fallback_models;        /* JSON array */
    judge_ms_t       updated_at;             /* 0: never */
} judge_llm_settings_t;

typedef struct {
    judge_str_t      url;
    judge_str_t      events;                 /* JSON array; in, "null" is
                                                the default set */
    judge_str_t      base_url;               /* of the service, as they were
                                                set; in only */
    judge_boolean_t  enabled;
    judge_ms_t       updated_at;             /* 0: never */
    judge_str_t      secret;
} judge_webhook_settings_t;

/* What the active version of a judge wants; model absent: nothing. */
typedef struct {
    judge_str_t  judge_id;             /* in */
    judge_str_t  model;
    int64_t      samples;              /* 0: unsaid */
} judge_judge_model_t;

/* JUDGE_NOT_FOUND: there is no such organization. */
typedef struct {
    judge_op_t                op;
    judge_llm_settings_t      llm;     /* out */
    judge_webhook_settings_t  webhooks;
    judge_judge_model_t      *judges;  /* may be absent */
    size_t                    njudges;
} judge_settings_find_t;

/* Sets what is given and leaves the rest; in, and out as it is then. */

typedef struct {
    judge_op_t            op;
    judge_llm_settings_t  llm;         /* updated_at: now */
} judge_settings_llm_t;

/* JUDGE_CONFLICT: they would be enabled without an address. */
typedef struct {
    judge_op_t                op;
    judge_webhook_settings_t  webhooks;      /* updated_at: now */
} judge_settings_webhooks_t;

/* A new secret; the one so far becomes a former one.  JUDGE_NOT_FOUND: there
 * is no such organization; JUDGE_CONFLICT: JUDGE_FORMER_SECRETS are still
 * valid. */
typedef struct {
    judge_op_t   op;
    judge_str_t  secret;
    judge_ms_t   now;
    judge_ms_t   previous_until;
} judge_settings_rotate_t;


#endif /* JUDGE_STORE_SETTINGS_H */
