/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Prints which functions requests enter, of the layers `work` and `api` and
 * of what scores: after a line with the request, a line for each call with its
 * depth and the function's address in this program.  These layers are compiled
 * with -finstrument-functions for it (util/Makefile); t/paths.t compares what
 * it prints with docs/development/paths.md. */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <stdio.h>

#include "../api/harness.h"


void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller);

static bool    traced;
static size_t  depth;


void
__cyg_profile_func_enter(void *function, void *caller)
{
    Dl_info  info;

    if (traced && dladdr(function, &info)) {
        printf("%zu %tx\n", depth,
               (char *) function - (char *) info.dli_fbase);
    }
    depth++;
}


void
__cyg_profile_func_exit(void *function, void *caller)
{
    depth--;
}


static t_call_t *
trace(t_api_t *api, const char *method, const char *path, const char *body)
{
    t_call_t  *c;

    printf("%s %s\n", method, path);
    traced = true;
    c = t_send(api, method, path, body);
    traced = false;

    if (c->status >= 300) {
        t_bail(c->body.data);
    }

    return c;
}


int
main(void)
{
    t_api_t     *api = t_api_create();
    const char  *judge, *content, *id, *body;

    judge = t_judge(api, "text");
    content = t_content(api, "A letter of two sentences. It has no fault.");
    body = judge_str_printf(api->arena, "{\"judge_id\":\"%s\","
                            "\"content_id\":\"%s\"}", judge, content).data;
    (void) trace(api, "POST", "/evaluations/single", body);

    body = judge_str_printf(api->arena, "{\"name\":\"Letters\","
                            "\"judge_ids\":[\"%s\"],\"content_items\":"
                            "[{\"content_id\":\"%s\"}]}", judge, content).data;
    id = t_text(trace(api, "POST", "/batches/evaluate", body), "batch_id");
    (void) trace(api, "GET", judge_str_printf(api->arena, "/batches/%s", id)
                             .data, NULL);
    (void) trace(api, "GET", judge_str_printf(api->arena, "/content/%s",
                                              content).data, NULL);

    t_api_destroy(api);

    return 0;
}
