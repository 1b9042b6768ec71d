/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Identifiers. */


#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/core/id.h"
#include "tap.h"


static void
test_order(void)
{
    int         i, wrong;
    judge_id_t  last, id;

    wrong = 0;
    t_is_int(judge_id_make(&last, "evl", 1000), JUDGE_OK,
             "an identifier can be made");

    for (i = 0; i < 100000; i++) {
        /* the clock stands still, goes on, and goes back */
        wrong += judge_id_make(&id, "evl", 1000 + i / 1000 - i % 7)
                 != JUDGE_OK;
        wrong += strcmp(last.text, id.text) >= 0;
        wrong += !judge_id_wellformed(judge_id_str(&id), "evl");
        last = id;
    }

    t_is_int(wrong, 0, "a hundred thousand sort as they were made");
}


/* A range lies between what was made before and what is made after it. */

static void
test_range(void)
{
    judge_id_t  before, first, last, after, next;

    (void) judge_id_make(&before, "evl", 1000);
    t_is_int(judge_id_make_range(&first, "evl", 1000), JUDGE_OK,
             "a range of identifiers can be made");
    (void) judge_id_make(&after, "evl", 1000);
    judge_id_nth(&last, &first, JUDGE_ID_RANGE - 1);
    judge_id_nth(&next, &first, 33);

    t_ok(strcmp(before.text, first.text) < 0,
         "a range lies behind what was made before");
    t_ok(strcmp(last.text, after.text) < 0,
         "a range lies before what is made after it");
    t_is_str(judge_str_c(first.text + JUDGE_ID_LEN - 5), "00000",
             "the first of a range ends with zeros");
    t_is_str(judge_str_c(next.text + JUDGE_ID_LEN - 5), "00011",
             "the 34th of a range ends with its number");
    t_is_str(judge_str_c(last.text + JUDGE_ID_LEN - 5), "ZZZZZ",
             "the last of a range ends with the last digits");
    t_is_int(strncmp(first.text, last.text, JUDGE_ID_LEN - 5), 0,
             "identifiers of a range differ in their last digits only");
    t_ok(judge_id_wellformed(judge_id_str(&last), "evl"),
         "the last of a range is well formed");
}


static void
test_wellformed(void)
{
    size_t  i;
    static const struct {
        const char  *text;
        bool         want;
    } rows[] = {
        { "evl_01J9ZKMNPQRSTVWXYZ01234567", true },
        { "evl_7ZZZZZZZZZZZZZZZZZZZZZZZZZ", true },
        { "evl_8ZZZZZZZZZZZZZZZZZZZZZZZZZ", false },
        { "jdg_01J9ZKMNPQRSTVWXYZ01234567", false },
        { "evl_01j9zkmnpqrstvwxyz01234567", false },
        { "evl_01J9ZKMNPQRSTVWXYZ0123456", false },
        { "evl_01J9ZKMNPQRSTVWXYZ012345678", false },
        { "evl_01I9ZKMNPQRSTVWXYZ01234567", false },
        { "evl_01J9ZKMNPQRSTVWXYZ0123456U", false },
        { "evl-01J9ZKMNPQRSTVWXYZ01234567", false },
        { "evl_01J9ZKMNPQRSTVWXYZ012345' ", false },
        { "", false }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_ok(judge_id_wellformed(judge_str_c(rows[i].text), "evl")
             == rows[i].want,
             "an identifier is well formed or not: \"%s\"", rows[i].text);
    }

    t_ok(!judge_id_wellformed(
             JUDGE_STR("evl_01J9ZKMNPQRSTVWXYZ012345\0007"), "evl"),
         "an identifier with a zero byte is not well formed");
}


static void
test_time(void)
{
    judge_id_t  id;

    (void) judge_id_make(&id, "jdg", 1769851800123);
    t_is_int(judge_id_time(judge_id_str(&id)), 1769851800123,
             "an identifier tells the time when it was made");
    t_is_int(judge_id_time(JUDGE_STR("nonsense")), 0,
             "a text that is no identifier tells no time");
    t_is_int((int64_t) judge_id_str(&id).len, JUDGE_ID_LEN,
             "an identifier has its full length");

    t_is_int(judge_id_make(&id, "jdg", -1), JUDGE_ERROR,
             "no identifier can be made before 1970");
    t_is_int(judge_id_make(&id, "jdg", (judge_ms_t) 1 << 48), JUDGE_ERROR,
             "no identifier can be made after the year 10889");
    t_is_int(judge_id_make(&id, "judge", 1), JUDGE_ERROR,
             "no identifier can be made with a long prefix");
}


/* A worker must not go on from what its parent made. */

static void
test_fork(void)
{
    int         fds[2], status;
    pid_t       pid;
    ssize_t     n;
    judge_id_t  mine, theirs;

    if (pipe(fds) != 0) {
        t_ok(false, "a pipe to a child process can be made");
        return;
    }

    (void) judge_id_make(&mine, "evl", 1769851800123);
    pid = fork();

    if (pid == 0) {
        (void) judge_id_make(&theirs, "evl", 1769851800123);
        n = write(fds[1], &theirs, sizeof(theirs));
        _exit(n != sizeof(theirs));
    }

    (void) judge_id_make(&mine, "evl", 1769851800123);
    n = read(fds[0], &theirs, sizeof(theirs));
    (void) waitpid(pid, &status, 0);

    t_is_int(n, sizeof(theirs), "a child makes an identifier");
    t_ok(memcmp(mine.text, theirs.text, 20) != 0,
         "a child's random part is its own");

    (void) close(fds[0]);
    (void) close(fds[1]);
}


int
main(void)
{
    test_order();
    test_range();
    test_wellformed();
    test_time();
    test_fork();

    return t_done();
}
