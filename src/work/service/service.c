/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "work/render/event_json.h"
#include "work/service/service.h"


void
judge_submit(judge_service_t *service, judge_op_t *op)
{
    op->render = judge_event_render;
    op->submitted_at = judge_now(service);
    service->store.submit(service->store.data, op);
}


judge_str_t
judge_service_owner(const judge_service_t *service)
{
    return judge_id_str(&service->owner);
}
