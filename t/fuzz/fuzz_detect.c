/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What detectors find in a text becomes placeholders.  Where the text has no
 * bracket of its own, putting back what was masked gives it again.
 */


#include <stdlib.h>
#include <string.h>

#include "extensions/traffic/detect.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const judge_detect_rule_t         fuzz_mask = {
    .detectors = 1u << JUDGE_DETECT_PII | 1u << JUDGE_DETECT_SECRETS
                 | 1u << JUDGE_DETECT_INSULTS | 1u << JUDGE_DETECT_LINKS
                 | 1u << JUDGE_DETECT_ORDERS,
    .action = JUDGE_DETECT_MASK,
    .on = JUDGE_DETECT_REQUEST
};

static const judge_detect_rule_t *const  fuzz_list[] = { &fuzz_mask };
static const judge_detect_rules_t        fuzz_rules = { fuzz_list, 1 };
static const judge_detect_rules_t        fuzz_none = { fuzz_list, 0 };


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    judge_buf_t           out, back;
    judge_str_t           text = { size, (const char *) data };
    judge_arena_t        *arena, *scratch;
    judge_detect_t        d;
    judge_detect_masks_t  masks;

    arena = judge_arena_create(4096);
    scratch = judge_arena_create(4096);

    if (arena && scratch) {
        masks = (judge_detect_masks_t) { .arena = arena };
        d = (judge_detect_t) {
            .rules = &fuzz_rules, .on = JUDGE_DETECT_REQUEST, .arena = arena,
            .scratch = scratch, .masks = &masks
        };

        judge_buf_init(&out, arena);
        judge_detect_text(&d, text, &out);
        if (d.failed || (!d.masked && out.len != size)) {
            abort();
        }

        masks.known = masks.n;
        d.rules = &fuzz_none;
        d.restore = true;
        judge_buf_init(&back, arena);
        judge_detect_text(&d, judge_buf_view(&out), &back);

        if (size && memchr(data, '[', size) == NULL
            && !judge_str_eq(judge_buf_view(&back), text))
        {
            abort();
        }
    }

    judge_arena_destroy(arena);
    judge_arena_destroy(scratch);

    return 0;
}
