/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What an organization has set. */


#include "store/ops/store_event_parts.h"
#include "store/store_settings.h"


static void judge_settings_bind_integer(judge_run_t *run, int i,
    judge_integer_t v);
static judge_integer_t judge_settings_integer(judge_run_t *run, int i);


#define JUDGE_SETTINGS_LLM                                                    \
    "default_model, max_tokens, temperature, requests_per_minute,"            \
    " tokens_per_minute, fallback_models, llm_updated_at"

#define JUDGE_SETTINGS_WEBHOOKS                                               \
    "webhook_url, webhook_events, webhook_enabled, webhooks_updated_at,"      \
    " previous_secret, previous_until"


static void
judge_settings_read_llm(judge_run_t *run, int i, judge_llm_settings_t *llm)
{
    llm->default_model = judge_column_str(run, i);
    llm->max_tokens = judge_settings_integer(run, i + 1);
    llm->temperature = (judge_number_t) { judge_column_double(run, i + 2),
                                          !judge_column_null(run, i + 2) };
    llm->requests_per_minute = judge_settings_integer(run, i + 3);
    llm->tokens_per_minute = judge_settings_integer(run, i + 4);
    llm->fallback_models = judge_column_str(run, i + 5);
    llm->updated_at = judge_column_int(run, i + 6);
}


static void
judge_settings_read_webhooks(judge_run_t *run, int i,
    judge_webhook_settings_t *webhooks)
{
    webhooks->url = judge_column_str(run, i);
    webhooks->events = judge_column_str(run, i + 1);
    webhooks->enabled = (judge_boolean_t) { judge_column_int(run, i + 2),
                                            !judge_column_null(run, i + 2) };
    webhooks->updated_at = judge_column_int(run, i + 3);
    webhooks->previous_secret = judge_column_str(run, i + 4);
    webhooks->previous_until = judge_column_int(run, i + 5);
}


/* --- Reading ------------------------------------------------------------- */

static judge_step_e
judge_settings_find_bind(judge_run_t *run)
{
    judge_settings_find_t  *o = (judge_settings_find_t *) run->op;

    if (run->st == NULL || (run->step == 1 && run->turn == o->nwishes)) {
        o->op.rc = o->found ? JUDGE_OK : JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);

    if (run->step == 0) {
        return JUDGE_STEP_RUN;
    }

    judge_bind_str(run, 2, o->wishes[run->turn].judge_id);

    return JUDGE_STEP_REPEAT;
}


static judge_rc_e
judge_settings_find_read(judge_run_t *run)
{
    judge_settings_find_t  *o = (judge_settings_find_t *) run->op;

    if (run->step == 1) {
        o->wishes[run->turn].model = judge_column_str(run, 0);
        o->wishes[run->turn].samples = judge_column_int(run, 1);
        return JUDGE_OK;
    }

    o->found = true;
    o->webhooks.secret = judge_column_str(run, 0);
    judge_settings_read_llm(run, 1, &o->llm);
    judge_settings_read_webhooks(run, 8, &o->webhooks);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_settings_find = {
    .name = "settings_find",
    .place = JUDGE_OP_INLINE,
    .sql = { "SELECT webhook_secret, " JUDGE_SETTINGS_LLM ", "
             JUDGE_SETTINGS_WEBHOOKS " FROM organizations"
             " LEFT JOIN org_settings ON org = id WHERE id = ?1",
             "SELECT v.model, v.samples FROM judges j JOIN judge_versions v"
             " ON v.org = j.org AND v.judge_id = j.id"
             " AND v.version = j.version"
             " WHERE j.org = ?1 AND j.id = ?2 AND j.deleted_at IS NULL" },
    .bind = judge_settings_find_bind,
    .read = judge_settings_find_read
};


/* --- Language models ----------------------------------------------------- */

static judge_step_e
judge_settings_llm_bind(judge_run_t *run)
{
    judge_llm_settings_t  *llm = &((judge_settings_llm_t *) run->op)->llm;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, run->op->org);
    judge_bind_str(run, 2, llm->default_model);
    judge_settings_bind_integer(run, 3, llm->max_tokens);
    judge_bind_double(run, 4, llm->temperature.value, llm->temperature.set);
    judge_settings_bind_integer(run, 5, llm->requests_per_minute);
    judge_settings_bind_integer(run, 6, llm->tokens_per_minute);
    judge_bind_str(run, 7, llm->fallback_models);
    judge_bind_int(run, 8, llm->updated_at);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_settings_llm_read(judge_run_t *run)
{
    judge_settings_read_llm(run, 0, &((judge_settings_llm_t *) run->op)->llm);

    return JUDGE_OK;
}


#define judge_settings_keep(column)                                           \
    " " #column " = COALESCE(excluded." #column ", org_settings." #column ")"

const judge_op_spec_t  judge_op_settings_llm = {
    .name = "settings_llm",
    .place = JUDGE_OP_WRITE,
    .sql = { "INSERT INTO org_settings (org, " JUDGE_SETTINGS_LLM ")"
             " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
             " ON CONFLICT (org) DO UPDATE SET"
             judge_settings_keep(default_model) ","
             judge_settings_keep(max_tokens) ","
             judge_settings_keep(temperature) ","
             judge_settings_keep(requests_per_minute) ","
             judge_settings_keep(tokens_per_minute) ","
             judge_settings_keep(fallback_models) ","
             judge_settings_keep(llm_updated_at)
             " RETURNING " JUDGE_SETTINGS_LLM },
    .bind = judge_settings_llm_bind,
    .read = judge_settings_llm_read
};


/* --- Webhooks ------------------------------------------------------------ */

/* What would be enabled without an address is undone with the savepoint. */

static judge_step_e
judge_settings_webhooks_bind(judge_run_t *run)
{
    judge_webhook_settings_t  *w;

    w = &((judge_settings_webhooks_t *) run->op)->webhooks;

    if (run->st == NULL) {
        if (w->url.data == NULL && w->enabled.set && w->enabled.value) {
            run->op->rc = JUDGE_CONFLICT;
        }
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, run->op->org);

    if (run->step == 1) {
        judge_bind_int(run, 2, w->updated_at);
        return JUDGE_STEP_RUN;
    }

    judge_bind_str(run, 2, w->url);
    judge_bind_str(run, 3, w->events);
    judge_settings_bind_integer(run, 4, (judge_integer_t) { w->enabled.value,
                                                            w->enabled.set });
    judge_bind_int(run, 5, w->updated_at);
    judge_bind_str(run, 6, w->base_url);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_settings_webhooks_read(judge_run_t *run)
{
    judge_settings_read_webhooks(run, 0,
        &((judge_settings_webhooks_t *) run->op)->webhooks);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_settings_webhooks = {
    .name = "settings_webhooks",
    .place = JUDGE_OP_WRITE,
    .sql = { "INSERT INTO org_settings (org, webhook_url, webhook_events,"
             " webhook_enabled, webhooks_updated_at, base_url)"
             " VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (org) DO UPDATE SET"
             judge_settings_keep(webhook_url) ","
             judge_settings_keep(webhook_events) ","
             judge_settings_keep(webhook_enabled) ","
             judge_settings_keep(webhooks_updated_at) ","
             judge_settings_keep(base_url)
             " RETURNING " JUDGE_SETTINGS_WEBHOOKS,
             JUDGE_ENDPOINT_FORGIVEN },
    .bind = judge_settings_webhooks_bind,
    .read = judge_settings_webhooks_read
};


static judge_step_e
judge_settings_rotate_bind(judge_run_t *run)
{
    judge_settings_rotate_t  *o = (judge_settings_rotate_t *) run->op;

    if (run->st == NULL) {
        o->op.rc = run->changes ? JUDGE_OK : JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);

    if (run->step == 0) {
        judge_bind_int(run, 2, o->previous_until);
    } else {
        judge_bind_str(run, 2, o->secret);
    }

    return JUDGE_STEP_RUN;
}


const judge_op_spec_t  judge_op_settings_rotate = {
    .name = "settings_rotate",
    .place = JUDGE_OP_WRITE,
    .sql = { "INSERT INTO org_settings (org, previous_secret, previous_until)"
             " SELECT id, webhook_secret, ?2 FROM organizations WHERE id = ?1"
             " ON CONFLICT (org) DO UPDATE SET"
             " previous_secret = excluded.previous_secret,"
             " previous_until = excluded.previous_until",
             "UPDATE organizations SET webhook_secret = ?2 WHERE id = ?1" },
    .bind = judge_settings_rotate_bind
};


static void
judge_settings_bind_integer(judge_run_t *run, int i, judge_integer_t v)
{
    if (v.set) {
        judge_bind_int(run, i, v.value);
    } else {
        judge_bind_str(run, i, (judge_str_t) { 0, NULL });
    }
}


static judge_integer_t
judge_settings_integer(judge_run_t *run, int i)
{
    return (judge_integer_t) { judge_column_int(run, i),
                               !judge_column_null(run, i) };
}
