"""Prints the Homebrew formula of a release: version, addresses and checksums of the archives that SHA256SUMS lists.

    formula.py SHA256SUMS VERSION OWNER/NAME
"""

import re
import sys
from pathlib import Path

# Names of processors in archives, and in Homebrew.
PROCESSORS = {"x86_64": "on_intel", "aarch64": "on_arm"}


def main() -> None:
    sums, version, repository = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    home = f"https://github.com/{repository}"
    checksums = {name.lstrip("*"): checksum for checksum, name in map(str.split, sums.read_text().splitlines())}
    blocks = []
    for processor, block in PROCESSORS.items():
        archive = f"trackctl-{version}-linux-{processor}.tar.gz"
        if archive in checksums:
            blocks.append(
                f'  {block} do\n    url "{home}/releases/download/v{version}/{archive}"\n'
                f'    sha256 "{checksums[archive]}"\n  end'
            )
    if not blocks:
        sys.exit(f"release: {sums} lists no archive of trackctl {version}")
    template = Path(__file__).with_name("trackctl.rb.template").read_text()
    values = {"@HOMEPAGE@": home, "@VERSION@": version, "@SOURCES@": "\n\n".join(blocks)}
    for name, value in values.items():
        template = template.replace(name, value)
    if left := re.findall("@[A-Z]+@", template):
        sys.exit(f"release: trackctl.rb.template has {left[0]}, which formula.py does not define")
    sys.stdout.write(template)


main()
