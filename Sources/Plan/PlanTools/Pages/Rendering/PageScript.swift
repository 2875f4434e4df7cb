/// The script of the page: it hides what a search does not match. Without it, everything is shown.
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
          // A browser may bring the words back with the page.
          apply();
        })();

        """
}
