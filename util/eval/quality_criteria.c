/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Criteria of descriptions, for util/eval/lib/criteria.py:
 *
 *   build/quality_criteria < FILE.jsonl
 *
 * Of each line {"text": ...} prints {"criteria": [{"name", "description",
 * "weight"}, ...], "questions": [...], "suggestions": [...]}.
 */


#include <stdio.h>
#include <stdlib.h>

#include "base/json/json.h"
#include "analysis/criteria/criteria_parse.h"


static judge_rc_e
quality_line(judge_arena_t *arena, judge_str_t line)
{
    size_t                    i;
    judge_rc_e                rc;
    judge_buf_t               buf;
    judge_str_t               error;
    judge_json_t             *root;
    const judge_json_t       *text;
    judge_json_writer_t       w;
    judge_parse_request_t     request = { .weights = true };
    judge_parsed_criteria_t   out;

    rc = judge_json_parse(arena, line, &root, &error);
    text = (rc == JUDGE_OK) ? judge_json_get(root, "text") : NULL;

    if (text == NULL || text->type != JUDGE_JSON_STRING) {
        return JUDGE_INVALID;
    }

    request.description = text->string;
    rc = judge_criteria_parse(arena, &request, &out, &error);

    if (rc != JUDGE_OK) {
        return rc;
    }

    judge_json_begin_object(&w, &buf, arena);
    judge_json_key_array(&w, "criteria");

    for (i = 0; i < out.ncriteria; i++) {
        judge_json_object(&w);
        judge_json_put_str(&w, "name", out.criteria[i].name);
        judge_json_put_str(&w, "description", out.criteria[i].description);
        judge_json_put_number(&w, "weight", out.criteria[i].weight);
        judge_json_object_end(&w);
    }

    judge_json_array_end(&w);
    judge_json_put_strings(&w, "questions", out.questions, out.nquestions);
    judge_json_put_strings(&w, "suggestions", out.suggestions,
                           out.nsuggestions);
    line = judge_json_text(&w);
    printf("%.*s\n", (int) line.len, line.data);

    return JUDGE_OK;
}


int
main(void)
{
    char           *line = NULL;
    size_t          size = 0, lines;
    ssize_t         len;
    judge_rc_e      rc = JUDGE_OK;
    judge_arena_t  *arena;

    arena = judge_arena_create(65536);

    for (lines = 1; arena && rc == JUDGE_OK
         && (len = getline(&line, &size, stdin)) > 0; lines++)
    {
        rc = quality_line(arena, (judge_str_t) { (size_t) len, line });
        judge_arena_reset(arena);
    }

    if (arena == NULL || rc != JUDGE_OK) {
        fprintf(stderr, "quality_criteria  line %zu is no description\n",
                lines - 1);
    }

    free(line);
    judge_arena_destroy(arena);

    return arena == NULL || rc != JUDGE_OK;
}
