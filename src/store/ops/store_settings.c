/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What an organization has set. */


#include "store/ops/store_event_parts.h"
#include "store/store_settings.h"


#define JUDGE_SETTINGS_LLM                                                    \
    "default_model, max_tokens, temperature, requests_per_minute,"            \
    " tokens_per_minute, fallback_models, llm_updated_at"

#define JUDGE_SETTINGS_WEBHOOKS                                               \
    "webhook_url, webhook_events, webhook_enabled, webhooks_updated_at,"      \
    " previous_secret, previous_until"


/* --- Reading ------------------------------------------------------------- */

#undef JUDGE_OF
#define JUDGE_OF  judge_settings_find_t
#undef JUDGE_ROW
#define JUDGE_ROW  judge_wish_t

const judge_op_spec_t  judge_op_settings_find = {
    .name = "settings_find",
    .place = JUDGE_OP_INLINE,
    .statements = {
        { "SELECT webhook_secret, " JUDGE_SETTINGS_LLM ", "
          JUDGE_SETTINGS_WEBHOOKS " FROM organizations"
          " LEFT JOIN org_settings ON org = id WHERE id = ?1",
          .in = JUDGE_VALUES(JUDGE_V(op.org)),
          .out = JUDGE_VALUES(JUDGE_V(webhooks.secret),
              JUDGE_V(llm.default_model), JUDGE_V(llm.max_tokens),
              JUDGE_V(llm.temperature), JUDGE_V(llm.requests_per_minute),
              JUDGE_V(llm.tokens_per_minute), JUDGE_V(llm.fallback_models),
              JUDGE_V(llm.updated_at), JUDGE_V(webhooks.url),
              JUDGE_V(webhooks.events), JUDGE_V(webhooks.enabled),
              JUDGE_V(webhooks.updated_at),
              JUDGE_V(webhooks.previous_secret),
              JUDGE_V(webhooks.previous_until)),
          .unless_rows = JUDGE_NOT_FOUND },
        { "SELECT v.model, v.samples FROM judges j JOIN judge_versions v"
          " ON v.org = j.org AND v.judge_id = j.id"
          " AND v.version = j.version"
          " WHERE j.org = ?1 AND j.id = ?2 AND j.deleted_at IS NULL",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_R(judge_id)),
          .out = JUDGE_VALUES(JUDGE_R(model), JUDGE_R(samples)),
          .each = JUDGE_ROWS(judge_settings_find_t, wishes, nwishes) }
    }
};


/* --- Language models ----------------------------------------------------- */

#undef JUDGE_OF
#define JUDGE_OF  judge_settings_llm_t

#define judge_settings_keep(column)                                           \
    " " #column " = COALESCE(excluded." #column ", org_settings." #column ")"

const judge_op_spec_t  judge_op_settings_llm = {
    .name = "settings_llm",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "INSERT INTO org_settings (org, " JUDGE_SETTINGS_LLM ")"
          " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
          " ON CONFLICT (org) DO UPDATE SET"
          judge_settings_keep(default_model) ","
          judge_settings_keep(max_tokens) ","
          judge_settings_keep(temperature) ","
          judge_settings_keep(requests_per_minute) ","
          judge_settings_keep(tokens_per_minute) ","
          judge_settings_keep(fallback_models) ","
          judge_settings_keep(llm_updated_at)
          " RETURNING " JUDGE_SETTINGS_LLM,
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(llm.default_model),
              JUDGE_V(llm.max_tokens), JUDGE_V(llm.temperature),
              JUDGE_V(llm.requests_per_minute),
              JUDGE_V(llm.tokens_per_minute), JUDGE_V(llm.fallback_models),
              JUDGE_V(llm.updated_at)),
          .out = JUDGE_VALUES(JUDGE_V(llm.default_model),
              JUDGE_V(llm.max_tokens), JUDGE_V(llm.temperature),
              JUDGE_V(llm.requests_per_minute),
              JUDGE_V(llm.tokens_per_minute), JUDGE_V(llm.fallback_models),
              JUDGE_V(llm.updated_at)) }
    }
};


/* --- Webhooks ------------------------------------------------------------ */

#undef JUDGE_OF
#define JUDGE_OF  judge_settings_webhooks_t

/* What would be enabled without an address is undone with the savepoint. */

static judge_step_e
judge_settings_webhooks_step(judge_run_t *run)
{
    judge_webhook_settings_t  *w;

    w = &((judge_settings_webhooks_t *) run->op)->webhooks;

    if (run->st == NULL && w->url.data == NULL && w->enabled.set
        && w->enabled.value)
    {
        run->op->rc = JUDGE_CONFLICT;
    }

    return judge_run_next(run);
}


const judge_op_spec_t  judge_op_settings_webhooks = {
    .name = "settings_webhooks",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "INSERT INTO org_settings (org, webhook_url, webhook_events,"
          " webhook_enabled, webhooks_updated_at, base_url)"
          " VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (org) DO UPDATE SET"
          judge_settings_keep(webhook_url) ","
          judge_settings_keep(webhook_events) ","
          judge_settings_keep(webhook_enabled) ","
          judge_settings_keep(webhooks_updated_at) ","
          judge_settings_keep(base_url)
          " RETURNING " JUDGE_SETTINGS_WEBHOOKS,
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(webhooks.url),
              JUDGE_V(webhooks.events), JUDGE_V(webhooks.enabled),
              JUDGE_V(webhooks.updated_at), JUDGE_V(webhooks.base_url)),
          .out = JUDGE_VALUES(JUDGE_V(webhooks.url),
              JUDGE_V(webhooks.events), JUDGE_V(webhooks.enabled),
              JUDGE_V(webhooks.updated_at),
              JUDGE_V(webhooks.previous_secret),
              JUDGE_V(webhooks.previous_until)) },
        { JUDGE_ENDPOINT_FORGIVEN,
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(webhooks.updated_at)) }
    },
    .step = judge_settings_webhooks_step
};


#undef JUDGE_OF
#define JUDGE_OF  judge_settings_rotate_t

const judge_op_spec_t  judge_op_settings_rotate = {
    .name = "settings_rotate",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "INSERT INTO org_settings (org, previous_secret, previous_until)"
          " SELECT id, webhook_secret, ?2 FROM organizations WHERE id = ?1"
          " ON CONFLICT (org) DO UPDATE SET"
          " previous_secret = excluded.previous_secret,"
          " previous_until = excluded.previous_until",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(previous_until)) },
        { "UPDATE organizations SET webhook_secret = ?2 WHERE id = ?1",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(secret)),
          .unless_changed = JUDGE_NOT_FOUND }
    }
};
