# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""What all modules share: faults, output, files."""

import json
import os
import sys
import tempfile

OK, ERROR, FAILED, UNDECIDED, USAGE = 0, 1, 2, 3, 64

# What a terminal would act on, and what turns the direction of writing.
CONTROL = dict.fromkeys((*range(32), *range(127, 160), *range(0x202a, 0x202f),
                         *range(0x2066, 0x206a)), ' ')


class Fault(Exception):
    """What went wrong, in one sentence for a person; status is that of the
    answer, where there was one."""

    def __init__(self, sentence, status=None, exit_code=ERROR):
        super().__init__(sentence)
        self.status = status
        self.exit_code = exit_code


class Closed(Exception):
    """Nobody reads our output any more."""


def clean(text):
    """One line that any terminal shows as text."""
    text = str(text).encode('utf-8', 'replace').decode('utf-8')
    return text.translate(CONTROL)


def say(text='', file=None):
    """A line of output; file is standard output by default."""
    try:
        print(text, file=file or sys.stdout)
    except BrokenPipeError:
        raise Closed from None


def warn(sentence):
    say('judgectl: ' + clean(sentence), sys.stderr)


def dumps(value, indent=None):
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False,
                          indent=indent)
    except (TypeError, ValueError) as e:
        raise Fault(f'there is a value that JSON does not have: {e}') from None


def loads(text, where):
    """A JSON value; where names it in the fault."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as e:
        raise Fault(f'{where}: not JSON: {e}') from None


def reason(e):
    return (e.strerror or str(e)) if isinstance(e, OSError) else str(e)


def read_text(path):
    """The text of a file, or of standard input for "-"."""
    try:
        if path == '-':
            data = sys.stdin.buffer.read()
        else:
            with open(path, 'rb') as file:
                data = file.read()
        return data.decode('utf-8-sig')
    except OSError as e:
        raise Fault(f'{path}: {reason(e)}') from None
    except UnicodeDecodeError:
        raise Fault(f'{path}: not a text in UTF-8') from None


def read_json(path):
    return loads(read_text(path), path)


class Output:
    """A file that is there when it is whole and not before; "-" or None is
    standard output, and a pipe or a device is written as it is.  For use with
    "with"; write() takes text."""

    def __init__(self, path):
        self.path = None if path in (None, '-') else path
        self.temp = None

    def __enter__(self):
        if not self.path:
            return self
        fd = self.path
        try:
            if os.path.isfile(self.path) or not os.path.exists(self.path):
                self.target = os.path.realpath(self.path)
                fd, self.temp = tempfile.mkstemp(
                    dir=os.path.dirname(self.target), prefix='.judgectl.')
                if os.name == 'posix':
                    mask = os.umask(0)
                    os.umask(mask)
                    os.fchmod(fd, 0o666 & ~mask)
            self.file = open(fd, 'w', encoding='utf-8', errors='replace',
                             newline='')
        except OSError as e:
            raise Fault(f'{self.path}: {reason(e)}') from None
        return self

    def write(self, text):
        try:
            (self.file if self.path else sys.stdout).write(text)
        except BrokenPipeError:
            raise Closed from None
        except OSError as e:
            raise Fault(f'{self.path}: {reason(e)}') from None

    def __exit__(self, kind, *_):
        if not self.path:
            return
        try:
            self.file.close()
            if kind and self.temp:
                os.unlink(self.temp)
            elif self.temp:
                os.replace(self.temp, self.target)
        except OSError as e:
            raise Fault(f'{self.path}: {reason(e)}') from None


def write_file(path, text):
    with Output(path) as out:
        out.write(text)
