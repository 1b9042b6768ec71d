/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Parses http and https URLs strictly, and checks that an address is public,
 * so that the service makes no calls to private networks.  The check needs an
 * address: it must follow the resolution of the name, and the call must use
 * exactly the address that was checked.
 */


#ifndef JUDGE_URL_H
#define JUDGE_URL_H


#include "base/core/str.h"


#define JUDGE_URL_MAX         2048     /* bytes of a client's URL */
#define JUDGE_URL_LONG        8192     /* of any URL; signed ones are long */
#define JUDGE_HOST_MAX        253
#define JUDGE_ADDRESS_TEXT    46       /* with the zero byte */

typedef struct {
    uint8_t  bytes[16];                /* in network order */
    uint8_t  len;                      /* 4 or 16; 0: none */
} judge_address_t;

typedef struct {
    judge_address_t  base;
    uint8_t          bits;
} judge_cidr_t;

/*
 * host is in lower case, or the shortest form of an address, without brackets;
 * authority is the value of a Host header: with brackets, and with the port
 * unless that is the scheme's; target begins with "/" and includes the query;
 * text is the URL that consists of these.
 */

typedef struct {
    judge_str_t      text;
    bool             tls;
    judge_str_t      host;
    judge_str_t      authority;
    uint16_t         port;             /* 1 to 65535 */
    judge_str_t      target;
    judge_address_t  address;          /* if the host is one */
} judge_url_t;


/*
 * Parses an absolute URL by RFC 3986 and refuses what parsers of URLs disagree
 * about: user information, fragments, control characters, spaces, backslashes,
 * characters beyond ASCII, bad percent escapes, zones of IPv6, and hosts that
 * some parsers read as numbers ("2130706433", "0x7f.1", "127.1",
 * "0177.0.0.1"); an IPv4 address is four decimals.  JUDGE_OK, JUDGE_NOMEM, or
 * JUDGE_INVALID with what was expected in *error (a constant; error may be
 * NULL).  Everything in *url is allocated in `arena`.
 */
judge_rc_e judge_url_parse(judge_arena_t *arena, judge_str_t text,
    judge_url_t *url, judge_str_t *error);

/* Appends a string with each byte as %XX but letters, digits and those of
 * `plain`. */
void judge_url_encode(judge_buf_t *out, judge_str_t s, const char *plain);

/* Parses four decimals or RFC 4291; an IPv4 address in the form of IPv6
 * ("::ffff:1.2.3.4") becomes IPv4.  Anything else is JUDGE_INVALID. */
judge_rc_e judge_address_parse(judge_str_t text, judge_address_t *address);
void judge_address_format(const judge_address_t *address,
    char out[JUDGE_ADDRESS_TEXT]);

/* Whether the address belongs to a host of the public internet, by the
 * special-purpose registries of IANA.  Addresses that carry an IPv4 address
 * (mapped, NAT64, 6to4, Teredo, ISATAP) are public only when that one is. */
bool judge_address_is_public(const judge_address_t *address);

/* Parses "10.0.0.0/8", "fd00::/8", or an address alone.  It is JUDGE_INVALID
 * if bits after the prefix are set, or if an IPv4 range is written as IPv6. */
judge_rc_e judge_cidr_parse(judge_str_t text, judge_cidr_t *cidr);
bool judge_cidr_contains(const judge_cidr_t *cidr,
    const judge_address_t *address);

/* Whether the address is public or in one of the allowed ranges. */
bool judge_address_is_allowed(const judge_address_t *address,
    const judge_cidr_t *allowed, size_t n);


#endif /* JUDGE_URL_H */
