/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What people would read past in an answer, and what they would not. */


#include <stdio.h>
#include <string.h>

#include "analysis/llm/reply.h"
#include "tap.h"


#define T_ANSWER(score, feedback)                                             \
    "{\"criteria\":{\"c1\":{\"score\":" score ",\"feedback\":\"" feedback     \
    "\"}},\"summary\":\"S.\"}"
#define T_SCORE   T_ANSWER("70", "Fine.")
#define T_STRING  T_ANSWER("\" 70.0\"", "</think> is fine.")
#define T_QUOTED  T_ANSWER("100", "Best.")
#define T_ITEM                                                                \
    "I quote: {\"criteria\": {\"c1\": {\"score\": 100, \"feedback\":\n"       \
    "\"Best.\"}}, \"summary\": \"S.\"}"


static void
test_answers(judge_arena_t *a)
{
    size_t                 i;
    char                   got[64];
    const char            *name;
    judge_buf_t            body;
    judge_reply_t          reply;
    judge_json_writer_t    w;
    judge_criterion_t      criterion = { .name = JUDGE_STR("C"), .weight = 1 };
    judge_rubric_t         rubric = { .criteria = &criterion, .ncriteria = 1 };
    judge_item_t           item = { .text = JUDGE_STR(T_ITEM) };
    judge_prompt_request_t  asked = { .rubric = &rubric, .item = &item };
    static const struct {
        const char  *answer, *tolerated;         /* NULL: it is none */
    } rows[] = {
        { T_SCORE, "" },
        { "\n" T_SCORE " ", "" },
        { T_STRING, " score_as_string" },
        { "<think>Hm. {\"criteria\":{}}</think>\n\n" T_SCORE, " thoughts" },
        { "So it is 70.</think>" T_SCORE, " thoughts" },
        { "```json\n" T_SCORE "\n```", " fence" },
        { "```\n" T_SCORE "\n```", " fence" },
        { "```\n" T_STRING "\n```", " fence score_as_string" },
        { "Here it is:\n" T_SCORE, " text" },
        { T_SCORE "\nI hope it helps.", " text" },
        { "<think>x</think>Here:\n```json\n" T_SCORE "\n```\nBye.",
          " thoughts fence text" },
        { "<think>no end " T_SCORE, NULL },
        { "So <think>no end\n```json\n" T_SCORE "\n```", NULL },
        { "It says " T_QUOTED ", but I say " T_SCORE, " text" },
        { "It says " T_QUOTED ".", NULL },
        { T_SCORE " or " T_SCORE, NULL },
        { "[" T_SCORE "]", NULL },
        { "<think>" T_SCORE "</think>", NULL },
        { "I give it 70 of 100.", NULL },
        { "{\"a\": x, \"b\": " T_SCORE "}", NULL },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        judge_json_begin_object(&w, &body, a);
        judge_json_key_array(&w, "choices");
        judge_json_object(&w);
        judge_json_key_object(&w, "message");
        judge_json_put_c(&w, "content", rows[i].answer);
        judge_json_object_end(&w);
        judge_json_object_end(&w);
        judge_json_array_end(&w);

        t_is_int(judge_reply_read(a, &asked, judge_json_text(&w), &reply),
                 rows[i].tolerated ? JUDGE_OK : JUDGE_INVALID,
                 "answer %zu can be read or not", i);

        t_is_int(reply.outcome, rows[i].tolerated ? JUDGE_REPLY_OK
                                                  : JUDGE_REPLY_INVALID,
                 "answer %zu is taken or not: %s", i,
                 rows[i].tolerated ? "it is" : "not");

        if (rows[i].tolerated == NULL || reply.outcome != JUDGE_REPLY_OK) {
            t_ok(reply.reason.len > 0, "answer %zu has a reason", i);
            continue;
        }

        t_ok(reply.verdict.overall == 70, "answer %zu has its score", i);

        for (got[0] = '\0', name = got; reply.tolerated; name++) {
            unsigned  bit = reply.tolerated & -reply.tolerated;

            reply.tolerated &= ~bit;
            strcat(got, " ");
            strcat(got, judge_tolerated_names[__builtin_ctz(bit)]);
        }
        t_is_str(judge_str_c(got), rows[i].tolerated,
                 "answer %zu: what is tolerated", i);
    }
}


int
main(void)
{
    judge_arena_t  *a;

    a = judge_arena_create(64 * 1024);
    test_answers(a);
    judge_arena_destroy(a);

    return t_done();
}
