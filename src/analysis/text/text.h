/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A parsed text: its tokens, their distinct words (types), sentences and
 * paragraphs.  All measurements use it, so that the bytes are read once.
 */


#ifndef JUDGE_TEXT_H
#define JUDGE_TEXT_H


#include "analysis/text/words.h"


/* Bytes of a text that are measured; the rest is ignored. */
#define JUDGE_TEXT_MAX   (2u << 20)
#define JUDGE_NO_TYPE    0xffffffffu
#define JUDGE_LOWER_MAX  64            /* longer words are cut for the list */

typedef enum {
    JUDGE_TOKEN_WORD,      /* letters, with apostrophes inside */
    JUDGE_TOKEN_NUMBER,    /* begins with a digit: "1,000", "3rd", "50%" */
    JUDGE_TOKEN_CODE,      /* letters with "_" or digits inside */
    JUDGE_TOKEN_LINK,      /* an address of the web or of mail */
    JUDGE_TOKEN_IDEOGRAPH, /* one character of a script without spaces */
    JUDGE_TOKEN_MARK       /* punctuation; what stands in token.mark */
} judge_token_kind_e;

/* token.mark: the ASCII character, or one of these for what is not ASCII */
#define JUDGE_MARK_DASH    1
#define JUDGE_MARK_OPEN    2           /* an opening quotation mark */
#define JUDGE_MARK_CLOSE   3
#define JUDGE_MARK_SYMBOL  4
#define JUDGE_MARK_BAD     5           /* bytes that are not UTF-8 */
#define JUDGE_MARK_DOTS    6           /* an ellipsis */
#define JUDGE_MARK_STOP    7           /* a full stop of another script */

#define JUDGE_T_SPACE      0x0001      /* white space before it */
#define JUDGE_T_LINE       0x0002      /* a new line before it */
#define JUDGE_T_BLANK      0x0004      /* an empty line before it */
#define JUDGE_T_CAPITAL    0x0008      /* first letter is a capital, not
                                          only as all of the text are */
#define JUDGE_T_CAPITALS   0x0010      /* all letters are, two at least */
#define JUDGE_T_MIXED      0x0020      /* a capital behind a small letter */
#define JUDGE_T_START      0x0040      /* first word of its sentence */
#define JUDGE_T_FOREIGN    0x0080      /* has letters that are not ASCII */
#define JUDGE_T_QUOTED     0x0100      /* inside quotation marks */
#define JUDGE_T_WIDE       0x0200      /* spaces before it that stand for a
                                          new line */

typedef struct {
    uint32_t  begin;
    uint32_t  end;
    uint32_t  type;        /* of words, numbers, codes; else JUDGE_NO_TYPE */
    uint16_t  flags;
    uint8_t   kind;
    uint8_t   mark;
} judge_token_t;

typedef struct {
    uint64_t  hash;
    uint64_t  form;
    uint64_t  sense;
    uint32_t  stem;
    uint32_t  count;
    uint32_t  first;       /* index of its first token */
    uint16_t  chars;
    uint8_t   syllables;
    uint8_t   rarity;
    uint8_t   kind;
    bool      name;        /* seen with a capital inside a sentence */
    bool      lower;       /* seen in small letters */
    uint8_t   slip;        /* the judge_found_e that it is; 0: none yet */
    bool      content;     /* a word of the topic, not of the grammar */
} judge_type_t;

typedef struct {
    uint32_t  first;       /* tokens first .. end - 1 */
    uint32_t  end;
    uint32_t  words;
    uint32_t  paragraph;
    uint8_t   stop;        /* the mark that ends it; 0: none */
    bool      item;        /* it begins with the mark or number of a list */
} judge_sentence_t;

typedef struct {
    judge_str_t        str;
    bool               cut;            /* it was longer than JUDGE_TEXT_MAX */
    bool               shouted;        /* most of it is in capitals */
    uint8_t            language;       /* language.h; 0: unknown */
    judge_token_t     *tokens;
    size_t             ntokens;
    judge_type_t      *types;
    size_t             ntypes;
    judge_sentence_t  *sentences;
    size_t             nsentences;
    size_t             nparagraphs;
    size_t             nwords;         /* words, codes, ideographs */
    size_t             nletters;       /* characters of the words */
    size_t             nbad;           /* bytes that are not UTF-8 */
    uint32_t          *slots;          /* hash table: type index + 1 */
    size_t             nslots;
} judge_text_t;


/* JUDGE_OK or JUDGE_NOMEM; any bytes are safe.  The text is not copied. */
judge_rc_e judge_text_parse(judge_text_t *t, judge_arena_t *arena,
    judge_str_t str);

/* The same for a text of a language that is known; 0: it is detected. */
judge_rc_e judge_text_parse_as(judge_text_t *t, judge_arena_t *arena,
    judge_str_t str, uint8_t language);

/* The same without what only measuring needs: stems, syllables, rarity, and
 * what is right in other languages than English. */
judge_rc_e judge_text_parse_brief(judge_text_t *t, judge_arena_t *arena,
    judge_str_t str);

/* Index of the type with that hash, or JUDGE_NO_TYPE. */
uint32_t judge_text_find(const judge_text_t *t, uint64_t hash);

/* The second half of parsing: sentence.c. */
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

/* Whether the first token of a word has small ASCII letters alone, so that it
 * is its lower case as it stands. */

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
