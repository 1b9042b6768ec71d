/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Turns an entry into examples, by the table in the header. */


#include "base/json/json.h"
#include "base/text/number.h"
#include "work/feedback/feedback_queue.h"


#define JUDGE_LEARN_ENDORSED  0.5      /* weight; a correction has 1 */

typedef struct {
    judge_arena_t         *arena;
    judge_feedback_job_t  *job;
    judge_json_t          *content;
    judge_json_t          *stored;
    judge_json_t          *targets;
    double                 scale;      /* v of the table, by the severity */
} judge_learn_t;


static judge_rc_e
judge_learn_nothing(judge_feedback_job_t *job, const char *why)
{
    job->nexamples = 0;
    job->notes = judge_str_c(why);

    return JUDGE_OK;
}


/* Allocates an example for each score, stored or corrected: an entry makes no
 * more than these. */

static judge_rc_e
judge_learn_parse(judge_learn_t *l)
{
    size_t                       i, room;
    judge_rc_e                   rc;
    judge_json_t                *corrected;
    const judge_feedback_row_t  *row = &l->job->row;
    const struct {
        judge_str_t         text;
        judge_json_type_e   type;
        judge_json_t      **value;
    } parts[] = {
        { row->content, JUDGE_JSON_OBJECT, &l->content },
        { row->given_scores, JUDGE_JSON_OBJECT, &l->stored },
        { row->target_criteria, JUDGE_JSON_ARRAY, &l->targets }
    };

    for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        rc = judge_json_parse(l->arena, parts[i].text, parts[i].value, NULL);
        if (rc != JUDGE_OK) {
            return rc;
        }
        if ((*parts[i].value)->type != parts[i].type) {
            return JUDGE_ERROR;
        }
    }

    l->scale = judge_str_eq_c(row->severity, "low") ? 0.5
               : judge_str_eq_c(row->severity, "high") ? 2 : 1;

    corrected = judge_json_member(l->content, "corrected_scores",
                                  JUDGE_JSON_OBJECT);
    room = l->stored->count + 1 + (corrected ? corrected->count : 0);
    l->job->examples = judge_array_alloc(l->arena, room,
                                         sizeof(judge_example_t));

    return l->job->examples ? JUDGE_OK : JUDGE_NOMEM;
}


static void
judge_learn_add(judge_learn_t *l, judge_str_t criterion, const char *kind,
    double target, double weight)
{
    judge_json_t     *given = judge_json_find(l->stored, criterion);
    judge_example_t  *example;

    example = &l->job->examples[l->job->nexamples++];
    *example = (judge_example_t) { criterion, kind, target, weight, 0, false };

    if (judge_json_is_number(given)) {
        example->given = judge_json_double(given);
        example->known = true;
    }
}


static judge_rc_e
judge_learn_note(judge_learn_t *l, const char *what, double weight)
{
    char    text[JUDGE_NUMBER_LEN];
    size_t  n;

    n = l->job->nexamples;
    if (n == 0) {
        return judge_learn_nothing(l->job, "the evaluation gives no scores"
                                           " for its criteria");
    }

    (void) judge_number_format(weight, text);
    l->job->notes = judge_str_printf(l->arena, "used as %zu training"
                                     " example%s of weight %s: %s", n,
                                     n == 1 ? "" : "s", text, what);

    return l->job->notes.data ? JUDGE_OK : JUDGE_NOMEM;
}


static judge_rc_e
judge_learn_correction(judge_learn_t *l)
{
    judge_json_t  *corrected, *overall;

    corrected = judge_json_member(l->content, "corrected_scores",
                                  JUDGE_JSON_OBJECT);
    overall = judge_json_get(l->content, "corrected_overall_score");

    for (corrected = corrected ? corrected->first : NULL; corrected;
         corrected = corrected->next)
    {
        judge_learn_add(l, corrected->key, "correction",
                        judge_json_double(corrected), l->scale);
    }

    if (overall) {
        judge_learn_add(l, JUDGE_STR(""), "correction",
                        judge_json_double(overall), l->scale);
    }

    return judge_learn_note(l, "the corrected scores", l->scale);
}


static judge_rc_e
judge_learn_stored(judge_learn_t *l, const char *kind, double weight)
{
    judge_json_t  *score, *target;

    weight *= l->scale;

    for (score = l->stored->first; score; score = score->next) {
        if (score->key.len == 0
            && (l->targets->count || l->job->row.criterion_specific))
        {
            continue;
        }

        for (target = l->targets->first; target; target = target->next) {
            if (target->type == JUDGE_JSON_STRING
                && judge_str_eq(target->string, score->key))
            {
                break;
            }
        }

        if (target || l->targets->count == 0) {
            judge_learn_add(l, score->key, kind, judge_json_double(score),
                            weight);
        }
    }

    return judge_learn_note(l, weight > 0 ? "the given scores are right"
                                          : "the given scores are in doubt",
                            weight);
}


judge_rc_e
judge_feedback_examples(judge_arena_t *arena, judge_feedback_job_t *job)
{
    double         stars;
    judge_rc_e     rc;
    judge_str_t    type = job->row.type;
    judge_json_t  *v;
    judge_learn_t  l = { .arena = arena, .job = job };

    job->nexamples = 0;

    if (job->judge_deleted) {
        return judge_learn_nothing(job, "the judge has been deleted");
    }

    rc = judge_learn_parse(&l);
    if (rc != JUDGE_OK) {
        return rc == JUDGE_NOMEM ? rc
               : judge_learn_nothing(job, "the entry can't be read");
    }

    if (judge_str_eq_c(type, "correction")) {
        return judge_learn_correction(&l);
    }

    if (judge_str_eq_c(type, "approval")) {
        v = judge_json_get(l.content, "approved");
        if (v && v->type == JUDGE_JSON_BOOLEAN) {
            return judge_learn_stored(&l, v->boolean ? "approval"
                                                     : "rejection",
                                      v->boolean ? JUDGE_LEARN_ENDORSED
                                                 : -JUDGE_LEARN_ENDORSED);
        }

    } else if (judge_str_eq_c(type, "rating")) {
        v = judge_json_get(l.content, "rating");
        stars = v ? judge_json_double(v) : 0;

        if (stars == 3) {
            return judge_learn_nothing(job, "a rating of 3 speaks neither for"
                                            " nor against the given scores");
        }

        /* A rating of 5 weighs as an approval does, and 1 as a rejection. */
        if (stars >= 1 && stars <= 5) {
            return judge_learn_stored(&l, "rating",
                                      JUDGE_LEARN_ENDORSED * (stars - 3) / 2);
        }

    } else {
        return judge_learn_nothing(job, "a comment has no score; it is kept"
                                        " to be read");
    }

    return judge_learn_nothing(job, "the entry can't be read");
}
