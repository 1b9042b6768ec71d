/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What the engines share: a rubric (what to judge by), an item (what is
 * judged) and a verdict (scores with reasons); and the builtin engine, which
 * scores text from what can be measured in it.
 */


#ifndef JUDGE_ENGINE_H
#define JUDGE_ENGINE_H


#include "analysis/checks/check.h"


#define JUDGE_ENGINE_NAME    "builtin"
#define JUDGE_ENGINE_WORKER  "worker"  /* scores by the callback */

/* Who judges a criterion, by the names of the interface. */
typedef enum {
    JUDGE_BY_AUTO,                     /* to be chosen: method.h */
    JUDGE_BY_CHECKS,
    JUDGE_BY_MEASURES,                 /* an aspect of the registry */
    JUDGE_BY_MODEL,
    JUDGE_BY_CORRECTIONS,
    JUDGE_BY_NOTHING,
    JUDGE_BY_WORKER,                   /* an external one, of media */
    JUDGE_BY_KINDS
} judge_judged_by_e;

/* "auto", "checks", …: rubric.c */
extern const char *const  judge_judged_by_names[JUDGE_BY_KINDS + 1];

/* The end of the reason of a criterion that nothing judges, and of which a
 * training has learned nothing: rubric.c */
extern const char *const  judge_untaught_reason;

/* JUDGE_BY_KINDS: there is none of that name. */
judge_judged_by_e judge_judged_by_find(judge_str_t name);

typedef struct {
    judge_str_t   id;
    judge_str_t   name;
    judge_str_t   description;
    double        weight;              /* > 0 */
    bool          has_thresholds;
    double        excellent, good, fair, poor;           /* 0 to 100 */
    judge_str_t  *examples;
    size_t        nexamples;
    const judge_json_t  *stored;       /* with checks; NULL: it has none */
    judge_check_t *checks;             /* judge_checks_rubric() reads them */
    size_t        nchecks;
    bool          decided;             /* by checks; nothing is left to
                                          judge */
    uint8_t       judge_by;            /* judge_judged_by_e: as it is wished */
    uint8_t       judged_by;           /* as it was chosen; _AUTO: not yet */
    const struct judge_aspect  *aspect;         /* where it is measured */
    judge_str_t   reason;              /* for the choice, a sentence */
    bool          untaught;            /* a training learned nothing of it */
    const char   *lacks;               /* where nothing judges it: why, */
    const char   *helps;               /* and what would; in English */
} judge_criterion_t;

typedef struct {
    judge_str_t         name;
    judge_str_t         description;
    judge_criterion_t  *criteria;
    size_t              ncriteria;     /* 1 to 64 */
    judge_str_t        *references;    /* texts of what is wanted */
    size_t              nreferences;
    judge_str_t         feedback_language; /* a code: language.h; absent: the
                                              text's */
    double              review_wider;  /* a person should look at results
                                          whose interval is wider, points, */
    double              review_threshold; /* or holds this score; of both 0:
                                             unsaid */
} judge_rubric_t;

typedef struct {
    judge_str_t  text;                 /* UTF-8 */
    judge_str_t  source;               /* it was made from; or absent */
    judge_str_t  question;             /* it answers; or absent */
    judge_str_t  reference;            /* a very good one; or absent */
    const judge_json_t  *messages;     /* the content is a conversation: as
                                          it was sent, */
    const struct judge_conversation  *conversation;      /* and as it was
                                          read; NULL: neither */
    size_t       offset;               /* characters of the content before the
                                          text */
} judge_item_t;

/* A passage that feedback speaks of, a weakness. */
typedef struct {
    judge_check_passage_t  place;      /* the quote is all of it */
    judge_str_t            note;       /* what it shows */
} judge_passage_t;

/* A number that moved a score, in the unit that people read. */
typedef struct {
    const char  *name;
    bool         percent;              /* else the name says the unit */
    double       value;
    double       low;                  /* to high: where most texts lie */
    double       high;
    bool         raises;               /* the score; else it lowers it */
} judge_shown_t;

/* What a score went through, in this order; capped again after learned. */
typedef enum {
    JUDGE_STAGE_CHOSEN,                /* who judges it */
    JUDGE_STAGE_MEASURED,
    JUDGE_STAGE_MODEL,                 /* a language model gave it */
    JUDGE_STAGE_CAPPED,                /* the text is none to judge */
    JUDGE_STAGE_LEARNED,               /* from people's scores */
    JUDGE_STAGE_CHECKED,
    JUDGE_STAGE_TURNS,                 /* the mean of several answers */
    JUDGE_STAGES
} judge_stage_e;

typedef struct {
    judge_stage_e  stage;
    double         before;             /* NAN: there was no score */
    double         after;
    judge_str_t    reason;             /* a sentence */
} judge_stage_t;

#define JUDGE_STAGES_MAX  7            /* of a score */

typedef struct {
    double       score;                /* 0 to 100, two decimals; NAN: it is
                                          not judged */
    uint8_t      judged_by;            /* judge_judged_by_e */
    judge_str_t  reason;               /* where it is not judged: why, and
                                          what would help */
    judge_str_t  feedback;             /* sentences for people */
    judge_str_t  learned;              /* what they end with, by training */
    judge_passage_t  *passages;
    size_t            npassages;
    judge_shown_t    *measures;
    size_t            nmeasures;
    judge_check_result_t *checks;      /* of those that are on */
    size_t       nchecks;
    double       judged;               /* where there are any: the score
                                          before */
    judge_stage_t  stages[JUDGE_STAGES_MAX];
    size_t         nstages;
    const struct judge_panel_scores  *panel;     /* what it was made of; NULL:
                                                    no panel judged it */
} judge_criterion_score_t;

/* "chosen", … */
extern const char *const  judge_stage_names[JUDGE_STAGES];

/* Notes that a stage has set the score, which was `before`. */
void judge_score_stage(judge_criterion_score_t *score, judge_stage_e stage,
    double before, judge_str_t reason);

/* What makes a text none to judge: analysis/aspects/flags.h. */
typedef struct {
    const char            *name;       /* in the interface */
    const char            *reason;     /* a sentence in English */
    double                 cap;        /* of what is measured */
    bool                   scores;     /* it is the score where nothing could
                                          be measured */
    judge_check_passage_t  place;      /* where it is found first */
} judge_text_flag_t;

/* An answer of a conversation that was judged by itself. */
typedef struct {
    size_t       message;              /* the index of its message */
    size_t       start;                /* in characters of the content */
    size_t       end;
    double       overall;              /* NAN: it was not judged, */
    double      *scores;               /* nor by a criterion whose score is */
    const char **flags;                /* why it is no text to judge */
    size_t       nflags;
} judge_turn_t;

typedef struct judge_ground  judge_ground_t;

typedef struct {
    double                    overall; /* weighted mean of the scores; NAN:
                                          nothing is judged */
    double                    coverage;         /* the share of the weights
                                          that is judged, 0 to 1 */
    bool                      checked; /* checks moved it */
    double                    judged;  /* then: what it was before */
    judge_criterion_score_t  *scores;  /* in the order of the criteria */
    judge_str_t               summary;
    judge_str_t              *strengths;
    size_t                    nstrengths;
    judge_str_t              *weaknesses;
    size_t                    nweaknesses;
    judge_str_t              *suggestions;
    size_t                    nsuggestions;
    float                    *features; /* JUDGE_FEATURES of them */
    size_t                    nfeatures;
    const char               *language; /* the text's: language.h; NULL:
                                          nobody looked */
    judge_text_flag_t        *flags;   /* why it is no text to judge */
    size_t                    nflags;
    judge_turn_t             *turns;   /* the scores are their means; else
                                          NULL */
    size_t                    nturns;
    size_t                    nanswers;         /* there are; others come
                                          before */
    judge_ground_t           *ground;  /* for judge_explain(); or NULL */
} judge_verdict_t;


/*
 * A scorer is a rubric prepared for scoring: its criteria are matched to
 * traits, its references are measured.  Immutable after creation, so that
 * threads may share it; it copies what it needs into `arena` and lives as long
 * as that.  NULL: memory is exhausted.
 */

typedef struct judge_scorer  judge_scorer_t;

judge_scorer_t *judge_scorer_create(judge_arena_t *arena,
    const judge_rubric_t *rubric);

/*
 * Scores one item.  Deterministic: the same rubric and item give the same
 * verdict on every machine.  Everything in the verdict is allocated in
 * `arena`.  Any bytes are safe; an empty text scores 0, with a sentence.
 * JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_score(const judge_scorer_t *scorer, const judge_item_t *item,
    judge_arena_t *arena, judge_verdict_t *verdict);

/*
 * The two halves of judge_score(), for several scorers of one item: what needs
 * no rubric, which is most of the work, is done once.  A reading refers to the
 * item's strings and lives as long as its arena; it is not changed, so that
 * threads may share it.  NULL: memory is exhausted.  A verdict needs its
 * reading for judge_explain().
 */
typedef struct judge_reading  judge_reading_t;

judge_reading_t *judge_reading_create(judge_arena_t *arena,
    const judge_item_t *item);
judge_rc_e judge_score_reading(const judge_scorer_t *scorer,
    const judge_reading_t *reading, judge_arena_t *arena,
    judge_verdict_t *verdict);

/*
 * The verdict in words: feedback, passages and measures of each criterion,
 * summary and so on, for the scores that stand in the verdict by now, after
 * what was learned and checked.  Before that judge_score() leaves them empty,
 * but for an empty text.  It needs the scorer and the item's text; a verdict
 * that the engine did not score is left as it is.  JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_explain(judge_verdict_t *verdict);

/* The overall score and the coverage, out of the scores of the criteria. */
void judge_verdict_total(const judge_rubric_t *rubric,
    judge_verdict_t *verdict);

/* Lowers what was measured or learned to the caps of the verdict's flags, and
 * then the overall score. */
void judge_verdict_cap(const judge_rubric_t *rubric,
    judge_verdict_t *verdict);

/* The identity of the features' definitions (identity.h). */
uint64_t judge_feature_identity(void);


/* --- Rubrics and items out of what is stored ----------------------------- */

/* A judge version's criteria, as they are stored, into a rubric. */

/* criteria: the stored JSON array.  JUDGE_INVALID when it is not one. */
judge_rc_e judge_rubric_read(judge_arena_t *arena, judge_str_t name,
    judge_str_t description, judge_str_t criteria, judge_rubric_t *rubric);

/* metadata.source, where it is a string; else absent. */
judge_str_t judge_rubric_source(judge_arena_t *arena, judge_str_t metadata);

/* What metadata says of an item: its source, and metadata.question. */
void judge_rubric_item(judge_arena_t *arena, judge_str_t metadata,
    judge_item_t *item);


#endif /* JUDGE_ENGINE_H */
