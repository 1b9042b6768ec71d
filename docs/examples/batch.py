#!/usr/bin/env python3
"""Judges files, shows how far it is, and lists them, the best first.

    . run/env && python3 docs/examples/batch.py JUDGE_ID FILE...
"""

import json
import os
import pathlib
import sys
import urllib.error
import urllib.request


def request(path, body=None):
    """An answer, to be read; the caller closes it."""
    try:
        return urllib.request.urlopen(urllib.request.Request(
            os.environ["JUDGE_URL"] + path,
            data=None if body is None else json.dumps(body).encode(),
            headers={"X-API-Key": os.environ["JUDGE_API_KEY"],
                     "Content-Type": "application/json"}))
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{path}: {json.load(error)['detail']}")


def read(path, body=None):
    with request(path, body) as answer:
        return json.load(answer)


def events(path):
    """The name and the data of each server-sent event."""
    with request(path) as stream:
        name = None
        for line in stream:
            field, _, value = line.decode().rstrip("\n").partition(": ")
            if field == "event":
                name = value
            elif field == "data":
                yield name, json.loads(value)


if len(sys.argv) < 3:
    raise SystemExit(__doc__.strip())

judge, *files = sys.argv[1:]
batch = read("/batches/evaluate", {
    "name": "Files", "judge_ids": [judge],
    "content_items": [{"name": name,
                       "text_content": pathlib.Path(name).read_text("utf-8")}
                      for name in files]})

for name, data in events(f"/batches/{batch['batch_id']}/events"):
    if name == "progress":
        print(f"{data['progress_percentage']:3.0f} %", file=sys.stderr)
    elif name == "done":
        break

# In the order of the files.
with request(f"/batches/{batch['batch_id']}/results?format=jsonl") as lines:
    results = [json.loads(line) for line in lines]

for score, file in sorted(((result.get("overall_score", 0), file)
                           for result, file in zip(results, files)),
                          reverse=True):
    print(f"{score:5.1f}  {file}")
