/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A child for each file.  What it sends is checked as if it came from the
 * file itself.
 */


#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <libavutil/log.h>

#include "base/core/time.h"
#include "measure.h"
#include "sandbox.h"


/* Where a report comes from, and how long it may take. */
typedef struct {
    int                      from;
    judge_ms_t               until;
    judge_measure_tick_pt    tick;
    void                    *data;
} judge_measure_in_t;


const judge_measure_limits_t  judge_measure_defaults = {
    .seconds = 600, .memory = 1024, .pixels = 40000000, .threads = 1
};


static pid_t judge_measure_fork(int fd, judge_media_kind_e kind,
    const judge_measure_limits_t *limits, int *from);
static int judge_measure_end(pid_t pid, bool at_once);
static void judge_measure_child(int fd, judge_media_kind_e kind,
    const judge_measure_limits_t *limits, int to)
    __attribute__((noreturn));
static bool judge_measure_write_all(int to, const void *data, size_t len);
static bool judge_measure_read_all(const judge_measure_in_t *in, void *data,
    size_t len);
static bool judge_measure_sound(const judge_measure_report_t *report);
static judge_measure_code_e judge_measure_ended(int status, bool late);


void
judge_measure(int fd, judge_media_kind_e kind,
    const judge_measure_limits_t *limits, judge_measured_t *out)
{
    int         from, status;
    bool        whole, late;
    pid_t       pid;
    judge_ms_t  until;

    memset(out, 0, sizeof(judge_measured_t));
    judge_media_clear(&out->report.media);

    pid = judge_measure_fork(fd, kind, limits, &from);
    if (pid < 0) {
        out->report.code = JUDGE_MEASURE_INTERNAL;
        return;
    }

    until = judge_time_now() + (judge_ms_t) limits->seconds * 3000;
    whole = judge_measured_take(from, until, NULL, NULL, out);
    late = !whole && judge_time_now() >= until;
    close(from);
    status = judge_measure_end(pid, whole || late);

    if (!whole) {
        judge_measured_free(out);
        judge_media_clear(&out->report.media);
        out->report.code = judge_measure_ended(status, late);
    }
}


/* One that has sent all ends by itself, and one that is late is of no use;
 * any other has a second to end and report why.  0: it was ended here. */

static int
judge_measure_end(pid_t pid, bool at_once)
{
    int              i, status;
    struct timespec  nap = { 0, 10000000 };

    for (i = 0; i < 100 && !at_once; i++) {
        if (waitpid(pid, &status, WNOHANG) == pid) {
            return status;
        }
        nanosleep(&nap, NULL);
    }

    kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) { /* void */ }

    return 0;
}


void
judge_measured_free(judge_measured_t *measured)
{
    size_t  i;

    for (i = 0; i < JUDGE_MEASURE_FRAMES; i++) {
        free(measured->frames[i]);
    }

    memset(measured, 0, sizeof(judge_measured_t));
}


static pid_t
judge_measure_fork(int fd, judge_media_kind_e kind,
    const judge_measure_limits_t *limits, int *from)
{
    int    ends[2];
    pid_t  pid;

    if (pipe2(ends, O_CLOEXEC) != 0) {
        return -1;
    }

    pid = fork();
    if (pid == 0) {
        judge_measure_child(fd, kind, limits, ends[1]);
    }

    close(ends[1]);
    *from = ends[0];

    if (pid < 0) {
        close(ends[0]);
    }

    return pid;
}


/* --- In the child -------------------------------------------------------- */

static void
judge_measure_child(int fd, judge_media_kind_e kind,
    const judge_measure_limits_t *limits, int to)
{
    judge_measured_t  out;

    signal(SIGPIPE, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGINT, SIG_IGN);           /* from a terminal: the parent's */
    av_log_set_level(AV_LOG_QUIET);

    if (!judge_sandbox_enter(fd, to, limits->seconds, limits->memory)) {
        memset(&out, 0, sizeof(judge_measured_t));
        judge_media_clear(&out.report.media);
        out.report.code = JUDGE_MEASURE_INTERNAL;

    } else {
        judge_measure_here(fd, kind, limits, &out);
    }

    _exit(judge_measured_send(to, &out) ? 0 : 1);
}


/* --- From process to process --------------------------------------------- */

bool
judge_measured_send(int to, const judge_measured_t *measured)
{
    bool      fine;
    uint32_t  i;

    fine = judge_measure_write_all(to, &measured->report,
                                   sizeof(judge_measure_report_t));

    for (i = 0; fine && i < measured->report.nframes; i++) {
        fine = judge_measure_write_all(to, measured->frames[i],
                                       measured->report.frame_sizes[i]);
    }

    return fine;
}


static bool
judge_measure_write_all(int to, const void *data, size_t len)
{
    ssize_t      n;
    const char  *at = data;

    while (len) {
        n = write(to, at, len);
        if (n < 0 && errno != EINTR) {
            return false;
        }

        at += n > 0 ? n : 0;
        len -= n > 0 ? (size_t) n : 0;
    }

    return true;
}


bool
judge_measured_take(int from, judge_ms_t until, judge_measure_tick_pt tick,
    void *data, judge_measured_t *out)
{
    uint32_t                 i;
    judge_measure_in_t       in = { from, until, tick, data };
    judge_measure_report_t  *r = &out->report;

    if (!judge_measure_read_all(&in, r, sizeof(judge_measure_report_t))) {
        return false;
    }

    if (!judge_measure_sound(r)) {
        r->nframes = 0;
        return false;
    }

    for (i = 0; i < r->nframes; i++) {
        out->frames[i] = malloc(r->frame_sizes[i]);
        if (out->frames[i] == NULL
            || !judge_measure_read_all(&in, out->frames[i],
                                       r->frame_sizes[i]))
        {
            return false;
        }
    }

    return true;
}


static bool
judge_measure_read_all(const judge_measure_in_t *in, void *data, size_t len)
{
    char           *at = data;
    ssize_t         n;
    judge_ms_t      left;
    struct pollfd   ready = { .fd = in->from, .events = POLLIN };

    while (len) {
        left = in->until - judge_time_now();
        if (left <= 0 || (in->tick && !in->tick(in->data))) {
            return false;
        }

        n = poll(&ready, 1, left < JUDGE_MEASURE_TICK ? (int) left
                                                      : JUDGE_MEASURE_TICK);
        if (n < 0 && errno != EINTR) {
            return false;
        }

        if (n <= 0) {
            continue;
        }

        n = read(in->from, at, len);
        if (n == 0 || (n < 0 && errno != EINTR)) {
            return false;
        }

        at += n > 0 ? n : 0;
        len -= n > 0 ? (size_t) n : 0;
    }

    return true;
}


static bool
judge_measure_sound(const judge_measure_report_t *r)
{
    uint32_t  i;

    if (r->code > JUDGE_MEASURE_INTERNAL || r->nframes > JUDGE_MEASURE_FRAMES
        || memchr(r->format, '\0', sizeof(r->format)) == NULL
        || memchr(r->picture_codec, '\0', sizeof(r->picture_codec)) == NULL
        || memchr(r->sound_codec, '\0', sizeof(r->sound_codec)) == NULL)
    {
        return false;
    }

    for (i = 0; i < r->nframes; i++) {
        if (r->frame_sizes[i] == 0
            || r->frame_sizes[i] > JUDGE_MEASURE_JPEG_MAX
            || !(r->frame_times[i] >= 0 && r->frame_times[i] < 1e9))
        {
            return false;
        }
    }

    return r->code != JUDGE_MEASURE_OK || judge_media_plausible(&r->media);
}


/* A SIGKILL was not sent by this program. */

static judge_measure_code_e
judge_measure_ended(int status, bool late)
{
    if (late || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)) {
        return JUDGE_MEASURE_TIMED_OUT;
    }

    if (WIFSIGNALED(status)
        && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGTERM))
    {
        return JUDGE_MEASURE_KILLED;
    }

    return JUDGE_MEASURE_CRASHED;
}
