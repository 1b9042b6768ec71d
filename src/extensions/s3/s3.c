/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>
#include <time.h>

#include <openssl/crypto.h>

#include "base/crypto/crypto.h"
#include "base/net/url.h"
#include "extensions/s3/s3.h"


#define JUDGE_S3_ALGORITHM  "AWS4-HMAC-SHA256"
#define JUDGE_S3_OWN        6          /* query parameters of a signature */
#define JUDGE_S3_DATE       sizeof("20000101T000000Z")

/* The parts of a signature. */
typedef struct {
    judge_str_t  host;
    judge_str_t  path;
    judge_str_t  query;
    judge_str_t  scope;
    char         date[JUDGE_S3_DATE];
} judge_s3_parts_t;


/* Percent-encodes a string; absent: out of memory. */

static judge_str_t
judge_s3_encode(judge_arena_t *arena, judge_str_t s, const char *plain)
{
    judge_buf_t  out;

    judge_buf_init(&out, arena);
    judge_url_encode(&out, s, plain);

    return judge_buf_view(&out);
}


/* Inserts a parameter into n sorted ones. */

static void
judge_s3_pair_add(judge_arena_t *arena, judge_s3_param_t *pairs, size_t n,
    const judge_s3_param_t *pair)
{
    for ( /* void */ ; n && strcmp(pair->name, pairs[n - 1].name) < 0; n--) {
        pairs[n] = pairs[n - 1];
    }

    pairs[n].name = pair->name;
    pairs[n].value = judge_s3_encode(arena, pair->value, "-._~");
}


static judge_str_t
judge_s3_path(judge_arena_t *arena, const judge_s3_place_t *place,
    judge_str_t key)
{
    judge_str_t  encoded;

    if (key.data == NULL) {
        key = JUDGE_STR("");
    }

    encoded = judge_s3_encode(arena, key, "-._~/");
    if (encoded.data == NULL) {
        return encoded;
    }

    if (place->virtual_host) {
        return judge_str_printf(arena, "/%.*s", judge_str_args(encoded));
    }

    return judge_str_printf(arena, "/%.*s%s%.*s",
                            judge_str_args(place->bucket), key.len ? "/" : "",
                            judge_str_args(encoded));
}


static judge_str_t
judge_s3_query(judge_arena_t *arena, const judge_s3_credentials_t *who,
    const judge_s3_request_t *request, const judge_s3_parts_t *parts)
{
    size_t           i, n;
    judge_buf_t      buf;
    judge_str_t      credential, valid;
    judge_s3_param_t  extra[JUDGE_S3_OWN];
    judge_s3_param_t  pairs[JUDGE_S3_PARAMS + JUDGE_S3_OWN];

    credential = judge_str_printf(arena, "%.*s/%.*s", judge_str_args(who->id),
                                  judge_str_args(parts->scope));
    valid = judge_str_printf(arena, "%lld", (long long) request->valid);
    if (credential.data == NULL || valid.data == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    extra[0] = (judge_s3_param_t) { "X-Amz-Algorithm",
                                  JUDGE_STR(JUDGE_S3_ALGORITHM) };
    extra[1] = (judge_s3_param_t) { "X-Amz-Credential", credential };
    extra[2] = (judge_s3_param_t) { "X-Amz-Date", judge_str_c(parts->date) };
    extra[3] = (judge_s3_param_t) { "X-Amz-Expires", valid };
    extra[4] = (judge_s3_param_t) { "X-Amz-SignedHeaders", JUDGE_STR("host") };
    extra[5] = (judge_s3_param_t) { "X-Amz-Security-Token", who->token };

    for (i = 0, n = 0; i < JUDGE_S3_OWN; i++) {
        if (extra[i].value.data) {
            judge_s3_pair_add(arena, pairs, n++, &extra[i]);
        }
    }

    for (i = 0; i < request->nparams; i++) {
        judge_s3_pair_add(arena, pairs, n++, &request->params[i]);
    }

    judge_buf_init(&buf, arena);

    for (i = 0; i < n; i++) {
        if (pairs[i].value.data == NULL) {
            return pairs[i].value;
        }
        judge_buf_printf(&buf, "%s%s=%.*s", i ? "&" : "", pairs[i].name,
                         judge_str_args(pairs[i].value));
    }

    return judge_buf_view(&buf);
}


static judge_rc_e
judge_s3_parts(judge_arena_t *arena, const judge_s3_place_t *place,
    const judge_s3_credentials_t *who, const judge_s3_request_t *request,
    judge_s3_parts_t *parts)
{
    time_t     seconds;
    struct tm  tm;

    seconds = (time_t) (request->now / 1000);

    if (gmtime_r(&seconds, &tm) == NULL
        || strftime(parts->date, sizeof(parts->date), "%Y%m%dT%H%M%SZ", &tm)
           == 0)
    {
        return JUDGE_INVALID;
    }

    parts->host = place->virtual_host
        ? judge_str_printf(arena, "%.*s.%.*s", judge_str_args(place->bucket),
                           judge_str_args(place->authority))
        : place->authority;
    parts->path = judge_s3_path(arena, place, request->key);
    parts->scope = judge_str_printf(arena, "%.8s/%.*s/s3/aws4_request",
                                    parts->date,
                                    judge_str_args(place->region));
    if (parts->host.data == NULL || parts->path.data == NULL
        || parts->scope.data == NULL)
    {
        return JUDGE_NOMEM;
    }

    parts->query = judge_s3_query(arena, who, request, parts);

    return parts->query.data ? JUDGE_OK : JUDGE_NOMEM;
}


static judge_rc_e
judge_s3_key(const judge_s3_place_t *place, const judge_s3_credentials_t *who,
    const judge_s3_parts_t *parts, uint8_t out[JUDGE_SHA256_LEN])
{
    char         first[4 + 256];
    size_t       i;
    judge_rc_e   rc;
    judge_str_t  key;
    judge_str_t  steps[] = { { 8, parts->date }, place->region,
                             JUDGE_STR("s3"), JUDGE_STR("aws4_request") };

    if (who->secret.len > sizeof(first) - 4) {
        return JUDGE_INVALID;
    }

    memcpy(first, "AWS4", 4);
    memcpy(first + 4, who->secret.data, who->secret.len);
    key = (judge_str_t) { 4 + who->secret.len, first };

    for (i = 0, rc = JUDGE_OK; rc == JUDGE_OK && i < 4; i++) {
        rc = judge_hmac_sha256(key, steps[i], out);
        key = (judge_str_t) { JUDGE_SHA256_LEN, (char *) out };
    }

    OPENSSL_cleanse(first, sizeof(first));

    return rc;
}


judge_str_t
judge_s3_presign(judge_arena_t *arena, const judge_s3_place_t *place,
    const judge_s3_credentials_t *who, const judge_s3_request_t *request)
{
    char              hex[2 * JUDGE_SHA256_LEN];
    uint8_t           key[JUDGE_SHA256_LEN], mac[JUDGE_SHA256_LEN];
    judge_rc_e        rc;
    judge_str_t       text;
    judge_s3_parts_t  parts;

    if (request->nparams > JUDGE_S3_PARAMS
        || judge_s3_parts(arena, place, who, request, &parts) != JUDGE_OK)
    {
        return (judge_str_t) { 0, NULL };
    }

    text = judge_str_printf(arena, "%s\n%.*s\n%.*s\nhost:%.*s\n\nhost\n"
                            "UNSIGNED-PAYLOAD", request->method,
                            judge_str_args(parts.path),
                            judge_str_args(parts.query),
                            judge_str_args(parts.host));
    if (text.data == NULL || judge_sha256(text, mac) != JUDGE_OK) {
        return (judge_str_t) { 0, NULL };
    }

    judge_hex_put(hex, mac, sizeof(mac));
    text = judge_str_printf(arena, JUDGE_S3_ALGORITHM "\n%s\n%.*s\n%.*s",
                            parts.date, judge_str_args(parts.scope),
                            (int) sizeof(hex), hex);
    if (text.data == NULL) {
        return text;
    }

    rc = judge_s3_key(place, who, &parts, key);
    if (rc == JUDGE_OK) {
        rc = judge_hmac_sha256((judge_str_t) { sizeof(key), (char *) key },
                               text, mac);
    }
    OPENSSL_cleanse(key, sizeof(key));
    if (rc != JUDGE_OK) {
        return (judge_str_t) { 0, NULL };
    }

    judge_hex_put(hex, mac, sizeof(mac));

    return judge_str_printf(arena, "%.*s://%.*s%.*s?%.*s&X-Amz-Signature=%.*s",
                            judge_str_args(place->scheme),
                            judge_str_args(parts.host),
                            judge_str_args(parts.path), (int) parts.query.len,
                            parts.query.data, (int) sizeof(hex), hex);
}


judge_rc_e
judge_s3_credentials_parse(judge_str_t text, judge_str_t profile,
    judge_s3_credentials_t *out, const char **error)
{
    bool         here, found;
    judge_str_t  line, name, value;

    *out = (judge_s3_credentials_t) { .token = { 0, NULL } };
    here = false;
    found = false;

    while (text.len) {
        line = judge_str_trim(judge_str_until(&text, '\n'), " \t\r");

        if (line.len > 1 && line.data[0] == '[') {
            here = judge_str_eq(judge_str_trim(line, "[] \t"), profile);
            found = found || here;
        }

        if (!here || !judge_str_cut(&line, JUDGE_STR("="), &name)
            || name.data[0] == '#' || name.data[0] == ';')
        {
            continue;
        }

        value = judge_str_trim(line, " \t");
        name = judge_str_trim(name, " \t");

        if (judge_str_caseeq(name, JUDGE_STR("aws_access_key_id"))) {
            out->id = value;
        } else if (judge_str_caseeq(name, JUDGE_STR("aws_secret_access_key")))
        {
            out->secret = value;
        } else if (judge_str_caseeq(name, JUDGE_STR("aws_session_token"))
                   && value.len)
        {
            out->token = value;
        }
    }

    *error = !found ? "it has no section of that profile"
             : out->id.len == 0 ? "aws_access_key_id is missing"
             : out->secret.len == 0 ? "aws_secret_access_key is missing"
             : NULL;

    return *error ? JUDGE_INVALID : JUDGE_OK;
}


/* No XML parser is needed: the elements that are read have neither attributes
 * nor entities. */

judge_str_t
judge_s3_element(judge_str_t *rest, const char *name)
{
    size_t       len;
    const char  *at, *end;
    judge_str_t  from;

    len = strlen(name);

    for (from = *rest; from.len; from = judge_str_from(from, 1)) {
        at = memchr(from.data, '<', from.len);
        if (at == NULL) {
            break;
        }

        from = judge_str_from(from, (size_t) (at - from.data));
        if (from.len < len + 2 || memcmp(from.data + 1, name, len) != 0
            || from.data[len + 1] != '>')
        {
            continue;
        }

        from = judge_str_from(from, len + 2);
        end = memchr(from.data, '<', from.len);
        if (end == NULL) {
            break;
        }

        from.len = (size_t) (end - from.data);
        rest->len -= (size_t) (end - rest->data);
        rest->data = end;
        return from;
    }

    return (judge_str_t) { 0, NULL };
}


judge_str_t
judge_s3_uri_key(judge_str_t uri)
{
    const char  *slash;

    uri = judge_str_from(uri, sizeof("s3://") - 1);
    slash = memchr(uri.data, '/', uri.len);

    return slash ? judge_str_from(uri, (size_t) (slash + 1 - uri.data))
                 : (judge_str_t) { 0, NULL };
}
