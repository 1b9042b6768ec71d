/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The command-line tool: organizations and API keys, backups and upkeep, on
 * the store directly, so that it works whether nginx runs or not.  What it
 * does to a running service takes effect within JUDGE_AUTH_TTL.
 */


#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/core/version.h"
#include "base/crypto/crypto.h"
#include "base/json/json.h"
#include "base/text/utf8.h"
#include "api/http/request.h"
#include "tool.h"
#include "store/store_open.h"
#include "work/service/usage.h"


typedef struct {
    const char  *group;
    const char  *verb;                 /* empty: the group is the command,
                                          which opens the store by itself */
    const char  *usage;
    int          min;                  /* arguments behind the verb */
    int          max;
    int        (*run)(judge_tool_t *t, const char **args, int n);
    const char  *what;
} judge_command_t;

typedef struct {
    const char  *name;
    size_t       value;                /* offset of a string, or of a bool */
    bool         flag;
    const char  *usage;
    const char  *what;
} judge_option_t;

static const judge_command_t  judge_commands[] = {
    { "org", "create", "NAME", 1, 1, judge_org_create,
      "makes an organization and its first key, of every permission" },
    { "org", "list", "", 0, 0, judge_org_list,
      "the organizations" },
    { "key", "create", "ORG NAME", 2, 2, judge_key_create,
      "makes a key, with every permission unless stated otherwise" },
    { "key", "list", "[ORG]", 0, 1, judge_key_list,
      "the keys of an organization, or of all" },
    { "key", "suspend", "ID", 1, 1, judge_key_suspend,
      "the key is refused until it is activated again" },
    { "key", "activate", "ID", 1, 1, judge_key_activate,
      "ends a suspension" },
    { "key", "rotate", "ID", 1, 1, judge_key_rotate,
      "gives a key a new secret; the former one is refused at once" },
    { "backup", "", "DIRECTORY", 1, 1, judge_tool_backup,
      "copies the store, while it is used, to a directory that it makes" },
    { "restore", "", "DIRECTORY", 1, 1, judge_tool_restore,
      "makes the store out of a backup; refused while it is used" },
    { "copy", "", "", 0, 0, judge_tool_copy,
      "copies all rows, or an organization's, --from a store --to another;"
      " goes on where it was broken off" },
    { "check", "", "", 0, 0, judge_tool_check,
      "whether the database and the uploaded files are whole; which criteria"
      " this version would judge otherwise" },
    { "stats", "", "", 0, 0, judge_tool_stats,
      "how much there is, by table and organization, and how old" },
    { "retention", "", "WHAT=AGE...", 1, 5, judge_tool_retention,
      "deletes what is older: contents=365d results=90d feedback=30d"
      " deliveries=30d logs=7d" },
    { "vacuum", "", "", 0, 0, judge_tool_vacuum,
      "gives the room of what was deleted back to the disk" },
    { "explain", "", "FILE CRITERION...", 2, JUDGE_TOOL_ARGS - 1,
      judge_tool_explain,
      "how a text is scored by \"NAME: DESCRIPTION\", stage by stage; needs no"
      " store" },
    { "detect", "", "FILE DETECTOR...", 2, JUDGE_TOOL_ARGS - 1,
      judge_tool_detect,
      "what judge_detect would find in a text or JSON, and how long it takes:"
      " pii, secrets, insults, orders, words=FILE, leak=FILE, links hosts=A,B,"
      " languages=en,de, NAME=EXPRESSION; type=CONTENT-TYPE; needs no store" },
    { "version", "", "", 0, 0, judge_tool_version,
      "the versions of this program and, with --store, of the store" },
};

#define JUDGE_COMMANDS  (sizeof(judge_commands) / sizeof(*judge_commands))

static const judge_option_t  judge_options[] = {
    { "store", offsetof(judge_tool_t, store), false, "DIRECTORY",
      "the directory that judge_store names (required)" },
    { "from", offsetof(judge_tool_t, from), false, "STORE",
      "of copy: a directory, or postgresql://..." },
    { "to", offsetof(judge_tool_t, to), false, "STORE",
      "of copy: likewise" },
    { "org", offsetof(judge_tool_t, org), false, "ORG",
      "of copy: only this organization" },
    { "permissions", offsetof(judge_tool_t, permissions), false, "A,B,...",
      "of a new key: judges:read, content:write, ... or *" },
    { "expires", offsetof(judge_tool_t, expires), false, "TIME",
      "of a new key: 2030-12-31 or 2030-12-31T23:59:59Z" },
    { "user", offsetof(judge_tool_t, user), false, "NAME",
      "owner of a directory that is made by root" },
    { "force", offsetof(judge_tool_t, force), true, "",
      "suspends even the last key of every permission; replaces a store"
      " by a backup" },
    { "json", offsetof(judge_tool_t, json), true, "",
      "prints JSON, one object a line" },
    { "help", offsetof(judge_tool_t, help), true, "",
      "prints this" },
    { "version", offsetof(judge_tool_t, version), true, "",
      "prints the version" },
};

#define JUDGE_OPTIONS  (sizeof(judge_options) / sizeof(*judge_options))


/* --- Messages ------------------------------------------------------------ */

static void
judge_tool_help(void)
{
    size_t  i;

    puts("Keeps a store and its API keys, whether nginx runs or not."
         "\n\n    judge --store=DIRECTORY [options] COMMAND\n");

    for (i = 0; i < JUDGE_COMMANDS; i++) {
        if (*judge_commands[i].verb) {
            printf("    %s %-8s %-9s  %s\n", judge_commands[i].group,
                   judge_commands[i].verb, judge_commands[i].usage,
                   judge_commands[i].what);
        } else {
            printf("    %-12s %-9s  %s\n", judge_commands[i].group,
                   judge_commands[i].usage, judge_commands[i].what);
        }
    }

    puts("");

    for (i = 0; i < JUDGE_OPTIONS; i++) {
        printf("    --%s%s%-*s  %s\n", judge_options[i].name,
               judge_options[i].flag ? " " : "=",
               (int) (19 - strlen(judge_options[i].name)),
               judge_options[i].usage, judge_options[i].what);
    }

    puts("\nORG is an organization's identifier, or its name where only one"
         " has it.\nKeys and secrets are shown once, when they are made.");
}


/* --- The command line ---------------------------------------------------- */

/* One option; *i moves on where its value is the next argument. */

static int
judge_tool_option(judge_tool_t *t, int argc, char **argv, int *i)
{
    size_t                 n, len;
    const char            *name, *value;
    const judge_option_t  *o;

    name = argv[*i] + 2;
    value = strchr(name, '=');
    len = value ? (size_t) (value++ - name) : strlen(name);

    for (n = 0; n < JUDGE_OPTIONS; n++) {
        o = &judge_options[n];

        if (strlen(o->name) != len || memcmp(o->name, name, len) != 0) {
            continue;
        }

        if (o->flag) {
            if (value) {
                break;
            }
            *(bool *) ((char *) t + o->value) = true;
            return JUDGE_TOOL_OK;
        }

        if (value == NULL && *i + 1 < argc) {
            value = argv[++*i];
        }
        if (value == NULL || *value == '\0') {
            return judge_tool_fail(JUDGE_TOOL_USAGE, "--%s needs a value",
                                   o->name);
        }
        *(const char **) ((char *) t + o->value) = value;
        return JUDGE_TOOL_OK;
    }

    return judge_tool_fail(JUDGE_TOOL_USAGE, "there is no option %s",
                           argv[*i]);
}


/* An address may have a password, and everybody sees the arguments of a
 * process: the address is kept elsewhere and struck out there. */

static int
judge_tool_hide(judge_tool_t *t)
{
    char        *copy, *seen;
    size_t       i;
    const char **store[] = { &t->store, &t->from, &t->to };

    for (i = 0; i < sizeof(store) / sizeof(store[0]); i++) {
        if (*store[i] == NULL
            || !judge_store_remote(judge_str_c(*store[i])))
        {
            continue;
        }

        copy = strdup(*store[i]);
        if (copy == NULL) {
            return judge_tool_fail(JUDGE_TOOL_FAILED, "out of memory");
        }

        seen = strstr(*store[i], "://");
        *store[i] = copy;              /* as long as the process lives */
        for (seen = seen ? seen + 3 : NULL; seen && *seen; seen++) {
            *seen = '*';
        }
    }

    return JUDGE_TOOL_OK;
}


static int
judge_tool_arguments(judge_tool_t *t, int argc, char **argv)
{
    int   i, status;
    bool  options;

    options = true;

    for (i = 1; i < argc; i++) {
        if (options && strcmp(argv[i], "--") == 0) {
            options = false;
            continue;
        }

        if (options && strncmp(argv[i], "--", 2) == 0) {
            status = judge_tool_option(t, argc, argv, &i);
            if (status != JUDGE_TOOL_OK) {
                return status;
            }
            continue;
        }

        if (t->nargs == JUDGE_TOOL_ARGS) {
            return judge_tool_fail(JUDGE_TOOL_USAGE, "too many arguments");
        }
        t->args[t->nargs++] = argv[i];
    }

    return JUDGE_TOOL_OK;
}


static const judge_command_t *
judge_tool_find(const judge_tool_t *t)
{
    size_t                  i;
    const judge_command_t  *c;

    for (i = 0; i < JUDGE_COMMANDS; i++) {
        c = &judge_commands[i];

        if (strcmp(c->group, t->args[0]) == 0
            && (*c->verb == '\0' || (t->nargs > 1
                                     && strcmp(c->verb, t->args[1]) == 0)))
        {
            return c;
        }
    }

    return NULL;
}


/* *skip: the words of the command itself. */

static int
judge_tool_command(judge_tool_t *t, const judge_command_t **command, int *skip)
{
    int                     n;
    const char             *blank;
    const judge_command_t  *c;

    if (t->nargs == 0) {
        return judge_tool_fail(JUDGE_TOOL_USAGE, "a command is missing");
    }

    c = judge_tool_find(t);
    if (c == NULL) {
        return judge_tool_fail(JUDGE_TOOL_USAGE,
                               "there is no command \"%s%s%s\"", t->args[0],
                               t->nargs > 1 ? " " : "",
                               t->nargs > 1 ? t->args[1] : "");
    }

    *skip = *c->verb ? 2 : 1;
    blank = *c->verb ? " " : "";
    n = t->nargs - *skip;

    if (n < c->min || n > c->max) {
        return judge_tool_fail(JUDGE_TOOL_USAGE, "%s%s%s takes %s", c->group,
                               blank, c->verb,
                               c->max ? c->usage : "no argument");
    }

    if (t->store == NULL && c->run != judge_tool_version
        && c->run != judge_tool_copy && c->run != judge_tool_explain
        && c->run != judge_tool_detect)
    {
        return judge_tool_fail(JUDGE_TOOL_USAGE, "--store is missing");
    }

    *command = c;
    return JUDGE_TOOL_OK;
}


/* A key that was not seen is lost: what can't be printed is a failure. */

static int
judge_tool_print(judge_tool_t *t)
{
    if (t->out.failed) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "out of memory");
    }

    if ((t->out.len
         && fwrite(t->out.data, t->out.len, 1, stdout) != 1)
        || fflush(stdout) != 0)
    {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "cannot print: %s",
                               strerror(errno));
    }

    return JUDGE_TOOL_OK;
}


int
main(int argc, char **argv)
{
    int                     status, skip = 0;
    judge_tool_t            t;
    const judge_command_t  *command = NULL;

    memset(&t, 0, sizeof(judge_tool_t));
    t.now = judge_time_now();

    status = judge_tool_arguments(&t, argc, argv);
    if (status == JUDGE_TOOL_OK) {
        status = judge_tool_hide(&t);
    }
    if (status == JUDGE_TOOL_OK && t.help) {
        judge_tool_help();
        return JUDGE_TOOL_OK;
    }
    if (status == JUDGE_TOOL_OK && t.version) {
        puts("judge " JUDGE_VERSION);
        return JUDGE_TOOL_OK;
    }
    if (status == JUDGE_TOOL_OK) {
        status = judge_tool_command(&t, &command, &skip);
    }
    if (status != JUDGE_TOOL_OK) {
        return status;
    }

    t.arena = judge_arena_create(16384);
    if (t.arena == NULL) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "out of memory");
    }

    judge_buf_init(&t.out, t.arena);

    status = *command->verb ? judge_tool_open(&t) : JUDGE_TOOL_OK;
    if (status == JUDGE_TOOL_OK) {
        status = command->run(&t, t.args + skip, t.nargs - skip);
    }
    if (judge_tool_print(&t) != JUDGE_TOOL_OK) {
        status = JUDGE_TOOL_FAILED;
    }

    judge_runner_close(t.db);
    judge_arena_destroy(t.arena);

    return status;
}
