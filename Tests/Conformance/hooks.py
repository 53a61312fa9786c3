"""Steers Schemathesis: held requests end soon, and requests meet what is there.

Loaded by Scripts/conformance. Random names alone would be answered by 404 throughout, so part of the generated ids and
revisions become known ones. Which part depends on the generated text only: a case that fails can be repeated.
"""

import json
import os
import re
import urllib.error
import urllib.request
import zlib

import schemathesis

COLLECTIONS = ["mix", "frameworks", "characters"]
REFRESH_EVERY = 100
LONGEST_WAIT = 0.01
SAMPLES = {name: open(f"Samples/{name}.json", "rb").read() for name in COLLECTIONS}

base = os.environ["MEDLEY_URL"]
admin_token = os.environ.get("MEDLEY_ADMIN_TOKEN", "")
calls = 0
revisions = {}
items = {
    name: [item["id"] for section in json.loads(text)["sections"] for item in section["items"]]
    for name, text in SAMPLES.items()
}


def is_chosen(text, share):
    """Whether a generated text is among a share (of 10) that is replaced."""
    return zlib.crc32(repr(text).encode()) % 10 < share


def one_of(choices, text):
    return choices[zlib.crc32(repr(text).encode()) // 10 % len(choices)]


def refresh():
    """Puts the samples back, which generated edits change and delete."""
    for name, text in SAMPLES.items():
        request = urllib.request.Request(
            f"{base}/v1/collections/{name}", data=text, method="PUT", headers={"Content-Type": "application/json"}
        )
        if admin_token:
            request.add_header("Authorization", f"Bearer {admin_token}")
        with urllib.request.urlopen(request, timeout=20) as answer:
            revisions[name] = answer.headers["Revision"]


def shortened(wait):
    """A valid wait, no longer than the run can afford; anything else as it is."""
    if isinstance(wait, (int, float)) and not isinstance(wait, bool) and wait > LONGEST_WAIT:
        return LONGEST_WAIT
    if isinstance(wait, str) and re.fullmatch(r"[0-9]+(\.[0-9]+)?", wait) and float(wait) > LONGEST_WAIT:
        return str(LONGEST_WAIT)
    return wait


def steer_path(case):
    parameters = case.path_parameters
    name = parameters.get("collection")
    # What a DELETE of a collection hits would be missing until the next refresh.
    is_deletion = case.operation.label.startswith("DELETE /v1/collections/{collection}") and "item" not in parameters
    if isinstance(name, str) and re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}", name) and not is_deletion:
        if is_chosen(name, 8):
            name = parameters["collection"] = one_of(COLLECTIONS, name)
    item = parameters.get("item")
    if isinstance(item, str) and name in items and is_chosen(item, 7):
        parameters["item"] = one_of(items[name], item)
    return name


def is_revision(value):
    return isinstance(value, str) and re.fullmatch(r"[a-z0-9]{1,32}-[1-9][0-9]{0,18}", value) is not None


def steer_query(case, name):
    query = case.query
    if "wait" in query:
        query["wait"] = shortened(query["wait"])
    if is_revision(query.get("since")) and name in revisions and is_chosen(query["since"], 7):
        query["since"] = revisions[name]


def steer_body(case, name):
    body = case.body
    if not isinstance(body, dict):
        return
    if "wait" in body:
        body["wait"] = shortened(body["wait"])
    for member in ("base", "ifRevision"):
        if is_revision(body.get(member)) and name in revisions and is_chosen(body[member], 7):
            body[member] = revisions[name]
    changes = body.get("changes")
    for change in changes if isinstance(changes, list) else []:
        if isinstance(change, dict) and isinstance(change.get("ids"), list) and name in items:
            change["ids"] = [
                one_of(items[name], id) if isinstance(id, str) and is_chosen(id, 7) else id for id in change["ids"]
            ]


@schemathesis.hook
def before_call(context, case, kwargs):
    global calls
    if calls % REFRESH_EVERY == 0:
        refresh()
    calls += 1
    name = steer_path(case) if isinstance(case.path_parameters, dict) else None
    if isinstance(case.query, dict):
        steer_query(case, name)
    steer_body(case, name)


@schemathesis.hook
def after_call(context, case, response):
    name = (case.path_parameters or {}).get("collection")
    revision = response.headers.get("revision")
    if name in items and revision:
        revisions[name] = revision[0] if isinstance(revision, list) else revision


def has_long_string(value):
    """Whether there is a string of more bytes than an id may have; the schema counts characters."""
    if isinstance(value, str):
        return len(value.encode("utf-8", "surrogatepass")) > 256
    if isinstance(value, dict):
        return any(has_long_string(part) for part in value.values())
    return isinstance(value, list) and any(has_long_string(part) for part in value)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Drops what no schema can say."""
    # The contract's schema is for a stream as a whole, as OpenAPI 3.1 has it; streams.py checks the events.
    if "SSE event violates schema" in failure.title:
        return False
    if "Schema-valid request rejected" in failure.title and response.status_code == 400:
        # Which columns and fields there are to name, the document says; and lists of names have quotes of their own.
        if "/import" in case.operation.label and {"map", "id", "section"} & set(case.query or {}):
            return False
        # A cursor is what a page said, and cannot be made up.
        return "cursor" not in (case.query or {}) and not has_long_string(case.body)
    # Where there are no tokens, showing none is no reason: 403, whatever is sent.
    if "Missing required header" in failure.title and case.operation.label == "POST /v1/session":
        return response.status_code != 403 or bool(admin_token)
    if "Schema-violating request accepted" in failure.title:
        # OPTIONS tells the methods of a path whatever its parameters are; `Last-Event-ID` wins over `since`, which is then
        # not looked at.
        headers = {name.lower() for name in case.headers or {}}
        return case.method.upper() != "OPTIONS" and "last-event-id" not in headers
    return True
