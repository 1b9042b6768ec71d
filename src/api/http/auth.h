/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* API keys, logins, their permissions, and the audit log. */


#ifndef JUDGE_AUTH_H
#define JUDGE_AUTH_H


#include "store/store_org.h"
#include "api/http/route.h"
#include "work/service/service.h"


typedef struct judge_auth_find  judge_auth_find_t;

#define JUDGE_MAY_READ_JUDGES        (UINT64_C(1) << 0)
#define JUDGE_MAY_WRITE_JUDGES       (UINT64_C(1) << 1)
#define JUDGE_MAY_READ_CONTENT       (UINT64_C(1) << 2)
#define JUDGE_MAY_WRITE_CONTENT      (UINT64_C(1) << 3)
#define JUDGE_MAY_READ_EVALUATIONS   (UINT64_C(1) << 4)
#define JUDGE_MAY_WRITE_EVALUATIONS  (UINT64_C(1) << 5)
#define JUDGE_MAY_READ_FEEDBACK      (UINT64_C(1) << 6)
#define JUDGE_MAY_WRITE_FEEDBACK     (UINT64_C(1) << 7)
#define JUDGE_MAY_READ_TRAINING      (UINT64_C(1) << 8)
#define JUDGE_MAY_WRITE_TRAINING     (UINT64_C(1) << 9)
#define JUDGE_MAY_USE_LLM            (UINT64_C(1) << 10)
#define JUDGE_MAY_READ_CONFIG        (UINT64_C(1) << 11)
#define JUDGE_MAY_WRITE_CONFIG       (UINT64_C(1) << 12)
#define JUDGE_MAY_READ_KEYS          (UINT64_C(1) << 13)
#define JUDGE_MAY_WRITE_KEYS         (UINT64_C(1) << 14)
#define JUDGE_MAY_WRITE_REFERENCES   (UINT64_C(1) << 15)
#define JUDGE_MAY_CLAIM_WORK         (UINT64_C(1) << 16)
#define JUDGE_MAY_READ_PEOPLE        (UINT64_C(1) << 17)
#define JUDGE_MAY_WRITE_PEOPLE       (UINT64_C(1) << 18)
#define JUDGE_MAY_READ_AUDIT         (UINT64_C(1) << 19)
#define JUDGE_MAY_ALL                ((uint64_t) JUDGE_KEY_MAY_ALL)

/* 0: there is no such permission. */
uint64_t judge_permission(judge_str_t name);

/* Writes the names as a JSON array.  Returns the first name of a set. */
void judge_permissions_write(judge_json_writer_t *w, uint64_t permissions);
const char *judge_permission_name(uint64_t permission);

/* The permissions of a role; 0: there is no such role. */
extern const char *const  judge_roles[];
uint64_t judge_role_permissions(judge_str_t role);

/* Whether the request's first write is noted in the audit log.  _note() makes
 * the note and attaches it to that write: JUDGE_OK, or JUDGE_NOMEM or
 * JUDGE_ERROR without a note. */
bool judge_audit_wanted(const judge_req_t *r);
judge_rc_e judge_audit_note(judge_req_t *r, judge_op_t *op);

/* Whether the request may grant these permissions to others; false: it was
 * answered with 403. */
bool judge_auth_may_grant(judge_req_t *r, uint64_t permissions);

/* Whether the request has all of these permissions. */
bool judge_auth_may(const judge_req_t *r, uint64_t permissions);

/* Returns the person if it is an annotator, who must not see the feedback of
 * others before everybody has given theirs; else absent. */
judge_str_t judge_auth_blind(const judge_req_t *r);

/* Sets a field that names a person to the one of the key or login.  If there
 * is none, the client may name anybody who is not registered.  JUDGE_NOMEM, or
 * JUDGE_INVALID with *error: the client named another one. */
judge_rc_e judge_auth_person(const judge_req_t *r, const char *field,
    judge_str_t *person, judge_str_t *error);

/*
 * Finds the API key or the login of a request, fills in key, organization and
 * person, and calls `next`; or answers with 401.  With both, the request has
 * the permissions that both have.  With a login only, key_id is the person's
 * identifier.  Each worker caches the keys and logins that it found.  A
 * request that changes or deletes a key calls judge_auth_changed() before it
 * is answered, which makes the entries of all workers invalid.  Entries expire
 * after JUDGE_AUTH_TTL as well, because a process may die between its commit
 * and that call.
 */
#define JUDGE_AUTH_TTL  250            /* ms */
void judge_authenticate(judge_req_t *r, judge_step_pt next);

/* The `committed` of an operation that changes keys. */
void judge_auth_changed(judge_req_t *r, judge_op_t *op);

/* To be called after a request has waited: looks the key up again if any key
 * was changed or its own has expired.  If the key may no longer use the route,
 * answers with 401 or 403, or ends the stream. */
void judge_auth_recheck(judge_req_t *r, judge_step_pt next);

/* The earlier of `until` and the time when the key expires. */
judge_ms_t judge_auth_until(const judge_req_t *r, judge_ms_t until);

/* Whether the key may use the route; counts the request as one of the key's.
 * false: the request was answered with 403. */
bool judge_auth_permits(judge_req_t *r);

/* A worker's cache of so many keys and logins, at least one; NULL: out of
 * memory.  _size(): the bytes of so many. */
size_t judge_auth_size(size_t keys);
judge_auth_t *judge_auth_create(size_t keys);
void judge_auth_destroy(judge_auth_t *auth);


#endif /* JUDGE_AUTH_H */
