"""The folder that loaders write: names, manifests, hashes, locks, and files that survive a power failure.

  events/dt=2015-01-01/hour=00/<block>.jsonl.zst     rows; dt and hour of received_at, in UTC
  events/dt=2015-01-01/hour=00/compacted-<n>.parquet rows of several blocks, written by compaction
  numbers/dt=2015-01-01/<block>.jsonl.zst            numbers without a row, and why
  numbers/dt=2015-01-01/compacted-<n>.parquet        numbers of several blocks, written by compaction
  manifests/<partition>/<number>.json                the block is complete
  compactions/2015-01-01-00-<n>.json                 which files of an hour of events became which Parquet file
  compactions/2015-01-01-numbers-<n>.json            which files of a day of numbers became which Parquet file
  numbers/dt=2015-01-01/erased-<n>.jsonl.zst         numbers of erased rows, written by erase
  erasures/<n>.json                                  the digests of these files
  .compaction/                                       unfinished compactions
  .erasure/                                          the unfinished change of an erasure
  .maintenance.lock                                  held exclusively by compact and erase
  .files.lock                                        shared by a loader from the creation of a draft until its folder is synced,
                                                     exclusive while folders are exchanged
"""

import contextlib
import fcntl
import hashlib
import json
import os
import pathlib

LINES = ".jsonl.zst"
PARQUET = ".parquet"


def line_hash(line):
    """The first 8 bytes, little-endian, of the SHA-256 of a line (bytes without its line feed)."""
    return int.from_bytes(hashlib.sha256(line).digest()[:8], "little")


def range_hash(lines):
    """The sum modulo 2^64 of the hashes of lines, as 16 hexadecimal digits."""
    return f"{sum(map(line_hash, lines)) % 2**64:016x}"


def ranges(numbers):
    """Distinct numbers as [[first, last], …], ascending."""
    found = []
    for number in sorted(set(numbers)):
        if found and found[-1][1] + 1 == number:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found


def file_sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sync(path):
    """Waits until a file or folder is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def own(path, like):
    """Gives a file that root has made to an owner, by the os.stat of another file, so that the loader can use it."""
    if os.geteuid() == 0 and os.stat(path).st_uid != like.st_uid:
        os.chown(path, like.st_uid, like.st_gid)


def make_folder(path):
    """Creates a folder with its parents, and syncs each parent that got a new entry."""
    path = pathlib.Path(path)
    missing = []
    while not path.is_dir():
        missing.append(path)
        path = path.parent
    for folder in reversed(missing):
        folder.mkdir(exist_ok=True)
        own(folder, os.stat(folder.parent))
        sync(folder.parent)


def write_file(path, data):
    """Writes a file under a draft name, syncs it, renames it and syncs its folder: the file is complete or absent."""
    path = pathlib.Path(path)
    make_folder(path.parent)
    draft = path.parent / f".{path.name}.draft"
    with open(draft, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.rename(draft, path)
    sync(path.parent)


def json_bytes(document):
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


@contextlib.contextmanager
def locked(path, kind=fcntl.LOCK_EX):
    """Holds a lock on a file, which is created if it is missing.

    Raises BlockingIOError if `kind` includes LOCK_NB and another process has the lock.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        own(descriptor, os.stat(os.path.dirname(path) or "."))
        fcntl.flock(descriptor, kind)
        yield
    finally:
        os.close(descriptor)


def hour_folder(day, hour):
    return f"events/dt={day}/hour={hour}"


def manifest_path(block):
    partition, number = block.split("-")
    return f"manifests/{partition}/{number}.json"


def manifest(root, block):
    """The manifest of a block; None if the block is not complete."""
    try:
        return json.loads((pathlib.Path(root) / manifest_path(block)).read_bytes())
    except FileNotFoundError:
        return None


def compactions(root):
    """The records of compactions, in order of their names."""
    return [json.loads(path.read_bytes()) for path in sorted(pathlib.Path(root).glob("compactions/*.json"))]
