/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Makes checks from descriptions in English, German, Spanish, French or
 * Portuguese, for requirements that are unambiguous ("at most 80 words").
 */


#ifndef JUDGE_REQUIRE_H
#define JUDGE_REQUIRE_H


#include "analysis/checks/check.h"


#define JUDGE_REQUIRE_MAX  2000        /* bytes of a description; a longer one
                                          gives no checks */

typedef struct {
    judge_list_t  checks;              /* of judge_check_sent_t, with the
                                          origin "description" */
    bool          whole;               /* the checks cover all of it */
    bool          judgement;           /* it has words of quality ("clear") */
} judge_required_t;

/*
 * Everything is in `arena`; the time is linear.  A sentence that is ambiguous
 * gives no check.  JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_require(judge_arena_t *arena, judge_str_t description,
    judge_required_t *out);

/*
 * Merges the stored checks of a criterion with those of its description (or of
 * its name, where the description gives none).  Checks of the client stay.
 * Checks with the origin "description" stay, with `on` and weight, if it still
 * asks for them, and are removed otherwise.  *decided: the checks leave
 * nothing to judge.  JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_require_merge(judge_arena_t *arena, judge_str_t name,
    judge_str_t description, judge_list_t *checks, bool *decided);


#endif /* JUDGE_REQUIRE_H */
