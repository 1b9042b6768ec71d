/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The interface of an engine: SQLite's is in src/store/sqlite, PostgreSQL's an
 * extension.  Only the runner (runner.h) calls it, except the functions for
 * listening to other nodes.  A connection is used by one thread at a time.
 * `directory` names the store; of an engine that is remote it is the address
 * of a database.
 */


#ifndef JUDGE_DRIVER_H
#define JUDGE_DRIVER_H


#include "base/core/id.h"
#include "base/core/str.h"


/* Each engine defines these itself. */
typedef struct judge_connection  judge_connection_t;
typedef struct judge_statement   judge_statement_t;
typedef struct judge_listener    judge_listener_t;

#define JUDGE_DRIVER_VERSION  6        /* words of a version */
#define JUDGE_DRIVER_KEEP     (8 * 1024 * 1024)
#define JUDGE_DRIVER_PAGE     4096     /* bytes, about */
#define JUDGE_DRIVER_AHEAD    16       /* statements at most */

/* The engines, for statements that differ between them. */
typedef enum {
    JUDGE_ENGINE_SQLITE = 0,
    JUDGE_ENGINE_POSTGRESQL,
    JUDGE_ENGINE_COUNT
} judge_engine_e;

/* A transaction can have one savepoint at a time. */
typedef enum {
    JUDGE_TRANSACTION_BEGIN = 0,
    JUDGE_TRANSACTION_COMMIT,
    JUDGE_TRANSACTION_ROLLBACK,
    JUDGE_TRANSACTION_SAVEPOINT,
    JUDGE_TRANSACTION_RELEASE,
    JUDGE_TRANSACTION_ROLLBACK_TO,
    JUDGE_TRANSACTION_COUNT
} judge_transaction_e;

/* Changed batches and training jobs of any organization, and judges whose
 * examples have changed. */

#define JUDGE_SUBJECTS  64

typedef struct {
    judge_id_t  org;
    judge_id_t  id;
} judge_subject_t;

typedef struct {
    size_t           count;
    bool             more;             /* there are more than listed */
    bool             gone;             /* an evaluation that had not ended was
                                          deleted */
    bool             pairs;            /* judges, contents or settings changed,
                                          on which new evaluations depend */
    judge_subject_t  list[JUDGE_SUBJECTS];
} judge_subjects_t;

#define JUDGE_NOTED_REQUESTS  0x1      /* work_requests */
#define JUDGE_NOTED_RESULTS   0x2      /* results_gone */

/*
 * Result codes are classes of errors: JUDGE_BUSY is a failure of the storage
 * that may pass (a full disk, a lock timeout, a transaction that has ended),
 * JUDGE_CONFLICT a violated constraint; JUDGE_NOMEM; and JUDGE_ERROR all else.
 * Parameters count from 1, columns from 0.  Functions that a server does not
 * need are NULL: moved() to keep(), version(), shrink() to checkpoint().
 */
typedef struct {
    judge_engine_e        engine;
    /* Even reads wait for a server, so that none may run on an event loop. */
    bool                  remote;
    /* A failed statement ends the transaction, unless there is a savepoint. */
    bool                  fragile;

    /* Creates the database if it does not exist, and updates its schema;
     * JUDGE_STALE: it is newer than this program.  On failure *error, unless
     * `error` is NULL, is a sentence in the arena. */
    judge_rc_e          (*migrate)(judge_arena_t *arena,
                                   judge_str_t directory, judge_str_t *error);
    /* Why migrate() or open() fails, for clients, without paths; *rights: the
     * missing permission, for the log, or empty. */
    const char         *(*diagnose)(judge_arena_t *arena,
                                    judge_str_t directory,
                                    judge_str_t *rights);
    judge_connection_t *(*open)(judge_arena_t *arena, judge_str_t directory,
                                bool writer, judge_str_t *error);
    void                (*close)(judge_connection_t *c);
    /* Whether the database, or its log, is no longer the one that was opened:
     * moved, replaced, removed or cut.  Its bytes, at the last look; and those
     * of the pages that were kept in memory then, for any thread to ask. */
    bool                (*moved)(judge_connection_t *c);
    int64_t             (*size)(const judge_connection_t *c);
    size_t              (*kept)(const judge_connection_t *c);
    /* Sets the bytes of cached pages, JUDGE_DRIVER_KEEP at first. */
    judge_rc_e          (*keep)(judge_connection_t *c, size_t bytes);

    /* Which of the tables in which triggers note what is to be done may have
     * got rows since the last call: JUDGE_NOTED_... */
    unsigned            (*noted)(judge_connection_t *c);

    /* What was changed or deleted since the caller emptied it, rolled back
     * changes included; only for writers. */
    judge_subjects_t   *(*subjects)(judge_connection_t *c);

    /* A version that every commit of any process changes, to be read without a
     * transaction. */
    bool                (*version)(judge_connection_t *c,
                                   uint64_t words[JUDGE_DRIVER_VERSION]);

    /* The first error message since forget(), because later ones (of a commit,
     * a rollback) would hide the cause. */
    const char         *(*message)(judge_connection_t *c);
    /* The part of the error that clients may know; NULL: nothing. */
    const char         *(*trouble)(judge_connection_t *c);
    void                (*forget)(judge_connection_t *c);

    judge_rc_e          (*transact)(judge_connection_t *c,
                                    judge_transaction_e what);
    /* Whether the transaction still exists: an error may have ended it. */
    bool                (*in_transaction)(judge_connection_t *c);

    /* A statement lives as long as its connection, and so does `sql`.  `types`
     * has a letter for each parameter: i(nteger), d(ouble), t(ext), b(lob). */
    judge_rc_e          (*prepare)(judge_connection_t *c, const char *sql,
                                   const char *types,
                                   judge_statement_t **st);
    /* Steps to the next row, or the end; fails outside of a transaction, where
     * it would commit by itself.  reset() prepares the next run. */
    judge_rc_e          (*step)(judge_connection_t *c, judge_statement_t *st,
                                bool *row);
    void                (*reset)(judge_statement_t *st);

    /*
     * Within a reader's transaction, absent where nothing is gained: ahead()
     * sends a statement as it is bound and waits for nothing; a number, or 0:
     * not now.  NULL instead ends what is sent, and waits for all of it.
     * take() gives a statement, as if step() had run it, what it was answered
     * under this number; false: nothing, it is to be run.  An error of one
     * ends the transaction, and nothing was answered to any.
     */
    uint64_t            (*ahead)(judge_connection_t *c,
                                 judge_statement_t *st);
    bool                (*take)(judge_connection_t *c, judge_statement_t *st,
                                uint64_t number);
    int64_t             (*changes)(judge_connection_t *c);
    /* The number of rows changed since it was opened, by triggers, too. */
    int64_t             (*changed)(judge_connection_t *c);

    /* Bound values must live until reset(); an absent string is NULL. */
    judge_rc_e          (*bind_null)(judge_statement_t *st, int i);
    judge_rc_e          (*bind_int)(judge_statement_t *st, int i, int64_t v);
    judge_rc_e          (*bind_double)(judge_statement_t *st, int i,
                                       double v);
    judge_rc_e          (*bind_text)(judge_statement_t *st, int i,
                                     judge_str_t s);
    judge_rc_e          (*bind_blob)(judge_statement_t *st, int i,
                                     judge_str_t s);

    /* NULL is read as 0; a string is valid until the next step, and absent if
     * it is NULL or memory is out. */
    bool                (*column_null)(judge_statement_t *st, int i);
    int64_t             (*column_int)(judge_statement_t *st, int i);
    double              (*column_double)(judge_statement_t *st, int i);
    judge_str_t         (*column_str)(judge_statement_t *st, int i);

    /*
     * What nodes notify each other of, on a connection of its own; absent:
     * it carries nothing.  listen() waits for the server (NULL: it is not
     * there), the others for nobody.  receive() is for when there is something
     * to read at socket(), and from time to time; it gives what others have
     * sent, and how many ms the clock is ahead of the server's, as of the last
     * notify(), and is false once the connection is lost.  notify(): a text
     * that ends with a zero, of 7,999 bytes at most; false: not now.
     */
    judge_listener_t   *(*listen)(judge_str_t directory);
    int                 (*socket)(const judge_listener_t *l);
    bool                (*receive)(judge_listener_t *l,
                                void (*received)(void *data, const char *text),
                                void *data, int64_t *apart);
    bool                (*notify)(judge_listener_t *l, const char *text);
    void                (*unlisten)(judge_listener_t *l);

    /* Frees the memory of cached pages; outside of a transaction, while nobody
     * uses the connection. */
    void                (*shrink)(judge_connection_t *c);

    /* Pages in the log after the last commit of this connection; whether
     * another one should move them into the database now; and moving them. */
    int                 (*log)(const judge_connection_t *c);
    bool                (*checkpoint_due)(judge_connection_t *c, int log);
    void                (*checkpoint)(judge_connection_t *c, int log);

    /* A whole copy, as of one moment, into a file that is not there, while
     * others read and commit; and giving back the room of what was deleted,
     * while others read: their commits wait. */
    judge_rc_e          (*copy)(judge_connection_t *c, const char *path);
    judge_rc_e          (*vacuum)(judge_connection_t *c);
} judge_driver_t;


#endif /* JUDGE_DRIVER_H */
