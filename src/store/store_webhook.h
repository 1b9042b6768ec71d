/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Events, and operations on their deliveries; part of store.h.
 *
 * Whatever changes something writes an event in the same transaction, with one
 * line in the step or reader of its operation:
 *
 *     if (!judge_event_add(run->op, JUDGE_EVENT_BATCH_STARTED,
 *                           run->op->org, o->id))
 *     {
 *         return JUDGE_NOMEM;
 *     }
 *
 * or before the operation is submitted, by whoever has the data at hand.  An
 * operation that fails writes none; an event's time is that at which its
 * operation was submitted.  What an event costs where nobody
 * wants it is one look at the organization's settings, for all of the
 * operation's events together.
 */


#ifndef JUDGE_STORE_WEBHOOK_H
#define JUDGE_STORE_WEBHOOK_H


#include "store/store_external.h"


typedef enum {
    JUDGE_EVENT_EVALUATION_COMPLETED = 0,
    JUDGE_EVENT_EVALUATION_FAILED,
    JUDGE_EVENT_EVALUATION_REQUESTED,  /* added by the runner, only for who
                                          asked for it by name */
    JUDGE_EVENT_BATCH_STARTED,
    JUDGE_EVENT_BATCH_PROGRESS,
    JUDGE_EVENT_BATCH_COMPLETED,
    JUDGE_EVENT_BATCH_FAILED,
    JUDGE_EVENT_CONTENT_READY,
    JUDGE_EVENT_CONTENT_ERROR,
    JUDGE_EVENT_FEEDBACK_PROCESSED,    /* row: judge_feedback_row_t of one
                                          entry; without a subject it is a
                                          judge_feedback_done_t */
    JUDGE_EVENT_TRAINING_STARTED,
    JUDGE_EVENT_TRAINING_PROGRESS,
    JUDGE_EVENT_TRAINING_COMPLETED,
    JUDGE_EVENT_TRAINING_FAILED,
    JUDGE_EVENT_TRAINING_CANCELLED,
    JUDGE_EVENT_JUDGE_VERSION_CREATED,
    JUDGE_EVENT_JUDGE_READY,           /* its judge is, where it comes to be
                                          written; else there is none */
    JUDGE_EVENT_JUDGE_DRIFT,           /* row: judge_drift_finish_t */
    JUDGE_EVENT_WEBHOOK_TEST,          /* nobody can choose it */
    JUDGE_EVENT_COUNT
} judge_event_type_e;

/* By type: "evaluation.completed" and so on; NULL stands last. */
extern const char *const  judge_event_names[JUDGE_EVENT_COUNT + 1];

/* Lives in the arena of its operation.  Without data the event shows its
 * subject as it is at the end of the operation, rendered by op->render. */
struct judge_event {
    judge_event_type_e   type;
    judge_str_t          org;
    judge_str_t          subject;      /* an identifier, for op->render */
    const void          *row;          /* likewise, where the operation has
                                          it at hand: see the type */
    judge_str_t          data;         /* JSON; may be absent */
    judge_str_t          url;          /* absent: the organization's, if it
                                          wants the event at all */
    bool                 always;       /* wanted, whatever is set */
    judge_id_t           id;           /* evt_…; empty: will be made */
    judge_id_t           delivery;     /* whd_…; likewise */
    const char          *name;         /* of its type; while it runs, too */
    bool                 wanted;
    judge_event_t       *next;
    judge_event_t       *last;         /* of the list, in its first one */
};

/* The event, to be filled in further; NULL: no memory. */
judge_event_t *judge_event_add(judge_op_t *op, judge_event_type_e type,
    judge_str_t org, judge_str_t subject);

/* The same event, for an address of its own. */
judge_event_t *judge_event_add_at(judge_op_t *op, const judge_event_t *first,
    judge_str_t url);

/* An evaluation has ended so: JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_event_add_result(judge_op_t *op, judge_str_t org,
    const judge_result_t *result);


/* Adds an event for each evaluation that began to wait for an external
 * worker: the engine runs it behind every write. */
typedef struct {                       /* any org */
    judge_op_t          op;            /* events */
} judge_event_requests_t;

/* Writes the outbox: the engine runs it behind an operation with events. */
typedef struct {                       /* any org */
    judge_op_t          op;            /* events, render */
    judge_store_t       reads;         /* in the same transaction */
    judge_event_t      *at;            /* from here on: while it runs */
    bool                wants;
    judge_str_t         wanted;
} judge_event_write_t;


typedef struct {
    judge_str_t  org;
    judge_str_t  id;
    judge_str_t  event_id;
    judge_str_t  type;
    judge_str_t  status;               /* pending, delivered, failed */
    judge_ms_t   created_at;
    judge_ms_t   queue_at;             /* 0: it has ended */
    bool         under_way;
    int64_t      attempts;
    judge_ms_t   attempted_at;         /* 0: not yet */
    judge_ms_t   delivered_at;         /* 0: not yet */
    int64_t      last_status;          /* of HTTP; 0: no answer */
    judge_str_t  last_error;           /* may be absent */
    judge_str_t  url;                  /* empty: the organization's */
    judge_str_t  answer;               /* its beginning; may be absent */
    judge_str_t  data;                 /* JSON; not in lists */
    judge_work_item_t *work;           /* of a claimed evaluation.requested;
                                          NULL: it has ended or gone */
    judge_str_t  base_url;             /* with it; may be absent */
} judge_delivery_row_t;

typedef struct {
    judge_op_t             op;
    judge_page_t           page;
    judge_str_t            status;     /* absent: all */
    judge_str_t            type;
    judge_str_t            event_id;
    judge_delivery_row_t  *rows;
    judge_id_t             from;       /* while it runs: between these are */
    judge_id_t             to;         /* those of the event */
    size_t                 count;
} judge_delivery_list_t;

typedef struct {
    judge_op_t            op;
    judge_str_t           id;
    judge_delivery_row_t  row;         /* out */
} judge_delivery_find_t;

/* As new, and due now.  JUDGE_CONFLICT: it is under way. */
typedef struct {
    judge_op_t            op;
    judge_str_t           id;
    judge_ms_t            now;
    judge_delivery_row_t  row;         /* out, as it is then */
} judge_delivery_again_t;

/* Carries an event for the organization's address; JUDGE_CONFLICT: there is
 * none, or it is turned off. */
typedef struct {
    judge_op_t  op;
} judge_delivery_test_t;


/* --- Delivering (any org) ------------------------------------------------ */

/* An address of an organization, and what is to be done there. */
typedef struct {
    judge_str_t            org;
    judge_str_t            url;        /* empty: the organization's */
    int64_t                failures;   /* in a row; in and out */
    judge_ms_t             blocked_until;    /* nobody claims before that */
    judge_ms_t             changed_at; /* the organization's; out of peek */
    int64_t                take;       /* deliveries to claim at most */
    judge_delivery_row_t  *rows;       /* out; room for `take` */
    size_t                 count;
    judge_str_t            target;     /* out; absent: there is none */
    judge_str_t            secrets[1 + JUDGE_FORMER_SECRETS];
                                       /* out, the newest first */
    size_t                 nsecrets;
} judge_webhook_end_t;

/* Addresses where something is due, those that wait longest first. */
typedef struct {
    judge_op_t            op;
    judge_ms_t            now;
    int64_t               limit;
    judge_webhook_end_t  *ends;        /* room for limit; out */
    size_t                count;
} judge_webhook_peek_t;

/* How an attempt ended. */
typedef struct {
    judge_str_t  org;
    judge_str_t  id;
    judge_str_t  status;
    judge_ms_t   queue_at;             /* of a pending one, else 0 */
    int64_t      attempts;
    judge_ms_t   attempted_at;         /* 0: none was made after all */
    judge_ms_t   delivered_at;
    int64_t      last_status;
    judge_str_t  last_error;
    judge_str_t  answer;               /* absent: it is not kept */
    judge_str_t  gone;                 /* the organization's address, which
                                          wants no more; else absent */
} judge_delivery_result_t;

/* One commit for all: what ended is recorded, what is due is claimed. */
typedef struct {
    judge_op_t                op;
    judge_lease_t             lease;   /* records only what it still holds */
    judge_ms_t                now;
    judge_delivery_result_t  *results;
    size_t                    nresults;
    judge_webhook_end_t      *ends;
    size_t                    nends;
    size_t                    at;      /* from here on: while it runs */
    size_t                    row;
    judge_delivery_row_t      claimed;
    judge_str_t               base_url;
    judge_str_t               former;
} judge_webhook_turn_t;


#endif /* JUDGE_STORE_WEBHOOK_H */
