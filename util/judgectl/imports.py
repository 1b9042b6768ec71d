# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""From other tools' files into judges, items and feedback; what has no
equivalent is listed."""

import os

import langfuse
import openai_evals
import promptfoo
import runs
from base import OK, Fault, clean, dumps, loads, reason, say, warn, \
    write_file
from parts import as_text, rows, set_weight

MOST = 50                   # different sets of criteria that become judges


class Import:
    """What has been read, and what could not be."""

    def __init__(self, args):
        self.args = args
        self.name = args.name
        self.items = []         # {'name', 'text', …, 'rules': [criterion]}
        self.feedback = []
        self.listed = []

    def leave(self, where, what, why, kept='no'):
        one = {'where': where, 'what': what, 'kept': kept, 'why': why}
        if one not in self.listed:
            self.listed.append(one)

    def partly(self, where, what, why):
        self.leave(where, what, why, 'partly')

    def add(self, where, text, name=None, id=None, metadata=None, rules=()):
        """An item; rules are the criteria that it is to meet."""
        if not isinstance(text, str) or not text.strip():
            self.leave(where, 'item', 'there is no text to judge in it;'
                       ' --content FIELD says where it is')
            text = None
        self.items.append({'name': clean(name or where)[:255], 'text': text,
                           'id': id, 'metadata': metadata,
                           'rules': list(rules)})


def plain(job):
    """CSV and JSON Lines with fields of any names."""
    args = job.args
    for path in args.files:
        for where, row in rows(path):
            metadata = {name: row[name]
                        for name in (args.metadata or '').split(',')
                        if row.get(name) not in (None, '')}
            if args.category and row.get(args.category):
                metadata['category'] = row[args.category]
            known = [args.content or 'content', args.title, args.id,
                     args.category, *(args.metadata or '').split(',')]
            if not job.items:
                for name in row:
                    if name not in known:
                        job.leave(path, f'column {name}', 'nothing asks for'
                                  ' it; --metadata keeps it')
            job.add(where, as_text(row.get(args.content or 'content')),
                    row.get(args.title) if args.title else None,
                    row.get(args.id) if args.id else None, metadata or None)


# --- Judges out of rules ----------------------------------------------------

def joined(several):
    """The criterion of the checks of several, each of which counts as much
    as it did alone."""
    parts = [(dict(check), c.get('weight', 1) / len(c['checks']))
             for c in several for check in c['checks']]
    total = sum(part for _, part in parts)
    for check, part in parts:
        set_weight(check, round(part * len(parts) / total, 4))
    criterion = {**several[0], 'checks': [check for check, _ in parts]}
    set_weight(criterion, round(total, 4))
    return criterion


def distinct(criteria):
    """The criteria with names of their own; checks of one name are one
    criterion."""
    by_name, done = {}, []
    for criterion in criteria:
        criterion = dict(criterion)
        same = by_name.get(criterion['name'])
        if same and 'checks' in same[0] and 'checks' in criterion \
                and sum(len(c['checks']) for c in same) < 20:
            same.append(criterion)
            continue
        n, name = 2, criterion['name']
        while criterion['name'] in by_name:
            criterion['name'] = f'{name} {n}'
            n += 1
        by_name[criterion['name']] = [criterion]
        done.append(by_name[criterion['name']])
    return [joined(same) if len(same) > 1 else same[0] for same in done[:64]]


def compared(item):
    """(text, rules) of an item that is compared with one text, which the
    rules find in its metadata; else None."""
    texts = {check['value']['text'] for rule in item['rules']
             for check in rule.get('checks', [])
             if isinstance(check.get('value'), dict)
             and isinstance(check['value'].get('text'), str)}
    metadata = item.get('metadata') or {}
    if len(texts) != 1 or metadata.get('reference') not in (None, *texts):
        return None
    rules = loads(dumps(item['rules']), '')
    for rule in rules:
        for check in rule.get('checks', []):
            if isinstance(check.get('value'), dict):
                check['value'].pop('text', None)
    return texts.pop(), rules


def share_judges(job):
    """Items that differ in the text that they are compared with, and in
    nothing else, have one judge: each has that text as its reference."""
    found = [compared(item) for item in job.items]
    before = {dumps(item['rules']) for item in job.items}
    after = {dumps(one[1] if one else item['rules'])
             for item, one in zip(job.items, found)}
    if len(after) == len(before):
        return
    for item, one in zip(job.items, found):
        if one:
            item['metadata'] = {**(item.get('metadata') or {}),
                                'reference': one[0]}
            item['rules'] = one[1]


def make_judges(job):
    """A judge for each set of criteria; items get the name of theirs."""
    share_judges(job)
    of = [dumps(distinct(item['rules'])) for item in job.items]
    if len(set(of)) > MOST:
        counts = {}
        for item in job.items:
            for text in {dumps(r) for r in item['rules']}:
                counts[text] = counts.get(text, 0) + 1
        everywhere = {t for t, n in counts.items() if n == len(job.items)}
        job.leave(job.args.files[0], 'expectations that differ from item to'
                  ' item', f'they would be {len(set(of))} judges; at most'
                  f' {MOST} are made, what all items share is kept')
        of = [dumps(distinct([r for r in item['rules']
                              if dumps(r) in everywhere]))
              for item in job.items]
    made, shared = {}, {}
    for text in of:
        shared[text] = shared.get(text, 0) + 1
    for item, text in zip(job.items, of):
        criteria = loads(text, '')
        if not criteria:
            continue
        if text not in made:
            name = job.name
            if len(shared) > 1:
                name += f': {item["name"]}' if shared[text] == 1 else \
                    f' {len(made) + 1}'
            made[text] = {'name': clean(name)[:200], 'description': '',
                          'content_type': 'text', 'criteria': criteria}
        item['judge'] = made[text]['name']
    names = {}
    for judge in made.values():
        names[judge['name']] = names.get(judge['name'], 0) + 1
        if names[judge['name']] > 1:
            raise Fault(f'two judges would be called {judge["name"]}; give'
                        ' the tests descriptions of their own')
    return list(made.values())


FORMATS = {'promptfoo': promptfoo.read, 'openai': openai_evals.read,
           'langfuse': langfuse.read, 'inspect': runs.inspect,
           'deepeval': runs.deepeval, 'mlflow': runs.mlflow, 'csv': plain,
           'jsonl': plain}


def tell(job, report):
    """The report on standard error: alike entries in one line."""
    alike = {}
    for one in job.listed:
        alike.setdefault((one['kept'], one['what'], one['why']),
                         []).append(one['where'])
    for (kept, what, why), where in alike.items():
        more = f' and {len(where) - 1} more' if len(where) > 1 else ''
        warn(f'{"only partly" if kept == "partly" else "not"} imported:'
             f' {what} ({where[0]}{more}): {why}')
    if job.args.report:
        write_file(job.args.report, dumps(report, 1) + '\n')


def run(args):
    job = Import(args)
    try:
        FORMATS[args.format](job)
    except (TypeError, ValueError, AttributeError, KeyError) as e:
        raise Fault(f'{args.files[0]}: not a file of {args.format}:'
                    f' {type(e).__name__} {e}') from None
    made = make_judges(job)
    items = [{k: v for k, v in item.items() if k != 'rules' and v is not None}
             for item in job.items if item['text'] is not None]
    try:
        os.makedirs(args.to, exist_ok=True)
    except OSError as e:
        raise Fault(f'{args.to}: {reason(e)}') from None
    written = []
    if made:
        written.append(('judges.json', dumps({'judges': made}, 1) + '\n'))
    for name, lines in (('items.jsonl', items),
                        ('feedback.jsonl', job.feedback)):
        if lines:
            written.append((name, ''.join(dumps(line) + '\n'
                                          for line in lines)))
    for name, text in written:
        write_file(os.path.join(args.to, name), text)
    report = {'format': args.format, 'judges': len(made), 'items': len(items),
              'feedback': len(job.feedback),
              'files': [name for name, _ in written], 'listed': job.listed}
    tell(job, report)
    if args.json:
        say(dumps(report))
        return OK
    say(f'{args.to}: {len(made)} judges, {len(items)} items,'
        f' {len(job.feedback)} entries of feedback; {len(job.listed)} things'
        ' listed as without an equivalent')
    return OK
