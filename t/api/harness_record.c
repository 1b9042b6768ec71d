/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* With JUDGE_TEST_ANSWERS each answer is written to the end of that file, as a
 * line of JSON with what it answers: t/openapi_answers.t holds them against
 * the description of the interface. */


#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness.h"


static judge_str_t
t_record_line(const t_call_t *call, judge_arena_t *arena)
{
    size_t                 i;
    judge_buf_t            buf;
    judge_json_writer_t    w;
    const judge_answer_t  *answer = &call->req.answer;

    judge_buf_init(&buf, arena);
    judge_json_begin(&w, &buf);
    judge_json_object(&w);
    judge_json_put_str(&w, "method", judge_str_c(call->method));
    judge_json_put_str(&w, "path", call->req.path);
    judge_json_put_str(&w, "sent", judge_str_c(call->sends));
    judge_json_put_int(&w, "status", answer->status);
    judge_json_put_str(&w, "body", answer->body);
    judge_json_key_object(&w, "headers");

    for (i = 0; i < answer->nheaders; i++) {
        judge_json_put_str(&w, answer->headers[i].name,
                           answer->headers[i].value);
    }

    judge_json_put_str(&w, "Content-Type", judge_str_c(answer->content_type));
    judge_json_object_end(&w);
    judge_json_object_end(&w);

    if (judge_json_finish(&w) != JUDGE_OK) {
        t_bail("no memory");
    }
    judge_buf_str(&buf, JUDGE_STR("\n"));

    return judge_buf_view(&buf);
}


void
t_record(const t_call_t *call)
{
    int             fd;
    judge_str_t     line;
    const char     *name = getenv("JUDGE_TEST_ANSWERS");
    judge_arena_t  *arena;

    if (name == NULL) {
        return;
    }

    arena = judge_arena_create(4096);
    line = t_record_line(call, arena);
    fd = open(name, O_WRONLY | O_APPEND | O_CREAT, 0644);

    if (fd == -1 || write(fd, line.data, line.len) != (ssize_t) line.len) {
        t_bail("JUDGE_TEST_ANSWERS can't be written");
    }

    (void) close(fd);
    judge_arena_destroy(arena);
}
