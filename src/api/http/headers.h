/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Headers of requests, parsed. */


#ifndef JUDGE_HEADERS_H
#define JUDGE_HEADERS_H


#include "api/http/route.h"


/* Content-Type without its parameters. */
judge_str_t judge_content_type(judge_req_t *r);

/* Whether the header, a list of tags or "*", contains the tag, which is passed
 * without quotes.  With `weak`, weak tags match, as If-None-Match requires.  A
 * bare word is taken for a tag.  An absent header matches nothing. */
bool judge_etag_matches(judge_str_t header, judge_str_t tag, bool weak);

/* Makes a version the ETag of the answer; whether If-Match or If-None-Match
 * names it. */
void judge_etag_version(judge_req_t *r, int64_t version);
bool judge_etag_version_matches(judge_str_t header, int64_t version,
    bool weak);

#define JUDGE_WAIT_MAX  60             /* s */

/* The seconds of "wait=N", at most JUDGE_WAIT_MAX; 0 if the header is absent
 * or can't be parsed, because a preference never makes a request fail. */
int64_t judge_prefer_wait(judge_str_t header);

/* Parses the Last-Event-ID of a client that reconnects: the number, and
 * whether it was the last event; "17" or "17-done".  false: malformed. */
bool judge_last_event(judge_str_t header, int64_t *number, bool *done);

/* Whether the first handling=… of the header is strict. */
bool judge_prefer_strict(judge_str_t header);


#endif /* JUDGE_HEADERS_H */
