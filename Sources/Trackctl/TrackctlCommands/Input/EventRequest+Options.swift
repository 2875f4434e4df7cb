internal import EventModel
internal import EventQuery
internal import LogFiles

extension EventRequest {
    /// Creates a request from the options of a command without a window.
    ///
    /// - Parameter collectors: Opens collectors; nil if the command reads none.
    /// - Throws: `LogFileError`; ``CommandFailure``.
    init(paths: [String], _ selection: SelectionOptions, collectors: CollectorAccess? = nil) throws {
        self.init(paths: try Self.expand(paths))
        self.collectors = collectors
        try select(selection)
        try checkCollectors()
    }

    private mutating func select(_ selection: SelectionOptions) throws {
        self.selection = try selection.selection()
        isStrict = selection.strict
    }

    /// Expands folders and patterns; URLs stay unchanged.
    private static func expand(_ inputs: [String]) throws -> [String] {
        try inputs.flatMap { CollectorAddress.isOne($0) ? [$0] : try LogPaths.expand([$0], notice: Console.complain) }
    }

    /// Creates a request from the options of a command.
    ///
    /// - Parameter collectors: Opens collectors; nil if the command reads none.
    /// - Throws: `LogFileError`; ``CommandFailure`` for an unreadable cursor, or for a cursor of a collector.
    init(
        paths: [String], _ selection: SelectionOptions, _ window: WindowOptions, collectors: CollectorAccess? = nil
    ) throws {
        self.init(paths: try Self.expand(paths))
        try select(selection)
        self.collectors = collectors
        last = window.last
        limit = window.limit
        showsCursor = window.showCursor
        cursorFile = window.cursorFile.map { CursorFile(path: $0) }
        self.selection.after = try window.afterCursor ?? cursorFile?.read()
        try checkCollectors()
    }

    /// Evaluates relative times such as `yesterday` at another moment.
    ///
    /// - Parameter selection: The options that ``selection`` was created from.
    mutating func readTimes(of selection: SelectionOptions, now: EventTime) throws {
        let then = try selection.selection(now: now)
        self.selection.since = then.since
        self.selection.until = then.until
        self.selection.conditions = then.conditions
    }
}
