/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What the files that parse requirements share: the phrases of
 * requirements_table.txt, the tokens of a sentence, and its clauses. */


#ifndef JUDGE_REQUIRE_TABLE_H
#define JUDGE_REQUIRE_TABLE_H


#include <string.h>

#include "base/text/ascii.h"
#include "analysis/checks/check.h"


#define JUDGE_REQUIRE_LANGUAGES  5
#define JUDGE_REQUIRE_TOKENS     60    /* of a sentence */
#define JUDGE_REQUIRE_CHECKS     10    /* of a description */
#define JUDGE_REQUIRE_CLAUSES    8     /* of a sentence */
#define JUDGE_REQUIRE_LIST       8     /* of a clause */
#define JUDGE_REQUIRE_STYLES     6     /* of requirements_table.txt */

/* What is around a literal that is a word of its own. */
#define JUDGE_REQUIRE_LEFT   "(?<![\\p{L}\\p{N}])"
#define JUDGE_REQUIRE_RIGHT  "(?![\\p{L}\\p{N}])"

/* What a word or a mark of a sentence is, by the names that rows of
 * requirements_table.txt have in small letters: a bit each, so that sets of
 * them are tested at once. */
typedef enum {
    JR_NONE = 0,
    /* "an" may count one; what stands with HAS is wanted; negated, REQUIRED
     * forbids nothing */
    JR_ARTICLE = 1ULL << 0, JR_HAS = 1ULL << 1, JR_REQUIRED = 1ULL << 2,
    JR_ALLOWED = 1ULL << 3, JR_MUST = 1ULL << 4, JR_NOT = 1ULL << 5,
    /* how many: "at most", …, "between", "to", "times", "twice" */
    JR_MOST = 1ULL << 6, JR_LESS = 1ULL << 7, JR_LEAST = 1ULL << 8,
    JR_MORE = 1ULL << 9, JR_EXACT = 1ULL << 10, JR_ONLY = 1ULL << 11,
    JR_RANGE = 1ULL << 12, JR_DASH = 1ULL << 13, JR_TIMES = 1ULL << 14,
    JR_ONCE = 1ULL << 15,
    /* of what: "words", "each", "link", "row", "column", "the phrase" */
    JR_UNIT = 1ULL << 16, JR_EACH = 1ULL << 17, JR_THING = 1ULL << 18,
    JR_ITEM = 1ULL << 19, JR_KEY = 1ULL << 20, JR_NOUN = 1ULL << 21,
    JR_LANGUAGE = 1ULL << 22,
    /* where, and how it is written: "as its own word" */
    JR_BEGINS = 1ULL << 23, JR_ENDS = 1ULL << 24, JR_FORM = 1ULL << 25,
    JR_ALONE = 1ULL << 26,
    /* what others follow: a clause, a reason (SPEAKER, "we", only if it asks
     * for nothing), examples */
    JR_AND = 1ULL << 27, JR_BUT = 1ULL << 28, JR_OR = 1ULL << 29,
    JR_NOR = 1ULL << 30, JR_REASON = 1ULL << 31, JR_SPEAKER = 1ULL << 32,
    JR_EXAMPLE = 1ULL << 33,
    /* what asks for nothing: "write", "the reply", and what is no token */
    JR_VERB = 1ULL << 34, JR_TEXT = 1ULL << 35, JR_NEUTRAL = 1ULL << 36,
    /* what no row has */
    JR_NUMBER = 1ULL << 37, JR_LITERAL = 1ULL << 38, JR_MARK = 1ULL << 39,
    /* what gives no check: "any of", "the first ten", a part of a text */
    JR_UNKNOWN = 1ULL << 40, JR_ANY = 1ULL << 41, JR_FIRST = 1ULL << 42,
    JR_BEFORE = 1ULL << 43, JR_ORDER = 1ULL << 44, JR_EXCEPT = 1ULL << 45,
    JR_PART = 1ULL << 46
} judge_require_kind_e;

#define JR_MODALS   (JR_MUST | JR_HAS | JR_REQUIRED | JR_ALLOWED)
#define JR_LIMITS   (JR_MOST | JR_LESS | JR_LEAST | JR_MORE)
#define JR_EDGES    (JR_BEGINS | JR_ENDS)
#define JR_TARGETS  (JR_UNIT | JR_THING | JR_LITERAL)
#define JR_NAMES    (JR_THING | JR_ITEM | JR_NOUN)
#define JR_NEGATIONS (JR_NOT | JR_NOR)
#define JR_JOINTS   (JR_MARK | JR_AND | JR_OR | JR_BUT)
#define JR_IDLES    (JR_UNKNOWN | JR_SPEAKER | JR_TEXT)
#define JR_OPEN     (JR_UNKNOWN | JR_ANY | JR_FIRST | JR_BEFORE | JR_ORDER    \
                     | JR_EXCEPT | JR_PART)
#define JR_ASKED    (JR_TARGETS | JR_ITEM | JR_KEY | JR_LANGUAGE)
#define JR_PLAIN    (JR_IDLES | JR_ARTICLE | JR_ALLOWED | JR_HAS | JR_NOT     \
                     | JR_VERB | JR_EXAMPLE | JR_AND | JR_LESS | JR_MORE      \
                     | JR_BEFORE | JR_DASH)

typedef struct {
    const char           *phrase;      /* after its language and a space */
    judge_require_kind_e  kind;
    const char           *name;
} judge_require_phrase_t;

typedef struct {
    const char  *name;
    const char  *has;                  /* the check's type; "-": none */
    const char  *no;
    const char  *value;                /* "": none */
} judge_require_thing_t;

typedef struct {
    const char  *name;                 /* 'p' and 't' have no fixed length */
    const char  *expression;
} judge_require_style_t;

extern const judge_require_phrase_t  judge_require_phrases[];
extern const size_t                  judge_require_phrases_n;
extern const judge_require_thing_t   judge_require_things[];
extern const size_t                  judge_require_things_n;
extern const judge_require_style_t   judge_require_styles[];
extern const size_t                  judge_require_styles_n;
extern const char                    judge_require_sentences[];
extern const char                    judge_require_parts[];
extern const char                    judge_require_judgement[];
extern const char                    judge_require_ends_of_scale[];
extern const char                    judge_require_where[];
extern const char                    judge_require_purposes[];
extern const char                    judge_require_which[];
extern const char                    judge_require_relative[];
extern const char                    judge_require_restricting[];
extern const char                    judge_require_asking[];
extern const char                    judge_require_verbs[];

typedef struct {
    judge_require_kind_e  kind;
    const char           *name;
    judge_str_t           text;        /* as written in the sentence */
    int64_t               n;           /* a number; literal: it has digits */
} judge_require_token_t;

typedef struct judge_require_parts  judge_require_parts_t;

typedef struct {
    judge_arena_t          *arena;     /* for what is needed while reading */
    judge_require_parts_t  *split;     /* the parts of the sentence; NULL: none
                                          was read yet */
    judge_regex_t          *reader;
    judge_regex_t          *parts;
    judge_regex_t          *judgement;
    judge_regex_t          *scale;
    judge_regex_t          *place;     /* these: see requirements_table.txt */
    judge_regex_t          *purpose;
    judge_regex_t          *asks;
    judge_regex_t          *which;
    judge_regex_t          *relative;
    judge_regex_t          *restricting;
    judge_regex_t          *verb;
    size_t                  language;
    bool                    strict;    /* no word may be unknown */
    judge_require_token_t   tokens[JUDGE_REQUIRE_TOKENS];
    size_t                  n;
} judge_require_reader_t;

typedef struct {
    judge_require_kind_e  how;         /* of the limits; none: exactly n */
    int64_t               n;
    int64_t               m;           /* the end of a range; 0: no range */
} judge_require_count_t;

typedef struct {
    uint64_t               has;        /* the kinds of its tokens */
    bool                   alternative; /* one of its targets suffices */
    bool                   inverted;   /* its verb follows its object */
    bool                   plural;     /* a thing ends in "s" */
    bool                   listed;     /* it took what follows it */
    judge_require_kind_e   how;        /* a limit whose number follows */
    judge_require_count_t  counts[2];
    size_t                 ncounts;
    const char            *begins;     /* the names of its last tokens */
    const char            *ends;
    const char            *noun;
    const char            *language;
    size_t                 nedges;     /* how often it begins or ends */
    const char            *units[2];
    size_t                 nunits;
    const char            *things[JUDGE_REQUIRE_LIST];
    size_t                 nthings;
    judge_require_token_t  literals[JUDGE_REQUIRE_LIST];
    size_t                 nliterals;
} judge_require_clause_t;

typedef struct {
    judge_arena_t           *arena;    /* of the checks */
    judge_check_sent_t      *checks;
    size_t                   n;
    judge_require_clause_t   clauses[JUDGE_REQUIRE_CLAUSES];
    size_t                   nclauses;
    judge_require_reader_t   r;
    judge_regex_t           *sentences;
    judge_regex_t           *styles[JUDGE_REQUIRE_STYLES];
    size_t                   style;    /* that is looked for */
    judge_require_token_t    subject[JUDGE_REQUIRE_TOKENS]; /* of the name */
    size_t                   nsubject;
    size_t                   spoken;   /* the language of the name */
    size_t                   unknown[JUDGE_REQUIRE_LANGUAGES];
    bool                     others;   /* the sentence has unknown words */
    bool                     name;     /* the name is being parsed */
    bool                     failed;   /* memory is exhausted */
} judge_require_t;


/* Tokenizes a sentence with the phrases of r->language: JUDGE_OK, JUDGE_NOMEM
 * or JUDGE_NOT_FOUND: it has too many tokens. */
judge_rc_e judge_require_read(judge_require_reader_t *r, judge_str_t s);

/* Drops tokens without a requirement: a label before a colon, reasons, and,
 * where `aside` is set, parentheses. */
void judge_require_trim(judge_require_reader_t *r, judge_str_t s, bool aside);

/* Whether a sentence without a check only repeats or explains what the name
 * or an earlier sentence requires. */
bool judge_require_restates(judge_require_t *q, judge_str_t s);


/* --- require_form.c: several tokens that say one thing ------------------- */

/* Drops what the first line is called: "the first line is the title: …". */
void judge_require_labels(judge_require_reader_t *r);

/* Adds what follows a name that a text begins or ends with: "Kind regards". */
void judge_require_words_named(judge_require_reader_t *r);

/* "POL- and six digits", "Ref: followed by four digits" are forms. */
void judge_require_prefixes(judge_require_reader_t *r);

/* Takes what follows "like" or "in the form" as the pattern that is asked for,
 * if it has digits: "a price like $9.50". */
void judge_require_alike_of(judge_require_reader_t *r);

/* Drops what a thing is made of anyway: "bullets that start with a hyphen",
 * "paragraphs with a blank line between them". */
void judge_require_made_of(judge_require_reader_t *r);

/* Parts "a single sentence of 25 words" into two limits. */
void judge_require_single(judge_require_reader_t *r);

/* "A link that begins with https://" asks for what it begins with; of other
 * things, such as "any answer that begins with 'Sure'", nothing is known. */
void judge_require_begun(judge_require_reader_t *r, judge_str_t s);


/* --- require_remark.c: what asks for nothing ----------------------------- */

/* Whether the tokens from `from` to `to` may require something. */
bool judge_require_requires(const judge_require_reader_t *r, size_t from,
    size_t to);

/* Whether a reason begins at token i. */
bool judge_require_reason(const judge_require_reader_t *r, size_t i);

/* Whether the tokens from `from` on (a reason, an example, a permission, what
 * "we" say, a statement) have no obligation and no target, limit or quality
 * that is new beside the n tokens of the subject. */
bool judge_require_remark(judge_require_reader_t *r, judge_str_t s,
    size_t from, const judge_require_token_t *subject, size_t n);

/* Whether a clause after a thing says which one is meant. */
bool judge_require_restricted(judge_require_reader_t *r, judge_str_t s);


/* JUDGE_NOT_FOUND where the checks of the description are about another text
 * than the name ("Title": "At most five words"); JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_require_about(judge_require_t *q, judge_str_t name,
    judge_str_t description);


/* --- Tokens -------------------------------------------------------------- */

static inline void
judge_require_cut(judge_require_reader_t *r, size_t from, size_t to)
{
    memmove(r->tokens + from, r->tokens + to,
            (r->n - to) * sizeof(judge_require_token_t));
    r->n -= to - from;
}

static inline bool
judge_require_mark(const judge_require_token_t *t, char mark)
{
    return t->kind == JR_MARK && t->text.data[0] == mark;
}

/* Whether token i is there and of one of the kinds. */

static inline bool
judge_require_at(const judge_require_reader_t *r, size_t i, uint64_t kinds)
{
    return i < r->n && (r->tokens[i].kind & kinds);
}


/* The first token from i on that is of none of the kinds. */

static inline size_t
judge_require_skip(const judge_require_reader_t *r, size_t i, uint64_t kinds)
{
    while (judge_require_at(r, i, kinds)) {
        i++;
    }

    return i;
}


static inline bool
judge_require_finds(judge_require_reader_t *r, judge_regex_t *regex,
    judge_str_t s, size_t from)
{
    size_t  begin, end;

    judge_regex_take(r->reader, regex);

    return judge_regex_find(r->reader, s, from, &begin, &end) == JUDGE_OK;
}


/* Whether the expression fits what stands before token i. */

static inline bool
judge_require_before(judge_require_reader_t *r, judge_regex_t *regex,
    judge_str_t s, size_t i)
{
    return judge_require_finds(r, regex, (judge_str_t) {
               (size_t) (r->tokens[i].text.data - s.data), s.data }, 0);
}

/* --- require_whole.c ----------------------------------------------------- */

/* Adds the checks of a sentence that is understood only as a whole.  Returns
 * JUDGE_OK, JUDGE_NOMEM, or JUDGE_NOT_FOUND where it is no such sentence. */
judge_rc_e judge_require_whole(judge_require_t *q);

/* Does the same for "No word of four letters or more in capitals". */
judge_rc_e judge_require_shouts(judge_require_t *q);


/* --- require_style.c ----------------------------------------------------- */

/* The letter of an example's style; 'c': a code, of no style of the table. */
char judge_require_style(judge_require_t *q, judge_str_t example);

/* Writes an expression for what is written like the example: digits stand for
 * others, and capitals in a code. */
void judge_require_written(judge_buf_t *b, judge_str_t example, char style);

/* "Prices like 9,50 €, never 9.50": JUDGE_NOT_FOUND where a sentence does not
 * tell how something is written, JUDGE_NOMEM or JUDGE_OK. */
judge_rc_e judge_require_styled(judge_require_t *q, judge_str_t s);


/* --- require_join.c, require_clause.c ------------------------------------ */

/* An expression that matches any of the literals, between `before` and
 * `after`; "" and q->failed: memory is exhausted. */
const char *judge_require_regex(judge_require_t *q, const char *before,
    const judge_require_token_t *literals, size_t n, const char *after);

/* Likewise for one literal that, if it is a word, stands alone. */
const char *judge_require_alone(judge_require_t *q,
    const judge_require_token_t *t);

/* Adds a check of the type `type` followed by `name`; string NULL: of the
 * number n, or of nothing. */
bool judge_require_add(judge_require_t *q, const char *type, const char *name,
    const char *string, int64_t n);

/* Adds checks that an expression matches so often; 0: no bound. */
bool judge_require_matches(judge_require_t *q, const char *pattern,
    int64_t least, int64_t most);

/* Whether all of a sentence is about the first line: it begins the sentence,
 * which names no other subject. */
bool judge_require_of_line(const judge_require_t *q);

/* Ends the last clause.  A bare enumeration is merged into the clause before,
 * one without a verb into the clause after ("a link and a date are given"). */
bool judge_require_close(judge_require_t *q);

/* Whether it names what needs no verb: "JSON", "Thanks and apology". */
bool judge_require_format(const judge_require_clause_t *c);

/* "Only a link": an article may count; the title is the first line. */
void judge_require_complete(judge_require_clause_t *c);

/* Adds the checks of a clause.  False: its meaning is ambiguous or, where
 * q->failed is set, memory is exhausted. */
bool judge_require_clause(judge_require_t *q, judge_require_clause_t *c);

/* Whether a thing tells how another one is written: "a date in ISO format". */

static inline bool
judge_require_form(const char *name)
{
    return strstr("iso dmy date h24 ampm eur gbp usd brl cents", name) != NULL;
}

/* Whether a token is a proper name, which nobody put in quotes. */

static inline bool
judge_require_named(const judge_require_token_t *t)
{
    return t->kind == JR_LITERAL && strcmp(t->name, "name") == 0;
}


/* Whether a literal stands for what is written like it. */

static inline bool
judge_require_formed(const judge_require_token_t *t)
{
    return strcmp(t->name, "form") == 0 || strcmp(t->name, "http") == 0
           || strncmp(t->name, "prefix", 6) == 0;
}


/* Whether a literal that begins or ends so is no part of a word there. */

static inline bool
judge_require_sign(char c)
{
    return (unsigned char) c < 0x80 && !judge_ascii_letter(c)
           && !judge_ascii_digit(c);
}


static inline bool
judge_require_has_target(const judge_require_clause_t *c)
{
    return c->nunits || c->nthings || c->nliterals
           || (c->has & JR_LANGUAGE);
}


#endif /* JUDGE_REQUIRE_TABLE_H */
