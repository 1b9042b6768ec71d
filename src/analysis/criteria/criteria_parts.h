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


#include "analysis/criteria/criteria_parse.h"


#define JUDGE_CRITERIA_FOUND     128   /* criteria before the limit */
#define JUDGE_CRITERIA_NOTES     24
#define JUDGE_CRITERIA_SEGMENTS  48    /* of a sentence */
#define JUDGE_CRITERIA_LANGUAGES  5

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
    JUDGE_CLASS_TOTAL, JUDGE_CLASS_COLUMN,
    JUDGE_CLASS_EXAMPLE, JUDGE_CLASS_STRICT, JUDGE_CLASS_LENIENT,
    JUDGE_CLASS_COMMON
} judge_criteria_class_e;

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

typedef enum {
    JUDGE_TERM_WORD, JUDGE_TERM_NUMBER, JUDGE_TERM_MARK
} judge_criteria_kind_e;

typedef struct {
    judge_criteria_kind_e  kind;
    char                   mark;       /* ASCII; '-' only between spaces, '"'
                                          any quotation mark, 0: not one */
    bool                   used;       /* it is about a weight */
    bool                   bare;       /* a weight without a unit */
    uint8_t                n;          /* tokens of its longest phrase */
    int                    depth;      /* of brackets and quotations */
    uint64_t               classes;
    double                 value;      /* a number, or that of the phrase */
    judge_str_t            text, low;  /* as written; in small letters */
} judge_term_t;

typedef struct { judge_term_t *from, *to; } judge_span_t;

typedef struct {                       /* each 0: not specified */
    double  share, points, factor;     /* of 100; in points; times */
    bool    first;                     /* nothing stands before it */
    bool    rest, split, each;         /* what the others leave; among them */
} judge_weigh_t;

typedef struct {
    judge_span_t    at;                /* its words */
    judge_str_t     name, description;
    judge_weigh_t   weigh;
    double          result;            /* its weight */
    bool            strict, lenient;
} judge_draft_t;

typedef struct {
    judge_arena_t                *arena;
    const judge_parse_request_t  *request;
    struct judge_lexis_words     *words;   /* NULL: not yet read */
    unsigned                      language;
    bool                          known;   /* the language is */
    bool                          foreign, failed;
    bool                          letter;  /* nothing is asked for yet */
    judge_span_t                  tokens;  /* a mark '\n' is the last */
    judge_span_t                  group;   /* the heading of a list */
    judge_draft_t                 found[JUDGE_CRITERIA_FOUND];
    size_t                        nfound;
    size_t                        lost;    /* over the limits */
    bool                          weighed;
    judge_str_t                   notes[JUDGE_CRITERIA_NOTES];
    size_t                        nnotes;
    judge_str_t                   questions[JUDGE_CRITERIA_NOTES];
    size_t                        nquestions;
} judge_prose_t;

#define judge_span(from, to)      ((judge_span_t) { from, to })
#define judge_is(t, class)                                                   \
    (((t)->classes >> JUDGE_CLASS_##class & 1) != 0)
#define judge_has(span, class)                                               \
    (judge_span_find(span, JUDGE_CLASS_##class) < (span).to)
#define judge_begins(span, class)                                            \
    ((span).from < (span).to && judge_is((span).from, class))


/* criteria_words.c: the tokens of a text with the classes that their words
 * have in the language of the text.  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_criteria_tokens(judge_prose_t *p, judge_str_t text);

/* The first token outside brackets that begins a phrase of the class, or
 * s.to; how many words there are; without marks at the ends; its text. */
judge_term_t *judge_span_find(judge_span_t s, judge_criteria_class_e class);
size_t judge_span_words(judge_span_t s);
judge_span_t judge_span_trim(judge_span_t s);
judge_str_t judge_span_text(judge_span_t s);

/* Where the span says no to something; a limit ("no more than") does not. */
judge_term_t *judge_span_not(judge_span_t s);
bool judge_span_negated(judge_span_t s);

/* A remark or a question to the writer in the description's language. */
void judge_criteria_say(judge_prose_t *p, bool question,
    judge_criteria_say_e say, judge_str_t about);

/* criteria_weights.c: false: the span says nothing about weight.  The tokens
 * that do are marked as used, unless `look` asks only whether they do. */
bool judge_weigh_read(judge_span_t s, judge_weigh_t *w, bool look);
bool judge_weigh_cell(judge_span_t s, judge_weigh_t *w);
void judge_weigh_all(judge_prose_t *p);

/* criteria_drafts.c: one criterion.  frame: what the item shares with those
 * beside it ("The text must not"); it may be empty.  NULL: there is no name in
 * it, or no room. */
judge_draft_t *judge_draft_add(judge_prose_t *p, judge_span_t frame,
    judge_span_t item, const judge_weigh_t *w);
judge_draft_t *judge_draft_put(judge_prose_t *p, judge_span_t at,
    judge_str_t name, judge_str_t description, const judge_weigh_t *w);

/* criteria_lists.c: where a sentence may be divided, and the criteria of one
 * clause.  head: what stands before a colon, for all of its items. */
typedef struct {
    judge_span_t  at;
    char          joint;               /* 0 , & (and) | (or) ! (but) */
} judge_segment_t;

typedef struct {
    judge_segment_t  seg[JUDGE_CRITERIA_SEGMENTS];
    size_t           n;
} judge_segments_t;

void judge_list_segments(judge_span_t s, judge_segments_t *list);
void judge_list_read(judge_prose_t *p, const judge_segments_t *list,
    judge_span_t head, bool listed);
void judge_list_put(judge_prose_t *p, judge_span_t frame, judge_span_t s,
    bool unsure);

/* criteria_clauses.c: a sentence.  more: others follow, so that it may be an
 * introduction.  An item of a list is one criterion, whatever is in it. */
void judge_clause_sentence(judge_prose_t *p, judge_span_t s, bool more);
void judge_clause_item(judge_prose_t *p, judge_span_t s);

/* criteria_table.c: how many of the n lines from the first on are a table,
 * whose rows become criteria; 0: there is none. */
typedef enum {
    JUDGE_LINE_EMPTY, JUDGE_LINE_TEXT, JUDGE_LINE_BULLET, JUDGE_LINE_HEADING
} judge_line_kind_e;

typedef struct {
    judge_line_kind_e  kind;
    judge_span_t       at;             /* without its bullet or number */
    size_t             indent;
} judge_line_t;

size_t judge_rows_read(judge_prose_t *p, const judge_line_t *line, size_t n);

/* criteria_lines.c: the whole description. */
void judge_criteria_lines(judge_prose_t *p);


#endif /* JUDGE_CRITERIA_PARTS_H */
