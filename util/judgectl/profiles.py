# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""Which service, and with which key: the environment, or profiles.

Profiles are in $XDG_CONFIG_HOME/judgectl/profiles.json, keys in files of their
own, which nobody else may read."""

import getpass
import os
import stat
import sys

from base import OK, Fault, clean, dumps, loads, read_text, reason, say, \
    warn, write_file
from client import Client


def folder():
    base = (os.environ.get('XDG_CONFIG_HOME')
            or os.path.join(os.path.expanduser('~'), '.config'))
    return os.path.join(base, 'judgectl')


def load():
    path = os.path.join(folder(), 'profiles.json')
    if not os.path.exists(path):
        return {'current': None, 'profiles': {}}
    kept = loads(read_text(path), path)
    every = kept.get('profiles') if isinstance(kept, dict) else None
    if not isinstance(every, dict) or not all(
            isinstance(p, dict) and isinstance(p.get('url'), str)
            and isinstance(p.get('key_file'), str) for p in every.values()):
        raise Fault(f'{path}: not a file of profiles; remove it to begin anew')
    return kept


def save(kept):
    write_file(os.path.join(folder(), 'profiles.json'), dumps(kept, 2) + '\n')


def read_key(path):
    """The key in a file that only its owner may read."""
    try:
        mode = os.stat(path).st_mode
    except OSError as e:
        raise Fault(f'{path}: {reason(e)}') from None
    if os.name == 'posix' and stat.S_ISREG(mode) and mode & 0o077:
        raise Fault(f'{path}: others may read this key; chmod 600 it, and'
                    ' have a new key made if somebody has')
    return read_text(path).strip()


def connect(args):
    """The service that the command is for."""
    name = args.profile or os.environ.get('JUDGE_PROFILE')
    more = {'timeout': args.timeout, 'retries': args.retries, 'ca': args.ca}
    if not name and os.environ.get('JUDGE_URL'):
        key = os.environ.get('JUDGE_API_KEY', '').strip()
        if not key:
            raise Fault('JUDGE_URL is set and JUDGE_API_KEY is not')
        return Client(os.environ['JUDGE_URL'], key, **more)

    kept = load()
    name = name or kept.get('current')
    if not name:
        raise Fault('no service is named: set JUDGE_URL and JUDGE_API_KEY, or'
                    ' run: judgectl profile add NAME --url URL')
    profile = kept['profiles'].get(name)
    if not profile:
        raise Fault(f'there is no profile {name}; there are:'
                    f' {", ".join(kept["profiles"]) or "none"}')
    return Client(profile['url'], read_key(profile['key_file']), **more)


def new_key(name):
    """Asks for a key, or reads it from standard input, and stores it."""
    if sys.stdin.isatty():
        key = getpass.getpass('API key: ').strip()
    else:
        key = sys.stdin.readline().strip()
    if not key:
        raise Fault('expected the key on standard input, or --key-file FILE')

    path = os.path.join(folder(), 'keys', name)
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        if os.path.lexists(path):
            os.unlink(path)
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(fd, 'w', encoding='utf-8') as file:
            file.write(key + '\n')
    except OSError as e:
        raise Fault(f'{path}: {reason(e)}') from None
    return path, key


def add(args):
    if not args.name or args.name.startswith('.') or '/' in args.name:
        raise Fault(f'{clean(args.name)}: not a name for a profile')
    kept = load()
    Client(args.url, 'x')                    # is it an address?
    try:
        os.makedirs(folder(), mode=0o700, exist_ok=True)
    except OSError as e:
        raise Fault(f'{folder()}: {reason(e)}') from None
    if args.key_file:
        path, key = os.path.abspath(args.key_file), read_key(args.key_file)
    else:
        path, key = new_key(args.name)
    client = Client(args.url, key)
    if client.tls is None and client.host not in ('127.0.0.1', '::1',
                                                  'localhost'):
        warn(f'{args.url} has no TLS: whoever is on the way reads the key')
    kept['profiles'][args.name] = {'url': args.url, 'key_file': path}
    kept['current'] = kept.get('current') or args.name
    save(kept)
    say(f'{clean(args.name)}: {args.url}'
        + (', in use' if kept['current'] == args.name else ''))
    return OK


def known(name):
    kept = load()
    if name not in kept['profiles']:
        raise Fault(f'there is no profile {name}')
    return kept


def use(args):
    kept = known(args.name)
    kept['current'] = args.name
    save(kept)
    return OK


def remove(args):
    kept = known(args.name)
    path = kept['profiles'].pop(args.name)['key_file']
    if path.startswith(os.path.join(folder(), 'keys') + os.sep):
        try:
            os.unlink(path)
        except OSError:
            pass
    if kept.get('current') == args.name:
        kept['current'] = None
    save(kept)
    return OK


def show(args):
    kept = load()
    if args.json:
        say(dumps({'current': kept.get('current'), 'profiles': {
            name: {'url': p['url']}
            for name, p in kept['profiles'].items()}}))
        return OK
    for name, profile in sorted(kept['profiles'].items()):
        mark = '*' if name == kept.get('current') else ' '
        say(f'{mark} {clean(name)}  {clean(profile["url"])}')
    return OK
