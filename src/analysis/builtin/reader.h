/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What any reader sees at once, before asking how well a text is written: it
 * refuses, is about something else, is no sentences at all; or it has, or
 * lacks, just what a criterion asks for (aspects.txt).
 */


#ifndef JUDGE_READER_H
#define JUDGE_READER_H


#include "analysis/builtin/prior.h"
#include "analysis/builtin/aspect_list.h"


typedef struct {
    const char          *name;         /* "empathy" */
    float                share;        /* of the score, 0 to 1, */
    float                words;        /* up to so many; 0: in any text */
    const judge_term_t  *terms;        /* to JUDGE_TERM_END */
} judge_aspect_t;

extern const judge_aspect_t  judge_aspects[JUDGE_ASPECTS];

#define JUDGE_READER_ASPECTS  3

/* The aspects that a criterion asks for; weights add up to 1. */
typedef struct {
    uint8_t  aspects[JUDGE_READER_ASPECTS];
    double   weights[JUDGE_READER_ASPECTS];
    size_t   n;                        /* 0: none */
} judge_reader_match_t;


/* JUDGE_OK or JUDGE_NOMEM; arena is for what is needed meanwhile.  unasked: an
 * aspect that it cannot mean, instead of which it asks for nothing. */
judge_rc_e judge_reader_match(judge_reader_match_t *match,
    judge_arena_t *arena, judge_str_t name, judge_str_t description,
    uint8_t unasked);

/* What the aspect is of this text; its share is 0 where nothing is. */
const judge_aspect_t *judge_reader_asked(const judge_measure_t *m,
    uint8_t aspect);

/* 0 to 1: the part of a score that such aspects have. */
double judge_reader_share(const judge_measure_t *m,
    const judge_reader_match_t *match);

/*
 * Adds what a reader sees to the effects of judge_prior_effects(), of which
 * there are n in list[JUDGE_FEATURES]; returns how many there are then.
 */
size_t judge_reader_effects(const judge_measure_t *m,
    const judge_reader_match_t *match, judge_effect_t *list, size_t n);


#endif /* JUDGE_READER_H */
