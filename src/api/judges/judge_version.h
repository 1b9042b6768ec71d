/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A version of a judge: made from a request and the version before, compared
 * with another one.  A new field of a version is added here and nowhere else
 * in this layer.
 */


#ifndef JUDGE_JUDGE_VERSION_H
#define JUDGE_JUDGE_VERSION_H


#include "store/store_settings.h"
#include "store/store_upload.h"
#include "api/http/request.h"
#include "api/judges/criteria.h"


/* What of its results a person should look at: judge_rubric_t says more. */
typedef struct {
    judge_number_t  wider;
    judge_number_t  threshold;
    bool            set;
} judge_review_fields_t;

/* When a language model is asked: escalate.h says more. */
typedef struct {
    judge_str_t     model;             /* absent: never */
    judge_number_t  wider;
    judge_number_t  threshold;
    judge_number_t  sample;
    bool            when;
    bool            set;
} judge_escalate_fields_t;

/* The body of a request that makes a version; first in the context. */
typedef struct {
    judge_judge_row_t         row;     /* the strings: name, description,
                                          model ("": the organization's);
                                          absent: they stay as they are */
    judge_list_t              criteria;
    judge_list_t              references;        /* of judge_str_t: URIs that
                                          /v1/judges/reference_content gives,
                                          judge://<organization>/references/
                                          <id>.<extension> */
    judge_integer_t           samples;
    judge_boolean_t           activate;          /* of an update; not set:
                                          true */
    judge_review_fields_t     review;
    judge_escalate_fields_t   escalate;
    judge_settings_find_t     settings;
    judge_references_check_t  check;
    judge_step_pt             next;
} judge_version_body_t;

typedef struct {
    judge_judge_row_t  row;
    judge_list_t       criteria;       /* those of the row, read: of
                                          judge_criterion_row_t with ids */
} judge_version_t;

#define JUDGE_VERSION_FIRST  "initial version"
#define JUDGE_VERSION_NAMED  12        /* changes in a summary; the rest is
                                          only counted */

extern const judge_field_t     judge_version_create_fields[];
extern const judge_field_t     judge_version_update_fields[];
extern const judge_resource_t  judge_judges_resource;

/* Whether the criteria of the body are right; false: it has answered. */
bool judge_version_check(judge_req_t *r);

/* Reads what the organization has set; whether the reference contents are
 * there, then next(); else it has answered.  The last call of a step. */
void judge_version_check_stored(judge_req_t *r, judge_step_pt next);

/* Makes the version that the body wants out of the one before (NULL: none).
 * What the body leaves out stays.  JUDGE_INVALID with *error. */
judge_rc_e judge_version_make(judge_req_t *r, const judge_version_t *before,
    judge_version_t *after, judge_str_t *error);

/* Whether one of the version's criteria is judged, or the client may get one
 * without; false: it has answered.  The warnings say so to it. */
bool judge_version_judged(judge_req_t *r, const judge_version_t *version);
void judge_version_warnings(judge_json_writer_t *w,
    const judge_version_t *version);

/*
 *   renamed from "Tone" to "Voice"; added criterion "Depth"; changed the
 *   weight of "Clarity" from 1 to 2
 *
 * Empty: the two are equal.  Data NULL: no memory.
 */
judge_str_t judge_version_summary(judge_arena_t *arena,
    const judge_version_t *before, const judge_version_t *after);

/* Whether everything that an engine scores by is the same: then what has been
 * learned about its scores still holds. */
bool judge_version_same_basis(const judge_version_t *before,
    const judge_version_t *after);


#endif /* JUDGE_JUDGE_VERSION_H */
