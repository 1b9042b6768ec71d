/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A URL is parsed once, from left to right, and written again from its parts,
 * so that no other parser can find a different host in the text. */


#include <stdio.h>
#include <string.h>

#include "base/net/url.h"
#include "base/text/ascii.h"
#include "base/text/number.h"


#define JUDGE_LABEL_MAX  63


typedef struct {
    const char   *p;
    const char   *end;
    const char   *error;
} judge_url_reader_t;


static bool
judge_url_fail(judge_url_reader_t *r, const char *error)
{
    r->error = error;

    return false;
}


static bool
judge_url_scheme(judge_url_reader_t *r, judge_url_t *url)
{
    size_t       len;
    judge_str_t  text;

    text = (judge_str_t) { (size_t) (r->end - r->p), r->p };

    url->tls = judge_str_casestarts(text, JUDGE_STR("https://"));
    len = url->tls ? 8 : 7;

    if (!url->tls && !judge_str_casestarts(text, JUDGE_STR("http://"))) {
        return judge_url_fail(r, "expected an address that begins with"
                                 " http:// or https://");
    }

    r->p += len;

    return true;
}


/* Returns the authority, which ends at a path, a query or a fragment. */

static judge_str_t
judge_url_authority(judge_url_reader_t *r)
{
    const char  *p;

    for (p = r->p; p < r->end && strchr("/?#", *p) == NULL; p++) {
        /* strchr() also finds a zero byte; judge_url_target() refuses it */
    }

    return (judge_str_t) { (size_t) (p - r->p), r->p };
}


static bool
judge_url_literal(judge_url_reader_t *r, judge_url_t *url)
{
    judge_str_t  text;
    const char  *close;

    close = memchr(r->p, ']', (size_t) (r->end - r->p));
    text.data = r->p + 1;
    text.len = close ? (size_t) (close - text.data) : 0;

    if (memchr(text.data, ':', text.len) == NULL
        || judge_address_parse(text, &url->address) != JUDGE_OK)
    {
        return judge_url_fail(r, "expected an IPv6 address in the brackets");
    }

    r->p = close + 1;

    return true;
}


/* Whether some parsers read the label as a number: decimal or octal digits, or
 * "0x" with or without hexadecimal digits (the WHATWG URL standard, "ends in a
 * number"). */

static bool
judge_label_is_number(judge_str_t label)
{
    return judge_str_starts(label, JUDGE_STR("0x"))
           ? judge_str_only(judge_str_from(label, 2), "0123456789abcdef")
           : judge_str_only(label, "0123456789");
}


static bool
judge_label_is_valid(judge_str_t label)
{
    return label.len > 0 && label.len <= JUDGE_LABEL_MAX
           && label.data[0] != '-' && label.data[label.len - 1] != '-'
           && judge_str_only(label, "abcdefghijklmnopqrstuvwxyz0123456789-_");
}


static bool
judge_url_name(judge_url_reader_t *r, judge_str_t name, judge_url_t *url)
{
    bool         last;
    judge_str_t  label, rest = name;

    do {
        last = memchr(rest.data, '.', rest.len) == NULL;
        label = judge_str_until(&rest, '.');

        if (!judge_label_is_valid(label)) {
            return judge_url_fail(r, "expected a host of letters, digits,"
                                     " hyphens and dots");
        }
    } while (!last);

    url->host = name;

    if (!judge_label_is_number(label)) {
        return true;
    }

    if (judge_address_parse(name, &url->address) != JUDGE_OK) {
        return judge_url_fail(r, "expected an IPv4 address to be written as"
                                 " four decimal numbers");
    }

    return true;
}


static bool
judge_url_host(judge_url_reader_t *r, judge_arena_t *arena, judge_url_t *url)
{
    char         *lower;
    size_t        i, n;
    judge_str_t   authority, host;

    authority = judge_url_authority(r);

    if (authority.len && memchr(authority.data, '@', authority.len)) {
        return judge_url_fail(r, "expected no user name before the host");
    }

    if (authority.len && authority.data[0] == '[') {
        return judge_url_literal(r, url);
    }

    host = judge_str_until(&authority, ':');
    n = host.len;

    if (n == 0 || n > JUDGE_HOST_MAX) {
        return judge_url_fail(r, "expected a host of 1 to 253 characters");
    }

    lower = judge_alloc(arena, n + 1);
    if (lower == NULL) {
        return false;
    }

    for (i = 0; i < n; i++) {
        lower[i] = judge_ascii_lower(host.data[i]);
    }

    lower[n] = '\0';
    r->p += n;

    return judge_url_name(r, (judge_str_t) { n, lower }, url);
}


static bool
judge_url_port(judge_url_reader_t *r, judge_url_t *url)
{
    int64_t      port;
    judge_str_t  rest;

    url->port = url->tls ? 443 : 80;
    rest = judge_url_authority(r);

    if (rest.len == 0) {
        return true;
    }

    r->p += rest.len;

    if (rest.data[0] != ':'
        || judge_integer_parse((judge_str_t) { rest.len - 1, rest.data + 1 },
                               &port) != JUDGE_OK
        || port < 1 || port > 65535)
    {
        return judge_url_fail(r, "expected a port from 1 to 65535 behind the"
                                 " host");
    }

    url->port = (uint16_t) port;

    return true;
}


/* These are pchar, "/" and "?" of RFC 3986, and the usual "[" and "]". */

static bool
judge_url_is_plain(char c)
{
    return judge_ascii_letter(c) || judge_ascii_digit(c)
           || (c != '\0' && strchr("-._~!$&'()*+,;=:@/?[]", c) != NULL);
}


static bool
judge_url_target(judge_url_reader_t *r, judge_url_t *url)
{
    const char  *p;

    for (p = r->p; p < r->end; p++) {
        if (*p == '#') {
            return judge_url_fail(r, "expected no fragment");
        }

        if (*p == '%') {
            if (r->end - p < 3 || judge_ascii_hex(p[1]) < 0
                || judge_ascii_hex(p[2]) < 0)
            {
                return judge_url_fail(r, "expected two hexadecimal digits"
                                         " behind a percent sign");
            }

            p += 2;
            continue;
        }

        if (!judge_url_is_plain(*p)) {
            return judge_url_fail(r, "expected spaces, controls and other"
                                     " special characters to be escaped");
        }
    }

    url->target = (judge_str_t) { (size_t) (r->end - r->p), r->p };

    return true;
}


/* Allocates one block for the text, of which the host and others are parts. */

static judge_rc_e
judge_url_write(judge_arena_t *arena, judge_url_t *url)
{
    char         address[JUDGE_ADDRESS_TEXT], port[8];
    bool         slash, brackets;
    size_t       scheme;
    judge_str_t  host;

    host = url->host;
    brackets = url->address.len == 16;
    port[0] = '\0';

    if (url->address.len) {
        judge_address_format(&url->address, address);
        host = judge_str_c(address);
    }

    if (url->port != (url->tls ? 443 : 80)) {
        (void) snprintf(port, sizeof(port), ":%u", (unsigned) url->port);
    }

    url->host = judge_str_dup(arena, host);
    url->authority = judge_str_printf(arena, brackets ? "[%.*s]%s" : "%.*s%s",
                                      judge_str_args(host), port);

    if (url->host.data == NULL || url->authority.data == NULL) {
        return JUDGE_NOMEM;
    }

    slash = url->target.len == 0 || url->target.data[0] != '/';
    url->text = judge_str_printf(arena, "%s%.*s%s%.*s",
                                 url->tls ? "https://" : "http://",
                                 judge_str_args(url->authority),
                                 slash ? "/" : "",
                                 judge_str_args(url->target));
    if (url->text.data == NULL) {
        return JUDGE_NOMEM;
    }

    scheme = url->tls ? 8 : 7;
    url->target.data = url->text.data + scheme + url->authority.len;
    url->target.len = url->text.len - scheme - url->authority.len;

    return JUDGE_OK;
}


judge_rc_e
judge_url_parse(judge_arena_t *arena, judge_str_t text, judge_url_t *url,
    judge_str_t *error)
{
    judge_url_reader_t  r;

    memset(url, 0, sizeof(judge_url_t));

    r.p = text.data;
    r.end = text.data + text.len;
    r.error = NULL;

    if (text.len > JUDGE_URL_LONG) {
        r.error = "expected an address of at most 8192 bytes";

    } else if (judge_url_scheme(&r, url)
               && judge_url_host(&r, arena, url)
               && judge_url_port(&r, url)
               && judge_url_target(&r, url))
    {
        return judge_url_write(arena, url);
    }

    if (r.error == NULL) {
        return JUDGE_NOMEM;
    }

    if (error) {
        *error = judge_str_c(r.error);
    }

    return JUDGE_INVALID;
}


void
judge_url_encode(judge_buf_t *out, judge_str_t s, const char *plain)
{
    char    c, coded[3] = { '%', '0', '0' };
    size_t  i;

    static const char  digits[] = "0123456789ABCDEF";

    for (i = 0; i < s.len; i++) {
        c = s.data[i];
        if (judge_ascii_letter(c) || judge_ascii_digit(c)
            || (c && strchr(plain, c)))
        {
            judge_buf_append(out, &c, 1);
        } else {
            coded[1] = digits[(unsigned char) c >> 4];
            coded[2] = digits[c & 15];
            judge_buf_append(out, coded, sizeof(coded));
        }
    }
}
