/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Webhook signatures.  A check goes through all secrets and all signatures,
 * whichever fits, so that its time tells nothing.
 */


#include <inttypes.h>
#include <string.h>

#include <openssl/crypto.h>

#include "base/crypto/crypto.h"
#include "base/crypto/signature.h"
#include "base/text/number.h"


#define JUDGE_SIGNATURE_PREFIX  "sha256="
#define JUDGE_SIGNATURE_HEX     (sizeof(JUDGE_SIGNATURE_PREFIX) - 1           \
                                 + 2 * JUDGE_SHA256_LEN)
#define JUDGE_SIGNATURE_TOKENS  16     /* of a header that are looked at */


/* Into a buffer on the stack: a check has no memory to run out of. */

static judge_rc_e
judge_signature_hex_write(judge_str_t secret, judge_str_t body,
    char out[JUDGE_SIGNATURE_HEX])
{
    char              *p;
    size_t             i;
    judge_rc_e         rc;
    uint8_t            mac[JUDGE_SHA256_LEN];
    static const char  digits[] = "0123456789abcdef";

    if (secret.data == NULL || secret.len == 0) {
        return JUDGE_INVALID;
    }

    rc = judge_hmac_sha256(secret, body, mac);
    if (rc != JUDGE_OK) {
        return rc;
    }

    memcpy(out, JUDGE_SIGNATURE_PREFIX, sizeof(JUDGE_SIGNATURE_PREFIX) - 1);
    p = out + sizeof(JUDGE_SIGNATURE_PREFIX) - 1;

    for (i = 0; i < JUDGE_SHA256_LEN; i++) {
        *p++ = digits[mac[i] >> 4];
        *p++ = digits[mac[i] & 15];
    }

    OPENSSL_cleanse(mac, sizeof(mac));

    return JUDGE_OK;
}


judge_str_t
judge_signature_hex(judge_arena_t *arena, judge_str_t secret,
    judge_str_t body)
{
    char  text[JUDGE_SIGNATURE_HEX];

    if (judge_signature_hex_write(secret, body, text) != JUDGE_OK) {
        return (judge_str_t) { 0, NULL };
    }

    return judge_str_dup(arena, (judge_str_t) { sizeof(text), text });
}


bool
judge_signature_hex_verify(const judge_str_t *secrets, size_t n,
    judge_str_t body, judge_str_t header)
{
    bool    fits;
    char    text[JUDGE_SIGNATURE_HEX];
    size_t  i;

    fits = false;

    for (i = 0; i < n && i < JUDGE_SIGNATURE_SECRETS; i++) {
        if (judge_signature_hex_write(secrets[i], body, text) == JUDGE_OK) {
            fits |= judge_secret_eq((judge_str_t) { sizeof(text), text },
                                    header);
        }
    }

    OPENSSL_cleanse(text, sizeof(text));

    return fits;
}


/* The bytes behind "whsec_"; data NULL when they are not base64. */

static judge_str_t
judge_signature_key(judge_arena_t *arena, judge_str_t secret)
{
    char        *copy;
    size_t       i;
    judge_str_t  text;

    if (secret.data == NULL) {
        return secret;
    }

    if (judge_str_starts(secret, JUDGE_STR("whsec_"))) {
        secret.data += 6;
        secret.len -= 6;
    }

    if (secret.len == 0 || secret.len % 4 != 0
        || (copy = judge_alloc(arena, secret.len)) == NULL)
    {
        return (judge_str_t) { 0, NULL };
    }

    text = (judge_str_t) { secret.len, copy };

    for (i = 0; i < 2 && secret.data[text.len - 1] == '='; i++) {
        text.len--;
    }

    /* the other alphabet's own characters must not pass */

    for (i = 0; i < text.len; i++) {
        switch (secret.data[i]) {
        case '+':
            copy[i] = '-';
            break;
        case '/':
            copy[i] = '_';
            break;
        case '-':
        case '_':
            copy[i] = '!';
            break;
        default:
            copy[i] = secret.data[i];
        }
    }

    return judge_unbase64url(arena, text);
}


/* "v1," and the signature of id.timestamp.body; data NULL on failure */

static judge_str_t
judge_signature_v1(judge_arena_t *arena, judge_str_t secret, judge_str_t id,
    judge_str_t timestamp, judge_str_t body)
{
    uint8_t          mac[JUDGE_SHA256_LEN];
    judge_rc_e       rc;
    judge_str_t      key, text;
    judge_digest_t  *d;

    key = judge_signature_key(arena, secret);
    if (key.data == NULL || key.len == 0) {
        return (judge_str_t) { 0, NULL };
    }

    d = judge_digest_hmac_sha256(key);
    if (d == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    if (judge_digest_update(d, id) != JUDGE_OK
        || judge_digest_update(d, JUDGE_STR(".")) != JUDGE_OK
        || judge_digest_update(d, timestamp) != JUDGE_OK
        || judge_digest_update(d, JUDGE_STR(".")) != JUDGE_OK
        || judge_digest_update(d, body) != JUDGE_OK)
    {
        rc = JUDGE_ERROR;
    } else {
        rc = judge_digest_final(d, mac);
    }

    judge_digest_free(d);

    if (rc != JUDGE_OK) {
        return (judge_str_t) { 0, NULL };
    }

    text = judge_base64(arena, (judge_str_t) { sizeof(mac), (char *) mac });
    if (text.data == NULL) {
        return text;
    }

    return judge_str_printf(arena, "v1,%.*s", (int) text.len, text.data);
}


static bool
judge_signature_id_is_valid(judge_str_t id)
{
    size_t  i;

    for (i = 0; i < id.len; i++) {
        if (id.data[i] <= ' ' || id.data[i] >= 0x7f || id.data[i] == '.') {
            return false;
        }
    }

    return id.len > 0;
}


judge_rc_e
judge_signature_make(judge_arena_t *arena, const judge_str_t *secrets,
    size_t n, judge_str_t id, int64_t seconds, judge_str_t body,
    judge_signature_t *out)
{
    size_t       i;
    judge_buf_t  buf;
    judge_str_t  one;

    if (n == 0 || n > JUDGE_SIGNATURE_SECRETS || seconds < 0
        || !judge_signature_id_is_valid(id))
    {
        return JUDGE_INVALID;
    }

    out->id = id;
    out->timestamp = judge_str_printf(arena, "%" PRId64, seconds);
    if (out->timestamp.data == NULL) {
        return JUDGE_NOMEM;
    }

    judge_buf_init(&buf, arena);

    for (i = 0; i < n; i++) {
        one = judge_signature_v1(arena, secrets[i], id, out->timestamp, body);
        if (one.data == NULL) {
            return JUDGE_INVALID;
        }

        if (i) {
            judge_buf_c(&buf, " ");
        }
        judge_buf_str(&buf, one);
    }

    out->signature = judge_buf_view(&buf);

    return out->signature.data ? JUDGE_OK : JUDGE_NOMEM;
}


/* Whether one of the header's signatures is `want`. */

static bool
judge_signature_among(judge_str_t header, judge_str_t want)
{
    bool         fits;
    size_t       i, seen;
    judge_str_t  token;

    fits = false;
    token = (judge_str_t) { 0, header.data };
    seen = 0;

    for (i = 0; i <= header.len && seen < JUDGE_SIGNATURE_TOKENS; i++) {
        if (i < header.len && header.data[i] != ' ') {
            token.len++;
            continue;
        }

        if (token.len) {
            fits |= judge_secret_eq(token, want);
            seen++;
        }

        if (i < header.len) {
            token = (judge_str_t) { 0, header.data + i + 1 };
        }
    }

    return fits;
}


bool
judge_signature_verify(judge_arena_t *arena, const judge_str_t *secrets,
    size_t n, const judge_signature_t *headers, judge_str_t body,
    int64_t now_seconds)
{
    bool         fits;
    size_t       i;
    int64_t      seconds;
    judge_str_t  want;

    if (headers->signature.data == NULL || headers->timestamp.data == NULL
        || !judge_signature_id_is_valid(headers->id)
        || judge_integer_parse(headers->timestamp, &seconds) != JUDGE_OK
        || seconds < 0 || now_seconds < 0
        || seconds - now_seconds > JUDGE_SIGNATURE_TOLERANCE
        || now_seconds - seconds > JUDGE_SIGNATURE_TOLERANCE)
    {
        return false;
    }

    fits = false;

    for (i = 0; i < n && i < JUDGE_SIGNATURE_SECRETS; i++) {
        want = judge_signature_v1(arena, secrets[i], headers->id,
                                  headers->timestamp, body);
        if (want.data) {
            fits |= judge_signature_among(headers->signature, want);
        }
    }

    return fits;
}
