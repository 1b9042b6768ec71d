/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What the steps of judge_criteria_parse() share.  Each file calls only those
 * above it here: words, match, context, tokens, lines, names, weights,
 * details, items, sentences, lists, report, parse.
 */


#ifndef JUDGE_CRITERIA_CONTEXT_H
#define JUDGE_CRITERIA_CONTEXT_H


#include "analysis/criteria/criteria_parse.h"


#define JUDGE_PARSE_FOUND      128     /* criteria before the limit */
#define JUDGE_PARSE_NONE       JUDGE_PARSE_FOUND  /* index of no criterion */
#define JUDGE_PARSE_RELATIONS  256
#define JUDGE_PARSE_EXAMPLES   10
#define JUDGE_PARSE_NOTES      24
#define JUDGE_PARSE_RATIO      8

/* Classes of words and phrases, with examples; some members have a value. */

typedef enum {                         /* single words: */
    JUDGE_W_FILLER,                    /* not part of a name: the, it, very */
    JUDGE_W_GENERIC,                   /* what is judged: text, article */
    JUDGE_W_VERB,                      /* what a text does: cite, explain */
    JUDGE_W_STRICT, JUDGE_W_LENIENT,   /* must, never; ideally */
    JUDGE_W_GLUE,                      /* between a criterion and its weight */
    JUDGE_W_PREPOSITION, JUDGE_W_BE, JUDGE_W_NOT, JUDGE_W_VAGUE,
    JUDGE_W_OPEN,                      /* some, enough: how many? */
    JUDGE_W_JUDGE,                     /* judge, evaluate, rate */
    JUDGE_W_COMMON,                    /* words of any English text */
    JUDGE_W_NUMBER,                    /* value: zero to twenty */
    JUDGE_W_ABBREVIATION,              /* the point behind ends no sentence */
    JUDGE_W_LIGHT,                     /* skipped behind a negation */
    JUDGE_W_PERSON,                    /* we, they: not what is judged */
    JUDGE_W_FAULT,                     /* mistakes, errors */
    JUDGE_W_WHEN,                      /* begins a subordinate clause */
    JUDGE_W_BEFORE,                    /* may precede a lead */
    JUDGE_W_QUANTIFIED,                /* "no more" is not a negation */
    JUDGE_W_SHARED,                    /* verbs that hold for a whole list */
    JUDGE_W_PLURAL,                    /* verbs about several */
    JUDGE_W_ORDINAL,                   /* value: 0 the first, -1 the last */
    JUDGE_W_BOUNDED, JUDGE_W_WHOLE,    /* at least 80%; of the score */
    JUDGE_W_LENGTH,                    /* words, minutes */
    JUDGE_W_BELOW, JUDGE_W_SCORED,     /* below; score, points */
    JUDGE_W_COLUMN,                    /* heads the first column of a table */
                                       /* also phrases: */
    JUDGE_W_DIVIDER,                   /* between members of a list: and, */
    JUDGE_W_CONNECTOR,                 /* and behind it: then, also */
    JUDGE_W_OPENING,                   /* please, first of all */
    JUDGE_W_LEAD,                      /* value: judge_parse_lead_e */
    JUDGE_W_TITLE,                     /* value: judge_parse_section_e */
    JUDGE_W_ON,                        /* criteria follow: on, based on */
    JUDGE_W_ASK,                       /* begins a question */
    JUDGE_W_MODAL,                     /* value: 0 requires, 1 forbids */
    JUDGE_W_NO, JUDGE_W_DONT,          /* negates a noun, a verb */
    JUDGE_W_ONE, JUDGE_W_MANY,         /* pronouns: it; both, all of them */
    JUDGE_W_OTHERS, JUDGE_W_REST,      /* the others; the rest is */
    JUDGE_W_FACTOR, JUDGE_W_MOST,      /* value: a factor */
    JUDGE_W_PREDICATE,                 /* likewise, unless before a noun */
    JUDGE_W_EQUAL, JUDGE_W_RANKED,
    JUDGE_W_UNIT, JUDGE_W_PERCENT,     /* points, marks; percent */
    JUDGE_W_PART,                      /* value: "half of the", percent */
    JUDGE_W_WEIGHT, JUDGE_W_LINK,      /* weight, priority; of, at, is */
    JUDGE_W_FOLD, JUDGE_W_MUCH,        /* value: twice; as important as */
    JUDGE_W_MORE_THAN, JUDGE_W_LESS_THAN,
    JUDGE_W_PREFER,                    /* prioritize, over */
    JUDGE_W_SCALE,                     /* on a scale of */
    JUDGE_W_BOUND,                     /* value: judge_parse_bound_e */
    JUDGE_W_LEVEL,                     /* value: 0 excellent to 3 poor */
    JUDGE_W_EXAMPLE,                   /* for example */
    JUDGE_W_CLASSES                    /* at most 64 */
} judge_parse_class_e;

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
    bool         numeric;
    uint8_t      span;                 /* tokens of the quality's phrase */
    int16_t      quality;              /* judge_quality() index, or -1 */
    uint16_t     phrases;              /* that begin with this word; 0: none */
    uint32_t     begin;                /* in the description */
    uint32_t     end;
    uint64_t     classes;              /* that the word belongs to */
    double       number;               /* if numeric */
    judge_str_t  low;                  /* in lower case */
} judge_parse_token_t;

typedef struct {
    size_t  from;                      /* tokens from .. to - 1 */
    size_t  to;
} judge_parse_span_t;

static inline judge_parse_span_t
judge_parse_span(size_t from, size_t to)
{
    return (judge_parse_span_t) { from, to };
}

typedef enum {
    JUDGE_P_PARAGRAPH,
    JUDGE_P_ITEM,                      /* of a list */
    JUDGE_P_HEADING,
    JUDGE_P_ROW                        /* of a table */
} judge_parse_block_e;

typedef struct {
    judge_parse_block_e  kind;
    judge_parse_span_t   span;
    unsigned             indent;
    bool                 child;        /* an item below an item */
    bool                 gap;          /* an empty line before it */
} judge_parse_block_t;

typedef struct {
    const char  *words;
    uint16_t     next;                 /* with the same hash */
    uint8_t      class;
    bool         noun;
    float        value;
} judge_parse_phrase_t;

/* Qualities: what people judge by, and the words for it. */

#define JUDGE_Q_DETAIL  0x01           /* needs a description */
#define JUDGE_Q_VAGUE   0x02           /* "good" */
#define JUDGE_Q_TEXT    0x10           /* for which contents it makes sense; */
#define JUDGE_Q_VIDEO   0x20           /* none of these: for all */
#define JUDGE_Q_AUDIO   0x40
#define JUDGE_Q_IMAGE   0x80
#define JUDGE_Q_MEDIA   0xf0

typedef struct {
    const char  *name;
    const char  *nouns;                /* phrases, spaces between, */
    const char  *others;               /* with "_" inside */
    const char  *gloss;                /* "%s" is the content */
    unsigned     flags;
} judge_quality_t;

typedef enum {                         /* where a criterion was found */
    JUDGE_P_LABELLED,
    JUDGE_P_LISTED,
    JUDGE_P_ENUMERATED,
    JUDGE_P_REQUIRED,
    JUDGE_P_WEIGHED,
    JUDGE_P_GUESSED
} judge_parse_form_e;

typedef struct {
    judge_str_t         name;
    judge_buf_t         description;
    int                 quality;
    judge_parse_form_e  form;
    double              share;         /* percent; < 0: not specified */
    double              points;        /* < 0: not specified */
    double              factor;        /* relative to the others */
    double              rank;          /* 1 is first; 0: none */
    double              result;
    bool                negative;
    bool                strict;
    bool                lenient;
    bool                most;          /* nothing counts more */
    bool                partial;       /* says more than its quality */
    bool                described;     /* in the words of the description */
    bool                counted;       /* it has a number of things */
    bool                subject;       /* the subject of a sentence */
    double              levels[4];     /* excellent .. poor; < 0: none */
    judge_str_t         examples[JUDGE_PARSE_EXAMPLES];
    size_t              nexamples;
} judge_parse_found_t;

typedef struct {                       /* a counts `value` times b */
    size_t  a;
    size_t  b;
    double  value;
    bool    least;                     /* or more */
} judge_parse_relation_t;

typedef struct {
    judge_arena_t                *arena;
    const judge_parse_request_t  *request;
    judge_str_t                   text;
    judge_parse_token_t          *tokens;   /* [0] is an empty mark */
    size_t                        ntokens;
    judge_parse_block_t          *blocks;
    size_t                        nblocks;
    judge_parse_phrase_t         *phrases;
    uint16_t                     *heads;    /* of phrases by hash */

    judge_parse_found_t           found[JUDGE_PARSE_FOUND];
    size_t                        nfound;
    judge_parse_relation_t        relations[JUDGE_PARSE_RELATIONS];
    size_t                        nrelations;
    double                        levels[4];     /* for all criteria */

    /* of the current sentence or item */
    size_t                        last;     /* index of the criterion that
                                               was named last, + 1 */
    char                          negative; /* 0; 'N' before a noun, 'V'
                                               before a verb */
    bool                          lenient;
    bool                          strict;
    bool                          ranked;   /* in order of importance */

    size_t                        sentences;
    size_t                        unused;   /* without a criterion */
    size_t                        lost;     /* criteria over the limit */
    bool                          weighed;  /* there are weights */
    bool                          conflict;
    bool                          failed;   /* no memory */

    judge_str_t                   notes[JUDGE_PARSE_NOTES];
    size_t                        nnotes;
} judge_parse_ctx_t;


/* criteria_words.c; NULL behind the last. */

typedef struct {
    judge_parse_class_e  class;
    float                value;
    const char          *words;        /* phrases as those of qualities */
} judge_words_row_t;

const judge_words_row_t *judge_words_row(size_t i);
const judge_quality_t *judge_quality(int index);
int judge_quality_find(const char *name);
unsigned judge_quality_media(judge_parse_type_e type);


/* criteria_match.c */

/* The index of all phrases; then classes and qualities of the tokens. */
judge_rc_e judge_parse_words_index(judge_parse_ctx_t *p);
void judge_parse_words_mark(judge_parse_ctx_t *p, judge_parse_span_t span);

bool judge_parse_is(const judge_parse_token_t *t, judge_parse_class_e class);
bool judge_parse_word(const judge_parse_token_t *t, const char *word);
bool judge_parse_mark(const judge_parse_token_t *t, char mark);
bool judge_parse_marks(const judge_parse_token_t *t, const char *marks);

/* How many tokens the longest phrase of the class has that begins at i; 0:
 * none does.  *value is the phrase's. */
size_t judge_parse_match(const judge_parse_ctx_t *p, size_t i, size_t to,
    judge_parse_class_e class);
size_t judge_parse_value(const judge_parse_ctx_t *p, size_t i, size_t to,
    judge_parse_class_e class, double *value);

/*
 * Patterns over tokens: a letter is a class or word (criteria_match.c has the
 * table), "#" a number, "~" a hyphen, dash or "to", any other character that
 * mark.  An element with "?" may be absent, with "*" also come again.  The
 * end of what matched, or 0; number[] gets the first two numbers or values.
 */
size_t judge_parse_pattern(const judge_parse_ctx_t *p, size_t i, size_t to,
    const char *pattern, double number[2]);


/* criteria_context.c */

void judge_parse_note(judge_parse_ctx_t *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Without marks at the ends; the text of that as it stands; how many words
 * are in it; the end of the first sentence. */
judge_parse_span_t judge_parse_trim(const judge_parse_ctx_t *p,
    judge_parse_span_t span);
judge_str_t judge_parse_text(const judge_parse_ctx_t *p,
    judge_parse_span_t span);
size_t judge_parse_count(const judge_parse_ctx_t *p, judge_parse_span_t span);
size_t judge_parse_sentence_end(const judge_parse_ctx_t *p,
    judge_parse_span_t span);

/* The first token of the class, or of the mark, in the span; else span.to. */
size_t judge_parse_seek(const judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_class_e class);
size_t judge_parse_seek_mark(const judge_parse_ctx_t *p,
    judge_parse_span_t span, const char *marks);

bool judge_parse_has_quality(const judge_parse_ctx_t *p, size_t from,
    size_t to);

/* Whether the span only names what is judged: "the text of the article". */
bool judge_parse_generic(const judge_parse_ctx_t *p, judge_parse_span_t s);
size_t judge_parse_head(const judge_parse_ctx_t *p, judge_parse_span_t s);


/* criteria_tokens.c: of the bytes begin .. end - 1, which are one line. */
void judge_parse_tokens(judge_parse_ctx_t *p, size_t begin, size_t end);


/* criteria_lines.c */

judge_rc_e judge_parse_lines(judge_parse_ctx_t *p);

/* Words of a span without the marks of a sentence, if at most six; else 0. */
size_t judge_parse_short(const judge_parse_ctx_t *p, judge_parse_span_t span,
    const char *marks);

/* The colon or dash behind a label, or span.to. */
size_t judge_parse_separator(const judge_parse_ctx_t *p,
    judge_parse_span_t span);


/*
 * criteria_names.c: criteria by their names.  add() returns the one of the
 * same name or meaning, or makes it; JUDGE_PARSE_NONE: nothing names one, or
 * there is no room.  find() only looks, also for a part of a name.
 */
size_t judge_parse_add(judge_parse_ctx_t *p, judge_parse_span_t name,
    judge_parse_form_e form);
size_t judge_parse_add_quality(judge_parse_ctx_t *p, int quality,
    judge_parse_form_e form);
size_t judge_parse_find(judge_parse_ctx_t *p, judge_parse_span_t name);

/* "the first", "the last one". */
size_t judge_parse_ordinal(const judge_parse_ctx_t *p,
    judge_parse_span_t span);
void judge_parse_describe(judge_parse_ctx_t *p, size_t i, judge_str_t prefix,
    judge_parse_span_t span);


/* criteria_weights.c: cues of weight, and weights from them. */

typedef struct {
    double              share;         /* each < 0: absent */
    double              points;
    double              factor;
    double              times;         /* as much as `other` */
    bool                most;
    bool                more;          /* than `other` */
    bool                less;
    bool                equal;
    bool                any;
    bool                ranked;
    bool                scale;         /* "from 1 to 10": no weight */
    judge_parse_span_t  other;
    judge_parse_span_t  at;            /* the first cue */
    double              ratio[JUDGE_PARSE_RATIO];  /* "2:1:1" */
    size_t              nratio;
} judge_parse_cue_t;

/* The first cue of the span.  take() reads all and returns the span without
 * them: the name of what they are about. */
bool judge_parse_cue(judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_cue_t *cue);
judge_parse_span_t judge_parse_take(judge_parse_ctx_t *p,
    judge_parse_span_t span, judge_parse_cue_t *cue);
void judge_parse_apply(judge_parse_ctx_t *p, size_t i,
    const judge_parse_cue_t *cue);
void judge_parse_brackets(judge_parse_ctx_t *p, size_t at,
    judge_parse_span_t span);
void judge_parse_relate(judge_parse_ctx_t *p, size_t a, size_t b,
    double value, bool least);
void judge_parse_resolve(judge_parse_ctx_t *p);

/* Results that add up to 1 again. */
void judge_parse_rescale(judge_parse_ctx_t *p);


/*
 * criteria_details.c.  examples() reads what follows "for example" and
 * returns the span without it.  level() reads a piece like "90-100:
 * excellent", levels() a sentence of them.  quantity() finds "at least two":
 * the tokens *at .. result - 1; 0: there is none.
 */
typedef enum {
    JUDGE_P_LOW,                       /* at least */
    JUDGE_P_HIGH,                      /* at most */
    JUDGE_P_EXACT,
    JUDGE_P_NEAR
} judge_parse_bound_e;

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

/* Whatever a description contains: text, weights, levels, details. */
void judge_parse_statements(judge_parse_ctx_t *p, size_t i,
    judge_parse_span_t span);


/* criteria_items.c: the first is of one criterion (its index), the others
 * return how many they found. */
size_t judge_parse_piece(judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_form_e form);
size_t judge_parse_enumeration(judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_form_e form);
size_t judge_parse_requirement(judge_parse_ctx_t *p, judge_parse_span_t lead,
    judge_parse_span_t verb);

/* Where the member ends that begins at span.from, and the next begins. */
size_t judge_parse_piece_end(const judge_parse_ctx_t *p,
    judge_parse_span_t span, size_t *next);


/* criteria_sentences.c */

typedef enum {
    JUDGE_S_NONE,
    JUDGE_S_LIST,                      /* criteria follow */
    JUDGE_S_BONUS,                     /* that count little */
    JUDGE_S_AVOID,                     /* what is to be avoided follows */
    JUDGE_S_DONT,                      /* a verb that is not to be done */
    JUDGE_S_CLAUSE,                    /* a sentence of what must hold */
    JUDGE_S_FAULT,                     /* of what must not hold */
    JUDGE_S_JUDGE                      /* "judge the text on" */
} judge_parse_lead_e;

judge_parse_lead_e judge_parse_lead(const judge_parse_ctx_t *p,
    judge_parse_span_t s, size_t *rest);
size_t judge_parse_question(judge_parse_ctx_t *p, judge_parse_span_t s);
void judge_parse_sentences(judge_parse_ctx_t *p, judge_parse_span_t span);
void judge_parse_guess(judge_parse_ctx_t *p);


/* criteria_lists.c: from blocks to criteria. */

typedef enum {
    JUDGE_L_NONE,
    JUDGE_L_CRITERIA,                  /* "Criteria": what follows is */
    JUDGE_L_AVOID,
    JUDGE_L_BONUS,
    JUDGE_L_STRICT,                    /* "Must have" */
    JUDGE_L_SCALE,
    JUDGE_L_EXAMPLE,
    JUDGE_L_IGNORE                     /* "Background" */
} judge_parse_section_e;

void judge_parse_blocks(judge_parse_ctx_t *p);


/* criteria_report.c: limit, thresholds, confidence, suggestions. */
void judge_parse_report(judge_parse_ctx_t *p, judge_parsed_criteria_t *out);


#endif /* JUDGE_CRITERIA_CONTEXT_H */
