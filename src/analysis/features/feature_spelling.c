/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Finds slips of spelling, capitals, spaces and punctuation.  Only what is
 * surely a slip counts; a text that a program has split into tokens ("end .")
 * is not blamed for its spaces.
 */


#include <string.h>

#include "analysis/features/feature.h"
#include "analysis/text/language.h"
#include "analysis/text/lexicon.h"


#define JUDGE_SENTENCE_MIN    4        /* words; fewer may be a heading */
#define JUDGE_LINE_WORDS      10       /* of a heading or a verse, at most */
#define JUDGE_SIGNED_WORDS    5        /* "Kind regards Ann Brandt", at most */
#define JUDGE_SPELL_COMMON    130      /* rarity: 1 of 11,000 words */
#define JUDGE_SPELL_EXCHANGE  150      /* rarity: 1 of 50,000 words */
#define JUDGE_SPELL_NEAR      180      /* rarity: 1 of 400,000 words */
#define JUDGE_SPELL_LOOKUPS   128      /* slips of a text that are looked at */
#define JUDGE_SPELL_LETTERS   5        /* names of fewer are near a word */
#define JUDGE_SPELL_LATIN     0xc8     /* bytes of other scripts are later */
#define JUDGE_SPELL_UNKNOWN   0.4      /* of a slip: what such a word counts */

#define JUDGE_LETTERS  "abcdefghijklmnopqrstuvwxyz'"
#define JUDGE_ACCENTS  "áàâãäçéèêíñóôõöúüß"


/* Whether a word is known: its first letters have that hash, the others are
 * those of `word` from `from` on.  It has to have a class in the lexicon of
 * its language, or in English less than that rarity. */

static bool
judge_is_common(const judge_lexicon_t *lexicon, uint64_t hash,
    judge_str_t word, size_t from, uint8_t rarity)
{
    judge_word_t  known;

    if (from > word.len) {
        return false;
    }

    hash = judge_fnv(hash, word.data + from, word.len - from);

    return lexicon != NULL
           ? judge_lexicon_find(lexicon, hash)->hash != 0
           : judge_word_find(hash, &known) && (known.form & JUDGE_W_KNOWN)
             && known.rarity < rarity;
}


/* Whether a word is one slip away from a common one: two neighbouring letters
 * are exchanged, or one is too much, or one of `letters` is missing or has
 * another in its place.  Without `letters` only exchanges are tried.  The
 * first letter is seldom wrong, and is only exchanged. */

static bool
judge_is_near(const judge_lexicon_t *lexicon, judge_str_t word,
    const char *letters, uint8_t rarity)
{
    bool         near = false;
    size_t       i, n;
    uint64_t     changed, hash = JUDGE_FNV_START;
    const char  *c;

    for (i = 0; i < word.len && !near; i++) {
        if (i + 1 < word.len) {
            changed = judge_fnv_byte(hash, (unsigned char) word.data[i + 1]);
            changed = judge_fnv_byte(changed, (unsigned char) word.data[i]);
            near = judge_is_common(lexicon, changed, word, i + 2, rarity);
        }

        hash = judge_fnv_byte(hash, (unsigned char) word.data[i]);
        near = near || (*letters != '\0'
                        && judge_is_common(lexicon, hash, word, i + 2,
                                           rarity));

        for (c = letters; *c != '\0' && !near; c += n) {
            n = *c & 0x80 ? 2 : 1;
            changed = judge_fnv(hash, c, n);
            near = judge_is_common(lexicon, changed, word, i + 1, rarity)
                   || judge_is_common(lexicon, changed, word, i + 2, rarity);
        }
    }

    return near;
}


/* A word that is only seen with a capital may be a name.  At the beginning of
 * a sentence it is a slip where it is near a common word ("Teh" is "the"), and
 * anywhere in a language whose nouns have one. */

static judge_found_e
judge_spelling_capital(judge_measure_t *m, const judge_token_t *token)
{
    char                    lower[JUDGE_LOWER_MAX];
    judge_str_t             word;
    const judge_type_t     *type = &m->text->types[token->type];
    const judge_lexicon_t  *lexicon = judge_lexicon(m->text->language);

    if (type->form != 0
        || (token->flags & (JUDGE_T_CAPITALS | JUDGE_T_MIXED))
        || (!(lexicon != NULL && lexicon->nouns)
            && (type->name || !(token->flags & JUDGE_T_START)))
        || (lexicon == NULL && m->text->language != JUDGE_LANGUAGE_ENGLISH)
        || m->ncapital++ >= JUDGE_SPELL_LOOKUPS)
    {
        return JUDGE_FOUND_NONE;
    }

    word = judge_lexicon_lower(m->text, token, lower);

    return judge_is_near(lexicon, word, "", JUDGE_SPELL_EXCHANGE)
           || (type->chars >= JUDGE_SPELL_LETTERS
               && judge_is_near(lexicon, word, JUDGE_LETTERS JUDGE_ACCENTS,
                                JUDGE_SPELL_COMMON))
           ? JUDGE_FOUND_MISSPELLED : JUDGE_FOUND_NONE;
}


/* A word that no list has is misspelled where it is near a common one; else it
 * is unknown, perhaps a word of a trade, and counts only when first seen. */

static judge_found_e
judge_spelling_word(judge_measure_t *m, const judge_token_t *token)
{
    char           lower[JUDGE_LOWER_MAX];
    judge_type_t  *type = &m->text->types[token->type];
    const uint8_t  before = type->slip;

    if (!type->lower) {
        return judge_spelling_capital(m, token);
    }

    if (before == JUDGE_FOUND_NONE) {
        type->slip = judge_lexicon(m->text->language) != NULL
                     || m->found[JUDGE_FOUND_MISSPELLED]
                        + m->found[JUDGE_FOUND_UNKNOWN] >= JUDGE_SPELL_LOOKUPS
                     || judge_is_near(NULL, judge_lexicon_lower(m->text, token,
                                                                lower),
                                      JUDGE_LETTERS, JUDGE_SPELL_NEAR)
                     ? JUDGE_FOUND_MISSPELLED : JUDGE_FOUND_UNKNOWN;
    }

    return before == JUDGE_FOUND_UNKNOWN ? JUDGE_FOUND_NONE
                                         : (judge_found_e) type->slip;
}


static judge_found_e
judge_spelling_slip(judge_measure_t *m, const judge_token_t *token)
{
    const judge_type_t  *type = &m->text->types[token->type];

    if ((token->flags & JUDGE_T_FOREIGN)
        && (judge_lexicon(m->text->language) == NULL
            || (uint8_t) m->text->str.data[token->begin] > JUDGE_SPELL_LATIN))
    {
        return JUDGE_FOUND_NONE;
    }

    return type->sense & JUDGE_W_SLIP_WORD ? JUDGE_FOUND_MISSPELLED
           : type->sense != 0 || type->chars < 3 || type->chars >= 40
             || (type->form & (JUDGE_W_KNOWN | JUDGE_W_FUNCTION
                               | JUDGE_W_MONTH | JUDGE_W_COMMON_VERB
                               | JUDGE_W_ABBREVIATION))
           ? JUDGE_FOUND_NONE : judge_spelling_word(m, token);
}


static void
judge_spelling_case(judge_measure_t *m, size_t i)
{
    judge_text_t           *t = m->text;
    const judge_token_t    *token = &t->tokens[i], *before;
    const judge_type_t     *type = &t->types[token->type];
    const judge_lexicon_t  *lexicon;

    before = i > 0 ? token - 1 : token;

    if (i + 1 < t->ntokens && token[1].mark == '-'
        && !(token[1].flags & JUDGE_T_SPACE))
    {
        return;                        /* the "re" of "re-send" */
    }

    if (!(token->flags & (JUDGE_T_CAPITAL | JUDGE_T_CAPITALS))) {
        /* "pm" wants a capital, unless a number is before it: "10 pm" */

        if ((type->form & (before->kind == JUDGE_TOKEN_NUMBER
                           || type->chars == 1 ? JUDGE_W_MONTH
                           : JUDGE_W_NAME | JUDGE_W_MONTH))
            || (type->chars == 1 && judge_lexicon(t->language) == NULL
                && t->str.data[token->begin] == 'i'
                && before->mark != '(' && before->mark != '.'
                && (i + 1 == t->ntokens || token[1].mark != '.')))
        {
            judge_found(m, JUDGE_FOUND_SMALL_I, i, i + 1);
        }

        return;
    }

    if (token->flags & JUDGE_T_CAPITALS) {
        if (type->chars > 3 && (type->form & JUDGE_W_KNOWN)
            && !(type->form & JUDGE_W_NAME))
        {
            judge_found(m, JUDGE_FOUND_SHOUTED, i, i + 1);
        }

        return;
    }

    /* a capital is odd in a word that the text has in small letters, too, such
     * as "Because" behind a comma; not in German, which makes nouns so */

    lexicon = judge_lexicon(t->language);

    if (!(lexicon != NULL && lexicon->nouns) && type->lower
        && !(token->flags & (JUDGE_T_START | JUDGE_T_QUOTED))
        && (type->form & JUDGE_W_KNOWN) && type->chars > 1
        && before->mark != ':' && before->mark != '.'
        && (before->kind != JUDGE_TOKEN_WORD
            || !(before->flags & JUDGE_T_CAPITAL))
        && (i + 1 == t->ntokens || !(token[1].flags & JUDGE_T_CAPITAL)))
    {
        judge_found(m, JUDGE_FOUND_ODD_CAPITAL, i, i + 1);
    }
}


static void
judge_spelling_words(judge_measure_t *m)
{
    size_t                i;
    judge_found_e         kind;
    judge_text_t         *t = m->text;
    const judge_type_t   *type;
    const judge_token_t  *token;

    for (i = 0; i < t->ntokens; i++) {
        token = &t->tokens[i];

        /* "iPhone" is a name */

        if (token->kind != JUDGE_TOKEN_WORD
            || (token->flags & (JUDGE_T_MIXED | JUDGE_T_CAPITAL))
               == JUDGE_T_MIXED)
        {
            continue;
        }

        type = &t->types[token->type];
        kind = judge_spelling_slip(m, token);

        if (kind != JUDGE_FOUND_NONE) {
            judge_found(m, kind, i, i + 1);

        } else if ((type->sense & JUDGE_W_SLIP_APOSTROPHE)
                   && !((token->flags & JUDGE_T_CAPITALS)
                        && token->end - token->begin == 2))       /* "ID" */
        {
            judge_found(m, JUDGE_FOUND_APOSTROPHE, i, i + 1);

        } else {
            judge_spelling_case(m, i);
        }
    }
}


/* Whether a program has put spaces before the punctuation. */

static bool
judge_is_split(const judge_text_t *t)
{
    size_t  i, marks = 0, apart = 0;

    for (i = 1; i < t->ntokens; i++) {
        if (t->tokens[i].mark == ',' || t->tokens[i].mark == '.') {
            marks++;
            apart += (t->tokens[i].flags & JUDGE_T_SPACE) != 0;
        }
    }

    return apart * 2 > marks;
}


static bool
judge_is_pause(const judge_token_t *token)
{
    return token->mark > ' ' && strchr(",.;:!?", token->mark) != NULL;
}


static void
judge_spelling_marks(judge_measure_t *m)
{
    size_t                  i;
    judge_text_t           *t = m->text;
    const bool              split = judge_is_split(t);
    const judge_lexicon_t  *lexicon = judge_lexicon(t->language);
    const judge_token_t    *token, *before;

    for (i = 1; i < t->ntokens; i++) {
        token = &t->tokens[i];
        before = token - 1;

        if (token->kind != JUDGE_TOKEN_MARK
            && (token->flags & JUDGE_T_SPACE))
        {
            continue;
        }

        if (judge_is_pause(token)) {
            if (token->mark == before->mark
                && !(token->flags & JUDGE_T_SPACE))
            {
                judge_found(m, JUDGE_FOUND_MARKS, i - 1, i + 1);

            } else if (!split
                       && (token->flags & (JUDGE_T_SPACE | JUDGE_T_LINE))
                           == JUDGE_T_SPACE
                       && before->kind == JUDGE_TOKEN_WORD
                       && (i + 1 == t->ntokens          /* but ":-)" */
                           || token[1].kind != JUDGE_TOKEN_MARK
                           || (token[1].flags & JUDGE_T_SPACE))
                       && (lexicon == NULL
                           || strchr(lexicon->spaces, token->mark) == NULL))
            {
                judge_found(m, JUDGE_FOUND_SPACING, i - 1, i + 1);
            }

        } else if (token->kind == JUDGE_TOKEN_WORD
                   && judge_is_pause(before) && before->mark != ':' && i > 1
                   && token[-2].kind == JUDGE_TOKEN_WORD
                   && t->types[token->type].chars > 1
                   && t->types[token[-2].type].chars > 1)
        {
            judge_found(m, JUDGE_FOUND_SPACING, i - 2, i + 1);
        }
    }
}


/* Whether a sentence is a line by itself, which needs no mark at its end: a
 * heading, a salutation, an item of a list, a verse.  The last of a text is
 * one if other lines lead to it (`led`), or if it has several: a signature. */

static bool
judge_is_line(const judge_text_t *t, const judge_sentence_t *s, bool led)
{
    size_t  i;

    if (s->stop != 0 || s->item) {
        return s->item;
    }

    for (i = s->first + 1; i < s->end; i++) {
        led |= (t->tokens[i].flags & JUDGE_T_LINE) != 0;
    }

    return (led || s + 1 < t->sentences + t->nsentences)
           && s->words <= JUDGE_LINE_WORDS;
}


/* Whether a sentence may begin with a small letter: as an item of a list, or
 * as what goes on from the line before, in German even from a salutation. */

static bool
judge_is_continued(const judge_text_t *t, const judge_sentence_t *s)
{
    uint8_t                 mark;
    const judge_lexicon_t  *lexicon = judge_lexicon(t->language);

    if (s == t->sentences || s[-1].stop != 0 || s->item) {
        return s->item;
    }

    mark = t->tokens[s[-1].end - 1].mark;

    return mark == ':'
           || ((mark == ',' || mark == ';')
               && (!(t->tokens[s->first].flags & JUDGE_T_BLANK)
                   || (lexicon != NULL && lexicon->nouns)));
}


static bool
judge_is_small(const judge_text_t *t, const judge_sentence_t *s)
{
    size_t  first = s->first;

    while (first < s->end && t->tokens[first].kind == JUDGE_TOKEN_MARK) {
        first++;
    }

    return first < s->end && t->tokens[first].kind == JUDGE_TOKEN_WORD
           && !(t->tokens[first].flags & (JUDGE_T_CAPITAL | JUDGE_T_FOREIGN
                                          | JUDGE_T_MIXED));
}


/* Whether a sentence needs no mark at its end, as a smiley is there, or as the
 * text ends in a signature: "Yours sincerely, Anna Brandt". */

static bool
judge_is_signed(const judge_text_t *t, const judge_sentence_t *s)
{
    size_t  i = s->end;

    while (i > s->first && (t->tokens[i - 1].flags & JUDGE_T_CAPITAL)) {
        i--;
    }

    return judge_is_emoticon(t, s->end - 1)
           || (s > t->sentences && s + 1 == t->sentences + t->nsentences
               && i > s->first
               && (t->tokens[i - 1].mark == ','
                   ? i < s->end && s->words <= JUDGE_LINE_WORDS
                   : i + 1 < s->end && s->words <= JUDGE_SIGNED_WORDS));
}


static void
judge_spelling_sentences(judge_measure_t *m)
{
    bool                     line, led, continued;
    size_t                   i;
    judge_text_t            *t = m->text;
    const judge_sentence_t  *s;

    for (i = 0, line = continued = false; i < t->nsentences; i++) {
        s = &t->sentences[i];
        led = line && (i > 1 || judge_is_continued(t, s));
        line = judge_is_line(t, s, led);
        continued = judge_is_continued(t, s) || (continued && led && line);

        if (s->words < JUDGE_SENTENCE_MIN) {
            continue;
        }

        if (!continued && judge_is_small(t, s)) {
            judge_found(m, JUDGE_FOUND_SMALL_START, s->first, s->end);
        }

        if (!line && s->stop == 0 && t->tokens[s->end - 1].mark != ':'
            && !judge_is_signed(t, s))
        {
            judge_found(m, JUDGE_FOUND_UNFINISHED, s->first, s->end);
        }
    }
}


void
judge_measure_spelling(judge_measure_t *m)
{
    judge_spelling_words(m);
    judge_spelling_marks(m);
    judge_spelling_sentences(m);

    m->n[JUDGE_F_CONVENTION_SLIPS] = (JUDGE_SPELL_UNKNOWN - 1)
                                     * m->found[JUDGE_FOUND_UNKNOWN];
}
