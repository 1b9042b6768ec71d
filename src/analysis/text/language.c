/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Each distinct word of a text adds to a sum for each language.  The text is
 * in the language with the greatest sum, provided that the sum is high for so
 * many words and clearly above the next one.
 */


#include <string.h>

#include "base/text/utf8.h"
#include "analysis/text/char.h"
#include "analysis/text/language.h"
#include "analysis/text/lexicon.h"


#define JUDGE_LANGUAGE_LETTERS  24     /* later ones of a word are ignored */
#define JUDGE_LANGUAGE_MAX      32     /* languages, with "unknown" */

/* The greatest sum must be this far ahead of the next, and have this much for
 * each letter, in the unit of the weights, an eighth of a bit. */
#define JUDGE_LANGUAGE_AHEAD    60
#define JUDGE_LANGUAGE_PART     40     /* and ahead by a 40th of itself */
#define JUDGE_LANGUAGE_LETTER   20

#define JUDGE_LANGUAGE_LEAST    8      /* fewer letters tell nothing */

/* A word that the lists of a language have, or lack, adds or takes off; only
 * the first words are looked up. */
#define JUDGE_LANGUAGE_LISTED   40
#define JUDGE_LANGUAGE_LACKED   80
#define JUDGE_LANGUAGE_LOOKUPS  24

/* A language with lists that is so far ahead shows a text to be no English. */
#define JUDGE_LANGUAGE_FOREIGN  120

/* With so many distinct words, a text is surely English if these percentages
 * are in the list and of grammar; it may be if fewer are in the list. */
#define JUDGE_ENGLISH_TYPES     8
#define JUDGE_ENGLISH_KNOWN     80
#define JUDGE_ENGLISH_FUNCTION  25
#define JUDGE_ENGLISH_PERHAPS   60

typedef enum {
    JUDGE_ENGLISH_NO,
    JUDGE_ENGLISH_MAYBE,
    JUDGE_ENGLISH_SURE
} judge_english_e;


typedef struct {
    int32_t   sums[JUDGE_LANGUAGE_PROFILES];
    uint32_t  scripts[JUDGE_LANGUAGE_MAX];         /* characters of each */
    uint32_t  words;
    uint32_t  letters;                 /* that are of none of the scripts */
} judge_language_votes_t;


/* English is told by its list of words, so that most texts need no look at
 * sequences of letters. */

static judge_english_e
judge_language_english(const judge_text_t *t)
{
    size_t  i, n, all = 0, known = 0, names = 0, function = 0;

    n = t->ntypes < JUDGE_LANGUAGE_WORDS ? t->ntypes : JUDGE_LANGUAGE_WORDS;

    for (i = 0; i < n; i++) {
        all += t->types[i].kind == JUDGE_TOKEN_WORD
               || t->types[i].kind == JUDGE_TOKEN_IDEOGRAPH;
        known += (t->types[i].form & (JUDGE_W_KNOWN | JUDGE_W_NAME))
                 == JUDGE_W_KNOWN;
        names += (t->types[i].form & JUDGE_W_NAME) != 0;
        function += (t->types[i].form & JUDGE_W_FUNCTION) != 0;
    }

    if (all >= JUDGE_ENGLISH_TYPES
        && known * 100 >= all * JUDGE_ENGLISH_KNOWN
        && function * 100 >= all * JUDGE_ENGLISH_FUNCTION)
    {
        return JUDGE_ENGLISH_SURE;
    }

    return (known + names) * 100 >= all * JUDGE_ENGLISH_PERHAPS
           || (function * 3 >= all && known * 2 >= all)
           ? JUDGE_ENGLISH_MAYBE : JUDGE_ENGLISH_NO;
}


static bool
judge_language_script(judge_language_votes_t *votes, uint32_t c)
{
    const judge_language_script_t  *script;

    for (script = judge_language_scripts; script->to != 0; script++) {
        if (c >= script->from && c <= script->to) {
            votes->scripts[script->language % JUDGE_LANGUAGE_MAX]++;
            return true;
        }
    }

    return false;
}


static void
judge_language_sequence(judge_language_votes_t *votes, uint64_t hash)
{
    size_t                        i, k;
    const judge_language_slot_t  *slot;

    for (i = hash; /* void */ ; i++) {
        slot = &judge_language_slots[i & ((1u << JUDGE_LANGUAGE_BITS) - 1)];

        if (slot->fingerprint == 0) {
            return;
        }

        if (slot->fingerprint == (uint32_t) (hash >> 32)) {
            break;
        }
    }

    for (k = 0; k < JUDGE_LANGUAGE_PROFILES; k++) {
        votes->sums[k] += slot->weights[k];
    }
}


/* Looks up all sequences of two to four characters in " word ". */

static void
judge_language_word(judge_language_votes_t *votes, judge_str_t word)
{
    size_t       i, k, n = 0;
    uint32_t     c, small, letters[JUDGE_LANGUAGE_LETTERS + 2];
    uint64_t     hash;
    const char  *p, *end;

    letters[n++] = ' ';
    p = word.data;
    end = p + word.len;

    while (p < end && n <= JUDGE_LANGUAGE_LETTERS) {
        c = judge_utf8_next(&p, end);

        if (c >= 0x80 && (judge_char_is_hidden(c)
                          || judge_language_script(votes, c)))
        {
            continue;
        }

        small = c >= 'A' && c <= 'Z' ? c | 0x20 : judge_char_lower(c);
        letters[n++] = small != 0 ? small : c;
        votes->letters++;
    }

    if (n == 1) {
        return;
    }

    letters[n++] = ' ';

    for (i = 0; i + 1 < n; i++) {
        hash = (JUDGE_FNV_START ^ letters[i]) * JUDGE_FNV_PRIME;

        for (k = i + 1; k < n && k < i + JUDGE_LANGUAGE_LONGEST; k++) {
            hash = (hash ^ letters[k]) * JUDGE_FNV_PRIME;
            judge_language_sequence(votes, hash);
        }
    }
}


/* Tells the languages without a profile.  Japanese is written with Chinese
 * characters, too, but never without its own. */

static uint8_t
judge_language_by_script(const judge_language_votes_t *votes)
{
    size_t    i;
    uint8_t   best = JUDGE_LANGUAGE_UNKNOWN, chinese, japanese;
    uint32_t  sum = 0;

    for (i = 0; i < JUDGE_LANGUAGE_MAX; i++) {
        sum += votes->scripts[i];
        best = votes->scripts[i] > votes->scripts[best] ? (uint8_t) i : best;
    }

    if (sum < 4 || sum * 4 < votes->letters) {
        return JUDGE_LANGUAGE_UNKNOWN;
    }

    chinese = judge_language_find(JUDGE_STR("zh"));
    japanese = judge_language_find(JUDGE_STR("ja"));

    return best == chinese
           && votes->scripts[japanese] * 10 > votes->scripts[chinese]
           ? japanese : best;
}


static uint8_t
judge_language_by_profile(const judge_language_votes_t *votes)
{
    size_t   i, best;
    int32_t  next, enough;

    for (i = 1, best = 0, next = 0; i < JUDGE_LANGUAGE_PROFILES; i++) {
        if (votes->sums[i] > votes->sums[best]) {
            next = votes->sums[best];
            best = i;

        } else if (votes->sums[i] > next) {
            next = votes->sums[i];
        }
    }

    /* a language that has its alphabet to itself needs fewer frequent
     * sequences: no other one comes near */

    enough = (int32_t) votes->letters * JUDGE_LANGUAGE_LETTER;
    enough /= next * 2 < votes->sums[best] ? 2 : 1;

    if (votes->letters < JUDGE_LANGUAGE_LEAST
        || votes->sums[best] < next + JUDGE_LANGUAGE_AHEAD
                            + votes->sums[best] / JUDGE_LANGUAGE_PART
        || votes->sums[best] < enough)
    {
        return JUDGE_LANGUAGE_UNKNOWN;
    }

    return (uint8_t) (best + 1);
}


/* Only some languages have lists of words.  Returns whether one of these is
 * clearly likelier than English. */

static bool
judge_language_lists(judge_language_votes_t *votes, const judge_text_t *t)
{
    bool    foreign = false;
    int     listed;
    size_t  i, k;

    for (i = 0; i < t->ntypes && i < JUDGE_LANGUAGE_LOOKUPS; i++) {
        for (k = 0; k < JUDGE_LANGUAGE_PROFILES; k++) {
            listed = judge_lexicon_says((uint8_t) (k + 1), t, &t->types[i]);
            votes->sums[k] += listed > 0 ? JUDGE_LANGUAGE_LISTED
                              : listed < 0 ? -JUDGE_LANGUAGE_LACKED : 0;
        }
    }

    for (k = 0; k < JUDGE_LANGUAGE_PROFILES; k++) {
        foreign |= judge_lexicon((uint8_t) (k + 1)) != NULL
                   && votes->sums[k] - JUDGE_LANGUAGE_FOREIGN
                      > votes->sums[JUDGE_LANGUAGE_ENGLISH - 1];
    }

    return foreign;
}


uint8_t
judge_language_detect(judge_text_t *t)
{
    size_t                   i;
    uint8_t                  language;
    judge_english_e          english = judge_language_english(t);
    const judge_type_t      *type;
    judge_language_votes_t   votes;

    if (english == JUDGE_ENGLISH_SURE) {
        return JUDGE_LANGUAGE_ENGLISH;
    }

    memset(&votes, 0, sizeof(judge_language_votes_t));

    for (i = 0; i < t->ntypes && votes.words < JUDGE_LANGUAGE_WORDS; i++) {
        type = &t->types[i];

        if (type->kind == JUDGE_TOKEN_WORD
            || type->kind == JUDGE_TOKEN_IDEOGRAPH)
        {
            votes.words++;
            judge_language_word(&votes,
                                judge_token_str(t, &t->tokens[type->first]));
        }
    }

    language = judge_language_by_script(&votes);

    if (language == JUDGE_LANGUAGE_UNKNOWN) {
        t->foreign = judge_language_lists(&votes, t);
        language = judge_language_by_profile(&votes);
    }

    /* the sequences in headlines and lists of names may be of any language */

    return english == JUDGE_ENGLISH_MAYBE && language != JUDGE_LANGUAGE_ENGLISH
           && judge_lexicon(language) == NULL
           ? JUDGE_LANGUAGE_UNKNOWN : language;
}


static const judge_language_row_t *
judge_language_row(uint8_t language)
{
    size_t  i;

    for (i = 0; i < language && judge_languages[i].code != NULL; i++) {
        /* void */
    }

    return &judge_languages[judge_languages[i].code != NULL ? i : 0];
}


const char *
judge_language_code(uint8_t language)
{
    return judge_language_row(language)->code;
}


const char *
judge_language_name(uint8_t language)
{
    return judge_language_row(language)->name;
}


uint8_t
judge_language_find(judge_str_t code)
{
    size_t       i;
    const char  *dash = code.len > 0 ? memchr(code.data, '-', code.len) : NULL;

    if (dash != NULL) {
        code.len = (size_t) (dash - code.data);
    }

    for (i = 1; judge_languages[i].code != NULL; i++) {
        if (judge_str_eq(code, judge_str_c(judge_languages[i].code))) {
            return (uint8_t) i;
        }
    }

    return JUDGE_LANGUAGE_UNKNOWN;
}
