/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Sentences that are understood as a whole: an order of literals, words in
 * capitals, rows of CSV, and what stands beside marks. */


#include <string.h>

#include "analysis/checks/require.h"
#include "analysis/checks/require_table.h"


static judge_rc_e
judge_require_rc(const judge_require_t *q, bool added)
{
    return added ? JUDGE_OK : q->failed ? JUDGE_NOMEM : JUDGE_NOT_FOUND;
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

    return t->kind == JR_LITERAL
           || (i > 0 && q->r.language != 1
               && (t->kind & (JR_PART | JR_UNKNOWN))
               && judge_ascii_upper(t->text.data[0]));
}


/* "'A' comes before 'B'", "'A' and 'B', in this order". */

static judge_rc_e
judge_require_ordered(judge_require_t *q)
{
    bool                          once, swaps;
    size_t                        i, n, by;
    const judge_require_token_t  *t, *all[JUDGE_REQUIRE_LIST];

    for (i = n = 0, by = q->r.n, once = false; i < q->r.n; i++) {
        t = &q->r.tokens[i];
        once = once || (t->kind == JR_ONCE && t->name[0] == 'o');

        if ((t->kind & (JR_BEFORE | JR_ORDER)) && by == q->r.n) {
            by = i;
        } else if (judge_require_literal_at(q, i)) {
            if (n == JUDGE_REQUIRE_LIST) {
                return JUDGE_NOT_FOUND;
            }
            all[n++] = t;
        } else if ((t->kind == JR_ONCE && !once)
                   || (!(t->kind & (JR_AND | JR_ARTICLE | JR_EACH | JR_FIRST
                                    | JR_HAS | JR_MARK | JR_MUST | JR_NOUN
                                    | JR_KEY | JR_ONCE | JR_REQUIRED | JR_TIMES
                                    | JR_UNIT | JR_DASH | JR_NUMBER))
                       && !(t->kind == JR_UNKNOWN && !t->name[0] && by < i)
                       && !(t->kind == JR_THING
                            && strstr("heading title table", t->name))))
        {
            return JUDGE_NOT_FOUND;
        }
    }

    if (by == q->r.n || n < 2) {
        return JUDGE_NOT_FOUND;
    }

    if (q->r.tokens[by].kind == JR_BEFORE) {
        swaps = strcmp(q->r.tokens[by].name, "after") == 0;

        for (i = 0; i < n && all[i] < &q->r.tokens[by]; i++) {
            /* void */
        }

        if (i != 1 || n != 2) {
            return JUDGE_NOT_FOUND;
        }

        if (swaps) {
            t = all[0];
            all[0] = all[1];
            all[1] = t;
        }
    }

    return judge_require_rc(q, judge_require_in_order(q, all, n, once));
}


judge_rc_e
judge_require_shouts(judge_require_t *q)
{
    bool                          letters = false, capitals = false;
    size_t                        i, numbers, nnames = 0;
    int64_t                       n;
    uint64_t                      kinds;
    const char                   *before;
    judge_require_token_t         names[JUDGE_REQUIRE_LIST];
    const judge_require_token_t  *t;

    static const char *const  letter[] = {
        "letters", "Buchstaben", "letras", "lettres", NULL
    };

    for (i = numbers = 0, n = 0, kinds = 0; i < q->r.n; i++) {
        t = &q->r.tokens[i];
        kinds |= t->kind;
        numbers += t->kind == JR_NUMBER;
        n += t->kind == JR_NUMBER ? t->n : t->kind == JR_MORE;

        if (judge_str_caseamong(t->text, letter)) {
            letters = true;

        } else if (strcmp(t->name, "caps") == 0
                   || strncmp(t->name, "capital", 7) == 0)
        {
            capitals = true;

        } else if ((kinds & JR_EXCEPT) && nnames < JUDGE_REQUIRE_LIST
                   && t->text.len > 1 && judge_ascii_upper(t->text.data[0])
                   && judge_ascii_upper(t->text.data[1]))
        {
            names[nnames++] = *t;      /* "with the exception of NHS" */

        } else if (!(t->kind & (JR_MODALS | JR_ARTICLE | JR_DASH | JR_EACH
                                | JR_EXCEPT | JR_LEAST | JR_MARK | JR_MORE
                                | JR_NOT | JR_NUMBER | JR_ONLY | JR_SPEAKER
                                | JR_VERB | (nnames ? JR_AND : JR_NONE)))
                   && !(t->kind == JR_UNIT && t->name[0] == 'w')
                   && !(t->kind == JR_UNKNOWN && !t->name[0] && !nnames))
        {
            return JUDGE_NOT_FOUND;
        }
    }

    before = nnames ? judge_require_regex(q, "(?!", names, nnames,
                                          "(?!\\p{L}))") : "";

    return !letters || !capitals || numbers != 1 || n < 2 || n > 20
           || !(kinds & JR_UNIT) || !(kinds & JR_NOT)
           || (!nnames && (kinds & JR_ONLY))
           ? JUDGE_NOT_FOUND
           : judge_require_rc(q, judge_require_add(q, "not_", "regex",
                 judge_str_printf(q->arena,
                     "(?<!\\p{L})%s\\p{Lu}{%d,}(?!\\p{L})", before,
                     (int) n).data, 0));
}


/* Whether the tokens from `from` to `to` are of the kinds, things among the
 * names, or words that nobody listed. */

static bool
judge_require_just(const judge_require_t *q, size_t from, size_t to,
    uint64_t kinds, const char *names)
{
    const judge_require_token_t  *t = q->r.tokens;

    while (from < to && ((t[from].kind & kinds)
                         || (t[from].kind == JR_UNKNOWN && !t[from].name[0])
                         || (t[from].name[0] && strstr(names, t[from].name))))
    {
        from++;
    }

    return from == to;
}


/* "First line A;B;C, and each line has exactly three fields". */

static judge_rc_e
judge_require_rows(judge_require_t *q)
{
    size_t                        i, k, n = q->r.n;
    int64_t                       fields = 1;
    const judge_require_token_t  *t = q->r.tokens, *head = NULL;

    for (i = 0; i < n && t[i].kind != JR_KEY; i++) {
        if (t[i].kind == JR_LITERAL) {
            for (k = 0; k < t[i].text.len; k++) {
                fields += t[i].text.data[k] == ';';
            }
            head = &t[i];
        }
    }

    k = judge_require_skip(&q->r, i + 1, JR_AND | JR_DASH | JR_HAS | JR_LITERAL
                                         | JR_MARK | JR_NOT);

    return i == n || head == NULL || fields == 1 || k < n
           || t[i - 1].kind != JR_NUMBER || t[i - 1].n != fields
           || (judge_require_at(&q->r, judge_require_skip(&q->r, i + 1,
                   JR_MARK), JR_AND)
               && judge_require_skip(&q->r, i + 1, ~(uint64_t) JR_NOT) == n)
           || !judge_require_just(q, 0, i, JR_AND | JR_ARTICLE | JR_BEFORE
                  | JR_BEGINS | JR_EACH | JR_EXACT | JR_HAS | JR_LITERAL
                  | JR_MARK | JR_MUST | JR_NUMBER | JR_PART | JR_REQUIRED,
                  "lines csv semicolon")
           ? JUDGE_NOT_FOUND
           : judge_require_rc(q, judge_require_add(q, "", "regex",
                 judge_require_regex(q, "\\A\\s*+", head, 1,
                                     "[ \\t]*(?:\\n|\\z)"), 0)
             && judge_require_add(q, "not_", "regex", judge_str_printf(
                    q->arena, "(?m)^(?=\\S)(?!(?:[^;\\n]*;){%d}[^;\\n]*$)",
                    (int) fields - 1).data, 0));
}


/* "Each ? has its ¿" in Spanish, "a space before each ?" in French. */

static judge_rc_e
judge_require_marks(judge_require_t *q)
{
    bool                          opens, asked, spaced = false, named = false;
    char                          marks[5] = "";
    size_t                        i, k, n = 0, before = 0, lone = 0;
    const char                   *end, *from;
    const judge_require_token_t  *t = q->r.tokens;

    static const char *const  all[] = {
        "?question", "!exclamation", ";semicolon", ":colon"
    };

    for (i = 0; i < q->r.n; i++) {
        named = named || strcmp(t[i].name, "opening") == 0;
        lone += judge_str_eq_c(t[i].text, "¿")
                || judge_str_eq_c(t[i].text, "¡");
        spaced = spaced || strcmp(t[i].name, "space") == 0;
        before = t[i].kind == JR_BEFORE ? i : before;
    }

    opens = named || lone;

    if (opens == spaced || (spaced && before == 0)
        || !judge_require_just(q, 0, q->r.n, JR_AND | JR_ARTICLE | JR_EACH
               | JR_EXAMPLE | JR_HAS | JR_LITERAL | JR_MARK | JR_MUST | JR_NOUN
               | JR_REQUIRED | (opens ? JR_UNKNOWN
                                : JR_BEFORE | JR_OR | JR_NOT),
               "question_mark exclamation semicolon colon opening space"))
    {
        return lone ? JUDGE_INVALID : JUDGE_NOT_FOUND;
    }

    from = t[before].text.data;
    end = t[q->r.n - 1].text.data + t[q->r.n - 1].text.len;

    for (k = 0; k < (opens ? 2 : 4); k++) {
        asked = memchr(from, all[k][0], (size_t) (end - from));

        for (i = before; i < q->r.n; i++) {
            asked = asked || strncmp(t[i].name, all[k] + 1,
                                     strlen(all[k] + 1)) == 0;
        }

        marks[n] = all[k][0];
        n += asked;
    }

    marks[n] = '\0';

    if (n == 0 && named && lone != 1
        && judge_require_skip(&q->r, 0, ~(uint64_t) JR_UNKNOWN) == q->r.n)
    {
        n = 2;
        memcpy(marks, "?!", 3);        /* "los signos de apertura ¿ y ¡" */
    }

    return n == 0 ? (lone ? JUDGE_INVALID : JUDGE_NOT_FOUND)
           : judge_require_rc(q, judge_require_add(q, "not_", "regex",
                 judge_str_printf(q->arena, opens
                     ? "(?:^|[.!?…\\n])(?:(?![¿¡])[^%1$s.!?…\\n])*[%1$s]"
                     "(?!\\w)" : "(?<=[^\\s\\x{A0}\\x{202F}…;:!?])[%1$s]"
                     "(?!\\w|//)", marks).data, 0));
}


judge_rc_e
judge_require_whole(judge_require_t *q)
{
    judge_rc_e  rc = judge_require_ordered(q);

    rc = rc == JUDGE_NOT_FOUND ? judge_require_rows(q) : rc;

    return rc == JUDGE_NOT_FOUND ? judge_require_marks(q) : rc;
}
