/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A robust mutex protects the memory, for a microsecond at most except for
 * lists, which are rare.  If a process dies while it has the mutex, the entry
 * that it was writing may be wrong; nothing else depends on that entry. */


#include <errno.h>
#include <string.h>

#include "base/text/utf8.h"
#include "extensions/traffic/blocked.h"


/* Lengths of the strings of judge_blocked_t, at most, in its order. */
static const size_t  judge_blocked_room[JUDGE_BLOCKED_STRINGS] = {
    40, 40, 64, 64, 16, 256, 64, 128, 40, JUDGE_BLOCKED_TEXT
};


bool
judge_blocked_init(void *memory)
{
    bool                     failed;
    pthread_mutexattr_t      attr;
    judge_blocked_memory_t  *m = memory;

    if (pthread_mutexattr_init(&attr) != 0) {
        return false;
    }

    failed = pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED) != 0
             || pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST) != 0
             || pthread_mutex_init(&m->mutex, &attr) != 0;

    (void) pthread_mutexattr_destroy(&attr);

    return !failed;
}


static bool
judge_blocked_lock(judge_blocked_memory_t *m)
{
    int  err;

    err = pthread_mutex_lock(&m->mutex);

    return err == 0
           || (err == EOWNERDEAD && pthread_mutex_consistent(&m->mutex) == 0);
}


static judge_str_t *
judge_blocked_string(judge_blocked_t *b, size_t i)
{
    judge_str_t *const  strings[JUDGE_BLOCKED_STRINGS] = {
        &b->org, &b->rule, &b->location, &b->reason, &b->method, &b->path,
        &b->request_id, &b->type, &b->evaluation_id, &b->text
    };

    return strings[i];
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

    if (!judge_blocked_lock(m)) {
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
        m->other++;
    }

    (void) pthread_mutex_unlock(&m->mutex);
}


/* Writes a label, its value escaped as Prometheus demands. */

static void
judge_blocked_label(judge_buf_t *out, const char *name, const char *value)
{
    judge_buf_printf(out, "%s%s=\"", out->len ? "," : "", name);

    for ( /* void */ ; *value; value++) {
        if (*value == '"' || *value == '\\') {
            judge_buf_c(out, "\\");
        }
        judge_buf_append(out, *value == '\n' ? " " : value, 1);
    }

    judge_buf_c(out, "\"");
}


bool
judge_blocked_counted(judge_blocked_memory_t *m, size_t i,
    judge_buf_t *labels, uint64_t *n)
{
    judge_blocked_count_t  c = { .n = 0 };

    if (judge_blocked_lock(m)) {
        if (i < m->ncounts) {
            c = m->counts[i];
        } else if (i == m->ncounts) {
            c.n = m->other;
        }
        (void) pthread_mutex_unlock(&m->mutex);
    }

    *n = c.n;
    labels->len = 0;

    if (c.n && c.rule[0] == '\0') {
        judge_buf_c(labels, "location=\"other\",rule=\"other\"");

    } else if (c.n) {
        judge_blocked_label(labels, "of", c.asks ? "request" : "answer");
        judge_blocked_label(labels, "location", c.location);
        judge_blocked_label(labels, "rule", c.rule);
        judge_blocked_label(labels, "reason", c.reason);
        judge_blocked_label(labels, "action", judge_detect_actions[c.action]);
    }

    return c.n != 0;
}


/* --- The sample ---------------------------------------------------------- */

static void
judge_blocked_put(judge_blocked_slot_t *slot, const judge_blocked_t *b)
{
    char         *to = slot->bytes;
    size_t        i;
    judge_str_t   s;

    slot->b = *b;

    for (i = 0; i < JUDGE_BLOCKED_STRINGS; i++) {
        s = judge_utf8_prefix(*judge_blocked_string(&slot->b, i),
                              judge_blocked_room[i]);
        slot->b.cut = s.len < judge_blocked_string(&slot->b, i)->len;
        slot->absent[i] = s.data == NULL;
        slot->len[i] = (uint16_t) s.len;
        if (s.len) {
            memcpy(to, s.data, s.len);
        }
        to += s.len;
    }
}


void
judge_blocked_keep(judge_blocked_memory_t *m, const judge_blocked_t *b)
{
    if (!judge_blocked_lock(m)) {
        return;
    }

    if (b->action == JUDGE_DETECT_BLOCK) {
        judge_blocked_put(&m->kept[m->nkept++ % JUDGE_BLOCKED_KEPT], b);
    } else {
        judge_blocked_put(&m->others[m->nothers++ % JUDGE_BLOCKED_OTHERS], b);
    }

    (void) pthread_mutex_unlock(&m->mutex);
}


static judge_rc_e
judge_blocked_take(const judge_blocked_slot_t *slot, judge_arena_t *arena,
    judge_blocked_t *row)
{
    size_t        i;
    judge_str_t  *s;
    const char   *from = slot->bytes;

    *row = slot->b;

    for (i = 0; i < JUDGE_BLOCKED_STRINGS; i++) {
        s = judge_blocked_string(row, i);
        *s = (judge_str_t) { 0, NULL };
        if (!slot->absent[i]) {
            *s = judge_str_dup(arena, (judge_str_t) { slot->len[i], from });
            if (s->data == NULL) {
                return JUDGE_NOMEM;
            }
        }
        from += slot->len[i];
    }

    return JUDGE_OK;
}


/* Takes the newest entry of both rings, of which *kept and *others are left;
 * NULL: none is left. */

static const judge_blocked_slot_t *
judge_blocked_last(const judge_blocked_memory_t *m, size_t *kept,
    size_t *others)
{
    const judge_blocked_slot_t  *a = NULL, *b = NULL;

    if (*kept) {
        a = &m->kept[(m->nkept - 1
                      - ((m->nkept < JUDGE_BLOCKED_KEPT
                          ? m->nkept : JUDGE_BLOCKED_KEPT) - *kept))
                     % JUDGE_BLOCKED_KEPT];
    }
    if (*others) {
        b = &m->others[(m->nothers - 1
                        - ((m->nothers < JUDGE_BLOCKED_OTHERS
                            ? m->nothers : JUDGE_BLOCKED_OTHERS) - *others))
                       % JUDGE_BLOCKED_OTHERS];
    }

    if (a && (b == NULL || a->b.noted_at >= b->b.noted_at)) {
        (*kept)--;
        return a;
    }
    *others -= b != NULL;

    return b;
}


judge_rc_e
judge_blocked_list(judge_blocked_memory_t *m, judge_arena_t *arena,
    judge_str_t org, int action, size_t limit, judge_blocked_t **rows,
    size_t *n)
{
    size_t                       kept, others;
    judge_rc_e                   rc = JUDGE_OK;
    const judge_blocked_slot_t  *slot;

    *n = 0;
    *rows = judge_array_alloc(arena, JUDGE_BLOCKED_KEPT + JUDGE_BLOCKED_OTHERS,
                              sizeof(judge_blocked_t));
    if (*rows == NULL || !judge_blocked_lock(m)) {
        return *rows ? JUDGE_OK : JUDGE_NOMEM;
    }

    kept = m->nkept < JUDGE_BLOCKED_KEPT ? m->nkept : JUDGE_BLOCKED_KEPT;
    others = m->nothers < JUDGE_BLOCKED_OTHERS ? m->nothers
                                               : JUDGE_BLOCKED_OTHERS;

    while (rc == JUDGE_OK && *n < limit
           && (slot = judge_blocked_last(m, &kept, &others)))
    {
        if (!slot->absent[0] && (action < 0 || (int) slot->b.action == action)
            && judge_str_eq(org, (judge_str_t) { slot->len[0], slot->bytes }))
        {
            rc = judge_blocked_take(slot, arena, &(*rows)[*n]);
            *n += rc == JUDGE_OK;
        }
    }

    (void) pthread_mutex_unlock(&m->mutex);

    return rc;
}
