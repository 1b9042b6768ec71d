/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Examples for language models: as bytes, which follow the models of a
 * calibrator, and as the messages of a prompt. */


#include <math.h>
#include <string.h>

#include "work/calibration/calibrator.h"


#define JUDGE_FEWSHOT_MAGIC  UINT32_C(0x314e4853)

/* The head of a stored example; scores, text and comment follow. */
typedef struct {
    uint32_t  magic;
    uint32_t  group;
    uint32_t  text;                    /* bytes */
    uint32_t  reason;
} judge_fewshot_head_t;


void
judge_calibrator_fewshot_write(judge_buf_t *out, const judge_fewshot_t *items,
    size_t n, size_t ncriteria)
{
    size_t                i;
    judge_fewshot_head_t  head;

    for (i = 0; i < n; i++) {
        head = (judge_fewshot_head_t) {
            .magic = JUDGE_FEWSHOT_MAGIC, .group = items[i].group,
            .text = (uint32_t) items[i].text.len,
            .reason = (uint32_t) items[i].reason.len
        };

        judge_buf_append(out, &head, sizeof(head));
        judge_buf_append(out, items[i].scores, ncriteria * sizeof(float));
        judge_buf_str(out, items[i].text);
        judge_buf_str(out, items[i].reason);
    }
}


static judge_rc_e
judge_calibrator_fewshot_item(judge_arena_t *arena, judge_str_t *bytes,
    size_t ncriteria, judge_fewshot_t *item)
{
    float                 *scores;
    size_t                 size;
    judge_fewshot_head_t   head;

    size = ncriteria * sizeof(float);

    if (bytes->len < sizeof(head) + size) {
        return JUDGE_INVALID;
    }

    memcpy(&head, bytes->data, sizeof(head));
    bytes->data += sizeof(head);
    bytes->len -= sizeof(head);

    if (head.magic != JUDGE_FEWSHOT_MAGIC || head.text > JUDGE_FEWSHOT_TEXT
        || head.reason > JUDGE_FEWSHOT_REASON
        || bytes->len < size + head.text + head.reason)
    {
        return JUDGE_INVALID;
    }

    scores = judge_array_alloc(arena, ncriteria, sizeof(float));
    if (scores == NULL) {
        return JUDGE_NOMEM;
    }

    memcpy(scores, bytes->data, size);

    *item = (judge_fewshot_t) {
        .text = { head.text, bytes->data + size },
        .reason = { head.reason, bytes->data + size + head.text },
        .scores = scores, .group = head.group
    };

    size += head.text + head.reason;
    bytes->data += size;
    bytes->len -= size;

    return JUDGE_OK;
}


judge_rc_e
judge_calibrator_fewshot_read(judge_arena_t *arena, judge_str_t bytes,
    size_t ncriteria, judge_fewshot_pool_t **pool)
{
    size_t            n;
    judge_rc_e        rc;
    judge_fewshot_t  *items;

    items = judge_array_alloc(arena, JUDGE_FEWSHOT_ITEMS,
                              sizeof(judge_fewshot_t));
    if (items == NULL) {
        return JUDGE_NOMEM;
    }

    for (n = 0, rc = JUDGE_OK; rc == JUDGE_OK && bytes.len; n++) {
        rc = n < JUDGE_FEWSHOT_ITEMS
             ? judge_calibrator_fewshot_item(arena, &bytes, ncriteria,
                                             &items[n])
             : JUDGE_INVALID;
    }

    if (rc != JUDGE_OK || n == 0) {
        return rc == JUDGE_OK ? JUDGE_INVALID : rc;
    }

    *pool = judge_fewshot_create(arena, items, n);

    return *pool ? JUDGE_OK : JUDGE_NOMEM;
}


static judge_rc_e
judge_calibrator_example(judge_arena_t *arena, const judge_fewshot_t *item,
    const judge_str_t *ids, size_t nids, const judge_rubric_t *rubric,
    judge_prompt_example_t *out)
{
    size_t   i, t;
    double  *scores;

    scores = judge_array_alloc(arena, rubric->ncriteria, sizeof(double));
    if (scores == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < rubric->ncriteria; i++) {
        t = judge_str_index(ids, nids, rubric->criteria[i].id);
        scores[i] = t < nids && isfinite(item->scores[t])
                    ? (double) item->scores[t] : -1;
    }

    *out = (judge_prompt_example_t) {
        .text = item->text, .scores = scores, .explanation = item->reason
    };

    return JUDGE_OK;
}


judge_rc_e
judge_calibrator_examples(const judge_fewshot_pool_t *pool,
    const judge_str_t *ids, size_t nids, judge_arena_t *arena,
    const judge_rubric_t *rubric, judge_str_t text, const uint32_t *apart,
    judge_prompt_example_t **examples, size_t *n)
{
    size_t                  i, total, chosen[JUDGE_FEWSHOT_MOST];
    judge_rc_e              rc;
    const judge_fewshot_t  *items;

    *n = 0;

    rc = judge_fewshot_choose(pool, arena, text, apart, chosen, n);
    if (rc != JUDGE_OK) {
        return rc;
    }

    items = judge_fewshot_items(pool, &total);
    *examples = judge_array_alloc(arena, *n + 1,
                                  sizeof(judge_prompt_example_t));
    if (*examples == NULL) {
        return JUDGE_NOMEM;
    }

    /* The most similar example is the last one, next to the question. */
    for (i = 0; rc == JUDGE_OK && i < *n; i++) {
        rc = judge_calibrator_example(arena, &items[chosen[*n - 1 - i]], ids,
                                      nids, rubric, &(*examples)[i]);
    }

    return rc;
}
