/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Criteria of media are matched to traits by words: one of the name counts
 * more than one of the description.
 */


#include <string.h>

#include "base/text/ascii.h"
#include "analysis/media/media_trait.h"


#define JUDGE_MEDIA_NAME_WEIGHT  6
#define JUDGE_MEDIA_LEAST        4     /* weight; less is about none */
#define JUDGE_MEDIA_SHARE        0.45  /* of the best; less is left out */
#define JUDGE_MEDIA_WORD         24  /* bytes; a longer one is not ours */


/* The words of a criterion, as they are counted. */
typedef struct {
    double    weights[JUDGE_MT_COUNT];
    unsigned  domains;                 /* that are named */
    bool      beyond;                  /* it is about what nobody measures */
} judge_media_words_t;


static void judge_media_words(judge_str_t text, double weight,
    judge_media_words_t *words);
static void judge_media_word(const char *word, double weight,
    judge_media_words_t *words);
static int judge_media_listed(const char *list, const char *word);
static bool judge_media_stem_eq(const char *listed, size_t len,
    const char *word);
static bool judge_media_fits(const judge_media_words_t *words,
    judge_media_kind_e kind, judge_media_trait_e trait);


/* With "!" before it a word counts double. */
static const struct {
    judge_media_trait_e  trait;
    const char          *words;
} judge_media_rows[] = {
    { JUDGE_MT_SHARPNESS,
      "!sharpness !sharp !focus !focused !blur !blurry !blurred !crisp "
      "!crispness clarity clear detailed definition" },
    { JUDGE_MT_EXPOSURE,
      "!exposure !exposed !brightness !bright !dark !darkness !lighting !lit "
      "!light !overexposed !underexposed !overexposure !underexposure "
      "highlights shadows illumination illuminated dim" },
    { JUDGE_MT_CONTRAST,
      "!contrast !tonal flat washed" },
    { JUDGE_MT_COLOUR,
      "!colour !color !saturation !saturated !colourful !colorful "
      "!colourfulness !colorfulness !vivid !vibrant !vibrancy hue palette "
      "grading" },
    { JUDGE_MT_GRAIN,
      "!noise !noisy !grain !grainy clean" },
    { JUDGE_MT_COMPRESSION,
      "!compression !compressed !artifact !artefact !blocking !blocky "
      "!blockiness !pixelated !pixelation encoding" },
    { JUDGE_MT_RESOLUTION,
      "!resolution !pixel !dimension hd 4k 1080p 720p size" },
    { JUDGE_MT_FRAME_RATE,
      "!fps !framerate !stutter !stuttering !judder !choppy !smooth "
      "!smoothness fluid rate" },
    { JUDGE_MT_BLACK,
      "!black !blank blackout" },
    { JUDGE_MT_FROZEN,
      "!frozen !freeze !freezing !stuck !standstill hang hanging" },
    { JUDGE_MT_STABILITY,
      "!shake !shaky !shaking !stability !stable !steady !steadiness "
      "!stabilized !stabilised !stabilization !stabilisation !handheld "
      "!wobble !wobbly !jitter camera tripod" },
    { JUDGE_MT_FLICKER,
      "!flicker !flickering !strobe !strobing flash flashing" },
    { JUDGE_MT_PACE,
      "!pace !pacing !cut !editing !edit !scene !rhythm !tempo transition" },
    { JUDGE_MT_MOTION,
      "!motion !movement !activity action lively liveliness" },
    { JUDGE_MT_RICHNESS,
      "!texture !richness !complexity detail" },
    { JUDGE_MT_INTEGRITY,
      "!glitch !corruption !corrupted !dropout !damage !damaged !integrity "
      "!playback !defect !interruption error fault flaw" },
    { JUDGE_MT_LOUDNESS,
      "!loudness !loud !volume !level !lufs !quiet audible audibility" },
    { JUDGE_MT_DYNAMICS,
      "!dynamics !lra dynamic range" },
    { JUDGE_MT_CLIPPING,
      "!clipping !clipped !distortion !distorted !overdriven !overload "
      "!overmodulated peak crackle crackling" },
    { JUDGE_MT_SILENCE,
      "!silence !silent !pause !mute !muted gap" },
    { JUDGE_MT_HISS,
      "!noise !noisy !hiss !hum !background !interference clean clarity "
      "clear" },
    { JUDGE_MT_TONE,
      "!tone !tonal !spectral !spectrum !equalization !equalisation !eq "
      "!bass !treble !muffled !tinny !boomy !timbre !frequency" },
    { JUDGE_MT_SPEECH,
      "!speech !voice !narration !spoken !intelligibility !intelligible "
      "!talking !dialogue !dialog !speaker !speaking vocal clarity" },
    { JUDGE_MT_STEREO,
      "!stereo !panning !channel left right" },
    { JUDGE_MT_PICTURE,
      "!quality !technical !overall !production !fidelity general" },
    { JUDGE_MT_SOUND,
      "!quality !technical !overall !production !fidelity general" },
    { JUDGE_MT_GENERAL,
      "!quality !technical !overall !production !fidelity general" },
};

#define JUDGE_MEDIA_ROWS                                                      \
    (sizeof(judge_media_rows) / sizeof(*judge_media_rows))

static const char  judge_media_of_pictures[] =
    "picture visual visually image photo photograph footage cinematography "
    "camera frame";
static const char  judge_media_of_sound[] =
    "audio sound sonic acoustic voice speech music microphone soundtrack "
    "mic audible hear narration dialogue listen listener recording";

/* The quality of these is another. */
static const char  judge_media_beyond[] =
    "content story storytelling narrative message messaging script plot "
    "acting performance humor humour funny wit creativity creative "
    "composition originality original relevance accuracy accurate factual "
    "fact information informative informational engaging engagement emotion "
    "emotional brand branding persuasive persuasiveness educational teaching "
    "safety ethics argument idea concept entertainment entertaining title "
    "caption subtitle text topic subject explanation artistic style "
    "aesthetic aesthetics melody lyrics";


bool
judge_media_match(const judge_criterion_t *criterion, judge_media_kind_e kind,
    double shares[JUDGE_MT_COUNT])
{
    size_t               i;
    double               best, sum;
    judge_media_words_t  words;

    memset(&words, 0, sizeof(judge_media_words_t));
    judge_media_words(criterion->name, JUDGE_MEDIA_NAME_WEIGHT, &words);
    judge_media_words(criterion->description, 1, &words);

    for (best = 0, i = 0; i < JUDGE_MT_COUNT; i++) {
        shares[i] = judge_media_fits(&words, kind, i) ? words.weights[i] : 0;
        best = shares[i] > best ? shares[i] : best;
    }

    if (best < JUDGE_MEDIA_LEAST) {
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


/* Letters and digits make words; anything else parts them. */

static void
judge_media_words(judge_str_t text, double weight,
    judge_media_words_t *words)
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
    }
}


static void
judge_media_word(const char *word, double weight, judge_media_words_t *words)
{
    size_t  i;

    for (i = 0; i < JUDGE_MEDIA_ROWS; i++) {
        words->weights[judge_media_rows[i].trait] +=
            weight * judge_media_listed(judge_media_rows[i].words, word);
    }

    if (judge_media_listed(judge_media_of_pictures, word)) {
        words->domains |= JUDGE_MEDIA_OF_PICTURES;
    }
    if (judge_media_listed(judge_media_of_sound, word)) {
        words->domains |= JUDGE_MEDIA_OF_SOUND;
    }
    if (weight > 1 && judge_media_listed(judge_media_beyond, word)) {
        words->beyond = true;
    }
}


/* 0, 1, or 2 where it is marked. */

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


/* The word, or its plural. */

static bool
judge_media_stem_eq(const char *listed, size_t len, const char *word)
{
    if (strncmp(listed, word, len) != 0) {
        return false;
    }

    word += len;

    return *word == '\0' || strcmp(word, "s") == 0 || strcmp(word, "es") == 0;
}


static bool
judge_media_fits(const judge_media_words_t *words, judge_media_kind_e kind,
    judge_media_trait_e trait)
{
    unsigned  domain = judge_media_trait_domain(trait);

    if (!(judge_media_trait_kinds(trait) & kind)) {
        return false;
    }

    if (trait < JUDGE_MT_SINGLE) {
        return words->domains == 0 || (words->domains & domain);
    }

    if (words->beyond) {
        return false;
    }

    /* Of a video as a whole, unless one of the two is named. */
    if (kind == JUDGE_MEDIA_VIDEO) {
        return words->domains ? words->domains == domain
                              : trait == JUDGE_MT_GENERAL;
    }

    return trait != JUDGE_MT_GENERAL;
}
