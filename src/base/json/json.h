/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* JSON.  The parser, which uses yajl, builds a tree in an arena while bytes
 * arrive in pieces; the writer appends to a buffer. */


#ifndef JUDGE_JSON_H
#define JUDGE_JSON_H


#include "base/core/str.h"
#include "base/core/time.h"


#define JUDGE_JSON_DEPTH   64
#define JUDGE_JSON_VALUES  2000000     /* values of a text; each needs about 64
                                          bytes */

typedef enum {
    JUDGE_JSON_NULL,
    JUDGE_JSON_BOOLEAN,
    JUDGE_JSON_INTEGER,                /* no fraction, no exponent, 64 bits */
    JUDGE_JSON_NUMBER,                 /* any other finite number */
    JUDGE_JSON_STRING,
    JUDGE_JSON_ARRAY,
    JUDGE_JSON_OBJECT
} judge_json_type_e;

typedef struct judge_json  judge_json_t;

struct judge_json {
    judge_json_type_e  type;
    judge_str_t        key;            /* of a member; else absent */
    judge_json_t      *next;           /* the next sibling */
    union {
        bool           boolean;
        int64_t        integer;
        double         number;
        judge_str_t    string;
        struct {
            judge_json_t  *first;
            judge_json_t  *last;
            size_t         count;
        };
    };
};

/* Returns NULL if there is none, or if `object` is NULL or no object. */
judge_json_t *judge_json_get(const judge_json_t *object, const char *key);
judge_json_t *judge_json_find(const judge_json_t *object, judge_str_t key);
double judge_json_double(const judge_json_t *v);   /* of integer or number */
bool judge_json_is_number(const judge_json_t *v);  /* v may be NULL */

/* The member if it is of that type; else NULL, an absent string, or false. */
judge_json_t *judge_json_member(const judge_json_t *object, const char *key,
    judge_json_type_e type);
judge_str_t judge_json_string(const judge_json_t *object, const char *key);
judge_json_t *judge_json_first(const judge_json_t *object, const char *key);
                                       /* the first element of an array */
bool judge_json_read_number(const judge_json_t *object, const char *key,
    double *v);
const char *judge_json_type_name(judge_json_type_e type); /* "an array" */


/*
 * The parser.  It is strict: one value of any type and nothing after it, UTF-8
 * only, no duplicate keys (keys compared after unescaping), no comments,
 * depth at most JUDGE_JSON_DEPTH, at most JUDGE_JSON_VALUES values, numbers
 * finite (an integer beyond 64 bits becomes a number), no lone surrogate
 * escapes.  Strings are copied into the arena, so that fed bytes may be freed.
 * After JUDGE_INVALID error() is a sentence for the client with the byte's
 * offset ("invalid JSON at byte 17: ..."), and all calls fail.  The parser
 * must be freed, because it is on the heap.
 */

typedef struct judge_json_parser  judge_json_parser_t;

/*
 * Called for each complete element of the array `array_key` in the top-level
 * object.  The elements are not added to the tree, so that a body with many
 * items is processed while it arrives.  The element is in the parser's arena;
 * the callback may call judge_json_parser_fail() with a sentence and return
 * JUDGE_INVALID to stop.
 */
typedef judge_rc_e (*judge_json_item_pt)(void *data, judge_json_t *item,
    size_t index);

judge_json_parser_t *judge_json_parser_create(judge_arena_t *arena);
void judge_json_parser_items(judge_json_parser_t *p, const char *array_key,
    judge_json_item_pt handler, void *data);
judge_rc_e judge_json_parser_feed(judge_json_parser_t *p, const char *data,
    size_t len);
judge_rc_e judge_json_parser_finish(judge_json_parser_t *p,
    judge_json_t **root);
judge_str_t judge_json_parser_error(const judge_json_parser_t *p);
void judge_json_parser_fail(judge_json_parser_t *p, judge_str_t sentence);
void judge_json_parser_free(judge_json_parser_t *p);     /* NULL is allowed */

/* Parses a whole text.  JUDGE_INVALID sets *error; error may be NULL. */
judge_rc_e judge_json_parse(judge_arena_t *arena, judge_str_t text,
    judge_json_t **root, judge_str_t *error);

/* The same of a text that is known to be valid; NULL: it is absent or invalid,
 * or memory is out. */
judge_json_t *judge_json_read(judge_arena_t *arena, judge_str_t text);

/* Copies a string of a text that was parsed, without quotes, and replaces its
 * escapes.  Absent: out of memory. */
judge_str_t judge_json_unescape(judge_arena_t *arena, judge_str_t content);


/*
 * The writer, onto a judge_buf_t.  Keys and values alternate; the put_
 * functions write key and value, and leave out an absent string (data NULL).
 * Numbers must be finite; number2() rounds to two decimals and writes
 * the shortest form ("87.5", "100").  Bytes that are not UTF-8 are replaced by
 * U+FFFD.  finish() returns JUDGE_OK, or JUDGE_ERROR / JUDGE_NOMEM when
 * anything before failed.
 */

#define JUDGE_JSON_WRITES  128         /* levels; a multiple of 64 */

typedef struct {
    judge_buf_t  *buf;
    uint64_t      objects[JUDGE_JSON_WRITES / 64];    /* a bit per open level,
                                                         1: an object */
    unsigned      depth;
    bool          due;                 /* a key was written, its value not */
    bool          more;                /* the next value needs a comma */
    bool          failed;
} judge_json_writer_t;

void judge_json_begin(judge_json_writer_t *w, judge_buf_t *buf);
judge_rc_e judge_json_finish(judge_json_writer_t *w);

/* The same for one object or array in an arena: begin_object() initializes buf
 * and opens it; text() closes it and returns its text, absent if anything
 * failed. */
#define judge_json_begin_object(w, buf, arena)                                \
    judge_json_begin_in(w, buf, arena, true)
#define judge_json_begin_array(w, buf, arena)                                 \
    judge_json_begin_in(w, buf, arena, false)
void judge_json_begin_in(judge_json_writer_t *w, judge_buf_t *buf,
    judge_arena_t *arena, bool object);
judge_str_t judge_json_text(judge_json_writer_t *w);

#define judge_json_object(w)      judge_json_open(w, true)
#define judge_json_object_end(w)  judge_json_close(w, true)
#define judge_json_array(w)       judge_json_open(w, false)
#define judge_json_array_end(w)   judge_json_close(w, false)
void judge_json_open(judge_json_writer_t *w, bool object);
void judge_json_close(judge_json_writer_t *w, bool object);

/* _key() writes a constant that needs no escapes, _key_str() any key: in an
 * object, every second string is one. */
void judge_json_key(judge_json_writer_t *w, const char *key);
#define judge_json_key_str  judge_json_str

/* The text of an array of strings, or of any value; absent on failure. */
judge_str_t judge_json_strings_text(judge_arena_t *arena,
    const judge_str_t *strings, size_t n);
judge_str_t judge_json_value_text(judge_arena_t *arena, const judge_json_t *v);

void judge_json_key_object(judge_json_writer_t *w, const char *key);
void judge_json_key_array(judge_json_writer_t *w, const char *key);
void judge_json_str(judge_json_writer_t *w, judge_str_t s);
void judge_json_printf(judge_json_writer_t *w, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));      /* a string */
void judge_json_int(judge_json_writer_t *w, int64_t v);
void judge_json_number(judge_json_writer_t *w, double v);
                                       /* the shortest form that is parsed as
                                          the same number */
void judge_json_number2(judge_json_writer_t *w, double v);
#define judge_json_bool(w, v)                                                 \
    judge_json_raw(w, (v) ? JUDGE_STR("true") : JUDGE_STR("false"))
#define judge_json_null(w)  judge_json_raw(w, JUDGE_STR("null"))
void judge_json_value(judge_json_writer_t *w, const judge_json_t *v);
void judge_json_raw(judge_json_writer_t *w, judge_str_t json);
                                       /* a valid JSON text */

/* Write the members of an object (NULL: there are none) into the open one,
 * but not those of the names in `but`, which ends with NULL and may be NULL.
 * _stored() parses the object, if any, in the buffer's arena. */
void judge_json_members(judge_json_writer_t *w, const judge_json_t *object,
    const char *const *but);
void judge_json_stored(judge_json_writer_t *w, judge_str_t object);

/* begin_value() writes what stands before a value, which the caller appends;
 * characters() appends a string without its quotes. */
void judge_json_begin_value(judge_json_writer_t *w);
void judge_json_characters(judge_buf_t *b, judge_str_t s);

void judge_json_put_str(judge_json_writer_t *w, const char *key,
    judge_str_t s);
void judge_json_put_nullable(judge_json_writer_t *w, const char *key,
    judge_str_t s);                    /* null if it is absent */
void judge_json_put_c(judge_json_writer_t *w, const char *key, const char *s);
/* Writes the same identifier as "id" and as `key`. */
void judge_json_put_id(judge_json_writer_t *w, const char *key,
    judge_str_t id);
void judge_json_put_int(judge_json_writer_t *w, const char *key, int64_t v);
void judge_json_put_number(judge_json_writer_t *w, const char *key, double v);
/* Write numbers of at most two and four decimals; NaN is left out. */
void judge_json_put_number2(judge_json_writer_t *w, const char *key, double v);
void judge_json_put_number4(judge_json_writer_t *w, const char *key, double v);
void judge_json_put_bool(judge_json_writer_t *w, const char *key, bool v);
void judge_json_put_time(judge_json_writer_t *w, const char *key,
    judge_ms_t t);
void judge_json_put_time_if(judge_json_writer_t *w, const char *key,
    judge_ms_t t);                                       /* 0: left out */
void judge_json_put_strings(judge_json_writer_t *w, const char *key,
    const judge_str_t *strings, size_t n);
void judge_json_put_raw(judge_json_writer_t *w, const char *key,
    judge_str_t json);                                   /* absent: left out */


#endif /* JUDGE_JSON_H */
