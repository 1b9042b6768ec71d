/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Reading what was uploaded: texts are decoded, the format of other files is
 * checked against their declared type, and evaluations that wait for them go
 * on.  Uploads that never came expire. */


#ifndef JUDGE_UPLOAD_READER_H
#define JUDGE_UPLOAD_READER_H


#include "work/service/service.h"


#define JUDGE_UPLOAD_GRACE  60000      /* ms behind the end of an address, for
                                          a file that began to come in time */

bool judge_upload_reader_create(judge_service_t *service);
void judge_upload_reader_destroy(judge_service_t *service);      /* at rest */

void judge_upload_reader_tick(judge_service_t *service);
void judge_upload_reader_poke(judge_service_t *service);
void judge_upload_reader_stop(judge_service_t *service);
bool judge_upload_reader_busy(judge_service_t *service);

/* The name of an upload's file, <org>.<id>.<random>, so that no two uploads
 * ever get in each other's way; and where a file lies.  Zero-terminated; data
 * NULL: a fault. */
judge_str_t judge_upload_reader_name(judge_arena_t *arena, judge_str_t org,
    judge_str_t id);
judge_str_t judge_upload_reader_path(judge_arena_t *arena,
    const judge_service_t *service, judge_str_t name);


#endif /* JUDGE_UPLOAD_READER_H */
