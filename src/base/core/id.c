/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Each thread stores the last identifier that it made, and increments its
 * random part, so that the next one sorts after it.  A forked process must not
 * increment its parent's, or two workers would make the same identifier in the
 * same millisecond.
 */


#include <string.h>
#include <unistd.h>

#include "base/core/id.h"
#include "base/crypto/crypto.h"


#define JUDGE_ID_PREFIX   3
#define JUDGE_ID_TIME     10           /* digits of the time */
#define JUDGE_ID_RANDOM   10           /* bytes */
#define JUDGE_ID_NOW_MAX  ((judge_ms_t) 1 << 48)


typedef struct {
    pid_t       pid;
    judge_ms_t  ms;
    uint8_t     random[JUDGE_ID_RANDOM];
} judge_id_last_t;


static const char  judge_id_alphabet[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

static __thread judge_id_last_t  judge_id_last;


/* Adds `carry` to the big-endian number whose last byte has index i. */

static judge_rc_e
judge_id_count(judge_id_last_t *last, int i, unsigned carry)
{
    for ( /* void */ ; i >= 0 && carry; i--) {
        carry += last->random[i];
        last->random[i] = (uint8_t) carry;
        carry >>= 8;
    }

    return carry ? JUDGE_ERROR : JUDGE_OK;       /* error: 2^79 or more in one
                                                    millisecond */
}


static judge_rc_e
judge_id_next(judge_id_last_t *last, judge_ms_t now)
{
    pid_t       pid;
    judge_rc_e  rc;

    pid = getpid();

    if (last->pid == pid && now <= last->ms) {
        return judge_id_count(last, JUDGE_ID_RANDOM - 1, 1);
    }

    last->pid = 0;

    rc = judge_random(last->random, JUDGE_ID_RANDOM);
    if (rc != JUDGE_OK) {
        return rc;
    }

    last->random[0] &= 0x7f;           /* room for increments */
    last->ms = now;
    last->pid = pid;

    return JUDGE_OK;
}


static void
judge_id_write(judge_id_t *id, const char *prefix, const judge_id_last_t *last)
{
    int        i, n;
    char      *p;
    uint32_t   bits;

    judge_id_bound(id, prefix, last->ms);
    p = id->text + JUDGE_ID_PREFIX + 1 + JUDGE_ID_TIME;
    bits = 0;
    n = 0;

    for (i = 0; i < JUDGE_ID_RANDOM; i++) {
        bits = (bits << 8) | last->random[i];

        for (n += 8; n >= 5; n -= 5) {
            *p++ = judge_id_alphabet[(bits >> (n - 5)) & 31];
        }
    }
}


judge_rc_e
judge_id_make(judge_id_t *id, const char *prefix, judge_ms_t now)
{
    judge_rc_e  rc;

    if (strlen(prefix) != JUDGE_ID_PREFIX || now < 0
        || now >= JUDGE_ID_NOW_MAX)
    {
        return JUDGE_ERROR;
    }

    rc = judge_id_next(&judge_id_last, now);
    if (rc == JUDGE_OK) {
        judge_id_write(id, prefix, &judge_id_last);
    }

    return rc;
}


/* Rounds up to a multiple of the range; later identifiers begin after it. */

judge_rc_e
judge_id_make_range(judge_id_t *id, const char *prefix, judge_ms_t now)
{
    uint8_t     *low = &judge_id_last.random[JUDGE_ID_RANDOM - 4];
    judge_rc_e   rc;

    rc = judge_id_make(id, prefix, now);
    if (rc != JUDGE_OK) {
        return rc;
    }

    low[0] &= 0xfe;                    /* the range has 25 bits */
    low[1] = low[2] = low[3] = 0;

    rc = judge_id_count(&judge_id_last, JUDGE_ID_RANDOM - 4, 2);
    if (rc == JUDGE_OK) {
        judge_id_write(id, prefix, &judge_id_last);
        rc = judge_id_count(&judge_id_last, JUDGE_ID_RANDOM - 4, 2);
    }

    return rc;
}


void
judge_id_nth(judge_id_t *id, const judge_id_t *first, size_t n)
{
    int  i;

    *id = *first;

    for (i = 1; i <= JUDGE_ID_COUNTED; i++) {
        id->text[JUDGE_ID_LEN - i] = judge_id_alphabet[n & 31];
        n >>= 5;
    }
}


void
judge_id_bound(judge_id_t *id, const char *prefix, judge_ms_t t)
{
    int    i;
    char  *p;

    memset(id, 0, sizeof(judge_id_t));
    memcpy(id->text, prefix, JUDGE_ID_PREFIX);
    id->text[JUDGE_ID_PREFIX] = '_';

    p = id->text + JUDGE_ID_PREFIX + 1;

    for (i = JUDGE_ID_TIME - 1; i >= 0; i--) {
        p[i] = judge_id_alphabet[t & 31];
        t >>= 5;
    }
}


void
judge_id_set(judge_id_t *id, judge_str_t s)
{
    size_t  n;

    n = s.len < sizeof(id->text) - 1 ? s.len : sizeof(id->text) - 1;

    memset(id, 0, sizeof(judge_id_t));
    if (n) {
        memcpy(id->text, s.data, n);
    }
}


judge_str_t
judge_id_str(const judge_id_t *id)
{
    return (judge_str_t) { strnlen(id->text, sizeof(id->text)), id->text };
}


static bool
judge_id_digits(judge_str_t s)
{
    if (s.len != JUDGE_ID_LEN || s.data[JUDGE_ID_PREFIX] != '_') {
        return false;
    }

    s = judge_str_from(s, JUDGE_ID_PREFIX + 1);

    /* 26 digits have 130 bits, of which the first two must be 0 */

    return s.data[0] <= '7' && judge_str_only(s, judge_id_alphabet);
}


bool
judge_id_wellformed(judge_str_t s, const char *prefix)
{
    return judge_id_digits(s) && strlen(prefix) == JUDGE_ID_PREFIX
           && memcmp(s.data, prefix, JUDGE_ID_PREFIX) == 0;
}


judge_ms_t
judge_id_time(judge_str_t s)
{
    size_t      i;
    judge_ms_t  ms;

    if (!judge_id_digits(s)) {
        return 0;
    }

    s.data += JUDGE_ID_PREFIX + 1;
    ms = 0;

    for (i = 0; i < JUDGE_ID_TIME; i++) {
        ms = (ms << 5)
             | (strchr(judge_id_alphabet, s.data[i]) - judge_id_alphabet);
    }

    return ms;
}
