/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Renders each criterion of an evaluation's record. */


#include <math.h>

#include "analysis/learning/learn.h"
#include "analysis/llm/panel.h"
#include "analysis/text/math.h"
#include "base/text/number.h"
#include "store/packing/packing.h"
#include "work/render/evaluation_json.h"
#include "work/render/scores_json.h"


#define JUDGE_RECORD_PIECES  16        /* bytes beside a value, at most */


/* Writes a reference to what the buffer has already, and returns true; else
 * the caller writes it, and sets the end of *slot. */

static bool
judge_record_refer(judge_buf_t *b, judge_written_t *written, const void *what,
    judge_written_t **slot)
{
    judge_written_t  *at;

    at = &written[((uintptr_t) what ^ (uintptr_t) what >> 7) % JUDGE_WRITTEN];
    *slot = at;

    if (at->source == what && at->end > at->begin
        && at->end <= JUDGE_PACKING_MAX)
    {
        judge_compact_repeat(b, at->begin, at->end);
        return true;
    }

    at->source = what;
    at->begin = at->end = b->len;

    return false;
}


/* The characters of a string.  What criteria have in common, they share. */

static void
judge_record_shared(judge_buf_t *b, judge_written_t *written, judge_str_t s)
{
    judge_written_t  *slot;

    if (!judge_record_refer(b, written, s.data, &slot)) {
        judge_json_characters(b, s);
        slot->end = b->len;
    }
}


static void
judge_record_feedback(judge_json_writer_t *w, judge_str_t feedback,
    judge_written_t *written)
{
    if (feedback.data != NULL) {
        judge_json_key(w, "feedback");
        judge_json_begin_value(w);
        judge_buf_c(w->buf, "\"");
        judge_record_shared(w->buf, written, feedback);
        judge_buf_c(w->buf, "\"");
    }
}


static void
judge_record_value(judge_buf_t *b, const char *before, double v,
    const char *after)
{
    char  *p;

    p = judge_buf_room(b, JUDGE_RECORD_PIECES + JUDGE_NUMBER_LEN);
    if (p == NULL) {
        return;
    }

    while (*before != '\0') {
        *p++ = *before++;
    }

    p += judge_number2_format(v, p);

    while (*after != '\0') {
        *p++ = *after++;
    }

    b->len = (size_t) (p - b->data);
}


static void
judge_record_passages(judge_json_writer_t *w,
    const judge_criterion_score_t *score, judge_written_t *written)
{
    size_t                  i, begin;
    judge_buf_t            *b = w->buf;
    judge_written_t        *slot;
    const judge_passage_t  *p = score->passages;

    if (score->npassages == 0) {
        return;
    }

    judge_json_key(w, "passages");
    judge_json_begin_value(w);

    if (judge_record_refer(b, written, p, &slot)) {
        return;
    }

    begin = b->len;

    for (i = 0; i < score->npassages; i++, p++) {
        judge_record_value(b, i > 0 ? "," JUDGE_COMPACT_START
                                    : "[" JUDGE_COMPACT_START,
                           (double) p->place.start, JUDGE_COMPACT_STOP);
        judge_record_value(b, "", (double) p->place.end, JUDGE_COMPACT_QUOTE);
        judge_json_characters(b, p->place.quote);
        judge_buf_append(b, JUDGE_COMPACT_NOTE, 1);
        judge_record_shared(b, written, p->note);
        judge_buf_append(b, JUDGE_COMPACT_WEAKNESS, 1);
    }

    judge_buf_c(b, "]");
    *slot = (judge_written_t) { score->passages, begin, b->len };
}


static void
judge_record_found(judge_json_writer_t *w,
    const judge_check_passage_t *passages, size_t n)
{
    size_t  i;

    if (n == 0) {
        return;
    }

    judge_json_key_array(w, "passages");

    for (i = 0; i < n; i++) {
        judge_json_object(w);
        judge_json_put_int(w, "start", (int64_t) passages[i].start);
        judge_json_put_int(w, "end", (int64_t) passages[i].end);
        judge_json_put_str(w, "quote", passages[i].quote);
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
        judge_record_found(w, r->passages, r->npassages);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


static void
judge_record_measures(judge_json_writer_t *w,
    const judge_criterion_score_t *score, judge_written_t *written)
{
    size_t                i;
    judge_buf_t          *b = w->buf;
    const judge_shown_t  *m = score->measures;

    if (score->nmeasures == 0) {
        return;
    }

    judge_json_key(w, "measures");
    judge_json_begin_value(w);

    for (i = 0; i < score->nmeasures; i++, m++) {
        judge_buf_c(b, i > 0 ? "," JUDGE_COMPACT_NAME
                             : "[" JUDGE_COMPACT_NAME);
        judge_record_shared(b, written, judge_str_c(m->name));
        judge_record_value(b, JUDGE_COMPACT_VALUE, m->value,
                           m->percent ? JUDGE_COMPACT_PERCENT : "");
        judge_record_value(b, JUDGE_COMPACT_TYPICAL, m->low,
                           JUDGE_COMPACT_HIGH);
        judge_record_value(b, "", m->high, m->raises ? JUDGE_COMPACT_RAISES
                                                     : JUDGE_COMPACT_LOWERS);
    }

    judge_buf_c(b, "]");
}


static void
judge_record_stages(judge_json_writer_t *w,
    const judge_criterion_score_t *score)
{
    size_t                i;
    judge_buf_t          *b = w->buf;
    const judge_stage_t  *s = score->stages;

    if (score->nstages == 0) {
        return;
    }

    judge_json_key(w, "stages");
    judge_json_begin_value(w);

    for (i = 0; i < score->nstages; i++, s++) {
        judge_buf_c(b, i > 0 ? "," JUDGE_COMPACT_STAGE
                             : "[" JUDGE_COMPACT_STAGE);
        judge_buf_c(b, judge_stage_names[s->stage]);
        judge_buf_c(b, "\"");

        if (!isnan(s->before)) {
            judge_record_value(b, ",\"before\":", s->before, "");
        }

        if (!isnan(s->after)) {
            judge_record_value(b, JUDGE_COMPACT_AFTER, s->after, "");
        }

        judge_buf_c(b, JUDGE_COMPACT_REASON);
        judge_json_characters(b, s->reason);
        judge_buf_c(b, "\"}");
    }

    judge_buf_c(b, "]");
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
        judge_json_put_number2(w, "score", m->score);
        judge_json_put_c(w, "status", m->status);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
    judge_json_put_number2(w, "spread", panel->spread);
}


void
judge_record_scores(judge_json_writer_t *w, const judge_rubric_t *rubric,
    const judge_verdict_t *verdict, const judge_origin_t *origin,
    judge_written_t *written)
{
    size_t        i;
    const float  *raw = origin->raw;

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
        if (origin->widths && judge_score_has_interval(&verdict->scores[i])) {
            judge_record_interval(w, &origin->widths[i],
                                  verdict->scores[i].score);
        }
        judge_record_feedback(w, verdict->scores[i].feedback, written);
        judge_record_passages(w, &verdict->scores[i], written);
        judge_record_checks(w, &verdict->scores[i]);
        judge_record_measures(w, &verdict->scores[i], written);
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
        judge_record_found(w, &flag->place, flag->place.quote.data != NULL);
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
        judge_json_put_number2(w, "overall_score", t->overall);

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
judge_score_has_interval(const judge_criterion_score_t *score)
{
    return !isnan(score->score)
           && (score->nchecks == 0 || !isnan(score->judged));
}


const judge_width_t *
judge_overall_width(const judge_rubric_t *rubric,
    const judge_verdict_t *verdict, const judge_origin_t *origin)
{
    bool                  exact;
    size_t                i;
    const judge_width_t  *width;

    width = origin->widths ? &origin->widths[rubric->ncriteria] : NULL;
    exact = width && !width->corrected && !isnan(verdict->overall);

    for (i = 0; exact && i < rubric->ncriteria; i++) {
        exact = !judge_score_has_interval(&verdict->scores[i]);
    }

    return exact ? NULL : width;
}


void
judge_record_interval(judge_json_writer_t *w, const judge_width_t *width,
    double score)
{
    double  low, high;

    score += width->shift;
    low = judge_clamp(score - width->width, 0, 100);
    high = judge_clamp(score + width->width, 0, 100);

    if (!width->corrected && width->n == 0) {
        judge_json_key(w, "interval");
        judge_json_begin_value(w);
        judge_record_value(w->buf, JUDGE_COMPACT_LOW, low, JUDGE_COMPACT_HIGH);
        judge_record_value(w->buf, "", high, JUDGE_COMPACT_PRIOR);
        return;
    }

    judge_json_key_object(w, "interval");
    judge_json_put_number2(w, "low", low);
    judge_json_put_number2(w, "high", high);

    /* Without corrections the level is not known. */
    if (width->corrected) {
        judge_json_put_number(w, "level", JUDGE_PREDICTOR_COVERAGE);
    }

    judge_json_put_c(w, "basis", width->corrected ? "corrections" : "prior");
    judge_json_put_int(w, "n", width->n);
    judge_json_object_end(w);
}
