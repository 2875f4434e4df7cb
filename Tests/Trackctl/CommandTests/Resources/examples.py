"""Runs command lines by bash, each in a fresh copy of a folder of files, two at a time.

    python3 examples.py FOLDER PROGRAMS <lines >results

FOLDER/files is the folder that is copied; the commands start in its folder `app`, and its folder `home` is their $HOME.
PROGRAMS is where `trackctl` is. Standard input has a command a line; standard output gets a line of JSON for each, in
the same order: its exit code and what it wrote to standard error.
"""

import concurrent.futures
import json
import os
import queue
import shutil
import subprocess
import sys


def state(path):
    status = os.lstat(path)
    return status.st_mode, status.st_mtime_ns, status.st_size


def restore(source, copy):
    """Makes `copy` what `source` is, and touches only what differs: whole copies would be most of the work."""
    for parent, folders, names in os.walk(copy, topdown=False):
        for name in folders + names:
            path = os.path.join(parent, name)
            if not os.path.lexists(source + path[len(copy):]):
                shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.remove(path)
    for parent, folders, names in os.walk(source):
        os.makedirs(copy + parent[len(source):], exist_ok=True)
        for name in names:
            path = os.path.join(parent, name)
            other = copy + path[len(source):]
            if not os.path.lexists(other) or state(path) != state(other):
                shutil.copy2(path, other)


def run(line):
    copy = copies.get()
    restore(os.path.join(folder, "files"), copy)
    app = os.path.join(copy, "app")
    # A new file must not be there yet.
    if " --to events.jsonl" in line:
        os.remove(os.path.join(app, "events.jsonl"))
    environment = dict(
        os.environ, HOME=os.path.join(copy, "home"), USER_ID="u", PATH=programs + os.pathsep + os.environ["PATH"])
    done = subprocess.run(
        ["/bin/bash", "-c", "set -e -o pipefail; eval \"$1\"", "-", line], cwd=app, env=environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    copies.put(copy)
    return {"exitCode": done.returncode, "stderr": done.stderr.decode(errors="replace")}


folder, programs = sys.argv[1:]
copies = queue.SimpleQueue()
for number in (1, 2):
    copies.put(os.path.join(folder, f"run-{number}"))
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for result in pool.map(run, sys.stdin.read().splitlines()):
        print(json.dumps(result))
