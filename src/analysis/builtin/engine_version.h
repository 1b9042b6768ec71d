/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The version of the built-in engine is a number, which is raised when a score
 * may change, and the lists of words that it was built with (util/gen/lists).
 */


#ifndef JUDGE_ENGINE_VERSION_H
#define JUDGE_ENGINE_VERSION_H


#include "analysis/text/lists.h"


#define JUDGE_ENGINE_VERSION  "14" JUDGE_LISTS


#endif /* JUDGE_ENGINE_VERSION_H */
