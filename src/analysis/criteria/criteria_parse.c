/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Criteria from a description, step by step.
 */


#include <string.h>

#include "base/text/utf8.h"
#include "analysis/criteria/criteria_context.h"


bool
judge_parse_type_find(judge_str_t name, judge_parse_type_e *type)
{
    size_t  i;
    static const char *const  names[] = { "text", "video", "audio", "image" };

    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (judge_str_eq_c(name, names[i])) {
            *type = (judge_parse_type_e) i;
            return true;
        }
    }

    return false;
}


static judge_rc_e
judge_parse_check(judge_arena_t *arena, judge_str_t text, judge_str_t *error)
{
    const char  *why;

    why = (text.len > JUDGE_PARSE_MAX) ? "expected at most 65536 bytes"
          : (judge_utf8_check(text) < text.len) ? "expected UTF-8" : NULL;

    if (why == NULL) {
        return JUDGE_OK;
    }

    *error = judge_str_printf(arena, "description: %s", why);

    return (error->data == NULL) ? JUDGE_NOMEM : JUDGE_INVALID;
}


judge_rc_e
judge_criteria_parse(judge_arena_t *arena,
    const judge_parse_request_t *request,
    judge_parsed_criteria_t *out, judge_str_t *error)
{
    int                 i;
    judge_rc_e          rc;
    judge_str_t         why;
    judge_parse_ctx_t  *p;

    memset(out, 0, sizeof(judge_parsed_criteria_t));

    rc = judge_parse_check(arena, request->description,
                           (error == NULL) ? &why : error);
    if (rc != JUDGE_OK) {
        return rc;
    }

    p = judge_calloc(arena, sizeof(judge_parse_ctx_t));
    if (p == NULL) {
        return JUDGE_NOMEM;
    }

    p->arena = arena;
    p->request = request;
    p->text = judge_str_dup(arena, request->description);

    if (p->text.data == NULL) {
        p->text = JUDGE_STR("");
    }

    for (i = 0; i < 4; i++) {
        p->levels[i] = -1;
    }

    rc = judge_parse_words_index(p);
    rc = (rc == JUDGE_OK) ? judge_parse_lines(p) : rc;

    if (rc != JUDGE_OK) {
        return rc;
    }

    judge_parse_blocks(p);

    if (p->nfound == 0) {
        judge_parse_guess(p);
    }

    judge_parse_report(p, out);

    return p->failed ? JUDGE_NOMEM : JUDGE_OK;
}
