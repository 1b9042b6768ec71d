/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "extensions/openai/openai_progress.h"


static int64_t
judge_openai_progress_int(const judge_json_t *object, const char *name)
{
    judge_json_t  *v;

    v = object->type == JUDGE_JSON_OBJECT ? judge_json_get(object, name)
                                          : NULL;

    return v && v->type == JUDGE_JSON_INTEGER ? v->integer : 0;
}


static void
judge_openai_progress_models(judge_json_writer_t *w,
    const judge_openai_progress_t *progress)
{
    size_t                           i;
    const judge_openai_model_use_t  *use;

    judge_json_key_array(w, "per_model_usage");

    for (i = 0; i < progress->nmodels; i++) {
        use = &progress->models[i];

        judge_json_object(w);
        judge_json_put_str(w, "model_name", use->model);
        judge_json_put_int(w, "invocation_count", use->calls);
        judge_json_put_int(w, "prompt_tokens", use->usage.prompt);
        judge_json_put_int(w, "completion_tokens", use->usage.completion);
        judge_json_put_int(w, "total_tokens", use->usage.total);
        judge_json_put_int(w, "cached_tokens", use->usage.cached);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


static void
judge_openai_progress_counts(judge_json_writer_t *w,
    const judge_openai_progress_t *progress)
{
    judge_json_key_object(w, "result_counts");
    judge_json_put_int(w, "total", progress->total);
    judge_json_put_int(w, "passed", progress->passed);
    judge_json_put_int(w, "failed", progress->failed);
    judge_json_put_int(w, "errored", progress->errored);
    judge_json_object_end(w);
}


judge_str_t
judge_openai_progress_text(judge_arena_t *arena,
    const judge_openai_progress_t *progress)
{
    size_t                i;
    judge_buf_t           buf;
    judge_json_writer_t   w;

    judge_json_begin_object(&w, &buf, arena);
    judge_openai_progress_counts(&w, progress);
    judge_json_key_array(&w, "criteria");

    for (i = 0; i < progress->ncriteria; i++) {
        judge_json_object(&w);
        judge_json_put_int(&w, "passed", progress->criteria[i][0]);
        judge_json_put_int(&w, "failed", progress->criteria[i][1]);
        judge_json_object_end(&w);
    }

    judge_json_array_end(&w);
    judge_openai_progress_models(&w, progress);
    judge_json_put_str(&w, "error", progress->error);

    return judge_json_text(&w);
}


static void
judge_openai_progress_read_models(const judge_json_t *list,
    judge_openai_progress_t *progress)
{
    const judge_json_t        *v;
    judge_openai_model_use_t  *use;

    for (v = list->first; v && progress->nmodels < JUDGE_OPENAI_MODELS;
         v = v->next)
    {
        use = &progress->models[progress->nmodels++];
        use->model = judge_openai_string(v, "model_name");
        use->calls = judge_openai_progress_int(v, "invocation_count");
        use->usage.prompt = judge_openai_progress_int(v, "prompt_tokens");
        use->usage.completion = judge_openai_progress_int(v,
                                    "completion_tokens");
        use->usage.total = judge_openai_progress_int(v, "total_tokens");
        use->usage.cached = judge_openai_progress_int(v, "cached_tokens");
    }
}


judge_rc_e
judge_openai_progress_read(judge_arena_t *arena, judge_str_t text,
    judge_openai_progress_t *progress)
{
    judge_rc_e           rc;
    judge_json_t        *root, *list;
    const judge_json_t  *v, *counts;

    *progress = (judge_openai_progress_t) { .total = 0 };

    rc = judge_json_parse(arena, text, &root, NULL);
    if (rc != JUDGE_OK) {
        return rc;
    }

    counts = judge_openai_object(root, "result_counts");
    if (counts) {
        progress->total = judge_openai_progress_int(counts, "total");
        progress->passed = judge_openai_progress_int(counts, "passed");
        progress->failed = judge_openai_progress_int(counts, "failed");
        progress->errored = judge_openai_progress_int(counts, "errored");
    }

    list = judge_json_get(root, "criteria");
    for (v = list ? list->first : NULL;
         v && progress->ncriteria < JUDGE_OPENAI_CRITERIA; v = v->next)
    {
        progress->criteria[progress->ncriteria][0] =
            judge_openai_progress_int(v, "passed");
        progress->criteria[progress->ncriteria++][1] =
            judge_openai_progress_int(v, "failed");
    }

    progress->error = judge_openai_string(root, "error");
    list = judge_json_get(root, "per_model_usage");
    if (list) {
        judge_openai_progress_read_models(list, progress);
    }

    return JUDGE_OK;
}


void
judge_openai_progress_used(judge_openai_progress_t *progress,
    judge_str_t model, const judge_openai_usage_t *usage)
{
    size_t                     i;
    judge_openai_model_use_t  *use;

    for (i = 0; i < progress->nmodels; i++) {
        if (judge_str_eq(progress->models[i].model, model)) {
            break;
        }
    }

    if (i == JUDGE_OPENAI_MODELS) {
        return;
    }

    if (i == progress->nmodels) {
        progress->models[progress->nmodels++].model = model;
    }

    use = &progress->models[i];
    use->calls++;
    use->usage.prompt += usage->prompt;
    use->usage.completion += usage->completion;
    use->usage.total += usage->total;
    use->usage.cached += usage->cached;
}


void
judge_openai_progress_write(judge_json_writer_t *w,
    const judge_openai_progress_t *progress, const judge_json_t *names)
{
    size_t               i;
    const judge_json_t  *v;

    judge_openai_progress_counts(w, progress);
    judge_openai_progress_models(w, progress);
    judge_json_key_array(w, "per_testing_criteria_results");

    v = names ? names->first : NULL;
    for (i = 0; v && i < progress->ncriteria; i++, v = v->next) {
        judge_json_object(w);
        judge_json_put_str(w, "testing_criteria", v->string);
        judge_json_put_int(w, "passed", progress->criteria[i][0]);
        judge_json_put_int(w, "failed", progress->criteria[i][1]);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
    judge_json_key(w, "error");

    if (progress->error.data) {
        judge_json_object(w);
        judge_json_put_c(w, "code", "invalid_run");
        judge_json_put_str(w, "message", progress->error);
        judge_json_object_end(w);
    } else {
        judge_json_null(w);
    }
}
