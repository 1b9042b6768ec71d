# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""People and their roles, what they look at, and who changed what."""

from urllib.parse import urlencode

import batches
import judges
from base import OK, Fault, Output, clean, dumps, say

ROLES = ('owner', 'editor', 'annotator', 'viewer')


def shown(args, record, line):
    say(dumps(record) if args.json else clean(line))
    return OK


def person_line(one):
    login = f'  login {one["login"]}' if 'login' in one else ''
    return (f'{one["person_id"]}  {one["role"]:9}  {one["name"]}'
            f'  <{one["address"]}>{login}')


def the_person(client, name):
    """The identifier of a person: by itself, by address, or by name."""
    if name.startswith('per_'):
        return name
    found = [one for one in client.pages('/people', 'people')
             if name in (one['address'], one['name'])]
    if len(found) != 1:
        raise Fault(f'{clean(name)}: {len(found) or "no"} people have this'
                    ' address or name')
    return found[0]['person_id']


def people(client, args):
    for one in client.pages('/people', 'people'):
        shown(args, one, person_line(one))
    return OK


def add(client, args):
    body = {'name': args.name, 'address': args.address, 'role': args.role}
    if args.login:
        body['login'] = args.login
    if args.api_key_id:
        body['api_key_id'] = args.api_key_id
    one = client.post('/people', body)
    shown(args, one, person_line(one))
    if 'api_key' in one and not args.json:
        say(f'The key is shown this once: {one["api_key"]}')
    return OK


def role(client, args):
    path = f'/people/{the_person(client, args.person)}'
    one = client.request('PATCH', path, json={'role': args.role})[0]
    return shown(args, one, person_line(one))


def remove(client, args):
    person = the_person(client, args.person)
    client.request('DELETE', f'/people/{person}')
    return shown(args, {'removed': person}, 'removed')


def queue_line(one):
    return (f'{one["queue_id"]}  {one["done"]} of {one["items"]}'
            f'  {one["people_per_item"]} each  {one["name"]}')


def queues(client, args):
    for one in client.pages('/annotation-queues', 'annotation_queues'):
        shown(args, one, queue_line(one))
    return OK


def queue_add(client, args):
    body = {'name': args.name, 'judge_id':
            judges.the(client, args.judge)['judge_id'],
            'items': args.items, 'people': args.people}
    if args.review:
        body['sampling'] = 'review'
    if args.batch:
        body['batch_id'] = args.batch
    one = client.post('/annotation-queues', body)
    return shown(args, one, queue_line(one))


def queue_show(client, args):
    path = f'/annotation-queues/{args.queue}'
    one = client.get(path)
    try:
        one['agreement'] = client.get(f'{path}/agreement')
    except Fault as e:                 # the judge was deleted
        if e.status != 404:
            raise
    shown(args, one, queue_line(one))
    if args.json:
        return OK
    for who in one['people']:
        say(clean(f'  {who.get("name", who["person_id"])}: {who["done"]} done,'
                  f' {who["left"]} left, {who["open"]} open'))
    for told in one.get('agreement', {}).get('criteria', ()):
        if 'rmse' in told:
            say(clean(f'  {told["name"]}: people are'
                      f' {batches.measured(told["rmse"])} points apart, of'
                      f' {told["items"]} items'))
    return OK


def queue_delete(client, args):
    client.request('DELETE', f'/annotation-queues/{args.queue}')
    return shown(args, {'deleted': args.queue}, 'deleted')


def audit(client, args):
    query = {name: value for name, value in (
        ('from', args.from_), ('to', args.until), ('object', args.object),
        ('person', args.person and the_person(client, args.person)))
        if value}
    with Output(args.to) as out:
        client.download('/audit/export' + (f'?{urlencode(query)}' if query
                                           else ''), out.write)
    return OK
