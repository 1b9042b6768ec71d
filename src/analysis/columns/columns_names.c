/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The fields of an item, and how surely a column's name is that of one. */


#include <string.h>

#include "base/text/ascii.h"
#include "analysis/columns/columns_table.h"


#define JUDGE_NAME_MAX    64           /* bytes of it that are looked at */
#define JUDGE_NAME_HEAD   0.93         /* a word among others: the head, and */
#define JUDGE_NAME_OTHER  0.4          /* what says more about the head */


const judge_column_field_t  judge_column_fields[JUDGE_COLUMN_FIELDS] = {
    [JUDGE_COLUMN_CONTENT] = { "content", 0, false },
    [JUDGE_COLUMN_TITLE] = { "title", JUDGE_COLUMN_TITLE_MAX, false },
    [JUDGE_COLUMN_DESCRIPTION] = { "description",
                                   JUDGE_COLUMN_DESCRIPTION_MAX, false },
    [JUDGE_COLUMN_CATEGORY] = { "category", 0, true },
    [JUDGE_COLUMN_METADATA] = { "metadata", 0, false },
    [JUDGE_COLUMN_ID] = { "id", 0, true }
};


bool
judge_column_field_find(judge_str_t name, judge_column_field_e *field)
{
    int  i;

    for (i = 0; i < JUDGE_COLUMN_FIELDS; i++) {
        if (judge_str_eq_c(name, judge_column_fields[i].name)) {
            *field = (judge_column_field_e) i;
            return true;
        }
    }

    return false;
}


/* "reviewText", "Review_Text" and "review-text (en)" have the same words. */

static judge_str_t
judge_name_words(judge_str_t name, char out[JUDGE_NAME_MAX])
{
    bool    letter, upper, lower;
    char    c;
    size_t  i, n;

    lower = false;

    for (i = 0, n = 0; i < name.len && n + 2 < JUDGE_NAME_MAX; i++) {
        c = name.data[i];
        upper = c >= 'A' && c <= 'Z';
        letter = judge_ascii_letter(c) || (unsigned char) c >= 0x80
                 || c == '#';

        if (c == '(' && n > 0) {
            break;
        }

        if (n > 0 && out[n - 1] != ' ' && (!letter || (upper && lower))) {
            out[n++] = ' ';
        }

        if (letter) {
            out[n++] = judge_ascii_lower(c);
        }

        lower = letter && !upper;
    }

    return judge_str_trim((judge_str_t) { n, out }, " ");
}


static judge_str_t
judge_name_next(judge_str_t *words)
{
    judge_str_t  word;
    const char  *space;

    word = *words;
    space = memchr(word.data, ' ', word.len);

    if (space != NULL) {
        word.len = (size_t) (space - word.data);
        *words = judge_str_from(*words, word.len + 1);

    } else {
        words->len = 0;
    }

    return word;
}


static const judge_column_name_t *
judge_name_find(judge_str_t name)
{
    size_t  i;

    for (i = 0; i < judge_column_names_n; i++) {
        if (judge_str_eq_c(name, judge_column_names[i].name)) {
            return &judge_column_names[i];
        }
    }

    return NULL;
}


/* The head is the last word, or the one before "of" or "in". */

double
judge_column_named(judge_str_t name, judge_column_field_e field)
{
    bool                        head, headed, owned;
    char                        room[JUDGE_NAME_MAX];
    double                      score, best;
    judge_str_t                 rest, word;
    const judge_column_name_t  *entry;

    rest = judge_name_words(name, room);
    entry = judge_name_find(rest);

    if (entry != NULL) {
        return entry->scores[field];
    }

    best = 0;
    headed = false;
    owned = false;

    while (rest.len > 0) {
        word = judge_name_next(&rest);
        head = !headed && (rest.len == 0
                           || judge_str_starts(rest, JUDGE_STR("of "))
                           || judge_str_starts(rest, JUDGE_STR("in ")));
        headed |= head;
        entry = judge_name_find(word);

        score = (entry == NULL) ? 0
                : entry->scores[field] * (head ? JUDGE_NAME_HEAD
                                               : JUDGE_NAME_OTHER);

        /* "author name", "user_id" */

        if (head && owned && field == JUDGE_COLUMN_ID) {
            score *= 0.55;

        } else if (head && owned && field == JUDGE_COLUMN_TITLE) {
            score *= 0.3;
        }

        best = (score > best) ? score : best;
        owned |= word.data == room
                 && judge_str_caseamong(word, judge_column_owners);
    }

    return best;
}


bool
judge_column_about(judge_str_t name)
{
    char         room[JUDGE_NAME_MAX];
    judge_str_t  rest;

    rest = judge_name_words(name, room);

    while (rest.len > 0) {
        if (judge_str_caseamong(judge_name_next(&rest),
                                judge_column_properties))
        {
            return true;
        }
    }

    return false;
}
