/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Requirements in words against pairs of texts (t/data/checks/pairs.txt). */


#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/checks/checks.h"
#include "analysis/checks/require.h"
#include "analysis/builtin/engine.h"
#include "tap.h"


#define MARGIN  3.0                    /* points */

static judge_arena_t  *arena;


/* A line without its mark, "\n" as a line feed. */

static judge_str_t
line_text(const char *line)
{
    judge_buf_t  b;

    judge_buf_init(&b, arena);

    for (line += 2; *line && *line != '\n'; line++) {
        if (strncmp(line, "\\n", 2) == 0) {
            judge_buf_c(&b, "\n");
            line++;
        } else {
            judge_buf_append(&b, line, 1);
        }
    }

    return judge_buf_view(&b);
}


/* The score of the text by a judge with that one criterion; where more is
 * asked for than its checks decide, what they have found. */

static double
score(judge_str_t description, judge_str_t text)
{
    bool                  decided;
    size_t                i;
    double                met;
    judge_buf_t           b;
    judge_list_t          checks = { NULL, 0, false };
    judge_item_t          item = { .text = text };
    judge_rubric_t        rubric;
    judge_verdict_t       verdict;
    judge_scorer_t       *scorer;
    judge_json_writer_t   w;

    if (judge_require_merge(arena, JUDGE_STR(""), description, &checks,
                            &decided) != JUDGE_OK)
    {
        abort();
    }

    judge_json_begin_object(&w, &b, arena);
    judge_json_put_str(&w, "criterion_id", JUDGE_STR("c"));
    judge_json_put_str(&w, "name", JUDGE_STR("Requirement"));
    judge_json_put_str(&w, "description", description);
    judge_checks_write(&w, &checks);
    judge_json_put_bool(&w, "decided", decided);

    if (judge_rubric_read(arena, JUDGE_STR("j"), JUDGE_STR(""),
                          judge_str_printf(arena, "[%s]",
                                           judge_str_dup(arena,
                                               judge_json_text(&w)).data),
                          &rubric) != JUDGE_OK
        || judge_checks_rubric(arena, arena, &rubric) != JUDGE_OK)
    {
        abort();
    }

    scorer = judge_scorer_create(arena, &rubric);

    if (scorer == NULL
        || judge_score(scorer, &item, arena, &verdict) != JUDGE_OK
        || judge_checks_apply(arena, &rubric, &item, &verdict,
                                  NULL) != JUDGE_OK)
    {
        abort();
    }

    if (!isnan(verdict.scores[0].score)) {
        return verdict.scores[0].score;
    }

    for (i = 0, met = 0; i < verdict.scores[0].nchecks; i++) {
        met += verdict.scores[0].checks[i].share;
    }

    return 100 * met / (double) verdict.scores[0].nchecks;
}


/* "TYPE VALUE TYPE ...", a value only where there is one; not of expressions,
 * which nobody would write down twice. */

static judge_str_t
checks_of(judge_str_t description)
{
    size_t                     i;
    judge_buf_t                b;
    judge_required_t           found;
    const judge_check_sent_t  *c;

    if (judge_require(arena, description, &found) != JUDGE_OK) {
        abort();
    }

    judge_buf_init(&b, arena);

    for (i = 0; i < found.checks.count; i++) {
        c = (const judge_check_sent_t *) found.checks.items + i;
        judge_buf_c(&b, i ? " " : "");
        judge_buf_str(&b, c->type);

        if (c->value && c->type.data[c->type.len - 1] != 'x') {
            judge_buf_c(&b, " ");
            judge_buf_str(&b, c->value->type == JUDGE_JSON_STRING
                              ? c->value->string
                              : judge_json_value_text(arena, c->value));
        }
    }

    return judge_buf_view(&b);
}


/* t/data/checks/phrasings.txt */

static void
phrasings(void)
{
    char          line[4096], *bar;
    FILE         *file;
    judge_str_t   wanted, got, phrase;

    file = fopen("t/data/checks/phrasings.txt", "r");
    if (file == NULL) {
        abort();
    }

    while (fgets(line, sizeof(line), file)) {
        bar = strchr(line, '|');

        if (line[0] == '#' || bar == NULL) {
            continue;
        }

        wanted = judge_str_trim((judge_str_t) { (size_t) (bar - line), line },
                                " ");
        phrase = judge_str_trim(judge_str_c(bar + 1), " \n");
        got = checks_of(judge_str_dup(arena, phrase));
        t_ok(judge_str_eq(got, wanted),
             "%.*s: these checks are found: %.*s (%.*s)", (int) phrase.len,
             phrase.data, (int) wanted.len, wanted.data, (int) got.len,
             got.data);
    }

    (void) fclose(file);
}


/* Whether checks decide the criterion; *n: how many there are. */

static bool
decided_by(judge_str_t name, judge_str_t description, size_t *n)
{
    bool          decided;
    judge_list_t  checks = { NULL, 0, false };

    if (judge_require_merge(arena, name, description, &checks, &decided)
        != JUDGE_OK)
    {
        abort();
    }

    *n = checks.count;

    return decided;
}


/* t/data/checks/added.txt: what a description adds is not lost. */

static void
added(void)
{
    char         line[4096], *bar;
    FILE        *file;
    size_t       alone, both;
    judge_str_t  name, description;

    file = fopen("t/data/checks/added.txt", "r");
    if (file == NULL) {
        abort();
    }

    while (fgets(line, sizeof(line), file)) {
        bar = strstr(line, " | ");

        if (line[0] == '#' || bar == NULL) {
            continue;
        }

        name = (judge_str_t) { (size_t) (bar - line), line };
        description = judge_str_trim(judge_str_c(bar + 3), "\n");
        t_ok(decided_by(name, JUDGE_STR(""), &alone),
             "a name is decided by checks: %.*s", (int) name.len, name.data);
        t_ok(!decided_by(name, description, &both) || both > alone,
             "%.*s: a description that adds something is not lost: %.*s",
             (int) name.len, name.data, (int) description.len,
             description.data);
    }

    (void) fclose(file);
}


/* A name that asks for something, and what its description makes of that. */

static void
names(void)
{
    size_t  i, n;
    bool    decided;

    static const struct {
        const char  *name;
        const char  *description;
        size_t       checks;
        bool         decided;
    } all[] = {
        { "Phone number", "", 0, false },
        { "Price", "", 0, false },
        { "Under 80 words",
          "Flyers of 80 words and more do not fit on our wall.", 1, true },
        { "Under 80 words", "It must make people laugh.", 1, false },
        { "Link included", "A URL must be there so that readers can order.",
          1, true },
        { "Link included", "The link must lead to the shop.", 1, false },
        { "Emojis", "Emojis are never seen in serious news.", 1, true },
        { "Three hashtags", "At least five hashtags, all about gardens.", 2,
          false },
        { "", "No links. We want warm words.", 1, false },
        { "", "No links. We had to pay for that once.", 1, true },
        { "At most 80 words", "No links.", 2, true },
        { "", "The first line begins with \"Re:\" and has at most six words.",
          2, true },
        { "", "It begins with \"Re:\" and has at most 60 words.", 2, true },
        { "", "Include a quotation that's at least five words long.", 0,
          false },
        { "", "Line one: at most 50 characters.", 0, false },
        { "", "It contains exactly eight digits.", 0, false },
        { "", "At most five emojis. At least two.", 1, false },
        { "\"Loaf\" once", "Loaf, loaves: once at most.", 2, false },
        { "It ends with \"PS\"", "The last word is \"PS\".", 1, true },
        { "At most 80 words", "Between 40 and 60 words.", 2, true },
        { "Thank the reviewer", "", 1, true },
        { "Thank the reviewer warmly", "", 0, false },
        { "Greeting and sign-off", "", 2, true },
        { "Greeting", "Use the first name of the customer.", 0, false },
        { "Warmth", "A greeting.", 0, false },
        { "Sign-off", "It ends with \"Kind regards\".", 1, true },
        { "Valid JSON", "No other text around it.", 1, true },
        { "A list", "No other text around it.", 0, false },
        { "Brevedad", "Como mucho 20 palabras; se lee en el móvil.", 1, true },
        { "Brevedad", "Como mucho 20 palabras; da risa en el móvil.", 1,
          false },

        /* The name says of what: not of the whole text. */
        { "Title", "At most 5 words.", 0, false },
        { "Betreffzeile", "Höchstens 60 Zeichen.", 0, false },
        { "First sentence", "At most 12 words.", 0, false },
        { "Satzlänge", "Höchstens 20 Wörter.", 0, false },
        { "Sentences", "Max. 20 words", 0, false },
        { "Phrases", "20 mots au maximum.", 0, false },
        { "Bullet points", "At most 10 words.", 0, false },
        { "Greeting", "At most 5 words.", 0, false },
        { "Introducción", "Dos frases.", 0, false },
        { "Título", "No máximo 5 palavras.", 0, false },
        { "Absätze", "Höchstens 3 Sätze.", 0, false },
        { "Headline", "Ends with a question mark.", 0, false },
        { "Headline", "No exclamation marks.", 0, false },
        { "First paragraph", "Names the date.", 0, false },
        { "Ending", "A question.", 0, false },
        { "Closing", "Thanks the reader.", 0, false },
        { "Closing", "Ends with \"Kind regards\".", 1, true },
        { "Language", "In German.", 1, true },
        { "Words", "At most 50 words.", 1, true },
        { "Satzlänge", "Kein Satz über 15 Wörter.", 1, true },
        { "Title", "The first line has at most 60 characters.", 1, true },
    };

    for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        decided = decided_by(judge_str_c(all[i].name),
                             judge_str_c(all[i].description), &n);

        t_ok(n == all[i].checks && decided == all[i].decided,
             "\"%s: %s\" has %zu checks and %s", all[i].name,
             all[i].description, all[i].checks,
             all[i].decided ? "is decided" : "is not decided");
    }
}


/* Of what is needed to read many empty sentences nothing is kept. */

static void
bounded(void)
{
    bool            decided;
    char            many[2000];
    size_t          i;
    judge_str_t     description = { sizeof(many), many };
    judge_list_t    checks = { NULL, 0, false };
    judge_arena_t  *own = judge_arena_create(4096);

    for (i = 0; i < sizeof(many); i++) {
        many[i] = i % 2 ? ' ' : ';';
    }

    t_ok(own && judge_require_merge(own, JUDGE_STR("Links"), description,
                                    &checks, &decided) == JUDGE_OK
         && judge_arena_size(own) < 65536,
         "a description of empty sentences keeps little memory");
    judge_arena_destroy(own);
}


int
main(void)
{
    char              line[4096];
    FILE             *file;
    double            better, worse;
    judge_str_t       description, text;
    judge_required_t  found;

    arena = judge_arena_create(1 << 20);
    file = fopen("t/data/checks/pairs.txt", "r");
    if (arena == NULL || file == NULL) {
        abort();
    }

    description = JUDGE_STR("");
    better = 0;

    while (fgets(line, sizeof(line), file)) {
        text = strlen(line) > 2 ? line_text(line) : JUDGE_STR("");

        switch (line[0]) {
        case '?':
            description = text;
            break;

        case '+':
            better = score(description, text);
            break;

        case '-':
            worse = score(description, text);
            t_ok(better >= worse + MARGIN,
                 "%.*s: the better text gets more, %.2f to %.2f",
                 (int) description.len, description.data, better, worse);
            break;

        case '!':
            if (judge_require(arena, text, &found) != JUDGE_OK) {
                abort();
            }
            t_is_int((int64_t) found.checks.count, 0,
                     "a text asks for no check: %.*s", (int) text.len,
                     text.data);
            break;

        default:
            break;
        }
    }

    (void) fclose(file);
    phrasings();
    names();
    added();
    bounded();
    judge_arena_destroy(arena);

    return t_done();
}
