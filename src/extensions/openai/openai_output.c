/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Grades an item of a run: a model makes the sample, if the run wants one;
 * graders prepare their calls, the calls are made, and they grade.  What is
 * computed between calls runs in a thread. */


#include "extensions/openai/openai.h"


#define JUDGE_OPENAI_STEPS  600000000  /* of an item's similarities: about a
                                          second */
#define JUDGE_OPENAI_CALLS                                                    \
    (JUDGE_OPENAI_CRITERIA * JUDGE_OPENAI_PARTS)         /* for an item, at
                                          most; stored identifiers depend on
                                          it */


/* The parameters of the model in an output item. */
static const char *const  judge_openai_sampled[] = {
    "temperature", "max_completion_tokens", "top_p", "seed", NULL
};


/* --- Counting ------------------------------------------------------------ */

void
judge_openai_progress_write(judge_json_writer_t *w,
    const judge_openai_plan_t *plan, size_t total)
{
    const openai_grader_t  *grader;

    judge_json_key_object(w, "result_counts");
    judge_json_put_int(w, "total", (int64_t) total);
    judge_json_put_int(w, "passed", 0);
    judge_json_put_int(w, "failed", 0);
    judge_json_put_int(w, "errored", 0);
    judge_json_object_end(w);
    judge_json_key_array(w, "per_testing_criteria_results");

    for (grader = plan->parse.first; grader; grader = grader->next) {
        if (!grader->part) {
            judge_json_object(w);
            judge_json_put_str(w, "testing_criteria", grader->name);
            judge_json_put_int(w, "passed", 0);
            judge_json_put_int(w, "failed", 0);
            judge_json_object_end(w);
        }
    }

    judge_json_array_end(w);
    judge_json_put_raw(w, "per_model_usage", JUDGE_STR("[]"));
}


void
judge_openai_fault_write(judge_json_writer_t *w, const char *code,
    judge_str_t message)
{
    if (message.data == NULL) {
        judge_json_put_raw(w, "error", JUDGE_STR("null"));
        return;
    }

    judge_json_key_object(w, "error");
    judge_json_put_c(w, "code", code);
    judge_json_put_str(w, "message", message);
    judge_json_object_end(w);
}


void
judge_openai_add(judge_json_t *object, const char *name, int64_t n)
{
    judge_json_t  *v;

    v = judge_json_get(object, name);
    if (v && v->type == JUDGE_JSON_INTEGER) {
        v->integer += n;
    }
}


void
judge_openai_use(judge_arena_t *arena, judge_json_t *list,
    const openai_call_t *call)
{
    size_t         i;
    judge_json_t  *v = list->first;

    if (call->grader == NULL || call->grader->model.data == NULL
        || call->error.data)
    {
        return;
    }

    while (v && !judge_str_eq(judge_json_string(v, "model_name"),
                              call->grader->model))
    {
        v = v->next;
    }

    if (v == NULL) {
        if (judge_json_parse(arena, JUDGE_STR("{\"model_name\":\"\","
                             "\"invocation_count\":0,\"prompt_tokens\":0,"
                             "\"completion_tokens\":0,\"total_tokens\":0,"
                             "\"cached_tokens\":0}"), &v, NULL)
            != JUDGE_OK)
        {
            return;
        }

        v->first->string = call->grader->model;
        v->next = list->first;
        list->first = v;
    }

    judge_openai_add(v, "invocation_count", 1);

    for (i = 0; i < JUDGE_OPENAI_TOKENS; i++) {
        judge_openai_add(v, judge_openai_tokens[i], call->tokens[i]);
    }
}


/* --- Calls --------------------------------------------------------------- */

/* Makes the messages of the sample: from a template, or a part of the item
 * that is an array of messages. */

static judge_rc_e
judge_openai_output_messages(judge_openai_output_t *o)
{
    judge_rc_e                  rc;
    judge_json_t               *list;
    openai_call_t              *sample = &o->sample;
    const judge_openai_plan_t  *plan = o->plan;

    sample->grader = &plan->sampler;

    if (plan->reference.data == NULL) {
        rc = judge_openai_model_prepare(&plan->sampler, &o->subject, sample);

    } else {
        rc = judge_openai_template_render(&o->subject, plan->reference, false,
                                          &sample->messages, &sample->error);
        if (rc == JUDGE_OK
            && (judge_json_parse(o->subject.arena, sample->messages, &list,
                                 NULL) != JUDGE_OK
                || list->type != JUDGE_JSON_ARRAY || list->count == 0))
        {
            rc = JUDGE_INVALID;
            sample->error = JUDGE_STR("it is no array of messages");
        }
    }

    if (rc != JUDGE_INVALID) {
        return rc;
    }

    o->error = judge_str_printf(o->subject.arena, "input_messages: %.*s",
                                judge_str_args(sample->error));
    o->sample = (openai_call_t) { .grader = NULL };

    return o->error.data ? JUDGE_OK : JUDGE_NOMEM;
}


/* Makes the sample from the answer of the model, for graders. */

static judge_rc_e
judge_openai_output_subject(judge_openai_output_t *o)
{
    judge_rc_e           rc;
    judge_buf_t          buf;
    judge_json_t        *sample = NULL;
    judge_json_writer_t  w;

    judge_json_begin_object(&w, &buf, o->subject.arena);
    judge_json_put_str(&w, "output_text", o->sample.text);
    judge_json_put_str(&w, "finish_reason", o->sample.finish);
    judge_json_put_str(&w, "model", o->sample.served);
    rc = judge_json_parse(o->subject.arena, judge_json_text(&w), &sample,
                          NULL);

    return rc ? rc : judge_openai_subject_sample(&o->subject, sample);
}


/* Sets o->about to the next call of a grader, if there is one.  Each call has
 * the identifier of the evaluation that a judge would make for it. */

static void
judge_openai_output_next(judge_openai_output_t *o)
{
    for ( /* void */ ; o->about == NULL && o->turn < o->plan->parse.n;
         o->turn++)
    {
        if (judge_openai_call_due(&o->grades[o->turn].call)) {
            o->about = &o->grades[o->turn].call;
            judge_id_nth(&o->about->evaluation, &o->plan->evaluations,
                         (size_t) o->row->position * JUDGE_OPENAI_CALLS
                         + o->ncalls++);
        }
    }
}


static judge_rc_e
judge_openai_output_prepare(judge_openai_output_t *o)
{
    judge_rc_e                   rc;
    const judge_openai_parse_t  *parsed = &o->plan->parse;

    o->grades = judge_array_alloc(o->subject.arena, parsed->n,
                                  sizeof(openai_grade_t));
    rc = o->grades ? judge_openai_graders_prepare(parsed->first, &o->subject,
                                                  o->grades)
                   : JUDGE_NOMEM;
    if (rc == JUDGE_OK) {
        judge_openai_output_next(o);
    }

    return rc;
}


/* --- The result ---------------------------------------------------------- */

/* Writes the sample in the form of output items. */

static void
judge_openai_output_sample(judge_openai_output_t *o, judge_json_writer_t *w)
{
    size_t                       i;
    judge_str_t                  text, none = JUDGE_STR("");
    const judge_json_t          *v, null = { .type = JUDGE_JSON_NULL };
    const openai_call_t         *sample = &o->sample;

    judge_json_key_object(w, "sample");
    judge_json_put_raw(w, "input", sample->messages.data ? sample->messages
                                                         : JUDGE_STR("[]"));
    judge_json_key_array(w, "output");

    text = judge_json_string(o->subject.sample, "output_text");
    if (text.data) {
        judge_json_object(w);
        judge_json_put_c(w, "role", "assistant");
        judge_json_put_str(w, "content", text);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
    judge_json_put_str(w, "finish_reason", sample->finish.data
                                           ? sample->finish : none);
    judge_json_put_str(w, "model", sample->served.data ? sample->served
                                                       : none);
    judge_json_key_object(w, "usage");
    for (i = 0; i < JUDGE_OPENAI_TOKENS; i++) {
        judge_json_put_int(w, judge_openai_tokens[i], sample->tokens[i]);
    }
    judge_json_object_end(w);

    judge_openai_fault_write(w, "sampling_failed", o->error);

    for (i = 0; judge_openai_sampled[i]; i++) {
        v = judge_json_get(o->plan->sampler.sampling, judge_openai_sampled[i]);
        judge_json_key(w, judge_openai_sampled[i]);
        judge_json_value(w, v ? v : &null);
    }

    judge_json_object_end(w);
}


static void
judge_openai_output_result(judge_json_writer_t *w, const openai_grade_t *grade)
{
    judge_json_object(w);
    judge_json_put_str(w, "name", grade->call.grader->name);
    judge_json_put_c(w, "type", grade->call.grader->type->name);
    judge_json_put_number(w, "score", grade->score);
    judge_json_put_bool(w, "passed", grade->passed);
    judge_json_put_str(w, "label", grade->label);
    judge_json_put_str(w, "reason", grade->reason);
    judge_json_put_str(w, "error", grade->error);
    judge_json_put_c(w, "note", grade->note);
    judge_json_object_end(w);
}


static judge_rc_e
judge_openai_output_grade(judge_openai_output_t *o)
{
    bool                    passed = true, wrong = o->error.data != NULL;
    size_t                  i;
    judge_rc_e              rc;
    judge_buf_t             buf;
    const openai_grade_t   *grade;
    judge_json_writer_t     w;

    rc = wrong ? JUDGE_OK
         : judge_openai_graders_grade(o->plan->parse.first, &o->subject,
                                      o->grades);
    if (rc != JUDGE_OK) {
        return rc;
    }

    judge_json_begin_object(&w, &buf, o->subject.arena);
    judge_json_key_array(&w, "results");

    for (i = 0; o->error.data == NULL && i < o->plan->parse.n; i++) {
        grade = &o->grades[i];
        if (!grade->call.grader->part) {
            judge_openai_output_result(&w, grade);
            passed = passed && grade->passed;
            wrong = wrong || grade->error.data;
        }
    }

    judge_json_array_end(&w);
    judge_openai_output_sample(o, &w);
    o->row->result = judge_json_text(&w);
    o->row->status = wrong ? JUDGE_STR("error") : passed ? JUDGE_STR("pass")
                                                         : JUDGE_STR("fail");

    return o->row->result.data ? JUDGE_OK : JUDGE_NOMEM;
}


/* --- Step by step -------------------------------------------------------- */

/* Runs in a thread, as far as possible without a call. */

static void
judge_openai_output_run(judge_task_t *task)
{
    judge_json_t           *line;
    judge_openai_output_t  *o = task->data;

    if (o->row->item.data && o->subject.item == NULL) {
        o->rc = judge_json_parse(o->subject.arena, o->row->item, &line, NULL);
        if (o->rc != JUDGE_OK) {
            return;
        }

        o->subject.item = judge_json_member(line, "item", JUDGE_JSON_OBJECT);
        if (!o->plan->samples) {
            o->rc = judge_openai_subject_sample(&o->subject,
                        judge_json_member(line, "sample", JUDGE_JSON_OBJECT));

        } else if (o->error.data == NULL) {
            o->about = &o->sample;
            o->rc = judge_openai_output_messages(o);
            if (o->rc != JUDGE_OK || o->error.data == NULL) {
                return;                /* the sample is to be made */
            }
            o->about = NULL;
        }

    } else if (o->plan->samples && o->grades == NULL
               && o->error.data == NULL)
    {
        o->rc = judge_openai_output_subject(o);
    }

    if (o->rc == JUDGE_OK && o->error.data == NULL && o->grades == NULL) {
        o->rc = judge_openai_output_prepare(o);
    }

    if (o->rc == JUDGE_OK && o->about == NULL) {
        o->rc = judge_openai_output_grade(o);
    }
}


/* Goes on after a call; the first one is for the sample, if a model makes
 * it. */

static void
judge_openai_output_asked(judge_openai_output_t *o)
{
    if (o->gone(o)) {
        return;
    }

    if (o->call.outcome == JUDGE_LLM_CALL_STOPPED) {
        o->done(o);
        return;
    }

    o->error = o->sample.error;
    o->about = NULL;
    if (o->grades) {
        judge_openai_output_next(o);
    }

    if (o->about) {
        judge_openai_ask(o);
    } else {
        judge_openai_output_start(o);
    }
}


static void
judge_openai_output_computed(judge_task_t *task)
{
    judge_openai_output_t  *o = task->data;

    if (o->rc != JUDGE_OK || o->row->result.data) {
        o->done(o);
    } else {
        o->asked = judge_openai_output_asked;
        judge_openai_ask(o);
    }
}


void
judge_openai_output_start(judge_openai_output_t *o)
{
    if (o->subject.allowance == NULL) {          /* the first time */
        o->allowance = (judge_allowance_t) { .steps = JUDGE_OPENAI_STEPS,
                                             .bytes = JUDGE_OPENAI_ITEM };
        o->subject.allowance = &o->allowance;
    }

    judge_service_compute(o->plan->service, &o->task, judge_openai_output_run,
                          judge_openai_output_computed, o);
}
