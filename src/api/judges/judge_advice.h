/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Advice for whoever writes a judge: on criteria that add nothing of their
 * own, and those that nobody can score reliably. */


#ifndef JUDGE_ADVICE_H
#define JUDGE_ADVICE_H


#include "api/judges/criteria.h"


/* Writes the member "advice", sentences in English, unless there are none.
 * The judges of the criteria must have been chosen. */
void judge_advice_write(judge_json_writer_t *w, judge_arena_t *arena,
    const judge_list_t *criteria);


#endif /* JUDGE_ADVICE_H */
