"""Checks the cluster itself: what the stream, ClickHouse and the launcher promise to the programs that use them; see `check`."""

import asyncio
import hashlib
import json
import random
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import nats

from cluster import Cluster, QueryFailed

HERE = Path(__file__).resolve().parent
STREAM = {
    "name": "EVENTS", "subjects": ["events.*"], "storage": "file", "num_replicas": 3, "allow_direct": True,
    "duplicate_window": 120_000_000_000, "metadata": {"partitions": "16"},
}
# Together they keep the rows of an insert in one block; see clickhouse_front.py.
ONE_BLOCK = {
    "async_insert": 0, "max_insert_block_size": 1_000_000, "min_insert_block_size_rows": 1_000_000, "min_insert_block_size_bytes": 0,
    "input_format_parallel_parsing": 0, "max_insert_threads": 1,
}
ROWS = 100_000
TABLE = """
CREATE TABLE tracking.checked (block String, number UInt64, line String) ENGINE = MergeTree ORDER BY (block, number)
SETTINGS non_replicated_deduplication_window = 1000
"""
failures = []


def check(holds, text):
    print(("ok      " if holds else "FAILED  ") + text, flush=True)
    if not holds:
        failures.append(text)


def wait_until(condition, limit=30):
    """Whether the condition holds within `limit` seconds."""
    end = time.monotonic() + limit
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


class Client:
    """Raw JetStream requests over core NATS."""

    def __init__(self, connection):
        self.connection = connection

    async def api(self, name, body=None):
        answer = await self.connection.request(f"$JS.API.{name}", json.dumps(body).encode() if body else b"", timeout=10)
        return json.loads(answer.data)

    async def publish(self, subject, data, **headers):
        """The acknowledgement. Without a leader there is none, so the publish is repeated under the same headers."""
        headers = {name.replace("_", "-"): str(value) for name, value in headers.items()}
        for _ in range(100):
            try:
                answer = await self.connection.request(subject, data, timeout=2, headers=headers or None)
                return json.loads(answer.data)
            except (nats.errors.NoRespondersError, nats.errors.TimeoutError):
                await asyncio.sleep(0.1)
        raise TimeoutError(f"no acknowledgement on {subject}")

    async def direct(self, body, last=lambda headers: "Status" in headers):
        """The answers to a direct get, as pairs of headers and data, up to the first whose headers satisfy `last`."""
        inbox = self.connection.new_inbox()
        subscription = await self.connection.subscribe(inbox)
        await self.connection.publish("$JS.API.DIRECT.GET.EVENTS", json.dumps(body).encode(), reply=inbox)
        answers = []
        while not answers or not last(answers[-1][0]):
            message = await subscription.next_msg(timeout=5)
            # The client library has an enumeration for some names.
            headers = {str(getattr(name, "value", name)): value for name, value in message.headers.items()}
            answers.append((headers, message.data))
        await subscription.unsubscribe()
        return answers


async def expected(_):
    """Connections to a killed broker fail."""


async def check_stream(cluster):
    connection = await nats.connect(cluster.stream_url.split(","), max_reconnect_attempts=-1, error_cb=expected)
    client = Client(connection)
    created = await client.api("STREAM.CREATE.EVENTS", STREAM)
    check(created.get("did_create") is True and created["config"]["num_replicas"] == 3, "a stream with 3 replicas is created")
    again = await client.api("STREAM.CREATE.EVENTS", STREAM)
    other = await client.api("STREAM.CREATE.EVENTS", STREAM | {"metadata": {"partitions": "8"}})
    check("error" not in again and "did_create" not in again and other["error"]["err_code"] == 10058,
          "creating it again succeeds, with another configuration it fails with 10058")

    first = await client.publish("events.3", b"one", Nats_Msg_Id="a")
    repeated = await client.publish("events.3", b"one", Nats_Msg_Id="a")
    check(first == {"stream": "EVENTS", "seq": 1} and repeated == first | {"duplicate": True},
          "a repeated Nats-Msg-Id is acknowledged as a duplicate with the first sequence")
    second = await client.publish("events.3", b"two", Nats_Expected_Last_Subject_Sequence=1)
    stale = await client.publish("events.3", b"no", Nats_Expected_Last_Subject_Sequence=1)
    check(second.get("seq") == 2 and stale["error"]["err_code"] == 10071,
          "the expected last sequence of the subject is compared, a stale one fails with 10071")
    raced = await asyncio.gather(*(
        connection.request("events.4", b"race", timeout=10, headers={"Nats-Expected-Last-Subject-Sequence": "0"}) for _ in range(10)))
    codes = sorted(json.loads(answer.data).get("error", {}).get("err_code", 0) for answer in raced)
    check(codes[0] == 0 and all(code in (10071, 10164) for code in codes[1:]),
          "of 10 raced publishes with the same expectation, one succeeds")
    third = await client.publish("events.3", b"three")
    info = await client.api("STREAM.INFO.EVENTS", {"subjects_filter": "events.>"})
    check(info["state"]["subjects"] == {"events.3": 3, "events.4": 1} and info["state"]["last_seq"] == third["seq"] == 4,
          "the stream has exactly the acknowledged messages")
    await check_reads(client, cluster)
    await check_restart(client, cluster)
    await connection.close()


async def check_reads(client, cluster):
    # A direct get may come from a replica that has not everything yet.
    wait_until(lambda: all((broker.stream_state("EVENTS") or {}).get("last_seq") == 4 for broker in cluster.brokers))
    answers = await client.direct({"seq": 1, "next_by_subj": "events.3", "batch": 10, "max_bytes": 1_000_000})
    names = ("Nats-Subject", "Nats-Sequence", "Nats-Last-Sequence", "Nats-Num-Pending")
    found = [tuple(headers.get(name) for name in names) + (data,) for headers, data in answers[:-1]]
    check(found == [("events.3", "1", "0", "2", b"one"), ("events.3", "2", "1", "1", b"two"), ("events.3", "4", "2", "0", b"three")],
          "a direct batch get returns the subject's messages in order, each with the previous sequence and the number left")
    check(answers[-1] == ({"Status": "204", "Description": "EOB", "Nats-Last-Sequence": "4", "Nats-Num-Pending": "0"}, b""),
          "the batch ends with status 204, the last sequence and the number left")
    answers = await client.direct({"seq": 1, "next_by_subj": "events.3", "batch": 1})
    check(len(answers) == 2 and answers[1][0]["Nats-Num-Pending"] == "2", "a batch that is full has the number of messages that are left")
    absent = {"Status": "404", "Description": "Message Not Found"}
    past = [await client.direct({"seq": 5, "next_by_subj": "events.3", **more}) for more in ({}, {"batch": 10})]
    check(past == 2 * [[(absent, b"")]], "a direct get past the end answers 404 and nothing else")
    deleted = await client.api("STREAM.MSG.DELETE.EVENTS", {"seq": 2})
    again = await client.api("STREAM.MSG.DELETE.EVENTS", {"seq": 2})
    check(deleted.get("success") is True and again["error"]["err_code"] == 10043, "a message can be deleted once")
    wait_until(lambda: all((broker.stream_state("EVENTS") or {}).get("num_deleted") == 1 for broker in cluster.brokers))
    answers = await client.direct({"seq": 1, "next_by_subj": "events.3", "batch": 10})
    check([headers.get("Nats-Sequence") for headers, _ in answers] == ["1", "4", None], "a batch skips a deleted message")


async def check_restart(client, cluster):
    info = await client.api("STREAM.INFO.EVENTS")
    number = next(number for number, broker in enumerate(cluster.brokers) if broker.name == info["cluster"]["leader"])
    victim = cluster.brokers[number]
    victim.kill()
    acknowledged = []
    for number in range(200):
        answer = await client.publish("events.5", b"%d" % number, Nats_Msg_Id=f"restart-{number}")
        acknowledged.append(answer["seq"])
    check(len(set(acknowledged)) == 200, "200 publishes are acknowledged after the stream's leader was killed")
    victim.start()
    cluster.wait_for_leader()
    state = lambda broker: {name: (broker.stream_state("EVENTS") or {}).get(name) for name in ("messages", "last_seq", "num_deleted")}
    expected = {"messages": 203, "last_seq": acknowledged[-1], "num_deleted": 1}
    check(wait_until(lambda: state(victim) == expected), f"the killed broker catches up: {state(victim)}")
    wait_until(lambda: all(state(broker) == expected for broker in cluster.brokers))
    answers = await client.direct({"seq": 1, "next_by_subj": "events.5", "batch": 1000})
    check([data for _, data in answers] == [b"%d" % number for number in range(200)] + [b""], "each of them is stored once, in order")


def insert(clickhouse, block, token=None):
    """Inserts the rows of a block with a token."""
    rows = "".join(f'{{"block":"{block}","number":{number},"line":"{"%064x" % number}"}}\n' for number in range(ROWS))
    return clickhouse.query("INSERT INTO checked FORMAT JSONEachRow", rows.encode(), database="tracking",
                            insert_deduplication_token=token or block, wait_end_of_query=1, **ONE_BLOCK)


def count(clickhouse, block):
    return int(clickhouse.query("SELECT count() FROM tracking.checked WHERE block = {block:String}", param_block=block))


def error_of(action):
    try:
        action()
        return None
    except QueryFailed as error:
        return error.status, error.code, str(error).startswith(f"Code: {error.code}. DB::Exception: ")


def check_clickhouse(clickhouse):
    query = clickhouse.query
    check(error_of(lambda: query("SELECT * FROM tracking.checked")) == (404, 60, True), "a missing table answers 404 with code 60")
    check(error_of(lambda: query("SELECT * FROM nowhere.checked")) == (404, 81, True), "a missing database answers 404 with code 81")
    check(error_of(lambda: query("SELECT 1", no_such_setting=1)) == (404, 115, True), "an unknown setting answers 404 with code 115")
    query(TABLE)
    bad = lambda: query("INSERT INTO tracking.checked FORMAT JSONEachRow", b'{"number":1}\n{"number":"x"}\n', **ONE_BLOCK)
    check(error_of(bad) == (400, 27, True) and count(clickhouse, "") == 0, "a row that cannot be parsed answers 400 and stores nothing")

    insert(clickhouse, "1-1")
    insert(clickhouse, "1-1")
    check(count(clickhouse, "1-1") == ROWS, "a repeated insert token is dropped")
    clickhouse.kill()
    clickhouse.start()
    check(count(clickhouse, "1-1") == ROWS, "an acknowledged insert survives SIGKILL")
    insert(clickhouse, "1-1")
    check(count(clickhouse, "1-1") == ROWS, "a repeated insert token is dropped after SIGKILL")
    insert(clickhouse, "1-1", token="other")
    check(count(clickhouse, "1-1") == 2 * ROWS, "the same rows with another token are inserted")

    digests = [hashlib.sha256(b"%064x" % number).digest()[:8] for number in range(ROWS)]
    expected = sum(int.from_bytes(digest, "little") for digest in digests) % 2**64
    insert(clickhouse, "1-2")
    found = query("SELECT sum(reinterpretAsUInt64(substring(SHA256(line), 1, 8))) FROM tracking.checked WHERE block = '1-2'")
    check(int(found) == expected, "the sum of the lines' hashes wraps modulo 2^64")
    check_kills(clickhouse)
    parts = lambda: int(query("SELECT count() FROM system.parts WHERE active AND table = 'checked'"))
    for number in range(30):
        query("INSERT INTO tracking.checked FORMAT JSONEachRow", b'{"number":1}\n', async_insert=0,
              insert_deduplication_token=f"small-{number}")
    check(wait_until(lambda: parts() < 15), f"parts are merged in the background: {parts()} of more than 30")


def check_kills(clickhouse):
    acknowledged, doubtful = [], []

    def send(cycle):
        for number in range(1000):
            block = f"{cycle}-{number}"
            try:
                insert(clickhouse, block)
                acknowledged.append(block)
            except (OSError, QueryFailed):
                doubtful.append(block)
                return

    for cycle in range(5):
        sender = threading.Thread(target=send, args=[f"kill{cycle}"])
        sender.start()
        time.sleep(random.uniform(0.2, 1.5))
        clickhouse.kill()
        sender.join()
        clickhouse.start()
    counts = {block: count(clickhouse, block) for block in acknowledged + doubtful}
    check(all(counts[block] == ROWS for block in acknowledged), f"{len(acknowledged)} acknowledged inserts are complete after 5 kills")
    check(len(doubtful) == 5 and all(counts[block] in (0, ROWS) for block in doubtful),
          f"{len(doubtful)} interrupted inserts are absent or complete: {sorted(counts[block] for block in doubtful)}")


def is_alive(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def check_launcher():
    """A killed launcher takes its processes along; one that is terminated deletes its folder, too."""
    for number in (signal.SIGKILL, signal.SIGTERM):
        launcher = subprocess.Popen([sys.executable, HERE / "cluster.py", "--brokers", "1"], stdout=subprocess.PIPE, text=True)
        text = ""
        for line in launcher.stdout:
            text += line
            if line.startswith("Press"):
                break
        processes = [int(process) for process in re.findall(r"process (\d+)", text)]
        folder = Path(re.search(r"^folder +(.+)", text)[1])
        alive = len(processes) == 2 and all(map(is_alive, processes))
        launcher.send_signal(number)
        launcher.wait(30)
        gone = wait_until(lambda: not any(map(is_alive, processes)), 10)
        if number == signal.SIGTERM:
            gone = gone and not folder.exists()
        else:
            subprocess.run(["rm", "-r", folder], check=True)
        check(alive and gone, f"nothing is left after {number.name} of the launcher")


def main():
    started = time.monotonic()
    with Cluster() as cluster:
        processes = [process.pid for process in cluster.processes]
        asyncio.run(check_stream(cluster))
        check_clickhouse(cluster.clickhouse)
        for process in cluster.processes:
            print(f"{process.name}: {process.starts} starts, {process.rss() / 1e6:.0f} MB, {process.cpu_seconds():.1f} s of CPU time")
        check(all(process.rss() > 1e6 and process.cpu_seconds() > 0 for process in cluster.processes), "memory and CPU time are measured")
        processes += [process.pid for process in cluster.processes]
    check(not any(map(is_alive, processes)) and not cluster.folder.exists(), "no process and no folder is left")
    check_launcher()
    print(f"{'nothing wrong' if not failures else f'{len(failures)} errors'} after {time.monotonic() - started:.0f} s")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
