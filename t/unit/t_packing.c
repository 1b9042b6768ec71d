/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Results as they stand in the store: packed, and back again. */


#include <string.h>

#include "store/packing/packing.h"
#include "golden.h"
#include "tap.h"


static judge_str_t
file(judge_arena_t *a, size_t n, const char *ext)
{
    judge_str_t  name, text;

    name = judge_str_printf(a, "%zu.%s", n, ext);
    text = golden_read(a, "t/data/packing", name.data);
    t_ok(text.data != NULL, "%s can be read", name.data);

    return text;
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
    char         bad[4096];
    judge_str_t  json, packed, back;

    json = file(a, judge_dictionaries_count, "json");
    packed = judge_pack(a, json);

    t_ok(packed.len < json.len / 5,
         "a result is packed to a fifth: %zu of %zu bytes", packed.len,
         json.len);
    t_ok(judge_str_eq(judge_unpack(a, packed), json),
         "a packed result is unpacked as it was");
    t_ok(judge_pack(a, packed).data == packed.data,
         "a packed result is not packed again");

    back = JUDGE_STR("{\"id\":\"x\"}");
    t_ok(judge_unpack(a, back).data == back.data,
         "a result that is not packed is taken as it is");
    back = JUDGE_STR("{}");
    t_ok(judge_pack(a, back).data == back.data,
         "a result that gets no shorter is not packed");

    none = packed.len < sizeof(bad);
    for (i = 5; none && i < packed.len; i++) {
        back = judge_unpack(a, (judge_str_t) { i, packed.data });
        none = back.data == NULL;
    }
    t_ok(none, "a packed result that is cut is not unpacked");

    memcpy(bad, packed.data, packed.len);
    bad[3] = (char) (judge_dictionaries_count + 1);
    t_ok(judge_unpack(a, (judge_str_t) { packed.len, bad }).data == NULL,
         "what a later program packed is not unpacked");
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
             "each of several results comes back as it was");
        t_ok(judge_unpack_one(a, packed, 1).len == 0
             && judge_unpack_one(a, packed, 1).data,
             "a result that has gone comes back empty");
        t_ok(judge_unpack_one(a, packed, 4).data == NULL,
             "a result behind the last one is none");
        packed = all;
    }

    n = judge_unpack_together(a, judge_pack(a, all), back);
    t_ok(n == 4 && judge_str_eq(back[2], list[2]) && back[1].len == 0,
         "all results of several come back together");

    for (n = 0, i = 0; i < all.len; i++) {
        n += judge_unpack_together(a, (judge_str_t) { i, all.data }, back);
    }
    t_is_int((int64_t) n, 0, "several results that are cut are not unpacked");
    t_is_int((int64_t) judge_unpack_together(a, JUDGE_STR("{\"a\":1}"), back),
             0, "a single result is not unpacked as several");
}


/* What stands for a piece of JSON, with its values, and for what was said. */

static void
test_compact(judge_arena_t *a)
{
    size_t       i, n;
    bool         whole;
    judge_buf_t  b;
    judge_str_t  s, json, piece;

    json = JUDGE_STR("[{\"start\":7,\"end\":10,\"quote\":\"teh\",\"note\":\""
                     "slip\",\"kind\":\"weakness\"},slip,slip]");

    judge_buf_init(&b, a);
    judge_buf_c(&b, JUDGE_COMPACT_HEAD "[" JUDGE_COMPACT_START "7"
                    JUDGE_COMPACT_STOP "10" JUDGE_COMPACT_QUOTE "teh"
                    JUDGE_COMPACT_NOTE);
    n = b.len;
    judge_buf_c(&b, "slip" JUDGE_COMPACT_WEAKNESS ",");
    judge_compact_repeat(&b, n, n + 4);
    judge_buf_c(&b, ",");
    judge_compact_repeat(&b, b.len - 8, b.len - 1);
    judge_buf_c(&b, "]");
    s = judge_buf_view(&b);

    t_ok(judge_str_eq(judge_unpack(a, s), json),
         "a compact result is read as JSON");
    piece = judge_pack(a, judge_pack_together(a, (judge_str_t[]) { s, s }, 2));
    t_ok(judge_str_eq(judge_unpack_one(a, piece, 1), json),
         "one of several compact results is read as JSON");

    for (whole = true, i = 5; i < s.len; i++) {
        piece = judge_unpack(a, (judge_str_t) { i, s.data });
        whole = whole && piece.len < json.len;
    }
    t_ok(whole, "a compact result that is cut is not read beyond its end");

    n = b.len;
    judge_compact_repeat(&b, n, n + 4);
    t_ok(judge_unpack(a, judge_buf_view(&b)).data == NULL,
         "what stands for itself is damaged");

    judge_buf_init(&b, a);
    judge_buf_c(&b, JUDGE_COMPACT_HEAD "0123456789");
    for (i = 0; i < 30; i++) {
        judge_compact_repeat(&b, 4, b.len);
    }
    t_ok(judge_unpack(a, judge_buf_view(&b)).data == NULL,
         "what stands for too much is damaged");
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
             "a float takes few bits unless it is 0");
    t_ok(judge_pack_floats(a, packed).data == packed.data,
         "packed floats are not packed again");

    back = judge_unpack(a, packed);
    near = back.len == s.len && memcmp(back.data, bytes, 8) == 0;
    for (i = 0; near && i < 100; i++) {
        memcpy(&out[i], back.data + 8 + i * sizeof(float), sizeof(float));
        near = in[i] == 0
               ? out[i] == 0
               : out[i] / in[i] > 0.9999f
                 && out[i] == judge_packed_float(in[i]);
    }
    t_ok(near, "the identity comes back to the bit, and the floats nearly");

    t_ok(judge_str_eq(judge_pack_floats(a, back), packed),
         "floats that came back are packed the same again");

    for (i = 5; i < packed.len; i++) {
        back = judge_unpack(a, (judge_str_t) { i, packed.data });
        if (back.data != packed.data) {
            break;
        }
    }
    t_is_int((int64_t) i, (int64_t) packed.len,
             "packed floats that are cut stay as they are");

    back = JUDGE_STR("");
    t_ok(judge_pack_floats(a, back).data == back.data,
         "no floats stay as they are");
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
    t_is_int((int64_t) back.len, 8 + 9 * 4,
             "three bytes of a former format come back as floats");
    memcpy(f, back.data + 8, sizeof(f));
    t_ok(f[0] == 0 && f[2] == 1 && f[8] == -10.03125f,
         "floats of a former format are read as they were");
    s.len--;
    t_ok(judge_unpack(a, s).data == s.data,
         "floats of a former format that are cut stay as they are");
}


int
main(void)
{
    judge_arena_t  *a;

    a = judge_arena_create(65536);
    test_kept(a);
    test_pack(a);
    test_together(a);
    test_compact(a);
    test_floats(a);
    test_floats_kept(a);
    judge_arena_destroy(a);

    return t_done();
}
