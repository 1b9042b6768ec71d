/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>
#include <string.h>

#include "base/text/utf8.h"
#include "analysis/checks/checks.h"
#include "analysis/text/math.h"
#include "work/evaluation/evaluate.h"
#include "work/service/extension.h"


bool
judge_evaluate_cancelled(void *data)
{
    judge_evaluate_t  *group = data;

    return atomic_load_explicit(&group->deleted[group->current],
                                memory_order_relaxed)
           || atomic_load_explicit(&group->stopped, memory_order_relaxed)
           || judge_service_leaving(group->service);
}


/* Scores all of a text; see judge_evaluate_scope(). */

static judge_rc_e
judge_evaluate_verdict(judge_evaluate_t *group, size_t i,
    const judge_evaluate_text_t *text, judge_verdict_t *verdict,
    judge_origin_t *origin)
{
    judge_rc_e                     rc;
    judge_allowance_t              allowance;
    const judge_evaluate_judge_t  *judge = &group->judges[i];

    judge_arena_reset(group->scratch);
    allowance = judge_checks_allowance(text->item.text.len);
    allowance.cancelled = judge_evaluate_cancelled;
    allowance.data = group;

    rc = judge_score_reading(judge->scorer, text->reading, group->scratch,
                             verdict);
    rc = rc ? rc : judge_calibrator_calibrate(group->calibrators[i],
                                              group->scratch, &judge->rubric,
                                              &text->item, verdict, origin);

    if (rc == JUDGE_OK) {
        judge_verdict_cap(&judge->rubric, verdict);
        rc = judge_checks_apply(group->scratch, &judge->rubric, &text->item,
                                verdict, &allowance);
    }

    return rc;
}


/* Scores the i-th answer of a conversation, or all of it if it has no i-th
 * answer; sets *part to the text that was scored. */

static judge_rc_e
judge_evaluate_part(judge_evaluate_t *group, size_t judge,
    const judge_evaluate_text_t *text, size_t i, judge_evaluate_text_t *part,
    judge_verdict_t *verdict, judge_origin_t *origin)
{
    *part = *text;
    if (group->turns == NULL) {
        group->turns = judge_arena_create(JUDGE_EVALUATE_SCRATCH);
    } else {
        judge_arena_reset(group->turns);
    }

    if (i < text->item.conversation->nanswers) {
        judge_conversation_answer(&part->item, i);
    }

    part->reading = group->turns
                    ? judge_reading_create(group->turns, &part->item) : NULL;
    memset(verdict, 0, sizeof(judge_verdict_t));

    return part->reading ? judge_evaluate_verdict(group, judge, part, verdict,
                                                  origin) : JUDGE_NOMEM;
}


static judge_rc_e
judge_evaluate_note(judge_evaluate_t *group, const judge_rubric_t *rubric,
    const judge_evaluate_text_t *part, size_t i,
    const judge_verdict_t *verdict, judge_turn_t *turn)
{
    size_t                       k;
    const judge_conversation_t  *c = part->item.conversation;

    *turn = (judge_turn_t) {
        .message = c->parts[c->answers[i]].message,
        .start = part->item.offset,
        .end = part->item.offset + judge_utf8_length(part->item.text),
        .overall = verdict->overall,
        .scores = judge_array_alloc(group->arena, rubric->ncriteria,
                                    sizeof(double)),
        .flags = judge_array_alloc(group->arena, verdict->nflags + 1,
                                   sizeof(char *)),
        .nflags = verdict->nflags
    };

    if (turn->scores == NULL || turn->flags == NULL) {
        return JUDGE_NOMEM;
    }

    for (k = 0; k < rubric->ncriteria; k++) {
        turn->scores[k] = verdict->scores[k].score;
    }

    for (k = 0; k < verdict->nflags; k++) {
        turn->flags[k] = verdict->flags[k].name;
    }

    return JUDGE_OK;
}


/* Replaces the verdict's scores, which are of one answer, by the means of all
 * answers. */

static void
judge_evaluate_means(judge_evaluate_t *group, const judge_rubric_t *rubric,
    size_t message, judge_verdict_t *verdict, judge_origin_t *origin)
{
    double       sum, previous;
    size_t       i, k, n;
    judge_str_t  reason;

    for (i = 0; i < rubric->ncriteria; i++) {
        for (k = 0, n = 0, sum = 0; k < verdict->nturns; k++) {
            if (!isnan(verdict->turns[k].scores[i])) {
                sum += verdict->turns[k].scores[i];
                n++;
            }
        }

        if (n == 0) {
            continue;
        }

        reason = judge_str_printf(group->arena, "The mean of %zu answers; the"
                                  " feedback is on message %zu.", n, message);
        previous = verdict->scores[i].score;
        verdict->scores[i].score = judge_round2(sum / (double) n);
        judge_score_stage(&verdict->scores[i], JUDGE_STAGE_TURNS, previous,
                          reason.data ? reason : JUDGE_STR(""));
    }

    judge_verdict_total(rubric, verdict);
    origin->raw = NULL;                /* both members are of one answer */
    origin->has_interval = false;
}


/* Judges the last answers one by one.  Then it judges the answer with the
 * lowest score again, because only the feedback of the last call is kept, and
 * puts the means into this verdict. */

static judge_rc_e
judge_evaluate_turns(judge_evaluate_t *group, size_t judge,
    const judge_evaluate_text_t *text, judge_evaluate_text_t *part,
    judge_verdict_t *verdict, judge_origin_t *origin)
{
    size_t                 i, n, first, lowest;
    judge_rc_e             rc;
    judge_turn_t          *turns;
    const judge_rubric_t  *rubric = &group->judges[judge].rubric;
    const judge_origin_t   fresh = *origin;

    n = text->item.conversation->nanswers;
    first = n > JUDGE_TURNS_MAX ? n - JUDGE_TURNS_MAX : 0;
    n -= first;

    turns = judge_array_alloc(group->arena, n, sizeof(judge_turn_t));
    if (turns == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0, lowest = 0; i < n; i++) {
        *origin = fresh;
        rc = judge_evaluate_part(group, judge, text, first + i, part, verdict,
                                 origin);
        rc = rc ? rc : judge_evaluate_note(group, rubric, part, first + i,
                                           verdict, &turns[i]);
        if (rc != JUDGE_OK) {
            return rc;
        }

        if (isnan(turns[lowest].overall)
            || turns[i].overall < turns[lowest].overall)
        {
            lowest = i;
        }
    }

    *origin = fresh;
    rc = judge_evaluate_part(group, judge, text, first + lowest, part, verdict,
                             origin);
    if (rc == JUDGE_OK) {
        verdict->turns = turns;
        verdict->nturns = n;
        verdict->nanswers = first + n;
        judge_evaluate_means(group, rubric, turns[lowest].message, verdict,
                             origin);
    }

    return rc;
}


judge_rc_e
judge_evaluate_scope(judge_evaluate_t *group, size_t judge,
    const judge_evaluate_text_t *text, judge_evaluate_text_t *part,
    judge_verdict_t *verdict, judge_origin_t *origin)
{
    judge_scope_e                scope;
    const judge_conversation_t  *c = text->item.conversation;

    if (c == NULL) {
        *part = *text;
        return judge_evaluate_verdict(group, judge, part, verdict, origin);
    }

    scope = judge_scope_find(group->jobs[judge]->scope);
    if (scope == JUDGE_SCOPE_EACH) {
        return judge_evaluate_turns(group, judge, text, part, verdict, origin);
    }

    return judge_evaluate_part(group, judge, text,
                               scope == JUDGE_SCOPE_WHOLE ? c->nanswers
                                                          : c->nanswers - 1,
                               part, verdict, origin);
}
