/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Memory for yajl, which does not check its allocations; only the parser uses
 * this.  yajl gets a fixed block, large enough for all its allocations but two
 * buffers that grow: in one it resolves the escapes of a string, to the other
 * it copies the first token of every piece but the first.  The parser reserves
 * memory for these before it calls yajl, because then it can still report a
 * failure.
 */


#ifndef JUDGE_JSON_MEM_H
#define JUDGE_JSON_MEM_H


#include <yajl/yajl_common.h>

#include "base/core/str.h"


#define JUDGE_JSON_MEM_PARSER  8192    /* yajl needs about 5000 */
#define JUDGE_JSON_MEM_BUFFERS 2

typedef struct judge_json_mem    judge_json_mem_t;
typedef struct judge_json_block  judge_json_block_t;

struct judge_json_mem {
    yajl_alloc_funcs     funcs;        /* for yajl_alloc() */
    judge_json_block_t  *room[JUDGE_JSON_MEM_BUFFERS];   /* in use */
    judge_json_block_t  *spare[JUDGE_JSON_MEM_BUFFERS];  /* to grow into */
    char                *pos;          /* rest of the fixed block */
    char                *end;
};

judge_json_mem_t *judge_json_mem_create(size_t fixed);   /* NULL: no memory */
void judge_json_mem_free(judge_json_mem_t *m);           /* NULL is allowed */

/* Allocates room for tokens of that many bytes, for both buffers. */
judge_rc_e judge_json_mem_reserve(judge_json_mem_t *m, size_t longest);


#endif /* JUDGE_JSON_MEM_H */
