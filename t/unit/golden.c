/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Files with what is expected of them: see the header. */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* strcasestr() */
#endif

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "golden.h"
#include "tap.h"


#define GOLDEN_FACTS  4096

typedef struct {
    judge_str_t  key;
    judge_str_t  value;
} golden_fact_t;

struct golden {
    judge_arena_t  *arena;
    golden_fact_t   facts[GOLDEN_FACTS];
    size_t          n;
};

typedef struct {
    char  *key;
    char  *op;
    char  *value;
} golden_line_t;


static const char *const  golden_ops[] = {
    " = ", " !~ ", " ~ ", " >= ", " <= ", " none"
};


static void
golden_add(golden_t *g, judge_str_t value, const char *fmt, va_list args)
{
    char  key[256];

    (void) vsnprintf(key, sizeof(key), fmt, args);

    if (g->n == GOLDEN_FACTS) {
        return;
    }

    g->facts[g->n].key = judge_str_dup(g->arena, judge_str_c(key));
    g->facts[g->n].value = judge_str_dup(g->arena, value);

    if (g->facts[g->n].key.data == NULL || g->facts[g->n].value.data == NULL) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }

    g->n++;
}


void
golden_fact(golden_t *g, judge_str_t value, const char *key, ...)
{
    va_list  args;

    va_start(args, key);
    golden_add(g, (value.data == NULL) ? JUDGE_STR("") : value, key, args);
    va_end(args);
}


void
golden_number(golden_t *g, double value, const char *key, ...)
{
    char     text[64];
    va_list  args;

    (void) snprintf(text, sizeof(text), "%.10g", value);

    va_start(args, key);
    golden_add(g, judge_str_c(text), key, args);
    va_end(args);
}


static bool
golden_holds(const golden_t *g, const golden_line_t *line)
{
    bool         any, found, in_bounds;
    size_t       i;
    double       got, want;
    const char  *value;

    any = false;
    found = false;
    in_bounds = true;
    want = strtod(line->value, NULL);

    for (i = 0; i < g->n; i++) {
        if (!judge_str_eq_c(g->facts[i].key, line->key)) {
            continue;
        }

        any = true;
        value = g->facts[i].value.data;
        got = strtod(value, NULL);

        found |= (line->op[1] == '=') ? strcmp(value, line->value) == 0
                                      : strcasestr(value, line->value) != NULL;
        in_bounds &= (line->op[1] == '>') ? got >= want - 1e-9
                                          : got <= want + 1e-9;
    }

    switch (line->op[1]) {
    case '=': case '~':
        return found;
    case '!':
        return !found;
    case 'n':
        return !any;
    default:
        return any && in_bounds;
    }
}


static bool
golden_split(char *text, golden_line_t *line)
{
    char    *at, *first;
    size_t   i, len;

    first = NULL;
    len = 0;

    for (i = 0; i < sizeof(golden_ops) / sizeof(golden_ops[0]); i++) {
        at = strstr(text, golden_ops[i]);

        if (at != NULL && (first == NULL || at < first)
            && (golden_ops[i][1] != 'n' || at[5] == '\0'))
        {
            first = at;
            len = strlen(golden_ops[i]);
            line->op = (char *) golden_ops[i];
        }
    }

    if (first == NULL) {
        return false;
    }

    *first = '\0';
    line->key = text;
    line->value = first + len;

    return true;
}


static void
golden_show(const golden_t *g, const char *key)
{
    size_t  i;

    for (i = 0; i < g->n; i++) {
        if (judge_str_eq_c(g->facts[i].key, key)) {
            printf("# got  %s = %.*s\n", key,
                   (int) strcspn(g->facts[i].value.data, "\n"),
                   g->facts[i].value.data);
        }
    }
}


static void
golden_check(const golden_t *g, char *expect, const char *name)
{
    bool           ok;
    char          *text, *rest;
    golden_line_t  line;

    if (getenv("JUDGE_GOLDEN_SHOW") != NULL) {
        for (size_t i = 0; i < g->n; i++) {
            printf("# %s: %s = %s\n", name, g->facts[i].key.data,
                   g->facts[i].value.data);
        }
    }

    for (rest = expect; (text = strsep(&rest, "\n")) != NULL; /* void */) {
        if (*text == '\0' || *text == '#') {
            continue;
        }

        if (!golden_split(text, &line)) {
            t_ok(false, "%s: an expectation can be read: %s", name, text);
            continue;
        }

        ok = golden_holds(g, &line);
        t_ok(ok, "%s has what is expected: %s%s%s", name, line.key, line.op,
             line.value);

        if (!ok) {
            golden_show(g, line.key);
        }
    }
}


judge_str_t
golden_read(judge_arena_t *arena, const char *folder, const char *name)
{
    FILE         *file;
    size_t        n;
    char          block[4096];
    judge_buf_t   buf;
    judge_str_t   path;

    judge_buf_init(&buf, arena);
    path = judge_str_printf(arena, "%s/%s", folder, name);
    file = (path.data == NULL) ? NULL : fopen(path.data, "rb");

    if (file == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    while ((n = fread(block, 1, sizeof(block), file)) > 0) {
        judge_buf_append(&buf, block, n);
    }

    (void) fclose(file);

    return judge_str_dup(arena, judge_buf_view(&buf));
}


static void
golden_file(const char *folder, const char *name, const char *ext,
    golden_pt handler)
{
    golden_t       *g;
    judge_str_t     text, expect, beside;
    judge_arena_t  *arena;

    arena = judge_arena_create(65536);
    g = (arena == NULL) ? NULL : judge_calloc(arena, sizeof(golden_t));

    if (g == NULL) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }

    g->arena = arena;
    beside = judge_str_printf(arena, "%.*s.expect",
                              (int) (strlen(name) - strlen(ext)), name);
    text = golden_read(arena, folder, name);
    expect = golden_read(arena, folder, beside.data);

    t_ok(text.data != NULL && expect.len > 0, "%s: has its %s", name,
         beside.data);

    if (text.data != NULL && expect.data != NULL) {
        handler(g, arena, text);
        golden_check(g, (char *) expect.data, name);
    }

    judge_arena_destroy(arena);
}


size_t
golden_run(const char *folder, const char *ext, golden_pt handler)
{
    int              i, n;
    size_t           len, files;
    struct dirent  **entries;

    n = scandir(folder, &entries, NULL, alphasort);
    t_ok(n >= 0, "%s can be read", folder);
    files = 0;

    for (i = 0; i < n; i++) {
        len = strlen(entries[i]->d_name);

        if (len > strlen(ext)
            && strcmp(entries[i]->d_name + len - strlen(ext), ext) == 0)
        {
            golden_file(folder, entries[i]->d_name, ext, handler);
            files++;
        }

        free(entries[i]);
    }

    if (n >= 0) {
        free(entries);
    }

    return files;
}
