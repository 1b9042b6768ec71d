/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Criteria from a description in English, German, Spanish, French or
 * Portuguese: each line, row, item or clause that asks for something is one,
 * in the writer's words.  Nothing is left out but what is said not to matter,
 * what frames a letter, and what introduces the criteria.  No model.
 */


#ifndef JUDGE_CRITERIA_PARSE_H
#define JUDGE_CRITERIA_PARSE_H


#include "base/core/str.h"


#define JUDGE_PARSE_MAX       65536    /* bytes of a description */
#define JUDGE_PARSE_CRITERIA  64       /* that a judge may have */

typedef enum {
    JUDGE_PARSE_TEXT, JUDGE_PARSE_VIDEO, JUDGE_PARSE_AUDIO, JUDGE_PARSE_IMAGE
} judge_parse_type_e;

typedef struct {
    judge_str_t         description;   /* UTF-8 */
    judge_parse_type_e  content_type;
    unsigned            max_criteria;  /* 0: JUDGE_PARSE_CRITERIA */
    bool                weights;       /* include_weights */
    bool                thresholds;    /* include_thresholds */
} judge_parse_request_t;

typedef struct {
    judge_str_t  name;                 /* at most 200 characters, unique */
    judge_str_t  description;          /* at most 5000, never empty */
    double       weight;               /* two decimals (three for more than
                                          20 criteria); all add up to 1 */
    double        excellent, good;     /* the lowest score of each class, */
    double        fair, poor;          /* 0 to 100, falling */
    judge_str_t  *examples;            /* up to 10 */
    size_t        nexamples;
} judge_parsed_criterion_t;

typedef struct {
    judge_parsed_criterion_t  *criteria;
    size_t                     ncriteria;  /* 0: none was found */
    bool                       weights, thresholds;  /* as asked for */
    double                     confidence;  /* 0 to 1, two decimals: how surely
                                              this is what was meant */
    judge_str_t  *suggestions;             /* what was left out, what to add */
    size_t        nsuggestions;
    judge_str_t  *questions;               /* what may be meant otherwise */
    size_t        nquestions;
    unsigned      language;                /* for judge_criteria_keep() */
} judge_parsed_criteria_t;


/* The names of the types: "text", "video", "audio", "image". */
extern const judge_str_t  judge_parse_types[JUDGE_PARSE_IMAGE + 1];

/*
 * Everything in *out lies in `arena` and is set whatever was asked for.  A
 * description that says nothing gives few criteria or none, a confidence near
 * 0 and suggestions.  JUDGE_INVALID: it is longer than JUDGE_PARSE_MAX, not
 * UTF-8, or takes too many steps; *error says so and begins with
 * "description: ".  JUDGE_NOMEM.
 */
judge_rc_e judge_criteria_parse(judge_arena_t *arena,
    const judge_parse_request_t *request, judge_parsed_criteria_t *out,
    judge_str_t *error);

/* judge_weights_round() of the criteria's weights. */
void judge_criteria_round(judge_parsed_criterion_t *criteria, size_t n);

/*
 * Holds the answer of a model to the description, of which `parsed` is what
 * the function above made: a clause of it that the answer has lost is added as
 * it stands, one that the answer has turned round is put back, each with a
 * question.  JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_criteria_keep(judge_arena_t *arena,
    const judge_parse_request_t *request,
    const judge_parsed_criteria_t *parsed, judge_parsed_criteria_t *answer);


#endif /* JUDGE_CRITERIA_PARSE_H */
