/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Binding, checking, storing and counting entries of feedback. */


#include <math.h>

#include "work/training/training_state.h"
#include "api/feedback/feedback_entry.h"


#define JUDGE_ENTRY_SCORE  "expected a number from 0 to 100"
#define JUDGE_ENTRY_RATING  "expected a number from 1 to 5, whole or half"


const char *const  judge_feedback_types[] = {
    "correction", "rating", "approval", "comment", NULL
};

static const char *const  judge_feedback_severities[] = {
    "low", "medium", "high", NULL
};

static const judge_field_t  judge_feedback_content_fields[] = {
    judge_field(judge_feedback_content_t, corrected_scores, ANY_OBJECT, 0, 0,
                0),
    judge_field(judge_feedback_content_t, corrected_overall_score, NUMBER, 0,
                0, 100),
    judge_field(judge_feedback_content_t, explanation, STRING, 0, 0,
                JUDGE_COMMENT_MAX),
    judge_field(judge_feedback_content_t, rating, NUMBER, 0, 1, 5),
    judge_field(judge_feedback_content_t, approved, BOOLEAN, 0, 0, 0),
    judge_field(judge_feedback_content_t, comment, STRING, 0, 0,
                JUDGE_COMMENT_MAX),
    { .name = NULL }
};

/* The fields that an entry and a change of it share. */
#define judge_entry_fields(need)                                              \
    { .name = "content", .type = JUDGE_FIELD_OBJECT, .flags = need,           \
      .offset = offsetof(judge_feedback_entry_t, content),                    \
      .fields = judge_feedback_content_fields },                              \
    judge_field(judge_feedback_entry_t, criterion_specific, BOOLEAN, 0, 0,    \
                0),                                                           \
    judge_field_strings(judge_feedback_entry_t, target_criteria, 0, 0,        \
                        JUDGE_CRITERIA_MAX, 200),                             \
    judge_field_one_of(judge_feedback_entry_t, severity, WORD, 0,             \
                       judge_feedback_severities)

const judge_field_t  judge_feedback_entry_fields[] = {
    judge_field(judge_feedback_entry_t, evaluation_id, STRING, 0, 1, 200),
    judge_field_one_of(judge_feedback_entry_t, type, CHOICE, JUDGE_REQUIRED,
                       judge_feedback_types),
    judge_entry_fields(JUDGE_REQUIRED),
    judge_field(judge_feedback_entry_t, submitted_by_person, STRING, 0, 1,
                200),
    { .name = NULL }
};

const judge_field_t  judge_feedback_change_fields[] = {
    judge_entry_fields(0),
    judge_field(judge_feedback_entry_t, updated_by_person, STRING, 0, 1, 200),
    { .name = NULL }
};


/* --- Checking ------------------------------------------------------------ */

/* The scores must be right in an entry of another type, too, although nothing
 * is done with them there. */

static judge_rc_e
judge_entry_check_scores(judge_arena_t *arena,
    const judge_feedback_content_t *content, judge_str_t *error)
{
    double         v;
    judge_json_t  *score;

    score = content->corrected_scores ? content->corrected_scores->first
                                      : NULL;

    for ( /* void */ ; score; score = score->next) {
        v = judge_json_double(score);

        if (!judge_json_is_number(score) || v < 0 || v > 100) {
            return judge_invalid(error, judge_str_printf(arena,
                       "content.corrected_scores.%.*s: " JUDGE_ENTRY_SCORE,
                       (int) (score->key.len < 200 ? score->key.len : 200),
                       score->key.data));
        }
    }

    return JUDGE_OK;
}


judge_rc_e
judge_feedback_entry_check(judge_arena_t *arena,
    const judge_feedback_entry_t *entry, judge_str_t *error)
{
    judge_rc_e                       rc;
    const judge_feedback_content_t  *content = &entry->content;

    rc = judge_entry_check_scores(arena, content, error);
    if (rc != JUDGE_OK) {
        return rc;
    }

    switch (entry->type.value) {

    case JUDGE_FEEDBACK_CORRECTION:
        return (content->corrected_scores
                && content->corrected_scores->count > 0)
               || content->corrected_overall_score.set ? JUDGE_OK
               : judge_invalid(error, JUDGE_STR("content.corrected_scores:"
                     " required, expected a score from 0 to 100 for at least"
                     " one criterion"));

    case JUDGE_FEEDBACK_RATING:
        if (content->rating.set
            && content->rating.value * 2 == floor(content->rating.value * 2))
        {
            return JUDGE_OK;
        }

        return judge_invalid(error, content->rating.set
                   ? JUDGE_STR("content.rating: " JUDGE_ENTRY_RATING)
                   : JUDGE_STR("content.rating: required, "
                               JUDGE_ENTRY_RATING));

    case JUDGE_FEEDBACK_APPROVAL:
        return content->approved.set ? JUDGE_OK
               : judge_invalid(error, JUDGE_STR("content.approved: required,"
                                                " expected true or false"));

    default:
        return content->comment.len ? JUDGE_OK
               : judge_invalid(error, JUDGE_STR("content.comment: required,"
                     " expected a non-empty string of at most 5000"
                     " characters"));
    }
}


judge_rc_e
judge_feedback_entry_fits(judge_arena_t *arena,
    const judge_feedback_entry_t *entry, const judge_list_t *criteria,
    judge_str_t *error)
{
    size_t              i;
    judge_json_t       *score;
    const judge_str_t  *targets;

    score = entry->type.value == JUDGE_FEEDBACK_CORRECTION
            && entry->content.corrected_scores
            ? entry->content.corrected_scores->first : NULL;

    for ( /* void */ ; score; score = score->next) {
        if (!judge_criteria_find(criteria, score->key)) {
            return judge_invalid(error, judge_str_printf(arena,
                       "content.corrected_scores.%.*s: expected a criterion"
                       " of the evaluation's judge version",
                       (int) (score->key.len < 200 ? score->key.len : 200),
                       score->key.data));
        }
    }

    targets = entry->target_criteria.items;

    for (i = 0; i < entry->target_criteria.count; i++) {
        if (!judge_criteria_find(criteria, targets[i])) {
            return judge_invalid(error, judge_str_printf(arena,
                       "target_criteria[%zu]: expected a criterion of the"
                       " evaluation's judge version", i));
        }
    }

    return JUDGE_OK;
}


/* --- Storing ------------------------------------------------------------- */

/* Writes only the members that belong to the entry's type. */

static judge_str_t
judge_entry_content(judge_arena_t *arena, const judge_feedback_entry_t *entry)
{
    judge_buf_t                      buf;
    judge_json_t                    *score;
    judge_json_writer_t              w;
    const judge_feedback_content_t  *content = &entry->content;

    judge_json_begin_object(&w, &buf, arena);

    switch (entry->type.value) {
    case JUDGE_FEEDBACK_CORRECTION:
        score = content->corrected_scores;
        if (score) {
            judge_json_key_object(&w, "corrected_scores");
            for (score = score->first; score; score = score->next) {
                judge_json_key_str(&w, score->key);
                judge_json_number2(&w, judge_json_double(score));
            }
            judge_json_object_end(&w);
        }

        if (content->corrected_overall_score.set) {
            judge_json_put_number2(&w, "corrected_overall_score",
                                   content->corrected_overall_score.value);
        }
        break;

    case JUDGE_FEEDBACK_RATING:
        judge_json_put_number(&w, "rating", content->rating.value);
        break;

    case JUDGE_FEEDBACK_APPROVAL:
        judge_json_put_bool(&w, "approved", content->approved.value);
        break;
    }

    judge_json_put_str(&w, "comment", content->comment);
    judge_json_put_str(&w, "explanation", content->explanation);

    return judge_json_text(&w);
}


/* Writes each criterion once, even if it is named twice. */

static judge_str_t
judge_entry_targets(judge_arena_t *arena, const judge_list_t *targets)
{
    size_t        i, n;
    judge_str_t  *ids = targets->items;

    for (i = 0, n = 0; i < targets->count; i++) {
        if (judge_str_index(ids, n, ids[i]) == n) {
            ids[n++] = ids[i];
        }
    }

    return judge_json_strings_text(arena, ids, n);
}


/* Writes {"": 75.5, "crt_…": 80}; "" is the key of the overall score. */

static judge_str_t
judge_entry_scores(judge_arena_t *arena, const judge_stored_scores_t *stored)
{
    size_t               i;
    judge_buf_t          buf;
    judge_json_writer_t  w;

    judge_json_begin_object(&w, &buf, arena);

    for (i = 0; i < stored->n; i++) {
        judge_json_key_str(&w, stored->scores[i].criterion_id);
        judge_json_number2(&w, stored->scores[i].score);
    }

    return judge_json_text(&w);
}


judge_rc_e
judge_feedback_entry_row(judge_arena_t *arena,
    const judge_feedback_entry_t *entry, const judge_stored_scores_t *scores,
    judge_feedback_row_t *row)
{
    row->type = judge_str_c(judge_feedback_types[entry->type.value]);
    row->criterion_specific = entry->criterion_specific.set
                              ? entry->criterion_specific.value
                              : entry->target_criteria.count != 0;

    row->severity = entry->severity;
    row->submitted_by_person = entry->submitted_by_person;
    row->updated_by_person = entry->updated_by_person;

    if (entry->type.value == JUDGE_FEEDBACK_RATING) {
        row->rating = entry->content.rating.value;
        row->rated = true;
    }

    if (entry->type.value == JUDGE_FEEDBACK_APPROVAL) {
        row->approved = entry->content.approved.value;
        row->decided = true;
    }

    row->content = judge_entry_content(arena, entry);
    row->target_criteria = judge_entry_targets(arena, &entry->target_criteria);
    row->given_scores = judge_entry_scores(arena, scores);

    return row->content.data && row->target_criteria.data
           && row->given_scores.data ? JUDGE_OK : JUDGE_NOMEM;
}


/* --- Counting ------------------------------------------------------------ */

/* Whether the entry gives a score to learn from: a correction does, and so do
 * an approval and a rating above 3, which confirm the given score.  Entries
 * that call the score wrong only lower the weight of others. */

static bool
judge_entry_teaches(const judge_feedback_entry_t *entry, judge_str_t id)
{
    const judge_list_t              *targets = &entry->target_criteria;
    const judge_feedback_content_t  *content = &entry->content;

    if (entry->type.value == JUDGE_FEEDBACK_CORRECTION) {
        return judge_json_find(content->corrected_scores, id) != NULL;
    }

    return ((entry->type.value == JUDGE_FEEDBACK_RATING
             && content->rating.value > 3)
            || (entry->type.value == JUDGE_FEEDBACK_APPROVAL
                && content->approved.value))
           && (targets->count == 0
               || judge_str_index(targets->items, targets->count, id)
                  < targets->count);
}


/* Compares in hundredths, the precision of scores, so that rounding does not
 * make 80.05 less than ten points away from 70.05. */

static bool
judge_entry_far(double a, double b)
{
    return round(fabs(a - b) * 100) >= JUDGE_STATS_MOVE * 100;
}


/* Whether the correction moves a score far, or gives one where there was none,
 * which a training has most to learn from. */

static bool
judge_entry_moves(const judge_feedback_content_t *content,
    const judge_stored_scores_t *scores)
{
    size_t         i;
    judge_json_t  *score;

    score = content->corrected_scores ? content->corrected_scores->first
                                      : NULL;

    for ( /* void */ ; score; score = score->next) {
        for (i = 1; i < scores->n
                    && !judge_str_eq(scores->scores[i].criterion_id,
                                     score->key); i++)
        {
            /* void */
        }

        if (i >= scores->n || judge_entry_far(judge_json_double(score),
                                              scores->scores[i].score))
        {
            return true;
        }
    }

    return content->corrected_overall_score.set
           && (scores->n == 0
               || judge_entry_far(content->corrected_overall_score.value,
                                  scores->scores[0].score));
}


void
judge_feedback_entry_count(const judge_feedback_entry_t *entry,
    const judge_list_t *criteria, judge_stored_scores_t *scores,
    judge_feedback_stats_t *impact)
{
    size_t    i;
    uint64_t  before = scores->taught;

    for (i = 0; i < criteria->count; i++) {
        if (!(before >> i & 1)
            && judge_entry_teaches(entry,
                   ((judge_criterion_row_t *) criteria->items)[i].id))
        {
            scores->taught |= UINT64_C(1) << i;
            impact->taught[i]++;
        }
    }

    impact->evaluations += before == 0 && scores->taught;

    switch (entry->type.value) {

    case JUDGE_FEEDBACK_CORRECTION:
        impact->corrections++;
        impact->significant += judge_entry_moves(&entry->content, scores);
        return;

    case JUDGE_FEEDBACK_RATING:
        impact->ratings++;
        impact->rating_sum += entry->content.rating.value;
        return;

    case JUDGE_FEEDBACK_APPROVAL:
        if (entry->content.approved.value) {
            impact->approvals++;
        } else {
            impact->rejections++;
        }
        return;

    default:
        return;
    }
}


/* --- Statistics ---------------------------------------------------------- */

void
judge_feedback_stats_add(judge_feedback_stats_t *to,
    const judge_feedback_stats_t *more)
{
    to->corrections += more->corrections;
    to->significant += more->significant;
    to->approvals += more->approvals;
    to->rejections += more->rejections;
    to->ratings += more->ratings;
    to->rating_sum += more->rating_sum;
}


bool
judge_feedback_stats_retrain(const judge_feedback_stats_t *stats)
{
    size_t   i;
    int64_t  decided, entries, most;

    decided = stats->approvals + stats->rejections;
    entries = stats->corrections + decided + stats->ratings;

    for (i = 0, most = 0; i < JUDGE_CRITERIA_MAX; i++) {
        most = stats->taught[i] > most ? stats->taught[i] : most;
    }

    if (entries < JUDGE_TRAINING_MINIMUM
        || stats->evaluations < JUDGE_TRAINING_LEAST
        || most < JUDGE_AGREEMENT_LEAST)
    {
        return false;
    }

    return stats->significant * 5 >= entries
           || (decided >= JUDGE_STATS_OF_KIND
               && stats->rejections > stats->approvals)
           || (stats->ratings >= JUDGE_STATS_OF_KIND
               && stats->rating_sum < 3 * (double) stats->ratings);
}


/* --- Stored scores ------------------------------------------------------- */

/* The record is parsed in a scratch arena, and only its scores are copied to
 * the operation's arena. */

judge_rc_e
judge_feedback_entry_take(judge_feedback_targets_t *o,
    judge_feedback_target_t *target, judge_str_t record)
{
    size_t                  i;
    judge_rc_e              rc;
    judge_arena_t          *scratch;
    judge_scores_t          read;
    judge_stored_scores_t  *stored;

    stored = judge_calloc(o->op.arena, sizeof(judge_stored_scores_t));
    scratch = stored ? judge_arena_create(16 * 1024) : NULL;
    if (scratch == NULL) {
        return JUDGE_NOMEM;
    }

    target->scores = stored;
    rc = judge_scores_read(scratch, record, &read);

    if (rc == JUDGE_OK) {
        stored->scores = judge_array_alloc(o->op.arena, read.n,
                                           sizeof(judge_score_t));
        rc = stored->scores ? JUDGE_OK : JUDGE_NOMEM;
    }

    for (i = 0; rc == JUDGE_OK && i < read.n; i++) {
        stored->scores[i].score = read.scores[i].score;
        stored->scores[i].criterion_id
            = judge_str_dup(o->op.arena, read.scores[i].criterion_id);
        stored->n++;
        rc = stored->scores[i].criterion_id.data ? JUDGE_OK : JUDGE_NOMEM;
    }

    judge_arena_destroy(scratch);

    return rc;
}
