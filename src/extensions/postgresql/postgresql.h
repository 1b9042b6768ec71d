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

/* Of src/store/sql, NULL ends it; and of follow.sql, run behind them. */
extern const char *const  judge_postgresql_migrations[];
extern const char         judge_postgresql_follow[];

/* Whether libpq understands an address; *error is a sentence, without what
 * may be secret. */
judge_rc_e judge_postgresql_check(judge_arena_t *arena, judge_str_t url,
    judge_str_t *error);

/* Waits for a server, for seconds at most.  NULL: `message` says why not,
 * without what may be secret.  PQfinish() is the caller's. */
PGconn *judge_postgresql_connect(const char *url,
    char message[JUDGE_POSTGRESQL_MESSAGE]);

/* In one transaction, under a lock that other nodes wait for. */
judge_rc_e judge_postgresql_migrate(judge_arena_t *arena, judge_str_t url,
    judge_str_t *error);

/* What a client may know of the last failure of this thread to connect or
 * to migrate. */
const char *judge_postgresql_diagnose(judge_arena_t *arena, judge_str_t url,
    judge_str_t *rights);

/* What a SQLSTATE means; NULL is a connection that is gone. */
judge_rc_e judge_postgresql_class(const char *state);

/* A line, cut where it is too long. */
void judge_postgresql_line(char message[JUDGE_POSTGRESQL_MESSAGE],
    const char *text);


#endif /* JUDGE_POSTGRESQL_H */
