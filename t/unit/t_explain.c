/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Feedback as its readers get it: t/data/feedback has texts of many kinds and
 * grades, with all that is said of them beside; and what holds for feedback on
 * any text.  After a change on purpose JUDGE_TEST_WRITE=1 writes those files
 * anew: read them as the authors of the texts would.
 */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* memmem() */
#endif

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/builtin/explain.h"
#include "analysis/text/language.h"
#include "base/text/utf8.h"
#include "golden.h"
#include "tap.h"


#define SENTENCE_WORDS  30
#define CRITERIA        8


static FILE  *written;                 /* NULL: nothing is */


/* What was expected is to be written anew. */

static void
write_case(judge_str_t name)
{
    char  path[256];

    (void) snprintf(path, sizeof(path), "t/data/feedback/%.*s.expect",
                    (int) name.len, name.data);
    written = getenv("JUDGE_TEST_WRITE") != NULL ? fopen(path, "wb") : NULL;
}


/* "name: value" lines until an empty one; the text is what follows. */

static void
read_case(judge_str_t text, judge_rubric_t *rubric, judge_item_t *item)
{
    char               *line, *end, *bar;
    judge_str_t         value;
    judge_criterion_t  *c;

    memset(item, 0, sizeof(judge_item_t));
    line = (char *) (uintptr_t) text.data;

    for ( ;; line = end + 1) {
        end = strchr(line, '\n');

        if (end == NULL || end == line) {
            break;
        }

        bar = strchr(line, ':') + 2;
        value = (judge_str_t) { (size_t) (end - bar), bar };

        if (strncmp(line, "case", 4) == 0) {
            write_case(value);

        } else if (strncmp(line, "judge", 5) == 0) {
            rubric->description = value;

        } else if (strncmp(line, "source", 6) == 0) {
            item->source = value;

        } else if (strncmp(line, "question", 8) == 0) {
            item->question = value;

        } else {
            c = &rubric->criteria[rubric->ncriteria++];
            memset(c, 0, sizeof(judge_criterion_t));
            c->weight = 1;
            c->name = value;
            bar = memmem(value.data, value.len, " | ", 3);

            if (bar != NULL) {
                c->name.len = (size_t) (bar - value.data);
                c->description = (judge_str_t) {
                    value.len - c->name.len - 3, bar + 3
                };
            }
        }
    }

    item->text = judge_str_trim(judge_str_c(end), "\n");
}


/* --- What holds for any feedback ----------------------------------------- */

/* The marks of a list in a quotation, "/" and "-", are no words. */

static size_t
words_of(judge_str_t s)
{
    size_t  i, n;

    for (i = 0, n = 0; i < s.len; i++) {
        n += s.data[i] != ' ' && (i == 0 || s.data[i - 1] == ' ')
             && (strchr("/-", s.data[i]) == NULL
                 || (i + 1 < s.len && s.data[i + 1] != ' '));
    }

    return n;
}


/* The next sentence of some; false: there is none.  "8. Mai" is no end. */

static bool
next_sentence(judge_str_t *rest, judge_str_t *sentence)
{
    size_t  i;

    if (rest->len == 0) {
        return false;
    }

    for (i = 1; i < rest->len; i++) {
        if (rest->data[i] == ' ' && strchr(".?!", rest->data[i - 1])
            && (i < 2 || rest->data[i - 2] < '0' || rest->data[i - 2] > '9'))
        {
            break;
        }
    }

    *sentence = (judge_str_t) { i, rest->data };
    i += i < rest->len;
    rest->data += i;
    rest->len -= i;

    return true;
}


/* Adds the sentences of some feedback; false: one of them is too long or was
 * said before. */

static bool
are_new(judge_str_t *said, size_t *n, judge_str_t feedback)
{
    size_t       i;
    bool         good;
    judge_str_t  sentence;

    for (good = true; next_sentence(&feedback, &sentence); (*n)++) {
        good &= words_of(sentence) <= SENTENCE_WORDS;

        for (i = 0; i < *n; i++) {
            good &= !judge_str_eq(said[i], sentence);
        }

        said[*n] = sentence;
    }

    return good;
}


static const char *
at_char(judge_str_t text, size_t chars)
{
    const char  *p;

    for (p = text.data; p < text.data + text.len && chars > 0; chars--) {
        (void) judge_utf8_next(&p, text.data + text.len);
    }

    return p;
}


/* A passage is what stands at its offsets. */

static bool
is_there(judge_str_t text, const judge_passage_t *passage)
{
    const char  *from, *to;

    from = at_char(text, passage->at.start);
    to = at_char(text, passage->at.end);

    return (size_t) (to - from) == passage->at.quote.len && to > from
           && memcmp(from, passage->at.quote.data, (size_t) (to - from)) == 0
           && passage->note.len > 0;
}


/* Whether each clause and step in it is of a matter that belongs to what the
 * criterion asks for. */

static bool
is_of_family(judge_str_t feedback, uint8_t language, uint64_t traits,
    uint64_t aspects)
{
    size_t                 i, k, n;
    const char            *text, *end;
    const judge_matter_t  *m;
    const judge_clause_t  *clauses[6];

    for (i = 0; i < judge_matters_n; i++) {
        m = &judge_matters[i];

        if (m->traits & traits || m->aspects & aspects) {
            continue;
        }

        clauses[0] = &m->bad;
        clauses[1] = &m->some;
        clauses[2] = &m->none;
        clauses[3] = &m->good;
        clauses[4] = &m->step;
        clauses[5] = &m->step_at;

        for (k = 0; k < 6; k++) {
            if (clauses[k]->text == NULL) {
                continue;
            }

            text = judge_say(language, clauses[k]->text);
            end = strstr(text, "%s");
            n = end == NULL ? strlen(text) : (size_t) (end - text);

            end = end == NULL ? text + n : end + 2;

            if (strlen(text) > 15
                && memmem(feedback.data, feedback.len, text, n)
                && memmem(feedback.data, feedback.len, end, strlen(end)))
            {
                printf("# %s: %.*s\n", m->name, (int) n, text);
                return false;
            }
        }
    }

    return true;
}


static void
check_rules(const judge_verdict_t *v, const judge_rubric_t *rubric,
    judge_str_t text)
{
    size_t       i, k, n;
    uint8_t      language;
    uint64_t     traits, aspects;
    judge_str_t  said[256], s;
    const judge_ground_t  *g = v->ground;

    n = 0;
    t_ok(are_new(said, &n, v->summary), "the summary is short: %.*s",
         (int) v->summary.len, v->summary.data);

    if (g == NULL) {
        return;
    }

    for (i = 0; i < rubric->ncriteria; i++) {
        s = v->scores[i].feedback;
        t_ok(s.len > 0 && are_new(said, &n, s), "said once and briefly: %.*s",
             (int) s.len, s.data);

        for (k = 0, traits = 0; k < g->matches[i].n; k++) {
            traits |= 1ull << g->matches[i].traits[k];
        }

        for (k = 0, aspects = 0; k < g->seen[i].n; k++) {
            aspects |= 1ull << (judge_reader_asked(&g->m,
                                                   g->seen[i].aspects[k])
                                - judge_aspects);
        }

        language = g->m.feedback;
        t_ok(is_of_family(s, language, traits, aspects), "of its family");
        t_ok(v->scores[i].nmeasures <= 4, "few measures");

        for (k = 0; k < v->scores[i].npassages; k++) {
            t_ok(is_there(text, &v->scores[i].passages[k]), "a passage: %.*s",
                 (int) v->scores[i].passages[k].at.quote.len,
                 v->scores[i].passages[k].at.quote.data);
        }

        for (k = 0; k < v->scores[i].nmeasures; k++) {
            t_ok(!v->scores[i].measures[k].typical
                 || v->scores[i].measures[k].low
                    <= v->scores[i].measures[k].high, "%s",
                 v->scores[i].measures[k].name);
        }
    }

    for (i = 0; i < v->nsuggestions; i++) {
        t_ok(are_new(said, &n, v->suggestions[i]), "suggested once: %.*s",
             (int) v->suggestions[i].len, v->suggestions[i].data);
    }
}


/* --- Texts with what is said of them ------------------------------------- */

static void
show(golden_t *g, const char *key, judge_str_t value)
{
    golden_fact(g, value, "%s", key);

    if (written != NULL) {
        fprintf(written, "%s = %.*s\n", key, (int) value.len, value.data);
    }
}


static void
show_criterion(golden_t *g, judge_arena_t *arena, const char *name,
    const judge_criterion_score_t *s)
{
    size_t  i;

    show(g, name, s->feedback);

    for (i = 0; i < s->npassages; i++) {
        show(g, judge_str_printf(arena, "%s %s", name,
                                 s->passages[i].strength ? "strength"
                                                         : "weakness").data,
             judge_str_printf(arena, "“%.*s”, %.*s",
                              (int) s->passages[i].at.quote.len,
                              s->passages[i].at.quote.data,
                              (int) s->passages[i].note.len,
                              s->passages[i].note.data));
    }
}


static void
handle(golden_t *g, judge_arena_t *arena, judge_str_t text)
{
    size_t              i;
    judge_item_t        item;
    judge_rubric_t      rubric;
    judge_verdict_t     verdict;
    judge_scorer_t     *scorer;
    judge_criterion_t   criteria[CRITERIA];

    memset(&rubric, 0, sizeof(rubric));
    rubric.name = JUDGE_STR("Judge");
    rubric.criteria = criteria;
    read_case(text, &rubric, &item);
    scorer = judge_scorer_create(arena, &rubric);

    if (scorer == NULL
        || judge_score(scorer, &item, arena, &verdict) != JUDGE_OK
        || judge_explain(&verdict) != JUDGE_OK)
    {
        abort();
    }

    show(g, "summary", verdict.summary);

    for (i = 0; i < rubric.ncriteria; i++) {
        show_criterion(g, arena, judge_str_dup(arena, criteria[i].name).data,
                       &verdict.scores[i]);
    }

    check_rules(&verdict, &rubric, item.text);

    if (written != NULL) {
        (void) fclose(written);
    }
}


/* --- Any text ------------------------------------------------------------ */

static void
judge_line(judge_arena_t *arena, judge_criterion_t *criterion,
    judge_str_t judge, judge_item_t *item)
{
    judge_rubric_t    rubric;
    judge_scorer_t   *scorer;
    judge_verdict_t   verdict;

    memset(&rubric, 0, sizeof(rubric));
    rubric.name = JUDGE_STR("Judge");
    rubric.description = judge;
    rubric.criteria = criterion;
    rubric.ncriteria = 1;
    scorer = judge_scorer_create(arena, &rubric);

    if (scorer == NULL
        || judge_score(scorer, item, arena, &verdict) != JUDGE_OK
        || judge_explain(&verdict) != JUDGE_OK)
    {
        abort();
    }

    check_rules(&verdict, &rubric, item->text);
}


/* Better and worse texts of t/data/pairs and t/data/languages; their number.
 * What is joined over several lines there is judged as far as the first. */

static size_t
test_lines(judge_arena_t *arena, const char *path)
{
    char                line[8192];
    FILE               *in;
    size_t              n;
    judge_str_t         value, judge;
    judge_item_t        item;
    judge_criterion_t   criterion;

    memset(&item, 0, sizeof(item));
    memset(&criterion, 0, sizeof(criterion));
    criterion.weight = 1;
    judge = JUDGE_STR("");
    in = fopen(path, "rb");

    for (n = 0; in != NULL && fgets(line, sizeof(line), in); /* void */) {
        line[strcspn(line, "\n")] = '\0';
        value = strchr(line, ' ') == NULL ? JUDGE_STR("")
                : judge_str_dup(arena, judge_str_c(strchr(line, ' ') + 1));

        if (strncmp(line, "criterion: ", 11) == 0) {
            memset(&item, 0, sizeof(item));
            criterion.name = value;

            if (memmem(value.data, value.len, " | ", 3)) {
                criterion.name.len = (size_t) (strstr(value.data, " | ")
                                               - value.data);
            }

            criterion.description = value;

        } else if (strncmp(line, "judge: ", 7) == 0) {
            judge = value;

        } else if (strncmp(line, "question: ", 10) == 0) {
            item.question = value;

        } else if (strncmp(line, "source: ", 8) == 0) {
            item.source = value;

        } else if (strncmp(line, "+ ", 2) == 0
                   || strncmp(line, "- ", 2) == 0)
        {
            item.text = value;
            judge_line(arena, &criterion, judge, &item);
            n++;
        }
    }

    if (in != NULL) {
        (void) fclose(in);
    }

    return n;
}


static void
test_rules(void)
{
    char            path[512];
    DIR            *folder;
    size_t          i, n;
    judge_arena_t  *arena;
    struct dirent  *entry;
    static const char  *folders[] = { "t/data/pairs", "t/data/languages" };

    for (i = 0, n = 0; i < 2; i++) {
        folder = opendir(folders[i]);

        while (folder != NULL && (entry = readdir(folder)) != NULL) {
            (void) snprintf(path, sizeof(path), "%s/%s", folders[i],
                            entry->d_name);
            arena = judge_arena_create(1 << 16);

            if (strstr(path, ".txt") != NULL) {
                n += test_lines(arena, path);
            }

            judge_arena_destroy(arena);
        }

        if (folder != NULL) {
            (void) closedir(folder);
        }
    }

    t_ok(n > 300, "rules hold for %zu texts", n);
}


int
main(void)
{
    t_ok(golden_run("t/data/feedback", ".txt", handle) >= 20,
         "twenty texts and more");

    test_rules();

    return t_done();
}
