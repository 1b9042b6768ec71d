# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""What guards blocked, and what a changed rule would make of it."""

import http.client
import os
import subprocess
import tempfile
import urllib.parse

import evaluate
import items
import judges
from base import FAILED, OK, Fault, clean, dumps, loads, read_text, reason, \
    say
from render import paint

LIMIT = 100                 # of what the service lists


def listed(client, args):
    query = {'action': args.action} if args.action else {}
    rows = client.get('/traffic/blocked', limit=LIMIT, **query)['blocked']
    if args.json:
        say(dumps({'blocked': rows}))
        return OK
    for row in rows:
        score = f'  {row["overall_score"]:g} of {row["minimum"]:g}' \
            if 'overall_score' in row else ''
        say(clean(f'{row["blocked_id"]}  {row["at"]}  {row["action"]:5}'
                  f'  {row["of"]:7}  {row["location"]}  {row["rule"]}:'
                  f' {row["reason"]}{score}'))
    return OK


def entry(client, name):
    """A blocked one, of the service by its identifier, or a file: what the
    service lists of it, or only its text."""
    if name.startswith('blk_') and not os.path.exists(name):
        rows = client.get('/traffic/blocked', limit=LIMIT)['blocked']
        rows = [row for row in rows if row['blocked_id'] == name]
        if not rows:
            raise Fault(f'{clean(name)}: the service keeps it no more')
        found = rows[0]
    else:
        text = read_text(name)
        found = {'text': text}
        if text.startswith('{') and '"blocked_id"' in text:
            record = loads(text, name)
            found = record if 'blocked_id' in record else found
    if not isinstance(found.get('text'), str):
        raise Fault(f'{clean(name)}: it has no text; keep_text=on in'
                    ' nginx.conf keeps the next ones')
    if found.get('text_cut'):
        raise Fault(f'{clean(name)}: its text was longer than what is kept')
    return found


def kind(found):
    """Its Content-Type; of a file that is only a text, what it looks like."""
    return found.get('content_type') or (
        'application/json' if found['text'].lstrip()[:1] in ('{', '[')
        else 'text/plain')


def by_judge(client, found, args):
    """(whether it would pass, why)."""
    least = args.min if args.min is not None else found.get('minimum')
    if least is None:
        raise Fault('--judge needs --min, as the location has it')
    judge = judges.the(client, args.judge)
    record = evaluate.one(client, judge['judge_id'], items.Item(
        found.get('blocked_id', 'blocked'), found['text']), args)
    if record['status'] != 'completed' or 'overall_score' not in record:
        said = (record.get('error') or {}).get('message', 'it has no score')
        return False, f'it could not be judged: {said}'
    score = record['overall_score']
    return score >= least, f'{score:g} of {least:g}'


def by_detectors(found, args):
    """The same, by `judge detect`."""
    with tempfile.NamedTemporaryFile('w', encoding='utf-8', newline='') as f:
        f.write(found['text'])
        f.flush()
        try:
            done = subprocess.run(
                [args.tool, 'detect', f.name, f'type={kind(found)}',
                 *args.detect], capture_output=True, text=True)
        except OSError as e:
            raise Fault(f'{args.tool}: {reason(e)}; --tool says where judge'
                        ' is') from None
    if done.returncode:
        raise Fault(clean(done.stderr.strip() or f'{args.tool} failed'))
    what = done.stdout.split('\n\n')[0].strip()
    return what == 'Nothing was found.', '; '.join(what.splitlines())


def by_location(found, args):
    """The same, by a location that has the rule."""
    if found.get('of', 'request') != 'request':
        raise Fault('only a request can be sent to a location; --judge and'
                    ' --detect take answers')
    parts = urllib.parse.urlsplit(args.to)
    if parts.scheme not in ('http', 'https') or not parts.hostname:
        raise Fault(f'{clean(args.to)}: expected the address of a location')
    make = http.client.HTTPSConnection if parts.scheme == 'https' \
        else http.client.HTTPConnection
    try:
        connection = make(parts.hostname, parts.port, timeout=args.timeout)
        connection.request(
            found.get('method', 'POST'), (parts.path or '/')
            + (f'?{parts.query}' if parts.query else ''),
            found['text'].encode(), {'Content-Type': kind(found)})
        answer = connection.getresponse()
        answer.read()
    except (OSError, ValueError, http.client.HTTPException) as e:
        raise Fault(f'{clean(args.to)}: {reason(e) or e}') from None
    again = answer.headers.get('Judge-Blocked')
    return again is None and answer.status not in (403, 422), \
        f'{answer.status} {again or ""}'.strip()


def attempt(client, args):
    found = entry(client, args.file)
    if args.judge:
        passes, why = by_judge(client, found, args)
    elif args.detect:
        passes, why = by_detectors(found, args)
    else:
        passes, why = by_location(found, args)
    if args.json:
        say(dumps({'passes': passes, 'why': why}))
    else:
        say((paint('32', 'passes') if passes else paint('31', 'blocked'))
            + f': {clean(why)}')
    return OK if passes else FAILED
