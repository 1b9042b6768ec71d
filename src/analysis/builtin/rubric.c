/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Stored criteria are bound to structs by a table of fields, as bodies are. */


#include <string.h>

#include "base/json/fields.h"
#include "analysis/builtin/conversation.h"
#include "analysis/builtin/engine.h"
#include "analysis/text/say.h"


typedef struct {
    judge_number_t  excellent;
    judge_number_t  good;
    judge_number_t  fair;
    judge_number_t  poor;
} judge_stored_thresholds_t;

typedef struct {
    judge_str_t                criterion_id;
    judge_str_t                name;
    judge_str_t                description;
    judge_number_t             weight;
    bool                       has_thresholds;
    judge_stored_thresholds_t  thresholds;
    judge_list_t               examples;
    judge_json_t              *checks;
    judge_boolean_t            decided;
    judge_str_t                judge_by;
    judge_str_t                judged_by_reason;
} judge_stored_criterion_t;

#define judge_threshold(member)                                               \
    judge_field(judge_stored_thresholds_t, member, NUMBER, 0, 0, 0)
#define judge_stored(member, type)                                            \
    judge_field(judge_stored_criterion_t, member, type, 0, 0, 0)

static const judge_field_t  judge_threshold_fields[] = {
    judge_threshold(excellent),
    judge_threshold(good),
    judge_threshold(fair),
    judge_threshold(poor),
    { .name = NULL }
};

static const judge_field_t  judge_criterion_fields[] = {
    judge_stored(criterion_id, STRING),
    judge_stored(name, STRING),
    judge_stored(description, STRING),
    judge_stored(weight, NUMBER),
    { .name = "thresholds", .type = JUDGE_FIELD_OBJECT,
      .offset = offsetof(judge_stored_criterion_t, thresholds),
      .set_offset = offsetof(judge_stored_criterion_t, has_thresholds),
      .fields = judge_threshold_fields },
    judge_stored(examples, STRINGS),
    judge_stored(checks, ANY),
    judge_stored(decided, BOOLEAN),
    judge_stored(judge_by, STRING),
    judge_stored(judged_by_reason, STRING),
    { .name = NULL }
};

const char *const  judge_judged_by_names[JUDGE_BY_KINDS + 1] = {
    "auto", "checks", "measures", "model", "corrections", "nothing", "worker",
    NULL
};


const char *const  judge_untaught_reason
    = JUDGE_TRANSLATED("So far corrections taught too little; a check or"
                       " a model can judge it.");


judge_judged_by_e
judge_judged_by_find(judge_str_t name)
{
    return (judge_judged_by_e) judge_str_index_c(judge_judged_by_names, name);
}


static void
judge_rubric_criterion(judge_criterion_t *to,
    const judge_stored_criterion_t *from)
{
    to->id = from->criterion_id;
    to->name = from->name;
    to->description = from->description;
    to->weight = from->weight.set ? from->weight.value : 1;
    to->has_thresholds = from->has_thresholds;
    to->excellent = from->thresholds.excellent.value;
    to->good = from->thresholds.good.value;
    to->fair = from->thresholds.fair.value;
    to->poor = from->thresholds.poor.value;
    to->examples = from->examples.items;
    to->nexamples = from->examples.count;
    to->decided = from->decided.value;
    to->judge_by = from->judge_by.data
                   ? (uint8_t) judge_judged_by_find(from->judge_by)
                   : JUDGE_BY_AUTO;
    to->untaught = judge_str_find(from->judged_by_reason,
                                  judge_str_c(judge_untaught_reason));
}


judge_rc_e
judge_rubric_read(judge_arena_t *arena, judge_str_t name,
    judge_str_t description, judge_str_t criteria, judge_rubric_t *rubric)
{
    size_t                    i;
    judge_rc_e                rc;
    judge_str_t               error;
    judge_json_t             *root, *item;
    judge_stored_criterion_t  stored;

    rc = judge_json_parse(arena, criteria, &root, NULL);
    if (rc != JUDGE_OK) {
        return rc;
    }

    if (root->type != JUDGE_JSON_ARRAY || root->count == 0) {
        return JUDGE_INVALID;
    }

    *rubric = (judge_rubric_t) { .name = name, .description = description,
                                 .ncriteria = root->count };
    rubric->criteria = judge_array_alloc(arena, root->count,
                                         sizeof(judge_criterion_t));
    if (rubric->criteria == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0, item = root->first; item; i++, item = item->next) {
        memset(&stored, 0, sizeof(stored));

        rc = judge_fields_bind(arena, judge_criterion_fields, item,
                               JUDGE_STR(""), &stored, &error);
        if (rc != JUDGE_OK) {
            return rc;
        }

        judge_rubric_criterion(&rubric->criteria[i], &stored);
        rubric->criteria[i].stored = stored.checks ? item : NULL;
    }

    return JUDGE_OK;
}


/* What is not JSON can't be: metadata was checked when it was stored. */

void
judge_rubric_item(judge_arena_t *arena, judge_str_t metadata,
    judge_item_t *item)
{
    judge_json_t  *root;

    *item = (judge_item_t) { .text = item->text };

    if (metadata.data != NULL
        && judge_json_parse(arena, metadata, &root, NULL) == JUDGE_OK)
    {
        item->source = judge_json_string(root, "source");
        item->question = judge_json_string(root, "question");
        item->reference = judge_json_string(root, "reference");
        item->messages = judge_json_get(root, JUDGE_MESSAGES_KEY);
    }
}
