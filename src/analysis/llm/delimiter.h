/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Text of others inside a prompt.  It stands between two lines
 *
 *   ⟦ITEM 0123456789abcdef01234567 BEGIN⟧
 *   ⟦ITEM 0123456789abcdef01234567 END⟧
 *
 * whose number is a hash of the text itself, so that no text can hold the
 * line that ends it, while the same text makes the same prompt.  Inside, the
 * two brackets become ASCII ones, and what some chat templates read as a
 * change of roles, or what a reader does not see but a model does, is broken.
 */


#ifndef JUDGE_DELIMITER_H
#define JUDGE_DELIMITER_H


#include "base/core/str.h"


#define JUDGE_DELIMITER_LEN  24

typedef struct {
    char  number[JUDGE_DELIMITER_LEN + 1];
} judge_delimiter_t;

/* The number for n texts.  JUDGE_OK or JUDGE_ERROR. */
judge_rc_e judge_delimiter_make(judge_delimiter_t *fence,
    const judge_str_t *texts, size_t n);

/* Both lines with the harmless form of the text between them. */
void judge_delimiter_put(judge_buf_t *buf, const judge_delimiter_t *fence,
    const char *name, judge_str_t text, size_t *altered);

/*
 * The harmless form of a text: valid UTF-8 in which nothing is a special
 * token, a bracket of the fence, a control but tab and new line, a tag
 * character, a hidden selector or an override of direction.  Adds to
 * *altered (NULL: it is not counted) how many places were changed for that
 * (not for line ends or bytes that are not UTF-8).
 */
void judge_delimiter_text(judge_buf_t *buf, judge_str_t text, size_t *altered);


/* llm_table.txt; ended by NULL. */
extern const char *const  judge_delimiter_special[];


#endif /* JUDGE_DELIMITER_H */
