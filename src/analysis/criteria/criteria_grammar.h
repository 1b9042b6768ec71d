/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What the steps of judge_criteria_parse() share: tokens with the classes of
 * their words, spans of tokens, blocks of lines, patterns, and the drafts of
 * the criteria found so far.  Each file calls only those above it: span,
 * lines, drafts, details, clauses, blocks, report.
 */


#ifndef JUDGE_CRITERIA_GRAMMAR_H
#define JUDGE_CRITERIA_GRAMMAR_H


#include "base/core/hash.h"
#include "analysis/criteria/criteria_parse.h"
#include "analysis/criteria/word_list.h"


#define JUDGE_CRITERIA_FOUND      128  /* criteria before the limit */
#define JUDGE_NONE                JUDGE_CRITERIA_FOUND
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
extern const judge_phrase_t   judge_phrases[];
extern const uint16_t         judge_criteria_heads[JUDGE_CRITERIA_HEADS];
extern const judge_quality_t  judge_qualities[];
extern const char *const
    judge_criteria_says[JUDGE_LANGUAGES][JUDGE_SAYINGS];
extern const judge_rule_t     judge_criteria_clauses[];
extern const judge_rule_t     judge_criteria_items[];
extern const judge_rule_t     judge_criteria_pieces[];
extern const judge_rule_t     judge_criteria_sections[];
extern const judge_rule_t     judge_criteria_cues[];
extern const judge_rule_t     judge_criteria_bounds[];

/* The chain of phrases that may begin with a word; 0: none. */

static inline size_t
judge_phrase_head(judge_str_t word)
{
    return judge_criteria_heads[judge_fnv(JUDGE_FNV_START, word.data, word.len)
                                % JUDGE_CRITERIA_HEADS];
}


typedef enum {
    JUDGE_TERM_WORD = 1,
    JUDGE_TERM_NUMBER,
    JUDGE_TERM_QUOTE,                  /* with its marks */
    JUDGE_TERM_MARK
} judge_criteria_kind_e;

typedef struct {                       /* a phrase that begins at a token */
    uint8_t  class;
    uint8_t  n;                        /* tokens */
    uint8_t  language;
    double   value;
} judge_hit_t;

typedef struct {
    uint8_t      kind;
    bool         space;                /* white space before it */
    bool         noun;                 /* the form of the quality is a noun */
    uint8_t      span;                 /* tokens of the quality's phrase */
    int16_t      quality;              /* index, or -1 */
    uint8_t      nhits;                /* phrases that begin here */
    size_t       hits;                 /* the first of them */
    size_t       close;                /* of a bracket: its other one, or 0 */
    uint64_t     classes[JUDGE_CRITERIA_SETS];  /* of the word alone */
    double       number;
    judge_str_t  text;
    judge_str_t  low;                  /* in small letters; of a quotation, as
                                          it is between its marks */
} judge_term_t;

typedef struct {
    size_t  from;                      /* tokens from .. to - 1 */
    size_t  to;
} judge_span_t;

typedef struct {                       /* of a pattern */
    size_t        end;                 /* 0: it does not match */
    double        number[2];           /* the first two values */
    size_t        numbers;
    judge_span_t  span;                /* where it was sought */
    judge_span_t  subject;
    judge_span_t  object;              /* or the subject */
    unsigned      action;              /* of the row */
    unsigned      mood;
    bool          last;                /* no other row is tried */
} judge_match_t;

typedef enum {
    JUDGE_BLOCK_PARAGRAPH,
    JUDGE_BLOCK_ITEM,                  /* of a list */
    JUDGE_BLOCK_HEADING,
    JUDGE_BLOCK_ROW                    /* of a table */
} judge_criteria_block_e;

typedef struct {
    judge_criteria_block_e  kind;
    judge_span_t            span;
    size_t                  end;       /* of its tokens */
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
    size_t  a;
    size_t  b;
    double  value;
    bool    least;                     /* or more */
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
    judge_str_t                   text;
    judge_term_t                 *tokens;  /* [0] is an empty mark */
    size_t                        ntokens;
    size_t                        open;  /* the last bracket that is */
    judge_buf_t                   hits;
    judge_block_t                *blocks;
    size_t                        nblocks;
    unsigned                      language;
    bool                          foreign;  /* it is in none of them */

    judge_draft_t     found[JUDGE_CRITERIA_FOUND + 1];
    size_t            nfound;
    judge_relation_t  relations[JUDGE_CRITERIA_RELATIONS];
    size_t            nrelations;
    double            levels[4];       /* for all criteria */

    size_t        last;                /* index of the criterion that was
                                          named last, + 1 */
    unsigned      mood;
    bool          ranked;              /* in order of importance */
    unsigned      depth;               /* of clauses in clauses */

    size_t  sentences;
    size_t  unused;                    /* without a criterion */
    size_t  lost;                      /* criteria over the limit */
    bool    weighed;                   /* there are weights */
    bool    conflict;
    bool    failed;                    /* no memory */

    judge_str_t  notes[JUDGE_CRITERIA_NOTES];
    size_t       nnotes;
} judge_prose_t;


/* What a row finds by its action, as judge_clause_read() says. */
typedef size_t (*judge_clause_pt)(judge_prose_t *p, judge_match_t *m);


static inline bool
judge_term_is(const judge_term_t *t,
    judge_w_e class)
{
    return (t->classes[class / 64] >> class % 64 & 1) != 0;
}


/* The same of the token i. */

static inline bool
judge_span_is(const judge_prose_t *p, size_t i, judge_w_e class)
{
    return judge_term_is(&p->tokens[i], class);
}


static inline judge_span_t
judge_span(size_t from, size_t to)
{
    return (judge_span_t) { from, to };
}


/* Its first n tokens. */

static inline judge_span_t
judge_span_near(judge_span_t s, size_t n)
{
    return judge_span(s.from, (s.to - s.from > n) ? s.from + n : s.to);
}


/* The quality of a token that does not only name what is judged, or -1. */

static inline int
judge_term_quality(const judge_term_t *t)
{
    return (t->span > 1 || !judge_term_is(t, JUDGE_W_GENERIC)) ? t->quality
                                                               : -1;
}


/* The token behind i, or behind the bracket that i opens. */

static inline size_t
judge_span_after(const judge_prose_t *p, size_t i)
{
    return (p->tokens[i].close > 0) ? p->tokens[i].close + 1 : i + 1;
}


/* criteria_span.c */

/* Tells the language of the description by its words, and gives all tokens
 * their classes and qualities; before that they have those of marks. */
void judge_span_language(judge_prose_t *p);
void judge_span_mark(judge_prose_t *p, judge_span_t s);

/* How many tokens the longest phrase of the class has that begins at i; 0:
 * none does.  *value is the phrase's. */
size_t judge_span_value(const judge_prose_t *p, size_t i, size_t to,
    judge_w_e class, double *value);
size_t judge_span_match(const judge_prose_t *p, size_t i, size_t to,
    judge_w_e class);

/* The first token of the span that begins a phrase of the class, or s.to;
 * skip(): that is no word of it. */
size_t judge_span_seek(const judge_prose_t *p, judge_span_t s,
    judge_w_e class);
size_t judge_span_skip(const judge_prose_t *p, judge_span_t s,
    judge_w_e class);

/* Without words of the classes at its ends. */
judge_span_t judge_span_strip(const judge_prose_t *p, judge_span_t s,
    judge_w_e before, judge_w_e behind);

static inline bool
judge_span_has(const judge_prose_t *p, judge_span_t s, judge_w_e class)
{
    return judge_span_seek(p, s, class) < s.to;
}


/* Whether the pattern of the row is at the beginning of the span; `least` is
 * the first token at which the subject may end.  rule(): the first row from
 * there on of which it is, or NULL. */
bool judge_span_pattern(const judge_prose_t *p, judge_span_t s,
    const judge_rule_t *rule, size_t least, judge_match_t *m);
const judge_rule_t *judge_span_rule(const judge_prose_t *p, judge_span_t s,
    const judge_rule_t *rule, judge_match_t *m);

/* Without marks at the ends; the text of that as it stands; how many words
 * are in it; the end of the first sentence. */
judge_span_t judge_span_trim(const judge_prose_t *p, judge_span_t s);
judge_str_t judge_span_text(const judge_prose_t *p, judge_span_t s);
size_t judge_span_words(const judge_prose_t *p, judge_span_t s);
size_t judge_span_sentence(const judge_prose_t *p, judge_span_t s);

/* Its words if they are at most six, and none of the marks is there. */
size_t judge_span_short(const judge_prose_t *p, judge_span_t s,
    judge_w_e marks);

/* The colon or dash behind a label, or s.to. */
size_t judge_span_label(const judge_prose_t *p, judge_span_t s);

/* Whether it only names what is judged: "the text of the article". */
bool judge_span_generic(const judge_prose_t *p, judge_span_t s);

/* Where the member of a list ends that begins at s.from, and the next
 * begins. */
size_t judge_span_member(const judge_prose_t *p, judge_span_t s,
    size_t *next);


/* criteria_lines.c: tokens and blocks. */
judge_rc_e judge_criteria_lines(judge_prose_t *p);


/*
 * criteria_drafts.c: criteria by their names.  add() returns the one of the
 * same name or meaning, or makes it; JUDGE_NONE: nothing names one, or there
 * is no room.  find() only looks, also for a part of a name or "the first".
 */
size_t judge_draft_add(judge_prose_t *p, judge_span_t name,
    judge_form_e form);
size_t judge_draft_quality(judge_prose_t *p, int quality, judge_form_e form);
size_t judge_draft_find(const judge_prose_t *p, judge_span_t name);
size_t judge_draft_ordinal(const judge_prose_t *p, judge_span_t s);
void judge_draft_describe(judge_prose_t *p, size_t i,
    const judge_frame_t *frame, judge_span_t s);
size_t judge_draft_unwanted(judge_prose_t *p, judge_match_t *m);
void judge_draft_apply(judge_prose_t *p, size_t at, const judge_cue_t *cue);

/* Tells the author of the description something about s and t, once.  A
 * number is "" if it is negative. */
void judge_draft_tell(judge_prose_t *p, judge_say_e note, judge_str_t s,
    judge_str_t t);
judge_str_t judge_draft_number(judge_prose_t *p, double n);

static inline void
judge_draft_note(judge_prose_t *p, judge_say_e note, judge_str_t s, double n)
{
    judge_draft_tell(p, note, s, judge_draft_number(p, n));
}


/* The saying in the description's language; one with s and t put in. */

static inline const char *
judge_draft_saying(const judge_prose_t *p, judge_say_e what)
{
    return judge_criteria_says[p->language][what];
}


judge_str_t judge_draft_say(judge_prose_t *p, const char *saying,
    judge_str_t s, judge_str_t t);


/* criteria_details.c: weights and details of a criterion. */

/* The next cue of the span is added to *cue.  take() reads all and returns
 * the span without them: the name of what they are about. */
bool judge_cue_next(const judge_prose_t *p, judge_span_t s,
    judge_cue_t *cue);
judge_span_t judge_cue_take(const judge_prose_t *p, judge_span_t s,
    judge_cue_t *cue);

/*
 * examples() reads what follows "for example" and returns the span without
 * it.  level() reads a piece like "90-100: excellent", levels() a sentence of
 * them.  quantity() finds "at least two": the tokens *at .. result - 1; 0:
 * there is none.  statements() reads whatever a description contains: text,
 * weights, levels, details.
 */
judge_span_t judge_detail_examples(judge_prose_t *p, size_t at,
    judge_span_t s);
bool judge_detail_level(const judge_prose_t *p, judge_span_t s,
    double levels[4]);
void judge_detail_scale(const double got[4], double levels[4]);
bool judge_detail_levels(const judge_prose_t *p, judge_span_t s,
    double levels[4]);
size_t judge_detail_quantity(const judge_prose_t *p, judge_span_t s,
    size_t *at);
void judge_detail_read(judge_prose_t *p, size_t at, judge_span_t s);
void judge_detail_statements(judge_prose_t *p, size_t at, judge_span_t s);

/* The criterion that a piece names, with its details, or JUDGE_NONE.  What is
 * required is described in its own words in a frame, "The text should be";
 * else only what says more than the name is a description. */
size_t judge_detail_one(judge_prose_t *p, judge_span_t s, judge_form_e form,
    const judge_frame_t *frame);


/*
 * criteria_clauses.c: what the rows of a table of patterns find in a span;
 * how many criteria, or whether it is understood.
 */
size_t judge_clause_read(judge_prose_t *p, const judge_rule_t *rule,
    judge_span_t s);
void judge_clause_sentences(judge_prose_t *p, judge_span_t s);


/* criteria_blocks.c: from blocks to drafts. */
void judge_criteria_blocks(judge_prose_t *p);


#endif /* JUDGE_CRITERIA_GRAMMAR_H */
