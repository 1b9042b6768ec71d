/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * An extension is a part of the service that a build can leave out: a folder
 * of src/extensions with all that it consists of.  It describes itself by one
 * struct.  The core walks the list of those that were built in and knows none
 * of them by name.
 */


#ifndef JUDGE_EXTENSION_H
#define JUDGE_EXTENSION_H


#include "analysis/builtin/conversation.h"
#include "base/json/json.h"
#include "store/store_webhook.h"
#include "work/service/leased.h"


/* Counters of one name that only grow, over all workers: n that the core
 * keeps, or, with n 0, those that the extension keeps, for which counted() is
 * called with i = 0, 1, … until it returns false. */
typedef struct {
    const char  *name;                 /* Prometheus' */
    const char  *help;
    const char  *label;                /* NULL: one counter without a label */
    size_t       n;                    /* how many */
    const char *(*value)(size_t i);    /* of the label; NULL: the i-th is not
                                          shown */
    bool        (*counted)(const judge_service_t *service, size_t i,
                           judge_buf_t *labels, uint64_t *count);
} judge_extension_metric_t;

/* What was measured in contents that external workers judge. */
typedef struct {
    uint64_t    (*identity)(void);     /* changes with what is measured */
    size_t        n;
    const char *(*name)(size_t i);     /* NULL: there is no i-th */
} judge_measurements_t;

/* The core calls these functions for each result and event; any may be
 * NULL. */
typedef struct {
    /* Runs in any thread before a result is stored.  Without a verdict the
     * evaluation has failed, or result->body was read from the store. */
    judge_rc_e  (*made)(judge_arena_t *arena, const judge_job_t *job,
                        const judge_rubric_t *rubric,
                        const judge_verdict_t *verdict,
                        judge_result_t *result);
    /* Runs on the event loop after a result has been stored. */
    void        (*stored)(judge_service_t *service,
                          const judge_result_t *result);
    /* Writes the record of an event; JUDGE_ERROR: it is of another type. */
    judge_rc_e  (*event)(judge_json_writer_t *w, const judge_store_t *reads,
                         judge_event_t *event);
} judge_on_results_t;

/* Memory that all workers share.  It is zero before init(), which returns
 * false if it fails.  A worker that exits calls left(), which may run
 * operations by run(); that returns when the operation has ended. */
typedef struct {
    size_t   size;                     /* bytes; 0: none */
    bool   (*init)(void *memory);
    void   (*left)(judge_service_t *service,
                   void (*run)(void *data, judge_op_t *op), void *data);
} judge_shared_memory_t;

typedef struct judge_route  judge_route_t;               /* api */

typedef struct {
    const char                      *name;   /* its folder's */
    const judge_route_t *const      *routes; /* tables, ended by NULL; or
                                          NULL */
    judge_background_t               background;
    const judge_leased_kind_t       *leased; /* how it works on queued rows;
                                          or NULL */
    judge_on_results_t               results;
    judge_shared_memory_t            shared;
    const judge_extension_metric_t  *metrics;
    size_t                           nmetrics;
    const judge_measurements_t      *measurements;       /* or NULL */
    judge_rc_e                     (*conversation)(judge_arena_t *arena,
        const judge_json_t *messages, judge_str_t path,
        judge_conversation_t *c, judge_str_t *error);    /* reads messages;
                                          or NULL */
} judge_extension_t;

/* Those that were built in, generated from the names of their folders; the
 * last one is NULL. */
extern const judge_extension_t *const  judge_extensions[];

/* The data of an extension for this service, in this process: zeros before its
 * create().  NULL: the background was not created. */
void *judge_extensions_data(const judge_service_t *service,
    const judge_extension_t *extension);

/* The memory that an extension shares with other workers. */
void *judge_extensions_shared(const judge_service_t *service,
    const judge_extension_t *extension);

/* Call the functions of all extensions; see judge_on_results_t. */
judge_rc_e judge_extensions_made(judge_arena_t *arena, const judge_job_t *job,
    const judge_rubric_t *rubric, const judge_verdict_t *verdict,
    judge_result_t *result);
void judge_extensions_stored(judge_service_t *service,
    const judge_result_t *result);
judge_rc_e judge_extensions_event(judge_json_writer_t *w,
    const judge_store_t *reads, judge_event_t *event);

/* Reads messages, which stand in the body at `path`.  JUDGE_OK, JUDGE_NOMEM,
 * or JUDGE_INVALID with *error, also if no extension can read messages. */
judge_rc_e judge_extensions_conversation(judge_arena_t *arena,
    const judge_json_t *messages, judge_str_t path, judge_conversation_t *c,
    judge_str_t *error);

/* Adds to an item, which has the content's text (it may be cut), what the
 * metadata say.  If they have a conversation, the item is reduced to the part
 * that `scope` selects; for JUDGE_SCOPE_EACH to the last answer, which the
 * caller may replace by another.  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_extensions_item(judge_arena_t *arena, judge_str_t metadata,
    judge_scope_e scope, judge_item_t *item);

/* Those of the first extension that has any; NULL: none has. */
const judge_measurements_t *judge_extensions_measurements(void);

/* Adds n to the i-th counter of a metric; any worker, in any thread.  Counters
 * beyond JUDGE_EXTENSION_COUNTERS, of all extensions, count nothing. */
void judge_extensions_add(judge_service_t *service,
    const judge_extension_t *extension, size_t metric, size_t i, uint64_t n);

uint64_t judge_extensions_get(const judge_service_t *service,
    const judge_extension_t *extension, size_t metric, size_t i);


#endif /* JUDGE_EXTENSION_H */
