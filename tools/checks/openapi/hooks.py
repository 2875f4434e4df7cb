"""What schemathesis must know to send batches: how lines are written, and which lines a batch has.

One in four bodies is left as schemathesis makes it: any text.
"""

import json
import os
import random

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def ndjson(context, value):
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else json.dumps(value).encode()


@schemathesis.serializer("application/x-protobuf")
def protobuf(context, value):
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else bytes(value)


def line(install, seq, chance):
    value = chance.choice([{"query": "swift", "page": 1}, {"query": 7}, {}])
    return json.dumps({
        "v": 1, "id": f"018f3f6e-7c1a-7c1a-8c1a-{chance.getrandbits(48):012x}", "install_id": install, "seq": seq,
        "session_id": "11111111-1111-4111-8111-111111111111", "user_id": "u1", "time": 1700000000.5,
        "schema": chance.choice(["search/1-0-0", "unknown/1-0-0"]), "event": {"name": "search", "value": value}})


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.path == "/v1/stream":
        # Otherwise the stream has no end.
        case.query = {**(case.query or {}), "follow": "false"}
    if case.path != "/v1/events" or case.method.upper() != "POST" or not isinstance(case.body, str):
        return
    chance = random.Random(case.body)
    if chance.random() < 0.25:
        return
    identity = f"{chance.getrandbits(128):032x}"
    install, first, count = f"install-{chance.randrange(5)}", chance.randrange(1, 50), chance.randrange(0, 5)
    header = {"batch": {
        "id": identity, "install_id": install, "secret": chance.choice("ab") * 32, "first": first, "last": first + max(0, count - 1)}}
    lines = [json.dumps(header)] + [line(install, first + index, chance) for index in range(count)]
    case.body = "\n".join(lines) + "\n"
    if case.headers and "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = identity
    if case.headers:
        case.headers.pop("Content-Digest", None)
