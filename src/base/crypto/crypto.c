/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Randomness, hashes and signatures; OpenSSL does the work. */


#include <pthread.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include "base/crypto/crypto.h"


judge_rc_e
judge_random(void *out, size_t len)
{
    return len <= INT32_MAX && RAND_bytes(out, (int) len) == 1 ? JUDGE_OK
                                                               : JUDGE_ERROR;
}


/* OpenSSL's SHA-256 is fetched once, because that takes longer than a hash. */

static EVP_MD  *judge_sha256_md;

static void
judge_sha256_fetch(void)
{
    judge_sha256_md = EVP_MD_fetch(NULL, "SHA256", NULL);
}


judge_digest_t *
judge_digest_sha256(void)
{
    judge_digest_t         *d;
    static pthread_once_t   once = PTHREAD_ONCE_INIT;

    (void) pthread_once(&once, judge_sha256_fetch);

    d = judge_sha256_md ? EVP_MD_CTX_new() : NULL;

    if (d != NULL && EVP_DigestInit_ex(d, judge_sha256_md, NULL) != 1) {
        EVP_MD_CTX_free(d);
        d = NULL;
    }

    return d;
}


judge_rc_e
judge_digest_update(judge_digest_t *d, judge_str_t data)
{
    return EVP_DigestUpdate(d, data.data, data.len) == 1 ? JUDGE_OK
                                                         : JUDGE_ERROR;
}


judge_rc_e
judge_digest_final(judge_digest_t *d, uint8_t out[JUDGE_SHA256_LEN])
{
    return EVP_DigestFinal_ex(d, out, NULL) == 1 ? JUDGE_OK : JUDGE_ERROR;
}


void
judge_digest_free(judge_digest_t *d)
{
    EVP_MD_CTX_free(d);
}


judge_rc_e
judge_sha256(judge_str_t data, uint8_t out[JUDGE_SHA256_LEN])
{
    judge_rc_e       rc;
    judge_digest_t  *d;

    d = judge_digest_sha256();
    rc = d ? judge_digest_update(d, data) : JUDGE_ERROR;
    rc = rc ? rc : judge_digest_final(d, out);
    judge_digest_free(d);

    return rc;
}


judge_rc_e
judge_hmac_sha256(judge_str_t key, judge_str_t data,
    uint8_t out[JUDGE_SHA256_LEN])
{
    unsigned     len;
    const char  *k, *p;

    if (key.len > INT32_MAX) {
        return JUDGE_ERROR;
    }

    k = key.len ? key.data : "";
    p = data.len ? data.data : "";
    len = JUDGE_SHA256_LEN;

    if (HMAC(EVP_sha256(), k, (int) key.len, (const unsigned char *) p,
             data.len, out, &len)
        == NULL)
    {
        return JUDGE_ERROR;
    }

    return JUDGE_OK;
}


bool
judge_secret_eq(judge_str_t a, judge_str_t b)
{
    if (a.len != b.len || a.data == NULL || b.data == NULL) {
        return false;
    }

    return CRYPTO_memcmp(a.data, b.data, a.len) == 0;
}
