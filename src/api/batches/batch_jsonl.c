/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <stdlib.h>
#include <string.h>

#include "api/batches/batch_map.h"


static int
judge_batch_jsonl_compare(const void *a, const void *b)
{
    int                         diff;
    judge_str_t                 x, y;
    const judge_batch_place_t  *one = a, *other = b;

    x = one->name;
    y = other->name;
    diff = memcmp(x.data, y.data, x.len < y.len ? x.len : y.len);

    return diff ? diff : (x.len > y.len) - (x.len < y.len);
}


static judge_rc_e
judge_batch_jsonl_wrong(judge_batch_jsonl_t *j, judge_str_t why)
{
    return judge_invalid(&j->error, judge_str_printf(j->arena,
               "line %llu: %.*s", (unsigned long long) j->lines,
               judge_str_args(why)));
}


static judge_rc_e
judge_batch_jsonl_names(judge_batch_jsonl_t *j, const judge_json_t *object)
{
    size_t               i;
    const judge_json_t  *v;
    judge_csv_row_t      row = { .nfields = object->count };

    if (object->count == 0 || object->count > JUDGE_CSV_COLUMNS_MAX) {
        return judge_batch_jsonl_wrong(j, JUDGE_STR("expected an object with 1"
                                                    " to 1000 members"));
    }

    j->nnames = object->count;
    j->names = judge_array_alloc(j->arena, j->nnames, sizeof(judge_str_t));
    j->places = judge_array_alloc(j->arena, j->nnames,
                                  sizeof(judge_batch_place_t));
    if (j->names == NULL || j->places == NULL) {
        return JUDGE_NOMEM;
    }

    for (v = object->first, i = 0; v; v = v->next, i++) {
        j->names[i] = judge_str_dup(j->arena, v->key);
        if (j->names[i].data == NULL) {
            return JUDGE_NOMEM;
        }
        j->places[i] = (judge_batch_place_t) { j->names[i], i };
    }

    qsort(j->places, j->nnames, sizeof(judge_batch_place_t),
          judge_batch_jsonl_compare);
    row.fields = j->names;

    return j->handler(j->data, &row);
}


static judge_rc_e
judge_batch_jsonl_cell(judge_arena_t *scratch, const judge_json_t *v,
    judge_str_t *cell)
{
    *cell = v->type == JUDGE_JSON_NULL ? JUDGE_STR("")
            : v->type == JUDGE_JSON_STRING ? v->string
            : judge_json_value_text(scratch, v);

    return cell->data ? JUDGE_OK : JUDGE_NOMEM;
}


/* Returns the index of a name; nnames: there is no such column.  The members
 * mostly stand in the order of the first line, where `next` is the index. */

static size_t
judge_batch_jsonl_column(const judge_batch_jsonl_t *j, judge_str_t name,
    size_t next)
{
    judge_batch_place_t         wanted = { name, 0 };
    const judge_batch_place_t  *found;

    if (next < j->nnames && judge_str_eq(name, j->names[next])) {
        return next;
    }

    found = bsearch(&wanted, j->places, j->nnames,
                    sizeof(judge_batch_place_t), judge_batch_jsonl_compare);

    return found ? found->column : j->nnames;
}


static judge_rc_e
judge_batch_jsonl_row(judge_batch_jsonl_t *j, judge_arena_t *scratch,
    const judge_json_t *object)
{
    size_t               i, next;
    judge_rc_e           rc;
    judge_str_t         *fields;
    const judge_json_t  *v;

    fields = judge_array_alloc(scratch, j->nnames, sizeof(judge_str_t));
    rc = fields ? JUDGE_OK : JUDGE_NOMEM;

    for (i = 0; i < j->nnames && rc == JUDGE_OK; i++) {
        fields[i] = JUDGE_STR("");
    }

    for (v = object->first, next = 0; v && rc == JUDGE_OK; v = v->next) {
        i = judge_batch_jsonl_column(j, v->key, next);
        if (i < j->nnames) {
            rc = judge_batch_jsonl_cell(scratch, v, &fields[i]);
            next = i + 1;
        }
    }

    return rc != JUDGE_OK ? rc
           : j->handler(j->data, &(judge_csv_row_t) {
                 .fields = fields, .nfields = j->nnames, .number = j->lines,
                 .line = j->lines
             });
}


static judge_rc_e
judge_batch_jsonl_line(judge_batch_jsonl_t *j, judge_str_t line)
{
    judge_rc_e      rc;
    judge_str_t     error;
    judge_json_t   *object;
    judge_arena_t  *scratch;

    j->lines++;
    line = judge_str_trim(line, " \t\r");
    if (line.len == 0) {
        return JUDGE_OK;
    }

    scratch = judge_arena_create(16 * 1024);
    if (scratch == NULL) {
        return JUDGE_NOMEM;
    }

    rc = judge_json_parse(scratch, line, &object, &error);
    if (rc == JUDGE_OK && object->type != JUDGE_JSON_OBJECT) {
        rc = JUDGE_INVALID;
        error = JUDGE_STR("expected a JSON object");
    }

    if (rc == JUDGE_INVALID) {
        rc = judge_batch_jsonl_wrong(j, error);
    }

    if (rc == JUDGE_OK && j->names == NULL) {
        rc = judge_batch_jsonl_names(j, object);
    }

    rc = rc ? rc : judge_batch_jsonl_row(j, scratch, object);

    judge_arena_destroy(scratch);

    return rc;
}


judge_rc_e
judge_batch_jsonl_feed(judge_batch_jsonl_t *j, judge_buf_t *text, bool all)
{
    size_t       begin, len;
    judge_rc_e   rc = JUDGE_OK;
    const char  *end;

    if (j->later && !all) {
        return JUDGE_OK;
    }

    for (begin = 0; begin < text->len && rc == JUDGE_OK; begin += len + 1) {
        end = memchr(text->data + begin + j->scanned, '\n',
                     text->len - begin - j->scanned);
        if (end == NULL && !all) {
            break;
        }

        len = end ? (size_t) (end - text->data) - begin : text->len - begin;
        j->scanned = 0;
        j->later = len > JUDGE_BATCH_JSONL_SHORT && !all;
        if (j->later) {
            break;
        }

        rc = judge_batch_jsonl_line(j, (judge_str_t) { len,
                                                       text->data + begin });
    }

    begin = begin < text->len ? begin : text->len;
    text->len -= begin;
    j->scanned = j->later ? 0 : text->len;

    if (begin && text->len) {
        memmove(text->data, text->data + begin, text->len);
    }

    return rc;
}
