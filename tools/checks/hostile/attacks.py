"""Attacks on the connections, the requests and the disk of a collector: damage, slow clients, bombs, crowds, a full disk."""

import collections
import functools
import gzip
import heapq
import http.client
import json
import multiprocessing
import os
import random
import socket
import subprocess
import tempfile
import threading
import time

from client import (
    PATIENCE, TIMEOUT, UNLIMITED, Collector, Phone, answers, exchange, expect, expect_no_rejects, expect_stored, fail, simultaneously)

ALLOWED = {200, 204, 400, 401, 403, 404, 405, 408, 409, 411, 413, 414, 415, 417, 422, 429, 431, 501, 503, 505}

WORDS = [b"\r\n", b"\n", b"\r", b"\x00", b":", b" ", b"\t", b"chunked", b"Transfer-Encoding: chunked\r\n", b"Content-Length: 5\r\n",
         b"Content-Length: -1\r\n", b"Content-Length: 99999999999999999999\r\n", b"Content-Encoding: gzip\r\n",
         b"Content-Encoding: zstd\r\n", b"Content-Digest: sha-256=:AA==:\r\n", b"Tracking-Sent-At: 1e400\r\n", b"Tracking-Attempt: 0\r\n",
         b"Expect: 100-continue\r\n", b"Connection: upgrade\r\n", b"Upgrade: h2c\r\n", b"Host: y\r\n", b"\xff\xfe", b"%00", b"../",
         b"HTTP/1.0", b"HTTP/2.0", b"GET ", b"0\r\n\r\n", b"fffffffff\r\n", b'"', b"{", b"[" * 200, b"A" * 5000]
PATHS = [b"/v1/events", b"/v1/lines?after=", b"/v1/installs/%zz", b"/v1/batches?limit=-1", b"/metrics", b"/healthz", b"/", b"*", b"//v1/events"]


def damaged(source, request):
    bytes_ = bytearray(request)
    head = bytes_.find(b"\r\n\r\n") + 4
    for _ in range(source.choice([1, 1, 2, 5])):
        place = source.randrange(head if source.random() < 0.5 else len(bytes_))
        kind = source.randrange(6)
        if kind == 0:
            bytes_[place] = source.randrange(256)
        elif kind == 1:
            del bytes_[place:place + source.randint(1, 20)]
        elif kind == 2:
            bytes_[place:place] = source.choice(WORDS)
        elif kind == 3:
            bytes_ = bytes_.replace(b"/v1/events", source.choice(PATHS), 1)
        elif kind == 4:
            bytes_[place:place] = bytes_[place:place + source.randint(1, 200)]
        else:
            line = bytes_.find(b"\r\n", place)
            bytes_[line + 2:line + 2] = source.choice(WORDS)
        if not bytes_:
            return b"\r\n\r\n"
        head = min(head, len(bytes_)) or 1
    return bytes(bytes_)


def mutate(collector, seconds, seed):
    end, statuses, lock = time.monotonic() + seconds, collections.Counter(), threading.Lock()

    def work(number):
        source, phone = random.Random(f"{seed} {number}"), Phone(f"{seed}-{number}")
        while time.monotonic() < end:
            request = damaged(source, phone.request(collector.key, encoding=source.choice([None, None, "gzip"])))
            cuts = sorted(source.randrange(len(request) + 1) for _ in range(source.randint(0, 3)))
            pieces = [request[a:b] for a, b in zip([0] + cuts, cuts + [len(request)])]
            found, received = exchange(collector, request, pieces)
            with lock:
                if found is None:
                    fail(f"no end after {PATIENCE} s: {request[:300]!r}")
                    continue
                statuses.update(found or ["closed"])
                if not set(found) <= ALLOWED | {100}:
                    fail(f"{found} for {request[:300]!r}")
                if received and not received.startswith(b"HTTP/1."):
                    fail(f"not HTTP: {received[:100]!r}")

    simultaneously([functools.partial(work, number) for number in range(16)])
    print(f"  {sum(statuses.values())} damaged requests: " + ", ".join(f"{status}: {count}" for status, count in statuses.most_common()))
    if statuses[200] == 0 or statuses[400] == 0:
        fail("the damaged requests do not cover all kinds of responses")


def slow(collector, count=300):
    """Slowloris: slow headers and bodies. All are ended in time, and other clients are served."""
    phone = Phone("slow")
    request = phone.request(collector.key, close=False)
    head = request.find(b"\r\n\r\n") + 4
    start, open_ = time.monotonic(), []
    for number in range(count):
        connection = collector.connect()
        connection.sendall(request[:20] if number % 2 else request[:head])
        open_.append((connection, bytearray(request[20:head] if number % 2 else request[head:])))
    neighbour, slowest = Phone("neighbour"), 0.0
    while time.monotonic() - start < TIMEOUT + 3:
        for connection, rest in open_:
            try:
                connection.send(rest[:1])
                del rest[:1]
            except OSError:
                pass
        before = time.monotonic()
        expect_stored("a good client next to slow ones", collector, neighbour)
        slowest = max(slowest, time.monotonic() - before)
        time.sleep(0.3)
    ended = collections.Counter()
    for connection, _ in open_:
        connection.settimeout(1)
        found, _ = answers(connection)
        ended[str(found)] += 1
        if found is None or not set(found) <= {408}:
            fail(f"a slow request: {found}")
        connection.close()
    if slowest > 5:
        fail(f"a good client next to slow ones waited {slowest:.1f} s")
    print(f"  {count} slow requests: {dict(ended)}; another client waited {slowest * 1000:.0f} ms at most")


def bombs(collector):
    phone = Phone("bomb")
    zeros = gzip.compress(b"\0" * (100 << 20), 9, mtime=0)
    lines = gzip.compress(phone.body() + b"\n" * (50 << 20), 9, mtime=0)
    members = gzip.compress(b" " * 500_000, 9, mtime=0) * 40
    twice = gzip.compress(gzip.compress(b"\0" * (500 << 20), 9, mtime=0), 9, mtime=0)
    before, found, lock = collector.memory("VmHWM"), collections.Counter(), threading.Lock()

    def work(number):
        body = [zeros, lines, members, twice][number % 4]
        statuses, _ = exchange(
            collector, phone.request(collector.key, body=body, fields=["Content-Encoding: gzip"]))
        with lock:
            found.update(statuses or ["closed"])
            expect("a bomb", statuses, {413, 400})

    simultaneously([functools.partial(work, number) for number in range(64)])
    grown = collector.memory("VmHWM") - before
    print(f"  64 simultaneous decompression bombs of up to 500 MiB: {dict(found)}; memory grew by {grown:.0f} MiB")
    if grown > 160:
        fail(f"bombs increased the memory by {grown:.0f} MiB")


def oversized(collector):
    phone = Phone("large")

    def attempt(name, request, wanted):
        found, _ = exchange(collector, request)
        expect(name, found, wanted)
        print(f"  {name}: {found or 'closed'}")

    body = phone.body()
    attempt("a Content-Length of 10^18", phone.request(collector.key, body).replace(
        f"Content-Length: {len(body)}".encode(), b"Content-Length: 1000000000000000000"), {413})
    attempt("a body of 2 MB", phone.request(collector.key, body + b"x" * 2_000_000), {413})
    attempt("a chunked body of 2 MB", phone.request(collector.key, b"").replace(
        b"Content-Length: 0\r\n", b"Transfer-Encoding: chunked\r\n") + b"10000\r\n" + b"x" * 65536 + b"\r\n" + (
            b"10000\r\n" + b"x" * 65536 + b"\r\n") * 30 + b"0\r\n\r\n", {413})
    attempt("2,501 events", phone.request(collector.key, body + b"{}\n" * 2501), {413})
    attempt("a line of 800 kB", phone.request(collector.key, body + b'{"a":"' + b"x" * 800_000 + b'"}'), {200})
    attempt("depth 100,000", phone.request(collector.key, phone.body() + b"[" * 100_000), {200})
    attempt("a header of 1 MB", phone.request(collector.key, fields=["X-A: " + "x" * 1_000_000]), {400, 431, None})
    attempt("20,000 header fields", phone.request(collector.key, fields=["X-A: x"] * 20_000), {400, 431, None})
    attempt("an address of 1 MB", b"GET /" + b"x" * 1_000_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", {400, 404, 414, 431, None})


def many(collector, count):
    before, open_ = collector.memory(), []
    for _ in range(count):  # faster than the idle timeout
        open_.append(collector.connect())
    time.sleep(1)
    grown = collector.memory() - before
    expect_stored("a client next to idle connections", collector, Phone("many"))
    for connection in open_:
        connection.close()
    print(f"  {count} connections: {grown:.0f} MiB, {grown * 1024 / count:.1f} KiB each; another client was served")


def watch(port, connection):
    """Polls readiness until a byte arrives on the pipe, then returns the longest wait. Runs as a separate process."""
    slowest = 0.0
    while not connection.poll(0.2):
        before = time.monotonic()
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as asked:
                asked.sendall(b"GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                if answers(asked)[0] != [200]:
                    slowest = float("inf")
        except OSError:
            slowest = float("inf")
        slowest = max(slowest, time.monotonic() - before)
    connection.send(slowest)


def everybody(count, events=10):
    """After an outage all installs deliver at the same time, far over the quota of the key: the collector keeps responding and spreads the retries."""
    with tempfile.TemporaryDirectory() as folder:
        # Events of forty seconds; the quota accepts ten seconds' worth immediately: less than any machine sends in that time.
        rate = max(1, count * events // 40)
        collector = Collector(folder, ["--key-rate", str(rate)])
        waiting, lock, advice, statuses = [(0.0, number) for number in range(count)], threading.Lock(), [], collections.Counter()
        phones, ended = [Phone(f"outage-{number}") for number in range(count)], [0]
        bodies = [phone.body(events) for phone in phones]

        def work():
            connection = http.client.HTTPConnection("127.0.0.1", collector.port, timeout=PATIENCE)
            while True:
                with lock:
                    if ended[0] == count:
                        return
                    due, number = heapq.heappop(waiting) if waiting else (time.monotonic() + 0.1, None)
                time.sleep(max(0, min(due - time.monotonic(), 1)))
                if number is None:
                    continue
                if due > time.monotonic():
                    with lock:
                        heapq.heappush(waiting, (due, number))
                    continue
                phone = phones[number]
                connection.request("POST", "/v1/events", bodies[number], {
                    "Authorization": f"Bearer {collector.key}", "Content-Type": "application/x-ndjson",
                    "Idempotency-Key": f'"{phone.id}"'})
                response = connection.getresponse()
                answer = response.read()
                with lock:
                    if response.status == 200:
                        expect_no_rejects("an install after an outage", answer)
                    statuses[response.status] += 1
                    if response.status == 200:
                        ended[0] += 1
                    elif response.status in (429, 503) and response.headers["Retry-After"]:
                        wait = int(response.headers["Retry-After"])
                        advice.append(wait)
                        heapq.heappush(waiting, (time.monotonic() + wait, number))
                    else:
                        fail(f"an install after an outage: {response.status}, Retry-After {response.headers['Retry-After']}")
                        ended[0] += 1

        asking, asked = multiprocessing.Pipe()
        watcher = multiprocessing.Process(target=watch, args=(collector.port, asked))
        watcher.start()
        start = time.monotonic()
        simultaneously([work] * 64)
        took = time.monotonic() - start
        asking.send("end")
        slowest = asking.recv()
        watcher.join()
        shares = sorted(collections.Counter(advice).items())
        print(f"  {count} simultaneous installs, {count * events} events, over a quota of {rate} a second: {dict(statuses)} in {took:.0f} s; "
              f"readyz within {slowest * 1000:.0f} ms; Retry-After " + ", ".join(f"{wait} s: {number}" for wait, number in shares))
        if slowest > 5:
            fail("readyz was not answered in 5 s")
        if len(shares) < 5:
            fail("Retry-After does not spread the installs")
        if max(dict(shares).values(), default=0) > 0.5 * len(advice):
            fail("most installs got the same retry time")
        collector.end()


def full_disk():
    """Fills the collector's disk: 503 and not ready, no acknowledged event is lost; it continues when space is free."""
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/data")
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=112m", "tmpfs", f"{folder}/data"], capture_output=True).returncode != 0:
            print("  a full disk: skipped, because mounting a small disk needs root")
            return
        try:
            collector = Collector(folder, UNLIMITED)
            phone, accepted, rejected = Phone("full"), 0, collections.Counter()

            def send():
                connection = http.client.HTTPConnection("127.0.0.1", collector.port, timeout=PATIENCE)
                connection.request("POST", "/v1/events", phone.kept, {
                    "Authorization": f"Bearer {collector.key}", "Content-Type": "application/x-ndjson",
                    "Idempotency-Key": f'"{phone.id}"'})
                response = connection.getresponse()
                answer = response.read()
                if response.status == 200:
                    expect_no_rejects("a batch on a full disk", answer)
                return response.status

            def ready():
                with collector.connect() as connection:
                    connection.sendall(b"GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                    return answers(connection)[0]

            ballast = f"{folder}/data/ballast"
            for room in (0, 1):
                # First the collector keeps its reserve, then another program fills the disk.
                with open(ballast, "wb", buffering=0) as file:
                    try:
                        while os.statvfs(ballast).f_bavail > (70 << 20) // 4096 * (1 - room):
                            file.write(b"x" * (64 << 10))
                    except OSError:
                        pass
                status = 200
                while status == 200:
                    phone.kept = phone.body(200)
                    status = send()
                    accepted += 200 * (status == 200)
                rejected[status] += 1
                expect("a batch on a full disk", [status], {503})
                expect("readyz on a full disk", ready(), {503})
                os.remove(ballast)
                expect("the same batch with room again", [send()], {200})
                accepted += 200
                expect("readyz with room again", ready(), {200})
            found = exchange(collector, (
                f"GET /v1/installs/{phone.install} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {collector.token}\r\n"
                "Connection: close\r\n\r\n").encode())[1]
            stored = sum(item["last"] - item["first"] + 1 for item in json.loads(found.split(b"\r\n\r\n", 1)[1])["numbers"]
                         if item["fate"] == "stored")
            print(f"  a full disk: rejected {dict(rejected)}; {accepted} events acknowledged, {stored} numbers stored")
            if stored != accepted:
                fail(f"{accepted} events were acknowledged on a full disk, {stored} are stored")
            collector.end()
        finally:
            subprocess.run(["umount", "-l", f"{folder}/data"], capture_output=True)
