/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Every type of check, decided; hostile texts and values; what scores become
 * of them. */


#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/checks/checks.h"
#include "analysis/builtin/engine.h"
#include "tap.h"


static judge_arena_t  *arena;

/* One criterion with the checks, as JSON, decided by them or not. */

static judge_rc_e
read_rubric(const char *checks, bool decided, judge_rubric_t *rubric)
{
    return judge_rubric_read(arena, JUDGE_STR("j"), JUDGE_STR("d"),
               judge_str_printf(arena, "[{\"criterion_id\":\"c\",\"name\":"
                                "\"n\",\"description\":\"d\",\"decided\":%s,"
                                "\"checks\":%s}]", decided ? "true" : "false",
                                checks),
               rubric);
}


/* The verdict on the text, of which judgement says 70. */

static judge_verdict_t
apply(const char *checks, bool decided, judge_str_t text, const char *source)
{
    judge_item_t     item = { .text = text };
    judge_rubric_t   rubric;
    judge_verdict_t  verdict = { .overall = 70 };

    if (read_rubric(checks, decided, &rubric) != JUDGE_OK
        || judge_checks_rubric(arena, arena, &rubric) != JUDGE_OK)
    {
        abort();
    }

    item.source = source ? judge_str_c(source) : item.source;
    verdict.scores = judge_calloc(arena, sizeof(judge_criterion_score_t));
    verdict.scores[0].score = 70;
    verdict.scores[0].feedback = JUDGE_STR("judged");
    verdict.summary = JUDGE_STR("summary");

    if (judge_checks_apply(arena, &rubric, &item, &verdict, NULL)
        != JUDGE_OK)
    {
        abort();
    }

    return verdict;
}


static const char *
result(const judge_verdict_t *v, size_t i)
{
    const char  *name;

    if (v->scores[0].nchecks <= i) {
        return "off";
    }

    name = judge_check_result(&v->scores[0].checks[i]);

    return name ? name : "undecided";
}


static void
test_types(void)
{
    size_t           i;
    judge_str_t      checks, text;
    const char      *source;
    judge_verdict_t  v;

    /* The source stands behind a form feed. */
    static const struct {
        const char  *type, *value, *text, *want;
    } rows[] = {
        { "max_words", "3", "one two three", "met" },
        { "max_words", "8", "1 2 3 4 5 6 7 8 9", "partly" },
        { "max_words", "3", "one two three four five six", "not_met" },
        { "max_words", "3", "well-known don't 5,000", "met" },
        { "min_words", "3", "— and – so -", "not_met" },
        { "min_sentences", "2", "One is here. Two is there.", "met" },
        { "max_sentences", "1", "One is here. Two is there.", "not_met" },
        { "min_paragraphs", "2", "One.\n\nTwo.", "met" },
        { "max_lines", "2", "One,\ntwo.\n\n  \nThree.", "not_met" },
        { "min_lines", "3", "One,\n\ntwo.\n  Three.\n", "met" },
        { "max_characters", "5", "  äöüßé\n", "met" },
        { "max_sentence_words", "3", "One two three. Four.", "met" },
        { "max_sentence_words", "3", "One. Two three four five.", "not_met" },
        { "max_line_characters", "5", "äöüßé\r\nab\n", "met" },
        { "max_line_characters", "5", "ab\nabcdefgh", "not_met" },
        { "min_characters", "6", "äöüßé", "partly" },

        { "contains", "\"refund\"", "Refunds take a week.", "met" },
        { "contains", "\"art\"", "From the start", "not_met" },
        { "contains", "\"ÄRGER\"", "viel ärger hier", "met" },
        { "contains", "\"a.c\"", "abc", "not_met" },
        { "contains", "\"a¦b\"", "a", "not_met" },
        { "contains", "\"$5 (net)\"", "It costs $5 (net).", "met" },
        { "not_contains", "\"refund\"", "Refunds take a week.", "not_met" },
        { "contains_exact", "\"tart\"", "start", "met" },
        { "contains_exact", "\"Tart\"", "start", "not_met" },
        { "contains_all", "[\"a\", \"b\"]", "a c", "partly" },
        { "contains_any", "[\"a\", \"b\"]", "a c", "met" },
        { "contains_none", "[\"a\", \"b\"]", "c d", "met" },
        { "contains_none", "[\"a\", \"b\"]", "c b", "not_met" },
        { "starts_with", "\"Dear\"", "Dear all,", "met" },
        { "starts_with", "\"Dear\"", "Hi all,", "not_met" },
        { "ends_with", "\"?\"", "Is it so? \n", "met" },
        { "not_ends_with", "\"?\"", "Is it so?", "not_met" },
        { "equals", "\"yes\"", " yes\n", "met" },
        { "equals", "\"yes\"", "Yes.", "not_met" },
        { "equals_text", "\"yes\"", "Yes.", "met" },
        { "equals_text", "\"yes sir\"", "Yes.", "not_met" },
        { "regex", "\"^[A-Z]{2}-\\\\d+$\"", "AB-12", "met" },
        { "not_regex", "\"\\\\d\"", "no digits", "met" },

        { "has_list", NULL, "Items:\n- one\n- two\n", "met" },
        { "has_list", "3", "- one\n- two\n", "not_met" },
        { "has_list", NULL, "A - B", "not_met" },
        { "no_list", "3", "- one\n- two\n", "met" },
        { "no_list", "3", "- one\n- two\n- three\n", "not_met" },
        { "has_numbered_list", "2", "1. Mix.\n2. Bake.\n", "met" },
        { "has_numbered_list", NULL, "It was 5. May", "not_met" },
        { "has_heading", NULL, "# Title\n\ntext", "met" },
        { "has_heading", NULL, "#tag", "not_met" },
        { "has_table", NULL, "| a | b |\n|---|---|\n| 1 | 2 |\n", "met" },
        { "has_table", NULL, "a | b", "not_met" },
        { "has_code", NULL, "```\nx = 1\n```\n", "met" },
        { "has_html", NULL, "a <b>bold</b> word", "met" },
        { "has_html", NULL, "a < b and b > c", "not_met" },
        { "has_link", NULL, "See https://example.org/x?y=1.", "met" },
        { "has_link", NULL, "See example.com for more.", "met" },
        { "no_link", NULL, "See me. Then go.", "met" },
        { "no_link", NULL, "See www.example.net!", "not_met" },
        { "has_email", NULL, "Write to a.b@example.org.", "met" },
        { "no_email", NULL, "meet @ five", "met" },
        { "has_phone", NULL, "Call +49 30 1234567.", "met" },
        { "has_phone", NULL, "in 2024-01-02 or 1999", "not_met" },
        { "has_phone", NULL, "Tel. 030 1234567", "met" },
        { "has_phone", NULL, "IBAN DE89 3704 0044 0532 0130 00", "not_met" },
        { "has_phone", NULL, "Order 4711 0815 2234", "not_met" },
        { "has_number", NULL, "It took 3 days", "met" },
        { "has_amount", NULL, "Add 200 g of flour.", "met" },
        { "has_amount", NULL, "in room 12", "not_met" },
        { "has_price", NULL, "It costs 12,50 €.", "met" },
        { "has_price", NULL, "for $5", "met" },
        { "has_price", NULL, "12 apples", "not_met" },
        { "has_date", NULL, "on 3 March 2024", "met" },
        { "has_date", NULL, "am 3. März", "met" },
        { "has_date", NULL, "el 3 de marzo", "met" },
        { "has_date", NULL, "2024-05-06", "met" },
        { "has_date", NULL, "You may go on March.", "not_met" },
        { "has_date", NULL, "bis zum 31.12. zahlen", "met" },
        { "has_date", NULL, "Freitag, 3.5.", "met" },
        { "has_date", NULL, "See section 3.5.", "not_met" },
        { "has_weekday", NULL, "open Mon-Fri", "met" },
        { "has_weekday", NULL, "Mo. bis Fr. von 8 bis 17 Uhr", "met" },
        { "has_weekday", NULL, "so-so, do so", "not_met" },
        { "has_first_person", NULL, "Part I is out", "not_met" },
        { "has_first_person", NULL, "So I say", "met" },
        { "has_contraction", NULL, "Wie geht's?", "met" },
        { "has_contraction", NULL, "Anna's car", "not_met" },
        { "has_time", NULL, "at 14:30", "met" },
        { "has_time", NULL, "Retour vers 16 heures.", "met" },
        { "has_time", NULL, "Il dure 16 heures.", "not_met" },
        { "has_year", NULL, "born in 1815", "met" },
        { "has_year", NULL, "He reigned from 27 BC to 14 AD.", "met" },
        { "has_year", NULL, "27 batteries", "not_met" },
        { "has_quotation", NULL, "She said “not today” and left.", "met" },
        { "has_question", NULL, "Can you come?", "met" },
        { "has_emoji", NULL, "Great 🎉", "met" },
        { "no_emoji", NULL, "Great", "met" },
        { "no_refusal", NULL, "I'm sorry, but I can't help with that.",
          "not_met" },

        { "json", NULL, " {\"a\": [1]}\n", "met" },
        { "json", NULL, "{a: 1}", "not_met" },
        { "has_json", NULL, "Here: {\"a\": [1]}. Done {", "met" },
        { "has_json", NULL, "Here: {a} [b]", "not_met" },
        { "xml", NULL, "<a x='1'><b/></a>", "met" },
        { "xml", NULL, "<a><b></a>", "not_met" },
        { "xml", NULL, "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>",
          "undecided" },
        { "yaml", NULL, "a: 1\nb:\n  - 2\n", "met" },
        { "yaml", NULL, "a: 1\n  b: [\n", "not_met" },
        { "yaml", NULL, "only words", "not_met" },
        { "csv", NULL, "a;b\n1;2\n3;4\n", "met" },
        { "csv", NULL, "a,b\n1,2,3\n3,4\n", "not_met" },
        { "csv", NULL, "only words\nhere\n", "not_met" },

        { "levenshtein", "{\"text\": \"kitten\", \"at_least\": 0.57}",
          "sitting", "met" },
        { "levenshtein", "{\"text\": \"kitten\", \"at_least\": 0.58}",
          "sitting", "partly" },
        { "rouge_n", "{\"text\": \"the cat sat\", \"at_least\": 1,"
          " \"n\": 2}", "The cat sat.", "met" },
        { "rouge_n", "{\"text\": \"a b c d\", \"at_least\": 0.5}",
          "a b x y", "met" },
        { "rouge_l", "{\"text\": \"a b c d\", \"at_least\": 0.75}",
          "a c x d", "met" },
        { "bleu", "{\"text\": \"a b c d e\", \"at_least\": 1}",
          "a b c d e", "met" },
        { "bleu", "{\"text\": \"a b c d e\", \"at_least\": 0.5}",
          "e", "not_met" },
        { "gleu", "{\"text\": \"a b\", \"at_least\": 0.33}", "a c", "met" },
        { "gleu", "{\"text\": \"a b\", \"at_least\": 0.34}", "a c",
          "partly" },
        { "chrf", "{\"text\": \"abc\", \"at_least\": 1}", "a bc", "met" },
        { "chrf", "{\"text\": \"abc\", \"at_least\": 0.4}", "xyz",
          "not_met" },
        { "bleu", "{\"at_least\": 0.4}", "abc", "undecided" },

        { "has_name", NULL, "Dear Maria, thank you for it.", "met" },
        { "has_name", NULL, "Dear Customer, thank you.", "not_met" },
        { "has_name", NULL, "Zoltan called us back.", "met" },
        { "has_name", NULL, "Kowalska called us back.", "met" },
        { "has_name", NULL, "Yesterday they called us back.", "not_met" },
        { "has_name", NULL, "Monday is fine. Dealing with it is easy.",
          "not_met" },
        { "has_name", NULL, "We write on Monday. I know.", "not_met" },
        { "has_name", NULL, "Sehr geehrte Frau Schmidt, wir haben die"
          " Lieferung und das Paket nicht mit der Post", "met" },
        { "has_name", NULL, "Wir haben die Lieferung und das Paket nicht mit"
          " der Post zu dem Haus gebracht", "not_met" },
        { "facts_in_source", NULL, "In Paris there were 1,500 people.\f"
          "1500 people were in Paris", "met" },
        { "facts_in_source", NULL, "In Rome there were 1,500 people.\f"
          "1500 people were in Paris", "partly" },
        { "facts_in_source", NULL, "There were 3 of Anna's.\f"
          "Three people came, and Anna.", "met" },
        { "facts_in_source", NULL, "In Paris", "undecided" },
        { "has_reference", NULL, "Ihre Bestellnummer lautet 4711.", "met" },
        { "has_reference", NULL, "Ticketnummer 4711", "met" },
        { "has_reference", NULL, "Die Nummer wird genannt.", "not_met" },
        { "has_refusal", NULL, "We are unable to help with that.", "met" },
        { "has_refusal", NULL, "Leider können wir Ihnen dabei nicht helfen.",
          "met" },
        { "has_refusal", NULL, "Das ist leider nicht möglich.", "met" },
        { "has_refusal", NULL, "We can help you with that.", "not_met" },
        { "has_question", NULL, "Really?!", "met" },
        { "has_greeting", NULL, "hi-fi systems", "not_met" },
        { "has_greeting", NULL, "Liebe ist schön.", "not_met" },
        { "has_greeting", NULL, "Liebe Anna,", "met" },
        { "has_sign_off", NULL, "Es kommt.\n\nIhr Serviceteam", "met" },
        { "has_greeting", NULL, "Buenos dias, Marta:", "met" },
        { "has_sign_off", NULL, "The parcel comes.\n\nYours,\nTom", "met" },
        { "has_sign_off", NULL, "Das Paket kommt.\n\nLG\nTom", "met" },
        { "has_thanks", NULL, "Thank you for your letter.", "met" },
        { "has_thanks", NULL, "It is late, thanks to the snow.", "not_met" },
        { "has_thanks", NULL, "Gracias por su carta.", "met" },
        { "has_thanks", NULL, "Llega tarde gracias a la nieve.", "not_met" },
        { "has_thanks", NULL, "Merci de votre lettre.", "met" },
        { "has_thanks", NULL, "Merci de répondre vite.", "not_met" },
        { "has_thanks", NULL, "Merci d'avoir attendu.", "met" },
        { "has_apology", NULL, "We are sorry for the delay.", "met" },
        { "has_apology", NULL, "I'm not sorry at all.", "not_met" },
        { "has_apology", NULL, "Das tut uns wirklich leid.", "met" },
        { "has_apology", NULL, "Lamentamos las molestias.", "met" },
        { "has_apology", NULL, "Veuillez accepter nos excuses.", "met" },
        { "has_apology", NULL, "Lamentamos el retraso de su pedido.", "met" },
        { "has_apology", NULL, "Veuillez nous excuser pour ce retard.",
          "met" },
        { "has_apology", NULL, "Nous sommes navrés de ce retard.", "met" },
        { "has_apology", NULL, "Nous regrettons ce retard.", "met" },
        { "has_apology", NULL, "Vous ne le regretterez pas.", "not_met" },
        { "formal_address", NULL, "Guten Tag, wir haben Ihren Brief gelesen"
          " und schicken Ihnen morgen das Paket.", "met" },
        { "formal_address", NULL, "Guten Tag, wir haben deinen Brief gelesen"
          " und schicken dir morgen das Paket.", "not_met" },
        { "informal_address", NULL, "Hola, hemos leído tu carta y mañana te"
          " enviamos el paquete que pediste.", "met" },
        { "formal_address", NULL, "Bonjour, il nous reste du pain et nous vous"
          " livrerons demain la commande.", "met" },
        { "formal_address", NULL, "Su departamento de TI le llamará"
          " mañana por la mañana.", "met" },
        { "no_passive", NULL, "La carta fue escrita por Ana y será enviada"
          " mañana por la oficina.", "undecided" },
        { "has_passive", NULL, "La lettre a été écrite par Anne et sera"
          " envoyée demain par le bureau.", "undecided" },
        { "formal_address", NULL, "Su pedido incluye el libro «Tú y"
          " yo», que le enviamos hoy.", "met" },
        { "formal_address", NULL, "La empresa Tus Cosas, S. L., le"
          " enviará la factura mañana.", "met" },
        { "formal_address", NULL, "Hemos leído su carta. Te enviamos"
          " mañana el paquete que pediste.", "not_met" },
        { "formal_address", NULL, "Le ton de votre message nous a"
          " surpris hier soir.", "met" },
        { "formal_address", NULL, "Il s'est tu pendant la réunion,"
          " et vous aussi.", "met" },
        { "formal_address", NULL, "Nous avons bien reçu ton message"
          " hier soir.", "not_met" },
        { "formal_address", NULL, "Te enviamos.", "undecided" },
        { "formal_address", NULL, "Hello, we have read your letter and will"
          " send the parcel tomorrow.", "undecided" },
        { "no_profanity", NULL, "What a nice day", "met" },
        { "no_profanity", NULL, "What a Fucking day", "not_met" },
        { "no_personal_data", NULL, "Order 4711 came on 2024-05-06.", "met" },
        { "no_personal_data", NULL, "card 4111 1111 1111 1111", "not_met" },
        { "no_personal_data", NULL, "card 4111 1111 1111 1112", "met" },
        { "no_personal_data", NULL, "to DE89 3704 0044 0532 0130 00",
          "not_met" },
        { "max_reading_level", "6", "The cat sat on the mat. It was red.",
          "met" },
        { "max_reading_level", "6", "Notwithstanding considerable"
          " institutional disagreement, representatives unanimously"
          " recommended administrative reorganization.", "not_met" },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        checks = judge_str_printf(arena, "[{\"type\":\"%s\"%s%s}]",
                                  rows[i].type,
                                  rows[i].value ? ",\"value\":" : "",
                                  rows[i].value ? rows[i].value : "");
        source = strchr(rows[i].text, '\f');
        text = judge_str_c(rows[i].text);
        text.len = source ? (size_t) (source - text.data) : text.len;
        v = apply(checks.data, true, text, source ? source + 1 : NULL);
        t_ok(strcmp(result(&v, 0), rows[i].want) == 0,
             "%s %s: \"%.60s\" is %s (%s; %.*s)", rows[i].type,
             rows[i].value ? rows[i].value : "", rows[i].text, rows[i].want,
             result(&v, 0), (int) v.scores[0].feedback.len,
             v.scores[0].feedback.data);
    }
}


static void
test_schema(void)
{
    size_t           i;
    judge_str_t      checks;
    judge_verdict_t  v;

    static const struct {
        const char  *schema, *text, *want;
    } rows[] = {
        { "{\"type\":\"object\",\"required\":[\"id\"],\"properties\":"
          "{\"id\":{\"type\":\"integer\",\"minimum\":1}}}", "{\"id\":2}",
          "met" },
        { "{\"required\":[\"id\"]}", "{\"no\":2}", "not_met" },
        { "{\"properties\":{\"id\":{\"minimum\":1}}}", "{\"id\":0}",
          "not_met" },
        { "{\"properties\":{\"id\":{}},\"additionalProperties\":false}",
          "{\"id\":0,\"x\":1}", "not_met" },
        { "{\"items\":{\"type\":[\"string\",\"null\"]}}", "[\"a\",null]",
          "met" },
        { "{\"items\":{\"type\":[\"string\",\"null\"]}}", "[\"a\",1]",
          "not_met" },
        { "{\"enum\":[\"a\",2]}", "2", "met" },
        { "{\"enum\":[\"a\",2]}", "\"b\"", "not_met" },
        { "{\"anyOf\":[{\"type\":\"null\"},{\"maxLength\":2}]}", "\"äö\"",
          "met" },
        { "{\"oneOf\":[{\"minimum\":1},{\"minimum\":2}]}", "3", "not_met" },
        { "{\"not\":{\"const\":3}}", "3", "not_met" },
        { "{\"exclusiveMaximum\":3}", "3", "not_met" },
        { "{\"exclusiveMinimum\":3}", "3.5", "met" },
        { "{\"pattern\":\"^a+$\"}", "\"aab\"", "not_met" },
        { "{\"maxItems\":1}", "[1,2]", "not_met" },
        { "{\"$defs\":{\"n\":{\"items\":{\"$ref\":\"#/$defs/n\"}}},"
          "\"$ref\":\"#/$defs/n\"}", "[[[]]]", "met" },
        { "{\"$ref\":\"#\"}", "1", "budget" },
        { "{\"type\":\"object\"}", "words", "not_met" },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        checks = judge_str_printf(arena, "[{\"type\":\"json_schema\","
                                  "\"value\":%s}]", rows[i].schema);
        v = apply(checks.data, true, judge_str_c(rows[i].text), NULL);
        t_ok(strcmp(result(&v, 0), rows[i].want) == 0, "%s: %s is %s (%.*s)",
             rows[i].schema, rows[i].text, rows[i].want,
             (int) v.scores[0].feedback.len, v.scores[0].feedback.data);
    }
}


static void
test_refused(void)
{
    size_t          i;
    judge_rc_e      rc;
    judge_str_t     error;
    judge_json_t   *root;
    judge_check_t  *checks;

    typedef struct { judge_list_t  checks; }  body_t;

    body_t  body;

    static const judge_field_t  fields[] = {
        judge_checks_field(body_t, checks), { .name = NULL }
    };
    static const struct {
        const char  *check, *error;
    } rows[] = {
        { "{\"type\":\"is-json\"}",
          "checks[0].type: expected json, as is-json is called here" },
        { "{\"type\":\"max_words\"}", "checks[0].value: expected a whole"
          " number from 1 to 10000000" },
        { "{\"type\":\"max_words\",\"value\":1.5}", "checks[0].value: expected"
          " a whole number from 1 to 10000000" },
        { "{\"type\":\"contains\",\"value\":\"\"}",
          "checks[0].value: expected a string of 1 to 1000 bytes" },
        { "{\"type\":\"contains\",\"value\":[\"a\"]}",
          "checks[0].value: expected a string of 1 to 1000 bytes" },
        { "{\"type\":\"json\",\"value\":1}",
          "checks[0].value: expected none for this type" },
        { "{\"type\":\"regex\",\"value\":\"(\"}", "checks[0].value: expected a"
          " regular expression as PCRE2 reads it; at byte 1: missing closing"
          " parenthesis" },
        { "{\"type\":\"regex\",\"value\":\"a{1001}\"}", "checks[0].value:"
          " expected no repetition of more than 1000 times" },
        { "{\"type\":\"regex\",\"value\":\"\\\\C\"}", NULL },
        { "{\"type\":\"json_schema\",\"value\":{\"format\":\"date\"}}",
          "checks[0].value: expected no word of JSON Schema that is not known"
          " here: \"format\"" },
        { "{\"type\":\"json_schema\",\"value\":{\"$ref\":\"#/$defs/a\"}}",
          "checks[0].value: expected a value of JSON Schema for \"$ref\"" },
        { "{\"type\":\"rouge_l\",\"value\":{\"at_least\":60}}",
          "value.at_least: expected a number from 0 to 1" },
        { "{\"type\":\"nonsense\"}", NULL },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        memset(&body, 0, sizeof(body));
        error = (judge_str_t) { 0, NULL };
        rc = judge_json_parse(arena, judge_str_printf(arena,
                                  "{\"checks\":[%s]}", rows[i].check),
                              &root, NULL);
        if (rc == JUDGE_OK) {
            rc = judge_fields_bind(arena, fields, root, JUDGE_STR(""), &body,
                                   &error);
        }
        if (rc == JUDGE_OK) {
            rc = judge_checks_read(arena, arena, &body.checks, &checks,
                                   &error);
        }

        t_ok(rc == JUDGE_INVALID && error.data
             && (rows[i].error == NULL
                 || (error.len >= strlen(rows[i].error)
                     && strstr(judge_str_dup(arena, error).data,
                               rows[i].error))),
             "a check is refused with the reason: %s", rows[i].check);
    }
}


/* What a check found is said in the language of the text, or in that of the
 * judge's feedback. */

static void
test_languages(void)
{
    size_t           i;
    judge_verdict_t  v;

    static const struct {
        const char  *check;
        const char  *text;
        const char  *said;
    } rows[] = {
        { "[{\"type\":\"max_words\",\"value\":5}]",
          "Die Katze sitzt vor dem Haus und wartet auf das Kind.",
          "11 Wörter; höchstens 5 waren verlangt." },
        { "[{\"type\":\"max_reading_level\",\"value\":2.5}]",
          "Die Katze sitzt vor dem Haus und wartet auf das Kind.",
          "Lesestufe 1,6; höchstens 2,5 war verlangt." },
        { "[{\"type\":\"has_price\"}]",
          "El gato está delante de la casa y espera a los niños.",
          "No contiene precios." },
        { "[{\"type\":\"language\",\"value\":\"de\"}]",
          "Les enfants sont rentrés de l’école et ils jouent dans la cour.",
          "La langue est français ; il était demandé : allemand." },
        { "[{\"type\":\"starts_with\",\"value\":\"Oi\"}]",
          "O gato está na frente da casa e não quer entrar com você.",
          "Não começa por \"Oi\"." },
        { "[{\"type\":\"has_link\"}]", "The cat sits in front of the house.",
          "It has no links." },
        { "[{\"type\":\"has_link\"}]",
          "Kot siedzi przed domem i czeka na dzieci, które wracają ze szkoły.",
          "It has no links." }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        v = apply(rows[i].check, true, judge_str_c(rows[i].text), NULL);
        t_is_str(v.scores[0].feedback, rows[i].said, "%s", rows[i].text);
    }
}


static void
test_scores(void)
{
    judge_verdict_t  v;

    v = apply("[{\"type\":\"max_words\",\"value\":80}]", true,
              JUDGE_STR("a few words"), NULL);
    t_ok(v.scores[0].score == 100 && v.overall == 100,
         "a check that is met and decides has a score of 100");
    t_is_str(v.scores[0].feedback, "3 words; at most 80 asked for.",
             "a check that decides is all that feedback says");

    v = apply("[{\"type\":\"max_words\",\"value\":1},{\"type\":\"has_link\"}]",
              false, JUDGE_STR("see www.example.org"), NULL);
    t_ok(fabs(v.scores[0].score - 170.0 / 3) < 0.01,
         "judgement counts as one of three: %.2f", v.scores[0].score);
    t_ok(fabs(v.overall - v.scores[0].score) < 0.02,
         "the overall score follows the criterion's");
    t_is_str(v.scores[0].feedback, "2 words; at most 1 asked for. judged",
             "what is judged is said behind the check that is not met");

    v = apply("[{\"type\":\"max_words\",\"value\":2},{\"type\":\"has_link\"}]",
              false, JUDGE_STR("see www.example.org"), NULL);
    t_is_str(v.scores[0].feedback, "2 words; at most 2 asked for. It has"
             " 1 link. judged",
             "what is judged is said behind all checks if all are met");

    v = apply("[{\"type\":\"max_words\",\"value\":1,\"caps\":true}]", false,
              JUDGE_STR("too many words"), NULL);
    t_ok(v.scores[0].score == 20, "a cap bounds what is judged");

    v = apply("[{\"type\":\"max_words\",\"value\":9,\"caps\":true}]", false,
              JUDGE_STR("not many words"), NULL);
    t_ok(v.scores[0].score == 70,
         "a cap that is met does not raise what is judged");

    v = apply("[{\"type\":\"max_words\",\"value\":1,\"weight\":3},"
              "{\"type\":\"min_words\",\"value\":2}]", true,
              JUDGE_STR("too many words"), NULL);
    t_ok(v.scores[0].score == 25, "the weights of checks count");

    v = apply("[{\"type\":\"max_words\",\"value\":1,\"origin\":"
              "\"description\"},{\"type\":\"min_words\",\"value\":1,"
              "\"origin\":\"description\"}]", true,
              JUDGE_STR("too many words"), NULL);
    t_ok(v.scores[0].score == 0, "what a description requires holds together");

    v = apply("[{\"type\":\"max_words\",\"value\":8}]", true,
              JUDGE_STR("1 2 3 4 5 6 7 8 9"), NULL);
    t_ok(v.scores[0].score > 0 && v.scores[0].score <= 25,
         "a limit that is just missed is worth a quarter at most");

    v = apply("[{\"type\":\"no_link\"},{\"type\":\"regex\",\"value\":"
              "\"many\"}]", true, JUDGE_STR("too many words"), NULL);
    t_ok(v.scores[0].score == 100,
         "an expression is looked for behind a pattern of the service");

    v = apply("[{\"type\":\"max_words\",\"value\":1,\"on\":false}]", true,
              JUDGE_STR("too many words"), NULL);
    t_ok(v.scores[0].score == 70 && v.scores[0].nchecks == 0,
         "a check that is off does not count");

    v = apply("[{\"type\":\"bleu\",\"value\":{\"at_least\":1}}]", true,
              JUDGE_STR("words"), NULL);
    t_ok(v.scores[0].score == 70,
         "a check that can't be decided does not count");

    v = apply("[{\"type\":\"max_words\",\"value\":9}]", true,
              JUDGE_STR(" \n"), NULL);
    t_ok(v.scores[0].score == 70, "an empty text stays as it is scored");
}


static void
test_passages(void)
{
    judge_verdict_t               v;
    const judge_check_passage_t  *p;

    v = apply("[{\"type\":\"has_date\"}]", true,
              JUDGE_STR("Café größer: 2024-05-06 und 🎉 2025-01-02."), NULL);
    p = v.scores[0].checks[0].passages;
    t_is_int((int64_t) v.scores[0].checks[0].npassages, 2,
             "a check of dates has two passages");
    t_is_int((int64_t) p[0].start, 13,
             "a passage starts at its character, not its byte");
    t_is_int((int64_t) p[0].end, 23,
             "a passage ends behind its last character");
    t_is_int((int64_t) p[1].start, 30,
             "the second passage starts where the second date does");
    t_is_str(p[1].quote, "2025-01-02", "a passage quotes what was found");
}


/* 1 MB of what each type finds hardest: some seconds with the sanitizers. */

static void
test_hostile(void)
{
    size_t           i, k, n;
    char            *text;
    clock_t          begin;
    judge_str_t      checks;
    judge_verdict_t  v;

    static const char *const  texts[] = {
        "a", "a@", "(", "[", "{\"a\":", "1-", "<a ", "\"x", "“", "- ", "a: ",
        "1,2\n", "ab ", "a.", "0 ", "é", "\xff", "# \n", "I can't ", "a|",
        "A1 ", "[{", "?a: \n", "`", "```\n"
    };
    static const char *const  all =
        "[{\"type\":\"has_list\"},{\"type\":\"has_heading\"},"
        "{\"type\":\"has_table\"},{\"type\":\"has_code\"},"
        "{\"type\":\"has_html\"},{\"type\":\"has_link\"},"
        "{\"type\":\"has_email\"},{\"type\":\"has_phone\"},"
        "{\"type\":\"has_amount\"},{\"type\":\"has_price\"},"
        "{\"type\":\"has_date\"},{\"type\":\"has_quotation\"},"
        "{\"type\":\"no_refusal\"},{\"type\":\"json\"},"
        "{\"type\":\"has_json\"},{\"type\":\"xml\"},{\"type\":\"yaml\"},"
        "{\"type\":\"csv\"},{\"type\":\"has_name\"},"
        "{\"type\":\"has_numbered_list\"}]";
    static const char *const  expressions[] = {
        "(a+)+$", "(a|aa)+$", "a*b", "(?:a*)*b", "[ab]{900}c",
        "(.*)(.*)x\\\\1", "(?=(a+))a*b\\\\1"
    };

    n = 1 << 18;
    text = judge_alloc(arena, n);

    for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        for (k = 0; k < n; k++) {
            text[k] = texts[i][k % strlen(texts[i])];
        }

        begin = clock();
        v = apply(all, true, (judge_str_t) { n, text }, NULL);
        t_ok(v.scores != NULL && clock() - begin < 20 * CLOCKS_PER_SEC,
             "256 KB of \"%.8s\" are checked in less than 20 s (%.1f s)",
             texts[i], (double) (clock() - begin) / CLOCKS_PER_SEC);
    }

    memset(text, 'a', n);

    for (i = 0; i < sizeof(expressions) / sizeof(expressions[0]); i++) {
        checks = judge_str_printf(arena, "[{\"type\":\"regex\",\"value\":"
                                  "\"%s\"}]", expressions[i]);
        begin = clock();
        v = apply(checks.data, true, (judge_str_t) { n, text }, NULL);
        t_ok(v.scores != NULL && clock() - begin < 20 * CLOCKS_PER_SEC,
             "%s is %s (%.1f s)", expressions[i], result(&v, 0),
             (double) (clock() - begin) / CLOCKS_PER_SEC);
    }
}


/* What a sentence names is shortened, between characters. */

static void
test_long_names(void)
{
    judge_buf_t      b;
    judge_str_t      said;
    judge_verdict_t  v;

    v = apply("[{\"type\":\"has_name\"}]", true,
              JUDGE_STR("We saw Aбвгдежзиклмнопрстуфхцчшщъыьэюяабвг."), NULL);
    t_is_str(v.scores[0].checks[0].sentence,
             "It names \"Aбвгдежзиклмнопрстуфхцчшщъыьэю\".",
             "a long name is cut between two characters");

    judge_buf_init(&b, arena);
    judge_buf_c(&b, "We saw Ab");
    while (b.len < 100000) {
        judge_buf_c(&b, "cdefg");
    }

    v = apply("[{\"type\":\"facts_in_source\"}]", true, judge_buf_view(&b),
              "We saw nobody.");
    said = v.scores[0].checks[0].sentence;
    t_ok(said.len > 60 && said.len < 200,
         "a name of 100 KB is not all in the sentence that misses it");
}


int
main(void)
{
    arena = judge_arena_create(1 << 20);

    test_types();
    test_schema();
    test_refused();
    test_languages();
    test_scores();
    test_passages();
    judge_arena_reset(arena);
    test_hostile();
    test_long_names();

    judge_arena_destroy(arena);

    return t_done();
}
