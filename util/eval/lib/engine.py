# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""The built-in engine, by build/quality, and the sets of texts."""

import gzip
import json
import os
import subprocess
import sys

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                   "..")


def fail(sentence):
    sys.exit("quality   " + sentence)


def ask(what, lines):
    """What util/eval/quality.c, which is built if need be, answers to each
    line."""
    path = "build/quality"
    subprocess.run(["make", "-s", "-C", TOP, "-f", "util/Makefile", path],
                   check=True, stdout=subprocess.DEVNULL)
    asked = "".join(json.dumps(line) + "\n" for line in lines)
    out = subprocess.run([os.path.join(TOP, path), what], input=asked,
                         stdout=subprocess.PIPE, encoding="utf-8")
    if out.returncode != 0:
        sys.exit(1)
    return [json.loads(line) for line in out.stdout.split("\n") if line]


def verdicts(texts, criteria=({"name": "Grammar"},)):
    """Of texts, and what is beside them, by these criteria or their own."""
    return ask("texts", [{"criteria": list(criteria), **text}
                         for text in texts])


def lines_of(path):
    """The objects of a file, one a line or all of them in an array; or of all
    such files of a folder."""
    if os.path.isdir(path):
        for name in sorted(os.listdir(path)):
            if ".json" in name:
                yield from lines_of(os.path.join(path, name))
        return
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8") as file:
        for n, line in enumerate(file, 1):
            if n == 1 and line.lstrip().startswith("["):
                yield from json.loads(line + file.read())
                return
            try:
                yield json.loads(line)
            except ValueError:
                fail(f"{path}:{n}: not a line of the format")


def beside(line):
    meta = line.get("meta") or {}
    return {key: meta[key] for key in ("source", "question")
            if isinstance(meta.get(key), str)}


def text_of(line):
    """The text of a line, and what is beside it."""
    return {"text": line["text"], **beside(line)}


def sets(folders):
    """The name and the lines of each folder's set."""
    for folder in folders:
        lines = list(lines_of(folder)) if os.path.isdir(folder) else []
        if not lines:
            fail(f"{folder}: no *.jsonl.gz there")
        yield os.path.basename(os.path.realpath(folder)), lines
