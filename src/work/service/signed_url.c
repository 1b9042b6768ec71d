/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "base/crypto/crypto.h"
#include "work/service/signed_url.h"


judge_str_t
judge_signed_url_signature(judge_arena_t *arena,
    const judge_signed_object_t *address,
    int64_t seconds)
{
    uint8_t      mac[JUDGE_SHA256_LEN];
    judge_str_t  text;

    text = judge_str_printf(arena, "%d %s/%.*s/%.*s %lld", address->method,
                            address->folder, judge_str_args(address->org),
                            judge_str_args(address->id), (long long) seconds);

    if (text.data == NULL
        || judge_hmac_sha256(address->secret, text, mac) != JUDGE_OK)
    {
        return (judge_str_t) { 0, NULL };
    }

    return judge_base64url(arena, (judge_str_t) { sizeof(mac), (char *) mac });
}


judge_str_t
judge_signed_url(judge_arena_t *arena, judge_str_t base,
    const judge_signed_object_t *address, judge_ms_t expires)
{
    int64_t      seconds;
    judge_str_t  signature;

    seconds = (expires + 999) / 1000;
    signature = judge_signed_url_signature(arena, address, seconds);
    if (signature.data == NULL) {
        return signature;
    }

    return judge_str_printf(arena,
               "%.*s/%s/%.*s/%.*s?expires=%lld&signature=%.*s",
               judge_str_args(base), address->folder, (int) address->org.len,
               address->org.data, judge_str_args(address->id),
               (long long) seconds, judge_str_args(signature));
}
