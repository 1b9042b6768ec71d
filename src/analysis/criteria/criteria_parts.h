/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What the steps of judge_criteria_parse() share.  A description is divided
 * into lines and rows, these into sentences, clauses and items; each item is a
 * draft of a criterion, in the writer's own words.
 */


#ifndef JUDGE_CRITERIA_PARTS_H
#define JUDGE_CRITERIA_PARTS_H


#include "base/core/allowance.h"
#include "analysis/criteria/criteria_parse.h"
#include "base/text/regex.h"


#define JUDGE_CRITERIA_FOUND     128   /* criteria before the limit */
#define JUDGE_CRITERIA_NOTES     24
#define JUDGE_CRITERIA_SEGMENTS  48    /* of a sentence */
#define JUDGE_CRITERIA_LONG      3000  /* bytes; longer sentences stay whole */

/* The classes of words in words_table.txt, which says what they are. */
typedef enum {
    JUDGE_CLASS_NOT, JUDGE_CLASS_LIMIT, JUDGE_CLASS_MODAL, JUDGE_CLASS_IS,
    JUDGE_CLASS_BE, JUDGE_CLASS_AND, JUDGE_CLASS_OR, JUDGE_CLASS_BUT,
    JUDGE_CLASS_CLAUSE, JUDGE_CLASS_TIED, JUDGE_CLASS_THE, JUDGE_CLASS_OWN,
    JUDGE_CLASS_JUDGE, JUDGE_CLASS_BY, JUDGE_CLASS_WE, JUDGE_CLASS_ABOUT,
    JUDGE_CLASS_HELLO, JUDGE_CLASS_REGARDS, JUDGE_CLASS_THANKS,
    JUDGE_CLASS_IDLE, JUDGE_CLASS_PERCENT, JUDGE_CLASS_POINTS,
    JUDGE_CLASS_COUNTS, JUDGE_CLASS_TIMES, JUDGE_CLASS_SHARE,
    JUDGE_CLASS_REST, JUDGE_CLASS_SPLIT, JUDGE_CLASS_EACH, JUDGE_CLASS_GLUE,
    JUDGE_CLASS_TOTAL, JUDGE_CLASS_COLUMN, JUDGE_CLASS_STRICT,
    JUDGE_CLASS_LENIENT, JUDGE_CLASS_COMMON, JUDGE_CLASS_DAY, JUDGE_CLASS_N
} judge_criteria_class_e;

/* Expressions of judge_words_rules; their numbers follow those of classes. */
typedef enum {
    JUDGE_RULE_WORD = JUDGE_CLASS_N, JUDGE_RULE_TRIM, JUDGE_RULE_FILLER,
    JUDGE_RULE_COLON, JUDGE_RULE_LABEL, JUDGE_RULE_BULLET, JUDGE_RULE_STOP,
    JUDGE_RULE_FIRST, JUDGE_RULE_BEFORE, JUDGE_RULE_ITEMS, JUDGE_RULE_ITEM,
    JUDGE_RULE_SUBJECT, JUDGE_RULE_OTHERS, JUDGE_RULE_INTRO, JUDGE_RULE_JOTTED,
    JUDGE_RULE_DUE, JUDGE_RULE_TOPIC, JUDGE_RULE_LABELS, JUDGE_RULE_SCALE,
    JUDGE_RULE_JOINT, JUDGE_RULE_BE_NO, JUDGE_RULE_ACT, JUDGE_RULE_ACT_DE,
    JUDGE_RULE_VERB, JUDGE_RULE_INFINITIVE, JUDGE_RULE_LAST, JUDGE_RULE_FINITE,
    JUDGE_RULE_RELATIVE, JUDGE_RULE_RELATIVE_DE, JUDGE_RULE_WEIGHT,
    JUDGE_RULE_BARE, JUDGE_RULE_CELL, JUDGE_RULE_SUM, JUDGE_RULE_PLURAL,
    JUDGE_RULE_GIVEN, JUDGE_RULE_FINAL, JUDGE_RULE_URGENCY, JUDGE_RULE_N
} judge_criteria_rule_e;

typedef enum {
    JUDGE_SAY_NOT_JUDGED, JUDGE_SAY_PASSED_OVER, JUDGE_SAY_IS_IT,
    JUDGE_SAY_NOTHING, JUDGE_SAY_ONLY_ONE, JUDGE_SAY_NO_WEIGHTS,
    JUDGE_SAY_NOT_HUNDRED, JUDGE_SAY_NOTHING_LEFT, JUDGE_SAY_LEFT_OUT,
    JUDGE_SAY_MANY, JUDGE_SAY_FOREIGN, JUDGE_SAY_ADDED, JUDGE_SAY_RESTORED
} judge_criteria_say_e;

typedef struct {                       /* a row of words_table.txt */
    judge_criteria_class_e  class;
    const char             *language;
    const char             *words;     /* "word phrase_of_words half=50" */
} judge_criteria_words_t;

typedef struct {
    judge_criteria_say_e  say;
    const char           *language;
    const char           *format;      /* "%s" is what it is about */
} judge_criteria_say_t;

extern const judge_criteria_words_t  judge_criteria_words[];
extern const size_t                  judge_criteria_words_n;
extern const judge_criteria_say_t    judge_criteria_says[];
extern const size_t                  judge_criteria_says_n;

typedef struct {                       /* each 0: not specified */
    double       share, points, factor;    /* of 100; in points; times */
    bool         rest, split;          /* what the others leave; divided */
    judge_str_t  at;                   /* the words that say so */
    bool         first;                /* nothing stands before them */
} judge_weigh_t;

typedef struct {
    judge_str_t     name, description;
    judge_weigh_t   weigh;
    double          result;            /* its weight */
    int             strict;            /* 1: must be; -1: if possible */
} judge_draft_t;

typedef struct {
    judge_arena_t                *arena;
    judge_allowance_t             allowance;
    const judge_parse_request_t  *request;
    unsigned                      language;
    bool                          foreign, failed;
    bool                          letter;  /* nothing is asked for yet */
    bool                          opens;   /* its first sentence is read */
    bool                          mail;    /* it begins with a greeting */
    double                        total;   /* sum of weights that end lines */
    judge_regex_t                *rules[JUDGE_RULE_N];    /* when needed */
    judge_str_t                   group;   /* the heading of a list */
    judge_draft_t                 found[JUDGE_CRITERIA_FOUND];
    size_t                        nfound, lost;    /* over the limits */
    size_t                        looked;  /* for what weights are of */
    judge_str_t                   notes[JUDGE_CRITERIA_NOTES];
    judge_str_t                   questions[JUDGE_CRITERIA_NOTES];
    size_t                        nnotes, nquestions;
} judge_prose_t;

#define judge_find(p, s, class)  judge_words_match(p, JUDGE_CLASS_##class, s)
#define judge_has(p, s, class)   (judge_find(p, s, class).data != NULL)
#define judge_opening(p, s, class)                                           \
    judge_words_begins(p, s, JUDGE_CLASS_##class)
#define judge_begins(p, s, class)  (judge_opening(p, s, class).data != NULL)

/* The value of a phrase; of the first one, and of that at the beginning. */
#define judge_value(p, phrase, class)                                        \
    judge_words_value(p, JUDGE_CLASS_##class, phrase)
#define judge_value_in(p, s, class)                                          \
    judge_value(p, judge_find(p, s, class), class)
#define judge_value_at(p, s, class)                                          \
    judge_value(p, judge_opening(p, s, class), class)


/*
 * criteria_words.c
 */

/* The steps that looking for words may take: two seconds of a processor. */
judge_allowance_t judge_words_allowance(void);

/* Of the language of the text: the one with most of the words. */
void judge_words_language(judge_prose_t *p, judge_str_t text);

/* _match() returns the first match of the expression, or what is absent;
 * _like() says whether there is one. */
judge_str_t judge_words_match(judge_prose_t *p, unsigned rule, judge_str_t s);
#define judge_match(p, s, rule)  judge_words_match(p, JUDGE_RULE_##rule, s)
#define judge_like(p, s, rule)   (judge_match(p, s, rule).data != NULL)

/* The first phrase of the class outside brackets and quotations; at the
 * beginning; absent: there is none.  Its value in the table, or 0. */
judge_str_t judge_words_begins(judge_prose_t *p, judge_str_t s,
    judge_criteria_class_e class);
double judge_words_value(const judge_prose_t *p, judge_criteria_class_e class,
    judge_str_t phrase);

/* How many words there are; without spaces and marks at the ends; from the
 * begin of one to the end of the other, and what is after or before a part of
 * it. */
size_t judge_words_count(judge_prose_t *p, judge_str_t s);
judge_str_t judge_words_trim(judge_prose_t *p, judge_str_t s);
judge_str_t judge_words_span(const char *from, const char *to);
#define judge_end(s)            ((s).data + (s).len)
#define judge_through(from, to)  judge_words_span((from).data, judge_end(to))
#define judge_before(s, part)   judge_words_span((s).data, (part).data)
#define judge_after(s, part)   judge_words_span(judge_end(part), judge_end(s))

/* The next word that says what *s is about, which it is taken from; absent:
 * there is none.  Whether a text has a form of it. */
judge_str_t judge_words_content(judge_prose_t *p, judge_str_t *s);
bool judge_words_in(judge_prose_t *p, judge_str_t word, judge_str_t text);

/* For many words and texts: _split() appends the words of a text to `words`,
 * judge_str_t each, _stem() returns what forms of a word share, and _among()
 * whether one of them is there. */
void judge_words_split(judge_prose_t *p, judge_str_t text, judge_buf_t *words);
judge_str_t judge_words_stem(judge_prose_t *p, judge_str_t word);
bool judge_words_among(judge_str_t stem, const judge_buf_t *words);

/* A remark or a question to the writer in the description's language. */
void judge_criteria_say(judge_prose_t *p, bool question,
    judge_criteria_say_e say, judge_str_t about);


/* criteria_drafts.c: false: the text says nothing about weight.  bare: a
 * number at its end is one.  A cell is a weight and nothing else.  The result
 * of all; whether any was specified. */
bool judge_weigh_read(judge_prose_t *p, judge_str_t s, bool bare,
    judge_weigh_t *w);
bool judge_weigh_cell(judge_prose_t *p, judge_str_t s, judge_weigh_t *w);
bool judge_weigh_all(judge_prose_t *p);

/* One criterion.  before: what the item shares with those
 * beside it ("The text must not"); it may be empty.  NULL: there is no name in
 * it, or no room. */
judge_draft_t *judge_draft_add(judge_prose_t *p, judge_str_t before,
    judge_str_t item, const judge_weigh_t *w);
judge_draft_t *judge_draft_put(judge_prose_t *p, judge_str_t name,
    judge_str_t description, const judge_weigh_t *w);

/* criteria_lists.c: where a sentence may be divided, and the criteria of one
 * clause.  head: what stands before a colon, for all of its items. */
typedef struct {
    judge_str_t  at;
    char         joint;                /* , & (and) | (or) / (nor) ! (but) */
} judge_segment_t;

typedef struct {
    judge_segment_t  seg[JUDGE_CRITERIA_SEGMENTS];
    size_t           n;
} judge_segments_t;

bool judge_list_act(judge_prose_t *p, judge_str_t s, bool verb);
judge_str_t judge_list_clause(judge_prose_t *p, judge_str_t s);
void judge_list_segments(judge_prose_t *p, judge_str_t s,
    judge_segments_t *list);
void judge_list_read(judge_prose_t *p, const judge_segments_t *list,
    judge_str_t head, bool listed);
void judge_list_put(judge_prose_t *p, judge_str_t before, judge_str_t s,
    bool unsure);

/* criteria_clauses.c: a sentence.  more: others follow, so that it may be an
 * introduction. */
void judge_clause_sentence(judge_prose_t *p, judge_str_t s, bool more);
bool judge_clause_note(judge_prose_t *p, judge_str_t s, judge_str_t first);

/* criteria_lines.c: the whole description. */
void judge_criteria_lines(judge_prose_t *p, judge_str_t text);


#endif /* JUDGE_CRITERIA_PARTS_H */
