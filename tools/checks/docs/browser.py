"""Looks at pages of the site in headless Chromium, narrow and wide, light and dark; leaves screenshots in .build/docs-screenshots."""
import functools
import http.server
import os
import pathlib
import re
import subprocess
import tempfile
import threading

WIDTHS = [360, 1400]
SCHEMES = {"light": 1, "dark": 0}

# In a frame as wide as the screen it stands for: Chromium's own windows are never narrower than 500 px.
FRAME = """<!doctype html><meta charset="utf-8"><style>body{{margin:0}}</style><pre id="answer" hidden></pre>
<iframe id="page" width="{width}" height="1100" style="border:0" src="{address}"></iframe><script>
const frame = document.getElementById("page");
const look = () => {{
  const page = frame.contentDocument, title = page.querySelector("h1");
  if (!title) return setTimeout(look, 100);
  setTimeout(() => {{
    const root = page.documentElement;
    const color = frame.contentWindow.getComputedStyle(page.body).backgroundColor;
    document.getElementById("answer").textContent =
      JSON.stringify([title.textContent.trim(), root.scrollWidth, frame.contentWindow.innerWidth, color]);
  }}, 500);
}};
frame.addEventListener("load", look);
</script>"""


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def run(chromium, profile, *options):
    return subprocess.run(
        [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-background-networking",
         "--disable-component-update", "--no-first-run", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
         "--enable-logging=stderr", "--virtual-time-budget=10000", f"--user-data-dir={profile}", *options],
        capture_output=True, text=True, timeout=120)


def faults(chromium, site, addresses):
    shots = site.parent / "docs-screenshots"
    shots.mkdir(exist_ok=True)
    found = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        profile = pathlib.Path(folder) / "profile"
        frame = site / "frame.html"
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=site))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        host = f"http://127.0.0.1:{server.server_port}"
        try:
            for address in addresses:
                # Not a folder's index, which for the first page only leads to another.
                place = "/documentation/swifttracking/" if address == "/documentation" else address + "/"
                for width in WIDTHS:
                    for scheme, number in SCHEMES.items():
                        frame.write_text(FRAME.format(width=width, address=place))
                        # In the address, too: a browser asks for the frame again only if its time in seconds has changed.
                        name = f"{address.strip('/').replace('/', '-')}-{width}-{scheme}"
                        look = [f"--blink-settings=preferredColorScheme={number}", f"--window-size={max(width, 500)},1100"]
                        shot = shots / f"{name}.png"
                        done = run(chromium, profile, *look, "--dump-dom", f"{host}/frame.html?{name}")
                        # For people to look at: CI has none.
                        if "CI" not in os.environ:
                            run(chromium, profile, *look, f"--screenshot={shot}", f"{host}/frame.html?{name}")
                        found += judge(name, width, scheme, done)
        finally:
            server.shutdown()
            frame.unlink(missing_ok=True)
    return found


def judge(name, width, scheme, done):
    answer = re.search(r'<pre id="answer" hidden="">\["(.*)",(\d+),(\d+),"rgb\((\d+).*?\)"\]</pre>', done.stdout)
    if not answer:
        return [f"{name}: the page was not drawn"]
    title, wide, inner, red = answer.group(1), *map(int, answer.groups()[1:])
    console = [line for line in done.stderr.splitlines() if ":CONSOLE" in line and "favicon" not in line]
    return [f"{name}: the console says: {line}" for line in console] \
        + ([f"{name}: '{title}' is {wide} px wide"] if wide > width or inner != width else []) \
        + ([f"{name}: drawn in the other colours"] if (red < 128) != (scheme == "dark") else [])
