/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Checks out of descriptions: requirements in plain English, German, Spanish,
 * French or Portuguese that no reader would doubt ("at most 80 words").
 */


#ifndef JUDGE_REQUIRE_H
#define JUDGE_REQUIRE_H


#include "analysis/checks/check.h"


#define JUDGE_REQUIRE_MAX  2000        /* bytes of a description; a longer one
                                          is left to judgement */

typedef struct {
    judge_list_t  checks;              /* of judge_check_sent_t, with the
                                          origin "description" */
    bool          whole;               /* the description says nothing else */
    bool          judgement;           /* it has words that ask for it */
} judge_required_t;

/*
 * Everything is in `arena`; the time is linear.  What can't be checked for
 * sure gives nothing.  JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_require(judge_arena_t *arena, judge_str_t description,
    judge_required_t *out);

/*
 * Brings the checks of a criterion and its description together, or its name
 * where the description gives none: those of the client stay, with `on` and
 * the weight of those that came from the description before; what that does
 * not say any more goes, unless it was changed to be given.  *decided: they
 * leave nothing to judge.  JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_require_merge(judge_arena_t *arena, judge_str_t name,
    judge_str_t description, judge_list_t *checks, bool *decided);


#endif /* JUDGE_REQUIRE_H */
