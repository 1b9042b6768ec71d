/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "api/http/request.h"
#include "api/judges/references.h"


static bool judge_reference_id(judge_str_t org, judge_str_t uri,
    judge_str_t *id);


judge_str_t
judge_reference_uri(judge_arena_t *arena, judge_str_t org, judge_str_t id,
    judge_str_t extension)
{
    return judge_str_printf(arena, "judge://%.*s/references/%.*s.%.*s",
                            (int) org.len, org.data, (int) id.len, id.data,
                            (int) extension.len, extension.data);
}


void
judge_references_check(judge_req_t *r, const judge_list_t *uris,
    judge_references_check_t *check, judge_step_pt found,
    judge_step_pt next)
{
    size_t              i;
    const judge_str_t  *uri = uris->items;

    if (uris->count == 0) {
        next(r);
        return;
    }

    check->ids = judge_array_alloc(r->arena, uris->count,
                                   sizeof(judge_str_t));
    if (check->ids == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    for (i = 0; i < uris->count; i++) {
        if (!judge_reference_id(r->org, uri[i], &check->ids[i])) {
            judge_fail(r, 400, "reference_content_uri[%zu]: expected a URI"
                               " that POST /v1/judges/reference_content gave",
                       i);
            return;
        }
    }

    check->op.kind = JUDGE_OP_REFERENCES_CHECK;
    check->count = uris->count;
    judge_await(r, &check->op, found);
}


bool
judge_references_found(judge_req_t *r, const judge_references_check_t *check)
{
    if (check->missing == check->count) {
        return true;
    }

    judge_fail(r, 400, "reference_content_uri[%zu]: there is no such"
                       " reference content", check->missing);

    return false;
}


/* A reference of another organization is treated as a missing one. */

static bool
judge_reference_id(judge_str_t org, judge_str_t uri, judge_str_t *id)
{
    judge_str_t  rest;

    rest = uri;
    if (!judge_str_starts(rest, JUDGE_STR("judge://"))) {
        return false;
    }
    rest.data += 8;
    rest.len -= 8;

    if (!judge_str_starts(rest, org)) {
        return false;
    }
    rest.data += org.len;
    rest.len -= org.len;

    if (!judge_str_starts(rest, JUDGE_STR("/references/"))) {
        return false;
    }
    rest.data += 12;
    rest.len -= 12;

    if (rest.len < JUDGE_ID_LEN + 2 || rest.data[JUDGE_ID_LEN] != '.') {
        return false;
    }

    *id = (judge_str_t) { JUDGE_ID_LEN, rest.data };

    return judge_id_wellformed(*id, "ref");
}


judge_rc_e
judge_references_identify(judge_arena_t *arena, judge_judge_row_t *row)
{
    judge_rc_e     rc;
    judge_str_t    org;
    judge_json_t  *root, *uri;
    const char    *slash;

    row->reference_ids = NULL;
    row->nreferences = 0;

    if (row->reference_uris.data == NULL) {
        return JUDGE_OK;
    }

    rc = judge_json_parse(arena, row->reference_uris, &root, NULL);
    if (rc != JUDGE_OK) {
        return rc;
    }

    row->reference_ids = judge_array_alloc(arena, root->count,
                                           sizeof(judge_str_t));
    if (row->reference_ids == NULL) {
        return JUDGE_NOMEM;
    }

    for (uri = root->first; uri; uri = uri->next) {
        org = (judge_str_t) { 0, "" };
        if (uri->string.len > 8) {
            org.data = uri->string.data + 8;
            slash = memchr(org.data, '/', uri->string.len - 8);
            org.len = slash ? (size_t) (slash - org.data) : 0;
        }

        if (judge_reference_id(org, uri->string,
                               &row->reference_ids[row->nreferences]))
        {
            row->nreferences++;
        }
    }

    return JUDGE_OK;
}
