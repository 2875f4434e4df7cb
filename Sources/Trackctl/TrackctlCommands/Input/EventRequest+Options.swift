internal import EventModel
internal import EventQuery
internal import LogFiles

extension EventRequest {
    /// What the options of a command without a window say.
    ///
    /// - Throws: `LogFileError`.
    init(paths: [String], _ selection: SelectionOptions) throws {
        self.init(paths: try Self.expand(paths))
        try select(selection)
        try checkCollectors()
    }

    private mutating func select(_ selection: SelectionOptions) throws {
        self.selection = try selection.selection()
        isStrict = selection.strict
    }

    /// The files that are meant; URLs stay as they are.
    private static func expand(_ inputs: [String]) throws -> [String] {
        try inputs.flatMap { CollectorAddress.isOne($0) ? [$0] : try LogPaths.expand([$0], notice: Console.complain) }
    }

    /// What the options of a command say.
    ///
    /// - Parameter collectors: Opens collectors, if the command reads them.
    /// - Throws: `LogFileError`; ``CommandFailure`` for a cursor that cannot be read, or that no collector has.
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

    /// Gives times such as `yesterday` the meaning that they had at another moment.
    ///
    /// - Parameter selection: What ``selection`` was made of.
    mutating func readTimes(of selection: SelectionOptions, now: EventTime) throws {
        let then = try selection.selection(now: now)
        self.selection.since = then.since
        self.selection.until = then.until
        self.selection.conditions = then.conditions
    }
}
