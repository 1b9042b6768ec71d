/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The configuration and the options of a training job: as clients send them,
 * and as they are stored and rendered, with the defaults filled in. */


#ifndef JUDGE_TRAINING_CONFIG_H
#define JUDGE_TRAINING_CONFIG_H


#include "base/json/fields.h"
#include "store/store_training.h"


typedef enum {
    JUDGE_TRAINING_INCREMENTAL,
    JUDGE_TRAINING_FULL_RETRAIN,
    JUDGE_TRAINING_FINE_TUNE,
    JUDGE_TRAINING_VALIDATION
} judge_training_type_e;

typedef enum {
    JUDGE_TRAINING_MINIMAL,
    JUDGE_TRAINING_STANDARD,
    JUDGE_TRAINING_HIGH_PERFORMANCE
} judge_training_allocation_e;

typedef enum {
    JUDGE_TRAINING_MILESTONES,
    JUDGE_TRAINING_PERIODIC,
    JUDGE_TRAINING_DETAILED
} judge_training_notify_e;

extern const char *const  judge_training_types[];
extern const char *const  judge_training_statuses[];
extern const char *const  judge_training_allocations[];
extern const char *const  judge_training_notifies[];

typedef struct {
    judge_instant_t  cutoff;           /* later feedback is ignored */
    judge_integer_t  minimum;          /* entries of feedback */
    judge_number_t   split;            /* share of items held out */
    judge_number_t   rate;             /* accepted and stored, but unused */
    judge_integer_t  epochs;
    judge_boolean_t  early_stopping;
    judge_integer_t  patience;         /* epochs without improvement */
    judge_list_t     targets;          /* of judge_str_t, criteria's ids */
} judge_training_config_t;

typedef struct {
    judge_choice_t   priority;
    judge_str_t      allocation;       /* absent: standard */
    judge_integer_t  minutes;          /* time limit */
    judge_choice_t   notify;
    judge_boolean_t  deploy;
    judge_boolean_t  backup;
    judge_str_t      email;
    judge_str_t      webhook_url;
} judge_training_options_t;

extern const judge_field_t  judge_training_config_fields[];
extern const judge_field_t  judge_training_options_fields[];

#define JUDGE_TRAINING_MINUTES  10080  /* a week */

/* The default number of entries of feedback that a job needs. */
#define JUDGE_TRAINING_MINIMUM  10

/* Fills in the defaults. */
void judge_training_config_complete(judge_training_config_t *config,
    judge_str_t type);

/* Whether this is an e-mail address to which notices can be sent. */
bool judge_training_email(judge_str_t email);

/* Writes them as JSON; data NULL: out of memory. */
judge_str_t judge_training_options_write(judge_arena_t *arena,
    const judge_training_options_t *options);

/* Reads the stored JSON by its fields into a struct of zeros; JUDGE_ERROR: it
 * was not written by these functions. */
judge_rc_e judge_training_read(judge_arena_t *arena, judge_str_t json,
    const judge_field_t *fields, void *out);

/* The estimated duration of a job, in ms: by earlier jobs of the summary's
 * tier, or else by the number of folds that are held out. */
judge_ms_t judge_training_estimate(const judge_training_summary_t *summary,
    const judge_training_config_t *config);

/* Fills in the row of a new job, except its type, status and times (created_at
 * must be set); makes an identifier unless it has one.  JUDGE_OK, JUDGE_NOMEM
 * or JUDGE_ERROR. */
judge_rc_e judge_training_row(judge_arena_t *arena,
    const judge_training_summary_t *summary,
    const judge_training_config_t *config,
    const judge_training_options_t *options, judge_training_row_t *row);

/* Makes an identifier, in the arena. */
judge_rc_e judge_training_id(judge_arena_t *arena, const char *prefix,
    judge_ms_t now, judge_str_t *id);

/* The number of folds for a split, and how many of them are held out if so
 * many evaluations are new to the version in use. */
size_t judge_training_parts(double split);
size_t judge_training_held_out(double split, size_t fresh,
    judge_training_allocation_e allocation);

/* The word's index in the list; 0 if it is not in it. */
int judge_training_word(const char *const *words, judge_str_t word);


#endif /* JUDGE_TRAINING_CONFIG_H */
