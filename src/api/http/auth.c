/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Authentication.  A key is looked up by its SHA-256, the only form in which
 * it is stored.  A direct-mapped cache in each worker saves most look-ups. */


#include <stdlib.h>
#include <string.h>

#include "base/crypto/crypto.h"
#include "work/service/metrics.h"
#include "work/service/usage.h"
#include "api/http/request.h"


typedef struct {
    uint8_t     hash[JUDGE_SHA256_LEN];
    judge_id_t  org;
    judge_id_t  key;
    uint64_t    permissions;
    bool        active;
    judge_ms_t  expires_at;
    judge_ms_t  until;                 /* 0: an empty slot */
    uint64_t    changes;               /* counter of keys' changes, taken
                                          before the key was read */
} judge_auth_slot_t;

struct judge_auth {
    size_t             n;
    size_t             used;
    judge_auth_slot_t  slots[];
};

/* The key of a request, and the look-up of it in the store. */
struct judge_auth_find {
    uint8_t           hash[JUDGE_SHA256_LEN];
    uint64_t          changes;         /* as in a slot */
    judge_key_find_t  find;
    judge_step_pt     next;
};


static void judge_auth_found(judge_req_t *r);
static void judge_auth_rechecked(judge_req_t *r);


static const struct {
    const char  *name;
    uint64_t     bit;
} judge_permissions[] = {
    { "judges:read", JUDGE_MAY_READ_JUDGES },
    { "judges:write", JUDGE_MAY_WRITE_JUDGES },
    { "content:read", JUDGE_MAY_READ_CONTENT },
    { "content:write", JUDGE_MAY_WRITE_CONTENT },
    { "evaluations:read", JUDGE_MAY_READ_EVALUATIONS },
    { "evaluations:write", JUDGE_MAY_WRITE_EVALUATIONS },
    { "feedback:read", JUDGE_MAY_READ_FEEDBACK },
    { "feedback:write", JUDGE_MAY_WRITE_FEEDBACK },
    { "training:read", JUDGE_MAY_READ_TRAINING },
    { "training:write", JUDGE_MAY_WRITE_TRAINING },
    { "llm:use", JUDGE_MAY_USE_LLM },
    { "config:read", JUDGE_MAY_READ_CONFIG },
    { "config:write", JUDGE_MAY_WRITE_CONFIG },
    { "keys:read", JUDGE_MAY_READ_KEYS },
    { "keys:write", JUDGE_MAY_WRITE_KEYS },
    { "references:write", JUDGE_MAY_WRITE_REFERENCES },
    { "work:claim", JUDGE_MAY_CLAIM_WORK },
    { "*", JUDGE_MAY_ALL },
};

#define JUDGE_PERMISSIONS                                                     \
    (sizeof(judge_permissions) / sizeof(*judge_permissions))


uint64_t
judge_permission(judge_str_t name)
{
    size_t  i;

    for (i = 0; i < JUDGE_PERMISSIONS; i++) {
        if (judge_str_eq_c(name, judge_permissions[i].name)) {
            return judge_permissions[i].bit;
        }
    }

    return 0;
}


void
judge_permissions_write(judge_json_writer_t *w, uint64_t permissions)
{
    size_t  i;

    judge_json_array(w);

    for (i = 0; i < JUDGE_PERMISSIONS; i++) {
        if (permissions & judge_permissions[i].bit) {
            judge_json_str(w, judge_str_c(judge_permissions[i].name));
        }
    }

    judge_json_array_end(w);
}


const char *
judge_permission_name(uint64_t permission)
{
    size_t  i;

    for (i = 0; i < JUDGE_PERMISSIONS; i++) {
        if (permission & judge_permissions[i].bit) {
            return judge_permissions[i].name;
        }
    }

    return "";
}


size_t
judge_auth_size(size_t keys)
{
    return keys * sizeof(judge_auth_slot_t);
}


judge_auth_t *
judge_auth_create(size_t keys)
{
    judge_auth_t  *auth;

    auth = calloc(1, sizeof(judge_auth_t) + judge_auth_size(keys));
    if (auth) {
        auth->n = keys;
    }

    return auth;
}


void
judge_auth_destroy(judge_auth_t *auth)
{
    free(auth);
}


void
judge_auth_changed(judge_req_t *r, judge_op_t *op)
{
    judge_metrics_add(r->service->metrics, JUDGE_METRIC_KEY_CHANGES, 1);
}


uint64_t
judge_auth_changes(const judge_service_t *service)
{
    return judge_metrics_key_changes(service->metrics);
}


static judge_auth_slot_t *
judge_auth_slot(judge_auth_t *auth, const uint8_t *hash)
{
    uint32_t  place;

    memcpy(&place, hash, sizeof(place));

    return &auth->slots[place % auth->n];
}


static judge_str_t
judge_auth_credential(judge_req_t *r)
{
    judge_str_t  h, scheme;

    if (r->headers[JUDGE_HEADER_X_API_KEY].data) {
        return r->headers[JUDGE_HEADER_X_API_KEY];
    }

    h = r->headers[JUDGE_HEADER_AUTHORIZATION];
    scheme = (judge_str_t) { 7, h.data };

    if (h.data == NULL || h.len < 7
        || !judge_str_caseeq(scheme, JUDGE_STR("Bearer ")))
    {
        return (judge_str_t) { 0, NULL };
    }

    for (h.data += 7, h.len -= 7; h.len && *h.data == ' '; h.len--) {
        h.data++;
    }

    return h;
}


static void
judge_auth_refuse(judge_req_t *r, const char *sentence)
{
    judge_reply_header(r, "WWW-Authenticate",
                       JUDGE_STR("Bearer realm=\"judge\""));
    judge_fail(r, 401, "%s", sentence);
}


static void
judge_auth_enter(judge_req_t *r, const judge_auth_slot_t *slot,
    judge_step_pt next)
{
    if (!slot->active) {
        judge_auth_refuse(r, "the API key is suspended");
        return;
    }

    if (slot->expires_at && slot->expires_at <= judge_now(r->service)) {
        judge_auth_refuse(r, "the API key has expired");
        return;
    }

    r->permissions = slot->permissions;
    r->expires_at = slot->expires_at;

    if (r->key_id.data) {              /* the same key as before */
        next(r);
        return;
    }

    /* Copies, because another key may replace this one in the slot. */
    r->org = judge_str_dup(r->arena, judge_id_str(&slot->org));
    r->key_id = judge_str_dup(r->arena, judge_id_str(&slot->key));
    if (r->org.data == NULL || r->key_id.data == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    next(r);
}


static void
judge_auth_look_up(judge_req_t *r, judge_step_pt next)
{
    judge_str_t         hash;
    judge_auth_find_t  *auth = r->auth;
    judge_auth_slot_t  *slot;

    hash = (judge_str_t) { sizeof(auth->hash), (char *) auth->hash };
    auth->changes = judge_auth_changes(r->service);

    slot = judge_auth_slot(r->service->auth, auth->hash);
    if (slot->changes == auth->changes
        && slot->until > judge_now(r->service)
        && judge_secret_eq(hash, (judge_str_t) { sizeof(slot->hash),
                                                 (char *) slot->hash }))
    {
        judge_auth_enter(r, slot, next);
        return;
    }

    auth->next = next;
    auth->find.op.kind = JUDGE_OP_KEY_FIND;
    auth->find.hash = hash;
    judge_await(r, &auth->find.op, judge_auth_found);
}


void
judge_authenticate(judge_req_t *r, judge_step_pt next)
{
    judge_str_t  key;

    key = judge_auth_credential(r);

    if (key.data == NULL) {
        judge_auth_refuse(r, "an API key is required in X-API-Key or as"
                             " Authorization: Bearer");
        return;
    }

    /* The checksum finds a typo without asking the store. */
    if (!judge_api_key_wellformed(key)) {
        judge_auth_refuse(r, "the API key is not valid");
        return;
    }

    r->auth = judge_calloc(r->arena, sizeof(judge_auth_find_t));
    if (r->auth == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    if (judge_sha256(key, r->auth->hash) != JUDGE_OK) {
        judge_fail_rc(r, JUDGE_ERROR);
        return;
    }

    judge_auth_look_up(r, next);
}


void
judge_auth_recheck(judge_req_t *r, judge_step_pt next)
{
    if (r->auth == NULL
        || (r->auth->changes == judge_auth_changes(r->service)
            && (r->expires_at == 0 || r->expires_at > judge_now(r->service))))
    {
        next(r);
        return;
    }

    r->rechecked = next;
    judge_auth_look_up(r, judge_auth_rechecked);
}


static bool
judge_auth_allowed(judge_req_t *r)
{
    uint64_t  needed;

    needed = r->route->permission;
    if (needed && !(r->permissions & (needed | JUDGE_MAY_ALL))) {
        judge_fail(r, 403, "the API key lacks the permission %s",
                   judge_permission_name(needed));
        return false;
    }

    return true;
}


static void
judge_auth_rechecked(judge_req_t *r)
{
    if (judge_auth_allowed(r)) {
        r->rechecked(r);
    }
}


static void
judge_auth_found(judge_req_t *r)
{
    judge_key_row_t    *row;
    judge_auth_find_t  *auth = r->auth;
    judge_auth_slot_t  *slot;
    judge_auth_t       *keys = r->service->auth;

    row = &auth->find.row;

    if (auth->find.op.rc != JUDGE_OK) {
        judge_auth_refuse(r, "the API key is not valid");
        return;
    }

    slot = judge_auth_slot(keys, auth->hash);
    keys->used += slot->until == 0;
    judge_metrics_cache(r->service, JUDGE_CACHE_KEYS, keys->used,
                        judge_auth_size(keys->used));
    memcpy(slot->hash, auth->hash, sizeof(slot->hash));
    judge_id_set(&slot->org, row->org);
    judge_id_set(&slot->key, row->id);
    slot->permissions = row->permissions;
    slot->active = judge_str_eq_c(row->status, "active");
    slot->expires_at = row->expires_at;
    slot->until = judge_now(r->service) + JUDGE_AUTH_TTL;
    slot->changes = auth->changes;

    judge_auth_enter(r, slot, auth->next);
}


judge_ms_t
judge_auth_until(const judge_req_t *r, judge_ms_t until)
{
    return r->expires_at && r->expires_at < until ? r->expires_at : until;
}


bool
judge_auth_permits(judge_req_t *r)
{
    if (!judge_auth_allowed(r)) {
        return false;
    }

    judge_usage_add(r->service->usage, r->org, r->key_id, 1, 0,
                    judge_now(r->service));

    return true;
}
