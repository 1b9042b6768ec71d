/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The PostgreSQL engine: the database of an address of libpq,
 * postgresql://USER@HOST/DATABASE?…
 */


#ifndef JUDGE_POSTGRESQL_H
#define JUDGE_POSTGRESQL_H


#include <libpq-fe.h>

#include "store/engine/driver.h"


#define JUDGE_POSTGRESQL_OLDEST   140000         /* of a server */
#define JUDGE_POSTGRESQL_MESSAGE  256


extern const judge_driver_t  judge_postgresql_driver;

/* The files of src/store/sql, ended by NULL, and follow.sql, run after. */
extern const char *const  judge_postgresql_migrations[];
extern const char         judge_postgresql_follow[];

/* Checks that libpq understands an address. *error is the end of a sentence
 * without the address, which may contain a password. */
judge_rc_e judge_postgresql_check(judge_arena_t *arena, judge_str_t url,
    judge_str_t *error);

/* Connects, which may take some seconds.  NULL: `message` says why not,
 * without any secret.  The caller closes the connection by PQfinish(). */
PGconn *judge_postgresql_connect(const char *url,
    char message[JUDGE_POSTGRESQL_MESSAGE]);

/* Migrates in one transaction, under a lock that other nodes wait for. */
judge_rc_e judge_postgresql_migrate(judge_arena_t *arena, judge_str_t url,
    judge_str_t *error);

/* Returns a sentence for clients about the last failure of this thread to
 * connect or to migrate. */
const char *judge_postgresql_diagnose(judge_arena_t *arena, judge_str_t url,
    judge_str_t *rights);

/* Returns the result code for a SQLSTATE; NULL: the connection was lost. */
judge_rc_e judge_postgresql_class(const char *state);

/* Copies the text as one line, truncated if it is too long. */
void judge_postgresql_line(char message[JUDGE_POSTGRESQL_MESSAGE],
    const char *text);


#endif /* JUDGE_POSTGRESQL_H */
