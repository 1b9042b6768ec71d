/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A binary search in the generated table. */


#include <stdlib.h>
#include <string.h>

#include "base/core/hash.h"
#include "analysis/text/lexis.h"
#include "analysis/text/say.h"


static int
judge_say_order(const void *hash, const void *row)
{
    uint64_t  x = *(const uint64_t *) hash;
    uint64_t  y = ((const judge_lexis_say_t *) row)->hash;

    return (x > y) - (x < y);
}


const char *
judge_say(uint8_t language, const char *english)
{
    uint64_t                  hash;
    const judge_lexis_t      *lexis = judge_lexis(language);
    const judge_lexis_say_t  *row;

    if (lexis == NULL) {
        return english;
    }

    hash = judge_fnv(JUDGE_FNV_START, english, strlen(english));
    row = bsearch(&hash, lexis->feedback, lexis->nfeedback,
                  sizeof(judge_lexis_say_t), judge_say_order);

    return row != NULL ? row->text : english;
}
