"""A collector to attack, clients of its protocol, and what they check."""

import atexit
import contextlib
import glob
import gzip
import http.client
import json
import os
import random
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import uuid

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
TIMEOUT = 2  # seconds, of the collector for a header or a body
IDLE = 5  # seconds, the timeout for idle connections
PATIENCE = 30  # seconds, the maximum duration of a request
APP = "my-app"
MAXIMUM = 2**53 - 1  # the highest integer that is exact in JSON
HIGHEST = 2**53 - 2**32  # the highest number of an event that the collector accepts
UNLIMITED = ["--key-rate", "0", "--install-rate", "0"]
IMPATIENT = ["--header-timeout", str(TIMEOUT), "--body-timeout", str(TIMEOUT), "--idle-timeout", str(IDLE)]

failures = []


def fail(text):
    if len(failures) < 50:
        print(f"  WRONG: {text}", flush=True)
    failures.append(text)


def scratch():
    """A folder for a collector: in memory if there is room, so that the speed of the disk doesn't count."""
    memory = "/dev/shm"
    with contextlib.suppress(OSError):
        if shutil.disk_usage(memory).free > 1 << 30:
            return tempfile.TemporaryDirectory(dir=memory)
    return tempfile.TemporaryDirectory()


class Collector:
    """A collector that runs in its own folder."""

    program = f"{ROOT}/.build/debug/collector"

    def __init__(self, folder, options):
        self.folder, self.data = folder, f"{folder}/data"
        os.makedirs(self.data, exist_ok=True)
        self.key, self.token = self.add_key(APP), self.add_key("ops", "--admin")
        self.log = open(f"{folder}/log", "ab")
        self.process = subprocess.Popen(
            [self.program, "--data", self.data, "--port", "0", *options], stdout=subprocess.PIPE, stderr=self.log, text=True)
        atexit.register(self.process.kill)
        for line in self.process.stdout:
            if "listening on" in line:
                self.port = int(line.rsplit(":", 1)[1])
                break
        else:
            sys.exit("hostile: the collector did not start: " + open(f"{folder}/log").read())

    def add_key(self, *arguments):
        return self.keys("add", *arguments).split()[-1]

    def keys(self, *arguments):
        """The output of `collector keys`."""
        command = [self.program, "keys", *arguments, "--data", self.data]
        return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout

    def memory(self, name="VmRSS"):
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(name + r":\s+(\d+)", file.read()).group(1)) / 1024

    def cpu(self):
        """The CPU seconds that all threads of the process have used."""
        return time.clock_gettime(~self.process.pid << 3 | 2)

    def stored(self):
        """The bytes of the files in the data folder, without SQLite's write-ahead logs: they are bounded, and their space is reused."""
        total = 0
        for folder, _, names in os.walk(self.data):
            for name in names:
                if name.endswith(("-wal", "-shm")):
                    continue
                with contextlib.suppress(FileNotFoundError):
                    total += os.stat(f"{folder}/{name}").st_size
        return total

    def writer(self):
        """The CPU seconds of the thread that decides about batches and writes them."""
        found = re.search(rb"^collector_writer_cpu_seconds (\S+)$", self.get("/metrics")[1] or b"", re.MULTILINE)
        return float(found[1]) if found else 0

    def is_busy(self):
        """Whether a thread runs, or waits for a processor or the disk."""
        for path in glob.glob(f"/proc/{self.process.pid}/task/*/stat"):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError), open(path) as file:
                if file.read().rsplit(")", 1)[1].split()[0] in "RD":
                    return True
        return False

    def wait_until_idle(self, seconds):
        """Waits for the end of work that no response waits for. Returns whether it has ended."""
        deadline, idle = time.monotonic() + seconds, 0
        while idle < 4 and self.is_running():
            if time.monotonic() > deadline:
                return False
            idle = 0 if self.is_busy() else idle + 1
            time.sleep(0.03)
        return True

    def is_running(self):
        return self.process.poll() is None

    def stop(self):
        """Sends SIGTERM, and waits for the end."""
        if not self.is_running():
            fail(f"the collector ended: {self.process.returncode}")
        self.process.send_signal(signal.SIGTERM)
        if self.process.wait(60) != 0:
            fail(f"the collector ended with {self.process.returncode}")

    def end(self):
        """Stops the collector, then checks the log and the output of doctor."""
        self.stop()
        doctor = subprocess.run([self.program, "doctor", "--data", self.data], capture_output=True, text=True)
        # Numbers of damaged batches are requested again, which is a note, not an error.
        print(f"  doctor: {doctor.stdout.strip().splitlines()[-1]}")
        if doctor.returncode != 0:
            fail(f"doctor: {doctor.stdout}{doctor.stderr}")
        with open(f"{self.folder}/log", errors="replace") as log:
            for line in log:
                if "internal error" in line or '"critical"' in line:
                    fail(line.strip()[:300])

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.log.close()
        atexit.unregister(self.process.kill)

    def connect(self, address="127.0.0.1"):
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE, source_address=(address, 0))

    def client(self, address="127.0.0.1", timeout=PATIENCE):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout, source_address=(address, 0))

    def get(self, path):
        """Reads as the admin. Returns the status and the body."""
        return ask(self.client(), "GET", path, key=self.token)

    def post(self, path, body, type_="application/json", key=None, compressed=False, client=None):
        """Sends a request on a new or a kept connection. Returns the status and the body."""
        fields = {"Content-Type": type_, **({"Content-Encoding": "gzip"} if compressed else {})}
        body = body if isinstance(body, bytes) else json.dumps(body, separators=(",", ":")).encode()
        body = gzip.compress(body, 6, mtime=0) if compressed else body
        return ask(client or self.client(timeout=240), "POST", path, body, fields, key or self.key)

    def deliver(self, *lines, compressed=False, client=None):
        """Sends a batch. Returns the status and the receipt or the problem."""
        return self.post("/v1/events", batch(*lines), LINES, compressed=compressed, client=client)


LINES = "application/x-ndjson"


def ask(client, method, path, body=None, fields=(), key=None):
    """A request on a kept connection. Returns the status and the body, decoded if it is JSON; status 0 without an answer."""
    try:
        client.request(method, path, body, {**dict(fields), **({"Authorization": f"Bearer {key}"} if key else {})})
        response = client.getresponse()
        content = response.read()
    except (OSError, http.client.HTTPException):
        client.close()
        return 0, {}
    if (response.headers["Content-Type"] or "").split(";")[0] in ("application/json", "application/problem+json"):
        content = json.loads(content)
    return response.status, content


def header(install, first, last, secret="a" * 32, **members):
    """The header of a batch with a new id."""
    return {"batch": {"id": secrets.token_hex(16), "install_id": install, "secret": secret, "first": first, "last": last, **members}}


def line(install, seq, name="search", value=None, **members):
    """The line of an event, valid according to the plan."""
    return {
        "v": 1, "id": f"018f3c00-0000-7000-8000-{secrets.token_hex(6)}", "install_id": install, "seq": seq,
        "session_id": "018f3c00-0000-4000-8000-000000000001", "user_id": "018f3c00-0000-4000-8000-000000000002",
        "time": 1_700_000_000 + seq % 10**6 / 10, "schema": f"{name}/1-0-0",
        "event": {"name": name, "value": value or {"query": "flux", "page": 1}}, **members}


def batch(*lines):
    """The body of a batch. A line is an object, or bytes that have their line feeds."""
    return b"".join(part if isinstance(part, bytes) else json.dumps(part, separators=(",", ":")).encode() + b"\n" for part in lines)


def varint(value):
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(found) + bytes([value])


def field(number, content):
    """A field of a Protocol Buffers message that contains bytes."""
    return varint(number << 3 | 2) + varint(len(content)) + content


class Phone:
    """A well-behaved client: its batches must be accepted during the attacks."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.install, self.session, self.user = (str(uuid.UUID(int=self.random.getrandbits(128), version=4)) for _ in range(3))
        self.secret = f"{self.random.getrandbits(128):032x}"
        self.seq = 0

    def body(self, count=3):
        first, lines = self.seq + 1, []
        for _ in range(count):
            self.seq += 1
            lines.append(line(
                self.install, self.seq, id=f"018f3c00-0000-7000-8000-{self.random.getrandbits(48):012x}", session_id=self.session,
                user_id=self.user))
        self.id = f"{self.random.getrandbits(128):032x}"
        head = header(self.install, first, self.seq, self.secret)
        head["batch"]["id"] = self.id
        return batch(head, *lines)

    def request(self, key, body=None, fields=(), encoding=None, close=True):
        body = self.body() if body is None else body
        if encoding == "gzip":
            body = gzip.compress(body, 6, mtime=0)
        head = ["POST /v1/events HTTP/1.1", "Host: x", f"Authorization: Bearer {key}", "Content-Type: application/x-ndjson",
                f'Idempotency-Key: "{self.id}"', "Tracking-Attempt: 1", f"Content-Length: {len(body)}"]
        head += [f"Content-Encoding: {encoding}"] if encoding else []
        head += list(fields) + (["Connection: close"] if close else [])
        return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def answers(connection):
    """Reads to the end and returns the statuses of all responses; None after a timeout."""
    received = b""
    try:
        while True:
            part = connection.recv(65536)
            if not part:
                break
            received += part
    except (ConnectionResetError, BrokenPipeError):
        pass
    except socket.timeout:
        return None, received
    return [int(status) for status in re.findall(rb"HTTP/1\.[01] (\d{3}) ", received)], received


def exchange(collector, request, pieces=None):
    """Sends a request, optionally in pieces, and reads the responses."""
    with collector.connect() as connection:
        try:
            for piece in pieces or [request]:
                connection.sendall(piece)
        except (ConnectionResetError, BrokenPipeError):
            pass  # rejected early: the response has the reason
        return answers(connection)


def expect(name, found, wanted):
    if found is None or not set(found) <= wanted or (not found and None not in wanted):
        fail(f"{name}: {found}, not {sorted(map(str, wanted))}")


def expect_stored(name, collector, phone):
    """Checks that the collector accepts a well-behaved client's batch with all lines."""
    statuses, received = exchange(collector, phone.request(collector.key))
    expect(name, statuses, {200})
    if statuses == [200]:
        expect_no_rejects(name, received.split(b"\r\n\r\n", 1)[1])


def expect_no_rejects(name, receipt):
    rejected = json.loads(receipt)["rejected"]
    if rejected:
        fail(f"{name}: {len(rejected)} lines are rejected, such as {rejected[0]}")


def simultaneously(works):
    """Runs functions on a thread each, and waits for all."""
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class Cost:
    """What a collector uses within a `with` block: CPU seconds, and MiB of memory above the start and of files."""

    def __init__(self, collector):
        self.collector = collector

    def __enter__(self):
        with open(f"/proc/{self.collector.process.pid}/clear_refs", "w") as file:
            file.write("5")  # the peak of memory starts from here
        self.start = self.now()
        return self

    def now(self):
        collector = self.collector
        return collector.cpu(), collector.memory("VmHWM"), collector.stored()

    def __exit__(self, *_):
        if not self.collector.is_running():
            self.cpu = self.memory = self.disk = float("inf")
            return
        cpu, memory, stored = (after - before for after, before in zip(self.now(), self.start))
        self.cpu, self.memory, self.disk = cpu, max(0, memory), stored / 2**20

    def __str__(self):
        return f"{self.cpu * 1000:.0f} ms of CPU, {self.memory:.1f} MiB of memory, {self.disk:.2f} MiB on disk"
