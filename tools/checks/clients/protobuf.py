"""Compares the collector's reader of OTLP with the protobuf library: random requests and damaged ones; see `run`.

The library must read what the collector reads, with the same values, and both must refuse the same bytes."""

import base64
import json
import math
import random

import requests
from google.protobuf.message import DecodeError
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

LARGEST = 2**53 - 1


def random_value(value, depth):
    kind = random.randrange(9 if depth < 4 else 7)
    if kind == 0:
        value.string_value = random.choice(["", "a", "\u00e4\u202e<b>", "x" * 300, '"\\\n\x00'])
    elif kind == 1:
        value.bool_value = random.random() < 0.5
    elif kind == 2:
        value.int_value = random.choice([0, -1, 7, LARGEST, LARGEST + 1, -(2**63), 2**63 - 1])
    elif kind == 3:
        value.double_value = random.choice([0.0, -0.5, 1e300, 0.1, math.inf, -math.inf, math.nan])
    elif kind == 4:
        value.bytes_value = random.randbytes(random.randrange(5))
    elif kind in (5, 6):
        pass  # no value
    elif kind == 7:
        value.array_value.SetInParent()
        for _ in range(random.randrange(4)):
            random_value(value.array_value.values.add(), depth + 1)
    else:
        value.kvlist_value.SetInParent()
        random_attributes(value.kvlist_value.values, depth + 1)


def random_attributes(attributes, depth=0):
    for _ in range(random.randrange(4)):
        pair = attributes.add(key=random.choice(["a", "b", "user.id", "", "\u00e4"]))
        if random.random() < 0.9:
            random_value(pair.value, depth)


def random_request():
    request = ExportLogsServiceRequest()
    for _ in range(random.randrange(1, 3)):
        resource = request.resource_logs.add()
        random_attributes(resource.resource.attributes)
        resource.schema_url = random.choice(["", "https://example.com/1"])
        for _ in range(random.randrange(3)):
            scope = resource.scope_logs.add()
            scope.scope.name = random.choice(["", "scope"])
            scope.scope.version = random.choice(["", "1.0"])
            random_attributes(scope.scope.attributes)
            scope.schema_url = random.choice(["", "https://example.com/2"])
            for _ in range(random.randrange(3)):
                random_record(scope.log_records.add())
    return request


def random_record(record):
    record.time_unix_nano = random.choice([0, 1, 1_700_000_000_123_456_789])
    record.observed_time_unix_nano = random.choice([0, 1_700_000_000_000_000_001])
    record.severity_number = random.randrange(25)
    record.severity_text = random.choice(["", "INFO"])
    if random.random() < 0.8:
        random_value(record.body, 0)
    random_attributes(record.attributes)
    record.dropped_attributes_count = random.choice([0, 3, 2**32 - 1])
    record.flags = random.choice([0, 1, 2**32 - 1])
    record.trace_id = random.choice([b"", random.randbytes(16)])
    record.span_id = random.choice([b"", random.randbytes(8)])
    record.event_name = random.choice(["", "order"])


# What the library reads, in the form of the collector's messages.


def json_value(value):
    kind = value.WhichOneof("value")
    if kind is None:
        return None
    if kind == "array_value":
        return [json_value(element) for element in value.array_value.values]
    if kind == "kvlist_value":
        return json_attributes(value.kvlist_value.values)
    if kind == "bytes_value":
        return base64.b64encode(value.bytes_value).decode()
    if kind == "int_value":
        return value.int_value if abs(value.int_value) <= LARGEST else str(value.int_value)
    if kind == "double_value" and not math.isfinite(value.double_value):
        return {math.inf: "Infinity", -math.inf: "-Infinity"}.get(value.double_value, "NaN")
    return getattr(value, kind)


def json_attributes(attributes):
    return {pair.key: json_value(pair.value) for pair in attributes}


def json_messages(request):
    messages = []
    for resource in request.resource_logs:
        for scope in resource.scope_logs:
            members = {
                "name": scope.scope.name, "version": scope.scope.version,
                "attributes": json_attributes(scope.scope.attributes),
            }
            for record in scope.log_records:
                message = {
                    "resource": json_attributes(resource.resource.attributes), "resource_schema_url": resource.schema_url,
                    "scope": {name: value for name, value in members.items() if value},
                    "scope_schema_url": scope.schema_url, "severity_number": record.severity_number,
                    "severity_text": record.severity_text, "attributes": json_attributes(record.attributes),
                    "dropped_attributes_count": record.dropped_attributes_count, "flags": record.flags,
                    "trace_id": record.trace_id.hex(), "span_id": record.span_id.hex(), "event_name": record.event_name,
                }
                for name in ("time", "observed_time"):
                    nanoseconds = getattr(record, f"{name}_unix_nano")
                    message[f"{name}_us"] = nanoseconds // 1000 if nanoseconds else None
                    message[f"{name}_unix_nano"] = str(nanoseconds) if nanoseconds else None
                message = {
                    name: value for name, value in message.items()
                    if value not in (None, "", {}) and (value != 0 or name.endswith("_us"))
                }
                body = json_value(record.body) if record.HasField("body") else None
                if body is not None:
                    message["body"] = body
                messages.append(message)
    return messages


def damaged(serialized):
    changed = bytearray(serialized)
    for _ in range(random.randrange(1, 4)):
        kind = random.randrange(4)
        if kind == 0 and changed:
            changed[random.randrange(len(changed))] = random.randrange(256)
        elif kind == 1 and changed:
            del changed[random.randrange(len(changed)):]
        elif kind == 2:
            location = random.randrange(len(changed) + 1)
            changed[location:location] = random.randbytes(random.randrange(1, 4))
        else:
            changed += random.choice([b"\xfb\x07\x08\x01\xfc\x07", b"\x08\x01", b"\xfb\x07", b"\xfa\x07\x01\xff"])
    return bytes(changed)


def plain(value):
    """The value with whole numbers as integers: JSON does not tell 0 from 0.0."""
    if isinstance(value, float) and value.is_integer() and abs(value) < LARGEST:
        return int(value)
    if isinstance(value, dict):
        return {name: plain(member) for name, member in value.items()}
    return [plain(element) for element in value] if isinstance(value, list) else value


def compare(collector, count):
    """The disagreements about `count` random requests and four times as many damaged ones."""
    wrong, sent, refused = [], [], 0
    session = requests.Session()
    session.headers.update({"Authorization": f"Bearer {collector.write_key}", "Content-Type": "application/x-protobuf"})
    for number in range(count):
        serialized = random_request().SerializeToString()
        for body in [serialized] + [damaged(serialized) for _ in range(4)]:
            response = session.post(f"{collector.url}/v1/logs", data=body, timeout=30)
            try:
                expected = json_messages(ExportLogsServiceRequest.FromString(body))
            except DecodeError:
                refused += 1
                if response.status_code != 400:
                    wrong.append(f"{response.status_code} for bytes that the library refuses: {body.hex()}")
                continue
            if response.status_code != 200:
                wrong.append(f"{response.status_code} for bytes that the library reads: {body.hex()}")
            else:
                sent += expected
    stored = [line["event"]["value"]["message"] for line in collector.lines("otlp:default")]
    highest = collector.get("/v1/installs/otlp%3Adefault").json()["highest"]
    print(
        f"protobuf: {len(stored)} records are read as by the library, {refused} requests are refused as by the library, "
        f"{highest - len(stored)} records exceed the limits of events", flush=True)
    normal = [json.dumps(plain(message), sort_keys=True) for message in stored]
    wanted = [json.dumps(plain(message), sort_keys=True) for message in sent]
    if highest != len(wanted):
        wrong.append(f"{highest} records arrived of {len(wanted)}")
    # Rejected records are missing in the stored ones; the rest has the same order.
    rest = iter(wanted)
    for message in normal:
        if not any(message == other for other in rest):
            wrong.append(f"a stored record is not the library's: {message}")
            break
    return wrong[:5]
