/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Sentences that are understood as a whole: an order of literals, and words in
 * capitals. */


#include <string.h>

#include "base/text/ascii.h"
#include "analysis/checks/require.h"
#include "analysis/checks/require_table.h"


/* Adds a check that no word of n letters or more is in capitals. */

static bool
judge_require_shouted(judge_require_t *q, int n)
{
    return judge_require_add(q, "not_", "regex", judge_str_printf(q->arena,
                                 "(?<!\\p{L})\\p{Lu}{%d,}(?!\\p{L})", n).data,
                             0);
}


/* Adds checks that literals occur in this order; `once`: each but once. */

static bool
judge_require_in_order(judge_require_t *q,
    const judge_require_token_t *const *literals, size_t n, bool once)
{
    size_t       i;
    const char  *alone;
    judge_buf_t  b;

    judge_buf_init(&b, q->arena);
    judge_buf_c(&b, "(?s)");

    for (i = 0; i < n; i++) {
        alone = judge_require_alone(q, literals[i]);
        judge_buf_printf(&b, "%s%s", i ? ".*?" : "", alone);

        if (once && !judge_require_matches(q, alone, 1, 1)) {
            return false;
        }
    }

    judge_buf_append(&b, "", 1);
    q->failed = q->failed || b.failed;

    return !b.failed && judge_require_add(q, "", "regex", b.data, 0);
}


/* Whether token i is a literal, or a word with a capital that may be one. */

static bool
judge_require_literal_at(const judge_require_t *q, size_t i)
{
    const judge_require_token_t  *t = &q->r.tokens[i];

    return t->kind == '='
           || (i > 0 && q->r.language != 1 && strchr("Q?", t->kind)
               && judge_ascii_upper(t->text.data[0]));
}


judge_rc_e
judge_require_ordered(judge_require_t *q)
{
    bool                          once, swaps;
    size_t                        i, n, by;
    const judge_require_token_t  *t, *all[JUDGE_REQUIRE_LIST];

    for (i = n = 0, by = q->r.n, once = false; i < q->r.n; i++) {
        t = &q->r.tokens[i];
        once = once || (t->kind == 'o' && t->name[0] == 'o');

        if (strchr("OB", t->kind) && by == q->r.n) {
            by = i;
        } else if (judge_require_literal_at(q, i)) {
            if (n == JUDGE_REQUIRE_LIST) {
                return JUDGE_NOT_FOUND;
            }
            all[n++] = t;
        } else if (!strchr("&,hrMw@aPoft", t->kind)
                   || (t->kind == 'o' && !once))
        {
            return JUDGE_NOT_FOUND;
        }
    }

    if (by == q->r.n || n < 2) {
        return JUDGE_NOT_FOUND;
    }

    if (q->r.tokens[by].kind == 'B') {
        swaps = strcmp(q->r.tokens[by].name, "after") == 0;

        for (i = 0; i < n && all[i] < &q->r.tokens[by]; i++) {
            /* void */
        }

        /* "'A' and 'B' are there, 'A' before 'B'" */
        if (i == 0 || i + 1 != n
            || (n == 4 && !(judge_str_eq(all[0]->text, all[2]->text)
                            && judge_str_eq(all[1]->text, all[3]->text)))
            || n == 3 || n > 4)
        {
            return JUDGE_NOT_FOUND;
        }

        all[0] = swaps ? all[n - 1] : all[i - 1];
        all[1] = swaps ? all[i - 1] : all[n - 1];
        n = 2;
    }

    return judge_require_in_order(q, all, n, once) ? JUDGE_OK
           : q->failed ? JUDGE_NOMEM : JUDGE_NOT_FOUND;
}


judge_rc_e
judge_require_shouts(judge_require_t *q)
{
    bool                          words, letters, capitals, no;
    size_t                        i;
    int64_t                       n;
    const judge_require_token_t  *t;

    static const char *const  letter[] = {
        "letters", "Buchstaben", "letras", "lettres", NULL
    };

    n = 0;
    words = letters = capitals = no = false;

    for (i = 0; i < q->r.n; i++) {
        t = &q->r.tokens[i];

        if (t->kind == '#') {
            if (n > 0) {
                return JUDGE_NOT_FOUND;
            }
            n += t->n;

        } else if (strchr("lx", t->kind)) {
            n += t->kind == 'l' ? 1 : -JUDGE_REQUIRE_MAX;

        } else if (t->kind == '@' && t->name[0] == 'w') {
            words = true;

        } else if (judge_str_caseamong(t->text, letter)) {
            letters = true;

        } else if (strcmp(t->name, "caps") == 0
                   || strcmp(t->name, "capital") == 0)
        {
            capitals = true;

        } else if (t->kind == 'N') {
            no = true;

        } else if (!strchr("hrMcvpLaS,P-", t->kind)
                   && !(t->kind == '?' && !t->name[0]))
        {
            return JUDGE_NOT_FOUND;
        }
    }

    return !words || !letters || !capitals || !no || n < 2 || n > 20
           ? JUDGE_NOT_FOUND
           : judge_require_shouted(q, (int) n) ? JUDGE_OK
           : q->failed ? JUDGE_NOMEM : JUDGE_NOT_FOUND;
}
