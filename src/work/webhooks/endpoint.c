/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <stdlib.h>
#include <string.h>

#include "base/crypto/crypto.h"
#include "work/webhooks/webhook.h"


#define JUDGE_ENDPOINTS_MAX    1024
#define JUDGE_ENDPOINT_WINDOW  4       /* at first */
#define JUDGE_ENDPOINT_WINDOW_MAX  4096
#define JUDGE_ENDPOINT_IDLE    60000   /* ms until an idle one is freed */


static void
judge_endpoint_remove(judge_endpoints_t *ends, judge_endpoint_t *end)
{
    judge_endpoint_t  **p;

    p = &ends->table[end->hash % 256];
    while (*p != end) {
        p = &(*p)->chain;
    }
    *p = end->chain;

    *end->prev = end->next;
    if (end->next) {
        end->next->prev = end->prev;
    }

    ends->count--;
    free(end);
}


void
judge_endpoints_free(judge_endpoints_t *ends)
{
    while (ends->first) {
        judge_endpoint_remove(ends, ends->first);
    }
}


static judge_endpoint_t *
judge_endpoint_add(judge_endpoints_t *ends, judge_str_t org, judge_str_t url,
    uint32_t hash)
{
    char              *text;
    judge_endpoint_t  *end;

    if (ends->count == JUDGE_ENDPOINTS_MAX) {
        return NULL;
    }

    end = calloc(1, sizeof(judge_endpoint_t) + org.len + url.len);
    if (end == NULL) {
        return NULL;
    }

    text = (char *) (end + 1);
    memcpy(text, org.data, org.len);
    memcpy(text + org.len, url.data, url.len);
    end->org = (judge_str_t) { org.len, text };
    end->url = (judge_str_t) { url.len, text + org.len };
    end->hash = hash;
    end->window = JUDGE_ENDPOINT_WINDOW;

    end->next = ends->first;
    end->prev = &ends->first;
    if (ends->first) {
        ends->first->prev = &end->next;
    }
    ends->first = end;

    end->chain = ends->table[hash % 256];
    ends->table[hash % 256] = end;
    ends->count++;

    return end;
}


judge_endpoint_t *
judge_endpoint_get(judge_endpoints_t *ends, const judge_webhook_end_t *due,
    judge_ms_t now)
{
    uint32_t           hash;
    judge_endpoint_t  *end;

    hash = judge_crc32(due->org) * 31 + judge_crc32(due->url);

    for (end = ends->table[hash % 256]; end; end = end->chain) {
        if (end->hash == hash && judge_str_eq(end->org, due->org)
            && judge_str_eq(end->url, due->url))
        {
            break;
        }
    }

    if (end == NULL) {
        end = judge_endpoint_add(ends, due->org, due->url, hash);
        if (end == NULL) {
            return NULL;
        }
        end->failures = due->failures;
    }

    /* A client has reset the endpoint, or it has answered another worker. */
    if (due->failures == 0 && end->failures) {
        end->failures = 0;
        end->blocked_until = 0;
    }

    if (end->changed_at != due->changed_at) {
        end->changed_at = due->changed_at;
        end->window = JUDGE_ENDPOINT_WINDOW;
        end->proven = false;
    }

    end->used_at = now;

    return end;
}


/* The lesser of n and the part of a limit that is not used. */

static size_t
judge_endpoint_left(size_t limit, size_t used, size_t n)
{
    size_t  left;

    left = used < limit ? limit - used : 0;

    return n < left ? n : left;
}


size_t
judge_endpoint_room(const judge_endpoints_t *ends,
    const judge_endpoint_t *end, judge_ms_t now)
{
    size_t                   n, half, eighth, org;
    const judge_endpoint_t  *other;

    if (end->blocked_until > now) {
        return 0;
    }

    half = ends->room < 2 ? 1 : ends->room / 2;
    n = end->failures ? 1 : end->window < half ? end->window : half;
    n = judge_endpoint_left(n, end->under_way, n);
    n = judge_endpoint_left(ends->room, ends->under_way, n);

    if (end->proven) {
        return n;
    }

    n = judge_endpoint_left(half, ends->probing, n);

    for (other = ends->first, org = 0; n && other; other = other->next) {
        if (other->probing && judge_str_eq(other->org, end->org)) {
            org += other->probing;
        }
    }

    eighth = ends->room < 8 ? 1 : ends->room / 8;

    return judge_endpoint_left(eighth, org, n);
}


bool
judge_endpoint_take(judge_endpoints_t *ends, judge_endpoint_t *end)
{
    ends->under_way++;
    end->under_way++;

    if (end->proven) {
        return false;
    }

    ends->probing++;
    end->probing++;

    return true;
}


void
judge_endpoint_give(judge_endpoints_t *ends, judge_endpoint_t *end, bool probe)
{
    ends->under_way--;
    end->under_way--;

    if (probe) {
        ends->probing--;
        end->probing--;
    }
}


void
judge_endpoint_answered(judge_endpoint_t *end, judge_answered_e how,
    judge_ms_t took, judge_ms_t until)
{
    if (end->blocked_until < until) {
        end->blocked_until = until;
    }

    switch (how) {

    case JUDGE_ANSWERED_WELL:
        end->succeeded = true;
        end->proven = took < JUDGE_ENDPOINT_LATE;
        if (took < JUDGE_ENDPOINT_SOON) {
            end->window = end->window < JUDGE_ENDPOINT_WINDOW_MAX
                          ? end->window * 2 : end->window;
        } else if (!end->proven && end->window > 1) {
            end->window /= 2;
        }
        break;

    case JUDGE_ANSWERED:
        break;

    default:
        end->failed = true;
        end->proven = false;
        end->window = 1;
        break;
    }
}


void
judge_endpoint_settle(judge_endpoint_t *end, judge_ms_t now)
{
    int64_t     times;
    judge_ms_t  rest;

    if (end->succeeded) {
        end->failures = 0;

    } else if (end->failed) {
        end->failures++;
        times = end->failures - JUDGE_ENDPOINT_FAILURES;

        if (times >= 0) {
            rest = times < 5 ? (judge_ms_t) JUDGE_ENDPOINT_REST << times
                             : JUDGE_ENDPOINT_REST_MAX;
            rest = rest < JUDGE_ENDPOINT_REST_MAX ? rest
                                                  : JUDGE_ENDPOINT_REST_MAX;
            if (end->blocked_until < now + rest) {
                end->blocked_until = now + rest;
            }
        }
    }

    end->succeeded = false;
    end->failed = false;
}


void
judge_endpoints_sweep(judge_endpoints_t *ends, judge_ms_t now)
{
    judge_endpoint_t  *end, *next;

    for (end = ends->first; end; end = next) {
        next = end->next;

        if (end->under_way == 0 && !end->more && !end->in_turn
            && now - end->used_at > JUDGE_ENDPOINT_IDLE)
        {
            judge_endpoint_remove(ends, end);
        }
    }
}
