/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Authentication.  A key is looked up by its SHA-256, the only form in which
 * it is stored; a login by its organization and name.  A direct-mapped cache
 * in each worker, of both by a SHA-256, saves most look-ups. */


#include <stdlib.h>
#include <string.h>

#include "base/crypto/crypto.h"
#include "store/store_people.h"
#include "work/service/metrics.h"
#include "work/service/usage.h"
#include "api/http/request.h"


typedef struct {
    uint8_t     hash[JUDGE_SHA256_LEN];
    judge_id_t  org;
    judge_id_t  key;
    judge_id_t  person;                /* empty: nobody's */
    char        role[16];
    uint64_t    permissions;           /* within those of the role */
    bool        active;
    judge_ms_t  expires_at;
    judge_ms_t  until;                 /* 0: an empty slot */
    uint64_t    changes;               /* counter of changes of keys, before
                                          the key was read */
} judge_auth_slot_t;

struct judge_auth {
    size_t             n;
    size_t             used;
    judge_auth_slot_t  slots[];
};

/* The key and the login of a request, and their look-ups in the store. */
struct judge_auth_find {
    bool                keyed;         /* there is a key */
    uint8_t             hash[JUDGE_SHA256_LEN];  /* of the key */
    uint8_t             login_hash[JUDGE_SHA256_LEN];
    uint64_t            changes;       /* as in a slot */
    judge_key_find_t    find;
    judge_login_find_t  login;
    judge_step_pt       next;
};


static void judge_auth_enter(judge_req_t *r, const judge_auth_slot_t *slot);


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


static judge_auth_slot_t *
judge_auth_slot(judge_auth_t *auth, const uint8_t *hash)
{
    uint32_t  place;

    memcpy(&place, hash, sizeof(place));

    return &auth->slots[place % auth->n];
}


/* NULL: the store must be read. */

static judge_auth_slot_t *
judge_auth_cached(judge_req_t *r, const uint8_t *hash)
{
    judge_auth_slot_t  *slot;

    slot = judge_auth_slot(r->service->auth, hash);

    return slot->changes == r->auth->changes
           && slot->until > judge_now(r->service)
           && judge_secret_eq((judge_str_t) { JUDGE_SHA256_LEN,
                                              (const char *) hash },
                              (judge_str_t) { sizeof(slot->hash),
                                              (char *) slot->hash })
           ? slot : NULL;
}


static judge_auth_slot_t *
judge_auth_keep(judge_req_t *r, const uint8_t *hash,
    const judge_key_row_t *row)
{
    uint64_t            role;
    judge_auth_t       *keys = r->service->auth;
    judge_auth_slot_t  *slot;

    slot = judge_auth_slot(keys, hash);
    keys->used += slot->until == 0;
    judge_metrics_set_cache(r->service, JUDGE_CACHE_KEYS, keys->used,
                            judge_auth_size(keys->used));
    memset(slot, 0, sizeof(judge_auth_slot_t));
    memcpy(slot->hash, hash, sizeof(slot->hash));
    judge_id_set(&slot->org, row->org);
    judge_id_set(&slot->key, row->id);
    judge_id_set(&slot->person, row->person);
    slot->permissions = row->permissions;

    if (row->person.data) {
        role = judge_role_permissions(row->role);
        slot->permissions = role & JUDGE_MAY_ALL ? row->permissions
                            : row->permissions & JUDGE_MAY_ALL ? role
                            : role & row->permissions;
        memcpy(slot->role, row->role.data,
               row->role.len < sizeof(slot->role) ? row->role.len
                                                  : sizeof(slot->role) - 1);
    }

    slot->active = judge_str_eq_c(row->status, "active");
    slot->expires_at = row->expires_at;
    slot->until = judge_now(r->service) + JUDGE_AUTH_TTL;
    slot->changes = r->auth->changes;

    return slot;
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


/* Copies person and role, because the slot may be reused; false: no memory. */

static bool
judge_auth_set_person(judge_req_t *r, const judge_auth_slot_t *slot)
{
    r->person = judge_id_str(&slot->person);
    r->role = (judge_str_t) { 0, NULL };

    if (r->person.len == 0) {
        r->person.data = NULL;
        return true;
    }

    r->person = judge_str_dup(r->arena, r->person);
    r->role = judge_str_dup(r->arena, judge_str_c(slot->role));

    return r->person.data && r->role.data;
}


/* With a login, too, the request has the permissions that both have. */

static void
judge_auth_join(judge_req_t *r, const judge_auth_slot_t *slot)
{
    if (r->person.data
        && !judge_str_eq(r->person, judge_id_str(&slot->person)))
    {
        judge_fail(r, 403, "the API key belongs to somebody else than is"
                           " logged in");
        return;
    }

    r->permissions = slot->permissions & JUDGE_MAY_ALL ? r->permissions
                     : r->permissions & JUDGE_MAY_ALL ? slot->permissions
                     : r->permissions & slot->permissions;

    if (!judge_auth_set_person(r, slot)) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    r->auth->next(r);
}


static void
judge_auth_login_found(judge_req_t *r)
{
    judge_auth_find_t  *auth = r->auth;
    judge_key_row_t    *row = &auth->login.row;
    judge_auth_slot_t  *slot;

    if (auth->login.op.rc != JUDGE_OK) {
        judge_auth_refuse(r, "nobody here has the login that you are logged in"
                             " by");
        return;
    }

    row->status = JUDGE_STR("active");
    row->permissions = JUDGE_MAY_ALL;
    slot = judge_auth_keep(r, auth->login_hash, row);

    if (auth->keyed) {
        judge_auth_join(r, slot);
    } else {
        judge_auth_enter(r, slot);
    }
}


static void
judge_auth_look_up_login(judge_req_t *r)
{
    judge_str_t         text, org;
    judge_auth_find_t  *auth = r->auth;
    judge_auth_slot_t  *slot;

    org = auth->keyed ? r->org : r->login_org;
    text = judge_str_printf(r->arena, "%.*s\n%.*s", (int) org.len,
                            org.data ? org.data : "",
                            judge_str_args(r->login));
    if (text.data == NULL
        || judge_sha256(text, auth->login_hash) != JUDGE_OK)
    {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    slot = judge_auth_cached(r, auth->login_hash);
    if (slot && auth->keyed) {
        judge_auth_join(r, slot);

    } else if (slot) {
        judge_auth_enter(r, slot);

    } else {
        auth->login.op.kind = JUDGE_OP_LOGIN_FIND;
        auth->login.op.org = org;
        auth->login.login = r->login;
        judge_await(r, &auth->login.op, judge_auth_login_found);
    }
}


static void
judge_auth_enter(judge_req_t *r, const judge_auth_slot_t *slot)
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

    if (!r->key_id.data) {             /* else the key is checked again */
        r->org = judge_str_dup(r->arena, judge_id_str(&slot->org));
        r->key_id = judge_str_dup(r->arena, judge_id_str(&slot->key));
    }

    if (r->org.data == NULL || r->key_id.data == NULL
        || !judge_auth_set_person(r, slot))
    {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    if (r->auth->keyed && r->login.len) {
        judge_auth_look_up_login(r);
    } else {
        r->auth->next(r);
    }
}


static void
judge_auth_found(judge_req_t *r)
{
    judge_auth_find_t  *auth = r->auth;

    if (auth->find.op.rc != JUDGE_OK) {
        judge_auth_refuse(r, "the API key is not valid");
        return;
    }

    judge_auth_enter(r, judge_auth_keep(r, auth->hash, &auth->find.row));
}


static void
judge_auth_look_up(judge_req_t *r, judge_step_pt next)
{
    judge_auth_find_t  *auth = r->auth;
    judge_auth_slot_t  *slot;

    auth->next = next;
    auth->changes = judge_metrics_key_changes(r->service->metrics);

    if (!auth->keyed) {
        judge_auth_look_up_login(r);
        return;
    }

    slot = judge_auth_cached(r, auth->hash);
    if (slot) {
        judge_auth_enter(r, slot);
        return;
    }

    auth->find.op.kind = JUDGE_OP_KEY_FIND;
    auth->find.hash = (judge_str_t) { sizeof(auth->hash),
                                      (char *) auth->hash };
    judge_await(r, &auth->find.op, judge_auth_found);
}


void
judge_authenticate(judge_req_t *r, judge_step_pt next)
{
    judge_str_t  key;

    key = judge_auth_credential(r);

    if (key.data == NULL && r->login.len == 0) {
        judge_auth_refuse(r, "an API key is required in X-API-Key or as"
                             " Authorization: Bearer");
        return;
    }

    /* The checksum finds a typo without asking the store. */
    if (key.data && !judge_api_key_wellformed(key)) {
        judge_auth_refuse(r, "the API key is not valid");
        return;
    }

    r->auth = judge_calloc(r->arena, sizeof(judge_auth_find_t));
    if (r->auth == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    r->auth->keyed = key.data != NULL;

    if (key.data && judge_sha256(key, r->auth->hash) != JUDGE_OK) {
        judge_fail_rc(r, JUDGE_ERROR);
        return;
    }

    judge_auth_look_up(r, next);
}


static bool
judge_auth_allowed(judge_req_t *r)
{
    uint64_t  needed;

    needed = r->route->permission;
    if (needed == 0 || r->permissions & (needed | JUDGE_MAY_ALL)) {
        return true;
    }

    if (r->person.data
        && !(judge_role_permissions(r->role) & (needed | JUDGE_MAY_ALL)))
    {
        return judge_fail(r, 403, "the role %.*s lacks the permission %s",
                          judge_str_args(r->role),
                          judge_permission_name(needed));
    }

    return judge_fail(r, 403, "the API key lacks the permission %s",
                      judge_permission_name(needed));
}


static void
judge_auth_rechecked(judge_req_t *r)
{
    if (judge_auth_allowed(r)) {
        r->rechecked(r);
    }
}


void
judge_auth_recheck(judge_req_t *r, judge_step_pt next)
{
    if (r->auth == NULL
        || (r->auth->changes == judge_metrics_key_changes(r->service->metrics)
            && (r->expires_at == 0 || r->expires_at > judge_now(r->service))))
    {
        next(r);
        return;
    }

    r->rechecked = next;
    judge_auth_look_up(r, judge_auth_rechecked);
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
