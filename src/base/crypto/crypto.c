/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Randomness, hashes and signatures; OpenSSL does the work. */


#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

#include "base/crypto/crypto.h"


#define JUDGE_RANDOM_POOL  512


/* A buffer saves system calls; its first `used` bytes have been returned. */

typedef struct {
    pid_t    pid;
    size_t   used;
    uint8_t  bytes[JUDGE_RANDOM_POOL];
} judge_random_t;

static judge_rc_e
judge_random_kernel(uint8_t *p, size_t len)
{
    ssize_t  n;

    while (len > 0) {
        n = getrandom(p, len, 0);

        if (n < 0) {
            if (errno == EINTR) {
                continue;
            }

            return JUDGE_ERROR;
        }

        p += n;
        len -= (size_t) n;
    }

    return JUDGE_OK;
}


judge_rc_e
judge_random(void *out, size_t len)
{
    pid_t                            pid;
    static __thread judge_random_t   pool;

    if (len > JUDGE_RANDOM_POOL / 4) {
        return judge_random_kernel(out, len);
    }

    /* a forked process must not use its parent's random bytes */

    pid = getpid();

    if (pool.pid != pid || len > JUDGE_RANDOM_POOL - pool.used) {
        pool.pid = 0;

        if (judge_random_kernel(pool.bytes, JUDGE_RANDOM_POOL) != JUDGE_OK) {
            return JUDGE_ERROR;
        }

        pool.pid = pid;
        pool.used = 0;
    }

    if (len > 0) {
        memcpy(out, pool.bytes + pool.used, len);
        OPENSSL_cleanse(pool.bytes + pool.used, len);
        pool.used += len;
    }

    return JUDGE_OK;
}


/* OpenSSL's SHA-256 is fetched once, because that takes longer than a hash. */

static EVP_MD  *judge_sha256_md;

static void
judge_sha256_fetch(void)
{
    judge_sha256_md = EVP_MD_fetch(NULL, "SHA256", NULL);
}


judge_rc_e
judge_sha256(judge_str_t data, uint8_t out[JUDGE_SHA256_LEN])
{
    bool                   ok;
    EVP_MD_CTX            *d;
    static pthread_once_t  once = PTHREAD_ONCE_INIT;

    (void) pthread_once(&once, judge_sha256_fetch);

    d = judge_sha256_md ? EVP_MD_CTX_new() : NULL;
    if (d == NULL) {
        return JUDGE_ERROR;
    }

    ok = EVP_DigestInit_ex(d, judge_sha256_md, NULL) == 1
         && EVP_DigestUpdate(d, data.data, data.len) == 1
         && EVP_DigestFinal_ex(d, out, NULL) == 1;
    EVP_MD_CTX_free(d);

    return ok ? JUDGE_OK : JUDGE_ERROR;
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


judge_digest_t *
judge_digest_sha256(void)
{
    judge_digest_t  *d;

    d = EVP_MD_CTX_new();

    if (d != NULL && EVP_DigestInit_ex(d, EVP_sha256(), NULL) != 1) {
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


bool
judge_secret_eq(judge_str_t a, judge_str_t b)
{
    if (a.len != b.len || a.data == NULL || b.data == NULL) {
        return false;
    }

    return CRYPTO_memcmp(a.data, b.data, a.len) == 0;
}
