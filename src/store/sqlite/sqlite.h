/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The SQLite engine: the file DIRECTORY/judge.db. */


#ifndef JUDGE_SQLITE_H
#define JUDGE_SQLITE_H


#include "store/engine/driver.h"


extern const judge_driver_t  judge_sqlite_driver;

/* Must be called before the first connection; further calls do nothing. */
void judge_sqlite_configure(void);

/* Migrates in one IMMEDIATE transaction; after judge_sqlite_configure(). */
judge_rc_e judge_sqlite_migrate(judge_arena_t *arena, judge_str_t directory,
    bool upgrade, judge_str_t *error);

/* From now on, notes in `subjects` what the connection changes. */
struct sqlite3;
judge_rc_e judge_sqlite_follow(struct sqlite3 *handle,
    judge_subjects_t *subjects);

const char *judge_sqlite_diagnose(judge_arena_t *arena, judge_str_t directory,
    judge_str_t *rights);


#endif /* JUDGE_SQLITE_H */
