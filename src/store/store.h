/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The store: operations, one struct each, with what goes in and what comes
 * out.  Whoever needs the store fills a struct, submits it and is called
 * back on the event loop once, with the outcome in op.rc.  No file above this
 * layer knows SQL or an engine.
 *
 * Every operation names its organization and sees nothing of another one;
 * the few that don't (marked "any org") belong to the queue and the tools.
 *
 * Memory: strings that go in must live until the callback; what comes out is
 * allocated in op.arena, which the submitter owns and leaves alone until the
 * callback.
 */


#ifndef JUDGE_STORE_H
#define JUDGE_STORE_H


#include "base/core/id.h"
#include "base/core/str.h"
#include "base/core/time.h"


typedef enum {
    JUDGE_OP_ORG_CREATE = 0,
    JUDGE_OP_ORG_LIST,
    JUDGE_OP_KEY_CREATE,
    JUDGE_OP_KEY_FIND,
    JUDGE_OP_KEY_LIST,
    JUDGE_OP_KEY_GET,
    JUDGE_OP_KEY_UPDATE,
    JUDGE_OP_KEY_DELETE,
    JUDGE_OP_KEY_USAGE,
    JUDGE_OP_JUDGE_CREATE,
    JUDGE_OP_JUDGE_FIND,
    JUDGE_OP_JUDGE_LIST,
    JUDGE_OP_JUDGE_UPDATE,
    JUDGE_OP_JUDGE_ACTIVATE,
    JUDGE_OP_JUDGE_VERSIONS,
    JUDGE_OP_JUDGE_DELETE,
    JUDGE_OP_CONTENT_CREATE,
    JUDGE_OP_CONTENT_FIND,
    JUDGE_OP_CONTENT_LIST,
    JUDGE_OP_CONTENT_DELETE,
    JUDGE_OP_PAIR_FIND,
    JUDGE_OP_EVALUATION_CREATE,
    JUDGE_OP_EVALUATION_FIND,
    JUDGE_OP_EVALUATION_LIST,
    JUDGE_OP_EVALUATION_RETRY,
    JUDGE_OP_BATCH_CHECK,
    JUDGE_OP_BATCH_TEXTS,
    JUDGE_OP_BATCH_TEXTS_DROP,
    JUDGE_OP_BATCH_CREATE,
    JUDGE_OP_BATCH_FIND,
    JUDGE_OP_BATCH_LIST,
    JUDGE_OP_BATCH_START,
    JUDGE_OP_BATCH_RETRY,
    JUDGE_OP_BATCH_SLICE,
    JUDGE_OP_BATCH_DELETE,
    JUDGE_OP_SLICE_NEXT,
    JUDGE_OP_BATCH_FAILURES,
    JUDGE_OP_BATCH_ITEMS,
    JUDGE_OP_BATCH_RESULTS,
    JUDGE_OP_BATCH_CRITERIA,
    JUDGE_OP_QUEUE_PEEK,
    JUDGE_OP_QUEUE_CLAIM,
    JUDGE_OP_QUEUE_LOAD,
    JUDGE_OP_QUEUE_FINISH,
    JUDGE_OP_RESULTS_GONE,
    JUDGE_OP_QUEUE_RELEASE,
    JUDGE_OP_QUEUE_PROLONG,
    JUDGE_OP_QUEUE_HELD,
    JUDGE_OP_ANSWER_FIND,
    JUDGE_OP_QUEUE_DEPTH,
    JUDGE_OP_JOB_CREATE,
    JUDGE_OP_JOB_FIND,
    JUDGE_OP_JOB_RESULTS,
    JUDGE_OP_CALLBACK_FIND,
    JUDGE_OP_CALLBACK_FINISH,
    JUDGE_OP_WORK_PEEK,
    JUDGE_OP_WORK_CLAIM,
    JUDGE_OP_WORK_PROLONG,
    JUDGE_OP_WORK_RELEASE,
    JUDGE_OP_FRAME_PUT,
    JUDGE_OP_FRAME_LIST,
    JUDGE_OP_FRAME_FIND,
    JUDGE_OP_IDEMPOTENCY_KEEP,
    JUDGE_OP_IDEMPOTENCY_FIND,
    JUDGE_OP_PURGE,
    JUDGE_OP_PROBE,
    JUDGE_OP_SECRET,
    JUDGE_OP_UPLOAD_CREATE,
    JUDGE_OP_UPLOAD_FIND,
    JUDGE_OP_UPLOAD_RECEIVE,
    JUDGE_OP_UPLOAD_PEEK,
    JUDGE_OP_UPLOAD_CLAIM,
    JUDGE_OP_UPLOAD_HASTEN, JUDGE_OP_UPLOAD_ABORT,
    JUDGE_OP_UPLOAD_FINISH,
    JUDGE_OP_FILES_KNOWN,
    JUDGE_OP_REFERENCES_CHECK,
    JUDGE_OP_REFERENCE_FIND,
    JUDGE_OP_FEEDBACK_TARGETS,
    JUDGE_OP_FEEDBACK_CREATE,
    JUDGE_OP_FEEDBACK_LIST,
    JUDGE_OP_FEEDBACK_SESSION_FIND,
    JUDGE_OP_FEEDBACK_PEEK,
    JUDGE_OP_FEEDBACK_CLAIM,
    JUDGE_OP_FEEDBACK_FINISH,
    JUDGE_OP_EXAMPLE_LIST,
    JUDGE_OP_EXAMPLE_START,
    JUDGE_OP_SPREAD_LIST,
    JUDGE_OP_CORRECTED_LIST,
    JUDGE_OP_SCORE_COUNT,
    JUDGE_OP_SCORE_LIST,
    JUDGE_OP_HOURS_PEEK,
    JUDGE_OP_HOURS_WRITE,
    JUDGE_OP_DRIFT_COUNTS,
    JUDGE_OP_DRIFT_FINISH,
    JUDGE_OP_FLEET_LEASE,
    JUDGE_OP_CANARY_CREATE,
    JUDGE_OP_CANARY_FIND,
    JUDGE_OP_CANARY_PROMOTE,
    JUDGE_OP_CANARY_DROP,
    JUDGE_OP_OPINION_LIST,
    JUDGE_OP_REVIEW_LIST,
    JUDGE_OP_MEASURED_LIST,
    JUDGE_OP_REASON_LIST,
    JUDGE_OP_CALIBRATOR_FIND,
    JUDGE_OP_TRAINING_SUMMARY,
    JUDGE_OP_TRAINING_CREATE,
    JUDGE_OP_REFIT_FIND,
    JUDGE_OP_TRAINING_FIND,
    JUDGE_OP_TRAINING_COURSE,
    JUDGE_OP_TRAINING_LIST,
    JUDGE_OP_TRAINING_EXECUTE,
    JUDGE_OP_TRAINING_CANCEL,
    JUDGE_OP_TRAINING_PEEK,
    JUDGE_OP_TRAINING_CLAIM,
    JUDGE_OP_TRAINING_CHECKPOINT,
    JUDGE_OP_TRAINING_PROGRESS,
    JUDGE_OP_TRAINING_FINISH,
    JUDGE_OP_SETTINGS_FIND,
    JUDGE_OP_SETTINGS_LLM,
    JUDGE_OP_SETTINGS_WEBHOOKS,
    JUDGE_OP_SETTINGS_ROTATE,
    JUDGE_OP_EVENT_REQUESTS,
    JUDGE_OP_EVENT_WRITE,
    JUDGE_OP_DELIVERY_LIST,
    JUDGE_OP_DELIVERY_FIND,
    JUDGE_OP_DELIVERY_AGAIN,
    JUDGE_OP_DELIVERY_TEST,
    JUDGE_OP_WEBHOOK_PEEK,
    JUDGE_OP_WEBHOOK_TURN,
    JUDGE_OP_STORE_VERSION,
    JUDGE_OP_STORE_PAGES,
    JUDGE_OP_STORE_CHECK,
    JUDGE_OP_FILE_LIST,
    JUDGE_OP_TABLE_STATS,
    JUDGE_OP_ORG_STATS,
    JUDGE_OP_OLD_CONTENTS,
    JUDGE_OP_OLD_RESULTS,
    JUDGE_OP_OLD_EMPTY,
    JUDGE_OP_OLD_FEEDBACK,
    JUDGE_OP_COUNT
} judge_op_kind_e;


/*
 * The answer to a request with an Idempotency-Key.  Attached to the write
 * operation of that request it is stored in the same transaction; a key that
 * is there already makes the whole operation JUDGE_CONFLICT with `replayed`.
 */

typedef struct {
    judge_str_t  key;                  /* method, path and the client's key */
    judge_str_t  fingerprint;          /* SHA-256 of the body */
    int64_t      status;
    judge_str_t  body;
    judge_ms_t   now;
    bool         taken;                /* out: somebody else has the key */
} judge_idempotency_t;


typedef struct judge_op  judge_op_t;

/* Of all that is stored: every commit of any process gives it another one
 * before it is answered.  To be compared only. */
typedef struct {
    uint64_t  words[8];                /* 6 of the engine, 2 of the executor */
} judge_store_seen_t;

/* Differences in the counts of batches, collected while it runs. */
typedef struct judge_batch_delta  judge_batch_delta_t;

typedef struct {
    judge_batch_delta_t  *first;
    judge_batch_delta_t  *next;
} judge_batch_deltas_t;

/* Events that are written in the transaction: store_webhook.h. */
typedef struct judge_event  judge_event_t;
typedef struct judge_store  judge_store_t;

/*
 * Renders the data of an event out of its subject; the submitter gives it
 * along, because the store knows no bodies of resources, and only an event
 * that is wanted is rendered.  It runs in the store's thread, and
 * reads->read() runs any read, as the operation has left things.
 * JUDGE_NOT_FOUND: the subject has gone; then there is no event.
 */
typedef judge_rc_e (*judge_event_render_pt)(judge_arena_t *arena,
    const judge_store_t *reads, judge_event_t *event);

struct judge_op {
    judge_op_kind_e       kind;
    judge_rc_e            rc;          /* out */
    judge_str_t           org;
    judge_arena_t        *arena;       /* for what comes out */
    size_t                bytes;       /* of its strings */
    void                (*done)(judge_op_t *op);
    void                 *data;        /* the submitter's */
    judge_idempotency_t  *idempotency; /* of a write; NULL: none */
    judge_event_t        *events;      /* of a write; NULL: none */
    judge_event_render_pt render;      /* set by judge_submit(), */
    judge_ms_t            submitted_at;          /* and this */
    judge_op_t           *next;        /* the executor's */
};


/*
 * The injected executor.  submit() takes the operation for good and calls
 * op->done exactly once, before it returns or later.  A saturated executor
 * answers with JUDGE_BUSY.  read(), which is there while an operation writes
 * its events only, runs a read of few rows by key in the calling thread and
 * returns its rc; op->done is not called.
 */

struct judge_store {
    void        (*submit)(void *data, judge_op_t *op);
    judge_rc_e  (*read)(void *data, judge_op_t *op);
    /* The version of what is stored now; or, where `read`, one not newer than
     * what the last inline submit() has seen.  False: not known. */
    bool        (*version)(void *data, bool read,
                           judge_store_seen_t *version);
    void         *data;
};


/* Where an operation is run (a property of its row). */
typedef enum {
    JUDGE_OP_INLINE,                   /* a read of few rows by key */
    JUDGE_OP_BULK,                     /* a longer read: in a thread */
    JUDGE_OP_WRITE                     /* in the group commit of a thread */
} judge_op_place_e;

judge_op_place_e judge_op_place(judge_op_kind_e kind);
const char *judge_op_name(judge_op_kind_e kind);


/*
 * One page of a list, newest first, by identifier.  Whatever the limit, it
 * ends with the row whose strings bring it to so many bytes.
 */

#define JUDGE_PAGE_BYTES  (256 * 1024)

typedef struct {
    judge_str_t  before;               /* absent: from the newest */
    int64_t      limit;
    bool         more;                 /* out */
} judge_page_t;


/* --- Organizations and keys ------------------------------------------- */

typedef struct {
    judge_str_t  id;
    judge_str_t  name;
    judge_str_t  webhook_secret;
    judge_ms_t   created_at;
} judge_org_row_t;

typedef struct {                       /* any org */
    judge_op_t       op;
    judge_org_row_t  row;              /* in */
} judge_org_create_t;

typedef struct {                       /* any org */
    judge_op_t        op;
    judge_org_row_t  *rows;
    size_t            count;
} judge_org_list_t;


typedef struct {
    judge_str_t  org;
    judge_str_t  id;
    judge_str_t  hash;                 /* SHA-256 of the key */
    judge_str_t  name;
    judge_str_t  status;               /* active or suspended */
    uint64_t     permissions;          /* a bit each; see api */
    judge_ms_t   created_at;
    judge_ms_t   expires_at;           /* 0: never */
    int64_t      usage_month;          /* year * 12 + month - 1, in UTC */
    int64_t      requests;             /* of that month */
    int64_t      evaluations;
    judge_ms_t   last_used;            /* 0: never */
} judge_key_row_t;

typedef struct {
    judge_op_t       op;
    judge_key_row_t  row;              /* in */
} judge_key_create_t;

typedef struct {                       /* any org: by the key's hash */
    judge_op_t       op;
    judge_str_t      hash;
    judge_key_row_t  row;              /* out */
} judge_key_find_t;

typedef struct {
    judge_op_t       op;
    judge_str_t      id;
    judge_key_row_t  row;              /* out */
} judge_key_get_t;

typedef struct {
    judge_op_t        op;              /* org absent: of all, for the tool */
    judge_page_t      page;
    judge_str_t       status;          /* active, suspended, expired; absent:
                                          all */
    judge_ms_t        now;
    judge_key_row_t  *rows;
    size_t            count;
} judge_key_list_t;

/*
 * Changes what is given of a key, in one step, so that changes made at the
 * same time by others stay.  JUDGE_CONFLICT: it would leave no active key
 * with every permission.
 */
typedef struct {
    judge_op_t       op;
    judge_key_row_t  row;              /* in, by id: name, status and hash,
                                          absent ones stay; permissions, 0
                                          stays; expires_at.  Out: as it is
                                          now */
    bool             keep_expiry;      /* expires_at stays, too */
    uint64_t         all;              /* the bit of every permission */
    judge_ms_t       now;
} judge_key_update_t;

typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    uint64_t     all;
    judge_ms_t   now;
} judge_key_delete_t;

typedef struct {
    judge_str_t  org;
    judge_str_t  id;
    int64_t      month;
    int64_t      requests;             /* to add */
    int64_t      evaluations;
    judge_ms_t   last_used;
} judge_usage_row_t;

typedef struct {                       /* any org */
    judge_op_t          op;
    judge_usage_row_t  *rows;
    size_t              count;
} judge_key_usage_t;


/* --- Judges ------------------------------------------------------------ */

typedef struct {
    judge_str_t  id;
    judge_str_t  content_type;
    judge_str_t  status;
    int64_t      active;               /* the active version */
    int64_t      latest;
    judge_ms_t   created_at;
    judge_ms_t   updated_at;
    int64_t      version;              /* from here on: of this version */
    judge_ms_t   version_created_at;
    int64_t      criteria_count;
    judge_str_t  name;
    judge_str_t  changes_summary;
    judge_str_t  description;
    judge_str_t  criteria;             /* JSON */
    judge_str_t  reference_uris;       /* JSON array; may be absent */
    judge_str_t  model;                /* wanted; may be absent */
    int64_t      samples;              /* 0: unsaid */
    judge_str_t  feedback_language;    /* a code; absent: the text's */
    judge_str_t  review;               /* JSON; may be absent */
    judge_str_t  escalate;             /* likewise */
    judge_str_t  trained_by;           /* out: the training job, or absent */
    uint64_t     trained_inputs;       /* out: of its model; 0: not known */
    judge_str_t *reference_ids;        /* in: nreferences identifiers */
    size_t       nreferences;
} judge_judge_row_t;

typedef struct {
    judge_op_t         op;
    judge_judge_row_t  row;            /* in */
} judge_judge_create_t;

typedef struct {                       /* a file that shows what is wanted */
    judge_str_t  id, extension, status, reason; /* of an error */
    judge_ms_t   created_at;
    judge_str_t  file_path;            /* absent: it has not come */
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

/* A new version; JUDGE_STALE: the judge is not as expected any more, or
 * gone. */
typedef struct {
    judge_op_t         op;
    judge_judge_row_t  row;            /* in: latest and active are the
                                          expected ones, version the new */
    bool               inactive;       /* the active one stays that */
    bool               keep_model;     /* it scores as the active one has
                                          learned to */
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
    int64_t             active;        /* out, all of these */
    int64_t             latest;
    judge_judge_row_t  *rows;          /* newest first, without criteria */
    size_t              count;
} judge_judge_versions_t;

/* JUDGE_CONFLICT: an evaluation of it is active. */
typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    judge_ms_t   now;
    bool         again;                /* of what was deleted before: the next
                                          slice of what goes with it */
} judge_judge_delete_t;


/* --- Contents ---------------------------------------------------------- */

typedef struct {
    judge_str_t  id;
    judge_str_t  file_type;
    judge_str_t  status;
    int64_t      size;
    judge_ms_t   created_at;
    judge_str_t  name;
    judge_str_t  description;          /* from here on: may be absent */
    judge_str_t  file_path;
    judge_str_t  file_url;
    judge_str_t  metadata;             /* JSON object */
    judge_str_t  text_content;
    bool         promised;             /* its file is still to come */
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
    bool                  again;       /* as above */
    judge_batch_deltas_t  batches;
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
    judge_str_t  owner;                /* absent: nobody works on it */
    int64_t      attempts;
    judge_str_t  content_id;
    judge_str_t  judge_id;
    int64_t      judge_version;
    judge_str_t  batch_id;             /* may be absent */
    judge_ms_t   created_at;
    judge_ms_t   deadline;
    judge_ms_t   evaluated_at;         /* 0: not yet */
    judge_str_t  last_error;           /* JSON; may be absent */
    judge_str_t  body;                 /* of an ended one */
    double       progress;             /* of an external worker, percent;
                                          0: it has not said */
    judge_str_t  model;                /* in: absent for the built-in engine */
    int64_t      samples;              /* in; 0: one */
    bool         fresh;                /* in: no stored answer will do */
    int64_t      given_back;           /* out: of the attempts; */
    bool         learning, unclaimed, refitting; /* what it waits for */
} judge_evaluation_row_t;

/* What has to be there before an evaluation is made. */
typedef struct {
    judge_op_t   op;
    judge_str_t  judge_id;
    judge_str_t  content_id;
    bool         judge_found;          /* out, all of these */
    bool         content_found;
    int64_t      judge_version;
    judge_str_t  content_type;
    judge_str_t  file_type;
    judge_str_t  content_status;
} judge_pair_find_t;

/* JUDGE_NOT_FOUND: judge or content have gone meanwhile. */
typedef struct {
    judge_op_t              op;
    judge_evaluation_row_t  row;       /* in */
    judge_content_row_t     content;   /* in: made with it, where it has an
                                          identifier */
    bool                    waits;     /* in: for an external worker, until
                                          its deadline */
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
    judge_str_t              needs_review;       /* true, True, 1, or
                                          another word */
    judge_str_t              from;     /* set by the store: between */
    judge_str_t              before;   /* which identifiers they lie */
    judge_evaluation_row_t  *rows;
    size_t                   count;
} judge_evaluation_list_t;

/* A failed one goes back into the queue; JUDGE_CONFLICT: it has not failed. */
typedef struct {
    judge_op_t              op;
    judge_str_t             id;
    judge_ms_t              now;
    judge_ms_t              deadline;
    judge_ms_t              callback_deadline;           /* where an external
                                                            worker judges */
    bool                    requeued;  /* out */
    judge_evaluation_row_t  row;       /* out: as it is now */
    judge_batch_deltas_t    batches;
} judge_evaluation_retry_t;


/* Who holds what is worked on, and until when others leave it alone.  What is
 * held no longer is not changed by who held it. */
typedef struct {
    judge_str_t  owner;                /* a worker of the service, or the name
                                          that an external one was given */
    judge_ms_t   until;
} judge_lease_t;


/* --- The queue (any org) ----------------------------------------------- */

/* So many references of a judge are looked at. */
#define JUDGE_FORMER_SECRETS  8        /* of an organization, for webhooks */
#define JUDGE_REFERENCES_MAX  16

/* An evaluation in the hands of a worker. */
typedef struct {
    judge_str_t  org;
    judge_str_t  id;
    int64_t      attempts;             /* with this one */
    judge_ms_t   created_at;
    judge_ms_t   deadline;
    judge_str_t  content_id;
    judge_str_t  judge_id;
    int64_t      judge_version;
    judge_str_t  batch_id;
    bool         by_model;             /* a language model is to judge */
    bool         again;                /* who had it before did not end it */
    bool         found;                /* from here on: out of LOAD */
    judge_str_t  file_type;
    judge_str_t  file_path;            /* may be absent */
    judge_str_t  model;                /* of one by a model, to samples */
    bool         fresh;
    int64_t      samples;
    int64_t      escalated;            /* why it is asked, though there is a
                                          score: JUDGE_ESCALATED_...; or 0 */
    double       first_score;          /* then: that one; negative: none */
    judge_str_t  last_error;           /* JSON: why the last one failed */
    int64_t      given_back;           /* of the attempts */
    judge_str_t  text_content;
    judge_str_t  metadata;             /* JSON */
    judge_str_t  judge_name;
    judge_str_t  judge_description;
    judge_str_t  feedback_language;    /* may be absent */
    judge_str_t  review;               /* likewise; JSON */
    judge_str_t  escalate;             /* likewise */
    judge_str_t  criteria;             /* JSON */
    int64_t      canary;               /* a version that judges this share of
                                          its evaluations, too; 0: none */
    double       share;
    bool         learning;             /* a reference is to be read */
    judge_str_t *references;           /* texts; others are those without */
    judge_reference_row_t *others;
    size_t       nreferences, nothers;
    judge_str_t  route;                /* of traffic; else absent */
    size_t       same_content;         /* the first of the jobs next to it
                                          that have its content, */
    size_t       same_judge;           /* and the first of all that have its
                                          judge; what is loaded is shared */
} judge_job_t;

/* Evaluations of a large batch that wait, and are claimed, together. */
typedef struct {
    judge_str_t  org;
    judge_str_t  batch_id;
    judge_str_t  first;                /* identifiers; absent: no range */
    judge_str_t  last;
    int64_t      attempts;
    int64_t      urgency;              /* its class, when it was chosen */
    judge_ms_t   queue_at;
} judge_queue_range_t;

typedef struct {
    judge_op_t     op;
    judge_job_t  **jobs;               /* in and out */
    size_t         count;              /* out: fewer, if the texts are long */
    size_t         at;                 /* while it runs */
} judge_queue_load_t;

/* Why a person should look at a result, together as bits: stored, so that
 * none gets another number. */
typedef enum {
    JUDGE_REVIEW_THRESHOLD  = 0x1,     /* an interval holds one */
    JUDGE_REVIEW_WIDE       = 0x2,     /* the interval, as the judge says */
    JUDGE_REVIEW_UNLIKE     = 0x4,     /* anything seen */
    JUDGE_REVIEW_CHECKS     = 0x8,     /* contradict the score */
    JUDGE_REVIEW_LANGUAGE   = 0x10,    /* hardly known */
    JUDGE_REVIEW_MISSING    = 0x20,    /* what counts was not measured */
    JUDGE_REVIEW_ALTERED    = 0x40,    /* the item, for a language model */
    JUDGE_REVIEW_QUOTES     = 0x80,    /* a model's are not in the item */
    JUDGE_REVIEW_APART      = 0x100    /* a model's answers */
} judge_review_e;

/* Why a language model is asked, as bits that are stored. */
typedef enum {
    JUDGE_ESCALATED_NEAR    = 0x1,     /* the interval holds a threshold, */
    JUDGE_ESCALATED_WIDE    = 0x2,     /* or is too wide, */
    JUDGE_ESCALATED_SAMPLE  = 0x4      /* or it is one of the sample */
} judge_escalated_e;

typedef struct {
    judge_str_t  org;
    judge_str_t  id;
    judge_str_t  status;               /* processing: to be tried again */
    judge_ms_t   queue_at;             /* of one to be tried again, else 0 */
    judge_ms_t   evaluated_at;
    double       overall_score;
    int64_t      review;               /* JUDGE_REVIEW_... */
    bool         scored;
    judge_str_t  features;             /* with an identity; may be absent */
    judge_str_t  last_error;           /* JSON */
    judge_str_t  error_code;           /* of a failed one: TIMED_OUT, … */
    judge_str_t  answer_key;           /* who asks the same may have it */
    judge_str_t  model;                /* to be asked from now on; or absent */
    int64_t      escalated;            /* then: JUDGE_ESCALATED_... */
    double       first_score;
    bool         uncounted;            /* this attempt was none */
    int64_t      judge_version;        /* to be judged by; 0: as it was */
    judge_str_t  body;                 /* may be packed already */
    bool         stored;               /* out: it was still to be ended */
    int64_t      place;                /* among those that are packed */
    int64_t      result;               /* while it is stored: its number */
    struct judge_hours_row  *counts;   /* of its scores: store_watch.h */
    size_t       ncounts;
} judge_result_t;

typedef struct judge_results_together  judge_results_together_t;
typedef struct judge_pair_row  judge_pair_row_t;

typedef struct {
    judge_op_t                 op;
    judge_str_t                owner;  /* only what it still holds */
    judge_queue_range_t        range;  /* of all results, or of none */
    judge_result_t            *results;
    size_t                     count;
    judge_pair_row_t          *pairs;
    size_t                     npairs;
    judge_results_together_t  *rows;   /* made when they are packed */
    size_t                     nrows;
    int64_t                    last;   /* while it runs: the newest row, and */
    size_t                     at;     /* a result */
    judge_batch_deltas_t       batches;
} judge_queue_finish_t;


/* --- The rest ----------------------------------------------------------- */

/* The engine runs it behind an operation with a key; JUDGE_CONFLICT: taken. */
typedef struct {
    judge_op_t           op;
    judge_idempotency_t  row;
} judge_idempotency_keep_t;

typedef struct {
    judge_op_t           op;
    judge_idempotency_t  found;        /* in: key; out: the rest */
} judge_idempotency_find_t;

/* What expires, in the order of the statements that delete it. */
typedef enum {
    JUDGE_PURGE_KEYS,                  /* idempotency keys */
    JUDGE_PURGE_LOGS,                  /* of training jobs */
    JUDGE_PURGE_BODIES,                /* of deliveries */
    JUDGE_PURGE_DELIVERIES,
    JUDGE_PURGE_COUNT
} judge_purge_e;

/* Deletes what is older, at most `limit` rows of each. */
typedef struct {                       /* any org */
    judge_op_t  op;
    judge_ms_t  keys_before;
    judge_ms_t  logs_before;
    judge_ms_t  deliveries_before;
    int64_t     limit;
    int64_t     gone[JUDGE_PURGE_COUNT];         /* out */
} judge_purge_t;

/* Whether the store takes a write: one row that is written each time. */
typedef struct {
    judge_op_t  op;
    judge_ms_t  now;
} judge_probe_t;


#endif /* JUDGE_STORE_H */
