/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The texts in answers of language models.  All strings of an answer count
 * except those known to be no text, so that thoughts, refusals and arguments
 * of tools are read wherever a provider puts them.  Pieces that a client joins
 * are joined here, in a lane for each text, since those of several choices may
 * alternate.
 */


#include <stdlib.h>
#include <string.h>

#include "base/core/hash.h"
#include "extensions/traffic/extract.h"


#define JUDGE_EXTRACT_LANES     64
#define JUDGE_EXTRACT_COMPARED  64     /* times `max` bytes, at most */

struct judge_extract_lane {
    uint64_t     key;
    judge_buf_t  text;
};

/* Members that are not text of the model. */
static const char *const  judge_extract_meta[] = {
    "type", "role", "id", "object", "model", "name", "status", "format",
    "finish_reason", "finishReason", "native_finish_reason", "stop_reason",
    "stop_sequence", "logprobs", "logprobsResult", "call_id", "item_id",
    "tool_use_id", "tool_call_id", "event_id", "response_id", "signature",
    "thoughtSignature", "encrypted_content", "obfuscation", "data", "result",
    "partial_image_b64", "mimeType", "mime_type", "usage", "safetyRatings",
    "response", NULL
};

/* Members that number the text which a piece belongs to. */
static const char *const  judge_extract_indices[] = {
    "index", "output_index", "content_index", "summary_index", NULL
};

/* In objects of these names, the model has made names and values. */
static const char *const  judge_extract_invented[] = {
    "input", "args", NULL
};

static const char *const  judge_extract_anthropic[] = {
    "message_start", "message_delta", "message_stop", "content_block_start",
    "content_block_delta", "content_block_stop", NULL
};

/* Members that tell the provider of an answer. */
static const char *const  judge_extract_anchors[] = {
    "choices", "candidates", "output", "content", "response", "type", NULL
};

static const char *const  judge_extract_ends[] = {
    "message_stop", "response.completed", "response.incomplete",
    "response.failed", NULL
};


void
judge_extract_lanes_free(judge_extract_t *e)
{
    size_t  i;

    for (i = 0; i < e->nlanes; i++) {
        judge_buf_free(&e->lanes[i].text);
    }

    free(e->lanes);
    e->lanes = NULL;
    e->nlanes = 0;
}


void
judge_extract_free(judge_extract_t *e)
{
    judge_inflate_free(e->inflate);
    e->inflate = NULL;
    judge_extract_lanes_free(e);
    judge_buf_free(&e->raw);
    judge_buf_free(&e->text);
    judge_buf_free(&e->anew);
}


void
judge_extract_skip(judge_extract_t *e, judge_skip_e skip)
{
    e->skip = skip;
    judge_extract_free(e);
}


size_t
judge_extract_size(const judge_extract_t *e)
{
    size_t  i, n;

    n = e->raw.capacity + e->text.capacity + judge_inflate_size(e->inflate);

    for (i = 0; i < e->nlanes; i++) {
        n += e->lanes[i].text.capacity;
    }

    return n + (e->lanes ? JUDGE_EXTRACT_LANES * sizeof(*e->lanes) : 0);
}


void
judge_extract_join(const judge_extract_t *e, judge_buf_t *out)
{
    size_t  i;

    for (i = 0; i < e->nlanes; i++) {
        judge_buf_c(out, i ? "\n" : "");
        judge_buf_str(out, judge_buf_view(&e->lanes[i].text));
    }
}


/* Whether a lane has the text; providers repeat those of complete parts. */

static bool
judge_extract_repeated(judge_extract_t *e, judge_str_t text)
{
    size_t             i;
    const judge_buf_t *lane;

    for (i = 0; i < e->nlanes; i++) {
        lane = &e->lanes[i].text;
        e->compared += lane->len;
        if (e->compared / JUDGE_EXTRACT_COMPARED > e->max) {
            return false;
        }
        if (judge_str_find(judge_buf_view(lane), text)) {
            return true;
        }
    }

    return false;
}


void
judge_extract_add(judge_extract_t *e, uint64_t key, judge_str_t text,
    const char *before)
{
    size_t  i;

    if (text.len == 0 || e->skip != JUDGE_SKIP_NONE
        || (e->repeats && judge_extract_repeated(e, text)))
    {
        return;
    }

    if (e->lanes == NULL) {
        e->lanes = calloc(JUDGE_EXTRACT_LANES, sizeof(*e->lanes));
    }

    for (i = 0; i < e->nlanes && e->lanes[i].key != key; i++) { /* void */ }

    if (e->lanes == NULL || i == JUDGE_EXTRACT_LANES
        || text.len > e->max - e->length)
    {
        judge_extract_skip(e, e->lanes ? JUDGE_SKIP_TOO_LARGE
                                       : JUDGE_SKIP_FAILED);
        return;
    }

    if (i == e->nlanes) {
        e->lanes[i].key = key;
        judge_buf_init(&e->lanes[i].text, NULL);
        e->nlanes++;
        e->length += i != 0;
    } else {
        judge_buf_c(&e->lanes[i].text, before);
        e->length += strlen(before);
    }

    judge_buf_str(&e->lanes[i].text, text);
    e->length += text.len;

    if (e->lanes[i].text.failed || e->length > e->max) {
        judge_extract_skip(e, e->lanes[i].text.failed ? JUDGE_SKIP_FAILED
                                                      : JUDGE_SKIP_TOO_LARGE);
    }
}


static void
judge_extract_say(judge_extract_t *e, uint64_t key, const judge_str_t *text,
    bool invented)
{
    if (e->watch && text->len) {
        e->watch->piece(e->watch->data, key, (judge_str_t *) (uintptr_t) text,
                       invented || e->repeats);
    } else if (e->watch == NULL) {
        judge_extract_add(e, key, *text, invented || e->repeats ? "\n" : "");
    }
}


/* Adds the strings below a value; `name` is the member that has it.  The
 * parser bounds the depth. */

static void
judge_extract_collect(judge_extract_t *e, const judge_json_t *v, uint64_t key,
    judge_str_t name, bool invented)
{
    const judge_json_t  *m;

    if (v->type == JUDGE_JSON_STRING) {
        judge_extract_say(e, judge_fnv(key, name.data, name.len), &v->string,
                          invented);
        return;
    }

    if (v->type != JUDGE_JSON_ARRAY && v->type != JUDGE_JSON_OBJECT) {
        return;
    }

    for (m = v->first; m && v->type == JUDGE_JSON_OBJECT; m = m->next) {
        if (m->type == JUDGE_JSON_INTEGER
            && judge_str_caseamong(m->key, judge_extract_indices))
        {
            key = judge_fnv(key, m->key.data, m->key.len);
            key = judge_fnv(key, (const char *) &m->integer,
                            sizeof(m->integer));

        } else if (m->type == JUDGE_JSON_STRING
                   && e->kind == JUDGE_EXTRACT_JSON
                   && judge_str_eq_c(m->key, "type"))
        {
            key = judge_fnv(key, m->string.data, m->string.len);
        }
    }

    for (m = v->first; m; m = m->next) {
        if (v->type == JUDGE_JSON_ARRAY) {
            judge_extract_collect(e, m, key, name, invented);

        } else if (invented) {
            judge_extract_say(e, judge_fnv(key, name.data, name.len), &m->key,
                              true);
            judge_extract_collect(e, m, key, name, true);

        } else if (!judge_str_caseamong(m->key, judge_extract_meta)) {
            judge_extract_collect(e, m, key, m->key,
                         m->type == JUDGE_JSON_OBJECT
                         && judge_str_caseamong(m->key,
                                                judge_extract_invented));
        }
    }
}


/* Copies the identifier of an answer.  Events of a stream repeat it; the first
 * one counts. */

static void
judge_extract_identify(judge_extract_t *e, const judge_json_t *answer)
{
    judge_str_t  id;

    id = judge_json_string(answer, judge_json_get(answer, "id")
                                   ? "id" : "responseId");     /* Google's */
    if (id.len && id.len <= sizeof(e->id) && e->id_len == 0) {
        memcpy(e->id, id.data, id.len);
        e->id_len = id.len;
    }
}


/* An answer in two formats is malformed: a client would read one, and it is
 * not known which one. */

judge_skip_e
judge_extract_answer(judge_extract_t *e, const judge_json_t *root)
{
    size_t               i;
    judge_skip_e         skip;
    const judge_json_t  *v, *found = NULL;

    if (root->type == JUDGE_JSON_ARRAY) {
        for (v = root->first; v; v = v->next) {
            skip = v->type == JUDGE_JSON_OBJECT ? judge_extract_answer(e, v)
                                                : JUDGE_SKIP_MALFORMED;
            if (skip != JUDGE_SKIP_NONE) {
                return skip;
            }
        }
        return e->skip;
    }

    if (root->type == JUDGE_JSON_OBJECT
        && judge_extract_alike(root, judge_extract_anchors))
    {
        return JUDGE_SKIP_MALFORMED;
    }

    for (i = 0; i < e->formats.n && root->type == JUDGE_JSON_OBJECT; i++) {
        v = judge_json_member(root, e->formats.formats[i].anchor,
                              JUDGE_JSON_ARRAY);
        if (v) {
            if (found) {
                return JUDGE_SKIP_MALFORMED;
            }
            found = v;
        }
    }

    if (found) {
        judge_extract_identify(e, root);
        judge_extract_collect(e, found, JUDGE_FNV_START, JUDGE_STR(""), false);
    }

    return e->skip;
}


static judge_extract_provider_e
judge_extract_shape(const judge_json_t *root, judge_str_t type)
{
    return judge_json_get(root, "choices") ? JUDGE_EXTRACT_OPENAI_CHAT
           : judge_json_get(root, "candidates")
             || judge_json_get(root, "promptFeedback")
             || judge_json_get(root, "usageMetadata") ? JUDGE_EXTRACT_GOOGLE
           : judge_str_starts(type, JUDGE_STR("response."))
           ? JUDGE_EXTRACT_OPENAI_RESPONSES
           : judge_str_caseamong(type, judge_extract_anthropic)
           ? JUDGE_EXTRACT_ANTHROPIC : JUDGE_EXTRACT_OTHER;
}


/* An event in another format than those before, or in none, is malformed: a
 * client may understand what this module does not. */

judge_skip_e
judge_extract_delta(judge_extract_t *e, const judge_json_t *root)
{
    size_t                         i;
    uint64_t                       key = JUDGE_FNV_START;
    judge_str_t                    type;
    const judge_json_t            *v;
    judge_extract_provider_e       shape;
    const judge_extract_format_t  *f = NULL;

    if (judge_extract_alike(root, judge_extract_anchors)) {
        return JUDGE_SKIP_MALFORMED;
    }

    type = judge_json_string(root, "type");
    type = type.data ? type : JUDGE_STR("");
    shape = judge_extract_shape(root, type);
    for (i = 0; i < e->formats.n; i++) {
        if (e->formats.formats[i].provider == shape) {
            f = &e->formats.formats[i];
        }
    }

    if (shape == JUDGE_EXTRACT_OTHER) {
        if (!judge_str_eq_c(type, "ping") && !judge_json_get(root, "error")
            && !judge_str_eq_c(type, "error"))
        {
            return JUDGE_SKIP_MALFORMED;
        }
    } else if (f == NULL || (e->format && e->format != f)) {
        return JUDGE_SKIP_MALFORMED;
    } else {
        e->format = f;
        e->ended |= judge_str_caseamong(type, judge_extract_ends);
        judge_extract_identify(e, shape == JUDGE_EXTRACT_OPENAI_RESPONSES
                                  ? judge_json_get(root, "response")
                                  : shape == JUDGE_EXTRACT_ANTHROPIC
                                  ? judge_json_get(root, "message") : root);
    }

    if (shape == JUDGE_EXTRACT_OPENAI_RESPONSES) {
        key = judge_fnv(key, type.data, type.len);
        e->repeats = !judge_str_eq_c(judge_str_from(type, type.len < 6 ? 0
                                                  : type.len - 6), ".delta");
        v = judge_json_get(judge_json_get(root, "response"), "output");
        if (v) {
            judge_extract_collect(e, v, key, JUDGE_STR(""), false);
        }
    }

    /* Google's events that have only usageMetadata (counts of tokens) have no
     * text. */

    v = shape == JUDGE_EXTRACT_OPENAI_CHAT ? judge_json_get(root, "choices")
        : shape == JUDGE_EXTRACT_GOOGLE ? judge_json_get(root, "candidates")
        : root;
    if (v) {
        judge_extract_collect(e, v, key, JUDGE_STR(""), false);
    }
    e->repeats = false;

    return e->skip;
}
