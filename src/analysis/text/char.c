/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The ranges of Unicode are as coarse as measuring European languages
 * allows. */


#include <string.h>

#include "base/text/utf8.h"
#include "analysis/text/char.h"
#include "analysis/text/text.h"


uint32_t
judge_char_lower(uint32_t c)
{
    if ((c >= 0xc0 && c <= 0xde && c != 0xd7)
        || (c >= 0x391 && c <= 0x3a9) || (c >= 0x410 && c <= 0x42f))
    {
        return c + 0x20;
    }

    if (c >= 0x400 && c <= 0x40f) {
        return c + 0x50;
    }

    if (((c >= 0x100 && c <= 0x137) || (c >= 0x14a && c <= 0x177))
        && !(c & 1))
    {
        return c + 1;
    }

    if (((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17e)) && (c & 1))
    {
        return c + 1;
    }

    return 0;
}


static judge_str_t
judge_char_written(judge_arena_t *arena, judge_str_t s, bool plain)
{
    char        *to;
    size_t       n;
    uint32_t     c, small;
    const char  *p, *next, *end;

    /* what is put in place of a character is never longer than it */

    to = judge_alloc(arena, s.len + 1);
    if (to == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    end = s.len ? s.data + s.len : s.data;       /* s.data may be NULL */

    for (p = s.data, n = 0; p < end; p = next) {
        next = p;
        c = judge_utf8_next(&next, end);
        small = (c >= 'A' && c <= 'Z') ? c + 0x20
                : !plain ? judge_char_lower(c)
                : (c == 0x2018 || c == 0x2019) ? '\''
                : (c >= 0x2010 && c <= 0x2014) ? '-'
                : (c == 0x2026) ? '.' : (c == 0xd7) ? 'x'
                : judge_char_lower(c);

        if (small != 0) {
            n += judge_utf8_put(to + n, small);

        } else {
            memcpy(to + n, p, (size_t) (next - p));
            n += (size_t) (next - p);
        }
    }

    return (judge_str_t) { n, to };
}


judge_str_t
judge_char_lowered(judge_arena_t *arena, judge_str_t s)
{
    return judge_char_written(arena, s, false);
}


judge_str_t
judge_char_small(judge_arena_t *arena, judge_str_t s)
{
    return judge_char_written(arena, s, true);
}


bool
judge_char_is_ideograph(uint32_t c)
{
    return (c >= 0x3041 && c <= 0x30ff) || (c >= 0x3400 && c <= 0x9fff)
           || (c >= 0xf900 && c <= 0xfaff) || (c >= 0x20000 && c <= 0x3ffff);
}


bool
judge_char_is_letter(uint32_t c)
{
    if (c == JUDGE_UTF8_INVALID || c < 0xaa) {
        return false;
    }

    if (c < 0xc0) {
        return c == 0xaa || c == 0xb5 || c == 0xba;
    }

    return c != 0xd7 && c != 0xf7 && !(c >= 0x2000 && c <= 0x2bff)
           && !(c >= 0x3000 && c <= 0x303f) && !(c >= 0xe000 && c <= 0xf8ff)
           && !(c >= 0xfe00 && c <= 0xfe0f) && !(c >= 0xfe30 && c <= 0xfe4f)
           && !(c >= 0xff00 && c <= 0xff20) && c != 0xfeff && c != 0xfffd
           && c < 0x1f000 && !judge_char_is_ideograph(c);
}


bool
judge_char_is_hidden(uint32_t c)
{
    return c == 0xad || (c >= 0x200b && c <= 0x200d) || c == 0x2060
           || c == 0xfeff;
}


uint8_t
judge_char_mark(uint32_t c)
{
    size_t  i;

    static const struct {
        uint32_t  c;
        uint8_t   mark;
    } marks[] = {
        { 0x2013, JUDGE_MARK_DASH }, { 0x2014, JUDGE_MARK_DASH },
        { 0x2015, JUDGE_MARK_DASH }, { 0x201c, JUDGE_MARK_OPEN },
        { 0x201e, JUDGE_MARK_OPEN }, { 0x00ab, JUDGE_MARK_OPEN },
        { 0x300c, JUDGE_MARK_OPEN }, { 0x201d, JUDGE_MARK_CLOSE },
        { 0x00bb, JUDGE_MARK_CLOSE }, { 0x300d, JUDGE_MARK_CLOSE },
        { 0x2018, '\'' }, { 0x2019, '\'' }, { 0x2010, '-' }, { 0x2011, '-' },
        { 0x2026, JUDGE_MARK_DOTS }, { 0x3002, JUDGE_MARK_STOP },
        { 0xff01, JUDGE_MARK_STOP }, { 0xff0e, JUDGE_MARK_STOP },
        { 0xff1f, JUDGE_MARK_STOP }, { 0x0964, JUDGE_MARK_STOP },
        { 0x06d4, JUDGE_MARK_STOP }, { 0xff0c, ',' }, { 0x3001, ',' },
        { 0x060c, ',' }, { JUDGE_UTF8_INVALID, JUDGE_MARK_BAD }
    };

    for (i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        if (marks[i].c == c) {
            return marks[i].mark;
        }
    }

    return JUDGE_MARK_SYMBOL;
}
