/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The columns of a sample, step by step.
 */


#include <string.h>

#include "base/text/utf8.h"
#include "analysis/columns/columns_table.h"


static judge_rc_e
judge_columns_check(judge_arena_t *arena,
    const judge_columns_request_t *request, judge_str_t *error)
{
    const char   *why;
    judge_str_t   sample;

    sample = request->csv_sample;
    why = NULL;

    if (sample.len > JUDGE_COLUMNS_SAMPLE_MAX) {
        why = "expected at most 1048576 bytes";

    } else if (judge_value_type_trim(sample).len == 0) {
        why = "expected a header or rows";

    } else if (memchr(sample.data, 0, sample.len) != NULL) {
        why = "expected text without zero bytes";

    } else if (judge_utf8_check(sample) < sample.len) {
        why = "expected UTF-8";
    }

    if (why == NULL) {
        return JUDGE_OK;
    }

    *error = judge_str_printf(arena, "csv_sample: %s", why);

    return (error->data == NULL) ? JUDGE_NOMEM : JUDGE_INVALID;
}


judge_rc_e
judge_columns_detect(judge_arena_t *arena,
    const judge_columns_request_t *request, judge_columns_t *out,
    judge_str_t *error)
{
    size_t         i;
    judge_rc_e     rc;
    judge_str_t    why;
    judge_table_t  table;
    judge_notes_t  issues, choices, recommendations;

    memset(out, 0, sizeof(judge_columns_t));
    memset(&table, 0, sizeof(judge_table_t));
    issues = choices = recommendations = (judge_notes_t) { .arena = arena };
    table.arena = arena;
    error = (error == NULL) ? &why : error;

    rc = judge_columns_check(arena, request, error);
    if (rc != JUDGE_OK) {
        return rc;
    }

    rc = judge_table_read(&table, request->csv_sample, error);
    if (rc != JUDGE_OK) {
        return rc;
    }

    out->sniff = table.sniff;
    out->estimated_rows = table.total;

    rc = judge_columns_map(&table, request, out, &choices);
    if (rc != JUDGE_OK) {
        return rc;
    }

    rc = judge_columns_preview(&table, request, out);
    if (rc != JUDGE_OK) {
        return rc;
    }

    if (request->suggest_transformations) {
        rc = judge_columns_transform(&table, out);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    judge_columns_issues(&table, request, out, &issues, &recommendations);

    for (i = 0; i < choices.n; i++) {
        judge_notes_add(&issues, "%s", choices.items[i].data);
    }

    out->issues = issues.items;
    out->nissues = issues.n;
    out->recommendations = recommendations.items;
    out->nrecommendations = recommendations.n;

    return (issues.failed || choices.failed || recommendations.failed)
           ? JUDGE_NOMEM : JUDGE_OK;
}
