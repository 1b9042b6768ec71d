/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* How a run ends.  Its result is stored without people's comments: they are
 * read when it is shown, so that deleted feedback does not appear. */


#include <math.h>

#include "work/evaluation/waiters.h"
#include "work/service/metrics.h"
#include "extensions/suggest/suggest.h"


#define JUDGE_SUGGEST_AGAIN     2000   /* ms after a failure */
#define JUDGE_SUGGEST_ATTEMPTS  5


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
    const judge_criterion_row_t       *rows = run->criteria.rows.items;
    const judge_suggest_difference_t  *d = &run->differences[c];

    judge_json_object(w);
    judge_json_put_str(w, "criterion_id", rows[c].id);
    judge_json_put_str(w, "name", rows[c].name);
    judge_json_put_str(w, "judged_by", rows[c].judged_by);
    judge_json_put_int(w, "scores", (int64_t) d->n);
    judge_json_put_bool(w, "differs", d->differs);
    judge_json_put_number2(w, "distance", d->distance);
    judge_json_put_number2(w, "shift", d->shift);
    judge_json_put_number2(w, "low", d->low);
    judge_json_put_number2(w, "high", d->high);
    judge_json_put_number4(w, "p_shift", d->p_shift);
    judge_json_put_number2(w, "slope", d->slope);
    judge_json_put_number4(w, "p_slope", d->p_slope);

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
    const judge_criterion_row_t       *row = run->criteria.rows.items;
    const judge_suggest_difference_t  *d = run->differences;

    for (c = 0; c < run->criteria.rows.count; c++, row++, d++) {
        if (d->differs && d->p_shift <= JUDGE_SUGGEST_CHANCE) {
            judge_json_printf(w, "%.*s: people give %.1f points %s than the"
                              " judge (%.1f to %.1f, of %zu scores).",
                              judge_str_args(row->name), fabs(d->shift),
                              d->shift > 0 ? "more" : "less",
                              fmin(fabs(d->low), fabs(d->high)),
                              fmax(fabs(d->low), fabs(d->high)), d->n);
        }

        if (d->differs && d->p_slope <= JUDGE_SUGGEST_CHANCE) {
            judge_json_printf(w, "%.*s: where the judge gives ten points more,"
                              " people give %.1f %s (of %zu scores).",
                              judge_str_args(row->name), 10 * fabs(d->slope),
                              d->slope < 0 ? "less" : "more", d->n);
        }
    }

    if (run->why) {
        judge_json_printf(w, "Nothing better is suggested: %s%s%.*s.",
                          run->why, run->failure.data ? ": " : "",
                          (int) run->failure.len,
                          run->failure.data ? run->failure.data : "");
    }
}


/* Writes how both wordings did on the held-out texts. */

static void
judge_suggest_trial_json(judge_json_writer_t *w,
    const judge_suggest_run_t *run)
{
    const judge_difference_t  *g = &run->gain;

    judge_json_key_object(w, "trial");
    judge_json_put_str(w, "criterion_id", run->criteria.ids[run->chosen]);
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


static judge_str_t
judge_suggest_result(judge_suggest_run_t *run)
{
    size_t                        c;
    judge_buf_t                   buf;
    judge_json_writer_t           w;
    const judge_criterion_row_t  *rows = run->criteria.rows.items;
    const judge_criterion_row_t  *after;

    judge_json_begin_object(&w, &buf, run->work.arena);
    judge_json_put_int(&w, "evaluations", (int64_t) run->data.n);
    judge_json_put_bool(&w, "complete", !run->data.cut);
    judge_json_key_array(&w, "sentences");
    judge_suggest_sentences(&w, run);
    judge_json_array_end(&w);
    judge_json_key_array(&w, "criteria");

    for (c = 0; c < run->criteria.rows.count; c++) {
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
        judge_json_put_str(&w, "criterion_id", run->criteria.ids[run->chosen]);
        judge_json_put_str(&w, "name", rows[run->chosen].name);
        judge_json_put_str(&w, "before", rows[run->chosen].description);
        judge_json_put_str(&w, "after", run->wording);
        judge_json_put_str(&w, "judged_by", after->judged_by);
        judge_json_object_end(&w);
    }

    return judge_json_text(&w);
}


/* --- The end of a run ---------------------------------------------------- */

/* Wakes those who wait for the suggestion, also in other workers. */

static void
judge_suggest_written(judge_op_t *op)
{
    judge_suggest_run_t  *run = op->data;

    if (op->rc == JUDGE_OK) {
        judge_metrics_changed(run->work.service->metrics, run->claim.row.id);
        judge_waiters_wake(run->work.service, run->claim.row.id);
        run->work.service->wake(run->work.service->network);
    }

    judge_leased_end(&run->work);
}


static void
judge_suggest_write(judge_suggest_run_t *run, const char *status,
    judge_str_t result)
{
    judge_suggestion_write_t  *w = &run->write;

    w->id = run->claim.row.id;
    w->owner = judge_service_owner(run->work.service);
    w->status = judge_str_c(status);
    w->tried = run->gain.n > 0;
    w->result = result;

    if (result.data) {
        w->completed_at = judge_now(run->work.service);
    } else {
        w->release = run->work.all->stopped;
        w->queue_at = judge_now(run->work.service)
                      + (w->release ? 0 : JUDGE_SUGGEST_AGAIN);
    }

    judge_leased_last(&run->work, &w->op, JUDGE_OP_SUGGESTION_WRITE,
                    judge_suggest_written);
}


void
judge_suggest_end(judge_suggest_run_t *run)
{
    judge_str_t  result = judge_suggest_result(run);

    if (result.data == NULL) {
        judge_suggest_give_back(&run->work);
        return;
    }

    judge_suggest_write(run, "completed", result);
}


void
judge_suggest_give_back(judge_leased_t *work)
{
    judge_suggest_run_t  *run = (judge_suggest_run_t *) work;

    if (work->lost) {
        judge_leased_end(work);

    } else if (run->claim.row.attempts >= JUDGE_SUGGEST_ATTEMPTS
               && !run->work.all->stopped)
    {
        judge_suggest_write(run, "failed", JUDGE_STR("{\"error\":{\"code\":"
            "\"INTERNAL\",\"message\":\"it was begun again and again, and"
            " came to no end\"}}"));

    } else {
        judge_suggest_write(run, "queued", (judge_str_t) { 0, NULL });
    }
}
