"""Reads the event streams of a running server as a client does, which Schemathesis does not: each event's data is what
the contract says of changes, an edit arrives, and what is refused is refused before a stream begins.

usage: streams.py URL [TOKEN [READ_TOKEN]]
"""

import http.client
import json
import signal
import sys
import urllib.parse

import jsonschema_rs
import yaml

TIMEOUT = 20
# Comments keep a stream alive in which nothing comes that is waited for.
signal.alarm(120)


def fail(message):
    sys.exit(f"streams: {message}")


class Server:
    def __init__(self, url, contract):
        self.address = urllib.parse.urlsplit(url).netloc
        self.contract = contract
        self.count = 0

    def schema(self, reference):
        return jsonschema_rs.validator_for({"$ref": f"#{reference}", "components": self.contract["components"]})

    def ask(self, method, path, token="", body=None, headers=()):
        connection = http.client.HTTPConnection(self.address, timeout=TIMEOUT)
        fields = dict(headers)
        if token:
            fields["Authorization"] = f"Bearer {token}"
        if body is not None:
            fields["Content-Type"] = "application/json"
        connection.request(method, path, body=body, headers=fields)
        return connection.getresponse()

    def refuses(self, path, status, token="", headers=()):
        """A request is answered by a problem that the operation documents."""
        answer = self.ask("GET", path, token, headers=headers)
        text = answer.read()
        if answer.status != status or answer.headers["Content-Type"] != "application/problem+json":
            fail(f"{path}: {answer.status} {answer.headers['Content-Type']}, {status} expected: {text[:200]!r}")
        template = "/v1/events" if path.startswith("/v1/events") else "/v1/collections/{collection}/events"
        if str(status) not in self.contract["paths"][template]["get"]["responses"]:
            fail(f"{path}: {status} is not documented")
        self.schema("/components/schemas/Problem").validate(json.loads(text))
        self.count += 1

    def stream(self, path, token="", headers=()):
        answer = self.ask("GET", path, token, headers=headers)
        if answer.status != 200 or answer.headers["Content-Type"] != "text/event-stream":
            fail(f"{path}: {answer.status} {answer.headers['Content-Type']}: {answer.read(200)!r}")
        if "no-store" not in (answer.headers["Cache-Control"] or ""):
            fail(f"{path}: Cache-Control is {answer.headers['Cache-Control']}")
        return Stream(self, path, answer)

    def head(self, path, status, token=""):
        answer = self.ask("HEAD", path, token)
        if answer.status != status or answer.read():
            fail(f"HEAD {path}: {answer.status}, {status} expected, without a body")
        self.count += 1


class Stream:
    def __init__(self, server, path, answer):
        self.server, self.path, self.answer = server, path, answer
        if not self.line().startswith("retry: "):
            fail(f"{path}: the stream does not begin with retry")

    def line(self):
        line = self.answer.readline()
        if not line.endswith(b"\n"):
            fail(f"{self.path}: the stream ended")
        return line.decode().rstrip("\n")

    def event(self, *names):
        """The next event: its data, checked against the contract."""
        fields = {}
        while not fields:
            while line := self.line():
                if not line.startswith(":"):
                    name, _, value = line.partition(": ")
                    fields[name] = value
        if fields.get("event") not in names:
            fail(f"{self.path}: event {fields.get('event')}, {names} expected")
        data = json.loads(fields["data"])
        if fields["event"] in ("changes", "reset"):
            self.server.schema("/components/schemas/Changes").validate(data)
            if (fields["event"] == "reset") != (data.get("reset") is True):
                fail(f"{self.path}: a reset that is none: {fields['data'][:200]}")
            if "id" not in fields:
                fail(f"{self.path}: an event without an id")
        self.server.count += 1
        return data, fields

    def close(self):
        self.answer.close()


def main(url, token="", read_token=""):
    with open("openapi.yaml", "rb") as file:
        server = Server(url, yaml.safe_load(file))
    reader = read_token or token
    one, many = "/v1/collections/mix/events", "/v1/events"
    like = json.dumps({"changes": [{"op": "toggleLike", "ids": ["v1"]}]})

    # Whatever was done to it before.
    with open("Samples/mix.json", "rb") as file:
        answer = server.ask("PUT", "/v1/collections/mix", token, file.read())
    answer.read()
    revision = answer.headers["Revision"]
    for path in (f"{one}?since=REVISION", f"{many}?collections=mix", f"{many}?collections=mix&since=mix=REVISION"):
        path = path.replace("REVISION", revision)
        stream = server.stream(path, reader)
        data, _ = stream.event("changes")
        if data["changes"] != []:
            fail(f"{path}: the first event has changes")
        answer = server.ask("PATCH", "/v1/collections/mix", token, like)
        to = json.loads(answer.read()).get("to") or fail(f"an edit is answered by {answer.status}")
        data, fields = stream.event("changes")
        if data["to"] != to or [change["op"] for change in data["changes"]] != ["update"]:
            fail(f"{path}: an edit arrives as {fields['data'][:200]}")
        stream.close()
        revision = to
    for path, headers in (
        (one, {}),
        (f"{one}?since=other-1", {}),
        (one, {"Last-Event-ID": "other-1"}),
        (f"{many}?collections=mix", {"Last-Event-ID": "mix=other-1"}),
    ):
        stream = server.stream(path, reader, headers)
        stream.event("reset")
        stream.close()
    stream = server.stream(f"{many}?collections=no-such", reader)
    stream.event("gone")
    stream.close()

    for path, status in (
        (f"{one}?since=", 400),
        (f"{one}?since=x", 400),
        (f"{one}?wait=1", 400),
        ("/v1/collections/no-such/events", 404),
        (f"{many}?collections=", 400),
        (f"{many}?since=mix", 400),
        (f"{many}?no=1", 400),
    ):
        server.refuses(path, status, reader)
    for path in (one, many):
        server.refuses(path, 406, reader, {"Accept": "text/html"})
        server.head(path, 200, reader)
        if token:
            server.refuses(path, 401)
            server.refuses(path, 401, "medley_wrong")
            server.head(path, 401)
    server.head("/v1/collections/no-such/events", 404, reader)
    print(f"streams: {server.count} events and refusals are as the contract says")


main(*sys.argv[1:])
