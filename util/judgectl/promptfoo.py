# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""promptfoo: configurations, tests, results of its runs; and judges as
configurations."""

import glob
import os
import re

import parts
from base import Fault, dumps

# Assertions and our checks; "not-" is the second column of docs/judging.md.
CHECKS = {
    'equals': ('equals', 'not_equals'),
    'contains': ('contains_exact', 'not_contains_exact'),
    'icontains': ('contains', 'not_contains'),
    'contains-all': ('contains_all_exact', None),
    'icontains-all': ('contains_all', None),
    'contains-any': ('contains_any_exact', 'contains_none_exact'),
    'icontains-any': ('contains_any', 'contains_none'),
    'starts-with': ('starts_with', 'not_starts_with'),
    'regex': ('regex', 'not_regex'),
    'is-json': ('json', 'not_json'),
    'contains-json': ('has_json', 'no_json'),
    'contains-html': ('has_html', 'no_html'),
    'is-xml': ('xml', None),
    'is-refusal': ('has_refusal', 'no_refusal'),
}
LISTS = ('contains-all', 'icontains-all', 'contains-any', 'icontains-any')
PLAIN = ('is-json', 'contains-json', 'contains-html', 'is-xml', 'is-refusal')
SIMILAR = {'rouge-n': ('rouge_n', 0.75), 'bleu': ('bleu', 0.5),
           'gleu': ('gleu', 0.5), 'levenshtein': ('levenshtein', 5)}

# What a model judges there becomes a description; what it is measured against
# stands in metadata of the item.
JUDGED = {
    'llm-rubric': '{}', 'g-eval': '{}', 'model-graded-closedqa': '{}',
    'factuality': 'Says nothing that contradicts this: {}',
    'answer-relevance': 'Answers the question and stays with it.',
    'context-faithfulness': 'Says nothing that the source does not say.',
    'context-recall': 'Says what the source says of this: {}',
}
WHY = {
    **dict.fromkeys(('javascript', 'python', 'ruby', 'webhook'),
                    'code of others does not run in the server'),
    **dict.fromkeys(('cost', 'latency', 'finish-reason', 'perplexity',
                     'perplexity-score'),
                    'it is about the call of a model, not about a text'),
    **dict.fromkeys(('is-sql', 'contains-sql'),
                    'no one grammar of SQL is right; regex may do'),
    'is-html': 'any text is HTML to a browser; contains-html, or is-xml',
    'meteor': 'it needs synonyms; the check chrf comes near it',
    'similar': 'it needs a model of meanings; a criterion may judge likeness',
    'select-best': 'it compares outputs with each other',
}


def similar(job, where, kind, value, threshold):
    name, default = SIMILAR[kind]
    threshold = default if threshold is None else threshold
    if kind == 'levenshtein':
        job.partly(where, kind, 'a number of edits becomes the share of the'
                   ' expected text that may differ')
        threshold = max(0, 1 - threshold / max(1, len(value)))
    check = {'text': value, 'at_least': round(threshold, 3)}
    if name == 'rouge_n':
        check['n'] = 1
    return parts.check(name, check)


def words(value):
    """Checks of word-count: a number, or its bounds."""
    if not isinstance(value, dict):
        value = {'min': value, 'max': value}
    return [{'type': f'{side}_words', 'value': int(value[side])}
            for side in ('min', 'max') if value.get(side) is not None]


def decided(job, where, kind, negated, value, assertion):
    """The criterion of an assertion that a check decides; None: there is
    none."""
    if kind in SIMILAR and not negated and isinstance(value, str):
        return similar(job, where, kind, value, assertion.get('threshold'))
    if kind == 'word-count' and not negated:
        return parts.rule('word-count', parts.DECIDED, checks=words(value))
    name = CHECKS.get(kind, (None, None))[negated]
    if not name:
        return None
    if kind == 'is-json' and value is not None and not negated:
        return parts.check('json_schema', value, 'json_schema')
    if kind in PLAIN:
        if value is not None:
            job.partly(where, kind, 'the schema in it is not looked at')
        return parts.check(name)
    if kind in LISTS and isinstance(value, str):
        value = [v.strip() for v in value.split(',')]
    elif kind in LISTS and isinstance(value, list):
        value = [str(v) for v in value]
    elif isinstance(value, (int, float)):
        value = str(value)
    if not isinstance(value, list if kind in LISTS else str):
        return None
    return parts.check(name, value)


def resolved(value, values):
    """Templates in a value filled in; None where that can't be done."""
    if isinstance(value, list):
        done = [resolved(v, values) for v in value]
        return None if None in done else done
    if isinstance(value, str) and ('{{' in value or '{%' in value):
        return parts.filled(value, values)
    return value


def criteria(job, where, assertion, values):
    """The criteria of an assertion, none or several."""
    if isinstance(assertion, dict) and '$ref' in assertion:
        name = str(assertion['$ref']).rpartition('/')[2]
        assertion = {**(job.templates.get(name) or {'type': name}),
                     **{k: v for k, v in assertion.items() if k != '$ref'}}
    if not isinstance(assertion, dict) \
            or not isinstance(assertion.get('type'), str):
        raise Fault(f'{where}: expected an assertion with a type')
    kind, value = assertion['type'], assertion.get('value')
    weight, metric = assertion.get('weight'), assertion.get('metric')
    if weight == 0:
        job.leave(where, kind, 'its weight is 0')
        return []
    if kind == 'assert-set':
        if assertion.get('threshold') is not None:
            job.partly(where, kind, 'its threshold; all of it counts by'
                       ' weight')
        found = [c for n, a in enumerate(assertion.get('assert') or [])
                 for c in criteria(job, f'{where}.assert[{n}]', a, values)]
        total = sum(c.get('weight', 1) for c in found)
        for c in found:             # the set counts as one assertion
            c['weight'] = c.get('weight', 1) * (weight or 1) / total
            if metric and 'checks' in c:
                c['name'] = metric
        return found
    if isinstance(value, str) and value.startswith('file://'):
        job.leave(where, kind, f'{value}: files of values are not read')
        return []
    if assertion.get('transform'):
        job.leave(where, kind, 'its transform is code, which is not run')
        return []
    filled = resolved(value, values)
    if value is not None and filled is None:
        job.leave(where, kind, 'its template needs what the test does not'
                  ' have')
        return []
    negated = kind.startswith('not-')
    base = kind[4:] if negated else kind
    if base in JUDGED and not negated:
        texts = [t if t is None or isinstance(t, str) else dumps(t)
                 for t in (filled if isinstance(filled, list) else [filled])]
        if assertion.get('threshold') is not None:
            job.partly(where, kind, 'its threshold; judgectl gate --min has'
                       ' one for all')
        return [parts.rule(metric or shortened(base, t),
                             JUDGED[base].format(t or ''), weight)
                for t in texts if t or '{}' not in JUDGED[base]]
    criterion = decided(job, where, base, negated, filled, assertion)
    if not criterion:
        job.leave(where, kind, WHY.get(base, 'there is no such check'))
        return []
    if metric:
        criterion['name'] = metric
    if isinstance(weight, (int, float)) and weight > 0:
        criterion['weight'] = weight
    return [criterion]


def shortened(kind, text):
    """A name for a criterion: the first words of what is asked."""
    words = re.split(r'\s+', text or kind)
    return ' '.join(words[:6]).rstrip('.,;:') + ('…' if len(words) > 6 else '')


# --- Tests ----------------------------------------------------------------

def from_cell(text):
    """The assertion of a cell of an __expected column."""
    match = re.match(r'(not-)?([a-z][a-z0-9-]*)(?:\(([0-9.]+)\))?:\s*(.*)\Z',
                     text, re.DOTALL)
    names = {*CHECKS, *SIMILAR, *JUDGED, *WHY, 'word-count'}
    if match and match[2] in ('fn', 'eval'):
        return {'type': 'javascript', 'value': match[4]}
    if match and match[2] == 'grade':
        return {'type': 'llm-rubric', 'value': match[4]}
    if match and match[2] in names:
        found = {'type': (match[1] or '') + match[2], 'value': match[4]}
        if match[3]:
            found['threshold'] = float(match[3])
        return found
    bare = text.strip()
    if bare.removeprefix('not-') in PLAIN:
        return {'type': bare}
    return {'type': 'equals', 'value': text}


def from_row(job, where, row):
    """A test out of a row of CSV."""
    test = {'vars': {}, 'assert': [], 'metadata': {}}
    for name, cell in row.items():
        if re.fullmatch(r'__expected\d*', name):
            test['assert'] += [from_cell(cell)] if cell.strip() else []
        elif name == '__description':
            test['description'] = cell
        elif name.startswith('__metadata:'):
            test['metadata'][name[11:].removesuffix('[]')] = cell
        elif name == '__metric' or name.startswith('__'):
            if cell:
                job.leave(where.rpartition(':')[0], f'column {name}',
                          'it is about prompts or about how tests pass')
        else:
            test['vars'][name] = cell
    for assertion in test['assert']:
        if row.get('__metric'):
            assertion['metric'] = row['__metric']
    return test


def tests_of(job, value, path):
    """(where, test) of what `tests` holds: tests, and files of them."""
    if isinstance(value, str):
        value = [value]
    for n, test in enumerate(value or []):
        where = f'{path}: tests[{n}]'
        if isinstance(test, dict) and isinstance(test.get('path'), str):
            test = test['path']
        if not isinstance(test, str):
            if not isinstance(test, dict):
                raise Fault(f'{where}: expected a test')
            yield where, test
            continue
        name = test.removeprefix('file://')
        files = sorted(glob.glob(os.path.join(os.path.dirname(path), name)))
        if not name.endswith(('.csv', '.json', '.jsonl', '.yaml', '.yml')) \
                or '://' in name or not files:
            job.leave(where, test, 'tests are read from CSV, JSON, JSON Lines'
                      ' and YAML that are there')
            continue
        for file in files:
            if file.endswith(('.yaml', '.yml')):
                yield from tests_of(job, parts.parse(file), file)
                continue
            for place, row in parts.rows(file):
                yield place, (from_row(job, place, row)
                              if file.endswith('.csv') else row)


def add_test(job, where, test, shared, output=None):
    values = {**(shared.get('vars') or {}), **(test.get('vars') or {})}
    for name, value in values.items():
        if isinstance(value, list):
            job.partly(where, f'variable {name}', 'its values are one test'
                       ' here, and not one each')
    found = []
    every = [(f'{where}.assert[{n}]', a)
             for n, a in enumerate(test.get('assert') or [])]
    if not (test.get('options') or {}).get('disableDefaultAsserts'):
        every += [(f'defaultTest.assert[{n}]', a)
                  for n, a in enumerate(shared.get('assert') or [])]
    for place, assertion in every:
        found += criteria(job, place, assertion, values)
    if output is None:
        output = test.get('providerOutput')
    if output is None and job.args.content:
        output = values.pop(job.args.content, None)
    metadata = {**values, **(test.get('metadata') or {})}
    parts.set_context(metadata, values)
    if output is not None and not isinstance(output, str):
        output = dumps(output)
    job.add(where, output, test.get('description'),
            metadata=metadata or None, rules=found)


def read(job):
    for path in job.args.files:
        job.templates = {}
        if path.endswith(('.csv', '.jsonl')):
            for where, test in tests_of(job, [os.path.basename(path)], path):
                add_test(job, where, test, {})
            continue
        value = parts.parse(path)
        if isinstance(value, list):
            value = {'tests': value}
        results = parts.at(value, 'results.results') \
            if isinstance(value, dict) else None
        if isinstance(results, list):
            for n, one in enumerate(results):
                add_test(job, f'{path}: results[{n}]', one['testCase'], {},
                         parts.at(one, 'response.output') or '')
            continue
        job.templates = value.get('assertionTemplates') or {}
        shared = value.get('defaultTest') or {}
        if isinstance(shared, str):
            job.leave(f'{path}: defaultTest', shared, 'it is a file of its'
                      ' own')
            shared = {}
        if job.name == 'Imported' and value.get('description'):
            job.name = str(value['description'])
        for name in ('prompts', 'providers', 'targets'):
            if value.get(name):
                job.leave(f'{path}: {name}', name, 'models are asked'
                          ' elsewhere; their outputs are judged')
        for name in ('scenarios', 'redteam', 'derivedMetrics', 'transform'):
            if value.get(name):
                job.leave(f'{path}: {name}', name, 'there is nothing like it')
        for where, test in tests_of(job, value.get('tests'), path):
            add_test(job, where, test, shared)
        if not value.get('tests'):
            add_test(job, f'{path}: defaultTest', {}, shared)


# --- Judges as a configuration --------------------------------------------

def assertion_of(check):
    """An assertion for a check; None where promptfoo has none."""
    kind, value = check['type'], check.get('value')
    for name, (ours, contrary) in CHECKS.items():
        if kind == ours or kind == contrary:
            found = {'type': ('not-' if kind == contrary else '') + name}
            if name not in PLAIN:
                found['value'] = value
            elif value not in (None, 1):
                return None
            return found
    for name, (ours, _) in SIMILAR.items():
        if kind == ours and name != 'levenshtein' and value.get('text') \
                and value.get('n', 1) == 1:
            return {'type': name, 'value': value['text'],
                    'threshold': value['at_least']}
    if kind == 'json_schema':
        return {'type': 'is-json', 'value': value}
    if kind in ('min_words', 'max_words'):
        return {'type': 'word-count', 'value': {kind[:3]: value}}
    return None


def write(every, leave):
    """The configuration that asks the same of outputs that are pasted as the
    variable text."""
    found = []
    for judge in every:
        parts.leave_learned(judge, leave)
        for criterion in judge['criteria']:
            where = f'{judge["name"]}: {criterion["name"]}'
            asked = []              # (assertion, its part of the criterion)
            if not criterion.get('decided'):
                asked.append(({'type': 'llm-rubric',
                               'value': criterion['description']}, 1))
            for check in criterion.get('checks', []):
                one = assertion_of(check) if check['on'] else None
                if one:
                    asked.append((one, check['weight']))
                elif check['on']:
                    value = dumps(check.get('value'))
                    leave(where, f'{check["type"]} {value}',
                          'promptfoo has no such assertion')
                if one and check.get('caps'):
                    leave(where, f'caps of {check["type"]}', 'an assertion'
                          ' bounds no other one')
            total = sum(part for _, part in asked)
            for one, part in asked:
                found.append(parts.set_weight(
                    {**one, 'metric': criterion['name']},
                    round(criterion['weight'] * part / total, 6)))
    return {'description': ', '.join(j['name'] for j in every),
            'prompts': ['{{text}}'], 'providers': ['echo'],
            'defaultTest': {'assert': found},
            'tests': [{'vars': {'text': 'file://text.txt'}}]}
