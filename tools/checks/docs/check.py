"""Checks the documentation site, and that each check fails on a site that was broken for it."""
import copy
import importlib.machinery
import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import articles
import browser

ROOT = pathlib.Path(__file__).resolve().parents[3]
HOME = "/documentation/swifttracking"
# Pages of other kinds: the landing page, an article with tables, one with code, a module, a type, the longest page.
SHOWN = [
    "/documentation", "/documentation/tracking/costs", "/documentation/tracking/gettingstarted", "/documentation/eventlog",
    "/documentation/trackingcore/tracker", "/documentation/trackctl/reference", "/documentation/swifttracking/architecture",
]


class Site:
    """The pages by their address: what DocC wrote for its renderer."""

    def __init__(self, folder):
        self.folder = folder
        data = folder / "data"
        self.pages = {
            f"/{path.relative_to(data).with_suffix('')}": json.loads(path.read_text(encoding="utf-8"))
            for path in sorted(data.rglob("*.json"))}

    def links(self, address):
        """References of a page, other than those of its breadcrumbs and of the protocols that a type conforms to."""
        page = self.pages[address]
        named = set()
        others = ("references", "hierarchy", "identifier", "relationshipsSections")
        collect({key: value for key, value in page.items() if key not in others}, named)
        return [page["references"][name] for name in sorted(named) if name in page["references"]]

    def anchors(self, address):
        found = set()
        collect_anchors(self.pages[address], found)
        return found


def collect(value, found):
    if isinstance(value, dict):
        for one in value.values():
            collect(one, found)
    elif isinstance(value, list):
        for one in value:
            collect(one, found)
    elif isinstance(value, str):
        found.add(value)


def collect_anchors(value, found):
    if isinstance(value, dict):
        if isinstance(value.get("anchor"), str):
            found.add(value["anchor"].lower())
        for one in value.values():
            collect_anchors(one, found)
    elif isinstance(value, list):
        for one in value:
            collect_anchors(one, found)


def broken_links(site):
    anchors = {}
    for address in site.pages:
        for link in site.links(address):
            kind, url = link["type"], link.get("url", "")
            if kind == "unresolvable":
                yield f"{address}: unresolved link '{link.get('title')}'"
            elif kind in ("topic", "section", "link"):
                path, _, anchor = url.partition("#")
                path = path.rstrip("/") or address
                if re.match(r"(https?|mailto):", url):
                    continue
                if path not in site.pages:
                    yield f"{address}: link to '{url}', which is not on the site"
                elif anchor:
                    known = anchors.setdefault(path, site.anchors(path))
                    if anchor.lower() not in known:
                        yield f"{address}: link to '{url}', which has no such heading"
            elif kind in ("image", "video", "download"):
                for variant in link.get("variants", [{"url": url}]):
                    if not (site.folder / variant["url"].lstrip("/")).is_file():
                        yield f"{address}: no file '{variant['url']}'"


def orphans(site):
    """Pages that no path of links reaches from the landing page, and articles that no page lists."""
    seen, waiting = {HOME}, [HOME]
    while waiting:
        for link in site.links(waiting.pop()):
            address = link.get("url", "").partition("#")[0].rstrip("/")
            if address in site.pages and address not in seen:
                seen.add(address)
                waiting.append(address)
    # Made from the landing page.
    yield from (f"{one}: not reachable from {HOME}" for one in site.pages if one not in seen and one != "/documentation")
    listed = set()
    for address, page in site.pages.items():
        for section in page.get("topicSections", []):
            for name in section["identifiers"]:
                link = page["references"].get(name, {})
                if link.get("role") == "article" and section.get("generated"):
                    yield f"{link['url']}: listed only by DocC itself, below 'Articles' in {address}"
                listed.add(link.get("url"))
    for address, page in site.pages.items():
        if page.get("kind") == "article" and address not in listed | {HOME, "/documentation"}:
            yield f"{address}: no page lists this article"


def undocumented(site):
    for address, page in site.pages.items():
        kind = page.get("metadata", {}).get("symbolKind")
        if page.get("kind") == "symbol" and kind != "extension" and not page.get("abstract"):
            yield f"{address}: public {kind} without a doc comment"


def missing_modules(site, package):
    for product in package["products"]:
        if "library" in product["type"]:
            for target in product["targets"]:
                if f"/documentation/{target.lower()}" not in site.pages:
                    yield f"{target}: a library of Package.swift that tools/docs/run does not build"
    for catalog in sorted(ROOT.glob("Sources/*/*/*.docc")):
        if f"/documentation/{catalog.stem.lower()}" not in site.pages:
            yield f"{catalog.relative_to(ROOT)}: a catalog that tools/docs/run does not build"


def missing_files(pages):
    """Links from Markdown outside the catalogs to files that don't exist."""
    for path, text in pages.items():
        text = re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.S | re.M)
        for link in re.findall(r"\]\(([^)\s]+)\)|(?:src|srcset|href)=\"([^\"]+)\"", text):
            target = next(one for one in link if one).partition("#")[0]
            if target and not re.match(r"\w+:", target) and not (ROOT / path).parent.joinpath(target).exists():
                yield f"{path}: link to '{target}', which does not exist"


def markdown():
    names = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    return {name: (ROOT / name).read_text(encoding="utf-8") for name in names if name and ".docc/" not in name}


def docc_warnings(text):
    """What `tools/docs/run` gets from DocC for a catalog of one article."""
    loader = importlib.machinery.SourceFileLoader("docs", str(ROOT / "tools/docs/run"))
    docs = importlib.util.module_from_spec(importlib.util.spec_from_loader("docs", loader))
    loader.exec_module(docs)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "Broken.docc").mkdir()
        (folder / "Broken.docc/Broken.md").write_text(text)
        docs.WORK, docs.catalog = folder, lambda _: folder / "Broken.docc"
        return docs.convert("Broken", None, [], "")


def show_that_they_fail(site, package, pages):
    def expect(found, text):
        if not any(text in one for one in found):
            sys.exit(f"docs-check: a site that is broken on purpose passes: {text}")

    def altered(change):
        other = copy.copy(site)
        other.pages = copy.deepcopy(site.pages)
        change(other.pages)
        return other

    article = "/documentation/tracking/costs"
    def unlink(pages):
        for page in pages.values():
            page["references"] = {k: v for k, v in page["references"].items() if v.get("url") != article}
    expect(orphans(altered(unlink)), f"{article}: not reachable")
    expect(orphans(altered(unlink)), f"{article}: no page lists")
    def list_automatically(pages):
        for page in pages.values():
            for section in page.get("topicSections", []):
                section["generated"] = True
    expect(orphans(altered(list_automatically)), "listed only by DocC itself")
    expect(broken_links(altered(lambda pages: pages.pop(article))), f"link to '{article}', which is not on the site")
    def misspell(pages):
        for reference in pages[HOME]["references"].values():
            if reference.get("url") == article:
                reference["url"] += "#misspelt"
    expect(broken_links(altered(misspell)), "has no such heading")
    def lose_image(pages):
        for reference in pages[HOME]["references"].values():
            for variant in reference.get("variants", []):
                variant["url"] += ".lost"
    expect(broken_links(altered(lose_image)), "no file")
    expect(undocumented(altered(lambda pages: pages["/documentation/trackingcore/tracker"].pop("abstract"))), "tracker: public")
    expect(missing_modules(altered(lambda pages: pages.pop("/documentation/jsonschema")), package), "JSONSchema: a library")
    expect(missing_files(pages | {"README.md": "[lost](lost.md)"}), "link to 'lost.md'")
    def spoilt(path):
        text = (ROOT / path).read_text(encoding="utf-8")
        if path.endswith("ExitStatus.swift"):
            return text.replace("busy = 75", "busy = 76")
        return text.replace("await tracker.flush()", "tracker.flush()") if path.endswith("Servers.md") else text

    expect(articles.faults(ROOT, spoilt), "ExitCodes lists other names")
    expect(articles.faults(ROOT, spoilt), "Servers.md: this code is not in")
    expect([one["summary"] for one in docc_warnings("# Broken\n\n@Metadata {\n @TechnologyRoot\n}\n\nA.\n\n<doc:Lost>\n")], "Lost")


def main():
    site = Site(pathlib.Path(sys.argv[1]))
    warnings = json.loads(pathlib.Path(sys.argv[2]).read_text())
    chromium = sys.argv[3]
    package = json.loads(subprocess.run(
        ["swift", "package", "dump-package"], cwd=ROOT, capture_output=True, text=True, check=True).stdout)
    pages = markdown()
    faults = [f"{one['path']}:{one['line']}: {one['summary']}" for one in warnings]
    faults += [*broken_links(site), *orphans(site), *undocumented(site), *missing_modules(site, package), *missing_files(pages)]
    faults += articles.faults(ROOT)
    if chromium:
        faults += browser.faults(chromium, site.folder, [one for one in SHOWN if one in site.pages])
    for fault in faults:
        print(f"docs-check: {fault}", file=sys.stderr)
    if faults:
        sys.exit(1)
    show_that_they_fail(site, package, pages)
    looked = f"looked at {len(SHOWN)} pages, narrow and wide, light and dark" if chromium else \
        "no Chromium here to look at pages with (on Debian: apt-get install chromium)"
    print(f"docs-check: {len(site.pages)} pages, all reachable, no broken link; {looked}; each check fails on a broken site")


main()
