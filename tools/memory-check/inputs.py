"""What the commands read: the same lines as a file, packed, cut in halves, and where a database will be."""
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
        self.lines = self.path("events.jsonl")
        sample_lines.write(self.lines, range(count))
        self.halves = [self.path("even.jsonl"), self.path("odd.jsonl")]
        for start, path in enumerate(self.halves):
            sample_lines.write(path, range(start, count, 2))
        self.varied = self.path("varied.jsonl")
        sample_lines.write(self.varied, range(count), sample_lines.varied_line)
        self.gzip = self.packed("events.jsonl.gz", ["gzip", "-1", "-c"])
        self.zstd = self.packed("events.jsonl.zst", ["zstd", "-1", "-q", "-c"]) if shutil.which("zstd") else None
        # prune --user looks into the whole folder of what it is given.
        for name in ["database", "lines"]:
            (self.folder / name).mkdir()
        self.database = self.path("database/events.sqlite")
        self.care_lines = self.path("lines/events.jsonl")
        sample_lines.write(self.care_lines, range(count))
        self.refusing_schemas = self.refusing_plan()

    def packed(self, name, command):
        """The lines, compressed."""
        with open(self.path(name), "xb") as file:
            subprocess.run([*command, self.lines], stdout=file, check=True)
        return self.path(name)

    def refusing_plan(self):
        """A plan that no line satisfies: of another version of the container."""
        plan = self.path("plan")
        shutil.copytree(self.schemas, plan)
        path = pathlib.Path(plan, "container/1-0-0.json")
        container = json.loads(path.read_text(encoding="utf-8"))
        container["properties"]["v"] = {"const": 2}
        path.write_text(json.dumps(container), encoding="utf-8")
        return plan

    def path(self, name):
        """A path in the folder."""
        return str(self.folder / name)

    def file(self, name, text):
        """The path of a file with this text."""
        (self.folder / name).write_text(text, encoding="utf-8")
        return self.path(name)
