/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Comparing two versions of a judge, clause by clause. */


#include "api/judges/version_diff.h"
#include "base/text/number.h"


typedef struct {
    judge_buf_t  buf;
    size_t       clauses;
} judge_version_diff_t;


static void judge_version_diff_wish(judge_version_diff_t *c,
    const judge_version_diff_side_t *before,
                                    const judge_version_diff_side_t *after);
static bool judge_version_diff_clause(judge_version_diff_t *c);
static void judge_version_diff_named(judge_version_diff_t *c, const char *what,
    judge_str_t name);
static void judge_version_diff_renamed(judge_version_diff_t *c,
    const char *what,
    judge_str_t from, judge_str_t to);
static void judge_version_diff_criterion(judge_version_diff_t *c,
    const judge_criterion_row_t *from, const judge_criterion_row_t *to);
static void judge_version_diff_weight(judge_version_diff_t *c,
    const judge_criterion_row_t *from, const judge_criterion_row_t *to);
static bool judge_version_diff_thresholds(const judge_criterion_row_t *from,
    const judge_criterion_row_t *to);
static bool judge_version_diff_examples(const judge_list_t *from,
    const judge_list_t *to);
static bool judge_version_diff_order(const judge_list_t *from,
    const judge_list_t *to);
static const judge_criterion_row_t *judge_version_diff_find(
    const judge_list_t *criteria, judge_str_t id);


judge_str_t
judge_version_diff_summary(judge_arena_t *arena,
    const judge_version_diff_side_t *before,
                           const judge_version_diff_side_t *after)
{
    size_t                        i;
    judge_version_diff_t          c;
    const judge_criterion_row_t  *old, *rows;

    judge_buf_init(&c.buf, arena);
    c.clauses = 0;

    if (!judge_str_eq(before->name, after->name)) {
        judge_version_diff_renamed(&c, "renamed", before->name, after->name);
    }

    if (!judge_str_eq(before->description, after->description)
        && judge_version_diff_clause(&c))
    {
        judge_buf_c(&c.buf, "changed the description");
    }

    rows = before->criteria.items;
    for (i = 0; i < before->criteria.count; i++) {
        if (judge_version_diff_find(&after->criteria, rows[i].id) == NULL) {
            judge_version_diff_named(&c, "removed criterion", rows[i].name);
        }
    }

    rows = after->criteria.items;
    for (i = 0; i < after->criteria.count; i++) {
        old = judge_version_diff_find(&before->criteria, rows[i].id);
        if (old) {
            judge_version_diff_criterion(&c, old, &rows[i]);
        } else {
            judge_version_diff_named(&c, "added criterion", rows[i].name);
        }
    }

    if (judge_version_diff_order(&before->criteria, &after->criteria)
        && judge_version_diff_clause(&c))
    {
        judge_buf_c(&c.buf, "changed the order of the criteria");
    }

    if (!judge_str_eq(before->references, after->references)
        && judge_version_diff_clause(&c))
    {
        judge_buf_c(&c.buf, "changed the reference content");
    }

    judge_version_diff_wish(&c, before, after);

    if (c.clauses > JUDGE_VERSION_DIFF_NAMED) {
        judge_buf_printf(&c.buf, "; and %zu more",
                         c.clauses - JUDGE_VERSION_DIFF_NAMED);
    }

    return judge_buf_view(&c.buf);
}


static void
judge_version_diff_wish(judge_version_diff_t *c,
    const judge_version_diff_side_t *before,
    const judge_version_diff_side_t *after)
{
    if (!judge_str_eq(before->model, after->model)) {
        judge_version_diff_renamed(c, "changed the model",
                                   before->model.data ? before->model
                                                      : JUDGE_STR("default"),
                                   after->model.data ? after->model
                                                     : JUDGE_STR("default"));
    }

    if (before->samples != after->samples && judge_version_diff_clause(c)) {
        judge_buf_printf(&c->buf, "changed the samples to %lld",
                         (long long) after->samples);
    }
}


/* Counts one more; whether it is also to be written. */

static bool
judge_version_diff_clause(judge_version_diff_t *c)
{
    if (c->clauses++ >= JUDGE_VERSION_DIFF_NAMED) {
        return false;
    }

    if (c->clauses > 1) {
        judge_buf_c(&c->buf, "; ");
    }

    return true;
}


static void
judge_version_diff_named(judge_version_diff_t *c, const char *what,
    judge_str_t name)
{
    if (judge_version_diff_clause(c)) {
        judge_buf_c(&c->buf, what);
        judge_buf_c(&c->buf, " \"");
        judge_buf_str(&c->buf, name);
        judge_buf_c(&c->buf, "\"");
    }
}


static void
judge_version_diff_renamed(judge_version_diff_t *c, const char *what,
    judge_str_t from,
    judge_str_t to)
{
    if (judge_version_diff_clause(c)) {
        judge_buf_c(&c->buf, what);
        judge_buf_c(&c->buf, " from \"");
        judge_buf_str(&c->buf, from);
        judge_buf_c(&c->buf, "\" to \"");
        judge_buf_str(&c->buf, to);
        judge_buf_c(&c->buf, "\"");
    }
}


static void
judge_version_diff_criterion(judge_version_diff_t *c,
    const judge_criterion_row_t *from,
    const judge_criterion_row_t *to)
{
    if (!judge_str_eq(from->name, to->name)) {
        judge_version_diff_renamed(c, "renamed a criterion", from->name,
                                   to->name);
    }

    if (!judge_str_eq(from->description, to->description)) {
        judge_version_diff_named(c, "changed the description of", to->name);
    }

    judge_version_diff_weight(c, from, to);

    if (judge_version_diff_thresholds(from, to)) {
        judge_version_diff_named(c, "changed the thresholds of", to->name);
    }

    if (judge_version_diff_examples(&from->examples, &to->examples)) {
        judge_version_diff_named(c, "changed the examples of", to->name);
    }
}


static void
judge_version_diff_weight(judge_version_diff_t *c,
    const judge_criterion_row_t *from,
    const judge_criterion_row_t *to)
{
    char    old_text[JUDGE_NUMBER_LEN], new_text[JUDGE_NUMBER_LEN];
    double  old_weight, new_weight;

    old_weight = from->weight.set ? from->weight.value : 1;
    new_weight = to->weight.set ? to->weight.value : 1;

    if (old_weight == new_weight || !judge_version_diff_clause(c)) {
        return;
    }

    (void) judge_number_format(old_weight, old_text);
    (void) judge_number_format(new_weight, new_text);

    judge_buf_c(&c->buf, "changed the weight of \"");
    judge_buf_str(&c->buf, to->name);
    judge_buf_printf(&c->buf, "\" from %s to %s", old_text, new_text);
}


static bool
judge_version_diff_thresholds(const judge_criterion_row_t *from,
    const judge_criterion_row_t *to)
{
    const judge_thresholds_t  *a, *b;

    a = &from->thresholds;
    b = &to->thresholds;

    if (!from->has_thresholds || !to->has_thresholds) {
        return from->has_thresholds != to->has_thresholds;
    }

    return a->excellent.value != b->excellent.value
           || a->good.value != b->good.value
           || a->fair.value != b->fair.value
           || a->poor.value != b->poor.value;
}


static bool
judge_version_diff_examples(const judge_list_t *from, const judge_list_t *to)
{
    size_t              i;
    const judge_str_t  *a, *b;

    if (from->count != to->count) {
        return true;
    }

    a = from->items;
    b = to->items;

    for (i = 0; i < from->count; i++) {
        if (!judge_str_eq(a[i], b[i])) {
            return true;
        }
    }

    return false;
}


bool
judge_version_diff_same_basis(const judge_version_diff_side_t *before,
    const judge_version_diff_side_t *after)
{
    size_t                        i;
    const judge_criterion_row_t  *a, *b;

    if (before->criteria.count != after->criteria.count
        || !judge_str_eq(before->references, after->references)
        || !judge_str_eq(before->model, after->model))
    {
        return false;
    }

    a = before->criteria.items;

    for (i = 0; i < before->criteria.count; i++) {
        b = judge_version_diff_find(&after->criteria, a[i].id);

        if (b == NULL || !judge_str_eq(a[i].name, b->name)
            || !judge_str_eq(a[i].description, b->description)
            || judge_version_diff_examples(&a[i].examples, &b->examples))
        {
            return false;
        }
    }

    return true;
}


/* Whether those that stayed stand in another order. */

static bool
judge_version_diff_order(const judge_list_t *from, const judge_list_t *to)
{
    size_t                        i, k;
    const judge_criterion_row_t  *a, *b;

    a = from->items;
    b = to->items;

    for (i = 0, k = 0; i < from->count; i++) {
        if (judge_version_diff_find(to, a[i].id) == NULL) {
            continue;
        }

        while (k < to->count
               && judge_version_diff_find(from, b[k].id) == NULL) {
            k++;
        }

        if (k == to->count || !judge_str_eq(a[i].id, b[k].id)) {
            return true;
        }
        k++;
    }

    return false;
}


static const judge_criterion_row_t *
judge_version_diff_find(const judge_list_t *criteria, judge_str_t id)
{
    size_t                        i;
    const judge_criterion_row_t  *rows;

    rows = criteria->items;

    for (i = 0; i < criteria->count; i++) {
        if (judge_str_eq(rows[i].id, id)) {
            return &rows[i];
        }
    }

    return NULL;
}
