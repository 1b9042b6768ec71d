/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A version of a judge: how it is made from a request and the previous
 * version, and compared.  A new field beside judge_judge_texts() is a member
 * here, a row of the tables and of judge_version_make() in judge_version.c,
 * and a comparison in judge_version_diff.c. */


#ifndef JUDGE_JUDGE_VERSION_H
#define JUDGE_JUDGE_VERSION_H


#include "store/store_settings.h"
#include "store/store_upload.h"
#include "api/http/request.h"
#include "api/judges/criteria.h"


/* Which results a person should review; see judge_rubric_t. */
typedef struct {
    judge_number_t  wider;
    judge_number_t  threshold;
    bool            set;
} judge_review_fields_t;

/* When a language model is asked; see residual_intervals.h. */
typedef struct {
    judge_str_t     model;             /* absent: never */
    judge_number_t  wider;
    judge_number_t  threshold;
    judge_number_t  sample;
    bool            when;
    bool            set;
} judge_escalate_fields_t;

/* Language models that judge together; see panel.h. */
typedef struct {
    judge_list_t    models;            /* of judge_str_t; none: no panel */
    judge_str_t     take;
    judge_number_t  within;
    bool            set;
} judge_panel_fields_t;

/* The body of a request that makes a version; the context's first member. */
typedef struct {
    judge_judge_row_t         row;     /* only strings of the body are bound
                                          (model "": the organization's);
                                          absent: unchanged */
    judge_list_t              criteria;
    judge_list_t              references;        /* of judge_str_t, the URIs
                                          judge://<organization>/references/
                                          <id>.<extension> */
    judge_integer_t           samples;
    judge_boolean_t           activate;          /* not set: true */
    judge_review_fields_t     review;
    judge_escalate_fields_t   escalate;
    judge_panel_fields_t      panel;
    judge_settings_find_t     settings;
    judge_references_check_t  check;
    judge_step_pt             next;
} judge_version_body_t;

typedef struct {
    judge_judge_row_t  row;
    judge_list_t       criteria;       /* of judge_criterion_row_t, with ids;
                                          parsed from the row */
} judge_version_t;

#define JUDGE_VERSION_FIRST  "initial version"
#define JUDGE_VERSION_NAMED  12        /* changes that a summary describes;
                                          the others are counted */

extern const judge_field_t     judge_version_create_fields[];
extern const judge_field_t     judge_version_panel_fields[];
extern const judge_field_t     judge_version_update_fields[];
extern const judge_resource_t  judge_judges_resource;

/* Checks the criteria of the body in a thread, because patterns are compiled;
 * then calls next() or answers.  Must be the last call of a step. */
void judge_version_check(judge_req_t *r, judge_step_pt next);

/* Reads the organization's settings and checks that the reference contents
 * exist; then calls next() or answers.  Must be the last call of a step. */
void judge_version_check_stored(judge_req_t *r, judge_step_pt next);

/* In a thread, because checks are looked for in descriptions: makes a version
 * from the body and the previous one (NULL: none), whose values stay unless
 * the body has them.  JUDGE_INVALID with *error. */
judge_rc_e judge_version_make(judge_req_t *r, const judge_version_t *before,
    judge_version_t *after, judge_str_t *error);

/* Sets the row's panel, and its model to JUDGE_PANEL_NAME, if the body has
 * one; its model alone ends the panel.  JUDGE_INVALID with *error. */
judge_rc_e judge_version_panel(judge_req_t *r,
    const judge_version_body_t *body, judge_str_t content_type,
    judge_judge_row_t *row, judge_str_t *error);

/* Whether a criterion of the version is judged, or the client accepts that
 * none is; false: the request has been answered.  _warnings() writes a warning
 * if none is judged. */
bool judge_version_judged(judge_req_t *r, const judge_version_t *version);
void judge_version_warnings(judge_json_writer_t *w,
    const judge_version_t *version);

/*
 *   renamed from "Tone" to "Voice"; added criterion "Depth"; changed the
 *   weight of "Clarity" from 1 to 2
 *
 * Empty: the two are equal.  Data NULL: out of memory.
 */
judge_str_t judge_version_summary(judge_arena_t *arena,
    const judge_version_t *before, const judge_version_t *after);

/* Whether everything that scores depend on is the same: then what was learned
 * from corrections remains valid. */
bool judge_version_same_basis(const judge_version_t *before,
    const judge_version_t *after);


#endif /* JUDGE_JUDGE_VERSION_H */
