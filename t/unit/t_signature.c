/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Webhook signatures: published examples, rotation, and forgeries. */


#include <string.h>

#include "base/crypto/crypto.h"
#include "base/crypto/signature.h"
#include "tap.h"


/* The example of Standard Webhooks, which its libraries test against. */

static const judge_str_t  t_secret =
    judge_str("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
static const judge_str_t  t_id = judge_str("msg_p5jXN8AQM9LWM0D4loKWxJek");
static const judge_str_t  t_body = judge_str("{\"test\": 2432232314}");

#define T_SECONDS    1614265330
#define T_SIGNATURE  "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


static void
test_hex(judge_arena_t *a)
{
    char         bad[128];
    size_t       i, caught;
    judge_str_t  s, list[3];

    /* the example in GitHub's manual of webhooks */

    s = judge_signature_hex(a, JUDGE_STR("It's a Secret to Everybody"),
                            JUDGE_STR("Hello, World!"));
    t_is_str(s, "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f43"
                "79c8b043e17",
             "the signature of GitHub's example is the published one");

    s = judge_signature_hex(a, t_secret, t_body);
    t_is_str(s, "sha256=80ec8a89ce3cd22133a1066caecb4d04fea7467657c8514d717ec"
                "42c38a5c94c",
             "the key of a signature is the secret as it is shown");

    list[0] = JUDGE_STR("whsec_other");
    list[1] = t_secret;
    list[2] = JUDGE_STR("");

    t_ok(judge_signature_hex_verify(list, 3, t_body, s),
         "a signature by one of three secrets is verified");
    t_ok(judge_signature_hex_verify(list + 1, 1, t_body, s),
         "a signature by the only secret is verified");
    t_ok(!judge_signature_hex_verify(list, 1, t_body, s),
         "a signature by another's secret is refused");
    t_ok(!judge_signature_hex_verify(list, 0, t_body, s),
         "no signature is verified without a secret");
    t_ok(!judge_signature_hex_verify(list, 3, JUDGE_STR("{}"), s),
         "a signature of another body is refused");
    t_ok(!judge_signature_hex_verify(list, 3, t_body,
                                     (judge_str_t) { 0, NULL }),
         "a request without the header is refused");

    for (i = 0; i < s.len; i++) {
        bad[i] = s.data[i] >= 'a' && i >= 7 ? (char) (s.data[i] - 32)
                                            : s.data[i];
    }

    t_ok(judge_signature_hex_verify(list, 3, t_body,
                                    (judge_str_t) { s.len, bad }),
         "hexadecimal digits may be capitals");

    caught = 0;

    for (i = 0; i < s.len; i++) {
        memcpy(bad, s.data, s.len);
        bad[i] ^= 1;
        caught += !judge_signature_hex_verify(list, 3, t_body,
                                              (judge_str_t) { s.len, bad });
        caught += !judge_signature_hex_verify(list, 3, t_body,
                                              (judge_str_t) { i, s.data });
    }

    t_is_int((int64_t) caught, 2 * (int64_t) s.len,
             "every changed or cut signature is caught");

    /* what anyone can make with an empty key verifies nothing */

    (void) judge_hmac_sha256(JUDGE_STR(""), t_body, (uint8_t *) bad);
    s = judge_hex(a, bad, JUDGE_SHA256_LEN);
    s = judge_str_printf(a, "sha256=%.*s", (int) s.len, s.data);
    t_ok(!judge_signature_hex_verify(list, 3, t_body, s),
         "a signature with an empty key is refused");
    t_is_str(judge_signature_hex(a, JUDGE_STR(""), t_body), NULL,
             "an empty secret does not sign");
}


static void
test_make(judge_arena_t *a)
{
    size_t             i;
    judge_str_t        list[JUDGE_SIGNATURE_SECRETS + 1];
    judge_signature_t  s;
    static const char  *const bad[] = { "", "whsec_", "whsec_abc",
                                        "whsec_ab!=", "whsec_ab-_",
                                        "whsec_A===", "whsec_====",
                                        "whsec_AAAB====" };

    list[0] = t_secret;
    t_is_int(judge_signature_make(a, list, 1, t_id, T_SECONDS, t_body, &s),
             JUDGE_OK, "a message can be signed with one secret");
    t_is_str(s.signature, T_SIGNATURE,
             "the signature is that of the published example");
    t_is_str(s.timestamp, "1614265330", "the timestamp is in seconds");
    t_is_str(s.id, "msg_p5jXN8AQM9LWM0D4loKWxJek",
             "the identifier is sent as it is");

    list[1] = t_secret;
    list[1].data += 6;                 /* some leave the prefix off */
    list[1].len -= 6;
    t_is_int(judge_signature_make(a, list, 2, t_id, T_SECONDS, t_body, &s),
             JUDGE_OK, "a message can be signed with two secrets");
    t_is_str(s.signature, T_SIGNATURE " " T_SIGNATURE,
             "two secrets make two signatures");

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        list[1] = judge_str_c(bad[i]);
        t_is_int(judge_signature_make(a, list, 2, t_id, 1, t_body, &s),
                 JUDGE_INVALID, "this is no secret: \"%s\"", bad[i]);
    }

    for (i = 1; i <= JUDGE_SIGNATURE_SECRETS; i++) {
        list[i] = t_secret;
    }

    t_is_int(judge_signature_make(a, list, i, t_id, 1, t_body, &s),
             JUDGE_INVALID, "more secrets than there may be are refused");
    t_is_int(judge_signature_make(a, list, 0, t_id, 1, t_body, &s),
             JUDGE_INVALID, "a message can't be signed without a secret");
    t_is_int(judge_signature_make(a, list, 1, JUDGE_STR("a.b"), 1, t_body,
                                  &s), JUDGE_INVALID,
             "an identifier with a dot is refused");
    t_is_int(judge_signature_make(a, list, 1, JUDGE_STR("a\nb"), 1, t_body,
                                  &s), JUDGE_INVALID,
             "an identifier with a line feed is refused");
    t_is_int(judge_signature_make(a, list, 1, JUDGE_STR(""), 1, t_body, &s),
             JUDGE_INVALID, "an empty identifier is refused");
    t_is_int(judge_signature_make(a, list, 1, t_id, -1, t_body, &s),
             JUDGE_INVALID, "a time before 1970 is refused");
}


int
main(void)
{
    judge_arena_t  *a;

    a = judge_arena_create(0);

    test_hex(a);
    test_make(a);

    judge_arena_destroy(a);

    return t_done();
}
