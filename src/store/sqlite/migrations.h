/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The files src/store/sql/NUMBER_SUBJECT.sql in the order of their numbers.
 * util/gen/migrations, which generates this table, fails unless these are 1
 * and upwards without a gap.  Number n migrates a schema from version n - 1 to
 * n, so that the statements of a released file must never be changed.
 */


#ifndef JUDGE_MIGRATIONS_H
#define JUDGE_MIGRATIONS_H


#include <stddef.h>


extern const char *const  judge_migrations[];            /* NULL ends it */
extern const size_t       judge_migrations_count;


#endif /* JUDGE_MIGRATIONS_H */
