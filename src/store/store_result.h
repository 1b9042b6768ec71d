/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Results that stand together in a row. */


#ifndef JUDGE_STORE_RESULT_H
#define JUDGE_STORE_RESULT_H


#include "store/store.h"


struct judge_results_together {
    int64_t                    number;
    judge_str_t                org;    /* of all of them */
    int64_t                    kept;   /* so many, without those that went */
    judge_str_t                features;         /* see packing.h */
    judge_str_t                bodies;
    judge_results_together_t  *next;
};

/* Packs the results, which the operation does otherwise while others wait to
 * write.  Nothing stays in the scratch. */
judge_rc_e judge_queue_finish_pack(judge_queue_finish_t *o,
    judge_arena_t *scratch);

/* Takes results out of their rows whose evaluations have been deleted or are
 * tried again: the engine runs it behind such a write. */
typedef struct {                       /* any org */
    judge_op_t                 op;
    judge_str_t                of;     /* while it runs: an organization, */
    int64_t                    from;   /* and the first result looked for */
    judge_results_together_t  *rows;
    judge_results_together_t  *at;
} judge_results_gone_t;


#endif /* JUDGE_STORE_RESULT_H */
