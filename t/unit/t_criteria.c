/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Criteria from descriptions: t/data/criteria/descriptions.txt, where what is
 * expected stands behind each (a weight, a name, and the description where it
 * is not the name; "?" a question), and requests by hand.
 */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* memmem() */
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/criteria/criteria_parse.h"
#include "base/text/utf8.h"
#include "tap.h"


/* What holds of every answer. */

static bool
sound(const judge_parsed_criteria_t *out)
{
    bool                             ok;
    size_t                           i, k;
    double                           sum;
    const judge_parsed_criterion_t  *c;

    ok = out->confidence >= 0 && out->confidence <= 1
         && out->ncriteria <= JUDGE_PARSE_CRITERIA;
    sum = 0;

    for (i = 0; i < out->ncriteria; i++) {
        c = &out->criteria[i];
        sum += c->weight;
        ok &= c->name.len > 0 && c->name.len <= 200
              && judge_utf8_check(c->name) == c->name.len
              && judge_utf8_check(c->description) == c->description.len
              && c->description.len > 0 && c->description.len <= 5000
              && c->weight > 0 && c->excellent <= 100
              && c->excellent >= c->good && c->good >= c->fair
              && c->fair >= c->poor && c->poor >= 0 && c->nexamples <= 10;

        for (k = 0; k < i; k++) {
            ok &= !judge_str_eq(c->name, out->criteria[k].name);
        }
    }

    return ok && (out->ncriteria == 0 || fabs(sum - 1) < 1e-6);
}


static judge_str_t
render(judge_arena_t *arena, const judge_parsed_criteria_t *out)
{
    size_t                           i;
    judge_buf_t                      buf;
    const judge_parsed_criterion_t  *c;

    judge_buf_init(&buf, arena);

    for (i = 0; i < out->ncriteria; i++) {
        c = &out->criteria[i];
        judge_buf_printf(&buf, "%.2f %.*s", c->weight, (int) c->name.len,
                         c->name.data);

        if (!judge_str_eq(c->name, c->description)) {
            judge_buf_c(&buf, " || ");
            judge_buf_str(&buf, c->description);
        }
        judge_buf_c(&buf, "\n");
    }

    for (i = 0; i < out->nquestions; i++) {
        judge_buf_printf(&buf, "? %.*s\n", (int) out->questions[i].len,
                         out->questions[i].data);
    }

    return judge_buf_view(&buf);
}


static judge_str_t
parse(judge_arena_t *arena, judge_str_t text, judge_parsed_criteria_t *out)
{
    judge_str_t            error;
    judge_parse_request_t  request = { .description = text, .weights = true,
                                       .thresholds = true };

    if (judge_criteria_parse(arena, &request, out, &error) != JUDGE_OK) {
        return JUDGE_STR("failed");
    }

    return sound(out) ? render(arena, out) : JUDGE_STR("not sound");
}


/* "=== TITLE", the description, "---", what is expected. */

static void
test_descriptions(judge_arena_t *arena)
{
    int                       n = 0;
    FILE                     *in;
    char                     *p, *title, *mid, *end;
    size_t                    len;
    judge_parsed_criteria_t   out;
    static char               text[262144];

    in = fopen("t/data/criteria/descriptions.txt", "r");
    len = in ? fread(text, 1, sizeof(text) - 1, in) : 0;
    text[len] = '\0';

    for (p = strstr(text, "=== "); p; p = end, n++) {
        title = p + 4;
        p = strchr(p, '\n') + 1;
        mid = strstr(p, "\n---\n");
        end = strstr(p, "\n=== ");
        len = end ? (size_t) (end + 1 - (mid + 5)) : strlen(mid + 5);
        mid[5 + len - 1] = '\0';
        t_is_str(judge_str_trim(parse(arena, (judge_str_t) {
                                    (size_t) (mid - p), p }, &out), "\n"),
                 mid + 5, "%.*s", (int) (strchr(title, '\n') - title), title);
        end = end ? end + 1 : NULL;
    }

    t_ok(n >= 80, "the %d descriptions are 80 at least", n);

    if (in) {
        fclose(in);
    }
}


static bool
has(const judge_str_t *lines, size_t n, const char *part)
{
    size_t  i;

    for (i = 0; i < n; i++) {
        if (memmem(lines[i].data, lines[i].len, part, strlen(part))) {
            return true;
        }
    }

    return false;
}


static void
test_request(judge_arena_t *arena)
{
    char                     *large;
    judge_str_t               error;
    judge_parsed_criteria_t   out;
    judge_parse_request_t     request = { .content_type = JUDGE_PARSE_TEXT };

    request.description = JUDGE_STR("Judge clarity, tone and accuracy.");
    t_is_int(judge_criteria_parse(arena, &request, &out, &error), JUDGE_OK,
             "a sentence is read");
    t_is_int((int64_t) out.ncriteria, 3,
             "a sentence of three aspects has three criteria");
    t_ok(!out.weights && !out.thresholds,
         "a sentence without numbers has neither weights nor thresholds");
    t_ok(sound(&out), "the answer is sound");

    request.max_criteria = 2;
    request.description = JUDGE_STR("Tone 50%, facts 40%, length 10%");
    (void) judge_criteria_parse(arena, &request, &out, &error);
    t_is_int((int64_t) out.ncriteria, 2,
             "there are at most as many criteria as asked for");
    t_is_str(out.criteria[1].name, "facts", "the least criterion is left out");
    t_ok(has(out.suggestions, out.nsuggestions, "\"length\" was left out"),
         "a suggestion says which criterion was left out");

    request.description = (judge_str_t) { 0, NULL };
    t_is_int(judge_criteria_parse(arena, &request, &out, &error), JUDGE_OK,
             "an absent description is read");
    t_ok(out.ncriteria == 0 && out.confidence == 0 && out.nsuggestions > 0,
         "it has no criteria, and a suggestion says so");

    request.description = JUDGE_STR("clear \xff");
    t_is_int(judge_criteria_parse(arena, &request, &out, &error),
             JUDGE_INVALID, "what is not UTF-8 is refused");
    t_is_str(error, "description: expected UTF-8",
             "the error says that a description has to be UTF-8");

    large = judge_alloc(arena, JUDGE_PARSE_MAX + 1);
    memset(large, 'x', JUDGE_PARSE_MAX + 1);
    request.description = (judge_str_t) { JUDGE_PARSE_MAX + 1, large };
    t_is_int(judge_criteria_parse(arena, &request, &out, &error),
             JUDGE_INVALID, "what is too long is refused");

    memset(large, ' ', 4000);
    large[0] = large[3999] = 'a';
    request.description.len = 4000;
    t_is_int(judge_criteria_parse(arena, &request, &out, &error),
             JUDGE_INVALID, "4000 blanks in a row are refused");
    t_is_str(error, "description: expected fewer words or blanks in a row; it"
             " takes too many steps to read",
             "the error says that the description takes too many steps");
}


static void
test_remarks(judge_arena_t *arena)
{
    judge_parsed_criteria_t  out;

    (void) parse(arena, JUDGE_STR("It must be short. Layout doesn't matter."),
                 &out);
    t_ok(has(out.suggestions, out.nsuggestions, "\"Layout doesn't matter\" is"
             " not judged"), "what does not matter is named");

    (void) parse(arena, JUDGE_STR("We sell shoes. Ads must be short."), &out);
    t_ok(has(out.questions, out.nquestions, "\"We sell shoes\" was not"),
         "what is told of the writer is passed over with a question");

    (void) parse(arena, JUDGE_STR("Here are the criteria. It must be short."),
                 &out);
    t_ok(has(out.suggestions, out.nsuggestions, "\"Here are the criteria\""),
         "an introduction that is passed over is named");

    (void) parse(arena, JUDGE_STR("Tone 50%, facts 40%"), &out);
    t_ok(has(out.suggestions, out.nsuggestions, "add up to 90"),
         "shares that are not 100 percent are named");

    (void) parse(arena, JUDGE_STR("Sie müssen kurz sein."), &out);
    t_ok(has(out.suggestions, out.nsuggestions, "nur ein Kriterium"),
         "the writer is answered in the language of the description");

    (void) parse(arena, JUDGE_STR("It must be short. It is polite."), &out);
    t_ok(out.criteria[0].excellent > 90, "what must be has higher thresholds");
}


/* A model's answer is held to the description. */

static void
test_keep(judge_arena_t *arena)
{
    size_t      i;
    judge_str_t error;
    judge_parsed_criterion_t  two[2];
    judge_parsed_criteria_t   built, answer;
    judge_parse_request_t     request = { .description = JUDGE_STR(
        "They should name the price. They must not insult anyone.") };

    static const struct { const char *a, *b, *want, *label; }  cases[] = {
        { "Names the price", "Insults nobody, must not insult anyone",
          "0.50 A || Names the price\n"
          "0.50 B || Insults nobody, must not insult anyone\n",
          "an answer that has every clause stays" },
        { "Names the price", "Is friendly",
          "0.34 A || Names the price\n0.33 B || Is friendly\n"
          "0.33 They must not insult anyone\n"
          "? \"They must not insult anyone\" was missing in the answer of the"
          " model and was added as it stands in the description. Is it a"
          " criterion?\n",
          "a clause that the answer has lost is added" },
        { "Names the price", "Should insult anyone",
          "0.50 A || Names the price\n0.50 They must not insult anyone\n"
          "? The model turned \"They must not insult anyone\" round, so it"
          " stands as in the description. Is that right?\n",
          "a negation that the answer has lost is put back" },
        { "Does not name the price", "Must not insult anyone",
          "0.50 They should name the price\n"
          "0.50 B || Must not insult anyone\n"
          "? The model turned \"They should name the price\" round, so it"
          " stands as in the description. Is that right?\n",
          "a negation that the answer has added is taken out" },
    };

    t_is_int(judge_criteria_parse(arena, &request, &built, &error), JUDGE_OK,
             "the description is read");

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        two[0] = (judge_parsed_criterion_t) {
            .name = JUDGE_STR("A"), .description = judge_str_c(cases[i].a),
            .weight = 0.5 };
        two[1] = (judge_parsed_criterion_t) {
            .name = JUDGE_STR("B"), .description = judge_str_c(cases[i].b),
            .weight = 0.5 };
        answer = (judge_parsed_criteria_t) { .criteria = two, .ncriteria = 2 };
        t_is_int(judge_criteria_keep(arena, &request, &built, &answer),
                 JUDGE_OK, "an answer is held to it");
        t_is_str(render(arena, &answer), cases[i].want, "%s", cases[i].label);
    }

    request.max_criteria = 2;
    two[1] = two[0];
    two[1].name = JUDGE_STR("B");
    answer = (judge_parsed_criteria_t) { .criteria = two, .ncriteria = 2 };
    (void) judge_criteria_keep(arena, &request, &built, &answer);
    t_is_int((int64_t) answer.ncriteria, 2,
             "no more criteria are kept than asked for");
    t_ok(answer.nquestions > 0, "what found no room is asked for");
}


/* A long answer to a long description. */

static void
test_keep_large(void)
{
    size_t                     i, k, len;
    judge_str_t                error, text;
    judge_buf_t                prose, lorem;
    judge_arena_t             *arena = judge_arena_create(65536);
    judge_parse_request_t      request = { .weights = true };
    judge_parsed_criteria_t    built = { .ncriteria = 0 }, answer;
    judge_parsed_criterion_t   long_ones[40];

    judge_buf_init(&prose, arena);
    judge_buf_init(&lorem, arena);

    for (i = 0; i < 60; i++) {
        judge_buf_printf(&prose, "- Part %zu: ", i);
        for (k = 0, len = prose.len; prose.len < len + 900; k++) {
            judge_buf_printf(&prose, "word%c%c ", (int) ('a' + k % 26),
                             (int) ('a' + k / 26));
        }
        judge_buf_c(&prose, "\n");
    }

    while (lorem.len < 900) {
        judge_buf_c(&lorem, "Lorem Ipsum Dolor ");
    }

    request.description = judge_buf_view(&prose);
    text = judge_buf_view(&lorem);
    t_is_int(judge_criteria_parse(arena, &request, &built, &error), JUDGE_OK,
             "a long description is read");

    for (i = 0; i < 40; i++) {
        long_ones[i] = (judge_parsed_criterion_t) {
            .name = judge_str_printf(arena, "Criterion %zu", i),
            .description = text, .weight = 1
        };
    }

    answer = (judge_parsed_criteria_t) { .criteria = long_ones,
                                         .ncriteria = 40 };
    len = judge_arena_size(arena);
    t_is_int(judge_criteria_keep(arena, &request, &built, &answer), JUDGE_OK,
             "a long answer is held to it");
    t_is_int((int64_t) answer.ncriteria, JUDGE_PARSE_CRITERIA,
             "what a long answer has lost is added");
    t_ok(judge_arena_size(arena) - len < 4 << 20,
         "to hold a long answer to a description takes little memory");
    judge_arena_destroy(arena);
}


/* As much as is allowed, of what might cost most. */

static void
test_large(judge_arena_t *arena)
{
    char                     *p;
    size_t                    i, k, len;
    judge_str_t               error;
    judge_parsed_criteria_t   out;
    judge_parse_request_t     request = { .weights = true };
    static const char *const  units[] = {
        "clarity, ", "clarity twice as important as tone and ", "a",
        "judge on for by ", "- item\n", "(((", "\"\"'' ", "1) a 2) b ",
        "**x** ", "The text should and ", "over over ", "30% ",
        "as important ", "# h\n", "|a|b\n", "for example such as ",
        "at least between 1 and 2 or ", ".. . . ", "a:\n", "no not never ",
        "judge the text on ", "make sure that ", "it should be ", "l'",
        "der Text soll ", "claridad y ", "a;1\n", "- a\n  - b\n", "to be, to ",
        "doesn't matter, ", "what, whether, ", "a: b, ", "It is. ",
        "1 = a ", "the tone counts double. ", "for x of us: a, b, c egal.\n"
    };

    p = judge_alloc(arena, JUDGE_PARSE_MAX + 1);

    for (k = 0; k < sizeof(units) / sizeof(units[0]); k++) {
        len = strlen(units[k]);

        for (i = 0; i + len <= JUDGE_PARSE_MAX; i += len) {
            memcpy(p + i, units[k], len);
        }

        request.description = (judge_str_t) { i, p };
        t_is_int(judge_criteria_parse(arena, &request, &out, &error), JUDGE_OK,
                 "64 KiB of \"%.*s\" are read", (int) strcspn(units[k], "\n"),
                 units[k]);
        t_ok(sound(&out), "the answer is sound");
    }
}


int
main(int argc, char **argv)
{
    judge_arena_t  *arena;

    arena = judge_arena_create(65536);
    if (arena == NULL) {
        return 1;
    }

    test_descriptions(arena);
    test_request(arena);
    test_remarks(arena);
    test_keep(arena);
    test_keep_large();
    test_large(arena);

    judge_arena_destroy(arena);

    return t_done();
}
