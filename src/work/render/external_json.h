/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* An evaluation as an external worker gets it to work on. */


#ifndef JUDGE_EXTERNAL_JSON_H
#define JUDGE_EXTERNAL_JSON_H


#include "base/json/json.h"
#include "store/store_external.h"
#include "work/service/service.h"


extern const char *const  judge_priorities[];     /* by JUDGE_PRIORITY_…;
                                                     NULL ends it */

/* The fields of a work item, but for those of a lease.  base is what
 * addresses begin with; that of a file holds until file_until. */
void judge_external_json(judge_json_writer_t *w,
    const judge_service_t *service,
    judge_str_t base, judge_str_t org, const judge_work_item_t *item,
    judge_ms_t file_until);


#endif /* JUDGE_EXTERNAL_JSON_H */
