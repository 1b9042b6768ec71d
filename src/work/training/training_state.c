/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The log and the error of a job. */


#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "work/training/training_state.h"


/* Suggestions by error code; each list ends with NULL. */

static const struct {
    const char  *code;
    const char  *fixes[3];
} judge_training_fixes[] = {
    { "INSUFFICIENT_FEEDBACK",
      { "submit more corrections, on different evaluations of this judge",
        "lower training_config.minimum_feedback_count", NULL } },
    { "DIVERGED",
      { "lower training_config.learning_rate, or leave it out",
        "look for corrections that contradict each other with GET"
        " /judges/{judge_id}/agreement", NULL } },
    { "TIMED_OUT",
      { "raise execution_override.max_duration_minutes",
        "lower training_config.max_epochs, or ask for the resource_allocation"
        " minimal", NULL } },
    { "JUDGE_CHANGED",
      { "create the job again: it learns for the version that is active"
        " then", NULL } },
    { "INTERNAL",
      { "create the job again; if that fails, too, tell whoever runs the"
        " service the job's identifier", NULL } },
};


static judge_str_t
judge_training_line(judge_arena_t *arena, const char *fmt, va_list args)
{
    char  text[400];

    (void) vsnprintf(text, sizeof(text), fmt, args);

    return judge_str_dup(arena, judge_str_c(text));
}


void
judge_training_log(judge_training_state_t *run, const char *level,
    const char *fmt, ...)
{
    va_list      args;
    judge_str_t  line;

    if (run->nlogs == JUDGE_TRAINING_LOG_LINES) {
        return;
    }

    va_start(args, fmt);
    line = judge_training_line(run->work.arena, fmt, args);
    va_end(args);

    if (line.data) {
        run->logs[run->nlogs++] = (judge_training_log_t) {
            .level = judge_str_c(level), .message = line
        };
    }
}


judge_rc_e
judge_training_fail(judge_training_state_t *run, const char *code,
    const char *fmt, ...)
{
    va_list      args;
    judge_str_t  line;

    va_start(args, fmt);
    line = judge_training_line(run->work.arena, fmt, args);
    va_end(args);

    run->failure.code = code;
    run->failure.message = line.data ? line : JUDGE_STR("");
    judge_training_log(run, "error", "%s: %.*s", code,
                       judge_str_args(run->failure.message));

    return JUDGE_DENIED;
}


judge_str_t
judge_training_error(const judge_training_state_t *run)
{
    size_t               i, k;
    const char          *code = run->failure.code;
    judge_buf_t          buf;
    judge_json_writer_t  w;

    judge_json_begin_object(&w, &buf, run->work.arena);
    judge_json_put_c(&w, "error_code", code);
    judge_json_put_str(&w, "error_message", run->failure.message);
    judge_json_put_int(&w, "failed_at_epoch",
                       (int64_t) run->saved.progress.epoch);
    judge_json_key_array(&w, "suggested_fixes");

    for (i = 0; i < sizeof(judge_training_fixes)
                    / sizeof(judge_training_fixes[0]);
         i++)
    {
        if (strcmp(judge_training_fixes[i].code, code) != 0) {
            continue;
        }
        for (k = 0; judge_training_fixes[i].fixes[k]; k++) {
            judge_json_str(&w, judge_str_c(judge_training_fixes[i].fixes[k]));
        }
    }

    if (strcmp(code, "INSUFFICIENT_FEEDBACK") == 0) {
        if (run->config.cutoff.set || run->config.targets.count) {
            judge_json_str(&w, JUDGE_STR("leave out training_config."
                           "feedback_cutoff_date and target_criteria"));
        }

        if (run->type != JUDGE_TRAINING_FULL_RETRAIN) {
            judge_json_str(&w, JUDGE_STR("for feedback that was learned from"
                           " before: training_type full_retrain"));
        }
    }

    judge_json_array_end(&w);

    return judge_json_text(&w);
}
