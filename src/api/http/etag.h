/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Entity tags in If-Match and If-None-Match (RFC 9110, section 8.8.3). */


#ifndef JUDGE_ETAG_H
#define JUDGE_ETAG_H


#include "api/http/request.h"


/*
 * Whether the header, a list of tags or "*", names the tag, which is given
 * without its quotes.  `weak` compares as If-None-Match does: a weak tag
 * counts, too.  A bare word is taken for a tag.  An absent header: false.
 */
bool judge_etag_matches(judge_str_t header, judge_str_t tag, bool weak);

/* A version as the tag of the answer; whether If-Match or If-None-Match names
 * it. */
void judge_etag_version(judge_req_t *r, int64_t version);
bool judge_etag_version_matches(judge_str_t header, int64_t version,
    bool weak);


#endif /* JUDGE_ETAG_H */
