/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Results as they stand in the store: packed, and back again. */


#include <stdio.h>
#include <string.h>

#include "store/packing/packing.h"
#include "tap.h"


static judge_str_t
file(judge_arena_t *a, size_t n, const char *ext)
{
    char    name[64];
    char   *p;
    FILE   *f;
    size_t  len;

    (void) snprintf(name, sizeof(name), "t/data/packing/%zu.%s", n, ext);
    p = judge_alloc(a, 65536);
    f = fopen(name, "rb");
    if (p == NULL || f == NULL) {
        t_ok(false, "%s is there", name);
        return JUDGE_STR("");
    }

    len = fread(p, 1, 65536, f);
    (void) fclose(f);

    return (judge_str_t) { len, p };
}


/* Of every dictionary there ever was. */

static void
test_kept(judge_arena_t *a)
{
    size_t       i;
    judge_str_t  json, packed;

    t_ok(judge_dictionaries_count > 0, "there is a dictionary");

    for (i = 1; i <= judge_dictionaries_count; i++) {
        json = file(a, i, "json");
        packed = file(a, i, "packed");

        t_ok(packed.len < json.len / 5, "%zu.packed is short", i);
        t_ok(judge_str_eq(judge_unpack(a, packed), json),
             "%zu.dict: what was packed is read as it was", i);
    }
}


static void
test_pack(judge_arena_t *a)
{
    size_t       i;
    bool         none;
    char         bad[2048];
    judge_str_t  json, packed, back;

    json = file(a, judge_dictionaries_count, "json");
    packed = judge_pack(a, json);

    t_ok(packed.len < json.len / 5, "packed: %zu of %zu bytes", packed.len,
         json.len);
    t_ok(judge_str_eq(judge_unpack(a, packed), json), "and back again");
    t_ok(judge_pack(a, packed).data == packed.data, "only once");

    back = JUDGE_STR("{\"id\":\"x\"}");
    t_ok(judge_unpack(a, back).data == back.data, "what is not packed");
    back = JUDGE_STR("{}");
    t_ok(judge_pack(a, back).data == back.data, "what gets no shorter");

    none = packed.len < sizeof(bad);
    for (i = 5; none && i < packed.len; i++) {
        back = judge_unpack(a, (judge_str_t) { i, packed.data });
        none = back.data == NULL;
    }
    t_ok(none, "what is cut is nothing");

    memcpy(bad, packed.data, packed.len);
    bad[3] = (char) (judge_dictionaries_count + 1);
    t_ok(judge_unpack(a, (judge_str_t) { packed.len, bad }).data == NULL,
         "nor is what a later program packed");
}


/* Each keeps its number, also when others have gone. */

static void
test_together(judge_arena_t *a)
{
    size_t       i, n;
    judge_str_t  list[JUDGE_PACKED_MOST], back[JUDGE_PACKED_MOST], all, packed;

    list[0] = file(a, 1, "json");
    list[1] = (judge_str_t) { 0, NULL };
    list[2] = list[0];
    list[3] = judge_pack(a, list[0]);

    all = judge_pack_together(a, list, 4);
    packed = judge_pack(a, all);
    t_ok(packed.len < 2 * list[3].len + 200, "what is alike is kept once");

    for (i = 0; i < 2; i++) {
        t_ok(judge_str_eq(judge_unpack_one(a, packed, 0), list[0])
             && judge_str_eq(judge_unpack_one(a, packed, 2), list[2])
             && judge_str_eq(judge_unpack_one(a, packed, 3), list[0]),
             "each, as it was");
        t_ok(judge_unpack_one(a, packed, 1).len == 0
             && judge_unpack_one(a, packed, 1).data, "one that has gone");
        t_ok(judge_unpack_one(a, packed, 4).data == NULL, "no such one");
        packed = all;
    }

    n = judge_unpack_together(a, judge_pack(a, all), back);
    t_ok(n == 4 && judge_str_eq(back[2], list[2]) && back[1].len == 0, "all");

    for (n = 0, i = 0; i < all.len; i++) {
        n += judge_unpack_together(a, (judge_str_t) { i, all.data }, back);
    }
    t_is_int((int64_t) n, 0, "what is cut is nothing");
    t_is_int((int64_t) judge_unpack_together(a, JUDGE_STR("{\"a\":1}"), back),
             0, "nor is what is alone");
}


static void
test_floats(judge_arena_t *a)
{
    bool         near;
    char         bytes[8 + 100 * sizeof(float)];
    float        in[100] = { 0 }, out[100];
    size_t       i;
    judge_str_t  s = { sizeof(bytes), bytes }, packed, back;

    for (i = 0; i < 100; i += 3) {
        in[i] = (float) (i % 2 ? -1.0 : 1.0) * (float) i / 7;
    }
    in[1] = 3.4028234e38f;
    in[97] = in[6];
    memcpy(bytes, "\x01\x02\x03\x04\x05\x06\x07\x08", 8);
    memcpy(bytes + 8, in, sizeof(in));

    /* 16 positive ones of four and 15 bits, the largest and 17 negative ones
     * of 28, and one that comes again */

    packed = judge_pack_floats(a, s);
    t_is_int((int64_t) packed.len,
             4 + 2 + 8 + 13 + (16 * 19 + 18 * 28 + 12 + 7) / 8,
             "few bits of each that is not 0");
    t_ok(judge_pack_floats(a, packed).data == packed.data, "only once");

    back = judge_unpack(a, packed);
    near = back.len == s.len && memcmp(back.data, bytes, 8) == 0;
    for (i = 0; near && i < 100; i++) {
        memcpy(&out[i], back.data + 8 + i * sizeof(float), sizeof(float));
        near = in[i] == 0
               ? out[i] == 0
               : out[i] / in[i] > 0.9999f
                 && out[i] == judge_packed_float(in[i]);
    }
    t_ok(near, "the identity, and the floats, nearly");

    t_ok(judge_str_eq(judge_pack_floats(a, back), packed),
         "which then stay as they are");

    for (i = 5; i < packed.len; i++) {
        back = judge_unpack(a, (judge_str_t) { i, packed.data });
        if (back.data != packed.data) {
            break;
        }
    }
    t_is_int((int64_t) i, (int64_t) packed.len, "what is cut stays as it is");

    back = JUDGE_STR("");
    t_ok(judge_pack_floats(a, back).data == back.data, "there may be none");
}


/* As they were packed by the first releases. */

static void
test_floats_kept(judge_arena_t *a)
{
    float        f[9];
    judge_str_t  s, back;

    s = (judge_str_t) { 4 + 2 + 8 + 2 + 6, "\xf5JP\0" "\x09\0" "identity"
                        "\x04\x01" "\0\x80\x3f" "\x80\x20\xc1" };
    back = judge_unpack(a, s);
    t_is_int((int64_t) back.len, 8 + 9 * 4, "three bytes each");
    memcpy(f, back.data + 8, sizeof(f));
    t_ok(f[0] == 0 && f[2] == 1 && f[8] == -10.03125f, "read as they were");
    s.len--;
    t_ok(judge_unpack(a, s).data == s.data, "what is cut of those, too");
}


int
main(void)
{
    judge_arena_t  *a;

    a = judge_arena_create(65536);
    test_kept(a);
    test_pack(a);
    test_together(a);
    test_floats(a);
    test_floats_kept(a);
    judge_arena_destroy(a);

    return t_done();
}
