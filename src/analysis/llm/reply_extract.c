/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Finds the one JSON object in what a model answered.  Asked for nothing but
 * that, some models think aloud before it, put a fence around it or explain
 * it: people would read past this, and so does this reader, which notes what
 * it was.  What could be two answers, or the item's own words, is no answer.
 */


#include <string.h>

#include "analysis/llm/llm_parts.h"


#define JUDGE_REPLY_TRIES  64          /* braces that may begin an answer */
#define JUDGE_REPLY_SPACE  " \t\r\n"
#define JUDGE_REPLY_FENCE  "```"

/* What was found among other words. */

typedef struct {
    judge_json_t  *root;               /* the answer; NULL: none yet */
    judge_str_t    piece;              /* where it stands in the text */
    size_t         others;             /* objects that are not the answer */
    judge_str_t    item;               /* the item's text without white space;
                                          absent: not needed yet */
    judge_str_t    error;              /* of the last piece that is not JSON */
} judge_reply_search_t;


const char *const  judge_tolerated_names[] = {
    "thoughts", "fence", "text", "score_as_string", NULL
};


static bool
judge_reply_has_key(judge_reply_reader_t *r, const judge_json_t *root)
{
    const judge_json_t  *key;

    key = judge_json_member(root, "key", JUDGE_JSON_STRING);

    return r->asked->key.data == NULL
           || (key && judge_str_eq(key->string, r->asked->key));
}


static judge_rc_e
judge_reply_none(judge_reply_reader_t *r, const judge_reply_search_t *search)
{
    if (search->others) {
        return judge_reply_invalid(r, "%s", r->asked->key.data
                   ? "key: expected the value that was given behind the item"
                   : "the JSON object in the answer is quoted from the item");
    }

    return judge_reply_invalid(r, "there is no JSON object%s in the"
                               " answer%s%.*s",
                               r->asked->rubric ? " with criteria" : "",
                               search->error.data ? ": " : "",
                               (int) search->error.len,
                               search->error.data ? search->error.data : "");
}


static judge_rc_e
judge_reply_whole(judge_reply_reader_t *r, judge_json_t *root)
{
    if (root->type != JUDGE_JSON_OBJECT) {
        return judge_reply_invalid(r, "the answer is %s, not an object",
                                   judge_json_type_name(root->type));
    }

    return judge_reply_has_key(r, root)
           ? JUDGE_OK
           : judge_reply_none(r, &(judge_reply_search_t) { .others = 1 });
}


/* Skips thoughts, because what is drafted in them is no answer.  If the server
 * has begun them itself, only their end is in the text. */

static judge_str_t
judge_reply_behind_thoughts(judge_str_t text)
{
    judge_str_t  thoughts, rest = text;

    if (*text.data == '{'
        || judge_str_starts(text, JUDGE_STR(JUDGE_REPLY_FENCE)))
    {
        return text;
    }

    while (judge_str_cut(&rest, JUDGE_STR("</think>"), &thoughts)) {
        /* void */
    }

    return rest.len < text.len ? judge_str_trim(rest, JUDGE_REPLY_SPACE)
                               : text;
}


/* Returns what follows the brace that closes the one at p; NULL: none does. */

static const char *
judge_reply_object_end(const char *p, const char *end)
{
    bool    string = false;
    size_t  depth = 0;

    for (/* void */; p < end; p++) {
        if (string) {
            if (*p == '\\' && p + 1 < end) {
                p++;
            } else if (*p == '"') {
                string = false;
            }
            continue;
        }

        if (*p == '"') {
            string = true;

        } else if (*p == '{') {
            depth++;

        } else if (*p == '}' && --depth == 0) {
            return p + 1;
        }
    }

    return NULL;
}


static judge_str_t
judge_reply_spaceless(judge_arena_t *arena, judge_str_t text)
{
    char    *out = judge_alloc(arena, text.len + 1);
    size_t   i, n;

    for (i = 0, n = 0; out && i < text.len; i++) {
        if (strchr(JUDGE_REPLY_SPACE, text.data[i]) == NULL) {
            out[n++] = text.data[i];
        }
    }

    return (judge_str_t) { n, out };
}


/* Whether an object is taken for a quotation of the item: it stands there,
 * however it is spaced, and no key tells an answer from it. */

static judge_rc_e
judge_reply_is_quoted(judge_reply_reader_t *r, judge_str_t piece,
    judge_reply_search_t *search, bool *quoted)
{
    *quoted = false;

    if (r->asked->key.data || r->asked->item == NULL
        || r->asked->item->text.len == 0)
    {
        return JUDGE_OK;
    }

    if (search->item.data == NULL) {
        search->item = judge_reply_spaceless(r->arena, r->asked->item->text);
    }

    piece = judge_reply_spaceless(r->arena, piece);
    if (search->item.data == NULL || piece.data == NULL) {
        return JUDGE_NOMEM;
    }

    *quoted = judge_str_find(search->item, piece) != NULL;

    return JUDGE_OK;
}


/* Takes a piece between balanced braces for the answer, if it may be that. */

static judge_rc_e
judge_reply_candidate(judge_reply_reader_t *r, judge_str_t piece,
    judge_reply_search_t *search)
{
    bool           quoted;
    judge_rc_e     rc;
    judge_json_t  *v;

    rc = judge_json_parse(r->arena, piece, &v, &search->error);

    if (rc == JUDGE_INVALID) {
        return JUDGE_OK;
    }

    if (rc != JUDGE_OK
        || (r->asked->rubric ? judge_json_get(v, "criteria")
            : r->asked->key.data ? judge_json_get(v, "key") : v) == NULL)
    {
        return rc;
    }

    rc = judge_reply_is_quoted(r, piece, search, &quoted);
    if (rc != JUDGE_OK) {
        return rc;
    }

    if (quoted || !judge_reply_has_key(r, v)) {
        search->others++;
        return JUDGE_OK;
    }

    if (search->root) {
        return judge_reply_invalid(r, "there is more than one JSON object%s"
                                   " in the answer",
                                   r->asked->rubric ? " with criteria" : "");
    }

    search->root = v;
    search->piece = piece;

    return JUDGE_OK;
}


/* Searches for the one object with criteria and the key among other words.  A
 * balanced piece that is not JSON is skipped as a whole, so that nothing in a
 * broken answer, such as a quote of the item, is taken for the answer. */

static judge_rc_e
judge_reply_search(judge_reply_reader_t *r, judge_str_t text,
    judge_reply_search_t *search)
{
    size_t       tries;
    judge_rc_e   rc;
    const char  *p = text.data, *end = p + text.len, *close;

    for (tries = 0; tries < JUDGE_REPLY_TRIES; tries++) {
        p = p < end ? memchr(p, '{', (size_t) (end - p)) : NULL;
        if (p == NULL) {
            break;
        }

        close = judge_reply_object_end(p, end);
        if (close == NULL) {
            p++;
            continue;
        }

        rc = judge_reply_candidate(r, (judge_str_t) { (size_t) (close - p),
                                                      p }, search);
        if (rc != JUDGE_OK) {
            return rc;
        }

        p = close;
    }

    return JUDGE_OK;
}


static size_t
judge_reply_ends(judge_str_t s, judge_str_t word)
{
    return s.len >= word.len
           && judge_str_eq(judge_str_from(s, s.len - word.len), word)
           ? word.len : 0;
}


/* Returns which words stand around the object: a fence of Markdown, which may
 * name the language, or others. */

static unsigned
judge_reply_around(judge_str_t text, judge_str_t piece)
{
    size_t       n, open, close;
    judge_str_t  before, behind, fence = JUDGE_STR(JUDGE_REPLY_FENCE);

    n = (size_t) (piece.data - text.data);
    before = judge_str_trim((judge_str_t) { n, text.data },
                            JUDGE_REPLY_SPACE);
    behind = judge_str_trim(judge_str_from(text, n + piece.len),
                            JUDGE_REPLY_SPACE);

    open = judge_reply_ends(before, JUDGE_STR(JUDGE_REPLY_FENCE "json"));
    open = open ? open : judge_reply_ends(before, fence);
    close = judge_str_starts(behind, fence) ? fence.len : 0;

    return (open || close ? JUDGE_TOLERATED_FENCE : 0)
           | (before.len > open || behind.len > close ? JUDGE_TOLERATED_TEXT
                                                      : 0);
}


judge_rc_e
judge_reply_extract(judge_reply_reader_t *r, judge_str_t text,
    judge_json_t **root)
{
    judge_rc_e             rc;
    judge_str_t            rest;
    judge_reply_search_t   search = { .root = NULL };

    rc = judge_json_parse(r->arena, text, root, &search.error);
    if (rc != JUDGE_INVALID) {
        return rc == JUDGE_OK ? judge_reply_whole(r, *root) : rc;
    }

    rest = judge_reply_behind_thoughts(text);

    rc = judge_reply_search(r, rest, &search);
    if (rc != JUDGE_OK) {
        return rc;
    }

    if (search.root == NULL) {
        return judge_reply_none(r, &search);
    }

    if (judge_str_find((judge_str_t) {
                           (size_t) (search.piece.data - rest.data), rest.data
                       }, JUDGE_STR("<think>")))
    {
        return judge_reply_invalid(r, "the thoughts have no end: expected"
                                   " </think> before the answer");
    }

    *root = search.root;
    r->reply->tolerated |= judge_reply_around(rest, search.piece)
                           | (rest.len < text.len ? JUDGE_TOLERATED_THOUGHTS
                                                  : 0);

    return JUDGE_OK;
}
