/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What the columns of a table are: their types, which of them hold the
 * fields of a content, what is wrong with the data, and what an import would
 * make of it.  By the names of the columns and by their values; no model.
 */


#ifndef JUDGE_COLUMNS_H
#define JUDGE_COLUMNS_H


#include "base/csv/csv.h"


#define JUDGE_COLUMNS_SAMPLE_MAX  (1u << 20)   /* bytes */
#define JUDGE_COLUMNS_THRESHOLD   0.5          /* the default */

#define JUDGE_COLUMN_TITLE_MAX        255      /* characters */
#define JUDGE_COLUMN_DESCRIPTION_MAX  5000

typedef enum {
    JUDGE_COLUMN_CONTENT,
    JUDGE_COLUMN_TITLE,
    JUDGE_COLUMN_DESCRIPTION,
    JUDGE_COLUMN_CATEGORY,
    JUDGE_COLUMN_METADATA,
    JUDGE_COLUMN_ID,
    JUDGE_COLUMN_FIELDS
} judge_column_field_e;

/* The field of a column by another judgement, such as a language model's. */
typedef struct {
    int     field;                     /* negative: none */
    double  confidence;                /* 0 to 1 */
} judge_column_hint_t;

typedef struct {
    judge_str_t  csv_sample;           /* UTF-8, at most the maximum */
    unsigned     expected;             /* 1u << field, at least one */
    double       confidence_threshold; /* 0 to 1 */
    bool         suggest_transformations;
    const judge_column_hint_t  *hints; /* taken where there is one for each */
    size_t       nhints;               /* column; each field but metadata once
                                          at most */
} judge_columns_request_t;

#define JUDGE_COLUMN_SAMPLES   5
#define JUDGE_COLUMN_MARKS     7
#define JUDGE_COLUMNS_RECORDS  5
#define JUDGE_COLUMNS_NOTES    40

typedef struct {
    judge_str_t  items[JUDGE_COLUMNS_NOTES];             /* sentences */
    size_t       n;
} judge_column_notes_t;

typedef struct {
    judge_str_t            name;       /* "column_3" where it has none */
    size_t                 index;      /* from 0 */
    judge_column_field_e   field;      /* each once, but metadata often */
    double                 confidence; /* two decimals; at least the
                                          threshold */
    judge_str_t            samples[JUDGE_COLUMN_SAMPLES]; /* that differ, each
                                          at most 200 bytes */
    size_t                 nsamples;
    const char            *data_type;  /* integer number boolean date url
                                          email json category text long_text
                                          empty */
    judge_str_t            transformations[JUDGE_COLUMN_MARKS];
    size_t                 ntransformations;
} judge_column_t;

typedef struct {
    judge_csv_sniff_t       sniff;     /* the dialect that was found */
    judge_column_t         *detected;  /* in the order of the columns */
    size_t                  ndetected;
    judge_str_t            *unmapped;  /* names */
    size_t                  nunmapped;
    uint64_t                estimated_rows;              /* without header */
    judge_column_notes_t    issues;    /* of the file first */
    judge_column_notes_t    recommendations;
    judge_str_t            *records[JUDGE_COLUMNS_RECORDS]; /* a value for each
                                          of detected, absent where it is
                                          empty */
    size_t                  nrecords;
    double                  success_rate; /* 0 to 1, two decimals: share of
                                          the rows that an import takes */
} judge_columns_t;


/* What a field takes, here and in the import of batches. */
typedef struct {
    const char  *name;
    size_t       max;                  /* characters; 0: any number */
    bool         member;               /* kept in the item's metadata */
} judge_column_field_t;

extern const judge_column_field_t  judge_column_fields[JUDGE_COLUMN_FIELDS];

bool judge_column_field_find(judge_str_t name, judge_column_field_e *field);

/*
 * Everything in *out lies in `arena`.  JUDGE_INVALID: the sample is empty,
 * too long, not text, or has too many columns; *error, if not NULL, says so
 * and begins with "csv_sample: ".  JUDGE_NOMEM.
 */
judge_rc_e judge_columns_detect(judge_arena_t *arena,
    const judge_columns_request_t *request, judge_columns_t *out,
    judge_str_t *error);


#endif /* JUDGE_COLUMNS_H */
