#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
A till's day: cash in, a sale, the storno of a part of it, the Z report, the comparison of the day
and the journal. README.md beside this file says how to run it. Python's own library, 3.8 or later.
"""

import json
import os
import random
import re
import ssl
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

PATIENCE_SECONDS = 240  # longer than the gateway lets a command wait for its device
ANSWER_SECONDS = 15  # an answer begins within this, but for one that was asked to wait
WAIT_SECONDS = 30

SOLD = [
    {"name": "Coffee", "quantity": 2, "price": 1.5, "vatGroup": "VAT2"},
    {"name": "Oranges", "quantity": 1.254, "price": 8.99, "vatGroup": "VAT2"},
]
RETURNED = [{"name": "Coffee", "quantity": 1, "price": 1.5, "vatGroup": "VAT2"}]

# With these the server below the API ends a connection by itself: they say no more than silence.
WITHOUT_BODY = (400, 413, 431, 505)


class Problem(Exception):
    """Something that a person has to do."""


class Unsupported(Problem):
    """This printer has no such document."""


class Refusal(Exception):
    """The gateway does not do it. `code` is to branch on, the message is for people."""

    def __init__(self, status, headers, body):
        try:
            shown = json.loads(body)
            # That of the rate limiter is flat.
            shown = shown.get("error", shown)
            self.code, message = shown["code"], shown["message"]
        except (ValueError, KeyError, AttributeError):
            self.code, message = "UNREADABLE", f"status {status} without the gateway's words"
        details = shown.get("details", "") if self.code != "UNREADABLE" else ""
        super().__init__(f"{message} {details}".strip())
        self.status = status
        self.retry_after = int(headers.get("Retry-After") or 0)


class Gateway:
    def __init__(self, url, key):
        self.url, self.key = url, key

    def call(self, method, path, body=None, headers=None, wait=0):
        """One request. Returns the text of the answer. Raises Refusal, or OSError without one."""
        request = urllib.request.Request(
            f"{self.url}/api/v1{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={
                "X-Api-Key": self.key,
                "Content-Type": "application/json",
                **(headers or {}),
            },
        )
        try:
            with urllib.request.urlopen(request, timeout=ANSWER_SECONDS + wait) as answer:
                if answer.headers.get("Idempotency-Body-Mismatch") == "true":
                    raise Problem(f"{headers} was used for something else: this was not queued")
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            if error.code in (307, 308):
                to = error.headers.get("Location")
                raise Problem(f"{self.url} leads to {to}: set FISCALD_URL to its beginning")
            if error.headers.get("Idempotency-Body-Mismatch") == "true":
                raise Problem(f"{headers} was used for something else: this was not queued")
            text = error.read().decode(errors="replace")
            if error.code in WITHOUT_BODY and not text:
                raise ConnectionError(f"status {error.code} without a body")
            raise Refusal(error.code, error.headers, text)
        except urllib.error.URLError as error:
            # That stays as it is: repeating it would keep the cashier waiting for nothing.
            if isinstance(error.reason, ssl.SSLCertVerificationError):
                how = "SSL_CERT_FILE has to name the gateway's authority, see docs/tls.md"
                raise Problem(f"{self.url} is not trusted: {error.reason}. {how}")
            raise

    def ask(self, ends_at, *request, **options):
        """Asks again until there is an answer: only for what may come twice. Returns its command."""
        pause = 0.5
        while True:
            try:
                return json.loads(self.call(*request, **options))["command"]
            except Refusal as refusal:
                if refusal.status != 429 and refusal.status < 500:
                    raise
                failure, pause = refusal, max(pause, refusal.retry_after)
            except (OSError, ValueError, KeyError, TypeError) as error:
                # No answer, one that was cut off or not the gateway's: nobody knows whether it was done.
                failure = Problem(f"no answer of {self.url}: {error}. Start again as before")
            delay = pause * random.uniform(1, 1.25)
            if time.monotonic() + delay > ends_at:
                raise failure
            time.sleep(delay)
            pause = min(pause * 2, max(10, pause))

    def print(self, key, device_id, kind, payload):
        """
        Queues a command, once for its key, and waits for its end: sending it again under the same
        key does nothing twice. Returns the command as it then is.
        """
        # Without a key nothing tells a repeat from a second sale: both would print.
        if not re.fullmatch("[A-Za-z0-9_-]{1,128}", key or ""):
            raise Problem(f"{key!r} is no key (1 to 128 of A-Z, a-z, 0-9, _ and -): nothing was sent")
        ends_at = time.monotonic() + PATIENCE_SECONDS
        order = {"deviceId": device_id, "type": kind, "payload": payload}
        headers = {"Idempotency-Key": key}
        command = self.ask(ends_at, "POST", "/commands", order, headers)
        while not is_final(command) and time.monotonic() < ends_at:
            path = f"/commands/{command['id']}?wait={WAIT_SECONDS}"
            command = self.ask(ends_at, "GET", path, wait=WAIT_SECONDS)
            if not is_final(command):
                time.sleep(0.5)
        return command


def is_final(command):
    return command["status"] in ("completed", "failed", "timeout")


def outcome_of(command):
    """`printed`, `not_printed`, `unknown` or `under_way`."""
    if not is_final(command):
        return "under_way"
    # What a person said of it goes before what the device told.
    if "resolution" in command:
        return command["resolution"]["outcome"] or "unknown"
    if command["status"] == "completed":
        return "printed"
    return (command["result"].get("data") or {}).get("outcome", "unknown")


class Till:
    def __init__(self, gateway, device_id, number, attempts):
        self.gateway, self.device_id = gateway, device_id
        self.number, self.attempts = number, attempts

    def once(self, what, kind, payload):
        """
        Prints something once, however often the till is started again with the same number. What
        was certainly not printed is tried anew, under a new key, once the cashier has mended it.
        """
        reason = code = ""
        for attempt in range(1, self.attempts + 1):
            key = f"till1-{self.number}-{what.replace(' ', '-')}-{attempt}"
            command = self.gateway.print(key, self.device_id, kind, payload)
            outcome, result = outcome_of(command), command["result"] or {}
            if outcome == "printed":
                said = (command.get("resolution") or {}).get("fiscalId")
                return command, result.get("data") or {}, said or result.get("fiscalId")
            if outcome == "unknown":
                raise Problem(
                    f"{what}: nobody knows. Look at the paper, then tell the gateway what is there:\n"
                    f"POST {self.gateway.url}/api/v1/commands/{command['id']}/resolve"
                )
            if outcome == "under_way":
                raise Problem(
                    f"{what}: not ended yet. Start again with {self.number} {self.attempts}"
                )
            code = result.get("errorCode")
            reason = f"{result.get('errorMessage')} ({code})"
        kind_of_problem = Unsupported if code == "E201" else Problem
        raise kind_of_problem(
            f"{what}: not printed, {reason}. Mend it, "
            f"then start again with {self.number} {self.attempts + 1}"
        )

    def day(self):
        _, cash, _ = self.once("cash in", "cash_in", {"amount": 50})
        print(f"cash in: {money(cash.get('cashBalance'))} in the drawer")

        # In Bulgaria every sale has a number: the device's, the operator's, and its own.
        unique_sale_number = f"DT000600-0001-{self.number:0>7}"
        command, sale, fiscal_id = self.once(
            "sale",
            "print_receipt",
            {
                "uniqueSaleNumber": unique_sale_number,
                "items": SOLD,
                "payments": [
                    {"method": "card", "amount": 10},
                    {"method": "cash", "amount": 4.27},
                ],
            },
        )
        print(f"sale: receipt {fiscal_id}, {money(sale.get('totalAmount'))}")

        reversal = {
            "uniqueSaleNumber": unique_sale_number,
            "originalReceiptNumber": sale.get("receiptNumber") or fiscal_id or "",
            "originalReceiptDateTime": sale.get("issuedAt") or command["finishedAt"],
            "fiscalMemorySerialNumber": sale.get("fiscalMemorySerialNumber") or "",
            "reason": "refund",
            "items": RETURNED,
            "payments": [{"method": "cash", "amount": 1.5}],
        }
        try:
            _, storno, storno_id = self.once("storno", "print_reversal_receipt", reversal)
            print(f"storno: receipt {storno_id}, {money(storno.get('totalAmount'))}")
        except Unsupported:
            # As all in Romania. A person has nothing to mend, and the day has to be closed.
            print("storno: this printer has none (E201), the day goes on")

        command, z, _ = self.once("Z report", "z_report", {})
        print(f"Z report: number {z.get('reportNumber')}")

        device = urllib.parse.urlencode({"deviceId": self.device_id})
        daily = json.loads(self.gateway.call("GET", f"/reports/daily?{device}"))
        days = [day for row in daily["devices"] for day in row["fiscalDays"]]
        closed = next(d for d in days if d["report"] and d["report"]["commandId"] == command["id"])
        totals = closed["stored"]["totals"]
        agrees = "as the printer has it" if closed["balanced"] else "LOOK AT IT"
        print(f"day: {money(totals['gross'])} sold, {money(totals['reversals'])} taken back, {agrees}")

        journal = self.gateway.call("GET", f"/reports/journal?{device}")
        # Its last element counts what is in it: a file without it was cut off on the way.
        end = re.search(r'<end receipts="(\d+)" reports="(\d+)"', journal)
        if not end:
            raise Problem("journal: cut off, get it again")
        with open("journal.xml", "w", encoding="utf-8") as file:
            file.write(journal)
        print(f"journal: {end[1]} receipts and {end[2]} reports in journal.xml")


def money(amount):
    return "?" if amount is None else f"{amount:.2f}"


def main():
    try:
        url, key, device_id = (
            os.environ[name] for name in ("FISCALD_URL", "FISCALD_KEY", "FISCALD_DEVICE")
        )
    except KeyError as missing:
        print(f"set {missing.args[0]}", file=sys.stderr)
        return 2
    # The till's own number of what it does, and how often the cashier has mended something.
    number, attempts = (sys.argv[1:] + ["1001", "1"][len(sys.argv) - 1 :])[:2]
    try:
        Till(Gateway(url, key), device_id, number, int(attempts)).day()
        return 0
    except (Problem, Refusal, OSError) as problem:
        print(problem, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
