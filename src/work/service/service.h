/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A service: one store with its settings, as one worker process holds it,
 * and what is injected into everything above the store: the store itself,
 * the time, and a thread to compute in.  Requests (api) and background work
 * (work) both hang on it.
 */


#ifndef JUDGE_SERVICE_H
#define JUDGE_SERVICE_H


#include <stdatomic.h>

#include "base/core/id.h"
#include "base/net/s3.h"
#include "base/net/token_bucket.h"
#include "store/store.h"
#include "work/service/call.h"


/* Extensions that can be built in at most. */
#define JUDGE_EXTENSIONS  16


/* A computation that runs in a thread and is done on the event loop. */
typedef struct judge_task  judge_task_t;

struct judge_task {
    void          (*run)(judge_task_t *task);            /* in the thread */
    void          (*done)(judge_task_t *task);           /* on the loop */
    void           *data;
    judge_task_t   *next;              /* the runner's */
};

/* A language model that nginx.conf has a location for. */
typedef struct {
    judge_str_t  name;                 /* as the organizations name it */
    judge_str_t  served;               /* as its server does */
    judge_ms_t   timeout;              /* of one answer */
    size_t       at_once;              /* questions of a worker at most */
    size_t       in_all;               /* of all workers, and all nodes of a
                                          fleet; 0: any number */
    bool         images;               /* it can look at images */
    unsigned     unsupported;          /* what its server was seen to refuse;
                                          JUDGE_NO_... */
} judge_llm_t;

typedef struct judge_bucket_conf  judge_bucket_conf_t;   /* bucket.h */
typedef struct judge_bucket  judge_bucket_t;

typedef struct {
    judge_str_t  name;
    judge_str_t  public_url;           /* absent: as the request came */
    size_t       max_body;             /* bytes of a JSON body */
    size_t       max_batch;            /* bytes of a batch's body */
    int64_t      max_items;            /* of a batch */
    int64_t      max_judges;           /* of a batch */
    size_t       max_text;             /* bytes of an inline text */
    size_t       max_upload;           /* bytes of an uploaded file */
    judge_ms_t   upload_valid;         /* of a pre-signed address */
    judge_str_t  files;                /* the directory of uploaded files */
    const judge_bucket_conf_t *bucket; /* where they are instead; or NULL */
    judge_ms_t   deadline;             /* of an evaluation, from its start */
    judge_ms_t   callback_deadline;    /* the same where somebody else is to
                                          bring the result */
    judge_ms_t   lease;                /* of a claimed evaluation */
    judge_ms_t   aging;                /* waiting that earns one class */
    int64_t      attempts;             /* of an evaluation at most */
    judge_ms_t   keep_contents;        /* how long; 0: until it is deleted */
    judge_ms_t   keep_results;         /* the same */
    judge_ms_t   keep_feedback;        /* the same */
    judge_ms_t   keep_deliveries;
    judge_ms_t   keep_logs;            /* of training jobs */
    judge_token_bucket_rate_t  rate;   /* of a key's requests; limit 0: none */
    int64_t      burst;                /* as configured; 0: not at all */
    judge_llm_t *models;
    size_t       nmodels;
    size_t       webhook_calls;        /* of a worker at once; 0: nginx.conf
                                          has no location for them */
    judge_ms_t   webhook_timeout;      /* of one call */
    judge_ms_t   mail_timeout;         /* likewise; 0: nginx.conf has no
                                          location for e-mail */
    const void  *webhook_allowed;      /* though not public: judge_cidr_t */
    size_t       nwebhook_allowed;
    size_t       max_unread;           /* bytes of large answers in a worker
                                          that wait for their clients */
    int64_t      progress;             /* entries in shared memory */
    size_t       max_live;             /* bytes of a worker for what clients
                                          watch */
    size_t       max_learned;          /* the same for what judges have
                                          learned */
    size_t       answers;              /* bytes of those that a worker
                                          remembers; 0: none */
    int64_t      keys;                 /* of the API that a worker knows */
    int64_t      pairs;                /* of a judge and a content: likewise */
    size_t       pages;                /* bytes of the database that a worker
                                          keeps */
    bool         evaluates;            /* this node works off the queue */
    bool         fleet;                /* other nodes share the store */
} judge_settings_t;

typedef struct judge_queue   judge_queue_t;              /* queue.h */
typedef struct judge_evaluate  judge_evaluate_t;         /* evaluate.h */
typedef struct judge_waiters  judge_waiters_t;           /* waiters.h */
typedef struct judge_auth    judge_auth_t;               /* api */
typedef struct judge_answers judge_answers_t;            /* api */
typedef struct judge_known_pairs  judge_known_pairs_t;   /* known_pairs.h */
typedef struct judge_feedback  judge_feedback_t;         /* …_queue.h */
typedef struct judge_usage   judge_usage_t;              /* usage.h */
typedef struct judge_score_counts  judge_score_counts_t; /* score_counts.h */
typedef struct judge_upload_reader  judge_upload_reader_t;
                                       /* upload_reader.h */
typedef struct judge_webhook judge_webhook_t;            /* webhook.h */
typedef struct judge_expiry  judge_expiry_t;             /* expiry.h */
typedef struct judge_hours  judge_hours_t;               /* score_hours.h */
typedef struct judge_throughput  judge_throughput_t;     /* throughput.h */
typedef struct judge_budget  judge_budget_t;             /* budget.h */
typedef struct judge_fleet   judge_fleet_t;              /* fleet.h */
typedef struct judge_rate_limits  judge_rate_limits_t;   /* rate_limits.h */
typedef struct judge_metrics  judge_metrics_t;           /* metrics.h */
typedef struct judge_training  judge_training_t;         /* training.h */
typedef struct judge_progress  judge_progress_t;         /* progress.h */
typedef struct judge_live    judge_live_t;               /* live.h */
typedef struct judge_batch_pages  judge_batch_pages_t;   /* batch_pages.h */
typedef struct judge_calibrator_cache  judge_calibrator_cache_t;

/* Whether the store took the last probe; see api/admin/health.c. */
typedef struct {
    judge_probe_t   probe;
    bool            probing;
    bool            probed;            /* since the store was opened */
    judge_rc_e      rc;                /* of the last one */
    judge_ms_t      at;                /* when it was begun */
    void           *waiting;           /* requests, for the one under way */
} judge_readiness_t;

typedef struct {
    judge_settings_t   settings;
    judge_store_t      store;
    judge_ms_t       (*now)(void *data);
    void             (*compute)(void *data, judge_task_t *task);
    bool             (*leaving)(void); /* at once, in any thread; or NULL */
    void             (*warn)(void *data, judge_str_t line);  /* in the log,
                                          from the loop */
    void              *data;           /* of the three */
    void             (*call)(void *network, judge_call_t *call);
    void             (*wake)(void *network);   /* other workers, so that who
                                          waits there looks; in any thread */
    void                   *network;
    judge_id_t              owner;     /* see judge_service_owner() */
    judge_queue_t          *queue;
    judge_evaluate_t       *computing; /* batches that threads score */
    judge_waiters_t        *waiters;
    judge_auth_t           *auth;
    judge_answers_t        *answers;
    judge_known_pairs_t    *pairs;
    judge_feedback_t       *feedback;
    judge_usage_t          *usage;     /* in shared memory */
    judge_score_counts_t   *counts;    /* likewise */
    judge_upload_reader_t  *uploads;
    judge_bucket_t         *bucket;    /* NULL: files are in the directory */
    const judge_s3_credentials_t *bucket_keys;           /* as they are now */
    judge_webhook_t        *webhook;
    judge_expiry_t         *expiry;
    judge_hours_t          *hours;
    judge_str_t             secret;    /* signs addresses */
    judge_throughput_t     *throughput;     /* in shared memory */
    judge_budget_t         *budget;    /* in shared memory */
    judge_rate_limits_t    *limits;    /* in shared memory */
    judge_fleet_t          *fleet;     /* in shared memory; NULL: not asked
                                          for */
    judge_metrics_t        *metrics;   /* in shared memory */
    judge_progress_t       *progress;  /* in shared memory */
    judge_live_t           *live;
    judge_batch_pages_t    *events;
    size_t                  worker;    /* its number among the processes */
    judge_readiness_t       readiness;
    _Atomic(const char *)   trouble;   /* of the store, for who is refused;
                                          NULL: none is known */
    judge_training_t       *training;
    judge_calibrator_cache_t *calibrators;  /* calibrator_cache.h */
    void                   *extensions[JUDGE_EXTENSIONS];   /* extension.h */
} judge_service_t;


#define judge_now(service)  ((service)->now((service)->data))

void judge_submit(judge_service_t *service, judge_op_t *op);

/* Computes in a thread, then calls done() on the loop. */
void judge_service_compute(judge_service_t *service, judge_task_t *task,
    void (*run)(judge_task_t *task), void (*done)(judge_task_t *task),
    void *data);

/* Whether the process ends without waiting for anybody; in any thread. */
bool judge_service_leaving(void *service);

/* An operation that stands alone: a zeroed struct of that size, which begins
 * with it, in an arena of its own that done() destroys; NULL: no memory. */
void *judge_service_op(size_t size, judge_op_kind_e kind,
    void (*done)(judge_op_t *op), void *data);

/* For done(), where the outcome does not matter. */
void judge_service_op_free(judge_op_t *op);

/* 32 random bits, for waits that should differ; 0 when there are none. */
uint32_t judge_service_random(void);

/* The name under which this worker process holds leases. */
judge_str_t judge_service_owner(const judge_service_t *service);


#endif /* JUDGE_SERVICE_H */
