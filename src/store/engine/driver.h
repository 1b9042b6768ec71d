/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The interface of a database engine: src/store/sqlite implements it for
 * SQLite, an extension for PostgreSQL.  Only the runner (runner.h) calls it,
 * except for the functions that notify other nodes.  A connection is used by
 * one thread at a time.  `directory` names the store; for a remote engine it
 * is the address of a database.
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
#define JUDGE_DRIVER_KEEP     (8 * 1024 * 1024)          /* cache, bytes */
#define JUDGE_DRIVER_PAGE     4096     /* about the bytes of a page */
#define JUDGE_DRIVER_AHEAD    16       /* reads sent without waiting, */
#define JUDGE_DRIVER_TOGETHER 64       /* and statements, at most */

/* The engines, for statements that differ between them. */
typedef enum {
    JUDGE_DIALECT_SQLITE = 0,
    JUDGE_DIALECT_POSTGRESQL,
    JUDGE_DIALECT_COUNT
} judge_dialect_e;

/* A transaction has at most one savepoint at a time. */
typedef enum {
    JUDGE_TRANSACTION_BEGIN = 0,
    JUDGE_TRANSACTION_COMMIT,
    JUDGE_TRANSACTION_ROLLBACK,
    JUDGE_TRANSACTION_SAVEPOINT,
    JUDGE_TRANSACTION_RELEASE,
    JUDGE_TRANSACTION_ROLLBACK_TO,
    JUDGE_TRANSACTION_COUNT
} judge_transaction_e;

/* What a connection has changed, in any organization: batches, training jobs,
 * judges (their examples), and evaluations that were deleted before they
 * ended. */

#define JUDGE_SUBJECTS  64

typedef struct {
    judge_id_t  org;
    judge_id_t  id;
} judge_subject_t;

typedef struct {
    size_t           count;
    bool             more;             /* others, not listed, changed, too */
    judge_subject_t  list[JUDGE_SUBJECTS];
} judge_subjects_t;

#define JUDGE_NOTED_REQUESTS  0x1      /* rows in work_requests */
#define JUDGE_NOTED_RESULTS   0x2      /* rows in results_gone */

/*
 * Result codes are classes of errors: JUDGE_BUSY is a failure of the storage
 * that may pass (a full disk, a lock timeout, a transaction that has ended),
 * JUDGE_CONFLICT a violated constraint; JUDGE_NOMEM; and JUDGE_ERROR all else.
 * Parameters count from 1, columns from 0.  A remote engine leaves these NULL:
 * moved(), size(), kept(), keep(), version(), and shrink() to checkpoint().
 */
typedef struct {
    judge_dialect_e        engine;
    /* Even reads wait for a server, so none may run on an event loop. */
    bool                  remote;
    /* A failed statement aborts the transaction, unless it has a savepoint. */
    bool                  fragile;

    /* Creates the database if it does not exist.  An older schema is upgraded
     * if `upgrade` is set, and refused otherwise; JUDGE_STALE: the schema is
     * newer than this program.  On failure *error, unless `error` is NULL, is
     * a sentence in the arena. */
    judge_rc_e          (*migrate)(judge_arena_t *arena,
                                   judge_str_t directory, bool upgrade,
                                   judge_str_t *error);
    /* Returns a sentence for clients, without paths, that says why migrate()
     * or open() fails; *rights: the missing permission, for the log, or "". */
    const char         *(*diagnose)(judge_arena_t *arena,
                                    judge_str_t directory,
                                    judge_str_t *rights);
    judge_connection_t *(*open)(judge_arena_t *arena, judge_str_t directory,
                                bool writer, judge_str_t *error);
    void                (*close)(judge_connection_t *c);
    /* moved(): whether the database or its log was moved, replaced, removed or
     * truncated.  Its last call determines size(), the bytes of the database,
     * and kept(), the bytes of cached pages; any thread may call kept(). */
    bool                (*moved)(judge_connection_t *c);
    int64_t             (*size)(const judge_connection_t *c);
    size_t              (*kept)(const judge_connection_t *c);
    /* Limits the page cache to so many bytes; initially JUDGE_DRIVER_KEEP. */
    judge_rc_e          (*keep)(judge_connection_t *c, size_t bytes);

    /* Into which of the tables where triggers note work there were inserts
     * since the last call: a set of JUDGE_NOTED_... bits. */
    unsigned            (*noted)(judge_connection_t *c);

    /* What the connection has changed or deleted since the caller emptied the
     * list, including changes that were rolled back; only for writers. */
    judge_subjects_t   *(*subjects)(judge_connection_t *c);

    /* Reads, without a transaction, a version of the database, which every
     * commit of any process changes. */
    bool                (*version)(judge_connection_t *c,
                                   uint64_t words[JUDGE_DRIVER_VERSION]);

    /* The first error message since forget(): the cause of errors that follow,
     * such as that of the commit. */
    const char         *(*message)(judge_connection_t *c);
    /* A sentence about the error that clients may see; NULL: there is none. */
    const char         *(*error)(judge_connection_t *c);
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
     * the statement would commit by itself.  reset() allows another run. */
    judge_rc_e          (*step)(judge_connection_t *c, judge_statement_t *st,
                                bool *row);
    void                (*reset)(judge_statement_t *st);

    /*
     * Pipelining, in a transaction; NULL if the engine has none.  ahead()
     * sends a statement with its bound values without waiting for the result,
     * and returns a number for take(), or 0: it was not sent.  gather() waits
     * for the results of all statements sent, and returns the first error;
     * `st` is the statement if all are the same one, else NULL.  take() makes
     * step() return the rows of the result with that number; false: there is
     * no such result, and the statement must be run.  If one of the statements
     * fails, none has a result.
     */
    uint64_t            (*ahead)(judge_connection_t *c, judge_statement_t *st);
    judge_rc_e          (*gather)(judge_connection_t *c,
                                  judge_statement_t *st);
    bool                (*take)(judge_connection_t *c, judge_statement_t *st,
                                uint64_t number);
    int64_t             (*changes)(judge_connection_t *c);
    /* The number of rows changed since the connection was opened. */
    int64_t             (*changed)(judge_connection_t *c);

    /* Bound values must live until reset(); an absent string is NULL. */
    judge_rc_e          (*bind_null)(judge_statement_t *st, int i);
    judge_rc_e          (*bind_int)(judge_statement_t *st, int i, int64_t v);
    judge_rc_e          (*bind_double)(judge_statement_t *st, int i, double v);
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
     * Notifications between nodes, on a separate connection; NULL if the
     * engine has none.  Only listen() waits for the server (NULL: there is no
     * connection).  receive() must be called when socket() is readable, and
     * from time to time.  It calls received() with each text of another node,
     * and sets by how many ms this clock is ahead of the server's, measured by
     * the last notify(); false: the connection is lost.  notify() sends a text
     * of at most 7,999 bytes; false: the server has not answered the last one.
     */
    judge_listener_t   *(*listen)(judge_str_t directory);
    int                 (*socket)(const judge_listener_t *l);
    bool                (*receive)(judge_listener_t *l,
                                void (*received)(void *data, const char *text),
                                void *data, int64_t *apart);
    bool                (*notify)(judge_listener_t *l, const char *text);
    void                (*unlisten)(judge_listener_t *l);

    /* Frees the memory of cached pages; outside of a transaction, while no
     * thread uses the connection. */
    void                (*shrink)(judge_connection_t *c);

    /* See judge_runner_log(), _due() and _checkpoint(). */
    int                 (*log)(const judge_connection_t *c);
    bool                (*checkpoint_due)(judge_connection_t *c, int log);
    void                (*checkpoint)(judge_connection_t *c, int log);

    /* copy() writes one snapshot into a new file, while others read and
     * commit.  vacuum() returns the space of deleted rows to the disk, while
     * others read, but commits wait. */
    judge_rc_e          (*copy)(judge_connection_t *c, const char *path);
    judge_rc_e          (*vacuum)(judge_connection_t *c);

    /* The file of the directory to which each commit is written; NULL: there
     * is none. */
    const char           *log_file;
} judge_driver_t;


#endif /* JUDGE_DRIVER_H */
