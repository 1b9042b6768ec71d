/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Names, numbers, profanity, personal data, language and reading level. */


#include <math.h>
#include <string.h>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "analysis/checks/check_type.h"
#include "analysis/features/feature.h"
#include "analysis/text/language.h"
#include "analysis/text/say.h"


#define JUDGE_FACTS_DIGITS  40         /* of a normalized number */
#define JUDGE_FACTS_LISTED  5          /* missing items named in a sentence */
#define JUDGE_FACTS_NAME    60         /* bytes of a name in a sentence */
#define JUDGE_FACTS_BYTE    8          /* steps for each byte of the source */

/* A number normalized for comparison: no thousands separators, a point before
 * the decimals, and no decimals that are only zeros. */
typedef struct {
    char    digits[JUDGE_FACTS_DIGITS];
    size_t  len;
} judge_facts_number_t;

typedef struct {
    const judge_text_t  *text;
    const judge_text_t  *source;
    bool                 german;
    judge_hash_set_t        numbers;      /* of the source, as hashes */
    size_t               all;
    size_t               found;
    judge_buf_t          missing;
} judge_facts_t;


/* --- Names --------------------------------------------------------------- */

static bool
judge_facts_among(const judge_type_t *type, const char *const *words)
{
    for ( /* void */ ; *words; words++) {
        if (type->hash == judge_word_hash(judge_str_c(*words))) {
            return true;
        }
    }

    return false;
}


static bool
judge_facts_german(const judge_text_t *t)
{
    return t->language == judge_language_find(JUDGE_STR("de"));
}


/* Whether token i is a name, judged by its capital.  Every word that begins a
 * sentence has one: there, only a word that English always writes with a
 * capital, or does not know, is taken for a name.  Of other languages the
 * lists lack many words. */

static bool
judge_facts_name(const judge_text_t *t, size_t i, bool german)
{
    const judge_type_t   *type;
    const judge_token_t  *token = &t->tokens[i], *before;

    if (token->kind != JUDGE_TOKEN_WORD || !(token->flags & JUDGE_T_CAPITAL)
        || token->end - token->begin < 2)
    {
        return false;
    }

    type = &t->types[token->type];

    if (judge_facts_among(type, judge_check_no_names)) {
        return false;
    }

    if (german) {
        before = i > 0 ? token - 1 : NULL;
        if (before && before->mark == '.' && i > 1) {
            before--;                  /* "Dr." */
        }

        return before && before->type != JUDGE_NO_TYPE
               && judge_facts_among(&t->types[before->type],
                                    judge_check_before_names);
    }

    if (token->flags & JUDGE_T_START) {
        return t->language <= JUDGE_LANGUAGE_ENGLISH && !type->lower
               && (type->form == 0 || (type->form & JUDGE_W_NAME));
    }

    return !type->lower;
}


judge_rc_e
judge_check_names(judge_checked_t *c, const judge_check_t *check,
    judge_check_result_t *r)
{
    bool                 german;
    size_t               i;
    judge_str_t          name;
    const judge_text_t  *t = judge_checked_text(c);

    if (t == NULL) {
        return JUDGE_NOMEM;
    }

    german = judge_facts_german(t);
    name = (judge_str_t) { 0, NULL };

    for (i = 0; i < t->ntokens; i++) {
        if (judge_facts_name(t, i, german)) {
            name = name.data ? name : judge_token_str(t, &t->tokens[i]);
            judge_check_show(c, r, t->tokens[i].begin, t->tokens[i].end);

            if (r->npassages == JUDGE_CHECK_PASSAGES) {
                break;
            }
        }
    }

    if (name.data == NULL) {
        return judge_check_say(c, r, 0, "It names nobody and nothing.");
    }

    name = judge_utf8_prefix(name, JUDGE_FACTS_NAME);

    return judge_check_say(c, r, 1, "It names \"%.*s\".",
                           judge_str_args(name));
}


/* --- Names and numbers of the source ------------------------------------- */

static void
judge_facts_number(judge_str_t s, judge_facts_number_t *out)
{
    bool    decimals = false;
    size_t  i, digits;

    out->len = 0;

    for (i = 0; i < s.len && out->len < JUDGE_FACTS_DIGITS - 1; i++) {
        if (judge_ascii_digit(s.data[i])) {
            out->digits[out->len++] = s.data[i];
            continue;
        }

        if (s.data[i] != '.' && s.data[i] != ',') {
            continue;
        }

        for (digits = 0; i + 1 + digits < s.len
                         && judge_ascii_digit(s.data[i + 1 + digits]); )
        {
            digits++;
        }

        if (digits != 3 && digits > 0 && !decimals) {
            decimals = true;
            out->digits[out->len++] = '.';
        }
    }

    while (decimals && out->digits[out->len - 1] == '0') {
        out->len--;
    }

    out->len -= decimals && out->digits[out->len - 1] == '.';
}


static uint64_t
judge_facts_hash(const judge_facts_number_t *number)
{
    return judge_word_hash((judge_str_t) { number->len, number->digits });
}


static judge_rc_e
judge_facts_open(judge_checked_t *c, judge_facts_t *f)
{
    size_t                 i;
    judge_text_t          *source;
    judge_facts_number_t   number;

    memset(f, 0, sizeof(judge_facts_t));
    judge_buf_init(&f->missing, c->scratch);
    f->text = judge_checked_text(c);
    source = judge_calloc(c->scratch, sizeof(judge_text_t));

    if (f->text == NULL || source == NULL
        || judge_text_parse(source, c->scratch, c->source) != JUDGE_OK)
    {
        return JUDGE_NOMEM;
    }

    f->source = source;
    f->german = judge_facts_german(f->text);

    if (judge_hash_set_create(&f->numbers, c->scratch, source->ntypes)
        != JUDGE_OK)
    {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < source->ntypes; i++) {
        if (source->types[i].kind != JUDGE_TOKEN_NUMBER) {
            continue;
        }

        judge_facts_number(judge_token_str(source,
                               &source->tokens[source->types[i].first]),
                           &number);
        (void) judge_hash_set_add(&f->numbers, judge_facts_hash(&number));
    }

    return JUDGE_OK;
}


/* Whether token i is to be looked up; numbers of list items are not. */

static bool
judge_facts_counts(const judge_facts_t *f, size_t i)
{
    const judge_token_t  *token = &f->text->tokens[i];

    if (token->kind == JUDGE_TOKEN_NUMBER) {
        return !((i == 0 || (token->flags & (JUDGE_T_LINE | JUDGE_T_BLANK)))
                 && i + 1 < f->text->ntokens
                 && (token[1].mark == '.' || token[1].mark == ')'));
    }

    return !f->german && !(token->flags & JUDGE_T_START)
           && judge_facts_name(f->text, i, false);
}


static bool
judge_facts_owner(const judge_text_t *source, judge_str_t name)
{
    char    lower[64];
    size_t  i;

    if (name.len < 4 || name.len > sizeof(lower)
        || name.data[name.len - 1] != 's')
    {
        return false;
    }

    name.len -= name.data[name.len - 2] == '\'' ? 2
                : memcmp(name.data + name.len - 4, "’", 3) == 0 ? 4
                : 0;

    for (i = 0; i < name.len; i++) {
        lower[i] = judge_ascii_lower(name.data[i]);
    }

    return judge_text_find(source, judge_word_hash((judge_str_t) {
                               name.len, lower }))
           != JUDGE_NO_TYPE;
}


static bool
judge_facts_in_words(const judge_text_t *source,
    const judge_facts_number_t *number)
{
    size_t       i, len;
    judge_str_t  word;
    const char  *p;

    for (i = 0; i < judge_check_digits_n; i++) {
        if (strlen(judge_check_digits[i].digits) != number->len
            || memcmp(judge_check_digits[i].digits, number->digits,
                      number->len) != 0)
        {
            continue;
        }

        for (p = judge_check_digits[i].words; *p; p += len + (p[len] == ' ')) {
            len = strcspn(p, " ");
            word = (judge_str_t) { len, p };

            if (judge_text_find(source, judge_word_hash(word))
                != JUDGE_NO_TYPE)
            {
                return true;
            }
        }
    }

    return false;
}


static bool
judge_facts_has(const judge_facts_t *f, const judge_token_t *token)
{
    uint64_t              hash;
    judge_str_t           name;
    judge_facts_number_t  number;

    if (token->kind != JUDGE_TOKEN_NUMBER) {
        hash = f->text->types[token->type].hash;
        name = judge_token_str(f->text, token);

        /* The source may have "Paris" where the text has "Paris's". */
        return judge_text_find(f->source, hash) != JUDGE_NO_TYPE
               || judge_facts_owner(f->source, name);
    }

    judge_facts_number(judge_token_str(f->text, token), &number);

    return judge_hash_set_has(&f->numbers, judge_facts_hash(&number))
           || judge_facts_in_words(f->source, &number);
}


judge_rc_e
judge_check_sourced(judge_checked_t *c, const judge_check_t *check,
    judge_check_result_t *r)
{
    size_t                i;
    judge_rc_e            rc;
    judge_facts_t         f;
    const judge_token_t  *token;

    if (!judge_allowance_take(c->allowance, JUDGE_FACTS_BYTE
                                                * c->source.len))
    {
        return JUDGE_BUSY;
    }

    if (c->source.len == 0) {
        return judge_check_say(c, r, (double) NAN, "There is no source for"
                               " its names and numbers.");
    }

    rc = judge_facts_open(c, &f);
    if (rc != JUDGE_OK) {
        return rc;
    }

    for (i = 0; i < f.text->ntokens; i++) {
        token = &f.text->tokens[i];

        if (!judge_facts_counts(&f, i)) {
            continue;
        }

        f.all++;

        if (judge_facts_has(&f, token)) {
            f.found++;
            continue;
        }

        if (f.all - f.found <= JUDGE_FACTS_LISTED) {
            judge_buf_c(&f.missing, f.missing.len ? ", " : "");
            judge_buf_str(&f.missing,
                          judge_utf8_prefix(judge_token_str(f.text, token),
                                            JUDGE_FACTS_NAME));
        }

        judge_check_show(c, r, token->begin, token->end);
    }

    if (f.missing.failed) {
        return JUDGE_NOMEM;
    }

    return f.all == 0
           ? judge_check_say(c, r, 1, "It names nobody and nothing.")
           : f.found == f.all
           ? judge_check_say(c, r, 1, "All %zu names and numbers are in the"
                             " source.", f.all)
           : judge_check_say(c, r, judge_share((double) f.found,
                                               (double) f.all) * 0.9,
                             "Not in the source, %zu of %zu names and numbers:"
                             " %.*s.", f.all - f.found, f.all,
                             judge_str_args(f.missing));
}


/* --- Decency and persons ------------------------------------------------- */

judge_rc_e
judge_check_profanity(judge_checked_t *c, const judge_check_t *check,
    judge_check_result_t *r)
{
    size_t                n;
    uint32_t              type;
    const char           *const *word;
    const judge_text_t   *t = judge_checked_text(c);
    const judge_token_t  *token;

    if (t == NULL) {
        return JUDGE_NOMEM;
    }

    for (n = 0, word = judge_check_profane; *word; word++) {
        type = judge_text_find(t, judge_word_hash(judge_str_c(*word)));

        if (type != JUDGE_NO_TYPE) {
            n += t->types[type].count;
            token = &t->tokens[t->types[type].first];
            judge_check_show(c, r, token->begin, token->end);
        }
    }

    return judge_check_has(c, r, n, "swearword", "swearwords");
}


/* Luhn's check digit, of payment cards. */

static bool
judge_facts_luhn(judge_str_t s)
{
    size_t    i;
    bool      twice;
    unsigned  digit, sum;

    for (i = s.len, sum = 0, twice = false; i-- > 0; ) {
        if (!judge_ascii_digit(s.data[i])) {
            continue;
        }

        digit = (unsigned) (s.data[i] - '0');
        digit = twice ? 2 * digit : digit;
        sum += digit > 9 ? digit - 9 : digit;
        twice = !twice;
    }

    return sum % 10 == 0;
}


/* ISO 13616: an IBAN, its first 4 characters moved last, is 1 modulo 97. */

static bool
judge_facts_iban(judge_str_t s)
{
    char      c;
    size_t    i, n;
    unsigned  rest;
    char      all[64];

    for (i = 0, n = 0; i < s.len && n < sizeof(all); i++) {
        if (s.data[i] != ' ') {
            all[n++] = s.data[i];
        }
    }

    for (i = 0, rest = 0; i < n; i++) {
        c = all[(i + 4) % n];
        rest = judge_ascii_digit(c)
               ? (rest * 10 + (unsigned) (c - '0')) % 97
               : (rest * 100 + (unsigned) (c - 'A') + 10) % 97;
    }

    return rest == 1;
}


judge_rc_e
judge_check_personal(judge_checked_t *c, const judge_check_t *check,
    judge_check_result_t *r)
{
    size_t      i, n;
    judge_rc_e  rc;

    static const struct {
        const char  *pattern;
        bool       (*is)(judge_str_t s);
    } kinds[] = {
        { "email", NULL }, { "phone", NULL }, { "card", judge_facts_luhn },
        { "iban", judge_facts_iban }, { "ssn", NULL }
    };

    for (i = 0, n = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        rc = judge_check_look(c, kinds[i].pattern, kinds[i].is, r, &n);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    return judge_check_has(c, r, n, "piece of personal data",
                             "pieces of personal data");
}


/* --- Language and reading level ------------------------------------------ */

judge_rc_e
judge_check_language(judge_checked_t *c, const judge_check_t *check,
    judge_check_result_t *r)
{
    uint8_t              wanted;
    const judge_text_t  *t = judge_checked_text(c);

    if (t == NULL) {
        return JUDGE_NOMEM;
    }

    if (t->language == JUDGE_LANGUAGE_UNKNOWN) {
        return judge_check_say(c, r, (double) NAN,
                               "Its language could not be told.");
    }

    wanted = judge_language_find(check->texts[0]);

    return judge_check_say(c, r, t->language == wanted, check->negated
                           ? "It is in %s; any language but %s was asked for."
                           : "It is in %s; %s was asked for.",
               judge_say(c->feedback, judge_language_name(t->language)),
               judge_say(c->feedback, judge_language_name(wanted)));
}


/* The school grade of Flesch and Kincaid. */

judge_rc_e
judge_check_grade(judge_checked_t *c, const judge_check_t *check,
    judge_check_result_t *r)
{
    bool                 most = check->type->mode;
    size_t               i;
    double               words, syllables, grade;
    const judge_text_t  *t = judge_checked_text(c);

    if (t == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0, words = 0, syllables = 0; i < t->ntypes; i++) {
        if (t->types[i].kind == JUDGE_TOKEN_WORD) {
            words += t->types[i].count;
            syllables += (double) t->types[i].count * t->types[i].syllables;
        }
    }

    if (words == 0 || t->nsentences == 0) {
        return judge_check_say(c, r, (double) NAN, "It has no words whose"
                               " reading level could be told.");
    }

    grade = fmax(0, 0.39 * words / (double) t->nsentences
                    + 11.8 * syllables / words - 15.59);

    return judge_check_say(c, r,
                           judge_check_within(grade, check->number, most),
                           most ? "Reading level %.1f; at most %.1f asked for."
                                : "Reading level %.1f; at least %.1f asked"
                                  " for.", grade, check->number);
}
