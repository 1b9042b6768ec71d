/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Words and phrases of a list, and quotes of a text: both are sequences of
 * words that are known by their hashes. */


#include "analysis/text/char.h"
#include "base/core/hash.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "extensions/traffic/detect.h"


#define JUDGE_WORDS_GAP    16          /* bytes between words of a phrase */
#define JUDGE_WORDS_WIDTH  512         /* bytes of a phrase, at most */

/* Letters without their accents, from U+00C0 to U+017F. */
static const char  judge_words_plain[] =
    "aaaaaaaceeeeiiiidnooooo.ouuuuyts"
    "aaaaaaaceeeeiiiidnooooo.ouuuuyty"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllllllll"
    "nnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

/* The last words of a text. */
typedef struct {
    judge_str_t  text;
    size_t       at;
    size_t       count;
    size_t       begins[JUDGE_DETECT_PHRASE];
    uint64_t     hashes[JUDGE_DETECT_PHRASE];
} judge_words_t;


/* The letter for a comparison; 0: none; 1: it is not seen, or an accent. */

static uint32_t
judge_words_fold(uint32_t c)
{
    uint32_t  lower;

    if (c >= 0xff10 && c <= 0xff5a) {          /* full width */
        c -= 0xff00 - 0x20;
    }

    if (c < 0x80) {
        c = (uint32_t) judge_ascii_lower((char) c);
        return judge_ascii_letter((char) c) || judge_ascii_digit((char) c)
               ? c : 0;
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


/* Reads the next word, which ends at w->at then.  false: there is none.  A
 * character of a script without spaces is a word. */

static bool
judge_words_next(judge_words_t *w)
{
    bool         inside = false;
    size_t       begin = 0;
    uint32_t     c, folded;
    uint64_t     hash = JUDGE_FNV_START;
    const char  *p = w->text.data + w->at, *before;
    const char  *end = w->text.data + w->text.len;

    while (p < end) {
        before = p;
        c = judge_utf8_next(&p, end);
        folded = judge_words_fold(c);

        if (folded == 1) {
            continue;
        }
        if (inside && (folded == 0 || judge_char_is_ideograph(c))) {
            p = before;
            break;
        }
        if (folded == 0) {
            continue;
        }

        begin = inside ? begin : (size_t) (before - w->text.data);
        inside = true;
        hash = judge_fnv(hash, &folded, sizeof(folded));
        if (judge_char_is_ideograph(c)) {
            break;
        }
    }

    if (inside) {
        if (w->count && begin - w->at > JUDGE_WORDS_GAP) {
            w->count = 0;
        }
        w->begins[w->count % JUDGE_DETECT_PHRASE] = begin;
        w->hashes[w->count++ % JUDGE_DETECT_PHRASE] = hash;
        w->at = (size_t) (p - w->text.data);
    }

    return inside;
}


/* The slot of the last n words. */

static uint64_t *
judge_words_slot(const judge_detect_phrases_t *phrases, const judge_words_t *w,
    size_t n, uint64_t *hash)
{
    size_t  i;

    *hash = 0;
    for (i = w->count - n; i < w->count; i++) {
        *hash = judge_mix(*hash ^ w->hashes[i % JUDGE_DETECT_PHRASE]);
    }
    *hash += *hash == 0;

    i = (size_t) *hash & (phrases->nslots - 1);
    while (phrases->slots[i] && phrases->slots[i] != *hash) {
        i = (i + 1) & (phrases->nslots - 1);
    }

    return &phrases->slots[i];
}


/* Learns the last n words.  What is beside them in a text may have accents of
 * their own, and marks between. */

static bool
judge_words_learn(judge_detect_phrases_t *phrases, const judge_words_t *w,
    size_t n)
{
    size_t     width;
    uint64_t   hash, *slot;

    width = w->at - w->begins[(w->count - n) % JUDGE_DETECT_PHRASE];
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
    size_t         room = 16;
    judge_str_t    line;
    judge_words_t  w;

    while (room < text.len + 2) {      /* at most half of the slots are used,
                                          because a word has two bytes */
        room *= 2;
    }

    *phrases = (judge_detect_phrases_t) { .nslots = room };
    phrases->slots = judge_calloc(arena, room * sizeof(uint64_t));
    if (phrases->slots == NULL) {
        return JUDGE_NOMEM;
    }

    while (text.len) {
        line = lines ? judge_extract_until(&text, '\n') : text;
        text.len = lines ? text.len : 0;
        w = (judge_words_t) { .text = line };

        while (judge_words_next(&w)) {
            if (!lines && w.count >= JUDGE_DETECT_PHRASE) {
                (void) judge_words_learn(phrases, &w, JUDGE_DETECT_PHRASE);
            }
        }

        if (lines && w.count
            && (w.count > JUDGE_DETECT_PHRASE
                || !judge_words_learn(phrases, &w, w.count)))
        {
            return JUDGE_INVALID;
        }
    }

    return phrases->n ? JUDGE_OK : JUDGE_INVALID;
}


static void
judge_words_find(judge_detect_found_t *found, judge_str_t text,
    const judge_detect_phrases_t *phrases, judge_detector_e detector,
    const char *label)
{
    size_t         n;
    uint64_t       hash;
    judge_words_t  w = { .text = text };

    while (judge_words_next(&w)) {
        for (n = w.count < JUDGE_DETECT_PHRASE ? w.count : JUDGE_DETECT_PHRASE;
             n > 0; n--)
        {
            if ((phrases->lengths >> n & 1)
                && *judge_words_slot(phrases, &w, n, &hash))
            {
                judge_detect_hit(found, detector, label,
                                 w.begins[(w.count - n) % JUDGE_DETECT_PHRASE],
                                 w.at);
                break;
            }
        }
    }
}


void
judge_detect_words(judge_detect_found_t *found, judge_str_t text)
{
    judge_words_find(found, text, &found->rule->words, JUDGE_DETECT_WORDS,
                     "WORD");
}


void
judge_detect_leak(judge_detect_found_t *found, judge_str_t text)
{
    judge_words_find(found, text, &found->rule->leak, JUDGE_DETECT_LEAK,
                     "QUOTE");
}
