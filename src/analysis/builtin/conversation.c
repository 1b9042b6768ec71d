/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "base/text/utf8.h"
#include "analysis/builtin/conversation.h"


const char *const  judge_role_names[JUDGE_ROLES + 1] = {
    "system", "developer", "user", "assistant", "tool", NULL
};

const char *const  judge_scope_names[JUDGE_SCOPES + 1] = {
    "last_answer", "each_answer", "whole", NULL
};


judge_scope_e
judge_scope_find(judge_str_t name)
{
    size_t  i = judge_str_index_c(judge_scope_names, name);

    return i < JUDGE_SCOPES ? (judge_scope_e) i : JUDGE_SCOPE_LAST;
}


void
judge_conversation_answer(judge_item_t *item, size_t i)
{
    size_t                       k;
    judge_str_t                  text;
    const judge_part_t          *part;
    const judge_conversation_t  *c = item->conversation;

    k = c->answers[i];
    part = &c->parts[k];
    text = c->text;
    item->text = (judge_str_t) { part->end - part->begin,
                                 text.data + part->begin };
    item->offset = judge_utf8_length((judge_str_t) { part->begin,
                                                      text.data });

    while (item->question.data == NULL && k > 0) {
        part = &c->parts[--k];
        if (part->role == JUDGE_ROLE_USER) {
            item->question = (judge_str_t) { part->end - part->begin,
                                             text.data + part->begin };
        }
    }
}


judge_str_t
judge_conversation_unlabelled(judge_arena_t *arena,
    const judge_conversation_t *c, judge_str_t transcript)
{
    size_t               end;
    judge_buf_t          b;
    const judge_part_t  *part = c->parts;

    judge_buf_init(&b, arena);

    for ( /* void */ ; part < c->parts + c->nparts; part++) {
        end = part->next < transcript.len ? part->next : transcript.len;
        if (part->begin < end) {
            judge_buf_append(&b, transcript.data + part->begin,
                             end - part->begin);
        }
    }

    return b.failed ? (judge_str_t) { 0, NULL } : judge_buf_view(&b);
}


size_t
judge_conversation_offset(const judge_conversation_t *c, size_t at)
{
    const judge_part_t  *part, *last;

    if (c->nparts == 0) {
        return at;
    }

    part = c->parts;
    last = part + c->nparts - 1;

    while (part < last && at >= part->next - part->begin) {
        at -= part->next - part->begin;
        part++;
    }

    return part->begin + at;
}


void
judge_verdict_shift(const judge_rubric_t *rubric, judge_verdict_t *verdict,
    size_t n)
{
    size_t                    i, k, m;
    judge_check_result_t     *r;
    judge_criterion_score_t  *score;

    for (i = 0; n > 0 && i < rubric->ncriteria; i++) {
        score = &verdict->scores[i];

        /* criteria may share an array of passages, which is shifted once */

        for (m = 0; m < i && verdict->scores[m].passages != score->passages;
             m++)
        {
            /* void */
        }

        for (k = 0; m == i && k < score->npassages; k++) {
            score->passages[k].place.start += n;
            score->passages[k].place.end += n;
        }

        for (k = 0; k < score->nchecks; k++) {
            r = &score->checks[k];
            for (m = 0; m < r->npassages; m++) {
                r->passages[m].start += n;
                r->passages[m].end += n;
            }
        }
    }

    for (i = 0; n > 0 && i < verdict->nflags; i++) {
        verdict->flags[i].place.start += n;
        verdict->flags[i].place.end += n;
    }
}
