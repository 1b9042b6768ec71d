/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The request to a language model: its words, its JSON, its forms; and that
 * no item can step out of its place in it.
 */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* memmem() */
#endif

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/text/utf8.h"
#include "analysis/llm/prompt.h"
#include "golden.h"
#include "tap.h"


#define T_INJECTIONS  "t/data/injection"
#define T_OPEN        "\xe2\x9f\xa6"
#define T_CLOSE       "\xe2\x9f\xa7"


static judge_str_t  t_examples[] = { judge_str("Says who did it.") };

static judge_criterion_t  t_criteria[] = {
    { .id = judge_str("crt_1"), .name = judge_str("Clarity"),
      .description = judge_str("Is it clear?"), .weight = 2,
      .has_thresholds = true, .excellent = 90, .good = 75, .fair = 50,
      .poor = 25.5, .examples = t_examples, .nexamples = 1 },
    { .id = judge_str("crt_2"), .name = judge_str("Tone"),
      .description = judge_str("Is it <|im_end|> polite?"), .weight = 1 },
    { .id = judge_str("crt_3"), .name = judge_str("Facts"),
      .description = judge_str("Is it true?"), .weight = 0.5 }
};

static judge_rubric_t  t_rubric = {
    .name = judge_str("Letters"), .description = judge_str("Our letters."),
    .criteria = t_criteria, .ncriteria = 3
};

static judge_item_t  t_item = { .text = judge_str("Dear all, bees buzz.") };


static judge_prompt_t
t_prompt(void)
{
    return (judge_prompt_t) { .model = judge_str("m-1"), .rubric = &t_rubric,
                              .item = &t_item };
}


static size_t
t_count(judge_str_t text, const char *piece)
{
    size_t       n;
    const char  *p, *end;

    end = text.data + text.len;

    for (n = 0, p = text.data;
         (p = memmem(p, (size_t) (end - p), piece, strlen(piece)));
         p += strlen(piece))
    {
        n++;
    }

    return n;
}


/* The body as a tree; and one of its messages. */

static judge_json_t *
t_build(judge_arena_t *a, const judge_prompt_t *p, judge_prompt_request_t *out)
{
    judge_str_t    error;
    judge_json_t  *root;

    if (judge_prompt_build(a, p, out) != JUDGE_OK
        || judge_json_parse(a, out->body, &root, &error) != JUDGE_OK)
    {
        t_ok(false, "a request can be built and is JSON");
        exit(t_done());
    }

    return root;
}


static judge_str_t
t_message(judge_json_t *root, size_t index, const char *role)
{
    judge_json_t  *m, *content, *said;

    m = judge_json_get(root, "messages")->first;

    while (m && index--) {
        m = m->next;
    }

    content = m ? judge_json_get(m, "content") : NULL;
    said = m ? judge_json_get(m, "role") : NULL;

    if (content == NULL || content->type != JUDGE_JSON_STRING
        || !judge_str_eq_c(said->string, role))
    {
        return (judge_str_t) { 0, "" };
    }

    return content->string;
}


static void
test_words(judge_arena_t *a)
{
    judge_str_t             system, user;
    judge_json_t           *root;
    judge_prompt_t          p = t_prompt();
    judge_prompt_request_t  out;

    root = t_build(a, &p, &out);
    system = t_message(root, 0, "system");
    user = t_message(root, 1, "user");

    t_is_int((int64_t) judge_json_get(root, "messages")->count, 2,
             "a request has two messages");
    t_is_str(judge_json_get(root, "model")->string, "m-1",
             "a request names the judge's model");
    t_ok(t_finds(system, "c1: Clarity (weight 2)\nIs it clear?\nThresholds:"
               " excellent from 90, good from 75, fair from 50, poor from"
               " 25.5\nFor example: Says who did it.\n"),
         "the rules show a criterion with its weight, thresholds and "
         "examples");
    t_ok(t_finds(system, "c3: Facts (weight 0.5)\n"),
         "the rules show a criterion that has no thresholds, too");
    t_ok(t_finds(system, "Our letters."),
         "the rules hold the judge's description");
    t_ok(!t_finds(system, "<|im_end|>"), "criteria are made harmless, too");
    t_ok(!t_finds(system, "Dear all"), "the item is not among the rules");
    t_ok(t_finds(user, " BEGIN" T_CLOSE "\nDear all, bees buzz.\n" T_OPEN
               "ITEM "), "the item stands in its fence");
    t_ok(memmem(system.data, system.len, "\"score\"", 7)
         < memmem(system.data, system.len, "\"feedback\": \"...\"", 17),
         "the score is asked for first");
    t_ok(!t_finds(user, "SOURCE"),
         "an item without a source has no part for one");
    t_ok(!t_finds(system, "REFERENCE") && !t_finds(system, "EXAMPLE"),
         "a judge without references or examples has no parts for them");
    t_ok(out.tokens > 300 && out.tokens < 2000,
         "the estimate of tokens is between 300 and 2,000");
    t_is_int((int64_t) out.altered, 0, "no text had to be altered");
}


static void
test_source_and_examples(judge_arena_t *a)
{
    double                  scores[] = { 80, -1, 12.345 };
    judge_str_t             system, user, references[] = {
        judge_str("A good letter."), judge_str("Another.")
    };
    judge_item_t            item = {
        .text = judge_str("Bees."), .source = judge_str("All about bees."),
        .question = judge_str("Who buzzes?"),
        .reference = judge_str("Bees do.")
    };
    judge_json_t           *root;
    judge_rubric_t          rubric = t_rubric;
    judge_prompt_t          p = t_prompt();
    judge_prompt_example_t  example = { judge_str("Old letter."), scores,
                                        judge_str("Too short.") };
    judge_prompt_request_t  out;

    rubric.references = references;
    rubric.nreferences = 2;
    p.rubric = &rubric;
    p.item = &item;
    p.examples = &example;
    p.nexamples = 1;

    root = t_build(a, &p, &out);
    system = t_message(root, 0, "system");
    user = t_message(root, 1, "user");

    t_is_int((int64_t) t_count(system, T_OPEN "REFERENCE "), 4,
             "each of two references has a fence that opens and closes");
    t_ok(t_finds(system, " BEGIN" T_CLOSE "\nAnother.\n" T_OPEN),
         "the second reference stands in its fence");
    t_ok(t_finds(system, " BEGIN" T_CLOSE "\nOld letter.\n" T_OPEN "EXAMPLE"),
         "an example stands in its fence");
    t_ok(t_finds(system, "Scores: c1 80 c3 12.35\n" T_OPEN "REASONS "),
         "an example shows the scores that are known");
    t_ok(t_finds(system, " BEGIN" T_CLOSE "\nToo short.\n" T_OPEN "REASONS"),
         "what people said of an example stands in a fence, too");
    t_ok(t_finds(user, " BEGIN" T_CLOSE "\nAll about bees.\n" T_OPEN "SOURCE"),
         "the item's source stands in its fence");
    t_ok(t_finds(user, "answers this question")
         && t_finds(user, "Who buzzes?"),
         "the user's message asks whether the item answers its question");
    t_ok(t_finds(user, "REFERENCE") && t_finds(user, "Bees do."),
         "the item's own reference is shown with it");
    t_ok(t_finds(user, " BEGIN" T_CLOSE "\nBees.\n" T_OPEN "ITEM"),
         "the item stands in its fence behind its source");
}


/* The schema as strict modes want it. */

static void
test_schema(judge_arena_t *a)
{
    judge_json_t           *root, *v, *c;
    judge_prompt_t          p = t_prompt();
    judge_prompt_request_t  out;

    root = t_build(a, &p, &out);
    t_is_int(out.format, JUDGE_FORMAT_SCHEMA,
             "an answer by a schema is asked for unless the model can't");
    t_is_str(out.key, NULL, "an answer by a schema needs no key");

    v = judge_json_get(root, "response_format");
    t_is_str(judge_json_get(v, "type")->string, "json_schema",
             "the response format has the type of a schema");
    v = judge_json_get(v, "json_schema");
    t_ok(judge_json_get(v, "strict")->boolean,
         "the schema is marked as strict");
    t_ok(judge_json_get(v, "name")->string.len > 0, "the schema has a name");
    v = judge_json_get(v, "schema");
    t_is_int((int64_t) judge_json_get(v, "required")->count, 5,
             "the schema requires five members");
    t_ok(!judge_json_get(v, "additionalProperties")->boolean,
         "the schema forbids other members");

    c = judge_json_get(judge_json_get(v, "properties"), "criteria");
    t_is_int((int64_t) judge_json_get(c, "required")->count, 3,
             "the schema requires each of the three criteria");
    c = judge_json_get(judge_json_get(c, "properties"), "c3");
    t_ok(c != NULL, "the schema describes the third criterion");
    t_is_str(judge_json_get(judge_json_get(c, "properties"), "score")->key,
             "score", "the schema of a criterion has a score");
    t_is_str(judge_json_get(c, "properties")->first->key, "score",
             "the score comes first in the schema of a criterion");
}


static void
test_forms(judge_arena_t *a)
{
    judge_str_t             first;
    judge_json_t           *root;
    judge_prompt_t          p = t_prompt();
    judge_prompt_request_t  out;

    p.has_temperature = true;
    p.temperature = 0.25;
    p.max_tokens = 700;
    p.has_seed = true;
    p.seed = 7;

    root = t_build(a, &p, &out);
    t_ok(judge_json_double(judge_json_get(root, "temperature")) == 0.25,
         "the request has the judge's temperature");
    t_is_int(judge_json_get(root, "max_tokens")->integer, 700,
             "the request has the judge's max_tokens");
    t_is_int(judge_json_get(root, "seed")->integer, 7,
             "the request has the judge's seed");
    t_ok(judge_json_get(root, "n") == NULL,
         "the request does not ask for more than one answer");

    p.unsupported = JUDGE_NO_SCHEMA | JUDGE_NO_MAX_TOKENS
              | JUDGE_NO_TEMPERATURE | JUDGE_NO_SEED;
    root = t_build(a, &p, &out);
    t_is_str(judge_json_get(judge_json_get(root, "response_format"),
                            "type")->string, "json_object",
             "a model without schemas is asked for a JSON object");
    t_is_int(judge_json_get(root, "max_completion_tokens")->integer, 700,
             "a model without max_tokens gets max_completion_tokens instead");
    t_ok(judge_json_get(root, "max_tokens") == NULL
         && judge_json_get(root, "temperature") == NULL
         && judge_json_get(root, "seed") == NULL,
         "what a model does not know is left out of its request");
    t_is_str(out.key, NULL, "an answer that is a JSON object needs no key");

    p.unsupported |= JUDGE_NO_OBJECT | JUDGE_NO_SYSTEM;
    root = t_build(a, &p, &out);
    t_ok(judge_json_get(root, "response_format") == NULL,
         "a model without JSON objects gets no response format");
    t_is_int((int64_t) judge_json_get(root, "messages")->count, 1,
             "a request has one message when there is no system role");
    t_ok(t_finds(t_message(root, 0, "user"), "c3: Facts")
         && t_finds(t_message(root, 0, "user"), "bees buzz"),
         "that one message holds the criteria and the item");
    t_is_int((int64_t) out.key.len, JUDGE_PROMPT_KEY_LEN,
             "an answer in plain text needs a key of full length");
    t_ok(memmem(t_message(root, 0, "user").data,
                t_message(root, 0, "user").len, out.key.data, out.key.len)
         != NULL, "the user's message tells the key");

    first = out.key;
    (void) t_build(a, &p, &out);
    t_ok(judge_str_eq(first, out.key),
         "the key is the same for the same item");

    p.item = &(judge_item_t) { .text = judge_str("Dear all, bees buzz!") };
    (void) t_build(a, &p, &out);
    t_ok(!judge_str_eq(first, out.key), "another item has another key");
}


static void
test_hash(judge_arena_t *a)
{
    judge_str_t             first, body;
    judge_item_t            other = { .text = judge_str("Other words.") };
    judge_rubric_t          rubric = t_rubric;
    judge_prompt_t          p = t_prompt();
    judge_prompt_request_t  out;

    (void) t_build(a, &p, &out);
    first = out.hash;
    body = out.body;
    t_is_int((int64_t) first.len, 64, "the hash of a request has 64 digits");

    (void) t_build(a, &p, &out);
    t_ok(judge_str_eq(body, out.body), "the same item makes the same request");

    p.item = &other;
    (void) t_build(a, &p, &out);
    t_ok(judge_str_eq(first, out.hash),
         "another item does not change the hash");
    t_ok(!judge_str_eq(body, out.body), "another item changes the request");

    other.source = JUDGE_STR("x");
    (void) t_build(a, &p, &out);
    t_ok(!judge_str_eq(first, out.hash),
         "an item with a source changes the hash, as the rules are others");
    other.source = (judge_str_t) { 0, NULL };
    other.question = JUDGE_STR("x");
    (void) t_build(a, &p, &out);
    t_ok(!judge_str_eq(first, out.hash),
         "an item with a question changes the hash");
    other.question = (judge_str_t) { 0, NULL };

    p.unsupported = JUDGE_NO_SCHEMA;
    (void) t_build(a, &p, &out);
    t_ok(!judge_str_eq(first, out.hash),
         "another form of the answer changes the hash");
    p.unsupported = 0;

    p.refused_answer = JUDGE_STR("x");
    p.refused_reason = JUDGE_STR("y");
    (void) t_build(a, &p, &out);
    t_ok(judge_str_eq(first, out.hash),
         "asking again does not change the hash");

    rubric.description = JUDGE_STR("Our other letters.");
    p.rubric = &rubric;
    (void) t_build(a, &p, &out);
    t_ok(!judge_str_eq(first, out.hash),
         "another description of the judge changes the hash");
}


static void
test_again(judge_arena_t *a)
{
    char                    text[3001];
    judge_json_t           *root;
    judge_prompt_t          p = t_prompt();
    judge_prompt_request_t  out;

    memset(text, 'x', sizeof(text));
    p.refused_answer = (judge_str_t) { 3001, text };
    p.refused_reason = JUDGE_STR("criteria.c2: is missing");
    root = t_build(a, &p, &out);

    t_is_int((int64_t) judge_json_get(root, "messages")->count, 4,
             "asking again adds two messages");
    t_is_int((int64_t) t_message(root, 2, "assistant").len, 2000,
             "the refused answer is repeated up to 2,000 bytes");
    t_ok(t_finds(t_message(root, 3, "user"),
               "can't be used: criteria.c2: is missing. Judge"),
         "the reason of the refusal is told");

    p.refused_answer = (judge_str_t) { 0, NULL };
    p.unsupported = JUDGE_NO_SCHEMA | JUDGE_NO_OBJECT;
    root = t_build(a, &p, &out);
    t_is_str(t_message(root, 2, "assistant"), "(no answer)",
             "the request says that there was no answer");
    t_ok(memmem(t_message(root, 3, "user").data,
                t_message(root, 3, "user").len, out.key.data, out.key.len)
         != NULL, "the key is told again when it is asked again");
}


static void
test_images(judge_arena_t *a)
{
    size_t                  i;
    judge_item_t            item = { .text = judge_str("") };
    judge_json_t           *root, *content, *url;
    judge_prompt_t          p = t_prompt();
    judge_prompt_image_t    images[17];
    judge_prompt_request_t  out;

    p.item = &item;
    p.images = images;
    p.nimages = 2;
    images[0] = (judge_prompt_image_t) { judge_str("image/png"),
                                         judge_str("\x89PNG\r\n\x1a\n") };
    images[1] = (judge_prompt_image_t) { judge_str("image/jpeg"),
                                         judge_str("\xff\xd8") };

    root = t_build(a, &p, &out);
    content = judge_json_get(judge_json_get(root, "messages")->first->next,
                             "content");
    t_is_int(content->type, JUDGE_JSON_ARRAY,
             "an item with images has its content in parts");
    t_is_int((int64_t) content->count, 3,
             "the text and each of two images are one part");
    t_is_str(judge_json_get(content->first, "type")->string, "text",
             "the first part is the text");
    url = judge_json_get(judge_json_get(content->last, "image_url"), "url");
    t_is_str(url->string, "data:image/jpeg;base64,/9g=",
             "the last part holds the second image as a data URL");
    t_ok(out.tokens > 2200, "images count in the estimate of tokens");

    for (i = 0; i < 17; i++) {
        images[i] = images[0];
    }

    p.nimages = 17;
    t_is_int(judge_prompt_build(a, &p, &out), JUDGE_INVALID,
             "a request with seventeen images is refused");

    p.nimages = 1;
    images[0].type = JUDGE_STR("image/svg+xml");
    t_is_int(judge_prompt_build(a, &p, &out), JUDGE_INVALID,
             "an image of a type that models can't read is refused");
    images[0].type = JUDGE_STR("image/png;x,");
    t_is_int(judge_prompt_build(a, &p, &out), JUDGE_INVALID,
             "a type that holds more than a type is refused");
    images[0] = (judge_prompt_image_t) { judge_str("image/png"),
                                         judge_str("") };
    t_is_int(judge_prompt_build(a, &p, &out), JUDGE_INVALID,
             "an image without bytes is refused");
}


static void
test_bounds(judge_arena_t *a)
{
    size_t                  i;
    judge_json_t           *root;
    judge_prompt_t          p = t_prompt();
    judge_rubric_t          rubric = t_rubric;
    judge_criterion_t       many[65];
    judge_prompt_request_t  out;

    for (i = 0; i < 65; i++) {
        many[i] = t_criteria[2];
    }

    p.rubric = &rubric;
    rubric.criteria = many;
    rubric.ncriteria = 64;
    root = t_build(a, &p, &out);
    t_ok(t_finds(t_message(root, 0, "system"), "c64: Facts"),
         "a judge with 64 criteria has all of them in its request");
    rubric.ncriteria = 65;
    t_is_int(judge_prompt_build(a, &p, &out), JUDGE_INVALID,
             "a judge with 65 criteria is refused");
    rubric.ncriteria = 0;
    t_is_int(judge_prompt_build(a, &p, &out), JUDGE_INVALID,
             "a judge without criteria is refused");

    rubric = t_rubric;
    p.item = &(judge_item_t) { .text = { 0, NULL } };
    root = t_build(a, &p, &out);
    t_ok(t_finds(t_message(root, 1, "user"), "BEGIN" T_CLOSE "\n\n" T_OPEN),
         "an absent text is an empty one");
}


static void
test_harmless(judge_arena_t *a)
{
    size_t       i, altered;
    judge_buf_t  buf;
    static const struct {
        const char  *text, *want;
        size_t       altered;
    } rows[] = {
        { "a < b && [1] <b>", "a < b && [1] <b>", 0 },
        { "<|x|>", "<\xe2\x80\x8b|x|>", 1 },
        { "[INST][inst]", "[\xe2\x80\x8bINST][\xe2\x80\x8binst]", 2 },
        { "</S>", "<\xe2\x80\x8b/S>", 1 },
        { "a\r\nb\rc\x0b" "d", "a\nb\nc\nd", 0 },
        { "\xe2\x9f\xa6x\xe2\x9f\xa7", "[[x]]", 2 },
        { "a\x01\x02" "b\x03", "a\xef\xbf\xbd" "b\xef\xbf\xbd", 2 },
        { "<\xe2\x80\xaa|im_start|>", "<\xe2\x80\x8b|im_start|>", 1 },
        { "\xe2\x9d\xa4\xef\xb8\x8f!", "\xe2\x9d\xa4\xef\xb8\x8f!", 0 },
        { "x\xef\xb8\x8f\xef\xb8\x8f!", "x\xef\xb8\x8f!", 1 },
        { "\xff<|", "\xef\xbf\xbd<\xe2\x80\x8b|", 1 },
        { "tab\there\n", "tab\there\n", 0 },
        { "<", "<", 0 }, { "[", "[", 0 }, { "", "", 0 }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        altered = 0;
        judge_buf_init(&buf, a);
        judge_delimiter_text(&buf, judge_str_c(rows[i].text), &altered);
        t_is_str(buf.len ? judge_buf_view(&buf) : JUDGE_STR(""),
                 rows[i].want,
                 "row %zu holds nothing that looks like a delimiter any more",
                 i);
        t_is_int((int64_t) altered, (int64_t) rows[i].altered,
                 "each change of row %zu is counted", i);
    }
}


static void
test_fence(judge_arena_t *a)
{
    judge_str_t        text, two[2];
    judge_delimiter_t  f, g;

    two[0] = JUDGE_STR("ab");
    two[1] = JUDGE_STR("c");
    t_is_int(judge_delimiter_make(&f, two, 2), JUDGE_OK,
             "a fence can be made for two texts");
    t_is_int((int64_t) strlen(f.number), JUDGE_DELIMITER_LEN,
             "the number of a fence has its full length");

    two[0] = JUDGE_STR("a");
    two[1] = JUDGE_STR("bc");
    (void) judge_delimiter_make(&g, two, 2);
    t_ok(strcmp(f.number, g.number) != 0,
         "other texts have another fence, though joined they are the same");

    text = judge_str_printf(a, "ab %s", f.number);
    (void) judge_delimiter_make(&g, &text, 1);
    t_ok(!t_finds(text, g.number),
         "a text that holds its own fence gets another one");
}


static void
test_tokens(void)
{
    t_is_int(judge_prompt_tokens(JUDGE_STR("")), 0,
             "an empty text has no tokens");
    t_is_int(judge_prompt_tokens(JUDGE_STR("abcde")), 2,
             "five ASCII letters count as two tokens");
    t_is_int(judge_prompt_tokens(JUDGE_STR("\xc3\xa4\xc3\xb6")), 1,
             "two letters of two bytes count as one token");
    t_is_int(judge_prompt_tokens(JUDGE_STR("\xe4\xb8\xad")), 1,
             "a character of three bytes counts as one token");
    t_is_int(judge_prompt_tokens(JUDGE_STR("\xf0\x9f\x90\x9d")), 2,
             "a character of four bytes counts as two tokens");
}


/* What a body must be like with an item in it that wants out. */

static void
t_injection(judge_arena_t *a, const char *name, judge_str_t text,
    unsigned unsupported)
{
    bool                    clean;
    judge_str_t             user, inside;
    const char             *begin, *end, *p;
    judge_item_t            item = { .text = text };
    judge_json_t           *root;
    judge_prompt_t          p0 = t_prompt();
    judge_prompt_request_t  out;

    p0.item = &item;
    p0.unsupported = unsupported;
    root = t_build(a, &p0, &out);
    user = t_message(root, 1, "user");

    t_is_int((int64_t) judge_json_get(root, "messages")->count, 2,
             "%s: the item adds no message to the two", name);
    t_ok(user.len > 0 && t_message(root, 0, "system").len > 0,
         "%s: one message is the system's, one the user's", name);
    t_is_int((int64_t) t_count(user, T_OPEN), 2,
             "%s: exactly one fence opens and ends", name);
    t_is_int((int64_t) t_count(user, T_CLOSE), 2,
             "%s: each mark of the fence is closed", name);

    begin = memmem(user.data, user.len, T_CLOSE "\n", 4);
    end = begin ? memmem(begin, (size_t) (user.data + user.len - begin),
                         "\n" T_OPEN "ITEM ", 9) : NULL;

    if (end == NULL) {
        t_ok(false, "%s: the user's message has the item in a fence", name);
        return;
    }

    inside = (judge_str_t) { (size_t) (end - begin), begin };
    clean = judge_utf8_check(inside) == inside.len;

    for (p = begin; clean && p < end; p++) {
        clean = (unsigned char) *p >= 0x20 || *p == '\n' || *p == '\t';
    }

    t_ok(clean, "%s: nothing but text is inside", name);
    t_ok(!t_finds(inside, "<|") && !t_finds(inside, "[INST]")
         && !t_finds(inside, "<\xef\xbd\x9c") && !t_finds(inside, "<s>")
         && !t_finds(inside, "<start_of_turn") && !t_finds(inside, "<think>")
         && !t_finds(inside, "[TOOL_CALLS]") && !t_finds(inside, "<<SYS>>"),
         "%s: no special token of a model is inside", name);
    t_ok(!t_finds(inside, "\xf3\xa0\x81") && !t_finds(inside, "\xf3\xa0\x80")
         && !t_finds(inside, "\xf3\xa0\x84")
         && !t_finds(inside, "\xe2\x80\xae"),
         "%s: no character that nobody sees is inside", name);
    t_ok(out.key.data == NULL
         || !memmem(text.data, text.len, out.key.data, out.key.len),
         "%s: the text does not hold the key", name);
}


static void
test_injections(judge_arena_t *a)
{
    int             n;
    DIR            *dir;
    judge_str_t     text;
    struct dirent  *entry;

    dir = opendir(T_INJECTIONS);
    n = 0;

    while (dir && (entry = readdir(dir))) {
        if (entry->d_name[0] == '.') {
            continue;
        }

        text = golden_read(a, T_INJECTIONS, entry->d_name);
        t_ok(text.len > 0, "%s can be read and is not empty", entry->d_name);
        t_injection(a, entry->d_name, text, 0);
        t_injection(a, entry->d_name, text,
                    JUDGE_NO_SCHEMA | JUDGE_NO_OBJECT);
        n++;
    }

    if (dir) {
        (void) closedir(dir);
    }

    t_ok(n >= 20, "at least 20 injections were tried");
}


int
main(void)
{
    judge_arena_t  *a;

    a = judge_arena_create(0);

    test_words(a);
    test_source_and_examples(a);
    test_schema(a);
    test_forms(a);
    test_hash(a);
    test_again(a);
    test_images(a);
    test_bounds(a);
    test_harmless(a);
    test_fence(a);
    test_tokens();
    test_injections(a);

    judge_arena_destroy(a);

    return t_done();
}
