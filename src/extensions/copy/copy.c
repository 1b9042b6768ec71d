/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Copies a store table by table, the rows in the order of their primary keys,
 * with a transaction for each page.  An aborted copy is not resumed, but
 * repeated.  Organizations come first, then all tables by name, so that
 * contents are copied before evaluations, whose trigger reads them.
 */


#include <string.h>

#include "base/core/hash.h"
#include "extensions/copy/copy_run.h"


#define JUDGE_COPY_PAGE  1000          /* rows */


/* A transaction of the target; the source has one for the whole copy. */

static judge_rc_e
judge_copy_transact(judge_copy_run_t *run, judge_transaction_e what)
{
    judge_rc_e                rc;
    const judge_copy_side_t  *to = &run->sides[1];

    rc = to->driver->transact(to->c, what);

    return (rc == JUDGE_OK) ? rc : judge_copy_fail(run, 1, rc);
}


/* --- Pages --------------------------------------------------------------- */

/* Appends the names of the first n columns, or of the columns of a key. */

static void
judge_copy_names(judge_buf_t *sql, const judge_copy_layout_t *t,
    const size_t *keys, size_t n)
{
    size_t  i;

    for (i = 0; i < n; i++) {
        judge_buf_c(sql, (i > 0) ? ", " : "");
        judge_buf_str(sql, t->columns[keys ? keys[i] : i].name);
    }
}


/* Restricts a statement to the rows of the organization, if one is given. */

static void
judge_copy_scope(const judge_copy_run_t *run, judge_buf_t *sql,
    const char *word)
{
    if (run->copy->org.len > 0) {
        judge_buf_printf(sql, " %s %s = ?", word,
                         run->table->scoped ? "org" : "id");
    }
}


static void
judge_copy_marks(judge_buf_t *sql, size_t n)
{
    size_t  i;

    for (i = 0; i < n; i++) {
        judge_buf_c(sql, (i > 0) ? ", ?" : "?");
    }
}


/* Prepares the query of a page, whose first parameters are the last key of
 * the page before. */

static judge_rc_e
judge_copy_select(judge_copy_run_t *run, unsigned side, judge_statement_t **st)
{
    char                        types[JUDGE_COPY_KEYS + 2] = "";
    size_t                      i;
    judge_buf_t                 sql;
    const judge_copy_layout_t  *t = run->table;

    judge_buf_init(&sql, run->arena);
    judge_buf_c(&sql, "SELECT ");
    judge_copy_names(&sql, t, NULL, t->n + t->numbered);
    judge_buf_printf(&sql, " FROM %s WHERE (", t->counted->name.data);
    judge_copy_names(&sql, t, t->keys[side], t->nkeys[side]);
    judge_buf_c(&sql, ") > (");
    judge_copy_marks(&sql, t->nkeys[side]);
    judge_buf_c(&sql, ")");
    judge_copy_scope(run, &sql, "AND");
    judge_buf_c(&sql, " ORDER BY ");
    judge_copy_names(&sql, t, t->keys[side], t->nkeys[side]);
    judge_buf_printf(&sql, " LIMIT %d", JUDGE_COPY_PAGE);

    for (i = 0; i < t->nkeys[side]; i++) {
        types[i] = t->columns[t->keys[side][i]].type;
    }

    types[i] = (run->copy->org.len > 0) ? 't' : '\0';

    return judge_copy_prepare(run, side, &sql, types, st);
}


/* Begins before all keys; that of empty strings is the lock row of a store. */

static void
judge_copy_begin(judge_copy_run_t *run)
{
    size_t  i;

    for (i = 0; i < JUDGE_COPY_KEYS; i++) {
        run->last[i].number = INT64_MIN;
        run->last[i].text = JUDGE_STR("");
    }
}


/* Stores the key of a row in `last`. */

static judge_rc_e
judge_copy_keep(judge_copy_run_t *run, unsigned side, judge_statement_t *st)
{
    int                         at;
    size_t                      i;
    const judge_driver_t       *driver = run->sides[side].driver;
    const judge_copy_layout_t  *t = run->table;

    for (i = 0; i < t->nkeys[side]; i++) {
        at = (int) t->keys[side][i];

        if (t->columns[at].type == 'i') {
            run->last[i].number = driver->column_int(st, at);
            continue;
        }

        run->last[i].text = judge_str_dup(run->arena,
                                          driver->column_str(st, at));

        if (run->last[i].text.data == NULL) {
            return JUDGE_NOMEM;
        }
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_copy_bind(judge_copy_run_t *run, unsigned side, judge_statement_t *st)
{
    int                         n;
    size_t                      i;
    judge_rc_e                  rc;
    const judge_driver_t       *driver = run->sides[side].driver;
    const judge_copy_layout_t  *t = run->table;

    rc = JUDGE_OK;
    n = 0;

    for (i = 0; rc == JUDGE_OK && i < t->nkeys[side]; i++) {
        switch (t->columns[t->keys[side][i]].type) {
        case 'i':
            rc = driver->bind_int(st, ++n, run->last[i].number);
            break;

        case 'b':
            rc = driver->bind_blob(st, ++n, run->last[i].text);
            break;

        default:
            rc = driver->bind_text(st, ++n, run->last[i].text);
        }
    }

    return (rc == JUDGE_OK && run->copy->org.len > 0)
           ? driver->bind_text(st, ++n, run->copy->org) : rc;
}


/* Binds a column of a row to the statement that inserts the row. */

static judge_rc_e
judge_copy_value(const judge_driver_t *from, judge_statement_t *row,
    const judge_driver_t *to, judge_statement_t *insert, size_t i, char type)
{
    int  at = (int) i;

    if (from->column_null(row, at)) {
        return to->bind_null(insert, at + 1);
    }

    switch (type) {
    case 'i':
        return to->bind_int(insert, at + 1, from->column_int(row, at));

    case 'd':
        return to->bind_double(insert, at + 1, from->column_double(row, at));

    case 'b':
        return to->bind_blob(insert, at + 1, from->column_str(row, at));

    default:
        return to->bind_text(insert, at + 1, from->column_str(row, at));
    }
}


/* The sum of the rows' hashes does not depend on their order. */

static uint64_t
judge_copy_digest(const judge_copy_layout_t *t, const judge_driver_t *driver,
    judge_statement_t *row)
{
    int          at;
    double       real;
    size_t       i;
    int64_t      number;
    uint64_t     hash;
    judge_str_t  s;

    for (i = 0, hash = JUDGE_FNV_START; i < t->n; i++) {
        at = (int) i;
        number = driver->column_int(row, at);
        real = driver->column_double(row, at);
        s = driver->column_null(row, at) ? JUDGE_STR("")
            : (t->columns[i].type == 'i')
            ? (judge_str_t) { sizeof(int64_t), (const char *) &number }
            : (t->columns[i].type == 'd')
            ? (judge_str_t) { sizeof(double), (const char *) &real }
            : driver->column_str(row, at);
        hash = judge_fnv(hash, s.data, s.len);
        hash = judge_fnv_byte(hash, driver->column_null(row, at));
    }

    return hash;
}


static judge_rc_e
judge_copy_row(judge_copy_run_t *run, unsigned side, judge_statement_t *row)
{
    bool                        more;
    size_t                      i;
    judge_rc_e                  rc;
    const judge_copy_side_t    *from = &run->sides[side];
    const judge_copy_side_t    *to = &run->sides[1];
    const judge_copy_layout_t  *t = run->table;

    t->counted->rows[side]++;
    t->counted->digests[side] += judge_copy_digest(t, from->driver, row);

    if (run->insert == NULL) {
        return JUDGE_OK;
    }

    for (i = 0, rc = JUDGE_OK; rc == JUDGE_OK && i < t->n; i++) {
        rc = judge_copy_value(from->driver, row, to->driver, run->insert, i,
                              t->columns[i].type);
    }

    rc = (rc == JUDGE_OK) ? to->driver->step(to->c, run->insert, &more) : rc;
    to->driver->reset(run->insert);

    if (rc == JUDGE_OK && t->shared && to->driver->changes(to->c) == 0) {
        run->copy->error = JUDGE_STR("the target has results of another"
                      " organization under the numbers of these: expected one"
                      " in PostgreSQL, or without other organizations");
        return JUDGE_ERROR;
    }

    return (rc == JUDGE_OK) ? rc : judge_copy_fail(run, 1, rc);
}


/* Copies or reads a page; the last one has fewer than JUDGE_COPY_PAGE rows. */

static judge_rc_e
judge_copy_page(judge_copy_run_t *run, unsigned side, judge_statement_t *st,
    size_t *rows)
{
    bool                      row;
    judge_rc_e                rc;
    const judge_copy_side_t  *s;

    s = &run->sides[side];
    *rows = 0;
    rc = judge_copy_bind(run, side, st);

    while (rc == JUDGE_OK
           && (rc = s->driver->step(s->c, st, &row)) == JUDGE_OK && row)
    {
        rc = judge_copy_row(run, side, st);

        if (rc == JUDGE_OK && ++*rows == JUDGE_COPY_PAGE) {
            rc = judge_copy_keep(run, side, st);
        }
    }

    s->driver->reset(st);

    return (rc == JUDGE_OK || run->copy->error.len > 0)
           ? rc : judge_copy_fail(run, side, rc);
}


/* Copies or reads all pages, each in its own transaction of the target.  Those
 * of a table with a shared key are one: if a row is refused, none is left. */

static judge_rc_e
judge_copy_pages(judge_copy_run_t *run, unsigned side)
{
    size_t              rows;
    judge_rc_e          rc;
    judge_statement_t  *st;

    judge_copy_begin(run);
    rc = judge_copy_select(run, side, &st);
    rc = rc ? rc : judge_copy_transact(run, JUDGE_TRANSACTION_BEGIN);

    for (rows = JUDGE_COPY_PAGE; rc == JUDGE_OK && rows == JUDGE_COPY_PAGE; ) {
        rc = judge_copy_page(run, side, st, &rows);

        if (rc == JUDGE_OK && rows == JUDGE_COPY_PAGE && !run->table->shared) {
            rc = judge_copy_transact(run, JUDGE_TRANSACTION_COMMIT);
            rc = rc ? rc : judge_copy_transact(run, JUDGE_TRANSACTION_BEGIN);
        }
    }

    return rc ? rc : judge_copy_transact(run, JUDGE_TRANSACTION_COMMIT);
}


/* Runs a statement in the target, in its own transaction. */

static judge_rc_e
judge_copy_run(judge_copy_run_t *run, judge_buf_t *sql)
{
    bool                      row, scoped;
    judge_rc_e                rc;
    judge_statement_t        *st;
    const judge_copy_side_t  *to;

    to = &run->sides[1];
    scoped = strchr(sql->data, '?') != NULL;
    rc = judge_copy_prepare(run, 1, sql, scoped ? "t" : "", &st);
    rc = rc ? rc : judge_copy_transact(run, JUDGE_TRANSACTION_BEGIN);

    if (rc != JUDGE_OK) {
        return rc;
    }

    rc = scoped ? to->driver->bind_text(st, 1, run->copy->org) : JUDGE_OK;
    rc = (rc == JUDGE_OK) ? to->driver->step(to->c, st, &row) : rc;
    to->driver->reset(st);

    return (rc == JUDGE_OK)
           ? judge_copy_transact(run, JUDGE_TRANSACTION_COMMIT)
           : judge_copy_fail(run, 1, rc);
}


/* Prepares the insert, which overwrites rows that have the same key. */

static judge_rc_e
judge_copy_insert(judge_copy_run_t *run)
{
    char                        types[JUDGE_COPY_COLUMNS + 1];
    size_t                      i, n;
    judge_buf_t                 sql;
    judge_str_t                 name;
    const judge_copy_layout_t  *t = run->table;

    judge_buf_init(&sql, run->arena);
    judge_buf_printf(&sql, "INSERT INTO %s (", t->counted->name.data);
    judge_copy_names(&sql, t, NULL, t->n);
    judge_buf_c(&sql, ") VALUES (");
    judge_copy_marks(&sql, t->n);
    judge_buf_c(&sql, ") ON CONFLICT");

    if (!t->numbered && t->n > t->nkeys[1]) {
        judge_buf_c(&sql, " (");
        judge_copy_names(&sql, t, t->keys[1], t->nkeys[1]);
        judge_buf_c(&sql, ") DO UPDATE SET ");

        for (i = n = 0; i < t->n; i++) {
            name = t->columns[i].name;

            if (!t->columns[i].key) {
                judge_buf_printf(&sql, "%s%s = excluded.%s",
                                 (n++ > 0) ? ", " : "", name.data, name.data);
            }
        }

        if (t->shared) {
            judge_buf_printf(&sql, " WHERE %s.org = excluded.org",
                             t->counted->name.data);
        }

    } else {
        judge_buf_c(&sql, " DO NOTHING");
    }

    for (i = 0; i < t->n; i++) {
        types[i] = t->columns[i].type;
    }

    types[t->n] = '\0';

    return judge_copy_prepare(run, 1, &sql, types, &run->insert);
}


/* Copies a table, then reads the target's for its digest.  A table without a
 * key is emptied first, since rows of an aborted copy would be duplicated. */

static judge_rc_e
judge_copy_table(judge_copy_run_t *run, judge_copy_layout_t *t)
{
    judge_rc_e   rc;
    judge_buf_t  sql;

    run->table = t;
    judge_buf_init(&sql, run->arena);
    judge_buf_printf(&sql, "DELETE FROM %s", t->counted->name.data);
    judge_copy_scope(run, &sql, "WHERE");
    rc = t->numbered ? judge_copy_run(run, &sql) : JUDGE_OK;
    rc = (rc == JUDGE_OK) ? judge_copy_insert(run) : rc;
    rc = (rc == JUDGE_OK) ? judge_copy_pages(run, 0) : rc;
    run->insert = NULL;

    return (rc == JUDGE_OK) ? judge_copy_pages(run, 1) : rc;
}


/* Copies the tables of shared keys before any other one, so that a refusal
 * leaves nothing in the target. */

static judge_rc_e
judge_copy_shared(judge_copy_run_t *run, judge_copy_layout_t *layouts,
    size_t n)
{
    size_t                      i, k;
    judge_rc_e                  rc;
    judge_copy_layout_t        *t;
    const judge_copy_column_t  *key;

    for (i = 0, rc = JUDGE_OK; rc == JUDGE_OK && i < n; i++) {
        t = &layouts[i];
        t->shared = run->copy->org.len > 0 && t->scoped && t->nkeys[1] > 0;

        for (k = 0; k < t->nkeys[1]; k++) {
            key = &t->columns[t->keys[1][k]];
            t->shared = t->shared && !judge_str_eq_c(key->name, "org");
        }

        if (t->shared) {
            rc = judge_copy_table(run, t);
            t->copied = true;
        }
    }

    return rc;
}


static judge_rc_e
judge_copy_tables(judge_copy_run_t *run, judge_copy_layout_t *layouts,
    size_t n)
{
    bool                 same;
    size_t               i;
    judge_rc_e           rc;
    judge_copy_t        *copy;
    judge_copy_table_t  *t;

    copy = run->copy;
    copy->tables = judge_array_alloc(run->arena, n + 1,
                                     sizeof(judge_copy_table_t));
    rc = (copy->tables == NULL) ? JUDGE_NOMEM
                                : judge_copy_shared(run, layouts, n);

    for (i = 0, same = true; rc == JUDGE_OK && i < n; i++) {
        t = layouts[i].counted;

        if (copy->org.len > 0 && !layouts[i].scoped
            && !judge_str_eq_c(t->name, "organizations"))
        {
            continue;
        }

        if (layouts[i].nkeys[1] == 0) {
            layouts[i].numbered = true;
            layouts[i].columns[layouts[i].n] = (judge_copy_column_t) {
                JUDGE_STR("rowid"), 'i', true };
            layouts[i].keys[0][0] = layouts[i].keys[1][0] = layouts[i].n;
            layouts[i].nkeys[0] = layouts[i].nkeys[1] = 1;
        }

        rc = layouts[i].copied ? JUDGE_OK : judge_copy_table(run, &layouts[i]);
        same &= t->rows[0] == t->rows[1] && t->digests[0] == t->digests[1];
        copy->tables[copy->ntables++] = *t;
    }

    return (rc == JUDGE_OK && !same) ? JUDGE_CONFLICT : rc;
}


/* A copy of a whole store deletes the target's logs, so that the target may
 * not have other organizations.  This is checked before the first row is
 * written, because there is no way to delete an organization. */

static judge_rc_e
judge_copy_others(judge_copy_run_t *run)
{
    bool                      row = true, found = true;
    judge_rc_e                rc;
    judge_buf_t               sql;
    judge_statement_t        *all, *one = NULL;
    const judge_copy_side_t  *from = &run->sides[0], *to = &run->sides[1];

    if (run->copy->org.len > 0) {
        return JUDGE_OK;
    }

    judge_buf_init(&sql, run->arena);
    judge_buf_c(&sql, "SELECT id FROM organizations");
    rc = judge_copy_prepare(run, 1, &sql, "", &all);
    judge_buf_init(&sql, run->arena);
    judge_buf_c(&sql, "SELECT 1 FROM organizations WHERE id = ?");
    rc = rc ? rc : judge_copy_prepare(run, 0, &sql, "t", &one);

    while (rc == JUDGE_OK && found) {
        rc = to->driver->step(to->c, all, &row);
        if (rc != JUDGE_OK || !row) {
            break;
        }

        rc = from->driver->bind_text(one, 1, to->driver->column_str(all, 0));
        rc = rc ? rc : from->driver->step(from->c, one, &found);
        from->driver->reset(one);
    }

    if (one) {
        to->driver->reset(all);
    }

    if (rc == JUDGE_OK && !found) {
        run->copy->error = JUDGE_STR("the target has organizations that the"
                           " source lacks: name the one to copy by --org");
        return JUDGE_ERROR;
    }

    return (rc == JUDGE_OK || run->copy->error.len > 0)
           ? rc : judge_copy_fail(run, 1, rc);
}


/* The transaction of the source is idle while the target is written and read,
 * and reads long tables, so the timeouts for requests are removed. */

static judge_rc_e
judge_copy_snapshot(judge_copy_run_t *run)
{
    bool                      row;
    judge_rc_e                rc;
    judge_statement_t        *st;
    const judge_copy_side_t  *from = &run->sides[0];

    rc = from->driver->transact(from->c, JUDGE_TRANSACTION_BEGIN);

    if (rc == JUDGE_OK && from->driver->remote) {
        rc = from->driver->prepare(from->c, "SELECT set_config("
                 "'idle_in_transaction_session_timeout', '0', true),"
                 " set_config('statement_timeout', '0', true)", "", &st);
        rc = (rc == JUDGE_OK) ? from->driver->step(from->c, st, &row) : rc;
    }

    return rc;
}


/* A PostgreSQL side is read first, since its types are stricter.  The sequence
 * of PostgreSQL is set to continue after the numbers that were copied. */

static judge_rc_e
judge_copy_all(judge_copy_run_t *run)
{
    bool         far;
    judge_rc_e   rc, numbered;
    judge_buf_t  sql, tables;

    judge_buf_init(&sql, run->arena);
    judge_buf_init(&tables, run->arena);
    far = run->sides[1].driver->engine == JUDGE_DIALECT_POSTGRESQL;
    rc = judge_copy_snapshot(run);
    rc = rc ? judge_copy_fail(run, 0, rc)
            : judge_copy_transact(run, JUDGE_TRANSACTION_BEGIN);
    rc = rc ? rc : judge_copy_read(run, far, &tables);
    rc = rc ? rc : judge_copy_read(run, !far, &tables);
    rc = rc ? rc : judge_copy_others(run);
    rc = rc ? rc : judge_copy_transact(run, JUDGE_TRANSACTION_COMMIT);
    rc = rc ? rc : judge_copy_tables(run,
                       (judge_copy_layout_t *) (void *) tables.data,
                       tables.len / sizeof(judge_copy_layout_t));

    if ((rc != JUDGE_OK && rc != JUDGE_CONFLICT) || !far) {
        return rc;
    }

    judge_buf_c(&sql, "SELECT setval('results_together_numbers', greatest("
                "(SELECT max(number) FROM results_together), (SELECT"
                " last_value FROM results_together_numbers)))");
    numbered = judge_copy_run(run, &sql);

    return (numbered == JUDGE_OK) ? rc : numbered;
}


judge_rc_e
judge_store_copy(judge_arena_t *arena, judge_copy_t *copy)
{
    unsigned          i;
    judge_rc_e        rc;
    judge_str_t       names[2] = { copy->source, copy->target };
    judge_copy_run_t  run = { .copy = copy, .arena = arena };

    copy->tables = NULL;
    copy->ntables = 0;
    copy->error = JUDGE_STR("");
    rc = judge_store_check(arena, copy->source, &copy->error);
    rc = rc ? rc : judge_store_check(arena, copy->target, &copy->error);
    rc = rc ? rc : judge_store_make(arena, copy->target, &copy->error);

    for (i = 0; rc == JUDGE_OK && i < 2; i++) {
        run.sides[i].driver = judge_store_driver(names[i]);
        run.sides[i].c = run.sides[i].driver->open(arena, names[i], i == 1,
                                                   &copy->error);
        rc = (run.sides[i].c == NULL) ? JUDGE_ERROR : rc;
    }

    rc = (rc == JUDGE_OK) ? judge_copy_all(&run) : rc;

    for (i = 0; i < 2; i++) {
        if (run.sides[i].c != NULL) {
            run.sides[i].driver->close(run.sides[i].c);
        }
    }

    return rc;
}
