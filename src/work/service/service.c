/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "work/render/event_json.h"
#include "work/service/service.h"


static void judge_service_read_done(judge_op_t *op);


void
judge_submit(judge_service_t *service, judge_op_t *op)
{
    op->render = judge_event_render;
    op->submitted_at = judge_now(service);
    service->store.submit(service->store.data, op);
}


judge_rc_e
judge_service_read(judge_service_t *service, judge_op_t *op)
{
    op->done = judge_service_read_done;
    judge_submit(service, op);

    return op->rc;
}


static void
judge_service_read_done(judge_op_t *op)
{
    /* void */
}


void
judge_service_compute(judge_service_t *service, judge_task_t *task,
    void (*run)(judge_task_t *task), void (*done)(judge_task_t *task),
    void *data)
{
    *task = (judge_task_t) { .run = run, .done = done, .data = data };
    service->compute(service->data, task);
}


judge_str_t
judge_service_owner(const judge_service_t *service)
{
    return judge_id_str(&service->owner);
}
