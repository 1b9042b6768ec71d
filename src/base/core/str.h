/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Strings, result codes, arenas and buffers: the few types that every other
 * file uses.  Nothing here depends on HTTP, SQL or nginx. */


#ifndef JUDGE_STR_H
#define JUDGE_STR_H


#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>


/* Result codes.  All layers return these; judge_fail_rc() of the api layer
 * answers with those that a handler does not answer itself. */

typedef enum {
    JUDGE_OK = 0,
    JUDGE_ERROR,                  /* the service itself failed */
    JUDGE_NOMEM,                  /* an allocation failed */
    JUDGE_INVALID,                /* the input is wrong; a sentence says why */
    JUDGE_NOT_FOUND,
    JUDGE_CONFLICT,               /* the object's state does not allow it */
    JUDGE_STALE,                  /* a precondition (version) does not hold */
    JUDGE_BUSY,                   /* overloaded; try again later */
    JUDGE_DENIED
} judge_rc_e;


/* A string with its length, not zero-terminated.  data is NULL if the string
 * is absent, and not NULL if it is empty. */

typedef struct {
    size_t       len;
    const char  *data;
} judge_str_t;


#define judge_str(literal)  { sizeof(literal) - 1, literal }
#define JUDGE_STR(literal)  ((judge_str_t) judge_str(literal))
#define judge_str_args(s)   (int) (s).len, (s).data     /* of "%.*s" */

judge_str_t judge_str_c(const char *zero_terminated);
bool judge_str_eq(judge_str_t a, judge_str_t b);
bool judge_str_eq_c(judge_str_t a, const char *zero_terminated);
bool judge_str_caseeq(judge_str_t a, judge_str_t b);     /* by ASCII */
bool judge_str_caseamong(judge_str_t s, const char *const *words); /* NULL
                                       ends the list */
bool judge_str_starts(judge_str_t s, judge_str_t prefix);
bool judge_str_casestarts(judge_str_t s, judge_str_t prefix);
const char *judge_str_find(judge_str_t s, judge_str_t part); /* the first
                                       place of part; NULL: none */
bool judge_str_cut(judge_str_t *rest, judge_str_t end, judge_str_t *part); /*
                                       takes the part before `end`, and that;
                                       false: `end` does not occur */
judge_str_t judge_str_until(judge_str_t *rest, char byte); /* takes what is
                                       before the byte, and that; or all */
size_t judge_str_index(const judge_str_t *list, size_t n, judge_str_t s);
                                       /* returns n if no string is equal */
size_t judge_str_index_c(const char *const *names, judge_str_t s); /* NULL ends
                                       the names; its index: none is equal */
judge_str_t judge_str_from(judge_str_t s, size_t n); /* after n bytes */
judge_str_t judge_str_trim(judge_str_t s, const char *bytes); /* removes these
                                       bytes from both ends; no copy */
#define judge_str_only(s, bytes)  (judge_str_trim(s, bytes).len == 0) /* has no
                                       other bytes than these */


/* An arena is memory that is freed all at once.  Only one thread may use it at
 * a time.  Every function returns NULL when memory is exhausted, and for a
 * block of more than 4 GB. */

typedef struct judge_arena  judge_arena_t;
typedef struct judge_allowance  judge_allowance_t;       /* allowance.h */

judge_arena_t *judge_arena_create(size_t first_chunk_bytes);
void judge_arena_destroy(judge_arena_t *a);              /* NULL is allowed */
void judge_arena_reset(judge_arena_t *a);                /* frees all blocks */
size_t judge_arena_size(const judge_arena_t *a);         /* bytes of chunks */
void judge_arena_bound(judge_arena_t *a, judge_allowance_t *allowance);
                              /* subtracts later blocks from the allowance,
                              which must outlive the arena */

void *judge_alloc(judge_arena_t *a, size_t size);        /* 16-byte aligned */
void *judge_calloc(judge_arena_t *a, size_t size);       /* zeroed */
void *judge_array_alloc(judge_arena_t *a, size_t n, size_t size); /* zeroed,
                                                  overflow is checked */
bool judge_arena_extend(judge_arena_t *a, void *last, size_t size); /* enlarges
                              the block that was allocated last, in place;
                              false: it is unchanged */
judge_str_t judge_str_dup(judge_arena_t *a, judge_str_t s); /* data NULL on
                              failure, and for an absent string; a zero byte
                              follows the copy */
judge_str_t judge_str_printf(judge_arena_t *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));               /* likewise */

/* Sets *error.  Returns JUDGE_INVALID, or JUDGE_NOMEM if it is absent. */
judge_rc_e judge_invalid(judge_str_t *error, judge_str_t sentence);


/*
 * A buffer that grows.  Its memory is in an arena, or on the heap if the arena
 * is NULL (then judge_buf_free() frees it).  Appending returns no error: after
 * an allocation failure `failed` is set until the buffer is freed, so that a
 * caller checks it once, at the end.
 */

typedef struct {
    judge_arena_t  *arena;
    char           *data;
    size_t          len;
    size_t          capacity;
    bool            failed;
} judge_buf_t;

void judge_buf_init(judge_buf_t *b, judge_arena_t *arena);
void judge_buf_free(judge_buf_t *b);
void judge_buf_append(judge_buf_t *b, const void *data, size_t len);
char *judge_buf_room(judge_buf_t *b, size_t more);       /* the end of the
                                  content, with room for `more` bytes, or NULL;
                                  the caller adds what it writes to len */
void judge_buf_str(judge_buf_t *b, judge_str_t s);
void judge_buf_c(judge_buf_t *b, const char *zero_terminated);
void judge_buf_printf(judge_buf_t *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void judge_buf_vprintf(judge_buf_t *b, const char *fmt, va_list args)
    __attribute__((format(printf, 2, 0)));
judge_str_t judge_buf_view(const judge_buf_t *b);        /* not a copy; data
                                                    is NULL only if failed */


#endif /* JUDGE_STR_H */
