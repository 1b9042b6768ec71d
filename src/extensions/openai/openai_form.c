/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* memmem() */
#endif

#include <string.h>

#include "extensions/openai/openai_form.h"


#define JUDGE_OPENAI_BOUNDARY  70      /* bytes, as RFC 2046 has it */


/* The value of `name=` in a header, with or without quotes; absent: it is not
 * there.  A name within another one does not count. */

static judge_str_t
judge_openai_form_parameter(judge_str_t header, const char *name)
{
    size_t       i, n;
    bool         quoted;
    judge_str_t  rest, value;

    n = strlen(name);

    for (i = 1; i + n + 1 < header.len; i++) {
        rest = judge_str_from(header, i);

        if (!judge_str_casestarts(rest, judge_str_c(name))
            || rest.data[n] != '='
            || strchr("; \t", header.data[i - 1]) == NULL)
        {
            continue;
        }

        rest = judge_str_from(rest, n + 1);
        quoted = rest.len && rest.data[0] == '"';
        value = quoted ? judge_str_from(rest, 1) : rest;

        for (n = 0; n < value.len; n++) {
            if (quoted ? value.data[n] == '"'
                       : value.data[n] == ';' || value.data[n] == ' ')
            {
                break;
            }
        }

        return (judge_str_t) { n, value.data };
    }

    return (judge_str_t) { 0, NULL };
}


/* Takes a line, without its end; absent: there is none. */

static judge_str_t
judge_openai_form_line(judge_str_t *rest)
{
    const char   *end;
    judge_str_t   line;

    end = memmem(rest->data, rest->len, "\r\n", 2);
    if (end == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    line = (judge_str_t) { (size_t) (end - rest->data), rest->data };
    *rest = judge_str_from(*rest, line.len + 2);

    return line;
}


/* A part: its head, an empty line, its value. */

static judge_rc_e
judge_openai_form_part(judge_str_t part, judge_openai_form_t *parts)
{
    judge_str_t           line, name, filename;
    judge_openai_form_t  *p;

    name = filename = (judge_str_t) { 0, NULL };

    for ( ;; ) {
        line = judge_openai_form_line(&part);
        if (line.data == NULL) {
            return JUDGE_INVALID;
        }
        if (line.len == 0) {
            break;
        }
        if (judge_str_casestarts(line, JUDGE_STR("Content-Disposition:"))) {
            name = judge_openai_form_parameter(line, "name");
            filename = judge_openai_form_parameter(line, "filename");
        }
    }

    for (p = parts; p->name; p++) {
        if (name.data && judge_str_eq_c(name, p->name)) {
            if (p->value.data) {
                return JUDGE_INVALID;
            }
            p->value = part;
            p->filename = filename;
        }
    }

    return JUDGE_OK;
}


judge_rc_e
judge_openai_form(judge_arena_t *arena, judge_str_t content_type,
    judge_str_t body, judge_openai_form_t *parts)
{
    judge_rc_e    rc;
    judge_str_t   boundary, line, part;
    const char   *end;

    boundary = judge_openai_form_parameter(content_type, "boundary");
    if (boundary.len == 0 || boundary.len > JUDGE_OPENAI_BOUNDARY) {
        return JUDGE_INVALID;
    }

    boundary = judge_str_printf(arena, "\r\n--%.*s", (int) boundary.len,
                                boundary.data);
    if (boundary.data == NULL) {
        return JUDGE_NOMEM;
    }

    line = judge_openai_form_line(&body);
    if (line.data == NULL || !judge_str_eq(line, judge_str_from(boundary, 2)))
    {
        return JUDGE_INVALID;
    }

    for ( ;; ) {
        end = memmem(body.data, body.len, boundary.data, boundary.len);
        if (end == NULL) {
            return JUDGE_INVALID;
        }

        part = (judge_str_t) { (size_t) (end - body.data), body.data };
        body = judge_str_from(body, part.len + boundary.len);

        rc = judge_openai_form_part(part, parts);
        if (rc != JUDGE_OK) {
            return rc;
        }

        if (judge_str_starts(body, JUDGE_STR("--"))) {
            return JUDGE_OK;
        }

        line = judge_openai_form_line(&body);
        if (line.data == NULL || line.len) {
            return JUDGE_INVALID;
        }
    }
}
