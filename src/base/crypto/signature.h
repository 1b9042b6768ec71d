/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Signatures of webhooks; each delivery has both forms.
 *
 * X-Webhook-Signature is "sha256=" and the lower-case hex HMAC-SHA256 of the
 * raw body.  Its key is the text of the whole secret, "whsec_" included and
 * base64 not decoded, so that a receiver can use the text that it was given
 * as it is.
 *
 * webhook-signature follows Standard Webhooks (standardwebhooks.com, 1.0.0):
 * "v1," and the base64 HMAC-SHA256 of "id.timestamp.body"; its key is
 * the base64 after "whsec_", decoded.  While a secret is being replaced there
 * is one signature for each valid secret, that of the newest first.
 */


#ifndef JUDGE_SIGNATURE_H
#define JUDGE_SIGNATURE_H


#include "base/core/str.h"


#define JUDGE_SIGNATURE_SECRETS    9        /* the most in a call */

/* The headers of Standard Webhooks. */
typedef struct {
    judge_str_t  id;                   /* webhook-id; without a dot */
    judge_str_t  timestamp;            /* webhook-timestamp: Unix seconds */
    judge_str_t  signature;            /* webhook-signature */
} judge_signature_t;


/* data NULL: memory is exhausted, or the secret is empty. */
judge_str_t judge_signature_hex(judge_arena_t *arena, judge_str_t secret,
    judge_str_t body);

/* Whether the header is the signature with one of the n secrets.  The time
 * does not depend on the contents of the secrets and the header.  An absent or
 * empty secret makes no signature valid. */
bool judge_signature_hex_verify(const judge_str_t *secrets, size_t n,
    judge_str_t body, judge_str_t header);

/* Signs with each of the n secrets; `seconds` is the time of this attempt.
 * JUDGE_INVALID: a secret is not base64 after its prefix, there are none or
 * more than JUDGE_SIGNATURE_SECRETS, or the id is empty or contains a dot, a
 * space, a control character or bytes beyond ASCII. */
judge_rc_e judge_signature_make(judge_arena_t *arena,
    const judge_str_t *secrets, size_t n, judge_str_t id, int64_t seconds,
    judge_str_t body, judge_signature_t *out);


#endif /* JUDGE_SIGNATURE_H */
