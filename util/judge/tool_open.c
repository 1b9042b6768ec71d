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

#include "tool.h"
#include "store/store_admin.h"


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
judge_tool_make(judge_tool_t *t, const char *directory, uid_t uid, gid_t gid)
{
    struct passwd  *user;

    if (t->user) {
        user = getpwnam(t->user);
        if (user == NULL) {
            return judge_tool_fail(JUDGE_TOOL_FAILED,
                                   "there is no user \"%s\"", t->user);
        }

        /* Root has become the owner of the source of a copy. */
        if (geteuid() != 0 && geteuid() != user->pw_uid) {
            return judge_tool_fail(JUDGE_TOOL_FAILED, "--user is for root,"
                                   " and this is done by user %u",
                                   (unsigned) geteuid());
        }

        uid = user->pw_uid;
        gid = user->pw_gid;
    }

    if (mkdir(directory, 0700) != 0) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "cannot make \"%s\" as user"
                               " %u: %s", directory, (unsigned) geteuid(),
                               strerror(errno));
    }

    if (geteuid() != 0 || uid == 0) {
        return JUDGE_TOOL_OK;
    }

    if (chown(directory, uid, gid) != 0) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "cannot give \"%s\" to"
                               " user %u: %s", directory, (unsigned) uid,
                               strerror(errno));
    }

    return judge_tool_become(uid, gid);
}


int
judge_tool_enter(judge_tool_t *t, const char *directory, uid_t uid, gid_t gid)
{
    struct stat  st;

    (void) umask(0077);

    if (judge_store_remote(judge_str_c(directory))) {
        return JUDGE_TOOL_OK;
    }

    if (stat(directory, &st) != 0) {
        if (errno == ENOENT) {
            return judge_tool_make(t, directory, uid, gid);
        }

        return judge_tool_fail(JUDGE_TOOL_FAILED, "cannot open \"%s\": %s",
                               directory, strerror(errno));
    }

    if (!S_ISDIR(st.st_mode)) {
        return judge_tool_fail(JUDGE_TOOL_FAILED,
                               "\"%s\" is not a directory", directory);
    }

    if (geteuid() == 0 && st.st_uid != 0) {
        return judge_tool_become(st.st_uid, st.st_gid);
    }

    return JUDGE_TOOL_OK;
}


static int
judge_tool_connect(judge_tool_t *t, bool makes)
{
    judge_rc_e    rc;
    judge_str_t   directory, error, rights = { 0, NULL };
    const char   *why = NULL;

    error = JUDGE_STR("out of memory");
    directory = judge_str_c(t->store);
    rc = makes ? judge_store_make(t->arena, directory, &error) : JUDGE_OK;

    if (rc == JUDGE_OK) {
        t->db = judge_store_open(t->arena, directory, true, &error);
        rc = t->db ? JUDGE_OK : JUDGE_ERROR;
    }

    if (rc == JUDGE_OK) {
        return JUDGE_TOOL_OK;
    }

    /* Of a failure SQLite tells no more than that; only JUDGE_ERROR is one. */
    if (rc == JUDGE_ERROR && !judge_store_remote(directory)) {
        why = judge_store_diagnose(t->arena, directory, &rights);
        why = rights.len ? rights.data : why;
    }

    return judge_tool_fail(JUDGE_TOOL_FAILED, "%.*s%s%s",
                           judge_str_args(error), why ? ": " : "",
                           why ? why : "");
}


int
judge_tool_open(judge_tool_t *t)
{
    int  status;

    status = judge_tool_enter(t, t->store, geteuid(), getegid());

    return status == JUDGE_TOOL_OK ? judge_tool_connect(t, true) : status;
}


int
judge_tool_found(judge_tool_t *t)
{
    judge_str_t  path;

    path = judge_str_printf(t->arena, "%s/judge.db", t->store);
    if (path.data == NULL) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "out of memory");
    }

    if (!judge_store_remote(judge_str_c(t->store))
        && access(path.data, F_OK) != 0)
    {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "there is no store in"
                               " \"%s\": %s", t->store, strerror(errno));
    }

    return judge_tool_enter(t, t->store, 0, 0);
}


int
judge_tool_fail_schema(int64_t version)
{
    return judge_tool_fail(JUDGE_TOOL_FAILED, "the store has schema version"
                           " %lld, this program's is %lld: use the program"
                           " that came with the module", (long long) version,
                           (long long) judge_store_schema());
}


int
judge_tool_schema(judge_tool_t *t, int64_t *version)
{
    judge_store_version_t  op;

    memset(&op, 0, sizeof(judge_store_version_t));
    judge_tool_run(t, &op.op, JUDGE_OP_STORE_VERSION);
    *version = op.version;

    return op.op.rc == JUDGE_OK ? JUDGE_TOOL_OK
                                : judge_tool_fail_op(t, &op.op);
}


int
judge_tool_open_found(judge_tool_t *t, bool any)
{
    int      status;
    int64_t  version;

    status = judge_tool_found(t);
    if (status == JUDGE_TOOL_OK) {
        status = judge_tool_connect(t, false);
    }
    if (status != JUDGE_TOOL_OK || any) {
        return status;
    }

    status = judge_tool_schema(t, &version);
    if (status != JUDGE_TOOL_OK) {
        return status;
    }

    return version == judge_store_schema() ? JUDGE_TOOL_OK
                                           : judge_tool_fail_schema(version);
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
    const char  *error = op->rc == JUDGE_BUSY ? judge_runner_error(t->db)
                                              : NULL;

    if (op->rc == JUDGE_NOMEM) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "out of memory");
    }

    if (op->rc == JUDGE_BUSY && error == NULL) {
        return judge_tool_fail(JUDGE_TOOL_FAILED,
                               "the store is busy; try again");
    }

    return judge_tool_fail(JUDGE_TOOL_FAILED, "%s: %s",
                           error ? error : "the store failed",
                           message && *message ? message : "unknown error");
}
