/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Validates and compiles schemas. */


#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/checks/schema.h"


#define JUDGE_SCHEMA_SIZE      10000   /* JSON values in a schema */
#define JUDGE_SCHEMA_PATTERNS  100

typedef struct {
    judge_arena_t   *arena;
    judge_schema_t  *schema;
    judge_str_t      error;
    size_t           npatterns;
    unsigned         depth;
} judge_schema_reader_t;


static judge_rc_e judge_schema_refuse(judge_schema_reader_t *r,
    const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static judge_rc_e judge_schema_one(judge_schema_reader_t *r,
    const judge_json_t *schema);


/* Makes the error: the name of the field and the sentence. */

static judge_rc_e
judge_schema_refuse(judge_schema_reader_t *r, const char *fmt, ...)
{
    va_list      args;
    judge_buf_t  b;

    judge_buf_init(&b, r->arena);
    judge_buf_c(&b, "value: ");
    va_start(args, fmt);
    judge_buf_vprintf(&b, fmt, args);
    va_end(args);
    r->error = judge_buf_view(&b);

    return b.failed ? JUDGE_NOMEM : JUDGE_INVALID;
}


/* Counts values; JUDGE_JSON_DEPTH bounds the recursion. */

static size_t
judge_schema_values(const judge_json_t *v)
{
    size_t               n;
    const judge_json_t  *part;

    if (v->type != JUDGE_JSON_OBJECT && v->type != JUDGE_JSON_ARRAY) {
        return 1;
    }

    for (n = 1, part = v->first; part; part = part->next) {
        n += judge_schema_values(part);
    }

    return n;
}


static judge_rc_e
judge_schema_parts(judge_schema_reader_t *r, const judge_json_t *member,
    bool named)
{
    judge_rc_e           rc;
    const judge_json_t  *part;

    if (member->type != (named ? JUDGE_JSON_OBJECT : JUDGE_JSON_ARRAY)) {
        return judge_schema_refuse(r, "expected schemas for \"%.*s\"",
                                   judge_str_args(member->key));
    }

    for (part = member->first; part; part = part->next) {
        rc = judge_schema_one(r, part);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_schema_pattern(judge_schema_reader_t *r, const judge_json_t *member)
{
    judge_rc_e            rc;
    judge_str_t           why = { 0, NULL };
    judge_schema_link_t  *link;

    if (r->npatterns++ == JUDGE_SCHEMA_PATTERNS) {
        return judge_schema_refuse(r, "expected at most %d patterns in a"
                                   " schema", JUDGE_SCHEMA_PATTERNS);
    }

    link = &r->schema->links[r->schema->nlinks - 1];
    rc = judge_regex_compile(r->arena, member->string, JUDGE_REGEX_OTHERS,
                             &link->pattern, &why);

    return rc != JUDGE_INVALID ? rc
           : judge_schema_refuse(r, "%.*s", judge_str_args(why));
}


/* The target of "#", "#/$defs/NAME" or "#/definitions/NAME"; NULL: none. */

static const judge_json_t *
judge_schema_refer(const judge_json_t *root, judge_str_t ref)
{
    size_t               i;
    const judge_json_t  *def;

    static const char *const  places[] = { "$defs", "definitions" };

    if (judge_str_eq_c(ref, "#")) {
        return root;
    }

    for (i = 0; i < 2; i++) {
        if (ref.len <= strlen(places[i]) + 3
            || !judge_str_starts(ref, JUDGE_STR("#/"))
            || memcmp(ref.data + 2, places[i], strlen(places[i])) != 0)
        {
            continue;
        }

        def = judge_json_find(judge_json_get(root, places[i]),
                              judge_str_from(ref, strlen(places[i]) + 3));
        if (def) {
            return def;
        }
    }

    return NULL;
}


static bool
judge_schema_fits(judge_schema_kind_e kind, const judge_json_t *v)
{
    switch (kind) {
    case JUDGE_SCHEMA_NUMBER:
        return judge_json_is_number(v);

    case JUDGE_SCHEMA_COUNT:
        return v->type == JUDGE_JSON_INTEGER && v->integer >= 0;

    case JUDGE_SCHEMA_STRING:
        return v->type == JUDGE_JSON_STRING;

    case JUDGE_SCHEMA_TYPES:
        return v->type == JUDGE_JSON_STRING || v->type == JUDGE_JSON_ARRAY;

    case JUDGE_SCHEMA_VALUES:
    case JUDGE_SCHEMA_NAMES:
        return v->type == JUDGE_JSON_ARRAY;

    default:
        return true;
    }
}


static judge_rc_e
judge_schema_word(judge_schema_reader_t *r, const judge_json_t *member)
{
    judge_schema_link_t        *link;
    const judge_schema_word_t  *w = judge_schema_find(member->key);

    if (w == NULL) {
        return judge_schema_refuse(r, "expected no word of JSON Schema that is"
                                   " not known here: \"%.*s\"",
                                   judge_str_args(member->key));
    }

    switch (w->kind) {

    case JUDGE_SCHEMA_ONE:
        return judge_schema_one(r, member);

    case JUDGE_SCHEMA_LIST:
    case JUDGE_SCHEMA_MAP:
        return judge_schema_parts(r, member, w->kind == JUDGE_SCHEMA_MAP);

    case JUDGE_SCHEMA_PATTERN:
    case JUDGE_SCHEMA_REF:
        link = &r->schema->links[r->schema->nlinks++];
        link->word = member;

        if (w->kind == JUDGE_SCHEMA_PATTERN
            && member->type == JUDGE_JSON_STRING
            && member->string.len <= JUDGE_REGEX_MAX)
        {
            return judge_schema_pattern(r, member);
        }

        link->schema = w->kind == JUDGE_SCHEMA_REF
                       && member->type == JUDGE_JSON_STRING
                       ? judge_schema_refer(r->schema->root, member->string)
                       : NULL;
        if (link->schema) {
            return JUDGE_OK;
        }
        break;

    default:
        if (judge_schema_fits(w->kind, member)) {
            return JUDGE_OK;
        }
    }

    return judge_schema_refuse(r, "expected a value of JSON Schema for"
                               " \"%.*s\"", judge_str_args(member->key));
}


static judge_rc_e
judge_schema_one(judge_schema_reader_t *r, const judge_json_t *schema)
{
    judge_rc_e           rc;
    const judge_json_t  *member;

    if (schema->type == JUDGE_JSON_BOOLEAN) {
        return JUDGE_OK;
    }

    if (schema->type != JUDGE_JSON_OBJECT || r->depth == JUDGE_SCHEMA_DEPTH) {
        return judge_schema_refuse(r, "expected each schema to be an object or"
                                   " a boolean, at most %d deep",
                                   JUDGE_SCHEMA_DEPTH);
    }

    r->depth++;

    for (member = schema->first; member; member = member->next) {
        rc = judge_schema_word(r, member);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    r->depth--;

    return JUDGE_OK;
}


judge_rc_e
judge_schema_read(judge_arena_t *arena, const judge_json_t *value,
    judge_schema_t **schema, judge_str_t *error)
{
    size_t                 values;
    judge_rc_e             rc;
    judge_schema_reader_t  r = { .arena = arena };

    if (value == NULL || value->type != JUDGE_JSON_OBJECT) {
        *error = JUDGE_STR("value: expected a JSON Schema, an object");
        return JUDGE_INVALID;
    }

    values = judge_schema_values(value);

    if (values > JUDGE_SCHEMA_SIZE) {
        rc = judge_schema_refuse(&r, "expected a schema made of at most %d"
                                 " values, not of %zu", JUDGE_SCHEMA_SIZE,
                                 values);
        *error = r.error;
        return rc;
    }

    r.schema = judge_calloc(arena, sizeof(judge_schema_t));
    *schema = r.schema;
    if (r.schema == NULL) {
        return JUDGE_NOMEM;
    }

    r.schema->root = value;
    r.schema->links = judge_array_alloc(arena, values,
                                        sizeof(judge_schema_link_t));
    rc = r.schema->links ? judge_schema_one(&r, value) : JUDGE_NOMEM;

    if (rc == JUDGE_OK) {
        qsort(r.schema->links, r.schema->nlinks, sizeof(judge_schema_link_t),
              judge_schema_order);
    }

    *error = r.error;

    return rc;
}
