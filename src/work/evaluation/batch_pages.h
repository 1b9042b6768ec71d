/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A worker's cache of the events of batches' items, in pages that all clients
 * of a batch share, so that each page is read and rendered once.  The newest
 * pages are kept, up to a number of bytes, for clients that come later or
 * start from the beginning.  On the event loop only.
 */


#ifndef JUDGE_BATCH_PAGES_H
#define JUDGE_BATCH_PAGES_H


#include "work/service/service.h"


#define JUDGE_BATCH_PAGE  64           /* items at most */

typedef struct judge_batch_want  judge_batch_want_t;

struct judge_batch_want {
    judge_str_t           org;
    judge_str_t           id;
    int64_t               after;       /* wants the events of later items */
    int64_t               last;        /* number of the batch's last item */
    int64_t               undone;      /* items up to `last` that were deleted
                                          or retried */
    void                (*ready)(judge_batch_want_t *want);
    void                 *data;
    judge_rc_e            rc;          /* to be read in ready() */
    judge_batch_want_t   *next;        /* private */
};


extern const judge_background_t  judge_batch_pages_background;

/* Finds the events of the items after want->after up to *upto, which may be
 * before want->last; they are valid until the next call.  false: they have to
 * be read first. */
bool judge_batch_pages_find(const judge_service_t *service,
    const judge_batch_want_t *want, judge_str_t *events, int64_t *upto);

/* Reads the events, or waits for a read that is under way.  ready() is called
 * once, maybe before this returns.  If want->rc is JUDGE_OK then, _find()
 * usually finds them; else they have to be read once more. */
void judge_batch_pages_read(judge_service_t *service,
    judge_batch_want_t *want);

/* The number of pages, and their bytes. */
size_t judge_batch_pages_count(const judge_service_t *service, size_t *bytes);


#endif /* JUDGE_BATCH_PAGES_H */
