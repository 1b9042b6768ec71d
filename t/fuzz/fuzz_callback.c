/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Reports of workers: what is taken becomes a record that is JSON, with a
 * score in range; the same report gives the same record.
 */


#include <stdlib.h>
#include <string.h>

#include "extensions/media/extension_media.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static void
fuzz_find(judge_callback_find_t *find)
{
    memset(find, 0, sizeof(judge_callback_find_t));
    find->row.org = JUDGE_STR("o");
    find->row.id = JUDGE_STR("e");
    find->row.content_id = JUDGE_STR("c");
    find->row.judge_id = JUDGE_STR("j");
    find->row.created_at = 1;
    find->judge_name = JUDGE_STR("J");
    find->judge_description = JUDGE_STR("");
    find->criteria = JUDGE_STR("[{\"criterion_id\":\"a\",\"name\":\"A\","
                               "\"description\":\"\"},{\"criterion_id\":"
                               "\"b\",\"name\":\"B\",\"description\":\"\","
                               "\"weight\":3}]");
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    judge_rc_e              rc;
    judge_str_t             text, error;
    judge_json_t           *report, *record;
    judge_arena_t          *a;
    judge_result_t          one, two;
    judge_unknown_t         unknown = { 0 };
    judge_callback_find_t   find;

    a = judge_arena_create(0);
    text = (judge_str_t) { size, (const char *) data };
    fuzz_find(&find);

    if (judge_json_parse(a, text, &report, NULL) != JUDGE_OK) {
        judge_arena_destroy(a);
        return 0;
    }

    rc = judge_callback_read(a, report, &find, NULL, 1000, &one, &error,
                             &unknown);

    if (rc == JUDGE_INVALID ? error.data == NULL || error.len == 0
                            : rc != JUDGE_OK)
    {
        abort();
    }

    if (rc == JUDGE_OK) {
        find.row.evaluated_at = 1000;

        if (judge_json_parse(a, one.body, &record, NULL) != JUDGE_OK
            || one.overall_score < 0 || one.overall_score > 100
            || judge_callback_read(a, report, &find, NULL, 2000, &two,
                                   &error, &unknown) != JUDGE_OK
            || !judge_str_eq(one.body, two.body))
        {
            abort();
        }
    }

    judge_arena_destroy(a);

    return 0;
}
