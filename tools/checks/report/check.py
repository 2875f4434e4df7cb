"""Checks pages in headless Chromium; and that each check fails on a page that was broken for it."""
import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile

SECTIONS = ["overview", "over-time", "by-type", "sessions", "funnels", "retention", "schema"]
WIDTHS = [360, 768, 1400]
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>\n')

# Runs in a frame as wide as the screen it stands for. Text in a .scroll can be moved into sight.
PROBE = """<script>
addEventListener("load", () => {
  document.querySelectorAll("details").forEach(element => { element.open = true });
  const faults = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) faults.push(`the page is ${root.scrollWidth} px wide`);
  const shown = element => `${element.tagName.toLowerCase()}.${element.className}: ${element.textContent.slice(0, 40)}`;
  for (const element of document.body.querySelectorAll("h1,h2,h3,p,a,dt,dd,li span,summary,td,th,.marks span,.scale span")) {
    if (element.className === "widest") continue;
    const frame = element.getBoundingClientRect();
    if (!element.closest(".scroll") && (frame.right > innerWidth + 1 || frame.left < -1))
      faults.push(`cut off at ${Math.round(frame.left)} to ${Math.round(frame.right)}: ${shown(element)}`);
    if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== "inline")
      faults.push(`wider than its box: ${shown(element)}`);
  }
  for (const group of document.querySelectorAll(".marks, .scale, .bars li")) {
    const frames = [...group.querySelectorAll("span:not(.widest)")].map(element => [element, element.getBoundingClientRect()]);
    frames.forEach(([one, a], place) => frames.slice(place + 1).forEach(([other, b]) => {
      if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
        faults.push(`overlap: ${shown(one)} and ${shown(other)}`);
    }));
  }
  parent.postMessage({ width: innerWidth, faults }, "*");
});
</script>"""

FRAMES = """<!doctype html><meta charset="utf-8"><pre id="answers"></pre><script>
const answers = [];
addEventListener("message", event => {
  answers.push(event.data);
  document.getElementById("answers").textContent = JSON.stringify(answers);
});
</script>"""


def browse(chromium, path, folder):
    """The document as it is when it has loaded, what was logged, and what was asked for."""
    log = folder / "requests.json"
    run = subprocess.run(
        [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
         "--disable-component-update", "--no-first-run", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--enable-logging=stderr", "--window-size=1500,1000",
         "--virtual-time-budget=10000", f"--user-data-dir={folder / 'profile'}", f"--log-net-log={log}",
         "--dump-dom", path.as_uri()],
        capture_output=True, text=True, timeout=120)
    if run.returncode != 0 or not run.stdout:
        sys.exit(f"report-check: Chromium failed with {run.returncode}:\n{run.stderr}")
    console = [line for line in run.stderr.splitlines() if ":CONSOLE" in line]
    return run.stdout, console, requests_of_pages(log.read_text(encoding="utf-8", errors="replace"))


def requests_of_pages(log):
    """What pages asked for: what the browser asks for on its own has no origin. The log has an event a line."""
    events = [json.loads(line.strip().rstrip(",]")) for line in log.splitlines() if '"initiator":' in line]
    return {event["params"]["url"] for event in events if event["params"]["initiator"] != "not an origin"}


def page_faults(chromium, page, folder):
    """What is wrong with a page as it is."""
    path = folder / "page.html"
    path.write_text(page, encoding="utf-8")
    document, console, urls = browse(chromium, path, folder)
    faults = [f"the console says: {line}" for line in console]
    faults += [f"no section {name}" for name in SECTIONS if f'<section id="{name}"' not in document]
    faults += [f"asks for {url}" for url in sorted(urls) if not url.startswith(("file:", "data:", "about:", "chrome"))]
    charts = document.count("<figure>")
    if not (charts == document.count("<details>") == document.count("<figcaption><h3>") > 2):
        faults.append("a chart is without a title, or without its figures")
    return faults


def layout_faults(chromium, page, folder):
    """What is cut off or overlaps at one of the widths."""
    # The page itself runs no script: for the probe its policy is lifted, in a copy.
    probed = html.escape(POLICY.sub("", page).replace("</head>", PROBE + "</head>"))
    frames = "".join(f'<iframe width="{width}" height="900" style="border:0" srcdoc="{probed}"></iframe>' for width in WIDTHS)
    path = folder / "frames.html"
    path.write_text(FRAMES + frames, encoding="utf-8")
    document, _, _ = browse(chromium, path, folder)
    found = re.search(r'<pre id="answers">(.*?)</pre>', document, re.S)
    answers = json.loads(html.unescape(found.group(1)) or "[]") if found else []
    if sorted(answer["width"] for answer in answers) != WIDTHS:
        sys.exit(f"report-check: the probe responded only for the widths {[a['width'] for a in answers]}")
    return [f"at {answer['width']} px: {fault}" for answer in answers for fault in answer["faults"]]


def faults(chromium, page):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = pathlib.Path(name)
        return page_faults(chromium, page, folder) + layout_faults(chromium, page, folder)


def broken(page):
    """The page, broken in a way that each check must see."""
    yield "the console says", page.replace("<main>", '<main><img alt="" src="http://127.0.0.1:9/x.png">')
    yield "asks for", POLICY.sub("", page).replace("<main>", '<main><img alt="" src="http://127.0.0.1:9/x.png">')
    yield "no section funnels", page.replace('<section id="funnels"', '<section id="tunnels"')
    yield "without its figures", page.replace("<details>", "<div>", 1)
    yield "at 360 px: cut off", page.replace("<main>", '<main><p style="width:500px">wide</p>')
    yield "at 360 px: overlap", page.replace(
        "</main>", '<div class="marks"><span style="left:40%">one mark</span><span style="left:42%">another</span></div></main>')


def main():
    chromium, paths = sys.argv[1], [pathlib.Path(path) for path in sys.argv[2:]]
    is_sound = True
    for path in paths:
        page = path.read_text(encoding="utf-8")
        found = faults(chromium, page)
        for fault in found:
            print(f"{path}: {fault}", file=sys.stderr)
        is_sound = is_sound and not found
    for expected, page in broken(paths[0].read_text(encoding="utf-8")):
        if not any(expected in fault for fault in faults(chromium, page)):
            print(f"report-check: the check '{expected}' does not detect the page that was broken for it", file=sys.stderr)
            is_sound = False
    if not is_sound:
        sys.exit(1)
    print(f"report-check: {len(paths)} page{'' if len(paths) == 1 else 's'} without problems at {', '.join(map(str, WIDTHS))} px")


main()
