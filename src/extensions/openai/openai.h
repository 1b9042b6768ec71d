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
#define JUDGE_OPENAI_EVALS     JUDGE_OPENAI_PATH "/evals"
#define JUDGE_OPENAI_RUNS      JUDGE_OPENAI_EVALS "/{eval_id}/runs"
#define JUDGE_OPENAI_OUTPUTS   JUDGE_OPENAI_RUNS "/{run_id}/output_items"
#define JUDGE_OPENAI_FILES     JUDGE_OPENAI_PATH "/files"

#define JUDGE_OPENAI_ID_MAX    80
#define JUDGE_OPENAI_CRITERIA  32      /* of an eval, at most */
#define JUDGE_OPENAI_NAME      512     /* characters */
#define JUDGE_OPENAI_ITEMS     10000   /* of a run */

typedef struct judge_openai  judge_openai_t;

/* Evals, runs, files, or the items of runs. */
typedef struct {
    const char       *path;            /* patterns of its routes begin so */
    const char       *name;            /* in the store and in errors */
    const char       *object;          /* what it says that it is, */
    const char       *deleted;         /* and one that was deleted; */
    const char       *id;              /* the member with its id then */
    const char       *prefix;          /* of its identifiers */
    const char       *status;          /* of a new one */
    int               created;         /* status of the answer to that */
    size_t            above;           /* identifiers before it in the path */
    bool              newest;          /* stands first in lists by default */
    judge_op_kind_e   list;
    void            (*write)(judge_req_t *r, judge_json_writer_t *w,
                             const judge_openai_row_t *row);   /* the members
                                          beyond those that all have */
} judge_openai_kind_t;

/* The context of their routes. */
struct judge_openai {
    const judge_openai_kind_t  *kind;

    judge_str_t            name;       /* of bodies */
    judge_json_t          *metadata;
    judge_json_t          *criteria;
    judge_json_t          *source;
    struct {                           /* data_source_config */
        judge_str_t        type;
        judge_json_t      *schema;
        judge_boolean_t    samples;
    }                      config;

    judge_str_t            after;      /* of queries */
    judge_str_t            order;
    judge_str_t            order_by;
    judge_str_t            status;
    judge_str_t            purpose;
    judge_integer_t        limit;

    judge_openai_create_t  create;
    judge_openai_one_t     one;
    judge_openai_list_t    list;

    judge_rc_e             rc;         /* of what ran in a thread */
    judge_str_t            error;      /* sentence, if it is JUDGE_INVALID */
    void                  *data;       /* of the route's file */
};

/* Fields of bodies. */
extern const judge_field_t  judge_openai_eval_fields[];
extern const judge_field_t  judge_openai_run_fields[];

/* Handlers, which end with judge_openai_create(). */
void judge_openai_eval_create(judge_req_t *r);
void judge_openai_run_create(judge_req_t *r);
void judge_openai_file_create(judge_req_t *r);
void judge_openai_file_take(judge_req_t *r, const char *data, size_t len);

/* Stores what a thread has put into c->create, unless it has refused, and
 * answers with it. */
void judge_openai_create(judge_req_t *r);

/* An identifier in OpenAI's manner, which sorts by time; absent: it failed. */
judge_str_t judge_openai_id(judge_arena_t *arena, const char *prefix,
    judge_ms_t now);

/* Sets *error.  JUDGE_INVALID, or JUDGE_NOMEM if there is no sentence. */
judge_rc_e judge_openai_invalid(judge_str_t *error, judge_str_t sentence);

/* Whether it can be an identifier: others are answered with 404. */
bool judge_openai_id_known(judge_req_t *r, judge_str_t id, const char *what);

/* Whether the key may ask language models; false: it was answered. */
bool judge_openai_may_ask(judge_req_t *r, const char *what);

/* A member of an object that is an object itself, or NULL. */
const judge_json_t *judge_openai_object(const judge_json_t *object,
    const char *name);

/* A string out of an object; absent: it is not there. */
judge_str_t judge_openai_string(const judge_json_t *object, const char *name);

/* Writes a string, or null if it is absent. */
void judge_openai_put(judge_json_writer_t *w, const char *key, judge_str_t s);

/* Writes the member `error`.  A sentence that begins with the path of a field
 * and a colon names the field, too. */
void judge_openai_error(judge_json_writer_t *w, int status,
    judge_str_t sentence);

/* The routes of a location with judge_openai, and the tables of them. */
const judge_route_t *judge_openai_routes(size_t i);

extern const judge_route_t  judge_openai_moderation_routes[];
extern const judge_route_t  judge_openai_grader_routes[];


#endif /* JUDGE_OPENAI_H */
