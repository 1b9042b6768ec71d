# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""What util/eval/quality pairs prints, of the lines of build/quality_pairs."""

import math
import sys

MARGIN = 3             # the better text is ahead by so many points

CURVE = (10, 20, 30, 40, 50, 60, 70, 80, 90, 100)


class Comparison:
    def __init__(self, line):
        (self.id, self.language, self.by, self.aspect, better, worse,
         words_better, words_worse, self.name) = line.rstrip("\n").split("\t")
        self.ahead = float(better) - float(worse)
        self.longer = int(words_better) - int(words_worse)
        self.judged = not math.isnan(self.ahead)


def share(found, n):
    return f"{100 * found / n:5.1f} %" if n else "      -"


def half(differences):
    """How many are above 0, where a tie is half."""
    return sum(1.0 if d > 0 else 0.5 if d == 0 else 0 for d in differences)


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


def main(wrong):
    every = [Comparison(line) for line in sys.stdin]
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
    if wrong:
        print()
        for c in every:
            if c.judged and c.ahead < MARGIN:
                print(f"wrong   {c.id}  {c.aspect or c.by:<13}{c.ahead:>7.1f}"
                      f"  {c.name}")
        for c in every:
            if not c.judged:
                print(f"none    {c.id}  {c.aspect or c.by:<13}"
                      f"{'':>9}{c.name}")


if __name__ == "__main__":
    main("--each" in sys.argv[1:])
