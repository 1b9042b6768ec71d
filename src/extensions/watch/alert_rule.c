/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>

#include "extensions/watch/alert_rule.h"


#define JUDGE_ALERT_WINDOW  "24h"
#define JUDGE_ALERT_BIN     (100.0 / JUDGE_DRIFT_BINS)
#define JUDGE_ALERT_NONE    (-1.0)     /* the value is not known */

static const char *const  judge_alert_metrics[] = {
    "mean", "share_below", "not_judged", "drift", NULL
};

const judge_field_t  judge_alert_fields[] = {
    judge_field(judge_alert_rule_t, name, STRING, JUDGE_REQUIRED, 1, 100),
    judge_field_one_of(judge_alert_rule_t, metric, CHOICE, JUDGE_REQUIRED,
                       judge_alert_metrics),
    judge_field(judge_alert_rule_t, criterion_id, STRING, 0, 1, 200),
    judge_field(judge_alert_rule_t, threshold, NUMBER, 0, 0, 100),
    judge_field(judge_alert_rule_t, below, NUMBER, JUDGE_EXCLUSIVE, 0, 100),
    judge_field(judge_alert_rule_t, clear_at, NUMBER, 0, 0, 100),
    judge_field(judge_alert_rule_t, window, STRING, 0, 1, 5),
    { .name = NULL }
};


static const char *
judge_alert_share_wrong(const judge_alert_rule_t *rule, double clear)
{
    bool  below;

    below = rule->metric.value == JUDGE_ALERT_SHARE_BELOW;

    if (rule->threshold.value > 1 || clear > rule->threshold.value) {
        return rule->threshold.value > 1
               ? ".threshold: expected a share from 0 to 1"
               : ".clear_at: expected at most the threshold, above which it"
                 " fires";
    }

    if (below != rule->below.set) {
        return below ? ".below: required with share_below, expected a multiple"
                       " of 5, such as 60"
                     : ".below: expected only with share_below";
    }

    return below && fmod(rule->below.value, JUDGE_ALERT_BIN) != 0
           ? ".below: expected a multiple of 5, because scores are counted in"
             " bins of 5 points" : NULL;
}


const char *
judge_alert_wrong(const judge_alert_rule_t *rule)
{
    double  clear;

    if (rule->window.data && judge_drift_hours(rule->window) == 0) {
        return ".window: expected hours or days, such as 24h or 7d, 60 days at"
               " most";
    }

    if (rule->metric.value == JUDGE_ALERT_DRIFT) {
        return rule->threshold.set || rule->clear_at.set || rule->below.set
               || rule->criterion_id.data
               ? ".metric: drift takes no threshold, clear_at, below or"
                 " criterion_id; it fires where drift is strong" : NULL;
    }

    if (!rule->threshold.set) {
        return ".threshold: required, expected a number from 0 to 100, of a"
               " share from 0 to 1";
    }

    clear = rule->clear_at.set ? rule->clear_at.value : rule->threshold.value;

    if (rule->metric.value != JUDGE_ALERT_MEAN) {
        return judge_alert_share_wrong(rule, clear);
    }

    return clear < rule->threshold.value
           ? ".clear_at: expected at least the threshold, below which it fires"
           : rule->below.set ? ".below: expected only with share_below" : NULL;
}


judge_str_t
judge_alert_text(judge_arena_t *arena, const judge_alert_rule_t *rule)
{
    judge_buf_t          buf;
    judge_json_writer_t  w;

    judge_json_begin_object(&w, &buf, arena);
    judge_json_put_str(&w, "name", rule->name);
    judge_json_put_c(&w, "metric", judge_alert_metrics[rule->metric.value]);
    judge_json_put_str(&w, "criterion_id", rule->criterion_id);

    if (rule->below.set) {
        judge_json_put_number(&w, "below", rule->below.value);
    }

    if (rule->threshold.set) {
        judge_json_put_number(&w, "threshold", rule->threshold.value);
        judge_json_put_number(&w, "clear_at", rule->clear_at.set
                              ? rule->clear_at.value : rule->threshold.value);
    }

    judge_json_put_str(&w, "window", rule->window.data ? rule->window
                                     : JUDGE_STR(JUDGE_ALERT_WINDOW));

    return judge_json_text(&w);
}


judge_rc_e
judge_alert_read(judge_arena_t *arena, judge_str_t text,
    judge_alert_rule_t *rule)
{
    judge_rc_e     rc;
    judge_str_t    error;
    judge_json_t  *root;

    *rule = (judge_alert_rule_t) { .name = { 0, NULL } };
    rc = judge_json_parse(arena, text, &root, NULL);

    return rc == JUDGE_OK ? judge_fields_bind(arena, judge_alert_fields, root,
                                              JUDGE_STR(""), rule, &error)
                          : rc;
}


void
judge_alert_json(judge_json_writer_t *w, const judge_alert_row_t *row)
{
    judge_json_t  *root;

    if (judge_json_parse(w->buf->arena, row->rule, &root, NULL) == JUDGE_OK) {
        judge_json_members(w, root, NULL);
    }

    judge_json_put_c(w, "state", row->firing ? "firing"
                     : row->n < JUDGE_DRIFT_LEAST ? "not_enough" : "ok");
    judge_json_put_time_if(w, "since", row->since);
    judge_json_put_int(w, "count", row->n);

    if (row->value >= 0) {
        judge_json_put_number4(w, "value", row->value);
    }
}


/* --- Applying a rule to counts ------------------------------------------- */

/* The share of the window's scores that lie in bins which begin below. */

static double
judge_alert_below(const judge_drift_t *d, double below)
{
    size_t   i;
    int64_t  n;

    for (i = 0, n = 0; i < JUDGE_DRIFT_BINS; i++) {
        n += (double) i * JUDGE_ALERT_BIN < below ? d->bins[1][i] : 0;
    }

    return (double) n / (double) d->n[1];
}


/* Sets the value, and the number of results that it is computed from. */

static judge_rc_e
judge_alert_measure(judge_arena_t *arena, const judge_drift_counts_t *counts,
    const judge_alert_rule_t *rule, judge_alert_row_t *row)
{
    size_t                i;
    int64_t               all;
    judge_rc_e            rc;
    judge_drift_t         none = { .known = false };
    judge_drift_report_t  report;
    const judge_drift_t  *d = &none;

    rc = judge_drift_report(arena, counts, &report);
    if (rc != JUDGE_OK) {
        return rc;
    }

    for (i = 0; i < report.n; i++) {
        if (judge_str_eq(report.targets[i].criterion_id, rule->criterion_id)) {
            d = &report.targets[i].drift;
        }
    }

    all = report.targets[0].drift.n[1] + report.failed[1];
    row->n = rule->metric.value == JUDGE_ALERT_NOT_JUDGED ? all : d->n[1];

    if (rule->metric.value == JUDGE_ALERT_DRIFT) {
        row->n = d->known || report.verdict ? all : 0;
        row->value = (double) report.verdict;
    } else if (row->n == 0) {
        row->value = JUDGE_ALERT_NONE;
    } else if (rule->metric.value == JUDGE_ALERT_MEAN) {
        row->value = d->mean[1];
    } else if (rule->metric.value == JUDGE_ALERT_SHARE_BELOW) {
        row->value = judge_alert_below(d, rule->below.value);
    } else {
        row->value = fmax((double) (all - d->n[1]), 0) / (double) all;
    }

    return JUDGE_OK;
}


static bool
judge_alert_fires(const judge_alert_rule_t *rule, const judge_alert_row_t *row)
{
    switch (rule->metric.value) {

    case JUDGE_ALERT_MEAN:
        return row->firing ? row->value < rule->clear_at.value
                           : row->value < rule->threshold.value;

    case JUDGE_ALERT_DRIFT:
        return row->value > (row->firing ? JUDGE_DRIFT_NONE
                                         : JUDGE_DRIFT_SOME);

    default:
        return row->firing ? row->value > rule->clear_at.value
                           : row->value > rule->threshold.value;
    }
}


judge_rc_e
judge_alert_look(judge_arena_t *arena, const judge_drift_counts_t *counts,
    const judge_alert_rule_t *rule, judge_alert_row_t *row, judge_ms_t now)
{
    judge_rc_e           rc;
    judge_buf_t          buf;
    judge_json_writer_t  w;

    rc = judge_alert_measure(arena, counts, rule, row);
    if (rc != JUDGE_OK) {
        return rc;
    }

    if (row->n < JUDGE_DRIFT_LEAST) {
        row->value = JUDGE_ALERT_NONE;
        return JUDGE_OK;
    }

    if (judge_alert_fires(rule, row) == row->firing) {
        return JUDGE_OK;
    }

    row->firing = !row->firing;
    row->since = now;

    judge_json_begin_object(&w, &buf, arena);
    judge_json_put_str(&w, "judge_id", counts->judge_id);
    judge_alert_json(&w, row);
    row->event = judge_json_text(&w);

    return row->event.data ? JUDGE_OK : JUDGE_NOMEM;
}
