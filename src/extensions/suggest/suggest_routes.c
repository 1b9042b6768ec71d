/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The extension that suggests, and its endpoints, which ask for suggestions,
 * list them and read them. */


#include <string.h>

#include "analysis/llm/panel.h"
#include "work/calibration/residual_intervals.h"
#include "work/llm/llm_catalog.h"
#include "api/evaluations/model_choice.h"
#include "api/judges/judge_version.h"
#include "extensions/suggest/suggest.h"


typedef struct {
    judge_model_choice_t      choice;
    judge_str_t               criterion_id;
    judge_judge_find_t        judge;
    judge_id_t                id;
    judge_suggestion_create_t create;
    judge_suggestion_find_t   find;
    judge_suggestion_words_t  words;
    judge_json_t             *result;
    judge_await_end_t         waiting;
} judge_suggesting_t;

typedef struct {
    judge_list_query_t       query;
    judge_suggestion_list_t  list;
} judge_suggestions_t;


static void judge_suggest_judge_found(judge_req_t *r);
static void judge_suggest_stored(judge_req_t *r);
static void judge_suggest_waited(judge_req_t *r);
static bool judge_suggest_find(judge_req_t *r);
static void judge_suggest_read_words(judge_req_t *r);
static void judge_suggest_parse(judge_req_t *r);
static void judge_suggest_parsed(judge_req_t *r);
static void judge_suggest_answer(judge_req_t *r);
static void judge_suggest_record(judge_req_t *r, judge_json_writer_t *w,
    const void *record);


static const judge_field_t  judge_suggest_body[] = {
    judge_field(judge_suggesting_t, criterion_id, STRING, 0, 1, 200),
    judge_field_as("model", judge_suggesting_t, choice.model, STRING, 0, 1,
                   JUDGE_LLM_NAME),
    { .name = NULL }
};

static const judge_field_t  judge_suggest_query[] = {
    judge_list_query_fields(judge_suggestions_t, query),
    { .name = NULL }
};

static const judge_resource_t  judge_suggest_resource = {
    "sug", "suggestion", "suggestions"
};

static const judge_route_t  judge_suggest_routes[] = {
    { judge_route(POST, "/judges/{judge_id}/suggestions",
                  JUDGE_MAY_WRITE_TRAINING,
                  JUDGE_ROUTE_CREATES | JUDGE_ROUTE_OPTIONAL_BODY,
                  judge_suggesting_t),
      .body = judge_suggest_body, .resource = &judge_judges_resource,
      .op = { judge_route_op(JUDGE_OP_JUDGE_FIND, judge_suggesting_t, judge.),
              .next = judge_suggest_judge_found },
      .location = "/{id}", .replayed = judge_suggest_stored },
    { judge_route(GET, "/judges/{judge_id}/suggestions",
                  JUDGE_MAY_READ_FEEDBACK, 0, judge_suggestions_t),
      .query = judge_suggest_query, .resource = &judge_suggest_resource,
      .list = { judge_route_list(JUDGE_OP_SUGGESTION_LIST,
                                 judge_suggestions_t, judge_suggestion_row_t),
                .parent = offsetof(judge_suggestions_t, list.judge_id),
                .missing = "there is no such judge",
                .record = judge_suggest_record } },
    { judge_route(GET, "/judges/{judge_id}/suggestions/{suggestion_id}",
                  JUDGE_MAY_READ_FEEDBACK, 0, judge_suggesting_t),
      .resource = &judge_judges_resource,
      .op = { .kind = JUDGE_OP_SUGGESTION_FIND,
              .op = offsetof(judge_suggesting_t, find.op),
              .id = offsetof(judge_suggesting_t, find.judge_id),
              .prepare = judge_suggest_find,
              .missing = "there is no such suggestion",
              .next = judge_suggest_read_words } },
    { .pattern = NULL }
};

static const judge_route_t *const  judge_suggest_tables[] = {
    judge_suggest_routes,
    NULL
};

const judge_extension_t  judge_extension_suggest = {
    .name = "suggest",
    .routes = judge_suggest_tables,
    .leased = &judge_suggest_runs
};


/* --- Asking for one ------------------------------------------------------ */

/* Finds the model that would judge by the wording: the first one of a panel,
 * or the one that the judge escalates to. */

static judge_rc_e
judge_suggest_model(judge_req_t *r, judge_judge_model_t *by)
{
    judge_rc_e           rc;
    judge_panel_t        panel;
    judge_escalate_t     escalate;
    judge_suggesting_t  *c = r->ctx;

    *by = (judge_judge_model_t) { .model = c->judge.row.model };
    rc = judge_panel_read(r->arena, c->judge.row.panel, &panel);

    if (rc == JUDGE_OK && panel.n) {
        by->model = panel.models[0];

    } else if (c->judge.row.escalate.data) {
        judge_escalate_read(r->arena, c->judge.row.escalate, &escalate);
        by->model = escalate.model.data ? escalate.model : by->model;
    }

    return rc;
}


static void
judge_suggest_record(judge_req_t *r, judge_json_writer_t *w,
    const void *record)
{
    const judge_suggestion_row_t  *row = record;

    judge_json_put_id(w, "suggestion_id", row->id);
    judge_json_put_str(w, "judge_id", row->judge_id);
    judge_json_put_int(w, "judge_version", row->version);
    judge_json_put_str(w, "criterion_id", row->criterion_id);
    judge_json_put_str(w, "model", row->model);
    judge_json_put_str(w, "status", row->status);
    judge_json_put_time(w, "created_at", row->created_at);
    judge_json_put_str(w, "created_by", row->created_by);
    judge_json_put_time_if(w, "completed_at", row->completed_at);
}


static void
judge_suggest_judge_found(judge_req_t *r)
{
    judge_rc_e               rc;
    judge_list_t             criteria;
    judge_judge_model_t      by;
    judge_suggesting_t      *c = r->ctx;
    judge_evaluation_row_t   wanted;
    judge_suggestion_row_t  *row = &c->create.row;

    memset(&wanted, 0, sizeof(judge_evaluation_row_t));
    rc = judge_criteria_read(r->arena, c->judge.row.criteria, &criteria);
    rc = rc ? rc : judge_suggest_model(r, &by);
    rc = rc ? rc : judge_id_make(&c->id, "sug", judge_now(r->service));
    if (!judge_check(r, rc, NULL)) {
        return;
    }

    if (c->criterion_id.data && !judge_criteria_find(&criteria,
                                                    c->criterion_id))
    {
        judge_fail(r, 400, "criterion_id: the judge has no such criterion");
        return;
    }

    if (!judge_model_choice_apply(r, &c->choice, &by,
                                  c->judge.row.default_model,
                                  c->judge.row.content_type, &wanted))
    {
        return;
    }

    *row = (judge_suggestion_row_t) {
        .id = judge_id_str(&c->id), .judge_id = c->judge.id,
        .version = c->judge.row.version, .criterion_id = c->criterion_id,
        .model = wanted.model, .status = JUDGE_STR("queued"),
        .created_at = judge_now(r->service), .created_by = r->key_id
    };
    judge_suggest_record(r, judge_reply_begin(r, 201), row);
    if (judge_reply_ready(r)) {
        c->create.op.kind = JUDGE_OP_SUGGESTION_CREATE;
        judge_await_create(r, &c->create.op, NULL, judge_suggest_stored);
    }
}


/* --- Waiting for its end ------------------------------------------------- */

static void
judge_suggest_reread(judge_req_t *r)
{
    judge_suggesting_t  *c = r->ctx;

    c->find = (judge_suggestion_find_t) {
        .op = { .kind = JUDGE_OP_SUGGESTION_FIND },
        .id = c->create.row.id, .judge_id = r->params[0]
    };
    judge_await_end_note(r, &c->waiting, c->find.id);
    judge_await_found(r, &c->find.op, "the suggestion has been deleted",
                      judge_suggest_waited);
}


static void
judge_suggest_stored(judge_req_t *r)
{
    judge_suggesting_t  *c = r->ctx;

    if (c->create.op.rc == JUDGE_CONFLICT) {
        judge_fail(r, 409, "the judge has a suggestion that has not ended");
        return;
    }

    if (c->create.op.rc != JUDGE_OK) {
        judge_resource_missing(r);
        return;
    }

    judge_leases_wake(r->service, &judge_suggest_runs);

    c->create.row.id = judge_reply_id(r);
    if (judge_await_end_begin(r, &c->waiting)) {
        judge_suggest_reread(r);
    }
}


static void
judge_suggest_waited(judge_req_t *r)
{
    judge_suggesting_t  *c = r->ctx;

    if (c->find.row.completed_at
        || !judge_await_end_rest(r, &c->waiting, judge_suggest_reread))
    {
        judge_suggest_read_words(r);
    }
}


/* --- Reading ------------------------------------------------------------- */

static bool
judge_suggest_find(judge_req_t *r)
{
    judge_suggesting_t  *c = r->ctx;

    c->find.id = r->params[1];

    return true;
}


static void
judge_suggest_read_words(judge_req_t *r)
{
    judge_compute(r, judge_suggest_parse, judge_suggest_parsed);
}


/* Runs in a thread; parses the result and collects the texts that it names.
 * An annotator is shown none, as they have the scores of others. */

static void
judge_suggest_parse(judge_req_t *r)
{
    judge_suggesting_t  *c = r->ctx;
    const judge_json_t  *v, *text;

    if (c->find.row.result.data == NULL) {
        return;
    }

    r->rc = judge_json_parse(r->arena, c->find.row.result, &c->result, NULL);
    c->words.rows = judge_array_alloc(r->arena, JUDGE_CRITERIA_MAX
                                      * JUDGE_SUGGEST_WORST,
                                      sizeof(judge_suggestion_text_t));
    if (r->rc != JUDGE_OK || c->words.rows == NULL) {
        r->rc = JUDGE_ERROR;
        return;
    }

    v = judge_auth_blind(r).data ? NULL
                                 : judge_json_first(c->result, "criteria");

    for ( /* void */ ; v; v = v->next) {
        for (text = judge_json_first(v, "texts"); text
             && c->words.count < JUDGE_CRITERIA_MAX * JUDGE_SUGGEST_WORST;
             text = text->next)
        {
            c->words.rows[c->words.count++].id =
                judge_json_string(text, "evaluation_id");
        }
    }
}


/* People's comments are only for keys that may read feedback. */

static void
judge_suggest_parsed(judge_req_t *r)
{
    judge_suggesting_t  *c = r->ctx;

    if (c->words.count == 0
        || !judge_auth_may(r, JUDGE_MAY_READ_FEEDBACK))
    {
        judge_suggest_answer(r);
        return;
    }

    c->words.op.kind = JUDGE_OP_SUGGESTION_WORDS;
    judge_await(r, &c->words.op, judge_suggest_answer);
}


static void
judge_suggest_worst(judge_req_t *r, judge_json_writer_t *w,
    const judge_json_t *texts, judge_str_t criterion, size_t *at)
{
    judge_suggesting_t       *c = r->ctx;
    const judge_json_t       *v;
    judge_suggestion_text_t  *row;

    judge_json_key_array(w, "texts");

    for (v = texts->first; v && *at < c->words.count; v = v->next) {
        row = &c->words.rows[(*at)++];
        judge_json_object(w);
        judge_json_members(w, v, NULL);
        judge_json_put_str(w, "content_id", row->content_id);
        if (judge_auth_may(r, JUDGE_MAY_READ_CONTENT)) {
            judge_json_put_str(w, "content_name", row->name);
        }
        judge_json_key_array(w, "comments");
        judge_suggest_comments(r->arena, row, criterion, NULL, w);
        judge_json_array_end(w);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


static void
judge_suggest_answer(judge_req_t *r)
{
    size_t                at = 0;
    judge_suggesting_t   *c = r->ctx;
    const judge_json_t   *v, *texts;
    judge_json_writer_t  *w;

    static const char *const  criteria[] = { "criteria", NULL };
    /* A mean tells somebody who annotates what another one gave. */
    static const char *const  named[] = { "texts", NULL };
    static const char *const  blind[] = { "texts", "distance", "shift", "low",
                                          "high", NULL };

    w = judge_reply_begin(r, c->waiting.seconds > 0 ? 201 : 200);
    judge_suggest_record(r, w, &c->find.row);

    if (c->result) {
        judge_json_members(w, c->result, criteria);
        judge_json_key_array(w, "criteria");

        for (v = judge_json_first(c->result, "criteria"); v; v = v->next) {
            judge_json_object(w);
            judge_json_members(w, v, judge_auth_blind(r).data ? blind : named);
            texts = judge_json_member(v, "texts", JUDGE_JSON_ARRAY);
            if (texts) {
                judge_suggest_worst(r, w, texts,
                                    judge_json_string(v, "criterion_id"), &at);
            }
            judge_json_object_end(w);
        }

        judge_json_array_end(w);
    }

    judge_reply_end(r);
}
