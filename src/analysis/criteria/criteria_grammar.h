/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What the steps of judge_criteria_parse() share: tokens with the classes of
 * their words, spans of tokens, blocks of lines, patterns, and the drafts of
 * the criteria found so far.  Each file calls only those above it: span,
 * drafts, clauses, blocks, report.
 */


#ifndef JUDGE_CRITERIA_GRAMMAR_H
#define JUDGE_CRITERIA_GRAMMAR_H


#include "analysis/criteria/criteria_parse.h"
#include "analysis/criteria/word_list.h"


#define JUDGE_CRITERIA_FOUND      128  /* criteria before the limit */
#define JUDGE_CRITERIA_RELATIONS  256
#define JUDGE_CRITERIA_EXAMPLES   10
#define JUDGE_CRITERIA_NOTES      24
#define JUDGE_CRITERIA_RATIO      8
#define JUDGE_CRITERIA_HEADS      4096 /* chains of phrases by their hash */
#define JUDGE_CRITERIA_SETS       3    /* of 64 classes */

typedef struct {
    const char  *words;                /* "_" between them */
    uint16_t     next;                 /* with the same hash; 0: none */
    uint8_t      class;
    uint8_t      language;             /* 0: any, 1: English, ... */
    float        value;                /* of a form: its quality; -1: none */
} judge_phrase_t;

#define JUDGE_PATTERN  8
#define JUDGE_ANY      0x100           /* may be absent or come again */

typedef struct {
    uint16_t  pattern[JUDGE_PATTERN];  /* classes; 0 ends it */
    unsigned  action;
    unsigned  mood;                    /* a judge_title_e, judge_how_e */
} judge_rule_t;

/* Qualities: what people judge by. */
#define JUDGE_Q_LENGTH  0              /* the first of en.txt */

#define JUDGE_Q_DETAIL  0x01           /* needs a description */
#define JUDGE_Q_VAGUE   0x02           /* "good" */
#define JUDGE_Q_TEXT    0x10           /* for which contents it makes sense, */
#define JUDGE_Q_VIDEO   0x20           /* in the order of the types; none of */
#define JUDGE_Q_AUDIO   0x40           /* these: for all */
#define JUDGE_Q_IMAGE   0x80
#define JUDGE_Q_MEDIA   0xf0

typedef struct {
    unsigned  flags;
    struct {
        const char  *name;
        const char  *gloss;            /* "%t" is the content */
    } in[JUDGE_LANGUAGES];
} judge_quality_t;

/* Generated from the files of words by util/phrases. */
extern const judge_phrase_t  judge_phrases[];
extern const uint16_t  judge_criteria_heads[JUDGE_CRITERIA_HEADS];
extern const judge_quality_t  judge_qualities[];
extern const char *const  judge_criteria_says[JUDGE_LANGUAGES][JUDGE_SAYINGS];
extern const judge_rule_t  judge_criteria_clauses[], judge_criteria_items[],
    judge_criteria_pieces[], judge_criteria_sections[], judge_criteria_cues[],
    judge_criteria_bounds[];


typedef enum {
    JUDGE_TERM_WORD = 1,
    JUDGE_TERM_NUMBER,
    JUDGE_TERM_QUOTE,                  /* with its marks */
    JUDGE_TERM_MARK
} judge_criteria_kind_e;

typedef struct judge_hit {             /* a phrase that begins at a token */
    struct judge_hit  *next;
    judge_class_e      class;
    uint8_t            n;              /* tokens */
    uint8_t            language;
    double             value;
} judge_hit_t;

typedef struct judge_term {
    uint8_t             kind;
    bool                space;         /* white space before it */
    bool                noun;          /* the form of the quality is a noun */
    uint8_t             span;          /* tokens of the quality's phrase */
    int16_t             quality;       /* index, or -1 */
    judge_hit_t        *hits;          /* phrases that begin here */
    struct judge_term  *close;         /* of a bracket that is closed */
    uint64_t            classes[JUDGE_CRITERIA_SETS];  /* of the word alone */
    double              number;
    judge_str_t         text;
    judge_str_t         low;           /* in small letters; of a quotation, as
                                          it is between its marks */
} judge_term_t;

typedef struct {                       /* tokens */
    judge_term_t  *from;
    judge_term_t  *to;                 /* behind the last */
} judge_span_t;

typedef struct {                       /* of a pattern */
    judge_term_t  *end;                /* NULL: it does not match */
    double         value;              /* the first of its words; -1: none */
    judge_span_t   span;               /* where it was sought */
    judge_span_t   subject;
    judge_span_t   object;             /* or the subject */
    unsigned       action;             /* of the row */
    unsigned       mood;
    bool           last;               /* no other row is tried */
} judge_match_t;

typedef enum {
    JUDGE_BLOCK_END,                   /* behind the last */
    JUDGE_BLOCK_PARAGRAPH,
    JUDGE_BLOCK_ITEM,                  /* of a list */
    JUDGE_BLOCK_HEADING,
    JUDGE_BLOCK_ROW                    /* of a table */
} judge_criteria_block_e;

typedef struct {
    judge_criteria_block_e  kind;
    judge_span_t            span;
    judge_term_t           *end;       /* of its tokens */
    unsigned                indent;    /* columns */
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

/* The mood of a sentence, item or criterion: bits of titles.  To avoid is a
 * noun, never to do a verb; a bonus counts half. */
#define judge_mood(title)    (1u << JUDGE_TITLE_##title)
#define JUDGE_MOOD_NEGATIVE  (judge_mood(AVOID) | judge_mood(NEVER))
#define JUDGE_MOOD_LENIENT   (judge_mood(LENIENT) | judge_mood(BONUS))

typedef struct {
    judge_str_t   name;
    judge_str_t   bare;                /* without "No", "Do not" */
    judge_say_e   negation;            /* these; JUDGE_SAY_NONE: none */
    judge_buf_t   description;
    int           quality;
    judge_form_e  form;
    unsigned      mood;
    double        share;               /* percent; 0: not specified */
    double        points;              /* 0: not specified */
    double        factor;              /* relative to the others */
    double        result;
    bool          most;                /* nothing counts more */
    bool          partial;             /* says more than its quality */
    bool          named;               /* by its quality */
    bool          counted;             /* it has a number of things */
    double        levels[4];           /* excellent .. poor; < 0: none */
    judge_str_t   examples[JUDGE_CRITERIA_EXAMPLES];
    size_t        nexamples;
} judge_draft_t;

typedef struct {                       /* of a description, or empty */
    judge_str_t  before;
    judge_str_t  after;
} judge_frame_t;

typedef struct {                       /* a counts `value` times b */
    judge_draft_t  *a;
    judge_draft_t  *b;
    double          value;
    bool            least;             /* or more */
} judge_relation_t;

typedef struct {                       /* what a piece says about weight */
    unsigned      how;                 /* bits of its rows; 0: nothing */
    double        share;               /* each 0: absent */
    double        points;
    double        factor;
    double        times;               /* as much as `other`, or more */
    judge_span_t  other;
    judge_span_t  at;                  /* the first cue */
    double        ratio[JUDGE_CRITERIA_RATIO];  /* "2:1:1" */
    size_t        nratio;
} judge_cue_t;

#define judge_cue_is(cue, what)                                              \
    (((cue)->how & 1u << JUDGE_HOW_##what) != 0)

typedef struct {
    judge_arena_t                *arena;
    const judge_parse_request_t  *request;
    judge_span_t                  tokens;  /* the first is an empty mark */
    judge_term_t                 *open;  /* the last bracket that is */
    judge_block_t                *blocks;
    size_t                        nblocks;
    unsigned                      language;
    bool                          foreign;  /* it is in none of them */

    judge_draft_t     found[JUDGE_CRITERIA_FOUND + 1];
    size_t            nfound;
    judge_relation_t  relations[JUDGE_CRITERIA_RELATIONS];
    size_t            nrelations;
    double            levels[4];       /* for all criteria */

    judge_draft_t  *last;              /* the criterion that was named last */
    unsigned        mood;
    bool            ranked;            /* in order of importance */
    unsigned        depth;             /* of clauses in clauses */

    size_t  sentences;
    size_t  unused;                    /* without a criterion */
    size_t  lost;                      /* criteria over the limit */
    bool    weighed;                   /* there are weights */
    bool    conflict;
    bool    failed;                    /* no memory */

    judge_str_t  notes[JUDGE_CRITERIA_NOTES];
    size_t       nnotes;
} judge_prose_t;


/* What the functions below ask by the name of a class. */
#define judge_term_is(t, class)     judge_term_in(t, JUDGE_CLASS_##class)
#define judge_span_seek(s, class)   judge_span_find(s, JUDGE_CLASS_##class)
#define judge_span_has(s, class)    (judge_span_seek(s, class) < (s).to)
#define judge_span_short(s, marks)  judge_span_few(s, JUDGE_CLASS_##marks)
#define judge_span_skip(s, class)   judge_span_strip(s, class, NONE).from
#define judge_span_match(t, to, class)                                       \
    judge_term_phrase(t, to, JUDGE_CLASS_##class, NULL)
#define judge_span_strip(s, before, behind)                                  \
    judge_span_without(s, JUDGE_CLASS_##before, JUDGE_CLASS_##behind)


static inline bool
judge_term_in(const judge_term_t *t, judge_class_e class)
{
    return (t->classes[class / 64] >> class % 64 & 1) != 0;
}


static inline judge_span_t
judge_span(judge_term_t *from, judge_term_t *to)
{
    return (judge_span_t) { from, to };
}


/* Its first n tokens. */

static inline judge_span_t
judge_span_near(judge_span_t s, ptrdiff_t n)
{
    return judge_span(s.from, (s.to - s.from > n) ? s.from + n : s.to);
}


/* criteria_span.c */
/* Tells the language of the description by its words, and gives all tokens
 * their classes and qualities; before that they have those of marks. */
void judge_span_language(judge_prose_t *p);
void judge_span_mark(judge_prose_t *p, judge_span_t s);

/* The quality of a token that does not only name what is judged, or -1. */
int judge_term_quality(const judge_term_t *t);

/* How many tokens the longest phrase of the class has that begins at t; 0:
 * none does.  *value, if not NULL, is the phrase's. */
size_t judge_term_phrase(const judge_term_t *t, const judge_term_t *to,
    judge_class_e class, double *value);

/* The first token of the span that begins a phrase of the class, or s.to. */
judge_term_t *judge_span_find(judge_span_t s, judge_class_e class);

/* Without words of the classes at its ends, or without marks. */
judge_span_t judge_span_without(judge_span_t s, judge_class_e before,
    judge_class_e behind);
judge_span_t judge_span_trim(judge_span_t s);

/* Whether the pattern of the row is at the beginning of the span; `least` is
 * the first token at which the subject may end.  rule(): the first row from
 * there on of which it is, or NULL. */
bool judge_span_pattern(judge_span_t s, const judge_rule_t *rule,
    judge_term_t *least, judge_match_t *m);
const judge_rule_t *judge_span_rule(judge_span_t s, const judge_rule_t *rule,
    judge_match_t *m);

/* Its text without marks at the ends; how many words are in it, or 0 if they
 * are more than six or one of the marks is there. */
judge_str_t judge_span_text(judge_span_t s);
size_t judge_span_words(judge_span_t s);
size_t judge_span_few(judge_span_t s, judge_class_e marks);

/* The end of its first sentence; the colon or dash behind a label, or s.to;
 * where the member of a list ends that begins it, and the next begins. */
judge_term_t *judge_span_sentence(judge_span_t s);
judge_term_t *judge_span_label(judge_span_t s);
judge_term_t *judge_span_member(const judge_prose_t *p, judge_span_t s,
    judge_term_t **next);

/* Whether it only names what is judged: "the text of the article". */
bool judge_span_generic(judge_span_t s);

/* examples() reads what follows "for example" and returns the span without
 * it.  level() reads a piece like "90-100: excellent", levels() a sentence of
 * them.  quantity() finds "at least two": the tokens *at .. result - 1; NULL:
 * there is none. */
judge_span_t judge_span_examples(judge_draft_t *f, judge_span_t s);
bool judge_span_level(judge_span_t s, double levels[4]);
void judge_span_scale(const double got[4], double levels[4]);
bool judge_span_levels(judge_span_t s, double levels[4]);
judge_term_t *judge_span_quantity(judge_span_t s, judge_term_t **at);


/*
 * criteria_drafts.c: criteria by their names.  add() returns the one of the
 * same name or meaning, or makes it; a quality that is not -1 is its name.
 * NULL: nothing names one, or there is no room.  find() only looks, also for a
 * part of a name or "the first".
 */
judge_draft_t *judge_draft_add(judge_prose_t *p, judge_span_t name,
    judge_form_e form, int quality);
judge_draft_t *judge_draft_find(judge_prose_t *p, judge_span_t name);
judge_draft_t *judge_draft_ordinal(judge_prose_t *p, judge_span_t s);
void judge_draft_describe(judge_prose_t *p, judge_draft_t *f,
    judge_frame_t frame, judge_span_t s);
size_t judge_draft_unwanted(judge_prose_t *p, judge_match_t *m);
void judge_draft_apply(judge_prose_t *p, judge_draft_t *f,
    const judge_cue_t *cue);

/* The next cue of the span is added to *cue.  take() reads all and returns
 * the span without them: the name of what they are about. */
bool judge_cue_next(judge_span_t s, judge_cue_t *cue);
judge_span_t judge_cue_take(judge_span_t s, judge_cue_t *cue);

/* Tells the author of the description something about s and n, or about s and
 * the type of the content if n is negative; once. */
void judge_draft_note(judge_prose_t *p, judge_say_e note, judge_str_t s,
    double n);

/* The saying in the description's language; one with s and t put in. */
#define judge_draft_saying(p, what)  judge_criteria_says[(p)->language][what]
judge_str_t judge_draft_say(judge_prose_t *p, const char *saying,
    judge_str_t s, judge_str_t t);


/*
 * criteria_clauses.c: what the rows of a table of patterns find in a span;
 * how many criteria, or whether it is understood.  statements() reads whatever
 * a description of a criterion contains: text, weights, levels, details.
 */
size_t judge_clause_read(judge_prose_t *p, const judge_rule_t *rule,
    judge_span_t s);
void judge_clause_statements(judge_prose_t *p, judge_draft_t *f,
    judge_span_t s);
void judge_clause_sentences(judge_prose_t *p, judge_span_t s);


/* criteria_blocks.c: from the text to tokens and blocks, and to drafts. */
void judge_block_divide(char *text, size_t len);
judge_rc_e judge_block_read(judge_prose_t *p, judge_str_t text);
void judge_criteria_blocks(judge_prose_t *p);


#endif /* JUDGE_CRITERIA_GRAMMAR_H */
