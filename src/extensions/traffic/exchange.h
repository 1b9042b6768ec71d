/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Judges traffic that passes through the server: the text of a request, or
 * that of a response with its request as the source.  A thread scores it by
 * the built-in engine and the calibrators of the judge; it is stored as a
 * content with a completed evaluation.
 */


#ifndef JUDGE_EXCHANGE_H
#define JUDGE_EXCHANGE_H


#include "base/text/regex.h"
#include "work/evaluation/evaluate.h"
#include "extensions/traffic/extract.h"


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
    int                       file;    /* of the body; -1: none; free() closes
                                          it */
    bool                      conversation;      /* judge the messages of the
                                          request with the answer */
    judge_str_t               conversation_id;   /* may be absent */
    const judge_extract_path_t *conversation_path;   /* of that in the request,
                                          or NULL */
    bool                      scores;  /* only scores are stored */
    bool                      urgent;  /* a client waits for the verdict */
    bool                      unfinished;        /* the stream has not ended:
                                          its text is stored only if it scores
                                          below `min`, and a skip is not
                                          counted */
    double                    min;     /* 0 to 100 */
    judge_regex_t           **redact;  /* expressions to be removed */
    size_t                    nredact;
    judge_str_t               name;    /* of the content */
    judge_str_t               route;   /* label of the counted scores */
    judge_str_t               trace;   /* traceparent; may be absent */
    judge_str_t               about;   /* JSON for metadata.traffic */
    void                    (*done)(judge_exchange_t *x);  /* or NULL */
    void                     *data;

    /* Results. */
    judge_skip_e              skip;
    double                    overall; /* the score, 0 to 100 */
    judge_str_t               reason;  /* a sentence, where the skip is
                                          JUDGE_SKIP_NOT_JUDGED */
    judge_ms_t                latency;
    judge_id_t                id;      /* of the evaluation */
    judge_str_t               scored;  /* JSON: the scores by criterion */
    judge_buf_t               anew;    /* the rewritten request */

    /* Private. */
    judge_id_t                content_id;
    judge_ms_t                began_at;
    int64_t                   entered; /* when its thread began, in us */
    int64_t                   spent;   /* CPU time of the thread, in us */
    judge_pair_find_t         pair;
    judge_evaluation_create_t create;
    bool                      counted; /* as being judged */
    bool                      storing;
    unsigned                  pending; /* the judging, and the write that
                                          creates the evaluation */
    judge_exchange_t         *next;
};

/* destroy() frees the waiting exchanges without done(); none may be judged or
 * stored then.  busy() tells whether there is any exchange.  tick() begins
 * waiting exchanges if their pause is over. */
void judge_exchanges_destroy(judge_service_t *service);
bool judge_exchanges_busy(judge_service_t *service);
void judge_exchanges_tick(judge_service_t *service);

/* Does the same as tick(), and returns whether a further exchange that is not
 * urgent would be dropped. */
bool judge_exchanges_full(judge_service_t *service);

/* Returns a zeroed exchange with its own arena, which must be run or freed;
 * NULL: out of memory. */
judge_exchange_t *judge_exchange_create(judge_service_t *service);
void judge_exchange_free(judge_exchange_t *x);

/*
 * Judges the exchange, calls done() on the event loop (perhaps before this
 * function returns), stores the exchange, even one whose criteria could not be
 * judged but else none that was skipped, and frees it.
 * done() may read the results.  An urgent exchange begins at once, or is
 * dropped if 256 are being judged; another one may wait, and is dropped if 256
 * wait.  An `unfinished` one is stored only if `overall` is below `min`.
 */
void judge_exchange_run(judge_exchange_t *x);


/* --- Pace ---------------------------------------------------------------- */

/*
 * Decides when exchanges are judged.  Those that clients wait for begin at
 * once, up to a limit.  Of the others two at a time are judged, and only while
 * processors are idle: traffic has priority.
 */

/* The exchanges of a service in this process. */
typedef struct {
    judge_exchange_t        *first;        /* list of waiting ones */
    judge_exchange_t        *last;         /* if there is a first */
    size_t                   waiting;      /* their number */
    size_t                   nbackground;  /* being judged, not urgent */
    size_t                   nurgent;      /* being judged, urgent */
    size_t                   nstoring;
    judge_ms_t               resumes;      /* only urgent ones begin earlier */
} judge_exchanges_t;

judge_exchanges_t *judge_exchanges(judge_service_t *service);

/* Called on the event loop when the thread has ended: measures how long the
 * exchange has waited for a processor, and sets the pause. */
void judge_exchange_returned(judge_exchange_t *x);


#endif /* JUDGE_EXCHANGE_H */
