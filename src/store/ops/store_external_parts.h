/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Work items out of rows, within src/store. */


#ifndef JUDGE_STORE_EXTERNAL_PARTS_H
#define JUDGE_STORE_EXTERNAL_PARTS_H


#include "store/ops/store_ops.h"
#include "store/store_external.h"


/* Of a content c and a version v of a judge; and of an evaluation e with
 * them. */
#define JUDGE_WORK_COLUMNS_REST                                               \
    "c.file_type, c.size, c.name, c.file_path, c.file_url, c.metadata,"       \
    " v.name, v.description, v.criteria"

#define JUDGE_WORK_COLUMNS                                                    \
    "e.id, e.content_id, e.judge_id, e.judge_version, e.batch_id,"            \
    " e.priority, e.attempts, e.created_at, e.deadline, "                     \
    JUDGE_WORK_COLUMNS_REST

/* The members that they go to; content.id is a copy of content_id. */
#define JUDGE_WORK_VALUES                                                     \
    JUDGE_R(id), JUDGE_R(content_id), JUDGE_R(judge_id),                      \
    JUDGE_R(judge_version), JUDGE_R(batch_id), JUDGE_R(priority),             \
    JUDGE_R(attempts), JUDGE_R(created_at), JUDGE_R(deadline)

#define JUDGE_WORK_VALUES_REST                                                \
    JUDGE_R(content.file_type), JUDGE_R(content.size), JUDGE_R(content.name), \
    JUDGE_R(content.file_path), JUDGE_R(content.file_url),                    \
    JUDGE_R(content.metadata), JUDGE_R(judge_name),                           \
    JUDGE_R(judge_description), JUDGE_R(criteria)

#define JUDGE_WORK_COLUMN_NEXT  18

extern const judge_value_t  judge_work_item_out[];


#endif /* JUDGE_STORE_EXTERNAL_PARTS_H */
