/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* One item of a run, in the order of its steps: its text is read, a model
 * makes the sample if the run wants one, graders say what they have to ask, it
 * is asked, and they grade. */


#include "extensions/openai/openai_work.h"


#define JUDGE_OPENAI_TRIES  4          /* of a call that may succeed later */
#define JUDGE_OPENAI_PAUSE  1000       /* ms before the second one; doubles */
#define JUDGE_OPENAI_TIME   (10 * 60 * 1000)   /* ms for all calls */


static void judge_openai_output_next(judge_openai_output_t *o);
static void judge_openai_output_asked(judge_openai_ask_t *ask);
static void judge_openai_output_called(judge_task_t *task);


/* --- Reading and sampling ------------------------------------------------ */

static judge_rc_e
judge_openai_output_text(judge_openai_output_t *o, judge_buf_t *buf,
    const judge_json_t *content)
{
    judge_rc_e           rc;
    judge_str_t          text, out, why;
    const judge_json_t  *v;

    if (content->type == JUDGE_JSON_ARRAY) {
        rc = JUDGE_OK;
        for (v = content->first; v && rc == JUDGE_OK; v = v->next) {
            rc = v->type == JUDGE_JSON_ARRAY ? JUDGE_OK
                 : judge_openai_output_text(o, buf, v);
        }
        return rc;
    }

    text = content->type == JUDGE_JSON_STRING
           ? content->string : judge_openai_string(content, "text");
    rc = judge_openai_template_render(o->arena, text, &o->subject, false, &out,
                                      &why);
    if (rc == JUDGE_INVALID) {
        o->error = judge_str_printf(o->arena, "input_messages: %.*s",
                                    (int) why.len, why.data);
    } else if (rc == JUDGE_OK) {
        judge_buf_str(buf, out);
    }

    return rc;
}


/* The messages that the model gets; `developer` is what others call
 * `system`. */

static judge_rc_e
judge_openai_output_messages(judge_openai_output_t *o)
{
    judge_rc_e            rc;
    judge_str_t           role, why;
    judge_buf_t           buf, text;
    judge_json_t         *list;
    const judge_json_t   *v;
    judge_json_writer_t   w;

    if (o->plan->messages == NULL) {
        rc = judge_openai_template_render(o->arena, o->plan->reference,
                                          &o->subject, false, &o->messages,
                                          &why);
        if (rc == JUDGE_OK
            && (judge_json_parse(o->arena, o->messages, &list, NULL)
                != JUDGE_OK
                || list->type != JUDGE_JSON_ARRAY || list->count == 0))
        {
            why = JUDGE_STR("it is no array of messages");
            rc = JUDGE_INVALID;
        }
        if (rc == JUDGE_INVALID) {
            o->error = judge_str_printf(o->arena, "input_messages: %.*s",
                                        (int) why.len, why.data);
        }
        return rc;
    }

    judge_buf_init(&buf, o->arena);
    judge_json_begin(&w, &buf);
    judge_json_array(&w);

    for (v = o->plan->messages->first; v; v = v->next) {
        judge_buf_init(&text, o->arena);
        rc = judge_openai_output_text(o, &text, judge_json_get(v, "content"));
        if (rc != JUDGE_OK || text.failed) {
            (void) judge_json_finish(&w);
            return rc == JUDGE_OK ? JUDGE_NOMEM : rc;
        }

        role = judge_openai_string(v, "role");
        judge_json_object(&w);
        judge_json_put_str(&w, "role", judge_str_eq_c(role, "developer")
                                       ? JUDGE_STR("system") : role);
        judge_json_put_str(&w, "content", judge_buf_view(&text));
        judge_json_object_end(&w);
    }

    judge_json_array_end(&w);
    o->messages = judge_buf_view(&buf);

    return judge_json_finish(&w);
}


static void
judge_openai_output_prepare(judge_task_t *task)
{
    judge_openai_output_t  *o = task->data;

    o->rc = judge_json_parse(o->arena, o->row->item, &o->line, NULL);
    if (o->rc != JUDGE_OK) {
        return;
    }

    o->subject.item = judge_openai_object(o->line, "item");

    if (!o->plan->samples) {
        o->subject.sample = judge_openai_object(o->line, "sample");
        return;
    }

    o->rc = judge_openai_output_messages(o);
    if (o->rc == JUDGE_INVALID) {
        o->rc = o->error.data ? JUDGE_OK : JUDGE_NOMEM;
    }
}


/* --- Calls --------------------------------------------------------------- */

/* What graders have to ask, after the sample is there. */

static void
judge_openai_output_call(judge_task_t *task)
{
    size_t                      i;
    judge_buf_t                 buf;
    judge_json_t               *sample;
    judge_json_writer_t         w;
    judge_openai_output_t      *o = task->data;
    const judge_openai_plan_t  *plan = o->plan;

    if (plan->samples && o->error.data == NULL) {
        judge_json_begin_object(&w, &buf, o->arena);
        judge_json_put_str(&w, "output_text", o->sample.text);
        judge_json_put_str(&w, "finish_reason", o->sample.finish);
        judge_json_put_str(&w, "model", o->sample.served);
        o->rc = judge_json_parse(o->arena, judge_json_text(&w), &sample, NULL);
        o->subject.sample = o->rc == JUDGE_OK ? sample : NULL;
    }

    for (i = 0; o->error.data == NULL && o->rc == JUDGE_OK
                && i < plan->ngraders; i++)
    {
        o->of[i] = judge_openai_grader_calls(o->arena, plan->graders[i],
                                             &o->subject,
                                             o->calls + o->ncalls);
        o->ncalls += o->of[i];
    }
}


static void
judge_openai_output_ask(judge_openai_output_t *o)
{
    const judge_openai_plan_t  *plan = o->plan;

    if (!o->sampled) {
        o->sample = (openai_call_t) {
            .model = plan->service->settings.models[plan->model].name,
            .messages = o->messages, .sampling = plan->sampling,
            .format = plan->format
        };
    }

    o->ask = (judge_openai_ask_t) {
        .about = o->sampled ? &o->calls[o->turn] : &o->sample,
        .done = judge_openai_output_asked, .data = o
    };
    judge_openai_ask(&o->ask, plan->service, o->arena, plan->org,
                     &plan->limits, o->deadline);
}


static void
judge_openai_output_take(judge_openai_output_t *o)
{
    const openai_call_t  *about = o->ask.about;

    if (about->error.data == NULL && about->model.data) {
        o->used[o->nused++] = (judge_openai_model_use_t) {
            .model = about->model, .usage = about->usage
        };
    }

    if (o->sampled) {
        o->turn++;
    } else {
        o->error = about->error;
    }
}


static void
judge_openai_output_asked(judge_openai_ask_t *ask)
{
    judge_ms_t              now;
    judge_openai_output_t  *o = ask->data;

    now = judge_now(o->plan->service);

    switch (ask->call.outcome) {

    case JUDGE_LLM_CALL_STOPPED:
        o->stopped = true;
        o->done(o);
        return;

    case JUDGE_LLM_CALL_UNPAID:
        o->retry_at = now + ask->call.wait + judge_service_random() % 1000;
        break;

    case JUDGE_LLM_CALL_TRANSIENT:
        if (++o->tries < JUDGE_OPENAI_TRIES) {
            o->retry_at = now + (JUDGE_OPENAI_PAUSE << (o->tries - 1));
        }
        break;

    default:
        break;
    }

    if (o->retry_at && o->retry_at < o->deadline) {
        return;                        /* tick() goes on */
    }

    o->retry_at = 0;
    o->tries = 0;
    judge_openai_output_take(o);

    if (o->sampled) {
        judge_openai_output_next(o);
        return;
    }

    o->sampled = true;
    judge_service_compute(o->plan->service, &o->task, judge_openai_output_call,
                          judge_openai_output_called, o);
}


void
judge_openai_output_tick(judge_openai_output_t *o, judge_ms_t now)
{
    if (o->retry_at && now >= o->retry_at) {
        o->retry_at = 0;
        judge_openai_output_ask(o);
    }
}


static void
judge_openai_output_prepared(judge_task_t *task)
{
    judge_openai_output_t  *o = task->data;

    if (o->rc == JUDGE_OK && o->plan->samples && o->error.data == NULL) {
        judge_openai_output_ask(o);
        return;
    }

    o->sampled = true;

    if (o->rc != JUDGE_OK) {
        o->done(o);
        return;
    }

    judge_service_compute(o->plan->service, &o->task, judge_openai_output_call,
                          judge_openai_output_called, o);
}


/* --- Grading ------------------------------------------------------------- */

static void
judge_openai_output_put(judge_json_writer_t *w, const char *key,
    const judge_json_t *params)
{
    judge_json_t  *v;

    v = params ? judge_json_get(params, key) : NULL;
    judge_json_key(w, key);

    if (v) {
        judge_json_value(w, v);
    } else {
        judge_json_null(w);
    }
}


/* The sample as OpenAI has it in an output item. */

static void
judge_openai_output_sample(judge_openai_output_t *o, judge_json_writer_t *w)
{
    judge_str_t                 text;
    judge_openai_usage_t       *usage = &o->sample.usage;
    const judge_openai_plan_t  *plan = o->plan;

    judge_json_key_object(w, "sample");
    judge_json_put_raw(w, "input", o->messages.data && plan->samples
                                   && o->error.data == NULL
                                   ? o->messages : JUDGE_STR("[]"));
    judge_json_key_array(w, "output");

    text = judge_openai_string(o->subject.sample, "output_text");
    if (text.data) {
        judge_json_object(w);
        judge_json_put_c(w, "role", "assistant");
        judge_json_put_str(w, "content", text);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
    judge_json_put_str(w, "finish_reason", o->sample.finish.data
                                           ? o->sample.finish : JUDGE_STR(""));
    judge_json_put_str(w, "model", o->sample.served.data
                                   ? o->sample.served : JUDGE_STR(""));
    judge_json_key_object(w, "usage");
    judge_json_put_int(w, "prompt_tokens", usage->prompt);
    judge_json_put_int(w, "completion_tokens", usage->completion);
    judge_json_put_int(w, "total_tokens", usage->total);
    judge_json_put_int(w, "cached_tokens", usage->cached);
    judge_json_object_end(w);
    judge_json_key(w, "error");

    if (o->error.data) {
        judge_json_object(w);
        judge_json_put_c(w, "code", "sampling_failed");
        judge_json_put_str(w, "message", o->error);
        judge_json_object_end(w);
    } else {
        judge_json_null(w);
    }

    judge_openai_output_put(w, "temperature", plan->sampling);
    judge_openai_output_put(w, "max_completion_tokens", plan->sampling);
    judge_openai_output_put(w, "top_p", plan->sampling);
    judge_openai_output_put(w, "seed", plan->sampling);
    judge_json_object_end(w);
}


static void
judge_openai_output_result(judge_openai_output_t *o, judge_json_writer_t *w,
    size_t i, const openai_grade_t *grade)
{
    const openai_grader_t  *grader = o->plan->graders[i];

    o->passed[i] = grade->passed && grade->error == NULL;
    o->failed[i] = !grade->passed && grade->error == NULL;

    judge_json_object(w);
    judge_json_put_str(w, "name", judge_openai_grader_name(grader));
    judge_json_put_str(w, "type", judge_openai_grader_type(grader));
    judge_json_put_number(w, "score", grade->score);
    judge_json_put_bool(w, "passed", grade->passed);
    judge_json_put_str(w, "label", grade->label);
    judge_json_put_str(w, "reason", grade->reason);

    if (grade->error) {
        judge_json_put_c(w, "error", grade->error);
    }

    if (grade->note) {
        judge_json_put_c(w, "note", grade->note);
    }

    judge_json_object_end(w);
}


static void
judge_openai_output_grade(judge_task_t *task)
{
    bool                        passed, wrong;
    size_t                      i, at;
    judge_buf_t                 buf;
    openai_grade_t              grade;
    judge_json_writer_t         w;
    judge_openai_output_t      *o = task->data;

    judge_json_begin_object(&w, &buf, o->arena);
    judge_json_key_array(&w, "results");
    passed = true;
    wrong = o->error.data != NULL;

    for (i = 0, at = 0; o->error.data == NULL && i < o->plan->ngraders; i++) {
        o->rc = judge_openai_grader_grade(o->arena, o->plan->graders[i],
                                          &o->subject, o->calls + at,
                                          o->of[i], &grade);
        if (o->rc != JUDGE_OK) {
            (void) judge_json_finish(&w);
            return;
        }

        at += o->of[i];
        judge_openai_output_result(o, &w, i, &grade);
        passed = passed && o->passed[i];
        wrong = wrong || grade.error;
    }

    judge_json_array_end(&w);
    judge_openai_output_sample(o, &w);
    o->row->result = judge_json_text(&w);
    o->rc = o->row->result.data ? JUDGE_OK : JUDGE_NOMEM;
    o->row->status = wrong ? JUDGE_STR("error") : passed ? JUDGE_STR("pass")
                                                         : JUDGE_STR("fail");
}


static void
judge_openai_output_graded(judge_task_t *task)
{
    judge_openai_output_t  *o = task->data;

    o->done(o);
}


/* Makes the next call, or grades behind the last. */

static void
judge_openai_output_next(judge_openai_output_t *o)
{
    if (o->turn < o->ncalls) {
        judge_openai_output_ask(o);
        return;
    }

    judge_service_compute(o->plan->service, &o->task,
                          judge_openai_output_grade,
                          judge_openai_output_graded, o);
}


static void
judge_openai_output_called(judge_task_t *task)
{
    judge_openai_output_t  *o = task->data;

    if (o->rc != JUDGE_OK) {
        o->done(o);
        return;
    }

    judge_openai_output_next(o);
}


void
judge_openai_output_start(judge_openai_output_t *o)
{
    size_t  n;

    n = o->plan->ngraders * JUDGE_OPENAI_CALLS;
    o->calls = judge_array_alloc(o->arena, n, sizeof(openai_call_t));
    o->used = judge_array_alloc(o->arena, n + 1,
                                sizeof(judge_openai_model_use_t));
    o->deadline = judge_now(o->plan->service) + JUDGE_OPENAI_TIME;

    if (o->calls == NULL || o->used == NULL) {
        o->rc = JUDGE_NOMEM;
        o->done(o);
        return;
    }

    judge_service_compute(o->plan->service, &o->task,
                          judge_openai_output_prepare,
                          judge_openai_output_prepared, o);
}
