/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Finds sentences and paragraphs in the tokens, and then what depends on them:
 * which word begins a sentence, which is a name, which is quoted.
 */


#include <string.h>

#include "analysis/text/lexicon.h"


/* Where a quotation would be longer, its closing mark was forgotten. */
#define JUDGE_QUOTE_TOKENS  200


/* English words whose full stop ends no sentence, unless a capital follows. */
static const char *const  judge_abbreviations[] = {
    "al", "a", "aug", "approx", "ca", "co", "corp", "col", "capt", "dr",
    "dec", "etc", "e", "eg", "fig", "feb", "fri", "g", "gen", "gov", "i",
    "ie", "inc", "jr", "jan", "ltd", "lt", "mon", "mr", "mrs", "ms", "m",
    "no", "nov", "oct", "prof", "pp", "p", "rep", "st", "sr", "sen", "sgt",
    "s", "sept", "thu", "tue", "tues", "u", "usw", "vs", "vol", "wed", NULL
};

/* Those of them that end no sentence before a capital, either. */
static const char *const  judge_titles[] = {
    "mr", "mrs", "ms", "dr", "prof", "st", "jr", "sr", NULL
};


/* Those that are words as well, but before a number. */
static const char *const  judge_numbered[] = {
    "abb", "app", "art", "ch", "ext", "sec", "tab", NULL
};

static const char *const  judge_weekdays[] = {
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    "sunday", NULL
};


static bool
judge_is_closer(const judge_token_t *token)
{
    return token->mark == JUDGE_MARK_CLOSE || token->mark == ')'
           || token->mark == ']'
           || ((token->mark == '"' || token->mark == '\'')
               && !(token->flags & JUDGE_T_SPACE));
}


/* Whether a quotation that ends with the mark at i is a part of its sentence,
 * which goes on with a small letter after it. */

static bool
judge_is_spoken(const judge_text_t *t, size_t i)
{
    const judge_token_t  *closer = &t->tokens[i + 1];

    return i + 2 < t->ntokens && !(closer->flags & JUDGE_T_SPACE)
           && (closer->mark == JUDGE_MARK_CLOSE || closer->mark == '"')
           && closer[1].kind == JUDGE_TOKEN_WORD
           && (closer[1].flags & (JUDGE_T_SPACE | JUDGE_T_LINE
                                  | JUDGE_T_CAPITAL)) == JUDGE_T_SPACE;
}


/* Whether an English full stop ends no sentence before the token. */

static bool
judge_is_shortened(const judge_text_t *t, judge_str_t word,
    const judge_token_t *next)
{
    if (next == NULL || !(next->flags & JUDGE_T_CAPITAL)) {
        return judge_str_caseamong(word, judge_abbreviations)
               || (next != NULL && next->kind == JUDGE_TOKEN_NUMBER
                   && judge_str_caseamong(word, judge_numbered));
    }

    return judge_str_caseamong(word, judge_titles)
           || (judge_str_eq(word, JUDGE_STR("m"))   /* "10 a.m. Monday" */
               && judge_str_caseamong(judge_token_str(t, next),
                                      judge_weekdays));
}


/* Whether the number is of a day and a month, "24.12.", and the sentence goes
 * on after it with a small letter. */

static bool
judge_is_day(const judge_text_t *t, const judge_token_t *number,
    const judge_token_t *next)
{
    judge_str_t  str = judge_token_str(t, number);

    return str.len <= 5 && memchr(str.data, '.', str.len)
           && next != NULL && next->kind == JUDGE_TOKEN_WORD
           && !(next->flags & JUDGE_T_CAPITAL);
}


/* Whether the full stop at i ends no sentence, as it belongs to an
 * abbreviation, to the number of a list or to an ordinal. */

static bool
judge_is_abbreviation(const judge_text_t *t, size_t i)
{
    bool                    ordinals;
    judge_str_t             word;
    const judge_lexicon_t  *lexicon;
    const judge_token_t    *before, *next;

    if (i == 0 || (t->tokens[i].flags & JUDGE_T_SPACE)) {
        return false;
    }

    before = &t->tokens[i - 1];
    next = i + 1 < t->ntokens ? &t->tokens[i + 1] : NULL;
    lexicon = judge_lexicon(t->language);

    if (before->kind != JUDGE_TOKEN_WORD) {
        ordinals = lexicon != NULL && lexicon->ordinals;

        return before->kind == JUDGE_TOKEN_NUMBER
               && (before->end - before->begin <= 2
                   ? ordinals || (before->flags & JUDGE_T_LINE)
                   : ordinals && judge_is_day(t, before, next));
    }

    if (t->types[before->type].form & JUDGE_W_ABBREVIATION) {
        return true;
    }

    word = judge_token_str(t, before);

    /* an initial: "J. Smith", but not the pronoun: "and so do I. He ..." */

    if (word.len == 1 && (before->flags & JUDGE_T_CAPITAL)
        && word.data[0] != 'I')
    {
        return true;
    }

    return lexicon == NULL && judge_is_shortened(t, word, next);
}


/* Whether the mark at i ends a sentence. */

static bool
judge_is_stop(const judge_text_t *t, size_t i)
{
    const judge_token_t  *next;

    next = i + 1 < t->ntokens ? &t->tokens[i + 1] : NULL;

    switch (t->tokens[i].mark) {

    case JUDGE_MARK_STOP:
        return true;

    case '!':
    case '?':
        return !judge_is_spoken(t, i)
               && (next == NULL || (next->mark != '!' && next->mark != '?'));

    case JUDGE_MARK_DOTS:
        return next == NULL || (next->flags & JUDGE_T_CAPITAL);

    case '.':
        break;

    default:
        return false;
    }

    if (next == NULL) {
        return true;
    }

    if (next->kind == JUDGE_TOKEN_MARK) {
        return (judge_is_closer(next) && !judge_is_spoken(t, i))
               || (next->flags & JUDGE_T_SPACE);
    }

    /* "end.Next" is the end of a sentence, "example.com" is not */

    if (!(next->flags & JUDGE_T_SPACE)) {
        return (next->flags & JUDGE_T_CAPITAL)
               && !(i > 0 && (t->tokens[i - 1].flags & JUDGE_T_CAPITALS))
               && !judge_is_abbreviation(t, i);
    }

    return !judge_is_abbreviation(t, i);
}


/* A form may have made spaces of the new lines: a paragraph begins where twice
 * as many part sentences as usual.  The first round counts what is usual. */

static void
judge_paragraphs_by_gaps(judge_text_t *t)
{
    size_t          i, round, gap, usual, gaps[2] = { 0, 0 };
    judge_token_t  *token;

    for (round = 0, usual = 1; round < 2; round++) {
        for (i = 1; i < t->ntokens; i++) {
            token = &t->tokens[i];
            gap = token->begin - token[-1].end;

            if (gap == 0
                || (!judge_is_stop(t, i - 1) && !judge_is_closer(token - 1)))
            {
                continue;
            }

            if (round == 0) {
                gaps[gap > 1]++;

            } else if (gap >= 2 * usual) {
                token->flags |= JUDGE_T_WIDE;
            }
        }

        usual = gaps[1] > gaps[0] ? 2 : 1;
    }
}


/* Sets whether most words are in capitals, and returns the flag of tokens that
 * begin paragraphs.  Empty lines part these; where there are none, new lines
 * do, and without them wide gaps. */

static uint16_t
judge_paragraph_flag(judge_text_t *t)
{
    size_t    i, words = 0, capitals = 0;
    uint16_t  seen = 0;

    for (i = 0; i < t->ntokens; i++) {
        words += t->tokens[i].kind == JUDGE_TOKEN_WORD;
        capitals += (t->tokens[i].flags & JUDGE_T_CAPITALS) != 0;
        seen |= i > 0 ? t->tokens[i].flags : 0;
    }

    t->shouted = capitals * 2 > words;

    if (!(seen & JUDGE_T_LINE)) {
        judge_paragraphs_by_gaps(t);
        return JUDGE_T_WIDE;
    }

    return (seen & JUDGE_T_BLANK) ? JUDGE_T_BLANK : JUDGE_T_LINE;
}


static bool
judge_is_bullet(const judge_text_t *t, size_t i)
{
    const judge_token_t  *token = &t->tokens[i], *next;

    next = i + 1 < t->ntokens ? &t->tokens[i + 1] : NULL;

    if (next == NULL) {
        return false;
    }

    if (token->kind == JUDGE_TOKEN_NUMBER) {
        return next->mark == '.' || next->mark == ')';
    }

    return token->mark == '-' || token->mark == '*' || token->mark == '+'
           || token->mark == '#' || token->mark == JUDGE_MARK_SYMBOL
           || token->mark == JUDGE_MARK_DASH;
}


static void
judge_sentence_finish(judge_text_t *t, judge_sentence_t *s, size_t end)
{
    size_t          i;
    judge_type_t   *type;
    judge_token_t  *token;

    if (s == NULL) {
        return;
    }

    s->end = (uint32_t) end;

    for (i = s->first; i < end; i++) {
        token = &t->tokens[i];

        if (!judge_token_is_word(token)) {
            continue;
        }

        type = &t->types[token->type];

        if (s->words++ == 0) {
            token->flags |= JUDGE_T_START;

        } else if (t->shouted && (token->flags & JUDGE_T_CAPITALS)
                   && !(type->form & (JUDGE_W_NAME | JUDGE_W_MONTH)))
        {
            token->flags &= (uint16_t) ~JUDGE_T_CAPITAL;
        }

        if (token->kind != JUDGE_TOKEN_WORD) {
            continue;
        }

        if (!(token->flags & JUDGE_T_CAPITAL)) {
            type->lower = true;

        } else if (!(token->flags & JUDGE_T_START)) {
            type->name = true;
        }
    }

    /* marks alone are no sentence; they become the end of the one before */

    if (s->words == 0 && t->nsentences > 1) {
        t->nsentences--;
        s[-1].end = (uint32_t) end;
        s[-1].stop = s->stop != 0 ? s->stop : s[-1].stop;
    }
}


static judge_sentence_t *
judge_sentence_add(judge_text_t *t, judge_arena_t *arena, size_t *max)
{
    judge_sentence_t  *s;

    if (t->nsentences == *max) {
        s = judge_alloc(arena, *max * 2 * sizeof(judge_sentence_t));
        if (s == NULL) {
            return NULL;
        }

        memcpy(s, t->sentences, *max * sizeof(judge_sentence_t));
        t->sentences = s;
        *max *= 2;
    }

    s = &t->sentences[t->nsentences++];
    memset(s, 0, sizeof(judge_sentence_t));

    return s;
}


/* k never goes back, so that each token is looked at twice at most. */

static void
judge_mark_quotes(judge_text_t *t)
{
    size_t                i, k = 0;
    uint8_t               mark;
    const judge_token_t  *token;

    for (i = 0; i < t->ntokens; i++) {
        mark = t->tokens[i].mark;

        if (mark != '"' && mark != JUDGE_MARK_OPEN) {
            continue;
        }

        for (k = k > i ? k : i + 1; k < t->ntokens; k++) {
            token = &t->tokens[k];

            if (token->mark == '"' || token->mark == JUDGE_MARK_CLOSE) {
                break;
            }
        }

        if (k == t->ntokens || k >= i + JUDGE_QUOTE_TOKENS) {
            continue;
        }

        while (++i < k) {
            t->tokens[i].flags |= JUDGE_T_QUOTED;
        }
    }
}


judge_rc_e
judge_text_split(judge_text_t *t, judge_arena_t *arena)
{
    size_t             i, max = t->ntokens / 16 + 8;
    bool               stopped = true;
    uint16_t           paragraph;
    judge_token_t     *token;
    judge_sentence_t  *s = NULL;

    t->sentences = judge_alloc(arena, max * sizeof(judge_sentence_t));
    if (t->sentences == NULL) {
        return JUDGE_NOMEM;
    }

    paragraph = judge_paragraph_flag(t);

    for (i = 0; i < t->ntokens; i++) {
        token = &t->tokens[i];

        if (!stopped && token->kind == JUDGE_TOKEN_WORD
            && !(token->flags & (paragraph | JUDGE_T_LINE)))
        {
            continue;
        }

        if (i == 0 || (token->flags & paragraph)) {
            t->nparagraphs++;
            stopped = true;

        } else if ((token->flags & JUDGE_T_LINE) && judge_is_bullet(t, i)) {
            stopped = true;

        } else if (stopped && judge_is_closer(token)) {
            continue;
        }

        if (stopped) {
            judge_sentence_finish(t, s, i);

            s = judge_sentence_add(t, arena, &max);
            if (s == NULL) {
                return JUDGE_NOMEM;
            }

            s->first = (uint32_t) i;
            s->item = (token->flags & JUDGE_T_LINE) && judge_is_bullet(t, i)
                      && (token->kind == JUDGE_TOKEN_NUMBER
                          || (token[1].flags & JUDGE_T_SPACE));
            s->paragraph = (uint32_t) t->nparagraphs - 1;
        }

        stopped = token->kind == JUDGE_TOKEN_MARK && judge_is_stop(t, i);
        s->stop = stopped ? token->mark : s->stop;
    }

    judge_sentence_finish(t, s, i);
    judge_mark_quotes(t);

    return JUDGE_OK;
}
