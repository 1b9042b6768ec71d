/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The CSV reader, its dialects, and the forms of cells. */


#include <string.h>
#include <time.h>

#include "base/csv/csv.h"
#include "api/batches/batch_map.h"
#include "tap.h"


#define COMMA  { .delimiter = ',', .quote = '"' }


/*
 * want: fields in brackets, rows end with "\n"; flags in front of their row:
 * "u" uneven, "s" stray, "o" unclosed, "l" last.
 */

static const struct {
    const char           *name;
    judge_csv_dialect_t   dialect;
    const char           *text;
    const char           *want;
} rows[] = {
    { "nothing", COMMA, "", "" },
    { "line ends only", COMMA, "\n\r\n\r\r", "" },
    { "one field", COMMA, "a", "l[a]\n" },
    { "LF", COMMA, "a,b\n1,2\n", "[a][b]\n[1][2]\n" },
    { "CRLF", COMMA, "a,b\r\n1,2\r\n", "[a][b]\n[1][2]\n" },
    { "CR", COMMA, "a,b\r1,2\r", "[a][b]\n[1][2]\n" },
    { "no line end", COMMA, "a,b\n1,2", "[a][b]\nl[1][2]\n" },
    { "empty fields", COMMA, ",\n,,\n", "[][]\nu[][][]\n" },
    { "a delimiter at the end", COMMA, "a,\nb,", "[a][]\nl[b][]\n" },
    { "empty lines between", COMMA, "a,b\n\n\n1,2\n", "[a][b]\n[1][2]\n" },
    { "a line of a space", COMMA, "a\n \nb\n", "[a]\n[ ]\n[b]\n" },
    { "an empty quoted field", COMMA, "\"\"\n\"\",\"\"\n", "[]\nu[][]\n" },
    { "a comma in quotes", COMMA, "\"a,b\",c\n", "[a,b][c]\n" },
    { "a doubled quote", COMMA, "\"a \"\"b\"\"\"\n", "[a \"b\"]\n" },
    { "only a quote", COMMA, "\"\"\"\"\n", "[\"]\n" },
    { "lines in quotes", COMMA, "\"a\nb\r\nc\rd\",e\n",
      "[a\nb\nc\nd][e]\n" },
    { "spaces behind a quote", COMMA, "\"a\"  ,b\n", "[a][b]\n" },
    { "text behind a quote", COMMA, "\"a\"b,c\n", "s[ab][c]\n" },
    { "a quote behind a quote and a space", COMMA, "\"a\" \"b\"\n",
      "s[a \"b\"]\n" },
    { "a quote inside", COMMA, "5\" disk,x\n", "s[5\" disk][x]\n" },
    { "an open quote", COMMA, "a,\"b\nc", "lo[a][b\nc]\n" },
    { "spaces stay", COMMA, " a , b\n", "[ a ][ b]\n" },
    { "a mark in front", COMMA, "\xef\xbb\xbf" "a,b\n", "[a][b]\n" },
    { "a mark before a quote", COMMA, "\xef\xbb\xbf\"a,b\"\n", "[a,b]\n" },
    { "a mark further on", COMMA, "a\n\xef\xbb\xbf" "b\n",
      "[a]\n[\xef\xbb\xbf" "b]\n" },
    { "sep=;", COMMA, "sep=;\r\na;b,c\r\n", "[a][b,c]\n" },
    { "sep= a tab, a mark, capitals", COMMA,
      "\xef\xbb\xbfSEP=\t\na\tb, and so on\n", "[a][b, and so on]\n" },
    { "\"sep=|\"", COMMA, "\"sep=|\"\na|b\n", "[a][b]\n" },
    { "sep= a letter", COMMA, "sep=x\naxb\n", "[sep=x]\n[axb]\n" },
    { "sep in a header", COMMA, "sep=,oct\n1,2\n", "[sep=][oct]\n[1][2]\n" },
    { "uneven rows", COMMA, "a,b\n1\n1,2,3\n", "[a][b]\nu[1]\nu[1][2][3]\n" },
    { "tabs", { .delimiter = '\t', .quote = '"' }, "a\tb, c\n",
      "[a][b, c]\n" },
    { "no quotes", { .delimiter = ',' }, "\"a,b\"\n", "[\"a][b\"]\n" },
    { "no delimiter", { .quote = '"' }, "a, b; c\n\"d\ne\"\n",
      "[a, b; c]\n[d\ne]\n" },
    { "single quotes", { .delimiter = ',', .quote = '\'' }, "'a,b','it''s'\n",
      "[a,b][it's]\n" },
    { "escapes", { .delimiter = ',', .quote = '"', .escape = '\\' },
      "\"a \\\"b\\\" \\\\ \\n\",c\\d\n", "[a \"b\" \\ \\n][c\\d]\n" },
    { "an escape before a line end",
      { .delimiter = ',', .quote = '"', .escape = '\\' }, "\"a\\\r\nb\"\n",
      "[a\\\nb]\n" },
    { "an escape at the end",
      { .delimiter = ',', .quote = '"', .escape = '\\' }, "\"a\\",
      "lo[a\\]\n" },
    { "spaces before a quote",
      { .delimiter = ',', .quote = '"', .spaces = true },
      "a,  \"b, c\", d\n", "[a][b, c][ d]\n" },
    { "spaces before a letter and quotes",
      { .delimiter = ',', .quote = '"', .spaces = true },
      "  a\"b\",  \"c\"\n \"d\"e\" ,f\n",
      "s[  a\"b\"][c]\ns[de\" ][f]\n" },
    { "skipped rows",
      { .delimiter = ',', .quote = '"', .skip_rows = 2 },
      "A report\n\nof, today,\na,b\n", "[a][b]\n" }
};


static judge_rc_e
show(void *data, const judge_csv_row_t *row)
{
    size_t        i;
    judge_buf_t  *out;

    out = data;

    judge_buf_c(out, (row->flags & JUDGE_CSV_LAST) ? "l" : "");
    judge_buf_c(out, (row->flags & JUDGE_CSV_UNEVEN) ? "u" : "");
    judge_buf_c(out, (row->flags & JUDGE_CSV_STRAY) ? "s" : "");
    judge_buf_c(out, (row->flags & JUDGE_CSV_UNCLOSED) ? "o" : "");

    for (i = 0; i < row->nfields; i++) {
        judge_buf_printf(out, "[%.*s]", (int) row->fields[i].len,
                         row->fields[i].data);
    }

    judge_buf_c(out, "\n");

    return JUDGE_OK;
}


static void
test_rows(void)
{
    size_t        i, k, n, len, piece;
    judge_rc_e    rc;
    judge_buf_t   out;
    judge_csv_t  *csv;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        len = strlen(rows[i].text);

        for (piece = 1; piece < 40; piece += (piece < 4) ? 1 : 35) {
            judge_buf_init(&out, NULL);
            csv = judge_csv_create(&rows[i].dialect, NULL, show, &out);
            rc = (csv == NULL) ? JUDGE_NOMEM : JUDGE_OK;

            for (k = 0; k < len && rc == JUDGE_OK; k += n) {
                n = (len - k < piece) ? len - k : piece;
                rc = judge_csv_feed(csv, (judge_str_t) { n,
                                                         rows[i].text + k });
            }

            if (rc == JUDGE_OK) {
                rc = judge_csv_finish(csv);
            }

            t_ok(rc == JUDGE_OK && judge_csv_error(csv).data == NULL,
                 "%s: the text is read without an error", rows[i].name);
            t_is_str(judge_buf_view(&out), rows[i].want,
                     "%s: the rows come in pieces of %zu as well",
                     rows[i].name, piece);

            judge_csv_free(csv);
            judge_buf_free(&out);
        }
    }
}


static judge_rc_e
check_lines(void *data, const judge_csv_row_t *row)
{
    uint64_t  *seen;

    seen = data;
    seen[row->number] = row->line;

    return (row->number == 4) ? JUDGE_CONFLICT : JUDGE_OK;
}


static void
test_lines(void)
{
    uint64_t             seen[8] = { 0 };
    judge_csv_t         *csv;
    judge_csv_dialect_t  dialect = COMMA;

    csv = judge_csv_create(&dialect, NULL, check_lines, seen);

    t_is_int(judge_csv_feed(csv, JUDGE_STR("a\r\n\r\n\"b\r\nc\"\r\nd\ne\n")),
             JUDGE_CONFLICT, "a handler that refuses a row stops the reader");
    t_is_int((int64_t) seen[1], 1, "the first row is on line 1");
    t_is_int((int64_t) seen[3], 3, "a row behind an empty one is the third");
    t_is_int((int64_t) seen[4], 5,
             "a row behind a line feed in quotes is on line 5");
    t_is_int((int64_t) seen[5], 0, "no row is given behind the stop");
    t_is_int(judge_csv_finish(csv), JUDGE_CONFLICT,
             "a reader that was stopped stays so");

    judge_csv_free(csv);
    judge_csv_free(NULL);
}


static void
test_limits(void)
{
    size_t  i;
    static const struct {
        const char  *text;
        const char  *error;
    } cases[] = {
        { "12345678,1,2\n", NULL },
        { "a\n123456789\n",
          "line 2: the bytes of a field are above 8" },
        { "12345678,12345678,12345678\n",
          "line 1: the bytes of a row are above 20" },
        { "1,2,3,4\n", NULL },
        { "1,2,3,4,5\n", "line 1: the number of columns is above 4" },
        { "a\n\nb,\"1\n2\n3\n4\n56789\n",
          "line 3: the bytes of a field are above 8 (the quote on line 3 is "
          "not closed)" }
    };
    judge_rc_e           rc;
    judge_buf_t          out;
    judge_csv_t         *csv;
    judge_csv_dialect_t  dialect = COMMA;
    judge_csv_limits_t   limits = { 8, 20, 4 };

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        judge_buf_init(&out, NULL);
        csv = judge_csv_create(&dialect, &limits, show, &out);

        rc = judge_csv_feed(csv, judge_str_c(cases[i].text));
        rc = (rc == JUDGE_OK) ? judge_csv_finish(csv) : rc;

        t_is_int(rc, cases[i].error == NULL ? JUDGE_OK : JUDGE_INVALID,
                 "case %zu of limits is read or refused", i);
        t_is_str(judge_csv_error(csv), cases[i].error,
                 "case %zu of limits says which limit it was", i);

        judge_csv_free(csv);
        judge_buf_free(&out);
    }
}


/* Each quote in a field without quotes asks whether only spaces precede it. */

static void
test_quotes_behind_spaces(void)
{
    size_t               i, n = 100000;
    clock_t              begin;
    judge_buf_t          text, out;
    judge_csv_t         *csv;
    judge_csv_sniff_t    sniff;
    judge_csv_dialect_t  dialect = {
        .delimiter = ',', .quote = '"', .spaces = true
    };

    judge_buf_init(&out, NULL);
    judge_buf_init(&text, NULL);

    for (i = 0; i < 2 * n; i++) {
        judge_buf_c(&text, i < n ? " " : i == n ? "x" : "\"");
    }

    begin = clock();
    csv = judge_csv_create(&dialect, NULL, show, &out);
    t_is_int(judge_csv_feed(csv, judge_buf_view(&text)), JUDGE_OK,
             "100,000 quotes behind as many spaces are taken");
    t_is_int(judge_csv_finish(csv), JUDGE_OK,
             "100,000 quotes behind as many spaces are a row");
    t_is_int((int64_t) out.len, (int64_t) text.len + 5,
             "of 100,000 quotes behind as many spaces none is lost");
    t_ok(clock() - begin < 2 * CLOCKS_PER_SEC,
         "quotes behind spaces are read in less than two seconds");

    begin = clock();
    t_is_int(judge_csv_sniff((judge_str_t) { 65536, text.data + n - 32768 },
                             &sniff),
             JUDGE_OK, "the dialect of quotes behind spaces is guessed");
    t_ok(clock() - begin < 2 * CLOCKS_PER_SEC,
         "the dialect of quotes behind spaces is guessed in two seconds");

    judge_csv_free(csv);
    judge_buf_free(&out);
    judge_buf_free(&text);
}


static void
test_sniff(void)
{
    size_t             i;
    judge_csv_sniff_t  got;
    static const struct {
        const char  *text;
        char         delimiter;
        char         quote;
        size_t       columns;
        bool         header;
        unsigned     skip;
    } cases[] = {
        { "id,title\n1,First\n2,Second\n", ',', '"', 2, true, 0 },
        { "id;price;text\n1;2,50;a, b\n2;3,75;c, d\n", ';', '"', 3, true, 0 },
        { "name\tage\nAnn\t31\nBob, Jr.\t44\n", '\t', '"', 2, true, 0 },
        { "a|b|c\n1|2|3\n4|5|6\n", '|', '"', 3, true, 0 },
        { "1,2,3\n4,5,6\n7,8,9\n", ',', '"', 3, false, 0 },
        { "Ann,31\nBob,44\nCy,27\n", ',', '"', 2, false, 0 },
        { "'a, b','it''s'\n'c, d','x'\n'e','f, g'\n", ',', '\'', 2, true,
          0 },
        { "Great, love it\nBad, slow, ugly\nOkay\nFine\n", 0, '"', 1, true,
          0 },
        { "Bewertung;Kurztext\ngut;Er kam an.\nschlecht;Zu laut.\n", ';',
          '"', 2, true, 0 },
        { "zorp,qux\nred,blue\n", ',', '"', 2, true, 0 },
        { "\xe8\xa9\x95\xe4\xbe\xa1,\xe5\x86\x85\xe5\xae\xb9\n"
          "\xe8\x89\xaf\xe3\x81\x84,x\n", ',', '"', 2, true, 0 },
        { "zorp,,qux\nred,1,blue\n", ',', '"', 3, true, 0 },
        { "zorp,2024-01-05\nqux,2024-01-06\n", ',', '"', 2, false, 0 },
        { "zorp,a@b.example\nqux,c@d.example\n", ',', '"', 2, false, 0 },
        { "zorp,https://a.example/1\nqux,x\n", ',', '"', 2, false, 0 },
        { "It came a week late and the box was open,zorp\nFine,qux\nBad,x\n",
          ',', '"', 2, false, 0 },
        { "Sales report\nMade 2024-01-05\n\nid,name,price\n1,Ann,2.50\n"
          "2,Bob,3.75\n3,Cy,1.00\n", ',', '"', 3, true, 2 },
        { "sep=|\nid|note\n1|a,b,c\n", '|', '"', 2, true, 0 },
        { "id,text\n1,\"one\ntwo, three\"\n2,\"four\"\n", ',', '"', 2, true,
          0 },
        { "", 0, '"', 1, false, 0 },
        { "review\nGood\nBad\n", 0, '"', 1, true, 0 }
    };

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        t_is_int(judge_csv_sniff(judge_str_c(cases[i].text), &got), JUDGE_OK,
                 "the dialect of case %zu can be guessed", i);
        t_is_int(got.dialect.delimiter, cases[i].delimiter,
                 "the delimiter of case %zu is found", i);
        t_is_int(got.dialect.quote, cases[i].quote,
                 "the quote of case %zu is found", i);
        t_is_int((int64_t) got.columns, (int64_t) cases[i].columns,
                 "the columns of case %zu are counted", i);
        t_is_int(got.dialect.header, cases[i].header,
                 "the header of case %zu is seen where there is one", i);
        t_is_int(got.dialect.skip_rows, cases[i].skip,
                 "the rows above the header of case %zu are counted", i);
        t_ok(got.confidence >= 0 && got.confidence <= 1,
             "the confidence in case %zu is between 0 and 1: %g", i,
             got.confidence);
    }
}


#define DAY(order)  JUDGE_VALUE_DATE, JUDGE_VALUE_##order

static void
test_cells(void)
{
    size_t                i;
    unsigned              flags;
    judge_arena_t        *arena;
    judge_value_types_t   types;
    static const struct {
        const char          *text;
        judge_value_type_e   kind;
        unsigned             flags;
    } cases[] = {
        { "", JUDGE_VALUE_MISSING, 0 },
        { "  ", JUDGE_VALUE_MISSING, JUDGE_VALUE_SPACED },
        { "N/A", JUDGE_VALUE_MISSING, JUDGE_VALUE_MARKER },
        { "\xe2\x80\x94", JUDGE_VALUE_MISSING, JUDGE_VALUE_MARKER },
        { "0", JUDGE_VALUE_INTEGER, 0 },
        { "-12", JUDGE_VALUE_INTEGER, 0 },
        { "007", JUDGE_VALUE_INTEGER, JUDGE_VALUE_ZEROS },
        { "1,234,567", JUDGE_VALUE_INTEGER, JUDGE_VALUE_GROUPED },
        { "12,34,567", JUDGE_VALUE_TEXT, 0 },
        { "1,234", JUDGE_VALUE_INTEGER, JUDGE_VALUE_GROUPED },
        { "1.234", JUDGE_VALUE_NUMBER, 0 },
        { "1.234,50", JUDGE_VALUE_NUMBER,
          JUDGE_VALUE_GROUPED | JUDGE_VALUE_COMMA },
        { "1 234,50", JUDGE_VALUE_NUMBER,
          JUDGE_VALUE_GROUPED | JUDGE_VALUE_COMMA },
        { "2,5", JUDGE_VALUE_NUMBER, JUDGE_VALUE_COMMA },
        { ".5", JUDGE_VALUE_NUMBER, 0 },
        { "5.", JUDGE_VALUE_TEXT, 0 },
        { "1.5e-7", JUDGE_VALUE_NUMBER, 0 },
        { "1e", JUDGE_VALUE_TEXT, 0 },
        { "45%", JUDGE_VALUE_NUMBER, JUDGE_VALUE_PERCENT },
        { "$1,200.00", JUDGE_VALUE_NUMBER,
          JUDGE_VALUE_CURRENCY | JUDGE_VALUE_GROUPED },
        { "12,50 \xe2\x82\xac", JUDGE_VALUE_NUMBER,
          JUDGE_VALUE_CURRENCY | JUDGE_VALUE_COMMA },
        { "5 US$", JUDGE_VALUE_NUMBER, JUDGE_VALUE_CURRENCY },
        { "$5 USD", JUDGE_VALUE_TEXT, 0 },
        { "-$5", JUDGE_VALUE_NUMBER, JUDGE_VALUE_CURRENCY },
        { "1.2.3", JUDGE_VALUE_TEXT, 0 },
        { "127.0.0.1", JUDGE_VALUE_TEXT, 0 },
        { "12a", JUDGE_VALUE_TEXT, 0 },
        { "-", JUDGE_VALUE_MISSING, JUDGE_VALUE_MARKER },
        { "TRUE", JUDGE_VALUE_BOOLEAN, 0 },
        { "Yes", JUDGE_VALUE_BOOLEAN, JUDGE_VALUE_WORDS },
        { "2024-02-29", JUDGE_VALUE_DATE, 0 },
        { "2024-01-05T10:30:00Z", JUDGE_VALUE_DATE, 0 },
        { "2024-01-05 10:30:00.123+02:00", JUDGE_VALUE_DATE, 0 },
        { "2024-01-05T9:05 PM GMT+1", JUDGE_VALUE_DATE, 0 },
        { "2024/1/5", JUDGE_VALUE_DATE, 0 },
        { "1.2.30", JUDGE_VALUE_TEXT, 0 },
        { "2024-13-05", JUDGE_VALUE_TEXT, 0 },
        { "25/12/2024", DAY(DMY) },
        { "12/25/2024", DAY(MDY) },
        { "03/04/2024", DAY(DMY) | JUDGE_VALUE_MDY },
        { "3/4/24 9:05 PM", DAY(DMY) | JUDGE_VALUE_MDY },
        { "31.12.2024", DAY(DMY) },
        { "32.12.2024", JUDGE_VALUE_TEXT, 0 },
        { "March 5, 2024", DAY(MDY) },
        { "5th of March 2024", DAY(DMY) },
        { "05-Mar-24", DAY(DMY) },
        { "Mon, 5 Mar 2024 10:30:00 GMT", DAY(DMY) },
        { "Sept 2023", DAY(MDY) },
        { "May 2024 was warm", JUDGE_VALUE_TEXT, 0 },
        { "10-20-30-40", JUDGE_VALUE_TEXT, 0 },
        { "555-123-4567", JUDGE_VALUE_TEXT, 0 },
        { "2024-01-05T25:00", JUDGE_VALUE_TEXT, 0 },
        { "https://a.example/x?y=1", JUDGE_VALUE_URL, 0 },
        { "www.example.org", JUDGE_VALUE_URL, 0 },
        { "see https://a.example", JUDGE_VALUE_TEXT, 0 },
        { "ann@example.org", JUDGE_VALUE_EMAIL, 0 },
        { "ann@example", JUDGE_VALUE_TEXT, 0 },
        { "a@b@c.de", JUDGE_VALUE_TEXT, 0 },
        { "{\"a\": 1}", JUDGE_VALUE_JSON, 0 },
        { " text ", JUDGE_VALUE_TEXT, JUDGE_VALUE_SPACED },
        { "\xc2\xa0" "7\xc2\xa0", JUDGE_VALUE_INTEGER, JUDGE_VALUE_SPACED }
    };

    arena = judge_arena_create(4096);
    t_is_int(judge_value_types_init(&types, arena), JUDGE_OK,
             "the forms of cells are compiled");

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        t_is_int(judge_value_type_of(&types, judge_str_c(cases[i].text),
                                     &flags),
                 cases[i].kind,
                 "a cell has the form of its value: \"%s\"", cases[i].text);
        t_is_int(flags, cases[i].flags,
                 "a cell's white space and the like are flagged: \"%s\"",
                 cases[i].text);
    }

    judge_arena_destroy(arena);
}


/* --- Lines of JSON ------------------------------------------------------- */

static judge_rc_e
test_json_row(void *data, const judge_csv_row_t *row)
{
    ++*(size_t *) data;

    return JUDGE_OK;
}


/* Lines are read as they arrive, up to one that would hold up the event
 * loop. */

static void
test_long_line(void)
{
    size_t               i, n = 0;
    judge_buf_t          text;
    judge_arena_t       *arena = judge_arena_create(1000);
    judge_batch_jsonl_t  lines = {
        .arena = arena, .handler = test_json_row, .data = &n
    };

    judge_buf_init(&text, NULL);
    judge_buf_c(&text, "{\"a\":1}\n{\"a\":2}\n{\"a\":[0");
    for (i = 0; i < JUDGE_BATCH_JSONL_SHORT; i++) {
        judge_buf_c(&text, ",0");
    }
    judge_buf_c(&text, "]}\n{\"a\":4}\n{\"a\":");

    for (i = 0; i < 2; i++) {
        t_is_int(judge_batch_jsonl_feed(&lines, &text, false), JUDGE_OK,
                 "a piece of a table with a long line is taken");
        t_is_int((int64_t) n, 3, "a long line is not read with the piece, nor"
                                 " are those behind it");
    }

    judge_buf_c(&text, "5}");
    t_is_int(judge_batch_jsonl_feed(&lines, &text, true), JUDGE_OK,
             "the end of the table is taken");
    t_is_int((int64_t) n, 6, "with the end of the table, all lines are read");
    t_is_int((int64_t) text.len, 0, "nothing of the table is left");

    judge_buf_free(&text);
    judge_arena_destroy(arena);
}


int
main(void)
{
    test_rows();
    test_lines();
    test_limits();
    test_quotes_behind_spaces();
    test_sniff();
    test_cells();
    test_long_line();

    return t_done();
}
