/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A content whose metadata.source is large, and made to take long. */


#include <stdio.h>
#include <string.h>
#include <time.h>

#include "harness.h"


#define SOURCE   (1024 * 1024)
#define TEXT     (512 * 1024)
#define SECONDS  10                    /* with sanitizers */


static const char *
repeated(t_api_t *api, const char *piece, size_t size)
{
    judge_buf_t  buf;

    judge_buf_init(&buf, api->arena);
    while (buf.len < size) {
        judge_buf_c(&buf, piece);
    }
    judge_buf_append(&buf, "", 1);

    return buf.data;
}


static void
test_source(t_api_t *api, const char *judge, const char *piece,
    const char *status)
{
    clock_t      began;
    t_call_t    *c;
    const char  *id;

    c = t_send(api, "POST", "/content", judge_str_printf(api->arena,
                   "{\"name\":\"N\",\"file_type\":\"text\",\"text_content\":"
                   "\"%s\",\"metadata\":{\"source\":\"%s\"}}",
                   repeated(api, piece, TEXT),
                   repeated(api, piece, SOURCE)).data);
    t_is_status(c, 201, piece);

    began = clock();
    id = t_evaluation(api, judge, t_text(c, "id"));
    c = t_sendf(api, "GET", NULL, "/evaluations/%s", id);
    t_is_str(t_get(c, "status"), status, piece);
    printf("# %.2f s\n", (double) (clock() - began) / CLOCKS_PER_SEC);
    t_ok(clock() - began < (clock_t) SECONDS * CLOCKS_PER_SEC,
         "a large source is judged in bounded time");
}


int
main(void)
{
    size_t       i;
    t_api_t     *api;
    const char  *judge;
    static const char *const  pieces[][2] = {
        { "bus ", "completed" }, { "bus. ", "completed" },
        { "Bus? Yes, 12 buses. ", "completed" },
        { "bus bus train ", "completed" },
        { "bus", "failed" },           /* one word is too short a text */
        { "The council moved 12 buses to the night because nobody walks"
          " home. ", "completed" }
    };

    api = t_api_create();
    api->service.settings.max_body = 4 * SOURCE;
    api->service.settings.max_text = SOURCE;
    judge = t_text(t_send(api, "POST", "/judges",
        "{\"name\":\"Faithful\",\"description\":\"\",\"content_type\":\"text\""
        ",\"criteria\":[{\"name\":\"Faithfulness\",\"description\":\"All that"
        " it says is in the source.\"},{\"name\":\"Coverage\","
        "\"description\":\"It covers what matters in the source.\"}]}"),
        "judge_id");

    for (i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
        test_source(api, judge, pieces[i][0], pieces[i][1]);
    }

    t_api_destroy(api);

    return t_done();
}
