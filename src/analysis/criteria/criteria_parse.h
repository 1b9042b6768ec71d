/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Criteria from a description in English, German, Spanish, French or
 * Portuguese: sentences, lists, headings and tables; what counts how much
 * ("30%", "twice as important as", "matters most"), what is to be avoided,
 * how many of something there must be.  By patterns; no model.
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
    judge_str_t  *suggestions;             /* what is unclear, what to add */
    size_t        nsuggestions;
} judge_parsed_criteria_t;


/* The names of the types: "text", "video", "audio", "image". */
extern const judge_str_t  judge_parse_types[JUDGE_PARSE_IMAGE + 1];

/*
 * Everything in *out lies in `arena` and is set whatever was asked for.  A
 * description that says nothing gives few criteria or none, a confidence near
 * 0 and suggestions.  JUDGE_INVALID: it is longer than JUDGE_PARSE_MAX or not
 * UTF-8; *error says so and begins with "description: ".
 * JUDGE_NOMEM.  Time is linear in the description's length.
 */
judge_rc_e judge_criteria_parse(judge_arena_t *arena,
    const judge_parse_request_t *request, judge_parsed_criteria_t *out,
    judge_str_t *error);


#endif /* JUDGE_CRITERIA_PARSE_H */
