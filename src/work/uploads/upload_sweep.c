/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <dirent.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "store/store_upload.h"
#include "work/service/metrics.h"
#include "work/uploads/upload_reader.h"


#define JUDGE_SWEEP_EVERY      3600000
#define JUDGE_SWEEP_NEXT       1000            /* ms; there are more files */
#define JUDGE_SWEEP_AGE        3600            /* s; spares younger files */
#define JUDGE_SWEEP_FILES      4096            /* files examined at once */

struct judge_upload_sweep {
    judge_service_t      *service;
    judge_arena_t        *arena;
    judge_files_known_t   known;
    judge_task_t          task;
    judge_ms_t            swept_at;
    size_t                examined;    /* entries that earlier sweeps of this
                                          round examined */
    bool                  busy;
};


static void
judge_upload_sweep_done(judge_task_t *task)
{
    judge_upload_sweep_t  *sweep = task->data;

    judge_arena_destroy(sweep->arena);
    sweep->arena = NULL;
    sweep->busy = false;
}


static void
judge_upload_sweep_unlink(judge_task_t *task)
{
    size_t                 i, removed;
    judge_str_t            path;
    judge_upload_sweep_t  *sweep = task->data;

    for (i = 0, removed = 0; i < sweep->known.count; i++) {
        if (sweep->known.known[i]) {
            continue;
        }

        path = judge_upload_reader_path(sweep->arena, sweep->service,
                                        sweep->known.names[i]);
        if (path.data && unlink(path.data) == 0) {
            removed++;
        }
    }

    sweep->examined -= sweep->examined > removed ? removed : sweep->examined;
    judge_metrics_add(sweep->service->metrics, JUDGE_METRIC_PURGED_FILES,
                      removed);
}


static void
judge_upload_sweep_known(judge_op_t *op)
{
    judge_upload_sweep_t  *sweep = op->data;

    if (op->rc != JUDGE_OK) {
        judge_upload_sweep_done(&sweep->task);
        return;
    }

    judge_service_compute(sweep->service, &sweep->task,
                          judge_upload_sweep_unlink, judge_upload_sweep_done,
                          sweep);
}


static void
judge_upload_sweep_listed(judge_task_t *task)
{
    judge_upload_sweep_t  *sweep = task->data;

    if (sweep->known.count == 0) {
        judge_upload_sweep_done(task);
        return;
    }

    sweep->known.op.kind = JUDGE_OP_FILES_KNOWN;
    sweep->known.op.arena = sweep->arena;
    sweep->known.op.done = judge_upload_sweep_known;
    sweep->known.op.data = sweep;
    judge_submit(sweep->service, &sweep->known.op);
}


/* Notes a file, unless it is too young or its name is not an upload's. */

static void
judge_upload_sweep_add(judge_upload_sweep_t *sweep, const char *file)
{
    struct stat           st;
    judge_str_t           name, path;
    judge_files_known_t  *known = &sweep->known;

    name = judge_str_dup(sweep->arena, judge_str_c(file));
    path = judge_upload_reader_path(sweep->arena, sweep->service, name);

    if (name.data == NULL || path.data == NULL
        || name.len < 2 * JUDGE_ID_LEN + 2
        || name.data[JUDGE_ID_LEN] != '.'
        || name.data[2 * JUDGE_ID_LEN + 1] != '.'
        || stat(path.data, &st) != 0 || !S_ISREG(st.st_mode)
        || st.st_mtime >= time(NULL) - JUDGE_SWEEP_AGE)
    {
        return;
    }

    known->orgs[known->count] = (judge_str_t) { JUDGE_ID_LEN, name.data };
    known->ids[known->count] = (judge_str_t) { JUDGE_ID_LEN,
                                            name.data + JUDGE_ID_LEN + 1 };
    known->names[known->count++] = name;
}


static void
judge_upload_sweep_list(judge_task_t *task)
{
    DIR                   *dir;
    size_t                 n;
    judge_str_t            path;
    judge_arena_t         *arena;
    struct dirent         *entry;
    judge_upload_sweep_t  *sweep = task->data;
    judge_files_known_t   *known = &sweep->known;

    arena = sweep->arena;
    path = judge_upload_reader_path(arena, sweep->service, JUDGE_STR(""));
    if (!path.data
        || !judge_upload_reader_names(arena, known, JUDGE_SWEEP_FILES))
    {
        return;
    }

    dir = opendir(path.data);

    entry = NULL;
    for (n = 0; dir && n < sweep->examined + JUDGE_SWEEP_FILES; n++) {
        entry = readdir(dir);
        if (entry == NULL) {
            break;
        }

        if (n >= sweep->examined) {
            judge_upload_sweep_add(sweep, entry->d_name);
        }
    }

    sweep->examined = entry ? n : 0;

    if (dir) {
        (void) closedir(dir);
    }
}


static void
judge_upload_sweep_begin(judge_service_t *service)
{
    judge_upload_sweep_t  *sweep = service->sweep;

    sweep->service = service;
    sweep->swept_at = judge_now(service);
    sweep->arena = judge_arena_create(64 * 1024);
    if (sweep->arena == NULL) {
        return;
    }

    sweep->busy = true;
    sweep->known.count = 0;
    judge_service_compute(sweep->service, &sweep->task,
                          judge_upload_sweep_list, judge_upload_sweep_listed,
                          sweep);
}


static void
judge_upload_sweep_tick(judge_service_t *service)
{
    judge_upload_sweep_t  *sweep = service->sweep;

    if (!sweep->busy && !service->stopped
        && judge_now(service) - sweep->swept_at
           >= (sweep->examined ? JUDGE_SWEEP_NEXT : JUDGE_SWEEP_EVERY))
    {
        judge_upload_sweep_begin(service);
    }
}


static bool
judge_upload_sweep_busy(judge_service_t *service)
{
    return service->sweep->busy;
}


const judge_background_t  judge_upload_sweep_background = {
    .size = sizeof(judge_upload_sweep_t),
    .at = offsetof(judge_service_t, sweep),
    .tick = judge_upload_sweep_tick,
    .busy = judge_upload_sweep_busy
};
