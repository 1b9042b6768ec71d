/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Validates a JSON value against a schema. */


#include <stdlib.h>

#include "base/text/utf8.h"
#include "analysis/checks/schema.h"


#define JUDGE_SCHEMA_STEP  40          /* steps for a member or value */
#define JUDGE_SCHEMA_SAID  200         /* bytes of a path or word shown */

struct judge_schema_at {
    const judge_schema_at_t  *parent;
    const judge_json_t       *v;
    size_t                    index;
};

struct judge_schema_check {
    const judge_schema_t  *schema;
    judge_arena_t         *arena;
    judge_regex_t         *reader;
    judge_allowance_t     *allowance;
    judge_str_t            why;        /* the first violation, a sentence */
    unsigned               nested;     /* depth in anyOf and the like, where a
                                          violation gets no sentence */
    unsigned               depth;
};


static judge_schema_rule_t  judge_schema_type, judge_schema_among,
    judge_schema_members, judge_schema_required, judge_schema_additional,
    judge_schema_items, judge_schema_bound, judge_schema_match,
    judge_schema_some, judge_schema_follow;

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


const judge_schema_word_t *
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


int
judge_schema_order(const void *a, const void *b)
{
    const judge_schema_link_t  *x = a, *y = b;

    return (x->word > y->word) - (x->word < y->word);
}


static bool
judge_schema_step(judge_schema_check_t *s, size_t bytes)
{
    return judge_allowance_take(s->allowance, JUDGE_SCHEMA_STEP + bytes);
}


static void
judge_schema_path(judge_buf_t *b, const judge_schema_at_t *at)
{
    judge_str_t  key;

    if (at->parent == NULL) {
        return;
    }

    judge_schema_path(b, at->parent);
    key = judge_utf8_prefix(at->v->key, JUDGE_SCHEMA_SAID);

    if (b->len > JUDGE_SCHEMA_SAID) {
        return;
    }

    if (key.data) {
        judge_buf_c(b, b->len ? "." : "");
        judge_buf_str(b, key);
    } else {
        judge_buf_printf(b, "[%zu]", at->index);
    }
}


static judge_rc_e
judge_schema_wrong(judge_schema_check_t *s, const judge_schema_at_t *at,
    const char *what, judge_str_t name)
{
    judge_buf_t  path;

    if (s->nested) {
        return JUDGE_INVALID;
    }

    judge_buf_init(&path, s->arena);
    judge_schema_path(&path, at);
    name = judge_utf8_prefix(name, JUDGE_SCHEMA_SAID);
    s->why = judge_str_printf(s->arena, "%s%.*s %s%s%.*s",
                              path.len ? "its member " : "the value",
                              (int) path.len, path.data ? path.data : "",
                              what, name.len ? " " : "", (int) name.len,
                              name.data ? name.data : "");

    return s->why.data && !path.failed ? JUDGE_INVALID : JUDGE_NOMEM;
}


static judge_rc_e
judge_schema_value(judge_schema_check_t *s, const judge_json_t *schema,
    const judge_schema_at_t *at)
{
    judge_rc_e                  rc;
    const judge_json_t         *word;
    const judge_schema_word_t  *w;

    if (schema->type == JUDGE_JSON_BOOLEAN) {
        return schema->boolean ? JUDGE_OK
                               : judge_schema_wrong(s, at, "is one too many",
                                                    JUDGE_STR(""));
    }

    if (s->depth == 2 * JUDGE_SCHEMA_DEPTH) {
        return JUDGE_BUSY;
    }

    s->depth++;

    for (word = schema->first, rc = JUDGE_OK; word && rc == JUDGE_OK;
         word = word->next)
    {
        w = judge_schema_find(word->key);
        rc = !judge_schema_step(s, 0) ? JUDGE_BUSY
             : w && w->check ? w->check(s, word, schema, at) : JUDGE_OK;
    }

    s->depth--;

    return rc;
}


judge_rc_e
judge_schema_check(const judge_schema_t *schema, const judge_json_t *value,
    judge_arena_t *arena, judge_regex_t *reader, judge_allowance_t *allowance,
    judge_str_t *why)
{
    judge_rc_e               rc;
    const judge_schema_at_t  at = { .v = value };
    judge_schema_check_t     s = { .schema = schema, .arena = arena,
                                   .reader = reader, .allowance = allowance };

    rc = judge_schema_value(&s, schema->root, &at);
    *why = s.why;

    return allowance->refused ? JUDGE_BUSY : rc;
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
judge_schema_type(judge_schema_check_t *s, const judge_json_t *w,
    const judge_json_t *schema, const judge_schema_at_t *at)
{
    const judge_json_t  *t;

    if (w->type == JUDGE_JSON_STRING) {
        return judge_schema_is(w->string, at->v)
               ? JUDGE_OK : judge_schema_wrong(s, at, "is no", w->string);
    }

    for (t = w->first; t; t = t->next) {
        if (t->type == JUDGE_JSON_STRING && judge_schema_is(t->string, at->v))
        {
            return JUDGE_OK;
        }
    }

    return judge_schema_wrong(s, at, "is of another type", JUDGE_STR(""));
}


/* Equality for enum and const.  The order of members counts, unlike in JSON
 * Schema: in practice no schema has objects there. */

static bool
judge_schema_same(judge_schema_check_t *s, const judge_json_t *a,
    const judge_json_t *b)
{
    const judge_json_t  *x, *y;

    if (!judge_schema_step(s, 0)) {
        return false;
    }

    if (judge_json_is_number(a) && judge_json_is_number(b)) {
        return judge_json_double(a) == judge_json_double(b);
    }

    if (a->type != b->type) {
        return false;
    }

    switch (a->type) {
    case JUDGE_JSON_BOOLEAN:
        return a->boolean == b->boolean;

    case JUDGE_JSON_STRING:
        return judge_schema_step(s, a->string.len / 16)
               && judge_str_eq(a->string, b->string);

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
judge_schema_among(judge_schema_check_t *s, const judge_json_t *w,
    const judge_json_t *schema, const judge_schema_at_t *at)
{
    const judge_json_t  *one;

    if (judge_str_eq_c(w->key, "const")) {
        return judge_schema_same(s, w, at->v)
               ? JUDGE_OK : judge_schema_wrong(s, at, "is another value",
                                               JUDGE_STR(""));
    }

    for (one = w->first; one; one = one->next) {
        if (judge_schema_same(s, one, at->v)) {
            return JUDGE_OK;
        }
    }

    return judge_schema_wrong(s, at, "is none of the values of the schema",
                              JUDGE_STR(""));
}


/* Validates a member or an item of the value at `at`. */

static judge_rc_e
judge_schema_part(judge_schema_check_t *s, const judge_json_t *schema,
    const judge_schema_at_t *at, const judge_json_t *v, size_t index)
{
    const judge_schema_at_t  part = { at, v, index };

    return judge_schema_value(s, schema, &part);
}


/* The member of that name; NULL: none, or the allowance ran out. */

static const judge_json_t *
judge_schema_named(judge_schema_check_t *s, const judge_json_t *object,
    judge_str_t name)
{
    const judge_json_t  *member;

    member = object && object->type == JUDGE_JSON_OBJECT ? object->first
                                                         : NULL;

    for ( /* void */ ; member; member = member->next) {
        if (!judge_schema_step(s, 0)) {
            return NULL;
        }

        if (member->key.len == name.len
            && (!judge_schema_step(s, name.len / 16)
                || judge_str_eq(member->key, name)))
        {
            return member;
        }
    }

    return NULL;
}


static judge_rc_e
judge_schema_members(judge_schema_check_t *s, const judge_json_t *w,
    const judge_json_t *schema, const judge_schema_at_t *at)
{
    judge_rc_e           rc;
    const judge_json_t  *member, *one;

    for (one = w->first, rc = JUDGE_OK; one && rc == JUDGE_OK;
         one = one->next)
    {
        member = judge_schema_named(s, at->v, one->key);
        rc = s->allowance->refused ? JUDGE_BUSY
             : member ? judge_schema_part(s, one, at, member, 0) : JUDGE_OK;
    }

    return rc;
}


static judge_rc_e
judge_schema_required(judge_schema_check_t *s, const judge_json_t *w,
    const judge_json_t *schema, const judge_schema_at_t *at)
{
    const judge_json_t  *name;

    name = at->v->type == JUDGE_JSON_OBJECT ? w->first : NULL;

    for ( /* void */ ; name; name = name->next) {
        if (name->type == JUDGE_JSON_STRING
            && judge_schema_named(s, at->v, name->string) == NULL)
        {
            return s->allowance->refused
                   ? JUDGE_BUSY
                   : judge_schema_wrong(s, at, "has no", name->string);
        }
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_schema_additional(judge_schema_check_t *s, const judge_json_t *w,
    const judge_json_t *schema, const judge_schema_at_t *at)
{
    judge_rc_e           rc;
    const judge_json_t  *member, *known;

    known = judge_json_get(schema, "properties");
    member = at->v->type == JUDGE_JSON_OBJECT ? at->v->first : NULL;

    for (rc = JUDGE_OK; member && rc == JUDGE_OK; member = member->next) {
        rc = judge_schema_named(s, known, member->key)
             ? JUDGE_OK : judge_schema_part(s, w, at, member, 0);
    }

    return rc;
}


static judge_rc_e
judge_schema_items(judge_schema_check_t *s, const judge_json_t *w,
    const judge_json_t *schema, const judge_schema_at_t *at)
{
    size_t               i;
    judge_rc_e           rc;
    const judge_json_t  *item;

    item = at->v->type == JUDGE_JSON_ARRAY ? at->v->first : NULL;

    for (i = 0, rc = JUDGE_OK; item && rc == JUDGE_OK; item = item->next) {
        rc = judge_schema_part(s, w, at, item, i++);
    }

    return rc;
}


/* Bounds apply to the value of a number and to the length of the rest. */

static judge_rc_e
judge_schema_bound(judge_schema_check_t *s, const judge_json_t *w,
    const judge_json_t *schema, const judge_schema_at_t *at)
{
    bool                 good, least, exclusive = w->key.data[0] == 'e';
    double               n, bound = judge_json_double(w);
    const judge_json_t  *v = at->v;

    least = exclusive ? w->key.data[10] == 'i' : w->key.data[1] == 'i';

    if (judge_json_is_number(v)) {
        good = judge_str_eq_c(w->key, least ? "minimum" : "maximum")
               || exclusive;
        n = judge_json_double(v);

    } else if (v->type == JUDGE_JSON_STRING) {
        good = judge_str_eq_c(w->key, least ? "minLength" : "maxLength");
        n = good && judge_schema_step(s, v->string.len)
            ? (double) judge_utf8_length(v->string) : 0;

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

    return judge_schema_wrong(s, at, "is beyond", w->key);
}


/* The compiled pattern or the schema of a keyword. */

static const judge_schema_link_t *
judge_schema_link(const judge_schema_check_t *s, const judge_json_t *w)
{
    const judge_schema_link_t  key = { .word = w };

    return bsearch(&key, s->schema->links, s->schema->nlinks,
                   sizeof(judge_schema_link_t), judge_schema_order);
}


static judge_rc_e
judge_schema_match(judge_schema_check_t *s, const judge_json_t *w,
    const judge_json_t *schema, const judge_schema_at_t *at)
{
    size_t      begin, end;
    judge_rc_e  rc;

    if (at->v->type != JUDGE_JSON_STRING) {
        return JUDGE_OK;
    }

    if (!judge_schema_step(s, at->v->string.len)) {
        return JUDGE_BUSY;
    }

    judge_regex_take(s->reader, judge_schema_link(s, w)->pattern);
    rc = judge_regex_find(s->reader, at->v->string, 0, &begin, &end);

    return rc == JUDGE_NOT_FOUND
           ? judge_schema_wrong(s, at, "does not match", w->string) : rc;
}


/* allOf, anyOf, oneOf, not: stops as soon as the result is certain. */

static judge_rc_e
judge_schema_some(judge_schema_check_t *s, const judge_json_t *w,
    const judge_json_t *schema, const judge_schema_at_t *at)
{
    bool                 all, any, not, good;
    size_t               n, most;
    judge_rc_e           rc;
    const judge_json_t  *part;

    all = judge_str_eq_c(w->key, "allOf");
    any = judge_str_eq_c(w->key, "anyOf");
    not = judge_str_eq_c(w->key, "not");
    most = not ? 0 : 1;
    part = not ? w : w->first;
    s->nested++;

    for (n = 0, rc = JUDGE_OK; part; part = not ? NULL : part->next) {
        rc = judge_schema_value(s, part, at);
        if (rc != JUDGE_OK && rc != JUDGE_INVALID) {
            return rc;
        }

        n += rc == JUDGE_OK;

        if (all ? rc != JUDGE_OK : any ? n > 0 : n > most) {
            break;
        }
    }

    s->nested--;
    good = all ? rc == JUDGE_OK : n == most;

    return good ? JUDGE_OK
                : judge_schema_wrong(s, at, "is not as the schema wants it,"
                                     " by", w->key);
}


static judge_rc_e
judge_schema_follow(judge_schema_check_t *s, const judge_json_t *w,
    const judge_json_t *schema, const judge_schema_at_t *at)
{
    return judge_schema_value(s, judge_schema_link(s, w)->schema, at);
}
