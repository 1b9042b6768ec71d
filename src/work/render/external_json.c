/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "work/render/external_json.h"
#include "work/service/signed_url.h"


static void judge_external_json_content(judge_json_writer_t *w,
    const judge_content_row_t *row, judge_str_t download);
static void judge_external_json_judge(judge_json_writer_t *w,
    const judge_work_item_t *item);


const char *const  judge_priorities[] = {
    "high", "normal", "low", NULL
};


void
judge_external_json(judge_json_writer_t *w, const judge_service_t *service,
    judge_str_t base, judge_str_t org, const judge_work_item_t *item,
    judge_ms_t file_until)
{
    judge_str_t      download;
    judge_address_t  address;

    address = (judge_address_t) { .secret = service->secret,
                                  .method = JUDGE_ADDRESS_GET,
                                  .folder = "files", .org = org,
                                  .id = item->content_id };
    download = judge_signed_url(w->buf->arena, base, &address, file_until);

    judge_json_put_str(w, "evaluation_id", item->id);
    judge_json_put_c(w, "priority", judge_priorities[item->priority]);
    judge_json_put_str(w, "batch_id", item->batch_id);
    judge_json_put_time(w, "created_at", item->created_at);
    judge_json_put_time(w, "deadline", item->deadline);
    judge_external_json_content(w, &item->content, download);
    judge_external_json_judge(w, item);
    judge_json_put_str(w, "callback_url",
                       judge_str_printf(w->buf->arena,
                             "%.*s/api/video-evaluations/callback",
                             (int) base.len, base.data));
}


/* A file of the service has a download address, any other the one that it was
 * given with. */

static void
judge_external_json_content(judge_json_writer_t *w,
    const judge_content_row_t *row,
    judge_str_t download)
{
    judge_json_key_object(w, "content");
    judge_json_put_str(w, "content_id", row->id);
    judge_json_put_str(w, "name", row->name);
    judge_json_put_str(w, "file_type", row->file_type);

    if (row->file_path.data) {
        judge_json_put_int(w, "size", row->size);
        judge_json_put_str(w, "download_url", download);
    } else {
        judge_json_put_str(w, "url", row->file_url);
    }

    judge_json_put_raw(w, "metadata", row->metadata);
    judge_json_object_end(w);
}


static void
judge_external_json_judge(judge_json_writer_t *w,
    const judge_work_item_t *item)
{
    judge_json_key_object(w, "judge");
    judge_json_put_str(w, "judge_id", item->judge_id);
    judge_json_put_int(w, "version", item->judge_version);
    judge_json_put_str(w, "name", item->judge_name);
    judge_json_put_str(w, "description", item->judge_description);
    judge_json_put_raw(w, "criteria", item->criteria);
    judge_json_object_end(w);
}
