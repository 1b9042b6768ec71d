/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Reads uploaded files: decodes texts, checks the format of other files
 * against their declared type, and queues evaluations that wait for them.
 * Fails uploads that have expired without a file. */


#ifndef JUDGE_UPLOAD_READER_H
#define JUDGE_UPLOAD_READER_H


#include "store/store_upload.h"
#include "work/service/leased.h"
#include "work/service/service.h"


#define JUDGE_UPLOAD_GRACE  60000      /* ms after an address has expired, for
                                          uploads that began in time */

extern const judge_leased_kind_t  judge_upload_reads;

/* A unique name for an upload's file, <org>.<id>.<random>; and the path of a
 * file.  Both are zero-terminated; data NULL: no memory or random numbers. */
judge_str_t judge_upload_reader_name(judge_arena_t *arena, judge_str_t org,
    judge_str_t id);
judge_str_t judge_upload_reader_path(judge_arena_t *arena,
    const judge_service_t *service, judge_str_t name);

/* Allocates the arrays of an operation that looks up rows of files. */
bool judge_upload_reader_names(judge_arena_t *arena,
    judge_files_known_t *known, size_t most);


/* --- Files without a row ------------------------------------------------- */

/* Deletes files without a row, now and then: a process may have died between
 * writing a file and its row, or between deleting a row and its file. */

extern const judge_background_t  judge_upload_sweep_background;


#endif /* JUDGE_UPLOAD_READER_H */
