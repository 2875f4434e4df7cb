"""Processes that a test starts, kills, restarts and measures."""

import concurrent.futures
import ctypes
import math
import os
import random
import re
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

PR_SET_PDEATHSIG = 1
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
LIBC = ctypes.CDLL(None, use_errno=True)

# The system sends the death signal when the thread that started a process ends, so one thread starts all of them.
STARTER = concurrent.futures.ThreadPoolExecutor(1, thread_name_prefix="starter")


class StartError(Exception):
    """A process that ended or was silent when it should have been ready."""


def free_ports(count):
    """Ports of 127.0.0.1 that are free, below the ports that the system gives to outgoing connections."""
    ports = []
    for port in random.sample(range(15_000, 32_000), 2000):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        ports.append(port)
        if len(ports) == count:
            return ports
    raise StartError(f"cannot find {count} free ports on 127.0.0.1")


def die_with(parent):
    """Runs in the new process: it is killed as soon as the launcher is gone."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


class Process:
    """A program that can be killed and started again with the same command.

    `log` is the file with the output of all its runs. `name` appears in messages and names the log file. Threads may call
    all methods at the same time, except two that start the process.
    """

    # Seconds until a started process must be ready.
    START_LIMIT = 60

    def __init__(self, name, command, folder, environment=None):
        self.name = name
        self.command = [str(part) for part in command]
        self.folder = Path(folder)
        self.environment = os.environ | (environment or {})
        self.log = self.folder / f"{name}.log"
        self.starts = 0
        # The exit status of the last run that ended; negative after a signal.
        self.status = None
        self._process = None
        self._offset = 0
        self._earlier_cpu = 0.0
        # Ended processes are collected by any thread that asks.
        self._lock = threading.RLock()

    def __repr__(self):
        return f"{self.name} ({f'process {self.pid}' if self.is_running else 'not running'})"

    @property
    def pid(self):
        return self._process.pid if self._process else None

    @property
    def is_running(self):
        with self._lock:
            if not self._process:
                return False
            if os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                # The CPU time of an ended process is readable until its parent asks for its status.
                self._earlier_cpu += self._cpu()
                self.status = self._process.wait()
                self._process = None
            return self._process is not None

    def start(self):
        """Starts the program and waits until it is ready."""
        if self.is_running:
            raise StartError(f"{self.name} runs already")
        self.folder.mkdir(parents=True, exist_ok=True)
        with open(self.log, "ab") as log:
            self._offset = log.tell()
            self._process = STARTER.submit(
                subprocess.Popen, self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
                env=self.environment, start_new_session=True, preexec_fn=lambda parent=os.getpid(): die_with(parent)).result()
        self.starts += 1
        end = time.monotonic() + self.START_LIMIT
        while not self.is_ready():
            if not self.is_running or time.monotonic() > end:
                state = "is not ready" if self.is_running else "ended"
                raise StartError(f"{self.name} {state}; its output, {self.log}, ends with:\n{self.output()[-2000:]}")
            time.sleep(0.02)

    def is_ready(self):
        """Whether the program serves; True if the program does not show it."""
        return True

    def output(self):
        """What the program wrote since its last start."""
        with open(self.log, "rb") as log:
            log.seek(self._offset)
            return log.read().decode(errors="replace")

    def kill(self):
        """Sends SIGKILL and waits for the end."""
        self._end(signal.SIGKILL, None)

    def terminate(self):
        """Sends SIGTERM and doesn't wait."""
        self._send(signal.SIGTERM)

    def stop(self, limit=20):
        """Sends SIGTERM, and SIGKILL after `limit` seconds; returns `status`."""
        return self._end(signal.SIGTERM, limit)

    def restart(self):
        """Kills the program if it runs, and starts it."""
        self.kill()
        self.start()

    def rss(self):
        """Resident memory in bytes; 0 if the program doesn't run."""
        with self._lock:
            if not self.is_running:
                return 0
            return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * PAGE

    def cpu_seconds(self):
        """CPU time of all runs so far, in seconds."""
        with self._lock:
            return self._earlier_cpu + (self._cpu() if self.is_running else 0.0)

    def _cpu(self):
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def _send(self, number):
        with self._lock:
            if self.is_running:
                os.kill(self.pid, number)

    def _end(self, number, limit):
        self._send(number)
        end = math.inf if limit is None else time.monotonic() + limit
        while self.is_running:
            if time.monotonic() > end:
                self._send(signal.SIGKILL)
                end = math.inf
            time.sleep(0.005)
        return self.status


def listening_url(output):
    """The address in a line such as `collector: listening on http://127.0.0.1:8787`, or None."""
    match = re.search(r"listening on (http://\S+)", output)
    return match[1] if match else None

