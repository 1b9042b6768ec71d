/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "work/render/resource_json.h"
#include "work/service/signed_url.h"
#include "work/uploads/object_store.h"
#include "work/uploads/upload_file.h"


judge_str_t
judge_reference_uri(judge_arena_t *arena, judge_str_t org,
    const judge_reference_row_t *row)
{
    return judge_str_printf(arena, "judge://%.*s/references/%.*s.%.*s",
                            judge_str_args(org), judge_str_args(row->id),
                            judge_str_args(row->extension));
}


/* Unknown extensions are text: older versions did not check extensions, and
 * read such files as text. */

const char *
judge_reference_kind(judge_str_t extension)
{
    const judge_upload_type_t  *type;

    type = extension.len ? judge_upload_type((judge_str_t) { 0, NULL },
                                             extension) : NULL;

    return type ? type->kind : "text";
}


void
judge_reference_errors_json(judge_json_writer_t *w, judge_str_t org,
    const judge_reference_row_t *rows, size_t n, judge_str_t content_type,
    bool unseen)
{
    bool         any;
    size_t       i;
    const char  *kind;
    judge_str_t  reason;

    for (any = false, i = 0; i < n; i++) {
        kind = judge_reference_kind(rows[i].extension);
        reason = rows[i].reason;

        if (judge_str_eq_c(rows[i].status, "waiting")) {
            continue;
        }

        if (reason.data == NULL && !judge_str_eq_c(content_type, kind)) {
            reason = judge_str_printf(w->buf->arena, "it is of type %s, and"
                         " the judge is for %.*s", kind,
                         judge_str_args(content_type));
        } else if (reason.data == NULL && unseen) {
            reason = JUDGE_STR("a language model is not shown files of"
                               " references");
        }

        if (reason.data == NULL) {
            continue;
        }

        if (!any) {
            judge_json_key_array(w, "reference_errors");
            any = true;
        }

        judge_json_object(w);
        judge_json_put_str(w, "uri", judge_reference_uri(w->buf->arena, org,
                                                         &rows[i]));
        judge_json_put_str(w, "reason", reason);
        judge_json_object_end(w);
    }

    if (any) {
        judge_json_array_end(w);
    }
}


judge_str_t
judge_file_url(judge_arena_t *arena, const judge_service_t *service,
    judge_str_t base, judge_str_t org, judge_str_t id, judge_str_t file_path,
    judge_ms_t until)
{
    judge_signed_object_t  address;

    if (judge_object_is_path(file_path)) {
        return judge_object_url(arena, service, file_path, until);
    }

    address = (judge_signed_object_t) { .secret = service->secret,
                                  .method = JUDGE_SIGNED_GET,
                                  .folder = "files", .org = org, .id = id };

    return judge_signed_url(arena, base, &address, until);
}


/* Parses …/<id>.<extension>. */

static bool
judge_reference_parse(judge_str_t uri, judge_reference_row_t *row)
{
    while (judge_str_cut(&uri, JUDGE_STR("/"), &row->id)) {
        /* up to the last one */
    }

    row->extension = uri;

    return judge_str_cut(&row->extension, JUDGE_STR("."), &row->id);
}


/* A reference's file in an object store is found by its URI alone. */

void
judge_references_json(judge_json_writer_t *w, const judge_service_t *service,
    judge_str_t base, judge_str_t org, judge_str_t uris, judge_str_t file_type,
    judge_ms_t until)
{
    judge_str_t                  path = { 0, NULL };
    judge_arena_t               *arena = w->buf->arena;
    const judge_json_t          *root, *uri;
    judge_reference_row_t        row;
    const judge_object_store_t  *objects = service->settings.objects;

    root = judge_json_read(arena, uris);
    if (root == NULL) {
        return;
    }

    judge_json_key_array(w, "references");

    for (uri = root->first; uri; uri = uri->next) {
        if (uri->type != JUDGE_JSON_STRING
            || !judge_reference_parse(uri->string, &row)
            || !judge_str_eq_c(file_type, judge_reference_kind(row.extension)))
        {
            continue;
        }

        if (objects) {
            path = objects->path(arena, service, org, row.id, row.extension);
        }

        judge_json_object(w);
        judge_json_put_str(w, "uri", uri->string);
        judge_json_put_str(w, "file_type", file_type);
        judge_json_put_str(w, "download_url",
                           judge_file_url(arena, service, base, org, row.id,
                                          path, until));
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}
