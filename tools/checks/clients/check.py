"""Checks that what the collector has acknowledged to other systems' clients is stored, through kills of the collector; see `run`."""

import argparse
import json
import logging
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import protobuf
import requests
import segment.analytics
import segment.analytics.client
from cloudevents.v1.conversion import to_binary, to_json, to_structured
from cloudevents.v1.http import CloudEvent
from opentelemetry._logs import LogRecord, SeverityNumber
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.sdk._logs import ReadableLogRecord
from opentelemetry.sdk.resources import Resource
from snowplow_tracker import Emitter, SelfDescribing, SelfDescribingJson, StructuredEvent, Subject, Tracker

BATCH = 20
# A library that has not finished by then is stuck.
PATIENCE = 600


class Collector:
    """A collector that is killed and started again on the same port."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.process, self.kills = None, 0
        said = self.start()
        self.write_key = said["write key"]
        self.token = (self.folder / "data/admin-token").read_text().strip()

    def start(self):
        self.process = subprocess.Popen(
            [self.program, "--data", str(self.folder / "data"), "--port", str(self.port), "--log-level", "error"],
            stdout=subprocess.PIPE, text=True)
        said = {}
        for line in self.process.stdout:
            name, _, value = line.partition(":")
            said[name.strip()] = value.strip()
            if "listening" in line:
                return said
        sys.exit(f"clients: the collector did not start; it ended with {self.process.wait()}")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.kills += 1
        self.start()

    def get(self, path):
        response = requests.get(f"{self.url}{path}", headers={"Authorization": f"Bearer {self.token}"}, timeout=60)
        response.raise_for_status()
        return response

    def lines(self, install):
        """The stored events of an install, in the order of their numbers."""
        lines, after = [], ""
        while True:
            response = self.get(f"/v1/lines?install={install}{after}")
            lines += [json.loads(line) for line in response.text.splitlines()]
            if response.headers["Tracking-More"] != "true":
                return sorted(lines, key=lambda line: line["seq"])
            after = f"&after={response.headers['Tracking-Cursor']}"

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)


class Sender(threading.Thread):
    """Sends events with one library. `acknowledged` has the ids of events that the library counts as delivered."""

    def __init__(self, collector, events):
        super().__init__(daemon=True)
        self.collector, self.events = collector, events
        self.acknowledged, self.error = set(), None
        # The number of events that the library itself gave up.
        self.given_up = 0

    def run(self):
        try:
            self.send()
        except Exception as error:  # reported by the main thread
            self.error = error

    def id_of(self, line):
        """The id of a stored event's message."""
        raise NotImplementedError


class Segment(Sender):
    install = "segment:default"

    def send(self):
        failed = []
        client = segment.analytics.client.Client(
            self.collector.write_key, host=self.collector.url, max_retries=50, upload_size=BATCH, gzip=True,
            max_queue_size=2 * self.events, on_error=lambda error, items: failed.extend(items))
        sent = set()
        for number in range(self.events):
            identity = f"segment-{number}"
            sent.add(identity)
            if number % 3 == 0:
                client.page("user-1", name="Basket", properties={"items": number}, message_id=identity)
            else:
                client.track("user-1", "Item Added", {"sku": f"A-{number}", "price": 19.99}, message_id=identity)
            time.sleep(0.001)
        client.flush()
        client.join()
        self.acknowledged = sent - {item["messageId"] for item in failed}
        self.given_up = len(sent) - len(self.acknowledged)

    def id_of(self, line):
        return line["event"]["value"]["message"]["messageId"]


class CloudEvents(Sender):
    """The library makes the requests' fields and bodies; this sends them again until they are answered."""

    install = "cloudevents:default"

    def send(self):
        session = requests.Session()
        session.headers["Authorization"] = f"Bearer {self.collector.write_key}"
        number = 0
        while number < self.events:
            events = []
            for _ in range(min(BATCH, self.events - number)):
                attributes = {"type": "com.example.order", "source": "/shop", "id": f"event-{number}"}
                events.append(CloudEvent(attributes, {"order": number, "text": "\u00e4\u202e<b>"}))
                number += 1
            requested = [to_binary(events[0]), to_structured(events[1 % len(events)])]
            rest = events[2:]
            if rest:
                body = "[" + ",".join(to_json(event).decode() for event in rest) + "]"
                requested.append(({"Content-Type": "application/cloudevents-batch+json"}, body.encode()))
            for headers, body in requested:
                self.post(session, headers, body)
            self.acknowledged |= {event["id"] for event in events}

    def post(self, session, headers, body):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                response = session.post(
                    f"{self.collector.url}/v1/cloudevents", headers=dict(headers), data=body, timeout=10)
                if response.status_code == 200:
                    return
                if response.status_code < 500:
                    raise ValueError(f"{response.status_code}: {response.text}")
            except requests.RequestException:
                pass
            time.sleep(0.05)
        raise TimeoutError("no answer")

    def id_of(self, line):
        return line["event"]["value"]["message"]["id"]


class Telemetry(Sender):
    """Log records have no id: each must be stored at least once."""

    install = "otlp:default"

    def send(self):
        exporter = OTLPLogExporter(
            endpoint=f"{self.collector.url}/v1/logs", timeout=10,
            headers={"authorization": f"Bearer {self.collector.write_key}"})
        resource = Resource.create({"service.name": "shop", "service.instance.id": "host-1"})
        number = 0
        while number < self.events:
            records = []
            for _ in range(min(BATCH, self.events - number)):
                record = LogRecord(
                    timestamp=time.time_ns(), severity_number=SeverityNumber.INFO, severity_text="INFO",
                    body={"text": "ordered", "list": [1, 2.5, True, None, b"\x00\xff"]},
                    attributes={"number": f"log-{number}", "user.id": "user-1"}, event_name="order")
                records.append(ReadableLogRecord(record, resource))
                number += 1
            end = time.monotonic() + PATIENCE
            while exporter.export(records).name != "SUCCESS":
                if time.monotonic() > end:
                    raise TimeoutError("no success")
            self.acknowledged |= {record.log_record.attributes["number"] for record in records}

    def id_of(self, line):
        return line["event"]["value"]["message"]["attributes"]["number"]


class Snowplow(Sender):
    install = "snowplow:default"

    def send(self):
        delivered = set()
        emitters = [
            Emitter(
                f"127.0.0.1:{self.collector.port}/key/{self.collector.write_key}", protocol="http", method=method,
                batch_size=size, max_retry_delay_seconds=1, request_timeout=10,
                on_success=lambda events: delivered.update(event["eid"] for event in events))
            for method, size in [("post", BATCH), ("get", 1)]
        ]
        for emitter in emitters:
            # The buffer's limit: the oldest events of a longer queue are dropped.
            emitter.event_store.buffer_capacity = 2 * self.events
        trackers = [
            Tracker("shop", [emitter], app_id="app", encode_base64=encoded, subject=Subject().set_user_id("user-1"))
            for emitter, encoded in zip(emitters, [True, False])
        ]
        for number in range(self.events):
            # A tenth comes by the pixel, which needs a request each.
            tracker = trackers[1 if number % 10 == 0 else 0]
            if number % 2 == 0:
                event = StructuredEvent("shop", "add", label=f"number-{number}", event_subject=tracker.subject)
            else:
                data = SelfDescribingJson("iglu:com.example/order/jsonschema/1-0-0", {"number": number})
                event = SelfDescribing(data, event_subject=tracker.subject)
            tracker.track(event)
            time.sleep(0.001)
        end = time.monotonic() + PATIENCE
        while any(map(self.is_busy, emitters)):
            if time.monotonic() > end:
                raise TimeoutError(f"{len(delivered)} of {self.events} delivered")
            for emitter in emitters:
                emitter.flush()
            time.sleep(0.1)
        # Of several pixels in a row, the library forgets those that failed if the last one succeeded.
        self.acknowledged, self.given_up = delivered, self.events - len(delivered)

    @staticmethod
    def is_busy(emitter):
        # Held while it sends.
        with emitter.lock:
            return emitter.event_store.size() > 0 or emitter.retry_timer.is_active()

    def id_of(self, line):
        return line["event"]["value"]["message"]["eid"]


def check(sender, collector, events):
    """The errors of one library."""
    wrong = []
    name = type(sender).__name__
    if sender.error:
        wrong.append(f"{name}: {type(sender.error).__name__}: {sender.error}")
    lines = collector.lines(sender.install)
    stored = {}
    for line in lines:
        stored.setdefault(sender.id_of(line), []).append(line["seq"])
    lost = sender.acknowledged - stored.keys()
    doubled = {identity for identity, numbers in stored.items() if len(numbers) > 1}
    holes = [number for number, line in enumerate(lines, 1) if line["seq"] != number]
    print(
        f"{name}: {len(sender.acknowledged)} acknowledged, {len(stored)} messages stored in {len(lines)} lines, "
        f"lost {len(lost)}, stored twice {len(doubled)}, given up by the library {sender.given_up}", flush=True)
    if len(sender.acknowledged) + sender.given_up < events or sender.given_up > events / 10:
        wrong.append(f"{name}: {events - len(sender.acknowledged)} events were not acknowledged")
    if lost:
        wrong.append(f"{name}: acknowledged and not stored: {sorted(lost)[:5]}")
    if doubled and not isinstance(sender, Telemetry):
        wrong.append(f"{name}: stored twice: {sorted(doubled)[:5]}")
    if holes:
        wrong.append(f"{name}: the numbers have holes from {holes[0]}")
    return wrong


def check_repeat(collector):
    """Messages that are sent again, as after a lost answer, are known."""
    message = {"type": "track", "event": "Again", "userId": "user-1", "messageId": "again"}
    counts = []
    for _ in range(2):
        response = requests.post(
            f"{collector.url}/v1/batch", json={"batch": [message, message]}, auth=(collector.write_key, ""), timeout=10)
        counts.append(response.json()["stored"])
        collector.kill()
    return [] if counts == [1, 0] else [f"a repeated message is stored {counts} times"]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--events", type=int, default=10_000)
    arguments.add_argument("--kills", type=int, default=20)
    arguments.add_argument("--requests", type=int, default=1000, help="random OTLP requests")
    arguments.add_argument("--seed", type=int, default=18)
    arguments.add_argument("program")
    options = arguments.parse_args()
    logging.disable(logging.CRITICAL)
    random.seed(options.seed)
    with tempfile.TemporaryDirectory(prefix="clients-") as folder:
        collector = Collector(options.program, Path(folder))
        senders = [kind(collector, options.events) for kind in (Segment, CloudEvents, Telemetry, Snowplow)]
        started = time.monotonic()
        for sender in senders:
            sender.start()
        # Kills end while all libraries are still sending.
        while collector.kills < options.kills and any(sender.is_alive() for sender in senders):
            time.sleep(random.uniform(0.2, 1.2) * min(1, options.events / 2000))
            collector.kill()
        for sender in senders:
            sender.join(PATIENCE)
        print(f"{collector.kills} kills in {time.monotonic() - started:.0f} s", flush=True)
        wrong = [f"{type(sender).__name__} did not finish" for sender in senders if sender.is_alive()]
        for sender in senders:
            wrong += check(sender, collector, options.events)
        wrong += check_repeat(collector)
        if collector.kills < options.kills:
            wrong.append(f"only {collector.kills} kills while the libraries were sending; send more events")
        if collector.stop() != 0:
            wrong.append("the collector did not end cleanly")
    with tempfile.TemporaryDirectory(prefix="clients-") as folder:
        other = Collector(options.program, Path(folder))
        wrong += protobuf.compare(other, options.requests)
        other.process.kill()
        other.process.wait()
    for problem in wrong:
        print(f"clients: {problem}", file=sys.stderr)
    print("nothing wrong" if not wrong else f"{len(wrong)} errors")
    sys.exit(1 if wrong else 0)


main()
