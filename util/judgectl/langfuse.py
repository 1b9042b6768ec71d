# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""Langfuse: items of data sets, traces and scores, as its exports have them;
and results as scores."""

import parts
from base import Fault, loads

# Names in exports of the pages and of the interface; those to a blob storage
# have underscores.
SNAKE = {'trace_id': 'traceId', 'observation_id': 'observationId',
         'data_type': 'dataType', 'string_value': 'stringValue',
         'expected_output': 'expectedOutput', 'dataset_id': 'datasetId',
         'dataset_name': 'datasetName', 'source_trace_id': 'sourceTraceId'}
KINDS = ('NUMERIC', 'BOOLEAN', '')


def value_of(cell):
    """A cell of CSV that holds JSON, as that."""
    if isinstance(cell, str) and cell[:1] in '{["' and cell:
        try:
            return loads(cell, '')
        except Fault:
            pass
    return cell


def scale(job):
    """The lowest and the highest value of the scores."""
    low, _, high = (job.args.scale or '0:1').partition(':')
    try:
        low, high = float(low), float(high)
    except ValueError:
        low = high = 0
    if not low < high:
        raise Fault('--scale: expected LOW:HIGH, such as 1:5')
    return low, high


def add_score(job, where, row, by_trace):
    """A score that a person gave, as feedback on the item of its trace."""
    if row.get('source') == 'EVAL':
        job.leave(where, 'score of an evaluator', 'a program gave it, not a'
                  ' person')
        return
    kind = row.get('dataType') or ''
    try:
        value = float(row['value'])
    except (KeyError, TypeError, ValueError):
        kind, value = 'CATEGORICAL', 0
    low, high = scale(job) if kind != 'BOOLEAN' else (0, 1)
    if kind not in KINDS:
        job.leave(where, f'{kind.lower()} score', 'only numbers become scores')
        return
    if not low <= value <= high:
        job.leave(where, 'score', f'it is beyond {low:g} to {high:g};'
                  ' --scale LOW:HIGH says where scores lie')
        return
    item = row.get('traceId') or row.get('observationId')
    if not item:
        job.leave(where, 'score', 'it is of no trace')
        return
    said = by_trace.get(item)
    if said is None:
        said = by_trace[item] = {'item': item, 'scores': {}}
        job.feedback.append(said)
    said['scores'][row['name']] = round(100 * (value - low) / (high - low), 2)
    if row.get('comment'):
        said['comment'] = '; '.join(
            t for t in (said.get('comment'), row['comment']) if t)


def add_item(job, where, row):
    """An item of a data set, or a trace or observation."""
    if row.get('status') == 'ARCHIVED':
        job.leave(where, 'archived item', 'it is out of use')
        return
    value = {k: value_of(v) for k, v in row.items()}
    text = parts.at(value, job.args.content or 'output')
    metadata = value.get('metadata')
    metadata = dict(metadata) if isinstance(metadata, dict) else {}
    asked = value.get('input')
    parts.set_context(metadata, asked if isinstance(asked, dict)
                      and 'messages' not in asked else {'input': asked})
    if value.get('expectedOutput') and job.args.content != 'expectedOutput':
        metadata.setdefault('expected', parts.as_text(value['expectedOutput']))
    job.add(where, parts.as_text(text), value.get('name'),
            id=value.get('sourceTraceId') or value.get('id'),
            metadata=metadata or None)


def read(job):
    by_trace = {}
    for path in job.args.files:
        for where, row in parts.rows(path):
            row = {SNAKE.get(k, k): v for k, v in row.items()}
            if 'name' in row and ('value' in row or 'stringValue' in row):
                add_score(job, where, row, by_trace)
            else:
                add_item(job, where, row)
                for n, score in enumerate(value_of(row.get('scores')) or []):
                    if isinstance(score, dict):
                        add_score(job, f'{where}.scores[{n}]',
                                  {'traceId': row.get('id'), **score},
                                  by_trace)


def write(records, leave):
    """Scores as its interface takes them, one after the other."""
    for record in records:
        trace = record.get('item') or record['content_id']
        if record['status'] != 'completed':
            leave(trace, 'evaluation', 'it has failed and has no scores')
            continue
        every = [('overall', record.get('overall_score'),
                  record.get('summary'), record['evaluation_id'])]
        every += [(c['name'], c.get('score'), c['feedback'],
                   f'{record["evaluation_id"]}-{c["criterion_id"]}')
                  for c in record['criteria_scores']]
        for c in record.get('not_judged') or []:
            leave(trace, c['name'], f'it is not judged: {c["reason"]}')
        for name, score, comment, identifier in every:
            if score is None:
                leave(trace, name, 'it could not be measured')
                continue
            yield {'id': identifier, 'traceId': trace, 'name': name,
                   'value': round(score / 100, 4), 'dataType': 'NUMERIC',
                   'comment': comment or ''}
