/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* memmem() */
#endif

#include <string.h>

#include "base/text/utf8.h"
#include "analysis/text/char.h"
#include "extensions/openai/openai_calculate.h"
#include "extensions/openai/openai_grader_type.h"
#include "extensions/openai/openai_similarity.h"


static judge_rc_e judge_openai_grade(judge_openai_grading_t *g,
    const openai_grader_t *grader, openai_grade_t *grade);


judge_str_t
judge_openai_grader_name(const openai_grader_t *grader)
{
    return grader->name;
}


size_t
judge_openai_grader_models(const openai_grader_t *grader,
    judge_str_t models[JUDGE_OPENAI_CALLS])
{
    size_t  i, n = 0;

    if (grader->type != JUDGE_OPENAI_MULTI) {
        models[0] = grader->model;
        return grader->model.data != NULL;
    }

    for (i = 0; i < grader->nparts; i++) {
        if (grader->parts[i]->model.data) {
            models[n++] = grader->parts[i]->model;
        }
    }

    return n;
}


/* --- Calls --------------------------------------------------------------- */

/* Renders what a judge gets. */

static judge_rc_e
judge_openai_judge_call(judge_arena_t *arena, const openai_grader_t *grader,
    const openai_subject_t *subject, openai_call_t *call, judge_str_t *error)
{
    judge_rc_e  rc;

    call->judge_id = grader->judge_id;

    rc = judge_openai_template_render(arena, grader->input, subject, false,
                                      &call->text, error);
    if (rc == JUDGE_OK && grader->source.data) {
        rc = judge_openai_template_render(arena, grader->source, subject,
                                          false, &call->source, error);
    }

    return rc;
}


/* JUDGE_NOT_FOUND: it asks nobody. */

static judge_rc_e
judge_openai_grader_call(judge_arena_t *arena, const openai_grader_t *grader,
    const openai_subject_t *subject, openai_call_t *call, judge_str_t *error)
{
    memset(call, 0, sizeof(openai_call_t));

    switch (grader->type) {

    case JUDGE_OPENAI_LABEL_MODEL:
    case JUDGE_OPENAI_SCORE_MODEL:
        return judge_openai_model_call(arena, grader, subject, call, error);

    case JUDGE_OPENAI_JUDGE:
        return judge_openai_judge_call(arena, grader, subject, call, error);

    default:
        return JUDGE_NOT_FOUND;
    }
}


size_t
judge_openai_grader_calls(judge_arena_t *arena, const openai_grader_t *grader,
    const openai_subject_t *subject, openai_call_t *calls, size_t max)
{
    bool         multi = grader->type == JUDGE_OPENAI_MULTI;
    size_t       i, n = 0;
    judge_rc_e   rc;
    judge_str_t  error;

    for (i = 0; i < (multi ? grader->nparts : 1) && n < max; i++) {
        rc = judge_openai_grader_call(arena,
                                      multi ? grader->parts[i] : grader,
                                      subject, &calls[n], &error);
        n += rc == JUDGE_OK;

        if (rc != JUDGE_OK && rc != JUDGE_NOT_FOUND && rc != JUDGE_INVALID) {
            return 0;
        }
    }

    return n;
}


/* --- Grading ------------------------------------------------------------- */

static judge_rc_e
judge_openai_grade_small(judge_arena_t *arena, judge_str_t s, judge_str_t *out)
{
    char          bytes[4];
    uint32_t      c, small;
    judge_buf_t   buf;
    const char   *p = s.data, *end = s.data + s.len;

    judge_buf_init(&buf, arena);

    while (p < end) {
        c = judge_utf8_next(&p, end);
        small = c >= 'A' && c <= 'Z' ? c | 0x20 : judge_char_lower(c);
        judge_buf_append(&buf, bytes, judge_utf8_put(bytes,
                                                     small ? small : c));
    }

    *out = judge_buf_view(&buf);

    return out->data ? JUDGE_OK : JUDGE_NOMEM;
}


static judge_rc_e
judge_openai_grade_strings(judge_openai_grading_t *g,
    const openai_grader_t *grader, judge_str_t input, judge_str_t reference,
    openai_grade_t *grade)
{
    bool        fine;
    judge_rc_e  rc;

    if (grader->operation.value == JUDGE_OPENAI_ILIKE) {
        rc = judge_openai_grade_small(g->arena, input, &input);
        if (rc == JUDGE_OK) {
            rc = judge_openai_grade_small(g->arena, reference, &reference);
        }
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    switch (grader->operation.value) {

    case JUDGE_OPENAI_EQ:
        fine = judge_str_eq(input, reference);
        break;

    case JUDGE_OPENAI_NE:
        fine = !judge_str_eq(input, reference);
        break;

    default:
        fine = reference.len == 0
               || memmem(input.data, input.len, reference.data, reference.len);
    }

    grade->score = fine;

    return JUDGE_OK;
}


static judge_rc_e
judge_openai_grade_texts(judge_openai_grading_t *g,
    const openai_grader_t *grader, openai_grade_t *grade)
{
    judge_rc_e             rc;
    judge_str_t            input, error, reference = { 0, "" };
    judge_openai_metric_e  metric;

    rc = judge_openai_template_render(g->arena, grader->input, g->subject,
                                      false, &input, &error);
    if (rc == JUDGE_OK) {
        rc = judge_openai_template_render(g->arena, grader->reference,
                                          g->subject, false, &reference,
                                          &error);
    }

    if (rc == JUDGE_INVALID) {
        return judge_openai_grade_fail(grade, JUDGE_OPENAI_FAULT_SAMPLE,
                                       error);
    }

    if (rc != JUDGE_OK) {
        return rc;
    }

    if (grader->type == JUDGE_OPENAI_STRING_CHECK) {
        return judge_openai_grade_strings(g, grader, input, reference, grade);
    }

    metric = (judge_openai_metric_e) grader->metric.value;
    grade->note = judge_openai_metric_note(metric);

    return judge_openai_similarity(g->arena, metric, input, reference,
                                   &grade->score);
}


/* With the reply to what it asked; if it asked nothing, the reason is found
 * again. */

static judge_rc_e
judge_openai_grade_asked(judge_openai_grading_t *g,
    const openai_grader_t *grader, openai_grade_t *grade)
{
    judge_rc_e             rc;
    judge_str_t            error;
    openai_call_t          call;
    const openai_reply_t  *reply;

    rc = judge_openai_grader_call(g->arena, grader, g->subject, &call, &error);

    if (rc == JUDGE_INVALID) {
        return judge_openai_grade_fail(grade, JUDGE_OPENAI_FAULT_SAMPLE,
                                       error);
    }

    if (rc != JUDGE_OK) {
        return rc;
    }

    if (g->used == g->n) {
        return JUDGE_NOMEM;            /* of calls() */
    }

    reply = &g->replies[g->used++];

    if (grader->type != JUDGE_OPENAI_JUDGE) {
        return judge_openai_model_grade(g->arena, grader, reply, grade);
    }

    grade->tokens = reply->tokens;

    if (reply->error.data || reply->score < 0) {
        return judge_openai_grade_fail(grade, JUDGE_OPENAI_FAULT_SERVER,
                   reply->error.data ? judge_str_dup(g->arena, reply->error)
                   : JUDGE_STR("the judge has no evidence for any criterion,"
                               " so that there is no score"));
    }

    grade->score = reply->score;

    return JUDGE_OK;
}


static judge_rc_e
judge_openai_grade_multi(judge_openai_grading_t *g,
    const openai_grader_t *grader, openai_grade_t *grade)
{
    size_t                   i;
    double                  *scores;
    judge_rc_e               rc;
    const char              *error;
    openai_grade_t          *failed = NULL;
    judge_openai_formula_e   fault;

    grade->nparts = grader->nparts;
    grade->parts = judge_array_alloc(g->arena, grader->nparts,
                                     sizeof(openai_grade_t));
    scores = judge_array_alloc(g->arena, grader->nparts, sizeof(double));
    if (grade->parts == NULL || scores == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < grader->nparts; i++) {
        rc = judge_openai_grade(g, grader->parts[i], &grade->parts[i]);
        if (rc != JUDGE_OK) {
            return rc;
        }

        scores[i] = grade->parts[i].score;
        grade->parts[i].name = grader->names[i];
        grade->tokens += grade->parts[i].tokens;
        failed = failed || grade->parts[i].error == NULL ? failed
                                                         : &grade->parts[i];
    }

    if (failed) {
        return judge_openai_grade_fail(grade, failed->fault,
                   judge_str_printf(g->arena, "%.*s: %s",
                                    (int) failed->name.len, failed->name.data,
                                    failed->error));
    }

    fault = judge_openai_calculate(grader->formula, grader->names, scores,
                                   grader->nparts, &grade->score, &error);

    return fault == JUDGE_OPENAI_FORMULA_FINE ? JUDGE_OK
           : judge_openai_grade_fail(grade, JUDGE_OPENAI_FAULT_FORMULA,
                 judge_str_printf(g->arena, "calculate_output: %s", error));
}


/* The tolerance lets 0.6 meet a threshold of 0.6 despite rounding errors. */

static judge_rc_e
judge_openai_grade(judge_openai_grading_t *g, const openai_grader_t *grader,
    openai_grade_t *grade)
{
    judge_rc_e  rc;

    memset(grade, 0, sizeof(openai_grade_t));

    switch (grader->type) {

    case JUDGE_OPENAI_STRING_CHECK:
    case JUDGE_OPENAI_TEXT_SIMILARITY:
        rc = judge_openai_grade_texts(g, grader, grade);
        break;

    case JUDGE_OPENAI_MULTI:
        rc = judge_openai_grade_multi(g, grader, grade);
        break;

    default:
        rc = judge_openai_grade_asked(g, grader, grade);
    }

    grade->passed = rc == JUDGE_OK && grade->error == NULL
                    && grade->score + 1e-9 >= grader->threshold.value;

    return rc;
}


judge_rc_e
judge_openai_grader_grade(judge_arena_t *arena, const openai_grader_t *grader,
    const openai_subject_t *subject, const openai_reply_t *replies, size_t n,
    openai_grade_t *grade)
{
    judge_openai_grading_t  g = {
        .arena = arena, .subject = subject, .replies = replies, .n = n
    };

    return judge_openai_grade(&g, grader, grade);
}
