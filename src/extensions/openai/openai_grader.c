/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "base/text/utf8.h"
#include "analysis/checks/similar.h"
#include "analysis/text/char.h"
#include "work/llm/llm_catalog.h"
#include "extensions/openai/openai.h"


#define JUDGE_OPENAI_MESSAGES  32
#define JUDGE_OPENAI_LABELS    100
#define JUDGE_OPENAI_WORD      200     /* characters of a name, or a label */
#define JUDGE_OPENAI_SAMPLING  2000    /* bytes */

#define judge_openai_field(member, kind, need, least, most)                   \
    judge_field(openai_grader_t, member, kind, need, least, most)
#define judge_openai_field_as(called, member, kind, need, least, most)        \
    judge_field_as(called, openai_grader_t, member, kind, need, least, most)
#define judge_openai_field_text(member)                                       \
    judge_openai_field(member, STRING, JUDGE_REQUIRED, 0,                     \
                       JUDGE_OPENAI_TEMPLATE)
#define judge_openai_field_word(member)                                       \
    judge_openai_field(member, STRING, JUDGE_REQUIRED, 1, JUDGE_OPENAI_WORD)
#define judge_openai_field_words(called, member)                              \
    judge_field_strings_as(called, openai_grader_t, member, JUDGE_REQUIRED,   \
                           1, JUDGE_OPENAI_LABELS, JUDGE_OPENAI_WORD)
#define judge_openai_field_threshold(least, most)                             \
    judge_openai_field_as("pass_threshold", threshold, NUMBER, 0, least, most)
#define judge_openai_field_model                                              \
    judge_openai_field_word(model),                                           \
    { .name = "input", .type = JUDGE_FIELD_LIST, .flags = JUDGE_REQUIRED,     \
      .offset = offsetof(openai_grader_t, messages), .min = 1,                \
      .max = JUDGE_OPENAI_MESSAGES, .fields = judge_openai_message_fields,    \
      .item_size = sizeof(judge_openai_message_t) },                          \
    judge_openai_field_as("sampling_params", sampling, ANY_OBJECT, 0, 0,      \
                          JUDGE_OPENAI_SAMPLING)


typedef enum {
    JUDGE_OPENAI_EQ, JUDGE_OPENAI_NE, JUDGE_OPENAI_LIKE, JUDGE_OPENAI_ILIKE
} judge_openai_operation_e;

static const char *const  judge_openai_operations[] = {
    "eq", "ne", "like", "ilike", NULL
};

static const judge_field_t  judge_openai_check_fields[] = {
    judge_openai_field_word(name),
    judge_openai_field_text(input),
    judge_openai_field_text(reference),
    judge_field_one_of(openai_grader_t, operation, CHOICE, JUDGE_REQUIRED,
                       judge_openai_operations),
    { .name = NULL }
};

static const judge_field_t  judge_openai_similarity_fields[] = {
    judge_openai_field_word(name),
    judge_openai_field_text(input),
    judge_openai_field_text(reference),
    judge_field_one_of_as("evaluation_metric", openai_grader_t, metric, CHOICE,
                          JUDGE_REQUIRED, judge_like_graders),
    judge_openai_field_threshold(0, 1),
    { .name = NULL }
};

static const char *const  judge_openai_roles[] = {
    "system", "developer", "user", "assistant", NULL
};

const judge_field_t  judge_openai_message_fields[] = {
    judge_field_one_of(judge_openai_message_t, role, WORD, JUDGE_REQUIRED,
                       judge_openai_roles),
    judge_field(judge_openai_message_t, content, ANY, JUDGE_REQUIRED, 0, 0),
    { .name = NULL }
};

static const judge_field_t  judge_openai_label_fields[] = {
    judge_openai_field_word(name),
    judge_openai_field_model,
    judge_openai_field_words("labels", labels),
    judge_openai_field_words("passing_labels", passing),
    { .name = NULL }
};

static const judge_field_t  judge_openai_score_fields[] = {
    judge_openai_field_word(name),
    judge_openai_field_model,
    judge_openai_field(range, ANY, 0, 0, 0),
    judge_openai_field_threshold(-1e9, 1e9),
    { .name = NULL }
};

static const judge_field_t  judge_openai_multi_fields[] = {
    judge_openai_field(name, STRING, 0, 1, JUDGE_OPENAI_WORD),
    judge_openai_field(graders, ANY_OBJECT, JUDGE_REQUIRED, 0, 0),
    judge_openai_field_as("calculate_output", formula, STRING, JUDGE_REQUIRED,
                          1, JUDGE_OPENAI_FORMULA),
    judge_openai_field_threshold(-1e9, 1e9),
    { .name = NULL }
};

static const judge_field_t  judge_openai_judge_fields[] = {
    judge_openai_field_word(name),
    judge_openai_field_word(judge_id),
    judge_openai_field_text(input),
    judge_openai_field_as("source", reference, STRING, 0, 0,
                          JUDGE_OPENAI_TEMPLATE),
    judge_openai_field_threshold(0, 100),
    { .name = NULL }
};

/* --- Texts --------------------------------------------------------------- */

static judge_rc_e
judge_openai_texts_prepare(const openai_grader_t *grader,
    const openai_subject_t *subject, openai_call_t *call)
{
    judge_rc_e  rc;

    rc = judge_openai_template_render(subject, grader->input, false,
                                      &call->input, &call->error);

    return rc != JUDGE_OK || grader->reference.data == NULL ? rc
           : judge_openai_template_render(subject, grader->reference, false,
                                          &call->source, &call->error);
}


static judge_rc_e
judge_openai_check(judge_arena_t *arena, int operation, judge_str_t input,
    judge_str_t reference, double *score)
{
    if (operation == JUDGE_OPENAI_ILIKE) {
        input = judge_char_lowered(arena, input);
        reference = judge_char_lowered(arena, reference);
        if (input.data == NULL || reference.data == NULL) {
            return JUDGE_NOMEM;
        }
    }

    *score = operation >= JUDGE_OPENAI_LIKE
             ? reference.len == 0 || judge_str_find(input, reference)
             : judge_str_eq(input, reference) == (operation
                                                  == JUDGE_OPENAI_EQ);

    return JUDGE_OK;
}


static judge_rc_e
judge_openai_texts_grade(const openai_grader_t *grader,
    const openai_subject_t *subject, openai_grade_t *grade)
{
    judge_rc_e            rc;
    const char           *metric;
    judge_arena_t        *scratch;
    const openai_call_t  *texts = &grade->call;

    if (grader->operation.set) {
        return judge_openai_check(subject->arena, grader->operation.value,
                                  texts->input, texts->source,
                                  &grade->score);
    }

    metric = judge_like_graders[grader->metric.value];
    grade->note = strcmp(metric, "cosine") == 0
                  ? "cosine: of the word vectors of this service, which are of"
                    " English words, and not of text-embedding-3-large"
                  : strcmp(metric, "meteor") == 0
                    ? "meteor: of words that are the same in small letters,"
                      " without stems and synonyms" : NULL;

    scratch = judge_arena_create(64 * 1024);
    rc = scratch ? judge_like(scratch, subject->allowance,
                              JUDGE_LIKE_GRADERS
                              + (size_t) grader->metric.value, 0,
                              texts->input, texts->source, &grade->score)
                 : JUDGE_NOMEM;
    judge_arena_destroy(scratch);

    return rc != JUDGE_BUSY && rc != JUDGE_NOT_FOUND ? rc
           : judge_openai_grade_fail(grade, JUDGE_OPENAI_FAULT_OTHER,
                 rc == JUDGE_BUSY
                 ? JUDGE_STR("the similarities of this item take too long;"
                             " expected shorter texts, or fewer of these"
                             " graders")
                 : JUDGE_STR("cosine: the input or the reference has no"
                             " English word that is known here; expected"
                             " English texts, or another metric"));
}


/* --- Multi --------------------------------------------------------------- */

/* Reads a part: a grader by its name, or the only one, which has a name. */

static judge_rc_e
judge_openai_multi_part(judge_openai_parse_t *p, openai_grader_t *grader,
    const judge_json_t *v)
{
    judge_str_t  name = v->key, shown = judge_utf8_prefix(name,
                                                          JUDGE_OPENAI_WORD);

    if (v == grader->graders) {
        name = judge_json_string(v, "name");
        shown.len = 0;
    }

    grader->names[grader->nparts++] = name.data ? name : JUDGE_STR("name");
    p->path = judge_str_printf(p->arena, "%.*s.graders%s%.*s",
                               judge_str_args(grader->path),
                               shown.len ? "." : "", judge_str_args(shown));

    return p->path.data ? judge_openai_grader_parse(p, v) : JUDGE_NOMEM;
}


static judge_rc_e
judge_openai_multi_read(judge_openai_parse_t *p, openai_grader_t *grader)
{
    bool                 one;
    size_t               n = grader->graders->count;
    double               value;
    judge_rc_e           rc = JUDGE_OK;
    const char          *error;
    const judge_json_t  *v;

    if (p->part || n == 0 || n > JUDGE_OPENAI_PARTS) {
        return judge_openai_parse_fail(p, "graders", p->part
                   ? JUDGE_STR("a multi grader can't be part of another one")
                   : JUDGE_STR("expected 1 to 16 graders by name"));
    }

    grader->names = judge_array_alloc(p->arena, n, sizeof(judge_str_t));
    if (grader->names == NULL) {
        return JUDGE_NOMEM;
    }

    p->part = true;
    one = judge_json_string(grader->graders, "type").data != NULL;

    for (v = one ? grader->graders : grader->graders->first;
         v && rc == JUDGE_OK; v = one ? NULL : v->next)
    {
        rc = judge_openai_multi_part(p, grader, v);
    }

    if (rc != JUDGE_OK) {
        return rc;
    }

    p->part = false;
    p->path = grader->path;
    error = judge_openai_calculate(grader->formula, grader->names, NULL,
                                   grader->nparts, &value);

    return error ? judge_openai_parse_fail(p, "calculate_output",
                                           judge_str_c(error))
                 : JUDGE_OK;
}


/* Computes the grade from those of the parts; the first error among them is
 * its error. */

static judge_rc_e
judge_openai_multi_grade(const openai_grader_t *grader,
    const openai_subject_t *subject, openai_grade_t *grade)
{
    size_t                 i;
    double                 scores[JUDGE_OPENAI_PARTS];
    const char            *error;
    const openai_grade_t  *part = grade - grader->nparts;

    for (i = 0; i < grader->nparts; i++, part++) {
        if (part->error.data) {
            return judge_openai_grade_fail(grade, part->fault,
                       judge_str_printf(subject->arena, "%.*s: %.*s",
                                        judge_str_args(grader->names[i]),
                                        judge_str_args(part->error)));
        }

        scores[i] = part->score;
    }

    error = judge_openai_calculate(grader->formula, grader->names, scores,
                                   grader->nparts, &grade->score);

    return error == NULL ? JUDGE_OK
           : judge_openai_grade_fail(grade, JUDGE_OPENAI_FAULT_FORMULA,
                 judge_str_printf(subject->arena, "calculate_output: %s",
                                  error));
}


static const judge_openai_type_t  judge_openai_types[] = {
    { "string_check", judge_openai_check_fields, 1, NULL,
      judge_openai_texts_prepare, judge_openai_texts_grade },
    { "text_similarity", judge_openai_similarity_fields, 0.5, NULL,
      judge_openai_texts_prepare, judge_openai_texts_grade },
    { "label_model", judge_openai_label_fields, 1, judge_openai_label_read,
      judge_openai_model_prepare, judge_openai_model_grade },
    { "score_model", judge_openai_score_fields, 0, judge_openai_score_read,
      judge_openai_model_prepare, judge_openai_model_grade },
    { "multi", judge_openai_multi_fields, 0.5, judge_openai_multi_read, NULL,
      judge_openai_multi_grade },
    { "judge", judge_openai_judge_fields, 50, NULL,
      judge_openai_texts_prepare, NULL },
    { .name = NULL }
};


/* --- Parsing ------------------------------------------------------------- */

judge_rc_e
judge_openai_parse_model(judge_openai_parse_t *p, const char *field,
    judge_str_t model)
{
    judge_str_t  names;

    if (judge_llm_catalog_find(p->settings, model) < p->settings->nmodels) {
        p->asks = true;
        return JUDGE_OK;
    }

    names = judge_llm_catalog_names(p->arena, p->settings);
    names = p->settings->nmodels     /* without the built-in engine */
            ? judge_str_from(names, sizeof(JUDGE_ENGINE_NAME ", ") - 1)
            : JUDGE_STR("none");

    return judge_openai_parse_fail(p, field, judge_str_printf(p->arena,
               "expected a model that this service routes (of %.*s)",
               (int) names.len, names.data ? names.data : ""));
}


judge_rc_e
judge_openai_grader_parse(judge_openai_parse_t *p, const judge_json_t *value)
{
    judge_rc_e                  rc;
    judge_str_t                 type;
    openai_grader_t            *grader;
    const judge_openai_type_t  *t = judge_openai_types;

    type = judge_json_string(value, "type");

    while (t->name && !judge_str_eq_c(type, t->name)) {
        t++;
    }

    if (t->name == NULL) {
        return judge_openai_parse_fail(p, "type", type.data
                   && judge_str_eq_c(type, "python") ? JUDGE_STR(
            "programs are not run here; take \"multi\" with calculate_output"
            " for a formula over other graders, or \"judge\" for a judge,"
            " whose checks decide formats, lengths, patterns and JSON Schemas")
            : JUDGE_STR("expected one of string_check, text_similarity,"
                        " label_model, score_model, multi, judge"));
    }

    grader = judge_calloc(p->arena, sizeof(openai_grader_t));
    rc = grader ? judge_fields_bind(p->arena, t->fields, value, p->path,
                                    grader, p->error)
                : JUDGE_NOMEM;
    if (rc != JUDGE_OK) {
        return rc;
    }

    grader->type = t;
    grader->path = p->path;
    grader->name = grader->name.data ? grader->name : type;
    grader->part = p->part;

    rc = grader->model.data
         ? judge_openai_parse_model(p, "model", grader->model) : JUDGE_OK;
    rc = rc ? rc : judge_openai_parse_template(p, "input", grader->input);
    rc = rc ? rc : judge_openai_parse_template(p, grader->judge_id.data
                                                  ? "source" : "reference",
                                               grader->reference);
    rc = rc == JUDGE_OK && t->read ? t->read(p, grader) : rc;

    if (!grader->threshold.set) {
        grader->threshold.value = t->threshold;
    }

    *(p->last ? &p->last->next : &p->first) = grader;
    p->last = grader;
    p->n++;

    return rc;
}


/* --- Asking and grading -------------------------------------------------- */

judge_rc_e
judge_openai_graders_prepare(const openai_grader_t *grader,
    const openai_subject_t *subject, openai_grade_t *grade)
{
    judge_rc_e  rc;

    for ( /* void */ ; grader; grader = grader->next, grade++) {
        grade->call.grader = grader;
        rc = grader->type->prepare
             ? grader->type->prepare(grader, subject, &grade->call) : JUDGE_OK;

        if (rc == JUDGE_INVALID) {
            grade->call.fault = JUDGE_OPENAI_FAULT_SAMPLE;
        } else if (rc != JUDGE_OK) {
            return rc;
        }
    }

    return JUDGE_OK;
}


bool
judge_openai_call_due(const openai_call_t *call)
{
    return call->error.data == NULL && (call->grader->model.data
                                        || call->grader->judge_id.data);
}


/* The tolerance lets 0.6 meet a threshold of 0.6 despite rounding errors. */

judge_rc_e
judge_openai_graders_grade(const openai_grader_t *grader,
    const openai_subject_t *subject, openai_grade_t *grade)
{
    judge_rc_e            rc = JUDGE_OK;
    const openai_call_t  *call;

    for ( /* void */ ; grader && rc == JUDGE_OK; grader = grader->next) {
        call = &grade->call;
        grade->score = call->score;

        if (call->error.data) {
            rc = judge_openai_grade_fail(grade, call->fault ? call->fault
                                                : JUDGE_OPENAI_FAULT_SERVER,
                                         call->error);
        } else if (grader->type->grade) {
            rc = grader->type->grade(grader, subject, grade);
        }

        grade->passed = grade->error.data == NULL
                        && grade->score + 1e-9 >= grader->threshold.value;
        grade++;
    }

    return rc;
}
