# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""Judges and results into files, also of other tools."""

import csv
import io
import os

import judges
import langfuse
import openai_evals
import promptfoo
from base import OK, Fault, Output, dumps, loads, read_text, warn, write_file
from render import junit_case, junit_file

JUDGES = ('yaml', 'json', 'promptfoo', 'openai')
RESULTS = ('csv', 'jsonl', 'json', 'langfuse', 'junit')


def as_yaml(value):
    try:
        import yaml
    except ImportError:
        raise Fault('YAML needs PyYAML (Debian: python3-yaml, else: pip'
                    ' install pyyaml); --as json needs nothing') from None
    return yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=79)


def export_judges(client, args, leave):
    every = [judges.the(client, name) for name in args.what]
    kind = args.as_ or 'json'
    if kind not in JUDGES:
        raise Fault(f'--as {kind}: judges are exported as'
                    f' {", ".join(JUDGES)}')
    if kind == 'promptfoo':
        value = promptfoo.write(every, leave)
    elif kind == 'openai':
        value = openai_evals.write(every, leave)
    else:
        value = {'judges': [judges.portable(judge) for judge in every]}
    text = as_yaml(value) if kind in ('yaml', 'promptfoo') \
        else dumps(value, 1) + '\n'
    write_file(args.to, text)


def records(client, what):
    """The evaluations of batches, of identifiers, of results in files."""
    for one in what:
        if judges.IDENTIFIER.fullmatch(one):
            job = client.pages(f'/evaluations/results/{one}', 'results')
            yield from job
        else:
            for n, line in enumerate(read_text(one).splitlines(), 1):
                if line.strip():
                    yield loads(line, f'{one}: line {n}')


def item_names(client, what):
    """The names of what was judged in batches, by evaluation."""
    names = {}
    for batch in what:
        if batch.startswith('bat_'):
            pieces = []
            client.download(f'/batches/{batch}/results?format=csv',
                            pieces.append)
            table = io.StringIO(''.join(pieces), newline='')
            names.update((row['evaluation_id'], row['content_name'])
                         for row in csv.DictReader(table))
    return names


def write_junit(out, client, what):
    """A testcase for each evaluation, an error for each that has failed."""
    cases, errors = [], 0
    names = item_names(client, what)
    for record in records(client, what):
        errors += record['status'] != 'completed'
        scored = [c for c in record.get('criteria_scores') or []
                  if c.get('score') is not None]
        cases.append(junit_case(record.get('judge_id') or what[0],
                                names.get(record['evaluation_id'])
                                or record.get('item') or record['content_id'],
                                {**record, 'criteria_scores': scored}))
    junit_file(out, what[0], cases, len(cases), 0, errors)


def export_results(client, args, leave):
    kind = args.as_ or 'jsonl'
    if kind not in RESULTS:
        raise Fault(f'--as {kind}: results are exported as'
                    f' {", ".join(RESULTS)}')
    with Output(args.to) as out:
        if kind == 'junit':
            write_junit(out, client, args.what)
            return
        if kind == 'langfuse':
            for n, score in enumerate(langfuse.write(
                    records(client, args.what), leave)):
                out.write((',\n' if n else '[\n') + dumps(score))
            out.write('\n]\n')
            return
        for what in args.what:
            if not what.startswith('bat_'):
                raise Fault(f'{what}: --as {kind} takes batches')
            client.download(f'/batches/{what}/results?format={kind}',
                            out.write)


def run(client, args):
    listed = []

    def leave(where, what, why):
        listed.append({'where': where, 'what': what, 'kept': 'no',
                       'why': why})
        warn(f'not exported: {what} ({where}): {why}')

    results = all(w.startswith(('bat_', 'evl_')) or os.path.isfile(w)
                  for w in args.what)
    (export_results if results else export_judges)(client, args, leave)
    if args.report:
        write_file(args.report, dumps({'listed': listed}, 1) + '\n')
    return OK
