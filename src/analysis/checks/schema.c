/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "base/text/regex.h"
#include "base/text/utf8.h"
#include "analysis/checks/schema.h"


#define JUDGE_SCHEMA_DEPTH  32         /* of schemas and references */
#define JUDGE_SCHEMA_STEPS  20000000   /* members and values compared */
#define JUDGE_SCHEMA_PATHS  200        /* bytes of a path that is said */

/* What stands behind a word. */
typedef enum {
    JUDGE_SCHEMA_ANY,
    JUDGE_SCHEMA_TYPES,                /* names of types */
    JUDGE_SCHEMA_VALUES,               /* a list of any values */
    JUDGE_SCHEMA_NAMES,                /* a list of strings */
    JUDGE_SCHEMA_ONE,                  /* a schema */
    JUDGE_SCHEMA_LIST,                 /* several */
    JUDGE_SCHEMA_MAP,                  /* by name */
    JUDGE_SCHEMA_NUMBER,
    JUDGE_SCHEMA_COUNT,
    JUDGE_SCHEMA_STRING,
    JUDGE_SCHEMA_REF,
    JUDGE_SCHEMA_PATTERN
} judge_schema_kind_e;

typedef struct {
    judge_arena_t       *arena;
    const judge_json_t  *root;
    judge_str_t          why;          /* of the first thing that is wrong */
    size_t               steps;
    unsigned             depth;
    const judge_json_t  *matched;      /* the expression of the last string */
    judge_regex_t       *pattern;
} judge_schema_t;

typedef judge_rc_e (*judge_schema_pt)(judge_schema_t *s,
    const judge_json_t *word, const judge_json_t *schema,
    const judge_json_t *v, judge_str_t path);

typedef struct {
    const char           *name;
    judge_schema_kind_e   kind;
    judge_schema_pt       check;       /* NULL: says nothing about a value */
} judge_schema_word_t;


static judge_rc_e judge_schema_word(judge_schema_t *s,
    const judge_json_t *member, judge_str_t *error);
static judge_rc_e judge_schema_pattern(judge_schema_t *s,
    const judge_json_t *member, judge_str_t *error);
static bool judge_schema_fits(const judge_schema_t *s,
    judge_schema_kind_e kind, const judge_json_t *v);
static judge_rc_e judge_schema_parts(judge_schema_t *s,
    const judge_json_t *member, bool named, judge_str_t *error);
static judge_rc_e judge_schema_one(judge_schema_t *s,
    const judge_json_t *schema, judge_str_t *error);
static const judge_json_t *judge_schema_refer(const judge_json_t *root,
    judge_str_t ref);
static judge_rc_e judge_schema_value(judge_schema_t *s,
    const judge_json_t *schema, const judge_json_t *v, judge_str_t path);
static judge_rc_e judge_schema_wrong(judge_schema_t *s, judge_str_t path,
    const char *what, judge_str_t name);
static judge_str_t judge_schema_path(judge_schema_t *s, judge_str_t path,
    const judge_json_t *v, size_t i);
static bool judge_schema_same(judge_schema_t *s, const judge_json_t *a,
    const judge_json_t *b);
static bool judge_schema_is(judge_str_t type, const judge_json_t *v);


#define judge_schema_declare(word)                                            \
    static judge_rc_e judge_schema_##word(judge_schema_t *s,                  \
        const judge_json_t *w, const judge_json_t *schema,                    \
        const judge_json_t *v, judge_str_t path)

judge_schema_declare(type);
judge_schema_declare(among);
judge_schema_declare(members);
judge_schema_declare(required);
judge_schema_declare(additional);
judge_schema_declare(items);
judge_schema_declare(bound);
judge_schema_declare(match);
judge_schema_declare(some);
judge_schema_declare(follow);

static const judge_schema_word_t  judge_schema_words[] = {
    { "type", JUDGE_SCHEMA_TYPES, judge_schema_type },
    { "enum", JUDGE_SCHEMA_VALUES, judge_schema_among },
    { "const", JUDGE_SCHEMA_ANY, judge_schema_among },
    { "properties", JUDGE_SCHEMA_MAP, judge_schema_members },
    { "required", JUDGE_SCHEMA_NAMES, judge_schema_required },
    { "additionalProperties", JUDGE_SCHEMA_ONE, judge_schema_additional },
    { "items", JUDGE_SCHEMA_ONE, judge_schema_items },
    { "minProperties", JUDGE_SCHEMA_COUNT, judge_schema_bound },
    { "maxProperties", JUDGE_SCHEMA_COUNT, judge_schema_bound },
    { "minItems", JUDGE_SCHEMA_COUNT, judge_schema_bound },
    { "maxItems", JUDGE_SCHEMA_COUNT, judge_schema_bound },
    { "minLength", JUDGE_SCHEMA_COUNT, judge_schema_bound },
    { "maxLength", JUDGE_SCHEMA_COUNT, judge_schema_bound },
    { "minimum", JUDGE_SCHEMA_NUMBER, judge_schema_bound },
    { "maximum", JUDGE_SCHEMA_NUMBER, judge_schema_bound },
    { "exclusiveMinimum", JUDGE_SCHEMA_NUMBER, judge_schema_bound },
    { "exclusiveMaximum", JUDGE_SCHEMA_NUMBER, judge_schema_bound },
    { "pattern", JUDGE_SCHEMA_PATTERN, judge_schema_match },
    { "anyOf", JUDGE_SCHEMA_LIST, judge_schema_some },
    { "allOf", JUDGE_SCHEMA_LIST, judge_schema_some },
    { "oneOf", JUDGE_SCHEMA_LIST, judge_schema_some },
    { "not", JUDGE_SCHEMA_ONE, judge_schema_some },
    { "$ref", JUDGE_SCHEMA_REF, judge_schema_follow },
    { "$defs", JUDGE_SCHEMA_MAP, NULL },
    { "definitions", JUDGE_SCHEMA_MAP, NULL },
    { "$schema", JUDGE_SCHEMA_STRING, NULL },
    { "$id", JUDGE_SCHEMA_STRING, NULL },
    { "title", JUDGE_SCHEMA_STRING, NULL },
    { "description", JUDGE_SCHEMA_STRING, NULL },
    { "default", JUDGE_SCHEMA_ANY, NULL },
    { "examples", JUDGE_SCHEMA_VALUES, NULL },
    { .name = NULL }
};


static const judge_schema_word_t *
judge_schema_find(judge_str_t name)
{
    const judge_schema_word_t  *w;

    for (w = judge_schema_words; w->name; w++) {
        if (judge_str_eq_c(name, w->name)) {
            return w;
        }
    }

    return NULL;
}


static bool
judge_schema_numeric(const judge_json_t *v)
{
    return v->type == JUDGE_JSON_INTEGER || v->type == JUDGE_JSON_NUMBER;
}


/* --- Reading a schema ---------------------------------------------------- */

judge_rc_e
judge_schema_read(judge_arena_t *arena, const judge_json_t *schema,
    judge_str_t *error)
{
    judge_schema_t  s = { .arena = arena, .root = schema };

    if (schema == NULL || schema->type != JUDGE_JSON_OBJECT) {
        *error = JUDGE_STR("value: expected a JSON Schema, an object");
        return JUDGE_INVALID;
    }

    return judge_schema_one(&s, schema, error);
}


static judge_rc_e
judge_schema_one(judge_schema_t *s, const judge_json_t *schema,
    judge_str_t *error)
{
    judge_rc_e           rc;
    const judge_json_t  *member;

    if (schema->type == JUDGE_JSON_BOOLEAN) {
        return JUDGE_OK;
    }

    if (schema->type != JUDGE_JSON_OBJECT || s->depth == JUDGE_SCHEMA_DEPTH) {
        *error = judge_str_printf(s->arena, "value: expected each schema to be"
                                  " an object or a boolean, at most %d deep",
                                  JUDGE_SCHEMA_DEPTH);
        return error->data ? JUDGE_INVALID : JUDGE_NOMEM;
    }

    s->depth++;

    for (member = schema->first; member; member = member->next) {
        rc = judge_schema_word(s, member, error);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    s->depth--;

    return JUDGE_OK;
}


static judge_rc_e
judge_schema_word(judge_schema_t *s, const judge_json_t *member,
    judge_str_t *error)
{
    const judge_schema_word_t  *w;

    w = judge_schema_find(member->key);

    switch (w ? w->kind : JUDGE_SCHEMA_ANY) {

    case JUDGE_SCHEMA_ONE:
        return judge_schema_one(s, member, error);

    case JUDGE_SCHEMA_LIST:
    case JUDGE_SCHEMA_MAP:
        return judge_schema_parts(s, member, w->kind == JUDGE_SCHEMA_MAP,
                                  error);

    case JUDGE_SCHEMA_PATTERN:
        if (member->type == JUDGE_JSON_STRING
            && member->string.len <= JUDGE_REGEX_MAX)
        {
            return judge_schema_pattern(s, member, error);
        }
        break;

    default:
        if (w && judge_schema_fits(s, w->kind, member)) {
            return JUDGE_OK;
        }
    }

    *error = judge_str_printf(s->arena, "value: expected %s \"%.*s\"",
                              w ? "a value of JSON Schema for"
                                : "no word of JSON Schema that is not known"
                                  " here:", (int) member->key.len,
                              member->key.data);

    return error->data ? JUDGE_INVALID : JUDGE_NOMEM;
}


static judge_rc_e
judge_schema_pattern(judge_schema_t *s, const judge_json_t *member,
    judge_str_t *error)
{
    judge_rc_e      rc;
    judge_regex_t  *pattern;

    rc = judge_regex_compile(s->arena, member->string, JUDGE_REGEX_OTHERS,
                             &pattern, error);

    if (rc == JUDGE_INVALID && error->data) {
        *error = judge_str_printf(s->arena, "value: %.*s", (int) error->len,
                                  error->data);
    }

    return rc == JUDGE_INVALID && error->data == NULL ? JUDGE_NOMEM : rc;
}


static bool
judge_schema_fits(const judge_schema_t *s, judge_schema_kind_e kind,
    const judge_json_t *v)
{
    switch (kind) {
    case JUDGE_SCHEMA_REF:
        return v->type == JUDGE_JSON_STRING
               && judge_schema_refer(s->root, v->string);

    case JUDGE_SCHEMA_NUMBER:
        return judge_schema_numeric(v);

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
judge_schema_parts(judge_schema_t *s, const judge_json_t *member, bool named,
    judge_str_t *error)
{
    judge_rc_e           rc;
    const judge_json_t  *part;

    if (member->type != (named ? JUDGE_JSON_OBJECT : JUDGE_JSON_ARRAY)) {
        *error = judge_str_printf(s->arena, "value: expected schemas for"
                                  " \"%.*s\"", (int) member->key.len,
                                  member->key.data);
        return error->data ? JUDGE_INVALID : JUDGE_NOMEM;
    }

    for (part = member->first; part; part = part->next) {
        rc = judge_schema_one(s, part, error);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    return JUDGE_OK;
}


/* "#", "#/$defs/NAME" or "#/definitions/NAME"; NULL: there is none. */

static const judge_json_t *
judge_schema_refer(const judge_json_t *root, judge_str_t ref)
{
    size_t               i;
    const judge_json_t  *defs, *def;

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

        defs = judge_json_get(root, places[i]);
        def = defs && defs->type == JUDGE_JSON_OBJECT ? defs->first : NULL;

        for ( /* void */ ; def; def = def->next) {
            if (judge_str_eq(def->key,
                             judge_str_from(ref, strlen(places[i]) + 3)))
            {
                return def;
            }
        }
    }

    return NULL;
}


/* --- Checking a value ---------------------------------------------------- */

judge_rc_e
judge_schema_check(judge_arena_t *arena, const judge_json_t *schema,
    const judge_json_t *value, judge_str_t *why)
{
    judge_rc_e      rc;
    judge_schema_t  s = { .arena = arena, .root = schema };

    rc = judge_schema_value(&s, schema, value, JUDGE_STR(""));
    *why = s.why;

    return rc;
}


static judge_rc_e
judge_schema_value(judge_schema_t *s, const judge_json_t *schema,
    const judge_json_t *v, judge_str_t path)
{
    judge_rc_e                  rc;
    const judge_json_t         *word;
    const judge_schema_word_t  *w;

    if (schema->type == JUDGE_JSON_BOOLEAN) {
        return schema->boolean ? JUDGE_OK
                               : judge_schema_wrong(s, path,
                                                    "is one too many",
                                                    JUDGE_STR(""));
    }

    if (s->depth == 2 * JUDGE_SCHEMA_DEPTH) {
        return JUDGE_BUSY;
    }

    s->depth++;

    for (word = schema->first, rc = JUDGE_OK; word && rc == JUDGE_OK;
         word = word->next)
    {
        if (++s->steps > JUDGE_SCHEMA_STEPS) {
            return JUDGE_BUSY;
        }

        w = judge_schema_find(word->key);
        rc = w && w->check ? w->check(s, word, schema, v, path) : JUDGE_OK;
    }

    s->depth--;

    return rc;
}


static judge_rc_e
judge_schema_wrong(judge_schema_t *s, judge_str_t path, const char *what,
    judge_str_t name)
{
    s->why = judge_str_printf(s->arena, "%s%.*s %s%s%.*s",
                              path.len ? "its member " : "the value",
                              (int) path.len, path.data, what,
                              name.len ? " " : "", (int) name.len,
                              name.data ? name.data : "");

    return s->why.data ? JUDGE_INVALID : JUDGE_NOMEM;
}


/* Memory for a sentence per value would be too much: paths are as short as
 * values are deep, and made only where a schema goes on. */

static judge_str_t
judge_schema_path(judge_schema_t *s, judge_str_t path, const judge_json_t *v,
    size_t i)
{
    judge_str_t  key;

    if (path.len > JUDGE_SCHEMA_PATHS) {
        return path;
    }

    key = judge_utf8_prefix(v->key, JUDGE_SCHEMA_PATHS);

    return key.data ? judge_str_printf(s->arena, "%.*s%s%.*s", (int) path.len,
                                       path.data, path.len ? "." : "",
                                       (int) key.len, key.data)
                    : judge_str_printf(s->arena, "%.*s[%zu]", (int) path.len,
                                       path.data, i);
}


static judge_rc_e
judge_schema_type(judge_schema_t *s, const judge_json_t *w,
    const judge_json_t *schema, const judge_json_t *v, judge_str_t path)
{
    const judge_json_t  *t;

    if (w->type == JUDGE_JSON_STRING) {
        return judge_schema_is(w->string, v)
               ? JUDGE_OK : judge_schema_wrong(s, path, "is no", w->string);
    }

    for (t = w->first; t; t = t->next) {
        if (t->type == JUDGE_JSON_STRING && judge_schema_is(t->string, v)) {
            return JUDGE_OK;
        }
    }

    return judge_schema_wrong(s, path, "is of another type", JUDGE_STR(""));
}


static bool
judge_schema_is(judge_str_t type, const judge_json_t *v)
{
    static const char *const  names[] = {
        [JUDGE_JSON_NULL] = "null",
        [JUDGE_JSON_BOOLEAN] = "boolean",
        [JUDGE_JSON_INTEGER] = "integer",
        [JUDGE_JSON_NUMBER] = "number",
        [JUDGE_JSON_STRING] = "string",
        [JUDGE_JSON_ARRAY] = "array",
        [JUDGE_JSON_OBJECT] = "object"
    };

    return judge_str_eq_c(type, names[v->type])
           || (v->type == JUDGE_JSON_INTEGER && judge_str_eq_c(type, "number"))
           || (v->type == JUDGE_JSON_NUMBER && judge_str_eq_c(type, "integer")
               && v->number < 1e15 && v->number > -1e15
               && v->number == (double) (int64_t) v->number);
}


static judge_rc_e
judge_schema_among(judge_schema_t *s, const judge_json_t *w,
    const judge_json_t *schema, const judge_json_t *v, judge_str_t path)
{
    const judge_json_t  *one;

    if (judge_str_eq_c(w->key, "const")) {
        return judge_schema_same(s, w, v)
               ? JUDGE_OK : judge_schema_wrong(s, path, "is another value",
                                               JUDGE_STR(""));
    }

    for (one = w->first; one; one = one->next) {
        if (judge_schema_same(s, one, v)) {
            return JUDGE_OK;
        }
    }

    return judge_schema_wrong(s, path, "is none of the values of the schema",
                              JUDGE_STR(""));
}


/* Members in the same order only: no schema lists objects in practice. */

static bool
judge_schema_same(judge_schema_t *s, const judge_json_t *a,
    const judge_json_t *b)
{
    const judge_json_t  *x, *y;

    s->steps++;

    if (judge_schema_numeric(a) && judge_schema_numeric(b)) {
        return judge_json_double(a) == judge_json_double(b);
    }

    if (a->type != b->type) {
        return false;
    }

    switch (a->type) {
    case JUDGE_JSON_BOOLEAN:
        return a->boolean == b->boolean;

    case JUDGE_JSON_STRING:
        return judge_str_eq(a->string, b->string);

    case JUDGE_JSON_ARRAY:
    case JUDGE_JSON_OBJECT:
        for (x = a->first, y = b->first; x && y; x = x->next, y = y->next) {
            if ((a->type == JUDGE_JSON_OBJECT
                 && !judge_str_eq(x->key, y->key))
                || !judge_schema_same(s, x, y))
            {
                return false;
            }
        }
        return x == NULL && y == NULL;

    default:
        return true;
    }
}


static judge_rc_e
judge_schema_members(judge_schema_t *s, const judge_json_t *w,
    const judge_json_t *schema, const judge_json_t *v, judge_str_t path)
{
    judge_rc_e           rc;
    const judge_json_t  *member, *one;

    if (v->type != JUDGE_JSON_OBJECT) {
        return JUDGE_OK;
    }

    for (one = w->first; one; one = one->next) {
        for (member = v->first; member; member = member->next) {
            if (++s->steps > JUDGE_SCHEMA_STEPS) {
                return JUDGE_BUSY;
            }

            if (!judge_str_eq(member->key, one->key)) {
                continue;
            }

            rc = judge_schema_value(s, one, member,
                                    judge_schema_path(s, path, member, 0));
            if (rc != JUDGE_OK) {
                return rc;
            }
            break;
        }
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_schema_required(judge_schema_t *s, const judge_json_t *w,
    const judge_json_t *schema, const judge_json_t *v, judge_str_t path)
{
    const judge_json_t  *name, *member;

    if (v->type != JUDGE_JSON_OBJECT) {
        return JUDGE_OK;
    }

    for (name = w->first; name; name = name->next) {
        for (member = v->first; member; member = member->next) {
            if (++s->steps > JUDGE_SCHEMA_STEPS) {
                return JUDGE_BUSY;
            }

            if (name->type == JUDGE_JSON_STRING
                && judge_str_eq(member->key, name->string))
            {
                break;
            }
        }

        if (member == NULL && name->type == JUDGE_JSON_STRING) {
            return judge_schema_wrong(s, path, "has no", name->string);
        }
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_schema_additional(judge_schema_t *s, const judge_json_t *w,
    const judge_json_t *schema, const judge_json_t *v, judge_str_t path)
{
    judge_rc_e           rc;
    const judge_json_t  *member, *known;

    if (v->type != JUDGE_JSON_OBJECT) {
        return JUDGE_OK;
    }

    for (member = v->first; member; member = member->next) {
        known = judge_json_get(schema, "properties");

        for (known = known ? known->first : NULL; known; known = known->next) {
            if (++s->steps > JUDGE_SCHEMA_STEPS) {
                return JUDGE_BUSY;
            }

            if (judge_str_eq(known->key, member->key)) {
                break;
            }
        }

        if (known == NULL) {
            rc = judge_schema_value(s, w, member,
                                    judge_schema_path(s, path, member, 0));
            if (rc != JUDGE_OK) {
                return rc;
            }
        }
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_schema_items(judge_schema_t *s, const judge_json_t *w,
    const judge_json_t *schema, const judge_json_t *v, judge_str_t path)
{
    size_t               i;
    judge_rc_e           rc;
    const judge_json_t  *item;

    if (v->type != JUDGE_JSON_ARRAY) {
        return JUDGE_OK;
    }

    for (i = 0, item = v->first; item; i++, item = item->next) {
        rc = judge_schema_value(s, w, item,
                                judge_schema_path(s, path, item, i));
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    return JUDGE_OK;
}


/* Of numbers the value counts, of the others how many parts they have. */

static judge_rc_e
judge_schema_bound(judge_schema_t *s, const judge_json_t *w,
    const judge_json_t *schema, const judge_json_t *v, judge_str_t path)
{
    bool    good, least, exclusive;
    double  n, bound;

    bound = judge_json_double(w);
    exclusive = w->key.data[0] == 'e';
    least = exclusive ? w->key.data[10] == 'i' : w->key.data[1] == 'i';

    if (judge_schema_numeric(v)) {
        good = judge_str_eq_c(w->key, least ? "minimum" : "maximum")
               || exclusive;
        n = judge_json_double(v);

    } else if (v->type == JUDGE_JSON_STRING) {
        good = judge_str_eq_c(w->key, least ? "minLength" : "maxLength");
        n = good ? (double) judge_utf8_length(v->string) : 0;

    } else {
        good = (v->type == JUDGE_JSON_ARRAY
                && judge_str_eq_c(w->key, least ? "minItems" : "maxItems"))
               || (v->type == JUDGE_JSON_OBJECT
                   && judge_str_eq_c(w->key, least ? "minProperties"
                                                   : "maxProperties"));
        n = good ? (double) v->count : 0;
    }

    if (!good || (least ? n > bound : n < bound)
        || (n == bound && !exclusive))
    {
        return JUDGE_OK;
    }

    return judge_schema_wrong(s, path, "is beyond", w->key);
}


static judge_rc_e
judge_schema_match(judge_schema_t *s, const judge_json_t *w,
    const judge_json_t *schema, const judge_json_t *v, judge_str_t path)
{
    size_t      begin, end;
    judge_rc_e  rc;

    if (v->type != JUDGE_JSON_STRING) {
        return JUDGE_OK;
    }

    rc = JUDGE_OK;

    if (s->matched != w) {
        s->steps += 1000;              /* it takes memory, too */
        s->matched = w;
        rc = judge_regex_compile(s->arena, w->string, JUDGE_REGEX_OTHERS,
                                 &s->pattern, NULL);
    }

    if (rc == JUDGE_OK) {
        rc = judge_regex_find(s->pattern, v->string, 0, &begin, &end);
    }

    return rc == JUDGE_NOT_FOUND
           ? judge_schema_wrong(s, path, "does not match", w->string) : rc;
}


static judge_rc_e
judge_schema_some(judge_schema_t *s, const judge_json_t *w,
    const judge_json_t *schema, const judge_json_t *v, judge_str_t path)
{
    bool                 one;
    size_t               n, all;
    judge_rc_e           rc;
    const judge_json_t  *part;

    one = w->type != JUDGE_JSON_ARRAY;
    part = one ? w : w->first;

    for (n = 0, all = 0; part; part = one ? NULL : part->next) {
        rc = judge_schema_value(s, part, v, path);
        if (rc != JUDGE_OK && rc != JUDGE_INVALID) {
            return rc;
        }

        n += rc == JUDGE_OK;
        all++;
    }

    if (judge_str_eq_c(w->key, "anyOf") ? n > 0
        : judge_str_eq_c(w->key, "oneOf") ? n == 1
        : judge_str_eq_c(w->key, "not") ? n == 0 : n == all)
    {
        return JUDGE_OK;
    }

    return judge_schema_wrong(s, path, "is not as the schema wants it, by",
                              w->key);
}


static judge_rc_e
judge_schema_follow(judge_schema_t *s, const judge_json_t *w,
    const judge_json_t *schema, const judge_json_t *v, judge_str_t path)
{
    const judge_json_t  *def;

    def = judge_schema_refer(s->root, w->string);

    return def ? judge_schema_value(s, def, v, path) : JUDGE_OK;
}
