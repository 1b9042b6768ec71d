/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The report that compares a canary's scores with the active version's and
 * with people's. */


#include <math.h>
#include <string.h>

#include "extensions/watch/estimate.h"
#include "analysis/text/math.h"
#include "store/store_watch.h"
#include "work/calibration/residual_intervals.h"
#include "api/judges/judge_version.h"
#include "extensions/watch/watch.h"


#define JUDGE_CANARY_THRESHOLD  50
#define JUDGE_CANARY_POINTS     1      /* smallest relevant difference */

#define JUDGE_CANARY_NOTE                                                     \
    "The intervals of differences hold however often they are looked at"      \
    " (confidence sequence), those of shares (Wilson) and of errors (Student" \
    " t) at one look. What people corrected they had seen the active"         \
    " version's scores of, which draws them there."

/* Sums over pairs of scores, of the overall score or of a criterion. */
typedef struct {
    judge_estimate_sum_t  active;
    judge_estimate_sum_t  canary;
    judge_estimate_sum_t  difference;  /* canary minus active */
    size_t                rising;      /* only the canary passes threshold */
    size_t                falling;     /* only the active version does */
    judge_estimate_sum_t  errors[2];   /* absolute; [0] active, [1] canary */
    judge_estimate_sum_t  worse;       /* errors[1] minus errors[0] */
} judge_canary_target_t;

typedef struct {
    judge_number_t          threshold;
    judge_boolean_t         if_any;    /* answer also without a canary */
    judge_judge_find_t      find;
    judge_canary_find_t     pairs;
    judge_list_t            criteria;
    judge_canary_target_t  *targets;   /* [0]: the overall score */
    size_t                  n;
    size_t                  corrected; /* evaluations that people corrected */
} judge_canary_report_t;


static void judge_canary_found(judge_req_t *r);
static void judge_canary_compute(judge_req_t *r);
static void judge_canary_read(judge_req_t *r);
static void judge_canary_answer(judge_req_t *r);


static const judge_field_t  judge_canary_query[] = {
    judge_field(judge_canary_report_t, threshold, NUMBER, JUDGE_EXCLUSIVE, 0,
                100),
    judge_field(judge_canary_report_t, if_any, BOOLEAN, 0, 0, 0),
    { .name = NULL }
};

const judge_route_t  judge_canary_report_routes[] = {
    { judge_route(GET, "/judges/{judge_id}/canary", JUDGE_MAY_READ_FEEDBACK, 0,
                  judge_canary_report_t),
      .query = judge_canary_query, .resource = &judge_judges_resource,
      .op = { judge_route_op(JUDGE_OP_JUDGE_FIND, judge_canary_report_t,
                             find.),
              .next = judge_canary_found } },
    { .pattern = NULL }
};


static void
judge_canary_found(judge_req_t *r)
{
    judge_canary_report_t  *c = r->ctx;

    c->pairs.op.kind = JUDGE_OP_CANARY_FIND;
    c->pairs.judge_id = c->find.id;
    judge_await(r, &c->pairs.op, judge_canary_compute);
}


static void
judge_canary_compute(judge_req_t *r)
{
    judge_escalate_t        escalate;
    judge_canary_report_t  *c = r->ctx;

    if (c->pairs.op.rc == JUDGE_NOT_FOUND) {
        if (c->if_any.value) {
            judge_reply_empty(r, 204);
        } else {
            judge_fail(r, 404, "the judge has no canary");
        }
        return;
    }

    if (!judge_check(r, c->pairs.op.rc, NULL)
        || !judge_check(r, judge_criteria_read(r->arena, c->pairs.criteria,
                                               &c->criteria), NULL))
    {
        return;
    }

    if (!c->threshold.set) {
        judge_escalate_read(r->arena, c->pairs.escalate, &escalate);
        c->threshold.value = escalate.threshold > 0 ? escalate.threshold
                                                    : JUDGE_CANARY_THRESHOLD;
    }

    c->targets = judge_array_alloc(r->arena, c->criteria.count + 1,
                                   sizeof(judge_canary_target_t));
    if (c->targets == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    judge_compute(r, judge_canary_read, judge_canary_answer);
}


/* --- In a thread --------------------------------------------------------- */

static void
judge_canary_pair(judge_canary_report_t *c, const float *scores)
{
    double                  active, canary;
    size_t                  i;
    judge_canary_target_t  *t;

    c->n++;

    for (i = 0; i <= c->criteria.count; i++) {
        active = (double) scores[2 * i];
        canary = (double) scores[2 * i + 1];
        if (isnan(active) || isnan(canary)) {
            continue;
        }

        t = &c->targets[i];
        judge_estimate_add(&t->active, active);
        judge_estimate_add(&t->canary, canary);
        judge_estimate_add(&t->difference, canary - active);
        t->rising += active < c->threshold.value
                     && canary >= c->threshold.value;
        t->falling += active >= c->threshold.value
                      && canary < c->threshold.value;
    }
}


static void
judge_canary_error(judge_canary_target_t *target, const float *scores,
    double human)
{
    size_t  k;
    double  errors[2];

    if (isnan(scores[0]) || isnan(scores[1])) {
        return;
    }

    for (k = 0; k < 2; k++) {
        errors[k] = fabs((double) scores[k] - human);
        judge_estimate_add(&target->errors[k], errors[k]);
    }

    judge_estimate_add(&target->worse, errors[1] - errors[0]);
}


/* People's overall score is the one they entered, or else the judge's plus the
 * weighted mean of the corrections of criteria that the judge has scored. */

static void
judge_canary_people(judge_canary_report_t *c, const float *scores,
    const judge_corrected_t *rows, size_t n)
{
    double                        all, weight, overall;
    size_t                        i, k;
    bool                          direct;
    const judge_criterion_row_t  *list = c->criteria.items;

    c->corrected++;
    all = 0;
    overall = 0;
    direct = false;

    for (i = 0; i < c->criteria.count; i++) {
        weight = isnan(scores[2 * (i + 1)]) ? 0
                 : list[i].weight.set ? list[i].weight.value : 1;
        all += weight;

        for (k = 0; k < n; k++) {
            if (judge_str_eq(rows[k].criterion_id, list[i].id)) {
                judge_canary_error(&c->targets[i + 1], scores + 2 * (i + 1),
                                   rows[k].human);
                overall += weight * (rows[k].human - rows[k].given);
            }
        }
    }

    overall = judge_clamp(rows[0].overall + judge_share(overall, all), 0, 100);

    for (k = 0; k < n && !direct; k++) {
        direct = rows[k].criterion_id.len == 0;
        overall = direct ? rows[k].human : overall;
    }

    judge_canary_error(&c->targets[0], scores, overall);
}


/* Merges pairs and corrections, which are sorted by evaluation alike. */

static void
judge_canary_read(judge_req_t *r)
{
    size_t                      i, n, at;
    float                       scores[2 * (JUDGE_CRITERIA_MAX + 1)];
    judge_canary_report_t      *c = r->ctx;
    const judge_corrected_t    *rows = c->pairs.corrected;
    const judge_canary_pair_t  *pair;

    for (i = 0, at = 0; i < c->pairs.count; i++) {
        pair = &c->pairs.rows[i];

        for (n = 0; at + n < c->pairs.ncorrected
                    && judge_str_eq(rows[at + n].evaluation_id, pair->id); n++)
        {
            /* void */
        }

        if (pair->scores.len == 2 * (c->criteria.count + 1) * sizeof(float)
            && pair->scores.len <= sizeof(scores))
        {
            memcpy(scores, pair->scores.data, pair->scores.len);
            judge_canary_pair(c, scores);
            if (n) {
                judge_canary_people(c, scores, rows + at, n);
            }
        }

        at += n;
    }
}


/* --- The answer ---------------------------------------------------------- */

static const char *
judge_canary_status(const judge_canary_report_t *c)
{
    return c->pairs.active != c->pairs.base ? "stale"
           : c->pairs.judged >= JUDGE_CANARY_PAIRS ? "complete" : "running";
}


static void
judge_canary_interval(judge_json_writer_t *w, judge_interval_t v)
{
    judge_json_put_number4(w, "low", v.low);
    judge_json_put_number4(w, "high", v.high);
}


static judge_interval_t
judge_canary_t90(const judge_estimate_sum_t *sum)
{
    double  n, half;

    if (sum->n < JUDGE_ESTIMATE_LEAST) {
        return (judge_interval_t) { NAN, NAN };
    }

    n = (double) sum->n;
    half = judge_estimate_t90(n - 1) * sqrt(sum->squares / (n - 1) / n);

    return (judge_interval_t) { sum->mean - half, sum->mean + half };
}


static void
judge_canary_target(judge_json_writer_t *w, const void *report, size_t i)
{
    size_t                        n, needed, crossed;
    const judge_canary_report_t  *c = report;
    const judge_canary_target_t  *t = &c->targets[i];

    n = t->difference.n;
    judge_json_put_int(w, "evaluations", (int64_t) n);
    if (n == 0) {
        return;
    }

    judge_json_put_number2(w, "active_mean", t->active.mean);
    judge_json_put_number2(w, "canary_mean", t->canary.mean);
    judge_json_put_number2(w, "difference", t->difference.mean);
    judge_canary_interval(w, judge_sequence_mean(&t->difference));
    needed = judge_sequence_needed(&t->difference, JUDGE_CANARY_POINTS);
    if (needed) {
        judge_json_put_int(w, "needed", (int64_t) needed);
    }

    crossed = t->rising + t->falling;
    judge_json_key_object(w, "changes_side");
    judge_json_put_int(w, "rising", (int64_t) t->rising);
    judge_json_put_int(w, "falling", (int64_t) t->falling);
    judge_json_put_number4(w, "share", (double) crossed / (double) n);
    judge_canary_interval(w, judge_wilson_share(crossed, n));
    judge_json_object_end(w);

    if (t->worse.n) {
        judge_json_key_object(w, "people");
        judge_json_put_int(w, "corrections", (int64_t) t->worse.n);
        judge_json_put_number2(w, "active_error", t->errors[0].mean);
        judge_json_put_number2(w, "canary_error", t->errors[1].mean);
        judge_json_put_number2(w, "difference", t->worse.mean);
        judge_canary_interval(w, judge_canary_t90(&t->worse));
        judge_json_object_end(w);
    }
}


/* --- The report in words ------------------------------------------------- */

/* Whether the interval leaves out 0, so that there is a difference.  It then
 * becomes that of the distance from 0. */

static bool
judge_canary_differs(judge_interval_t *v)
{
    double  low = v->low, high = v->high;

    if (!(low > 0 || high < 0)) {
        return false;
    }

    v->low = fmin(fabs(low), fabs(high));
    v->high = fmax(fabs(low), fabs(high));

    return true;
}


/* The number of evaluations still needed is rounded to two digits. */

static void
judge_canary_say_overall(judge_json_writer_t *w,
    const judge_canary_report_t *c)
{
    size_t                        n, needed, tens;
    const char                   *more;
    judge_interval_t              v;
    const judge_canary_target_t  *t = &c->targets[0];

    n = t->difference.n;
    v = judge_sequence_mean(&t->difference);
    needed = judge_sequence_needed(&t->difference, JUDGE_CANARY_POINTS);
    more = t->difference.mean > 0 ? "more" : "less";

    for (tens = 1; needed / tens >= 100; tens *= 10) {
        /* void */
    }

    if (n < JUDGE_SEQUENCE_LEAST) {
        judge_json_printf(w, "%zu %s judged by both versions; from %d on there"
                          " is an interval.", n,
                          n == 1 ? "evaluation was" : "evaluations were",
                          JUDGE_SEQUENCE_LEAST);

    } else if (judge_canary_differs(&v)) {
        judge_json_printf(w, "Version %lld gives %.1f points %s on average:"
                          " %.1f, not %.1f (with 90 %% certainty %.1f to %.1f"
                          " %s).", (long long) c->pairs.version,
                          fabs(t->difference.mean), more, t->canary.mean,
                          t->active.mean, v.low, v.high, more);

    } else if (n >= needed) {
        judge_json_printf(w, "There is no difference of more than %.1f points:"
                          " %zu evaluations were judged by both.",
                          fmax(-v.low, v.high), n);

    } else {
        judge_json_printf(w, "No difference is to be seen yet: %zu of the"
                          " about %zu evaluations needed to see one of a"
                          " point.", n, (needed + tens - 1) / tens * tens);
    }
}


static void
judge_canary_say_criteria(judge_json_writer_t *w,
    const judge_canary_report_t *c)
{
    size_t                        i;
    judge_interval_t              v;
    const judge_canary_target_t  *t = &c->targets[1];
    const judge_criterion_row_t  *list = c->criteria.items;

    for (i = 0; i < c->criteria.count; i++, t++) {
        v = judge_sequence_mean(&t->difference);

        if (judge_canary_differs(&v)) {
            judge_json_printf(w, "%.*s: %.1f points %s (%.1f to %.1f).",
                              judge_str_args(list[i].name),
                              fabs(t->difference.mean),
                              t->difference.mean > 0 ? "more" : "less",
                              v.low, v.high);
        }
    }
}


static void
judge_canary_say_sides(judge_json_writer_t *w, const judge_canary_report_t *c)
{
    size_t                        n, crossed;
    judge_interval_t              v;
    const judge_canary_target_t  *t = &c->targets[0];

    n = t->difference.n;
    crossed = t->rising + t->falling;
    v = judge_wilson_share(crossed, n);
    judge_json_printf(w, "%.1f %% of them change sides of %g (%.1f to %.1f"
                      " %%): %zu would pass, %zu would not any more.",
                      100 * (double) crossed / (double) n, c->threshold.value,
                      100 * v.low, 100 * v.high, t->rising, t->falling);
}


static void
judge_canary_say_people(judge_json_writer_t *w, const judge_canary_report_t *c)
{
    bool                          worse;
    judge_interval_t              v;
    const judge_canary_target_t  *t = &c->targets[0];

    v = judge_canary_t90(&t->worse);
    worse = t->worse.mean > 0;

    if (isnan(v.low)) {
        judge_json_printf(w, "People corrected %zu of them; from %d on there"
                          " is an interval.", t->worse.n,
                          JUDGE_ESTIMATE_LEAST);

    } else if (judge_canary_differs(&v)) {
        judge_json_printf(w, "On the %zu that people corrected version %lld is"
                          " %.1f points %s what they gave: %.1f off, not %.1f"
                          " (%.1f to %.1f %s).", t->worse.n,
                          (long long) c->pairs.version, fabs(t->worse.mean),
                          worse ? "further from" : "nearer to",
                          t->errors[1].mean, t->errors[0].mean, v.low, v.high,
                          worse ? "further" : "nearer");

    } else {
        judge_json_printf(w, "On the %zu that people corrected neither version"
                          " is seen to be nearer to what they gave: %.1f"
                          " points off, and %.1f.", t->worse.n,
                          t->errors[1].mean, t->errors[0].mean);
    }
}


static void
judge_canary_sentences(judge_json_writer_t *w, const judge_canary_report_t *c)
{
    judge_json_key_array(w, "sentences");
    judge_canary_say_overall(w, c);
    judge_canary_say_criteria(w, c);

    if (c->targets[0].difference.n >= JUDGE_SEQUENCE_LEAST) {
        judge_canary_say_sides(w, c);
    }

    if (c->targets[0].worse.n) {
        judge_canary_say_people(w, c);
    }

    if (c->pairs.active != c->pairs.base) {
        judge_json_printf(w, "Version %lld has become active since, so nothing"
                          " more is compared: drop the canary.",
                          (long long) c->pairs.active);

    } else if (c->pairs.judged >= JUDGE_CANARY_PAIRS) {
        judge_json_printf(w, "No more evaluations are compared than these %zu:"
                          " promote the canary or drop it.", c->n);
    }

    judge_json_array_end(w);
}


static void
judge_canary_answer(judge_req_t *r)
{
    judge_json_writer_t    *w;
    judge_canary_report_t  *c = r->ctx;

    w = judge_reply_begin(r, 200);
    judge_json_put_str(w, "judge_id", c->find.id);
    judge_json_put_int(w, "version", c->pairs.version);
    judge_json_put_int(w, "active_version", c->pairs.base);
    judge_json_put_number(w, "share", c->pairs.share);
    judge_json_put_time(w, "created_at", c->pairs.created_at);
    judge_json_put_c(w, "status", judge_canary_status(c));
    judge_canary_sentences(w, c);
    judge_json_put_int(w, "evaluations", (int64_t) c->n);
    judge_json_put_int(w, "corrected", (int64_t) c->corrected);
    judge_json_put_number(w, "coverage", JUDGE_SEQUENCE_COVERAGE);
    judge_json_put_number(w, "threshold", c->threshold.value);

    judge_json_key_object(w, "overall");
    judge_canary_target(w, c, 0);
    judge_json_object_end(w);
    judge_report_each(w, &c->criteria, 1, judge_canary_target, c);
    judge_json_put_c(w, "note", JUDGE_CANARY_NOTE);
    judge_reply_end(r);
}
