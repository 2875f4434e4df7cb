"""Sends events through a whole cluster while its processes are killed, and proves that each store has each event once.

Two senders with half of the devices each; two collectors; three NATS servers; two loaders; ClickHouse's engine and folders.
Phase 1: every process is killed with SIGKILL `--kills` times, one at a time, under load. Phase 2: all NATS servers are away for
`--outage` seconds while the devices send on. After each phase `trackctl reconcile` compares all device logs with the collectors, the
stream, ClickHouse and the folders, in counts and hashes. Phase 3: a user is erased from collectors, stream and ClickHouse; a new loader
fills a new folder from the stream. Phase 4: a row is changed, a block is inserted twice, a file is removed, a
message is deleted, and a device is cloned; `reconcile` must name each with its stage, and nothing else. Exit code 1 if anything is
missing, doubled or changed in the first three phases, or not named in the fourth.
"""

import argparse
import asyncio
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import nats
import nats.js.errors
from cluster import DATABASE, Cluster
from processes import Process, StartError



class Sender(Process):
    """Half of the devices; ends when everything is delivered."""

    def __init__(self, name, binary, folder, logs, lines, first, devices, events, rate, collectors):
        self.first, self.devices = first, devices
        command = [
            binary, "--folder", logs, "--lines", lines, "--first", first, "--devices", devices, "--events", events, "--rate", rate]
        for collector in collectors:
            command += ["--collector", f"{collector.url},{collector.write_key}"]
        super().__init__(name, command, folder)

    def is_ready(self):
        return "cluster-sender:" in self.output()

    @property
    def is_done(self):
        return not self.is_running and "everything is delivered" in self.log.read_text(errors="replace")


class Test:
    def __init__(self, options, cluster):
        self.options, self.cluster = options, cluster
        self.random = random.Random(options.seed)
        self.binaries = Path(options.binaries).resolve()
        self.faults = []
        self.peaks = {}
        self.kills = 0

    def fault(self, text):
        print(f"  WRONG: {text}", flush=True)
        self.faults.append(text)

    # Sending

    def senders(self, events, rate):
        """Two senders for `events` events per device, at `rate` events per second in all."""
        half = self.options.devices // 2
        return [
            Sender(f"sender-{number}", self.binaries / "cluster-sender", self.cluster.folder / f"sender-{number}",
                   self.cluster.folder / "devices", Path(self.options.lines).resolve(), number * half, half, events, rate / 2,
                   self.cluster.collectors)
            for number in range(2)
        ]

    def run(self, senders, limit, schedule=()):
        """Runs senders to their end. `schedule`: pairs of a time in seconds and a function, in order."""
        start = time.monotonic()
        for sender in senders:
            sender.start()
        schedule, sampled = list(schedule), 0.0
        while not all(sender.is_done for sender in senders):
            now = time.monotonic() - start
            if now > limit:
                raise StartError(f"the senders did not end within {limit} s; {senders[0].log} ends with:\n{senders[0].output()[-1000:]}")
            for process in senders:
                if not process.is_running and not process.is_done:
                    raise StartError(f"{process.name} ended with {process.status}:\n{process.output()[-1000:]}")
            while schedule and schedule[0][0] <= now:
                schedule.pop(0)[1]()
            if now - sampled >= 5:
                sampled = now
                self.sample(senders)
            time.sleep(0.1)
        return time.monotonic() - start

    def sample(self, senders=()):
        for process in [*self.cluster.processes, *senders]:
            self.peaks.setdefault(process.name, []).append(process.rss())

    def killing(self, senders, seconds):
        """A schedule that kills each process `--kills` times, spread over a duration."""
        processes = [process for process in [*self.cluster.processes, *senders] for _ in range(self.options.kills)]
        self.random.shuffle(processes)
        step = seconds / (len(processes) + 1)

        def kill(process):
            def act():
                if process in senders and process.is_done:
                    return
                process.kill()
                self.kills += 1
                # A supervisor would need about this long, too.
                time.sleep(self.random.uniform(0.1, 1.5))
                process.start()
            return act

        return [(step * (index + 1), kill(process)) for index, process in enumerate(processes)]

    # Checking

    def metrics(self, collector, name):
        with urllib.request.urlopen(f"{collector.url}/metrics", timeout=10) as answer:
            match = re.search(rf"^{name} (\S+)", answer.read().decode(), re.MULTILINE)
            return float(match[1]) if match else 0.0

    def settle(self, events, limit):
        """Waits until the collectors have forwarded everything and ClickHouse has as many rows as events."""
        end = time.monotonic() + limit
        while time.monotonic() < end:
            if all(self.metrics(collector, "collector_forwarding_behind_receipts") == 0 for collector in self.cluster.collectors):
                if int(self.cluster.clickhouse.query("SELECT count() FROM events", database=DATABASE)) >= events:
                    return
            time.sleep(0.5)
        self.fault(f"not everything is loaded after {limit} s")

    def check(self, events):
        """Compares everything with everything."""
        self.settle(events, 300)
        # The loaders may be about to write a block again.
        time.sleep(3)
        rows, numbers = self.cluster.clickhouse.query(
            "SELECT count(), uniqExact(install_id, seq) FROM events", database=DATABASE).split()
        print(f"  ClickHouse    {int(rows):,} rows, {int(numbers):,} different numbers")
        if int(rows) != events or int(numbers) != events:
            self.fault(f"ClickHouse has {rows} rows of {numbers} events; {events} were sent")
        rows, numbers = self.duckdb(
            f"SELECT count(*), count(DISTINCT (install_id, seq)) FROM read_json('{self.cluster.output}/events/*/*/*.jsonl.zst', "
            "columns = {install_id: 'VARCHAR', seq: 'UBIGINT'})").split(",")
        print(f"  folders       {int(rows):,} rows, {int(numbers):,} different numbers")
        if int(rows) != events or int(numbers) != events:
            self.fault(f"the folders have {rows} rows of {numbers} events; {events} were sent")
        self.compare_figures()
        self.reconcile(events)

    def compare_figures(self):
        """Events, users and sessions of each event name: `trackctl stats` on the device logs, ClickHouse and DuckDB."""
        logs = sorted((self.cluster.folder / "devices").glob("device-*/events.sqlite"))
        result = subprocess.run(
            [self.binaries / "trackctl", "stats", "--json", *map(str, logs)], capture_output=True, text=True, check=True)
        stats = json.loads(result.stdout)
        exact = not any(event["users"]["approximate"] for event in stats["events"])
        devices = {event["name"]: (event["count"], event["users"]["count"] if exact else None) for event in stats["events"]}

        def figures(rows):
            return {name: (int(count), int(users) if exact else None) for name, count, users in rows}

        query = "SELECT event, count(*), count(DISTINCT user_id) FROM {} GROUP BY event ORDER BY event"
        clickhouse = figures(line.split("\t") for line in self.cluster.clickhouse.query(
            query.format("events"), database=DATABASE).splitlines())
        folders = figures(line.split(",") for line in self.duckdb(query.format(
            f"read_json('{self.cluster.output}/events/*/*/*.jsonl.zst', columns = {{event: 'VARCHAR', user_id: 'VARCHAR'}})")).splitlines())
        for name, found in (("ClickHouse", clickhouse), ("the folders", folders)):
            if found != devices:
                self.fault(f"the figures of {name} differ from trackctl stats: {found} instead of {devices}")
        print(f"  figures       {len(devices)} event names: trackctl stats = ClickHouse = DuckDB{'' if exact else ', without users'}")

    def duckdb(self, query):
        program = Path(sys.executable).with_name("duckdb")
        return subprocess.run([program, "-csv", "-noheader", "-c", query], check=True, capture_output=True, text=True).stdout.strip()

    def reports(self, logs):
        """The reports of `trackctl reconcile` about logs; None if it failed. Its exit code must fit them."""
        command = [self.binaries / "trackctl", "reconcile", "--json", "--duckdb", Path(sys.executable).with_name("duckdb")]
        for collector in self.cluster.collectors:
            token = self.cluster.folder / f"{collector.name}.token"
            token.write_text(collector.admin_token)
            token.chmod(0o600)
            command += ["--collector", collector.url, "--token-file", token]
        command += [
            "--stream", self.cluster.stream_url,
            "--warehouse", self.cluster.clickhouse.url.replace("http", "clickhouse") + f"/{DATABASE}",
            "--warehouse", f"duckdb:{self.cluster.output}", "--wait", "5", *logs]
        result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
        if result.returncode not in (0, 1):
            self.fault(f"reconcile ended with {result.returncode}: {result.stderr.strip()[-500:]}")
            return None
        reports = [json.loads(line) for line in result.stdout.splitlines()]
        if (result.returncode == 0) != all(report["sound"] for report in reports):
            self.fault(f"reconcile ended with {result.returncode}")
        return reports

    def reconcile(self, events):
        start = time.monotonic()
        reports = self.reports(sorted((self.cluster.folder / "devices").glob("device-*/events.sqlite")))
        if reports is None:
            return
        installs = [install for report in reports for install in report["installs"]]
        stages = [stage for report in reports for stage in report.get("stages", [])]
        print(f"  reconcile     {len(reports)} logs, {len(installs)} installs, {len(stages)} comparisons in {time.monotonic() - start:.0f} s")
        numbered = sum(install["numbered"] for install in installs)
        stored = sum(install["stored"] for install in installs)
        print(f"  device        {numbered:,} numbered, {stored:,} stored at the collectors")
        if numbered != events or stored != events:
            self.fault(f"{numbered} numbered, {stored} stored at the collectors; {events} were sent")
        for text in findings(reports):
            self.fault(text)
        for install in installs:
            if install["hashes"]["not_compared"]:
                self.fault(f"{install['install_id']}: hashes {install['hashes']}")
        for kind, name in sorted({(stage["stage"], stage["name"]) for stage in stages}):
            mine = [stage for stage in stages if stage["name"] == name]
            lines = sum(stage["lines"] for stage in mine)
            equal = sum(stage["equal_runs"] for stage in mine)
            print(f"  {kind:<13} {lines:,} lines, {equal:,} runs with equal hashes")
            if lines != events:
                self.fault(f"{kind} {name} has {lines} lines; {events} were sent")

    # Erasure

    def erase(self, events):
        """Erases the first user of a device, and loads the rest into a new folder."""
        cluster, install = self.cluster, "device-10"
        user = cluster.clickhouse.query(
            f"SELECT user_id FROM events WHERE install_id = '{install}' AND seq = 1", database=DATABASE).strip()
        count = int(cluster.clickhouse.query(f"SELECT count() FROM events WHERE user_id = '{user}'", database=DATABASE))
        for collector in cluster.collectors:
            request = urllib.request.Request(
                f"{collector.url}/v1/erasures", json.dumps({"user_id": user}).encode(),
                {"Authorization": f"Bearer {collector.admin_token}", "Content-Type": "application/json"})
            urllib.request.urlopen(request, timeout=60).read()
        file = cluster.folder / "user.txt"
        file.write_text(user + "\n")
        removed = 0
        for loader in cluster.loaders:
            loader.stop()
            result = self.loader(
                "erase", "--user-file", file, "--partitions", loader.partitions, "--state", loader.folder / "state", "--clickhouse",
                cluster.clickhouse.url, "--database", DATABASE, "--folder", cluster.output, "--duckdb", Path(sys.executable).with_name("duckdb"))
            if result.returncode != 0:
                self.fault(f"loader erase ended with {result.returncode}: {result.stderr.strip()[-300:]}")
            rows = [line.split() for line in result.stdout.splitlines() if "://" in line]
            removed += int(rows[0][1].replace(",", "")) if rows else 0
            if len(rows) != 2 or any(row[2] != "0" for row in rows):
                self.fault(f"loader erase reports:\n{result.stdout}")
            loader.start()
        if removed != count or count == 0:
            self.fault(f"{removed} events of the user were removed from the stream; it had {count}")
        left = int(cluster.clickhouse.query(
            f"SELECT count() FROM events WHERE user_id = '{user}' OR position(line, '{user}') > 0", database=DATABASE))
        if left:
            self.fault(f"ClickHouse still has {left} events of the user")
        print(f"  erased        {count} events of a user; none is left in stream, ClickHouse and folders")
        time.sleep(4)
        found = findings(self.reports([cluster.folder / "devices" / install / "events.sqlite"]) or [])
        if found:
            self.fault(f"after the erasure, reconcile reports {found}")
        fresh = cluster.folder / "fresh"
        fresh.mkdir()
        result = self.loader("--once", "--state", fresh / "state", "--folder", fresh / "output")
        if result.returncode != 0:
            self.fault(f"a new loader ended with {result.returncode}: {result.stderr.strip()[-300:]}")
            return
        rows, numbers, users = self.duckdb(
            f"SELECT count(*), count(DISTINCT (install_id, seq)), count(*) FILTER (user_id = '{user}') FROM "
            f"read_json('{fresh}/output/events/*/*/*.jsonl.zst', columns = {{install_id: 'VARCHAR', seq: 'UBIGINT', user_id: 'VARCHAR'}})"
        ).split(",")
        print(f"  replayed      {int(rows):,} rows into a new folder")
        if int(rows) != events - count or int(numbers) != events - count or int(users):
            self.fault(f"the new folder has {rows} rows of {numbers} events, {users} of the user; {events - count} are left")

    def loader(self, *arguments):
        command = [self.binaries / "loader", *arguments, "--stream", self.cluster.stream_url]
        return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=600)

    # Planted errors

    def plant(self):
        """Changes what the stages have; returns the findings that `reconcile` must have."""
        clickhouse = self.cluster.clickhouse
        expected = set()

        def run_with(install, seq):
            """The numbers that a collector received in the same batch."""
            for collector in self.cluster.collectors:
                request = urllib.request.Request(
                    f"{collector.url}/v1/installs/{install}/hashes", headers={"Authorization": f"Bearer {collector.admin_token}"})
                with urllib.request.urlopen(request, timeout=10) as answer:
                    for run in json.load(answer)["hashes"]:
                        if run["first"] <= seq <= run["last"]:
                            return [run["first"], run["last"]]
            raise ValueError(f"no run of {install} has {seq}")

        clickhouse.query(
            "ALTER TABLE events UPDATE line = concat(line, ' ') WHERE install_id = 'device-3' AND seq = 5", database=DATABASE,
            mutations_sync=2)
        expected.add(f"device-3: different in warehouse clickhouse: {[run_with('device-3', 5)]}")
        clickhouse.query(
            "INSERT INTO events SELECT * FROM events WHERE install_id = 'device-4' AND seq BETWEEN 7 AND 9", database=DATABASE)
        expected.add("device-4: doubled in warehouse clickhouse: [[7, 9]]")
        # The file of the block that has the first event of device-5.
        for path in sorted((self.cluster.output / "manifests").glob("*/*.json")):
            manifest = json.loads(path.read_text())
            ranges = {install["install_id"]: install["ranges"] for install in manifest["installs"]}
            if any(first <= 1 <= last for first, last in ranges.get("device-5", [])):
                for file in manifest["files"]:
                    (self.cluster.output / file["path"]).unlink()
                expected |= {f"{install}: missing in warehouse folder: {missing}" for install, missing in ranges.items()}
                break
        sequence, numbers = asyncio.run(self.lose_message("device-6"))
        print(f"  planted       message {sequence} with {numbers} of device-6 deleted")
        expected.add(f"device-6: missing in stream: {numbers}")
        expected.add(self.clone())
        return expected

    async def lose_message(self, install):
        """Deletes the first message of an install."""
        client = await nats.connect(self.cluster.stream_url.split(","))
        stream = client.jetstream()
        state = (await stream.stream_info("EVENTS")).state
        for sequence in range(state.first_seq, state.last_seq + 1):
            try:
                message = await stream.get_msg("EVENTS", sequence)
            except nats.js.errors.NotFoundError:
                # It was replaced in the erasure.
                continue
            header = json.loads(message.data.split(b"\n", 1)[0])
            if header["install_id"] == install and header.get("lines"):
                await stream.delete_msg("EVENTS", sequence)
                await client.close()
                return sequence, header["lines"]
        raise ValueError(f"the stream has no message of {install}")

    def clone(self):
        """A device of which a copy sends other events under the same numbers, through another collector."""
        folder, first = self.cluster.folder, self.options.devices
        lines = Path(self.options.lines).resolve()

        def sender(name, logs, events, collector):
            return Sender(name, self.binaries / "cluster-sender", folder / name, logs, lines, first, 1, events, 1000, [collector])

        one, other = self.cluster.collectors
        self.run([sender("original-1", folder / "originals", 20, one)], 120)
        shutil.copytree(folder / "originals", folder / "clones")
        self.run([sender("original-2", folder / "originals", 40, one)], 120)
        self.run([sender("clone", folder / "clones", 40, other)], 120)
        self.clone_senders = sender
        return f"device-{first}: 20 lines of forks"

    def check_verdict(self):
        """The loader has reported the clone to the collectors: the next batch of the original makes it a new install."""
        time.sleep(5)
        self.run([self.clone_senders("original-3", self.cluster.folder / "originals", 60, self.cluster.collectors[0])], 120)
        reports = self.reports([self.cluster.folder / "originals" / f"device-{self.options.devices}" / "events.sqlite"]) or []
        installs = [(install["numbered"], install["stored"]) for report in reports for install in report["installs"]]
        if len(installs) != 2 or installs[1] != (20, 20):
            self.fault(f"the cloned device did not become a new install: {installs}")
        else:
            print("  verdict       the cloned device continues as a new install")

    def check_planted(self):
        expected = self.plant()
        # Until the loaders have written the clone's block.
        time.sleep(8)
        logs = sorted((self.cluster.folder / "devices").glob("device-*/events.sqlite"))
        logs.append(self.cluster.folder / "originals" / f"device-{self.options.devices}" / "events.sqlite")
        reports = self.reports(logs)
        if reports is None:
            return
        found = set(findings(reports))
        for name in {text.split(": ", 1)[1].split(": ")[0] for text in expected & found}:
            print(f"  found         {name}")
        for text in sorted(expected - found):
            self.fault(f"not reported: {text}")
        self.check_verdict()
        fresh = self.cluster.folder / "incomplete"
        fresh.mkdir()
        result = self.loader("--once", "--state", fresh / "state", "--folder", fresh / "output")
        if result.returncode != 65 or "messages" not in result.stderr:
            self.fault(f"a loader of a stream with a lost message ended with {result.returncode}: {result.stderr.strip()[-300:]}")
        for text in sorted(found - expected):
            # Each later stage has the clone's lines, and the device itself has other bytes than the clone's collector.
            if not text.startswith(f"device-{self.options.devices}: "):
                self.fault(f"reported, but not planted: {text}")

    def report(self, events, seconds, cpu):
        print(f"\n  {events:,} events in {seconds:.0f} s: {events / seconds:,.0f} per second; {self.kills} kills")
        print("  process        CPU, s   µs/event   memory, MiB: first, median, last sample")
        for name, used in cpu.items():
            memory = [size / 2**20 for size in self.peaks.get(name, [0]) if size] or [0]
            middle = sorted(memory)[len(memory) // 2]
            print(f"  {name:<14}{used:>7.1f}{1e6 * used / events:>11.2f}   {memory[0]:.0f}, {middle:.0f}, {memory[-1]:.0f}")

    def phases(self):
        options = self.options
        per_device = options.events // options.devices
        events = per_device * self.options.devices
        rate = events / (options.minutes * 60)
        print(f"phase 1: {events:,} events of {self.options.devices} devices at {rate:,.0f} per second, {options.kills} kills of each process, seed {options.seed}", flush=True)
        senders = self.senders(per_device, rate)
        seconds = self.run(senders, options.minutes * 60 + 1200, self.killing(senders, options.minutes * 60))
        self.check(events)
        self.report(events, seconds, {process.name: process.cpu_seconds() for process in [*self.cluster.processes, *senders]})
        more = max(1, per_device // 20)
        total = (per_device + more) * self.options.devices
        print(f"\nphase 2: no NATS server for {options.outage} s, {more * self.options.devices:,} more events", flush=True)
        for broker in self.cluster.brokers:
            broker.kill()
        began = time.monotonic()
        seconds = self.run(self.senders(per_device + more, more * self.options.devices / (options.outage / 2)), options.outage + 1200)
        # The servers return later, even if that was slow.
        print(f"  the collectors accepted all events in {seconds:.0f} s, without the stream")
        behind = sum(self.metrics(collector, "collector_forwarding_behind_receipts") for collector in self.cluster.collectors)
        print(f"  {behind:,.0f} batches wait at the collectors")
        if behind == 0:
            self.fault("no batch waits at the collectors, so the outage was none")
        time.sleep(max(0, options.outage - (time.monotonic() - began)))
        for broker in self.cluster.brokers:
            broker.start()
        self.cluster.wait_for_leader()
        self.check(total)
        print("\nphase 3: erasure, and a new warehouse", flush=True)
        self.erase(total)
        print("\nphase 4: planted errors", flush=True)
        self.check_planted()
        return 1 if self.faults else 0


def findings(reports):
    """What `reconcile` reports, as texts."""
    found = []
    for report in reports:
        for install in report["installs"]:
            for name in ("unexplained", "beyond", "repeated"):
                if install[name]:
                    found.append(f"{install['install_id']}: {name}: {install[name]}")
            if install["hashes"]["different"]:
                found.append(f"{install['install_id']}: different at a collector: {install['hashes']['different']}")
        for stage in report.get("stages", []):
            kind = stage["stage"]
            if kind == "warehouse":
                kind += " clickhouse" if stage["name"].startswith("http") else " folder"
            for problem in ("missing", "doubled", "different", "beyond", "unerased"):
                if stage[problem]:
                    found.append(f"{stage['install_id']}: {problem} in {kind}: {stage[problem]}")
            if stage["fork_lines"]:
                found.append(f"{stage['install_id']}: {stage['fork_lines']} lines of forks")
    return found


def main():
    parser = argparse.ArgumentParser(prog="tools/cluster/test", description=__doc__.splitlines()[0])
    parser.add_argument("--binaries", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--lines", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--short", action="store_true", help="20,000 events of 100 devices, one kill each, 30 s without servers; finds the planted errors")
    parser.add_argument("--events", type=int, help="number of events; default: 1,000,000")
    parser.add_argument("--devices", type=int, help="number of devices; default: 500")
    parser.add_argument("--minutes", type=float, help="duration of phase 1; default: 6")
    parser.add_argument("--kills", type=int, help="kills of each process; default: 2")
    parser.add_argument("--outage", type=float, help="seconds without servers; default: 600")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="seed of the kills; default: random")
    parser.add_argument("--folder", help="folder of all files; default: a temporary folder")
    parser.add_argument("--keep", action="store_true", help="keep the folder at the end")
    options = parser.parse_args()
    defaults = (20_000, 100, 0.4, 1, 30.0) if options.short else (1_000_000, 500, 6.0, 2, 600.0)
    for name, value in zip(("events", "devices", "minutes", "kills", "outage"), defaults):
        if getattr(options, name) is None:
            setattr(options, name, value)
    if options.events < options.devices:
        parser.error(f"--events must be at least {options.devices}")
    if options.folder:
        Path(options.folder).mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(options.folder or tempfile.gettempdir()).free
    if free < 4000 * options.events:
        sys.exit(f"cluster: {free:,} bytes are free; {4000 * options.events:,} are needed: use --folder on another disk")
    binaries = Path(options.binaries)
    cluster = Cluster(
        options.folder, options.keep, collectors=2, collector_binary=binaries / "collector",
        collector_arguments=("--key-rate", "0", "--install-rate", "0"), loaders=2, loader_binary=binaries / "loader",
        loader_arguments=("--block-age", "2"))
    try:
        with cluster:
            test = Test(options, cluster)
            status = test.phases()
    except StartError as error:
        sys.exit(f"cluster: {error}")
    print("each event is in each store once" if status == 0 else f"{len(test.faults)} errors", flush=True)
    sys.exit(status)


if __name__ == "__main__":
    main()
