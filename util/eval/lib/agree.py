# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""How the engine's scores agree with people's, for each criterion of a set.

    util/eval/quality DIR...

Prints Pearson's and Spearman's correlation, in how many texts the criterion
was judged, and both means; one that nothing judges has 0 in none."""

import json
import math
import subprocess
import sys

from stats import mean, pearson, spearman


def row(name, criterion, pairs):
    human, ours = [p for p, _ in pairs], [q for _, q in pairs]
    both = pearson(human, ours), spearman(ours, human)
    print("%-16s  %-16s  %6d  %8.3f  %8.3f  %6.2f  %6.2f"
          % (name, criterion, len(pairs), *both, mean(human), mean(ours)))
    return both


def agree(program, path):
    name = path.rsplit("/", 1)[-1]
    lines = [json.loads(line) for line in open(path)]
    out = subprocess.run([program, path], stdout=subprocess.PIPE)
    if out.returncode != 0:
        sys.exit(1)
    head, *rows = out.stdout.decode().splitlines()
    criteria = head.split("\t")
    scores = [dict(zip(criteria, map(float, r.split("\t")))) for r in rows]

    def judged(criterion, of):
        return [(float(of(x)), s[criterion]) for x, s in zip(lines, scores)
                if of(x) is not None and not math.isnan(s[criterion])]

    print("%-16s  %-16s  %6s  %8s  %8s  %6s  %6s"
          % ("data", "criterion", "texts", "Pearson", "Spearman", "human",
             "ours"))
    sums = [row(name, c, judged(c, lambda x, c=c: x["scores"].get(c)))
            for c in criteria[:-1]]
    print("%-16s  %-16s  %6s  %8.3f  %8.3f"
          % (name, "(mean)", "", *map(mean, ([p for p, _ in sums],
                                             [q for _, q in sums]))))
    row(name, "(overall)", judged("(overall)", lambda x: x.get("overall")))
    print()


for path in sys.argv[2:]:
    agree(sys.argv[1], path)
