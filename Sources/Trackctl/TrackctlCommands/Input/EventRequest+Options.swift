internal import EventModel
internal import EventQuery
internal import LogFiles

extension EventRequest {
    /// What the options of a command without a window say.
    ///
    /// - Throws: `LogFileError`.
    init(paths: [String], _ selection: SelectionOptions) throws {
        self.init(paths: try LogPaths.expand(paths))
        self.selection = try selection.selection()
        isStrict = selection.strict
    }

    /// What the options of a command say.
    ///
    /// - Throws: `LogFileError`; ``CommandFailure`` for a cursor that cannot be read.
    init(paths: [String], _ selection: SelectionOptions, _ window: WindowOptions) throws {
        try self.init(paths: paths, selection)
        last = window.last
        limit = window.limit
        showsCursor = window.showCursor
        cursorFile = window.cursorFile.map { CursorFile(path: $0) }
        self.selection.after = try window.afterCursor ?? cursorFile?.read()
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
