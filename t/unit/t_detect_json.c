/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Masking JSON. */


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
    judge_buf_t                       out;
    judge_skip_e                      skip;
    judge_extract_t                   e = { .request = true };
    judge_detect_masks_t              masks = { .arena = arena };
    const judge_detect_rule_t *const  list[] = { &rule };
    const judge_detect_rules_t        rules = { list, 1 };
    judge_detect_t                    d = {
        .rules = &rules, .directions = JUDGE_DETECT_REQUEST, .arena = arena,
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


int
main(void)
{
    arena = judge_arena_create(4096);
    scratch = judge_arena_create(4096);

    test_named();

    judge_arena_destroy(scratch);
    judge_arena_destroy(arena);

    return t_done();
}
