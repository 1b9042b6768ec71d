/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* judge detect: what judge_detect would find in a text or in JSON, and what it
 * would become, so that a rule can be tried on what was blocked. */


#include <stdio.h>
#include <string.h>

#include "extensions/traffic/detect.h"
#include "tool.h"


#define JUDGE_TOOL_BYTES  (1u << 20)            /* of a file */


judge_rc_e
judge_tool_read(judge_tool_t *t, const char *path, judge_str_t *text)
{
    FILE   *in;
    char   *bytes;
    size_t  n;
    bool    failed;

    bytes = judge_alloc(t->arena, JUDGE_TOOL_BYTES + 1);
    in = bytes ? fopen(path, "rb") : NULL;
    if (in == NULL) {
        return JUDGE_ERROR;
    }

    n = fread(bytes, 1, JUDGE_TOOL_BYTES + 1, in);
    failed = ferror(in) != 0;
    (void) fclose(in);
    *text = (judge_str_t) { n, bytes };

    return failed ? JUDGE_ERROR
           : n > JUDGE_TOOL_BYTES ? JUDGE_INVALID : JUDGE_OK;
}


/* Reads "words=FILE", "leak=FILE", "NAME=EXPRESSION" or the name of a detector
 * that needs nothing.  Returns what was expected, or NULL. */

static const char *
judge_detect_argument(judge_tool_t *t, judge_detect_expressions_t *own,
    judge_detect_rule_t *rule, const char *arg)
{
    bool         words;
    judge_rc_e   rc;
    judge_str_t  name, text, error, rest = judge_str_c(arg);

    if (strchr(arg, '=') == NULL) {
        judge_detectors_parse(rest, own, rule);
        return NULL;
    }

    name = judge_extract_until(&rest, '=');
    words = judge_str_eq_c(name, "words");
    if (words || judge_str_eq_c(name, "leak")) {
        rc = judge_tool_read(t, judge_str_dup(t->arena, rest).data, &text);
        rc = rc == JUDGE_OK
             ? judge_detect_phrases(t->arena, text, words,
                                    words ? &rule->words : &rule->leak) : rc;
        judge_detectors_parse(name, own, rule);
        return rc == JUDGE_OK ? NULL : "a file of at most 1 MiB with words";
    }

    rc = judge_detect_express(own, t->arena, name, rest, &error);
    if (rc == JUDGE_OK) {
        judge_detectors_parse(name, own, rule);
    }

    return rc == JUDGE_OK ? NULL : judge_str_dup(t->arena, error).data;
}


static judge_skip_e
judge_detect_file(judge_detect_t *d, judge_str_t text, judge_buf_t *out)
{
    judge_str_t      trimmed = judge_str_trim(text, " \t\r\n");
    judge_extract_t  e = { .events = 0 };

    if (!judge_extract_formats(d->arena, JUDGE_STR("auto"), &e.formats)) {
        return JUDGE_SKIP_FAILED;
    }

    judge_extract_begin(&e, trimmed.len && strchr("{[", trimmed.data[0])
                            ? JUDGE_EXTRACT_JSON : JUDGE_EXTRACT_TEXT,
                        JUDGE_STR(""), JUDGE_TOOL_BYTES);
    judge_extract_feed(&e, d->scratch, text.data, text.len);

    return judge_detect_body(d, &e, out);
}


int
judge_tool_detect(judge_tool_t *t, const char **args, int n)
{
    int                          i;
    size_t                       k;
    judge_buf_t                  out;
    judge_str_t                  text;
    const char                  *expected = NULL;
    judge_skip_e                 skip;
    judge_detect_rule_t          rule = { .action = JUDGE_DETECT_MASK,
                                          .on = JUDGE_DETECT_ANSWER };
    judge_detect_expressions_t   own = { .n = 0 };
    const judge_detect_rule_t   *list[] = { &rule };
    const judge_detect_rules_t   rules = { list, 1 };
    judge_detect_masks_t         masks = { .arena = t->arena };
    judge_detect_t               d = { .rules = &rules,
                                       .on = JUDGE_DETECT_ANSWER,
                                       .arena = t->arena, .masks = &masks };

    if (judge_tool_read(t, args[0], &text) != JUDGE_OK) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "%s: expected a file of at"
                               " most 1 MiB", args[0]);
    }

    for (i = 1; i < n && expected == NULL; i++) {
        expected = judge_detect_argument(t, &own, &rule, args[i]);
        expected = expected ? expected : judge_detect_missing(&rule);
    }
    if (expected) {
        judge_detect_expressions_free(&own);
        return judge_tool_fail(JUDGE_TOOL_USAGE, "%s: expected %s",
                               args[i - 1], expected);
    }

    d.scratch = judge_arena_create(4096);
    judge_buf_init(&out, t->arena);
    skip = d.scratch ? judge_detect_file(&d, text, &out) : JUDGE_SKIP_FAILED;
    judge_arena_destroy(d.scratch);
    judge_detect_expressions_free(&own);

    if (skip != JUDGE_SKIP_NONE) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "%s: it can't be read: %s",
                               args[0], judge_skip_name(skip));
    }

    for (k = 0; k < masks.n; k++) {
        judge_buf_printf(&t->out, "%.*s  %.*s\n",
                         (int) masks.masks[k].placeholder.len,
                         masks.masks[k].placeholder.data,
                         (int) masks.masks[k].original.len,
                         masks.masks[k].original.data);
    }
    judge_buf_printf(&t->out, "%s", masks.n ? "\n" : "Nothing was found.\n");
    judge_buf_str(&t->out, masks.n ? judge_buf_view(&out) : JUDGE_STR(""));
    judge_buf_c(&t->out, masks.n ? "\n" : "");

    return JUDGE_TOOL_OK;
}
