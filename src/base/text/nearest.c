/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "base/text/ascii.h"
#include "base/text/nearest.h"


#define JUDGE_NEAREST_PART  4          /* bytes of the shortest part */

typedef struct {
    size_t  len;
    char    text[JUDGE_NEAREST_LEN];
} judge_nearest_t;


static bool
judge_nearest_fold(judge_str_t s, judge_nearest_t *folded)
{
    size_t  i;

    if (s.len > JUDGE_NEAREST_LEN) {
        return false;
    }

    folded->len = 0;

    for (i = 0; i < s.len; i++) {
        if (s.data[i] != '_' && s.data[i] != '-') {
            folded->text[folded->len++] = judge_ascii_lower(s.data[i]);
        }
    }

    return folded->len > 0;
}


/* Whether a is long enough, and b begins or ends with it. */

static bool
judge_nearest_part(const judge_nearest_t *a, const judge_nearest_t *b)
{
    return a->len >= JUDGE_NEAREST_PART && a->len <= b->len
           && (memcmp(a->text, b->text, a->len) == 0
               || memcmp(a->text, b->text + b->len - a->len, a->len) == 0);
}


/* Computes the table of distances between prefixes of a and b row by row.
 * `swap` is the row before `above`, because a swap needs two letters. */

static size_t
judge_nearest_edits(const judge_nearest_t *a, const judge_nearest_t *b)
{
    size_t  i, j, least, rows[3][JUDGE_NEAREST_LEN + 1];
    size_t  *swap, *above, *row, *spare;

    swap = rows[0];
    above = rows[1];
    row = rows[2];

    for (j = 0; j <= b->len; j++) {
        above[j] = j;
    }

    for (i = 1; i <= a->len; i++) {
        row[0] = i;

        for (j = 1; j <= b->len; j++) {
            least = above[j - 1] + (a->text[i - 1] != b->text[j - 1]);
            least = above[j] + 1 < least ? above[j] + 1 : least;
            least = row[j - 1] + 1 < least ? row[j - 1] + 1 : least;

            if (i > 1 && j > 1 && a->text[i - 1] == b->text[j - 2]
                && a->text[i - 2] == b->text[j - 1]
                && swap[j - 2] + 1 < least)
            {
                least = swap[j - 2] + 1;
            }

            row[j] = least;
        }

        spare = swap;
        swap = above;
        above = row;
        row = spare;
    }

    return above[b->len];
}


size_t
judge_name_distance(judge_str_t written, judge_str_t name)
{
    bool             part;
    size_t           edits, few, more;
    judge_nearest_t  a, b;

    if (!judge_nearest_fold(written, &a) || !judge_nearest_fold(name, &b)) {
        return JUDGE_FAR;
    }

    few = (a.len > b.len ? a.len : b.len) / 3;
    more = a.len > b.len ? a.len - b.len : b.len - a.len;
    part = judge_nearest_part(&a, &b) || judge_nearest_part(&b, &a);

    if (more > few && !part) {
        return JUDGE_FAR;              /* needs at least `more` edits */
    }

    edits = judge_nearest_edits(&a, &b);

    return edits <= few || part ? edits : JUDGE_FAR;
}
