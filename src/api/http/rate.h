/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The rate limit of the key of a request, reported in the header fields
 * of draft-ietf-httpapi-ratelimit-headers-10:
 *
 *   RateLimit-Policy: "key";q=100;w=60
 *   RateLimit: "key";r=97;t=2
 *
 * q is what the bucket holds and w the seconds in which that flows in; r is
 * what is left, t the seconds until it is full again.
 */


#ifndef JUDGE_RATE_H
#define JUDGE_RATE_H


#include "api/http/request.h"


/* Takes a token, where there is a limit; false: none was left, and it has
 * answered 429. */
bool judge_rate_admit(judge_req_t *r);


#endif /* JUDGE_RATE_H */
