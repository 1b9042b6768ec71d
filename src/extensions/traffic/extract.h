/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The text in what passes through a server: in plain bodies, in JSON by a
 * path, and in streams of events as language models send them, put together
 * from their pieces.  Bodies may be compressed.
 */


#ifndef JUDGE_EXTRACT_H
#define JUDGE_EXTRACT_H


#include "extensions/traffic/inflate.h"
#include "base/json/json.h"


/* Why something was not judged. */
typedef enum {
    JUDGE_SKIP_NONE,
    JUDGE_SKIP_TYPE,                   /* neither text nor JSON nor events */
    JUDGE_SKIP_ENCODING,               /* a Content-Encoding not known here */
    JUDGE_SKIP_NO_BODY,                /* HEAD, 204, 304 and so on */
    JUDGE_SKIP_STATUS,                 /* no answer of success, or a part */
    JUDGE_SKIP_TOO_LARGE,
    JUDGE_SKIP_CUT_OFF,                /* it ended before its end */
    JUDGE_SKIP_BINARY,
    JUDGE_SKIP_MALFORMED,              /* not what its type says */
    JUDGE_SKIP_NO_TEXT,                /* nothing at the path, or empty */
    JUDGE_SKIP_SAMPLED_OUT,
    JUDGE_SKIP_LIMITED,                /* over the rate */
    JUDGE_SKIP_DROPPED,                /* no room */
    JUDGE_SKIP_NO_JUDGE,               /* no such judge of this organization,
                                          or none of text */
    JUDGE_SKIP_FAILED,                 /* the store, or no memory */
    JUDGE_SKIP_CHARSET,                /* one that is not read here */
    JUDGE_SKIP_REDACT,                 /* what it is to take out, takes long */
    JUDGE_SKIP_COUNT
} judge_skip_e;

const char *judge_skip_name(judge_skip_e skip);

typedef enum {
    JUDGE_EXTRACT_TEXT,
    JUDGE_EXTRACT_JSON,
    JUDGE_EXTRACT_EVENTS,
    JUDGE_EXTRACT_FORM,                /* of requests only */
    JUDGE_EXTRACT_MULTIPART
} judge_extract_kind_e;

#define JUDGE_EXTRACT_STEPS  16
#define JUDGE_EXTRACT_ALL    INT64_MAX

/* Where a text lies in JSON: "$.a.b[0].c"; [*] are all elements. */
typedef struct {
    struct {
        judge_str_t  key;              /* absent: an element */
        int64_t      index;            /* JUDGE_EXTRACT_ALL */
    } steps[JUDGE_EXTRACT_STEPS];
    size_t  n;
} judge_extract_path_t;

/* Whose form errors in streams have. */
typedef enum {
    JUDGE_EXTRACT_OTHER,
    JUDGE_EXTRACT_OPENAI_CHAT,
    JUDGE_EXTRACT_OPENAI_RESPONSES,
    JUDGE_EXTRACT_ANTHROPIC
} judge_extract_provider_e;

/* Where texts lie in the requests and answers of a service. */
typedef struct {
    judge_extract_provider_e  provider;
    judge_extract_path_t  answer;
    judge_extract_path_t  delta;       /* in an event */
    judge_extract_path_t  request;
    const char           *event;       /* the type of events that bring text;
                                          NULL: any */
    const char           *last;        /* that of the last one, or its data;
                                          NULL: streams have no such */
} judge_extract_format_t;

typedef struct {
    const judge_extract_format_t *formats;     /* the first that gives a text
                                                  counts */
    size_t                        n;
} judge_extract_formats_t;

/* "auto", one of the names openai-chat, openai-responses, anthropic-messages,
 * or a path of one's own; it stays in place.  false: it is none of these. */
bool judge_extract_formats(judge_arena_t *arena, judge_str_t name,
    judge_extract_formats_t *formats);
bool judge_extract_path(judge_str_t text, judge_extract_path_t *path);

/* Appends the texts that lie there. */
void judge_extract_at(const judge_extract_path_t *path,
    const judge_json_t *root, judge_buf_t *out);

/* What a Content-Type, without or with parameters, says; false: nothing that
 * can be judged. */
bool judge_extract_kind(judge_str_t type, judge_extract_kind_e *kind);

/* Whether such a Content-Type says that the text is not to be seen here. */
bool judge_extract_hides(judge_str_t type);

/* Makes of the form in `raw` the texts of its fields, one below the other, in
 * any charset; parts with a filename= are left out.  Of parts what servers
 * could read in different ways is malformed, or counts as a field. */
typedef struct judge_extract judge_extract_t;
judge_skip_e judge_extract_form(judge_extract_t *e, judge_arena_t *arena);

/* What stands before the byte, which is taken as well. */
judge_str_t judge_extract_until(judge_str_t *s, char byte);

/* One body; no more than `max` bytes of it are kept, nor of its text. */
struct judge_extract {
    judge_extract_kind_e           kind;
    judge_str_t                    type;       /* the Content-Type; of forms
                                                  of parts only */
    judge_extract_formats_t        formats;
    bool                           request;    /* the path is theirs */
    const judge_str_t             *fields;     /* of forms, */
    size_t                         nfields;    /* if not all */
    size_t                         max;
    judge_buf_t                    raw;        /* of an event: the one that
                                                  is under way */
    judge_buf_t                    text;       /* UTF-8 */
    judge_inflate_t               *inflate;    /* NULL: not compressed */
    bool                           ended;      /* the last event was seen */
    const judge_extract_format_t  *seen;       /* that gave a text */
    int64_t                        events;     /* that were read */
    judge_skip_e                   skip;
};

/*
 * `coding` is the Content-Encoding, absent where there is none.  Memory is of
 * the heap: judge_extract_free() frees it, as often as wanted.  Errors stand
 * in `skip`; nothing is kept then.  feed() only copies, except of events,
 * which are read as they come; finish() reads the rest, maybe in a thread.
 * Both use the arena for the moment.
 */
void judge_extract_begin(judge_extract_t *e, judge_extract_kind_e kind,
    judge_str_t coding, size_t max);
void judge_extract_feed(judge_extract_t *e, judge_arena_t *arena,
    const char *data, size_t len);
void judge_extract_finish(judge_extract_t *e, judge_arena_t *arena);
void judge_extract_free(judge_extract_t *e);
void judge_extract_skip(judge_extract_t *e, judge_skip_e skip);

/* The event that ends such a stream as an error of its server does; `code` is
 * for programs, `number` that of the event.  Absent: no memory. */
judge_str_t judge_extract_error(judge_arena_t *arena,
    judge_extract_provider_e provider, int64_t number, const char *code,
    judge_str_t message);

/* The text of a stream so far, as one that is at its end. */
void judge_extract_snapshot(const judge_extract_t *e, judge_extract_t *so_far);

/* Bytes of memory that it holds now. */
size_t judge_extract_size(const judge_extract_t *e);


#endif /* JUDGE_EXTRACT_H */
