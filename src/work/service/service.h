/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A service, as one worker process holds it: a store with its settings, and
 * what the server injects: the executor of the store, the clock, threads to
 * compute in, and outgoing calls.  Both requests (api) and background work
 * (work) use it.
 */


#ifndef JUDGE_SERVICE_H
#define JUDGE_SERVICE_H


#include <stdatomic.h>

#include "base/core/id.h"
#include "base/net/token_bucket.h"
#include "store/store.h"
#include "work/service/call.h"


/* Extensions that can be built in at most. */
#define JUDGE_EXTENSIONS  16


/* A computation: run() in a thread, then done() on the event loop. */
typedef struct judge_task  judge_task_t;

struct judge_task {
    void          (*run)(judge_task_t *task);            /* in the thread */
    void          (*done)(judge_task_t *task);           /* on the loop */
    void           *data;
    judge_task_t   *next;              /* private to the server */
};

/* A language model that nginx.conf configures. */
typedef struct {
    judge_str_t  name;                 /* for clients */
    judge_str_t  served;               /* for its server */
    judge_ms_t   timeout;              /* for one answer */
    size_t       at_once;              /* concurrent questions of a worker */
    size_t       in_all;               /* and of all workers and nodes; 0: no
                                          limit */
    bool         images;               /* it takes images */
    unsigned     unsupported;          /* JUDGE_NO_...: features that its
                                          server has refused */
} judge_llm_t;

typedef struct judge_object_store  judge_object_store_t; /* object_store.h */

typedef struct {
    judge_str_t  name;
    judge_str_t  public_url;           /* absent: taken from the request */
    size_t       max_body;             /* bytes of a JSON body */
    size_t       max_batch;            /* bytes of a batch's body */
    int64_t      max_items;            /* of a batch */
    int64_t      max_judges;           /* of a batch */
    size_t       max_text;             /* bytes of an inline text */
    size_t       max_upload;           /* bytes of an uploaded file */
    judge_ms_t   upload_valid;         /* validity of a pre-signed address */
    judge_str_t  files;                /* the directory of uploaded files */
    const judge_object_store_t *objects;         /* in place of files; NULL:
                                          they are in the directory */
    const void  *objects_conf;
    judge_ms_t   deadline;             /* of an evaluation, from its start */
    judge_ms_t   callback_deadline;    /* the same for external workers */
    judge_ms_t   lease;                /* of a claimed evaluation */
    judge_ms_t   aging;                /* a wait that raises the priority by
                                          one class */
    int64_t      attempts;             /* of an evaluation, at most */
    int64_t      model_attempts;       /* if a model fails; 0: no limit but
                                          the deadline */
    judge_ms_t   keep_contents;        /* for so long; 0: forever */
    judge_ms_t   keep_results;         /* the same */
    judge_ms_t   keep_feedback;        /* the same */
    judge_ms_t   keep_deliveries;
    judge_ms_t   keep_logs;            /* of training jobs */
    judge_ms_t   keep_audit;           /* 0: forever */
    judge_token_bucket_rate_t  rate;   /* requests of a key; limit 0: any */
    int64_t      burst;                /* as configured; 0: not set */
    judge_llm_t *models;
    size_t       nmodels;
    size_t       webhook_calls;        /* concurrent calls of a worker; 0:
                                          webhooks are not configured */
    judge_ms_t   webhook_timeout;      /* of one call */
    judge_ms_t   mail_timeout;         /* likewise; 0: e-mail is not
                                          configured */
    judge_ms_t   export_timeout;       /* of a call that exports results; 0:
                                          none are exported */
    const void  *webhook_allowed;      /* judge_cidr_t: private networks that
                                          may be called */
    size_t       nwebhook_allowed;
    size_t       max_bodies;           /* bytes of a worker for the bodies of
                                          requests under way */
    size_t       max_unread;           /* bytes of large answers in a worker
                                          that clients have not read */
    int64_t      progress;             /* entries of progress.h */
    size_t       max_live;             /* a worker's bytes for
                                          batch_pages.h */
    size_t       max_learned;          /* and for calibrator_cache.h */
    size_t       answers;              /* and for cached answers; 0: none */
    int64_t      keys;                 /* API keys that a worker caches */
    size_t       pages;                /* bytes of the database's pages that a
                                          worker caches */
    bool         evaluates;            /* this node evaluates the queue */
    bool         fleet;                /* other nodes share the store */
} judge_settings_t;

typedef struct judge_queue   judge_queue_t;              /* queue.h */
typedef struct judge_evaluate  judge_evaluate_t;         /* evaluate.h */
typedef struct judge_waiters  judge_waiters_t;           /* waiters.h */
typedef struct judge_auth    judge_auth_t;               /* api */
typedef struct judge_response_cache  judge_response_cache_t;   /* api */
typedef struct judge_usage   judge_usage_t;              /* usage.h */
typedef struct judge_leases  judge_leases_t;             /* leased.h */
typedef struct judge_upload_sweep  judge_upload_sweep_t;
typedef struct judge_webhook judge_webhook_t;            /* webhook.h */
typedef struct judge_expiry  judge_expiry_t;             /* expiry.h */
typedef struct judge_throughput  judge_throughput_t;     /* usage.h */
typedef struct judge_budget  judge_budget_t;             /* budget.h */
typedef struct judge_fleet   judge_fleet_t;              /* fleet.h */
typedef struct judge_rate_limits  judge_rate_limits_t;   /* usage.h */
typedef struct judge_metrics  judge_metrics_t;           /* metrics.h */
typedef struct judge_progress  judge_progress_t;         /* progress.h */
typedef struct judge_batch_pages  judge_batch_pages_t;   /* batch_pages.h */
typedef struct judge_calibrator_cache  judge_calibrator_cache_t;

/* The outcome of the last probe of the store; see api/admin/health.c. */
typedef struct {
    judge_probe_t   probe;
    bool            probing;
    bool            probed;            /* a probe has ended */
    judge_rc_e      rc;                /* outcome of the last one */
    judge_ms_t      at;                /* start of the last one */
    void           *waiting;           /* requests that wait for its end */
} judge_readiness_t;

typedef struct {
    judge_settings_t   settings;
    judge_store_t      store;
    judge_ms_t       (*now)(void *data);
    void             (*compute)(void *data, judge_task_t *task);
    bool             (*leaving)(void); /* judge_service_leaving(); or NULL */
    void             (*warn)(void *data, judge_str_t line);  /* logs; only on
                                          the loop */
    void              *data;           /* argument of these functions */
    void             (*call)(void *network, judge_call_t *call);
    void             (*wake)(void *network);   /* wakes other workers' waiters;
                                          in any thread */
    void                   *network;
    judge_id_t              owner;     /* see judge_service_owner() */
    bool                    stopped;   /* the process is asked to end: nothing
                                          more is claimed */
    judge_queue_t          *queue;
    judge_evaluate_t       *computing; /* groups that threads score */
    judge_waiters_t        *waiters;
    judge_auth_t           *auth;
    judge_response_cache_t *responses;
    judge_usage_t          *usage;     /* in shared memory */
    judge_leases_t         *leases;    /* leased.h */
    judge_upload_sweep_t   *sweep;
    judge_webhook_t        *webhook;
    judge_expiry_t         *expiry;
    judge_str_t             secret;    /* signs addresses */
    judge_throughput_t     *throughput;     /* in shared memory */
    judge_budget_t         *budget;    /* in shared memory */
    judge_rate_limits_t    *limits;    /* in shared memory */
    judge_fleet_t          *fleet;     /* in shared memory; NULL: no limits
                                          over nodes */
    judge_metrics_t        *metrics;   /* in shared memory */
    judge_progress_t       *progress;  /* in shared memory */
    judge_batch_pages_t    *events;
    size_t                  bodies;    /* bytes that large ones under way need,
                                          and those of routes without a key */
    size_t                  open_bodies;
    size_t                  worker;    /* number of this worker process */
    judge_readiness_t       readiness;
    _Atomic(const char *)   store_error;  /* the last one, for answers with
                                             503; NULL: none */
    judge_calibrator_cache_t *calibrators;  /* calibrator_cache.h */
    void                   *extensions[JUDGE_EXTENSIONS];   /* extension.h */
    void                   *shared[JUDGE_EXTENSIONS];       /* likewise */
} judge_service_t;


/* A module that works in a worker process beside requests.  All functions run
 * on the event loop; any may be NULL.  Its data are zeros before create(), and
 * are freed after destroy(). */
typedef struct {
    size_t  size;                      /* of its data; 0: it has none */
    size_t  at;                        /* offset of the pointer to them in the
                                          service; not for extensions */
    bool  (*create)(judge_service_t *service);   /* false: no memory */
    void  (*destroy)(judge_service_t *service);  /* if it has its data, even if
                                          create() failed */
    void  (*tick)(judge_service_t *service);     /* every
                                          JUDGE_BACKGROUND_TICK */
    bool  (*busy)(judge_service_t *service);     /* it can't end yet */
} judge_background_t;

#define judge_now(service)  ((service)->now((service)->data))


static inline void
judge_submit(judge_service_t *service, judge_op_t *op)
{
    op->submitted_at = judge_now(service);
    service->store.submit(service->store.data, op);
}


/* Calls run() in a thread, then done() on the loop. */
void judge_service_compute(judge_service_t *service, judge_task_t *task,
    void (*run)(judge_task_t *task), void (*done)(judge_task_t *task),
    void *data);

/* Whether the process is exiting at once, so that long computations should be
 * given up; in any thread. */
bool judge_service_leaving(void *service);

/* Makes an operation of no request: a zeroed struct of that size, which begins
 * with a judge_op_t, in an arena of its own, which done() must free by
 * judge_service_op_free(); NULL: out of memory. */
void *judge_service_op(size_t size, judge_op_kind_e kind,
    void (*done)(judge_op_t *op), void *data);

/* Frees such an operation; can be its done() if the outcome is irrelevant. */
void judge_service_op_free(judge_op_t *op);

/* 32 random bits, to spread waits; 0 if there is no source of randomness. */
uint32_t judge_service_random(void);

/* The name under which this worker process holds leases. */
#define judge_service_owner(service)  judge_id_str(&(service)->owner)


#endif /* JUDGE_SERVICE_H */
