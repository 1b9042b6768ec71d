# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""Texts judged one by one, several at once, shown in their order."""

import collections
import concurrent.futures
import tempfile
import time

import items
import judges
from base import ERROR, OK, Fault, Output, clean, dumps, say, warn
from render import Progress, Table, junit_case, junit_file, markdown


def failed(message, code='NOT_SENT'):
    return {'status': 'failed', 'error': {'code': code, 'message': message}}


def one(client, judge_id, item, args, fresh=False):
    """The record of an evaluation that has ended, or of none.  fresh: a
    language model is asked, whatever it said of this text before."""
    if item.fault:
        return failed(item.fault)
    body = {'judge_id': judge_id, 'name': item.name,
            'text_content': item.text}
    if item.metadata:
        body['metadata'] = item.metadata
    for name in ('model', 'samples', 'priority'):
        if getattr(args, name, None):
            body[name] = getattr(args, name)
    if fresh:
        body['cache'] = False
    try:
        record = client.request(
            'POST', '/evaluations/single', json=body,
            headers={'Prefer': 'wait=30'}, timeout=client.timeout + 40)[0]
        ends = time.monotonic() + args.patience
        pause = 0.2
        while record['status'] == 'processing' and time.monotonic() < ends:
            time.sleep(pause)
            pause = min(pause * 1.5, 5)
            record = client.get(f'/evaluations/{record["evaluation_id"]}')
    except Fault as e:
        # What is wrong with the key or the judge is wrong for all.
        if e.status in (401, 403, 404) or e.status is None:
            raise
        return failed(str(e), f'HTTP_{e.status}')
    if record['status'] == 'processing':
        return failed(f'it has not ended within {args.patience:g} s;'
                      f' judgectl watch {record["evaluation_id"]}', 'LATE')
    return record


def in_order(work, todo, at_once):
    """(item, work(item)) in the order of the items; a few are held."""
    pool = concurrent.futures.ThreadPoolExecutor(at_once)
    held = collections.deque()
    try:
        for item in todo:
            held.append((item, pool.submit(work, item)))
            if len(held) >= 4 * at_once:
                first, result = held.popleft()
                yield first, result.result()
        while held:
            first, result = held.popleft()
            yield first, result.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


class Judges:
    """The judges that items name, each looked up once."""

    def __init__(self, client, name):
        self.client, self.name, self.known = client, name, {}
        if name:
            self.of(None)

    def of(self, item):
        name = self.name or item.judge
        if not name:
            raise Fault(f'{item.name}: no judge is named; give --judge')
        if name not in self.known:
            record = judges.the(self.client, name)
            if record['content_type'] != 'text':
                raise Fault(f'{name} judges {record["content_type"]};'
                            ' judgectl sends texts')
            self.known[name] = record
        return self.known[name]


def results(client, args, progress):
    """(item, judge, record) for each item, and the bar meanwhile."""
    known = Judges(client, args.judge)
    total = items.count(args.paths, args.include)
    if total == 0:
        raise Fault(f'{args.paths[0]}: there is no text in it; --include'
                    ' says what is one')
    progress.total = total
    with_judges = ((item, known.of(item) if not item.fault or args.judge
                    else None) for item in items.read(args.paths,
                                                      args.include))
    done = 0
    progress.at(0)
    for (item, judge), record in in_order(
            lambda pair: one(client, (pair[1] or {}).get('judge_id'), pair[0],
                             args), with_judges, args.at_once):
        done += 1
        progress.clear()
        yield item, judge, record
        progress.at(done)
    progress.clear()


class Sum:
    """What is said at the end."""

    def __init__(self, reasons):
        self.wants_reasons = reasons
        self.count = self.failed = self.review = 0
        self.not_judged = collections.Counter()
        self.total, self.lowest = 0, None

    def add(self, item, record):
        self.not_judged.update((c['name'], c['reason'])
                               for c in record.get('not_judged') or [])
        if record['status'] != 'completed' or 'overall_score' not in record:
            self.failed += 1
            return
        score = record['overall_score']
        self.count += 1
        self.total += score
        self.review += bool(record.get('needs_review'))
        if self.lowest is None or score < self.lowest[0]:
            self.lowest = score, item.name

    def reasons(self, record):
        """(criterion, score, why), if they are wanted."""
        return [(c['name'], c['score'], c['feedback'])
                for c in record.get('criteria_scores') or []
                if self.wants_reasons and 'score' in c and c.get('feedback')]

    def __str__(self):
        parts = []
        if self.count > 1:
            parts.append(f'{self.count} texts: mean'
                         f' {self.total / self.count:.1f}, lowest'
                         f' {self.lowest[0]:.1f} ({self.lowest[1]})')
        if self.review:
            parts.append(f'? a person should look at {self.review}')
        if self.failed:
            parts.append(f'{self.failed} failed')
        parts = ['; '.join(parts)] if parts else []
        for (name, reason), times in self.not_judged.most_common(20):
            parts.append(f'{clean(name)} is not judged ({times}): {reason}')
        return '\n'.join(parts)


def line_of(item, record):
    """The record as JSON Lines and judgectl feedback have it."""
    line = {'name': item.name}
    if item.id is not None:
        line['item'] = item.id
    line.update((k, v) for k, v in record.items() if k != 'id')
    return line


# --- The forms of output --------------------------------------------------

def as_table(out, rows, sums):
    table, shown = None, None
    for item, judge, record in rows:
        if judge and judge is not shown:
            if shown:
                say()
            shown, table = judge, Table(judge['criteria'])
            table.head()
        (table or Table([])).row(item.name, record)
        for name, score, why in sums.reasons(record):
            say(f'    {clean(name)} {score:.1f}: {clean(why)}')
    if str(sums):
        say()
        say(str(sums))


def as_jsonl(out, rows, sums):
    for item, _, record in rows:
        out.write(dumps(line_of(item, record)) + '\n')


def as_json(out, rows, sums):
    out.write('{"results":[')
    for n, (item, _, record) in enumerate(rows):
        out.write((',\n' if n else '\n') + dumps(line_of(item, record)))
    mean = round(sums.total / sums.count, 2) if sums.count else None
    out.write(f'\n],"completed":{sums.count},"failed":{sums.failed},'
              f'"mean":{dumps(mean)}}}\n')


def as_junit(out, rows, sums):
    with tempfile.TemporaryFile('w+', encoding='utf-8') as cases:
        suite = 'judgectl'
        for item, judge, record in rows:
            suite = (judge or {}).get('name', suite)
            cases.write(junit_case(suite, item.name, record))
        cases.seek(0)
        junit_file(out, suite, cases, sums.count + sums.failed, 0,
                   sums.failed)


def as_markdown(out, rows, sums):
    shown, reasons = None, []
    for item, judge, record in rows:
        if judge and judge is not shown:
            names = [markdown(c['name']) for c in judge['criteria']]
            out.write(('\n' if shown else '') + '| Text | Overall | '
                      + ' | '.join(names) + ' |\n|---|--:'
                      + '|--:' * len(names) + '|\n')
            shown = judge
        scores = {c['criterion_id']: c.get('score')
                  for c in record.get('criteria_scores', [])}
        cells = [scores.get(c['criterion_id'])
                 for c in (judge or {'criteria': []})['criteria']]
        cells.insert(0, record.get('overall_score'))
        said = [f'{c:.1f}' if c is not None else '—' for c in cells]
        if record['status'] != 'completed':
            said[0] = 'failed: ' + markdown(record['error']['message'])
        out.write(f'| {markdown(item.name)} | {" | ".join(said)} |\n')
        reasons += [f'\n- {markdown(item.name)}, {markdown(name)}'
                    f' {score:.1f}: {markdown(why)}'
                    for name, score, why in sums.reasons(record)]
    out.write(''.join(reasons) + ('\n' if reasons else ''))
    if str(sums):
        out.write(''.join(f'\n{markdown(line)}\n'
                          for line in str(sums).splitlines()))


FORMS = {'table': as_table, 'json': as_json, 'jsonl': as_jsonl,
         'junit': as_junit, 'markdown': as_markdown}


def run(client, args):
    form = 'json' if args.json else args.output
    sums = Sum(args.reasons)

    def counted():
        for item, judge, record in results(client, args, Progress()):
            sums.add(item, record)
            yield item, judge, record

    if form == 'table' and args.to:
        raise Fault('--to: a table goes to the terminal; --output json, jsonl,'
                    ' junit or markdown to a file')
    with Output(args.to) as out:
        FORMS[form](out, counted(), sums)
    if sums.failed and form != 'table':
        warn(f'{sums.failed} of {sums.count + sums.failed} texts failed')
    return ERROR if sums.failed else OK
