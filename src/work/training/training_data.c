/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The steps stand in the order they run: where to begin, then for each page
 * the examples, what was measured, and both put together. */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/hash.h"
#include "base/json/json.h"
#include "analysis/llm/rubric.h"
#include "work/calibration/calibrator.h"
#include "work/training/training_data.h"


#define JUDGE_TRAINING_DATA_PAGE  1000  /* rows */
#define JUDGE_TRAINING_DATA_TEXTS  (256 * 1024 * 1024)   /* bytes in all */

static void judge_training_data_begin(judge_op_t *op);
static void judge_training_data_next(judge_training_data_t *l);
static void judge_training_data_listed(judge_op_t *op);
static void judge_training_data_measured(judge_op_t *op);
static void judge_training_data_run(judge_task_t *task);
static void judge_training_data_ran(judge_task_t *task);
static void judge_training_data_end(judge_training_data_t *l, judge_rc_e rc);
static judge_rc_e judge_training_data_item(judge_training_data_t *l,
    const judge_example_row_t *row, const judge_measured_t *measured,
    bool *added);
static judge_rc_e judge_training_data_grow(judge_training_data_t *l);
static judge_rc_e judge_training_data_scores(judge_training_data_t *l,
    const judge_json_t *body);
static judge_rc_e judge_training_data_engine(judge_training_data_t *l,
    const judge_json_t *body);
static judge_rc_e judge_training_data_text(judge_training_data_t *l,
    const judge_measured_t *measured);
static void judge_training_data_lesson(judge_training_data_t *l,
    const judge_example_row_t *row);
static size_t judge_training_data_target(const judge_training_data_t *l,
    judge_str_t id);
static uint32_t judge_training_data_hash(judge_str_t s);


void
judge_training_data_gather(judge_training_data_t *l)
{
    l->page = judge_arena_create(256 * 1024);
    l->texts = judge_arena_create(64 * 1024);
    l->measures = judge_arena_create(64 * 1024);
    l->ntargets = l->ncriteria + 1;

    if (l->page == NULL || l->texts == NULL || l->measures == NULL) {
        judge_training_data_end(l, JUDGE_NOMEM);
        return;
    }

    memset(&l->start, 0, sizeof(judge_example_start_t));
    l->start.op.kind = JUDGE_OP_EXAMPLE_START;
    l->start.op.org = l->org;
    l->start.op.arena = l->texts;
    l->start.op.done = judge_training_data_begin;
    l->start.op.data = l;
    l->start.judge_id = l->judge_id;
    l->start.newest = l->newest;
    judge_submit(l->service, &l->start.op);
}


static void
judge_training_data_begin(judge_op_t *op)
{
    judge_training_data_t  *l = op->data;

    if (op->rc != JUDGE_OK) {
        judge_training_data_end(l, op->rc);
        return;
    }

    if (l->start.id.data) {
        l->cut = true;
        judge_id_set(&l->last_evaluation, l->start.id);
        judge_id_set(&l->last_criterion, JUDGE_STR("~"));
    }

    judge_training_data_next(l);
}


static void
judge_training_data_next(judge_training_data_t *l)
{
    judge_arena_reset(l->page);

    memset(&l->list, 0, sizeof(judge_example_list_t));
    l->list.op.kind = JUDGE_OP_EXAMPLE_LIST;
    l->list.op.org = l->org;
    l->list.op.arena = l->page;
    l->list.op.done = judge_training_data_listed;
    l->list.op.data = l;
    l->list.judge_id = l->judge_id;
    l->list.since = l->since;
    l->list.until = l->until;
    l->list.limit = JUDGE_TRAINING_DATA_PAGE;

    if (l->last_evaluation.text[0]) {
        l->list.after_evaluation = judge_id_str(&l->last_evaluation);
        l->list.after_criterion = judge_id_str(&l->last_criterion);
    }

    judge_submit(l->service, &l->list.op);
}


static void
judge_training_data_listed(judge_op_t *op)
{
    size_t                  i;
    judge_training_data_t  *l = op->data;
    judge_example_list_t   *list = &l->list;
    judge_measured_list_t  *measured = &l->measured;

    if (op->rc != JUDGE_OK || list->count == 0) {
        judge_training_data_end(l, op->rc);
        return;
    }

    memset(measured, 0, sizeof(judge_measured_list_t));
    measured->op.kind = JUDGE_OP_MEASURED_LIST;
    measured->op.org = l->org;
    measured->op.arena = l->page;
    measured->op.done = judge_training_data_measured;
    measured->op.data = l;
    measured->max_text = JUDGE_CALIBRATOR_TEXT;
    measured->rows = judge_array_alloc(l->page, list->count,
                                       sizeof(judge_measured_t));
    if (measured->rows == NULL) {
        judge_training_data_end(l, JUDGE_NOMEM);
        return;
    }

    for (i = 0; i < list->count; i++) {
        if (i == 0 || !judge_str_eq(list->rows[i].evaluation_id,
                                    list->rows[i - 1].evaluation_id))
        {
            measured->rows[measured->count++].id =
                list->rows[i].evaluation_id;
        }
    }

    judge_submit(l->service, &measured->op);
}


static void
judge_training_data_measured(judge_op_t *op)
{
    judge_training_data_t  *l = op->data;

    if (op->rc != JUDGE_OK) {
        judge_training_data_end(l, op->rc);
        return;
    }

    judge_service_compute(l->service, &l->task, judge_training_data_run,
                          judge_training_data_ran, l);
}


static void
judge_training_data_ran(judge_task_t *task)
{
    judge_training_data_t      *l = task->data;
    const judge_example_row_t  *last;

    if (l->rc != JUDGE_OK || !l->list.more) {
        judge_training_data_end(l, l->rc);
        return;
    }

    last = &l->list.rows[l->list.count - 1];
    judge_id_set(&l->last_evaluation, last->evaluation_id);
    judge_id_set(&l->last_criterion, last->criterion_id);
    judge_training_data_next(l);
}


static void
judge_training_data_end(judge_training_data_t *l, judge_rc_e rc)
{
    judge_arena_destroy(l->page);
    l->page = NULL;
    l->rc = rc;
    l->done(l);
}


void
judge_training_data_free(judge_training_data_t *l)
{
    judge_arena_destroy(l->page);
    judge_arena_destroy(l->texts);
    judge_training_data_free_features(l);
    free(l->items);
    free(l->raw);
    free(l->shown);
    free(l->target);
    free(l->weight);
    l->page = NULL;
    l->texts = NULL;
    l->items = NULL;
    l->raw = l->shown = l->target = l->weight = NULL;
    l->n = 0;
    l->room = 0;
}


void
judge_training_data_free_features(judge_training_data_t *l)
{
    size_t  i;

    judge_arena_destroy(l->measures);
    l->measures = NULL;

    for (i = 0; i < l->n; i++) {
        l->items[i].features = (judge_str_t) { 0, NULL };
    }
}


/* --- In a thread --------------------------------------------------------- */

static void
judge_training_data_run(judge_task_t *task)
{
    bool                        added;
    size_t                      i, m;
    judge_training_data_t      *l = task->data;
    const judge_example_row_t  *row;

    l->rc = JUDGE_OK;
    added = false;

    for (i = 0, m = 0; l->rc == JUDGE_OK && i < l->list.count; i++) {
        row = &l->list.rows[i];

        while (!judge_str_eq(l->measured.rows[m].id, row->evaluation_id)) {
            m++;
            added = false;
        }

        if (row->weight > 0 && l->measured.rows[m].body.data
            && judge_training_data_target(l, row->criterion_id) < l->ntargets)
        {
            l->rc = judge_training_data_item(l, row, &l->measured.rows[m],
                                             &added);
        }
    }
}


/* An item begins with the first example of it, perhaps on the page
 * before.  One whose record can't be read teaches nothing. */

static judge_rc_e
judge_training_data_item(judge_training_data_t *l,
    const judge_example_row_t *row,
    const judge_measured_t *measured, bool *added)
{
    judge_rc_e              rc;
    judge_json_t           *body;
    judge_training_item_t  *item;

    item = l->n ? &l->items[l->n - 1] : NULL;

    if (!*added
        && (item == NULL || !judge_str_eq(judge_id_str(&item->evaluation),
                                          row->evaluation_id)))
    {
        rc = judge_json_parse(l->page, measured->body, &body, NULL);
        if (rc != JUDGE_OK) {
            return rc == JUDGE_INVALID ? JUDGE_OK : rc;
        }

        rc = judge_training_data_grow(l);
        if (rc == JUDGE_OK) {
            rc = judge_training_data_scores(l, body);
        }
        if (rc == JUDGE_OK) {
            rc = judge_training_data_engine(l, body);
        }
        if (rc != JUDGE_OK) {
            return rc == JUDGE_INVALID ? JUDGE_OK : rc;
        }

        item = &l->items[l->n];
        judge_id_set(&item->evaluation, row->evaluation_id);
        item->version = row->judge_version;
        item->first_at = row->first_at;

        rc = judge_training_data_text(l, measured);
        if (rc != JUDGE_OK) {
            return rc;
        }

        l->n++;
    }

    *added = true;
    judge_training_data_lesson(l, row);

    return JUDGE_OK;
}


static judge_rc_e
judge_training_data_room(void **array, size_t n, size_t size)
{
    void  *larger;

    larger = reallocarray(*array, n, size);
    if (larger == NULL) {
        return JUDGE_NOMEM;
    }

    *array = larger;

    return JUDGE_OK;
}


/* Room for one more, whose numbers are set to nothing known. */

static judge_rc_e
judge_training_data_grow(judge_training_data_t *l)
{
    size_t    i, k, room, rows;
    float   **arrays[] = { &l->raw, &l->shown, &l->target, &l->weight };

    if (l->n == l->room) {
        room = l->room ? 2 * l->room : 256;
        rows = room * l->ntargets;

        if (judge_training_data_room((void **) &l->items, room,
                                     sizeof(judge_training_item_t))
            != JUDGE_OK)
        {
            return JUDGE_NOMEM;
        }

        for (i = 0; i < 4; i++) {
            if (judge_training_data_room((void **) arrays[i], rows,
                                         sizeof(float))
                != JUDGE_OK)
            {
                return JUDGE_NOMEM;
            }
        }

        l->room = room;
    }

    memset(&l->items[l->n], 0, sizeof(judge_training_item_t));

    for (k = 0; k < l->ntargets; k++) {
        i = l->n * l->ntargets + k;
        l->raw[i] = l->shown[i] = l->target[i] = NAN;
        l->weight[i] = 1;
    }

    return JUDGE_OK;
}


static float
judge_training_data_number(const judge_json_t *object, const char *key)
{
    double         v;
    judge_json_t  *member;

    member = object && object->type == JUDGE_JSON_OBJECT
             ? judge_json_get(object, key) : NULL;
    if (member == NULL || (member->type != JUDGE_JSON_INTEGER
                           && member->type != JUDGE_JSON_NUMBER))
    {
        return NAN;
    }

    v = judge_json_double(member);

    return v >= 0 && v <= 100 ? (float) v : NAN;
}


/* Where the judge had learned nothing the engine's score is the one shown.
 * A criterion that the judge did not have yet counts as the overall score. */

static judge_rc_e
judge_training_data_scores(judge_training_data_t *l, const judge_json_t *body)
{
    size_t         t;
    float         *raw, *shown, v;
    judge_json_t  *score, *id;

    raw = &l->raw[l->n * l->ntargets];
    shown = &l->shown[l->n * l->ntargets];

    shown[l->ncriteria] = judge_training_data_number(body, "overall_score");
    v = judge_training_data_number(judge_json_get(body, "provenance"),
                                   "raw_overall_score");
    raw[l->ncriteria] = isnan(v) ? shown[l->ncriteria] : v;

    score = judge_json_get(body, "criteria_scores");

    if (isnan(raw[l->ncriteria]) || score == NULL
        || score->type != JUDGE_JSON_ARRAY)
    {
        return JUDGE_INVALID;
    }

    for (score = score->first; score; score = score->next) {
        id = score->type == JUDGE_JSON_OBJECT
             ? judge_json_get(score, "criterion_id") : NULL;
        if (id == NULL || id->type != JUDGE_JSON_STRING) {
            continue;
        }

        t = judge_training_data_target(l, id->string);
        if (t < l->ncriteria) {
            shown[t] = judge_training_data_number(score, "score");
            v = judge_training_data_number(score, "raw_score");
            raw[t] = isnan(v) ? shown[t] : v;
        }
    }

    for (t = 0; t < l->ncriteria; t++) {
        raw[t] = isnan(raw[t]) ? raw[l->ncriteria] : raw[t];
    }

    return JUDGE_OK;
}


/* "builtin/1": the name before the slash. */

static judge_rc_e
judge_training_data_engine(judge_training_data_t *l, const judge_json_t *body)
{
    size_t         i, len;
    judge_json_t  *engine;

    engine = judge_json_get(body, "engine");
    if (engine == NULL || engine->type != JUDGE_JSON_STRING) {
        return JUDGE_INVALID;
    }

    for (len = 0; len < engine->string.len; len++) {
        if (engine->string.data[len] == '/') {
            break;
        }
    }

    if (len == 0 || len >= sizeof(l->engines[0])) {
        return JUDGE_INVALID;
    }

    for (i = 0; i < l->nengines; i++) {
        if (strlen(l->engines[i]) == len
            && memcmp(l->engines[i], engine->string.data, len) == 0)
        {
            break;
        }
    }

    if (i == JUDGE_TRAINING_DATA_ENGINES) {
        return JUDGE_INVALID;
    }

    if (i == l->nengines) {
        memcpy(l->engines[i], engine->string.data, len);
        l->nengines++;
    }

    l->items[l->n].engine = i;

    return JUDGE_OK;
}


static judge_rc_e
judge_training_data_text(judge_training_data_t *l,
    const judge_measured_t *measured)
{
    judge_str_t             source, features;
    judge_training_item_t  *item;

    features = JUDGE_STR("");
    item = &l->items[l->n];

    item->stale = l->with_texts && measured->features.len
                  && !judge_calibrator_vector_read(measured->features,
                                                   l->engines[item->engine],
                                                   &features);

    if (l->with_texts && measured->features.len && !item->stale) {
        item->features = judge_str_dup(l->measures, features);
        if (item->features.data == NULL) {
            return JUDGE_NOMEM;
        }
    }

    source = measured->metadata.data
             ? judge_rubric_source(l->page, measured->metadata)
             : (judge_str_t) { 0, NULL };
    item->group = judge_training_data_hash(source.len ? source
                                           : measured->text.len
                                           ? measured->text
                                           : judge_id_str(&item->evaluation));

    if (l->with_texts && measured->text.data
        && judge_arena_size(l->texts) < JUDGE_TRAINING_DATA_TEXTS)
    {
        item->text = judge_str_dup(l->texts, measured->text);
        if (item->text.data == NULL) {
            return JUDGE_NOMEM;
        }
    }

    if (!l->with_texts && measured->name.data) {
        item->name = judge_str_dup(l->texts, measured->name);
        if (item->name.data == NULL) {
            return JUDGE_NOMEM;
        }
    }

    return JUDGE_OK;
}


static void
judge_training_data_lesson(judge_training_data_t *l,
    const judge_example_row_t *row)
{
    size_t                  at;
    judge_training_item_t  *item;

    item = &l->items[l->n - 1];
    item->first_at = row->first_at < item->first_at ? row->first_at
                                                    : item->first_at;
    item->last_at = row->last_at > item->last_at ? row->last_at
                                                 : item->last_at;

    at = (l->n - 1) * l->ntargets
         + judge_training_data_target(l, row->criterion_id);
    l->target[at] = (float) row->target;
    l->weight[at] = (float) row->weight;
}


/* ntargets: none of them. */

static size_t
judge_training_data_target(const judge_training_data_t *l, judge_str_t id)
{
    size_t  i;

    if (id.len == 0) {
        return l->ncriteria;
    }

    for (i = 0; i < l->ncriteria; i++) {
        if (judge_str_eq(l->criteria[i], id)) {
            return i;
        }
    }

    return l->ntargets;
}


/* FNV-1a, and splitmix64's finalizer so that all 32 bits are even. */

static uint32_t
judge_training_data_hash(judge_str_t s)
{
    return (uint32_t) (judge_mix(judge_fnv(JUDGE_FNV_START, s.data, s.len))
                       >> 32);
}
