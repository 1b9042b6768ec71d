/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Criteria: their fields and checks, their identifiers, their JSON. */


#include "analysis/aspects/method.h"
#include "analysis/checks/require.h"
#include "api/judges/criteria.h"


/* Bytes that all checks of a judge may need when they are read, among which
 * are compiled patterns: reading takes time on the event loop. */
#define JUDGE_CRITERIA_CHECKED  (16 << 20)


#define judge_threshold(member)                                               \
    judge_field(judge_thresholds_t, member, NUMBER, JUDGE_REQUIRED, 0, 100)

static const judge_field_t  judge_threshold_fields[] = {
    judge_threshold(excellent),
    judge_threshold(good),
    judge_threshold(fair),
    judge_threshold(poor),
    { .name = NULL }
};

const judge_field_t  judge_criteria_fields[] = {
    judge_field(judge_criterion_row_t, name, STRING, JUDGE_REQUIRED, 1, 200),
    judge_field(judge_criterion_row_t, description, STRING, JUDGE_REQUIRED, 1,
                5000),
    judge_field_as("criterion_id", judge_criterion_row_t, id, STRING, 0, 1,
                   200),
    judge_field(judge_criterion_row_t, weight, NUMBER, JUDGE_EXCLUSIVE, 0,
                JUDGE_WEIGHT_MAX),
    judge_field_object("thresholds", judge_criterion_row_t, thresholds,
                       has_thresholds, judge_threshold_fields),
    judge_field_strings(judge_criterion_row_t, examples, 0, 0,
                        JUDGE_EXAMPLES_MAX, 5000),
    judge_checks_field(judge_criterion_row_t, checks),
    judge_field(judge_criterion_row_t, decided, BOOLEAN, 0, 0, 0),
    judge_field(judge_criterion_row_t, judge_by, STRING, 0, 1, 20),
    judge_field(judge_criterion_row_t, judged_by, STRING, 0, 0, 20),
    judge_field(judge_criterion_row_t, judged_by_reason, STRING, 0, 0, 500),
    { .name = NULL }
};


/* Wraps the stored array in an object, so that one table of fields reads both
 * a body and what is stored. */

typedef struct {
    judge_list_t  criteria;
} judge_criteria_stored_t;

static const judge_field_t  judge_criteria_stored_fields[] = {
    judge_criteria_field(judge_criteria_stored_t, criteria, JUDGE_REQUIRED),
    { .name = NULL }
};


/* Reads the checks one by one, so that they are refused before they need more
 * memory than the checks of a judge may. */

static judge_rc_e
judge_criteria_checks(judge_arena_t *arena, judge_arena_t *scratch,
    const judge_list_t *rows, size_t i, judge_str_t *error)
{
    size_t               k;
    judge_rc_e           rc;
    judge_str_t          why;
    judge_list_t         one;
    judge_check_t       *checks;
    judge_check_sent_t  *sent = rows->items;

    for (k = 0; k < rows->count; k++) {
        one = (judge_list_t) { &sent[k], 1, true };
        rc = judge_checks_read(scratch, scratch, &one, &checks, &why);

        if (rc == JUDGE_INVALID) {
            why = judge_str_from(why, sizeof("checks[0]") - 1);
            return judge_invalid(error, judge_str_printf(arena,
                       "criteria[%zu].checks[%zu]%.*s", i, k,
                       judge_str_args(why)));
        }

        if (rc != JUDGE_OK) {
            return rc;
        }

        if (judge_arena_size(scratch) > JUDGE_CRITERIA_CHECKED) {
            return judge_invalid(error, judge_str_printf(arena,
                       "criteria[%zu].checks[%zu]: expected fewer or simpler"
                       " patterns and schemas; those up to this one need more"
                       " than %d MB", i, k, JUDGE_CRITERIA_CHECKED >> 20));
        }
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_criteria_check_one(judge_arena_t *arena, judge_arena_t *scratch,
    const judge_criterion_row_t *rows, size_t i, judge_str_t *error)
{
    size_t                     k;
    const judge_thresholds_t  *t = &rows[i].thresholds;

    for (k = 0; k < i; k++) {
        if (judge_str_eq(rows[i].name, rows[k].name)) {
            return judge_invalid(error, judge_str_printf(arena,
                       "criteria[%zu].name: expected a name that no other"
                       " criterion has", i));
        }
    }

    if (rows[i].has_thresholds
        && !(t->excellent.value >= t->good.value
             && t->good.value >= t->fair.value
             && t->fair.value >= t->poor.value))
    {
        return judge_invalid(error, judge_str_printf(arena,
                   "criteria[%zu].thresholds: expected excellent, good, fair"
                   " and poor in falling order", i));
    }

    return judge_criteria_checks(arena, scratch, &rows[i].checks, i, error);
}


judge_rc_e
judge_criteria_check(judge_arena_t *arena, const judge_list_t *criteria,
    judge_str_t *error)
{
    size_t          i;
    judge_rc_e      rc;
    judge_arena_t  *scratch;

    scratch = judge_arena_create(16 * 1024);
    rc = scratch ? JUDGE_OK : JUDGE_NOMEM;

    for (i = 0; i < criteria->count && rc == JUDGE_OK; i++) {
        rc = judge_criteria_check_one(arena, scratch, criteria->items, i,
                                      error);
    }

    judge_arena_destroy(scratch);

    return rc;
}


const judge_criterion_row_t *
judge_criteria_find(const judge_list_t *criteria, judge_str_t id)
{
    size_t                        i;
    const judge_criterion_row_t  *rows = criteria->items;

    for (i = 0; i < criteria->count; i++) {
        if (rows[i].id.data && judge_str_eq(rows[i].id, id)) {
            return &rows[i];
        }
    }

    return NULL;
}


static judge_rc_e
judge_criteria_by_id(judge_arena_t *arena, judge_str_t id,
    const judge_list_t *before, const judge_list_t *out, judge_str_t *error)
{
    if (id.data == NULL) {
        return JUDGE_OK;
    }

    if (judge_criteria_find(before, id) == NULL) {
        return judge_invalid(error, judge_str_printf(arena,
                   "criteria[%zu].criterion_id: the judge has no such"
                   " criterion", out->count));
    }

    if (judge_criteria_find(out, id)) {
        return judge_invalid(error, judge_str_printf(arena,
                   "criteria[%zu].criterion_id: expected each criterion only"
                   " once", out->count));
    }

    return JUDGE_OK;
}


static void
judge_criteria_by_name(judge_criterion_row_t *row, const judge_list_t *before,
    const judge_list_t *out)
{
    size_t                        k;
    const judge_criterion_row_t  *old = before->items;

    for (k = 0; k < before->count && row->id.data == NULL; k++) {
        if (judge_str_eq(old[k].name, row->name)
            && judge_criteria_find(out, old[k].id) == NULL)
        {
            row->id = old[k].id;
        }
    }
}


/* Takes over who judged the criterion before, which a training may have
 * changed, as long as it asks for the same. */

static void
judge_criteria_known(judge_criterion_row_t *row,
    const judge_criterion_row_t *old)
{
    if (old && judge_str_eq(old->name, row->name)
        && judge_str_eq(old->description, row->description))
    {
        row->judged_by = old->judged_by;
        row->judged_by_reason = old->judged_by_reason;
    }
}


/* Ids are matched before names, so that a criterion that is renamed by its id
 * leaves its old name to another one. */

judge_rc_e
judge_criteria_identify(judge_arena_t *arena, const judge_list_t *sent,
    const judge_list_t *before, judge_ms_t now, judge_list_t *out,
    judge_str_t *error)
{
    size_t                  i;
    judge_rc_e              rc;
    judge_id_t             *ids;
    judge_criterion_row_t  *rows;

    rows = judge_array_alloc(arena, sent->count,
                             sizeof(judge_criterion_row_t));
    ids = judge_array_alloc(arena, sent->count, sizeof(judge_id_t));
    if (rows == NULL || ids == NULL) {
        return JUDGE_NOMEM;
    }

    *out = (judge_list_t) { rows, 0, true };

    for (i = 0; i < sent->count; i++, out->count++) {
        rows[i] = ((const judge_criterion_row_t *) sent->items)[i];

        rc = before ? judge_criteria_by_id(arena, rows[i].id, before, out,
                                           error)
                    : JUDGE_OK;
        if (rc != JUDGE_OK) {
            return rc;
        }

        if (before == NULL) {
            rows[i].id = (judge_str_t) { 0, NULL };
        }

        rows[i].judged_by = rows[i].judged_by_reason
            = (judge_str_t) { 0, NULL };
    }

    for (i = 0; i < sent->count; i++) {
        if (before) {
            judge_criteria_by_name(&rows[i], before, out);
            judge_criteria_known(&rows[i],
                                 judge_criteria_find(before, rows[i].id));
        }

        if (rows[i].id.data == NULL) {
            rc = judge_id_make(&ids[i], "crt", now);
            if (rc != JUDGE_OK) {
                return rc;
            }
            rows[i].id = judge_id_str(&ids[i]);
        }
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_criteria_chosen(judge_arena_t *arena, judge_criterion_row_t *row,
    const judge_criteria_judges_t *judges, judge_criterion_t *c)
{
    uint8_t      by;
    judge_rc_e   rc;
    judge_str_t  why;

    *c = (judge_criterion_t) {
        .name = row->name, .description = row->description,
        .decided = row->decided.value,
        .judge_by = row->judge_by.data ? (uint8_t) judge_judged_by_find(
                                             row->judge_by) : JUDGE_BY_AUTO,
        .untaught = judge_str_find(row->judged_by_reason,
                                   judge_str_c(judge_untaught_reason))
    };

    rc = judge_checks_read(arena, arena, &row->checks, &c->checks, &why);
    if (rc != JUDGE_OK) {
        return rc == JUDGE_NOMEM ? rc : JUDGE_ERROR;
    }

    c->nchecks = row->checks.count;
    rc = judges->text ? judge_method_choose(arena, c, judges->named)
                      : judge_method_media(c, judges->named);

    if (rc != JUDGE_OK) {
        return rc;
    }

    row->decided.value = c->decided;
    by = c->judged_by == JUDGE_BY_MODEL && !judges->named ? JUDGE_BY_NOTHING
                                                          : c->judged_by;

    if (!judges->trained || by == JUDGE_BY_CHECKS
        || judge_judged_by_find(row->judged_by) != JUDGE_BY_CORRECTIONS)
    {
        row->judged_by = judge_str_c(judge_judged_by_names[by]);
        row->judged_by_reason = c->reason;
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_criteria_method(judge_arena_t *arena, judge_criterion_row_t *row,
    size_t i, const judge_criteria_judges_t *judges, judge_str_t *error)
{
    judge_rc_e         rc;
    judge_criterion_t  c;

    c.judge_by = row->judge_by.data ? (uint8_t) judge_judged_by_find(
                                          row->judge_by) : JUDGE_BY_AUTO;
    if (c.judge_by >= JUDGE_BY_NOTHING) {
        return judge_invalid(error, judge_str_printf(arena,
                   "criteria[%zu].judge_by: expected auto, checks, measures,"
                   " model or corrections", i));
    }

    if (c.judge_by == JUDGE_BY_MODEL && !judges->configured) {
        return judge_invalid(error, judge_str_printf(arena,
                   "criteria[%zu].judge_by: expected another than model; no"
                   " language model that takes this content is configured",
                   i));
    }

    rc = judge_criteria_chosen(arena, row, judges, &c);

    return rc == JUDGE_INVALID
           ? judge_invalid(error, judge_str_printf(arena,
                 "criteria[%zu].judge_by: %.*s", i, judge_str_args(c.reason)))
           : rc;
}


judge_rc_e
judge_criteria_describe(judge_arena_t *arena, judge_list_t *criteria,
    const judge_criteria_judges_t *judges, judge_str_t *error)
{
    size_t                  i;
    judge_rc_e              rc;
    judge_criterion_row_t  *rows = criteria->items;

    for (i = 0, rc = JUDGE_OK; i < criteria->count && rc == JUDGE_OK; i++) {
        rows[i].decided.set = true;
        rows[i].decided.value = false;

        if (judges->text) {
            rc = judge_require_merge(arena, rows[i].name, rows[i].description,
                                     &rows[i].checks, &rows[i].decided.value);
        }
        rc = rc ? rc : judge_criteria_method(arena, &rows[i], i, judges,
                                             error);
    }

    return rc;
}


judge_rc_e
judge_criteria_choose(judge_arena_t *arena, judge_list_t *criteria,
    const judge_criteria_judges_t *judges)
{
    size_t                  i;
    judge_rc_e              rc;
    judge_criterion_t       c;
    judge_criterion_row_t  *rows = criteria->items;

    for (i = 0; i < criteria->count; i++) {
        rc = judge_criteria_chosen(arena, &rows[i], judges, &c);
        if (rc != JUDGE_OK && rc != JUDGE_INVALID) {
            return rc;
        }
    }

    return JUDGE_OK;
}


bool
judge_criteria_judged(const judge_list_t *criteria, bool trained)
{
    size_t                        i;
    judge_judged_by_e             by;
    const judge_criterion_row_t  *rows = criteria->items;

    for (i = 0; i < criteria->count; i++) {
        by = judge_judged_by_find(rows[i].judged_by);

        if (by != JUDGE_BY_NOTHING && (by != JUDGE_BY_CORRECTIONS || trained))
        {
            return true;
        }
    }

    return criteria->count == 0;
}


static void
judge_criterion_write(judge_json_writer_t *w, const judge_criterion_row_t *c)
{
    judge_json_object(w);
    judge_json_put_str(w, "criterion_id", c->id);
    judge_json_put_str(w, "name", c->name);
    judge_json_put_str(w, "description", c->description);
    judge_json_put_number(w, "weight", c->weight.set ? c->weight.value : 1);

    if (c->has_thresholds) {
        judge_json_key_object(w, "thresholds");
        judge_json_put_number(w, "excellent", c->thresholds.excellent.value);
        judge_json_put_number(w, "good", c->thresholds.good.value);
        judge_json_put_number(w, "fair", c->thresholds.fair.value);
        judge_json_put_number(w, "poor", c->thresholds.poor.value);
        judge_json_object_end(w);
    }

    if (c->examples.count) {
        judge_json_put_strings(w, "examples", c->examples.items,
                               c->examples.count);
    }

    judge_checks_write(w, &c->checks);

    if (c->decided.value) {
        judge_json_put_bool(w, "decided", true);
    }

    judge_json_put_str(w, "judge_by", c->judge_by);
    judge_json_put_str(w, "judged_by", c->judged_by);
    judge_json_put_str(w, "judged_by_reason", c->judged_by_reason);

    judge_json_object_end(w);
}


judge_str_t
judge_criteria_write(judge_arena_t *arena, const judge_list_t *criteria)
{
    size_t                        i;
    judge_buf_t                   buf;
    judge_json_writer_t           w;
    const judge_criterion_row_t  *rows;

    rows = criteria->items;
    judge_json_begin_array(&w, &buf, arena);

    for (i = 0; i < criteria->count; i++) {
        judge_criterion_write(&w, &rows[i]);
    }

    return judge_json_text(&w);
}


judge_rc_e
judge_criteria_read(judge_arena_t *arena, judge_str_t json,
    judge_list_t *criteria)
{
    judge_rc_e               rc;
    judge_str_t              error;
    judge_json_t            *array, body;
    judge_criteria_stored_t  stored;

    rc = judge_json_parse(arena, json, &array, NULL);
    if (rc != JUDGE_OK) {
        return rc == JUDGE_NOMEM ? rc : JUDGE_ERROR;
    }

    array->key = JUDGE_STR("criteria");
    array->next = NULL;
    body = (judge_json_t) { .type = JUDGE_JSON_OBJECT };
    body.first = array;
    body.last = array;
    body.count = 1;
    stored = (judge_criteria_stored_t) { .criteria = { NULL, 0, false } };

    rc = judge_fields_bind(arena, judge_criteria_stored_fields, &body,
                           JUDGE_STR(""), &stored, &error);
    *criteria = stored.criteria;

    return rc == JUDGE_OK || rc == JUDGE_NOMEM ? rc : JUDGE_ERROR;
}


/* --- Reports ------------------------------------------------------------- */

judge_rc_e
judge_report_criteria(judge_arena_t *arena, judge_str_t json,
    judge_report_criteria_t *c)
{
    size_t                        i, n;
    judge_rc_e                    rc;
    const judge_criterion_row_t  *rows;

    rc = judge_criteria_read(arena, json, &c->rows);
    if (rc != JUDGE_OK) {
        return rc;
    }

    n = c->rows.count;
    rows = c->rows.items;
    c->ids = judge_array_alloc(arena, n, sizeof(judge_str_t));
    c->weights = judge_array_alloc(arena, n, sizeof(double));
    c->pass = judge_array_alloc(arena, n + 1, sizeof(double));
    if (c->ids == NULL || c->weights == NULL || c->pass == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < n; i++) {
        c->ids[i] = rows[i].id;
        c->weights[i] = rows[i].weight.set ? rows[i].weight.value : 1;
        c->pass[i] = rows[i].has_thresholds ? rows[i].thresholds.fair.value
                                            : JUDGE_REPORT_PASS;
    }

    c->pass[n] = JUDGE_REPORT_PASS;

    return JUDGE_OK;
}


void
judge_report_each(judge_json_writer_t *w, const judge_list_t *criteria,
    size_t first, void (*put)(judge_json_writer_t *w, const void *report,
    size_t target), const void *report)
{
    size_t                        i;
    const judge_criterion_row_t  *rows = criteria->items;

    judge_json_key_array(w, "criteria");

    for (i = 0; i < criteria->count; i++) {
        judge_json_object(w);
        judge_json_put_str(w, "criterion_id", rows[i].id);
        judge_json_put_str(w, "name", rows[i].name);
        put(w, report, first + i);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}
