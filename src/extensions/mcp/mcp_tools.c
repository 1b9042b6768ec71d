/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The tools.  Their arguments become bodies of the service's routes, which
 * check them, and the answers of these become results.  A refusal by a route
 * is a result with its sentence, not an error of the protocol, because a model
 * can correct it. */


#include "extensions/mcp/mcp.h"


static void judge_mcp_compare_second(judge_mcp_t *m);
static void judge_mcp_compare_done(judge_mcp_t *m);


/* --- Their schemas ------------------------------------------------------- */

static const char  judge_mcp_tools_json[] = JUDGE_MCP_JSON([

{"name": "judge_text", "title": "Judge a text",
 "description": "Scores a text by the criteria of a judge, and says why.",
 "annotations": {"destructiveHint": false, "openWorldHint": false},
 "inputSchema": {
    "type": "object", "additionalProperties": false,
    "required": ["judge_id", "text_content"], "properties": {
        "judge_id": {"type": "string", "description": "See list_judges."},
        "text_content": {"type": "string", "minLength": 1},
        "name": {"type": "string", "description": "What the text is called."},
        "metadata": {"type": "object", "properties": {
            "source": {"type": "string", "description": "What it is made of."},
            "question": {"type": "string", "description": "What it answers."}
        }},
        "model": {"type": "string", "description":
            "Language model, for what is neither checked nor measured."}}},
 "outputSchema": {
    "type": "object", "required": ["evaluation_id", "judge_id", "status"],
    "properties": {
        "evaluation_id": {"type": "string"}, "judge_id": {"type": "string"},
        "status": {"enum": ["processing", "completed", "failed"]},
        "overall_score": {"type": "number", "minimum": 0, "maximum": 100},
        "interval": {"type": "object", "required": ["low", "high"],
            "description": "Where scores of people would lie."},
        "criteria_scores": {"type": "array", "items": {"type": "object",
            "required": ["criterion_id", "name", "score", "feedback"],
            "properties": {
                "criterion_id": {"type": "string"}, "name": {"type": "string"},
                "score": {"type": "number"}, "feedback": {"type": "string"}}}},
        "not_judged": {"type": "array", "description": "Has no score.",
            "items": {"type": "object", "required": ["name", "reason"]}},
        "coverage": {"type": "number", "description":
            "The share of the weights that was judged, 0 to 1."},
        "needs_review": {"type": "boolean"}}}},

{"name": "compare_texts", "title": "Compare two texts",
 "description": "Scores two texts by one judge, and says which is better.",
 "annotations": {"destructiveHint": false, "openWorldHint": false},
 "inputSchema": {
    "type": "object", "additionalProperties": false,
    "required": ["judge_id", "first", "second"], "properties": {
        "judge_id": {"type": "string", "description": "See list_judges."},
        "first": {"type": "string", "minLength": 1},
        "second": {"type": "string", "minLength": 1},
        "metadata": {"type": "object", "description": "Of both texts."},
        "model": {"type": "string"}}},
 "outputSchema": {
    "type": "object", "required": ["first", "second"], "properties": {
        "first": {"type": "object", "required": ["evaluation_id", "status"]},
        "second": {"type": "object", "required": ["evaluation_id", "status"]},
        "better": {"enum": ["first", "second", "equal", "undecided"]},
        "reason": {"const": "not_judged"},
        "difference": {"type": "number", "minimum": 0},
        "intervals_overlap": {"type": "boolean", "description":
            "The difference may be none."}}}},

{"name": "explain_score", "title": "Explain a score",
 "description": "Tells how each score came about, stage by stage.",
 "annotations": {"readOnlyHint": true, "openWorldHint": false},
 "inputSchema": {
    "type": "object", "additionalProperties": false,
    "required": ["evaluation_id"],
    "properties": {"evaluation_id": {"type": "string"}}},
 "outputSchema": {
    "type": "object", "required": ["evaluation_id", "status", "criteria"],
    "properties": {"criteria": {"type": "array", "items": {
        "type": "object", "required": ["criterion_id", "name"]}}}}},

{"name": "list_judges", "title": "List judges",
 "description": "Lists the judges, the newest first.",
 "annotations": {"readOnlyHint": true, "openWorldHint": false},
 "inputSchema": {
    "type": "object", "additionalProperties": false, "properties": {
        "cursor": {"type": "string", "description":
            "The next_cursor of the page before."}}},
 "outputSchema": {
    "type": "object", "required": ["judges"], "properties": {
        "judges": {"type": "array", "items": {
            "type": "object", "required": ["judge_id", "name"]}},
        "next_cursor": {"type": "string"}}}},

{"name": "create_judge", "title": "Make a judge",
 "description": "Makes a judge of criteria; says who judges each of them.",
 "annotations": {"destructiveHint": false, "openWorldHint": false},
 "inputSchema": {
    "type": "object", "additionalProperties": false,
    "required": ["name", "description", "criteria"], "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 200},
        "description": {"type": "string", "maxLength": 5000},
        "criteria": {"type": "array", "minItems": 1, "maxItems": 64,
            "items": {"type": "object", "required": ["name", "description"],
            "properties": {
                "name": {"type": "string"}, "description": {"type": "string"},
                "weight": {"type": "number", "exclusiveMinimum": 0}}}},
        "model": {"type": "string"}}},
 "outputSchema": {
    "type": "object", "required": ["judge_id", "name", "criteria"],
    "properties": {"criteria": {"type": "array", "items": {
        "type": "object", "required": ["criterion_id", "name"]}}}}},

{"name": "correct", "title": "Correct scores",
 "description": "Stores the scores that a person gives; judges learn by them.",
 "annotations": {"destructiveHint": false, "openWorldHint": false},
 "inputSchema": {
    "type": "object", "additionalProperties": false,
    "required": ["evaluation_id"], "properties": {
        "evaluation_id": {"type": "string"},
        "corrected_scores": {"type": "object", "description":
            "By criterion_id.", "additionalProperties": {
                "type": "number", "minimum": 0, "maximum": 100}},
        "corrected_overall_score": {
            "type": "number", "minimum": 0, "maximum": 100},
        "explanation": {"type": "string", "maxLength": 5000}}},
 "outputSchema": {
    "type": "object", "required": ["feedback_id", "evaluation_id"]}}

]);


void
judge_mcp_tools_list(judge_mcp_t *m, const judge_json_t *params)
{
    judge_mcp_only_page(m, params, "tools", judge_mcp_tools_json);
}


/* --- Results ------------------------------------------------------------- */

/* Writes a result: `json` if the call succeeded, and the same as text. */

static void
judge_mcp_tool_result(judge_mcp_t *m, judge_str_t text, judge_str_t json,
    bool failed)
{
    judge_json_writer_t  *w;

    if (text.data == NULL) {
        judge_mcp_error(m, JUDGE_MCP_INTERNAL, "out of memory");
        return;
    }

    w = judge_mcp_open(m, "result");
    judge_json_key_array(w, "content");
    judge_json_object(w);
    judge_json_put_c(w, "type", "text");
    judge_json_put_str(w, "text", text);
    judge_json_object_end(w);
    judge_json_array_end(w);
    judge_json_put_raw(w, "structuredContent", json);
    judge_json_put_bool(w, "isError", failed);
    judge_mcp_end(m);
}


static void
judge_mcp_tool_refuse(judge_mcp_t *m, judge_str_t sentence)
{
    judge_mcp_tool_result(m, sentence, (judge_str_t) { 0, NULL }, true);
}


static void
judge_mcp_tool_done(judge_mcp_t *m)
{
    judge_str_t  detail, inner = JUDGE_STR("content.");

    if (m->status >= 300) {
        detail = judge_mcp_detail(m);
        if (judge_str_starts(detail, inner)) {   /* no argument of "correct" */
            detail.data += inner.len;
            detail.len -= inner.len;
        }
        judge_mcp_tool_refuse(m, detail);
        return;
    }

    judge_mcp_tool_result(m, m->text, m->text,
                          judge_str_eq_c(judge_json_string(m->answer,
                                                           "status"),
                                         "failed"));
}


/* --- The tools ----------------------------------------------------------- */

static void
judge_mcp_judge_text(judge_mcp_t *m)
{
    if (judge_json_string(m->arguments, "judge_id").data
        && judge_json_string(m->arguments, "text_content").data == NULL)
    {
        judge_mcp_tool_refuse(m, JUDGE_STR("text_content: expected a string"));
        return;
    }

    judge_mcp_call(m, JUDGE_POST, JUDGE_STR("/evaluations/single"),
                   judge_json_value_text(m->r->arena, m->arguments),
                   judge_mcp_tool_done);
}


static void
judge_mcp_explain_score(judge_mcp_t *m)
{
    judge_mcp_call(m, JUDGE_GET,
                   judge_mcp_path(m, "/evaluations/",
                                  judge_json_string(m->arguments,
                                                    "evaluation_id"),
                                  "evl", "/explanation"),
                   JUDGE_STR(""), judge_mcp_tool_done);
}


static void
judge_mcp_list_judges(judge_mcp_t *m)
{
    judge_mcp_call(m, JUDGE_GET, JUDGE_STR("/v1/judges"),
                   judge_mcp_page(m, "limit=25",
                                  judge_json_string(m->arguments, "cursor")),
                   judge_mcp_tool_done);
}


static void
judge_mcp_create_judge(judge_mcp_t *m)
{
    judge_buf_t          buf;
    judge_json_writer_t  w;

    static const char *const  type[] = { "content_type", NULL };

    judge_json_begin_object(&w, &buf, m->r->arena);
    judge_json_put_c(&w, "content_type", "text");
    judge_json_members(&w, m->arguments, type);
    judge_mcp_call(m, JUDGE_POST, JUDGE_STR("/v1/judges"),
                   judge_json_text(&w), judge_mcp_tool_done);
}


static void
judge_mcp_correct(judge_mcp_t *m)
{
    judge_buf_t          buf;
    judge_json_writer_t  w;

    static const char *const  id[] = { "evaluation_id", NULL };

    judge_json_begin_object(&w, &buf, m->r->arena);
    judge_json_put_c(&w, "type", "correction");
    judge_json_key_object(&w, "content");
    judge_json_members(&w, m->arguments, id);
    judge_json_object_end(&w);
    judge_mcp_call(m, JUDGE_POST,
                   judge_mcp_path(m, "/feedback/evaluation/",
                                  judge_json_string(m->arguments,
                                                    "evaluation_id"),
                                  "evl", ""),
                   judge_json_text(&w), judge_mcp_tool_done);
}


/* --- compare_texts ------------------------------------------------------- */

static void
judge_mcp_compare(judge_mcp_t *m, const char *side, judge_mcp_step_pt then)
{
    judge_str_t          text;
    judge_buf_t          buf;
    judge_json_writer_t  w;

    static const char *const  sides[] = { "first", "second", NULL };

    text = judge_json_string(m->arguments, side);
    if (text.data == NULL) {
        judge_mcp_tool_refuse(m, judge_str_printf(m->r->arena, "%s: expected a"
                                                  " string", side));
        return;
    }

    judge_json_begin_object(&w, &buf, m->r->arena);
    judge_json_members(&w, m->arguments, sides);
    judge_json_put_str(&w, "text_content", text);
    judge_mcp_call(m, JUDGE_POST, JUDGE_STR("/evaluations/single"),
                   judge_json_text(&w), then);
}


static void
judge_mcp_compare_texts(judge_mcp_t *m)
{
    judge_mcp_compare(m, "first", judge_mcp_compare_second);
}


static void
judge_mcp_compare_second(judge_mcp_t *m)
{
    if (m->status >= 300) {
        judge_mcp_tool_done(m);
        return;
    }

    m->previous = m->answer;
    judge_mcp_compare(m, "second", judge_mcp_compare_done);
}


/* Whether the overall scores are means of the same criteria. */

static bool
judge_mcp_compare_same(const judge_json_t *first, const judge_json_t *second)
{
    judge_json_t  *a, *b;

    a = judge_json_first(first, "criteria_scores");
    b = judge_json_first(second, "criteria_scores");

    for ( /* void */ ; a && b; a = a->next, b = b->next) {
        if (!judge_str_eq(judge_json_string(a, "criterion_id"),
                          judge_json_string(b, "criterion_id")))
        {
            return false;
        }
    }

    return a == b;
}


static void
judge_mcp_compare_overall(judge_json_writer_t *w, const judge_json_t *first,
    const judge_json_t *second)
{
    double         difference;
    judge_json_t  *a, *b;

    a = judge_json_get(first, "overall_score");
    b = judge_json_get(second, "overall_score");
    if (a == NULL || b == NULL) {
        return;
    }

    if (!judge_mcp_compare_same(first, second)) {
        judge_json_put_c(w, "better", "undecided");
        judge_json_put_c(w, "reason", "not_judged");
        return;
    }

    difference = judge_json_double(a) - judge_json_double(b);
    judge_json_put_c(w, "better", difference > 0 ? "first"
                                  : difference < 0 ? "second" : "equal");
    judge_json_put_number2(w, "difference",
                           difference < 0 ? -difference : difference);

    a = judge_json_get(difference > 0 ? second : first, "interval");
    b = judge_json_get(difference > 0 ? first : second, "interval");
    a = judge_json_get(a, "high");
    b = judge_json_get(b, "low");
    if (a && b) {
        judge_json_put_bool(w, "intervals_overlap",
                            judge_json_double(a) >= judge_json_double(b));
    }
}


static void
judge_mcp_compare_done(judge_mcp_t *m)
{
    judge_str_t          json;
    judge_buf_t          buf;
    judge_json_writer_t  w;

    if (m->status >= 300) {
        judge_mcp_tool_done(m);
        return;
    }

    judge_json_begin_object(&w, &buf, m->r->arena);
    judge_mcp_compare_overall(&w, m->previous, m->answer);
    judge_json_key(&w, "first");
    judge_json_value(&w, m->previous);
    judge_json_put_raw(&w, "second", m->text);
    json = judge_json_text(&w);
    judge_mcp_tool_result(m, json, json, false);
}


/* --- tools/call ---------------------------------------------------------- */

static const struct {
    const char         *name;
    judge_mcp_step_pt   run;           /* m->arguments is an object */
} judge_mcp_tools[] = {
    { "judge_text", judge_mcp_judge_text },
    { "compare_texts", judge_mcp_compare_texts },
    { "explain_score", judge_mcp_explain_score },
    { "list_judges", judge_mcp_list_judges },
    { "create_judge", judge_mcp_create_judge },
    { "correct", judge_mcp_correct },
    { .name = NULL }
};


void
judge_mcp_tools_call(judge_mcp_t *m, const judge_json_t *params)
{
    size_t       i;
    judge_str_t  name;

    static const judge_json_t  none = { .type = JUDGE_JSON_OBJECT };

    name = judge_json_string(params, "name");
    m->arguments = judge_json_get(params, "arguments");
    m->arguments = m->arguments ? m->arguments : &none;

    if (m->arguments->type != JUDGE_JSON_OBJECT) {
        judge_mcp_error(m, JUDGE_MCP_PARAMS, "arguments: expected an object");
        return;
    }

    for (i = 0; judge_mcp_tools[i].name; i++) {
        if (judge_str_eq_c(name, judge_mcp_tools[i].name)) {
            judge_mcp_tools[i].run(m);
            return;
        }
    }

    judge_mcp_error(m, JUDGE_MCP_PARAMS, "name: expected that of a tool, which"
                    " tools/list has");
}
