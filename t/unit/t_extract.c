/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Texts out of bodies, however they are cut into pieces. */


#include <string.h>
#include <zlib.h>

#include "extensions/traffic/extract.h"
#include "tap.h"


#define CHAT(text)  "data: {\"choices\":[{\"index\":0,\"delta\":" \
                    "{\"content\":\"" text "\"}}]}\n\n"

static judge_arena_t  *arena;
static const char     *type = "multipart/form-data; boundary=x";


/* The text, or the reason why there is none. */

static judge_str_t
extract_as(judge_extract_kind_e kind, const char *format, bool request,
    const char *coding, judge_str_t body, size_t piece)
{
    size_t           i, n;
    judge_str_t      text;
    judge_arena_t   *scratch = judge_arena_create(4096);
    judge_extract_t  e = { .type = judge_str_c(type), .request = request,
                           .passing = JUDGE_STR("image/*") };

    if (!judge_extract_formats(arena, judge_str_c(format), &e.formats)) {
        t_ok(false, "the format can be read: %s", format);
    }

    judge_extract_begin(&e, kind, judge_str_c(coding), 1000);

    for (i = 0; i < body.len; i += n) {
        n = body.len - i < piece ? body.len - i : piece;
        judge_extract_feed(&e, scratch, body.data + i, n);
    }

    judge_extract_finish(&e, scratch);
    text = e.skip == JUDGE_SKIP_NONE
           ? judge_str_dup(arena, judge_buf_view(&e.text))
           : judge_str_printf(arena, "(%s)", judge_skip_name(e.skip));
    judge_extract_free(&e);
    judge_arena_destroy(scratch);

    return text;
}


static void
test_bodies(void)
{
    size_t  i;
    static const struct {
        judge_extract_kind_e  kind;
        const char           *format, *body, *text;
        bool                  request;
    } rows[] = {
        { JUDGE_EXTRACT_TEXT, "auto", "Plain.", "Plain.", false },
        { JUDGE_EXTRACT_TEXT, "auto", "caf\xe9 au lait", "caf\xc3\xa9 au lait",
          false },
        { JUDGE_EXTRACT_TEXT, "auto", " \n", "(no_text)", false },
        { JUDGE_EXTRACT_TEXT, "auto", "\x7f" "ELF\x01\x02\x03\x04",
          "(binary)", false },
        { JUDGE_EXTRACT_TEXT, "auto", "+/v8-Plain.", "(unsupported_charset)",
          false },
        { JUDGE_EXTRACT_JSON, "auto",
          "{\"choices\":[{\"message\":{\"content\":\"Chat.\"}}]}", "Chat.",
          false },
        { JUDGE_EXTRACT_JSON, "auto",
          "{\"output\":[{\"type\":\"reasoning\",\"summary\":[]},{\"content\":"
          "[{\"text\":\"Two \"},{\"text\":\"parts.\"}]}]}", "Two parts.",
          false },
        { JUDGE_EXTRACT_JSON, "anthropic-messages",
          "{\"content\":[{\"type\":\"thinking\",\"thinking\":\"Hm.\"},"
          "{\"type\":\"text\",\"text\":\"Claude's.\"}]}", "Hm.\nClaude's.",
          false },
        { JUDGE_EXTRACT_JSON, "$.a.b[1]", "{\"a\":{\"b\":[\"x\",\"y\"]}}",
          "y", false },
        { JUDGE_EXTRACT_JSON, "$.a", "{\"b\":1}", "(no_text)", false },
        { JUDGE_EXTRACT_JSON, "$.a", "{\"a\":", "(malformed)", false },
        { JUDGE_EXTRACT_JSON, "openai-chat",
          "{\"messages\":[{\"role\":\"user\",\"content\":\"First\"},"
          "{\"role\":\"assistant\",\"content\":\"No\"},{\"role\":\"user\","
          "\"content\":[{\"type\":\"text\",\"text\":\"Last\"}]}]}", "Last",
          true },
        { JUDGE_EXTRACT_JSON, "openai-responses", "{\"input\":\"Ask\"}",
          "Ask", true },
        { JUDGE_EXTRACT_JSON, "auto", "{\"input\":[{\"role\":\"user\","
          "\"content\":\"Ask\"},{\"type\":\"function_call_output\","
          "\"output\":\"1\"}]}", "Ask", true },
        { JUDGE_EXTRACT_JSON, "auto", "{\"input\":[{\"role\":\"user\","
          "\"content\":\"Ask\"},{\"type\":\"message\",\"content\":\"B\"}]}",
          "(malformed)", true },
        { JUDGE_EXTRACT_JSON, "auto", "{\"input\":\"Ask\",\"messages\":[]}",
          "(malformed)", true },
        { JUDGE_EXTRACT_JSON, "auto", "{\"input\":\"Ask\",\"Input\":\"B\"}",
          "(malformed)", true },
        { JUDGE_EXTRACT_JSON, "auto", "{\"input\":\"Ask\",\"prompt\":\"B\"}",
          "(malformed)", true },
        { JUDGE_EXTRACT_JSON, "auto", "{\"prompt\":\"Ask\"}", "(no_text)",
          true },
        { JUDGE_EXTRACT_JSON, "auto", "[\"Ask\"]", "(no_text)", true },
        { JUDGE_EXTRACT_JSON, "auto", "{\"messages\":[{\"role\":\"user\","
          "\"content\":\"A\"},{\"role\":\"User\",\"content\":\"B\"}]}",
          "(malformed)", true },
        { JUDGE_EXTRACT_JSON, "auto", "{\"contents\":[{\"role\":\"user\","
          "\"parts\":[{\"text\":\"A\"}]},{\"parts\":[{\"text\":\"B\"}]}]}",
          "(malformed)", true },
        { JUDGE_EXTRACT_JSON, "auto", "{\"contents\":[{\"parts\":["
          "{\"text\":\"A\"},{\"text\":\"B\"}]}]}", "AB", true },
        { JUDGE_EXTRACT_JSON, "auto", "{\"messages\":[\"A\",{\"role\":"
          "\"user\",\"content\":\"B\"}]}", "(malformed)", true },
        { JUDGE_EXTRACT_EVENTS, "auto",
          CHAT("One ") ": a comment\n\n" CHAT("two.") "data: [DONE]\n\n",
          "One two.", false },
        { JUDGE_EXTRACT_EVENTS, "openai-chat",
          "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"B\"}}]}"
          "\r\n\r\n" CHAT("A") "data: [DONE]\n\n", "B\nA", false },
        { JUDGE_EXTRACT_EVENTS, "openai-chat", CHAT("One "), "(cut_off)",
          false },
        { JUDGE_EXTRACT_EVENTS, "auto", "data: {\n\n", "(malformed)", false },
        { JUDGE_EXTRACT_EVENTS, "auto",
          "event: response.output_text.delta\n"
          "data: {\"type\":\"response.output_text.delta\",\"delta\":\"R\"}\n\n"
          "data: {\"type\":\"response.function_call_arguments.delta\","
          "\"delta\":\"no\"}\n\n"
          "data: {\"type\":\"response.output_text.done\",\"text\":\"R\"}\n\n"
          "data: {\"type\":\"response.completed\"}\n\n", "R\nno", false },
        { JUDGE_EXTRACT_EVENTS, "auto",
          "data: {\"type\":\"response.output_text.delta\",\"delta\":\"R\"}\n\n"
          "data: {\"type\":\"response.completed\",\"response\":{\"output\":"
          "[{\"content\":[{\"type\":\"output_text\",\"text\":\"S\"}]}]}}\n\n",
          "R\nS", false },
        { JUDGE_EXTRACT_EVENTS, "auto",
          "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"on\"}},"
          "{\"index\":1,\"delta\":{\"reasoning_content\":\"tw\"}}]}\n\n"
          "data: {\"choices\":[{\"index\":1,\"delta\":{\"reasoning_content\":"
          "\"o\"}}]}\n\n" CHAT("e") "data: [DONE]\n\n", "one\ntwo", false },
        { JUDGE_EXTRACT_EVENTS, "auto",
          "data: {\"candidates\":[{\"content\":{\"parts\":["
          "{\"text\":\"Goo\"}],"
          "\"role\":\"model\"},\"index\":0}]}\n\n"
          "data: {\"candidates\":[{\"content\":{\"parts\":["
          "{\"text\":\"gle\"}]},"
          "\"finishReason\":\"STOP\",\"index\":0}]}\n\n", "Google", false },
        { JUDGE_EXTRACT_JSON, "auto",
          "[{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Goo\"}]}}]},"
          "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"gle\"},"
          "{\"functionCall\":{\"name\":\"f\",\"args\":{\"a\":[\"b\"]}}}]}}]}]",
          "Google\na\nb", false },
        { JUDGE_EXTRACT_JSON, "google-generate",
          "{\"contents\":[{\"role\":\"user\",\"parts\":["
          "{\"text\":\"Ask\"}]}]}",
          "Ask", true },
        { JUDGE_EXTRACT_JSON, "auto",
          "{\"choices\":[{\"message\":{\"content\":\"A\"}}],\"output\":[]}",
          "(malformed)", false },
        { JUDGE_EXTRACT_EVENTS, "auto",
          "event: content_block_delta\n"
          "data: {\"type\":\"content_block_delta\",\ndata: \"delta\":"
          "{\"type\":\"text_delta\",\"text\":\"C\"}}\n\n"
          "data: {\"type\":\"message_stop\"}\n\n", "C", false },
        { JUDGE_EXTRACT_EVENTS, "$.t", "data: {\"t\":\"own\"}\n\n", "own",
          false },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        size_t       piece;
        judge_str_t  text;

        for (piece = 1; piece < 200; piece += 66) {
            text = extract_as(rows[i].kind, rows[i].format, rows[i].request,
                              "", judge_str_c(rows[i].body), piece);
            t_is_str(text, rows[i].text,
                     "row %zu has its text in pieces of %zu bytes", i, piece);
        }
    }
}


static judge_str_t
compressed(judge_str_t body, int bits)
{
    char      *out = judge_alloc(arena, 4096);
    z_stream   z = { 0 };

    (void) deflateInit2(&z, 9, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY);
    z.next_in = (Bytef *) (uintptr_t) body.data;
    z.avail_in = (uInt) body.len;
    z.next_out = (Bytef *) out;
    z.avail_out = 4096;
    (void) deflate(&z, Z_FINISH);
    (void) deflateEnd(&z);

    return (judge_str_t) { z.total_out, out };
}


/* The identifier that a provider gives its answer. */

static void
test_ids(void)
{
    size_t           i;
    judge_arena_t   *scratch = judge_arena_create(4096);
    judge_extract_t  e, so_far;
    static const struct {
        const char  *body, *id;
        bool         events;
    } rows[] = {
        { "{\"id\":\"chatcmpl-1\",\"choices\":[{\"id\":\"a\"}]}",
          "chatcmpl-1", false },
        { "{\"output\":[{\"id\":\"msg\"}],\"id\":\"resp_1\"}", "resp_1",
          false },
        { "{\"id\":\"msg_1\",\"content\":[]}", "msg_1", false },
        { "{\"responseId\":\"g\",\"candidates\":[]}", "g", false },
        { "[{\"id\":\"a\",\"choices\":[]},{\"id\":\"b\",\"choices\":[]}]", "a",
          false },
        { "{\"id\":\"x\"}", "", false },
        { "{\"id\":7,\"choices\":[]}", "", false },
        { "data: {\"id\":\"\",\"choices\":[]}\n\n"
          "data: {\"id\":\"chatcmpl-1\",\"choices\":[]}\n\n"
          "data: {\"id\":\"chatcmpl-2\",\"choices\":[]}\n\n", "chatcmpl-1",
          true },
        { "data: {\"type\":\"response.created\",\"response\":"
          "{\"id\":\"resp_1\"}}\n\n", "resp_1", true },
        { "data: {\"type\":\"response.output_text.delta\",\"id\":\"item\"}\n\n"
          , "", true },
        { "data: {\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\"}}"
          "\n\n", "msg_1", true },
        { "data: {\"type\":\"content_block_start\",\"content_block\":{\"id\":"
          "\"toolu_1\"}}\n\n", "", true },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        e = (judge_extract_t) { .nfields = 0 };
        (void) judge_extract_formats(arena, JUDGE_STR("auto"), &e.formats);
        judge_extract_begin(&e, rows[i].events ? JUDGE_EXTRACT_EVENTS
                                               : JUDGE_EXTRACT_JSON,
                            JUDGE_STR(""), 1000);
        judge_extract_feed(&e, scratch, rows[i].body, strlen(rows[i].body));
        judge_extract_snapshot(&e, &so_far);
        judge_extract_finish(&e, scratch);
        t_is_str((judge_str_t) { e.id_len, e.id }, rows[i].id,
                 "the identifier of the answer is found in row %zu", i);
        t_is_str((judge_str_t) { so_far.id_len, so_far.id },
                 rows[i].events ? rows[i].id : "",
                 "of an answer in events it is known before the end, row %zu",
                 i);
        judge_extract_free(&so_far);
        judge_extract_free(&e);
    }

    judge_arena_destroy(scratch);
}


static void
test_compressed(void)
{
    judge_str_t  events = judge_str(CHAT("In ") CHAT("gzip.")
                                    "data: [DONE]\n\n");
    judge_str_t  plain = judge_str("A plain text."), body;
    char         zeros[5000];

    body = compressed(plain, 31);
    t_is_str(extract_as(JUDGE_EXTRACT_TEXT, "auto", false, "gzip", body, 3),
             "A plain text.", "text in gzip is read");
    body.len--;
    t_is_str(extract_as(JUDGE_EXTRACT_TEXT, "auto", false, "gzip", body, 99),
             "(cut_off)", "gzip that is cut off is told so");
    t_is_str(extract_as(JUDGE_EXTRACT_TEXT, "auto", false, "gzip", plain, 99),
             "(malformed)", "what is said to be gzip and is not is malformed");
    t_is_str(extract_as(JUDGE_EXTRACT_TEXT, "auto", false, "deflate",
                        compressed(plain, 15), 5),
             "A plain text.", "text in deflate is read");
    t_is_str(extract_as(JUDGE_EXTRACT_TEXT, "auto", false, "deflate",
                        compressed(plain, -15), 5),
             "A plain text.", "text in deflate without its head is read");
    t_is_str(extract_as(JUDGE_EXTRACT_EVENTS, "auto", false, "gzip",
                        compressed(events, 31), 7),
             "In gzip.", "events in gzip are read");
    t_is_str(extract_as(JUDGE_EXTRACT_TEXT, "auto", false, "zstd", plain, 5),
             "(unsupported_encoding)",
             "a coding that is not known is not read");

    memset(zeros, ' ', sizeof(zeros));
    body = compressed((judge_str_t) { sizeof(zeros), zeros }, 31);
    t_is_str(extract_as(JUDGE_EXTRACT_TEXT, "auto", false, "gzip", body, 99),
             "(too_large)", "an inflated text that is large is not read");
    t_is_str(extract_as(JUDGE_EXTRACT_TEXT, "auto", false, "",
                        (judge_str_t) { 1001, zeros }, 999),
             "(too_large)", "a large text is not read");
}


/* Bytes behind an end: clients read gzip on, so that they count. */

static void
test_members(void)
{
    size_t       i, piece;
    judge_buf_t  b;
    judge_str_t  gzip = compressed(JUDGE_STR("A plain text."), 31);
    judge_str_t  zlib = compressed(JUDGE_STR("A plain text."), 15);
    judge_str_t  none = compressed(JUDGE_STR(""), 31);
    judge_str_t  one = compressed(JUDGE_STR(CHAT("One ")), 31);
    judge_str_t  two = compressed(JUDGE_STR(CHAT("two.")
                                            "data: [DONE]\n\n"), 31);
    judge_str_t  br = judge_str(
        "\033\014\000\370\245\134\202\122\020\105\026\051\024\322"
        "\171\025\001");
    const struct {
        judge_extract_kind_e  kind;
        const char           *coding;
        judge_str_t           parts[3];
        const char           *text;
    } rows[] = {
        { JUDGE_EXTRACT_TEXT, "gzip", { gzip, gzip, none },
          "A plain text.A plain text." },
        { JUDGE_EXTRACT_TEXT, "gzip", { none, gzip, gzip },
          "A plain text.A plain text." },
        { JUDGE_EXTRACT_TEXT, "gzip", { gzip, { gzip.len - 1, gzip.data } },
          "(cut_off)" },
        { JUDGE_EXTRACT_TEXT, "gzip", { gzip, JUDGE_STR("Casino") },
          "(malformed)" },
        { JUDGE_EXTRACT_TEXT, "deflate", { zlib, zlib }, "(malformed)" },
        { JUDGE_EXTRACT_TEXT, "br", { br, br }, "(malformed)" },
        { JUDGE_EXTRACT_EVENTS, "gzip", { one, none, two }, "One two." },
        { JUDGE_EXTRACT_EVENTS, "gzip", { one, two, JUDGE_STR("Casino") },
          "(malformed)" },
        { JUDGE_EXTRACT_EVENTS, "gzip", { one, none }, "(cut_off)" },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        judge_buf_init(&b, arena);
        judge_buf_str(&b, rows[i].parts[0]);
        judge_buf_str(&b, rows[i].parts[1]);
        if (rows[i].parts[2].data) {
            judge_buf_str(&b, rows[i].parts[2]);
        }

        for (piece = 1; piece < 1000; piece = piece * 3 + 1) {
            t_is_str(extract_as(rows[i].kind, "auto", false, rows[i].coding,
                                judge_buf_view(&b), piece),
                     rows[i].text,
                     "row %zu of members is read as clients do, by %zu", i,
                     piece);
        }
    }
}


static void
test_charsets(void)
{
    size_t  i;
    static const struct {
        const char    *type;
        judge_skip_e   skip;
    } rows[] = {
        { "text/plain", JUDGE_SKIP_NONE },
        { "text/plain; charset=utf-8;", JUDGE_SKIP_NONE },
        { "text/html; charset=\"UTF-16LE\"", JUDGE_SKIP_CHARSET },
        { "text/html;charset=windows-1252", JUDGE_SKIP_NONE },
        { "application/x+json", JUDGE_SKIP_NONE },
        { "text/plain; charset=UTF-7", JUDGE_SKIP_CHARSET },
        { "text/plain; charset=unicode-1-1-utf-7", JUDGE_SKIP_CHARSET },
        { "text/plain; a=b; charset=\"utf-32le\"", JUDGE_SKIP_CHARSET },
        { "text/plain; charset=ISO-10646-UCS-4", JUDGE_SKIP_CHARSET },
        { "text/plain; charset=csUTF32", JUDGE_SKIP_CHARSET },
        { "text/plain; charset=ebcdic-cp-us", JUDGE_SKIP_CHARSET },
        { "application/json; charset=latin1", JUDGE_SKIP_CHARSET },
        { "", JUDGE_SKIP_TYPE },
        { "application/x-json", JUDGE_SKIP_TYPE },
        { "text", JUDGE_SKIP_MALFORMED },
        { "text/plain, text/html", JUDGE_SKIP_MALFORMED },
        { "text/plain; charset", JUDGE_SKIP_MALFORMED },
        { "text/plain; charset=", JUDGE_SKIP_MALFORMED },
        { "text/plain; charset=\"", JUDGE_SKIP_MALFORMED },
        { "text/plain; charset=\"a\"b", JUDGE_SKIP_MALFORMED },
        { "text/plain; charset=\"a\\\"\"", JUDGE_SKIP_MALFORMED },
        { "text/plain; charset=\"a\x01\"", JUDGE_SKIP_MALFORMED },
        { "text/plain; charset=a; charset=b", JUDGE_SKIP_MALFORMED },
    };
    judge_extract_kind_e  kind;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_ok(judge_extract_kind(judge_str_c(rows[i].type), &kind)
             == rows[i].skip,
             "the type of a body is taken or not: %s", rows[i].type);
    }

    t_is_str(extract_as(JUDGE_EXTRACT_TEXT, "auto", false, "", (judge_str_t)
                        { 12, (char *) (uintptr_t) "\xff\xfe\0\0H\0\0\0"
                          "i\0\0\0" }, 5),
             "(unsupported_charset)",
             "a mark of UTF-32 with the little end first is not read as "
             "UTF-16");
    t_is_str(extract_as(JUDGE_EXTRACT_TEXT, "auto", false, "", (judge_str_t)
                        { 12, (char *) (uintptr_t) "\0\0\xfe\xff\0\0\0H"
                          "\0\0\0i" }, 5),
             "(unsupported_charset)",
             "a mark of UTF-32 with the big end first is not read, either");
    t_is_str(extract_as(JUDGE_EXTRACT_TEXT, "auto", false, "", (judge_str_t)
                        { 6, (char *) (uintptr_t) "\xff\xfeH\0i\0" }, 5),
             "(unsupported_charset)",
             "a mark of UTF-16 with the little end first is not read");
}


/* Made by the zlib of Node.js.  The last one asks for a window of 16 MB. */

static void
test_brotli(void)
{
    judge_str_t  plain = judge_str(
        "\033\014\000\370\245\134\202\122\020\105\026\051\024\322"
        "\171\025\001");
    judge_str_t  events = judge_str(
        "\213\040\200\144\141\164\141\072\040\173\042\143\150\157"
        "\151\143\145\163\042\072\133\173\042\144\145\154\164\141"
        "\042\072\173\042\143\157\156\164\145\156\164\042\072\042"
        "\111\156\040\142\162\056\042\175\175\135\175\012\012\144"
        "\141\164\141\072\040\133\104\117\116\105\135\012\012\003");
    judge_str_t  spaces = judge_str(
        "\033\207\023\370\045\100\342\261\100\040\150\001\000");
    judge_str_t  bomb = judge_str(
        "\237\377\377\377\370\045\100\342\261\100\040\367\376\037");
    judge_extract_t  e = { .request = false };

    t_is_str(extract_as(JUDGE_EXTRACT_TEXT, "auto", false, "br", plain, 3),
             "A plain text.", "text in Brotli is read");
    t_is_str(extract_as(JUDGE_EXTRACT_EVENTS, "auto", false, "BR", events, 7),
             "In br.",
             "events in Brotli are read, whatever the case of its name");
    plain.len--;
    t_is_str(extract_as(JUDGE_EXTRACT_TEXT, "auto", false, "br", plain, 99),
             "(cut_off)", "Brotli that is cut off is told so");
    t_is_str(extract_as(JUDGE_EXTRACT_TEXT, "auto", false, "br",
                        JUDGE_STR("A plain text."), 99),
             "(malformed)",
             "what is said to be Brotli and is not is malformed");
    t_is_str(extract_as(JUDGE_EXTRACT_TEXT, "auto", false, "br", spaces, 99),
             "(too_large)", "what is large once it is inflated is not read");
    t_is_str(extract_as(JUDGE_EXTRACT_TEXT, "auto", false, "br", bomb, 99),
             "(too_large)", "Brotli that asks for much memory is not read");

    judge_extract_begin(&e, JUDGE_EXTRACT_EVENTS, JUDGE_STR("br"), 1000);
    judge_extract_feed(&e, arena, bomb.data, bomb.len - 1);
    t_ok(judge_extract_size(&e) < 300000,
         "Brotli that asks for much memory does not get it");
    judge_extract_free(&e);
}


/* What passes of a request is what was read; JSON is cut everywhere. */

static void
test_anew(void)
{
    size_t           i;
    judge_extract_t  e;
    static const struct {
        judge_extract_kind_e   kind;
        const char            *body;
        const char            *anew;
    } rows[] = {
        { JUDGE_EXTRACT_FORM, "a=b+c&%c3%a4=%41~&&=x&e&f=%2B",
          "a=b+c&%C3%A4=A%7E&e=&f=%2B" },
        { JUDGE_EXTRACT_JSON,
          " [ \"\\u0041\\/\\u00e9\\ud83d\\ude00\" , 1.50\t]",
          "[\"A/\xc3\xa9\xf0\x9f\x98\x80\",1.50]" },
        { JUDGE_EXTRACT_JSON, "{\"a\\u0022\" : \"\\u005c \\n\\u0000\\\\\"}\n",
          "{\"a\\\"\":\"\\\\ \\n\\u0000\\\\\"}" },
        { JUDGE_EXTRACT_TEXT, "\xef\xbb\xbf" "a", "a" },
        { JUDGE_EXTRACT_TEXT, "\xe4", "\xc3\xa4" },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        e = (judge_extract_t) { .request = true, .rewrite = true };
        (void) judge_extract_formats(arena, JUDGE_STR("$"), &e.formats);
        judge_extract_begin(&e, rows[i].kind, JUDGE_STR(""), 1000);
        judge_extract_feed(&e, arena, rows[i].body, strlen(rows[i].body));
        judge_extract_end_input(&e, arena);
        if (rows[i].kind == JUDGE_EXTRACT_JSON) {
            judge_extract_anew_json(&e, arena);
        } else {
            judge_extract_finish(&e, arena);
        }
        t_is_str(judge_buf_view(&e.anew), rows[i].anew,
                 "row %zu is written anew as it was read", i);
        judge_extract_free(&e);
    }
}


/* Of a form that ends too soon nothing is read beyond its end. */

static void
test_forms(void)
{
    size_t       n;
    judge_str_t  form = JUDGE_STR("a=b+c&d=%41z&&=x&e&f=%2B");
    judge_str_t  parts = JUDGE_STR(
        "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nfirst\r\n"
        "--x\r\ncontent-disposition:form-data;name=b\r\n"
        "Content-Type: text/plain\r\n\r\n\r\n--y\r\n--x--\r\n");
    static const char *const  broken[] = { "a=%zz", "a=%4", "a=%", "%4=a" };

    t_is_str(extract_as(JUDGE_EXTRACT_FORM, "auto", true, "", form, 1),
             "b c\nAz\nx\n+",
             "the values of a form are read, and not its names");
    t_is_str(extract_as(JUDGE_EXTRACT_MULTIPART, "auto", true, "", parts, 1),
             "first\n\r\n--y",
             "the values of a form in parts are read, without their headers");
    t_is_str(extract_as(JUDGE_EXTRACT_MULTIPART, "auto", true, "",
                        JUDGE_STR("--x"), 9), "(malformed)",
             "a form in parts that has only begun is malformed");

    for (n = 0; n < sizeof(broken) / sizeof(broken[0]); n++) {
        t_is_str(extract_as(JUDGE_EXTRACT_FORM, "auto", true, "",
                            judge_str_c(broken[n]), 9), "(malformed)",
                 "a form with a bad escape is malformed: %s", broken[n]);
    }

    for (n = 1; n < parts.len; n++) {
        extract_as(JUDGE_EXTRACT_MULTIPART, "auto", true, "",
                   (judge_str_t) { n, parts.data }, n);
        extract_as(JUDGE_EXTRACT_FORM, "auto", true, "",
                   (judge_str_t) { n % form.len + 1, form.data }, n);
    }
}


#define FIELD  "Content-Disposition: form-data; name=a"
#define CODED  "Content-Transfer-Encoding: "

/* What one server reads as a field is not left out. */

static void
test_parts(void)
{
    size_t  i;
    static const struct {
        const char  *type, *body, *text;
    } rows[] = {
        { "; boundary=x", "Hello\r\n--x\r\n" FIELD "\r\n\r\nA\r\n--x--",
          NULL },
        { "; boundary=x", "\r\n--x\r\n" FIELD "\r\n\r\nA\r\n--x--", NULL },
        { "; boundary=x", "--x\r\n" FIELD "\r\n\r\nA\r\n--x--\r\nB", NULL },
        { "; boundary=x", "--x\r\n" FIELD "\r\n\r\nA\r--x\r\n" FIELD
          "\r\n\r\nB\r\n--x--", NULL },
        { "; boundary=x", "--x\r\n" FIELD "\r\n\r\nA--x\r\n" FIELD
          "\r\n\r\nB\r\n--x--", NULL },
        { "; boundary=x", "--x\r\n" FIELD "\r\n\r\nA\r\n--xx--", NULL },
        { "; boundary='x'", "--x\r\n" FIELD "\r\n\r\nA\r\n--x--", NULL },
        { ", x; boundary=x", "--x\r\n" FIELD "\r\n\r\nA\r\n--x--", NULL },
        { "; Boundary=\"x:y\"; a=b", "--x:y\r\n" FIELD "\r\n\r\nA\r\n"
          "--x:y--\r\n", "A" },
        { "; boundary=x", "--x\r\n" FIELD "; filename=b\r\n\r\nA\r\n"
          "--x\r\n" FIELD "\r\n\r\nB\r\n--x--", "(type)" },
        { "; boundary=x", "--x\r\n" FIELD "; filename=\"\"\r\n"
          "Content-Type: application/octet-stream\r\n\r\n\r\n"
          "--x\r\n" FIELD "\r\n\r\nB\r\n--x--", "B" },
        { "; boundary=x", "--x\r\n" FIELD "; filename=b\r\n"
          "Content-Type: image/png\r\n\r\nA\r\n"
          "--x\r\n" FIELD "\r\n\r\nB\r\n--x--", "B" },
        { "; boundary=x", "--x\r\n" FIELD "; filenamex=b\r\n\r\nA\r\n"
          "--x--", NULL },
        { "; boundary=x", "--x\r\n" FIELD "; filename*=b\r\n\r\nA\r\n"
          "--x--", NULL },
        { "; boundary=x", "--x\r\n" FIELD "; filename=\"\"\r\n\r\nA\r\n"
          "--x--", "(type)" },
        { "; boundary=x", "--x\r\n" FIELD "; b=\"; filename=c\"\r\n\r\nA"
          "\r\n--x--", NULL },
        { "; boundary=x", "--x\r\n" FIELD "; b=\"\\\"; filename=\"c\"\r\n"
          "\r\nA\r\n--x--", NULL },
        { "; boundary=x", "--x\r\n" FIELD "; name=b\r\n\r\nA\r\n--x--",
          NULL },
        { "; boundary=x", "--x\r\nContent-Disposition: form-data; name='a'"
          "\r\n\r\nA\r\n--x--", NULL },
        { "; boundary=x", "--x\r\nContent-Disposition: file; name=a"
          "\r\n\r\nA\r\n--x--", NULL },
        { "; boundary=x", "--x\r\n" FIELD "\rX: filename=b\r\n\r\nA\r\n"
          "--x--", NULL },
        { "; boundary=x", "--x\r\n" FIELD "\r\nX : b\r\n\r\nA\r\n--x--",
          NULL },
        { "; boundary=x", "--x\r\n" FIELD "\r\nX\r\n\r\nA\r\n--x--", NULL },
        { "; boundary=x", "--x\r\nContent-Type: text/plain\r\n\r\nA\r\n"
          "--x--", NULL },
        { "; boundary=x", "--x\r\n" FIELD "\r\nContent-Type: image/png\r\n"
          "\r\nA\r\n--x--", "A" },
        { "; boundary=y", "--x\r\n" FIELD "\r\n\r\nA\r\n--x--", NULL },
        { "", "--x\r\n" FIELD "\r\n\r\nA\r\n--x--", NULL },
        { "; boundary=x; boundary=y", "--x\r\n" FIELD "\r\n\r\nA\r\n--x--",
          NULL },
        { "; boundary=x", "--x\r\n" FIELD "\r\n\r\nA\n--x--", NULL },
        { "; boundary=x", "--x\n" FIELD "\r\n\r\nA\r\n--x--", NULL },
        { "; boundary=x", "--x\r\n" FIELD "\n\nA\r\n\r\nB\r\n--x--",
          NULL },
        { "; boundary=x", "--x\r\nContent-Disposition: form-data;\r\n"
          " name=a\r\n\r\nA\r\n--x--", NULL },
        { "; boundary=x", "--x\r\n" FIELD "\r\n" FIELD "; filename=b\r\n\r\n"
          "A\r\n--x--", NULL },
        { "; boundary=x", "--x\r\n" FIELD "\r\n\r\nA\r\n--x--\r\n--x\r\n"
          FIELD "\r\n\r\nB\r\n--x--", NULL },
        { "; boundary=x", "--x\r\n" FIELD "\r\n\r\n--x--", NULL },
        { "; boundary=x", "--x\r\n" FIELD "\r\n" CODED "base64\r\n\r\n"
          "QQ==\r\n--x--", NULL },
        { "; boundary=x", "--x\r\n" FIELD "\r\n" CODED "Quoted-Printable"
          "\r\n\r\n=41\r\n--x--", NULL },
        { "; boundary=x", "--x\r\n" FIELD "\r\n" CODED "8BIT\r\n\r\nA\r\n"
          "--x--", "A" },
        { "; boundary=x", "--x\r\n" FIELD "; filename=b\r\n" CODED
          "base64\r\nContent-Type: image/png\r\n\r\nQQ==\r\n--x\r\n" FIELD
          "\r\n\r\nB\r\n--x--", "B" },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        type = judge_str_printf(arena, "multipart/form-data%s%c",
                                rows[i].type, 0).data;
        t_is_str(extract_as(JUDGE_EXTRACT_MULTIPART, "auto", true, "",
                            judge_str_c(rows[i].body), 7),
                 rows[i].text ? rows[i].text : "(malformed)",
                 "parts are read or refused as servers do, row %zu", i);
    }

    type = "multipart/form-data; boundary=x";
}


static void
test_errors(void)
{
    size_t  i;
    static const char *const  wanted[] = {
        "event: error\ndata: {\"error\":{\"type\":\"judge_error\","
        "\"message\":\"why\",\"code\":\"c\",\"param\":null}}\n\n",
        "data: {\"error\":{\"type\":\"judge_error\","
        "\"message\":\"why\",\"code\":\"c\",\"param\":null}}\n\n",
        "event: error\ndata: {\"type\":\"error\",\"sequence_number\":3,"
        "\"message\":\"why\",\"code\":\"c\",\"param\":null}\n\n",
        "event: error\ndata: {\"type\":\"error\",\"error\":{"
        "\"type\":\"api_error\",\"message\":\"why\"}}\n\n",
    };

    for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
        t_is_str(judge_extract_error(arena, (judge_extract_provider_e) i, 3,
                                     "c", JUDGE_STR("why")),
                 wanted[i],
                 "the error for clients of provider %zu is in its words", i);
    }
}


static void
test_paths(void)
{
    size_t                i;
    judge_extract_path_t  path;
    static const char *const  bad[] = {
        "", "a", "$.", "$a", "$[", "$[x]", "$[-1]", "$.a..b",
        "$.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a"
    };

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        t_ok(!judge_extract_path(judge_str_c(bad[i]), &path),
             "this is no path: \"%s\"", bad[i]);
    }

    t_ok(judge_extract_path(JUDGE_STR("$"), &path) && path.n == 0,
         "a path may be that of the whole body");
}


int
main(void)
{
    arena = judge_arena_create(65536);

    test_bodies();
    test_ids();
    test_compressed();
    test_members();
    test_charsets();
    test_brotli();
    test_forms();
    test_anew();
    test_parts();
    test_errors();
    test_paths();
    judge_arena_destroy(arena);

    return t_done();
}
