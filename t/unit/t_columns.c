/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The columns of tables: the files of t/data/csv, and requests by hand. */


#include <stdio.h>
#include <string.h>

#include "base/text/charset.h"
#include "analysis/columns/columns.h"
#include "golden.h"
#include "tap.h"


#define ALL  ((1u << JUDGE_COLUMN_FIELDS) - 1)


static void
column_facts(golden_t *g, const judge_column_t *column)
{
    size_t  i;
    char    key[128];

    (void) snprintf(key, sizeof(key), "column %zu", column->index);

    golden_fact(g, column->name, "%s name", key);
    golden_fact(g, judge_str_c(judge_column_fields[column->field].name),
                "%s field", key);
    golden_fact(g, judge_str_c(column->data_type), "%s type", key);
    golden_number(g, column->confidence, "%s confidence", key);
    golden_fact(g, column->name, "field %s",
                judge_column_fields[column->field].name);

    for (i = 0; i < column->nsamples; i++) {
        golden_fact(g, column->samples[i], "%s sample", key);
    }

    for (i = 0; i < column->ntransformations; i++) {
        golden_fact(g, column->transformations[i], "%s transform", key);
    }
}


static void
record_facts(golden_t *g, const judge_columns_t *out, size_t n)
{
    size_t                 i;
    const judge_column_t  *column;

    for (i = 0; i < out->ndetected; i++) {
        column = &out->detected[i];

        if (out->records[n][i].data == NULL) {
            continue;
        }

        if (column->field == JUDGE_COLUMN_METADATA) {
            golden_fact(g, out->records[n][i], "record %zu metadata %s", n,
                        column->name.data);
        } else {
            golden_fact(g, out->records[n][i], "record %zu %s", n,
                        judge_column_fields[column->field].name);
        }
    }
}


static void
facts(golden_t *g, const judge_columns_t *out)
{
    char    delimiter;
    size_t  i;

    delimiter = out->sniff.dialect.delimiter;

    golden_fact(g, (delimiter == '\t') ? JUDGE_STR("tab")
                   : (delimiter == 0) ? JUDGE_STR("none")
                   : (judge_str_t) { 1, &delimiter }, "delimiter");
    golden_fact(g, judge_str_c(out->sniff.dialect.header ? "yes" : "no"),
                "header");
    golden_number(g, out->sniff.dialect.skip_rows, "skip");
    golden_number(g, (double) out->sniff.columns, "columns");
    golden_number(g, (double) out->estimated_rows, "rows");
    golden_number(g, out->success_rate, "success");

    for (i = 0; i < out->ndetected; i++) {
        column_facts(g, &out->detected[i]);
    }

    for (i = 0; i < out->nunmapped; i++) {
        golden_fact(g, out->unmapped[i], "unmapped");
    }

    for (i = 0; i < out->issues.n; i++) {
        golden_fact(g, out->issues.items[i], "issue");
    }

    for (i = 0; i < out->recommendations.n; i++) {
        golden_fact(g, out->recommendations.items[i], "advice");
    }

    for (i = 0; i < out->nrecords; i++) {
        record_facts(g, out, i);
    }
}


/* As an import would have it: bytes of any encoding, then the columns. */

static void
csv_file(golden_t *g, judge_arena_t *arena, judge_str_t bytes)
{
    judge_rc_e               rc;
    judge_buf_t              text;
    judge_str_t              error;
    judge_columns_t          out;
    judge_charset_reader_t   reader;
    judge_columns_request_t  request = { .expected = ALL };

    judge_buf_init(&text, arena);
    judge_charset_open(&reader);

    rc = judge_charset_feed(&reader, bytes, &text);
    if (rc == JUDGE_OK) {
        rc = judge_charset_finish(&reader, &text);
    }

    golden_fact(g, judge_str_c(judge_charset_name(reader.charset)),
                "charset");
    judge_charset_close(&reader);

    if (rc != JUDGE_OK) {
        return;
    }

    request.csv_sample = judge_buf_view(&text);
    request.confidence_threshold = JUDGE_COLUMNS_THRESHOLD;
    request.suggest_transformations = true;

    rc = judge_columns_detect(arena, &request, &out, &error);

    if (rc == JUDGE_OK) {
        facts(g, &out);

    } else if (rc == JUDGE_INVALID) {
        golden_fact(g, error, "error");
    }
}


static judge_rc_e
detect(judge_arena_t *arena, const char *sample, unsigned expected,
    double threshold, judge_columns_t *out)
{
    judge_columns_request_t  request = { .expected = expected };

    request.csv_sample = judge_str_c(sample);
    request.confidence_threshold = threshold;
    request.suggest_transformations = false;

    return judge_columns_detect(arena, &request, out, NULL);
}


static void
test_request(judge_arena_t *arena)
{
    judge_columns_t       out;
    judge_column_field_e  field;
    static const char  sample[] = "id,title,text,author\n"
                                  "1,On rain,It rained the whole day long.,A\n"
                                  "2,On sun,The sun shone for once today.,B\n"
                                  "3,On wind,Wind blew all night outside.,C\n";

    t_is_int(detect(arena, sample, ALL, 0.5, &out), JUDGE_OK,
             "a sample with all fields expected is taken");
    t_is_int((int64_t) out.ndetected, 4, "four columns are mapped to fields");
    t_is_int(out.detected[3].field, JUDGE_COLUMN_METADATA,
             "a column that no field fits goes to metadata");

    t_is_int(detect(arena, sample, 1u << JUDGE_COLUMN_CONTENT, 0.5, &out),
             JUDGE_OK, "a sample with only content expected is taken");
    t_is_int((int64_t) out.ndetected, 1, "only the expected field is mapped");
    t_is_str(out.detected[0].name, "text",
             "the column of texts is mapped to content");
    t_is_int((int64_t) out.detected[0].index, 2,
             "a mapped column has its place in the table");
    t_is_int((int64_t) out.nunmapped, 3,
             "the other three columns are not mapped");
    t_is_int((int64_t) out.detected[0].ntransformations, 0,
             "no transformations are suggested unless asked for");
    t_ok(out.success_rate == 1, "all rows of the sample can be imported");

    t_is_int(detect(arena, sample, 1u << JUDGE_COLUMN_TITLE, 1, &out),
             JUDGE_OK, "a sample with a threshold of 1 is taken");
    t_is_int((int64_t) out.ndetected, 0,
             "no column is certain enough for a threshold of 1");

    t_ok(judge_column_field_find(JUDGE_STR("category"), &field)
         && field == JUDGE_COLUMN_CATEGORY, "a field is found by its name");
    t_ok(!judge_column_field_find(JUDGE_STR("Category"), &field),
         "a field's name in capitals is not found");
}


/* What an import would refuse is not counted as a success. */

static void
test_success(judge_arena_t *arena)
{
    judge_buf_t      table;
    judge_columns_t  out;

    judge_buf_init(&table, arena);
    judge_buf_printf(&table, "title,text\n%0256d,The title is too long.\n"
                     "Short,This one is short enough for it.\n"
                     "Empty,\nMany,The fields are,too many.\n", 0);
    judge_buf_append(&table, "", 1);

    t_is_int(detect(arena, judge_buf_view(&table).data, ALL, 0.5, &out),
             JUDGE_OK, "a sample whose rows have faults is taken");
    t_ok(out.success_rate == 0.25, "three of four cannot be imported");
    t_is_int((int64_t) out.nrecords, 1,
             "the one row that can be imported is shown");
    t_is_str(out.records[0][0], "Short",
             "the row that is shown has all that an import needs");
}


/* A recommendation is made once, however many columns ask for it. */

static void
test_once(judge_arena_t *arena)
{
    size_t           i, n;
    judge_columns_t  out;

    t_is_int(detect(arena, "title,text\nCaf\xc3\x83\xc2\xa9,The"
                    " caf\xc3\x83\xc2\xa9 was closed all day long.\n"
                    "Bar,The bar was open until the morning.\n",
                    ALL, 0.5, &out),
             JUDGE_OK,
             "a sample with damaged letters in two columns is taken");

    for (i = 0, n = 0; i < out.recommendations.n; i++) {
        n += judge_str_starts(out.recommendations.items[i],
                              JUDGE_STR("Export the file again"));
    }

    t_is_int((int64_t) n, 1, "a recommendation for two columns is made once");
}


static void
test_refused(judge_arena_t *arena)
{
    char                    *large;
    judge_str_t              error;
    judge_buf_t              wide;
    judge_columns_t          out;
    judge_columns_request_t  request = { .expected = ALL };

    t_is_int(detect(arena, "", ALL, 0.5, &out), JUDGE_INVALID,
             "an empty sample is refused");
    t_is_int(detect(arena, " \n\n", ALL, 0.5, &out), JUDGE_INVALID,
             "a sample of white space is refused");
    t_is_int(detect(arena, "a,b\n\xff,c\n", ALL, 0.5, &out), JUDGE_INVALID,
             "a sample that is not UTF-8 is refused");

    request.csv_sample = JUDGE_STR("a,b\n1,\0\n");
    t_is_int(judge_columns_detect(arena, &request, &out, &error),
             JUDGE_INVALID, "a sample with a zero byte is refused");
    t_is_str(error, "csv_sample: expected text without zero bytes",
             "the error says that zero bytes are not taken");

    large = judge_alloc(arena, JUDGE_COLUMNS_SAMPLE_MAX + 1);
    memset(large, 'a', JUDGE_COLUMNS_SAMPLE_MAX + 1);
    request.csv_sample = (judge_str_t) { JUDGE_COLUMNS_SAMPLE_MAX + 1, large };
    t_is_int(judge_columns_detect(arena, &request, &out, &error),
             JUDGE_INVALID, "a sample that is too long is refused");

    judge_buf_init(&wide, arena);

    for (int i = 0; i < 1001; i++) {
        judge_buf_printf(&wide, "c%d,", i);
    }

    request.csv_sample = judge_buf_view(&wide);
    t_is_int(judge_columns_detect(arena, &request, &out, &error),
             JUDGE_INVALID, "a table of 1,002 columns is refused");
    t_is_str(error, "csv_sample: line 1: the number of columns is above 1000",
             "the error says how many columns there may be");
}


/* As much as is allowed, of what costs most. */

static void
test_large(judge_arena_t *arena)
{
    char             *p;
    size_t            i;
    judge_columns_t   out;
    static const char *const  units[] = { ",\n", "a,b,c,d\n", "\"\"\n", "x\n",
                                          "=1;2|3\t4,5\n" };

    p = judge_alloc(arena, JUDGE_COLUMNS_SAMPLE_MAX + 16);
    memset(p, 0, JUDGE_COLUMNS_SAMPLE_MAX + 16);

    for (size_t u = 0; u < sizeof(units) / sizeof(units[0]); u++) {
        size_t  len;

        len = strlen(units[u]);

        for (i = 0; i + len <= JUDGE_COLUMNS_SAMPLE_MAX; i += len) {
            memcpy(p + i, units[u], len);
        }

        p[i] = '\0';
        t_is_int(detect(arena, p, ALL, 0.5, &out), JUDGE_OK,
                 "a mebibyte of rows is taken: case %zu", u);
    }
}


int
main(void)
{
    size_t          files;
    judge_arena_t  *arena;

    arena = judge_arena_create(65536);
    if (arena == NULL) {
        return 1;
    }

    files = golden_run("t/data/csv", ".csv", csv_file);
    t_ok(files >= 30, "the %zu files are 30 at least", files);

    test_request(arena);
    test_success(arena);
    test_once(arena);
    test_refused(arena);
    test_large(arena);

    judge_arena_destroy(arena);

    return t_done();
}
