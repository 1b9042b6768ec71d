/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>
#include <string.h>

#include "extensions/watch/drift.h"


int64_t
judge_drift_hours(judge_str_t window)
{
    size_t   i;
    int64_t  n;

    for (i = 0, n = 0; i + 1 < window.len && window.data[i] >= '0'
                       && window.data[i] <= '9'; i++)
    {
        n = 10 * n + window.data[i] - '0';
    }

    n *= window.data[i] == 'd' ? 24 : window.data[i] == 'h' ? 1 : 0;

    return i + 1 == window.len && n <= JUDGE_DRIFT_HOURS ? n : 0;
}


void
judge_drift_span(judge_drift_counts_t *counts, judge_ms_t now, int64_t window,
    int64_t reference)
{
    counts->until = now / JUDGE_HOUR + 1;
    counts->split = counts->until - window;
    counts->from = counts->split - reference;
}


judge_rc_e
judge_drift_report(judge_arena_t *arena, const judge_drift_counts_t *counts,
    judge_drift_report_t *report)
{
    size_t                    i;
    judge_drift_e             verdict;
    judge_drift_target_t     *t;
    const judge_drift_row_t  *row;

    *report = (judge_drift_report_t) { .n = 1 };
    t = report->targets = judge_array_alloc(arena, counts->count + 1,
                                            sizeof(judge_drift_target_t));
    if (t == NULL) {
        return JUDGE_NOMEM;
    }
    t->criterion_id = JUDGE_STR("");

    for (i = 0; i < counts->count; i++) {
        row = &counts->rows[i];

        if (!judge_str_eq(row->criterion_id, t->criterion_id)) {
            t = &report->targets[report->n++];
            t->criterion_id = row->criterion_id;
        }

        if (row->bin < 0) {
            report->failed[0] += row->before;
            report->failed[1] += row->now;

        } else if (row->bin < JUDGE_DRIFT_BINS) {
            t->drift.bins[0][row->bin] += row->before;
            t->drift.bins[1][row->bin] += row->now;
        }
    }

    for (i = 0; i < report->n; i++) {
        judge_drift(&report->targets[i].drift, report->n);
        verdict = report->targets[i].drift.verdict;
        report->verdict = verdict > report->verdict ? verdict
                                                    : report->verdict;
    }

    report->failing = judge_drift_failed(report->failed,
                                         report->targets[0].drift.n,
                                         report->n);
    if (report->failing > report->verdict) {
        report->verdict = report->failing;
    }

    return JUDGE_OK;
}


/* --- Sentences ----------------------------------------------------------- */

static void
judge_drift_sentence(judge_json_writer_t *w, judge_str_t name,
    const judge_drift_t *d)
{
    judge_json_printf(w, "%.*s: %.0f %% of the scores are below %.0f, before"
                      " %.0f %%; the mean went from %.1f to %.1f.",
                      judge_str_args(name), 100 * d->below[1], d->mark,
                      100 * d->below[0], d->mean[0], d->mean[1]);
}


static void
judge_drift_target(judge_json_writer_t *w, const judge_drift_t *d)
{
    size_t  i, k;

    static const char *const  means[] = { "reference_mean", "mean" };
    static const char *const  counts[] = { "reference_counts", "counts" };

    judge_json_put_c(w, "verdict", judge_drift_names[d->verdict]);

    if (d->known) {
        judge_json_put_number(w, "psi", round(d->psi * 1e3) / 1e3);
        judge_json_put_number(w, "ks", round(d->ks * 1e3) / 1e3);
    }

    for (k = 2; k-- > 0; /* void */) {
        if (d->n[k]) {
            judge_json_put_number2(w, means[k], d->mean[k]);
        }

        judge_json_key_array(w, counts[k]);
        for (i = 0; i < JUDGE_DRIFT_BINS; i++) {
            judge_json_int(w, d->bins[k][i]);
        }
        judge_json_array_end(w);
    }
}


static void
judge_drift_while(judge_json_writer_t *w, const char *key, int64_t from,
    int64_t to, int64_t completed, int64_t failed)
{
    judge_json_key_object(w, key);
    judge_json_put_time(w, "from", from * JUDGE_HOUR);
    judge_json_put_time(w, "to", to * JUDGE_HOUR);
    judge_json_put_int(w, "evaluations", completed + failed);
    judge_json_put_int(w, "failed", failed);
    judge_json_object_end(w);
}


/* Names the criteria, and puts them into the order of the judge's; those that
 * it has no more come last. */

static void
judge_drift_name(judge_drift_report_t *report, const judge_json_t *criteria)
{
    size_t                 i, n;
    judge_drift_target_t   found, *list = report->targets;
    const judge_json_t    *c;

    list[0].name = JUDGE_STR("Overall score");

    for (c = criteria->first, n = 1; c; c = c->next) {
        for (i = n; i < report->n; i++) {
            if (judge_str_eq(list[i].criterion_id,
                             judge_json_string(c, "criterion_id")))
            {
                found = list[i];
                found.name = judge_json_string(c, "name");
                memmove(&list[n + 1], &list[n],
                        (i - n) * sizeof(judge_drift_target_t));
                list[n++] = found;
                break;
            }
        }
    }
}


static void
judge_drift_criteria(judge_json_writer_t *w,
    const judge_drift_report_t *report)
{
    size_t                       i;
    const judge_drift_target_t  *t;

    judge_json_key_array(w, "criteria");

    for (i = 1; i < report->n && report->targets[i].name.data; i++) {
        t = &report->targets[i];
        judge_json_object(w);
        judge_json_put_str(w, "criterion_id", t->criterion_id);
        judge_json_put_str(w, "name", t->name);
        judge_drift_target(w, &t->drift);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


static void
judge_drift_sentences(judge_json_writer_t *w,
    const judge_drift_report_t *report, bool changed)
{
    size_t                       i;
    const judge_drift_t         *d = &report->targets[0].drift;
    const judge_drift_target_t  *t;

    judge_json_key_array(w, "sentences");

    if (changed) {
        judge_json_str(w, JUDGE_STR("The engine is another one than it was:"
                                    " scores of before are not compared."));
    }

    if (!d->known) {
        judge_json_printf(w, "There are too few scores to compare: %lld,"
                          " before %lld; it takes %d of each.",
                          (long long) d->n[1], (long long) d->n[0],
                          JUDGE_DRIFT_LEAST);

    } else if (report->verdict == JUDGE_DRIFT_NONE) {
        judge_json_str(w, JUDGE_STR("The scores lie as they did."));
    }

    if (report->failing) {
        judge_json_printf(w, "%.1f %% of the evaluations failed, before %.1f"
                          " %%.", 100 * (double) report->failed[1]
                          / (double) (report->failed[1] + d->n[1]),
                          100 * (double) report->failed[0]
                          / (double) (report->failed[0] + d->n[0]));
    }

    for (i = 0; i < report->n; i++) {
        t = &report->targets[i];
        if (t->drift.verdict) {
            judge_drift_sentence(w, t->name.data ? t->name
                                 : JUDGE_STR("A criterion that was removed"),
                                 &t->drift);
        }
    }

    judge_json_array_end(w);
}


static void
judge_drift_routes_of(judge_json_writer_t *w,
    const judge_drift_counts_t *counts)
{
    size_t  i;

    judge_json_key_array(w, "routes");

    for (i = 0; i < counts->nroutes; i++) {
        judge_json_object(w);
        judge_json_put_str(w, "route", counts->routes[i].route);
        judge_json_put_int(w, "evaluations", counts->routes[i].now);
        judge_json_put_int(w, "reference_evaluations",
                           counts->routes[i].before);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


judge_rc_e
judge_drift_json(judge_json_writer_t *w, judge_arena_t *arena,
    const judge_drift_counts_t *counts, judge_str_t criteria)
{
    int64_t               since;
    judge_rc_e            rc;
    judge_json_t         *list;
    const int64_t        *n;
    judge_drift_report_t  report;

    rc = judge_json_parse(arena, criteria, &list, NULL);
    rc = rc ? rc : judge_drift_report(arena, counts, &report);
    if (rc != JUDGE_OK) {
        return rc;
    }

    judge_drift_name(&report, list);
    n = report.targets[0].drift.n;
    since = counts->engine_since + 1;  /* two engines scored in that hour */
    judge_json_put_str(w, "judge_id", counts->judge_id);
    judge_json_put_str(w, "route", counts->route);
    judge_json_put_c(w, "verdict", judge_drift_names[report.verdict]);
    judge_drift_sentences(w, &report, since > counts->from);
    judge_drift_while(w, "window", since > counts->split ? since
                      : counts->split, counts->until, n[1], report.failed[1]);
    judge_drift_while(w, "reference", since > counts->split ? counts->split
                      : since > counts->from ? since : counts->from,
                      counts->split, n[0], report.failed[0]);
    judge_json_key_object(w, "overall");
    judge_drift_target(w, &report.targets[0].drift);
    judge_json_object_end(w);
    judge_drift_criteria(w, &report);
    judge_drift_routes_of(w, counts);

    return JUDGE_OK;
}
