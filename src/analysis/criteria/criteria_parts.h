/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What the parts of judge_parse share: tokens and blocks of the description,
 * the criteria found so far, and the relations of their weights.
 */


#ifndef JUDGE_CRITERIA_PARTS_H
#define JUDGE_CRITERIA_PARTS_H


#include "analysis/criteria/criteria_parse.h"


#define JUDGE_PARSE_FOUND      128     /* criteria before the limit */
#define JUDGE_PARSE_RELATIONS  256
#define JUDGE_PARSE_EXAMPLES   10
#define JUDGE_PARSE_NOTES      24

/* Tokens. */

typedef enum {
    JUDGE_P_WORD,
    JUDGE_P_NUMBER,
    JUDGE_P_QUOTE,                     /* what stands between the marks */
    JUDGE_P_MARK
} judge_parse_kind_e;

#define JUDGE_P_DASH  'D'              /* a dash between words */

typedef struct {
    uint8_t      kind;
    char         mark;
    bool         space;                /* white space before it */
    bool         capital;
    bool         noun;                 /* the form of the quality is a noun */
    uint8_t      span;                 /* tokens of the quality's phrase */
    int16_t      quality;              /* judge_quality() index, or -1 */
    uint32_t     begin;                /* in the description */
    uint32_t     end;
    double       number;
    judge_str_t  low;                  /* in lower case */
} judge_parse_token_t;

typedef struct {
    size_t  from;                      /* tokens from .. to - 1 */
    size_t  to;
} judge_parse_span_t;

typedef enum {
    JUDGE_P_PARAGRAPH,
    JUDGE_P_ITEM,                      /* of a list */
    JUDGE_P_HEADING,
    JUDGE_P_ROW                        /* of a table */
} judge_parse_block_e;

typedef struct {
    judge_parse_block_e  kind;
    judge_parse_span_t   span;
    unsigned             indent;       /* columns; of a heading its level */
    bool                 child;        /* an item below an item */
    bool                 gap;          /* an empty line before it */
} judge_parse_block_t;


/* Qualities: what people judge by, and the words for it. */

#define JUDGE_Q_DETAIL  0x01           /* says little without more */
#define JUDGE_Q_VAGUE   0x02           /* "good": says nothing */
#define JUDGE_Q_TEXT    0x10           /* for which contents it makes sense; */
#define JUDGE_Q_VIDEO   0x20           /* none of these: for all */
#define JUDGE_Q_AUDIO   0x40
#define JUDGE_Q_IMAGE   0x80

typedef struct {
    const char  *name;
    const char  *nouns;                /* words and phrases, spaces between, */
    const char  *others;               /* phrases with "_" inside */
    const char  *gloss;                /* "%s" is the content */
    unsigned     flags;
} judge_quality_t;

const judge_quality_t *judge_quality(int index);

/* Sets quality, span and noun of every token; where a word has two meanings,
 * the one for content of that kind, a JUDGE_Q_TEXT or the like. */
void judge_quality_mark(judge_parse_token_t *tokens, size_t n,
    unsigned media);
unsigned judge_quality_media(judge_parse_type_e type);

/* Classes of words. */

typedef enum {
    JUDGE_PW_FILLER,                   /* no part of a name: the, it, very */
    JUDGE_PW_GENERIC,                  /* what is judged: text, article */
    JUDGE_PW_VERB,                     /* what a text does: cite, explain */
    JUDGE_PW_MODAL,                    /* should, must */
    JUDGE_PW_STRICT,                   /* must, never, required */
    JUDGE_PW_LENIENT,                  /* ideally, preferably */
    JUDGE_PW_GLUE,                     /* between a criterion and its weight */
    JUDGE_PW_PREPOSITION,
    JUDGE_PW_VAGUE,                    /* good, nice */
    JUDGE_PW_OPEN,                     /* some, enough: how many? */
    JUDGE_PW_NOT,                      /* not, never, no, avoid, without */
    JUDGE_PW_JUDGE,                    /* judge, evaluate, rate */
    JUDGE_PW_COMMON,                   /* words of any English text */
    JUDGE_PW_CLASSES
} judge_parse_class_e;

bool judge_parse_is(const judge_parse_token_t *token,
    judge_parse_class_e class);
int judge_quality_find(const char *name);
bool judge_parse_word(const judge_parse_token_t *token, const char *word);
bool judge_parse_mark(const judge_parse_token_t *token, char mark);

/* A number in figures or in words up to twenty; false: it is none. */
bool judge_parse_number(const judge_parse_token_t *token, double *value);

/* The tokens from `at` on are these words, "_" for a space; how many there
 * are, 0: they are not. */
size_t judge_parse_phrase(const judge_parse_token_t *tokens, size_t at,
    size_t to, const char *words);


/* Criteria. */

typedef enum {                         /* where it was found */
    JUDGE_P_LABELLED,
    JUDGE_P_LISTED,
    JUDGE_P_ENUMERATED,
    JUDGE_P_REQUIRED,
    JUDGE_P_WEIGHED,
    JUDGE_P_MENTIONED,
    JUDGE_P_GUESSED
} judge_parse_form_e;

typedef struct {
    judge_str_t         name;
    judge_str_t         key;           /* the name in lower case */
    judge_buf_t         description;
    int                 quality;
    judge_parse_form_e  form;
    double              share;         /* percent; < 0: none is given */
    double              points;        /* < 0: none */
    double              factor;        /* of what the others have */
    double              rank;          /* 1 is first; 0: none */
    double              result;
    bool                negative;
    bool                strict;
    bool                lenient;
    bool                most;          /* nothing counts more */
    bool                partial;       /* its quality is a part of its name */
    bool                described;     /* in the words of the description */
    bool                counted;       /* how many there must be is said */
    bool                subject;       /* its name is what a sentence is on */
    double              levels[4];     /* excellent .. poor; < 0: not given */
    judge_str_t         examples[JUDGE_PARSE_EXAMPLES];
    size_t              nexamples;
} judge_parse_found_t;

typedef enum {
    JUDGE_P_TIMES,                     /* a is `value` times b */
    JUDGE_P_MORE                       /* a is more than b */
} judge_parse_relation_e;

typedef struct {
    judge_parse_relation_e  kind;
    size_t                  a;
    size_t                  b;
    double                  value;
} judge_parse_relation_t;

typedef struct {
    judge_arena_t                *arena;
    const judge_parse_request_t  *request;
    judge_str_t                   text;
    judge_parse_token_t          *tokens;
    size_t                        ntokens;
    judge_parse_block_t          *blocks;
    size_t                        nblocks;

    judge_parse_found_t           found[JUDGE_PARSE_FOUND];
    size_t                        nfound;
    judge_parse_relation_t        relations[JUDGE_PARSE_RELATIONS];
    size_t                        nrelations;
    double                        levels[4];     /* for all criteria */

    /* the sentence or list at hand */
    size_t                        group;         /* first criterion of it */
    size_t                        last;          /* the last mentioned, + 1 */
    char                          negative;      /* 0; 'N' before a noun, 'V'
                                                    before a verb */
    bool                          lenient;
    bool                          strict;
    bool                          ranked;        /* in order of importance */

    size_t                        sentences;
    size_t                        unused;        /* nothing was found in */
    size_t                        lost;          /* criteria over the limit */
    bool                          weighed;       /* weights are spoken of */
    bool                          equal;         /* "equally" */
    bool                          conflict;
    bool                          failed;        /* no memory */

    judge_str_t                   notes[JUDGE_PARSE_NOTES];
    size_t                        nnotes;
} judge_parse_ctx_t;

void judge_parse_note(judge_parse_ctx_t *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));


/* criteria_tokens.c: the bytes begin .. end - 1 become tokens. */
void judge_parse_tokens(judge_parse_ctx_t *p, size_t begin, size_t end);

/* criteria_lines.c: all of them, and the blocks that they are in. */
judge_rc_e judge_parse_scan(judge_parse_ctx_t *p);

/* The words of the description, as they stand; without marks at the ends. */
judge_str_t judge_parse_text(const judge_parse_ctx_t *p,
    judge_parse_span_t span);
judge_parse_span_t judge_parse_trim(const judge_parse_ctx_t *p,
    judge_parse_span_t span);

/* The end of the first sentence of the span. */
size_t judge_parse_sentence_end(const judge_parse_ctx_t *p,
    judge_parse_span_t span);


/*
 * criteria_names.c: criteria by their names.  add() finds one of the same
 * name or meaning, or makes it; its index, or JUDGE_PARSE_FOUND when there
 * is nothing to name or no more room.  find() only looks, and takes a part
 * of the name for the whole.
 */
size_t judge_parse_add(judge_parse_ctx_t *p, judge_parse_span_t name,
    judge_parse_form_e form);
size_t judge_parse_add_quality(judge_parse_ctx_t *p, const char *name,
    judge_parse_form_e form);
size_t judge_parse_find(judge_parse_ctx_t *p, judge_parse_span_t name);

/* "the first", "the last one": which; JUDGE_PARSE_FOUND for another phrase. */
size_t judge_parse_ordinal(const judge_parse_ctx_t *p,
    judge_parse_span_t span);
void judge_parse_describe(judge_parse_ctx_t *p, size_t i, judge_str_t prefix,
    judge_parse_span_t span);


/*
 * criteria_cues.c: what a piece of text says about weight.  take() reads
 * the cues and returns what is left: the name of what they are about.  cues()
 * only looks at the first: false, there is none.
 */

typedef struct {
    double              share;         /* each < 0: is not there */
    double              points;
    double              factor;
    double              times;         /* as much as `other` */
    bool                most;          /* of all */
    bool                more;          /* than `other` */
    bool                less;
    bool                equal;
    bool                any;
    bool                ranked;        /* "in order of importance" */
    bool                scale;         /* "from 1 to 10": no weight */
    judge_parse_span_t  other;
    judge_parse_span_t  at;            /* where the first cue stands */
    double              ratio[8];      /* "2:1:1" */
    size_t              nratio;
} judge_parse_cue_t;

judge_parse_span_t judge_parse_take(judge_parse_ctx_t *p,
    judge_parse_span_t span, judge_parse_cue_t *cue);
bool judge_parse_cues(judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_cue_t *cue);

/* "the others", "the rest". */
bool judge_parse_others(const judge_parse_ctx_t *p, judge_parse_span_t span);

/* criteria_weights.c: from cues to weights. */
void judge_parse_apply(judge_parse_ctx_t *p, size_t i,
    const judge_parse_cue_t *cue);
void judge_parse_relate(judge_parse_ctx_t *p, judge_parse_relation_e kind,
    size_t a, size_t b, double value);
void judge_parse_resolve(judge_parse_ctx_t *p);
void judge_parse_rescale(judge_parse_ctx_t *p);        /* after some are
                                                          left out */


/*
 * criteria_details.c.  examples() reads what stands behind "for example"
 * and "such as" and returns the span without it.  level() is what a piece
 * like "90-100: excellent" says, levels() what a sentence of such pieces
 * does (false: it is none).  quantity() finds "at least two" and the like,
 * which are the tokens *at .. result - 1; 0: there is none.  details() takes
 * all of it for a criterion.
 */
judge_parse_span_t judge_parse_examples(judge_parse_ctx_t *p, size_t i,
    judge_parse_span_t span);
bool judge_parse_level(const judge_parse_ctx_t *p, judge_parse_span_t span,
    unsigned *level, double *value);
bool judge_parse_levels(judge_parse_ctx_t *p, judge_parse_span_t span,
    double levels[4]);
size_t judge_parse_quantity(const judge_parse_ctx_t *p,
    judge_parse_span_t span, double *low, double *high, size_t *at);
void judge_parse_details(judge_parse_ctx_t *p, size_t i,
    judge_parse_span_t span);


/*
 * criteria_items.c: one thing to judge by, with its weight and details;
 * an enumeration of such things; what a text has to be or do.
 */
size_t judge_parse_piece(judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_form_e form);
size_t judge_parse_enumeration(judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_form_e form);          /* how many it has */
size_t judge_parse_requirement(judge_parse_ctx_t *p, judge_parse_span_t lead,
    judge_parse_span_t verb);

/* "(30%)", "(bonus)" in the span are about the criterion. */
void judge_parse_brackets(judge_parse_ctx_t *p, size_t at,
    judge_parse_span_t span);

/* criteria_divide.c: where the piece of an enumeration ends that begins at
 * span.from; *next is where the next one begins. */
size_t judge_parse_piece_end(const judge_parse_ctx_t *p,
    judge_parse_span_t span, size_t *next);

/* criteria_require.c: how many criteria the sentence has; 0 where it is of
 * another kind. */
size_t judge_parse_should(judge_parse_ctx_t *p, judge_parse_span_t s);
size_t judge_parse_is_so(judge_parse_ctx_t *p, judge_parse_span_t s);
size_t judge_parse_question(judge_parse_ctx_t *p, judge_parse_span_t s);

/* "should" or "must not" at the token: its length in *n, 0: it is none; true:
 * it forbids. */
bool judge_parse_modal(const judge_parse_ctx_t *p, size_t i, size_t to,
    size_t *n);

/* Whether the span only names what is judged: "the text of the article". */
bool judge_parse_generic(const judge_parse_ctx_t *p, judge_parse_span_t s);
bool judge_parse_has_quality(const judge_parse_ctx_t *p, size_t from,
    size_t to);
size_t judge_parse_any(const judge_parse_ctx_t *p, size_t i, size_t to,
    const char *const *phrases);       /* which end with NULL */

typedef enum {
    JUDGE_S_NONE,
    JUDGE_S_LIST,                      /* criteria follow */
    JUDGE_S_BONUS,                     /* and count little */
    JUDGE_S_AVOID,                     /* what is to be avoided follows */
    JUDGE_S_DONT,                      /* a verb that is not to be done */
    JUDGE_S_CLAUSE,                    /* a sentence of what must hold */
    JUDGE_S_FAULT,                     /* of what must not hold */
    JUDGE_S_JUDGE                      /* "judge the text on" */
} judge_sentence_e;

/* How the sentence begins, and where what it leads to does. */
judge_sentence_e judge_parse_lead(const judge_parse_ctx_t *p,
    judge_parse_span_t s, size_t *rest);

/* criteria_table.c: how many blocks from b on are a scale of scores (0:
 * none); how many criteria are in the row of a table. */
size_t judge_parse_scale(judge_parse_ctx_t *p, size_t b);
size_t judge_parse_row(judge_parse_ctx_t *p, judge_parse_span_t span,
    bool first);

/* What is said about a criterion: description, weight, numbers. */
void judge_parse_statements(judge_parse_ctx_t *p, size_t i,
    judge_parse_span_t span);

/* criteria_sentences.c and criteria_blocks.c: from blocks to criteria.
 * guess() takes any word for a quality when nothing else was found. */
void judge_parse_sentences(judge_parse_ctx_t *p, judge_parse_span_t span);
void judge_parse_guess(judge_parse_ctx_t *p);
void judge_parse_blocks(judge_parse_ctx_t *p);


/* judge_parse_judge.c: thresholds, confidence, suggestions. */
void judge_parse_finish(judge_parse_ctx_t *p, judge_parsed_criteria_t *out);


#endif /* JUDGE_CRITERIA_PARTS_H */
