/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* memmem() */
#endif

#include <string.h>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "analysis/llm/delimiter.h"
#include "extensions/openai/openai_template.h"


#define JUDGE_OPENAI_BLANK   " \t\r\n"
#define JUDGE_OPENAI_SHOWN   100       /* bytes of a reference in an error */

/* What is left of a reference. */
typedef struct {
    const char  *p;
    const char  *end;
} judge_openai_path_t;

/* A step of a path. */
typedef struct {
    judge_str_t  name;                 /* of a member; absent: */
    size_t       index;                /* of an element */
} judge_openai_step_t;


static judge_rc_e
judge_openai_template_wrong(judge_arena_t *arena, judge_str_t reference,
    const char *why, judge_str_t *error)
{
    reference = judge_utf8_prefix(reference, JUDGE_OPENAI_SHOWN);
    *error = judge_str_printf(arena, "{{%.*s}} %s", (int) reference.len,
                              reference.data, why);

    return error->data ? JUDGE_INVALID : JUDGE_NOMEM;
}


/* The text before the next reference, and the reference.  JUDGE_NOT_FOUND:
 * there are no more, and `before` is all the rest. */

static judge_rc_e
judge_openai_template_next(judge_str_t *text, judge_str_t *before,
    judge_str_t *reference)
{
    const char  *open, *shut, *end;

    end = text->data + text->len;
    open = memmem(text->data, text->len, "{{", 2);

    if (open == NULL) {
        *before = *text;
        return JUDGE_NOT_FOUND;
    }

    *before = (judge_str_t) { (size_t) (open - text->data), text->data };
    open += 2;

    shut = memmem(open, (size_t) (end - open), "}}", 2);
    if (shut == NULL) {
        *reference = (judge_str_t) { (size_t) (end - open), open };
        return JUDGE_INVALID;
    }

    *reference = (judge_str_t) { (size_t) (shut - open), open };
    *text = judge_str_from(*text, (size_t) (shut + 2 - text->data));

    return JUDGE_OK;
}


/* --- Paths --------------------------------------------------------------- */

/* A name up to the next dot or bracket. */

static bool
judge_openai_path_name(judge_openai_path_t *path, judge_str_t *name)
{
    const char  *begin = path->p;

    while (path->p < path->end && *path->p != '.' && *path->p != '['
           && *path->p != ']' && *path->p != '\0'
           && strchr(JUDGE_OPENAI_BLANK "'\"(){}|", *path->p) == NULL)
    {
        path->p++;
    }

    *name = (judge_str_t) { (size_t) (path->p - begin), begin };

    return name->len > 0;
}


/* ['name'], ["name"] or [7], behind the bracket that opens. */

static bool
judge_openai_path_bracket(judge_openai_path_t *path, judge_openai_step_t *step)
{
    char         quote;
    const char  *begin, *shut;

    *step = (judge_openai_step_t) { { 0, NULL }, 0 };

    if (path->p == path->end) {
        return false;
    }

    quote = *path->p;

    if (quote == '\'' || quote == '"') {
        begin = ++path->p;
        shut = memchr(begin, quote, (size_t) (path->end - begin));
        if (shut == NULL) {
            return false;
        }

        step->name = (judge_str_t) { (size_t) (shut - begin), begin };
        path->p = shut + 1;

    } else {
        begin = path->p;

        while (path->p < path->end && judge_ascii_digit(*path->p)
               && path->p - begin < 7)
        {
            step->index = 10 * step->index + (size_t) (*path->p++ - '0');
        }

        if (path->p == begin) {
            return false;
        }
    }

    return path->p < path->end && *path->p++ == ']';
}


static bool
judge_openai_path_step(judge_openai_path_t *path, judge_openai_step_t *step)
{
    if (*path->p == '[') {
        path->p++;
        return judge_openai_path_bracket(path, step);
    }

    step->index = 0;

    return *path->p++ == '.' && judge_openai_path_name(path, &step->name);
}


/* Begins with "item" or "sample", which is the first step. */

static bool
judge_openai_path_begin(judge_openai_path_t *path, judge_str_t reference,
    judge_str_t *root)
{
    reference = judge_str_trim(reference, JUDGE_OPENAI_BLANK);
    path->p = reference.data;
    path->end = reference.data + reference.len;

    return judge_openai_path_name(path, root)
           && (judge_str_eq_c(*root, "item")
               || judge_str_eq_c(*root, "sample"));
}


judge_rc_e
judge_openai_template_check(judge_arena_t *arena, judge_str_t text,
    bool sample, judge_str_t *error)
{
    judge_rc_e           rc;
    judge_str_t          before, reference, root;
    judge_openai_path_t  path;
    judge_openai_step_t  step;

    for ( ;; ) {
        rc = judge_openai_template_next(&text, &before, &reference);
        if (rc == JUDGE_NOT_FOUND) {
            return JUDGE_OK;
        }

        if (rc != JUDGE_OK) {
            return judge_openai_template_wrong(arena, reference, "does not"
                       " end; expected two closing brackets", error);
        }

        if (!judge_openai_path_begin(&path, reference, &root)) {
            return judge_openai_template_wrong(arena, reference, "is unknown;"
                       " expected item or sample, such as {{item.question}} or"
                       " {{sample.output_text}}", error);
        }

        if (!sample && judge_str_eq_c(root, "sample")) {
            return judge_openai_template_wrong(arena, reference, "is never"
                       " there; set include_sample_schema for items with"
                       " samples", error);
        }

        while (path.p < path.end) {
            if (!judge_openai_path_step(&path, &step)) {
                return judge_openai_template_wrong(arena, reference, "can't"
                           " be read; expected names behind dots, or numbers"
                           " and quoted names in brackets", error);
            }
        }
    }
}


/* --- Values -------------------------------------------------------------- */

/* What the model's text is as JSON; NULL: it is none. */

static judge_rc_e
judge_openai_template_output(judge_arena_t *arena, const judge_json_t *sample,
    const judge_json_t **out)
{
    judge_rc_e     rc;
    judge_json_t  *text, *root;

    *out = NULL;
    text = judge_json_get(sample, "output_text");
    if (text == NULL || text->type != JUDGE_JSON_STRING) {
        return JUDGE_OK;
    }

    rc = judge_json_parse(arena, text->string, &root, NULL);
    if (rc == JUDGE_OK) {
        *out = root;
    }

    return rc == JUDGE_NOMEM ? rc : JUDGE_OK;
}


static judge_rc_e
judge_openai_template_member(judge_arena_t *arena, const judge_json_t *from,
    const judge_openai_step_t *step, bool of_sample, const judge_json_t **out)
{
    size_t               i;
    const judge_json_t  *v;

    *out = NULL;

    if (step->name.data == NULL) {
        if (from->type == JUDGE_JSON_ARRAY) {
            for (v = from->first, i = 0; v && i < step->index; i++) {
                v = v->next;
            }
            *out = v;
        }
        return JUDGE_OK;
    }

    if (from->type != JUDGE_JSON_OBJECT) {
        return JUDGE_OK;
    }

    for (v = from->first; v; v = v->next) {
        if (judge_str_eq(v->key, step->name)) {
            *out = v;
            return JUDGE_OK;
        }
    }

    return of_sample && judge_str_eq_c(step->name, "output_json")
           ? judge_openai_template_output(arena, from, out) : JUDGE_OK;
}


static judge_rc_e
judge_openai_template_find(judge_arena_t *arena, judge_str_t reference,
    const openai_subject_t *subject, const judge_json_t **out,
    judge_str_t *error)
{
    judge_rc_e           rc;
    judge_str_t          root;
    const judge_json_t  *v;
    judge_openai_path_t  path;
    judge_openai_step_t  step;

    if (!judge_openai_path_begin(&path, reference, &root)) {
        return judge_openai_template_wrong(arena, reference, "is unknown",
                                           error);
    }

    v = judge_str_eq_c(root, "item") ? subject->item : subject->sample;

    while (v && path.p < path.end) {
        if (!judge_openai_path_step(&path, &step)) {
            return judge_openai_template_wrong(arena, reference,
                                               "can't be read", error);
        }

        rc = judge_openai_template_member(arena, v, &step,
                                          v == subject->sample, &v);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    *out = v;

    return v ? JUDGE_OK
             : judge_openai_template_wrong(arena, reference,
                   judge_str_eq_c(root, "item") ? "is not in the item"
                                                : "is not in the sample",
                   error);
}


static judge_rc_e
judge_openai_template_put(judge_buf_t *buf, const judge_json_t *v, bool fenced)
{
    judge_rc_e         rc;
    judge_str_t        text;
    judge_delimiter_t  fence;

    text = v->type == JUDGE_JSON_STRING ? v->string
                                        : judge_json_value_text(buf->arena, v);
    if (text.data == NULL) {
        return JUDGE_NOMEM;
    }

    if (!fenced) {
        judge_buf_str(buf, text);
        return JUDGE_OK;
    }

    rc = judge_delimiter_make(&fence, &text, 1);
    if (rc != JUDGE_OK) {
        return rc;
    }

    if (buf->len && buf->data[buf->len - 1] != '\n') {
        judge_buf_c(buf, "\n");
    }

    judge_delimiter_put(buf, &fence, "ITEM", text, NULL);

    return JUDGE_OK;
}


judge_rc_e
judge_openai_template_render(judge_arena_t *arena, judge_str_t text,
    const openai_subject_t *subject, bool fenced, judge_str_t *out,
    judge_str_t *error)
{
    bool                 more;
    judge_rc_e           rc;
    judge_buf_t          buf;
    judge_str_t          before, reference;
    const judge_json_t  *v;

    judge_buf_init(&buf, arena);

    do {
        rc = judge_openai_template_next(&text, &before, &reference);
        if (rc == JUDGE_INVALID) {
            return judge_openai_template_wrong(arena, reference,
                                               "does not end", error);
        }

        more = rc == JUDGE_OK;
        judge_buf_str(&buf, before);

        if (more) {
            rc = judge_openai_template_find(arena, reference, subject, &v,
                                            error);
            if (rc == JUDGE_OK) {
                rc = judge_openai_template_put(&buf, v, fenced);
            }
            if (rc != JUDGE_OK) {
                return rc;
            }
        }

        if (buf.len > JUDGE_OPENAI_RENDERED) {
            *error = judge_str_printf(arena, "becomes longer than %d bytes",
                                      JUDGE_OPENAI_RENDERED);
            return error->data ? JUDGE_INVALID : JUDGE_NOMEM;
        }
    } while (more);

    *out = judge_buf_view(&buf);

    return out->data ? JUDGE_OK : JUDGE_NOMEM;
}
