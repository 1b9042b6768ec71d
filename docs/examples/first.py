#!/usr/bin/env python3
"""A judge, a text, its scores, and a correction; with what Python brings.

    . run/env && python3 docs/examples/first.py
"""

import json
import os
import urllib.error
import urllib.request


def call(method, path, body=None, **headers):
    """One request; its answer as Python has it."""
    request = urllib.request.Request(
        os.environ["JUDGE_URL"] + path, method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"X-API-Key": os.environ["JUDGE_API_KEY"],
                 "Content-Type": "application/json", **headers})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{method} {path}: {json.load(error)['detail']}")


judge = call("POST", "/judges", {
    "name": "Answers to customers",
    "description": "Replies of our support to customers who wrote to us.",
    "content_type": "text",
    "criteria": [
        {"name": "Clarity", "description": "Plain words, short sentences."},
        {"name": "Warmth", "description": "Friendly and respectful."},
    ]})

# Prefer: wait makes the answer come with the result.
evaluation = call("POST", "/evaluations/single", {
    "judge_id": judge["judge_id"],
    "text_content": "Dear Ms Weber, thank you for telling us. The lamp that"
                    " broke will be replaced: a new one left our warehouse"
                    " this morning and should be with you on Thursday."
                    " Please keep the old one, we do not need it back.",
}, Prefer="wait=30")

print(f"{evaluation['overall_score']:5.1f}  {evaluation['summary']}")
for score in evaluation["criteria_scores"]:
    print(f"{score['score']:5.1f}  {score['name']}: {score['feedback']}")
for rest in evaluation.get("not_judged", []):
    print(f"    -  {rest['name']}: {rest['reason']}")

# What a person thinks of it; training learns from such corrections, also what
# nothing judges yet.
warmth = judge["criteria"][1]["criterion_id"]
feedback = call("POST", f"/feedback/evaluation/{evaluation['evaluation_id']}", {
    "type": "correction",
    "content": {"corrected_scores": {warmth: 90},
                "comment": "It says what comes next, and asks for nothing."}})
print("corrected:", feedback["feedback_id"])
