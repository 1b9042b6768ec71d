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


/* An item as its client sends it. */
typedef struct {
    judge_str_t    content_id;
    judge_str_t    text_content;
    judge_str_t    name;
    judge_json_t  *metadata;
    judge_json_t  *messages;           /* in place of text_content */
} judge_batch_evaluate_item_t;


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
    judge_field(judge_batch_evaluate_item_t, content_id, STRING, 0, 1, 200),
    judge_field(judge_batch_evaluate_item_t, text_content, STRING, 0, 1, -1),
    judge_field(judge_batch_evaluate_item_t, messages, ANY, 0, 0, 0),
    judge_field(judge_batch_evaluate_item_t, name, STRING, 0, 1,
                JUDGE_BATCH_ITEM_NAME_MAX),
    judge_field(judge_batch_evaluate_item_t, metadata, ANY_OBJECT, 0, 0,
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
judge_batch_evaluate_item_wrong(const judge_batch_evaluate_item_t *in)
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
judge_batch_evaluate_messages(judge_req_t *r, const char *path,
    const judge_batch_evaluate_item_t *in, judge_content_row_t *row,
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


static judge_rc_e
judge_batch_evaluate_item(judge_req_t *r, const judge_json_t *item,
    size_t index, judge_str_t *error)
{
    char                           path[64];
    judge_rc_e                     rc;
    const char                    *wrong;
    judge_batch_item_t             out;
    judge_content_row_t            row;
    judge_batch_evaluate_item_t    in;
    const judge_settings_t        *settings = &r->service->settings;

    if (index >= (size_t) settings->max_items) {
        return judge_invalid(error, judge_str_printf(r->arena,
                   "content_items: expected an array of 1 to %lld items",
                   (long long) settings->max_items));
    }

    (void) snprintf(path, sizeof(path), "content_items[%zu]", index);
    memset(&in, 0, sizeof(judge_batch_evaluate_item_t));

    if (item->type == JUDGE_JSON_OBJECT) {
        rc = judge_fields_bind_known(r->arena,
                                     judge_batch_evaluate_item_fields, item,
                                     judge_str_c(path), &in, error,
                                     &r->unknown);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    wrong = item->type == JUDGE_JSON_OBJECT
            ? judge_batch_evaluate_item_wrong(&in) : "expected an object";
    if (wrong) {
        return judge_invalid(error, judge_str_printf(r->arena, "%s: %s", path,
                                                     wrong));
    }

    rc = judge_batch_evaluate_messages(r, path, &in, &row, error);
    if (rc != JUDGE_OK) {
        return rc;
    }

    if (row.text_content.len > settings->max_text) {
        return judge_invalid(error, judge_str_printf(r->arena,
                   "%s.%s: expected at most %zu bytes", path,
                   in.messages ? "messages" : "text_content",
                   settings->max_text));
    }

    out = (judge_batch_item_t) { .content_id = in.content_id,
                                 .name = in.name, .metadata = row.metadata,
                                 .text_content = row.text_content };

    if (in.metadata && in.messages == NULL) {
        out.metadata = judge_content_metadata(r->arena,
                           judge_json_value_text(r->arena, in.metadata));
        if (out.metadata.data == NULL) {
            return JUDGE_NOMEM;
        }
    }

    return judge_batch_item_add(r, &out) ? JUDGE_OK : JUDGE_NOMEM;
}
