/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Words: the look-up in the generated table, and what follows from the
 * letters of a word that is not in it.
 */


#include <string.h>

#include "analysis/text/words.h"


typedef struct {
    uint8_t      len;                  /* 0: the last */
    uint8_t      more;
    const char  *text;
    const char  *instead;
} judge_affix_t;

#define affix(text, instead)                                                  \
    { sizeof(text) - 1, sizeof(instead) - 1, text, instead }


/* A word is known when it is one of these and a known word. */

static const char *const  judge_prefixes[] = {
    "un", "re", "non", "anti", "pre", "over", "under", "super", "micro",
    "multi", "inter", "mis", "out", "sub", "cyber", "eco", "mega", NULL
};

/* A word is known when the ending, changed, makes it a known word. */

static const judge_affix_t  judge_suffixes[] = {
    affix("'s", ""), affix("s'", "s"), affix("ies", "y"), affix("es", ""),
    affix("s", ""), affix("ing", ""), affix("ing", "e"), affix("ied", "y"),
    affix("ed", ""), affix("ed", "e"), affix("ly", ""), affix("ness", ""),
    affix("iness", "y"), affix("less", ""), affix("like", ""),
    affix("ise", "ize"), affix("ised", "ized"), affix("ising", "izing"),
    affix("isation", "ization"), affix("able", ""), affix("able", "e"),
    affix("er", ""), affix("er", "e"), affix("ish", ""),
    { 0, 0, NULL, NULL }
};

/* Endings that come off for the stem, the longer of a letter before the
 * shorter. */

static const judge_affix_t  judge_stem_endings[] = {
    affix("ied", ""), affix("ized", ""), affix("ed", ""), affix("ize", ""),
    affix("e", ""), affix("izing", ""), affix("ing", ""),
    affix("ization", ""), affix("ation", ""), affix("tion", "t"),
    affix("sion", "s"), affix("er", ""), affix("'s", ""),
    affix("izations", ""), affix("ations", ""), affix("fulness", ""),
    affix("ities", ""), affix("ments", ""), affix("iness", ""),
    affix("ness", ""), affix("tions", "t"), affix("sions", "s"),
    affix("ings", ""), affix("ies", ""), affix("izes", ""), affix("ers", ""),
    affix("es", ""), affix("s", ""), affix("ment", ""), affix("ingly", ""),
    affix("edly", ""), affix("ally", ""), affix("ily", ""), affix("ity", ""),
    affix("ly", ""), affix("y", ""), { 0, 0, NULL, NULL }
};

/* The first of them with a last letter; 0 for one that no ending has. */
static const uint8_t  judge_stem_first[256] = {
    ['e'] = 3, ['g'] = 5, ['n'] = 7, ['r'] = 11, ['s'] = 12, ['t'] = 28,
    ['y'] = 29
};

static const bool  judge_vowels[256] = {
    ['a'] = true, ['e'] = true, ['i'] = true, ['o'] = true, ['u'] = true,
    ['y'] = true
};


uint64_t
judge_word_hash(judge_str_t lower)
{
    return judge_fnv(JUDGE_FNV_START, lower.data, lower.len);
}


bool
judge_word_find(uint64_t hash, judge_word_t *word)
{
    uint32_t                       i, end;
    uint64_t                       bucket = hash >> (64 - JUDGE_WORDLIST_BITS);
    const judge_wordlist_set_t    *set;
    const judge_wordlist_entry_t  *entry;

    end = judge_wordlist_buckets[bucket + 1];

    for (i = judge_wordlist_buckets[bucket]; i < end; i++) {
        entry = &judge_wordlist_entries[i];

        if (entry->print == (uint32_t) hash) {
            set = &judge_wordlist_sets[entry->set];

            word->form = set->form;
            word->sense = set->sense;
            word->rarity = entry->rarity;
            return true;
        }
    }

    *word = (judge_word_t) { 0, 0, JUDGE_RARITY_UNKNOWN };

    return false;
}


void
judge_word_prefetch(uint64_t hash)
{
    __builtin_prefetch(&judge_wordlist_entries[
        judge_wordlist_buckets[hash >> (64 - JUDGE_WORDLIST_BITS)]]);
}


static bool
judge_word_known(const char *text, size_t len, judge_word_t *word)
{
    judge_word_t  found;

    if (!judge_word_find(judge_word_hash((judge_str_t) { len, text }),
                         &found)
        || !(found.form & JUDGE_W_KNOWN))
    {
        return false;
    }

    /* only what surely holds for the derived word too */

    word->form = found.form & (JUDGE_W_KNOWN | JUDGE_W_NAME);
    word->sense = found.sense
                  & (JUDGE_W_ACADEMIC | JUDGE_W_POSITIVE | JUDGE_W_NEGATIVE
                     | JUDGE_W_STRONG | JUDGE_W_CALM | JUDGE_W_INSULT);
    word->rarity = found.rarity;

    return true;
}


static bool
judge_word_by_suffix(judge_str_t lower, judge_word_t *word)
{
    char                  text[40];
    size_t                n, keep, more;
    judge_word_t          found;
    const judge_affix_t  *suffix;

    for (suffix = judge_suffixes; suffix->len != 0; suffix++) {
        n = suffix->len;

        if (lower.len < n + 3
            || lower.data[lower.len - 1] != suffix->text[n - 1]
            || memcmp(lower.data + lower.len - n, suffix->text, n) != 0)
        {
            continue;
        }

        keep = lower.len - n;
        more = suffix->more;

        memcpy(text, lower.data, keep);
        memcpy(text + keep, suffix->instead, more);

        /* "childs" and "goed" are not right because "child" and "go" are:
         * the list has the inflections of common words */

        if (judge_word_known(text, keep + more, &found)
            && (n > 2 || suffix->text[0] == '\'' || suffix->text[n - 1] == '\''
                || (found.form & JUDGE_W_NAME) || found.rarity >= 160))
        {
            *word = found;
            return true;
        }
    }

    return false;
}


static bool
judge_word_by_prefix(judge_str_t lower, judge_word_t *word)
{
    size_t              n;
    const char *const  *prefix;

    for (prefix = judge_prefixes; *prefix != NULL; prefix++) {
        n = strlen(*prefix);

        if (lower.data[0] == (*prefix)[0] && lower.len >= n + 4
            && memcmp(lower.data, *prefix, n) == 0
            && judge_word_known(lower.data + n, lower.len - n, word))
        {
            /* "unhappy" is not happy */
            word->sense &= ~(uint64_t) (JUDGE_W_POSITIVE | JUDGE_W_NEGATIVE);
            return true;
        }
    }

    return false;
}


void
judge_word_know(judge_str_t lower, uint64_t hash, judge_word_t *word)
{
    uint8_t  rarity;

    if (judge_word_find(hash, word)
        && (word->form != 0 || word->sense != 0))
    {
        return;
    }

    rarity = word->rarity;

    /* longer ones are no words, and the copies below are on the stack */

    if (lower.len < 3 || lower.len > 32) {
        return;
    }

    if (!judge_word_by_suffix(lower, word)) {
        (void) judge_word_by_prefix(lower, word);
    }

    word->rarity = rarity != JUDGE_RARITY_UNKNOWN ? rarity : word->rarity;
}


uint32_t
judge_word_stem(judge_str_t lower)
{
    size_t                n, len = lower.len;
    char                  last;
    uint64_t              hash;
    const judge_affix_t  *ending;

    last = len > 3 ? lower.data[len - 1] : '\0';

    for (ending = &judge_stem_endings[judge_stem_first[(uint8_t) last]];
         ending->len != 0 && ending->text[ending->len - 1] == last; ending++)
    {
        n = ending->len;

        if (len >= n + 3
            && memcmp(lower.data + len - n, ending->text, n) == 0)
        {
            /* "ss" of "class" stays; "t" of "action" does too */

            if (n == 1 && ending->text[0] == 's'
                && lower.data[len - 2] == 's')
            {
                continue;
            }

            len -= n - ending->more;
            break;
        }
    }

    if (len > 3 && lower.data[len - 1] == lower.data[len - 2]) {
        len--;
    }

    if (len > 3 && lower.data[len - 1] == 'e') {
        len--;
    }

    hash = judge_word_hash((judge_str_t) { len, lower.data });

    return (uint32_t) (hash ^ (hash >> 32)) | 1;
}


uint64_t
judge_phrase_find(uint64_t hash)
{
    size_t                          i, n;
    const judge_wordlist_phrase_t  *phrase;

    for (n = 0, i = hash; n <= (1u << JUDGE_WORDPHRASE_BITS); n++, i++) {
        phrase = &judge_wordlist_phrases[i & ((1u << JUDGE_WORDPHRASE_BITS)
                                              - 1)];

        if (phrase->hash == 0 || phrase->hash == hash) {
            return phrase->sense;
        }
    }

    return 0;
}


/* An entry is 11 bits of the hash and the step, in two bytes; 0: none.  Four
 * are compared at once: a lane is 0 where the bits are the same, and the
 * lowest such lane is surely found (higher ones may be falsely). */

#define JUDGE_LANES  0x0001000100010001ull


unsigned
judge_word_step(const unsigned char *table, uint64_t joined)
{
    unsigned              i;
    uint64_t              four, wanted, same;
    const unsigned char  *p;

    p = &table[(joined >> (64 - JUDGE_NGRAM_BITS)) * JUDGE_NGRAM_ROOM * 2];
    wanted = (joined >> 20 & 0x7ff) * JUDGE_LANES;

    for (i = 0; i < JUDGE_NGRAM_ROOM / 4; i++, p += 8) {
        four = (uint64_t) p[0] | (uint64_t) p[1] << 8
               | (uint64_t) p[2] << 16 | (uint64_t) p[3] << 24
               | (uint64_t) p[4] << 32 | (uint64_t) p[5] << 40
               | (uint64_t) p[6] << 48 | (uint64_t) p[7] << 56;

        same = (four >> 5 & 0x7ff * JUDGE_LANES) ^ wanted;
        same = (same - JUDGE_LANES) & ~same & 0x8000 * JUDGE_LANES;

        if (same != 0) {
            return four >> (__builtin_ctzll(same) - 15) & 31;
        }
    }

    return 0;
}


void
judge_word_ahead(uint64_t pair, uint64_t triple)
{
    __builtin_prefetch(&judge_wordpairs[(pair >> (64 - JUDGE_NGRAM_BITS))
                                        * JUDGE_NGRAM_ROOM * 2]);
    __builtin_prefetch(&judge_wordtriples[(triple >> (64 - JUDGE_NGRAM_BITS))
                                          * JUDGE_NGRAM_ROOM * 2]);
}


unsigned
judge_word_syllables(judge_str_t lower)
{
    bool      vowel, before = false;
    size_t    i;
    unsigned  n = 0;

    for (i = 0; i < lower.len && n < 64; i++) {
        vowel = judge_vowels[(uint8_t) lower.data[i]];
        n += vowel & !before;
        before = vowel;
    }

    /* a final "e" is silent, but for "table" */

    if (n > 1 && lower.len > 2 && lower.data[lower.len - 1] == 'e'
        && lower.data[lower.len - 2] != 'l'
        && lower.data[lower.len - 2] != 'e')
    {
        n--;
    }

    return n == 0 ? 1 : n;
}
