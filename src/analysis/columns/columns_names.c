/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The fields of an item, the names that columns of them have, and how surely
 * a name is that of a field.
 */


#include <string.h>

#include "analysis/columns/columns_table.h"


#define JUDGE_MAP_WORDS    8           /* of a column's name */

typedef struct {
    judge_str_t  words[JUDGE_MAP_WORDS];
    size_t       nwords;
    char         text[64];             /* the words, in lower case */
    size_t       len;
} judge_map_words_t;


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

static void
judge_map_split(judge_str_t name, judge_map_words_t *w)
{
    bool    upper, lower, part, was_lower, in;
    char    c;
    size_t  i;

    memset(w, 0, sizeof(judge_map_words_t));
    was_lower = false;
    in = false;

    for (i = 0; i < name.len && w->len + 2 < sizeof(w->text); i++) {
        c = name.data[i];
        upper = c >= 'A' && c <= 'Z';
        lower = (c >= 'a' && c <= 'z') || (unsigned char) c >= 0x80;
        part = upper || lower || c == '#';

        if (in && (!part || (upper && was_lower))) {
            w->text[w->len++] = ' ';
            in = false;
        }

        if (c == '(' && w->nwords > 0) {
            break;
        }

        if (part) {
            if (!in) {
                if (w->nwords == JUDGE_MAP_WORDS) {
                    break;
                }

                w->words[w->nwords].data = w->text + w->len;
                w->nwords++;
                in = true;
            }

            w->text[w->len++] = upper ? (char) (c | 0x20) : c;
            w->words[w->nwords - 1].len++;
        }

        was_lower = lower;
    }

    while (w->len > 0 && w->text[w->len - 1] == ' ') {
        w->len--;
    }
}


static const judge_column_name_t *
judge_map_find(judge_str_t name)
{
    size_t  i;

    for (i = 0; i < judge_column_names_n; i++) {
        if (judge_str_eq_c(name, judge_column_names[i].name)) {
            return &judge_column_names[i];
        }
    }

    return NULL;
}


/* The word that the others belong to: the last, or what stands before "of". */

static size_t
judge_map_head(const judge_map_words_t *w)
{
    size_t  i;

    for (i = 1; i < w->nwords; i++) {
        if (judge_str_eq_c(w->words[i], "of")
            || judge_str_eq_c(w->words[i], "in"))
        {
            return i - 1;
        }
    }

    return w->nwords - 1;
}


static double
judge_map_name_score(const judge_map_words_t *w, judge_column_field_e field)
{
    size_t                      i, head;
    double                      score, best;
    const judge_column_name_t  *entry;

    if (w->nwords == 0) {
        return 0;
    }

    entry = judge_map_find((judge_str_t) { w->len, w->text });

    if (entry != NULL) {
        return entry->scores[field];
    }

    head = judge_map_head(w);
    best = 0;

    for (i = 0; i < w->nwords; i++) {
        entry = judge_map_find(w->words[i]);

        if (entry == NULL) {
            continue;
        }

        score = entry->scores[field] * ((i == head) ? 0.93 : 0.4);

        /* "author name", "user_id" */

        if (i == head && i > 0
            && judge_str_caseamong(w->words[0], judge_column_owners)
            && (field == JUDGE_COLUMN_ID || field == JUDGE_COLUMN_TITLE))
        {
            score *= (field == JUDGE_COLUMN_ID) ? 0.55 : 0.3;
        }

        best = (score > best) ? score : best;
    }

    return best;
}


double
judge_column_named(judge_str_t name, judge_column_field_e field)
{
    judge_map_words_t  words;

    judge_map_split(name, &words);

    return judge_map_name_score(&words, field);
}


bool
judge_column_about(judge_str_t name)
{
    size_t             i;
    judge_map_words_t  words;

    judge_map_split(name, &words);

    for (i = 0; i < words.nwords; i++) {
        if (judge_str_caseamong(words.words[i], judge_column_properties)) {
            return true;
        }
    }

    return false;
}
