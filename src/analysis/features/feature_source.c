/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The text against the source that it was made from: what is taken from it,
 * what is not in it, and how much of it is covered.
 *
 * Copied stretches as in Grusky, M., Naaman, M., & Artzi, Y. (2018), Newsroom
 * (coverage and density); precision and recall of runs of words as in Lin,
 * C.-Y. (2004), ROUGE.
 */


#include <string.h>

#include "analysis/features/feature.h"
#include "analysis/text/language.h"


#define JUDGE_STRETCH     4            /* words; fewer are no copy */
#define JUDGE_CANDIDATES  8            /* places compared, at most */
#define JUDGE_SALIENT     20


typedef struct {
    judge_measure_t     *m;
    const judge_text_t  *text;
    const judge_text_t  *source;
    judge_topic_t        topic;        /* the source's */
    judge_topic_t        own;          /* the text's */
    uint64_t            *words;        /* hashes of the source's words */
    uint32_t             nwords;
    uint32_t            *heads;        /* by pair of words: position + 1 */
    uint32_t            *next;         /* the next position with that slot */
    size_t               mask;
    uint64_t            *mine;         /* hashes of the text's words */
    uint32_t            *tokens;       /* ... and their tokens */
    uint32_t             nmine;
} judge_source_t;


static judge_rc_e judge_source_prepare(judge_source_t *s);
static uint32_t judge_source_words(const judge_text_t *t, uint64_t *words,
    uint32_t *tokens);
static void judge_source_index(judge_source_t *s);
static void judge_source_precision(judge_source_t *s);
static void judge_source_stretches(judge_source_t *s);
static void judge_source_novel(judge_source_t *s);
static void judge_source_novel_sentences(judge_source_t *s);
static void judge_source_recall(judge_source_t *s);
static void judge_source_cosine(judge_source_t *s);
static void judge_source_lead(judge_source_t *s);


judge_rc_e
judge_measure_source(judge_measure_t *m)
{
    judge_source_t  s = { .m = m, .text = m->text, .source = m->source };

    if (m->source == NULL || m->source->nwords == 0) {
        return JUDGE_OK;
    }

    if (judge_source_prepare(&s) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    m->v[JUDGE_F_SOURCE] = 1;
    m->v[JUDGE_F_SOURCE_LENGTH] = (float) judge_ln(
        (double) m->text->nwords / (double) m->source->nwords);

    judge_source_precision(&s);
    judge_source_stretches(&s);
    judge_source_novel(&s);
    judge_source_novel_sentences(&s);
    judge_source_recall(&s);
    judge_source_cosine(&s);
    judge_source_lead(&s);

    return JUDGE_OK;
}


static judge_rc_e
judge_source_prepare(judge_source_t *s)
{
    size_t          slots;
    judge_arena_t  *arena;

    arena = s->m->arena;

    if (judge_topic_build(&s->topic, arena, s->source) != JUDGE_OK
        || judge_topic_build(&s->own, arena, s->text) != JUDGE_OK)
    {
        return JUDGE_NOMEM;
    }

    for (slots = 64; slots < s->source->nwords * 2; slots *= 2) {
        /* void */
    }

    s->mask = slots - 1;
    s->heads = judge_array_alloc(arena, slots, sizeof(uint32_t));
    s->words = judge_array_alloc(arena, s->source->nwords + 1,
                                 sizeof(uint64_t));
    s->next = judge_array_alloc(arena, s->source->nwords + 1,
                                sizeof(uint32_t));
    s->mine = judge_array_alloc(arena, s->text->nwords + 1,
                                sizeof(uint64_t));
    s->tokens = judge_array_alloc(arena, s->text->nwords + 1,
                                  sizeof(uint32_t));

    if (s->heads == NULL || s->words == NULL || s->next == NULL
        || s->mine == NULL || s->tokens == NULL)
    {
        return JUDGE_NOMEM;
    }

    s->nwords = judge_source_words(s->source, s->words, NULL);
    s->nmine = judge_source_words(s->text, s->mine, s->tokens);
    judge_source_index(s);

    return JUDGE_OK;
}


static uint32_t
judge_source_words(const judge_text_t *t, uint64_t *words, uint32_t *tokens)
{
    size_t    i;
    uint32_t  n;

    for (i = 0, n = 0; i < t->ntokens; i++) {
        if (judge_token_is_word(&t->tokens[i])) {
            if (tokens != NULL) {
                tokens[n] = (uint32_t) i;
            }

            words[n++] = t->types[t->tokens[i].type].hash;
        }
    }

    return n;
}


static void
judge_source_index(judge_source_t *s)
{
    uint32_t   i;
    uint32_t  *head;

    /* from the end, so that the first place is found first */

    for (i = s->nwords; i-- > 1; /* void */) {
        head = &s->heads[judge_hash_join(s->words[i - 1], s->words[i])
                         & s->mask];
        s->next[i - 1] = *head;
        *head = i;
    }
}


/* How many words from i on, at most that many, the source has in a run, and
 * where: the longest of the first few places that begin alike. */

static uint32_t
judge_source_match(judge_source_t *s, uint32_t i, uint32_t most,
    uint32_t *where)
{
    uint32_t  n, k, at, tried, longest;

    if (i + 1 >= s->nmine) {
        return 0;
    }

    longest = 0;
    at = s->heads[judge_hash_join(s->mine[i], s->mine[i + 1]) & s->mask];

    for (tried = 0; at != 0 && tried < JUDGE_CANDIDATES; tried++) {
        k = at - 1;

        for (n = 0; n < most && i + n < s->nmine && k + n < s->nwords; n++) {
            if (s->mine[i + n] != s->words[k + n]) {
                break;
            }
        }

        if (n > longest) {
            longest = n;
            *where = k;
        }

        at = s->next[at - 1];
    }

    return longest;
}


static void
judge_source_precision(judge_source_t *s)
{
    uint32_t             i, n, where, words, met, pairs, triples;
    const judge_type_t  *type;

    words = 0;
    met = 0;
    pairs = 0;
    triples = 0;

    for (i = 0; i < s->nmine; i++) {
        type = &s->text->types[s->text->tokens[s->tokens[i]].type];

        if (type->content) {
            words++;
            met += judge_topic_count(&s->topic, type->stem) > 0;
        }

        n = judge_source_match(s, i, 3, &where);
        pairs += n >= 2;
        triples += n >= 3;
    }

    s->m->v[JUDGE_F_SOURCE_WORDS] = (float) judge_share(met, words);
    s->m->v[JUDGE_F_SOURCE_PAIRS] =
        (float) judge_share(pairs, s->nmine > 1 ? s->nmine - 1 : 0);
    s->m->v[JUDGE_F_SOURCE_TRIPLES] =
        (float) judge_share(triples, s->nmine > 2 ? s->nmine - 2 : 0);
}


static void
judge_source_stretches(judge_source_t *s)
{
    double    position, sum, squares, weight;
    uint32_t  i, n, where, last, copied, stretches, ordered, *longest;

    where = 0;
    last = 0;
    copied = 0;
    stretches = 0;
    longest = &s->m->n[JUDGE_F_SOURCE_LONGEST];
    ordered = 0;
    sum = 0;
    squares = 0;
    weight = 0;

    for (i = 0; i < s->nmine; i += n > 1 ? n : 1) {
        n = judge_source_match(s, i, s->nmine, &where);

        if (n < 2) {
            continue;
        }

        position = (double) where / s->nwords;
        sum += n * position;
        squares += n * position * position;
        weight += n;

        if (n < JUDGE_STRETCH) {
            continue;
        }

        if (n >= 3 * JUDGE_STRETCH) {
            judge_found(s->m, JUDGE_FOUND_COPIED, s->tokens[i],
                        s->tokens[i + n - 1] + 1);
        }

        copied += n;
        stretches++;
        ordered += where >= last;
        last = where;
        *longest = n > *longest ? n : *longest;
    }

    sum = judge_share(sum, weight);
    squares = judge_share(squares, weight) - sum * sum;

    s->m->v[JUDGE_F_SOURCE_COPIED] = (float) judge_share(copied, s->nmine);
    s->m->v[JUDGE_F_SOURCE_STRETCH] =
        (float) judge_ln(1 + judge_share(copied, stretches));
    s->m->v[JUDGE_F_SOURCE_ORDER] = (float) judge_share(ordered, stretches);
    s->m->v[JUDGE_F_SOURCE_POSITION] = (float) sum;
    s->m->v[JUDGE_F_SOURCE_SPREAD] = (float) sqrt(squares > 0 ? squares : 0);
}


static void
judge_source_novel(judge_source_t *s)
{
    size_t                i;
    const judge_text_t   *t;
    const judge_type_t   *type;
    const judge_token_t  *token;

    t = s->text;

    for (i = 0; i < t->ntokens; i++) {
        token = &t->tokens[i];

        if (token->type == JUDGE_NO_TYPE
            || judge_text_find(s->source, t->types[token->type].hash)
               != JUDGE_NO_TYPE
            || judge_topic_count(&s->topic, t->types[token->type].stem) > 0)
        {
            continue;
        }

        type = &t->types[token->type];

        if (token->kind == JUDGE_TOKEN_NUMBER) {
            judge_found(s->m, JUDGE_FOUND_NOVEL_NUMBER, i, i + 1);

        } else if (type->content
                   && ((type->form & JUDGE_W_NAME)
                       || (type->name && !type->lower))
                   && !(t->language == JUDGE_LANGUAGE_GERMAN
                        && type->form & JUDGE_W_KNOWN))
        {
            judge_found(s->m, JUDGE_FOUND_NOVEL_NAME, i, i + 1);
        }
    }
}


static void
judge_source_novel_sentences(judge_source_t *s)
{
    size_t                   i, k, worst;
    float                    most, share;
    uint32_t                 words, novel;
    const judge_type_t      *type;
    const judge_sentence_t  *sentence;

    most = 0;
    worst = 0;

    for (i = 0; i < s->text->nsentences; i++) {
        sentence = &s->text->sentences[i];
        words = 0;
        novel = 0;

        for (k = sentence->first; k < sentence->end; k++) {
            if (s->text->tokens[k].type == JUDGE_NO_TYPE) {
                continue;
            }

            type = &s->text->types[s->text->tokens[k].type];

            if (type->content) {
                words++;
                novel += judge_topic_count(&s->topic, type->stem) == 0;
            }
        }

        share = (float) judge_share(novel, words);

        if (share > most && words >= 3) {
            most = share;
            worst = i;
        }
    }

    if (most > 0.3f) {
        sentence = &s->text->sentences[worst];
        judge_found(s->m, JUDGE_FOUND_NOVEL_SENTENCE, sentence->first,
                    sentence->end);
    }

    s->m->v[JUDGE_F_SOURCE_NOVEL_SENTENCE] = most;
}


static void
judge_source_recall(judge_source_t *s)
{
    size_t    i, k;
    uint32_t  all, met, n, salient, counts[JUDGE_SALIENT],
              stems[JUDGE_SALIENT];

    memset(counts, 0, sizeof(counts));
    memset(stems, 0, sizeof(stems));
    all = 0;
    met = 0;
    salient = 0;

    for (i = 0; i < s->topic.slots; i++) {
        if (s->topic.stems[i] == 0) {
            continue;
        }

        n = s->topic.counts[i];
        all += n;
        met += judge_topic_count(&s->own, s->topic.stems[i]) > 0 ? n : 0;

        /* the most frequent, sorted; of equals the smaller stem, so that
         * the order of the table does not matter */

        for (k = JUDGE_SALIENT; k > 0; k--) {
            if (n < counts[k - 1]
                || (n == counts[k - 1]
                    && s->topic.stems[i] > stems[k - 1]))
            {
                break;
            }

            if (k < JUDGE_SALIENT) {
                counts[k] = counts[k - 1];
                stems[k] = stems[k - 1];
            }
        }

        if (k < JUDGE_SALIENT) {
            counts[k] = n;
            stems[k] = s->topic.stems[i];
        }
    }

    for (k = 0, n = 0; k < JUDGE_SALIENT && counts[k] > 0; k++) {
        n++;
        salient += judge_topic_count(&s->own, stems[k]) > 0;
    }

    s->m->v[JUDGE_F_SOURCE_RECALL] = (float) judge_share(met, all);
    s->m->v[JUDGE_F_SOURCE_SALIENT] = (float) judge_share(salient, n);
}


/* Vectors of roots of counts, each times the rarity of the word. */

static double
judge_source_weight(const judge_type_t *type)
{
    double  rarity;

    rarity = type->rarity == JUDGE_RARITY_UNKNOWN ? 7 : type->rarity / 32.0;

    return judge_clamp(rarity - 2, 0, 5);
}


static void
judge_source_cosine(judge_source_t *s)
{
    size_t               i;
    double               dot, mine, theirs, weight;
    const judge_type_t  *type;

    dot = 0;
    mine = 0;
    theirs = 0;

    for (i = 0; i < s->text->ntypes; i++) {
        type = &s->text->types[i];

        if (type->content) {
            weight = judge_source_weight(type) * judge_source_weight(type);
            mine += weight * type->count;
            dot += weight * sqrt((double) type->count
                       * judge_topic_count(&s->topic, type->stem));
        }
    }

    for (i = 0; i < s->source->ntypes; i++) {
        type = &s->source->types[i];

        if (type->content) {
            weight = judge_source_weight(type) * judge_source_weight(type);
            theirs += weight * type->count;
        }
    }

    s->m->v[JUDGE_F_SOURCE_COSINE] =
        (float) judge_share(dot, sqrt(mine * theirs));
}


static void
judge_source_lead(judge_source_t *s)
{
    size_t               i, end;
    uint32_t             words, met;
    const judge_type_t  *type;

    words = 0;
    met = 0;

    end = s->source->ntokens / 10;
    end = end < 30 ? 30 : end;
    end = end > s->source->ntokens ? s->source->ntokens : end;

    for (i = 0; i < end; i++) {
        if (s->source->tokens[i].type == JUDGE_NO_TYPE) {
            continue;
        }

        type = &s->source->types[s->source->tokens[i].type];

        if (type->content) {
            words++;
            met += judge_topic_count(&s->own, type->stem) > 0;
        }
    }

    s->m->v[JUDGE_F_SOURCE_LEAD] = (float) judge_share(met, words);
}
