/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Files that come in and go out, and the folders they lie in. */


#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"


#define T_FILE_MAX  65536              /* bytes of one that is sent */


/* The body as a file, at once; what is too long leaves none. */

void
t_receive(judge_req_t *r)
{
    FILE      *file;
    size_t     len;
    t_call_t  *call = r->server;

    len = strlen(call->sends);
    if (len > r->receive_max) {
        judge_fail(r, 413, "the file is larger than %zu bytes",
                   r->receive_max);
        return;
    }

    file = fopen(r->file.data, "wx");
    if (file == NULL || fwrite(call->sends, 1, len, file) != len
        || fclose(file) != 0)
    {
        judge_req_received(r, JUDGE_ERROR);
        return;
    }

    r->received = len;
    judge_req_received(r, JUDGE_OK);
}


void
t_send_file(judge_req_t *r)
{
    char       *data;
    FILE       *file;
    size_t      len;
    t_call_t   *call = r->server;

    file = fopen(r->file.data, "r");
    if (file == NULL) {
        judge_fail(r, 404, "there is no such file");
        return;
    }

    data = judge_alloc(r->arena, T_FILE_MAX);
    len = fread(data, 1, T_FILE_MAX, file);
    (void) fclose(file);

    call->status = r->answer.status;
    call->body = (judge_str_t) { len, data };
}


void
t_empty(const char *directory)
{
    DIR            *dir;
    char            path[400];
    struct dirent  *entry;

    dir = opendir(directory);

    while (dir && (entry = readdir(dir))) {
        (void) snprintf(path, sizeof(path), "%s/%s", directory,
                        entry->d_name);
        (void) unlink(path);
    }

    if (dir) {
        (void) closedir(dir);
    }

    (void) rmdir(directory);
}
