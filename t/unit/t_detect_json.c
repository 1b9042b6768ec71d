/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Masking JSON: what is masked, and what of it stays in memory. */


#include "extensions/traffic/detect.h"
#include "tap.h"


#define T_MAX  (256 * 1024)


static judge_arena_t        *arena, *scratch;
static judge_detect_rule_t   rule = {
    .detectors = 1u << JUDGE_DETECT_PII | 1u << JUDGE_DETECT_SECRETS,
    .action = JUDGE_DETECT_MASK, .directions = JUDGE_DETECT_REQUEST
};


/* The body with what was found in it masked; *counts has how often. */

static judge_str_t
masked(judge_str_t raw, judge_str_t *counts)
{
    judge_buf_t           out;
    judge_skip_e          skip;
    judge_extract_t       e = { .request = true };
    judge_detect_masks_t  masks = { .arena = arena };
    judge_detect_t        d = {
        .rules = &rule, .directions = JUDGE_DETECT_REQUEST, .arena = arena,
        .scratch = scratch, .masks = &masks
    };

    judge_buf_init(&out, arena);
    judge_extract_begin(&e, JUDGE_EXTRACT_JSON, JUDGE_STR(""), T_MAX);
    judge_extract_feed(&e, scratch, raw.data, raw.len);
    skip = judge_detect_body(&d, &e, &out);
    *counts = judge_detect_counts(&d, arena);

    return skip != JUDGE_SKIP_NONE ? judge_str_c(judge_skip_name(skip))
           : d.masked ? judge_buf_view(&out) : JUDGE_STR("(same)");
}


static void
test_named(void)
{
    size_t       i;
    judge_str_t  counts;

    static const char *const  rows[][3] = {
        { "{\"password\":\"jo@x.de\"}",
          "{\"password\":\"[EMAIL_1]\"}", "pii=1" },
        { "{\"token\":\"to jo@x.de, 4111 1111 1111 1111\"}",
          "{\"token\":\"to [EMAIL_1], [CARD_1]\"}", "pii=2" },
        { "{\"api_key\":\"x7Kq92LmZ4tR\"}",
          "{\"api_key\":\"[SECRET_1]\"}", "secrets=1" },
        { "{\"secret\":\"\",\"pwd\":\"none\"}", "(same)", "" }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_is_str(masked(judge_str_c(rows[i][0]), &counts), rows[i][1],
                 "behind the name of a secret is masked: %s", rows[i][0]);
        t_is_str(counts, rows[i][2], "each match counts once in %s",
                 rows[i][0]);
    }
}


/* A number of a card is one in whatever form JSON has it. */

static void
test_numbers(void)
{
    size_t       i;
    judge_str_t  counts;

    static const char *const  rows[][2] = {
        { "[4111111111111111]", "[\"[CARD_1]\"]" },
        { "[4111111111111111.0]", "[\"[CARD_1]\"]" },
        { "[4.111111111111111e15]", "[\"[CARD_1]\"]" },
        { "[4111111111111111.5]", "(same)" },
        { "[4.111e3,1e300,-1e300,0.5]", "(same)" }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_is_str(masked(judge_str_c(rows[i][0]), &counts), rows[i][1],
                 "numbers are searched for those of cards: %s", rows[i][0]);
    }
}


static void
test_memory(void)
{
    size_t       size;
    judge_buf_t  raw;
    judge_str_t  counts;

    judge_buf_init(&raw, NULL);
    judge_buf_c(&raw, "[\"a\"");
    while (raw.len < T_MAX - 8) {
        judge_buf_c(&raw, ",\"a\"");
    }
    judge_buf_c(&raw, "]");

    size = judge_arena_size(arena);
    t_is_str(masked(judge_buf_view(&raw), &counts), "(same)",
             "60,000 short strings stay the same");
    size = judge_arena_size(arena) - size;
    t_ok(size < 4 * T_MAX, "256 KB of short strings leave less than four times"
         " as much in the memory of the request (%zu KB)", size / 1024);
    judge_buf_free(&raw);
}


int
main(void)
{
    arena = judge_arena_create(4096);
    scratch = judge_arena_create(4096);

    test_named();
    test_numbers();
    test_memory();

    judge_arena_destroy(scratch);
    judge_arena_destroy(arena);

    return t_done();
}
