/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "api/judge_signed.h"
#include "base/judge_crypto.h"


static judge_str_t judge_signed_signature(judge_req_t *r,
    judge_method_e method, const char *folder, judge_str_t org,
    judge_str_t id, int64_t expires);


judge_str_t
judge_signed_url(judge_req_t *r, judge_method_e method, const char *folder,
    judge_str_t org, judge_str_t id, judge_ms_t expires)
{
    int64_t      seconds;
    judge_str_t  signature;

    seconds = (expires + 999) / 1000;
    signature = judge_signed_signature(r, method, folder, org, id, seconds);
    if (signature.data == NULL) {
        return signature;
    }

    return judge_str_printf(r->arena,
               "%.*s/%s/%.*s/%.*s?expires=%lld&signature=%.*s",
               (int) r->base_url.len, r->base_url.data, folder,
               (int) org.len, org.data, (int) id.len, id.data,
               (long long) seconds, (int) signature.len, signature.data);
}


bool
judge_signed_check(judge_req_t *r, const judge_signed_query_t *query,
    judge_method_e method, const char *folder)
{
    judge_str_t  signature;

    if (!query->expires.set || query->signature.data == NULL) {
        judge_fail(r, 403, "the address is not signed");
        return false;
    }

    signature = judge_signed_signature(r, method, folder, r->params[0],
                                       r->params[1], query->expires.value);
    if (signature.data == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return false;
    }

    if (!judge_secret_eq(signature, query->signature)) {
        judge_fail(r, 403, "the address was altered or was not made here");
        return false;
    }

    if (judge_now(r->service) >= query->expires.value * 1000) {
        judge_fail(r, 403, "the address has expired; ask for a new one");
        return false;
    }

    return true;
}


static judge_str_t
judge_signed_signature(judge_req_t *r, judge_method_e method,
    const char *folder, judge_str_t org, judge_str_t id, int64_t expires)
{
    uint8_t      mac[JUDGE_SHA256_LEN];
    judge_str_t  text;

    text = judge_str_printf(r->arena, "%d %s/%.*s/%.*s %lld", (int) method,
                            folder, (int) org.len, org.data, (int) id.len,
                            id.data, (long long) expires);

    if (text.data == NULL
        || judge_hmac_sha256(r->service->secret, text, mac) != JUDGE_OK)
    {
        return (judge_str_t) { 0, NULL };
    }

    return judge_base64url(r->arena, (judge_str_t) { sizeof(mac),
                                                     (char *) mac });
}
