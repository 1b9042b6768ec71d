/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Events, and operations on their deliveries; part of store.h.
 *
 * An operation that changes something writes its event in its transaction, by
 * one call in its step or read function:
 *
 *     if (!judge_event_add(run->op, JUDGE_EVENT_BATCH_STARTED,
 *                           run->op->org, o->id))
 *     {
 *         return JUDGE_NOMEM;
 *     }
 *
 * or before it is submitted, if the data are known then.  An operation that
 * fails writes no event.  An event's time is that of the submission of its
 * operation.  If nobody receives the events, they cost one read of the
 * organization's settings, for all events of the operation.
 */


#ifndef JUDGE_STORE_WEBHOOK_H
#define JUDGE_STORE_WEBHOOK_H


#include "store/store_external.h"


typedef enum {
    JUDGE_EVENT_EVALUATION_COMPLETED = 0,
    JUDGE_EVENT_EVALUATION_FAILED,
    JUDGE_EVENT_EVALUATION_REQUESTED,  /* added by the runner, if subscribed
                                          to by name */
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
    JUDGE_EVENT_JUDGE_READY,           /* dropped unless the judge is ready
                                          when it is written */
    JUDGE_EVENT_JUDGE_DRIFT,           /* row: judge_drift_finish_t */
    JUDGE_EVENT_JUDGE_ALERT,
    JUDGE_EVENT_WEBHOOK_TEST,          /* can't be subscribed to */
    JUDGE_EVENT_COUNT
} judge_event_type_e;

/* The names by type, such as "evaluation.completed"; ended by NULL. */
extern const char *const  judge_event_names[JUDGE_EVENT_COUNT + 1];

/* An event is allocated in the arena of its operation.  If it has no data,
 * judge_event_render_pt writes its subject as it is at the end of the
 * operation. */
struct judge_event {
    judge_event_type_e   type;
    judge_str_t          org;
    judge_str_t          subject;      /* an identifier */
    const void          *row;          /* likewise, if the operation has it:
                                          see the type */
    judge_str_t          data;         /* JSON; may be absent */
    judge_str_t          url;          /* absent: the organization's, if it
                                          is subscribed */
    bool                 always;       /* ignores the subscription */
    judge_id_t           id;           /* evt_…; empty: it is made */
    judge_id_t           delivery;     /* whd_…; likewise */
    const char          *name;         /* of its type; private: NULL until all
                                          of this is set */
    bool                 wanted;
    judge_event_t       *next;
    judge_event_t       *last;         /* of the list; only in the first */
};

/* Adds an event and returns it, to be completed; NULL: out of memory. */
judge_event_t *judge_event_add(judge_op_t *op, judge_event_type_e type,
    judge_str_t org, judge_str_t subject);

/* Adds the same event for another address. */
judge_event_t *judge_event_add_at(judge_op_t *op, const judge_event_t *first,
    judge_str_t url);

/* Adds the event of an evaluation that has ended; JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_event_add_result(judge_op_t *op, judge_str_t org,
    const judge_result_t *result);


/* Adds an event for each evaluation that has begun to wait for an external
 * worker.  Run by the runner after writes. */
typedef struct {                       /* any org */
    judge_op_t          op;            /* events */
} judge_event_requests_t;

/* Writes events as deliveries.  Run by the runner after operations. */
typedef struct {                       /* any org */
    judge_op_t          op;            /* events */
    judge_event_render_pt render;      /* both by judge_runner_render() */
    bool                exports;
    judge_store_t       reads;         /* in the same transaction */
    judge_event_t      *event;         /* private, as all below */
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
    int64_t      last_status;          /* HTTP status; 0: no answer */
    judge_str_t  last_error;           /* may be absent */
    judge_str_t  url;                  /* empty: the organization's */
    judge_str_t  answer;               /* its beginning; may be absent */
    judge_str_t  data;                 /* JSON; not in lists */
    judge_work_item_t *work;           /* for evaluation.requested, by claims;
                                          NULL: it has ended or was deleted */
    judge_str_t  base_url;             /* likewise; may be absent */
} judge_delivery_row_t;

typedef struct {
    judge_op_t             op;
    judge_page_t           page;
    judge_str_t            status;     /* absent: all */
    judge_str_t            type;
    judge_str_t            event_id;
    judge_delivery_row_t  *rows;
    judge_id_t             from;       /* private: range of ids */
    judge_id_t             to;
    size_t                 count;
} judge_delivery_list_t;

typedef struct {
    judge_op_t            op;
    judge_str_t           id;
    judge_delivery_row_t  row;         /* out */
} judge_delivery_find_t;

/* Makes a delivery pending, due now.  JUDGE_CONFLICT: it is under way. */
typedef struct {
    judge_op_t            op;
    judge_str_t           id;
    judge_ms_t            now;
    judge_delivery_row_t  row;         /* out: the new row */
} judge_delivery_again_t;

/* Writes a test event for the organization's address; JUDGE_CONFLICT: it has
 * none, or webhooks are disabled. */
typedef struct {
    judge_op_t  op;
} judge_delivery_test_t;


/* --- Delivering (any org) ------------------------------------------------ */

/* An address of an organization, and the deliveries to claim for it. */
typedef struct {
    judge_str_t            org;
    judge_str_t            url;        /* empty: the organization's */
    int64_t                failures;   /* in a row; in and out */
    judge_ms_t             blocked_until;    /* no claims before that */
    judge_ms_t             changed_at; /* of the settings; set by peek */
    int64_t                take;       /* deliveries to claim, at most */
    judge_delivery_row_t  *rows;       /* out; room for `take` */
    size_t                 count;
    judge_str_t            target;     /* out; absent: there is none */
    judge_str_t            secrets[1 + JUDGE_FORMER_SECRETS];
                                       /* out; newest first */
    size_t                 nsecrets;
} judge_webhook_end_t;

/* Finds addresses with due deliveries, those due for longest first. */
typedef struct {
    judge_op_t            op;
    judge_ms_t            now;
    int64_t               limit;
    judge_webhook_end_t  *ends;        /* room for limit; out */
    size_t                count;
} judge_webhook_peek_t;

/* The outcome of an attempt. */
typedef struct {
    judge_str_t  org;
    judge_str_t  id;
    judge_str_t  status;
    judge_ms_t   queue_at;             /* if it is pending; else 0 */
    int64_t      attempts;
    judge_ms_t   attempted_at;         /* 0: no call was made */
    judge_ms_t   delivered_at;
    int64_t      last_status;
    judge_str_t  last_error;
    judge_str_t  answer;               /* absent: it is not stored */
    judge_str_t  gone;                 /* the organization's address, if it
                                          answered 410; else absent */
} judge_delivery_result_t;

/* Records results and claims due deliveries, in one commit. */
typedef struct {
    judge_op_t                op;
    judge_lease_t             lease;   /* results whose lease was lost are not
                                          recorded */
    judge_ms_t                now;
    judge_delivery_result_t  *results;
    size_t                    nresults;
    judge_webhook_end_t      *ends;
    size_t                    nends;
    size_t                    i;       /* from here on: while it runs */
    size_t                    row;
    judge_delivery_row_t      claimed;
    judge_str_t               base_url;
    judge_str_t               former;
} judge_webhook_turn_t;


#endif /* JUDGE_STORE_WEBHOOK_H */
