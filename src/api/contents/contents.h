/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What contents have in common, however they come in.
 */


#ifndef JUDGE_CONTENTS_H
#define JUDGE_CONTENTS_H


#include "api/http/request.h"


#define JUDGE_CONTENT_NAME_MAX  255
#define JUDGE_METADATA_MAX      2097152    /* bytes; holds the text that an
                                              item was made from, too */

/*
 * Pre-signed addresses: who has one may use it, without a key, for one
 * object and one method until it expires.
 */

/* First in the context of a route that takes one. */
typedef struct {
    judge_integer_t  expires;          /* s since 1970 */
    judge_str_t      signature;
} judge_signed_query_t;

#define judge_signed_query_fields(of, member)                                 \
    judge_field_as("expires", of, member.expires, INTEGER, 0, 0, 1e15),       \
    judge_field_as("signature", of, member.signature, STRING, 0, 1, 200)

/* <base>/<folder>/<org>/<id>?expires=…&signature=…; data NULL: a fault. */
judge_str_t judge_signed_query_url(judge_req_t *r, judge_method_e method,
    const char *folder, judge_str_t id, judge_ms_t expires);

/* Whether the request's address, /<folder>/<org>/<id>, was signed by this
 * service, compared in constant time, and has not expired: then the request is
 * of that organization; false: it has answered 403. */
bool judge_signed_query_check(judge_req_t *r,
    const judge_signed_query_t *query, const char *folder);

/*
 * Makes a text into a content: the row has its name, text_content and
 * created_at.  false: the text is too long, and it has answered 400.
 */
bool judge_content_text(judge_req_t *r, judge_content_row_t *row,
    const judge_json_t *metadata, judge_id_t *id);


#endif /* JUDGE_CONTENTS_H */
