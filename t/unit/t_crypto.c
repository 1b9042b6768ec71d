/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Hashes, signatures, encodings, secrets. */


#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/crypto/crypto.h"
#include "tap.h"


static void
test_sha256(judge_arena_t *a)
{
    size_t           i;
    uint8_t          out[JUDGE_SHA256_LEN];
    judge_digest_t  *d;
    static const struct {
        const char  *text, *want;
    } rows[] = {
        { "", "e3b0c44298fc1c149afbf4c8996fb924"
              "27ae41e4649b934ca495991b7852b855" },
        { "abc", "ba7816bf8f01cfea414140de5dae2223"
                 "b00361a396177a9cb410ff61f20015ad" },
        { "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
          "248d6a61d20638b8e5c026930c3e6039"
          "a33ce45964ff2167f6ecedd419db06c1" }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        judge_str_t  s = judge_str_c(rows[i].text);

        t_is_int(judge_sha256(s, out), JUDGE_OK,
                 "text %zu can be hashed with SHA-256", i);
        t_is_str(judge_hex(a, out, sizeof(out)), rows[i].want,
                 "the digest of text %zu is the published one", i);

        d = judge_digest_sha256();
        (void) judge_digest_update(d, (judge_str_t) { s.len / 2, s.data });
        (void) judge_digest_update(d, (judge_str_t) { 0, NULL });
        (void) judge_digest_update(d, (judge_str_t) { s.len - s.len / 2,
                                                      s.data + s.len / 2 });
        t_is_int(judge_digest_final(d, out), JUDGE_OK,
                 "text %zu can be hashed in pieces", i);
        t_is_str(judge_hex(a, out, sizeof(out)), rows[i].want,
                 "text %zu has the same digest when it comes in pieces", i);
        judge_digest_free(d);
    }

    judge_digest_free(NULL);
}


/* RFC 4231 */

static void
test_hmac(judge_arena_t *a)
{
    char             key[131];
    size_t           i;
    uint8_t          out[JUDGE_SHA256_LEN];

    memset(key, 0xaa, sizeof(key));

    const struct {
        judge_str_t   key;
        const char   *text, *want;
    } rows[] = {
        { judge_str("Jefe"), "what do ya want for nothing?",
          "5bdcc146bf60754e6a042426089575c7"
          "5a003f089d2739839dec58b964ec3843" },
        { { sizeof(key), key },
          "Test Using Larger Than Block-Size Key - Hash Key First",
          "60e431591ee0b67f0d8a26aacbf5b77f"
          "8e0bc6213728c5140546040f0ee37f54" },
        { judge_str(""), "",
          "b613679a0814d9ec772f95d778c35fc5"
          "ff1697c493715653c6c712144292c5ad" },
        { { 0, NULL }, "",
          "b613679a0814d9ec772f95d778c35fc5"
          "ff1697c493715653c6c712144292c5ad" }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        judge_str_t  s = judge_str_c(rows[i].text);

        t_is_int(judge_hmac_sha256(rows[i].key, s, out), JUDGE_OK,
                 "row %zu of RFC 4231 can be signed with HMAC-SHA-256", i);
        t_is_str(judge_hex(a, out, sizeof(out)), rows[i].want,
                 "row %zu of RFC 4231 has the published code", i);
    }
}


static void
test_encodings(judge_arena_t *a)
{
    size_t       i;
    uint8_t      out[4];
    judge_str_t  s;
    static const struct {
        const char  *text, *base64, *url;
    } rows[] = {
        { "", "", "" },
        { "f", "Zg==", "Zg" },
        { "fo", "Zm8=", "Zm8" },
        { "foo", "Zm9v", "Zm9v" },
        { "foob", "Zm9vYg==", "Zm9vYg" },
        { "\xfb\xff\xfe", "+//+", "-__-" }
    };
    static const char  *const bad[] = { "A", "AAAAA", "Zg==", "Zh", "Zm9",
                                        "+//+", "Zg\n", "\xc3\xa4" };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        s = judge_str_c(rows[i].text);
        t_is_str(judge_base64(a, s), rows[i].base64,
                 "bytes %zu are written in base64", i);
        t_is_str(judge_base64url(a, s), rows[i].url,
                 "bytes %zu are written in base64url, without padding", i);
        t_is_str(judge_unbase64url(a, judge_str_c(rows[i].url)),
                 rows[i].text, "bytes %zu come back from base64url", i);
    }

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        t_is_str(judge_unbase64url(a, judge_str_c(bad[i])), NULL,
                 "text %zu is not base64url", i);
    }

    t_is_int(judge_unhex(JUDGE_STR("00fFA5b1"), out, 4), JUDGE_OK,
             "hex in small and capital letters is read");
    t_ok(memcmp(out, "\x00\xff\xa5\xb1", 4) == 0,
         "the hex is read as the bytes that it stands for");
    t_is_int(judge_unhex(JUDGE_STR("00ff"), out, 4), JUDGE_INVALID,
             "hex that is too short is refused");
    t_is_int(judge_unhex(JUDGE_STR("00ffa5b1c"), out, 4), JUDGE_INVALID,
             "hex with an odd number of digits is refused");
    t_is_int(judge_unhex(JUDGE_STR("00ffa5g1"), out, 4), JUDGE_INVALID,
             "hex with a letter that is no digit is refused");
    t_is_int(judge_crc32(JUDGE_STR("123456789")), 0xcbf43926,
             "the checksum of \"123456789\" is the published one");
    t_is_int(judge_crc32(JUDGE_STR("")), 0, "the checksum of no bytes is 0");
}


static void
test_secrets(judge_arena_t *a)
{
    char         text[JUDGE_API_KEY_LEN];
    size_t       i;
    int          caught;
    judge_str_t  key, other;

    key = judge_api_key_make(a);
    other = judge_api_key_make(a);

    t_is_int((int64_t) key.len, JUDGE_API_KEY_LEN,
             "an API key has its full length");
    t_ok(judge_str_starts(key, JUDGE_STR("jdgk_")),
         "an API key begins with its prefix");
    t_ok(judge_api_key_wellformed(key), "an API key is well formed");
    t_ok(!judge_str_eq(key, other), "no two keys are the same");

    caught = 0;

    for (i = 0; i < key.len; i++) {
        memcpy(text, key.data, key.len);
        text[i] = (text[i] == 'x') ? 'y' : 'x';
        caught += !judge_api_key_wellformed((judge_str_t) { key.len, text });
    }

    t_is_int(caught, JUDGE_API_KEY_LEN, "a typo anywhere in a key is caught");

    key.len--;
    t_ok(!judge_api_key_wellformed(key),
         "a key without its last character is not well formed");
    t_ok(!judge_api_key_wellformed((judge_str_t) { 0, NULL }),
         "a key that is absent is not well formed");

    key = judge_webhook_secret_make(a);
    t_ok(judge_str_starts(key, JUDGE_STR("whsec_")),
         "a webhook secret begins with its prefix");
    t_is_int((int64_t) key.len, 6 + 44,
             "a webhook secret has 44 characters behind its prefix");

    t_ok(judge_secret_eq(JUDGE_STR("abc"), JUDGE_STR("abc")),
         "equal secrets are equal");
    t_ok(!judge_secret_eq(JUDGE_STR("abc"), JUDGE_STR("abd")),
         "secrets that differ in one letter are not equal");
    t_ok(!judge_secret_eq(JUDGE_STR("abc"), JUDGE_STR("ab")),
         "a secret is not equal to its beginning");
    t_ok(!judge_secret_eq((judge_str_t) { 0, NULL },
                          (judge_str_t) { 0, NULL }),
         "absent secrets are never equal");
}


static void
test_random(void)
{
    int      fds[2], status, i, same;
    pid_t    pid;
    uint8_t  mine[64], theirs[64], big[4096];

    same = 0;

    for (i = 0; i < 1000; i++) {
        (void) judge_random(mine, sizeof(mine));
        same += (memcmp(mine, theirs, sizeof(mine)) == 0);
        memcpy(theirs, mine, sizeof(mine));
    }

    t_is_int(same, 0, "random bytes differ");

    memset(big, 0, sizeof(big));
    t_is_int(judge_random(big, sizeof(big)), JUDGE_OK,
             "4,096 random bytes can be had at once");
    t_ok(memchr(big, 1, sizeof(big)) != NULL,
         "random bytes are written into the buffer");
    t_is_int(judge_random(big, 0), JUDGE_OK,
             "no random bytes at all can be asked for");

    if (pipe(fds) != 0) {
        return;
    }

    pid = fork();

    if (pid == 0) {
        (void) judge_random(mine, sizeof(mine));
        _exit(write(fds[1], mine, sizeof(mine)) != sizeof(mine));
    }

    (void) judge_random(mine, sizeof(mine));
    t_is_int(read(fds[0], theirs, sizeof(theirs)), sizeof(theirs),
             "a child process sends its random bytes");
    (void) waitpid(pid, &status, 0);
    t_ok(memcmp(mine, theirs, sizeof(mine)) != 0,
         "a child process has other random bytes than its parent");

    (void) close(fds[0]);
    (void) close(fds[1]);
}


int
main(void)
{
    judge_arena_t  *a;

    a = judge_arena_create(0);

    test_sha256(a);
    test_hmac(a);
    test_encodings(a);
    test_secrets(a);
    test_random();

    judge_arena_destroy(a);

    return t_done();
}
