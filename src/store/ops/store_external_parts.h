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
 * them, which judge_work_item_read() reads. */
#define JUDGE_WORK_COLUMNS_REST                                               \
    "c.file_type, c.size, c.name, c.file_path, c.file_url, c.metadata,"       \
    " v.name, v.description, v.criteria"

#define JUDGE_WORK_COLUMNS                                                    \
    "e.id, e.content_id, e.judge_id, e.judge_version, e.batch_id,"            \
    " e.priority, e.attempts, e.created_at, e.deadline, "                     \
    JUDGE_WORK_COLUMNS_REST

#define JUDGE_WORK_COLUMN_CONTENT  9
#define JUDGE_WORK_COLUMN_NEXT     18

void judge_work_item_read(judge_run_t *run, judge_work_item_t *item);


#endif /* JUDGE_STORE_EXTERNAL_PARTS_H */
