"""Writes an assembly file with the part of ICU's data that the programs use, to link in place of the toolchain's.

    icu_data.py lib_FoundationICU.a OUTPUT.s     prints the symbol to pass to the linker's --wrap

Foundation links ICU with the data of 800 locales and 200 character encodings: 32 MiB, which is half of a static program.
The programs write English and formats for machines. They need time zones, the calendar and ICU's root locale, to
which all other locales fall back. The linker's option --wrap points ICU to the new data, and --gc-sections drops the
old.

The format is that of `icupkg`: a header, the number of items, for each item the offsets of its name and its data,
then names and data. https://unicode-org.github.io/icu/userguide/icu_data/
"""

import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

MEMBER = "icu_packaged_data.cpp.o"
# Names without the package's folder.
KEPT = [
    # The root locale, English, and the data of all locales: time zones, calendars, plural rules, numbering systems.
    r"(root|pool|en|en_US)\.res",
    r"(currencyNumericCodes|dayPeriods|genderList|grammaticalFeatures|icustd|icuver|keyTypeData|langInfo|likelySubtags)\.res",
    r"(metadata|metaZones|numberingSystems|pluralRanges|plurals|supplementalData|timezoneTypes|units|windowsZones)\.res",
    r"(zoneinfo64|res_index)\.res",
    # Normalization, international domain names.
    r"\w+\.nrm",
    r"(uemoji|ulayout)\.icu",
    # Breaking text; currencies of regions.
    r"brkitr/((root|en|en_US|res_index)\.res|(char|line|sent|word)\.brk)",
    r"curr/((root|res_index|supplementalData)\.res)",
]
# Without these items the programs would fail, so the script stops.
REQUIRED = ["root.res", "zoneinfo64.res", "timezoneTypes.res", "supplementalData.res", "likelySubtags.res"]


class UnknownLayout(Exception):
    """The archive has an unsupported layout."""


def run(*command: str) -> bytes:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def packaged_data(archive: Path) -> tuple[str, bytes]:
    """The symbol and the bytes of the archive's data."""
    with tempfile.TemporaryDirectory() as folder:
        member, raw = Path(folder, MEMBER), Path(folder, "data")
        member.write_bytes(run("ar", "p", str(archive), MEMBER))
        run("objcopy", "-O", "binary", "-j", ".rodata", str(member), str(raw))
        symbols = re.findall(r" R (icudt\d+_dat)$", run("nm", str(member)).decode(), re.MULTILINE)
        if len(symbols) != 1:
            raise UnknownLayout(f"{MEMBER} does not define one symbol icudtNN_dat")
        return symbols[0], raw.read_bytes()


def items(data: bytes) -> tuple[bytes, list[tuple[str, bytes]]]:
    """The header, and the items by name."""
    header_size, magic = struct.unpack_from("<HH", data)
    if magic != 0x27DA or data[12:16] != b"CmnD":
        raise UnknownLayout("the data does not begin with the header of an ICU package")
    count = struct.unpack_from("<I", data, header_size)[0]
    table = [struct.unpack_from("<II", data, header_size + 4 + 8 * index) for index in range(count)]
    ends = [start for _, start in table[1:]] + [len(data) - header_size]
    found = []
    for (name, start), end in zip(table, ends):
        name_start = header_size + name
        name_end = data.index(b"\0", name_start)
        found.append((data[name_start:name_end].decode(), data[header_size + start : header_size + end]))
    return data[:header_size], found


def package(header: bytes, kept: list[tuple[str, bytes]]) -> bytes:
    """A package of these items, whose order must be that of their names."""
    names, name_offsets = b"", []
    start_of_names = 4 + 8 * len(kept)
    for name, _ in kept:
        name_offsets.append(start_of_names + len(names))
        names += name.encode() + b"\0"
    offset = -(-(start_of_names + len(names)) // 16) * 16
    padding = b"\xaa" * (offset - start_of_names - len(names))
    table, body = struct.pack("<I", len(kept)), b""
    for name_offset, (_, content) in zip(name_offsets, kept):
        content += b"\xaa" * (-len(content) % 16)
        table += struct.pack("<II", name_offset, offset + len(body))
        body += content
    return header + table + names + padding + body


def main() -> None:
    archive, output = Path(sys.argv[1]), Path(sys.argv[2])
    try:
        symbol, data = packaged_data(archive)
        header, all_items = items(data)
        is_kept = re.compile("|".join(f"(?:{pattern})" for pattern in KEPT)).fullmatch
        kept = [(name, content) for name, content in all_items if is_kept(name.partition("/")[2])]
        missing = set(REQUIRED) - {name.partition("/")[2] for name, _ in kept}
        if missing:
            raise UnknownLayout(f"the data lacks {', '.join(sorted(missing))}")
    except (UnknownLayout, subprocess.CalledProcessError) as error:
        sys.exit(f"release: cannot reduce the ICU data of {archive}: {error}; adapt tools/release/icu_data.py to this toolchain")
    reduced = package(header, kept)
    output.with_suffix(".dat").write_bytes(reduced)
    output.write_text(
        f'.section .rodata\n.globl __wrap_{symbol}\n.type __wrap_{symbol}, %object\n.balign 16\n__wrap_{symbol}:\n'
        f'.incbin "{output.with_suffix(".dat").absolute()}"\n.size __wrap_{symbol}, . - __wrap_{symbol}\n'
        '.section .note.GNU-stack,"",%progbits\n'
    )
    print(symbol)


main()
