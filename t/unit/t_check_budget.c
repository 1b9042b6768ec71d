/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What the checks of an evaluation may use: counted, the same on repetition,
 * given back, cancelled; and schemas that are refused. */


#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/checks/checks.h"
#include "analysis/builtin/engine.h"
#include "tap.h"


static judge_arena_t  *arena;


/* The verdict by one criterion with the checks, which decide it, on a text of
 * which judgement says 70. */

static judge_verdict_t
apply(const char *checks, judge_str_t text, judge_allowance_t *allowance,
    judge_rc_e want)
{
    judge_item_t     item = { .text = text };
    judge_rubric_t   rubric;
    judge_verdict_t  verdict = { .overall = 70 };

    if (judge_rubric_read(arena, JUDGE_STR("j"), JUDGE_STR("d"),
            judge_str_printf(arena, "[{\"criterion_id\":\"c\",\"name\":"
                             "\"n\",\"description\":\"d\",\"decided\":true,"
                             "\"checks\":%s}]", checks), &rubric) != JUDGE_OK
        || judge_checks_rubric(arena, arena, &rubric) != JUDGE_OK)
    {
        abort();
    }

    verdict.scores = judge_calloc(arena, sizeof(judge_criterion_score_t));
    verdict.scores[0].score = 70;
    verdict.scores[0].feedback = JUDGE_STR("judged");
    verdict.summary = JUDGE_STR("summary");

    if (judge_checks_apply(arena, &rubric, &item, &verdict, allowance) != want)
    {
        abort();
    }

    return verdict;
}


static const char *
result(const judge_verdict_t *v, size_t i)
{
    return judge_check_result(&v->scores[0].checks[i]);
}


/* A check by a schema in which each of n definitions asks for the next one
 * twice: 2^n ways to the last. */

static judge_str_t
doubling(size_t n, const char *last)
{
    size_t       i;
    judge_buf_t  b;

    judge_buf_init(&b, arena);
    judge_buf_c(&b, "{\"type\":\"json_schema\",\"value\":{\"$ref\":"
                    "\"#/$defs/d0\",\"$defs\":{");

    for (i = 0; i < n; i++) {
        judge_buf_printf(&b, "\"d%zu\":{\"allOf\":[{\"$ref\":"
                         "\"#/$defs/d%zu\"},{\"$ref\":\"#/$defs/d%zu\"}]},",
                         i, i + 1, i + 1);
    }

    judge_buf_printf(&b, "\"d%zu\":%s}}}", n, last);

    return judge_buf_view(&b);
}


/* The sentence of a check that is refused, "": it is not. */

static const char *
refused(judge_str_t check)
{
    judge_str_t     error = { 0, NULL };
    judge_json_t   *root;
    judge_check_t  *checks;

    typedef struct { judge_list_t  checks; }  body_t;

    body_t  body = { .checks = { NULL, 0, false } };

    static const judge_field_t  fields[] = {
        judge_checks_field(body_t, checks), { .name = NULL }
    };

    if (judge_json_parse(arena, judge_str_printf(arena, "{\"checks\":[%.*s]}",
                                    (int) check.len, check.data), &root, NULL)
        != JUDGE_OK
        || judge_fields_bind(arena, fields, root, JUDGE_STR(""), &body, &error)
           != JUDGE_OK)
    {
        abort();
    }

    return judge_checks_read(arena, arena, &body.checks, &checks, &error)
           == JUDGE_OK
           ? "" : judge_str_dup(arena, error).data;
}


/* A schema with that value so often, n - 1 times with a comma behind it. */

static const char *
refused_many(const char *begin, const char *value, size_t n, const char *end)
{
    judge_buf_t  b;

    judge_buf_init(&b, arena);
    judge_buf_printf(&b, "{\"type\":\"json_schema\",\"value\":%s", begin);

    while (n-- > 0) {
        judge_buf_printf(&b, "%s%s", value, n ? "," : "");
    }

    judge_buf_printf(&b, "%s}", end);

    return refused(judge_buf_view(&b));
}


static void
test_large(void)
{
    size_t       i;
    judge_buf_t  deep[2];

    t_ok(strcmp(refused_many("{\"enum\":[", "1", 9998, "]}"), "") == 0,
         "a schema may be made of 10000 values");
    t_ok(strcmp(refused_many("{\"enum\":[", "1", 9999, "]}"),
                "checks[0].value: expected a schema made of at most 10000"
                " values, not of 10001") == 0,
         "a larger schema is refused, with its size");
    t_ok(strcmp(refused_many("{\"anyOf\":[", "{\"pattern\":\"a\"}", 100, "]}"),
                "") == 0, "a schema may have 100 patterns");
    t_ok(strcmp(refused_many("{\"anyOf\":[", "{\"pattern\":\"a\"}", 101, "]}"),
                "checks[0].value: expected at most 100 patterns in a schema")
         == 0, "a schema of more patterns is refused");

    for (i = 31; i < 33; i++) {
        judge_buf_init(&deep[0], arena);
        judge_buf_init(&deep[1], arena);
        while (deep[1].len < i) {
            judge_buf_c(&deep[0], "{\"not\":");
            judge_buf_c(&deep[1], "}");
        }
        judge_buf_c(&deep[0], "{}");
        judge_buf_append(&deep[0], deep[1].data, deep[1].len);
        judge_buf_c(&deep[0], "");

        t_ok(strcmp(refused(judge_str_printf(arena, "{\"type\":"
                        "\"json_schema\",\"value\":%.*s}", (int) deep[0].len,
                        deep[0].data)),
                    i == 31 ? "" : "checks[0].value: expected each schema to"
                    " be an object or a boolean, at most 32 deep") == 0,
             "schemas %zu deep are %s", i + 1, i == 31 ? "read" : "refused");
    }
}


/* Applies the checks twice; whether both times it is the same, step by
 * step. */

static bool
same_again(const char *checks, judge_str_t text, judge_verdict_t *v,
    judge_allowance_t *left)
{
    size_t             i;
    judge_verdict_t    again;
    judge_allowance_t  left_again;

    *left = left_again = judge_checks_allowance(text.len);
    *v = apply(checks, text, left, JUDGE_OK);
    again = apply(checks, text, &left_again, JUDGE_OK);

    for (i = 0; i < v->scores[0].nchecks; i++) {
        if (strcmp(result(v, i), result(&again, i)) != 0) {
            return false;
        }
    }

    return left->steps == left_again.steps && left->bytes == left_again.bytes
           && judge_str_eq(v->scores[0].feedback, again.scores[0].feedback);
}


static void
test_budget(void)
{
    size_t             i, n;
    uint64_t           most;
    judge_str_t        s, text = JUDGE_STR("{\"a\": 1}");
    judge_buf_t        b;
    judge_verdict_t    v;
    judge_allowance_t  left;

    most = JUDGE_CHECKS_STEPS + text.len * JUDGE_CHECKS_BYTE;
    n = judge_arena_size(arena);
    s = doubling(30, "{\"type\":\"object\"}");

    t_ok(same_again(judge_str_printf(arena, "[%s,%s,%s,"
                        "{\"type\":\"min_characters\",\"value\":8}]",
                        s.data, s.data, s.data).data, text, &v, &left),
         "an evaluation that exhausts its budget is the same again");
    t_ok(strcmp(result(&v, 0), "budget") == 0
         && strcmp(result(&v, 2), "budget") == 0,
         "a schema of 2^30 ways exhausts the budget");
    t_ok(strcmp(result(&v, 3), "met") == 0 && v.scores[0].score == 100,
         "what is decided beside it counts alone");
    t_ok(left.steps < most / 4 && left.steps > most / 16,
         "each check takes half of the steps that are left");
    t_ok(left.bytes == JUDGE_CHECKS_BYTES, "all memory is given back");
    t_ok(judge_arena_size(arena) - n < 1024 * 1024,
         "results that exhaust a budget take little memory");

    t_ok(same_again(judge_str_printf(arena, "[%s]", s.data).data,
                    JUDGE_STR("[1,2,34]"), &v, &left),
         "a failure is the same again");
    t_is_str(v.scores[0].feedback, "It is not JSON as the schema wants it: the"
             " value is not as the schema wants it, by allOf.",
             "the sentence is that of the outermost failure");
    t_ok(left.steps > most - 100000,
         "the first part that fails decides all of them");

    judge_buf_init(&b, arena);
    for (i = 0; i < 18; i++) {
        judge_buf_printf(&b, "{\"type\":\"regex\",\"value\":"
                         "\"(a|aa)+[bc]%zu\"},", i);
    }
    s = judge_str_printf(arena, "[%.*s{\"type\":\"has_link\"},"
                         "{\"type\":\"json\"}]", (int) b.len, b.data);
    judge_buf_init(&b, arena);
    for (i = 0; i < 1500; i++) {
        judge_buf_c(&b, "a");
    }
    judge_buf_c(&b, "e 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17");

    t_ok(same_again(s.data, judge_buf_view(&b), &v, &left),
         "slow expressions end at the same place again");
    t_ok(strcmp(result(&v, 0), "budget") == 0
         && strcmp(result(&v, 17), "budget") == 0,
         "all slow expressions share one budget");
    t_ok(left.steps < most,
         "slow expressions keep to their budget (%llu steps are left)",
         (unsigned long long) left.steps);

    text = JUDGE_STR("some words and no more of them than that in all of it");
    left = judge_checks_allowance(text.len);
    left.steps = 2000;
    v = apply("[{\"type\":\"has_date\"},{\"type\":\"json\"},"
                     "{\"type\":\"levenshtein\",\"value\":{\"at_least\":1,"
                     "\"text\":\"some words and no more of them\"}}]",
                     text, &left, JUDGE_OK);
    t_ok(strcmp(result(&v, 0), "budget") == 0
         && strcmp(result(&v, 1), "budget") == 0
         && strcmp(result(&v, 2), "budget") == 0 && v.scores[0].score == 70,
         "every type of check asks for its steps");
    t_is_str(v.scores[0].feedback, "Whether has_date is met was not decided:"
             " it takes too many steps. Whether json is met was not decided:"
             " it takes too many steps. Whether levenshtein is met was not"
             " decided: it takes too many steps. judged",
             "the feedback says that the checks take too many steps");
}


/* The text that is `unit` n times, and then `end`. */

static judge_str_t
many(const char *unit, size_t n, const char *end)
{
    judge_buf_t  b;

    judge_buf_init(&b, arena);

    while (n-- > 0) {
        judge_buf_c(&b, unit);
    }

    judge_buf_c(&b, end);

    return judge_buf_view(&b);
}


/* What PCRE2 does between two of its calls is counted, too. */

static void
test_between(void)
{
    size_t             i;
    judge_str_t        text;
    judge_allowance_t  left;

    static const struct {
        const char  *expression;
        const char  *unit;
        uint64_t     least;            /* steps */
        const char  *label;
    } all[] = {
        { "(?i)^(?=(a+))(?:a(?=\\\\1b|a))*", "a", 10000 * 10000 / 2,
          "each comparison with a group" },
        { "(?i)^(?=(?<g>a+))(?:a(?=(?P=g)b|a))*", "a", 10000 * 10000 / 2,
          "each comparison with a named group" },
        { "^(*sr:.+)[0-9]", "a", 10000 * 10000 / 2,
          "each look at the characters of a script run" },
        { "^\\\\X+$", "\xf0\x9f\x87\xa6", 10000 * 10000 / 2,
          "each look back at a row of flags" }
    };

    for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        text = many(all[i].unit, 10000, "");
        left = judge_checks_allowance(text.len);
        left.steps *= 2;
        (void) apply(judge_str_printf(arena, "[{\"type\":\"regex\",\"value\":"
                         "\"%s\"}]", all[i].expression).data, text, &left,
                     JUDGE_OK);
        t_ok(2 * judge_checks_allowance(text.len).steps - left.steps
             >= all[i].least, "%s is counted", all[i].label);
    }
}


/* The steps of an expression of the table are counted by bytes, not by what
 * PCRE2 does, so that it has to take linear time: here it takes some
 * milliseconds of the processor, and once took 2 seconds. */

static void
test_marks(void)
{
    bool               soon;
    size_t             i, k;
    clock_t            began;
    judge_str_t        text;
    judge_verdict_t    v;
    judge_allowance_t  left;

    static const char *const  marks[][2] = {
        { "?", "[{\"type\":\"has_question\"}]" },
        { "!", "[{\"type\":\"has_exclamation\"}]" }
    };

    for (i = 0; i < 2; i++) {
        text = many(marks[i][0], 20000, "x");

        for (k = 0, soon = false; k < 3 && !soon; k++) {
            left = judge_checks_allowance(text.len);
            began = clock();
            v = apply(marks[i][1], text, &left, JUDGE_OK);
            soon = clock() - began < CLOCKS_PER_SEC / 2;
        }

        t_ok(soon, "a long row of '%s' before a letter is read soon",
             marks[i][0]);
        t_ok(strcmp(result(&v, 0), "not_met") == 0,
             "that row ends no sentence");
    }
}


static void
test_bytes(void)
{
    size_t             i;
    judge_buf_t        b;
    judge_verdict_t    v;
    judge_allowance_t  left;

    judge_buf_init(&b, arena);
    judge_buf_c(&b, "[1");
    for (i = 0; i < 20000; i++) {
        judge_buf_c(&b, ",1");
    }
    judge_buf_c(&b, "]");

    left = judge_checks_allowance(b.len);
    left.bytes = 1024 * 1024;
    v = apply("[{\"type\":\"json\"},{\"type\":\"max_lines\","
                     "\"value\":1}]", judge_buf_view(&b), &left, JUDGE_OK);
    t_ok(strcmp(result(&v, 0), "budget") == 0,
         "JSON that takes more bytes than there are is not decided");
    t_ok(strcmp(result(&v, 1), "met") == 0,
         "a check that takes no bytes is decided all the same");
    t_ok(left.bytes == 1024 * 1024, "all bytes that JSON took are given back");

    left.bytes = 100 * 1024;
    v = apply("[{\"type\":\"equals_text\",\"value\":\"[1]\"}]",
              judge_buf_view(&b), &left, JUDGE_OK);
    t_ok(strcmp(result(&v, 0), "budget") == 0,
         "a text whose words take more bytes than there are is not decided");
}


/* libyaml compares each handle of a tag with all before it. */

static void
test_handles(void)
{
    size_t             i;
    judge_buf_t        b;
    judge_verdict_t    v;
    judge_allowance_t  left;

    judge_buf_init(&b, arena);
    for (i = 0; i < 20000; i++) {
        judge_buf_printf(&b, "%%TAG !%zu! x\n", i);
    }
    judge_buf_c(&b, "--- [a]\n");

    left = judge_checks_allowance(b.len);
    v = apply("[{\"type\":\"yaml\"}]", judge_buf_view(&b), &left, JUDGE_OK);
    t_ok(strcmp(result(&v, 0), "budget") == 0,
         "YAML that declares 20000 handles takes too many steps");

    v = apply("[{\"type\":\"yaml\"}]",
              JUDGE_STR("%TAG !a! x\n%TAG !b! y\n--- [a]\n"), &left, JUDGE_OK);
    t_ok(strcmp(result(&v, 0), "met") == 0,
         "YAML that declares two handles is decided");
}


static bool
cancelled(void *looks)
{
    return ++*(size_t *) looks > 2;
}


static void
test_cancelled(void)
{
    size_t             looks = 0;
    judge_allowance_t  left;

    left = judge_checks_allowance(8);
    left.cancelled = cancelled;
    left.data = &looks;
    (void) apply(judge_str_printf(arena, "[%s]", doubling(30, "true")
                                                        .data).data,
                        JUDGE_STR("{\"a\": 1}"), &left, JUDGE_STALE);
    t_is_int((int64_t) looks, 3,
             "a computation ends at the look that finds it cancelled");
    t_ok(left.over && left.bytes == JUDGE_CHECKS_BYTES,
         "a cancelled computation gives all memory back");
}


int
main(void)
{
    arena = judge_arena_create(1 << 20);

    test_large();
    test_budget();
    test_between();
    test_marks();
    test_bytes();
    test_handles();
    test_cancelled();

    judge_arena_destroy(arena);

    return t_done();
}
