/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Results of several evaluations that are stored in one row. */


#ifndef JUDGE_STORE_RESULT_H
#define JUDGE_STORE_RESULT_H


#include "store/store.h"


struct judge_results_together {
    int64_t                    number;
    judge_str_t                org;    /* the same for all */
    int64_t                    kept;   /* number of results still stored */
    judge_str_t                features;         /* see packing.h */
    judge_str_t                bodies;
    judge_results_together_t  *next;
};

/* Packs the results in advance.  Otherwise the operation packs them, while
 * other writes wait.  `scratch` can be freed afterwards. */
judge_rc_e judge_queue_finish_pack(judge_queue_finish_t *o,
    judge_arena_t *scratch);

/* Removes the results of deleted or retried evaluations from rows that several
 * share.  The runner runs this operation after such writes. */
typedef struct {                       /* any org */
    judge_op_t                 op;
    judge_str_t                org_id; /* private: an organization, */
    int64_t                    from;   /* and the first result to find */
    judge_results_together_t  *rows;
    judge_results_together_t  *row;
} judge_results_gone_t;


#endif /* JUDGE_STORE_RESULT_H */
