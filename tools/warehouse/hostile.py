"""Lines and rows of `numbers` that are easy to get wrong: text, numbers, times, forks, duplicates and fates.

The lines are valid for `trackctl stats`; events named `hostile-…` are not in a plan.
"""

import json
import random

DAY = 86_400_000_000
START = 1_418_000_000_000_000 // DAY * DAY
DAYS = [0, 1, 2, 5, 13, 31, 32, 44]
USERS = ["plain", "o'Neil \"x\" \\ y", "é", "e\u0301", "😀👩‍👩‍👧", "a\u0000b", "tab\tand\nline", "' OR 1=1 --", "{x}", "$x", ":x",
         "%s", "NULL", " ", "\u2028", "日本語", "ß", "SS"]
PROPERTIES = [
    None, "{}", '{"event":"x","line":"y","seq":5,"time":"2015-01-01T00:00:00Z","user_id":null,"properties":{"properties":[]}}',
    # The collector rejects integers beyond ±(2^53 - 1); these show the limit of ClickHouse, 64 bits.
    '{"big":12345678901234567890,"biggest":18446744073709551615,"exact":9007199254740993,"least":-9223372036854775808}',
    '{"none":null,"list":[1,"x",null,{"a":[]}],"empty":{},"yes":true,"text":"true"}', '{"a.b":1,"a":{"b":2}}',
    '{"":1,"a b":2,"é":3,"quote\\"s":4,"$x":5,"[0]":6,"#":7}', '{"decimal":0.30000000000000004,"zero":-0.0,"exponent":1E2,"one":1.0}',
    '{"text":"\\u0000 \\" \\\\ \\/ \\b \\t \\u00e9 é 😀 \\ud83d\\ude00"}', '{"page":"7"}', '{"page":7}', '{"page":"detail","more":"x"}',
    '{"nested":{"page":"detail"}}', '{"page":"\\u0064etail"}', '{"page":"a:b"}',
]
NAMES = ["hostile-start", "hostile-view", "hostile-search", "hostile-end"]


def line(install, seq, session, user, time, name, properties):
    """time: microseconds since 1970."""
    seconds = f"{time // 1_000_000}.{time % 1_000_000:06d}".rstrip("0").rstrip(".")
    value = "" if properties is None else f',"value":{properties}'
    return (f'{{"v":1,"id":"{time:012x}-{install}-{seq}","install_id":{json.dumps(install)},"seq":{seq},'
            f'"session_id":{json.dumps(session)},"user_id":{json.dumps(user, ensure_ascii=False)},"time":{seconds},'
            f'"schema":"{name}/1-0-0","event":{{"name":"{name}"{value}}}}}')


def events(seed=1):
    """(line, fork) of some installs."""
    source = random.Random(seed)
    found = []
    for index, user in enumerate(USERS):
        install = f"hostile-{index}" if index % 5 else f"hostile {user.replace(chr(0), '')}"
        seq, first_day = source.choice([1, 1, 3, 4_000_000_000, 9_007_199_254_740_000]), source.choice(DAYS[:4])
        for day in [first_day] + sorted(source.sample(DAYS[4:], source.randrange(4))):
            time = START + day * DAY + source.choice([0, 1, 43_200_000_000, DAY - 1_000_000])
            session = f"{install} {day}" if source.random() < 0.8 else "shared session"
            for _ in range(source.randrange(1, 9)):
                found.append((line(install, seq, session, user, time, source.choice(NAMES), source.choice(PROPERTIES)), ""))
                if source.random() < 0.1:
                    found.append(found[-1])
                if source.random() < 0.2:
                    found.append((line(install, seq, session, source.choice(USERS), time + source.randrange(3), source.choice(NAMES),
                                       source.choice(PROPERTIES)), "fork-1"))
                if source.random() < 0.05:
                    # A fork of a number without another row, such as an erased one.
                    seq += 1
                    found.append((line(install, seq, session, user, time, source.choice(NAMES), None), "fork-2"))
                seq += source.choice([1, 1, 1, 2, 5])
                # Equal times, one microsecond, and steps at, below and above the limits of funnels.
                time += source.choice([0, 0, 1, 999_999, 60_000_000, 60_000_001, 3_600_000_000])
    # The second step exactly at the limit of 60 s, and one microsecond later.
    for index, delay in enumerate([60_000_000, 60_000_001]):
        install = f"limit {index}"
        for seq, (name, offset) in enumerate([("hostile-start", 0), ("hostile-view", delay)], 1):
            found.append((line(install, seq, install, install, START + offset, name, None), ""))
    return found


def numbers():
    """Rows of the table `numbers`: several fates for one number, also for stored numbers, ranges that touch and overlap."""
    def one(install, first, last, fate, received_at="2014-12-31 23:30:00.000000"):
        return {"install_id": install, "first": first, "last": last, "fate": fate, "reason": f"{fate} 'é' \"x\"",
                "received_at": received_at, "collector": "c1", "batch": ""}
    return [
        # Only in `numbers`: 1-2 missing, 3-10 refused over held, 8-9 opted out over both, 11 dropped, 12 missing, 13-20 erased over all,
        # 21-30 forked.
        one("only numbers", 3, 20, "held"), one("only numbers", 3, 10, "refused"), one("only numbers", 5, 6, "dropped"),
        one("only numbers", 8, 9, "opted-out"), one("only numbers", 20, 20, "opted-out"),
        one("only numbers", 11, 11, "dropped"), one("only numbers", 12, 12, "unknown"), one("only numbers", 13, 20, "erased"),
        one("only numbers", 15, 18, "refused"), one("only numbers", 21, 30, "forked"), one("only numbers", 21, 22, "held"),
        one("only numbers", 0, 0, "dropped"), one("only numbers", 0, 1, "erased"),
        # A range of a billion numbers, and the same range twice.
        one("wide", 1, 1_000_000_000, "dropped"), one("wide", 1, 1_000_000_000, "dropped"), one("wide", 500, 9_007_199_254_740_991, "held"),
        # Fates of numbers that are stored: held (stored later), refused, forked (a fork was refused), opted out
        # (reported after a line was stored), erased (row not deleted yet).
        one("hostile-1", 1, 40, "held", "2015-01-01 00:30:00.000000"), one("hostile-1", 2, 3, "refused"),
        one("hostile-2", 1, 40, "forked", "2015-01-01 00:30:00.000000"),
        one("hostile-3", 3, 9, "opted-out"), one("hostile-3", 1, 5, "erased"), one("hostile-4", 1, 2, "dropped", "2015-01-02 00:00:00.000000"),
    ]
