#!/usr/bin/env python3
"""Kills compaction at random moments and at every system call that changes files, next to a loader and a reader.

  tools/warehouse/check_compaction.py [--short] [--kills N] [--seed N] [--self-test]

A loader process adds blocks to three hours of events and two days of numbers; sometimes it stops between a block's files and its
manifest, and writes the block again. A reader process lists each table's folders once and reads all files. Every complete block must be
there, each of its rows once, and each range of numbers with its fate and its reason. In half of the
rounds, the loader doesn't use `.files.lock`: a block that has just been written can then be out of sight for a moment, but never
twice, and nothing is lost. At the end, all blocks are compared with their manifests.

Files that differ from their manifest must stay, and a listing that began before an exchange must be complete.

A reader may only use a listing that it finished within the grace period, so slower ones are not judged. A round goes on until it has
enough kills, compactions, blocks and listings to show something, for at most 15 minutes.

If the check fails, it prints the seed and keeps its folder, with the problems and all its output in `output.txt`.

--self-test breaks compaction in several ways and fails if the check does not notice; it also fails if a slow loader or a slow reader
is taken for an error of compaction.
Exit codes: 0 passed; 1 an event was missing, duplicated or changed.
"""

import argparse
import collections
import contextlib
import fcntl
import functools
import glob
import io
import itertools
import json
import multiprocessing
import os
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback

import duckdb
import zstandard

import compaction
import fixture
import folder as layout

START = 1_420_070_400_000_000
HOUR = 3_600_000_000
# Calls that change files, and calls at which a kill leaves the same contents as at the next call of the first kind.
CALLS = ["mkdir", "rename", "link", "unlink", "rmdir"]
CALLS_WITHOUT_CHANGE = ["fsync", "chmod", "chown"]
NUMBERS = ["first", "last", "fate", "reason"]
GRACE = 0.02
# Kills at random moments, of the complete and of the short form.
KILLS, SHORT_KILLS = 100, 4
# What a round of random kills needs in addition to its kills, and how many seconds it may take.
ENOUGH = {"compactions": 3, "blocks": 10, "listings": 10}
TIME_LIMIT = 900
# The file that gets all output, if there is one.
output = None


def say(text):
    print(text, flush=True)
    if output:
        with open(output, "a") as file:
            file.write(f"{text}\n")


@functools.cache
def connection():
    """The connection that a process reads folders with. Only for processes that don't fork; nothing of a file is kept in memory."""
    found = duckdb.connect()
    found.execute("SET enable_external_file_cache = false")
    return found


def line(install, seq):
    return (f'{{"v":1,"id":"{install}-{seq}","install_id":"{install}","seq":{seq},"session_id":"s","user_id":"u {seq % 7} \\"é😀",'
            f'"time":{1420070400 + seq}.25,"schema":"search/1-0-0","event":{{"name":"search","value":{{"query":"{seq}"}}}}}}')


def numbers_of(block, count):
    """The rows of `numbers` of a block with some events: up to three ranges, of up to two days."""
    return [{"install_id": f"install-{block}", "first": count + 10 * index + 1, "last": count + 11 * index + 1,
             "fate": ["dropped", "refused", "held"][index], "reason": f"reason \"é😀 {count}",
             "received_at": fixture.time_text(START + (index + count) % 2 * 24 * HOUR), "collector": "c1", "batch": f"{index:032x}"}
            for index in range((count + 3) % 4)]


class Loader:
    """Writes blocks as the loader does. Each complete block is appended to `published`.

    stops: the share of blocks at which it stops before the manifest, for up to `pause` seconds, and writes the block again.
    most_files: pauses while the folder has more files of events, so that runs of compaction stay short.
    """

    def __init__(self, root, published, source, has_lock, hours=3, stops=0.2, pause=0, most_files=100):
        self.root, self.published, self.source, self.has_lock, self.hours = root, published, source, has_lock, hours
        self.stops, self.pause, self.most_files = stops, pause, most_files

    def write(self, block, seq, count):
        events = [(line(f"install-{block}", seq + index), START + self.source.randrange(self.hours * HOUR), "") for index in range(count)]
        stops = self.source.random() < self.stops
        while True:
            try:
                if stops:
                    self._write(block, events, numbers_of(block, count), without_manifest=True)
                    time.sleep(self.source.random() * self.pause)
                self._write(block, events, numbers_of(block, count))
                break
            except FileNotFoundError:
                continue
        with open(self.published, "a") as file:
            file.write(f"{block} {count}\n")

    def _write(self, block, events, numbers=(), without_manifest=False):
        def write():
            fixture.write_block(self.root, block, events, numbers)
        if without_manifest:
            original = layout.write_file
            try:
                layout.write_file = lambda path, data: None if "manifests" in str(path) else original(path, data)
                self._locked(write)
            finally:
                layout.write_file = original
        else:
            self._locked(write)

    def _locked(self, write):
        if not self.has_lock:
            return write()
        with layout.locked(self.root / ".files.lock", fcntl.LOCK_SH):
            return write()

    def run(self, first):
        """Writes blocks until the process is killed."""
        number = first
        while True:
            while len(glob.glob(f"{self.root}/events/*/*/*{layout.LINES}")) > self.most_files:
                time.sleep(0.01)
            self.write(f"{self.source.randrange(4)}-{number}", 1, self.source.randrange(1, 60))
            number += 1
            time.sleep(self.source.random() * 0.1)


def published_blocks(published):
    try:
        rows = open(published).read().split("\n")[:-1]
    except FileNotFoundError:
        return {}
    return {block: int(count) for block, count in map(str.split, rows)}


def problems(root, published, grace=None, may_be_out_of_sight=False):
    """What a reader sees wrong in one listing of each table.

    grace: the grace period of a compaction that runs at the same time, in seconds.
    Returns None if a listing shows nothing: a listed file no longer exists, or the listing took longer than half of the grace period,
    so that its folder may have lost files in the meantime. Half, because a file system's clock is a few milliseconds behind.
    """
    complete = published_blocks(published)
    wrong = []
    for table, columns, names in (("events", compaction.COLUMNS, ["id"]), ("numbers", compaction.NUMBER_COLUMNS, NUMBERS)):
        started = time.monotonic()
        files = glob.glob(f"{root}/{table}/*/*/*" if table == "events" else f"{root}/{table}/*/*")
        if grace is not None and time.monotonic() - started > grace / 2:
            return wrong or None
        found = collections.defaultdict(list)
        try:
            for block, *row in _rows(files, columns, names):
                found[block].append(tuple(row))
        except duckdb.IOException as error:
            return wrong or ([f"a listed file no longer exists: {error}"] if grace is None else None)
        wrong += [f"{table} of block {block}: {len(rows)} rows, {len(set(rows))} of them different" for block, rows in found.items()
                  if len(rows) != len(set(rows))]
        for block, count in complete.items() if not may_be_out_of_sight else []:
            written = [tuple(row[name] for name in NUMBERS) for row in numbers_of(block, count)]
            if table == "events" and len(found[block]) != count:
                wrong.append(f"events of block {block}: {len(found[block])} of {count} rows")
            if table == "numbers" and sorted(found[block]) != sorted(written):
                wrong.append(f"numbers of block {block}: {sorted(found[block])}, not {sorted(written)}")
    return wrong


def _rows(files, columns, names):
    """The column `block` and some others of all rows of files."""
    lines, parquet = ([name for name in files if name.endswith(suffix)] for suffix in (layout.LINES, layout.PARQUET))
    parts = [compaction._lines(lines, columns=columns)] if lines else []
    parts += [compaction._parquet(parquet)] if parquet else []
    if not parts:
        return []
    return connection().execute(" UNION ALL ".join(f"SELECT block, {', '.join(names)} FROM {part}" for part in parts)).fetchall()


def final_problems(root, published):
    """Problems after a run that was not killed: rows, manifests, leftovers, records."""
    wrong = problems(root, published)
    blocks = list(published_blocks(published))
    found = compaction.installs_of(connection(), root, blocks)
    wrong += [f"block {block} differs from its manifest" for block in blocks
              if found[block] != compaction.expected_installs(layout.manifest(root, block))]
    for record in layout.compactions(root):
        if layout.file_sha256(root / record["parquet"]["path"]) != record["parquet"]["sha256"]:
            wrong.append(f"{record['parquet']['path']} differs from its record")
    return wrong + [f"left over: {path}" for path in (root / ".compaction").glob("*")]


def forked(work):
    """Starts a process that runs a function; exit code 0, 1 if the function returns True, or 70 if it raises, which is printed."""
    process = os.fork()
    if process == 0:
        code = 70
        try:
            code = 1 if work() else 0
        except Exception:
            say(traceback.format_exc())
        finally:
            os._exit(code)
    return process


@contextlib.contextmanager
def judge(find):
    """Yields a function that returns what `find` returns in another process, the same for all calls, which starts DuckDB once.

    This process never starts DuckDB's threads, because it forks. If `find` raises, the result is a problem.
    """
    ours, theirs = multiprocessing.Pipe()

    def work():
        ours.close()
        with contextlib.suppress(EOFError):
            while True:
                question = theirs.recv()
                theirs.send(find(*question))
    process = forked(work)
    theirs.close()

    def ask(*question):
        try:
            ours.send(question)
            return ours.recv()
        except (EOFError, OSError):
            return ["the check ended early"]
    try:
        yield ask
    finally:
        ours.close()
        os.waitpid(process, 0)


def compact(root, grace=GRACE):
    """Compacts all hours; the reports are in a file next to the folder."""
    with layout.locked(root / ".maintenance.lock"), open(f"{root}.compact", "a", buffering=1) as log:
        run = compaction.Compaction(root, grace, report=lambda text: log.write(f"{text}\n"))
        run.recover()
        return run.run(older_than=0)


def skip_syncs():
    """Makes fsync(2) return immediately, because a kill loses nothing that was written; kills only at calls that change files."""
    os.fsync = lambda descriptor: None
    CALLS_WITHOUT_CHANGE.clear()


def kill_at_call(number):
    """Kills this process at the Nth call that changes files, before the call."""
    left = [number]

    def counted(call):
        def wrapped(*arguments, **options):
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*arguments, **options)
        return wrapped
    for name in CALLS + CALLS_WITHOUT_CHANGE:
        setattr(os, name, counted(getattr(os, name)))
    compaction.rename = counted(compaction.rename)


class Check:
    def __init__(self, seed):
        self.source = random.Random(seed)
        self.failures = []

    def fail(self, where, wrong):
        for text in wrong[:5]:
            say(f"  WRONG, {where}: {text}")
        self.failures += wrong

    def in_child(self, where, find):
        """Runs a check in a process, so that this one never starts DuckDB's threads before it forks."""
        reading, writing = os.pipe()
        process = forked(lambda: os.write(writing, json.dumps(find()).encode()) and False)
        os.close(writing)
        with open(reading, "rb") as answers:
            answer = answers.read()
        os.waitpid(process, 0)
        self.fail(where, json.loads(answer) if answer else ["the check ended early"])

    def every_call(self, folder):
        """Kills a compaction at each call; returns the number of calls."""
        origin, published = pathlib.Path(folder) / "calls", f"{folder}/calls.published"
        origin.mkdir()
        loader = Loader(origin, published, random.Random(1), has_lock=True, hours=2)
        for block in range(3):
            loader.write(f"0-{block + 1}", 1, 22)
        loader._write("1-1", [(line("late", 1), START, "")], numbers_of("1-1", 2), without_manifest=True)

        def find(root):
            wrong = [f"killed: {text}" for text in problems(root, published)]
            compact(root, grace=0)
            return wrong + [f"recovered: {text}" for text in final_problems(root, published)]
        with judge(find) as problems_after:
            for number in itertools.count(1):
                root = pathlib.Path(folder) / f"call-{number}"
                shutil.copytree(origin, root)

                def killed():
                    kill_at_call(number)
                    compact(root, grace=0)
                status = os.waitpid(forked(killed), 0)[1]
                self.fail(f"kill at call {number}", problems_after(root))
                if not os.WIFSIGNALED(status):
                    if os.waitstatus_to_exitcode(status) != 0:
                        self.fail("compaction", [f"exit code {os.waitstatus_to_exitcode(status)}"])
                    return number - 1
                if self.failures:
                    return number
                shutil.rmtree(root)

    def random_kills(self, folder, kills, has_lock):
        """Kills compaction at random moments, next to a loader and a reader; returns figures as text."""
        root = pathlib.Path(folder) / f"kills-{has_lock}"
        root.mkdir()
        published, reads = f"{root}.published", f"{root}.reads"
        seed = self.source.randrange(2**32)

        def read():
            with open(reads, "a", buffering=1) as log:
                while True:
                    log.write(json.dumps(problems(root, published, GRACE, may_be_out_of_sight=not has_lock)) + "\n")

        def answers():
            return [json.loads(text) for text in open(reads).read().split("\n")[:-1]] if os.path.exists(reads) else []

        def figures():
            return {"compactions": len(list(root.glob("compactions/*.json"))), "blocks": len(published_blocks(published)),
                    "listings": sum(answer is not None for answer in answers())}

        def is_done():
            return any(answers()) or done >= kills and all(figures()[name] >= least for name, least in ENOUGH.items())

        def have_ended():
            """Whether the loader or the reader has ended, which is an error."""
            for name, process in list(processes.items()):
                ended, status = os.waitpid(process, os.WNOHANG)
                if ended:
                    del processes[name]
                    self.fail(name, [f"ended early, status {status}"])
            return len(processes) < 2

        processes = {"loader": forked(lambda: Loader(root, published, random.Random(seed), has_lock).run(first=1)),
                     "reader": forked(read)}
        done, runs, longest, limit = 0, 0, 1.0, time.monotonic() + TIME_LIMIT
        try:
            # A run without a block would be over so soon that all kills took place before the first block.
            while not published_blocks(published) and not have_ended() and time.monotonic() < limit:
                time.sleep(0.01)
            while not is_done() and not have_ended() and time.monotonic() < limit:
                started = time.monotonic()
                process = forked(lambda: compact(root))
                # Every fourth run ends, so that hours are compacted again and again; it limits the time of the kills, too.
                if runs % 4 != 0:
                    time.sleep(self.source.random() * longest)
                    os.kill(process, signal.SIGKILL)
                status = os.waitpid(process, 0)[1]
                done += os.WIFSIGNALED(status)
                if runs % 4 == 0:
                    longest = time.monotonic() - started
                    if status != 0:
                        self.fail("run that was not killed", [f"exit code {os.waitstatus_to_exitcode(status)}"])
                runs += 1
        finally:
            have_ended()
            for process in processes.values():
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)
        last = os.waitpid(forked(lambda: compact(root)), 0)[1]
        if last != 0:
            self.fail("last run", [f"exit code {os.waitstatus_to_exitcode(last)}"])
        self.fail("reader", [text for answer in answers() for text in answer or []])
        if not is_done():
            self.fail("check", [f"only {done} kills and {figures()}: the check shows nothing"])
        self.in_child("end", lambda: final_problems(root, published))
        counts = figures()
        return (f"{done} kills, {counts['compactions']} compactions, {counts['blocks']} blocks, {counts['listings']} listings, "
                f"and {answers().count(None)} that were too slow or had a file that was gone")


def breaks():
    """Ways to break compaction, as (description, change of the module, check that must notice)."""
    def in_two_steps(original):
        def rename(source, target, flags):
            if flags != compaction.EXCHANGE:
                return original(source, target, flags)
            # Not in the folders that readers list.
            aside = f"{source}.aside"
            os.rename(target, aside)
            time.sleep(0.05)
            os.rename(source, target)
            os.rename(aside, source)
        return rename

    def attribute(target, name, change):
        original = getattr(target, name)
        setattr(target, name, change(original))
        return lambda: setattr(target, name, original)

    def both(*restores):
        return lambda: [restore() for restore in restores]

    def deleting(_):
        def remove(own, work):
            shutil.rmtree(work)
        return remove

    def deleting_first(original):
        def exchange(own, work, path):
            for name in compaction._names(own._record(work)):
                (path / name).unlink()
            original(own, work, path)
        return exchange

    def without_lock(original):
        def locked(path, lock=fcntl.LOCK_EX):
            is_ignored = str(path).endswith(".files.lock") and lock == fcntl.LOCK_EX
            return contextlib.nullcontext() if is_ignored else original(path, lock)
        return locked

    def slow(original):
        def slowed(*arguments):
            time.sleep(0.05)
            original(*arguments)
        return slowed

    def any_rows(original):
        return lambda own, part: [{**file, "rows": Anything(file["rows"])} for file in original(own, part)]

    def without_reasons(original):
        def lines(paths, options="", columns=compaction.COLUMNS):
            relation = original(paths, options, columns)
            return f"(SELECT * REPLACE ('' AS reason) FROM {relation})" if columns is compaction.NUMBER_COLUMNS else relation
        return lines

    class Anything(int):
        def __ne__(self, other):
            return False

    class AnyText(str):
        def __ne__(self, other):
            return False

    kind = compaction.Compaction
    return [
        ("folders exchanged in two steps", lambda: attribute(compaction, "rename", in_two_steps), "calls"),
        ("folders exchanged in two steps, next to readers", lambda: attribute(compaction, "rename", in_two_steps), "kills"),
        ("loaders' lock ignored", lambda: both(
            attribute(layout, "locked", without_lock), attribute(compaction, "rename", slow), attribute(kind, "_publish", slow)), "kills"),
        ("old files deleted before the exchange", lambda: attribute(kind, "_exchange", deleting_first), "calls"),
        ("exchanged folders treated as unfinished ones", lambda: attribute(
            kind, "_is_exchanged", lambda _: lambda own, work: False), "calls"),
        ("old files deleted without waiting", lambda: attribute(
            kind, "__init__", lambda original: lambda own, root, grace, report: original(own, root, 0, report)), "listing"),
        ("digests not compared", lambda: attribute(
            layout, "file_sha256", lambda original: lambda path: AnyText(original(path))), "damage"),
        ("rows not counted", lambda: attribute(kind, "_sources", any_rows), "damage"),
        ("lines not compared with the manifest", lambda: attribute(
            kind, "_compare_manifests", lambda _: lambda *_: None), "damage"),
        ("other files of the hour not linked", lambda: attribute(
            compaction, "_link_others", lambda _: lambda source, target, compacted: None), "late"),
        ("late files not moved, old folder deleted", lambda: both(
            attribute(kind, "_move_late", lambda _: lambda *_: 0), attribute(kind, "_remove", deleting)), "late"),
        ("Parquet files added next to the lines", lambda: attribute(
            compaction, "_names", lambda _: lambda record: set()), "calls"),
        ("reasons of numbers removed", lambda: attribute(compaction, "_lines", without_reasons), "calls"),
    ]


def late_file(check, folder):
    """Files of blocks without a manifest stay in sight; a file that lands between listing and exchange is not lost."""
    root = pathlib.Path(folder) / "late"
    root.mkdir()
    published = f"{root}.published"
    loader = Loader(root, published, random.Random(1), has_lock=False)
    loader.write("0-1", 1, 20)

    def add(block):
        loader._write(block, [(line(f"install-{block}", seq), START, "") for seq in range(1, 5)], numbers_of(block, 4),
                      without_manifest=True)
    add("0-2")
    with open(published, "a") as file:
        file.write("0-2 4\n")

    def run():
        rename, publish, wrong = compaction.rename, compaction.Compaction._publish, []

        def late_rename(source, target, flags):
            if flags == compaction.EXCHANGE and "hour=00" in str(target):
                add("0-3")
            rename(source, target, flags)

        def checked_publish(own, work):
            wrong.extend(problems(root, published))
            publish(own, work)
        compaction.rename, compaction.Compaction._publish = late_rename, checked_publish
        compact(root, grace=0)
        return wrong
    check.in_child("exchanged", run)
    with open(published, "a") as file:
        file.write("0-3 4\n")
    check.in_child("late files", lambda: problems(root, published))


def late_block(check, folder):
    """A file that the kernel creates in a folder that was just exchanged doesn't make the next hour of its block seem damaged."""
    root = pathlib.Path(folder) / "late-block"
    root.mkdir()
    published = f"{root}.published"
    Loader(root, published, random.Random(1), has_lock=False).write("0-1", 1, 20)

    def run():
        move_late = compaction.Compaction._move_late

        def late(own, work):
            moved = move_late(own, work)
            if "-00-" in work.name:
                compaction.Compaction._move_late = move_late
                fixture.write_block(
                    root, "0-2", [(line("late", hour + 1), START + hour * HOUR, "") for hour in range(2)], numbers_of("0-2", 2))
                name = f"0-2{layout.LINES}"
                os.rename(root / "events/dt=2015-01-01/hour=00" / name, work / "hour" / name)
            return moved
        compaction.Compaction._move_late = late
        return [f"{compact(root, grace=0)} hours differ from their manifests"]
    check.in_child("late block", lambda: [text for text in run() if not text.startswith("0 ")])
    with open(published, "a") as file:
        file.write("0-2 2\n")
    check.in_child("after the late block", lambda: final_problems(root, published))


# (description, table, change of the rows of the table's first file, whether the manifest has the new size and digest).
DAMAGE = [
    ("another collector", "events", lambda rows: [row.replace('"c1"', '"c2"') for row in rows], False),
    ("another line, with its digest", "events", lambda rows: [row.replace('\\"v\\":1', '\\"v\\":2') for row in rows], True),
    ("a row less, with its digest", "numbers", lambda rows: rows[1:], True),
]


def damaged_files(check, folder):
    """An hour or a day with a file that differs from its manifest is skipped, and the file stays."""
    def run(root, table, change, is_in_manifest):
        root.mkdir()
        fixture.write_block(root, "0-1", [(line("install-0-1", seq), START, "") for seq in range(1, 5)], numbers_of("0-1", 4))
        manifest = layout.manifest(root, "0-1")
        file = next(file for file in manifest["files"] if file["table"] == table)
        path = root / file["path"]
        data = fixture.compressed(change(zstandard.decompress(path.read_bytes()).decode().splitlines()))
        path.write_bytes(data)
        if is_in_manifest:
            file.update({"bytes": len(data), "sha256": layout.file_sha256(path)})
            layout.write_file(root / layout.manifest_path("0-1"), layout.json_bytes(manifest))
        skipped, is_kept = compact(root, grace=0), path.exists() and path.read_bytes() == data
        return [] if skipped == 1 and is_kept else [f"{skipped} hours and days skipped, file {'kept' if is_kept else 'replaced'}"]
    for index, (description, *damage) in enumerate(DAMAGE):
        check.in_child(f"damaged file: {description}", lambda: run(pathlib.Path(folder) / f"damaged-{index}", *damage))


def late_listing(check, folder):
    """A reader that opens an hour's folder before the exchange, and lists it within the grace period, finds all its files."""
    root = pathlib.Path(folder) / "late-listing"
    root.mkdir()
    published = f"{root}.published"
    Loader(root, published, random.Random(1), has_lock=True).write("0-1", 1, 20)

    def stop(seconds):
        if seconds > 0:
            raise TimeoutError("the compaction waits for readers")

    def run():
        scandir, sleep = os.scandir, time.sleep

        def late_scandir(path):
            entries = scandir(path)
            if "hour=" in str(path):
                os.scandir, time.sleep = scandir, stop
                with contextlib.suppress(TimeoutError):
                    compact(root, grace=60)
                time.sleep = sleep
            return entries
        os.scandir = late_scandir
        # None: a listed file was replaced meanwhile and cannot be opened. Only then did the exchange follow the listing.
        wrong = problems(root, published, grace=3600)
        return ["the listing has no file that was replaced"] if wrong == [] else wrong or []
    check.in_child("late listing", run)


def without_events(check, folder):
    """A folder without blocks, and one whose only block has no event."""
    root = pathlib.Path(folder) / "without-events"
    root.mkdir()
    published = f"{root}.published"

    def run():
        compact(root, grace=0)
        return final_problems(root, published)
    check.in_child("no block", run)
    fixture.write_block(root, "0-1", [], numbers_of("0-1", 0))
    with open(published, "a") as file:
        file.write("0-1 0\n")
    check.in_child("block without events", run)


def self_test(kills, seed, folder):
    """Returns the breaks that the check doesn't notice, and the disturbances that it takes for an error of compaction."""
    missed = []
    checks = {"calls": Check.every_call, "kills": lambda check, work: check.random_kills(work, kills // 2, has_lock=True),
              "late": late_file, "listing": late_listing, "damage": damaged_files}
    for index, (description, change, kind) in enumerate(breaks()):
        check, restore = Check(seed + index), change()
        try:
            work = pathlib.Path(folder) / f"self-test-{index}"
            work.mkdir()
            with contextlib.redirect_stdout(io.StringIO()):
                checks[kind](check, work)
        finally:
            restore()
        say(f"{'noticed' if check.failures else 'MISSED'}: {description}")
        missed += [] if check.failures else [description]
    for slow in (slow_loader, slow_reader, starved_reader):
        failures = slow(folder)
        say(f"{'FAILED' if failures else 'passed'}: {slow.__name__.replace('_', ' ')}")
        missed += failures
    return missed


def slow_loader(folder):
    """Problems if the loader's first block comes late, although compaction works."""
    write, check = Loader.write, Check(1)

    def slow_write(own, *arguments):
        if not os.path.exists(own.published):
            time.sleep(2)
        write(own, *arguments)
    Loader.write = slow_write
    try:
        check.random_kills(folder, 5, has_lock=True)
    finally:
        Loader.write = write
    return check.failures


def slow_reader(folder):
    """Problems if a whole compaction takes place after a reader has opened the folder of an hour, and before it lists the folder."""
    root, check = pathlib.Path(folder) / "slow-reader", Check(1)
    root.mkdir()
    published = f"{root}.published"
    Loader(root, published, random.Random(1), has_lock=True).write("0-1", 1, 20)

    def run():
        scandir = os.scandir

        def slow_scandir(path):
            entries = scandir(path)
            if "hour=" in str(path):
                os.scandir = scandir
                compact(root, grace=0)
            return entries
        os.scandir = slow_scandir
        return [] if problems(root, published, grace=0) is None else ["a listing that was too slow was judged"]
    check.in_child("slow reader", run)
    return check.failures


def starved_reader(folder):
    """Problems if the kills of both rounds are over before the reader has read often enough to show something."""
    global problems
    original, check = problems, Check(1)
    work = pathlib.Path(folder) / "starved-reader"
    work.mkdir()

    def starved_problems(root, published, grace=None, **options):
        # The end of a round, which passes no grace period, is not slow.
        time.sleep(0 if grace is None else 0.5)
        return original(root, published, grace, **options)
    problems = starved_problems
    try:
        for has_lock in (True, False):
            check.random_kills(work, 5, has_lock)
    finally:
        problems = original
    return check.failures


def check_all(kills, seed, folder):
    """Returns the number of problems."""
    check = Check(seed)
    late_file(check, folder)
    late_listing(check, folder)
    damaged_files(check, folder)
    late_block(check, folder)
    without_events(check, folder)
    say(f"killed at each of {check.every_call(folder)} calls")
    for has_lock in (True, False):
        say(f"loader {'with' if has_lock else 'without'} the lock: {check.random_kills(folder, kills // 2, has_lock)}")
    say("passed" if not check.failures else f"{len(check.failures)} problems; seed {seed}")
    return len(check.failures)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, help=f"kills at random moments (default: {KILLS}; with --short {SHORT_KILLS})")
    parser.add_argument("--short", action="store_true", help="skip fsync; kill only at calls that change files")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.short:
        skip_syncs()
    kills = options.kills or (SHORT_KILLS if options.short else KILLS)
    # Ends the processes of the loader and the reader, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    global output
    folder, is_kept = tempfile.mkdtemp(prefix="check-compaction-"), False
    output = f"{folder}/output.txt"
    try:
        say(f"seed {options.seed}")
        is_kept = bool(self_test(kills, options.seed, folder) if options.self_test else check_all(kills, options.seed, folder))
    except Exception:
        is_kept = True
        raise
    finally:
        if is_kept:
            print(f"see {folder}, which has the folders and {output}", flush=True)
        else:
            shutil.rmtree(folder)
    return 1 if is_kept else 0


if __name__ == "__main__":
    sys.exit(main())
