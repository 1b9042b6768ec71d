/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Clauses, steps and quotations in the language of the feedback; passages. */


#include <string.h>

#include "base/text/utf8.h"
#include "analysis/builtin/explain.h"


#define JUDGE_QUOTE_WORDS     8        /* quoted in a sentence */
#define JUDGE_QUOTE_BYTES     80
#define JUDGE_NAME_BYTES      60       /* of a criterion's name there */
#define JUDGE_PASSAGE_BYTES   240
#define JUDGE_PASSAGE_PLACES  3        /* of one pick */


static void judge_explain_capital(judge_buf_t *b, const char *text);
static void judge_explain_subject(judge_explain_t *x, judge_buf_t *b,
    const char *text);
static void judge_explain_insert(judge_buf_t *b, const char *text,
    judge_str_t inserted);
static judge_found_e judge_explain_kind(const judge_explain_t *x,
    const judge_clause_t *clause);
static judge_str_t judge_explain_quote(judge_explain_t *x,
    const judge_found_t *found);
static judge_rc_e judge_explain_passage(judge_explain_t *x,
    judge_criterion_score_t *s, const judge_place_t *place,
    const judge_pick_t *pick, judge_found_e kind);


unsigned
judge_explain_grade(const judge_criterion_t *criterion, double score)
{
    unsigned  grade;
    double    from[4] = { 30, 50, 70, 85 };

    if (criterion != NULL && criterion->has_thresholds) {
        from[0] = criterion->poor;
        from[1] = criterion->fair;
        from[2] = criterion->good;
        from[3] = criterion->excellent;
    }

    for (grade = 4; grade > 0 && score < from[grade - 1]; grade--) {
        /* void */
    }

    return grade;
}


/* A "^" at the end of what stands before asks for a capital, as German wants
 * one behind a colon. */

void
judge_explain_clause(judge_explain_t *x, judge_buf_t *b, const char *before,
    const judge_clause_t *clause)
{
    bool         capital;
    size_t       n;
    const char  *text;

    before = judge_explain_say(x, before);
    n = strlen(before);
    capital = n > 0 && before[n - 1] == '^';
    judge_buf_append(b, before, n - capital);
    judge_buf_c(b, " ");

    if (clause == NULL) {
        return;
    }

    text = judge_explain_say(x, clause->text);

    if (capital) {
        judge_explain_capital(b, text);

    } else {
        judge_explain_subject(x, b, text);
    }

    x->last = text;
}


/* Where the clause before begins with the same noun, the pronoun: in German,
 * "it" is "der Text/er". */

static void
judge_explain_subject(judge_explain_t *x, judge_buf_t *b, const char *text)
{
    size_t       n;
    const char  *it, *slash;

    it = judge_explain_say(x, "it");
    slash = strchr(it, '/');
    n = slash != NULL ? (size_t) (slash - it) : 0;

    if (n > 0 && x->last != NULL && strncmp(x->last, it, n) == 0
        && strncmp(text, it, n) == 0)
    {
        judge_buf_c(b, slash + 1);
        text += n;
    }

    judge_buf_c(b, text);
}


/* Of ASCII and of Latin-1's letters. */

static void
judge_explain_capital(judge_buf_t *b, const char *text)
{
    char  c[2];

    if (text[0] >= 'a' && text[0] <= 'z') {
        c[0] = (char) (text[0] - 'a' + 'A');
        judge_buf_append(b, c, 1);
        judge_buf_c(b, text + 1);

    } else if (text[0] == '\xc3' && (unsigned char) text[1] >= 0xa0) {
        c[0] = text[0];
        c[1] = (char) (text[1] - 0x20);
        judge_buf_append(b, c, 2);
        judge_buf_c(b, text + 2);

    } else {
        judge_buf_c(b, text);
    }
}


/* In the place of "%s". */

static void
judge_explain_insert(judge_buf_t *b, const char *text, judge_str_t inserted)
{
    const char  *p;

    p = strstr(text, "%s");

    if (p == NULL) {
        judge_buf_c(b, text);
        return;
    }

    judge_buf_append(b, text, (size_t) (p - text));
    judge_buf_str(b, inserted);
    judge_buf_c(b, p + 2);
}


void
judge_explain_name(judge_explain_t *x, judge_buf_t *b, judge_str_t name)
{
    judge_buf_t  cut;
    judge_str_t  part;

    part = judge_utf8_prefix(name, JUDGE_NAME_BYTES);
    judge_buf_init(&cut, x->m->arena);
    judge_buf_str(&cut, part);
    judge_buf_c(&cut, part.len < name.len ? "…" : "");
    judge_explain_insert(b, judge_explain_say(x, "“%s”"),
                         judge_buf_view(&cut));
}


void
judge_explain_named(judge_explain_t *x, judge_buf_t *b, const char *english,
    judge_str_t name)
{
    judge_buf_t  quoted;

    judge_buf_init(&quoted, x->m->arena);
    judge_explain_name(x, &quoted, name);
    judge_explain_insert(b, judge_explain_say(x, english),
                         judge_buf_view(&quoted));
}


/* Of several kinds the one that was found most often. */

static judge_found_e
judge_explain_kind(const judge_explain_t *x, const judge_clause_t *clause)
{
    uint32_t         most;
    judge_found_e    kind;
    const uint8_t   *at;

    kind = JUDGE_FOUND_NONE;
    most = 0;

    for (at = clause->at; *at != JUDGE_FOUND_NONE; at++) {
        if (x->m->found[*at].count > most) {
            most = x->m->found[*at].count;
            kind = *at;
        }
    }

    return kind;
}


size_t
judge_explain_found(const judge_explain_t *x, const judge_clause_t *clause)
{
    size_t          n;
    const uint8_t  *at;

    for (at = clause->at, n = 0; *at != JUDGE_FOUND_NONE; at++) {
        n += x->m->found[*at].count;
    }

    return n;
}


/* That whose step is a passage's, else the first. */

const judge_matter_t *
judge_explain_advised(const judge_explain_t *x, const judge_picks_t *picks)
{
    size_t  i;

    for (i = 0; i < picks->nbad; i++) {
        if (judge_explain_found(x, &picks->bad[i].matter->step_at) > 0) {
            return picks->bad[i].matter;
        }
    }

    return picks->nbad > 0 ? picks->bad[0].matter : NULL;
}


/* A step that was worded for a passage, else the one without. */

bool
judge_explain_step(judge_explain_t *x, judge_buf_t *b,
    const judge_matter_t *matter)
{
    judge_found_e          kind;
    const judge_clause_t  *step;

    step = &matter->step_at;
    kind = step->text != NULL ? judge_explain_kind(x, step)
                              : JUDGE_FOUND_NONE;

    if (kind != JUDGE_FOUND_NONE) {
        judge_explain_insert(b, judge_explain_say(x, step->text),
            judge_explain_quote(x, &x->m->found[kind]));
        return true;
    }

    if (matter->step.text != NULL) {
        judge_buf_c(b, judge_explain_say(x, matter->step.text));
        return true;
    }

    return false;
}


/* The first words of the longest passage on one line, between quotation
 * marks. */

static judge_str_t
judge_explain_quote(judge_explain_t *x, const judge_found_t *found)
{
    size_t                i, end, words;
    judge_buf_t           b, quoted;
    judge_str_t           part;
    const judge_text_t   *t;
    const judge_place_t  *place, *p;

    t = x->m->text;
    place = found->places;
    judge_buf_init(&b, x->m->arena);

    for (i = 1; i < found->count && i < JUDGE_PLACES; i++) {
        p = &found->places[i];
        place = p->end - p->first > place->end - place->first ? p : place;
    }

    end = place->end;

    while (end - place->first > 1
           && t->tokens[end - 1].kind == JUDGE_TOKEN_MARK)
    {
        end--;
    }

    if (end - place->first == 1 && end < t->ntokens
        && t->tokens[place->first].kind == JUDGE_TOKEN_NUMBER
        && (t->tokens[end].kind == JUDGE_TOKEN_WORD
            || t->tokens[end].mark == '%'))
    {
        end++;                         /* "12 trees" rather than "12" */
    }

    for (i = place->first, words = 0; i < end; i++) {
        part = (judge_str_t) { t->tokens[i].end - t->tokens[i].begin,
                               t->str.data + t->tokens[i].begin };
        words += t->tokens[i].kind != JUDGE_TOKEN_MARK;

        if (words > JUDGE_QUOTE_WORDS || b.len + part.len > JUDGE_QUOTE_BYTES
            || judge_utf8_check(part) < part.len)
        {
            judge_buf_c(&b, "…");
            break;
        }

        if (b.len > 0 && (t->tokens[i].flags & JUDGE_T_SPACE)) {
            judge_buf_c(&b, " ");
        }

        judge_buf_str(&b, part);
    }

    judge_buf_init(&quoted, x->m->arena);
    judge_explain_insert(&quoted, judge_explain_say(x, "“%s”"),
                         judge_buf_view(&b));

    return judge_buf_view(&quoted);
}


judge_rc_e
judge_explain_passages(judge_explain_t *x, size_t criterion)
{
    size_t                    i, k;
    judge_rc_e                rc;
    judge_found_e             kind;
    judge_picks_t            *p;
    judge_pick_t             *pick;
    judge_criterion_score_t  *s;

    p = &x->picks[criterion];
    s = &x->verdict->scores[criterion];
    s->passages = judge_array_alloc(x->m->arena,
                                    2 * JUDGE_PICKS * JUDGE_PASSAGE_PLACES,
                                    sizeof(judge_passage_t));
    if (s->passages == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0, rc = JUDGE_OK; i < p->nbad + p->ngood; i++) {
        pick = i < p->nbad ? &p->bad[i] : &p->good[i - p->nbad];
        kind = judge_explain_kind(x, pick->clause);

        if (kind == JUDGE_FOUND_NONE && i < p->nbad
            && pick->matter == judge_explain_advised(x, p))
        {
            kind = judge_explain_kind(x, &pick->matter->step_at);
        }

        for (k = 0; k < x->m->found[kind].count && k < JUDGE_PLACES
                    && k < JUDGE_PASSAGE_PLACES && rc == JUDGE_OK; k++)
        {
            rc = judge_explain_passage(x, s, &x->m->found[kind].places[k],
                                       pick, kind);
        }
    }

    return rc;
}


/* The text is as it was stored: its bytes before a place are counted. */

static judge_rc_e
judge_explain_passage(judge_explain_t *x, judge_criterion_score_t *s,
    const judge_place_t *place, const judge_pick_t *pick, judge_found_e kind)
{
    size_t               begin;
    judge_str_t          quote, before;
    judge_passage_t     *p;
    const judge_text_t  *t;

    t = x->m->text;

    if (t->nbad > 0 || place->end == 0) {
        return JUDGE_OK;               /* words are counted by their first */
    }

    begin = t->tokens[place->first].begin;
    quote = (judge_str_t) { t->tokens[place->end - 1].end - begin,
                            t->str.data + begin };
    quote = judge_utf8_prefix(quote, JUDGE_PASSAGE_BYTES);

    if (begin < x->known_byte) {
        x->known_byte = 0;
        x->known_char = 0;
    }

    before = (judge_str_t) { begin - x->known_byte,
                             t->str.data + x->known_byte };
    x->known_char += judge_utf8_length(before);
    x->known_byte = begin;

    p = &s->passages[s->npassages++];
    p->at.start = x->known_char;
    p->at.end = p->at.start + judge_utf8_length(quote);
    p->at.quote = quote;
    p->strength = pick->effect > 0;
    p->note = judge_str_c(judge_explain_say(x, judge_found_names[kind] != NULL
                                         ? judge_found_names[kind]
                                         : pick->clause->text));
    return JUDGE_OK;
}
