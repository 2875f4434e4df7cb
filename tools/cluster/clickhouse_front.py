"""Serves ClickHouse's HTTP interface in front of chdb, ClickHouse's engine as a library, in one process.

Real: the engine with its SQL, data types, MergeTree tables, merges, mutations and insert tokens; what it writes to the
folder. Not real: the HTTP edge, written here; users and passwords (accepted and ignored); sessions, the native
compression (`compress=1`), query ids, quotas and roles; replicated tables and Keeper, which this build doesn't have.
`DROP TABLE … SYNC` never returns; `DROP TABLE` does.

    clickhouse_front.py --path DIR [--host 127.0.0.1] [--port 8123] [--memory-limit 2147483648]

Requests, as in ClickHouse: `GET /ping`; `GET /?query=…` (read only); `POST /` with the query in `?query=` and data in
the body, or with the query in the body. Parameters: `query`, `database`, `default_format` (TabSeparated by default),
`param_NAME` for `{NAME:Type}`; every other parameter is a setting of this query. Bodies may be chunked, and compressed
with gzip or deflate. Connections are kept alive. Each request has a connection to the engine of its own, so that
settings and the current database end with it; queries run at the same time.

What survives SIGKILL. An insert that was answered 200 is in the folder. An insert that SIGKILL interrupts is absent or
complete if it becomes a single part: all rows in one partition, and one block. Send these settings, or the rows may be
split into several blocks:

    async_insert=0  max_insert_block_size=1000000  min_insert_block_size_rows=1000000  min_insert_block_size_bytes=0
    input_format_parallel_parsing=0  max_insert_threads=1

The engine records an insert token before it commits the part. After SIGKILL between the two, the token is known, the
rows are absent, and an insert with this token succeeds without effect. After a failed insert, count the rows, and
insert with a new token if they are missing. The same goes for rows deleted with `ALTER TABLE … DELETE`.

A power cut may lose acknowledged inserts, unless the table has `fsync_after_insert = 1, fsync_part_directory = 1`.
"""

import argparse
import http.server
import os
import re
import signal
import socket
import sys
import threading
import urllib.parse
import zlib
from pathlib import Path

from chdb.state.sqlitelike import Connection

# Bytes. A body is in memory as a whole, a few times.
MAXIMUM_BODY = 1 << 30
# Seconds that a connection may be silent.
IDLE_TIMEOUT = 300
# Seconds that SIGTERM waits for running queries.
DRAIN_TIMEOUT = 10

# Parameters of ClickHouse's HTTP interface that are no settings and have no effect here.
IGNORED = {
    "user", "password", "quota_key", "query_id", "role", "buffer_size", "wait_end_of_query", "send_progress_in_http_headers",
    "stacktrace", "client_protocol_version",
}
REFUSED = {"compress", "decompress", "session_id"}

# HTTP statuses of error names, as in ClickHouse's exceptionCodeToHTTPStatus; all others are 500.
STATUSES = {
    401: "REQUIRED_PASSWORD",
    403: "UNKNOWN_USER WRONG_PASSWORD AUTHENTICATION_FAILED SET_NON_GRANTED_ROLE ACCESS_DENIED",
    400: "BAD_ARGUMENTS CANNOT_COMPILE_REGEXP CANNOT_PARSE_TEXT CANNOT_PARSE_ESCAPE_SEQUENCE CANNOT_PARSE_QUOTED_STRING "
         "CANNOT_PARSE_DATE CANNOT_PARSE_DATETIME CANNOT_PARSE_NUMBER CANNOT_PARSE_DOMAIN_VALUE_FROM_STRING "
         "CANNOT_PARSE_IPV4 CANNOT_PARSE_IPV6 CANNOT_PARSE_INPUT_ASSERTION_FAILED CANNOT_PARSE_UUID DUPLICATE_COLUMN "
         "ILLEGAL_COLUMN UNKNOWN_ELEMENT_IN_AST UNKNOWN_TYPE_OF_AST_NODE THERE_IS_NO_COLUMN TOO_DEEP_AST TOO_BIG_AST "
         "UNEXPECTED_AST_STRUCTURE SYNTAX_ERROR INCORRECT_DATA TYPE_MISMATCH VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE",
    404: "UNKNOWN_TABLE UNKNOWN_FUNCTION UNKNOWN_IDENTIFIER UNKNOWN_TYPE UNKNOWN_STORAGE UNKNOWN_DATABASE "
         "UNKNOWN_SETTING UNKNOWN_DIRECTION_OF_SORTING UNKNOWN_AGGREGATE_FUNCTION UNKNOWN_FORMAT "
         "UNKNOWN_DATABASE_ENGINE UNKNOWN_TYPE_OF_QUERY UNKNOWN_ROLE",
    408: "TIMEOUT_EXCEEDED",
    411: "HTTP_LENGTH_REQUIRED",
    413: "QUERY_IS_TOO_LARGE",
    415: "UNSUPPORTED_MEDIA_TYPE",
    501: "NOT_IMPLEMENTED",
    503: "SOCKET_TIMEOUT CANNOT_OPEN_FILE CANNOT_SCHEDULE_TASK",
}
STATUS_OF_NAME = {name: status for status, names in STATUSES.items() for name in names.split()}


class QueryError(Exception):
    """An error as ClickHouse answers it: a number, a name, and a text that starts with `Code: N. DB::Exception: `."""

    def __init__(self, text):
        super().__init__(text)
        code = re.match(r"Code: (\d+)\.", text)
        names = re.findall(r"\(([A-Z][A-Z0-9_]+)\)", text)
        self.code = int(code[1]) if code else 1001
        self.status = STATUS_OF_NAME.get(names[-1] if names else "", 500)

    @classmethod
    def of_edge(cls, code, name, text):
        """An error of the HTTP edge itself."""
        return cls(f"Code: {code}. DB::Exception: {text}. ({name})")

    @classmethod
    def of_engine(cls, text):
        """An error of the engine, which repeats the prefix and the suffix once for each of its layers."""
        text = re.sub(r"^(Code: \d+\. DB::Exception: )+", lambda prefix: re.match(r"Code: \d+\. DB::Exception: ", prefix[0])[0], text)
        text = re.sub(r"(\s*\(version [^()]*\)\.?)", "", text)
        return cls(re.sub(r"(\([A-Z0-9_]+\))(\.? \1)+", r"\1", text).strip())


class Engine:
    """ClickHouse's engine on a folder.

    The caches and pools are sized for a machine with 2 cores: by default, they grow with the machine's memory.
    """

    def __init__(self, path, memory_limit):
        """Opens the folder; `memory_limit` is in bytes."""
        self.path = path
        options = {
            "max_server_memory_usage": memory_limit,
            "mark_cache_size": 64 << 20,
            "index_mark_cache_size": 16 << 20,
            "primary_index_cache_size": 64 << 20,
            "query_condition_cache_size": 16 << 20,
            "compiled_expression_cache_size": 16 << 20,
            "background_pool_size": 2,
            "max_parts_cleaning_thread_pool_size": 2,
            "max_outdated_parts_loading_thread_pool_size": 2,
            "max_active_parts_loading_thread_pool_size": 2,
            "max_thread_pool_size": 200,
            "max_thread_pool_free_size": 20,
        }
        # The engine runs as long as one connection is open.
        self.connection = Connection(f"{path}?{urllib.parse.urlencode(options)}")
        self.version = self.connection.query("SELECT version()", "TabSeparated").bytes().decode().strip()
        self.running, self.closed = 0, False
        self.changed = threading.Condition()

    def query(self, query, database, output, settings, parameters, read_only):
        """Runs a query of bytes; returns the result's bytes and the number of rows that the engine read or wrote."""
        with self.changed:
            if self.closed:
                raise QueryError.of_edge(236, "ABORTED", "The server is stopping")
            self.running += 1
        try:
            return self._query(query, database, output, settings, parameters, read_only)
        except RuntimeError as error:
            raise QueryError.of_engine(str(error)) from None
        finally:
            with self.changed:
                self.running -= 1
                self.changed.notify_all()

    def _query(self, query, database, output, settings, parameters, read_only):
        connection = Connection(self.path)
        try:
            if database:
                connection.query(f"USE {quoted(database, '`')}")
            for name, value in settings.items():
                connection.query(f"SET {quoted(name, '`')} = {quoted(value, chr(39))}")
            if read_only:
                connection.query("SET readonly = 2")
            result = connection.query(query, output, params=parameters)
            return result.bytes() or b"", result.storage_rows_read()
        finally:
            connection.close()

    def close(self):
        """Rejects new queries, waits for those that run, and closes the folder; returns whether all of them ended."""
        with self.changed:
            self.closed = True
            if not self.changed.wait_for(lambda: self.running == 0, DRAIN_TIMEOUT):
                return False
        self.connection.close()
        return True


def quoted(text, mark):
    escaped = text.replace("\\", "\\\\").replace(mark, "\\" + mark)
    return f"{mark}{escaped}{mark}"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = IDLE_TIMEOUT
    # Buffered, so that headers and body leave in one packet.
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        if url.path == "/ping":
            self.answer(200, b"Ok.\n")
        else:
            self.serve(url, b"", read_only=True)

    def do_POST(self):
        try:
            body = self.body()
        except QueryError as error:
            # The rest of the body is unread: the connection has no next request.
            self.close_connection = True
            self.fail(error)
        else:
            self.serve(urllib.parse.urlsplit(self.path), body, read_only=False)

    def serve(self, url, body, read_only):
        if url.path != "/":
            self.answer(404, f"There is no handle {url.path}\n\nUse / or /ping\n".encode())
            return
        try:
            parameters = dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True, errors="strict"))
            query = parameters.pop("query", "").encode()
            if query and body:
                query += b"\n"
            query += body
            del body
            database = parameters.pop("database", "") or self.headers.get("X-ClickHouse-Database", "")
            output = parameters.pop("default_format", "") or self.headers.get("X-ClickHouse-Format", "") or "TabSeparated"
            if output.lower() in ("dataframe", "arrowtable", "debug"):
                raise QueryError.of_edge(73, "UNKNOWN_FORMAT", f"Unknown format {output}")
            values = {name[6:]: parameters.pop(name) for name in list(parameters) if name.startswith("param_")}
            for name in REFUSED & parameters.keys():
                if parameters.pop(name) not in ("", "0"):
                    raise QueryError.of_edge(48, "NOT_IMPLEMENTED", f"The parameter {name} is not supported")
            settings = {name: value for name, value in parameters.items() if name not in IGNORED}
            if not query.strip():
                raise QueryError.of_edge(62, "SYNTAX_ERROR", "Empty query")
            result, rows = self.server.engine.query(query, database, output, settings, values, read_only)
        except QueryError as error:
            self.fail(error)
        except UnicodeDecodeError:
            self.fail(QueryError.of_edge(36, "BAD_ARGUMENTS", "The URL is not UTF-8"))
        else:
            written = query[:1000].lstrip()[:6].upper() == b"INSERT"
            summary = f'{{"read_rows":"{rows}","written_rows":"{rows if written else 0}"}}'
            self.answer(200, result, {"X-ClickHouse-Summary": summary, "X-ClickHouse-Server-Display-Name": "chdb"})

    def body(self):
        """The request's body, decompressed."""
        encoding = self.headers.get("Content-Encoding", "identity").lower()
        if encoding not in ("identity", "gzip", "deflate"):
            raise QueryError.of_edge(415, "UNSUPPORTED_MEDIA_TYPE", f"Unknown content encoding {encoding}; use gzip or deflate")
        expand = None if encoding == "identity" else zlib.decompressobj(31 if encoding == "gzip" else 15)
        parts, size = [], 0
        try:
            for part in self.pieces():
                if expand:
                    part = expand.decompress(part, MAXIMUM_BODY + 1 - size)
                size += len(part)
                if size > MAXIMUM_BODY:
                    raise QueryError.of_edge(594, "QUERY_IS_TOO_LARGE", f"The body has more than {MAXIMUM_BODY} bytes")
                parts.append(part)
        except zlib.error as error:
            raise QueryError.of_edge(354, "ZLIB_INFLATE_FAILED", f"Cannot decompress the body: {error}") from None
        if expand and not expand.eof:
            raise QueryError.of_edge(354, "ZLIB_INFLATE_FAILED", "The compressed body is cut off")
        return b"".join(parts)

    def pieces(self):
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            while size := self.number(self.rfile.readline(1000).split(b";")[0], 16):
                yield self.exactly(size)
                self.rfile.readline(1000)
            while self.rfile.readline(65_536).strip():
                pass
            return
        left = self.number(self.headers.get("Content-Length", "").encode(), 10)
        while left:
            part = self.exactly(min(left, 1 << 20))
            left -= len(part)
            yield part

    def number(self, text, base):
        if not re.fullmatch(rb"[0-9a-fA-F]+", text.strip()):
            raise QueryError.of_edge(381, "HTTP_LENGTH_REQUIRED", "The request has neither Content-Length nor valid chunks")
        return int(text, base)

    def exactly(self, size):
        data = self.rfile.read(size)
        if len(data) < size:
            raise ConnectionResetError("the client closed the connection within a body")
        return data

    def fail(self, error):
        text = f"{error} (version {self.server.engine.version} (chdb))\n"
        self.answer(error.status, text.encode(errors="replace"), {"X-ClickHouse-Exception-Code": str(error.code)})

    def answer(self, status, body, headers=None):
        self.send_response(status)
        for name, value in ({"Content-Type": "text/plain; charset=UTF-8"} | (headers or {})).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address, engine):
        if ":" in address[0]:
            self.address_family = socket.AF_INET6
        super().__init__(address, Handler)
        self.engine = engine

    def handle_error(self, request, client_address):
        # Clients may close connections at any time; everything else is a defect.
        if not isinstance(sys.exc_info()[1], (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


def main():
    parser = argparse.ArgumentParser(description="Serve ClickHouse's HTTP interface in front of chdb.")
    parser.add_argument("--path", required=True, type=Path, metavar="DIR", help="folder of the tables")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", default=8123, type=int, help="port to listen on; 0 lets the system choose")
    parser.add_argument("--memory-limit", default=2 << 30, type=int, metavar="BYTES", help="memory limit of the engine")
    options = parser.parse_args()

    options.path.mkdir(parents=True, exist_ok=True)
    try:
        engine = Engine(str(options.path.resolve()), options.memory_limit)
    except RuntimeError as error:
        sys.exit(f"clickhouse_front: cannot open {options.path}: {error}")
    try:
        server = Server((options.host, options.port), engine)
    except OSError as error:
        sys.exit(f"clickhouse_front: cannot listen on {options.host}:{options.port}: {error}; choose another --port")
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"clickhouse_front: listening on http://{options.host}:{server.server_port}", flush=True)
    stop.wait()
    server.shutdown()
    server.server_close()
    if not engine.close():
        print(f"clickhouse_front: queries still run after {DRAIN_TIMEOUT} s and are cut off", file=sys.stderr, flush=True)
        # The engine cannot be closed below a running query.
        os._exit(1)


if __name__ == "__main__":
    main()
