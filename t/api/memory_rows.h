/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The requests of t_memory.c: each of the interface that does something of
 * its own. */


#ifndef JUDGE_T_MEMORY_ROWS_H
#define JUDGE_T_MEMORY_ROWS_H


#include <stdbool.h>


#define T_BEFORE  3

/* In paths and bodies: $j a judge, $v one for videos, $c a content, $e its
 * evaluation, $1 and $2 the judge's criteria, $f a file's path; $x, $y and $z
 * what came of what was sent before. */
typedef struct {
    const char  *method;
    const char  *path;
    const char  *body;
    const char  *type;                 /* of the body; NULL: JSON */
    bool         sealed;               /* signed in place of a key */
} t_step_t;

/* What is sent before, and which field of the answer is kept. */
typedef struct {
    char         var;
    t_step_t     step;
    const char  *field;
} t_before_t;

typedef struct {
    const char  *name;
    t_step_t     step;
    t_before_t   before[T_BEFORE];     /* each time */
    bool         late;                 /* see is_right() */
    bool         live;                 /* what was sent before goes on */
    bool         beside;               /* and stores what it stores */
    judge_ms_t   pass;                 /* that pass before each time */
} t_row_t;


#define CRITERIA                                                              \
    "\"criteria\":[{\"name\":\"Grammar\",\"description\":\"Short\"},"         \
    "{\"name\":\"Spelling\",\"description\":\"Correct words\",\"weight\":2}]"
#define CONTENT                                                               \
    "{\"name\":\"T\",\"file_type\":\"text\",\"text_content\":\"A short "      \
    "text. It has reasons, because it should.\"}"
#define T_TRACE  "4bf92f3577b34da6a3ce929d0e0e4736"
#define T_SPAN   "00f067aa0ba902b7"
#define TALK                                                                  \
    "\"messages\":[{\"role\":\"user\",\"content\":\"Where?\"},"               \
    "{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\","           \
    "\"id\":\"a\",\"name\":\"find\",\"input\":{}}]},{\"role\":\"tool\","     \
    "\"tool_call_id\":\"a\",\"content\":\"{}\"},"                             \
    "{\"role\":\"assistant\",\"content\":\"It was found here.\"}]"
#define TWO                                                                   \
    "{\"judge_id\":\"$j\",\"content_id\":\"$c\""
#define JOB                                                                   \
    "{\"judge_id\":\"$j\",\"training_type\":\"full_retrain\","                \
    "\"training_config\":{},\"execution_options\":{\"auto_deploy\":true}}"
#define UPLOAD                                                                \
    "{\"name\":\"N\",\"file_type\":\"text\",\"judge_id\":\"$j\"}"

#define JPEG  "\xff\xd8\xff\xe0 picture"

#define A_BATCH(more)                                                         \
    { 'x', { "POST", "/batches/evaluate", "{\"name\":\"B\",\"judge_ids\":"    \
        "[\"$j\"],\"content_items\":[{\"content_id\":\"$c\"}]" more "}" },    \
      "batch_id" }
#define A_COMPARISON                                                          \
    { 'x', { "POST", "/comparisons",                                          \
      "{\"judge_id\":\"$j\",\"candidates\":"                                  \
      "[{\"id\":\"a\",\"text_content\":\"One.\"},{\"id\":\"b\","              \
      "\"text_content\":\"Two.\"}]}" }, "batch_id" }
#define AN_EVALUATION                                                         \
    { 'x', { "POST", "/evaluations/single", TWO "}" }, "evaluation_id" }
#define A_CORRECTION                                                          \
    { 'y', { "POST", "/feedback/evaluation/$x",                               \
        "{\"type\":\"correction\",\"content\":{\"corrected_scores\":"       \
        "{\"$1\":50,\"$2\":60}}}" }, "feedback_id" }
#define A_JOB                                                                 \
    { 'x', { "POST", "/training/jobs", JOB }, "job_id" }
#define A_KEY                                                                 \
    { 'x', { "POST", "/api-keys",                                             \
        "{\"name\":\"K\",\"permissions\":[\"judges:read\"]}" }, "api_key_id" }
#define A_DELIVERY                                                            \
    { 'x', { "POST", "/config/webhooks/test", NULL }, "delivery_id" }
#define A_VIDEO                                                               \
    { 'x', { "POST", "/evaluations/social-media", "{\"judge_id\":\"$v\","     \
        "\"urls\":[\"https://vimeo.com/76979871\"]}" },                       \
      "items[0].evaluation_id" }
#define A_CLAIM                                                               \
    { 'y', { "POST", "/work/claim", "{}" }, "work[0].lease_id" }
#define A_FRAME                                                               \
    { 'z', { "PUT", "/work/$x/frames/0?lease_id=$y", JPEG,   \
        "image/jpeg" }, "position" }

static const t_row_t  rows[] = {
    { .name = "a judge",
      .step = { "POST", "/judges",
        "{\"name\":\"N\",\"description\":\"D\",\"content_type\":\"text\","
        CRITERIA "}" } },
    { .name = "a judge's change",
      .step = { "PUT", "/judges/$j", "{\"name\":\"M\"," CRITERIA "}" } },
    { .name = "a judge that goes",
      .step = { "DELETE", "/judges/$x", NULL },
      .before = { { 'x', { "POST", "/judges",
        "{\"name\":\"N\",\"description\":\"D\",\"content_type\":\"text\","
        CRITERIA "}" },
        "judge_id" } } },
    { .name = "one judge",
      .step = { "GET", "/judges/$j", NULL } },
    { .name = "judges",
      .step = { "GET", "/judges?limit=2", NULL } },
    { .name = "versions",
      .step = { "GET", "/judges/$j/versions", NULL } },
    { .name = "an old version again",
      .step = { "POST", "/judges/$j/versions/1/activate", NULL } },
    { .name = "agreement",
      .step = { "GET", "/judges/$j/agreement", NULL } },
    { .name = "a reference",
      .step = { "POST", "/judges/reference_content",
        "{\"file_extension\":\"txt\"}" } },
    { .name = "a content",
      .step = { "POST", "/content", CONTENT } },
    { .name = "a conversation",
      .step = { "POST", "/content", "{\"name\":\"T\",\"file_type\":\"text\","
                TALK ",\"metadata\":{\"a\":1}}" } },
    { .name = "spans",
      .step = { "POST", "/traces?judge_id=$j", "{\"resourceSpans\":["
                "{\"scopeSpans\":[{\"spans\":[{\"traceId\":\"" T_TRACE "\","
                "\"spanId\":\"" T_SPAN "\",\"name\":\"chat\",\"attributes\":["
                "{\"key\":\"gen_ai.output.messages\",\"value\":"
                "{\"stringValue\":\"[{\\\"role\\\":\\\"assistant\\\","
                "\\\"content\\\":\\\"It is.\\\"}]\"}}]}]}]}]}" } },
    { .name = "an evaluation of a conversation",
      .step = { "POST", "/evaluations/single",
                "{\"judge_id\":\"$j\"," TALK "}" } },
    { .name = "an evaluation of each answer",
      .step = { "POST", "/evaluations/single",
                "{\"judge_id\":\"$x\"," TALK "}" },
      .before = { { 'x', { "POST", "/judges",
        "{\"name\":\"J\",\"description\":\"D\",\"content_type\":\"text\","
        "\"scope\":\"each_answer\"," CRITERIA "}" }, "id" } } },
    { .name = "alerts of a judge",
      .step = { "PUT", "/judges/$j/alerts",
                "{\"alerts\":[{\"name\":\"A\",\"metric\":\"mean\","
                "\"threshold\":50,\"criterion_id\":\"$1\"},"
                "{\"name\":\"B\",\"metric\":\"drift\"}]}" } },
    { .name = "a suggestion",
      .step = { "POST", "/judges/$x/suggestions", "{\"model\":\"m\"}" },
      .before = { { 'x', { "POST", "/judges",
        "{\"name\":\"J\",\"description\":\"D\",\"content_type\":\"text\","
        CRITERIA "}" }, "id" } } },
    { .name = "suggestions",
      .step = { "GET", "/judges/$j/suggestions", NULL } },
    { .name = "one content",
      .step = { "GET", "/content/$c", NULL } },
    { .name = "contents",
      .step = { "GET", "/content?limit=2", NULL } },
    { .name = "a content that goes",
      .step = { "DELETE", "/content/$x", NULL },
      .before = { { 'x', { "POST", "/content", CONTENT },
        "id" } } },
    { .name = "an evaluation",
      .step = { "POST", "/evaluations/single", TWO "}" } },
    { .name = "one by a model",
      .step = { "POST", "/evaluations/single", TWO
        ",\"model\":\"m\",\"cache\":false}" } },
    { .name = "one evaluation",
      .step = { "GET", "/evaluations/$e", NULL } },
    { .name = "evaluations",
      .step = { "GET", "/evaluations?limit=2", NULL } },
    { .name = "videos",
      .step = { "POST", "/evaluations/social-media",
        "{\"judge_id\":\"$v\",\"urls\":[\"https://vimeo.com/76979871\"]}" } },
    /* evaluations that end one by one have another event of progress */
    { .name = "a batch", .late = true,
      .step = { "POST", "/batches/evaluate",
        "{\"name\":\"B\",\"judge_ids\":[\"$j\"],"
        "\"content_items\":[{\"name\":\"A\",\"text_content\":\"One "
        "text.\"},{\"content_id\":\"$c\"}]}" } },
    { .name = "a table", .late = true,
      .step = { "POST", "/batches/import?name=N&judge_ids=$j",
        "content,title\nOne text.,A\n\"Another, \"\"longer\"\"\",B\n",
        "text/csv" } },
    { .name = "one batch",
      .step = { "GET", "/batches/$x", NULL },
      .before = { A_BATCH("") } },
    { .name = "its results",
      .step = { "GET", "/batches/$x/results?format=csv", NULL },
      .before = { A_BATCH("") } },
    { .name = "its difference from another one",
      .step = { "GET", "/batches/$x/difference?against=$y", NULL },
      .before = { A_BATCH(""), { 'y', { "POST", "/batches/evaluate",
        "{\"name\":\"B\",\"judge_ids\":[\"$j\"],\"content_items\":["
        "{\"content_id\":\"$c\"}]}" }, "batch_id" } } },
    { .name = "lines with texts of systems", .late = true,
      .step = { "POST", "/batches/import?name=N&judge_ids=$j&systems=a,b"
                "&source=q&preferred=p",
                "{\"q\":\"Why?\",\"a\":\"One.\",\"b\":\"Two.\",\"p\":\"a\"}\n"
                "{\"b\":\"Four.\",\"a\":\"Three.\",\"q\":[1]}",
                "application/jsonl" } },
    { .name = "a comparison", .late = true,
      .step = { "POST", "/comparisons",
        "{\"judge_id\":\"$j\",\"source\":\"Why?\",\"candidates\":["
        "{\"id\":\"a\",\"text_content\":\"One.\",\"metadata\":{\"k\":1}},"
        "{\"id\":\"b\"," TALK "}]}" } },
    { .name = "one comparison",
      .step = { "GET", "/comparisons/$x", NULL },
      .before = { A_COMPARISON } },
    { .name = "comparisons",
      .step = { "GET", "/comparisons", NULL },
      .before = { A_COMPARISON } },
    { .name = "a ranking",
      .step = { "GET", "/batches/$x/ranking", NULL },
      .before = { A_COMPARISON } },
    { .name = "a preference",
      .step = { "POST", "/comparisons/$x/feedback",
        "{\"winner\":\"a\",\"criterion_id\":\"$1\"}" },
      .before = { A_COMPARISON } },
    { .name = "a comparison that goes",
      .step = { "DELETE", "/comparisons/$x", NULL },
      .before = { A_COMPARISON } },
    { .name = "batches",
      .step = { "GET", "/batches?limit=2", NULL } },
    { .name = "a batch's events",
      .step = { "GET", "/batches/$x/events", NULL },
      .before = { A_BATCH("") } },
    { .name = "a batch's events as they come", .live = true, .beside = true,
      .step = { "GET", "/batches/$x/events", NULL },
      .before = { A_BATCH("") } },
    { .name = "a batch that waited",
      .step = { "POST", "/batches/$x/start", NULL },
      .before = { A_BATCH(",\"auto_start\":false") } },
    { .name = "a batch that is cancelled", .live = true,
      .step = { "DELETE", "/batches/$x", NULL },
      .before = { A_BATCH(",\"auto_start\":false") } },
    { .name = "a batch that goes",
      .step = { "DELETE", "/batches/$x", NULL },
      .before = { A_BATCH("") } },
    { .name = "what a batch says",
      .step = { "POST", "/batches/$x/feedback",
        "{\"feedback_entries\":[{\"evaluation_id\":\"$y\",\"type\":"
        "\"approval\",\"content\":{\"approved\":true}}]}" },
      .before = { A_BATCH(""), { 'y', { "GET", "/batches/$x/results", NULL },
        "evaluations[0].evaluation_id" } } },
    { .name = "results of a job",
      .step = { "GET", "/evaluations/results/$x", NULL },
      .before = { AN_EVALUATION } },
    { .name = "a comment",
      .step = { "POST", "/feedback/evaluation/$x", COMMENT },
      .before = { AN_EVALUATION } },
    { .name = "a correction",
      .step = { "POST", "/feedback/evaluation/$x",
        "{\"type\":\"correction\",\"content\":{\"corrected_scores\":"
        "{\"$1\":50,\"$2\":60}}}" },
      .before = { AN_EVALUATION } },
    { .name = "what was said",
      .step = { "GET", "/feedback/evaluation/$e", NULL } },
    { .name = "one entry",
      .step = { "GET", "/feedback/$y", NULL },
      .before = { AN_EVALUATION, A_CORRECTION } },
    { .name = "an entry that is changed",
      .step = { "PATCH", "/feedback/$y", "{\"severity\":\"high\",\"content\":"
        "{\"corrected_scores\":{\"$1\":40}},\"target_criteria\":[\"$1\"],"
        "\"updated_by_person\":\"Ann\"}" },
      .before = { AN_EVALUATION, A_CORRECTION } },
    { .name = "an entry that is withdrawn",
      .step = { "DELETE", "/feedback/$y", NULL },
      .before = { AN_EVALUATION, A_CORRECTION } },
    { .name = "a job",
      .step = { "POST", "/training/jobs", JOB } },
    { .name = "training", .late = true,
      .step = { "POST", "/training-jobs/$x/execute", "{}" },
      .before = { A_JOB } },
    { .name = "a job's events",
      .step = { "GET", "/training/jobs/$x/events", NULL },
      .before = { A_JOB, { 'y', { "POST", "/training/jobs/$x/cancel", NULL },
        "status" } } },
    { .name = "a job that is cancelled",
      .step = { "POST", "/training/jobs/$x/cancel", NULL },
      .before = { A_JOB } },
    { .name = "one job",
      .step = { "GET", "/training/jobs/$x", NULL }, .before = { A_JOB } },
    { .name = "jobs",
      .step = { "GET", "/training/jobs?limit=2", NULL } },
    { .name = "a place for a file",
      .step = { "POST", "/evaluations/presigned-upload", UPLOAD } },
    { .name = "a file",
      .step = { "PUT", "$x", "A text of a file. It is short.",
        "text/plain" },
      .before = { { 'x', { "POST", "/evaluations/presigned-upload", UPLOAD },
        "upload_url" } } },
    { .name = "a test event",
      .step = { "POST", "/config/webhooks/test", NULL } },
    { .name = "an event again", .late = true,
      .step = { "POST", "/webhooks/deliveries/$x/redeliver", NULL },
      .before = { A_DELIVERY } },
    { .name = "deliveries",
      .step = { "GET", "/webhooks/deliveries?limit=2", NULL } },
    { .name = "one delivery",
      .step = { "GET", "/webhooks/deliveries/$x", NULL },
      .before = { A_DELIVERY } },
    { .name = "webhooks as they are",
      .step = { "GET", "/config/webhooks", NULL } },
    { .name = "models as they are",
      .step = { "GET", "/config/llm", NULL } },
    { .name = "webhooks", .late = true,
      .step = { "PUT", "/config/webhooks",
        "{\"url\":\"https://hooks.example/b\"}" } },
    { .name = "a new secret", .pass = INT64_C(86400001), /* its grace */
      .step = { "POST", "/config/webhooks/rotate-secret", NULL } },
    { .name = "models", .late = true,
      .step = { "PUT", "/config/llm",
        "{\"rate_limits\":{\"requests_per_minute\":0}}" } },
    { .name = "a key",
      .step = { "POST", "/api-keys",
        "{\"name\":\"K\",\"permissions\":[\"judges:read\"]}" } },
    { .name = "a key that goes",
      .step = { "DELETE", "/api-keys/$x", NULL },
      .before = { A_KEY } },
    { .name = "a key's change",
      .step = { "PATCH", "/api-keys/$x", "{\"name\":\"L\"}" },
      .before = { A_KEY } },
    { .name = "keys",
      .step = { "GET", "/api-keys", NULL } },
    { .name = "criteria from prose",
      .step = { "POST", "/llm/parse-criteria",
        "{\"description\":\"It should be clear and short. Give "
        "reasons.\",\"content_type\":\"text\"}" } },
    { .name = "prose by a model",
      .step = { "POST", "/llm/parse-criteria",
        "{\"description\":\"It should be clear and short. Give "
        "reasons.\",\"content_type\":\"text\",\"model\":\"m\"}" } },
    { .name = "columns",
      .step = { "POST", "/llm/detect-csv-columns",
        "{\"csv_sample\":\"text,name\\nOne text.,A\\n\","
        "\"expected_fields\":[\"content\",\"title\"]}" } },
    { .name = "work", .late = true, .live = true,
      .step = { "POST", "/work/claim", "{}" }, .before = { A_VIDEO } },
    { .name = "longer work", .late = true, .live = true,
      .step = { "POST", "/work/$x/heartbeat",
        "{\"lease_id\":\"$y\",\"progress_percentage\":50}" },
      .before = { A_VIDEO, A_CLAIM } },
    { .name = "work given back", .late = true, .live = true,
      .step = { "POST", "/work/$x/release",
        "{\"lease_id\":\"$y\",\"delay\":3600}" },
      .before = { A_VIDEO, A_CLAIM } },
    { .name = "a frame", .live = true,
      .step = { "PUT", "/work/$x/frames/0?lease_id=$y", JPEG,
        "image/jpeg" },
      .before = { A_VIDEO, A_CLAIM } },
    { .name = "frames", .live = true,
      .step = { "GET", "/evaluations/$x/frames", NULL },
      .before = { A_VIDEO, A_CLAIM, A_FRAME } },
    { .name = "one frame", .live = true,
      .step = { "GET", "/evaluations/$x/frames/0", NULL },
      .before = { A_VIDEO, A_CLAIM, A_FRAME } },
    { .name = "a worker's result", .live = true,
      .step = { "POST", "/api/video-evaluations/callback",
        "{\"evaluation_id\":\"$x\",\"content_id\":\"$y\","
        "\"status\":\"completed\",\"results\":{\"overall_score\":80,"
        "\"criteria_scores\":["
        "{\"criterion_id\":\"$3\",\"score\":60,"
        "\"feedback\":\"Sharp.\"},"
        "{\"criterion_id\":\"$4\",\"score\":90}]}}", .sealed = true },
      .before = { A_VIDEO, { 'y', { "GET", "/evaluations/$x", NULL },
        "content_id" } } },
    { .name = "figures",
      .step = { "GET", "/metrics", NULL } },
    { .name = "the interface",
      .step = { "GET", "/openapi.json", NULL } },
    { .name = "readiness",
      .step = { "GET", "/readyz", NULL } },
};


#endif /* JUDGE_T_MEMORY_ROWS_H */
