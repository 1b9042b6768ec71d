/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* How far names are from what was written, with distances by hand. */


#include "base/text/nearest.h"
#include "tap.h"


#define X64  "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"


int
main(void)
{
    size_t  i, far, back;
    static const struct {
        const char  *written, *name;
        size_t       far;
    } rows[] = {
        { "weight", "weight", 0 },
        { "wieght", "weight", 1 },               /* a swap */
        { "weigth", "weight", 1 },
        { "wight", "weight", 1 },                /* a letter left out */
        { "weiight", "weight", 1 },              /* one too many */
        { "waight", "weight", 1 },               /* another one */
        { "contentId", "content_id", 0 },
        { "CONTENT-ID", "content_id", 0 },
        { "text", "text_content", 7 },           /* a beginning */
        { "type", "file_type", 4 },              /* an end */
        { "id", "judge_id", JUDGE_FAR },         /* too short a part */
        { "ab", "ba", JUDGE_FAR },               /* more than a third */
        { "abc", "acb", 1 },
        { "weight", "height", 1 },
        { "weight", "limit", JUDGE_FAR },
        { "", "", JUDGE_FAR },
        { "_", "weight", JUDGE_FAR },
        { X64, X64, 0 },
        { X64 "x", X64, JUDGE_FAR },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        far = judge_name_distance(judge_str_c(rows[i].written),
                             judge_str_c(rows[i].name));
        back = judge_name_distance(judge_str_c(rows[i].name),
                              judge_str_c(rows[i].written));
        t_is_int((long long) far, (long long) rows[i].far,
                 "%s is as far from %s as by hand: %lld", rows[i].written,
                 rows[i].name, (long long) far);
        t_is_int((long long) back, (long long) far,
                 "%s is as far from %s the other way round", rows[i].name,
                 rows[i].written);
    }

    return t_done();
}
