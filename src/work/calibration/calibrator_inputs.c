/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The identity of a model's inputs, and the stored form of features, which
 * begins with it. */


#include <math.h>
#include <string.h>

#include "analysis/builtin/engine_version.h"
#include "analysis/builtin/explain.h"
#include "analysis/features/feature.h"
#include "analysis/features/identity.h"
#include "work/calibration/calibrator.h"
#include "work/service/extension.h"
#include "work/llm/llm_catalog.h"


const char *const  judge_calibrator_engines[JUDGE_CALIBRATOR_ENGINES + 1] = {
    JUDGE_ENGINE_NAME,
    JUDGE_LLM_ENGINE,
    JUDGE_ENGINE_WORKER,
    NULL
};


const char *
judge_calibrator_engine_of(judge_str_t engine)
{
    judge_str_t  name = judge_str_until(&engine, '/');

    return judge_calibrator_engines[judge_str_index_c(judge_calibrator_engines,
                                                      name)];
}


/* The features of texts that a model judges are the built-in engine's. */

const char *
judge_calibrator_feature_called(const char *engine, size_t i)
{
    const judge_measurements_t  *measurements;

    if (strcmp(engine, JUDGE_ENGINE_WORKER) != 0) {
        return i < JUDGE_FEATURES ? judge_features[i].called : NULL;
    }

    measurements = judge_extensions_measurements();

    return measurements ? measurements->name(i) : NULL;
}


void
judge_calibrator_feature_value(judge_buf_t *buf, const char *engine, size_t i,
    double value)
{
    value = isfinite(value) ? value : 0;

    if (strcmp(engine, JUDGE_ENGINE_WORKER) != 0) {
        judge_buf_printf(buf, "%g%s",
                         judge_explain_value(&judge_features[i], value),
                         judge_features[i].scale >= 100 ? " %" : "");
    } else {
        judge_buf_printf(buf, "%.4g", value);
    }
}


uint64_t
judge_calibrator_inputs_hash(const char *engine, bool measured)
{
    uint64_t                     inputs, features;
    const judge_measurements_t  *measurements;

    inputs = judge_identity_add(JUDGE_FNV_START, engine, 0);

    if (strcmp(engine, JUDGE_ENGINE_NAME) == 0) {
        inputs = judge_identity_add(inputs, JUDGE_ENGINE_VERSION, 0);
    }

    if (measured && strcmp(engine, JUDGE_ENGINE_WORKER) == 0) {
        measurements = judge_extensions_measurements();
        features = measurements ? measurements->identity() : 0;
        inputs = judge_fnv(inputs, &features, sizeof(features));

    } else if (measured) {
        features = judge_feature_identity();
        inputs = judge_fnv(inputs, &features, sizeof(features));
        inputs = judge_identity_add(inputs, "ngrams", JUDGE_NGRAM_VERSION);
    }

    return inputs;
}


uint64_t
judge_calibrator_identity(const char *engine, size_t nmodels, size_t nfeatures)
{
    uint64_t  inputs;

    inputs = judge_calibrator_inputs_hash(engine, nmodels && nfeatures);

    return nmodels == 0 ? inputs
           : judge_identity_add(inputs, "learner", JUDGE_LEARNER_VERSION);
}


uint64_t
judge_calibrator_build_hash(void)
{
    size_t    i;
    uint64_t  all, one;

    for (i = 0, all = JUDGE_FNV_START; i < JUDGE_CALIBRATOR_ENGINES; i++) {
        one = judge_calibrator_identity(judge_calibrator_engines[i], 1, 1);
        all = judge_fnv(all, &one, sizeof(one));
    }

    return all;
}


bool
judge_calibrator_known(uint64_t identity)
{
    size_t       i;
    const char  *engine;

    for (i = 0; i < JUDGE_CALIBRATOR_ENGINES; i++) {
        engine = judge_calibrator_engines[i];

        if (identity == judge_calibrator_identity(engine, 1, 1)
            || identity == judge_calibrator_identity(engine, 1, 0)
            || identity == judge_calibrator_identity(engine, 0, 0))
        {
            return true;
        }
    }

    return false;
}


judge_str_t
judge_calibrator_vector(judge_arena_t *arena, uint64_t inputs,
    const float *features, size_t n)
{
    char         *bytes;
    judge_str_t   none = { 0, NULL };

    if (n == 0) {
        return JUDGE_STR("");
    }

    bytes = judge_alloc(arena, sizeof(inputs) + n * sizeof(float));
    if (bytes == NULL) {
        return none;
    }

    memcpy(bytes, &inputs, sizeof(inputs));
    memcpy(bytes + sizeof(inputs), features, n * sizeof(float));

    return (judge_str_t) { sizeof(inputs) + n * sizeof(float), bytes };
}


bool
judge_calibrator_vector_read(judge_str_t bytes, const char *engine,
    judge_str_t *features)
{
    size_t                       n;
    uint64_t                     inputs;
    const judge_measurements_t  *measurements;

    n = JUDGE_FEATURES;

    if (strcmp(engine, JUDGE_ENGINE_WORKER) == 0) {
        measurements = judge_extensions_measurements();
        n = measurements ? measurements->n : 0;
    }

    if (bytes.len != sizeof(inputs) + n * sizeof(float)) {
        return false;
    }

    memcpy(&inputs, bytes.data, sizeof(inputs));
    *features = (judge_str_t) { n * sizeof(float),
                                bytes.data + sizeof(inputs) };

    return inputs == judge_calibrator_inputs_hash(engine, true);
}
