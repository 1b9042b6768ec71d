/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Uploaded files with the items of runs, as lines of JSON, in bodies of
 * multipart/form-data (RFC 7578). */


#include <string.h>

#include "base/text/utf8.h"
#include "extensions/openai/openai.h"


#define JUDGE_OPENAI_BOUNDARY  70      /* bytes, by RFC 2046 */

typedef struct {
    judge_str_t  purpose;
    judge_str_t  bytes;
    judge_str_t  name;
} judge_openai_form_t;


/* --- The form ------------------------------------------------------------ */

/* Returns the quoted value after `name` in a header; absent: there is none. */

static judge_str_t
judge_openai_form_parameter(judge_str_t header, judge_str_t name)
{
    judge_str_t  before, value;

    return judge_str_cut(&header, name, &before)
           && judge_str_cut(&header, JUDGE_STR("\""), &value)
           ? value : (judge_str_t) { 0, NULL };
}


/* Reads a part: its head, an empty line, its value; false: it is malformed, or
 * the second of that name. */

static bool
judge_openai_form_part(judge_str_t part, judge_openai_form_t *form)
{
    judge_str_t  head, name, *value;

    if (!judge_str_starts(part, JUDGE_STR("\r\n"))
        || !judge_str_cut(&part, JUDGE_STR("\r\n\r\n"), &head))
    {
        return false;
    }

    name = judge_openai_form_parameter(head, JUDGE_STR("; name=\""));

    if (judge_str_eq_c(name, "file")) {
        value = &form->bytes;
        form->name = judge_openai_form_parameter(head, JUDGE_STR(
                                                           "; filename=\""));
    } else if (judge_str_eq_c(name, "purpose")) {
        value = &form->purpose;
    } else {
        return true;
    }

    if (value->data) {
        return false;
    }

    *value = part;

    return true;
}


/* Reads a form, of which parts follow each delimiter but the last; false: it
 * is malformed. */

static bool
judge_openai_form_read(judge_str_t delimiter, judge_str_t body,
    judge_openai_form_t *form)
{
    judge_str_t  part;

    if (!judge_str_cut(&body, delimiter, &part) || part.len) {
        return false;
    }

    while (judge_str_cut(&body, delimiter, &part)) {
        if (!judge_openai_form_part(part, form)) {
            return false;
        }
    }

    return judge_str_starts(body, JUDGE_STR("--"));
}


/* --- Uploading ----------------------------------------------------------- */

static bool
judge_openai_file_text(judge_str_t text)
{
    return text.len && judge_utf8_check(text) == text.len
           && memchr(text.data, '\0', text.len) == NULL;
}


static judge_rc_e
judge_openai_file_check(judge_req_t *r, judge_openai_form_t *form)
{
    judge_str_t      type, delimiter, boundary;
    judge_openai_t  *c = r->ctx;

    boundary = r->headers[JUDGE_HEADER_CONTENT_TYPE];
    if (!judge_str_cut(&boundary, JUDGE_STR("boundary="), &type)) {
        boundary = JUDGE_STR("");
    }

    boundary = judge_str_trim(boundary, " \"");
    delimiter = judge_str_printf(r->arena, "\r\n--%.*s",
                                 judge_str_args(boundary));
    if (delimiter.data == NULL || c->upload.failed) {
        return JUDGE_NOMEM;
    }

    if (boundary.len == 0 || boundary.len > JUDGE_OPENAI_BOUNDARY
        || !judge_openai_form_read(delimiter, judge_buf_view(&c->upload),
                                   form))
    {
        return judge_invalid(&r->error, JUDGE_STR("body: expected"
                   " multipart/form-data with a boundary, and each part"
                   " once"));
    }

    if (!judge_str_eq_c(form->purpose, "evals")) {
        return judge_invalid(&r->error, JUDGE_STR("purpose: expected"
                   " \"evals\"; there are files for nothing else here"));
    }

    if (form->name.len > 255 || !judge_openai_file_text(form->name)) {
        return judge_invalid(&r->error, JUDGE_STR("file: expected a"
                   " file with a name of at most 255 bytes"));
    }

    if (!judge_openai_file_text(form->bytes)) {
        return judge_invalid(&r->error, JUDGE_STR("file: expected"
                   " lines of JSON in UTF-8"));
    }

    return JUDGE_OK;
}


static void
judge_openai_file_make(judge_req_t *r)
{
    judge_buf_t              buf;
    judge_openai_t          *c = r->ctx;
    judge_openai_form_t      form = { .name = { 0, NULL } };
    judge_json_writer_t      w;
    judge_openai_create_t   *create = &c->create;

    r->rc = judge_openai_file_check(r, &form);
    if (r->rc != JUDGE_OK) {
        return;
    }

    judge_json_begin_object(&w, &buf, r->arena);
    judge_json_put_c(&w, "purpose", "evals");
    judge_json_put_str(&w, "filename", form.name);
    judge_json_put_int(&w, "bytes", (int64_t) form.bytes.len);
    judge_json_put_raw(&w, "expires_at", JUDGE_STR("null"));
    judge_json_put_c(&w, "status", "processed");
    judge_json_put_raw(&w, "status_details", JUDGE_STR("null"));
    create->row.body = judge_json_text(&w);
    r->rc = create->row.body.data ? JUDGE_OK : JUDGE_NOMEM;

    c->file = form.bytes;
    create->items = &c->file;
    create->count = 1;
}


static void
judge_openai_file_take(judge_req_t *r, const char *data, size_t len)
{
    judge_openai_t  *c = r->ctx;

    if (c->upload.arena == NULL) {
        judge_buf_init(&c->upload, r->arena);
        judge_buf_c(&c->upload, "\r\n");         /* each delimiter has one */
    }

    judge_buf_append(&c->upload, data, len);
}


static void
judge_openai_file_create(judge_req_t *r)
{
    judge_compute(r, judge_openai_file_make, judge_openai_create);
}


static const char *const  judge_openai_forms[] = {
    "multipart/form-data", NULL
};

const judge_route_t  judge_openai_file_routes[] = {
    { judge_route(POST, JUDGE_OPENAI_FILES, JUDGE_MAY_WRITE_CONTENT,
                  JUDGE_ROUTE_LARGE_BODY, judge_openai_t),
      .consume = judge_openai_file_take, .accepts = judge_openai_forms,
      .handler = judge_openai_file_create },
    { .pattern = NULL }
};
