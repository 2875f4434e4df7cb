import GitHubClient
import GitHubTerminal
import Testing
import TrackingTesting

/// What keys do, and what is to be seen then. What the app fires is said by its own tests, and on a real terminal by
/// `ScreenTests`.
@Suite("The app on a terminal")
struct BrowserTests {
    let recorder = TrackingRecorder(exhaustivity: .off)
    let catalogue: RepositoryCatalogue
    let app: HeadlessApp
    var browser: Browser

    init() throws {
        let names = ["flux", "flux-検索-größe", "flux\u{1B}[2J"] + (4...30).map { "flux-\($0)" }
        catalogue = try RepositoryCatalogue(
            lines: names.enumerated().map { index, name in
                let name = name.replacing("\u{1B}", with: #"\u001b"#)
                return Array(
                    #"{"id":\#(index + 1),"name":"\#(name)","html_url":"https://github.com/one/\#(index + 1)"}"#.utf8)
            })
        app = HeadlessApp(
            environment: GitHubEnvironment(base: .mock(recording: recorder), session: catalogue))
        browser = Browser(app: app, size: ScreenSize(rows: 10, columns: 60))
        app.take(.opened(.repositorySearch))
        _ = browser.draw()
    }

    /// What is to be seen.
    var screen: Screen { mutating get { browser.draw() } }

    /// Presses a key, and nothing is drawn.
    mutating func stays(_ key: Key) -> Bool { browser.press(key) }

    /// Presses keys, each on the screen that the one before has left.
    mutating func press(_ keys: [Key]) {
        for key in keys {
            #expect(stays(key))
            _ = screen
        }
    }

    /// The rows of the list that are seen, without their addresses.
    var names: [String] {
        mutating get {
            screen.lines[3...6].map { line in
                String(line.text.prefix { $0 != "h" }.reversed().drop { $0 == " " }.reversed())
            }
        }
    }

    /// Searches for a text, wherever the cursor is.
    mutating func search(_ text: String) {
        if screen.cursor == nil { press([.text("/")]) }
        press([.clear] + text.map { .text($0) } + [.enter])
    }

    @Test("the first screen asks for a text, where the cursor stands")
    mutating func start() {
        #expect(
            screen.text == """
                GitHub repositories
                Search





                \("")
                Type what to look for, then press Enter
                Enter searches  Down list  Ctrl-U empties  Ctrl-C ends
                """)
        #expect(screen.cursor?.row == 1)
        #expect(screen.cursor?.column == 8)
        press([.text("検"), .text("x")])
        #expect(screen.cursor?.column == 11)
    }

    @Test("results fill the lines that there are; wide names keep the columns, control characters are shown as escapes")
    mutating func results() {
        search("flux")
        #expect(
            screen.text == """
                GitHub repositories
                Search  flux

                > flux                  https://github.com/one/1
                  flux-検索-größe       https://github.com/one/2
                  flux\\u{1b}[2J         https://github.com/one/3
                  flux-4                https://github.com/one/4

                20 repositories, page 2 of 2 follows
                Up Down End  Enter opens  / search  r retry  n notification…
                """)
        #expect(screen.cursor == nil)
    }

    @Test("a row beyond the last line scrolls the list, and the list's end brings the next page")
    mutating func scrolling() {
        search("flux")
        press([.pageDown])
        #expect(names == ["  flux-検索-größe", "  flux\\u{1b}[2J", "  flux-4", "> flux-5"])
        press([.end])
        #expect(names == ["  flux-17", "  flux-18", "  flux-19", "> flux-20"])
        #expect(screen.lines[8].text == "30 repositories, no more")
        press([.home, .up])
        #expect(names == ["  flux", "  flux-検索-größe", "  flux\\u{1b}[2J", "  flux-4"])
        #expect(screen.cursor != nil)
    }

    @Test("a row opens its page, and back shows the list where it was")
    mutating func detail() {
        search("flux")
        press([.down, .enter])
        #expect(
            screen.text.hasPrefix(
                "flux-検索-größe\n\nhttps://github.com/one/2\n\nb back  n notification  q quit\n"))
        press([.escape])
        #expect(screen.lines[4].text.hasPrefix("> flux-検索"))
    }

    @Test("the second of two quick taps reaches the list, not the page that the first has opened")
    mutating func quickTaps() {
        search("flux")
        #expect(stays(.enter))
        #expect(stays(.enter))
        #expect(app.stack.count == 2)
    }

    @Test("q types a letter in the search field, and leaves everywhere else")
    mutating func leaving() {
        press([.text("q")])
        #expect(screen.lines[1].text == "Search  q")
        press([.tab])
        #expect(!stays(.text("q")))
        search("flux")
        press([.enter])
        #expect(!stays(.text("q")))
    }

    @Test("a text that is too long shows its end, and what is too wide is cut")
    mutating func narrow() {
        search("flux")
        press([.text("/")] + "abcdefghijklmnopqrst".map { .text($0) })
        browser.size = ScreenSize(rows: 10, columns: 20)
        #expect(screen.lines[1].text == "Search  jklmnopqrst")
        #expect(screen.lines.allSatisfy { $0.text.count <= 20 })
        browser.size = ScreenSize(rows: 1, columns: 1)
        #expect(screen.lines.map(\.text) == ["…"])
    }

    @Test("a request that fails is said, with the key that tries again")
    mutating func failure() {
        catalogue.failNextRequest()
        search("flux")
        #expect(screen.lines[8].text == "No answer: the connection was lost. r tries again")
        #expect(screen.lines[8].style == .alert)
        press([.text("r")])
        #expect(screen.lines[8].text == "20 repositories, page 2 of 2 follows")
    }

    @Test("while an answer is under way, that is said")
    mutating func loading() {
        catalogue.holdAnswers()
        search("flux")
        #expect(screen.lines[8].text == "Loading…")
        catalogue.releaseAnswers()
        catalogue.holdAnswers()
        press([.end])
        #expect(screen.lines[8].text == "20 repositories, loading more…")
        catalogue.releaseAnswers()
        #expect(screen.lines[8].text == "30 repositories, no more")
        search("nothing like it")
        #expect(screen.lines[8].text == "Nothing was found")
    }

    @Test("a notification is about the selected row, and its page waits for its address")
    mutating func notification() {
        search("flux")
        press([.down])
        catalogue.holdAnswers()
        press([.text("n")])
        #expect(screen.text.hasPrefix("Repository 2\n\nIts address is not known yet…\n"))
        catalogue.releaseAnswers()
        #expect(screen.text.hasPrefix("flux-検索-größe\n\nhttps://github.com/one/2\n"))
    }
}

extension Screen {
    /// The lines as text, without the spaces at their ends.
    fileprivate var text: String {
        lines.map { line in String(line.text.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
    }
}
