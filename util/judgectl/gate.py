# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""A gate for continuous integration: texts must be good enough, and not worse
than they were.

It fails when
- the mean of a score is below --min, or that of a single text below
  --each-min,
- a text has fallen below the interval that its score had in the baseline,
- the texts have fallen together: the mean of their changes is below 0 by more
  than its 90 % interval (Student's t, from 5 texts on) and by --tolerance,
- the scores are worse than those of the same texts in the batch --against, as
  the service compares them.

A text that fails is judged again where a language model gave some of its
scores, and the means count; what else judges says the same each time.

It decides nothing where less of the criteria's weights was judged than
--min-coverage asks for."""

import math
import os
import statistics

import batches
import evaluate
import items
from base import ERROR, FAILED, OK, UNDECIDED, Fault, clean, dumps, \
    read_json, say, warn, write_file
from render import Progress, Table, junit_case, junit_file, markdown, paint


def minimum(text):
    """(criterion or None, score) of --min 60 or --min Clarity=60."""
    name, _, value = text.rpartition('=')
    try:
        score = float(value)
    except ValueError:
        score = -1
    if not 0 <= score <= 100:
        raise ValueError
    return name or None, score


def t_quantile(freedom):
    """The 95 % quantile of Student's t, by Cornish and Fisher's series."""
    z = 1.6448536269514722
    terms = (z, (z ** 3 + z) / 4, (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
             (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384)
    return sum(term / freedom ** n for n, term in enumerate(terms))


def entry(record):
    """What a baseline keeps of a result."""
    kept = {'score': record['overall_score'],
            'criteria': {c['name']: c['score']
                         for c in record['criteria_scores'] if 'score' in c}}
    if 'coverage' in record:
        kept['coverage'] = record['coverage']
    if 'interval' in record:
        kept['low'] = record['interval']['low']
        kept['high'] = record['interval']['high']
    return kept


def read_baseline(path, judge):
    kept = read_json(path)
    if (not isinstance(kept, dict) or not isinstance(kept.get('items'), dict)
            or not all(isinstance(i, dict)
                       and isinstance(i.get('score'), (int, float))
                       and isinstance(i.get('low', 0), (int, float))
                       for i in kept['items'].values())):
        raise Fault(f'{path}: not a baseline; --write-baseline makes one')
    was = kept.get('judge') or {}
    if was.get('judge_id') != judge['judge_id']:
        raise Fault(f'{path}: the baseline of another judge,'
                    f' {clean(was.get("name"))}; --write-baseline with a new'
                    ' file makes one')
    return kept


def below(minima, now):
    """Sentences about means that are too low."""
    for name, least in minima or []:
        scores = [i['criteria'].get(name) if name else i['score']
                  for i in now.values()]
        scores = [s for s in scores if s is not None]
        what = f'of {name}' if name else 'overall'
        if not scores:
            raise Fault(f'--min {name}: no text has a score of that criterion')
        mean = statistics.fmean(scores)
        if mean < least:
            yield f'the mean {what} is {mean:.1f}, below {least:g}'


def each_below(minima, now):
    """(name, sentence) of each text with a score that is too low."""
    for name, new in now.items():
        low = []
        for criterion, least in minima or []:
            score = new['criteria'].get(criterion) if criterion \
                else new['score']
            if score is not None and score < least:
                low.append(f'has {score:.1f} '
                           + (f'of {criterion}' if criterion else 'overall')
                           + f', below {least:g}')
        if low:
            yield name, ' and '.join(low)


def uncovered(least, now, records):
    """Sentences about what was judged of the criteria's weights."""
    shares = [i.get('coverage', 1) for i in now.values()]
    mean = statistics.fmean(shares) if shares else 0
    if least is None or mean >= least:
        return
    yield (f'of the weights of the criteria {mean:.0%} were judged, less than'
           f' {least:.0%}')
    for name, why in sorted({(c['name'], c['reason'])
                             for record in records
                             for c in record.get('not_judged') or []})[:20]:
        yield f'{name} is not judged: {why}'


def fallen(now, before, tolerance):
    """(name, sentence) of each text that fell out of its interval."""
    for name, new in now.items():
        old = before.get(name)
        if not old:
            continue
        low = old.get('low', old['score'])
        if new['score'] < min(low, old['score'] - tolerance):
            yield name, (f'fell from {old["score"]:.1f} to {new["score"]:.1f},'
                         f' below its interval, which began at {low:.1f}')


def failing(args, now, before):
    """What is wrong with single texts, by name."""
    texts = dict(each_below(args.each_min, now))
    for name, said in fallen(now, before, args.tolerance):
        texts[name] = f'{texts[name]} and {said}' if name in texts else said
    return texts


def is_chancy(record):
    """Whether another evaluation may give other scores."""
    return any(c.get('judged_by') == 'model'
               for c in record.get('criteria_scores') or [])


def mean_of(entries):
    """One entry with the mean scores; its interval moves with them."""
    first = entries[0]
    criteria = {}
    for name in first['criteria']:
        criteria[name] = round(statistics.fmean(
            e['criteria'][name] for e in entries if name in e['criteria']), 2)
    score = round(statistics.fmean(e['score'] for e in entries), 2)
    bounds = {name: round(min(100, max(0, first[name] + score
                                       - first['score'])), 2)
              for name in ('low', 'high') if name in first}
    return {**first, 'score': score, 'criteria': criteria, **bounds}


def judge_again(client, args, judge, now, before, chancy):
    """Judges the texts of `chancy` that would fail --repeat times more; says
    how many."""
    todo = [chancy[name] for name in failing(args, now, before)
            if name in chancy] if args.repeat else []
    entries = {item.name: [now[item.name]] for item in todo}
    for item, record in evaluate.in_order(
            lambda item: evaluate.one(client, judge['judge_id'], item, args,
                                      fresh=True), todo * args.repeat,
            args.at_once):
        if record['status'] == 'completed' and 'overall_score' in record:
            entries[item.name].append(entry(record))
    now.update((name, mean_of(e)) for name, e in entries.items())
    return len(todo)


def fallen_together(now, before, tolerance):
    moves = [new['score'] - before[name]['score']
             for name, new in now.items() if name in before]
    if len(moves) < 5:
        return None
    mean = statistics.fmean(moves)
    half = (t_quantile(len(moves) - 1) * statistics.stdev(moves)
            / math.sqrt(len(moves)))
    if mean + half < 0 and mean < -tolerance:
        return (f'{len(moves)} texts changed by {mean:+.1f} on average'
                f' (90 %: {mean - half:+.1f} to {mean + half:+.1f})')
    return None


def as_batch(client, args, judge):
    """The identifier of a batch of all texts, and (item, judge, record) of
    each.  Their names are the identifiers that --against finds them by."""
    todo = list(items.read(args.paths, args.include))
    sent = [item for item in todo if not item.fault]
    if not sent:
        raise Fault(f'{args.paths[0]}: there is no text in it; --include'
                    ' says what is one')
    made, records = batches.of_items(
        client, f'gate: {judge["name"]}', judge, sent,
        **{name: getattr(args, name) for name in ('model', 'samples')
           if getattr(args, name, None)})
    rows = [(item, judge, evaluate.failed(item.fault))
            for item in todo if item.fault]
    return made, rows + [(item, judge, record)
                         for item, record in zip(sent, records)]


def moved(name, d):
    """A sentence about a score's difference."""
    said = f'{name}: {d["difference"]:+.1f}'
    if 'low' in d:
        said += f' (95 %: {d["low"]:+.1f} to {d["high"]:+.1f})'
    p = d['p_adjusted']
    return (said + f' over {d["items"]} texts, '
            + (f'p = {p:.3f}' if p >= 0.001 else 'p < 0.001')
            + f', {d["verdict"]}')


def against(client, args, batch):
    """(difference, faults, notes) of the batch and the one it must not be
    worse than."""
    d = client.get(f'/batches/{batch}/difference', against=args.against,
                   limit=0)
    if not d['matched']:
        raise Fault(f'--against {args.against}: none of its items is one of'
                    ' these texts')
    scores = [('overall', d['overall'])] + [(c['name'], c)
                                            for c in d['criteria']]
    sides = d['overall']['not_judged']
    notes = [f'{d["matched"]} texts are those of {d["against"]["name"]}'
             f' ({args.against})']
    if any(sides.values()):
        notes.append(f'not judged: {sides["batch"]} now, {sides["against"]}'
                     ' then')
    if d['engines_differ']:
        notes.append('another engine, or version of it, judged then')
    if not d['complete']:
        notes.append('only the first items were compared')
    faults = []
    for name, one in scores:
        if one['items'] == 0:
            notes.append(f'{name}: no text has a score on both sides')
        elif one['verdict'] == 'worse' or (
                args.undecided == 'fail' and one['verdict'] == 'undecided'
                and one['better'] + one['worse'] > 0):
            faults.append(moved(name, one))
        else:
            notes.append(moved(name, one))
    return d, faults, notes


SIGNS = {'passed': '✅', 'failed': '❌', 'undecided': '❔', 'error': '❌'}


def summary(judge, now, before, verdict, faults, texts, notes):
    """The whole verdict in Markdown."""
    lines = [f'### {SIGNS[verdict]} {markdown(judge["name"])}', '']
    lines += [f'- **{markdown(fault)}**' for fault in faults]
    lines += [f'- **{markdown(name)}** {markdown(said)}'
              for name, said in texts.items()]
    lines += [f'- {markdown(note)}' for note in notes]
    names = [c['name'] for c in judge['criteria']]
    lines += ['', '| Text | Overall | Before | '
              + ' | '.join(map(markdown, names)) + ' |',
              '|---|--:|--:' + '|--:' * len(names) + '|']
    # Worst first; a page of a CI has room for so many.
    order = sorted(now, key=lambda n: (n not in texts, now[n]['score']))
    for name in order[:200]:
        old = before.get(name)
        cells = [now[name]['criteria'].get(n) for n in names]
        lines.append(
            f'| {"❌ " if name in texts else ""}{markdown(name)}'
            f' | {now[name]["score"]:.1f}'
            f' | {"—" if not old else format(old["score"], ".1f")} | '
            + ' | '.join('—' if c is None else f'{c:.1f}' for c in cells)
            + ' |')
    if len(order) > 200:
        lines.append(f'\n… and {len(order) - 200} more texts')
    return '\n'.join(lines) + '\n'


def judged(args, rows):
    """The judge, an entry and the record of each text, and the items that may
    get other scores; the rows go to the terminal."""
    now, records, chancy, judge, table = {}, {}, {}, None, None
    for item, judge, record in rows:
        if item.name in now:
            raise Fault(f'two texts are called {item.name}')
        if not table and not args.json:
            table = Table(judge['criteria'])
            table.head()
        if table:
            table.row(item.name, record)
        if record['status'] == 'completed' and 'overall_score' in record:
            now[item.name] = entry(record)
            if is_chancy(record):
                chancy[item.name] = item
        else:
            if not table:
                warn(f'{item.name}: {record["error"]["message"]}')
        records[item.name] = record if args.junit else {
            k: record[k] for k in ('status', 'error', 'not_judged')
            if k in record}
    return judge, now, records, chancy


def notes_of(judge, now, before, kept, broken):
    mean = statistics.fmean(i['score'] for i in now.values()) if now else 0
    notes = [f'{len(now)} texts, mean {mean:.1f}' + (
        f' (was {statistics.fmean(i["score"] for i in before.values()):.1f})'
        if before else '')]
    was = (kept.get('judge') or {}).get('version_number')
    if was not in (None, judge['version_number']):
        notes.append(f'the judge was version {was} in the baseline, now it is'
                     f' {judge["version_number"]}')
    for what, names in (('not in the baseline', now.keys() - before.keys()),
                        ('no longer there', before.keys() - now.keys())):
        if before and names:
            notes.append(f'{what}: {", ".join(sorted(names)[:5])}'
                         + (f' and {len(names) - 5} more'
                            if len(names) > 5 else ''))
    if broken:
        notes.append(f'{broken} texts could not be judged')
    return notes


def write_junit(path, judge, records, faults, texts):
    cases = [junit_case(judge['name'], name, record,
                        [texts[name]] if name in texts else [])
             for name, record in records.items()]
    cases.append(junit_case(judge['name'], 'gate', {'status': 'completed'},
                            faults))
    broken = sum(r['status'] != 'completed' for r in records.values())
    with evaluate.Output(path) as out:
        junit_file(out, judge['name'], cases, len(cases),
                   len(texts) + bool(faults), broken)


def tell(args, judge, now, faults, texts, notes, verdict, compared):
    if args.json:
        say(dumps({'verdict': verdict, 'judge_id': judge['judge_id'],
                   'faults': faults, 'fallen': texts, 'notes': notes,
                   'items': now, **compared}))
        return
    say()
    for fault in faults:
        say(paint('31', '✗ ') + clean(fault))
    for name, said in texts.items():
        say(paint('31', '✗ ') + clean(f'{name} {said}'))
    for note in notes:
        say('  ' + clean(note))
    say({'passed': paint('32', '✓ passed'), 'failed': paint('31', '✗ failed'),
         'undecided': paint('33', '? undecided'),
         'error': paint('31', '✗ not decided')}[verdict])


def run(client, args):
    known = evaluate.Judges(client, args.judge)
    kept = {'items': {}}
    if args.baseline and (os.path.exists(args.baseline)
                          or not args.write_baseline):
        kept = read_baseline(args.baseline, known.of(None))
    elif args.write_baseline and not args.baseline:
        raise Fault('--write-baseline: --baseline FILE says where')

    batch, rows = None, evaluate.results(client, args, Progress())
    if args.undecided and not args.against:
        raise Fault('--undecided: --against BATCH says what is compared')
    if args.against:
        client.get(f'/batches/{args.against}')    # before anything is judged
    if args.against or args.batch:
        batch, rows = as_batch(client, args, known.of(None))
    judge, now, records, chancy = judged(args, rows)
    bare = sum(is_bare(record) for record in records.values())
    broken = len(records) - len(now) - bare
    before = kept['items']
    again = judge_again(client, args, judge, now, before, chancy)
    faults = list(below(args.min, now)) if now else []
    texts = failing(args, now, before)
    together = fallen_together(now, before, args.tolerance)
    if together:
        faults.append(together)
    notes = notes_of(judge, now, before, kept, broken)
    compared = {'batch_id': batch} if batch else {}
    if batch:
        notes.append(f'judged as {batch}')
    if not any((args.min, args.each_min, args.baseline, args.against,
                args.min_coverage)):
        notes.append('nothing was asked for, so every score passes: --min,'
                     ' --each-min, --baseline or --against says what is')
    if args.against:
        difference, worse, more = against(client, args, batch)
        compared['difference'] = difference
        faults += worse
        notes += more
    if again:
        notes.append(f'texts that a language model judged {1 + args.repeat}'
                     f' times, the mean of which counts: {again}')
    if bare:
        notes.append(f'of {bare} texts no criterion could be judged')
    bare_of = list(uncovered(args.min_coverage, now, records.values()))
    notes += bare_of

    verdict = ('failed' if faults or texts else 'error' if broken
               else 'undecided' if bare_of or bare or not now else 'passed')
    page = summary(judge, now, before, verdict, faults, texts, notes)
    if args.summary:
        write_file(args.summary, page)
    if os.environ.get('GITHUB_STEP_SUMMARY'):
        append(os.environ['GITHUB_STEP_SUMMARY'], page)
    if args.junit:
        write_junit(args.junit, judge, records, faults, texts)
    if args.write_baseline and verdict == 'passed':
        write_file(args.baseline, dumps(
            {'judge': {k: judge[k] for k in ('judge_id', 'name',
                                             'version_number')},
             'items': dict(sorted(now.items()))}, 1) + '\n')
    tell(args, judge, now, faults, texts, notes, verdict, compared)
    return {'passed': OK, 'failed': FAILED, 'undecided': UNDECIDED,
            'error': ERROR}[verdict]


def is_bare(record):
    """Whether it failed because nothing of the judge could be judged."""
    return (record.get('error') or {}).get('code') == 'NOT_JUDGED'


def append(path, text):
    try:
        with open(path, 'a', encoding='utf-8') as file:
            file.write(text)
    except OSError as e:
        raise Fault(f'GITHUB_STEP_SUMMARY: {e.strerror}') from None
