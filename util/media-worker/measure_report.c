/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What was measured, as JSON, and what went wrong, in words. */


#include <math.h>

#include "base/json/json.h"
#include "measure.h"


static void judge_measure_write_values(judge_json_writer_t *w,
    const judge_media_t *media);
static void judge_measure_write_spans(judge_json_writer_t *w,
    const judge_media_t *media);
static void judge_measure_write_error(judge_json_writer_t *w,
    judge_measure_code_e code);


static const struct {
    const char  *code;
    const char  *sentence;
} judge_measure_codes[] = {
    [JUDGE_MEASURE_OK] = { "OK", "measured" },
    [JUDGE_MEASURE_EMPTY] = { "EMPTY", "the file is empty" },
    [JUDGE_MEASURE_UNREADABLE] = { "UNREADABLE",
        "the file is of no known format, or its head is missing" },
    [JUDGE_MEASURE_NO_STREAM] = { "NO_STREAM",
        "there is no picture and no sound in the file" },
    [JUDGE_MEASURE_DAMAGED] = { "DAMAGED",
        "most of the file can't be decoded" },
    [JUDGE_MEASURE_TRUNCATED] = { "TRUNCATED",
        "the file ends before the time that its head tells" },
    [JUDGE_MEASURE_KIND] = { "KIND_MISMATCH",
        "the file is of another kind than was said" },
    [JUDGE_MEASURE_TOO_LARGE] = { "TOO_LARGE",
        "the pictures, or the channels of sound, are more than can be"
        " decoded" },
    [JUDGE_MEASURE_NO_MEMORY] = { "OUT_OF_MEMORY",
        "decoding the file takes more memory than it may" },
    [JUDGE_MEASURE_TIMED_OUT] = { "DECODE_TIMED_OUT",
        "decoding the file takes longer than it may" },
    [JUDGE_MEASURE_CRASHED] = { "DECODER_CRASHED",
        "the file makes its decoder crash" },
    [JUDGE_MEASURE_KILLED] = { "KILLED",
        "the measuring process was ended from outside" },
    [JUDGE_MEASURE_INTERNAL] = { "INTERNAL",
        "the worker could not look at the file" },
};


const char *
judge_measure_code(judge_measure_code_e code)
{
    return judge_measure_codes[code].code;
}


const char *
judge_measure_sentence(judge_measure_code_e code)
{
    return judge_measure_codes[code].sentence;
}


judge_rc_e
judge_measure_write(judge_buf_t *out, const judge_measure_report_t *r)
{
    judge_json_writer_t  w;

    judge_json_begin(&w, out);
    judge_json_object(&w);
    judge_json_put_c(&w, "status", r->code == JUDGE_MEASURE_OK ? "measured"
                                                               : "failed");
    judge_json_put_int(&w, "size", r->size);

    if (r->format[0]) {
        judge_json_put_c(&w, "format", r->format);
    }
    if (r->picture_codec[0]) {
        judge_json_put_c(&w, "picture_codec", r->picture_codec);
    }
    if (r->sound_codec[0]) {
        judge_json_put_c(&w, "sound_codec", r->sound_codec);
    }

    if (r->code == JUDGE_MEASURE_OK) {
        judge_json_put_c(&w, "kind", judge_media_kind_name(r->media.kind));
        judge_json_put_bool(&w, "has_sound", r->media.has_sound != 0);
        judge_json_put_number2(&w, "measured", r->media.measured);
        judge_measure_write_values(&w, &r->media);
        judge_measure_write_spans(&w, &r->media);

    } else {
        judge_measure_write_error(&w, r->code);
    }

    judge_json_object_end(&w);

    return judge_json_finish(&w);
}


static void
judge_measure_write_values(judge_json_writer_t *w, const judge_media_t *media)
{
    size_t  i;

    judge_json_key(w, "values");
    judge_json_object(w);

    for (i = 0; judge_media_name(i); i++) {
        if (!isnan(media->values[i])) {
            judge_json_put_number(w, judge_media_name(i),
                                  round(media->values[i] * 1e4) / 1e4);
        }
    }

    judge_json_object_end(w);
}


static void
judge_measure_write_spans(judge_json_writer_t *w, const judge_media_t *media)
{
    size_t                i, n;
    const judge_spans_t  *spans;

    judge_json_key(w, "spans");
    judge_json_object(w);

    for (i = 0; judge_media_span_name(i); i++) {
        spans = &media->spans[i];
        if (spans->count == 0) {
            continue;
        }

        judge_json_key(w, judge_media_span_name(i));
        judge_json_object(w);
        judge_json_put_int(w, "count", spans->count);
        judge_json_put_number2(w, "total", spans->total);
        judge_json_key(w, "first");
        judge_json_array(w);

        for (n = 0; n < spans->kept; n++) {
            judge_json_array(w);
            judge_json_number2(w, spans->from[n]);
            judge_json_number2(w, spans->to[n]);
            judge_json_array_end(w);
        }

        judge_json_array_end(w);
        judge_json_object_end(w);
    }

    judge_json_object_end(w);
}


static void
judge_measure_write_error(judge_json_writer_t *w, judge_measure_code_e code)
{
    judge_json_key(w, "error");
    judge_json_object(w);
    judge_json_put_c(w, "code", judge_measure_code(code));
    judge_json_put_c(w, "message", judge_measure_sentence(code));
    judge_json_object_end(w);
}
