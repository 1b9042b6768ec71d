/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>
#include <strings.h>

#include "analysis/builtin/dialogue.h"
#include "analysis/text/math.h"


#define JUDGE_TURN_WORDS       35      /* of a line on average, at most */
#define JUDGE_SPEAKER_TOKENS   3       /* "User:", "Agent 2:" */
#define JUDGE_PERSONS          0.03    /* of the words, at least */
#define JUDGE_TURNS_ASKED      4       /* turns for each question, at most */
#define JUDGE_LONG_TURN_WORDS  70      /* where they talk much of themselves */
#define JUDGE_TALKERS          0.04    /* and ask something */
#define JUDGE_QUESTION_WORDS   60      /* of a question alone, at most */
#define JUDGE_GREETING_WORDS   30      /* of a first turn, at most */


/* Words that open talk. */
static const char *const  judge_greetings[] = {
    "hi", "hello", "hey", "hallo", "hola", "salut", "bonjour", "ol\xc3\xa1",
    "oi"
};


/* A line of a dialogue begins with one or two words, a colon and more text. */

static bool
judge_names_speaker(const judge_text_t *t, size_t line)
{
    size_t  i;

    for (i = line; i < line + JUDGE_SPEAKER_TOKENS && i + 1 < t->ntokens; i++)
    {
        if (t->tokens[i].mark == ':') {
            return i > line && !(t->tokens[i + 1].flags & JUDGE_T_LINE);
        }

        if (t->tokens[i].mark != 0) {
            return false;
        }
    }

    return false;
}


/* A short text that begins with a greeting is a turn, not a document. */

static bool
judge_greets(const judge_text_t *t)
{
    size_t       i;
    judge_str_t  word;

    word.data = t->str.data + t->tokens[0].begin;
    word.len = t->tokens[0].end - t->tokens[0].begin;

    for (i = 0; i < sizeof(judge_greetings) / sizeof(char *); i++) {
        if (t->nwords <= JUDGE_GREETING_WORDS
            && word.len == strlen(judge_greetings[i])
            && strncasecmp(word.data, judge_greetings[i], word.len) == 0)
        {
            return true;
        }
    }

    return false;
}


bool
judge_is_dialogue(const judge_text_t *t)
{
    size_t  i, lines, speakers, persons, questions;

    lines = speakers = questions = 0;

    for (i = 0; i < t->ntokens; i++) {
        if (i == 0 || (t->tokens[i].flags & (JUDGE_T_LINE | JUDGE_T_BLANK))) {
            lines++;
            speakers += judge_names_speaker(t, i);
        }

        questions += t->tokens[i].mark == '?';
    }

    if (t->nwords == 0) {
        return false;
    }

    if (speakers >= 1 && 2 * speakers >= lines) {
        return true;
    }

    if (lines == 1 && t->nwords <= JUDGE_QUESTION_WORDS
        && (t->tokens[t->ntokens - 1].mark == '?' || judge_greets(t)))
    {
        return true;
    }

    for (i = 0, persons = 0; i < t->ntypes; i++) {
        if (t->types[i].form & (JUDGE_W_FIRST_PERSON | JUDGE_W_SECOND_PERSON))
        {
            persons += t->types[i].count;
        }
    }

    if (t->nwords <= JUDGE_LONG_TURN_WORDS * lines && questions > 0
        && (double) persons >= JUDGE_TALKERS * (double) t->nwords)
    {
        return true;
    }

    return lines > 1 && t->nwords <= JUDGE_TURN_WORDS * lines
           && ((double) persons >= JUDGE_PERSONS * (double) t->nwords
               || JUDGE_TURNS_ASKED * questions >= lines);
}
