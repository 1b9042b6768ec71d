/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ZSTD_STATIC_LINKING_ONLY      /* ZSTD_c_forceAttachDict */
#include <zstd.h>

#include "store/packing/packing.h"


/* A packed string begins with the mark and the number of the dictionary, which
 * replace the four magic bytes of every zstd frame.  The first byte occurs in
 * no UTF-8, so that no JSON looks packed. */
#define JUDGE_PACKING_MARK    "\xf5JP"
#define JUDGE_PACKING_HEAD    4
#define JUDGE_PACKING_MAGIC   "\x28\xb5\x2f\xfd"

/* Level 5 would make several results 0.9 times as long in three times as much
 * time. */
#define JUDGE_PACKING_LEVEL   3
#define JUDGE_PACKING_LENGTH  3        /* bytes, the lower first */
#define JUDGE_PACKING_SCRATCH 65536
#define JUDGE_PACKING_KEPT    131072   /* bytes cached by a thread, at most */
#define JUDGE_DICTIONARIES    32

/* In the compact form a piece is a character behind REPEAT, and REPEAT is
 * followed by position and length of what stands before. */
#define JUDGE_COMPACT_REPEAT  0x0e
#define JUDGE_COMPACT_SAME    (1 + 2 * JUDGE_PACKING_LENGTH)
#define JUDGE_COMPACT_DEPTH   4        /* of REPEAT in REPEAT */
#define JUDGE_COMPACT_RATIO   4        /* of JSON to it, at most as a rule */
#define JUDGE_COMPACT_CODES                                                   \
    (sizeof(judge_compact_pieces) / sizeof(judge_compact_pieces[0]))

static const char *const  judge_compact_pieces[] = {
    NULL, "{\"start\":", ",\"end\":", ",\"quote\":\"", "\",\"note\":\"",
    "\",\"kind\":\"weakness\"}", "{\"name\":\"", "\",\"value\":",
    ",\"unit\":\"%\"", ",\"typical\":{\"low\":", ",\"high\":",
    "},\"direction\":\"raises\"}", "},\"direction\":\"lowers\"}", "{\"low\":",
    ",\"basis\":\"prior\",\"n\":0}", "{\"stage\":\"", ",\"after\":",
    ",\"reason\":\""
};

/* Packed floats have this number in place of a dictionary's.  It is followed
 * by their count, the identity, and a bit for each float: 0 if that is 0.  For
 * each other float a code of four bits follows: an exponent above LOW, then 15
 * bits of the mantissa; REPEAT, then the distance to an equal value, in eight
 * bits; or ALL, then the upper 24 bits of the float.  Lower bits come first.
 * The older format (BYTES) has three bytes for each other float, no codes. */
#define JUDGE_PACKING_FLOATS  255
#define JUDGE_PACKING_BYTES   0        /* read only */
#define JUDGE_PACKING_ID      8
#define JUDGE_PACKING_COUNT   2        /* bytes, the lower first */
#define JUDGE_PACKING_LOW     118      /* exponent of code 0: 1 / 512 */
#define JUDGE_PACKING_ALL     14
#define JUDGE_PACKING_REPEAT  15
#define JUDGE_PACKING_BACK    255      /* values back, at most */
#define JUDGE_PACKING_SLOTS   1024     /* hash table of the last positions */

/* Writes bits to `out`, or reads them from `in`. */
typedef struct {
    uint8_t        *out;
    const uint8_t  *in;
    const uint8_t  *end;
    bool            cut;               /* read beyond the end */
    uint64_t        bits;
    unsigned        n;
} judge_packing_bits_t;

/* The contexts and the cache of a thread.  They are not freed when the thread
 * ends: threads end with the process, and a destructor might run after nginx
 * has unloaded this code. */
typedef struct judge_packer  judge_packer_t;

struct judge_packer {
    ZSTD_CCtx       *cctx;
    ZSTD_DCtx       *dctx;
    judge_str_t      packed;           /* cached: the last string, */
    judge_str_t      unpacked;         /* and what it contains */
    judge_packer_t  *next;
};

static _Atomic(judge_packer_t *)  judge_packers;
static __thread judge_packer_t   *judge_packer_own;

static pthread_once_t   judge_packing_once = PTHREAD_ONCE_INIT;
static bool             judge_packing_ready;
static ZSTD_CDict      *judge_packing_cdict;     /* the newest dictionary */
static ZSTD_DDict      *judge_packing_ddicts[JUDGE_DICTIONARIES];


static judge_packer_t *judge_packer(void);
static judge_str_t judge_unpack_floats(judge_arena_t *arena, judge_str_t s,
    bool bytes);


static void
judge_packer_free(judge_packer_t *packer)
{
    (void) ZSTD_freeCCtx(packer->cctx);
    (void) ZSTD_freeDCtx(packer->dctx);
    free((char *) packer->packed.data);
    free((char *) packer->unpacked.data);
    free(packer);
}


static void
judge_packing_begin(void)
{
    size_t              i;
    const judge_str_t  *d;

    if (judge_dictionaries_count > JUDGE_DICTIONARIES) {
        return;
    }

    for (i = 0; i < judge_dictionaries_count; i++) {
        d = &judge_dictionaries[i];
        judge_packing_ddicts[i] = ZSTD_createDDict(d->data, d->len);
        if (judge_packing_ddicts[i] == NULL) {
            return;
        }
    }

    if (i) {
        d = &judge_dictionaries[i - 1];
        judge_packing_cdict = ZSTD_createCDict(d->data, d->len,
                                               JUDGE_PACKING_LEVEL);
    }

    judge_packing_ready = true;
}


static judge_packer_t *
judge_packer(void)
{
    judge_packer_t  *packer;

    (void) pthread_once(&judge_packing_once, judge_packing_begin);
    if (!judge_packing_ready) {
        return NULL;
    }

    if (judge_packer_own) {
        return judge_packer_own;
    }

    packer = calloc(1, sizeof(judge_packer_t));
    if (packer == NULL) {
        return NULL;
    }

    packer->cctx = ZSTD_createCCtx();
    packer->dctx = ZSTD_createDCtx();
    if (packer->cctx == NULL || packer->dctx == NULL
        || ZSTD_isError(ZSTD_CCtx_setParameter(packer->cctx,
                                               ZSTD_c_dictIDFlag, 0)))
    {
        judge_packer_free(packer);
        return NULL;
    }

    /* The tables of the dictionary are read where they are: to copy them for
     * each row took a quarter of the instructions.  Where zstd refuses this
     * experimental parameter, it copies them. */
    (void) ZSTD_CCtx_setParameter(packer->cctx, ZSTD_c_forceAttachDict,
                                  ZSTD_dictForceAttach);

    packer->next = atomic_load(&judge_packers);
    while (!atomic_compare_exchange_weak(&judge_packers, &packer->next,
                                         packer))
    {
        /* void */
    }

    judge_packer_own = packer;

    return packer;
}


static void
judge_packing_put(char *p, size_t length)
{
    p[0] = (char) length;
    p[1] = (char) (length >> 8);
    p[2] = (char) (length >> 16);
}


static size_t
judge_packing_length(const char *bytes)
{
    const uint8_t  *p = (const uint8_t *) bytes;

    return p[0] | (size_t) p[1] << 8 | (size_t) p[2] << 16;
}


static bool
judge_is_packed(judge_str_t s)
{
    return s.len > JUDGE_PACKING_HEAD
           && memcmp(s.data, JUDGE_PACKING_MARK, JUDGE_PACKING_HEAD - 1) == 0;
}


static bool
judge_is_compact(judge_str_t s)
{
    return judge_str_starts(s, JUDGE_STR(JUDGE_COMPACT_HEAD));
}


/* --- The compact form ---------------------------------------------------- */

void
judge_compact_repeat(judge_buf_t *b, size_t begin, size_t end)
{
    char  *p;

    p = judge_buf_room(b, JUDGE_COMPACT_SAME);
    if (p != NULL) {
        *p = JUDGE_COMPACT_REPEAT;
        judge_packing_put(p + 1, begin);
        judge_packing_put(p + 1 + JUDGE_PACKING_LENGTH, end - begin);
        b->len += JUDGE_COMPACT_SAME;
    }
}


/* Appends the JSON of a part of s; false: it is damaged.  Each step appends
 * something, and what comes again stands before, so that it ends. */

static bool
judge_compact_expand(judge_buf_t *b, judge_str_t s, size_t at, size_t end,
    unsigned depth)
{
    size_t   from, begin, len;
    uint8_t  code;

    while (at < end && b->len <= JUDGE_PACKING_MAX) {
        for (from = at; at < end; at++) {
            code = (uint8_t) (s.data[at] - JUDGE_COMPACT_REPEAT);
            if (code < JUDGE_COMPACT_CODES) {
                break;
            }
        }

        judge_buf_append(b, s.data + from, at - from);

        if (at < end && code > 0) {
            judge_buf_c(b, judge_compact_pieces[code]);
            at++;

        } else if (at < end) {
            if (end - at < JUDGE_COMPACT_SAME) {
                return false;
            }

            begin = judge_packing_length(s.data + at + 1);
            len = judge_packing_length(s.data + at + 1 + JUDGE_PACKING_LENGTH);
            if (depth == 0 || len == 0 || begin + len > at
                || !judge_compact_expand(b, s, begin, begin + len, depth - 1))
            {
                return false;
            }
            at += JUDGE_COMPACT_SAME;
        }
    }

    return !b->failed && b->len <= JUDGE_PACKING_MAX;
}


/* Returns s itself if it has another form. */

static judge_str_t
judge_expand(judge_arena_t *arena, judge_str_t s)
{
    judge_buf_t  b;

    if (!judge_is_compact(s)) {
        return s;
    }

    judge_buf_init(&b, arena);
    (void) judge_buf_room(&b, JUDGE_COMPACT_RATIO * s.len);

    return judge_compact_expand(&b, s, JUDGE_PACKING_HEAD, s.len,
                                JUDGE_COMPACT_DEPTH)
           ? judge_buf_view(&b) : (judge_str_t) { 0, NULL };
}


judge_str_t
judge_pack(judge_arena_t *arena, judge_str_t s)
{
    char            *p;
    size_t           n;
    judge_packer_t  *packer;

    if (s.len <= JUDGE_PACKING_HEAD || s.len > JUDGE_PACKING_MAX
        || (judge_is_packed(s) && !judge_is_compact(s)))
    {
        return s;
    }

    packer = judge_packer();
    p = packer && judge_packing_cdict ? judge_alloc(arena, s.len) : NULL;
    if (p == NULL || ZSTD_isError(ZSTD_CCtx_refCDict(packer->cctx,
                                                     judge_packing_cdict)))
    {
        return s;
    }

    /* zstd fails if the output does not fit, because it is not shorter. */
    n = ZSTD_compress2(packer->cctx, p, s.len, s.data, s.len);
    if (ZSTD_isError(n) || n <= JUDGE_PACKING_HEAD) {
        return s;
    }

    memcpy(p, JUDGE_PACKING_MARK, JUDGE_PACKING_HEAD - 1);
    p[JUDGE_PACKING_HEAD - 1] = (char) judge_dictionaries_count;

    return (judge_str_t) { n, p };
}


judge_str_t
judge_unpack(judge_arena_t *arena, judge_str_t s)
{
    char                *p, *frame;
    size_t               n, d;
    judge_packer_t      *packer;
    unsigned long long   size;

    if (!judge_is_packed(s)) {
        return s;
    }

    if (judge_is_compact(s)) {
        return judge_expand(arena, s);
    }

    d = (uint8_t) s.data[JUDGE_PACKING_HEAD - 1];
    if (d == JUDGE_PACKING_FLOATS || d == JUDGE_PACKING_BYTES) {
        return judge_unpack_floats(arena, s, d == JUDGE_PACKING_BYTES);
    }

    packer = judge_packer();
    frame = packer && d && d <= judge_dictionaries_count
            ? judge_alloc(arena, s.len) : NULL;
    if (frame == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    memcpy(frame, JUDGE_PACKING_MAGIC, JUDGE_PACKING_HEAD);
    memcpy(frame + JUDGE_PACKING_HEAD, s.data + JUDGE_PACKING_HEAD,
           s.len - JUDGE_PACKING_HEAD);

    /* zstd's codes for an unknown size and an error exceed the maximum. */
    size = ZSTD_getFrameContentSize(frame, s.len);
    p = size <= JUDGE_PACKING_MAX ? judge_alloc(arena, size + 1) : NULL;
    if (p == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    n = ZSTD_decompress_usingDDict(packer->dctx, p, size, frame, s.len,
                                   judge_packing_ddicts[d - 1]);
    if (ZSTD_isError(n) || n != size) {
        return (judge_str_t) { 0, NULL };
    }

    p[n] = '\0';

    return judge_expand(arena, (judge_str_t) { n, p });
}


/* --- Several strings in one ---------------------------------------------- */

judge_str_t
judge_pack_together(judge_arena_t *arena, const judge_str_t *list, size_t n)
{
    char    *p, *at;
    size_t   i, len;

    for (len = 0, i = 0; i < n && n <= JUDGE_PACKED_MOST; i++) {
        len += list[i].len;
    }

    p = n && n <= JUDGE_PACKED_MOST && len < JUDGE_PACKING_MAX
        ? judge_alloc(arena, 1 + n * JUDGE_PACKING_LENGTH + len) : NULL;
    if (p == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    p[0] = (char) n;
    at = p + 1 + n * JUDGE_PACKING_LENGTH;

    for (i = 0; i < n; i++) {
        judge_packing_put(p + 1 + i * JUDGE_PACKING_LENGTH, list[i].len);
        if (list[i].len) {
            memcpy(at, list[i].data, list[i].len);
        }
        at += list[i].len;
    }

    return (judge_str_t) { (size_t) (at - p), p };
}


size_t
judge_unpack_together(judge_arena_t *arena, judge_str_t s,
    judge_str_t list[JUDGE_PACKED_MOST])
{
    size_t  i, n, at;

    s = judge_unpack(arena, s);
    n = s.len ? (uint8_t) s.data[0] : 0;
    at = 1 + n * JUDGE_PACKING_LENGTH;
    if (n > JUDGE_PACKED_MOST || s.len < at) {
        return 0;
    }

    for (i = 0; i < n; i++) {
        list[i].data = s.data + at;
        list[i].len = judge_packing_length(s.data + 1
                                           + i * JUDGE_PACKING_LENGTH);
        if (list[i].len > s.len - at) {
            return 0;
        }
        at += list[i].len;
    }

    return at == s.len ? n : 0;
}


/* Caches copies, because the arena of the caller may be freed. */

static void
judge_packer_keep(judge_packer_t *packer, judge_str_t packed,
    judge_str_t unpacked)
{
    char  *last, *kept;

    if (packed.len + unpacked.len > JUDGE_PACKING_KEPT) {
        return;
    }

    last = malloc(packed.len);
    kept = malloc(unpacked.len);
    if (last == NULL || kept == NULL) {
        free(last);
        free(kept);
        return;
    }

    memcpy(last, packed.data, packed.len);
    memcpy(kept, unpacked.data, unpacked.len);
    free((char *) packer->packed.data);
    free((char *) packer->unpacked.data);
    packer->packed = (judge_str_t) { packed.len, last };
    packer->unpacked = (judge_str_t) { unpacked.len, kept };
}


judge_str_t
judge_unpack_one(judge_arena_t *arena, judge_str_t s, size_t n)
{
    judge_str_t      all, list[JUDGE_PACKED_MOST];
    judge_arena_t   *scratch;
    judge_packer_t  *packer;

    scratch = judge_arena_create(JUDGE_PACKING_SCRATCH);
    if (scratch == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    all = s;

    if (judge_is_packed(s)) {
        packer = judge_packer();

        if (packer && judge_str_eq(packer->packed, s)) {
            all = packer->unpacked;

        } else {
            all = judge_unpack(scratch, s);
            if (packer && all.len) {
                judge_packer_keep(packer, s, all);
            }
        }
    }

    s = (judge_str_t) { 0, NULL };

    if (n < judge_unpack_together(scratch, all, list)) {
        s = judge_unpack(arena, list[n]);
        s = s.data == list[n].data ? judge_str_dup(arena, s) : s;
    }

    judge_arena_destroy(scratch);

    return s;
}


/* --- Floats -------------------------------------------------------------- */

/* Rounds to the upper 24 bits, but not up to infinity. */

static uint32_t
judge_packing_bits(float f)
{
    uint32_t  v;

    memcpy(&v, &f, sizeof(v));
    v = (v & 0x7fffffff) < 0x7f7fff80 ? v + 0x80 : v;

    return v & 0x7fffff00 ? v & 0xffffff00 : 0;
}


float
judge_packed_float(float f)
{
    uint32_t  v;

    v = judge_packing_bits(f);
    memcpy(&f, &v, sizeof(f));

    return f;
}


static void
judge_bits_put(judge_packing_bits_t *b, uint32_t v, unsigned n)
{
    b->bits |= (uint64_t) v << b->n;

    for (b->n += n; b->n >= 8; b->n -= 8) {
        *b->out++ = (uint8_t) b->bits;
        b->bits >>= 8;
    }
}


/* Bits beyond the end are 0. */

static uint32_t
judge_bits_get(judge_packing_bits_t *b, unsigned n)
{
    uint32_t  v;

    while (b->n < n) {
        b->cut = b->cut || b->in == b->end;
        b->bits |= b->cut ? 0 : (uint64_t) *b->in++ << b->n;
        b->n += 8;
    }

    v = (uint32_t) (b->bits & ((1u << n) - 1));
    b->bits >>= n;
    b->n -= n;

    return v;
}


/* Packs values[n], which is not 0.  `last` has the last position of a value
 * with each hash: enough to find nearly all repeated values. */

static void
judge_pack_float(judge_packing_bits_t *b, const uint32_t *values, size_t n,
    uint16_t *last)
{
    size_t    back;
    uint32_t  v, exponent;

    v = values[n];
    exponent = (v >> 15) - JUDGE_PACKING_LOW;    /* wraps if it is less */

    last += v * 2654435761u >> 22;
    back = n - *last;                  /* an unused slot has position 0 */
    *last = (uint16_t) n;

    if (n && back <= JUDGE_PACKING_BACK && values[n - back] == v) {
        judge_bits_put(b, JUDGE_PACKING_REPEAT, 4);
        judge_bits_put(b, (uint32_t) back, 8);
        return;
    }

    if (exponent < JUDGE_PACKING_ALL) {
        judge_bits_put(b, exponent, 4);
        judge_bits_put(b, v & 0x7fff, 15);

    } else {
        judge_bits_put(b, JUDGE_PACKING_ALL, 4);
        judge_bits_put(b, v, 24);
    }
}


judge_str_t
judge_pack_floats(judge_arena_t *arena, judge_str_t s)
{
    float                  f;
    size_t                 i, k, n;
    uint8_t               *p, *bits;
    uint16_t               last[JUDGE_PACKING_SLOTS] = { 0 };
    uint32_t              *values;
    judge_packing_bits_t   b = { 0 };

    n = s.len > JUDGE_PACKING_ID ? (s.len - JUDGE_PACKING_ID) / sizeof(f) : 0;
    if (n == 0 || n > UINT16_MAX || judge_is_packed(s)
        || s.len != JUDGE_PACKING_ID + n * sizeof(f))
    {
        return s;
    }

    values = judge_alloc(arena, n * sizeof(uint32_t));
    p = judge_calloc(arena, JUDGE_PACKING_HEAD + JUDGE_PACKING_COUNT
                            + JUDGE_PACKING_ID + (n + 7) / 8 + n * 7 / 2 + 1);
    if (values == NULL || p == NULL) {
        return s;
    }

    memcpy(p, JUDGE_PACKING_MARK "\xff", JUDGE_PACKING_HEAD);
    bits = p + JUDGE_PACKING_HEAD;
    *bits++ = (uint8_t) n;
    *bits++ = (uint8_t) (n >> 8);
    memcpy(bits, s.data, JUDGE_PACKING_ID);
    bits += JUDGE_PACKING_ID;
    b.out = bits + (n + 7) / 8;

    for (i = 0, k = 0; i < n; i++) {
        memcpy(&f, s.data + JUDGE_PACKING_ID + i * sizeof(f), sizeof(f));
        values[k] = judge_packing_bits(f) >> 8;
        if (values[k]) {
            bits[i / 8] |= (uint8_t) (1 << i % 8);
            judge_pack_float(&b, values, k++, last);
        }
    }

    judge_bits_put(&b, 0, 7);          /* completes the last byte */

    return (judge_str_t) { (size_t) (b.out - p), (const char *) p };
}


/* Unpacks values[n]; values has no floats that are 0. */

static uint32_t
judge_unpack_float(judge_packing_bits_t *b, const uint32_t *values, size_t n)
{
    uint32_t  code, back;

    code = judge_bits_get(b, 4);

    if (code == JUDGE_PACKING_REPEAT) {
        back = judge_bits_get(b, 8);
        return back > 0 && back <= n ? values[n - back] : 0;
    }

    return code == JUDGE_PACKING_ALL
           ? judge_bits_get(b, 24)
           : (code + JUDGE_PACKING_LOW) << 15 | judge_bits_get(b, 15);
}


static judge_str_t
judge_unpack_floats(judge_arena_t *arena, judge_str_t s, bool bytes)
{
    char                  *p;
    size_t                 i, k, n, head;
    uint32_t              *values, v;
    const uint8_t         *in, *bits;
    judge_packing_bits_t   b = { 0 };

    in = (const uint8_t *) s.data;
    head = JUDGE_PACKING_HEAD + JUDGE_PACKING_COUNT + JUDGE_PACKING_ID;
    if (s.len < head) {
        return s;
    }

    n = in[JUDGE_PACKING_HEAD] | (size_t) in[JUDGE_PACKING_HEAD + 1] << 8;
    if (s.len - head < (n + 7) / 8) {
        return s;
    }

    values = judge_array_alloc(arena, n + 1, sizeof(uint32_t));
    p = judge_alloc(arena, JUDGE_PACKING_ID + n * sizeof(v));
    if (values == NULL || p == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    bits = in + head;
    memcpy(p, bits - JUDGE_PACKING_ID, JUDGE_PACKING_ID);
    b.in = bits + (n + 7) / 8;
    b.end = in + s.len;

    for (i = 0, k = 0; i < n && !b.cut; i++) {
        v = 0;
        if (bits[i / 8] >> i % 8 & 1) {
            values[k] = bytes ? judge_bits_get(&b, 24)
                              : judge_unpack_float(&b, values, k);
            v = values[k++] << 8;
        }
        memcpy(p + JUDGE_PACKING_ID + i * sizeof(v), &v, sizeof(v));
    }

    return !b.cut && b.in == b.end
           ? (judge_str_t) { JUDGE_PACKING_ID + n * sizeof(v), p } : s;
}
