# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause
#
# util/eval/quality detect PROGRAM FILE...: what detectors find of what others
# have labelled, in files as Presidio's research data are ("full_text", and
# "spans" with "entity_type" and "entity_value").  What is found is right if a
# span of that kind has the same text but for its ends, found if any hit
# touches it. Of files that have a "label" for each "text" or "prompt", as an
# array or line by line, it says how many orders to a model are found (of
# labels such as "offensive": insults; "secret"; "link"), and how many texts
# without one are taken for one; without labels all are taken as without.

import gzip
import json
import subprocess
import sys

KINDS = {
    'EMAIL': ['EMAIL_ADDRESS', 'EMAIL'],
    'PHONE': ['PHONE_NUMBER', 'PHONE'],
    'CARD': ['CREDIT_CARD'],
    'IBAN': ['IBAN_CODE', 'IBAN'],
    'US_SSN': ['US_SSN', 'SSN'],
}


def found(program, texts, links=False):
    lines = ''.join(json.dumps(text) + '\n' for text in texts)
    out = subprocess.run([program] + ['links'] * links, input=lines,
                         capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        row = json.loads(line)
        yield list(zip(row[::2], row[1::2]))


def read(name):
    opens = gzip.open if name.endswith('.gz') else open
    with opens(name, 'rt', encoding='utf-8') as file:
        data = file.read()
    return (json.loads(data) if data.lstrip().startswith('[')
            else [json.loads(line) for line in data.splitlines()])


ORDERS = {'1', 'true', 'injection', 'jailbreak'}
LABELS = [({'offensive', 'hateful', 'hate'}, 'INSULT'), ({'secret'}, 'SECRET'),
          ({'link'}, 'LINK'), (ORDERS, 'ORDER')]
OTHERS = {'EMAIL', 'PHONE', 'CARD', 'IBAN', 'INSULT', 'LINK', 'ORDER'}


def whole(program, name, rows):
    labels = {str(row.get('label', 0)).lower() for row in rows}
    bad_labels, wanted = next(
        ((each, kind) for each, kind in LABELS if labels & each), LABELS[-1])
    sums = {True: [0, 0], False: [0, 0]}
    hits = found(program, [row.get('text') or row['prompt'] for row in rows],
                 wanted == 'LINK')
    for row, got in zip(rows, hits):
        label = str(row.get('label', 0)).lower()
        both = sums[label in bad_labels]
        both[0] += 1
        both[1] += any(kind == wanted or (wanted == 'SECRET'
                                          and kind not in OTHERS)
                       for kind, _ in got)
    (bad, caught), (good, taken) = sums[True], sums[False]
    print('| %s | %s | %d | %.3f | %d | %.3f |' % (
        name.split('/')[-1], wanted, bad, caught / (bad or 1), caught + taken,
        caught / (caught + taken or 1)))
    print('  %d of %d texts without one are taken for one' % (taken, good))


def main(program, files):
    print('| Set | Kind | labelled | found of them | hits | right of them |')
    print('|---|---|---|---|---|---|')
    for name in files:
        rows = read(name)
        if 'full_text' not in rows[0]:
            whole(program, name, rows)
            continue
        hits = list(found(program, [row['full_text'] for row in rows]))
        for kind, types in KINDS.items():
            labelled = missed = total = right = 0
            for row, got in zip(rows, hits):
                spans = [span['entity_value'] for span in row['spans'] or []
                         if span['entity_type'] in types]
                mine = [text for label, text in got if label == kind]
                labelled += len(spans)
                missed += sum(not any(text in span or span in text
                                      for _, text in got) for span in spans)
                total += len(mine)
                right += sum(any(text in span or span in text
                                 for span in spans) for text in mine)
            if labelled or total:
                print('| %s | %s | %d | %.3f | %d | %.3f |' % (
                    name.split('/')[-1], kind, labelled,
                    (labelled - missed) / (labelled or 1), total,
                    right / (total or 1)))


main(sys.argv[1], sys.argv[2:])
