/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What passes through the server, judged: the text of an answer, with that of
 * its request as its source, or of a request, is scored in a thread by the
 * built-in engine with what the judge has learned, and becomes a content with
 * an evaluation that has ended.
 */


#ifndef JUDGE_EXCHANGE_H
#define JUDGE_EXCHANGE_H


#include "base/text/regex.h"
#include "extensions/traffic/extract.h"
#include "work/evaluation/evaluate.h"


typedef struct judge_exchange  judge_exchange_t;

struct judge_exchange {
    judge_arena_t            *arena;   /* it lies in it, too */
    judge_service_t          *service;

    /* Set by whoever made it. */
    judge_str_t               org;
    judge_str_t               judge_id;
    judge_extract_t           body;    /* that is judged */
    judge_extract_t           source;  /* unless `sourced` is unset */
    bool                      sourced;
    int                       file;    /* that has the body; closed; or -1 */
    bool                      scores;  /* only these are stored */
    bool                      urgent;  /* somebody waits for it */
    bool                      running; /* not at its end: it is stored only
                                          below `min`, and what was skipped
                                          is not counted */
    double                    min;
    judge_regex_t           **redact;  /* is taken out first; any threads' */
    size_t                    nredact;
    judge_str_t               name;    /* of the content */
    judge_str_t               route;   /* its scores are counted by */
    judge_str_t               about;   /* JSON: its metadata.traffic */
    void                    (*done)(judge_exchange_t *x);  /* or NULL */
    void                     *data;

    /* Out. */
    judge_skip_e              skip;
    double                    overall;
    judge_ms_t                took;
    judge_id_t                id;      /* of the evaluation */
    judge_str_t               scored;  /* JSON: the scores by criterion */

    /* Its own. */
    judge_id_t                content_id;
    judge_ms_t                began_at;
    judge_pair_find_t         pair;
    judge_evaluation_create_t create;
    bool                      storing;
    bool                      creating;
    bool                      ended;
    bool                      unstored;
    judge_exchange_t         *next;
};

bool judge_exchanges_create(judge_service_t *service);
void judge_exchanges_destroy(judge_service_t *service);  /* at rest only */
bool judge_exchanges_busy(judge_service_t *service);

/* Nothing more that nobody waits for would be judged. */
bool judge_exchanges_full(judge_service_t *service);

/* Zeroed, with an arena of its own; NULL: no memory.  It is either run or
 * freed. */
judge_exchange_t *judge_exchange_create(judge_service_t *service);
void judge_exchange_free(judge_exchange_t *x);

/*
 * Judges it, calls done(), on the loop, maybe from within, and stores it; then
 * it frees itself.  done() may read what is "out"; of what was skipped nothing
 * is stored.  What is not urgent waits for its turn, or is dropped when too
 * much does.
 */
void judge_exchange_run(judge_exchange_t *x);

/* Counts what was not judged. */
void judge_exchange_skipped(judge_service_t *service, judge_skip_e skip);


#endif /* JUDGE_EXCHANGE_H */
