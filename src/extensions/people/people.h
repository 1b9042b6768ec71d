/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#ifndef JUDGE_PEOPLE_H
#define JUDGE_PEOPLE_H


#include "store/store_people.h"
#include "api/http/request.h"


#define JUDGE_LOGIN_MAX  320           /* characters */

extern const judge_route_t  judge_audit_routes[];
extern const judge_route_t  judge_annotation_routes[];
extern const judge_route_t  judge_annotation_agreement_routes[];

extern const judge_resource_t  judge_annotation_resource;


#endif /* JUDGE_PEOPLE_H */
