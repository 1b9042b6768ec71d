/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Two ways for an event loop to ask PostgreSQL, for util/bench fleet:
 *
 *   build/bench_ways threads|pipeline ADDRESS SECONDS SQL [VALUE...]
 *
 * Two processes with 32 clients each, which ask as soon as they were answered,
 * and four connections each: of a thread that waits for it, as the module
 * does, or without blocking in pipeline mode.  Prints how many answers a
 * second there were.
 */


#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <libpq-fe.h>


#define WAYS_PROCESSES    2
#define WAYS_CLIENTS      32
#define WAYS_CONNECTIONS  4

typedef struct {
    const char         *address;
    const char         *sql;
    const char *const  *values;
    int                 nvalues;
    double              end;

    /* Of the threads. */
    pthread_mutex_t     lock;
    pthread_cond_t      more;
    unsigned            asked;         /* not yet taken */
    unsigned            answered;      /* not yet heard of */
    int                 wake;
} ways_t;


static PGconn *ways_connect(const ways_t *w);
static double ways_now(void);
static void ways_fail(const char *what, const char *message);
static void *ways_thread(void *data);
static uint64_t ways_threads(ways_t *w);
static void ways_send(const ways_t *w, PGconn *pg);
static uint64_t ways_receive(PGconn *pg);
static uint64_t ways_pipeline(ways_t *w);


int
main(int argc, char **argv)
{
    int       fds[2], i;
    ways_t    w = { 0 };
    double    seconds;
    uint64_t  n, sum = 0;

    if (argc < 5 || pipe(fds) != 0) {
        ways_fail("usage", "threads|pipeline ADDRESS SECONDS SQL [VALUE...]");
    }

    seconds = atof(argv[3]);
    w.address = argv[2];
    w.sql = argv[4];
    w.values = (const char *const *) argv + 5;
    w.nvalues = argc - 5;

    for (i = 0; i < WAYS_PROCESSES; i++) {
        if (fork() == 0) {
            w.end = ways_now() + seconds;
            n = strcmp(argv[1], "threads") == 0 ? ways_threads(&w)
                                                : ways_pipeline(&w);
            _exit(write(fds[1], &n, sizeof(n)) == sizeof(n) ? 0 : 1);
        }
    }

    for (i = 0; i < WAYS_PROCESSES; i++) {
        (void) close(i == 0 ? fds[1] : -1);
        if (read(fds[0], &n, sizeof(n)) != sizeof(n)) {
            ways_fail("process", "it did not end well");
        }
        sum += n;
    }

    while (wait(NULL) > 0) { /* void */ }
    printf("%.0f\n", (double) sum / seconds);

    return 0;
}


static double
ways_now(void)
{
    struct timespec  ts;

    (void) clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double) ts.tv_sec + (double) ts.tv_nsec / 1e9;
}


static void
ways_fail(const char *what, const char *message)
{
    fprintf(stderr, "bench_ways: %s: %s\n", what, message);
    _exit(1);
}


static PGconn *
ways_connect(const ways_t *w)
{
    PGconn    *pg = PQconnectdb(w->address);
    PGresult  *result = PQprepare(pg, "ask", w->sql, w->nvalues, NULL);

    if (PQresultStatus(result) != PGRES_COMMAND_OK) {
        ways_fail("connection", PQerrorMessage(pg));
    }

    PQclear(result);
    return pg;
}


/* --- Threads ------------------------------------------------------------- */

static void *
ways_thread(void *data)
{
    ways_t    *w = data;
    PGconn    *pg = ways_connect(w);
    PGresult  *result;
    uint64_t   one = 1;

    for ( ;; ) {
        (void) pthread_mutex_lock(&w->lock);
        while (w->asked == 0) {
            (void) pthread_cond_wait(&w->more, &w->lock);
        }
        w->asked--;
        (void) pthread_mutex_unlock(&w->lock);

        result = PQexecPrepared(pg, "ask", w->nvalues, w->values, NULL, NULL,
                                1);
        if (PQresultStatus(result) != PGRES_TUPLES_OK) {
            ways_fail("statement", PQerrorMessage(pg));
        }
        PQclear(result);

        (void) pthread_mutex_lock(&w->lock);
        w->answered++;
        (void) pthread_mutex_unlock(&w->lock);

        if (write(w->wake, &one, sizeof(one)) != sizeof(one)) {
            ways_fail("eventfd", "it can't be written");
        }
    }

    return NULL;
}


static uint64_t
ways_threads(ways_t *w)
{
    int        i;
    unsigned   n;
    uint64_t   sum = 0, woken;
    pthread_t  thread;

    (void) pthread_mutex_init(&w->lock, NULL);
    (void) pthread_cond_init(&w->more, NULL);
    w->wake = eventfd(0, 0);
    w->asked = WAYS_CLIENTS;

    for (i = 0; i < WAYS_CONNECTIONS; i++) {
        if (pthread_create(&thread, NULL, ways_thread, w) != 0) {
            ways_fail("thread", "it can't be made");
        }
    }

    while (ways_now() < w->end) {
        if (read(w->wake, &woken, sizeof(woken)) != sizeof(woken)) {
            ways_fail("eventfd", "it can't be read");
        }

        (void) pthread_mutex_lock(&w->lock);
        n = w->answered;
        w->answered = 0;
        w->asked += n;
        (void) pthread_cond_broadcast(&w->more);
        (void) pthread_mutex_unlock(&w->lock);
        sum += n;
    }

    return sum;
}


/* --- Pipeline mode ------------------------------------------------------- */

/* Each statement has an end of its own, so that one that fails does not take
 * those behind it along. */

static void
ways_send(const ways_t *w, PGconn *pg)
{
    if (!PQsendQueryPrepared(pg, "ask", w->nvalues, w->values, NULL, NULL, 1)
        || !PQpipelineSync(pg))
    {
        ways_fail("statement", PQerrorMessage(pg));
    }
}


/* How many are answered by what has come. */

static uint64_t
ways_receive(PGconn *pg)
{
    uint64_t        n = 0;
    PGresult       *result;
    ExecStatusType  status;

    if (!PQconsumeInput(pg)) {
        ways_fail("connection", PQerrorMessage(pg));
    }

    while (!PQisBusy(pg)) {
        result = PQgetResult(pg);
        status = PQresultStatus(result);
        PQclear(result);

        if (status == PGRES_PIPELINE_SYNC) {
            n++;
        } else if (result && status != PGRES_TUPLES_OK) {
            ways_fail("statement", PQerrorMessage(pg));
        } else if (result == NULL && n == WAYS_CLIENTS / WAYS_CONNECTIONS) {
            break;
        }
    }

    return n;
}


static uint64_t
ways_pipeline(ways_t *w)
{
    int            i;
    PGconn        *pg[WAYS_CONNECTIONS];
    uint64_t       k, n, sum = 0;
    struct pollfd  fds[WAYS_CONNECTIONS];

    for (i = 0; i < WAYS_CONNECTIONS; i++) {
        pg[i] = ways_connect(w);
        if (PQsetnonblocking(pg[i], 1) != 0 || !PQenterPipelineMode(pg[i])) {
            ways_fail("pipeline mode", PQerrorMessage(pg[i]));
        }

        for (k = 0; k < WAYS_CLIENTS / WAYS_CONNECTIONS; k++) {
            ways_send(w, pg[i]);
        }
        fds[i] = (struct pollfd) { PQsocket(pg[i]), POLLIN, 0 };
    }

    while (ways_now() < w->end) {
        (void) poll(fds, WAYS_CONNECTIONS, 1000);

        for (i = 0; i < WAYS_CONNECTIONS; i++) {
            n = fds[i].revents ? ways_receive(pg[i]) : 0;
            sum += n;
            for (k = 0; k < n; k++) {
                ways_send(w, pg[i]);
            }
            fds[i].events = PQflush(pg[i]) == 1 ? POLLIN | POLLOUT : POLLIN;
        }
    }

    return sum;
}
