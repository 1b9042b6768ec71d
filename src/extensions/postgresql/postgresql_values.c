/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Binds parameters and reads columns in PostgreSQL's binary format, in which
 * numbers are big-endian; and holds the driver's table. */


#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "extensions/postgresql/postgresql_connection.h"


static judge_rc_e
judge_postgresql_prepare(judge_connection_t *c, const char *sql,
    const char *types, judge_statement_t **prepared)
{
    judge_statement_t  *st;

    st = calloc(1, sizeof(judge_statement_t));
    if (st == NULL) {
        return JUDGE_NOMEM;
    }

    st->connection = c;
    st->sql = sql;
    (void) snprintf(st->name, sizeof(st->name), "s%u", c->count++);

    for (st->n = 0; types[st->n]; st->n++) {
        st->types[st->n] = types[st->n] == 'i' ? JUDGE_POSTGRESQL_INT8
                           : types[st->n] == 'd' ? JUDGE_POSTGRESQL_DOUBLE
                           : types[st->n] == 'b' ? JUDGE_POSTGRESQL_BYTEA
                                                 : JUDGE_POSTGRESQL_TEXT;
    }

    st->row = -1;
    st->next = c->statements;
    c->statements = st;
    *prepared = st;

    return JUDGE_OK;
}


/* --- Values -------------------------------------------------------------- */

static judge_rc_e
judge_postgresql_bind(judge_statement_t *st, int i, const char *data,
    size_t len)
{
    if (i < 1 || i > st->n || len > INT32_MAX) {
        return JUDGE_ERROR;
    }

    st->row = -1;
    st->values[i - 1] = data;
    st->lengths[i - 1] = (int) len;

    return JUDGE_OK;
}


static judge_rc_e
judge_postgresql_bind_null(judge_statement_t *st, int i)
{
    return judge_postgresql_bind(st, i, NULL, 0);
}


static judge_rc_e
judge_postgresql_bind_int(judge_statement_t *st, int i, int64_t v)
{
    judge_rc_e  rc;

    rc = judge_postgresql_bind(st, i, (char *) &st->numbers[i - 1],
                               sizeof(uint64_t));
    if (rc == JUDGE_OK) {
        st->numbers[i - 1] = htobe64((uint64_t) v);
    }

    return rc;
}


static judge_rc_e
judge_postgresql_bind_double(judge_statement_t *st, int i, double v)
{
    int64_t  bits;

    memcpy(&bits, &v, sizeof(bits));

    return judge_postgresql_bind_int(st, i, bits);
}


static judge_rc_e
judge_postgresql_bind_text(judge_statement_t *st, int i, judge_str_t s)
{
    return judge_postgresql_bind(st, i, s.data, s.len);
}


static bool
judge_postgresql_column_null(judge_statement_t *st, int i)
{
    return st->row < 1 || st->result == NULL
           || PQgetisnull(st->result, st->row - 1, i);
}


/* Reads a NUMERIC, the type of sums of integers.  Its header has four numbers:
 * how many digits follow, the weight w, the sign and the scale.  The digits
 * are of base 10000, the first of them times 10000^w. */

static double
judge_postgresql_numeric(const char *data, int len)
{
    int       n, i;
    double    v;
    int16_t   weight;
    uint16_t  header[4], digit;

    if (len < (int) sizeof(header)) {
        return 0;
    }

    memcpy(header, data, sizeof(header));
    n = be16toh(header[0]);
    weight = (int16_t) be16toh(header[1]);

    for (i = 0, v = 0; i < n && len >= 10 + 2 * i; i++) {
        memcpy(&digit, data + 8 + 2 * i, sizeof(digit));
        v = v * 10000 + be16toh(digit);
    }

    for (i = n - 1; i < weight; i++) {
        v *= 10000;
    }
    for ( /* void */ ; i > weight; i--) {
        v /= 10000;
    }

    return be16toh(header[2]) == 0x4000 ? -v : v;
}


static double
judge_postgresql_column_double(judge_statement_t *st, int i)
{
    int          len;
    double       v;
    uint16_t     two;
    uint32_t     four;
    uint64_t     eight;
    const char  *data;

    if (judge_postgresql_column_null(st, i)) {
        return 0;
    }

    data = PQgetvalue(st->result, st->row - 1, i);
    len = PQgetlength(st->result, st->row - 1, i);

    switch (PQftype(st->result, i)) {
    case JUDGE_POSTGRESQL_BOOL:
        return len && *data;
    case JUDGE_POSTGRESQL_INT2:
        memcpy(&two, data, sizeof(two));
        return (int16_t) be16toh(two);
    case JUDGE_POSTGRESQL_INT4:
        memcpy(&four, data, sizeof(four));
        return (int32_t) be32toh(four);
    case JUDGE_POSTGRESQL_INT8:
        memcpy(&eight, data, sizeof(eight));
        return (double) (int64_t) be64toh(eight);
    case JUDGE_POSTGRESQL_DOUBLE:
        memcpy(&eight, data, sizeof(eight));
        eight = be64toh(eight);
        memcpy(&v, &eight, sizeof(v));
        return v;
    case JUDGE_POSTGRESQL_NUMERIC:
        return judge_postgresql_numeric(data, len);
    default:
        return strtod(data, NULL);     /* libpq ends each value with a zero */
    }
}


static int64_t
judge_postgresql_column_int(judge_statement_t *st, int i)
{
    uint64_t  eight;

    if (!judge_postgresql_column_null(st, i)
        && PQftype(st->result, i) == JUDGE_POSTGRESQL_INT8)
    {
        memcpy(&eight, PQgetvalue(st->result, st->row - 1, i), sizeof(eight));
        return (int64_t) be64toh(eight);
    }

    return (int64_t) judge_postgresql_column_double(st, i);
}


static judge_str_t
judge_postgresql_column_str(judge_statement_t *st, int i)
{
    if (judge_postgresql_column_null(st, i)) {
        return (judge_str_t) { 0, NULL };
    }

    return (judge_str_t) { (size_t) PQgetlength(st->result, st->row - 1, i),
                           PQgetvalue(st->result, st->row - 1, i) };
}


/* --- Errors, notes, and what the server does by itself ------------------- */

static const char *
judge_postgresql_message(judge_connection_t *c)
{
    return c->message[0] ? c->message : "the server said nothing";
}


static const char *
judge_postgresql_error(judge_connection_t *c)
{
    return c->lost ? "the database of the store cannot be reached"
           : c->full ? "the disk of the database is full" : NULL;
}


static void
judge_postgresql_forget(judge_connection_t *c)
{
    c->message[0] = '\0';
    c->full = false;
}


static unsigned
judge_postgresql_noted(judge_connection_t *c)
{
    unsigned  noted;

    noted = c->noted;
    c->noted = 0;

    return noted;
}


static judge_subjects_t *
judge_postgresql_subjects(judge_connection_t *c)
{
    return &c->subjects;
}


static judge_rc_e
judge_postgresql_copy(judge_connection_t *c, const char *path)
{
    judge_postgresql_line(c->message, "pg_dump and the server's own backups"
                          " copy a store in PostgreSQL");

    return JUDGE_ERROR;
}


static judge_rc_e
judge_postgresql_vacuum(judge_connection_t *c)
{
    judge_postgresql_line(c->message, "the server itself gives back the room"
                          " of what was deleted");

    return JUDGE_ERROR;
}


const judge_driver_t  judge_postgresql_driver = {
    .engine = JUDGE_DIALECT_POSTGRESQL,
    .remote = true,
    .fragile = true,
    .migrate = judge_postgresql_migrate,
    .diagnose = judge_postgresql_diagnose,
    .open = judge_postgresql_open,
    .close = judge_postgresql_close,
    .noted = judge_postgresql_noted,
    .subjects = judge_postgresql_subjects,
    .message = judge_postgresql_message,
    .error = judge_postgresql_error,
    .forget = judge_postgresql_forget,
    .transact = judge_postgresql_transact,
    .in_transaction = judge_postgresql_in_transaction,
    .prepare = judge_postgresql_prepare,
    .step = judge_postgresql_step,
    .reset = judge_postgresql_reset,
    .ahead = judge_postgresql_ahead,
    .gather = judge_postgresql_gather,
    .take = judge_postgresql_take,
    .changes = judge_postgresql_changes,
    .changed = judge_postgresql_changed,
    .bind_null = judge_postgresql_bind_null,
    .bind_int = judge_postgresql_bind_int,
    .bind_double = judge_postgresql_bind_double,
    .bind_text = judge_postgresql_bind_text,
    .bind_blob = judge_postgresql_bind_text,
    .column_null = judge_postgresql_column_null,
    .column_int = judge_postgresql_column_int,
    .column_double = judge_postgresql_column_double,
    .column_str = judge_postgresql_column_str,
    .listen = judge_postgresql_listen,
    .socket = judge_postgresql_socket,
    .receive = judge_postgresql_receive,
    .notify = judge_postgresql_notify,
    .unlisten = judge_postgresql_unlisten,
    .copy = judge_postgresql_copy,
    .vacuum = judge_postgresql_vacuum
};
