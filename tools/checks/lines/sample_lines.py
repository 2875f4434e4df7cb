"""Lines of events that satisfy the schemas, of any number; the same ones in every run.

Ten lines a second of five events, twenty lines to a session, each session another user's up to 400,009 users, who then
come back. Names of events stand where no event's name does, too.
"""

BLOCK = 10_000
FIRST_SECOND = 1536753247

_EVENTS = [
    ("search", '{"name":"search","value":{"query":"launch number %d","page":%d}}'),
    ("page-view", '{"name":"page-view","value":{"page":"repository-detail","additional":"https://github.com/a/%d?p=%d"}}'),
    ("page-view", '{"name":"page-view","value":{"page":"search-%d","additional":"%d"}}'),
    ("notification",
     '{"name":"notification","value":{"identifier":"new","user_info":{"event":{"name":"search"},"n":[%d,%d]}}}'),
    ("launch", '{"name":"launch"}'),
    ("page-view", '{"name":"page-view","value":{"page":"repository-search"}}'),
    ("background", '{"name":"background"}'),
]
_LINES = [
    '{"v":1,"id":"018f3c00-0000-7000-8000-%012x","install_id":"install-a","seq":%d,'
    '"session_id":"00000000-0000-4000-8000-%012x","user_id":"user-%d","time":%d.%d00001,"schema":"'
    + name + '/1-0-0","context":{"app":"GitHubClient 1.0","sdk":"swift-tracking 0.1.0"},"event":' + event + "}\n"
    for name, event in _EVENTS
]
_VALUES = [event.count("%d") for _, event in _EVENTS]


def user(number):
    """The number of a line's user."""
    return number // 20 * 7919 % 400_009


def line(number):
    """The line of a number, from 0, with its line feed; its event has the next number within its install."""
    kind = number * 31 // 7 % len(_LINES)
    values = (number % 5000, number % 7 + 1)[:_VALUES[kind]]
    return _LINES[kind] % (
        number, number + 1, number // 20, user(number), FIRST_SECOND + number // 10, number % 10,
        *values)


def varied_line(number):
    """A line whose event, install, user, session and minute are its own."""
    return (
        f'{{"v":1,"id":"018f3c00-0000-7000-8000-{number:012x}","install_id":"install-{number}","seq":1,'
        f'"session_id":"00000000-0000-4000-8000-{number:012x}","user_id":"user-{number}",'
        f'"time":{FIRST_SECOND + 60 * number},"schema":"event-{number}/1-0-0","event":{{"name":"event-{number}"}}}}\n')


def write(path, numbers, line=line):
    """Writes the lines of these numbers to a new file."""
    with open(path, "x", encoding="utf-8") as file:
        for first in range(0, len(numbers), BLOCK):
            file.write("".join(map(line, numbers[first:first + BLOCK])))
