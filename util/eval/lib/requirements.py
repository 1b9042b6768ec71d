#!/usr/bin/env python3
#
# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause
#
# util/eval/quality requirements FILE: what of the requirements in the file
# becomes checks, and whether these decide as a person does.  Each line is a
# JSON object with language, name, description, decidable, and where that is
# true good and bad: a text that meets the requirement, and one that does not.

import json
import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.join(os.path.dirname(__file__), '..', '..', '..')
GOOD = 95                       # at least so much of what meets it
BAD = 50                        # at most so much of what does not


def explain(line, text):
    """The score by checks; None: they don't judge it."""
    asked = line['name'] + '\n' + line['description']
    with tempfile.NamedTemporaryFile('w', suffix='.txt') as f:
        f.write(text)
        f.flush()
        out = subprocess.run([TOP + '/build/judge', 'explain', f.name, asked],
                             capture_output=True, text=True, check=True)
    decided = 'Its checks decide all that it asks for.' in out.stdout
    checked = re.search(r'^ +checked +([\d.]+)', out.stdout, re.M)
    return float(checked[1]) if decided and checked else None


def judged(line):
    """'' (no check), 'right', or what is wrong."""
    good = explain(line, line['good'] or 'Some words.')
    if good is None:
        return ''
    if not line['decidable']:
        return 'is a check, and can\'t be decided'
    bad = explain(line, line['bad'])
    if good < GOOD or bad > BAD:
        return f'good {good:.0f}, bad {bad:.0f}'
    return 'right'


def share(n, of):
    return f'{100 * n / of:5.1f} %' if of else '    - '


def row(name, lines, results):
    decidable = sum(line['decidable'] for line in lines)
    known = sum(line['decidable'] and r != ''
                for line, r in zip(lines, results))
    wrong = sum(r not in ('', 'right') for r in results)
    print(f'{name:14} {len(lines):5} {decidable:9} {known:10}'
          f' {share(known, decidable)} {wrong:6}')


def main():
    with open(sys.argv[1]) as f:
        lines = [json.loads(line) for line in f if line.strip()]
    results = [judged(line) for line in lines]

    for line, result in zip(lines, results):
        if result == 'right' or (result == '' and not line['decidable']):
            continue
        print(f"{line.get('id', '-')}: {result or 'not recognised'}:"
              f" {line['name']}: {line['description']}")

    print(f"\n{'language':14} lines decidable recognised  share  wrong")
    for language in sorted({line['language'] for line in lines}):
        row(language, *zip(*[(line, r) for line, r in zip(lines, results)
                             if line['language'] == language]))
    row('all', lines, results)
    row('never a check', lines, [''] * len(lines))


main()
