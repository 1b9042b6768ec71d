/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Uploads: what is not promised, how files are read, and when they are given
 * up or swept away.  How they are sent, downloaded and refused is in
 * t/uploads.t. */


#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <utime.h>

#include "harness.h"
#include "store/store_queue.h"
#include "store/store_upload.h"


#define BASE  "http://127.0.0.1"


static t_call_t *
promise(t_api_t *api, const char *rest)
{
    judge_str_t  body;

    body = judge_str_printf(api->arena, "{\"name\":\"N\"%s}", rest);

    return t_send(api, "POST", "/v1/evaluations/presigned-upload", body.data);
}


/* The path and query of the address that a call has given. */

static const char *
address(t_call_t *c)
{
    return t_text(c, "upload_url") + strlen(BASE);
}


static t_call_t *
put(t_api_t *api, const char *path, const char *type, const char *body)
{
    api->no_key = true;
    t_header(api, JUDGE_HEADER_CONTENT_TYPE, type);

    return t_send(api, "PUT", path, body);
}


static size_t
files(t_api_t *api)
{
    DIR            *dir;
    size_t          n;
    struct dirent  *entry;

    n = 0;
    dir = opendir(api->service.settings.files.data);

    while (dir && (entry = readdir(dir))) {
        n += entry->d_name[0] != '.';
    }

    if (dir) {
        (void) closedir(dir);
    }

    return n;
}


static void
test_promise(t_api_t *api)
{
    size_t       i;
    t_call_t    *c;
    const char  *id;
    static const struct {
        const char  *rest, *detail;
        int          status;
    } rows[] = {
        { "", "file_type: required, expected one of text, video, audio,"
              " image", 400 },
        { ",\"file_type\":\"text\",\"file_extension\":\".txt\"",
          "file_extension: expected 1 to 10 letters and digits without a"
          " dot, such as txt", 400 },
        { ",\"file_type\":\"text\",\"file_extension\":\"a/../b\"",
          "file_extension: expected 1 to 10 letters and digits without a"
          " dot, such as txt", 400 },
        { ",\"file_type\":\"text\",\"size\":262145",
          "size: expected at most 65536 bytes of a text", 413 },
        { ",\"file_type\":\"text\",\"size\":0",
          "size: expected an integer from 1 to 1000000000000000", 400 },
        { ",\"file_type\":\"video\",\"size\":262145",
          "size: expected at most 262144 bytes", 413 },
        { ",\"file_type\":\"text\",\"judge_id\":"
          "\"jdg_00000000000000000000000000\"",
          "judge_id: there is no such judge", 404 },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_is_detail(promise(api, rows[i].rest), rows[i].status,
                    rows[i].detail, rows[i].detail);
    }

    c = promise(api, ",\"file_type\":\"text\",\"size\":100");
    t_is_status(c, 201, "a place for a file is promised");
    id = t_text(c, "content_id");
    t_ok(judge_id_wellformed(judge_str_c(id), "cnt"),
         "a promised file has the identifier of its content");
    t_is_str(t_get(c, "expires_at"), "2026-05-28T20:31:40.000Z",
             "a place is promised for as long as is set");
    t_is_str(t_get(c, "method"), "PUT", "a file is to be sent with PUT");
    t_is_str(t_get(c, "headers"), "{\"Content-Type\":\"text/plain\"}",
             "a file is to be sent with its type");
    t_is_str(t_get(c, "max_size"), "100",
             "a file may be as large as was announced");
    t_ok(t_get(c, "job_id").data == NULL, "a file without a judge has no job");
    t_is_str(t_get(t_sendf(api, "GET", NULL, "/content/%s", id),
                   "waiting_for"), "upload",
             "a content is there before its file");
}


static void
test_wrong_judge(t_api_t *api)
{
    judge_str_t  rest;

    rest = judge_str_printf(api->arena, ",\"file_type\":\"text\","
                            "\"judge_id\":\"%s\"", t_judge(api, "video"));
    t_is_detail(promise(api, rest.data), 400,
                "file_type: expected video, the judge's content type",
                "a judge of another type is refused");
}


/* What comes is the content's text in UTF-8, or the reason why it is not. */

static void
test_read(t_api_t *api)
{
    size_t       i;
    t_call_t    *c;
    const char  *id, *path;
    static const struct {
        const char  *name, *bytes, *status, *text, *reason;
    } rows[] = {
        { "UTF-8", "na\xc3\xafve", "ready", "na\xc3\xafve", NULL },
        { "UTF-8 with a mark", "\xef\xbb\xbf" "abc", "ready", "abc", NULL },
        { "UTF-16, little end first", "\xff\xfe\x2d\x4e\x87\x65", "ready",
          "\xe4\xb8\xad\xe6\x96\x87", NULL },
        { "UTF-16, big end first", "\xfe\xff\x4e\x2d\x65\x87", "ready",
          "\xe4\xb8\xad\xe6\x96\x87", NULL },
        { "Windows-1252", "\x93na\xefve\x94, said he", "ready",
          "\xe2\x80\x9cna\xc3\xafve\xe2\x80\x9d, said he", NULL },
        { "no text", "\x7f" "ELF\x02\x01\x01\x03\x04\x05\x06\x0e\x0f",
          "error", NULL, "the file is not a text in UTF-8, UTF-16 or"
                         " Windows-1252" },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        c = promise(api, ",\"file_type\":\"text\","
                         "\"metadata\":{\"a\":1,\"error\":\"mine\"}");
        id = t_text(c, "content_id");
        path = address(c);

        api->later = true;
        c = put(api, path, "text/plain; charset=utf-8", rows[i].bytes);
        t_is_status(c, 200, rows[i].name);
        t_is_str(t_get(c, "status"), "uploaded",
                 "%s: the file is uploaded", rows[i].name);
        t_is_str(t_get(c, "content_id"), id,
                 "%s: the answer names the content", rows[i].name);

        c = t_sendf(api, "GET", NULL, "/content/%s", id);
        t_is_str(t_get(c, "status"), "processing",
                 "%s: the content is processing while its file is read",
                 rows[i].name);
        t_run(api);
        api->later = false;

        c = t_sendf(api, "GET", NULL, "/content/%s", id);
        t_is_str(t_get(c, "status"), rows[i].status,
                 "%s: the content is ready, or in error", rows[i].name);
        t_is_str(t_get(c, "metadata.error"),
                 rows[i].reason ? rows[i].reason : "mine",
                 "%s: the metadata have the reason of an error", rows[i].name);
        t_is_str(t_get(c, "metadata.a"), "1",
                 "%s: the metadata keep what the client has given",
                 rows[i].name);
        t_is_str(t_get(c, "text_content"), rows[i].text,
                 "%s: the text is in UTF-8", rows[i].name);
        t_is_int((long long) strlen(rows[i].bytes),
                 strtol(t_text(c, "size"), NULL, 10),
                 "%s: the content has the size of its file", rows[i].name);
    }
}


/* An evaluation that waits for its content. */

static void
test_evaluation(t_api_t *api)
{
    t_call_t    *c;
    judge_str_t  rest;
    const char  *good, *bad, *late, *to_good, *to_bad;

    rest = judge_str_printf(api->arena, ",\"file_type\":\"text\","
                            "\"priority\":\"high\",\"judge_id\":\"%s\"",
                            t_judge(api, "text"));
    c = promise(api, rest.data);
    good = t_text(c, "job_id");
    to_good = address(c);
    c = promise(api, rest.data);
    bad = t_text(c, "job_id");
    to_bad = address(c);
    late = t_text(promise(api, rest.data), "job_id");

    t_tick(api, 1000);
    c = t_sendf(api, "GET", NULL, "/evaluations/%s", good);
    t_is_str(t_get(c, "status"), "processing",
             "an evaluation waits for its content");

    (void) put(api, to_good, "text/plain", "Short. It gives no reasons.");
    (void) put(api, to_bad, "text/plain", "\x01\x02\x03\x04\x05\x06\x07");
    t_tick(api, 1000);
    t_tick(api, 1000);

    c = t_sendf(api, "GET", NULL, "/evaluations/results/%s", good);
    t_is_str(t_get(c, "status"), "completed",
             "an evaluation starts when its content has come");
    t_ok(t_get(c, "results[0].overall_score").data,
         "an evaluation of an uploaded content has a score");

    c = t_sendf(api, "GET", NULL, "/evaluations/%s", bad);
    t_is_str(t_get(c, "status"), "failed",
             "an evaluation of an unusable content fails");
    t_is_str(t_get(c, "error.code"), "CONTENT_UNUSABLE",
             "an unusable content has the code of one");

    c = t_sendf(api, "GET", NULL, "/evaluations/%s", late);
    t_is_str(t_get(c, "status"), "processing",
             "an evaluation whose content does not come waits");
    t_tick(api, 300 * 1000);
    c = t_sendf(api, "GET", NULL, "/evaluations/%s", late);
    t_is_str(t_get(c, "status"), "processing",
             "a file has a minute more, lest it be under way");
    t_tick(api, 60 * 1000);
    c = t_sendf(api, "GET", NULL, "/evaluations/%s", late);
    t_is_str(t_get(c, "error.code"), "UPLOAD_EXPIRED",
             "a file that has not come by then is given up");
}


static judge_rc_e
taken(t_api_t *api, judge_str_t owner)
{
    judge_upload_claim_t  claim;

    memset(&claim, 0, sizeof(claim));
    claim.claim.now = api->now;
    claim.claim.lease = (judge_lease_t) { .owner = owner,
                                          .until = api->now + 300 * 1000 };

    return t_op(api, &claim.claim.op, JUDGE_OP_UPLOAD_CLAIM);
}


/* A worker takes a file and dies: another one may take it at once. */

static void
test_taken_over(t_api_t *api)
{
    judge_queue_release_t   release;
    judge_upload_finish_t   finish;
    judge_upload_receive_t  receive;

    memset(&receive, 0, sizeof(receive));
    receive.id = judge_str_c(t_text(promise(api, ",\"file_type\":\"text\""),
                                    "content_id"));
    receive.file_path = JUDGE_STR("none");
    receive.size = 1;
    receive.now = api->now;
    t_is_int(t_op(api, &receive.op, JUDGE_OP_UPLOAD_RECEIVE), JUDGE_OK,
             "a file can be noted as received");

    t_is_int(taken(api, JUDGE_STR("one")), JUDGE_OK,
             "a worker takes the file");
    t_is_int(taken(api, JUDGE_STR("two")), JUDGE_NOT_FOUND,
             "a file is taken once");

    memset(&release, 0, sizeof(release));
    release.owner = JUDGE_STR("one");
    release.now = api->now;
    t_is_int(t_op(api, &release.op, JUDGE_OP_QUEUE_RELEASE), JUDGE_OK,
             "a worker that has died gives its files back");
    t_is_int(taken(api, JUDGE_STR("two")), JUDGE_OK,
             "another worker takes the file");

    memset(&finish, 0, sizeof(finish));
    finish.id = receive.id;
    finish.received = true;
    finish.reason = JUDGE_STR("gone");
    t_is_int(t_op(api, &finish.op, JUDGE_OP_UPLOAD_FINISH), JUDGE_OK,
             "the reading of a file can be ended");
}


/* Files without a row go, after a while; others stay. */

static void
test_sweep(t_api_t *api)
{
    FILE            *file;
    size_t           i, before;
    t_call_t        *c;
    judge_str_t      path;
    struct utimbuf   old;
    static const char *const  names[] = {
        "%.*s.cnt_00000000000000000000000000.0123456789abcdef",
        "%.*s.cnt_00000000000000000000000000.0123456789abcdef.part",
        "somebody's",
        "what somebody has put here, by a name as long as that of an upload",
    };

    c = promise(api, ",\"file_type\":\"text\"");
    (void) put(api, address(c), "text/plain", "stays");
    t_tick(api, 1000);
    before = files(api);

    old.actime = old.modtime = time(NULL) - 7200;

    for (i = 0; i < 4; i++) {
        path = judge_upload_reader_path(api->arena, &api->service, i < 2
                   ? judge_str_printf(api->arena, names[i],
                                      (int) api->org.len, api->org.data)
                   : judge_str_c(names[i]));
        file = fopen(path.data, "w");
        (void) fclose(file);
        (void) utime(path.data, &old);
    }
    t_is_int((long long) files(api), (long long) before + 4,
             "files without a row are there at first");
    t_tick(api, 4000 * 1000);
    t_tick(api, 1000);
    t_is_int((long long) files(api), (long long) before + 2,
             "files without a row are swept up, others stay");

    for (i = 2; i < 4; i++) {
        path = judge_upload_reader_path(api->arena, &api->service,
                                        judge_str_c(names[i]));
        (void) remove(path.data);
    }
}


static void
test_reference(t_api_t *api)
{
    size_t       i;
    t_call_t    *c;
    judge_str_t  body;
    static const char *const  bad[] = { "", ".txt", "abcdefghijk", "t t" };

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        body = judge_str_printf(api->arena, "{\"file_extension\":\"%s\"}",
                                bad[i]);
        t_is_status(t_send(api, "POST", "/judges/reference_content",
                           body.data), 400, body.data);
    }

    c = t_send(api, "POST", "/v1/judges/reference_content",
               "{\"file_extension\":\"txt\"}");
    body = judge_str_printf(api->arena, "{\"name\":\"N\",\"description\":"
               "\"D\",\"content_type\":\"text\",\"criteria\":[{\"name\":"
               "\"A\",\"description\":\"a\"}],\"reference_content_uri\":"
               "\"%s\"}", t_text(c, "reference_content_uri"));
    t_is_status(t_send(api, "POST", "/judges", body.data), 201,
                "a judge takes a reference that has not come yet");
}


/* What is scored gets the texts of the judge's references. */

static void
test_references_given(t_api_t *api)
{
    size_t              i;
    t_call_t           *c;
    judge_str_t         body;
    judge_job_t         job, *jobs[1];
    const char         *uri[2], *judge;
    judge_queue_load_t  load;
    static const char *const  texts[] = { "First example.", "Second." };

    for (i = 0; i < 2; i++) {
        c = t_send(api, "POST", "/judges/reference_content",
                   "{\"file_extension\":\"md\"}");
        uri[i] = t_text(c, "reference_content_uri");
        t_is_status(put(api, address(c), "text/markdown", texts[i]), 200,
                    texts[i]);
    }
    t_tick(api, 1000);

    body = judge_str_printf(api->arena, "{\"name\":\"N\",\"description\":"
               "\"D\",\"content_type\":\"text\",\"criteria\":[{\"name\":"
               "\"A\",\"description\":\"a\"}],\"reference_content_uri\":"
               "[\"%s\",\"%s\"]}", uri[1], uri[0]);
    c = t_send(api, "POST", "/judges", body.data);
    t_is_str(t_get(c, "status"), "ready",
             "a judge whose references are read is ready");
    judge = t_text(c, "judge_id");

    memset(&job, 0, sizeof(job));
    memset(&load, 0, sizeof(load));
    job.org = api->org;
    job.judge_id = judge_str_c(judge);
    job.judge_version = 1;
    job.content_id = judge_str_c(t_content(api, "x"));
    jobs[0] = &job;
    load.jobs = jobs;
    load.count = 1;
    t_is_int(t_op(api, &load.op, JUDGE_OP_QUEUE_LOAD), JUDGE_OK,
             "an evaluation is loaded with its judge");
    t_is_int((long long) job.nreferences, 2,
             "an evaluation gets both references");
    t_is_str(job.references[0], texts[1],
             "the judge's first reference comes first");
    t_is_str(job.references[1], texts[0],
             "the judge's second reference comes second");
}


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();

    test_promise(api);
    test_wrong_judge(api);
    test_read(api);
    test_evaluation(api);
    test_taken_over(api);
    test_sweep(api);
    test_references_given(api);
    test_reference(api);

    t_api_destroy(api);

    return t_done();
}
