/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Extracts text from bodies that pass through a server: from plain text, from
 * JSON by a path, from forms, and from event streams of language models, whose
 * pieces are joined.  Bodies may be compressed.
 */


#ifndef JUDGE_EXTRACT_H
#define JUDGE_EXTRACT_H


#include "extensions/traffic/inflate.h"
#include "base/json/json.h"


/* Why a text was not judged. */
typedef enum {
    JUDGE_SKIP_NONE,
    JUDGE_SKIP_TYPE,                   /* not text, JSON, a form or events */
    JUDGE_SKIP_ENCODING,               /* an unknown Content-Encoding */
    JUDGE_SKIP_NO_BODY,                /* HEAD, 204, 304 and so on */
    JUDGE_SKIP_STATUS,                 /* an error or a partial response */
    JUDGE_SKIP_TOO_LARGE,
    JUDGE_SKIP_CUT_OFF,                /* it is incomplete */
    JUDGE_SKIP_BINARY,
    JUDGE_SKIP_MALFORMED,              /* its type is wrong, or its form */
    JUDGE_SKIP_NO_TEXT,                /* none at the path, or empty */
    JUDGE_SKIP_SAMPLED_OUT,
    JUDGE_SKIP_LIMITED,                /* the rate is exceeded */
    JUDGE_SKIP_DROPPED,                /* too many, or too late */
    JUDGE_SKIP_NO_JUDGE,               /* the organization has no such judge
                                          of texts */
    JUDGE_SKIP_FAILED,                 /* an error of store or memory */
    JUDGE_SKIP_CHARSET,                /* an unsupported one */
    JUDGE_SKIP_REDACT,                 /* redaction exceeded its budget */
    JUDGE_SKIP_UNMASKED,               /* it can't be written with what
                                          judge_detect masks */
    JUDGE_SKIP_COUNT
} judge_skip_e;

const char *judge_skip_name(judge_skip_e skip);

typedef enum {
    JUDGE_EXTRACT_TEXT,
    JUDGE_EXTRACT_JSON,
    JUDGE_EXTRACT_EVENTS,
    JUDGE_EXTRACT_FORM,                /* only in requests */
    JUDGE_EXTRACT_MULTIPART
} judge_extract_kind_e;

#define JUDGE_EXTRACT_ID     256       /* bytes of an answer's identifier */
#define JUDGE_EXTRACT_STEPS  16
#define JUDGE_EXTRACT_CHANCE 32        /* bytes of a boundary */
#define JUDGE_EXTRACT_ALL    INT64_MAX

/* The path of a text in JSON: "$.a.b[0].c"; [*] means all elements. */
typedef struct {
    struct {
        judge_str_t  key;              /* absent: use the index */
        int64_t      index;            /* or JUDGE_EXTRACT_ALL */
    } steps[JUDGE_EXTRACT_STEPS];
    size_t  n;
} judge_extract_path_t;

/* Whose format an error at the end of a stream must have. */
typedef enum {
    JUDGE_EXTRACT_OTHER,
    JUDGE_EXTRACT_OPENAI_CHAT,
    JUDGE_EXTRACT_OPENAI_RESPONSES,
    JUDGE_EXTRACT_ANTHROPIC,
    JUDGE_EXTRACT_GOOGLE
} judge_extract_provider_e;

/* The paths of texts in the requests and answers of an API. */
typedef struct {
    judge_extract_provider_e  provider;
    const char           *anchor;      /* the member of an answer that has its
                                          texts; NULL: they are at the path
                                          `answer` */
    judge_extract_path_t  answer;
    judge_extract_path_t  request;
    bool                  ends;        /* a stream without its last event is
                                          incomplete */
} judge_extract_format_t;

typedef struct {
    const judge_extract_format_t *formats;     /* the first one that finds a
                                                  text is used */
    size_t                        n;
} judge_extract_formats_t;

/* Parses "auto", "openai-chat", "openai-responses", "anthropic-messages",
 * "google-generate" or a path, which is not copied.  false: the name is none
 * of these. */
bool judge_extract_formats(judge_arena_t *arena, judge_str_t name,
    judge_extract_formats_t *formats);
bool judge_extract_path(judge_str_t text, judge_extract_path_t *path);

/* Appends the texts at the path. */
void judge_extract_at(const judge_extract_path_t *path,
    const judge_json_t *root, judge_buf_t *out);

/* JUDGE_SKIP_NONE: all servers read the same messages and roles in a request
 * to a language model, and the user's last one has only what is read or may
 * pass unread; else why not. */
typedef struct judge_extract judge_extract_t;
judge_skip_e judge_extract_asked(const judge_extract_t *e,
    const judge_json_t *root);

/* Whether some members on the path are called as its steps but for the case of
 * letters, so that servers may take them for those; step: 0. */
bool judge_extract_ambiguous(const judge_extract_path_t *path, size_t step,
    const judge_json_t *root);
bool judge_extract_alike(const judge_json_t *object, const char *const *names);

/* Sets the kind for a Content-Type, or returns why such bodies can't be
 * judged; with CHARSET the kind is set. */
judge_skip_e judge_extract_kind(judge_str_t type, judge_extract_kind_e *kind);

/* Whether a Content-Type says that a text is in Windows-1252, or a part of
 * that. */
bool judge_extract_legacy(judge_str_t type);

/* Whether a list of types, whose subtypes may be '*', has the type. */
bool judge_extract_named(judge_str_t type, const judge_str_t *list, size_t n);

/* Whether the string is a token by RFC 9110; whether it has control
 * characters. */
bool judge_extract_is_token(judge_str_t s);
bool judge_extract_control(judge_str_t s);

/* Splits `name=value` off the rest, with the ';' behind.  false: readers may
 * understand it differently, as with escapes or single quotes. */
bool judge_extract_param(judge_str_t *rest, judge_str_t *name,
    judge_str_t *value);

/* The boundary of a Content-Type; absent: there is none, or readers may find
 * different ones. */
judge_str_t judge_extract_boundary(judge_str_t type);

/* Replaces the form in `raw` by the values of its fields, one per line, in the
 * form's charset, without files.  What servers may parse differently is
 * malformed. */
judge_skip_e judge_extract_form(judge_extract_t *e, judge_arena_t *arena);

/* Splits s at the byte, which is dropped, and returns the first part. */
judge_str_t judge_extract_until(judge_str_t *s, char byte);

/* A part of a form. */
typedef struct {
    judge_str_t  name;
    judge_str_t  filename;             /* absent: it is a text */
    judge_str_t  type;                 /* absent: none was given */
    judge_str_t  value;
    bool         encoded;              /* by its Content-Transfer-Encoding */
} judge_extract_part_t;

/* Where `rewrite` is set these append to `anew`; JSON must have been parsed.
 * _boundary() is false if there is no chance. */
void judge_extract_anew_pair(judge_extract_t *e, judge_str_t name,
    judge_str_t value);
bool judge_extract_anew_boundary(judge_extract_t *e);
void judge_extract_anew_part(judge_extract_t *e,
    const judge_extract_part_t *part);
void judge_extract_anew_last(judge_extract_t *e);
void judge_extract_anew_json(judge_extract_t *e);

/* Appends the Content-Type of a body that was written anew; `boundary` is that
 * of MULTIPART. */
void judge_extract_anew_type(judge_buf_t *out, judge_str_t type,
    judge_extract_kind_e kind, const char *boundary);

/* Functions to which a stream of events is given while it is read; its texts
 * are not collected then. */
typedef struct {
    /* Gets a piece of an answer, and may replace it.  Pieces with the same key
     * make one text; a `whole` one is a text of its own. */
    void  (*said)(void *data, uint64_t key, judge_str_t *text, bool whole);
    /* Gets the bytes of an event after its last piece. */
    void  (*event)(void *data, judge_str_t raw);
    void   *data;
} judge_extract_watch_t;

/* A body; of it and of its text at most `max` bytes are in memory. */
struct judge_extract {
    judge_extract_kind_e           kind;
    judge_str_t                    type;       /* Content-Type, only needed
                                                  for MULTIPART */
    judge_extract_formats_t        formats;
    bool                           request;    /* formats: use `request` */
    bool                           unicode;    /* text that is not UTF-8 is
                                                  refused: some readers take
                                                  its bytes for letters, others
                                                  replace them */
    const judge_str_t             *fields;     /* fields of a form to read; all
                                                  if there are none */
    size_t                         nfields;
    const judge_str_t             *passing;    /* types of files in a form or a
                                                  message that
                                                  pass unread */
    size_t                         npassing;
    bool                           rewrite;    /* `anew` is made */
    size_t                         max;
    judge_buf_t                    raw;        /* the body; of a stream only
                                                  the incomplete event */
    judge_buf_t                    text;       /* UTF-8, once finished */
    judge_buf_t                    anew;       /* the body of a request in the
                                                  form in which it was read,
                                                  without encoding; */
    char                           boundary[JUDGE_EXTRACT_CHANCE];   /* of its
                                                  parts */
    struct judge_extract_lane     *lanes;      /* texts of a stream that are
                                                  put together, one by key,
                                                  until it has ended */
    size_t                         nlanes;
    size_t                         length;     /* bytes in all lanes */
    uint64_t                       compared;   /* bytes in which repeated text
                                                  was looked for: a budget */
    bool                           again;      /* this event may repeat the
                                                  text of earlier ones */
    judge_inflate_t               *inflate;    /* NULL: not compressed */
    const judge_extract_watch_t   *watch;      /* or NULL */
    bool                           ended;      /* the last event was seen */
    const judge_extract_format_t  *seen;       /* the one that has matched */
    int64_t                        events;     /* number of parsed events */
    size_t                         id_len;     /* 0: there is none */
    char                           id[JUDGE_EXTRACT_ID];  /* the provider's
                                                  identifier of the answer, not
                                                  zero-terminated */
    judge_skip_e                   skip;
};

/*
 * `coding` is the Content-Encoding, or absent.  Memory is on the heap until
 * judge_extract_free(), which may be called repeatedly.  An error sets `skip`
 * and frees the memory.  feed() only copies, but parses events at once;
 * finish() parses other bodies, maybe in a thread.  Both use the arena only
 * during the call.
 */
void judge_extract_begin(judge_extract_t *e, judge_extract_kind_e kind,
    judge_str_t coding, size_t max);
void judge_extract_feed(judge_extract_t *e, judge_arena_t *arena,
    const char *data, size_t len);
void judge_extract_finish(judge_extract_t *e, judge_arena_t *arena);
void judge_extract_free(judge_extract_t *e);

/* Joins the lines "data:" of an event, absent if it has none.  false: readers
 * may understand a line differently. */
bool judge_extract_data(judge_arena_t *arena, judge_str_t raw,
    judge_str_t *data);

/* Inflates all of a body that is no stream, in e->raw. */
void judge_extract_whole(judge_extract_t *e, judge_arena_t *arena);
void judge_extract_skip(judge_extract_t *e, judge_skip_e skip);

/* Builds the event with which the provider would report an error in a stream;
 * `number` is the event's, `code` is for programs.  Absent: no memory. */
judge_str_t judge_extract_error(judge_arena_t *arena,
    judge_extract_provider_e provider, int64_t number, const char *code,
    judge_str_t message);

/* Add the texts of an answer, or of one event, to lanes; _add() adds a text to
 * the lane with that key, behind `before` if the lane has one already.
 * _join() appends all lanes, each on a line of its own. */
judge_skip_e judge_extract_answer(judge_extract_t *e,
    const judge_json_t *root);
judge_skip_e judge_extract_delta(judge_extract_t *e, const judge_json_t *root);
void judge_extract_add(judge_extract_t *e, uint64_t key, judge_str_t text,
    const char *before);
void judge_extract_join(const judge_extract_t *e, judge_buf_t *out);
void judge_extract_lanes_free(judge_extract_t *e);
size_t judge_extract_lanes_size(const judge_extract_t *e);

/* Copies the text of a stream so far, as if the stream had ended. */
void judge_extract_snapshot(const judge_extract_t *e, judge_extract_t *so_far);

/* Bytes of memory in use. */
size_t judge_extract_size(const judge_extract_t *e);


#endif /* JUDGE_EXTRACT_H */
