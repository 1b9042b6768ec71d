/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Finds links to hosts that are not allowed, as browsers read them. */


#include <string.h>

#include "base/text/ascii.h"
#include "extensions/traffic/detect.h"


#define JUDGE_LINK_SCHEME  16          /* letters of a scheme */
#define JUDGE_LINK_LONG    2048        /* bytes of a link */

/* After these schemes browsers need no slashes. */
static const char *const  judge_link_schemes[] = {
    "http", "https", "ws", "wss", "ftp", NULL
};


/* Bits of a byte: a link may begin with it, it ends a host, it ends a link. */
#define JUDGE_LINK_BEGIN   1
#define JUDGE_LINK_HOST    2
#define JUDGE_LINK_END     4

#define JUDGE_LINK_STOP    (JUDGE_LINK_HOST | JUDGE_LINK_END)
#define JUDGE_LINK_SLASH   (JUDGE_LINK_HOST | JUDGE_LINK_BEGIN)

static const uint8_t  judge_link_bytes[256] = {
    ['\0' ... ' '] = JUDGE_LINK_STOP, ['"'] = JUDGE_LINK_STOP,
    ['\''] = JUDGE_LINK_STOP, ['<'] = JUDGE_LINK_STOP, ['>'] = JUDGE_LINK_STOP,
    ['('] = JUDGE_LINK_STOP, [')'] = JUDGE_LINK_STOP, ['['] = JUDGE_LINK_STOP,
    [']'] = JUDGE_LINK_STOP, ['{'] = JUDGE_LINK_STOP, ['}'] = JUDGE_LINK_STOP,
    ['|'] = JUDGE_LINK_STOP, ['^'] = JUDGE_LINK_STOP, ['`'] = JUDGE_LINK_STOP,
    ['?'] = JUDGE_LINK_HOST, ['#'] = JUDGE_LINK_HOST, ['*'] = JUDGE_LINK_HOST,
    [','] = JUDGE_LINK_HOST, [';'] = JUDGE_LINK_HOST,
    ['/'] = JUDGE_LINK_SLASH, ['\\'] = JUDGE_LINK_SLASH,
    [':'] = JUDGE_LINK_BEGIN, ['w'] = JUDGE_LINK_BEGIN,
    ['W'] = JUDGE_LINK_BEGIN
};


static bool
judge_link_is(char c, uint8_t bits)
{
    return judge_link_bytes[(unsigned char) c] & bits;
}


static bool
judge_link_slash(judge_str_t text, size_t at)
{
    return at < text.len && (text.data[at] == '/' || text.data[at] == '\\');
}


static bool
judge_link_allowed(const judge_detect_rule_t *rule, judge_str_t host)
{
    judge_str_t  known, rest = rule->hosts;

    while (rest.len) {
        known = judge_str_until(&rest, ',');
        if (judge_str_caseeq(host, known)
            || (host.len > known.len
                && host.data[host.len - known.len - 1] == '.'
                && judge_str_caseeq(judge_str_from(host, host.len
                                                         - known.len), known)))
        {
            return true;
        }
    }

    return false;
}


/* Reads the host of a link, which begins at `at`, after a user's name and '@'
 * if there is one.  Returns the end of the link. */

static size_t
judge_link_take(judge_detect_found_t *found, judge_str_t text, size_t begin,
    size_t at)
{
    size_t  i, end, host = at;

    for (i = at; i < text.len && !judge_link_is(text.data[i], JUDGE_LINK_HOST);
         i++)
    {
        host = text.data[i] == '@' ? i + 1 : host;
    }

    for (end = host; end < i && text.data[end] != ':'; end++) { /* void */ }
    while (end > host && text.data[end - 1] == '.') {
        end--;
    }

    if (end == host
        || judge_link_allowed(found->rule, (judge_str_t) {
                                  end - host, text.data + host }))
    {
        return i;
    }

    while (i < text.len && i - begin < JUDGE_LINK_LONG
           && !judge_link_is(text.data[i], JUDGE_LINK_END))
    {
        i++;
    }

    judge_detect_hit(found, JUDGE_DETECT_LINKS, "LINK", begin, i);

    return i;
}


/* Reads a link at the colon after its scheme.  Two slashes follow; browsers do
 * without them if they know the scheme. */

static size_t
judge_link_scheme(judge_detect_found_t *found, judge_str_t text, size_t colon)
{
    size_t  begin, at = colon + 1;

    for (begin = colon; begin > 0 && colon - begin < JUDGE_LINK_SCHEME
                        && judge_ascii_letter(text.data[begin - 1]); begin--)
    {
        /* void */
    }

    while (judge_link_slash(text, at)) {
        at++;
    }

    return begin < colon
           && (at > colon + 2
               || judge_str_caseamong((judge_str_t) { colon - begin,
                                                      text.data + begin },
                                      judge_link_schemes))
           ? judge_link_take(found, text, begin, at) : colon;
}


void
judge_detect_links(judge_detect_found_t *found, judge_str_t text)
{
    char    c, before = ' ';
    size_t  i, end;

    for (i = 0; i < text.len; i = end > i ? end : i + 1,
                              before = text.data[i - 1])
    {
        c = text.data[i];
        end = i;

        if (!judge_link_is(c, JUDGE_LINK_BEGIN)) {
            continue;

        } else if (c == ':') {
            end = judge_link_scheme(found, text, i);

        } else if (judge_link_slash(text, i) && judge_link_slash(text, i + 1)
                   && (i == 0 || (before && strchr("(\"'=", before))))
        {
            end = judge_link_take(found, text, i, i + 2);

        } else if ((c == 'w' || c == 'W')
                   && judge_str_casestarts(judge_str_from(text, i),
                                           JUDGE_STR("www."))
                   && !judge_ascii_letter(before)
                   && !judge_ascii_digit(before) && before != '.')
        {
            end = judge_link_take(found, text, i, i);
        }
    }
}
