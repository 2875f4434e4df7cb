#!/usr/bin/env python3
"""Writes HTTP requests for `load`: batches of distinct events, gzipped, each preceded by its length as 4 little-endian bytes.

  make_requests.py --requests N --events N --key KEY --seed N --port N [--most-ratio N] OUT

Each install sends its batches in order of its numbers; installs take turns. Lines have 350 to 450 bytes. Prints a line of JSON:
requests, events, bytes of lines, and the ratio of gzip (the status is 1 if it is above --most-ratio, by default 6).
"""

import argparse
import gzip
import json
import random
import struct
import sys

WORDS = [
    "swift", "flux", "reactive", "parser", "compiler", "editor", "framework", "database", "server", "client", "network", "image",
    "layout", "animation", "testing", "logging", "metrics", "crypto", "music", "weather", "calendar", "notes", "maps", "camera",
]
INSTALLS = 200


def identifier(random_, version="4"):
    digits = f"{random_.getrandbits(128):032x}"
    return f"{digits[:8]}-{digits[8:12]}-{version}{digits[13:16]}-{'89ab'[int(digits[16], 16) % 4]}{digits[17:20]}-{digits[20:]}"


def event(random_):
    kind = random_.randrange(10)
    if kind < 4:
        words = " ".join(random_.choices(WORDS, k=3))
        return "search", {"name": "search", "value": {"query": f"{words} {random_.getrandbits(128):x}", "page": random_.randint(1, 40)}}
    if kind < 8:
        address = f"https://github.com/{random_.choice(WORDS)}-{random_.getrandbits(128):x}/{random_.choice(WORDS)}"
        return "page-view", {"name": "page-view", "value": {"page": "repository-detail", "additional": address}}
    information = {"release": f"{random_.randint(0, 20)}.{random_.randint(0, 9)}", "repository": random_.choice(WORDS)}
    return "notification", {
        "name": "notification",
        "value": {"identifier": f"release-{random_.getrandbits(128):x}", "user_info": information}}


def line(random_, install, seq, microseconds):
    name, body = event(random_)
    seconds = f"{microseconds // 1_000_000}.{microseconds % 1_000_000:06d}".rstrip("0").rstrip(".")
    return (
        f'{{"v":1,"id":"{identifier(random_, "7")}","install_id":"{install["id"]}","seq":{seq},"session_id":"{install["session"]}"'
        f',"user_id":"{install["user"]}","time":{seconds},"schema":"{name}/1-0-0"'
        f',"event":{json.dumps(body, separators=(",", ":"))}}}').encode()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--requests", type=int, required=True)
    parser.add_argument("--events", type=int, default=100)
    parser.add_argument("--key", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--most-ratio", type=float, default=6)
    parser.add_argument("out")
    arguments = parser.parse_args()
    random_ = random.Random(arguments.seed)
    installs = [
        {
            "id": identifier(random_).upper(), "user": identifier(random_).upper(), "session": identifier(random_).upper(),
            "secret": f"{random_.getrandbits(128):032x}", "seq": 0}
        for _ in range(min(INSTALLS, arguments.requests))]
    microseconds = 1_700_000_000_000_000
    plain = packed = events = 0
    with open(arguments.out, "wb") as out:
        for number in range(arguments.requests):
            install = installs[number % len(installs)]
            lines = []
            first = install["seq"] + 1
            for _ in range(arguments.events):
                install["seq"] += 1
                microseconds += random_.randint(1, 5_000)
                lines.append(line(random_, install, install["seq"], microseconds))
            identity = f"{random_.getrandbits(128):032x}"
            header = {"batch": {
                "id": identity, "install_id": install["id"], "secret": install["secret"], "first": first, "last": install["seq"]}}
            body = json.dumps(header, separators=(",", ":")).encode() + b"\n" + b"\n".join(lines) + b"\n"
            plain += sum(map(len, lines)) + len(lines)
            events += len(lines)
            encoding = ""
            if len(body) >= 1024:
                body = gzip.compress(body, 6, mtime=0)
                encoding = "Content-Encoding: gzip\r\n"
            packed += len(body)
            head = (
                f"POST /v1/events HTTP/1.1\r\nHost: 127.0.0.1:{arguments.port}\r\nAuthorization: Bearer {arguments.key}\r\n"
                f"Content-Type: application/x-ndjson\r\n{encoding}Idempotency-Key: \"{identity}\"\r\nTracking-Attempt: 1\r\n"
                f"Content-Length: {len(body)}\r\n\r\n").encode()
            request = head + body
            out.write(struct.pack("<I", len(request)) + request)
    ratio = plain / packed
    print(json.dumps({
        "requests": arguments.requests, "events": events, "bytes": plain, "bytes_an_event": round(plain / events, 1),
        "gzip_ratio": round(ratio, 2)}))
    sys.exit(0 if ratio <= arguments.most_ratio else 1)


if __name__ == "__main__":
    main()
