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


typedef struct judge_extract  judge_extract_t;

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
    JUDGE_SKIP_MALFORMED,              /* its type or its syntax is wrong */
    JUDGE_SKIP_NO_TEXT,                /* the text is absent or empty */
    JUDGE_SKIP_SAMPLED_OUT,
    JUDGE_SKIP_LIMITED,                /* the rate is exceeded */
    JUDGE_SKIP_DROPPED,                /* too many wait, or too late */
    JUDGE_SKIP_NO_JUDGE,               /* the organization has no such judge
                                          of texts */
    JUDGE_SKIP_FAILED,                 /* an error of store or memory */
    JUDGE_SKIP_CHARSET,                /* an unsupported one */
    JUDGE_SKIP_REDACT,                 /* redaction exceeded its budget */
    JUDGE_SKIP_UNMASKED,               /* it can't be rewritten with masks */
    JUDGE_SKIP_NOT_JUDGED,             /* no criterion of the judge could */
    JUDGE_SKIP_COUNT
} judge_skip_e;

const char *judge_skip_name(judge_skip_e skip);

typedef enum {
    JUDGE_EXTRACT_TEXT,
    JUDGE_EXTRACT_JSON,
    JUDGE_EXTRACT_EVENTS,
    JUDGE_EXTRACT_FORM,                /* the forms, which only requests have,
                                          must be last */
    JUDGE_EXTRACT_MULTIPART
} judge_extract_kind_e;

#define JUDGE_EXTRACT_ID     256       /* bytes of an answer's identifier */
#define JUDGE_EXTRACT_STEPS  16
#define JUDGE_EXTRACT_OWN_BOUNDARY  32 /* hexadecimal digits of a boundary that
                                          is written; without a zero */
#define JUDGE_EXTRACT_ALL    INT64_MAX

/* The path of a text in JSON: "$.a.b[0].c"; [*] means all elements. */
typedef struct {
    struct {
        judge_str_t  key;              /* absent: use the index */
        int64_t      index;            /* or JUDGE_EXTRACT_ALL */
    } steps[JUDGE_EXTRACT_STEPS];
    size_t  n;
} judge_extract_path_t;

/* The provider in whose format a stream reports an error. */
typedef enum {
    JUDGE_EXTRACT_OTHER,
    JUDGE_EXTRACT_OPENAI_CHAT,
    JUDGE_EXTRACT_OPENAI_RESPONSES,
    JUDGE_EXTRACT_ANTHROPIC,
    JUDGE_EXTRACT_GOOGLE
} judge_extract_provider_e;

/* The paths of texts in the requests and answers of an API. */
typedef struct {
    const char               *name;    /* NULL: the operator's own path */
    judge_extract_provider_e  provider;
    const char               *anchor;  /* the member of an answer with its
                                          texts; NULL: use `path` */
    const char               *asked;   /* that of a request */
    bool                      ends;    /* a stream without its last event is
                                          incomplete */
    judge_extract_path_t      path;
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

/* Appends the texts at the path from a step on; begin with step 0.  Returns
 * whether a member differs from a step only by upper and lower case, so that
 * some servers take it for that one; alike(): whether one differs so from a
 * name. */
bool judge_extract_at(const judge_extract_path_t *path, size_t step,
    const judge_json_t *v, judge_buf_t *out);
bool judge_extract_alike(const judge_json_t *object, const char *const *names);

/* Adds the text of a request to a language model.  Returns JUDGE_SKIP_NONE if
 * all servers read the same messages and roles in it, and the last message of
 * the user has only parts that are read or may pass unread; else why not. */
judge_skip_e judge_extract_request(judge_extract_t *e,
    const judge_json_t *root);

/* Sets the kind by a Content-Type, or returns why such bodies can't be judged;
 * for JUDGE_SKIP_CHARSET the kind is set, too. */
judge_skip_e judge_extract_kind(judge_str_t type, judge_extract_kind_e *kind);

/* Whether a Content-Type has the charset Windows-1252, or a subset of it. */
bool judge_extract_legacy(judge_str_t type);

/* Whether a list, parted by commas, has the type; subtypes may be '*'. */
bool judge_extract_type_listed(judge_str_t type, judge_str_t list);

/* Whether the string is a token of RFC 9110; whether it has control
 * characters. */
bool judge_extract_is_token(judge_str_t s);
bool judge_extract_control(judge_str_t s);

/* Takes `name=value` and the ';' after it from *rest; false: readers may parse
 * it differently, such as escapes or single quotes. */
bool judge_extract_param(judge_str_t *rest, judge_str_t *name,
    judge_str_t *value);

/* Returns the boundary of a Content-Type; absent: there is none, or readers
 * may find different ones. */
judge_str_t judge_extract_boundary(judge_str_t type);

/* Replaces the form in `raw` by the values of its fields, one per line, in the
 * form's charset, without files.  What servers may parse differently is
 * malformed. */
judge_skip_e judge_extract_form(judge_extract_t *e, judge_arena_t *arena);

/* Appends JSON that was parsed to e->anew, in the one form in which it was
 * read, if e->rewrite is set. */
void judge_extract_anew_json(judge_extract_t *e, judge_arena_t *arena);

/* Appends the Content-Type of a rewritten body; `boundary` is only used for
 * MULTIPART. */
void judge_extract_anew_type(judge_buf_t *out, judge_str_t type,
    judge_extract_kind_e kind, const char *boundary);

/* Callbacks for a stream of events while it is read; its texts are not
 * collected then. */
typedef struct {
    /* Gets a piece of an answer, and may replace it.  Pieces with the same key
     * make one text; a `whole` piece is a text of its own. */
    void  (*piece)(void *data, uint64_t key, judge_str_t *text, bool whole);
    /* Gets the bytes of an event after its last piece. */
    void  (*event)(void *data, judge_str_t raw);
    void   *data;
} judge_extract_watch_t;

/* A body. */
struct judge_extract {
    judge_extract_kind_e           kind;
    judge_str_t                    type;       /* Content-Type, only needed
                                                  for MULTIPART */
    judge_extract_formats_t        formats;
    bool                           request;    /* use `asked` of the
                                                  formats */
    bool                           unicode;    /* refuse text that is not
                                                  UTF-8: some readers take its
                                                  bytes for letters, others
                                                  replace them */
    const judge_str_t             *fields;     /* the fields of a form to read;
                                                  none: all */
    size_t                         nfields;
    judge_str_t                    passing;    /* types of files in forms or
                                                  messages that pass unread,
                                                  parted by commas */
    bool                           rewrite;    /* write `anew` */
    size_t                         max;        /* bytes, see begin() */
    judge_buf_t                    raw;        /* the body; of a stream only
                                                  the incomplete event */
    judge_buf_t                    text;       /* UTF-8, once finished */
    judge_buf_t                    anew;       /* the body, written anew from
                                                  what was read, without
                                                  Content-Encoding */
    char                           boundary[JUDGE_EXTRACT_OWN_BOUNDARY];
                                               /* of the parts in `anew` */
    struct judge_extract_lane     *lanes;      /* texts of a stream, one by
                                                  key, which are joined at its
                                                  end */
    size_t                         nlanes;
    size_t                         length;     /* bytes in all lanes */
    uint64_t                       compared;   /* bytes searched for repeats */
    bool                           repeats;    /* this event may repeat earlier
                                                  text */
    judge_inflate_t               *inflate;    /* NULL: not compressed */
    const judge_extract_watch_t   *watch;      /* or NULL */
    bool                           ended;      /* the last event was read */
    judge_json_t                  *root;       /* the parsed JSON, in the arena
                                                  of finish() */
    const judge_extract_format_t  *format;     /* the one that matched */
    int64_t                        events;     /* number of parsed events */
    size_t                         id_len;     /* 0: there is none */
    char                           id[JUDGE_EXTRACT_ID];  /* the provider's
                                                  identifier of the answer, not
                                                  zero-terminated */
    judge_skip_e                   skip;
};

/*
 * begin() needs a zeroed struct; the members from `type` to `rewrite` may be
 * set before or after it, but before feed().  `formats` must not be empty for
 * JSON and EVENTS.  `coding` is the Content-Encoding, or absent.  `max` bounds
 * each of these: the body as it was sent, unless it is a stream; the inflated
 * body, or one event of a stream; and the text.
 * Memory is on the heap until judge_extract_free(), which may be called
 * repeatedly.  An error sets `skip` and frees the memory.  feed() only copies,
 * except that it parses events; file() feeds an open file; finish() parses
 * other bodies, perhaps in a thread.  They use the arena only during the call.
 */
void judge_extract_begin(judge_extract_t *e, judge_extract_kind_e kind,
    judge_str_t coding, size_t max);
void judge_extract_feed(judge_extract_t *e, judge_arena_t *arena,
    const char *data, size_t len);
void judge_extract_file(judge_extract_t *e, judge_arena_t *arena, int file);
void judge_extract_finish(judge_extract_t *e, judge_arena_t *arena);
void judge_extract_free(judge_extract_t *e);

/* Joins the lines "data:" of an event; absent: it has none. false: readers may
 * parse a line differently. */
bool judge_extract_data(judge_arena_t *arena, judge_str_t raw,
    judge_str_t *data);

/* Ends the input: sets e->skip if there was none or if compressed data are
 * incomplete, inflates e->raw unless it is a stream, and frees the decoder.
 * finish() calls it; it may be called before. */
void judge_extract_end_input(judge_extract_t *e, judge_arena_t *arena);

/* Sets e->skip, and frees the memory. */
void judge_extract_skip(judge_extract_t *e, judge_skip_e skip);

/* Writes the event by which a provider reports an error in a stream; `number`
 * is that of the event, `code` is for programs.  Absent: no memory. */
judge_str_t judge_extract_error(judge_arena_t *arena,
    judge_extract_provider_e provider, int64_t number, const char *code,
    judge_str_t message);

/* _answer() and _delta() add the texts of an answer, or of an event, to
 * lanes.  _add() adds a text to the lane with that key, after `before` if the
 * lane is not empty.  _join() appends all lanes, each on a line of its own. */
judge_skip_e judge_extract_answer(judge_extract_t *e,
    const judge_json_t *root);
judge_skip_e judge_extract_delta(judge_extract_t *e, const judge_json_t *root);
void judge_extract_add(judge_extract_t *e, uint64_t key, judge_str_t text,
    const char *before);
void judge_extract_join(const judge_extract_t *e, judge_buf_t *out);
void judge_extract_lanes_free(judge_extract_t *e);

/* Copies the text of a stream so far, as if the stream had ended. */
void judge_extract_snapshot(const judge_extract_t *e, judge_extract_t *so_far);

/* Bytes of memory in use. */
size_t judge_extract_size(const judge_extract_t *e);


#endif /* JUDGE_EXTRACT_H */
