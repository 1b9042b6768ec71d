/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A binary search in the generated table. */


#include <string.h>

#include "base/core/hash.h"
#include "analysis/text/lexis.h"
#include "analysis/text/say.h"


const char *
judge_say(uint8_t language, const char *english)
{
    size_t                low, high, middle;
    uint64_t              hash;
    const judge_lexis_t  *lexis;

    lexis = judge_lexis(language);

    if (lexis == NULL) {
        return english;
    }

    hash = judge_fnv(JUDGE_FNV_START, english, strlen(english));
    low = 0;
    high = lexis->nfeedback;

    while (low < high) {
        middle = (low + high) / 2;

        if (lexis->feedback[middle].hash == hash) {
            return lexis->feedback[middle].text;
        }

        if (lexis->feedback[middle].hash < hash) {
            low = middle + 1;

        } else {
            high = middle;
        }
    }

    return english;
}
