internal import GitHubClient
internal import TextRendering

/// Draws the search screen: the search field, the visible part of the list, and the status.
struct SearchPage {
    let state: RepositoryState
    let field: String
    /// Whether the search field has the focus; otherwise a row of the list is selected.
    let isTyping: Bool
    /// Whether a search was submitted.
    let hasSearched: Bool
    let row: Int
    /// The first visible row.
    let top: Int
    let size: ScreenSize

    private static let label = "Search  "
    /// The number of lines outside the list.
    private static let otherLines = 6

    /// The number of visible rows, at least 1.
    static func visibleRows(_ size: ScreenSize) -> Int { max(size.rows - otherLines, 1) }

    var screen: Screen {
        let room = max(size.columns - Self.label.count - 1, 0)
        // If the text is too long, show its end, where the user is typing.
        var shown = field.printable[...]
        while DisplayWidth.of(shown) > room { shown.removeFirst() }
        let lines =
            [Screen.Line(text: "GitHub repositories".cut(to: size.columns), style: .title)]
            + [Screen.Line(text: "\(Self.label)\(shown)".cut(to: size.columns), style: .plain), blank]
            + rows + [blank, status, Screen.Line(text: keys.cut(to: size.columns), style: .faint)]
        let cursor = Screen.Cursor(row: 1, column: Self.label.count + DisplayWidth.of(shown))
        return Screen(lines: lines, cursor: isTyping ? cursor : nil, size: size)
    }

    private var blank: Screen.Line { Screen.Line(text: "", style: .plain) }

    private var rows: [Screen.Line] {
        let end = min(top + Self.visibleRows(size), state.repositories.count)
        let lines = (min(top, end)..<end).map { index in
            let repository = state.repositories[index]
            let isSelected = index == row && !isTyping
            let name = repository.name.printable.fitted(to: min(size.columns / 3, 32))
            let text = "\(isSelected ? ">" : " ") \(name)  \(repository.htmlURL.printable)"
            return Screen.Line(text: text.cut(to: size.columns), style: isSelected ? .selected : .plain)
        }
        return lines + repeatElement(blank, count: Self.visibleRows(size) - lines.count)
    }

    private var status: Screen.Line {
        if let error = state.error {
            let text = "Request failed: \(error.printable)\(hasSearched ? "; press r to retry" : "")"
            return Screen.Line(text: text.cut(to: size.columns), style: .alert)
        }
        return Screen.Line(text: progress.cut(to: size.columns), style: .faint)
    }

    private var progress: String {
        let number = state.repositories.count
        let count = number == 1 ? "1 repository" : "\(number.grouped) repositories"
        if state.isFetching { return number == 0 ? "Loading…" : "\(count), loading more…" }
        if let next = state.nextPage {
            return "\(count), page \(next)\(state.pagination.last.map { " of \($0)" } ?? "") follows"
        }
        if hasSearched { return number == 0 ? "No repositories found" : "\(count), no more" }
        return "Type a search term and press Enter"
    }

    private var keys: String {
        isTyping
            ? "Enter search  Down list  Ctrl-U clear  Ctrl-C quit"
            : "Up Down End  Enter open  / search  r retry  n notification  b back  q quit"
    }
}

/// Draws a repository's page.
struct DetailPage {
    /// The repository's number on GitHub.
    let id: Int64
    /// The repository; nil until it is loaded.
    let repository: Repository?
    /// Why the last request failed.
    let error: String?
    let size: ScreenSize

    var screen: Screen {
        let name = repository?.name ?? "Repository \(id)"
        let lines = [
            Screen.Line(text: name.printable.cut(to: size.columns), style: .title),
            Screen.Line(text: "", style: .plain), address,
            Screen.Line(text: "", style: .plain),
            Screen.Line(text: "b back  n notification  q quit".cut(to: size.columns), style: .faint),
        ]
        return Screen(lines: lines, cursor: nil, size: size)
    }

    private var address: Screen.Line {
        if let repository {
            return Screen.Line(text: repository.htmlURL.printable.cut(to: size.columns), style: .plain)
        }
        if let error {
            return Screen.Line(text: "Request failed: \(error.printable)".cut(to: size.columns), style: .alert)
        }
        return Screen.Line(text: "Loading its address…".cut(to: size.columns), style: .faint)
    }
}
