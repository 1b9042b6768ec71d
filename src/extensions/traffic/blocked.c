/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A robust mutex protects the memory, for a microsecond at most except for
 * lists, which are rare.  If a process dies while it has the mutex, the entry
 * that it was writing may be wrong; nothing else depends on that entry. */


#include <string.h>

#include "base/core/shared_mutex.h"
#include "base/text/utf8.h"
#include "api/http/request.h"
#include "extensions/traffic/blocked.h"
#include "work/service/metrics.h"


/* The strings of an entry, and how many bytes of each are kept, at most. */
static const struct {
    size_t  offset;
    size_t  most;
} judge_blocked_strings[] = {
    { offsetof(judge_blocked_t, org), JUDGE_BLOCKED_ID },
    { offsetof(judge_blocked_t, rule), JUDGE_BLOCKED_RULE },
    { offsetof(judge_blocked_t, location), JUDGE_BLOCKED_LABEL },
    { offsetof(judge_blocked_t, reason), JUDGE_BLOCKED_LABEL },
    { offsetof(judge_blocked_t, method), JUDGE_BLOCKED_METHOD },
    { offsetof(judge_blocked_t, path), JUDGE_BLOCKED_PATH },
    { offsetof(judge_blocked_t, request_id), JUDGE_BLOCKED_LABEL },
    { offsetof(judge_blocked_t, type), JUDGE_BLOCKED_TYPE },
    { offsetof(judge_blocked_t, evaluation_id), JUDGE_BLOCKED_ID },
    { offsetof(judge_blocked_t, text), JUDGE_BLOCKED_TEXT }
};

#define JUDGE_BLOCKED_STRINGS                                                 \
    (sizeof(judge_blocked_strings) / sizeof(judge_blocked_strings[0]))


bool
judge_blocked_init(void *memory)
{
    judge_blocked_memory_t  *m = memory;

    return judge_shared_mutex_init(&m->mutex);
}


/* --- Counts -------------------------------------------------------------- */

static void
judge_blocked_copy(char *to, size_t size, judge_str_t s)
{
    s = judge_utf8_prefix(s, size - 1);
    if (s.len) {
        memcpy(to, s.data, s.len);
    }
    to[s.len] = '\0';
}


void
judge_blocked_count(judge_blocked_memory_t *m, const judge_blocked_t *b)
{
    size_t                 i;
    judge_blocked_count_t  c = { .n = 1 };

    c.asks = b->asks;
    c.action = b->action;
    judge_blocked_copy(c.rule, sizeof(c.rule), b->rule);
    judge_blocked_copy(c.location, sizeof(c.location), b->location);
    judge_blocked_copy(c.reason, sizeof(c.reason), b->reason);

    if (!judge_shared_mutex_lock(&m->mutex, NULL)) {
        return;
    }

    for (i = 0; i < m->ncounts; i++) {
        if (m->counts[i].asks == c.asks && m->counts[i].action == c.action
            && strcmp(m->counts[i].location, c.location) == 0
            && strcmp(m->counts[i].rule, c.rule) == 0
            && strcmp(m->counts[i].reason, c.reason) == 0)
        {
            break;
        }
    }

    if (i == m->ncounts && i < JUDGE_BLOCKED_COUNTS) {
        m->counts[m->ncounts++] = c;
    } else if (i < m->ncounts) {
        m->counts[i].n++;
    } else {
        m->uncounted++;
    }

    (void) pthread_mutex_unlock(&m->mutex);
}


bool
judge_blocked_counted(const judge_service_t *service, size_t i,
    judge_buf_t *labels, uint64_t *n)
{
    judge_str_t              location, rule, reason;
    judge_blocked_count_t    c = { .n = 0 };
    judge_blocked_memory_t  *m = judge_extensions_shared(service,
                                                &judge_extension_traffic);

    if (judge_shared_mutex_lock(&m->mutex, NULL)) {
        if (i < m->ncounts) {
            c = m->counts[i];
        } else if (i == m->ncounts) {
            c.n = m->uncounted;
        }
        (void) pthread_mutex_unlock(&m->mutex);
    }

    *n = c.n;
    labels->len = 0;

    if (c.n && c.rule[0] == '\0') {
        judge_buf_c(labels, "location=\"other\",rule=\"other\"");

    } else if (c.n) {
        location = judge_metrics_escape(labels->arena,
                                        judge_str_c(c.location));
        rule = judge_metrics_escape(labels->arena, judge_str_c(c.rule));
        reason = judge_metrics_escape(labels->arena, judge_str_c(c.reason));
        judge_buf_printf(labels, "of=\"%s\",location=\"%.*s\",rule=\"%.*s\","
                         "reason=\"%.*s\",action=\"%s\"",
                         c.asks ? "request" : "answer",
                         judge_str_args(location), judge_str_args(rule),
                         judge_str_args(reason),
                         judge_detect_actions[c.action]);
    }

    return c.n != 0;
}


/* --- The sample ---------------------------------------------------------- */

/* Each string has a place of its own in the slot, so that no pointer leads out
 * of it, even if a process dies here. */

static void
judge_blocked_put(judge_blocked_slot_t *slot, const judge_blocked_t *b)
{
    char             *to = slot->bytes;
    size_t            i;
    judge_str_t      *s;
    judge_blocked_t   row = *b;

    for (i = 0; i < JUDGE_BLOCKED_STRINGS; i++) {
        s = (judge_str_t *) (void *) ((char *) &row
                                      + judge_blocked_strings[i].offset);
        *s = judge_utf8_prefix(*s, judge_blocked_strings[i].most);
        if (s->data) {
            memcpy(to, s->data, s->len);
            s->data = to;
        }
        to += judge_blocked_strings[i].most;
    }

    row.cut |= row.text.len < b->text.len;
    slot->b = row;
}


void
judge_blocked_keep(judge_blocked_memory_t *m, const judge_blocked_t *b)
{
    judge_blocked_slot_t  *slot;

    if (!judge_shared_mutex_lock(&m->mutex, NULL)) {
        return;
    }

    slot = b->action == JUDGE_DETECT_BLOCK
           ? &m->slots[m->nblocked++ % JUDGE_BLOCKED_MAX]
           : &m->slots[JUDGE_BLOCKED_MAX + m->npassed++ % JUDGE_PASSED_MAX];
    slot->number = m->nblocked + m->npassed;
    judge_blocked_put(slot, b);

    (void) pthread_mutex_unlock(&m->mutex);
}


/* Returns the newest entry with a lower number; NULL: there is none. */

static const judge_blocked_slot_t *
judge_blocked_before(const judge_blocked_memory_t *m, uint64_t number)
{
    size_t                       i;
    const judge_blocked_slot_t  *slot, *newest = NULL;

    for (i = 0; i < JUDGE_BLOCKED_MAX + JUDGE_PASSED_MAX; i++) {
        slot = &m->slots[i];
        if (slot->number && slot->number < number
            && (newest == NULL || slot->number > newest->number))
        {
            newest = slot;
        }
    }

    return newest;
}


/* --- GET /traffic/blocked ------------------------------------------------ */

typedef struct {
    judge_choice_t   action;
    judge_integer_t  limit;
} judge_blocked_query_t;


static void
judge_blocked_json(judge_json_writer_t *w, const judge_blocked_t *b)
{
    judge_json_put_id(w, "blocked_id", judge_id_str(&b->id));
    judge_json_put_time(w, "at", b->noted_at);
    judge_json_put_c(w, "of", b->asks ? "request" : "answer");
    judge_json_put_c(w, "action", judge_detect_actions[b->action]);
    judge_json_put_str(w, "rule", b->rule);
    judge_json_put_str(w, "reason", b->reason);
    judge_json_put_str(w, "location", b->location);
    judge_json_put_str(w, "method", b->method);
    judge_json_put_str(w, "path", b->path);
    judge_json_put_str(w, "request_id", b->request_id);
    judge_json_put_str(w, "content_type", b->type);
    judge_json_put_str(w, "evaluation_id", b->evaluation_id);
    if (b->scored) {
        judge_json_put_number2(w, "overall_score", b->score);
        judge_json_put_number2(w, "minimum", b->min);
    }
    judge_json_put_str(w, "text", b->text);
    if (b->cut) {
        judge_json_put_bool(w, "text_cut", true);
    }
}


/* Writes the organization's blocked exchanges, the newest first. */

static void
judge_blocked_write(judge_req_t *r, judge_blocked_memory_t *m,
    judge_json_writer_t *w)
{
    int64_t                       left;
    const judge_blocked_t        *b;
    const judge_blocked_slot_t   *slot;
    const judge_blocked_query_t  *q = r->ctx;

    left = q->limit.set ? q->limit.value : 50;

    for (slot = judge_blocked_before(m, UINT64_MAX); slot && left;
         slot = judge_blocked_before(m, slot->number))
    {
        b = &slot->b;
        if (b->org.data && judge_str_eq(b->org, r->org)
            && (!q->action.set || (int) b->action == (int) q->action.value))
        {
            judge_json_object(w);
            judge_blocked_json(w, b);
            judge_json_object_end(w);
            left--;
        }
    }
}


static void
judge_blocked_show(judge_req_t *r)
{
    judge_json_writer_t     *w;
    judge_blocked_memory_t  *m;

    m = judge_extensions_shared(r->service, &judge_extension_traffic);
    w = judge_reply_begin(r, 200);
    judge_json_key_array(w, "blocked");
    if (judge_shared_mutex_lock(&m->mutex, NULL)) {
        judge_blocked_write(r, m, w);
        (void) pthread_mutex_unlock(&m->mutex);
    }
    judge_json_array_end(w);
    judge_reply_end(r);
}


static const judge_field_t  judge_blocked_query[] = {
    judge_field_one_of(judge_blocked_query_t, action, CHOICE, 0,
                       judge_detect_actions),
    judge_field(judge_blocked_query_t, limit, INTEGER, 0, 1, 100),
    { .name = NULL }
};

const judge_route_t  judge_blocked_routes[] = {
    { judge_route(GET, "/traffic/blocked", JUDGE_MAY_READ_CONTENT, 0,
                  judge_blocked_query_t),
      .query = judge_blocked_query, .handler = judge_blocked_show },
    { .pattern = NULL }
};
