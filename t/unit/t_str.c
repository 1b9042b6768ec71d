/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Strings, arenas, buffers. */


#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/core/str.h"
#include "tap.h"


static void
test_compare(void)
{
    size_t  i;
    static const struct {
        const char  *a, *b;
        bool         eq, caseeq, starts;           /* a starts with b */
    } rows[] = {
        { "", "", true, true, true },
        { "a", "", false, false, true },
        { "", "a", false, false, false },
        { "abc", "abc", true, true, true },
        { "abc", "ABC", false, true, false },
        { "abc", "ab", false, false, true },
        { "abc", "abd", false, false, false },
        { "\xc3\xa4", "\xc3\x84", false, false, false },
        { "[", "{", false, false, false },
        { NULL, "", true, true, true }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        judge_str_t  a = judge_str_c(rows[i].a), b = judge_str_c(rows[i].b);

        t_ok(judge_str_eq(a, b) == rows[i].eq,
             "row %zu: strings are equal by their bytes", i);
        t_ok(judge_str_caseeq(a, b) == rows[i].caseeq,
             "row %zu: strings are equal but for ASCII's case", i);
        t_ok(judge_str_starts(a, b) == rows[i].starts,
             "row %zu: a string begins with its first bytes", i);
    }

    t_ok(judge_str_eq_c(JUDGE_STR("key"), "key"),
         "a string is equal to the same C string");
    t_ok(!judge_str_eq_c(JUDGE_STR("key"), "ke"),
         "a string is not equal to a C string that is its beginning");
}


/* A part before a word or a byte is taken, with what it ends at. */

static void
test_cut(void)
{
    judge_str_t  rest = JUDGE_STR("a--b--c"), part = { 0, NULL };

    t_ok(judge_str_find(rest, JUDGE_STR("--b")) == rest.data + 1
         && judge_str_find(rest, JUDGE_STR("d")) == NULL
         && judge_str_find((judge_str_t) { 0, NULL }, JUDGE_STR("a")) == NULL,
         "a string is found in another one, and none in an absent one");

    t_ok(judge_str_cut(&rest, JUDGE_STR("--"), &part),
         "a string is cut at a word in it");
    t_is_str(part, "a", "what stands before the word is taken");
    t_is_str(rest, "b--c", "what stands behind the word is left");
    t_ok(!judge_str_cut(&rest, JUDGE_STR("+"), &part) && rest.len == 4,
         "a string is not cut at a word that it lacks");

    t_is_str(judge_str_until(&rest, '-'), "b", "a string is cut at a byte");
    t_is_str(judge_str_until(&rest, '+'), "-c",
             "all is taken where the byte is missing");
    t_ok(rest.len == 0 && judge_str_until(&rest, '+').len == 0,
         "nothing is left then, and nothing taken from it");
}


static void
test_arena(void)
{
    char           *p, *q;
    size_t          i, before;
    judge_arena_t  *a;

    a = judge_arena_create(0);
    t_ok(a != NULL, "an arena of the least size can be made");

    for (i = 0; i < 3000; i++) {
        p = judge_alloc(a, i);

        if (p == NULL || (uintptr_t) p % 16 != 0) {
            break;
        }

        memset(p, 0xa5, i);
    }

    t_is_int((int64_t) i, 3000, "blocks of all sizes are aligned");

    p = judge_calloc(a, 1000);
    for (i = 0; i < 1000 && p[i] == 0; i++) { /* void */ }
    t_is_int((int64_t) i, 1000, "memory from judge_calloc() is zeroed");

    t_ok(judge_alloc(a, SIZE_MAX) == NULL,
         "a block of the largest size is refused");
    t_ok(judge_alloc(a, SIZE_MAX / 2) == NULL,
         "a block of half the largest size is refused");
    t_ok(judge_array_alloc(a, SIZE_MAX / 4, 8) == NULL,
         "an array whose size overflows is refused");
    t_ok(judge_array_alloc(a, 0, 8) != NULL,
         "an array of no elements is a block all the same");

    p = judge_alloc(a, 0);
    q = judge_alloc(a, 0);
    t_ok(p != NULL && p != q, "blocks of no bytes are distinct");

    judge_arena_reset(a);
    before = judge_arena_size(a);

    for (i = 0; i < 1000; i++) {
        (void) judge_alloc(a, 100000);
        judge_arena_reset(a);
    }

    t_is_int((int64_t) judge_arena_size(a), (int64_t) before,
             "a reset gives all but one chunk back");

    p = judge_alloc(a, 100);
    t_ok(judge_arena_extend(a, p, 200), "the last block extends");
    memset(p, 1, 200);
    q = judge_alloc(a, 16);
    t_ok(q >= p + 200, "the next block lies behind the one that was extended");
    t_ok(!judge_arena_extend(a, p, 300),
         "a block that is not the last one does not extend");
    t_ok(!judge_arena_extend(a, q, 1 << 20),
         "the last block does not extend beyond its chunk");
    t_ok(!judge_arena_extend(a, NULL, 1),
         "a block that is none does not extend");

    judge_arena_destroy(a);
    judge_arena_destroy(NULL);
}


static void
test_copies(void)
{
    char            big[1000];
    judge_str_t     s;
    judge_arena_t  *a;

    a = judge_arena_create(0);
    memset(big, 'x', sizeof(big));

    s = judge_str_dup(a, JUDGE_STR("a\0b"));
    t_is_int((int64_t) s.len, 3, "a copy keeps a zero byte");
    t_ok(s.data[3] == '\0', "a copy ends with a zero byte");

    t_is_str(judge_str_dup(a, JUDGE_STR("")), "",
             "a copy of an empty string is empty");
    t_is_str(judge_str_dup(a, (judge_str_t) { 0, NULL }), NULL,
             "a copy of an absent string is absent");
    t_is_str(judge_str_printf(a, "%d %s", 7, "x"), "7 x",
             "a number and a string are printed");
    t_is_str(judge_str_printf(a, "%s", ""), "",
             "a string printed from nothing is empty");

    s = judge_str_printf(a, "%.*s", 255, big);
    t_is_int((int64_t) s.len, 255, "printing has room for 255 bytes");
    s = judge_str_printf(a, "%.*s", 256, big);
    t_is_int((int64_t) s.len, 256, "printing has room for 256 bytes");
    s = judge_str_printf(a, "%.*s", 1000, big);
    t_ok(s.len == 1000 && memcmp(s.data, big, 1000) == 0,
         "printing has room for 1,000 bytes");

    judge_arena_destroy(a);
}


/* Numbers are written without stdio, but as it does. */

static void
test_numbers(judge_arena_t *a)
{
    char    as_stdio[1024];
    size_t  i, wrong = 0;
    double  v, first[] = { 0, -0.0, 0.005, 0.125, 2.675, 1.005, 0.5, 1.5, 2.5,
                           -0.004, 0.3, 9999.99, 10000, 9999.995, 1e12, 1e13,
                           1e300, 5e-324, 1e-5, -7.1, INFINITY, NAN };

    for (i = 0; i < 200000; i++) {
        v = i < sizeof(first) / sizeof(double)
            ? first[i] : ((double) (i * 2654435761u % 8000000) - 2e6)
                         / (i % 3 ? 1000 : 100);
        v = i % 7 == 6 ? v / 128 : v;
        (void) snprintf(as_stdio, sizeof(as_stdio), "%.2f|%.0f|%g|%s %.1f", v,
                        v, v, "a", v);
        wrong += !judge_str_eq_c(judge_str_printf(a, "%.2f|%.0f|%g|%s %.1f", v,
                                                  v, v, "a", v), as_stdio);
        if (wrong == 1) {
            t_is_str(JUDGE_STR("another number"), as_stdio, "%zu", i);
            return;
        }

        if (i % 1000 == 0) {
            judge_arena_reset(a);
        }
    }

    t_ok(wrong == 0, "numbers are written as stdio writes them");
}


static void
test_buf(judge_arena_t *a, const char *where)
{
    size_t       i;
    judge_buf_t  b;

    judge_buf_init(&b, a);
    t_is_str(judge_buf_view(&b), "", "%s: a new buffer is empty", where);

    judge_buf_c(&b, "one ");
    judge_buf_str(&b, JUDGE_STR("two"));
    judge_buf_append(&b, NULL, 0);
    judge_buf_printf(&b, " %d", 3);
    t_is_str(judge_buf_view(&b), "one two 3",
             "%s: parts are joined in their order", where);

    b.len = 0;
    judge_buf_printf(&b, "%s of %zu, %.1f %% for %s.", "2", SIZE_MAX, 0.25,
                     "a");
    t_is_str(judge_buf_view(&b), "2 of 18446744073709551615, 0.2 % for a.",
             "%s: formats are printed with and without stdio", where);

    b.len = 0;
    judge_buf_printf(&b, "%zu%s%1000d%c", (size_t) 0, "", 7, 'x');
    t_is_int((int64_t) b.len, 1002,
             "%s: stdio gets more room when there is too little at first",
             where);

    b.len = 0;
    judge_buf_c(&b, "one two 3");

    for (i = 0; i < 10000; i++) {
        judge_buf_printf(&b, "%05zu,", i);

        if (i % 100 == 0 && a != NULL) {
            (void) judge_alloc(a, 10);             /* now it must move */
        }
    }

    t_is_int((int64_t) judge_buf_view(&b).len, 60009,
             "%s: a buffer grows to what is put into it", where);
    t_ok(memcmp(judge_buf_view(&b).data + 60003, "09999,", 6) == 0,
         "%s: a large buffer keeps its end", where);
    t_ok(memcmp(judge_buf_view(&b).data, "one two 300000,", 15) == 0,
         "%s: a large buffer keeps its beginning", where);

    judge_buf_append(&b, "x", SIZE_MAX / 2);
    t_ok(b.failed, "%s: a buffer that is asked for too much fails", where);
    judge_buf_c(&b, "more");
    t_is_str(judge_buf_view(&b), NULL,
             "%s: a buffer that has failed stays so", where);

    judge_buf_free(&b);
}


int
main(void)
{
    judge_arena_t  *a;

    test_compare();
    test_cut();
    test_arena();
    test_copies();

    a = judge_arena_create(1024);
    test_numbers(a);
    test_buf(a, "in an arena");
    judge_arena_destroy(a);

    test_buf(NULL, "on the heap");

    return t_done();
}
