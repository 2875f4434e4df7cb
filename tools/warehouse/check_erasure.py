#!/usr/bin/env python3
"""Erases users from folders with hostile ids, kills the erasure at each call that changes files and at random, next to a loader.

  tools/warehouse/check_erasure.py [--short] [--kills N] [--seed N] [--self-test]

After each erasure, the rows of other users must be the same bytes in the same order, every number of a removed row must be recorded as
erased once, and manifests, records and digests must match the files. Python computes them without the code of the erasure.

--self-test breaks the erasure in several ways and fails if the check does not notice.
Exit codes: 0 passed; 1 an event was left, lost or changed.
"""

import argparse
import collections
import contextlib
import fcntl
import io
import itertools
import json
import os
import pathlib
import pickle
import random
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback

import zstandard

import check_compaction
import compaction
import engines
import erasure
import fixture
import folder as layout
import hostile

HOUR = 3_600_000_000
# Kills at random moments, of the complete and of the short form.
KILLS, SHORT_KILLS = 100, 10
START = check_compaction.START
# Ids that are prefixes of others, equal after normalization, or the escapes of others.
USERS = ["u", "u1", "xu", "o'Neil \"x\" \\ y", "é", "e\u0301", "\\u00e9", "a\u0000b", "a", "tab\tx",
         "a/b", "😀👩‍👩‍👧", "' OR 1=1 --", "%_", "\u2028"]


def in_child(work):
    """The result of a function that runs in a process, so that this one never starts DuckDB's threads before it forks."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(reading)
        try:
            with open(writing, "wb") as results:
                results.write(pickle.dumps(work()))
        except Exception:
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as results:
        result = results.read()
    os.waitpid(process, 0)
    if not result:
        raise SystemExit("a process of the check ended early")
    return pickle.loads(result)


def erase(root, user):
    """(exit code, output) of the program, run in this process."""
    file, output = f"{root}.user", io.StringIO()
    pathlib.Path(file).write_text(user + "\n", newline="")
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        code = erasure.main([str(root), "--user-file", file, "--grace", "0"])
    return code, output.getvalue()


def figures(output, kind):
    """The numbers of a line of the table: searched, rewritten, removed, still found, mentions."""
    found = re.search(rf"^{kind} +([\d, ]+)$", output, re.MULTILINE)
    return [int(number.replace(",", "")) for number in found[1].split()] if found else [0] * 5


# MARK: Folders

def events():
    """(line, received_at, fork) of all users; each line has another user's id in its properties, too."""
    found, seqs = [], collections.Counter()
    for index in range(60):
        user, other = USERS[index % len(USERS)], USERS[(index * 7 + 1) % len(USERS)]
        install = f"install-{index % 3}"
        seqs[install] += 1
        properties = json.dumps({"user_id": other, "text": f'"user_id":"{other}"'}, ensure_ascii=index % 2 == 0)
        found.append((hostile.line(install, seqs[install], "s", user, START, "view", properties), START + index * HOUR // 20, ""))
        if index % 5 == 0:
            found.append((hostile.line(install, seqs[install], "s", other, START, "view", None), START + index * HOUR // 20, "fork"))
    return found


def build(root, is_compacted):
    """Three blocks in three hours, the first and last spread over two; one of a single user; one without a manifest, with escapes."""
    root.mkdir()
    rows = events()
    fixture.write_block(root, "0-1", rows[:30])
    # The stream has already yielded the number of one event. Its day is compacted, too.
    fixture.write_block(root, "0-2", rows[30:], [{
        "install_id": "install-1", "first": 1, "last": 1, "fate": "erased", "reason": "erased", "received_at": "2014-12-31 23:00:00.000000",
        "collector": "c1", "batch": ""}])
    single = [(hostile.line("single", seq, "s", "u", START, "view", None), START, "") for seq in (1, 2, 4)]
    fixture.write_block(root, "1-1", single)
    if is_compacted:
        compact(root, hours=2)
    escaped = []
    for index, user in enumerate(USERS):
        row = json.loads(fixture.row(hostile.line("loose", index + 1, "s", user, START, "view", None), START + HOUR, block="1-2"))
        escapes = "".join(f"\\u{unit:04x}" for unit in memoryview(user.encode("utf-16-le")).cast("H"))
        escaped.append(json.dumps(row).replace(f'"user_id": {json.dumps(user)}', f'"user_id": "{escapes}"', 1))
    layout.write_file(root / f"events/dt=2015-01-01/hour=01/1-2{layout.LINES}", fixture.compressed(escaped))
    (root / f"events/dt=2015-01-01/hour=01/.1-3{layout.LINES}.draft").write_bytes(fixture.compressed(escaped)[:-40])


def compact(root, hours=None):
    """Compacts the folder; hours: only the first ones."""
    with layout.locked(root / ".maintenance.lock"):
        run = compaction.Compaction(root, 0, report=lambda text: None)
        run.recover()
        erasure.Changes.recover(root)
        return run.run(older_than=0, now=None if hours is None else START // 1_000_000 + hours * 3600)


# MARK: Expectations

def rows_of(root):
    """{path: [(user, block, install, fork, seq, line, bytes or all columns)]} of all files, in order."""
    found = {}
    for path in sorted(root.glob(f"events/*/*/*{layout.LINES}")):
        data = zstandard.ZstdDecompressor().decompressobj().decompress(path.read_bytes())
        rows = [(json.loads(line), line) for line in data.splitlines(keepends=True)]
        found[str(path.relative_to(root))] = [
            (*(row[name] for name in ("user_id", "block", "install_id", "fork", "seq", "line")), line) for row, line in rows]
    for path in sorted(root.glob(f"events/*/*/*{layout.PARQUET}")):
        found[str(path.relative_to(root))] = check_compaction.connection().execute(
            f"SELECT user_id, block, install_id, fork, seq, line, {{{', '.join(f'{name}: {name}' for name in compaction.COLUMNS)}}} "
            f"FROM read_parquet({compaction._quoted(path)}, hive_partitioning = false)").fetchall()
    return found


def numbers_by_path(root):
    """{path: [(block, install, first, last, fate, day of received_at)]} of all files of numbers."""
    names, found = ("block", "install_id", "first", "last", "fate", "received_at"), {}
    for path in root.glob(f"numbers/*/*{layout.LINES}"):
        rows = map(json.loads, zstandard.ZstdDecompressor().decompressobj().decompress(path.read_bytes()).splitlines())
        found[str(path.relative_to(root))] = [(*(row[name] for name in names[:-1]), row["received_at"][:10]) for row in rows]
    for path in root.glob(f"numbers/*/*{layout.PARQUET}"):
        rows = check_compaction.connection().execute(
            f"SELECT {', '.join(names)} FROM read_parquet({compaction._quoted(path)}, hive_partitioning = false)").fetchall()
        found[str(path.relative_to(root))] = [(*row[:-1], row[-1].date().isoformat()) for row in rows]
    return found


def erased_numbers(root):
    """How often `numbers` states a number as erased, by install and number."""
    counts = collections.Counter()
    for path, rows in numbers_by_path(root).items():
        for _, install, first, last, fate, day in rows:
            if fate == "erased":
                counts.update((install, seq) for seq in range(first, last + 1))
                if f"/dt={day}/" not in path:
                    counts["wrong folder", path] += 1
    return counts


def missing_numbers(root):
    """(install, highest number, missing ranges) by the query `completeness`."""
    engine = engines.DuckDB(root)
    with contextlib.closing(engine):
        return [(row["install_id"], row["highest"], row["missing_ranges"]) for row in engine.run("completeness")]


def lost_rows(before, now, users):
    """Problems at any moment: a row of another user that is missing, changed or twice."""
    wrong = []
    for path, rows in before.items():
        kept = [row for row in now.get(path, []) if row[0] not in users]
        if kept != [row for row in rows if row[0] not in users]:
            wrong.append(f"rows of other users in {path} changed")
    return wrong + [f"unexpected file {path}" for path in now.keys() - before.keys()]


def final_problems(root, before, numbers_before, users):
    """Problems after users were erased."""
    now = rows_of(root)
    wrong = lost_rows(before, now, users)
    wrong += [f"{path} has events of an erased user" for path, rows in now.items() if any(row[0] in users for row in rows)]
    removed = {(row[2], row[4]) for rows in before.values() for row in rows if row[0] in users and not row[3]}
    expected = numbers_before | collections.Counter(dict.fromkeys(removed, 1))
    if erased_numbers(root) != expected:
        wrong.append(f"erased numbers differ: {erased_numbers(root) - expected} too many, {expected - erased_numbers(root)} missing")
    return wrong + manifest_problems(root, now) + leftovers(root)


def leftovers(root):
    return [f"left over: {path}" for pattern in (".erasure/*", ".compaction/*", "**/.*.draft") for path in root.glob(pattern)]


def manifest_problems(root, now):
    """Differences between manifests or records and the files, computed in Python, and by compaction."""
    wrong, by_block = [], collections.defaultdict(lambda: collections.defaultdict(list))
    for rows in now.values():
        for _, block, install, fork, seq, line, _ in rows:
            by_block[block][install, fork].append((seq, line.encode()))
    blocks_by_path = {path: [row[1] for row in rows] for path, rows in now.items()}
    blocks_by_path |= {path: [row[0] for row in rows] for path, rows in numbers_by_path(root).items()}
    manifests = [json.loads(path.read_bytes()) for path in root.glob("manifests/*/*.json")]
    replaced = {file["path"]: record for record in layout.compactions(root) for file in record["files"]}
    for manifest in manifests:
        block = manifest["block"]
        expected = sorted((install, fork, len(lines), layout.range_hash(line for _, line in lines),
                           layout.ranges(seq for seq, _ in lines)) for (install, fork), lines in by_block[block].items())
        if compaction.expected_installs(manifest) != expected:
            wrong.append(f"installs of block {block} differ from its rows")
        for file in manifest["files"]:
            path = root / file["path"]
            if not path.exists():
                rows = blocks_by_path[replaced[file["path"]]["parquet"]["path"]].count(block)
                if not file["rows"] == rows == next(
                        other["rows"] for other in replaced[file["path"]]["files"] if other["path"] == file["path"]):
                    wrong.append(f"rows of {file['path']} differ in manifest, record and Parquet file")
            elif (layout.file_sha256(path), path.stat().st_size) != (file["sha256"], file["bytes"]) or (
                    file["rows"] != len(blocks_by_path[file["path"]])):
                wrong.append(f"{file['path']} differs from its manifest")
    found = compaction.installs_of(check_compaction.connection(), root, [manifest["block"] for manifest in manifests])
    wrong += [f"block {manifest['block']} differs from its manifest for compaction" for manifest in manifests
              if found[manifest["block"]] != compaction.expected_installs(manifest)]
    for record in layout.compactions(root):
        file = record["parquet"]
        path = root / file["path"]
        if (layout.file_sha256(path), path.stat().st_size, len(blocks_by_path[file["path"]])) != (
                file["sha256"], file["bytes"], file["rows"]):
            wrong.append(f"{file['path']} differs from its record")
    for path in root.glob("erasures/*.json"):
        for file in json.loads(path.read_bytes())["files"]:
            data = (root / file["path"]).read_bytes()
            rows = zstandard.ZstdDecompressor().decompressobj().decompress(data).count(b"\n")
            if (layout.file_sha256(root / file["path"]), len(data), rows) != (file["sha256"], file["bytes"], file["rows"]):
                wrong.append(f"{file['path']} differs from its record")
    recorded = {file["path"] for path in root.glob("erasures/*.json") for file in json.loads(path.read_bytes())["files"]}
    return wrong + [f"{path} has no record" for path in root.glob("numbers/*/erased-*") if str(path.relative_to(root)) not in recorded]


# MARK: Checks

class Check:
    def __init__(self, folder, seed, most_files=100):
        """most_files: the loader pauses while the folder has more files of events."""
        self.folder, self.source, self.failures, self.most_files = pathlib.Path(folder), random.Random(seed), [], most_files

    def fail(self, where, wrong):
        for text in wrong[:5]:
            print(f"  WRONG, {where}: {text}", flush=True)
        self.failures += wrong

    def root(self):
        return pathlib.Path(tempfile.mkdtemp(dir=self.folder)) / "folder"

    def built(self, is_compacted):
        """A folder, its rows, and its erased numbers."""
        root = self.root()

        def make():
            build(root, is_compacted)
            return rows_of(root), erased_numbers(root)
        return (root, *in_child(make))

    def every_user(self, is_compacted):
        """Erases one user after the other from one folder."""
        root, before, numbers = self.built(is_compacted)

        def work():
            wrong, missing = [], missing_numbers(root)
            for index, user in enumerate(USERS):
                by_path = rows_of(root).values()
                rows = [row for rows in by_path for row in rows]
                events, files = sum(row[0] == user for row in rows), sum(any(row[0] == user for row in rows) for rows in by_path)
                forms = {user, json.dumps(user)[1:-1], json.dumps(user, ensure_ascii=False)[1:-1]}
                mentions = sum(any(form in json.dumps([row[0], *row[1:5]], ensure_ascii=False) or form in row[5] or form in row[0]
                                   for form in forms) for row in rows if row[0] != user)
                code, output = erase(root, user)
                table = [sum(both) for both in zip(figures(output, "events, JSON lines"), figures(output, "events, Parquet"))]
                if (code, *table[1:4]) != (0, files, events, 0) or events == 0:
                    wrong.append(f"{user!r}: {events} events, {files} files; exit code {code}, output:\n{output}")
                # The figure counts more columns than this, such as the collector's.
                if table[4] < mentions:
                    wrong.append(f"{user!r}: {table[4]} mentions, expected {mentions}")
                wrong += final_problems(root, before, numbers, set(USERS[:index + 1]))
                if wrong:
                    return wrong
            if sum(map(len, rows_of(root).values())) != 0:
                wrong.append("rows are left")
            if missing_numbers(root) != missing:
                wrong.append(f"completeness: missing numbers {missing_numbers(root)}, before the erasures {missing}")
            # Compaction reads files without rows.
            if compact(root) != 0:
                wrong.append("compaction skipped an hour")
            return wrong
        self.fail(f"each user{', compacted' if is_compacted else ''}", in_child(work))

    def every_call(self, is_compacted):
        """Kills an erasure at each call; returns the number of calls."""
        origin, before, numbers = self.built(is_compacted)
        user = "u"

        def find(root, number):
            wrong = lost_rows(before, rows_of(root), {user})
            # Compaction, and the erasure of another user, can finish it.
            if number % 2 == 0:
                with layout.locked(root / ".maintenance.lock"):
                    compaction.Compaction(root, 0, report=lambda text: None).recover()
                    erasure.Changes.recover(root)
                wrong += manifest_problems(root, rows_of(root))
            elif number % 16 == 1:
                code, output = erase(root, "nobody")
                wrong += [f"another user: exit code {code}: {output}"] if code != 0 else manifest_problems(root, rows_of(root))
            code, output = erase(root, user)
            return wrong + ([f"exit code {code}: {output}"] if code else []) + final_problems(root, before, numbers, {user})
        with check_compaction.judge(find) as problems_after:
            for number in itertools.count(1):
                root = self.root()
                shutil.copytree(origin, root)

                def killed():
                    kill_at_call(number)
                    return erase(root, user)[0] != 0
                status = os.waitpid(check_compaction.forked(killed), 0)[1]
                self.fail(f"killed at call {number}", problems_after(root, number))
                shutil.rmtree(root.parent)
                if not os.WIFSIGNALED(status):
                    if os.waitstatus_to_exitcode(status) != 0:
                        self.fail("erasure", [f"exit code {os.waitstatus_to_exitcode(status)}"])
                    return number - 1
                if self.failures:
                    return number

    def random_kills(self, kills):
        """Kills erasures and compactions at random moments, next to a loader that adds events of the user; returns figures."""
        root = self.root()
        root.mkdir()
        (root / "events").mkdir()
        published, seed = f"{root}.published", self.source.randrange(2**32)
        user = json.loads(check_compaction.line("x", 3))["user_id"]
        loader = check_compaction.forked(lambda: check_compaction.Loader(
            root, published, random.Random(seed), has_lock=True, pause=0.2, most_files=self.most_files).run(first=1))
        done, runs, codes, longest = 0, 0, collections.Counter(), 1.0

        def is_done():
            return done >= kills and len(check_compaction.published_blocks(published)) >= 5
        try:
            # On a slow computer, all kills can take place before the loader has written enough for a check.
            limit = time.monotonic() + check_compaction.TIME_LIMIT
            while not is_done() and time.monotonic() < limit:
                started = time.monotonic()
                process = check_compaction.forked(lambda: compact(root)) if runs % 3 == 2 else os.fork()
                if process == 0:
                    code = 70
                    try:
                        code = erase(root, user)[0]
                    finally:
                        os._exit(code)
                # Every other compaction ends, because the loader waits for it, and an erasure needs new events.
                if runs % 5 != 4 and runs % 6 != 2:
                    time.sleep(self.source.random() * longest)
                    os.kill(process, signal.SIGKILL)
                status = os.waitpid(process, 0)[1]
                done += os.WIFSIGNALED(status)
                if not os.WIFSIGNALED(status):
                    longest = max(0.3, min(3, time.monotonic() - started))
                    codes[os.waitstatus_to_exitcode(status)] += 1
                runs += 1
        finally:
            os.kill(loader, signal.SIGKILL)
            os.waitpid(loader, 0)
        if codes.keys() - {0, 1}:
            self.fail("run that was not killed", [f"exit codes {dict(codes)}"])

        def work():
            code, output = erase(root, user)
            wrong = [f"exit code {code}: {output}"] if code else []
            # Removed drafts and files of blocks that a killed loader did not complete don't count.
            complete, now = check_compaction.published_blocks(published), rows_of(root)
            found = collections.Counter((row[1], row[4]) for rows in now.values() for row in rows)
            erased = erased_numbers(root)
            for block, count in complete.items():
                for seq in range(1, count + 1):
                    is_erased = seq % 7 == 3
                    if found[block, seq] != (0 if is_erased else 1):
                        wrong.append(f"{found[block, seq]} rows of number {seq} of block {block}")
                    if (erased[f"install-{block}", seq] > 0) != is_erased:
                        wrong.append(f"number {seq} of block {block} is {'not ' if is_erased else ''}recorded as erased")
            wrong += [f"{path} has events of the user" for path, rows in now.items() if any(row[0] == user for row in rows)]
            if not is_done():
                wrong.append(f"only {done} kills and {len(complete)} blocks: the check shows nothing")
            # The loader is killed, too, perhaps while it writes a manifest, which has no events: its next start writes it again.
            unpublished = {f"left over: {path}" for path in (root / "manifests").glob("*/.*.draft")
                           if f"{path.parent.name}-{path.name.split('.')[1]}" not in complete}
            return wrong + manifest_problems(root, now) + [text for text in leftovers(root) if text not in unpublished]
        self.fail("next to a loader", in_child(work))
        return f"{done} kills in {runs} runs, {len(check_compaction.published_blocks(published))} blocks"

    def exit_codes(self):
        def work():
            return [f"{name}: {text}" for name, text in self._exit_codes()]
        self.fail("exit codes", in_child(work))

    def _exit_codes(self):
        def expect(name, root, user, expected, *contents):
            code, output = erase(root, user)
            if code != expected:
                yield name, f"exit code {code}, expected {expected}: {output}"
            for content in contents:
                if content not in output:
                    yield name, f"no '{content}' in: {output}"
        root = self.root()
        yield from expect("no folder", root, "u", 66)
        build(root, True)
        before = rows_of(root)
        yield from expect("empty id", root, "", 64, "refused")
        yield from expect("two ids", root, "u\nu1", 64)
        for arguments, expected in (([str(root)], 64), ([str(root), "--user-file", f"{root}.none"], 66),
                                    ([str(root / "events"), "--user-file", "-"], 66)):
            with contextlib.redirect_stderr(io.StringIO()):
                code = erasure.main(arguments)
            if code != expected:
                yield str(arguments), f"exit code {code}"
        with layout.locked(root / ".maintenance.lock"):
            yield from expect("locked", root, "u", 75)
        if rows_of(root) != before:
            yield "wrong usage", "rows changed"
        # A loader that is writing a file: the erasure waits for it.
        ready, waiting = os.pipe()

        def hold():
            with layout.locked(root / ".files.lock", fcntl.LOCK_SH):
                path = root / f"events/dt=2015-01-01/hour=01/.1-9{layout.LINES}.draft"
                path.write_bytes(fixture.compressed(["{}"]))
                os.write(waiting, b"x")
                until = time.monotonic() + 1
                while time.monotonic() < until and not has_waiter(root / ".files.lock"):
                    time.sleep(0.01)
                os.rename(path, f"{root}.done")
        holder = check_compaction.forked(hold)
        os.read(ready, 1)
        yield from expect("loader at work", root, "nobody", 0)
        if os.waitpid(holder, 0)[1] != 0:
            yield "loader at work", "the draft of a loader that holds the lock was deleted"
        # Damage: the other files are erased.
        for name in ("changed", "truncated"):
            root = self.root()
            build(root, False)
            path = root / f"events/dt=2015-01-01/hour=01/0-2{layout.LINES}"
            data = zstandard.ZstdDecompressor().decompressobj().decompress(path.read_bytes())
            # Changed: a row of another user, in one byte of its line.
            before_it, text, after_it = data.rpartition(b"view")
            damaged = path.read_bytes()[:-9] if name == "truncated" else zstandard.compress(before_it + text.upper() + after_it)
            path.write_bytes(damaged)
            yield from expect(name, root, "u", 65, str(path.relative_to(root)))
            if path.read_bytes() != damaged:
                yield name, "the damaged file was rewritten"
            path.unlink()
            if any(row[0] == "u" for other, rows in rows_of(root).items() for row in rows if "/0-2" not in other):
                yield name, "other files have events of the user"
        # A block that a loader completes after its file was found.
        root, add_numbers = self.root(), erasure.Erasure._add_numbers
        build(root, False)
        fixture.write_block(root, "5-1", [(hostile.line("late", 1, "s", "u", START, "view", None), START, "")])
        manifest = root / layout.manifest_path("5-1")
        data = manifest.read_bytes()
        manifest.unlink()

        def complete(own, found):
            manifest.write_bytes(data)
            add_numbers(own, found)
        erasure.Erasure._add_numbers = complete
        yield from expect("completed block", root, "u", 0)
        erasure.Erasure._add_numbers = add_numbers
        for text in manifest_problems(root, rows_of(root)):
            yield "completed block", text
        # A block that a loader adds between removal and search.
        root = self.root()
        build(root, False)
        search = erasure.Erasure.search

        def late(own):
            fixture.write_block(root, "5-1", [(hostile.line("late", 1, "s", "u", START, "view", None), START, "")])
            return search(own)
        erasure.Erasure.search = late
        yield from expect("new event", root, "u", 1)
        erasure.Erasure.search = search
        yield from expect("new event, again", root, "u", 0)


def has_waiter(path):
    """Whether a process waits for the lock of a file; unknown, and thus False, if the kernel does not list locks."""
    try:
        return any(" -> " in text and f":{os.stat(path).st_ino} " in text for text in open("/proc/locks"))
    except OSError:
        return False


def kill_at_call(number):
    """Kills this process at the Nth call that changes files: before the call, or when half of a file is written."""
    left = [number]

    def is_last():
        left[0] -= 1
        return left[0] == 0

    def counted(call):
        def wrapped(*arguments, **options):
            if is_last():
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*arguments, **options)
        return wrapped

    def write_bytes(path, data):
        with open(path, "wb") as file:
            if is_last():
                file.write(data[:len(data) // 2])
                file.flush()
                os.kill(os.getpid(), signal.SIGKILL)
            file.write(data)
    for name in check_compaction.CALLS + check_compaction.CALLS_WITHOUT_CHANGE:
        setattr(os, name, counted(getattr(os, name)))
    pathlib.Path.write_bytes = write_bytes
    compaction.rename = counted(compaction.rename)


# MARK: Self-test

def breaks():
    """Ways to break the erasure, as (description, class, attribute, change of the attribute, check that must notice)."""
    kind, changes = erasure.Erasure, erasure.Changes

    def split(matches):
        def broken(own, data):
            lines = data.splitlines(keepends=True)
            rows = [json.loads(line) for line in lines]
            return (b"".join(line for line, row in zip(lines, rows) if not matches(own, row, line)),
                    [row for line, row in zip(lines, rows) if matches(own, row, line)])
        return lambda original: broken

    def rewritten(original):
        def broken(own, data):
            kept, rows = original(own, data)
            return b"".join(json.dumps(json.loads(line)).encode() + b"\n" for line in kept.splitlines()), rows
        return broken

    def without_manifest(original):
        def broken(own, path, data, like=None):
            return original(own, path, (own.root / path).read_bytes() if path.startswith("manifests") else data, like)
        return broken

    def without_record(original):
        def broken(own, path, data, like=None):
            return original(own, path, (own.root / path).read_bytes() if path.startswith("compactions") else data, like)
        return broken

    def discarding(original):
        def broken(root):
            for work in (pathlib.Path(root) / ".erasure").glob("*"):
                compaction._delete(work)
        return broken

    def numbers_last(original):
        def run(own):
            found, add = [], own._add_numbers
            own._add_numbers = found.extend
            original(own)
            add(found)
        return run

    def alone(original):
        return lambda own, file: original(own, file) if file.entries else own._rewrite_alone(file)

    users, calls, codes = "every_user", "every_call", "exit_codes"
    return [
        ("ids compared by prefix", kind, "_split", split(lambda own, row, line: row["user_id"].startswith(own.user)), users),
        ("ids found anywhere in a row", kind, "_split", split(lambda own, row, line: own.user.encode() in line), users),
        ("escaped ids missed", kind, "_split", split(
            lambda own, row, line: row["user_id"] == own.user and b'"user_id":"' + own.user.encode() + b'"' in line), users),
        ("other rows encoded again", kind, "_split", rewritten, users),
        ("manifests unchanged", changes, "add", without_manifest, users),
        ("records of compactions unchanged", changes, "add", without_record, users + " compacted"),
        ("numbers not recorded", kind, "_add_numbers", lambda _: lambda own, found: None, users),
        ("numbers recorded twice", kind, "_erased_numbers", lambda _: lambda own, installs: collections.defaultdict(tuple), users),
        ("one file left", kind, "_find", lambda original: lambda own: original(own)[:-1], users),
        ("Parquet files left", kind, "_found", lambda original: lambda own, path, file_kind, rows: original(
            own, path, file_kind, rows if file_kind == erasure.JSON_LINES else []), users + " compacted"),
        ("drafts of loaders left", kind, "_delete_drafts", lambda _: lambda own: None, users),
        ("changes not recorded", changes, "commit", lambda original: lambda own, is_recorded=True: original(own, False), calls),
        ("recorded changes discarded", changes, "recover", lambda _: staticmethod(discarding(None)), calls),
        ("numbers recorded after the removal", kind, "run", numbers_last, calls),
        ("blocks not looked up again", kind, "_rewrite", alone, codes),
        ("damage not noticed", kind, "_verify", lambda _: lambda own, file: None, codes),
        ("search that finds nothing", kind, "search", lambda _: lambda own: {name: (1, 0, 0) for name in erasure.KINDS}, codes),
        ("loaders' lock ignored", layout, "locked", lambda original: lambda path, lock=fcntl.LOCK_EX: contextlib.nullcontext()
            if str(path).endswith(".files.lock") and lock == fcntl.LOCK_EX else original(path, lock), codes),
        ("lock of maintenance ignored", layout, "locked", lambda original: lambda path, lock=fcntl.LOCK_EX: contextlib.nullcontext()
            if lock & fcntl.LOCK_NB else original(path, lock), codes),
    ]


def self_test(seed, folder):
    """Returns the breaks that the check doesn't notice."""
    missed = []
    for index, (description, target, name, change, kind) in enumerate(breaks()):
        work = pathlib.Path(folder) / f"self-test-{index}"
        work.mkdir()
        check, original = Check(work, seed + index), target.__dict__[name]
        setattr(target, name, change(original))
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                if kind == "every_call":
                    check.every_call(True)
                elif kind == "exit_codes":
                    check.exit_codes()
                else:
                    check.every_user(kind.endswith("compacted"))
        except SystemExit as error:
            check.failures.append(str(error))
        finally:
            setattr(target, name, original)
        print(f"{'noticed' if check.failures else 'MISSED'}: {description}", flush=True)
        missed += [] if check.failures else [description]
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, help=f"kills at random moments (default: {KILLS}; with --short {SHORT_KILLS})")
    parser.add_argument("--short", action="store_true", help="skip fsync; kill only at calls that change files; keep the folder small")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.short:
        check_compaction.skip_syncs()
    kills, most_files = options.kills or (SHORT_KILLS if options.short else KILLS), 50 if options.short else 100
    # Ends the process of the loader, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory() as folder:
        print(f"seed {options.seed}", flush=True)
        if options.self_test:
            return 1 if self_test(options.seed, folder) else 0
        check = Check(folder, options.seed, most_files)
        check.exit_codes()
        for is_compacted in (False, True):
            check.every_user(is_compacted)
        print(f"{len(USERS)} users erased from lines and from Parquet files", flush=True)
        print(f"killed at each of {check.every_call(True)} calls", flush=True)
        print(check.random_kills(kills), flush=True)
        print("passed" if not check.failures else f"{len(check.failures)} problems")
        return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
