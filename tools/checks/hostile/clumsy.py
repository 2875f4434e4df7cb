"""Cases of clients that send too much or the wrong thing: one client's share of a quota, retry loops, restored phones."""

import collections
import functools
import os
import time

from cases import accept, at_most, case, check, eventually
from client import UNLIMITED, Collector, Cost, Phone, expect, header, line, simultaneously

# One client's share.


@case("one address uses up the quota of the key", "--key-rate", "50", "--install-rate", "0")
def quota(collector):
    end, attack, phones, attempts = time.monotonic() + 12, collections.Counter(), collections.Counter(), collections.Counter()

    def use_up(number):
        client, sent = collector.client("127.0.0.2"), 0
        while time.monotonic() < end:
            install = f"new-{number}-{sent}"
            attack[collector.deliver(header(install, 1, 1), line(install, 1), client=client)[0]] += 1
            sent += 1

    def use(number):
        client, phone = collector.client(f"127.0.1.{number}"), Phone(f"quota-{number}")
        time.sleep(4)  # the quota is used up
        while time.monotonic() < end:
            body, tries, status = phone.body(1), 0, None
            while status != 200 and tries < 20:
                status = collector.deliver(body, client=client)[0]
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
def erasures(collector, count=300):
    install, statuses, client = "erasing", collections.Counter(), collector.client()
    accept("events before erasures", collector, header(install, 1, 2000), *(line(install, seq) for seq in range(1, 2001)))
    with Cost(collector) as cost:
        for number in range(count):
            body = {"id": f"{number:032x}", "secret": "a" * 32, "user_id": f"unknown-{number}", "through": 10_000, "numbers": []}
            statuses[collector.post(f"/v1/installs/{install}/erasures", body, client=client)[0]] += 1
    expect("erasures of unknown users", statuses, {200, 429})
    figures = check("erasures", cost, count, disk=count / 300)
    collector.stop()
    before = segments(collector)
    collector.process = Collector(collector.folder, UNLIMITED).process  # the start removes the bytes of erased events
    time.sleep(3)
    rewritten = len(before - segments(collector))
    at_most("segments rewritten for unknown users", rewritten, 0)
    return f"{dict(statuses)}, {figures}, {rewritten} of {len(before)} segments rewritten at the next start"


case("10^5 erasures of unknown users", long=True)(functools.partial(erasures, count=100_000))


def segments(collector):
    """The files of the segments: a rewritten one is another file."""
    return {(entry.name, entry.inode()) for entry in os.scandir(f"{collector.data}/store/segments")}


# Clumsy clients.


@case("one batch is sent 300 times")
def repeated(collector):
    phone = Phone("loop")
    body = phone.body(100)
    accept("the batch", collector, body)
    with Cost(collector) as cost, collector.connect() as connection:
        request = phone.request(collector.key, body, encoding="gzip", close=False)
        statuses = collections.Counter()
        for _ in range(30):
            connection.sendall(request * 10)
            statuses.update(read_responses(connection, 10))
    expect("repeated batches", statuses, {200, 429})
    return f"{dict(statuses)}, {check('repeated batches', cost, 150, disk=0.1)}"


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


@case("one batch is sent 1,000 times a second for 10 minutes", long=True)
def retry_loop(collector, seconds=600, rate=1_000):
    phone = Phone("loop")
    body = phone.body(100)
    accept("the batch", collector, body)
    request, statuses, count = phone.request(collector.key, body, encoding="gzip", close=False), collections.Counter(), 0
    before = collector.writer()
    with Cost(collector) as cost, collector.connect() as connection:
        start = time.monotonic()
        while (now := time.monotonic() - start) < seconds:
            if count >= now * rate:
                time.sleep(count / rate - now)
            connection.sendall(request * 10)
            statuses.update(read_responses(connection, 10))
            count += 10
    expect("repeated batches", statuses, {200, 429})
    writer = collector.writer() - before
    at_most("CPU of the writer thread for each repeated batch, in µs", 1e6 * writer / count, 1)
    return f"{dict(statuses)}, {1e6 * cost.cpu / count:.0f} µs of CPU each, {1e6 * writer / count:.2f} µs on the writer thread, {cost}"


@case("10^6 new names of events", long=True)
def names(collector, count=1_000_000):
    phone, client, statuses, seq = Phone("names"), collector.client(), collections.Counter(), 0
    with Cost(collector) as cost:
        while seq < count:
            lines = [line(phone.install, seq + number, f"name-{seq + number}", {}, user_id="user") for number in range(1, 2_001)]
            statuses[collector.deliver(header(phone.install, seq + 1, seq + 2_000), *lines, compressed=True, client=client)[0]] += 1
            seq += 2_000
    expect("batches of new names", statuses, {200})
    accept("an event of the plan", collector, header("planned", 1, 1), line("planned", 1))
    listed = eventually(lambda: "search" in [event["name"] for event in collector.get("/v1/arrivals")[1]["events"]], 120)
    at_most("an event of the plan is not listed after new names", not listed, 0)
    return f"{dict(statuses)}, {check('new names', cost, 60_000, memory=160)}"


@case("one install on 200 phones")
def restored(collector, phones=200):
    first = Phone("restored")
    backup = first.body(20)
    accept("the phone", collector, backup)
    conflicts, client = collections.Counter(), collector.client()
    with Cost(collector) as cost:
        for number in range(phones):
            phone, batches = Phone(f"phone-{number}"), []
            phone.install, phone.secret, phone.seq = first.install, first.secret, 10
            while len(batches) < 5:
                batches.append(collector.deliver(phone.body(5), client=client)[0])
                if batches[-1] != 409:
                    break
                phone.install, phone.secret, phone.seq = f"generation-{number}-{len(batches)}", f"{number:032x}", 0
            conflicts[tuple(batches)] += 1
    expect("phones with a restored install: one conflict, then a new generation", conflicts, {(409, 200)})
    return f"{dict(conflicts)}, {check('restored phones', cost, phones, disk=phones / 100)}"


case("one install on 1,000 phones", long=True)(functools.partial(restored, phones=1_000))


@case("each event is its own batch")
def single_events(collector):
    phone, client, statuses = Phone("single"), collector.client(), collections.Counter()
    with Cost(collector) as cost:
        for _ in range(2000):
            statuses[collector.deliver(phone.body(1), client=client)[0]] += 1
    expect("batches of one event", statuses, {200})
    return f"{dict(statuses)}, {check('2,000 batches of one event', cost, 1000, disk=8)}"
