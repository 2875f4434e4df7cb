"""Cases of clients that send too much or the wrong thing: one client's share of a quota, retry loops, restored phones."""

import collections
import functools
import os
import time

from cases import accept, at_most, case, check
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
def erasures(collector):
    install, statuses, client = "erasing", collections.Counter(), collector.client()
    accept("events before erasures", collector, header(install, 1, 2000), *(line(install, seq) for seq in range(1, 2001)))
    with Cost(collector) as cost:
        for number in range(300):
            body = {"id": f"{number:032x}", "secret": "a" * 32, "user_id": f"unknown-{number}", "through": 10_000, "numbers": []}
            statuses[collector.post(f"/v1/installs/{install}/erasures", body, client=client)[0]] += 1
    expect("erasures of unknown users", statuses, {200, 429})
    figures = check("erasures", cost, 300, disk=1)
    collector.stop()
    before = segments(collector)
    collector.process = Collector(collector.folder, UNLIMITED).process  # the start removes the bytes of erased events
    time.sleep(3)
    rewritten = len(before - segments(collector))
    at_most("segments rewritten for unknown users", rewritten, 0)
    return f"{dict(statuses)}, {figures}, {rewritten} of {len(before)} segments rewritten at the next start"


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


@case("one install on 200 phones")
def restored(collector):
    first = Phone("restored")
    backup = first.body(20)
    accept("the phone", collector, backup)
    conflicts, client = collections.Counter(), collector.client()
    with Cost(collector) as cost:
        for number in range(200):
            phone, batches = Phone(f"phone-{number}"), []
            phone.install, phone.secret, phone.seq = first.install, first.secret, 10
            while len(batches) < 5:
                batches.append(collector.deliver(phone.body(5), client=client)[0])
                if batches[-1] != 409:
                    break
                phone.install, phone.secret, phone.seq = f"generation-{number}-{len(batches)}", f"{number:032x}", 0
            conflicts[tuple(batches)] += 1
    expect("phones with a restored install: one conflict, then a new generation", conflicts, {(409, 200)})
    return f"{dict(conflicts)}, {check('restored phones', cost, 200, disk=2)}"


@case("each event is its own batch")
def single_events(collector):
    phone, client, statuses = Phone("single"), collector.client(), collections.Counter()
    with Cost(collector) as cost:
        for _ in range(2000):
            statuses[collector.deliver(phone.body(1), client=client)[0]] += 1
    expect("batches of one event", statuses, {200})
    return f"{dict(statuses)}, {check('2,000 batches of one event', cost, 1000, disk=8)}"
