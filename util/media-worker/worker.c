/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <curl/curl.h>

#include "base/core/time.h"
#include "worker.h"


#define JUDGE_WORKER_LINE     1024
#define JUDGE_WORKER_RESTART  1000     /* ms until a process is restarted */
#define JUDGE_WORKER_GRACE    30000    /* ms that processes have to end */


typedef struct {
    pid_t       pid;                   /* 0: it does not run */
    judge_ms_t  restart_at;
} judge_worker_process_t;


static void judge_worker_signal(int signal);
static bool judge_worker_signals(sigset_t *before);
static void judge_worker_start(const judge_worker_conf_t *conf, int number,
    judge_worker_process_t *process, const sigset_t *mask);
static void judge_worker_reap(judge_worker_process_t *processes, int n,
    bool quiet);
static void judge_worker_ended(int number, int status);
static void judge_worker_end(judge_worker_process_t *processes, int n,
    const sigset_t *mask);


/* Set by a signal, checked between steps. */
static volatile int  judge_worker_stop;


int
judge_worker_run(const judge_worker_conf_t *conf)
{
    int                  i;
    sigset_t             mask;
    struct timespec      nap = { 0, 200000000 };
    judge_worker_process_t  processes[JUDGE_WORKER_PROCESSES_MAX];

    memset(processes, 0, sizeof(processes));

    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK
        || !judge_worker_signals(&mask))
    {
        judge_worker_log(0, "can't begin: %s", strerror(errno));
        return 1;
    }

    judge_worker_log(0, "%d at a time, for %s", conf->processes, conf->url);

    while (!judge_worker_stop) {
        for (i = 0; i < conf->processes; i++) {
            if (processes[i].pid == 0
                && judge_time_now() >= processes[i].restart_at)
            {
                judge_worker_start(conf, i + 1, &processes[i], &mask);
            }
        }

        /* The only place where signals are not blocked. */
        pselect(0, NULL, NULL, NULL, &nap, &mask);
        judge_worker_reap(processes, conf->processes, false);
    }

    judge_worker_end(processes, conf->processes, &mask);
    judge_worker_log(0, "ended");
    curl_global_cleanup();

    return 0;
}


static void
judge_worker_signal(int signal)
{
    if (signal != SIGCHLD) {
        judge_worker_stop = 1;
    }
}


static bool
judge_worker_signals(sigset_t *before)
{
    sigset_t          blocked;
    struct sigaction  action;

    memset(&action, 0, sizeof(struct sigaction));
    action.sa_handler = judge_worker_signal;
    sigemptyset(&action.sa_mask);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGCHLD);

    return sigaction(SIGTERM, &action, NULL) == 0
           && sigaction(SIGINT, &action, NULL) == 0
           && sigaction(SIGCHLD, &action, NULL) == 0
           && signal(SIGPIPE, SIG_IGN) != SIG_ERR
           && sigprocmask(SIG_BLOCK, &blocked, before) == 0;
}


static void
judge_worker_start(const judge_worker_conf_t *conf, int number,
    judge_worker_process_t *process, const sigset_t *mask)
{
    int    status;
    pid_t  pid, parent;

    parent = getpid();
    pid = fork();

    if (pid == 0) {
        /* It must not outlive its parent. */
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent
            || sigprocmask(SIG_SETMASK, mask, NULL) != 0)
        {
            _exit(1);
        }

        status = judge_worker_loop_run(conf, number, &judge_worker_stop);
        curl_global_cleanup();
        _exit(status);
    }

    process->restart_at = judge_time_now() + JUDGE_WORKER_RESTART;
    process->pid = pid > 0 ? pid : 0;
}


static void
judge_worker_reap(judge_worker_process_t *processes, int n, bool quiet)
{
    int    i, status;
    pid_t  pid;

    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        for (i = 0; i < n; i++) {
            if (processes[i].pid != pid) {
                continue;
            }

            processes[i].pid = 0;
            processes[i].restart_at = judge_time_now() + JUDGE_WORKER_RESTART;
            if (!quiet) {
                judge_worker_ended(i + 1, status);
            }
        }
    }
}


static void
judge_worker_ended(int number, int status)
{
    if (WIFSIGNALED(status)) {
        judge_worker_log(0, "process %d was ended by signal %d; it is"
                         " restarted", number, WTERMSIG(status));
    } else {
        judge_worker_log(0, "process %d ended with status %d; it is"
                         " restarted", number, WEXITSTATUS(status));
    }
}


/* Each process releases its lease. */

static void
judge_worker_end(judge_worker_process_t *processes, int n,
    const sigset_t *mask)
{
    int              i, left, signal;
    judge_ms_t       until;
    struct timespec  nap = { 0, 100000000 };

    signal = SIGTERM;
    until = judge_time_now() + JUDGE_WORKER_GRACE;

    do {
        for (i = 0, left = 0; i < n; i++) {
            if (processes[i].pid) {
                left++;
                kill(processes[i].pid, signal);
            }
        }

        if (left) {
            pselect(0, NULL, NULL, NULL, &nap, mask);
            judge_worker_reap(processes, n, true);
        }

        signal = judge_time_now() < until ? SIGTERM : SIGKILL;
    } while (left);
}


void
judge_worker_log(int number, const char *fmt, ...)
{
    int      i, n, len;
    char     line[JUDGE_WORKER_LINE], now[JUDGE_TIME_LEN + 1], who[16];
    va_list  args;

    judge_time_format(judge_time_now(), now);
    snprintf(who, sizeof(who), number ? " [%d]" : "", number);
    len = snprintf(line, sizeof(line), "%s%s ", now, who);

    va_start(args, fmt);
    n = vsnprintf(line + len, sizeof(line) - (size_t) len - 1, fmt, args);
    va_end(args);

    len += n < 0 ? 0 : n;
    len = len < JUDGE_WORKER_LINE - 2 ? len : JUDGE_WORKER_LINE - 2;

    /* It may quote what other servers answered: it stays one line. */
    for (i = 0; i < len; i++) {
        if ((unsigned char) line[i] < ' ' || line[i] == 0x7f) {
            line[i] = ' ';
        }
    }

    line[len++] = '\n';

    /* In one piece: several processes write here. */
    if (write(STDERR_FILENO, line, (size_t) len) < 0) {
        return;
    }
}
