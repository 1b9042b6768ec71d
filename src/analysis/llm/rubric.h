/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A judge version's criteria, as they are stored, into a rubric. */


#ifndef JUDGE_RUBRIC_H
#define JUDGE_RUBRIC_H


#include "analysis/builtin/engine.h"


/* criteria: the stored JSON array.  JUDGE_INVALID when it is not one. */
judge_rc_e judge_rubric_read(judge_arena_t *arena, judge_str_t name,
    judge_str_t description, judge_str_t criteria, judge_rubric_t *rubric);

/* metadata.source, where it is a string; else absent. */
judge_str_t judge_rubric_source(judge_arena_t *arena, judge_str_t metadata);

/* What metadata says of an item: its source, and metadata.question. */
void judge_rubric_item(judge_arena_t *arena, judge_str_t metadata,
    judge_item_t *item);


#endif /* JUDGE_RUBRIC_H */
