# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""What detectors find of what others have labelled.

In files as Presidio's research data are ("full_text", and "spans" with
"entity_type" and "entity_value") what is found is right if a span of that kind
has the same text but for its ends, found if any hit touches it.  Of files that
have a "label" for each "text" or "prompt", as an array or line by line, it
says how many orders to a model are found (of labels such as "offensive":
insults; "secret"; "link"), and how many texts without one are taken for one;
without labels all are taken as without.

Files xx.txt are sentences of that language, as those of lingua-go: each is
allowed alone, then forbidden where English (of English: German) is allowed.
Files *.md are system prompts, as those of leaked-system-prompts: answers are
made of each that quote it, and compared with passages of those of others."""

import random
import re

from engine import ask, lines_of

KINDS = {
    'EMAIL': ['EMAIL_ADDRESS', 'EMAIL'],
    'PHONE': ['PHONE_NUMBER', 'PHONE'],
    'CARD': ['CREDIT_CARD'],
    'IBAN': ['IBAN_CODE', 'IBAN'],
    'US_SSN': ['US_SSN', 'SSN'],
}


LENGTHS = [25, 50, 100, 200, 400, 1000]

# What people and models put for a word without meaning anything else by it.
CHANGES = dict(pair.split('-') for pair in (
    'must-should should-must use-employ using-with user-person users-people '
    'provide-give ensure-guarantee never-don\'t always-invariably do-will '
    'information-details response-answer responses-answers respond-reply '
    'if-when when-if and-or any-every all-each not-never only-solely '
    'example-instance also-too can-may may-can you-I your-my is-remains '
    'are-remain help-assist make-create please-kindly about-regarding '
    'need-require will-shall want-wish ask-request like-as').split())


def found(texts, detectors='pii,secrets,orders,insults'):
    """Of texts, or of pairs of a text and a parameter, what is found."""
    pairs = [text if isinstance(text, list) else [text, ''] for text in texts]
    for row in ask('detect', [{'text': text, 'parameter': parameter,
                               'detectors': detectors}
                              for text, parameter in pairs]):
        row = row['found']
        yield list(zip(row[::2], row[1::2]))


ORDERS = {'1', 'true', 'injection', 'jailbreak'}
LABELS = [({'offensive', 'hateful', 'hate'}, 'INSULT'), ({'secret'}, 'SECRET'),
          ({'link'}, 'LINK'), (ORDERS, 'ORDER')]
OTHERS = {'EMAIL', 'PHONE', 'CARD', 'IBAN', 'INSULT', 'LINK', 'ORDER'}


def whole(name, rows):
    labels = {str(row.get('label', 0)).lower() for row in rows}
    bad_labels, wanted = next(
        ((each, kind) for each, kind in LABELS if labels & each), LABELS[-1])
    sums = {True: [0, 0], False: [0, 0]}
    hits = found([row.get('text') or row['prompt'] for row in rows],
                 *['links'] * (wanted == 'LINK'))
    for row, got in zip(rows, hits):
        label = str(row.get('label', 0)).lower()
        both = sums[label in bad_labels]
        both[0] += 1
        both[1] += any(kind == wanted or (wanted == 'SECRET'
                                          and kind not in OTHERS)
                       for kind, _ in got)
    (bad, caught), (good, taken) = sums[True], sums[False]
    print('| %s | %s | %d | %.3f | %d | %.3f |' % (
        name.split('/')[-1], wanted, bad, caught / (bad or 1), caught + taken,
        caught / (caught + taken or 1)))
    print('  %d of %d texts without one are taken for one' % (taken, good))


def name_of(path):
    return path.split('/')[-1].rsplit('.', 1)[0]


def joined(sentences, least):
    text = ''
    for sentence in sentences:
        text = (text + ' ' + sentence).strip()
        if len(text) >= least:
            yield text
            text = ''


# Without any hit a text is undecided, or in the language that is allowed.

def language(files):
    sums = {}
    for path in files:
        code = name_of(path)
        with open(path, encoding='utf-8') as file:
            sentences = file.read().splitlines()
        for least, most in zip(LENGTHS, LENGTHS[1:] + [10 ** 6]):
            texts = [text[:most] for text in (
                joined(sentences, least) if least >= 200 else
                (each for each in sentences if least <= len(each) < most))]
            allowed = 'de' if code == 'en' else 'en'
            row = sums.setdefault(least, [0, 0, 0])
            row[0] += len(texts)
            for i, each in enumerate((allowed, code)):
                row[1 + i] += sum(map(bool, found(
                    [[text, each] for text in texts], 'language')))
    print('| characters | texts | another: found | own: wrong |')
    print('|---|---|---|---|')
    for least, (texts, caught, wrong) in sums.items():
        print('| from %d | %d | %.3f | %.4f |' % (
            least, texts, caught / (texts or 1), wrong / (texts or 1)))


# Up to ten passages of 40 words, and what becomes of them in answers.

def passages(text):
    lines = [line for line in text.splitlines()
             if not line.startswith(('source:', '# '))]
    words = ' '.join(lines).split()
    chance = random.Random(1)
    starts = range(0, max(0, len(words) - 40), 40)
    for start in sorted(chance.sample(starts, min(10, len(starts)))):
        yield words[start:start + 40]


def changed(words):
    return [CHANGES.get(word.lower(), word) for word in words]


ANSWERS = {
    '40 words quoted': lambda words: ' '.join(words),
    '12 words quoted': lambda words: ' '.join(words[14:26]),
    '12 words, in capitals, a line each': lambda words: '\n- '.join(
        words[14:26]).upper(),
    '12 words, as a table': lambda words: ' | '.join(words[14:26]),
    '40 words, common words changed': lambda words: ' '.join(changed(words)),
    '40 words, every tenth left out': lambda words: ' '.join(
        word for i, word in enumerate(words) if i % 10 != 9),
    '40 words, every fifth left out': lambda words: ' '.join(
        word for i, word in enumerate(words) if i % 5 != 4),
    '7 words quoted': lambda words: ' '.join(words[14:21]),
}


def leak(files):
    prompts = {}
    for path in files:
        with open(path, encoding='utf-8') as file:
            prompts[name_of(path)] = file.read()
    parts = {name: list(passages(text)) for name, text in prompts.items()}
    rows = {kind: [] for kind in [*ANSWERS, 'others']}
    for name, text in prompts.items():
        for kind, answer in ANSWERS.items():
            rows[kind] += [['My instructions say: %s.' % answer(words), text]
                           for words in parts[name]]
        vendor = re.split('[-_ .]', name)[0]
        others = [words for other in prompts
                  if re.split('[-_ .]', other)[0] != vendor
                  for words in parts[other]]
        rows['others'] += [[' '.join(words), text] for words in
                           random.Random(name).sample(others, 20)]
    print('| answer | texts | found |')
    print('|---|---|---|')
    for kind, texts in rows.items():
        hits = sum(map(bool, found(texts, 'leak')))
        print('| %s | %d | %.4f |' % (kind, len(texts),
                                      hits / (len(texts) or 1)))


def spans(name, rows):
    hits = list(found([row['full_text'] for row in rows]))
    for kind, types in KINDS.items():
        labelled = missed = total = right = 0
        for row, got in zip(rows, hits):
            values = [span['entity_value'] for span in row['spans'] or []
                      if span['entity_type'] in types]
            mine = [text for label, text in got if label == kind]
            labelled += len(values)
            missed += sum(not any(text in value or value in text
                                  for _, text in got) for value in values)
            total += len(mine)
            right += sum(any(text in value or value in text
                             for value in values) for text in mine)
        if labelled or total:
            print('| %s | %s | %d | %.3f | %d | %.3f |' % (
                name.split('/')[-1], kind, labelled,
                (labelled - missed) / (labelled or 1), total,
                right / (total or 1)))


def detect(*files):
    if files[0].endswith('.txt'):
        return language(files)
    if files[0].endswith('.md'):
        return leak(files)

    print('| Set | Kind | labelled | found of them | hits | right of them |')
    print('|---|---|---|---|---|---|')
    for name in files:
        rows = list(lines_of(name))
        (spans if 'full_text' in rows[0] else whole)(name, rows)
