/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <stdlib.h>
#include <string.h>

#include "work/evaluation/evaluate.h"
#include "work/evaluation/claimed_evaluation.h"


void
judge_waiting_init(judge_waiting_t *waiting)
{
    memset(waiting, 0, sizeof(judge_waiting_t));
    waiting->single.last = &waiting->single.first;
    waiting->ranges.last = &waiting->ranges.first;
}


/* Takes the first n evaluations off a list, which has at least as many. */

static judge_claimed_t *
judge_waiting_cut(judge_claimed_list_t *list, size_t n)
{
    judge_claimed_t  *first, **link;

    first = list->first;
    list->count -= n;

    for (link = &list->first; n; n--) {
        link = &(*link)->next;
    }

    list->first = *link;
    *link = NULL;
    if (list->first == NULL) {
        list->last = &list->first;
    }

    return first;
}


static void
judge_waiting_drop(judge_claimed_list_t *list)
{
    free(judge_waiting_cut(list, 1));
}


void
judge_waiting_free(judge_waiting_t *waiting)
{
    while (waiting->single.count || waiting->ranges.count) {
        judge_waiting_drop(waiting->single.count ? &waiting->single
                                                 : &waiting->ranges);
    }
}


/* Returns the round of a new single evaluation; the list is ordered by rounds.
 * Each content of an organization takes the round after that of its content
 * before; evaluations of one content share a round, so that the content is
 * read once.  An organization of which none waits begins in the first round of
 * the list. */

static uint64_t
judge_waiting_round(const judge_claimed_list_t *list,
    const judge_claimed_t *claimed)
{
    uint64_t                round;
    const judge_claimed_t  *t;

    round = list->first ? list->first->round : 0;

    for (t = list->first; t; t = t->next) {
        if (strcmp(t->org.text, claimed->org.text) == 0) {
            round = t->round + (strcmp(t->content_id.text,
                                       claimed->content_id.text) != 0);
        }
    }

    return round;
}


/* Finds the place in the list.  A retry comes first, because no other
 * evaluation may run beside it. */

static judge_claimed_t **
judge_waiting_place(judge_claimed_list_t *list, judge_claimed_t *claimed)
{
    judge_claimed_t  **link;

    link = &list->first;

    if (claimed->retry) {
        claimed->round = *link ? (*link)->round : 0;
        return link;
    }

    claimed->round = judge_waiting_round(list, claimed);
    while (*link && (*link)->round <= claimed->round) {
        link = &(*link)->next;
    }

    return link;
}


bool
judge_waiting_add(judge_waiting_t *waiting, const judge_claimed_t *claimed)
{
    judge_claimed_t       *copy, **link;
    judge_claimed_list_t  *list;

    copy = malloc(sizeof(judge_claimed_t));
    if (copy == NULL) {
        return false;
    }

    *copy = *claimed;

    if (claimed->first.text[0]) {
        list = &waiting->ranges;
        link = list->last;
    } else {
        list = &waiting->single;
        link = judge_waiting_place(list, copy);
    }

    copy->next = link == list->last ? NULL : *link;
    *link = copy;
    if (copy->next == NULL) {
        list->last = &copy->next;
    }

    list->count++;
    waiting->retry |= claimed->retry;

    return true;
}


size_t
judge_waiting_of(const judge_waiting_t *waiting, judge_str_t org)
{
    size_t                  n;
    const judge_claimed_t  *t;

    for (n = 0, t = waiting->single.first; t; t = t->next) {
        n += judge_str_eq_c(org, t->org.text);
    }

    return n;
}


/* Whether the single evaluation after `t`, the n-th of a group, joins the
 * group.  The evaluations of a content stay together, so that it is read once,
 * unless they are too many. */

static bool
judge_waiting_joins(const judge_claimed_t *t, size_t n, bool many)
{
    if (t->next == NULL || t->retry || t->next->retry) {
        return false;
    }

    return n < JUDGE_EVALUATE_GROUP
           || (many && n < JUDGE_EVALUATE_MOST
               && t->batch_id.text[0] && t->next->batch_id.text[0])
           || (n < 2 * JUDGE_EVALUATE_GROUP
               && strcmp(t->content_id.text, t->next->content_id.text) == 0);
}


static judge_claimed_t *
judge_waiting_group(judge_claimed_list_t *list, size_t *n)
{
    bool              many;
    judge_claimed_t  *t;

    many = list->count >= JUDGE_EVALUATE_MOST;

    for (*n = 1, t = list->first; judge_waiting_joins(t, *n, many); ++*n) {
        t = t->next;
    }

    return judge_waiting_cut(list, *n);
}


/* Takes a whole range, so that its pages are written once. */

static judge_claimed_t *
judge_waiting_range(judge_claimed_list_t *list, size_t *n)
{
    judge_claimed_t  *t;

    for (*n = 1, t = list->first;
         t->next && strcmp(t->first.text, t->next->first.text) == 0;
         ++*n)
    {
        t = t->next;
    }

    return judge_waiting_cut(list, *n);
}


judge_claimed_t *
judge_waiting_take(judge_waiting_t *waiting, judge_ms_t now, bool ranges,
    size_t *n)
{
    bool                   range;
    judge_claimed_list_t  *single = &waiting->single;
    judge_claimed_list_t  *of_ranges = &waiting->ranges;

    while (single->first && single->first->until <= now) {
        waiting->retry = waiting->retry && !single->first->retry;
        judge_waiting_drop(single);
    }

    while (of_ranges->first && of_ranges->first->until <= now) {
        judge_waiting_drop(of_ranges);
    }

    range = ranges && of_ranges->first
            && (single->first == NULL
                || (waiting->range_next && !single->first->retry));

    if (!range && single->first == NULL) {
        return NULL;
    }

    waiting->range_next = !range;

    return range ? judge_waiting_range(of_ranges, n)
                 : judge_waiting_group(single, n);
}
