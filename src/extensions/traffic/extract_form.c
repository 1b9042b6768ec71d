/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Forms as browsers send them, by the WHATWG's URL and HTML standards and
 * RFC 7578.  They are written anew, as they were read, so that no two readers
 * can parse them differently. */


#include <string.h>

#include "base/crypto/crypto.h"
#include "base/net/url.h"
#include "base/text/utf8.h"
#include "api/http/request.h"
#include "extensions/traffic/extract.h"


/* A part of a form. */
typedef struct {
    judge_str_t  name;
    judge_str_t  filename;             /* absent: it is a text */
    judge_str_t  type;                 /* absent: none was given */
    judge_str_t  value;
    bool         encoded;              /* it has a Content-Transfer-Encoding */
} judge_extract_part_t;


/* --- Writing, if e->rewrite is set --------------------------------------- */

/* Only these bytes and letters and digits stay, by the WHATWG's URL standard;
 * a space becomes "+". */
#define JUDGE_EXTRACT_PLAIN  "*-._ "


/* Fields without a name are left out: only some readers take them. */

static void
judge_extract_anew_pair(judge_extract_t *e, judge_str_t name,
    judge_str_t value)
{
    size_t  i = e->anew.len;

    if (e->rewrite && name.len) {
        judge_buf_c(&e->anew, e->anew.len ? "&" : "");
        judge_url_encode(&e->anew, name, JUDGE_EXTRACT_PLAIN);
        judge_buf_c(&e->anew, "=");
        judge_url_encode(&e->anew, value, JUDGE_EXTRACT_PLAIN);
    }

    for ( /* void */ ; i < e->anew.len; i++) {
        e->anew.data[i] = e->anew.data[i] == ' ' ? '+' : e->anew.data[i];
    }
}


static void
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


/* --- Reading ------------------------------------------------------------- */

static void
judge_extract_field(const judge_extract_t *e, judge_str_t name,
    judge_str_t value, judge_buf_t *out)
{
    if (value.len
        && (e->nfields == 0
            || judge_str_index(e->fields, e->nfields, name) < e->nfields))
    {
        judge_buf_c(out, out->len ? "\n" : "");
        judge_buf_str(out, value);
    }
}


/* Whether every server reads the name as it is: PHP changes spaces and dots,
 * and several take brackets for those of a list, which matters only if fields
 * are chosen by their names. */

static bool
judge_extract_name_is_safe(const judge_extract_t *e, judge_str_t name)
{
    size_t  i;

    for (i = 0; e->nfields && i < name.len; i++) {
        if (name.data[i] == '\0' || strchr(" .[]", name.data[i])) {
            return false;
        }
    }

    return !judge_extract_control(name)
           && (!e->unicode || judge_utf8_check(name) == name.len);
}


/* Whether this is the field that some servers take for the charset of the
 * form, with another charset than browsers send from a page in UTF-8. */

static bool
judge_extract_recoded(judge_str_t name, judge_str_t value)
{
    return judge_str_caseeq(name, JUDGE_STR("_charset_"))
           && !judge_str_caseeq(value, JUDGE_STR("UTF-8"));
}


/* Reads a URL-encoded form.  Servers may parse it differently, such as those
 * that separate fields by ';'. */

static judge_skip_e
judge_extract_pairs(judge_extract_t *e, judge_str_t raw, judge_buf_t *out)
{
    judge_str_t  pair, name;

    if (e->nfields && raw.len && memchr(raw.data, ';', raw.len)) {
        return JUDGE_SKIP_MALFORMED;
    }

    while (raw.len) {
        pair = judge_str_until(&raw, '&');
        name = judge_str_until(&pair, '=');
        if (!judge_form_decode(&name) || !judge_form_decode(&pair)
            || !judge_extract_name_is_safe(e, name)
            || judge_extract_recoded(name, pair))
        {
            return JUDGE_SKIP_MALFORMED;
        }
        judge_extract_field(e, name, pair, out);
        judge_extract_anew_pair(e, name, pair);
    }

    return JUDGE_SKIP_NONE;
}


/* Reads Content-Disposition; false: parsers find different names, or some take
 * the part for a file. */

static bool
judge_extract_disposition(judge_str_t line, judge_extract_part_t *h)
{
    judge_str_t  name, value;

    if (!judge_str_caseeq(judge_str_trim(judge_str_until(&line, ';'), " "),
                          JUDGE_STR("form-data")))
    {
        return false;
    }

    while (line.len) {
        if (!judge_extract_param(&line, &name, &value)) {
            return false;
        }

        if (judge_str_caseeq(name, JUDGE_STR("name")) && !h->name.data) {
            h->name = value;
        } else if (judge_str_caseeq(name, JUDGE_STR("filename"))
                   && !h->filename.data)
        {
            h->filename = value;
        } else {
            return false;
        }
    }

    return h->name.data != NULL;
}


/* Reads the header of a part; false: servers parse such lines differently. */

static bool
judge_extract_head(judge_str_t head, judge_extract_part_t *h)
{
    size_t       n = 0;
    judge_str_t  line, name;

    static const char *const  plain[] = { "7bit", "8bit", "binary", NULL };

    memset(h, 0, sizeof(judge_extract_part_t));

    while (head.len) {
        line = judge_str_until(&head, '\n');
        if (head.len) {
            if (line.len == 0 || line.data[line.len - 1] != '\r') {
                return false;
            }
            line.len--;
        }

        if (judge_extract_control(line) || !memchr(line.data, ':', line.len)) {
            return false;
        }

        name = judge_str_until(&line, ':');
        line = judge_str_trim(line, " ");
        if (!judge_extract_is_token(name)) {
            return false;
        }

        if (judge_str_caseeq(name, JUDGE_STR("content-disposition"))) {
            if (n++ || !judge_extract_disposition(line, h)) {
                return false;
            }
        } else if (judge_str_caseeq(name, JUDGE_STR("content-type"))) {
            h->type = line;
        } else if (judge_str_caseeq(name,
                                    JUDGE_STR("content-transfer-encoding")))
        {
            h->encoded |= !judge_str_caseamong(line, plain);
        }
    }

    return n == 1;
}


/* Splits *raw at the next boundary, which is dropped; false: there is none, or
 * it does not follow CRLF. */

static bool
judge_extract_cut(judge_str_t *raw, judge_str_t boundary, judge_str_t *before)
{
    if (!judge_str_cut(raw, boundary, before) || before->len < 2) {
        return false;
    }

    before->len -= 2;

    return memcmp(before->data + before->len, "\r\n", 2) == 0;
}


/* A file that is not empty is not read: the operator must let its type pass.
 * Only some readers heed the charset of a text. */

static judge_skip_e
judge_extract_part(judge_extract_t *e, judge_str_t raw, judge_buf_t *out)
{
    judge_str_t            head;
    judge_skip_e           skip;
    judge_extract_kind_e   kind;
    judge_extract_part_t   part;

    if (!judge_str_cut(&raw, JUDGE_STR("\r\n\r\n"), &head)
        || !judge_extract_head(head, &part)
        || !judge_extract_name_is_safe(e, part.name)
        || (part.encoded && (e->rewrite || part.filename.data == NULL)))
    {
        return JUDGE_SKIP_MALFORMED;
    }

    part.value = raw;

    if (part.filename.data) {
        if (part.value.len
            && !judge_extract_type_listed(part.type.data ? part.type
                                          : JUDGE_STR("text/plain"),
                                          e->passing))
        {
            return JUDGE_SKIP_TYPE;
        }
    } else {
        skip = part.type.len ? judge_extract_kind(part.type, &kind)
                             : JUDGE_SKIP_NONE;
        if (skip == JUDGE_SKIP_MALFORMED || skip == JUDGE_SKIP_CHARSET) {
            return skip;
        }
        if (judge_extract_recoded(part.name, part.value)) {
            return JUDGE_SKIP_CHARSET;
        }
        judge_extract_field(e, part.name, part.value, out);
    }

    judge_extract_anew_part(e, &part);

    return JUDGE_SKIP_NONE;
}


/* Refuses everything that browsers do not send, because one server may skip
 * what another one reads as a field. */

static judge_skip_e
judge_extract_multipart(judge_extract_t *e, judge_arena_t *arena,
    judge_str_t raw, judge_buf_t *out)
{
    judge_str_t    boundary, part;
    judge_skip_e   skip;
    unsigned char  random[JUDGE_EXTRACT_OWN_BOUNDARY / 2];

    boundary = judge_extract_boundary(e->type);
    if (boundary.data == NULL) {
        return JUDGE_SKIP_MALFORMED;
    }

    boundary = judge_str_printf(arena, "--%.*s", judge_str_args(boundary));
    if (boundary.data == NULL
        || judge_random(random, sizeof(random)) != JUDGE_OK)
    {
        return JUDGE_SKIP_FAILED;
    }

    /* A client can't write what it can't know into a value. */
    judge_hex_put(e->boundary, random, sizeof(random));

    if (!judge_str_starts(raw, boundary)) {
        return JUDGE_SKIP_MALFORMED;
    }
    raw = judge_str_from(raw, boundary.len);

    while (!judge_str_starts(raw, JUDGE_STR("--"))) {
        if (!judge_str_starts(raw, JUDGE_STR("\r\n"))) {
            return JUDGE_SKIP_MALFORMED;
        }

        raw = judge_str_from(raw, 2);
        if (!judge_extract_cut(&raw, boundary, &part)) {
            return JUDGE_SKIP_MALFORMED;
        }

        skip = judge_extract_part(e, part, out);
        if (skip != JUDGE_SKIP_NONE) {
            return skip;
        }
    }

    if (e->rewrite) {
        judge_buf_printf(&e->anew, "--%.*s--\r\n", JUDGE_EXTRACT_OWN_BOUNDARY,
                         e->boundary);
    }

    return raw.len == 2 || judge_str_eq_c(raw, "--\r\n")
           ? JUDGE_SKIP_NONE : JUDGE_SKIP_MALFORMED;
}


judge_skip_e
judge_extract_form(judge_extract_t *e, judge_arena_t *arena)
{
    judge_buf_t   out;
    judge_str_t   raw = judge_buf_view(&e->raw);
    judge_skip_e  skip;

    judge_buf_init(&out, NULL);

    skip = e->kind == JUDGE_EXTRACT_FORM
           ? judge_extract_pairs(e, raw, &out)
           : judge_extract_multipart(e, arena, raw, &out);

    judge_buf_free(&e->raw);
    e->raw = out;

    return skip == JUDGE_SKIP_NONE && out.failed ? JUDGE_SKIP_FAILED : skip;
}
