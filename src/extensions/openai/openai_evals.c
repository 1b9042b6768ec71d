/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Evals: the schema of items, and the graders that test them; and the creation
 * of runs with their items. */


#include <string.h>

#include "extensions/openai/openai.h"


#define JUDGE_OPENAI_MESSAGES  64      /* messages of a template, at most */
#define JUDGE_OPENAI_CHECKS  200000    /* steps of a schema for an item */
#define JUDGE_OPENAI_SHOWN   16384     /* bytes of items that the response
                                          repeats */
#define JUDGE_OPENAI_MARK  "\xef\xbb\xbf"      /* a byte order mark, which
                                          some editors write */

static const judge_field_t  judge_openai_config_fields[] = {
    judge_field_as("type", judge_openai_t, config.type, STRING, JUDGE_REQUIRED,
                   1, 64),
    judge_field_as("item_schema", judge_openai_t, config.schema, ANY_OBJECT, 0,
                   0, 0),
    judge_field_as("include_sample_schema", judge_openai_t, config.samples,
                   BOOLEAN, 0, 0, 0),
    { .name = NULL }
};

static const judge_field_t  judge_openai_eval_fields[] = {
    judge_field(judge_openai_t, name, STRING, 0, 0, JUDGE_OPENAI_NAME),
    judge_field(judge_openai_t, metadata, ANY_OBJECT, 0, 0, 0),
    { .name = "data_source_config", .type = JUDGE_FIELD_OBJECT,
      .flags = JUDGE_REQUIRED, .fields = judge_openai_config_fields },
    judge_field_as("testing_criteria", judge_openai_t, criteria, ANY,
                   JUDGE_REQUIRED, 0, 0),
    { .name = NULL }
};

static const judge_field_t  judge_openai_run_fields[] = {
    judge_field(judge_openai_t, name, STRING, 0, 0, JUDGE_OPENAI_NAME),
    judge_field(judge_openai_t, metadata, ANY_OBJECT, 0, 0, 0),
    judge_field_as("data_source", judge_openai_t, source, ANY_OBJECT,
                   JUDGE_REQUIRED, 0, 0),
    { .name = NULL }
};

static const char *const  judge_openai_types[] = {
    "jsonl", "completions", "responses", NULL
};

static const char *const  judge_openai_sources[] = {
    "file_content", "file_id", NULL
};

static const char *const  judge_openai_inputs[] = {
    "template", "item_reference", NULL
};

static const judge_field_t  judge_openai_source_fields[] = {
    judge_field_as("type", judge_openai_plan_t, source.type, STRING,
                   JUDGE_REQUIRED, 0, 0),
    judge_field_as("content", judge_openai_plan_t, source.content, ANY, 0, 0,
                   0),
    { .name = NULL }
};

static const judge_field_t  judge_openai_input_fields[] = {
    judge_field_one_of_as("type", judge_openai_plan_t, input, WORD,
                          JUDGE_REQUIRED, judge_openai_inputs),
    { .name = "template", .type = JUDGE_FIELD_LIST,
      .offset = offsetof(judge_openai_plan_t, sampler.messages), .min = 1,
      .max = JUDGE_OPENAI_MESSAGES, .fields = judge_openai_message_fields,
      .item_size = sizeof(judge_openai_message_t) },
    judge_field_as("item_reference", judge_openai_plan_t, reference, STRING, 0,
                   1, 200),
    { .name = NULL }
};

static const judge_field_t  judge_openai_plan_fields[] = {
    judge_field_one_of(judge_openai_plan_t, type, WORD, JUDGE_REQUIRED,
                       judge_openai_types),
    { .name = "source", .type = JUDGE_FIELD_OBJECT, .flags = JUDGE_REQUIRED,
      .fields = judge_openai_source_fields },
    judge_field_as("model", judge_openai_plan_t, sampler.model, STRING, 0, 0,
                   0),
    { .name = "input_messages", .type = JUDGE_FIELD_OBJECT,
      .fields = judge_openai_input_fields },
    judge_field_as("sampling_params", judge_openai_plan_t, sampler.sampling,
                   ANY_OBJECT, 0, 0, 0),
    { .name = NULL }
};


/* --- Samples ------------------------------------------------------------- */

/* In `text.format` of responses, the members of `json_schema` are beside the
 * type. */

static judge_rc_e
judge_openai_plan_format(judge_openai_plan_t *plan)
{
    judge_buf_t          buf;
    const judge_json_t  *format;
    judge_json_writer_t  w;
    judge_arena_t       *arena = plan->parse.arena;

    format = judge_json_member(plan->sampler.sampling, "response_format",
                               JUDGE_JSON_OBJECT);
    if (format) {
        plan->sampler.format = judge_json_value_text(arena, format);
        return plan->sampler.format.data ? JUDGE_OK : JUDGE_NOMEM;
    }

    format = judge_json_member(judge_json_get(plan->sampler.sampling, "text"),
                               "format", JUDGE_JSON_OBJECT);
    if (format == NULL) {
        return JUDGE_OK;
    }

    judge_json_begin_object(&w, &buf, arena);
    judge_json_put_str(&w, "type", judge_json_string(format, "type"));

    if (judge_str_eq_c(judge_json_string(format, "type"), "json_schema")) {
        judge_json_key(&w, "json_schema");
        judge_json_value(&w, format);
    }

    plan->sampler.format = judge_json_text(&w);

    return plan->sampler.format.data ? JUDGE_OK : JUDGE_NOMEM;
}


static judge_rc_e
judge_openai_plan_samples(judge_openai_plan_t *plan)
{
    judge_rc_e             rc;
    openai_grader_t       *sampler = &plan->sampler;
    judge_openai_parse_t  *p = &plan->parse;

    p->path = JUDGE_STR("data_source");
    plan->samples = true;

    rc = judge_openai_parse_model(p, "model", sampler->model);
    if (rc != JUDGE_OK) {
        return rc;
    }

    if (judge_json_first(sampler->sampling, "tools")) {
        return judge_openai_parse_fail(p, "sampling_params.tools", JUDGE_STR(
                   "models get no tools here"));
    }

    if (judge_str_eq_c(plan->input, "template") && sampler->messages.count) {
        plan->reference = (judge_str_t) { 0, NULL };
        rc = judge_openai_messages_read(p, "input_messages.template", sampler);

    } else if (judge_str_eq_c(plan->input, "item_reference")
               && plan->reference.data)
    {
        plan->reference = judge_str_printf(p->arena, "{{%.*s}}",
                                           judge_str_args(plan->reference));
        rc = plan->reference.data
             ? judge_openai_parse_template(p, "input_messages.item_reference",
                                           plan->reference)
             : JUDGE_NOMEM;
    } else {
        return judge_openai_parse_fail(p, "input_messages", JUDGE_STR(
                   "expected a \"template\", or an \"item_reference\""));
    }

    return rc ? rc : judge_openai_plan_format(plan);
}


/* --- Graders ------------------------------------------------------------- */

static judge_rc_e
judge_openai_plan_graders(judge_openai_plan_t *plan,
    const judge_json_t *criteria)
{
    size_t                 i;
    judge_rc_e             rc = JUDGE_OK;
    const judge_json_t    *v;
    judge_openai_parse_t  *p = &plan->parse;

    if (criteria == NULL || criteria->type != JUDGE_JSON_ARRAY
        || criteria->count == 0 || criteria->count > JUDGE_OPENAI_CRITERIA)
    {
        return judge_invalid(p->error, judge_str_printf(p->arena,
                   "testing_criteria: expected an array of 1 to %d graders",
                   JUDGE_OPENAI_CRITERIA));
    }

    for (v = criteria->first, i = 0; v && rc == JUDGE_OK; v = v->next, i++) {
        p->path = judge_str_printf(p->arena, "testing_criteria[%zu]", i);
        rc = p->path.data ? judge_openai_grader_parse(p, v) : JUDGE_NOMEM;
    }

    return rc;
}


judge_rc_e
judge_openai_plan_read(judge_openai_plan_t *plan, const judge_json_t *source,
    const judge_json_t *criteria)
{
    judge_rc_e             rc;
    judge_openai_parse_t  *p = &plan->parse;

    rc = judge_fields_bind(p->arena, judge_openai_plan_fields, source,
                           JUDGE_STR("data_source"), plan, p->error);
    if (rc != JUDGE_OK) {
        return rc;
    }

    if (!judge_str_caseamong(plan->source.type, judge_openai_sources)) {
        return judge_invalid(p->error, JUDGE_STR(
            "data_source.source.type: expected \"file_content\" or"
            " \"file_id\"; no completions and responses are stored here"));
    }

    if (!judge_str_eq_c(plan->type, "jsonl")) {
        rc = judge_openai_plan_samples(plan);
    }

    return rc ? rc : judge_openai_plan_graders(plan, criteria);
}


/* --- Evals --------------------------------------------------------------- */

static judge_rc_e
judge_openai_eval_check(judge_req_t *r)
{
    judge_rc_e       rc;
    judge_str_t      why;
    judge_openai_t  *c = r->ctx;
    judge_schema_t  *compiled;

    if (!judge_str_eq_c(c->config.type, "custom")) {
        return judge_invalid(&r->error, JUDGE_STR(
            "data_source_config.type: expected \"custom\"; no completions are"
            " stored here, so give the items to the run"));
    }

    if (c->config.schema == NULL) {
        return judge_invalid(&r->error, JUDGE_STR(
            "data_source_config.item_schema: expected a JSON Schema"));
    }

    rc = judge_schema_read(r->arena, c->config.schema, &compiled, &why);
    if (rc != JUDGE_INVALID) {
        return rc;
    }

    return judge_invalid(&r->error, judge_str_printf(r->arena,
               "data_source_config.item_schema: %.*s", judge_str_args(why)));
}


/* Runs in a thread; makes the stored form: items have the schema, and samples
 * the form of OpenAI. */

static void
judge_openai_eval_make(judge_req_t *r)
{
    bool                 samples;
    judge_str_t          schema, criteria;
    judge_openai_t      *c = r->ctx;
    judge_openai_row_t  *row = &c->create.row;

    judge_openai_plan_begin(&c->plan, r->service, r->arena, &r->error);
    r->rc = judge_openai_eval_check(r);
    r->rc = r->rc ? r->rc : judge_openai_plan_graders(&c->plan, c->criteria);
    if (r->rc != JUDGE_OK) {
        return;
    }

    samples = c->config.samples.value;
    schema = judge_json_value_text(r->arena, c->config.schema);
    criteria = judge_json_value_text(r->arena, c->criteria);
    row->body = judge_str_printf(r->arena, "{\"data_source_config\":{\"type\":"
        "\"custom\",\"schema\":{\"type\":\"object\",\"properties\":{\"item\":"
        "%.*s%s},\"required\":[\"item\"%s]}},\"testing_criteria\":%.*s}",
        judge_str_args(schema),
        samples ? ",\"sample\":{\"type\":\"object\"}" : "",
        samples ? ",\"sample\"" : "", judge_str_args(criteria));
    r->rc = schema.data && criteria.data && row->body.data
            ? judge_json_parse(r->arena, row->body, &c->eval, NULL)
            : JUDGE_NOMEM;
    if (r->rc == JUDGE_INVALID) {
        r->error = JUDGE_STR("data_source_config.item_schema: expected a"
                             " schema of fewer levels");
    }
}


static void
judge_openai_eval_create(judge_req_t *r)
{
    ((judge_openai_t *) r->ctx)->plan.next = judge_openai_create;
    judge_compute(r, judge_openai_eval_make, judge_openai_plan_judges);
}


/* --- The items ----------------------------------------------------------- */

/* Adds an item: an object with `item`, and `sample` if the answer of a model
 * is given. */

static judge_rc_e
judge_openai_item_add(judge_req_t *r, const judge_json_t *v)
{
    judge_rc_e              rc;
    judge_str_t             why = { 0, NULL }, text;
    judge_openai_t         *c = r->ctx;
    judge_allowance_t       steps = { .steps = JUDGE_OPENAI_CHECKS };
    const judge_json_t     *item;
    judge_openai_create_t  *create = &c->create;

    if (create->count == JUDGE_OPENAI_ITEMS) {
        return judge_invalid(&r->error, judge_str_printf(r->arena,
                   "data_source.source: expected at most %d items",
                   JUDGE_OPENAI_ITEMS));
    }

    judge_regex_charge(c->reader, &steps);
    item = judge_json_member(v, "item", JUDGE_JSON_OBJECT);
    rc = item ? judge_schema_check(c->schema, item, r->arena, c->reader,
                                   &steps, &why)
              : judge_invalid(&why, JUDGE_STR("expected an object with the"
                                              " member \"item\""));
    if (rc == JUDGE_BUSY) {
        rc = judge_invalid(&why, JUDGE_STR("the schema takes too long for"
                                           " it"));
    }

    text = judge_json_value_text(r->arena, v);
    create->items[create->count++] = text;
    c->bytes += text.len;

    if (rc == JUDGE_OK && text.len > r->service->settings.max_text) {
        rc = judge_invalid(&why, judge_str_printf(r->arena, "expected at most"
                           " %zu bytes", r->service->settings.max_text));
    }

    if (rc == JUDGE_INVALID) {
        return judge_invalid(&r->error, judge_str_printf(r->arena,
                   "data_source.source: item %zu: %.*s", create->count,
                   (int) (why.len < 500 ? why.len : 500), why.data));
    }

    return rc ? rc : text.data ? JUDGE_OK : JUDGE_NOMEM;
}


static judge_rc_e
judge_openai_items_of_file(judge_req_t *r, judge_str_t rest)
{
    size_t         line;
    judge_rc_e     rc;
    judge_str_t    text, why;
    judge_json_t  *v;

    if (judge_str_starts(rest, JUDGE_STR(JUDGE_OPENAI_MARK))) {
        rest = judge_str_from(rest, sizeof(JUDGE_OPENAI_MARK) - 1);
    }

    for (line = 1; rest.len; line++) {
        text = judge_str_trim(judge_str_until(&rest, '\n'), " \t\r");
        if (text.len == 0) {
            continue;
        }

        rc = judge_json_parse(r->arena, text, &v, &why);
        if (rc == JUDGE_INVALID) {
            return judge_invalid(&r->error, judge_str_printf(r->arena,
                       "data_source.source.id: line %zu of the file: %.*s",
                       line, judge_str_args(why)));
        }

        rc = rc == JUDGE_OK ? judge_openai_item_add(r, v) : rc;
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_openai_items_read(judge_req_t *r)
{
    judge_rc_e           rc;
    judge_str_t          why;
    judge_openai_t      *c = r->ctx;
    const judge_json_t  *v;

    v = judge_json_get(c->eval, "data_source_config");
    v = judge_json_get(judge_json_get(v, "schema"), "properties");
    v = judge_json_member(v, "item", JUDGE_JSON_OBJECT);

    c->reader = judge_regex_reader(r->arena);
    c->create.items = judge_array_alloc(r->arena, JUDGE_OPENAI_ITEMS,
                                        sizeof(judge_str_t));
    if (c->reader == NULL || c->create.items == NULL) {
        return JUDGE_NOMEM;
    }

    rc = v ? judge_schema_read(r->arena, v, &c->schema, &why) : JUDGE_ERROR;
    if (rc != JUDGE_OK) {
        return rc == JUDGE_INVALID ? JUDGE_ERROR : rc;
    }

    v = c->plan.source.content;

    if (judge_str_eq_c(c->plan.source.type, "file_id")) {
        rc = c->one.reads
             ? judge_openai_items_of_file(r, c->one.bytes)
             : judge_invalid(&r->error, JUDGE_STR(
                   "data_source.source.id: expected a file's id"));

    } else if (v == NULL || v->type != JUDGE_JSON_ARRAY) {
        rc = judge_invalid(&r->error, JUDGE_STR(
                 "data_source.source.content: expected an array"));
    } else {
        for (v = v->first; v && rc == JUDGE_OK; v = v->next) {
            rc = judge_openai_item_add(r, v);
        }
    }

    return rc != JUDGE_OK || c->create.count ? rc
           : judge_invalid(&r->error, JUDGE_STR(
                 "data_source.source: expected at least one item"));
}


/* --- The run ------------------------------------------------------------- */

/* Returns the body of the run.  Many items are not repeated in it: each has a
 * row. */

static judge_str_t
judge_openai_run_body(judge_req_t *r)
{
    judge_buf_t          buf;
    judge_str_t          model;
    judge_json_t        *content;
    judge_openai_t      *c = r->ctx;
    judge_json_writer_t  w;

    content = c->plan.source.content;
    if (content && content->type == JUDGE_JSON_ARRAY
        && c->bytes > JUDGE_OPENAI_SHOWN)
    {
        content->first = content->last = NULL;
        content->count = 0;
    }

    model = c->plan.sampler.model;
    judge_json_begin_object(&w, &buf, r->arena);
    judge_json_put_str(&w, "model", model.data ? model : JUDGE_STR(""));
    judge_json_key(&w, "data_source");
    judge_json_value(&w, c->source);

    return judge_json_text(&w);
}


static void
judge_openai_run_make(judge_req_t *r)
{
    judge_buf_t          buf;
    judge_openai_t      *c = r->ctx;
    judge_openai_row_t  *row = &c->create.row;
    judge_json_writer_t  w;

    judge_openai_plan_begin(&c->plan, r->service, r->arena, &r->error);
    r->rc = judge_json_parse(r->arena, row->body, &c->eval, NULL);
    r->rc = r->rc ? r->rc
            : judge_openai_plan_read(&c->plan, c->source,
                                     judge_json_get(c->eval,
                                                    "testing_criteria"));
    r->rc = r->rc ? r->rc : judge_openai_items_read(r);
    if (r->rc != JUDGE_OK) {
        return;
    }

    judge_json_begin_object(&w, &buf, r->arena);
    judge_openai_progress_write(&w, &c->plan, c->create.count);
    judge_openai_fault_write(&w, NULL, (judge_str_t) { 0, NULL });
    row->progress = judge_json_text(&w);
    row->body = judge_openai_run_body(r);
    r->rc = row->progress.data && row->body.data ? JUDGE_OK : JUDGE_NOMEM;
}


static void
judge_openai_run_made(judge_req_t *r)
{
    judge_openai_t  *c = r->ctx;

    if (c->plan.parse.asks && !judge_openai_may_ask(r, "runs with models")) {
        return;
    }

    c->create.queue_at = judge_now(r->service);
    judge_openai_create(r);
}


/* The eval is found together with the file that the run names. */

static bool
judge_openai_run_prepare(judge_req_t *r)
{
    judge_openai_t      *c = r->ctx;
    judge_openai_one_t  *one = &c->one;
    const judge_json_t  *source = judge_json_get(c->source, "source");

    one->kind = "eval";
    one->id = r->params[0];
    one->parent = JUDGE_STR("");

    if (judge_str_eq_c(judge_json_string(source, "type"), "file_id")) {
        one->file = judge_json_string(source, "id");
        one->reads = one->file.data != NULL;
    }

    return !one->reads || (one->file.len <= JUDGE_OPENAI_ID_MAX
                           && !memchr(one->file.data, '\0', one->file.len))
           || judge_fail(r, 404, "there is no such file");
}


static void
judge_openai_run_create(judge_req_t *r)
{
    judge_openai_t  *c = r->ctx;

    if (c->one.reads && c->one.bytes.data == NULL) {
        judge_fail(r, 400, "data_source.source.id: there is no such file");
        return;
    }

    c->create.row.body = c->one.row.body;        /* until it is the run's */
    judge_compute(r, judge_openai_run_make, judge_openai_run_made);
}


const judge_route_t  judge_openai_eval_routes[] = {
    { judge_route(POST, JUDGE_OPENAI_EVALS, JUDGE_MAY_WRITE_JUDGES, 0,
                  judge_openai_t),
      .body = judge_openai_eval_fields, .handler = judge_openai_eval_create },
    { judge_route(POST, JUDGE_OPENAI_RUNS, JUDGE_MAY_WRITE_EVALUATIONS,
                  JUDGE_ROUTE_LARGE_BODY, judge_openai_t),
      .body = judge_openai_run_fields,
      .op = { judge_route_run(JUDGE_OP_OPENAI_FIND, judge_openai_t, one.),
              .prepare = judge_openai_run_prepare,
              .missing = "there is no such eval",
              .next = judge_openai_run_create } },
    { .pattern = NULL }
};
