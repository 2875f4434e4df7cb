/// The style of the page.
enum PageStyle {
    static let text = """

        :root {
          color-scheme: light dark;
          --ground: #fff; --raised: #f6f7f8; --line: #e3e5e8; --text: #1d2126; --quiet: #656d77;
          --accent: #0b62c4; --personal: #9a4a00; --personal-ground: #fdf1e3;
          --string: #116329; --number: #0550ae; --literal: #8250df;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --ground: #14171a; --raised: #1c2024; --line: #2e3439; --text: #e3e6e9; --quiet: #98a1ab;
            --accent: #6cb2ff; --personal: #f0b072; --personal-ground: #36281a;
            --string: #7ee2a0; --number: #79c0ff; --literal: #d2a8ff;
          }
        }
        * { box-sizing: border-box; }
        html { scroll-behavior: smooth; scroll-padding-top: 1.5rem; }
        body {
          margin: 0; display: grid; grid-template-columns: 15rem minmax(0, 1fr);
          background: var(--ground); color: var(--text);
          font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
        }
        a { color: var(--accent); text-decoration: none; }
        a:hover { text-decoration: underline; }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
        code, pre, .version, dt { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .86em; }
        nav {
          position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 2rem 1.25rem;
          border-right: 1px solid var(--line);
        }
        nav p { margin: 0 0 .9rem; }
        nav .home a { color: inherit; font-weight: 600; }
        nav .group { margin: 1.4rem 0 .4rem; color: var(--quiet); font-size: .8rem; }
        nav ul { list-style: none; margin: 0; padding: 0; }
        nav li a { display: block; padding: .18rem 0; }
        input {
          width: 100%; margin-bottom: 1rem; padding: .4rem .6rem; font: inherit; color: inherit;
          background: var(--raised); border: 1px solid var(--line); border-radius: 6px;
        }
        main { width: 100%; max-width: 66rem; padding: 2rem 2.5rem 6rem; }
        h1 { margin: 0; font-size: 1.75rem; letter-spacing: -.01em; }
        header p { margin: .3rem 0 0; color: var(--quiet); }
        section { margin-top: 2.75rem; padding-top: 1.6rem; border-top: 1px solid var(--line); }
        h2 { display: flex; align-items: baseline; gap: .7rem; margin: 0; font-size: 1.3rem; }
        h2 > a:first-child { color: inherit; }
        .version { font-weight: 400; font-size: .8rem; color: var(--quiet); }
        .lead { margin: .25rem 0 1rem; }
        h3 { margin: 1.5rem 0 .5rem; font-size: .95rem; }
        .scroll { overflow-x: auto; }
        table { width: 100%; border-collapse: collapse; }
        th { padding: .4rem 1rem .4rem 0; text-align: left; font-weight: 500; font-size: .8rem; color: var(--quiet); }
        td { padding: .5rem 1rem .5rem 0; vertical-align: top; border-top: 1px solid var(--line); }
        th:first-child, td:first-child { width: 24%; }
        th:nth-child(2), td:nth-child(2) { width: 13%; }
        th:nth-child(3), td:nth-child(3) { width: 26%; }
        td:first-child code { font-weight: 600; overflow-wrap: anywhere; }
        s { text-decoration: none; font-weight: 400; color: var(--quiet); }
        small { display: block; color: var(--quiet); font-size: .8rem; }
        .pattern { color: var(--quiet); overflow-wrap: anywhere; }
        em {
          display: inline-block; padding: 0 .45rem; border-radius: 4px; font-style: normal; font-size: .8rem;
          color: var(--personal); background: var(--personal-ground);
        }
        pre {
          margin: 1rem 0 0; padding: .85rem 1rem; overflow-x: auto; line-height: 1.5;
          background: var(--raised); border-radius: 8px;
        }
        pre b { font-weight: 400; }
        pre i { font-style: normal; }
        .s { color: var(--string); } .n { color: var(--number); } .l { color: var(--literal); }
        dl { margin: 0; }
        dt { margin-top: .7rem; font-weight: 600; }
        dt time { font-weight: 400; color: var(--quiet); }
        dd { margin: .1rem 0 0; }
        #_nothing { margin-top: 3rem; color: var(--quiet); }
        @media (max-width: 46rem) {
          body { display: block; }
          nav { position: static; height: auto; padding: 1.25rem 1.25rem 0; border: 0; }
          nav ul { display: flex; flex-wrap: wrap; gap: 0 1rem; }
          main { padding: 1.25rem 1.25rem 4rem; }
          thead { display: none; }
          tr, td { display: block; }
          tr { padding: .6rem 0; border-top: 1px solid var(--line); }
          td, td:nth-child(n) { width: auto; padding: 0; border: 0; }
          small { display: inline; }
        }
        @media print {
          body { display: block; } nav { display: none; } main { max-width: none; padding: 0; }
          section { break-inside: avoid; }
        }
        @media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }

        """
}

/// The script of the page. It hides sections that don't match the search. Without scripts, everything is shown.
enum PageScript {
    static let text = """

        (() => {
          const filter = document.getElementById("_filter");
          const nothing = document.getElementById("_nothing");
          const entries = [...document.querySelectorAll("section")].map((section) => ({
            section,
            link: document.querySelector(`nav li a[href="#${CSS.escape(section.id)}"]`).parentElement,
            text: section.textContent.toLowerCase(),
          }));
          const apply = () => {
            const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
            let shown = 0;
            for (const { section, link, text } of entries) {
              const matches = words.every((word) => text.includes(word));
              section.hidden = link.hidden = !matches;
              shown += matches;
            }
            nothing.hidden = shown > 0;
          };
          filter.hidden = false;
          filter.addEventListener("input", apply);
          document.addEventListener("keydown", (event) => {
            if (event.key === "/" && document.activeElement !== filter) {
              event.preventDefault();
              filter.focus();
            }
          });
          // Browsers may restore the search text with the page.
          apply();
        })();

        """
}
