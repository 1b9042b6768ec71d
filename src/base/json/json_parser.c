/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The parser.  Tokens are taken from the bytes as they arrive; the beginning
 * of one that is not complete waits for the next piece. */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* tdestroy() */
#endif

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/json/json_string.h"
#include "base/text/ascii.h"
#include "base/text/number.h"


#define JUDGE_JSON_LINEAR  24          /* keys that are compared one by one */


/* What may come next. */

typedef enum {
    JUDGE_DUE_VALUE,
    JUDGE_DUE_ELEMENT,                 /* the first one, or ']' */
    JUDGE_DUE_MEMBER,                  /* the first key, or '}' */
    JUDGE_DUE_KEY,
    JUDGE_DUE_COLON,
    JUDGE_DUE_NEXT,                    /* a comma, or the end of the level */
    JUDGE_DUE_END                      /* nothing but white space */
} judge_json_due_e;

/* An object or array that is not closed yet.  The keys of a large object are
 * in a balanced tree, so that no choice of keys makes their search slow. */

typedef struct {
    judge_json_t  *node;
    void          *keys;               /* of tsearch(); or NULL */
} judge_json_level_t;

struct judge_json_parser {
    judge_arena_t        *arena;
    judge_rc_e            rc;          /* the error that stopped it */
    judge_str_t           error;
    size_t                total;       /* bytes fed by the caller */

    judge_buf_t           tail;        /* the beginning of a token */
    size_t                scanned;     /* bytes of it without its end */
    size_t                at;          /* offset of the token in all bytes */
    size_t                len;         /* of the token */

    judge_json_due_e      due;
    judge_json_t         *root;
    judge_str_t           key;         /* of the next value */
    judge_json_level_t    levels[JUDGE_JSON_DEPTH];
    size_t                depth;
    size_t                values;      /* their number so far */

    const char           *array_key;   /* NULL: no handler */
    judge_json_item_pt    handler;
    void                 *data;
    judge_json_t         *items;       /* the array while it is open */
    size_t                index;
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
    (void) member;                     /* members are in the arena */
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


judge_json_parser_t *
judge_json_parser_create(judge_arena_t *arena)
{
    judge_json_parser_t  *p;

    p = calloc(1, sizeof(judge_json_parser_t));
    if (p != NULL) {
        p->arena = arena;
        judge_buf_init(&p->tail, NULL);
    }

    return p;
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


/* The byte is the one with that offset in the token.  Bytes count from 1; that
 * of finish() does not count. */

static judge_rc_e
judge_json_wrong(judge_json_parser_t *p, size_t offset, const char *text)
{
    size_t  byte;

    byte = p->at + offset + 1;
    p->error = judge_str_printf(p->arena, "invalid JSON at byte %zu: %s",
                                byte < p->total ? byte : p->total, text);
    p->rc = p->error.data ? JUDGE_INVALID : JUDGE_NOMEM;

    return p->rc;
}


static bool
judge_json_in(const judge_json_parser_t *p, judge_json_type_e type)
{
    return p->depth > 0 && p->levels[p->depth - 1].node->type == type;
}


static judge_rc_e
judge_json_unexpected(judge_json_parser_t *p)
{
    static const char *const  texts[] = {
        [JUDGE_DUE_VALUE] = "unexpected token",
        [JUDGE_DUE_ELEMENT] = "unexpected token",
        [JUDGE_DUE_MEMBER] = "expected a key",
        [JUDGE_DUE_KEY] = "expected a key",
        [JUDGE_DUE_COLON] = "expected ':' behind a key",
        [JUDGE_DUE_NEXT] = "expected ',' or ']'",
        [JUDGE_DUE_END] = "nothing may follow the value"
    };

    return judge_json_wrong(p, 0, p->due == JUDGE_DUE_NEXT
                                  && judge_json_in(p, JUDGE_JSON_OBJECT)
                                  ? "expected ',' or '}'" : texts[p->due]);
}


/* --- The tree ------------------------------------------------------------ */

/* Adds a value to the tree; NULL: the parser has stopped. */

static judge_json_t *
judge_json_add(judge_json_parser_t *p, judge_json_t value)
{
    judge_json_t        *v, *parent;
    judge_json_level_t  *level;

    if (p->due != JUDGE_DUE_VALUE && p->due != JUDGE_DUE_ELEMENT) {
        (void) judge_json_unexpected(p);
        return NULL;
    }

    if (++p->values > JUDGE_JSON_VALUES) {
        (void) judge_json_wrong(p, p->len - 1, "too many values");
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

        p->rc = judge_json_keys_add(level, v);
        if (p->rc == JUDGE_CONFLICT) {
            (void) judge_json_wrong(p, p->len - 1, "duplicate key");
        }

        if (p->rc != JUDGE_OK) {
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


/* Called when a value is complete; NULL: it was refused. */

static judge_rc_e
judge_json_done(judge_json_parser_t *p, judge_json_t *v)
{
    judge_rc_e  rc;

    if (v == NULL) {
        return p->rc;
    }

    p->due = p->depth > 0 ? JUDGE_DUE_NEXT : JUDGE_DUE_END;

    if (p->items == NULL || p->levels[p->depth - 1].node != p->items) {
        return JUDGE_OK;
    }

    rc = p->handler(p->data, v, p->index++);

    if (p->rc == JUDGE_OK && rc == JUDGE_INVALID) {
        judge_json_parser_fail(p, JUDGE_STR("body: invalid item"));

    } else if (p->rc == JUDGE_OK) {
        p->rc = rc;
    }

    return p->rc;
}


static judge_rc_e
judge_json_push(judge_json_parser_t *p, judge_json_type_e type)
{
    judge_json_t  *v;

    if (p->depth == JUDGE_JSON_DEPTH) {
        return judge_json_wrong(p, p->len - 1, "too deep");
    }

    v = judge_json_add(p, (judge_json_t) { .type = type });
    if (v == NULL) {
        return p->rc;
    }

    p->levels[p->depth++] = (judge_json_level_t) { .node = v };
    p->due = type == JUDGE_JSON_OBJECT ? JUDGE_DUE_MEMBER : JUDGE_DUE_ELEMENT;

    if (type == JUDGE_JSON_ARRAY && p->array_key != NULL && p->depth == 2
        && p->root->type == JUDGE_JSON_OBJECT
        && judge_str_eq_c(p->key, p->array_key))
    {
        p->items = v;
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_json_pop(judge_json_parser_t *p, judge_json_type_e type)
{
    judge_json_t      *v;
    judge_json_due_e   empty;

    empty = type == JUDGE_JSON_OBJECT ? JUDGE_DUE_MEMBER : JUDGE_DUE_ELEMENT;

    if (p->due != empty
        && !(p->due == JUDGE_DUE_NEXT && judge_json_in(p, type)))
    {
        return judge_json_unexpected(p);
    }

    v = p->levels[--p->depth].node;
    judge_json_keys_free(&p->levels[p->depth]);

    if (v == p->items) {
        p->items = NULL;
    }

    return judge_json_done(p, v);
}


/* --- Strings, numbers and words ------------------------------------------ */

/* Finds the quote that ends the string; false: it has not arrived. */

static bool
judge_json_string_end(judge_json_parser_t *p, judge_str_t text)
{
    size_t  i;

    for (i = p->scanned ? p->scanned : 1; i < text.len;
         i += text.data[i] == '\\' ? 2 : 1)
    {
        i += judge_json_plain(text.data + i, text.len - i);

        if (i == text.len) {
            break;
        }

        if (text.data[i] == '"') {
            p->len = i + 1;
            return true;
        }
    }

    p->scanned = i;

    return false;
}


static judge_rc_e
judge_json_take_string(judge_json_parser_t *p, judge_str_t text)
{
    size_t         at;
    const char    *fault;
    judge_json_t   v = { .type = JUDGE_JSON_STRING };

    if (!judge_json_string_end(p, text)) {
        return JUDGE_OK;
    }

    text.len = p->len;
    p->rc = judge_json_unquote(p->arena, text, &v.string, &at, &fault);
    if (p->rc != JUDGE_OK) {
        return p->rc == JUDGE_INVALID ? judge_json_wrong(p, at, fault) : p->rc;
    }

    if (p->due == JUDGE_DUE_KEY || p->due == JUDGE_DUE_MEMBER) {
        p->key = v.string;
        p->due = JUDGE_DUE_COLON;
        return JUDGE_OK;
    }

    return judge_json_done(p, judge_json_add(p, v));
}


static size_t
judge_json_digits(judge_str_t s, size_t i)
{
    while (i < s.len && judge_ascii_digit(s.data[i])) {
        i++;
    }

    return i;
}


/* Whether s is a number; else *fault is the offset of the byte that can't
 * follow, or of the end where more has to. */

static bool
judge_json_is_number(judge_str_t s, size_t *fault)
{
    size_t  i, from;

    from = s.data[0] == '-';
    i = from < s.len && s.data[from] == '0' ? from + 1
                                            : judge_json_digits(s, from);

    if (i > from && i < s.len && s.data[i] == '.') {
        from = i + 1;
        i = judge_json_digits(s, from);
    }

    if (i > from && i < s.len && (s.data[i] | 0x20) == 'e') {
        from = i + 1;
        from += from < s.len && (s.data[from] == '+' || s.data[from] == '-');
        i = judge_json_digits(s, from);
    }

    *fault = i;

    return i > from && i == s.len;
}


static judge_rc_e
judge_json_take_number(judge_json_parser_t *p, judge_str_t text)
{
    size_t        n;
    judge_rc_e    rc;
    judge_json_t  v = { .type = JUDGE_JSON_INTEGER };

    for (n = p->scanned; n < text.len && text.data[n]
                         && strchr("0123456789+-.eE", text.data[n]); n++)
    {
        /* void */
    }

    if (n == text.len) {
        p->scanned = n;
        return JUDGE_OK;
    }

    p->len = n;
    text.len = n;

    if (!judge_json_is_number(text, &n)) {
        return judge_json_wrong(p, n, "malformed number");
    }

    if (judge_integer_parse(text, &v.integer) != JUDGE_OK) {
        v.type = JUDGE_JSON_NUMBER;
        rc = judge_number_parse(text, &v.number);

        if (rc == JUDGE_INVALID) {
            return judge_json_wrong(p, p->len - 1, "number out of range");
        }

        if (rc != JUDGE_OK) {
            p->rc = rc;
            return rc;
        }
    }

    return judge_json_done(p, judge_json_add(p, v));
}


static judge_rc_e
judge_json_take_word(judge_json_parser_t *p, judge_str_t text)
{
    size_t         i;
    const char    *word;
    judge_json_t   v = { .type = JUDGE_JSON_BOOLEAN };

    v.boolean = text.data[0] == 't';
    word = v.boolean ? "true" : "false";

    if (text.data[0] == 'n') {
        v.type = JUDGE_JSON_NULL;
        word = "null";
    }

    for (i = 1; word[i] && i < text.len; i++) {
        if (text.data[i] != word[i]) {
            return judge_json_wrong(p, i, "unexpected word");
        }
    }

    if (word[i]) {
        return JUDGE_OK;
    }

    p->len = i;

    return judge_json_done(p, judge_json_add(p, v));
}


/* --- From bytes to tokens ------------------------------------------------ */

static judge_rc_e
judge_json_separator(judge_json_parser_t *p, judge_json_due_e due,
    judge_json_due_e next)
{
    if (p->due != due) {
        return judge_json_unexpected(p);
    }

    p->due = next;

    return JUDGE_OK;
}


/* Takes the token at the beginning of the text, and sets p->len; 0: its end
 * has not arrived. */

static judge_rc_e
judge_json_token(judge_json_parser_t *p, judge_str_t text)
{
    p->len = 1;

    switch (text.data[0]) {

    case '{':
        return judge_json_push(p, JUDGE_JSON_OBJECT);

    case '}':
        return judge_json_pop(p, JUDGE_JSON_OBJECT);

    case '[':
        return judge_json_push(p, JUDGE_JSON_ARRAY);

    case ']':
        return judge_json_pop(p, JUDGE_JSON_ARRAY);

    case ',':
        return judge_json_separator(p, JUDGE_DUE_NEXT,
                                    judge_json_in(p, JUDGE_JSON_OBJECT)
                                    ? JUDGE_DUE_KEY : JUDGE_DUE_VALUE);

    case ':':
        return judge_json_separator(p, JUDGE_DUE_COLON, JUDGE_DUE_VALUE);
    }

    p->len = 0;

    if (p->due == JUDGE_DUE_END) {
        return judge_json_unexpected(p);
    }

    switch (text.data[0]) {

    case '"':
        return judge_json_take_string(p, text);

    case 't':
    case 'f':
    case 'n':
        return judge_json_take_word(p, text);

    default:
        return judge_ascii_digit(text.data[0]) || text.data[0] == '-'
               ? judge_json_take_number(p, text)
               : judge_json_wrong(p, 0, "unexpected character");
    }
}


/* Takes the tokens that are complete; *used: the bytes of these. */

static judge_rc_e
judge_json_tokens(judge_json_parser_t *p, judge_str_t text, size_t *used)
{
    size_t       i;
    judge_str_t  rest;

    for (i = 0; i < text.len; i += p->len, p->at += p->len) {
        p->len = 1;

        if (text.data[i] == ' ' || text.data[i] == '\n'
            || text.data[i] == '\r' || text.data[i] == '\t')
        {
            continue;
        }

        rest = judge_str_from(text, i);
        if (judge_json_token(p, rest) != JUDGE_OK) {
            return p->rc;
        }

        if (p->len == 0) {
            break;
        }

        p->scanned = 0;
    }

    *used = i;

    return JUDGE_OK;
}


judge_rc_e
judge_json_parser_feed(judge_json_parser_t *p, const char *data, size_t len)
{
    size_t       used;
    judge_str_t  text;

    if (p->rc != JUDGE_OK || len == 0) {
        return p->rc;
    }

    p->total += len;
    text = (judge_str_t) { len, data };

    if (p->tail.len > 0) {
        judge_buf_append(&p->tail, data, len);
        text = judge_buf_view(&p->tail);
        if (text.data == NULL) {
            p->rc = JUDGE_NOMEM;
            return p->rc;
        }
    }

    if (judge_json_tokens(p, text, &used) != JUDGE_OK) {
        return p->rc;
    }

    if (p->tail.len == 0) {
        judge_buf_append(&p->tail, data + used, len - used);

    } else if (used > 0) {
        p->tail.len -= used;
        memmove(p->tail.data, p->tail.data + used, p->tail.len);
    }

    p->rc = p->tail.failed ? JUDGE_NOMEM : JUDGE_OK;

    return p->rc;
}


judge_rc_e
judge_json_parser_finish(judge_json_parser_t *p, judge_json_t **root)
{
    size_t  used;

    if (p->rc != JUDGE_OK) {
        return p->rc;
    }

    /* the end of a number is seen only if another byte follows */

    judge_buf_append(&p->tail, " ", 1);

    if (p->tail.failed) {
        p->rc = JUDGE_NOMEM;
        return p->rc;
    }

    if (judge_json_tokens(p, judge_buf_view(&p->tail), &used) != JUDGE_OK) {
        return p->rc;
    }

    if (p->due != JUDGE_DUE_END || used < p->tail.len) {
        return judge_json_wrong(p, p->total, "unexpected end");
    }

    *root = p->root;
    p->rc = JUDGE_ERROR;               /* all later calls fail */

    return JUDGE_OK;
}
