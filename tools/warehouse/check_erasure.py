#!/usr/bin/env python3
"""Erases users from folders with hostile ids by `loader erase`, kills it at each call that changes files and at random, next to a loader.

  tools/warehouse/check_erasure.py --loader PROGRAM --duckdb PROGRAM [--short] [--kills N] [--seed N] [--self-test]

After each erasure, the rows of other users must be the same bytes in the same order, every number of a removed row must be recorded as
erased once, and manifests, records and digests must match the files. Python computes them without the code of the erasure.

--self-test spoils erased folders in several ways, and runs broken programs instead of the loader; it fails if the check does not notice.
The tests of FolderErasure check what happens when a loader adds or completes a block at a certain moment.
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
import subprocess
import sys
import tempfile
import time
import traceback

import zstandard

import check_compaction
import compaction
import engines
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


class Program:
    """`loader erase`.

    loader, duckdb: paths of the programs.
    folder: has the library of kill_at_call.c, and the configuration of the loader.
    """

    def __init__(self, loader, duckdb, folder):
        self.loader, self.duckdb, self.folder = loader, duckdb, folder

    def start(self, root, user, kill_at=None, with_syncs=False):
        """Starts it; its output is a pipe. kill_at: the number of the call at which it is killed."""
        file = f"{root}.user"
        pathlib.Path(file).write_text(user + "\n", newline="")
        return self.start_with(["--user-file", file, "--folder", str(root)], kill_at, with_syncs)

    def start_with(self, arguments, kill_at=None, with_syncs=False):
        variables = {name: value for name, value in os.environ.items() if not name.startswith("LOADER_")}
        variables["LOADER_CONFIG"] = f"{self.folder}/loader.conf"
        if kill_at:
            variables |= {"LD_PRELOAD": f"{self.folder}/kill_at_call.so", "KILL_AT_CALL": str(kill_at)} | ({"KILL_WITH_SYNCS": "1"} if with_syncs else {})
        command = [self.loader, "erase", *arguments, "--duckdb", self.duckdb, "--grace", "0"]
        return subprocess.Popen(command, env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def erase(self, root, user, **options):
        """(exit code, output); the code is negative after a kill."""
        process = self.start(root, user, **options)
        output = process.communicate()[0]
        return process.returncode, output


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
    def __init__(self, program, folder, seed, most_files=100, with_syncs=True):
        """most_files: the loader pauses while the folder has more files of events. with_syncs: kill at fsync, too."""
        self.program, self.with_syncs = program, with_syncs
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
                code, output = self.program.erase(root, user)
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

    def every_call(self, is_compacted, after_kill=lambda root: None):
        """Kills an erasure at each call; returns the number of calls. after_kill: called with the folder after each kill."""
        origin, before, numbers = self.built(is_compacted)
        user = "u"

        def find(root, number):
            wrong = lost_rows(before, rows_of(root), {user})
            # Compaction, and the erasure of another user, can finish it.
            if number % 2 == 0:
                with layout.locked(root / ".maintenance.lock"):
                    compaction.Compaction(root, 0, report=lambda text: None).recover()
                wrong += manifest_problems(root, rows_of(root))
            elif number % 16 == 1:
                code, output = self.program.erase(root, "nobody")
                wrong += [f"another user: exit code {code}: {output}"] if code != 0 else manifest_problems(root, rows_of(root))
            code, output = self.program.erase(root, user)
            return wrong + ([f"exit code {code}: {output}"] if code else []) + final_problems(root, before, numbers, {user})
        with check_compaction.judge(find) as problems_after:
            for number in itertools.count(1):
                root = self.root()
                shutil.copytree(origin, root)

                code, output = self.program.erase(root, user, kill_at=number, with_syncs=self.with_syncs)
                is_killed = code == -signal.SIGKILL
                if is_killed:
                    after_kill(root)
                self.fail(f"killed at call {number}", problems_after(root, number))
                shutil.rmtree(root.parent)
                if not is_killed:
                    if code != 0:
                        self.fail("erasure", [f"exit code {code}: {output}"])
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
                is_erasure = runs % 3 != 2
                process = self.program.start(root, user) if is_erasure else check_compaction.forked(lambda: compact(root))
                # Every other compaction ends, because the loader waits for it, and an erasure needs new events.
                if runs % 5 != 4 and runs % 6 != 2:
                    time.sleep(self.source.random() * longest)
                    process.kill() if is_erasure else os.kill(process, signal.SIGKILL)
                if is_erasure:
                    output = process.communicate()[0]
                    code = process.returncode
                else:
                    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
                done += code == -signal.SIGKILL
                if code != -signal.SIGKILL:
                    longest = max(0.3, min(3, time.monotonic() - started))
                    codes[code] += 1
                    if is_erasure and code not in (0, 1):
                        self.fail("erasure that was not killed", [f"exit code {code}: {output}"])
                runs += 1
        finally:
            os.kill(loader, signal.SIGKILL)
            os.waitpid(loader, 0)
        if codes.keys() - {0, 1}:
            self.fail("run that was not killed", [f"exit codes {dict(codes)}"])

        def work():
            code, output = self.program.erase(root, user)
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
            code, output = self.program.erase(root, user)
            if code != expected:
                yield name, f"exit code {code}, expected {expected}: {output}"
            for content in contents:
                if content not in output:
                    yield name, f"no '{content}' in: {output}"
        root = self.root()
        yield from expect("no folder", root, "u", 66)
        build(root, True)
        before = rows_of(root)
        yield from expect("empty id", root, "", 64, "no user_id")
        yield from expect("two ids", root, "u\nu1", 64)
        pathlib.Path(f"{root}.user").write_text("u\n")
        missing = Program(self.program.loader, f"{root}.none", self.program.folder)
        for program, arguments, expected in (
                (self.program, ["--folder", str(root)], 64), (self.program, ["--user-file", f"{root}.user"], 64),
                (self.program, ["--user-file", f"{root}.none", "--folder", str(root)], 66),
                (self.program, ["--user-file", "-", "--folder", str(root)], 64),
                (missing, ["--user-file", f"{root}.user", "--folder", str(root)], 69)):
            process = program.start_with(arguments)
            output = process.communicate()[0]
            if process.returncode != expected:
                yield str(arguments), f"exit code {process.returncode}, expected {expected}: {output}"
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


def has_waiter(path):
    """Whether a process waits for the lock of a file; unknown, and thus False, if the kernel does not list locks."""
    try:
        return any(" -> " in text and f":{os.stat(path).st_ino} " in text for text in open("/proc/locks"))
    except OSError:
        return False


# MARK: Self-test

def spoils():
    """Ways to spoil an erased folder, as (description, change of the folder). `origin`: a copy from before the erasure."""
    def rows(change):
        def spoil(root, origin):
            path = max(root.glob(f"events/*/*/*{layout.LINES}"), key=lambda path: path.stat().st_size)
            lines = zstandard.ZstdDecompressor().decompressobj().decompress(path.read_bytes()).splitlines(keepends=True)
            path.write_bytes(zstandard.compress(b"".join(change(lines))))
        return spoil

    def restored(pattern):
        def spoil(root, origin):
            path = next(path for path in sorted(origin.glob(pattern))
                        if path.read_bytes() != (root / path.relative_to(origin)).read_bytes())
            (root / path.relative_to(origin)).write_bytes(path.read_bytes())
        return spoil

    def removed(pattern):
        return lambda root, origin: next(root.glob(pattern)).unlink()

    def without_numbers(root, origin):
        next(root.glob(f"numbers/*/erased-*{layout.LINES}")).write_bytes(fixture.compressed([]))

    def recorded_twice(root, origin):
        path = next(root.glob(f"numbers/*/erased-*{layout.LINES}"))
        path.with_name(f"erased-99{layout.LINES}").write_bytes(path.read_bytes())

    def left_over(root, origin):
        (root / ".erasure" / "changes").mkdir(parents=True)
    return [
        ("a row of another user removed", rows(lambda lines: lines[1:])),
        ("rows in another order", rows(lambda lines: lines[::-1])),
        ("rows encoded again", rows(lambda lines: [json.dumps(json.loads(line)).encode() + b"\n" for line in lines])),
        ("a file of lines left", restored(f"events/*/*/*{layout.LINES}")),
        ("a Parquet file left", restored(f"events/*/*/*{layout.PARQUET}")),
        ("a manifest left", restored("manifests/*/*.json")),
        ("a record of a compaction left", restored("compactions/*.json")),
        ("numbers not recorded", without_numbers),
        ("numbers recorded twice", recorded_twice),
        ("a record of an erasure removed", removed("erasures/*.json")),
        ("a change left over", left_over),
    ]


def programs(program, folder):
    """Broken programs instead of the loader, as (description, program)."""
    def script(name, text):
        path = pathlib.Path(folder) / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o700)
        return Program(str(path), program.duckdb, program.folder)
    return [
        ("does nothing", script("nothing", "exit 0")),
        ("always succeeds", script("succeeds", f'"{program.loader}" "$@"; exit 0')),
        ("reports nothing", script("silent", f'"{program.loader}" "$@" >/dev/null 2>&1')),
        ("erases another user", script("another", f'[ "$3" = - ] || printf "xu\\n" >"$3"; "{program.loader}" "$@"')),
    ]


def self_test(program, seed, folder):
    """Returns what the check doesn't notice."""
    def discard(root):
        shutil.rmtree(root / ".erasure", ignore_errors=True)

    def spoiled(check, spoil):
        root, before, numbers = check.built(True)
        origin = pathlib.Path(f"{root}.origin")
        shutil.copytree(root, origin)

        def work():
            code, output = check.program.erase(root, "u")
            if code != 0 or final_problems(root, before, numbers, {"u"}):
                raise SystemExit(f"the erasure failed before the folder was spoiled: {output}")
            spoil(root, origin)
            return final_problems(root, before, numbers, {"u"})
        check.fail("spoiled", in_child(work))
    trials = [(description, program, lambda check, spoil=spoil: spoiled(check, spoil)) for description, spoil in spoils()]
    trials += [(f"a program that {description}", broken, lambda check: (check.exit_codes(), check.every_user(True)))
               for description, broken in programs(program, folder)]
    trials.append(("decided changes discarded", program, lambda check: check.every_call(True, after_kill=discard)))
    missed = []
    for index, (description, used, trial) in enumerate(trials):
        work = pathlib.Path(folder) / f"self-test-{index}"
        work.mkdir()
        check = Check(used, work, seed + index, with_syncs=False)
        with contextlib.redirect_stdout(io.StringIO()):
            trial(check)
        print(f"{'noticed' if check.failures else 'MISSED'}: {description}", flush=True)
        missed += [] if check.failures else [description]
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--loader", required=True, help="the program loader")
    parser.add_argument("--duckdb", required=True, help="DuckDB's command-line program")
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
        source = pathlib.Path(__file__).with_name("kill_at_call.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", f"{folder}/kill_at_call.so", source, "-ldl"], check=True)
        pathlib.Path(folder, "loader.conf").touch()
        program = Program(os.path.abspath(options.loader), options.duckdb, folder)
        if options.self_test:
            return 1 if self_test(program, options.seed, folder) else 0
        check = Check(program, folder, options.seed, most_files, with_syncs=not options.short)
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
