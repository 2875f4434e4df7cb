package import EventLog
package import GitHubClient
internal import JSONLines
internal import TrackingCore

/// The app's screens on a terminal: converts keys to the app's inputs, and the state of its stores to a screen. The app
/// decides what an input does; the browser only has the state of the screen: the position of the cursor, and how far
/// the list is scrolled. Not thread-safe.
package struct Browser {
    private let app: HeadlessApp
    private let asksConsent: Bool
    package var size: ScreenSize { didSet { top = min(max(top, row - visibleRows + 1), row) } }
    private var field = ""
    private var isTyping = true
    private var hasSearched = false
    /// Whether a repository's page was drawn last.
    private var isOnDetail = false
    private var row = 0
    private var top = 0

    /// The repository of a notification while the list is empty: Swift's own.
    private static let swift = Repository(id: 44_838_949, name: "swift", htmlURL: "https://github.com/swiftlang/swift")

    /// Creates a browser of an app that has not opened its first screen yet.
    ///
    /// - Parameter asksConsent: Whether the first screen asks a user who has not answered for consent.
    package init(app: HeadlessApp, size: ScreenSize, asksConsent: Bool = false) {
        self.app = app
        self.asksConsent = asksConsent
        self.size = size
    }

    /// Whether the screen asks for consent. Its keys answer the question, see ``consent(_:)``.
    package var isAskingConsent: Bool { asksConsent && !app.environment.tracking.consent.isAnswered }

    /// The answer that a key gives; nil for other keys.
    package func consent(_ key: Key) -> ConsentChoice? {
        switch key {
        case .text("y"): .granted
        case .text("n"): .denied
        default: nil
        }
    }

    /// Presses a key. It applies to the screen that was drawn last: the second of two quick taps on a row reaches the
    /// list, not the page that the first tap has opened.
    ///
    /// - Returns: false if the key leaves the app.
    package mutating func press(_ key: Key) -> Bool {
        if isOnDetail { return pressOnDetail(key) }
        guard isTyping else { return pressInList(key) }
        pressInField(key)
        return true
    }

    package mutating func draw() -> Screen {
        if isAskingConsent { return ConsentPage(size: size).screen }
        let state = repositories
        isOnDetail = detailID != nil
        if let detailID {
            return DetailPage(id: detailID, repository: detail, error: state.notLoaded[detailID], size: size).screen
        }
        return SearchPage(
            state: state, field: field, isTyping: isTyping, hasSearched: hasSearched, row: row, top: top, size: size
        ).screen
    }

    private var repositories: RepositoryState { app.environment.repository.store.state }
    private var visibleRows: Int { SearchPage.visibleRows(size) }

    /// The number of the repository whose page is on top; nil on the search screen.
    private var detailID: Int64? {
        switch app.stack.last {
        case .repositoryDetail(let repository)?: repository.id
        case .repositoryDetailByID(let id)?: id
        case .repositorySearch?, nil: nil
        }
    }

    /// The repository whose page is on top, once it is loaded.
    private var detail: Repository? {
        switch app.stack.last {
        case .repositoryDetail(let repository)?: repository
        case .repositoryDetailByID(let id)?: repositories.found[id]
        case .repositorySearch?, nil: nil
        }
    }

    private func pressOnDetail(_ key: Key) -> Bool {
        switch key {
        case .escape, .backspace, .text("b"): app.take(.opened(.repositorySearch))
        case .text("n"): notify(about: detail)
        case .text("q"): return false
        default: break
        }
        return true
    }

    private mutating func pressInField(_ key: Key) {
        switch key {
        case .text(let character): type(field + String(character))
        case .backspace: type(String(field.dropLast()))
        case .clear: type("")
        case .enter: search()
        case .down, .tab, .escape: isTyping = false
        case .up, .pageUp, .pageDown, .home, .end, .interrupt, .suspend: break
        }
    }

    private mutating func pressInList(_ key: Key) -> Bool {
        switch key {
        case .up where row == 0, .text("/"), .tab: isTyping = true
        case .up: select(row - 1)
        case .down: select(row + 1)
        case .pageUp: select(row - visibleRows)
        case .pageDown: select(row + visibleRows)
        case .home: select(0)
        case .end: select(Int.max)
        case .enter: app.take(.rowTapped(row))
        case .text("r"): app.take(.retryTapped)
        case .text("n"):
            let found = repositories.repositories
            notify(about: found.indices.contains(row) ? found[row] : nil)
        case .text("b"), .escape: app.take(.opened(.repositorySearch))
        case .text("q"): return false
        case .text, .backspace, .clear, .interrupt, .suspend: break
        }
        return true
    }

    private mutating func type(_ text: String) {
        field = text
        app.take(.typed(text))
    }

    private mutating func search() {
        app.take(.searchTapped)
        guard !field.isEmpty else { return }
        isTyping = false
        hasSearched = true
        row = 0
        top = 0
    }

    /// Selects a row, or the nearest existing row, and scrolls until the row is visible.
    private mutating func select(_ wanted: Int) {
        let count = repositories.repositories.count
        guard count > 0 else { return }
        row = min(max(wanted, 0), count - 1)
        top = min(max(top, row - visibleRows + 1), row)
        app.take(.scrolled(reachedBottom: top + visibleRows >= count))
    }

    private func notify(about repository: Repository?) {
        let repository = repository ?? Self.swift
        app.take(
            .notification(
                identifier: "new-release",
                userInfo: ["repository": .string(repository.name), "repository_id": .integer(repository.id)]))
    }
}
