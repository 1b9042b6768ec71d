# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""What the importers have in common: rows, values, templates, criteria."""

import csv
import io
import re

import judges
from base import Fault, clean, dumps, loads, read_text

DECIDED = 'Decided by its checks.'
TEMPLATE = re.compile(r'\{\{-?\s*([\w.\[\]]+)\s*-?\}\}')


def parse(path):
    """A file of YAML or JSON that holds one value."""
    return judges.parse(read_text(path), path)[0]


def as_text(value):
    """A value as the text that somebody would read: of messages the last, of
    parts those that are text."""
    if isinstance(value, list) and value and isinstance(value[-1], dict) \
            and 'content' in value[-1]:
        return as_text(value[-1]['content'])
    if isinstance(value, list) and value and all(
            isinstance(p, dict) and 'type' in p for p in value):
        return '\n'.join(p['text'] for p in value
                         if isinstance(p.get('text'), str))
    if isinstance(value, dict):
        for name in ('messages', 'content', 'text', 'output', 'answer',
                     'question', 'query', 'input'):
            if isinstance(value.get(name), (str, list)):
                return as_text(value[name])
    if value is None or isinstance(value, str):
        return value
    return dumps(value)


def set_context(metadata, values):
    """What the service looks at in metadata: the text that an item was made
    from, and the question that it answers."""
    for name, fields in (('source', ('source', 'context', 'document')),
                         ('question', ('question', 'query', 'input',
                                       'prompt'))):
        known = [as_text(values[f]) for f in fields if values.get(f)]
        if known:
            metadata[name] = known[0]


def at(value, path):
    """What stands at a path such as sample.choices[0].text; None if nothing
    does."""
    for step in re.findall(r'[^.\[\]]+', path):
        if isinstance(value, list) and step.isdigit() \
                and int(step) < len(value):
            value = value[int(step)]
        elif isinstance(value, dict) and step in value:
            value = value[step]
        else:
            return None
    return value


def filled(text, values):
    """A template with its values; None where one is not known."""
    missing = []

    def put(match):
        value = at(values, match[1])
        if value is None:
            missing.append(match[1])
        return str(as_text(value))

    done = TEMPLATE.sub(put, text)
    return None if missing or '{{' in done or '{%' in done else done


def rows(path):
    """(where, row) of CSV, JSON or JSON Lines."""
    text = read_text(path)
    if path.endswith('.csv'):
        try:
            table = list(csv.DictReader(io.StringIO(text, newline=''),
                                        strict=True))
        except csv.Error as e:
            raise Fault(f'{path}: not CSV: {e}') from None
        for n, row in enumerate(table, 2):
            row.pop(None, None)
            yield f'{path}: row {n}', {k: v or '' for k, v in row.items()}
        return
    if path.endswith(('.jsonl', '.ndjson')):
        values = [(f'{path}: line {n}', loads(line, f'{path}: line {n}'))
                  for n, line in enumerate(text.splitlines(), 1)
                  if line.strip()]
    else:
        value = loads(text, path)
        if isinstance(value, dict) and isinstance(value.get('data'), list):
            value = value['data']
        values = [(f'{path}: [{n}]', v) for n, v in enumerate(
            value if isinstance(value, list) else [value])]
    for where, value in values:
        if not isinstance(value, dict):
            raise Fault(f'{where}: expected an object')
        yield where, value


def leave_learned(judge, leave):
    """Lists what no other tool can take over from a judge that people have
    taught."""
    if judge.get('trained'):
        leave(judge['name'], 'what it has learned from people',
              'it is known to the service alone')


# --- Criteria ---------------------------------------------------------------

def set_weight(one, weight):
    """A weight of 1 is not written, and a whole one without a point."""
    one.pop('weight', None)
    if weight != 1:
        one['weight'] = int(weight) if weight == int(weight) else weight
    return one


def check(kind, value=None, name=None):
    """A criterion that a check alone decides."""
    one = {'type': kind} if value is None else {'type': kind, 'value': value}
    label = kind
    if isinstance(value, (str, list)):
        label += ': ' + (value if isinstance(value, str) else ', '.join(value))
    return rule(name or label, DECIDED, checks=[one])


def rule(name, description, weight=None, **more):
    criterion = {'name': clean(name)[:120], 'description': description[:5000],
                 **more}
    if weight not in (None, 1) and weight > 0:
        criterion['weight'] = weight
    return criterion
