"""Hostile and clumsy clients: what one of them may cost, and that the others don't notice it.

Each case runs against a collector of its own. It fails by counts: statuses, allocated memory, bytes on disk, ranges in a receipt, bystanders'
errors. CPU is compared with that of an ordinary batch of 100 events.
"""

import collections
import contextlib
import functools
import gzip
import json
import os
import re
import signal
import subprocess
import tempfile
import time

from client import (
    APP, HIGHEST, LINES, MAXIMUM, UNLIMITED, Collector, Cost, Phone, answers, ask, batch, exchange, expect, fault, field, header, line,
    simultaneously)

CASES = []
# The most that a request may allocate, in MiB, with what the allocator and the caches keep.
MEMORY = 48


def case(name, *options, long=False):
    """Registers a case. A long one runs only without `--short`."""

    def register(function):
        CASES.append((name, options or UNLIMITED, long, function))
        return function

    return register


def run(only, short):
    """Runs the cases whose name contains a text."""
    for name, options, long, function in CASES:
        if only not in name or (long and short):
            continue
        with tempfile.TemporaryDirectory() as folder:
            if "FOLDER/schemas" in options:
                slow_schema(f"{folder}/schemas")
            options = [option.replace("FOLDER", folder) for option in options]
            try:
                collector = Collector(folder, options)
            except SystemExit as error:
                fault(f"{name}: {str(error)[:300]}")
                continue
            try:
                figures = function(collector)
            except Exception as error:  # the next cases run, too
                fault(f"{name}: {type(error).__name__}: {error}")
                figures = "ended"
            print(f"  {name}: {figures}", flush=True)
            if not collector.is_running():
                fault(f"{name}: the collector ended: {collector.process.returncode}")
            collector.kill()


def slow_schema(folder):
    """A plan with an event whose pattern backtracks."""
    os.makedirs(f"{folder}/events/slow")
    with open(f"{folder}/events/slow/1-0-0.json", "w") as file:
        value = {"type": "object", "properties": {"text": {"type": "string", "pattern": r"^(?=((a|aa)+)+$)\1$"}}}
        json.dump({
            "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://example.com/events/slow/1-0-0.json", "title": "slow",
            "type": "object", "required": ["name", "value"], "properties": {"name": {"const": "slow"}, "value": value}}, file)


@functools.cache
def ordinary():
    """The CPU seconds of a batch of 100 events."""
    with tempfile.TemporaryDirectory() as folder:
        collector, phone = Collector(folder, UNLIMITED), Phone("ordinary")
        for _ in range(2):  # the first time fills caches
            with Cost(collector) as cost, collector.connect() as connection:
                connection.sendall(b"".join(phone.request(collector.key, phone.body(100), close=number == 29) for number in range(30)))
                expect("an ordinary batch", answers(connection)[0], {200})
        collector.kill()
        return cost.cpu / 30


def at_most(name, found, limit):
    if found > limit:
        fault(f"{name}: {found:.6g}, more than {limit:.6g}")


def check(name, cost, batches, memory=MEMORY, disk=None):
    """Compares a cost with its limits: CPU in ordinary batches, memory and disk in MiB."""
    at_most(f"{name}, CPU in ordinary batches", cost.cpu / ordinary(), batches)
    at_most(f"{name}, MiB allocated", cost.memory, memory)
    if disk is not None:
        at_most(f"{name}, MiB on disk", cost.disk, disk)
    return f"{cost}, the CPU of {cost.cpu / ordinary():.0f} batches"


def expect_problem(name, answer, status, words=""):
    """Checks that a request is rejected, with a problem that names the limit."""
    found, problem = answer
    if found != status or words not in (problem.get("detail", "") if isinstance(problem, dict) else ""):
        fault(f"{name}: {found} {str(problem)[:200]}, not {status} with '{words}'")


def alternating(count, reason="erased", first=1):
    """Ranges of one number each, with a gap after each."""
    return [{"first": first + 2 * index, "last": first + 2 * index, "reason": reason} for index in range(count)]


def track(collector, number, key=None):
    return collector.post("/v1/batch", {"batch": [{"type": "track", "event": "x", "messageId": f"m{number}"}]}, key=key)[0]


def held(install, first, last, **members):
    """A header that announces numbers without their events."""
    return header(install, first, last, missing=[{"first": last, "last": last, "reason": "held"}], **members)


# One error in a group of submissions.


@case("the installs of other systems' clients are claimed")
def claimed(collector):
    before = track(collector, 0)
    high = [collector.deliver(held(f"segment:{APP}", MAXIMUM, MAXIMUM))[0]]
    others = [collector.deliver(held(f"{prefix}:{app}", 1, 1))[0]
              for prefix in ("segment", "cloudevents", "otlp", "snowplow") for app in (APP, "other")]
    statuses, messages = collections.Counter(), collections.Counter()

    def deliver(number):
        phone = Phone(f"bystander-{number}")
        for _ in range(15):
            status, receipt = ask(collector.client(), "POST", "/v1/events", phone.body(), {"Content-Type": LINES}, collector.key)
            statuses[status] += 1

    def attack(number):
        for index in range(15):
            messages[track(collector, f"{number}-{index}")] += 1

    simultaneously([functools.partial(work, number) for number in range(4) for work in (deliver, attack)])
    expect("a claim of a foreign install", high + others, {409, 413})
    expect("messages of the app", [before, *messages], {200})
    expect("bystanders in the same groups", statuses, {200})
    return f"claims {sorted(collections.Counter(high + others).items())}, messages {dict(messages)}, bystanders {dict(statuses)}"


@case("numbers that no event may have")
def numbers(collector):
    allowed = collector.deliver(held("high", HIGHEST, HIGHEST))
    expect("the highest number", [allowed[0]], {200})
    for number in (HIGHEST + 1, MAXIMUM):
        expect_problem(f"the number {number}", collector.deliver(held("higher", number, number)), 413, str(HIGHEST))
        ledger = [{"reason": "a", "count": 1, "first": number, "last": number}]
        expect_problem(f"{number} in a ledger", collector.deliver(held("ledger", 1, 1, ledger=ledger)), 413, str(HIGHEST))
    found = [collector.deliver(held("low", number, number))[0] for number in (0, -1, 2**53, 2**63, -2**63, 1.5)]
    expect("numbers outside of JSON's integers", found, {400, 413})
    return f"highest {allowed[0]}, others {found}"


# Work that a header causes.


@case("a batch header with as much work as its limits allow")
def headers(collector):
    def attack(name, ranges, rows):
        every = {"reason": "a", "count": 1, "first": 1, "last": 2 * ranges + 2}
        return header(name, 1, 2 * ranges + 2, missing=alternating(ranges), ledger=[every] * rows)

    for count in (1000, 3000):
        with Cost(collector) as cost:
            expect_problem(f"{count} ranges and rows", collector.deliver(attack(f"a{count}", count, count), compressed=True), 413, "65536")
        figures = check(f"{count} ranges and rows", cost, 50)
        if cost.cpu / ordinary() > 50:
            return figures  # 3,000 take ten times as long
    with Cost(collector) as cost:
        expect("a header within the limits", [collector.deliver(attack("allowed", 600, 600))[0]], {200})
    figures = check("a header within the limits", cost, 50)
    short = {"reason": "a", "count": 1}
    for found, ranges, rows, status in [("allowed", 1000, 0, 200), ("allowed", 0, 1000, 200), ("1000", 1001, 0, 413), ("1000", 0, 1001, 413)]:
        head = header(f"h{ranges}-{rows}", 1, 2 * ranges + 1, missing=alternating(ranges), ledger=[short] * rows)
        answer = collector.deliver(head)
        expect_problem(f"{ranges} ranges and {rows} rows", answer, status, found if status == 413 else "")
    expect_problem("a long header", collector.deliver(header("long", 1, 1, x="y" * 65_536)), 413, "65536")
    return figures


@case("an install with more than 100,000 ranges", long=True)
def many_ranges(collector):
    first, statuses = 1, collections.Counter()
    for _ in range(110):
        answer = collector.deliver(header("ranges", first, first + 1999, missing=alternating(1000, "erased", first)))
        statuses[answer[0]] += 1
        if answer[0] != 200:
            expect_problem("more ranges", answer, 429, "100,000" if "100,000" in str(answer[1]) else "100000")
        first += 2000
    expect("batches of an install with many ranges", statuses, {200, 429})
    if not statuses[429]:
        fault("an install may have 110,000 ranges")
    return dict(statuses)


# Numbers that clients choose, in sums.


@case("1,100 installs announce the highest number")
def sums(collector):
    expect("an event", [collector.deliver(header("named", 1, 1), line("named", 1))[0]], {200})
    client = collector.client()
    for number in range(1100):
        status, _ = ask(client, "POST", "/v1/events", batch(held(f"x{number}", HIGHEST, HIGHEST)), {"Content-Type": LINES}, collector.key)
        expect("an announcement", [status], {200})
    rows = eventually(lambda: (count := collector.get("/v1/completeness")[1]["row_count"]) > 1100 and count)
    paths = ("/v1/completeness?by=app&days=90", "/v1/installs?limit=10000", "/v1/arrivals", "/v1/findings", "/metrics", "/readyz")
    statuses = collections.Counter(collector.get(path)[0] for path in paths)
    expect("reading the sums", statuses, {200})
    return f"{rows} installs in the statistics, reading {dict(statuses)}"


def eventually(found, seconds=20):
    """Waits until a function returns a true value, and returns its last value."""
    deadline = time.monotonic() + seconds
    while not (value := found()) and time.monotonic() < deadline:
        time.sleep(0.3)
    return value


# Memory of a decision.


@case("two lines of an install with thousands of runs")
def runs(collector):
    for number in range(4):  # every other number: each line is a run
        first = 5000 * number + 1
        lines = [line("runs", first + 2 * index) for index in range(2500)]
        expect("a batch with every other number", [collector.deliver(header("runs", first, first + 4999), *lines, compressed=True)[0]], {200})
    with Cost(collector) as cost:
        status, receipt = collector.deliver(header("runs", 1, 20_001), line("runs", 1), line("runs", 20_001))
    expect("two lines", [status], {200, 409})  # the first line is another one than before: a fork
    return check("two lines", cost, 50)


# Conversion of other systems' messages.


def context(size):
    """An object of a size in bytes."""
    return {f"k{index:06}": "v" for index in range(size // 14)}


def expect_refused(name, answer):
    """Checks that a request is rejected, or each of its messages."""
    status, found = answer
    if status != 413 and not (status == 200 and isinstance(found, dict) and found.get("stored") == 0 and found.get("rejected")):
        fault(f"{name}: {status} {str(found)[:200]}, not rejected")


@case("a Segment batch whose messages share a context")
def shared_context(collector):
    figures = []
    for size, messages, refused in [(64_000, 40, True), (20_000, 400, True), (20_000, 4, False)]:
        body = {"batch": [{"type": "track", "event": "x", "messageId": str(index)} for index in range(messages)], "context": context(size)}
        with Cost(collector) as cost:
            answer = collector.post("/v1/batch", body, compressed=True)
        name = f"{messages} messages with {size // 1000} KB"
        if refused:
            expect_refused(name, answer)
        else:
            expect(name, [answer[0]], {200})
        figures.append(f"{name}: {check(name, cost, 60)}")
    return "; ".join(figures)


def records(count, resource=b"", body=b""):
    """An `ExportLogsServiceRequest`."""
    attribute = field(1, field(1, b"k") + field(2, field(1, resource))) if resource else b""
    return field(1, field(1, attribute) + field(2, field(2, body) * count))


PROTOBUF = "application/x-protobuf"


@case("OTLP records that share a resource")
def shared_resource(collector):
    with Cost(collector) as cost:
        # OTLP's response counts rejected records in `partial_success`: field 1.
        status, found = collector.post("/v1/logs", records(200, b"r" * 320_000), PROTOBUF)
    if status != 413 and not (status == 200 and found[:1] == b"\x0a"):
        fault(f"records with a resource of 320 KB: {status} {found[:50]}, not rejected")
    return check("records with a resource of 320 KB", cost, 60)


@case("OTLP arrays in many parts")
def nested_arrays(collector):
    element = field(1, b"")  # an `AnyValue` without a value
    with Cost(collector) as cost:
        parts = collector.post("/v1/logs", records(1, body=field(5, field(5, element) * 30_000)), PROTOBUF, compressed=True)[0]
        pairs = collector.post("/v1/logs", records(1, body=field(5, b"".join(
            field(6, field(1, field(1, b"%d" % index))) for index in range(10_000)))), PROTOBUF, compressed=True)[0]
    expect("arrays in parts", [parts, pairs], {200, 413})
    return check("arrays in parts", cost, 60)


# Responses that the client doesn't read.


@case("pipelined requests without reading the responses")
def unread(collector):
    first = 9 * 10**15  # long numbers
    lines = [line("gaps", first + 2 * index) for index in range(2000)]
    status, receipt = collector.deliver(header("gaps", first, first + 3998), *lines)
    expect("a batch with 1,999 gaps", [status], {200})
    listed = len(receipt.get("missing", []))
    at_most("ranges in a receipt", listed, 100)
    if receipt.get("has_more_missing") is not True:
        fault(f"a receipt with {listed} of 1,999 ranges does not say that there are more")
    with Cost(collector) as cost, collector.connect() as connection:
        connection.settimeout(3)
        sent = 0
        with contextlib.suppress(OSError):  # the collector reads no more, or closes the connection
            for number in range(2000):
                seq = first + 4000 + number
                body = batch(header("gaps", seq, seq), line("gaps", seq))
                head = f"POST /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {collector.key}\r\nContent-Type: {LINES}\r\n"
                connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
                sent += 1
        wait_until_idle(collector)
    figures = check("unread responses", cost, float("inf"), memory=24)
    expect("a bystander", [ask(collector.client(), "POST", "/v1/events", Phone("unread").body(), {"Content-Type": LINES}, collector.key)[0]], {200})
    return f"{listed} ranges in a receipt; {sent} requests sent: {figures}"


def wait_until_idle(collector, seconds=20):
    """Returns when the collector has used no CPU for a second, except for its clocks."""
    deadline, last = time.monotonic() + seconds, -1.0
    while time.monotonic() < deadline and collector.cpu() - last > 0.05:
        last = collector.cpu()
        time.sleep(0.5)


# Ids and texts.


@case("U+0000 and other controls in texts")
def controls(collector):
    victim = "VICTIM-1"
    expect("a correct batch", [collector.deliver(header(victim, 1, 3), *(line(victim, seq) for seq in (1, 2, 3)))[0]], {200})
    found = {}
    for name, text in [("U+0000", "\0"), ("U+0001", "\1"), ("U+001B", "\x1b"), ("U+007F", "\x7f"), ("U+0085", "\x85")]:
        for place, head in [("install", held(f"{victim}{text}x", 1, HIGHEST, secret="c" * 32)),
                            ("reason", held("reason", 1, 1, ledger=[{"reason": f"a{text}", "count": 1}]))]:
            status = found[f"{place} {name}"] = collector.deliver(head)[0]
            expect(f"{name} in {place}", [status], {400})
    for member, members in [("user_id", {"user_id": "a\0b"}), ("schema", {"schema": "a\0/1-0-0"}), ("app", {"app": "a\0"}),
                            ("event", {"event": {"name": "a\0", "value": {}}})]:
        status, receipt = collector.deliver(header(f"texts-{member}", 1, 1), line(f"texts-{member}", 1, **members))
        if status != 400 and not receipt.get("rejected"):
            fault(f"U+0000 in {member}: {status}, no line is rejected")
    time.sleep(2)
    after, listed = "", []
    for _ in range(20):
        page = collector.get(f"/v1/installs?limit=1&after={after}")[1]
        if not page.get("installs"):
            break
        listed.append(page["installs"][0]["install_id"])
        after = (page.get("next") or listed[-1]).replace("\0", "%00")
    if len(listed) != len(set(listed)) or len(listed) == 20:
        fault(f"paging returns installs repeatedly: {listed}")
    rows = [row for row in collector.get("/v1/completeness")[1]["rows"] if row["name"] == victim]
    if len(rows) != 1 or rows[0]["total"]["numbers"] != 3:
        fault(f"the victim's numbers have changed: {rows}")
    return f"{collections.Counter(found.values())}, {len(listed)} installs, the victim has {[row['total']['numbers'] for row in rows]} numbers"


# Requests without a key.


@case("stalled requests without a key", *UNLIMITED, "--body-timeout", "10")
def keyless(collector):
    stalled = []
    for number in range(1005):
        connection = collector.connect(f"127.0.0.{2 + number % 100}")
        connection.sendall(b"POST /v1/track HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{")
        stalled.append(connection)
    time.sleep(1)
    phone, statuses = Phone("keyless"), collections.Counter()
    for _ in range(20):
        statuses[exchange(collector, phone.request(collector.key))[0][0]] += 1
    time.sleep(6)
    ended = collections.Counter()
    for connection in stalled:
        connection.setblocking(False)
        try:
            ended[connection.recv(12)[-3:].decode() or "closed"] += 1
        except BlockingIOError:
            ended["open"] += 1
        except OSError:
            ended["closed"] += 1
        connection.close()
    expect("a bystander of stalled requests", statuses, {200})
    if ended["open"]:
        fault(f"{ended['open']} requests without a key were not ended within 7 s")
    with Cost(collector) as cost:
        body = json.dumps({"batch": [{"messageId": str(index), "event": "x" * 80} for index in range(35_000)]}).encode()
        status = collector.post("/v1/batch", body, key="wrong")[0]
        statuses_ = [status, ask(collector.client(), "POST", "/v1/batch", body, {"Content-Type": "application/json"})[0]]
    expect("4 MB without a key", statuses_, {0, 401, 413})
    return f"bystander {dict(statuses)}, stalled {dict(ended)}; 4 MB without a key: {statuses_}, {check('4 MB without a key', cost, 20)}"


@case("stalled requests without a key from one address", *UNLIMITED)
def keyless_address(collector):
    stalled = [collector.connect("127.0.0.2") for _ in range(20)]
    for connection in stalled:
        connection.sendall(b"POST /v1/track HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{")
    time.sleep(1)
    still = 0
    for connection in stalled:
        connection.setblocking(False)
        with contextlib.suppress(OSError):
            try:
                connection.recv(1)
            except BlockingIOError:
                still += 1
        connection.close()
    at_most("requests without a key of one address", still, 8)
    return f"{still} of 20 wait for their body"


# Bytes.


@case("long lines that are no events")
def rejected_lines(collector):
    statuses = collections.Counter()
    with Cost(collector) as cost:
        for number in range(40):
            statuses[collector.deliver(header(f"long-{number}", 1, 1), b'{"a":"' + b"x" * 890_000 + b'"}')[0]] += 1
    expect("a line of 890 KB", statuses, {200, 429})
    figures = check("40 lines of 890 KB", cost, 400, disk=4)
    with Cost(collector) as cost:
        status, page = collector.get("/v1/rejects?limit=1000")
        length = len(page if isinstance(page, bytes) else json.dumps(page))
    expect("a page of rejects", [status], {200})
    at_most("MiB of a page of rejects", length / 2**20, 5)
    return f"{dict(statuses)}, {figures}; a page of rejects with {length / 2**20:.1f} MiB: {check('a page of rejects', cost, float('inf'))}"


@case("the quota of bytes", "--key-rate", "100", "--install-rate", "0")
def byte_quota(collector):
    # A burst has 1,000 events and as many KiB.
    statuses = collections.Counter(
        collector.deliver(header(f"bytes-{number}", 1, 1), b'{"a":"' + b"x" * 890_000 + b'"}')[0] for number in range(10))
    expect("requests over the quota of bytes", statuses, {200, 429})
    if statuses[200] > 3:
        fault(f"{statuses[200]} lines of 890 KB within a quota of 1,000 KiB")
    return dict(statuses)


@case("the limit of the store", *UNLIMITED, "--max-bytes", "3000000")
def max_bytes(collector):
    phone, stored, statuses = Phone("store"), 0, collections.Counter()
    client, deadline = collector.client(), time.monotonic() + 40
    while time.monotonic() < deadline and not statuses[503]:
        status, receipt = ask(client, "POST", "/v1/events", phone.body(500), {"Content-Type": LINES}, collector.key)
        statuses[status] += 1
        stored += 500 * (status == 200)
    expect("batches above --max-bytes", statuses, {200, 503})
    if not statuses[503]:
        fault("the store grows above --max-bytes")
    kept = sum(item["last"] - item["first"] + 1 for item in collector.get(f"/v1/installs/{phone.install}")[1]["numbers"]
               if item["fate"] == "stored")
    if kept != stored:
        fault(f"{stored} events were acknowledged, {kept} are stored")
    return f"{dict(statuses)}, {stored} events acknowledged, {kept} stored, {collector.stored() / 2**20:.1f} MiB"


# Names.


@case("20,000 names of apps and events")
def names(collector):
    def app(name):
        return {"context": {"sdk": "x 1", "app": name}}

    with Cost(collector) as cost:
        for number in range(8):
            install = f"names-{number}"
            lines = [line(install, seq, **app(f"app-{number} {seq}"), **({"name": f"event-{number}-{seq}"} if number % 2 else {}))
                     for seq in range(1, 2501)]
            expect("a batch with many names", [collector.deliver(header(install, 1, 2500), *lines, compressed=True)[0]], {200})
        wait_until_idle(collector)
    planned = line("planned", 1, "launch", event={"name": "launch"}, **app("other-app 1"))
    expect("an event of the plan", [collector.deliver(header("planned", 1, 1), planned)[0]], {200})

    def arrivals():
        return {event["name"]: event for event in collector.get("/v1/arrivals")[1]["events"]}

    eventually(lambda: arrivals()["launch"].get("accepted"), 5)
    events = arrivals()
    launch = events["launch"]
    apps = [group["name"] for group in launch.get("apps", [])]
    if launch.get("accepted") != 1 or apps in ([], ["(other)"]):
        fault(f"an event of the plan is not counted after many names: {str(launch)[:200]}")
    return f"{len(events)} names are listed, launch {launch.get('accepted')} of {apps}; {check('20,000 names', cost, 1000)}"


# One client's share.


@case("one address uses up the quota of the key", "--key-rate", "50", "--install-rate", "0")
def quota(collector):
    end, attack, phones, attempts = time.monotonic() + 12, collections.Counter(), collections.Counter(), collections.Counter()

    def send(client, body):
        return ask(client, "POST", "/v1/events", body, {"Content-Type": LINES}, collector.key)[0]

    def use_up(number):
        client, sent = collector.client("127.0.0.2"), 0
        while time.monotonic() < end:
            install = f"new-{number}-{sent}"
            attack[send(client, batch(header(install, 1, 1), line(install, 1)))] += 1
            sent += 1

    def use(number):
        client, phone = collector.client(f"127.0.1.{number}"), Phone(f"quota-{number}")
        time.sleep(4)  # the quota is used up
        while time.monotonic() < end:
            body, tries, status = phone.body(1), 0, None
            while status != 200 and tries < 20:
                status = send(client, body)
                phones[status] += 1
                tries += 1
                time.sleep(1)
            attempts[tries if status == 200 else "never"] += 1

    simultaneously([functools.partial(use_up, number) for number in range(4)] + [functools.partial(use, number) for number in range(5)])
    expect("bystanders of an attack on the quota", phones, {200, 429})
    at_most("batches of bystanders that needed more than two attempts", sum(attempts.values()) - attempts[1] - attempts[2], 0)
    at_most("bystanders' 429", phones[429], 0.2 * sum(phones.values()))
    return f"the attack {dict(attack)}, bystanders {dict(phones)}, attempts {dict(attempts)}"


@case("erasures of unknown users")
def erasures(collector):
    install, count = "erasing", 300
    for first in range(1, 10_001, 2500):
        lines = [line(install, seq) for seq in range(first, first + 2500)]
        expect("events before erasures", [collector.deliver(header(install, first, first + 2499), *lines)[0]], {200})

    def io(name):
        with open(f"/proc/{collector.process.pid}/io") as file:
            return int(re.search(name + r": (\d+)", file.read()).group(1))

    statuses, client, read = collections.Counter(), collector.client(), io("rchar")
    with Cost(collector) as cost:
        for number in range(count):
            body = json.dumps({"id": f"{number:032x}", "secret": "a" * 32, "user_id": f"unknown-{number}", "through": 10_000, "numbers": []})
            statuses[ask(client, "POST", f"/v1/installs/{install}/erasures", body, {"Content-Type": "application/json"}, collector.key)[0]] += 1
        wait_until_idle(collector)
    read = io("rchar") - read
    expect("erasures of unknown users", statuses, {200, 429})
    at_most("KiB read for each erasure", read / count / 1024, 64)
    return f"{dict(statuses)}, {read / count / 1024:.1f} KiB read for each, {check('erasures', cost, 300, disk=1)}"


# Clumsy clients.


@case("one batch is sent 300 times")
def repeated(collector):
    phone = Phone("loop")
    body = phone.body(100)
    expect("the batch", [collector.post("/v1/events", body, LINES)[0]], {200})
    with Cost(collector) as cost, collector.connect() as connection:
        request = phone.request(collector.key, body, encoding="gzip", close=False)
        statuses = collections.Counter()
        for _ in range(30):
            connection.sendall(request * 10)
            statuses.update(read_responses(connection, 10))
    expect("repeated batches", statuses, {200, 429})
    return f"{dict(statuses)}, {check('repeated batches', cost, 200, disk=0.1)}"


def read_responses(connection, count):
    """Reads a number of responses, and returns their statuses."""
    statuses, file = [], connection.makefile("rb")
    for _ in range(count):
        statuses.append(int(file.readline().split()[1]))
        length = 0
        while (field_ := file.readline().strip().lower()):
            if field_.startswith(b"content-length:"):
                length = int(field_.split(b":")[1])
        file.read(length)
    return statuses


@case("one install on 200 phones")
def restored(collector):
    first = Phone("restored")
    backup = first.body(20)
    expect("the phone", [collector.post("/v1/events", backup, LINES)[0]], {200})
    conflicts, client = collections.Counter(), collector.client()
    with Cost(collector) as cost:
        for number in range(200):
            phone, batches = Phone(f"phone-{number}"), []
            phone.install, phone.secret, phone.seq, generations = first.install, first.secret, 10, 1
            while generations < 5:
                status, problem = ask(client, "POST", "/v1/events", phone.body(5), {"Content-Type": LINES}, collector.key)
                batches.append(status)
                if status != 409:
                    break
                phone.install, phone.secret, phone.seq, generations = f"{phone.install[:20]}-{number}-{generations}", f"{number:032x}", 0, generations + 1
            conflicts[tuple(batches)] += 1
    expect("phones with a restored install: one conflict, then a new generation", conflicts, {(409, 200)})
    return f"{dict(conflicts)}, {check('restored phones', cost, 200, disk=2)}"


@case("each event is a batch of its own")
def single_events(collector):
    phone, client, statuses = Phone("single"), collector.client(), collections.Counter()
    with Cost(collector) as cost:
        for _ in range(2000):
            statuses[ask(client, "POST", "/v1/events", phone.body(1), {"Content-Type": LINES}, collector.key)[0]] += 1
    expect("batches of one event", statuses, {200})
    return f"{dict(statuses)}, {check('2,000 batches of one event', cost, 1000, disk=8)}"


# Smaller ones.


@case("an imported install")
def imported(collector):
    lines = [line("imported", seq) for seq in range(1, 11)]
    statuses = [collector.post("/v1/events", batch(*lines), LINES, key=collector.token)[0],  # an import
                collector.deliver(held("imported", 100, 100, secret="b" * 32))[0],
                collector.deliver(header("imported", 1, 11), *lines, line("imported", 11))[0]]
    if [statuses[0], statuses[2]] != [200, 200]:
        fault(f"an imported install is bound to a client without its lines: {statuses}")
    return f"import {statuses[0]}, another client {statuses[1]}, its client {statuses[2]}"


@case("carriage returns between the tokens of a line")
def carriage_returns(collector):
    text = json.dumps(line("returns", 1)).replace(', "event"', ',\r\r"event"')
    receipt = collector.deliver(header("returns", 1, 1), text.encode())[1]
    with collector.connect() as connection:
        connection.settimeout(3)
        connection.sendall(f"GET /v1/stream HTTP/1.1\r\nHost: 127.0.0.1:{collector.port}\r\nAuthorization: Bearer {collector.token}\r\n\r\n".encode())
        statuses, received = answers(connection)
    content = received.split(b"\r\n\r\n", 1)[-1].replace(b"\r\n", b"")
    if not receipt.get("rejected") and b"returns" not in content:
        fault(f"the stream does not have the line: {received[:200]}")
    if b"\r" in content:
        fault("a line of the stream ends at a carriage return of the event")
    return f"{len(content)} bytes, {content.count(bytes([13]))} carriage returns"


@case("the first start without a terminal")
def first_start(collector):
    folder = f"{collector.folder}/first"
    process = subprocess.Popen([collector.program, "--data", folder, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = b""
    while b"listening" not in output and (part := process.stdout.readline()):
        output += part
    process.kill()
    process.wait()
    process.stdout.close()
    tokens = len(re.findall(rb"at_[0-9a-f]{16,}", output))
    at_most("admin tokens in the output of the first start", tokens, 0)
    return f"{tokens} admin tokens in its output"


@case("the admin token as a client's key")
def token_as_key(collector):
    body = {"type": "track", "event": "x", "messageId": "m", "writeKey": collector.token}
    found = [ask(collector.client(), "GET", f"/key/{collector.token}/i?e=pv")[0],
             ask(collector.client(), "POST", f"/key/{collector.token}/v1/track", json.dumps(body), {"Content-Type": "application/json"})[0],
             ask(collector.client(), "POST", "/v1/track", json.dumps(body), {"Content-Type": "application/json"})[0]]
    expect("the admin token in a URL or a body", found, {401, 403})
    return found


@case("an unfinished erasure in the log", *UNLIMITED, "--log-level", "debug")
def logged_users(collector):
    user = "erased-user-4711"
    folder = f"{collector.data}/erasures"
    expect("an event", [collector.deliver(header("erased", 1, 1), line("erased", 1, user_id=user))[0]], {200})
    os.kill(collector.process.pid, signal.SIGSTOP)
    with collector.connect() as connection:
        body = json.dumps({"user_id": user})
        connection.sendall((f"POST /v1/erasures HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {collector.token}\r\nContent-Type: application/json\r\n"
                            f"Content-Length: {len(body)}\r\n\r\n{body}").encode())
        os.kill(collector.process.pid, signal.SIGCONT)
        deadline = time.monotonic() + 5
        while not (os.path.isdir(folder) and os.listdir(folder)) and time.monotonic() < deadline:
            pass
        collector.process.kill()
    collector.process.wait()
    unfinished = len(os.listdir(folder)) if os.path.isdir(folder) else 0
    collector.process = Collector(collector.folder, [*UNLIMITED, "--log-level", "debug"]).process
    time.sleep(1)
    with open(f"{collector.folder}/log", errors="replace") as log:
        found = log.read().count(user)
    at_most("user ids in the log", found, 0)
    return f"{unfinished} unfinished erasures, {found} user ids in the log"


@case("host fields and Expect")
def request_fields(collector):
    found = {}
    for name, fields, status in [("no", "", 400), ("two", "Host: a\r\nHost: b\r\n", 400), ("one", "Host: a\r\n", 200)]:
        found[name] = exchange(collector, f"GET /healthz HTTP/1.1\r\n{fields}Connection: close\r\n\r\n".encode())[0]
        expect(f"{name} Host", found[name], {status})
    phone = Phone("expect")
    first, second = phone.request(collector.key, phone.body(500), close=False), phone.request(collector.key, fields=["Expect: 100-continue"])
    found["expect"] = exchange(collector, first + second)[0]
    if found["expect"] not in ([200, 100, 200], [200, 200]):
        fault(f"100 Continue is sent before the response to the earlier request: {found['expect']}")
    return found


@case("a failed backup", *UNLIMITED, "--backups", "FOLDER/backups")
def failed_backup(collector):
    os.mkdir(f"{collector.folder}/backups")
    os.symlink("/nonexistent/folder", f"{collector.folder}/backups/night")
    status, problem = collector.post("/v1/backups", {"name": "night"}, key=collector.token)
    if "cannot store events" in str(problem):
        fault(f"a failed backup is reported as a failed store: {problem}")
    found = [collector.get("/readyz")[0], ask(collector.client(), "POST", "/v1/events", Phone("b").body(), {"Content-Type": LINES}, collector.key)[0]]
    expect("the collector after a failed backup", found, {200})
    return f"{status} {problem.get('detail') if isinstance(problem, dict) else problem}; then {found}"


@case("a schema with a pattern that backtracks", *UNLIMITED, "--schemas", "FOLDER/schemas")
def backtracking(collector):
    lines = [line("pattern", seq, "slow", {"text": "a" * 60 + "!"}) for seq in range(1, 301)]
    with Cost(collector) as cost:
        status, receipt = collector.deliver(header("pattern", 1, 300), *lines)
    expect("lines that backtrack", [status], {200, 413})
    return f"{status}, {len(receipt.get('rejected', []))} rejected, {check('300 lines that backtrack', cost, 100)}"


@case("keys that are added simultaneously")
def simultaneous_keys(collector):
    keys = []
    simultaneously([lambda: keys.append(collector.add_key("parallel")) for _ in range(12)])
    listed = subprocess.run([collector.program, "keys", "list", "--data", collector.data], capture_output=True, text=True, check=True).stdout
    kept = listed.count("  parallel  ")
    at_most("keys that are lost", len(keys) - kept, 0)
    return f"{kept} of {len(keys)} keys are listed"
