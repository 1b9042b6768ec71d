/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A text taken apart: tokens, types, sentences, paragraphs. */


#include <stdlib.h>
#include <string.h>

#include "analysis/text/text.h"
#include "tap.h"


static judge_arena_t  *arena;


static void
parse(judge_text_t *t, judge_str_t text)
{
    if (judge_text_parse(t, arena, text) != JUDGE_OK) {
        abort();
    }
}


/* The tokens parted by "|", their kinds as letters. */

static void
test_tokens(void)
{
    size_t  i, k;
    static const struct {
        const char  *name, *text, *tokens, *kinds;
    } rows[] = {
        { "words", "To be, or not", "To|be|,|or|not", "ww.ww" },
        { "apostrophes", "don't can\xe2\x80\x99t dogs'",
          "don't|can\xe2\x80\x99t|dogs|'", "www." },
        { "clitics apart", "he 's here", "he|'s|here", "www" },
        { "numbers", "1,000.50 3rd 50% 10:30", "1,000.50|3rd|50%|10:30",
          "nnnn" },
        { "code", "my_var x2", "my_var|x2", "cc" },
        { "addresses", "see https://a.b/c?d=1. Mail me@x.org!",
          "see|https://a.b/c?d=1|.|Mail|me@x.org|!", "wl.wl." },
        { "marks", "a--b... c!", "a|--|b|...|c|!", "w.w.w." },
        { "Latin", "na\xc3\xafve \xc3\x89t\xc3\xa9",
          "na\xc3\xafve|\xc3\x89t\xc3\xa9", "ww" },
        { "combining marks", "cafe\xcc\x81 x", "cafe\xcc\x81|x", "ww" },
        { "Cyrillic", "\xd0\x94\xd0\xb0 yes", "\xd0\x94\xd0\xb0|yes", "ww" },
        { "CJK", "\xe4\xbd\xa0\xe5\xa5\xbd\xe3\x80\x82",
          "\xe4\xbd\xa0|\xe5\xa5\xbd|\xe3\x80\x82", "ii." },
        { "emoji", "ok \xf0\x9f\x98\x80 fine",
          "ok|\xf0\x9f\x98\x80|fine", "w.w" },
        { "wide space", "a\xc2\xa0""b\xe3\x80\x80""c", "a|b|c", "www" },
        { "invalid bytes", "a\xff\xfe""b\xc3", "a|\xff|\xfe|b|\xc3", "w..w." },
        { "overlong", "x\xc0\xafy", "x|\xc0|\xaf|y", "w..w" }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char          kinds[32] = "";
        judge_buf_t   b;
        judge_text_t  t;

        parse(&t, judge_str_c(rows[i].text));
        judge_buf_init(&b, arena);

        for (k = 0; k < t.ntokens && k < 31; k++) {
            judge_buf_c(&b, k > 0 ? "|" : "");
            judge_buf_str(&b, judge_token_str(&t, &t.tokens[k]));
            kinds[k] = "wncli."[t.tokens[k].kind];
        }

        t_is_str(judge_buf_view(&b), rows[i].tokens,
                 "the tokens are parted: %s", rows[i].name);
        t_is_str(judge_str_c(kinds), rows[i].kinds,
                 "the kinds of tokens are told apart: %s", rows[i].name);
    }
}


static void
test_bytes(void)
{
    judge_text_t  t;

    parse(&t, (judge_str_t) { 7, "a\0b \0\0c" });
    t_is_int((int64_t) t.nwords, 3, "words end at zero bytes");

    parse(&t, JUDGE_STR("x\xffy\xfez"));
    t_is_int((int64_t) t.nbad, 2, "bad bytes are counted");

    parse(&t, JUDGE_STR(""));
    t_is_int((int64_t) t.ntokens, 0, "an empty text has no tokens");
    t_is_int((int64_t) t.nsentences, 0, "an empty text has no sentences");

    parse(&t, (judge_str_t) { 0, NULL });
    t_is_int((int64_t) t.ntokens, 0, "an absent text is as an empty one");

    parse(&t, JUDGE_STR("\n\n \t\n"));
    t_is_int((int64_t) t.ntokens, 0, "white space has no tokens");
}


static void
test_types(void)
{
    judge_text_t         t;
    const judge_type_t  *type;

    parse(&t, JUDGE_STR("The dog saw the Dog. THE cats ran 1,000 and 1000."));

    type = &t.types[t.tokens[0].type];
    t_is_int(type->count, 3, "the case of letters does not matter to a type");
    t_ok(!type->content, "\"the\" is no word of a topic");

    type = &t.types[t.tokens[1].type];
    t_is_int(type->count, 2, "\"dog\" and \"Dog\" are one type");
    t_ok(type->content, "\"dog\" is a word of a topic");
    t_ok(type->name && type->lower,
         "a type was seen with and without a capital");

    t_is_int(t.tokens[9].type, t.tokens[11].type,
             "1,000 and 1000 are one type");
    t_ok(t.tokens[6].flags & JUDGE_T_CAPITALS,
         "a word in capitals is marked so");
    t_ok(t.tokens[6].flags & JUDGE_T_START,
         "the first word of a sentence is marked so");
    t_ok(judge_text_find(&t, judge_word_hash(JUDGE_STR("cats")))
         == t.tokens[7].type, "a type is found by its hash");
    t_ok(judge_text_find(&t, judge_word_hash(JUDGE_STR("bird")))
         == JUDGE_NO_TYPE, "a word that is not there has no type");
}


static void
test_sentences(void)
{
    size_t  i;
    static const struct {
        const char  *name, *text;
        int64_t      sentences, paragraphs;
    } rows[] = {
        { "two", "One here. Two there!", 2, 1 },
        { "abbreviations", "Dr. Smith met Mrs. Jones at 5 p.m. on Monday.",
          1, 1 },
        { "initials", "J. R. Smith wrote it. He was old.", 2, 1 },
        { "I at the end", "So did I. He knew.", 2, 1 },
        { "etc. at the end", "Pens, ink, etc. They were sold.", 2, 1 },
        { "decimals", "It rose by 3.5 points. Good.", 2, 1 },
        { "addresses", "See example.com for more. Then go.", 2, 1 },
        { "no space", "It ended.Then it began.", 2, 1 },
        { "many marks", "What?! No... Really!!! Yes.", 4, 1 },
        { "quotation", "\"Go.\" He said. \"Stay!\"", 3, 1 },
        { "quotation of a sentence that goes on",
          "\"Go.\" he said. \"Stay!\"", 2, 1 },
        { "paragraphs", "One.\n\nTwo.\nStill two.\n\nThree.", 4, 3 },
        { "lines as paragraphs", "One\nTwo\nThree", 3, 3 },
        { "lines made spaces", "One. Two. Three.  Four. Five.", 5, 2 },
        { "two spaces are usual", "One.  Two.  Three.     Four.", 4, 2 },
        { "spaces and lines", "One. Two.  Three.\nFour.", 4, 2 },
        { "CRLF", "One.\r\n\r\nTwo.", 2, 2 },
        { "bullets", "List:\n\n- first item\n- second item", 3, 2 },
        { "no end", "just words and no end", 1, 1 },
        { "marks only", "... !!! ???", 1, 1 },
        { "CJK", "\xe4\xbd\xa0\xe3\x80\x82\xe5\xa5\xbd\xe3\x80\x82", 2, 1 }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        judge_text_t  t;

        parse(&t, judge_str_c(rows[i].text));
        t_is_int((int64_t) t.nsentences, rows[i].sentences,
                 "the sentences are counted: %s", rows[i].name);
        t_is_int((int64_t) t.nparagraphs, rows[i].paragraphs,
                 "the paragraphs are counted: %s", rows[i].name);
    }
}


/* Sentences follow each other without gaps, and words are counted once. */

static bool
is_sound(const judge_text_t *t)
{
    size_t  i, words;

    words = 0;

    for (i = 0; i < t->nsentences; i++) {
        if (t->sentences[i].first >= t->sentences[i].end
            || (i > 0 && t->sentences[i].first != t->sentences[i - 1].end))
        {
            return false;
        }

        words += t->sentences[i].words;
    }

    for (i = 0; i < t->ntokens; i++) {
        if (t->tokens[i].begin >= t->tokens[i].end
            || t->tokens[i].end > t->str.len
            || (i > 0 && t->tokens[i].begin < t->tokens[i - 1].end)
            || (t->tokens[i].type != JUDGE_NO_TYPE
                && t->tokens[i].type >= t->ntypes))
        {
            return false;
        }
    }

    return words == t->nwords
           && (t->nsentences == 0
               || (t->sentences[0].first == 0
                   && t->sentences[t->nsentences - 1].end == t->ntokens));
}


static void
test_sound(void)
{
    char          bytes[400];
    size_t        i, n, round, bad;
    uint32_t      seed;
    judge_text_t  t;

    static const char  alphabet[] =
        "aZ .,!?\"'()-\n\n1_:@/\xc3\xa9\xe2\x80\x9c\xe4\xbd\xa0\xff\0";

    seed = 1;
    bad = 0;

    for (round = 0; round < 2000; round++) {
        n = round % sizeof(bytes);

        for (i = 0; i < n; i++) {
            seed = seed * 1103515245 + 12345;
            bytes[i] = alphabet[(seed >> 16) % (sizeof(alphabet) - 1)];
        }

        parse(&t, (judge_str_t) { n, bytes });
        bad += !is_sound(&t);
        judge_arena_reset(arena);
    }

    t_is_int((int64_t) bad, 0, "2000 random texts are taken apart soundly");
}


static void
test_large(void)
{
    size_t        i;
    judge_buf_t   b;
    judge_text_t  t;

    judge_buf_init(&b, arena);

    for (i = 0; i < 30000; i++) {
        judge_buf_printf(&b, "word%zuq and ", i);
    }

    parse(&t, judge_buf_view(&b));
    t_is_int((int64_t) t.nwords, 60000,
             "a text of 60,000 words has all of them");
    t_is_int((int64_t) t.ntypes, 30001,
             "a text of 60,000 words has 30,001 types");
    t_ok(!t.cut, "a text of 60,000 words is not cut");

    judge_arena_reset(arena);
    judge_buf_init(&b, arena);

    for (i = 0; i <= JUDGE_TEXT_MAX; i += 8) {
        judge_buf_append(&b, "\xe4\xbd\xa0 \xe4\xbd\xa0 ", 8);
    }

    parse(&t, judge_buf_view(&b));
    t_ok(t.cut && t.str.len <= JUDGE_TEXT_MAX,
         "a text that is too long is cut");
    t_is_int((int64_t) t.nbad, 0,
             "a text that is too long is cut between two characters");
}


int
main(void)
{
    arena = judge_arena_create(1 << 16);

    test_tokens();
    test_bytes();
    test_types();
    test_sentences();
    test_sound();
    test_large();

    judge_arena_destroy(arena);

    return t_done();
}
