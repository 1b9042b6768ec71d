/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "analysis/learning/learn.h"
#include "analysis/text/language.h"
#include "analysis/text/math.h"
#include "analysis/text/say.h"
#include "work/calibration/calibrator.h"


#define JUDGE_CALIBRATOR_MAGIC  UINT64_C(0x334e5254454744aa)
#define JUDGE_CALIBRATOR_ID    64      /* bytes of a criterion's identifier */
#define JUDGE_CALIBRATOR_REASONS  3    /* features that feedback names */
#define JUDGE_CALIBRATOR_LEAST  0.05   /* smallest effect it names, points */

typedef struct {
    uint64_t  magic;
    char      engine[JUDGE_CALIBRATOR_ENGINE];
    uint64_t  inputs;
    uint32_t  nfeatures;
    uint32_t  ncriteria;
    uint32_t  overall;
    uint32_t  nmodels;
    uint32_t  nresiduals;
    uint32_t  reserved;
    float     residuals[JUDGE_LEARN_TARGETS];
    uint32_t  padding;
    uint64_t  sizes[JUDGE_CALIBRATOR_MODELS];
    uint8_t   by[JUDGE_LEARN_TARGETS];
    uint8_t   languages[sizeof(uint64_t)];
    uint8_t   taught[JUDGE_LEARN_TARGETS * sizeof(uint32_t)];
    uint8_t   unused[(JUDGE_CALIBRATOR_MODELS - 1) * JUDGE_LEARN_TARGETS
                     - sizeof(uint64_t)
                     - JUDGE_LEARN_TARGETS * sizeof(uint32_t)];
} judge_calibrator_head_t;

/* State while a calibrator is applied to one verdict. */
typedef struct {
    const judge_calibrator_t  *calibrator;
    judge_arena_t             *arena;
    const judge_rubric_t      *rubric;
    judge_verdict_t           *verdict;
    uint8_t                    written;          /* language of the text, */
    uint8_t                    language;         /* and of the feedback */
    float                     *scratch;
    size_t   targets[JUDGE_LEARN_TARGETS];  /* target of each criterion */
    bool     judges[JUDGE_LEARN_TARGETS];  /* by target, as are all below:
                                              checks do not decide it */
    float    raw[JUDGE_LEARN_TARGETS];
    float    out[JUDGE_LEARN_TARGETS];
    size_t   applied;                  /* models that judge anything, */
    size_t   compared;                 /* those that measure novelty, */
    size_t   unlike;                   /* and those that call the text novel */
    size_t   features[JUDGE_LEARN_TARGETS][JUDGE_CALIBRATOR_REASONS];
    float    points[JUDGE_LEARN_TARGETS][JUDGE_CALIBRATOR_REASONS];
    size_t   nreasons[JUDGE_LEARN_TARGETS];
} judge_calibrator_apply_t;


const char *const  judge_calibrator_learned
    = "The judge learned it from people's scores.";


/* --- Reading and writing ------------------------------------------------- */

static judge_rc_e
judge_calibrator_read_ids(judge_arena_t *arena, const char *at,
    judge_calibrator_t *calibrator)
{
    size_t       i;
    judge_str_t  id;

    calibrator->ids = judge_array_alloc(arena, calibrator->ncriteria,
                                        sizeof(judge_str_t));

    for (i = 0; calibrator->ids && i < calibrator->ncriteria; i++) {
        id.data = at + i * JUDGE_CALIBRATOR_ID;
        id.len = strnlen(id.data, JUDGE_CALIBRATOR_ID);
        calibrator->ids[i] = judge_str_dup(arena, id);
        if (calibrator->ids[i].data == NULL) {
            return JUDGE_NOMEM;
        }
    }

    return calibrator->ids ? JUDGE_OK : JUDGE_NOMEM;
}


static bool
judge_calibrator_read_targets(const judge_calibrator_head_t *head,
    judge_calibrator_t *calibrator)
{
    size_t  t;

    memcpy(&calibrator->languages, head->languages, sizeof(head->languages));
    memcpy(calibrator->taught, head->taught, sizeof(head->taught));

    for (t = 0; t <= head->ncriteria; t++) {
        if (calibrator->current && head->by[t] > head->nmodels) {
            return false;
        }
        calibrator->residuals[t] = isfinite(head->residuals[t])
                                   ? head->residuals[t] : 0;
    }

    return true;
}


/* Models of a calibrator that is not current are only counted; its examples,
 * which follow them, are used. */

static judge_rc_e
judge_calibrator_read_model(judge_arena_t *arena, judge_str_t bytes,
    judge_calibrator_t *calibrator)
{
    size_t              n, scratch;
    judge_predictor_t  *model;

    if (!calibrator->current) {
        calibrator->nmodels++;
        return JUDGE_OK;
    }

    /* Older models lack the target of an overall score that is not learned. */

    model = judge_predictor_read(arena, bytes);
    n = model ? judge_predictor_targets(model) : 0;

    if (model == NULL
        || judge_predictor_features(model) != calibrator->nfeatures
        || (n != calibrator->ncriteria + 1
            && (n != calibrator->ncriteria || calibrator->overall)))
    {
        return JUDGE_INVALID;
    }

    scratch = judge_predictor_scratch(model);
    calibrator->scratch = scratch > calibrator->scratch ? scratch
                                                  : calibrator->scratch;
    calibrator->bytes[calibrator->nmodels] = bytes;
    calibrator->models[calibrator->nmodels++] = model;

    return JUDGE_OK;
}


judge_rc_e
judge_calibrator_read(judge_arena_t *arena, judge_str_t bytes,
    judge_calibrator_t *calibrator)
{
    size_t                   i, at;
    judge_rc_e               rc;
    judge_calibrator_head_t  head;

    memset(calibrator, 0, sizeof(judge_calibrator_t));

    if (bytes.len < sizeof(head)) {
        return JUDGE_INVALID;
    }

    memcpy(&head, bytes.data, sizeof(head));
    at = sizeof(head) + (size_t) head.ncriteria * JUDGE_CALIBRATOR_ID;

    if (head.magic != JUDGE_CALIBRATOR_MAGIC || head.ncriteria == 0
        || head.ncriteria >= JUDGE_LEARN_TARGETS || head.overall > 1
        || head.nmodels > JUDGE_CALIBRATOR_MODELS || at > bytes.len
        || memchr(head.engine, 0, sizeof(head.engine)) == NULL)
    {
        return JUDGE_INVALID;
    }

    memcpy(calibrator->engine, head.engine, sizeof(head.engine));
    memcpy(calibrator->model, head.by, sizeof(head.by));
    calibrator->inputs = head.inputs;
    calibrator->current = head.inputs
                          == judge_calibrator_identity(head.engine,
                                                       head.nmodels,
                                                       head.nfeatures);
    calibrator->nfeatures = head.nfeatures;
    calibrator->ncriteria = head.ncriteria;
    calibrator->overall = head.overall;
    calibrator->nresiduals = head.nresiduals;

    rc = judge_calibrator_read_targets(&head, calibrator)
         ? judge_calibrator_read_ids(arena, bytes.data + sizeof(head),
                                     calibrator) : JUDGE_INVALID;

    for (i = 0; rc == JUDGE_OK && i < head.nmodels; i++) {
        if (head.sizes[i] > bytes.len - at) {
            return JUDGE_INVALID;
        }
        rc = judge_calibrator_read_model(arena, (judge_str_t) {
                 (size_t) head.sizes[i], bytes.data + at }, calibrator);
        at += (size_t) head.sizes[i];
    }

    if (rc != JUDGE_OK || (at == bytes.len && head.nmodels)) {
        return rc;
    }

    calibrator->examples_bytes = (judge_str_t) { bytes.len - at,
                                                bytes.data + at };

    return judge_calibrator_fewshot_read(arena, calibrator->examples_bytes,
                                         calibrator->ncriteria,
                                         &calibrator->examples);
}


void
judge_calibrator_write(judge_buf_t *out, const judge_calibrator_t *calibrator)
{
    size_t                   i;
    char                     id[JUDGE_CALIBRATOR_ID];
    judge_calibrator_head_t  head;

    memset(&head, 0, sizeof(head));
    head.magic = JUDGE_CALIBRATOR_MAGIC;
    memcpy(head.engine, calibrator->engine, sizeof(head.engine));
    memcpy(head.by, calibrator->model, sizeof(head.by));
    memcpy(head.languages, &calibrator->languages, sizeof(head.languages));
    memcpy(head.taught, calibrator->taught, sizeof(head.taught));
    head.inputs = calibrator->inputs;
    head.nfeatures = (uint32_t) calibrator->nfeatures;
    head.ncriteria = (uint32_t) calibrator->ncriteria;
    head.overall = calibrator->overall;
    head.nmodels = (uint32_t) calibrator->nmodels;
    head.nresiduals = (uint32_t) calibrator->nresiduals;
    memcpy(head.residuals, calibrator->residuals, sizeof(head.residuals));

    for (i = 0; i < calibrator->nmodels; i++) {
        head.sizes[i] = calibrator->bytes[i].len;
    }

    judge_buf_append(out, &head, sizeof(head));

    for (i = 0; i < calibrator->ncriteria; i++) {
        memset(id, 0, sizeof(id));
        memcpy(id, calibrator->ids[i].data,
               calibrator->ids[i].len < sizeof(id) ? calibrator->ids[i].len
                                                : sizeof(id));
        judge_buf_append(out, id, sizeof(id));
    }

    for (i = 0; i < calibrator->nmodels; i++) {
        judge_buf_str(out, calibrator->bytes[i]);
    }

    judge_buf_append(out, calibrator->examples_bytes.data,
                     calibrator->examples_bytes.len);
}


/* --- Predicting ---------------------------------------------------------- */

static bool
judge_calibrator_fits(judge_calibrator_apply_t *a)
{
    size_t                     i, t;
    const judge_rubric_t      *rubric = a->rubric;
    const judge_calibrator_t  *calibrator = a->calibrator;

    if (rubric->ncriteria != calibrator->ncriteria
        || (calibrator->nfeatures
            && calibrator->nfeatures != a->verdict->nfeatures))
    {
        return false;
    }

    for (i = 0; i < rubric->ncriteria; i++) {
        t = judge_str_index(calibrator->ids, calibrator->ncriteria,
                            rubric->criteria[i].id);
        if (t == calibrator->ncriteria) {
            return false;
        }

        a->targets[i] = t;
        a->judges[t] = !rubric->criteria[i].decided;
        a->judges[calibrator->ncriteria] |= a->judges[t];
        a->raw[t] = (float) a->verdict->scores[i].score;
    }

    a->raw[calibrator->ncriteria] = (float) a->verdict->overall;

    return true;
}


/* Predicts all targets.  Unless `apply` is NULL, also sets its reasons and the
 * novelty of the text. */

static void
judge_calibrator_run(const judge_calibrator_t *calibrator,
    const float *features, const float *raw, judge_str_t text, float *scratch,
    float *out, judge_calibrator_apply_t *apply)
{
    bool    judges;
    size_t  i, t, n;
    float   novelty, in[JUDGE_LEARN_TARGETS], by[JUDGE_LEARN_TARGETS];

    n = calibrator->ncriteria + 1;
    memcpy(in, raw, n * sizeof(float));
    memmove(out, raw, n * sizeof(float));

    if (text.len > JUDGE_CALIBRATOR_TEXT) {
        text.len = JUDGE_CALIBRATOR_TEXT;
    }

    for (i = 0; calibrator->current && i < calibrator->nmodels; i++) {
        judge_predictor_predict(calibrator->models[i], features, in, text,
                                scratch, by);

        for (t = 0, judges = false; t < n; t++) {
            if (calibrator->model[t] != i + 1) {
                continue;
            }

            out[t] = by[t];
            if (apply) {
                judges |= apply->judges[t];
                apply->nreasons[t] =
                    judge_predictor_reasons(calibrator->models[i], t, scratch,
                                            JUDGE_CALIBRATOR_REASONS,
                                            apply->features[t],
                                            apply->points[t]);
            }
        }

        if (judges) {
            apply->applied++;
            novelty = judge_predictor_novelty(calibrator->models[i], features,
                                              scratch);
            apply->compared += novelty > 0;
            apply->unlike += novelty > JUDGE_PREDICTOR_NOVEL;
        }
    }
}


void
judge_calibrator_predict(const judge_calibrator_t *calibrator,
    const float *features, const float *raw, judge_str_t text,
    float *scratch, float *out)
{
    judge_calibrator_run(calibrator, features, raw, text, scratch, out, NULL);
}


/* Whether the text is unlike those that were learned from, or in a language
 * that none of them is in. */

static void
judge_calibrator_likeness(judge_calibrator_apply_t *a, judge_origin_t *origin)
{
    uint64_t  known = a->calibrator->languages;

    if (a->compared && a->unlike == a->compared) {
        origin->reasons |= JUDGE_REVIEW_UNLIKE;
    }

    /* A text in no language that is known may be in any but those. */

    if (a->applied && known >> (JUDGE_LANGUAGE_UNKNOWN + 1)
        && a->verdict->language && !(known >> a->written & 1))
    {
        origin->reasons |= JUDGE_REVIEW_LANGUAGE;
    }
}


/* Names what raises the score, or lowers it, by `least` points or more. */

static void
judge_calibrator_features(const judge_calibrator_apply_t *a, size_t t,
    double least, judge_buf_t *buf, bool raise)
{
    float        points;
    size_t       i, n, at = buf->len;
    const char  *called;

    for (i = 0, n = 0; i < a->nreasons[t]; i++) {
        points = a->points[t][i];
        called = judge_calibrator_feature_called(a->calibrator->engine,
                                                 a->features[t][i]);
        if (called && fabs((double) points) >= least
            && raise == (points > 0))
        {
            judge_buf_c(buf, n ? "; " : " ");
            judge_buf_printf(buf, "%s%s%s: ",
                             n ? "" : judge_say(a->language, raise
                                        ? "Speaks for it:"
                                        : "Speaks against it:"), n ? "" : " ",
                             judge_say(a->language, called));
            judge_calibrator_feature_value(buf, a->calibrator->engine,
                                           a->features[t][i], (double)
                                           a->verdict->features[
                                               a->features[t][i]]);
            judge_buf_printf(buf, " (%+.1f)", (double) points);
            n++;
        }
    }

    judge_buf_c(buf, n ? "." : "");

    for ( /* void */ ; at < buf->len; at++) {
        buf->data[at] = buf->data[at] == '_' ? ' ' : buf->data[at];
    }
}


/* What was learned, behind the feedback, if there is any. */

static judge_str_t
judge_calibrator_say(const judge_calibrator_apply_t *a, size_t t,
    double before, double after, judge_str_t feedback)
{
    double       least;
    judge_buf_t  buf;

    judge_buf_init(&buf, a->arena);
    judge_buf_str(&buf, feedback);
    judge_buf_c(&buf, feedback.len ? " " : "");

    if (fabs(after - before) >= JUDGE_CALIBRATOR_LEAST) {
        judge_buf_printf(&buf, judge_say(a->language, "People's scores moved"
                         " this from %.1f to %.1f."), before, after);
    } else {
        judge_buf_printf(&buf, "%s %.1f.", judge_say(a->language, "People's"
                         " scores of other texts give"), after);
    }

    least = fmax(JUDGE_CALIBRATOR_LEAST, fabs(after - before) / 10);
    judge_calibrator_features(a, t, least, &buf, true);
    judge_calibrator_features(a, t, least, &buf, false);
    judge_say_numbers(a->language, &buf, feedback.len);

    return judge_buf_view(&buf);
}


/* Notes that people's scores judge it, and how many.  Where the engine gave no
 * score, they are also why it is judged at all. */

static judge_rc_e
judge_calibrator_stage(const judge_calibrator_apply_t *a, size_t t,
    double before, judge_criterion_score_t *score)
{
    uint32_t     n = a->calibrator->taught[t];
    judge_str_t  reason = judge_str_c(judge_calibrator_learned);

    if (n > 0) {
        reason = judge_str_printf(a->arena, "The judge learned it from"
                                  " people's scores of %u texts.",
                                  (unsigned) n);
        if (reason.data == NULL) {
            return JUDGE_NOMEM;
        }
    }

    if (isnan(before) && score->nstages > 0) {
        score->stages[0].reason = reason;
    }

    judge_score_stage(score, JUDGE_STAGE_LEARNED, before, reason);

    return JUDGE_OK;
}


/* Replaces the verdict's arrays, which may be shared or constant. */

static judge_rc_e
judge_calibrator_scores(judge_calibrator_apply_t *a)
{
    size_t                    i, t;
    double                    before, overall;
    judge_str_t              *said;
    judge_verdict_t          *verdict = a->verdict;
    judge_criterion_score_t  *scores;

    scores = judge_array_alloc(a->arena, a->rubric->ncriteria,
                               sizeof(judge_criterion_score_t));
    if (scores == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < a->rubric->ncriteria; i++) {
        t = a->targets[i];
        scores[i] = verdict->scores[i];

        if (a->calibrator->model[t] == 0) {
            continue;
        }

        before = scores[i].score;
        scores[i].judged_by = JUDGE_BY_CORRECTIONS;
        scores[i].score = judge_round2(judge_clamp((double) a->out[t], 0,
                                                   100));
        said = verdict->ground ? &scores[i].learned : &scores[i].feedback;
        *said = judge_calibrator_say(a, t, before, scores[i].score, *said);
        if (said->data == NULL
            || judge_calibrator_stage(a, t, before, &scores[i]) != JUDGE_OK)
        {
            return JUDGE_NOMEM;
        }
    }

    verdict->scores = scores;
    judge_verdict_total(a->rubric, verdict);
    overall = (double) a->out[a->calibrator->ncriteria];
    if (a->calibrator->overall && !isnan(overall)) {
        verdict->overall = judge_round2(judge_clamp(overall, 0, 100));
    }

    return JUDGE_OK;
}


/* A text without words says nothing that could be like what was learned from,
 * so that the engine's 0 stays, and is the score of what only people's scores
 * judge, too. */

static judge_rc_e
judge_calibrator_empty(judge_calibrator_apply_t *a)
{
    size_t                    i;
    judge_criterion_score_t  *score;

    for (i = 0; i < a->rubric->ncriteria; i++) {
        score = &a->verdict->scores[i];

        if (isnan(score->score) && a->calibrator->model[a->targets[i]]) {
            score->judged_by = JUDGE_BY_CORRECTIONS;
            score->score = 0;
            score->feedback = a->verdict->summary;
            judge_score_stage(score, JUDGE_STAGE_LEARNED, (double) NAN,
                              a->verdict->summary);
        }
    }

    judge_verdict_total(a->rubric, a->verdict);

    return JUDGE_OK;
}


static judge_rc_e
judge_calibrator_origin(judge_calibrator_apply_t *a, double before,
    judge_origin_t *origin)
{
    size_t                 i;
    double                 spread;
    float                 *raw;
    judge_verdict_t       *verdict = a->verdict;
    const judge_rubric_t  *rubric = a->rubric;

    raw = judge_array_alloc(a->arena, rubric->ncriteria, sizeof(float));
    if (raw == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < rubric->ncriteria; i++) {
        raw[i] = isnan(verdict->scores[i].score) ? NAN : a->raw[a->targets[i]];
    }

    origin->raw = raw;
    origin->raw_overall = before;

    spread = (double) a->calibrator->residuals[rubric->ncriteria];

    if (spread > 0 && !(origin->reasons & JUDGE_REVIEW_STRANGE)) {
        origin->has_interval = true;
        origin->low = judge_clamp(verdict->overall - spread, 0, 100);
        origin->high = judge_clamp(verdict->overall + spread, 0, 100);
        origin->coverage = JUDGE_PREDICTOR_COVERAGE;
    }

    return JUDGE_OK;
}


judge_rc_e
judge_calibrator_apply(const judge_calibrator_t *calibrator,
    judge_arena_t *arena, const char *engine, const judge_rubric_t *rubric,
    const judge_item_t *item, judge_verdict_t *verdict, judge_origin_t *origin)
{
    double                    before;
    judge_rc_e                rc;
    judge_calibrator_apply_t  a;

    if (calibrator->nmodels == 0 || strcmp(calibrator->engine, engine) != 0) {
        return JUDGE_OK;
    }

    if (!calibrator->current) {
        return judge_calibrator_unused(arena, verdict, origin);
    }

    memset(&a, 0, sizeof(judge_calibrator_apply_t));
    a.calibrator = calibrator;
    a.arena = arena;
    a.rubric = rubric;
    a.verdict = verdict;
    a.written = judge_language_find(judge_str_c(verdict->language
                                                ? verdict->language : ""));
    a.language = judge_language_find(rubric->feedback_language);
    a.language = a.language != JUDGE_LANGUAGE_UNKNOWN ? a.language : a.written;

    if (!judge_calibrator_fits(&a)) {
        origin->reasons |= calibrator->nfeatures && verdict->nfeatures == 0
                           ? JUDGE_REVIEW_MISSING : 0u;
        return JUDGE_OK;
    }

    if (verdict->empty) {
        return judge_calibrator_empty(&a);
    }

    a.scratch = judge_array_alloc(arena, calibrator->scratch + 1,
                                  sizeof(float));
    if (a.scratch == NULL) {
        return JUDGE_NOMEM;
    }

    before = verdict->overall;
    judge_calibrator_run(calibrator, verdict->features, a.raw, item->text,
                         a.scratch, a.out, &a);
    judge_calibrator_likeness(&a, origin);

    rc = judge_calibrator_scores(&a);

    return rc == JUDGE_OK ? judge_calibrator_origin(&a, before, origin) : rc;
}


judge_rc_e
judge_calibrator_unused(judge_arena_t *arena, judge_verdict_t *verdict,
    judge_origin_t *origin)
{
    origin->changed = true;
    verdict->summary = judge_str_printf(arena, JUDGE_CALIBRATOR_CHANGED_MESSAGE
                           " %.*s", (int) verdict->summary.len,
                           verdict->summary.data ? verdict->summary.data
                                                 : "");

    return verdict->summary.data ? JUDGE_OK : JUDGE_NOMEM;
}
