/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What the rows of the route table do that name a resource: 404 where it is
 * not there, one operation on it, a page of a list.
 */


#ifndef JUDGE_RESOURCE_H
#define JUDGE_RESOURCE_H


#include "api/http/request.h"


/* For the pipeline: runs the request's row. */
void judge_resource_handle(judge_req_t *r);

/* Answers 404: there is no such …. */
void judge_resource_missing(judge_req_t *r);

/* For handlers whose answer has more members than a list: the array, and the
 * cursor behind it. */
void judge_resource_rows(judge_req_t *r, judge_json_writer_t *w);
void judge_resource_cursor(judge_req_t *r, judge_json_writer_t *w);


#endif /* JUDGE_RESOURCE_H */
