/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A version of a judge: the fields of the request that makes it, and how they
 * change the previous version. */


#include <string.h>

#include "analysis/builtin/conversation.h"
#include "work/llm/llm_catalog.h"
#include "work/render/resource_json.h"
#include "api/evaluations/model_choice.h"
#include "api/http/request.h"
#include "api/judges/judge_version.h"


#define judge_version_rest(need)                                              \
    judge_criteria_field(judge_version_body_t, criteria, need),               \
    { .name = "reference_content_uri",                                        \
      .type = JUDGE_FIELD_STRING_OR_STRINGS,                                  \
      .offset = offsetof(judge_version_body_t, references), .min = 0,         \
      .max = JUDGE_REFERENCES_MAX, .item_max = 2000 },                        \
    judge_field_as("model", judge_version_body_t, row.model, STRING, 0, 0,    \
                   100),                                                      \
    judge_field(judge_version_body_t, samples, INTEGER, 0, 1, 10),            \
    judge_field_one_of_as("feedback_language", judge_version_body_t,          \
                          row.feedback_language, WORD, 0,                     \
                          judge_version_languages),                           \
    judge_field_one_of_as("scope", judge_version_body_t, row.scope, WORD, 0,  \
                          judge_scope_names),                                 \
    judge_field_object("review", judge_version_body_t, review, review.set,    \
                       judge_version_review_fields),                          \
    judge_field_object("escalate", judge_version_body_t, escalate,            \
                       escalate.set, judge_version_escalate_fields),          \
    judge_field_object("panel", judge_version_body_t, panel, panel.set,       \
                       judge_version_panel_fields)

/* The first value means the language of the text. */
static const char *const  judge_version_languages[] = {
    "text", "en", "de", "es", "fr", "pt", NULL
};

static const judge_field_t  judge_version_review_fields[] = {
    judge_field_as("interval_wider_than", judge_review_fields_t, wider,
                   NUMBER, JUDGE_EXCLUSIVE, 0, 100),
    judge_field_as("near_threshold", judge_review_fields_t, threshold, NUMBER,
                   JUDGE_EXCLUSIVE, 0, 100),
    { .name = NULL }
};

#define judge_version_when(name, member, max)                                 \
    judge_field_as(name, judge_escalate_fields_t, member, NUMBER,             \
                   JUDGE_EXCLUSIVE, 0, max)

static const judge_field_t  judge_version_when_fields[] = {
    judge_version_when("interval_wider_than", wider, 100),
    judge_version_when("near_threshold", threshold, 100),
    judge_version_when("sample", sample, 1),
    { .name = NULL }
};

static const judge_field_t  judge_version_escalate_fields[] = {
    judge_field(judge_escalate_fields_t, model, STRING, 0, 1, 100),
    { .name = "when", .type = JUDGE_FIELD_OBJECT,
      .set_offset = offsetof(judge_escalate_fields_t, when),
      .fields = judge_version_when_fields },
    { .name = NULL }
};

const judge_field_t  judge_version_create_fields[] = {
    judge_judge_texts(judge_version_body_t, row., JUDGE_REQUIRED),
    judge_field_one_of_as("content_type", judge_version_body_t,
                          row.content_type, WORD, JUDGE_REQUIRED,
                          judge_content_types),
    judge_version_rest(JUDGE_REQUIRED),
    { .name = NULL }
};

const judge_field_t  judge_version_update_fields[] = {
    judge_judge_texts(judge_version_body_t, row., 0),
    judge_version_rest(0),
    judge_field(judge_version_body_t, activate, BOOLEAN, 0, 0, 0),
    { .name = NULL }
};

const judge_resource_t  judge_judges_resource = { "jdg", "judge", "judges" };


/* --- Checking ------------------------------------------------------------ */

static void
judge_version_check_criteria(judge_req_t *r)
{
    judge_version_body_t  *body = r->ctx;

    r->rc = judge_criteria_check(r->arena, &body->criteria, &r->error);
}


void
judge_version_check(judge_req_t *r, judge_step_pt next)
{
    judge_compute(r, judge_version_check_criteria, next);
}


static bool
judge_version_skip(judge_str_t *s, judge_str_t prefix)
{
    bool  starts;

    starts = judge_str_starts(*s, prefix);
    *s = judge_str_from(*s, starts ? prefix.len : 0);

    return starts;
}


/* A reference of another organization is treated as if it did not exist. */

static bool
judge_version_reference_id(judge_str_t org, judge_str_t uri, judge_str_t *id)
{
    judge_str_t  rest;

    rest = uri;
    if (!judge_version_skip(&rest, JUDGE_STR("judge://"))
        || !judge_version_skip(&rest, org)
        || !judge_version_skip(&rest, JUDGE_STR("/references/"))
        || rest.len < JUDGE_ID_LEN + 2 || rest.data[JUDGE_ID_LEN] != '.')
    {
        return false;
    }

    *id = (judge_str_t) { JUDGE_ID_LEN, rest.data };

    return judge_id_wellformed(*id, "ref");
}


static void
judge_version_references_found(judge_req_t *r)
{
    judge_version_body_t  *body = r->ctx;

    if (body->check.missing == body->check.count) {
        body->next(r);
        return;
    }

    judge_fail(r, 400, "reference_content_uri[%zu]: there is no such"
                       " reference content", body->check.missing);
}


static void
judge_version_check_references(judge_req_t *r)
{
    size_t                     i;
    const judge_str_t         *uri;
    judge_version_body_t      *body = r->ctx;
    judge_references_check_t  *check = &body->check;

    uri = body->references.items;
    check->count = body->references.count;

    if (check->count == 0) {
        body->next(r);
        return;
    }

    check->ids = judge_array_alloc(r->arena, check->count,
                                   sizeof(judge_str_t));
    if (check->ids == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    for (i = 0; i < check->count; i++) {
        if (!judge_version_reference_id(r->org, uri[i], &check->ids[i])) {
            judge_fail(r, 400, "reference_content_uri[%zu]: expected a URI"
                               " that POST /v1/judges/reference_content gave",
                       i);
            return;
        }
    }

    check->op.kind = JUDGE_OP_REFERENCES_CHECK;
    judge_await(r, &check->op, judge_version_references_found);
}


void
judge_version_check_stored(judge_req_t *r, judge_step_pt next)
{
    judge_version_body_t  *body = r->ctx;

    body->next = next;

    if (r->service->settings.nmodels == 0) {
        judge_version_check_references(r);
        return;
    }

    body->settings.op.kind = JUDGE_OP_SETTINGS_FIND;
    judge_await(r, &body->settings.op, judge_version_check_references);
}


/* --- Making -------------------------------------------------------------- */

static void
judge_version_put(judge_json_writer_t *w, const char *key, judge_number_t v)
{
    if (v.set) {
        judge_json_put_number(w, key, v.value);
    }
}


/* Sets *review to JSON; absent if no condition is set. */

static judge_rc_e
judge_version_review(judge_arena_t *arena, const judge_review_fields_t *sent,
    judge_str_t *review)
{
    judge_buf_t          buf;
    judge_json_writer_t  w;

    *review = (judge_str_t) { 0, NULL };

    if (!sent->wider.set && !sent->threshold.set) {
        return JUDGE_OK;
    }

    judge_json_begin_object(&w, &buf, arena);
    judge_version_put(&w, "interval_wider_than", sent->wider);
    judge_version_put(&w, "near_threshold", sent->threshold);
    *review = judge_json_text(&w);

    return review->data ? JUDGE_OK : JUDGE_NOMEM;
}


/* Sets *escalate to JSON; absent if neither model nor when is set. */

static judge_rc_e
judge_version_escalate(judge_arena_t *arena,
    const judge_escalate_fields_t *sent, judge_str_t content_type,
    judge_str_t *escalate, judge_str_t *error)
{
    judge_buf_t          buf;
    judge_json_writer_t  w;

    *escalate = (judge_str_t) { 0, NULL };

    if (sent->model.data == NULL && !sent->when) {
        return JUDGE_OK;
    }

    *error = !judge_str_eq_c(content_type, "text")
             ? JUDGE_STR("escalate: expected none; only texts have a score"
                         " before a language model is asked")
             : sent->model.data == NULL
             ? JUDGE_STR("escalate.model: expected the name of a language"
                         " model")
             : !sent->wider.set && !sent->threshold.set && !sent->sample.set
             ? JUDGE_STR("escalate.when: expected interval_wider_than,"
                         " near_threshold or sample")
             : (judge_str_t) { 0, NULL };

    if (error->data) {
        return JUDGE_INVALID;
    }

    judge_json_begin_object(&w, &buf, arena);
    judge_json_put_str(&w, "model", sent->model);
    judge_json_key_object(&w, "when");
    judge_version_put(&w, "interval_wider_than", sent->wider);
    judge_version_put(&w, "near_threshold", sent->threshold);
    judge_version_put(&w, "sample", sent->sample);
    judge_json_object_end(&w);
    *escalate = judge_json_text(&w);

    return escalate->data ? JUDGE_OK : JUDGE_NOMEM;
}


/* Sets the language of feedback, the scope, the review and the escalation. */

static judge_rc_e
judge_version_options(judge_arena_t *arena, const judge_version_body_t *body,
    judge_str_t content_type, judge_judge_row_t *row, judge_str_t *error)
{
    judge_str_t  language;

    language = body->row.feedback_language;

    if (language.data) {
        row->feedback_language
            = judge_str_eq_c(language, judge_version_languages[0])
              ? (judge_str_t) { 0, NULL } : language;
    }

    if (body->row.scope.data) {
        row->scope = judge_scope_find(body->row.scope) == JUDGE_SCOPE_LAST
                     ? (judge_str_t) { 0, NULL } : body->row.scope;
        *error = JUDGE_STR("scope: expected none; only texts can be"
                           " conversations");
        if (row->scope.data && !judge_str_eq_c(content_type, "text")) {
            return JUDGE_INVALID;
        }
    }

    if (body->review.set
        && judge_version_review(arena, &body->review, &row->review)
           != JUDGE_OK)
    {
        return JUDGE_NOMEM;
    }

    return body->escalate.set
           ? judge_version_escalate(arena, &body->escalate, content_type,
                                    &row->escalate, error)
           : JUDGE_OK;
}


static judge_rc_e
judge_version_criteria(judge_req_t *r, const judge_version_body_t *body,
    const judge_version_t *before, judge_version_t *after, judge_str_t *error)
{
    judge_rc_e                rc;
    judge_judge_row_t        *row = &after->row;
    judge_criteria_judges_t   judges;
    const judge_str_t        *type;
    const judge_settings_t   *settings = &r->service->settings;

    type = before ? &row->content_type : &body->row.content_type;
    judges = (judge_criteria_judges_t) {
        .text = judge_str_eq_c(*type, "text"),
        .named = judge_model_choice_named(settings, row->model,
                     body->settings.llm.default_model, *type),
        .configured = judge_llm_catalog_any(settings, *type)
    };

    if (body->criteria.set) {
        rc = judge_criteria_identify(r->arena, &body->criteria,
                                     before ? &before->criteria : NULL,
                                     judge_now(r->service), &after->criteria,
                                     error);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    judges.trained = before && row->trained_by.data
                     && judge_version_same_basis(before, after);
    rc = body->criteria.set
         ? judge_criteria_describe(r->arena, &after->criteria, &judges, error)
         : judge_criteria_choose(r->arena, &after->criteria, &judges);
    if (rc != JUDGE_OK) {
        return rc;
    }

    row->criteria_count = (int64_t) after->criteria.count;
    row->criteria = judge_criteria_write(r->arena, &after->criteria);

    return row->criteria.data ? JUDGE_OK : JUDGE_NOMEM;
}


/* Fills in the row's reference_ids from its reference_uris. */

static judge_rc_e
judge_version_identify(judge_arena_t *arena, judge_judge_row_t *row)
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

        if (judge_version_reference_id(org, uri->string,
                               &row->reference_ids[row->nreferences]))
        {
            row->nreferences++;
        }
    }

    return JUDGE_OK;
}


judge_rc_e
judge_version_make(judge_req_t *r, const judge_version_t *before,
    judge_version_t *after, judge_str_t *error)
{
    judge_rc_e                    rc;
    judge_str_t                   type, text;
    judge_judge_row_t            *row;
    const judge_field_t          *f;
    const judge_judge_row_t      *sent;
    const judge_version_body_t   *body = r->ctx;
    static const judge_version_t  none;

    *after = before ? *before : none;
    row = &after->row;
    sent = &body->row;

    for (f = judge_judge_text_fields; f->name; f++) {
        text = *judge_judge_text(sent, f);
        if (text.data) {
            *judge_judge_text(row, f) = text;
        }
    }
    row->samples = body->samples.set ? body->samples.value : row->samples;

    type = before ? row->content_type : sent->content_type;
    rc = judge_version_options(r->arena, body, type, row, error);
    rc = rc ? rc : judge_version_panel(r, body, type, row, error);
    if (rc != JUDGE_OK) {
        return rc;
    }

    if (body->references.set) {
        row->reference_uris = (judge_str_t) { 0, NULL };
    }

    if (body->references.count) {
        row->reference_uris = judge_json_strings_text(r->arena,
                                                      body->references.items,
                                                      body->references.count);
        if (row->reference_uris.data == NULL) {
            return JUDGE_NOMEM;
        }
    }

    rc = judge_version_criteria(r, body, before, after, error);

    return rc == JUDGE_OK ? judge_version_identify(r->arena, row) : rc;
}


static bool
judge_version_unjudged(const judge_version_t *version)
{
    return !judge_criteria_judged(&version->criteria,
                                  version->row.trained_by.data != NULL);
}


bool
judge_version_judged(judge_req_t *r, const judge_version_t *version)
{
    return !r->strict || !judge_version_unjudged(version)
           || judge_fail(r, 400, "criteria: expected one at least that can be"
                         " judged, by its checks, a measurement of the text, a"
                         " language model or corrections");
}


void
judge_version_warnings(judge_json_writer_t *w, const judge_version_t *version)
{
    if (judge_version_unjudged(version)) {
        judge_json_key_array(w, "warnings");
        judge_json_str(w, JUDGE_STR("None of the criteria can be judged, so"
            " every evaluation will fail with NOT_JUDGED; the"
            " judged_by_reason of each says what would help."));
        judge_json_array_end(w);
    }
}
