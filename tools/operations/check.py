"""Checks the files of this folder, and that each check can fail; see `check`."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ARTICLES = HERE.parents[1] / "Sources/Documentation/SwiftTracking.docc/Guides"
# The highest exposure of `systemd-analyze security`, from 0.0 to 10.0, times ten.
HIGHEST_EXPOSURE = 20
# What a program does without a subcommand.
DEFAULT_COMMANDS = {"collector": "serve", "loader": "run"}
# A command line of a program with options, such as in 'sudo -u collector collector keys add NAME --data FOLDER'.
PROGRAM = r"(?:collector|loader|trackctl)"
COMMAND = re.compile(rf"(?:^|[\s/;(])({PROGRAM}(?: +(?!{PROGRAM}\b)[^\s|;#)<-][^\s|;#)<]*)* +--[^|;#)<]*)")
SYSTEM_UNITS = pathlib.Path("/lib/systemd/system")


def run(command, **variables):
    """The exit status, and all output."""
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL,
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"} | variables)
    return done.returncode, (done.stdout + done.stderr).strip()


class Check:
    def __init__(self, folder, articles, options, scratch):
        self.folder, self.articles, self.options, self.scratch = folder, articles, options, scratch
        self.units = sorted((folder / "systemd").iterdir())
        self.notes = []

    def findings(self):
        for check in (self.verify, self.exposure, self.broker, self.users, self.container, self.secrets):
            yield from check()
        if self.options.binaries:
            for check in (self.unit_options, self.configuration, self.commands):
                yield from check()

    # systemd

    def instance(self, unit):
        return unit.name.replace("@.", "@0-7.")

    def root(self):
        """A root folder with the system's units, these units, and empty programs instead of the installed ones."""
        root = self.scratch / "root"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(SYSTEM_UNITS, root / "usr/lib/systemd/system", symlinks=True, ignore_dangling_symlinks=True)
        (root / "etc/systemd/system").mkdir(parents=True)
        # Programs of the system's own units are not of interest.
        for name in ("usr/local/bin/collector", "usr/local/bin/loader", "usr/local/bin/nats-server",
                     "opt/swift-tracking/environment/bin/python"):
            program = root / name
            program.parent.mkdir(parents=True, exist_ok=True)
            program.touch(0o755)
        (root / "bin").mkdir()
        (root / "bin/kill").touch(0o755)
        for unit in self.units:
            shutil.copy(unit, root / "etc/systemd/system" / unit.name)
        return root

    def verify(self):
        root = self.root()
        for unit in self.units:
            status, output = run([
                "systemd-analyze", "verify", f"--root={root}", "--recursive-errors=no", "--man=no", self.instance(unit)])
            # A misspelt name is a warning: systemd ignores it.
            if status != 0 or output:
                yield f"systemd-analyze verify {unit.name}: status {status}\n{output}"

    def exposure(self):
        root = self.root()
        for unit in self.units:
            if unit.suffix != ".service":
                continue
            status, output = run([
                "systemd-analyze", "security", "--offline=true", f"--threshold={HIGHEST_EXPOSURE}", f"--root={root}", "--no-pager",
                self.instance(unit)])
            found = re.search(r"Overall exposure level for \S+: ([\d.]+)", output)
            self.notes.append(f"exposure of {unit.name}: {found[1] if found else 'unknown'}")
            if status != 0 or not found:
                yield f"systemd-analyze security {unit.name}: status {status}; see the last line\n{output[-300:]}"

    # NATS

    def certificate(self):
        """A key and a certificate for the examples."""
        key, certificate = self.scratch / "key.pem", self.scratch / "certificate.pem"
        if not key.exists():
            status, output = run([
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=nats-1",
                "-days", "1", "-keyout", key, "-out", certificate])
            if status != 0:
                sys.exit(f"operations: openssl cannot make a certificate:\n{output}")
        return key, certificate

    def broker(self):
        text = (self.folder / "configuration/nats.conf").read_text()
        passwords = self.environment_file("nats-server.env")
        key, certificate = self.certificate()
        examples = re.sub(r"^#:", "", text, flags=re.M)
        if examples.count("cert_file") != 2 or "accounts" not in examples:
            yield "nats.conf: the examples for TLS and for users are not marked with '#:'"
        examples = re.sub(r'"/etc/nats/tls/[^"]*\.key"', f'"{key}"', examples)
        examples = re.sub(r'"/etc/nats/tls/[^"]*\.pem"', f'"{certificate}"', examples)
        for name, content in (("nats.conf", text), ("nats.conf with its examples", examples)):
            path = self.scratch / "nats.conf"
            path.write_text(content)
            status, output = run([self.options.nats_server, "-t", "-c", path], **passwords)
            if status != 0 or "is valid" not in output:
                yield f"nats-server -t rejects {name}: status {status}\n{output}"
        for expected in ("sync_interval: always", "max_payload: 1MB"):
            if not re.search(rf"^ *{expected}$", text, re.M):
                yield f"nats.conf: '{expected}' is missing"

    # Files

    def environment_file(self, name):
        pairs = {}
        for line in (self.folder / "configuration" / name).read_text().splitlines():
            if line and not line.startswith("#"):
                variable, _, value = line.partition("=")
                pairs[variable] = value
        return pairs

    def users(self):
        known = set(re.findall(r"^u (\S+)", (self.folder / "configuration/sysusers.conf").read_text(), re.M))
        for unit in self.units:
            for user in re.findall(r"^User=(\S+)", unit.read_text(), re.M):
                if user not in known:
                    yield f"{unit.name}: sysusers.conf does not create the user {user}"
            if unit.suffix == ".service" and "\nUser=" not in unit.read_text():
                yield f"{unit.name}: runs as root; add User="

    def container(self):
        status, output = run([self.options.hadolint, "--no-color", self.folder / "Containerfile"])
        if status != 0:
            yield f"hadolint: status {status}\n{output}"
        text = (self.folder / "Containerfile").read_text()
        final = text[text.rindex("\nFROM "):]
        for pattern, advice in ((r"^USER (?!root|0\b)\S+", "a USER that is not root"), (r"^STOPSIGNAL SIGTERM", "STOPSIGNAL SIGTERM"),
                                (r"^HEALTHCHECK .*\n?.*readyz", "a HEALTHCHECK of /readyz"), (r"^VOLUME ", "a VOLUME")):
            if not re.search(pattern, final, re.M):
                yield f"Containerfile: the last stage has no {advice}"

    def secrets(self):
        """Every password in the examples is a placeholder, and no secret is in a file that is not mode 0600."""
        for path in sorted((self.folder / "configuration").iterdir()):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                secret = re.search(r"(?:password|PASSWORD)\s*[:=]\s*([^\s,}]+)|://[^:/@\s]+:([^@\s]+)@", line)
                if not secret:
                    continue
                value = secret[1] or secret[2]
                if value != "CHANGE-ME" and not value.startswith("$"):
                    yield f"{path.name}:{number}: a password instead of CHANGE-ME"
                if not path.name.endswith(".env") and not value.startswith("$"):
                    yield f"{path.name}:{number}: a secret outside an .env file"

    # Programs

    def help_of(self, program, *command):
        if not hasattr(self, "known"):
            self.known = {}
        if (program, *command) not in self.known:
            status, output = run([self.options.binaries / program, *command, "--help"])
            self.known[(program, *command)] = (
                set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", output)) | {"--help"} if status == 0 else None)
        return self.known[(program, *command)]

    def unknown_options(self, words):
        """The options of a command line that the program does not have."""
        program, rest = pathlib.PurePath(words[0]).name, words[1:]
        command = []
        while rest and re.fullmatch(r"[a-z]+", rest[0]) and self.help_of(program, *command, rest[0]) is not None and len(command) < 2:
            if self.help_of(program, *command, rest[0]) == self.help_of(program, *command) and command:
                break
            command.append(rest.pop(0))
        if not command and program in DEFAULT_COMMANDS:
            command = [DEFAULT_COMMANDS[program]]
        known = self.help_of(program, *command) or set()
        for word in rest:
            name = word.partition("=")[0]
            if re.fullmatch(r"--[a-z][a-z-]*", name) and name not in known:
                yield f"'{' '.join([program, *command])}' has no option {name}"

    def unit_options(self):
        for unit in self.units:
            for line in re.findall(r"^ExecStart=(.*)", unit.read_text(), re.M):
                if pathlib.PurePath(line.split()[0]).name in ("collector", "loader"):
                    for fault in self.unknown_options(line.split()):
                        yield f"{unit.name}: {fault}"

    def configuration(self):
        for program, command, arguments in (("collector", ["serve"], ["serve", "--print-config"]), ("loader", ["run"], ["run", "--print-ddl"])):
            text = (self.folder / f"configuration/{program}.conf").read_text()
            known = {name[2:] for name in self.help_of(program, *command)}
            for name in re.findall(r"^#?([a-z-]+) = ", text, re.M):
                if name not in known:
                    yield f"{program}.conf: '{program}' has no option '{name}'"
            hidden = {f"{program.upper()}_{name}" for name in ("CLICKHOUSE_PASSWORD",)}
            for variable in self.environment_file(f"{program}.env"):
                name = variable.removeprefix(f"{program.upper()}_").lower().replace("_", "-")
                if name not in known and variable not in hidden:
                    yield f"{program}.env: '{program}' has no option for {variable}"
            status, output = run([self.options.binaries / program, *arguments], **{
                f"{program.upper()}_CONFIG": str(self.folder / f"configuration/{program}.conf"),
                **self.environment_file(f"{program}.env")})
            if status != 0:
                yield f"{program} rejects its configuration: status {status}\n{output[-500:]}"

    def commands(self):
        """Every option of the project's programs in the articles exists."""
        for name in ("ClusterOperation.md", "Runbooks.md"):
            for block in re.findall(r"^```sh\n(.*?)^```", (self.articles / name).read_text(), re.S | re.M):
                for line in block.replace("\\\n", " ").splitlines():
                    for found in COMMAND.finditer(line):
                        for fault in self.unknown_options(found[1].split()):
                            yield f"{name}: {fault}"


# A file, a text in it, its replacement: each must be a finding.
FAULTS = [
    ("systemd/collector.service", "ProtectSystem=strict", "ProtectSytem=strict", "a misspelt setting"),
    ("systemd/collector.service", "/usr/local/bin/collector", "/usr/local/bin/colector", "a program that does not exist"),
    ("systemd/collector.service", "TimeoutStopSec=40s", "TimeoutStopSec=fourty", "an invalid value"),
    ("systemd/loader@.service", "SystemCallFilter=@system-service", "SystemCallFilter=@sytem-service", "an unknown set of system calls"),
    ("systemd/warehouse-compact.timer", "OnCalendar=hourly", "OnCalendar=hourlyy", "an invalid time"),
    ("systemd/loader@.service", "NoNewPrivileges=yes\nCapabilityBoundingSet=\nProtectSystem=strict\n", "", "a unit with more rights"),
    ("systemd/loader@.service", "User=loader", "User=loaders", "a user that does not exist"),
    ("systemd/nats-server.service", "User=nats\n", "", "a unit that runs as root"),
    ("configuration/nats.conf", "jetstream {", "jetstreem {", "an unknown section"),
    ("configuration/nats.conf", "lame_duck_duration: \"30s\"", "lame_duck_duration: \"3s\"", "an invalid duration"),
    ("configuration/nats.conf", "$NATS_LOADER_PASSWORD", "$NATS_LODER_PASSWORD", "an unknown variable in an example"),
    ("configuration/nats.conf", "sync_interval: always", "sync_interval: \"2m\"", "a server that acknowledges before the sync"),
    ("configuration/loader.env", "CHANGE-ME", "hunter2", "a password in an example"),
    ("Containerfile", "USER 10001:10001", "USER root", "an image that runs as root"),
    ("Containerfile", "\nFROM debian", "\nFORM debian", "a misspelt instruction"),
]
FAULTS_OF_PROGRAMS = [
    ("systemd/loader@.service", "--metrics-file", "--metric-file", "an unknown option in a unit"),
    ("configuration/collector.conf", "keep-bytes =", "keep-byte =", "an unknown option in a configuration file"),
    ("configuration/collector.conf", "replicas = 3", "replicas = 2", "an invalid value in a configuration file"),
    ("configuration/loader.env", "LOADER_STREAM=", "LOADER_STREAMS=", "an unknown option in an environment file"),
]
FAULTS_OF_ARTICLES = [
    ("Runbooks.md", "--warehouse ", "--warehose ", "an unknown option in an article"),
    ("Runbooks.md", "--user-file ", "--userfile ", "an unknown option of a subcommand in an article"),
    ("ClusterOperation.md", "--admin --data", "--administrator --data", "an unknown option behind sudo in an article"),
]


def main():
    parser = argparse.ArgumentParser(prog="tools/operations/check", description=__doc__)
    parser.add_argument("--binaries", metavar="DIR", type=pathlib.Path, help="folder with collector, loader and trackctl")
    parser.add_argument("--nats-server", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--hadolint", required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    for name in ("collector", "loader", "trackctl") if options.binaries else ():
        if not (options.binaries / name).is_file():
            print(f"operations: {options.binaries / name} not found; build it, or pass another folder to --binaries", file=sys.stderr)
            return 66
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        check = Check(HERE, ARTICLES, options, scratch)
        findings = list(check.findings())
        for note in sorted(set(check.notes)):
            print(note)
        for finding in findings:
            print(f"WRONG: {finding}")
        if findings:
            return 1
        faults = [(HERE, fault) for fault in FAULTS + (FAULTS_OF_PROGRAMS if options.binaries else [])]
        faults += [(ARTICLES, fault) for fault in (FAULTS_OF_ARTICLES if options.binaries else [])]
        for folder, (name, text, replacement, kind) in faults:
            copies = {}
            for original in (HERE, ARTICLES):
                copies[original] = scratch / original.name
                shutil.rmtree(copies[original], ignore_errors=True)
                shutil.copytree(original, copies[original])
            path = copies[folder] / name
            before = path.read_text()
            if text not in before:
                findings.append(f"{name} no longer has '{text}'; correct FAULTS in check.py")
                continue
            path.write_text(before.replace(text, replacement))
            if not list(Check(copies[HERE], copies[ARTICLES], options, scratch).findings()):
                findings.append(f"not detected: {kind} in {name}")
        for finding in findings:
            print(f"WRONG: {finding}")
        if not findings:
            count = len(list((HERE / "configuration").iterdir()))
            programs = "" if options.binaries else "; pass --binaries to compare options with --help"
            print(f"operations: {len(check.units)} units, {count} configuration files and the Containerfile are correct; "
                  f"{len(faults)} planted errors were detected{programs}")
        return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
