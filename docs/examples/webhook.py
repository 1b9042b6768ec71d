#!/usr/bin/env python3
"""Takes webhooks and believes none that is not signed by the service.

    . run/env && python3 docs/examples/webhook.py 9000
"""

import base64
import hashlib
import hmac
import http.server
import json
import os
import sys
import time

SECRET = base64.b64decode(os.environ["JUDGE_WEBHOOK_SECRET"]
                          .removeprefix("whsec_"))


def genuine(headers, body):
    """Whether it was signed with our secret in the last five minutes."""
    stamp = headers.get("webhook-timestamp", "")
    if not stamp.isdecimal() or abs(time.time() - int(stamp)) > 300:
        return False
    signed = f"{headers.get('webhook-id', '')}.{stamp}.".encode() + body
    expected = base64.b64encode(
        hmac.digest(SECRET, signed, hashlib.sha256)).decode()
    return any(hmac.compare_digest(f"v1,{expected}", signature)
               for signature in headers.get("webhook-signature", "").split())


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        good = genuine(self.headers, body)
        self.send_response(204 if good else 401)
        self.end_headers()
        if good:                        # answer first, work later
            event = json.loads(body)
            print(event["type"], event["id"], flush=True)

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])),
                                Receiver).serve_forever()
