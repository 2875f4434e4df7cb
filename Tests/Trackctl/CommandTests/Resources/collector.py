#!/usr/bin/env python3
"""A small HTTP endpoint that takes batches of JSON lines and writes down each request before it answers.

    collector.py LOG [--script ANSWERS] [--limit EVENTS] [--refuse TEXT] [--delay SECONDS] [--bare]
        [--answer never|endless]

Prints its port, and for each request its answer and how many events it had. A line of LOG: {"at", "status", "key", "type", "encoding", "authorization", "tags", "events", "body"}.
--script gives the answers to the first requests, such as 503,429:1,302 (the number behind the colon is Retry-After);
--limit answers 413 to more events than that, --refuse 400 to a body that holds the text. --bare leaves out bodies.
--answer never sends a head byte by byte that has no end, --answer endless a head and a body that has none.
"""
import argparse
import gzip
import http.server
import json
import sys
import threading
import time


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("log")
    parser.add_argument("--script", default="")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--refuse")
    parser.add_argument("--delay", type=float, default=0)
    parser.add_argument("--bare", action="store_true")
    parser.add_argument("--answer", choices=["never", "endless"])
    options = parser.parse_args()
    script = [answer for answer in options.script.split(",") if answer]
    lock = threading.Lock()
    log = open(options.log, "a", encoding="utf-8")

    def answer(body, events):
        with lock:
            if script:
                status, _, wait = script.pop(0).partition(":")
                return int(status), wait
        if options.limit is not None and events > options.limit:
            return 413, ""
        if options.refuse is not None and options.refuse in body:
            return 400, ""
        return 200, ""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self):
            at = time.time()
            length = int(self.headers["Content-Length"])
            raw = self.rfile.read(length)
            if len(raw) < length:
                # The sender was killed in the middle of it.
                self.close_connection = True
                return
            encoding = self.headers.get("Content-Encoding")
            body = (gzip.decompress(raw) if encoding == "gzip" else raw).decode()
            events = body.count("\n")
            if options.delay:
                time.sleep(options.delay)
            status, wait = answer(body, events)
            record = {
                "at": at, "status": status, "key": self.headers.get("Idempotency-Key"),
                "type": self.headers.get("Content-Type"), "encoding": encoding,
                "authorization": self.headers.get("Authorization"), "tags": ",".join(self.headers.get_all("X-Tag", [])),
                "events": events,
                "body": None if options.bare else body,
            }
            with lock:
                log.write(json.dumps(record) + "\n")
                log.flush()
                # Before the answer: who waits for this line finds the request still under way.
                print(status, events, flush=True)
            if options.answer:
                self.close_connection = True
                self.go_on_for_ever()
                return
            self.send_response(status)
            if wait:
                self.send_header("Retry-After", wait)
            if status == 302:
                self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def go_on_for_ever(self):
            self.wfile.write(b"HTTP/1.1 200 OK\r\n")
            if options.answer == "endless":
                self.wfile.write(b"\r\n")
                while True:
                    self.wfile.write(bytes(1 << 16))
                    time.sleep(0.001)
            self.wfile.write(b"X-Slow: ")
            while True:
                self.wfile.write(b"a")
                time.sleep(0.02)

        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *arguments):
            pass

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request, address):
            # A sender that was killed leaves half a request behind.
            if not isinstance(sys.exc_info()[1], OSError):
                super().handle_error(request, address)

    server = Server(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
