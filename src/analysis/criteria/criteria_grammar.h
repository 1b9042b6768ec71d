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
#define JUDGE_CRITERIA_SETS       3    /* of 64 classes */

typedef enum {                         /* a quotation has its marks */
    JUDGE_TERM_WORD = 1, JUDGE_TERM_NUMBER, JUDGE_TERM_QUOTE, JUDGE_TERM_MARK
} judge_criteria_kind_e;

typedef struct judge_hit {             /* a phrase that begins at a token */
    struct judge_hit  *next;
    judge_class_e      class;
    uint8_t            n, language;    /* tokens */
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

typedef struct { judge_term_t *from, *to; } judge_span_t;

typedef struct {                       /* of a pattern */
    judge_term_t  *end;                /* NULL: it does not match */
    double         value;              /* the first of its words; -1: none */
    judge_span_t   span;               /* where it was sought */
    judge_span_t   subject, object;    /* which may be the subject */
    unsigned       action, mood;       /* of the row */
    bool           last;               /* no other row is tried */
} judge_match_t;

typedef enum {                         /* the end, behind the last; an item of
                                          a list, a row of a table */
    JUDGE_BLOCK_END, JUDGE_BLOCK_PARAGRAPH, JUDGE_BLOCK_ITEM,
    JUDGE_BLOCK_HEADING, JUDGE_BLOCK_ROW
} judge_criteria_block_e;

typedef struct {
    judge_criteria_block_e  kind;
    judge_span_t            span;
    judge_term_t           *end;       /* of its tokens */
    unsigned                indent;    /* columns */
    bool                    child, gap;  /* below an item; an empty line */
} judge_block_t;

typedef enum {                         /* where a criterion was found */
    JUDGE_FORM_LABELLED, JUDGE_FORM_LISTED, JUDGE_FORM_ENUMERATED,
    JUDGE_FORM_REQUIRED, JUDGE_FORM_WEIGHED, JUDGE_FORM_GUESSED
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
    double        share, points;       /* percent; 0: not specified */
    double        factor, result;      /* relative to the others */
    bool          most;                /* nothing counts more */
    bool          partial, named;      /* more than its quality; by it */
    bool          counted;             /* it has a number of things */
    double        levels[4];           /* excellent .. poor; < 0: none */
    judge_str_t   examples[JUDGE_CRITERIA_EXAMPLES];
    size_t        nexamples;
} judge_draft_t;

typedef struct { judge_str_t before, after; } judge_frame_t;

typedef struct {                       /* a counts `value` times b */
    judge_draft_t  *a, *b;
    double          value;
    bool            least;             /* or more */
} judge_relation_t;

typedef struct {                       /* what a piece says about weight */
    unsigned      how;                 /* bits of its rows; 0: nothing */
    double        share, points, factor;  /* each 0: absent */
    double        times;               /* as much as `other`, or more */
    judge_span_t  other, at;           /* the first cue */
    double        ratio[JUDGE_CRITERIA_RATIO];  /* "2:1:1" */
    size_t        nratio;
} judge_cue_t;

#define judge_cue_is(cue, what)  (((cue)->how >> JUDGE_HOW_##what & 1) != 0)

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
    const char     *whether;           /* before a clause, or NULL */

    size_t  sentences, unused;         /* without a criterion */
    size_t  lost;                      /* criteria over the limit */
    bool    weighed, conflict, failed;  /* weights; no memory */

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
#define judge_span_trim(s)          judge_span_strip(s, AHEAD, BEHIND)
#define judge_term_in(t, class)                                              \
    (((t)->classes[(class) / 64] >> (class) % 64 & 1) != 0)

#define judge_span(from, to)        ((judge_span_t) { from, to })
#define judge_span_near(s, n)       /* its first n tokens */                 \
    judge_span((s).from, (s).to - (s).from > (n) ? (s).from + (n) : (s).to)

/* The quality of a token that does not only name what is judged, or -1; the
 * token behind it, or behind the bracket that it opens. */
#define judge_term_quality(t)                                                \
    (((t)->span > 1 || !judge_term_is(t, GENERIC)) ? (t)->quality : -1)
#define judge_term_after(t)         (((t)->close ? (t)->close : (t)) + 1)

/* Whether it is a word and no noun, in a language where nouns have capitals;
 * whether an unknown word ends as the verb does: "saluer", "reformuler". */
#define judge_term_small(p, t)                                               \
    (judge_draft_saying(p, JUDGE_SAY_CAPITALS) && !(t)->noun                 \
     && (t)->kind == JUDGE_TERM_WORD                                         \
     && memcmp((t)->text.data, (t)->low.data, 2) == 0)
#define judge_term_end(t)           ((t)->low.data + (t)->low.len - 2)
#define judge_term_alike(t, verb)                                            \
    ((t)->hits == NULL && (t)->low.len > 3 && (verb)->low.len > 3            \
     && memcmp(judge_term_end(t), judge_term_end(verb), 2) == 0)



/* criteria_span.c */
/* Tells the language of the description by its words, and gives all tokens
 * their classes and qualities; before that they have those of marks. */
void judge_span_language(judge_prose_t *p);
void judge_span_mark(judge_prose_t *p, judge_span_t s);

/* How many tokens the longest phrase of the class has that begins at t; 0:
 * none does.  *value, if not NULL, is the phrase's. */
size_t judge_term_phrase(const judge_term_t *t, const judge_term_t *to,
    judge_class_e class, double *value);

/* The first token of the span that begins a phrase of the class, or s.to. */
judge_term_t *judge_span_find(judge_span_t s, judge_class_e class);

/* Without words of the classes at its ends; trim(), without marks. */
judge_span_t judge_span_without(judge_span_t s, judge_class_e before,
    judge_class_e behind);

/* Whether the pattern of the row is at the beginning of the span; the subject
 * ends not before `least`.  rule(): the first row from there on, or NULL. */
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

/* examples() reads what follows "for example" and returns the span without it,
 * level() a piece like "90-100: excellent", levels() a sentence of them.
 * quantity() finds "at least two": the tokens *at .. result - 1, or NULL. */
judge_span_t judge_span_examples(judge_draft_t *f, judge_span_t s);
bool judge_span_level(judge_span_t s, double levels[4]);
bool judge_span_scale(const double got[4], double levels[4]);
bool judge_span_levels(judge_span_t s, double levels[4]);
judge_term_t *judge_span_quantity(judge_span_t s, judge_term_t **at);


/* criteria_drafts.c: criteria by their names.  add() returns the one of the
 * same name or meaning, or makes it; a quality that is not -1 is its name.
 * NULL: nothing names one, or there is no room.  find() only looks, also for a
 * part of a name or "the first". */
judge_draft_t *judge_draft_add(judge_prose_t *p, judge_span_t name,
    judge_form_e form, int quality);
judge_draft_t *judge_draft_find(judge_prose_t *p, judge_span_t name);
void judge_draft_describe(judge_prose_t *p, judge_draft_t *f,
    judge_frame_t frame, judge_span_t s);
size_t judge_draft_unwanted(judge_prose_t *p, judge_match_t *m);
void judge_draft_apply(judge_prose_t *p, judge_draft_t *f,
    const judge_cue_t *cue);

/* The next cue of the span is added to *cue.  take() reads all and returns
 * the span without them: the name of what they are about. */
bool judge_cue_next(judge_span_t s, judge_cue_t *cue);
judge_span_t judge_cue_take(judge_span_t s, judge_cue_t *cue);

/* Tells the author something about s and n, or the type of the content. */
void judge_draft_note(judge_prose_t *p, judge_say_e note, judge_str_t s,
    double n);

/* The saying in the description's language; one with s and t put in. */
#define judge_draft_saying(p, what)  judge_criteria_says[(p)->language][what]
judge_str_t judge_draft_say(judge_prose_t *p, const char *saying,
    judge_str_t s, judge_str_t t);


/* criteria_clauses.c: what the rows of a table of patterns find in a span; how
 * many criteria, or whether it is understood.  statements() reads whatever a
 * description of a criterion contains: text, weights, levels, details. */
size_t judge_clause_read(judge_prose_t *p, const judge_rule_t *rule,
    judge_span_t s);
void judge_clause_statements(judge_prose_t *p, judge_draft_t *f,
    judge_span_t s);


/* criteria_blocks.c: from the text to tokens and blocks, and to drafts. */
void judge_block_divide(char *text, size_t len);
judge_rc_e judge_block_read(judge_prose_t *p, judge_str_t text);
void judge_criteria_blocks(judge_prose_t *p);


#endif /* JUDGE_CRITERIA_GRAMMAR_H */
