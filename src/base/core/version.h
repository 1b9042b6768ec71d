/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#ifndef JUDGE_VERSION_H
#define JUDGE_VERSION_H


/* The only definition of the version; docs/CHANGES and docs/openapi.yaml are
 * checked against it. */
#define JUDGE_VERSION  "0.1.0"


#endif /* JUDGE_VERSION_H */
