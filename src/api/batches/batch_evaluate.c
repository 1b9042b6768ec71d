/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* POST /batches/evaluate: a batch that comes as JSON, whose items are checked
 * one by one as they arrive. */


#include <stdio.h>
#include <string.h>

#include "api/batches/batches.h"
#include "api/contents/contents.h"


static judge_rc_e judge_batch_evaluate_item(judge_req_t *r,
    const judge_json_t *item, size_t index, judge_str_t *error);


static const judge_field_t  judge_batch_evaluate_fields[] = {
    judge_field_as("name", judge_batch_creation_t, create.row.name,
                   STRING, JUDGE_REQUIRED, 1, JUDGE_BATCH_NAME_MAX),
    judge_field_as("description", judge_batch_creation_t,
                   create.row.description, STRING, 0, 0,
                   JUDGE_BATCH_DESCRIPTION_MAX),
    judge_field_strings_as("judge_ids", judge_batch_creation_t, judge_ids,
                           JUDGE_REQUIRED, 1, -1, 200),
    judge_field_as("content_items", judge_batch_creation_t, sent, ANY,
                   0, 0, 0),
    judge_field_one_of_as("priority", judge_batch_creation_t, priority,
                          CHOICE, 0, judge_priorities),
    judge_field_as("auto_start", judge_batch_creation_t, auto_start,
                   BOOLEAN, 0, 0, 0),
    judge_model_choice_fields(judge_batch_creation_t, choice),
    { .name = NULL }
};

static const judge_field_t  judge_batch_evaluate_item_fields[] = {
    judge_field(judge_batch_sent_t, content_id, STRING, 0, 1, 200),
    judge_field(judge_batch_sent_t, text_content, STRING, 0, 1, -1),
    judge_field(judge_batch_sent_t, messages, ANY, 0, 0, 0),
    judge_field(judge_batch_sent_t, name, STRING, 0, 1,
                JUDGE_BATCH_ITEM_NAME_MAX),
    judge_field(judge_batch_sent_t, metadata, ANY_OBJECT, 0, 0,
                JUDGE_METADATA_MAX),
    { .name = NULL }
};


const judge_route_t  judge_batch_evaluate_routes[] = {
    { judge_route(POST, "/batches/evaluate", JUDGE_MAY_WRITE_EVALUATIONS,
                  JUDGE_ROUTE_CREATES|JUDGE_ROUTE_LARGE_BODY,
                  judge_batch_creation_t),
      .body = judge_batch_evaluate_fields,
      .handler = judge_batch_create, judge_batch_creation_op,
      .items = "content_items", .item = judge_batch_evaluate_item,
      .location = "/batches/{id}" },
    { .pattern = NULL }
};


static const char *
judge_batch_evaluate_item_wrong(const judge_batch_sent_t *in)
{
    if (in->messages && (in->content_id.data || in->text_content.data)) {
        return "expected either messages, content_id or text_content, not"
               " several";
    }

    if (in->messages) {
        return in->name.data ? NULL : "expected a name with messages";
    }

    if (in->content_id.data && in->text_content.data) {
        return "expected either content_id or text_content, not both";
    }

    if (in->content_id.data == NULL && in->text_content.data == NULL) {
        return "expected either content_id, or text_content with name";
    }

    if (in->text_content.data && in->name.data == NULL) {
        return "expected a name with text_content";
    }

    return NULL;
}


/* Sets the text and the metadata of the row, if the item has messages; else
 * the text alone. */

static judge_rc_e
judge_batch_item_messages(judge_req_t *r, const char *path,
    const judge_batch_sent_t *in, judge_content_row_t *row,
    judge_str_t *error)
{
    judge_str_t  where;

    *row = (judge_content_row_t) { .text_content = in->text_content };
    if (in->messages == NULL) {
        return JUDGE_OK;
    }

    where = judge_str_printf(r->arena, "%s.messages", path);

    return where.data ? judge_content_messages(r->arena, in->messages, where,
                                               in->metadata, row, error)
                      : JUDGE_NOMEM;
}


judge_rc_e
judge_batch_item_sent(judge_req_t *r, const char *path,
    const judge_batch_sent_t *sent, judge_str_t *error)
{
    size_t               most = r->service->settings.max_text;
    judge_rc_e           rc;
    judge_batch_item_t   out;
    judge_content_row_t  row;

    rc = judge_batch_item_messages(r, path, sent, &row, error);
    if (rc != JUDGE_OK) {
        return rc;
    }

    if (row.text_content.len > most) {
        return judge_invalid(error, judge_str_printf(r->arena,
                   "%s.%s: expected at most %zu bytes", path,
                   sent->messages ? "messages" : "text_content", most));
    }

    out = (judge_batch_item_t) { .content_id = sent->content_id,
                                 .name = sent->name, .metadata = row.metadata,
                                 .text_content = row.text_content };

    if (sent->metadata && sent->messages == NULL) {
        out.metadata = judge_content_metadata(r->arena,
                           judge_json_value_text(r->arena, sent->metadata));
        if (out.metadata.data == NULL) {
            return JUDGE_NOMEM;
        }
    }

    return judge_batch_item_add(r, &out) ? JUDGE_OK : JUDGE_NOMEM;
}


static judge_rc_e
judge_batch_evaluate_item(judge_req_t *r, const judge_json_t *item,
    size_t index, judge_str_t *error)
{
    char                path[64];
    judge_rc_e          rc;
    const char         *wrong;
    judge_batch_sent_t  sent;

    if (index >= (size_t) r->service->settings.max_items) {
        return judge_invalid(error, judge_str_printf(r->arena,
                   "content_items: expected an array of 1 to %lld items",
                   (long long) r->service->settings.max_items));
    }

    (void) snprintf(path, sizeof(path), "content_items[%zu]", index);
    memset(&sent, 0, sizeof(judge_batch_sent_t));

    if (item->type == JUDGE_JSON_OBJECT) {
        rc = judge_fields_bind_known(r->arena,
                                     judge_batch_evaluate_item_fields, item,
                                     judge_str_c(path), &sent, error,
                                     &r->unknown);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    wrong = item->type == JUDGE_JSON_OBJECT
            ? judge_batch_evaluate_item_wrong(&sent) : "expected an object";
    if (wrong) {
        return judge_invalid(error, judge_str_printf(r->arena, "%s: %s", path,
                                                     wrong));
    }

    return judge_batch_item_sent(r, path, &sent, error);
}
