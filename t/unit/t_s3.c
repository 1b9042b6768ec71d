/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Pre-signed addresses of object stores.  With an argument it signs what
 * t/s3_sign.t asks for, a line each. */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/time.h"
#include "base/crypto/crypto.h"
#include "extensions/s3/s3.h"
#include "tap.h"


/* "Example: presigned URL" of the documentation of AWS. */

static const judge_s3_credentials_t  documented = {
    .id = judge_str("AKIAIOSFODNN7EXAMPLE"),
    .secret = judge_str("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
};

static const judge_s3_place_t  place = {
    .scheme = judge_str("https"),
    .authority = judge_str("s3.amazonaws.com"),
    .region = judge_str("us-east-1"),
    .bucket = judge_str("examplebucket"),
    .virtual_host = true
};


static void
test_presign(judge_arena_t *a)
{
    judge_s3_place_t        path = place;
    judge_s3_credentials_t  who = documented;
    judge_s3_request_t      request = {
        .method = "GET", .key = JUDGE_STR("test.txt"),
        .now = 1369353600000, .valid = 86400
    };
    char                    secret[300];

    t_is_str(judge_s3_presign(a, &place, &documented, &request),
             "https://examplebucket.s3.amazonaws.com/test.txt"
             "?X-Amz-Algorithm=AWS4-HMAC-SHA256"
             "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1"
             "%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z"
             "&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
             "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c26"
             "5957d157751f604d404",
             "the address of AWS's example is the published one");

    path.virtual_host = false;
    request.key = JUDGE_STR("a b/\xc3\xbc+~.txt");
    t_ok(judge_str_starts(judge_s3_presign(a, &path, &who, &request),
             JUDGE_STR("https://s3.amazonaws.com/examplebucket/a%20b/%C3%BC"
                       "%2B~.txt?X-Amz-Algorithm=")),
         "a bucket in the path and its key are escaped");

    request.nparams = JUDGE_S3_PARAMS + 1;
    t_is_str(judge_s3_presign(a, &path, &who, &request), NULL,
             "an address with too many parameters is not made");

    request.nparams = 0;
    memset(secret, 'x', sizeof(secret));
    who.secret = (judge_str_t) { sizeof(secret), secret };
    t_is_str(judge_s3_presign(a, &path, &who, &request), NULL,
             "a secret that is too long signs no address");
}


static void
test_credentials(void)
{
    judge_rc_e              rc;
    const char             *error;
    judge_s3_credentials_t  who;
    static const char       text[] =
        "# a file\n[default]\naws_access_key_id=A1\r\n"
        "aws_secret_access_key = s/1=\n\n[ other ]\n"
        "AWS_ACCESS_KEY_ID = A2\n; aws_access_key_id = A3\n"
        "aws_secret_access_key = s2\naws_session_token = t==\nx\n"
        "[half]\naws_access_key_id = A4\n[no-id]";

    rc = judge_s3_credentials_parse(JUDGE_STR(text), JUDGE_STR("default"),
                                    &who, &error);
    t_is_int(rc, JUDGE_OK, "a profile is read from a file of credentials");
    t_is_str(who.id, "A1", "a profile has its key's identifier");
    t_is_str(who.secret, "s/1=", "a secret may hold slashes and equals signs");
    t_is_str(who.token, NULL, "a profile without a session token has none");

    rc = judge_s3_credentials_parse(JUDGE_STR(text), JUDGE_STR("other"), &who,
                                    &error);
    t_is_int(rc, JUDGE_OK, "a profile with blanks in its brackets is read");
    t_is_str(who.id, "A2",
             "names of fields may be in capitals, comments do not count");
    t_is_str(who.token, "t==", "a session token may hold equals signs");

    rc = judge_s3_credentials_parse(JUDGE_STR(text), JUDGE_STR("half"), &who,
                                    &error);
    t_is_int(rc, JUDGE_INVALID, "a profile without a secret is refused");
    t_is_str(judge_str_c(error), "aws_secret_access_key is missing",
             "the error names the secret as missing");

    rc = judge_s3_credentials_parse(JUDGE_STR(text), JUDGE_STR("no-id"), &who,
                                    &error);
    t_is_int(rc, JUDGE_INVALID, "a profile without anything is refused");

    rc = judge_s3_credentials_parse(JUDGE_STR(""), JUDGE_STR("default"), &who,
                                    &error);
    t_is_int(rc, JUDGE_INVALID, "an empty file has no profile");
    t_is_str(judge_str_c(error), "it has no section of that profile",
             "the error says that the profile is not there");
}


static void
test_element(void)
{
    judge_str_t  rest = JUDGE_STR("<?xml?><L><Key>a/1</Key><KeyX>no</KeyX>"
                                  "<Key></Key><Key>b</L");

    t_is_str(judge_s3_element(&rest, "Key"), "a/1",
             "the first element of a name is found");
    t_is_str(judge_s3_element(&rest, "Key"), "",
             "an empty element is found as an empty text");
    t_is_str(judge_s3_element(&rest, "Key"), "b",
             "an element whose end is the text's is found");
    t_is_str(judge_s3_element(&rest, "Key"), NULL,
             "there are no more elements of that name");
    rest = JUDGE_STR("<Key>never ends");
    t_is_str(judge_s3_element(&rest, "Key"), NULL,
             "an element without an end is not found");
    rest = JUDGE_STR("<");
    t_is_str(judge_s3_element(&rest, "Key"), NULL,
             "a single sign is not read beyond its end");
}


/* The next word of the line, in hex; "-" is absent. */

static judge_str_t
next_word(judge_arena_t *a)
{
    char    *word = strtok(NULL, " \n");
    size_t   len;
    char    *out;

    if (word == NULL || word[0] == '-') {
        return (judge_str_t) { 0, NULL };
    }

    len = strlen(word) / 2;
    out = judge_alloc(a, len + 1);
    if (out == NULL
        || judge_unhex((judge_str_t) { 2 * len, word }, out, len) != JUDGE_OK)
    {
        exit(1);
    }
    out[len] = '\0';

    return (judge_str_t) { len, out };
}


/* METHOD virtual seconds valid, then words in hex: scheme authority region
 * bucket key id secret token, and names and values of parameters. */

static void
sign_line(judge_arena_t *a, char *line)
{
    judge_str_t             name, url;
    judge_s3_place_t        at;
    judge_s3_request_t      request = { .method = strtok(line, " ") };
    judge_s3_credentials_t  who;

    at.virtual_host = atoi(strtok(NULL, " ")) != 0;
    request.now = atoll(strtok(NULL, " ")) * 1000;
    request.valid = atoll(strtok(NULL, " "));
    at.scheme = next_word(a);
    at.authority = next_word(a);
    at.region = next_word(a);
    at.bucket = next_word(a);
    request.key = next_word(a);
    who.id = next_word(a);
    who.secret = next_word(a);
    who.token = next_word(a);

    while ((name = next_word(a)).data) {
        request.params[request.nparams].name = name.data;
        request.params[request.nparams++].value = next_word(a);
    }

    url = judge_s3_presign(a, &at, &who, &request);
    printf("%.*s\n", (int) url.len, url.data);
}


int
main(int argc, char **argv)
{
    char            line[16384];
    judge_arena_t  *a = judge_arena_create(4096);

    if (argc > 1) {
        while (fgets(line, sizeof(line), stdin)) {
            sign_line(a, line);
        }
        judge_arena_destroy(a);
        return 0;
    }

    test_presign(a);
    test_credentials();
    test_element();
    judge_arena_destroy(a);

    return t_done();
}
