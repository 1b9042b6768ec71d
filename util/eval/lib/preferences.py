# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""What util/eval/quality preferences prints: how often comparisons by an
untrained judge find the answer that people prefer, beside the longer one.

A set is lines of {"request", "answers": [a, b], "preferred": 0, 1, null for a
tie}, or a list as the public repository WeOpenML/PandaLM has it, where the
majority of three people counts."""

import gzip
import json
import math
import os
import statistics
import subprocess
import sys

CRITERIA = (
    ("Relevance", "The answer is about what was asked."),
    ("Development", "Ideas are developed in depth and detail."),
    ("Organization", "Clear structure and linked paragraphs."),
    ("Grammar", "Correct grammar, spelling and punctuation."),
)
LEVEL = 0.8            # of a comparison, as JUDGE_COMPARED_LEVEL
# of a difference: two intervals of +- 45 points, as of uncorrected judges
SPREAD = math.sqrt(2) * 45 / 1.6448536


def read(path):
    if os.path.isdir(path):
        for name in sorted(os.listdir(path)):
            if name.endswith((".jsonl", ".jsonl.gz", ".json")):
                yield from read(os.path.join(path, name))
        return
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8") as file:
        if not path.endswith(".json"):
            for line in file:
                one = json.loads(line)
                yield one["request"], one["answers"], one["preferred"]
            return
        for one in json.load(file):
            votes = [one[f"annotator{i}"] for i in (1, 2, 3)]
            vote = statistics.mode(votes)
            yield ("\n".join((one["instruction"], one["input"])).strip(),
                   [str(one["response1"]), str(one["response2"])],
                   vote - 1 if vote and votes.count(vote) > 1 else None)


def scores(program, pairs):
    """By pair and criterion: the scores of both answers, or nan."""
    found = [[] for _ in pairs]
    for i in range(0, len(CRITERIA), 2):
        first, second = ({"name": name, "description": text}
                         for name, text in CRITERIA[i:i + 2])
        lines = "".join(json.dumps({
            "id": str(n), "language": "en", "source": request, "a": a, "b": b,
            "first": first, "second": second}) + "\n"
            for n, (request, (a, b), _) in enumerate(pairs))
        with open(sys.argv[2], "w", encoding="utf-8") as file:
            file.write(lines)
        out = subprocess.run([program, sys.argv[2]], check=True,
                             capture_output=True, text=True).stdout
        for at, line in enumerate(out.splitlines()):
            cell = line.split("\t")
            both = float(cell[4]), float(cell[5])
            found[int(cell[0])].append(both[::-1] if at % 2 else both)
    return found


def share(part, of):
    return f"{100 * part / of:6.1f} %" if of else "       -"


def row(name, ahead, pairs):
    """ahead: by how much the first answer is, by pair; people's ties are left
    out, and one of scores is half right."""
    told = [(d if preferred == 0 else -d,
             (len(a) - len(b)) * (1 if preferred == 0 else -1))
            for d, (_, (a, b), preferred) in zip(ahead, pairs)
            if preferred is not None]
    judged = [one for one in told if not math.isnan(one[0])]
    sure = [one for one in judged if 0.5 * math.erfc(
        -abs(one[0]) / SPREAD / math.sqrt(2)) >= LEVEL]

    def right(which, of):
        return sum(1 if one[which] > 0 else 0.5 if one[which] == 0 else 0
                   for one in of)

    print(f"{name:<14}{len(told):>6}{share(len(judged), len(told))}"
          f"{share(right(0, judged), len(judged))}"
          f"{share(right(1, judged), len(judged))}"
          f"{share(len(sure), len(judged))}{share(right(0, sure), len(sure))}"
          f"{share(right(1, sure), len(sure))}")


def main():
    pairs = [pair for pair in read(sys.argv[3])
             if all(text.strip() for text in pair[1])]
    by_pair = scores(sys.argv[1], pairs)
    print(f"{len(pairs)} pairs, {sum(p is None for _, _, p in pairs)} ties of"
          f" people, which are left out\n")
    print(f"{'':<14}{'pairs':>6}{'judged':>8}{'right':>8}{'longer':>8}"
          f"{'decided':>8}{'right':>8}{'longer':>8}")

    def mean(both):
        told = [a - b for a, b in both if not math.isnan(a - b)]
        return statistics.fmean(told) if told else math.nan

    row("overall", [mean(both) for both in by_pair], pairs)
    for i, (name, _) in enumerate(CRITERIA):
        row(name, [both[i][0] - both[i][1] for both in by_pair], pairs)


main()
