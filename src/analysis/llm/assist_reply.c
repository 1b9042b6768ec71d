/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Reads the answers to what assist_prompt.c asks.  Values are checked as
 * strictly as scores are; only weights are brought to a sum of 1.
 */


#include <math.h>
#include <string.h>

#include "base/text/utf8.h"
#include "analysis/llm/assist_prompt.h"
#include "analysis/llm/llm_parts.h"


#define JUDGE_ASSIST_REPLY_NAME         200      /* characters, at most */
#define JUDGE_ASSIST_REPLY_DESCRIPTION  5000     /* likewise */
#define JUDGE_ASSIST_REPLY_EXAMPLES     10       /* of a criterion */
#define JUDGE_ASSIST_REPLY_SUGGESTIONS  20
#define JUDGE_ASSIST_REPLY_UNREAD       (-2)     /* no field: not named yet */


/* Reads a number; NAN: there is none, or it is not within the bounds. */

static double
judge_assist_reply_number(const judge_json_t *object, const char *name,
    double min, double max)
{
    double  value;

    return judge_json_read_number(object, name, &value) && value >= min
           && value <= max ? value : NAN;
}


static bool
judge_assist_reply_is_text(judge_str_t s, size_t max)
{
    return s.len > 0 && memchr(s.data, 0, s.len) == NULL
           && judge_utf8_length(s) <= max;
}


static judge_rc_e
judge_assist_reply_text(judge_reply_reader_t *r, size_t i,
    const judge_json_t *from, const char *name, size_t max, judge_str_t *to)
{
    *to = judge_json_string(from, name);

    return judge_assist_reply_is_text(*to, max) ? JUDGE_OK
           : judge_reply_invalid(r, "criteria[%zu].%s: expected a text of 1 to"
                                 " %zu characters", i, name, max);
}


static judge_rc_e
judge_assist_reply_thresholds(judge_reply_reader_t *r, size_t i,
    const judge_json_t *from, judge_parsed_criterion_t *to)
{
    const judge_json_t  *v = judge_json_get(from, "thresholds");

    to->excellent = judge_assist_reply_number(v, "excellent", 0, 100);
    to->good = judge_assist_reply_number(v, "good", 0, 100);
    to->fair = judge_assist_reply_number(v, "fair", 0, 100);
    to->poor = judge_assist_reply_number(v, "poor", 0, 100);

    /* No comparison with a NAN is true. */
    if (to->excellent > to->good && to->good > to->fair
        && to->fair > to->poor)
    {
        return JUDGE_OK;
    }

    return judge_reply_invalid(r, "criteria[%zu].thresholds: expected"
                               " excellent, good, fair and poor, falling from"
                               " 100 at most", i);
}


static judge_rc_e
judge_assist_reply_criterion(judge_reply_reader_t *r, size_t i,
    const judge_json_t *from, judge_parsed_criterion_t *criteria)
{
    size_t                     k;
    judge_rc_e                 rc;
    judge_parsed_criterion_t  *to = &criteria[i];

    if (from->type != JUDGE_JSON_OBJECT) {
        return judge_reply_invalid(r, "criteria[%zu]: expected an object", i);
    }

    rc = judge_assist_reply_text(r, i, from, "name", JUDGE_ASSIST_REPLY_NAME,
                                 &to->name);

    for (k = 0; rc == JUDGE_OK && k < i; k++) {
        if (judge_str_eq(criteria[k].name, to->name)) {
            rc = judge_reply_invalid(r, "criteria[%zu].name: expected each"
                                     " name once", i);
        }
    }

    if (rc == JUDGE_OK) {
        rc = judge_assist_reply_text(r, i, from, "description",
                                     JUDGE_ASSIST_REPLY_DESCRIPTION,
                                     &to->description);
    }

    if (rc != JUDGE_OK) {
        return rc;
    }

    to->weight = judge_assist_reply_number(from, "weight", 1e-6, 1e6);
    if (isnan(to->weight)) {
        return judge_reply_invalid(r, "criteria[%zu].weight: expected a number"
                                   " above 0", i);
    }

    rc = judge_assist_reply_thresholds(r, i, from, to);

    return rc != JUDGE_OK ? rc
           : judge_reply_list(r, judge_json_get(from, "examples"), "examples",
                              JUDGE_ASSIST_REPLY_EXAMPLES, &to->examples,
                              &to->nexamples);
}


static judge_rc_e
judge_assist_reply_criteria_list(judge_reply_reader_t *r,
    const judge_parse_request_t *request, judge_parsed_criteria_t *out)
{
    size_t               i, max;
    judge_rc_e           rc;
    const judge_json_t  *list, *item;

    max = request->max_criteria ? request->max_criteria
                                : JUDGE_PARSE_CRITERIA;
    list = judge_json_member(r->reply->object, "criteria", JUDGE_JSON_ARRAY);

    if (list == NULL || list->count == 0 || list->count > max) {
        return judge_reply_invalid(r, "criteria: expected an array of 1 to"
                                   " %zu", max);
    }

    out->weights = request->weights;
    out->thresholds = request->thresholds;
    out->criteria = judge_array_alloc(r->arena, list->count,
                                      sizeof(judge_parsed_criterion_t));
    if (out->criteria == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0, item = list->first; item; i++, item = item->next) {
        rc = judge_assist_reply_criterion(r, i, item, out->criteria);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    out->ncriteria = i;
    judge_criteria_round(out->criteria, out->ncriteria);

    out->confidence = judge_assist_reply_number(r->reply->object, "confidence",
                                                0, 1);
    if (isnan(out->confidence)) {
        return judge_reply_invalid(r, "confidence: expected a number from 0 to"
                                   " 1");
    }

    out->confidence = round(out->confidence * 100) / 100;

    return judge_reply_list(r, judge_json_get(r->reply->object, "suggestions"),
                            "suggestions", JUDGE_ASSIST_REPLY_SUGGESTIONS,
                            &out->suggestions, &out->nsuggestions);
}


judge_rc_e
judge_assist_reply_criteria(judge_arena_t *arena,
    const judge_prompt_request_t *asked, const judge_parse_request_t *request,
    judge_str_t body, judge_reply_t *reply, judge_parsed_criteria_t *out)
{
    judge_rc_e            rc;
    judge_reply_reader_t  r = { arena, asked, reply, { 0, NULL } };

    memset(out, 0, sizeof(judge_parsed_criteria_t));
    rc = judge_reply_read(arena, asked, body, reply);

    return rc ? rc : judge_assist_reply_criteria_list(&r, request, out);
}


static judge_rc_e
judge_assist_reply_column(judge_reply_reader_t *r, const judge_json_t *from,
    judge_column_hint_t *hints, size_t ncolumns, unsigned *left)
{
    double                 index, confidence;
    const judge_json_t    *v;
    judge_column_field_e   field;
    judge_column_hint_t   *hint;

    index = judge_assist_reply_number(from, "index", 0, (double) ncolumns - 1);
    confidence = judge_assist_reply_number(from, "confidence", 0, 1);

    if (isnan(index) || isnan(confidence) || index != floor(index)
        || hints[(size_t) index].field != JUDGE_ASSIST_REPLY_UNREAD)
    {
        return judge_reply_invalid(r, "columns: expected every index from 0 to"
                                   " %zu once, with a confidence from 0 to 1",
                                   ncolumns - 1);
    }

    hint = &hints[(size_t) index];
    v = judge_json_member(from, "field", JUDGE_JSON_STRING);

    if (v && judge_str_eq_c(v->string, "none")) {
        hint->field = -1;
        return JUDGE_OK;
    }

    if (v == NULL || !judge_column_field_find(v->string, &field)
        || !(*left & 1u << field))
    {
        return judge_reply_invalid(r, "columns[%d].field: expected one of the"
                                   " fields that were asked for, each but"
                                   " metadata once, or none", (int) index);
    }

    if (field != JUDGE_COLUMN_METADATA) {
        *left &= ~(1u << field);
    }

    hint->field = (int) field;
    hint->confidence = confidence;

    return JUDGE_OK;
}


judge_rc_e
judge_assist_reply_columns(judge_arena_t *arena,
    const judge_prompt_request_t *asked,
    const judge_columns_request_t *request, size_t ncolumns, judge_str_t body,
    judge_reply_t *reply, judge_column_hint_t *hints)
{
    size_t                i;
    unsigned              left = request->expected;
    judge_rc_e            rc;
    judge_reply_reader_t  r = { arena, asked, reply, { 0, NULL } };
    const judge_json_t   *list, *item;

    rc = judge_reply_read(arena, asked, body, reply);
    if (rc != JUDGE_OK) {
        return rc;
    }

    for (i = 0; i < ncolumns; i++) {
        hints[i] = (judge_column_hint_t) { JUDGE_ASSIST_REPLY_UNREAD, 0 };
    }

    list = judge_json_member(reply->object, "columns", JUDGE_JSON_ARRAY);

    if (list == NULL || list->count != ncolumns) {
        return judge_reply_invalid(&r, "columns: expected an array of %zu",
                                   ncolumns);
    }

    for (item = list->first; rc == JUDGE_OK && item; item = item->next) {
        rc = judge_assist_reply_column(&r, item, hints, ncolumns, &left);
    }

    return rc;
}


judge_rc_e
judge_assist_reply_wording(judge_arena_t *arena,
    const judge_prompt_request_t *asked,
    const judge_wording_request_t *request, judge_str_t body,
    judge_reply_t *reply, judge_str_t *out)
{
    judge_rc_e            rc;
    judge_reply_reader_t  r = { arena, asked, reply, { 0, NULL } };

    rc = judge_reply_read(arena, asked, body, reply);
    if (rc != JUDGE_OK) {
        return rc;
    }

    *out = judge_str_trim(judge_json_string(reply->object, "description"),
                          " \t\r\n");

    if (!judge_assist_reply_is_text(*out, JUDGE_ASSIST_WORDING)) {
        return judge_reply_invalid(&r, "description: expected a text of 1 to"
                                   " %d characters", JUDGE_ASSIST_WORDING);
    }

    return judge_str_caseeq(*out, request->description)
           ? judge_reply_invalid(&r, "description: expected another wording"
                                 " than the present one")
           : JUDGE_OK;
}
