/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A key is looked up by its SHA-256, which is all that the store has of it.
 * A direct-mapped cache in each worker spares most requests the look-up.
 */


#include <stdlib.h>
#include <string.h>

#include "base/crypto/crypto.h"
#include "work/service/usage.h"
#include "api/http/request.h"


#define JUDGE_AUTH_SLOTS  1024

typedef struct {
    uint8_t     hash[JUDGE_SHA256_LEN];
    judge_id_t  org;
    judge_id_t  key;
    uint64_t    permissions;
    bool        active;
    judge_ms_t  expires_at;
    judge_ms_t  until;                 /* 0: an empty slot */
} judge_auth_slot_t;

struct judge_auth {
    judge_auth_slot_t  slots[JUDGE_AUTH_SLOTS];
};

/* A look-up of a key in the store. */
typedef struct {
    judge_key_find_t  find;
    uint8_t           hash[JUDGE_SHA256_LEN];
    judge_step_pt     next;
} judge_auth_find_t;


static judge_str_t judge_auth_credential(judge_req_t *r);
static void judge_auth_found(judge_req_t *r);
static void judge_auth_enter(judge_req_t *r, const judge_auth_slot_t *slot,
    judge_step_pt next);
static void judge_auth_refuse(judge_req_t *r, const char *sentence);


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


judge_auth_t *
judge_auth_create(void)
{
    return calloc(1, sizeof(judge_auth_t));
}


void
judge_auth_destroy(judge_auth_t *auth)
{
    free(auth);
}


void
judge_auth_forget(judge_auth_t *auth)
{
    memset(auth, 0, sizeof(judge_auth_t));
}


static judge_auth_slot_t *
judge_auth_slot(judge_auth_t *auth, const uint8_t *hash)
{
    return &auth->slots[(hash[0] | hash[1] << 8) % JUDGE_AUTH_SLOTS];
}


void
judge_authenticate(judge_req_t *r, judge_step_pt next)
{
    uint8_t             hash[JUDGE_SHA256_LEN];
    judge_str_t         key;
    judge_auth_find_t  *find;
    judge_auth_slot_t  *slot;

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

    if (judge_sha256(key, hash) != JUDGE_OK) {
        judge_fail_rc(r, JUDGE_ERROR);
        return;
    }

    slot = judge_auth_slot(r->service->auth, hash);
    if (slot->until > judge_now(r->service)
        && judge_secret_eq((judge_str_t) { sizeof(hash), (char *) hash },
               (judge_str_t) { sizeof(hash), (char *) slot->hash }))
    {
        judge_auth_enter(r, slot, next);
        return;
    }

    find = judge_calloc(r->arena, sizeof(judge_auth_find_t));
    if (find == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    memcpy(find->hash, hash, sizeof(hash));
    find->next = next;
    find->find.op.kind = JUDGE_OP_KEY_FIND;
    find->find.hash = (judge_str_t) { sizeof(hash), (char *) find->hash };
    r->ctx = find;
    judge_await(r, &find->find.op, judge_auth_found);
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
judge_auth_found(judge_req_t *r)
{
    judge_key_row_t    *row;
    judge_auth_find_t  *find;
    judge_auth_slot_t  *slot;

    find = r->ctx;
    row = &find->find.row;
    r->ctx = NULL;

    if (find->find.op.rc != JUDGE_OK) {
        judge_auth_refuse(r, "the API key is not valid");
        return;
    }

    slot = judge_auth_slot(r->service->auth, find->hash);
    memcpy(slot->hash, find->hash, sizeof(slot->hash));
    judge_id_set(&slot->org, row->org);
    judge_id_set(&slot->key, row->id);
    slot->permissions = row->permissions;
    slot->active = judge_str_eq_c(row->status, "active");
    slot->expires_at = row->expires_at;
    slot->until = judge_now(r->service) + JUDGE_AUTH_TTL;

    judge_auth_enter(r, slot, find->next);
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

    /* The slot may be taken by another key while this request goes on. */
    r->org = judge_str_dup(r->arena, judge_id_str(&slot->org));
    r->key_id = judge_str_dup(r->arena, judge_id_str(&slot->key));
    r->permissions = slot->permissions;
    if (r->org.data == NULL || r->key_id.data == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    next(r);
}


bool
judge_auth_permits(judge_req_t *r)
{
    uint64_t  needed;

    needed = r->route->permission;
    if (needed && !(r->permissions & (needed | JUDGE_MAY_ALL))) {
        judge_fail(r, 403, "the API key lacks the permission %s",
                   judge_permission_name(needed));
        return false;
    }

    judge_usage_add(r->service->usage, r->org, r->key_id, 1, 0,
                    judge_now(r->service));

    return true;
}


static void
judge_auth_refuse(judge_req_t *r, const char *sentence)
{
    judge_reply_header(r, "WWW-Authenticate",
                       JUDGE_STR("Bearer realm=\"judge\""));
    judge_fail(r, 401, "%s", sentence);
}
