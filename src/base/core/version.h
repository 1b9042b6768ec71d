/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#ifndef JUDGE_VERSION_H
#define JUDGE_VERSION_H


/* The one place that has it: docs/CHANGES and docs/openapi.yaml are held
 * against this. */
#define JUDGE_VERSION  "0.1.0"


#endif /* JUDGE_VERSION_H */
