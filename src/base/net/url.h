/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Addresses that the service calls: a strict reading of http and https URLs,
 * and the guard that keeps a call out of networks that are not public.  The
 * guard works on addresses, so it must be asked after the name was resolved,
 * and the call must go to the address that was asked about.
 */


#ifndef JUDGE_URL_H
#define JUDGE_URL_H


#include "base/core/str.h"


#define JUDGE_URL_MAX         2048     /* bytes, of what clients give */
#define JUDGE_URL_LONG        8192     /* of any; signed ones are long */
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
 * host is lower case, or the shortest form of an address, without brackets;
 * authority is what a Host header wants: with brackets, and with the port
 * when it is not the scheme's; target begins with "/" and ends with the
 * query; text is all of it in that form.
 */

typedef struct {
    judge_str_t      text;
    bool             tls;
    judge_str_t      host;
    judge_str_t      authority;
    uint16_t         port;             /* 1 to 65535 */
    judge_str_t      target;
    judge_address_t  address;          /* when the host is one */
} judge_url_t;


/*
 * Reads an absolute URL by RFC 3986 and refuses what readers of URLs disagree
 * about: user information, fragments, control characters, spaces,
 * backslashes, characters beyond ASCII, bad percent escapes, zones of IPv6,
 * and hosts that some take for numbers ("2130706433", "0x7f.1", "127.1",
 * "0177.0.0.1"); an IPv4 address is four decimals.
 * JUDGE_OK, JUDGE_NOMEM, or JUDGE_INVALID with what was expected in *error (a
 * constant; error may be NULL).  Everything in *url is allocated in `arena`.
 */
judge_rc_e judge_url_parse(judge_arena_t *arena, judge_str_t text,
    judge_url_t *url, judge_str_t *error);

/* An address as text: four decimals or RFC 4291; an IPv4 address written as
 * IPv6 ("::ffff:1.2.3.4") becomes IPv4.  JUDGE_INVALID for anything else. */
judge_rc_e judge_address_parse(judge_str_t text, judge_address_t *address);
void judge_address_format(const judge_address_t *address,
    char out[JUDGE_ADDRESS_TEXT]);

/* Whether the address belongs to a host of the public internet, by the
 * special-purpose registries of IANA.  Addresses that carry an IPv4 address
 * (mapped, NAT64, 6to4, Teredo, ISATAP) are public only when that one is. */
bool judge_address_is_public(const judge_address_t *address);

/* "10.0.0.0/8", "fd00::/8", or an address alone.  JUDGE_INVALID when bits
 * behind the prefix are set, or for IPv4 ranges in the form of IPv6. */
judge_rc_e judge_cidr_parse(judge_str_t text, judge_cidr_t *cidr);
bool judge_cidr_contains(const judge_cidr_t *cidr,
    const judge_address_t *address);

/* Public, or inside one of the allowed ranges. */
bool judge_address_is_allowed(const judge_address_t *address,
    const judge_cidr_t *allowed, size_t n);


#endif /* JUDGE_URL_H */
