/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "base/crypto/crypto.h"
#include "work/service/signed_url.h"
#include "api/http/signed_query.h"


static judge_address_t judge_signed_address(judge_req_t *r,
    judge_method_e method, const char *folder, judge_str_t org,
    judge_str_t id);


judge_str_t
judge_signed_query_url(judge_req_t *r, judge_method_e method,
    const char *folder,
    judge_str_t org, judge_str_t id, judge_ms_t expires)
{
    judge_address_t  address;

    address = judge_signed_address(r, method, folder, org, id);

    return judge_signed_url(r->arena, r->base_url, &address, expires);
}


bool
judge_signed_query_check(judge_req_t *r, const judge_signed_query_t *query,
    judge_method_e method, const char *folder)
{
    judge_str_t      signature;
    judge_address_t  address;

    if (!query->expires.set || query->signature.data == NULL) {
        judge_fail(r, 403, "the address is not signed");
        return false;
    }

    address = judge_signed_address(r, method, folder, r->params[0],
                                   r->params[1]);
    signature = judge_signed_url_signature(r->arena, &address,
                                           query->expires.value);
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


static judge_address_t
judge_signed_address(judge_req_t *r, judge_method_e method,
    const char *folder, judge_str_t org, judge_str_t id)
{
    return (judge_address_t) { .secret = r->service->secret,
                               .method = (int) method, .folder = folder,
                               .org = org, .id = id };
}
