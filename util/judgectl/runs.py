# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""Runs of other tools: logs of Inspect, test runs of DeepEval, evaluation
tables of MLflow.  Outputs become items; scores of programs do not count."""

import parts
from base import Fault, loads, read_text

VALUES = {'C': 100, 'P': 50, 'I': 0, 'N': 0}    # of Inspect's scorers
OUTPUTS = ('outputs', 'response', 'predictions', 'prediction', 'output')
ASKED = ('inputs', 'request', 'input', 'question', 'query', 'prompt')
EXPECTED = ('targets', 'target', 'expectations', 'ground_truth',
            'expected_response')
MEASURED = ('/score', '/value', '/justification', '/rationale')


def program(job, where, name):
    job.leave(where, f'score {name}', 'a program gave it, not a person')


def metadata_of(row, asked, expected, source=None):
    """What is kept beside a text."""
    kept = dict(row) if isinstance(row, dict) else {}
    parts.set_context(kept, asked if isinstance(asked, dict)
                      and 'messages' not in asked else {'input': asked})
    if source:
        kept['source'] = '\n'.join(parts.as_text(s) for s in source)
    if expected not in (None, '', []):
        kept.setdefault('expected', '\n'.join(
            parts.as_text(e) for e in (expected if isinstance(expected, list)
                                       else [expected])))
    return kept or None


def document(path, member, within=None):
    """An object with a list, which may be a member of another one."""
    value = loads(read_text(path), path)
    if isinstance(value, dict) and within in value:
        value = value[within]
    if not isinstance(value, dict) or not isinstance(value.get(member), list):
        raise Fault(f'{path}: expected an object with {member}')
    return value


# --- Inspect ----------------------------------------------------------------

def inspect_scores(job, where, identifier, sample):
    """A score that somebody has edited is a person's."""
    said = {}
    for name, score in (sample.get('scores') or {}).items():
        edits = [e for e in score.get('history') or [] if e.get('provenance')]
        value = VALUES.get(score['value']) \
            if isinstance(score['value'], str) else None
        if not edits:
            program(job, where, name)
        elif value is None:
            job.leave(where, f'score {name}', 'only C, P, I and N have a known'
                      ' range')
        else:
            said[name] = value
    if said:
        job.feedback.append({'item': identifier, 'scores': said})


def inspect_rules(job, where, sample, scorers):
    """The one scorer that is a check: whether the target is in the text."""
    target = sample.get('target') or []
    target = target if isinstance(target, list) else [target]
    target = [t for t in target if t]
    for scorer in scorers:
        name, options = scorer['name'], scorer.get('options') or {}
        if name.split('/')[-1] != 'includes':
            job.leave(where, f'scorer {name}', 'no check does the same;'
                      ' describe what it looks for as a criterion')
            continue
        if not target:
            job.leave(where, f'scorer {name}', 'the sample has no target')
            continue
        kind = 'contains_any_exact' if options.get('ignore_case') is False \
            else 'contains_any'
        yield parts.check(kind, target, 'includes')


def inspect(job):
    for path in job.args.files:
        if path.endswith('.eval'):
            raise Fault(f'{path}: only logs in JSON are read: inspect log'
                        ' convert --to json --output-dir DIR FILE makes one')
        log = document(path, 'samples')
        scorers = log.get('eval', {}).get('scorers') or []
        for n, sample in enumerate(log['samples']):
            where = f'{path}: samples[{n}]'
            identifier = str(sample['id'])
            if sample.get('epoch', 1) > 1:
                identifier += f'-{sample["epoch"]}'
            if sample.get('error'):
                job.leave(where, 'sample', 'it ended with an error')
                continue
            output = sample.get('output') or {}
            text = output.get('completion') or parts.as_text(parts.at(
                output, 'choices[0].message.content'))
            job.add(where, text, identifier, identifier,
                    metadata_of(sample.get('metadata'), sample.get('input'),
                                sample.get('target')),
                    inspect_rules(job, where, sample, scorers))
            inspect_scores(job, where, identifier, sample)


# --- DeepEval ---------------------------------------------------------------

def deepeval(job):
    for path in job.args.files:
        run = document(path, 'testCases', 'testRunData')
        seen = set()
        for n, case in enumerate(run['testCases']):
            where = f'{path}: testCases[{n}]'
            name = case.get('name')
            if name in seen:            # one test has several cases
                name = f'{name}-{n}'
            seen.add(name)
            job.add(where, case.get('actualOutput'), name, name,
                    metadata_of(case.get('metadata')
                                or case.get('additionalMetadata'),
                                case.get('input'),
                                case.get('expectedOutput'),
                                case.get('retrievalContext')
                                or case.get('context')))
            for metric in case.get('metricsData') \
                    or case.get('metricsMetadata') or []:
                program(job, where, metric.get('name') or metric['metric'])
            for name in ('toolsCalled', 'expectedTools', 'trace'):
                if case.get(name):
                    job.leave(where, name, 'it is about the call of a model,'
                              ' not about a text')
        for n, case in enumerate(run.get('conversationalTestCases') or []):
            job.leave(f'{path}: conversationalTestCases[{n}]', 'conversation',
                      'an item is one text; traces of its turns can be items')


# --- MLflow -----------------------------------------------------------------

def table(path):
    """The rows of a table as MLflow stores it, or of CSV."""
    if path.endswith('.csv'):
        yield from parts.rows(path)
        return
    value = document(path, 'data')
    for n, row in enumerate(value['data']):
        if len(row) != len(value['columns']):
            raise Fault(f'{path}: data[{n}]: expected'
                        f' {len(value["columns"])} values')
        yield f'{path}: data[{n}]', dict(zip(value['columns'], row))


def first(row, names):
    return next((row[n] for n in names if row.get(n) not in (None, '')), None)


def mlflow(job):
    for path in job.args.files:
        for where, row in table(path):
            text = row.get(job.args.content) if job.args.content \
                else first(row, OUTPUTS)
            known = {*OUTPUTS, *ASKED, *EXPECTED, 'context', 'trace_id',
                     job.args.content}
            for name in row:
                if name.endswith(MEASURED):
                    program(job, path, name)
                elif name not in known:
                    job.leave(path, f'column {name}', 'nothing asks for it')
            context = row.get('context')
            job.add(where, parts.as_text(text), None, row.get('trace_id'),
                    metadata_of(None, first(row, ASKED), first(row, EXPECTED),
                                context if isinstance(context, list)
                                else [context] if context else None))
