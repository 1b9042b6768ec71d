/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Pre-signed addresses of files: whoever has one may use it without a key, for
 * one object and one method, until it expires. */


#ifndef JUDGE_SIGNED_URL_H
#define JUDGE_SIGNED_URL_H


#include "base/core/str.h"
#include "base/core/time.h"


#define JUDGE_SIGNED_GET  0           /* must equal JUDGE_METHOD_GET */

/* What is signed with the service's secret. */
typedef struct {
    judge_str_t  secret;
    int          method;
    const char  *folder;
    judge_str_t  org;
    judge_str_t  id;
} judge_signed_object_t;

/* The signature, in the arena.  seconds: since 1970.  data NULL: OpenSSL
 * failed, or memory is out. */
judge_str_t judge_signed_url_signature(judge_arena_t *arena,
    const judge_signed_object_t *address, int64_t seconds);

/* <base>/<folder>/<org>/<id>?expires=…&signature=…, likewise.  expires: ms
 * since 1970, rounded up to seconds in the address. */
judge_str_t judge_signed_url(judge_arena_t *arena, judge_str_t base,
    const judge_signed_object_t *address, judge_ms_t expires);


#endif /* JUDGE_SIGNED_URL_H */
