/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Bytes as text: hex, base64, CRC-32, and the secrets that are made of them.
 */


#include <string.h>

#include <openssl/crypto.h>

#include "base/crypto/crypto.h"
#include "base/text/ascii.h"


#define JUDGE_API_KEY_PREFIX  "jdgk_"
#define JUDGE_API_KEY_RANDOM  30
#define JUDGE_API_KEY_CRC     6
#define JUDGE_API_KEY_BODY    (JUDGE_API_KEY_LEN - JUDGE_API_KEY_CRC)

#define JUDGE_SECRET_PREFIX   "whsec_"
#define JUDGE_SECRET_BYTES    32


static const char  judge_base62[] =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

static const char  judge_base64_std[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static const char  judge_base64_url[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";


judge_str_t
judge_hex(judge_arena_t *a, const void *data, size_t len)
{
    char                *out;
    size_t               i;
    const uint8_t       *p;
    static const char    digits[] = "0123456789abcdef";

    if (len > SIZE_MAX / 2 - 1) {
        return (judge_str_t) { 0, NULL };
    }

    out = judge_alloc(a, len * 2 + 1);
    if (out == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    p = data;

    for (i = 0; i < len; i++) {
        out[2 * i] = digits[p[i] >> 4];
        out[2 * i + 1] = digits[p[i] & 15];
    }

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


/* Writes four digits per three bytes; returns the end, without padding. */

static char *
judge_base64_digits(char *out, judge_str_t data, const char *alphabet)
{
    size_t          i;
    unsigned        n;
    uint32_t        bits;
    const uint8_t  *p;

    p = (const uint8_t *) data.data;
    bits = 0;
    n = 0;

    for (i = 0; i < data.len; i++) {
        bits = (bits << 8) | p[i];

        for (n += 8; n >= 6; n -= 6) {
            *out++ = alphabet[(bits >> (n - 6)) & 63];
        }
    }

    if (n > 0) {
        *out++ = alphabet[(bits << (6 - n)) & 63];
    }

    return out;
}


static judge_str_t
judge_base64_encode(judge_arena_t *a, judge_str_t data, const char *alphabet,
    bool pad)
{
    char  *out, *p;

    if (data.len > SIZE_MAX / 4) {
        return (judge_str_t) { 0, NULL };
    }

    out = judge_alloc(a, (data.len + 2) / 3 * 4 + 1);
    if (out == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    p = judge_base64_digits(out, data, alphabet);

    while (pad && (p - out) % 4 != 0) {
        *p++ = '=';
    }

    *p = '\0';

    return (judge_str_t) { (size_t) (p - out), out };
}


judge_str_t
judge_base64(judge_arena_t *a, judge_str_t data)
{
    return judge_base64_encode(a, data, judge_base64_std, true);
}


judge_str_t
judge_base64url(judge_arena_t *a, judge_str_t data)
{
    return judge_base64_encode(a, data, judge_base64_url, false);
}


static int
judge_base64url_digit(char c)
{
    const char  *p;

    p = c ? strchr(judge_base64_url, c) : NULL;

    return p ? (int) (p - judge_base64_url) : -1;
}


judge_str_t
judge_unbase64url(judge_arena_t *a, judge_str_t s)
{
    int        digit;
    size_t     i, len;
    uint8_t   *out;
    unsigned   n;
    uint32_t   bits;

    if (s.data == NULL || s.len % 4 == 1) {
        return (judge_str_t) { 0, NULL };
    }

    out = judge_alloc(a, s.len / 4 * 3 + 3);
    if (out == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    len = 0;
    bits = 0;
    n = 0;

    for (i = 0; i < s.len; i++) {
        digit = judge_base64url_digit(s.data[i]);
        if (digit < 0) {
            return (judge_str_t) { 0, NULL };
        }

        bits = (bits << 6) | (uint32_t) digit;
        n += 6;

        if (n >= 8) {
            n -= 8;
            out[len++] = (uint8_t) (bits >> n);
        }
    }

    /* one text per value: bits behind the last byte must be zero */

    if (bits & ((1u << n) - 1)) {
        return (judge_str_t) { 0, NULL };
    }

    out[len] = '\0';

    return (judge_str_t) { len, (const char *) out };
}


uint32_t
judge_crc32(judge_str_t data)
{
    size_t                 i;
    uint32_t               crc;
    static const uint32_t  table[16] = {
        0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
        0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
        0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
        0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c
    };

    crc = 0xffffffff;

    for (i = 0; i < data.len; i++) {
        crc ^= (uint8_t) data.data[i];
        crc = (crc >> 4) ^ table[crc & 15];
        crc = (crc >> 4) ^ table[crc & 15];
    }

    return ~crc;
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

        /* 248 is four times 62: above it, some characters would be likelier */

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
    char    crc[JUDGE_API_KEY_CRC];
    size_t  i;

    if (key.len != JUDGE_API_KEY_LEN
        || !judge_str_starts(key, JUDGE_STR(JUDGE_API_KEY_PREFIX)))
    {
        return false;
    }

    for (i = sizeof(JUDGE_API_KEY_PREFIX) - 1; i < key.len; i++) {
        if (key.data[i] == '\0' || strchr(judge_base62, key.data[i]) == NULL) {
            return false;
        }
    }

    judge_api_key_crc(key.data, crc);

    return memcmp(crc, key.data + JUDGE_API_KEY_BODY, JUDGE_API_KEY_CRC) == 0;
}


judge_str_t
judge_webhook_secret_make(judge_arena_t *a)
{
    char         *out;
    uint8_t       bytes[JUDGE_SECRET_BYTES];
    judge_str_t   text;

    if (judge_random(bytes, sizeof(bytes)) != JUDGE_OK) {
        return (judge_str_t) { 0, NULL };
    }

    text = judge_base64(a, (judge_str_t) { sizeof(bytes), (char *) bytes });
    OPENSSL_cleanse(bytes, sizeof(bytes));

    if (text.data == NULL) {
        return text;
    }

    out = judge_alloc(a, sizeof(JUDGE_SECRET_PREFIX) + text.len);
    if (out == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    memcpy(out, JUDGE_SECRET_PREFIX, sizeof(JUDGE_SECRET_PREFIX) - 1);
    memcpy(out + sizeof(JUDGE_SECRET_PREFIX) - 1, text.data, text.len + 1);

    return (judge_str_t) { sizeof(JUDGE_SECRET_PREFIX) - 1 + text.len, out };
}
