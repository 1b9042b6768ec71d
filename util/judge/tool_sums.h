/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The checksums of a backup. */


#ifndef JUDGE_TOOL_SUMS_H
#define JUDGE_TOOL_SUMS_H


#include <stdio.h>

#include "base/crypto/crypto.h"
#include "tool.h"


/* A regular file of a directory, to be read; -1 with errno, which error()
 * puts in words.  Nothing else is opened: a FIFO would be waited for. */
int judge_sums_open(int directory, const char *name);
const char *judge_sums_error(void);

/* Whether a backup takes what `files/` has under that name: not what is still
 * on its way. */
bool judge_sums_files_entry(const char *name);

/* All of a file, for add() or for the caller to free; NULL with errno. */
judge_digest_t *judge_sums_digest(int directory, const char *name);

/* A line of the list; false with errno. */
bool judge_sums_add(FILE *sums, const char *folder, const char *name,
    judge_digest_t *digest);

/* Compares a directory with its list; what differs goes to t->out, a line
 * each.  An exit status; without a list: whether that is `needed`. */
int judge_sums_check(judge_tool_t *t, const char *directory, bool needed);


#endif /* JUDGE_TOOL_SUMS_H */
