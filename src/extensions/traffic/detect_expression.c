/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Expressions of the operator, by Vectorscan or Hyperscan.  Unlike PCRE2 it
 * never backtracks, and it refuses expressions, when nginx starts, that can't
 * be searched in bounded time and memory.
 */


#include <stdlib.h>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "extensions/traffic/detect.h"
#include "extensions/traffic/detect_table.h"

#if __has_include(<hs/hs.h>)
#include <hs/hs.h>
#define JUDGE_HAVE_HYPERSCAN  1
#endif


#define JUDGE_EXPRESSION_NAME   24     /* bytes, at most */
#define JUDGE_EXPRESSION_WIDTH  1024   /* bytes of a match, at most */


static bool
judge_expression_name(judge_str_t name)
{
    size_t  i;

    for (i = 0; i < name.len; i++) {
        if (!judge_ascii_upper(name.data[i])
            && !judge_ascii_digit(name.data[i]) && name.data[i] != '_')
        {
            return false;
        }
    }

    return name.len > 0 && name.len <= JUDGE_EXPRESSION_NAME
           && judge_ascii_upper(name.data[0]);
}


/* Whether it is what a detector calls its matches: both would have the same
 * placeholders. */

static bool
judge_expression_reserved(judge_str_t name)
{
    size_t                    i, n = judge_pii_formats_n;
    const char               *label;
    static const char *const  names[] = {
        "CARD", "EMAIL", "IBAN", "INSULT", "JWT", "LANGUAGE", "LINK", "ORDER",
        "PASSWORD", "PHONE", "PRIVATE_KEY", "QUOTE", "SECRET", "WORD", NULL
    };
    bool                      found = judge_str_caseamong(name, names);

    for (i = 0; i < n + judge_secret_formats_n; i++) {
        label = i < n ? judge_pii_formats[i].label
                : judge_secret_formats[i - n].label;
        found |= judge_str_eq_c(name, label);
    }

    return found;
}


#if (JUDGE_HAVE_HYPERSCAN)

#define JUDGE_EXPRESSION_FLAGS  (HS_FLAG_SOM_LEFTMOST | HS_FLAG_UTF8)

typedef struct {
    judge_detect_found_t  *found;
    const char            *label;
    size_t                 first;      /* number of earlier hits */
} judge_expression_search_t;


/* An expression must have a longest match, for which streams are held back. */

static judge_rc_e
judge_expression_compile(judge_detect_expressions_t *all, const char *pattern,
    judge_str_t *error)
{
    hs_error_t                  rc;
    hs_expr_info_t             *info = NULL;
    judge_detect_expression_t  *e = &all->list[all->n];
    hs_compile_error_t         *wrong = NULL;

    rc = hs_expression_info(pattern, JUDGE_EXPRESSION_FLAGS, &info, &wrong);

    if (rc == HS_SUCCESS && (info->min_width == 0
                             || info->max_width > JUDGE_EXPRESSION_WIDTH))
    {
        free(info);
        *error = judge_str_printf(all->arena, "an expression whose matches"
                                  " have 1 to %d bytes, such as [a-z]{1,64}",
                                  JUDGE_EXPRESSION_WIDTH);
        return JUDGE_INVALID;
    }

    e->width = info ? info->max_width : 0;
    free(info);

    if (rc == HS_SUCCESS) {
        rc = hs_compile(pattern, JUDGE_EXPRESSION_FLAGS, HS_MODE_BLOCK, NULL,
                        (hs_database_t **) &e->database, &wrong);
    }

    if (rc != HS_SUCCESS) {
        *error = judge_str_printf(all->arena, "a regular expression that"
                                  " can be searched in linear time: %s",
                                  wrong ? wrong->message : "no memory");
        hs_free_compile_error(wrong);
        return JUDGE_INVALID;
    }

    all->n++;

    return hs_alloc_scratch(e->database, (hs_scratch_t **) &all->scratch)
           == HS_SUCCESS ? JUDGE_OK : JUDGE_NOMEM;
}


void
judge_detect_expressions_free(void *expressions)
{
    size_t                       i;
    judge_detect_expressions_t  *all = expressions;

    for (i = 0; i < all->n; i++) {
        hs_free_database(all->list[i].database);
    }

    hs_free_scratch(all->scratch);
    judge_arena_destroy(all->arena);
    *all = (judge_detect_expressions_t) { .n = 0 };
}


/* Threads search with copies of the scratch; NULL: out of memory. */

static hs_scratch_t *
judge_expression_scratch(const judge_detect_expressions_t *all)
{
    static __thread hs_scratch_t  *copy;
    static __thread const void    *original;

    if (original != all->scratch) {
        (void) hs_free_scratch(copy);
        copy = NULL;
        original = hs_clone_scratch(all->scratch, &copy) == HS_SUCCESS
                   ? all->scratch : NULL;
    }

    return copy;
}


/* Matches come by ascending end; one that overlaps the last one extends it. */

static int
judge_expression_match(unsigned id, unsigned long long from,
    unsigned long long to, unsigned flags, void *data)
{
    judge_detect_hit_t         *last;
    judge_detect_found_t       *found;
    judge_expression_search_t  *search = data;

    found = search->found;
    last = found->n > search->first ? &found->hits[found->n - 1] : NULL;

    if (last && from < last->end) {
        last->begin = from < last->begin ? (size_t) from : last->begin;
        last->end = to > last->end ? (size_t) to : last->end;
    } else {
        judge_detect_hit(found, JUDGE_DETECT_EXPRESSIONS, search->label,
                         (size_t) from, (size_t) to);
    }

    return found->failed;
}


/* Only UTF-8 can be searched; a text with other bytes fails, and does not
 * pass. */

void
judge_detect_expressed(judge_detect_found_t *found, judge_str_t text)
{
    size_t                             i;
    judge_expression_search_t          search = { .found = found };
    const judge_detect_expression_t   *e;
    const judge_detect_expressions_t  *all = found->rule->expressions;

    if (text.len > UINT32_MAX || judge_utf8_check(text) != text.len) {
        found->failed = true;
    }

    for (i = 0; i < all->n && !found->failed; i++) {
        e = &all->list[i];
        search.label = e->name;
        search.first = found->n;
        if ((found->rule->wanted >> i & 1)
            && hs_scan(e->database, text.data, (unsigned) text.len, 0,
                       judge_expression_scratch(all), judge_expression_match,
                       &search)
               != HS_SUCCESS)
        {
            found->failed = true;
        }
    }
}

#else

static judge_rc_e
judge_expression_compile(judge_detect_expressions_t *all, const char *pattern,
    judge_str_t *error)
{
    *error = JUDGE_STR("none: this build is without Vectorscan");

    return JUDGE_INVALID;
}


void
judge_detect_expressions_free(void *expressions)
{
    judge_arena_destroy(((judge_detect_expressions_t *) expressions)->arena);
}


void
judge_detect_expressed(judge_detect_found_t *found, judge_str_t text)
{
    found->failed = true;
}

#endif


judge_rc_e
judge_detect_express(judge_detect_expressions_t *all, judge_str_t name,
    judge_str_t pattern, judge_str_t *error)
{
    size_t  i;

    for (i = 0; i < all->n && !judge_str_eq_c(name, all->list[i].name); i++) {
        /* void */
    }

    if (!judge_expression_name(name) || judge_expression_reserved(name)
        || i < all->n
        || i == JUDGE_DETECT_EXPRESSIONS_MAX)
    {
        *error = i == JUDGE_DETECT_EXPRESSIONS_MAX
                 ? JUDGE_STR("at most 64 expressions")
                 : JUDGE_STR("a name that is not used yet, of at most 24"
                             " capitals, digits and \"_\", which begins with a"
                             " capital");
        return JUDGE_INVALID;
    }

    all->arena = all->arena ? all->arena : judge_arena_create(1024);
    if (all->arena == NULL) {
        return JUDGE_NOMEM;
    }

    name = judge_str_dup(all->arena, name);
    pattern = judge_str_dup(all->arena, pattern);
    all->list[i].name = name.data;

    return name.data && pattern.data
           ? judge_expression_compile(all, pattern.data, error) : JUDGE_NOMEM;
}
