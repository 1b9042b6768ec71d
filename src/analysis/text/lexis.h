/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What is known of the words of a language other than English: as words.h,
 * but for the languages with a file in src/analysis/languages.
 */


#ifndef JUDGE_LEXIS_H
#define JUDGE_LEXIS_H


#include "analysis/text/lexis_table.h"
#include "analysis/text/text.h"


/* NULL: English, or a language without tables; any index is safe. */
const judge_lexis_t *judge_lexis(uint8_t language);

/* Sets form, sense and rarity of the words of a text that may be English, and
 * takes words of grammar from the content. */
void judge_lexis_english(judge_text_t *t);

/* Sets form, sense, rarity, stem and content of the words of a text in such a
 * language; others stay as they are. */
void judge_lexis_text(judge_text_t *t);

/* The word in lower case with apostrophes as "'", cut; in `lower`. */
judge_str_t judge_lexis_lower(const judge_text_t *t,
    const judge_token_t *token, char lower[JUDGE_LOWER_MAX]);

/*
 * The class that stands for a word in the model of which word follows which:
 * the word itself where it is frequent, else its last letters.  For a mark,
 * judge_word_hash() of it.
 */
uint64_t judge_lexis_class(const judge_lexis_t *lexis, judge_str_t lower);

/*
 * How much likelier the second class is behind the first than anywhere, log10,
 * -2.5 to 2.5; a class bigram model (Brown et al., "Class-Based n-gram Models
 * of Natural Language", 1992).
 */
double judge_lexis_gain(const judge_lexis_t *lexis, uint64_t first,
    uint64_t second);


#endif /* JUDGE_LEXIS_H */
