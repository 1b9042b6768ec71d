/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Pre-signed addresses: who has one may use it, without a key, for one
 * object and one method until it expires.
 */


#ifndef JUDGE_SIGNED_QUERY_H
#define JUDGE_SIGNED_QUERY_H


#include "api/http/request.h"


/* First in the context of a route that takes one. */
typedef struct {
    judge_integer_t  expires;          /* s since 1970 */
    judge_str_t      signature;
} judge_signed_query_t;

#define judge_signed_query_fields(of, member)                                 \
    { .name = "expires", .type = JUDGE_FIELD_INTEGER,                         \
      .offset = offsetof(of, member.expires), .min = 0, .max = 1e15 },        \
    { .name = "signature", .type = JUDGE_FIELD_STRING,                        \
      .offset = offsetof(of, member.signature), .min = 1, .max = 200 }

/* <base>/<folder>/<org>/<id>?expires=…&signature=…; data NULL: a fault. */
judge_str_t judge_signed_query_url(judge_req_t *r, judge_method_e method,
    const char *folder, judge_str_t org, judge_str_t id, judge_ms_t expires);

/* Whether the request's address was signed by this service, compared in
 * constant time, and has not expired; false: it has answered 403. */
bool judge_signed_query_check(judge_req_t *r,
    const judge_signed_query_t *query,
    judge_method_e method, const char *folder);


#endif /* JUDGE_SIGNED_QUERY_H */
