# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""Statistics that the measurements of util/eval share."""

import bisect
import math
import statistics


def mean(x):
    return statistics.fmean(x) if x else 0.0


def ranks(x):
    """From 0; equal ones share the mean of their places."""
    places = sorted(x)
    return [(bisect.bisect_left(places, v) + bisect.bisect_right(places, v)
             - 1) / 2 for v in x]


def pearson(a, b):
    try:
        return statistics.correlation(a, b)
    except statistics.StatisticsError:      # one of them is always the same
        return 0.0


def spearman(x, y):
    """A score that is not given is no score at all: it counts as the least."""
    low = min([v for v in x if not math.isnan(v)], default=0) - 1
    return pearson(ranks([low if math.isnan(v) else v for v in x]), ranks(y))


def half(differences):
    """How many are above 0, where a tie is half."""
    return sum(1.0 if d > 0 else 0.5 if d == 0 else 0 for d in differences)


def share(part, of, width=5):
    return f"{100 * part / of:{width}.1f} %" if of else "-".rjust(width + 2)
