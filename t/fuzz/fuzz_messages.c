/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Messages of a conversation, as clients send them.  Those that are taken have
 * an answer, and each part, call and answer lies in the transcript, in order.
 */


#include <stdlib.h>
#include <string.h>

#include "analysis/builtin/conversation.h"
#include "base/text/utf8.h"
#include "extensions/conversations/conversations.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static void
fuzz_places(const judge_conversation_t *c)
{
    size_t        i, at;
    judge_item_t  item;

    for (i = 0, at = 0; i < c->nparts; i++) {
        if (c->parts[i].begin < at || c->parts[i].end < c->parts[i].begin
            || c->parts[i].end > c->text.len)
        {
            abort();
        }
        at = c->parts[i].begin;
    }

    for (i = 0; i < c->ncalls; i++) {
        if (c->calls[i].part >= c->nparts || c->calls[i].result >= c->nparts
            || c->calls[i].begin >= c->calls[i].end
            || c->calls[i].end > c->text.len)
        {
            abort();
        }
    }

    for (i = 0; i < c->nanswers; i++) {
        item = (judge_item_t) { .text = c->text, .conversation = c };
        judge_conversation_answer(&item, i);
        if (c->answers[i] >= c->nparts || item.offset > c->text.len
            || item.text.len == 0
            || judge_utf8_check(item.text) != item.text.len)
        {
            abort();
        }
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    judge_rc_e            rc;
    judge_str_t           error, text = { size, (const char *) data };
    judge_json_t         *messages;
    judge_arena_t        *arena;
    judge_conversation_t  c;

    arena = judge_arena_create(4096);
    if (arena == NULL) {
        return 0;
    }

    if (judge_json_parse(arena, text, &messages, NULL) == JUDGE_OK) {
        rc = judge_messages_read(arena, messages, JUDGE_STR("messages"), &c,
                                 &error);
        if (rc == JUDGE_OK) {
            if (c.nanswers == 0) {
                abort();
            }
            fuzz_places(&c);

        } else if (rc == JUDGE_INVALID && error.len == 0) {
            abort();
        }
    }

    judge_arena_destroy(arena);

    return 0;
}
