/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* How well the scores of a judge agree with those of people: for each
 * criterion, by version, by month, and where they disagree most. */


#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/learning/agreement.h"
#include "analysis/llm/panel.h"
#include "work/training/training_data.h"
#include "api/http/response_cache.h"
#include "api/judges/agreement_parts.h"
#include "api/judges/judge_version.h"


#define JUDGE_AGREEMENT_REPORT_ITEMS  2000  /* evaluations, the newest */
#define JUDGE_AGREEMENT_REPORT_WORST  10
#define JUDGE_AGREEMENT_REPORT_PARTS  60  /* months, or versions, the last */

#define JUDGE_AGREEMENT_REPORT_SLICE  "metadata."

typedef struct {
    judge_str_t              slice;    /* query parameter; may be absent */
    bool                     blind;    /* shows no single evaluation */
    bool                     nameless; /* shows no names of contents */
    judge_judge_find_t       find;
    judge_report_criteria_t  criteria;
    judge_agreement_t        cascade[JUDGE_CASCADE_COUNT];
    judge_training_data_t    data;
    judge_opinion_list_t     opinions;
    judge_agreement_t       *agree;
    judge_agreement_t       *people;
    judge_panel_t            panel;    /* of the active version */
    judge_agreement_t       *members;  /* rows of each, and of all */
    judge_agreement_slice_t  slices[JUDGE_AGREEMENT_SLICES];
    size_t                   nslices;
    size_t                   all;      /* number of slices, shown or not */
} judge_agreement_report_t;

/* The items of one version or of one month. */
typedef struct {
    int64_t  key;
    size_t   n;                        /* number of scores */
    double   squares;
    double   sum;
} judge_agreement_report_part_t;

typedef struct {
    size_t  item;
    size_t  target;
    double  distance;
} judge_agreement_report_worst_t;


static bool judge_agreement_report(judge_req_t *r);
static void judge_agreement_report_found(judge_req_t *r);
static void judge_agreement_report_gathered(judge_training_data_t *data);
static void judge_agreement_report_cleanup(judge_req_t *r);
static void judge_agreement_report_measure(judge_req_t *r);
static void judge_agreement_report_answer(judge_req_t *r);


static const judge_field_t  judge_agreement_report_query[] = {
    judge_field(judge_agreement_report_t, slice, STRING, 0, 1, 200),
    { .name = NULL }
};

const judge_route_t  judge_agreement_routes[] = {
    { judge_route(GET, "/judges/{judge_id}/agreement", JUDGE_MAY_READ_FEEDBACK,
                  0, judge_agreement_report_t),
      .query = judge_agreement_report_query,
      .resource = &judge_judges_resource,
      .op = { judge_route_op(JUDGE_OP_JUDGE_FIND, judge_agreement_report_t,
                             find.),
              .prepare = judge_agreement_report,
              .next = judge_agreement_report_found } },
    { .pattern = NULL }
};


static bool
judge_agreement_report(judge_req_t *r)
{
    judge_str_t                prefix;
    judge_agreement_report_t  *c = r->ctx;

    prefix = JUDGE_STR(JUDGE_AGREEMENT_REPORT_SLICE);

    if (c->slice.data && (!judge_str_starts(c->slice, prefix)
                          || c->slice.len == prefix.len))
    {
        return judge_fail(r, 400, "slice: expected "
                          JUDGE_AGREEMENT_REPORT_SLICE " and the name of a"
                          " member, such as metadata.language");
    }

    return true;
}


/* Runs in a thread, as criteria may be megabytes. */

static void
judge_agreement_report_targets(judge_req_t *r)
{
    size_t                     n;
    judge_agreement_report_t  *c = r->ctx;

    r->rc = judge_report_criteria(r->arena, c->find.row.criteria,
                                  &c->criteria);
    if (r->rc != JUDGE_OK) {
        return;
    }

    n = c->criteria.rows.count;
    c->agree = judge_array_alloc(r->arena, n + 2, sizeof(judge_agreement_t));
    c->people = judge_array_alloc(r->arena, n + 2, sizeof(judge_agreement_t));
    r->rc = judge_panel_read(r->arena, c->find.row.panel, &c->panel);
    c->members = judge_array_alloc(r->arena, (c->panel.n + 1) * (n + 2),
                                   sizeof(judge_agreement_t));

    if (c->agree == NULL || c->people == NULL || c->members == NULL) {
        r->rc = JUDGE_NOMEM;
    }
}


static void
judge_agreement_report_gather(judge_req_t *r)
{
    judge_agreement_report_t  *c = r->ctx;

    r->cleanup = judge_agreement_report_cleanup;

    c->data = (judge_training_data_t) {
        .service = r->service, .org = r->org, .judge_id = c->find.id,
        .criteria = c->criteria.ids, .ncriteria = c->criteria.rows.count,
        .newest = JUDGE_AGREEMENT_REPORT_ITEMS, .members = c->panel.models,
        .nmembers = c->panel.n, .done = judge_agreement_report_gathered,
        .data = r
    };

    if (c->slice.data) {
        c->data.slice = judge_str_from(c->slice,
                            sizeof(JUDGE_AGREEMENT_REPORT_SLICE) - 1);
    }

    r->binding->hold(r);
    judge_training_data_gather(&c->data);
}


static void
judge_agreement_report_found(judge_req_t *r)
{
    judge_agreement_report_t  *c = r->ctx;

    c->blind = judge_auth_blind(r).data != NULL;
    c->nameless = !judge_auth_may(r, JUDGE_MAY_READ_CONTENT);

    if (c->blind || c->nameless
        || !judge_response_of_judge(r, c->find.id, c->find.row.version))
    {
        judge_compute(r, judge_agreement_report_targets,
                      judge_agreement_report_gather);
    }
}


static void
judge_agreement_report_gathered(judge_training_data_t *data)
{
    judge_req_t               *r = data->data;
    judge_agreement_report_t  *c = r->ctx;

    if (!r->binding->release(r) || !judge_check(r, data->rc, NULL)) {
        return;
    }

    c->opinions.op.kind = JUDGE_OP_OPINION_LIST;
    c->opinions.judge_id = c->find.id;
    c->opinions.after = c->data.start.id;
    judge_await_compute(r, &c->opinions.op, judge_agreement_report_measure,
                        judge_agreement_report_answer);
}


static void
judge_agreement_report_cleanup(judge_req_t *r)
{
    judge_agreement_report_t  *c = r->ctx;

    judge_training_data_free(&c->data);
}


/* --- In a thread --------------------------------------------------------- */

/* Somebody who annotates could tell the score that another one gave from a
 * mean, or from what is measured of very few. */

static bool
judge_agreement_report_shows(const judge_agreement_report_t *c, size_t scores)
{
    return !c->blind || scores >= JUDGE_AGREEMENT_LEAST;
}


/* Only a judge has a bias: agreement among people is reported without it. */

static void
judge_agreement_report_judged(judge_json_writer_t *w,
    const judge_agreement_report_t *c, const judge_agreement_t *agree)
{
    judge_json_put_int(w, "items", (int64_t) agree->n);

    if (agree->n && !c->blind) {
        judge_json_put_number4(w, "bias", agree->bias);
    }

    if (judge_agreement_report_shows(c, agree->n)) {
        judge_agreement_json(w, agree);
    }
}


static void
judge_agreement_report_target(judge_json_writer_t *w, const void *report,
    size_t target)
{
    const judge_agreement_report_t  *c = report;

    judge_agreement_report_judged(w, c, &c->agree[target]);

    if (c->people[target].n) {
        judge_json_key_object(w, "people");
        judge_json_put_int(w, "items", (int64_t) c->people[target].n);
        if (judge_agreement_report_shows(c, c->people[target].n)) {
            judge_agreement_json(w, &c->people[target]);
        }
        judge_json_object_end(w);
    }
}


static void
judge_agreement_report_cascade(judge_json_writer_t *w,
    const judge_agreement_report_t *c)
{
    size_t  i;

    if (c->cascade[JUDGE_CASCADE_DECIDED].n == 0) {
        return;
    }

    judge_json_key_object(w, "escalation");

    for (i = 0; i < JUDGE_CASCADE_COUNT; i++) {
        judge_json_key_object(w, judge_cascade_names[i]);
        judge_agreement_report_judged(w, c, &c->cascade[i]);
        judge_json_object_end(w);
    }

    judge_json_object_end(w);
}


/* Writes a row of the members: over all criteria, and by each. */

static void
judge_agreement_report_member(judge_json_writer_t *w,
    const judge_agreement_report_t *c, const judge_agreement_t *row)
{
    size_t  i;

    judge_agreement_report_judged(w, c, &row[c->data.ntargets]);
    judge_json_key_array(w, "criteria");

    for (i = 0; i < c->data.ncriteria; i++) {
        judge_json_object(w);
        judge_json_put_str(w, "criterion_id", c->criteria.ids[i]);
        judge_agreement_report_judged(w, c, &row[i]);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


static void
judge_agreement_report_panel(judge_json_writer_t *w,
    const judge_agreement_report_t *c)
{
    size_t  i, n;

    if (c->panel.n == 0) {
        return;
    }

    n = c->data.ntargets + 1;

    judge_json_key_object(w, "panel");
    judge_json_key_object(w, "together");
    judge_agreement_report_member(w, c, &c->members[c->panel.n * n]);
    judge_json_object_end(w);
    judge_json_key_array(w, "members");

    for (i = 0; i < c->panel.n; i++) {
        judge_json_object(w);
        judge_json_put_str(w, "model", c->panel.models[i]);
        judge_agreement_report_member(w, c, &c->members[i * n]);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
    judge_json_object_end(w);
}


static void
judge_agreement_report_slices(judge_json_writer_t *w,
    const judge_agreement_report_t *c)
{
    size_t                    i;
    const judge_agreement_t  *mean;

    if (c->slice.data == NULL) {
        return;
    }

    judge_json_key_array(w, "slices");

    for (i = 0; i < c->nslices; i++) {
        mean = &c->slices[i].agree[c->data.ntargets];
        judge_json_object(w);
        judge_json_put_str(w, "value", c->slices[i].value);
        judge_json_put_int(w, "items", (int64_t) c->slices[i].nitems);
        if (!c->blind) {
            judge_json_put_number4(w, "bias", mean->bias);
        }
        if (judge_agreement_report_shows(c, mean->n)) {
            judge_agreement_json(w, mean);
        }
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
    judge_json_put_int(w, "slices_in_all", (int64_t) c->all);
}


/* Returns year * 12 + month, the month from 0, in UTC. */

static int64_t
judge_agreement_report_month(judge_ms_t t)
{
    char  text[JUDGE_TIME_LEN + 1];

    judge_time_format(t, text);

    return ((text[0] - '0') * 1000 + (text[1] - '0') * 100
            + (text[2] - '0') * 10 + text[3] - '0') * 12
           + (text[5] - '0') * 10 + text[6] - '0' - 1;
}


static void
judge_agreement_report_part_add(judge_agreement_report_part_t *part,
    const judge_training_data_t *l, size_t i)
{
    size_t  t;
    double  d;

    for (t = 0; t < l->ntargets; t++) {
        d = (double) l->shown[i * l->ntargets + t]
            - (double) l->target[i * l->ntargets + t];
        if (!isnan(d)) {
            part->n++;
            part->squares += d * d;
            part->sum += d;
        }
    }
}


static void
judge_agreement_report_part(judge_json_writer_t *w,
    const judge_agreement_report_t *c,
    const judge_agreement_report_part_t *part, bool month)
{
    char  text[32];

    if (month) {
        (void) snprintf(text, sizeof(text), "%04d-%02d",
                        (int) (part->key / 12 % 10000),
                        (int) (part->key % 12 + 1));
        judge_json_put_c(w, "month", text);
    } else {
        judge_json_put_int(w, "version_number", part->key);
    }

    judge_json_put_int(w, "scores", (int64_t) part->n);

    if (part->n && judge_agreement_report_shows(c, part->n)) {
        judge_json_put_number4(w, "rmse",
                               sqrt(part->squares / (double) part->n));
    }

    if (part->n && !c->blind) {
        judge_json_put_number4(w, "bias", part->sum / (double) part->n);
    }
}


static int
judge_agreement_report_by_key(const void *a, const void *b)
{
    const judge_agreement_report_part_t  *x = a, *y = b;

    return x->key < y->key ? -1 : x->key > y->key;
}


/* Writes the error over all criteria by month or by version.  The newest
 * evaluations come last, and are counted first, since of many months or
 * versions the last ones are shown. */

static void
judge_agreement_report_parts(judge_json_writer_t *w,
    const judge_agreement_report_t *c, bool months)
{
    size_t                            i, k, n;
    int64_t                           key;
    const judge_training_item_t      *item;
    judge_agreement_report_part_t     parts[JUDGE_AGREEMENT_REPORT_PARTS];

    for (i = c->data.n, n = 0; i-- > 0; /* void */) {
        item = &c->data.items[i];
        key = months ? judge_agreement_report_month(judge_id_time(
                                           judge_id_str(&item->evaluation)))
                     : item->version;

        for (k = 0; k < n && parts[k].key != key; k++) {
            /* void */
        }

        if (k == JUDGE_AGREEMENT_REPORT_PARTS) {
            continue;
        }
        if (k == n) {
            parts[n++] = (judge_agreement_report_part_t) { .key = key };
        }

        judge_agreement_report_part_add(&parts[k], &c->data, i);
    }

    qsort(parts, n, sizeof(judge_agreement_report_part_t),
          judge_agreement_report_by_key);
    judge_json_key_array(w, months ? "by_month" : "by_version");

    for (k = 0; k < n; k++) {
        judge_json_object(w);
        judge_agreement_report_part(w, c, &parts[k], months);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


/* Collects the largest differences in falling order; between equal ones, the
 * item that comes first. */

static size_t
judge_agreement_report_collect(const judge_agreement_report_t *c,
    judge_agreement_report_worst_t *worst)
{
    size_t                  i, t, k, n;
    double                        d;
    const judge_training_data_t  *l = &c->data;

    for (i = 0, n = 0; i < l->n; i++) {
        for (t = 0; t < l->ntargets; t++) {
            d = fabs((double) l->shown[i * l->ntargets + t]
                     - (double) l->target[i * l->ntargets + t]);
            if (isnan(d) || d <= 0
                || (n == JUDGE_AGREEMENT_REPORT_WORST
                    && d <= worst[n - 1].distance))
            {
                continue;
            }

            n += n < JUDGE_AGREEMENT_REPORT_WORST;
            for (k = n - 1; k > 0 && worst[k - 1].distance < d; k--) {
                worst[k] = worst[k - 1];
            }
            worst[k] = (judge_agreement_report_worst_t) { i, t, d };
        }
    }

    return n;
}


static void
judge_agreement_report_worst(judge_json_writer_t *w,
    const judge_agreement_report_t *c)
{
    size_t                           i, n, offset;
    const judge_training_data_t     *l = &c->data;
    const judge_training_item_t     *item;
    const judge_criterion_row_t     *rows = c->criteria.rows.items;
    judge_agreement_report_worst_t   worst[JUDGE_AGREEMENT_REPORT_WORST];

    n = c->blind ? 0 : judge_agreement_report_collect(c, worst);

    judge_json_key_array(w, "disagreements");

    for (i = 0; i < n; i++) {
        item = &l->items[worst[i].item];
        offset = worst[i].item * l->ntargets + worst[i].target;

        judge_json_object(w);
        judge_json_put_str(w, "evaluation_id",
                           judge_id_str(&item->evaluation));
        if (!c->nameless) {
            judge_json_put_str(w, "content_name", item->name);
        }
        judge_json_put_int(w, "judge_version", item->version);

        if (worst[i].target < l->ncriteria) {
            judge_json_put_str(w, "criterion_id", rows[worst[i].target].id);
            judge_json_put_str(w, "name", rows[worst[i].target].name);
        }

        judge_json_put_number2(w, "given_score", (double) l->shown[offset]);
        judge_json_put_number2(w, "people_score", (double) l->target[offset]);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


static void
judge_agreement_report_render(judge_req_t *r)
{
    judge_json_writer_t       *w;
    judge_agreement_report_t  *c = r->ctx;
    judge_training_data_t     *l = &c->data;

    w = judge_reply_begin(r, 200);
    judge_json_put_str(w, "judge_id", c->find.id);
    judge_json_put_int(w, "version_number", c->find.row.version);
    judge_json_put_int(w, "evaluations", (int64_t) l->n);
    judge_json_put_bool(w, "complete", !l->cut);
    judge_report_each(w, &c->criteria.rows, 0, judge_agreement_report_target,
                      c);

    judge_json_key_object(w, "overall");
    judge_agreement_report_target(w, c, l->ncriteria);
    judge_json_object_end(w);

    judge_json_key_object(w, "mean");
    judge_agreement_report_target(w, c, l->ntargets);
    judge_json_object_end(w);

    judge_agreement_report_cascade(w, c);
    judge_agreement_report_panel(w, c);
    judge_agreement_report_slices(w, c);
    judge_agreement_report_parts(w, c, false);
    judge_agreement_report_parts(w, c, true);
    judge_agreement_report_worst(w, c);
}


static judge_rc_e
judge_agreement_report_compute(judge_req_t *r, judge_arena_t *arena)
{
    judge_rc_e                      rc;
    judge_agreement_set_t           set;
    judge_agreement_report_t       *c = r->ctx;
    judge_training_data_t          *l = &c->data;
    const judge_report_criteria_t  *criteria = &c->criteria;

    set = (judge_agreement_set_t) {
        .nitems = l->n, .ntargets = l->ntargets, .nmean = l->ncriteria,
        .human = l->target, .pred = l->shown, .pass = criteria->pass,
        .group = judge_training_data_groups(arena, l)
    };

    rc = set.group ? judge_agreement(arena, &set, c->agree) : JUDGE_NOMEM;
    rc = rc ? rc : judge_agreement_people(arena, &c->opinions, criteria->ids,
                                          l->ncriteria, criteria->pass,
                                          c->people);
    rc = rc ? rc : judge_agreement_cascade(arena, &set, l, criteria->weights,
                                           c->cascade);
    if (rc == JUDGE_OK && c->panel.n) {
        rc = judge_agreement_panel(arena, &set, l, c->members);
    }
    if (rc == JUDGE_OK && c->slice.data) {
        rc = judge_agreement_slices(r->arena, &set, l, c->slices, &c->nslices,
                                    &c->all);
    }

    return rc;
}


static void
judge_agreement_report_measure(judge_req_t *r)
{
    judge_arena_t  *arena;

    arena = judge_arena_create(256 * 1024);
    r->rc = arena ? judge_agreement_report_compute(r, arena) : JUDGE_NOMEM;
    judge_arena_destroy(arena);

    if (r->rc == JUDGE_OK) {
        judge_agreement_report_render(r);
    }
}


static void
judge_agreement_report_answer(judge_req_t *r)
{
    if (judge_reply_ready(r)) {
        judge_response_keep(r);
        judge_reply_send(r);
    }
}
