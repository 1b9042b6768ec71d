/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The bytes of a model: a head, the cuts of the features, the idf of the
 * n-grams if there are any, then target by target its parts.  In the byte
 * order of the machine, as the features that are stored are.
 */


#include <math.h>
#include <string.h>

#include "analysis/builtin/prior.h"
#include "analysis/learning/learn_parts.h"
#include "analysis/learning/predictor.h"


#define JUDGE_PREDICTOR_MAGIC   0x324d4c4au        /* "JLM2" */
#define JUDGE_PREDICTOR_FEATURES  4096
#define JUDGE_PREDICTOR_TREES   100000
#define JUDGE_NOVELTY_LEAST     10     /* features that tell anything */

typedef struct {
    uint32_t  magic;
    uint32_t  nfeatures;
    uint32_t  ntargets;
    uint32_t  grams;                   /* whether there are any */
    uint32_t  text_features;
    uint32_t  ncore;
    uint32_t  npoints;
} judge_predictor_head_t;

typedef struct {
    const char     *at;
    size_t          left;
    judge_arena_t  *arena;
    bool            failed;
} judge_bytes_t;


static void *judge_bytes_take(judge_bytes_t *bytes, size_t n, size_t size);
static float *judge_predictor_read_idf(judge_bytes_t *bytes);
static bool judge_predictor_read_target(judge_bytes_t *bytes,
    const judge_predictor_t *model, judge_predictor_target_t *t);
static void judge_predictor_core(const judge_predictor_t *model,
    const float *features, const float *raw, float *core);
static float judge_predictor_one(const judge_predictor_t *model,
    const judge_predictor_target_t *t, const float *scratch,
    const float *raws, size_t target, const judge_ngram_t *grams,
    size_t ngrams);


void
judge_predictor_write(const judge_predictor_t *model, judge_buf_t *out)
{
    size_t                           i;
    uint8_t                          idf;
    judge_predictor_head_t           head;
    judge_predictor_part_t           part;
    const judge_predictor_target_t  *t;

    head = (judge_predictor_head_t) {
        JUDGE_PREDICTOR_MAGIC, (uint32_t) model->input.nfeatures,
        (uint32_t) model->input.ntargets, model->idf != NULL,
        model->text_features, (uint32_t) model->ncore,
        (uint32_t) model->npoints };

    judge_buf_append(out, &head, sizeof(head));
    judge_buf_append(out, model->input.cuts,
                     model->input.nfeatures * JUDGE_CUTS * sizeof(float));
    for (i = 0; model->idf && i < JUDGE_NGRAMS; i++) {
        idf = (uint8_t) (model->idf[i] * JUDGE_IDF_UNIT + 0.5f);
        judge_buf_append(out, &idf, 1);
    }

    judge_buf_append(out, model->core, model->ncore == 0 ? 0
                     : (model->npoints + 2) * model->ncore * sizeof(float));

    for (i = 0; i < model->input.ntargets; i++) {
        t = &model->targets[i];
        part = t->part;
        part.has_gp = t->lines != NULL;
        part.has_ridge = t->ridge != NULL;
        part.has_grams = t->grams != NULL;

        judge_buf_append(out, &part, sizeof(part));
        if (t->ridge) {
            judge_buf_append(out, t->ridge,
                             JUDGE_RIDGES * (model->nin + 1) * sizeof(float));
        }
        judge_buf_append(out, t->trees, part.ntrees * sizeof(judge_tree_t));
        if (t->grams) {
            judge_buf_append(out, t->grams, JUDGE_NGRAMS);
        }
        if (t->lines) {
            judge_buf_append(out, t->lines, 2 * sizeof(judge_gp_line_t));
            judge_buf_append(out, t->weights,
                             (model->nin + 1 + model->ncore + model->npoints)
                             * sizeof(float));
        }
    }
}


/* A copy, so that it lies as the machine wants it. */

static void *
judge_bytes_take(judge_bytes_t *bytes, size_t n, size_t size)
{
    void  *copy;

    if (bytes->failed || n > bytes->left / size) {
        bytes->failed = true;
        return NULL;
    }

    copy = judge_alloc(bytes->arena, n * size + 1);
    if (copy == NULL) {
        bytes->failed = true;
        return NULL;
    }

    memcpy(copy, bytes->at, n * size);
    bytes->at += n * size;
    bytes->left -= n * size;

    return copy;
}


judge_predictor_t *
judge_predictor_read(judge_arena_t *arena, judge_str_t data)
{
    size_t                   i;
    judge_bytes_t            bytes;
    judge_predictor_t       *model;
    judge_predictor_head_t  *head;

    bytes = (judge_bytes_t) { data.data, data.len, arena, data.data == NULL };
    head = judge_bytes_take(&bytes, 1, sizeof(judge_predictor_head_t));
    model = judge_calloc(arena, sizeof(judge_predictor_t));

    if (head == NULL || model == NULL || head->magic != JUDGE_PREDICTOR_MAGIC
        || head->nfeatures > JUDGE_PREDICTOR_FEATURES || head->ntargets == 0
        || head->ntargets > JUDGE_LEARN_TARGETS
        || head->npoints > JUDGE_GP_MOST
        || (head->ncore != 0
            && head->ncore != (head->text_features ? JUDGE_FACTORS
                                                   : head->ntargets))
        || (head->text_features && head->nfeatures != JUDGE_FEATURES))
    {
        return NULL;
    }

    model->input.nfeatures = head->nfeatures;
    model->input.ntargets = head->ntargets;
    model->nin = head->nfeatures + head->ntargets;
    model->input.cuts = judge_bytes_take(&bytes, head->nfeatures,
                                         JUDGE_CUTS * sizeof(float));
    if (head->grams) {
        model->idf = judge_predictor_read_idf(&bytes);
    }

    model->text_features = head->text_features != 0;
    model->ncore = head->ncore;
    model->npoints = head->npoints;

    if (head->ncore) {
        model->core = judge_bytes_take(&bytes, (head->npoints + 2)
                                               * head->ncore, sizeof(float));
    }

    model->targets = judge_array_alloc(arena, head->ntargets,
                                       sizeof(judge_predictor_target_t));
    if (model->targets == NULL) {
        return NULL;
    }

    for (i = 0; i < head->ntargets; i++) {
        if (!judge_predictor_read_target(&bytes, model,
                                         &model->targets[i])
            || (model->targets[i].grams && model->idf == NULL))
        {
            return NULL;
        }
    }

    return bytes.left ? NULL : model;
}


static float *
judge_predictor_read_idf(judge_bytes_t *bytes)
{
    float    *idf;
    size_t    i;
    uint8_t  *stored;

    stored = judge_bytes_take(bytes, JUDGE_NGRAMS, 1);
    idf = judge_array_alloc(bytes->arena, JUDGE_NGRAMS, sizeof(float));

    for (i = 0; stored && idf && i < JUDGE_NGRAMS; i++) {
        idf[i] = stored[i] / JUDGE_IDF_UNIT;
    }

    bytes->failed = bytes->failed || idf == NULL;

    return idf;
}


static bool
judge_predictor_read_target(judge_bytes_t *bytes,
    const judge_predictor_t *model, judge_predictor_target_t *t)
{
    size_t                   nin = model->nin;
    judge_predictor_part_t  *part;

    part = judge_bytes_take(bytes, 1, sizeof(judge_predictor_part_t));
    if (part == NULL || part->ntrees > JUDGE_PREDICTOR_TREES) {
        return false;
    }

    t->part = *part;

    if (part->has_ridge) {
        t->ridge = judge_bytes_take(bytes, JUDGE_RIDGES * (nin + 1),
                                    sizeof(float));
    }

    t->trees = judge_bytes_take(bytes, part->ntrees, sizeof(judge_tree_t));
    if (part->has_grams) {
        t->grams = judge_bytes_take(bytes, JUDGE_NGRAMS, 1);
    }

    if (part->has_gp && model->ncore) {
        t->lines = judge_bytes_take(bytes, 2, sizeof(judge_gp_line_t));
        t->weights = judge_bytes_take(bytes, nin + 1 + model->ncore
                                             + model->npoints, sizeof(float));
    }

    return !bytes->failed && judge_tree_check(t->trees, part->ntrees, nin);
}


size_t
judge_predictor_features(const judge_predictor_t *model)
{
    return model->input.nfeatures;
}


size_t
judge_predictor_targets(const judge_predictor_t *model)
{
    return model->input.ntargets;
}


/* The inputs, the core and how near it is to the points, and the bins. */

size_t
judge_predictor_scratch(const judge_predictor_t *model)
{
    return model->nin + model->ncore + model->npoints
           + model->nin / sizeof(float) + 1;
}


void
judge_predictor_predict(const judge_predictor_t *model, const float *features,
    const float *raw, judge_str_t text, float *scratch, float *out)
{
    size_t         i, ngrams;
    uint8_t       *bins;
    judge_ngram_t  grams[3 * JUDGE_NGRAM_WORDS];

    judge_input_apply(&model->input, features, raw, scratch);

    judge_predictor_core(model, features, raw, scratch + model->nin);

    bins = (uint8_t *) (scratch + model->nin + model->ncore
                        + model->npoints);
    for (i = 0; i < model->nin; i++) {
        bins[i] = judge_input_bin(scratch[i]);
    }

    ngrams = 0;
    if (model->idf && text.data) {
        ngrams = judge_ngrams(text, model->idf, grams);
    }

    for (i = 0; i < model->input.ntargets; i++) {
        out[i] = judge_predictor_one(model, &model->targets[i], scratch, raw,
                                     i, grams, ngrams);
    }
}


/* The core of an item, and how near it is to those learned from. */

static void
judge_predictor_core(const judge_predictor_t *model, const float *features,
    const float *raw, float *core)
{
    size_t        i, d;
    float        *near;
    double        distance, x;
    const float  *point;

    if (model->ncore == 0) {
        return;
    }

    judge_gp_view(model->text_features, features, raw, model->input.ntargets,
                  core);

    for (d = 0; d < model->ncore; d++) {
        core[d] = (core[d] - model->core[model->ncore + d])
                  * model->core[d];
    }

    near = core + model->ncore;
    point = model->core + 2 * model->ncore;

    for (i = 0; i < model->npoints; i++, point += model->ncore) {
        for (d = 0, distance = 0; d < model->ncore; d++) {
            x = (double) core[d] - (double) point[d];
            distance += x * x;
        }

        near[i] = judge_cauchy(distance, model->ncore);
    }
}


static double
judge_predictor_gp(const judge_predictor_t *model,
    const judge_predictor_target_t *t, const float *scratch,
    const float *raws, size_t target)
{
    size_t           i, n;
    double           sum;
    const float     *weights;
    judge_gp_line_t  lines[2];

    memcpy(lines, t->lines, sizeof(lines));
    sum = judge_gp_lines(&lines[0], &lines[1],
                         judge_raw_mean(raws, model->input.ntargets),
                         judge_raw(raws[target]))
          + (double) judge_linear(t->weights, scratch, model->nin);
    weights = t->weights + model->nin + 1;
    scratch += model->nin;
    n = model->ncore + model->npoints;

    for (i = 0; i < n; i++) {
        sum += (double) weights[i] * (double) scratch[i];
    }

    return sum;
}


static float
judge_predictor_one(const judge_predictor_t *model,
    const judge_predictor_target_t *t, const float *scratch,
    const float *raws, size_t target, const judge_ngram_t *grams,
    size_t ngrams)
{
    size_t          i;
    float           raw;
    double          sum, part;
    const uint8_t  *bins;

    bins = (const uint8_t *) (scratch + model->nin + model->ncore
                              + model->npoints);
    raw = (float) judge_raw(raws[target]);

    sum = t->part.mean + t->part.stack[JUDGE_PART_LINE]
                    * (judge_line(&t->part.line, raw) - t->part.mean);

    for (i = 0; t->ridge && i < JUDGE_RIDGES; i++) {
        part = judge_linear(t->ridge + i * (model->nin + 1), scratch,
                            model->nin);
        sum += t->part.stack[JUDGE_PART_RIDGE + i] * (part - t->part.mean);
    }

    if (t->lines) {
        part = judge_predictor_gp(model, t, scratch, raws, target);
        sum += t->part.stack[JUDGE_PART_GP] * (part - t->part.mean);
    }

    if (t->part.ntrees) {
        part = t->part.base;
        for (i = 0; i < t->part.ntrees; i++) {
            part += judge_tree_leaf(&t->trees[i], bins);
        }
        sum += t->part.stack[JUDGE_PART_TREES] * (part - t->part.mean);
    }

    if (t->grams) {
        for (i = 0, part = 0; i < ngrams; i++) {
            part += (double) ((float) t->grams[grams[i].bucket]
                              * grams[i].value);
        }
        part = (double) t->part.gram_base + (double) t->part.gram_scale * part;
        sum += t->part.stack[JUDGE_PART_NGRAMS] * (part - t->part.mean);
    }

    if (!isfinite(sum)) {              /* of a damaged model */
        sum = raw;
    }

    return (float) (sum < 0 ? 0 : sum > 100 ? 100 : sum);
}


void
judge_predictor_line(const judge_predictor_t *model, const float *raw,
    float *out)
{
    size_t  i;
    float   v;

    for (i = 0; i < model->input.ntargets; i++) {
        v = judge_line(&model->targets[i].part.line,
                       isfinite(raw[i]) ? raw[i] : 50);
        out[i] = !isfinite(v) ? raw[i] : v < 0 ? 0 : v > 100 ? 100 : v;
    }
}


float
judge_predictor_novelty(const judge_predictor_t *model, const float *features,
    const float *scratch)
{
    size_t        i, n;
    float         squares;
    const float  *cuts;

    squares = 0;

    for (i = 0, n = 0; i < model->input.nfeatures; i++) {
        cuts = model->input.cuts + i * JUDGE_CUTS;

        if (isfinite(features[i]) && cuts[JUDGE_CUTS - 1] > cuts[0]) {
            squares += scratch[i] * scratch[i];
            n++;
        }
    }

    return n >= JUDGE_NOVELTY_LEAST ? squares / (float) n : 0;
}


size_t
judge_predictor_reasons(const judge_predictor_t *model, size_t target,
    const float *scratch, size_t n, size_t *features, float *points)
{
    size_t                           i, j, k, found;
    float                            moved;
    const judge_predictor_target_t  *t = &model->targets[target];

    found = 0;

    for (j = 0; (t->ridge || t->lines) && j < model->input.nfeatures; j++) {
        moved = t->lines ? t->part.stack[JUDGE_PART_GP] * scratch[j]
                           * t->weights[j] : 0;
        for (i = 0; t->ridge && i < JUDGE_RIDGES; i++) {
            moved += t->part.stack[JUDGE_PART_RIDGE + i] * scratch[j]
                     * t->ridge[i * (model->nin + 1) + j];
        }

        for (k = found; k > 0 && fabsf(points[k - 1]) < fabsf(moved); k--) {
            if (k < n) {
                points[k] = points[k - 1];
                features[k] = features[k - 1];
            }
        }

        if (k < n) {
            points[k] = moved;
            features[k] = j;
            found += found < n;
        }
    }

    return found;
}
