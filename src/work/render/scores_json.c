/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Renders each criterion of an evaluation's record. */


#include <math.h>

#include "analysis/checks/checks.h"
#include "analysis/learning/predictor.h"
#include "analysis/llm/panel.h"
#include "analysis/text/math.h"
#include "work/render/evaluation_json.h"
#include "work/render/scores_json.h"


static void
judge_record_score_interval(judge_json_writer_t *w,
    const judge_width_t *width, const judge_criterion_score_t *score)
{
    if (judge_score_unsure(score)) {
        judge_record_interval(w, width, score->score);
    }
}


static void
judge_record_passage(judge_json_writer_t *w,
    const judge_check_passage_t *passage)
{
    judge_json_put_int(w, "start", (int64_t) passage->start);
    judge_json_put_int(w, "end", (int64_t) passage->end);
    judge_json_put_str(w, "quote", passage->quote);
}


#define JUDGE_RECORD_WRITTEN  4        /* different passages, at most */

/* Where the JSON of passages stands in the output.  Criteria often have the
 * same passages: their JSON is then copied from there. */
typedef struct {
    const judge_passage_t  *passages;
    size_t                  begin;
    size_t                  end;
} judge_record_written_t;


static void
judge_record_passages(judge_json_writer_t *w,
    const judge_criterion_score_t *score, judge_record_written_t *written)
{
    size_t  i, n;

    if (score->npassages == 0) {
        return;
    }

    judge_json_key(w, "passages");

    for (i = 0; i < JUDGE_RECORD_WRITTEN - 1 && written->passages != NULL
                && written->passages != score->passages; i++)
    {
        written++;
    }

    n = written->passages == score->passages ? written->end - written->begin
                                             : 0;

    if (n > 0 && judge_buf_room(w->buf, n + 1) != NULL) {
        judge_json_raw(w, (judge_str_t) { n, w->buf->data + written->begin });
        return;
    }

    written->passages = score->passages;
    written->begin = w->buf->len + 1;  /* after the colon */
    judge_json_array(w);

    for (i = 0; i < score->npassages; i++) {
        judge_json_object(w);
        judge_record_passage(w, &score->passages[i].at);
        judge_json_put_str(w, "note", score->passages[i].note);
        judge_json_put_c(w, "kind", score->passages[i].strength
                                    ? "strength" : "weakness");
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
    written->end = w->buf->len;
}


static void
judge_record_found(judge_json_writer_t *w, const judge_check_result_t *r)
{
    size_t  i;

    if (r->npassages == 0) {
        return;
    }

    judge_json_key_array(w, "passages");

    for (i = 0; i < r->npassages; i++) {
        judge_json_object(w);
        judge_record_passage(w, &r->passages[i]);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


/* Leaves out checks that could not be decided, unless they took too much work:
 * the feedback gives the reason. */

static void
judge_record_checks(judge_json_writer_t *w,
    const judge_criterion_score_t *score)
{
    size_t                       i;
    const judge_check_result_t  *r;

    if (score->nchecks == 0) {
        return;
    }

    judge_json_key_array(w, "checks");

    for (i = 0; i < score->nchecks; i++) {
        r = &score->checks[i];

        if (judge_check_result(r) == NULL) {
            continue;
        }

        judge_json_object(w);
        judge_json_put_str(w, "type", r->check->name);

        if (r->check->value) {
            judge_json_key(w, "value");
            judge_json_value(w, r->check->value);
        }

        judge_json_put_c(w, "result", judge_check_result(r));
        judge_record_found(w, r);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


static void
judge_record_measures(judge_json_writer_t *w,
    const judge_criterion_score_t *score)
{
    size_t                i;
    const judge_shown_t  *m;

    if (score->nmeasures == 0) {
        return;
    }

    judge_json_key_array(w, "measures");

    for (i = 0; i < score->nmeasures; i++) {
        m = &score->measures[i];
        judge_json_object(w);
        judge_json_put_c(w, "name", m->name);
        judge_json_put_number2(w, "value", m->value);

        judge_json_put_c(w, "unit", m->unit);

        if (m->typical) {
            judge_json_key_object(w, "typical");
            judge_json_put_number2(w, "low", m->low);
            judge_json_put_number2(w, "high", m->high);
            judge_json_object_end(w);
        }

        judge_json_put_c(w, "direction", m->raises ? "raises" : "lowers");
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


static void
judge_record_stages(judge_json_writer_t *w,
    const judge_criterion_score_t *score)
{
    size_t                i;
    const judge_stage_t  *s;

    if (score->nstages == 0) {
        return;
    }

    judge_json_key_array(w, "stages");

    for (i = 0; i < score->nstages; i++) {
        s = &score->stages[i];
        judge_json_object(w);
        judge_json_put_c(w, "stage", judge_stage_names[s->stage]);

        if (!isnan(s->before)) {
            judge_json_put_number2(w, "before", s->before);
        }

        if (!isnan(s->after)) {
            judge_json_put_number2(w, "after", s->after);
        }

        judge_json_put_str(w, "reason", s->reason);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


static void
judge_record_panel(judge_json_writer_t *w, const judge_panel_scores_t *panel)
{
    size_t                       i;
    const judge_panel_member_t  *m;

    if (panel == NULL) {
        return;
    }

    judge_json_key_array(w, "panel");

    for (i = 0; i < panel->n; i++) {
        m = &panel->members[i];
        judge_json_object(w);
        judge_json_put_str(w, "model", m->model);
        if (!isnan(m->score)) {
            judge_json_put_number2(w, "score", m->score);
        }
        judge_json_put_c(w, "status", m->status);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
    judge_json_put_number2(w, "spread", panel->spread);
}


void
judge_record_scores(judge_json_writer_t *w, const judge_rubric_t *rubric,
    const judge_verdict_t *verdict, const judge_origin_t *origin)
{
    size_t                   i;
    const float             *raw = origin->raw;
    judge_record_written_t   written[JUDGE_RECORD_WRITTEN] = { { 0 } };

    judge_json_key_array(w, "criteria_scores");

    for (i = 0; i < rubric->ncriteria; i++) {
        if (isnan(verdict->scores[i].score)) {
            continue;
        }

        judge_json_object(w);
        judge_json_put_str(w, "criterion_id", rubric->criteria[i].id);
        judge_json_put_str(w, "name", rubric->criteria[i].name);
        judge_json_put_number2(w, "score", verdict->scores[i].score);
        if (verdict->scores[i].judged_by != JUDGE_BY_AUTO) {
            judge_json_put_c(w, "judged_by",
                  judge_judged_by_names[verdict->scores[i].judged_by]);
        }
        if (raw && !isnan(raw[i])) {
            judge_json_put_number2(w, "raw_score", (double) raw[i]);
        } else if (raw == NULL && verdict->scores[i].nchecks
                   && !isnan(verdict->scores[i].judged))
        {
            judge_json_put_number2(w, "raw_score", verdict->scores[i].judged);
        }
        if (origin->widths) {
            judge_record_score_interval(w, &origin->widths[i],
                                        &verdict->scores[i]);
        }
        judge_json_put_str(w, "feedback", verdict->scores[i].feedback);
        judge_record_passages(w, &verdict->scores[i], written);
        judge_record_checks(w, &verdict->scores[i]);
        judge_record_measures(w, &verdict->scores[i]);
        judge_record_stages(w, &verdict->scores[i]);
        judge_record_panel(w, verdict->scores[i].panel);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


void
judge_record_unjudged(judge_json_writer_t *w, const judge_rubric_t *rubric,
    const judge_verdict_t *verdict)
{
    size_t                          i;
    const judge_criterion_score_t  *s;

    judge_json_key_array(w, "not_judged");

    for (i = 0; i < rubric->ncriteria; i++) {
        s = &verdict->scores[i];

        if (isnan(s->score)) {
            judge_json_object(w);
            judge_json_put_str(w, "criterion_id", rubric->criteria[i].id);
            judge_json_put_str(w, "name", rubric->criteria[i].name);
            judge_json_put_str(w, "reason", s->reason.len ? s->reason
                                            : s->feedback);
            judge_record_checks(w, s);
            judge_json_object_end(w);
        }
    }

    judge_json_array_end(w);
}


void
judge_record_flags(judge_json_writer_t *w, const judge_verdict_t *verdict)
{
    size_t                    i;
    const judge_text_flag_t  *flag;

    if (verdict->nflags == 0) {
        return;
    }

    judge_json_key_array(w, "flags");

    for (i = 0; i < verdict->nflags; i++) {
        flag = &verdict->flags[i];
        judge_json_object(w);
        judge_json_put_c(w, "flag", flag->name);
        judge_json_put_c(w, "reason", flag->reason);
        judge_json_put_number2(w, "cap", flag->cap);

        if (flag->at.quote.data) {
            judge_json_key_array(w, "passages");
            judge_json_object(w);
            judge_record_passage(w, &flag->at);
            judge_json_object_end(w);
            judge_json_array_end(w);
        }

        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


void
judge_record_turns(judge_json_writer_t *w, const judge_rubric_t *rubric,
    const judge_verdict_t *verdict)
{
    size_t               i, k;
    const judge_turn_t  *t;

    if (verdict->turns == NULL) {
        return;
    }

    judge_json_put_int(w, "answers", (int64_t) verdict->nanswers);
    judge_json_key_array(w, "turns");

    for (i = 0; i < verdict->nturns; i++) {
        t = &verdict->turns[i];
        judge_json_object(w);
        judge_json_put_int(w, "index", (int64_t) t->message);
        judge_json_put_int(w, "start", (int64_t) t->start);
        judge_json_put_int(w, "end", (int64_t) t->end);
        if (!isnan(t->overall)) {
            judge_json_put_number2(w, "overall_score", t->overall);
        }

        judge_json_key_array(w, "criteria_scores");
        for (k = 0; k < rubric->ncriteria; k++) {
            if (!isnan(t->scores[k])) {
                judge_json_object(w);
                judge_json_put_str(w, "criterion_id", rubric->criteria[k].id);
                judge_json_put_number2(w, "score", t->scores[k]);
                judge_json_object_end(w);
            }
        }
        judge_json_array_end(w);

        judge_json_key_array(w, "flags");
        for (k = 0; k < t->nflags; k++) {
            judge_json_str(w, judge_str_c(t->flags[k]));
        }
        judge_json_array_end(w);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


bool
judge_score_unsure(const judge_criterion_score_t *score)
{
    return !isnan(score->score)
           && (score->nchecks == 0 || !isnan(score->judged));
}


void
judge_record_interval(judge_json_writer_t *w, const judge_width_t *width,
    double score)
{
    judge_json_key_object(w, "interval");
    score += width->shift;
    judge_json_put_number2(w, "low", judge_clamp(score - width->width, 0,
                                                 100));
    judge_json_put_number2(w, "high", judge_clamp(score + width->width, 0,
                                                  100));

    /* Without corrections the level is not known. */
    if (width->corrected) {
        judge_json_put_number(w, "level", JUDGE_PREDICTOR_COVERAGE);
    }

    judge_json_put_c(w, "basis", width->corrected ? "corrections" : "prior");
    judge_json_put_int(w, "n", width->n);
    judge_json_object_end(w);
}
