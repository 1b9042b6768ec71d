/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Coming to the store.  The database and its log belong to the user that
 * nginx's workers run as; a file that root had made there would lock them
 * out, so root becomes the owner of the directory first.
 */


#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/tool.h"


static int
judge_tool_become(uid_t uid, gid_t gid)
{
    if (setgroups(1, &gid) != 0 || setgid(gid) != 0 || setuid(uid) != 0) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "cannot become user %u: %s",
                               (unsigned) uid, strerror(errno));
    }

    return JUDGE_TOOL_OK;
}


static int
judge_tool_make(judge_tool_t *t)
{
    struct passwd  *user;

    user = NULL;

    if (t->user) {
        if (geteuid() != 0) {
            return judge_tool_fail(JUDGE_TOOL_FAILED, "--user is for root");
        }

        user = getpwnam(t->user);
        if (user == NULL) {
            return judge_tool_fail(JUDGE_TOOL_FAILED,
                                   "there is no user \"%s\"", t->user);
        }
    }

    if (mkdir(t->store, 0700) != 0) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "cannot make \"%s\": %s",
                               t->store, strerror(errno));
    }

    if (user == NULL) {
        return JUDGE_TOOL_OK;
    }

    if (chown(t->store, user->pw_uid, user->pw_gid) != 0) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "cannot give \"%s\" to"
                               " \"%s\": %s", t->store, t->user,
                               strerror(errno));
    }

    return judge_tool_become(user->pw_uid, user->pw_gid);
}


static int
judge_tool_enter(judge_tool_t *t)
{
    struct stat  st;

    if (stat(t->store, &st) != 0) {
        if (errno == ENOENT) {
            return judge_tool_make(t);
        }

        return judge_tool_fail(JUDGE_TOOL_FAILED, "cannot open \"%s\": %s",
                               t->store, strerror(errno));
    }

    if (!S_ISDIR(st.st_mode)) {
        return judge_tool_fail(JUDGE_TOOL_FAILED,
                               "\"%s\" is not a directory", t->store);
    }

    if (geteuid() == 0 && st.st_uid != 0) {
        return judge_tool_become(st.st_uid, st.st_gid);
    }

    return JUDGE_TOOL_OK;
}


int
judge_tool_open(judge_tool_t *t)
{
    int          status;
    judge_str_t  directory, error;

    (void) umask(0077);

    status = judge_tool_enter(t);
    if (status != JUDGE_TOOL_OK) {
        return status;
    }

    error = JUDGE_STR("out of memory");
    directory = judge_str_c(t->store);

    if (judge_store_migrate(t->arena, directory, &error) == JUDGE_OK) {
        t->db = judge_store_open(t->arena, directory, true, &error);
    }

    if (t->db == NULL) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "%.*s", (int) error.len,
                               error.data ? error.data : "");
    }

    return JUDGE_TOOL_OK;
}


static void
judge_tool_done(judge_op_t *op)
{
}


void
judge_tool_run(judge_tool_t *t, judge_op_t *op, judge_op_kind_e kind)
{
    op->kind = kind;
    op->arena = t->arena;
    op->done = judge_tool_done;
    judge_runner_submit(t->db, op);
}


int
judge_tool_fail_op(judge_tool_t *t, const judge_op_t *op)
{
    const char  *message = judge_runner_message(t->db);

    switch (op->rc) {
    case JUDGE_NOMEM:
        return judge_tool_fail(JUDGE_TOOL_FAILED, "out of memory");

    case JUDGE_BUSY:
        return judge_tool_fail(JUDGE_TOOL_FAILED,
                               "the store is busy; try again");

    default:
        return judge_tool_fail(JUDGE_TOOL_FAILED, "the store failed: %s",
                               message && *message ? message
                                                   : "unknown error");
    }
}
