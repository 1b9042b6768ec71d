/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A text is parsed into tokens, their types, sentences and paragraphs, which
 * all measurements use, so that the bytes are read once.  Tokens that differ
 * in capitals alone are of one type.
 */


#ifndef JUDGE_TEXT_H
#define JUDGE_TEXT_H


#include "analysis/text/words.h"


#define JUDGE_TEXT_MAX   (2u << 20)    /* later bytes of a text are ignored */
#define JUDGE_NO_TYPE    0xffffffffu
#define JUDGE_LOWER_MAX  64            /* bytes of a word in lower case; a
                                          longer one is cut */

typedef enum {
    JUDGE_TOKEN_WORD,      /* letters, with apostrophes inside */
    JUDGE_TOKEN_NUMBER,    /* begins with a digit: "1,000", "3rd", "50%" */
    JUDGE_TOKEN_CODE,      /* letters with "_" or digits inside */
    JUDGE_TOKEN_LINK,      /* an address of the web or of mail */
    JUDGE_TOKEN_IDEOGRAPH, /* one character of a script without spaces */
    JUDGE_TOKEN_MARK       /* punctuation; token.mark says which */
} judge_token_kind_e;

/* token.mark is an ASCII character or one of these; 0: the token is none. */
#define JUDGE_MARK_DASH    1
#define JUDGE_MARK_OPEN    2           /* an opening quotation mark */
#define JUDGE_MARK_CLOSE   3
#define JUDGE_MARK_SYMBOL  4           /* any other character */
#define JUDGE_MARK_BAD     5           /* a byte that is not UTF-8 */
#define JUDGE_MARK_DOTS    6           /* an ellipsis */
#define JUDGE_MARK_STOP    7           /* it ends a sentence in its script */

#define JUDGE_T_SPACE      0x0001      /* white space stands before it */
#define JUDGE_T_LINE       0x0002      /* so does a new line */
#define JUDGE_T_BLANK      0x0004      /* so does an empty line */
#define JUDGE_T_CAPITAL    0x0008      /* its first letter is a capital, and
                                          not only as in a shouted text */
#define JUDGE_T_CAPITALS   0x0010      /* all letters are, two at least */
#define JUDGE_T_MIXED      0x0020      /* a capital is behind a small letter */
#define JUDGE_T_START      0x0040      /* the first word of its sentence */
#define JUDGE_T_FOREIGN    0x0080      /* some letters are not ASCII */
#define JUDGE_T_QUOTED     0x0100      /* inside quotation marks */
#define JUDGE_T_WIDE       0x0200      /* the spaces before it stand for a
                                          new line */

typedef struct {
    uint32_t  begin;       /* in bytes of the text */
    uint32_t  end;
    uint32_t  type;        /* of marks and links: JUDGE_NO_TYPE */
    uint16_t  flags;       /* JUDGE_T_... */
    uint8_t   kind;        /* judge_token_kind_e */
    uint8_t   mark;
} judge_token_t;

typedef struct {
    uint64_t  hash;        /* judge_word_hash() of it */
    uint64_t  form;        /* classes: classes.txt */
    uint64_t  sense;
    uint32_t  stem;        /* a hash: judge_word_stem() */
    uint32_t  count;       /* its tokens */
    uint32_t  first;       /* index of its first token */
    uint16_t  chars;       /* letters */
    uint8_t   syllables;
    uint8_t   rarity;      /* judge_word_t.rarity */
    uint8_t   kind;        /* judge_token_kind_e of its first token */
    bool      name;        /* it was seen with a capital inside a sentence */
    bool      lower;       /* it was seen in small letters */
    uint8_t   slip;        /* judge_found_e, once its spelling was looked at */
    bool      content;     /* a word of the topic, not of the grammar */
} judge_type_t;

typedef struct {
    uint32_t  first;       /* tokens first .. end - 1 */
    uint32_t  end;
    uint32_t  words;
    uint32_t  paragraph;
    uint8_t   stop;        /* the mark that ends it; 0: none does */
    bool      item;        /* it begins with the mark or number of a list */
} judge_sentence_t;

typedef struct {
    judge_str_t        str;
    bool               cut;            /* it was longer than JUDGE_TEXT_MAX */
    bool               shouted;        /* most words are in capitals */
    bool               foreign;        /* unknown language, hardly English */
    uint8_t            language;       /* language.h; 0: unknown */
    judge_token_t     *tokens;
    size_t             ntokens;
    judge_type_t      *types;
    size_t             ntypes;
    judge_sentence_t  *sentences;
    size_t             nsentences;
    size_t             nparagraphs;
    size_t             nwords;         /* words, codes, ideographs */
    size_t             nbad;           /* breaches of UTF-8 */
    uint32_t          *slots;          /* a hash table: index of type + 1 */
    size_t             nslots;         /* a power of two */
} judge_text_t;


/* Parses a text, which is not copied; any bytes are safe.  Its language is
 * detected if it is 0.  `brief`: without what only measuring needs, which is
 * stems, syllables, rarity, and in other languages than English whether words
 * are spelled right.  Returns JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_text_read(judge_text_t *t, judge_arena_t *arena,
    judge_str_t str, uint8_t language, bool brief);

#define judge_text_parse(t, arena, str)                                       \
    judge_text_read(t, arena, str, 0, false)
#define judge_text_parse_as(t, arena, str, language)                          \
    judge_text_read(t, arena, str, language, false)
#define judge_text_parse_brief(t, arena, str)                                 \
    judge_text_read(t, arena, str, 0, true)

/* Returns the index of the type with that hash, or JUDGE_NO_TYPE. */
uint32_t judge_text_find(const judge_text_t *t, uint64_t hash);

/* Finds sentences and paragraphs; the last step of parsing. */
judge_rc_e judge_text_split(judge_text_t *t, judge_arena_t *arena);

static inline bool
judge_token_is_word(const judge_token_t *token)
{
    return token->kind == JUDGE_TOKEN_WORD || token->kind == JUDGE_TOKEN_CODE
           || token->kind == JUDGE_TOKEN_IDEOGRAPH;
}

static inline judge_str_t
judge_token_str(const judge_text_t *t, const judge_token_t *token)
{
    return (judge_str_t) { token->end - token->begin,
                           t->str.data + token->begin };
}

/* Whether the first token of a type has small ASCII letters alone, so that it
 * is the type in lower case as it stands. */

static inline bool
judge_type_is_plain(const judge_text_t *t, const judge_type_t *type)
{
    const judge_token_t  *token;

    token = &t->tokens[type->first];

    return token->kind == JUDGE_TOKEN_WORD
           && token->end - token->begin == type->chars
           && !(token->flags & (JUDGE_T_CAPITAL | JUDGE_T_MIXED));
}


#endif /* JUDGE_TEXT_H */
