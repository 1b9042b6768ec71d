/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The graders of an eval.  One is made from JSON that a client sent, and lives
 * in the arena.  Grading does no I/O: calls() says what has to be asked of
 * language models or judges, the caller asks, and grade() gets the answers.
 * All may run in any thread.
 */


#ifndef JUDGE_OPENAI_GRADER_H
#define JUDGE_OPENAI_GRADER_H


#include "api/http/request.h"
#include "extensions/openai/openai_ask.h"
#include "extensions/openai/openai_template.h"


#define JUDGE_OPENAI_CALLS  16         /* of a grader, at most */

typedef struct openai_grader  openai_grader_t;

/* What an error is about. */
typedef enum {
    JUDGE_OPENAI_FAULT_NONE,
    JUDGE_OPENAI_FAULT_FORMULA,
    JUDGE_OPENAI_FAULT_SAMPLE,         /* a reference to what is not there */
    JUDGE_OPENAI_FAULT_REPLY,          /* a model's answer does not fit */
    JUDGE_OPENAI_FAULT_REFUSAL,
    JUDGE_OPENAI_FAULT_SERVER          /* of a model, or a judge */
} openai_fault_e;

typedef struct openai_grade  openai_grade_t;

struct openai_grade {
    double           score;            /* as OpenAI defines it for the type */
    bool             passed;
    const char      *error;            /* a sentence, or NULL; then the score
                                          is 0 and passed false */
    openai_fault_e   fault;
    const char      *note;             /* how it differs from OpenAI's; or
                                          NULL */
    judge_str_t      label;            /* that a model chose; or absent */
    judge_str_t      reason;           /* of a model; or absent */
    judge_str_t      model;            /* that answered; or absent */
    int64_t          tokens;           /* of all that was asked */
    judge_str_t      name;             /* in the formula of a multi grader */
    openai_grade_t  *parts;            /* of a multi grader */
    size_t           nparts;
};


/* Makes a grader, whose models must be among the settings'.  NULL: *error is a
 * sentence behind the path of a member, which begins with `path`; it is absent
 * if memory is out. */
openai_grader_t *judge_openai_grader_parse(judge_arena_t *arena,
    const judge_settings_t *settings, judge_str_t path,
    const judge_json_t *value, judge_str_t *error);

judge_str_t judge_openai_grader_name(const openai_grader_t *grader);
judge_str_t judge_openai_grader_type(const openai_grader_t *grader);

/* Those of its parts, or itself, that ask models, or judges. */
size_t judge_openai_grader_asks(const openai_grader_t *grader, bool judges,
    const openai_grader_t *of[JUDGE_OPENAI_CALLS]);

/* The number of calls, which are put into calls[]; what can't be asked is told
 * by grade(). */
size_t judge_openai_grader_calls(judge_arena_t *arena,
    const openai_grader_t *grader, const openai_subject_t *subject,
    openai_call_t calls[JUDGE_OPENAI_CALLS]);

/* After these were asked: JUDGE_OK, with *grade, or JUDGE_NOMEM, also if
 * calls() had no memory. */
judge_rc_e judge_openai_grader_grade(judge_arena_t *arena,
    const openai_grader_t *grader, const openai_subject_t *subject,
    const openai_call_t *calls, size_t n, openai_grade_t *grade);

/* openai_grader_judge.c.  find() reads the organization's settings, and the
 * judges that these ask; it must be the last call of a step. */
void judge_openai_judges_find(judge_req_t *r, openai_grader_t *const *graders,
    size_t n, judge_settings_find_t *find, judge_step_pt next);

/* Then: whether all of them can be asked; false: it was answered. */
bool judge_openai_judges_check(judge_req_t *r, openai_grader_t *const *graders,
    size_t n, const judge_settings_find_t *find);

/* For judge_openai_ask(). */
void judge_openai_judge_ask(judge_openai_ask_t *ask);


#endif /* JUDGE_OPENAI_GRADER_H */
