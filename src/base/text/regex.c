/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#define PCRE2_CODE_UNIT_WIDTH  8
#include <pcre2.h>
#include <string.h>

#include "base/core/allowance.h"
#include "base/text/ascii.h"
#include "base/text/regex.h"


/* Steps of the allowance.  A user's expression is charged for the items that
 * PCRE2 really tries, any other for the worst case of each byte. */
#define JUDGE_REGEX_STEP    8
#define JUDGE_REGEX_BYTE    40       /* of a table's expression */
#define JUDGE_REGEX_WINDOW  65536    /* bytes searched per count */
#define JUDGE_REGEX_HEAP    8192     /* KB for backtracking */
#define JUDGE_REGEX_MATCH   10000000 /* PCRE2's match limit */


struct judge_regex {
    pcre2_code           *code;
    pcre2_match_data     *match;
    pcre2_match_context  *context;
    judge_allowance_t    *allowance;   /* NULL: nothing is counted */
    uint64_t              step;        /* steps of an item */
    uint64_t              byte;        /* of a byte; 0: count items */
    size_t                pos;         /* of the last callout */
    size_t                groups;      /* of the last match */
    judge_str_t           expression;  /* empty: it is no user's */
    size_t                repeat;      /* the largest number in its {n,m} */
    bool                  scripts;     /* it may have script runs */
    bool                  clusters;    /* it may have \X */
    size_t                flags;       /* indicators in the longest row */
};


static void *
judge_regex_alloc(size_t size, void *arena)
{
    return judge_alloc(arena, size);
}


static void
judge_regex_free(void *block, void *arena)
{
    /* blocks are freed with the arena */
}


/* Returns the largest number in {n,m}: an item may compare as many characters,
 * and then costs more steps. */

static size_t
judge_regex_repeat(judge_str_t expression)
{
    bool    open;
    size_t  i, n, most;

    open = false;
    n = 0;
    most = 0;

    for (i = 0; i < expression.len; i++) {
        if (judge_ascii_digit(expression.data[i]) && open) {
            n = n > 100000 ? n : n * 10 + (size_t) (expression.data[i] - '0');
            most = n > most ? n : most;
            continue;
        }

        open = expression.data[i] == '{'
               || (open && expression.data[i] == ',');
        n = 0;
    }

    return most;
}


static void
judge_regex_cost(judge_regex_t *p, judge_str_t expression,
    judge_regex_origin_e origin, size_t repeat)
{
    p->repeat = repeat;
    p->clusters = judge_str_find(expression, JUDGE_STR("\\X"));
    p->scripts = judge_str_find(expression, JUDGE_STR("sr:"))
                 || judge_str_find(expression, JUDGE_STR("script_run:"));
    p->step = JUDGE_REGEX_STEP + repeat / 4;
    p->byte = origin == JUDGE_REGEX_OTHERS || origin == JUDGE_REGEX_MARKED ? 0
              : origin == JUDGE_REGEX_TABLE ? JUDGE_REGEX_BYTE
              : JUDGE_REGEX_STEP + expression.len / 8;
}


static judge_rc_e
judge_regex_prepare(judge_regex_t *p, pcre2_general_context *memory)
{
    if (p->code) {
        p->match = pcre2_match_data_create_from_pattern(p->code, memory);
    }

    p->context = pcre2_match_context_create(memory);

    if (p->match == NULL || p->context == NULL) {
        return JUDGE_NOMEM;
    }

    (void) pcre2_set_match_limit(p->context, JUDGE_REGEX_MATCH);
    (void) pcre2_set_heap_limit(p->context, JUDGE_REGEX_HEAP);

    return JUDGE_OK;
}


judge_rc_e
judge_regex_compile(judge_arena_t *arena, judge_str_t expression,
    judge_regex_origin_e origin, judge_regex_t **pattern,
    judge_str_t *error)
{
    int                     code;
    size_t                  pos, repeat;
    uint32_t                options;
    unsigned char           why[120];
    judge_regex_t          *p;
    pcre2_compile_context  *context;
    pcre2_general_context  *memory;

    repeat = judge_regex_repeat(expression);

    if (origin == JUDGE_REGEX_OTHERS && repeat > JUDGE_REGEX_REPEAT) {
        if (error) {
            *error = judge_str_printf(arena, "expected no repetition of more"
                                      " than %d times", JUDGE_REGEX_REPEAT);
        }
        return JUDGE_INVALID;
    }

    p = judge_calloc(arena, sizeof(judge_regex_t));
    memory = pcre2_general_context_create(judge_regex_alloc,
                                          judge_regex_free, arena);
    context = (memory != NULL) ? pcre2_compile_context_create(memory) : NULL;

    /* without a context, PCRE2 would not allocate in the arena */

    if (p == NULL || context == NULL) {
        return JUDGE_NOMEM;
    }

    options = origin == JUDGE_REGEX_BYTES ? PCRE2_USE_OFFSET_LIMIT
              : PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C
                | (origin == JUDGE_REGEX_OTHERS
                   ? PCRE2_AUTO_CALLOUT : PCRE2_UCP | PCRE2_USE_OFFSET_LIMIT);
    p->code = pcre2_compile((PCRE2_SPTR) expression.data, expression.len,
                            options, &code, &pos, context);
    judge_regex_cost(p, expression, origin, repeat);

    if (p->code) {
        p->expression = origin == JUDGE_REGEX_OTHERS
                        ? judge_str_dup(arena, expression) : JUDGE_STR("");
        *pattern = p->expression.data
                   && judge_regex_prepare(p, memory) == JUDGE_OK ? p : NULL;
        return *pattern ? JUDGE_OK : JUDGE_NOMEM;
    }

    if (code == PCRE2_ERROR_HEAP_FAILED) {
        return JUDGE_NOMEM;
    }

    (void) pcre2_get_error_message(code, why, sizeof(why));

    if (error) {
        *error = judge_str_printf(arena, "expected a regular expression as"
                                  " PCRE2 reads it; at byte %zu: %s", pos,
                                  why);
    }

    return JUDGE_INVALID;
}


/* The bytes that are compared before the next call although nothing may be
 * covered: a group that was captured may differ at its end only, and where a
 * script run ends, all of its characters are looked at again. */

static size_t
judge_regex_again(const judge_regex_t *p, const pcre2_callout_block *block)
{
    size_t         i, bytes, rest;
    judge_str_t    item;
    const size_t  *group = block->offset_vector;

    if (p->expression.len == 0) {
        return 0;
    }

    item = judge_str_from(p->expression, block->pattern_position);
    rest = block->subject_length - block->current_position;

    if (item.len == 0 || item.data[0] == '|' || item.data[0] == ')') {
        return p->scripts && block->current_position > block->start_match
               ? block->current_position - block->start_match : 0;
    }

    if (!judge_str_starts(item, JUDGE_STR("(?P="))
        && (item.len < 2 || item.data[0] != '\\'
            || memchr("123456789gk", item.data[1], 11) == NULL))
    {
        return 0;
    }

    for (i = 1, bytes = 0; i < block->capture_top; i++) {
        if (group[2 * i] != PCRE2_UNSET
            && group[2 * i + 1] > group[2 * i] + bytes)
        {
            bytes = group[2 * i + 1] - group[2 * i];
        }
    }

    return bytes * (1 + p->repeat) < rest ? bytes * (1 + p->repeat) : rest;
}


/* PCRE2 calls this before each item of the expression.  The distance between
 * two calls is the number of bytes that an item has covered. */

static int
judge_regex_count(pcre2_callout_block *block, void *data)
{
    size_t          pos, distance;
    judge_regex_t  *p = data;

    pos = block->current_position;
    distance = pos > p->pos ? pos - p->pos : p->pos - pos;
    p->pos = pos;

    return judge_allowance_take(p->allowance, (p->step + distance)
                                              * (1 + p->flags / 8)
                                              + judge_regex_again(p, block))
           ? 0 : PCRE2_ERROR_MATCHLIMIT;
}


void
judge_regex_charge(judge_regex_t *reader, judge_allowance_t *allowance)
{
    reader->allowance = allowance;
    (void) pcre2_set_callout(reader->context, judge_regex_count, reader);
}


/* The length of the longest row of regional indicators, two of which are a
 * flag: \X counts from each of them back to the first one. */

static size_t
judge_regex_flags(judge_str_t s)
{
    size_t  i, n, most;

    for (i = 0, n = 0, most = 0; i + 4 <= s.len; i += n ? 4 : 1) {
        n = memcmp(s.data + i, "\xf0\x9f\x87", 3) == 0
            && (unsigned char) s.data[i + 3] >= 0xa6 ? n + 1 : 0;
        most = n > most ? n : most;
    }

    return most;
}


/* Searches.  If bytes are counted, the search is divided into windows, because
 * a single call of PCRE2 can't be cancelled. */

static int
judge_regex_match(judge_regex_t *p, judge_str_t text, size_t from)
{
    int     rc;
    size_t  end;

    p->pos = from;
    p->flags = p->clusters ? judge_regex_flags(text) : 0;

    if (p->allowance == NULL || p->byte == 0) {
        /* The reader's previous expression may have set a limit. */
        (void) pcre2_set_offset_limit(p->context, PCRE2_UNSET);

        return pcre2_match(p->code, (PCRE2_SPTR) text.data, text.len, from,
                           PCRE2_NO_UTF_CHECK, p->match, p->context);
    }

    do {
        end = text.len - from > JUDGE_REGEX_WINDOW ? from + JUDGE_REGEX_WINDOW
                                                   : text.len;
        while (end < text.len && (text.data[end] & 0xc0) == 0x80) {
            end++;
        }

        (void) pcre2_set_offset_limit(p->context, end);
        rc = pcre2_match(p->code, (PCRE2_SPTR) text.data, text.len, from,
                         PCRE2_NO_UTF_CHECK, p->match, p->context);

        p->pos = rc >= 0 ? pcre2_get_ovector_pointer(p->match)[1] : end;
        if (!judge_allowance_take(p->allowance, JUDGE_REGEX_STEP + p->byte
                                      * (p->pos > from ? p->pos - from : 0)))
        {
            return PCRE2_ERROR_MATCHLIMIT;
        }

        from = end;
    } while (rc == PCRE2_ERROR_NOMATCH && end < text.len);

    return rc;
}


judge_rc_e
judge_regex_find(judge_regex_t *p, judge_str_t text, size_t from,
    size_t *begin, size_t *end)
{
    int            rc;
    const size_t  *found;

    rc = judge_regex_match(p, text, from);
    p->groups = rc > 0 ? (size_t) rc : rc == 0 ? JUDGE_REGEX_GROUPS : 0;

    switch (rc) {
    case PCRE2_ERROR_NOMATCH:
        return JUDGE_NOT_FOUND;

    case PCRE2_ERROR_NOMEMORY:
        return JUDGE_NOMEM;

    default:
        if (rc < 0) {
            return JUDGE_BUSY;
        }
    }

    /* \K in a lookahead may set the begin after the end. */
    found = pcre2_get_ovector_pointer(p->match);
    *begin = found[0] < found[1] ? found[0] : found[1];
    *end = found[1];

    return *begin >= from ? JUDGE_OK : JUDGE_NOT_FOUND;
}


judge_str_t
judge_regex_group(const judge_regex_t *p, judge_str_t text, unsigned group)
{
    const size_t  *found = pcre2_get_ovector_pointer(p->match);

    if (group >= p->groups || found[2 * group] == PCRE2_UNSET
        || found[2 * group] > found[2 * group + 1])
    {
        return (judge_str_t) { 0, NULL };
    }

    return (judge_str_t) { found[2 * group + 1] - found[2 * group],
                           text.data + found[2 * group] };
}


judge_regex_t *
judge_regex_reader(judge_arena_t *arena)
{
    judge_regex_t          *p;
    pcre2_general_context  *memory;

    p = judge_calloc(arena, sizeof(judge_regex_t));
    memory = pcre2_general_context_create(judge_regex_alloc,
                                          judge_regex_free, arena);
    if (p == NULL || memory == NULL) {
        return NULL;
    }

    p->match = pcre2_match_data_create(JUDGE_REGEX_GROUPS, memory);

    return judge_regex_prepare(p, memory) == JUDGE_OK ? p : NULL;
}


void
judge_regex_take(judge_regex_t *reader, const judge_regex_t *p)
{
    reader->code = p->code;
    reader->step = p->step;
    reader->byte = p->byte;
    reader->expression = p->expression;
    reader->repeat = p->repeat;
    reader->scripts = p->scripts;
    reader->clusters = p->clusters;
}


size_t
judge_regex_after(judge_str_t text, size_t begin, size_t end)
{
    if (end > begin || end >= text.len) {
        return end > begin ? end : text.len + 1;
    }

    for (end++; end < text.len && (text.data[end] & 0xc0) == 0x80; end++) {
        /* void */
    }

    return end;
}
