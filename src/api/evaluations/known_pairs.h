/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Judges and contents that were just found to fit each other, so that the
 * next evaluation of the two is made without reading the store.  What a worker
 * remembers holds until a judge, a content or settings are changed or deleted,
 * by whichever worker, and for JUDGE_AUTH_TTL: the judge command's commits
 * aren't seen.  The insert itself still proves that both are there.
 */


#ifndef JUDGE_KNOWN_PAIRS_H
#define JUDGE_KNOWN_PAIRS_H


#include "api/http/request.h"


judge_known_pairs_t *judge_known_pairs_create(size_t n);
size_t judge_known_pairs_size(size_t n);             /* bytes */
void judge_known_pairs_destroy(judge_known_pairs_t *pairs);   /* or NULL */

/* To be asked before the reads whose outcome is kept. */
uint64_t judge_known_pairs_changes(const judge_service_t *service);

/* Whether they are known to fit, the content is ready, and the built-in engine
 * or a worker is asked; version and file type are filled in.  A content that
 * is only being made has no identifier. */
bool judge_known_pairs_find(judge_req_t *r, judge_pair_find_t *pair);
void judge_known_pairs_keep(judge_req_t *r, const judge_pair_find_t *pair,
    uint64_t changes);


#endif /* JUDGE_KNOWN_PAIRS_H */
