"""Pools that schemas and instances draw from: small, so that they meet."""

from decimal import Decimal

NAMES = ["a", "b", "c", "foo", "bar", "x1", "x2", "", "é", "a/b", "m~n", "p%q", "😀", "a longer name, number 1", "A"]

STRINGS = ["", "a", "b", "ab", "abc", "foo", "bar", "foobar", "FOO", "x1", "12", "é", "e\u0301", "日本", "😀😀", "a b",
           "_", "-", "nul\u0000", "tab\t", "a\nb", "\"\\/", "1", "true", "null", "aab", "bc", "ooo"]

LETTERS = "abcoxf012 é😀_-"

# A pattern, the same for the re module of Python, and texts that match.
PATTERNS = [
    ("^a", "^a", ["a", "abc"]),
    ("b$", r"b\Z", ["b", "ab"]),
    ("^[a-z]+$", r"^[a-z]+\Z", ["foo", "x"]),
    (r"\d+", "[0-9]+", ["12", "a1"]),
    (r"^\w*$", r"^[A-Za-z0-9_]*\Z", ["", "a_1"]),
    ("^(foo|bar)", "^(foo|bar)", ["foo", "barb"]),
    ("^.{2,3}$", r"^[^\n\r\u2028\u2029]{2,3}\Z", ["é😀", "abc"]),
    (r"\s", r"[\t\n\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]", ["a b"]),
    ("^[^a]*$", r"^[^a]*\Z", ["", "foo"]),
    ("^(?:ab)*$", r"^(?:ab)*\Z", ["", "abab"]),
    ("o{2}", "o{2}", ["oo", "foo"]),
    ("^a?b*c+$", r"^a?b*c+\Z", ["c", "abbc"]),
    (r"\u00e9", "\u00e9", ["é"]),
    (r"^\S+$", r"^[^\t\n\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+\Z", ["a-b"]),
    (r"\bfoo\b", r"(?a:\bfoo\b)", ["foo", "a foo"]),
    ("^(?!a)", "^(?!a)", ["b", ""]),
    ("^(?=.*1).*a", "^(?=.*1).*a", ["a1", "1a"]),
    (r"^(.)\1$", r"^(.)\1\Z", ["aa"]),
    ("^x", "^x", ["x1", "x2"]),
    ("[0-9]$", r"[0-9]\Z", ["x1"]),
    ("^[a-c]$", r"^[a-c]\Z", ["a", "b"]),
    ("", "", ["", "a"]),
    (r"^\p{L}+$", r"^[^\W\d_]+\Z", ["é", "ab"]),
    ("a|b|^$", r"a|b|^\Z", ["a", ""]),
    (r"[\-_]", r"[\-_]", ["-"]),
    (r"\.\/\\|\(\)", r"\./\\|\(\)", ["()"]),
    ("^(a|ab)(c|bcd)?$", r"^(a|ab)(c|bcd)?\Z", ["abcd", "ac"]),
    ("a+?b", "a+?b", ["aab"]),
]

NUMBERS = [0, 1, -1, 2, 3, 5, 7, 10, 12, 100, -3, 255, 1000, Decimal("0.0"), Decimal("-0.0"), Decimal("1.0"),
           Decimal("0.5"), Decimal("0.1"), Decimal("0.3"), Decimal("1.5"), Decimal("-2.5"), Decimal("3.14"),
           Decimal("1E+2"), Decimal("1E-2"), Decimal("1.10"), Decimal("19.99"), Decimal("0.30000000000000004"),
           9007199254740991, 9007199254740993, 2**63 - 1, 2**63, -(2**63), 2**64 + 1, 12345678901234567890123,
           Decimal("12345678901234567890.5"), Decimal("1E+30"), Decimal("1E-30"), Decimal("1E+308"),
           Decimal("4.9E-324"), Decimal("123456.789"), Decimal("-1E+2")]

DIVISORS = [1, 2, 3, 5, 7, 10, 12, Decimal("0.1"), Decimal("0.01"), Decimal("0.5"), Decimal("2.5"), Decimal("0.3"),
            Decimal("1E-3"), Decimal("1E+1"), Decimal("1.10"), Decimal("0.07"), Decimal("1E-30"), 2**64 + 1,
            12345678901234567, Decimal("1.0"), Decimal("123.456"), 1000]
