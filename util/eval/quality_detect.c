/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What detectors find in texts: reads a JSON string from each line, and writes
 * a line with an array of what was found, each kind before its text.  With the
 * argument "links" these are links, without one all that needs no parameter.
 * With "language" and "leak" a line is an array of the text and of the code of
 * the language that it may have, or of the text that it must not quote. */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/text/language.h"
#include "extensions/traffic/detect.h"


static judge_detect_rule_t  quality_rule;


static void
quality_detect(judge_arena_t *arena, judge_arena_t *scratch, judge_str_t text)
{
    size_t               i;
    judge_buf_t          masked, out;
    judge_json_writer_t  w;

    const judge_detect_rule_t   *list[] = { &quality_rule };
    const judge_detect_rules_t   rules = { list, 1 };
    judge_detect_masks_t         masks = { .arena = arena };
    judge_detect_t               d = { .rules = &rules,
                                       .on = JUDGE_DETECT_ANSWER,
                                       .arena = arena, .scratch = scratch,
                                       .masks = &masks };

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


/* Takes what counts for one text alone.  The phrases of a text that is the
 * same as in the line before are known. */

static bool
quality_parameter(judge_json_t *json, judge_arena_t *kept)
{
    judge_str_t         text;
    static judge_str_t  before;

    if (json == NULL || json->type != JUDGE_JSON_STRING) {
        return false;
    }

    text = json->string;
    memset(quality_rule.languages, 0, sizeof(quality_rule.languages));
    quality_rule.languages[judge_language_find(text)] = true;

    if (quality_rule.detectors == 1u << JUDGE_DETECT_LANGUAGE
        || (before.data && judge_str_eq(text, before)))
    {
        return true;
    }

    judge_arena_reset(kept);
    before = judge_str_dup(kept, text);

    return before.data
           && judge_detect_phrases(kept, before, false, &quality_rule.leak)
              != JUDGE_NOMEM;
}


int
main(int argc, char **argv)
{
    bool            pairs;
    char           *line = NULL;
    size_t          room = 0;
    ssize_t         n;
    judge_json_t   *root, *parameter = NULL;
    judge_arena_t  *arena = judge_arena_create(4096);
    judge_arena_t  *scratch = judge_arena_create(4096);
    judge_arena_t  *kept = judge_arena_create(4096);

    static const judge_detect_expressions_t  none;

    quality_rule = (judge_detect_rule_t) { .action = JUDGE_DETECT_MASK,
                                           .on = JUDGE_DETECT_ANSWER };
    judge_detectors_parse(judge_str_c(argc > 1 ? argv[1]
                                      : "pii,secrets,orders,insults"),
                          &none, &quality_rule);
    pairs = quality_rule.detectors & (1u << JUDGE_DETECT_LANGUAGE
                                      | 1u << JUDGE_DETECT_LEAK);

    while (arena && scratch && kept && (n = getline(&line, &room, stdin)) > 0)
    {
        judge_arena_reset(arena);
        if (judge_json_parse(arena, (judge_str_t) { (size_t) n, line }, &root,
                             NULL)
            != JUDGE_OK)
        {
            root = NULL;
        }
        if (root && pairs) {
            root = root->type == JUDGE_JSON_ARRAY ? root->first : NULL;
            parameter = root ? root->next : NULL;
        }
        if (root == NULL || root->type != JUDGE_JSON_STRING
            || (pairs && !quality_parameter(parameter, kept)))
        {
            fputs("quality_detect: expected a JSON string\n", stderr);
            return 1;
        }
        quality_detect(arena, scratch, root->string);
    }

    free(line);
    judge_arena_destroy(kept);
    judge_arena_destroy(scratch);
    judge_arena_destroy(arena);

    return 0;
}
