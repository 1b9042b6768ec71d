/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Functions on values of the tree, and the parsing of a text at once. */


#include "base/json/json.h"


judge_json_t *
judge_json_find(const judge_json_t *object, judge_str_t key)
{
    judge_json_t  *m;

    if (object == NULL || object->type != JUDGE_JSON_OBJECT) {
        return NULL;
    }

    for (m = object->first; m != NULL; m = m->next) {
        if (judge_str_eq(m->key, key)) {
            return m;
        }
    }

    return NULL;
}


judge_json_t *
judge_json_get(const judge_json_t *object, const char *key)
{
    return judge_json_find(object, judge_str_c(key));
}


double
judge_json_double(const judge_json_t *v)
{
    switch (v->type) {

    case JUDGE_JSON_INTEGER:
        return (double) v->integer;

    case JUDGE_JSON_NUMBER:
        return v->number;

    default:
        return 0;
    }
}


bool
judge_json_is_number(const judge_json_t *v)
{
    return v != NULL
           && (v->type == JUDGE_JSON_INTEGER || v->type == JUDGE_JSON_NUMBER);
}


judge_json_t *
judge_json_member(const judge_json_t *object, const char *key,
    judge_json_type_e type)
{
    judge_json_t  *v;

    v = judge_json_get(object, key);

    return v != NULL && v->type == type ? v : NULL;
}


judge_str_t
judge_json_string(const judge_json_t *object, const char *key)
{
    const judge_json_t  *v;

    v = judge_json_member(object, key, JUDGE_JSON_STRING);

    return v != NULL ? v->string : (judge_str_t) { 0, NULL };
}


judge_json_t *
judge_json_first(const judge_json_t *object, const char *key)
{
    const judge_json_t  *v;

    v = judge_json_member(object, key, JUDGE_JSON_ARRAY);

    return v != NULL ? v->first : NULL;
}


bool
judge_json_read_number(const judge_json_t *object, const char *key, double *v)
{
    const judge_json_t  *member;

    member = judge_json_get(object, key);
    if (!judge_json_is_number(member)) {
        return false;
    }

    *v = judge_json_double(member);

    return true;
}


const char *
judge_json_type_name(judge_json_type_e type)
{
    static const char *const  names[] = {
        [JUDGE_JSON_NULL] = "null",
        [JUDGE_JSON_BOOLEAN] = "a boolean",
        [JUDGE_JSON_INTEGER] = "an integer",
        [JUDGE_JSON_NUMBER] = "a number",
        [JUDGE_JSON_STRING] = "a string",
        [JUDGE_JSON_ARRAY] = "an array",
        [JUDGE_JSON_OBJECT] = "an object"
    };

    return names[type];
}


judge_rc_e
judge_json_parse(judge_arena_t *arena, judge_str_t text, judge_json_t **root,
    judge_str_t *error)
{
    judge_rc_e            rc;
    judge_json_parser_t  *p;

    p = judge_json_parser_create(arena);
    if (p == NULL) {
        return JUDGE_NOMEM;
    }

    rc = judge_json_parser_feed(p, text.data, text.len);

    if (rc == JUDGE_OK) {
        rc = judge_json_parser_finish(p, root);
    }

    if (rc == JUDGE_INVALID && error != NULL) {
        *error = judge_json_parser_error(p);
    }

    judge_json_parser_free(p);

    return rc;
}


judge_json_t *
judge_json_read(judge_arena_t *arena, judge_str_t text)
{
    judge_json_t  *root;

    return text.data && judge_json_parse(arena, text, &root, NULL) == JUDGE_OK
           ? root : NULL;
}
