/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "analysis/text/math.h"
#include "base/csv/csv.h"
#include "base/net/url.h"
#include "work/render/resource_json.h"
#include "work/training/training_config.h"


#define JUDGE_TRAINING_SPLIT    0.2
#define JUDGE_TRAINING_EPOCHS   20
#define JUDGE_TRAINING_PATIENCE  5
#define JUDGE_TRAINING_TUNE_RATE  0.02
#define JUDGE_TRAINING_TARGETS  64

#define JUDGE_TRAINING_HELD   400      /* held-out items that are enough */
#define JUDGE_TRAINING_FOLDS  10
#define JUDGE_TRAINING_FOLDS_MINIMAL  2

/* Estimated times, if no job of the tier has been measured. */
#define JUDGE_TRAINING_ITEM  4         /* ms per evaluation and fold */
#define JUDGE_TRAINING_JOB  1000       /* ms for the rest of the job */

const char *const  judge_training_types[] = {
    "incremental", "full_retrain", "fine_tune", "validation", NULL
};

const char *const  judge_training_statuses[] = {
    "created", "queued", "preparing", "training", "validating", "completed",
    "failed", "cancelled", NULL
};

const char *const  judge_training_allocations[] = {
    "minimal", "standard", "high_performance", NULL
};

const char *const  judge_training_notifies[] = {
    "milestone_only", "periodic", "detailed", NULL
};

const judge_field_t  judge_training_config_fields[] = {
    judge_field_as("feedback_cutoff_date", judge_training_config_t, cutoff,
                   TIME, 0, 0, 0),
    judge_field_as("minimum_feedback_count", judge_training_config_t, minimum,
                   INTEGER, 0, 1, 1000000),
    judge_field_as("validation_split", judge_training_config_t, split, NUMBER,
                   0, 0, 0.5),
    judge_field_as("learning_rate", judge_training_config_t, rate, NUMBER,
                   JUDGE_EXCLUSIVE, 0, 1),
    judge_field_as("max_epochs", judge_training_config_t, epochs, INTEGER, 0,
                   1, 10000),
    judge_field(judge_training_config_t, early_stopping, BOOLEAN, 0, 0, 0),
    judge_field_as("early_stopping_patience", judge_training_config_t,
                   patience, INTEGER, 0, 1, 1000),
    judge_field_strings_as("target_criteria", judge_training_config_t, targets,
                           0, 0, JUDGE_TRAINING_TARGETS, 200),
    { .name = NULL }
};

const judge_field_t  judge_training_options_fields[] = {
    judge_field_one_of(judge_training_options_t, priority, CHOICE, 0,
                       judge_priorities),
    judge_field_as("auto_deploy", judge_training_options_t, deploy, BOOLEAN, 0,
                   0, 0),
    judge_field_as("backup_current_version", judge_training_options_t, backup,
                   BOOLEAN, 0, 0, 0),
    judge_field_as("notification_email", judge_training_options_t, email,
                   STRING, 0, 3, 254),
    judge_field(judge_training_options_t, webhook_url, STRING, 0, 1,
                JUDGE_URL_MAX),
    judge_field_one_of_as("notification_level", judge_training_options_t,
                          notify, CHOICE, 0, judge_training_notifies),
    judge_field_one_of_as("resource_allocation", judge_training_options_t,
                          allocation, WORD, 0, judge_training_allocations),
    judge_field_as("max_duration_minutes", judge_training_options_t, minutes,
                   INTEGER, 0, 1, JUDGE_TRAINING_MINUTES),
    { .name = NULL }
};


void
judge_training_config_complete(judge_training_config_t *config,
    judge_str_t type)
{
    if (!config->minimum.set) {
        config->minimum = (judge_integer_t) { JUDGE_TRAINING_MINIMUM, true };
    }
    if (!config->split.set) {
        config->split = (judge_number_t) { JUDGE_TRAINING_SPLIT, true };
    }
    if (!config->rate.set && judge_str_eq_c(type, "fine_tune")) {
        config->rate = (judge_number_t) { JUDGE_TRAINING_TUNE_RATE, true };
    }
    if (!config->epochs.set) {
        config->epochs = (judge_integer_t) { JUDGE_TRAINING_EPOCHS, true };
    }
    if (!config->early_stopping.set) {
        config->early_stopping = (judge_boolean_t) { true, true };
    }
    if (!config->patience.set) {
        config->patience = (judge_integer_t) { JUDGE_TRAINING_PATIENCE, true };
    }
}


bool
judge_training_email(judge_str_t email)
{
    return judge_value_type_trim(email).len == email.len
           && judge_value_type_email(email);
}


static judge_str_t
judge_training_config_write(judge_arena_t *arena,
    const judge_training_config_t *config)
{
    judge_buf_t          buf;
    judge_json_writer_t  w;

    judge_json_begin_object(&w, &buf, arena);

    if (config->cutoff.set) {
        judge_json_put_time(&w, "feedback_cutoff_date", config->cutoff.value);
    }

    judge_json_put_int(&w, "minimum_feedback_count", config->minimum.value);
    judge_json_put_number(&w, "validation_split", config->split.value);
    if (config->rate.set) {
        judge_json_put_number(&w, "learning_rate", config->rate.value);
    }
    judge_json_put_int(&w, "max_epochs", config->epochs.value);
    judge_json_put_bool(&w, "early_stopping", config->early_stopping.value);
    judge_json_put_int(&w, "early_stopping_patience", config->patience.value);

    if (config->targets.count) {
        judge_json_put_strings(&w, "target_criteria", config->targets.items,
                               config->targets.count);
    }

    return judge_json_text(&w);
}


judge_str_t
judge_training_options_write(judge_arena_t *arena,
    const judge_training_options_t *options)
{
    judge_buf_t          buf;
    judge_json_writer_t  w;

    judge_json_begin_object(&w, &buf, arena);
    judge_json_put_c(&w, "priority",
                     judge_priorities[options->priority.set
                                      ? options->priority.value
                                      : JUDGE_PRIORITY_NORMAL]);
    judge_json_put_str(&w, "resource_allocation",
                       options->allocation.data ? options->allocation
                                                : JUDGE_STR("standard"));
    if (options->minutes.set) {
        judge_json_put_int(&w, "max_duration_minutes", options->minutes.value);
    }
    judge_json_put_bool(&w, "auto_deploy", options->deploy.value);
    judge_json_put_bool(&w, "backup_current_version", true);
    judge_json_put_c(&w, "notification_level",
                     judge_training_notifies[options->notify.value]);
    judge_json_put_str(&w, "notification_email", options->email);
    judge_json_put_str(&w, "webhook_url", options->webhook_url);

    return judge_json_text(&w);
}


judge_rc_e
judge_training_read(judge_arena_t *arena, judge_str_t json,
    const judge_field_t *fields, void *out)
{
    judge_rc_e     rc;
    judge_str_t    error;
    judge_json_t  *root;

    rc = judge_json_parse(arena, json, &root, &error);
    if (rc == JUDGE_OK) {
        rc = judge_fields_bind(arena, fields, root, JUDGE_STR(""), out,
                               &error);
    }

    return rc == JUDGE_INVALID ? JUDGE_ERROR : rc;
}


int
judge_training_word(const char *const *words, judge_str_t word)
{
    size_t  i = judge_str_index_c(words, word);

    return words[i] ? (int) i : 0;
}


/*
 * validation_split is the share of items in a fold.  With few items several
 * folds, up to all, are held out one after the other, because one fold (5 of
 * 25 items) is too little to measure anything.  Only `fresh` items count,
 * since the version in use has learned from the others.
 */

size_t
judge_training_parts(double split)
{
    return split > 0 ? (size_t) judge_clamp(1 / split + 0.5, 2,
                                            JUDGE_TRAINING_FOLDS) : 0;
}


size_t
judge_training_held_out(double split, size_t fresh,
    judge_training_allocation_e allocation)
{
    size_t  folds, wanted;

    folds = judge_training_parts(split);
    wanted = (size_t) (JUDGE_TRAINING_HELD * (double) folds
                       / judge_clamp((double) fresh, 1, 1e9)) + 1;

    wanted = allocation == JUDGE_TRAINING_HIGH_PERFORMANCE ? 2 * wanted
             : allocation == JUDGE_TRAINING_STANDARD
               || wanted < JUDGE_TRAINING_FOLDS_MINIMAL ? wanted
             : JUDGE_TRAINING_FOLDS_MINIMAL;

    return wanted < folds ? wanted : folds;
}


/* --- Rows of new jobs ---------------------------------------------------- */

judge_rc_e
judge_training_id(judge_arena_t *arena, const char *prefix, judge_ms_t now,
    judge_str_t *id)
{
    judge_rc_e   rc;
    judge_id_t  *made;

    made = judge_alloc(arena, sizeof(judge_id_t));
    if (made == NULL) {
        return JUDGE_NOMEM;
    }

    rc = judge_id_make(made, prefix, now);
    *id = judge_id_str(made);

    return rc;
}


judge_rc_e
judge_training_row(judge_arena_t *arena,
    const judge_training_summary_t *summary,
    const judge_training_config_t *config,
    const judge_training_options_t *options, judge_training_row_t *row)
{
    row->judge_id = summary->judge_id;
    row->priority = options->priority.set ? options->priority.value
                                          : JUDGE_PRIORITY_NORMAL;
    row->allocation = options->allocation;
    row->max_duration = options->minutes.value * 60000;
    row->estimate = judge_training_estimate(summary, config);
    row->epochs = config->epochs.value;
    row->config = judge_training_config_write(arena, config);
    row->options = judge_training_options_write(arena, options);
    row->summary = judge_training_summary(arena, summary);

    if (row->config.data == NULL || row->options.data == NULL
        || row->summary.data == NULL)
    {
        return JUDGE_NOMEM;
    }

    return row->id.data ? JUDGE_OK
           : judge_training_id(arena, "trj", row->created_at, &row->id);
}


judge_ms_t
judge_training_estimate(const judge_training_summary_t *summary,
    const judge_training_config_t *config)
{
    int     tier;
    double  each;
    size_t  n = (size_t) summary->evaluations;

    tier = summary->allocation.data
           ? judge_training_word(judge_training_allocations,
                                 summary->allocation)
           : JUDGE_TRAINING_STANDARD;
    each = summary->spent_on > 0
           ? (double) summary->spent / (double) summary->spent_on
           : JUDGE_TRAINING_ITEM
             * (double) (1 + judge_training_held_out(config->split.value, n,
                                 (judge_training_allocation_e) tier));

    return JUDGE_TRAINING_JOB + (judge_ms_t) (each * (double) n);
}
