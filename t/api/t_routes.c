/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The built-in description of the interface against what is built in: every
 * route is described and everything described is routed; permissions, bodies
 * and queries are described as their tables bind them.
 */


#include <stdio.h>
#include <string.h>

#include "api/admin/openapi.h"
#include "api/http/request.h"
#include "tap.h"


#define T_REFS  8                      /* of a reference to a reference … */

typedef struct {
    judge_arena_t        *arena;
    judge_json_t         *doc;
    const judge_route_t  *route;
    judge_json_t         *item;        /* of the path */
    judge_json_t         *operation;
    judge_str_t           at;          /* for the names of the tests */
    judge_buf_t           wrong;
} t_routes_t;

static const char *const  t_methods[JUDGE_METHODS] = {
    [JUDGE_GET] = "get",
    [JUDGE_POST] = "post",
    [JUDGE_PUT] = "put",
    [JUDGE_PATCH] = "patch",
    [JUDGE_DELETE] = "delete",
};


static void t_fields(t_routes_t *t, const judge_field_t *fields,
    const judge_json_t *schema, const char *at);


/* --- The document -------------------------------------------------------- */

/* Follows "$ref": "#/…", as often as it takes; NULL: it leads nowhere. */

static judge_json_t *
resolve(t_routes_t *t, judge_json_t *v)
{
    int            n;
    char           name[128];
    const char    *p, *end, *stop;
    judge_json_t  *ref;

    for (n = 0; v && n < T_REFS; n++) {
        ref = v->type == JUDGE_JSON_OBJECT ? judge_json_get(v, "$ref") : NULL;
        if (ref == NULL) {
            return v;
        }

        v = t->doc;
        end = ref->string.data + ref->string.len;

        for (p = ref->string.data + 2; v && p < end; p = stop + 1) {
            stop = memchr(p, '/', (size_t) (end - p));
            stop = stop ? stop : end;
            (void) snprintf(name, sizeof(name), "%.*s", (int) (stop - p), p);
            v = judge_json_get(v, name);
        }
    }

    return NULL;
}


static judge_json_t *
member(t_routes_t *t, const judge_json_t *object, const char *name)
{
    return object && object->type == JUDGE_JSON_OBJECT
           ? resolve(t, judge_json_get(object, name)) : NULL;
}


static bool
number_is(const judge_json_t *schema, const char *keyword, bool wanted,
    double value)
{
    judge_json_t  *v;

    v = judge_json_get(schema, keyword);

    return v ? wanted && judge_json_double(v) == value : !wanted;
}


static bool
has_string(const judge_json_t *array, judge_str_t s)
{
    const judge_json_t  *v;

    for (v = array ? array->first : NULL; v; v = v->next) {
        if (v->type == JUDGE_JSON_STRING && judge_str_eq(v->string, s)) {
            return true;
        }
    }

    return false;
}


/* "type" is the word, or the word and "null", which everything optional may
 * be. */

static bool
type_is(const judge_json_t *schema, const judge_field_t *f, const char *word)
{
    judge_json_t  *type;

    type = judge_json_get(schema, "type");
    if (type == NULL) {
        return false;
    }

    if (type->type == JUDGE_JSON_ARRAY) {
        return !(f->flags & JUDGE_REQUIRED) && type->count == 2
               && has_string(type, judge_str_c(word))
               && has_string(type, JUDGE_STR("null"));
    }

    return type->type == JUDGE_JSON_STRING
           && judge_str_eq_c(type->string, word);
}


/* --- A field and its schema ---------------------------------------------- */

static bool
has_max(const judge_field_t *f)
{
    return !(f->min == 0 && f->max == 0) && f->max >= f->min;
}


/* No minimum says the same as the minimum 0 of a length. */

static bool
lengths_are(const judge_json_t *schema, const judge_field_t *f,
    const char *min, const char *max)
{
    return number_is(schema, min, f->min > 0, f->min)
           && number_is(schema, max, has_max(f), f->max);
}


static bool
bounds_are(const judge_json_t *schema, const judge_field_t *f)
{
    bool  any, exclusive;

    any = !(f->min == 0 && f->max == 0) || f->flags & JUDGE_EXCLUSIVE;
    exclusive = f->flags & JUDGE_EXCLUSIVE;

    return number_is(schema, "minimum", any && !exclusive, f->min)
           && number_is(schema, "exclusiveMinimum", exclusive, f->min)
           && number_is(schema, "maximum", has_max(f), f->max);
}


static bool
choices_are(const judge_json_t *schema, const judge_field_t *f)
{
    size_t         n;
    judge_json_t  *words;

    words = judge_json_get(schema, "enum");

    for (n = 0; f->choices[n]; n++) {
        if (!has_string(words, judge_str_c(f->choices[n]))) {
            return false;
        }
    }

    return words && words->count == n;
}


static bool
strings_are(t_routes_t *t, judge_json_t *schema, const judge_field_t *f)
{
    judge_json_t  *items;

    items = member(t, schema, "items");

    return type_is(schema, f, "array")
           && lengths_are(schema, f, "minItems", "maxItems")
           && items && type_is(items, &(judge_field_t) { .flags = 0 },
                               "string")
           && number_is(items, "minLength", true, 1)
           && number_is(items, "maxLength", true, (double) f->item_max);
}


static bool
one_or_more(t_routes_t *t, judge_json_t *schema, const judge_field_t *f)
{
    judge_json_t  *either, *one;

    either = member(t, schema, "oneOf");
    if (either == NULL || either->count != 2) {
        return false;
    }

    one = resolve(t, either->first);

    return one && type_is(one, f, "string")
           && number_is(one, "maxLength", true, (double) f->item_max)
           && strings_are(t, resolve(t, either->last), f);
}


static bool
schema_fits(t_routes_t *t, judge_json_t *schema, const judge_field_t *f)
{
    judge_json_t  *format;

    switch (f->type) {
    case JUDGE_FIELD_STRING:
        return type_is(schema, f, "string")
               && lengths_are(schema, f, "minLength", "maxLength");

    case JUDGE_FIELD_INTEGER:
        return type_is(schema, f, "integer") && bounds_are(schema, f);

    case JUDGE_FIELD_NUMBER:
        return type_is(schema, f, "number") && bounds_are(schema, f);

    case JUDGE_FIELD_BOOLEAN:
        return type_is(schema, f, "boolean");

    case JUDGE_FIELD_TIME:
        format = judge_json_get(schema, "format");
        return type_is(schema, f, "string") && format
               && judge_str_eq_c(format->string, "date-time");

    case JUDGE_FIELD_CHOICE:
    case JUDGE_FIELD_WORD:
        return type_is(schema, f, "string") && choices_are(schema, f);

    case JUDGE_FIELD_OBJECT:
    case JUDGE_FIELD_ANY_OBJECT:
        return type_is(schema, f, "object");

    case JUDGE_FIELD_LIST:
        return type_is(schema, f, "array")
               && lengths_are(schema, f, "minItems", "maxItems");

    case JUDGE_FIELD_STRINGS:
        return strings_are(t, schema, f);

    case JUDGE_FIELD_STRING_OR_STRINGS:
        return one_or_more(t, schema, f);

    case JUDGE_FIELD_ANY:
        return true;
    }

    return false;
}


static void
t_field(t_routes_t *t, const judge_field_t *f, const judge_json_t *schema,
    const char *at)
{
    char           path[256];
    bool           required;
    judge_json_t  *one;

    (void) snprintf(path, sizeof(path), "%s%s%s", at, *at ? "." : "",
                    f->name);
    one = member(t, member(t, schema, "properties"), f->name);

    if (one == NULL) {
        judge_buf_printf(&t->wrong, "# %s is not described\n", path);
        return;
    }

    /* What is looked at later may be required all the same. */
    required = has_string(judge_json_get(schema, "required"),
                          judge_str_c(f->name));
    if (required != !!(f->flags & JUDGE_REQUIRED)
        && !(required && f->type == JUDGE_FIELD_ANY))
    {
        judge_buf_printf(&t->wrong, "# %s is%s required\n", path,
                         required ? " not" : "");
    }

    if (!schema_fits(t, one, f)) {
        judge_buf_printf(&t->wrong, "# %s: its schema is not that of its"
                                    " table\n", path);
        return;
    }

    if (f->type == JUDGE_FIELD_OBJECT) {
        t_fields(t, f->fields, one, path);
    } else if (f->type == JUDGE_FIELD_LIST) {
        t_fields(t, f->fields, member(t, one, "items"), path);
    }
}


static void
t_fields(t_routes_t *t, const judge_field_t *fields,
    const judge_json_t *schema, const char *at)
{
    const judge_json_t   *v;
    const judge_field_t  *f;

    for (f = fields; f->name; f++) {
        t_field(t, f, schema, at);
    }

    v = schema ? judge_json_get(schema, "properties") : NULL;

    for (v = v ? v->first : NULL; v; v = v->next) {
        for (f = fields; f->name && !judge_str_eq_c(v->key, f->name); f++) {
            /* void */
        }

        if (f->name == NULL) {
            judge_buf_printf(&t->wrong, "# %s%s%.*s is described but not"
                             " bound\n", at, *at ? "." : "",
                             (int) v->key.len, v->key.data);
        }
    }
}


/* --- A route and its operation ------------------------------------------- */

static void
tell(t_routes_t *t, const char *what)
{
    judge_str_t  wrong;

    wrong = t->wrong.len ? judge_buf_view(&t->wrong) : JUDGE_STR("");
    t_ok(t->wrong.len == 0 && !t->wrong.failed,
         "%.*s: this is described as it is built: %s", (int) t->at.len,
         t->at.data, what);
    printf("%.*s", (int) wrong.len, wrong.data);
    t->wrong.len = 0;
}


/* As it is, or with the prefix that every path may have. */

static bool
find_operation(t_routes_t *t)
{
    int            i;
    char           path[256];
    judge_json_t  *paths;

    paths = judge_json_get(t->doc, "paths");

    for (i = 0; i < 2; i++) {
        (void) snprintf(path, sizeof(path), "%s%s", i ? "/v1" : "",
                        t->route->pattern);
        t->item = judge_json_get(paths, path);
        t->operation = member(t, t->item, t_methods[t->route->method]);
        if (t->operation) {
            return true;
        }
    }

    return false;
}


/* A parameter of the operation or of all operations of its path. */

static judge_json_t *
find_parameter(t_routes_t *t, const char *in, const char *name)
{
    int            i;
    judge_json_t  *list, *v, *found;

    for (i = 0; i < 2; i++) {
        list = judge_json_get(i ? t->item : t->operation, "parameters");

        for (v = list ? list->first : NULL; v; v = v->next) {
            found = resolve(t, v);
            if (found
                && judge_str_eq_c(judge_json_get(found, "in")->string, in)
                && judge_str_eq_c(judge_json_get(found, "name")->string,
                                  name))
            {
                return found;
            }
        }
    }

    return NULL;
}


/* Either scheme with the route's permission as its scope; or none. */

static void
t_security(t_routes_t *t)
{
    const char          *name;
    judge_json_t        *list, *scopes;
    const judge_json_t  *v;

    list = judge_json_get(t->operation, "security");

    if (t->route->flags & JUDGE_ROUTE_PUBLIC) {
        t_ok(list && list->count == 0, "%.*s: needs no key",
             (int) t->at.len, t->at.data);
        return;
    }

    name = judge_permission_name(t->route->permission);
    if (list == NULL || list->count != 2) {
        judge_buf_c(&t->wrong, "# it has not two ways\n");
    }

    for (v = list ? list->first : NULL; v; v = v->next) {
        scopes = v->first;
        if (scopes == NULL || scopes->count != (*name ? 1 : 0)
            || (*name && !has_string(scopes, judge_str_c(name))))
        {
            judge_buf_printf(&t->wrong, "# expected the scope %s\n", name);
        }
    }

    tell(t, "permission");
}


static void
t_body(t_routes_t *t)
{
    judge_json_t         *content, *v;
    const char *const    *type;
    const judge_route_t  *route = t->route;

    content = member(t, member(t, t->operation, "requestBody"), "content");

    if (route->body) {
        v = member(t, content, "application/json");
        t_fields(t, route->body, member(t, v, "schema"), "");
        tell(t, "body");
        return;
    }

    if (route->consume) {
        for (type = route->accepts; *type; type++) {
            if (member(t, content, *type) == NULL) {
                judge_buf_printf(&t->wrong, "# it takes %s\n", *type);
            }
        }
        tell(t, "types of the body");
        return;
    }

    /* A file has no fields and no one type. */
    t_ok(content == NULL || member(t, content, "*/*")
         || route->flags & JUDGE_ROUTE_OPTIONAL_BODY,
         "%.*s: a route without a body has none described", (int) t->at.len,
         t->at.data);
}


static void
t_query(t_routes_t *t)
{
    int                   i;
    judge_json_t         *list, *v, *one, *schema;
    const judge_field_t  *f;

    for (f = t->route->query; f && f->name; f++) {
        one = find_parameter(t, "query", f->name);
        schema = member(t, one, "schema");

        if (schema == NULL || !schema_fits(t, schema, f)) {
            judge_buf_printf(&t->wrong, "# %s: its schema is not that of its"
                                        " table\n", f->name);
        }
    }

    for (i = 0; i < 2; i++) {
        list = judge_json_get(i ? t->item : t->operation, "parameters");

        for (v = list ? list->first : NULL; v; v = v->next) {
            one = resolve(t, v);
            if (!judge_str_eq_c(judge_json_get(one, "in")->string, "query")) {
                continue;
            }

            for (f = t->route->query; f && f->name; f++) {
                if (judge_str_eq_c(judge_json_get(one, "name")->string,
                                   f->name))
                {
                    break;
                }
            }

            if (f == NULL || f->name == NULL) {
                judge_buf_printf(&t->wrong, "# %.*s is described but not"
                                 " bound\n",
                                 (int) judge_json_get(one, "name")->string.len,
                                 judge_json_get(one, "name")->string.data);
            }
        }
    }

    tell(t, "query");
}


/* Every {name} of the path, and the key of what makes something: it is looked
 * at when the body has come, so there must be one that is read. */

static void
t_parameters(t_routes_t *t)
{
    bool         creates;
    char         name[64];
    const char  *p;

    for (p = strchr(t->route->pattern, '{'); p; p = strchr(p + 1, '{')) {
        (void) snprintf(name, sizeof(name), "%.*s",
                        (int) (strchr(p, '}') - p - 1), p + 1);
        if (find_parameter(t, "path", name) == NULL) {
            judge_buf_printf(&t->wrong, "# {%s} is not described\n", name);
        }
    }

    creates = t->route->flags & JUDGE_ROUTE_CREATES;
    if (creates != !!find_parameter(t, "header", "Idempotency-Key")) {
        judge_buf_printf(&t->wrong, "# it takes %s Idempotency-Key\n",
                         creates ? "an" : "no");
    }

    if (creates && t->route->body == NULL && t->route->consume == NULL
        && !(t->route->flags & JUDGE_ROUTE_OPTIONAL_BODY))
    {
        judge_buf_c(&t->wrong, "# it can't tell an Idempotency-Key that was"
                               " used before: it reads no body\n");
    }

    tell(t, "parameters");
}


static void
test_route(t_routes_t *t)
{
    bool  found;

    t->at = judge_str_printf(t->arena, "%s %s", t_methods[t->route->method],
                             t->route->pattern);
    found = find_operation(t);

    t_ok(found, "%.*s is described", (int) t->at.len, t->at.data);

    if (found) {
        t_security(t);
        t_parameters(t);
        t_query(t);
        t_body(t);
    }
}


/* --- What is described is routed ----------------------------------------- */

static bool
is_routed(judge_str_t path, judge_method_e method)
{
    size_t                i;
    const judge_route_t  *route;

    if (judge_str_starts(path, JUDGE_STR("/v1/"))) {
        path.data += 3;
        path.len -= 3;
    }

    for (i = 0; (route = judge_routes(i)); i++) {
        for ( /* void */ ; route->pattern; route++) {
            if (route->method == method
                && judge_str_eq_c(path, route->pattern))
            {
                return true;
            }
        }
    }

    return false;
}


static void
test_described(t_routes_t *t)
{
    int                  i;
    judge_json_t        *paths;
    const judge_json_t  *path;

    paths = judge_json_get(t->doc, "paths");

    for (path = paths->first; path; path = path->next) {
        for (i = 0; i < JUDGE_METHODS; i++) {
            if (judge_json_get(path, t_methods[i])) {
                t_ok(is_routed(path->key, (judge_method_e) i),
                     "%s %.*s is routed", t_methods[i],
                     (int) path->key.len, path->key.data);
            }
        }
    }
}


int
main(void)
{
    size_t       i;
    t_routes_t   t;
    judge_str_t  text, error;

    memset(&t, 0, sizeof(t_routes_t));
    t.arena = judge_arena_create(1024 * 1024);
    judge_buf_init(&t.wrong, t.arena);

    t_ok(strlen(judge_openapi_head) == judge_openapi_head_len
         && strlen(judge_openapi_tail) == judge_openapi_tail_len,
         "the lengths of both pieces");

    text = judge_str_printf(t.arena, "%s[]%s", judge_openapi_head,
                            judge_openapi_tail);
    error = JUDGE_STR("");

    if (judge_json_parse(t.arena, text, &t.doc, &error) != JUDGE_OK) {
        t_ok(false, "the description is JSON: %.*s", (int) error.len,
             error.data);
        return t_done();
    }

    for (i = 0; (t.route = judge_routes(i)); i++) {
        for ( /* void */ ; t.route->pattern; t.route++) {
            test_route(&t);
        }
    }

    test_described(&t);
    judge_arena_destroy(t.arena);

    return t_done();
}
