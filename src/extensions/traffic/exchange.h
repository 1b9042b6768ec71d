/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Judges traffic that passes through the server: the text of a response, with
 * that of its request as its source, or the text of a request.  A thread
 * scores it with the built-in engine and what the judge has learned from
 * feedback; it is stored as a content with a completed evaluation.
 */


#ifndef JUDGE_EXCHANGE_H
#define JUDGE_EXCHANGE_H


#include "base/text/regex.h"
#include "extensions/traffic/extract.h"
#include "work/evaluation/evaluate.h"


typedef struct judge_exchange  judge_exchange_t;

struct judge_exchange {
    judge_arena_t            *arena;   /* contains this struct, too */
    judge_service_t          *service;

    /* Set by the caller. */
    judge_str_t               org;
    judge_str_t               judge_id;
    judge_extract_t           body;    /* the text to judge */
    judge_extract_t           source;  /* its source, if `sourced` is set */
    bool                      sourced;
    int                       file;    /* has the body; free() closes it */
    bool                      talks;   /* judged is the conversation: the
                                          messages of the request, and the
                                          answer */
    judge_str_t               talk;    /* its identifier; may be absent, */
    const judge_extract_path_t *talk_at;   /* or where that stands in the
                                          request; or NULL */
    bool                      scores;  /* only scores are stored */
    bool                      urgent;  /* a client waits for the verdict */
    bool                      running; /* the stream has not ended: its text
                                          is stored only below `min`, and a
                                          skip is not counted */
    double                    min;
    judge_regex_t           **redact;  /* expressions to be removed */
    size_t                    nredact;
    judge_str_t               name;    /* of the content */
    judge_str_t               route;   /* for metrics of scores */
    judge_str_t               trace;   /* traceparent; may be absent */
    judge_str_t               about;   /* JSON for metadata.traffic */
    void                    (*done)(judge_exchange_t *x);  /* or NULL */
    void                     *data;

    /* Results. */
    judge_skip_e              skip;
    double                    overall;
    judge_ms_t                took;
    judge_id_t                id;      /* of the evaluation */
    judge_str_t               scored;  /* JSON: the scores by criterion */
    judge_buf_t               anew;    /* of a request, where body.rewrite is
                                          set: as it is to pass */

    /* Private. */
    judge_id_t                content_id;
    judge_ms_t                began_at;
    int64_t                   entered; /* when a thread began with it, and */
    int64_t                   spent;   /* its time of a processor, in us */
    judge_pair_find_t         pair;
    judge_evaluation_create_t create;
    bool                      storing;
    bool                      creating;
    bool                      ended;
    bool                      unstored;
    judge_exchange_t         *next;
};

/* destroy() not while judge_exchanges_busy(); tick() begins with those that
 * wait, if it is time. */
void judge_exchanges_destroy(judge_service_t *service);
void judge_exchanges_tick(judge_service_t *service);

/* Does as tick() does; then, whether a further exchange
 * without `urgent` would be dropped. */
bool judge_exchanges_full(judge_service_t *service);

/* Returns a zeroed exchange with its own arena, which must be run or freed;
 * NULL: out of memory. */
judge_exchange_t *judge_exchange_create(judge_service_t *service);
void judge_exchange_free(judge_exchange_t *x);

/*
 * Judges the exchange, calls done() on the event loop, maybe before this
 * returns, stores the exchange unless it was skipped, and frees it.  done()
 * may read the results.  An exchange that is not urgent may have to wait for
 * others, or is dropped if too many wait.
 */
void judge_exchange_run(judge_exchange_t *x);

/* Counts an exchange that was not judged. */
void judge_exchange_skipped(judge_service_t *service, judge_skip_e skip);


#endif /* JUDGE_EXCHANGE_H */
