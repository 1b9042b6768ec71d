/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The store: operations, one struct each, with input and output members.  A
 * caller fills in a struct and submits it; op.done() is called on the event
 * loop once, with the outcome in op.rc.  No file above this layer depends on
 * SQL or on an engine.
 *
 * Every operation names its organization and never touches another one's rows;
 * the few that don't (marked "any org") belong to the queue and the tools.
 *
 * Memory: input strings must live until the callback; output is allocated in
 * op.arena, which the submitter owns and must not touch before the callback.
 */


#ifndef JUDGE_STORE_H
#define JUDGE_STORE_H


#include "base/core/id.h"
#include "base/core/str.h"
#include "base/core/time.h"
#include "base/json/fields.h"
#include "store/op_list.h"


/*
 * The answer to a request with an Idempotency-Key.  Attached to the write
 * operation of that request, it is stored in the same transaction.  If the
 * organization has the key already, the operation is rolled back and ends with
 * JUDGE_CONFLICT and `taken`.
 */

typedef struct {
    judge_str_t  key;                  /* the header, as the client sent it */
    judge_str_t  fingerprint;          /* SHA-256 of body, path and query */
    int64_t      status;               /* of the answer, as is the body */
    judge_str_t  body;
    judge_ms_t   now;
    bool         taken;                /* out: another request has the key */
} judge_idempotency_t;


typedef struct judge_op  judge_op_t;
typedef struct judge_audit  judge_audit_t;                 /* store_audit.h */

/* A version of the whole store, which every commit of any process changes
 * before it is answered.  Versions can only be compared for equality. */
typedef struct {
    uint64_t  words[8];                /* 6 by the engine, 2 by the executor */
} judge_data_version_t;

/* Changes to the counts of batches, a list that an operation makes as it
 * runs. */
typedef struct judge_batch_delta  judge_batch_delta_t;

/* Events that are written in the same transaction: store_webhook.h. */
typedef struct judge_event  judge_event_t;
typedef struct judge_store  judge_store_t;

/*
 * Renders the data of an event from its subject.  The service passes this
 * function (judge_runner_render), because the store can't render resources; it
 * is called only for events that somebody receives, in the store's thread,
 * where reads->read() runs reads in the operation's transaction.
 * JUDGE_NOT_FOUND: the subject was deleted, and the event is dropped.
 */
typedef judge_rc_e (*judge_event_render_pt)(judge_arena_t *arena,
    const judge_store_t *reads, judge_event_t *event);

struct judge_op {
    judge_op_kind_e       kind;
    judge_rc_e            rc;          /* out */
    judge_str_t           org;
    judge_arena_t        *arena;       /* for output */
    size_t                bytes;       /* of output strings, so far */
    void                (*done)(judge_op_t *op);
    void                 *data;        /* for done() */
    judge_idempotency_t  *idempotency; /* writes only; NULL: none */
    const judge_audit_t  *audit;       /* likewise: who changes what, written
                                          in the same transaction */
    judge_event_t        *events;      /* writes only; NULL: none */
    judge_ms_t            submitted_at;          /* set by judge_submit() */
    judge_op_t           *next;        /* private to the executor */
};


/*
 * The injected executor.  submit() always calls op->done exactly once, before
 * it returns or later; JUDGE_BUSY: the executor is saturated.  read(), which
 * exists only while an operation writes its events, runs a read of few rows by
 * key in the calling thread and returns its rc, without calling op->done.
 */

struct judge_store {
    void        (*submit)(void *data, judge_op_t *op);
    judge_rc_e  (*read)(void *data, judge_op_t *op);
    /* The current version of the store: an inline submit() afterwards reads
     * this version or a newer one.  false: unknown. */
    bool        (*version)(void *data, judge_data_version_t *version);
    void         *data;
};


/* Where an operation runs, which the table of operations sets. */
typedef enum {
    JUDGE_OP_INLINE,                   /* a read of few rows by key */
    JUDGE_OP_BULK,                     /* a longer read, in a thread */
    JUDGE_OP_WRITE                     /* in a thread, with group commit */
} judge_op_place_e;

judge_op_place_e judge_op_place(judge_op_kind_e kind);
const char *judge_op_name(judge_op_kind_e kind);


/* A page of a list, newest first, by identifier.  It ends after `limit` rows,
 * or when its strings have reached JUDGE_PAGE_BYTES. */

#define JUDGE_PAGE_BYTES  (256 * 1024)

typedef struct {
    judge_str_t  before;               /* absent: start at the newest */
    int64_t      limit;
    bool         more;                 /* out */
} judge_page_t;


/* --- Judges ------------------------------------------------------------ */

typedef struct {
    judge_str_t  id;
    judge_str_t  content_type;
    judge_str_t  status;
    int64_t      active;               /* the active version */
    int64_t      latest;
    judge_ms_t   created_at;
    judge_ms_t   updated_at;
    int64_t      version;              /* this and all below: one version */
    judge_ms_t   version_created_at;
    int64_t      criteria_count;
    judge_str_t  name;
    judge_str_t  changes_summary;
    judge_str_t  description;
    judge_str_t  criteria;             /* JSON */
    judge_str_t  reference_uris;       /* JSON array; may be absent */
    judge_str_t  model;                /* may be absent */
    int64_t      samples;              /* 0: not set */
    judge_str_t  feedback_language;    /* a code; absent: the text's */
    judge_str_t  review;               /* JSON; may be absent */
    judge_str_t  escalate, panel;      /* likewise */
    judge_str_t  scope;                /* of a conversation; may be absent */
    judge_str_t  trained_by;           /* out: training job, or absent */
    uint64_t     trained_inputs;       /* out: its model's; 0: unknown */
    judge_str_t  default_model;        /* out: organization's; or absent */
    judge_str_t *reference_ids;        /* in: nreferences ids */
    size_t       nreferences;
} judge_judge_row_t;

/* The texts above that are stored, compared and shown as clients send them, in
 * a table of fields (base/json/fields.h): `path` is that of the row in `obj`,
 * and `need` the flags where a judge is created. */
#define judge_judge_texts(obj, path, need)                                    \
    judge_field_as("name", obj, path name, STRING, need, 1, 200),             \
    judge_field_as("description", obj, path description, STRING, need, 0, 5000)

typedef struct {
    judge_op_t         op;
    judge_judge_row_t  row;            /* in */
} judge_judge_create_t;

typedef struct {                       /* a file with exemplary content */
    judge_str_t  id, extension, status, reason; /* reason: of an error */
    judge_ms_t   created_at;
    judge_str_t  file_path;            /* absent: not uploaded yet */
} judge_reference_row_t;

typedef struct {
    judge_op_t              op;
    judge_str_t             id;
    int64_t                 version;   /* 0: the active one */
    judge_judge_row_t       row;       /* out */
    judge_reference_row_t  *references;         /* out */
    size_t                  nreferences;
} judge_judge_find_t;

typedef struct {
    judge_op_t          op;
    judge_page_t        page;
    judge_str_t         content_type;  /* absent: all */
    judge_str_t         status;
    judge_judge_row_t  *rows;
    size_t              count;
} judge_judge_list_t;

/* Adds a version; JUDGE_STALE: the judge was changed or deleted meanwhile. */
typedef struct {
    judge_op_t         op;
    judge_judge_row_t  row;            /* in: version is the new one; latest
                                          and active are compared */
    bool               inactive;       /* does not become the active one */
    bool               keep_model;     /* copies the calibrator of the active
                                          version */
} judge_judge_update_t;

typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    int64_t      version;
    judge_ms_t   now;
} judge_judge_activate_t;

typedef struct {
    judge_op_t          op;
    judge_str_t         id;
    int64_t             active;        /* out, as all below */
    int64_t             latest;
    judge_judge_row_t  *rows;          /* newest first, without criteria */
    size_t              count;
} judge_judge_versions_t;

/* JUDGE_CONFLICT: an evaluation by the judge is active; JUDGE_STALE: it has
 * another version. */
typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    judge_ms_t   now;
    int64_t      version;              /* the active one; 0: any */
    bool         continued;            /* the judge is deleted already: deletes
                                          the next slice of its rows */
} judge_judge_delete_t;


/* --- Contents ---------------------------------------------------------- */

typedef struct {
    judge_str_t  id;
    judge_str_t  file_type;
    judge_str_t  status;
    int64_t      size;
    judge_ms_t   created_at;
    judge_str_t  name;
    judge_str_t  description;          /* may be absent, as all below */
    judge_str_t  file_path;
    judge_str_t  file_url;
    judge_str_t  metadata;             /* JSON object */
    judge_str_t  text_content;
    bool         promised;             /* its file is not uploaded yet */
} judge_content_row_t;

typedef struct {
    judge_op_t           op;
    judge_content_row_t  row;          /* in */
} judge_content_create_t;

typedef struct {
    judge_op_t           op;
    judge_str_t          id;
    judge_content_row_t  row;          /* out */
} judge_content_find_t;

typedef struct {
    judge_op_t            op;
    judge_page_t          page;
    judge_str_t           file_type;   /* absent: all */
    judge_str_t           status;
    judge_content_row_t  *rows;        /* without text_content */
    size_t                count;
} judge_content_list_t;

typedef struct {
    judge_op_t            op;
    judge_str_t           id;
    judge_ms_t            now;
    judge_str_t           file_path;   /* out; absent: there is no file */
    bool                  continued;   /* as for judges */
    judge_batch_delta_t  *batches;
} judge_content_delete_t;


/* --- Evaluations ------------------------------------------------------- */

#define JUDGE_PRIORITY_HIGH    0
#define JUDGE_PRIORITY_NORMAL  1
#define JUDGE_PRIORITY_LOW     2
#define JUDGE_PRIORITIES       3

typedef struct {
    judge_str_t  org;
    judge_str_t  id;
    judge_str_t  status;               /* processing, completed, failed */
    judge_ms_t   queue_at;             /* 0: not in the queue */
    int64_t      priority;
    judge_str_t  owner;                /* holder of the lease; absent: none */
    int64_t      attempts;
    judge_str_t  content_id;
    judge_str_t  judge_id;
    int64_t      judge_version;
    judge_str_t  batch_id;             /* may be absent */
    judge_ms_t   created_at;
    judge_ms_t   deadline;
    judge_ms_t   evaluated_at;         /* 0: not yet */
    judge_str_t  last_error;           /* JSON; may be absent */
    judge_str_t  body;                 /* the record, if it has ended */
    double       progress;             /* an external worker's, in percent; 0:
                                          none was reported */
    judge_str_t  model;                /* in: absent for the built-in engine */
    int64_t      samples;              /* in; 0: one */
    bool         fresh;                /* in: don't use a stored answer */
    int64_t      given_back;           /* out: attempts that don't count */
    bool         learning, unclaimed, refitting; /* out: waits for references,
                                                    a worker, a refit */
    judge_str_t  trace;                /* in: traceparent; may be absent */
} judge_evaluation_row_t;

/* The model of the active version of a judge; model absent: none. */
typedef struct {
    judge_str_t  judge_id;             /* in */
    int64_t      version;              /* 0: there is no such judge */
    judge_str_t  content_type;
    judge_str_t  model;
    int64_t      samples;              /* 0: not set */
} judge_judge_model_t;

/* Reads what an evaluation needs: its judge and content, and which model the
 * organization has by default. */
typedef struct {
    judge_op_t           op;
    judge_judge_model_t  active;
    judge_str_t          content_id;             /* may be absent */
    judge_str_t          file_type;              /* out, as all below; absent:
                                                    there is no such content */
    judge_str_t          content_status;
    judge_str_t          default_model;          /* absent: none */
} judge_pair_find_t;

/* JUDGE_NOT_FOUND: judge or content have been deleted meanwhile. */
typedef struct {
    judge_op_t              op;
    judge_evaluation_row_t  row;       /* in */
    judge_content_row_t     content;   /* in: is created, too, if it has an
                                          id */
    bool                    waits;     /* in: waits for an external worker */
} judge_evaluation_create_t;

typedef struct {
    judge_op_t              op;
    judge_str_t             id;
    judge_evaluation_row_t  row;       /* out */
} judge_evaluation_find_t;

typedef struct {
    judge_op_t               op;
    judge_page_t             page;
    judge_str_t              judge_id; /* absent: all */
    judge_str_t              content_id;
    judge_str_t              batch_id;
    judge_str_t              status;
    judge_boolean_t          needs_review;
    judge_str_t              from;     /* set by the store: range of ids, */
    judge_str_t              before;   /* excluding this one */
    judge_evaluation_row_t  *rows;
    size_t                   count;
} judge_evaluation_list_t;

/* Queues a failed evaluation again; JUDGE_CONFLICT: it has not failed. */
typedef struct {
    judge_op_t              op;
    judge_str_t             id;
    judge_ms_t              now;
    judge_ms_t              deadline;
    judge_ms_t              callback_deadline; /* of external workers */
    bool                    requeued;  /* out */
    judge_evaluation_row_t  row;       /* out: the new row */
    judge_batch_delta_t    *batches;
} judge_evaluation_retry_t;


/* A lease of a row: until it ends, only its owner works on the row.  Then
 * another owner may claim it, and the former one can't change it any more. */
typedef struct {
    judge_str_t  owner;                /* a worker process, or a lease_id */
    judge_ms_t   until;
} judge_lease_t;


/* Whether any row of a queue is due. */
typedef struct {                       /* any org */
    judge_op_t  op;
    judge_ms_t  now;
    bool        pending;               /* out */
} judge_peek_t;

/* First in operations that claim rows which are due. */
typedef struct {                       /* any org */
    judge_op_t     op;
    judge_ms_t     now;
    judge_lease_t  lease;
    int64_t        limit;              /* rows, where several are claimed */
} judge_claim_t;


/* --- The queue (any org) ----------------------------------------------- */

#define JUDGE_FORMER_SECRETS  8        /* of an organization's webhooks */
#define JUDGE_REFERENCES_MAX  16       /* of a judge */

/* An evaluation that a worker has claimed. */
typedef struct {
    judge_str_t  org;
    judge_str_t  id;
    int64_t      attempts;             /* this one included */
    judge_ms_t   created_at;
    judge_ms_t   deadline;
    judge_str_t  content_id;
    judge_str_t  judge_id;
    int64_t      judge_version;
    judge_str_t  batch_id;
    bool         by_model;             /* a language model judges it */
    bool         retry;                /* an earlier claim ended without a
                                          result */
    bool         found;                /* out of QUEUE_LOAD, as all below */
    judge_str_t  file_type;
    judge_str_t  file_path;            /* may be absent */
    judge_str_t  model;                /* if by_model, as the next two */
    bool         fresh;
    int64_t      samples;
    int64_t      escalated;            /* why it was escalated to the model:
                                          JUDGE_ESCALATED_...; 0: it was not */
    double       first_score;          /* the engine's; negative: none */
    judge_str_t  last_error;           /* JSON: of the last attempt */
    int64_t      given_back;           /* attempts that don't count */
    judge_str_t  text_content;
    judge_str_t  metadata;             /* JSON */
    judge_str_t  judge_name;
    judge_str_t  judge_description;
    judge_str_t  feedback_language;    /* may be absent */
    judge_str_t  review;               /* likewise; JSON */
    judge_str_t  escalate, panel;      /* likewise */
    judge_str_t  scope;                /* of a conversation; may be absent */
    judge_str_t  criteria;             /* JSON */
    int64_t      canary;               /* version that scores this share of the
                                          evaluations, too; 0: none */
    double       share;
    bool         learning;             /* a reference is not read yet */
    judge_str_t *references;           /* their texts */
    judge_reference_row_t *others;     /* those without a text */
    size_t       nreferences, nothers;
    judge_str_t  route;                /* traffic only; else absent */
    size_t       same_content;         /* first of the consecutive jobs with
                                          this content, */
    size_t       same_judge;           /* first of all jobs with this judge;
                                          they share what is loaded */
} judge_job_t;

/* A range: evaluations of a large batch that are queued and claimed as one. */
typedef struct {
    judge_str_t  org;
    judge_str_t  batch_id;
    judge_str_t  first;                /* ids; absent: no range */
    judge_str_t  last;
    int64_t      attempts;
    int64_t      urgency;              /* $queue_urgency when it was claimed */
} judge_queue_range_t;

/* Why a person should review a result: stored bits, which never change. */
typedef enum {
    JUDGE_REVIEW_THRESHOLD  = 0x1,     /* within a score's interval */
    JUDGE_REVIEW_WIDE       = 0x2,     /* the interval is too wide */
    JUDGE_REVIEW_UNLIKE     = 0x4,     /* the text is unlike known texts */
    JUDGE_REVIEW_CHECKS     = 0x8,     /* checks contradict the score */
    JUDGE_REVIEW_LANGUAGE   = 0x10,    /* no known text is in its language */
    JUDGE_REVIEW_STRANGE    = JUDGE_REVIEW_UNLIKE | JUDGE_REVIEW_LANGUAGE,
    JUDGE_REVIEW_MISSING    = 0x20,    /* a score could not be measured */
    JUDGE_REVIEW_ALTERED    = 0x40,    /* the prompt had to alter the item */
    JUDGE_REVIEW_QUOTES     = 0x80,    /* a model's quotes are not in it */
    JUDGE_REVIEW_APART      = 0x100,   /* a model's samples differ widely */
    JUDGE_REVIEW_PANEL      = 0x200    /* members of a panel differ widely */
} judge_review_e;

/* Why an evaluation was escalated to a language model, as stored bits. */
typedef enum {
    JUDGE_ESCALATED_NEAR    = 0x1,     /* threshold within the interval */
    JUDGE_ESCALATED_WIDE    = 0x2,     /* the interval is too wide */
    JUDGE_ESCALATED_SAMPLE  = 0x4      /* it is in the random sample */
} judge_escalated_e;

typedef struct {
    judge_str_t  org;
    judge_str_t  id;
    judge_str_t  batch_id;             /* absent: it is in none */
    judge_str_t  status;               /* processing: it is queued again */
    judge_ms_t   queue_at;             /* when it is queued again; else 0 */
    judge_ms_t   evaluated_at;
    double       overall_score;
    int64_t      review;               /* JUDGE_REVIEW_... */
    bool         scored;
    judge_str_t  features;             /* after their identity; or absent */
    judge_str_t  last_error;           /* JSON */
    judge_str_t  error_code;           /* if it failed, such as TIMED_OUT */
    judge_str_t  answer_key;           /* digest by which the answer can be
                                          reused; absent: it can't */
    judge_str_t  model;                /* model to escalate to; or absent */
    int64_t      escalated;            /* then: JUDGE_ESCALATED_... */
    double       first_score;
    bool         uncounted;            /* the attempt does not count */
    bool         given_back;           /* the attempt adds to given_back */
    int64_t      judge_version;        /* new version; 0: unchanged */
    judge_str_t  body;                 /* may be packed */
    bool         stored;               /* out; false: the evaluation had ended
                                          or was deleted */
    int64_t      place;                /* private: row * 64 + index in it, */
    int64_t      result;               /* likewise with the stored row */
    struct judge_hours_row  *counts;   /* counts of scores: store_watch.h */
    size_t       ncounts;
} judge_result_t;

typedef struct judge_results_together  judge_results_together_t;
typedef struct judge_pair_row  judge_pair_row_t;

typedef struct {
    judge_op_t                 op;
    judge_str_t                owner;  /* others' evaluations are skipped */
    judge_queue_range_t        range;  /* of all results; absent: no range */
    judge_result_t            *results;
    size_t                     count;
    judge_pair_row_t          *pairs;
    size_t                     npairs;
    judge_results_together_t  *rows;   /* made by packing the results */
    size_t                     nrows;
    int64_t                    last;   /* private: number of the newest row, */
    size_t                     i;      /* and index of a result */
    judge_batch_delta_t       *batches;
} judge_queue_finish_t;


/* --- Idempotency keys, old rows, the probe ------------------------------ */

/* Run by the runner after an operation with an Idempotency-Key.
 * JUDGE_CONFLICT: the key is taken. */
typedef struct {
    judge_op_t           op;
    judge_idempotency_t  row;
} judge_idempotency_keep_t;

typedef struct {
    judge_op_t           op;
    judge_idempotency_t  found;        /* in: key; out: the rest */
} judge_idempotency_find_t;

/* The rows that expire, in the order of the statements that delete them. */
typedef enum {
    JUDGE_PURGE_KEYS,                  /* idempotency keys */
    JUDGE_PURGE_LOGS,                  /* logs of training jobs */
    JUDGE_PURGE_BODIES,                /* bodies of deliveries */
    JUDGE_PURGE_DELIVERIES,
    JUDGE_PURGE_AUDIT,
    JUDGE_PURGE_COUNT
} judge_purge_e;

/* Writes a row, always the same one, to find out whether the store accepts
 * writes. */
typedef struct {
    judge_op_t  op;
    judge_ms_t  now;
} judge_probe_t;


#endif /* JUDGE_STORE_H */
