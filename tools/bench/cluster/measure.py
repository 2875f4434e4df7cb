"""Measures two collectors, three NATS servers, one or two loaders and ClickHouse's engine on one machine.

For each number of events and of loaders, a new cluster receives requests that were made before, from an HTTP load generator in C on the
same cores; first 20,000 events that don't count, so that streams and tables exist. Prints for each stage the CPU time per event of all
its processes without what they use when idle, which is printed apart; the bytes that it writes to the disk per event; and its memory in
the first, second and last third of the run. The baseline, in turns with the runs: the same rows inserted into the same engine by hand,
without any other process.

Without `--rate`, requests are sent as fast as the collectors answer; loaders then fall behind, and the NATS servers read old messages
from the disk. With it, all stages keep up, as they do in operation, and the bar for CPU is the one that counts.

`--syncs` counts system calls that sync files, with strace, in a run of its own: strace slows processes down.
Exit code 1 if a bar is missed, or if a row is missing or doubled at the end.
"""

import argparse
import datetime
import gzip
import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from cluster import DATABASE, Cluster

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BINARIES = ROOT / ".build/release"
PLACEHOLDER = b"wk_" + b"0" * 40
WARM_UP = 20_000
# Seconds in which the cost of an idle cluster is measured. It is subtracted.
IDLE = 5
# Connections to each collector.
CONNECTIONS = 16
# The bars: events per second; the largest difference of a stage's CPU from its median over all runs; growth of memory.
LEAST_RATE = 30_000
SPREAD = 0.15
GROWTH = 1.25


def make_requests(folder, events, batch, seed):
    """Two files of requests, one for each collector, with installs of their own."""
    paths = [folder / f"requests-{events}-{seed}-{half}" for half in range(2)]
    running = [
        subprocess.Popen([
            sys.executable, HERE.parent / "collector/make_requests.py", "--requests", str(max(1, events // 2 // batch)), "--events",
            str(batch), "--key", PLACEHOLDER.decode(), "--seed", str(2 * seed + half), "--port", "80",
            # Long requests repeat more.
            "--most-ratio", "7", path], stdout=subprocess.PIPE, text=True)
        for half, path in enumerate(paths) if not path.exists()
    ]
    for process in running:
        facts = json.loads(process.communicate()[0])
        if process.returncode:
            sys.exit(f"bench: make_requests.py ended with {process.returncode}")
        print(f"{facts['events']:,} events in requests of {batch}: {facts['bytes_an_event']} bytes each, gzip {facts['gzip_ratio']}:1",
              flush=True)
    return paths


class Samples:
    """The memory of processes once a second, until the end of the block."""

    def __init__(self, processes):
        self.processes = processes
        self.sizes = {process.name: [] for process in processes}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self):
        while not self._stop.wait(1):
            for process in self.processes:
                self.sizes[process.name].append(process.rss())

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()

    def thirds(self, names):
        """The medians of the first, second and last third, in MiB, added up over processes."""
        totals = [sum(sizes) / 2**20 for sizes in zip(*(self.sizes[name] for name in names))]
        if len(totals) < 3:
            return None
        third = len(totals) // 3
        return [statistics.median(part) for part in (totals[:third], totals[third:2 * third], totals[-third:])]


def wait(is_done, what, limit=1800):
    end = time.monotonic() + limit
    while not is_done():
        if time.monotonic() > end:
            sys.exit(f"bench: waited {limit} s for {what}")
        time.sleep(0.25)


def written(process):
    """Bytes that a process caused to be written to the disk."""
    text = Path(f"/proc/{process.pid}/io").read_text()
    return int(re.search(r"^write_bytes: (\d+)", text, re.MULTILINE)[1])


def stages(cluster):
    return {"brokers": cluster.brokers, "collectors": cluster.collectors, "loaders": cluster.loaders, "ClickHouse": [cluster.clickhouse]}


class Run:
    def __init__(self, tools, folder, requests, events, loaders, batch, rate=None, strace=False):
        self.tools, self.events, self.loaders, self.requests = tools, events, loaders, events / batch
        # Requests per second to each of the two collectors.
        self.pace = [str(rate // batch // 2)] if rate else []
        with Cluster(
            Path(folder) / f"cluster-{events}-{loaders}", collectors=2, collector_binary=BINARIES / "collector",
            collector_arguments=("--key-rate", "0", "--install-rate", "0"), loaders=loaders, loader_binary=BINARIES / "loader",
        ) as cluster:
            self.cluster = cluster
            self.send(requests["warm-up"])
            self.wait_until_loaded(WARM_UP)
            # What merges and Raft still do for the first events, some seconds later.
            time.sleep(12)
            self.blocks = len(self.manifests())
            before = self.usage()
            time.sleep(IDLE)
            after = self.usage()
            # CPU seconds per second without events: loaders look for messages, servers send heartbeats.
            self.idle = {stage: (after[stage][0] - before[stage][0]) / IDLE for stage in after}
            counters = self.start_counting() if strace else None
            before = self.usage()
            started = time.monotonic()
            with Samples(cluster.processes) as self.samples:
                self.generator, self.accepted = self.send(requests[events])
                self.wait_until_forwarded()
                self.forwarded = time.monotonic() - started
                self.wait_until_loaded(WARM_UP + events)
                self.seconds = time.monotonic() - started
            # Merges and what the servers write later for these events.
            time.sleep(12)
            after = self.usage()
            idle = time.monotonic() - started
            self.cost = {
                stage: [1e6 * (after[stage][0] - before[stage][0] - idle * self.idle[stage]) / events,
                        (after[stage][1] - before[stage][1]) / events]
                for stage in after}
            self.syncs = self.stop_counting(counters) if strace else None
            self.disk = {
                name: sum(file.stat().st_size for folder in folders for file in Path(folder).rglob("*") if file.is_file()) / (events + WARM_UP)
                for name, folders in {
                    "brokers": [broker.folder for broker in cluster.brokers], "collectors": [one.folder for one in cluster.collectors],
                    "loaders": [loader.folder for loader in cluster.loaders], "folders": [cluster.output],
                    "ClickHouse": [cluster.clickhouse.folder]}.items()}
            self.memory = {
                stage: self.samples.thirds([process.name for process in processes]) for stage, processes in stages(cluster).items()}
            self.check()

    def send(self, paths):
        """Sends the requests of two files at the same time; returns the generator's CPU in seconds, and the longest duration."""
        running = []
        for path, collector in zip(paths, self.cluster.collectors):
            patched = self.tools / f"patched-{collector.name}"
            with open(path, "rb") as source, open(patched, "wb") as target:
                while head := source.read(4):
                    request = source.read(int.from_bytes(head, "little"))
                    target.write(head + request.replace(PLACEHOLDER, collector.write_key.encode(), 1))
            port = collector.url.rpartition(":")[2]
            running.append(subprocess.Popen(
                [self.tools / "load", port, str(CONNECTIONS), patched, *self.pace], stdout=subprocess.PIPE, text=True))
        outputs = [process.communicate()[0] for process in running]
        if any(process.returncode for process in running):
            sys.exit("bench: the load generator failed; see above")
        said = [json.loads(output) for output in outputs]
        if any(list(one["statuses"]) != ["200"] for one in said):
            sys.exit(f"bench: the collectors answered {said}")
        return sum(one["cpu_seconds"] for one in said), max(one["seconds"] for one in said)

    def rows(self):
        return int(self.cluster.clickhouse.query("SELECT count() FROM events", database=DATABASE))

    def wait_until_loaded(self, events):
        # A block is in the folder before it is in ClickHouse.
        if self.loaders:
            wait(lambda: self.rows() >= events, f"{events:,} rows in ClickHouse")

    def wait_until_forwarded(self):
        wait(lambda: all(self.behind(collector) == 0 for collector in self.cluster.collectors), "the stream to have everything")

    def behind(self, collector):
        with urllib.request.urlopen(f"{collector.url}/metrics", timeout=30) as answer:
            match = re.search(r"^collector_forwarding_behind_receipts (\S+)", answer.read().decode(), re.MULTILINE)
            return float(match[1])

    def usage(self):
        return {
            stage: (sum(process.cpu_seconds() for process in processes), sum(map(written, processes)))
            for stage, processes in stages(self.cluster).items()}

    def manifests(self):
        return list(self.cluster.output.glob("manifests/*/*.json"))

    def check(self):
        """Each event is in ClickHouse and in the folder once."""
        if not self.loaders:
            self.block_rows = 0
            return
        events = self.events + WARM_UP
        rows, numbers = map(int, self.cluster.clickhouse.query(
            "SELECT count(), uniqExact(install_id, seq) FROM events", database=DATABASE).split())
        manifests = [json.loads(path.read_text()) for path in self.manifests()]
        stored = sum(install["rows"] for manifest in manifests for install in manifest["installs"])
        if (rows, numbers, stored) != (events, events, events):
            sys.exit(f"bench: ClickHouse has {rows} rows of {numbers} events, the folder {stored}; {events} were accepted")
        self.block_rows = stored / len(manifests)
        self.blocks = len(manifests) - self.blocks

    def start_counting(self):
        counters = {}
        for stage, processes in stages(self.cluster).items():
            for process in processes:
                path = self.tools / f"strace-{process.name}"
                pids = [part for thread in Path(f"/proc/{process.pid}/task").iterdir() for part in ("-p", thread.name)]
                counters[process.name] = stage, path, subprocess.Popen(
                    ["strace", "-f", "-c", "-e", "trace=fsync,fdatasync,sync_file_range,syncfs,msync", "-o", path, *pids],
                    stderr=subprocess.DEVNULL)
        time.sleep(2)
        return counters

    def stop_counting(self, counters):
        syncs = {stage: 0 for stage in stages(self.cluster)}
        for stage, path, process in counters.values():
            process.terminate()
            process.wait()
            for line in path.read_text().splitlines():
                fields = line.split()
                if len(fields) >= 5 and fields[-1] in ("fsync", "fdatasync", "sync_file_range", "syncfs", "msync"):
                    syncs[stage] += int(fields[3])
        return syncs


def baseline(folder, requests, events):
    """CPU in microseconds per event of inserting rows into the same engine: 50,000 rows per insert."""
    rows = min(events, 200_000)
    with Cluster(Path(folder) / "baseline", brokers=1) as cluster:
        clickhouse = cluster.clickhouse
        ddl = subprocess.run([BINARIES / "loader", "--print-ddl"], capture_output=True, text=True, check=True).stdout
        for statement in ddl.split(";\n"):
            if statement.strip():
                clickhouse.query(statement, database=DATABASE)
        lines = rows_of(requests, rows)
        clickhouse.query("INSERT INTO events FORMAT JSONEachRow", b"\n".join(lines[:1000]), database=DATABASE)
        before = clickhouse.cpu_seconds()
        for start in range(0, rows, 50_000):
            clickhouse.query("INSERT INTO events FORMAT JSONEachRow", b"\n".join(lines[start:start + 50_000]), database=DATABASE)
        time.sleep(2)
        return 1e6 * (clickhouse.cpu_seconds() - before) / rows


def rows_of(requests, count):
    """Rows as a loader writes them, from the lines of requests."""
    rows = []
    for path in requests:
        data = Path(path).read_bytes()
        place = 0
        while place < len(data) and len(rows) < count:
            length = int.from_bytes(data[place:place + 4], "little")
            head, _, body = data[place + 4:place + 4 + length].partition(b"\r\n\r\n")
            place += 4 + length
            if b"Content-Encoding: gzip" in head:
                body = gzip.decompress(body)
            for line in body.split(b"\n")[1:-1]:
                event = json.loads(line)
                when = datetime.datetime.fromtimestamp(event["time"], datetime.UTC).strftime("%Y-%m-%d %H:%M:%S.%f")
                rows.append(json.dumps({
                    "install_id": event["install_id"], "seq": event["seq"], "fork": "", "id": event["id"], "event": event["event"]["name"],
                    "schema": event["schema"], "user_id": event["user_id"], "session_id": event["session_id"], "time": when,
                    "corrected_time": when, "received_at": "2026-01-01 00:00:00.000000", "context": "{}",
                    "properties": json.dumps(event["event"]["value"]), "validated": True, "collector": "c", "batch": "b", "block": "0-1",
                    "line": line.decode()}).encode())
    return rows[:count]


class Bars:
    missed = False

    def check(self, holds, text):
        self.missed |= not holds
        print(f"  {text}{'' if holds else '   MISSED'}")


def median_of(runs, stage):
    return statistics.median(run.cost[stage][0] for run in runs)


def report_syncs(run):
    print(f"syncs of {run.events:,} events, {run.blocks} blocks of {run.block_rows:,.0f} rows")
    for stage, count in run.syncs.items():
        print(f"  {stage:<12}{count:>8}{count / run.requests:>8.2f} per request{count / run.blocks:>8.2f} per block")


def report(runs, inserts):
    bars = Bars()
    names = list(runs[0].cost)
    print(f"\n{'':12}{'':>8}{'':>10}  CPU per event, µs")
    print(f"{'events':>12}{'loaders':>8}{'events/s':>10}" + "".join(f"{name:>12}" for name in names) + f"{'all':>8}{'generator':>11}{'rows/block':>12}")
    for run in runs:
        total = sum(cost for cost, _ in run.cost.values())
        print(f"{run.events:>12,}{run.loaders:>8}{run.events / run.seconds:>10,.0f}"
              + "".join(f"{run.cost[name][0]:>12.2f}" for name in names)
              + f"{total:>8.2f}{1e6 * run.generator / run.events:>11.2f}{run.block_rows:>12,.0f}")
    total = statistics.median(sum(cost for cost, _ in run.cost.values()) for run in runs)
    direct = statistics.median(inserts)
    print(f"the same rows inserted by hand: {direct:.2f} µs per event; the cluster with three replicas and folders: {total / direct:.2f} times")
    print("an idle cluster, % of a core: " + ", ".join(
        f"{name} {100 * statistics.median(run.idle[name] for run in runs):.1f}" for name in names))
    print("\nbytes per event: written to the disk, kept on the disk")
    for name in names:
        print(f"  {name:<12}{statistics.median(run.cost[name][1] for run in runs):>8.0f}{statistics.median(run.disk[name] for run in runs):>8.0f}")
    print(f"  {'folders':<12}{'':>8}{statistics.median(run.disk['folders'] for run in runs):>8.0f}   (written by the loaders)")
    print("\nmemory in MiB, all processes of a stage: first, second, last third")
    for run in runs:
        if all(run.memory.values()):
            print(f"  {run.events:>10,} {run.loaders}: " + "; ".join(
                f"{name} {', '.join(f'{size:.0f}' for size in run.memory[name])}" for name in names))
    print()
    runs = [run for run in runs if run.loaders]
    if not runs:
        return bars
    # The last blocks of a short run wait for their age.
    rates = [run.events / run.seconds for run in runs if run.events >= 1_000_000] or [run.events / run.seconds for run in runs]
    if not any(run.pace for run in runs):
        bars.check(min(rates) >= LEAST_RATE, f"at least {min(rates):,.0f} events/s; limit {LEAST_RATE:,}")
    groups = {}
    for run in runs:
        groups.setdefault((run.events, run.loaders), []).append(run)
    for name in names:
        costs = [median_of(group, name) for group in groups.values()]
        middle = statistics.median(costs)
        spread = max(abs(cost - middle) / middle for cost in costs)
        bars.check(spread <= SPREAD, f"{name}: CPU per event differs by at most {spread:.0%} from its median {middle:.2f} µs; limit {SPREAD:.0%}")
    longest = max(runs, key=lambda run: run.seconds)
    for name, sizes in longest.memory.items():
        if sizes:
            bars.check(sizes[2] <= GROWTH * sizes[1], f"{name}: memory in the last third is {sizes[2] / sizes[1]:.2f} times that in the second; limit {GROWTH}")
    return bars


def numbers(text):
    return [int(float(part)) for part in text.split(",")]


def main():
    parser = argparse.ArgumentParser(prog="tools/bench/cluster/run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=numbers, default=[100_000, 1_000_000], metavar="N,…", help="events of the runs; default: 1e5,1e6")
    parser.add_argument("--loaders", type=numbers, default=[1, 2], metavar="N,…", help="numbers of loaders; default: 1,2; 0 ends at the stream")
    parser.add_argument("--batch", type=int, default=500, metavar="N", help="events of a request; default: 500")
    parser.add_argument("--rate", type=int, metavar="N", help="events per second; default: as many as the collectors accept")
    parser.add_argument("--rounds", type=int, default=1, metavar="N", help="rounds of all runs; default: 1")
    parser.add_argument("--syncs", action="store_true", help="count syncs with strace, in one run")
    parser.add_argument("--folder", metavar="DIR", help="folder of all files, about 3 kB per event; default: a temporary folder")
    options = parser.parse_args()
    if options.rate is not None and options.rate < 2 * options.batch:
        sys.exit(f"bench: --rate {options.rate} is less than a request per second to each collector; pass at least {2 * options.batch}")
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        tools = Path(name)
        free = shutil.disk_usage(tools).free
        if free < 3000 * max(options.events):
            sys.exit(f"bench: {free:,} bytes are free; {3000 * max(options.events):,} are needed: pass another --folder")
        subprocess.run(["cc", "-O2", "-o", tools / "load", HERE.parent / "collector/load.c"], check=True)
        requests = {"warm-up": make_requests(tools, WARM_UP, options.batch, 1)}
        for events in options.events:
            requests[events] = make_requests(tools, events, options.batch, 2)
        runs, inserts = [], []
        if options.syncs:
            options.rounds, options.loaders, options.events = 1, options.loaders[-1:], options.events[:1]
            if options.loaders == [0]:
                sys.exit("bench: --syncs needs a loader")
        for _ in range(options.rounds):
            for events in options.events:
                # A tick of the processor's clock is 1 % of what a short run costs at a stage.
                for loaders in options.loaders * (6 if events < 1_000_000 and not options.syncs else 1):
                    runs.append(Run(tools, tools, requests, events, loaders, options.batch, options.rate, options.syncs))
                    print(f"{events:,} events, {loaders} loader{'' if loaders == 1 else 's'}: {runs[-1].seconds:.1f} s; accepted in {runs[-1].accepted:.1f} s, "
                          f"in the stream after {runs[-1].forwarded:.1f} s", flush=True)
            if not options.syncs:
                inserts.append(baseline(tools, requests[max(options.events)], max(options.events)))
        if options.syncs:
            return report_syncs(runs[0])
        bars = report(runs, inserts)
    sys.exit(1 if bars.missed else 0)


if __name__ == "__main__":
    main()
