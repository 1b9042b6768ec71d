/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What contents have in common, however they come in.
 */


#ifndef JUDGE_CONTENTS_H
#define JUDGE_CONTENTS_H


#include "api/http/request.h"


#define JUDGE_CONTENT_NAME_MAX  255
#define JUDGE_METADATA_MAX      2097152    /* bytes; holds the text that an
                                              item was made from, too */

/* As JSON; absent where there is none. */
judge_rc_e judge_contents_metadata(judge_arena_t *arena,
    const judge_json_t *metadata, judge_str_t *json);


#endif /* JUDGE_CONTENTS_H */
