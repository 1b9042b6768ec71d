/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Writes the body of a request anew, as it was read, so that no two readers
 * can parse it differently. */


#include <string.h>

#include "base/crypto/crypto.h"
#include "base/text/ascii.h"
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

/* Numbers are copied: readers differ only in how many digits they use.  The
 * parser has checked that each string ends. */

void
judge_extract_anew_json(judge_extract_t *e, judge_arena_t *arena)
{
    judge_str_t  s, raw = judge_buf_view(&e->raw);
    const char  *p, *end = raw.data + raw.len;

    for (p = raw.data; e->rewrite && p < end; p++) {
        if (*p != '"') {
            judge_buf_append(&e->anew, p, memchr(" \t\r\n", *p, 4) == NULL);
            continue;
        }

        s.data = ++p;
        while (*p != '"') {
            p += *p == '\\' ? 2 : 1;
        }

        s.len = (size_t) (p - s.data);
        s = judge_json_unescape(arena, s);
        e->anew.failed = e->anew.failed || s.data == NULL;
        judge_buf_c(&e->anew, "\"");
        judge_json_characters(&e->anew, s);
        judge_buf_c(&e->anew, "\"");
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
