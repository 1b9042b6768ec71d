/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What detectors find in a text becomes placeholders.  Where the text has no
 * bracket of its own, putting back what was masked gives it again.  A stream
 * of events, however it is cut, shows nothing that the whole text does not; it
 * may show less, as of what was sent only the end is looked at again.
 */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "extensions/traffic/detect.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const judge_detect_rule_t         fuzz_mask = {
    .detectors = 1u << JUDGE_DETECT_PII | 1u << JUDGE_DETECT_SECRETS
                 | 1u << JUDGE_DETECT_INSULTS | 1u << JUDGE_DETECT_LINKS
                 | 1u << JUDGE_DETECT_ORDERS,
    .action = JUDGE_DETECT_MASK,
    .directions = JUDGE_DETECT_REQUEST
};

/* What is found by its form, wherever the text was cut. */
static const judge_detect_rule_t         fuzz_formed = {
    .detectors = 1u << JUDGE_DETECT_PII | 1u << JUDGE_DETECT_SECRETS
                 | 1u << JUDGE_DETECT_LINKS,
    .action = JUDGE_DETECT_MASK,
    .directions = JUDGE_DETECT_ANSWER
};


static judge_str_t
fuzz_events(judge_arena_t *arena, judge_str_t text, size_t size)
{
    size_t       i, n;
    judge_buf_t  out;

    judge_buf_init(&out, arena);
    for (i = 0; i < text.len; i += n) {
        n = text.len - i < size ? text.len - i : size;
        judge_buf_c(&out, "data: {\"choices\":[{\"index\":0,\"delta\":{"
                          "\"content\":");
        judge_buf_str(&out, judge_json_value_text(arena, &(judge_json_t) {
                          .type = JUDGE_JSON_STRING,
                          .string = { n, text.data + i } }));
        judge_buf_c(&out, "}}]}\n\n");
    }
    judge_buf_c(&out, "data: [DONE]\n\n");

    return judge_buf_view(&out);
}


/* Feeds bytes to a stream that is masked (d NULL: to a reader), and returns
 * what comes of it, in the arena. */

static judge_str_t
fuzz_feed(judge_arena_t *arena, judge_detect_t *d, judge_str_t raw,
    size_t size, judge_skip_e *skip)
{
    size_t                  i, n;
    judge_buf_t             out;
    judge_arena_t          *scratch = judge_arena_create(4096);
    judge_extract_t         e = { .events = 0 };
    judge_detect_stream_t  *s = NULL;

    judge_buf_init(&out, arena);
    *skip = JUDGE_SKIP_FAILED;
    if (scratch && judge_extract_formats(arena, JUDGE_STR("auto"), &e.formats))
    {
        judge_extract_begin(&e, JUDGE_EXTRACT_EVENTS, JUDGE_STR(""), 1 << 20);
        s = d ? judge_detect_stream_create(d, &e) : NULL;
        *skip = JUDGE_SKIP_NONE;
    }

    for (i = 0; i < raw.len && *skip == JUDGE_SKIP_NONE; i += n) {
        n = raw.len - i < size ? raw.len - i : size;
        judge_extract_feed(&e, scratch, raw.data + i, n);
        *skip = s ? judge_detect_stream_pump(s, false, &out) : e.skip;
    }

    if (s && *skip == JUDGE_SKIP_NONE) {
        *skip = judge_detect_stream_pump(s, true, &out);
    } else if (*skip == JUDGE_SKIP_NONE) {
        judge_extract_finish(&e, scratch);
        *skip = e.skip;
        judge_buf_str(&out, judge_buf_view(&e.text));
    }

    judge_detect_stream_free(s);
    judge_extract_free(&e);
    judge_arena_destroy(scratch);

    return out.len ? judge_buf_view(&out) : JUDGE_STR("");
}


/* Whether all that is shown beside placeholders is so in the other, too. */

static int
fuzz_shows(judge_str_t some, judge_str_t all)
{
    size_t  i, k = 0;

    for (i = 0; i < some.len; i++) {
        if (some.data[i] == '[') {
            while (i < some.len && some.data[i] != ']') {
                i++;
            }
            continue;
        }
        while (k < all.len && all.data[k] != some.data[i]) {
            k = all.data[k] == '[' ? k + (size_t) ((char *) memchr(
                                         all.data + k, ']', all.len - k)
                                         - (all.data + k)) + 1 : k + 1;
        }
        if (k++ >= all.len) {
            return 0;
        }
    }

    return 1;
}


static void
fuzz_stream(judge_arena_t *arena, judge_arena_t *scratch, const uint8_t *data,
    size_t size)
{
    char                 *plain;
    size_t                i;
    judge_buf_t           whole;
    judge_str_t           text, got;
    judge_skip_e          skip;
    judge_detect_masks_t  masks[2] = { { .arena = arena },
                                       { .arena = arena } };
    judge_detect_t        d = {
        .rules = &fuzz_formed, .directions = JUDGE_DETECT_ANSWER,
        .arena = arena, .scratch = scratch, .masks = &masks[0]
    };

    (void) fuzz_feed(arena, &d, (judge_str_t) { size, (const char *) data },
                     7, &skip);

    plain = judge_alloc(arena, size);
    for (i = 0; plain && i < size; i++) {
        plain[i] = data[i] % 96 == 95 ? '\n' : (char) (' ' + data[i] % 96);
        plain[i] = plain[i] == '[' ? '(' : plain[i];
    }
    text = (judge_str_t) { size, plain };

    d.masks = &masks[0];
    d.scratch = scratch;
    d.failed = false;
    masks[0] = (judge_detect_masks_t) { .arena = arena };
    judge_buf_init(&whole, arena);
    if (!judge_detect_text(&d, text, 0, &whole)) {
        judge_buf_str(&whole, text);
    }

    d.masks = &masks[1];
    got = fuzz_feed(arena, &d, fuzz_events(arena, text, data[0] % 9 + 1),
                    data[0] % 70 + 1, &skip);
    if (d.failed || skip != JUDGE_SKIP_NONE) {
        if (!d.failed && skip != JUDGE_SKIP_TOO_LARGE) {
            abort();
        }
        return;
    }

    got = fuzz_feed(arena, NULL, got, got.len, &skip);
    if (skip == JUDGE_SKIP_NONE && !fuzz_shows(got, judge_buf_view(&whole))) {
        fprintf(stderr, "%.*s\n---\n%.*s\n", (int) whole.len, whole.data,
                (int) got.len, got.data);
        abort();
    }
}


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
            .rules = &fuzz_mask, .directions = JUDGE_DETECT_REQUEST,
            .arena = arena,
            .scratch = scratch, .masks = &masks
        };

        judge_buf_init(&out, arena);
        if (!judge_detect_text(&d, text, 0, &out)) {
            judge_buf_str(&out, text);
        }
        if (d.failed || (!d.masked && out.len != size)) {
            abort();
        }

        masks.known = masks.n;
        d.rules = NULL;
        d.restore = true;
        judge_buf_init(&back, arena);
        if (!judge_detect_text(&d, judge_buf_view(&out), 0, &back)) {
            judge_buf_str(&back, judge_buf_view(&out));
        }

        if (size && memchr(data, '[', size) == NULL
            && !judge_str_eq(judge_buf_view(&back), text))
        {
            abort();
        }

        if (size > 0) {
            fuzz_stream(arena, scratch, data, size);
        }
    }

    judge_arena_destroy(arena);
    judge_arena_destroy(scratch);

    return 0;
}
