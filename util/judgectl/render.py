# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""What people see: tables, colours, progress; JUnit and Markdown."""

import os
import sys
import textwrap
import time
import unicodedata
from xml.sax.saxutils import escape, quoteattr

from base import clean, say


def coloured(file=None):
    file = file or sys.stdout
    return (file.isatty() and not os.environ.get('NO_COLOR')
            and os.environ.get('TERM') != 'dumb')


def paint(code, text, file=None):
    return f'\033[{code}m{text}\033[0m' if coloured(file) else text


def width(text):
    """The columns that a text takes."""
    return sum(0 if unicodedata.combining(c)
               else 2 if unicodedata.east_asian_width(c) in 'WF' else 1
               for c in text)


def fit(text, columns):
    """The text in so many columns, cut or filled."""
    text = clean(text)
    if width(text) > columns:
        while text and width(text) > columns - 1:
            text = text[:-1]
        text += '…'
    return text + ' ' * (columns - width(text))


def wrapped(text, indent):
    """A paragraph as wide as the terminal, from its second line indented."""
    columns = os.get_terminal_size(1).columns if sys.stdout.isatty() else 1000
    return textwrap.fill(clean(text), max(40, columns),
                         subsequent_indent=' ' * indent)


def score_text(score, columns=8):
    """A score at the right of a column, in its colour."""
    if score is None:
        return '—'.rjust(columns)
    code = '32' if score >= 70 else '33' if score >= 40 else '31'
    return paint(code, f'{score:{columns}.1f}')


class Table:
    """Rows as they come: a name, the overall score, one column for each
    criterion that finds room."""

    def __init__(self, criteria):
        self.columns = os.get_terminal_size(1).columns \
            if sys.stdout.isatty() else 120
        self.name = 32 if self.columns >= 90 else 20
        room = max(0, (self.columns - self.name - 12) // 14)
        self.criteria = criteria[:room]
        self.more = len(criteria) - len(self.criteria)

    def head(self):
        line = fit('', self.name) + '  overall   '
        line += ''.join(fit(c['name'], 12).strip().rjust(12) + '  '
                        for c in self.criteria)
        say(paint('1', line.rstrip()
                  + (f'  (and {self.more} more)' if self.more else '')))

    def row(self, name, record):
        line = fit(name, self.name) + ' '
        if record['status'] != 'completed':
            error = record.get('error') or {}
            said = error.get('message') or 'it has not ended in time'
            say(line + ' ' + paint('31', 'failed: ' + clean(said)))
            return
        line += score_text(record.get('overall_score'))
        line += ' ? ' if record.get('needs_review') else '   '
        scores = {c['criterion_id']: c.get('score')
                  for c in record.get('criteria_scores', [])}
        line += ''.join(score_text(scores.get(c['criterion_id']), 12) + '  '
                        for c in self.criteria)
        if record.get('coverage', 1) < 1:
            line += f'{record["coverage"]:.0%} judged'
        say(line.rstrip())


class Progress:
    """A bar on standard error, where that is a terminal."""

    def __init__(self, total=None, what='judged', quiet=False):
        self.on = (sys.stderr.isatty() and not quiet
                   and os.environ.get('TERM') != 'dumb')
        self.total, self.what = total, what
        self.began, self.drawn = time.monotonic(), 0

    def at(self, done, note=''):
        now = time.monotonic()
        if not self.on or (now - self.drawn < 0.1 and done != self.total):
            return
        self.drawn = now
        rate = done / max(now - self.began, 0.001)
        if self.total:
            part = min(1, done / self.total)
            bar = ('━' * int(24 * part)).ljust(24, '─')
            text = f'{bar} {done:g}/{self.total:g} {self.what}'
            if 0 < part < 1 and self.total - done > rate:
                text += f', {(self.total - done) / rate:.0f} s to go'
        else:
            text = f'{done:g} {self.what}, {rate:.1f}/s'
        sys.stderr.write('\r\033[K' + text + clean(note and '  ' + note))
        sys.stderr.flush()

    def clear(self):
        if self.on and self.drawn:
            sys.stderr.write('\r\033[K')
            sys.stderr.flush()
            self.drawn = 0


def xml_text(text):
    """What XML 1.0 can say of a text, escaped."""
    return escape(''.join(c for c in str(text)
                          if c in '\t\n' or ' ' <= c <= '\ud7ff'
                          or '\ue000' <= c <= '\ufffd' or c > '\uffff'))


def xml_attribute(text):
    return quoteattr(xml_text(text).replace('&amp;', '&')
                     .replace('&lt;', '<').replace('&gt;', '>'))


def junit_case(judge, name, record, faults=()):
    """One <testcase>: an error where there is no result, a failure for each
    sentence of faults."""
    scores = '\n'.join(
        [f'{c["name"]}: {c["score"]}  {c["feedback"]}'
         for c in record.get('criteria_scores', [])]
        + [f'{c["name"]}: not judged  {c["reason"]}'
           for c in record.get('not_judged') or []])
    seconds = record.get('evaluation_duration_sec') or 0
    text = (f'  <testcase classname={xml_attribute(judge)}'
            f' name={xml_attribute(name)} time="{seconds:.3f}">\n')
    if record['status'] != 'completed':
        error = record.get('error') or {}
        text += (f'    <error type={xml_attribute(error.get("code", "TIME"))}'
                 f' message={xml_attribute(error.get("message", ""))}/>\n')
    for fault in faults:
        text += f'    <failure message={xml_attribute(fault)}/>\n'
    if 'overall_score' in record:
        text += (f'    <system-out>overall: {record["overall_score"]}\n'
                 f'{xml_text(scores)}</system-out>\n')
    return text + '  </testcase>\n'


def junit_file(out, suite, cases, tests, failures, errors):
    """A whole file; cases are pieces of text."""
    out.write('<?xml version="1.0" encoding="UTF-8"?>\n'
              f'<testsuites><testsuite name={xml_attribute(suite)}'
              f' tests="{tests}" failures="{failures}" errors="{errors}">\n')
    for piece in cases:
        out.write(piece)
    out.write('</testsuite></testsuites>\n')


def markdown(text):
    """A text as the cell of a table."""
    text = clean(text)
    for c in '\\`*_[]<>|#~!':
        text = text.replace(c, '\\' + c)
    return text
