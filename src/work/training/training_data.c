/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The steps stand in the order they run: find the first evaluation, then read
 * and merge page by page. */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/hash.h"
#include "base/json/json.h"
#include "analysis/builtin/engine.h"
#include "analysis/text/language.h"
#include "analysis/text/math.h"
#include "work/calibration/calibrator.h"
#include "work/calibration/scores.h"
#include "work/training/training_data.h"


#define JUDGE_TRAINING_DATA_WHOLE  32  /* evaluations read at once with whole
                                          texts */
#define JUDGE_TRAINING_DATA_SLICE  200    /* bytes of a value, at most */
#define JUDGE_TRAINING_DATA_TEXTS  (256 * 1024 * 1024)   /* bytes of texts */

static void judge_training_data_begin(judge_op_t *op);
static void judge_training_data_listed(judge_op_t *op);
static void judge_training_data_run(judge_task_t *task);
static void judge_training_data_ran(judge_task_t *task);


static void
judge_training_data_op(judge_training_data_t *l, judge_op_t *op,
    judge_op_kind_e kind, judge_arena_t *arena, void (*done)(judge_op_t *op))
{
    op->kind = kind;
    op->org = l->org;
    op->arena = arena;
    op->done = done;
    op->data = l;
    judge_submit(l->service, op);
}


static void
judge_training_data_end(judge_training_data_t *l, judge_rc_e rc)
{
    judge_arena_destroy(l->page);
    l->page = NULL;
    l->rc = rc;
    l->done(l);
}


static void
judge_training_data_next(judge_training_data_t *l)
{
    if (l->stopped && l->stopped(l)) {
        judge_training_data_end(l, JUDGE_STALE);
        return;
    }

    judge_arena_reset(l->page);

    l->list = (judge_example_list_t) {
        .judge_id = l->judge_id, .batch_id = l->batch_id, .until = l->until,
        .after = judge_id_str(&l->last), .before = l->before,
        .limit = l->measure ? JUDGE_TRAINING_DATA_WHOLE : JUDGE_EXAMPLE_PAGE,
        .max_text = l->measure ? INT32_MAX
                    : l->with_texts ? JUDGE_CALIBRATOR_TEXT : 0
    };
    judge_training_data_op(l, &l->list.op, JUDGE_OP_EXAMPLE_LIST, l->page,
                           judge_training_data_listed);
}


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

    if (l->newest == 0) {
        judge_id_set(&l->last, l->after);
        judge_training_data_next(l);
        return;
    }

    l->start = (judge_example_start_t) {
        .judge_id = l->judge_id, .newest = l->newest
    };
    judge_training_data_op(l, &l->start.op, JUDGE_OP_EXAMPLE_START, l->texts,
                           judge_training_data_begin);
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
        judge_id_set(&l->last, l->start.id);
    }

    judge_training_data_next(l);
}


static void
judge_training_data_listed(judge_op_t *op)
{
    judge_training_data_t  *l = op->data;

    if (op->rc != JUDGE_OK || l->list.count == 0) {
        judge_training_data_end(l, op->rc);
        return;
    }

    judge_service_compute(l->service, &l->task, judge_training_data_run,
                          judge_training_data_ran, l);
}


static void
judge_training_data_ran(judge_task_t *task)
{
    judge_training_data_t  *l = task->data;

    l->cut = l->cut || (l->most && l->n >= l->most);

    if (l->rc != JUDGE_OK || (int64_t) l->list.count < l->list.limit
        || (l->most && l->cut))
    {
        judge_training_data_end(l, l->rc);
        return;
    }

    judge_id_set(&l->last, l->list.items[l->list.count - 1].id);
    judge_training_data_next(l);
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
    free(l->corrected);
    free(l->panel);
    memset(l, 0, sizeof(judge_training_data_t));
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

static size_t
judge_training_data_target(const judge_training_data_t *l, judge_str_t id)
{
    size_t  i;

    if (id.len == 0) {
        return l->ncriteria;
    }

    i = judge_str_index(l->criteria, l->ncriteria, id);

    return i < l->ncriteria ? i : l->ntargets;
}


/* Makes room for one more item, whose scores are set to NaN. */

static judge_rc_e
judge_training_data_grow(judge_training_data_t *l)
{
    void    *larger;
    size_t   i, k, n, room;
    struct {
        void   **array;
        size_t   size;
    } arrays[] = {
        { (void **) &l->items, sizeof(judge_training_item_t) },
        { (void **) &l->raw, l->ntargets * sizeof(float) },
        { (void **) &l->shown, l->ntargets * sizeof(float) },
        { (void **) &l->target, l->ntargets * sizeof(float) },
        { (void **) &l->weight, l->ntargets * sizeof(float) },
        { (void **) &l->corrected, l->ntargets * sizeof(float) },
        { (void **) &l->panel, l->nmembers * l->ncriteria * sizeof(float) }
    };

    if (l->n == l->room) {
        room = l->room ? 2 * l->room : 256;

        for (i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++) {
            if (arrays[i].size == 0) {
                continue;
            }

            larger = reallocarray(*arrays[i].array, room, arrays[i].size);
            if (larger == NULL) {
                return JUDGE_NOMEM;
            }

            *arrays[i].array = larger;
        }

        l->room = room;
    }

    memset(&l->items[l->n], 0, sizeof(judge_training_item_t));

    for (k = 0; k < l->ntargets; k++) {
        i = l->n * l->ntargets + k;
        l->raw[i] = l->shown[i] = l->target[i] = l->corrected[i] = NAN;
        l->weight[i] = 1;
    }

    n = l->nmembers * l->ncriteria;

    for (k = 0; k < n; k++) {
        l->panel[l->n * n + k] = NAN;
    }

    return JUDGE_OK;
}


/* Reads the scores that the members of a panel gave to the t-th criterion. */

static void
judge_training_data_panel(judge_training_data_t *l, const judge_json_t *score,
    size_t t)
{
    size_t               k;
    const judge_json_t  *m;

    m = judge_json_member(score, "panel", JUDGE_JSON_ARRAY);

    for (m = l->nmembers && m ? m->first : NULL; m; m = m->next) {
        k = judge_str_index(l->members, l->nmembers,
                            judge_json_string(m, "model"));

        if (k < l->nmembers) {
            l->panel[(l->n * l->nmembers + k) * l->ncriteria + t] =
                (float) judge_scores_number(m, "score");
        }
    }
}


/* Copies the given scores and the engine's scores.  Those that an evaluation
 * does not have stay NaN. */

static void
judge_training_data_scores(judge_training_data_t *l,
    const judge_scores_t *scores)
{
    size_t                i, t, at;
    const judge_score_t  *s;

    for (i = 0; i < scores->n; i++) {
        s = &scores->scores[i];
        t = judge_training_data_target(l, s->criterion_id);

        if (t < l->ntargets) {
            at = l->n * l->ntargets + t;
            l->shown[at] = (float) s->score;
            l->raw[at] = (float) s->raw;
        }

        if (t < l->ncriteria) {
            judge_training_data_panel(l, s->json, t);
        }
    }
}


static bool
judge_training_data_slice(judge_training_data_t *l, judge_str_t metadata,
    judge_str_t *slice)
{
    judge_str_t          text;
    const judge_json_t  *v;

    v = judge_json_find(judge_json_read(l->page, metadata), l->slice);
    if (v == NULL || v->type == JUDGE_JSON_NULL
        || v->type == JUDGE_JSON_OBJECT || v->type == JUDGE_JSON_ARRAY)
    {
        return true;
    }

    text = v->type == JUDGE_JSON_STRING ? v->string
                                        : judge_json_value_text(l->page, v);

    if (text.data && text.len <= JUDGE_TRAINING_DATA_SLICE) {
        *slice = text = judge_str_dup(l->texts, text);
    }

    return text.data != NULL;
}


/* Copies the features.  If they are stale, measure() measures them again,
 * unless it is NULL or there is no text. */

static judge_rc_e
judge_training_data_features(judge_training_data_t *l,
    const judge_taught_t *measured)
{
    judge_rc_e              rc;
    judge_str_t             features;
    judge_training_item_t  *item = &l->items[l->n];

    if (!l->with_texts || measured->features.len == 0) {
        return JUDGE_OK;
    }

    if (judge_calibrator_vector_read(measured->features, item->engine,
                                     &features))
    {
        item->features = judge_str_dup(l->measures, features);
        return item->features.data ? JUDGE_OK : JUDGE_NOMEM;
    }

    item->stale = true;
    rc = l->measure && measured->text.data
         ? l->measure(l, l->n, measured) : JUDGE_OK;
    l->nstale += item->stale;

    return rc;
}


static judge_rc_e
judge_training_data_text(judge_training_data_t *l,
    const judge_taught_t *measured)
{
    judge_str_t             text, source;
    judge_item_t            shown;
    judge_training_item_t  *item = &l->items[l->n];

    text = measured->text;
    text.len = text.len < JUDGE_CALIBRATOR_TEXT ? text.len
                                                : JUDGE_CALIBRATOR_TEXT;

    shown = (judge_item_t) { .text = text };
    judge_rubric_item(l->page, measured->metadata, &shown);
    source = shown.source.len ? shown.source : text.len ? text
             : judge_id_str(&item->evaluation);

    /* judge_mix() spreads the hash evenly over the upper 32 bits. */
    item->group = (uint32_t) (judge_mix(judge_fnv(JUDGE_FNV_START,
                                                  source.data, source.len))
                              >> 32);

    if (l->with_texts && text.data
        && judge_arena_size(l->texts) < JUDGE_TRAINING_DATA_TEXTS)
    {
        item->text = judge_str_dup(l->texts, text);
        if (item->text.data == NULL) {
            return JUDGE_NOMEM;
        }
    }

    if (l->slice.data && measured->metadata.data
        && !judge_training_data_slice(l, measured->metadata, &item->slice))
    {
        return JUDGE_NOMEM;
    }

    if (!l->with_texts && measured->name.data) {
        item->name = judge_str_dup(l->texts, measured->name);
        if (item->name.data == NULL) {
            return JUDGE_NOMEM;
        }
    }

    return JUDGE_OK;
}


/* Adds an item whose record can be parsed; JUDGE_INVALID: this one can't. */

static judge_rc_e
judge_training_data_item(judge_training_data_t *l, const judge_taught_t *row)
{
    judge_rc_e              rc;
    judge_scores_t          scores;
    judge_training_item_t  *item;

    rc = judge_scores_read(l->page, row->body, &scores);
    rc = rc ? rc : judge_training_data_grow(l);
    if (rc != JUDGE_OK) {
        return rc;
    }

    judge_training_data_scores(l, &scores);
    item = &l->items[l->n];
    item->engine = judge_calibrator_engine_of(scores.engine);
    if (item->engine == NULL) {
        return JUDGE_INVALID;
    }

    judge_id_set(&item->evaluation, row->id);
    item->version = row->judge_version;
    item->first_at = INT64_MAX;
    item->review = row->review;
    item->language = judge_language_find(scores.language);
    item->decided = scores.decided;
    item->builtin = (float) scores.builtin;

    rc = judge_training_data_features(l, row);

    return rc == JUDGE_OK ? judge_training_data_text(l, row) : rc;
}


/* Sets people's scores of the item from n examples; false: none of them is of
 * a target and counts. */

static bool
judge_training_data_taught(judge_training_data_t *l,
    const judge_example_row_t *rows, size_t n, judge_training_item_t *item)
{
    bool    taught;
    size_t  i, t, at;

    for (i = 0, taught = false; i < n; i++) {
        t = judge_training_data_target(l, rows[i].criterion_id);
        if (!(rows[i].weight > 0) || t == l->ntargets) {
            continue;
        }

        at = l->n * l->ntargets + t;
        l->target[at] = (float) rows[i].target;
        l->weight[at] = (float) rows[i].weight;
        l->corrected[at] = rows[i].corrected ? (float) rows[i].human : NAN;
        item->first_at = rows[i].first_at < item->first_at
                         ? rows[i].first_at : item->first_at;
        item->last_at = rows[i].last_at > item->last_at ? rows[i].last_at
                                                        : item->last_at;
        taught = true;
    }

    return taught;
}


/* Merges a page: keeps the items that have a score by people. */

static void
judge_training_data_run(judge_task_t *task)
{
    size_t                      i, n;
    judge_training_data_t      *l = task->data;
    const judge_taught_t       *item;
    const judge_example_row_t  *row = l->list.rows;
    const judge_example_row_t  *end = row + l->list.nrows;

    l->rc = JUDGE_OK;

    for (i = 0; i < l->list.count && l->rc == JUDGE_OK; i++, row += n) {
        item = &l->list.items[i];

        for (n = 0; row + n < end
                    && judge_str_eq(row[n].evaluation_id, item->id); n++)
        {
            /* void */
        }

        if (n == 0 || item->body.data == NULL) {
            continue;
        }

        l->rc = judge_training_data_item(l, item);

        if (l->rc == JUDGE_OK) {
            l->n += judge_training_data_taught(l, row, n, &l->items[l->n]);
        } else if (l->rc == JUDGE_INVALID) {
            l->rc = JUDGE_OK;
        }
    }
}


const float *
judge_training_data_member(const judge_training_data_t *data, size_t item,
    size_t member)
{
    return data->panel + (item * data->nmembers + member) * data->ncriteria;
}


uint32_t *
judge_training_data_groups(judge_arena_t *arena,
    const judge_training_data_t *data)
{
    size_t     i;
    uint32_t  *group;

    group = judge_array_alloc(arena, data->n + 1, sizeof(uint32_t));

    for (i = 0; group && i < data->n; i++) {
        group[i] = data->items[i].group;
    }

    return group;
}


float
judge_training_data_people(const judge_training_data_t *l, size_t item,
    const float *scores, const double *weights)
{
    size_t        t;
    double        sum, all;
    const float  *shown = &l->shown[item * l->ntargets];

    if (!isnan(scores[l->ncriteria])) {
        return scores[l->ncriteria];
    }

    for (t = 0, sum = 0, all = 0; t < l->ncriteria; t++) {
        if (!isnan(shown[t])) {
            all += weights[t];
            sum += isnan(scores[t]) ? 0 : weights[t] * ((double) scores[t]
                                                      - (double) shown[t]);
        }
    }

    return isnan(shown[l->ncriteria]) || all <= 0 ? NAN
           : (float) judge_clamp((double) shown[l->ncriteria] + sum / all, 0,
                                 100);
}
