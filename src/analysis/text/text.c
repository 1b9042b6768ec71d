/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* One pass over the bytes finds the tokens and their types. */


#include <string.h>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "analysis/text/char.h"
#include "analysis/text/language.h"
#include "analysis/text/lexicon.h"


/* The kinds of bytes.  Their order counts: letters of ASCII are from SMALL to
 * CAPITAL, and what can belong to a word or number from SMALL on. */
typedef enum {
    JUDGE_C_OTHER,
    JUDGE_C_SPACE,
    JUDGE_C_LINE,
    JUDGE_C_SMALL,
    JUDGE_C_CAPITAL,
    JUDGE_C_DIGIT,
    JUDGE_C_HIGH                       /* a byte of a longer character */
} judge_byte_e;

typedef struct {
    judge_text_t   *text;
    judge_arena_t  *arena;
    const char     *start;
    const char     *p;                 /* the next byte */
    const char     *end;
    size_t          tokens_max;        /* room in text->tokens, */
    size_t          types_max;         /* and in text->types */
    uint16_t        space;             /* JUDGE_T_SPACE and the like, for the
                                          next token */
    bool            tagged;            /* the text may be HTML */
} judge_scan_t;

/* A token while its letters are read. */
typedef struct {
    uint64_t  hash;                    /* of its lower case */
    uint32_t  chars;                   /* its letters */
    uint32_t  capitals;
    uint16_t  flags;
    uint8_t   kind;
} judge_letters_t;

#define judge_no_letters()                                                    \
    ((judge_letters_t) { .hash = JUDGE_FNV_START, .kind = JUDGE_TOKEN_WORD })


static const uint8_t  judge_bytes[256] = {
    [' '] = JUDGE_C_SPACE, ['\t'] = JUDGE_C_SPACE, ['\r'] = JUDGE_C_SPACE,
    ['\f'] = JUDGE_C_SPACE, ['\v'] = JUDGE_C_SPACE, ['\n'] = JUDGE_C_LINE,
    ['0' ... '9'] = JUDGE_C_DIGIT,
    ['a' ... 'z'] = JUDGE_C_SMALL,
    ['A' ... 'Z'] = JUDGE_C_CAPITAL,
    [0x80 ... 0xff] = JUDGE_C_HIGH
};


#define JUDGE_TAG_MAX     2000         /* bytes of "<p>" and the like */
#define JUDGE_ENTITY_MAX  10           /* bytes of "&nbsp;" and the like */

/* The marks that several of these characters in a row stand for. */
static const uint8_t  judge_doubled[256] = {
    ['.'] = JUDGE_MARK_DOTS, ['-'] = JUDGE_MARK_DASH,
    ['`'] = JUDGE_MARK_OPEN, ['\''] = JUDGE_MARK_CLOSE
};


static judge_rc_e
judge_scan_init(judge_scan_t *s)
{
    size_t         n;
    judge_text_t  *t = s->text;

    /* English has about five bytes a token, and one type in eleven bytes */

    s->tokens_max = t->str.len / 4 + 16;
    t->tokens = judge_alloc(s->arena, s->tokens_max * sizeof(judge_token_t));

    for (n = 64; n < t->str.len / 4 && n < 1u << 14; n *= 2) { /* void */ }

    s->types_max = n / 2;
    t->nslots = n;
    t->types = judge_alloc(s->arena, s->types_max * sizeof(judge_type_t));
    t->slots = judge_calloc(s->arena, n * sizeof(uint32_t));

    if (t->tokens == NULL || t->types == NULL || t->slots == NULL) {
        return JUDGE_NOMEM;
    }

    s->space = JUDGE_T_SPACE | JUDGE_T_LINE;

    return JUDGE_OK;
}


static void
judge_scan_space(judge_scan_t *s)
{
    s->space |= JUDGE_T_SPACE;

    if (*s->p == '\n') {
        s->space |= (s->space & JUDGE_T_LINE) ? JUDGE_T_BLANK : JUDGE_T_LINE;
    }

    s->p++;
}


/* Reads small letters of ASCII, which most words consist of. */

static inline void
judge_letters_small(judge_scan_t *s, judge_letters_t *w)
{
    uint64_t     hash = w->hash;
    const char  *p, *end = s->end;

    for (p = s->p; p < end && *p >= 'a' && *p <= 'z'; p++) {
        hash = judge_fnv_byte(hash, (unsigned char) *p);
    }

    w->hash = hash;
    w->chars += (uint32_t) (p - s->p);
    s->p = p;
}


/* Reads a character beyond ASCII; false: it does not belong to the word. */

static bool
judge_letters_high(judge_scan_t *s, judge_letters_t *w)
{
    char         out[4];
    uint32_t     c, small;
    const char  *p = s->p;

    c = judge_utf8_next(&p, s->end);

    /* a hidden character is ignored, unless a letter from Hebrew on follows:
     * in some of those scripts it parts words */

    if (judge_char_is_hidden(c) && p < s->end && (unsigned char) *p < 0xd6) {
        s->p = p;
        return true;
    }

    if (c == 0x2019 && p < s->end && w->chars > 0
        && judge_bytes[(unsigned char) *p] >= JUDGE_C_SMALL
        && judge_bytes[(unsigned char) *p] <= JUDGE_C_CAPITAL)
    {
        w->hash = judge_fnv_byte(w->hash, '\'');
        s->p = p;
        return true;
    }

    if (!judge_char_is_letter(c)) {
        return false;
    }

    small = judge_char_lower(c);

    if (small != 0) {
        w->flags |= w->chars == 0 ? JUDGE_T_CAPITAL : 0;
        w->capitals++;
        c = small;
    }

    w->hash = judge_fnv(w->hash, out, judge_utf8_put(out, c));
    w->flags |= JUDGE_T_FOREIGN;
    w->chars++;
    s->p = p;

    return true;
}


/* Reads an apostrophe, "_" or a digit inside a word; false: the word ends. */

static bool
judge_letters_join(judge_scan_t *s, judge_letters_t *w)
{
    uint8_t  next = JUDGE_C_OTHER;

    if (s->p + 1 < s->end) {
        next = judge_bytes[(unsigned char) s->p[1]];
    }

    if (*s->p == '\'') {
        if (next < JUDGE_C_SMALL || next > JUDGE_C_CAPITAL) {
            return false;
        }

    } else if (judge_bytes[(unsigned char) *s->p] == JUDGE_C_DIGIT
               || (*s->p == '_' && next >= JUDGE_C_SMALL))
    {
        w->kind = JUDGE_TOKEN_CODE;

    } else {
        return false;
    }

    w->hash = judge_fnv_byte(w->hash, (unsigned char) *s->p++);

    return true;
}


static bool
judge_scan_begins_link(const judge_scan_t *s, const judge_letters_t *w)
{
    size_t  left = (size_t) (s->end - s->p);

    if (left < 4) {
        return false;
    }

    return memcmp(s->p, "://", 3) == 0
           || (*s->p == '@'
               && judge_bytes[(unsigned char) s->p[1]] >= JUDGE_C_SMALL)
           || (*s->p == '.' && w->hash == judge_word_hash(JUDGE_STR("www"))
               && judge_bytes[(unsigned char) s->p[1]] >= JUDGE_C_SMALL);
}


static void *
judge_grow(judge_arena_t *arena, void *old, size_t *max, size_t size)
{
    void  *new;

    if (judge_arena_extend(arena, old, *max * 2 * size)) {
        *max *= 2;
        return old;
    }

    new = judge_alloc(arena, *max * 2 * size);
    if (new == NULL) {
        return NULL;
    }

    memcpy(new, old, *max * size);
    *max *= 2;

    return new;
}


static inline judge_token_t *
judge_token_add(judge_scan_t *s, uint8_t kind, const char *begin)
{
    judge_text_t   *t = s->text;
    judge_token_t  *token;

    if (t->ntokens == s->tokens_max) {
        token = judge_grow(s->arena, t->tokens, &s->tokens_max,
                           sizeof(judge_token_t));
        if (token == NULL) {
            return NULL;
        }

        t->tokens = token;
    }

    token = &t->tokens[t->ntokens++];
    token->begin = (uint32_t) (begin - s->start);
    token->end = (uint32_t) (s->p - s->start);
    token->type = JUDGE_NO_TYPE;
    token->flags = s->space;
    token->kind = kind;
    token->mark = 0;

    s->space = 0;

    return token;
}


static judge_rc_e
judge_scan_add_mark(judge_scan_t *s, const char *begin, uint8_t mark)
{
    judge_token_t  *token = judge_token_add(s, JUDGE_TOKEN_MARK, begin);

    if (token == NULL) {
        return JUDGE_NOMEM;
    }

    token->mark = mark;
    s->text->nbad += mark == JUDGE_MARK_BAD;

    return JUDGE_OK;
}


/* Counts a breach of UTF-8 in bytes that were read without decoding. */

static void
judge_scan_check(judge_scan_t *s, const char *begin)
{
    judge_str_t  bytes = { (size_t) (s->p - begin), begin };

    s->text->nbad += judge_utf8_check(bytes) != bytes.len;
}


static judge_rc_e
judge_scan_link(judge_scan_t *s, const char *begin)
{
    while (s->p < s->end && (unsigned char) *s->p > ' '
           && strchr("\"<>()[]{}", *s->p) == NULL)
    {
        s->p++;
    }

    /* a mark at the end belongs to the sentence, not to the address */

    while (s->p - 1 > begin && strchr(".,;:!?'", s->p[-1]) != NULL) {
        s->p--;
    }

    judge_scan_check(s, begin);

    return judge_token_add(s, JUDGE_TOKEN_LINK, begin) == NULL ? JUDGE_NOMEM
                                                               : JUDGE_OK;
}


/* Gives a type its slot.  If none of the first JUDGE_PROBES is free, the type
 * has none: its next token makes another type. */

static void
judge_slot_take(judge_text_t *t, uint32_t type)
{
    size_t    i;
    uint64_t  hash = t->types[type].hash;

    for (i = hash; i < hash + JUDGE_PROBES; i++) {
        if (t->slots[i & (t->nslots - 1)] == 0) {
            t->slots[i & (t->nslots - 1)] = type + 1;
            return;
        }
    }
}


static judge_rc_e
judge_slots_grow(judge_scan_t *s)
{
    size_t         i;
    judge_text_t  *t = s->text;

    t->nslots = s->types_max * 2;
    t->slots = judge_calloc(s->arena, t->nslots * sizeof(uint32_t));

    if (t->slots == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < t->ntypes; i++) {
        judge_slot_take(t, (uint32_t) i);
    }

    return JUDGE_OK;
}


/* Most words are of a known type, and pay for what is inlined beside them. */

__attribute__((noinline))
static judge_rc_e
judge_type_new(judge_scan_t *s, judge_token_t *token, judge_letters_t *w)
{
    judge_text_t  *t = s->text;
    judge_type_t  *type;

    if (t->ntypes == s->types_max) {
        type = judge_grow(s->arena, t->types, &s->types_max,
                          sizeof(judge_type_t));
        if (type == NULL) {
            return JUDGE_NOMEM;
        }

        t->types = type;

        if (judge_slots_grow(s) != JUDGE_OK) {
            return JUDGE_NOMEM;
        }
    }

    type = &t->types[t->ntypes];
    *type = (judge_type_t) {
        .hash = w->hash, .rarity = JUDGE_RARITY_UNKNOWN, .kind = token->kind,
        .count = 1, .first = (uint32_t) t->ntokens - 1,
        .chars = (uint16_t) (w->chars > 0xffff ? 0xffff : w->chars),
        .syllables = 1, .stem = (uint32_t) w->hash | 1,
        .content = token->kind != JUDGE_TOKEN_IDEOGRAPH
                   && (w->chars > 1 || token->kind == JUDGE_TOKEN_NUMBER)
    };

    token->type = (uint32_t) t->ntypes++;
    judge_slot_take(t, token->type);

    return JUDGE_OK;
}


/* Adds a token that has a type, and its type, unless that is known. */

static inline judge_rc_e
judge_type_add(judge_scan_t *s, uint8_t kind, const char *begin,
    judge_letters_t *w)
{
    judge_text_t   *t = s->text;
    judge_token_t  *token = judge_token_add(s, kind, begin);

    if (token == NULL) {
        return JUDGE_NOMEM;
    }

    token->flags |= w->flags;

    if (judge_token_is_word(token)) {
        t->nwords++;
    }

    token->type = judge_text_find(t, w->hash);

    if (token->type != JUDGE_NO_TYPE) {
        t->types[token->type].count++;
        return JUDGE_OK;
    }

    return judge_type_new(s, token, w);
}


static judge_rc_e
judge_scan_word(judge_scan_t *s)
{
    char             c;
    const char      *begin = s->p;
    judge_letters_t  w = judge_no_letters();

    for ( ;; ) {
        judge_letters_small(s, &w);
        c = s->p < s->end ? *s->p : ' ';

        if (c == ' ') {
            break;
        }

        if (c >= 'A' && c <= 'Z') {
            w.flags |= w.chars == 0 ? JUDGE_T_CAPITAL : 0;
            w.flags |= w.capitals < w.chars ? JUDGE_T_MIXED : 0;
            w.capitals++;
            w.hash = judge_fnv_byte(w.hash, (unsigned char) (c | 0x20));
            w.chars++;
            s->p++;

        } else if (!((unsigned char) c >= 0x80 ? judge_letters_high(s, &w)
                                               : judge_letters_join(s, &w)))
        {
            break;
        }
    }

    if (c != ' ' && judge_scan_begins_link(s, &w)) {
        return judge_scan_link(s, begin);
    }

    if (w.capitals == w.chars && w.chars > 1) {
        w.flags |= JUDGE_T_CAPITALS;
    }

    return judge_type_add(s, w.kind, begin, &w);
}


/* Reads a number: "1,000.50", "1990s", "3rd", "10:30", "50%". */

static judge_rc_e
judge_scan_number(judge_scan_t *s)
{
    char             c;
    uint8_t          kind;
    const char      *begin = s->p;
    judge_letters_t  w = judge_no_letters();

    for ( /* void */ ; s->p < s->end; s->p++) {
        c = *s->p;
        kind = judge_bytes[(unsigned char) c];

        if (kind == JUDGE_C_DIGIT || kind == JUDGE_C_SMALL
            || kind == JUDGE_C_CAPITAL)
        {
            /* the bit is set in digits and small letters */
            w.hash = judge_fnv_byte(w.hash, (unsigned char) (c | 0x20));
            continue;
        }

        if ((c != '.' && c != ',' && c != ':' && c != '/')
            || s->p + 1 == s->end
            || judge_bytes[(unsigned char) s->p[1]] != JUDGE_C_DIGIT)
        {
            break;
        }

        /* "1,000" and "1000" are one number */

        if (c != ',') {
            w.hash = judge_fnv_byte(w.hash, (unsigned char) c);
        }
    }

    if (s->p < s->end && *s->p == '%') {
        s->p++;
    }

    return judge_type_add(s, JUDGE_TOKEN_NUMBER, begin, &w);
}


static judge_rc_e
judge_scan_high(judge_scan_t *s)
{
    uint32_t         c;
    const char      *begin = s->p;
    judge_letters_t  w;

    c = judge_utf8_next(&s->p, s->end);

    if (judge_char_is_letter(c)) {
        s->p = begin;
        return judge_scan_word(s);
    }

    if (judge_char_is_hidden(c)) {
        return JUDGE_OK;
    }

    if (c == 0xa0 || (c >= 0x2000 && c <= 0x200a) || c == 0x202f
        || c == 0x3000)
    {
        s->space |= JUDGE_T_SPACE;
        return JUDGE_OK;
    }

    if (judge_char_is_ideograph(c)) {
        w = judge_no_letters();
        w.chars = 1;
        w.hash = judge_word_hash((judge_str_t) { (size_t) (s->p - begin),
                                                 begin });
        return judge_type_add(s, JUDGE_TOKEN_IDEOGRAPH, begin, &w);
    }

    return judge_scan_add_mark(s, begin, judge_char_mark(c));
}


/* Reads "'s", "'re" and the like, which are words where they stand alone, as
 * in texts that a program has split ("n't" is one anyway).  JUDGE_NOT_FOUND:
 * what stands here is none of them. */

static judge_rc_e
judge_scan_clitic(judge_scan_t *s)
{
    judge_str_t      word = { 1, s->p };
    judge_letters_t  w = judge_no_letters();

    static const char *const  clitics[] = {
        "'s", "'t", "'m", "'d", "'re", "'ve", "'ll", NULL
    };

    while (s->p + word.len < s->end
           && judge_bytes[(unsigned char) s->p[word.len]] == JUDGE_C_SMALL)
    {
        word.len++;
    }

    if (!judge_str_caseamong(word, clitics)
        || (s->p + word.len < s->end
            && judge_bytes[(unsigned char) s->p[word.len]] >= JUDGE_C_SMALL))
    {
        return JUDGE_NOT_FOUND;
    }

    w.hash = judge_word_hash(word);
    w.chars = (uint32_t) word.len;
    s->p += word.len;

    return judge_type_add(s, JUDGE_TOKEN_WORD, word.data, &w);
}


static judge_rc_e
judge_scan_mark(judge_scan_t *s)
{
    char            c = *s->p;
    size_t          left, max;
    uint8_t         mark;
    judge_rc_e      rc;
    const char     *begin, *end;

    rc = c == '\'' && (s->space & JUDGE_T_SPACE) ? judge_scan_clitic(s)
                                                : JUDGE_NOT_FOUND;
    if (rc != JUDGE_NOT_FOUND) {
        return rc;
    }

    /* "<p>" and "&nbsp;" part words, but are no text */

    if (s->tagged && (c == '<' || c == '&')) {
        max = c == '<' ? JUDGE_TAG_MAX : JUDGE_ENTITY_MAX;
        left = (size_t) (s->end - s->p);
        end = memchr(s->p, c == '<' ? '>' : ';', left < max ? left : max);

        if (end != NULL && (s->p[1] == '/' || judge_ascii_letter(s->p[1]))) {
            s->space |= JUDGE_T_SPACE;
            begin = s->p;
            s->p = end + 1;
            judge_scan_check(s, begin);
            return JUDGE_OK;
        }
    }

    begin = s->p++;
    mark = (c <= ' ' || c == 0x7f) ? JUDGE_MARK_SYMBOL : (uint8_t) c;

    if (s->p < s->end && *s->p == c && judge_doubled[(unsigned char) c]) {
        mark = judge_doubled[(unsigned char) c];

        while (s->p < s->end && *s->p == c) {
            s->p++;
        }
    }

    return judge_scan_add_mark(s, begin, mark);
}


static judge_rc_e
judge_scan_run(judge_scan_t *s)
{
    judge_rc_e  rc = judge_scan_init(s);

    while (rc == JUDGE_OK && s->p < s->end) {
        switch (judge_bytes[(unsigned char) *s->p]) {

        case JUDGE_C_SPACE:
        case JUDGE_C_LINE:
            judge_scan_space(s);
            break;

        case JUDGE_C_SMALL:
        case JUDGE_C_CAPITAL:
            rc = judge_scan_word(s);
            break;

        case JUDGE_C_DIGIT:
            rc = judge_scan_number(s);
            break;

        case JUDGE_C_HIGH:
            rc = judge_scan_high(s);
            break;

        default:
            rc = judge_scan_mark(s);
        }
    }

    return rc;
}


/* Words are looked up in the English list first, because English is detected
 * by it: in a brief parse those that this needs, and later the others, unless
 * the language has a lexicon. */

judge_rc_e
judge_text_read(judge_text_t *t, judge_arena_t *arena, judge_str_t str,
    uint8_t language, bool brief)
{
    size_t        known;
    judge_scan_t  s = { .text = t, .arena = arena };

    memset(t, 0, sizeof(judge_text_t));

    if (str.data == NULL) {
        str = JUDGE_STR("");
    }

    t->str = judge_utf8_prefix(str, JUDGE_TEXT_MAX);
    t->cut = t->str.len < str.len;

    s.start = s.p = t->str.data;
    s.end = s.start + t->str.len;
    s.tagged = judge_str_find(t->str, JUDGE_STR("<")) != NULL
               && judge_str_find(t->str, JUDGE_STR("</")) != NULL;

    if (judge_scan_run(&s) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    known = brief && t->ntypes > JUDGE_LANGUAGE_WORDS ? JUDGE_LANGUAGE_WORDS
                                                      : t->ntypes;
    judge_lexicon_english(t, 0, known, brief);
    t->language = language != JUDGE_LANGUAGE_UNKNOWN
                  ? language : judge_language_detect(t);

    if (judge_lexicon(t->language) == NULL) {
        judge_lexicon_english(t, known, t->ntypes, brief);
    } else {
        judge_lexicon_text(t, brief);
    }

    return judge_text_split(t, arena);
}


uint32_t
judge_text_find(const judge_text_t *t, uint64_t hash)
{
    size_t    i;
    uint32_t  slot;

    for (i = hash; i < hash + JUDGE_PROBES; i++) {
        slot = t->slots[i & (t->nslots - 1)];

        if (slot == 0) {
            return JUDGE_NO_TYPE;
        }

        if (t->types[slot - 1].hash == hash) {
            return slot - 1;
        }
    }

    return JUDGE_NO_TYPE;
}
