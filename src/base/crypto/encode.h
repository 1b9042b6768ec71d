/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Decoding that tells why it failed. */


#ifndef JUDGE_ENCODE_H
#define JUDGE_ENCODE_H


#include "base/core/str.h"


/* As judge_unbase64().  JUDGE_INVALID: not the text that judge_base64() would
 * make. */
judge_rc_e judge_base64_read(judge_arena_t *a, judge_str_t s,
    judge_str_t *bytes);


#endif /* JUDGE_ENCODE_H */
