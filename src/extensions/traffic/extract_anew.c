/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Writes the body of a request anew, as it was read, so that no two readers
 * can parse it differently. */


#include <string.h>

#include "base/crypto/crypto.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "extensions/traffic/extract.h"


/* --- Forms --------------------------------------------------------------- */

/* Encodes all bytes but those that the WHATWG's URL standard leaves. */

static void
judge_extract_percent(judge_buf_t *out, judge_str_t s)
{
    char    coded[3] = { '%', '0', '0' };
    size_t  i;

    static const char  digits[] = "0123456789ABCDEF";

    for (i = 0; i < s.len; i++) {
        if (s.data[i] == ' ') {
            judge_buf_c(out, "+");
        } else if (judge_ascii_letter(s.data[i])
                   || judge_ascii_digit(s.data[i])
                   || (s.data[i] && strchr("*-._", s.data[i])))
        {
            judge_buf_append(out, &s.data[i], 1);
        } else {
            coded[1] = digits[(unsigned char) s.data[i] >> 4];
            coded[2] = digits[s.data[i] & 15];
            judge_buf_append(out, coded, sizeof(coded));
        }
    }
}


/* Fields without a name are left out: only some readers take them. */

void
judge_extract_anew_pair(judge_extract_t *e, judge_str_t name,
    judge_str_t value)
{
    if (e->rewrite && name.len) {
        judge_buf_c(&e->anew, e->anew.len ? "&" : "");
        judge_extract_percent(&e->anew, name);
        judge_buf_c(&e->anew, "=");
        judge_extract_percent(&e->anew, value);
    }
}


/* The boundary is random, so that a client can't write it into a value. */

bool
judge_extract_anew_boundary(judge_extract_t *e)
{
    unsigned char  random[JUDGE_EXTRACT_OWN_BOUNDARY / 2];

    if (!e->rewrite) {
        return true;
    }

    if (judge_random(random, sizeof(random)) != JUDGE_OK) {
        return false;
    }

    judge_hex_put(e->boundary, random, sizeof(random));

    return true;
}


void
judge_extract_anew_part(judge_extract_t *e, const judge_extract_part_t *part)
{
    judge_buf_t           *out = &e->anew;
    judge_extract_kind_e   kind;

    if (!e->rewrite) {
        return;
    }

    judge_buf_printf(out, "--%.*s\r\nContent-Disposition: form-data; name=\"",
                     JUDGE_EXTRACT_OWN_BOUNDARY, e->boundary);
    judge_buf_str(out, part->name);
    if (part->filename.data) {
        judge_buf_c(out, "\"; filename=\"");
        judge_buf_str(out, part->filename);
    }
    judge_buf_c(out, "\"\r\n");

    /* Without a type some readers take an empty file for a text. */
    if (part->filename.data && part->value.len == 0) {
        judge_buf_c(out, "Content-Type: application/octet-stream\r\n");

    } else if (part->type.len
               && (part->filename.data
               || (judge_extract_kind(part->type, &kind) == JUDGE_SKIP_NONE
                   && kind == JUDGE_EXTRACT_JSON)))
    {
        judge_buf_c(out, "Content-Type: ");
        /* as for JSON: without charset */
        judge_extract_anew_type(out, part->type, JUDGE_EXTRACT_JSON, NULL);
        judge_buf_c(out, "\r\n");
    }

    judge_buf_c(out, "\r\n");
    judge_buf_str(out, part->value);
    judge_buf_c(out, "\r\n");
}


void
judge_extract_anew_last(judge_extract_t *e)
{
    if (e->rewrite) {
        judge_buf_printf(&e->anew, "--%.*s--\r\n", JUDGE_EXTRACT_OWN_BOUNDARY,
                         e->boundary);
    }
}


/* --- JSON ---------------------------------------------------------------- */

static uint32_t
judge_extract_hex4(const char *p)
{
    size_t    i;
    uint32_t  v = 0;

    for (i = 0; i < 4; i++) {
        v = v * 16 + (uint32_t) judge_ascii_hex(p[i]);
    }

    return v;
}


/* Writes the character of the valid escape at p, escaped only if it must be,
 * and returns the end of the escape. */

static const char *
judge_extract_unescape(judge_buf_t *out, const char *p)
{
    char      c, utf8[4];
    uint32_t  code;

    if (p[1] == '/') {
        judge_buf_c(out, "/");
        return p + 2;
    }

    if (p[1] != 'u') {
        judge_buf_append(out, p, 2);
        return p + 2;
    }

    code = judge_extract_hex4(p + 2);

    if (code < ' ') {
        judge_buf_append(out, p, 6);
        return p + 6;
    }

    if (code == '"' || code == '\\') {
        c = (char) code;
        judge_buf_c(out, "\\");
        judge_buf_append(out, &c, 1);
        return p + 6;
    }

    /* The parser refuses a surrogate without the other one. */
    if (code >= 0xd800 && code < 0xdc00) {
        code = 0x10000 + ((code - 0xd800) << 10)
               + (judge_extract_hex4(p + 8) - 0xdc00);
        p += 6;
    }

    judge_buf_append(out, utf8, judge_utf8_put(utf8, code));

    return p + 6;
}


/* Numbers are copied: readers differ only in how many digits they use. */

void
judge_extract_anew_json(judge_extract_t *e)
{
    bool         inside = false;
    judge_str_t  raw = judge_buf_view(&e->raw);
    const char  *p = raw.data, *end = raw.data + raw.len, *from;

    while (e->rewrite && p < end) {
        for (from = p; p < end; p++) {
            if (inside ? *p == '\\' : memchr(" \t\r\n", *p, 4) != NULL) {
                break;
            }
            if (*p == '"') {
                inside = !inside;
            }
        }

        judge_buf_append(&e->anew, from, (size_t) (p - from));
        if (p < end) {
            p = inside ? judge_extract_unescape(&e->anew, p) : p + 1;
        }
    }
}


/* --- Types --------------------------------------------------------------- */

void
judge_extract_anew_type(judge_buf_t *out, judge_str_t type,
    judge_extract_kind_e kind, const char *boundary)
{
    char         c;
    size_t       i;
    judge_str_t  essence, name, value;

    essence = judge_str_trim(judge_str_until(&type, ';'), " \t");
    for (i = 0; i < essence.len; i++) {
        c = judge_ascii_lower(essence.data[i]);
        judge_buf_append(out, &c, 1);
    }

    if (kind == JUDGE_EXTRACT_MULTIPART) {
        judge_buf_printf(out, "; boundary=%.*s", JUDGE_EXTRACT_OWN_BOUNDARY,
                         boundary);
    }

    while (kind < JUDGE_EXTRACT_FORM
           && (type = judge_str_trim(type, " \t;")).len
           && judge_extract_param(&type, &name, &value))
    {
        if (!judge_str_caseeq(name, JUDGE_STR("charset"))) {
            judge_buf_c(out, "; ");
            judge_buf_str(out, name);
            judge_buf_c(out, judge_extract_is_token(value) ? "=" : "=\"");
            judge_buf_str(out, value);
            judge_buf_c(out, judge_extract_is_token(value) ? "" : "\"");
        }
    }

    if (kind == JUDGE_EXTRACT_TEXT) {
        judge_buf_c(out, "; charset=utf-8");
    }
}
