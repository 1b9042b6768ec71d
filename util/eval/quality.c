/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What the program says of texts, for util/eval/lib/engine.py:
 *
 *   build/quality texts|speed|criteria|detect|gate|difference
 *
 * Of each line of standard input, an object of JSON, it prints one line, of a
 * "text" or of numbers:
 *
 * texts     as an untrained judge of "criteria", an array of {"name",
 *           "description"}, has it, of a "source" and a "question" if any:
 *           "scores" (null: not judged), and who judges each, "by" and
 *           "aspects"; "overall", "flags", "words"; "values", the features and
 *           the scores of all aspects
 * speed     the "seconds" of a processor for scoring all "texts" once, where
 *           it is done in so many "rounds": if "said" with feedback in words,
 *           or as a judge has learned whose "model", of judge_calibrators, is
 *           given in base64
 * criteria  the "criteria" of a description, "questions", "suggestions"
 * detect    what "detectors" (pii, …) have "found", each kind before its text;
 *           of "language" and "leak" alone, with the code of the language that
 *           is allowed, or the text that must not be quoted, as "parameter"
 * gate      whether a training "passes" whose scores of items are "pred";
 *           those in use are "before", people's "human", each in rows of
 *           criteria; "groups" has that of each item
 * difference  "p" and the interval, "low" to "high", of how scores "here" and
 *           "there" differ, whose items are of "clusters", if any; by "seed"
 */


#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/crypto/crypto.h"
#include "base/json/json.h"
#include "analysis/aspects/method.h"
#include "analysis/builtin/explain.h"
#include "analysis/checks/checks.h"
#include "analysis/checks/require.h"
#include "analysis/criteria/criteria_parse.h"
#include "analysis/learning/difference.h"
#include "analysis/learning/agreement.h"
#include "analysis/text/language.h"
#include "extensions/traffic/detect.h"
#include "work/calibration/calibrator.h"


#define QUALITY_CRITERIA  64

typedef bool (*quality_line_pt)(judge_arena_t *arena,
    const judge_json_t *line, judge_json_writer_t *w);


/* --- Texts --------------------------------------------------------------- */

/* As a judge gets it who is made with these words. */

static bool
quality_criterion(judge_arena_t *arena, const judge_json_t *json,
    judge_criterion_t *c)
{
    judge_str_t   why;
    judge_list_t  checks = { NULL, 0, false };

    *c = (judge_criterion_t) {
        .weight = 1, .id = JUDGE_STR(""),
        .name = judge_json_string(json, "name"),
        .description = judge_json_string(json, "description") };

    if (c->name.data == NULL
        || judge_require_merge(arena, c->name, c->description, &checks,
                               &c->decided) != JUDGE_OK
        || judge_checks_read(arena, arena, &checks, &c->checks, &why))
    {
        return false;
    }

    c->nchecks = checks.count;

    return judge_method_choose(arena, c, false) == JUDGE_OK;
}


static void
quality_number(judge_json_writer_t *w, double v)
{
    if (isnan(v)) {
        judge_json_null(w);
    } else {
        judge_json_number(w, v);
    }
}


static void
quality_values(judge_json_writer_t *w, const judge_measure_t *m)
{
    size_t                k;
    judge_aspect_score_t  score;

    judge_json_key_object(w, "values");

    for (k = 0; k < JUDGE_FEATURES; k++) {
        judge_json_put_number(w, judge_features[k].name, (double) m->v[k]);
    }

    for (k = 1; k < JUDGE_ASPECTS && !judge_aspects[k].opposite; k++) {
        memset(&score, 0, sizeof(score));
        if (m->text->nwords > 0) {
            judge_aspect_score(&score, &judge_aspects[k], m);
        }
        judge_json_key(w, judge_aspects[k].name);
        quality_number(w, score.score);
    }

    judge_json_object_end(w);
}


static void
quality_verdict(judge_json_writer_t *w, const judge_rubric_t *rubric,
    const judge_verdict_t *verdict)
{
    size_t                    i;
    const judge_criterion_t  *c = rubric->criteria;

    judge_json_key_array(w, "scores");
    for (i = 0; i < rubric->ncriteria; i++) {
        quality_number(w, verdict->scores[i].score);
    }
    judge_json_array_end(w);

    judge_json_key_array(w, "by");
    for (i = 0; i < rubric->ncriteria; i++) {
        judge_json_str(w, judge_str_c(judge_judged_by_names[c[i].judged_by]));
    }
    judge_json_array_end(w);

    judge_json_key_array(w, "aspects");
    for (i = 0; i < rubric->ncriteria; i++) {
        judge_json_str(w, judge_str_c(c[i].aspect ? c[i].aspect->name : ""));
    }
    judge_json_array_end(w);

    judge_json_key_array(w, "flags");
    for (i = 0; i < verdict->nflags; i++) {
        judge_json_str(w, judge_str_c(verdict->flags[i].name));
    }
    judge_json_array_end(w);

    judge_json_key(w, "overall");
    quality_number(w, verdict->overall);
}


/* The judge's criteria, for which there is room. */

static bool
quality_rubric(judge_arena_t *arena, const judge_json_t *line,
    judge_rubric_t *rubric)
{
    judge_json_t       *c = judge_json_first(line, "criteria");
    judge_criterion_t  *criteria;

    criteria = judge_array_alloc(arena, QUALITY_CRITERIA, sizeof(*criteria));
    *rubric = (judge_rubric_t) { .name = JUDGE_STR(""),
                                 .description = JUDGE_STR(""),
                                 .criteria = criteria };

    for ( /* void */ ; c; c = c->next) {
        if (criteria == NULL || rubric->ncriteria == QUALITY_CRITERIA
            || !quality_criterion(arena, c, &criteria[rubric->ncriteria++]))
        {
            return false;
        }
    }

    return true;
}


static judge_item_t
quality_item(const judge_json_t *line)
{
    return (judge_item_t) { .text = judge_json_string(line, "text"),
                            .source = judge_json_string(line, "source"),
                            .question = judge_json_string(line, "question") };
}


static bool
quality_text(judge_arena_t *arena, const judge_json_t *line,
    judge_json_writer_t *w)
{
    judge_item_t            item = quality_item(line);
    judge_rubric_t          rubric;
    judge_scorer_t         *scorer;
    judge_verdict_t         verdict;
    judge_reading_t        *reading;
    const judge_measure_t  *m;

    if (item.text.data == NULL || !quality_rubric(arena, line, &rubric)) {
        return false;
    }

    scorer = judge_scorer_create(arena, &rubric);
    reading = judge_reading_create(arena, &item);

    if (scorer == NULL || reading == NULL
        || judge_score_reading(scorer, reading, arena, &verdict) != JUDGE_OK
        || judge_checks_apply(arena, &rubric, &item, &verdict, NULL)
           != JUDGE_OK)
    {
        return false;
    }

    m = judge_reading_measure(reading);
    judge_json_put_int(w, "words", (int64_t) m->text->nwords);
    quality_values(w, m);
    quality_verdict(w, &rubric, &verdict);

    return true;
}


/* --- Speed --------------------------------------------------------------- */

typedef struct {
    bool                 said;
    float               *scratch;      /* to predict in; NULL: not learned */
    judge_arena_t       *arena;        /* for one text */
    judge_scorer_t      *scorer;
    judge_calibrator_t   learned;
} quality_judge_t;


static bool
quality_judge(judge_arena_t *arena, const judge_json_t *line,
    quality_judge_t *judge)
{
    judge_str_t          model = judge_json_string(line, "model");
    judge_rubric_t      *rubric;
    const judge_json_t  *said;

    said = judge_json_member(line, "said", JUDGE_JSON_BOOLEAN);
    rubric = judge_alloc(arena, sizeof(*rubric));
    judge->said = said != NULL && said->boolean;
    judge->scratch = NULL;
    judge->arena = judge_arena_create(1 << 16);

    if (rubric == NULL || !quality_rubric(arena, line, rubric)) {
        return false;
    }

    judge->scorer = judge_scorer_create(arena, rubric);

    if (model.data != NULL
        && judge_calibrator_read(arena, judge_unbase64(arena, model),
                                 &judge->learned) == JUDGE_OK
        && judge->learned.current
        && judge->learned.ncriteria == rubric->ncriteria)
    {
        judge->scratch = judge_array_alloc(arena, judge->learned.scratch + 1,
                                           sizeof(float));
    }

    return judge->arena != NULL && judge->scorer != NULL
           && (model.data == NULL || judge->scratch != NULL);
}


static bool
quality_score(const quality_judge_t *judge, const judge_item_t *item)
{
    size_t           i;
    float            scores[QUALITY_CRITERIA + 1];
    judge_verdict_t  verdict;

    judge_arena_reset(judge->arena);

    if (judge_score(judge->scorer, item, judge->arena, &verdict) != JUDGE_OK
        || (judge->said && judge_explain(&verdict) != JUDGE_OK))
    {
        return false;
    }

    if (judge->scratch != NULL) {
        for (i = 0; i < judge->learned.ncriteria; i++) {
            scores[i] = (float) verdict.scores[i].score;
        }
        scores[i] = (float) verdict.overall;
        judge_calibrator_predict(&judge->learned, verdict.features, scores,
                                 item->text, judge->scratch, scores);
    }

    return true;
}


/* The texts in turn, and again: of one alone the branches would be known. */

static bool
quality_speed(judge_arena_t *arena, const judge_json_t *line,
    judge_json_writer_t *w)
{
    double               i, rounds;
    judge_item_t         item;
    struct timespec      began, end;
    quality_judge_t      judge;
    const judge_json_t  *text;

    if (!quality_judge(arena, line, &judge)
        || !judge_json_read_number(line, "rounds", &rounds))
    {
        return false;
    }

    (void) clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &began);

    for (i = 0; i < rounds; i++) {
        for (text = judge_json_first(line, "texts"); text; text = text->next) {
            item = quality_item(text);
            if (!quality_score(&judge, &item)) {
                return false;
            }
        }
    }

    (void) clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    judge_arena_destroy(judge.arena);

    judge_json_put_number(w, "seconds",
                          ((double) (end.tv_sec - began.tv_sec)
                           + (double) (end.tv_nsec - began.tv_nsec) / 1e9)
                          / rounds);

    return true;
}


/* --- Criteria ------------------------------------------------------------ */

static bool
quality_criteria(judge_arena_t *arena, const judge_json_t *line,
    judge_json_writer_t *w)
{
    size_t                   i;
    judge_str_t              error;
    judge_parse_request_t    request = {
        .description = judge_json_string(line, "text"), .weights = true };
    judge_parsed_criteria_t  out;

    if (request.description.data == NULL
        || judge_criteria_parse(arena, &request, &out, &error) != JUDGE_OK)
    {
        return false;
    }

    judge_json_key_array(w, "criteria");
    for (i = 0; i < out.ncriteria; i++) {
        judge_json_object(w);
        judge_json_put_str(w, "name", out.criteria[i].name);
        judge_json_put_str(w, "description", out.criteria[i].description);
        judge_json_put_number(w, "weight", out.criteria[i].weight);
        judge_json_object_end(w);
    }
    judge_json_array_end(w);

    judge_json_put_strings(w, "questions", out.questions, out.nquestions);
    judge_json_put_strings(w, "suggestions", out.suggestions,
                           out.nsuggestions);

    return true;
}


/* --- What detectors find ------------------------------------------------- */

static bool
quality_detect(judge_arena_t *arena, const judge_json_t *line,
    judge_json_writer_t *w)
{
    bool                   failed;
    size_t                 i;
    judge_buf_t            masked;
    judge_str_t            text = judge_json_string(line, "text");
    judge_str_t            parameter = judge_json_string(line, "parameter");
    judge_detect_rule_t    rule = { .action = JUDGE_DETECT_MASK,
                                    .directions = JUDGE_DETECT_ANSWER };
    judge_detect_masks_t   masks = { .arena = arena };

    static const judge_detect_expressions_t  none;
    judge_detect_t  d = { .rules = &rule, .directions = JUDGE_DETECT_ANSWER,
                          .arena = arena, .masks = &masks };

    judge_detectors_parse(judge_json_string(line, "detectors"), &none, &rule);
    rule.languages[judge_language_find(parameter)] = true;

    if (text.data == NULL
        || (rule.detectors & 1u << JUDGE_DETECT_LEAK
            && judge_detect_phrases(arena, parameter, false, &rule.leak)
               == JUDGE_NOMEM))
    {
        return false;
    }

    judge_buf_init(&masked, arena);
    d.scratch = judge_arena_create(4096);
    if (d.scratch) {
        (void) judge_detect_text(&d, text, 0, &masked);
    }
    failed = d.scratch == NULL || d.failed;
    judge_arena_destroy(d.scratch);

    judge_json_key_array(w, "found");
    for (i = 0; i < masks.n; i++) {
        judge_json_str(w, judge_str_c(masks.masks[i].label));
        judge_json_str(w, masks.masks[i].original);
    }
    judge_json_array_end(w);

    return !failed;
}


/* --- What chance does ---------------------------------------------------- */

/* Sets n, or returns NULL. */

static float *
quality_numbers(judge_arena_t *arena, const judge_json_t *line,
    const char *name, size_t *n)
{
    float               *numbers;
    const judge_json_t  *v;

    v = judge_json_member(line, name, JUDGE_JSON_ARRAY);
    numbers = v == NULL ? NULL
              : judge_array_alloc(arena, v->count + 1, sizeof(float));
    *n = 0;

    for (v = numbers == NULL ? NULL : v->first; v; v = v->next) {
        numbers[(*n)++] = (float) judge_json_double(v);
    }

    return numbers;
}


static bool
quality_gate(judge_arena_t *arena, const judge_json_t *line,
    judge_json_writer_t *w)
{
    float                  *groups;
    size_t                  i, n, npred, nbefore;
    uint32_t               *group;
    double                  pass[JUDGE_GATE_TARGETS];
    judge_gate_t            gate;
    judge_agreement_t       agree[JUDGE_GATE_TARGETS + 1];
    judge_agreement_set_t   set = { .pass = pass };

    set.human = quality_numbers(arena, line, "human", &n);
    set.pred = quality_numbers(arena, line, "pred", &npred);
    set.before = quality_numbers(arena, line, "before", &nbefore);
    groups = quality_numbers(arena, line, "groups", &set.nitems);
    set.ntargets = set.nmean = set.nitems ? n / set.nitems : 0;
    group = judge_array_alloc(arena, set.nitems + 1, sizeof(uint32_t));

    if (set.human == NULL || set.pred == NULL || set.before == NULL
        || groups == NULL || group == NULL || npred != n || nbefore != n
        || set.ntargets == 0 || set.ntargets > JUDGE_GATE_TARGETS)
    {
        return false;
    }

    for (i = 0; i < set.nitems; i++) {
        group[i] = (uint32_t) groups[i];
    }
    for (i = 0; i < set.ntargets; i++) {
        pass[i] = 60;
    }

    set.group = group;
    if (judge_agreement(arena, &set, agree) != JUDGE_OK) {
        return false;
    }

    judge_gate(agree, set.ntargets, NULL, &gate);
    judge_json_key(w, "passes");
    judge_json_bool(w, gate.verdict == JUDGE_GATE_READY);

    return true;
}


static bool
quality_difference(judge_arena_t *arena, const judge_json_t *line,
    judge_json_writer_t *w)
{
    float                   *clusters;
    size_t                   i, n, nclusters;
    double                   seed;
    judge_difference_t       d;
    judge_difference_set_t   set = { .ntargets = 1 };

    clusters = quality_numbers(arena, line, "clusters", &nclusters);
    set.scores[0] = quality_numbers(arena, line, "here", &set.npairs);
    set.scores[1] = quality_numbers(arena, line, "there", &n);
    set.pairs = judge_array_alloc(arena, set.npairs + 1,
                                  sizeof(judge_difference_pair_t));

    if (set.scores[0] == NULL || set.scores[1] == NULL || set.pairs == NULL
        || n != set.npairs || (clusters && n != nclusters)
        || !judge_json_read_number(line, "seed", &seed))
    {
        return false;
    }

    for (i = 0; i < n; i++) {
        set.pairs[i] = (judge_difference_pair_t) {
            .places = { i, i },
            .cluster = clusters ? (uint64_t) clusters[i] : i
        };
    }

    set.seed = (uint64_t) seed;
    if (judge_difference(arena, &set, &d) != JUDGE_OK) {
        return false;
    }

    judge_json_put_number(w, "p", d.p);
    judge_json_key(w, "low");
    quality_number(w, d.low);
    judge_json_key(w, "high");
    quality_number(w, d.high);

    return true;
}


/* --- Lines --------------------------------------------------------------- */

static bool
quality_line(judge_arena_t *arena, judge_str_t line, quality_line_pt answer)
{
    judge_buf_t           buf;
    judge_json_t         *root;
    judge_json_writer_t   w;

    if (judge_json_parse(arena, line, &root, NULL) != JUDGE_OK
        || root->type != JUDGE_JSON_OBJECT)
    {
        return false;
    }

    judge_json_begin_object(&w, &buf, arena);
    if (!answer(arena, root, &w)) {
        return false;
    }

    line = judge_json_text(&w);
    printf("%.*s\n", (int) line.len, line.data);

    return line.len > 0;
}


int
main(int argc, char **argv)
{
    char             *line = NULL;
    size_t            size = 0, n;
    ssize_t           len;
    judge_arena_t    *arena = judge_arena_create(1 << 20);
    quality_line_pt   answer;

    answer = argc != 2 ? NULL
             : strcmp(argv[1], "texts") == 0 ? quality_text
             : strcmp(argv[1], "speed") == 0 ? quality_speed
             : strcmp(argv[1], "criteria") == 0 ? quality_criteria
             : strcmp(argv[1], "detect") == 0 ? quality_detect
             : strcmp(argv[1], "gate") == 0 ? quality_gate
             : strcmp(argv[1], "difference") == 0 ? quality_difference : NULL;

    if (answer == NULL || arena == NULL) {
        fprintf(stderr,
                "usage: quality texts|speed|criteria|detect|gate|"
                "difference\n");
        return 2;
    }

    for (n = 1; (len = getline(&line, &size, stdin)) > 0; n++) {
        judge_arena_reset(arena);

        if (!quality_line(arena, (judge_str_t) { (size_t) len, line }, answer))
        {
            fprintf(stderr, "quality: line %zu is none to answer\n", n);
            return 1;
        }
    }

    free(line);
    judge_arena_destroy(arena);

    return 0;
}
