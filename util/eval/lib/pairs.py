# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""How the untrained engine scores crossed pairs.

A line is {"id", "language", "source", "a", "b", "first": {"name",
"description"}, "second": {...}}; the text a is the better one by the first
criterion, b by the second.  --each prints which were judged wrong, and which
not at all."""

import math

from engine import fail, lines_of, verdicts
from stats import half, share

MARGIN = 3             # the better text is ahead by so many points

CURVE = (10, 20, 30, 40, 50, 60, 70, 80, 90, 100)


class Comparison:
    def __init__(self, pair, criterion, better, worse):
        self.id, self.language = pair["id"], pair["language"]
        self.name = criterion["name"]
        self.by, self.aspect = better["by"][0], better["aspects"][0]
        self.longer = better["words"] - worse["words"]
        scores = better["scores"] + worse["scores"]
        self.judged = None not in scores
        # Two decimals, as people see them.
        self.ahead = round(scores[0], 2) - round(scores[1], 2) \
            if self.judged else 0


def row(name, all_of):
    judged = [c for c in all_of if c.judged]
    n = len(judged)
    longer = half([c.longer for c in judged])
    blind = max((longer, "longer"), (n - longer, "shorter"))
    print(f"{name:<12}{len(all_of):>5}{share(n, len(all_of)):>10}"
          f"{share(sum(c.ahead >= MARGIN for c in judged), n):>10}"
          f"{share(half([c.ahead for c in judged]), n):>10}"
          f"{share(blind[0], n):>10} {blind[1] if n else ''}")


def curve(all_of):
    judged = sorted((c for c in all_of if c.judged),
                    key=lambda c: -abs(c.ahead))
    print("\nThe judged ones, those with the largest difference first:")
    print("  of them   of all   difference   in order")
    for percent in CURVE:
        n = math.ceil(len(judged) * percent / 100)
        if n:
            print(f"{percent:>7} %{share(n, len(all_of)):>10}"
                  f"{abs(judged[n - 1].ahead):>11.1f} "
                  f"{share(half([c.ahead for c in judged[:n]]), n):>10}")


def compared(path):
    every = []
    for n, pair in enumerate(lines_of(path), 1):
        try:
            both = [{"text": pair[key], "source": pair.get("source")}
                    for key in ("a", "b")]
            every += [(pair, pair["first"], both),
                      (pair, pair["second"], both[::-1])]
        except (KeyError, TypeError):
            fail(f"{path}:{n}: not a line of the format")
    asked = [dict(text, criteria=[c]) for _, c, both in every for text in both]
    found = iter(verdicts(asked))
    return [Comparison(pair, criterion, next(found), next(found))
            for pair, criterion, _ in every]


def pairs(path, each=False):
    every = compared(path)
    print(f"{'':<12}{'':>5}{'judged':>8}{'right':>10}{'in order':>12}"
          f"{'blind':>8}")
    row("all", every)
    for by in ("checks", "measures"):
        row(by, [c for c in every if c.by == by])
    for language in sorted({c.language for c in every}):
        row(language, [c for c in every if c.language == language])
    longer = half([c.longer for c in every])
    print("\nBlind: the longer one, or the shorter one, whatever the criterion"
          f" is; it is\nright in {share(longer, len(every)).strip()} of all,"
          " whoever the reader is, since each two texts\nstand there in both"
          " orders.")
    curve(every)
    if each:
        print()
        for c in every:
            if c.judged and c.ahead < MARGIN:
                print(f"wrong   {c.id}  {c.aspect or c.by:<13}{c.ahead:>7.1f}"
                      f"  {c.name}")
        for c in every:
            if not c.judged:
                print(f"none    {c.id}  {c.aspect or c.by:<13}"
                      f"{'':>9}{c.name}")
