/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A word that the tables of a language lack may still follow from its letters:
 * as an elision, a compound, or by a prefix or an ending. */


#include <stdlib.h>
#include <string.h>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "analysis/text/char.h"
#include "analysis/text/language.h"
#include "analysis/text/lexicon.h"
#include "analysis/text/say.h"


/* In bytes, the least that a part of a compound has, the rest of a word behind
 * a prefix, and a stem. */
#define JUDGE_LEXICON_PART    4
#define JUDGE_LEXICON_ROOT    5
#define JUDGE_LEXICON_STEM    3

#define JUDGE_LEXICON_AHEAD   8        /* types from prefetch to look-up */


const judge_lexicon_t *
judge_lexicon(uint8_t language)
{
    return language < JUDGE_LEXICONS ? judge_lexicons[language] : NULL;
}


/* Takes an elision, such as "l'", off a word. */

static judge_str_t
judge_lexicon_elide(const judge_lexicon_t *lexicon, judge_str_t lower)
{
    size_t       n;
    const char  *mark;

    mark = lexicon->elisions != NULL ? memchr(lower.data, '\'', lower.len)
                                   : NULL;
    if (mark == NULL) {
        return lower;
    }

    n = (size_t) (mark - lower.data);

    return n + 1 < lower.len
           && judge_str_caseamong((judge_str_t) { n, lower.data },
                                  lexicon->elisions)
           ? judge_str_from(lower, n + 1) : lower;
}


const judge_lexicon_slot_t *
judge_lexicon_find(const judge_lexicon_t *lexicon, uint64_t hash)
{
    uint64_t                     i;
    const judge_lexicon_slot_t  *slot;

    for (i = hash; /* void */ ; i++) {
        slot = &lexicon->slots[i & lexicon->slot_mask];

        if (slot->hash == hash || slot->hash == 0) {
            return slot;
        }
    }
}


/* Returns JUDGE_W_KNOWN for a word of the list, with JUDGE_W_NAME where it
 * wants a capital; 0 for any other. */

static uint64_t
judge_lexicon_listed(const judge_lexicon_t *lexicon, uint64_t hash)
{
    uint32_t              i, entry;
    uint64_t              bucket = hash >> (64 - JUDGE_LEXICON_BITS);
    const unsigned char  *p;

    for (i = lexicon->ends[bucket]; i < lexicon->ends[bucket + 1]; i++) {
        p = &lexicon->words[i * 2];
        entry = (uint32_t) p[0] | (uint32_t) p[1] << 8;

        if (entry >> 1 == (hash & 0x7fff)) {
            return entry & 1 ? JUDGE_W_KNOWN | JUDGE_W_NAME : JUDGE_W_KNOWN;
        }
    }

    return 0;
}


/* Returns the length of a suffix of the word; 0: it is none. */

static size_t
judge_lexicon_suffix(judge_str_t word, const char *suffix)
{
    size_t  n = strlen(suffix);

    return n > 0 && n < word.len && word.data[word.len - 1] == suffix[n - 1]
           && memcmp(word.data + word.len - n, suffix, n) == 0
           ? n : 0;
}


/* Whether the first n bytes of a word are in the list, as they are or without
 * letters that join compounds.  listed[] says it of the shorter beginnings. */

static bool
judge_lexicon_joined(const judge_lexicon_t *lexicon, judge_str_t word,
    size_t n, const bool *listed)
{
    size_t              len;
    const char *const  *link;

    for (link = lexicon->compounds; !listed[n] && *link != NULL; link++) {
        len = judge_lexicon_suffix((judge_str_t) { n, word.data }, *link);

        if (len > 0 && n - len >= JUDGE_LEXICON_PART && listed[n - len]) {
            return true;
        }
    }

    return listed[n];
}


/* Returns the form of a compound of two words of the list, which is that of
 * the second; 0 where the word is none.  Its beginnings are hashed in one
 * pass, so that a long word costs little more than its bytes. */

static uint64_t
judge_lexicon_compound(const judge_lexicon_t *lexicon, judge_str_t word)
{
    bool         listed[JUDGE_LOWER_MAX + 1];
    size_t       i;
    uint64_t     form, hash = JUDGE_FNV_START;
    judge_str_t  rest;

    for (i = 0; i + JUDGE_LEXICON_PART <= word.len; i++) {
        listed[i] = i >= JUDGE_LEXICON_PART
                    && judge_lexicon_listed(lexicon, hash) != 0;
        hash = judge_fnv_byte(hash, (unsigned char) word.data[i]);

        if (i < JUDGE_LEXICON_PART
            || ((unsigned char) word.data[i] & 0xc0) == 0x80
            || !judge_lexicon_joined(lexicon, word, i, listed))
        {
            continue;
        }

        rest = (judge_str_t) { word.len - i, word.data + i };
        form = judge_lexicon_listed(lexicon, judge_word_hash(rest));

        if (form != 0) {
            return form;
        }
    }

    return 0;
}


/* Looks up the words of which another end makes this one. */

static uint64_t
judge_lexicon_end(const judge_lexicon_t *lexicon, judge_str_t word)
{
    char                from[JUDGE_LOWER_MAX];
    size_t              n, end;
    uint64_t            form;
    const char *const  *pair;

    for (pair = lexicon->formed, form = 0;
         pair != NULL && *pair != NULL && form == 0; pair++)
    {
        end = strcspn(*pair, ":");
        n = strlen(*pair) - end - 1;

        if (word.len + n < end + JUDGE_LEXICON_PART || word.len <= end + 1
            || word.len - end + n > sizeof(from)
            || memcmp(word.data + word.len - end, *pair, end) != 0)
        {
            continue;
        }

        memcpy(from, word.data, word.len - end);
        memcpy(from + word.len - end, *pair + end + 1, n);
        form = judge_lexicon_listed(lexicon, judge_word_hash((judge_str_t) {
                                      word.len - end + n, from }));
    }

    return form;
}


/* A word that the list lacks is known where it is formed as the language forms
 * words, by a prefix or an end: "automedicação", "influenciadores". */

static uint64_t
judge_lexicon_formed(const judge_lexicon_t *lexicon, judge_str_t word)
{
    size_t              n;
    uint64_t            form = judge_lexicon_end(lexicon, word);
    judge_str_t         rest;
    const char *const  *prefix;

    for (prefix = lexicon->prefixes;
         prefix != NULL && *prefix != NULL && form == 0; prefix++)
    {
        n = strlen(*prefix);

        if (word.data[0] != (*prefix)[0] || n + JUDGE_LEXICON_ROOT > word.len
            || memcmp(word.data, *prefix, n) != 0)
        {
            continue;
        }

        /* "antissocial": a letter is doubled between vowels */

        n += word.data[n] == word.data[n + 1];
        rest = (judge_str_t) { word.len - n, word.data + n };
        form = judge_lexicon_listed(lexicon, judge_word_hash(rest));
        form = form == 0 ? judge_lexicon_end(lexicon, rest) : form;
    }

    return form & JUDGE_W_KNOWN;
}


static uint32_t
judge_lexicon_stem(const judge_lexicon_t *lexicon, judge_str_t word)
{
    size_t              n;
    uint64_t            hash;
    const char *const  *ending;

    for (ending = lexicon->endings;
         ending != NULL && *ending != NULL;
         ending++)
    {
        n = judge_lexicon_suffix(word, *ending);

        if (n > 0 && word.len - n >= JUDGE_LEXICON_STEM) {
            word.len -= n;
            break;
        }
    }

    hash = judge_word_hash(word);

    return (uint32_t) (hash ^ (hash >> 32)) | 1;
}


static void
judge_lexicon_know(const judge_lexicon_t *lexicon, judge_str_t lower,
    bool brief, judge_type_t *type)
{
    uint64_t                     english = type->form & JUDGE_W_KNOWN;
    judge_str_t                  word;
    const judge_lexicon_slot_t  *slot;

    word = judge_lexicon_elide(lexicon, lower);
    slot = judge_lexicon_find(lexicon, judge_word_hash(lower));

    if (slot->hash == 0 && word.len < lower.len) {
        slot = judge_lexicon_find(lexicon, judge_word_hash(word));
    }

    type->form = slot->form;
    type->sense = slot->sense;

    if (brief) {
        return;
    }

    type->form |= judge_lexicon_listed(lexicon, judge_word_hash(word));

    if (type->form == 0 && lexicon->compounds != NULL) {
        type->form = judge_lexicon_compound(lexicon, word);
    }

    if (type->form == 0) {
        type->form = judge_lexicon_formed(lexicon, word);
    }

    /* an English word is right in other languages: "notebook" */

    if (type->form == 0 && word.len >= JUDGE_LEXICON_PART) {
        type->form = english;
    }

    type->rarity = JUDGE_RARITY_UNKNOWN;
    type->stem = judge_lexicon_stem(lexicon, word);
    type->content = !(type->form & JUDGE_W_FUNCTION) && type->chars > 1;
}


judge_str_t
judge_lexicon_lower(const judge_text_t *t, const judge_token_t *token,
    char lower[JUDGE_LOWER_MAX])
{
    char         out[4];
    size_t       n, len;
    uint32_t     c, small;
    const char  *p, *end = t->str.data + token->end;

    p = t->str.data + token->begin;

    for (len = 0; p < end; len += n) {
        if (!(*p & 0x80) && len < JUDGE_LOWER_MAX) {
            lower[len] = judge_ascii_lower(*p++);
            n = 1;
            continue;
        }

        c = judge_utf8_next(&p, end);
        small = judge_char_lower(c);
        c = small != 0 ? small : c == 0x2019 ? '\'' : c;
        n = judge_char_is_hidden(c) ? 0 : judge_utf8_put(out, c);

        if (len + n > JUDGE_LOWER_MAX) {
            break;
        }

        memcpy(lower + len, out, n);
    }

    return (judge_str_t) { len, lower };
}


/* Returns a type in lower case: its first token as it stands where that is
 * possible, else in `lower`. */

static judge_str_t
judge_lexicon_type(const judge_text_t *t, const judge_type_t *type,
    char lower[JUDGE_LOWER_MAX])
{
    const judge_token_t  *token = &t->tokens[type->first];

    return judge_type_is_plain(t, type) && type->chars <= JUDGE_LOWER_MAX
           ? judge_token_str(t, token) : judge_lexicon_lower(t, token, lower);
}


int
judge_lexicon_says(uint8_t language, const judge_text_t *t,
    const judge_type_t *type)
{
    char                    lower[JUDGE_LOWER_MAX];
    uint64_t                hash;
    const judge_lexicon_t  *lexicon = judge_lexicon(language);

    if (type->kind != JUDGE_TOKEN_WORD
        || (lexicon == NULL && language != JUDGE_LANGUAGE_ENGLISH))
    {
        return 0;
    }

    if (lexicon == NULL) {
        return (type->form & (JUDGE_W_KNOWN | JUDGE_W_NAME)) == JUDGE_W_KNOWN
               ? 1 : -1;
    }

    hash = judge_word_hash(judge_lexicon_elide(lexicon,
               judge_lexicon_type(t, type, lower)));

    return judge_lexicon_listed(lexicon, hash) != 0
           || judge_lexicon_find(lexicon, hash)->form != 0 ? 1 : -1;
}


bool
judge_lexicon_common(uint8_t language, judge_str_t lower)
{
    judge_word_t            word;
    const judge_lexicon_t  *lexicon = judge_lexicon(language);

    if (lexicon != NULL) {
        word.form = judge_lexicon_listed(lexicon, judge_word_hash(lower));
    } else {
        judge_word_know(lower, judge_word_hash(lower), &word);
    }

    return (word.form & (JUDGE_W_KNOWN | JUDGE_W_NAME)) == JUDGE_W_KNOWN;
}


void
judge_lexicon_text(judge_text_t *t, bool brief)
{
    char                    lower[JUDGE_LOWER_MAX];
    size_t                  i;
    judge_type_t           *type;
    const judge_lexicon_t  *lexicon = judge_lexicon(t->language);

    for (i = 0; lexicon != NULL && i < t->ntypes; i++) {
        type = &t->types[i];

        if (type->kind == JUDGE_TOKEN_WORD) {
            judge_lexicon_know(lexicon, judge_lexicon_type(t, type, lower),
                               brief, type);
        }
    }
}


void
judge_lexicon_english(judge_text_t *t, size_t first, size_t end, bool brief)
{
    char           lower[JUDGE_LOWER_MAX];
    size_t         i;
    judge_str_t    str;
    judge_type_t  *type;
    judge_word_t   word;

    for (i = first; i < end; i++) {
        type = &t->types[i];

        if (i + JUDGE_LEXICON_AHEAD < end) {
            judge_word_prefetch(type[JUDGE_LEXICON_AHEAD].hash);
        }

        if (type->kind != JUDGE_TOKEN_WORD && type->kind != JUDGE_TOKEN_CODE) {
            continue;
        }

        str = judge_lexicon_type(t, type, lower);

        if (!brief) {
            type->syllables = (uint8_t) judge_word_syllables(str);
        }

        if (type->kind == JUDGE_TOKEN_CODE) {
            continue;
        }

        type->stem = brief ? type->stem : judge_word_stem(str);
        judge_word_know(str, type->hash, &word);
        type->form = word.form;
        type->sense = word.sense;
        type->rarity = word.rarity;
        type->content = type->content && !(word.form & JUDGE_W_FUNCTION);
    }
}


uint64_t
judge_lexicon_class(const judge_lexicon_t *lexicon, judge_str_t lower)
{
    size_t       i, n;
    uint64_t     hash;
    judge_str_t  word;

    word = judge_lexicon_elide(lexicon, lower);
    hash = judge_word_hash(word);

    if (judge_lexicon_find(lexicon, hash)->form & JUDGE_W_FREQUENT) {
        return hash;
    }

    for (i = word.len, n = 0; i > 0 && n < JUDGE_LEXICON_SUFFIX; n++) {
        do {
            i--;
        } while (i > 0 && ((unsigned char) word.data[i] & 0xc0) == 0x80);
    }

    return judge_fnv(judge_fnv(JUDGE_FNV_START, "~", 1), word.data + i,
                     word.len - i);
}


/* False: the table lacks the pair. */

static bool
judge_lexicon_pair(const judge_lexicon_t *lexicon, uint64_t joined,
    double *gain)
{
    uint32_t  slot;
    uint64_t  i;

    for (i = joined; /* void */ ; i++) {
        slot = lexicon->pairs[i & ((1u << JUDGE_LEXICON_PAIR_BITS) - 1)];

        if (slot == 0) {
            return false;
        }

        if (slot >> 8 == (joined >> 40)) {
            *gain = ((double) (slot & 0xff) - 128) / 50;
            return true;
        }
    }
}


double
judge_lexicon_gain(const judge_lexicon_t *lexicon, uint64_t first,
    uint64_t second)
{
    double  gain = 0;

    /* a pair that was never seen has the gain of its first class, which is
     * lower for a frequent one */

    if (!judge_lexicon_pair(lexicon, judge_hash_join(first, second), &gain)) {
        (void) judge_lexicon_pair(lexicon, judge_hash_join(first, 0), &gain);
    }

    return gain;
}


/* --- What is said in another language ------------------------------------ */

static int
judge_translation_compare(const void *hash, const void *row)
{
    uint64_t  x = *(const uint64_t *) hash;
    uint64_t  y = ((const judge_translation_t *) row)->hash;

    return (x > y) - (x < y);
}


const char *
judge_say(uint8_t language, const char *english)
{
    uint64_t                    hash;
    const judge_lexicon_t      *lexicon = judge_lexicon(language);
    const judge_translation_t  *row;

    if (lexicon == NULL) {
        return english;
    }

    hash = judge_fnv(JUDGE_FNV_START, english, strlen(english));
    row = bsearch(&hash, lexicon->feedback, lexicon->nfeedback,
                  sizeof(judge_translation_t), judge_translation_compare);

    return row != NULL ? row->text : english;
}


void
judge_say_numbers(uint8_t language, judge_buf_t *b, size_t from)
{
    size_t  i;

    for (i = from + 1; judge_lexicon(language) && i + 1 < b->len; i++) {
        if (b->data[i] == '.' && judge_ascii_digit(b->data[i - 1])
            && judge_ascii_digit(b->data[i + 1]))
        {
            b->data[i] = ',';
        }
    }
}
