"""A cluster on loopback: NATS servers with JetStream, ClickHouse's engine behind HTTP, collectors and loaders.

    with Cluster(collectors=2, collector_binary=…, loaders=2, loader_binary=…) as cluster:
        cluster.brokers[0].kill()
        cluster.brokers[0].start()

All processes end with the block, with an exception, with SIGINT or SIGTERM, and when this process is killed. The folder
is deleted, unless `keep` is true or this process is killed.
"""

import argparse
import http.client
import json
import re
import shutil
import signal
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

from processes import Process, StartError, free_ports, listening_url

HERE = Path(__file__).resolve().parent
PARTITIONS = 16
DATABASE = "tracking"

BROKER_CONFIGURATION = """\
server_name: {name}
listen: "127.0.0.1:{port}"
http: "127.0.0.1:{monitor}"
max_payload: 1048576
max_connections: 1000
jetstream {{
    store_dir: "{folder}/store"
    # Synced to the disk before each acknowledgement.
    sync_interval: always
    max_memory_store: 64MB
    max_file_store: 20GB
}}
"""
ROUTES = """\
cluster {{
    name: tracking
    listen: "127.0.0.1:{route}"
    routes: [{routes}]
}}
"""


class Broker(Process):
    """A NATS server with JetStream, on ports that stay the same over restarts."""

    def __init__(self, name, folder, port, route, monitor, routes):
        self.port, self.monitor = port, monitor
        self.url = f"nats://127.0.0.1:{port}"
        super().__init__(name, [Path(sys.executable).with_name("nats-server"), "-c", Path(folder) / "server.conf"], folder,
                         {"GOMEMLIMIT": "512MiB"})
        self.folder.mkdir(parents=True, exist_ok=True)
        text = BROKER_CONFIGURATION.format(name=name, port=port, monitor=monitor, folder=folder)
        # A server without routes is no cluster: JetStream would wait for a leader forever.
        if len(routes) > 1:
            text += ROUTES.format(route=route, routes=", ".join(f'"nats://127.0.0.1:{other}"' for other in routes))
        (self.folder / "server.conf").write_text(text)

    def is_ready(self):
        return self.monitoring("/varz") is not None

    def monitoring(self, path):
        """The JSON that the server's monitoring port answers, or None if it doesn't answer."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.monitor}{path}", timeout=5) as answer:
                return json.load(answer)
        except (OSError, http.client.HTTPException):
            return None

    def stream_state(self, stream):
        """The state of this server's own replica of a stream, or None."""
        answer = self.monitoring("/jsz?streams=true&accounts=true") or {}
        for account in answer.get("account_details", []):
            for detail in account.get("stream_detail", []):
                if detail["name"] == stream:
                    return detail["state"]
        return None


class QueryFailed(Exception):
    """An answer of ClickHouse other than 200. `status` is HTTP's, `code` ClickHouse's."""

    def __init__(self, status, code, text):
        super().__init__(text)
        self.status, self.code = status, code


class ClickHouse(Process):
    """ClickHouse's engine behind `clickhouse_front.py`, on a port that stays the same over restarts."""

    def __init__(self, folder, port):
        self.url = f"http://127.0.0.1:{port}"
        # Each thread that reads a body would keep memory of its own.
        super().__init__("clickhouse", [sys.executable, HERE / "clickhouse_front.py", "--path", Path(folder) / "data", "--port", port],
                         folder, {"MALLOC_ARENA_MAX": "2"})

    def is_ready(self):
        return listening_url(self.output()) is not None

    def query(self, query, body=b"", **parameters):
        """Sends a query, with data and with settings or `param_NAME` as keywords; returns the answer's text."""
        url = f"{self.url}/?{urllib.parse.urlencode({'query': query} | parameters)}"
        try:
            with urllib.request.urlopen(urllib.request.Request(url, body, method="POST"), timeout=120) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            code = int(error.headers.get("X-ClickHouse-Exception-Code", 0))
            raise QueryFailed(error.code, code, error.read().decode(errors="replace")) from None


class Collector(Process):
    """A collector, on a port that stays the same over restarts. It prints its keys at the first start only."""

    def __init__(self, name, binary, folder, port, stream, arguments=()):
        self.url = f"http://127.0.0.1:{port}"
        self.write_key = None
        self.token_file = Path(folder) / "data/admin-token"
        super().__init__(name, [
            Path(binary).resolve(), "serve", "--data", Path(folder) / "data", "--port", port, "--forward", stream,
            "--partitions", PARTITIONS, *arguments], folder)

    def is_ready(self):
        return listening_url(self.output()) is not None

    @property
    def admin_token(self):
        return self.token_file.read_text().strip()

    def start(self):
        super().start()
        # The output of all runs: the key in a kept folder was printed by an earlier one.
        if match := re.search(r"^write key:\s*(\S+)", self.log.read_text(errors="replace"), re.MULTILINE):
            self.write_key = match[1]


class Loader(Process):
    """A loader of some partitions of the stream, into ClickHouse and a folder."""

    def __init__(self, name, binary, folder, stream, partitions, clickhouse, output, arguments=()):
        self.partitions = partitions
        super().__init__(name, [
            Path(binary).resolve(), "--stream", stream, "--partitions", partitions, "--state", Path(folder) / "state",
            "--clickhouse", clickhouse, "--database", DATABASE, "--folder", output, *arguments], folder)

    def is_ready(self):
        return "loader: loading partitions" in self.output()


def shares(partitions, count):
    """The partitions of each of `count` loaders, such as `0-7` and `8-15`."""
    bounds = [partitions * number // count for number in range(count + 1)]
    return [f"{first}-{after - 1}" for first, after in zip(bounds, bounds[1:])]


class Cluster:
    """Brokers, ClickHouse, collectors and loaders in one folder; see the module.

    `folder` must be empty or absent unless `keep` is true. Without `folder`, a temporary one is made.
    """

    # Seconds until the brokers have elected a leader.
    LEADER_LIMIT = 60

    def __init__(self, folder=None, keep=False, brokers=3, collectors=0, collector_binary=None, collector_arguments=(),
                 loaders=0, loader_binary=None, loader_arguments=()):
        if (collectors and not collector_binary) or (loaders and not loader_binary):
            raise ValueError("collectors and loaders need the path of their binary")
        if loaders > PARTITIONS:
            raise ValueError(f"{loaders} loaders cannot share {PARTITIONS} partitions")
        if folder and not keep and Path(folder).is_dir() and any(Path(folder).iterdir()):
            raise ValueError(f"{folder} is not empty, and would be deleted; pass another folder, or keep it")
        self.keep = keep
        self.folder = Path(folder or tempfile.mkdtemp(prefix="cluster-")).resolve()
        # The output of collectors has their keys.
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        ports = iter(free_ports(3 * brokers + 1 + collectors))
        clients, routes, monitors = ([next(ports) for _ in range(brokers)] for _ in range(3))
        self.brokers = [
            Broker(f"broker-{number}", self.folder / f"broker-{number}", clients[number], routes[number], monitors[number], routes)
            for number in range(brokers)
        ]
        self.stream_url = ",".join(broker.url for broker in self.brokers)
        self.clickhouse = ClickHouse(self.folder / "clickhouse", next(ports))
        self.collectors = [
            Collector(f"collector-{number}", collector_binary, self.folder / f"collector-{number}", next(ports), self.stream_url,
                      collector_arguments)
            for number in range(collectors)
        ]
        self.output = self.folder / "output"
        self.loaders = [
            Loader(f"loader-{number}", loader_binary, self.folder / f"loader-{number}", self.stream_url, share, self.clickhouse.url,
                   self.output, loader_arguments)
            for number, share in enumerate(shares(PARTITIONS, loaders) if loaders else [])
        ]
        self._handlers = {}

    @property
    def processes(self):
        """All processes, in the order of their start."""
        return [*self.brokers, self.clickhouse, *self.collectors, *self.loaders]

    def start(self):
        """Starts all processes, and waits until JetStream has a leader and all others are ready."""
        for broker in self.brokers:
            broker.start()
        self.wait_for_leader()
        self.clickhouse.start()
        self.clickhouse.query(f"CREATE DATABASE IF NOT EXISTS {DATABASE}")
        for process in [*self.collectors, *self.loaders]:
            process.start()

    def wait_for_leader(self):
        """Waits until JetStream's meta group has a leader that sees every running broker."""
        running = [broker for broker in self.brokers if broker.is_running]
        end = time.monotonic() + self.LEADER_LIMIT
        while time.monotonic() < end:
            states = [(broker.monitoring("/jsz") or {}) for broker in running]
            if len(self.brokers) == 1:
                if "streams" in states[0]:
                    return
            else:
                metas = [state.get("meta_cluster") or {} for state in states]
                leaders = {meta.get("leader") for meta in metas}
                replicas = [replica for meta in metas for replica in meta.get("replicas") or [] if replica.get("current")]
                if len(leaders) == 1 and leaders != {None} and len(replicas) >= len(running) - 1:
                    return
            time.sleep(0.05)
        raise StartError(f"JetStream has no leader after {self.LEADER_LIMIT} s; see {self.brokers[0].log}")

    def stop(self):
        """Stops all processes, consumers first, and deletes the folder unless it is kept."""
        for group in (self.loaders, self.collectors, [self.clickhouse], self.brokers):
            for process in group:
                process.terminate()
            for process in group:
                process.stop()
        if not self.keep:
            shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        # Only the main thread may set handlers; elsewhere, the caller's own signals apply.
        if threading.current_thread() is threading.main_thread():
            self._handlers[signal.SIGTERM] = signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        handlers, self._handlers = self._handlers, {}
        if handlers:
            # A second signal must not interrupt the end.
            handlers[signal.SIGINT] = signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        try:
            self.stop()
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)


def main():
    parser = argparse.ArgumentParser(prog="tools/cluster/run", description="Start a cluster on loopback until Ctrl-C.")
    parser.add_argument("--folder", metavar="DIR", help="folder of all files; default: a temporary folder")
    parser.add_argument("--keep", action="store_true", help="keep the folder at the end")
    parser.add_argument("--brokers", type=int, default=3, metavar="N", help="number of NATS servers; default: 3")
    for name in ("collector", "loader"):
        parser.add_argument(f"--{name}s", type=int, default=0, metavar="N", help=f"number of {name}s; default: 0")
        parser.add_argument(f"--{name}-binary", metavar="PATH", help=f"the program {name}")
    options = parser.parse_args()
    try:
        cluster = Cluster(**vars(options))
    except ValueError as error:
        parser.error(str(error))
    try:
        with cluster:
            print(f"folder      {cluster.folder}")
            for process in cluster.processes:
                print(f"{process.name:<12}{getattr(process, 'url', ''):<28}process {process.pid}, output in {process.log}")
                if isinstance(process, Collector) and process.write_key:
                    print(f"{'':<12}write key {process.write_key}, admin token {process.admin_token}")
            print("Press Ctrl-C to stop.", flush=True)
            while True:
                time.sleep(1)
                for process in cluster.processes:
                    if not process.is_running:
                        sys.exit(f"cluster: {process.name} ended; its output ends with:\n{process.output()[-2000:]}")
    except KeyboardInterrupt:
        print()
    except StartError as error:
        sys.exit(f"cluster: {error}")


if __name__ == "__main__":
    main()
