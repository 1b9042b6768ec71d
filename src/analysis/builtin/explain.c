/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Feedback put together: of a criterion, and of the whole verdict; and a
 * measurement in words: its number, where it was found, and how to improve.
 */


#include <string.h>

#include "base/text/utf8.h"
#include "analysis/builtin/explain.h"
#include "analysis/text/language.h"
#include "analysis/text/lexis.h"
#include "analysis/text/say.h"


#define JUDGE_FACTS         3          /* of a criterion */
#define JUDGE_REMARKS       5          /* strengths and so on, at most */
#define JUDGE_EFFECT_CLEAR  0.25       /* of what moves a score clearly */
#define JUDGE_EFFECT_SMALL  0.1        /* less is not mentioned */
#define JUDGE_WORDS_FEW     25
#define JUDGE_QUOTE_BYTES   72
#define JUDGE_NEIGHBOURS    3          /* tokens on each side */

/* In the language of the feedback. */
#define say(m, english)  judge_say((m)->feedback, english)


typedef struct {
    judge_measure_t        *m;
    const judge_effects_t  *effects;   /* of the criteria */
    judge_verdict_t        *verdict;
    bool                    used[JUDGE_FEATURES];
} judge_remarks_t;


static void judge_explain_facts(judge_buf_t *b, const judge_measure_t *m,
    const judge_effect_t *effects, size_t n);
static void judge_explain_names(judge_buf_t *b, const judge_measure_t *m,
    const judge_trait_match_t *match, const judge_reader_match_t *seen);
static void judge_explain_compared(judge_buf_t *b, const judge_measure_t *m,
    const judge_trait_match_t *match);
static void judge_explain_band(judge_buf_t *b, const judge_measure_t *m,
    const judge_criterion_t *criterion, double score);
static void judge_explain_next(judge_buf_t *b, const judge_measure_t *m,
    const judge_effect_t *effects, size_t n);
static judge_str_t judge_explain_summary(const judge_measure_t *m,
    const judge_rubric_t *rubric, const judge_verdict_t *verdict);
static judge_rc_e judge_explain_remarks(judge_remarks_t *r,
    const judge_rubric_t *rubric);
static judge_rc_e judge_explain_remark(judge_remarks_t *r,
    const judge_criterion_t *criterion, const judge_effect_t *effect,
    bool good);
static void judge_explain_suggestion(judge_verdict_t *verdict,
    judge_str_t advice);
static void judge_explain_middle(judge_buf_t *b, const judge_measure_t *m,
    const judge_effect_t *effect);
static bool judge_explain_place(judge_buf_t *b, const judge_measure_t *m,
    judge_feature_e feature);


judge_rc_e
judge_effects(judge_effects_t *effects, judge_arena_t *arena,
    const judge_effect_t *list, size_t n)
{
    size_t           i, k;
    judge_effect_t  *kept;

    kept = judge_array_alloc(arena, n + 1, sizeof(judge_effect_t));
    if (kept == NULL) {
        return JUDGE_NOMEM;
    }

    effects->list = kept;
    effects->n = 0;

    for (i = 0; i < n; i++) {
        if (fabs(list[i].effect) < JUDGE_EFFECT_SMALL) {
            continue;
        }

        for (k = effects->n++; k > 0; k--) {
            if (kept[k - 1].effect <= list[i].effect) {
                break;
            }

            kept[k] = kept[k - 1];
        }

        kept[k] = list[i];
    }

    return JUDGE_OK;
}


judge_str_t
judge_explain_criterion(const judge_measure_t *m,
    const judge_criterion_t *criterion, const judge_trait_match_t *match,
    const judge_reader_match_t *seen, const judge_effects_t *effects,
    double score)
{
    judge_buf_t  b;

    judge_buf_init(&b, m->arena);
    judge_explain_names(&b, m, match, seen);
    judge_explain_compared(&b, m, match);
    judge_explain_band(&b, m, criterion, score);
    judge_explain_facts(&b, m, effects->list, effects->n);
    judge_explain_next(&b, m, effects->list, effects->n);

    return judge_buf_view(&b);
}


/* What parts the name at i of n from the one before. */

static void
judge_explain_next_name(judge_buf_t *b, const judge_measure_t *m, size_t i,
    size_t n)
{
    if (i > 0 && i + 1 < n) {
        judge_buf_c(b, ", ");

    } else if (i > 0) {
        judge_buf_printf(b, " %s ", say(m, "and"));
    }
}


/* What any reader sees first, of what was asked for. */

static void
judge_explain_names(judge_buf_t *b, const judge_measure_t *m,
    const judge_trait_match_t *match, const judge_reader_match_t *seen)
{
    size_t  i;

    if (!match->fits && seen->n == 0) {
        judge_buf_printf(b, "%s ", say(m, "Nothing that is measured fits this "
                             "criterion by its name or description; the score "
                             "is that of the text's general quality."));
        return;
    }

    judge_buf_printf(b, "%s ", say(m, "Measured as"));

    for (i = 0; i < seen->n; i++) {
        judge_explain_next_name(b, m, i, seen->n);
        judge_buf_c(b, say(m, judge_aspects[seen->aspects[i]].name));
    }

    if (seen->n > 0 && match->fits) {
        judge_buf_printf(b, ", %s ", say(m, "besides"));
    }

    for (i = 0; match->fits && i < match->n; i++) {
        judge_explain_next_name(b, m, i, match->n);
        judge_buf_c(b, say(m, judge_traits[match->traits[i]].name));
    }

    judge_buf_c(b, ". ");
}


/* What it was compared with, or that there was nothing to compare with. */

static void
judge_explain_compared(judge_buf_t *b, const judge_measure_t *m,
    const judge_trait_match_t *match)
{
    if (m->nreferences > 0) {
        judge_buf_printf(b, say(m, "%.0f %% of the score is"),
                         100 * judge_reference_share(m, match));
        judge_buf_c(b, " ");
        judge_explain_feature(b, m, JUDGE_F_REFERENCE_COSINE);
        judge_buf_c(b, ". ");

    } else if (m->source == NULL
               && judge_traits[match->traits[0]].compares)
    {
        judge_buf_printf(b, "%s ", say(m, "There is no source and no reference"
                             " to compare with; what can be told from the text"
                             " alone stands in."));
    }
}


static void
judge_explain_band(judge_buf_t *b, const judge_measure_t *m,
    const judge_criterion_t *criterion, double score)
{
    size_t  i;
    struct {
        const char *name;
        double      from;
    } bands[] = {
        { "excellent", criterion->excellent },
        { "good", criterion->good },
        { "fair", criterion->fair },
        { "poor", criterion->poor }
    };

    if (!criterion->has_thresholds) {
        return;
    }

    for (i = 0; i < 3 && score < bands[i].from; i++) {
        /* void */
    }

    if (score < bands[i].from) {
        judge_buf_printf(b, say(m, "The score of %.2f is below %s (from "
                                   "%.10g)."),
                         score, say(m, bands[i].name), bands[i].from);
        judge_buf_c(b, " ");
        return;
    }

    judge_buf_printf(b, say(m, "The score of %.2f is %s (from %.10g)"), score,
                     say(m, bands[i].name), bands[i].from);

    if (i > 0) {
        judge_buf_printf(b, say(m, "; %s begins at %.10g"),
                         say(m, bands[i - 1].name), bands[i - 1].from);
    }

    judge_buf_c(b, ". ");
}


/* What lowers the score most, and what raises it most. */

static void
judge_explain_facts(judge_buf_t *b, const judge_measure_t *m,
    const judge_effect_t *effects, size_t n)
{
    size_t  i, low, high;

    for (low = 0; low < n && low < JUDGE_FACTS; low++) {
        if (effects[low].effect > 0) {
            break;
        }

        judge_buf_printf(b, "%s ", low == 0 ? say(m, "Lowered by") : ";");
        judge_explain_feature(b, m, effects[low].feature);
        judge_explain_middle(b, m, &effects[low]);
    }

    judge_buf_c(b, low > 0 ? ". " : "");

    for (high = 0, i = n; i > low && high < JUDGE_FACTS; i--, high++) {
        if (effects[i - 1].effect < 0) {
            break;
        }

        judge_buf_printf(b, "%s ", high == 0 ? say(m, "Raised by") : ";");
        judge_explain_feature(b, m, effects[i - 1].feature);
    }

    judge_buf_c(b, high > 0 ? ". " : "");
}


/* How to do better; NULL: there is no advice. */

static const char *
judge_effect_advice(const judge_effect_t *effect)
{
    const judge_feature_t  *row;

    row = &judge_features[effect->feature];

    return effect->high ? row->if_high : row->if_low;
}


/* The first passage that can be quoted, and the first advice. */

static void
judge_explain_next(judge_buf_t *b, const judge_measure_t *m,
    const judge_effect_t *effects, size_t n)
{
    size_t       i, at;
    const char  *advice;

    for (i = 0; i < n && effects[i].effect < 0; i++) {
        at = b->len;
        judge_buf_printf(b, "%s ", say(m, "See"));

        if (effects[i].high
            && judge_explain_place(b, m, effects[i].feature))
        {
            judge_buf_c(b, ". ");
            break;
        }

        b->len = at;
    }

    for (i = 0; i < n && effects[i].effect < 0; i++) {
        advice = judge_effect_advice(&effects[i]);

        if (advice != NULL) {
            judge_buf_printf(b, say(m, "To improve: %s"), say(m, advice));
            return;
        }
    }

    if (b->len > 0 && b->data[b->len - 1] == ' ') {
        b->len--;
    }
}


judge_rc_e
judge_explain_verdict(judge_measure_t *m, const judge_rubric_t *rubric,
    const judge_effects_t *effects, judge_verdict_t *verdict)
{
    judge_remarks_t  r = { .m = m, .effects = effects, .verdict = verdict };

    verdict->summary = judge_explain_summary(m, rubric, verdict);
    if (verdict->summary.data == NULL) {
        return JUDGE_NOMEM;
    }

    verdict->strengths = judge_array_alloc(m->arena, JUDGE_REMARKS,
                                           sizeof(judge_str_t));
    verdict->weaknesses = judge_array_alloc(m->arena, JUDGE_REMARKS,
                                            sizeof(judge_str_t));
    verdict->suggestions = judge_array_alloc(m->arena, JUDGE_REMARKS,
                                             sizeof(judge_str_t));

    if (verdict->strengths == NULL || verdict->weaknesses == NULL
        || verdict->suggestions == NULL)
    {
        return JUDGE_NOMEM;
    }

    return judge_explain_remarks(&r, rubric);
}


/* What the language of the text lets be measured. */

static void
judge_explain_language(judge_buf_t *b, const judge_measure_t *m)
{
    uint8_t  language;

    language = m->text->language;

    if (!judge_prior_foreign(m->text)) {
        return;
    }

    if (language == JUDGE_LANGUAGE_UNKNOWN) {
        judge_buf_printf(b, " %s", say(m, "Most of the words are not known as"
                             " English, for which the measurements are made;"
                             " the scores mean little."));

    } else {
        judge_buf_c(b, " ");
        judge_buf_printf(b, say(m, "The text is in %s, of which nothing is "
                                   "measured but what all languages have in "
                                   "common."),
                         judge_language_name(language));
    }
}


static judge_str_t
judge_explain_summary(const judge_measure_t *m, const judge_rubric_t *rubric,
    const judge_verdict_t *verdict)
{
    size_t               i, best, worst;
    judge_buf_t          b;
    const judge_text_t  *t;

    t = m->text;
    best = 0;
    worst = 0;
    judge_buf_init(&b, m->arena);

    for (i = 1; i < rubric->ncriteria; i++) {
        best = verdict->scores[i].score > verdict->scores[best].score
               ? i : best;
        worst = verdict->scores[i].score < verdict->scores[worst].score
                ? i : worst;
    }

    judge_buf_printf(&b, say(m, "%zu %s in %zu %s and %zu %s, scored %.2f of "
                                "100 from what was measured"),
                     t->nwords, say(m, t->nwords == 1 ? "word" : "words"),
                     t->nsentences,
                     say(m, t->nsentences == 1 ? "sentence" : "sentences"),
                     t->nparagraphs,
                     say(m, t->nparagraphs == 1 ? "paragraph" : "paragraphs"),
                     verdict->overall);

    if (best != worst) {
        judge_buf_printf(&b, "; %s ", say(m, "highest in"));
        judge_buf_str(&b, rubric->criteria[best].name);
        judge_buf_printf(&b, " (%.2f), %s ", verdict->scores[best].score,
                         say(m, "lowest in"));
        judge_buf_str(&b, rubric->criteria[worst].name);
        judge_buf_printf(&b, " (%.2f)", verdict->scores[worst].score);
    }

    judge_buf_c(&b, ".");

    if (t->cut) {
        judge_buf_c(&b, " ");
        judge_buf_printf(&b, say(m, "Only the first %zu bytes were measured."),
                         t->str.len);
    }

    if (t->nwords < JUDGE_WORDS_FEW) {
        judge_buf_printf(&b, " %s", say(m, "The text is too short for "
                                           "measurements to be sure."));
    }

    judge_explain_language(&b, m);

    return judge_buf_view(&b);
}


static judge_rc_e
judge_explain_remarks(judge_remarks_t *r, const judge_rubric_t *rubric)
{
    size_t                  i, k, round;
    judge_rc_e              rc;
    const judge_effect_t   *list;
    const judge_effects_t  *effects;

    /* one of each criterion first, so that none takes all the places */

    for (round = 0; round < 2; round++) {
        for (i = 0; i < rubric->ncriteria; i++) {
            effects = &r->effects[i];
            list = effects->list;
            rc = JUDGE_OK;

            for (k = 0; k < effects->n; k++) {
                if (!r->used[list[k].feature]) {
                    rc = judge_explain_remark(r, &rubric->criteria[i],
                                              &list[k],
                                              false);
                    break;
                }
            }

            for (k = effects->n; k > 0 && rc == JUDGE_OK; k--) {
                if (!r->used[list[k - 1].feature]) {
                    rc = judge_explain_remark(r, &rubric->criteria[i],
                                              &list[k - 1], true);
                    break;
                }
            }

            if (rc != JUDGE_OK) {
                return rc;
            }
        }
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_explain_remark(judge_remarks_t *r, const judge_criterion_t *criterion,
    const judge_effect_t *effect, bool good)
{
    size_t           *n;
    judge_buf_t       b;
    const char       *advice;
    judge_verdict_t  *verdict;

    verdict = r->verdict;
    n = good ? &verdict->nstrengths : &verdict->nweaknesses;

    if (*n == JUDGE_REMARKS
        || (good ? effect->effect < JUDGE_EFFECT_CLEAR
                 : effect->effect > -JUDGE_EFFECT_CLEAR))
    {
        return JUDGE_OK;
    }

    r->used[effect->feature] = true;
    judge_buf_init(&b, r->m->arena);
    judge_buf_str(&b, criterion->name);
    judge_buf_c(&b, ": ");
    judge_explain_feature(&b, r->m, effect->feature);

    if (!good && effect->high) {
        judge_buf_c(&b, "; ");

        if (!judge_explain_place(&b, r->m, effect->feature)) {
            b.len -= 2;
        }
    }

    judge_buf_c(&b, ".");

    if (b.failed) {
        return JUDGE_NOMEM;
    }

    (good ? verdict->strengths : verdict->weaknesses)[(*n)++]
        = judge_buf_view(&b);

    advice = good ? NULL : judge_effect_advice(effect);

    if (advice != NULL) {
        judge_explain_suggestion(verdict, judge_str_c(say(r->m, advice)));
    }

    return JUDGE_OK;
}


/* Once, though several features may ask for it. */

static void
judge_explain_suggestion(judge_verdict_t *verdict, judge_str_t advice)
{
    size_t  i;

    for (i = 0; i < verdict->nsuggestions; i++) {
        if (judge_str_eq(verdict->suggestions[i], advice)) {
            return;
        }
    }

    verdict->suggestions[verdict->nsuggestions++] = advice;
}


/* --- A measurement in words ---------------------------------------------- */

/* With that many decimals, 0 to 2; a fixed form, faster than printf. */

static void
judge_explain_number(judge_buf_t *b, double value, uint8_t decimals)
{
    char      digits[32], *p;
    uint8_t   i;
    uint64_t  n;

    p = digits + sizeof(digits);
    value *= decimals == 0 ? 1 : decimals == 1 ? 10 : 100;
    n = (uint64_t) floor(fabs(judge_clamp(value, -1e15, 1e15)) + 0.5);

    for (i = 0; i <= decimals || n > 0; i++) {
        if (i == decimals && decimals > 0) {
            *--p = '.';
        }

        *--p = (char) ('0' + n % 10);
        n /= 10;
    }

    if (value <= -0.5) {
        *--p = '-';
    }

    judge_buf_append(b, p, (size_t) (digits + sizeof(digits) - p));
}


/* The number that stands for a value that was measured. */

static double
judge_explain_value(const judge_feature_t *row, double value)
{
    if (row->logarithm) {
        value = judge_exp(value) - 1;
    }

    if (row->squared) {
        value *= value;
    }

    return row->scale != 0 ? value * (double) row->scale : value;
}


void
judge_explain_feature(judge_buf_t *b, const judge_measure_t *m,
    judge_feature_e feature)
{
    double                  value;
    const char             *p, *text;
    const judge_feature_t  *row;

    row = &judge_features[feature];
    value = judge_explain_value(row, (double) m->v[feature]);

    if (row->none != NULL
        && fabs(value) < (row->decimals == 0 ? 0.5
                          : row->decimals == 1 ? 0.05 : 0.005))
    {
        judge_buf_c(b, say(m, row->none));
        return;
    }

    if (row->one != NULL && value >= 0.5 && value < 1.5) {
        judge_buf_c(b, say(m, row->one));
        return;
    }

    text = say(m, row->text);
    p = strstr(text, "%s");

    if (p == NULL) {
        judge_buf_c(b, text);
        return;
    }

    judge_buf_append(b, text, (size_t) (p - text));
    judge_explain_number(b, value, row->decimals);
    judge_buf_c(b, p + 2);
}


/* " (the middle: 1.0)". */

static void
judge_explain_middle(judge_buf_t *b, const judge_measure_t *m,
    const judge_effect_t *effect)
{
    const judge_feature_t  *row;

    row = &judge_features[effect->feature];

    judge_buf_printf(b, " (%s ", effect->near
                                 ? say(m, "best near")
                                 : say(m, "middle of the scale:"));
    judge_explain_number(b, judge_explain_value(row, (double) effect->middle),
                         row->decimals);
    judge_buf_c(b, ")");
}


/* The sentence that a token belongs to, from 1. */

static size_t
judge_sentence_of(const judge_text_t *t, uint32_t token)
{
    size_t  low, high, middle;

    low = 0;
    high = t->nsentences;

    while (high - low > 1) {
        middle = (low + high) / 2;

        if (t->sentences[middle].first <= token) {
            low = middle;

        } else {
            high = middle;
        }
    }

    return low + 1;
}


/* The bytes of some tokens, on one line and not too long. */

static void
judge_explain_quote(judge_buf_t *b, const judge_text_t *t, uint32_t first,
    uint32_t end)
{
    size_t       begin;
    uint32_t     c;
    const char  *p, *from, *plain, *last;
    judge_str_t  all, part;

    begin = t->tokens[first].begin;
    all = (judge_str_t) { t->tokens[end - 1].end - begin,
                          t->str.data + begin };
    part = judge_utf8_prefix(all, JUDGE_QUOTE_BYTES);

    judge_buf_c(b, "\"");

    for (p = part.data, plain = p, last = p + part.len; p < last; /* void */)
    {
        from = p;
        c = judge_utf8_next(&p, last);

        if (c == JUDGE_UTF8_INVALID || c < ' ') {
            judge_buf_append(b, plain, (size_t) (from - plain));
            judge_buf_c(b, c < ' ' ? " " : "?");
            plain = p;
        }
    }

    judge_buf_append(b, plain, (size_t) (p - plain));
    judge_buf_c(b, part.len < all.len ? "...\"" : "\"");
}


/* A word or two are quoted among their neighbours. */

static void
judge_explain_context(judge_buf_t *b, const judge_measure_t *m,
    const judge_place_t *place, const judge_sentence_t *s)
{
    uint32_t  first, end;

    if (place->end - place->first > 2) {
        return;
    }

    first = place->first > s->first + JUDGE_NEIGHBOURS
            ? place->first - JUDGE_NEIGHBOURS : s->first;
    end = place->end + JUDGE_NEIGHBOURS < s->end
          ? place->end + JUDGE_NEIGHBOURS : s->end;

    if (first < place->first || end > place->end) {
        judge_buf_printf(b, " %s ", say(m, "in"));
        judge_explain_quote(b, m->text, first, end);
    }
}


/* The passage where what a feature counts was found first: `sentence 3:
 * "he have a car"`.  False: there is none, and nothing is written. */

static bool
judge_explain_place(judge_buf_t *b, const judge_measure_t *m,
    judge_feature_e feature)
{
    size_t                  kind, k, sentence;
    const judge_place_t    *place;
    const judge_feature_t   *row;

    row = &judge_features[feature];
    kind = row->found;

    /* of several kinds the one that was found most often */

    for (k = kind + 1; k <= row->last; k++) {
        if (m->found[k].count > m->found[kind].count) {
            kind = k;
        }
    }

    if (kind == JUDGE_FOUND_NONE || m->found[kind].count == 0) {
        return false;
    }

    place = &m->found[kind].places[0];
    sentence = judge_sentence_of(m->text, place->first);

    judge_buf_printf(b, say(m, "sentence %zu:"), sentence);
    judge_buf_c(b, " ");
    judge_explain_quote(b, m->text, place->first, place->end);
    judge_explain_context(b, m, place,
                          &m->text->sentences[sentence - 1]);

    if (judge_found_names[kind] != NULL) {
        judge_buf_c(b, " (");
        judge_buf_c(b, say(m, judge_found_names[kind]));
        judge_buf_c(b, ")");
    }

    return true;
}
