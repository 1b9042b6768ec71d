/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The console: built-in web pages below the location of a service.  Used by
 * the file that is generated from them. */


#ifndef JUDGE_CONSOLE_H
#define JUDGE_CONSOLE_H


#include "base/core/str.h"


typedef struct {
    judge_str_t  name;                 /* below /console/ */
    judge_str_t  type;
    judge_str_t  etag;
    judge_str_t  bytes;                /* compressed by gzip */
} judge_console_file_t;


/* Generated from util/console/site; the last one has no name. */
extern const judge_console_file_t  judge_console_files[];

#endif /* JUDGE_CONSOLE_H */
