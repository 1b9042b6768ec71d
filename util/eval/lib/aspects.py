# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""Fits the constants of the aspects, and shows the evidence for them.

    util/eval/quality constants DIR...  prints src/analysis/aspects/fitted.txt
    util/eval/quality aspects DIR...    prints the table of evidence

A DIR holds sets of texts, each a folder NAME with *.jsonl.gz or *.jsonl, one
object a line: {"text", "scores", "meta": {"source"}}, {"better", "worse"},
{"text", "label"} or {"request", "answers", "preferred"}.  What is fitted on
which set, and shown on which, stands in evidence.txt beside it.  A set that is
split is fitted on its first, third ... text and shown on the others.  Of a set
of sentences by native writers pairs are constructed: five sentences, and the
same with a slip of the keyboard in each of three.
"""

import gzip
import glob
import json
import math
import os
import random
import subprocess
import sys
import tempfile

from stats import area, mean, right, spearman, spread

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.join(HERE, "..", "..", "..")
ASPECTS = os.path.join(TOP, "src", "analysis", "aspects")
BOUND = 4.0            # JUDGE_ASPECT_BOUND


# --- Sets -------------------------------------------------------------------

def paths_of(dirs, name):
    for folder in dirs:
        paths = sorted(glob.glob(os.path.join(folder, name, "**", "*.jsonl*"),
                                 recursive=True))
        if paths:
            return paths
    return []


def read_set(dirs, name):
    """The lines of a set; None where it is in no folder."""
    paths = paths_of(dirs, name)
    return [json.loads(line) for path in paths for line in
            (gzip.open(path, "rt") if path.endswith(".gz")
             else open(path))] if paths else None


def measure(items):
    """Of each item {"text", "source", "question"} its features and the scores
    of the aspects, by name; a score that is not given is NaN."""
    text = "".join(json.dumps({"text": i["text"],
                               "meta": {k: i[k] for k in ("source", "question")
                                        if isinstance(i.get(k), str)},
                               "scores": {}}) + "\n" for i in items)
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write(text)
        file.flush()
        out = subprocess.run([os.path.join(TOP, "build", "quality"),
                              "--values", file.name], check=True,
                             stdout=subprocess.PIPE)
    out = out.stdout.decode().splitlines()
    names = out[0].split()
    return [dict(zip(names, map(float, line.split()))) for line in out[1:]]


class Texts:
    """A set of texts with people's scores of one criterion."""

    def __init__(self, lines, criterion):
        lines = [x for x in lines if x["scores"].get(criterion) is not None]
        self.items = [{"text": x["text"],
                       "source": x.get("meta", {}).get("source")}
                      for x in lines]
        self.people = [float(x["scores"][criterion]) for x in lines]
        self.values = measure(self.items)


class Pairs:
    """A set of pairs: the better one, the worse one."""

    def __init__(self, lines, close):
        if close:
            lines = [x for x in lines
                     if abs(len(x["better"].split()) - len(x["worse"].split()))
                     <= 0.1 * len(x["worse"].split())]
        beside = [{"source": (x.get("meta") or {}).get("source")}
                  for x in lines]
        self.better = measure([dict(b, text=x["better"])
                               for x, b in zip(lines, beside)])
        self.worse = measure([dict(b, text=x["worse"])
                              for x, b in zip(lines, beside)])


def slip(sentence, rnd):
    """The sentence with two letters of a word exchanged, one left out, one
    twice, or another in its place."""
    words = sentence.split(" ")
    long = [i for i, w in enumerate(words) if len(w) > 4 and w.isalpha()]
    if not long:
        return sentence
    i = rnd.choice(long)
    w = words[i]
    k = rnd.randrange(1, len(w) - 2)
    words[i] = (w[:k] + w[k + 1] + w[k] + w[k + 2:], w[:k] + w[k + 1:],
                w[:k] + w[k] + w[k:],
                w[:k] + rnd.choice("aeioustnr") + w[k + 1:])[rnd.randrange(4)]
    return " ".join(words)


def construct(lines):
    """Pairs of texts of five sentences, the worse one with three slips."""
    rnd = random.Random(1)
    texts = [x["text"] for x in lines]
    pairs = []
    for i in range(0, len(texts) - 4, 5):
        whole = texts[i:i + 5]
        bad = [slip(t, rnd) if k < 3 else t for k, t in enumerate(whole)]
        if bad != whole:
            pairs.append({"better": " ".join(whole), "worse": " ".join(bad)})
    return pairs


# --- The registry -----------------------------------------------------------

def read_aspects():
    aspects = {}
    for path in sorted(glob.glob(os.path.join(ASPECTS, "*.txt"))):
        name = os.path.basename(path)[:-4]
        if name in ("fitted", "wording"):
            continue
        aspect = aspects[name] = {"features": [], "scale": None,
                                  "beside": None}
        for line in open(path):
            words = line.split()
            if line.startswith("terms"):
                break
            if line.startswith("feature "):
                aspect["features"].append(words[1])
            if line.startswith("beside:"):
                aspect["beside"] = words[1]
            if line.startswith("scale:"):
                aspect["scale"] = float(words[1])
    return aspects


def read_evidence():
    """By aspect, what it is fitted on and what it is shown on."""
    rows = {}
    for line in open(os.path.join(HERE, "evidence.txt")):
        words = line.split("#")[0].split()
        if words:
            rows.setdefault(words[0], []).append(words[1:])
    return rows


# --- Fitting ----------------------------------------------------------------

def least_squares(rows, targets, n):
    """Weights that are not negative, by coordinate descent."""
    gram = [[sum(r[i] * r[k] * s for r, t, s in zip(rows, targets[0],
                                                    targets[1]))
             for k in range(n)] for i in range(n)]
    moment = [sum(r[i] * t * s for r, t, s in zip(rows, targets[0],
                                                  targets[1]))
              for i in range(n)]
    w = [0.0] * n
    for _ in range(500):
        for i in range(n):
            rest = moment[i] - sum(gram[i][k] * w[k] for k in range(n)
                                   if k != i)
            w[i] = max(0.0, rest / gram[i][i]) if gram[i][i] > 0 else 0.0
    return w


def fit(name, aspect, evidence, dirs, signs):
    texts, pairs = [], []
    for row in evidence:
        if row[0] != "fit":
            continue
        lines = read_set(dirs, row[1])
        if lines is None:
            sys.exit("constants: there is no set %s in these folders"
                     % row[1])
        if row[2] == "pairs":
            pairs.append(Pairs(lines[::2], False))
        else:
            texts.append(Texts(lines[::2], row[2]))

    features = aspect["features"]

    def column(rows, f):
        return [v[f] for v in rows]

    base = [t.values for t in texts] or [p.better + p.worse for p in pairs]
    means = {f: mean([mean(column(v, f)) for v in base]) for f in features}
    spreads = {f: max(mean([spread(column(v, f)) for v in base]), 1e-6)
               for f in features}

    def normal(row, f):
        z = (row[f] - means[f]) / spreads[f]
        return max(-BOUND, min(BOUND, z)) * signs[name, f]

    rows, targets, shares = [], [], []
    for t in texts:
        z = [[normal(v, f) for f in features] for v in t.values]
        middle = [mean([r[i] for r in z]) for i in range(len(features))]
        people, deviation = mean(t.people), spread(t.people)
        for r, p in zip(z, t.people):
            rows.append([a - b for a, b in zip(r, middle)])
            targets.append((p - people) / deviation)
            shares.append(1 / len(z))
    for p in pairs:
        for b, w in zip(p.better, p.worse):
            rows.append([normal(b, f) - normal(w, f) for f in features])
            targets.append(1.0)
            shares.append(1 / len(p.better))

    w = least_squares(rows, (targets, shares), len(features))
    total = sum(w) or 1.0
    # Halfway between fitted and equal: fitting alone overfits.
    w = [0.5 * x / total + 0.5 / len(w) for x in w]

    for f, x in zip(features, w):
        print("%s %s %.5g %.5g %.3f" % (name, f, means[f], spreads[f],
                                        x * signs[name, f]))
    if aspect["scale"]:
        sums = [[sum(x * normal(v, f) for f, x in zip(features, w))
                 for v in rows_] for rows_ in base]
        middle, deviation = mean(list(map(mean, sums))), \
            mean(list(map(spread, sums)))
        half = aspect["scale"] / 2 * deviation
        print("%s scale %.4g %.4g" % (name, middle - half, middle + half))


def read_signs():
    """+1 or -1: whether more of a feature is better."""
    signs = {}
    for row in open(os.path.join(HERE, "evidence.txt")):
        words = row.split("#")[0].split()
        if len(words) > 2 and words[1] == "less":
            for f in words[2:]:
                signs[words[0], f] = -1
    return signs


# --- Evidence ---------------------------------------------------------------

def formulas(row, beside=None):
    """The best trivial formulas: what anybody could have of the text, and of
    the source where the aspect looks at it."""
    plain = {"length": row["words"], "shorter": -row["words"],
             "Flesch": row["flesch"], "grade": -row["grade"],
             "types": row["types"]}
    if beside == "source":
        plain["overlap"] = row["source_triples"]
    return plain


def show(name, row, dirs, beside):
    lines = read_set(dirs, row[1])
    part = lines[1::2] if "split" in row else lines
    what, n = row[2], len(part)
    if what in ("pairs", "constructed"):
        p = Pairs(construct(part) if what == "constructed" else part,
                  "close" in row)
        n = len(p.better)
        ours = right([v[name] for v in p.better], [v[name] for v in p.worse])
        plain = {k: right([formulas(v, beside)[k] for v in p.better],
                          [formulas(v, beside)[k] for v in p.worse])
                 for k in formulas(p.better[0], beside)}
        unit = "right"
    elif what == "label":
        values = measure([{"text": x["text"]} for x in part])
        bad = [x["label"] != "neither" for x in part]
        ours = area([-50 if math.isnan(v[name]) else -v[name]
                     for v in values], bad)
        plain = {k: area([-formulas(v)[k] for v in values], bad)
                 for k in formulas(values[0])}
        unit = "area"
    else:
        t = Texts(part, what)
        ours = spearman([v[name] for v in t.values], t.people)
        plain = {k: spearman([formulas(v, beside)[k] for v in t.values],
                             t.people)
                 for k in formulas(t.values[0], beside)}
        unit = "Spearman"
    best = max(plain, key=lambda k: plain[k])
    print("%-13s %-16s %-17s %5d  %-8s  %.3f   %.3f %s"
          % (name, row[1], what + (" (close)" if "close" in row else ""), n,
             unit, ours, plain[best], best))


def main():
    mode, dirs = sys.argv[1], sys.argv[2:]
    aspects, evidence = read_aspects(), read_evidence()
    signs = read_signs()

    if mode == "constants":
        print("# Copyright (C) The Judge Authors")
        print("# SPDX-License-Identifier: BSD-2-Clause")
        print("#")
        print("# Printed by util/eval/quality constants: of each feature of an"
              " aspect the mean,")
        print("# the spread and the weight; of its scale the sums that are 0"
              " and 100.")
        for name, aspect in aspects.items():
            print()
            fit(name, aspect, evidence.get(name, []), dirs,
                {(name, f): signs.get((name, f), 1)
                 for f in aspect["features"]})
        return

    rows = [(name, row) for name in aspects for row in evidence.get(name, [])
            if row[0] == "show"]
    missing = sorted({row[1] for _, row in rows
                      if not paths_of(dirs, row[1])})
    if missing:
        print("aspects: not in these folders: %s" % " ".join(missing),
              file=sys.stderr)
    rows = [(name, row) for name, row in rows if row[1] not in missing]
    if not rows:
        sys.exit(1)
    print("%-13s %-16s %-17s %5s  %-8s  %-5s   %s"
          % ("aspect", "set", "criterion", "n", "measure", "ours",
             "best trivial formula"))
    for name, row in rows:
        show(name, row, dirs, aspects[name]["beside"])


if __name__ == "__main__":
    main()
