/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Writes errors of fields: the path, and what was expected there. */


#include <math.h>

#include "base/json/fields_error.h"
#include "base/text/number.h"


bool
judge_field_has_min(const judge_field_t *f)
{
    return f->min != 0 || f->max != 0 || (f->flags & JUDGE_EXCLUSIVE);
}


bool
judge_field_has_max(const judge_field_t *f)
{
    return (f->min != 0 || f->max != 0) && f->max >= f->min
           && isfinite(f->max);
}


void
judge_field_path(judge_buf_t *b, const judge_field_path_t *path)
{
    if (path->parent != NULL) {
        judge_field_path(b, path->parent);
    }

    if (path->name.data == NULL) {
        judge_buf_printf(b, "[%zu]", path->index);
        return;
    }

    if (b->len > 0 && path->name.len > 0) {
        judge_buf_c(b, ".");
    }

    judge_buf_str(b, path->name);
}


static void
judge_field_bound(judge_buf_t *b, const char *before, double bound)
{
    char    text[JUDGE_NUMBER_LEN];
    size_t  len;

    len = judge_number_format(bound, text);

    judge_buf_c(b, before);
    if (bound >= 1e15) {               /* people read no exponents */
        judge_buf_printf(b, "%.0f", bound);
    } else {
        judge_buf_append(b, text, len);
    }
}


/* Writes bounds on a count, such as "an array of 1 to 64 items". */

static void
judge_field_counted(judge_buf_t *b, const judge_field_t *f, const char *what,
    const char *unit)
{
    bool    has_max;
    double  last;

    has_max = judge_field_has_max(f);
    last = has_max ? f->max : f->min;

    judge_buf_c(b, what);

    if (!has_max && f->min <= 0) {
        return;
    }

    if (has_max && f->min > 0 && f->min < f->max) {
        judge_field_bound(b, " of ", f->min);
        judge_field_bound(b, " to ", last);

    } else {
        judge_field_bound(b, !has_max ? " of at least "
                             : (f->min == f->max) ? " of "
                             : " of at most ", last);
    }

    judge_buf_printf(b, " %s%s", unit, last == 1 ? "" : "s");
}


static void
judge_field_string(judge_buf_t *b, const judge_field_t *f)
{
    judge_field_t  bounds;

    if (f->min != 1 || f->max == 1) {
        judge_field_counted(b, f, "a string", "character");
        return;
    }

    bounds = *f;
    bounds.min = 0;
    bounds.max = judge_field_has_max(f) ? f->max : 0;

    judge_field_counted(b, &bounds, "a non-empty string", "character");
}


static void
judge_field_array(judge_buf_t *b, const judge_field_t *f)
{
    if (f->min == 1 && !judge_field_has_max(f)) {
        judge_buf_c(b, "a non-empty array");
        return;
    }

    judge_field_counted(b, f, "an array", "item");
}


/* Writes bounds on a value: "a number greater than 0 and at most 100". */

static void
judge_field_number(judge_buf_t *b, const judge_field_t *f, const char *what)
{
    bool  exclusive, has_max;

    exclusive = (f->flags & JUDGE_EXCLUSIVE) != 0;
    has_max = judge_field_has_max(f);

    judge_buf_c(b, what);

    if (!judge_field_has_min(f)) {
        return;
    }

    judge_field_bound(b, exclusive ? " greater than "
                         : has_max ? " from " : " of at least ", f->min);

    if (has_max) {
        judge_field_bound(b, exclusive ? " and at most " : " to ", f->max);
    }
}


static void
judge_field_choices(judge_buf_t *b, const judge_field_t *f)
{
    size_t  i;

    judge_buf_c(b, "one of ");

    for (i = 0; f->choices != NULL && f->choices[i] != NULL; i++) {
        judge_buf_printf(b, "%s%s", i ? ", " : "", f->choices[i]);
    }
}


static void
judge_field_expected(judge_buf_t *b, const judge_field_t *f)
{
    judge_buf_c(b, "expected ");

    switch (f->type) {

    case JUDGE_FIELD_STRING:
        judge_field_string(b, f);
        return;

    case JUDGE_FIELD_INTEGER:
        judge_field_number(b, f, "an integer");
        return;

    case JUDGE_FIELD_NUMBER:
        judge_field_number(b, f, "a number");
        return;

    case JUDGE_FIELD_BOOLEAN:
        judge_buf_c(b, "true or false");
        return;

    case JUDGE_FIELD_TIME:
        judge_buf_c(b, "an RFC 3339 date-time such as 2026-01-31T09:30:00Z");
        return;

    case JUDGE_FIELD_CHOICE:
    case JUDGE_FIELD_WORD:
        judge_field_choices(b, f);
        return;

    case JUDGE_FIELD_OBJECT:
        judge_buf_c(b, "an object");
        return;

    case JUDGE_FIELD_LIST:
    case JUDGE_FIELD_STRINGS:
        judge_field_array(b, f);
        return;

    case JUDGE_FIELD_STRING_OR_STRINGS:
        judge_buf_c(b, "a string or ");
        judge_field_array(b, f);
        return;

    case JUDGE_FIELD_ANY_OBJECT:
        judge_buf_c(b, "an object");

        if (judge_field_has_max(f)) {
            judge_field_bound(b, " of at most ", f->max);
            judge_buf_c(b, " bytes");
        }

        return;

    case JUDGE_FIELD_ANY:
        judge_buf_c(b, "a value other than null");
        return;
    }
}


judge_rc_e
judge_field_error(judge_arena_t *arena, const judge_field_t *f,
    const judge_field_path_t *path, judge_field_fault_e fault,
    judge_str_t *error)
{
    judge_buf_t               b;
    static const char *const  begins[] = {
        [JUDGE_FIELD_MISSING] = "required, ",
        [JUDGE_FIELD_UNEXPECTED] = "",
        [JUDGE_FIELD_ZERO_BYTE] = "must not contain the character U+0000",
        [JUDGE_FIELD_NOT_UTF8] = "must be UTF-8"
    };

    judge_buf_init(&b, arena);
    judge_field_path(&b, path);
    judge_buf_printf(&b, ": %s", begins[fault]);

    if (fault == JUDGE_FIELD_MISSING || fault == JUDGE_FIELD_UNEXPECTED) {
        judge_field_expected(&b, f);
    }

    return judge_invalid(error, judge_buf_view(&b));
}


judge_rc_e
judge_field_error_body(judge_arena_t *arena, const judge_field_path_t *path,
    judge_str_t *error)
{
    judge_buf_t  b;

    judge_buf_init(&b, arena);
    judge_field_path(&b, path);

    /* the body itself has no name */

    judge_buf_c(&b, b.len ? ": expected an object"
                          : "body: expected a JSON object");

    return judge_invalid(error, judge_buf_view(&b));
}
