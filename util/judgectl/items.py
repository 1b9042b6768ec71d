# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""What is judged: files, folders, JSON Lines, standard input."""

import fnmatch
import os
import sys

from base import Fault, clean, loads, reason

TEXTS = ('*.txt', '*.text', '*.md', '*.markdown', '*.rst', '*.adoc', '*.html',
         '*.htm', '*.tex', '*.eml')
LARGEST = 64 << 20


class Item:
    """A text with a name; or why there is none, in fault."""

    def __init__(self, name, text=None, fault=None, id=None, metadata=None,
                 judge=None):
        self.name = clean(name)[-255:] or 'Untitled'
        self.text, self.fault = text, fault
        self.id, self.metadata, self.judge = id, metadata, judge


def from_file(path, name):
    try:
        if os.path.getsize(path) > LARGEST:
            return Item(name, fault='more than 64 MB are no text to judge')
        with open(path, 'rb') as file:
            text = file.read().decode('utf-8-sig')
    except OSError as e:
        return Item(name, fault=reason(e))
    except UnicodeDecodeError:
        return Item(name, fault='not a text in UTF-8')
    if not text.strip():
        return Item(name, fault='there is no text in it')
    return Item(name, text)


def from_object(value, name):
    """An item out of a line of JSON Lines, as judgectl import writes them."""
    if not isinstance(value, dict):
        return Item(name, fault='expected an object with text')
    text = value.get('text', value.get('text_content'))
    if not isinstance(text, str) or not text.strip():
        return Item(value.get('name') or name, fault='text: expected a text')
    metadata = value.get('metadata')
    if metadata is not None and not isinstance(metadata, dict):
        return Item(value.get('name') or name,
                    fault='metadata: expected an object')
    identifier = value.get('id')
    return Item(value.get('name') or name, text, metadata=metadata,
                id=None if identifier is None else str(identifier),
                judge=value.get('judge'))


def from_lines(path):
    """The items of a file of JSON Lines, one at a time."""
    try:
        with open(path, encoding='utf-8-sig') as file:
            for n, line in enumerate(file, 1):
                if not line.strip():
                    continue
                name = f'{path}:{n}'
                try:
                    yield from_object(loads(line, ''), name)
                except Fault:
                    yield Item(name, fault='not JSON')
    except OSError as e:
        yield Item(path, fault=reason(e))
    except UnicodeDecodeError:
        yield Item(path, fault='not a text in UTF-8')


def walk(folder, patterns):
    """The paths below a folder that a pattern fits, in their order; what is
    hidden is left out."""
    try:
        with os.scandir(folder) as found:
            entries = sorted((e.name, e.is_dir(follow_symlinks=False),
                              e.is_file()) for e in found)
    except OSError as e:
        raise Fault(f'{folder}: {reason(e)}') from None
    for name, is_folder, is_file in entries:
        if name.startswith('.'):
            continue
        path = os.path.join(folder, name)
        if is_folder:
            yield from walk(path, patterns)
        elif is_file and any(fnmatch.fnmatch(name.lower(), p)
                             for p in patterns):
            yield path


def read(paths, patterns=None):
    """The items of all paths.  Names are as short as the arguments allow: of
    a file below a folder, its path from there."""
    for path in paths:
        if path == '-':
            try:
                text = sys.stdin.buffer.read().decode('utf-8-sig')
            except UnicodeDecodeError:
                yield Item('standard input', fault='not a text in UTF-8')
                continue
            yield (Item('standard input', text) if text.strip() else
                   Item('standard input', fault='there is no text in it'))
        elif os.path.isdir(path):
            for file in walk(path, patterns or TEXTS):
                yield from_file(file, os.path.relpath(file, path))
        elif path.endswith(('.jsonl', '.ndjson')):
            yield from from_lines(path)
        else:
            yield from_file(path, path)


def count(paths, patterns=None):
    """How many items there are, where that is known before they are read."""
    total = 0
    for path in paths:
        if path.endswith(('.jsonl', '.ndjson')):
            return None
        total += (sum(1 for _ in walk(path, patterns or TEXTS))
                  if os.path.isdir(path) else 1)
    return total
