/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The rules of requirements_table.txt, compiled once for the process. */


#include <pthread.h>
#include <string.h>

#include "analysis/checks/check_facts.h"
#include "analysis/checks/require_table.h"


static pthread_mutex_t                 judge_require_mutex =
                                           PTHREAD_MUTEX_INITIALIZER;
static judge_require_set_t  judge_require_compiled;

static const char  judge_require_whole[] = "(?i)^(?:%s)$";


static judge_rc_e judge_require_compile(judge_require_set_t *all);
static judge_rc_e judge_require_words(judge_arena_t *arena,
    const judge_require_noun_t *nouns, size_t n, const char *format,
    judge_regex_t ***patterns);
static judge_rc_e judge_require_rule(judge_arena_t *arena,
    const judge_require_rule_t *rule, judge_regex_t **pattern);
static bool judge_require_marks(const char *expression, const char *p);
static void judge_require_macro(judge_buf_t *b, char c, const char *language,
    unsigned *numbers);
static void judge_require_part(judge_buf_t *b, char name,
    const char *language);
static void judge_require_nouns(judge_buf_t *b,
    const judge_require_noun_t *nouns, size_t n, const char *language);


judge_rc_e
judge_require_open(const judge_require_set_t **all)
{
    judge_rc_e  rc;

    (void) pthread_mutex_lock(&judge_require_mutex);
    rc = judge_require_compiled.arena
         ? JUDGE_OK : judge_require_compile(&judge_require_compiled);
    (void) pthread_mutex_unlock(&judge_require_mutex);

    *all = &judge_require_compiled;

    return rc;
}


static judge_rc_e
judge_require_compile(judge_require_set_t *all)
{
    size_t          i;
    judge_rc_e      rc;
    judge_arena_t  *arena;

    arena = judge_arena_create(256 * 1024);
    if (arena == NULL) {
        return JUDGE_NOMEM;
    }

    all->rules = judge_array_alloc(arena, judge_require_rules_n,
                                   sizeof(judge_regex_t *));
    rc = all->rules ? judge_regex_compile(arena,
                          judge_str_trim(judge_str_c(judge_require_doubts),
                                         "\n"),
                          JUDGE_REGEX_OWN, &all->doubts, NULL)
                    : JUDGE_NOMEM;

    for (i = 0; rc == JUDGE_OK && i < judge_require_rules_n; i++) {
        rc = judge_require_rule(arena, &judge_require_rules[i],
                                &all->rules[i]);
    }

    if (rc == JUDGE_OK) {
        rc = judge_require_words(arena, judge_require_units,
                                 judge_require_units_n, judge_require_whole,
                                 &all->units);
    }
    if (rc == JUDGE_OK) {
        rc = judge_require_words(arena, judge_require_things,
                                 judge_require_things_n, judge_require_whole,
                                 &all->things);
    }
    if (rc == JUDGE_OK) {
        rc = judge_require_words(arena, judge_require_tongues,
                                 judge_require_tongues_n, judge_require_whole,
                                 &all->tongues);
    }
    if (rc == JUDGE_OK) {
        rc = judge_require_words(arena, judge_require_plain,
                                 judge_require_plain_n,
                                 "(?i)(?<![\\p{L}'’\"“„«‘])(?:%s)"
                                 "(?:(?<= )|(?!\\p{L}))",
                                 &all->plain);
    }

    if (rc != JUDGE_OK) {
        judge_arena_destroy(arena);
        return rc;
    }

    all->arena = arena;

    return JUDGE_OK;
}


static judge_rc_e
judge_require_words(judge_arena_t *arena, const judge_require_noun_t *nouns,
    size_t n, const char *format, judge_regex_t ***patterns)
{
    size_t       i;
    judge_rc_e   rc;
    judge_str_t  expression;

    *patterns = judge_array_alloc(arena, n, sizeof(judge_regex_t *));
    rc = *patterns ? JUDGE_OK : JUDGE_NOMEM;

    for (i = 0; i < n && rc == JUDGE_OK; i++) {
        expression = judge_str_printf(arena, format, nouns[i].words);
        rc = expression.data
             ? judge_regex_compile(arena, expression, JUDGE_REGEX_TABLE,
                                   &(*patterns)[i], NULL)
             : JUDGE_NOMEM;
    }

    return rc;
}


static judge_rc_e
judge_require_rule(judge_arena_t *arena, const judge_require_rule_t *rule,
    judge_regex_t **pattern)
{
    unsigned      numbers;
    judge_buf_t   b;
    const char   *p;

    judge_buf_init(&b, arena);
    judge_buf_c(&b, "(?i)(?<![\\p{L}\\p{N}])(?:");
    numbers = 0;

    for (p = rule->expression; *p; p++) {
        if (strncmp(p, "^^", 2) == 0) {
            judge_buf_c(&b, "(?<=\\x02)");
            p++;

        } else if (strncmp(p, "%2", 2) == 0) {
            judge_require_nouns(&b, judge_require_things,
                                judge_require_things_n, rule->language);
            p++;

        } else if (*p == '&') {
            judge_require_part(&b, *++p, rule->language);

        } else if (judge_require_marks(rule->expression, p)) {
            judge_require_macro(&b, *p, rule->language, &numbers);

        } else {
            judge_buf_append(&b, p, 1);
        }
    }

    judge_buf_c(&b, ")(?![\\p{L}\\p{N}])");

    return b.failed ? JUDGE_NOMEM
                    : judge_regex_compile(arena, judge_buf_view(&b),
                                          JUDGE_REGEX_TABLE, pattern,
                                          NULL);
}


/* "=" and "!" mean something to PCRE2 behind "(?" and "(?<". */

static bool
judge_require_marks(const char *expression, const char *p)
{
    return strchr("#@%~=!", *p)
           && (p < expression + 2
               || !((p[-2] == '(' && p[-1] == '?')
                    || (p[-2] == '?' && p[-1] == '<')));
}


static void
judge_require_macro(judge_buf_t *b, char c, const char *language,
    unsigned *numbers)
{
    size_t       i;
    const char  *p;

    switch (c) {
    case '#':
        judge_buf_c(b, *numbers ? "(?<m>" : "(?<n>");
        judge_buf_c(b, "\\d{1,3}(?:[.,]\\d{3})+|\\d{1,7}");

        for (i = 0; i < judge_check_digits_n; i++) {
            judge_buf_c(b, "|");
            for (p = judge_check_digits[i].words; *p; p++) {
                judge_buf_append(b, *p == ' ' ? "|" : p, 1);
            }
        }

        judge_buf_c(b, ")");
        (*numbers)++;
        return;

    case '@':
        judge_buf_c(b, "(?<u>");
        judge_require_nouns(b, judge_require_units, judge_require_units_n,
                            language);
        break;

    case '%':
        judge_buf_c(b, "(?<o>");
        judge_require_nouns(b, judge_require_things, judge_require_things_n,
                            language);
        break;

    case '~':
        judge_buf_c(b, "(?<l>");
        judge_require_nouns(b, judge_require_tongues,
                            judge_require_tongues_n, language);
        break;

    case '=':
        judge_buf_c(b, "[\"“„«'‘] ?(?<s>[^\"“”„«»\\n]{1,100}?) ?[\"”“»'’]");
        return;

    default:
        judge_buf_c(b, "(?=\\W*(?:$|(?:and|but|with|und|y|et|e)\\b)"
                       "|\\s*[,:()])"
                       "(?!.*\\b(?:or|oder|ou)\\b)");
        return;
    }

    judge_buf_c(b, ")");
}


/* What rules have in common; a part may have others in it. */

static void
judge_require_part(judge_buf_t *b, char name, const char *language)
{
    size_t       i;
    const char  *p;

    for (i = 0; i < judge_require_parts_n; i++) {
        if (judge_require_parts[i].name[0] != name
            || strcmp(judge_require_parts[i].language, language) != 0)
        {
            continue;
        }

        judge_buf_c(b, "(?:");

        for (p = judge_require_parts[i].words; *p; p++) {
            if (*p == '&') {
                judge_require_part(b, *++p, language);
            } else {
                judge_buf_append(b, p, 1);
            }
        }

        judge_buf_c(b, ")");
    }
}


static void
judge_require_nouns(judge_buf_t *b, const judge_require_noun_t *nouns,
    size_t n, const char *language)
{
    size_t  i, first;

    for (i = 0, first = b->len; i < n; i++) {
        if (strcmp(nouns[i].language, language) == 0) {
            judge_buf_c(b, b->len == first ? "(?:" : "|");
            judge_buf_c(b, nouns[i].words);
        }
    }

    judge_buf_c(b, ")");
}
