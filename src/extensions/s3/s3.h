/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Object stores with the interface of Amazon S3: pre-signed addresses,
 * credentials, and the few XML elements that are read.  Signatures are AWS
 * Signature Version 4 in the query ("Authenticating Requests: Using Query
 * Parameters", Amazon S3 API Reference).  Host is the only signed header, and
 * the body is not signed.
 */


#ifndef JUDGE_S3_H
#define JUDGE_S3_H


#include "base/core/str.h"
#include "base/core/time.h"


#define JUDGE_S3_PARAMS      8         /* of a request, at most */
#define JUDGE_S3_VALID_MAX   604800    /* seconds */

typedef struct {
    judge_str_t  id;
    judge_str_t  secret;
    judge_str_t  token;                /* absent: permanent credentials */
} judge_s3_credentials_t;

/* Where a bucket is. */
typedef struct {
    judge_str_t  scheme;               /* http, https */
    judge_str_t  authority;            /* of the endpoint; value of Host */
    judge_str_t  region;
    judge_str_t  bucket;
    bool         virtual_host;         /* bucket.authority/key; else
                                          authority/bucket/key */
} judge_s3_place_t;

typedef struct {
    const char  *name;                 /* of letters, digits, - . _ ~ */
    judge_str_t  value;
} judge_s3_param_t;

typedef struct {
    const char        *method;
    judge_str_t        key;            /* any bytes; absent: the bucket */
    judge_s3_param_t   params[JUDGE_S3_PARAMS];          /* of the query */
    size_t             nparams;
    judge_ms_t         now;
    int64_t            valid;          /* seconds, 1 to JUDGE_S3_VALID_MAX */
} judge_s3_request_t;


/* Returns the signed address; data NULL: memory is exhausted, or there are too
 * many parameters. */
judge_str_t judge_s3_presign(judge_arena_t *arena,
    const judge_s3_place_t *place, const judge_s3_credentials_t *who,
    const judge_s3_request_t *request);

/*
 * Reads what AWS calls a shared credentials file: aws_access_key_id,
 * aws_secret_access_key and perhaps aws_session_token in the section of that
 * profile.  *out points into `text`.  JUDGE_INVALID: *error says what is
 * missing, and contains no secret.
 */
judge_rc_e judge_s3_credentials_parse(judge_str_t text, judge_str_t profile,
    judge_s3_credentials_t *out, const char **error);

/* Returns the text of the next element with that name in *rest, and moves
 * *rest to its end; data NULL: there is none. */
judge_str_t judge_s3_element(judge_str_t *rest, const char *name);

/* The key in s3://<bucket>/<key>. */
judge_str_t judge_s3_uri_key(judge_str_t uri);


#endif /* JUDGE_S3_H */
