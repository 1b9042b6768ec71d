/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Hex, base64, CRC-32, and the secrets that are written in base62 or base64.
 */


#include <string.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <zlib.h>

#include "base/crypto/crypto.h"
#include "base/text/ascii.h"


#define JUDGE_API_KEY_PREFIX  "jdgk_"
#define JUDGE_API_KEY_CRC     6
#define JUDGE_API_KEY_BODY    (JUDGE_API_KEY_LEN - JUDGE_API_KEY_CRC)

#define JUDGE_SECRET_PREFIX   "whsec_"
#define JUDGE_SECRET_BYTES    32


static const char  judge_base62[] =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";


void
judge_hex_put(char *out, const void *data, size_t len)
{
    size_t               i;
    const uint8_t       *p;
    static const char    digits[] = "0123456789abcdef";

    p = data;

    for (i = 0; i < len; i++) {
        *out++ = digits[p[i] >> 4];
        *out++ = digits[p[i] & 15];
    }
}


judge_str_t
judge_hex(judge_arena_t *a, const void *data, size_t len)
{
    char  *out;

    out = (len < SIZE_MAX / 2) ? judge_alloc(a, len * 2 + 1) : NULL;
    if (out == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    judge_hex_put(out, data, len);
    out[len * 2] = '\0';

    return (judge_str_t) { len * 2, out };
}


judge_rc_e
judge_unhex(judge_str_t hex, void *out, size_t out_len)
{
    int       hi, lo;
    size_t    i;
    uint8_t  *p;

    if (hex.len / 2 != out_len || hex.len % 2 != 0) {
        return JUDGE_INVALID;
    }

    p = out;

    for (i = 0; i < out_len; i++) {
        hi = judge_ascii_hex(hex.data[2 * i]);
        lo = judge_ascii_hex(hex.data[2 * i + 1]);

        if (hi < 0 || lo < 0) {
            return JUDGE_INVALID;
        }

        p[i] = (uint8_t) (hi << 4 | lo);
    }

    return JUDGE_OK;
}


judge_str_t
judge_base64(judge_arena_t *a, judge_str_t data)
{
    int    n;
    char  *out;

    out = (data.len < INT32_MAX / 2)
          ? judge_alloc(a, (data.len + 2) / 3 * 4 + 1) : NULL;
    if (out == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    n = EVP_EncodeBlock((unsigned char *) out,
                        (const unsigned char *) data.data, (int) data.len);
    out[n] = '\0';

    return (judge_str_t) { (size_t) n, out };
}


/* The alphabets of RFC 4648 differ only in the digits for 62 and 63. */

static void
judge_base64_replace(char *p, size_t len, const char *from, const char *to)
{
    size_t  i;

    for (i = 0; i < len; i++) {
        p[i] = (p[i] == from[0]) ? to[0] : (p[i] == from[1]) ? to[1] : p[i];
    }
}


judge_str_t
judge_base64url(judge_arena_t *a, judge_str_t data)
{
    judge_str_t  s;

    s = judge_base64(a, data);

    while (s.len > 0 && s.data[s.len - 1] == '=') {
        s.len--;
    }

    judge_base64_replace((char *) s.data, s.len, "+/", "-_");

    return s;
}


/* s must be padded to a multiple of four digits. */

static judge_rc_e
judge_base64_decode(judge_arena_t *a, judge_str_t s, judge_str_t *bytes)
{
    int   n;
    char  *out;

    if (s.len >= INT32_MAX / 2 || s.len % 4 != 0) {
        return JUDGE_INVALID;
    }

    out = judge_alloc(a, s.len / 4 * 3 + 1);
    if (out == NULL) {
        return JUDGE_NOMEM;
    }

    n = EVP_DecodeBlock((unsigned char *) out,
                        (const unsigned char *) s.data, (int) s.len);
    if (n < 0) {
        return JUDGE_INVALID;
    }

    while (s.len > 0 && s.data[s.len - 1] == '=' && n > 0) {
        s.len--;
        n--;
    }

    out[n] = '\0';
    *bytes = (judge_str_t) { (size_t) n, out };

    return JUDGE_OK;
}


judge_rc_e
judge_base64_read(judge_arena_t *a, judge_str_t s, judge_str_t *bytes)
{
    judge_rc_e   rc;
    judge_str_t  again;

    rc = judge_base64_decode(a, s, bytes);
    if (rc != JUDGE_OK) {
        return rc;
    }

    again = judge_base64(a, *bytes);

    return again.data == NULL ? JUDGE_NOMEM
           : judge_str_eq(again, s) ? JUDGE_OK : JUDGE_INVALID;
}


judge_str_t
judge_unbase64(judge_arena_t *a, judge_str_t s)
{
    judge_str_t  bytes;

    return judge_base64_read(a, s, &bytes) == JUDGE_OK
           ? bytes : (judge_str_t) { 0, NULL };
}


judge_str_t
judge_unbase64url(judge_arena_t *a, judge_str_t s)
{
    judge_str_t  text, bytes, again;

    if (s.data == NULL) {
        return s;
    }

    text = judge_str_printf(a, "%.*s%.*s", judge_str_args(s),
                            (int) ((4 - s.len % 4) % 4), "===");
    if (text.data == NULL) {
        return text;
    }

    judge_base64_replace((char *) text.data, text.len, "-_", "+/");
    if (judge_base64_decode(a, text, &bytes) != JUDGE_OK) {
        return (judge_str_t) { 0, NULL };
    }

    again = judge_base64url(a, bytes);

    return (again.data != NULL && judge_str_eq(again, s))
           ? bytes : (judge_str_t) { 0, NULL };
}


uint32_t
judge_crc32(judge_str_t data)
{
    return (uint32_t) crc32_z(0, (const Bytef *) data.data, data.len);
}


static void
judge_api_key_crc(const char *key, char out[JUDGE_API_KEY_CRC])
{
    int       i;
    uint32_t  crc;

    crc = judge_crc32((judge_str_t) { JUDGE_API_KEY_BODY, key });

    for (i = JUDGE_API_KEY_CRC - 1; i >= 0; i--) {
        out[i] = judge_base62[crc % 62];
        crc /= 62;
    }
}


judge_str_t
judge_api_key_make(judge_arena_t *a)
{
    char     *key, *p;
    uint8_t   byte;

    key = judge_alloc(a, JUDGE_API_KEY_LEN + 1);
    if (key == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    memcpy(key, JUDGE_API_KEY_PREFIX, sizeof(JUDGE_API_KEY_PREFIX) - 1);
    p = key + sizeof(JUDGE_API_KEY_PREFIX) - 1;

    while (p < key + JUDGE_API_KEY_BODY) {
        if (judge_random(&byte, 1) != JUDGE_OK) {
            return (judge_str_t) { 0, NULL };
        }

        /* 248 is 4 * 62; larger bytes would make some characters likelier */

        if (byte < 248) {
            *p++ = judge_base62[byte % 62];
        }
    }

    judge_api_key_crc(key, p);
    key[JUDGE_API_KEY_LEN] = '\0';

    return (judge_str_t) { JUDGE_API_KEY_LEN, key };
}


bool
judge_api_key_wellformed(judge_str_t key)
{
    char  crc[JUDGE_API_KEY_CRC];

    if (key.len != JUDGE_API_KEY_LEN
        || !judge_str_starts(key, JUDGE_STR(JUDGE_API_KEY_PREFIX))
        || !judge_str_only(judge_str_from(key, sizeof(JUDGE_API_KEY_PREFIX)
                                               - 1), judge_base62))
    {
        return false;
    }

    judge_api_key_crc(key.data, crc);

    return memcmp(crc, key.data + JUDGE_API_KEY_BODY, JUDGE_API_KEY_CRC) == 0;
}


judge_str_t
judge_webhook_secret_make(judge_arena_t *a)
{
    uint8_t      bytes[JUDGE_SECRET_BYTES];
    judge_str_t  text;

    if (judge_random(bytes, sizeof(bytes)) != JUDGE_OK) {
        return (judge_str_t) { 0, NULL };
    }

    text = judge_base64(a, (judge_str_t) { sizeof(bytes), (char *) bytes });
    OPENSSL_cleanse(bytes, sizeof(bytes));

    return (text.data == NULL)
           ? text : judge_str_printf(a, JUDGE_SECRET_PREFIX "%.*s",
                                     judge_str_args(text));
}
