# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""Tables judged as batches; following what goes on."""

import codecs
import os
import sys
import time

import judges
from base import ERROR, OK, Fault, clean, dumps, reason, say, warn
from render import Progress, fit, paint, wrapped

FIELDS = ('content', 'title', 'description', 'category', 'id', 'metadata')
SAMPLE = 1 << 16


def sample(path):
    """The first lines of a table as text."""
    try:
        with open(path, 'rb') as file:
            data = file.read(SAMPLE)
    except OSError as e:
        raise Fault(f'{path}: {reason(e)}') from None
    if not data:
        raise Fault(f'{path}: the file is empty')
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode('utf-16', 'ignore')
    try:
        text = codecs.getincrementaldecoder('utf-8-sig')().decode(data)
    except UnicodeDecodeError:
        text = data.decode('cp1252', 'replace')
    whole = text.rfind('\n') + 1
    return text[:whole] if whole and len(data) == SAMPLE else text


def mapping(client, args):
    """What the service is told of the columns, and what it found."""
    found = client.post('/llm/detect-csv-columns', {
        'csv_sample': sample(args.file), 'expected_fields': list(FIELDS)})
    given = {f: getattr(args, f) for f in FIELDS if getattr(args, f)}
    query, metadata = {}, []
    for column in found['detected_columns']:
        field, name = column['mapped_field'], column['csv_column_name']
        if not name or ',' in name:
            name = f'#{column["csv_column_index"] + 1}'
        if field == 'metadata':
            metadata.append(name)
        else:
            query.setdefault(field, name)
    if metadata:
        query['metadata'] = ','.join(metadata)
    query.update(given)
    return query, found


def preview(args, query, found):
    """The columns as they will be read."""
    of = {}
    for field, names in query.items():
        for name in names.split(',') if field == 'metadata' else [names]:
            of[name] = field
    columns = [(f'{c["csv_column_name"]}', c['csv_column_index'],
                c['sample_values']) for c in found['detected_columns']]
    columns += [(name, None, []) for name in found.get('unmapped_columns', [])]
    columns += [(name, None, []) for name in of
                if not name.startswith('#')
                and name not in [c[0] for c in columns]]
    say(paint('1', f'{fit("Column", 24)}  {fit("becomes", 12)}  such as'))
    for name, index, values in columns:
        field = of.get(name) or of.get(f'#{(index or 0) + 1}') or '—'
        example = next((v for v in values if v), '')
        say(f'{fit(name, 24)}  {fit(field, 12)}  {fit(example, 40)}'.rstrip())
    for note in found['data_quality_insights']['potential_issues']:
        # Most tables lack most fields; that of texts is missed below.
        if not note.startswith('No column was found'):
            say('  ' + clean(note))
    if 'content' not in query:
        raise Fault(f'{args.file}: no column looks like texts; --content'
                    ' COLUMN names it')


def agreed():
    sys.stderr.write('Judge it? [Y/n] ')
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ('', 'y', 'yes')


def batch(client, args):
    identifiers = [judges.the(client, name)['judge_id'] for name in args.judge]
    query, found = mapping(client, args)
    if args.json and args.preview:
        say(dumps({'mapping': query, 'detected': found}))
    elif not args.json:
        preview(args, query, found)
    if args.preview:
        return OK
    if sys.stdin.isatty() and sys.stderr.isatty() and not args.yes \
            and not agreed():
        return OK
    query.update(name=args.name or os.path.basename(args.file)[:200],
                 judge_ids=','.join(identifiers))
    if args.priority:
        query['priority'] = args.priority
    if args.hold:
        query['auto_start'] = 'false'
    with open(args.file, 'rb') as file:
        made = client.request(
            'POST', '/batches/import', body=file, query=query,
            timeout=max(client.timeout, 300),
            headers={'Content-Type': 'text/csv',
                     'Content-Length': str(os.path.getsize(args.file))})[0]
    if args.no_watch or args.hold:
        say(dumps(made) if args.json else made['batch_id'])
        return OK
    if not args.json:
        say(f'\n{made["batch_id"]}: {made["total_evaluations"]} evaluations')
    return follow_batch(client, made['batch_id'], args.json)


# --- Following --------------------------------------------------------------

def ended(client, path, on_event):
    """What the event "done" says; on_event sees each before."""
    for name, data in client.events(path):
        if name == 'done':
            return data
        on_event(name, data)
    return None                     # it had ended before


def of_items(client, name, judge, sent, **more):
    """The identifier of a batch of these items, once it has ended, and their
    records in order."""
    made = client.post('/batches/evaluate', {
        'name': name[:200], 'judge_ids': [judge['judge_id']],
        'content_items': [
            {'name': item.name, 'text_content': item.text,
             'metadata': {'id': item.id or item.name,
                          **(item.metadata or {})}} for item in sent],
        **more})['batch_id']
    ended(client, f'/batches/{made}/events', lambda name, data: None)
    return made, list(client.pages(f'/evaluations/results/{made}',
                                   'results'))[::-1]


def follow_batch(client, batch_id, as_json=False):
    bar = Progress()

    def on_event(name, data):
        if name == 'progress':
            bar.total = data['total_evaluations']
            bar.at(data['completed_evaluations'] + data['failed_evaluations'])

    done = ended(client, f'/batches/{batch_id}/events', on_event)
    bar.clear()
    if done and done['status'] == 'deleted':
        raise Fault(f'{batch_id} was deleted')
    record = client.get(f'/batches/{batch_id}')
    if as_json:
        say(dumps(record))
    else:
        say_batch(record)
    return ERROR if record['failed_evaluations'] else OK


def say_batch(record):
    summary = record['results_summary']
    mean = summary.get('average_score')
    say(f'{clean(record["name"])}: {record["status"]},'
        f' {record["completed_evaluations"]} judged,'
        f' {record["failed_evaluations"]} failed'
        + (f', mean {mean:.1f}' if mean is not None else ''))
    for code, count in (record.get('failure_summary') or {}).items():
        say(paint('31', f'  {count} × {clean(code)}'))
    shares = summary['score_distribution']
    most = max(shares.values(), default=0)
    for label in sorted(shares, key=lambda s: int(s.split('-')[0])):
        if most and shares[label]:
            bar = '█' * max(1, round(30 * shares[label] / most))
            say(f'  {label:>6} {bar} {shares[label]}')
        elif most:
            say(f'  {label:>6}')


def follow_evaluation(client, evaluation_id, as_json=False):
    pause = 0.2
    while True:
        record = client.get(f'/evaluations/{evaluation_id}')
        if record['status'] != 'processing':
            break
        time.sleep(pause)
        pause = min(pause * 1.5, 5)
    if as_json:
        say(dumps(record))
    elif record['status'] == 'failed':
        warn(f'{evaluation_id} failed: {record["error"]["message"]}')
    else:
        say_evaluation(record)
    return OK if record['status'] == 'completed' else ERROR


def say_evaluation(record):
    if 'overall_score' in record:
        say(wrapped(f'{record["overall_score"]:5.1f}  '
                    + record.get('summary', ''), 7))
    for criterion in record['criteria_scores']:
        score = criterion.get('score')
        say(wrapped(f'{"—" if score is None else format(score, ".1f"):>5}'
                    f'  {criterion["name"]}: {criterion["feedback"]}', 7))
    for criterion in record.get('not_judged') or []:
        say(wrapped(f'    —  {criterion["name"]}: {criterion["reason"]}', 7))


def follow_training(client, job_id, as_json=False):
    bar = Progress(100, '%')

    def on_event(name, data):
        progress = data['progress']
        bar.at(round(progress['overall_progress']), progress['phase'])

    ended(client, f'/training/jobs/{job_id}/events', on_event)
    bar.clear()
    record = client.get(f'/training/jobs/{job_id}')
    if as_json:
        say(dumps(record))
    else:
        say_training(record)
    return OK if record['status'] == 'completed' else ERROR


def say_training(record):
    if record['status'] != 'completed':
        error = record.get('error_info') or {}
        say(paint('31', f'{record["status"]}: ')
            + clean(error.get('error_message', '')))
        for fix in error.get('suggested_fixes', []):
            say('  ' + clean(fix))
        return
    results = record.get('results') or {}
    rmse = results.get('performance_comparison', {}).get('rmse') or {}
    if 'before' in rmse and 'after' in rmse:
        say(f'error against people, in points: {measured(rmse["before"])}'
            f' before, {measured(rmse["after"])} after, on'
            f' {results["validation_results"].get("items", 0)} held-out items')
    version = results.get('new_model_version')
    ready = results.get('deployment_ready')
    if results.get('deployed'):
        say(paint('32', f'version {version} is active'))
    elif version:
        say(f'version {version} is {"ready" if ready else "not ready"}:'
            f' {clean(results.get("deployment_reason", ""))}')
        if ready:
            say(f'  judgectl activate {record["judge_id"]} {version}')
    else:
        say(clean(results.get('deployment_reason')
                  or 'nothing was learned that is better'))


def measured(value):
    text = f'{value["value"]:.2f}'
    if 'low' in value and 'high' in value:
        text += f' ({value["low"]:.2f} to {value["high"]:.2f})'
    return text


def watch(client, args):
    follow = {'bat': follow_batch, 'evl': follow_evaluation,
              'trj': follow_training}.get(args.id[:3])
    if not follow or not judges.IDENTIFIER.fullmatch(args.id):
        raise Fault(f'{args.id}: expected the identifier of a batch (bat_…),'
                    ' an evaluation (evl_…) or a training job (trj_…)')
    return follow(client, args.id, args.json)
