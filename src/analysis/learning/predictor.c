/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The bytes of a model: a head, the line, the cuts of the features, the
 * weights of features and words where there are any, and what is remembered
 * of corrected texts.  In the byte order of the machine, as the features that
 * are stored are.
 */


#include <math.h>
#include <string.h>

#include "analysis/learning/learn_parts.h"
#include "analysis/learning/predictor.h"
#include "analysis/text/math.h"


#define JUDGE_PREDICTOR_MAGIC   0x334d4c4au        /* "JLM3" */
#define JUDGE_PREDICTOR_FEATURES  4096
#define JUDGE_PREDICTOR_KEY     16384  /* bytes of a text that tell it apart */
#define JUDGE_NOVELTY_LEAST     10     /* features that tell anything */

typedef struct {
    uint32_t  magic;
    uint32_t  nfeatures;
    uint32_t  ntargets;
    uint32_t  weights;                 /* whether there are any */
    uint32_t  grams;
    uint32_t  nkept;
} judge_predictor_head_t;

typedef struct {
    const char     *at;
    size_t          left;
    judge_arena_t  *arena;
    bool            failed;
} judge_bytes_t;


static void *judge_bytes_take(judge_bytes_t *bytes, size_t n, size_t size);
static float *judge_predictor_read_idf(judge_bytes_t *bytes);
static double judge_predictor_one(const judge_predictor_t *model,
    size_t target, const float *in, const judge_ngram_t *grams,
    size_t ngrams);
static double judge_predictor_kept(const judge_predictor_t *model,
    uint64_t key, size_t target);


void
judge_predictor_write(const judge_predictor_t *model, judge_buf_t *out)
{
    size_t                  i, nf = model->input.nfeatures;
    size_t                  nt = model->ntargets;
    uint8_t                 idf;
    judge_predictor_head_t  head;

    head = (judge_predictor_head_t) {
        JUDGE_PREDICTOR_MAGIC, (uint32_t) nf, (uint32_t) nt,
        model->weights != NULL, model->idf != NULL,
        (uint32_t) model->nkept };

    judge_buf_append(out, &head, sizeof(head));
    judge_buf_append(out, &model->line, sizeof(judge_line_t));
    judge_buf_append(out, model->input.cuts,
                     nf * JUDGE_CUTS * sizeof(float));
    judge_buf_append(out, model->weights,
                     model->weights ? nt * (nf + nt + 1) * sizeof(float) : 0);

    for (i = 0; model->idf && i < JUDGE_NGRAMS; i++) {
        idf = (uint8_t) (model->idf[i] * JUDGE_IDF_UNIT + 0.5f);
        judge_buf_append(out, &idf, 1);
    }

    if (model->idf) {
        judge_buf_append(out, model->scales, nt * sizeof(float));
        judge_buf_append(out, model->grams, nt * JUDGE_NGRAMS);
    }

    judge_buf_append(out, model->kept, model->nkept * sizeof(judge_kept_t));
    judge_buf_append(out, model->moves, model->nkept * nt);
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
    size_t                   i, nf, nt;
    judge_line_t            *line;
    judge_bytes_t            bytes;
    judge_predictor_t       *model;
    judge_predictor_head_t  *head;

    bytes = (judge_bytes_t) { data.data, data.len, arena, data.data == NULL };
    head = judge_bytes_take(&bytes, 1, sizeof(judge_predictor_head_t));
    line = judge_bytes_take(&bytes, 1, sizeof(judge_line_t));
    model = judge_calloc(arena, sizeof(judge_predictor_t));

    if (head == NULL || line == NULL || model == NULL
        || head->magic != JUDGE_PREDICTOR_MAGIC
        || head->nfeatures > JUDGE_PREDICTOR_FEATURES || head->ntargets == 0
        || head->ntargets > JUDGE_LEARN_TARGETS
        || head->nkept > JUDGE_KEPT_MOST)
    {
        return NULL;
    }

    nf = head->nfeatures;
    nt = head->ntargets;
    model->line = *line;
    model->ntargets = nt;
    model->input.nfeatures = nf;
    model->input.nraw = nt;
    model->input.cuts = judge_bytes_take(&bytes, nf,
                                         JUDGE_CUTS * sizeof(float));

    if (head->weights) {
        model->weights = judge_bytes_take(&bytes, nt * (nf + nt + 1),
                                          sizeof(float));
    }

    if (head->grams) {
        model->idf = judge_predictor_read_idf(&bytes);
        model->scales = judge_bytes_take(&bytes, nt, sizeof(float));
        model->grams = judge_bytes_take(&bytes, nt * JUDGE_NGRAMS, 1);
    }

    model->nkept = head->nkept;
    model->kept = judge_bytes_take(&bytes, model->nkept,
                                   sizeof(judge_kept_t));
    model->moves = judge_bytes_take(&bytes, model->nkept * nt, 1);

    for (i = 0; !bytes.failed && i < model->nkept; i++) {
        bytes.failed = model->kept[i].row >= model->nkept;
    }

    return bytes.failed || bytes.left ? NULL : model;
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


size_t
judge_predictor_features(const judge_predictor_t *model)
{
    return model->input.nfeatures;
}


size_t
judge_predictor_targets(const judge_predictor_t *model)
{
    return model->ntargets;
}


size_t
judge_predictor_scratch(const judge_predictor_t *model)
{
    return model->input.nfeatures + model->ntargets;
}


void
judge_predictor_predict(const judge_predictor_t *model, const float *features,
    const float *raw, judge_str_t text, float *scratch, float *out)
{
    size_t         t, ngrams;
    double         mean, sum;
    uint64_t       key;
    judge_ngram_t  grams[3 * JUDGE_NGRAM_WORDS];

    judge_input_apply(&model->input, features, raw, scratch);
    ngrams = model->idf && text.data ? judge_ngrams(text, model->idf, grams)
                                     : 0;
    key = judge_predictor_key(features, model->input.nfeatures, text);
    mean = judge_line_mean(&model->line, raw, model->ntargets);

    for (t = 0; t < model->ntargets; t++) {
        sum = judge_line(&model->line, raw, t, mean)
              + judge_predictor_one(model, t, scratch, grams, ngrams);
        sum = judge_clamp(sum, 0, 100) + judge_predictor_kept(model, key, t);

        if (!isfinite(sum)) {          /* of a damaged model */
            sum = isfinite(raw[t]) ? (double) raw[t] : 50;
        }

        out[t] = (float) judge_clamp(sum, 0, 100);
    }
}


static double
judge_predictor_one(const judge_predictor_t *model, size_t target,
    const float *in, const judge_ngram_t *grams, size_t ngrams)
{
    size_t         j, k, nf = model->input.nfeatures + model->ntargets;
    double         sum[4] = { 0, 0, 0, 0 }, words;
    const float   *w;
    const int8_t  *bytes;

    if (model->weights) {
        w = model->weights + target * (nf + 1);
        sum[0] = (double) w[nf];

        /* four sums that need not wait for each other */

        for (j = 0; j + 4 <= nf; j += 4) {
            for (k = 0; k < 4; k++) {
                sum[k] += (double) w[j + k] * (double) in[j + k];
            }
        }

        for ( /* void */ ; j < nf; j++) {
            sum[0] += (double) w[j] * (double) in[j];
        }
    }

    for (j = 0, words = 0; j < ngrams; j++) {
        bytes = model->grams + target * JUDGE_NGRAMS;
        words += (double) bytes[grams[j].bucket] * (double) grams[j].value;
    }

    if (ngrams) {
        words *= (double) model->scales[target];
    }

    return (sum[0] + sum[1]) + (sum[2] + sum[3]) + words;
}


/* --- Corrected texts ----------------------------------------------------- */

uint64_t
judge_predictor_key(const float *features, size_t nfeatures, judge_str_t text)
{
    uint64_t  key;

    key = judge_fnv(JUDGE_FNV_START, features, nfeatures * sizeof(float));

    return judge_fnv(key, text.data, text.data == NULL ? 0
                                     : text.len < JUDGE_PREDICTOR_KEY
                                       ? text.len : JUDGE_PREDICTOR_KEY);
}


/* The mean of what is left over of it; 0: nobody corrected this text. */

static double
judge_predictor_kept(const judge_predictor_t *model, uint64_t key,
    size_t target)
{
    int8_t  move;
    size_t  low, high, middle, n;
    double  sum;

    for (low = 0, high = model->nkept; low < high; /* void */) {
        middle = (low + high) / 2;
        if (model->kept[middle].key < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }

    for (n = 0, sum = 0; low < model->nkept && model->kept[low].key == key;
         low++)
    {
        move = model->moves[model->kept[low].row * model->ntargets + target];
        if (move != JUDGE_KEPT_UNKNOWN) {
            sum += (double) move;
            n++;
        }
    }

    return judge_share(sum, (double) n);
}


/* --- What is said of a prediction ---------------------------------------- */

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
    size_t        j, k, found, nf = model->input.nfeatures;
    float         moved;
    const float  *w;

    found = 0;

    for (j = 0; model->weights && j < nf; j++) {
        w = model->weights + target * (nf + model->ntargets + 1);
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
