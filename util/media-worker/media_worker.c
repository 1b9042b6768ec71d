/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The command line; docs/media.md. */


#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure_process.h"
#include "worker.h"


static int judge_worker_serve(int argc, char **argv);
static int judge_worker_measure(int argc, char **argv);
static int judge_worker_measure_file(const char *path,
    judge_media_kind_e kind, const judge_measure_limits_t *limits);
static int judge_worker_usage(FILE *to);


int
main(int argc, char **argv)
{
    if (argc >= 3 && strcmp(argv[1], "measure") == 0) {
        return judge_worker_measure(argc - 2, argv + 2);
    }

    if (argc >= 2 && strcmp(argv[1], "run") == 0) {
        return judge_worker_serve(argc - 2, argv + 2);
    }

    if (argc == 2 && strcmp(argv[1], JUDGE_MEASURE_PROCESS_NAME) == 0) {
        return judge_measure_process_serve();
    }

    if (argc == 2 && (strcmp(argv[1], "--help") == 0
                      || strcmp(argv[1], "-h") == 0))
    {
        return judge_worker_usage(stdout);
    }

    return judge_worker_usage(stderr);
}


static int
judge_worker_serve(int argc, char **argv)
{
    const char           *path, *error;
    judge_worker_conf_t   conf;

    path = NULL;

    if (argc == 1 && strncmp(argv[0], "--config=", 9) == 0) {
        path = argv[0] + 9;

    } else if (argc) {
        return judge_worker_usage(stderr);
    }

    if (!judge_worker_conf_read(&conf, path, &error)) {
        fprintf(stderr, "media-worker: %s\n", error);
        return 2;
    }

    return judge_worker_run(&conf);
}


static int
judge_worker_measure(int argc, char **argv)
{
    int                     i, rc;
    judge_media_kind_e      kind;
    judge_measure_limits_t  limits = judge_measure_defaults;

    kind = 0;
    rc = 0;

    for (i = 0; i < argc; i++) {
        if (strncmp(argv[i], "--kind=", 7) == 0) {
            kind = judge_media_kind_find(judge_str_c(argv[i] + 7));
            if (kind == 0) {
                return judge_worker_usage(stderr);
            }

        } else if (strncmp(argv[i], "--seconds=", 10) == 0) {
            limits.seconds = atoi(argv[i] + 10);
            if (limits.seconds < 1 || limits.seconds > 86400) {
                return judge_worker_usage(stderr);
            }

        } else if (strncmp(argv[i], "--", 2) == 0) {
            return judge_worker_usage(stderr);

        } else {
            rc |= judge_worker_measure_file(argv[i], kind, &limits);
        }
    }

    return rc;
}


static int
judge_worker_measure_file(const char *path, judge_media_kind_e kind,
    const judge_measure_limits_t *limits)
{
    int               fd;
    judge_rc_e        rc;
    judge_buf_t       json;
    judge_measured_t  measured;

    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        perror(path);
        return 2;
    }

    judge_measure(fd, kind, limits, &measured);
    close(fd);

    judge_buf_init(&json, NULL);
    rc = judge_measure_write(&json, &measured.report);

    if (rc == JUDGE_OK) {
        printf("%.*s\n", (int) json.len, json.data);
        rc = measured.report.code == JUDGE_MEASURE_OK ? 0 : 1;
    }

    judge_buf_free(&json);
    judge_measured_free(&measured);

    return (int) rc;
}


static int
judge_worker_usage(FILE *to)
{
    fputs("media-worker run [--config=FILE]\n"
          "media-worker measure [--kind=video|audio|image] [--seconds=N]"
          " FILE...\n", to);

    return to == stdout ? 0 : 2;
}
