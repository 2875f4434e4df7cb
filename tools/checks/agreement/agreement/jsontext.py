"""JSON text of values whose numbers are int or Decimal, written in one of several styles."""

import decimal
import json


class Style:
    """How a text is written: with spaces or without, characters escaped or not."""

    def __init__(self, rng=None):
        self.escapes = rng.choice(("few", "few", "non-ASCII", "all")) if rng else "few"
        spaced = rng is not None and rng.random() < 0.2
        self.comma, self.colon = (" ,\t", " : ") if spaced else (",", ":")

    def string(self, text):
        if self.escapes == "all":
            return '"' + "".join(f"\\u{unit:04x}" for unit in _utf16(text)) + '"'
        return json.dumps(text, ensure_ascii=self.escapes == "non-ASCII")


PLAIN = Style()


def _utf16(text):
    data = text.encode("utf-16-be")
    return (data[index] << 8 | data[index + 1] for index in range(0, len(data), 2))


def write(value, style=PLAIN):
    """The text of a value."""
    if value is True:
        return "true"
    if value is False:
        return "false"
    if value is None:
        return "null"
    if isinstance(value, (int, decimal.Decimal)):
        return str(value)
    if isinstance(value, str):
        return style.string(value)
    if isinstance(value, list):
        return "[" + style.comma.join(write(element, style) for element in value) + "]"
    return "{" + style.comma.join(
        style.string(name) + style.colon + write(member, style) for name, member in value.items()) + "}"
