/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Finds words, phrases and quotes: sequences of words, by their hashes. */


#include "analysis/text/char.h"
#include "base/core/hash.h"
#include "base/text/utf8.h"
#include "extensions/traffic/detect.h"


#define JUDGE_WORDS_GAP    16          /* bytes between words of a phrase */
#define JUDGE_WORDS_WIDTH  512         /* bytes of a phrase, at most */

/* How ASCII characters are compared: digits, and letters in lower case; 0:
 * they separate words. */
static const char  judge_words_ascii[128] = {
    ['0'] = '0', '1', '2', '3', '4', '5', '6', '7', '8', '9',
    ['A'] = 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm',
            'n', 'o', 'p', 'q', 'r', 's', 't', 'u', 'v', 'w', 'x', 'y', 'z',
    ['a'] = 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm',
            'n', 'o', 'p', 'q', 'r', 's', 't', 'u', 'v', 'w', 'x', 'y', 'z'
};

/* Letters without their accents, from U+00C0 to U+017F. */
static const char  judge_words_plain[] =
    "aaaaaaaceeeeiiiidnooooo.ouuuuyts"
    "aaaaaaaceeeeiiiidnooooo.ouuuuyty"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllllllll"
    "nnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

#define JUDGE_WORDS_BASE   UINT64_C(0x9e3779b97f4a7c15)

#define JUDGE_WORDS_RING   16          /* more than words of a phrase */

/* The last words of a text. sums[] are hashes of all words up to one; that of
 * any last n words is computed from two of them. */
typedef struct {
    judge_str_t  text;
    size_t       at;
    size_t       count;
    size_t       begins[JUDGE_WORDS_RING];
    uint64_t     sums[JUDGE_WORDS_RING];           /* a ring */
    uint64_t     powers[JUDGE_DETECT_PHRASE + 1];
} judge_words_t;


static void
judge_words_begin(judge_words_t *w, judge_str_t text)
{
    size_t  i;

    w->text = text;
    w->at = 0;
    w->count = 0;
    w->sums[0] = 0;
    w->powers[0] = 1;
    for (i = 1; i <= JUDGE_DETECT_PHRASE; i++) {
        w->powers[i] = w->powers[i - 1] * JUDGE_WORDS_BASE;
    }
}


/* Folds a character to compare it; 0: it separates words; 1: invisible or an
 * accent. */

static uint32_t
judge_words_fold(uint32_t c)
{
    uint32_t  lower;

    if (c >= 0xff10 && c <= 0xff5a) {          /* full width */
        c -= 0xff00 - 0x20;
    }

    if (c < 0x80) {
        return (unsigned char) judge_words_ascii[c];
    }

    if (c == 0xad || (c >= 0x200b && c <= 0x200d) || c == 0xfeff
        || (c >= 0x300 && c <= 0x36f))
    {
        return 1;
    }

    if (c >= 0xc0 && c <= 0x17f && c != 0xd7 && c != 0xf7) {
        return (unsigned char) judge_words_plain[c - 0xc0];
    }

    lower = judge_char_lower(c);

    return judge_char_is_letter(c) || judge_char_is_ideograph(c)
           ? (lower ? lower : c) : 0;
}


static void
judge_words_add(judge_words_t *w, size_t begin, size_t end, uint64_t hash)
{
    size_t  before;

    if (w->count && begin - w->at > JUDGE_WORDS_GAP) {
        w->count = 0;
        w->sums[0] = 0;
    }

    before = w->count++ % JUDGE_WORDS_RING;
    w->begins[before] = begin;
    w->sums[w->count % JUDGE_WORDS_RING] = w->sums[before] * JUDGE_WORDS_BASE
                                           + hash;
    w->at = end;
}


/* Reads the next word, up to w->at; false: there is none.  A character of a
 * script without spaces is a word. */

static bool
judge_words_next(judge_words_t *w)
{
    bool         inside = false, alone = false;
    size_t       begin = 0;
    uint32_t     c, folded;
    uint64_t     hash = JUDGE_FNV_START;
    const char  *p = w->text.data + w->at, *before;
    const char  *end = w->text.data + w->text.len;

    while (p < end && !alone) {
        before = p;
        if ((unsigned char) *p < 0x80) {
            folded = (unsigned char) judge_words_ascii[(unsigned char) *p++];
        } else {
            c = judge_utf8_next(&p, end);
            folded = judge_words_fold(c);
            alone = judge_char_is_ideograph(c);
        }

        if (folded == 1) {
            continue;
        }
        if (inside && (folded == 0 || alone)) {
            p = before;
            break;
        }
        if (folded == 0) {
            continue;
        }

        begin = inside ? begin : (size_t) (before - w->text.data);
        inside = true;
        hash = (hash ^ folded) * JUDGE_FNV_PRIME;
    }

    if (inside) {
        judge_words_add(w, begin, (size_t) (p - w->text.data), hash);
    }

    return inside;
}


static size_t
judge_words_first(const judge_words_t *w, size_t n)
{
    return w->begins[(w->count - n) % JUDGE_WORDS_RING];
}


/* Finds the slot of the last n words. */

static uint64_t *
judge_words_slot(const judge_detect_phrases_t *phrases, const judge_words_t *w,
    size_t n, uint64_t *hash)
{
    size_t  i;

    *hash = judge_mix(w->sums[w->count % JUDGE_WORDS_RING]
                      - w->sums[(w->count - n) % JUDGE_WORDS_RING]
                        * w->powers[n]);
    *hash += *hash == 0;

    i = (size_t) *hash & (phrases->nslots - 1);
    while (phrases->slots[i] && phrases->slots[i] != *hash) {
        i = (i + 1) & (phrases->nslots - 1);
    }

    return &phrases->slots[i];
}


/* Adds the last n words.  Accents and signs between words widen a match. */

static bool
judge_words_learn(judge_detect_phrases_t *phrases, const judge_words_t *w,
    size_t n)
{
    size_t     width;
    uint64_t   hash, *slot;

    width = w->at - judge_words_first(w, n);
    if (width > JUDGE_WORDS_WIDTH) {
        return false;
    }

    width = 2 * width + (n - 1) * JUDGE_WORDS_GAP;
    phrases->width = width > phrases->width ? width : phrases->width;
    phrases->lengths |= 1u << n;
    slot = judge_words_slot(phrases, w, n, &hash);
    phrases->n += *slot == 0;
    *slot = hash;

    return true;
}


judge_rc_e
judge_detect_phrases(judge_arena_t *arena, judge_str_t text, bool lines,
    judge_detect_phrases_t *phrases)
{
    size_t         room = 16, n;
    judge_str_t    line;
    judge_words_t  w;

    judge_words_begin(&w, text);
    for (n = 1; judge_words_next(&w); n++) {
        while (room < 2 * n) {         /* half of the slots stay free */
            room *= 2;
        }
    }

    *phrases = (judge_detect_phrases_t) { .nslots = room };
    phrases->slots = judge_calloc(arena, room * sizeof(uint64_t));
    if (phrases->slots == NULL) {
        return JUDGE_NOMEM;
    }

    while (text.len) {
        line = lines ? judge_str_until(&text, '\n') : text;
        text.len = lines ? text.len : 0;
        if (lines && line.len && line.data[0] == '#') {
            continue;                  /* a comment, of people */
        }

        judge_words_begin(&w, line);

        for (n = 0; judge_words_next(&w); n++) {
            if (!lines && w.count >= JUDGE_DETECT_PHRASE) {
                (void) judge_words_learn(phrases, &w, JUDGE_DETECT_PHRASE);
            }
        }

        if (lines && n
            && (n > w.count || n > JUDGE_DETECT_PHRASE
                || !judge_words_learn(phrases, &w, w.count)))
        {
            return JUDGE_INVALID;
        }
    }

    return phrases->n ? JUDGE_OK : JUDGE_INVALID;
}


/* Adds a hit if the last words are a phrase of the rule: the longest one. */

static void
judge_words_look(judge_detect_found_t *found, const judge_words_t *w,
    judge_detector_e detector)
{
    bool                           words = detector == JUDGE_DETECT_WORDS;
    size_t                         n;
    uint64_t                       hash;
    const judge_detect_phrases_t  *phrases;

    phrases = words ? &found->rule->words : &found->rule->leak;
    n = !judge_detect_wanted(found, found->rule, detector) ? 0
        : w->count < JUDGE_DETECT_PHRASE ? w->count : JUDGE_DETECT_PHRASE;

    for ( /* void */ ; n > 0; n--) {
        if ((phrases->lengths >> n & 1)
            && *judge_words_slot(phrases, w, n, &hash))
        {
            judge_detect_hit(found, detector, words ? "WORD" : "QUOTE",
                             judge_words_first(w, n), w->at);
            return;
        }
    }
}


/* The words of the text are read once for all rules. */

void
judge_detect_words(judge_detect_found_t *found, judge_str_t text)
{
    bool                        any = false;
    judge_words_t               w;
    const judge_detect_rule_t  *rule;

    for (rule = found->d->rules; rule; rule = rule->next) {
        any = any || judge_detect_wanted(found, rule, JUDGE_DETECT_WORDS)
              || judge_detect_wanted(found, rule, JUDGE_DETECT_LEAK);
    }

    judge_words_begin(&w, text);
    while (any && judge_words_next(&w)) {
        for (rule = found->d->rules; rule; rule = rule->next) {
            found->rule = rule;
            judge_words_look(found, &w, JUDGE_DETECT_WORDS);
            judge_words_look(found, &w, JUDGE_DETECT_LEAK);
        }
    }
}
