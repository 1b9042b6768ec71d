# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""How well judges learn from corrections, seen from outside: over the HTTP
interface of the service that JUDGE_URL and JUDGE_API_KEY name (. run/env) each
number of corrections gets a judge of its own, which evaluates the texts in a
batch, gets people's scores, is trained, and then evaluates texts that nobody
corrected.

Texts are divided by a hash of their id (a fifth is unseen); where they name
their document and system, a third of both is, and what mixes the two is left
out."""

import hashlib
import math
import os
import sys
import time

from engine import TOP, beside, fail, sets
from stats import mean, pearson, ranks

sys.path.append(os.path.join(TOP, "util", "judgectl"))

import batches
from client import Client
from items import Item
from people import entry_of

NAME = "Quality of learning"


# --- The service ------------------------------------------------------------

def new_judge(client, name, criteria):
    made = client.post("/judges", {
        "name": f"{NAME}: {name}", "content_type": "text",
        "description": "As people scored",
        "criteria": [{"name": c, "description": c} for c in criteria]})
    return client.get("/judges/" + made["judge_id"])


def evaluate(client, judge, samples):
    """The batch, and its results in order."""
    batch, rows = batches.of_items(client, NAME, judge, [
        Item(s["id"], s["text"], metadata=beside(s)) for s in samples])
    rows = [row for row in rows if row.get("criteria_scores")]
    if len(rows) != len(samples):
        fail(f"a batch has {len(rows)} results, not {len(samples)}")
    return batch, rows


def correct(client, judge, samples):
    """Tells people's scores of the texts, once they are judged."""
    batch, rows = evaluate(client, judge, samples)
    low, high = samples[0]["range"]
    entries = [{"evaluation_id": row["evaluation_id"], **entry_of(row, {
        "scores": {c: 100 * (human - low) / (high - low)
                   for c, human in s["scores"].items()}})}
               for row, s in zip(rows, samples)]
    for i in range(0, len(entries), 2000):
        client.post(f"/batches/{batch}/feedback",
                    {"feedback_entries": entries[i:i + 2000]})


def train(client, judge):
    """The training job when it has ended."""
    job = client.post("/training/jobs", {
        "judge_id": judge["judge_id"], "training_type": "full_retrain",
        "training_config": {}, "execution_options": {"auto_deploy": True}})
    client.post(f"/training-jobs/{job['job_id']}/execute")
    path = "/training/jobs/" + job["job_id"]
    batches.ended(client, path + "/events", lambda name, data: None)
    return client.get(path)


# --- Which texts ------------------------------------------------------------

def order(seed, text):
    """By a hash, so that the same texts are unseen in every run of a seed."""
    return int(hashlib.md5(f"{seed} {text}".encode()).hexdigest()[:8], 16)


def divide(samples, seed):
    """The texts to learn from, and those that stay unseen."""
    def third(what):
        every = sorted({str((s.get("meta") or {}).get(what, ""))
                        for s in samples},
                       key=lambda value: order(seed, f"{what} {value}"))
        return set(every[:len(every) // 3])

    held = {what: third(what) for what in ("doc", "system")}
    learn, unseen = [], []
    for s in sorted(samples, key=lambda s: order(seed, s["id"])):
        meta = s.get("meta") or {}
        if meta.get("doc") is None or meta.get("system") is None:
            (learn if order(seed, f"unseen {s['id']}") % 5
             else unseen).append(s)
            continue
        n = sum(str(meta[what]) in held[what] for what in held)
        if n != 1:
            (unseen if n else learn).append(s)
    return learn, unseen


# --- Figures ----------------------------------------------------------------

def rmse(x, y):
    return math.sqrt(mean([(a - b) ** 2 for a, b in zip(x, y)]))


def figures(learned, unseen, rows, criteria):
    """Of each criterion: the error of the judge, of the untrained one, and of
    always giving the mean that was seen; Pearson's and Spearman's correlation,
    and that of the untrained one."""
    low, high = learned[0]["range"]
    for c in criteria:
        human = [s["scores"][c] for s in unseen]
        found = [next(s for s in row["criteria_scores"] if s["name"] == c)
                 for row in rows]
        judged, raw = ([low + score / 100 * (high - low) for score in scores]
                       for scores in (
                           [s["score"] for s in found],
                           [s.get("raw_score", s["score"]) for s in found]))
        average = mean([s["scores"][c] for s in learned])
        yield (rmse(judged, human), rmse(raw, human),
               rmse([average] * len(human), human), pearson(judged, human),
               pearson(ranks(judged), ranks(human)),
               pearson(ranks(raw), ranks(human)))


def learn(*folders, items="25,100,all", seed="0"):
    if "JUDGE_URL" not in os.environ or "JUDGE_API_KEY" not in os.environ:
        fail("learn: JUDGE_URL and JUDGE_API_KEY name the service")
    print("%-10s %6s %7s  %6s %9s %6s  %8s  %8s %9s  %8s"
          % ("set", "items", "unseen", "rmse", "untrained", "mean", "pearson",
             "spearman", "untrained", "training"))
    client = Client(os.environ["JUDGE_URL"], os.environ["JUDGE_API_KEY"],
                    timeout=120)
    for name, samples in sets(folders):
        for n in items.split(","):
            learned, unseen = divide(samples, seed)
            learned = learned[:None if n == "all" else int(n)]
            criteria = sorted(learned[0]["scores"])
            judge = new_judge(client, name, criteria)
            correct(client, judge, learned)
            began = time.time()
            job = train(client, judge)
            took = time.time() - began
            _, rows = evaluate(client, judge, unseen)
            result = job.get("results") or {}
            print("%-10s %6d %7d  %6.3f %9.3f %6.3f  %8.3f  %8.3f %9.3f"
                  "  %6.1f s  %s"
                  % (name, len(learned), len(unseen),
                     *map(mean, zip(*figures(learned, unseen, rows,
                                             criteria))), took,
                     "" if result.get("deployed") else
                     f"{job['status']}, not deployed: "
                     f"{result.get('deployment_reason')}"), flush=True)
