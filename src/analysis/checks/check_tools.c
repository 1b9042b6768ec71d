/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Checks of what an agent does in a conversation: which tools it calls and
 * how, whether it sees errors, how far it goes.  They look at all of the
 * conversation, whatever of it is judged; where there is none, checks.c asks
 * none of them. */


#include <math.h>

#include "base/core/hash.h"
#include "base/text/utf8.h"
#include "analysis/builtin/conversation.h"
#include "analysis/checks/check_type.h"
#include "analysis/text/say.h"


#define JUDGE_TOOLS_NAME  80           /* bytes of a name in a sentence */


/* --- Values -------------------------------------------------------------- */

/* {"tool": name, "schema": {…}} */

static judge_rc_e
judge_check_tool_schema(judge_arena_t *arena, judge_check_t *check,
    judge_str_t *error)
{
    const judge_json_t  *tool = judge_json_get(check->value, "tool");

    if (tool == NULL || tool->type != JUDGE_JSON_STRING
        || tool->string.len == 0)
    {
        *error = JUDGE_STR("value: expected an object with tool, the name of"
                           " one, and schema, a JSON Schema");
        return JUDGE_INVALID;
    }

    check->texts[0] = tool->string;
    check->ntexts = 1;

    return judge_schema_read(arena, judge_json_get(check->value, "schema"),
                             &check->schema, error);
}


judge_rc_e
judge_check_tool_value(judge_arena_t *arena, judge_check_t *check,
    judge_str_t *error)
{
    const judge_json_t  *v = check->value;

    *error = (judge_str_t) { 0, NULL };
    check->texts = judge_array_alloc(arena, 2 * JUDGE_CHECK_TEXTS,
                                     sizeof(judge_str_t));
    if (check->texts == NULL) {
        return JUDGE_NOMEM;
    }

    if (check->type->value == JUDGE_TAKES_ARGUMENTS) {
        return judge_check_tool_schema(arena, check, error);
    }

    *error = JUDGE_STR("value: expected an object of 1 to 50 members: phrases"
                       " of 1 to 1000 bytes, and the tool that each claims to"
                       " have called");

    if (v == NULL || v->type != JUDGE_JSON_OBJECT || v->count == 0
        || v->count > JUDGE_CHECK_TEXTS)
    {
        return JUDGE_INVALID;
    }

    for (v = v->first; v; v = v->next) {
        if (v->key.len == 0 || v->key.len > JUDGE_CHECK_TEXT
            || v->type != JUDGE_JSON_STRING || v->string.len == 0)
        {
            return JUDGE_INVALID;
        }

        check->texts[check->ntexts++] = v->key;
        check->texts[check->ntexts++] = v->string;
    }

    return JUDGE_OK;
}


/* --- What all use -------------------------------------------------------- */

/* Adds bytes of the transcript to the passages.  Passages count from the
 * judged text until judge_verdict_shift() adds what stands before it, so that
 * a negative place wraps and comes right. */

static void
judge_tools_show(judge_checked_t *c, judge_check_result_t *r, size_t begin,
    size_t end)
{
    judge_str_t             s = c->conversation->text;
    judge_check_passage_t  *p;

    if (r->npassages == JUDGE_CHECK_PASSAGES) {
        return;
    }

    p = &r->passages[r->npassages++];
    p->start = judge_utf8_length((judge_str_t) { begin, s.data })
               - c->offset;
    s = (judge_str_t) { end - begin, s.data + begin };
    p->end = p->start + judge_utf8_length(s);
    p->quote = judge_utf8_prefix(s, JUDGE_CHECK_QUOTE);
}


static judge_str_t
judge_tools_name(judge_str_t name)
{
    return judge_utf8_prefix(name, JUDGE_TOOLS_NAME);
}


static size_t
judge_tools_message(const judge_checked_t *c, const judge_tool_call_t *call)
{
    return c->conversation->parts[call->part].message;
}


/* The next call of a tool, at `from` or later; NULL: there is none. */

static const judge_tool_call_t *
judge_tools_find(const judge_checked_t *c, judge_str_t name, size_t from)
{
    const judge_conversation_t  *all = c->conversation;

    for ( /* void */ ; from < all->ncalls; from++) {
        if (judge_str_eq(all->calls[from].name, name)) {
            return &all->calls[from];
        }
    }

    return NULL;
}


static judge_rc_e
judge_tools_lacks(judge_checked_t *c, judge_check_result_t *r, double share,
    judge_str_t name)
{
    name = judge_tools_name(name);

    return judge_check_say(c, r, share, "It does not call %.*s.",
                           judge_str_args(name));
}


/* --- Calls --------------------------------------------------------------- */

judge_rc_e
judge_check_tool_called(judge_checked_t *c, const judge_check_t *check,
    judge_check_result_t *r)
{
    size_t                    i;
    judge_str_t               name;
    const judge_tool_call_t  *call = NULL;

    for (i = 0; i < check->ntexts; i++) {
        if (!judge_allowance_take(c->allowance, c->conversation->ncalls)) {
            return JUDGE_BUSY;
        }

        name = check->texts[i];
        call = judge_tools_find(c, name, 0);
        if (call && check->negated) {
            break;
        }

        if (call == NULL && !check->negated) {
            return judge_tools_lacks(c, r, 0, name);
        }
    }

    if (call == NULL) {
        return judge_tools_lacks(c, r, 0, check->texts[0]);
    }

    judge_tools_show(c, r, call->begin, call->end);
    name = judge_tools_name(call->name);

    return judge_check_say(c, r, 1, "messages[%zu] calls %.*s.",
                           judge_tools_message(c, call), judge_str_args(name));
}


judge_rc_e
judge_check_tool_arguments(judge_checked_t *c, const judge_check_t *check,
    judge_check_result_t *r)
{
    judge_rc_e                   rc;
    judge_str_t                  why, name = check->texts[0];
    const judge_tool_call_t     *call;
    const judge_conversation_t  *all = c->conversation;

    call = judge_tools_find(c, name, 0);
    if (call == NULL) {
        return judge_tools_lacks(c, r, (double) NAN, name);
    }

    for ( /* void */ ; call;
         call = judge_tools_find(c, name, (size_t) (call - all->calls) + 1))
    {
        if (!judge_allowance_take(c->allowance, JUDGE_CHECK_BYTE
                                  * (1 + call->arguments.len)))
        {
            return JUDGE_BUSY;
        }

        why = JUDGE_STR("it is no JSON");
        rc = call->value ? judge_schema_check(check->schema, call->value,
                                              c->scratch, c->reader,
                                              c->allowance, &why)
                         : JUDGE_INVALID;
        if (rc == JUDGE_INVALID) {
            judge_tools_show(c, r, call->begin, call->end);
            name = judge_tools_name(name);
            return judge_check_say(c, r, 0, "messages[%zu] calls %.*s with"
                                   " arguments that the schema does not want:"
                                   " %.*s.", judge_tools_message(c, call),
                                   judge_str_args(name), judge_str_args(why));
        }

        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    return judge_check_say(c, r, 1, "It is %s.",
                           judge_say(c->feedback,
                                     "JSON as the schema wants it"));
}


judge_rc_e
judge_check_tool_order(judge_checked_t *c, const judge_check_t *check,
    judge_check_result_t *r)
{
    size_t                    i, from = 0;
    judge_str_t               name;
    const judge_tool_call_t  *call;

    for (i = 0; i < check->ntexts; i++) {
        call = judge_tools_find(c, check->texts[i], from);
        if (call == NULL) {
            name = judge_tools_name(check->texts[i]);
            return judge_check_say(c, r, 0, i ? "It does not call %.*s after"
                                   " the tools before it."
                                   : "It does not call %.*s.",
                                   judge_str_args(name));
        }

        from = (size_t) (call - c->conversation->calls) + 1;
    }

    return judge_check_say(c, r, 1, "It calls the tools in this order.");
}


/* A hash of a value that does not depend on the order of members; values are
 * at most JUDGE_JSON_DEPTH deep. */

static uint64_t
judge_tools_hash(const judge_json_t *v)
{
    uint64_t             hash = JUDGE_FNV_START + v->type, member, sum = 0;
    const judge_json_t  *m;

    switch (v->type) {
    case JUDGE_JSON_STRING:
        return judge_fnv(hash, v->string.data, v->string.len);

    case JUDGE_JSON_BOOLEAN:
        return judge_fnv(hash, &v->boolean, sizeof(v->boolean));

    case JUDGE_JSON_INTEGER:
        return judge_fnv(hash, &v->integer, sizeof(v->integer));

    case JUDGE_JSON_NUMBER:
        return judge_fnv(hash, &v->number, sizeof(v->number));

    case JUDGE_JSON_ARRAY:
    case JUDGE_JSON_OBJECT:
        for (m = v->first; m; m = m->next) {
            member = judge_tools_hash(m);
            hash = judge_fnv(hash, &member, v->type == JUDGE_JSON_ARRAY
                                            ? sizeof(member) : 0);
            sum += judge_fnv(member, m->key.data, m->key.len);
        }
        return v->type == JUDGE_JSON_OBJECT
               ? judge_fnv(hash, &sum, sizeof(sum)) : hash;

    default:
        return hash;
    }
}


/* The same tool with the same arguments, wherever: a loop of several calls
 * has such, too. */

judge_rc_e
judge_check_repeated(judge_checked_t *c, const judge_check_t *check,
    judge_check_result_t *r)
{
    size_t                       i, k, n;
    uint64_t                    *hashes;
    judge_str_t                  name;
    const judge_tool_call_t     *a;
    const judge_conversation_t  *all = c->conversation;

    hashes = judge_array_alloc(c->scratch, all->ncalls + 1, sizeof(uint64_t));
    if (hashes == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < all->ncalls; i++) {
        a = &all->calls[i];
        hashes[i] = judge_fnv(JUDGE_FNV_START, a->name.data, a->name.len);
        hashes[i] ^= a->value ? judge_tools_hash(a->value)
                              : judge_fnv(0, a->arguments.data,
                                          a->arguments.len);
        if (!judge_allowance_take(c->allowance, 1 + i)) {
            return JUDGE_BUSY;
        }

        for (k = 0, n = 1; k < i; k++) {
            n += hashes[k] == hashes[i];
        }

        if ((double) n > check->number) {
            judge_tools_show(c, r, a->begin, a->end);
            name = judge_tools_name(a->name);
            return judge_check_say(c, r, 0, "messages[%zu] calls %.*s with the"
                                   " same arguments as %zu times before.",
                                   judge_tools_message(c, a),
                                   judge_str_args(name), n - 1);
        }
    }

    return judge_check_say(c, r, 1, "It does not repeat its calls.");
}


/* Looks for a phrase in part i, where that is an answer. */

static judge_rc_e
judge_tools_look(const judge_checked_t *c, const judge_regex_t *phrase,
    size_t i, size_t *begin, size_t *end)
{
    judge_checked_t      answer = *c;
    const judge_part_t  *part = &c->conversation->parts[i];

    answer.text = (judge_str_t) { part->end - part->begin,
                                  c->conversation->text.data + part->begin };

    return part->role != JUDGE_ROLE_ASSISTANT
           ? JUDGE_NOT_FOUND
           : judge_check_next(&answer, phrase, 0, begin, end);
}


/* Sets has[i] where part i is an answer with one of the phrases. */

static judge_rc_e
judge_tools_phrases(judge_checked_t *c, const judge_check_t *check, bool *has)
{
    size_t                       i, k, begin, end;
    judge_rc_e                   rc;
    judge_regex_t               *p;
    const judge_conversation_t  *all = c->conversation;

    for (k = 0; k < check->ntexts; k++) {
        rc = judge_check_literal(c->scratch, check->texts[k], 0, &p);

        for (i = 0; rc == JUDGE_OK && i < all->nparts; i++) {
            rc = judge_tools_look(c, p, i, &begin, &end);
            has[i] = has[i] || rc == JUDGE_OK;
            rc = rc == JUDGE_NOT_FOUND ? JUDGE_OK : rc;
        }

        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    return JUDGE_OK;
}


/* An error is handled if a later message calls a tool, the same one or
 * another, that gives none, before the user speaks again; or if a later answer
 * has one of the phrases. */

static bool
judge_tools_handled(const judge_conversation_t *all, const bool *has,
    const judge_tool_call_t *failed)
{
    bool    phrase = false;
    size_t  i, k;

    for (i = failed->result + 1; i < all->nparts; i++) {
        if (all->parts[i].role == JUDGE_ROLE_USER) {
            break;
        }
        phrase = phrase || has[i];
    }

    for (k = (size_t) (failed - all->calls) + 1; k < all->ncalls; k++) {
        if (all->calls[k].part > failed->result && all->calls[k].part < i
            && all->calls[k].result && !all->calls[k].failed)
        {
            return true;
        }
    }

    return phrase;
}


judge_rc_e
judge_check_errors(judge_checked_t *c, const judge_check_t *check,
    judge_check_result_t *r)
{
    bool                        *has;
    size_t                       i;
    judge_rc_e                   rc;
    judge_str_t                  name;
    const judge_part_t          *part;
    const judge_tool_call_t     *call;
    const judge_conversation_t  *all = c->conversation;

    has = judge_array_alloc(c->scratch, all->nparts, sizeof(bool));
    if (has == NULL) {
        return JUDGE_NOMEM;
    }

    rc = judge_tools_phrases(c, check, has);
    if (rc != JUDGE_OK) {
        return rc;
    }

    for (i = 0; i < all->ncalls; i++) {
        call = &all->calls[i];
        if (!call->failed) {
            continue;
        }

        if (!judge_allowance_take(c->allowance, all->ncalls + all->nparts)) {
            return JUDGE_BUSY;
        }

        if (!judge_tools_handled(all, has, call)) {
            part = &all->parts[call->result];
            judge_tools_show(c, r, part->begin, part->end);
            name = judge_tools_name(call->name);
            return judge_check_say(c, r, 0, "messages[%zu]: an error of %.*s"
                                   " is left as it is.", part->message,
                                   judge_str_args(name));
        }
    }

    return judge_check_say(c, r, 1, "No error of a tool is left as it is.");
}


/* --- What is said -------------------------------------------------------- */

/* Whether a tool was called without an error before a part. */

static bool
judge_tools_done(const judge_checked_t *c, judge_str_t name, size_t before)
{
    const judge_tool_call_t  *call = judge_tools_find(c, name, 0);

    while (call && (call->failed || call->part >= before)) {
        call = judge_tools_find(c, name,
                                (size_t) (call - c->conversation->calls) + 1);
    }

    return call != NULL;
}


judge_rc_e
judge_check_claims(judge_checked_t *c, const judge_check_t *check,
    judge_check_result_t *r)
{
    size_t                       i, k, begin, end;
    judge_rc_e                   rc;
    judge_str_t                  name;
    judge_regex_t               *p;
    const judge_part_t          *part;
    const judge_conversation_t  *all = c->conversation;

    for (k = 0; k < check->ntexts; k += 2) {
        rc = judge_check_literal(c->scratch, check->texts[k], 0, &p);

        for (i = 0; rc == JUDGE_OK && i < all->nparts; i++) {
            part = &all->parts[i];
            rc = judge_tools_look(c, p, i, &begin, &end);

            if (rc == JUDGE_OK && !judge_tools_done(c, check->texts[k + 1], i))
            {
                judge_tools_show(c, r, part->begin + begin,
                                 part->begin + end);
                name = judge_tools_name(check->texts[k + 1]);
                return judge_check_say(c, r, 0, "messages[%zu] says it without"
                                       " a call of %.*s.", part->message,
                                       judge_str_args(name));
            }

            rc = rc == JUDGE_NOT_FOUND ? JUDGE_OK : rc;
            if (!judge_allowance_take(c->allowance, all->ncalls)) {
                return JUDGE_BUSY;
            }
        }

        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    return judge_check_say(c, r, 1, "What it says it has done, it has done.");
}


/* --- Limits -------------------------------------------------------------- */

/* What a part counts; NAN: it is not given. */

static double
judge_tools_figure(const judge_conversation_t *all, size_t i, int mode)
{
    const judge_part_t  *part = &all->parts[i];

    if (mode == JUDGE_TOOLS_LATENCY) {
        return part->latency;
    }

    return mode == JUDGE_TOOLS_TOKENS ? part->tokens
           : part->role != JUDGE_ROLE_ASSISTANT ? (double) NAN
           : i == 0 || all->parts[i - 1].message != part->message ? 1 : 0;
}


/* The sum over all messages; of latency, the longest. */

judge_rc_e
judge_check_effort(judge_checked_t *c, const judge_check_t *check,
    judge_check_result_t *r)
{
    int                          mode = check->type->mode;
    double                       n, total = (double) NAN;
    size_t                       i, longest = 0;
    judge_rc_e                   rc;
    const judge_part_t          *part;
    const judge_conversation_t  *all = c->conversation;

    for (i = 0; i < all->nparts; i++) {
        n = judge_tools_figure(all, i, mode);
        if (isnan(n)) {
            continue;
        }

        if (isnan(total) || (mode == JUDGE_TOOLS_LATENCY && n > total)) {
            total = n;
            longest = i;
        } else if (mode != JUDGE_TOOLS_LATENCY) {
            total += n;
        }
    }

    if (isnan(total)) {
        return judge_check_say(c, r, (double) NAN,
                               "The messages do not say it.");
    }

    if (mode == JUDGE_TOOLS_LATENCY && total > check->number) {
        part = &all->parts[longest];
        judge_tools_show(c, r, part->begin, part->end);
    }

    rc = judge_check_limited(c, r, check, total, true);
    r->share = total <= check->number;

    return rc;
}
