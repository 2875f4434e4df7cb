import GitHubClient
import GitHubTerminal
import Testing
import Tracking
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

    /// Presses keys, each on the screen that the one before has left.
    mutating func press(_ keys: [Key]) {
        for key in keys {
            #expect(browser.press(key))
            _ = browser.draw()
        }
    }

    /// The rows of the list that are seen, without their addresses.
    var names: [String] {
        mutating get {
            browser.draw().lines[3...6].map { line in
                String(line.text.prefix { $0 != "h" }.reversed().drop { $0 == " " }.reversed())
            }
        }
    }

    mutating func search(_ text: String) { press([.clear] + text.map { .text($0) } + [.enter]) }

    @Test("the first screen asks for a text, where the cursor stands")
    mutating func start() {
        #expect(
            browser.draw().text == """
                GitHub repositories
                Search





                \("")
                Type what to look for, then press Enter
                Enter searches   Down list   Ctrl-U empties   Ctrl-C ends
                """)
        #expect(browser.draw().cursor?.row == 1)
        #expect(browser.draw().cursor?.column == 8)
        press([.text("検"), .text("x")])
        #expect(browser.draw().cursor?.column == 11)
    }

    @Test("results fill the lines that there are; wide names keep the columns, control characters are shown as escapes")
    mutating func results() {
        search("flux")
        #expect(
            browser.draw().text == """
                GitHub repositories
                Search  flux

                > flux                  https://github.com/one/1
                  flux-検索-größe       https://github.com/one/2
                  flux\\u{1b}[2J         https://github.com/one/3
                  flux-4                https://github.com/one/4

                20 repositories, page 2 of 2 follows
                Enter opens   Up Down PgUp PgDn End   / search   r retry   …
                """)
        #expect(browser.draw().cursor == nil)
    }

    @Test("a row beyond the last line scrolls the list, and the list's end brings the next page")
    mutating func scrolling() {
        search("flux")
        press([.pageDown])
        #expect(names == ["  flux-検索-größe", "  flux\\u{1b}[2J", "  flux-4", "> flux-5"])
        press([.end])
        #expect(names == ["  flux-17", "  flux-18", "  flux-19", "> flux-20"])
        #expect(browser.draw().lines[8].text == "30 repositories, no more")
        press([.home, .up])
        #expect(names == ["  flux", "  flux-検索-größe", "  flux\\u{1b}[2J", "  flux-4"])
        #expect(browser.draw().cursor != nil)
    }

    @Test("a row opens its page, and back shows the list where it was")
    mutating func detail() {
        search("flux")
        press([.down, .enter])
        #expect(
            browser.draw().text.hasPrefix(
                "flux-検索-größe\n\nhttps://github.com/one/2\n\nb back   n notification   q quit\n"))
        press([.escape])
        #expect(browser.draw().lines[4].text.hasPrefix("> flux-検索"))
    }

    @Test("the second of two quick taps reaches the list, not the page that the first has opened")
    mutating func quickTaps() {
        search("flux")
        #expect(browser.press(.enter) && browser.press(.enter))
        #expect(app.stack.count == 2)
    }

    @Test("q types a letter in the search field, and leaves everywhere else")
    mutating func leaving() {
        press([.text("q")])
        #expect(browser.draw().lines[1].text == "Search  q")
        press([.tab])
        #expect(!browser.press(.text("q")))
        search("flux")
        press([.enter])
        #expect(!browser.press(.text("q")))
    }

    @Test("a text that is too long shows its end, and what is too wide is cut")
    mutating func narrow() {
        search("flux")
        press([.text("/")] + "abcdefghijklmnopqrst".map { .text($0) })
        browser.size = ScreenSize(rows: 10, columns: 20)
        #expect(browser.draw().lines[1].text == "Search  jklmnopqrst")
        #expect(browser.draw().lines.allSatisfy { $0.text.count <= 20 })
        browser.size = ScreenSize(rows: 1, columns: 1)
        #expect(browser.draw().lines.map(\.text) == ["…"])
    }

    @Test("a request that fails is said, with the key that tries again")
    mutating func failure() {
        catalogue.failNextRequest()
        search("flux")
        #expect(browser.draw().lines[8].text == "No answer: the connection was lost. r tries again")
        #expect(browser.draw().lines[8].style == .alert)
        press([.text("r")])
        #expect(browser.draw().lines[8].text == "20 repositories, page 2 of 2 follows")
    }

    @Test("while an answer is under way, that is said")
    mutating func loading() {
        catalogue.holdAnswers()
        search("flux")
        #expect(browser.draw().lines[8].text == "Loading…")
        catalogue.releaseAnswers()
        catalogue.holdAnswers()
        press([.end])
        #expect(browser.draw().lines[8].text == "20 repositories, loading more…")
        catalogue.releaseAnswers()
        #expect(browser.draw().lines[8].text == "30 repositories, no more")
        search("nothing like it")
        #expect(browser.draw().lines[8].text == "Nothing was found")
    }

    @Test("a notification is about the selected row, and its page waits for its address")
    mutating func notification() {
        search("flux")
        press([.down])
        catalogue.holdAnswers()
        press([.text("n")])
        #expect(browser.draw().text.hasPrefix("Repository 2\n\nIts address is not known yet…\n"))
        catalogue.releaseAnswers()
        #expect(browser.draw().text.hasPrefix("flux-検索-größe\n\nhttps://github.com/one/2\n"))
    }
}
