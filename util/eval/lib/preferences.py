# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""How often comparisons by an untrained judge find the answer that people
prefer, beside the longer one.

A set is lines of {"request", "answers": [a, b], "preferred": 0, 1, null for a
tie}, or a list as the public repository WeOpenML/PandaLM has it, where the
majority of three people counts."""

import math
import statistics

from engine import lines_of, verdicts
from stats import half, share

CRITERIA = (
    ("Relevance", "The answer is about what was asked."),
    ("Development", "Ideas are developed in depth and detail."),
    ("Grammar", "Correct grammar, spelling and punctuation."),
)
LEVEL = 0.8            # of a comparison, as JUDGE_COMPARED_LEVEL
# of a difference: two intervals of +- 45 points, as of uncorrected judges
SPREAD = math.sqrt(2) * 45 / 1.6448536


def read(path):
    """The request, the two answers and which one is preferred."""
    for one in lines_of(path):
        if "request" in one:
            yield one["request"], one["answers"], one["preferred"]
        else:
            votes = [one[f"annotator{i}"] for i in (1, 2, 3)]
            vote = statistics.mode(votes)
            yield ("\n".join((one["instruction"], one["input"])).strip(),
                   [str(one["response1"]), str(one["response2"])],
                   vote - 1 if vote and votes.count(vote) > 1 else None)


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

    def right(of):
        return [share(half(one[which] for one in of), len(of), 6)
                for which in (0, 1)]

    print(f"{name:<14}{len(told):>6}", share(len(judged), len(told), 6),
          *right(judged), share(len(sure), len(judged), 6), *right(sure),
          sep="")


def preferences(path):
    pairs = [pair for pair in read(path)
             if all(text.strip() for text in pair[1])]
    found = verdicts(({"text": text, "source": request}
                      for request, both, _ in pairs for text in both),
                     [{"name": name, "description": description}
                      for name, description in CRITERIA])
    # By pair and criterion, by how much the first answer is ahead.
    ahead = [[math.nan if None in both else round(both[0], 2)
              - round(both[1], 2) for both in zip(a["scores"], b["scores"])]
             for a, b in zip(found[::2], found[1::2])]

    print(f"{len(pairs)} pairs, {sum(p is None for _, _, p in pairs)} ties of"
          f" people, which are left out\n")
    print(f"{'':<14}{'pairs':>6}{'judged':>8}{'right':>8}{'longer':>8}"
          f"{'decided':>8}{'right':>8}{'longer':>8}")

    def mean(differences):
        told = [d for d in differences if not math.isnan(d)]
        return statistics.fmean(told) if told else math.nan

    row("overall", list(map(mean, ahead)), pairs)
    for (name, _), differences in zip(CRITERIA, zip(*ahead)):
        row(name, differences, pairs)
