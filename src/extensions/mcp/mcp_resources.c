/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The resources, which are judges and results, and the prompts, which tell a
 * model how to write criteria that can be judged. */


#include <string.h>

#include "extensions/mcp/mcp.h"


#define JUDGE_MCP_JUDGES   "judge://judges/"
#define JUDGE_MCP_RESULTS  "judge://results/"
#define JUDGE_MCP_MORE     "results."  /* prefix of cursors of results; no
                                          cursor of the service has a dot */


static void judge_mcp_resources_listed(judge_mcp_t *m);
static void judge_mcp_resources_done(judge_mcp_t *m);


static const char  judge_mcp_templates_json[] = JUDGE_MCP_JSON([
{"uriTemplate": "judge://judges/{judge_id}", "name": "judge",
 "title": "A judge", "mimeType": "application/json",
 "description": "Its criteria, and who judges each."},
{"uriTemplate": "judge://results/{evaluation_id}", "name": "result",
 "title": "A result", "mimeType": "application/json",
 "description": "Scores, and why."}
]);


void
judge_mcp_resources_templates(judge_mcp_t *m, const judge_json_t *params)
{
    judge_mcp_only_page(m, params, "resourceTemplates",
                        judge_mcp_templates_json);
}


/* --- resources/list ------------------------------------------------------ */

/* Judges come first, then results. */

void
judge_mcp_resources_list(judge_mcp_t *m, const judge_json_t *params)
{
    judge_str_t  cursor;

    cursor = judge_json_string(params, "cursor");
    m->judges = !judge_str_starts(cursor, JUDGE_STR(JUDGE_MCP_MORE));

    if (m->judges) {
        judge_mcp_call(m, JUDGE_GET, JUDGE_STR("/v1/judges"),
                       judge_mcp_page(m, "limit=50", cursor),
                       judge_mcp_resources_listed);
        return;
    }

    cursor = judge_str_from(cursor, strlen(JUDGE_MCP_MORE));
    cursor.data = cursor.len ? cursor.data : NULL;
    judge_mcp_call(m, JUDGE_GET, JUDGE_STR("/evaluations"),
                   judge_mcp_page(m, "limit=50&status=completed", cursor),
                   judge_mcp_resources_listed);
}


/* Resources that the key may not list are left out. */

static void
judge_mcp_resources_listed(judge_mcp_t *m)
{
    judge_str_t           id, next;
    judge_json_t         *v;
    judge_json_writer_t  *w;

    if (m->status != 200 && m->status != 403) {
        judge_mcp_failed(m);
        return;
    }

    w = judge_mcp_open(m, "result");
    judge_json_key_array(w, "resources");
    v = judge_json_get(m->answer, m->judges ? "judges" : "evaluations");

    for (v = v ? v->first : NULL; v; v = v->next) {
        id = judge_json_string(v, "id");
        judge_json_object(w);
        judge_json_put_str(w, "uri", judge_str_printf(m->r->arena, "%s%.*s",
                           m->judges ? JUDGE_MCP_JUDGES : JUDGE_MCP_RESULTS,
                           judge_str_args(id)));
        judge_json_put_str(w, "name", id);
        judge_json_put_str(w, "title", judge_json_string(v, "name"));
        judge_json_put_str(w, "description",
                           judge_json_string(v, "description"));
        judge_json_put_c(w, "mimeType", "application/json");
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
    next = judge_json_string(m->answer, "next_cursor");

    if (m->judges || next.data) {
        judge_json_put_str(w, "nextCursor",
            judge_str_printf(m->r->arena, "%s%.*s", m->judges && next.data
                             ? "" : JUDGE_MCP_MORE, (int) next.len,
                             next.data ? next.data : ""));
    }

    judge_mcp_end(m);
}


/* --- resources/read ------------------------------------------------------ */

void
judge_mcp_resources_read(judge_mcp_t *m, const judge_json_t *params)
{
    judge_str_t  path, judges, results;

    m->uri = judge_json_string(params, "uri");
    judges = JUDGE_STR(JUDGE_MCP_JUDGES);
    results = JUDGE_STR(JUDGE_MCP_RESULTS);

    if (judge_str_starts(m->uri, judges)) {
        path = judge_mcp_path(m, "/v1/judges/",
                              judge_str_from(m->uri, judges.len), "jdg", "");

    } else if (judge_str_starts(m->uri, results)) {
        path = judge_mcp_path(m, "/evaluations/",
                              judge_str_from(m->uri, results.len), "evl", "");

    } else {
        judge_mcp_error(m, m->uri.data ? JUDGE_MCP_NOT_FOUND
                                       : JUDGE_MCP_PARAMS,
                        "uri: expected that of a resource");
        return;
    }

    judge_mcp_call(m, JUDGE_GET, path, JUDGE_STR(""),
                   judge_mcp_resources_done);
}


static void
judge_mcp_resources_done(judge_mcp_t *m)
{
    judge_json_writer_t  *w;

    if (m->status != 200) {
        judge_mcp_failed(m);
        return;
    }

    w = judge_mcp_open(m, "result");
    judge_json_key_array(w, "contents");
    judge_json_object(w);
    judge_json_put_str(w, "uri", m->uri);
    judge_json_put_c(w, "mimeType", "application/json");
    judge_json_put_str(w, "text", m->text);
    judge_json_object_end(w);
    judge_json_array_end(w);
    judge_mcp_end(m);
}


/* --- Prompts ------------------------------------------------------------- */

static const char  judge_mcp_prompts_json[] = JUDGE_MCP_JSON([
{"name": "write_rubric", "title": "Write a rubric",
 "description": "Criteria for a kind of texts, and a judge of them.",
 "arguments": [{"name": "texts", "required": true,
    "description": "What is judged, for whom it is, and what for."}]},
{"name": "improve_rubric", "title": "Improve a rubric",
 "description": "Better criteria for a judge that is there.",
 "arguments": [{"name": "judge_id", "required": true,
    "description": "The judge; list_judges has them."}]}
]);

static const struct {
    const char  *name;
    const char  *argument;
    const char  *before;               /* the argument in the prompt */
    const char  *after;
} judge_mcp_prompts[] = {
    { "write_rubric", "texts",
      "Write a rubric by which this is judged: ",
      "\nShow me the rubric first. When I agree, make a judge of it by the"
      " tool create_judge, and tell me of each criterion that nothing judges"
      " what would help." },
    { "improve_rubric", "judge_id",
      "Improve the criteria of the judge in the resource " JUDGE_MCP_JUDGES,
      "\nBegin with those that nothing judges: judged_by_reason says what"
      " would help. Show each old criterion beside the new one, and why." },
    { .name = NULL }
};

static const char  judge_mcp_rules[] =
    "\nEach criterion asks for one thing that can be found in the text itself."
    " Its description says what a text with 100 points has, what one with 0"
    " lacks, and what is not looked at. No two ask for the same. What must"
    " hold exactly (a length, words that must be there, a format) is said in"
    " numbers and in so many words: it is then checked, not estimated. Give a"
    " weight where one matters more. Use 3 to 7 criteria.";


void
judge_mcp_prompts_list(judge_mcp_t *m, const judge_json_t *params)
{
    judge_mcp_only_page(m, params, "prompts", judge_mcp_prompts_json);
}


void
judge_mcp_prompts_get(judge_mcp_t *m, const judge_json_t *params)
{
    size_t                i;
    judge_str_t           name, value;
    judge_json_writer_t  *w;

    name = judge_json_string(params, "name");
    for (i = 0; judge_mcp_prompts[i].name; i++) {
        if (judge_str_eq_c(name, judge_mcp_prompts[i].name)) {
            break;
        }
    }

    if (judge_mcp_prompts[i].name == NULL) {
        judge_mcp_error(m, JUDGE_MCP_PARAMS, "name: expected that of a prompt,"
                        " which prompts/list has");
        return;
    }

    value = judge_json_string(judge_json_get(params, "arguments"),
                              judge_mcp_prompts[i].argument);
    if (value.len == 0) {
        judge_mcp_error(m, JUDGE_MCP_PARAMS, "arguments.%s: expected a"
                        " non-empty string", judge_mcp_prompts[i].argument);
        return;
    }

    w = judge_mcp_open(m, "result");
    judge_json_key_array(w, "messages");
    judge_json_object(w);
    judge_json_put_c(w, "role", "user");
    judge_json_key_object(w, "content");
    judge_json_put_c(w, "type", "text");
    judge_json_put_str(w, "text",
        judge_str_printf(m->r->arena, "%s%.*s%s%s",
                         judge_mcp_prompts[i].before, judge_str_args(value),
                         judge_mcp_rules, judge_mcp_prompts[i].after));
    judge_json_object_end(w);
    judge_json_object_end(w);
    judge_json_array_end(w);
    judge_mcp_end(m);
}
