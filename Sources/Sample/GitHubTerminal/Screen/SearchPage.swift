internal import GitHubClient
internal import TextRendering

/// How the search screen looks: the search field, the list as far as it fits, and what is going on.
struct SearchPage {
    let state: RepositoryState
    /// What the search field holds.
    let field: String
    /// Whether the field is typed into; else a row of the list is selected.
    let isTyping: Bool
    /// Whether anything was searched for.
    let hasSearched: Bool
    /// The selected row.
    let row: Int
    /// The first row that is shown.
    let top: Int
    let size: ScreenSize

    private static let label = "Search  "
    /// Lines that are no rows of the list.
    private static let otherLines = 6

    /// How many rows of the list fit, at least one.
    static func visibleRows(_ size: ScreenSize) -> Int { max(size.rows - otherLines, 1) }

    var screen: Screen {
        let room = max(size.columns - Self.label.count - 1, 0)
        // The end of a text that is too long is what is being typed.
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
            let text = "No answer: \(error.printable)\(hasSearched ? ". r tries again" : "")"
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
        if hasSearched { return number == 0 ? "Nothing was found" : "\(count), no more" }
        return "Type what to look for, then press Enter"
    }

    private var keys: String {
        isTyping
            ? "Enter searches  Down list  Ctrl-U empties  Ctrl-C ends"
            : "Up Down End  Enter opens  / search  r retry  n notification  b back  q quit"
    }
}

/// How a repository's page looks.
struct DetailPage {
    /// GitHub's number of it.
    let id: Int64
    /// The repository; nil until it is known.
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
            return Screen.Line(text: "No answer: \(error.printable)".cut(to: size.columns), style: .alert)
        }
        return Screen.Line(text: "Its address is not known yet…".cut(to: size.columns), style: .faint)
    }
}
