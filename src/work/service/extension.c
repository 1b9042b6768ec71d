/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */



#include "analysis/builtin/engine.h"
#include "work/service/extension.h"
#include "work/service/metrics.h"


/* Always finds it: whoever has its struct was built in with it. */

static size_t
judge_extension_index(const judge_extension_t *extension)
{
    size_t  i;

    for (i = 0; judge_extensions[i] != extension; i++) { /* void */ }

    return i;
}


void *
judge_extensions_data(const judge_service_t *service,
    const judge_extension_t *extension)
{
    return service->extensions[judge_extension_index(extension)];
}


void *
judge_extensions_shared(const judge_service_t *service,
    const judge_extension_t *extension)
{
    return service->shared[judge_extension_index(extension)];
}


judge_rc_e
judge_extensions_made(judge_arena_t *arena, const judge_job_t *job,
    const judge_rubric_t *rubric, const judge_verdict_t *verdict,
    judge_result_t *result)
{
    size_t                     i;
    judge_rc_e                 rc;
    const judge_on_results_t  *on;

    for (i = 0, rc = JUDGE_OK; judge_extensions[i] && rc == JUDGE_OK; i++) {
        on = &judge_extensions[i]->results;
        if (on->made) {
            rc = on->made(arena, job, rubric, verdict, result);
        }
    }

    return rc;
}


void
judge_extensions_stored(judge_service_t *service, const judge_result_t *result)
{
    size_t  i;

    for (i = 0; judge_extensions[i]; i++) {
        if (judge_extensions[i]->results.stored) {
            judge_extensions[i]->results.stored(service, result);
        }
    }
}


judge_rc_e
judge_extensions_event(judge_json_writer_t *w, const judge_store_t *reads,
    judge_event_t *event)
{
    size_t      i;
    judge_rc_e  rc;

    for (i = 0, rc = JUDGE_ERROR; judge_extensions[i] && rc == JUDGE_ERROR;
         i++)
    {
        if (judge_extensions[i]->results.event) {
            rc = judge_extensions[i]->results.event(w, reads, event);
        }
    }

    return rc;
}


judge_rc_e
judge_extensions_conversation(judge_arena_t *arena,
    const judge_json_t *messages, judge_str_t path, judge_conversation_t *c,
    judge_str_t *error)
{
    size_t  i;

    for (i = 0; judge_extensions[i]; i++) {
        if (judge_extensions[i]->conversation) {
            return judge_extensions[i]->conversation(arena, messages, path, c,
                                                     error);
        }
    }

    return judge_invalid(error, judge_str_printf(arena,
               "%.*s: expected text_content instead, because this build has no"
               " conversations", judge_str_args(path)));
}


/* A client may send metadata with a member `messages` of its own: messages
 * count as the conversation only if their transcript is the text. */

judge_rc_e
judge_extensions_item(judge_arena_t *arena, judge_str_t metadata,
    judge_scope_e scope, judge_item_t *item)
{
    judge_rc_e             rc;
    judge_str_t            error;
    judge_conversation_t  *c;

    judge_rubric_item(arena, metadata, item);
    if (item->messages == NULL) {
        return JUDGE_OK;
    }

    c = judge_calloc(arena, sizeof(judge_conversation_t));
    if (c == NULL) {
        return JUDGE_NOMEM;
    }

    rc = judge_extensions_conversation(arena, item->messages, JUDGE_STR(""), c,
                                       &error);
    if (rc == JUDGE_NOMEM) {
        return rc;
    }

    if (rc != JUDGE_OK || !judge_str_starts(c->text, item->text)) {
        item->messages = NULL;
        return JUDGE_OK;
    }

    item->conversation = c;
    if (scope != JUDGE_SCOPE_WHOLE) {
        judge_conversation_answer(item, c->nanswers - 1);
    }

    return JUDGE_OK;
}


const judge_measurements_t *
judge_extensions_measurements(void)
{
    size_t  i;

    for (i = 0; judge_extensions[i]; i++) {
        if (judge_extensions[i]->measurements) {
            return judge_extensions[i]->measurements;
        }
    }

    return NULL;
}


/* The counters of all extensions are one array, in the order of the list. */

static uint64_t *
judge_extension_counter(const judge_service_t *service,
    const judge_extension_t *extension, size_t metric, size_t i)
{
    size_t                    k, m;
    const judge_extension_t  *before;

    for (k = 0; judge_extensions[k] != extension; k++) {
        before = judge_extensions[k];
        for (m = 0; m < before->nmetrics; m++) {
            i += before->metrics[m].n;
        }
    }

    for (m = 0; m < metric; m++) {
        i += extension->metrics[m].n;
    }

    return i < JUDGE_EXTENSION_COUNTERS ? &service->metrics->extensions[i]
                                        : NULL;
}


void
judge_extensions_add(judge_service_t *service,
    const judge_extension_t *extension, size_t metric, size_t i, uint64_t n)
{
    uint64_t  *counter;

    counter = judge_extension_counter(service, extension, metric, i);
    if (counter) {
        __atomic_fetch_add(counter, n, __ATOMIC_RELAXED);
    }
}


uint64_t
judge_extensions_get(const judge_service_t *service,
    const judge_extension_t *extension, size_t metric, size_t i)
{
    uint64_t  *counter;

    counter = judge_extension_counter(service, extension, metric, i);

    return counter ? __atomic_load_n(counter, __ATOMIC_RELAXED) : 0;
}
