/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Functions on values of the tree, and the parsing of a text at once. */


#include "base/json/json.h"


judge_json_t *
judge_json_get(const judge_json_t *object, const char *key)
{
    judge_str_t    name;
    judge_json_t  *m;

    if (object == NULL || object->type != JUDGE_JSON_OBJECT) {
        return NULL;
    }

    name = judge_str_c(key);

    for (m = object->first; m != NULL; m = m->next) {
        if (judge_str_eq(m->key, name)) {
            return m;
        }
    }

    return NULL;
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
