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


/* Reads "words=FILE", "leak=FILE", "hosts=", "languages=", "type=",
 * "NAME=EXPRESSION" or names of detectors.  What they find is masked, but for
 * languages, which only the second rule has.  Returns what was expected, or
 * NULL. */

static const char *
judge_detect_argument(judge_tool_t *t, judge_detect_expressions_t *own,
    judge_detect_rule_t *rule, const char *arg, judge_str_t *type)
{
    bool         words;
    judge_rc_e   rc;
    judge_str_t  name, text, error, rest = judge_str_c(arg);

    if (strchr(arg, '=') == NULL) {
        judge_detectors_parse(rest, own, rule);
        return rule->detectors ? NULL : judge_detect_rule_error(rule);
    }

    name = judge_str_until(&rest, '=');
    if (judge_str_eq_c(name, "type")) {
        *type = rest;
        return NULL;
    }
    if (judge_str_eq_c(name, "hosts")) {
        return judge_detect_rule_hosts(rule, rest);
    }
    if (judge_str_eq_c(name, "languages")) {
        rule[1].detectors = 1u << JUDGE_DETECT_LANGUAGE;
        return judge_detect_rule_languages(&rule[1], rest);
    }

    words = judge_str_eq_c(name, "words");
    if (words || judge_str_eq_c(name, "leak")) {
        rc = judge_tool_read(t, judge_str_dup(t->arena, rest).data, &text);
        rc = rc == JUDGE_OK
             ? judge_detect_phrases(t->arena, text, words,
                                    words ? &rule->words : &rule->leak) : rc;
        judge_detectors_parse(name, own, rule);
        return rc == JUDGE_OK ? NULL : "a file of at most 1 MiB with words";
    }

    rc = judge_detect_express(own, name, rest, &error);
    if (rc == JUDGE_OK) {
        judge_detectors_parse(name, own, rule);
    }

    return rc == JUDGE_OK ? NULL
           : rc == JUDGE_NOMEM ? "more memory"
           : judge_str_dup(t->arena, error).data;
}


static judge_skip_e
judge_detect_file(judge_detect_t *d, judge_str_t text, judge_str_t type,
    judge_buf_t *out)
{
    judge_str_t           trimmed = judge_str_trim(text, " \t\r\n");
    judge_skip_e          skip = JUDGE_SKIP_NONE;
    judge_extract_t       e = { .type = type };
    judge_extract_kind_e  kind;

    kind = trimmed.len && strchr("{[", trimmed.data[0]) ? JUDGE_EXTRACT_JSON
                                                        : JUDGE_EXTRACT_TEXT;
    if (type.len) {
        skip = judge_extract_kind(type, &kind);
    }
    if (!judge_extract_formats(d->arena, JUDGE_STR("auto"), &e.formats)) {
        skip = JUDGE_SKIP_FAILED;
    }
    if (skip != JUDGE_SKIP_NONE) {
        return skip;
    }

    judge_extract_begin(&e, kind, JUDGE_STR(""), JUDGE_TOOL_BYTES);
    judge_extract_feed(&e, d->scratch, text.data, text.len);

    return judge_detect_body(d, &e, out);
}


static void
judge_detect_print(judge_tool_t *t, const judge_detect_t *d, judge_str_t body,
    int64_t took)
{
    size_t                       k;
    judge_str_t                  counts = judge_detect_counts(d, t->arena);
    const judge_detect_masks_t  *masks = d->masks;

    for (k = 0; k < masks->n; k++) {
        judge_buf_printf(&t->out, "%.*s  %.*s\n",
                         (int) masks->masks[k].placeholder.len,
                         masks->masks[k].placeholder.data,
                         (int) masks->masks[k].original.len,
                         masks->masks[k].original.data);
    }

    judge_buf_c(&t->out, masks->n ? "\n" : "");
    judge_buf_str(&t->out, masks->n ? body : JUDGE_STR(""));
    judge_buf_c(&t->out, masks->n ? "\n\n" : "");
    judge_buf_str(&t->out, counts.len ? counts
                                      : JUDGE_STR("Nothing was found."));
    judge_buf_printf(&t->out, "\n\n%d.%03d ms of a processor\n",
                     (int) (took / 1000), (int) (took % 1000));
}


int
judge_tool_detect(judge_tool_t *t, const char **args, int n)
{
    int                          i;
    int64_t                      began;
    judge_buf_t                  out;
    judge_str_t                  text, type = { 0, NULL };
    const char                  *expected = NULL;
    judge_skip_e                 skip;
    judge_detect_rule_t          rule[] = {
        { .action = JUDGE_DETECT_MASK, .directions = JUDGE_DETECT_ANSWER,
          .next = &rule[1] },
        { .action = JUDGE_DETECT_TAG, .directions = JUDGE_DETECT_ANSWER }
    };
    judge_detect_expressions_t   own = { .n = 0 };
    judge_detect_masks_t         masks = { .arena = t->arena };
    judge_detect_t               d = { .rules = rule,
                                       .directions = JUDGE_DETECT_ANSWER,
                                       .arena = t->arena, .masks = &masks };

    if (judge_tool_read(t, args[0], &text) != JUDGE_OK) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "%s: expected a file of at"
                               " most 1 MiB", args[0]);
    }

    for (i = 1; i < n && expected == NULL; i++) {
        expected = judge_detect_argument(t, &own, rule, args[i], &type);
    }
    rule[0].detectors &= ~rule[1].detectors;
    if (expected == NULL && (rule[0].detectors || !rule[1].detectors)) {
        expected = judge_detect_rule_error(&rule[0]);
    }
    if (expected) {
        judge_detect_expressions_free(&own);
        return judge_tool_fail(JUDGE_TOOL_USAGE, "%s: expected %s",
                               args[i - 1], expected);
    }

    d.scratch = judge_arena_create(4096);
    judge_buf_init(&out, t->arena);
    began = judge_time_clock(CLOCK_PROCESS_CPUTIME_ID);
    skip = d.scratch ? judge_detect_file(&d, text, type, &out)
                     : JUDGE_SKIP_FAILED;
    began = judge_time_clock(CLOCK_PROCESS_CPUTIME_ID) - began;
    judge_arena_destroy(d.scratch);
    judge_detect_expressions_free(&own);

    if (skip != JUDGE_SKIP_NONE && skip != JUDGE_SKIP_UNMASKED) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "%s: it can't be read: %s",
                               args[0], judge_skip_name(skip));
    }

    judge_detect_print(t, &d, skip == JUDGE_SKIP_UNMASKED
                              ? JUDGE_STR("It can't be written anew.")
                              : judge_buf_view(&out), began);

    return JUDGE_TOOL_OK;
}
