# A receiver of webhooks with Python's own library. FRONTDESK_WEBHOOK_SECRET=whsec_… PORT=3000 python3 receiver.py
import base64
import binascii
import hashlib
import hmac
import json
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["FRONTDESK_WEBHOOK_SECRET"]
TOLERANCE_SECONDS = 300
MAX_BODY_BYTES = 5 * 1024 * 1024

# In your program: a table with a unique key, which outlives a restart. An event may come again after days.
handled = set()
lock = threading.Lock()


def is_from_frontdesk(body, headers, secret):
    """Whether both signatures fit the raw body. While a secret is being replaced, each comes twice: one of the two is enough."""
    service = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    services = [headers.get("x-service-signature", ""), headers.get("x-service-signature-previous", "")]

    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
        age_seconds = time.time() - int(timestamp)
    except (binascii.Error, ValueError):
        return False
    if not key or abs(age_seconds) > TOLERANCE_SECONDS:
        return False
    content = f"{message_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return is_one_of(services, service) and is_one_of(given, expected)


def is_one_of(given, expected):
    """The comparison takes the same time wherever the first difference is."""
    return any(hmac.compare_digest(one.encode(), expected.encode()) for one in given)


def handle(event):
    print(event["event"], event["id"], flush=True)


class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self):
        length = int(self.headers.get("content-length", 0))
        if length > MAX_BODY_BYTES:
            return self.answer(413)
        body = self.rfile.read(length)
        if not is_from_frontdesk(body, self.headers, SECRET):
            return self.answer(400)
        event = json.loads(body)
        with lock:
            is_new = event["id"] not in handled
            handled.add(event["id"])
        # First the answer, which Frontdesk waits for at most 10 seconds, then the work.
        self.answer(204)
        if is_new:
            handle(event)

    def answer(self, status):
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()
        self.wfile.flush()


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 3000))), Receiver).serve_forever()
