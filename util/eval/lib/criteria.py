# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause
"""How many descriptions become the criteria that a person found in them.

A line is {"text", "language", "criteria": [{"words", "weight", "negative"}],
"not_criteria"}.  Beside it stands each line or sentence.  -v prints others."""

import re

from engine import ask, lines_of

NOT = {language: re.compile(r"\b(%s|absence|aus[eê]ncia)\b" % words, re.I)
       for language, words in {
    'en': r"no|not|never|none|neither|nor|without|avoid\w*|free|nothing|dont"
          r"|\w+n't|cannot|nobody|leaves? out",
    'de': r"kein\w*|nicht\w*|nie(mals|mand\w*)?|ohne|weder|noch|frei"
          r"|vermeid\w*|verzicht\w*",
    'es': r"no|nunca|jamás|ni|ning\w+|nada|sin|evit\w+|libre|tampoco",
    'fr': r"ne|n|pas|jamais|aucun\w*|sans|évit\w+|ni",
    'pt': r"não|nunca|jamais|nem|nenhum\w*|nada|sem|evit\w+|livre"}.items()}


def plain(found):
    return (found['name'] + ' ' + found['description']).lower().replace(
        '’', "'")


def has(text, words):
    return all(word.lower() in text for word in words)


def baseline(text):
    parts = [part.strip(' -*#') for part in
             re.split(r'\n+|(?<=[.!?])\s+', text) if part.strip(' -*#|')]
    return {'criteria': [{'name': part, 'description': part,
                          'weight': 1 / len(parts)} for part in parts],
            'questions': []}


def as_written(case, one):
    """Whether a criterion stands in the text as it is.  Then it is no more
    turned round by a no in it than the text is."""
    text, words = (' '.join(t.lower().replace('’', "'").split())
                   for t in (case['text'], one['description']))
    return words in text


def measure(case, got):
    found = [plain(one) for one in got['criteria']]
    asked = ' '.join(got['questions']).lower()
    wanted = case['criteria']
    total = sum(one['weight'] or 0 for one in wanted)
    right = len(found) == len(wanted) and not any(
        word.lower() in text for text in found
        for word in case['not_criteria'])
    lost = inverted = False

    for i, one in enumerate(wanted):
        here = [k for k, text in enumerate(found) if has(text, one['words'])]
        right = right and i in here and (
            one['weight'] is None
            or abs(got['criteria'][i]['weight'] - one['weight'] / total)
            <= .02)
        lost = lost or not here and not has(asked, one['words'])
        best = i if i in here else here[0] if here else None
        stands = best is not None and as_written(case, got['criteria'][best])
        turned = (one['negative'] or not stands) and best is not None and bool(
            NOT[case['language']].search(found[best])) != one['negative']
        right = right and best is not None and not turned
        inverted = inverted or turned and not (
            stands and got['criteria'][best]['description'].lower() in asked)

    return right, lost, inverted


def criteria(path, v=False):
    cases = list(lines_of(path))
    built_in = ask("criteria", [{"text": case["text"]} for case in cases])

    print('%-22s %9s %9s %9s' % ('of %d' % len(cases), 'right', 'lost',
                                 'inverted'))
    for name, answers in (('built in', built_in), (
            'a line or sentence', [baseline(case['text']) for case in cases])):
        marks = [measure(case, got) for case, got in zip(cases, answers)]
        print('%-22s %9d %9d %9d' % (name, *map(sum, zip(*marks))))
        for case, got, mark in zip(cases, answers, marks):
            if v and answers is built_in and mark != (True, False, False):
                print(mark, case['text'], *(
                    '%s | %s | %s' % tuple(one.values())
                    for one in got['criteria']), *got['questions'],
                    *got['suggestions'], '', sep='\n  ')
