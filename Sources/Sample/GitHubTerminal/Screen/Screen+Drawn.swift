extension Screen {
    /// What draws the screen on a terminal, in one piece (ECMA-48; `?25` is xterm's and shows or hides the cursor).
    var drawn: String {
        let drawnLines = lines.map { "\u{1B}[K\($0.style.sequence)\($0.text)\u{1B}[0m" }
        let end = cursor.map { "\u{1B}[\($0.row + 1);\($0.column + 1)H\u{1B}[?25h" } ?? ""
        return "\u{1B}[?25l\u{1B}[H" + drawnLines.joined(separator: "\r\n") + end
    }
}

extension Screen.Style {
    /// Bold, reversed, faint: no colours, so that it can be read on any background.
    fileprivate var sequence: String {
        switch self {
        case .plain: ""
        case .title, .alert: "\u{1B}[1m"
        case .selected: "\u{1B}[7m"
        case .faint: "\u{1B}[2m"
        }
    }
}
