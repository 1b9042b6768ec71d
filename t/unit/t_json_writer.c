/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The JSON writer. */


#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "tap.h"


static void
test_document(judge_arena_t *a)
{
    judge_buf_t          b;
    judge_json_writer_t  w;

    judge_buf_init(&b, a);
    judge_json_begin(&w, &b);
    judge_json_object(&w);
    judge_json_put_str(&w, "s", JUDGE_STR("x\"\\\n\x01/\xc3\xa4"));
    judge_json_put_str(&w, "absent", (judge_str_t) { 0, NULL });
    judge_json_put_str(&w, "empty", JUDGE_STR(""));
    judge_json_put_c(&w, "c", "text");
    judge_json_put_c(&w, "no", NULL);
    judge_json_put_int(&w, "i", INT64_MIN);
    judge_json_put_number(&w, "n", 0.1);
    judge_json_put_number2(&w, "n2", 87.504);
    judge_json_put_number2(&w, "unknown", (double) NAN);
    judge_json_put_bool(&w, "b", false);
    judge_json_put_time(&w, "t", 1769851800123);
    judge_json_put_raw(&w, "raw", JUDGE_STR("{\"a\": [1]}"));
    judge_json_put_raw(&w, "raw0", (judge_str_t) { 0, NULL });
    judge_json_key(&w, "list");
    judge_json_array(&w);
    judge_json_null(&w);
    judge_json_bool(&w, true);
    judge_json_raw(&w, JUDGE_STR("[]"));
    judge_json_array_end(&w);
    judge_json_object_end(&w);

    t_is_int(judge_json_finish(&w), JUDGE_OK,
             "a document with each type of value is finished");
    t_is_str(judge_buf_view(&b),
             "{\"s\":\"x\\\"\\\\\\n\\u0001/\xc3\xa4\",\"empty\":\"\","
             "\"c\":\"text\",\"i\":-9223372036854775808,\"n\":0.1,"
             "\"n2\":87.5,\"b\":false,\"t\":\"2026-01-31T09:30:00.123Z\","
             "\"raw\":{\"a\": [1]},\"list\":[null,true,[]]}",
             "each type of value is written as JSON has it");
}


/* Eight bytes are looked at together: a string of each length has what is to
 * be escaped at each of its places. */

static void
test_places(judge_arena_t *a)
{
    char         text[24], wanted[64];
    size_t       i, k, len, wrong;
    judge_str_t  s, out;
    const char  *as;

    wrong = 0;
    as = "";

    for (len = 1; len < 20; len++) {
        for (i = 0; i < 4 * len; i++) {
            memset(text, 'x', sizeof(text));
            k = i % len;
            text[k] = "\"\t\x80\x7f"[i / len];
            as = ((const char *[]) { "\\\"", "\\t", "\xef\xbf\xbd", "\x7f" })
                 [i / len];
            s = (judge_str_t) { len, text };
            out = judge_json_strings_text(a, &s, 1);
            (void) snprintf(wanted, sizeof(wanted), "[\"%.*s%s%.*s\"]",
                            (int) k, text, as, (int) (len - k - 1),
                            text + k + 1);
            wrong += !judge_str_eq_c(out, wanted);
        }
    }

    t_is_int((int64_t) wrong, 0,
             "all that needs it is escaped at each place of short strings");
}


static void
test_utf8(judge_arena_t *a)
{
    size_t               i;
    judge_buf_t          b;
    judge_json_writer_t  w;
    static const struct {
        const char  *text, *want;
    } rows[] = {
        { "\xff", "\"\xef\xbf\xbd\"" },
        { "a\xc3", "\"a\xef\xbf\xbd\"" },
        { "a\xc3z", "\"a\xef\xbf\xbdz\"" },
        { "\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
        { "\xf0\x9f\x98\x80\x80", "\"\xf0\x9f\x98\x80\xef\xbf\xbd\"" }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        judge_buf_init(&b, i % 2 ? a : NULL);
        judge_json_begin(&w, &b);
        judge_json_str(&w, judge_str_c(rows[i].text));
        t_is_int(judge_json_finish(&w), JUDGE_OK,
                 "a string that is not UTF-8 is written, row %zu", i);
        t_is_str(judge_buf_view(&b), rows[i].want,
                 "bytes that are not UTF-8 are replaced, row %zu", i);
        judge_buf_free(&b);
    }
}


/* Each byte of ASCII at each place of nine is read back; so deep at most. */

static void
test_bytes(judge_arena_t *a)
{
    char                 text[] = "123456789";
    size_t               i, k, wrong;
    judge_str_t          s = { 9, text };
    judge_buf_t          b;
    judge_json_t        *root;
    judge_json_writer_t  w;

    for (wrong = 0, i = 0; i < 9 * 128; i++) {
        memset(text, 'x', 9);
        text[i % 9] = (char) (i / 9);
        judge_buf_init(&b, a);
        judge_json_begin(&w, &b);
        judge_json_str(&w, s);
        wrong += judge_json_finish(&w) != JUDGE_OK
                 || judge_json_parse(a, judge_buf_view(&b), &root, NULL)
                    != JUDGE_OK
                 || !judge_str_eq(root->string, s);
    }

    t_is_int((int64_t) wrong, 0,
             "all bytes of ASCII are read back as they were written");

    for (k = JUDGE_JSON_WRITES - 1; k <= JUDGE_JSON_WRITES; k++) {
        judge_buf_init(&b, a);
        judge_json_begin(&w, &b);
        for (i = 0; i < k; i++) {
            judge_json_array(&w);
        }
        for (i = 0; i < k; i++) {
            judge_json_array_end(&w);
        }
        t_is_int(judge_json_finish(&w),
                 k < JUDGE_JSON_WRITES ? JUDGE_OK : JUDGE_ERROR,
                 "a document %zu deep is written if that is not too deep", k);
    }
}


/* What a caller can get wrong is found at the end. */

static void
test_misuse(judge_arena_t *a)
{
    size_t       i;
    judge_rc_e   rc;
    static const struct {
        const char  *name, *calls;
        judge_rc_e   want;
    } rows[] = {
        { "nothing at all", "", JUDGE_ERROR },
        { "an open object", "{", JUDGE_ERROR },
        { "an open array", "[1", JUDGE_ERROR },
        { "a key without a value", "{k}", JUDGE_ERROR },
        { "a value without a key", "{1}", JUDGE_ERROR },
        { "two values", "11", JUDGE_ERROR },
        { "an object that ends as an array", "{]", JUDGE_ERROR },
        { "an end of nothing", "}", JUDGE_ERROR },
        { "infinity", "i", JUDGE_ERROR },
        { "empty raw text", "[r]", JUDGE_ERROR },
        { "a failed buffer", "[f]", JUDGE_NOMEM },
        { "nothing wrong", "[1{k1}]", JUDGE_OK }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        judge_buf_t          b;
        const char          *c;
        judge_json_writer_t  w;

        judge_buf_init(&b, a);
        judge_json_begin(&w, &b);

        for (c = rows[i].calls; *c; c++) {
            switch (*c) {
            case '{': judge_json_object(&w); break;
            case '}': judge_json_object_end(&w); break;
            case '[': judge_json_array(&w); break;
            case ']': judge_json_array_end(&w); break;
            case '1': judge_json_int(&w, 1); break;
            case 'k': judge_json_key_str(&w, JUDGE_STR("k")); break;
            case 'i': judge_json_number(&w, INFINITY); break;
            case 'r': judge_json_raw(&w, JUDGE_STR("")); break;
            case 'f': b.failed = true; break;
            }
        }

        rc = judge_json_finish(&w);
        t_is_int(rc, rows[i].want, "%s", rows[i].name);
    }
}


int
main(void)
{
    judge_arena_t  *a;

    a = judge_arena_create(0);

    test_document(a);
    test_bytes(a);
    test_places(a);
    test_utf8(a);
    test_misuse(a);

    judge_arena_destroy(a);

    return t_done();
}
