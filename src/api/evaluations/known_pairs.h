/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A cache, in each worker, of pairs of a judge and a content that were found
 * to fit, so that the next evaluation of the pair is created without reading
 * the store.  The insert proves that both exist and that the judge still has
 * the version; if not, the store is read after all.  An entry is valid until
 * the settings of the organization change, and for JUDGE_AUTH_TTL at most,
 * because commits of other programs are not noticed.
 */


#ifndef JUDGE_KNOWN_PAIRS_H
#define JUDGE_KNOWN_PAIRS_H


#include "api/http/request.h"


judge_known_pairs_t *judge_known_pairs_create(size_t n);
size_t judge_known_pairs_size(size_t n);             /* bytes */
void judge_known_pairs_destroy(judge_known_pairs_t *pairs);   /* or NULL */

/* Whether the pair is known to fit, with the content ready and no model to
 * ask; fills in version and file type.  A content that the request creates is
 * looked up with an absent identifier. */
bool judge_known_pairs_find(judge_req_t *r, judge_pair_find_t *pair);

/* `changes` is the organization's counter before the pair was read. */
void judge_known_pairs_keep(judge_req_t *r, const judge_pair_find_t *pair,
    uint64_t changes);


#endif /* JUDGE_KNOWN_PAIRS_H */
