#!/usr/bin/env python3
#
# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause
#
# Makes documents and compares what build/t/diff/reader says of them with what
# Python's json and csv say:
#
#   readers.py json|csv READER SEED N
#
# Each third of the documents is damaged. Prints each difference, and how many
# documents were taken and refused; exit status 1 where there is a difference.

import csv
import io
import json
import random
import re
import subprocess
import sys


DEPTH = 64


# --- JSON -----------------------------------------------------------------

CHARACTERS = ['a', 'Z', ' ', '"', '\\', '/', '\b', '\n', '\t', '\x7f', 'ä',
              '€', '\u2028', '😀', '\x00', '\x1f', '[', '}', ':', ',']

NUMBERS = ['0', '-0', '1', '-1', '42', '9223372036854775807',
           '9223372036854775808', '-9223372036854775808',
           '-9223372036854775809', '1.5', '-0.0', '1e2', '1E+2', '1e-7',
           '0.1e1', '1e308', '1e309', '-1e309', '1e-400', '123456789012345678',
           '0.30000000000000004', '5e-324', '1.7976931348623157e308',
           '18446744073709551616', '100000000000000000000000', '1' * 308,
           '1' * 400, '01', '+1', '.5', '1.', '1e', '-', '0x1', 'NaN',
           'Infinity', '-Infinity', '1_0']

WORDS = ['true', 'false', 'null', 'True', 'nul', '/* */ 1', '// 1\n1', '']


def space(rng):
    return ''.join(rng.choice(' \t\r\n') for _ in range(rng.choice(
        (0, 0, 0, 0, 1, 2))))


def string(rng):
    out = []
    for _ in range(rng.choice((0, 1, 2, 5, 12))):
        c = rng.choice(CHARACTERS)
        code = ord(c)
        if rng.random() < 0.1:
            out.append('\\u%04x' % rng.choice(
                (0xd800, 0xdbff, 0xdc00, 0xdfff, 0x41, 0, 0xffff)))
        elif rng.random() < 0.2 and code < 0x10000:
            out.append('\\u%04X' % code)
        elif c in '"\\' or (code < 0x20 and rng.random() < 0.97):
            out.append(json.dumps(c)[1:-1])
        elif code >= 0x10000 and rng.random() < 0.5:
            out.append(json.dumps(c)[1:-1])
        else:
            out.append(c)
    return '"' + ''.join(out) + '"'


def value(rng, depth):
    kind = rng.random()
    if depth > 0 and kind < 0.25:
        return '[' + ','.join(space(rng) + value(rng, depth - 1) + space(rng)
                              for _ in range(rng.randrange(5))) + ']'
    if depth > 0 and kind < 0.5:
        return '{' + ','.join(space(rng) + string(rng) + space(rng) + ':'
                              + value(rng, depth - 1)
                              for _ in range(rng.randrange(5))) + '}'
    if kind < 0.7:
        return string(rng)
    if kind < 0.9:
        # Mostly those that are numbers.
        return rng.choice(NUMBERS[:25] if rng.random() < 0.95 else NUMBERS)
    return rng.choice(WORDS[:3] if rng.random() < 0.95 else WORDS)


def nested(rng):
    n = rng.choice((DEPTH - 1, DEPTH, DEPTH + 1, 300))
    begin, end = rng.choice((('[', ']'), ('{"a":', '}')))
    return begin * n + ('1' if begin != '[' else '') + end * n


def make_json(rng):
    text = nested(rng) if rng.random() < 0.02 else value(rng, 5)
    return (space(rng) + text + space(rng)).encode('utf-8')


class Refused(Exception):
    pass


def pairs(items):
    names = [name for name, _ in items]
    if len(set(names)) < len(names):
        raise Refused('a key twice')
    return dict(items)


def constant(_):
    raise Refused('not finite')


# Our rules beyond the grammar: depth, halves of surrogates, finite numbers.

def check(v, depth):
    if isinstance(v, (list, dict)):
        if depth >= DEPTH:
            raise Refused('too deep')
        for each in v:
            check(each if isinstance(v, list) else v[each], depth + 1)
            if isinstance(v, dict):
                check(each, depth)
    elif isinstance(v, str):
        if any(0xd800 <= ord(c) <= 0xdfff for c in v):
            raise Refused('half a surrogate')
    elif isinstance(v, float) and v - v != 0:
        raise Refused('not finite')


# Integers beyond 64 bits are numbers.

def integer(digits):
    n = int(digits)
    return n if -2 ** 63 <= n < 2 ** 63 else float(digits)


def python_json(data):
    try:
        v = json.loads(data.decode('utf-8'), object_pairs_hook=pairs,
                       parse_constant=constant, parse_int=integer)
        check(v, 0)
    except (Refused, ValueError, RecursionError) as e:
        return ('no', str(e))
    return ('ok', v)


def same(a, b):
    if isinstance(a, bool) or isinstance(b, bool) or a is None or b is None:
        return a is b
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return a == b
    if type(a) is not type(b):
        return False
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    return a == b


def compare_json(data, lines):
    is_, _, rest = lines[0].partition(b' ')
    want, v = python_json(data)

    # yajl takes some things that JSON does not; never less than we do.
    if is_ == b'ok' and lines[1] != b'ok':
        return False, 'taken, and yajl refuses it'
    if is_.decode() != want:
        return False, '%s (%s), and Python says %s (%s)' % (
            is_.decode(), rest[:80], want, v)
    if want == 'ok' and not same(json.loads(rest), v):
        return False, 'another value: %s' % rest[:80]
    return want == 'ok', None


# --- CSV ------------------------------------------------------------------

CELLS = ['', 'a', 'b c', '1,5', 'x;y', 'say "so"', "it's", 'two\nlines',
         'two\r\nlines', '\ttab', '|', ' padded ', 'ä€😀', '=1+1', '""', '\\']


def make_csv(rng):
    delimiter = rng.choice(',;\t|')
    quote = rng.choice('"""\'')
    out = io.StringIO(newline='')
    end = rng.choice(('\n', '\r\n', '\r'))
    columns = rng.randrange(1, 6)
    writer = csv.writer(out, delimiter=delimiter, quotechar=quote,
                        lineterminator=end, quoting=rng.choice(
                            (csv.QUOTE_MINIMAL, csv.QUOTE_ALL)))

    for _ in range(rng.randrange(1, 8)):
        writer.writerow([rng.choice(CELLS) for _ in range(
            columns if rng.random() < 0.9 else rng.randrange(1, 7))])
        if rng.random() < 0.1:
            out.write(end)

    text = out.getvalue()
    if rng.random() < 0.3:
        text = text[:-len(end)]
    return (delimiter, quote, text.encode('utf-8'))


FLAWED = 0x2 | 0x4                     # JUDGE_CSV_STRAY, JUDGE_CSV_UNCLOSED


def compare_csv(case, lines):
    delimiter, quote, data = case
    rows, flags = [], 0

    for row in lines[0].decode().split(' ')[1:]:
        head, *fields = row.split(':')
        flags |= int(head)
        rows.append([bytes.fromhex(f) for f in fields])

    # Where a quote stands where none may, everybody has an opinion. We let
    # spaces stand behind one, and end lines with LF within quotes, too.
    after = quote + ' +(?:' + re.escape(delimiter) + '|[\r\n]|$)'
    if flags & FLAWED or re.search(after.encode(), data):
        return False, None

    text = io.StringIO(data.decode('latin-1'), newline='')
    try:
        want = [[f.encode('latin-1').replace(b'\r\n', b'\n').replace(
                     b'\r', b'\n') for f in row] for row in csv.reader(
            text, delimiter=delimiter, quotechar=quote, strict=True) if row]
    except csv.Error as e:
        return False, 'taken, and Python says: %s' % e

    if rows != want:
        return False, 'rows %r, and Python has %r' % (rows, want)
    return True, None


# --- Both -----------------------------------------------------------------

def damage(rng, data):
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        at = rng.randrange(len(data) + 1)
        how = rng.randrange(5)
        if how == 0:
            del data[at:at + rng.randrange(1, 4)]
        elif how == 1:
            data[at:at] = data[at:at + 5] * 2
        elif how == 2:
            data[at:at] = bytes([rng.choice(b'"\'\\,;:{}[]0 \n\r\tu-+.eE')])
        elif how == 3:
            data[at:at + 1] = bytes([rng.randrange(1, 256)])
        else:
            data = data[:at]
    return bytes(data)


def main():
    kind, reader, seed, n = sys.argv[1:3] + [int(a) for a in sys.argv[3:5]]
    rng = random.Random(seed)
    cases, stdin = [], bytearray()

    for number in range(n):
        piece = rng.choice((1, 2, 3, 7, 64, 1 << 20))
        if kind == 'json':
            case = make_json(rng)
            data = case = damage(rng, case) if number % 3 == 0 else case
            stdin += b'json %d %d\n' % (len(data), piece)
        else:
            delimiter, quote, data = make_csv(rng)
            data = damage(rng, data) if number % 3 == 0 else data
            # A mark or a line "sep=" in front are for us alone.
            data = data.replace(b'sep=', b'').removeprefix(b'\xef\xbb\xbf')
            case = (delimiter, quote, data)
            stdin += b'csv %d %d %d %d\n' % (len(data), piece, ord(delimiter),
                                             ord(quote))
        stdin += data
        cases.append(case)

    done = subprocess.run([reader], input=bytes(stdin), capture_output=True)
    lines = done.stdout.split(b'\n')[:-1]
    each = 2 if kind == 'json' else 1
    taken = differ = 0

    if done.returncode != 0 or len(lines) != each * n:
        print('the reader ended with %d after %d lines: %s' % (
            done.returncode, len(lines), done.stderr.decode()[-2000:]))
        return 1

    for number, case in enumerate(cases):
        compare = compare_json if kind == 'json' else compare_csv
        ok, wrong = compare(case, lines[each * number:each * (number + 1)])
        taken += ok
        if wrong:
            differ += 1
            if differ <= 20:
                print('%r: %s' % (case, wrong))

    print('%d taken, %d refused or flawed, %d differ' % (taken, n - taken,
                                                         differ))
    return 1 if differ else 0


sys.exit(main())
