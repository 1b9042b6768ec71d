/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * An item becomes a criterion: a head of it is the name, all of it, in the
 * writer's words, the description.
 */


#include "base/text/utf8.h"
#include "analysis/criteria/criteria_parts.h"


#define JUDGE_DRAFT_NAME         100   /* bytes; then it is cut at a word */
#define JUDGE_DRAFT_DESCRIPTION  5000
#define JUDGE_DRAFT_LABEL        8     /* words before a colon */


static judge_str_t
judge_draft_cut(judge_prose_t *p, judge_str_t s, size_t max)
{
    size_t  n;

    if (s.len <= max) {
        return s;
    }

    s = judge_utf8_prefix(s, max - sizeof("…") + 1);

    for (n = s.len; n > max / 2 && s.data[n - 1] != ' '; n--) { /* void */ }

    s.len = (n > max / 2) ? n - 1 : s.len;
    s = judge_str_printf(p->arena, "%.*s…", (int) s.len, s.data);
    p->failed |= s.data == NULL;

    return s;
}


/* A name stands once: the same item again changes at most its weight. */

judge_draft_t *
judge_draft_put(judge_prose_t *p, judge_str_t name, judge_str_t description,
    const judge_weigh_t *w)
{
    int             n = 2;
    size_t          i;
    judge_str_t     unique;
    judge_draft_t  *f;

    unique = name = judge_draft_cut(p, name, JUDGE_DRAFT_NAME);
    description = judge_draft_cut(p, description, JUDGE_DRAFT_DESCRIPTION);

    if (name.len == 0 || description.len == 0 || p->failed) {
        return NULL;
    }

    for (i = 0; i < p->nfound && !p->failed; i++) {
        f = &p->found[i];

        if (!judge_str_caseeq(f->name, unique)) {
            continue;
        }

        if (judge_str_eq(f->description, description)) {
            f->weigh = (w->share + w->points + w->factor > 0) ? *w : f->weigh;
            return f;
        }

        /* The new name may stand before this one: all are compared again. */
        unique = judge_str_printf(p->arena, "%.*s (%d)", (int) name.len,
                                  name.data, n++);
        p->failed |= unique.data == NULL;
        i = (size_t) -1;
    }

    if (p->nfound == JUDGE_CRITERIA_FOUND) {
        p->lost++;
        judge_criteria_say(p, false, JUDGE_SAY_LEFT_OUT, name);
        return NULL;
    }

    f = &p->found[p->nfound++];
    *f = (judge_draft_t) { .name = unique, .weigh = *w,
        .description = description,
        .strict = judge_has(p, description, STRICT)
                  - judge_has(p, description, LENIENT) };

    return f;
}


static judge_str_t
judge_draft_join(judge_prose_t *p, judge_str_t a, const char *between,
    judge_str_t b)
{
    judge_str_t  s = b;

    if (a.len > 0) {
        s = (judge_end(a) <= b.data && judge_words_trim(p, judge_words_span(
                 judge_end(a), b.data)).len == 0 && *between == ' ')
            ? judge_words_span(a.data, judge_end(b))
            : judge_str_printf(p->arena, "%.*s%s%.*s", (int) a.len, a.data,
                               between, (int) b.len, b.data);
        p->failed |= s.data == NULL;
    }

    return s;
}


judge_draft_t *
judge_draft_add(judge_prose_t *p, judge_str_t before, judge_str_t item,
    const judge_weigh_t *w)
{
    judge_str_t  head, mark, text, name, word;

    item = judge_words_trim(p, item);
    before = judge_words_trim(p, before);
    word = judge_words_begins(p, item, JUDGE_CLASS_AND);
    item = word.data ? judge_words_trim(p, judge_behind(item, word)) : item;

    if (w->at.data >= item.data && judge_end(w->at) <= judge_end(item)) {
        head = judge_before(item, w->at);

        if (w->first) {
            item = head = judge_words_trim(p, judge_behind(item, w->at));

        } else if (judge_words_count(p, judge_behind(item, w->at)) == 0) {
            item = head = judge_words_trim(p, head);
        }

    } else {
        head = item;
    }

    mark = judge_words_match(p, JUDGE_RULE_LABEL, "\\h*(?:\\(|[:=](?!\\d)"
                             "|\\h[–—-]\\h)", head);
    head = (mark.data > head.data) ? judge_before(head, mark) : head;
    head = judge_words_trim(p, head);
    text = item;
    mark = judge_words_match(p, JUDGE_RULE_COLON, JUDGE_WORDS_COLON, item);

    /* "Tone: calm" is described by "calm", unless the label says no to it. */
    if (before.len == 0 && mark.data > item.data
        && !judge_has(p, judge_before(item, mark), NOT)
        && judge_words_count(p, judge_behind(item, mark)) > 0
        && judge_words_count(p, head) <= JUDGE_DRAFT_LABEL)
    {
        text = judge_words_trim(p, judge_behind(item, mark));
    }

    while ((word = judge_words_begins(p, head, JUDGE_CLASS_BE)).data != NULL
           || ((word = judge_words_begins(p, head, JUDGE_CLASS_CLAUSE)).data
               && judge_words_value(p, JUDGE_CLASS_CLAUSE, word) != 3))
    {
        word = judge_words_trim(p, judge_behind(head, word));

        if (word.len == 0) {
            break;
        }

        head = word;                   /* "be", "whether"; not "what" */
    }

    if (judge_words_count(p, head) == 0) {
        return NULL;
    }

    text = judge_draft_join(p, before, " ", text);
    name = judge_has(p, before, NOT) ? text : head;
    text = judge_draft_join(p, p->group, ": ", text);

    return judge_draft_put(p, judge_has(p, p->group, NOT) ? text : name, text,
                           w);
}
