/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Whether a source is an utterance, which the text answers, rather than a
 * document, which it sums up: turns with the names of the speakers, turns of
 * people who speak of themselves and to each other, or a question alone.
 */


#ifndef JUDGE_DIALOGUE_H
#define JUDGE_DIALOGUE_H


#include "analysis/text/text.h"


bool judge_is_dialogue(const judge_text_t *source);


#endif /* JUDGE_DIALOGUE_H */
