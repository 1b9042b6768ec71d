/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>
#include <string.h>

#include "base/text/utf8.h"
#include "analysis/builtin/conversation.h"
#include "analysis/checks/check_type.h"
#include "analysis/checks/checks.h"
#include "analysis/text/language.h"
#include "analysis/text/math.h"


#define JUDGE_CHECKS_ONE  1000         /* steps for a check, at least */

typedef struct {
    judge_checked_t          c;
    const judge_rubric_t    *rubric;
    judge_verdict_t         *verdict;
} judge_checks_t;


/* The only field of a stored criterion that is read here. */
static const judge_field_t  judge_checks_row[] = {
    { .name = "checks", .type = JUDGE_FIELD_LIST, .max = JUDGE_CHECKS_MAX,
      .fields = judge_check_fields,
      .item_size = sizeof(judge_check_sent_t) },
    { .name = NULL }
};


judge_rc_e
judge_checks_rubric(judge_arena_t *arena, judge_arena_t *values,
    judge_rubric_t *rubric)
{
    size_t              i;
    judge_rc_e          rc;
    judge_str_t         error;
    judge_list_t        rows;
    judge_criterion_t  *criterion;

    for (i = 0; i < rubric->ncriteria; i++) {
        criterion = &rubric->criteria[i];
        if (criterion->stored == NULL) {
            continue;
        }

        memset(&rows, 0, sizeof(judge_list_t));
        rc = judge_fields_bind(arena, judge_checks_row, criterion->stored,
                               JUDGE_STR(""), &rows, &error);
        if (rc == JUDGE_OK) {
            rc = judge_checks_read(arena, values, &rows, &criterion->checks,
                                   &error);
        }
        if (rc != JUDGE_OK) {
            return rc;
        }

        criterion->nchecks = rows.count;
    }

    return JUDGE_OK;
}


judge_allowance_t
judge_checks_allowance(size_t len)
{
    len = len < JUDGE_TEXT_MAX ? len : JUDGE_TEXT_MAX;

    return (judge_allowance_t) {
        .steps = JUDGE_CHECKS_STEPS + JUDGE_CHECKS_BYTE * (uint64_t) len,
        .bytes = JUDGE_CHECKS_BYTES
    };
}


static bool
judge_checks_any(const judge_rubric_t *rubric)
{
    size_t  i;

    for (i = 0; i < rubric->ncriteria; i++) {
        if (rubric->criteria[i].nchecks) {
            return true;
        }
    }

    return false;
}


/* The language of feedback: the judge's, else the text's, which is detected
 * here where the engine that made the verdict has not done so. */

static void
judge_checks_language(judge_checks_t *a)
{
    const judge_text_t  *t;

    a->c.feedback = judge_language_find(a->rubric->feedback_language);

    if (a->c.feedback != JUDGE_LANGUAGE_UNKNOWN) {
        return;
    }

    if (a->verdict->language) {
        a->c.feedback = judge_language_find(judge_str_c(a->verdict->language));
        return;
    }

    t = judge_checked_text(&a->c);
    a->c.feedback = t ? t->language : JUDGE_LANGUAGE_UNKNOWN;
}


/* Sets the text to check.  That of a whole conversation is without the labels
 * of roles, which are nobody's words.  False: no memory. */

static bool
judge_checks_text(judge_checked_t *c, const judge_item_t *item)
{
    c->text = item->text;
    c->shown = item->text.data;
    c->conversation = item->conversation;
    c->offset = item->offset;
    c->unlabelled = c->conversation && c->offset == 0;

    if (c->unlabelled) {
        c->text = judge_conversation_unlabelled(c->arena, c->conversation,
                                                c->text);
    }

    return !c->unlabelled || c->text.data;
}


/* False: the text is empty or white space. */

static bool
judge_checks_begin(judge_checks_t *a, const judge_item_t *item)
{
    judge_str_t       within;
    judge_checked_t  *c = &a->c;

    c->source = item->source;
    c->references = a->rubric->references;
    c->nreferences = a->rubric->nreferences;
    if (item->reference.len) {
        c->references = &item->reference;
        c->nreferences = 1;
    }

    if (c->text.len > JUDGE_TEXT_MAX) {
        c->text = judge_utf8_prefix(c->text, JUDGE_TEXT_MAX);
    }
    c->text.len = judge_utf8_check(c->text);

    within = judge_str_trim(c->text, " \t\r\n");
    c->begin = within.len ? (size_t) (within.data - c->text.data) : 0;
    c->end = c->begin + within.len;
    judge_checks_language(a);

    return within.len > 0;
}


static judge_rc_e
judge_checks_one(judge_checks_t *a, const judge_check_t *check,
    judge_check_result_t *r)
{
    uint64_t            rest;
    judge_rc_e          rc;
    judge_allowance_t  *left = a->c.allowance;

    judge_arena_reset(a->c.scratch);
    r->check = check;

    if (a->c.conversation == NULL && (check->type->mode & JUDGE_TOOLS_CALLS)) {
        return judge_check_say(&a->c, r, (double) NAN,
                               "It is no conversation.");
    }

    rest = left->steps - left->steps / 2;
    left->steps /= 2;
    left->refused = false;

    rc = judge_allowance_take(left, JUDGE_CHECKS_ONE + JUDGE_CHECK_BYTE
                                    * (a->c.end - a->c.begin))
         ? check->type->decide(&a->c, check, r) : JUDGE_BUSY;
    left->steps += rest;

    if (left->over) {
        return JUDGE_STALE;
    }

    if (rc == JUDGE_BUSY || (rc == JUDGE_NOMEM && left->refused)) {
        r->budget = true;
        r->npassages = 0;

        return judge_check_say(&a->c, r, (double) NAN, "Whether %.*s is met"
                               " was not decided: it takes too many steps.",
                               judge_str_args(check->name));
    }

    if (rc == JUDGE_OK && check->negated && !isnan(r->share)) {
        r->share = r->share > 0 ? 0 : 1;
    }

    return rc;
}


/* Puts what the checks found before the feedback, or in its place.  Checks
 * that are met are named only where all are, and nothing is said twice. */

static judge_rc_e
judge_checks_say(judge_checks_t *a, judge_criterion_score_t *score,
    bool judged)
{
    bool                         met = true;
    size_t                       i, k;
    judge_buf_t                  b;
    const judge_check_result_t  *r = score->checks;

    for (i = 0; i < score->nchecks; i++) {
        met = met && r[i].share >= 1;
    }

    judge_buf_init(&b, a->c.arena);

    for (i = 0; i < score->nchecks; i++) {
        if (!met && r[i].share >= 1) {
            continue;
        }

        for (k = 0; (!met && r[k].share >= 1)
                    || !judge_str_eq(r[k].sentence, r[i].sentence); k++)
        {
            /* void */
        }

        if (k == i) {
            judge_buf_c(&b, b.len ? " " : "");
            judge_buf_str(&b, r[i].sentence);
        }
    }

    if (judged && score->feedback.len) {
        judge_buf_c(&b, " ");
        judge_buf_str(&b, score->feedback);
    }

    score->feedback = judge_buf_view(&b);

    if (isnan(score->score) && score->judged_by == JUDGE_BY_CHECKS) {
        score->reason = score->feedback;   /* why none of them was decided */
    }

    return b.failed ? JUDGE_NOMEM : JUDGE_OK;
}


/* Scores by the checks that were decided.  False: by nothing else. */

static bool
judge_checks_count(const judge_criterion_t *criterion,
    judge_criterion_score_t *score)
{
    size_t                       i;
    double                       sum = 0, weights = 0, bound = 100, before;
    const judge_check_result_t  *r;

    for (i = 0; i < score->nchecks; i++) {
        r = &score->checks[i];

        if (isnan(r->share)) {
            continue;
        }

        /* All that a description requires has to be met at once. */
        if (criterion->decided && r->check->described) {
            bound = fmin(bound, 100 * r->share);
        }

        if (r->check->caps) {
            bound = fmin(bound, JUDGE_CHECK_CAP
                                + (100 - JUDGE_CHECK_CAP) * r->share);
        }

        if (criterion->decided || !r->check->caps) {
            sum += r->check->weight * r->share * 100;
            weights += r->check->weight;
        }
    }

    if (!criterion->decided && !isnan(score->score)) {
        sum += score->score;
        weights += 1;
    }

    if (weights == 0 || (!criterion->decided && isnan(score->score))) {
        return true;                   /* results are shown, but don't count */
    }

    before = score->score;
    score->score = judge_round2(fmin(sum / weights, bound));
    judge_score_stage(score, JUDGE_STAGE_CHECKED, before, criterion->decided
        ? JUDGE_STR("Its checks decide it.")
        : JUDGE_STR("Its checks count as much as they weigh."));

    if (criterion->decided) {
        score->judged_by = JUDGE_BY_CHECKS;
    }

    return !criterion->decided;
}


static judge_rc_e
judge_checks_criterion(judge_checks_t *a, const judge_criterion_t *criterion,
    judge_criterion_score_t *score)
{
    size_t      i;
    judge_rc_e  rc;

    if (criterion->nchecks == 0) {
        return JUDGE_OK;
    }

    a->c.asked = judge_str_trim(criterion->description.len > 0
                                ? criterion->description : criterion->name,
                                " .\r\n");
    score->nchecks = 0;
    score->checks = judge_array_alloc(a->c.arena, criterion->nchecks,
                                      sizeof(judge_check_result_t));
    if (score->checks == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < criterion->nchecks; i++) {
        if (!criterion->checks[i].on) {
            continue;
        }

        rc = judge_checks_one(a, &criterion->checks[i],
                              &score->checks[score->nchecks++]);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    if (score->nchecks == 0) {
        return JUDGE_OK;
    }

    score->judged = score->score;

    return judge_checks_say(a, score, judge_checks_count(criterion, score));
}


static void
judge_checks_overall(judge_checks_t *a)
{
    judge_verdict_t  *v = a->verdict;
    double            before = v->overall;

    judge_verdict_total(a->rubric, v);

    if (!isnan(before) && v->overall != before) {
        v->checked = true;
        v->judged = before;
    }
}


static judge_rc_e
judge_checks_all(judge_checks_t *a, const judge_item_t *item)
{
    size_t                    i;
    judge_rc_e                rc;
    judge_verdict_t          *v = a->verdict;
    judge_criterion_score_t  *before = v->scores;

    v->scores = judge_array_alloc(a->c.arena, a->rubric->ncriteria,
                                  sizeof(judge_criterion_score_t));
    if (v->scores == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0, rc = JUDGE_OK; i < a->rubric->ncriteria && rc == JUDGE_OK;
         i++)
    {
        v->scores[i] = before[i];
        rc = judge_checks_criterion(a, &a->rubric->criteria[i],
                                    &v->scores[i]);
    }

    if (rc == JUDGE_OK) {
        judge_checks_overall(a);
    }

    return rc;
}


judge_rc_e
judge_checks_apply(judge_arena_t *arena, const judge_rubric_t *rubric,
    const judge_item_t *item, judge_verdict_t *verdict,
    judge_allowance_t *allowance)
{
    judge_rc_e         rc;
    judge_checks_t     a;
    judge_allowance_t  whole;

    if (!judge_checks_any(rubric)) {
        return JUDGE_OK;
    }

    memset(&a, 0, sizeof(judge_checks_t));
    a.rubric = rubric;
    a.verdict = verdict;
    a.c.arena = arena;
    whole = judge_checks_allowance(item->text.len);
    allowance = allowance ? allowance : &whole;
    a.c.allowance = allowance;
    a.c.kept = judge_arena_create(64 * 1024);
    a.c.scratch = judge_arena_create(16 * 1024);
    a.c.reader = a.c.kept ? judge_regex_reader(a.c.kept) : NULL;

    if (a.c.reader && a.c.scratch && judge_checks_text(&a.c, item)) {
        judge_arena_bound(a.c.kept, allowance);
        judge_arena_bound(a.c.scratch, allowance);
        judge_regex_charge(a.c.reader, allowance);
        rc = judge_checks_begin(&a, item) ? judge_checks_all(&a, item)
                                          : JUDGE_OK;
    } else {
        rc = JUDGE_NOMEM;
    }

    judge_arena_destroy(a.c.scratch);
    judge_arena_destroy(a.c.kept);

    return rc;
}
