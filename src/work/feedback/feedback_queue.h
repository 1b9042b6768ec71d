/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Turns stored entries of feedback into the examples that training learns
 * from, in the background of whichever worker claims them first. */


#ifndef JUDGE_FEEDBACK_QUEUE_H
#define JUDGE_FEEDBACK_QUEUE_H


#include "work/service/leased.h"


extern const judge_leased_kind_t  judge_feedback_turns;


#endif /* JUDGE_FEEDBACK_QUEUE_H */
