/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A rule on the scores of a judge, its check, and what it says of the counts
 * of a while. */


#ifndef JUDGE_ALERT_RULE_H
#define JUDGE_ALERT_RULE_H


#include "base/json/fields.h"
#include "extensions/watch/drift_report.h"


typedef enum {
    JUDGE_ALERT_MEAN,                  /* fires below its threshold */
    JUDGE_ALERT_SHARE_BELOW,           /* these fire above theirs */
    JUDGE_ALERT_NOT_JUDGED,
    JUDGE_ALERT_DRIFT                  /* fires where it is strong */
} judge_alert_metric_e;

/* As a body has it, and as it is stored. */
typedef struct {
    judge_str_t     name;
    judge_choice_t  metric;            /* judge_alert_metric_e */
    judge_str_t     criterion_id;      /* absent: the overall score */
    judge_number_t  threshold;
    judge_number_t  below;             /* of JUDGE_ALERT_SHARE_BELOW */
    judge_number_t  clear_at;
    judge_str_t     window;            /* such as 24h */
} judge_alert_rule_t;

extern const judge_field_t  judge_alert_fields[];

/* What is wrong with it beyond its fields' types, as the rest of a sentence
 * behind its path; NULL: nothing. */
const char *judge_alert_wrong(const judge_alert_rule_t *rule);

/* The stored form, with every default; absent: out of memory. */
judge_str_t judge_alert_text(judge_arena_t *arena,
    const judge_alert_rule_t *rule);

/* Reads the stored form.  JUDGE_INVALID: it can't be read. */
judge_rc_e judge_alert_read(judge_arena_t *arena, judge_str_t text,
    judge_alert_rule_t *rule);

/* Writes the members of an alert: of its rule, and how it stands. */
void judge_alert_json(judge_json_writer_t *w, const judge_alert_row_t *row);

/*
 * Sets how the alert stands by the counts of its window, and its event if it
 * has begun to fire or ended.  With fewer than JUDGE_DRIFT_LEAST results it
 * stays as it is, and its value is not known.  JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_alert_look(judge_arena_t *arena,
    const judge_drift_counts_t *counts, const judge_alert_rule_t *rule,
    judge_alert_row_t *row, judge_ms_t now);


#endif /* JUDGE_ALERT_RULE_H */
