/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The files src/store/sql/NUMBER_SUBJECT.sql by their numbers, 1 and upwards
 * without a gap: util/embed, which makes this table, refuses any others.
 * Number n brings a schema from version n - 1 to n.  Released ones are never
 * edited.
 */


#ifndef JUDGE_MIGRATIONS_H
#define JUDGE_MIGRATIONS_H


#include <stddef.h>


extern const char *const  judge_migrations[];            /* NULL ends it */
extern const size_t       judge_migrations_count;


#endif /* JUDGE_MIGRATIONS_H */
