/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What a version of a judge consists of: the fields of a request that make
 * it, how they change the version before, and the difference in words.
 */


#include "base/text/number.h"
#include "api/http/request.h"
#include "api/judges/judge_version.h"


typedef struct {
    judge_buf_t  buf;
    size_t       clauses;
} judge_version_diff_t;


static void judge_version_references_found(judge_req_t *r);
static judge_rc_e judge_version_criteria(judge_req_t *r,
    const judge_version_body_t *body, const judge_version_t *before,
    judge_version_t *after, judge_str_t *error);
static judge_rc_e judge_version_references(judge_arena_t *arena,
    const judge_list_t *references, judge_str_t *json);
static void judge_version_diff_model(judge_version_diff_t *c,
    const judge_version_t *before, const judge_version_t *after);
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


#define judge_version_at(member)  offsetof(judge_version_body_t, member)

#define judge_version_texts(is_required)                                      \
    { .name = "name", .type = JUDGE_FIELD_STRING, .flags = is_required,       \
      .offset = judge_version_at(row.name), .min = 1, .max = 200 },           \
    { .name = "description", .type = JUDGE_FIELD_STRING,                      \
      .flags = is_required, .offset = judge_version_at(row.description),      \
      .min = 0, .max = 5000 }

#define judge_version_rest(is_required)                                       \
    judge_criteria_field(judge_version_body_t, criteria, is_required),        \
    { .name = "reference_content_uri",                                        \
      .type = JUDGE_FIELD_STRING_OR_STRINGS,                                  \
      .offset = judge_version_at(references), .min = 0,                       \
      .max = JUDGE_REFERENCES_MAX, .item_max = 2000 },                        \
    { .name = "model", .type = JUDGE_FIELD_STRING,                            \
      .offset = judge_version_at(row.model), .min = 0, .max = 100 },          \
    { .name = "samples", .type = JUDGE_FIELD_INTEGER,                         \
      .offset = judge_version_at(samples), .min = 1, .max = 10 }

const judge_field_t  judge_version_create_fields[] = {
    judge_version_texts(JUDGE_REQUIRED),
    judge_field_one_of(judge_version_body_t, content_type, CHOICE,
                       JUDGE_REQUIRED, judge_content_types),
    judge_version_rest(JUDGE_REQUIRED),
    { .name = NULL }
};

const judge_field_t  judge_version_update_fields[] = {
    judge_version_texts(0),
    judge_version_rest(0),
    { .name = NULL }
};

const judge_resource_t  judge_judges_resource = { "jdg", "judge", "judges" };


/* --- Checking ------------------------------------------------------------ */

bool
judge_version_check(judge_req_t *r)
{
    judge_rc_e             rc;
    judge_str_t            error;
    judge_version_body_t  *body = r->ctx;

    rc = judge_criteria_check(r->arena, &body->criteria, &error);

    return judge_check(r, rc, &error);
}


void
judge_version_check_references(judge_req_t *r, judge_step_pt next)
{
    judge_version_body_t  *body = r->ctx;

    body->next = next;
    judge_references_check(r, &body->references, &body->check,
                           judge_version_references_found, next);
}


static void
judge_version_references_found(judge_req_t *r)
{
    judge_version_body_t  *body = r->ctx;

    if (judge_references_found(r, &body->check)) {
        body->next(r);
    }
}


/* --- Making -------------------------------------------------------------- */

judge_rc_e
judge_version_make(judge_req_t *r, const judge_version_t *before,
    judge_version_t *after, judge_str_t *error)
{
    judge_rc_e                    rc;
    judge_judge_row_t            *row;
    const judge_judge_row_t      *sent;
    const judge_version_body_t   *body = r->ctx;
    static const judge_version_t  none;

    *after = before ? *before : none;
    row = &after->row;
    sent = &body->row;

    row->name = sent->name.data ? sent->name : row->name;
    row->description = sent->description.data ? sent->description
                                              : row->description;
    row->samples = body->samples.set ? body->samples.value : row->samples;

    if (sent->model.data) {
        row->model = sent->model.len ? sent->model
                                     : (judge_str_t) { 0, NULL };
    }

    rc = JUDGE_OK;
    if (body->references.set) {
        rc = judge_version_references(r->arena, &body->references,
                                      &row->reference_uris);
    }

    if (rc == JUDGE_OK && body->criteria.set) {
        rc = judge_version_criteria(r, body, before, after, error);
    }

    return rc == JUDGE_OK ? judge_references_identify(r->arena, row) : rc;
}


static judge_rc_e
judge_version_criteria(judge_req_t *r, const judge_version_body_t *body,
    const judge_version_t *before, judge_version_t *after, judge_str_t *error)
{
    judge_rc_e          rc;
    judge_judge_row_t  *row;

    rc = judge_criteria_identify(r->arena, &body->criteria,
                                 before ? &before->criteria : NULL,
                                 judge_now(r->service), &after->criteria,
                                 error);
    if (rc != JUDGE_OK) {
        return rc;
    }

    row = &after->row;
    row->criteria_count = (int64_t) after->criteria.count;
    row->criteria = judge_criteria_write(r->arena, &after->criteria);

    return row->criteria.data ? JUDGE_OK : JUDGE_NOMEM;
}


/* A JSON array; absent where there are none. */

static judge_rc_e
judge_version_references(judge_arena_t *arena, const judge_list_t *references,
    judge_str_t *json)
{
    size_t                i;
    judge_rc_e            rc;
    judge_buf_t           buf;
    judge_json_writer_t   w;
    const judge_str_t    *uris;

    *json = (judge_str_t) { 0, NULL };
    if (references->count == 0) {
        return JUDGE_OK;
    }

    uris = references->items;
    judge_buf_init(&buf, arena);
    judge_json_begin(&w, &buf);
    judge_json_array(&w);

    for (i = 0; i < references->count; i++) {
        judge_json_str(&w, uris[i]);
    }

    judge_json_array_end(&w);
    rc = judge_json_finish(&w);
    *json = judge_buf_view(&buf);

    return rc;
}


/* --- Comparing ----------------------------------------------------------- */

judge_str_t
judge_version_summary(judge_arena_t *arena, const judge_version_t *before,
    const judge_version_t *after)
{
    size_t                        i;
    judge_version_diff_t          c;
    const judge_criterion_row_t  *old, *rows;

    judge_buf_init(&c.buf, arena);
    c.clauses = 0;

    if (!judge_str_eq(before->row.name, after->row.name)) {
        judge_version_diff_renamed(&c, "renamed", before->row.name,
                                   after->row.name);
    }

    if (!judge_str_eq(before->row.description, after->row.description)
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

    if (!judge_str_eq(before->row.reference_uris, after->row.reference_uris)
        && judge_version_diff_clause(&c))
    {
        judge_buf_c(&c.buf, "changed the reference content");
    }

    judge_version_diff_model(&c, before, after);

    if (c.clauses > JUDGE_VERSION_NAMED) {
        judge_buf_printf(&c.buf, "; and %zu more",
                         c.clauses - JUDGE_VERSION_NAMED);
    }

    return judge_buf_view(&c.buf);
}


static void
judge_version_diff_model(judge_version_diff_t *c,
    const judge_version_t *before,
    const judge_version_t *after)
{
    if (!judge_str_eq(before->row.model, after->row.model)) {
        judge_version_diff_renamed(c, "changed the model",
                                   before->row.model.data ? before->row.model
                                                      : JUDGE_STR("default"),
                                   after->row.model.data ? after->row.model
                                                     : JUDGE_STR("default"));
    }

    if (before->row.samples != after->row.samples
        && judge_version_diff_clause(c))
    {
        judge_buf_printf(&c->buf, "changed the samples to %lld",
                         (long long) after->row.samples);
    }
}


/* Counts a change; false: there are too many to write this one. */

static bool
judge_version_diff_clause(judge_version_diff_t *c)
{
    if (c->clauses++ >= JUDGE_VERSION_NAMED) {
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
judge_version_same_basis(const judge_version_t *before,
    const judge_version_t *after)
{
    size_t                        i;
    const judge_criterion_row_t  *a, *b;

    if (before->criteria.count != after->criteria.count
        || !judge_str_eq(before->row.reference_uris, after->row.reference_uris)
        || !judge_str_eq(before->row.model, after->row.model))
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


/* Whether the criteria that both have are in another order. */

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
