/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Reading what was uploaded: texts are decoded, other files are looked at for
 * being what they are said to be, and whoever waits for them goes on.  Places
 * that were promised and never used are given up.
 */


#ifndef JUDGE_INGEST_H
#define JUDGE_INGEST_H


#include "work/judge_service.h"


judge_ingest_t *judge_ingest_create(judge_service_t *service);
void judge_ingest_destroy(judge_ingest_t *ingest);       /* at rest only */

void judge_ingest_tick(judge_ingest_t *ingest);          /* as the work's */
void judge_ingest_poke(judge_ingest_t *ingest);          /* a file has come */
void judge_ingest_stop(judge_ingest_t *ingest);
bool judge_ingest_busy(judge_ingest_t *ingest);

/*
 * The name of an upload's file, <org>.<id>.<random>, so that no two uploads
 * ever get in each other's way; and where a file lies.  Zero-terminated; data
 * NULL: a fault.
 */
judge_str_t judge_ingest_name(judge_arena_t *arena, judge_str_t org,
    judge_str_t id);
judge_str_t judge_ingest_path(judge_arena_t *arena,
    const judge_service_t *service, judge_str_t name);


#endif /* JUDGE_INGEST_H */
