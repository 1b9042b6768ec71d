# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""OpenAI: graders, data sets as JSON Lines, the registry of its Evals; and
judges as graders."""

import re

import parts
from base import Fault, dumps

STRINGS = {'eq': 'equals', 'ne': 'not_equals', 'like': 'contains_exact',
           'ilike': 'contains'}
METRICS = {'fuzzy_match': 'levenshtein', 'bleu': 'bleu', 'gleu': 'gleu',
           'rouge_l': 'rouge_l'}
METRICS.update({f'rouge_{n}': 'rouge_n' for n in range(1, 6)})
WHY = {'python': 'code of others does not run in the server',
       'endpoint': 'code of others does not run in the server',
       'cosine': 'it needs a model of meanings; a criterion may judge'
                 ' likeness',
       'meteor': 'it needs synonyms; the check chrf comes near it'}
ONLY = re.compile(r'\s*\{\{\s*([\w.\[\]]+)\s*\}\}\s*\Z')

# Of the registry of Evals: a class, and the check of an ideal answer.
CLASSES = {'Match': 'starts_with', 'Includes': 'contains_exact'}


def prompt(grader):
    """What the messages of a grader say; what is filled in is not theirs."""
    parts = []
    for message in grader.get('input') or []:
        content = message.get('content') if isinstance(message, dict) else None
        for piece in content if isinstance(content, list) else [content]:
            text = piece.get('text') if isinstance(piece, dict) else piece
            if isinstance(text, str) and not ONLY.match(text):
                parts.append(text)
    lines = [line for line in '\n'.join(parts).splitlines()
             if not re.fullmatch(r'[^{}]{0,40}\{\{[^{}]*\}\}\s*', line)]
    return '\n'.join(lines).strip()


def judged(job, where, grader, values):
    """The criterion of a grader that asks a model."""
    text = parts.filled(prompt(grader), values)
    kind = grader['type']
    if not text:
        job.leave(where, kind, 'its prompt needs what the item does not have,'
                  ' or says nothing')
        return []
    if len(text) > 5000:
        job.partly(where, kind, 'its prompt is longer than 5000 characters')
    if kind == 'label_model':
        job.partly(where, kind, 'its labels become a score from 0 to 100')
        text += '\nGood are: ' + ', '.join(grader.get('passing_labels') or [])
    elif grader.get('pass_threshold') is not None:
        job.partly(where, kind, 'its threshold; judgectl gate --min has one'
                   ' for all')
    return [parts.rule(grader.get('name') or kind, text)]


def criteria(job, where, grader, values):
    """The criteria of a grader for an item."""
    if not isinstance(grader, dict) or not isinstance(grader.get('type'), str):
        raise Fault(f'{where}: expected a grader with a type')
    kind = grader['type']
    if kind == 'multi':
        if grader.get('calculate_output'):
            job.partly(where, kind, 'its formula; the graders count alike')
        inner = grader.get('graders') or {}
        inner = inner.values() if isinstance(inner, dict) else inner
        return [c for g in inner for c in criteria(job, where, g, values)]
    if kind in ('score_model', 'label_model'):
        return judged(job, where, grader, values)
    if kind not in ('string_check', 'text_similarity'):
        job.leave(where, kind, WHY.get(kind, 'there is no such check'))
        return []
    reference = parts.filled(str(grader.get('reference', '')), values)
    if not reference:
        job.leave(where, kind, 'its reference needs what the item does not'
                  ' have')
        return []
    name = grader.get('name')
    if kind == 'string_check':
        check = STRINGS.get(grader.get('operation'))
        if check:
            return [parts.check(check, reference, name)]
        job.leave(where, f'{kind} {grader.get("operation")}',
                  'there is no such check')
        return []
    metric = grader.get('evaluation_metric')
    if metric not in METRICS:
        job.leave(where, f'{kind} {metric}',
                  WHY.get(metric, 'there is no such check'))
        return []
    least = grader.get('pass_threshold')
    if least is None:
        job.partly(where, kind, 'it has no threshold; 0.5 is taken')
        least = 0.5
    value = {'text': reference, 'at_least': least}
    if METRICS[metric] == 'rouge_n':
        value['n'] = int(metric[-1])
    return [parts.check(METRICS[metric], value, name)]


def graders_of(value):
    """The graders of a document; None: it holds something else."""
    if isinstance(value, list):
        return value
    if not isinstance(value, dict):
        return None
    if 'type' in value and 'input' in value or value.get('type') == 'multi':
        return [value]
    for name in ('testing_criteria', 'graders', 'grader'):
        if name in value:
            return graders_of(value[name])
    return None


def registry(job, path, value):
    """The check of ideal answers that a file of the registry asks for."""
    found = None
    for name, one in value.items():
        if isinstance(one, dict) and isinstance(one.get('class'), str):
            kind = one['class'].rpartition(':')[2]
            if kind in CLASSES and not found:
                found = CLASSES[kind]
            else:
                job.leave(f'{path}: {name}', f'class {kind}', 'Match and'
                          ' Includes are known, and one of them at a time')
    return found


def ideal_check(kind, ideal):
    if isinstance(ideal, list) and len(ideal) > 1:
        if kind == 'contains_exact':
            return [parts.check('contains_any_exact', ideal, 'ideal')]
        start = '|'.join(re.sub(r'([^\w\s])', r'\\\1', t) for t in ideal)
        return [parts.check('regex', f'^(?:{start})', 'ideal')]
    return [parts.check(kind, ideal[0] if isinstance(ideal, list)
                          else ideal, 'ideal')]


def text_path(job, graders):
    """Where an item has what is judged: where the graders look for it."""
    if job.args.content:
        return [job.args.content]
    found = [ONLY.match(g['input'])[1] for g in graders
             if isinstance(g.get('input'), str) and ONLY.match(g['input'])]
    return found[:1] + ['sample.output_text', 'sample.output', 'completion',
                        'output', 'item.output', 'item.completion']


def read(job):
    graders, sets, compare = [], [], None
    for path in job.args.files:
        if path.endswith('.jsonl'):
            sets.append(path)
            continue
        value = parts.parse(path)
        found = graders_of(value)
        if found is not None:
            graders += [(f'{path}: graders[{n}]', g)
                        for n, g in enumerate(found)]
            if isinstance(value, dict) and job.name == 'Imported':
                job.name = value.get('name') or job.name
        elif isinstance(value, dict):
            compare = registry(job, path, value) or compare
    paths = text_path(job, [g for _, g in graders])
    rows = [pair for path in sets for pair in parts.rows(path)]
    for where, row in rows:
        values = row if 'item' in row else {**row, 'item': row}
        rules = [c for place, g in graders
                 for c in criteria(job, place, g, values)]
        ideal = row.get('ideal', parts.at(row, 'item.ideal'))
        if ideal and compare:
            rules += ideal_check(compare, ideal)
        elif ideal and not graders:
            job.leave(where, 'ideal', 'how it is compared stands in a file of'
                      ' the registry, which can be given, too')
        text = next((t for t in (parts.as_text(parts.at(values, p))
                                 for p in paths) if t), None)
        metadata = {k: v for k, v in values['item'].items()
                    if k not in ('id', 'item') and f'item.{k}' not in paths}
        parts.set_context(metadata, metadata)
        job.add(where, text, id=values['item'].get('id'),
                metadata=metadata or None, rules=rules)
    if not rows and graders:
        job.items.append({'name': job.name, 'text': None, 'rules': [
            c for place, g in graders for c in criteria(job, place, g, {})]})


# --- Judges as graders ----------------------------------------------------

def grader_of(name, check):
    text, value = '{{ sample.output_text }}', check.get('value')
    for operation, ours in STRINGS.items():
        if check['type'] == ours:
            return {'type': 'string_check', 'name': name, 'input': text,
                    'reference': value, 'operation': operation}
    for metric, ours in METRICS.items():
        if check['type'] == ours and value.get('text') \
                and (ours != 'rouge_n' or metric[-1] == str(value['n'])):
            return {'type': 'text_similarity', 'name': name, 'input': text,
                    'reference': value['text'], 'evaluation_metric': metric,
                    'pass_threshold': value['at_least']}
    return None


def write(every, leave):
    """The graders that ask the same."""
    found = []
    for judge in every:
        parts.leave_learned(judge, leave)
        for criterion in judge['criteria']:
            if not criterion.get('decided'):
                leave(f'{judge["name"]}: {criterion["name"]}', 'model',
                      'put in the one that you use')
                found.append({
                    'type': 'score_model', 'name': criterion['name'],
                    'model': 'MODEL', 'range': [0, 100],
                    'pass_threshold': 50,
                    'input': [{'role': 'system', 'content':
                               'Score the text from 0 to 100 by this'
                               f' criterion.\n{criterion["name"]}:'
                               f' {criterion["description"]}'},
                              {'role': 'user',
                               'content': '{{ sample.output_text }}'}]})
            checks = criterion.get('checks', [])
            alone = len(checks) == 1 and criterion.get('decided')
            for n, check in enumerate(checks, 1):
                name = criterion['name'] + ('' if alone else f' {n}')
                one = grader_of(name, check) if check['on'] else None
                if one:
                    found.append(one)
                elif check['on']:
                    leave(f'{judge["name"]}: {criterion["name"]}',
                          f'{check["type"]} {dumps(check.get("value"))}',
                          'OpenAI has no such grader')
            if criterion['weight'] != 1:
                leave(f'{judge["name"]}: {criterion["name"]}', 'weight',
                      'graders of an eval count alike')
    return {'name': ', '.join(j['name'] for j in every),
            'testing_criteria': found}
