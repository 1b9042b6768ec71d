/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The log of a job, and the error of one that failed. */


#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "work/training/training_state.h"


/* By error code, what may help; each list ends with NULL. */

static const struct {
    const char  *code;
    const char  *fixes[4];
} judge_training_fixes[] = {
    { "INSUFFICIENT_FEEDBACK",
      { "submit more corrections, on different evaluations of this judge",
        "lower training_config.minimum_feedback_count, or leave out"
        " training_config.feedback_cutoff_date and target_criteria",
        "for feedback that was learned from before: training_type"
        " full_retrain", NULL } },
    { "DIVERGED",
      { "lower training_config.learning_rate, or leave it out",
        "look for corrections that contradict each other with GET"
        " /judges/{judge_id}/agreement", NULL } },
    { "CANCELLED",
      { "create the job again: what was said is still there", NULL } },
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


void
judge_training_log(judge_training_state_t *run, const char *level,
    const char *fmt,
    ...)
{
    va_list      args;
    judge_buf_t  buf;
    char         text[400];

    if (run->nlogs == JUDGE_TRAINING_LOG_LINES) {
        return;
    }

    va_start(args, fmt);
    (void) vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);

    judge_buf_init(&buf, run->arena);
    judge_buf_c(&buf, text);

    if (!buf.failed) {
        run->logs[run->nlogs++] = (judge_training_log_t) {
            .level = judge_str_c(level), .message = judge_buf_view(&buf)
        };
    }
}


void
judge_training_fail(judge_training_state_t *run, const char *code,
    const char *fmt,
    ...)
{
    va_list      args;
    judge_buf_t  buf;
    char         text[400];

    va_start(args, fmt);
    (void) vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);

    judge_buf_init(&buf, run->arena);
    judge_buf_c(&buf, text);
    run->failure.code = code;
    run->failure.message = buf.failed ? JUDGE_STR("") : judge_buf_view(&buf);
    judge_training_log(run, "error", "%s: %s", code, text);
}


judge_str_t
judge_training_error(judge_arena_t *arena,
    const judge_training_failure_t *failure,
    int64_t epoch)
{
    size_t               i, k;
    judge_buf_t          buf;
    judge_json_writer_t  w;

    judge_json_begin_object(&w, &buf, arena);
    judge_json_put_c(&w, "error_code", failure->code);
    judge_json_put_str(&w, "error_message", failure->message);
    judge_json_put_int(&w, "failed_at_epoch", epoch);
    judge_json_key_array(&w, "suggested_fixes");

    for (i = 0; i < sizeof(judge_training_fixes)
                    / sizeof(judge_training_fixes[0]);
         i++)
    {
        if (strcmp(judge_training_fixes[i].code, failure->code) != 0) {
            continue;
        }
        for (k = 0; judge_training_fixes[i].fixes[k]; k++) {
            judge_json_str(&w, judge_str_c(judge_training_fixes[i].fixes[k]));
        }
    }

    judge_json_array_end(&w);

    return judge_json_text(&w);
}
