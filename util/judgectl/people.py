# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""What people say about results, and what a judge learns from it."""

import time

import batches
import judges
from base import ERROR, FAILED, OK, USAGE, Fault, clean, dumps, loads, \
    read_text, say, warn
from evaluate import in_order
from render import fit, paint


def named_score(text):
    """(criterion, score) of Clarity=70; of overall=70, the overall score."""
    name, equals, value = text.rpartition('=')
    if not equals or not name:
        raise ValueError
    score = float(value)
    if not 0 <= score <= 100:
        raise ValueError
    return name, score


def entry_of(record, said):
    """The entry that the service takes, out of scores by the names of
    criteria and what else is said."""
    content, entry = {}, {}
    kinds = [kind for kind in ('scores', 'rating', 'approved')
             if said.get(kind) not in (None, {}, [])]
    if len(kinds) > 1:
        raise Fault(f'{kinds[1]}: an entry that has {kinds[0]} has no other'
                    ' kind of feedback')
    scores = dict(said.get('scores') or {})
    by_name = {c['name']: c['criterion_id']
               for c in (record.get('criteria_scores') or [])
               + (record.get('not_judged') or [])}
    if 'overall' in scores and 'overall' not in by_name:
        content['corrected_overall_score'] = scores.pop('overall')
    unknown = [name for name in scores if name not in by_name
               and name not in by_name.values()]
    if unknown:
        raise Fault(f'scores.{unknown[0]}: the judge has the criteria'
                    f' {", ".join(by_name)}')
    if scores:
        content['corrected_scores'] = {by_name.get(k, k): v
                                       for k, v in scores.items()}
    comment = said.get('comment')
    if content:
        entry['type'] = 'correction'
        if comment:
            content['explanation'] = comment
    else:
        for name, kind in (('rating', 'rating'), ('approved', 'approval'),
                           ('comment', 'comment')):
            if said.get(name) is not None:
                entry.setdefault('type', kind)
                content[name] = said[name]
    if not entry:
        raise Fault('expected scores, a rating, approved or a comment')
    if said.get('severity'):
        entry['severity'] = said['severity']
    return {**entry, 'content': content}


def rows_of(args):
    """What --from says of each item, with the evaluation it is about."""
    results = {}
    if args.results:
        for n, line in enumerate(read_text(args.results).splitlines(), 1):
            if line.strip():
                record = loads(line, f'{args.results}: line {n}')
                for key in ('item', 'name'):
                    if isinstance(record, dict) and record.get(key):
                        results.setdefault(str(record[key]), record)
    for n, line in enumerate(read_text(args.from_).splitlines(), 1):
        if not line.strip():
            continue
        where = f'{args.from_}: line {n}'
        row = loads(line, where)
        if not isinstance(row, dict):
            raise Fault(f'{where}: expected an object')
        record = {'evaluation_id': row.get('evaluation_id')}
        if not record['evaluation_id']:
            record = results.get(str(row.get('item') or row.get('name')))
        yield where, row, record


def send(client, where, row, record):
    """None, or why it was not taken."""
    if not record or not record.get('evaluation_id'):
        return (f'{where}: no result is known of'
                f' {row.get("item") or row.get("name") or "it"}; --results'
                ' FILE has those of judgectl evaluate --output jsonl')
    path = f'evaluation/{record["evaluation_id"]}'
    try:
        if row.get('scores') and not ('criteria_scores' in record
                                      or record.get('not_judged')):
            record = client.get(f'/evaluations/{record["evaluation_id"]}')
        client.post(f'/feedback/{path}', entry_of(record, row))
    except Fault as e:
        if e.status in (401, 403):
            raise
        return f'{where}: {e}'
    return None


def listed(client, args):
    path = f'/feedback/evaluation/{args.evaluation}'
    for one in client.pages(path, 'feedback_entries'):
        when = one.get('updated_at') or one['submitted_at']
        say(dumps(one) if args.json else
            f'{one["feedback_id"]}  {when}  {one["type"]:10}'
            f'  {clean(dumps(one["content"]))}')
    return OK


def changed(client, args, row):
    """Changes or withdraws one entry; what is not said stays."""
    path = f'/feedback/{args.evaluation}'
    if args.withdraw:
        client.request('DELETE', path)
        say(dumps({'withdrawn': args.evaluation}) if args.json
            else 'withdrawn')
        return OK
    now = client.get(path)
    body = entry_of(client.get(f'/evaluations/{now["evaluation_id"]}')
                    if row['scores'] else {}, row)
    content = body['content']
    kind = body.pop('type')
    if kind not in (now['type'], 'comment'):
        raise Fault(f'{args.evaluation} is a {now["type"]}, and no {kind}:'
                    ' --withdraw it, and say the other')
    if kind == 'comment' and now['type'] == 'correction':
        content['explanation'] = content.pop('comment')
    if 'corrected_scores' in content:
        content['corrected_scores'] = {
            **now['content'].get('corrected_scores', {}),
            **content['corrected_scores']}
    done = client.request('PATCH', path, json=body)[0]
    say(dumps(done) if args.json else 'changed')
    return OK


def feedback(client, args):
    if bool(args.evaluation) == bool(args.from_):
        raise Fault('expected either an evaluation or --from FILE',
                    exit_code=USAGE)
    if args.evaluation:
        row = {'scores': dict(args.score or []), 'rating': args.rating,
               'approved': args.approved, 'comment': args.comment,
               'severity': args.severity}
        if args.list:
            return listed(client, args)
        if args.evaluation.startswith('fbk_'):
            return changed(client, args, row)
        if args.withdraw:
            raise Fault('--withdraw: expected an entry, fbk_…;'
                        ' --list shows those of an evaluation',
                        exit_code=USAGE)
        rows = [(args.evaluation, row, {'evaluation_id': args.evaluation})]
    else:
        rows = rows_of(args)
    sent = wrong = 0
    for _, why in in_order(lambda r: send(client, *r), rows, 4):
        if why:
            warn(why)
        wrong += bool(why)
        sent += not why
    say(dumps({'accepted': sent, 'rejected': wrong}) if args.json else
        f'{sent} taken' + (f', {wrong} not' if wrong else ''))
    return ERROR if wrong else OK


# --- Training ---------------------------------------------------------------

def train(client, args):
    judge = judges.the(client, args.judge)
    config = {'minimum_feedback_count': args.minimum} if args.minimum else {}
    job = client.post('/training/jobs', {
        'judge_id': judge['judge_id'], 'training_type': args.type,
        'training_config': config,
        'execution_options': {'auto_deploy': args.deploy}})
    client.post(f'/training-jobs/{job["job_id"]}/execute')
    if args.no_watch:
        say(dumps(job) if args.json else job['job_id'])
        return OK
    if not args.json:
        count = job['feedback_data_summary']['total_feedback_count']
        say(f'{job["job_id"]}: {clean(judge["name"])} learns from'
            f' {count} {"entry" if count == 1 else "entries"} of feedback')
    return batches.follow_training(client, job['job_id'], args.json)


def activate(client, args):
    judge = judges.the(client, args.judge)
    done = client.post(
        f'/judges/{judge["judge_id"]}/versions/{args.version}/activate')
    say(dumps(done) if args.json else clean(done['message']))
    return OK


def agreement(client, args):
    judge = judges.the(client, args.judge)
    told = client.get(f'/judges/{judge["judge_id"]}/agreement')
    if args.json:
        say(dumps(told))
        return OK
    say(paint('1', f'{fit("", 24)}  items    bias  error (95 %)'
                   '              order  kappa'))
    for name, one in ([(c['name'], c) for c in told['criteria']]
                      + [('overall', told['overall'])]):
        cells = [f'{one[k]["value"]:6.2f}' if k in one else '     —'
                 for k in ('spearman', 'weighted_kappa')]
        bias = f'{one["bias"]:+7.1f}' if 'bias' in one else '      —'
        rmse = batches.measured(one['rmse']) if 'rmse' in one else '—'
        say(f'{fit(name, 24)}  {one["items"]:5} {bias}  {fit(rmse, 22)}'
            f'  {"  ".join(cells)}')
    if told['disagreements']:
        say('\nfarthest apart:')
    for one in told['disagreements']:
        say(f'  {one["evaluation_id"]}  {one["given_score"]:5.1f}, people'
            f' {one["people_score"]:5.1f}  {clean(one.get("name", "overall"))}'
            f'  {clean(one.get("content_name", ""))}')
    if not told['complete']:
        say('(of the newest 2,000 evaluations with feedback)')
    return OK


def suggest(client, args):
    judge = judges.the(client, args.judge)
    path = f'/judges/{judge["judge_id"]}/suggestions'
    body = {'model': args.model} if args.model else {}
    if args.criterion:
        ids = {c['name']: c['criterion_id'] for c in judge['criteria']}
        if args.criterion not in ids:
            raise Fault(f'the judge has the criteria {", ".join(ids)}')
        body['criterion_id'] = ids[args.criterion]
    told = client.post(path, body, headers={'Prefer': 'wait=60'})
    while 'completed_at' not in told:
        time.sleep(2)
        told = client.get(f'{path}/{told["suggestion_id"]}')
    if args.json:
        say(dumps(told))
    else:
        suggested(told)
    return FAILED if told['status'] == 'failed' else OK


def suggested(told):
    if 'error' in told:
        say(clean(told['error']['message']))
    for sentence in told.get('sentences', ()):
        say(clean(sentence))
    for one in told.get('criteria', ()):
        for text in one.get('texts', ()):
            say(f'  {text["evaluation_id"]}  {text["judge_score"]:5.1f},'
                f' people {text["people_score"]:5.1f}  {clean(one["name"])}'
                f'  {clean(text.get("content_name", ""))}')
            for words in text.get('comments', ()):
                say('    ' + clean(words))
    if 'suggestion' in told:
        better, trial = told['suggestion'], told['trial']
        say(f'\n{clean(better["name"])}, {trial["distance_before"]:.1f} points'
            f' from people on {trial["texts"]} texts:')
        say(paint('31', '- ' + clean(better['before'])))
        say(f'and, {trial["distance_after"]:.1f} points from them:')
        say(paint('32', '+ ' + clean(better['after'])))
