/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Writes the questions, whose answers assist_reply.c reads. */


#include <math.h>

#include "base/text/utf8.h"
#include "analysis/llm/assist_prompt.h"
#include "analysis/llm/llm_parts.h"


judge_rc_e
judge_assist_prompt_criteria(judge_arena_t *arena, const judge_prompt_t *p,
    const judge_parse_request_t *request, judge_prompt_request_t *out)
{
    judge_prompt_words_t  w;

    static const char *const  types[] = { "a text", "a video",
                                          "an audio recording", "an image" };

    judge_prompt_begin(&w, arena, p, &request->description, 1, out);
    w.schema = judge_str_c(judge_assist_criteria_schema);
    judge_buf_printf(&w.system, judge_assist_criteria_rules,
                     types[request->content_type]);
    judge_buf_printf(&w.system, "9. Give at most %u criteria.\n",
                     request->max_criteria ? request->max_criteria
                                           : JUDGE_PARSE_CRITERIA);
    judge_prompt_form(&w, 0, "data");
    judge_buf_c(&w.system, judge_assist_criteria_form);
    judge_prompt_data(&w, "DESCRIPTION", request->description);
    judge_buf_c(&w.user, "That was the description. Now give the criteria as"
                         " the JSON object.");

    return judge_prompt_write(&w, "criteria", "Do it");
}


/* Returns the beginning of the sample, cut after a line if it is too long. */

static judge_str_t
judge_assist_prompt_head(judge_str_t sample)
{
    size_t       n;
    judge_str_t  head = judge_utf8_prefix(sample, JUDGE_ASSIST_SAMPLE);

    if (head.len < sample.len) {
        for (n = head.len; n && head.data[n - 1] != '\n'; n--) {
            /* void */
        }
        head.len = n ? n : head.len;
    }

    return head;
}


judge_rc_e
judge_assist_prompt_columns(judge_arena_t *arena, const judge_prompt_t *p,
    const judge_columns_request_t *request, size_t ncolumns,
    judge_prompt_request_t *out)
{
    int                   field;
    judge_str_t           head;
    judge_prompt_words_t  w;

    if (ncolumns > JUDGE_ASSIST_COLUMNS) {
        return JUDGE_INVALID;
    }

    head = judge_assist_prompt_head(request->csv_sample);
    judge_prompt_begin(&w, arena, p, &head, 1, out);
    w.schema = judge_str_c(judge_assist_columns_schema);
    judge_buf_c(&w.system, judge_assist_columns_rules);
    judge_buf_c(&w.system, "\nThe fields that are asked for:");

    for (field = 0; field < JUDGE_COLUMN_FIELDS; field++) {
        if (request->expected & 1u << field) {
            judge_buf_printf(&w.system, " %s",
                             judge_column_fields[field].name);
        }
    }

    judge_buf_c(&w.system, "\n");
    judge_prompt_form(&w, 0, "data");
    judge_buf_c(&w.system, "\"columns\": [{\"index\": 0, \"field\": \"...\","
                           " \"confidence\": (a number)}, ...]}\n");

    judge_prompt_data(&w, "TABLE", head);
    judge_buf_printf(&w.user, "That was the beginning of the table, which has"
                              " %zu columns. Now tell what they are, as the"
                              " JSON object.", ncolumns);

    return judge_prompt_write(&w, "columns", "Do it");
}


/* Writes the texts, each with its scores and what people wrote of it. */

static void
judge_assist_prompt_texts(judge_prompt_words_t *w,
    const judge_wording_request_t *request)
{
    size_t                       i;
    const judge_wording_text_t  *t;

    for (i = 0; i < request->ntexts; i++) {
        t = &request->texts[i];
        judge_prompt_data(w, "TEXT", t->text);

        if (isnan(t->given)) {
            judge_buf_printf(&w->user, "Nobody judged it; people gave %.1f.\n",
                             t->people);
        } else {
            judge_buf_printf(&w->user, "The judge gave %.1f, people %.1f.\n",
                             t->given, t->people);
        }

        if (t->comments.len) {
            judge_prompt_data(w, "COMMENT", t->comments);
        }
    }
}


judge_rc_e
judge_assist_prompt_wording(judge_arena_t *arena, const judge_prompt_t *p,
    const judge_wording_request_t *request, judge_prompt_request_t *out)
{
    size_t                i, n;
    judge_str_t          *fenced;
    judge_prompt_words_t  w;

    fenced = judge_array_alloc(arena, 2 + 2 * request->ntexts,
                               sizeof(judge_str_t));
    if (fenced == NULL) {
        return JUDGE_NOMEM;
    }

    fenced[0] = request->name;
    fenced[1] = request->description;

    for (i = 0, n = 2; i < request->ntexts; i++) {
        fenced[n++] = request->texts[i].text;
        fenced[n++] = request->texts[i].comments;
    }

    judge_prompt_begin(&w, arena, p, fenced, n, out);
    w.schema = judge_str_c(judge_assist_wording_schema);
    judge_buf_c(&w.system, judge_assist_wording_rules);
    judge_prompt_form(&w, 0, "data");
    judge_buf_c(&w.system, "\"description\": \"...\"}\n");

    judge_prompt_data(&w, "NAME", request->name);
    judge_prompt_data(&w, "CRITERION", request->description);
    judge_assist_prompt_texts(&w, request);
    judge_buf_c(&w.user, "Those were the criterion and texts on which people"
                         " and the judge differ. Now write the criterion anew,"
                         " as the JSON object.");

    return judge_prompt_write(&w, "wording", "Do it");
}
