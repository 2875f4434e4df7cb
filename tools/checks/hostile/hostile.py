"""Cases of hostile clients: each does by intent what a broken client may do by accident."""

import collections
import contextlib
import functools
import json
import time

from cases import accept, alternating, at_most, case, check, eventually, expect_problem, held, ordinary, track
from client import (
    APP, HIGHEST, LINES, MAXIMUM, UNLIMITED, Cost, Phone, ask, batch, exchange, expect, fail, field, header, line, simultaneously)

LONG = b'{"a":"' + b"x" * 890_000 + b'"}\n'  # a line that is no event


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
            status, receipt = collector.deliver(phone.body())
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
    expect("numbers that JSON cannot hold", found, {400, 413})
    return f"highest {allowed[0]}, others {found}"


# Work that a header causes.


@case("a batch header with as much work as its limits allow")
def headers(collector):
    def attack(name, ranges, rows):
        every = {"reason": "a", "count": 1, "first": 1, "last": 2 * ranges + 2}
        return header(name, 1, 2 * ranges + 2, missing=alternating(ranges), ledger=[every] * rows)

    for count in (1000, 3000):
        with Cost(collector) as cost:
            answer = collector.deliver(attack(f"a{count}", count, count), compressed=True)
        expect_problem(f"{count} ranges and rows", answer, 413, "65536")
        figures = check(f"{count} ranges and rows", cost, 50)
        if cost.cpu / ordinary() > 50:
            return figures  # 3,000 need ten times as much
    with Cost(collector) as cost:
        accept("a header within the limits", collector, attack("allowed", 600, 600))
    figures = check("a header within the limits", cost, 50)
    short = {"reason": "a", "count": 1}
    for ranges, rows, status in [(1000, 0, 200), (0, 1000, 200), (1001, 0, 413), (0, 1001, 413)]:
        head = header(f"h{ranges}-{rows}", 1, 2 * ranges + 1, missing=alternating(ranges), ledger=[short] * rows)
        expect_problem(f"{ranges} ranges and {rows} rows", collector.deliver(head), status, "1000" if status == 413 else "")
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
        fail("an install may have 110,000 ranges")
    return dict(statuses)


# Numbers that clients choose, in sums.


@case("1,100 installs announce the highest number")
def sums(collector):
    accept("an event", collector, header("named", 1, 1), line("named", 1))
    client = collector.client()
    for number in range(1100):
        status, _ = collector.deliver(held(f"x{number}", HIGHEST, HIGHEST), client=client)
        expect("an announcement", [status], {200})
    rows = eventually(lambda: (count := collector.get("/v1/completeness")[1]["row_count"]) > 1100 and count)
    paths = ("/v1/completeness?by=app&days=90", "/v1/installs?limit=10000", "/v1/arrivals", "/v1/findings", "/metrics", "/readyz")
    statuses = collections.Counter(collector.get(path)[0] for path in paths)
    expect("reading the sums", statuses, {200})
    return f"{rows} installs in the statistics, reading {dict(statuses)}"


# Memory of a decision.


@case("two lines of an install with thousands of runs")
def runs(collector):
    for number in range(4):  # every other number: each line is a run
        first = 5000 * number + 1
        lines = [line("runs", first + 2 * index) for index in range(2500)]
        accept("a batch with every other number", collector, header("runs", first, first + 4999), *lines, compressed=True)
    with Cost(collector) as cost:
        status, receipt = collector.deliver(header("runs", 1, 20_001), line("runs", 1), line("runs", 20_001))
    expect("two lines", [status], {200, 409})  # the first line is another one than before: a fork
    return check("two lines", cost, 50)


# Conversion of other systems' messages.


def context(size):
    """An object of a size in bytes."""
    return {f"k{index:06}": "v" for index in range(size // 14)}


def expect_rejected(name, answer):
    """Checks that a request is rejected, or each of its messages."""
    status, found = answer
    if status != 413 and not (status == 200 and isinstance(found, dict) and found.get("stored") == 0 and found.get("rejected")):
        fail(f"{name}: {status} {str(found)[:200]}, not rejected")


@case("a Segment batch whose messages share a context")
def shared_context(collector):
    figures = []
    for size, messages, is_rejected in [(64_000, 40, True), (20_000, 400, True), (20_000, 4, False)]:
        body = {"batch": [{"type": "track", "event": "x", "messageId": str(index)} for index in range(messages)], "context": context(size)}
        with Cost(collector) as cost:
            answer = collector.post("/v1/batch", body, compressed=True)
        name = f"{messages} messages with {size // 1000} KB"
        if is_rejected:
            expect_rejected(name, answer)
        else:
            expect(name, [answer[0]], {200})
        figures.append(f"{name}: {check(name, cost, 250)}")
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
        fail(f"records with a resource of 320 KB: {status} {found[:50]}, not rejected")
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
        fail(f"a receipt with {listed} of 1,999 ranges does not state that there are more")
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
        collector.wait_until_idle(20)
    figures = check("unread responses", cost, float("inf"), memory=24)
    accept("a bystander", collector, Phone("unread").body())
    return f"{listed} ranges in a receipt; {sent} requests sent: {figures}"


# Ids and texts.


@case("U+0000 and other controls in texts")
def controls(collector):
    victim = "VICTIM-1"
    accept("a correct batch", collector, header(victim, 1, 3), *(line(victim, seq) for seq in (1, 2, 3)))
    found = {}
    for name, text in [("U+0000", "\0"), ("U+0001", "\1"), ("U+001B", "\x1b"), ("U+007F", "\x7f"), ("U+0085", "\x85")]:
        for member, head in [("install", held(f"{victim}{text}x", 1, HIGHEST, secret="c" * 32)),
                            ("reason", held("reason", 1, 1, ledger=[{"reason": f"a{text}", "count": 1}]))]:
            status = found[f"{member} {name}"] = collector.deliver(head)[0]
            expect(f"{name} in {member}", [status], {400})
    for member, members in [("user_id", {"user_id": "a\0b"}), ("schema", {"schema": "a\0/1-0-0"}), ("app", {"app": "a\0"}),
                            ("event", {"event": {"name": "a\0", "value": {}}})]:
        status, receipt = collector.deliver(header(f"texts-{member}", 1, 1), line(f"texts-{member}", 1, **members))
        if status != 400 and not receipt.get("rejected"):
            fail(f"U+0000 in {member}: {status}, no line is rejected")
    time.sleep(2)
    after, listed = "", []
    for _ in range(20):
        page = collector.get(f"/v1/installs?limit=1&after={after}")[1]
        if not page.get("installs"):
            break
        listed.append(page["installs"][0]["install_id"])
        after = (page.get("next") or listed[-1]).replace("\0", "%00")
    if len(listed) != len(set(listed)) or len(listed) == 20:
        fail(f"paging returns installs repeatedly: {listed}")
    rows = [row for row in collector.get("/v1/completeness")[1]["rows"] if row["name"] == victim]
    if len(rows) != 1 or rows[0]["total"]["numbers"] != 3:
        fail(f"the victim's numbers have changed: {rows}")
    numbers = [row["total"]["numbers"] for row in rows]
    return f"{dict(collections.Counter(found.values()))}, {len(listed)} installs, the victim has {numbers} numbers"


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
        fail(f"{ended['open']} requests without a key were not ended within 7 s")
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
            statuses[collector.deliver(header(f"long-{number}", 1, 1), LONG)[0]] += 1
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
        collector.deliver(header(f"bytes-{number}", 1, 1), LONG)[0] for number in range(10))
    expect("requests over the quota of bytes", statuses, {200, 429})
    if statuses[200] > 3:
        fail(f"{statuses[200]} lines of 890 KB within a quota of 1,000 KiB")
    return dict(statuses)


@case("the limit of the store", *UNLIMITED, "--max-bytes", "3000000")
def max_bytes(collector):
    phone, stored, statuses = Phone("store"), 0, collections.Counter()
    client, deadline = collector.client(), time.monotonic() + 40
    while time.monotonic() < deadline and not statuses[503]:
        status, receipt = collector.deliver(phone.body(500), client=client)
        statuses[status] += 1
        stored += 500 * (status == 200)
    expect("batches above --max-bytes", statuses, {200, 503})
    if not statuses[503]:
        fail("the store grows above --max-bytes")
    kept = sum(item["last"] - item["first"] + 1 for item in collector.get(f"/v1/installs/{phone.install}")[1]["numbers"]
               if item["fate"] == "stored")
    if kept != stored:
        fail(f"{stored} events were acknowledged, {kept} are stored")
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
            accept("a batch with many names", collector, header(install, 1, 2500), *lines, compressed=True)
        planned = line("planned", 1, "launch", event={"name": "launch"}, **app("other-app 1"))
        accept("an event of the plan", collector, header("planned", 1, 1), planned)
        eventually(lambda: (found := collector.get("/v1/completeness?limit=1")[1])["counted"] >= found["stored_receipt"], 60)
    events = {event["name"]: event for event in collector.get("/v1/arrivals")[1]["events"]}
    launch = events["launch"]
    apps = [group["name"] for group in launch.get("apps", [])]
    if launch.get("accepted") != 1 or apps in ([], ["(other)"]):
        fail(f"an event of the plan is not counted after many names: {str(launch)[:200]}")
    return f"{len(events)} names are listed, launch {launch.get('accepted')} of {apps}; {check('20,000 names', cost, 1000)}"
