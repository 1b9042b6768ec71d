/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The JSON parser.  Every text is read whole, byte by byte, and in pieces:
 * the result must not depend on how it arrived.
 */


#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/json/json.h"
#include "tap.h"


/* As long as the strings that yajl does not read. */
#define LONG  "0123456789abcdef0123456789abcdef"                              \
              "0123456789abcdef0123456789abcdef"
#define BLANK "                                "                              \
              "                                "

typedef struct {
    const char  *text;
    const char  *want;                 /* the tree written, or the error */
} row_t;


static const row_t  good[] = {
    { "null", "null" },
    { " true ", "true" },
    { "false", "false" },
    { "0", "0" },
    { "-0", "0" },
    { "-12", "-12" },
    { "9223372036854775807", "9223372036854775807" },
    { "-9223372036854775808", "-9223372036854775808" },
    { "9223372036854775808", "9.223372036854776e+18" },
    { "1.50", "1.5" },
    { "3.0", "3" },
    { "1e2", "100" },
    { "1e-400", "0" },
    { "\"\"", "\"\"" },
    { "\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"a\\\"\\\\/\\b\\f\\n\\r\\t\"" },
    { "\"\\u00e4\\u20AC\\ud83d\\uDE00\"", "\"\xc3\xa4\xe2\x82\xac"
      "\xf0\x9f\x98\x80\"" },
    { "\"\\u0000\"", "\"\\u0000\"" },
    { "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"",
      "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"" },
    { "\"\x7f\"", "\"\x7f\"" },
    { "[]", "[]" },
    { "{}", "{}" },
    { "[ ]\r\n\t ", "[]" },
    { "[[],{},[{}]]", "[[],{},[{}]]" },
    { "[1,\"2\",3.5,null,true]", "[1,\"2\",3.5,null,true]" },
    { "{\"a\":1,\"b\":{\"a\":2},\"\":[]}", "{\"a\":1,\"b\":{\"a\":2},"
      "\"\":[]}" },
    { "{\"a:,[]{}\\\"\":\"}],\"}", "{\"a:,[]{}\\\"\":\"}],\"}" },
    { "{\"a\":1,\"A\":2}", "{\"a\":1,\"A\":2}" },
    { "\"" LONG "\"", "\"" LONG "\"" },
    { "\"" LONG "\\\\\"", "\"" LONG "\\\\\"" },
    { "[\"" LONG "\"," BLANK "1,\"" LONG "\"" BLANK ",\"a\"]",
      "[\"" LONG "\",1,\"" LONG "\",\"a\"]" },
    { "\"" LONG "\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
      "\"" LONG "\\\"\\\\/\\b\\f\\n\\r\\t\"" },
    { "\"\\u0000\\u00e4\\u20AC\\ud83d\\uDE00\xc3\xa4" LONG "\"",
      "\"\\u0000\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\xc3\xa4" LONG "\"" },
    { "{\"" LONG "\":[\"\",\"" LONG "\",\"a\\\\\",\"" LONG "\"],\"" LONG "\\\""
      "\":\"b\"}",
      "{\"" LONG "\":[\"\",\"" LONG "\",\"a\\\\\",\"" LONG "\"],\"" LONG "\\\""
      "\":\"b\"}" },
    { NULL, NULL }
};


static const row_t  bad[] = {
    { "", "0: unexpected end" },
    { " \n", "2: unexpected end" },
    { "[", "1: unexpected end" },
    { "{\"a\":", "5: unexpected end" },
    { "{\"a\":1", "6: unexpected end" },
    { "{\"a", "3: unexpected end" },
    { "\"abc\\", "5: unexpected end" },
    { "\"\\u12", "5: unexpected end" },
    { "\"\xe2\x82", "3: unexpected end" },
    { "{\"a\":1,}", "8: expected a key" },
    { "[1,]", "4: unexpected token" },
    { "[,1]", "2: unexpected token" },
    { "}", "1: unexpected token" },
    { "[}", "2: unexpected token" },
    { "[1}", "3: expected ',' or ']'" },
    { "{\"a\":1]", "7: expected ',' or '}'" },
    { "{\"a\" 1}", "6: expected ':' behind a key" },
    { "{a:1}", "2: unexpected character" },
    { "{1:1}", "2: expected a key" },
    { "[1 2]", "4: expected ',' or ']'" },
    { "1 2", "3: nothing may follow the value" },
    { "{}x", "3: nothing may follow the value" },
    { "{}{}", "3: nothing may follow the value" },
    { "nul", "3: unexpected word" },
    { "nulx ", "4: unexpected word" },
    { "True", "1: unexpected character" },
    { "NaN", "1: unexpected character" },
    { "-Infinity", "2: malformed number" },
    { "+1", "1: unexpected character" },
    { "01", "2: nothing may follow the value" },
    { "1.", "2: malformed number" },
    { ".5", "1: unexpected character" },
    { "1e", "2: malformed number" },
    { "-", "1: malformed number" },
    { "--1", "2: malformed number" },
    { "1e+", "3: malformed number" },
    { "0x10", "2: nothing may follow the value" },
    { "[1e999]", "6: number out of range" },
    { "'a'", "1: unexpected character" },
    { "// comment\n1", "1: unexpected character" },
    { "/* comment */1", "1: unexpected character" },
    { "[1]/**/", "3: nothing may follow the value" },
    { "\xef\xbb\xbf{}", "1: unexpected character" },
    { "[\x01]", "2: unexpected character" },
    { "\f1", "1: unexpected character" },
    { "1\v", "2: unexpected character" },
    { "[1,\v2]", "4: unexpected character" },
    { "{\"a\":\f1}", "6: unexpected character" },
    { "[1}\f", "3: expected ',' or ']'" },
    { "[\"a\"\f]", "5: unexpected character" },
    { "\"a\nb\"", "3: control character in a string" },
    { "\"a\tb\"", "3: control character in a string" },
    { "[\"a\nb", "4: control character in a string" },
    { "\"\\x\"", "3: invalid escape in a string" },
    { "\"\\u12g4\"", "6: invalid escape in a string" },
    { "\"\\u 123\"", "4: invalid escape in a string" },
    { "\"\\ud800\"", "8: lone surrogate in a string" },
    { "\"\\ud800x\"", "8: lone surrogate in a string" },
    { "\"\\ud800\\n\"", "9: lone surrogate in a string" },
    { "\"\\ud800\\u0041\"", "13: lone surrogate in a string" },
    { "\"\\ud800\\ud800\"", "13: lone surrogate in a string" },
    { "\"\\udc00\"", "7: lone surrogate in a string" },
    { "\"\\udfff\\ud800\"", "7: lone surrogate in a string" },
    { "{\"\\ud800\":1}", "9: lone surrogate in a string" },
    { "\"\x80\"", "2: invalid UTF-8 in a string" },
    { "\"\xc0\x80\"", "2: invalid UTF-8 in a string" },
    { "\"\xe0\x80\xaf\"", "3: invalid UTF-8 in a string" },
    { "\"\xf0\x9f\x98\"", "5: invalid UTF-8 in a string" },
    { "\"\xed\xa0\x80\"", "3: invalid UTF-8 in a string" },
    { "\"\xe2\x82\"", "4: invalid UTF-8 in a string" },
    { "\"\xf4\x90\x80\x80\"", "3: invalid UTF-8 in a string" },
    { "[1,x,\"\xff\"]", "4: unexpected character" },
    { "{\"a\":1,\"a\":2}", "12: duplicate key" },
    { "{\"a\":1,\"\\u0061\":2}", "17: duplicate key" },
    { "[{\"b\":{\"a\":[],\"a\":{}}}]", "19: duplicate key" },
    { "{\"" LONG "\":1,\"" LONG "\":2}", "138: duplicate key" },
    { "\"" LONG "\n\"", "66: control character in a string" },
    { "\"" LONG "\x1f" LONG "\"", "66: control character in a string" },
    { "\"" LONG "\xff\"", "66: invalid UTF-8 in a string" },
    { "[\"" LONG "\" 2]", "69: expected ',' or ']'" },
    { "[1 \"" LONG "\"]", "69: expected ',' or ']'" },
    { "\"" LONG "\"x", "67: nothing may follow the value" },
    { "{\"" LONG "\"}", "68: expected ':' behind a key" },
    { "[\"" LONG "\",\"a\nb\"]", "71: control character in a string" },
    { NULL, NULL }
};


static judge_rc_e
read_pieces(judge_arena_t *a, judge_str_t text, size_t piece,
    judge_json_t **root, judge_str_t *error)
{
    char                 *copy;
    size_t                n;
    judge_rc_e            rc;
    judge_json_parser_t  *p;

    p = judge_json_parser_create(a);
    rc = JUDGE_OK;

    while (text.len > 0 && rc == JUDGE_OK) {
        n = piece < text.len ? piece : text.len;

        /* on the heap and gone afterwards, for ASan to see */
        copy = malloc(n);
        memcpy(copy, text.data, n);
        rc = judge_json_parser_feed(p, copy, n);
        free(copy);

        text.data += n;
        text.len -= n;
    }

    if (rc == JUDGE_OK) {
        rc = judge_json_parser_finish(p, root);
    }

    *error = judge_json_parser_error(p);
    judge_json_parser_free(p);

    return rc;
}


static judge_str_t
written(judge_arena_t *a, const judge_json_t *v)
{
    judge_buf_t          b;
    judge_json_writer_t  w;

    judge_buf_init(&b, a);
    judge_json_begin(&w, &b);
    judge_json_value(&w, v);

    if (judge_json_finish(&w) != JUDGE_OK) {
        return (judge_str_t) { 0, NULL };
    }

    return judge_buf_view(&b);
}


static void
test_rows(const row_t *row, judge_rc_e want)
{
    size_t                i;
    judge_rc_e            rc;
    judge_str_t           error, text, result;
    judge_json_t         *root;
    judge_arena_t        *a;
    static const size_t   pieces[] = { SIZE_MAX, 1, 2, 3, 5 };

    for (/* void */; row->text != NULL; row++) {
        text = judge_str_c(row->text);

        for (i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
            a = judge_arena_create(0);
            root = NULL;
            rc = read_pieces(a, text, pieces[i], &root, &error);

            if (rc == JUDGE_OK) {
                result = written(a, root);

            } else {
                result = judge_str_starts(error, JUDGE_STR("invalid JSON at "
                                                           "byte "))
                         ? (judge_str_t) { error.len - 21, error.data + 21 }
                         : error;
            }

            t_ok(rc == want,
                 "%s in pieces of %zd has its code", row->text,
                 (ssize_t) pieces[i]);
            t_is_str(result, row->want, "%s in pieces of %zd", row->text,
                     (ssize_t) pieces[i]);
            judge_arena_destroy(a);
        }
    }
}


static void
test_tree(void)
{
    judge_str_t     error;
    judge_json_t   *root, *v;
    judge_arena_t  *a;

    a = judge_arena_create(0);
    error = (judge_str_t) { 0, NULL };

    t_is_int(judge_json_parse(a, JUDGE_STR("{\"i\":5,\"n\":1.5,\"s\":\"x\","
                                           "\"a\":[1,2],\"b\":true}"),
                              &root, &error), JUDGE_OK,
             "an object can be parsed");
    t_is_int((int64_t) root->count, 5, "an object counts its members");
    t_is_int(judge_json_get(root, "i")->integer, 5,
             "an integer is read as such");
    t_ok(judge_json_double(judge_json_get(root, "i")) == 5,
         "an integer can be read as a double");
    t_ok(judge_json_double(judge_json_get(root, "n")) == 1.5,
         "a number with a fraction is read as a double");
    t_is_str(judge_json_get(root, "s")->string, "x",
             "a string is read without its quotes");
    t_is_str(judge_json_get(root, "s")->key, "s", "a member has its key");
    t_ok(judge_json_double(judge_json_get(root, "s")) == 0,
         "a string is no number");

    v = judge_json_get(root, "a");
    t_is_int((int64_t) v->count, 2, "an array counts its elements");
    t_is_int(v->first->next->integer, 2,
             "the second element follows the first");
    t_ok(v->last == v->first->next && v->last->next == NULL,
         "the second element is the array's last");
    t_is_str(v->first->key, NULL, "an element has no key");
    t_ok(judge_json_get(v, "x") == NULL, "an array has no member by a key");
    t_ok(judge_json_get(root, "I") == NULL,
         "a key in other letters finds no member");
    t_ok(judge_json_get(NULL, "I") == NULL,
         "a value that is absent has no members");
    t_is_str(judge_str_c(judge_json_type_name(v->type)), "an array",
             "the type of an array is called so in sentences");

    t_is_int(judge_json_parse(a, JUDGE_STR("["), &root, NULL), JUDGE_INVALID,
             "error may be NULL");

    judge_arena_destroy(a);
}


static void
test_depth(void)
{
    char            text[256];
    int             depth;
    judge_str_t     error;
    judge_json_t   *root;
    judge_arena_t  *a;

    a = judge_arena_create(0);

    for (depth = JUDGE_JSON_DEPTH; depth <= JUDGE_JSON_DEPTH + 1; depth++) {
        memset(text, '[', (size_t) depth);
        memset(text + depth, ']', (size_t) depth);

        t_is_int(judge_json_parse(a, (judge_str_t) { (size_t) depth * 2,
                                                     text }, &root, &error),
                 depth > JUDGE_JSON_DEPTH ? JUDGE_INVALID : JUDGE_OK,
                 "nesting %d deep is taken up to the limit only", depth);
    }

    t_is_str(error, "invalid JSON at byte 65: too deep",
             "the error says at which byte it is too deep");
    judge_arena_destroy(a);
}


/*
 * yajl copies the first token of every piece but the first: once a long one
 * crashed there.
 */

static void
test_long(void)
{
    size_t               i, n, len;
    judge_buf_t          b;
    judge_str_t          error;
    judge_json_t        *root;
    judge_arena_t       *a;
    static const char   *parts[] = { "x", "\xe4\xb8\xad", "\\n", "\\u00e4" };
    static const size_t  lens[] = { 1, 1, 1, 2 };
    static const size_t  pieces[] = { 7, 9, 1000, 2100, 8191, 40000 };

    for (i = 0; i < 4; i++) {
        for (n = 0; n < 6; n++) {
            a = judge_arena_create(0);
            judge_buf_init(&b, NULL);
            judge_buf_c(&b, "[ \"");

            for (len = 0; len < 30000; len++) {
                judge_buf_c(&b, parts[i]);

                if (len == 3000) {
                    judge_buf_c(&b, "\",1234567890 ,\"");
                }
            }

            judge_buf_c(&b, "\" ]");

            t_is_int(read_pieces(a, judge_buf_view(&b), pieces[n], &root,
                                 &error), JUDGE_OK,
                     "long strings of %s in pieces of %zu", parts[i],
                     pieces[n]);
            t_is_int((int64_t) root->last->string.len,
                     (int64_t) (26999 * (i == 1 ? 3 : lens[i])),
                     "a long string of %s has all its bytes in pieces of %zu",
                     parts[i], pieces[n]);

            judge_buf_free(&b);
            judge_arena_destroy(a);
        }
    }
}


/* So is a long number that begins a piece; yajl gets another in its place. */

static void
test_digits(void)
{
    size_t               n;
    judge_buf_t          b;
    judge_str_t          error;
    judge_json_t        *root;
    judge_arena_t       *a;
    static const size_t  pieces[] = { SIZE_MAX, 1, 2, 900, 2100 };

    a = judge_arena_create(0);
    judge_buf_init(&b, NULL);
    judge_buf_c(&b, "[\"a\", 0.5");

    for (n = 0; n < 5000; n++) {
        judge_buf_c(&b, "0");
    }

    judge_buf_c(&b, ",\"" LONG "\",7]");

    for (n = 0; n < 5; n++) {
        t_is_int(read_pieces(a, judge_buf_view(&b), pieces[n], &root, &error),
                 JUDGE_OK, "a number of 5,000 digits in pieces of %zd is read",
                 (ssize_t) pieces[n]);
        t_is_str(written(a, root), "[\"a\",0.5,\"" LONG "\",7]",
                 "what follows it in pieces of %zd is read, too",
                 (ssize_t) pieces[n]);
    }

    judge_buf_free(&b);
    judge_arena_destroy(a);
}


static double
seconds(void)
{
    struct timespec  ts;

    (void) clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);

    return (double) ts.tv_sec + (double) ts.tv_nsec / 1e9;
}


/* Input that is meant to hurt; limits are wide, for slow machines. */

static void
test_hostile(void)
{
    int             i;
    double          start;
    judge_str_t     error;
    judge_buf_t     b;
    judge_json_t   *root;
    judge_arena_t  *a;

    a = judge_arena_create(0);
    judge_buf_init(&b, NULL);
    judge_buf_c(&b, "{\"k0\":0");

    for (i = 1; i < 100000; i++) {
        judge_buf_printf(&b, ",\"k%d\":0", i);
    }

    judge_buf_c(&b, "}");
    start = seconds();
    t_is_int(judge_json_parse(a, judge_buf_view(&b), &root, NULL), JUDGE_OK,
             "an object of 100,000 keys is parsed");
    t_ok(seconds() - start < 2,
         "100,000 keys are parsed in less than two seconds");
    t_is_int((int64_t) root->count, 100000, "all 100,000 keys are there");

    b.len--;
    judge_buf_c(&b, ",\"k77777\":1}");
    t_is_int(judge_json_parse(a, judge_buf_view(&b), &root, &error),
             JUDGE_INVALID, "one of 100,000 keys twice is refused");
    judge_buf_free(&b);

    /* a string of 4 MB with escapes in pieces of 64 bytes */

    judge_buf_c(&b, "[\"");

    for (i = 0; i < 400000; i++) {
        judge_buf_c(&b, "abc\\n\\u00e4");
    }

    judge_buf_c(&b, "\"]");
    start = seconds();
    t_is_int(read_pieces(a, judge_buf_view(&b), 64, &root, &error), JUDGE_OK,
             "a long string in small pieces is parsed");
    t_ok(seconds() - start < 2,
         "a long string is parsed in less than two seconds");
    t_is_int((int64_t) root->first->string.len, 2400000,
             "a long string has all its bytes");
    judge_buf_free(&b);

    /* digits without end, byte by byte */

    judge_buf_c(&b, "[1");

    for (i = 0; i < 300000; i++) {
        judge_buf_c(&b, "0");
    }

    start = seconds();
    t_is_int(read_pieces(a, judge_buf_view(&b), 1, &root, &error),
             JUDGE_INVALID, "a number without an end is refused");
    t_ok(seconds() - start < 2,
         "a number without an end is refused in less than two seconds");
    judge_buf_free(&b);

    judge_arena_destroy(a);
}


typedef struct {
    judge_json_parser_t  *parser;
    judge_buf_t           seen;
    size_t                stop;        /* at this item */
    judge_rc_e            with;
    bool                  say;
} items_t;


static judge_rc_e
on_item(void *data, judge_json_t *item, size_t index)
{
    items_t         *t;
    judge_arena_t   *a;

    t = data;

    if (index == t->stop) {
        if (t->say) {
            judge_json_parser_fail(t->parser, JUDGE_STR("items[2]: no"));
        }

        return t->with;
    }

    a = judge_arena_create(0);
    judge_buf_printf(&t->seen, "%zu=%.*s;", index,
                     (int) written(a, item).len, written(a, item).data);
    judge_arena_destroy(a);

    return JUDGE_OK;
}


static judge_rc_e
read_items(judge_arena_t *a, items_t *t, const char *text,
    judge_json_t **root)
{
    judge_rc_e  rc;

    judge_buf_init(&t->seen, a);
    t->parser = judge_json_parser_create(a);
    judge_json_parser_items(t->parser, "items", on_item, t);

    rc = judge_json_parser_feed(t->parser, text, strlen(text));

    if (rc == JUDGE_OK) {
        rc = judge_json_parser_finish(t->parser, root);
    }

    return rc;
}


static void
test_items(void)
{
    size_t          i;
    items_t         t;
    judge_json_t   *root;
    judge_arena_t  *a;
    static const struct {
        const char  *text, *seen, *tree;
    } rows[] = {
        { "{\"a\":1,\"items\":[1,{\"items\":[2]},[3,[4]],\"x\",null],"
          "\"b\":2}",
          "0=1;1={\"items\":[2]};2=[3,[4]];3=\"x\";4=null;",
          "{\"a\":1,\"items\":[],\"b\":2}" },
        { "{\"items\":[]}", "", "{\"items\":[]}" },
        { "{\"items\":{\"items\":[1]}}", "", "{\"items\":{\"items\":[1]}}" },
        { "[{\"items\":[1]}]", "", "[{\"items\":[1]}]" },
        { "[[1]]", "", "[[1]]" },
        { "{\"x\":[1],\"items\":3}", "", "{\"x\":[1],\"items\":3}" }
    };

    a = judge_arena_create(0);

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t = (items_t) { .stop = SIZE_MAX };
        t_is_int(read_items(a, &t, rows[i].text, &root), JUDGE_OK,
                 "text %zu is parsed with its items given away", i);
        t_is_str(judge_buf_view(&t.seen), rows[i].seen,
                 "the items of text %zu were seen in order", i);
        t_is_str(written(a, root), rows[i].tree,
                 "the tree of text %zu is what the items leave", i);
        judge_json_parser_free(t.parser);
    }

    t = (items_t) { .stop = 2, .with = JUDGE_INVALID, .say = true };
    t_is_int(read_items(a, &t, "{\"items\":[1,2,3,4]}", &root),
             JUDGE_INVALID, "a handler that refuses ends the parsing");
    t_is_str(judge_json_parser_error(t.parser), "items[2]: no",
             "a handler that refuses says which item it was, and why");
    t_is_str(judge_buf_view(&t.seen), "0=1;1=2;",
             "a handler that refused gets no more items");
    t_is_int(judge_json_parser_feed(t.parser, "1", 1), JUDGE_INVALID,
             "a parser whose handler refused takes no more text");
    t_is_int(judge_json_parser_finish(t.parser, &root), JUDGE_INVALID,
             "a parser whose handler refused gives no tree");
    judge_json_parser_free(t.parser);

    t = (items_t) { .stop = 1, .with = JUDGE_BUSY };
    t_is_int(read_items(a, &t, "{\"items\":[1,[],3,4]}", &root), JUDGE_BUSY,
             "a handler that fails otherwise ends the parsing with its code");
    judge_json_parser_free(t.parser);
    judge_json_parser_free(NULL);

    judge_arena_destroy(a);
}


/* Short values cost memory, too. */

static void
test_many(void)
{
    char           *text;
    size_t          i, n;
    judge_str_t     error;
    judge_json_t   *root;
    judge_arena_t  *a;

    n = JUDGE_JSON_VALUES;             /* the array is one of them */
    text = malloc(2 * n + 2);
    a = judge_arena_create(4096);
    if (text == NULL || a == NULL) {
        t_ok(false, "there is memory for the test");
        return;
    }

    for (i = 0; i < n; i++) {
        text[2 * i] = i ? ',' : '[';
        text[2 * i + 1] = '0';
    }
    text[2 * n] = ']';

    t_is_int(judge_json_parse(a, (judge_str_t) { 2 * n + 1, text }, &root,
                              &error),
             JUDGE_INVALID, "an array of too many values is refused");
    t_ok(strstr(error.data, ": too many values") != NULL,
         "the error says that there are too many values");

    text[2 * n - 2] = ']';
    t_is_int(judge_json_parse(a, (judge_str_t) { 2 * n - 1, text }, &root,
                              &error),
             JUDGE_OK, "an array of one value fewer is parsed");
    judge_arena_destroy(a);
    free(text);
}


int
main(void)
{
    test_rows(good, JUDGE_OK);
    test_rows(bad, JUDGE_INVALID);
    test_tree();
    test_depth();
    test_long();
    test_digits();
    test_hostile();
    test_items();
    test_many();

    return t_done();
}
