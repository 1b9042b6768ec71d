/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Signatures of webhooks, in two forms that go out together.
 *
 * X-Webhook-Signature is "sha256=" and the lower-case hex HMAC-SHA256 of the
 * raw body; its key is the whole secret as the user sees it, the
 * bytes of "whsec_..." with the prefix and undecoded, so that a receiver
 * needs nothing but that text.
 *
 * webhook-signature follows Standard Webhooks (standardwebhooks.com, 1.0.0):
 * "v1," and the base64 HMAC-SHA256 of "id.timestamp.body"; its key is what
 * the part behind "whsec_" encodes.  While a secret is being replaced there
 * is one signature for each that is valid, the newest first.
 */


#ifndef JUDGE_SIGNATURE_H
#define JUDGE_SIGNATURE_H


#include "base/core/str.h"


#define JUDGE_SIGNATURE_SECRETS    9        /* at most, in every call */

/* The headers of Standard Webhooks. */
typedef struct {
    judge_str_t  id;                   /* webhook-id; without a dot */
    judge_str_t  timestamp;            /* webhook-timestamp: Unix seconds */
    judge_str_t  signature;            /* webhook-signature */
} judge_signature_t;


/* data NULL: memory is exhausted, or the secret is empty. */
judge_str_t judge_signature_hex(judge_arena_t *arena, judge_str_t secret,
    judge_str_t body);

/* True when the header is the signature by one of the n secrets.  Constant
 * time in the secrets and the signature; an absent or empty secret never
 * verifies. */
bool judge_signature_hex_verify(const judge_str_t *secrets, size_t n,
    judge_str_t body, judge_str_t header);

/* Signs with each of the n secrets; `seconds` is the time of this attempt.
 * JUDGE_INVALID when a secret is not base64 behind its prefix, or the id is
 * empty or has a dot, a space or a control character in it. */
judge_rc_e judge_signature_make(judge_arena_t *arena,
    const judge_str_t *secrets, size_t n, judge_str_t id, int64_t seconds,
    judge_str_t body, judge_signature_t *out);


#endif /* JUDGE_SIGNATURE_H */
