/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The words that a field or a filter may be; each list ends with NULL. */


#ifndef JUDGE_ENUMS_H
#define JUDGE_ENUMS_H


#include "base/json/fields.h"
#include "work/render/external_json.h"   /* judge_priorities */


extern const char *const  judge_content_types[];
extern const char *const  judge_judge_statuses[];
extern const char *const  judge_content_statuses[];
extern const char *const  judge_evaluation_statuses[];
extern const char *const  judge_batch_statuses[];
extern const char *const  judge_key_statuses[];   /* the last: expired, is
                                                     only ever shown */
extern const char *const  judge_key_settings[];   /* that a client may set */

/* The name of a choice; absent where it is not set. */
judge_str_t judge_enum_name(const char *const *choices, judge_choice_t choice);


#endif /* JUDGE_ENUMS_H */
