/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * How the untrained engine scores crossed pairs:
 *
 *   build/quality_pairs FILE.jsonl
 *
 * A line of the file is {"id", "language", "source", "a", "b", "first":
 * {"name", "description"}, "second": {...}}; the text a is the better one by
 * the first criterion, b by the second.  Prints two lines for each: id,
 * language, who judges and by which aspect, the scores of the better and the
 * worse text ("nan": none), the words of both, and the name of the criterion.
 */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "analysis/aspects/method.h"
#include "analysis/builtin/explain.h"
#include "analysis/checks/checks.h"
#include "analysis/checks/require.h"


static judge_str_t
pairs_string(const judge_json_t *object, const char *name)
{
    const judge_json_t  *v;

    v = object ? judge_json_get(object, name) : NULL;

    return v && v->type == JUDGE_JSON_STRING ? v->string : JUDGE_STR("");
}


/* As a judge of this criterion alone gets it. */

static bool
pairs_criterion(judge_arena_t *arena, const judge_json_t *json,
    judge_criterion_t *c)
{
    judge_str_t   why;
    judge_list_t  checks = { NULL, 0, false };

    memset(c, 0, sizeof(judge_criterion_t));
    c->weight = 1;
    c->name = pairs_string(json, "name");
    c->description = pairs_string(json, "description");

    if (judge_require_merge(arena, c->name, c->description, &checks,
                            &c->decided) != JUDGE_OK
        || judge_checks_read(arena, &checks, &c->checks, &why) != JUDGE_OK)
    {
        return false;
    }

    c->nchecks = checks.count;

    return judge_method_choose(arena, c, false) == JUDGE_OK;
}


static bool
pairs_score(judge_arena_t *arena, judge_rubric_t *rubric,
    const judge_item_t *item, double *score, size_t *words)
{
    judge_scorer_t   *scorer;
    judge_verdict_t   verdict;
    judge_reading_t  *reading;

    scorer = judge_scorer_create(arena, rubric);
    reading = judge_reading_create(arena, item);
    if (scorer == NULL || reading == NULL
        || judge_score(scorer, item, arena, &verdict) != JUDGE_OK
        || judge_checks_apply(arena, rubric, item, &verdict, NULL)
           != JUDGE_OK)
    {
        return false;
    }

    *score = verdict.scores[0].score;
    *words = judge_reading_measure(reading)->text->nwords;

    return true;
}


static bool
pairs_print(judge_arena_t *arena, const judge_json_t *pair, bool second)
{
    size_t             words[2];
    double             score[2];
    judge_str_t        id, language;
    judge_item_t       better, worse;
    judge_rubric_t     rubric;
    judge_criterion_t  c;

    memset(&rubric, 0, sizeof(rubric));
    memset(&better, 0, sizeof(better));
    better.source = pairs_string(pair, "source");
    worse = better;
    better.text = pairs_string(pair, second ? "b" : "a");
    worse.text = pairs_string(pair, second ? "a" : "b");
    rubric.criteria = &c;
    rubric.ncriteria = 1;

    if (!pairs_criterion(arena, judge_json_get(pair, second ? "second"
                                                            : "first"), &c)
        || !pairs_score(arena, &rubric, &better, &score[0], &words[0])
        || !pairs_score(arena, &rubric, &worse, &score[1], &words[1]))
    {
        return false;
    }

    id = pairs_string(pair, "id");
    language = pairs_string(pair, "language");
    printf("%.*s\t%.*s\t%s\t%s\t%.2f\t%.2f\t%zu\t%zu\t%.*s\n",
           (int) id.len, id.data, (int) language.len, language.data,
           judge_judged_by_names[c.judged_by], c.aspect ? c.aspect->name : "",
           score[0], score[1], words[0], words[1], (int) c.name.len,
           c.name.data);

    return true;
}


int
main(int argc, char **argv)
{
    bool            ok;
    FILE           *in;
    char           *line;
    size_t          size, n;
    ssize_t         len;
    judge_json_t   *pair;
    judge_arena_t  *arena;

    in = argc == 2 ? fopen(argv[1], "r") : NULL;
    arena = judge_arena_create(1 << 20);
    if (in == NULL || arena == NULL) {
        fprintf(stderr, "usage: quality_pairs FILE.jsonl\n");
        return 2;
    }

    for (line = NULL, size = 0, n = 1, ok = true;
         ok && (len = getline(&line, &size, in)) > 0; n++)
    {
        ok = judge_json_parse(arena, (judge_str_t) { (size_t) len, line },
                              &pair, NULL) == JUDGE_OK
             && pair->type == JUDGE_JSON_OBJECT
             && pairs_print(arena, pair, false)
             && pairs_print(arena, pair, true);
        judge_arena_reset(arena);
    }

    if (!ok) {
        fprintf(stderr, "%s:%zu: not a line of the format\n", argv[1], n - 1);
    }

    free(line);
    (void) fclose(in);
    judge_arena_destroy(arena);

    return ok ? 0 : 1;
}
