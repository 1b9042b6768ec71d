# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""What of the requirements in a file becomes checks, and whether these decide
as a person does.

Each line is an object with language, name, description, decidable, and where
that is true good and bad: a text that meets the requirement, and one that does
not."""

from engine import lines_of, verdicts
from stats import share

GOOD = 95                       # at least so much of what meets it
BAD = 50                        # at most so much of what does not


def judged(line, good, bad):
    """'' (no check), 'right', or what is wrong."""
    if good['by'] != ['checks'] or None in good['scores'] + bad['scores']:
        return ''
    if not line['decidable']:
        return 'is a check, and can\'t be decided'
    good, bad = good['scores'][0], bad['scores'][0]
    if good < GOOD or bad > BAD:
        return f'good {good:.0f}, bad {bad:.0f}'
    return 'right'


def row(name, lines, results):
    decidable = sum(line['decidable'] for line in lines)
    known = sum(line['decidable'] and r != ''
                for line, r in zip(lines, results))
    wrong = sum(r not in ('', 'right') for r in results)
    print(f'{name:14} {len(lines):5} {decidable:9} {known:10}'
          f' {share(known, decidable)} {wrong:6}')


def requirements(path):
    lines = list(lines_of(path))
    found = verdicts({'text': line.get(which) or 'Some words.',
                      'criteria': [{key: line[key]
                                    for key in ('name', 'description')}]}
                     for line in lines for which in ('good', 'bad'))
    results = list(map(judged, lines, found[::2], found[1::2]))

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
