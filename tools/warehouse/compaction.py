"""Compaction: rewrites the JSON lines of finished hours of `events`, and of finished days of `numbers`, as sorted Parquet files.

How an hour is compacted
------------------------
A day of `numbers` is compacted in the same way: its folder is `numbers/dt=…`, and its compaction is named `<day>-numbers-<n>`.
Manifests have digests and numbers of rows for files of `numbers`, but no ranges or hashes: the Parquet file is compared with the lines in
all columns. `erased-<n>.jsonl.zst`, which belongs to no block, stays.

1. Build a folder `.compaction/<hour>-<n>/hour` with `compacted-<n>.parquet`, which holds the rows of all files whose block has a
   manifest. Compare files, rows, ranges and hashes with the manifests, and the Parquet file with the lines. Write `record.json`
   next to the folder. Sync everything.
2. Add hard links to all other files of the hour: blocks without a manifest, and Parquet files of earlier runs.
3. Exchange the two folders with renameat2(RENAME_EXCHANGE).
4. Rename `record.json` to `compactions/<hour>-<n>.json`.
5. Move files that a loader added to the old folder after step 2 to the new folder. Wait for the grace period. Delete the old
   folder.

Why a listing is always right
-----------------------------
- Before step 3, the old folder has the rows as lines; the new folder is outside `events`, so that no listing of `events/*/*/*` finds
  it. Step 3 is one atomic change: the path `hour=00` is the old folder or the new one. Each folder has every row exactly once.
- A reader that opened the old folder before step 3 and lists it later still finds all files, because step 5 waits. Such a reader
  then fails to open the files that were compacted, and has to list again; it never gets a wrong result.
- A block is compacted only if its manifest exists. A loader never writes such a block again.

Why nothing is lost if a loader adds a file at the same time
------------------------------------------------------------
A loader creates a draft by its path, renames it by its path, and writes the manifest last. Let F be a file that is not compacted.
- F is renamed to its name before step 2: F is linked into the new folder, and is in both.
- With the lock `.files.lock`, which the loader shares from the creation of the draft until the folder is synced, and which steps 2
  and 3 hold exclusively: F is complete before step 2, or begins after step 3, in the new folder. F is always in sight.
- Without that lock, F can be renamed between the last listing of step 2 and step 3, a few microseconds apart. F is then in the old
  folder only, out of sight until step 5 moves it (in the next run, if this one is killed).
- Without that lock, the exchange can separate a draft from its rename. The rename then fails with ENOENT, and the loader writes the
  file again. Step 5 moves the draft, too, if the new folder has none.
- Without that lock, the kernel can create a file in the old folder after step 3, if the path was resolved before. An hour that
  seems to differ from its manifests is therefore read again after such files have been moved. Step 5 never deletes a file that it does
  not know: it deletes the compacted files and the names that the new folder has, moves all others, and removes the folder with
  rmdir(2), which fails if the folder is not empty, and is then repeated.

Why a kill at any moment is harmless
------------------------------------
Before step 3, the next run deletes the unfinished folder: it has only the new Parquet file and hard links. After step 3, the next run
does steps 4 and 5, each of which can be repeated. The Parquet file shows which case it is: before step 3, it is in
`.compaction/<hour>-<n>/hour`; after step 3, it isn't; after step 4, the record in `compactions` exists.
"""

import collections
import ctypes
import datetime
import errno
import json
import os
import pathlib
import re
import time

import duckdb

import folder as layout

ROW_GROUP = 122_880
COLUMNS = {
    "install_id": "VARCHAR", "seq": "UBIGINT", "fork": "VARCHAR", "id": "VARCHAR", "event": "VARCHAR", "schema": "VARCHAR",
    "user_id": "VARCHAR", "session_id": "VARCHAR", "time": "TIMESTAMP", "corrected_time": "TIMESTAMP", "received_at": "TIMESTAMP",
    "context": "JSON", "properties": "JSON", "validated": "BOOLEAN", "collector": "VARCHAR", "batch": "VARCHAR",
    "block": "VARCHAR", "line": "VARCHAR",
}
NUMBER_COLUMNS = {
    "install_id": "VARCHAR", "first": "UBIGINT", "last": "UBIGINT", "fate": "VARCHAR", "reason": "VARCHAR", "received_at": "TIMESTAMP",
    "collector": "VARCHAR", "batch": "VARCHAR", "block": "VARCHAR",
}
# path: relative to the folder. name: of its compactions, without their numbers. end: in seconds since 1970.
Part = collections.namedtuple("Part", "table path name end")
NO_REPLACE, EXCHANGE = 1, 2
AT_FDCWD = -100
_libc = ctypes.CDLL(None, use_errno=True)


class Mismatch(Exception):
    """A file differs from its manifest, or the Parquet file from the lines; the hour is unchanged."""


def rename(source, target, flags):
    """renameat2(2). Raises OSError: FileExistsError with NO_REPLACE; EINVAL if the file system cannot exchange."""
    if _libc.renameat2(AT_FDCWD, os.fsencode(source), AT_FDCWD, os.fsencode(target), ctypes.c_uint(flags)) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(source), None, str(target))


class Compaction:
    """Compacts the hours of events and the days of numbers of a folder. The caller holds `.maintenance.lock`.

    root: the folder.
    grace: seconds from the exchange until the old files are deleted.
    report: called with a line of text for each hour or day.
    """

    def __init__(self, root, grace, report):
        self.root, self.grace, self.report = pathlib.Path(root), grace, report
        self.unfinished = self.root / ".compaction"

    def recover(self):
        """Finishes or removes what a killed run left."""
        for work in sorted(self.unfinished.glob("*")):
            if self._is_exchanged(work):
                self._publish(work)
                self._remove(work)
            else:
                _delete(work)
        self._finish_erasure()

    def _finish_erasure(self):
        """Finishes a change of `loader erase` that was decided before a kill, and removes others; see FileChanges.swift."""
        work = self.root / ".erasure" / "changes"
        if not work.exists():
            return
        try:
            paths = json.loads((work / "changes.json").read_bytes())
        except FileNotFoundError:
            paths = []
        for index, path in enumerate(paths):
            layout.make_folder((self.root / path).parent)
            draft = work / f"{index}-{os.path.basename(path)}"
            if draft.exists():
                os.rename(draft, self.root / path)
        for parent in sorted({(self.root / path).parent for path in paths}):
            layout.sync(parent)
        layout.sync(work)
        _delete(work)

    def run(self, older_than, now=None):
        """Compacts all hours and days that ended at least `older_than` hours before `now`, in seconds since 1970 (default: the time).

        Returns the number of hours and days that were skipped because of a Mismatch, which is reported.
        """
        limit = (time.time() if now is None else now) - older_than * 3600
        exchanged, mismatches = [], 0
        for part in self._parts():
            sources = self._sources(part) if part.end <= limit else []
            if not sources:
                continue
            try:
                try:
                    work = self._build(part, sources)
                except Mismatch:
                    # A loader without the lock can have added a file of one of the blocks to a folder that was just exchanged.
                    if not sum(self._move_late(earlier) for earlier in exchanged):
                        raise
                    work = self._build(part, sources)
            except Mismatch as error:
                mismatches += 1
                self.report(f"{part.path}: {error}")
                continue
            self._exchange(work, self.root / part.path)
            self._publish(work)
            self._move_late(work)
            exchanged.append(work)
        for work in exchanged:
            self._remove(work)
        return mismatches

    def _parts(self):
        """All hours of events, then all days of numbers."""
        def part(table, path, seconds, hour="00"):
            relative, day = path.relative_to(self.root), path.relative_to(self.root / table).parts[0].removeprefix("dt=")
            start = datetime.datetime.fromisoformat(f"{day}T{hour}:00:00+00:00").timestamp()
            return Part(table, str(relative), f"{day}-{hour if table == 'events' else table}", start + seconds)
        return [
            *(part("events", path, 3600, path.name.removeprefix("hour=")) for path in sorted(self.root.glob("events/dt=*/hour=*"))),
            *(part("numbers", path, 24 * 3600) for path in sorted(self.root.glob("numbers/dt=*")))]

    def _sources(self, part):
        """The files of an hour or a day whose block is complete: entries of manifests, with `block`."""
        found = []
        for name in sorted(os.listdir(self.root / part.path)):
            block = name.removesuffix(layout.LINES)
            if not re.fullmatch(r"[0-9]+-[0-9]+", block) or block == name:
                continue
            manifest = layout.manifest(self.root, block)
            path = f"{part.path}/{name}"
            found += [{**file, "block": block} for file in (manifest or {"files": []})["files"] if file["path"] == path]
        return found

    def _build(self, part, sources):
        """Step 1. Returns the folder of the unfinished compaction; raises Mismatch and removes it."""
        number = 1 + max(
            [int(re.search(r"(\d+)\.json$", path.name)[1]) for path in self.root.glob(f"compactions/{part.name}-*.json")],
            default=0)
        work = self.unfinished / f"{part.name}-{number}"
        layout.make_folder(work / "hour")
        name = f"compacted-{number}{layout.PARQUET}"
        target = work / "hour" / name
        try:
            rows = self._write_parquet(part.table, sources, target)
        except Mismatch:
            _delete(work)
            raise
        layout.sync(target)
        layout.sync(work / "hour")
        layout.write_file(work / "record.json", layout.json_bytes({
            "parquet": {"path": f"{part.path}/{name}", "rows": rows, "bytes": target.stat().st_size,
                        "sha256": layout.file_sha256(target)},
            "files": [{key: file[key] for key in ("path", "block", "rows", "bytes", "sha256")} for file in sources],
        }))
        self.report(f"{part.path}: {len(sources)} files, {rows:,} rows, {sum(file['bytes'] for file in sources):,} bytes of lines, "
                    f"{target.stat().st_size:,} bytes of Parquet")
        return work

    def _write_parquet(self, table, sources, target):
        """Writes and verifies the Parquet file; returns its number of rows."""
        for file in sources:
            if layout.file_sha256(self.root / file["path"]) != file["sha256"]:
                raise Mismatch(f"{file['path']} differs from the SHA-256 in {layout.manifest_path(file['block'])}; "
                               "restore the file")
        with duckdb.connect() as connection:
            is_events = table == "events"
            columns, order, fingerprints = (COLUMNS, "event, install_id, seq, fork, line", _fingerprints) if is_events else (
                NUMBER_COLUMNS, "install_id, first, last, fate, reason, block, received_at, batch, collector", _row_sums)
            lines = _lines([self.root / file["path"] for file in sources], columns=columns)
            before = fingerprints(connection, lines)
            rows = collections.Counter()
            for block, *entry in before:
                rows[block] += entry[2] if is_events else entry[0]
            for file in sources:
                if rows[file["block"]] != file["rows"]:
                    raise Mismatch(f"{file['path']} has {rows[file['block']]:,} rows of block {file['block']}, its manifest states "
                                   f"{file['rows']:,}")
            if rows.keys() != {file["block"] for file in sources if file["rows"]}:
                raise Mismatch("a file has rows of another block; restore the file")
            if is_events:
                self._compare_manifests(connection, sources, before)
            connection.execute(
                f"COPY (SELECT {', '.join(columns)} FROM {lines} ORDER BY {order}) TO {_quoted(target)} "
                f"(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {ROW_GROUP})")
            if fingerprints(connection, _parquet([target])) != before:
                raise Mismatch("the Parquet file differs from the lines: internal error; please report it")
        return sum(rows.values())

    def _compare_manifests(self, connection, sources, before):
        """Compares all rows of each block with its manifest. Rows of the block in other hours are read as well."""
        paths = {file["path"] for file in sources}
        manifests = {file["block"]: layout.manifest(self.root, file["block"]) for file in sources}
        spread = {block for block, manifest in manifests.items()
                  if not paths.issuperset(file["path"] for file in manifest["files"] if file["table"] == "events")}
        found = _by_block(entry for entry in before if entry[0] not in spread)
        if spread:
            found |= _by_block(_fingerprints(connection, block_rows(self.root, spread)))
        for block, manifest in manifests.items():
            if found[block] != expected_installs(manifest):
                raise Mismatch(f"the rows of block {block} differ from the ranges or hashes in {layout.manifest_path(block)}; "
                               "restore its files")

    def _exchange(self, work, path):
        """Steps 2 and 3."""
        compacted = _names(self._record(work))
        with layout.locked(self.root / ".files.lock"):
            _link_others(path, work / "hour", compacted)
            layout.sync(work / "hour")
            layout.sync(work)
            _link_others(path, work / "hour", compacted)
            rename(work / "hour", path, EXCHANGE)
            layout.sync(path)
            layout.sync(path.parent)
            layout.sync(work)

    def _is_exchanged(self, work):
        if self._published(work).exists():
            return True
        try:
            record = json.loads((work / "record.json").read_bytes())
        except FileNotFoundError:
            return False
        return not (work / "hour" / os.path.basename(record["parquet"]["path"])).exists()

    def _published(self, work):
        return self.root / "compactions" / f"{work.name}.json"

    def _record(self, work):
        path = self._published(work)
        return json.loads((path if path.exists() else work / "record.json").read_bytes())

    def _publish(self, work):
        """Step 4."""
        published = self._published(work)
        layout.make_folder(published.parent)
        if not published.exists():
            os.rename(work / "record.json", published)
            layout.sync(published.parent)
            layout.sync(work)

    def _move_late(self, work):
        """Moves the files of the old folder that are neither compacted nor in the new folder; returns how many."""
        old, record, moved = work / "hour", self._record(work), 0
        new = (self.root / record["parquet"]["path"]).parent
        for name in set(os.listdir(old)) - _names(record):
            try:
                rename(old / name, new / name, NO_REPLACE)
                moved += 1
            except (FileExistsError, FileNotFoundError):
                # The new folder has a link or a later file with this name, or the loader has renamed its draft.
                continue
        layout.sync(new)
        layout.sync(old)
        return moved

    def _remove(self, work):
        """Step 5."""
        old, record = work / "hour", self._record(work)
        new = (self.root / record["parquet"]["path"]).parent
        # The last change of the record's inode is its rename, after the exchange.
        time.sleep(max(0, self._published(work).stat().st_ctime + self.grace - time.time()))
        while old.exists():
            self._move_late(work)
            for name in os.listdir(old):
                if name in _names(record) or (new / name).exists():
                    (old / name).unlink(missing_ok=True)
            try:
                old.rmdir()
            except OSError as error:
                if error.errno != errno.ENOTEMPTY:
                    raise
        _delete(work)


def replacements(root):
    """The paths of Parquet files by the path that they replaced."""
    return {file["path"]: record["parquet"]["path"] for record in layout.compactions(root) for file in record["files"]}


def block_rows(root, blocks, replaced=None, drafts=None):
    """A DuckDB relation, as text for FROM, of all rows of complete blocks in lines and Parquet files.

    replaced: see `replacements`; read from the folder by default.
    drafts: files to read instead of files of the folder, by the path in the folder.
    Raises Mismatch if a file of a manifest neither exists nor is listed by a compaction.
    """
    root, drafts = pathlib.Path(root), drafts or {}
    replaced = replacements(root) if replaced is None else replaced
    lines, parquet = [], set()
    for block in blocks:
        for path in [file["path"] for file in layout.manifest(root, block)["files"] if file["table"] == "events"]:
            if (root / path).exists():
                lines.append(drafts.get(path, root / path))
            elif path in replaced:
                parquet.add(drafts.get(replaced[path], root / replaced[path]))
            else:
                raise Mismatch(f"{path} of block {block} is missing, and no file in compactions lists it")
    parts = [f"SELECT * FROM {_lines(lines)}"] if lines else []
    parts += [f"SELECT * FROM {_parquet(sorted(parquet))} WHERE block IN {_list(blocks)}"] if parquet else []
    nothing = f"SELECT {', '.join(f'CAST(NULL AS {kind}) AS {name}' for name, kind in COLUMNS.items())} WHERE false"
    return f"({' UNION ALL '.join(parts or [nothing])})"


def installs_of(connection, root, blocks):
    """(install_id, fork, rows, hash, ranges) of each block, computed from its rows; to compare with `expected_installs`."""
    return _by_block(_fingerprints(connection, block_rows(root, blocks)))


def expected_installs(manifest):
    """(install_id, fork, rows, hash, ranges) as a manifest states them, sorted."""
    return sorted((entry["install_id"], entry["fork"], entry["rows"], entry["hash"], entry["ranges"])
                  for entry in manifest["installs"])


def _by_block(fingerprints):
    """(install_id, fork, rows, hash, ranges) by block; an empty list for a block without rows."""
    found = collections.defaultdict(list)
    for block, *entry in fingerprints:
        found[block].append(tuple(entry[:5]))
    return found


def _fingerprints(connection, relation):
    """(block, install_id, fork, rows, hash, ranges, sum over all columns) of each block and install, sorted."""
    return connection.execute(f"""
        WITH
            digests AS (
                SELECT *, sha256(line) AS digest,
                    hash({', '.join(f'CAST({column} AS VARCHAR)' for column in COLUMNS)}) AS columns_hash
                FROM {relation} AS relation
            ),
            islands AS (
                SELECT block, install_id, fork, seq,
                    CAST(seq AS HUGEINT) - row_number() OVER (PARTITION BY block, install_id, fork ORDER BY seq) AS island
                FROM (SELECT DISTINCT block, install_id, fork, seq FROM digests)
            ),
            spans AS (
                SELECT block, install_id, fork, min(seq) AS first_number, max(seq) AS last_number
                FROM islands
                GROUP BY block, install_id, fork, island
            ),
            numbers AS (
                SELECT block, install_id, fork, list([first_number, last_number] ORDER BY first_number) AS ranges
                FROM spans
                GROUP BY ALL
            ),
            sums AS (
                SELECT block, install_id, fork, count(*) AS size, sum(columns_hash) AS columns_sum,
                    format('{{:016x}}', CAST(sum(CAST(
                        '0x' || digest[15:16] || digest[13:14] || digest[11:12] || digest[9:10]
                            || digest[7:8] || digest[5:6] || digest[3:4] || digest[1:2] AS UBIGINT)
                    ) % 18446744073709551616 AS UBIGINT)) AS lines_hash
                FROM digests
                GROUP BY ALL
            )
        SELECT block, install_id, fork, size, lines_hash, ranges, columns_sum
        FROM sums JOIN numbers USING (block, install_id, fork)
        ORDER BY block, install_id, fork""").fetchall()


def _row_sums(connection, relation):
    """(block, rows, sum over all columns) of each block of numbers, sorted."""
    columns = ", ".join(f"CAST({column} AS VARCHAR)" for column in NUMBER_COLUMNS)
    return connection.execute(f"SELECT block, count(*), sum(hash({columns})) FROM {relation} GROUP BY block ORDER BY block").fetchall()


def _lines(paths, options="", columns=COLUMNS):
    types = ", ".join(f"{name}: '{kind}'" for name, kind in columns.items())
    return f"read_json({_list(paths)}, format = 'newline_delimited', hive_partitioning = false, columns = {{{types}}}{options})"


def _parquet(paths, options=""):
    return f"read_parquet({_list(paths)}, hive_partitioning = false{options})"


def _list(paths):
    return f"[{', '.join(map(_quoted, paths))}]"


def _quoted(value):
    return "'" + str(value).replace("'", "''") + "'"


def _names(record):
    return {os.path.basename(file["path"]) for file in record["files"]}


def _link_others(source, target, compacted):
    """Links all complete files that are not compacted into another folder."""
    for name in set(os.listdir(source)) - set(os.listdir(target)) - compacted:
        if not name.startswith("."):
            try:
                os.link(source / name, target / name)
            except FileNotFoundError:
                # Not a file of the loader: the loader never removes a complete file.
                continue


def _delete(work):
    """Deletes an unfinished compaction, which has no file that is not elsewhere, too."""
    for path in sorted(work.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    work.rmdir()
