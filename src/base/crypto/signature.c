/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Webhook signatures.  A check always tries all secrets, so that its time does
 * not depend on which one matches. */


#include <inttypes.h>
#include <string.h>

#include <openssl/crypto.h>

#include "base/crypto/crypto.h"
#include "base/crypto/signature.h"
#include "base/text/ascii.h"


#define JUDGE_SIGNATURE_PREFIX  "sha256="
#define JUDGE_SIGNATURE_HEX     (sizeof(JUDGE_SIGNATURE_PREFIX) - 1           \
                                 + 2 * JUDGE_SHA256_LEN)


/* Writes into the caller's array, so that a check needs no allocation. */

static judge_rc_e
judge_signature_hex_write(judge_str_t secret, judge_str_t body,
    char out[JUDGE_SIGNATURE_HEX])
{
    judge_rc_e  rc;
    uint8_t     mac[JUDGE_SHA256_LEN];

    if (secret.data == NULL || secret.len == 0) {
        return JUDGE_INVALID;
    }

    rc = judge_hmac_sha256(secret, body, mac);
    if (rc != JUDGE_OK) {
        return rc;
    }

    memcpy(out, JUDGE_SIGNATURE_PREFIX, sizeof(JUDGE_SIGNATURE_PREFIX) - 1);
    judge_hex_put(out + sizeof(JUDGE_SIGNATURE_PREFIX) - 1, mac, sizeof(mac));
    OPENSSL_cleanse(mac, sizeof(mac));

    return JUDGE_OK;
}


judge_str_t
judge_signature_hex(judge_arena_t *arena, judge_str_t secret, judge_str_t body)
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
    char    text[JUDGE_SIGNATURE_HEX], sent[JUDGE_SIGNATURE_HEX];
    size_t  i;

    if (header.len != sizeof(sent)) {
        return false;
    }

    fits = false;

    for (i = 0; i < sizeof(sent); i++) {
        sent[i] = judge_ascii_lower(header.data[i]);
    }

    for (i = 0; i < n && i < JUDGE_SIGNATURE_SECRETS; i++) {
        if (judge_signature_hex_write(secrets[i], body, text) == JUDGE_OK) {
            fits |= judge_secret_eq((judge_str_t) { sizeof(text), text },
                                    (judge_str_t) { sizeof(sent), sent });
        }
    }

    OPENSSL_cleanse(text, sizeof(text));

    return fits;
}


/* Appends "v1," and the signature, whose key is the base64 after "whsec_",
 * decoded; JUDGE_INVALID: it can't be decoded. */

static judge_rc_e
judge_signature_v1(judge_arena_t *arena, judge_str_t secret,
    judge_str_t message, judge_buf_t *out)
{
    uint8_t      mac[JUDGE_SHA256_LEN];
    judge_rc_e   rc;
    judge_str_t  key, text;

    if (judge_str_starts(secret, JUDGE_STR("whsec_"))) {
        secret = judge_str_from(secret, 6);
    }

    rc = judge_base64_read(arena, secret, &key);
    if (rc == JUDGE_OK) {
        rc = key.len ? judge_hmac_sha256(key, message, mac) : JUDGE_INVALID;
    }
    if (rc != JUDGE_OK) {
        return rc;
    }

    text = judge_base64(arena, (judge_str_t) { sizeof(mac), (char *) mac });
    judge_buf_c(out, "v1,");
    judge_buf_str(out, text);

    return text.data ? JUDGE_OK : JUDGE_NOMEM;
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
    judge_rc_e   rc;
    judge_buf_t  buf, message;

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
    judge_buf_init(&message, NULL);
    judge_buf_printf(&message, "%.*s.%" PRId64 ".", judge_str_args(id),
                     seconds);
    judge_buf_str(&message, body);

    for (i = 0, rc = JUDGE_OK; i < n && rc == JUDGE_OK; i++) {
        judge_buf_c(&buf, i ? " " : "");
        rc = judge_signature_v1(arena, secrets[i], judge_buf_view(&message),
                                &buf);
    }

    rc = message.failed ? JUDGE_NOMEM : rc;
    judge_buf_free(&message);
    out->signature = judge_buf_view(&buf);

    return (rc == JUDGE_OK && buf.failed) ? JUDGE_NOMEM : rc;
}
