/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A file, its best picture and sound streams, and their decoders.  It is read
 * from a descriptor; nothing else is opened, whatever the file asks for.
 */


#ifndef JUDGE_DECODE_H
#define JUDGE_DECODE_H


#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

#include "measure.h"


typedef struct {
    AVCodecContext  *decoder;          /* NULL: there is none */
    AVStream        *stream;
    double           at;               /* s, of the frame decoded last: its
                                          begin */
    double           end;              /* and its end */
    int64_t          packets;
    int64_t          broken;           /* of them */
    int64_t          pixels;           /* of a picture, at most */
    bool             too_large;        /* there was one with more */
} judge_stream_t;

typedef struct {
    int               fd;
    int64_t           at;              /* in the file */
    int64_t           size;
    AVIOContext      *io;
    AVFormatContext  *format;
    judge_stream_t    picture;
    judge_stream_t    sound;
    double            start;           /* s, of the file's clock */
} judge_decode_t;

judge_measure_code_e judge_decode_open(judge_decode_t *d, int fd,
    const judge_measure_limits_t *limits);
void judge_decode_close(judge_decode_t *d);

/* Lets other processes that have the descriptor see how far it has come: the
 * offset of the open file, which nothing here reads by. */
void judge_decode_progress(const judge_decode_t *d, int64_t position);

/* How long a frame is shown, in units of its stream, or 0. */
int64_t judge_decode_duration(const AVFrame *f);

/* The turn of the picture by 90 or 270 degrees when it is shown. */
bool judge_decode_turned(const judge_decode_t *d);

judge_measure_code_e judge_decode_code(int averror);


#endif /* JUDGE_DECODE_H */
