/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What the endpoints that create or read contents share. */


#ifndef JUDGE_CONTENTS_H
#define JUDGE_CONTENTS_H


#include "api/http/request.h"


#define JUDGE_CONTENT_NAME_MAX  255
#define JUDGE_METADATA_MAX      2097152    /* bytes; metadata may repeat the
                                              text of an item */

/* Pre-signed addresses: whoever has one may use it without a key, for one
 * object and one method, until it expires.  A route with such an address has
 * this as the first member of its context. */

typedef struct {
    judge_integer_t  expires;          /* s since 1970 */
    judge_str_t      signature;
} judge_signed_query_t;

#define judge_signed_query_fields(obj, member)                                \
    judge_field_as("expires", obj, member.expires, INTEGER, 0, 0, 1e15),      \
    judge_field_as("signature", obj, member.signature, STRING, 0, 1, 200)

/* Makes <base>/<folder>/<org>/<id>?expires=…&signature=…; data NULL: out of
 * memory, or signing failed. */
judge_str_t judge_signed_query_url(judge_req_t *r, judge_method_e method,
    const char *folder, judge_str_t id, judge_ms_t expires);

/* Checks that this service signed the request's address, /<folder>/<org>/<id>,
 * in constant time, and that it has not expired, and sets r->org; false: the
 * request has been answered with 403. */
bool judge_signed_query_check(judge_req_t *r,
    const judge_signed_query_t *query, const char *folder);

/* Returns the stored form of a client's metadata, or absent.  If its first
 * member has the name that messages are stored under, a blank is put before
 * it, so that it is not taken for a conversation. */
judge_str_t judge_content_metadata(judge_arena_t *arena, judge_str_t text);

/* Makes the text and the metadata of a content from messages, which are at
 * `path` in the body; metadata may be NULL.  JUDGE_OK, JUDGE_NOMEM, or
 * JUDGE_INVALID with *error. */
judge_rc_e judge_content_messages(judge_arena_t *arena,
    const judge_json_t *messages, judge_str_t path,
    const judge_json_t *metadata, judge_content_row_t *row,
    judge_str_t *error);

/* Requires text_content or messages, and makes the text from the latter;
 * false: the request has been answered. */
bool judge_content_require(judge_req_t *r, const judge_json_t *messages,
    const judge_json_t *metadata, judge_content_row_t *row);

/* Completes the row of a text, whose name, text_content and created_at are
 * set, and metadata unless it is given; the row refers to *id.  false: the
 * request has been answered. */
bool judge_content_text(judge_req_t *r, judge_content_row_t *row,
    const judge_json_t *metadata, judge_id_t *id);


#endif /* JUDGE_CONTENTS_H */
