"""A network between an app and a collector: a front that answers, delays and damages, a proxy, and clocks that are set."""

import atexit
import concurrent.futures
import contextlib
import gzip
import http.client
import json
import mmap
import os
import queue
import re
import select
import socket
import ssl
import struct
import subprocess
import threading
import time

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
CHUNK = 1024

failures = []
case = threading.local()  # `lines`: the output of the case that this thread works for


def note(text):
    case.lines.append(f"    {text}")


def expect(is_right, text):
    if not is_right:
        note(f"WRONG: {text}")
        failures.append(text)


def together(function, arguments, workers=None):
    """Calls a function at the same time for each tuple of arguments."""
    lines = getattr(case, "lines", None)

    def work(values):
        case.lines = lines
        function(*values)

    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        list(pool.map(work, arguments))


class Sender:
    """An app that delivers, in its own process."""

    program = f"{ROOT}/.build/debug/network-sender"

    def __init__(self, folder, url, key, clock=None, environment=None, program=None, **setup):
        self.messages, self.diagnostics, self.errors = queue.Queue(), [], []
        hidden = ("https_proxy", "HTTPS_PROXY", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR")
        variables = {name: value for name, value in os.environ.items() if name not in hidden}
        variables |= environment or {}
        if clock:
            variables |= {"LD_PRELOAD": clock.library, "CLOCK_OFFSETS": clock.path}
        self.process = subprocess.Popen(
            [program or self.program, folder, json.dumps({"url": url, "key": key, **setup})], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, env=variables)
        atexit.register(self.process.kill)
        threading.Thread(target=self.read, daemon=True).start()
        self.wait("opened")

    def read(self):
        for line in self.process.stdout:
            message = json.loads(line)
            kind = message["what"]
            if kind in ("diagnostic", "error"):
                (self.diagnostics if kind == "diagnostic" else self.errors).append(message["reason"])
            else:
                self.messages.put(message)
        self.messages.put({"what": "ended"})

    def wait(self, what, seconds=120):
        message = self.messages.get(timeout=seconds)
        assert message["what"] == what, (message, self.errors, self.diagnostics)
        return message

    def command(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()

    def do(self, *words):
        self.command(*words)
        return self.wait("progress" if words[0] == "progress" else "done")

    def acknowledged(self):
        return self.do("progress")["acknowledged"]

    def delivers(self, seconds):
        """Whether everything is delivered within some seconds, without a manual flush."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            progress = self.do("progress")
            if progress["acknowledged"] == progress["last"] > 0:
                return True
            time.sleep(0.1)
        return False

    def kill(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        with contextlib.suppress(BrokenPipeError):
            self.do("close")
        self.process.wait()


class Clock:
    """Offsets of the clocks of processes, in seconds."""

    library = None

    @classmethod
    def build(cls, folder):
        cls.library = f"{folder}/clock.so"
        source = os.path.join(os.path.dirname(__file__), "clock.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", cls.library, source], check=True)

    def __init__(self, folder):
        self.path = f"{folder}/clock"
        with open(self.path, "wb") as file:
            file.write(bytes(16))
        with open(self.path, "r+b") as file:
            self.offsets = mmap.mmap(file.fileno(), 16)
        self.wall = self.boot = 0

    def step(self, seconds):
        """A person sets the wall clock."""
        self.wall += seconds
        self.offsets[:8] = struct.pack("q", self.wall)

    def advance(self, seconds):
        """Time passes."""
        self.step(seconds)
        self.boot += seconds
        self.offsets[8:] = struct.pack("q", self.boot)


class Request:
    def __init__(self, head, body, began):
        self.head, self.body, self.began = head, body, began
        lines = head.decode("latin-1").split("\r\n")
        self.path = lines[0].split(" ")[1]
        self.fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:] if line)}

    @property
    def events(self):
        """How many events the body has."""
        body = gzip.decompress(self.body) if "content-encoding" in self.fields else self.body
        return max(0, body.count(b"\n") - 1)


def answer(status, fields=(), body=b"", interim=b""):
    """An action of a front: a response that does not come from the collector."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields)
    head = f"HTTP/1.1 {status} Answer\r\nContent-Length: {len(body)}\r\n{lines}\r\n".encode("latin-1")
    return lambda front, request: interim + head + body


def forward(change=lambda body: body, encode=None):
    """An action of a front: the collector's response to the body, which may be changed on its way."""
    def action(front, request):
        connection = http.client.HTTPConnection("127.0.0.1", front.collector.port, timeout=60)
        fields = {name: value for name, value in request.fields.items() if name not in ("content-length", "host", "connection")}
        connection.request("POST", request.path, change(request.body), fields)
        response = connection.getresponse()
        body, more = response.read(), []
        connection.close()
        if encode:
            body, more = encode(body), [("Content-Encoding", "gzip")]
        kept = [(name, value) for name, value in response.getheaders() if name.lower() not in ("content-length", "transfer-encoding")]
        return answer(response.status, kept + more, body)(front, request)
    return action


class Front:
    """A server in front of the collector. It performs its script, and then forwards."""

    def __init__(self, collector=None, script=(), rate=None, context=None, greetings=()):
        self.collector, self.script, self.rate, self.context = collector, list(script), rate, context
        self.greetings = list(greetings)  # for the first connections, instead of the script
        self.requests, self.arrival, self.ends = [], threading.Event(), queue.Queue()
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if rate:
            self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def url(self, path="/v1/events", scheme="http", host="127.0.0.1"):
        return f"{scheme}://{host}:{self.port}{path}"

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def stop(self):
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def receive(self, connection):
        """Some bytes; after the next tick if the front reads slowly, or as soon as the peer resets the connection."""
        if not self.rate:
            return connection.recv(65536)
        poller = select.poll()
        poller.register(connection, 0)  # only errors
        if poller.poll(1000 * CHUNK / self.rate):
            raise ConnectionResetError
        return connection.recv(CHUNK)

    def wrap(self, connection):
        try:
            return self.context.wrap_socket(connection, server_side=True, suppress_ragged_eofs=True)
        except ssl.SSLError:
            # The client reads the alert before the end.
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(65536):
                    pass
            raise

    def serve(self, connection):
        try:
            if self.context:
                connection = self.wrap(connection)
            if self.greetings:
                return self.greetings.pop(0)(connection)
            rest = b""
            while True:
                began = None
                while b"\r\n\r\n" not in rest:
                    part = self.receive(connection)
                    if not part:
                        return
                    began = began or time.monotonic()
                    rest += part
                head, rest = rest.split(b"\r\n\r\n", 1)
                length = int(re.search(rb"content-length: (\d+)", head.lower())[1])
                request = Request(head, b"", began or time.monotonic())
                self.requests.append(request)
                self.arrival.set()
                while len(rest) < length:
                    part = self.receive(connection)
                    if not part:
                        self.ends.put(("closed", time.monotonic(), len(rest)))
                        return
                    rest += part
                request.body, rest = rest[:length], rest[length:]
                action = self.script.pop(0) if self.script else forward()
                connection.sendall(action(self, request))
        except OSError as error:
            self.ends.put((type(error).__name__, time.monotonic(), len(rest) if "rest" in locals() else 0))
        finally:
            connection.close()


def refuse_stream(connection):
    """Answers HTTP/2 with REFUSED_STREAM (RFC 9113, section 8.7)."""
    answer_stream(connection, 3, lambda stream: stream, 7)


def go_away(connection):
    """Answers HTTP/2 with GOAWAY before any stream was processed (RFC 9113, section 6.8)."""
    answer_stream(connection, 7, lambda stream: 0, 0)


def answer_stream(connection, kind, stream_of, error):
    def frame(kind, stream, payload):
        return len(payload).to_bytes(3, "big") + bytes([kind, 0]) + stream.to_bytes(4, "big") + payload

    file = connection.makefile("rb")
    assert connection.selected_alpn_protocol() == "h2" and file.read(24).startswith(b"PRI * HTTP/2.0"), "not HTTP/2"
    connection.sendall(frame(4, 0, b""))
    while True:
        head = file.read(9)
        file.read(int.from_bytes(head[:3], "big"))
        if head[3] == 1:  # HEADERS
            break
    stream = int.from_bytes(head[5:], "big")
    payload = error.to_bytes(4, "big")
    connection.sendall(frame(kind, stream_of(stream), payload if kind == 3 else bytes(4) + payload))
    time.sleep(0.2)


class ConnectProxy:
    """An HTTP proxy for CONNECT, which leads every host to 127.0.0.1."""

    def __init__(self, reply=b"HTTP/1.1 200 Connection established\r\n\r\n"):
        self.reply, self.hosts = reply, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        head = b""
        while b"\r\n\r\n" not in head:
            head += connection.recv(4096) or b"\r\n\r\n"
        host = head.split(b" ")[1].decode()
        self.hosts.append(host)
        connection.sendall(self.reply)
        if b" 200 " not in self.reply.split(b"\r\n")[0]:
            connection.close()
            return
        target = socket.create_connection(("127.0.0.1", int(host.rsplit(":", 1)[1])))
        pairs = {connection: target, target: connection}
        with connection, target:
            while True:
                for end in select.select(list(pairs), [], [])[0]:
                    try:
                        part = end.recv(65536)
                        if not part:
                            return
                        pairs[end].sendall(part)
                    except OSError:
                        return


class Authority:
    """A certificate authority, and contexts for servers."""

    def __init__(self, folder, host):
        self.certificate, self.key = f"{folder}/authority.pem", f"{folder}/authority.key"
        command = f"""openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN={host}
            -addext subjectAltName=DNS:{host},IP:127.0.0.1 -addext basicConstraints=critical,CA:TRUE
            -keyout {self.key} -out {self.certificate}"""
        subprocess.run(command.split(), check=True, capture_output=True)

    def context(self, wants_client=False):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.key)
        if wants_client:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(self.certificate)
        return context
