"""The collector that a team would write in Python: what `collector` is compared with.

uvicorn with uvloop and httptools runs it. For each request: inflate, parse each line with orjson, validate envelope
and event with jsonschema-rs and formats, SHA-256 of each line, append the batch to a file, fdatasync, one SQLite transaction with
the batch, its hashes and the install's ranges, and the receipt. Settings come from the environment: DATA, KEY, SCHEMAS.
"""

import base64
import fcntl
import glob
import hashlib
import os
import sqlite3
import time
import zlib

import jsonschema_rs
import orjson

FOLDER = os.environ["DATA"]
KEY = b"Bearer " + os.environ["KEY"].encode()
SCHEMAS = os.environ["SCHEMAS"]
MOST_BYTES, MOST_EVENTS = 900_000, 2_500


def validator(path):
    with open(path, "rb") as file:
        return jsonschema_rs.Draft202012Validator(orjson.loads(file.read()), validate_formats=True)


ENVELOPE = validator(f"{SCHEMAS}/container/1-0-0.json").is_valid
EVENTS = {
    "/".join(path[: -len(".json")].split("/")[-2:]): validator(path).is_valid
    for path in glob.glob(f"{SCHEMAS}/events/*/*.json")}

os.makedirs(FOLDER, mode=0o700, exist_ok=True)
log = os.open(f"{FOLDER}/events-{os.getpid()}.ndjson", os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
# Workers start at the same time, and one of them makes the tables.
with open(f"{FOLDER}/lock", "w") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    index = sqlite3.connect(f"{FOLDER}/index.sqlite", isolation_level=None, timeout=30)
    index.executescript("""
        PRAGMA journal_mode = wal; PRAGMA synchronous = normal;
        CREATE TABLE IF NOT EXISTS installs (id TEXT PRIMARY KEY, secret BLOB NOT NULL, highest INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS ranges (
            install TEXT, first INTEGER, last INTEGER, hashes BLOB, PRIMARY KEY (install, first)) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS batches (id TEXT PRIMARY KEY, install TEXT, first INTEGER, last INTEGER, body BLOB) WITHOUT ROWID;
    """)


class Problem(Exception):
    def __init__(self, status, detail):
        self.status, self.detail = status, detail


def inflate(body):
    decoder = zlib.decompressobj(31)
    plain = decoder.decompress(body, MOST_BYTES + 1)
    if len(plain) > MOST_BYTES:
        raise Problem(413, f"more than {MOST_BYTES} bytes")
    if not decoder.eof:
        raise Problem(400, "the body is cut")
    return plain


def merged(ranges):
    merged = []
    for first, last in ranges:
        if merged and merged[-1][1] + 1 == first:
            merged[-1][1] = last
        else:
            merged.append([first, last])
    return merged


def accept(body):
    lines = body.split(b"\n")
    if lines[-1]:
        raise Problem(400, "the last line does not end")
    lines.pop()
    if len(lines) > MOST_EVENTS + 1:
        raise Problem(413, f"more than {MOST_EVENTS} events")
    batch = orjson.loads(lines[0])["batch"]
    install, first, last = batch["install_id"], batch["first"], batch["last"]
    stored, rejected, hashes, seqs = [], [], [], []
    for number, line in enumerate(lines[1:], 2):
        try:
            event = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            rejected.append({"line": number, "code": "syntax", "message": str(error), "instance_path": "", "schema_path": ""})
            continue
        check = EVENTS.get(event.get("schema"))
        if check is None or not ENVELOPE(event) or not check(event["event"]) or event["install_id"] != install:
            rejected.append({"line": number, "code": "schema", "message": "invalid", "instance_path": "", "schema_path": ""})
            continue
        stored.append(line)
        seqs.append(event["seq"])
        hashes.append(hashlib.sha256(line).digest()[:16])
    secret = hashlib.sha256(batch["secret"].encode()).digest()
    identity = hashlib.sha256(b"".join(hashes)).digest()
    duplicates = []
    known = index.execute("SELECT secret, highest FROM installs WHERE id = ?", (install,)).fetchone()
    if known:
        if known[0] != secret:
            raise Problem(409, "the install is registered with another secret")
        again = index.execute("SELECT body FROM batches WHERE id = ?", (batch["id"],)).fetchone()
        if again and again[0] != identity:
            raise Problem(422, "the id was used for another body")
        held = {}
        if known[1] >= first:
            for start, end, blob in index.execute(
                    "SELECT first, last, hashes FROM ranges WHERE install = ? AND last >= ? AND first <= ?", (install, first, last)):
                for seq in range(start, end + 1):
                    held[seq] = blob[16 * (seq - start) : 16 * (seq - start) + 16]
        for seq, digest in zip(seqs, hashes):
            if seq in held:
                if held[seq] != digest:
                    raise Problem(409, "fork")
                duplicates.append(seq)
    known_numbers = set(duplicates)
    fresh = [number for number, seq in enumerate(seqs) if seq not in known_numbers]
    if fresh:
        facts = {"received_at": time.time(), "batch": batch["id"], "install_id": install, "first": first, "last": last}
        record = orjson.dumps(facts) + b"\n" + b"\n".join(stored[number] for number in fresh) + b"\n"
        view = memoryview(record)
        while view:
            view = view[os.write(log, view) :]
        os.fdatasync(log)
    index.execute("BEGIN IMMEDIATE")
    index.execute(
        "INSERT INTO installs VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET highest = max(highest, excluded.highest)",
        (install, secret, last))
    index.execute("INSERT OR IGNORE INTO batches VALUES (?, ?, ?, ?, ?)", (batch["id"], install, first, last, identity))
    start = 0
    while start < len(fresh):
        end = start
        while end + 1 < len(fresh) and seqs[fresh[end + 1]] == seqs[fresh[end]] + 1:
            end += 1
        index.execute(
            "INSERT OR IGNORE INTO ranges VALUES (?, ?, ?, ?)",
            (install, seqs[fresh[start]], seqs[fresh[end]], b"".join(hashes[number] for number in fresh[start : end + 1])))
        start = end + 1
    index.execute("COMMIT")
    return {
        "receipt": {"collector": "python", "number": 1}, "install_id": install, "batch": batch["id"], "durability": "fsync",
        "stored": merged((seq, seq) for seq in seqs), "duplicates": merged((seq, seq) for seq in duplicates),
        "rejected": rejected, "missing": [], "highest": last}


async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        while True:
            message = await receive()
            await send({"type": message["type"] + ".complete"})
            if message["type"] == "lifespan.shutdown":
                return
    try:
        if scope["path"] != "/v1/events" or scope["method"] != "POST":
            raise Problem(404, "no such page")
        headers = dict(scope["headers"])
        if headers.get(b"authorization") != KEY:
            raise Problem(401, "no valid key")
        parts, size, more = [], 0, True
        while more:
            message = await receive()
            part = message.get("body", b"")
            size += len(part)
            if size > MOST_BYTES:
                raise Problem(413, f"more than {MOST_BYTES} bytes")
            parts.append(part)
            more = message.get("more_body", False)
        body = b"".join(parts)
        digest = headers.get(b"content-digest")
        if digest and digest != b"sha-256=:" + base64.b64encode(hashlib.sha256(body).digest()) + b":":
            raise Problem(400, "the digest differs")
        if headers.get(b"content-encoding") == b"gzip":
            body = inflate(body)
        status, answer = 200, orjson.dumps(accept(body))
    except Problem as problem:
        status = problem.status
        answer = orjson.dumps({"status": problem.status, "detail": problem.detail})
    except (KeyError, TypeError, orjson.JSONDecodeError, zlib.error) as error:
        status, answer = 400, orjson.dumps({"status": 400, "detail": str(error)})
    await send({
        "type": "http.response.start", "status": status,
        "headers": [(b"content-type", b"application/json"), (b"content-length", str(len(answer)).encode())]})
    await send({"type": "http.response.body", "body": answer})
