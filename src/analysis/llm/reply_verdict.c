/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Makes a verdict out of the object that a model answered. */


#include <stdio.h>
#include <string.h>

#include "base/text/number.h"
#include "base/text/utf8.h"
#include "analysis/llm/llm_parts.h"
#include "analysis/llm/reply.h"
#include "analysis/text/math.h"


#define JUDGE_REPLY_FEEDBACK  5000     /* bytes, also of a summary */
#define JUDGE_REPLY_PIECE     80


judge_rc_e
judge_reply_fail(judge_reply_reader_t *r, judge_reply_outcome_e outcome,
    const char *fmt, ...)
{
    va_list      args;
    judge_buf_t  reason;

    judge_buf_init(&reason, r->arena);
    va_start(args, fmt);
    judge_buf_vprintf(&reason, fmt, args);
    va_end(args);

    r->reply->outcome = outcome;
    r->reply->reason = judge_provider_line(r->arena, judge_buf_view(&reason));

    return reason.failed || r->reply->reason.data == NULL ? JUDGE_NOMEM
                                                          : JUDGE_INVALID;
}


judge_str_t
judge_reply_piece(judge_str_t s)
{
    return judge_utf8_prefix(s, JUDGE_REPLY_PIECE);
}


/* Reads "c1" to "cN" as 0 to N - 1; N: it is none of them. */

static size_t
judge_reply_index(judge_str_t id, size_t n)
{
    int64_t  number;

    if (id.len < 2 || id.data[0] != 'c'
        || judge_integer_parse((judge_str_t) { id.len - 1, id.data + 1 },
                               &number) != JUDGE_OK
        || number < 1 || (uint64_t) number > n)
    {
        return n;
    }

    return (size_t) number - 1;
}


static judge_rc_e
judge_reply_score(judge_reply_reader_t *r, size_t i, const judge_json_t *from)
{
    char                 text[JUDGE_NUMBER_LEN];
    double               score;
    const char          *got;
    const judge_json_t  *v;

    v = judge_json_get(from, "score");

    if (v && v->type == JUDGE_JSON_STRING
        && judge_number_parse(judge_str_trim(v->string, " "), &score)
           == JUDGE_OK)
    {
        r->reply->tolerated |= JUDGE_TOLERATED_SCORE;

    } else if (!judge_json_read_number(from, "score", &score)) {
        got = v ? judge_json_type_name(v->type) : "nothing";
        return judge_reply_invalid(r, "criteria.c%zu.score: expected a number"
                                   " from 0 to 100, got %s", i + 1, got);
    }

    if (!(score >= 0 && score <= 100)) {
        (void) judge_number_format(score, text);
        return judge_reply_invalid(r, "criteria.c%zu.score: expected a number"
                                   " from 0 to 100, got %s", i + 1, text);
    }

    r->reply->verdict.scores[i].score = judge_round2(score);

    return JUDGE_OK;
}


/* Whether it is a string with anything but white space. */

static bool
judge_reply_is_text(const judge_json_t *v)
{
    return v != NULL && v->type == JUDGE_JSON_STRING
           && judge_str_trim(v->string, " \t\r\n").len > 0;
}


judge_rc_e
judge_reply_list(judge_reply_reader_t *r, const judge_json_t *array,
    const char *name, size_t max, judge_str_t **items, size_t *n)
{
    const judge_json_t  *v;

    *n = 0;
    *items = judge_array_alloc(r->arena, max, sizeof(judge_str_t));
    if (*items == NULL) {
        return JUDGE_NOMEM;
    }

    if (array == NULL || array->type == JUDGE_JSON_NULL) {
        return JUDGE_OK;
    }

    v = array->type == JUDGE_JSON_ARRAY ? array->first : array;

    for (/* void */; v; v = v->next) {
        if (array->type != JUDGE_JSON_ARRAY || v->type != JUDGE_JSON_STRING) {
            return judge_reply_invalid(r, "%s: expected an array of strings",
                                       name);
        }

        if (judge_reply_is_text(v) && *n < max
            && memchr(v->string.data, 0, v->string.len) == NULL)
        {
            (*items)[(*n)++] = judge_utf8_prefix(v->string,
                                                 JUDGE_REPLY_ENTRY);
        }
    }

    return JUDGE_OK;
}


/* Sets the feedback: the model's reasons, and on a line of its own each
 * passage that it quotes, with a note if that does not stand in the item. */

static judge_rc_e
judge_reply_feedback(judge_reply_reader_t *r, size_t i,
    const judge_json_t *from)
{
    char                 name[48];
    size_t               j, n;
    judge_rc_e           rc;
    judge_buf_t          buf;
    judge_str_t          form, *quotes;
    const judge_json_t  *feedback;

    feedback = judge_json_get(from, "feedback");

    if (!judge_reply_is_text(feedback)) {
        return judge_reply_invalid(r, "criteria.c%zu.feedback: expected a"
                                   " non-empty string", i + 1);
    }

    (void) snprintf(name, sizeof(name), "criteria.c%zu.evidence", i + 1);
    rc = judge_reply_list(r, judge_json_get(from, "evidence"), name,
                          JUDGE_REPLY_QUOTES, &quotes, &n);

    judge_buf_init(&buf, r->arena);
    judge_buf_str(&buf, judge_utf8_prefix(feedback->string,
                                          JUDGE_REPLY_FEEDBACK));

    for (j = 0; rc == JUDGE_OK && j < n; j++) {
        judge_buf_c(&buf, "\nEvidence: \"");
        judge_buf_str(&buf, quotes[j]);
        judge_buf_c(&buf, "\"");

        if (r->item.len == 0) {
            continue;
        }

        form = judge_quote_form(r->arena, quotes[j]);
        rc = form.data ? JUDGE_OK : JUDGE_NOMEM;

        if (form.data && !judge_quote_stands(r->item, form)) {
            judge_buf_c(&buf, " (this passage is not in the content)");
            r->reply->missing++;
        }
    }

    r->reply->verdict.scores[i].feedback = judge_buf_view(&buf);

    return buf.failed ? JUDGE_NOMEM : rc;
}


static judge_rc_e
judge_reply_criterion(judge_reply_reader_t *r, size_t i,
    const judge_json_t *from)
{
    judge_rc_e  rc;

    if (from->type != JUDGE_JSON_OBJECT) {
        return judge_reply_invalid(r, "criteria.c%zu: expected an object",
                                   i + 1);
    }

    rc = judge_reply_score(r, i, from);

    return rc == JUDGE_OK ? judge_reply_feedback(r, i, from) : rc;
}


/* Reads the criteria, which may come in any order but must all be there.  No
 * key is there twice, because the parser refuses that. */

static judge_rc_e
judge_reply_criteria(judge_reply_reader_t *r, const judge_json_t *criteria,
    size_t n)
{
    size_t               i;
    judge_rc_e           rc;
    judge_str_t          id;
    const judge_json_t  *c;

    for (c = criteria->first; c; c = c->next) {
        i = judge_reply_index(c->key, n);

        if (i == n) {
            id = judge_reply_piece(c->key);
            return judge_reply_invalid(r, "criteria.%.*s: there is no such"
                                       " criterion", judge_str_args(id));
        }

        rc = judge_reply_criterion(r, i, c);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    for (i = 0; i < n; i++) {
        if (r->reply->verdict.scores[i].feedback.data == NULL) {
            return judge_reply_invalid(r, "criteria.c%zu: is missing", i + 1);
        }
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_reply_lists(judge_reply_reader_t *r, const judge_json_t *root)
{
    size_t               i;
    judge_rc_e           rc;
    judge_verdict_t     *v = &r->reply->verdict;
    const judge_json_t  *summary;
    const struct {
        const char   *name;
        judge_str_t **items;
        size_t       *n;
    } lists[] = {
        { "strengths", &v->strengths, &v->nstrengths },
        { "weaknesses", &v->weaknesses, &v->nweaknesses },
        { "suggestions", &v->suggestions, &v->nsuggestions }
    };

    summary = judge_json_get(root, "summary");

    if (!judge_reply_is_text(summary)) {
        return judge_reply_invalid(r, "summary: expected a non-empty string");
    }

    v->summary = judge_utf8_prefix(summary->string, JUDGE_REPLY_FEEDBACK);

    for (i = 0, rc = JUDGE_OK; rc == JUDGE_OK && i < 3; i++) {
        rc = judge_reply_list(r, judge_json_get(root, lists[i].name),
                              lists[i].name, JUDGE_REPLY_LIST, lists[i].items,
                              lists[i].n);
    }

    return rc;
}


static void
judge_reply_overall(judge_reply_reader_t *r)
{
    size_t                  i;
    double                  sum = 0, weights = 0;
    const judge_rubric_t   *rubric = r->asked->rubric;

    for (i = 0; i < rubric->ncriteria; i++) {
        sum += rubric->criteria[i].weight * r->reply->verdict.scores[i].score;
        weights += rubric->criteria[i].weight;
    }

    r->reply->verdict.overall = judge_round2(sum / weights);
}


judge_rc_e
judge_reply_verdict(judge_reply_reader_t *r, const judge_json_t *root)
{
    size_t               n = r->asked->rubric->ncriteria;
    judge_rc_e           rc;
    const judge_json_t  *criteria;

    criteria = judge_json_member(root, "criteria", JUDGE_JSON_OBJECT);

    if (criteria == NULL) {
        return judge_reply_invalid(r, "criteria: expected an object");
    }

    r->reply->verdict.scores = judge_array_alloc(r->arena, n,
                                             sizeof(judge_criterion_score_t));
    r->item = judge_quote_form(r->arena, r->asked->item->text);

    if (r->reply->verdict.scores == NULL || r->item.data == NULL) {
        return JUDGE_NOMEM;
    }

    rc = judge_reply_criteria(r, criteria, n);

    if (rc == JUDGE_OK) {
        rc = judge_reply_lists(r, root);
    }

    if (rc == JUDGE_OK) {
        judge_reply_overall(r);
    }

    return rc;
}
