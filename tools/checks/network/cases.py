"""The cases: each has its own network, and is named after the error."""

import email.utils
import gzip
import inspect
import itertools
import os
import queue
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "hostile"))

from client import UNLIMITED, Collector
from lab import ROOT, Authority, Clock, ConnectProxy, Front, Sender, answer, case, expect, failures, forward, go_away, note, refuse_stream, together

HOUR = 3600
DAY = 24 * HOUR
YEAR = 365 * DAY
PAGE = [("Content-Type", "text/html")]
HOST = "collector.test"


class Lab:
    """A collector, and folders for logs."""

    def __init__(self, is_short=False):
        self.is_short = is_short
        self.folder = tempfile.mkdtemp()
        self.collector = Collector(self.folder, UNLIMITED)
        self.clock = Clock(self.folder)
        self.count = 0

    def log(self):
        self.count += 1
        path = f"{self.folder}/log{self.count}"
        os.mkdir(path)
        return path

    def sender(self, url, log=None, **options):
        return Sender(log or self.log(), url, self.collector.key, **options)

    def front(self, script=(), **options):
        return Front(self.collector, script, **options)

    def run(self, *command):
        """The output of a command; `trackctl` is ours."""
        program = f"{ROOT}/.build/debug/trackctl" if command[0] == "trackctl" else command[0]
        environment = {**os.environ, "TRACKING_COLLECTOR_TOKEN": self.collector.token}
        return subprocess.run([program, *command[1:]], capture_output=True, text=True, env=environment).stdout

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.collector.port}"

    def stored(self):
        """How many lines the collector has."""
        return self.run("trackctl", "dump", self.origin).count("\n")

    def reconcile(self, log):
        return self.run("trackctl", "reconcile", f"{log}/events.sqlite", "--collector", self.origin)

    def end(self):
        self.collector.end()
        shutil.rmtree(self.folder, ignore_errors=True)


class Denial:
    """An action of a front: a person denies consent before the answer is sent."""

    def __init__(self, reply):
        self.reply, self.app, self.is_done = reply, None, threading.Event()

    def __call__(self, front, request):
        self.app.do("deny")
        self.is_done.set()
        return self.reply(front, request)

    def wait(self):
        expect(self.is_done.wait(20), "no request arrived")
        time.sleep(1.5)


def consent_and_answers(lab):
    """1 an opt-out before a 307, 308 or 415, in this process and in another"""
    def attempt(status, other):
        denial = Denial(answer(status, [("Location", "/v1/events")]))
        front = lab.front([denial])
        log = lab.log()
        app = lab.sender(front.url(), log)
        denial.app = lab.sender(front.url(), log) if other else app
        app.do("send", 20, 100)
        app.do("begin")
        denial.wait()
        carrying = [request for request in front.requests if request.events > 0]
        expect(len(carrying) == 1, f"{status}, other process: {other}: {len(carrying)} requests carried the events")
        app.kill()
        denial.app.kill()
        front.stop()

    together(attempt, itertools.product((307, 308, 415), (False, True)))


def consent_and_uploads(lab):
    """1 an opt-out during a slow upload: reset within 250 ms, within 1 s from another process"""
    # A busy machine is slower; the whole upload needs 7 s.
    for other, limit in ((False, 2 if lab.is_short else 0.25), (True, 4 if lab.is_short else 1)):
        front = lab.front(rate=40_000)
        log = lab.log()
        app = lab.sender(front.url(), log)
        asker = lab.sender(front.url(), log) if other else app
        app.do("send", 30, 16_000)
        app.do("begin")
        front.arrival.wait(20)
        time.sleep(0.3)
        denied_at = asker.do("deny")["at"]
        try:
            how, at, count = front.ends.get(timeout=15)
        except queue.Empty:
            how, at, count = "finished", time.monotonic(), len(front.requests[0].body)
        note(f"other process: {other}: {how} {1000 * (at - denied_at):.0f} ms after the return, {count} bytes had arrived")
        expect(how == "ConnectionResetError" and at - denied_at <= limit, f"the upload was not reset in {limit} s: {how}")
        time.sleep(0.3)
        expect(not any(request.events for request in front.requests[1:]), "it was sent again")
        app.kill()
        asker.kill()
        front.stop()


def consent_and_receipts(lab):
    """1 an opt-out before the receipt: stored, denied later"""
    denial = Denial(forward())
    front = lab.front([denial])
    log = lab.log()
    app = denial.app = lab.sender(front.url(), log)
    before = lab.stored()
    app.do("send", 20, 100)
    app.do("begin")
    denial.wait()
    app.do("flush")
    expect(app.acknowledged() >= 20, "the receipt did not count")
    app.close()
    expect(lab.stored() - before == 20, f"{lab.stored() - before} events are stored, not 20")
    text = lab.reconcile(log)
    expect("stored, denied later: 1–20" in text and "nothing is lost" in text, f"reconcile: {text}")
    front.stop()


def clock_set_back(lab):
    """2 the clock is two days ahead at a 503, then right; and set back by 2 minutes"""
    def attempt(ahead, fields):
        log = lab.log()
        clock = Clock(log)
        clock.step(ahead)
        front = lab.front([answer(503, fields)])
        app = lab.sender(front.url(), log, clock=clock, interval=0.5)
        app.do("send", 5, 100)
        front.arrival.wait(10)
        time.sleep(0.3)
        clock.step(-ahead)
        if fields:
            app.kill()
            app = lab.sender(front.url(), log, clock=clock, interval=0.5)
        began = time.monotonic()
        delivered = app.delivers(20)
        expect(delivered, f"a step of {-ahead} s after a 503 with {fields}: nothing is delivered in 20 s")
        if fields and delivered:
            expect(time.monotonic() - began > 1, "the server's wait was ignored")
        app.kill()
        front.stop()

    waits = [("Retry-After", "3")]
    together(attempt, [(2 * DAY, []), (2 * DAY, waits), (120, []), (-20 * YEAR, []), (20 * YEAR, []), (20 * YEAR, waits)])


def retry_after_proxy(lab):
    """3 a proxy's CONNECT reply, and interim responses, have their own fields"""
    with tempfile.TemporaryDirectory() as folder:
        authority = Authority(folder, HOST)
        proxy = ConnectProxy(b"HTTP/1.1 200 Connection established\r\nRetry-After: 900\r\nLocation: https://other.test/\r\n\r\n")
        script = [
            answer(503, [("Retry-After", "2")]), answer(307, [("Location", "/v1/events?again")]), forward(),
            answer(429, [("Retry-After", "1")], interim=b"HTTP/1.1 103 Early Hints\r\nRetry-After: 800\r\n\r\n"),
        ]
        front = lab.front(script, context=authority.context())
        app = lab.sender(
            front.url(scheme="https", host=HOST), environment={"https_proxy": proxy.url, "SSL_CERT_FILE": authority.certificate},
            interval=0.3)
        began = time.monotonic()
        app.do("send", 5, 100)
        expect(app.delivers(30), f"not delivered: {app.diagnostics}")
        expect(time.monotonic() - began >= 2, f"the server's wait of 2 s was ignored: {time.monotonic() - began:.1f} s")
        expect([r.path for r in front.requests[:3]] == ["/v1/events", "/v1/events", "/v1/events?again"], "the 307 was not followed")
        app.do("send", 1, 100)
        expect(app.delivers(30), f"not delivered after an interim response: {app.diagnostics}")
        app.kill()
        front.stop()


def slow_link(lab, rate=10_000, deadline=3, count=40, size=1600):
    """4 a slow uplink: batches shrink, and everything arrives"""
    front = lab.front(rate=rate)
    log = lab.log()
    app = lab.sender(front.url(), log, interval=0.2, deadline=deadline)
    app.do("send", count, size)
    needed = count * size / (rate or 4_000)
    began = time.monotonic()
    time.sleep(deadline * 2)
    app.kill()  # the learned size survives
    app = lab.sender(front.url(), log, interval=0.2, deadline=deadline)
    delivered = app.delivers(10 * needed + 20 * deadline)
    sizes = [len(request.body) for request in front.requests]
    note(f"{count * size} bytes of text at {rate or 'its'} B/s: {time.monotonic() - began:.1f} s; bodies {sizes}")
    expect(delivered, f"{app.acknowledged()} of {count} events arrived")
    app.kill()
    front.stop()


def slow_link_1kb(lab):
    """4 an uplink of 1 KB/s (long)"""
    slow_link(lab, rate=1_000, deadline=20, count=20, size=1600)


def proxies_and_certificates(lab):
    """5 loopback without the proxy; 407, a client's certificate and an authority of one's own"""
    with tempfile.TemporaryDirectory() as folder:
        authority = Authority(folder, HOST)
        trusted = {"SSL_CERT_FILE": authority.certificate}
        front = lab.front(context=authority.context())
        loopback = front.url(scheme="https")

        def attempt(url, environment, **setup):
            app = lab.sender(url, environment=environment, **setup)
            app.do("send", 1, 10)
            app.do("flush")
            result = app.acknowledged(), " ".join(app.diagnostics)
            app.kill()
            return result

        dead = {"https_proxy": "http://127.0.0.1:9"}
        result = attempt(loopback, trusted | dead)
        expect(result[0] == 1, f"loopback, a dead proxy: {result}")
        result = attempt(loopback, {})
        expect(result[0] == 0 and "certificate" in result[1], f"an unknown authority: {result}")
        os.mkdir(f"{folder}/certificates")
        shutil.copy(authority.certificate, f"{folder}/certificates/one.pem")
        lab.run("openssl", "rehash", f"{folder}/certificates")
        result = attempt(loopback, {"SSL_CERT_DIR": f"{folder}/certificates"})
        expect(result[0] == 1, f"SSL_CERT_DIR: {result}")
        result = attempt(loopback, {}, certificates=authority.certificate)
        expect(result[0] == 1, f"the option: {result}")
        proxy = ConnectProxy(b"HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n")
        result = attempt(front.url(scheme="https", host=HOST), trusted | {"https_proxy": proxy.url})
        expect("407" in result[1] and "https_proxy" in result[1], f"407: {result}")
        asking = lab.front(context=authority.context(wants_client=True))
        result = attempt(asking.url(scheme="https"), trusted)
        expect("certificate of the client" in result[1], f"a client's certificate: {result}")
        front.stop()
        asking.stop()


def bad_deploys(lab):
    """6 a firewall's 403, and 404 for a while: delivery continues by itself, with one event, after an hour"""
    front = lab.front([answer(403, PAGE, b"<html>Access denied</html>")] * 2)
    app = lab.sender(front.url(), interval=0.3)
    app.do("send", 3, 100)
    expect(app.delivers(40), f"a firewall's page: {app.diagnostics}")
    app.kill()
    front.stop()
    front = lab.front([answer(404, PAGE, b"<html>Not found</html>")] * 6)
    log = lab.log()
    app = lab.sender(front.url(), log, clock=lab.clock)
    app.do("send", 3, 100)
    for _ in range(7):
        app.do("flush")
    expect(len(front.requests) == 5, f"{len(front.requests)} requests before the halt, not 5")
    app.kill()
    app = lab.sender(front.url(), log, clock=lab.clock)
    app.do("flush")
    expect(len(front.requests) == 5, "a start asked again within the hour")
    lab.clock.advance(HOUR + 1)
    app.do("flush")
    lab.clock.advance(HOUR + 1)
    app.do("flush")
    expect(app.acknowledged() == 3, f"not delivered: {app.diagnostics}")
    expect(front.requests[5].events == 1, "the first try after the halt was not a single event")
    halts = sum("halted" in text.lower() for text in app.diagnostics)
    expect(halts <= 1, f"the halt was reported {halts} times")
    app.kill()
    front.stop()


def damaged_bodies(lab):
    """7 a flipped byte, a body encoded again, a receipt with gzip, a response over the limits"""
    def flip(body):
        return body[:-9] + bytes([body[-9] ^ 1]) + body[-8:]

    script = [forward(flip)] * 5
    front = lab.front(script)
    app = lab.sender(front.url())
    app.do("send", 40, 100)
    for _ in range(6):
        app.do("flush")
    expect(app.acknowledged() == 40, f"flipped bytes: {app.diagnostics}")
    expect("content-encoding" not in front.requests[-1].fields, "the last attempt was compressed")
    app.kill()
    front.stop()
    many = [(f"X-{number}", "x") for number in range(300)]
    front = lab.front([answer(200, [], b" " * (2 << 20)), answer(200, many), forward(encode=gzip.compress)])
    app = lab.sender(front.url())
    app.do("send", 40, 100)
    for _ in range(3):
        app.do("flush")
    expect(app.acknowledged() == 40, f"a receipt with gzip: {app.diagnostics}")
    expect(len(front.requests) == 3, f"{len(front.requests)} requests, not 3: the batch was halved")
    app.kill()
    front.stop()


def dates(lab):
    """8 Retry-After with a date, without Date, the clock two days behind"""
    lab.clock.step(-2 * DAY)
    soon = email.utils.formatdate(time.time() + 20, usegmt=True)
    front = lab.front([answer(503, [("Retry-After", soon)])])
    app = lab.sender(front.url(), clock=lab.clock)
    app.do("send", 1, 100)
    app.do("flush")
    lab.clock.advance(1000)
    app.do("flush")
    expect(app.acknowledged() == 1, "nothing is delivered after 15 minutes")
    app.kill()
    front.stop()
    lab.clock.step(2 * DAY)


def captive_portal(lab):
    """+ a portal that answers 200 with a page, and a collector that ends in the middle of a receipt"""
    def half(front, request):
        whole = forward()(front, request)
        front.cut = True
        return whole[: len(whole) // 2]

    front = lab.front([answer(200, PAGE, b"<html>Welcome</html>"), half])
    app = lab.sender(front.url(), timeout=2)
    before = lab.stored()
    app.do("send", 5, 100)
    for _ in range(3):
        app.do("flush")
    expect(app.acknowledged() == 5, f"not delivered: {app.diagnostics}")
    expect(lab.stored() - before == 5, f"{lab.stored() - before} events are stored, not 5")
    app.kill()
    front.stop()


def http2(lab):
    """+ HTTP/2: a stream that is reset, and GOAWAY"""
    with tempfile.TemporaryDirectory() as folder:
        authority = Authority(folder, HOST)
        context = authority.context()
        context.set_alpn_protocols(["h2", "http/1.1"])
        seen = []

        def then(greeting):
            def act(connection):
                seen.append(greeting.__name__)
                # From now on only HTTP/1.1.
                if len(seen) == 2:
                    context.set_alpn_protocols(["http/1.1"])
                greeting(connection)
            return act

        front = lab.front(context=context, greetings=[then(refuse_stream), then(go_away)])
        app = lab.sender(front.url(scheme="https"), environment={"SSL_CERT_FILE": authority.certificate}, timeout=5)
        before = lab.stored()
        app.do("send", 5, 100)
        for _ in range(4):
            app.do("flush")
        expect(seen == ["refuse_stream", "go_away"], f"{seen}, {app.diagnostics}")
        expect(app.acknowledged() == 5 and lab.stored() - before == 5, f"not delivered once: {app.diagnostics}")
        app.kill()
        front.stop()


def names(lab):
    """+ a resolver that hangs, and a name whose IPv6 address leads nowhere"""
    with tempfile.TemporaryDirectory() as folder:
        authority = Authority(folder, HOST)
        front = lab.front(context=authority.context())
        hosts, servers = f"{folder}/hosts", f"{folder}/resolv.conf"
        with open(hosts, "w") as file:
            file.write(f"127.0.0.1 localhost\n2001:db8::1 {HOST}\n127.0.0.1 {HOST}\n")
        with open(servers, "w") as file:
            file.write("nameserver 127.0.0.1\noptions timeout:30\n")
        mounts = [f"mount --bind {hosts} /etc/hosts", f"mount --bind {servers} /etc/resolv.conf"]
        wrapper = f"{folder}/sender"
        with open(wrapper, "w") as file:
            file.write(f"#!/bin/sh\nexec unshare --mount sh -c '{' && '.join(mounts)} && exec \"$0\" \"$@\"' {Sender.program} \"$@\"\n")
        os.chmod(wrapper, 0o755)
        if os.geteuid() != 0:
            return note("needs root: not run")
        resolver = socket.socket(type=socket.SOCK_DGRAM)  # never answers
        resolver.bind(("127.0.0.1", 53))
        trusted = {"SSL_CERT_FILE": authority.certificate}
        app = lab.sender(front.url(scheme="https", host=HOST), environment=trusted, program=wrapper)
        app.do("send", 5, 100)
        app.do("flush")
        expect(app.acknowledged() == 5, f"a broken IPv6 address: {app.diagnostics}")
        app.kill()
        app = lab.sender("https://unknown.example/v1/events", environment=trusted, program=wrapper, timeout=2, deadline=30)
        app.do("send", 5, 100)
        began = time.monotonic()
        app.do("flush")
        expect(2 <= time.monotonic() - began < 20, f"a resolver that hangs: {time.monotonic() - began:.1f} s")
        expect(len(app.diagnostics) == 1, f"{app.diagnostics}")
        app.kill()
        front.stop()


def limited_link(lab):
    """4 a link of 64 kbit/s, by tc tbf in a network namespace (long)"""
    command = f"""ip link set lo up mtu 1500 && tc qdisc add dev lo root tbf rate 64kbit burst 3000 limit 200000 &&
        exec {sys.executable} {os.path.dirname(__file__)}/run --only '(inside)' --sender {Sender.program} --collector {Collector.program}"""
    result = subprocess.run(["unshare", "--net", "sh", "-c", command], capture_output=True, text=True)
    for line in result.stdout.splitlines()[1:-2]:
        note(line)
    expect(result.returncode == 0, result.stdout + result.stderr)


def inside_limited_link(lab):
    """4 (inside) the link"""
    slow_link(lab, rate=None, deadline=6, count=60, size=1600)


ALL = [
    consent_and_answers, consent_and_uploads, consent_and_receipts, clock_set_back, retry_after_proxy, slow_link, slow_link_1kb,
    proxies_and_certificates, bad_deploys, damaged_bodies, dates, captive_portal, http2, names,
    limited_link, inside_limited_link,
]


def run(only, is_short):
    def perform(function, name):
        case.lines = [f"  {name}"]
        began = time.monotonic()
        lab = Lab(is_short)
        try:
            function(lab)
        except Exception as error:
            expect(False, f"{type(error).__name__}: {error}")
        lab.end()
        verdict = "WRONG" if any("WRONG" in line for line in case.lines) else "ok"
        note(f"{verdict}, {time.monotonic() - began:.1f} s")
        print("\n".join(case.lines), flush=True)

    named = [(function, inspect.getdoc(function)) for function in ALL]
    # They mostly wait.
    together(perform, [
        (function, name) for function, name in named
        if only in name and not (is_short and "(long)" in name) and ("(inside)" not in name or only == "(inside)")
    ], workers=4)
