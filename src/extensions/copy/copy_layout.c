/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "extensions/copy/copy_run.h"


/* Queries for the columns of all tables, with their places in the keys. */

static const char *const  judge_copy_catalogs[JUDGE_DIALECT_COUNT] = {
    [JUDGE_DIALECT_SQLITE] =
        "SELECT m.name, p.name, p.type, p.pk FROM sqlite_schema m"
        " JOIN pragma_table_info(m.name) p WHERE m.type = 'table'"
        " ORDER BY m.name <> 'organizations', m.name, p.name",
    [JUDGE_DIALECT_POSTGRESQL] =
        "SELECT t.relname, c.attname, format_type(c.atttypid, NULL),"
        " coalesce(array_position(k.indkey, c.attnum) + 1, 0)"
        " FROM pg_class t JOIN pg_attribute c ON c.attrelid = t.oid"
        " LEFT JOIN pg_index k ON k.indrelid = t.oid AND k.indisprimary"
        " WHERE t.relnamespace = current_schema()::regnamespace"
        " AND t.relkind IN ('r', 'p') AND c.attnum > 0 AND NOT c.attisdropped"
        " ORDER BY t.relname <> 'organizations', t.relname COLLATE \"C\","
        " c.attname COLLATE \"C\""
};

/* Tables that are not copied, because they describe one store. */

static const char *const  judge_copy_omit[] = {
    "probes", "judge_schema", "sqlite_sequence", "sqlite_stat1", NULL
};


judge_rc_e
judge_copy_fail(judge_copy_run_t *run, unsigned side, judge_rc_e rc)
{
    const char                *message;
    const judge_copy_side_t   *s = &run->sides[side];

    message = s->driver->message(s->c);
    run->copy->error = judge_str_printf(run->arena, "the %s failed: %s",
                           (side == 0) ? "source" : "target",
                           (message != NULL) ? message : "out of memory");

    return rc;
}


judge_rc_e
judge_copy_prepare(judge_copy_run_t *run, unsigned side, judge_buf_t *sql,
    const char *types, judge_statement_t **st)
{
    char                     *at;
    unsigned                  n;
    judge_rc_e                rc;
    judge_buf_t               own;
    const char               *begin;
    const judge_copy_side_t  *s;

    s = &run->sides[side];
    judge_buf_append(sql, "", 1);
    judge_buf_init(&own, run->arena);

    for (n = 0, begin = sql->failed ? "" : sql->data;
         (at = strchr(begin, '?')) != NULL; begin = at + 1)
    {
        judge_buf_append(&own, begin, (size_t) (at - begin));
        judge_buf_printf(&own, (s->driver->engine == JUDGE_DIALECT_POSTGRESQL)
                               ? "$%u" : "?%u", ++n);
    }

    judge_buf_append(&own, begin, strlen(begin) + 1);
    types = judge_str_dup(run->arena, judge_str_c(types)).data;
    rc = (own.failed || types == NULL) ? JUDGE_NOMEM
         : s->driver->prepare(s->c, own.data, types, st);

    return (rc == JUDGE_OK) ? rc : judge_copy_fail(run, side, rc);
}


static char
judge_copy_type(judge_str_t type)
{
    return judge_str_caseeq(type, JUDGE_STR("TEXT")) ? 't'
           : (judge_str_caseeq(type, JUDGE_STR("BLOB"))
              || judge_str_caseeq(type, JUDGE_STR("bytea"))) ? 'b'
           : (judge_str_caseeq(type, JUDGE_STR("REAL"))
              || judge_str_caseeq(type, JUDGE_STR("double precision"))) ? 'd'
           : 'i';
}


static judge_copy_layout_t *
judge_copy_layout(judge_copy_run_t *run, judge_buf_t *tables, judge_str_t name)
{
    size_t                i;
    judge_str_t           own;
    judge_copy_layout_t  *table, added = { .counted = NULL };

    if (judge_copy_omit[judge_str_index_c(judge_copy_omit, name)]) {
        return NULL;
    }

    table = (judge_copy_layout_t *) (void *) tables->data;

    for (i = tables->len / sizeof(judge_copy_layout_t); i > 0; i--) {
        if (judge_str_eq(table[i - 1].counted->name, name)) {
            return &table[i - 1];
        }
    }

    added.counted = judge_calloc(run->arena, sizeof(judge_copy_table_t));
    own = judge_str_dup(run->arena, name);

    if (added.counted == NULL || own.data == NULL) {
        tables->failed = true;
        return NULL;
    }

    added.counted->name = own;
    judge_buf_append(tables, &added, sizeof(judge_copy_layout_t));

    return tables->failed ? NULL
           : (judge_copy_layout_t *) (void *) (tables->data + tables->len) - 1;
}


judge_rc_e
judge_copy_read(judge_copy_run_t *run, unsigned side, judge_buf_t *tables)
{
    bool                      row;
    size_t                    i;
    int64_t                   key;
    judge_rc_e                rc;
    judge_buf_t               sql;
    judge_str_t               name;
    judge_statement_t        *st;
    judge_copy_layout_t      *t;
    const judge_copy_side_t  *s;

    s = &run->sides[side];
    judge_buf_init(&sql, run->arena);
    judge_buf_c(&sql, judge_copy_catalogs[s->driver->engine]);
    rc = judge_copy_prepare(run, side, &sql, "", &st);

    if (rc != JUDGE_OK) {
        return rc;
    }

    while ((rc = s->driver->step(s->c, st, &row)) == JUDGE_OK && row) {
        t = judge_copy_layout(run, tables, s->driver->column_str(st, 0));
        name = s->driver->column_str(st, 1);
        key = s->driver->column_int(st, 3);

        if (t == NULL || judge_str_eq_c(name, "rowid")) {
            continue;
        }

        for (i = 0; i < t->n && !judge_str_eq(t->columns[i].name, name); i++) {
            /* void */
        }

        if (i == JUDGE_COPY_COLUMNS || key > JUDGE_COPY_KEYS) {
            rc = JUDGE_ERROR;
            break;
        }

        if (i == t->n) {
            t->scoped |= judge_str_eq_c(name, "org");
            t->columns[i].type = judge_copy_type(s->driver->column_str(st, 2));
            t->columns[t->n++].name = judge_str_dup(run->arena, name);
        }

        if (key > 0) {
            t->keys[side][key - 1] = i;
            t->columns[i].key |= side == 1;
            t->nkeys[side]++;
        }
    }

    s->driver->reset(st);

    return tables->failed ? JUDGE_NOMEM
           : (rc == JUDGE_OK) ? rc : judge_copy_fail(run, side, rc);
}
