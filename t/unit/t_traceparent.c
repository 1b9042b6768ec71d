/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The header traceparent: the forms that W3C's Trace Context allows. */


#include <string.h>

#include "base/net/traceparent.h"
#include "tap.h"


#define T_TRACE  "0af7651916cd43dd8448eb211c80319c"
#define T_SPAN   "b7ad6b7169203331"


static void
test_reads(const char *value, unsigned flags)
{
    judge_str_t          part;
    judge_traceparent_t  read;

    t_is_int(judge_traceparent_read(judge_str_c(value), &read), JUDGE_OK,
             "%s is read", value);
    t_is_str(read.trace_id, T_TRACE, "the trace is read: %s", value);
    t_is_str(read.span_id, T_SPAN, "the span is read: %s", value);
    t_is_int(read.flags, flags, "the flags are read: %s", value);

    part = judge_traceparent_part(judge_str_c(value));
    t_ok(part.len == JUDGE_TRACEPARENT && part.data == value,
         "the part of version 00 is kept: %s", value);
}


static void
test_ignores(judge_str_t value)
{
    judge_traceparent_t  read;

    t_is_int(judge_traceparent_read(value, &read), JUDGE_INVALID,
             "\"%.*s\" is ignored", (int) value.len, value.data);
    t_ok(judge_traceparent_part(value).data == NULL,
         "a header that is ignored is not kept: \"%.*s\"", (int) value.len,
         value.data);
}


int
main(void)
{
    size_t              i;
    static const char  *const bad[] = {
        "", "00", "00-" T_TRACE "-" T_SPAN, "00-" T_TRACE "-" T_SPAN "-1",
        "00-" T_TRACE "-" T_SPAN "-01-", "00-" T_TRACE "-" T_SPAN "-011",
        "ff-" T_TRACE "-" T_SPAN "-01", "0g-" T_TRACE "-" T_SPAN "-01",
        "01-" T_TRACE "-" T_SPAN "-01x", "00_" T_TRACE "-" T_SPAN "-01",
        "00-" T_TRACE "_" T_SPAN "-01", "00-" T_TRACE "-" T_SPAN "_01",
        "00-0AF7651916CD43DD8448EB211C80319C-" T_SPAN "-01",
        "00-00000000000000000000000000000000-" T_SPAN "-01",
        "00-" T_TRACE "-0000000000000000-01",
        " 00-" T_TRACE "-" T_SPAN "-01"
    };

    test_reads("00-" T_TRACE "-" T_SPAN "-01", 1);
    test_reads("00-" T_TRACE "-" T_SPAN "-00", 0);
    test_reads("00-" T_TRACE "-" T_SPAN "-a5", 0xa5);
    test_reads("cc-" T_TRACE "-" T_SPAN "-ff", 0xff);
    test_reads("01-" T_TRACE "-" T_SPAN "-01-and-more", 1);

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        test_ignores(judge_str_c(bad[i]));
    }

    test_ignores((judge_str_t) { 0, NULL });
    test_ignores((judge_str_t) { JUDGE_TRACEPARENT,
                                 "00-" T_TRACE "-" T_SPAN "-\0001" });

    return t_done();
}
