/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* URLs that are taken, tricks that are refused, and who is public. */


#include <string.h>

#include "base/net/url.h"
#include "tap.h"


static void
test_taken(judge_arena_t *a)
{
    size_t       i;
    judge_url_t  url;
    static const struct {
        const char  *text, *normal, *host, *authority, *target;
        int          port;
        bool         tls;
    } rows[] = {
        { "https://hooks.example.com/judge?x=1&y=%2F",
          "https://hooks.example.com/judge?x=1&y=%2F", "hooks.example.com",
          "hooks.example.com", "/judge?x=1&y=%2F", 443, true },
        { "HTTP://Example.COM", "http://example.com/", "example.com",
          "example.com", "/", 80, false },
        { "http://example.com:80/", "http://example.com/", "example.com",
          "example.com", "/", 80, false },
        { "https://example.com:8443?a", "https://example.com:8443/?a",
          "example.com", "example.com:8443", "/?a", 8443, true },
        { "http://a_b.xn--bcher-kva.example:65535/~x/[1]",
          "http://a_b.xn--bcher-kva.example:65535/~x/[1]",
          "a_b.xn--bcher-kva.example", "a_b.xn--bcher-kva.example:65535",
          "/~x/[1]", 65535, false },
        { "http://93.184.216.34/", "http://93.184.216.34/", "93.184.216.34",
          "93.184.216.34", "/", 80, false },
        { "http://[2606:2800:0220:0001:0248:1893:25C8:1946]/x",
          "http://[2606:2800:220:1:248:1893:25c8:1946]/x",
          "2606:2800:220:1:248:1893:25c8:1946",
          "[2606:2800:220:1:248:1893:25c8:1946]", "/x", 80, false },
        { "http://[::1]:8080/", "http://[::1]:8080/", "::1", "[::1]:8080",
          "/", 8080, false },
        { "http://[::ffff:127.0.0.1]/", "http://127.0.0.1/", "127.0.0.1",
          "127.0.0.1", "/", 80, false },
        { "https://1password.example/a//b/../c", "https://1password.example/"
          "a//b/../c", "1password.example", "1password.example",
          "/a//b/../c", 443, true },
        { "http://0xcafe.example/", "http://0xcafe.example/",
          "0xcafe.example", "0xcafe.example", "/", 80, false },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_is_int(judge_url_parse(a, judge_str_c(rows[i].text), &url, NULL),
                 JUDGE_OK, "a URL is taken: %s", rows[i].text);
        t_is_str(url.text, rows[i].normal,
                 "the normal form is known: %s", rows[i].text);
        t_is_str(url.host, rows[i].host,
                 "the host is known: %s", rows[i].text);
        t_is_str(url.authority, rows[i].authority,
                 "the authority is known: %s", rows[i].text);
        t_is_str(url.target, rows[i].target,
                 "the target is known: %s", rows[i].text);
        t_is_int(url.port, rows[i].port,
                 "the port is known: %s", rows[i].text);
        t_ok(url.tls == rows[i].tls, "the scheme is known: %s", rows[i].text);
    }
}


static void
test_refused(judge_arena_t *a)
{
    size_t              i;
    judge_url_t         url;
    judge_str_t         error;
    static const char  *const rows[] = {
        "", "http", "http:/", "http://", "https://", "//example.com/",
        "ftp://example.com/", "file:///etc/passwd", "javascript:alert(1)",
        " http://example.com/", "http:///path", "http://?x", "http://:80/",
        "http:\\\\example.com\\", "http://example.com\\@evil.example/",
        "http://user@example.com/", "http://user:pw@example.com/",
        "http://example.com:80@127.0.0.1/", "http://@127.0.0.1/",
        "http://example.com#@127.0.0.1/", "http://example.com/#frag",
        "http://example.com/a b", "http://example.com/\t",
        "http://example.com/\r\nHost: x", "http://exa\nmple.com/",
        "http://example.com/%", "http://example.com/%4", "http://e.com/%zz",
        "http://example.com/\xc3\xa4", "http://ex\xc3\xa4mple.com/",
        "http://example.com/\x7f", "http://example.com/<x>",
        "http://example.com/\"", "http://example.com/{x}",
        "http://ex%61mple.com/", "http://127.0.0.1%2f@x/",
        "http://example.com:/", "http://example.com:0/",
        "http://example.com:080/", "http://example.com:65536/",
        "http://example.com:99999/", "http://example.com:8o/",
        "http://example.com:+80/", "http://example.com:80:80/",
        "http://example.com./", "http://example..com/", "http://.example/",
        "http://-a.example/", "http://a-.example/", "http://exa!mple.com/",
        /* numbers in disguise */
        "http://2130706433/", "http://0x7f000001/", "http://017700000001/",
        "http://127.1/", "http://127.0.1/", "http://0x7f.1/",
        "http://0177.0.0.1/", "http://127.0.0.01/", "http://127.0.0.0x1/",
        "http://0/", "http://0x/", "http://0X7F.0.0.1/", "http://1.2.3.4.5/",
        "http://256.1.1.1/", "http://foo.0x10/", "http://foo.127/",
        "http://127.0.0.1./", "http://4294967297/",
        "http://\xef\xbc\x91\xef\xbc\x92\xef\xbc\x97.0.0.1/",
        "http://127\xe3\x80\x82""0.0.1/", "http://\xe2\x91\xa0.1.1.1/",
        /* brackets */
        "http://[::1/", "http://[]/", "http://[127.0.0.1]/", "http://[::1]x/",
        "http://[fe80::1%25eth0]/", "http://[::1]]/", "http://[1::2::3]/",
        "http://[::1/?]", "http://[::ffff:0177.0.0.1]/", "http://::1/",
        "http://[v1.x]/"
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        error = (judge_str_t) { 0, NULL };
        t_ok(judge_url_parse(a, judge_str_c(rows[i]), &url, &error)
             == JUDGE_INVALID && error.len,
             "row %zu is refused: %.*s", i, (int) strcspn(rows[i], "\r\n#"),
             rows[i]);
    }

    t_is_int(judge_url_parse(a, (judge_str_t) { 0, NULL }, &url, &error),
             JUDGE_INVALID, "a URL that is absent is refused");
    t_is_int(judge_url_parse(a, JUDGE_STR("http://e.com/\0x"), &url, &error),
             JUDGE_INVALID, "a URL with a zero byte in its path is refused");
    t_is_int(judge_url_parse(a, JUDGE_STR("http://e.com\0.evil/"), &url,
                             &error), JUDGE_INVALID,
             "a URL with a zero byte in its host is refused");
}


static void
test_lengths(judge_arena_t *a)
{
    char         text[JUDGE_URL_LONG + 2];
    judge_url_t  url;
    judge_str_t  error;

    memset(text, 'a', sizeof(text));
    memcpy(text, "http://e.com/", 13);

    t_is_int(judge_url_parse(a, (judge_str_t) { JUDGE_URL_LONG, text }, &url,
                             NULL), JUDGE_OK, "a URL of 8,192 bytes is taken");
    t_is_int(judge_url_parse(a, (judge_str_t) { JUDGE_URL_LONG + 1, text },
                             &url, &error), JUDGE_INVALID,
             "a URL of 8,193 bytes is refused");

    memset(text + 7, 'a', 63);
    memcpy(text + 70, ".com/", 5);
    t_is_int(judge_url_parse(a, (judge_str_t) { 75, text }, &url, NULL),
             JUDGE_OK, "a host with a label of 63 bytes is taken");
    memcpy(text + 70, "a.com/", 6);
    t_is_int(judge_url_parse(a, (judge_str_t) { 76, text }, &url, &error),
             JUDGE_INVALID, "a host with a label of 64 bytes is refused");

    t_is_int(judge_url_parse(a, (judge_str_t) { 5, "http://e.com" }, &url,
                             &error), JUDGE_INVALID,
             "a URL is not read beyond its length");
}


static void
test_public(void)
{
    size_t           i;
    judge_address_t  address;
    static const struct {
        const char  *text;
        bool         public;
    } rows[] = {
        { "1.1.1.1", true },              { "93.184.216.34", true },
        { "9.255.255.255", true },        { "11.0.0.0", true },
        { "100.63.255.255", true },       { "100.128.0.0", true },
        { "172.15.255.255", true },       { "172.32.0.0", true },
        { "126.255.255.255", true },      { "128.0.0.0", true },
        { "169.253.255.255", true },      { "198.17.255.255", true },
        { "198.20.0.0", true },           { "223.255.255.255", true },
        { "192.167.255.255", true },      { "192.0.1.0", true },
        { "0.0.0.0", false },             { "0.1.2.3", false },
        { "10.0.0.0", false },            { "10.255.255.255", false },
        { "100.64.0.0", false },          { "100.127.255.255", false },
        { "100.100.100.200", false },     { "127.0.0.1", false },
        { "127.255.255.255", false },     { "168.63.129.16", false },
        { "169.254.169.254", false },     { "172.16.0.0", false },
        { "172.31.255.255", false },      { "192.0.0.1", false },
        { "192.0.2.1", false },           { "192.88.99.1", false },
        { "192.168.0.1", false },         { "198.18.0.0", false },
        { "198.19.255.255", false },      { "198.51.100.7", false },
        { "203.0.113.9", false },         { "224.0.0.1", false },
        { "239.255.255.255", false },     { "240.0.0.1", false },
        { "255.255.255.255", false },

        { "2606:4700:4700::1111", true }, { "2a00:1450:4001::1", true },
        { "2001:4860:4860::8888", true }, { "3ffe::1", true },
        { "::", false },                  { "::1", false },
        { "::7f00:1", false },            { "::5.6.7.8", false },
        { "fc00::1", false },             { "fd00:ec2::254", false },
        { "fe80::1", false },             { "fec0::1", false },
        { "ff02::1", false },             { "100::1", false },
        { "2001:db8::1", false },         { "3fff::1", false },
        { "3fff:fff::1", false },         { "2001:2::1", false },
        { "2001:10::1", false },          { "2001:1ff::1", false },
        { "2001:200::1", true },          { "4000::1", false },
        { "5f00::1", false },             { "64:ff9b:1::1", false },

        { "::ffff:1.1.1.1", true },       { "::ffff:127.0.0.1", false },
        { "::ffff:a9fe:a9fe", false },    { "::ffff:0:1.1.1.1", false },
        { "64:ff9b::1.1.1.1", true },     { "64:ff9b::10.0.0.1", false },
        { "64:ff9b::7f00:1", false },     { "2002:101:101::", true },
        { "2002:7f00:1::1", false },      { "2002:a9fe:a9fe::", false },
        { "2002:c0a8:101::1", false },
        /* Teredo: server 65.54.227.120, clients 192.0.2.45 and 1.1.1.1 */
        { "2001:0:4136:e378:8000:63bf:3fff:fdd2", false },
        { "2001:0:4136:e378:8000:63bf:fefe:fefe", true },
        { "2001:0:7f00:1:8000:63bf:fefe:fefe", false },
        { "2001:0:4136:e378:8000:63bf:80ff:fffe", false },
        /* ISATAP */
        { "2606:4700::5efe:10.0.0.1", false },
        { "2606:4700::200:5efe:7f00:1", false },
        { "2606:4700::5efe:1.1.1.1", true },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_ok(judge_address_parse(judge_str_c(rows[i].text), &address)
             == JUDGE_OK
             && judge_address_is_public(&address) == rows[i].public,
             "%s is %spublic", rows[i].text, rows[i].public ? "" : "not ");
    }

    memset(&address, 0, sizeof(address));
    t_ok(!judge_address_is_public(&address), "no address is not public");

    /* as a resolver gives it, without the parser's unwrapping */

    address.len = 16;
    memcpy(address.bytes, "\0\0\0\0\0\0\0\0\0\0\xff\xff\x7f\0\0\1", 16);
    t_ok(!judge_address_is_public(&address),
         "a loopback address that is mapped in bytes is not public");
    address.bytes[12] = 1;
    t_ok(judge_address_is_public(&address),
         "an address 1.0.0.1 that is mapped in bytes is public");
}


static void
test_cidr(void)
{
    size_t           i;
    judge_cidr_t     cidr;
    judge_address_t  address;
    static const struct {
        const char  *cidr, *address;
        bool         in;
    } rows[] = {
        { "127.0.0.0/8", "127.1.2.3", true },
        { "127.0.0.0/8", "128.0.0.0", false },
        { "127.0.0.0/8", "::ffff:127.0.0.1", true },
        { "127.0.0.0/8", "::1", false },
        { "10.1.2.3", "10.1.2.3", true },
        { "10.1.2.3", "10.1.2.2", false },
        { "10.1.2.3/32", "10.1.2.3", true },
        { "172.16.0.0/12", "172.31.255.255", true },
        { "172.16.0.0/12", "172.32.0.0", false },
        { "0.0.0.0/0", "169.254.169.254", true },
        { "0.0.0.0/0", "fd00::1", false },
        { "fd00::/8", "fdff::1", true },
        { "fd00::/8", "fe00::1", false },
        { "::1", "::1", true },
        { "2001:db8::/33", "2001:db8:7fff::", true },
        { "2001:db8::/33", "2001:db8:8000::", false },
    };
    static const char  *const bad[] = {
        "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.1/8",
        "10.0.0.0/08", "10.0.0.0/8x", "10.0.0.0/-1", "10.0.0.0/8/8",
        "10.0.0/8", "10/8", "::1/129", "fd00::1/8", "fd00::/0008",
        "::ffff:10.0.0.0/104", "localhost", "10.0.0.0 /8", "10.0.0.0/ 8",
        "1:2:3:4:5:6:7:8:9", "1111:2222:3333:4444:5555:6666:7777:8888:9999"
        ":aaaa:bbbb"
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_is_int(judge_cidr_parse(judge_str_c(rows[i].cidr), &cidr),
                 JUDGE_OK, "a range is taken: %s", rows[i].cidr);
        (void) judge_address_parse(judge_str_c(rows[i].address), &address);
        t_ok(judge_cidr_contains(&cidr, &address) == rows[i].in, "%s is %sin",
             rows[i].address, rows[i].in ? "" : "not ");
    }

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        t_is_int(judge_cidr_parse(judge_str_c(bad[i]), &cidr), JUDGE_INVALID,
                 "a range is refused: \"%s\"", bad[i]);
    }

    t_is_int(judge_cidr_parse((judge_str_t) { 0, NULL }, &cidr),
             JUDGE_INVALID, "a range that is absent is refused");
}


static void
test_allowed(void)
{
    judge_cidr_t     list[2];
    judge_address_t  address;

    (void) judge_cidr_parse(JUDGE_STR("127.0.0.0/8"), &list[0]);
    (void) judge_cidr_parse(JUDGE_STR("fd00::/8"), &list[1]);

    (void) judge_address_parse(JUDGE_STR("127.0.0.1"), &address);
    t_ok(judge_address_is_allowed(&address, list, 2),
         "an address of the list's first range is allowed");
    t_ok(!judge_address_is_allowed(&address, list + 1, 1),
         "an address of another range only is not allowed");
    t_ok(!judge_address_is_allowed(&address, NULL, 0),
         "a loopback address is not allowed without a list");

    (void) judge_address_parse(JUDGE_STR("fd12::1"), &address);
    t_ok(judge_address_is_allowed(&address, list, 2),
         "an address of the list's second range is allowed");

    (void) judge_address_parse(JUDGE_STR("10.0.0.1"), &address);
    t_ok(!judge_address_is_allowed(&address, list, 2),
         "an address in neither range is not allowed");

    (void) judge_address_parse(JUDGE_STR("64:ff9b::127.0.0.1"), &address);
    t_ok(!judge_address_is_allowed(&address, list, 2),
         "an allowed address inside NAT64 is another way to it");

    (void) judge_address_parse(JUDGE_STR("1.1.1.1"), &address);
    t_ok(judge_address_is_allowed(&address, list, 2),
         "a public address is allowed, whatever the list");
}


int
main(void)
{
    judge_arena_t  *a;

    a = judge_arena_create(0);

    test_taken(a);
    test_refused(a);
    test_lengths(a);
    test_public();
    test_cidr();
    test_allowed();

    judge_arena_destroy(a);

    return t_done();
}
