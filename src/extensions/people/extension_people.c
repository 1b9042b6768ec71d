/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "extensions/people/people.h"
#include "work/service/extension.h"


static const judge_route_t *const  judge_people_all_routes[] = {
    judge_people_routes,
    judge_audit_routes,
    judge_annotation_routes,
    judge_annotation_agreement_routes,
    NULL
};

const judge_extension_t  judge_extension_people = {
    .name = "people",
    .routes = judge_people_all_routes
};
