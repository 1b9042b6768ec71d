/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure_process.h"


#define JUDGE_MEASURE_PROCESS_SOCKET  STDIN_FILENO
#define JUDGE_MEASURE_PROCESS_SPARE  10000  /* ms above its own time */


typedef struct {
    judge_media_kind_e      kind;
    judge_measure_limits_t  limits;
} judge_measure_process_order_t;

/* One descriptor, beside the order. */
typedef union {
    struct cmsghdr  head;
    char            room[CMSG_SPACE(sizeof(int))];
} judge_measure_process_extra_t;


static bool judge_measure_process_start(judge_measure_process_t *measurer);
static void judge_measure_process_exec(int end) __attribute__((noreturn));
static bool judge_measure_process_send(int to, int fd,
    const judge_measure_process_order_t *order);
static int judge_measure_process_receive(judge_measure_process_order_t *order);


void
judge_measure_process_measure(judge_measure_process_t *m, int fd,
    judge_media_kind_e kind,
    const judge_measure_limits_t *limits, judge_measure_tick_pt tick,
    void *data, judge_measured_t *out)
{
    judge_ms_t                     until;
    judge_measure_process_order_t  order;

    memset(out, 0, sizeof(judge_measured_t));
    memset(&order, 0, sizeof(judge_measure_process_order_t));
    order.kind = kind;
    order.limits = *limits;
    until = judge_time_now() + (judge_ms_t) limits->seconds * 3000
            + JUDGE_MEASURE_PROCESS_SPARE;

    /* The process may have been killed since the last file. */
    if (m->pid && waitpid(m->pid, NULL, WNOHANG) == m->pid) {
        close(m->socket);
        m->pid = 0;
    }

    if ((m->pid || judge_measure_process_start(m))
        && judge_measure_process_send(m->socket, fd, &order)
        && judge_measured_take(m->socket, until, tick, data, out))
    {
        return;
    }

    judge_measure_process_stop(m);
    judge_measured_free(out);
    judge_media_clear(&out->report.media);
    out->report.code = JUDGE_MEASURE_INTERNAL;
}


void
judge_measure_process_stop(judge_measure_process_t *m)
{
    if (m->pid == 0) {
        return;
    }

    close(m->socket);
    kill(m->pid, SIGKILL);
    while (waitpid(m->pid, NULL, 0) < 0 && errno == EINTR) { /* void */ }
    m->pid = 0;
}


static bool
judge_measure_process_start(judge_measure_process_t *m)
{
    int    ends[2];
    pid_t  pid;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        return false;
    }

    pid = fork();
    if (pid == 0) {
        judge_measure_process_exec(ends[1]);
    }

    close(ends[1]);

    if (pid < 0) {
        close(ends[0]);
        return false;
    }

    m->pid = pid;
    m->socket = ends[0];

    return true;
}


/* Libraries may have descriptors that would stay open. */

static void
judge_measure_process_exec(int end)
{
    sigset_t     none;
    char *const  argv[] = { "media-worker", JUDGE_MEASURE_PROCESS_NAME, NULL };
    char *const  env[] = { NULL };

    sigemptyset(&none);

    if (sigprocmask(SIG_SETMASK, &none, NULL) == 0
        && signal(SIGTERM, SIG_DFL) != SIG_ERR
        && signal(SIGINT, SIG_IGN) != SIG_ERR
        && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0
        && dup2(end, JUDGE_MEASURE_PROCESS_SOCKET) >= 0
        && syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, 0) == 0)
    {
        execve("/proc/self/exe", argv, env);
    }

    _exit(1);
}


static bool
judge_measure_process_send(int to, int fd,
    const judge_measure_process_order_t *order)
{
    judge_measure_process_extra_t  extra;
    struct iovec                   part = { (void *) order, sizeof(*order) };
    struct msghdr                  message;

    memset(&extra, 0, sizeof(judge_measure_process_extra_t));
    memset(&message, 0, sizeof(struct msghdr));
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = extra.room;
    message.msg_controllen = sizeof(extra.room);

    extra.head.cmsg_level = SOL_SOCKET;
    extra.head.cmsg_type = SCM_RIGHTS;
    extra.head.cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(&extra.head), &fd, sizeof(int));

    return sendmsg(to, &message, MSG_NOSIGNAL) == (ssize_t) sizeof(*order);
}


/* --- The process itself -------------------------------------------------- */

int
judge_measure_process_serve(void)
{
    int                            fd;
    bool                           fine;
    judge_measured_t               measured;
    judge_measure_process_order_t  order;

    signal(SIGPIPE, SIG_IGN);

    for ( ;; ) {
        fd = judge_measure_process_receive(&order);
        if (fd < 0) {
            return 0;
        }

        judge_measure(fd, order.kind, &order.limits, &measured);
        close(fd);

        fine = judge_measured_send(JUDGE_MEASURE_PROCESS_SOCKET, &measured);
        judge_measured_free(&measured);

        if (!fine) {
            return 0;
        }
    }
}


/* An order comes as a whole: it is small.  Negative: the other end has
 * gone. */

static int
judge_measure_process_receive(judge_measure_process_order_t *order)
{
    int                            fd;
    ssize_t                        n;
    struct iovec                   part = { order, sizeof(*order) };
    struct msghdr                  message;
    judge_measure_process_extra_t  extra;

    memset(&extra, 0, sizeof(judge_measure_process_extra_t));
    memset(&message, 0, sizeof(struct msghdr));
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = extra.room;
    message.msg_controllen = sizeof(extra.room);

    do {
        n = recvmsg(JUDGE_MEASURE_PROCESS_SOCKET, &message, MSG_CMSG_CLOEXEC);
    } while (n < 0 && errno == EINTR);

    if (n != (ssize_t) sizeof(*order)
        || extra.head.cmsg_len != CMSG_LEN(sizeof(int))
        || extra.head.cmsg_type != SCM_RIGHTS)
    {
        return -1;
    }

    memcpy(&fd, CMSG_DATA(&extra.head), sizeof(int));

    return fd;
}
