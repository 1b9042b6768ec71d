/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Alert rules on the scores of a judge: their checks, their stored form, and
 * whether one fires by the counts of its window. */


#ifndef JUDGE_ALERT_RULE_H
#define JUDGE_ALERT_RULE_H


#include "base/json/fields.h"
#include "extensions/watch/drift.h"


typedef enum {
    JUDGE_ALERT_MEAN,                  /* fires below the threshold */
    JUDGE_ALERT_SHARE_BELOW,           /* fires above the threshold */
    JUDGE_ALERT_NOT_JUDGED,            /* likewise */
    JUDGE_ALERT_DRIFT                  /* fires when the drift is strong */
} judge_alert_metric_e;

/* Both a request body and the stored form are read into this. */
typedef struct {
    judge_str_t     name;
    judge_choice_t  metric;            /* judge_alert_metric_e */
    judge_str_t     criterion_id;      /* absent: the overall score */
    judge_number_t  threshold;
    judge_number_t  below;             /* only of JUDGE_ALERT_SHARE_BELOW */
    judge_number_t  clear_at;
    judge_str_t     window;            /* such as 24h */
} judge_alert_rule_t;

extern const judge_field_t  judge_alert_fields[];

/* Checks what the table of fields can't.  Returns the error sentence without
 * its start, the path of the rule; NULL: the rule is valid. */
const char *judge_alert_wrong(const judge_alert_rule_t *rule);

/* Returns the stored form, with every default; absent: out of memory. */
judge_str_t judge_alert_text(judge_arena_t *arena,
    const judge_alert_rule_t *rule);

/* Reads the stored form; JUDGE_INVALID if it can't be read. */
judge_rc_e judge_alert_read(judge_arena_t *arena, judge_str_t text,
    judge_alert_rule_t *rule);

/* Writes the members of an alert: those of its rule, and its state. */
void judge_alert_json(judge_json_writer_t *w, const judge_alert_row_t *row);

/*
 * Updates the state of the alert by the counts of its window, and sets
 * row->event if the alert has begun or ceased to fire.  With fewer than
 * JUDGE_DRIFT_LEAST results the state stays, and the value becomes unknown.
 * JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_alert_look(judge_arena_t *arena,
    const judge_drift_counts_t *counts, const judge_alert_rule_t *rule,
    judge_alert_row_t *row, judge_ms_t now);


#endif /* JUDGE_ALERT_RULE_H */
