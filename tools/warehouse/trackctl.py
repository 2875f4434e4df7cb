"""Figures of `trackctl stats`, `report` and `validate`, in the form of the queries' rows.

`report` writes a page; its tables are read from the HTML. Figures that trackctl rounds, such as `59 min 3 s`, are compared in that
form: see `duration`.
"""

import html.parser
import json
import os
import subprocess


class TrackctlError(Exception):
    """trackctl failed; the text is its message."""


class Trackctl:
    """program: path of trackctl; log: an event log or file of lines, in order of time."""

    name = "trackctl"

    def __init__(self, program, log):
        self.program, self.log = os.path.abspath(program), os.path.abspath(log)

    def output(self, *arguments):
        # In the root folder, which has no tracking plan.
        answer = subprocess.run([self.program, *arguments], cwd="/", capture_output=True, text=True)
        if answer.returncode not in (0, 1):
            raise TrackctlError(answer.stderr.strip() or f"trackctl {arguments[0]} failed with exit code {answer.returncode}")
        return answer.stdout

    def stats(self, *options):
        return json.loads(self.output("stats", self.log, "--json", *options))

    def validation(self, schemas):
        return json.loads(self.output("validate", self.log, "--format", "json", "--schemas", os.path.abspath(schemas)))

    def report(self, *options):
        """The sections of a report without a plan, by id: a Section each."""
        parser = _Page()
        parser.feed(self.output("report", self.log, *options))
        return parser.sections

    def events_per_name(self):
        return [{"event": event["name"], "events": event["count"], "bytes": event["bytes"], "longest": event["longest"],
                 "users": event["users"]["count"]} for event in self.stats()["events"]]

    def sessions(self):
        """Lengths are texts, as `duration` writes them; there is no 90th percentile."""
        tiles = self.report()["sessions"].tiles
        return {"sessions": number(tiles["Sessions"]), "median_seconds": tiles["Median length"],
                "longest_seconds": tiles["Longest"], "median_events": number(tiles["Median events"]),
                "most_events": number(tiles["Most events"])}

    def funnel(self, steps, by, within_seconds):
        options = ["--funnel", " > ".join(steps), "--funnel-by", by]
        options += ["--within", f"{within_seconds}s"] if within_seconds else []
        table = self.report(*options)["funnels"].tables[0]
        return [{"step": position, "name": name, "units": number(row[1])}
                for position, (name, row) in enumerate(zip(steps, table), 1)]

    def retention(self):
        """(cohort, day): users; None for a log whose users are all new on its last day, for which the report has no table."""
        tables = self.report()["retention"].tables
        # The last table has the counts; the one before, percentages.
        return {(cohort, day): number(cell) for cohort, *cells in tables[-1] for day, cell in enumerate(cells) if cell} if tables else None

    def users(self, start, end):
        """Distinct users from one day, included, to another, excluded; such as `2015-01-01`, in UTC."""
        return self.stats("--since", f"{start}T00:00:00Z", "--until", f"{end}T00:00:00Z")["users"]["count"]


def number(text):
    return int(text.replace(",", ""))


def duration(seconds):
    """`59 min 3 s`: the two largest units that are not zero, as `trackctl report` writes them."""
    units = [("d", 86_400), ("h", 3600), ("min", 60), ("s", 1)]
    first = next((index for index, (_, length) in enumerate(units) if seconds >= length), None)
    if first is None:
        return "0 s"
    parts, rest = [], seconds
    for name, length in units[first:first + 2]:
        if rest >= length:
            parts.append(f"{rest // length:,} {name}")
        rest %= length
    return " ".join(parts)


class Section:
    """Tiles by their titles, and the bodies of tables: lists of rows of texts."""

    def __init__(self):
        self.tiles, self.tables = {}, []


class _Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.sections, self.section, self.text, self.title = {}, Section(), None, ""

    def handle_starttag(self, tag, attributes):
        if tag == "section":
            self.section = self.sections.setdefault(dict(attributes).get("id"), Section())
        elif tag == "tbody":
            self.section.tables.append([])
        elif tag == "tr" and self.section.tables:
            self.section.tables[-1].append([])
        elif tag in ("dt", "dd", "td"):
            self.text = ""

    def handle_data(self, data):
        if self.text is not None:
            self.text += data

    def handle_endtag(self, tag):
        if tag == "dt":
            self.title = self.text
        elif tag == "dd":
            self.section.tiles[self.title] = self.text
        elif tag == "td":
            self.section.tables[-1][-1].append(self.text)
        if tag in ("dt", "dd", "td"):
            self.text = None
