/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */



/*
 * What the command-line tool prints and how it comes to its store.
 */


#ifndef JUDGE_TOOL_H
#define JUDGE_TOOL_H


#include <sys/types.h>

#include "base/core/str.h"
#include "base/core/time.h"
#include "store/store_open.h"
#include "store/store_org.h"


#define JUDGE_TOOL_ARGS     16
#define JUDGE_TOOL_COLUMNS  10

#define JUDGE_TOOL_OK       0
#define JUDGE_TOOL_FAILED   1
#define JUDGE_TOOL_USAGE    2


typedef struct {
    judge_arena_t   *arena;
    judge_runner_t  *db;
    judge_ms_t       now;
    judge_buf_t      out;
    const char      *args[JUDGE_TOOL_ARGS];
    int              nargs;
    const char      *store;
    const char      *from;
    const char      *to;
    const char      *org;
    const char      *user;
    const char      *permissions;
    const char      *expires;
    bool             json;
    bool             force;
    bool             help;
    bool             version;
} judge_tool_t;


/* Opens t->store into t->db; makes it when it is new, and refuses one with
 * another schema than this program's.  Exit statuses. */
int judge_tool_open(judge_tool_t *t);

/* Enters the directory of the store that there is in t->store. */
int judge_tool_found(judge_tool_t *t);

/* Opens the store that there is in t->store, and leaves its schema alone;
 * `any`: even one of another version than this program's. */
int judge_tool_open_found(judge_tool_t *t, bool any);

/* The version of the schema of the store that is open; and the refusal of one
 * that is not this program's. */
int judge_tool_schema(judge_tool_t *t, int64_t *version);
int judge_tool_fail_schema(int64_t version);

/* Becomes the owner of a directory, where root runs this.  Makes one that is
 * not there, for the user --user names, or else for `uid` and `gid`. */
int judge_tool_enter(judge_tool_t *t, const char *directory, uid_t uid,
    gid_t gid);

/* Looks through the store in t->store, which t->db has open; *files are how
 * many it names.  found() prints a problem, a line of its own.  `older`: it
 * has the schema of an older program, and what rows refer to is not asked. */
int judge_check_whole(judge_tool_t *t, bool older, size_t *files);
void judge_check_found(judge_tool_t *t, judge_str_t text);

/* Prints which criteria this program would judge otherwise than what made
 * them, of the store that t->db has open. */
int judge_methods_check(judge_tool_t *t);

/* Prints a sentence on stderr; returns the status. */
int judge_tool_fail(int status, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));


/* --- For people, into t->out --------------------------------------------- */

/* "label  value" */
void judge_tool_pair(judge_tool_t *t, const char *label, judge_str_t value);

/* A table for people: rows of cells under one line of heads. */
typedef struct {
    const char *const  *heads;
    size_t              columns;       /* at most JUDGE_TOOL_COLUMNS */
    judge_str_t        *cells;
    size_t              count;
    size_t              room;
} judge_table_t;

/* Cells come in the order of reading; an absent one is shown as "-". */
void judge_table_add(judge_tool_t *t, judge_table_t *table, judge_str_t cell);
void judge_table_print(judge_tool_t *t, const judge_table_t *table);


/* --- Operations ---------------------------------------------------------- */

/* Runs one; its outcome is in op->rc. */
void judge_tool_run(judge_tool_t *t, judge_op_t *op, judge_op_kind_e kind);

/* Prints why one failed. */
int judge_tool_fail_op(judge_tool_t *t, const judge_op_t *op);

/* Whether a name may be stored; `what` has it. */
int judge_tool_name(judge_str_t name, const char *what);

int judge_tool_orgs(judge_tool_t *t, judge_org_list_t *list);

/* An organization by identifier, else by name. */
int judge_tool_org(judge_tool_t *t, const char *arg, judge_str_t *org);

/* Fills in a new row of every permission; the key itself, data NULL on a
 * fault. */
judge_str_t judge_tool_new_key(judge_tool_t *t, judge_key_create_t *o,
    judge_str_t org, judge_str_t name);


/* --- Commands: exit statuses --------------------------------------------- */

int judge_org_create(judge_tool_t *t, const char **args, int n);
int judge_org_list(judge_tool_t *t, const char **args, int n);
int judge_key_create(judge_tool_t *t, const char **args, int n);
int judge_key_list(judge_tool_t *t, const char **args, int n);
int judge_key_suspend(judge_tool_t *t, const char **args, int n);
int judge_key_activate(judge_tool_t *t, const char **args, int n);
int judge_key_rotate(judge_tool_t *t, const char **args, int n);

/* They open the store by themselves. */
int judge_tool_explain(judge_tool_t *t, const char **args, int n);
int judge_tool_detect(judge_tool_t *t, const char **args, int n);

/* A file in the arena.  JUDGE_INVALID: it has more than a MiB; JUDGE_ERROR. */
judge_rc_e judge_tool_read(judge_tool_t *t, const char *path,
    judge_str_t *text);
int judge_tool_version(judge_tool_t *t, const char **args, int n);
int judge_tool_backup(judge_tool_t *t, const char **args, int n);
int judge_tool_restore(judge_tool_t *t, const char **args, int n);
int judge_tool_copy(judge_tool_t *t, const char **args, int n);
int judge_tool_check(judge_tool_t *t, const char **args, int n);
int judge_tool_stats(judge_tool_t *t, const char **args, int n);
int judge_tool_retention(judge_tool_t *t, const char **args, int n);
int judge_tool_vacuum(judge_tool_t *t, const char **args, int n);


#endif /* JUDGE_TOOL_H */
