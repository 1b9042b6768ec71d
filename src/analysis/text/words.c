/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Words are looked up in the generated tables; what is not in them may still
 * follow from the letters of a word.
 */


#include <endian.h>
#include <string.h>

#include "analysis/text/words.h"


/* An ending, and what stands in its place when it comes off. */
typedef struct {
    uint8_t      len;                  /* 0: this row is behind the last */
    uint8_t      instead_len;
    const char  *text;
    const char  *instead;
} judge_ending_t;

#define ending(text, instead)                                                 \
    { sizeof(text) - 1, sizeof(instead) - 1, text, instead }


/* A word is known when one of these stands before a known word. */

static const char *const  judge_prefixes[] = {
    "un", "re", "non", "anti", "pre", "over", "under", "super", "micro",
    "multi", "inter", "mis", "out", "sub", "cyber", "eco", "mega", NULL
};

/* A word is known when one of these changes makes it a known word. */

static const judge_ending_t  judge_suffixes[] = {
    ending("'s", ""), ending("s'", "s"), ending("ies", "y"), ending("es", ""),
    ending("s", ""), ending("ing", ""), ending("ing", "e"), ending("ied", "y"),
    ending("ed", ""), ending("ed", "e"), ending("ly", ""), ending("ness", ""),
    ending("iness", "y"), ending("less", ""), ending("like", ""),
    ending("ise", "ize"), ending("ised", "ized"), ending("ising", "izing"),
    ending("isation", "ization"), ending("able", ""), ending("able", "e"),
    ending("er", ""), ending("er", "e"), ending("ish", ""),
    { 0, 0, NULL, NULL }
};

/* These come off for the stem, the first that fits.  Endings with the same
 * last letter stand together, each before those that it ends with. */

static const judge_ending_t  judge_stem_endings[] = {
    ending("ied", ""), ending("ized", ""), ending("ed", ""), ending("ize", ""),
    ending("e", ""), ending("izing", ""), ending("ing", ""),
    ending("ization", ""), ending("ation", ""), ending("tion", "t"),
    ending("sion", "s"), ending("er", ""), ending("'s", ""),
    ending("izations", ""), ending("ations", ""), ending("fulness", ""),
    ending("ities", ""), ending("ments", ""), ending("iness", ""),
    ending("ness", ""), ending("tions", "t"), ending("sions", "s"),
    ending("ings", ""), ending("ies", ""), ending("izes", ""),
    ending("ers", ""), ending("es", ""), ending("s", ""), ending("ment", ""),
    ending("ingly", ""), ending("edly", ""), ending("ally", ""),
    ending("ily", ""), ending("ity", ""), ending("ly", ""), ending("y", ""),
    { 0, 0, NULL, NULL }
};

/* By a last letter: the first of them.  It is 0 for "d", and for a letter with
 * which none ends. */
static const uint8_t  judge_stem_first[256] = {
    ['e'] = 3, ['g'] = 5, ['n'] = 7, ['r'] = 11, ['s'] = 12, ['t'] = 28,
    ['y'] = 29
};

static const bool  judge_vowels[256] = {
    ['a'] = true, ['e'] = true, ['i'] = true, ['o'] = true, ['u'] = true,
    ['y'] = true
};


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

        if (entry->fingerprint == (uint32_t) hash) {
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


/* False: the word that another one is derived from is not known. */

static bool
judge_word_derive(const char *text, size_t len, judge_word_t *word)
{
    judge_word_t  found;

    if (!judge_word_find(judge_word_hash((judge_str_t) { len, text }),
                         &found)
        || !(found.form & JUDGE_W_KNOWN))
    {
        return false;
    }

    /* its other classes may not be those of the derived word */

    word->form = found.form & (JUDGE_W_KNOWN | JUDGE_W_NAME);
    word->sense = found.sense
                  & (JUDGE_W_POSITIVE | JUDGE_W_NEGATIVE | JUDGE_W_STRONG
                     | JUDGE_W_CALM | JUDGE_W_INSULT);
    word->rarity = found.rarity;

    return true;
}


static bool
judge_word_by_suffix(judge_str_t lower, judge_word_t *word)
{
    char                   text[40];
    size_t                 n, keep;
    judge_word_t           found;
    const judge_ending_t  *suffix;

    for (suffix = judge_suffixes; suffix->len != 0; suffix++) {
        n = suffix->len;

        if (lower.len < n + 3
            || lower.data[lower.len - 1] != suffix->text[n - 1]
            || memcmp(lower.data + lower.len - n, suffix->text, n) != 0)
        {
            continue;
        }

        keep = lower.len - n;
        memcpy(text, lower.data, keep);
        memcpy(text + keep, suffix->instead, suffix->instead_len);

        /* "child" and "go" do not make "childs" and "goed" right: the list has
         * the inflections of common words */

        if (judge_word_derive(text, keep + suffix->instead_len, &found)
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
            && judge_word_derive(lower.data + n, lower.len - n, word))
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

    /* judge_word_by_suffix() has room for no more than 32 bytes */

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
    size_t                 n, len = lower.len;
    char                   last;
    uint64_t               hash;
    const judge_ending_t  *ending;

    last = len > 3 ? lower.data[len - 1] : '\0';

    for (ending = &judge_stem_endings[judge_stem_first[(uint8_t) last]];
         ending->len != 0 && ending->text[ending->len - 1] == last; ending++)
    {
        n = ending->len;

        if (len >= n + 3 && lower.data[len - n] == ending->text[0]
            && memcmp(lower.data + len - n, ending->text, n) == 0)
        {
            /* the "s" of "class" is no ending */

            if (n == 1 && ending->text[0] == 's'
                && lower.data[len - 2] == 's')
            {
                continue;
            }

            len -= n - ending->instead_len;
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


/* An entry has two bytes: 11 bits of the hash above the step; it is 0 where
 * there is none.  Eight are compared at once. */

typedef uint16_t judge_entries_t __attribute__((vector_size(16)));


unsigned
judge_word_step(const unsigned char *table, uint64_t joined)
{
    size_t                i, k;
    uint64_t              any[2];
    const unsigned char  *p;
    judge_entries_t       found;

    p = &table[(joined >> (64 - JUDGE_NGRAM_BITS)) * JUDGE_NGRAM_ROOM * 2];

    for (i = 0; i < JUDGE_NGRAM_ROOM / 8; i++, p += sizeof(found)) {
        memcpy(&found, p, sizeof(found));

        if (le16toh(1) != 1) {
            found = found << 8 | found >> 8;
        }

        found &= (judge_entries_t) (found >> 5
                                    == (uint16_t) (joined >> 20 & 0x7ff));
        memcpy(any, &found, sizeof(any));

        if ((any[0] | any[1]) != 0) {
            for (k = 0; found[k] == 0; k++) { /* void */ }

            return found[k] & 31;
        }
    }

    return 0;
}


void
judge_word_step_prefetch(uint64_t pair, uint64_t triple)
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
