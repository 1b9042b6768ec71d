/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "work/uploads/object_store.h"


bool
judge_object_is_path(judge_str_t file_path)
{
    return judge_str_find(file_path, JUDGE_STR("://")) != NULL;
}


judge_str_t
judge_object_url(judge_arena_t *arena, const judge_service_t *service,
    judge_str_t file_path, judge_ms_t until)
{
    const judge_object_store_t  *objects = service->settings.objects;

    return objects ? objects->url(arena, service, "GET", file_path, until)
                   : (judge_str_t) { 0, NULL };
}


void
judge_object_lookup(judge_object_lookup_t *lookup)
{
    const judge_object_store_t  *objects = lookup->service->settings.objects;

    if (objects) {
        objects->lookup(lookup);
    } else {
        lookup->outcome = JUDGE_OBJECT_UNKNOWN;
        lookup->done(lookup);
    }
}


void
judge_object_fetch(judge_service_t *service, judge_call_t *call,
    judge_str_t file_path)
{
    const judge_object_store_t  *objects = service->settings.objects;

    if (objects) {
        objects->fetch(service, call, file_path);
    } else {
        call->outcome = JUDGE_CALL_UNCONFIGURED;
        call->done(call);
    }
}


void
judge_object_remove(judge_service_t *service, judge_str_t file_path,
    judge_str_t multipart)
{
    if (service->settings.objects) {
        service->settings.objects->remove(service, file_path, multipart);
    }
}
