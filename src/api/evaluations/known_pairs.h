/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A cache, in each worker, of pairs of a judge and a content that were found
 * to fit, so that the next evaluation of the pair is created without reading
 * the store.  An entry is valid until any worker changes or deletes a judge, a
 * content or settings, and for JUDGE_AUTH_TTL at most, because commits of the
 * judge command are not noticed.  The insert still checks that both exist.
 */


#ifndef JUDGE_KNOWN_PAIRS_H
#define JUDGE_KNOWN_PAIRS_H


#include "api/http/request.h"


judge_known_pairs_t *judge_known_pairs_create(size_t n);
size_t judge_known_pairs_size(size_t n);             /* bytes */
void judge_known_pairs_destroy(judge_known_pairs_t *pairs);   /* or NULL */

/* Must be called before the reads whose outcome judge_known_pairs_keep()
 * stores. */
uint64_t judge_known_pairs_changes(const judge_service_t *service);

/* Whether the pair is known to fit, with the content ready and no model to
 * ask; fills in version and file type.  A content that the request creates is
 * looked up with an absent identifier. */
bool judge_known_pairs_find(judge_req_t *r, judge_pair_find_t *pair);
void judge_known_pairs_keep(judge_req_t *r, const judge_pair_find_t *pair,
    uint64_t changes);


#endif /* JUDGE_KNOWN_PAIRS_H */
