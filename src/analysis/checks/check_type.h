/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What the files of this folder share: the types of checks, and the text that
 * checks are decided for. */


#ifndef JUDGE_CHECK_TYPE_H
#define JUDGE_CHECK_TYPE_H


#include "analysis/checks/schema.h"
#include "analysis/checks/similar.h"
#include "analysis/text/text.h"


#define JUDGE_CHECK_BYTE  4            /* steps for each byte of a text that
                                          is read once */

/* A text that is checked; it is shared by all checks. */
typedef struct {
    judge_arena_t       *arena;        /* of sentences in results */
    judge_arena_t       *kept;         /* of what all checks share */
    judge_arena_t       *scratch;      /* of the current check */
    judge_allowance_t   *allowance;    /* for steps and for kept, scratch */
    judge_regex_t       *reader;
    judge_str_t          text;         /* its well-formed part, without the
                                          labels of a conversation */
    const char          *shown;        /* offsets of passages count from it */
    bool                 unlabelled;   /* the labels were removed from it */
    judge_str_t          source;       /* absent: none */
    judge_str_t          asked;        /* the words of the criterion */
    const struct judge_conversation  *conversation;      /* NULL: it is none */
    size_t               offset;       /* judge_item_t's */
    const judge_str_t   *references;
    size_t               nreferences;
    const judge_text_t  *parsed;       /* NULL: not yet; judge_checked_text */
    judge_json_t        *json;         /* the text, parsed as JSON */
    judge_rc_e           is_json;
    bool                 json_read;
    judge_str_t          why_not;
    size_t               begin;        /* without white space around it */
    size_t               end;
    uint8_t              feedback;     /* the language of sentences */
    size_t               known_byte;   /* where the last passage begins: */
    size_t               known_char;   /* bytes, characters before it */
} judge_checked_t;

/* Decides a check.  JUDGE_OK with share and said, JUDGE_NOMEM, or JUDGE_BUSY:
 * the allowance does not suffice. */
typedef judge_rc_e judge_check_decide_t(judge_checked_t *c,
    const judge_check_t *check, judge_check_result_t *r);

typedef enum {
    JUDGE_TAKES_NONE,
    JUDGE_TAKES_COUNT,                 /* a whole number */
    JUDGE_TAKES_LEAST,                 /* a whole number, or none: 1 */
    JUDGE_TAKES_NUMBER,
    JUDGE_TAKES_TEXT,
    JUDGE_TAKES_TEXTS,                 /* a string, or several */
    JUDGE_TAKES_LANGUAGE,              /* its code */
    JUDGE_TAKES_PATTERN,               /* a regular expression */
    JUDGE_TAKES_SCHEMA,                /* a JSON Schema */
    JUDGE_TAKES_SIMILAR,               /* text, at_least, n */
    JUDGE_TAKES_PHRASES,               /* as _TEXTS, or none */
    JUDGE_TAKES_ARGUMENTS,             /* a tool and a JSON Schema */
    JUDGE_TAKES_CLAIMS                 /* phrases with tools */
} judge_takes_e;

struct judge_check_type {
    const char      *name;             /* columns of types_table.txt */
    const char      *negation;
    judge_takes_e    value;
    judge_check_decide_t  *decide;
    int              mode;             /* what `decide` is to decide */
    const char      *pattern;
    const char      *one;
    const char      *many;
    const char      *others;
};

extern const judge_check_type_t  judge_check_types[];
extern const size_t              judge_check_types_n;

/* The type that has this name, or whose negation has; NULL: none. */
const judge_check_type_t *judge_check_type(judge_str_t name);

typedef struct {
    const char  *name;
    const char  *expression;
} judge_check_pattern_t;

extern const judge_check_pattern_t  judge_check_patterns[];
extern const size_t                 judge_check_patterns_n;

/* words_table.txt */
typedef struct {
    const char  *digits;
    const char  *words;                /* separated by spaces */
} judge_check_digit_t;

extern const judge_check_digit_t  judge_check_digits[];
extern const size_t               judge_check_digits_n;
extern const char *const          judge_check_no_names[];
extern const char *const          judge_check_before_names[];
extern const char *const          judge_check_profane[];


/* --- For the functions that decide --------------------------------------- */

/* The share of a result where n is to be at most, or at least, what was
 * wanted: 1, or 0.25 falling to 0 for a miss by a quarter of `wanted`. */
double judge_check_within(double n, double wanted, bool most);

/* The text without white space around it. */

static inline judge_str_t
judge_checked_within(const judge_checked_t *c)
{
    return (judge_str_t) { c->end - c->begin, c->text.data + c->begin };
}


/* NULL: memory is exhausted. */
const judge_text_t *judge_checked_text(judge_checked_t *c);

/* Adds bytes [begin, end) of the text to the passages, if there is room. */
void judge_check_show(judge_checked_t *c, judge_check_result_t *r,
    size_t begin, size_t end);

/* Sets share and said: a sentence in the feedback's language (text/say.h). */
judge_rc_e judge_check_say(judge_checked_t *c, judge_check_result_t *r,
    double share, const char *english, ...)
    __attribute__((format(printf, 4, 5)));

/* The noun in singular or plural, for n, in the feedback's language. */
const char *judge_check_noun(const judge_checked_t *c, double n,
    const char *one, const char *many);

/* Met where n is at most, or at least, the number of the check; the sentence
 * says both. */
judge_rc_e judge_check_limited(judge_checked_t *c, judge_check_result_t *r,
    const judge_check_t *check, double n, bool most);

/* Met where n > 0; the sentence says how many there are. */
judge_rc_e judge_check_has(judge_checked_t *c, judge_check_result_t *r,
    size_t n, const char *one, const char *many);

/* Shows and counts in *n the matches of a pattern of patterns_table.txt that
 * are what it looks for by is(), unless that is NULL; JUDGE_INVALID: the
 * table has no such pattern. */
judge_rc_e judge_check_look(judge_checked_t *c, const char *pattern,
    bool (*is)(judge_str_t found), judge_check_result_t *r, size_t *n);

/* Finds a string where a word begins, whatever its capitals are, unless `of`
 * has JUDGE_CONTAINS_EXACT. */
judge_rc_e judge_check_literal(judge_arena_t *arena, judge_str_t text, int of,
    judge_regex_t **pattern);

/* Reads the value of a check of tools, an object. */
judge_rc_e judge_check_tool_value(judge_arena_t *arena, judge_check_t *check,
    judge_str_t *error);

/* The next match in the text, at `from` or later. */
judge_rc_e judge_check_next(judge_checked_t *c, const judge_regex_t *pattern,
    size_t from, size_t *begin, size_t *end);

judge_check_decide_t  judge_check_limit, judge_check_contains,
    judge_check_ends, judge_check_regex, judge_check_find,
    judge_check_address, judge_check_json,
    judge_check_schema, judge_check_json_within, judge_check_xml,
    judge_check_yaml, judge_check_csv, judge_check_likeness,
    judge_check_names, judge_check_sourced, judge_check_profanity,
    judge_check_personal, judge_check_language, judge_check_grade,
    judge_check_tool_called, judge_check_tool_arguments,
    judge_check_tool_order, judge_check_repeated, judge_check_errors,
    judge_check_claims, judge_check_effort;

/* Values of `of` for checks of conversations, which alone have the bit of the
 * first. */
enum {
    JUDGE_TOOLS_CALLS = 0x200, JUDGE_TOOLS_STEPS, JUDGE_TOOLS_LATENCY,
    JUDGE_TOOLS_TOKENS
};

/* Values of `of` for judge_check_limit(). */
enum {
    JUDGE_LIMIT_WORDS = 1, JUDGE_LIMIT_SENTENCES, JUDGE_LIMIT_PARAGRAPHS,
    JUDGE_LIMIT_LINES, JUDGE_LIMIT_CHARACTERS, JUDGE_LIMIT_SENTENCE,
    JUDGE_LIMIT_LINE,
    JUDGE_LIMIT_MOST = 0x100
};

/* Values of `of` for judge_check_contains(). */
enum {
    JUDGE_CONTAINS_ALL = 1, JUDGE_CONTAINS_ANY, JUDGE_CONTAINS_EXACT = 0x100
};

/* Values of `of` for judge_check_ends(). */
enum {
    JUDGE_ENDS_BEGIN = 1, JUDGE_ENDS_END, JUDGE_ENDS_BOTH, JUDGE_ENDS_SAME
};


#endif /* JUDGE_CHECK_TYPE_H */
