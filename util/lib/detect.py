# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause
#
# util/quality detect PROGRAM FILE...: what detectors find of what others have
# labelled, in files as Presidio's research data are ("full_text", and "spans"
# with "entity_type" and "entity_value").  What is found is right if a span of
# that kind has the same text but for its ends, found if any hit touches it.

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


def found(program, texts):
    lines = ''.join(json.dumps(text) + '\n' for text in texts)
    out = subprocess.run([program], input=lines, capture_output=True,
                         text=True, check=True).stdout
    for line in out.splitlines():
        row = json.loads(line)
        yield list(zip(row[::2], row[1::2]))


def main(program, files):
    print('| Set | Kind | labelled | found of them | hits | right of them |')
    print('|---|---|---|---|---|---|')
    for name in files:
        with open(name, encoding='utf-8') as file:
            rows = json.load(file)
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
