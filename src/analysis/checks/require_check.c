/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Makes checks of what a clause asks for: their values, and expressions. */


#include <string.h>

#include "analysis/checks/require_table.h"


bool
judge_require_add(judge_require_t *q, const char *type, const char *name,
    const char *string, int64_t n)
{
    judge_json_t        *v;
    judge_check_sent_t  *c;

    if (q->n == JUDGE_REQUIRE_CHECKS) {
        return false;
    }

    if (string == NULL && (strstr(type, "regex") || strstr(name, "regex"))) {
        q->failed = true;              /* no memory for the expression */
        return false;
    }

    v = judge_calloc(q->arena, sizeof(judge_json_t));
    c = &q->checks[q->n++];
    memset(c, 0, sizeof(judge_check_sent_t));
    c->type = judge_str_printf(q->arena, "%s%s", type, name);
    c->origin = JUDGE_STR(JUDGE_CHECK_DESCRIPTION);

    if (v == NULL || c->type.data == NULL) {
        q->failed = true;
        return false;
    }

    v->type = string ? JUDGE_JSON_STRING : JUDGE_JSON_INTEGER;
    v->integer = n;
    v->string = string ? judge_str_c(string) : v->string;
    c->value = string || n ? v : NULL;

    return true;
}


const char *
judge_require_regex(judge_require_t *q, const char *before,
    const judge_require_token_t *literals, size_t n, const char *after)
{
    size_t       i, k;
    judge_buf_t  b;
    judge_str_t  s;

    judge_buf_init(&b, q->arena);
    judge_buf_printf(&b, "%s(?:", before);

    for (i = 0; i < n; i++) {
        s = literals[i].text;
        judge_buf_c(&b, i ? "|" : "");

        for (k = 0; k < s.len; k++) {
            judge_buf_c(&b, strchr("\\^$.[]|()?*+{}-#&~", s.data[k])
                            ? "\\" : "");
            judge_buf_append(&b, s.data + k, 1);
            judge_buf_c(&b, s.data[k] == ' ' ? "?" : "");
        }
    }

    judge_buf_printf(&b, ")%s", after);
    judge_buf_append(&b, "", 1);
    q->failed = q->failed || b.failed;

    return b.failed ? "" : b.data;
}


const char *
judge_require_literal(judge_require_t *q, const judge_require_token_t *t)
{
    return judge_str_dup(q->arena, judge_str_trim(t->text, ",")).data;
}


bool
judge_require_bounds(const judge_require_clause_t *c, int64_t *least,
    int64_t *most)
{
    char                          how;
    size_t                        i;
    const judge_require_count_t  *n;

    *least = 0;
    *most = 0;

    for (i = 0; i < c->ncounts; i++) {
        n = &c->counts[i];
        how = n->how;

        if (c->has['N']) {             /* "not more than" */
            how = how == 'l' ? 'X' : how == 'x' ? 'L' : '?';
            if (how == '?' || n->m) {
                return false;
            }
        }

        if ((how == 0 || n->m) && (c->ncounts > 1 || (how && n->m))) {
            return false;
        }

        /* "you may use three" */
        if (how == 'L' || how == 'l'
            || (how == 0 && (n->m || !c->has['c'] || c->has['N']
                             || c->has['J'] || c->has['E'])))
        {
            *least = n->n + (how == 'l');
        }
        if (how == 'X' || how == 'x' || how == 0) {
            *most = n->m ? n->m : n->n - (how == 'x');
        }
    }

    return c->ncounts && *least >= 0 && *most >= 0 && (*least || *most)
           && !(c->ncounts == 2 && (*least == 0 || *most == 0))
           && !(*most && *least > *most)
           && !(c->has['c'] && !c->has['N']
                && (*most == 0 || c->counts[0].how == 'x'));
}


const judge_require_thing_t *
judge_require_find(const char *name)
{
    size_t  i;

    for (i = 0; i < judge_require_things_n; i++) {
        if (strcmp(judge_require_things[i].name, name) == 0) {
            return &judge_require_things[i];
        }
    }

    return NULL;
}


const char *
judge_require_pattern(judge_require_t *q, const char *name)
{
    judge_require_token_t         sign;
    const judge_require_thing_t  *t = judge_require_find(name);

    if (t == NULL || t->value[0] == '\0'
        || strcmp(t->has, "not_regex") == 0)
    {
        return "";
    }

    sign = (judge_require_token_t) { '=', "", judge_str_c(t->value), 0 };

    return strcmp(t->has, "contains_exact") == 0
           ? judge_require_regex(q, "", &sign, 1, "") : t->value;
}
