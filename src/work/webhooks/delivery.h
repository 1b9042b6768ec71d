/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* One attempt at a delivery: the signed call, and the result to record. */


#ifndef JUDGE_DELIVERY_H
#define JUDGE_DELIVERY_H


#include "store/store_webhook.h"
#include "work/service/service.h"
#include "work/webhooks/endpoint.h"


#define JUDGE_DELIVERY_HEADERS  6
#define JUDGE_DELIVERY_ANSWER   4096   /* bytes of an answer that are stored */

/* The prefix of the addresses of events that go to judge_mail. */
#define JUDGE_DELIVERY_MAILTO   "mailto:"

typedef struct judge_delivery  judge_delivery_t;

struct judge_delivery {
    judge_service_t          *service;
    judge_arena_t            *arena;
    judge_endpoint_t         *end;
    bool                      probe;   /* see judge_endpoint_take() */
    judge_delivery_row_t      row;
    judge_str_t               target;
    judge_call_t              call;
    judge_call_header_t       headers[JUDGE_DELIVERY_HEADERS];
    judge_delivery_result_t   result;
    judge_answered_e          answered;
    bool                      tried;   /* the address has been called */
    judge_ms_t                leave_until;   /* by Retry-After; 0: none */
    void                    (*done)(judge_delivery_t *delivery);
    void                     *data;
    judge_delivery_t         *next;
};

/* Makes a delivery from a claimed row, which it copies; NULL: out of memory.
 * To be freed by judge_delivery_free(). */
judge_delivery_t *judge_delivery_create(judge_service_t *service,
    const judge_delivery_row_t *row, const judge_webhook_end_t *from);
void judge_delivery_free(judge_delivery_t *delivery);

/* Makes the call; done() is called once, maybe before this returns. */
void judge_delivery_start(judge_delivery_t *delivery,
    const judge_webhook_end_t *from);


#endif /* JUDGE_DELIVERY_H */
