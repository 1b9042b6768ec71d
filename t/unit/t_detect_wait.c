/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Streams in which many events of one text wait for those of another. */


#include <time.h>

#include "extensions/traffic/detect.h"
#include "tap.h"


#define T_MAX    (8 * 1024 * 1024)
#define T_WAIT   20000                 /* events */


static double
milliseconds(void)
{
    struct timespec  now;

    (void) clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);

    return (double) now.tv_sec * 1e3 + (double) now.tv_nsec / 1e6;
}


int
main(void)
{
    size_t                  i;
    double                  began, took;
    judge_buf_t             out;
    judge_skip_e            skip = JUDGE_SKIP_NONE;
    judge_arena_t          *arena = judge_arena_create(4096);
    judge_arena_t          *scratch = judge_arena_create(4096);
    judge_extract_t         e = { .events = 0 };
    judge_detect_masks_t    masks = { .arena = arena };
    judge_detect_stream_t  *s;

    static const judge_detect_rule_t  rule = {
        .detectors = 1u << JUDGE_DETECT_PII, .action = JUDGE_DETECT_TAG,
        .directions = JUDGE_DETECT_ANSWER
    };
    static const judge_str_t  one = judge_str(
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":"
        "\"x\"}}]}\n\n");
    static const judge_str_t  other = judge_str(
        "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":"
        "\"a@b.de c@d.de e@f.de g@h.de \"}}]}\n\n");
    static const judge_str_t  last = judge_str("data: [DONE]\n\n");

    judge_detect_t  d = { .rules = &rule, .directions = JUDGE_DETECT_ANSWER,
                          .arena = arena, .masks = &masks };

    judge_buf_init(&out, NULL);
    t_ok(judge_extract_formats(arena, JUDGE_STR("auto"), &e.formats),
         "the formats of streams are known");
    judge_extract_begin(&e, JUDGE_EXTRACT_EVENTS, JUDGE_STR(""), T_MAX);
    s = judge_detect_stream_create(&d, &e);
    judge_extract_feed(&e, scratch, one.data, one.len);

    began = milliseconds();
    for (i = 0; i < T_WAIT && skip == JUDGE_SKIP_NONE; i++) {
        judge_extract_feed(&e, scratch, other.data, other.len);
        skip = judge_detect_stream_pump(s, false, &out);
    }
    t_ok(skip == JUDGE_SKIP_NONE && out.len == 0,
         "events of one text wait for the first of another");
    judge_extract_feed(&e, scratch, last.data, last.len);
    skip = judge_detect_stream_pump(s, true, &out);
    took = milliseconds() - began;

    t_is_int((int64_t) out.len,
             (int64_t) (one.len + T_WAIT * other.len + last.len),
             "all events pass at the end");
    t_is_int((int64_t) d.counts[JUDGE_DETECT_PII][JUDGE_DETECT_TAG],
             4 * T_WAIT,
             "what is found in events that wait is counted");
    t_ok(took < 2000,
         "20,000 events that wait take less than two seconds (%.1f ms)", took);

    judge_detect_stream_free(s);
    judge_extract_free(&e);
    judge_buf_free(&out);
    judge_arena_destroy(scratch);
    judge_arena_destroy(arena);

    return t_done();
}
