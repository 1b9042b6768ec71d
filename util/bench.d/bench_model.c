/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A model server for util/bench, on a port of 127.0.0.1 that it prints:
 *
 *   build/bench_model MS [N]   answers everything after so many milliseconds,
 *                              with the same verdict on two criteria, but with
 *                              429 what comes while it has N to answer
 *
 * It ends when its standard input does.
 */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* memmem(), accept4() */
#endif

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>


#define BENCH_CLIENTS  1000
#define BENCH_REQUEST  65536

typedef struct {
    char    request[BENCH_REQUEST];
    size_t  len;
    double  answer_at;                 /* ms; 0: the request is not complete */
    int     refused;
} bench_client_t;

static struct pollfd    bench_fds[BENCH_CLIENTS + 2];
static bench_client_t  *bench_clients[BENCH_CLIENTS + 2];
static nfds_t           bench_count = 2;       /* stdin, the listener */
static unsigned long    bench_takes;           /* 0: any number */
static unsigned long    bench_taken;

static const char  bench_verdict[] =
    "{\"id\":\"x\",\"object\":\"chat.completion\",\"model\":\"bench\","
    "\"choices\":[{\"index\":0,\"finish_reason\":\"stop\",\"message\":"
    "{\"role\":\"assistant\",\"content\":\"{\\\"criteria\\\":{"
    "\\\"c1\\\":{\\\"score\\\":71,\\\"feedback\\\":\\\"Reasons for it, in a"
    " sentence of the usual length.\\\",\\\"evidence\\\":[]},"
    "\\\"c2\\\":{\\\"score\\\":72,\\\"feedback\\\":\\\"Reasons for it, in a"
    " sentence of the usual length.\\\",\\\"evidence\\\":[]}},"
    "\\\"strengths\\\":[\\\"One.\\\"],\\\"weaknesses\\\":[\\\"One.\\\"],"
    "\\\"suggestions\\\":[\\\"One.\\\"],\\\"summary\\\":\\\"A summary.\\\"}\""
    "}}],\"usage\":{\"prompt_tokens\":600,\"completion_tokens\":90,"
    "\"total_tokens\":690}}";


static const char  bench_refusal[] =
    "{\"error\":{\"message\":\"Rate limit reached\",\"type\":\"requests\","
    "\"param\":null,\"code\":\"rate_limit_exceeded\"}}";


static double
bench_now(void)
{
    struct timespec  ts;

    (void) clock_gettime(CLOCK_MONOTONIC, &ts);

    return (double) ts.tv_sec * 1e3 + (double) ts.tv_nsec / 1e6;
}


static int
bench_listen(void)
{
    int                 fd;
    socklen_t           len;
    struct sockaddr_in  address;

    memset(&address, 0, sizeof(address));
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    len = sizeof(address);

    fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd == -1
        || bind(fd, (struct sockaddr *) &address, sizeof(address)) == -1
        || listen(fd, BENCH_CLIENTS) == -1
        || getsockname(fd, (struct sockaddr *) &address, &len) == -1)
    {
        perror("bench_model");
        exit(1);
    }

    (void) printf("%d\n", ntohs(address.sin_port));
    (void) fflush(stdout);

    return fd;
}


static void
bench_accept(void)
{
    int  fd;

    fd = accept4(bench_fds[1].fd, NULL, NULL, SOCK_CLOEXEC);

    if (fd == -1) {
        return;
    }

    if (bench_count == BENCH_CLIENTS + 2
        || (bench_clients[bench_count] = calloc(1, sizeof(bench_client_t)))
           == NULL)
    {
        (void) close(fd);
        return;
    }

    bench_fds[bench_count].fd = fd;
    bench_fds[bench_count++].events = POLLIN;
}


static void
bench_close(nfds_t i)
{
    bench_taken -= bench_clients[i]->answer_at > 0
                   && !bench_clients[i]->refused;

    (void) close(bench_fds[i].fd);
    free(bench_clients[i]);

    bench_count--;
    bench_fds[i] = bench_fds[bench_count];
    bench_clients[i] = bench_clients[bench_count];
}


/* Whether the client stays. */

static int
bench_read(nfds_t i, double delay)
{
    char            *end, *length;
    ssize_t          n;
    bench_client_t  *client = bench_clients[i];

    n = read(bench_fds[i].fd, client->request + client->len,
             BENCH_REQUEST - 1 - client->len);
    if (n <= 0) {
        return 0;
    }

    client->len += (size_t) n;
    client->request[client->len] = '\0';

    end = strstr(client->request, "\r\n\r\n");
    length = strcasestr(client->request, "\r\nContent-Length: ");

    if (end && length
        && client->len >= (size_t) (end + 4 - client->request)
                          + strtoul(length + 18, NULL, 10))
    {
        client->refused = bench_takes && bench_taken == bench_takes;
        client->answer_at = bench_now() + (client->refused ? 0 : delay);
        bench_taken += !client->refused;
    }

    return 1;
}


static int
bench_answer(nfds_t i)
{
    int          n;
    char         answer[sizeof(bench_verdict) + 200];
    const char  *body;

    body = bench_clients[i]->refused ? bench_refusal : bench_verdict;
    n = snprintf(answer, sizeof(answer), "HTTP/1.1 %s\r\nContent-Type:"
                 " application/json\r\nContent-Length: %zu\r\n\r\n%s",
                 bench_clients[i]->refused ? "429 Too Many Requests"
                                           : "200 OK",
                 strlen(body), body);

    bench_taken -= !bench_clients[i]->refused;
    bench_clients[i]->len = 0;
    bench_clients[i]->answer_at = 0;

    return write(bench_fds[i].fd, answer, (size_t) n) == n;
}


/* Answers what is due; ms until the next one is, or -1. */

static int
bench_due(void)
{
    double  now, left, least;
    nfds_t  i;

    now = bench_now();
    least = -1;

    for (i = 2; i < bench_count; i++) {
        if (bench_clients[i]->answer_at == 0) {
            continue;
        }

        left = bench_clients[i]->answer_at - now;

        if (left > 0) {
            least = least < 0 || left < least ? left : least;
        } else if (!bench_answer(i)) {
            bench_close(i--);
        }
    }

    return least < 0 ? -1 : (int) least + 1;
}


int
main(int argc, char **argv)
{
    int     wait;
    char    ignored[64];
    double  delay;
    nfds_t  i;

    delay = argc == 2 || argc == 3 ? strtod(argv[1], NULL) : -1;
    if (delay < 0) {
        (void) fprintf(stderr, "usage: bench_model MS [N]\n");
        return 2;
    }

    bench_takes = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;

    bench_fds[0] = (struct pollfd) { .fd = 0, .events = POLLIN };
    bench_fds[1] = (struct pollfd) { .fd = bench_listen(), .events = POLLIN };

    for ( ;; ) {
        wait = bench_due();

        if (poll(bench_fds, bench_count, wait) <= 0) {
            continue;
        }

        if (bench_fds[0].revents && read(0, ignored, sizeof(ignored)) <= 0) {
            return 0;
        }

        for (i = bench_count; i-- > 2; ) {
            if (bench_fds[i].revents && !bench_read(i, delay)) {
                bench_close(i);
            }
        }

        if (bench_fds[1].revents) {
            bench_accept();
        }
    }
}
