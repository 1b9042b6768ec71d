/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A model is used as it is stored, in the machine's byte order: a head with
 * the lines, residuals of texts that people scored, the scales of the
 * features, and the weights of inputs and n-grams.
 */


#include <math.h>
#include <string.h>

#include "analysis/learning/learn_parts.h"
#include "analysis/text/math.h"


#define JUDGE_PREDICTOR_FEATURES  4096
#define JUDGE_PREDICTOR_KEY     16384  /* bytes of a text that its key is of */
#define JUDGE_NOVELTY_LEAST     10     /* features that must vary */
#define JUDGE_INPUT_RAW         0.15f  /* of a point of a raw score */
#define JUDGE_INPUT_MAX         3.0    /* spreads */


/* Reserves n elements of this size behind those before; without bytes, only
 * their size is counted. */

static void *
judge_predictor_part(char *bytes, size_t *used, size_t n, size_t size)
{
    size_t  from = *used;

    *used += n * size;

    return bytes ? bytes + from : NULL;
}


/* Parts with larger types come first, so that all are aligned. */

size_t
judge_predictor_parts(const judge_model_head_t *head, char *bytes,
    judge_predictor_t *m)
{
    size_t  used = 0, nf = head->nfeatures, nt = head->ntargets;

    m->head = judge_predictor_part(bytes, &used, 1,
                                   sizeof(judge_model_head_t));
    m->kept = judge_predictor_part(bytes, &used, head->nkept,
                                   sizeof(judge_kept_t));
    m->inputs = judge_predictor_part(bytes, &used, nf, sizeof(judge_scale_t));
    m->weights = judge_predictor_part(bytes, &used,
                                      head->weights ? nt * (nf + nt + 1) : 0,
                                      sizeof(float));
    m->scales = judge_predictor_part(bytes, &used, head->grams ? nt : 0,
                                     sizeof(float));
    m->grams = judge_predictor_part(bytes, &used, head->grams ? nt : 0,
                                    JUDGE_NGRAMS);
    m->moves = judge_predictor_part(bytes, &used, head->nkept, nt);

    return used;
}


judge_predictor_t *
judge_predictor_read(judge_arena_t *arena, judge_str_t data)
{
    char                *bytes;
    size_t               i;
    judge_predictor_t   *m;
    judge_model_head_t   head;

    if (data.len < sizeof(head)) {
        return NULL;
    }

    memcpy(&head, data.data, sizeof(head));
    m = judge_calloc(arena, sizeof(judge_predictor_t));

    if (m == NULL || head.magic != JUDGE_PREDICTOR_MAGIC
        || head.nfeatures > JUDGE_PREDICTOR_FEATURES || head.ntargets == 0
        || head.ntargets > JUDGE_LEARN_TARGETS
        || head.nkept > JUDGE_KEPT_MOST
        || judge_predictor_parts(&head, NULL, m) != data.len)
    {
        return NULL;
    }

    /* the copy is aligned, which data need not be */

    bytes = judge_alloc(arena, data.len);
    if (bytes == NULL) {
        return NULL;
    }

    memcpy(bytes, data.data, data.len);
    (void) judge_predictor_parts(&head, bytes, m);

    for (i = 0; i < head.nkept; i++) {
        if (m->kept[i].row >= head.nkept) {
            return NULL;
        }
    }

    return m;
}


size_t
judge_predictor_features(const judge_predictor_t *model)
{
    return model->head->nfeatures;
}


size_t
judge_predictor_targets(const judge_predictor_t *model)
{
    return model->head->ntargets;
}


size_t
judge_predictor_scratch(const judge_predictor_t *model)
{
    return model->head->nfeatures + model->head->ntargets;
}


/* --- Predicting ---------------------------------------------------------- */

static bool
judge_scale_varies(const judge_scale_t *scale)
{
    return scale->spread > 1e-6f;
}


/* The input of a feature is its distance from the mean in spreads, so that all
 * have the same scale, and bounded, so that no outlier dominates the
 * regression. */

static float
judge_input_feature(const judge_scale_t *scale, float value)
{
    double  v = isfinite(value) ? (double) value : 0;

    return !judge_scale_varies(scale) ? 0
           : (float) judge_clamp((v - (double) scale->mean)
                                 / (double) scale->spread,
                                 -JUDGE_INPUT_MAX, JUDGE_INPUT_MAX);
}


void
judge_input_apply(const judge_scale_t *scales, size_t nfeatures,
    const double *middle, size_t ntargets, const float *features,
    const float *raw, float *out)
{
    size_t  j;

    for (j = 0; j < nfeatures; j++) {
        out[j] = judge_input_feature(&scales[j], features[j]);
    }

    for (j = 0; j < ntargets; j++) {
        out[nfeatures + j] = isfinite(raw[j])
            ? JUDGE_INPUT_RAW * (raw[j] - (float) middle[j]) : 0;
    }
}


/* Sets what the n-grams of a text add to each target.  The targets take turns,
 * as the processor adds to different sums in parallel. */

static void
judge_predictor_words(const judge_predictor_t *model, judge_str_t text,
    double *words)
{
    size_t         j, t, n, nt = model->head->ntargets;
    const int8_t  *bytes;
    judge_ngram_t  grams[JUDGE_NGRAM_MOST];

    memset(words, 0, nt * sizeof(double));
    n = model->head->grams ? judge_ngrams(text, grams) : 0;

    for (j = 0; j < n; j++) {
        bytes = model->grams + grams[j].bucket;

        for (t = 0; t < nt; t++) {
            words[t] += (double) bytes[t * JUDGE_NGRAMS]
                        * (double) grams[j].value;
        }
    }

    for (t = 0; n > 0 && t < nt; t++) {
        words[t] *= (double) model->scales[t];
    }
}


static double
judge_predictor_inputs(const judge_predictor_t *model, size_t target,
    const float *in)
{
    size_t        j, k, n = judge_predictor_scratch(model);
    double        sum[4] = { 0, 0, 0, 0 };
    const float  *w;

    if (model->head->weights) {
        w = model->weights + target * (n + 1);
        sum[0] = (double) w[n];

        /* four independent sums, which the processor adds in parallel */

        for (j = 0; j + 4 <= n; j += 4) {
            for (k = 0; k < 4; k++) {
                sum[k] += (double) w[j + k] * (double) in[j + k];
            }
        }

        for ( /* void */ ; j < n; j++) {
            sum[0] += (double) w[j] * (double) in[j];
        }
    }

    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}


uint64_t
judge_predictor_key(const float *features, size_t nfeatures, judge_str_t text)
{
    uint64_t  key;

    key = judge_fnv(JUDGE_FNV_START, features, nfeatures * sizeof(float));

    return judge_fnv(key, text.data, text.data == NULL ? 0
                                     : text.len < JUDGE_PREDICTOR_KEY
                                       ? text.len : JUDGE_PREDICTOR_KEY);
}


/* Returns the mean of the residuals that are kept for an item; 0: there are
 * none. */

static double
judge_predictor_kept(const judge_predictor_t *model, uint64_t key,
    size_t target)
{
    int8_t  move;
    size_t  low, high, middle, n;
    double  sum;

    for (low = 0, high = model->head->nkept; low < high; /* void */) {
        middle = (low + high) / 2;
        if (model->kept[middle].key < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }

    for (n = 0, sum = 0; low < model->head->nkept
                         && model->kept[low].key == key; low++)
    {
        move = model->moves[model->kept[low].row * model->head->ntargets
                            + target];
        if (move != JUDGE_KEPT_UNKNOWN) {
            sum += (double) move;
            n++;
        }
    }

    return judge_share(sum, (double) n);
}


void
judge_predictor_predict(const judge_predictor_t *model, const float *features,
    const float *raw, judge_str_t text, float *scratch, float *out)
{
    size_t               t, nt = model->head->ntargets;
    double               sum, words[JUDGE_LEARN_TARGETS];
    uint64_t             key;
    const judge_line_t  *line = &model->head->line;

    judge_input_apply(model->inputs, model->head->nfeatures, line->raw, nt,
                      features, raw, scratch);
    judge_predictor_words(model, text, words);
    key = judge_predictor_key(features, model->head->nfeatures, text);

    for (t = 0; t < nt; t++) {
        sum = judge_line(line, raw, nt, t)
              + (judge_predictor_inputs(model, t, scratch) + words[t]);
        sum = judge_clamp(sum, 0, 100) + judge_predictor_kept(model, key, t);

        if (!isfinite(sum)) {          /* the model is damaged */
            sum = isfinite(raw[t]) ? (double) raw[t] : 50;
        }

        out[t] = (float) judge_clamp(sum, 0, 100);
    }
}


/* --- Novelty and reasons ------------------------------------------------- */

float
judge_predictor_novelty(const judge_predictor_t *model, const float *features,
    const float *scratch)
{
    float   squares;
    size_t  i, n;

    for (i = 0, n = 0, squares = 0; i < model->head->nfeatures; i++) {
        if (isfinite(features[i]) && judge_scale_varies(&model->inputs[i])) {
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
    size_t        j, k, found, nf = model->head->nfeatures;
    float         moved;
    const float  *w = model->weights
                      + target * (judge_predictor_scratch(model) + 1);

    for (j = 0, found = 0; model->head->weights && j < nf; j++) {
        moved = scratch[j] * w[j];

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
