"""Runs the queries in sql/ with ClickHouse, DuckDB and Spark, and returns rows that can be compared.

An engine has `name`, `run(query, **parameters)` and `close()`. A row is a dict of column names to int, bool, text or None: dates
are `2015-01-01`, times `2015-01-01 00:00:00.000000`. Engines raise EngineError with the engine's message.
"""

import datetime
import decimal
import http.client
import json
import pathlib
import urllib.parse
import warnings

SQL = pathlib.Path(__file__).resolve().parent / "sql"
QUERIES = ["events_per_name", "sessions", "funnel", "retention", "active_users", "rolling_users", "plan_coverage", "completeness",
           "range_hashes"]
EVENT_COLUMNS = ("install_id STRING, seq BIGINT, fork STRING, id STRING, event STRING, schema STRING, user_id STRING, "
                 "session_id STRING, time TIMESTAMP_NTZ, corrected_time TIMESTAMP_NTZ, received_at TIMESTAMP_NTZ, context STRING, "
                 "properties STRING, validated BOOLEAN, collector STRING, batch STRING, block STRING, line STRING")
NUMBER_COLUMNS = ("install_id STRING, first BIGINT, last BIGINT, fate STRING, reason STRING, received_at TIMESTAMP_NTZ, "
                  "collector STRING, batch STRING, block STRING")


class EngineError(Exception):
    """A query failed; the text is the engine's message."""


def query_text(dialect, query, sql=SQL):
    """The statement of a file in sql/, without its semicolon."""
    return (pathlib.Path(sql) / dialect / f"{query}.sql").read_text(encoding="utf-8").rstrip().removesuffix(";")


def comparable(value):
    """A value of any engine as int, bool, text or None."""
    if isinstance(value, datetime.datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S.%f")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, (decimal.Decimal, float)) and value == int(value):
        return int(value)
    return value


def rows_of(columns, values):
    return [dict(zip(columns, map(comparable, row))) for row in values]


def clickhouse_text(value):
    """A parameter as ClickHouse parses it: strings in an array are quoted, other texts are escaped as in TSV."""
    escaped = lambda text: str(text).replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")
    if isinstance(value, (list, tuple)):
        return "[" + ",".join("'" + escaped(text).replace("'", "\\'") + "'" for text in value) + "]"
    return escaped(value)


def clickhouse_rows(answer):
    """The rows of an answer in the format JSONCompact."""
    if not answer.strip():
        return []
    document = json.loads(answer)
    types = [column["type"] for column in document["meta"]]
    rows = ([int(value) if "Int" in kind and isinstance(value, str) else value for kind, value in zip(types, row)]
            for row in document["data"])
    return rows_of([column["name"] for column in document["meta"]], rows)


class ClickHouse:
    """A ClickHouse server.

    url: such as `http://127.0.0.1:8123`; the database is `tracking` unless the URL ends with `?database=NAME`.
    """

    name = "ClickHouse"

    def __init__(self, url, sql=SQL):
        self.url = urllib.parse.urlsplit(url)
        self.options = {"database": "tracking", **dict(urllib.parse.parse_qsl(self.url.query))}
        self.sql = sql

    def run(self, query, **parameters):
        return clickhouse_rows(self.send(query_text("clickhouse", query, self.sql) + "\nFORMAT JSONCompact", **parameters))

    def send(self, statement, **parameters):
        """The body of the answer to a statement."""
        options = {**self.options, **{f"param_{name}": clickhouse_text(value) for name, value in parameters.items()}}
        kind = http.client.HTTPSConnection if self.url.scheme == "https" else http.client.HTTPConnection
        connection = kind(self.url.hostname, self.url.port, timeout=600)
        try:
            connection.request("POST", f"{self.url.path or '/'}?{urllib.parse.urlencode(options)}", statement.encode())
            response = connection.getresponse()
            body = response.read().decode()
        except OSError as error:
            raise EngineError(f"cannot reach ClickHouse at {self.url.netloc}: {error}") from error
        finally:
            connection.close()
        if response.status != 200:
            raise EngineError(body.strip())
        return body

    def close(self):
        """Connections are closed after each query."""


class ClickHouseInProcess:
    """ClickHouse in this process (chdb), in memory, with an empty database `tracking`. A process can have only one."""

    name = "ClickHouse"

    def __init__(self, sql=SQL):
        from chdb import session
        self.session = session.Session()
        self.sql = sql
        self.send("CREATE DATABASE tracking")
        self.send("USE tracking")

    def run(self, query, **parameters):
        return clickhouse_rows(self.send(query_text("clickhouse", query, self.sql), **parameters))

    def send(self, statement, **parameters):
        """The answer to a statement in the format JSONCompact."""
        texts = {name: clickhouse_text(value) for name, value in parameters.items()}
        try:
            return str(self.session.query(statement, "JSONCompact", params=texts))
        except RuntimeError as error:
            raise EngineError(str(error)) from error

    def close(self):
        self.session.close()


class DuckDB:
    """DuckDB over a folder of the loader."""

    name = "DuckDB"

    def __init__(self, folder, sql=SQL):
        import duckdb
        self.failure = duckdb.Error
        self.connection = duckdb.connect()
        self.connection.execute("SET VARIABLE folder = $folder", {"folder": str(folder)})
        self.connection.execute(query_text("duckdb", "views", sql))
        self.sql = sql

    def run(self, query, **parameters):
        return self.send(query_text("duckdb", query, self.sql), **parameters)

    def send(self, statement, **parameters):
        try:
            answer = self.connection.execute(statement, parameters)
            return rows_of([column[0] for column in answer.description], answer.fetchall())
        except self.failure as error:
            raise EngineError(str(error)) from error

    def close(self):
        self.connection.close()


class Spark:
    """Spark over a folder of the loader, on all processors of this machine."""

    name = "Spark"

    def __init__(self, folder, sql=SQL):
        # Of a newer pandas, which Spark imports and these queries don't use.
        warnings.filterwarnings("ignore", category=FutureWarning, module="pyspark")
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession, functions
        self.failure, self.functions = PySparkException, functions
        self.session = (
            SparkSession.builder.master("local[*]").appName("warehouse")
            .config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
            .config("spark.driver.extraJavaOptions", f"-Dlog4j2.configurationFile=file:{SQL.parent / 'log4j2.properties'}")
            .config("spark.sql.session.timeZone", "UTC").config("spark.sql.shuffle.partitions", "4").getOrCreate())
        spark_views(self.session, folder)
        self.sql = sql

    def run(self, query, **parameters):
        functions = self.functions
        arguments = {name: functions.array(*map(functions.lit, value)) if isinstance(value, (list, tuple)) else value
                     for name, value in parameters.items()}
        try:
            answer = self.session.sql(query_text("spark", query, self.sql), arguments)
            return rows_of(answer.columns, answer.collect())
        except self.failure as error:
            raise EngineError(str(error)) from error

    def close(self):
        self.session.stop()


def spark_views(session, folder):
    """Creates the temporary views `events` and `numbers` of a folder of the loader in a SparkSession.

    The files are listed once, as in sql/duckdb/views.sql: call this again to see new files, and if a query fails because a file
    no longer exists. A row that doesn't match the columns fails the query.
    """
    folder = pathlib.Path(folder).resolve()
    _spark_view(session, "events", sorted(folder.glob("events/*/*/*")), EVENT_COLUMNS)
    _spark_view(session, "numbers", sorted(folder.glob("numbers/*/*")), NUMBER_COLUMNS)


def _spark_view(session, name, files, columns):
    lines = [str(file) for file in files if file.name.endswith(".jsonl.zst")]
    parquet = [str(file) for file in files if file.name.endswith(".parquet")]
    typed = [f"CAST({column.split()[0]} AS {column.split()[1]}) AS {column.split()[0]}" for column in columns.split(", ")]
    nothing = [f"CAST(NULL AS {column.split()[1]}) AS {column.split()[0]}" for column in columns.split(", ")]
    view = session.range(0).selectExpr(*nothing)
    if lines:
        view = view.union(session.read.schema(columns).option("mode", "FAILFAST").json(lines))
    if parquet:
        view = view.union(session.read.parquet(*parquet).selectExpr(*typed))
    view.createOrReplaceTempView(name)
