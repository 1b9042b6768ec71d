# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""What chance alone does, simulated.

null: how often the gate of deployment lets pass a training of which nothing
came.  The scores that it predicts for items held out err as much as those in
use, about the same people's scores.  Errors of the criteria of an item have
half of their variance in common, and in groups of five those of the items,
too, a third.

difference: how often two batches are found to differ where nothing does, and
how often the interval holds the difference.  Scores differ by noise that the
items of a cluster have half in common, of the normal distribution or of an
exponential one around its mean.  Clusters have the given number of items, or
1 to 9.  Last is what the figures would be if each item were a cluster."""

import math
from random import Random

from engine import ask, fail

GROUP = 5


def number(trials):
    if not trials.isdecimal() or int(trials) == 0:
        fail("TRIALS is a number above 0")
    return int(trials)


def training(chance, items, criteria, grouped):
    """Of items held out, people's scores, those predicted and those before,
    in rows of criteria, and the group of each."""
    out = {"human": [], "pred": [], "before": [], "groups": []}
    for i in range(items):
        if i % GROUP == 0:
            common = [chance.gauss(0, 10 / math.sqrt(3)) if grouped else 0
                      for _ in range(2)]
        truth = chance.gauss(50, 12)
        human = [chance.gauss(truth, 8) for _ in range(criteria)]
        out["human"] += human
        for side, error in zip(("pred", "before"), common):
            error = chance.gauss(error, 10 / math.sqrt(2))
            out[side] += [chance.gauss(score + error, 10 / math.sqrt(2))
                          for score in human]
        out["groups"].append(i // GROUP if grouped else i)
    return out


def null(trials="1000"):
    chance, trials = Random(1), number(trials)
    print(f"{trials} trainings each, of which nothing came; percent that pass"
          f"\n\n{'items':<12} {1:>8} {6:>8} {'20 criteria':>8}")
    for grouped in (False, True):
        for items in (25, 50, 200):
            print(f"{items:<4} {'by five' if grouped else '':<7}", end="")
            for criteria in (1, 6, 20):
                passed = [row["passes"] for row in ask("gate", (
                    training(chance, items, criteria, grouped)
                    for _ in range(trials)))]
                print(f" {100 * sum(passed) / trials:8.1f}", end="",
                      flush=True)
            print()


def comparison(chance, clusters, size, skewed):
    """The clusters of items, and the scores here and there."""
    def noise():
        return chance.expovariate(1) - 1 if skewed else chance.gauss(0, 1)

    numbers, here = [], []
    for cluster in range(clusters):
        common = noise()
        for _ in range(size or chance.randint(1, 9)):
            numbers.append(cluster)
            here.append(50 + 5 * (common + noise()))
    return {"clusters": numbers, "here": here, "there": [50] * len(here)}


def difference(trials="1000"):
    chance, trials = Random(1), number(trials)
    print(f"{trials} comparisons each, in which nothing differs; percent\n\n"
          f"{'clusters':>8}  {'items':<6} {'noise':<7} {'p <= 0.05':>9}"
          f" {'held':>9} {'by item:':>9} {'held':>9}")
    for skewed in (False, True):
        for size, name in ((1, "1"), (5, "5"), (0, "1 to 9")):
            for clusters in (6, 12, 30, 100):
                sets = [comparison(chance, clusters, size, skewed)
                        for _ in range(trials)]
                print(f"{clusters:>8}  {name:<6}"
                      f" {'skewed' if skewed else 'normal':<7}", end="")
                for alone in ({}, {"clusters": None}):
                    found = ask("difference", (
                        {**each, **alone, "seed": seed}
                        for seed, each in enumerate(sets)))
                    wrong = sum(row["p"] <= 0.05 for row in found)
                    held = sum(None not in (row["low"], row["high"])
                               and row["low"] <= 0 <= row["high"]
                               for row in found)
                    print(f" {100 * wrong / trials:9.1f}"
                          f" {100 * held / trials:9.1f}", end="")
                print(flush=True)
