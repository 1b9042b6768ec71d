/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Reads errors of servers.  They agree on little about these, so words decide
 * where codes are missing: those of OpenAI, Azure, Mistral, vLLM, llama.cpp,
 * LM Studio, Ollama, and of gateways before them.
 */


#include <string.h>

#include "base/json/json.h"
#include "base/net/retry.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "analysis/llm/reply.h"


#define JUDGE_PROVIDER_READ  65536     /* bytes of a body that are read */


/* Returns a string, or an integer as one, because codes come as both. */

static judge_str_t
judge_provider_member(judge_arena_t *arena, const judge_json_t *object,
    const char *name)
{
    judge_json_t  *v = judge_json_get(object, name);

    if (v && v->type == JUDGE_JSON_STRING) {
        return judge_utf8_prefix(v->string, JUDGE_PROVIDER_READ);
    }

    if (v && v->type == JUDGE_JSON_INTEGER) {
        return judge_str_printf(arena, "%lld", (long long) v->integer);
    }

    return (judge_str_t) { 0, NULL };
}


judge_str_t
judge_provider_message(judge_arena_t *arena, const judge_json_t *root)
{
    judge_str_t          message;
    const judge_json_t  *error;

    error = judge_json_get(root, "error");

    if (error && error->type == JUDGE_JSON_STRING) {
        return error->string;
    }

    root = error && error->type == JUDGE_JSON_OBJECT ? error : root;
    message = judge_provider_member(arena, root, "message");

    return message.data ? message
                        : judge_provider_member(arena, root, "detail");
}


/* Finds the message, and the words that decide: the message, the error's type,
 * code and parameter, in lower case and each on a line of its own. */

static judge_rc_e
judge_provider_words(judge_arena_t *arena, judge_str_t body,
    judge_str_t *message, judge_buf_t *words)
{
    size_t               i;
    judge_rc_e           rc;
    judge_json_t        *root;
    const judge_json_t  *v, *error;
    static const char *const  names[] = { "type", "code", "param" };

    rc = judge_json_parse(arena, body, &root, NULL);

    if (rc != JUDGE_OK && rc != JUDGE_INVALID) {
        return rc;
    }

    v = rc != JUDGE_OK ? NULL
        : root->type == JUDGE_JSON_ARRAY ? root->first : root;
    *message = judge_provider_message(arena, v);

    if (message->data == NULL) {
        *message = body;
    }

    error = judge_json_get(v, "error");
    v = error && error->type == JUDGE_JSON_OBJECT ? error : v;
    judge_buf_init(words, arena);
    judge_buf_str(words, *message);

    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        judge_buf_c(words, "\n");
        judge_buf_str(words, judge_provider_member(arena, v, names[i]));
    }

    for (i = 0; !words->failed && i < words->len; i++) {
        words->data[i] = judge_ascii_lower(words->data[i]);
    }

    return words->failed ? JUDGE_NOMEM : JUDGE_OK;
}


judge_str_t
judge_provider_line(judge_arena_t *arena, judge_str_t s)
{
    char    *out;
    size_t   i, n;

    s = judge_utf8_prefix(s, JUDGE_PROVIDER_MESSAGE);

    out = judge_alloc(arena, s.len + 1);
    if (out == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    n = 0;

    for (i = 0; i < s.len; i++) {
        if ((unsigned char) s.data[i] > 0x20 && s.data[i] != 0x7f) {
            out[n++] = s.data[i];

        } else if (n && out[n - 1] != ' ') {
            out[n++] = ' ';
        }
    }

    return (judge_str_t) { n, out };
}


/* Returns the index of the first row whose word is there; n: none is. */

static size_t
judge_provider_find(const judge_provider_word_t *rows, size_t n,
    judge_str_t words)
{
    size_t  i = 0;

    while (i < n && judge_str_find(words, judge_str_c(rows[i].word)) == NULL) {
        i++;
    }

    return i;
}


/* Returns which features of the request the words name; of the forms of answer
 * only the one that was asked for, so that the next one is tried. */

static unsigned
judge_provider_unsupported(judge_str_t words,
    const judge_prompt_t *request)
{
    size_t       i;
    unsigned     had, unsupported;
    judge_str_t  word;

    static const unsigned  formats[] = {
        [JUDGE_FORMAT_SCHEMA] = JUDGE_NO_SCHEMA,
        [JUDGE_FORMAT_OBJECT] = JUDGE_NO_OBJECT,
        [JUDGE_FORMAT_PLAIN] = 0
    };

    had = (request->has_temperature ? JUDGE_NO_TEMPERATURE : 0)
          | (request->has_seed ? JUDGE_NO_SEED : 0)
          | (request->max_tokens > 0 ? JUDGE_NO_MAX_TOKENS : 0)
          | JUDGE_NO_SYSTEM;
    had &= ~request->unsupported;
    had |= formats[judge_format_choose(request->unsupported)];
    unsupported = 0;

    for (i = 0; i < judge_provider_features_n; i++) {
        word = judge_str_c(judge_provider_features[i].word);
        if (judge_str_find(words, word)) {
            unsupported |= judge_provider_features[i].meaning & had;
        }
    }

    return unsupported;
}


static judge_provider_kind_e
judge_provider_kind(judge_str_t words, int status)
{
    size_t  i;

    if (status == 402 || status == 429) {
        i = judge_provider_find(judge_provider_quota, judge_provider_quota_n,
                                words);

        return status == 402 || i < judge_provider_quota_n
               ? JUDGE_PROVIDER_QUOTA : JUDGE_PROVIDER_RATE;
    }

    if (status == 401) {
        return JUDGE_PROVIDER_KEY;
    }

    i = judge_provider_find(judge_provider_kinds, judge_provider_kinds_n,
                            words);

    if (i < judge_provider_kinds_n) {
        return judge_provider_kinds[i].meaning;
    }

    switch (status) {
    case 403:
        return JUDGE_PROVIDER_KEY;
    case 404:
        return JUDGE_PROVIDER_MODEL;
    case 413:
        return JUDGE_PROVIDER_LENGTH;
    case 0:
    case 408:
    case 409:
    case 425:
        return JUDGE_PROVIDER_SERVER;
    default:
        return status >= 500 ? JUDGE_PROVIDER_SERVER : JUDGE_PROVIDER_REQUEST;
    }
}


judge_rc_e
judge_provider_error_read(judge_arena_t *arena, int status, judge_str_t body,
    const judge_prompt_t *request, judge_provider_error_t *error)
{
    judge_rc_e        rc;
    judge_buf_t       buf;
    judge_str_t       words, message;
    judge_attempt_t   attempt = { .status = status };

    memset(error, 0, sizeof(judge_provider_error_t));
    body = judge_utf8_prefix(body, JUDGE_PROVIDER_READ);

    rc = judge_provider_words(arena, body, &message, &buf);
    if (rc != JUDGE_OK) {
        return rc;
    }

    words = judge_buf_view(&buf);
    error->message = judge_provider_line(arena, message);
    if (error->message.data == NULL) {
        return JUDGE_NOMEM;
    }

    error->kind = judge_provider_kind(words, status);

    if (error->kind == JUDGE_PROVIDER_REQUEST
        || (error->kind == JUDGE_PROVIDER_SERVER && status >= 500))
    {
        error->unsupported = judge_provider_unsupported(words, request);
        if (error->unsupported) {
            error->kind = JUDGE_PROVIDER_FEATURE;
        }
    }

    error->transient = (error->kind == JUDGE_PROVIDER_RATE
                        || error->kind == JUDGE_PROVIDER_SERVER)
                       && judge_attempt_is_transient(&attempt);

    return JUDGE_OK;
}
