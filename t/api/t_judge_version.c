/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The words for what a version has changed. */


#include "api/judges/judge_version.h"
#include "tap.h"


#define A  "{\"criterion_id\":\"a\",\"name\":\"A\",\"description\":\"x\"}"
#define B  "{\"criterion_id\":\"b\",\"name\":\"B\",\"description\":\"x\"}"
#define C  "{\"criterion_id\":\"c\",\"name\":\"C\",\"description\":\"x\"}"
#define A_WITH(rest)                                                          \
    "{\"criterion_id\":\"a\",\"name\":\"A\",\"description\":\"x\"," rest "}"
#define THRESHOLDS(poor)                                                      \
    "\"thresholds\":{\"excellent\":9,\"good\":8,\"fair\":7,\"poor\":" poor "}"


typedef struct {
    const char  *name, *description, *criteria, *references;
} side_t;


static judge_version_t
side(judge_arena_t *arena, const side_t *s)
{
    judge_version_t  out;

    out.row = (judge_judge_row_t) { .samples = 0 };
    out.row.name = judge_str_c(s->name);
    out.row.description = judge_str_c(s->description);
    out.row.reference_uris = judge_str_c(s->references);
    out.criteria = (judge_list_t) { NULL, 0, false };
    t_is_int(judge_criteria_read(arena, judge_str_c(s->criteria),
                                 &out.criteria),
             JUDGE_OK, "criteria are read: %s", s->criteria);

    return out;
}


static void
test_summary(judge_arena_t *arena)
{
    size_t                     i;
    judge_version_t  before, after;
    static const struct {
        side_t       before, after;
        const char  *want;
    } rows[] = {
        { { "n", "d", "[" A "]", NULL }, { "n", "d", "[" A "]", NULL }, "" },
        { { "n", "d", "[" A "]", NULL },
          { "n", "d", "[" A_WITH("\"weight\":1.0") "]", NULL }, "" },
        { { "n", "d", "[" A "]", NULL }, { "N", "d", "[" A "]", NULL },
          "renamed from \"n\" to \"N\"" },
        { { "n", "d", "[" A "]", NULL }, { "n", "", "[" A "]", NULL },
          "changed the description" },
        { { "n", "d", "[" A "," B "]", NULL },
          { "n", "d", "[" B "," A "]", NULL },
          "changed the order of the criteria" },
        { { "n", "d", "[" A "," B "]", NULL },
          { "n", "d", "[" C "," A "," B "]", NULL },
          "added criterion \"C\"" },
        { { "n", "d", "[" A "," B "," C "]", NULL },
          { "n", "d", "[" A "," C "]", NULL }, "removed criterion \"B\"" },
        { { "n", "d", "[" A "]", NULL },
          { "n", "d", "[{\"criterion_id\":\"a\",\"name\":\"Z\","
            "\"description\":\"y\",\"weight\":0.5}]", NULL },
          "renamed a criterion from \"A\" to \"Z\"; changed the description"
          " of \"Z\"; changed the weight of \"Z\" from 1 to 0.5" },
        { { "n", "d", "[" A "]", NULL },
          { "n", "d", "[" A_WITH(THRESHOLDS("1")) "]", NULL },
          "changed the thresholds of \"A\"" },
        { { "n", "d", "[" A_WITH(THRESHOLDS("1")) "]", NULL },
          { "n", "d", "[" A_WITH(THRESHOLDS("2")) "]", NULL },
          "changed the thresholds of \"A\"" },
        { { "n", "d", "[" A_WITH("\"examples\":[\"p\"]") "]", NULL },
          { "n", "d", "[" A_WITH("\"examples\":[\"q\"]") "]", NULL },
          "changed the examples of \"A\"" },
        { { "n", "d", "[" A_WITH("\"examples\":[]") "]", NULL },
          { "n", "d", "[" A "]", NULL }, "" },
        { { "n", "d", "[" A "]", NULL },
          { "n", "d", "[" A "]", "[\"s3://b/x\"]" },
          "changed the reference content" },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        before = side(arena, &rows[i].before);
        after = side(arena, &rows[i].after);
        t_is_str(judge_version_summary(arena, &before, &after),
                 rows[i].want,
                 "the summary of row %zu says what has changed", i);
    }
}


static void
test_many(judge_arena_t *arena)
{
    size_t                     i;
    judge_buf_t                json;
    judge_str_t                summary;
    judge_version_t  before, after;

    before = side(arena, &(side_t) { "n", "d", "[" A "]", NULL });

    judge_buf_init(&json, arena);
    judge_buf_c(&json, "[");
    for (i = 0; i < 20; i++) {
        judge_buf_printf(&json, "%s{\"criterion_id\":\"n%zu\",\"name\":"
                         "\"n%zu\",\"description\":\"x\"}", i ? "," : "", i,
                         i);
    }
    judge_buf_append(&json, "]", 2);

    after = side(arena, &(side_t) { "n", "d", json.data, NULL });
    summary = judge_version_summary(arena, &before, &after);
    t_ok(judge_str_starts(summary, JUDGE_STR("removed criterion \"A\"; added"
                                             " criterion \"n0\"; ")),
         "the first of many changes are named");
    t_is_str((judge_str_t) { 12, summary.data + summary.len - 12 },
             "; and 9 more", "the rest is counted");
}


static void
test_stored(judge_arena_t *arena)
{
    size_t        i;
    judge_list_t  list;
    static const char *const  rows[] = {
        "", "{}", "[]", "[1]", "[{}]", "[{\"name\":\"A\"}]", "null"
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_is_int(judge_criteria_read(arena, judge_str_c(rows[i]), &list),
                 JUDGE_ERROR, "these are no criteria: %s", rows[i]);
    }
}


static void
test_prefer(void)
{
    size_t  i;
    static const struct {
        const char  *header;
        int64_t      want;
    } rows[] = {
        { NULL, 0 }, { "", 0 }, { "wait=5", 5 }, { "WAIT = 5", 5 },
        { "wait=\"7\"", 7 }, { "respond-async, wait=10", 10 },
        { "wait=10; x=1, wait=20", 10 }, { "wait=0", 0 },
        { "wait=99", 60 }, { "wait=99999999999999999999999", 60 },
        { "wait=-1", 0 }, { "wait=1.5", 0 }, { "wait=", 0 }, { "wait", 0 },
        { "awaits=5", 0 }, { "wait=x, wait=3", 3 }, { ",,;=,", 0 },
        { "wait=\"\"", 0 }, { "handling=lenient;wait=5", 0 },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_is_int(judge_prefer_wait(judge_str_c(rows[i].header)),
                 rows[i].want,
                 "the wait is read from the header: %s",
                 rows[i].header ? rows[i].header : "(absent)");
    }
}


int
main(void)
{
    judge_arena_t  *arena;

    arena = judge_arena_create(4096);

    test_summary(arena);
    test_many(arena);
    test_stored(arena);
    test_prefer();

    judge_arena_destroy(arena);

    return t_done();
}
