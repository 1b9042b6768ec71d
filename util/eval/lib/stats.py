# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""Statistics that the measurements of util/eval share."""

import math


def mean(x):
    return sum(x) / len(x) if x else 0.0


def spread(x):
    m = mean(x)
    return math.sqrt(mean([(v - m) ** 2 for v in x]))


def ranks(x):
    order = sorted(range(len(x)), key=lambda i: x[i])
    out = [0.0] * len(x)
    i = 0
    while i < len(x):
        k = i
        while k + 1 < len(x) and x[order[k + 1]] == x[order[i]]:
            k += 1
        for j in range(i, k + 1):
            out[order[j]] = (i + k) / 2
        i = k + 1
    return out


def pearson(a, b):
    ma, mb = mean(a), mean(b)
    sa, sb = spread(a), spread(b)
    if sa == 0 or sb == 0:
        return 0.0
    return mean([(p - ma) * (q - mb) for p, q in zip(a, b)]) / (sa * sb)


def spearman(x, y):
    """A score that is not given is no score at all: it counts as the least."""
    low = min([v for v in x if not math.isnan(v)], default=0) - 1
    return pearson(ranks([low if math.isnan(v) else v for v in x]), ranks(y))


def area(x, positive):
    """Under the curve: how often one that is positive is above one that is
    not; ties count half."""
    r = ranks(x)
    n1 = sum(positive)
    n0 = len(x) - n1
    return (sum(v + 1 for v, p in zip(r, positive) if p)
            - n1 * (n1 + 1) / 2) / (n1 * n0)


def right(better, worse):
    return mean([1.0 if b > w else 0.5 if b == w else 0.0
                 for b, w in zip(better, worse)])


def share(part, of, width=5):
    return f"{100 * part / of:{width}.1f} %" if of else "-".rjust(width + 2)
