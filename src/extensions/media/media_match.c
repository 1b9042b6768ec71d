/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Criteria of media are matched to traits by words: a word of the name counts
 * more than one of the description.  The contrary of what a measurement wants
 * (few cuts, a dark picture) and what a speaker is like are not measured.
 */


#include <string.h>

#include "base/text/ascii.h"
#include "extensions/media/media_trait.h"


#define JUDGE_MEDIA_NAME_WEIGHT  6
#define JUDGE_MEDIA_LEAST        4     /* least weight for a match, */
#define JUDGE_MEDIA_LEAST_NAMED  2     /* if picture or sound is named */
#define JUDGE_MEDIA_SHARE        0.45  /* least share of the best */
#define JUDGE_MEDIA_NEAR         3     /* words that "no" turns round */
#define JUDGE_MEDIA_WORD         24  /* bytes; longer than any listed */


/* Words that negate the next ones ("not without" does not), words whose
 * negation is not measured, faults, words of sentences that do not ask for a
 * fault, and what nothing measures. */
static const char  judge_media_less[] =
    "no not never without few fewer little less low lower free avoid neither"
    " nor hardly rarely isn aren don doesn must absent out loss lack losing";
static const char  judge_media_wanted[] =
    "sharp sharpness focus focused crisp contrast colour color colourful"
    " colorful vivid bright light lit detail texture motion movement activity"
    " cut scene edit speech voice narration dialogue talking loud volume";
static const char  judge_media_faults[] =
    "blur blurry blurred dark darkness black blank frozen noise noisy grain"
    " grainy hiss hum silence silent pause mute muted quiet shake shaky"
    " flicker flickering clipping clipped distortion distorted muffled";
static const char  judge_media_cues[] =
    "too how any amount level whether reduced penalize issue problem kept";
static const char  judge_media_others[] =
    "friendly calm warm polite confident moody cosy plain slow fast accent";

/* What the words of a criterion add up to. */
typedef struct {
    double    weights[JUDGE_MT_COUNT];
    unsigned  domains;                 /* that words name */
    int       near;                    /* words that are still negated */
    bool      turned;                  /* the last one was, and is wanted */
    bool      cue;                     /* the sentence has one, or a "no" */
    bool      fault;                   /* it names a fault */
    bool      contrary;                /* what is asked for is not seen */
} judge_media_words_t;


/* Compares a listed word with a word or its plural. */

static bool
judge_media_stem_eq(const char *listed, size_t len, const char *word)
{
    if (strncmp(listed, word, len) != 0) {
        return false;
    }

    word += len;

    return *word == '\0' || strcmp(word, "s") == 0 || strcmp(word, "es") == 0;
}


/* Returns 0: not in the list, 1, or 2: marked in the list by "!". */

static int
judge_media_listed(const char *list, const char *word)
{
    int         marked;
    size_t      len;
    const char *p;

    for (p = list; *p; p += len + (p[len] == ' ')) {
        marked = *p == '!';
        p += marked;
        len = strcspn(p, " ");

        if (judge_media_stem_eq(p, len, word)) {
            return 1 + marked;
        }
    }

    return 0;
}


/* A fault that a description names, and does not forbid, is asked for. */

static void
judge_media_sentence(judge_media_words_t *words, bool asks)
{
    words->contrary |= words->turned
                       || (words->fault && !words->cue && asks);
    words->turned = words->fault = words->cue = false;
    words->near = 0;
}


/* Returns whether the word is a fault that is not wanted. */

static bool
judge_media_forbidden(judge_media_words_t *words, const char *word)
{
    bool  wanted = judge_media_listed(judge_media_wanted, word);
    bool  fault = judge_media_listed(judge_media_faults, word);
    bool  less = judge_media_listed(judge_media_less, word);

    words->contrary |= (words->turned && !fault)
                       || judge_media_listed(judge_media_others, word);
    words->fault |= fault;
    words->cue |= less || judge_media_listed(judge_media_cues, word);
    words->turned = wanted && words->near > 0 && !fault;
    words->near = fault || strcmp(word, "too") == 0 ? 0
                  : !less ? words->near - 1
                  : words->near > 0 ? 0 : JUDGE_MEDIA_NEAR;

    return fault && words->cue;
}


/* Counts a word; what is not measurable counts in the name only, and a fault
 * that is forbidden counts as if it stood there. */

static void
judge_media_word(const char *word, double weight, judge_media_words_t *words)
{
    size_t                        i;
    const judge_media_subject_t  *subject;

    if (judge_media_forbidden(words, word)) {
        weight = JUDGE_MEDIA_NAME_WEIGHT;
    }

    for (i = 0; i < judge_media_traits_n; i++) {
        words->weights[i] +=
            weight * judge_media_listed(judge_media_traits[i].words, word);
    }

    for (i = 0; i < judge_media_subjects_n; i++) {
        subject = &judge_media_subjects[i];

        if ((weight > 1 || subject->domain != JUDGE_MEDIA_BEYOND)
            && judge_media_listed(subject->words, word))
        {
            words->domains |= subject->domain;
        }
    }
}


/* Splits a text into words of letters and digits. */

static void
judge_media_words(judge_str_t text, double weight, judge_media_words_t *words)
{
    char    c, word[JUDGE_MEDIA_WORD];
    size_t  i, len;

    for (i = 0, len = 0; i <= text.len; i++) {
        c = i < text.len ? judge_ascii_lower(text.data[i]) : ' ';

        if (judge_ascii_letter(c) || judge_ascii_digit(c)
            || (unsigned char) c >= 0x80)
        {
            word[len < JUDGE_MEDIA_WORD - 1 ? len : 0] = c;
            len++;
            continue;
        }

        if (len && len < JUDGE_MEDIA_WORD) {
            word[len] = '\0';
            judge_media_word(word, weight, words);
        }
        len = 0;

        if (i == text.len || strchr(".;!?\n", c)) {
            judge_media_sentence(words, weight == 1 && c != '?');
        }
        words->near = c == ',' ? 0 : words->near;
    }
}


static bool
judge_media_fits(const judge_media_words_t *words, judge_media_kind_e kind,
    judge_media_trait_e trait)
{
    unsigned  domain, named;

    domain = judge_media_traits[trait].domain;
    named = words->domains & ~JUDGE_MEDIA_BEYOND;

    if (!(judge_media_traits[trait].kinds & kind)) {
        return false;
    }

    if (trait < JUDGE_MT_SINGLE) {
        return named == 0 || (named & domain);
    }

    if (words->domains & JUDGE_MEDIA_BEYOND) {
        return false;
    }

    /* a criterion of a video that names neither is about both */
    if (kind == JUDGE_MEDIA_VIDEO) {
        return named ? named == domain : trait == JUDGE_MT_GENERAL;
    }

    return trait != JUDGE_MT_GENERAL;
}


bool
judge_media_match(const judge_criterion_t *criterion, judge_media_kind_e kind,
    double shares[JUDGE_MT_COUNT])
{
    size_t               i;
    double               best, sum, least;
    judge_media_words_t  words;

    memset(&words, 0, sizeof(judge_media_words_t));
    judge_media_words(criterion->name, JUDGE_MEDIA_NAME_WEIGHT, &words);
    judge_media_words(criterion->description, 1, &words);

    for (best = 0, i = 0; i < JUDGE_MT_COUNT; i++) {
        shares[i] = judge_media_fits(&words, kind, i) ? words.weights[i] : 0;
        best = shares[i] > best ? shares[i] : best;
    }

    least = words.domains & ~JUDGE_MEDIA_BEYOND ? JUDGE_MEDIA_LEAST_NAMED
                                                : JUDGE_MEDIA_LEAST;
    if (best < least || words.contrary) {
        return false;
    }

    for (sum = 0, i = 0; i < JUDGE_MT_COUNT; i++) {
        shares[i] = shares[i] < JUDGE_MEDIA_SHARE * best ? 0 : shares[i];
        sum += shares[i];
    }

    for (i = 0; i < JUDGE_MT_COUNT; i++) {
        shares[i] /= sum;
    }

    return true;
}
