/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * PostgreSQL as an engine of the store.  An address of libpq names the
 * database: postgresql://USER@HOST/DATABASE?…
 */


#ifndef JUDGE_POSTGRESQL_H
#define JUDGE_POSTGRESQL_H


#include <libpq-fe.h>

#include "store/engine/driver.h"


#define JUDGE_POSTGRESQL_OLDEST   140000         /* version of a server */
#define JUDGE_POSTGRESQL_MESSAGE  256  /* bytes of a message and its zero */


extern const judge_driver_t  judge_postgresql_driver;

/* The files of src/store/sql, ended by NULL; and follow.sql, which is run
 * after them. */
extern const char *const  judge_postgresql_migrations[];
extern const char         judge_postgresql_follow[];

/* Checks that libpq understands an address.  *error ends a sentence that the
 * caller begins; it leaves out the address, which may contain a password. */
judge_rc_e judge_postgresql_check(judge_arena_t *arena, judge_str_t url,
    judge_str_t *error);

/* Connects, which may take some seconds.  NULL: it failed, and `message` says
 * why, without any secret.  The caller closes the connection by PQfinish(). */
PGconn *judge_postgresql_connect(const char *url,
    char message[JUDGE_POSTGRESQL_MESSAGE]);

/* Brings the schema up to date in one transaction, under a lock for which
 * other nodes wait.  See driver.h for the result. */
judge_rc_e judge_postgresql_migrate(judge_arena_t *arena, judge_str_t url,
    bool upgrade, judge_str_t *error);

/* Returns a sentence for clients about why this thread last failed to connect
 * or to migrate; *rights is always "". */
const char *judge_postgresql_diagnose(judge_arena_t *arena, judge_str_t url,
    judge_str_t *rights);

/* Returns the class of error (driver.h) that a SQLSTATE belongs to.  NULL
 * stands for a lost connection. */
judge_rc_e judge_postgresql_class(const char *state);

/* Copies the text as one line, truncated if it is too long. */
void judge_postgresql_line(char message[JUDGE_POSTGRESQL_MESSAGE],
    const char *text);


#endif /* JUDGE_POSTGRESQL_H */
