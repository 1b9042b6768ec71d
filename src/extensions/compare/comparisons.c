/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The endpoints of comparisons: a batch of the candidates is made, its scores
 * are compared, and people say which candidate they prefer. */


#include <stdio.h>

#include "api/batches/batch_map.h"
#include "api/contents/contents.h"
#include "api/http/request.h"
#include "api/judges/criteria.h"
#include "extensions/compare/paired.h"


#define JUDGE_COMPARISON_PREFERENCES  100  /* are shown, at most */
#define JUDGE_PREFERENCE_COMMENT  5000
#define JUDGE_PREFERENCE_PERSON   200

typedef struct {
    judge_batch_creation_t     make;   /* first: see judge_batch_create() */
    judge_str_t                judge_id;
    judge_str_t                source;
    judge_list_t               candidates;       /* of judge_batch_sent_t */
    judge_await_end_t          waiting;

    judge_integer_t            item;
    judge_number_t             level;
    judge_compared_batch_t     batch;
    judge_comparison_load_t    load;   /* of the item */
    judge_scored_t             scored;
    judge_paired_t             pairs;
    judge_comparison_t        *figures;          /* by target */
} judge_comparing_t;

typedef struct {
    judge_list_query_t       query;
    judge_comparison_list_t  list;
} judge_comparisons_list_t;

/* The context of a request with a preference. */
typedef struct {
    judge_compared_batch_t     batch;
    judge_integer_t            item;
    judge_preference_create_t  preference;
    judge_str_t                winner; /* absent: a tie */
    judge_str_t                type;   /* of the feedback */
} judge_preferring_t;


static void judge_comparison_create(judge_req_t *r);
static void judge_comparison_created(judge_req_t *r, judge_json_writer_t *w);
static void judge_comparison_stored(judge_req_t *r);
static void judge_comparison_waited(judge_req_t *r);
static void judge_comparison_read(judge_req_t *r);
static void judge_prefer(judge_req_t *r);
static void judge_comparisons_write_row(judge_req_t *r, judge_json_writer_t *w,
    const void *row);


static const judge_field_t  judge_comparison_candidate_fields[] = {
    judge_field_as("id", judge_batch_sent_t, name, STRING, JUDGE_REQUIRED, 1,
                   JUDGE_COMPARED_NAME),
    judge_field(judge_batch_sent_t, content_id, STRING, 0, 1, 200),
    judge_field(judge_batch_sent_t, text_content, STRING, 0, 1, -1),
    judge_field(judge_batch_sent_t, messages, ANY, 0, 0, 0),
    judge_field(judge_batch_sent_t, metadata, ANY_OBJECT, 0, 0,
                JUDGE_METADATA_MAX),
    { .name = NULL }
};

static const judge_field_t  judge_comparison_fields[] = {
    judge_field(judge_comparing_t, judge_id, STRING, JUDGE_REQUIRED, 1, 200),
    judge_field_as("name", judge_comparing_t, make.create.row.name, STRING, 0,
                   1, JUDGE_BATCH_NAME_MAX),
    judge_field(judge_comparing_t, source, STRING, 0, 1, 1000000),
    { .name = "candidates", .type = JUDGE_FIELD_LIST, .flags = JUDGE_REQUIRED,
      .offset = offsetof(judge_comparing_t, candidates),
      .min = JUDGE_COMPARED_MIN, .max = JUDGE_COMPARED_MAX,
      .fields = judge_comparison_candidate_fields,
      .item_size = sizeof(judge_batch_sent_t) },
    judge_field_one_of_as("priority", judge_comparing_t, make.priority, CHOICE,
                          0, judge_priorities),
    judge_model_choice_fields(judge_comparing_t, make.choice),
    judge_batch_calls_field(judge_comparing_t, make),
    { .name = NULL }
};

static const judge_field_t  judge_comparison_query[] = {
    judge_field(judge_comparing_t, item, INTEGER, 0, 0, JUDGE_ID_RANGE),
    judge_field(judge_comparing_t, level, NUMBER, 0, 0.5, 1),
    judge_compared_judge_field(judge_comparing_t, batch),
    { .name = NULL }
};

static const judge_field_t  judge_comparison_list_query[] = {
    judge_list_query_fields(judge_comparisons_list_t, query),
    { .name = NULL }
};

static const char *const  judge_preference_types[] = {
    "preference", NULL
};

static const judge_field_t  judge_preference_fields[] = {
    judge_field_one_of_as("feedback_type", judge_preferring_t, type, WORD, 0,
                          judge_preference_types),
    judge_field(judge_preferring_t, item, INTEGER, 0, 0, JUDGE_ID_RANGE),
    judge_field(judge_preferring_t, winner, STRING, 0, 1, JUDGE_COMPARED_NAME),
    judge_compared_judge_field(judge_preferring_t, batch),
    judge_field_as("criterion_id", judge_preferring_t,
                   preference.row.criterion_id, STRING, 0, 1, 200),
    judge_field_as("person", judge_preferring_t, preference.row.person, STRING,
                   0, 1, JUDGE_PREFERENCE_PERSON),
    judge_field_as("comment", judge_preferring_t, preference.row.comment,
                   STRING, 0, 1, JUDGE_PREFERENCE_COMMENT),
    { .name = NULL }
};


const judge_route_t  judge_comparison_routes[] = {
    { judge_route(POST, "/comparisons", JUDGE_MAY_WRITE_EVALUATIONS,
                  JUDGE_ROUTE_CREATES, judge_comparing_t),
      .body = judge_comparison_fields, .handler = judge_comparison_create,
      .op = { .kind = JUDGE_OP_BATCH_CREATE,
              .op = offsetof(judge_comparing_t, make.create.op),
              .missing = "the judge or a candidate has just been deleted",
              .committed = judge_batch_creation_committed,
              .next = judge_comparison_stored,
              .write = judge_comparison_created, .status = 201 },
      .location = "/comparisons/{id}",
      .replayed = judge_comparison_stored },
    { judge_route(GET, "/comparisons", JUDGE_MAY_READ_EVALUATIONS, 0,
                  judge_comparisons_list_t),
      .query = judge_comparison_list_query,
      .resource = &judge_comparisons_resource,
      .list = { judge_route_list(JUDGE_OP_COMPARISON_LIST,
                                 judge_comparisons_list_t,
                                 judge_comparison_row_t),
                .record = judge_comparisons_write_row } },
    { judge_route(GET, "/comparisons/{batch_id}", JUDGE_MAY_READ_EVALUATIONS,
                  0, judge_comparing_t),
      .query = judge_comparison_query, .resource = &judge_comparisons_resource,
      .op = { judge_route_op(JUDGE_OP_COMPARISON_FIND, judge_comparing_t,
                             batch.find.), .next = judge_comparison_read } },
    { judge_route(DELETE, "/comparisons/{batch_id}",
                  JUDGE_MAY_WRITE_EVALUATIONS, 0, judge_batch_delete_t),
      .resource = &judge_comparisons_resource,
      .op = { judge_route_op(JUDGE_OP_BATCH_DELETE, judge_batch_delete_t, ),
              .flag = offsetof(judge_batch_delete_t, compared) } },
    { judge_route(POST, "/comparisons/{batch_id}/feedback",
                  JUDGE_MAY_WRITE_FEEDBACK, 0, judge_preferring_t),
      .body = judge_preference_fields, .location = "/comparisons/{id}",
      .resource = &judge_comparisons_resource,
      .op = { judge_route_op(JUDGE_OP_COMPARISON_FIND, judge_preferring_t,
                             batch.find.), .next = judge_prefer } },
    { .pattern = NULL }
};


/* --- What is written ----------------------------------------------------- */

/* The status of a batch, as that of a comparison. */

static const char *
judge_comparison_status(judge_str_t status)
{
    return !judge_batch_ended(status) ? "processing"
           : judge_str_eq_c(status, "failed") ? "failed" : "completed";
}


static void
judge_comparison_candidates(judge_json_writer_t *w, const judge_comparing_t *c)
{
    size_t                           i;
    const judge_batch_scores_row_t  *rows = c->load.rows;

    judge_json_key_array(w, "candidates");

    for (i = 0; i < c->batch.n; i++) {
        judge_json_object(w);
        judge_json_put_str(w, "id", c->batch.names[i]);
        if (rows) {
            judge_json_put_str(w, "content_id", rows[i].content_id);
            judge_json_put_str(w, "evaluation_id", rows[i].id);
        }
        judge_json_put_c(w, "status", rows ? c->scored.rows[i].status
                                           : "processing");
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


static void
judge_comparisons_write_row(judge_req_t *r, judge_json_writer_t *w,
    const void *data)
{
    const judge_comparison_row_t  *row = data;

    judge_json_put_id(w, "batch_id", row->id);
    judge_json_put_str(w, "name", row->name);
    judge_json_put_raw(w, "judge_ids", row->judge_ids);
    judge_json_put_c(w, "status", judge_comparison_status(row->status));
    judge_json_put_raw(w, "candidates", row->systems);
    judge_json_put_int(w, "total_evaluations", row->total);
    judge_json_put_time(w, "created_at", row->created_at);
    judge_json_put_time_if(w, "completed_at", row->completed_at);
}


static void
judge_preference_json(judge_json_writer_t *w,
    const judge_compared_batch_t *batch, const judge_preference_row_t *row)
{
    judge_str_t  none = { 0, NULL };

    judge_json_put_c(w, "feedback_type", "preference");
    judge_json_put_int(w, "item", row->item);
    judge_json_put_str(w, "criterion_id", row->criterion_id.len
                                          ? row->criterion_id : none);
    judge_json_put_nullable(w, "winner", row->winner >= 0
                                         && (size_t) row->winner < batch->n
                                         ? batch->names[row->winner] : none);
    judge_json_put_str(w, "submitted_by", row->submitted_by);
    judge_json_put_str(w, "person", row->person.len ? row->person : none);
    judge_json_put_str(w, "comment", row->comment);
    judge_json_put_time(w, "submitted_at", row->submitted_at);
}


/* --- Creating ------------------------------------------------------------ */

/* What is wrong with a candidate as its client sent it; NULL: nothing. */

static const char *
judge_comparison_wrong(const judge_comparing_t *c, size_t i)
{
    size_t                     k;
    const judge_batch_sent_t  *sent = c->candidates.items, *s = &sent[i];

    if (!s->content_id.data + !s->text_content.data + !s->messages != 2) {
        return "expected one of text_content, content_id and messages";
    }

    if (s->content_id.data && (s->metadata || c->source.data)) {
        return "expected metadata and source only with texts; a content has"
               " its own";
    }

    for (k = 0; k < i; k++) {
        if (judge_str_eq(sent[k].name, s->name)) {
            return "expected an id that no other candidate has";
        }
        if (s->content_id.data
            && judge_str_eq(sent[k].content_id, s->content_id))
        {
            return "expected a content_id that no other candidate has";
        }
    }

    return judge_str_eq_c(s->name, JUDGE_BATCH_TIE)
           ? "expected another id than \"tie\"" : NULL;
}


/* The source and the id of the candidate take the place of such members that
 * its client sent. */

static judge_rc_e
judge_comparison_metadata(judge_arena_t *arena, judge_str_t source,
    judge_batch_sent_t *sent)
{
    judge_buf_t          buf;
    judge_str_t          text;
    judge_json_writer_t  w;

    static const char *const  ours[] = { "source", "system", NULL };

    judge_json_begin_object(&w, &buf, arena);
    judge_json_put_str(&w, "system", sent->name);
    judge_json_put_str(&w, "source", source);
    judge_json_members(&w, sent->metadata, source.data ? ours : ours + 1);
    text = judge_json_text(&w);

    return text.data ? judge_json_parse(arena, text, &sent->metadata, NULL)
                     : JUDGE_NOMEM;
}


static judge_rc_e
judge_comparison_items(judge_req_t *r, judge_str_t *error)
{
    char                 path[40];
    size_t               i;
    judge_rc_e           rc = JUDGE_OK;
    const char          *wrong;
    judge_comparing_t   *c = r->ctx;
    judge_batch_sent_t  *sent = c->candidates.items;

    c->batch.n = c->candidates.count;

    for (i = 0; i < c->batch.n && rc == JUDGE_OK; i++) {
        c->batch.names[i] = sent[i].name;
        (void) snprintf(path, sizeof(path), "candidates[%zu]", i);
        wrong = judge_comparison_wrong(c, i);
        if (wrong) {
            return judge_invalid(error, judge_str_printf(r->arena, "%s: %s",
                                                         path, wrong));
        }

        rc = sent[i].content_id.data ? JUDGE_OK
             : judge_comparison_metadata(r->arena, c->source, &sent[i]);
        rc = rc ? rc : judge_batch_item_sent(r, path, &sent[i], error);
    }

    c->make.create.systems = judge_json_strings_text(r->arena, c->batch.names,
                                                     c->batch.n);

    return rc ? rc : c->make.create.systems.data ? JUDGE_OK : JUDGE_NOMEM;
}


static void
judge_comparison_create(judge_req_t *r)
{
    judge_str_t         error = { 0, NULL };
    judge_comparing_t  *c = r->ctx;

    if (!judge_check(r, judge_comparison_items(r, &error), &error)) {
        return;
    }

    if (c->make.create.row.name.data == NULL) {
        c->make.create.row.name = JUDGE_STR("Comparison");
    }

    c->make.called = "candidates";
    c->make.judge_ids = (judge_list_t) { &c->judge_id, 1, true };
    judge_batch_create(r);
}


static void
judge_comparison_created(judge_req_t *r, judge_json_writer_t *w)
{
    judge_comparing_t  *c = r->ctx;

    judge_json_put_id(w, "batch_id", c->make.create.row.id);
    judge_json_put_str(w, "name", c->make.create.row.name);
    judge_json_put_str(w, "judge_id", c->judge_id);
    judge_json_put_c(w, "status", "processing");
    judge_json_put_time(w, "created_at", c->make.create.row.created_at);
    judge_comparison_candidates(w, c);
}


/* --- Waiting for the end ------------------------------------------------- */

static void
judge_comparison_reread(judge_req_t *r)
{
    judge_comparing_t  *c = r->ctx;

    c->batch.find = (judge_comparison_find_t) {
        .op.kind = JUDGE_OP_COMPARISON_FIND, .id = c->make.create.row.id
    };
    judge_await_end_note(r, &c->waiting, c->batch.find.id);
    judge_await_found(r, &c->batch.find.op, "the comparison has been deleted",
                      judge_comparison_waited);
}


static void
judge_comparison_stored(judge_req_t *r)
{
    judge_comparing_t  *c = r->ctx;

    c->make.create.row.id = judge_reply_id(r);
    if (judge_await_end_begin(r, &c->waiting)) {
        judge_comparison_reread(r);
    }
}


static void
judge_comparison_waited(judge_req_t *r)
{
    judge_comparing_t  *c = r->ctx;

    if ((judge_batch_ended(c->batch.find.row.status)
         && c->batch.find.pairs_at == 0)
        || !judge_await_end_rest(r, &c->waiting, judge_comparison_reread))
    {
        judge_comparison_read(r);
    }
}


/* --- Reading ------------------------------------------------------------- */

/* Reads the scores and the answers on pairs.  What pairs compare are the
 * criteria of the answers; without any answer, those that a model has
 * scored. */

static judge_rc_e
judge_comparison_scores(judge_arena_t *arena, judge_comparing_t *c)
{
    size_t      t, at = 0, ntargets = c->batch.criteria.count + 1;
    judge_rc_e  rc;

    c->figures = judge_array_alloc(arena, ntargets,
                                   sizeof(judge_comparison_t));
    rc = c->figures ? judge_scored_load(arena, &c->batch, &c->load, &c->scored)
                    : JUDGE_NOMEM;
    rc = rc ? rc : judge_paired_read(arena, &c->batch, &c->scored, &c->load, 0,
                                     &at, &c->pairs);
    if (rc != JUDGE_OK) {
        return rc;
    }

    for (t = 1; t < ntargets && !c->pairs.asked[t]; t++) { /* void */ }

    c->pairs.asked = t < ntargets ? c->pairs.asked : c->scored.by_model;

    return JUDGE_OK;
}


/* Returns the reason that the response gives for pairs not compared. */

static const char *
judge_comparison_reason(const judge_comparing_t *c)
{
    return c->batch.find.pairs_at ? "processing"
           : c->batch.find.calls + 1 >= c->batch.find.pairs ? "max_calls"
           : "not_judged";
}


static bool
judge_comparison_paired(const judge_comparing_t *c, size_t target)
{
    return c->batch.find.pairs && c->pairs.asked[target];
}


static void
judge_comparison_compute(judge_req_t *r)
{
    size_t              t;
    judge_comparing_t  *c = r->ctx;

    r->rc = judge_comparison_scores(r->arena, c);

    for (t = 0; r->rc == JUDGE_OK && t <= c->batch.criteria.count; t++) {
        if (judge_comparison_paired(c, t)) {
            judge_paired_compare(&c->pairs, t, c->level.value,
                                 judge_comparison_reason(c), &c->figures[t]);
        } else {
            judge_comparison(c->pairs.compared + t * c->batch.n, c->batch.n,
                             c->level.value, &c->figures[t]);
        }
    }
}


static void
judge_comparison_target(judge_json_writer_t *w, const void *report, size_t t)
{
    size_t                     i;
    const judge_comparing_t   *c = report;
    const judge_candidate_t   *compared = c->pairs.compared + t * c->batch.n;
    const judge_comparison_t  *figure = &c->figures[t];

    judge_json_put_c(w, "compared_by", judge_comparison_paired(c, t)
                                     ? "pairs" : "scores");
    judge_json_put_c(w, "verdict", figure->verdict);
    if (figure->reason) {
        judge_json_put_c(w, "reason", figure->reason);
    } else {
        judge_json_put_str(w, "winner", c->batch.names[figure->leader]);
    }

    judge_json_put_number4(w, "difference", figure->difference);
    judge_json_put_number4(w, "probability", figure->probability);
    judge_json_key_array(w, "candidates");

    for (i = 0; i < c->batch.n; i++) {
        judge_json_object(w);
        judge_json_put_str(w, "id", c->batch.names[i]);
        judge_json_put_number4(w, "score", compared[i].score);
        judge_json_put_number4(w, "probability", figure->best[i]);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


/* Writes the winner by each criterion: none if the two orders disagree. */

static void
judge_comparison_pair(judge_json_writer_t *w, const judge_comparing_t *c,
    size_t a, size_t b)
{
    int                           sign;
    bool                          differ;
    size_t                        t;
    const judge_criterion_row_t  *criteria = c->batch.criteria.items;

    judge_json_key_array(w, "criteria");

    for (t = 1; t < c->pairs.ntargets; t++) {
        sign = judge_paired_both(&c->pairs, a, b, t, &differ);
        if (sign > 1) {
            continue;
        }

        judge_json_object(w);
        judge_json_put_str(w, "criterion_id", criteria[t - 1].id);
        judge_json_put_nullable(w, "winner", sign
                                ? c->batch.names[sign > 0 ? a : b]
                                : (judge_str_t) { 0, NULL });
        judge_json_put_bool(w, "position_bias", differ);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


/* Writes the pairs that a model has compared, if the batch asks for that. */

static void
judge_comparison_pairs(judge_json_writer_t *w, const judge_comparing_t *c)
{
    size_t               a, b;
    judge_paired_bias_t  bias = { 0, 0 };

    if (c->batch.find.pairs == 0) {
        return;
    }

    judge_paired_bias(&c->pairs, 0, &bias);
    judge_compared_pairs(w, &c->batch, c->batch.find.calls, c->pairs.tokens);
    judge_json_put_number4(w, "position_bias", bias.differ / bias.both);
    judge_json_key_array(w, "asked");

    for (a = 0; a < c->batch.n; a++) {
        for (b = a + 1; b < c->batch.n; b++) {
            if (judge_paired_signs(&c->pairs, a, b)[0] != JUDGE_PAIRED_UNASKED
                || judge_paired_signs(&c->pairs, b, a)[0]
                   != JUDGE_PAIRED_UNASKED)
            {
                judge_json_object(w);
                judge_json_put_str(w, "id", c->batch.names[a]);
                judge_json_put_str(w, "against", c->batch.names[b]);
                judge_comparison_pair(w, c, a, b);
                judge_json_object_end(w);
            }
        }
    }

    judge_json_array_end(w);
    judge_json_object_end(w);
}


static void
judge_comparison_computed(judge_req_t *r)
{
    size_t                    i;
    judge_comparing_t        *c = r->ctx;
    judge_json_writer_t      *w;
    const judge_batch_row_t  *row = &c->batch.find.row;

    w = judge_reply_begin(r, c->waiting.seconds > 0 ? 201 : 200);
    judge_json_put_id(w, "batch_id", c->batch.find.id);
    judge_json_put_str(w, "name", row->name);
    judge_json_put_str(w, "judge_id", c->batch.judge);
    judge_json_put_int(w, "version_number", c->batch.version);
    judge_json_put_c(w, "status", c->batch.find.pairs_at ? "processing"
                                  : judge_comparison_status(row->status));
    judge_json_put_time(w, "created_at", row->created_at);
    judge_json_put_time_if(w, "completed_at", row->completed_at);
    judge_json_put_int(w, "items", (int64_t) c->batch.items);
    judge_json_put_int(w, "item", c->item.value);
    judge_json_put_c(w, "compared_by", judge_comparison_paired(c, 0)
                                     ? "pairs" : "scores");
    judge_json_put_number(w, "level", c->level.value);
    judge_comparison_candidates(w, c);
    judge_compared_targets(w, &c->batch.criteria, judge_comparison_target, c);
    judge_comparison_pairs(w, c);
    judge_json_key_array(w, "preferences");

    for (i = 0; i < c->load.npreferences; i++) {
        judge_json_object(w);
        judge_preference_json(w, &c->batch, &c->load.preferences[i]);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
    judge_reply_end(r);
}


static void
judge_comparison_read(judge_req_t *r)
{
    bool                ready;
    judge_comparing_t  *c = r->ctx;

    if (!judge_compared_found(r, &c->batch)
        || !judge_compared_has(r, &c->batch, c->item.value))
    {
        return;
    }

    c->level.value = c->level.set ? c->level.value : JUDGE_COMPARED_LEVEL;
    ready = judge_compared_load(r->arena, &c->batch, (size_t) c->item.value, 1,
                                &c->load);
    c->load.max_preferences = judge_auth_may(r, JUDGE_MAY_READ_FEEDBACK)
                              ? JUDGE_COMPARISON_PREFERENCES : 0;

    if (judge_check(r, ready ? JUDGE_OK : JUDGE_NOMEM, NULL)) {
        judge_await_compute(r, &c->load.op, judge_comparison_compute,
                            judge_comparison_computed);
    }
}


/* --- Preferences --------------------------------------------------------- */

static void
judge_prefer_answer(judge_req_t *r)
{
    judge_preferring_t    *c = r->ctx;
    judge_json_writer_t  *w;

    w = judge_reply_begin(r, 201);
    judge_json_put_str(w, "batch_id", c->preference.id);
    judge_preference_json(w, &c->batch, &c->preference.row);
    judge_reply_end(r);
}


static void
judge_prefer(judge_req_t *r)
{
    size_t                   at;
    judge_rc_e               rc;
    judge_str_t              error;
    judge_preferring_t       *c = r->ctx;
    judge_preference_row_t  *row = &c->preference.row;

    if (judge_json_get(r->body, "winner") == NULL) {
        judge_fail(r, 400, "winner: required, the id of a candidate, or \""
                           JUDGE_BATCH_TIE "\"");
        return;
    }

    rc = judge_auth_person(r, "person", &row->person, &error);
    if (!judge_check(r, rc, &error) || !judge_compared_found(r, &c->batch)) {
        return;
    }

    if (judge_str_eq_c(c->winner, JUDGE_BATCH_TIE)) {
        c->winner = (judge_str_t) { 0, NULL };
    }

    at = judge_str_index(c->batch.names, c->batch.n, c->winner);
    if (c->winner.data && at == c->batch.n) {
        judge_fail(r, 400, "winner: expected the id of a candidate, or \""
                           JUDGE_BATCH_TIE "\"");
        return;
    }

    if (row->criterion_id.data
        && !judge_criteria_find(&c->batch.criteria, row->criterion_id))
    {
        judge_fail(r, 400, "criterion_id: the judge has no such criterion");
        return;
    }

    row->winner = c->winner.data ? (int64_t) at : -1;
    row->item = c->item.value;
    row->submitted_by = r->key_id;
    row->submitted_at = judge_now(r->service);
    row->criterion_id = row->criterion_id.data ? row->criterion_id
                                               : JUDGE_STR("");
    row->person = row->person.data ? row->person : JUDGE_STR("");

    if (judge_compared_has(r, &c->batch, c->item.value)) {
        c->preference.op.kind = JUDGE_OP_PREFERENCE_CREATE;
        c->preference.id = c->batch.find.id;
        judge_await_found(r, &c->preference.op, NULL, judge_prefer_answer);
    }
}
