/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Cryptography by OpenSSL: hashes, signatures, random bytes, encodings, and
 * the forms of API keys and webhook secrets. */


#ifndef JUDGE_CRYPTO_H
#define JUDGE_CRYPTO_H


#include "base/core/str.h"


#define JUDGE_SHA256_LEN   32
#define JUDGE_API_KEY_LEN  41          /* "jdgk_" + 30 + 6 */

judge_rc_e judge_random(void *out, size_t len);          /* OpenSSL's: safe in
                                        threads and after a fork, too */
judge_rc_e judge_sha256(judge_str_t data, uint8_t out[JUDGE_SHA256_LEN]);
judge_rc_e judge_hmac_sha256(judge_str_t key, judge_str_t data,
    uint8_t out[JUDGE_SHA256_LEN]);

/* SHA-256 of data that arrives in pieces; the caller frees it. */
typedef struct evp_md_ctx_st  judge_digest_t;
judge_digest_t *judge_digest_sha256(void);
judge_rc_e judge_digest_update(judge_digest_t *d, judge_str_t data);
judge_rc_e judge_digest_final(judge_digest_t *d,
    uint8_t out[JUDGE_SHA256_LEN]);
void judge_digest_free(judge_digest_t *d);

/* The time does not depend on the contents, only on the lengths. */
bool judge_secret_eq(judge_str_t a, judge_str_t b);

judge_str_t judge_hex(judge_arena_t *a, const void *data, size_t len);
                                                         /* lower case */
void judge_hex_put(char *out, const void *data, size_t len); /* likewise,
                                                      in 2 * len bytes */
judge_rc_e judge_unhex(judge_str_t hex, void *out, size_t out_len);
judge_str_t judge_base64(judge_arena_t *a, judge_str_t data);
judge_str_t judge_base64url(judge_arena_t *a, judge_str_t data); /* unpadded */
judge_str_t judge_unbase64(judge_arena_t *a, judge_str_t s); /* NULL: not the
                                  text that judge_base64() would make */
judge_rc_e judge_base64_read(judge_arena_t *a, judge_str_t s,
    judge_str_t *bytes);          /* likewise; JUDGE_INVALID in place of NULL,
                                  JUDGE_NOMEM if memory is out */
judge_str_t judge_unbase64url(judge_arena_t *a, judge_str_t s); /* likewise */
uint32_t judge_crc32(judge_str_t data);                  /* IEEE 802.3 */

/*
 * An API key is "jdgk_", 30 random base62 characters, and the CRC-32 of these
 * 35 characters in 6 base62 characters.  The prefix and checksum let secret
 * scanners recognise it, and let the service refuse a mistyped key without a
 * query.
 */
judge_str_t judge_api_key_make(judge_arena_t *a);        /* NULL: error */
bool judge_api_key_wellformed(judge_str_t key);

/* "whsec_" and the base64 of 32 random bytes. */
judge_str_t judge_webhook_secret_make(judge_arena_t *a);


#endif /* JUDGE_CRYPTO_H */
