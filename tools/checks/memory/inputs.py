"""What the commands read: the same lines as a file, packed, cut in halves, and where a database will be. Each is made when
it is first asked for."""
import functools
import json
import pathlib
import shutil
import subprocess

import sample_lines


class Inputs:
    def __init__(self, count, folder, schemas):
        self.count, self.folder, self.schemas = count, pathlib.Path(folder), schemas
        # A user of many: of the line in the middle.
        self.user = sample_lines.user(count // 2)
        # prune --user looks into the whole folder of what it is given.
        for name in ["database", "lines"]:
            (self.folder / name).mkdir()
        self.database = self.path("database/events.sqlite")

    @functools.cached_property
    def lines(self):
        return self.made("events.jsonl", range(self.count))

    @functools.cached_property
    def care_lines(self):
        """The same lines, to be changed."""
        return self.made("lines/events.jsonl", range(self.count))

    @functools.cached_property
    def even(self):
        """Every second line."""
        return self.made("even.jsonl", range(0, self.count, 2))

    @functools.cached_property
    def odd(self):
        """The others."""
        return self.made("odd.jsonl", range(1, self.count, 2))

    @functools.cached_property
    def varied(self):
        """Lines that nothing can be counted together of."""
        return self.made("varied.jsonl", range(self.count), sample_lines.varied_line)

    @functools.cached_property
    def gzip(self):
        return self.packed("events.jsonl.gz", ["gzip", "-1", "-c"])

    @functools.cached_property
    def zstd(self):
        return self.packed("events.jsonl.zst", ["zstd", "-1", "-q", "-c"])

    @property
    def has_zstd(self):
        return shutil.which("zstd") is not None

    @functools.cached_property
    def refusing_schemas(self):
        """A plan that no line satisfies: of another version of the container."""
        plan = self.path("plan")
        shutil.copytree(self.schemas, plan)
        path = pathlib.Path(plan, "container/1-0-0.json")
        container = json.loads(path.read_text(encoding="utf-8"))
        container["properties"]["v"] = {"const": 2}
        path.write_text(json.dumps(container), encoding="utf-8")
        return plan

    def resolved(self, argument):
        """The path of an input that an argument names: @lines."""
        return getattr(self, argument[1:]) if argument.startswith("@") else argument

    def made(self, name, numbers, line=sample_lines.line):
        """The path of a file of made lines."""
        sample_lines.write(self.path(name), numbers, line)
        return self.path(name)

    def packed(self, name, command):
        """The path of the lines, compressed."""
        with open(self.path(name), "xb") as file:
            subprocess.run([*command, self.lines], stdout=file, check=True)
        return self.path(name)

    def path(self, name):
        """A path in the folder."""
        return str(self.folder / name)

    def file(self, name, text):
        """The path of a file with this text."""
        (self.folder / name).write_text(text, encoding="utf-8")
        return self.path(name)
