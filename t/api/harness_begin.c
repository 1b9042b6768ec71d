/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What most tests begin with, and bodies of requests that name it. */


#include "harness.h"


const char *
t_judge(t_api_t *api, const char *content_type)
{
    t_call_t     *call;
    judge_str_t   body;

    body = judge_str_printf(api->arena, "{\"name\":\"Style\","
               "\"description\":\"How it is written\","
               "\"content_type\":\"%s\",\"criteria\":["
               "{\"name\":\"Grammar\",\"description\":\"Short sentences\"},"
               "{\"name\":\"Spelling\",\"description\":\"Correct words\","
               "\"weight\":2}]}", content_type);

    call = t_send(api, "POST", "/judges", body.data);
    if (call->status != 201) {
        t_is_status(call, 201, "a judge to begin with");
    }

    return t_text(call, "judge_id");
}


const char *
t_content(t_api_t *api, const char *text)
{
    t_call_t     *call;
    judge_str_t   body;

    body = judge_str_printf(api->arena, "{\"name\":\"A text\","
               "\"file_type\":\"text\",\"text_content\":\"%s\"}", text);

    call = t_send(api, "POST", "/content", body.data);
    if (call->status != 201) {
        t_is_status(call, 201, "a content to begin with");
    }

    return t_text(call, "id");
}


const char *
t_evaluation(t_api_t *api, const char *judge_id, const char *content_id)
{
    t_call_t     *call;
    judge_str_t   body;

    body = judge_str_printf(api->arena,
               "{\"judge_id\":\"%s\",\"content_id\":\"%s\"}", judge_id,
               content_id);

    call = t_send(api, "POST", "/evaluations/single", body.data);
    if (call->status != 201) {
        t_is_status(call, 201, "an evaluation to begin with");
    }

    return t_text(call, "evaluation_id");
}


const char *
t_filled(t_api_t *api, const char *text, const char *const *ids)
{
    judge_buf_t  filled;

    judge_buf_init(&filled, api->arena);

    for ( /* void */ ; *text; text++) {
        if (*text == '%') {
            judge_buf_c(&filled, ids[*++text - '0']);
        } else {
            judge_buf_append(&filled, text, 1);
        }
    }
    judge_buf_append(&filled, "", 1);

    return filled.data;
}
