# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""Judges as files that are kept in git: shown, compared, applied."""

import os
import re

from base import FAILED, OK, Fault, clean, dumps, loads, read_text, say, warn
from render import paint

IDENTIFIER = re.compile(r'[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}')

# What a record says of itself and nobody sets.
RECORD = ('id', 'judge_id', 'status', 'created_at', 'updated_at',
          'version_number', 'is_active', 'trained')
# A field that the service does not know is refused.
STRICT = {'Prefer': 'handling=strict'}
OF_CRITERIA = ('criterion_id', 'decided', 'judged_by', 'judged_by_reason')


# --- Files ----------------------------------------------------------------

def parse(text, path):
    """The documents of a file, JSON or YAML."""
    if path.endswith('.json') or text.lstrip()[:1] in ('{', '['):
        return [loads(text, path)]
    try:
        import yaml
    except ImportError:
        raise Fault(f'{path}: YAML needs PyYAML (Debian: python3-yaml, else:'
                    ' pip install pyyaml); JSON needs nothing') from None
    try:
        return list(yaml.safe_load_all(text))
    except (yaml.YAMLError, RecursionError, ValueError) as e:
        mark = getattr(e, 'problem_mark', None)
        where = f'line {mark.line + 1}: ' if mark else ''
        raise Fault(f'{path}: {where}not YAML:'
                    f' {getattr(e, "problem", None) or e}') from None


def load(paths):
    """The judges of all files, as (where, judge)."""
    found = []
    for path in paths:
        for document in parse(read_text(path), path):
            if isinstance(document, dict) and 'judges' in document:
                document = document['judges']
            several = isinstance(document, list)
            for n, judge in enumerate(document if several else [document]):
                where = f'{path}: judges[{n}]' if several else path
                if not isinstance(judge, dict):
                    raise Fault(f'{where}: expected a judge, an object with'
                                ' name, description and criteria')
                if not isinstance(judge.get('name'), str) or not judge['name']:
                    raise Fault(f'{where}.name: expected a name')
                try:
                    dumps(judge)
                except Fault as e:
                    raise Fault(f'{where}: {e}; put dates in quotes') from None
                found.append((where, {'description': '',
                                      'content_type': 'text', **judge}))
    names = [judge.get('judge_id') or judge['name'] for _, judge in found]
    for (where, judge), name in zip(found, names):
        if names.count(name) > 1:
            raise Fault(f'{where}: the judge {name} is there twice')
    return found


# --- The service's --------------------------------------------------------

def find(client, name):
    """The record and its ETag of a judge by identifier or name; None where
    there is none of that name."""
    if not IDENTIFIER.fullmatch(name):
        if client.names is None:
            client.names = [(j['name'], j['judge_id'])
                            for j in client.pages('/v1/judges', 'judges')]
        same = [known for called, known in client.names if called == name]
        if not same:
            return None, None
        if len(same) > 1:
            raise Fault(f'{len(same)} judges are called {name}; give the'
                        f' judge_id of one: {", ".join(same)}')
        name = same[0]
    record, headers = client.request('GET', f'/v1/judges/{name}')
    return record, headers.get('ETag')


def the(client, name):
    record = find(client, name)[0]
    if not record:
        raise Fault(f'there is no judge called {name}; judgectl judges list'
                    ' names them')
    return record


def portable(record):
    """A judge as it stands in a file: what the service adds is left out."""
    judge = {k: v for k, v in record.items() if k not in RECORD}
    judge['criteria'] = []
    for criterion in record['criteria']:
        one = {k: v for k, v in criterion.items()
               if k not in OF_CRITERIA and k != 'checks'
               and (k, v) not in (('weight', 1), ('judge_by', 'auto'))}
        checks = [{k: v for k, v in check.items()
                   if (k, v) not in (('weight', 1), ('caps', False),
                                     ('on', True), ('origin', 'given'))}
                  for check in criterion.get('checks', [])
                  if check['origin'] == 'given' or not check['on']]
        if checks:
            one['checks'] = checks
        judge['criteria'].append(one)
    return judge


# --- What differs ---------------------------------------------------------

def plain_check(check):
    check = dict(check)
    return {'type': check.pop('type', None), 'value': check.pop('value', None),
            'weight': check.pop('weight', 1), 'caps': check.pop('caps', False),
            'on': check.pop('on', True), **{k: v for k, v in check.items()
                                            if k != 'origin'}}


def plain_criterion(criterion, ours=None):
    """A criterion with every default; checks that the service found in the
    description count where ours has them, too."""
    if not isinstance(criterion, dict):
        return criterion
    checks = criterion.get('checks') or []
    if not isinstance(checks, list) or not all(isinstance(c, dict)
                                               for c in checks):
        return criterion
    named = [(c.get('type'), c.get('value'))
             for c in (ours or criterion).get('checks') or []]
    checks = [c for c in checks if c.get('origin') != 'description'
              or (c.get('type'), c.get('value')) in named]
    plain = {'weight': 1, 'examples': [], 'judge_by': 'auto', **criterion,
             'checks': sorted(map(plain_check, checks), key=dumps)}
    for name in OF_CRITERIA:
        plain.pop(name, None)
    return plain


def key_of(criterion, others):
    """The one of the others that it stands for: by identifier, else name."""
    for by in ('criterion_id', 'name'):
        for other in others:
            if criterion.get(by) and criterion.get(by) == other.get(by):
                return other
    return None


def short(value):
    text = value if isinstance(value, str) else dumps(value)
    text = clean(text)
    return text if len(text) <= 160 else text[:159] + '…'


def minus(text):
    return paint('31', '- ' + short(text))


def plus(text):
    return paint('32', '+ ' + short(text))


def criteria_changes(ours, theirs):
    """Lines about what differs in the criteria."""
    if not isinstance(ours, list) or not all(isinstance(c, dict)
                                             for c in ours):
        return ['    ' + plus(f'criteria: {short(ours)}')]
    lines, met = [], []
    for criterion in ours:
        other = key_of(criterion, theirs)
        name = short(criterion.get('name'))
        if other is None:
            lines.append('    ' + plus(f'criterion {name}:'
                         f' {short(criterion.get("description"))}'))
            continue
        met.append(other)
        new = plain_criterion(criterion)
        old = plain_criterion(other, criterion)
        for field in sorted({*new, *old}):
            if new.get(field) != old.get(field):
                lines.append(f'    {name}, {field}')
                lines += ['      ' + mark(side[field])
                          for mark, side in ((minus, old), (plus, new))
                          if field in side]
    gone = [c for c in theirs if c not in met]
    lines += ['    ' + minus(f'criterion {c["name"]}') for c in gone]
    if not lines and [c['name'] for c in met] != [c['name'] for c in theirs]:
        lines.append('    the order of the criteria')
    return lines


def changes(ours, theirs):
    """Lines about what a judge of a file would change in its record.  A field
    that the file does not have stays."""
    lines = []
    for field, new in ours.items():
        old = theirs.get(field)
        if field == 'criteria':
            lines += criteria_changes(new, theirs['criteria'])
            continue
        if field == 'reference_content_uri' and isinstance(new, str):
            new = [new]
        if field == 'panel' and isinstance(new, dict) and new:
            new = {'take': 'mean', 'agree_within': 20, **new}
        if field in RECORD or new == old or (not new and not old):
            continue
        lines.append(f'    {short(field)}')
        lines += ['      ' + minus(old)] * (old is not None)
        lines.append('      ' + plus(new))
    return lines


# --- Commands -------------------------------------------------------------

def compared(client, paths):
    """(where, judge, record, etag, lines) of each judge of the files."""
    for where, judge in load(paths):
        name = judge.get('judge_id') or judge['name']
        if not isinstance(name, str):
            raise Fault(f'{where}.judge_id: expected an identifier')
        try:
            record, etag = find(client, name)
        except Fault as e:
            raise Fault(f'{where}: {e}', e.status) from None
        lines = []
        if record:
            if record['content_type'] != judge['content_type']:
                raise Fault(f'{where}.content_type: {judge["name"]} is a judge'
                            f' of {record["content_type"]} and stays one')
            lines = changes(judge, record)
        else:
            for criterion in judge.get('criteria') or []:
                if isinstance(criterion, dict):
                    lines.append('    ' + plus(
                        f'criterion {short(criterion.get("name"))}:'
                        f' {short(criterion.get("description"))}'))
        yield where, judge, record, etag, lines


def report(args, done):
    if args.json:
        say(dumps({'judges': [{k: v for k, v in one.items() if k != 'lines'}
                              for one in done]}))


def tell(args, one):
    """A line for a judge, and what changes below it."""
    if args.json:
        return
    mark = {'new': paint('32', '+'), 'changed': paint('33', '~')}.get(
        one['change'], '=')
    words = {'new': 'new', 'changed': 'changes', 'none': 'the same'}
    told = one.get('told') or words[one['change']]
    say(f'{mark} {clean(one["name"])}  {told}')
    for line in one['lines']:
        say(line)


def entry(judge, record, lines):
    change = 'new' if not record else 'changed' if lines else 'none'
    one = {'name': judge['name'], 'change': change, 'lines': lines}
    if record:
        one['judge_id'] = record['judge_id']
        one['version_number'] = record['version_number']
    return one


def sent(client, method, path, body, headers):
    """The answer.  A judge of which nothing can be judged yet is made all the
    same, since corrections may teach it, and the warning is passed on."""
    try:
        return client.request(method, path, json=body, headers=headers)[0]
    except Fault as e:
        if e.status != 400 or 'one at least that can be judged' not in str(e):
            raise
    lenient = {k: v for k, v in headers.items() if k != 'Prefer'}
    made = client.request(method, path, json=body, headers=lenient)[0]
    for sentence in made.get('warnings', []):
        warn(f'{body["name"]}: {sentence}')
    return made


def tried(client, where, judge, headers):
    """The judge as the service would make it of a file."""
    body = {k: v for k, v in judge.items() if k not in RECORD}
    try:
        return sent(client, 'POST', '/judges/check', body, headers)
    except Fault as e:
        raise Fault(f'{where}: {e}', e.status) from None


def diff(client, args):
    done = []
    for where, judge, record, _, lines in compared(client, args.files):
        if lines:
            tried(client, where, {**(portable(record) if record else {}),
                                  **judge}, STRICT)
        done.append(entry(judge, record, lines))
        tell(args, done[-1])
    report(args, done)
    differs = any(one['change'] != 'none' for one in done)
    return FAILED if differs and args.exit_code else OK


def apply(client, args):
    if args.dry_run:
        args.exit_code = False
        return diff(client, args)
    done = []
    for where, judge, record, etag, lines in compared(client, args.files):
        one = entry(judge, record, lines)
        body = {k: v for k, v in judge.items() if k not in RECORD}
        try:
            if not record:
                made = sent(client, 'POST', '/v1/judges', body, STRICT)
                one.update(judge_id=made['judge_id'],
                           version_number=made['version_number'],
                           told=f'made, {made["judge_id"]}')
            elif lines:
                del body['content_type']
                made = sent(client, 'PUT', f'/judges/{record["judge_id"]}',
                            body, {**STRICT, 'If-Match': etag})
                one.update(version_number=made['version_number'],
                           told=f'changed: {made["message"]}')
        except Fault as e:
            if e.status == 412:
                raise Fault(f'{where}: somebody else has changed'
                            f' {judge["name"]} just now; run it again'
                            ) from None
            raise Fault(f'{where}: {e}', e.status) from None
        done.append(one)
        tell(args, one)
    report(args, done)
    return OK


def listed(client, args):
    judges = list(client.pages('/v1/judges', 'judges'))
    if args.json:
        say(dumps({'judges': judges}))
        return OK
    for judge in judges:
        say(f'{judge["judge_id"]}  {judge["status"]:8}'
            f' v{judge["version_number"]:<3} {judge["content_type"]:5}'
            f'  {clean(judge["name"])}')
    return OK


METHODS = {'checks': 'judged by checks', 'measures': 'measured',
           'model': 'judged by a language model',
           'corrections': 'judged by what people corrected',
           'nothing': 'not judged'}


def judged_by(criterion):
    """Who judges it, in words."""
    by = criterion.get('judged_by')
    words = METHODS.get(by) or clean(by or 'chosen when it is used')
    return paint('31', words) if by == 'nothing' else words


def check(client, args):
    """Who judges what, of judges of the service, or of files for which
    nothing is made."""
    if args.judges:
        found = [one for name in args.judges
                 for one in checked(client, name)]
    else:
        found = list(client.pages('/v1/judges', 'judges'))
    bare = sum(c.get('judged_by') == 'nothing'
               for judge in found for c in judge['criteria'])
    if args.json:
        say(dumps({'judges': [
            {**{k: judge[k] for k in ('judge_id', 'name', 'advice')
                if k in judge},
             'criteria': [{k: c.get(k) for k in ('name', 'judged_by',
                                                 'judged_by_reason')}
                          for c in judge['criteria']]}
            for judge in found], 'not_judged': bare}))
    else:
        for judge in found:
            say(paint('1', clean(judge['name'])))
            for c in judge['criteria']:
                say(f'  {clean(c["name"])}  {judged_by(c)}')
                say('    ' + clean(c.get('judged_by_reason') or ''))
            for sentence in judge.get('advice') or []:
                say('  ' + paint('33', '! ') + clean(sentence))
        say(f'{bare} criteria are judged by nothing')
    return FAILED if bare and args.exit_code else OK


def checked(client, name):
    """The judges of a file, as the service would make them; else the one of
    that name."""
    if not os.path.isfile(name):
        yield the(client, name)
        return
    for where, judge in load([name]):
        yield tried(client, where, judge, {})


def show(client, args):
    judge = the(client, args.judge)
    if args.json:
        say(dumps(judge))
        return OK
    trained = ', has learned from people' if judge.get('trained') else ''
    say(paint('1', clean(judge['name'])))
    say(f'{judge["judge_id"]}, version {judge["version_number"]},'
        f' {judge["content_type"]}, {judge["status"]}{trained}')
    if judge['description']:
        say(clean(judge['description']))
    for criterion in judge['criteria']:
        weight = criterion['weight']
        say()
        say(paint('1', clean(criterion['name']))
            + (f'  weight {weight:g}' if weight != 1 else '')
            + '  ' + judged_by(criterion))
        say('  ' + clean(criterion['description']))
        if criterion.get('judged_by_reason'):
            say('  ' + clean(criterion['judged_by_reason']))
        for check in criterion.get('checks', []):
            value = short(check['value']) if 'value' in check else ''
            say(f'  - {check["type"]} {value}'
                + ('' if check['on'] else '  (off)'))
    return OK


def part(client, judge, name):
    """What the service says of a judge under a name; None where nothing."""
    try:
        return client.request('GET', f'/judges/{judge["judge_id"]}/{name}')[0]
    except Fault as e:
        if e.status != 404:
            raise
        return None


def watch(client, args):
    """What people would give, drift, and the canary."""
    judge = the(client, args.judge)
    said = {name: part(client, judge, name)
            for name in ('estimate', 'drift', 'canary')}
    drift = said['drift']['verdict']
    code = FAILED if args.exit_code and drift == 'strong' else OK
    if args.json:
        say(dumps({'judge_id': judge['judge_id'], **said}))
        return code
    say(paint('1', clean(judge['name'])))
    mean = said['estimate']['overall']
    if 'low' in mean:
        say(f'People would give {mean["human_mean"]:.1f} on average, likely'
            f' {mean["low"]:.1f} to {mean["high"]:.1f}; it gave'
            f' {mean["given_mean"]:.1f}.')
    else:
        say('What people would give is not known: it takes 5 corrections,'
            f' and there are {mean["corrections"]}.')
    say()
    say(f'Drift of the last day: {drift}')
    for sentence in said['drift']['sentences']:
        say('  ' + clean(sentence))
    if said['canary']:
        say()
        say(f'Version {said["canary"]["version"]}, tried beside it:'
            f' {said["canary"]["status"]}')
        for sentence in said['canary']['sentences']:
            say('  ' + clean(sentence))
    return code
