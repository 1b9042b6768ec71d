/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Graders of OpenAI's Evals: templates, formulas, similarities, and what is
 * asked of models and made of their answers. */


#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/checks/similar.h"
#include "extensions/openai/openai_grader.h"
#include "../api/fault.h"
#include "tap.h"


#define ITEM  "{\"question\":\"Where?\",\"answer\":\"Paris\",\"n\":7,"        \
              "\"a b\":[{\"c\":\"deep\"}],\"list\":[1,2],\"x\":null,"         \
              "\"bad\":\"{{item.answer}}\"}"
#define UNENDED  " expected two closing brackets"
#define UNKNOWN  " expected item or sample, such as {{item.question}} or"     \
                 " {{sample.output_text}}"
#define UNREAD   " expected names behind dots, or numbers and quoted names"   \
                 " in brackets"
#define SAMPLE  "{\"output_text\":\"{\\\"y\\\":[\\\"why\\\"]}\"}"


static judge_llm_t             models[] = { { .name = judge_str("m") } };
static const judge_settings_t  settings = { .models = models, .nmodels = 1 };


static judge_allowance_t       plenty = { .steps = UINT64_MAX,
                                          .bytes = SIZE_MAX };


static judge_json_t *
parsed(judge_arena_t *a, const char *text)
{
    judge_json_t  *v;

    return judge_json_parse(a, judge_str_c(text), &v, NULL) == JUDGE_OK
           ? v : NULL;
}


static judge_rc_e
parse(judge_arena_t *a, const judge_json_t *value, judge_openai_parse_t *p,
    judge_str_t *error)
{
    *p = (judge_openai_parse_t) {
        .arena = a, .settings = &settings, .path = JUDGE_STR("g"),
        .error = error
    };
    *error = (judge_str_t) { 0, NULL };

    return judge_openai_grader_parse(p, value);
}


/* Prepares the grades, and lists the calls that are due. */

static judge_rc_e
prepare(const judge_openai_parse_t *p, const openai_subject_t *subject,
    openai_grade_t *grades, openai_call_t **calls, size_t *n)
{
    size_t      i;
    judge_rc_e  rc;

    memset(grades, 0, p->n * sizeof(openai_grade_t));
    rc = judge_openai_graders_prepare(p->first, subject, grades);

    for (i = 0, *n = 0; i < p->n && rc == JUDGE_OK; i++) {
        if (judge_openai_call_due(&grades[i].call)) {
            calls[(*n)++] = &grades[i].call;
        }
    }

    return rc;
}


static void
templates(judge_arena_t *a)
{
    size_t            i;
    judge_rc_e        rc;
    judge_str_t       out, error;
    openai_subject_t  subject, none = { .arena = a };
    static const struct {
        const char  *text, *out;       /* out NULL: */
        const char  *error;
    } rows[] = {
        { "", "", NULL },
        { "plain { text }", "plain { text }", NULL },
        { "{{item.question}}", "Where?", NULL },
        { "<{{ item.n }}|{{item.list}}>", "<7|[1,2]>", NULL },
        { "{{ item['a b'][0].c }}", "deep", NULL },
        { "{{item[\"answer\"]}}", "Paris", NULL },
        { "{{item.x}}", "null", NULL },
        { "{{item.bad}}", "{{item.answer}}", NULL },     /* not read again */
        { "{{sample.output_json.y[0]}}", "why", NULL },
        { "{{sample.output_text}}", "{\"y\":[\"why\"]}", NULL },
        { "{{item.no}}", NULL, "{{item.no}} is not in the item" },
        { "{{item.list[2]}}", NULL, "{{item.list[2]}} is not in the item" },
        { "{{item.n.m}}", NULL, "{{item.n.m}} is not in the item" },
        { "{{sample.output_json.z}}", NULL,
          "{{sample.output_json.z}} is not in the sample" },
        { "{{item.x", NULL, "{{item.x}} does not end;" UNENDED },
        { "{{other.x}}", NULL, "{{other.x}} is unknown;" UNKNOWN },
        { "{{}}", NULL, "{{}} is unknown;" UNKNOWN },
        { "{{item x}}", NULL, "{{item x}} can't be read;" UNREAD },
        { "{{item[x]}}", NULL, "{{item[x]}} can't be read;" UNREAD },
        { "{{item['x}}", NULL, "{{item['x}} can't be read;" UNREAD },
        { "{{item.}}", NULL, "{{item.}} can't be read;" UNREAD },
        { "{{item[0}}", NULL, "{{item[0}} can't be read;" UNREAD },
        { "{{item[}}", NULL, "{{item[}} can't be read;" UNREAD },
        { "{{item[-1]}}", NULL, "{{item[-1]}} can't be read;" UNREAD },
        { "{{item[99999999]}}", NULL,
          "{{item[99999999]}} can't be read;" UNREAD },
    };

    subject = (openai_subject_t) { .arena = a, .item = parsed(a, ITEM) };
    t_ok(judge_openai_subject_sample(&subject, parsed(a, SAMPLE)) == JUDGE_OK,
         "the text of a sample is parsed");

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        error = (judge_str_t) { 0, NULL };
        rc = judge_openai_template_render(&subject, judge_str_c(rows[i].text),
                                          false, &out, &error);
        t_is_str(rc == JUDGE_OK ? out : (judge_str_t) { 0, NULL },
                 rows[i].out,
                 "the template is filled or not: %s", rows[i].text);
        t_is_str(error, rows[i].error,
                 "the error of the template is told: %s", rows[i].text);

        if (rows[i].error && strstr(rows[i].error, "not in") == NULL) {
            t_ok(judge_openai_template_render(&none, judge_str_c(rows[i].text),
                                              false, &out, &error)
                 == JUDGE_INVALID,
                 "a template that can't be read is refused without an item: "
                 "%s", rows[i].text);
        }
    }

    rc = judge_openai_template_render(&subject,
                                      JUDGE_STR("See {{item.question}}!"),
                                      true, &out, &error);
    t_ok(rc == JUDGE_OK && strstr(out.data, " BEGIN\xe2\x9f\xa7\nWhere?\n"),
         "what is filled into a template for a model stands in a fence");
}


/* The text of a model is parsed once, whatever a template asks of it. */

static void
outputs(void)
{
    size_t            i, size;
    judge_rc_e        rc;
    judge_arena_t    *a;
    judge_buf_t       text, answer;
    judge_str_t       out, error;
    openai_subject_t  subject;

    a = judge_arena_create(65536);
    judge_buf_init(&text, a);
    judge_buf_init(&answer, a);
    judge_buf_c(&answer, "{\"output_text\":\"[0,\\\"x\\\"");
    for (i = 0; i < 1000; i++) {
        judge_buf_c(&text, "{{sample.output_json[1]}}");
        judge_buf_c(&answer, ",7");
    }
    judge_buf_c(&answer, "]\"}");
    judge_buf_append(&answer, "", 1);

    subject = (openai_subject_t) { .arena = a };
    size = judge_arena_size(a);
    rc = judge_openai_subject_sample(&subject, parsed(a, answer.data));

    for (i = 0; i < 20 && rc == JUDGE_OK; i++) {
        rc = judge_openai_template_render(&subject, judge_buf_view(&text),
                                          false, &out, &error);
    }

    t_ok(rc == JUDGE_OK && out.len == 1000 && judge_arena_size(a) - size
                                              < 1024 * 1024,
         "20,000 references to the text of a model parse it once");
    judge_arena_destroy(a);
}


static void
formulas(void)
{
    char         deep[300];
    double       v;
    size_t       i;
    const char  *error;
    static const judge_str_t  names[] = {
        judge_str("a"), judge_str("b_2"), judge_str("min")
    };
    static const double  values[] = { 0.5, 4, 9 };
    static const struct {
        const char  *text;
        double       value;
        const char  *error;            /* a part of it */
    } rows[] = {
        { "a", 0.5, NULL },
        { "a + 0.5*b_2", 2.5, NULL },
        { "1 - 2 - 3", -4, NULL },
        { "2 ^ 3 ^ 2", 512, NULL },
        { "-2 ^ 2", -4, NULL },
        { "2 ^ -1", 0.5, NULL },
        { "8 / 4 / 2", 1, NULL },
        { "(a + 1) * -b_2", -6, NULL },
        { "max(a, b_2, 3)", 4, NULL },
        { "min + 1", 10, NULL },          /* a grader of that name */
        { "abs(-3) + floor(1.5) + ceil(1.5)", 6, NULL },
        { "sqrt(b_2) + exp(0) + log(1)", 3, NULL },
        { "c", 0, "names of its graders" },
        { "sin(a)", 0, "functions min" },
        { "", 0, "a name, a" },
        { "a b_2", 0, "an operator" },
        { "(a", 0, "closing" },
        { "a +", 0, "a name, a" },
        { "1.2.3", 0, "a number such" },
        { "max(a,)", 0, "a name, a" },
        { "sqrt(a, a)", 0, "closing" },
        { "1 / (a - 0.5)", 0, "no finite value" },
        { "log(0 - a)", 0, "no finite value" },
        { "10 ^ 999", 0, "no finite value" },
        { "__import__('os')", 0, "names of its graders" },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        error = judge_openai_calculate(judge_str_c(rows[i].text), names,
                                       values, 3, &v);
        t_ok(rows[i].error ? error && strstr(error, rows[i].error)
                           : error == NULL && fabs(v - rows[i].value) < 1e-9,
             "the formula has the value or the error: %s: %s", rows[i].text,
             error ? error : "its value");
        error = judge_openai_calculate(judge_str_c(rows[i].text), names, NULL,
                                       3, &v);
        t_is_int(error == NULL, rows[i].error == NULL
                                || strstr(rows[i].error, "finite") != NULL,
                 "an error is seen before there are values: %s", rows[i].text);
    }

    memset(deep, '(', sizeof(deep));
    error = judge_openai_calculate((judge_str_t) { sizeof(deep), deep }, names,
                                   values, 3, &v);
    t_ok(error && strstr(error, "too deeply"),
         "a formula that is nested too deeply is refused");
}


static size_t
metric(const char *name)
{
    size_t  i = 0;

    while (strcmp(judge_like_graders[i], name) != 0) {
        i++;
    }

    return JUDGE_LIKE_GRADERS + i;
}


/* The values of fuzzy_match are from RapidFuzz 3.14.5 (its Python part), those
 * of bleu from SacreBLEU 2.6.0, those of gleu and meteor from NLTK 3.8 with
 * the tokens of SacreBLEU (meteor: in small letters, with a stemmer and a
 * WordNet that know nothing).  Those of rouge were computed by a script of its
 * own from the definition in rouge-score, without its stemmer. */

static void
similarities(judge_arena_t *a)
{
    double      like;
    size_t      i, k;
    judge_rc_e  rc;
    static const char *const  metrics[] = {
        "fuzzy_match", "bleu", "gleu", "meteor", "rouge_1", "rouge_2",
        "rouge_3", "rouge_4", "rouge_5", "rouge_l"
    };
    static const struct {
        const char  *text, *reference;
        double       like[10];
    } rows[] = {
        { "The cat sat on the mat.", "The cat is sitting on the mat.",
          { 0.830189, 0.423837, 0.500000, 0.745429, 0.769231, 0.545455,
            0.222222, 0.000000, 0.000000, 0.769231 } },
        { "It costs $1,299.50 (plus tax), doesn't it?",
          "It cost 1,299.50 dollars plus tax; doesn't it?",
          { 0.840909, 0.172422, 0.261905, 0.622249, 0.857143, 0.631579,
            0.470588, 0.266667, 0.153846, 0.857143 } },
        { "the quick brown fox jumps over the lazy dog",
          "The quick brown dog jumps over the lazy fox",
          { 0.883721, 0.381417, 0.500000, 0.956104, 1.000000, 0.625000,
            0.428571, 0.166667, 0.000000, 0.777778 } },
        { "Hardware", "hardware",
          { 0.875000, 0.000000, 0.000000, 0.500000, 1.000000, 0.000000,
            0.000000, 0.000000, 0.000000, 1.000000 } },
        { "", "a word", { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 } },
        { "Paris", "The capital of France is Paris.",
          { 0.277778, 0.002479, 0.045455, 0.078125, 0.285714, 0.000000,
            0.000000, 0.000000, 0.000000, 0.285714 } },
        { "state-of-the-art 5-fold R&amp;D <b>x</b>",
          "state of the art 5-fold R&D <b>y</b>",
          { 0.842105, 0.592890, 0.606061, 0.733126, 0.869565, 0.666667,
            0.526316, 0.470588, 0.400000, 0.869565 } },
        { "A B C D A B C D", "A B C D",
          { 0.636364, 0.345721, 0.384615, 0.901989, 0.666667, 0.600000,
            0.500000, 0.333333, 0.000000, 0.666667 } },
        /* Each ideograph is a word of ROUGE; SacreBLEU splits at spaces. */
        { "日本語 abc", "中国語 abc",
          { 0.714286, 0.500000, 0.333333, 0.250000, 0.500000, 0.333333,
            0.000000, 0.000000, 0.000000, 0.500000 } },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        for (k = 0; k < sizeof(metrics) / sizeof(metrics[0]); k++) {
            rc = judge_like(a, &plenty, metric(metrics[k]), 0,
                            judge_str_c(rows[i].text),
                            judge_str_c(rows[i].reference), &like);
            t_ok(rc == JUDGE_OK && fabs(like - rows[i].like[k]) < 1e-6,
                 "%s: %s is %.6f, and %.6f", metrics[k],
                 rows[i].text, like, rows[i].like[k]);
        }
    }

    t_ok(judge_like(a, &plenty, metric("cosine"), 0,
                    JUDGE_STR("The dog barked at the cat."),
                    JUDGE_STR("The dog barked at the cat."), &like)
         == JUDGE_OK && like > 0.999, "the same text has the same meaning");
    t_ok(judge_like(a, &plenty, metric("cosine"), 0, JUDGE_STR("xyzzyx"),
                    JUDGE_STR("The dog barked."), &like)
         == JUDGE_NOT_FOUND,
         "the meaning of a text without a known word is not known");
    t_ok(judge_like(a, &plenty, metric("cosine"), 0, JUDGE_STR(""),
                    JUDGE_STR("The dog barked."), &like)
         == JUDGE_OK && like == 0, "an empty text has no meaning");
}


/* What a grader makes of the item and the sample, with one reply. */

static void
grades(judge_arena_t *a)
{
    size_t              i, n;
    judge_rc_e          rc;
    openai_call_t       none, *calls[JUDGE_OPENAI_PARTS];
    openai_grade_t      all[JUDGE_OPENAI_PARTS + 1], grade;
    judge_str_t         error;
    openai_subject_t    subject;
    judge_openai_parse_t  p;
    static const struct {
        const char      *text;
        const char      *reply;
        double           score;
        bool             passed;
        openai_fault_e   fault;
    } rows[] = {
#define CHECK(op, in, ref)                                                    \
    "{\"type\":\"string_check\",\"name\":\"n\",\"operation\":\"" op "\","     \
    "\"input\":\"" in "\",\"reference\":\"" ref "\"}"
        { CHECK("eq", "{{item.answer}}", "Paris"), NULL, 1, true, 0 },
        { CHECK("eq", "{{item.answer}}", "paris"), NULL, 0, false, 0 },
        { CHECK("ne", "{{item.answer}}", "paris"), NULL, 1, true, 0 },
        { CHECK("like", "In {{item.answer}}.", "Paris"), NULL, 1, true, 0 },
        { CHECK("like", "In {{item.answer}}.", "paris"), NULL, 0, false, 0 },
        { CHECK("ilike", "In {{item.answer}}.", "pArIs"), NULL, 1, true, 0 },
        { CHECK("ilike", "GRÖSSE", "größe"), NULL, 0, false, 0 },
        { CHECK("ilike", "ÄRGER", "ärger"), NULL, 1, true, 0 },
        { CHECK("eq", "{{item.none}}", "x"), NULL, 0, false,
          JUDGE_OPENAI_FAULT_SAMPLE },
#define SIMILAR(more)                                                         \
    "{\"type\":\"text_similarity\",\"name\":\"n\",\"input\":\"a b\","         \
    "\"reference\":\"a c\",\"evaluation_metric\":\"rouge_1\"" more "}"
        { SIMILAR(""), NULL, 0.5, true, 0 },
        { SIMILAR(",\"pass_threshold\":0.6"), NULL, 0.5, false, 0 },
#define MODEL(type, more)                                                     \
    "{\"type\":\"" type "\",\"name\":\"n\",\"model\":\"m\",\"input\":["       \
    "{\"role\":\"developer\",\"content\":\"Grade.\"},{\"role\":\"user\","     \
    "\"content\":{\"type\":\"input_text\",\"text\":\"{{item.answer}}\"}}],"   \
    more "}"
#define LABEL  MODEL("label_model", "\"labels\":[\"good\",\"bad\"],"          \
                     "\"passing_labels\":[\"good\"]")
        { LABEL, "{\"steps\":[],\"result\":\"good\"}", 1, true, 0 },
        { LABEL, "{\"steps\":[],\"result\":\"bad\"}", 0, false, 0 },
        { LABEL, "<think>Hm.</think>{\"steps\":[],\"result\":\"good\"}",
          1, true, 0 },
        { LABEL, "{\"result\":\"fine\"}", 0, false, JUDGE_OPENAI_FAULT_REPLY },
        { LABEL, "good", 0, false, JUDGE_OPENAI_FAULT_REPLY },
        { LABEL, NULL, 0, false, JUDGE_OPENAI_FAULT_SERVER },
#define SCORE  MODEL("score_model", "\"range\":[0,10],\"pass_threshold\":6")
        { SCORE, "{\"steps\":[],\"result\":6}", 6, true, 0 },
        { SCORE, "{\"steps\":[],\"result\":5.5}", 5.5, false, 0 },
        { SCORE, "{\"result\":11}", 10, true, 0 },
        { SCORE, "{\"result\":\"x\"}", 0, false, JUDGE_OPENAI_FAULT_REPLY },
#define MULTI(formula, second)                                                \
    "{\"type\":\"multi\",\"name\":\"n\",\"calculate_output\":\"" formula      \
    "\",\"graders\":{\"one\":" CHECK("eq", "{{item.answer}}", "Paris")        \
    ",\"two\":" second "}}"
        { MULTI("0.25 * one + two / 10", SCORE), "{\"result\":5}", 0.75, true,
          0 },
        { MULTI("one - two", SCORE), "{\"result\":10}", -9, false, 0 },
        { MULTI("one / two", SCORE), "{\"result\":0}", 0, false,
          JUDGE_OPENAI_FAULT_FORMULA },
        { MULTI("one", SCORE), NULL, 0, false, JUDGE_OPENAI_FAULT_SERVER },
        { "{\"type\":\"judge\",\"name\":\"n\",\"judge_id\":\"j\","
          "\"input\":\"{{item.answer}}\",\"pass_threshold\":70}", "70", 70,
          true, 0 },
    };

    subject = (openai_subject_t) { .arena = a, .item = parsed(a, ITEM),
                                   .allowance = &plenty };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        rc = parse(a, parsed(a, rows[i].text), &p, &error);
        t_ok(rc == JUDGE_OK,
             "the grader can be read: %s: %.*s", rows[i].text, (int) error.len,
             error.data ? error.data : "");
        if (rc != JUDGE_OK) {
            continue;
        }

        calls[0] = &none;
        rc = prepare(&p, &subject, all, calls, &n);
        t_ok(rc == JUDGE_OK && n <= 1,
             "a grader asks once at most: %s", rows[i].text);

        if (n && rows[i].reply) {
            calls[0]->text = judge_str_c(rows[i].reply);
        } else if (n) {
            calls[0]->error = JUDGE_STR("down");
        }

        calls[0]->score = 70;
        rc = judge_openai_graders_grade(p.first, &subject, all);
        grade = all[p.n - 1];
        t_ok(rc == JUDGE_OK && fabs(grade.score - rows[i].score) < 1e-9
             && grade.passed == rows[i].passed
             && grade.fault == rows[i].fault
             && (grade.error.data != NULL) == (grade.fault != 0),
             "the grade is %g, %s, fault %d: %.*s", grade.score,
             grade.passed ? "passed" : "not passed", (int) grade.fault,
             (int) grade.error.len, grade.error.data ? grade.error.data : "");

        if (n && calls[0]->grader->model.data) {
            t_ok(parsed(a, judge_str_dup(a, calls[0]->messages).data)
                 && strstr(calls[0]->messages.data, "BEGIN")
                 && parsed(a, judge_str_dup(a, calls[0]->grader->format).data),
                 "a grader asks in JSON, with the text fenced");
        }
    }
}


/* What similarities cost is bounded: steps of all of an item, and memory of
 * each. */

static void
costs(void)
{
    size_t              i, size, n;
    judge_rc_e          rc;
    judge_buf_t         item;
    judge_str_t         error;
    judge_arena_t      *a;
    openai_call_t      *call;
    openai_grade_t      grade;
    openai_subject_t    subject;
    judge_openai_parse_t  p;
    judge_allowance_t   some = { .steps = 600 * 1000, .bytes = 20000 };

    a = judge_arena_create(65536);
    judge_buf_init(&item, a);
    judge_buf_c(&item, "{\"x\":\"");
    for (i = 0; i < 1000; i++) {
        judge_buf_c(&item, "word ");
    }
    judge_buf_append(&item, "\"}", 3);

    subject = (openai_subject_t) { .arena = a, .item = parsed(a, item.data),
                                   .allowance = &some };
    rc = parse(a, parsed(a, "{\"type\":\"text_similarity\",\"name\":\"n\","
                            "\"input\":\"{{item.x}}\",\"reference\":"
                            "\"{{item.x}}\",\"evaluation_metric\":"
                            "\"bleu\"}"),
               &p, &error);
    size = judge_arena_size(a);

    for (i = 0; i < 2 && rc == JUDGE_OK; i++) {
        rc = prepare(&p, &subject, &grade, &call, &n);
        rc = rc ? rc : judge_openai_graders_grade(p.first, &subject, &grade);
        t_ok(rc == JUDGE_OK
             && grade.fault == (i ? JUDGE_OPENAI_FAULT_OTHER
                                  : JUDGE_OPENAI_FAULT_NONE)
             && (grade.error.data == NULL) == (i == 0),
             "a similarity is graded while steps are left: %zu", i);
    }

    t_ok(judge_openai_template_render(&subject, JUDGE_STR("{{item.x}}"), false,
                                      &error, &error) == JUDGE_INVALID,
         "no template is rendered when no bytes are left");
    t_ok(judge_arena_size(a) - size < 65536,
         "an item keeps no memory that its similarities needed: %zu bytes",
         judge_arena_size(a) - size);
    judge_arena_destroy(a);
}


static void
refusals(judge_arena_t *a)
{
    size_t            i;
    judge_rc_e        rc;
    judge_str_t       error, param;
    judge_openai_parse_t  p;
    static const struct {
        const char  *text, *param;
    } rows[] = {
        { "[]", "type" },
        { "{}", "type" },
        { "{\"type\":\"python\",\"source\":\"x\"}", "type" },
        { "{\"type\":\"string_check\"}", "name" },
        { CHECK("is", "x", "y"), "operation" },
        { CHECK("eq", "{{x}}", "y"), "input" },
        { CHECK("eq", "x", "{{item.a"), "reference" },
        { "{\"type\":\"label_model\",\"name\":\"n\",\"model\":\"other\","
          "\"input\":[{\"role\":\"user\",\"content\":\"x\"}],"
          "\"labels\":[\"a\"],\"passing_labels\":[\"a\"]}",
          "model" },
        { SIMILAR(",\"pass_threshold\":2"), "pass_threshold" },
        { MODEL("label_model", "\"labels\":[\"a\"],\"passing_labels\":"
                "[\"b\"]"), "passing_labels" },
        { MODEL("score_model", "\"range\":[1,1]"), "range" },
        { "{\"type\":\"score_model\",\"name\":\"n\",\"model\":\"m\","
          "\"input\":[]}", "input" },
        { "{\"type\":\"score_model\",\"name\":\"n\",\"model\":\"m\","
          "\"input\":[{\"role\":\"user\",\"content\":[{\"type\":"
          "\"input_image\",\"image_url\":\"x\"}]}]}", "input[0].content" },
        { MULTI("one + three", SCORE), "calculate_output" },
        { MULTI("one", CHECK("is", "x", "y")), "graders.two.operation" },
        { MULTI("one", MULTI("one", SCORE)), "graders.two.graders" },
        { MULTI("one", "{\"type\":\"score_model\",\"name\":\"n\","
                "\"model\":\"m\",\"input\":[{}]}"),
          "graders.two.input[0].role" },
        { "{\"type\":\"multi\",\"name\":\"n\",\"calculate_output\":\"1\","
          "\"graders\":" CHECK("is", "x", "y") "}", "graders.operation" },
        { "{\"type\":\"multi\",\"name\":\"n\",\"graders\":{},"
          "\"calculate_output\":\"1\"}", "graders" },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        rc = parse(a, parsed(a, rows[i].text), &p, &error);
        param = judge_str_printf(a, "g.%s: ", rows[i].param);
        t_ok(rc == JUDGE_INVALID && judge_str_starts(error, param)
             && error.len > param.len + 10, "%s is refused: %.*s",
             rows[i].text, (int) error.len, error.data ? error.data : "");
    }
}


/* As many graders by models in one as there may be. */

static void
many(judge_arena_t *a)
{
    size_t            i, n;
    judge_rc_e        rc;
    judge_buf_t       buf;
    judge_str_t       error;
    openai_call_t    *calls[JUDGE_OPENAI_PARTS];
    openai_grade_t    all[JUDGE_OPENAI_PARTS + 1];
    judge_openai_parse_t  p;
    openai_subject_t  subject = { .arena = a, .item = parsed(a, ITEM) };

    judge_buf_init(&buf, a);
    judge_buf_c(&buf, "{\"type\":\"multi\",\"name\":\"n\","
                      "\"calculate_output\":\"p0 + p15\",\"graders\":{");

    for (i = 0; i < JUDGE_OPENAI_PARTS; i++) {
        judge_buf_printf(&buf, "%s\"p%zu\":%s", i ? "," : "", i, SCORE);
    }

    judge_buf_append(&buf, "}}", 3);
    rc = parse(a, parsed(a, buf.data), &p, &error);
    t_ok(rc == JUDGE_OK && p.asks && p.n == 17,
         "a grader can have 16 graders by models");

    rc = prepare(&p, &subject, all, calls, &n);
    t_ok(rc == JUDGE_OK && n == 16, "each of the 16 graders is asked once");

    for (i = 0; i < n; i++) {
        calls[i]->text = judge_str_printf(a, "{\"result\":%zu}",
                                         i < 10 ? i + 1 : 10 - i / 2);
    }

    t_ok(judge_openai_graders_grade(p.first, &subject, all) == JUDGE_OK
         && all[16].error.data == NULL && all[16].score == 1 + 3,
         "each of the 16 graders gets its own answer: %g", all[16].score);
}


/* Parses and grades with one reply; JUDGE_NOMEM wherever memory ends. */

static judge_rc_e
graded(judge_arena_t *a, const judge_json_t *value, const char *reply,
    openai_grade_t *grades)
{
    size_t            n;
    judge_rc_e        rc;
    judge_str_t       error;
    openai_call_t    *calls[JUDGE_OPENAI_PARTS];
    judge_openai_parse_t  p;
    judge_json_t     *sample = parsed(a, SAMPLE);
    openai_subject_t  subject = { .arena = a, .item = parsed(a, ITEM),
                                  .allowance = &plenty };

    (void) t_memory_count(true);
    rc = judge_openai_subject_sample(&subject, sample);
    rc = rc ? rc : parse(a, value, &p, &error);
    rc = rc ? rc : prepare(&p, &subject, grades, calls, &n);
    if (rc != JUDGE_OK) {
        return rc;
    }

    if (n) {
        calls[0]->text = judge_str_c(reply);
    }

    return judge_openai_graders_grade(p.first, &subject, grades);
}


static void
memory(void)
{
    bool            struck;
    size_t          i;
    unsigned        n;
    judge_rc_e      rc;
    judge_json_t   *value;
    judge_arena_t  *a;
    openai_grade_t  grades[JUDGE_OPENAI_PARTS + 1];
    static const struct {
        const char  *text, *reply;
    } rows[] = {
        { CHECK("ilike", "In {{sample.output_json.y}}.", "pArIs"), NULL },
        { CHECK("eq", "{{item.none}}", "x"), NULL },
        { SIMILAR(""), NULL },
        { LABEL, "{\"steps\":[],\"result\":\"good\"}" },
        { LABEL, "good" },
        { MULTI("one / two", SCORE), "{\"result\":0}" },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        for (n = 1, struck = true; struck && n < 2000; n++) {
            a = judge_arena_create(65536);
            value = parsed(a, rows[i].text);
            t_memory_arm(n);
            rc = graded(a, value, rows[i].reply, grades);
            (void) t_memory_count(false);
            struck = t_memory_disarm();

            if (rc != (struck ? JUDGE_NOMEM : JUDGE_OK)) {
                t_ok(false, "%s: allocation %u fails: %d", rows[i].text, n,
                     (int) rc);
            }
            judge_arena_destroy(a);
        }

        t_ok(n > 3 && !struck, "%s: %u allocations", rows[i].text, n);
    }
}


int
main(void)
{
    judge_arena_t  *a;

    a = judge_arena_create(65536);
    templates(a);
    outputs();
    formulas();
    similarities(a);
    grades(a);
    costs();
    refusals(a);
    many(a);
    memory();
    judge_arena_destroy(a);

    return t_done();
}
