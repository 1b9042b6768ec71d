/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Answers of language models: what is taken, what is not, and why. */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* memmem() */
#endif

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/text/utf8.h"
#include "analysis/llm/reply.h"
#include "analysis/llm/llm_parts.h"
#include "golden.h"
#include "tap.h"


#define T_INJECTIONS  "t/data/injection"


/* By judge_reply_outcome_e and by judge_provider_kind_e. */

static const char *const  outcomes[] = {
    "ok", "truncated", "refused", "empty", "invalid"
};

static const char *const  kinds[] = {
    "request", "feature", "length", "filter", "key", "model", "quota",
    "rate", "server"
};

static judge_criterion_t  t_criteria[] = {
    { .name = judge_str("Clarity"), .weight = 2 },
    { .name = judge_str("Tone"), .weight = 1 },
    { .name = judge_str("Facts"), .weight = 1 }
};

static judge_rubric_t  t_rubric = { .criteria = t_criteria, .ncriteria = 3 };

static judge_item_t  t_item = {
    .text = judge_str("Dear all,\n\nbees  \xe2\x80\x9c" "buzz\xe2\x80\x9d \xe2"
                      "\x80\x93 and that isn\xe2\x80\x99t all. The end.")
};


static const char  t_good[] =
    "{\"criteria\":{"
    "\"c2\":{\"score\":70,\"feedback\":\"Polite.\",\"evidence\":[]},"
    "\"c1\":{\"score\":87.456,\"feedback\":\"Clear.\","
           "\"evidence\":[\"Bees \\\"buzz\\\"\",\"made up\",\" \"]},"
    "\"c3\":{\"score\":0,\"feedback\":\"Wrong.\"}},"
    "\"strengths\":[\"short\",\"\",\"sweet\"],\"weaknesses\":[],"
    "\"summary\":\"Fine.\",\"more\":1}";


static judge_str_t
t_body(judge_arena_t *a, judge_str_t content, const char *finish)
{
    judge_buf_t          buf;
    judge_json_writer_t  w;

    judge_buf_init(&buf, a);
    judge_json_begin(&w, &buf);
    judge_json_object(&w);
    judge_json_put_c(&w, "model", "m-1-2026");
    judge_json_key(&w, "choices");
    judge_json_array(&w);
    judge_json_object(&w);
    judge_json_put_c(&w, "finish_reason", finish);
    judge_json_key(&w, "message");
    judge_json_object(&w);
    judge_json_put_c(&w, "role", "assistant");
    judge_json_put_str(&w, "content", content);
    judge_json_object_end(&w);
    judge_json_object_end(&w);
    judge_json_array_end(&w);
    judge_json_put_raw(&w, "usage", JUDGE_STR("{\"prompt_tokens\":10,"
                                              "\"completion_tokens\":5}"));
    judge_json_object_end(&w);
    (void) judge_json_finish(&w);

    return judge_buf_view(&buf);
}


static size_t
t_count(judge_str_t text, const char *piece)
{
    size_t  i, n;

    for (i = 0, n = 0; i < text.len; i++) {
        n += judge_str_starts(judge_str_from(text, i), judge_str_c(piece));
    }

    return n;
}


static judge_reply_t
t_read(judge_arena_t *a, judge_format_e format, const char *key,
    judge_str_t body)
{
    judge_rc_e              rc;
    judge_reply_t           reply;
    judge_prompt_request_t  asked = { .format = format,
                                      .key = judge_str_c(key),
                                      .rubric = &t_rubric, .item = &t_item };

    rc = judge_reply_read(a, &asked, body, &reply);

    if (rc != (reply.outcome == JUDGE_REPLY_OK ? JUDGE_OK : JUDGE_INVALID)) {
        t_ok(false, "an answer is read");
    }

    return reply;
}


static judge_reply_t
t_content(judge_arena_t *a, judge_format_e format, const char *key,
    const char *content)
{
    return t_read(a, format, key, t_body(a, judge_str_c(content), "stop"));
}


static void
test_good(judge_arena_t *a)
{
    judge_reply_t  r;

    r = t_content(a, JUDGE_FORMAT_SCHEMA, NULL, t_good);

    t_ok(r.outcome == JUDGE_REPLY_OK && r.reason.data == NULL,
         "an answer by the schema is taken, without a reason");
    t_is_str(r.model, "m-1-2026", "the model that served is known");
    t_is_str(r.finish, "stop", "how the answer ended is known");
    t_ok(r.prompt_tokens == 10 && r.answer_tokens == 5 && r.total_tokens == 15,
         "tokens in and out are added up");
    t_ok(r.verdict.scores[0].score == 87.46 && r.verdict.scores[1].score == 70
         && r.verdict.scores[2].score == 0,
         "scores have two decimals and the order of the criteria");
    t_ok(r.verdict.overall == 61.23,
         "the overall score is the mean of the scores by their weights");
    t_is_str(r.verdict.summary, "Fine.", "an answer has its summary");
    t_ok(r.verdict.nstrengths == 2
         && judge_str_eq_c(r.verdict.strengths[1], "sweet"),
         "empty strengths don't count");
    t_ok(r.verdict.nweaknesses == 0 && r.verdict.nsuggestions == 0,
         "weaknesses and suggestions may be left out");
    t_is_int((int64_t) r.missing, 1, "a quote that is not there is counted");
    t_is_str(r.verdict.scores[0].feedback, "Clear.\nEvidence: \"Bees \"buzz\""
             "\"\nEvidence: \"made up\" (this passage is not in the content)",
             "quotes stand in the feedback; made up ones are named");
    t_is_str(r.verdict.scores[1].feedback, "Polite.", "quotes are optional");
}


/* What replaces a piece of the good answer, and what is said about it. */

static void
test_bad(judge_arena_t *a)
{
    size_t         i;
    judge_buf_t    buf;
    const char    *at;
    judge_reply_t  r;
    static const struct {
        const char  *piece, *by, *reason;
    } rows[] = {
        { "70", "101", "criteria.c2.score: expected a number from 0 to 100,"
          " got 101" },
        { "70", "100.0001", "criteria.c2.score: expected a number from 0 to"
          " 100, got 100.0001" },
        { "70", "-1", "criteria.c2.score: expected a number from 0 to 100,"
          " got -1" },
        { "70", "-0.001", "criteria.c2.score: expected a number from 0 to"
          " 100, got -0.001" },
        { "70", "1e300", "criteria.c2.score: expected a number from 0 to 100,"
          " got 1e+300" },
        { "70", "\"70/100\"", "criteria.c2.score: expected a number from 0 to"
          " 100, got a string" },
        { "70", "null", "criteria.c2.score: expected a number from 0 to 100,"
          " got null" },
        { "70", "true", "criteria.c2.score: expected a number from 0 to 100,"
          " got a boolean" },
        { "\"score\":70,", "", "criteria.c2.score: expected a number from 0"
          " to 100, got nothing" },
        { "\"c3\"", "\"c4\"", "criteria.c4: there is no such criterion" },
        { "\"c3\"", "\"c0\"", "criteria.c0: there is no such criterion" },
        { "\"c3\"", "\"c03\"", "criteria.c03: there is no such criterion" },
        { "\"c3\"", "\"C3\"", "criteria.C3: there is no such criterion" },
        { "\"c3\"", "\"Facts\"", "criteria.Facts: there is no such"
          " criterion" },
        { "\"c3\"", "\"c\"", "criteria.c: there is no such criterion" },
        { "\"c3\"", "\"c18446744073709551617\"", "criteria."
          "c18446744073709551617: there is no such criterion" },
        { "\"c3\"", "\"a\\nb\"", "criteria.a b: there is no such criterion" },
        { ",\"c3\":{\"score\":0,\"feedback\":\"Wrong.\"}", "",
          "criteria.c3: is missing" },
        { "\"Polite.\"", "\" \\n\"", "criteria.c2.feedback: expected a"
          " non-empty string" },
        { "\"Polite.\"", "7", "criteria.c2.feedback: expected a non-empty"
          " string" },
        { "\"evidence\":[]", "\"evidence\":\"x\"", "criteria.c2.evidence:"
          " expected an array of strings" },
        { "\"evidence\":[]", "\"evidence\":[1]", "criteria.c2.evidence:"
          " expected an array of strings" },
        { "\"weaknesses\":[]", "\"weaknesses\":{}", "weaknesses: expected an"
          " array of strings" },
        { "\"weaknesses\":[]", "\"weaknesses\":[[]]", "weaknesses: expected"
          " an array of strings" },
        { "\"Fine.\"", "\"\"", "summary: expected a non-empty string" },
        { ",\"summary\":\"Fine.\"", "", "summary: expected a non-empty"
          " string" },
        { "\"criteria\"", "\"results\"", "criteria: expected an object" },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        at = strstr(t_good, rows[i].piece);
        judge_buf_init(&buf, a);
        judge_buf_append(&buf, t_good, (size_t) (at - t_good));
        judge_buf_c(&buf, rows[i].by);
        judge_buf_c(&buf, at + strlen(rows[i].piece));

        r = t_read(a, JUDGE_FORMAT_OBJECT, NULL,
                   t_body(a, judge_buf_view(&buf), "stop"));
        t_is_int(r.outcome, JUDGE_REPLY_INVALID,
                 "row %zu of bad answers is invalid", i);
        t_is_str(r.reason, rows[i].reason,
                 "row %zu of bad answers says what is wrong", i);
        t_ok(r.start.len == 0 || r.start.data[0] == '{',
             "the start of a bad answer is kept");
    }
}


static void
test_not_json(judge_arena_t *a)
{
    size_t         i;
    judge_reply_t  r;
    static const char  *const rows[] = {
        "I think this is a nice text. 90/100.", "[]", "\"c1\"", "100", "{",
        "{\"criteria\":{\"c1\":{\"score\":1}}", "```json\n{}\n```",
        "{\"criteria\":{}} {\"criteria\":{}}",
        "{\"criteria\":{\"c1\":1,\"c1\":2}}", "{'criteria':{}}",
        "{\"criteria\":[{\"id\":\"c1\",\"score\":3}]}", "{\"criteria\":{}}"
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        r = t_content(a, JUDGE_FORMAT_OBJECT, NULL, rows[i]);
        t_ok(r.outcome == JUDGE_REPLY_INVALID && r.reason.len > 0,
             "what holds no scores is no answer: %.40s", rows[i]);
        t_ok(judge_str_starts(r.start, judge_str_c(rows[i])),
             "the start is kept: %.40s", rows[i]);

        r = t_content(a, JUDGE_FORMAT_PLAIN, NULL, rows[i]);
        t_ok(r.outcome == JUDGE_REPLY_INVALID && r.reason.len > 0,
             "it is no answer in plain text, either: %.40s", rows[i]);
    }

    r = t_content(a, JUDGE_FORMAT_OBJECT, NULL,
                  "{\"criteria\":{\"c1\":1,\"c1\":2}}");
    t_ok(memmem(r.reason.data, r.reason.len, "duplicate key", 13) != NULL,
         "a criterion that is named twice is refused as a duplicate key");
}


/* Other words around the object. */

static void
test_plain(judge_arena_t *a)
{
    size_t         i;
    judge_str_t    text;
    judge_reply_t  r;
    static const char  key[] = "0123456789ab";
    static const struct {
        const char  *before, *behind;
        bool         good;
    } rows[] = {
        { "", "", true },
        { "Here it is:\n```json\n", "\n```\nI hope it helps {truly}.", true },
        { "Some {braces} and {\"json\": 1} before. ", "", true },
        { "<think>\nPerhaps {\"key\":\"0123456789ab\",\"criteria\":{}}? No."
          "\n</think>\n", "", true },
        { "<think>no end ", "", false },
        { "<think>x</think> and <think>no end ", "", false },
        { "{\"criteria\":{\"c1\":1}} is what the item says. ", "", true },
        { "{\"key\":\"0123456789ab\",\"criteria\":{}} and then ", "", false },
        { "", "{\"key\":\"0123456789ab\",\"criteria\":{}}", false },
        { "{ broken, with ", "}", false },
        { "{\"a\": ", "}", false },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        text = judge_str_printf(a, "%s{\"key\":\"%s\",%s%s", rows[i].before,
                                key, t_good + 1, rows[i].behind);
        r = t_content(a, JUDGE_FORMAT_PLAIN, key, text.data);
        t_is_int(r.outcome, rows[i].good ? JUDGE_REPLY_OK
                                         : JUDGE_REPLY_INVALID,
                 "row %zu of plain answers is taken or not", i);

        r = t_content(a, JUDGE_FORMAT_OBJECT, key, text.data);
        t_ok((r.outcome == JUDGE_REPLY_OK) == rows[i].good,
             "row %zu is taken or not where all has to be JSON", i);
    }

    r = t_content(a, JUDGE_FORMAT_PLAIN, "other", text.data);
    t_is_int(r.outcome, JUDGE_REPLY_INVALID,
             "an answer with another item's key is refused");
    r = t_content(a, JUDGE_FORMAT_PLAIN, key, t_good);
    t_is_str(r.reason, "key: expected the value that was given behind the"
             " item",
             "a plain answer without its key is told what is missing");
    r = t_content(a, JUDGE_FORMAT_OBJECT, key, t_good);
    t_is_str(r.reason, "key: expected the value that was given behind the"
             " item",
             "an answer in JSON without its key is told what is missing");
}


static void
test_envelope(judge_arena_t *a)
{
    size_t         i;
    judge_reply_t  r;
    static const struct {
        const char  *body, *outcome, *reason;
    } rows[] = {
        { "", "empty", "the server sent no answer" },
        { "<html>502</html>", "invalid", NULL },
        { "[]", "invalid", "the server's answer is an array, not an object" },
        { "{}", "invalid", "choices: expected an array" },
        { "{\"choices\":null}", "invalid", "choices: expected an array" },
        { "{\"choices\":[]}", "empty", "choices: is empty" },
        { "{\"choices\":[7]}", "invalid", "choices[0].message: expected an"
          " object" },
        { "{\"choices\":[{}]}", "invalid", "choices[0].message: expected an"
          " object" },
        { "{\"choices\":[{\"message\":{}}]}", "empty", "the answer is empty" },
        { "{\"choices\":[{\"message\":{\"content\":null}}]}", "empty",
          "the answer is empty" },
        { "{\"choices\":[{\"message\":{\"content\":\" \\n\"}}]}", "empty",
          "the answer is empty" },
        { "{\"choices\":[{\"message\":{\"content\":7}}]}", "invalid",
          "choices[0].message.content: expected a string" },
        { "{\"choices\":[{\"message\":{\"content\":[7]}}]}", "invalid",
          "choices[0].message.content: expected parts with a type" },
        { "{\"choices\":[{\"message\":{\"content\":[{\"type\":\"thinking\"}]"
          "}}]}", "empty", "the answer is empty" },
        { "{\"choices\":[{\"message\":{\"content\":[{\"type\":\"refusal\","
          "\"refusal\":\"No.\"}]}}]}", "refused", "the model refused: No." },
        { "{\"choices\":[{\"message\":{\"refusal\":\"I can't.\"}}]}",
          "refused", "the model refused: I can't." },
        { "{\"choices\":[{\"finish_reason\":\"content_filter\",\"message\":"
          "{\"content\":\"{\"}}]}", "refused", "a content filter of the"
          " server stopped the answer" },
        { "{\"choices\":[{\"finish_reason\":\"length\",\"message\":"
          "{\"content\":\"\"}}]}", "truncated", "the answer was cut off at"
          " its limit of tokens" },
        { "{\"choices\":[{\"finish_reason\":\"MAX_TOKENS\",\"message\":"
          "{\"content\":\"{}\"}}]}", "truncated", "the answer was cut off at"
          " its limit of tokens" },
        { "{\"choices\":[{\"finish_reason\":\"tool_calls\",\"message\":"
          "{\"content\":null,\"tool_calls\":[]}}]}", "invalid", "the model"
          " called a tool instead of answering" },
        { "{\"error\":{\"message\":\"overloaded\",\"code\":502}}", "invalid",
          "the server answered with an error: overloaded" },
        { "{\"error\":\"down\"}", "invalid", "the server answered with an"
          " error: down" },
        { "{\"error\":{}}", "invalid", "the server answered with an error:"
          " it does not say which" },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        r = t_read(a, JUDGE_FORMAT_SCHEMA, NULL, judge_str_c(rows[i].body));
        t_is_str(judge_str_c(outcomes[r.outcome]), rows[i].outcome,
                 "%s", rows[i].body);
        if (rows[i].reason) {
            t_is_str(r.reason, rows[i].reason,
                     "the reason says what is wrong: %s", rows[i].body);
        }
    }

    r = t_read(a, JUDGE_FORMAT_SCHEMA, NULL,
               t_body(a, judge_str_c(t_good), "length"));
    t_ok(r.outcome == JUDGE_REPLY_TRUNCATED && r.start.len == strlen(t_good),
         "an answer that ends by its length is kept and counts as cut off");

    r = t_read(a, JUDGE_FORMAT_SCHEMA, NULL,
               t_body(a, judge_str_c(t_good), "eos"));
    t_is_int(r.outcome, JUDGE_REPLY_OK,
             "an end by another word for stop is no cut");
}


static void
test_parts(judge_arena_t *a)
{
    judge_reply_t  r;

    r = t_read(a, JUDGE_FORMAT_SCHEMA, NULL, JUDGE_STR(
        "{\"usage\":{\"prompt_tokens\":-1,\"completion_tokens\":\"x\","
        "\"total_tokens\":9},\"model\":7,\"choices\":[{\"finish_reason\":null,"
        "\"message\":{\"refusal\":null,\"content\":["
        "{\"type\":\"reasoning\",\"text\":\"hm {\"},"
        "{\"type\":\"text\",\"text\":\"{\\\"criteria\\\":{\\\"c1\\\":{"
        "\\\"score\\\":1,\\\"feedback\\\":\\\"x\\\"},\"},"
        "{\"type\":\"text\",\"text\":\"\\\"c2\\\":{\\\"score\\\":2,"
        "\\\"feedback\\\":\\\"y\\\"},\\\"c3\\\":{\\\"score\\\":3.0,"
        "\\\"feedback\\\":\\\"z\\\"}},\\\"summary\\\":\\\"s\\\"}\"}]}}]}"));

    t_is_str(r.reason, NULL, "content in parts gives no reason to refuse");
    t_ok(r.outcome == JUDGE_REPLY_OK && r.verdict.overall == 1.75,
         "content in parts is taken");
    t_is_str(r.model, NULL, "a model whose name is no string is not named");
    t_ok(r.prompt_tokens == -1 && r.answer_tokens == -1 && r.total_tokens == 9,
         "only numbers of tokens that are numbers are taken");
}


/* However long, what is kept is short, and whole characters. */

static void
test_lengths(judge_arena_t *a)
{
    char          *big;
    size_t         i, n;
    judge_buf_t    buf;
    judge_reply_t  r;

    n = 300000;
    big = judge_alloc(a, n + 1);
    for (i = 0; i + 2 <= n; i += 2) {
        memcpy(big + i, "\xc3\xa4", 2);
    }
    big[0] = 'x';
    big[1] = 'x';
    big[n] = '\0';

    r = t_read(a, JUDGE_FORMAT_SCHEMA, NULL,
               t_body(a, (judge_str_t) { n - 1, big + 1 }, "stop"));
    t_is_int((int64_t) r.start.len, 499, "the start is at most 500 bytes");
    t_ok(judge_utf8_check(r.start) == r.start.len,
         "the start that is kept ends with a whole character");

    judge_buf_init(&buf, a);
    judge_buf_c(&buf, "{\"criteria\":{\"");
    judge_buf_append(&buf, big, n);
    judge_buf_c(&buf, "\":{}}}");
    r = t_read(a, JUDGE_FORMAT_SCHEMA, NULL,
               t_body(a, judge_buf_view(&buf), "stop"));
    t_ok(r.reason.len <= 300 && judge_utf8_check(r.reason) == r.reason.len,
         "a reason is at most 300 bytes of whole characters");

    big[0] = '"';
    judge_buf_init(&buf, a);
    judge_buf_c(&buf, "{\"criteria\":{\"c1\":{\"score\":1,\"feedback\":");
    judge_buf_append(&buf, big, n);
    judge_buf_c(&buf, "\",\"evidence\":[");
    for (i = 0; i < 50; i++) {
        judge_buf_printf(&buf, "%s\"bees\"", i ? "," : "");
    }
    judge_buf_c(&buf, "]},\"c2\":{\"score\":1,\"feedback\":\"x\"},\"c3\":"
                      "{\"score\":1,\"feedback\":\"x\"}},\"summary\":\"x\","
                      "\"strengths\":[");
    for (i = 0; i < 50; i++) {
        judge_buf_printf(&buf, "%s\"bees\"", i ? "," : "");
    }
    judge_buf_c(&buf, "]}");
    r = t_read(a, JUDGE_FORMAT_SCHEMA, NULL,
               t_body(a, judge_buf_view(&buf), "stop"));
    t_is_str(r.reason, NULL, "a long answer is taken");
    t_is_int((int64_t) t_count(r.verdict.scores[0].feedback, "Evidence: "),
             10, "at most ten quotes of a criterion are kept");
    t_is_int((int64_t) r.verdict.nstrengths, 20, "20 strengths are kept");
    t_ok(r.verdict.scores[0].feedback.len < 5300,
         "feedback that is too long is cut");

    memset(big, '{', n);
    r = t_read(a, JUDGE_FORMAT_PLAIN, NULL,
               t_body(a, (judge_str_t) { n, big }, "stop"));
    t_is_int(r.outcome, JUDGE_REPLY_INVALID,
             "braces without an end are no answer");

    big = judge_calloc(a, JUDGE_REPLY_MAX + 1);
    r = t_read(a, JUDGE_FORMAT_PLAIN, NULL,
               (judge_str_t) { JUDGE_REPLY_MAX + 1, big });
    t_is_str(r.reason, "the answer is longer than 1048576 bytes",
             "an answer that is longer than what is read is refused");
}


static void
test_evidence(judge_arena_t *a)
{
    size_t       i;
    judge_str_t  text, quote;
    static const struct {
        const char  *quote;
        bool         found;
    } rows[] = {
        { "bees \"buzz\"", true },
        { "Dear all, bees", true },
        { "  dear\tALL,\n", true },
        { "\xe2\x80\x9e" "bees \xe2\x80\x9c" "buzz\xe2\x80\x9d", true },
        { "that isn't all", true },
        { "that isn\xe2\x80\x98t all", true },
        { "buzz\" - and", true },
        { "be\xc2\xad" "es\xe2\x80\x8b", true },
        { "bees\xc2\xa0\"buzz", true },
        { "Dear all ... The end.", true },
        { "dear [...] bees \xe2\x80\xa6 end", true },
        { "...bees...", true },
        { "The end. ... Dear all", false },
        { "bees ... bees", false },
        { "wasps", false },
        { "bees buzz", false },
        { "", false }, { "...", false }, { "\"\"", false }, { " ", false },
        { "\xff", false },
        { "Dear all, bees \"buzz\" - and that isn't all. The end. And more",
          false },
    };

    text = judge_quote_form(a, t_item.text);
    t_ok(text.data != NULL,
         "a text can be prepared for looking up quotes");

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        quote = judge_quote_form(a, judge_str_c(rows[i].quote));
        t_ok(judge_quote_stands(text, quote) == rows[i].found,
             "the quote is %s: %s", rows[i].found ? "found" : "not found",
             rows[i].quote);
    }

    t_ok(!judge_quote_stands(JUDGE_STR(""), JUDGE_STR("x")),
         "no quote is found in no text");
}


/* Quotes of an image can't be looked up. */

static void
test_no_text(judge_arena_t *a)
{
    judge_item_t            item = { .text = { 0, NULL } };
    judge_reply_t           r;
    judge_prompt_request_t  asked = { .rubric = &t_rubric, .item = &item };

    (void) judge_reply_read(a, &asked, t_body(a, judge_str_c(t_good), "stop"),
                            &r);
    t_is_int(r.outcome, JUDGE_REPLY_OK,
             "the answer for an item without text is taken");
    t_ok(t_count(r.verdict.scores[0].feedback, "Evidence: ") == 2
         && t_count(r.verdict.scores[0].feedback, "this passage is not") == 0
         && r.missing == 0, "quotes from an image are not marked as missing");
}


static void
test_provider(judge_arena_t *a)
{
    size_t                  i;
    judge_prompt_t          p;
    judge_provider_error_t  e;

    enum { S = JUDGE_NO_SCHEMA, O = JUDGE_NO_OBJECT,
           M = JUDGE_NO_MAX_TOKENS, T = JUDGE_NO_TEMPERATURE,
           D = JUDGE_NO_SEED, Y = JUDGE_NO_SYSTEM };
    static const struct {
        int          status;
        unsigned     had;              /* unsupported of the request */
        const char  *body, *kind;
        unsigned     unsupported;
        bool         transient;
    } rows[] = {
        { 400, 0, "{\"error\":{\"message\":\"Invalid parameter:"
          " 'response_format' of type 'json_schema' is not supported with"
          " this model.\",\"type\":\"invalid_request_error\",\"param\":null,"
          "\"code\":null}}", "feature", S, false },
        { 400, S, "{\"error\":\"'response_format.type' must be 'json_schema'"
          " or 'text'\"}", "feature", O, false },
        { 400, S | O, "{\"error\":\"'response_format.type' is bad\"}",
          "request", 0, false },
        { 422, 0, "{\"detail\":\"Extra inputs are not permitted:"
          " response_format\"}", "feature", S, false },
        { 500, 0, "{\"error\":{\"code\":500,\"message\":\"failed to parse"
          " grammar\",\"type\":\"server_error\"}}", "feature", S, false },
        { 400, 0, "{\"error\":{\"message\":\"Unsupported parameter:"
          " 'max_tokens' is not supported with this model. Use"
          " 'max_completion_tokens' instead.\",\"param\":\"max_tokens\","
          "\"code\":\"unsupported_parameter\"}}", "feature", M, false },
        { 400, M, "{\"error\":{\"message\":\"Use 'max_completion_tokens'\"}}",
          "request", 0, false },
        { 400, 0, "{\"error\":{\"message\":\"Unsupported value:"
          " 'temperature' does not support 0 with this model.\",\"param\":"
          "\"temperature\"}}", "feature", T, false },
        { 422, 0, "{\"message\":\"extra field: SEED\"}", "feature", D,
          false },
        { 400, 0, "{\"object\":\"error\",\"message\":\"System role not"
          " supported\",\"type\":\"BadRequestError\",\"code\":400}",
          "feature", Y, false },
        { 400, 0, "[{\"error\":{\"code\":400,\"message\":\"Developer"
          " instruction is not enabled\"}}]", "feature", Y, false },
        { 400, 0, "{\"error\":{\"message\":\"This model's maximum context"
          " length is 8192 tokens.\",\"code\":\"context_length_exceeded\"}}",
          "length", 0, false },
        { 400, 0, "{\"error\":{\"message\":\"the request exceeds the"
          " available context size\"}}", "length", 0, false },
        { 413, 0, "<html>", "length", 0, false },
        { 400, 0, "{\"error\":{\"message\":\"The response was filtered\","
          "\"code\":\"content_filter\"}}", "filter", 0, false },
        { 401, 0, "{\"error\":{\"message\":\"Incorrect API key\","
          "\"code\":\"invalid_api_key\"}}", "key", 0, false },
        { 403, 0, "", "key", 0, false },
        { 404, 0, "{\"error\":{\"code\":\"model_not_found\"}}", "model", 0,
          false },
        { 404, 0, "nothing here", "model", 0, false },
        { 429, 0, "{\"error\":{\"message\":\"You exceeded your current"
          " quota\",\"code\":\"insufficient_quota\"}}", "quota", 0, false },
        { 402, 0, "", "quota", 0, false },
        { 429, 0, "{\"error\":{\"message\":\"Rate limit reached for"
          " temperature\"}}", "rate", 0, true },
        { 500, 0, "oops", "server", 0, true },
        { 503, 0, "", "server", 0, true },
        { 529, 0, "{\"type\":\"error\",\"error\":{\"type\":"
          "\"overloaded_error\",\"message\":\"Overloaded\"}}", "server", 0,
          true },
        { 501, 0, "", "server", 0, false },
        { 408, 0, "", "server", 0, true },
        { 0, 0, "", "server", 0, true },
        { 400, 0, "{\"error\":{\"message\":\"messages: too few\"}}",
          "request", 0, false },
        { 400, 0, "", "request", 0, false },
        { 400, 0, "{\"error\":null,\"message\":[1]}", "request", 0, false },
        { 302, 0, "", "request", 0, false },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        p = (judge_prompt_t) { .has_temperature = true, .has_seed = true,
                               .max_tokens = 9, .unsupported = rows[i].had };

        t_is_int(judge_provider_error_read(a, rows[i].status,
                                           judge_str_c(rows[i].body), &p, &e),
                 JUDGE_OK, "error %zu of a provider can be read", i);
        t_is_str(judge_str_c(kinds[e.kind]), rows[i].kind,
                 "error %zu is of its kind", i);
        t_ok(e.unsupported == rows[i].unsupported
             && e.transient == rows[i].transient,
             "error %zu says what to leave out and whether to wait", i);
    }

    p = (judge_prompt_t) { .max_tokens = 0 };
    (void) judge_provider_error_read(a, 400, JUDGE_STR("bad temperature, seed"
                                     " and max_completion_tokens"), &p, &e);
    t_is_int(e.unsupported, 0, "what was not asked for is not left out");

    (void) judge_provider_error_read(a, 400, JUDGE_STR(
        " {\"error\":{\"message\":\"a \\n\\u0000 b\",\"type\":\"t\",\"code\":"
        "17,\"param\":\"p\"}}"), &p, &e);
    t_is_str(e.message, "a b", "the message of an error is put on one line");
    (void) judge_provider_error_read(a, 502, JUDGE_STR("<html>\n <b>Bad"),
                                     &p, &e);
    t_is_str(e.message, "<html> <b>Bad", "an error may be any text");
}


/* However a request is refused, leaving things out comes to an end. */

static void
test_falls_back(judge_arena_t *a)
{
    int                     rounds;
    judge_prompt_t          p = { .has_temperature = true, .has_seed = true,
                                  .max_tokens = 9 };
    judge_provider_error_t  e;

    for (rounds = 0; rounds < 10; rounds++) {
        (void) judge_provider_error_read(a, 400, JUDGE_STR("response_format,"
            " json_schema, json_object, temperature, seed, system role,"
            " max_completion_tokens"), &p, &e);
        if (e.kind != JUDGE_PROVIDER_FEATURE) {
            break;
        }
        p.unsupported |= e.unsupported;
    }

    t_is_int(rounds, 2,
             "a schema is given up first, then the object, then no more");
    t_is_int(p.unsupported, 0x3f,
             "all that can be left out is left out in the end");
}


/*
 * A model that repeats the item, before its answer or in it, changes
 * nothing; one that only repeats it gives no score where other words are
 * allowed.
 */

static void
t_injection(judge_arena_t *a, const char *name, judge_str_t text)
{
    judge_buf_t             buf;
    judge_item_t            item = { .text = text };
    judge_reply_t           r;
    judge_prompt_t          p = { .rubric = &t_rubric, .item = &item,
                                  .unsupported = JUDGE_NO_SCHEMA
                                           | JUDGE_NO_OBJECT };
    judge_json_writer_t     w;
    judge_prompt_request_t  request;

    if (judge_prompt_build(a, &p, &request) != JUDGE_OK) {
        t_ok(false, "%s: a request can be made with it", name);
        return;
    }

    (void) judge_reply_read(a, &request, t_body(a, text, "stop"), &r);
    t_is_int(r.outcome, JUDGE_REPLY_INVALID,
             "%s: a model that only repeats the item gives no score", name);

    judge_buf_init(&buf, a);
    judge_json_begin(&w, &buf);
    judge_json_str(&w, text);
    (void) judge_json_finish(&w);

    text = judge_str_printf(a, "{\"key\":\"%.*s\",\"criteria\":{\"c1\":{"
                            "\"score\":1,\"feedback\":%.*s,\"evidence\":["
                            "%.*s]},\"c2\":{\"score\":2,\"feedback\":\"x\"},"
                            "\"c3\":{\"score\":3,\"feedback\":\"x\"}},"
                            "\"summary\":\"s\"}", (int) request.key.len,
                            request.key.data, (int) buf.len, buf.data,
                            (int) buf.len, buf.data);
    (void) judge_reply_read(a, &request, t_body(a, text, "stop"), &r);
    t_ok(r.outcome == JUDGE_REPLY_OK && r.verdict.overall == 1.75,
         "%s: the item inside of an answer does not change its scores", name);

    request.key = (judge_str_t) { 0, NULL };
    (void) judge_reply_read(a, &request, t_body(a, text, "stop"), &r);
    t_ok(r.outcome == JUDGE_REPLY_OK && r.verdict.overall == 1.75,
         "%s: that holds where the answer is JSON, too", name);
}


static void
test_injections(judge_arena_t *a)
{
    int             n = 0;
    DIR            *dir = opendir(T_INJECTIONS);
    const char     *name;
    struct dirent  *entry;

    while (dir && (entry = readdir(dir))) {
        name = entry->d_name;
        if (name[0] != '.') {
            t_injection(a, name, golden_read(a, T_INJECTIONS, name));
            n++;
        }
    }

    t_ok(n >= 20 && closedir(dir) == 0, "at least 20 injections were tried");
}


int
main(void)
{
    judge_arena_t  *a = judge_arena_create(0);

    test_good(a);
    test_bad(a);
    test_not_json(a);
    test_plain(a);
    test_envelope(a);
    test_parts(a);
    test_lengths(a);
    test_evidence(a);
    test_no_text(a);
    test_provider(a);
    test_falls_back(a);
    test_injections(a);

    judge_arena_destroy(a);

    return t_done();
}
