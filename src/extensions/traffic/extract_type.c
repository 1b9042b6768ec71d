/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Content-Type headers, by RFC 9110.  A value that readers may parse
 * differently is malformed. */


#include <string.h>

#include "base/text/ascii.h"
#include "extensions/traffic/extract.h"


#define JUDGE_EXTRACT_BOUNDARY  70         /* bytes at most, by RFC 2046 */


/* Charsets that all readers agree on: those of JSON and events, and further
 * ones of texts and forms.  In others the bytes of a harmless ASCII text can
 * encode another text. */
static const char *const  judge_extract_unicode[] = {
    "utf-8", "utf8", "us-ascii", "ascii", NULL
};

static const char *const  judge_extract_legacies[] = {
    "iso-8859-1", "latin1", "windows-1252", NULL
};


bool
judge_extract_is_token(judge_str_t s)
{
    size_t  i;

    for (i = 0; i < s.len; i++) {
        if (!judge_ascii_letter(s.data[i]) && !judge_ascii_digit(s.data[i])
            && (s.data[i] == '\0' || !strchr("!#$%&'*+-.^_`|~", s.data[i])))
        {
            return false;
        }
    }

    return s.len != 0;
}


bool
judge_extract_param(judge_str_t *rest, judge_str_t *name, judge_str_t *value)
{
    size_t       n;
    const char  *end;

    *rest = judge_str_trim(*rest, " \t");
    for (n = 0; n < rest->len && rest->data[n] != '='
                && rest->data[n] != ';'; n++)
    {
        /* void */
    }

    *name = (judge_str_t) { n, rest->data };
    if (!judge_extract_is_token(*name) || n == rest->len
        || rest->data[n] == ';')
    {
        return false;
    }

    *rest = judge_str_from(*rest, n + 1);

    if (rest->len && rest->data[0] == '"') {
        end = memchr(rest->data + 1, '"', rest->len - 1);
        n = end ? (size_t) (end - rest->data) : 0;
        *value = (judge_str_t) { n ? n - 1 : 0, rest->data + 1 };
        if (n == 0 || judge_extract_control(*value)
            || memchr(value->data, '\\', value->len))
        {
            return false;
        }
        *rest = judge_str_trim(judge_str_from(*rest, n + 1), " \t");
        return rest->len == 0 || judge_str_until(rest, ';').len == 0;
    }

    *value = judge_str_trim(judge_str_until(rest, ';'), " \t");

    return judge_extract_is_token(*value) && !memchr(value->data, '\'',
                                                     value->len);
}


bool
judge_extract_control(judge_str_t s)
{
    size_t  i;

    for (i = 0; i < s.len; i++) {
        if ((unsigned char) s.data[i] < ' ' || s.data[i] == '\x7f') {
            return true;
        }
    }

    return false;
}


/* Splits the value.  An empty parameter is allowed, because some servers end a
 * type with ';'. */

static bool
judge_extract_media(judge_str_t value, judge_str_t *essence,
    judge_str_t *charset, judge_str_t *boundary)
{
    judge_str_t  name, given, major, minor, *slot;

    *charset = (judge_str_t) { 0, NULL };
    *boundary = *charset;
    *essence = judge_str_trim(judge_str_until(&value, ';'), " \t");
    minor = *essence;
    major = judge_str_until(&minor, '/');

    if (!judge_extract_is_token(major) || !judge_extract_is_token(minor)) {
        return false;
    }

    while ((value = judge_str_trim(value, " \t")).len) {
        if (value.data[0] == ';') {
            value = judge_str_from(value, 1);
            continue;
        }

        if (!judge_extract_param(&value, &name, &given)) {
            return false;
        }

        slot = judge_str_caseeq(name, JUDGE_STR("charset")) ? charset
               : judge_str_caseeq(name, JUDGE_STR("boundary")) ? boundary
               : NULL;
        if (slot && slot->data) {
            return false;
        }
        if (slot) {
            *slot = given;
        }
    }

    return true;
}


judge_str_t
judge_extract_boundary(judge_str_t type)
{
    size_t       i;
    judge_str_t  essence, charset, boundary, none = { 0, NULL };

    if (!judge_extract_media(type, &essence, &charset, &boundary)
        || boundary.len == 0 || boundary.len > JUDGE_EXTRACT_BOUNDARY)
    {
        return none;
    }

    for (i = 0; i < boundary.len; i++) {
        if (strchr(" ,;'", boundary.data[i])) {
            return none;
        }
    }

    return boundary;
}


bool
judge_extract_legacy(judge_str_t type)
{
    judge_str_t  essence, charset, boundary;

    return judge_extract_media(type, &essence, &charset, &boundary)
           && charset.data
           && judge_str_caseamong(charset, judge_extract_legacies);
}


/* Whether a list of the operator has the type, as "image/png" or as "image/"
 * followed by '*'. */

bool
judge_extract_type_listed(judge_str_t type, judge_str_t list)
{
    bool         listed = false;
    judge_str_t  essence, charset, boundary, range;

    if (!judge_extract_media(type, &essence, &charset, &boundary)) {
        return false;
    }

    while (list.len && !listed) {
        range = judge_str_until(&list, ',');
        if (range.len && range.data[range.len - 1] == '*') {
            range.len--;
            listed = judge_str_casestarts(essence, range);
        } else {
            listed = judge_str_caseeq(essence, range);
        }
    }

    return listed;
}


judge_skip_e
judge_extract_kind(judge_str_t type, judge_extract_kind_e *kind)
{
    size_t       i;
    judge_str_t  essence, charset, boundary;
    static const struct {
        const char            *type;
        judge_extract_kind_e   kind;
    } types[] = {
        { "text/event-stream", JUDGE_EXTRACT_EVENTS },
        { "application/x-www-form-urlencoded", JUDGE_EXTRACT_FORM },
        { "multipart/form-data", JUDGE_EXTRACT_MULTIPART },
        { "application/json", JUDGE_EXTRACT_JSON }
    };

    if (type.len == 0) {
        return JUDGE_SKIP_TYPE;
    }

    if (!judge_extract_media(type, &essence, &charset, &boundary)) {
        return JUDGE_SKIP_MALFORMED;
    }

    for (i = 0; i < sizeof(types) / sizeof(types[0])
                && !judge_str_caseeq(essence, judge_str_c(types[i].type)); i++)
    {
        /* void */
    }

    if (i < sizeof(types) / sizeof(types[0])) {
        *kind = types[i].kind;
    } else if (judge_str_casestarts(essence, JUDGE_STR("text/"))) {
        *kind = JUDGE_EXTRACT_TEXT;
    } else if (essence.len > 5
               && judge_str_caseeq(judge_str_from(essence, essence.len - 5),
                                   JUDGE_STR("+json")))
    {
        *kind = JUDGE_EXTRACT_JSON;
    } else {
        return JUDGE_SKIP_TYPE;
    }

    return charset.data == NULL
           || judge_str_caseamong(charset, judge_extract_unicode)
           || (*kind != JUDGE_EXTRACT_JSON && *kind != JUDGE_EXTRACT_EVENTS
               && judge_str_caseamong(charset, judge_extract_legacies))
           ? JUDGE_SKIP_NONE : JUDGE_SKIP_CHARSET;
}


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
