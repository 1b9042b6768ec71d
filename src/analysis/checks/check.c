/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* How the rows of checks are read and written. */


#include <math.h>
#include <string.h>

#include "analysis/checks/check_type.h"
#include "analysis/text/language.h"


#define JUDGE_CHECK_COUNT_MAX  10000000

static const char *const  judge_check_origins[] = {
    JUDGE_CHECK_GIVEN, JUDGE_CHECK_DESCRIPTION, NULL
};

const judge_field_t  judge_check_fields[] = {
    judge_field(judge_check_sent_t, type, STRING, JUDGE_REQUIRED, 1, 100),
    judge_field(judge_check_sent_t, value, ANY, 0, 0, 0),
    judge_field(judge_check_sent_t, weight, NUMBER, JUDGE_EXCLUSIVE, 0,
                1000000),
    judge_field(judge_check_sent_t, caps, BOOLEAN, 0, 0, 0),
    judge_field(judge_check_sent_t, on, BOOLEAN, 0, 0, 0),
    judge_field_one_of(judge_check_sent_t, origin, WORD, 0,
                       judge_check_origins),
    { .name = NULL }
};


/* --- Reading ------------------------------------------------------------- */

/* A type that other programs name differently: the error names ours. */

static judge_rc_e
judge_check_unknown(judge_arena_t *arena, judge_str_t type,
    judge_str_t *error)
{
    size_t                     len;
    const char                *p;
    judge_buf_t                b;
    const judge_check_type_t  *t, *end;

    end = judge_check_types + judge_check_types_n;
    judge_buf_init(&b, arena);
    judge_buf_c(&b, "type: expected one of");

    for (t = judge_check_types; t < end; t++) {
        for (p = t->others; *p; p += len + (p[len] == ' ')) {
            len = strcspn(p, " ");

            if (len == type.len + 2
                && memcmp(p + 2, type.data, type.len) == 0)
            {
                return judge_invalid(error, judge_str_printf(arena,
                           "type: expected %s, as %.*s is called here",
                           t->name, judge_str_args(type)));
            }
        }

        judge_buf_printf(&b, "%s %s%s%s", t == judge_check_types ? "" : ",",
                         t->name ? t->name : "",
                         t->name && t->negation ? ", " : "",
                         t->negation ? t->negation : "");
    }

    return judge_invalid(error, judge_buf_view(&b));
}


static judge_rc_e
judge_check_number(judge_check_t *check, judge_str_t *error)
{
    const judge_json_t  *v = check->value;

    if (check->type->value == JUDGE_TAKES_NUMBER) {
        *error = JUDGE_STR("value: expected a number from 0 to 100");
        check->number = judge_json_is_number(v) ? judge_json_double(v) : -1;

        return check->number >= 0 && check->number <= 100 ? JUDGE_OK
                                                          : JUDGE_INVALID;
    }

    if (v == NULL && check->type->value == JUDGE_TAKES_LEAST) {
        check->number = 1;
        return JUDGE_OK;
    }

    *error = JUDGE_STR("value: expected a whole number from 1 to 10000000");
    check->number = v && v->type == JUDGE_JSON_INTEGER ? (double) v->integer
                                                       : 0;

    return check->number >= 1 && check->number <= JUDGE_CHECK_COUNT_MAX
           ? JUDGE_OK : JUDGE_INVALID;
}


/* {"text": …, "at_least": 0.6, "n": 2}; without "text" the content is compared
 * with the references of the judge. */

static judge_rc_e
judge_check_similar(judge_arena_t *arena, judge_check_t *check,
    judge_str_t *error)
{
    judge_rc_e  rc;

    typedef struct {
        judge_str_t      text;
        judge_number_t   at_least;
        judge_integer_t  n;
    } value_t;

    value_t  value = { .text = { 0, NULL } };

    static const judge_field_t  fields[] = {
        judge_field(value_t, text, STRING, 0, 1, 20000),
        judge_field(value_t, at_least, NUMBER, JUDGE_REQUIRED, 0, 1),
        judge_field(value_t, n, INTEGER, 0, 1, 5),
        { .name = NULL }
    };

    *error = JUDGE_STR("value: expected an object with at_least");
    if (check->value == NULL || check->value->type != JUDGE_JSON_OBJECT) {
        return JUDGE_INVALID;
    }

    rc = judge_fields_bind(arena, fields, check->value, JUDGE_STR("value"),
                           &value, error);
    if (rc != JUDGE_OK) {
        return rc;
    }

    check->number = value.at_least.value;
    check->words = value.n.set ? (size_t) value.n.value : 1;

    if (value.text.data) {
        check->texts = judge_array_alloc(arena, 1, sizeof(judge_str_t));
        if (check->texts == NULL) {
            return JUDGE_NOMEM;
        }

        check->texts[0] = value.text;
        check->ntexts = 1;
    }

    return JUDGE_OK;
}


/* One string or, where the type takes several, an array of strings. */

static judge_rc_e
judge_check_strings(judge_arena_t *arena, judge_check_t *check,
    judge_str_t *error)
{
    bool                 many = check->type->value == JUDGE_TAKES_TEXTS
                                || check->type->value == JUDGE_TAKES_PHRASES;
    const judge_json_t  *v = check->value;

    if (v && many && v->type == JUDGE_JSON_ARRAY) {
        check->ntexts = v->count;
        v = v->first;
    } else {
        check->ntexts = 1;
    }

    *error = many ? JUDGE_STR("value: expected 1 to 50 strings of 1 to 1000"
                              " bytes")
                  : JUDGE_STR("value: expected a string of 1 to 1000 bytes");

    if (v == NULL || check->ntexts > JUDGE_CHECK_TEXTS) {
        return JUDGE_INVALID;
    }

    check->texts = judge_array_alloc(arena, check->ntexts,
                                     sizeof(judge_str_t));
    if (check->texts == NULL) {
        *error = (judge_str_t) { 0, NULL };
        return JUDGE_NOMEM;
    }

    for (check->ntexts = 0; v; v = v->next) {
        if (v->type != JUDGE_JSON_STRING || v->string.len == 0
            || v->string.len > JUDGE_CHECK_TEXT)
        {
            return JUDGE_INVALID;
        }

        check->texts[check->ntexts++] = v->string;

        if (v == check->value) {
            break;
        }
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_check_value(judge_arena_t *arena, judge_check_t *check,
    judge_str_t *error)
{
    *error = (judge_str_t) { 0, NULL };
    if (check->value == NULL && check->type->value == JUDGE_TAKES_PHRASES) {
        return JUDGE_OK;
    }

    switch (check->type->value) {

    case JUDGE_TAKES_NONE:
        *error = JUDGE_STR("value: expected none for this type");
        return check->value ? JUDGE_INVALID : JUDGE_OK;

    case JUDGE_TAKES_COUNT:
    case JUDGE_TAKES_LEAST:
    case JUDGE_TAKES_NUMBER:
        return judge_check_number(check, error);

    case JUDGE_TAKES_SCHEMA:
        return judge_schema_read(arena, check->value, &check->schema, error);

    case JUDGE_TAKES_ARGUMENTS:
    case JUDGE_TAKES_CLAIMS:
        return judge_check_tool_value(arena, check, error);

    case JUDGE_TAKES_SIMILAR:
        return judge_check_similar(arena, check, error);

    case JUDGE_TAKES_PATTERN:
        if (judge_check_strings(arena, check, error) != JUDGE_OK) {
            break;
        }

        if (judge_regex_compile(arena, check->texts[0],
                                JUDGE_REGEX_OTHERS, &check->pattern, error)
            == JUDGE_OK)
        {
            return JUDGE_OK;
        }

        if (error->data) {
            *error = judge_str_printf(arena, "value: %.*s",
                                      judge_str_args(*error));
        }
        break;

    default:
        if (judge_check_strings(arena, check, error) != JUDGE_OK) {
            break;
        }

        if (check->type->value != JUDGE_TAKES_LANGUAGE
            || judge_language_find(check->texts[0]))
        {
            return JUDGE_OK;
        }

        *error = JUDGE_STR("value: expected the code of a language that is"
                           " told apart, such as \"de\"");
    }

    return error->data ? JUDGE_INVALID : JUDGE_NOMEM;
}


const judge_check_type_t *
judge_check_type(judge_str_t name)
{
    size_t                     i;
    const judge_check_type_t  *t;

    for (i = 0; i < judge_check_types_n; i++) {
        t = &judge_check_types[i];

        if ((t->negation && judge_str_eq_c(name, t->negation))
            || (t->name && judge_str_eq_c(name, t->name)))
        {
            return t;
        }
    }

    return NULL;
}


static judge_rc_e
judge_check_read(judge_arena_t *values, const judge_check_sent_t *row,
    judge_check_t *check, judge_str_t *error)
{
    const judge_check_type_t  *t = judge_check_type(row->type);

    if (t == NULL) {
        return judge_check_unknown(values, row->type, error);
    }

    check->negated = t->negation && judge_str_eq_c(row->type, t->negation);
    check->type = t;
    check->name = row->type;
    check->value = row->value;
    check->weight = row->weight.set ? row->weight.value : 1;
    check->caps = row->caps.value;
    check->on = !row->on.set || row->on.value;
    check->described = judge_str_eq_c(row->origin, JUDGE_CHECK_DESCRIPTION);

    return judge_check_value(values, check, error);
}


judge_rc_e
judge_checks_read(judge_arena_t *arena, judge_arena_t *values,
    const judge_list_t *rows, judge_check_t **checks, judge_str_t *error)
{
    size_t                    i;
    judge_rc_e                rc;
    judge_str_t               why;
    const judge_check_sent_t  *row = rows->items;

    *checks = judge_array_alloc(arena, rows->count, sizeof(judge_check_t));
    if (*checks == NULL && rows->count) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < rows->count; i++) {
        rc = judge_check_read(values, &row[i], &(*checks)[i], &why);

        if (rc == JUDGE_INVALID && why.data) {
            *error = judge_str_printf(arena, "checks[%zu].%.*s", i,
                                      judge_str_args(why));
            rc = error->data ? rc : JUDGE_NOMEM;
        }

        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    return JUDGE_OK;
}


/* --- Writing ------------------------------------------------------------- */

void
judge_checks_write(judge_json_writer_t *w, const judge_list_t *rows)
{
    size_t                    i;
    const judge_check_sent_t  *row = rows->items;

    if (rows->count == 0) {
        return;
    }

    judge_json_key_array(w, "checks");

    for (i = 0; i < rows->count; i++, row++) {
        judge_json_object(w);
        judge_json_put_str(w, "type", row->type);

        if (row->value) {
            judge_json_key(w, "value");
            judge_json_value(w, row->value);
        }

        judge_json_put_number(w, "weight", row->weight.set ? row->weight.value
                                                           : 1);
        judge_json_put_bool(w, "caps", row->caps.value);
        judge_json_put_bool(w, "on", !row->on.set || row->on.value);
        judge_json_put_str(w, "origin", row->origin.data
                                        ? row->origin
                                        : JUDGE_STR(JUDGE_CHECK_GIVEN));
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


bool
judge_checks_same(judge_arena_t *arena, const judge_list_t *a,
    const judge_list_t *b)
{
    size_t                i;
    judge_str_t           text[2];
    judge_buf_t           buf;
    judge_json_writer_t   w;
    const judge_list_t   *lists[2] = { a, b };

    if (a->count != b->count || a->count == 0) {
        return a->count == b->count;
    }

    for (i = 0; i < 2; i++) {
        judge_json_begin_object(&w, &buf, arena);
        judge_checks_write(&w, lists[i]);
        text[i] = judge_json_text(&w);
    }

    return text[0].data && text[1].data && judge_str_eq(text[0], text[1]);
}


const char *
judge_check_result(const judge_check_result_t *result)
{
    return result->budget ? "budget"
           : isnan(result->share) ? NULL
           : result->share >= 1 ? "met"
           : result->share > 0 ? "partly" : "not_met";
}
