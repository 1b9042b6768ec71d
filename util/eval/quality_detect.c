/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What detectors find in texts: reads a JSON string from each line, and writes
 * a line with an array of what was found, each kind before its text.  With an
 * argument these are links, without one all else. */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "extensions/traffic/detect.h"


static void
quality_detect(judge_arena_t *arena, judge_arena_t *scratch, judge_str_t text,
    bool links)
{
    size_t               i;
    judge_buf_t          masked, out;
    judge_detect_rule_t  rule = { .action = JUDGE_DETECT_MASK,
                                  .on = JUDGE_DETECT_ANSWER };
    judge_json_writer_t  w;

    const judge_detect_rule_t   *list[] = { &rule };
    const judge_detect_rules_t   rules = { list, 1 };
    judge_detect_masks_t         masks = { .arena = arena };
    judge_detect_t               d = { .rules = &rules,
                                       .on = JUDGE_DETECT_ANSWER,
                                       .arena = arena, .scratch = scratch,
                                       .masks = &masks };

    rule.detectors = links ? 1u << JUDGE_DETECT_LINKS
                     : 1u << JUDGE_DETECT_PII | 1u << JUDGE_DETECT_SECRETS
                     | 1u << JUDGE_DETECT_ORDERS | 1u << JUDGE_DETECT_INSULTS;
    judge_buf_init(&masked, arena);
    judge_buf_init(&out, arena);
    judge_detect_text(&d, text, &masked);

    judge_json_begin(&w, &out);
    judge_json_array(&w);
    for (i = 0; i < masks.n; i++) {
        judge_json_str(&w, judge_str_c(masks.masks[i].label));
        judge_json_str(&w, masks.masks[i].original);
    }
    judge_json_array_end(&w);

    if (judge_json_finish(&w) != JUDGE_OK || d.failed) {
        exit(1);
    }
    printf("%.*s\n", (int) out.len, out.data);
}


int
main(int argc, char **argv)
{
    char           *line = NULL;
    size_t          room = 0;
    ssize_t         n;
    judge_json_t   *root;
    judge_arena_t  *arena = judge_arena_create(4096);
    judge_arena_t  *scratch = judge_arena_create(4096);

    while (arena && scratch && (n = getline(&line, &room, stdin)) > 0) {
        judge_arena_reset(arena);
        if (judge_json_parse(arena, (judge_str_t) { (size_t) n, line }, &root,
                             NULL)
            != JUDGE_OK
            || root->type != JUDGE_JSON_STRING)
        {
            fputs("quality_detect: expected a JSON string\n", stderr);
            return 1;
        }
        quality_detect(arena, scratch, root->string, argc > 1);
    }

    free(line);
    judge_arena_destroy(scratch);
    judge_arena_destroy(arena);

    return 0;
}
