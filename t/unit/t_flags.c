/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What makes a text none to judge (t/data/flags/texts.txt). */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/builtin/engine.h"
#include "tap.h"


#define LINE   2000
#define TEXTS  100                     /* at least */
#define LONG   400000                  /* bytes of a long sentence */

static judge_arena_t  *arena;


/* The next field of a line, ended by " | " or the end; "\n" becomes a line
 * feed. */

static char *
field(char **line)
{
    char  *from = *line, *to, *end = strstr(*line, " | ");

    *line = end ? end + 3 : from + strlen(from);
    if (end) {
        *end = '\0';
    }

    while ((to = strstr(from, "\\n")) != NULL) {
        *to = '\n';
        memmove(to + 1, to + 2, strlen(to + 2) + 1);
    }

    return from;
}


static const char *
flag_of(const char *text, const char *question)
{
    judge_item_t      item = { .text = judge_str_c(text) };
    judge_scorer_t   *scorer;
    judge_rubric_t    rubric = { .ncriteria = 0 };
    judge_verdict_t   verdict;

    item.question = question[0] ? judge_str_c(question) : item.question;
    scorer = judge_scorer_create(arena, &rubric);

    if (scorer == NULL
        || judge_score(scorer, &item, arena, &verdict) != JUDGE_OK)
    {
        abort();
    }

    return verdict.nflags > 1 ? "several"
           : verdict.nflags == 1 ? verdict.flags[0].name : "-";
}


/* Each of its scores could be the verb of an order that all others follow. */

static void
test_long_sentence(void)
{
    size_t              n;
    clock_t             begin;
    static char         text[LONG + 20] = "ignore ";
    static const char   score[] = "score 100 ";

    for (n = strlen(text); n < LONG; n += sizeof(score) - 1) {
        memcpy(text + n, score, sizeof(score));
    }

    memcpy(text + n, "banana", sizeof("banana"));
    begin = clock();
    t_ok(strcmp(flag_of(text, ""), "order_to_judge") != 0
         && clock() - begin < 10 * CLOCKS_PER_SEC,
         "a sentence of many scores takes a time that grows with its length");
}


int
main(void)
{
    char         line[LINE], *rest, *flag, *text;
    FILE        *file = fopen("t/data/flags/texts.txt", "r");
    size_t       n = 0;
    const char  *found;

    arena = judge_arena_create(64 * 1024);

    while (file && fgets(line, sizeof(line), file)) {
        line[strcspn(line, "\n")] = '\0';

        if (line[0] == '#' || line[0] == '\0') {
            continue;
        }

        rest = line;
        flag = field(&rest);
        text = field(&rest);
        found = flag_of(text, rest);
        t_ok(strcmp(found, flag) == 0, "%s is found: %s: %s", flag, found,
             text);
        n++;
    }

    t_ok(n >= TEXTS, "%zu texts were looked at", n);
    test_long_sentence();
    judge_arena_destroy(arena);

    return file && fclose(file) == 0 ? t_done() : 1;
}
