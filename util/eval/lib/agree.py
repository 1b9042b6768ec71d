# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""How the engine's scores agree with people's, for each criterion of a set:
Pearson's and Spearman's correlation, with in how many texts it was judged.

--values prints all features and the scores of all aspects instead, a line for
each text; --flags the texts that are none to judge."""

import re

from engine import sets, text_of, verdicts
from stats import mean, pearson, spearman


def criteria_of(lines):
    return list(dict.fromkeys(c for line in lines for c in line["scores"]))


def judged(lines):
    return verdicts(map(text_of, lines),
                    [{"name": c} for c in criteria_of(lines)])


def row(name, criterion, scores):
    """Of scores by people and by us, of which either may be absent."""
    both = [(float(p), q) for p, q in scores
            if p is not None and q is not None]
    human, ours = [p for p, _ in both], [q for _, q in both]
    found = pearson(human, ours), spearman(ours, human)
    print("%-16s  %-16s  %6d  %8.3f  %8.3f  %6.2f  %6.2f"
          % (name, criterion, len(both), *found, mean(human), mean(ours)))
    return found


def correlations(*folders):
    """One that nothing judges has 0 in no text."""
    for name, lines in sets(folders):
        found = judged(lines)
        print("%-16s  %-16s  %6s  %8s  %8s  %6s  %6s"
              % ("data", "criterion", "texts", "Pearson", "Spearman", "human",
                 "ours"))
        sums = [row(name, c, [(line["scores"].get(c), v["scores"][i])
                              for line, v in zip(lines, found)])
                for i, c in enumerate(criteria_of(lines))]
        print("%-16s  %-16s  %6s  %8.3f  %8.3f"
              % (name, "(mean)", "", *map(mean, zip(*sums))))
        row(name, "(overall)", [(line.get("overall"), v["overall"])
                                for line, v in zip(lines, found)])
        print()


def values(*folders):
    for _, lines in sets(folders):
        found = [v["values"] for v in verdicts(map(text_of, lines))]
        print(*found[0])
        for each in found:
            print(*("nan" if v is None else "%.6g" % v
                    for v in each.values()))


def flags(*folders):
    """A line for each flag, then how many of how many texts have one."""
    for name, lines in sets(folders):
        found = [v["flags"] for v in verdicts(map(text_of, lines))]
        for line, each in zip(lines, found):
            for flag in each:
                print(flag, re.split("[\r\n]", line["text"])[0], sep="\t")
        print("%s: %d of %d texts" % (name, sum(map(bool, found)),
                                      len(lines)))
