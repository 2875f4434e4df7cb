"""The queries' rows, computed in Python from lines, for figures that trackctl does not have. Written for clarity, not for speed."""

import collections
import datetime
import json

import fixture
import folder as layout

FATES = ["erased", "stored", "opted-out", "refused", "dropped", "held", "forked"]
DAY = 86_400_000_000


class Reference:
    """events: (line, fork) in any order; numbers: rows of the table `numbers`."""

    def __init__(self, events, numbers):
        self.events = [(json.loads(line, parse_float=str), line, fork) for line, fork in events]
        for event, _, _ in self.events:
            event["microseconds"] = fixture.microseconds(str(event["time"]))
            event["day"] = event["microseconds"] // DAY
        self.numbers = numbers

    def p90(self):
        """(seconds, events): the lowest figures that at least 90 % of the sessions don't exceed."""
        times = collections.defaultdict(list)
        for event, _, _ in self.events:
            times[event["session_id"]].append(event["microseconds"])
        index = (len(times) * 9 + 9) // 10 - 1
        return (sorted((max(all_times) - min(all_times)) // 1_000_000 for all_times in times.values())[index],
                sorted(map(len, times.values()))[index])

    def rolling_users(self, days):
        active = collections.defaultdict(set)
        for event, _, _ in self.events:
            active[event["day"]].add(event["user_id"])
        return [{"day": date(day), "users": len(set().union(*(active[day - back] for back in range(days) if day - back in active)))}
                for day in range(min(active), max(active) + 1)]

    def plan_coverage(self, plan):
        planned = {(entry.split("#")[0], entry.split("#", 1)[1] if "#" in entry else None) for entry in plan}
        times = collections.defaultdict(list)
        for event, _, _ in self.events:
            for name in [None, *event["event"].get("value", {})]:
                times[event["schema"], name].append(event["microseconds"])
        text = lambda values, choose: fixture.time_text(choose(values)) if values else None
        return [{"schema": schema, "property": name, "in_plan": (schema, name) in planned, "events": len(found),
                 "first_seen": text(found, min), "last_seen": text(found, max)}
                for (schema, name), found in sorted(
                    ((key, times.get(key, [])) for key in planned | set(times)),
                    key=lambda item: (item[0][0], item[0][1] is not None, item[0][1] or ""))]

    def completeness(self):
        rows = []
        stored = collections.defaultdict(list)
        forks = collections.Counter()
        for event, _, fork in self.events:
            if fork:
                forks[event["install_id"]] += 1
            else:
                stored[event["install_id"]].append(event["seq"])
        fates = collections.defaultdict(list)
        for install, numbers in stored.items():
            fates[install] += [(first, last, "stored") for first, last in layout.ranges(numbers)]
        for one in self.numbers:
            if one["last"] >= 1:
                fates[one["install_id"]].append((max(one["first"], 1), one["last"], one["fate"]))
        for install, spans in sorted(fates.items()):
            counts, missing = self._by_fate(spans)
            rows.append({
                "install_id": install, "highest": max(last for _, last, _ in spans), "stored": counts["stored"],
                **{fate.replace("-", "_"): counts[fate] for fate in FATES if fate != "stored"}, "missing": sum(b - a + 1 for a, b in missing),
                "missing_ranges": range_text(missing), "duplicates": len(stored[install]) - len(set(stored[install])),
                "fork_rows": forks[install]})
        return rows

    @staticmethod
    def _by_fate(spans):
        """Counts by fate, and the missing ranges. The fate changes only at the ends of spans."""
        cuts = sorted({1} | {first for first, _, _ in spans} | {last + 1 for _, last, _ in spans})
        counts, missing = collections.Counter(), []
        for first, after in zip(cuts, cuts[1:]):
            here = {fate for low, high, fate in spans if low <= first <= high}
            fate = next((fate for fate in FATES if fate in here), None)
            if fate is None:
                missing.append([first, after - 1])
            else:
                counts[fate] += after - first
        return counts, missing

    def range_hashes(self, first, last, block, blocks):
        """blocks: the block of each event, in order of the events."""
        lines = collections.defaultdict(list)
        for (event, line, fork), own in zip(self.events, blocks):
            if fork == "" and first <= event["seq"] <= last and block in ("", own):
                lines[event["install_id"]].append((event["seq"], line.encode()))
        return [{"install_id": install, "ranges": range_text(layout.ranges(seq for seq, _ in found)), "line_count": len(found),
                 "hash": layout.range_hash(line for _, line in found)} for install, found in sorted(lines.items())]


def range_text(pairs):
    return ", ".join(f"{first}" if first == last else f"{first}-{last}" for first, last in pairs)


def date(day):
    return (datetime.date(1970, 1, 1) + datetime.timedelta(days=day)).isoformat()
