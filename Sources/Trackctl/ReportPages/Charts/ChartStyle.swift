/// The CSS of chart pages.
enum ChartStyle {
    static let text = """

        :root {
          color-scheme: light dark;
          --ground: #fff; --raised: #f5f7f9; --line: #dfe3e7; --text: #1b2026; --quiet: #5b646e; --accent: #0b62c4;
          --heat: 0 114 178; --c0: #8b949e; --c1: #0072b2; --c2: #e69f00; --c3: #009e73; --c4: #cc79a7; --c5: #56b4e9;
          --c6: #d55e00;
        }
        @media screen and (prefers-color-scheme: dark) {
          :root {
            --ground: #14171a; --raised: #1d2125; --line: #333a41; --text: #e5e8eb; --quiet: #a0a9b3; --accent: #6cb2ff;
            --heat: 58 148 214; --c0: #7b858f; --c1: #2f8fd0; --c2: #e8ab25; --c3: #14b083; --c4: #d58fb5; --c5: #8accf3;
            --c6: #e5702a;
          }
        }
        * { box-sizing: border-box; }
        html { scroll-padding-top: 1rem; }
        body {
          margin: 0 auto; max-width: 76rem; padding: 2rem clamp(1rem, 4vw, 2.5rem) 4rem;
          background: var(--ground); color: var(--text); overflow-wrap: anywhere;
          font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
        }
        h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; letter-spacing: -.01em; }
        h2 { margin: 0 0 1rem; font-size: 1.3rem; }
        h3 { margin: 0; font-size: 1rem; }
        header p { margin: .4rem 0 0; color: var(--quiet); }
        nav { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin-top: 1rem; }
        a { color: var(--accent); text-decoration: none; }
        a:hover { text-decoration: underline; }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
        section { margin-top: 2.25rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
        figure { margin: 1.75rem 0 0; }
        h2 + figure { margin-top: 0; }
        figcaption p, .note { margin: .1rem 0 .9rem; color: var(--quiet); font-size: .9rem; }
        .note { max-width: 50rem; margin: .9rem 0 0; }
        h2 + .note { margin-top: -.5rem; }

        .tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(10.5rem, 1fr)); gap: .75rem; margin: 0; }
        .tiles div { padding: .7rem .9rem; background: var(--raised); border-radius: 8px; }
        dt { color: var(--quiet); font-size: .85rem; }
        dd { margin: 0; font-size: 1.2rem; font-weight: 600; font-variant-numeric: tabular-nums; }

        .bars, .legend { list-style: none; margin: 0; padding: 0; }
        .bars li {
          display: grid; grid-template-columns: minmax(8rem, 15rem) 1fr 9.5rem; gap: 0 1rem; align-items: center;
          padding: .22rem 0;
        }
        .bars svg { width: 100%; height: 1.15rem; display: block; }
        .bars .value { font-variant-numeric: tabular-nums; }
        .legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin-bottom: .9rem; font-size: .9rem; }
        .legend svg { width: .8rem; height: .8rem; margin-right: .4rem; vertical-align: -.05rem; }

        .plot { display: grid; grid-template-columns: auto 1fr; gap: 0 .5rem; padding: .6rem 1.4rem 0 0; }
        .plot svg { width: 100%; height: 15rem; display: block; }
        .scale { position: relative; text-align: right; }
        .scale span { position: absolute; right: 0; line-height: 1; transform: translateY(50%); white-space: nowrap; }
        .scale .widest { position: static; visibility: hidden; }
        .marks { grid-column: 2; position: relative; height: 1.8rem; }
        .marks span { position: absolute; top: .55rem; line-height: 1; transform: translateX(-50%); white-space: nowrap; }
        .scale, .marks { color: var(--quiet); font-size: .8rem; font-variant-numeric: tabular-nums; }
        .line { stroke: var(--line); fill: none; vector-effect: non-scaling-stroke; }
        .track { fill: var(--raised); }
        .pointer { fill: transparent; }
        .pointer:hover { fill: var(--text); fill-opacity: .08; }
        .c0 { fill: var(--c0); } .c1 { fill: var(--c1); } .c2 { fill: var(--c2); } .c3 { fill: var(--c3); }
        .c4 { fill: var(--c4); } .c5 { fill: var(--c5); } .c6 { fill: var(--c6); }

        details { margin-top: .7rem; }
        summary { width: max-content; color: var(--accent); font-size: .9rem; cursor: pointer; }
        .scroll { overflow-x: auto; margin-top: .5rem; }
        section > .scroll { margin-top: 1.5rem; }
        details .scroll { max-height: 24rem; overflow-y: auto; }
        table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
        th, td { padding: .3rem 1.4rem .3rem 0; text-align: left; vertical-align: top; }
        thead th { color: var(--quiet); font-weight: 500; white-space: nowrap; }
        td { min-width: 3rem; max-width: 34rem; border-top: 1px solid var(--line); }
        th.number, td.number { text-align: right; white-space: nowrap; }
        .heat { font-size: .8rem; }
        .heat th, .heat td { padding: .3rem .15rem; text-align: center; white-space: nowrap; border: 1px solid var(--ground); }
        .heat td { min-width: 1.8rem; }
        .heat th:first-child, .heat th:nth-child(2), .heat td:nth-child(2) { padding: .3rem .7rem .3rem 0; text-align: left; }
        .heat th { font-weight: 400; }
        .heat td:nth-child(2) { text-align: right; }
        .heat .share {
          background: rgb(var(--heat) / calc(var(--share) * .6));
          print-color-adjust: exact; -webkit-print-color-adjust: exact;
        }
        .heat .none { color: var(--quiet); }

        @media (max-width: 44rem) {
          .tiles { grid-template-columns: 1fr 1fr; }
          dd { font-size: 1.05rem; }
          .bars li { grid-template-columns: 1fr auto; padding: .35rem 0; }
          .bars svg { grid-row: 2; grid-column: 1 / 3; height: .8rem; }
          .bars .value { text-align: right; }
          .plot svg { height: 12rem; }
          .plot { padding-right: 1rem; }
        }
        @media print {
          body { max-width: none; padding: 0; font-size: 11pt; }
          nav, details { display: none; }
          section, figure, .tiles div { break-inside: avoid; }
        }

        """
}
