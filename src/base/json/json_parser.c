/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The parser: a scanner splits the bytes between tokens, yajl parses the
 * tokens, and its callbacks build the tree. */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* tdestroy() */
#endif

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include <yajl/yajl_parse.h>

#include "base/json/json.h"
#include "base/json/json_scan.h"
#include "base/text/number.h"


#define JUDGE_JSON_LINEAR  24          /* keys that are compared one by one */
#define JUDGE_JSON_YAJL    8192        /* bytes for yajl, which needs 5000 */


/* An object or array that is not closed yet.  The keys of a large object are
 * in a balanced tree, so that no choice of keys makes the search slow. */

typedef struct {
    judge_json_t  *node;
    void          *keys;               /* of tsearch(); or NULL */
} judge_json_level_t;

struct judge_json_parser {
    judge_arena_t        *arena;
    yajl_handle           yajl;
    judge_rc_e            rc;          /* the error that stopped it */
    judge_str_t           error;
    size_t                total;       /* bytes fed by the caller */
    size_t                fed;         /* bytes that yajl has parsed */

    judge_json_scan_t     scan;
    judge_buf_t           tail;        /* scanned; no token ends there */

    judge_json_t         *root;
    judge_str_t           token;       /* a long string or number; yajl gets
                                          another as its next token.  absent:
                                          there is none */
    judge_str_t           key;         /* of the next value */
    judge_json_level_t    levels[JUDGE_JSON_DEPTH];
    size_t                depth;
    size_t                values;      /* number of values so far */

    const char           *array_key;   /* NULL: no handler */
    judge_json_item_pt    handler;
    void                 *data;
    judge_json_t         *items;       /* the array while it is open */
    size_t                index;

    size_t                used;        /* bytes of `memory` */
    _Alignas(16) char     memory[JUDGE_JSON_YAJL];
};

typedef struct {
    const char           *yajl;        /* beginning of its message */
    size_t                unread;      /* 1: yajl did not count the bad byte */
    const char           *text;
} judge_json_message_t;


static const judge_json_message_t  judge_json_messages[] = {
    { "lexical error: invalid char", 0, "unexpected character" },
    { "lexical error: invalid string", 1, "unexpected word" },
    { "lexical error: malformed number", 1, "malformed number" },
    { "lexical error: probable comment", 1, "unexpected character" },
    { "parse error: object key and", 0, "expected ':' behind a key" },
    { "parse error: invalid object key", 0, "expected a key" },
    { "parse error: after key and value", 1, "expected ',' or '}'" },
    { "parse error: after array element", 0, "expected ',' or ']'" },
    { "parse error: trailing garbage", 0, "nothing may follow the value" },
    { "", 0, "unexpected token" }
};


static int
judge_json_keys_compare(const void *a, const void *b)
{
    judge_str_t  x, y;

    x = ((const judge_json_t *) a)->key;
    y = ((const judge_json_t *) b)->key;

    if (x.len != y.len) {
        return (x.len < y.len) ? -1 : 1;
    }

    return (x.len == 0) ? 0 : memcmp(x.data, y.data, x.len);
}


static void
judge_json_keys_keep(void *member)
{
    /* members are in the arena */
}


static void
judge_json_keys_free(judge_json_level_t *level)
{
    tdestroy(level->keys, judge_json_keys_keep);
    level->keys = NULL;
}


/* Must be called before `member` is linked into its object.  JUDGE_CONFLICT:
 * the object has a member of that name. */

static judge_rc_e
judge_json_keys_add(judge_json_level_t *level, const judge_json_t *member)
{
    const judge_json_t  *m, **found;

    if (level->node->count < JUDGE_JSON_LINEAR) {

        for (m = level->node->first; m != NULL; m = m->next) {
            if (judge_str_eq(m->key, member->key)) {
                return JUDGE_CONFLICT;
            }
        }

        return JUDGE_OK;
    }

    for (m = level->keys ? NULL : level->node->first; m != NULL; m = m->next) {
        if (tsearch(m, &level->keys, judge_json_keys_compare) == NULL) {
            return JUDGE_NOMEM;
        }
    }

    found = tsearch(member, &level->keys, judge_json_keys_compare);

    if (found == NULL) {
        return JUDGE_NOMEM;
    }

    return (*found == member) ? JUDGE_OK : JUDGE_CONFLICT;
}


void
judge_json_parser_items(judge_json_parser_t *p, const char *array_key,
    judge_json_item_pt handler, void *data)
{
    p->array_key = array_key;
    p->handler = handler;
    p->data = data;
}


void
judge_json_parser_free(judge_json_parser_t *p)
{
    if (p == NULL) {
        return;
    }

    while (p->depth > 0) {
        judge_json_keys_free(&p->levels[--p->depth]);
    }

    judge_buf_free(&p->tail);
    free(p);
}


judge_str_t
judge_json_parser_error(const judge_json_parser_t *p)
{
    return p->error;
}


void
judge_json_parser_fail(judge_json_parser_t *p, judge_str_t sentence)
{
    p->error = judge_str_dup(p->arena, sentence);
    p->rc = p->error.data ? JUDGE_INVALID : JUDGE_NOMEM;
}


static judge_rc_e
judge_json_fail_at(judge_json_parser_t *p, size_t byte, const char *text)
{
    if (byte > p->total) {
        byte = p->total;               /* don't count finish()'s space */
    }

    p->error = judge_str_printf(p->arena, "invalid JSON at byte %zu: %s",
                                byte, text);
    p->rc = p->error.data ? JUDGE_INVALID : JUDGE_NOMEM;

    return p->rc;
}


/* --- Memory of yajl --- */

/* yajl does not check its allocations.  They are parts of the parser and are
 * freed with it; they always fit, since yajl's buffers need not grow for the
 * short tokens that it gets. */

static void *
judge_json_allocate(void *ctx, size_t size)
{
    void                 *part;
    judge_json_parser_t  *p = ctx;

    if (size > JUDGE_JSON_YAJL - p->used) {
        return NULL;
    }

    part = p->memory + p->used;
    p->used += (size + 15) & ~(size_t) 15;

    return part;
}


static void *
judge_json_reallocate(void *ctx, void *old, size_t size)
{
    return old ? NULL : judge_json_allocate(ctx, size);
}


static void
judge_json_release(void *ctx, void *part)
{
    /* parts are freed with the parser */
}


/* --- From bytes to tokens --- */

static judge_rc_e
judge_json_yajl_error(judge_json_parser_t *p, judge_str_t text)
{
    size_t                       byte;
    const char                  *message;
    const judge_json_message_t  *m;

    byte = p->fed + yajl_get_bytes_consumed(p->yajl);

    message = (char *) yajl_get_error(p->yajl, 0,
                                      (const unsigned char *) text.data,
                                      text.len);
    m = judge_json_messages;

    while (strncmp(message, m->yajl, strlen(m->yajl)) != 0) {
        m++;                           /* the last one is "" */
    }

    return judge_json_fail_at(p, byte + m->unread, m->text);
}


static judge_rc_e
judge_json_piece(judge_json_parser_t *p, judge_str_t text)
{
    yajl_status  status;

    status = yajl_parse(p->yajl, (const unsigned char *) text.data, text.len);

    if (p->rc != JUDGE_OK) {
        return p->rc;                  /* a callback stopped yajl */
    }

    if (status != yajl_status_ok) {
        return judge_json_yajl_error(p, text);
    }

    p->fed += text.len;

    return JUDGE_OK;
}


/* yajl gets long strings without their content and 0 in place of long numbers;
 * its callback takes p->token. */

static judge_rc_e
judge_json_tokens(judge_json_parser_t *p, judge_str_t text)
{
    bool         number;
    size_t       at, next, begin;
    judge_str_t  content;

    at = next = 0;

    while ((content = judge_json_long(text, next)).data != NULL) {
        begin = (size_t) (content.data - text.data);
        number = begin == 0 || text.data[begin - 1] != '"';

        if (judge_json_piece(p, (judge_str_t) { begin - at, text.data + at })
            != JUDGE_OK
            || (number && judge_json_piece(p, JUDGE_STR("0")) != JUDGE_OK))
        {
            return p->rc;
        }

        p->token = number ? content : judge_json_unescape(p->arena, content);
        if (p->token.data == NULL) {
            p->rc = JUDGE_NOMEM;
            return p->rc;
        }

        p->fed += content.len - number;
        at = begin + content.len;
        next = at + !number;           /* after the quote that ends it */
    }

    return judge_json_piece(p, (judge_str_t) { text.len - at,
                                               text.data + at });
}


/* The bytes before `from` are the tail of earlier pieces. */

static judge_rc_e
judge_json_take(judge_json_parser_t *p, judge_str_t text, size_t from)
{
    size_t  cut, scanned;

    cut = 0;
    scanned = judge_json_scan(&p->scan, text, from, &cut);

    if (cut > 0
        && judge_json_tokens(p, (judge_str_t) { cut, text.data }) != JUDGE_OK)
    {
        return p->rc;
    }

    if (p->scan.fault != NULL) {
        return judge_json_fail_at(p, p->fed + scanned - cut + 1,
                                  p->scan.fault);
    }

    if (from == 0) {
        judge_buf_append(&p->tail, text.data + cut, text.len - cut);

    } else if (cut > 0) {
        memmove(p->tail.data, p->tail.data + cut, text.len - cut);
        p->tail.len = text.len - cut;
    }

    if (p->tail.failed) {
        p->rc = JUDGE_NOMEM;
    }

    return p->rc;
}


judge_rc_e
judge_json_parser_feed(judge_json_parser_t *p, const char *data, size_t len)
{
    size_t  from;

    if (p->rc != JUDGE_OK || len == 0) {
        return p->rc;
    }

    p->total += len;
    from = p->tail.len;

    if (from == 0) {
        return judge_json_take(p, (judge_str_t) { len, data }, 0);
    }

    judge_buf_append(&p->tail, data, len);

    if (p->tail.failed) {
        p->rc = JUDGE_NOMEM;
        return p->rc;
    }

    return judge_json_take(p, judge_buf_view(&p->tail), from);
}


judge_rc_e
judge_json_parser_finish(judge_json_parser_t *p, judge_json_t **root)
{
    if (p->rc != JUDGE_OK) {
        return p->rc;
    }

    if (p->scan.state != JUDGE_SCAN_OUTSIDE) {
        return judge_json_fail_at(p, p->total, "unexpected end");
    }

    /* yajl sees the end of a number only if another byte follows */

    judge_buf_append(&p->tail, " ", 1);

    if (p->tail.failed) {
        p->rc = JUDGE_NOMEM;
        return p->rc;
    }

    if (judge_json_tokens(p, judge_buf_view(&p->tail)) != JUDGE_OK) {
        return p->rc;
    }

    if (yajl_complete_parse(p->yajl) != yajl_status_ok) {
        return judge_json_fail_at(p, p->total, "unexpected end");
    }

    *root = p->root;
    p->rc = JUDGE_ERROR;               /* all later calls fail */

    return JUDGE_OK;
}


/* --- From tokens to the tree.  A callback returns 0 to stop yajl. --- */

static int
judge_json_stop(judge_json_parser_t *p, judge_rc_e rc)
{
    p->rc = rc;

    return 0;
}


static int
judge_json_refuse(judge_json_parser_t *p, const char *text)
{
    (void) judge_json_fail_at(p, p->fed + yajl_get_bytes_consumed(p->yajl),
                              text);
    return 0;
}


static int
judge_json_deliver(judge_json_parser_t *p, judge_json_t *item)
{
    judge_rc_e  rc;

    rc = p->handler(p->data, item, p->index++);

    if (rc == JUDGE_OK && p->rc == JUDGE_OK) {
        return 1;
    }

    if (p->rc != JUDGE_OK) {
        return 0;                      /* the handler has set the error */
    }

    if (rc == JUDGE_INVALID) {
        judge_json_parser_fail(p, JUDGE_STR("body: invalid item"));
        return 0;
    }

    return judge_json_stop(p, rc);
}


/* Adds a value to the tree; NULL: the parser has stopped. */

static judge_json_t *
judge_json_add(judge_json_parser_t *p, judge_json_t value)
{
    judge_rc_e           rc;
    judge_json_t        *v, *parent;
    judge_json_level_t  *level;

    if (++p->values > JUDGE_JSON_VALUES) {
        judge_json_refuse(p, "too many values");
        return NULL;
    }

    v = judge_alloc(p->arena, sizeof(judge_json_t));
    if (v == NULL) {
        p->rc = JUDGE_NOMEM;
        return NULL;
    }

    *v = value;

    if (p->depth == 0) {
        p->root = v;
        return v;
    }

    level = &p->levels[p->depth - 1];
    parent = level->node;

    if (parent == p->items) {
        return v;
    }

    if (parent->type == JUDGE_JSON_OBJECT) {
        v->key = p->key;

        rc = judge_json_keys_add(level, v);
        if (rc == JUDGE_CONFLICT) {
            judge_json_refuse(p, "duplicate key");
            return NULL;
        }

        if (rc != JUDGE_OK) {
            p->rc = rc;
            return NULL;
        }
    }

    if (parent->last != NULL) {
        parent->last->next = v;

    } else {
        parent->first = v;
    }

    parent->last = v;
    parent->count++;

    return v;
}


/* Called when a value is complete (NULL: the parser has stopped); delivers it
 * if it is an item of the array. */

static int
judge_json_complete(judge_json_parser_t *p, judge_json_t *v)
{
    if (v == NULL) {
        return 0;
    }

    if (p->items != NULL && p->levels[p->depth - 1].node == p->items) {
        return judge_json_deliver(p, v);
    }

    return 1;
}


static int
judge_json_on_null(void *ctx)
{
    return judge_json_complete(ctx, judge_json_add(ctx, (judge_json_t) {
                                    .type = JUDGE_JSON_NULL }));
}


static int
judge_json_on_boolean(void *ctx, int b)
{
    return judge_json_complete(ctx, judge_json_add(ctx, (judge_json_t) {
                                    .type = JUDGE_JSON_BOOLEAN,
                                    .boolean = b }));
}


static int
judge_json_on_number(void *ctx, const char *s, size_t len)
{
    double                d;
    int64_t               i;
    judge_rc_e            rc;
    judge_str_t           text;
    judge_json_t         *v;
    judge_json_parser_t  *p;

    p = ctx;
    text = p->token.data ? p->token : (judge_str_t) { len, s };
    p->token = (judge_str_t) { 0, NULL };

    v = judge_json_add(p, (judge_json_t) { .type = JUDGE_JSON_INTEGER });
    if (v == NULL) {
        return 0;
    }

    if (judge_integer_parse(text, &i) == JUDGE_OK) {
        v->integer = i;
        return judge_json_complete(p, v);
    }

    rc = judge_number_parse(text, &d);

    if (rc == JUDGE_INVALID) {
        return judge_json_refuse(p, "number out of range");
    }

    if (rc != JUDGE_OK) {
        return judge_json_stop(p, rc);
    }

    v->type = JUDGE_JSON_NUMBER;
    v->number = d;

    return judge_json_complete(p, v);
}


/* The string that yajl has read, or the long one that it has not got. */

static judge_str_t
judge_json_token(judge_json_parser_t *p, const unsigned char *s, size_t len)
{
    judge_str_t  string;

    string = p->token.data ? p->token
             : judge_str_dup(p->arena, (judge_str_t) { len, (char *) s });
    p->token = (judge_str_t) { 0, NULL };

    return string;
}


static int
judge_json_on_string(void *ctx, const unsigned char *s, size_t len)
{
    judge_str_t           text;
    judge_json_parser_t  *p;

    p = ctx;

    text = judge_json_token(p, s, len);
    if (text.data == NULL) {
        return judge_json_stop(p, JUDGE_NOMEM);
    }

    return judge_json_complete(p, judge_json_add(p, (judge_json_t) {
                                  .type = JUDGE_JSON_STRING,
                                  .string = text }));
}


static int
judge_json_on_key(void *ctx, const unsigned char *s, size_t len)
{
    judge_json_parser_t  *p;

    p = ctx;

    p->key = judge_json_token(p, s, len);
    if (p->key.data == NULL) {
        return judge_json_stop(p, JUDGE_NOMEM);
    }

    return 1;
}


static int
judge_json_enter(judge_json_parser_t *p, judge_json_type_e type)
{
    judge_json_t  *v;

    if (p->depth == JUDGE_JSON_DEPTH) {
        return judge_json_refuse(p, "too deep");
    }

    v = judge_json_add(p, (judge_json_t) { .type = type });
    if (v == NULL) {
        return 0;
    }

    p->levels[p->depth++] = (judge_json_level_t) { .node = v };

    return 1;
}


static int
judge_json_on_object(void *ctx)
{
    return judge_json_enter(ctx, JUDGE_JSON_OBJECT);
}


static int
judge_json_on_array(void *ctx)
{
    judge_json_parser_t  *p;

    p = ctx;

    if (!judge_json_enter(p, JUDGE_JSON_ARRAY)) {
        return 0;
    }

    if (p->array_key != NULL && p->depth == 2
        && p->root->type == JUDGE_JSON_OBJECT
        && judge_str_eq_c(p->key, p->array_key))
    {
        p->items = p->levels[1].node;
    }

    return 1;
}


static int
judge_json_on_end(void *ctx)
{
    judge_json_t         *v;
    judge_json_parser_t  *p;

    p = ctx;

    v = p->levels[--p->depth].node;
    judge_json_keys_free(&p->levels[p->depth]);

    if (v == p->items) {
        p->items = NULL;
        return 1;
    }

    return judge_json_complete(p, v);
}


static const yajl_callbacks  judge_json_callbacks = {
    .yajl_null = judge_json_on_null,
    .yajl_boolean = judge_json_on_boolean,
    .yajl_number = judge_json_on_number,
    .yajl_string = judge_json_on_string,
    .yajl_start_map = judge_json_on_object,
    .yajl_map_key = judge_json_on_key,
    .yajl_end_map = judge_json_on_end,
    .yajl_start_array = judge_json_on_array,
    .yajl_end_array = judge_json_on_end
};


judge_json_parser_t *
judge_json_parser_create(judge_arena_t *arena)
{
    yajl_alloc_funcs      funcs;
    judge_json_parser_t  *p;

    p = malloc(sizeof(judge_json_parser_t));
    if (p == NULL) {
        return NULL;
    }

    memset(p, 0, offsetof(judge_json_parser_t, memory));
    p->arena = arena;
    judge_buf_init(&p->tail, NULL);

    funcs = (yajl_alloc_funcs) {
        judge_json_allocate, judge_json_reallocate, judge_json_release, p
    };
    p->yajl = yajl_alloc(&judge_json_callbacks, &funcs, p);

    /* yajl must not check UTF-8: the scanner does, more strictly */

    if (p->yajl == NULL
        || !yajl_config(p->yajl, yajl_allow_comments, 0)
        || !yajl_config(p->yajl, yajl_allow_trailing_garbage, 0)
        || !yajl_config(p->yajl, yajl_dont_validate_strings, 1))
    {
        judge_json_parser_free(p);
        return NULL;
    }

    return p;
}
