/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The text of a conversation without the labels of its parts, and where its
 * bytes stand in the transcript. */


#include "analysis/builtin/conversation.h"
#include "tap.h"


int
main(void)
{
    judge_str_t     text;
    judge_arena_t  *arena = judge_arena_create(4096);

    /* "User: Hi.\n\nAssistant: Yes.", and what is no part of it */
    judge_part_t  parts[] = {
        { .begin = 6, .end = 9, .next = 11 },
        { .begin = 22, .end = 26, .next = 26 },
        { .begin = 0, .next = 100 }
    };
    judge_conversation_t  c = { .parts = parts, .nparts = 2 };

    text = judge_conversation_unlabelled(arena, &c,
               JUDGE_STR("User: Hi.\n\nAssistant: Yes."));
    t_is_str(text, "Hi.\n\nYes.", "the labels of parts are left out");
    t_is_int((int64_t) judge_conversation_offset(&c, 0), 6,
             "the first byte stands after the first label");
    t_is_int((int64_t) judge_conversation_offset(&c, 5), 22,
             "the first byte of a part stands after its label");
    t_is_int((int64_t) judge_conversation_offset(&c, 9), 26,
             "the end is that of the last part");

    c.nparts = 0;
    t_is_int((int64_t) judge_conversation_offset(&c, 0), 0,
             "an offset in a conversation without parts is itself");
    judge_arena_destroy(arena);

    return t_done();
}
