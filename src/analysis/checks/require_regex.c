/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Writes the regular expressions of checks. */


#include <string.h>

#include "base/text/ascii.h"
#include "analysis/checks/require_table.h"


/* Writes a byte of a literal into a regular expression. */

static void
judge_require_plain(judge_buf_t *b, char c)
{
    judge_buf_c(b, strchr("\\^$.[]|()?*+{}-#&~", c) ? "\\" : "");
    judge_buf_append(b, &c, 1);
    judge_buf_c(b, c == ' ' ? "?" : "");
}


/* Writes a regular expression for what is written like the example `s`: digits
 * and capitals stand for others, of amounts and hours there may be more. */

static void
judge_require_alike(judge_buf_t *b, judge_str_t s)
{
    bool    first, money;
    size_t  k, n;

    for (k = 0, money = false; k < s.len; k++) {
        money = money || strchr("$%", s.data[k])
                || (unsigned char) s.data[k] >= 0x80;      /* "€" */
    }

    for (k = 0, first = true; k < s.len; k += n) {
        for (n = 0; k + n < s.len && judge_ascii_digit(s.data[k + n]); n++) {
            /* void */
        }

        if (n > 0) {
            judge_buf_printf(b, !first ? "\\d{%d}"
                : money ? "\\d+(?:[.,]\\d{3})*"
                : n < 3 && k + n < s.len && strchr(":h", s.data[k + n])
                ? "\\d{1,2}" : "\\d{%d}", (int) n);
            first = false;
            continue;
        }

        n = 1;
        if (judge_ascii_upper(s.data[k]) && !money) {
            judge_buf_c(b, "[A-Z]");
            continue;
        }

        judge_require_plain(b, s.data[k]);
    }
}


const char *
judge_require_regex(judge_require_t *q, const char *before,
    const judge_require_token_t *literals, size_t n, const char *after)
{
    size_t       i, k;
    judge_buf_t  b;
    judge_str_t  s;

    judge_buf_init(&b, q->arena);
    judge_buf_printf(&b, "%s(?:", before);

    for (i = 0; i < n; i++) {
        s = literals[i].text;
        judge_buf_c(&b, i ? "|" : "");

        if (strcmp(literals[i].name, "form") == 0) {
            judge_require_alike(&b, s);
            continue;
        }

        if (strcmp(literals[i].name, "http") == 0) {
            judge_buf_c(&b, "http://");
            continue;
        }

        for (k = 0; k < s.len; k++) {
            judge_require_plain(&b, s.data[k]);
        }

        if (strncmp(literals[i].name, "prefix", 6) == 0) {
            judge_buf_printf(&b, "%s\\d{%d}", literals[i].name + 6,
                             (int) literals[i].n);
        }
    }

    judge_buf_printf(&b, ")%s", after);
    judge_buf_append(&b, "", 1);
    q->failed = q->failed || b.failed;

    return b.failed ? "" : b.data;
}


bool
judge_require_sign(char c)
{
    return (unsigned char) c < 0x80 && !judge_ascii_letter(c)
           && !judge_ascii_digit(c);
}


const char *
judge_require_alone(judge_require_t *q, const judge_require_token_t *t)
{
    char  first = t->text.data[0], last = t->text.data[t->text.len - 1];

    return judge_require_regex(q, judge_require_sign(first)
                               ? "" : JUDGE_REQUIRE_LEFT, t, 1,
                               judge_require_sign(last)
                               || strcmp(t->name, "http") == 0
                               ? "" : JUDGE_REQUIRE_RIGHT);
}
