/// How wide the columns of a table are.
struct TableWidths: Sendable {
    /// The spaces between two columns.
    static let gap = 2
    /// No column is made narrower than this, however narrow the terminal.
    private static let narrowest = 8

    /// Of each column; the last one ends where the terminal does.
    let columns: [Int]
    /// Whether what is wider is cut.
    let areLimits: Bool

    /// Makes widths of what the first rows take.
    ///
    /// Where they do not fit side by side, the widest column gives way first, one column of the terminal at a time.
    ///
    /// - Parameters:
    ///   - natural: The width of the widest cell of each column, its title included.
    ///   - terminal: The columns of the terminal; nil if there is none, so that nothing is cut.
    init(natural: [Int], terminal: Int?) {
        guard let terminal else {
            columns = natural
            areLimits = false
            return
        }
        var columns = natural
        let room = terminal - Self.gap * (natural.count - 1)
        while columns.reduce(0, +) > room {
            guard let widest = columns.indices.max(by: { columns[$0] < columns[$1] }),
                columns[widest] > Self.narrowest
            else { break }
            columns[widest] -= 1
        }
        // What is left over belongs to the last column, whose later cells may be wider.
        let left = room - columns.reduce(0, +)
        if left > 0, let last = columns.indices.last { columns[last] += left }
        self.columns = columns
        areLimits = true
    }
}
