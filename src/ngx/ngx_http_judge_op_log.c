/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <ngx_config.h>

#include <stdatomic.h>

#include "ngx/ngx_http_judge_executor.h"
#include "store/store_open.h"


/* A failing store fails for every group; therefore each cause, or those that
 * share a slot, are logged once a second, with the number of lines left out,
 * for all threads. */

void
ngx_http_judge_op_log(judge_runner_t *db, const judge_op_t *op, ngx_log_t *log)
{
    uint64_t               last, next;
    const char            *message;
    _Atomic(uint64_t)     *slot;         /* second << 32 | lines left out */

    static _Atomic(uint64_t)  slots[16];

    message = judge_runner_message(db);
    slot = &slots[ngx_hash_key((u_char *) message, ngx_strlen(message)) % 16];
    last = atomic_load(slot);

    do {
        next = (uint64_t) ngx_time() == last >> 32
               ? last + 1 : (uint64_t) ngx_time() << 32;
    } while (!atomic_compare_exchange_weak(slot, &last, next));

    last &= 0xffffffff;

    if ((next & 0xffffffff) == 0 && last == 0) {
        ngx_log_error(NGX_LOG_ERR, log, 0, "judge: %s: %s",
                      judge_op_name(op->kind), message);

    } else if ((next & 0xffffffff) == 0) {
        ngx_log_error(NGX_LOG_ERR, log, 0, "judge: %s: %s, and %uL more since"
                      " the last such line", judge_op_name(op->kind), message,
                      last);
    }
}
