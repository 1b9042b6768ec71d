/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Authentication by API keys, and their permissions.
 */


#ifndef JUDGE_AUTH_H
#define JUDGE_AUTH_H


#include "api/http/request.h"


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
#define JUDGE_MAY_ALL                (UINT64_C(1) << 62)

/* 0: there is no such permission. */
uint64_t judge_permission(judge_str_t name);

/* Writes the names as a JSON array; the first name of a set. */
void judge_permissions_write(judge_json_writer_t *w, uint64_t permissions);
const char *judge_permission_name(uint64_t permission);

/*
 * Finds the key of a request and fills in who it belongs to, then calls
 * `next`; or answers with 401.  Found keys are remembered for
 * JUDGE_AUTH_TTL, so that a change takes effect within that time.
 */
#define JUDGE_AUTH_TTL  250            /* ms */
void judge_authenticate(judge_req_t *r, judge_step_pt next);

/* Whether the key may do what the route is for, and counts the request as
 * one of the key's; false: it has answered 403. */
bool judge_auth_permits(judge_req_t *r);

judge_auth_t *judge_auth_create(void);
void judge_auth_destroy(judge_auth_t *auth);
void judge_auth_forget(judge_auth_t *auth);              /* after a change */


#endif /* JUDGE_AUTH_H */
