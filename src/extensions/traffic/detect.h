/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Detectors that need no judge: personal data, secrets, words, insults, links,
 * orders to a model, quotes of a text, languages, and expressions of one's
 * own.  They are deterministic and take time that is linear in the text. */


#ifndef JUDGE_DETECT_H
#define JUDGE_DETECT_H


#include "analysis/text/text.h"
#include "extensions/traffic/extract.h"


typedef enum {
    JUDGE_DETECT_PII,
    JUDGE_DETECT_SECRETS,
    JUDGE_DETECT_WORDS,
    JUDGE_DETECT_INSULTS,
    JUDGE_DETECT_LINKS,
    JUDGE_DETECT_ORDERS,
    JUDGE_DETECT_LEAK,
    JUDGE_DETECT_LANGUAGE,
    JUDGE_DETECT_EXPRESSIONS,
    JUDGE_DETECTORS
} judge_detector_e;

/* In the order of what is stronger. */
typedef enum {
    JUDGE_DETECT_TAG,
    JUDGE_DETECT_MASK,
    JUDGE_DETECT_BLOCK,
    JUDGE_DETECT_ACTIONS
} judge_detect_action_e;

extern const char *const  judge_detect_actions[];        /* names; then NULL */

#define JUDGE_DETECT_REQUEST  1
#define JUDGE_DETECT_ANSWER   2

#define JUDGE_DETECT_PHRASE     8      /* words of a phrase at most; a quote
                                          is told by exactly so many */
#define JUDGE_DETECT_LANGUAGES  256

/* Phrases by the hashes of their words. */
typedef struct {
    uint64_t  *slots;                  /* 0: free */
    size_t     nslots;                 /* a power of two */
    size_t     n;                      /* 0: none are looked for */
    size_t     width;                  /* bytes that a match may have in a
                                          text, at most */
    unsigned   lengths;                /* bit i: some phrase has i words */
} judge_detect_phrases_t;

/* Phrases, one in each of the lines; or all sequences of words of a text.
 * JUDGE_INVALID: there is none, or a line has too many words. */
judge_rc_e judge_detect_phrases(judge_arena_t *arena, judge_str_t text,
    bool lines, judge_detect_phrases_t *phrases);

#define JUDGE_DETECT_OWN        64     /* expressions, at most */

typedef struct {
    const char  *name;
    void        *database;
    size_t       width;                /* bytes of a match, at most */
} judge_detect_expression_t;

typedef struct {
    judge_detect_expression_t  list[JUDGE_DETECT_OWN];
    size_t                     n;
    void                      *scratch;        /* one, for the event loop */
} judge_detect_expressions_t;

/* Compiles an expression and adds it to all.  JUDGE_OK, JUDGE_INVALID with
 * *error, which says what was expected, or JUDGE_NOMEM. */
judge_rc_e judge_detect_express(judge_detect_expressions_t *all,
    judge_arena_t *arena, judge_str_t name, judge_str_t pattern,
    judge_str_t *error);
void judge_detect_expressions_free(judge_detect_expressions_t *all);

/* Memory for searching them in another thread; NULL: there is none. */
void *judge_detect_scratch(const judge_detect_expressions_t *all);
void judge_detect_scratch_free(void *scratch);

/* One line of the directive. */
typedef struct {
    unsigned                     detectors;    /* bits */
    judge_detect_action_e        action;
    unsigned                     on;           /* JUDGE_DETECT_REQUEST,
                                                  _ANSWER, or both */
    judge_str_t                  message;      /* of what is blocked */
    judge_detect_phrases_t       words;
    judge_detect_phrases_t       leak;
    const judge_str_t           *hosts;        /* to which links may lead */
    size_t                       nhosts;
    size_t                       nlanguages;   /* how many are allowed */
    bool                         languages[JUDGE_DETECT_LANGUAGES];
    uint64_t                     own;          /* bit i: the i-th expression
                                                  is looked for */
    const judge_detect_expressions_t *expressions;
} judge_detect_rule_t;

/* Names of detectors and of expressions, parted by commas.  Where one is
 * unknown the rule has no detector. */
void judge_detectors_parse(judge_str_t names,
    const judge_detect_expressions_t *known, judge_detect_rule_t *rule);

/* Returns the parameter that the directive needs for its detectors and does
 * not have, for an error.  NULL: it has all. */
const char *judge_detect_missing(const judge_detect_rule_t *rule);

typedef struct {
    const judge_detect_rule_t *const *rules;
    size_t                            n;
} judge_detect_rules_t;

/* What was found: bytes begin .. end - 1. */
typedef struct {
    size_t                      begin;
    size_t                      end;
    const judge_detect_rule_t  *rule;
    judge_detector_e            detector;
    const char                 *label;         /* what it is: "EMAIL" */
} judge_detect_hit_t;

typedef struct {
    judge_arena_t              *arena;
    void                       *searching;     /* for expressions; NULL: that
                                                  of the event loop */
    const judge_detect_rules_t *rules;
    unsigned                    on;
    const judge_detect_rule_t  *rule;          /* that is being followed */
    judge_text_t               *parsed;        /* or NULL: not yet */
    judge_detect_hit_t         *hits;
    size_t                      n;
    size_t                      room;
    bool                        failed;
} judge_detect_found_t;

/* For the detectors' own files. */
bool judge_detect_wanted(const judge_detect_found_t *found,
    const judge_detect_rule_t *rule, judge_detector_e detector);
void judge_detect_hit(judge_detect_found_t *found, judge_detector_e detector,
    const char *label, size_t begin, size_t end);

typedef struct {
    const char   *name;
    void        (*find)(judge_detect_found_t *found, judge_str_t text);
    bool          by_rule;             /* it finds other things for another
                                          rule */
    size_t        hold;                /* bytes that a stream holds back, by
                                          which the beginning of a match is
                                          known; 0: the word that has not ended
                                          is enough, or a rule says how many */
} judge_detector_t;

extern const judge_detector_t  judge_detectors[JUDGE_DETECTORS];

void judge_detect_pii(judge_detect_found_t *found, judge_str_t text);
void judge_detect_secrets(judge_detect_found_t *found, judge_str_t text);
void judge_detect_words(judge_detect_found_t *found, judge_str_t text);
                                       /* with JUDGE_DETECT_LEAK, for all
                                          rules */
void judge_detect_insults(judge_detect_found_t *found, judge_str_t text);
void judge_detect_links(judge_detect_found_t *found, judge_str_t text);
void judge_detect_orders(judge_detect_found_t *found, judge_str_t text);
void judge_detect_language(judge_detect_found_t *found, judge_str_t text);
void judge_detect_expressed(judge_detect_found_t *found, judge_str_t text);

/* Whether the text before that byte ends with the name of a secret, such as
 * "api_key", and maybe quotes, so that its value follows. */
bool judge_detect_named(judge_str_t text, size_t end);


/* --- What becomes of it -------------------------------------------------- */

#define JUDGE_DETECT_PLACEHOLDER  40   /* bytes, at most */
#define JUDGE_DETECT_MASKS        1000 /* different ones; a text with more
                                          can't be masked */

/* The placeholders of one request, and what they stand for.  Equal texts get
 * equal placeholders. */
typedef struct {
    judge_arena_t  *arena;
    struct judge_detect_mask {
        const char   *label;
        judge_str_t   original;
        judge_str_t   placeholder;
    }              *masks;
    uint16_t       *slots;             /* two hash tables of masks, by their
                                          originals and by their placeholders:
                                          an index and 1; 0: free */
    size_t          n;
    size_t          known;             /* the first so many were made for the
                                          request: its answer gets these
                                          texts back */
} judge_detect_masks_t;

/* The placeholder of a text; absent: no memory. */
judge_str_t judge_detect_mask(judge_detect_masks_t *masks, const char *label,
    judge_str_t text);

/* The text of the placeholder with which s begins, which becomes *len bytes
 * long; absent: there is none. */
judge_str_t judge_detect_unmask(const judge_detect_masks_t *masks,
    judge_str_t s, size_t *len);

#define JUDGE_DETECT_KEPT        8192  /* bytes of a body, at most */

/* What was done with a body. */
typedef struct {
    const judge_detect_rules_t *rules;
    unsigned                    on;            /* JUDGE_DETECT_REQUEST, or
                                                  _ANSWER */
    judge_arena_t              *arena;         /* of the request */
    judge_arena_t              *scratch;       /* for one text */
    void                       *searching;     /* as in what is found */
    judge_detect_masks_t       *masks;
    bool                        restore;       /* placeholders become texts */
    size_t                      counts[JUDGE_DETECTORS];
    size_t                      actions[JUDGE_DETECTORS][JUDGE_DETECT_ACTIONS];
    const char                 *labels[JUDGE_DETECTORS][JUDGE_DETECT_ACTIONS];
                                               /* of the first of these */
    bool                        keep;          /* `body` is to be set */
    judge_str_t                 body;          /* what was looked at, inflated;
                                                  it may be cut */
    const judge_detect_rule_t  *blocked;       /* rule that blocks; or NULL */
    const char                 *label;         /* of what was blocked first */
    bool                        masked;        /* something was replaced */
    bool                        failed;
} judge_detect_t;

/*
 * Finds what the rules of that direction look for, in the order of the text.
 * Matches that overlap become one, which gets the strongest of their actions.
 * What is found is in the scratch arena, until the next call.  JUDGE_OK or
 * JUDGE_NOMEM.
 */
judge_rc_e judge_detect_find(judge_detect_t *d, judge_str_t text,
    judge_detect_found_t *found);

void judge_detect_count(judge_detect_t *d, const judge_detect_hit_t *hit);

/* What is to stand instead of what was found; absent: it stays. */
judge_str_t judge_detect_instead(judge_detect_t *d,
    const judge_detect_hit_t *hit, judge_str_t text);

/* Looks at a whole text, and appends what becomes of it. */
void judge_detect_text(judge_detect_t *d, judge_str_t text, judge_buf_t *out);

/*
 * Looks at a whole body that was fed to e, which is freed, and appends the
 * body as it is to be sent to `out` if d->masked or e->rewrite is set then.
 * Returns why the body can't be read.
 */
judge_skip_e judge_detect_body(judge_detect_t *d, judge_extract_t *e,
    judge_buf_t *out);

/* "pii=2,secrets=1"; empty: nothing was found. */
judge_str_t judge_detect_counts(const judge_detect_t *d,
    judge_arena_t *arena);


/* --- Streams of events --------------------------------------------------- */

/* Events are held back by what a match that has begun may still need.  Memory
 * is on the heap. */
typedef struct judge_detect_stream  judge_detect_stream_t;

/* Makes a stream of what is fed to e from now on, until free(), which allows
 * NULL.  NULL: no memory. */
judge_detect_stream_t *judge_detect_stream_create(judge_detect_t *d,
    judge_extract_t *e);
void judge_detect_stream_free(judge_detect_stream_t *s);
size_t judge_detect_stream_size(const judge_detect_stream_t *s);

/* Appends the events that may be sent; `final`: the stream has ended.  Returns
 * why it can't be read. */
judge_skip_e judge_detect_stream_pump(judge_detect_stream_t *s, bool final,
    judge_buf_t *out);


#endif /* JUDGE_DETECT_H */
