/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Graders out of JSON. */


#include <string.h>

#include "extensions/openai/openai_calculate.h"
#include "extensions/openai/openai_grader_type.h"
#include "extensions/openai/openai_similarity.h"


#define JUDGE_OPENAI_GRADER_NAME  200  /* characters */
#define JUDGE_OPENAI_LABELS       100
#define JUDGE_OPENAI_LABEL        200  /* characters */
#define JUDGE_OPENAI_MESSAGES     32
#define JUDGE_OPENAI_SAMPLING     2000 /* bytes */

#define judge_openai_field(member, kind, need, least, most)                   \
    judge_field(openai_grader_t, member, kind, need, least, most)
#define judge_openai_field_name                                               \
    judge_openai_field(name, STRING, JUDGE_REQUIRED, 1,                       \
                       JUDGE_OPENAI_GRADER_NAME)
#define judge_openai_field_threshold(least, most)                             \
    judge_field_as("pass_threshold", openai_grader_t, threshold, NUMBER, 0,   \
                   least, most)
#define judge_openai_field_model                                              \
    judge_openai_field(model, STRING, JUDGE_REQUIRED, 1, 200)
#define judge_openai_field_asked                                              \
    judge_field_as("input", openai_grader_t, asked, ANY, JUDGE_REQUIRED, 0, 0)


/* What is being parsed. */
typedef struct {
    judge_arena_t     *arena;
    openai_problem_t  *problem;
    judge_str_t        path;           /* of the grader; ends with a dot */
    bool               sample;
    bool               part;           /* of a multi grader */
} judge_openai_parse_t;


static openai_grader_t *judge_openai_parse_grader(judge_openai_parse_t *p,
    const judge_json_t *value);
static bool judge_openai_parse_check(judge_openai_parse_t *p,
    openai_grader_t *grader);
static bool judge_openai_parse_label(judge_openai_parse_t *p,
    openai_grader_t *grader);
static bool judge_openai_parse_score(judge_openai_parse_t *p,
    openai_grader_t *grader);
static bool judge_openai_parse_multi(judge_openai_parse_t *p,
    openai_grader_t *grader);


static const char *const  judge_openai_operations[] = {
    "eq", "ne", "like", "ilike", NULL
};

static const judge_field_t  judge_openai_string_fields[] = {
    judge_openai_field_name,
    judge_openai_field(input, STRING, JUDGE_REQUIRED, 0,
                       JUDGE_OPENAI_TEMPLATE),
    judge_openai_field(reference, STRING, JUDGE_REQUIRED, 0,
                       JUDGE_OPENAI_TEMPLATE),
    judge_field_one_of(openai_grader_t, operation, CHOICE, JUDGE_REQUIRED,
                       judge_openai_operations),
    { .name = NULL }
};

static const judge_field_t  judge_openai_similarity_fields[] = {
    judge_openai_field_name,
    judge_openai_field(input, STRING, JUDGE_REQUIRED, 0,
                       JUDGE_OPENAI_TEMPLATE),
    judge_openai_field(reference, STRING, JUDGE_REQUIRED, 0,
                       JUDGE_OPENAI_TEMPLATE),
    judge_field_one_of_as("evaluation_metric", openai_grader_t, metric, CHOICE,
                          JUDGE_REQUIRED, judge_openai_metrics),
    judge_openai_field_threshold(0, 1),
    { .name = NULL }
};

static const judge_field_t  judge_openai_label_fields[] = {
    judge_openai_field_name,
    judge_openai_field_model,
    judge_openai_field_asked,
    judge_field_strings(openai_grader_t, labels, JUDGE_REQUIRED, 1,
                        JUDGE_OPENAI_LABELS, JUDGE_OPENAI_LABEL),
    judge_field_strings_as("passing_labels", openai_grader_t, passing,
                           JUDGE_REQUIRED, 1, JUDGE_OPENAI_LABELS,
                           JUDGE_OPENAI_LABEL),
    judge_field_as("sampling_params", openai_grader_t, sampling, ANY_OBJECT, 0,
                   0, JUDGE_OPENAI_SAMPLING),
    { .name = NULL }
};

static const judge_field_t  judge_openai_score_fields[] = {
    judge_openai_field_name,
    judge_openai_field_model,
    judge_openai_field_asked,
    judge_openai_field(range, ANY, 0, 0, 0),
    judge_openai_field_threshold(-1e9, 1e9),
    judge_field_as("sampling_params", openai_grader_t, sampling, ANY_OBJECT, 0,
                   0, JUDGE_OPENAI_SAMPLING),
    { .name = NULL }
};

static const judge_field_t  judge_openai_multi_fields[] = {
    judge_openai_field_name,
    judge_openai_field(graders, ANY_OBJECT, JUDGE_REQUIRED, 0, 0),
    judge_field_as("calculate_output", openai_grader_t, formula, STRING,
                   JUDGE_REQUIRED, 1, JUDGE_OPENAI_FORMULA),
    judge_openai_field_threshold(-1e9, 1e9),
    { .name = NULL }
};

static const judge_field_t  judge_openai_judge_fields[] = {
    judge_openai_field_name,
    judge_openai_field(judge_id, STRING, JUDGE_REQUIRED, 1, 64),
    judge_openai_field(input, STRING, JUDGE_REQUIRED, 1,
                       JUDGE_OPENAI_TEMPLATE),
    judge_openai_field(source, STRING, 0, 0, JUDGE_OPENAI_TEMPLATE),
    judge_openai_field_threshold(0, 100),
    { .name = NULL }
};

/* In the order of judge_openai_grader_e. */
static const struct {
    const char            *name;
    const judge_field_t   *fields;
    bool                 (*read)(judge_openai_parse_t *p,
                                 openai_grader_t *grader);
    double                 threshold;  /* by default */
} judge_openai_types[] = {
    { "string_check", judge_openai_string_fields, judge_openai_parse_check,
      1 },
    { "text_similarity", judge_openai_similarity_fields,
      judge_openai_parse_check, 0.5 },
    { "label_model", judge_openai_label_fields, judge_openai_parse_label, 1 },
    { "score_model", judge_openai_score_fields, judge_openai_parse_score, 0 },
    { "multi", judge_openai_multi_fields, judge_openai_parse_multi, 0.5 },
    { "judge", judge_openai_judge_fields, judge_openai_parse_check, 50 },
    { NULL, NULL, NULL, 0 }
};


judge_str_t
judge_openai_grader_type(const openai_grader_t *grader)
{
    return judge_str_c(judge_openai_types[grader->type].name);
}


/* --- Problems ------------------------------------------------------------ */

static bool
judge_openai_parse_fail(judge_openai_parse_t *p, judge_str_t field,
    judge_str_t message)
{
    p->problem->param = judge_str_printf(p->arena, "%.*s%.*s",
                                         (int) p->path.len, p->path.data,
                                         (int) field.len, field.data);
    p->problem->message = p->problem->param.data ? message
                                                 : (judge_str_t) { 0, NULL };

    return false;
}


/* A sentence of judge_fields_bind() begins with the path. */

static bool
judge_openai_parse_unbound(judge_openai_parse_t *p, judge_str_t sentence)
{
    const char   *colon;
    judge_str_t   field = { 0, "" };

    colon = sentence.data ? memchr(sentence.data, ':', sentence.len) : NULL;

    if (colon && (size_t) (colon - sentence.data) + 2 <= sentence.len) {
        field = (judge_str_t) { (size_t) (colon - sentence.data),
                                sentence.data };
        sentence = judge_str_from(sentence, field.len + 2);
    }

    return judge_openai_parse_fail(p, field, sentence);
}


static bool
judge_openai_parse_template(judge_openai_parse_t *p, judge_str_t field,
    judge_str_t text)
{
    judge_rc_e   rc;
    judge_str_t  error = { 0, NULL };

    rc = text.data ? judge_openai_template_check(p->arena, text, p->sample,
                                                 &error)
                   : JUDGE_OK;

    return rc == JUDGE_OK || judge_openai_parse_fail(p, field, error);
}


static bool
judge_openai_parse_check(judge_openai_parse_t *p, openai_grader_t *grader)
{
    return judge_openai_parse_template(p, JUDGE_STR("input"), grader->input)
           && judge_openai_parse_template(p, JUDGE_STR("reference"),
                                          grader->reference)
           && judge_openai_parse_template(p, JUDGE_STR("source"),
                                          grader->source);
}


/* --- Those by models ----------------------------------------------------- */

/* Adds the text of a part: a string, or an object with the member text. */

static bool
judge_openai_parse_text(judge_buf_t *buf, const judge_json_t *v)
{
    const judge_json_t  *text, *type;

    if (v->type == JUDGE_JSON_OBJECT) {
        type = judge_json_get(v, "type");
        text = judge_json_get(v, "text");
        v = text && type && type->type == JUDGE_JSON_STRING
            && (judge_str_eq_c(type->string, "input_text")
                || judge_str_eq_c(type->string, "output_text")
                || judge_str_eq_c(type->string, "text")) ? text : v;
    }

    if (v->type != JUDGE_JSON_STRING || buf->len > JUDGE_OPENAI_TEMPLATE) {
        return false;
    }

    if (buf->len) {
        judge_buf_c(buf, "\n");
    }

    judge_buf_str(buf, v->string);

    return true;
}


static bool
judge_openai_parse_message(judge_openai_parse_t *p, const judge_json_t *v,
    size_t i, judge_openai_message_t *out)
{
    bool                 fine;
    judge_buf_t          buf;
    judge_str_t          field;
    const judge_json_t  *role, *content, *part;

    static const char *const  roles[] = {
        "system", "developer", "user", "assistant", NULL
    };

    field = judge_str_printf(p->arena, "input[%zu]", i);
    if (field.data == NULL) {
        return judge_openai_parse_fail(p, JUDGE_STR("input"), field);
    }

    role = v->type == JUDGE_JSON_OBJECT ? judge_json_get(v, "role") : NULL;
    content = role ? judge_json_get(v, "content") : NULL;

    if (content == NULL || role->type != JUDGE_JSON_STRING
        || !judge_str_caseamong(role->string, roles))
    {
        return judge_openai_parse_fail(p, field, JUDGE_STR("expected a message"
                   " with content, and a role that is system, developer, user"
                   " or assistant"));
    }

    judge_buf_init(&buf, p->arena);
    fine = true;

    if (content->type == JUDGE_JSON_ARRAY) {
        for (part = content->first; part && fine; part = part->next) {
            fine = judge_openai_parse_text(&buf, part);
        }
    } else {
        fine = judge_openai_parse_text(&buf, content);
    }

    if (!fine || buf.len > JUDGE_OPENAI_TEMPLATE) {
        return judge_openai_parse_fail(p, field, JUDGE_STR("expected content"
                   " that is text of at most 100000 bytes; images and audio"
                   " are not graded here"));
    }

    out->role = judge_str_eq_c(role->string, "developer")
                ? JUDGE_STR("system") : role->string;
    out->text = judge_buf_view(&buf);

    return out->text.data ? judge_openai_parse_template(p, field, out->text)
                          : judge_openai_parse_fail(p, field, out->text);
}


static bool
judge_openai_parse_messages(judge_openai_parse_t *p, openai_grader_t *grader)
{
    size_t               i;
    const judge_json_t  *v = grader->asked;

    if (v->type != JUDGE_JSON_ARRAY || v->count == 0
        || v->count > JUDGE_OPENAI_MESSAGES)
    {
        return judge_openai_parse_fail(p, JUDGE_STR("input"), JUDGE_STR(
                   "expected an array of 1 to 32 messages"));
    }

    grader->nmessages = v->count;
    grader->messages = judge_array_alloc(p->arena, v->count,
                                         sizeof(judge_openai_message_t));
    if (grader->messages == NULL) {
        return judge_openai_parse_fail(p, JUDGE_STR("input"),
                                       (judge_str_t) { 0, NULL });
    }

    for (v = v->first, i = 0; v; v = v->next, i++) {
        if (!judge_openai_parse_message(p, v, i, &grader->messages[i])) {
            return false;
        }
    }

    return true;
}


static bool
judge_openai_parse_label(judge_openai_parse_t *p, openai_grader_t *grader)
{
    size_t              i;
    const judge_str_t  *passing = grader->passing.items;

    for (i = 0; i < grader->passing.count; i++) {
        if (judge_str_index(grader->labels.items, grader->labels.count,
                            passing[i])
            == grader->labels.count)
        {
            return judge_openai_parse_fail(p, JUDGE_STR("passing_labels"),
                                           JUDGE_STR("expected labels that"
                                                     " stand in labels, too"));
        }
    }

    return judge_openai_parse_messages(p, grader);
}


static bool
judge_openai_parse_score(judge_openai_parse_t *p, openai_grader_t *grader)
{
    const judge_json_t  *v = grader->range;

    grader->low = 0;
    grader->high = 1;

    if (v) {
        if (v->type != JUDGE_JSON_ARRAY || v->count != 2
            || (v->first->type != JUDGE_JSON_INTEGER
                && v->first->type != JUDGE_JSON_NUMBER)
            || (v->last->type != JUDGE_JSON_INTEGER
                && v->last->type != JUDGE_JSON_NUMBER)
            || judge_json_double(v->first) >= judge_json_double(v->last))
        {
            return judge_openai_parse_fail(p, JUDGE_STR("range"), JUDGE_STR(
                       "expected two numbers, the smaller one first"));
        }

        grader->low = judge_json_double(v->first);
        grader->high = judge_json_double(v->last);
    }

    if (!grader->threshold.set) {
        grader->threshold = (judge_number_t) {
            grader->low / 2 + grader->high / 2, true
        };
    }

    return judge_openai_parse_messages(p, grader);
}


/* --- Multi --------------------------------------------------------------- */

static bool
judge_openai_parse_part(judge_openai_parse_t *p, openai_grader_t *grader,
    const judge_json_t *v, judge_str_t name)
{
    judge_openai_parse_t  inner = *p;

    inner.part = true;
    inner.path = judge_str_printf(p->arena, "%.*sgraders.%.*s.",
                                  (int) p->path.len, p->path.data,
                                  (int) (name.len < 100 ? name.len : 100),
                                  name.data);
    if (inner.path.data == NULL) {
        return judge_openai_parse_fail(p, JUDGE_STR("graders"), inner.path);
    }

    grader->names[grader->nparts] = name;
    grader->parts[grader->nparts] = judge_openai_parse_grader(&inner, v);

    return grader->parts[grader->nparts++] != NULL;
}


/* Graders by name, or a single one, whose name is in it. */

static bool
judge_openai_parse_parts(judge_openai_parse_t *p, openai_grader_t *grader)
{
    const judge_json_t  *v, *name;

    v = judge_json_get(grader->graders, "type");

    if (v && v->type == JUDGE_JSON_STRING) {
        name = judge_json_get(grader->graders, "name");
        return judge_openai_parse_part(p, grader, grader->graders,
                                       name && name->type == JUDGE_JSON_STRING
                                       ? name->string : JUDGE_STR("name"));
    }

    for (v = grader->graders->first; v; v = v->next) {
        if (!judge_openai_parse_part(p, grader, v, v->key)) {
            return false;
        }
    }

    return true;
}


static bool
judge_openai_parse_multi(judge_openai_parse_t *p, openai_grader_t *grader)
{
    size_t       n;
    double       value;
    const char  *error;

    n = grader->graders->count;

    if (p->part || n == 0 || n > JUDGE_OPENAI_CALLS) {
        return judge_openai_parse_fail(p, JUDGE_STR("graders"), p->part
                   ? JUDGE_STR("a multi grader can't be part of another one")
                   : JUDGE_STR("expected 1 to 16 graders by name"));
    }

    grader->parts = judge_array_alloc(p->arena, n, sizeof(openai_grader_t *));
    grader->names = judge_array_alloc(p->arena, n, sizeof(judge_str_t));
    if (grader->parts == NULL || grader->names == NULL) {
        return judge_openai_parse_fail(p, JUDGE_STR("graders"),
                                       (judge_str_t) { 0, NULL });
    }

    if (!judge_openai_parse_parts(p, grader)) {
        return false;
    }

    return judge_openai_calculate(grader->formula, grader->names, NULL,
                                  grader->nparts, &value, &error)
           == JUDGE_OPENAI_FORMULA_FINE
           || judge_openai_parse_fail(p, JUDGE_STR("calculate_output"),
                                      judge_str_c(error));
}


/* --- All ----------------------------------------------------------------- */

static int
judge_openai_parse_type(judge_openai_parse_t *p, const judge_json_t *value)
{
    int                  i;
    const judge_json_t  *type;

    type = value->type == JUDGE_JSON_OBJECT ? judge_json_get(value, "type")
                                            : NULL;

    if (type && type->type == JUDGE_JSON_STRING) {
        for (i = 0; judge_openai_types[i].name; i++) {
            if (judge_str_eq_c(type->string, judge_openai_types[i].name)) {
                return i;
            }
        }

        if (judge_str_eq_c(type->string, "python")) {
            (void) judge_openai_parse_fail(p, JUDGE_STR("type"), JUDGE_STR(
                "programs are not run here; take \"multi\" with"
                " calculate_output for a formula over other graders, or"
                " \"judge\" for a judge, whose checks decide formats, lengths,"
                " patterns and JSON Schemas"));
            return -1;
        }
    }

    (void) judge_openai_parse_fail(p, JUDGE_STR("type"), JUDGE_STR("expected"
        " one of string_check, text_similarity, label_model, score_model,"
        " multi, judge"));

    return -1;
}


static openai_grader_t *
judge_openai_parse_grader(judge_openai_parse_t *p, const judge_json_t *value)
{
    int               type;
    judge_rc_e        rc;
    judge_str_t       error = { 0, NULL };
    openai_grader_t  *grader;

    type = judge_openai_parse_type(p, value);
    if (type < 0) {
        return NULL;
    }

    grader = judge_calloc(p->arena, sizeof(openai_grader_t));
    if (grader == NULL) {
        return NULL;
    }

    grader->type = (judge_openai_grader_e) type;

    rc = judge_fields_bind(p->arena, judge_openai_types[type].fields, value,
                           JUDGE_STR(""), grader, &error);
    if (rc != JUDGE_OK) {
        (void) judge_openai_parse_unbound(p, error);
        return NULL;
    }

    if (!judge_openai_types[type].read(p, grader)) {
        return NULL;
    }

    if (!grader->threshold.set) {
        grader->threshold.value = judge_openai_types[type].threshold;
    }

    return grader;
}


openai_grader_t *
judge_openai_grader_parse(judge_arena_t *arena, const judge_json_t *value,
    bool sample_allowed, openai_problem_t *problem)
{
    judge_openai_parse_t  p = {
        .arena = arena, .problem = problem, .path = JUDGE_STR(""),
        .sample = sample_allowed
    };

    *problem = (openai_problem_t) { { 0, NULL }, { 0, NULL } };

    return judge_openai_parse_grader(&p, value);
}
