/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What a judge takes as examples of what is wanted: the URIs that
 * POST /v1/judges/reference_content gives, of the form
 * judge://<organization>/references/<id>.<extension>.
 */


#ifndef JUDGE_REFERENCES_H
#define JUDGE_REFERENCES_H


#include "store/store_upload.h"
#include "api/http/request.h"


judge_str_t judge_reference_uri(judge_arena_t *arena, judge_str_t org,
    judge_str_t id, judge_str_t extension);

/*
 * Looks whether all of them are there, then calls `next`; where one is not,
 * it has answered.  Ends the step as judge_await() does.
 */
void judge_references_check(judge_req_t *r, const judge_list_t *uris,
    judge_references_check_t *check, judge_step_pt found,
    judge_step_pt next);
bool judge_references_found(judge_req_t *r,
    const judge_references_check_t *check);

/* The row's reference_ids, from its reference_uris. */
judge_rc_e judge_references_identify(judge_arena_t *arena,
    judge_judge_row_t *row);


#endif /* JUDGE_REFERENCES_H */
