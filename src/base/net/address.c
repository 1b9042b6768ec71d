/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Addresses and ranges.  A table has the ranges that are not public, from the
 * IPv4 and IPv6 Special-Purpose Address Registries of IANA (RFC 6890 and its
 * updates); of IPv6 only 2000::/3 can be public. */


#include <arpa/inet.h>
#include <string.h>

#include "base/net/url.h"
#include "base/text/number.h"


/* The offset at which an IPv6 address with that prefix has an IPv4 address. */

typedef struct {
    judge_cidr_t  prefix;
    uint8_t       offset;
    uint8_t       invert;              /* 0xff: its bits are inverted */
} judge_carrier_t;


#define judge_v4(a, b, c, d, n)  { { { a, b, c, d }, 4 }, n }
#define judge_v6(n, ...)         { { { __VA_ARGS__ }, 16 }, n }

static const judge_cidr_t  judge_not_public[] = {
    judge_v4(0, 0, 0, 0, 8),           /* this network */
    judge_v4(10, 0, 0, 0, 8),          /* private */
    judge_v4(100, 64, 0, 0, 10),       /* shared, for a provider's NAT */
    judge_v4(127, 0, 0, 0, 8),         /* loopback */
    judge_v4(168, 63, 129, 16, 32),    /* Azure's service for its hosts */
    judge_v4(169, 254, 0, 0, 16),      /* link-local, cloud metadata */
    judge_v4(172, 16, 0, 0, 12),       /* private */
    judge_v4(192, 0, 0, 0, 24),        /* protocol assignments */
    judge_v4(192, 0, 2, 0, 24),        /* documentation */
    judge_v4(192, 88, 99, 0, 24),      /* 6to4 relays, out of use */
    judge_v4(192, 168, 0, 0, 16),      /* private */
    judge_v4(198, 18, 0, 0, 15),       /* benchmarking */
    judge_v4(198, 51, 100, 0, 24),     /* documentation */
    judge_v4(203, 0, 113, 0, 24),      /* documentation */
    judge_v4(224, 0, 0, 0, 4),         /* multicast */
    judge_v4(240, 0, 0, 0, 4),         /* reserved, broadcast */
    judge_v6(23, 0x20, 0x01),          /* protocol assignments */
    judge_v6(32, 0x20, 0x01, 0x0d, 0xb8),      /* documentation */
    judge_v6(20, 0x3f, 0xff)           /* documentation */
};

static const judge_cidr_t  judge_global_unicast = judge_v6(3, 0x20);

static const judge_carrier_t  judge_carriers[] = {
    { judge_v6(96, 0x00, 0x64, 0xff, 0x9b), 12, 0x00 },        /* NAT64 */
    { judge_v6(16, 0x20, 0x02), 2, 0x00 },                     /* 6to4 */
    { judge_v6(32, 0x20, 0x01), 4, 0x00 },             /* Teredo's server */
    { judge_v6(32, 0x20, 0x01), 12, 0xff }             /* Teredo's client */
};

static const uint8_t  judge_mapped[12] = { [10] = 0xff, [11] = 0xff };


/* Converts an IPv4-mapped IPv6 address to IPv4. */

static judge_address_t
judge_address_unmap(const judge_address_t *address)
{
    judge_address_t  v4;

    if (address->len != 16 || memcmp(address->bytes, judge_mapped, 12) != 0) {
        return *address;
    }

    memset(&v4, 0, sizeof(v4));
    memcpy(v4.bytes, address->bytes + 12, 4);
    v4.len = 4;

    return v4;
}


judge_rc_e
judge_address_parse(judge_str_t text, judge_address_t *address)
{
    int   family;
    char  copy[JUDGE_ADDRESS_TEXT];

    memset(address, 0, sizeof(judge_address_t));

    if (text.data == NULL || text.len == 0 || text.len >= sizeof(copy)
        || memchr(text.data, '\0', text.len))
    {
        return JUDGE_INVALID;
    }

    memcpy(copy, text.data, text.len);
    copy[text.len] = '\0';

    family = strchr(copy, ':') ? AF_INET6 : AF_INET;

    /* inet_pton() accepts only four decimals, without leading zeros */

    if (inet_pton(family, copy, address->bytes) != 1) {
        return JUDGE_INVALID;
    }

    address->len = family == AF_INET6 ? 16 : 4;
    *address = judge_address_unmap(address);

    return JUDGE_OK;
}


void
judge_address_format(const judge_address_t *address,
    char out[JUDGE_ADDRESS_TEXT])
{
    int  family;

    family = address->len == 16 ? AF_INET6 : AF_INET;

    if (inet_ntop(family, address->bytes, out, JUDGE_ADDRESS_TEXT) == NULL) {
        out[0] = '\0';                 /* impossible: any address fits */
    }
}


judge_rc_e
judge_cidr_parse(judge_str_t text, judge_cidr_t *cidr)
{
    size_t       i, max;
    int64_t      bits;
    judge_str_t  address, digits = text;

    address = judge_str_until(&digits, '/');

    if (judge_address_parse(address, &cidr->base) != JUDGE_OK) {
        return JUDGE_INVALID;
    }

    max = cidr->base.len * 8u;
    bits = (int64_t) max;

    if (address.len < text.len) {
        if (judge_integer_parse(digits, &bits) != JUDGE_OK
            || digits.data[0] == '-' || bits > (int64_t) max
            || (max == 32 && memchr(address.data, ':', address.len)))
        {
            return JUDGE_INVALID;
        }
    }

    cidr->bits = (uint8_t) bits;

    for (i = cidr->bits; i < max; i++) {
        if (cidr->base.bytes[i / 8] & (0x80u >> i % 8)) {
            return JUDGE_INVALID;
        }
    }

    return JUDGE_OK;
}


static bool
judge_cidr_covers(const judge_cidr_t *cidr, const judge_address_t *address)
{
    unsigned  whole, rest;

    if (cidr->base.len != address->len) {
        return false;
    }

    whole = cidr->bits / 8u;
    rest = cidr->bits % 8u;

    if (memcmp(cidr->base.bytes, address->bytes, whole) != 0) {
        return false;
    }

    return rest == 0
           || ((cidr->base.bytes[whole] ^ address->bytes[whole])
               >> (8 - rest)) == 0;
}


bool
judge_cidr_contains(const judge_cidr_t *cidr, const judge_address_t *address)
{
    judge_address_t  a;

    a = judge_address_unmap(address);

    return judge_cidr_covers(cidr, &a);
}


static bool
judge_address_v4_is_public(const uint8_t bytes[4], uint8_t invert)
{
    size_t           i;
    judge_address_t  v4;

    memset(&v4, 0, sizeof(v4));
    v4.len = 4;

    for (i = 0; i < 4; i++) {
        v4.bytes[i] = bytes[i] ^ invert;
    }

    return judge_address_is_public(&v4);
}


/* *carries is set if the IPv4 address inside decides alone.  ISATAP (0:5efe or
 * 200:5efe) may follow any prefix, and can only make the result false. */

static bool
judge_address_carried_is_public(const judge_address_t *a, bool *carries)
{
    bool                    public;
    size_t                  i;
    const judge_carrier_t  *c;

    public = true;
    *carries = false;

    for (i = 0; i < sizeof(judge_carriers) / sizeof(judge_carriers[0]); i++) {
        c = &judge_carriers[i];

        if (judge_cidr_covers(&c->prefix, a)) {
            *carries = true;
            public &= judge_address_v4_is_public(a->bytes + c->offset,
                                                 c->invert);
        }
    }

    if ((a->bytes[8] & 0xfd) == 0 && a->bytes[9] == 0 && a->bytes[10] == 0x5e
        && a->bytes[11] == 0xfe)
    {
        public &= judge_address_v4_is_public(a->bytes + 12, 0x00);
    }

    return public;
}


bool
judge_address_is_public(const judge_address_t *address)
{
    bool             carries;
    size_t           i;
    judge_address_t  a;

    a = judge_address_unmap(address);

    if (a.len == 16) {
        if (!judge_address_carried_is_public(&a, &carries)) {
            return false;
        }

        if (carries) {
            return true;
        }

        if (!judge_cidr_covers(&judge_global_unicast, &a)) {
            return false;
        }

    } else if (a.len != 4) {
        return false;
    }

    for (i = 0; i < sizeof(judge_not_public) / sizeof(judge_not_public[0]);
         i++)
    {
        if (judge_cidr_covers(&judge_not_public[i], &a)) {
            return false;
        }
    }

    return true;
}


bool
judge_address_is_allowed(const judge_address_t *address,
    const judge_cidr_t *allowed, size_t n)
{
    size_t  i;

    for (i = 0; i < n; i++) {
        if (judge_cidr_contains(&allowed[i], address)) {
            return true;
        }
    }

    return judge_address_is_public(address);
}
