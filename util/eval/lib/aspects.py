# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""Shows the evidence for the aspects, and fits their constants, which are
printed as src/analysis/aspects/fitted.txt has them.

A DIR (else JUDGE_DATA) holds sets of texts, each a folder NAME with *.jsonl.gz
or *.jsonl, one object a line: {"text", "scores", "meta": {"source"}},
{"better", "worse"} or {"text", "label"}.  What is fitted on which set, and
shown on which, stands in evidence.txt beside it.  A half is the first, third
... text of a set; the others are its other half.  Of a set of sentences by
native writers pairs are constructed: five sentences, and the same with a slip
of the keyboard in each of three."""


import math
import os
import random
import sys

from engine import TOP, fail, lines_of, verdicts
from stats import half, spearman

HERE = os.path.dirname(os.path.abspath(__file__))
ASPECTS = os.path.join(TOP, "src", "analysis", "aspects")
BOUND = 4.0            # JUDGE_ASPECT_BOUND


# --- Sets -------------------------------------------------------------------

def folders(dirs):
    found = list(dirs) or [os.environ.get("JUDGE_DATA", "")]
    return found if found[0] else fail("name folders of sets, or set"
                                       " JUDGE_DATA")


def path_of(dirs, name):
    """The folder of a set; None where it is in none of these."""
    paths = [os.path.join(folder, name) for folder in dirs]
    return next(filter(os.path.isdir, paths), None)


def measure(lines, key="text"):
    """Of each line its features and the scores of the aspects, by name; NaN
    is not given."""
    return [{name: math.nan if v is None else float("%.6g" % v)
             for name, v in verdict["values"].items()}
            for verdict in verdicts(
                {"text": line[key],
                 "source": (line.get("meta") or {}).get("source")}
                for line in lines)]


class Texts:
    """A set of texts with people's scores of one criterion."""

    def __init__(self, lines, criterion):
        lines = [x for x in lines if x["scores"].get(criterion) is not None]
        self.people = [float(x["scores"][criterion]) for x in lines]
        self.values = measure(lines)


class Pairs:
    """A set of pairs: the better one, the worse one."""

    def __init__(self, lines, close):
        if close:
            lines = [x for x in lines
                     if abs(len(x["better"].split()) - len(x["worse"].split()))
                     <= 0.1 * len(x["worse"].split())]
        self.better = measure(lines, "better")
        self.worse = measure(lines, "worse")


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

def read_aspect(name):
    """Of an aspect; of NAME/elsewhere in other languages than English."""
    name, _, where = name.partition("/")
    aspect = {"features": [], "scale": None, "beside": None}
    for line in open(os.path.join(ASPECTS, name + ".txt")):
        words = line.split()
        if line.startswith("terms"):
            break
        if line.startswith((where or "feature") + " "):
            aspect["features"].append(words[1])
        if line.startswith("beside:"):
            aspect["beside"] = words[1]
        if line.startswith("scale:") and not where:
            aspect["scale"] = float(words[1])
    return aspect


def read_evidence():
    """By aspect, what it is fitted on and what it is shown on."""
    rows = {}
    for line in open(os.path.join(HERE, "evidence.txt")):
        words = line.split("#")[0].split()
        if words:
            rows.setdefault(words[0], []).extend(
                [words[1], each, *words[3:]] for each in words[2].split(","))
    return rows


# --- Fitting ----------------------------------------------------------------

def least_squares(gram, moment):
    """Weights that are not negative, by coordinate descent."""
    w = 0 * moment
    for _ in range(500):
        for i, own in enumerate(gram.diagonal()):
            rest = moment[i] - gram[i] @ w + own * w[i]
            w[i] = max(0.0, rest / own) if own > 0 else 0.0
    return w


def fit(name, rows, dirs):
    import numpy               # nothing else here needs it

    aspect = read_aspect(name)
    features, texts, pairs, less = aspect["features"], [], [], set()
    for row in rows:
        if row[0] == "less":           # of these less is better
            less.update(row[1:])
        if row[0] not in ("fit", "half"):
            continue
        path = path_of(dirs, row[1])
        if path is None:
            fail(f"there is no set {row[1]} in these folders")
        lines = list(lines_of(path))[::2]
        if row[2] == "pairs":
            pairs.append(Pairs(lines, False))
        else:
            texts.append(Texts(lines, row[2]))

    def columns(values):
        return numpy.array([[v[f] for f in features] for v in values])

    base = [columns(t.values) for t in texts] \
        or [columns(p.better + p.worse) for p in pairs]
    means = numpy.mean([b.mean(0) for b in base], 0)
    spreads = numpy.mean([b.std(0) for b in base], 0).clip(1e-6)
    signs = numpy.array([-1 if f in less else 1 for f in features])

    def normal(rows):
        return ((rows - means) / spreads).clip(-BOUND, BOUND) * signs

    # Rows, what they should come to, and how much each counts.
    parts = []
    for t in texts:
        z, people = normal(columns(t.values)), numpy.array(t.people)
        parts.append((z - z.mean(0), (people - people.mean()) / people.std(),
                      1 / len(z)))
    for p in pairs:
        z = normal(columns(p.better)) - normal(columns(p.worse))
        parts.append((z, numpy.ones(len(z)), 1 / len(z)))

    w = least_squares(sum(share * z.T @ z for z, _, share in parts),
                      sum(share * z.T @ target for z, target, share in parts))
    # Halfway between fitted and equal: fitting alone overfits.
    w = 0.5 * w / (w.sum() or 1.0) + 0.5 / len(w)

    sums = [normal(b) @ w for b in base]
    if "/" in name:            # the scale is that of English
        w = w / numpy.mean([s.std() for s in sums])
    for row in zip(features, means, spreads, w * signs):
        print(name, "%s %.5g %.5g %.3f" % row)
    if aspect["scale"]:
        middle = numpy.mean([s.mean() for s in sums])
        side = aspect["scale"] / 2 * numpy.mean([s.std() for s in sums])
        print("%s scale %.4g %.4g" % (name, middle - side, middle + side))


def constants(*dirs):
    print("# Copyright (C) The Judge Authors\n"
          "# SPDX-License-Identifier: BSD-2-Clause\n#\n"
          "# Printed by util/eval/quality constants: of each feature of an"
          " aspect the mean,\n# the spread and the weight; of its scale the"
          " sums that are 0 and 100.")
    for name, rows in sorted(read_evidence().items()):
        print()
        fit(name, rows, folders(dirs))


# --- Evidence ---------------------------------------------------------------

# The trivial formulas: what anybody could have of the text, and of the source
# where the aspect looks at it.
FORMULAS = {
    "length": lambda v: v["words"],
    "shorter": lambda v: -v["words"],
    "Flesch": lambda v: v["flesch"],
    "grade": lambda v: -v["grade"],
    "types": lambda v: v["types"],
    "overlap": lambda v: v["source_triples"],
}


def show(name, row, dirs):
    lines = list(lines_of(path_of(dirs, row[1])))
    part = lines[1::2] if row[0] == "half" or "split" in row else lines
    aspect, what, n = name.partition("/")[0], row[2], len(part)
    if what in ("pairs", "constructed"):
        p = Pairs(construct(part) if what == "constructed" else part,
                  "close" in row)
        n, unit = len(p.better), "right"

        def figure(f):
            return half(f(b) - f(w) for b, w in zip(p.better, p.worse)) / n
    elif what == "label":
        good, bad = (measure([{"text": x["text"]} for x in part
                              if (x["label"] == "neither") == neither])
                     for neither in (True, False))
        unit = "area"

        def figure(f):                 # under the curve
            a, b = ([50 if math.isnan(f(v)) else f(v) for v in values]
                    for values in (good, bad))
            return half(x - y for x in a for y in b) / (len(a) * len(b))
    else:
        t, unit = Texts(part, what), "Spearman"

        def figure(f):
            return spearman(list(map(f, t.values)), t.people)

    plain = {k: figure(f) for k, f in FORMULAS.items()
             if k != "overlap" or read_aspect(name)["beside"] == "source"}
    best = max(plain, key=lambda k: plain[k])
    print("%-13s %-16s %-17s %5d  %-8s  %.3f   %.3f %s"
          % (aspect, row[1], what + (" (close)" if "close" in row else ""), n,
             unit, figure(lambda v: v[aspect]), plain[best], best))


def evidence(*dirs):
    dirs = folders(dirs)
    rows = [(name, row) for name, rows in sorted(read_evidence().items())
            for row in rows if row[0] in ("show", "half")]
    missing = sorted({row[1] for _, row in rows
                      if path_of(dirs, row[1]) is None})
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
        show(name, row, dirs)
