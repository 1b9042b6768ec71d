/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What the steps of judge_criteria_parse() share: tokens with their classes,
 * spans of tokens, blocks of lines, and the criteria found so far.  Each file
 * calls only those above it: match, spans, tokens, lines, names, cues,
 * weights, details, parts, sentences, lists, report, parse.
 */


#ifndef JUDGE_CRITERIA_GRAMMAR_H
#define JUDGE_CRITERIA_GRAMMAR_H


#include "analysis/criteria/criteria_parse.h"


#define JUDGE_CRITERIA_FOUND      128  /* criteria before the limit */
#define JUDGE_CRITERIA_NONE       JUDGE_CRITERIA_FOUND  /* no criterion */
#define JUDGE_CRITERIA_RELATIONS  256
#define JUDGE_CRITERIA_EXAMPLES   10
#define JUDGE_CRITERIA_NOTES      24
#define JUDGE_CRITERIA_RATIO      8
#define JUDGE_CRITERIA_HEADS      1024 /* chains of phrases by their hash */

/* Classes of words, marks and phrases; words.txt has their members. */

typedef enum {
    JUDGE_W_FILLER = 1, JUDGE_W_GENERIC, JUDGE_W_VERB, JUDGE_W_STRICT,
    JUDGE_W_LENIENT, JUDGE_W_GLUE, JUDGE_W_PREPOSITION, JUDGE_W_BE,
    JUDGE_W_NOT, JUDGE_W_VAGUE, JUDGE_W_OPEN, JUDGE_W_JUDGE, JUDGE_W_COMMON,
    JUDGE_W_NUMBER, JUDGE_W_ABBREVIATION, JUDGE_W_LIGHT, JUDGE_W_PERSON,
    JUDGE_W_FAULT, JUDGE_W_WHEN, JUDGE_W_BEFORE, JUDGE_W_QUANTIFIED,
    JUDGE_W_SHARED, JUDGE_W_PLURAL, JUDGE_W_ORDINAL, JUDGE_W_BOUNDED,
    JUDGE_W_WHOLE, JUDGE_W_LENGTH, JUDGE_W_BELOW, JUDGE_W_SCORED,
    JUDGE_W_COLUMN, JUDGE_W_DIVIDER, JUDGE_W_CONNECTOR, JUDGE_W_OPENING,
    JUDGE_W_LEAD, JUDGE_W_TITLE, JUDGE_W_ON, JUDGE_W_ASK, JUDGE_W_MODAL,
    JUDGE_W_NO, JUDGE_W_DONT, JUDGE_W_ONE, JUDGE_W_MANY, JUDGE_W_OTHERS,
    JUDGE_W_REST, JUDGE_W_FACTOR, JUDGE_W_MOST, JUDGE_W_PREDICATE,
    JUDGE_W_EQUAL, JUDGE_W_RANKED, JUDGE_W_UNIT, JUDGE_W_PERCENT, JUDGE_W_PART,
    JUDGE_W_WEIGHT, JUDGE_W_LINK, JUDGE_W_FOLD, JUDGE_W_MUCH,
    JUDGE_W_MORE_THAN, JUDGE_W_LESS_THAN, JUDGE_W_PREFER, JUDGE_W_SCALE,
    JUDGE_W_BOUND, JUDGE_W_LEVEL, JUDGE_W_EXAMPLE, JUDGE_W_UNWANTED,
    JUDGE_W_NOUN, JUDGE_W_OTHER, JUDGE_W_AND, JUDGE_W_OR, JUDGE_W_OF,
    JUDGE_W_FROM, JUDGE_W_FOR, JUDGE_W_AS, JUDGE_W_THAN, JUDGE_W_MORE,
    JUDGE_W_FEWER, JUDGE_W_OVER, JUDGE_W_OUT, JUDGE_W_X, JUDGE_W_TIMES,
    JUDGE_W_BETWEEN, JUDGE_W_THE, JUDGE_W_HOW, JUDGE_W_WELL, JUDGE_W_WHICH,
    JUDGE_W_TO, JUDGE_W_RANGE, JUDGE_W_EACH, JUDGE_W_LIKE, JUDGE_W_WHETHER,
    JUDGE_W_BY, JUDGE_W_LEAST, JUDGE_W_EXCEED, JUDGE_W_TOO, JUDGE_W_DO,
    JUDGE_W_ANDOR, JUDGE_W_LINKING, JUDGE_W_SERIES, JUDGE_W_UNCOUNTED,
    JUDGE_W_SLASH, JUDGE_W_PLUS, JUDGE_W_HYPHEN, JUDGE_W_COLON, JUDGE_W_COMMA,
    JUDGE_W_PAUSE, JUDGE_W_STOP, JUDGE_W_QUESTION, JUDGE_W_END, JUDGE_W_MARKS,
    JUDGE_W_CUT, JUDGE_W_HEAD, JUDGE_W_OPENED, JUDGE_W_CLOSED, JUDGE_W_BRACKET,
    JUDGE_W_BAR, JUDGE_W_DASH,
    JUDGE_W_CLASSES                    /* at most 128 */
} judge_class_e;

/* The values of some phrases. */

typedef enum {
    JUDGE_LEAD_NONE,
    JUDGE_LEAD_LIST,                   /* criteria follow */
    JUDGE_LEAD_BONUS,                  /* that count little */
    JUDGE_LEAD_AVOID,                  /* what is to be avoided follows */
    JUDGE_LEAD_DONT,                   /* a verb that is not to be done */
    JUDGE_LEAD_CLAUSE,                 /* a sentence of what must hold */
    JUDGE_LEAD_FAULT,                  /* of what must not hold */
    JUDGE_LEAD_JUDGE                   /* "judge the text on" */
} judge_criteria_lead_e;

typedef enum {
    JUDGE_TITLE_NONE,
    JUDGE_TITLE_CRITERIA,              /* "Criteria": what follows is */
    JUDGE_TITLE_AVOID,
    JUDGE_TITLE_BONUS,
    JUDGE_TITLE_STRICT,                /* "Must have" */
    JUDGE_TITLE_SCALE,
    JUDGE_TITLE_EXAMPLE,
    JUDGE_TITLE_IGNORE                 /* "Background" */
} judge_criteria_title_e;

typedef enum {
    JUDGE_BOUND_LOW,                   /* at least */
    JUDGE_BOUND_HIGH,                  /* at most */
    JUDGE_BOUND_EXACT,
    JUDGE_BOUND_NEAR,
    JUDGE_BOUND_COUNT,                 /* "two sources": two or more */
    JUDGE_BOUND_SAID                   /* as the first word has it */
} judge_criteria_bound_e;

typedef struct {
    const char  *words;                /* "_" between them */
    uint16_t     next;                 /* with the same hash; 0: none */
    uint8_t      class;
    float        value;                /* of a form: its quality; -1: none */
} judge_criteria_phrase_t;

/* Patterns, in order of precedence, and what is done with a match. */

#define JUDGE_PATTERN  6
#define JUDGE_ANY      0x80            /* may be absent or come again */

typedef struct {
    uint8_t   pattern[JUDGE_PATTERN];  /* classes; 0 ends it */
    unsigned  action;
} judge_criteria_rule_t;

typedef enum {
    JUDGE_CUE_LESS, JUDGE_CUE_MORE,    /* than what follows */
    JUDGE_CUE_OVER,
    JUDGE_CUE_TIMES,                   /* of what follows */
    JUDGE_CUE_FOLD,                    /* of the others */
    JUDGE_CUE_SCALE,
    JUDGE_CUE_SHARE,
    JUDGE_CUE_POINTS,
    JUDGE_CUE_PARTS,                   /* 0.3 is a share, 3 are points */
    JUDGE_CUE_EQUAL, JUDGE_CUE_RANKED, JUDGE_CUE_REST,
    JUDGE_CUE_MOST, JUDGE_CUE_FACTOR,
    JUDGE_CUE_PREDICATE,               /* a factor, unless before a noun */
    JUDGE_CUE_AHEAD,                   /* "25 for grammar" */
    JUDGE_CUE_BARE                     /* "Grammar 25" */
} judge_criteria_cue_e;

/* Qualities: what people judge by. */

#define JUDGE_Q_LENGTH  0              /* the first of words.txt */

#define JUDGE_Q_DETAIL  0x01           /* needs a description */
#define JUDGE_Q_VAGUE   0x02           /* "good" */
#define JUDGE_Q_TEXT    0x10           /* for which contents it makes sense, */
#define JUDGE_Q_VIDEO   0x20           /* in the order of the types; none of */
#define JUDGE_Q_AUDIO   0x40           /* these: for all */
#define JUDGE_Q_IMAGE   0x80
#define JUDGE_Q_MEDIA   0xf0

typedef struct {
    const char  *name;
    const char  *gloss;                /* "%s" is the content */
    unsigned     flags;
} judge_criteria_quality_t;

/* Generated from words.txt by util/phrases. */
extern const judge_criteria_phrase_t   judge_criteria_phrases[];
extern const uint16_t                  judge_criteria_heads[];
extern const judge_criteria_quality_t  judge_criteria_qualities[];
extern const judge_criteria_rule_t     judge_criteria_cues[];
extern const judge_criteria_rule_t     judge_criteria_bounds[];

typedef enum {
    JUDGE_TERM_WORD,
    JUDGE_TERM_NUMBER,
    JUDGE_TERM_QUOTE,                 /* what stands between the marks */
    JUDGE_TERM_MARK
} judge_criteria_kind_e;

typedef struct {
    uint8_t      kind;
    bool         space;                /* white space before it */
    bool         capital;
    bool         noun;                 /* the form of the quality is a noun */
    uint8_t      span;                 /* tokens of the quality's phrase */
    int16_t      quality;              /* index, or -1 */
    uint16_t     phrases;              /* that may begin here; 0: none */
    uint32_t     begin;                /* in the folded text */
    uint32_t     end;
    uint64_t     classes[2];           /* of the word alone */
    uint64_t     begins[2];            /* of longer phrases from here on */
    double       number;
    judge_str_t  low;                  /* in lower case */
} judge_term_t;

typedef struct {
    size_t  from;                      /* tokens from .. to - 1 */
    size_t  to;
} judge_span_t;

typedef enum {
    JUDGE_BLOCK_PARAGRAPH,
    JUDGE_BLOCK_ITEM,                  /* of a list */
    JUDGE_BLOCK_HEADING,
    JUDGE_BLOCK_ROW                    /* of a table */
} judge_criteria_block_e;

typedef struct {
    judge_criteria_block_e  kind;
    judge_span_t   span;
    unsigned                indent;
    bool                    child;     /* an item below an item */
    bool                    gap;       /* an empty line before it */
} judge_block_t;

typedef enum {                         /* where a criterion was found */
    JUDGE_FORM_LABELLED,
    JUDGE_FORM_LISTED,
    JUDGE_FORM_ENUMERATED,
    JUDGE_FORM_REQUIRED,
    JUDGE_FORM_WEIGHED,
    JUDGE_FORM_GUESSED
} judge_form_e;

typedef struct {                       /* of a sentence, item or criterion */
    char  negative;                    /* 0; 'N' before a noun, 'V' before a
                                          verb */
    bool  lenient;
    bool  strict;
} judge_mood_t;

typedef struct {
    judge_str_t            name;
    judge_buf_t            description;
    int                    quality;
    judge_form_e  form;
    judge_mood_t  mood;
    double                 share;      /* percent; < 0: not specified */
    double                 points;     /* < 0: not specified */
    double                 factor;     /* relative to the others */
    double                 rank;       /* 1 is first; 0: none */
    double                 result;
    bool                   most;       /* nothing counts more */
    bool                   partial;    /* says more than its quality */
    bool                   described;  /* in the words of the description */
    bool                   counted;    /* it has a number of things */
    bool                   subject;    /* the subject of a sentence */
    double                 levels[4];  /* excellent .. poor; < 0: none */
    judge_str_t            examples[JUDGE_CRITERIA_EXAMPLES];
    size_t                 nexamples;
} judge_draft_t;

typedef struct {                       /* a counts `value` times b */
    size_t  a;
    size_t  b;
    double  value;
    bool    least;                     /* or more */
} judge_criteria_relation_t;

typedef struct {
    judge_arena_t                 *arena;
    const judge_parse_request_t   *request;
    judge_str_t                    text;
    char                          *folded;  /* lower case, marks of ASCII */
    uint32_t                      *origin;  /* of its bytes in the text */
    size_t                         nfolded;
    judge_term_t        *tokens;  /* [0] is an empty mark */
    size_t                         ntokens;
    judge_block_t        *blocks;
    size_t                         nblocks;

    judge_draft_t         found[JUDGE_CRITERIA_FOUND];
    size_t                         nfound;
    judge_criteria_relation_t      relations[JUDGE_CRITERIA_RELATIONS];
    size_t                         nrelations;
    double                         levels[4];  /* for all criteria */

    size_t                         last;    /* index of the criterion that
                                               was named last, + 1 */
    judge_mood_t          mood;
    bool                           ranked;  /* in order of importance */

    size_t                         sentences;
    size_t                         unused;  /* without a criterion */
    size_t                         lost;    /* criteria over the limit */
    bool                           weighed; /* there are weights */
    bool                           conflict;
    bool                           failed;  /* no memory */

    judge_str_t                    notes[JUDGE_CRITERIA_NOTES];
    size_t                         nnotes;
} judge_criteria_t;


static inline bool
judge_term_is(const judge_term_t *t,
    judge_class_e class)
{
    return (t->classes[class / 64] >> class % 64 & 1) != 0;
}


static inline judge_span_t
judge_span(size_t from, size_t to)
{
    return (judge_span_t) { from, to };
}


/* span.c */

/* Gives the tokens of a span their classes and qualities. */
void judge_span_mark(judge_criteria_t *p, judge_span_t s);

/* How many tokens the longest phrase of the class has that begins at i; 0:
 * none does.  *value is the phrase's. */
size_t judge_span_match(const judge_criteria_t *p, size_t i, size_t to,
    judge_class_e class);
size_t judge_span_value(const judge_criteria_t *p, size_t i,
    size_t to, judge_class_e class, double *value);

/* The first token of the span that begins a phrase of the class, or s.to. */
size_t judge_span_seek(const judge_criteria_t *p,
    judge_span_t s, judge_class_e class);

bool judge_span_has(const judge_criteria_t *p, judge_span_t s,
    judge_class_e class);

/* The first token of the span that is no word of the class, or s.to. */
size_t judge_span_skip(const judge_criteria_t *p, judge_span_t s,
    judge_class_e class);

/* The end of what matched, or 0; number[] gets the first two values. */
size_t judge_span_pattern(const judge_criteria_t *p, size_t i, size_t to,
    const uint8_t pattern[JUDGE_PATTERN], double number[2]);

/* Without marks at the ends; the text of that as it stands; how many words
 * are in it; the end of the first sentence. */
judge_span_t judge_span_trim(const judge_criteria_t *p,
    judge_span_t s);
judge_str_t judge_span_text(const judge_criteria_t *p,
    judge_span_t s);
size_t judge_span_words(const judge_criteria_t *p,
    judge_span_t s);
size_t judge_span_sentence(const judge_criteria_t *p,
    judge_span_t s);

/* Its words if they are at most six, and none of the marks is there. */
size_t judge_span_short(const judge_criteria_t *p,
    judge_span_t s, judge_class_e marks);

/* The colon or dash behind a label, or s.to. */
size_t judge_span_label(const judge_criteria_t *p,
    judge_span_t s);
bool judge_span_quality(const judge_criteria_t *p,
    judge_span_t s);

/* "The tone of the text" is about tone; whether the span only names what is
 * judged: "the text of the article". */
size_t judge_span_head(const judge_criteria_t *p,
    judge_span_t s);
bool judge_span_generic(const judge_criteria_t *p,
    judge_span_t s);


/* criteria_tokens.c: the text with marks as ASCII; tokens of a line of it. */
judge_rc_e judge_criteria_tokens_fold(judge_criteria_t *p);
void judge_criteria_tokens(judge_criteria_t *p, size_t begin, size_t end);


/* criteria_lines.c */
judge_rc_e judge_criteria_lines(judge_criteria_t *p);


/*
 * criteria_names.c: criteria by their names.  add() returns the one of the
 * same name or meaning, or makes it; JUDGE_CRITERIA_NONE: nothing names one,
 * or there is no room.  find() only looks, also for a part of a name.
 */
size_t judge_criteria_names_add(judge_criteria_t *p,
    judge_span_t name, judge_form_e form);
size_t judge_criteria_names_quality(judge_criteria_t *p, int quality,
    judge_form_e form);
size_t judge_criteria_names_find(judge_criteria_t *p,
    judge_span_t name);

/* "the first", "the last one". */
size_t judge_criteria_names_ordinal(const judge_criteria_t *p,
    judge_span_t s);
void judge_criteria_names_describe(judge_criteria_t *p, size_t i,
    judge_str_t prefix, judge_span_t s);

/* Tells the author of the description something, once. */
void judge_criteria_names_note(judge_criteria_t *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));


/* criteria_cues.c: cues of weight. */

typedef struct {
    double                 share;      /* each < 0: absent */
    double                 points;
    double                 factor;
    double                 times;      /* as much as `other` */
    bool                   most;
    bool                   more;       /* than `other` */
    bool                   less;
    bool                   equal;
    bool                   any;
    bool                   ranked;
    bool                   scale;      /* "from 1 to 10": no weight */
    judge_span_t  other;
    judge_span_t  at;         /* the first cue */
    double                 ratio[JUDGE_CRITERIA_RATIO];  /* "2:1:1" */
    size_t                 nratio;
} judge_cue_t;

/* The first cue of the span.  take() reads all and returns the span without
 * them: the name of what they are about. */
bool judge_criteria_cues_first(const judge_criteria_t *p, judge_span_t s,
    judge_cue_t *cue);
judge_span_t judge_criteria_cues_take(const judge_criteria_t *p,
    judge_span_t s, judge_cue_t *cue);
void judge_criteria_cues_apply(judge_criteria_t *p, size_t at,
    const judge_cue_t *cue);
void judge_criteria_cues_brackets(judge_criteria_t *p, size_t at,
    judge_span_t s);
void judge_criteria_cues_relate(judge_criteria_t *p, size_t a, size_t b,
    double value, bool least);


/* criteria_weights.c: weights from cues; results that add up to 1 again. */
void judge_criteria_weights(judge_criteria_t *p);
void judge_criteria_weights_rescale(judge_criteria_t *p);


/*
 * criteria_details.c.  examples() reads what follows "for example" and
 * returns the span without it.  level() reads a piece like "90-100:
 * excellent", levels() a sentence of them.  quantity() finds "at least two":
 * the tokens *at .. result - 1; 0: there is none.  statements() reads
 * whatever a description contains: text, weights, levels, details.
 */
judge_span_t judge_criteria_details_examples(judge_criteria_t *p,
    size_t at, judge_span_t s);
bool judge_criteria_details_level(const judge_criteria_t *p,
    judge_span_t s, unsigned *level, double *value);
bool judge_criteria_details_levels(judge_criteria_t *p,
    judge_span_t s, double levels[4]);
size_t judge_criteria_details_quantity(const judge_criteria_t *p,
    judge_span_t s, double *low, double *high, size_t *at);
void judge_criteria_details(judge_criteria_t *p, size_t at,
    judge_span_t s);
void judge_criteria_details_statements(judge_criteria_t *p, size_t at,
    judge_span_t s);


/* criteria_parts.c: the first is of one criterion (its index), the others
 * return how many they found. */
size_t judge_criteria_parts_one(judge_criteria_t *p, judge_span_t s,
    judge_form_e form);
size_t judge_criteria_parts_list(judge_criteria_t *p,
    judge_span_t s, judge_form_e form);
size_t judge_criteria_parts_required(judge_criteria_t *p,
    judge_span_t subject, judge_span_t verb);

/* "Ignore length": what is not to be judged by. */
bool judge_criteria_parts_unwanted(const judge_criteria_t *p, judge_span_t s);

/* Where the member ends that begins at s.from, and the next begins. */
size_t judge_criteria_parts_end(const judge_criteria_t *p,
    judge_span_t s, size_t *next);


/* criteria_sentences.c */
judge_criteria_lead_e judge_criteria_sentences_lead(const judge_criteria_t *p,
    judge_span_t s, size_t *rest);
size_t judge_criteria_sentences_question(judge_criteria_t *p,
    judge_span_t s);
void judge_criteria_sentences(judge_criteria_t *p, judge_span_t s);
void judge_criteria_sentences_guess(judge_criteria_t *p);


/* criteria_lists.c: from blocks to criteria. */
void judge_criteria_lists(judge_criteria_t *p);


#endif /* JUDGE_CRITERIA_GRAMMAR_H */
