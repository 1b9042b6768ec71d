/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Insults, instructions to a model, and languages, found as in judging.  A
 * text is parsed once for all three. */


#include "analysis/aspects/aspect_list.h"
#include "analysis/text/language.h"
#include "analysis/text/phrase.h"
#include "extensions/traffic/detect.h"


/* NULL: out of memory, or a text of which only the beginning would be
 * parsed. */

static const judge_text_t *
judge_speech_parsed(judge_detect_found_t *found, judge_str_t text)
{
    judge_text_t  *t = found->parsed;

    if (t == NULL) {
        t = judge_calloc(found->d->scratch, sizeof(*t));
        if (t == NULL
            || judge_text_parse_brief(t, found->d->scratch, text) != JUDGE_OK
            || t->cut)
        {
            found->failed = true;
            return NULL;
        }
        found->parsed = t;
    }

    return t;
}


void
judge_detect_insults(judge_detect_found_t *found, judge_str_t text)
{
    size_t                i;
    const judge_text_t   *t = judge_speech_parsed(found, text);
    const judge_token_t  *token;

    for (i = 0; t && i < t->ntokens; i++) {
        token = &t->tokens[i];
        if (token->type != JUDGE_NO_TYPE
            && (t->types[token->type].sense & JUDGE_W_INSULT))
        {
            judge_detect_hit(found, JUDGE_DETECT_INSULTS, "INSULT",
                             token->begin, token->end);
        }
    }
}


void
judge_detect_orders(judge_detect_found_t *found, judge_str_t text)
{
    size_t               i, end;
    const uint8_t       *classes;
    judge_wording_t      w;
    const judge_text_t  *t = judge_speech_parsed(found, text);

    if (t == NULL
        || judge_wording_create(&w, found->d->scratch, t) != JUDGE_OK)
    {
        found->failed = true;
        return;
    }

    for (i = 0; i < w.n; i++) {
        classes = judge_pattern_at(&judge_order_patterns, &w, i, &end);
        if (classes == NULL) {
            classes = judge_pattern_at(&judge_flag_patterns, &w, i, &end);
        }
        if (classes && classes[0] == JUDGE_TERM_ORDER) {
            judge_detect_hit(found, JUDGE_DETECT_ORDERS, "ORDER",
                             t->tokens[w.tokens[i]].begin,
                             t->tokens[w.tokens[end - 1]].end);
        }
    }
}


/* The hit is empty and at the end, so that it overlaps no other one. */

void
judge_detect_language(judge_detect_found_t *found, judge_str_t text)
{
    const judge_text_t  *t = judge_speech_parsed(found, text);

    if (t && t->language != JUDGE_LANGUAGE_UNKNOWN
        && !found->rule->languages[t->language])
    {
        judge_detect_hit(found, JUDGE_DETECT_LANGUAGE, "LANGUAGE", text.len,
                         text.len);
    }
}
