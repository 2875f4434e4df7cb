#!/usr/bin/env python3
"""Removes all events of a user from a loader's folder, in JSON lines and in Parquet files, and proves it.

  tools/warehouse/erase DIR --user-file user.txt     user.txt has the user_id on its only line
  tools/warehouse/erase DIR --user-file -            reads it from standard input; an argument would be visible in ps

First erase the user on the device and at each collector, and with `loader erase`. Loaders may run. If it is interrupted, run it again.
Events are found by the column `user_id`, exactly. At the end all files are searched again. Other users' rows that have the id
somewhere, also as a part of another id, are counted as mentions, and stay.

Backups and snapshots that were made before the printed time still have the events.

Exit codes: 0 no event of the user is left; 1 events are left, such as new ones: run it again; 64 wrong usage; 65 a file is damaged or
differs from its manifest: restore it and run this again; 66 DIR or FILE not found; 69 the environment cannot be made; 74 a file cannot
be read or written; 75 another maintenance program holds the lock.
"""

# How a file is rewritten
# -----------------------
# 1. Compare the file with its digest, and the rows of its blocks with their manifests. A damaged file stays, and is reported.
# 2. Write the remaining rows, the changed manifests, and the changed record of the compaction as drafts to `.erasure/changes`. Compare
#    the remaining rows, in all columns, with the file's. Sync everything.
# 3. Write `.erasure/changes/changes.json`, which lists the drafts. From here on the change is decided.
# 4. Rename each draft to its path. Sync the folders. Delete `.erasure/changes`.
#
# Why a kill at any moment is harmless
# ------------------------------------
# Before step 3, the next run deletes the drafts. After step 3, the next run repeats step 4: a draft that no longer exists has been renamed.
# Drafts have only what remains, so that `compact`, or the erasure of another user, can finish the change without the user's id.
# Files, manifests and records agree before and after each change, so that a file that differs from its manifest is always damage.
#
# Completeness
# ------------
# Before the first row is removed, the numbers that no row of `numbers` states as erased are added as `numbers/dt=…/erased-<n>.jsonl.zst`,
# with a record `erasures/<n>.json`. `loader erase` publishes erased numbers only for what the stream still has. A number that is erased
# and stored counts as erased, so this order explains each number at any time. Rows of forks need none: they don't count as stored.
#
# Next to a loader
# ----------------
# A loader never writes a block again that has a manifest. Other files are rewritten alone, while `.files.lock` is held exclusively, and
# without step 3: the loader may have written the block again before the next run. No loader writes while the lock is held, so drafts in
# the folders of hours are those of killed loaders. They are deleted.

import argparse
import bisect
import collections
import contextlib
import errno
import fcntl
import json
import mmap
import os
import pathlib
import re
import sys
import time

import duckdb
import zstandard

import compaction
import folder as layout

JSON_LINES, PARQUET, NUMBERS, RECORDS, OTHERS = (
    "events, JSON lines", "events, Parquet", "numbers", "manifests, records", "other files")
KINDS = [JSON_LINES, PARQUET, NUMBERS, RECORDS, OTHERS]
LOCKS = {".files.lock", ".maintenance.lock"}
TEXTS = ["install_id", "fork", "id", "event", "schema", "user_id", "session_id", "collector", "batch", "line"]
NUMBER_TEXTS = ["install_id", "reason", "collector", "batch"]
BATCH = 200
ORIGIN = "install_id, seq, fork, block, batch, collector, received_at"


class Damaged(Exception):
    """A file cannot be read, or differs from its manifest. The text never has contents of the file."""


Row = collections.namedtuple("Row", "install_id seq fork block batch collector received_at")
# rows: the user's. entries: (block, path in its manifest) of a file whose blocks are complete; empty for others.
Found = collections.namedtuple("Found", "path kind rows entries record")


class Changes:
    """Files that are replaced together: all or, before `commit`, none."""

    def __init__(self, root):
        self.root, self.work, self.paths, self.states = root, root / ".erasure" / "changes", [], []
        layout.make_folder(self.work)

    def draft(self, path, like=None):
        """The path of the draft of a file. It gets the mode and the owner of the file `like`, by default the one it replaces."""
        self.paths.append(path)
        self.states.append(os.stat(self.root / (like or path)))
        return self.work / self._name(len(self.paths) - 1, path)

    @staticmethod
    def _name(index, path):
        # With the extension, which DuckDB needs.
        return f"{index}-{os.path.basename(path)}"

    def add(self, path, data, like=None):
        """Adds a file with its bytes. Returns its entry for a manifest, without table and rows."""
        draft = self.draft(path, like)
        draft.write_bytes(data)
        return {"path": path, "bytes": len(data), "sha256": layout.file_sha256(draft)}

    def commit(self, is_recorded=True):
        """Replaces the files. `is_recorded`: whether the next run finishes it after a kill."""
        for path in self.paths:
            parent = next(parent for parent in (self.root / path).parents if parent.exists())
            if os.stat(parent).st_dev != os.stat(self.work).st_dev:
                raise OSError(errno.EXDEV, "on another file system than the folder; move it there", str(parent))
        for index, (path, state) in enumerate(zip(self.paths, self.states)):
            draft = self.work / self._name(index, path)
            os.chmod(draft, state.st_mode & 0o777)
            layout.own(draft, state)
            layout.sync(draft)
        layout.sync(self.work)
        if is_recorded:
            layout.write_file(self.work / "changes.json", layout.json_bytes(self.paths))
        self._apply(self.root, self.work, self.paths)
        compaction._delete(self.work)

    @classmethod
    def _apply(cls, root, work, paths):
        for index, path in enumerate(paths):
            layout.make_folder((root / path).parent)
            draft = work / cls._name(index, path)
            if draft.exists():
                os.rename(draft, root / path)
        for parent in sorted({(root / path).parent for path in paths}):
            layout.sync(parent)
        layout.sync(work)

    @classmethod
    def recover(cls, root):
        """Finishes decided changes of a killed run, and removes others."""
        for work in (pathlib.Path(root) / ".erasure").glob("*"):
            try:
                paths = json.loads((work / "changes.json").read_bytes())
            except FileNotFoundError:
                paths = []
            cls._apply(pathlib.Path(root), work, paths)
            compaction._delete(work)


class Erasure:
    """Erases a user from a folder. The caller holds `.maintenance.lock`.

    root: the folder.
    user: the id; not empty.
    grace: seconds that the recovery of a compaction waits for readers.
    report: called with a line of text for each damaged file.
    """

    def __init__(self, root, user, grace, report):
        self.root, self.user, self.grace, self._report = pathlib.Path(root), user, grace, report
        self.connection = duckdb.connect()
        # A draft's name is used again.
        self.connection.execute("SET enable_external_file_cache = false")
        self.connection.execute("SET VARIABLE erased_user = $user", {"user": user})
        self.connection.execute("SET VARIABLE erased_forms = $forms", {"forms": self._forms()})
        self.rewritten, self.removed = collections.Counter(), collections.Counter()
        self.numbers_added, self.drafts_deleted = 0, 0
        self.damaged = set()

    def recover(self):
        """Finishes or removes what killed runs of compaction and erasure left."""
        compaction.Compaction(self.root, self.grace, report=lambda text: None).recover()
        Changes.recover(self.root)

    def run(self):
        """Removes the events."""
        self._delete_drafts()
        self.records = {}
        for path in sorted(self.root.glob("compactions/*.json")):
            self.records[self._json(path)["parquet"]["path"]] = str(path.relative_to(self.root))
        self.replaced = compaction.replacements(self.root)
        found = [file for file in self._find() if self._is_intact(file)]
        self._add_numbers(found)
        for file in found:
            try:
                self._rewrite(file)
            except Damaged as error:
                self._damage(file.path, error)
                Changes.recover(self.root)

    # MARK: Finding

    def _paths(self, suffix, pattern="events/*/*/*"):
        return sorted(str(path.relative_to(self.root)) for path in self.root.glob(f"{pattern}{suffix}") if path.is_file())

    def _find(self):
        """The files with events of the user."""
        found = []
        for path in self._paths(layout.LINES):
            try:
                if rows := self._split(_read_lines(self.root / path))[1]:
                    found.append(self._found(path, JSON_LINES, [Row(*(row[name] for name in Row._fields)) for row in rows]))
            except Damaged as error:
                self._damage(path, error)
        for path, count in self._count(self._paths(layout.PARQUET), compaction._parquet, "user_id = getvariable('erased_user')"):
            if count:
                rows = self.connection.execute(
                    f"SELECT {ORIGIN} FROM {compaction._parquet([self.root / path])} WHERE user_id = getvariable('erased_user')"
                ).fetchall()
                found.append(self._found(path, PARQUET, [
                    Row(*row[:-1], row[-1].strftime("%Y-%m-%d %H:%M:%S.%f")) for row in rows]))
        return found

    def _found(self, path, kind, rows):
        record = self.records.get(path) if kind == PARQUET else None
        if kind == JSON_LINES:
            block = os.path.basename(path).removesuffix(layout.LINES)
            manifest = self._manifest(block) if re.fullmatch(r"[0-9]+-[0-9]+", block) else None
            is_complete = manifest and any(file["path"] == path for file in manifest["files"])
            entries = [(block, path)] if is_complete else []
        else:
            blocks = {row.block for row in rows}
            files = self._json(self.root / record)["files"] if record else []
            entries = [(file["block"], file["path"]) for file in files if file["block"] in blocks]
        return Found(path, kind, rows, entries, record)

    def _split(self, data):
        """Rows as bytes, each with its line feed: the text without the user's rows, and the user's rows, decoded."""
        # The value of a row's column, or of a member with this name in its objects, is the id; or it has an escape, and may be.
        # In a string, quotes are escaped, so that neither alternative begins in one.
        pattern = rb'"user_id"\s*:\s*"(?:' + re.escape(self.user.encode()) + rb'"|[^"\\]*\\)'
        kept, rows, position = [], [], 0
        for match in re.finditer(pattern, data):
            if match.start() < position:
                continue
            start = data.rfind(b"\n", 0, match.start()) + 1
            end = data.find(b"\n", match.start()) + 1 or len(data)
            row = _decoded(data[start:end])
            if row.get("user_id") == self.user:
                kept.append(data[position:start])
                rows.append(row)
                position = end
        return b"".join(kept) + data[position:], rows

    def _count(self, paths, relation, condition):
        """(path, number of rows that match). Files that cannot be read are reported and left out."""
        counts = []
        for start in range(0, len(paths), BATCH):
            batch = paths[start:start + BATCH]
            try:
                counts += self._count_batch(batch, relation, condition)
            except duckdb.Error:
                for path in batch:
                    try:
                        counts += self._count_batch([path], relation, condition)
                    except duckdb.Error:
                        self._damage(path, "cannot be read; restore it and run this again")
        return counts

    def _count_batch(self, paths, relation, condition):
        source = relation([self.root / path for path in paths], ", filename = 'file_of_row'")
        counts = dict(self.connection.execute(
            f"SELECT file_of_row, count(*) FROM {source} WHERE {condition} GROUP BY ALL").fetchall())
        return [(path, counts.get(str(self.root / path), 0)) for path in paths]

    # MARK: Verification

    def _is_intact(self, file):
        try:
            self._verify(file)
            return True
        except Damaged as error:
            self._damage(file.path, error)
            return False

    def _verify(self, file):
        """Compares a file with its digest, and its blocks with their manifests."""
        if file.record:
            if {row.block for row in file.rows} != {block for block, _ in file.entries}:
                raise Damaged(f"has rows of a block that {file.record} does not list; restore the file and run this again")
            self._compare_digest(file.path, self._json(self.root / file.record)["parquet"]["sha256"], file.record)
        elif file.entries:
            block, path = file.entries[0]
            if {row.block for row in file.rows} != {block}:
                raise Damaged("has rows of another block; restore it and run this again")
            entry = next(entry for entry in self._manifest(block)["files"] if entry["path"] == path)
            self._compare_digest(path, entry["sha256"], layout.manifest_path(block))
        blocks = [block for block, _ in file.entries]
        installs = self._installs(blocks)
        for block in blocks:
            if installs[block] != compaction.expected_installs(self._manifest(block)):
                raise Damaged(f"the rows of block {block} differ from the ranges or hashes in {layout.manifest_path(block)}; restore "
                              "its files and run this again")

    def _compare_digest(self, path, digest, source):
        if layout.file_sha256(self.root / path) != digest:
            raise Damaged(f"differs from the SHA-256 in {source}; restore it and run this again")

    def _installs(self, blocks, drafts=None):
        """(install_id, fork, rows, hash, ranges) by block, sorted. `drafts`: by the path that they replace."""
        if not blocks:
            return {}
        try:
            rows = compaction.block_rows(self.root, blocks, self.replaced, drafts)
            return compaction._by_block(compaction._fingerprints(self.connection, rows))
        except compaction.Mismatch as error:
            raise Damaged(f"{error}; restore it and run this again") from error
        except duckdb.Error as error:
            raise Damaged("a file of its blocks cannot be read; restore it and run this again") from error

    # MARK: Numbers

    def _add_numbers(self, found):
        """Adds the numbers that will have no row, unless a row of `numbers` states them as erased."""
        known, wanted = self._erased_numbers({row.install_id for file in found for row in file.rows}), collections.defaultdict(list)
        for row in {row for file in found for row in file.rows}:
            if not row.fork and row.seq > 0 and row.seq not in known[row.install_id]:
                wanted[row.received_at[:10], *row[0:1], *row[3:]].append(row.seq)
        days = collections.defaultdict(list)
        for (day, install, block, batch, collector, received_at), seqs in sorted(wanted.items()):
            days[day] += [
                {"install_id": install, "first": first, "last": last, "fate": "erased", "reason": "erased", "received_at": received_at,
                 "collector": collector, "batch": batch, "block": block} for first, last in layout.ranges(seqs)]
        if not days:
            return
        names = [path.name for path in [*self.root.glob("erasures/*.json"), *self.root.glob(f"numbers/*/erased-*{layout.LINES}")]]
        number = 1 + max([int(digits[0]) for digits in (re.findall(r"\d+", name) for name in names) if digits], default=0)
        changes, files, like = Changes(self.root), [], found[0].path
        for day, rows in sorted(days.items()):
            data = zstandard.compress(b"".join(layout.json_bytes(row) + b"\n" for row in rows))
            entry = changes.add(f"numbers/dt={day}/erased-{number}{layout.LINES}", data, like)
            files.append({"path": entry["path"], "table": "numbers", "rows": len(rows), **entry})
            self.numbers_added += len(rows)
        changes.add(f"erasures/{number}.json", layout.json_bytes({"erasure": number, "files": files}) + b"\n", like)
        changes.commit()

    def _erased_numbers(self, installs):
        """The numbers that `numbers` states as erased, by install."""
        known = collections.defaultdict(lambda: _Numbers([]))
        spans = collections.defaultdict(list)
        for path in sorted(self.root.glob(f"numbers/*/*{layout.LINES}")) if installs else []:
            try:
                data = _read_lines(path)
                for row in map(_decoded, data.splitlines()) if b'"erased"' in data else []:
                    if row["fate"] == "erased" and row["install_id"] in installs:
                        spans[row["install_id"]].append((row["first"], row["last"]))
            except Damaged as error:
                self._damage(path.relative_to(self.root), error)
        for path in self._paths(layout.PARQUET, "numbers/*/*") if installs else []:
            try:
                rows = self.connection.execute(
                    f"SELECT install_id, first, last FROM {compaction._parquet([self.root / path])} WHERE fate = 'erased'").fetchall()
                for install, first, last in rows:
                    if install in installs:
                        spans[install].append((first, last))
            except duckdb.Error:
                self._damage(path, "cannot be read; restore it and run this again")
        known.update({install: _Numbers(found) for install, found in spans.items()})
        return known

    # MARK: Removal

    def _rewrite(self, file):
        if not file.entries:
            with layout.locked(self.root / ".files.lock"):
                file = self._found(file.path, file.kind, file.rows)
                if not file.entries:
                    return self._rewrite_alone(file)
            # The loader has completed the block.
            self._verify(file)
        changes = Changes(self.root)
        draft = changes.draft(file.path)
        removed = self._write_rest(file, draft)
        installs = self._installs([block for block, _ in file.entries], {file.path: draft})
        size = {"bytes": draft.stat().st_size, "sha256": layout.file_sha256(draft)}
        for block, path in file.entries:
            manifest = self._manifest(block)
            for entry in manifest["files"]:
                if entry["path"] == path:
                    # After compaction, `bytes` and `sha256` stay those of the file that no longer exists.
                    entry.update({"rows": entry["rows"] - removed[block], **({} if file.record else size)})
            new = {(install, fork): {"ranges": ranges, "rows": rows, "hash": digest}
                   for install, fork, rows, digest, ranges in installs[block]}
            if sum(entry["rows"] for entry in manifest["installs"]) - removed[block] != sum(entry["rows"] for entry in new.values()):
                raise Damaged(f"the remaining rows of block {block} are not as many as expected: internal error; please report it")
            manifest["installs"] = [{**entry, **new[entry["install_id"], entry["fork"]]} for entry in manifest["installs"]
                                    if (entry["install_id"], entry["fork"]) in new]
            changes.add(layout.manifest_path(block), layout.json_bytes(manifest) + b"\n")
        if file.record:
            record = self._json(self.root / file.record)
            record["parquet"].update({"rows": record["parquet"]["rows"] - sum(removed.values()), **size})
            for entry in record["files"]:
                entry["rows"] -= removed[entry["block"]]
            changes.add(file.record, layout.json_bytes(record))
        changes.commit()
        self._count_removed(file, removed)

    def _rewrite_alone(self, file):
        """Rewrites a file that no manifest or record lists. The caller holds `.files.lock` exclusively."""
        changes = Changes(self.root)
        removed = self._write_rest(file, changes.draft(file.path))
        changes.commit(is_recorded=False)
        self._count_removed(file, removed)

    def _count_removed(self, file, removed):
        self.rewritten[file.kind] += 1
        self.removed[file.kind] += sum(removed.values())

    def _write_rest(self, file, draft):
        """Writes and verifies the rows of other users. Returns the number of removed rows by block."""
        path, relation = self.root / file.path, compaction._lines if file.kind == JSON_LINES else compaction._parquet
        others = f"(SELECT * FROM {relation([path])} WHERE user_id IS DISTINCT FROM getvariable('erased_user'))"
        if file.kind == JSON_LINES:
            kept, rows = self._split(_read_lines(path))
            removed = collections.Counter(row["block"] for row in rows)
            draft.write_bytes(zstandard.compress(kept))
        else:
            removed = collections.Counter(row.block for row in file.rows)
            self.connection.execute(
                f"COPY (SELECT {', '.join(compaction.COLUMNS)} FROM {others}) TO {compaction._quoted(draft)} "
                f"(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {compaction.ROW_GROUP})")
        try:
            before = compaction._fingerprints(self.connection, others)
        except duckdb.Error as error:
            raise Damaged("cannot be read; restore it and run this again") from error
        if compaction._fingerprints(self.connection, relation([draft])) != before:
            raise Damaged("the remaining rows differ from the file's: internal error; please report it")
        return removed

    def _delete_drafts(self):
        """Deletes drafts of killed loaders, which may have events of the user."""
        with layout.locked(self.root / ".files.lock"):
            for path in self.root.glob(f"events/*/*/.*{layout.LINES}.draft"):
                path.unlink(missing_ok=True)
                self.drafts_deleted += 1

    # MARK: Search

    def search(self):
        """Searches every file again, by another program than the removal of lines: {kind: (files, still found, mentions)}."""
        results = {kind: (0, 0, 0) for kind in KINDS}
        mention = " OR ".join([f"contains({name}, getvariable('erased_user'))" for name in TEXTS]
                              + ["len(list_filter(getvariable('erased_forms'), lambda form: contains(line, form))) > 0"])
        for kind, suffix, relation in ((JSON_LINES, layout.LINES, compaction._lines), (PARQUET, layout.PARQUET, compaction._parquet)):
            paths = self._paths(suffix)
            left = self._count(paths, relation, "user_id = getvariable('erased_user')")
            mentions = self._count([path for path, _ in left], relation,
                                   f"user_id IS DISTINCT FROM getvariable('erased_user') AND ({mention})")
            results[kind] = (len(paths), sum(count for _, count in left), sum(count for _, count in mentions))
        numbers = self._count(self._paths(layout.PARQUET, "numbers/*/*"), compaction._parquet, " OR ".join(
            f"contains({name}, getvariable('erased_user'))" for name in NUMBER_TEXTS))
        results[NUMBERS] = (len(numbers), 0, sum(count for _, count in numbers))
        searched = {*self._paths(layout.LINES), *self._paths(layout.PARQUET), *self._paths(layout.PARQUET, "numbers/*/*")}
        forms = [form.encode() for form in [self.user, *self._forms()]]
        for path in self.root.rglob("*"):
            relative = str(path.relative_to(self.root))
            if relative in searched or relative in LOCKS or not path.is_file() or relative.endswith(".draft"):
                continue
            top = relative.split("/")[0]
            kind = NUMBERS if top == "numbers" else RECORDS if top in ("manifests", "compactions", "erasures") else OTHERS
            try:
                found = sum(any(form in line for form in forms) for line in _read_lines(path).splitlines()) if relative.endswith(
                    layout.LINES) else _has(path, forms)
            except Damaged as error:
                self._damage(relative, error)
                continue
            files, left, mentions = results[kind]
            results[kind] = (files + 1, left, mentions + found)
        return results

    def _forms(self):
        """The id as JSON may escape it."""
        texts = [json.dumps(self.user, ensure_ascii=is_ascii)[1:-1] for is_ascii in (False, True)]
        return sorted({form for text in texts for form in (text, text.replace("/", "\\/"))})

    # MARK: Files

    def _manifest(self, block):
        try:
            return layout.manifest(self.root, block)
        except ValueError as error:
            raise Damaged(f"{layout.manifest_path(block)} is not JSON; restore it and run this again") from error

    def _json(self, path):
        try:
            return json.loads(path.read_bytes())
        except ValueError as error:
            raise Damaged(f"{path.relative_to(self.root)} is not JSON; restore it and run this again") from error

    def _damage(self, path, text):
        if str(path) not in self.damaged:
            self.damaged.add(str(path))
            self._report(f"{path}: {text}")


class _Numbers:
    """A set of ranges."""

    def __init__(self, spans):
        self.firsts, self.lasts = [], []
        for first, last in sorted(spans):
            if self.lasts and first <= self.lasts[-1] + 1:
                self.lasts[-1] = max(self.lasts[-1], last)
            else:
                self.firsts.append(first)
                self.lasts.append(last)

    def __contains__(self, number):
        index = bisect.bisect_right(self.firsts, number) - 1
        return index >= 0 and number <= self.lasts[index]


def _read_lines(path):
    """The decompressed bytes of a file."""
    data, parts = path.read_bytes(), []
    try:
        while data or not parts:
            frame = zstandard.ZstdDecompressor().decompressobj()
            parts.append(frame.decompress(data))
            if not frame.eof:
                raise Damaged("ends early; restore it and run this again")
            data = frame.unused_data
    except zstandard.ZstdError as error:
        raise Damaged("cannot be decompressed; restore it and run this again") from error
    return b"".join(parts)


def _has(path, forms):
    """Whether a file has one of some bytes."""
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size == 0:
            return False
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return any(data.find(form) >= 0 for form in forms)


def _decoded(line):
    try:
        row = json.loads(line)
    except ValueError:
        row = None
    if not isinstance(row, dict):
        raise Damaged("has a row that is not a JSON object; restore it and run this again")
    return row


def table(erasure, results):
    """The report as lines of text."""
    rows = [("files", "searched", "rewritten", "events removed", "still found", "mentions")]
    for kind in KINDS:
        files, left, mentions = results[kind]
        if files or kind in (JSON_LINES, PARQUET):
            rows.append((kind, *(f"{number:,}" for number in (files, erasure.rewritten[kind], erasure.removed[kind], left, mentions))))
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    return ["  ".join([row[0].ljust(widths[0]), *(text.rjust(width) for text, width in zip(row[1:], widths[1:]))]) for row in rows]


def user_of(path):
    """The id in a file; `-` for standard input. Raises ValueError, OSError."""
    data = sys.stdin.buffer.read() if path == "-" else pathlib.Path(path).read_bytes()
    name = "standard input" if path == "-" else path
    try:
        lines = data.decode().split("\n")
    except UnicodeDecodeError as error:
        raise ValueError(f"{name} is not UTF-8; save it as UTF-8") from error
    user = lines[0].removesuffix("\r")
    if not user:
        raise ValueError(f"{name} has no user_id on its first line; an empty user_id is refused")
    if any(lines[1:]):
        raise ValueError(f"{name} has more than one line; pass one user_id")
    return user


def run(options, user):
    with layout.locked(options.folder / ".maintenance.lock", fcntl.LOCK_EX | fcntl.LOCK_NB):
        erasure = Erasure(options.folder, user, options.grace, report=lambda text: print(f"erase: {text}", file=sys.stderr))
        with contextlib.closing(erasure.connection):
            erasure.recover()
            erasure.run()
            erased_at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            results = erasure.search()
    print("\n".join(table(erasure, results)))
    if erasure.numbers_added:
        print(f"{erasure.numbers_added:,} ranges of numbers were recorded as erased.")
    if erasure.drafts_deleted:
        print(f"{erasure.drafts_deleted:,} drafts of killed loaders were deleted.")
    print(f"Backups and snapshots of the folder from before {erased_at} still have the events.")
    if erasure.damaged:
        return 65
    return 1 if any(left for _, left, _ in results.values()) else 0


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="erase", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DIR", type=pathlib.Path, help="folder of the loader")
    parser.add_argument("--user-file", metavar="FILE", required=True, help="file with the user_id on its only line; - for standard input")
    parser.add_argument("--grace", metavar="SECONDS", type=float, default=60,
                        help="time for readers, if this finishes a compaction that was killed (default: 60)")
    try:
        options = parser.parse_args(arguments)
    except SystemExit as error:
        return 64 if error.code else 0
    if not (options.folder / "events").is_dir():
        print(f"erase: {options.folder} is not a folder of a loader: it has no folder 'events'", file=sys.stderr)
        return 66
    try:
        user = user_of(options.user_file)
    except ValueError as error:
        print(f"erase: {error}", file=sys.stderr)
        return 64
    except OSError as error:
        print(f"erase: cannot read {options.user_file}: {error.strerror}; check its permissions", file=sys.stderr)
        return 66
    try:
        return run(options, user)
    except BlockingIOError:
        print(f"erase: {options.folder} is locked by another compact or erase; try again later", file=sys.stderr)
        return 75
    except Damaged as error:
        print(f"erase: {error}", file=sys.stderr)
        return 65
    except (OSError, duckdb.Error) as error:
        print(f"erase: {error}", file=sys.stderr)
        return 74


if __name__ == "__main__":
    sys.exit(main())
