/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * OpenAI's Evals, files, graders and moderations, as the clients of OpenAI
 * know them: their paths stand below /openai/v1, errors have OpenAI's form.
 */


#ifndef JUDGE_OPENAI_H
#define JUDGE_OPENAI_H


#include "api/http/request.h"
#include "store/store_openai.h"


#define JUDGE_OPENAI_PATH      "/openai/v1"
#define JUDGE_OPENAI_CRITERIA  32      /* of an eval, at most */
#define JUDGE_OPENAI_METADATA  16      /* members, as OpenAI has it */
#define JUDGE_OPENAI_NAME      512     /* characters */
#define JUDGE_OPENAI_PAGE      20      /* rows of a list by default */
#define JUDGE_OPENAI_ITEMS     10000   /* of a run */

/* Evals, runs or files: what their routes have in common. */
typedef struct {
    const char  *name;                 /* in the store */
    const char  *deleted;              /* `object` of a deleted one, */
    const char  *id;                   /* and the member with its id */
    bool         of_eval;              /* its path begins with its eval's */
    bool         newest;               /* stands first in lists by default */
    void       (*write)(judge_req_t *r, judge_json_writer_t *w,
                        const judge_openai_row_t *row);
} judge_openai_kind_t;

/* The context of the routes. */
typedef struct {
    const judge_openai_kind_t  *kind;

    judge_str_t            name;       /* of bodies */
    judge_json_t          *metadata;
    judge_json_t          *config;
    judge_json_t          *criteria;
    judge_json_t          *source;

    judge_str_t            after;      /* of queries */
    judge_str_t            order;
    judge_str_t            order_by;
    judge_str_t            status;
    judge_str_t            purpose;
    judge_integer_t        limit;

    judge_openai_create_t  create;
    judge_openai_find_t    find;
    judge_openai_list_t    list;
    judge_openai_update_t  update;
    judge_openai_delete_t  gone;
    judge_openai_cancel_t  cancel;

    judge_rc_e             rc;         /* of what ran in a thread */
    judge_str_t            error;      /* sentence, if it is JUDGE_INVALID */
    judge_step_pt          next;       /* of judge_openai_find() */
    void                  *data;       /* of the route's file */
} judge_openai_t;

/* Parameters of lists. */
extern const judge_field_t  judge_openai_query[];

extern const judge_openai_kind_t  judge_openai_eval;
extern const judge_openai_kind_t  judge_openai_run;
extern const judge_openai_kind_t  judge_openai_file;

/* An identifier in OpenAI's manner, which sorts by time; absent: it failed. */
judge_str_t judge_openai_id(judge_arena_t *arena, const char *prefix,
    judge_ms_t now);

/* Whether it can be one: others are answered with 404. */
bool judge_openai_id_known(judge_req_t *r, judge_str_t id, const char *what);

/* Whether the key may ask language models; false: it was answered. */
bool judge_openai_may_ask(judge_req_t *r, const char *what);

/* The text of metadata, absent if there is none; false: it was answered. */
bool judge_openai_metadata(judge_req_t *r, const judge_json_t *metadata,
    judge_str_t *text);
void judge_openai_put_metadata(judge_json_writer_t *w, judge_str_t text);

/* A member of an object that is an object itself, or NULL. */
const judge_json_t *judge_openai_object(const judge_json_t *object,
    const char *name);

/* A string out of an object; absent: it is not there. */
judge_str_t judge_openai_string(const judge_json_t *object, const char *name);

/* Writes the members around the rows of a list. */
void judge_openai_list_end(judge_json_writer_t *w, judge_str_t first,
    judge_str_t last, bool more);

/* Handlers of all kinds.  find() reads the object of the path, and goes on
 * with `next` if there is one; the others answer. */
void judge_openai_find(judge_req_t *r, const judge_openai_kind_t *kind,
    judge_step_pt next);
void judge_openai_get(judge_req_t *r, const judge_openai_kind_t *kind);
void judge_openai_list(judge_req_t *r, const judge_openai_kind_t *kind);
void judge_openai_delete(judge_req_t *r, const judge_openai_kind_t *kind);

/* The routes of a location with judge_openai. */
const judge_route_t *judge_openai_routes(size_t i);

/* Tables of these, one per resource. */
extern const judge_route_t  judge_openai_eval_routes[];
extern const judge_route_t  judge_openai_run_routes[];
extern const judge_route_t  judge_openai_item_routes[];
extern const judge_route_t  judge_openai_file_routes[];
extern const judge_route_t  judge_openai_moderation_routes[];
extern const judge_route_t  judge_openai_grader_routes[];


#endif /* JUDGE_OPENAI_H */
