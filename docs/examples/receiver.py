#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
Takes what a webhook delivers, once each. README.md beside this file says how to run it.
Python's own library, 3.8 or later.
"""

import base64
import collections
import hashlib
import hmac
import json
import os
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

STALE_SECONDS = 300  # what was signed longer ago may be somebody's recording
BODY_BYTES_MAX = 8_000_000
IDS_MAX = 10_000

SECRET = os.environ.get("FISCALD_WEBHOOK_SECRET", "")
PORT = int(os.environ.get("PORT", "8090"))
if not re.fullmatch(r"whsec_\S+", SECRET):
    sys.exit("Set FISCALD_WEBHOOK_SECRET to the secret shown when the webhook was subscribed.")
KEY = base64.b64decode(SECRET[len("whsec_"):])

# Ids of the last events. A shop keeps them in its database, in the transaction of what it does.
seen = collections.OrderedDict()
seen_lock = threading.Lock()


def is_from_gateway(headers, body):
    """True for what the gateway has signed with our secret, just now."""
    event_id, at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not re.fullmatch(r"[0-9]{1,12}", at) or abs(time.time() - int(at)) > STALE_SECONDS:
        return False
    signed = f"{event_id}.{at}.".encode() + body
    ours = b"v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
    # One header may hold several signatures.
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(one, ours) for one in given)


def read_event(body):
    """Id and type of an event. Raises ValueError, KeyError or TypeError for what is none."""
    event = json.loads(body)
    event_id, event_type = event["id"], event["type"]
    if not isinstance(event_id, str) or not isinstance(event_type, str):
        raise TypeError("id and type are texts")
    return event_id, event_type


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 10

    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not re.fullmatch(r"[0-9]{1,12}", length):
            return self.answer(411)
        if int(length) > BODY_BYTES_MAX:
            return self.answer(413)
        body = self.rfile.read(int(length))
        if not is_from_gateway(self.headers, body):
            return self.answer(401)
        try:
            event_id, event_type = read_event(body)
        except (ValueError, KeyError, TypeError):
            return self.answer(500)
        with seen_lock:
            if event_id not in seen:
                # Your work stands here; answer with 5xx and it comes again.
                print(event_type, event_id, flush=True)
                seen[event_id] = True
                while len(seen) > IDS_MAX:
                    seen.popitem(last=False)
        return self.answer(204)

    def answer(self, status):
        self.send_response(status)
        if status != 204:
            # What was not read of the request would be taken for the next one.
            self.send_header("connection", "close")
            self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        """Nothing but events is written."""


server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
print(f"listening on port {PORT}", flush=True)
server.serve_forever()
