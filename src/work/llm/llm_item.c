/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What a language model is shown: the text, or the file of an image. */


#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "work/llm/llm_run.h"
#include "work/service/extension.h"
#include "work/uploads/object_store.h"
#include "work/uploads/upload_file.h"
#include "work/uploads/upload_reader.h"


static void
judge_llm_refuse_large(judge_llm_run_t *run)
{
    judge_llm_refuse(run, "CONTENT_TOO_LARGE",
        judge_str_printf(run->arena, "a language model is shown images of"
                         " at most %d bytes", JUDGE_LLM_IMAGE));
}


static void
judge_llm_show(judge_llm_run_t *run, judge_str_t image)
{
    run->image.bytes = image;
    run->image.type = judge_upload_file_image(run->image.bytes);

    if (run->image.type.data == NULL) {
        judge_llm_refuse(run, "CONTENT_UNUSABLE",
            JUDGE_STR("a language model is shown images in PNG, JPEG, GIF or"
                      " WebP only"));
    }
}


static judge_rc_e
judge_llm_fetched(judge_llm_run_t *run)
{
    judge_call_t  *call = &run->fetch;

    if (call->outcome == JUDGE_CALL_TOO_LARGE) {
        judge_llm_refuse_large(run);

    } else if (call->outcome == JUDGE_CALL_OK && call->status == 404) {
        judge_llm_refuse(run, "CONTENT_MISSING",
                         JUDGE_STR("the file of the content is gone"));

    } else if (call->outcome == JUDGE_CALL_OK && call->status == 200) {
        judge_llm_show(run, call->answer);

    } else {
        return JUDGE_ERROR;
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_llm_read_file(judge_llm_run_t *run, int fd)
{
    char         *data;
    size_t        len;
    ssize_t       n;
    struct stat   st;

    if (fstat(fd, &st) == -1) {
        return JUDGE_ERROR;
    }

    if (st.st_size > JUDGE_LLM_IMAGE) {
        judge_llm_refuse_large(run);
        return JUDGE_OK;
    }

    data = judge_alloc(run->arena, (size_t) st.st_size + 1);
    if (data == NULL) {
        return JUDGE_NOMEM;
    }

    for (len = 0; len < (size_t) st.st_size; len += (size_t) n) {
        n = read(fd, data + len, (size_t) st.st_size - len);
        if (n == -1 && errno == EINTR) {
            n = 0;
        } else if (n <= 0) {
            return JUDGE_ERROR;
        }
    }

    judge_llm_show(run, (judge_str_t) { len, data });

    return JUDGE_OK;
}


/* Returns the judge's scope; a model judges the answers of a conversation in
 * one question even if the scope is each of them. */

static judge_scope_e
judge_llm_scope(const judge_job_t *job)
{
    judge_scope_e  scope = judge_scope_find(job->scope);

    return scope == JUDGE_SCOPE_EACH ? JUDGE_SCOPE_WHOLE : scope;
}


judge_rc_e
judge_llm_item_load(judge_llm_run_t *run)
{
    int           fd;
    judge_rc_e    rc;
    judge_job_t  *job = &run->job;
    judge_str_t   path;

    run->item.text = job->text_content.data ? job->text_content
                                            : JUDGE_STR("");
    rc = judge_extensions_item(run->arena, job->metadata,
                               judge_llm_scope(job), &run->item);
    if (rc != JUDGE_OK) {
        return rc;
    }

    if (!judge_str_eq_c(job->file_type, "image") || !job->file_path.data) {
        if (job->text_content.data == NULL) {
            judge_llm_refuse(run, "CONTENT_MISSING",
                JUDGE_STR("the content has no text to judge"));
        }
        return JUDGE_OK;
    }

    if (judge_object_is_path(job->file_path)) {
        return judge_llm_fetched(run);
    }

    path = judge_upload_reader_path(run->arena, run->service, job->file_path);
    if (path.data == NULL) {
        return JUDGE_NOMEM;
    }

    fd = open(path.data, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

    if (fd == -1 && errno == ENOENT) {
        judge_llm_refuse(run, "CONTENT_MISSING",
                         JUDGE_STR("the file of the content is gone"));
        return JUDGE_OK;
    }

    if (fd == -1) {
        return JUDGE_ERROR;
    }

    rc = judge_llm_read_file(run, fd);
    (void) close(fd);

    return rc;
}


bool
judge_llm_run_fetch(judge_llm_run_t *run, void (*done)(judge_call_t *call))
{
    if (!judge_str_eq_c(run->job.file_type, "image")
        || !judge_object_is_path(run->job.file_path))
    {
        return false;
    }

    run->fetch = (judge_call_t) {
        .max_answer = JUDGE_LLM_IMAGE, .arena = run->arena, .done = done,
        .data = run
    };
    judge_object_fetch(run->service, &run->fetch, run->job.file_path);

    return true;
}


void
judge_llm_refuse(judge_llm_run_t *run, const char *code, judge_str_t message)
{
    run->failure.code = code;
    run->failure.message = message;
}
