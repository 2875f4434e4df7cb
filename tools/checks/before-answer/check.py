"""Runs the asker under strace, and reads which files it has created, written or removed, and which connections it opened.

Each case starts in the folder that the case before it has left; `granted` shows that the check sees such calls.
"""
import os
import re
import subprocess
import sys
import tempfile

CALLS = "creat,open,openat,mkdir,mkdirat,mknod,rename,renameat,renameat2,unlink,unlinkat,rmdir,link,linkat,symlink," \
    "symlinkat,truncate,ftruncate,fallocate,chmod,fchmod,fchmodat,utimensat,setxattr,fsetxattr,socket,connect,sendto"
OPENED = re.compile(r'open(?:at)?\(.*?"((?:[^"\\]|\\.)*)", ([A-Z_|0-9]+)')
# What the runtime and the C library do in any program.
HARMLESS = ("/dev/null", "/dev/urandom", "/proc/", "/sys/")


def changes(trace):
    """Yields the calls that create, change or connect, in their order; also "answered"."""
    for line in trace:
        call = line.split(" ", 1)[1].strip() if line[0].isdigit() else line.strip()
        if 'write(2, "answered' in call:
            yield "answered"
        if call.startswith(("write(", "+++", "---", "<...")) or " = -1 " in call:
            continue
        opened = OPENED.match(call)
        if opened:
            path, flags = opened.groups()
            if re.search("O_(WRONLY|RDWR|CREAT|TRUNC)", flags) and not path.startswith(HARMLESS):
                yield call
        else:
            yield call


def run(asker, folder, case):
    with tempfile.NamedTemporaryFile("r", suffix=".strace") as output:
        command = ["strace", "-f", "-qq", "-s", "200", "-e", "trace=write," + CALLS, "-o", output.name,
                   asker, folder, "http://127.0.0.1:9/v1/events", case]
        process = subprocess.run(command, capture_output=True, text=True, timeout=60)
        if process.returncode != 0:
            sys.exit(f"before-answer: the program ended with {process.returncode} in the case {case}:\n{process.stderr}")
        if "ask\n" not in process.stderr and case != "granted":
            sys.exit(f"before-answer: {case}: opened() did not report consentUnknown:\n{process.stderr}")
        return list(changes(output))


def names(folder):
    return sorted(os.listdir(folder)) if os.path.exists(folder) else None


def main():
    asker = sys.argv[1]
    failures = []

    def expect(holds, text):
        if not holds:
            failures.append(text)

    with tempfile.TemporaryDirectory() as parent:
        folder = os.path.join(parent, "tracking")
        calls = run(asker, folder, "unanswered")
        expect(calls == ["answered"], "without an answer: " + "; ".join(calls))
        expect(names(folder) is None, f"without an answer, there is a folder with {names(folder)}")
        calls = run(asker, folder, "denied")
        early = calls[:next((i for i, call in enumerate(calls) if ".tracking.json.lock" in call or "mkdir" in call), 0)]
        expect(not early, "before a denial: " + "; ".join(early))
        expect(names(folder) == [".tracking.json.lock", "tracking.json"], f"after a denial, there are {names(folder)}")
        stored = open(os.path.join(folder, "tracking.json")).read()
        expect("denials" in stored and "device_id" not in stored and "ada" not in stored, f"a denial has stored {stored}")
        calls = calls[calls.index("answered"):]
        expect(calls == ["answered"], "after a denial: " + "; ".join(calls))
        calls = run(asker, folder, "denied-before")
        expect(calls == ["answered"], "where a denial is stored: " + "; ".join(calls))
        calls = run(asker, folder, "granted")
        text = "\n".join(calls[:calls.index("answered")])
        expect("events.sqlite" in text, "an agreement creates no log: this check does not see the calls")
        expect(any(call.startswith("socket") for call in calls), "an agreement opens no connection: this check does not see it")
    for failure in failures:
        print("before-answer:", failure, file=sys.stderr)
    if failures:
        sys.exit(1)
    print("before-answer: no file is created or written, and no socket opened, before the answer")


main()
