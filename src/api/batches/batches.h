/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What the endpoints of batches share: creating a batch from items, which come
 * as JSON or as rows of a table, and finding one. */


#ifndef JUDGE_BATCHES_H
#define JUDGE_BATCHES_H


#include "store/store_batch.h"
#include "api/evaluations/model_choice.h"
#include "api/http/request.h"


#define JUDGE_BATCH_NAME_MAX         200         /* characters */
#define JUDGE_BATCH_DESCRIPTION_MAX  5000
#define JUDGE_BATCH_ITEM_NAME_MAX    255
#define JUDGE_BATCH_CALLS            4 /* default number of calls that compare
                                          texts, by content and judge */
#define JUDGE_BATCH_CALLS_MAX        1000000     /* of a batch */

/* A stored content, or else a text that comes with the batch. */
typedef struct {
    judge_str_t  content_id;           /* absent: a text */
    judge_str_t  name;
    judge_str_t  description;          /* may be absent */
    judge_str_t  metadata;             /* JSON; may be absent */
    judge_str_t  text_content;
} judge_batch_item_t;

/* An item as its client sends it. */
typedef struct {
    judge_str_t    content_id;
    judge_str_t    text_content;
    judge_str_t    name;
    judge_json_t  *metadata;
    judge_json_t  *messages;           /* in place of text_content */
} judge_batch_sent_t;

/* Stores the next slice of a batch, if the previous one succeeded, and then
 * runs the step; false: none is left, or the workers will store the rest. */
bool judge_batch_slice(judge_req_t *r, judge_batch_slice_t *slice,
    judge_str_t id, judge_step_pt next);

/* The judges of a batch in the versions that it was created with. */
judge_rc_e judge_batch_judges(judge_arena_t *arena,
    const judge_batch_row_t *row, judge_str_t **ids, int64_t **versions,
    size_t *n);

/* Finds the only judge of a batch, or the one that the query names in `field`,
 * its version, and how many there are.  false: the request has been answered.
 */
bool judge_batch_judge(judge_req_t *r, const judge_batch_row_t *row,
    const char *field, judge_str_t named, judge_str_t *judge_id,
    int64_t *version, int64_t *count);

/* A batch to be created.  The handler fills in the first part and calls
 * judge_batch_create(), which checks it, stores all of it or nothing, and
 * answers.  A judge or content that is named twice counts once. */
typedef struct {
    judge_list_t           judge_ids;  /* of judge_str_t */
    judge_choice_t         priority;
    judge_boolean_t        auto_start;
    judge_model_choice_t   choice;
    judge_integer_t        max_calls;  /* that compare texts, if create.systems
                                          is set */
    judge_buf_t            items;      /* of judge_batch_item_t, checked */
    size_t                 nitems;
    judge_json_t          *sent;       /* the field of the items: only its type
                                          counts; NULL: there is none */
    bool                   table;      /* the items are rows of a table */
    const char            *called;     /* name of the items' field; NULL:
                                          content_items */

    judge_ms_t             now;        /* when its texts were made */
    judge_id_t             id;
    judge_id_t            *inlined_ids;
    size_t                *judges_at;  /* index of a judge's first use */
    size_t                *found_at;   /* item that names a content first */
    size_t                 texts;      /* number stored already */
    judge_id_t             first;      /* id of the first evaluation */
    judge_batch_check_t    check;
    judge_batch_texts_t    slice;
    judge_batch_create_t   create;     /* bound: name, description */
    judge_batch_slice_t    rest;
} judge_batch_creation_t;

void judge_batch_create(judge_req_t *r);

/* The operation of a route that creates a batch. */
#define judge_batch_creation_op                                               \
    .op = { .kind = JUDGE_OP_BATCH_CREATE,                                    \
            .op = offsetof(judge_batch_creation_t, create.op),                \
            .missing = "a judge or a content of the batch has just been"      \
                       " deleted",                                            \
            .committed = judge_batch_creation_committed,                      \
            .next = judge_batch_creation_rest,                                \
            .write = judge_batch_creation_answer, .status = 201 }

void judge_batch_creation_answer(judge_req_t *r, judge_json_writer_t *w);
void judge_batch_creation_committed(judge_req_t *r, judge_op_t *op);
void judge_batch_creation_rest(judge_req_t *r);

/* A row of a table of fields; `member` is a judge_batch_creation_t. */
#define judge_batch_calls_field(obj, member)                                  \
    judge_field_as("max_calls", obj, member.max_calls, INTEGER, 0, 0,         \
                   JUDGE_BATCH_CALLS_MAX)

/* Appends an item to the judge_batch_creation_t with which the context begins;
 * its strings are not copied.  false: out of memory. */
bool judge_batch_item_add(judge_req_t *r, const judge_batch_item_t *item);

/* Checks the text or the messages of an item, and appends it likewise.
 * JUDGE_INVALID sets *error, a sentence in which `path` is the item. */
judge_rc_e judge_batch_item_sent(judge_req_t *r, const char *path,
    const judge_batch_sent_t *sent, judge_str_t *error);


extern const judge_resource_t  judge_batches_resource;


#endif /* JUDGE_BATCHES_H */
