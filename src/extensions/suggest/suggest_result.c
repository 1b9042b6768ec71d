/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The result of a run, as it is stored.  It has no comments of people: they
 * are read when it is shown, so that deleted feedback does not appear. */


#include <math.h>

#include "extensions/suggest/suggest.h"


void
judge_suggest_comments(judge_arena_t *arena,
    const judge_suggestion_text_t *row, judge_str_t criterion,
    judge_buf_t *text, judge_json_writer_t *w)
{
    size_t               i;
    judge_str_t          words;
    judge_json_t        *entry;
    const judge_json_t  *about;

    for (i = 0; i < JUDGE_SUGGESTION_ENTRIES; i++) {
        if (row->entries[i].data == NULL
            || judge_json_parse(arena, row->entries[i], &entry, NULL)
               != JUDGE_OK
            || entry->type != JUDGE_JSON_ARRAY || entry->count != 2)
        {
            continue;
        }

        about = entry->last->type == JUDGE_JSON_ARRAY ? entry->last->first
                                                      : NULL;
        words = judge_json_string(entry->first, "explanation");
        words = words.len ? words : judge_json_string(entry->first, "comment");

        while (about && !(about->type == JUDGE_JSON_STRING
                          && judge_str_eq(about->string, criterion)))
        {
            about = about->next;
        }

        if (words.len == 0 || (about == NULL && entry->last->count > 0)) {
            continue;
        }

        if (w) {
            judge_json_str(w, words);
        } else {
            judge_buf_str(text, words);
            judge_buf_c(text, "\n");
        }
    }
}


static void
judge_suggest_texts(judge_json_writer_t *w, const judge_suggest_run_t *run,
    size_t c)
{
    size_t                             i, item;
    const judge_training_data_t       *l = &run->data;
    const judge_suggest_difference_t  *d = &run->differences[c];

    judge_json_key_array(w, "texts");

    for (i = 0; i < d->nworst; i++) {
        item = d->worst[i];
        judge_json_object(w);
        judge_json_put_str(w, "evaluation_id",
                           judge_id_str(&l->items[item].evaluation));
        judge_json_put_number2(w, "judge_score",
                               (double) l->shown[item * l->ntargets + c]);
        judge_json_put_number2(w, "people_score",
                               (double) l->target[item * l->ntargets + c]);
        judge_json_put_bool(w, "held_out",
                            judge_suggest_held(l->items[item].group));
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


static void
judge_suggest_criterion(judge_json_writer_t *w, const judge_suggest_run_t *run,
    size_t c)
{
    const judge_criterion_row_t       *rows = run->criteria.items;
    const judge_suggest_difference_t  *d = &run->differences[c];

    judge_json_object(w);
    judge_json_put_str(w, "criterion_id", rows[c].id);
    judge_json_put_str(w, "name", rows[c].name);
    judge_json_put_str(w, "judged_by", rows[c].judged_by);
    judge_json_put_int(w, "scores", (int64_t) d->n);
    judge_json_put_bool(w, "differs", d->differs);

    if (d->n) {
        judge_json_put_number2(w, "distance", d->distance);
        judge_json_put_number2(w, "shift", d->shift);
        judge_json_put_number2(w, "low", d->low);
        judge_json_put_number2(w, "high", d->high);
        judge_json_put_number4(w, "p_shift", d->p_shift);
        judge_json_put_number2(w, "slope", d->slope);
        judge_json_put_number4(w, "p_slope", d->p_slope);
    }

    if (d->differs) {
        judge_suggest_texts(w, run, c);
    }

    judge_json_object_end(w);
}


/* Writes the sentences: which criteria differ, and how a wording did. */

static void
judge_suggest_sentences(judge_json_writer_t *w, const judge_suggest_run_t *run)
{
    size_t                             c;
    const judge_criterion_row_t       *row = run->criteria.items;
    const judge_suggest_difference_t  *d = run->differences;

    for (c = 0; c < run->criteria.count; c++, row++, d++) {
        if (d->differs && d->p_shift <= JUDGE_SUGGEST_CHANCE) {
            judge_json_str(w, judge_str_printf(w->buf->arena, "%.*s: people"
                " give %.1f points %s than the judge (%.1f to %.1f, of %zu"
                " scores).", judge_str_args(row->name), fabs(d->shift),
                d->shift > 0 ? "more" : "less",
                fmin(fabs(d->low), fabs(d->high)),
                fmax(fabs(d->low), fabs(d->high)), d->n));
        }

        if (d->differs && d->p_slope <= JUDGE_SUGGEST_CHANCE) {
            judge_json_str(w, judge_str_printf(w->buf->arena, "%.*s: where the"
                " judge gives ten points more, people give %.1f %s (of %zu"
                " scores).", judge_str_args(row->name), 10 * fabs(d->slope),
                d->slope < 0 ? "less" : "more", d->n));
        }
    }

    if (run->why) {
        judge_json_str(w, judge_str_printf(w->buf->arena,
            "Nothing better is suggested: %s%s%.*s.", run->why,
            run->failure.data ? ": " : "", (int) run->failure.len,
            run->failure.data ? run->failure.data : ""));
    }
}


/* Writes how both wordings did on the held-out texts. */

static void
judge_suggest_trial_json(judge_json_writer_t *w,
    const judge_suggest_run_t *run)
{
    const judge_difference_t  *g = &run->gain;

    judge_json_key_object(w, "trial");
    judge_json_put_str(w, "criterion_id", run->ids[run->chosen]);
    judge_json_put_int(w, "texts", (int64_t) g->n);
    judge_json_put_number2(w, "distance_before", g->mean[0]);
    judge_json_put_number2(w, "distance_after", g->mean[1]);
    judge_json_put_number2(w, "distance_given", run->given);
    judge_json_put_number2(w, "gain", g->difference);
    judge_json_put_number2(w, "low", g->low);
    judge_json_put_number2(w, "high", g->high);
    judge_json_put_number4(w, "p", g->p);
    judge_json_put_number(w, "needed_p", judge_suggest_level(run->load.tries));
    judge_json_put_int(w, "tried_before", run->load.tries);
    judge_json_object_end(w);
}


judge_str_t
judge_suggest_result(judge_suggest_run_t *run)
{
    size_t                        c;
    judge_buf_t                   buf;
    judge_json_writer_t           w;
    const judge_criterion_row_t  *rows = run->criteria.items;
    const judge_criterion_row_t  *after;

    judge_json_begin_object(&w, &buf, run->work.arena);
    judge_json_put_int(&w, "evaluations", (int64_t) run->data.n);
    judge_json_put_bool(&w, "complete", !run->data.cut);
    judge_json_key_array(&w, "sentences");
    judge_suggest_sentences(&w, run);
    judge_json_array_end(&w);
    judge_json_key_array(&w, "criteria");

    for (c = 0; c < run->criteria.count; c++) {
        judge_suggest_criterion(&w, run, c);
    }

    judge_json_array_end(&w);

    if (run->gain.n) {
        judge_suggest_trial_json(&w, run);
    }

    if (run->why == NULL) {
        after = (const judge_criterion_row_t *) run->worded.items
                + run->chosen;
        judge_json_key_object(&w, "suggestion");
        judge_json_put_str(&w, "criterion_id", run->ids[run->chosen]);
        judge_json_put_str(&w, "name", rows[run->chosen].name);
        judge_json_put_str(&w, "before", rows[run->chosen].description);
        judge_json_put_str(&w, "after", run->wording);
        judge_json_put_str(&w, "judged_by", after->judged_by);
        judge_json_object_end(&w);
    }

    return judge_json_text(&w);
}
