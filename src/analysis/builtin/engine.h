/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What the engines share: a rubric (what to judge by), an item (what is
 * judged) and a verdict (scores with reasons); and the built-in engine, which
 * scores a text by what can be measured in it.
 */


#ifndef JUDGE_ENGINE_H
#define JUDGE_ENGINE_H


#include "analysis/checks/check.h"


#define JUDGE_ENGINE_NAME    "builtin"
#define JUDGE_ENGINE_WORKER  "worker"  /* an external worker sent the scores */

/* Who judges a criterion. */
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

/* The names of the interface: "auto", "checks", … */
extern const char *const  judge_judged_by_names[JUDGE_BY_KINDS + 1];

/* The reason of a criterion ends so where a training has learned nothing of
 * it. */
extern const char *const  judge_untaught_reason;

/* Returns JUDGE_BY_KINDS where nobody has that name. */
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
    const judge_json_t  *stored;       /* if it has checks: as it is stored */
    judge_check_t *checks;             /* judge_checks_rubric() reads them */
    size_t        nchecks;
    bool          decided;             /* checks decide all of it */
    uint8_t       judge_by;            /* judge_judged_by_e: who should, */
    uint8_t       judged_by;           /* and who does; _AUTO: not chosen */
    const struct judge_aspect  *aspect;         /* what measures it, or NULL */
    judge_str_t   reason;              /* of the choice, a sentence */
    bool          untaught;            /* a training learned nothing of it */
    const char   *lacks;               /* where nothing judges it: why, */
    const char   *helps;               /* and what would; in English */
} judge_criterion_t;

typedef struct {
    judge_str_t         name;
    judge_str_t         description;
    judge_criterion_t  *criteria;
    size_t              ncriteria;     /* 1 to 64 */
    judge_str_t        *references;    /* texts as they should be */
    size_t              nreferences;
    judge_str_t         feedback_language; /* a code: language.h; absent: the
                                              text's */
    double              review_wider;  /* a person should look at a result
                                          with an interval of more points, */
    double              review_threshold; /* or around this score; either may
                                             be 0: unsaid */
} judge_rubric_t;

typedef struct {
    judge_str_t  text;                 /* UTF-8 */
    judge_str_t  source;               /* that it was made from, or absent */
    judge_str_t  question;             /* that it answers, or absent */
    judge_str_t  reference;            /* a very good one, or absent */
    const judge_json_t  *messages;     /* of a conversation, as it was sent, */
    const struct judge_conversation  *conversation;      /* and as it was
                                          read; NULL: it is none */
    size_t       offset;               /* characters of the content before the
                                          text */
} judge_item_t;

/* A passage with a weakness, which feedback speaks of. */
typedef struct {
    judge_check_passage_t  place;
    judge_str_t            note;       /* what is wrong there */
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

/* The stages of a score, in this order; it is capped again after learned. */
typedef enum {
    JUDGE_STAGE_CHOSEN,                /* who judges it */
    JUDGE_STAGE_MEASURED,
    JUDGE_STAGE_MODEL,                 /* a language model gave it */
    JUDGE_STAGE_CAPPED,                /* by the flags of the text */
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
    judge_str_t  learned;              /* the last, by training */
    judge_passage_t  *passages;
    size_t            npassages;
    judge_shown_t    *measures;
    size_t            nmeasures;
    judge_check_result_t *checks;      /* of those that are on */
    size_t       nchecks;
    double       judged;               /* the score before these checks */
    judge_stage_t  stages[JUDGE_STAGES_MAX];
    size_t         nstages;
    const struct judge_panel_scores  *panel;     /* of its judges; NULL: no
                                                    panel judged it */
} judge_criterion_score_t;

/* The names of the interface: "chosen", … */
extern const char *const  judge_stage_names[JUDGE_STAGES];

/* Notes that a stage has set the score, which was `before`. */
void judge_score_stage(judge_criterion_score_t *score, judge_stage_e stage,
    double before, judge_str_t reason);

/* A flag says why a text should not be judged by what is measured in it:
 * analysis/aspects/flags.h. */
typedef struct {
    const char            *name;       /* in the interface */
    const char            *reason;     /* a sentence */
    double                 cap;        /* a measured score is not higher */
    bool                   scores;     /* the cap is the score where nothing
                                          could be measured */
    judge_check_passage_t  place;      /* where it is found first */
} judge_text_flag_t;

/* An answer of a conversation that was judged by itself. */
typedef struct {
    size_t       message;              /* the index of its message */
    size_t       start;                /* in characters of the content */
    size_t       end;
    double       overall;              /* NAN: it was not judged */
    double      *scores;               /* of the criteria; NAN: likewise */
    const char **flags;                /* the names of its flags */
    size_t       nflags;
} judge_turn_t;

typedef struct judge_ground  judge_ground_t;

typedef struct {
    double                    overall; /* weighted mean of the scores; NAN:
                                          nothing is judged */
    double                    coverage;         /* the share of the weights
                                          that is judged, 0 to 1 */
    bool                      checked; /* checks moved `overall`, */
    double                    judged;  /* which was this before */
    bool                      empty;   /* the text has no words: summary says
                                          that nothing is scored */
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
    const char               *language; /* the text's: language.h; NULL: it was
                                          not detected */
    judge_text_flag_t        *flags;
    size_t                    nflags;
    judge_turn_t             *turns;   /* the last answers, whose means the
                                          scores are; or NULL */
    size_t                    nturns;
    size_t                    nanswers;         /* all of them */
    judge_ground_t           *ground;  /* for judge_explain(), or NULL */
} judge_verdict_t;


/*
 * A scorer is a rubric prepared for scoring: who judges each criterion is
 * chosen.  It does not change, so that threads may share it; it copies what it
 * needs into `arena` and lives as long as that.  NULL: there is no memory.
 */

typedef struct judge_scorer  judge_scorer_t;

judge_scorer_t *judge_scorer_create(judge_arena_t *arena,
    const judge_rubric_t *rubric);

/*
 * Scores an item.  The same rubric and item give the same verdict on every
 * machine.  Everything in the verdict is allocated in `arena`.  Any bytes are
 * safe; an empty text scores 0, with a sentence.  Returns JUDGE_OK or
 * JUDGE_NOMEM.
 */
judge_rc_e judge_score(const judge_scorer_t *scorer, const judge_item_t *item,
    judge_arena_t *arena, judge_verdict_t *verdict);

/*
 * The two halves of judge_score(), for several scorers of one item: a reading
 * is what needs no rubric, which is most of the work, and is done once.  It
 * refers to the item's strings and lives as long as its arena; it is not
 * changed, so that threads may share it.  NULL: there is no memory.  A verdict
 * needs its reading for judge_explain().
 */
typedef struct judge_reading  judge_reading_t;

judge_reading_t *judge_reading_create(judge_arena_t *arena,
    const judge_item_t *item);
judge_rc_e judge_score_reading(const judge_scorer_t *scorer,
    const judge_reading_t *reading, judge_arena_t *arena,
    judge_verdict_t *verdict);

/*
 * Puts the verdict into words: feedback, passages and measures of each
 * criterion, summary and so on, which judge_score() leaves empty, unless the
 * text is.  They are about the scores as they are by now, after what was
 * learned and checked.  The scorer and the item's text must still be there; a
 * verdict that the engine did not score is left as it is.  Returns JUDGE_OK or
 * JUDGE_NOMEM.
 */
judge_rc_e judge_explain(judge_verdict_t *verdict);

/* Sets the overall score and the coverage by the scores of the criteria. */
void judge_verdict_total(const judge_rubric_t *rubric,
    judge_verdict_t *verdict);

/* Lowers what was measured or learned to the caps of the verdict's flags, and
 * then sets the overall score. */
void judge_verdict_cap(const judge_rubric_t *rubric,
    judge_verdict_t *verdict);

/* Returns the identity of the features' definitions (identity.h). */
uint64_t judge_feature_identity(void);


/* --- Rubrics and items out of what is stored ----------------------------- */

/* Makes a rubric of a judge version, whose criteria are stored as a JSON
 * array.  Returns JUDGE_OK, JUDGE_NOMEM, or JUDGE_INVALID where it is none. */
judge_rc_e judge_rubric_read(judge_arena_t *arena, judge_str_t name,
    judge_str_t description, judge_str_t criteria, judge_rubric_t *rubric);

/* Sets all of an item but its text by its content's metadata. */
void judge_rubric_item(judge_arena_t *arena, judge_str_t metadata,
    judge_item_t *item);


#endif /* JUDGE_ENGINE_H */
