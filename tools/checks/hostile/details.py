"""Cases of details that other processes can see: imports, the stream, keys, header fields, backups, patterns."""

import json
import os
import re
import signal
import subprocess
import time

from cases import accept, at_most, case, check, held
from client import LINES, UNLIMITED, Collector, Cost, Phone, answers, ask, batch, exchange, expect, fail, header, line, simultaneously


@case("an imported install")
def imported(collector):
    lines = [line("imported", seq) for seq in range(1, 11)]
    statuses = [collector.post("/v1/events", batch(*lines), LINES, key=collector.token)[0],  # an import
                collector.deliver(held("imported", 100, 100, secret="b" * 32))[0],
                collector.deliver(header("imported", 1, 11), *lines, line("imported", 11))[0]]
    if [statuses[0], statuses[2]] != [200, 200]:
        fail(f"an imported install is bound to a client without its lines: {statuses}")
    return f"import {statuses[0]}, another client {statuses[1]}, its client {statuses[2]}"


def admin_request(collector, call, body=""):
    head = f"{call} HTTP/1.1\r\nHost: 127.0.0.1:{collector.port}\r\nAuthorization: Bearer {collector.token}\r\n"
    return f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()


@case("carriage returns between the tokens of a line")
def carriage_returns(collector):
    text = json.dumps(line("returns", 1)).replace(', "event"', ',\r\r"event"')
    receipt = collector.deliver(header("returns", 1, 1), text.encode() + b"\n")[1]
    with collector.connect() as connection:
        connection.settimeout(3)
        connection.sendall(admin_request(collector, "GET /v1/stream"))
        statuses, received = answers(connection)
    content = received.split(b"\r\n\r\n", 1)[-1].replace(b"\r\n", b"")
    if not receipt.get("rejected") and b"returns" not in content:
        fail(f"the stream does not have the line: {received[:200]}")
    if b"\r" in content:
        fail("a line of the stream ends at a carriage return of the event")
    return f"{len(content)} bytes, {content.count(bytes([13]))} carriage returns"


@case("the first start without a terminal")
def first_start(collector):
    folder = f"{collector.folder}/first"
    process = subprocess.Popen([collector.program, "--data", folder, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = b""
    while b"listening" not in output and (part := process.stdout.readline()):
        output += part
    process.kill()
    process.wait()
    process.stdout.close()
    tokens = len(re.findall(rb"at_[0-9a-f]{16,}", output))
    at_most("admin tokens in the output of the first start", tokens, 0)
    return f"{tokens} admin tokens in its output"


@case("the admin token as a client's key")
def token_as_key(collector):
    body = json.dumps({"type": "track", "event": "x", "messageId": "m", "writeKey": collector.token})
    calls = [("GET", f"/key/{collector.token}/i?e=pv", None), ("POST", f"/key/{collector.token}/v1/track", body), ("POST", "/v1/track", body)]
    found = [ask(collector.client(), *call, {"Content-Type": "application/json"})[0] for call in calls]
    expect("the admin token in a URL or a body", found, {401, 403})
    return found


@case("an unfinished erasure in the log", *UNLIMITED, "--log-level", "debug")
def logged_users(collector):
    user = "erased-user-4711"
    folder = f"{collector.data}/erasures"
    accept("an event", collector, header("erased", 1, 1), line("erased", 1, user_id=user))
    os.kill(collector.process.pid, signal.SIGSTOP)
    with collector.connect() as connection:
        connection.sendall(admin_request(collector, "POST /v1/erasures", json.dumps({"user_id": user})))
        os.kill(collector.process.pid, signal.SIGCONT)
        deadline = time.monotonic() + 5
        while not (os.path.isdir(folder) and os.listdir(folder)) and time.monotonic() < deadline:
            pass
        collector.process.kill()
    collector.process.wait()
    unfinished = len(os.listdir(folder)) if os.path.isdir(folder) else 0
    collector.process = Collector(collector.folder, [*UNLIMITED, "--log-level", "debug"]).process
    time.sleep(1)
    with open(f"{collector.folder}/log", errors="replace") as log:
        found = log.read().count(user)
    at_most("user ids in the log", found, 0)
    return f"{unfinished} unfinished erasures, {found} user ids in the log"


@case("host fields and Expect")
def request_fields(collector):
    found = {}
    for name, fields, status in [("no", "", 400), ("two", "Host: a\r\nHost: b\r\n", 400), ("one", "Host: a\r\n", 200)]:
        found[name] = exchange(collector, f"GET /healthz HTTP/1.1\r\n{fields}Connection: close\r\n\r\n".encode())[0]
        expect(f"{name} Host", found[name], {status})
    phone = Phone("expect")
    first = phone.request(collector.key, phone.body(500), close=False)
    found["expect"] = exchange(collector, first + phone.request(collector.key, fields=["Expect: 100-continue"]))[0]
    if found["expect"] not in ([200, 100, 200], [200, 200]):
        fail(f"100 Continue is sent before the response to the earlier request: {found['expect']}")
    return found


@case("a failed backup", *UNLIMITED, "--backups", "FOLDER/backups")
def failed_backup(collector):
    os.mkdir(f"{collector.folder}/backups")
    os.symlink("/nonexistent/folder", f"{collector.folder}/backups/night")
    status, problem = collector.post("/v1/backups", {"name": "night"}, key=collector.token)
    if "cannot store events" in str(problem):
        fail(f"a failed backup is reported as a failed store: {problem}")
    found = [collector.get("/readyz")[0], collector.deliver(Phone("b").body())[0]]
    expect("the collector after a failed backup", found, {200})
    return f"{status} {problem.get('detail') if isinstance(problem, dict) else problem}; then {found}"


@case("a schema with a pattern that backtracks", *UNLIMITED, "--schemas", "FOLDER/schemas")
def backtracking(collector):
    lines = [line("pattern", seq, "slow", {"text": "a" * 60 + "!"}) for seq in range(1, 301)]
    with Cost(collector) as cost:
        status, receipt = collector.deliver(header("pattern", 1, 300), *lines)
    expect("lines that backtrack", [status], {200, 413})
    return f"{status}, {len(receipt.get('rejected', []))} rejected, {check('300 lines that backtrack', cost, 100)}"


@case("keys that are added simultaneously")
def simultaneous_keys(collector):
    keys = []
    simultaneously([lambda: keys.append(collector.add_key("parallel")) for _ in range(12)])
    kept = collector.keys("list").count("  parallel  ")
    at_most("keys that are lost", len(keys) - kept, 0)
    return f"{kept} of {len(keys)} keys are listed"
