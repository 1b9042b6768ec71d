/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The words that a field or a filter may be; each list ends with NULL. */


#ifndef JUDGE_CHOICES_H
#define JUDGE_CHOICES_H


#include "base/judge_fields.h"
#include "work/judge_work_record.h"   /* judge_priorities */


extern const char *const  judge_content_types[];
extern const char *const  judge_judge_statuses[];
extern const char *const  judge_content_statuses[];
extern const char *const  judge_evaluation_statuses[];
extern const char *const  judge_batch_statuses[];
extern const char *const  judge_key_statuses[];   /* the last: expired, is
                                                     only ever shown */
extern const char *const  judge_key_settings[];   /* that a client may set */

/* The chosen word; absent where nothing was chosen. */
judge_str_t judge_chosen(const char *const *choices, judge_choice_t choice);


#endif /* JUDGE_CHOICES_H */
