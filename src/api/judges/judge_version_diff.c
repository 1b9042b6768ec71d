/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The difference between two versions of a judge: in words, and whether what
 * was learned from corrections remains valid. */


#include "base/text/number.h"
#include "analysis/builtin/conversation.h"
#include "work/render/resource_json.h"
#include "api/judges/judge_version.h"


typedef struct {
    judge_buf_t  buf;
    size_t       clauses;
} judge_version_diff_t;


/* Counts a change and describes it, unless JUDGE_VERSION_NAMED are described
 * already. */

static void
judge_version_diff_add(judge_version_diff_t *c, const char *fmt, ...)
{
    va_list  args;

    if (c->clauses++ >= JUDGE_VERSION_NAMED) {
        return;
    }

    judge_buf_c(&c->buf, c->clauses > 1 ? "; " : "");

    va_start(args, fmt);
    judge_buf_vprintf(&c->buf, fmt, args);
    va_end(args);
}


/* `initial` is what an absent value means. */

static void
judge_version_diff_renamed(judge_version_diff_t *c, const char *what,
    judge_str_t from, judge_str_t to, const char *initial)
{
    if (judge_str_eq(from, to)) {
        return;
    }

    from = from.data ? from : judge_str_c(initial);
    to = to.data ? to : judge_str_c(initial);

    judge_version_diff_add(c, "%s from \"%.*s\" to \"%.*s\"", what,
                           judge_str_args(from), judge_str_args(to));
}


static void
judge_version_diff_named(judge_version_diff_t *c, const char *what,
    judge_str_t name)
{
    judge_version_diff_add(c, "%s \"%.*s\"", what, judge_str_args(name));
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


static judge_str_t
judge_version_diff_by(const judge_criterion_row_t *row)
{
    return row->judge_by.data ? row->judge_by : JUDGE_STR("auto");
}


static void
judge_version_diff_criterion(judge_version_diff_t *c,
    const judge_criterion_row_t *from, const judge_criterion_row_t *to)
{
    char    old_text[JUDGE_NUMBER_LEN], new_text[JUDGE_NUMBER_LEN];
    double  old_weight, new_weight;

    judge_version_diff_renamed(c, "renamed a criterion", from->name, to->name,
                               "");

    if (!judge_str_eq(from->description, to->description)) {
        judge_version_diff_named(c, "changed the description of", to->name);
    }

    old_weight = from->weight.set ? from->weight.value : 1;
    new_weight = to->weight.set ? to->weight.value : 1;

    if (old_weight != new_weight) {
        (void) judge_number_format(old_weight, old_text);
        (void) judge_number_format(new_weight, new_text);
        judge_version_diff_add(c, "changed the weight of \"%.*s\" from %s to"
                               " %s", judge_str_args(to->name), old_text,
                               new_text);
    }

    if (judge_version_diff_thresholds(from, to)) {
        judge_version_diff_named(c, "changed the thresholds of", to->name);
    }

    if (judge_version_diff_examples(&from->examples, &to->examples)) {
        judge_version_diff_named(c, "changed the examples of", to->name);
    }

    if (!judge_checks_same(c->buf.arena, &from->checks, &to->checks)) {
        judge_version_diff_named(c, "changed the checks of", to->name);
    }

    if (!judge_str_eq(judge_version_diff_by(from), judge_version_diff_by(to)))
    {
        judge_version_diff_named(c, "changed who judges", to->name);
    }
}


/* Whether the criteria that both versions have changed their order. */

static bool
judge_version_diff_order(const judge_list_t *from, const judge_list_t *to)
{
    size_t                        i, k;
    const judge_criterion_row_t  *a, *b;

    a = from->items;
    b = to->items;

    for (i = 0, k = 0; i < from->count; i++) {
        if (judge_criteria_find(to, a[i].id) == NULL) {
            continue;
        }

        while (k < to->count && judge_criteria_find(from, b[k].id) == NULL) {
            k++;
        }

        if (k == to->count || !judge_str_eq(a[i].id, b[k].id)) {
            return true;
        }
        k++;
    }

    return false;
}


/* Describes changes that do not belong to a single criterion. */

static void
judge_version_diff_settings(judge_version_diff_t *c,
    const judge_judge_row_t *from, const judge_judge_row_t *to)
{
    if (!judge_str_eq(from->reference_uris, to->reference_uris)) {
        judge_version_diff_add(c, "changed the reference content");
    }

    judge_version_diff_renamed(c, "changed the model", from->model, to->model,
                               "default");
    judge_version_diff_renamed(c, "changed the language of feedback",
                               from->feedback_language, to->feedback_language,
                               "text");

    if (!judge_str_eq(from->review, to->review)) {
        judge_version_diff_add(c, "changed what a person should look at");
    }

    if (!judge_str_eq(from->escalate, to->escalate)) {
        judge_version_diff_add(c, "changed when a language model is asked");
    }

    if (from->panel.data && to->panel.data
        && !judge_str_eq(from->panel, to->panel))
    {
        judge_version_diff_add(c, "changed the panel");
    }

    if (!judge_str_eq(from->scope, to->scope)) {
        judge_version_diff_add(c, "changed the scope to %s",
                         judge_scope_names[judge_scope_find(to->scope)]);
    }

    if (from->samples != to->samples) {
        judge_version_diff_add(c, "changed the samples to %lld",
                               (long long) to->samples);
    }
}


judge_str_t
judge_version_summary(judge_arena_t *arena, const judge_version_t *before,
    const judge_version_t *after)
{
    size_t                        i;
    judge_version_diff_t          c;
    const judge_field_t          *f;
    const judge_judge_row_t      *from = &before->row, *to = &after->row;
    const judge_criterion_row_t  *old, *rows;

    judge_buf_init(&c.buf, arena);
    c.clauses = 0;

    judge_version_diff_renamed(&c, "renamed", from->name, to->name, "");

    for (f = &judge_judge_text_fields[1]; f->name; f++) {
        if (!judge_str_eq(*judge_judge_text(from, f),
                          *judge_judge_text(to, f)))
        {
            judge_version_diff_add(&c, "changed the %s", f->name);
        }
    }

    rows = before->criteria.items;
    for (i = 0; i < before->criteria.count; i++) {
        if (judge_criteria_find(&after->criteria, rows[i].id) == NULL) {
            judge_version_diff_named(&c, "removed criterion", rows[i].name);
        }
    }

    rows = after->criteria.items;
    for (i = 0; i < after->criteria.count; i++) {
        old = judge_criteria_find(&before->criteria, rows[i].id);
        if (old) {
            judge_version_diff_criterion(&c, old, &rows[i]);
        } else {
            judge_version_diff_named(&c, "added criterion", rows[i].name);
        }
    }

    if (judge_version_diff_order(&before->criteria, &after->criteria)) {
        judge_version_diff_add(&c, "changed the order of the criteria");
    }

    judge_version_diff_settings(&c, from, to);

    if (c.clauses > JUDGE_VERSION_NAMED) {
        judge_buf_printf(&c.buf, "; and %zu more",
                         c.clauses - JUDGE_VERSION_NAMED);
    }

    return judge_buf_view(&c.buf);
}


bool
judge_version_same_basis(const judge_version_t *before,
    const judge_version_t *after)
{
    size_t                        i;
    const judge_criterion_row_t  *a, *b;

    if (before->criteria.count != after->criteria.count
        || !judge_str_eq(before->row.reference_uris, after->row.reference_uris)
        || !judge_str_eq(before->row.model, after->row.model)
        || !judge_str_eq(before->row.panel, after->row.panel)
        || !judge_str_eq(before->row.scope, after->row.scope))
    {
        return false;
    }

    a = before->criteria.items;

    for (i = 0; i < before->criteria.count; i++) {
        b = judge_criteria_find(&after->criteria, a[i].id);

        if (b == NULL || !judge_str_eq(a[i].name, b->name)
            || !judge_str_eq(a[i].description, b->description)
            || judge_version_diff_examples(&a[i].examples, &b->examples))
        {
            return false;
        }
    }

    return true;
}
