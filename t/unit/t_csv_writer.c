/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* CSV: what is written is read back, and no spreadsheet computes it. */


#include <string.h>

#include "base/csv/csv.h"
#include "tap.h"


static void
test_cells(void)
{
    size_t              i;
    judge_buf_t         buf;
    judge_csv_writer_t  w;
    static const struct {
        const char  *name, *text, *want;
    } rows[] = {
        { "plain", "abc", "abc" },
        { "empty", "", "" },
        { "comma", "a,b", "\"a,b\"" },
        { "quote", "say \"x\"", "\"say \"\"x\"\"\"" },
        { "only quotes", "\"\"", "\"\"\"\"\"\"" },
        { "line feed", "a\nb", "\"a\nb\"" },
        { "carriage return", "a\rb", "\"a\rb\"" },
        { "semicolon", "a;b", "a;b" },
        { "blank in front", " a", "\" a\"" },
        { "blank behind", "a ", "\"a \"" },
        { "UTF-8", "Gr\xc3\xbc\xc3\x9f" "e", "Gr\xc3\xbc\xc3\x9f" "e" },
        { "equals", "=1+1", "'=1+1" },
        { "plus", "+1", "'+1" },
        { "minus", "-1", "'-1" },
        { "at", "@SUM(A1)", "'@SUM(A1)" },
        { "with a comma", "=A1,B1", "\"'=A1,B1\"" },
        { "behind blanks", "  =1", "\"'  =1\"" },
        { "behind a tab", "\t=1", "\"'\t=1\"" },
        { "behind a line end", "\r\n=1", "\"'\r\n=1\"" },
        { "full width equals", "\xef\xbc\x9d" "1", "'\xef\xbc\x9d" "1" },
        { "full width plus", "\xef\xbc\x8b" "1", "'\xef\xbc\x8b" "1" },
        { "full width minus", "\xef\xbc\x8d" "1", "'\xef\xbc\x8d" "1" },
        { "full width at", "\xef\xbc\xa0" "1", "'\xef\xbc\xa0" "1" },
        { "inside is no formula", "a=1", "a=1" },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        judge_buf_init(&buf, NULL);
        judge_csv_begin(&w, &buf);
        judge_csv_text(&w, judge_str_c(rows[i].text));
        judge_csv_plain(&w, JUDGE_STR("-7"));
        judge_csv_row_end(&w);
        judge_buf_append(&buf, "", 1);
        t_ok(strncmp(buf.data, rows[i].want, strlen(rows[i].want)) == 0
             && strcmp(buf.data + strlen(rows[i].want), ",-7\r\n") == 0,
             "%s", rows[i].name);
        judge_buf_free(&buf);
    }
}


static void
test_numbers(void)
{
    judge_buf_t         buf;
    judge_csv_writer_t  w;

    judge_buf_init(&buf, NULL);
    judge_csv_begin(&w, &buf);
    judge_csv_number2(&w, 87.5);
    judge_csv_number2(&w, 100);
    judge_csv_number2(&w, -1.25);
    judge_csv_row_end(&w);
    judge_csv_text(&w, (judge_str_t) { 0, NULL });
    judge_csv_text(&w, JUDGE_STR("x"));
    judge_csv_row_end(&w);
    t_is_str(judge_buf_view(&buf), "87.5,100,-1.25\r\n,x\r\n",
             "numbers and an absent text are written as a reader wants them");
    judge_buf_free(&buf);
}


/* All comes back but for the apostrophe (and CR, which readers make LF). */

typedef struct {
    judge_str_t  sent[3];
    size_t       rows;
    bool         same;
} t_echo_t;


static judge_rc_e
test_echo_row(void *data, const judge_csv_row_t *row)
{
    size_t     i;
    t_echo_t  *e = data;

    e->rows++;
    e->same = e->same && row->nfields == 3 && row->flags == 0;

    for (i = 0; e->same && i < 3; i++) {
        e->same = judge_str_eq(row->fields[i], e->sent[i])
                  || (row->fields[i].data[0] == '\''
                      && judge_str_eq((judge_str_t) {
                             row->fields[i].len - 1, row->fields[i].data + 1
                         }, e->sent[i]));
    }

    return JUDGE_OK;
}


static void
test_echo(void)
{
    char                        text[3][8];
    size_t                      i, k, n, bad;
    t_echo_t                    echo;
    uint32_t                    seed;
    judge_csv_t                *csv;
    judge_buf_t                 buf;
    judge_csv_writer_t          w;
    static const char           set[] = "a\",\n =x;";
    const judge_csv_dialect_t   dialect = { .delimiter = ',', .quote = '"' };

    seed = 1;
    bad = 0;

    for (n = 0; n < 5000; n++) {
        memset(&echo, 0, sizeof(echo));
        echo.same = true;
        judge_buf_init(&buf, NULL);
        judge_csv_begin(&w, &buf);

        for (i = 0; i < 3; i++) {
            for (k = 0; k < 1 + (n + i) % 8; k++) {
                seed = seed * 1664525 + 1013904223;
                text[i][k] = set[(seed >> 16) % (sizeof(set) - 1)];
            }
            echo.sent[i] = (judge_str_t) { k, text[i] };
            judge_csv_text(&w, echo.sent[i]);
        }
        judge_csv_row_end(&w);

        csv = judge_csv_create(&dialect, NULL, test_echo_row, &echo);
        if (csv == NULL
            || judge_csv_feed(csv, judge_buf_view(&buf)) != JUDGE_OK
            || judge_csv_finish(csv) != JUDGE_OK || echo.rows != 1
            || !echo.same)
        {
            bad++;
        }
        judge_csv_free(csv);
        judge_buf_free(&buf);
    }

    t_is_int((int64_t) bad, 0, "5,000 rows are read back as they were");
}


int
main(void)
{
    test_cells();
    test_numbers();
    test_echo();

    return t_done();
}
