"""The grammar of the searcher: sessions of clients as genes, and the requests that the genes describe.

A session is a list of steps; a step is a kind of request, repeated over some connections. A gene is drawn from a list, or from a range of
sizes whose logarithm is uniform. Nothing here knows an attack.
"""

import base64
import copy
import gzip
import json
import uuid

from client import APP, HIGHEST, LINES, MAXIMUM, batch, field, header, line

TREE = {"depth": (1, 16), "width": (1, 20_000), "size": (1, 100_000), "parts": (1, 20_000), "form": ["text", "list", "object"]}


def tree(name):
    return {f"{name}_{gene}": values for gene, values in TREE.items()}


# `bytes` limits the decompressed bytes of a step, and so of each body.
TRANSPORT = {
    "bytes": (2_000, 2 << 20), "times": (1, 3_000), "connections": (1, 20), "encoding": ["identity", "gzip"],
    "reads": ["all"] * 4 + ["none", "half"],
    "sent": [1] * 6 + [0.5, 0.99], "key": ["header"] * 7 + ["none"]}
KINDS = {
    "batch": {
        "install": ["a"] * 4 + ["b", "c", f"segment:{APP}", "long"], "secret": ["a"] * 5 + ["b"], "id": ["new"] * 4 + ["same"],
        "start": ["next"] * 4 + ["first", "first", "same", "highest", "maximum"], "span": (1, 1_000_000),
        "lines": (1, 2_500), "value": (1, 30_000), "names": (1, 2_500), "form": ["event"] * 5 + ["unknown", "garbage", "none"],
        "missing": (0, 10_000), "missing_step": (1, 100), "missing_width": (1, 100),
        "reason": ["erased", "held", "dropped", "opted-out", "forked"],
        "ledger": (0, 10_000), "ledger_step": (0, 100_000), "ledger_width": (0, 1_000_000), "ledger_reasons": (1, 10_000)},
    "erasure": {
        "install": ["a", "a", "b"], "user": ["user", "unknown"], "numbers": (0, 10_000), "step": (2, 100), "id": ["new", "new", "same"]},
    "segment": {
        "call": ["batch", "batch", "track", "page", "identify"], "messages": (1, 25_000), "ids": ["new", "same", "none"],
        **tree("own"), **tree("shared")},
    "cloudevents": {"mode": ["batch", "batch", "single", "binary"], "messages": (1, 25_000), "ids": ["new", "same"], **tree("own")},
    "otlp": {"resources": (1, 1_000), "scopes": (1, 1_000), "messages": (1, 25_000), **tree("own"), **tree("shared")},
    "snowplow": {"messages": (1, 25_000), "encoded": ["no", "yes"], "ids": ["new", "same"], **tree("own")},
}


def draw(values, source):
    if isinstance(values, list):
        return source.choice(values)
    low, high = values
    if low == 0:  # an optional member
        return source.choice([0, int(high ** source.random())])
    return int(low * (high / low) ** source.random())


def genes(kind):
    return {**KINDS[kind], **TRANSPORT}


def draw_step(source):
    kind = source.choice(["batch"] * 5 + list(KINDS))
    return {"kind": kind, **{gene: draw(values, source) for gene, values in genes(kind).items()}}


def draw_session(source):
    return [draw_step(source) for _ in range(source.choice([1, 2, 2, 3]))]


def changed(session, others, source):
    """A copy of a session with some genes changed, mostly upward, or with a step of another session."""
    session = copy.deepcopy(session)
    if source.random() < 0.25 and len(session) < 5:
        session.insert(source.randrange(len(session) + 1), copy.deepcopy(source.choice(source.choice(others))))
    elif source.random() < 0.3 and len(session) > 1:
        session.pop(source.randrange(len(session)))
    for _ in range(source.choice([1, 1, 2, 3, 5])):
        step = source.choice(session)
        gene, values = source.choice(list(genes(step["kind"]).items()))
        if isinstance(values, list) or source.random() < 0.2:
            step[gene] = draw(values, source)
        else:
            step[gene] = min(values[1], max(values[0], int((step[gene] + 1) * 2 ** source.uniform(-2, 4))))
    return session


# Bodies.


def repeated(content, count, limit):
    """At most `count` copies of bytes or of elements of a text, up to a limit."""
    return content * max(1, min(count, limit // max(1, len(content))))


def json_tree(step, name):
    """JSON with the size of a tree: `width` members or elements in `depth` levels, texts of `size`."""
    limit = step["bytes"] // 2
    text = '"%s"' % ("v" * min(step[f"{name}_size"], limit))
    form, width = step[f"{name}_form"], min(step[f"{name}_width"], limit // (len(text) + 12))
    if form == "list":
        text = "[" + ",".join([text] * max(1, width)) + "]"
    elif form == "object":
        text = "{" + ",".join(f'"k{index:06}":{text}' for index in range(max(1, width))) + "}"
    for _ in range(step[f"{name}_depth"] - 1):
        text = f"[{text}]" if form == "list" else f'{{"k":{text}}}'
    return text


def value_tree(step, name):
    """The fields of an `AnyValue` of OTLP, in any number of parts that the receiver merges."""
    limit = step["bytes"] // 4
    found, form = field(1, b"v" * min(step[f"{name}_size"], limit)), step[f"{name}_form"]
    for level in range(step[f"{name}_depth"]):
        width = step[f"{name}_width"] if level == 0 else 1
        if form == "list":
            found = field(5, repeated(field(1, found), width, limit))
        elif form == "object":
            found = field(6, b"".join(field(1, field(1, b"%d" % index) + field(2, found))
                                      for index in range(max(1, min(width, limit // (len(found) + 12))))))
        found = repeated(found, step[f"{name}_parts"] if level == 0 else 1, limit)
    return found


class Session:
    """The state of the clients of a session: what their next requests depend on."""

    def __init__(self, number):
        self.number, self.next, self.id = number, {}, uuid.uuid4().hex

    def install(self, step):
        name = step["install"]
        return name if ":" in name else f"{self.number}-{name}".ljust(128 if name == "long" else 0, "x")

    def request(self, step, index):
        """The path, the type and the body of a request of a step."""
        return getattr(self, step["kind"])(step, index)

    def batch(self, step, index):
        install, span = self.install(step), max(step["span"], step["lines"])
        start = {"next": self.next.get(install, 1), "first": 1, "same": max(1, self.next.get(install, 1) - span),
                 "highest": HIGHEST - span + 1, "maximum": MAXIMUM - span + 1}[step["start"]]
        last = start + span - 1
        self.next[install] = max(self.next.get(install, 1), last + 1)
        missing, first = [], start
        while len(missing) < step["missing"] and first <= last:
            missing.append({"first": first, "last": min(last, first + step["missing_width"] - 1), "reason": step["reason"]})
            first = missing[-1]["last"] + 1 + step["missing_step"]
        ledger = []
        for row in range(step["ledger"]):
            first = min(last, start + row * step["ledger_step"])
            numbers = {"first": first, "last": min(last, first + step["ledger_width"] - 1)} if step["ledger_width"] else {}
            ledger.append({"reason": f"r{row % step['ledger_reasons']}", "count": 1, **numbers})
        head = header(install, start, last, step["secret"] * 32, missing=missing, ledger=ledger)
        if step["id"] == "same":
            head["batch"]["id"] = self.id
        lines, distance, size = [], max(1, span // max(1, step["lines"])), min(step["value"], 900_000 // max(1, step["lines"]))
        for ordinal in range(step["lines"] if step["form"] != "none" else 0):
            name = "search" if step["form"] == "event" else f"e{ordinal % step['names']}"
            content = line(install, start + ordinal * distance, name, {"query": "q" * size, "page": 1}, user_id="user")
            lines.append(b"g" * size + b"\n" if step["form"] == "garbage" else content)
        return "/v1/events", LINES, batch(head, *lines)

    def erasure(self, step, index):
        install = self.install(step)
        numbers = [[ordinal * step["step"] + 1] * 2 for ordinal in range(step["numbers"])]
        id_, user = uuid.uuid4().hex if step["id"] == "new" else self.id, f"unknown-{index}" if step["user"] == "unknown" else "user"
        body = {"id": id_, "secret": "a" * 32, "user_id": user, "numbers": numbers}
        return f"/v1/installs/{install}/erasures", "application/json", json.dumps(body, separators=(",", ":")).encode()

    def message_id(self, step, index, ordinal):
        return f"{self.number}-{index}-{ordinal}" if step["ids"] == "new" else self.id

    def messages(self, step, index, before, after):
        """A list of messages that differ in their ids."""
        count = max(1, min(step["messages"], step["bytes"] // (len(before) + len(after) + 24)))
        return ",".join(f"{before}{self.message_id(step, index, ordinal)}{after}" for ordinal in range(count))

    def segment(self, step, index):
        own = json_tree(step, "own")
        before = '{"x":"' if step["ids"] == "none" else '{"messageId":"'
        after = f'","type":"track","event":"e","properties":{own}}}'
        if step["call"] != "batch":
            return f"/v1/{step['call']}", "application/json", (before + self.message_id(step, index, 0) + after).encode()
        shared = json_tree(step, "shared")
        messages = self.messages(step, index, before, after)
        return "/v1/batch", "application/json", f'{{"batch":[{messages}],"context":{shared}}}'.encode()

    def cloudevents(self, step, index):
        own = json_tree(step, "own")
        if step["mode"] == "binary":
            return "/v1/cloudevents", "application/json\r\nce-specversion: 1.0\r\nce-source: s\r\nce-type: t\r\nce-id: 1", own.encode()
        before, after = '{"specversion":"1.0","source":"s","type":"t","id":"', f'","data":{own}}}'
        if step["mode"] == "single":
            return "/v1/cloudevents", "application/cloudevents+json", (before + self.message_id(step, index, 0) + after).encode()
        return "/v1/cloudevents", "application/cloudevents-batch+json", f"[{self.messages(step, index, before, after)}]".encode()

    def otlp(self, step, index):
        own, shared = value_tree(step, "own"), value_tree(step, "shared")
        attribute = field(1, field(1, b"k") + field(2, shared))
        limit = step["bytes"]
        records = repeated(field(2, field(5, own)), step["messages"], limit)
        scopes = repeated(field(2, field(1, field(3, field(1, b"k") + field(2, shared))) + records), step["scopes"], limit)
        return "/v1/logs", "application/x-protobuf", repeated(field(1, field(1, attribute) + scopes), step["resources"], limit)

    def snowplow(self, step, index):
        iglu, own = "iglu:com.snowplowanalytics.snowplow", json_tree(step, "own")
        event = f'{{"schema":"{iglu}/unstruct_event/jsonschema/1-0-0","data":{{"schema":"iglu:a/b/jsonschema/1-0-0","data":{own}}}}}'
        member = f'"ue_pr":{json.dumps(event)}' if step["encoded"] == "no" else f'"ue_px":"{base64.b64encode(event.encode()).decode()}"'
        messages = self.messages(step, index, '{"eid":"', f'","e":"ue",{member}}}')
        body = f'{{"schema":"{iglu}/payload_data/jsonschema/1-0-4","data":[{messages}]}}'
        return "/com.snowplowanalytics.snowplow/tp2", "application/json", body.encode()


def encoded(session, step, key):
    """The requests of a step: their bytes, and their decompressed bytes."""
    requests, total = [], 0
    while len(requests) < step["times"] and total < step["bytes"]:
        path, type_, body = session.request(step, len(requests))
        head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: {type_}\r\n"
        head += f"Authorization: Bearer {key}\r\n" if step["key"] == "header" else ""
        total += len(head) + len(body)
        if step["encoding"] == "gzip" and step["kind"] != "erasure":
            head, body = head + "Content-Encoding: gzip\r\n", gzip.compress(body, 6, mtime=0)
        requests.append(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    return requests, total
