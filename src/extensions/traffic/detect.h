/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Detectors, which need no judge: of personal data, secrets, words, insults,
 * links, instructions to a model, quotes of a text, languages, and expressions
 * of the operator.  They are deterministic, and their time is linear in the
 * length of the text. */


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

/* The stronger an action, the later it comes. */
typedef enum {
    JUDGE_DETECT_TAG,
    JUDGE_DETECT_MASK,
    JUDGE_DETECT_BLOCK,
    JUDGE_DETECT_ACTIONS
} judge_detect_action_e;

extern const char *const  judge_detect_actions[];        /* names; then NULL */

#define JUDGE_DETECT_REQUEST  1
#define JUDGE_DETECT_ANSWER   2

#define JUDGE_DETECT_PHRASE     8      /* most words of a phrase; a quote has
                                          exactly so many in common */
#define JUDGE_DETECT_LANGUAGES  256
#define JUDGE_DETECT_SPEECH     256    /* bytes, to determine a language */

/* A hash table of phrases, by the hashes of their words. */
typedef struct {
    uint64_t  *slots;                  /* 0: free */
    size_t     nslots;                 /* a power of two */
    size_t     n;                      /* number of phrases */
    size_t     width;                  /* most bytes of a match in a text */
    unsigned   lengths;                /* bit i: some phrase has i words */
} judge_detect_phrases_t;

/* Reads phrases, one per line, or all sequences of JUDGE_DETECT_PHRASE words
 * of a text, but those of more than 512 bytes.  JUDGE_INVALID: there is none,
 * or a line has too many words, more than 512 bytes, or more than 16 bytes
 * between two words. */
judge_rc_e judge_detect_phrases(judge_arena_t *arena, judge_str_t text,
    bool lines, judge_detect_phrases_t *phrases);

#define JUDGE_DETECT_EXPRESSIONS_MAX  64

_Static_assert(JUDGE_DETECT_EXPRESSIONS_MAX <= 64, "bits of wanted");

typedef struct {
    const char  *name;
    void        *database;
    size_t       width;                /* bytes of a match, at most */
} judge_detect_expression_t;

/* All expressions; zeros: there is none. */
typedef struct {
    judge_detect_expression_t  list[JUDGE_DETECT_EXPRESSIONS_MAX];
    size_t                     n;
    judge_arena_t             *arena;
    void                      *scratch;        /* copied for each thread */
} judge_detect_expressions_t;

/* Compiles an expression and adds it to all.  JUDGE_OK, JUDGE_INVALID with
 * *error, which says what was expected, or JUDGE_NOMEM. */
judge_rc_e judge_detect_express(judge_detect_expressions_t *all,
    judge_str_t name, judge_str_t pattern, judge_str_t *error);

/* Takes a judge_detect_expressions_t; its type is that of nginx's cleanups. */
void judge_detect_expressions_free(void *expressions);

typedef struct judge_detect_rule  judge_detect_rule_t;

/* One line of the directive. */
struct judge_detect_rule {
    const judge_detect_rule_t   *next;         /* of the same place; or NULL */
    unsigned                     detectors;    /* bits */
    judge_detect_action_e        action;
    unsigned                     directions;   /* JUDGE_DETECT_REQUEST,
                                                  _ANSWER, or both */
    judge_str_t                  message;      /* to the client if it blocks */
    judge_detect_phrases_t       words;
    judge_detect_phrases_t       leak;
    judge_str_t                  hosts;        /* allowed in links, parted by
                                                  commas */
    size_t                       nlanguages;   /* how many are allowed */
    bool                         languages[JUDGE_DETECT_LANGUAGES];
    uint64_t                     wanted;       /* bit i: it has the i-th
                                                  expression */
    size_t                       width;        /* most bytes that a match of
                                                  an expression may have */
    const judge_detect_expressions_t *expressions;
};

/* Reads names of detectors and expressions, separated by commas.  If one is
 * unknown, the rule gets no detector. */
void judge_detectors_parse(judge_str_t names,
    const judge_detect_expressions_t *known, judge_detect_rule_t *rule);

/* _hosts() and _languages() read a list, which is not copied.  _error() checks
 * that detectors, parameters and action of a rule fit.  They return what was
 * expected, for an error, or NULL. */
const char *judge_detect_rule_hosts(judge_detect_rule_t *rule,
    judge_str_t list);
const char *judge_detect_rule_languages(judge_detect_rule_t *rule,
    judge_str_t list);
const char *judge_detect_rule_error(const judge_detect_rule_t *rule);

/* A match: bytes begin .. end - 1. */
typedef struct {
    size_t                      begin;
    size_t                      end;
    const judge_detect_rule_t  *rule;
    judge_detector_e            detector;
    const char                 *label;         /* what it is: "EMAIL" */
} judge_detect_hit_t;

typedef struct judge_detect  judge_detect_t;

/* The matches in one text, in d->scratch. */
typedef struct {
    judge_detect_t             *d;
    const judge_detect_rule_t  *rule;          /* the current rule */
    judge_text_t               *parsed;        /* or NULL: not yet */
    judge_buf_t                 bytes;         /* of the hits */
    judge_detect_hit_t         *hits;
    size_t                      n;
    bool                        failed;
} judge_detect_found_t;

typedef struct {
    const char   *name;
    void        (*find)(judge_detect_found_t *found, judge_str_t text);
    bool          by_rule;             /* it is called once per rule */
    size_t        hold;                /* a match is known as one when so many
                                          bytes from its beginning are there,
                                          which a stream holds back at its end;
                                          0: it ends with its word, or the rule
                                          has the width */
} judge_detector_t;

extern const judge_detector_t  judge_detectors[JUDGE_DETECTORS];

void judge_detect_pii(judge_detect_found_t *found, judge_str_t text);
void judge_detect_secrets(judge_detect_found_t *found, judge_str_t text);
void judge_detect_words(judge_detect_found_t *found, judge_str_t text);
                                       /* JUDGE_DETECT_LEAK, too */
void judge_detect_insults(judge_detect_found_t *found, judge_str_t text);
void judge_detect_links(judge_detect_found_t *found, judge_str_t text);
void judge_detect_orders(judge_detect_found_t *found, judge_str_t text);
void judge_detect_language(judge_detect_found_t *found, judge_str_t text);
void judge_detect_expressed(judge_detect_found_t *found, judge_str_t text);

/* Whether the text before a byte ends with the name of a secret, such as
 * "api_key", and perhaps quotes, so that the value follows. */
bool judge_detect_named(judge_str_t text, size_t end);


/* --- Actions ------------------------------------------------------------- */

#define JUDGE_DETECT_PLACEHOLDER  40   /* bytes, at most */
#define JUDGE_DETECT_MASKS        1000 /* different originals; a text with more
                                          can't be masked */

/* The placeholders of one request and their originals.  Equal originals get
 * equal placeholders. */
typedef struct {
    judge_arena_t  *arena;
    struct judge_detect_mask {
        const char   *label;
        judge_str_t   original;
        judge_str_t   placeholder;
    }              *masks;
    uint16_t       *slots;             /* two hash tables, by originals and by
                                          placeholders: index in masks plus 1;
                                          0: free */
    size_t          n;
    size_t          known;             /* number of masks of the request; in
                                          its answer these are replaced by
                                          their originals */
} judge_detect_masks_t;

/* Returns the placeholder of a text, a new one unless it has one; absent: out
 * of memory, or JUDGE_DETECT_MASKS are in use. */
judge_str_t judge_detect_mask(judge_detect_masks_t *masks, const char *label,
    judge_str_t text);

/* Returns the original of the placeholder that s begins with, and its length
 * in *len; absent: s begins with none. */
judge_str_t judge_detect_unmask(const judge_detect_masks_t *masks,
    judge_str_t s, size_t *len);

#define JUDGE_DETECT_KEPT        8192  /* bytes of a body in the sample */

/* The search in a body, and its outcome. */
struct judge_detect {
    const judge_detect_rule_t  *rules;         /* the first; or NULL */
    unsigned                    directions;    /* JUDGE_DETECT_REQUEST, or
                                                  _ANSWER */
    judge_arena_t              *arena;         /* of the request */
    judge_arena_t              *scratch;       /* for one text */
    judge_detect_masks_t       *masks;
    bool                        restore;       /* put the originals back */
    size_t                      counts[JUDGE_DETECTORS][JUDGE_DETECT_ACTIONS];
    const char                 *labels[JUDGE_DETECTORS][JUDGE_DETECT_ACTIONS];
                                               /* of the first match of each */
    bool                        keep;          /* `body` is to be set */
    judge_str_t                 body;          /* the inflated body; it may be
                                                  cut */
    const judge_detect_rule_t  *blocked;       /* by this rule; or NULL */
    const char                 *label;         /* of the first blocked match */
    bool                        masked;        /* something was replaced */
    bool                        failed;
};

/* Whether the rule looks for this detector in what is being searched. */

static inline bool
judge_detect_wanted(const judge_detect_found_t *found,
    const judge_detect_rule_t *rule, judge_detector_e detector)
{
    return (rule->directions & found->d->directions)
           && (rule->detectors >> detector & 1);
}


/* Adds a match of the current rule. */

static inline void
judge_detect_hit(judge_detect_found_t *found, judge_detector_e detector,
    const char *label, size_t begin, size_t end)
{
    judge_detect_hit_t  hit = { begin, end, found->rule, detector, label };

    judge_buf_append(&found->bytes, &hit, sizeof(hit));
    found->failed = found->failed || found->bytes.failed;
    found->hits = (judge_detect_hit_t *) (void *) found->bytes.data;
    found->n = found->bytes.len / sizeof(hit);
}


/*
 * Finds what the rules of d->directions look for, sorted by position.
 * Overlapping matches become one with the strongest of their actions.  Matches
 * are in the scratch arena until the next call.  JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_detect_find(judge_detect_t *d, judge_str_t text,
    judge_detect_found_t *found);

/* Counts a match, and returns its replacement; absent: the text stays. */
judge_str_t judge_detect_instead(judge_detect_t *d,
    const judge_detect_hit_t *hit, judge_str_t text);

/* Searches a whole text, and appends what stands from a byte on with its
 * replacements; false: there are none, and nothing is appended.  What lies
 * before that byte is only read; of a match that begins there the rest is
 * replaced. */
bool judge_detect_text(judge_detect_t *d, judge_str_t text, size_t from,
    judge_buf_t *out);

/*
 * Searches a whole body that was fed to e, and frees e.  Appends the body to
 * be sent to `out` if d->masked or e->rewrite is set afterwards.  Returns why
 * the body can't be read.
 */
judge_skip_e judge_detect_body(judge_detect_t *d, judge_extract_t *e,
    judge_buf_t *out);

/* Returns the counts, such as "pii=2,secrets=1"; empty: no match. */
judge_str_t judge_detect_counts(const judge_detect_t *d, judge_arena_t *arena);


/* --- Streams of events --------------------------------------------------- */

/* A stream holds events back as long as text that follows may complete a match
 * in them.  Its memory is on the heap. */
typedef struct judge_detect_stream  judge_detect_stream_t;

/* Creates a stream of what is fed to e until free(), which allows NULL; d and
 * e must live longer.  It sets e->watch, and d->scratch to its own arena:
 * until free() feed() must get another arena, and after it d->scratch is
 * invalid.  NULL: out of memory. */
judge_detect_stream_t *judge_detect_stream_create(judge_detect_t *d,
    judge_extract_t *e);
void judge_detect_stream_free(judge_detect_stream_t *s);
size_t judge_detect_stream_size(const judge_detect_stream_t *s);

/* Appends the events that may be sent; `final`: the stream has ended.  Returns
 * why it can't be read. */
judge_skip_e judge_detect_stream_pump(judge_detect_stream_t *s, bool final,
    judge_buf_t *out);


#endif /* JUDGE_DETECT_H */
